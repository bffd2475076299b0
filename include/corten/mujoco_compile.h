/// @file
/// Part of corten/mujoco.h: whole specs: making, reading, compiling, copying, saving.
#pragma once

#include "corten/mujoco_settings.h"

#ifdef __cplusplus
extern "C" {
#endif

// What the compiler remarks is kept with the spec.
static inline void ct_mj_remark(void* context, ctLogLevel level, const char* text) {
  ctMjList* warnings = &((mjSpec*)context)->warnings_;
  if (level != CT_LOG_WARNING) return;
  ct_mj_nest_resize(warnings, warnings->count + 1);
  ct_mj_list_set(ct_mj_nest_at(warnings, warnings->count - 1), text, (int)strlen(text), 1);
}
static inline mjSpec* ct_mj_spec_of(ctSpec* impl) {
  if (!impl) return NULL;
  mjSpec* s = (mjSpec*)calloc(1, sizeof(mjSpec));
  if (!s) {
    ct_spec_free(impl);
    mju_error("mjSpec: out of memory");
    return NULL;
  }
  s->impl_ = impl;
  s->modelname = ct_mj_new_text();
  s->comment = ct_mj_new_text();
  s->modelfiledir = ct_mj_new_text();
  const ctLog log = {ct_mj_remark, s};
  ct_spec_set_log(impl, &log);
  char name[256] = "";
  ct_spec_get(impl, "mujoco", "model", name, sizeof(name), NULL, NULL);
  ct_mj_take_text(s->modelname, name[0] ? name : "MuJoCo Model");
  ctMjBlock fill;
  memset((void*)&fill, 0, sizeof(fill));
  fill.element.elemtype = mjOBJ_MODEL;
  s->element = &ct_mj_open(s, &fill)->element;
  ct_mj_open_settings(s);
  return s;
}
/// As there.
static inline mjSpec* mj_makeSpec(void) {
  ctSpec* impl = NULL;
  ct_mj_check("mj_makeSpec", ct_spec_create(&impl, NULL, NULL), NULL);
  return ct_mj_spec_of(impl);
}
/// As there.
static inline mjSpec* mj_parseXML(const char* filename, const mjVFS* vfs, char* error, int error_sz) {
  ctLoadOptions options = ct_mj_options(vfs);
  ctError err;
  ctSpec* impl = NULL;
  if (ct_spec_load(&impl, filename, &options, &err) != CT_OK) ct_mj_tell(&err, error, error_sz);
  ct_spec_set_vfs(impl, NULL);  // mj_compile() is given one of its own
  mjSpec* s = ct_mj_spec_of(impl);
  const char* slash = s ? strrchr(filename, '/') : NULL;
  if (slash) ct_mj_list_set(s->modelfiledir, filename, (int)(slash - filename) + 1, 1);
  return s;
}
/// As there. Kinds of files are told apart by what is in them, whatever `content_type` says.
static inline mjSpec* mj_parse(const char* filename, const char* content_type, const mjVFS* vfs, char* error,
                               int error_sz) {
  (void)content_type;
  return mj_parseXML(filename, vfs, error, error_sz);
}
/// As there.
static inline mjSpec* mj_parseXMLString(const char* xml, const mjVFS* vfs, char* error, int error_sz) {
  ctLoadOptions options = ct_mj_options(vfs);
  ctError err;
  ctSpec* impl = NULL;
  if (ct_spec_load_string(&impl, xml, strlen(xml), &options, &err) != CT_OK)
    ct_mj_tell(&err, error, error_sz);
  ct_spec_set_vfs(impl, NULL);
  return ct_mj_spec_of(impl);
}
// Look for files in `vfs`; those that were made of pixels are put there for as long.
static inline void ct_mj_lend_files(mjSpec* s, const mjVFS* vfs, bool lend) {
  ctVfs *own = s->files_ ? s->files_->vfs : NULL, *to = vfs ? vfs->impl_ : NULL;
  ct_spec_set_vfs(s->impl_, lend && to ? to : own);
  for (ctMjBlock* b = own && to ? s->blocks_ : NULL; b; b = b->next) {
    if (!b->kind || b->kind->type != mjOBJ_TEXTURE) continue;
    const mjsTexture* t = (const mjsTexture*)(void*)b->now;
    size_t size = 0;
    unsigned char* png = lend && t->data->count > 0 ? ct_mj_png_of(t, &size) : NULL;
    char name[64];
    ct_mj_pixel_name(b, name, sizeof(name));
    if (png) ct_vfs_add(to, name, png, size, NULL);
    if (!lend) ct_vfs_remove(to, name, NULL);
    free(png);
  }
}
// Which joints, actuators and bodies there are, in the order of the model that was compiled.
static inline void ct_mj_remember(mjSpec* s) {
  static const ctObjType kinds[] = {CT_OBJ_JOINT, CT_OBJ_ACTUATOR, CT_OBJ_BODY};
  for (int k = 0; k < 3; k++) {
    const int n = ct_spec_list(s->impl_, kinds[k], NULL, 0);
    free(s->order_[k]);
    s->order_[k] = n > 0 ? (ctElement**)malloc((size_t)n * sizeof(ctElement*)) : NULL;
    s->norder_[k] = s->order_[k] ? n : 0;
    if (s->order_[k]) ct_spec_list(s->impl_, kinds[k], s->order_[k], n);
  }
}
static inline ctStatus ct_mj_begin(mjSpec* s) {
  memset(&s->error_, 0, sizeof(s->error_));
  ct_mj_nest_resize(&s->warnings_, 0);
  memset(s->timer_, 0, sizeof(s->timer_));
  return ct_mj_flush(s);
}
/// As there. NULL when it cannot be compiled: mjs_getError() says why.
static inline mjModel* mj_compile(mjSpec* s, const mjVFS* vfs) {
  mjModel* m = NULL;
  const double start = ct_clock();
  ctStatus status = ct_mj_begin(s);
  if (status != CT_OK) return NULL;
  ct_mj_lend_files(s, vfs, true);
  status = ct_model_compile(&m, s->impl_, &s->error_);
  ct_mj_lend_files(s, vfs, false);
  if (status == CT_OK) ct_mj_remember(s);
  s->timer_[mjCTIMER_TOTAL] = ct_clock() - start;
  return status == CT_OK ? m : NULL;
}

// State of joints `i` and `k` of two models, where they are of one kind.
static inline void ct_mj_carry_joint(const mjModel* from, const mjData* old, int i, const mjModel* to,
                                     mjData* d, int k) {
  static const int nq[] = {7, 4, 1, 1}, nv[] = {6, 3, 1, 1};
  const int type = from->jnt_type[i];
  if (type != to->jnt_type[k]) return;
  const int v = from->jnt_dofadr[i], w = to->jnt_dofadr[k];
  mju_copy(d->qpos + to->jnt_qposadr[k], old->qpos + from->jnt_qposadr[i], nq[type]);
  mju_copy(d->qvel + w, old->qvel + v, nv[type]);
  mju_copy(d->qacc_warmstart + w, old->qacc_warmstart + v, nv[type]);
}
static inline void ct_mj_carry_actuator(const mjModel* from, const mjData* old, int i, const mjModel* to,
                                        mjData* d, int k) {
  if (from->actuator_ctrlnum[i] == to->actuator_ctrlnum[k])
    mju_copy(d->ctrl + to->actuator_ctrladr[k], old->ctrl + from->actuator_ctrladr[i],
             to->actuator_ctrlnum[k]);
  if (from->actuator_actnum[i] == to->actuator_actnum[k] && to->actuator_actnum[k] > 0)
    mju_copy(d->act + to->actuator_actadr[k], old->act + from->actuator_actadr[i], to->actuator_actnum[k]);
}
static inline void ct_mj_carry_body(const mjModel* from, const mjData* old, int i, const mjModel* to,
                                    mjData* d, int k) {
  const int a = from->body_mocapid[i], b = to->body_mocapid[k];
  if (a < 0 || b < 0) return;
  mju_copy3(d->mocap_pos + 3 * b, old->mocap_pos + 3 * a);
  mju_copy4(d->mocap_quat + 4 * b, old->mocap_quat + 4 * a);
}
// Compile again, with the state of the elements that were there before; the model and the data are replaced.
static inline int ct_mj_recompile(mjSpec* s, const mjVFS* vfs, mjModel** m, mjData** d) {
  if (ct_mj_begin(s) != CT_OK) return -1;
  mjModel* to = NULL;
  mjData* moved = NULL;
  ct_mj_lend_files(s, vfs, true);
  ctStatus status = ct_model_compile(&to, s->impl_, &s->error_);
  ct_mj_lend_files(s, vfs, false);
  if (status == CT_OK && *d) status = ct_data_create(&moved, to, &s->error_);
  if (status != CT_OK) {
    ct_model_free(to);
    return -1;
  }
  ctElement** before[3];
  int nbefore[3];
  for (int k = 0; k < 3; k++) {
    before[k] = s->order_[k];
    nbefore[k] = s->norder_[k];
    s->order_[k] = NULL;
  }
  ct_mj_remember(s);
  if (*m && *d) {
    static void (*const carry[])(const mjModel*, const mjData*, int, const mjModel*, mjData*, int) = {
        ct_mj_carry_joint, ct_mj_carry_actuator, ct_mj_carry_body};
    const int most[] = {(*m)->njnt, (*m)->nactuator, (*m)->nbody};
    moved->time = (*d)->time;
    for (int k = 0; k < 3; k++) {
      for (int i = 0; i < nbefore[k] && i < most[k]; i++) {
        for (int j = 0; j < s->norder_[k]; j++) {
          if (s->order_[k][j] == before[k][i]) carry[k](*m, *d, i, to, moved, j);
        }
      }
    }
  }
  for (int k = 0; k < 3; k++) free(before[k]);
  if (*d) ct_data_free(*d);
  ct_model_free(*m);
  *m = to;
  *d = moved;
  return 0;
}
/// As there: 0, or -1 with the reason in mjs_getError(), and both as they were. `m` and `d` are variables,
/// which are given the new model and data; other pointers to the old ones must not be used any more. `d` may
/// be NULL.
#define mj_recompile(s, vfs, m, d) ct_mj_recompile(s, vfs, &(m), &(d))
/// As there: how many remarks the compiler had.
static inline int mjs_numWarnings(const mjSpec* spec) {
  return spec->warnings_.count;
}
/// As there: NULL when there are not so many.
static inline const char* mjs_getWarning(const mjSpec* spec, int index) {
  return index >= 0 && index < spec->warnings_.count ? ct_mj_text(ct_mj_nest_at(&spec->warnings_, index))
                                                     : NULL;
}
/// As there.
static inline int mjs_isWarning(mjSpec* s) {
  return mjs_numWarnings(s) > 0;
}
/// The time of the whole compilation, in seconds, at mjCTIMER_TOTAL; that of its parts is 0.
static inline const double* mjs_getTimer(mjSpec* s) {
  return s->timer_;
}
/// As there.
static inline mjSpec* mj_copySpec(const mjSpec* s) {
  ctSpec* copy = NULL;
  mjSpec* own = (mjSpec*)(uintptr_t)s;
  ct_mj_check("mj_copySpec", ct_mj_flush(own), NULL);
  ct_mj_check("mj_copySpec", ct_spec_copy(&copy, s->impl_, NULL), NULL);
  return ct_mj_spec_of(copy);
}
static inline void ct_mj_close(ctMjBlock* b) {
  for (int i = 0; i < b->nrow; i++) {
    void* list = ct_mj_is_list(b->rows[i].codec) ? *(void**)(void*)(b->now + b->rows[i].offset) : NULL;
    if (b->rows[i].codec == CT_MJ_NAMES)
      ct_mj_nest_free(list);
    else
      ct_mj_list_free(list);
  }
  int n;
  const ctMjExtra* all = ct_mj_extras(&n);
  for (int i = 0; i < n; i++) {
    if (!b->kind || all[i].type != b->kind->type) continue;
    void* list = *(void**)(void*)(b->now + all[i].offset);
    if (all[i].nested)
      ct_mj_nest_free(list);
    else
      ct_mj_list_free(list);
  }
  if (b->kind) ct_mj_list_free(*(void**)(void*)(b->now + b->kind->info));
  ct_mj_close_plugin(b);
  while (b->user) mjs_deleteUserValue(&b->element, b->user->key);
  free(b->called.items);
  free(b->path);
  free(b->now);
  free(b);
}
/// As there.
static inline void mj_deleteSpec(mjSpec* s) {
  if (!s) return;
  for (ctMjBlock *b = s->blocks_, *next; b; b = next) {
    next = b->next;
    ct_mj_close(b);
  }
  for (int i = 0; i < s->ndefault_; i++) {
    free(s->defaults_[i]);
    free(s->class_names_[i]);
  }
  free(s->defaults_);
  free(s->class_names_);
  ct_mj_list_free(s->modelname);
  ct_mj_list_free(s->comment);
  ct_mj_list_free(s->modelfiledir);
  ct_mj_nest_resize(&s->plugins_, 0);
  ct_mj_nest_resize(&s->warnings_, 0);
  free(s->plugins_.items);
  free(s->warnings_.items);
  for (int k = 0; k < 3; k++) free(s->order_[k]);
  ct_spec_free(s->impl_);
  ct_mj_files_drop(s->files_);
  for (int i = 0; i < s->nheld_; i++) ct_mj_files_drop(s->held_[i]);
  free(s->held_);
  free(s);
}
/// As there.
static inline int mj_saveXML(const mjSpec* s, const char* filename, char* error, int error_sz) {
  mjSpec* own = (mjSpec*)(uintptr_t)s;
  if (ct_mj_flush(own) == CT_OK && ct_spec_save(s->impl_, filename, &own->error_) == CT_OK) return 0;
  ct_mj_tell(&own->error_, error, error_sz);
  return -1;
}
/// 0, or -1 with a text in `error`, or the room that is needed.
static inline int mj_saveXMLString(const mjSpec* s, char* xml, int xml_sz, char* error, int error_sz) {
  mjSpec* own = (mjSpec*)(uintptr_t)s;
  size_t length = 0, room = xml_sz > 0 ? (size_t)xml_sz : 0;
  if (ct_mj_flush(own) != CT_OK ||
      ct_spec_save_string(s->impl_, NULL, xml, room, &length, &own->error_) != CT_OK) {
    ct_mj_tell(&own->error_, error, error_sz);
    return -1;
  }
  return length < room ? 0 : (int)length;
}
/// Why the last call failed, with file and line where they are known; "" when it did not.
static inline const char* mjs_getError(mjSpec* s) {
  s->said_[0] = 0;
  if (s->error_.status != CT_OK) ct_error_format(&s->error_, s->said_, sizeof(s->said_));
  return s->said_;
}
/// As there: what is attached is always copied.
static inline int mjs_setDeepCopy(mjSpec* s, int deepcopy) {
  s->deep_ = deepcopy != 0;
  return 0;
}

#ifdef __cplusplus
}
#endif
