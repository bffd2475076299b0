/// @file
/// Part of corten/mujoco.h: settings of an mjSpec, and writing all that a program has changed in it.
#pragma once

#include "corten/mujoco_build.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline const ctMjRow* ct_mj_option_rows(int* count) {
#define CT_MJ_CODEC_ctReal CT_MJ_NUM
#define CT_MJ_CODEC_int    CT_MJ_INT
  static const ctMjRow rows[] = {
#define X(type, name, n, ...) {#name, offsetof(ctOption, name), sizeof(type), CT_MJ_CODEC_##type, n, NULL},
#include "corten/fields/option.def"
#undef X
  };
  *count = (int)(sizeof(rows) / sizeof(rows[0]));
  return rows;
}

// Words of an option that is a choice; NULL for numbers.
static inline const char* ct_mj_choices(const char* name) {
  static const char* const words[][2] = {{"integrator", "Euler RK4 implicit implicitfast discrete"},
                                         {"cone", "pyramidal elliptic"},
                                         {"jacobian", "dense sparse auto"},
                                         {"solver", "PGS CG Newton"}};
  for (int i = 0; i < 4; i++) {
    if (strcmp(words[i][0], name) == 0) return words[i][1];
  }
  return NULL;
}

static inline const char* ct_mj_flag(int bit, bool enable) {
  static const char* const off[] = {"constraint",   "equality",  "frictionloss", "limit",     "contact",
                                    "spring",       "damper",    "gravity",      "clampctrl", "warmstart",
                                    "filterparent", "actuation", "refsafe",      "sensor",    "midphase",
                                    "eulerdamp",    "autoreset", "nativeccd",    "island",    "multiccd"};
  static const char* const on[] = {"override", "energy",    "fwdinv", "invdiscrete",
                                   "sleep",    "diagexact", "ipc",    "speculative"};
  if (enable) return bit < (int)(sizeof(on) / sizeof(on[0])) ? on[bit] : NULL;
  return bit < (int)(sizeof(off) / sizeof(off[0])) ? off[bit] : NULL;
}

// Flags of a spec as bits, or bits as flags where they differ from those before.
static inline int ct_mj_read_flags(const ctSpec* s, bool enable) {
  int bits = 0;
  for (int i = 0; ct_mj_flag(i, enable); i++) {
    char text[20] = "";
    ct_spec_get(s, "option/flag", ct_mj_flag(i, enable), text, sizeof(text), NULL, NULL);
    if (strcmp(text, enable ? "enable" : "disable") == 0) bits |= 1 << i;
  }
  return bits;
}
static inline ctStatus ct_mj_write_flags(mjSpec* s, int now, int before, bool enable) {
  ctStatus status = CT_OK;
  for (int i = 0; ct_mj_flag(i, enable) && status == CT_OK; i++) {
    if (((now ^ before) >> i & 1) == 0) continue;
    const bool word = (now >> i & 1) == (enable ? 1 : 0);
    status =
        ct_spec_set(s->impl_, "option/flag", ct_mj_flag(i, enable), word ? "enable" : "disable", &s->error_);
  }
  return status;
}

static inline const ctMjRow* ct_mj_size_rows(int* count) {
#define X(name) {#name, offsetof(mjSpec, name), sizeof(int), CT_MJ_INT, 1, NULL},
  static const ctMjRow rows[] = {CT_MJ_SIZES(X)};
#undef X
  *count = (int)(sizeof(rows) / sizeof(rows[0]));
  return rows;
}

static inline void ct_mj_open_settings(mjSpec* s) {
  typedef mjsCompiler ct_mj_of;
  static const ctMjRow compiler[] = {CT_MJ_ROWS(COMPILER)};
  ctMjBlock fill;
  memset(&fill, 0, sizeof(fill));
  fill.section = "compiler";
  fill.rows = compiler;
  fill.nrow = (int)(sizeof(compiler) / sizeof(compiler[0])) - 1;
  fill.size = sizeof(mjsCompiler);
  s->compiler_ = ct_mj_open(s, &fill);
  ct_mj_fill(s->compiler_);
  char letters[8] = "xyz";
  ct_spec_get(s->impl_, "compiler", "eulerseq", letters, sizeof(letters), NULL, NULL);
  memcpy(((mjsCompiler*)(void*)s->compiler_->now)->eulerseq, letters, 3);
  ct_mj_settle(s->compiler_);
  s->compiler = *(mjsCompiler*)(void*)s->compiler_->now;
  ctMjBlock option;
  int n;
  const ctMjRow* rows = ct_mj_option_rows(&n);
  memset(&option, 0, sizeof(option));
  option.spec = s;
  option.section = "option";
  option.now = (char*)&s->option;
  for (int i = 0; i < n; i++) {
    ctMjRow row = rows[i];
    row.words = ct_mj_choices(row.attr);
    if (row.words) row.codec = CT_MJ_WORD;
    ct_mj_read(&option, &row);
  }
  s->option.disableflags = ct_mj_read_flags(s->impl_, false);
  s->option.enableflags = ct_mj_read_flags(s->impl_, true);
  s->option_before_ = s->option;
  const ctMjRow stat[] = {
#define X(type, name, count, ...) \
  {#name, offsetof(ctStatistic, name), sizeof(type), CT_MJ_CODEC_##type, count, NULL},
#include "corten/fields/statistic.def"
#undef X
  };
  option.section = "statistic";
  option.now = (char*)&s->stat;
  for (size_t i = 0; i < sizeof(stat) / sizeof(stat[0]); i++) {
    ct_mj_put_number(&stat[i], (char*)&s->stat + stat[i].offset, 0, (double)NAN);
    if (ct_spec_is_set(s->impl_, "statistic", stat[i].attr)) ct_mj_read(&option, &stat[i]);
  }
  s->stat_before_ = s->stat;
  option.section = "size";
  option.now = (char*)s;
  rows = ct_mj_size_rows(&n);
  for (int i = 0; i < n; i++) {
    ct_mj_read(&option, &rows[i]);
    s->sizes_before_[i] = *(int*)(void*)((char*)s + rows[i].offset);
  }
}

static inline ctStatus ct_mj_flush_settings(mjSpec* s) {
  mjsCompiler* compiler = (mjsCompiler*)(void*)s->compiler_->now;
  *compiler = s->compiler;
  ctStatus status = CT_OK;
  if (memcmp(compiler->eulerseq, ((mjsCompiler*)(void*)s->compiler_->before)->eulerseq, 3) != 0) {
    char letters[4] = {compiler->eulerseq[0], compiler->eulerseq[1], compiler->eulerseq[2], 0};
    status = ct_spec_set(s->impl_, "compiler", "eulerseq", letters, &s->error_);
  }
  if (status == CT_OK) status = ct_mj_flush_block(s->compiler_);
  ctMjBlock option;
  int n;
  const ctMjRow* rows = ct_mj_option_rows(&n);
  memset(&option, 0, sizeof(option));
  option.spec = s;
  option.section = "option";
  option.now = (char*)&s->option;
  option.before = (char*)&s->option_before_;
  for (int i = 0; i < n && status == CT_OK; i++) {
    ctMjRow row = rows[i];
    row.words = ct_mj_choices(row.attr);
    if (row.words) row.codec = CT_MJ_WORD;
    const bool flags = strstr(row.attr, "flags") != NULL || strcmp(row.attr, "disableactuator") == 0;
    if (!flags && ct_mj_changed(&option, &row)) status = ct_mj_write_member(&option, &row);
  }
  if (status == CT_OK)
    status = ct_mj_write_flags(s, s->option.disableflags, s->option_before_.disableflags, false);
  if (status == CT_OK)
    status = ct_mj_write_flags(s, s->option.enableflags, s->option_before_.enableflags, true);
  s->option_before_ = s->option;
  const char* name = ct_mj_text(s->modelname);
  if (status == CT_OK && s->modelname->changed)
    status = ct_spec_set(s->impl_, "mujoco", "model", name, &s->error_);
  s->modelname->changed = false;
  option.section = "statistic";
  option.now = (char*)&s->stat;
  option.before = (char*)&s->stat_before_;
  const ctMjRow stat[] = {
#define X(type, field, count, ...) \
  {#field, offsetof(ctStatistic, field), sizeof(type), CT_MJ_CODEC_##type, count, NULL},
#include "corten/fields/statistic.def"
#undef X
  };
  for (size_t i = 0; i < sizeof(stat) / sizeof(stat[0]) && status == CT_OK; i++) {
    if (ct_mj_changed(&option, &stat[i])) status = ct_mj_write_member(&option, &stat[i]);
  }
  s->stat_before_ = s->stat;
  option.section = "size";
  option.now = (char*)s;
  rows = ct_mj_size_rows(&n);
  for (int i = 0; i < n && status == CT_OK; i++) {
    int* size = (int*)(void*)((char*)s + rows[i].offset);
    if (*size != s->sizes_before_[i]) status = ct_mj_write_member(&option, &rows[i]);
    s->sizes_before_[i] = *size;
  }
  return status;
}

/// Write to the spec what the program has changed in its structs: default classes first.
static inline ctStatus ct_mj_flush(mjSpec* s) {
  ctStatus status = ct_mj_flush_settings(s);
  for (int pass = 0; pass < 2; pass++) {
    for (ctMjBlock* b = s->blocks_; b && status == CT_OK; b = b->next) {
      if (b->kind && b->template_ == (pass == 0)) status = ct_mj_flush_block(b);
    }
  }
  return status;
}

#ifdef __cplusplus
}
#endif
