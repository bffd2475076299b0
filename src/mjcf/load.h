// MJCF text -> spec.
#pragma once

#include "corten/spec.h"

// `file` names the text in messages and is where relative paths start; NULL for text in memory.
ctStatus cti_spec_parse(ctSpec** out, const char* text, size_t size, const char* file,
                        const ctLoadOptions* opt, ctError* err);
