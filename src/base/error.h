// Filling in the caller's diagnostic. Every call here takes `err == NULL` and does nothing then; every call
// returns the status it was given, so that a failure is one line: return cti_error(err, CT_ERR_INVALID,
// "..."). Texts are made safe for one line of UTF-8: control characters become blanks, broken UTF-8 becomes
// '?', and a text that is too long is cut between characters and ends with "...".
#pragma once

#include <stdarg.h>
#include <stddef.h>

#include "corten/error.h"

#if defined(__GNUC__)
#define CTI_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#else
#define CTI_PRINTF(format_index, first_index)
#endif

// Return the status of `expr` from the calling function unless it is CT_OK. Only where nothing is held.
#define CT_TRY(expr)                      \
  do {                                    \
    ctStatus ct_try_ = (expr);            \
    if (ct_try_ != CT_OK) return ct_try_; \
  } while (0)

// An error without position.
ctStatus cti_error(ctError* err, ctStatus status, const char* format, ...) CTI_PRINTF(3, 4);

// An error with as much position as is known: `file` and `element_path` may be NULL, `line` and `column` 0.
ctStatus cti_error_at(ctError* err, ctStatus status, const char* file, int line, int column,
                      const char* element_path, const char* format, ...) CTI_PRINTF(7, 8);
ctStatus cti_error_at_v(ctError* err, ctStatus status, const char* file, int line, int column,
                        const char* element_path, const char* format, va_list args) CTI_PRINTF(7, 0);

// vsnprintf() as in the C locale: a point is a point, whatever the program around the engine has chosen.
int cti_vformat(char* out, size_t size, const char* format, va_list args) CTI_PRINTF(3, 0);

// CT_ERR_MEMORY with its standard text.
ctStatus cti_error_memory(ctError* err);

// Copy `text` made safe as above. The first two keep the beginning of a long text, the third its end. Returns
// `out`.
const char* cti_copy_head(char* out, size_t size, const char* text);
const char* cti_copy_head_sized(char* out, size_t size, const char* text, size_t length);
const char* cti_copy_tail(char* out, size_t size, const char* text);
