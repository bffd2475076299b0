// For the fuzzers of texts that become a spec.
#pragma once

#include "fuzz.h"

// A spec that compiles is written as text that does too. Returns what that compiles to, NULL where memory ran
// out or the spec cannot be written.
static inline ctModel* fuzz_write_and_read(const ctSpec* spec, const ctLoadOptions* opt) {
  size_t length = 0;
  ctError err = {0};
  ctStatus status = ct_spec_save_string(spec, "", NULL, 0, &length, &err);
  if (status == CT_ERR_MEMORY || status == CT_ERR_LIMIT || status == CT_ERR_UNSUPPORTED) return NULL;
  FUZZ_CHECK(status == CT_OK);
  char* text = (char*)malloc(length + 1);
  if (!text) return NULL;
  ctModel* again = NULL;
  if (ct_spec_save_string(spec, "", text, length + 1, NULL, NULL) == CT_OK) {
    status = ct_model_load_string(&again, text, length, opt, &err);
    if (status != CT_OK && status != CT_ERR_MEMORY && status != CT_ERR_LIMIT)
      fprintf(stderr, "%s\n%s\n", text, err.message);
    FUZZ_CHECK(status == CT_OK || status == CT_ERR_MEMORY || status == CT_ERR_LIMIT);
  }
  free(text);
  return again;
}
