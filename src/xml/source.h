// The text of an XML file: positions in it, a strict version of what strict XML refuses, and explanations of
// what cannot be parsed.
#pragma once

#include <stddef.h>

#include "base/alloc.h"
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

// ---- text that strict XML refuses

// Text that strict XML refuses, and many files have all the same: made strict.

// Writes a strict version of `text` into `*out`, of `*out_size` bytes, in `region`; NULL when there is
// nothing to mend. Comments that have "--" or bytes that are not UTF-8 in them become blank, as does an <?xml
// ...?> line that has blanks before it or names an encoding we do not know; a blank is put between attributes
// that touch. Lines keep their numbers. CT_ERR_MEMORY.
ctStatus cti_xml_mend(const char** out, size_t* out_size, const char* text, size_t size, ctiRegion* region,
                      ctError* err);

// ---- what expat complains about

typedef struct ctiXmlFailure {
  int code;            // of expat
  size_t offset;       // byte where it stopped
  ctiXmlPosition at;   // the same for people
  const ctiXml* open;  // innermost element not closed yet, or NULL
  const ctiXml* root;  // NULL if none was seen
} ctiXmlFailure;

// Fill in `err` and return its status.
ctStatus cti_xml_explain(const ctiXmlSource* source, const ctiXmlFailure* failure, ctError* err);
