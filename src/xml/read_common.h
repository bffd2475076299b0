// What the readers of numbers and the readers of words share.
#pragma once

#include "base/strings.h"
#include "xml/read.h"

#define CTI_READ_SHOWN 60  // bytes of the user's text that a message repeats

// The beginning of a token, fit for a message.
static inline const char* cti_read_shown(char out[CTI_READ_SHOWN], const ctiToken* token) {
  return cti_copy_head_sized(out, CTI_READ_SHOWN, token->begin, (size_t)(token->end - token->begin));
}

// CT_ERR_ARGUMENT when a reader is asked for more values than fit: a bug of its caller, heard of in every
// build.
ctStatus cti_read_check_request(const ctiXml* e, const ctiXmlAttr* attr, int min, int max, ctError* err);

// CT_ERR_INVALID unless min <= got <= max: "size: expected 1 to 3 numbers, got 4".
ctStatus cti_read_check_count(const ctiXml* e, const ctiXmlAttr* attr, int min, int max, const char* noun,
                              size_t got, ctError* err);
