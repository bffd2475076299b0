// Positions inside a start tag. expat says where a tag begins; the attributes are found by reading the tag
// again.
#pragma once

#include "xml/parse.h"

// The text being parsed.
typedef struct ctiXmlSource {
  const char* text;
  size_t size;
  const char* file;
  bool wide;      // UTF-16: bytes cannot be read as ASCII
  bool one_byte;  // every byte is a character (Latin-1); otherwise UTF-8
} ctiXmlSource;

typedef struct ctiXmlPosition {
  int line, column;
} ctiXmlPosition;

ctiXmlSource cti_xml_source(const char* text, size_t size, const char* file);

// Set line and column of the first `n` attributes of `e`, whose tag begins at `offset` in the text and is
// well formed. In UTF-16 they keep the position they have.
void cti_xml_locate_attrs(const ctiXmlSource* source, size_t offset, ctiXml* e, int n);

// Move on from a place in the text to the next reference to an entity that XML itself does not define, such
// as &foo; but not &lt; or &#65;. False, and nothing moved, when there is none.
bool cti_xml_find_reference(const ctiXmlSource* source, size_t* offset, ctiXmlPosition* at);

// Copy the name that stands at `offset`, made short enough to print; false if there is none.
bool cti_xml_name_at(const ctiXmlSource* source, size_t offset, char* out, size_t size);
