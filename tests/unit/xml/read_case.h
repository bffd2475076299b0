// One element with one attribute "x" to read, and what readers said about it. Shared by the tests of readers.
#pragma once

#include "xml/read.h"
#include "xt.h"

typedef struct ReadCase {
  ctiXml element;
  ctiXmlAttr attr;
  ctError err;
} ReadCase;

static inline ReadCase read_case(const char* value) {
  return (ReadCase){.element = {.name = "geom", .line = 2, .column = 3, .file = "m.xml"},
                    .attr = {.name = "x", .value = value, .line = 2, .column = 9}};
}
// The message, once it is clear that it stands at the attribute.
static inline const char* read_message(const ReadCase* c) {
  XT_INT(c->err.status, CT_ERR_INVALID);
  XT_INT(c->err.line, 2);
  XT_INT(c->err.column, 9);
  XT_TEXT(c->err.element, "geom");
  return c->err.message;
}
