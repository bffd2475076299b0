// expat's complaints in words that help the author of a file.
#pragma once

#include "xml/locate.h"

typedef struct ctiXmlFailure {
  int code;            // of expat
  size_t offset;       // byte where it stopped
  ctiXmlPosition at;   // the same for people
  const ctiXml* open;  // innermost element not closed yet, or NULL
  const ctiXml* root;  // NULL if none was seen
} ctiXmlFailure;

// Fill in `err` and return its status.
ctStatus cti_xml_explain(const ctiXmlSource* source, const ctiXmlFailure* failure, ctError* err);
