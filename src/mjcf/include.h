// <include file="..."/>: other files spliced into the tree before it is read.
#pragma once

#include "base/alloc.h"
#include "corten/model.h"
#include "xml/parse.h"

// The documents that a model was read from; the first is the model file itself.
typedef CTI_ARRAY(ctiXmlDoc*) ctiXmlDocs;

// Replace every <include> below the root of the first document by the children of the root of the file it
// names; files are added to `docs`, which the caller frees. A path is tried from the folder of the model,
// then from that of the including file. A file may be included once.
ctStatus cti_mjcf_expand_includes(ctiXmlDocs* docs, const char* model_file, const ctLoadOptions* opt,
                                  ctError* err);
