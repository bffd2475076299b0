// XML text -> tree of elements that know where they stand. Built on expat; hostile input costs linear time
// and bounded memory, and no code here recurses over the depth of the tree. Entity declarations and external
// DTDs are refused.
#pragma once

#include "base/alloc.h"
#include "base/error.h"

// Positions are 1-based; columns count characters, and a tab is one.
typedef struct ctiXmlAttr {
  const char* name;
  const char* value;  // references resolved, line breaks and tabs turned into blanks, as XML demands
  int line, column;   // of the first character of the name
} ctiXmlAttr;

typedef struct ctiXml ctiXml;
struct ctiXml {
  const char* name;
  ctiXmlAttr* attrs;  // in the order of the text
  int nattr;
  int line, column;  // of the '<'
  ctiXml* parent;    // NULL for the root
  ctiXml* first;     // first child
  ctiXml* next;      // next child of the same parent
  const char* file;  // as the user named it; never NULL
  const char* text;  // between the tags, CDATA included, white space at the ends cut off; NULL if none
  size_t text_size;
};

// The tree. All of it lives in `region`, together with whatever the reader adds.
typedef struct ctiXmlDoc {
  ctiRegion* region;
  ctiXml* root;
  int count;           // elements
  const char* remark;  // what is not strict XML in the text, with its position; NULL for nothing
} ctiXmlDoc;

// A field that is 0 takes its default.
typedef struct ctiXmlLimits {
  size_t size;   // bytes of text: 1 GiB, which is also the most
  int depth;     // nested elements: 10,000
  int elements;  // in all: 20 million
  int attrs;     // of one element: 1,000
} ctiXmlLimits;

// Parse `size` bytes. What strict XML refuses but files have all the same is taken, with a remark: see
// source.h; columns behind a blank or reference that had to be put in are off by it. The text is only read
// during the call. `file` names it in messages (NULL: "<string>"); `limits` and `a` may be NULL. On failure
// `*out` is NULL. CT_ERR_SYNTAX, CT_ERR_LIMIT, CT_ERR_UNSUPPORTED (entity declarations, external DTD,
// encoding) or CT_ERR_MEMORY. Release with cti_xml_free(). Scratch memory of expat itself comes from the C
// library: its hooks carry no context.
ctStatus cti_xml_parse(ctiXmlDoc** out, const char* text, size_t size, const char* file,
                       const ctiXmlLimits* limits, const ctAllocator* a, ctError* err);

// Release the tree. NULL is ignored.
void cti_xml_free(ctiXmlDoc* doc);

// The attribute of that name, or NULL.
const ctiXmlAttr* cti_xml_find(const ctiXml* e, const char* name);

// First child with that name, or the next sibling with it; NULL if there is none. `name` NULL means any.
ctiXml* cti_xml_child(const ctiXml* e, const char* name);
ctiXml* cti_xml_next(const ctiXml* e, const char* name);

// Write the path of an element, such as mujoco/worldbody/body[arm]/joint[elbow]; one that is too long keeps
// its end, after "...". `size` must be at least 8. Returns `buffer`.
char* cti_xml_path(const ctiXml* e, char* buffer, size_t size);

// An error at an element, or at one of its attributes when `attr` is not NULL. Returns `status`.
ctStatus cti_xml_error(ctError* err, ctStatus status, const ctiXml* e, const ctiXmlAttr* attr,
                       const char* format, ...) CTI_PRINTF(5, 6);
