// Loading models in tests: any failure is reported with the library's own message.
#pragma once

#include <corten/corten.h>

#include "xt.h"

#ifndef CT_SOURCE_DIR
#define CT_SOURCE_DIR "."
#endif

static inline ctModel* xt_load_string(const char* text) {
  ctModel* m = NULL;
  ctError err = {0};
  char line[1100];
  if (ct_model_load_string(&m, text, strlen(text), NULL, &err) != CT_OK) {
    ct_error_format(&err, line, sizeof(line));
    fail_msg("%s", line);
  }
  return m;
}

static inline ctModel* xt_load(const char* path) {
  ctModel* m = NULL;
  ctError err = {0};
  char line[1100], full[512];
  snprintf(full, sizeof(full), "%s/%s", CT_SOURCE_DIR, path);
  if (ct_model_load(&m, full, NULL, &err) != CT_OK) {
    ct_error_format(&err, line, sizeof(line));
    fail_msg("%s", line);
  }
  return m;
}

static inline ctData* xt_data(const ctModel* m) {
  ctData* d = NULL;
  XT_INT(ct_data_create(&d, m, NULL), CT_OK);
  return d;
}

// The message of a model that must not load, as "line:column: message".
static inline const char* xt_refused(const char* text) {
  static char line[700];
  ctModel* m = NULL;
  ctError err = {0};
  ctStatus status = ct_model_load_string(&m, text, strlen(text), NULL, &err);
  if (status == CT_OK) fail_msg("a bad model was accepted: %s", text);
  XT_TRUE(m == NULL);
  XT_INT(err.status, status);
  XT_TRUE(err.message[0] != 0);
  XT_TRUE(strchr(err.message, '\n') == NULL);
  snprintf(line, sizeof(line), "%d:%d: %s", err.line, err.column, err.message);
  return line;
}

// Nothing unexpected was counted.
static inline void xt_no_warnings(const ctData* d) {
  for (int i = 0; i < CT_WARN_COUNT; i++) {
    if (d->warning[i].number)
      fail_msg("warning %d counted %d times, last at %d", i, d->warning[i].number, d->warning[i].lastinfo);
  }
}

// Fill every real array of the data's outputs with NaN: a field nobody writes must fail.
static inline void xt_poison(const ctModel* m, ctData* d) {
  static const char* const inputs[] = {
      "qpos", "qvel",         "act",          "history",   "plastic",    "qacc_warmstart", "plugin_state",
      "ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat", "userdata",       "qacc"};
  for (int i = 0; i < ct_data_field_count(); i++) {
    ctField f;
    XT_INT(ct_data_field(m, d, ct_data_field_name(i), &f), CT_OK);
    if (f.type != CT_FIELD_REAL || f.ndim == 0) continue;
    bool input = false;
    for (size_t k = 0; k < sizeof(inputs) / sizeof(inputs[0]); k++)
      input = input || strcmp(f.name, inputs[k]) == 0;
    for (int64_t k = 0; !input && k < f.rows * f.cols; k++) ((ctReal*)f.data)[k] = (ctReal)NAN;
  }
}
