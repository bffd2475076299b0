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

// A group of drawing settings: the words of those that are said in words.
static inline const char* ct_mj_visual_words(const char* name) {
  static const char* const flags[] = {"orthographic", "ellipsoidinertia", "bvactive"};
  for (int i = 0; i < 3; i++) {
    if (strcmp(flags[i], name) == 0) return "false true";
  }
  return strcmp(name, "active") == 0 ? "false true auto" : NULL;
}
/// A drawing setting: its group, and where it is.
typedef struct ctMjVisual {
  const char* section;  ///< "visual/map", ...
  ctMjRow row;          ///< in mjVisual
} ctMjVisual;

static inline const ctMjVisual* ct_mj_visual(int* count) {
#define CT_MJ_CODEC_float CT_MJ_FLOAT
#define GROUP(group)
#define END(group)
#define X(group, type, name, n, ...) \
  {"visual/" #group, {#name, offsetof(mjVisual, group.name), sizeof(type), CT_MJ_CODEC_##type, n, NULL}},
  static const ctMjVisual list[] = {
#include "corten/fields/visual.def"
  };
#undef X
#undef END
#undef GROUP
  *count = (int)(sizeof(list) / sizeof(list[0]));
  return list;
}
static inline const ctMjRow* ct_mj_lropt_rows(int* count) {
#define CT_MJ_LR(name, codec, words) \
  { #name, offsetof(mjLROpt, name), sizeof(((mjLROpt*)0)->name), codec, 1, words }
  static const ctMjRow rows[] = {CT_MJ_LR(mode, CT_MJ_WORD, "none muscle muscleuser all"),
                                 CT_MJ_LR(useexisting, CT_MJ_WORD, "false true"),
                                 CT_MJ_LR(uselimit, CT_MJ_WORD, "false true"),
                                 CT_MJ_LR(accel, CT_MJ_NUM, NULL),
                                 CT_MJ_LR(maxforce, CT_MJ_NUM, NULL),
                                 CT_MJ_LR(timeconst, CT_MJ_NUM, NULL),
                                 CT_MJ_LR(timestep, CT_MJ_NUM, NULL),
                                 CT_MJ_LR(inttotal, CT_MJ_NUM, NULL),
                                 CT_MJ_LR(interval, CT_MJ_NUM, NULL),
                                 CT_MJ_LR(tolrange, CT_MJ_NUM, NULL)};
#undef CT_MJ_LR
  *count = (int)(sizeof(rows) / sizeof(rows[0]));
  return rows;
}

// Drawing settings, length ranges and what else has a section of its own: read, or written where changed.
static inline ctStatus ct_mj_more_settings(mjSpec* s, bool write) {
  ctMjBlock block;
  ctStatus status = CT_OK;
  int n;
  memset((void*)&block, 0, sizeof(block));
  block.spec = s;
  block.now = (char*)&s->visual;
  block.before = (char*)&s->visual_before_;
  const ctMjVisual* visual = ct_mj_visual(&n);
  for (int i = 0; i < n && status == CT_OK; i++) {
    ctMjRow row = visual[i].row;
    block.section = visual[i].section;
    row.words = ct_mj_visual_words(row.attr);
    if (row.words && row.codec == CT_MJ_INT) row.codec = CT_MJ_WORD;
    if (!write)
      ct_mj_read(&block, &row);
    else if (ct_mj_changed(&block, &row))
      status = ct_mj_write_member(&block, &row);
  }
  s->visual_before_ = s->visual;
  block.section = "compiler/lengthrange";
  block.now = (char*)&s->compiler.LRopt;
  block.before = (char*)&s->lropt_before_;
  const ctMjRow* rows = ct_mj_lropt_rows(&n);
  for (int i = 0; i < n && status == CT_OK; i++) {
    if (!write)
      ct_mj_read(&block, &rows[i]);
    else if (ct_mj_changed(&block, &rows[i]))
      status = ct_mj_write_member(&block, &rows[i]);
  }
  s->lropt_before_ = s->compiler.LRopt;
  char text[8] = "";
  if (!write) ct_spec_get(s->impl_, "compiler", "strippath", text, sizeof(text), NULL, NULL);
  if (!write) s->strippath = strcmp(text, "true") == 0;
  if (status == CT_OK && s->strippath != s->strippath_before_)
    status = ct_spec_set(s->impl_, "compiler", "strippath", s->strippath ? "true" : "false", &s->error_);
  s->strippath_before_ = s->strippath;
  return status;
}

// Which options and drawing settings were said.
static inline void ct_mj_read_authored(mjSpec* s) {
  int n;
  const ctMjRow* rows = ct_mj_option_rows(&n);
  for (int i = 0; i < n; i++) {
    if (ct_spec_is_set(s->impl_, "option", rows[i].attr)) s->authored.option |= (uint64_t)1 << i;
  }
  for (int i = 0; ct_mj_flag(i, false); i++) {
    if (ct_spec_is_set(s->impl_, "option/flag", ct_mj_flag(i, false))) s->authored.disableflags |= 1 << i;
  }
  for (int i = 0; ct_mj_flag(i, true); i++) {
    if (ct_spec_is_set(s->impl_, "option/flag", ct_mj_flag(i, true))) s->authored.enableflags |= 1 << i;
  }
  static const char* const groups[] = {"visual/global", "visual/quality", "visual/headlight",
                                       "visual/map",    "visual/scale",   "visual/rgba"};
  uint64_t* const bits[] = {&s->authored.visual_global,    &s->authored.visual_quality,
                            &s->authored.visual_headlight, &s->authored.visual_map,
                            &s->authored.visual_scale,     &s->authored.visual_rgba};
  const ctMjVisual* visual = ct_mj_visual(&n);
  for (int g = 0; g < 6; g++) {
    int k = 0;
    for (int i = 0; i < n; i++) {
      if (strcmp(visual[i].section, groups[g]) != 0) continue;
      if (ct_spec_is_set(s->impl_, groups[g], visual[i].row.attr)) *bits[g] |= (uint64_t)1 << k;
      k++;
    }
  }
}

static inline void ct_mj_open_settings(mjSpec* s) {
  typedef mjsCompiler ct_mj_of;
  static const ctMjRow compiler[] = {CT_MJ_ROWS(COMPILER)};
  ctMjBlock fill;
  memset((void*)&fill, 0, sizeof(fill));
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
  memset((void*)&option, 0, sizeof(option));
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
  ct_mj_more_settings(s, false);
  ct_mj_read_authored(s);
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
  memset((void*)&option, 0, sizeof(option));
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
  return status == CT_OK ? ct_mj_more_settings(s, true) : status;
}

// Write what the program has changed in default classes: elements that are added take it over.
static inline ctStatus ct_mj_flush_classes(mjSpec* s) {
  ctStatus status = CT_OK;
  for (int i = 0; i < s->ndefault_ && status == CT_OK; i++) {
    const ctMjBlock* first = ct_mj_block(s->defaults_[i]->element);
    for (ctMjBlock* b = first->next; b && b->template_ && status == CT_OK; b = b->next)
      status = ct_mj_flush_block(b);
  }
  return status;
}
/// Write to the spec what the program has changed in its structs: default classes first.
static inline ctStatus ct_mj_flush(mjSpec* s) {
  ctStatus status = ct_mj_flush_settings(s);
  if (status == CT_OK) status = ct_mj_flush_classes(s);
  for (ctMjBlock* b = s->blocks_; b && status == CT_OK; b = b->next) {
    if (b->kind && !b->template_) status = ct_mj_flush_block(b);
  }
  return status;
}

#ifdef __cplusplus
}
#endif
