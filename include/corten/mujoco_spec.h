/// @file
/// Part of corten/mujoco.h: specs and their elements. Structs have MuJoCo's members; what a program changes
/// in them is written to the spec before the next call that looks at it as a whole.
#pragma once

#include "corten/mujoco_settings.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- whole specs

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
/// Why the last call failed, "" when it did not.
static inline const char* mjs_getError(mjSpec* s) {
  return s->error_.message;
}
/// As there: what is attached is always copied.
static inline int mjs_setDeepCopy(mjSpec* s, int deepcopy) {
  s->deep_ = deepcopy != 0;
  return 0;
}

// ---- structs of elements

static inline mjsElement* ct_mj_wrap(mjSpec* s, ctElement* e) {
  if (!e) return NULL;
  for (ctMjBlock* b = s->blocks_; b; b = b->next) {
    if (b->impl == e && !b->removed) return &b->element;
  }
  const mjtObj type = strcmp(ct_element_tag(e), "frame") == 0 ? mjOBJ_FRAME : (mjtObj)ct_element_type(e);
  ctMjBlock fill;
  memset((void*)&fill, 0, sizeof(fill));
  fill.kind = ct_mj_kind(type);
  fill.element.elemtype = type;
  fill.impl = e;
  if (fill.kind) {
    fill.rows = fill.kind->rows;
    fill.nrow = fill.kind->nrow;
    fill.size = fill.kind->size;
  }
  ctMjBlock* b = ct_mj_open(s, &fill);
  if (!b || !b->kind) return b ? &b->element : NULL;
  *(mjsElement**)(void*)b->now = &b->element;
  *(mjString**)(void*)(b->now + b->kind->info) = ct_mj_new_text();
  ct_mj_fill(b);
  ct_mj_open_special(b);
  ct_mj_settle(b);
  return &b->element;
}

// The struct of an element that is kept, or of what a class says of a kind.
static inline ctMjBlock* ct_mj_loose(mjSpec* s, mjtObj type, const char* class_, bool template_) {
  ctMjBlock fill;
  memset((void*)&fill, 0, sizeof(fill));
  fill.kind = ct_mj_kind(type);
  fill.element.elemtype = type;
  fill.class_ = class_;
  fill.template_ = template_;
  fill.rows = fill.kind->rows;
  fill.nrow = fill.kind->nrow;
  fill.size = fill.kind->size;
  ctMjBlock* b = ct_mj_open(s, &fill);
  if (!b) return NULL;
  *(mjsElement**)(void*)b->now = &b->element;
  *(mjString**)(void*)(b->now + b->kind->info) = ct_mj_new_text();
  ct_mj_fill(b);
  ct_mj_open_special(b);
  ct_mj_settle(b);
  return b;
}

// The struct that belongs to an element.
static inline void* ct_mj_struct(mjsElement* element, mjtObj type) {
  return element && element->elemtype == type ? ct_mj_block(element)->now : NULL;
}

#define X(name, list, place, class_)                         \
  static inline name* ct_mj_as_##name(mjsElement* element) { \
    return (name*)ct_mj_struct(element, mjOBJ_##list);       \
  }
CT_MJ_KINDS(X)
#undef X
#define mjs_asBody     ct_mj_as_mjsBody
#define mjs_asFrame    ct_mj_as_mjsFrame
#define mjs_asJoint    ct_mj_as_mjsJoint
#define mjs_asGeom     ct_mj_as_mjsGeom
#define mjs_asSite     ct_mj_as_mjsSite
#define mjs_asCamera   ct_mj_as_mjsCamera
#define mjs_asLight    ct_mj_as_mjsLight
#define mjs_asMesh     ct_mj_as_mjsMesh
#define mjs_asHField   ct_mj_as_mjsHField
#define mjs_asTexture  ct_mj_as_mjsTexture
#define mjs_asMaterial ct_mj_as_mjsMaterial
#define mjs_asPair     ct_mj_as_mjsPair
#define mjs_asExclude  ct_mj_as_mjsExclude
#define mjs_asEquality ct_mj_as_mjsEquality
#define mjs_asTendon   ct_mj_as_mjsTendon
#define mjs_asActuator ct_mj_as_mjsActuator
#define mjs_asSensor   ct_mj_as_mjsSensor
#define mjs_asNumeric  ct_mj_as_mjsNumeric
#define mjs_asText     ct_mj_as_mjsText
#define mjs_asTuple    ct_mj_as_mjsTuple
#define mjs_asKey      ct_mj_as_mjsKey
#define mjs_asFlex     ct_mj_as_mjsFlex
#define mjs_asSkin     ct_mj_as_mjsSkin
/// As there.
static inline mjsPlugin* mjs_asPlugin(mjsElement* element) {
  return (mjsPlugin*)ct_mj_struct(element, mjOBJ_PLUGIN);
}

// ---- default classes

static inline mjsDefault* ct_mj_default(mjSpec* s, const char* name) {
  for (int i = 0; i < s->ndefault_; i++) {
    if (strcmp(s->class_names_[i], name) == 0) return s->defaults_[i];
  }
  const size_t room = ((size_t)s->ndefault_ + 1) * sizeof(void*);
  mjsDefault** longer = (mjsDefault**)realloc((void*)s->defaults_, room);
  if (longer) s->defaults_ = longer;
  char** names = (char**)realloc((void*)s->class_names_, room);
  if (names) s->class_names_ = names;
  mjsDefault* d = longer && names ? (mjsDefault*)calloc(1, sizeof(mjsDefault)) : NULL;
  char* own = d ? (char*)malloc(strlen(name) + 1) : NULL;
  if (!own) {
    free(d);
    mju_error("mjs: out of memory");
    return NULL;
  }
  strcpy(own, name);
  s->class_names_[s->ndefault_] = own;
  s->defaults_[s->ndefault_++] = d;
  ctMjBlock fill;
  memset((void*)&fill, 0, sizeof(fill));
  fill.element.elemtype = mjOBJ_DEFAULT;
  fill.class_ = own;
  d->element = &ct_mj_open(s, &fill)->element;
#define X(member, type, list) d->member = (type*)(void*)ct_mj_loose(s, mjOBJ_##list, own, true)->now;
  X(joint, mjsJoint, JOINT)
  X(geom, mjsGeom, GEOM)
  X(site, mjsSite, SITE)
  X(camera, mjsCamera, CAMERA)
  X(light, mjsLight, LIGHT)
  X(flex, mjsFlex, FLEX)
  X(mesh, mjsMesh, MESH)
  X(texture, mjsTexture, TEXTURE)
  X(material, mjsMaterial, MATERIAL)
  X(pair, mjsPair, PAIR)
  X(equality, mjsEquality, EQUALITY)
  X(tendon, mjsTendon, TENDON)
  X(actuator, mjsActuator, ACTUATOR)
#undef X
  return d;
}
static inline const char* ct_mj_class(const mjsDefault* def) {
  return def ? ct_mj_block(def->element)->class_ : NULL;
}
/// As there.
static inline mjsDefault* mjs_getSpecDefault(const mjSpec* s) {
  return ct_mj_default((mjSpec*)(uintptr_t)s, "main");
}
/// As there: NULL when there is none.
static inline mjsDefault* mjs_findDefault(const mjSpec* s, const char* classname) {
  char text[8];
  size_t length;
  if (ct_spec_get_default(s->impl_, classname, "geom", "size", text, 0, &length, NULL) != CT_OK) return NULL;
  return ct_mj_default((mjSpec*)(uintptr_t)s, classname);
}
/// As there: NULL when the name is taken.
static inline mjsDefault* mjs_addDefault(mjSpec* s, const char* classname, const mjsDefault* parent) {
  if (ct_mj_flush(s) != CT_OK) return NULL;
  if (ct_spec_add_class(s->impl_, classname, ct_mj_class(parent), &s->error_) != CT_OK) return NULL;
  return ct_mj_default(s, classname);
}

// ---- adding

// An element in a body or frame, or of a section.
static inline void* ct_mj_add(mjSpec* s, mjsElement* parent, mjtObj type, const char* tag,
                              const mjsDefault* def) {
  const char* class_ = ct_mj_class(def);
  if (ct_mj_is_kept(type)) return ct_mj_loose(s, type, class_ ? class_ : "main", false)->now;
  const char* words[] = {type == mjOBJ_BODY ? "childclass" : "class", class_, NULL};
  ctElement* e = NULL;
  ctStatus status = ct_mj_flush_classes(s);
  if (status == CT_OK)
    status = ct_spec_add(&e, s->impl_, parent ? ct_mj_block(parent)->impl : NULL, tag, class_ ? words : NULL,
                         &s->error_);
  if (status != CT_OK) {
    mju_error("mjs: %s", s->error_.message);
    return NULL;
  }
  return ct_mj_block(ct_mj_wrap(s, e))->now;
}
static inline mjSpec* ct_mj_spec(const mjsElement* element) {
  return ct_mj_block(element)->spec;
}
#define CT_MJ_ADD_IN_BODY(call, type, list, tag)                                               \
  static inline type* call(mjsBody* body, const mjsDefault* def) {                             \
    return (type*)ct_mj_add(ct_mj_spec(body->element), body->element, mjOBJ_##list, tag, def); \
  }
CT_MJ_ADD_IN_BODY(mjs_addBody, mjsBody, BODY, "body")
CT_MJ_ADD_IN_BODY(mjs_addSite, mjsSite, SITE, "site")
CT_MJ_ADD_IN_BODY(mjs_addJoint, mjsJoint, JOINT, "joint")
CT_MJ_ADD_IN_BODY(mjs_addGeom, mjsGeom, GEOM, "geom")
CT_MJ_ADD_IN_BODY(mjs_addCamera, mjsCamera, CAMERA, "camera")
CT_MJ_ADD_IN_BODY(mjs_addLight, mjsLight, LIGHT, "light")
#undef CT_MJ_ADD_IN_BODY
/// As there.
static inline mjsJoint* mjs_addFreeJoint(mjsBody* body) {
  mjsJoint* j =
      (mjsJoint*)ct_mj_add(ct_mj_spec(body->element), body->element, mjOBJ_JOINT, "freejoint", NULL);
  if (j) j->type = ((mjsJoint*)(void*)ct_mj_block(j->element)->before)->type = mjJNT_FREE;
  return j;
}
/// As there.
static inline mjsFrame* mjs_addFrame(mjsBody* body, mjsFrame* parentframe) {
  mjsElement* parent = parentframe ? parentframe->element : body->element;
  return (mjsFrame*)ct_mj_add(ct_mj_spec(body->element), parent, mjOBJ_FRAME, "frame", NULL);
}
#define CT_MJ_ADD(call, type, list, tag)                       \
  static inline type* call(mjSpec* s, const mjsDefault* def) { \
    return (type*)ct_mj_add(s, NULL, mjOBJ_##list, tag, def);  \
  }
CT_MJ_ADD(mjs_addActuator, mjsActuator, ACTUATOR, "actuator/general")
CT_MJ_ADD(mjs_addPair, mjsPair, PAIR, "")
CT_MJ_ADD(mjs_addEquality, mjsEquality, EQUALITY, "")
CT_MJ_ADD(mjs_addTendon, mjsTendon, TENDON, "")
CT_MJ_ADD(mjs_addMesh, mjsMesh, MESH, "asset/mesh")
CT_MJ_ADD(mjs_addTexture, mjsTexture, TEXTURE, "asset/texture")
CT_MJ_ADD(mjs_addMaterial, mjsMaterial, MATERIAL, "asset/material")
#undef CT_MJ_ADD
#define CT_MJ_ADD(call, type, list, tag)                       \
  static inline type* call(mjSpec* s) {                        \
    return (type*)ct_mj_add(s, NULL, mjOBJ_##list, tag, NULL); \
  }
CT_MJ_ADD(mjs_addSensor, mjsSensor, SENSOR, "")
CT_MJ_ADD(mjs_addExclude, mjsExclude, EXCLUDE, "")
CT_MJ_ADD(mjs_addNumeric, mjsNumeric, NUMERIC, "")
CT_MJ_ADD(mjs_addText, mjsText, TEXT, "")
CT_MJ_ADD(mjs_addTuple, mjsTuple, TUPLE, "")
CT_MJ_ADD(mjs_addKey, mjsKey, KEY, "keyframe/key")
CT_MJ_ADD(mjs_addHField, mjsHField, HFIELD, "")
CT_MJ_ADD(mjs_addFlex, mjsFlex, FLEX, "")
CT_MJ_ADD(mjs_addSkin, mjsSkin, SKIN, "asset/skin")
#undef CT_MJ_ADD

/// As there: an instance, which is made when it has a name and a plugin.
static inline mjsPlugin* mjs_addPlugin(mjSpec* s) {
  ctMjBlock* b = ct_mj_loose(s, mjOBJ_PLUGIN, NULL, false);
  if (b) ((mjsPlugin*)(void*)b->now)->active = true;
  return b ? (mjsPlugin*)(void*)b->now : NULL;
}
/// As there.
static inline mjsWrap* mjs_wrapSite(mjsTendon* tendon, const char* name) {
  return ct_mj_add_wrap(ct_mj_block(tendon->element), mjWRAP_SITE, name, NULL, 0);
}
/// As there.
static inline mjsWrap* mjs_wrapGeom(mjsTendon* tendon, const char* name, const char* sidesite) {
  return ct_mj_add_wrap(ct_mj_block(tendon->element), mjWRAP_SPHERE, name, sidesite, 0);
}
/// As there.
static inline mjsWrap* mjs_wrapJoint(mjsTendon* tendon, const char* name, double coef) {
  return ct_mj_add_wrap(ct_mj_block(tendon->element), mjWRAP_JOINT, name, NULL, coef);
}
/// As there.
static inline mjsWrap* mjs_wrapPulley(mjsTendon* tendon, double divisor) {
  return ct_mj_add_wrap(ct_mj_block(tendon->element), mjWRAP_PULLEY, NULL, NULL, divisor);
}
/// As there.
static inline int mjs_getWrapNum(const mjsTendon* tendonspec) {
  return ct_mj_block(tendonspec->element)->npath;
}
/// As there: NULL when there is none. Adding to the path moves it.
static inline mjsWrap* mjs_getWrap(const mjsTendon* tendonspec, int i) {
  const ctMjBlock* b = ct_mj_block(tendonspec->element);
  return i >= 0 && i < b->npath ? &b->path[i] : NULL;
}
/// As there.
static inline double mjs_getWrapCoef(const mjsWrap* wrap) {
  return wrap->number;
}
/// As there.
static inline double mjs_getWrapDivisor(const mjsWrap* wrap) {
  return wrap->number;
}

/// As there: a shape that is generated. 0, or -1 when it cannot be.
static inline int mjs_makeMesh(mjsMesh* mesh, mjtMeshBuiltin builtin, double* params, int nparams) {
  static const char* const names[] = {"none",       "sphere",    "hemisphere", "cone", "supersphere",
                                      "supertorus", "wedge",     "plate",      "grid", "box",
                                      "cylinder",   "ellipsoid", "square",     "disc"};
  ctMjBlock* b = ct_mj_block(mesh->element);
  ctError* err = &b->spec->error_;
  if ((int)builtin < 0 || (int)builtin > mjMESH_BUILTIN_DISC) return -1;
  if (ct_element_set(b->spec->impl_, b->impl, "builtin", names[builtin], err) != CT_OK) return -1;
  return ct_element_set_reals(b->spec->impl_, b->impl, "params", params, nparams, err) == CT_OK ? 0 : -1;
}
/// As there: NULL for a pulley.
static inline mjsElement* mjs_getWrapTarget(const mjsWrap* wrap) {
  mjSpec* s = ct_mj_spec(wrap->element);
  const mjtObj types[] = {mjOBJ_UNKNOWN, mjOBJ_JOINT, mjOBJ_UNKNOWN, mjOBJ_SITE, mjOBJ_GEOM, mjOBJ_GEOM};
  if ((int)wrap->type < 0 || (int)wrap->type > 5 || types[wrap->type] == mjOBJ_UNKNOWN) return NULL;
  return ct_mj_wrap(s, ct_spec_find(s->impl_, (ctObjType)types[wrap->type], wrap->target));
}
/// As there: NULL when there is none.
static inline mjsSite* mjs_getWrapSideSite(const mjsWrap* wrap) {
  mjSpec* s = ct_mj_spec(wrap->element);
  return wrap->sidesite[0] ? mjs_asSite(ct_mj_wrap(s, ct_spec_find(s->impl_, CT_OBJ_SITE, wrap->sidesite)))
                           : NULL;
}
/// As there.
static inline mjsCompiler* mjs_getCompiler(const mjsElement* element) {
  return &ct_mj_spec(element)->compiler;
}

// ---- names

/// As there: 0, or -1 when the name is taken.
static inline int mjs_setName(mjsElement* element, const char* name) {
  ctMjBlock* b = ct_mj_block(element);
  if (b->kind && b->kind->type == mjOBJ_PLUGIN) {
    mjs_setString(((mjsPlugin*)(void*)b->now)->name, name);
    return 0;
  }
  if (b->impl)
    return ct_element_set(b->spec->impl_, b->impl, "name", name, &b->spec->error_) == CT_OK ? 0 : -1;
  snprintf(b->name, sizeof(b->name), "%s", name);
  return 0;
}
/// The name of an element, "" when it has none.
static inline mjString* mjs_getName(mjsElement* element) {
  ctMjBlock* b = ct_mj_block(element);
  const char* name = b->impl ? ct_element_name(b->impl) : b->class_ && !b->kind ? b->class_ : b->name;
  if (b->impl && b->impl == ct_spec_world(b->spec->impl_)) name = "world";
  if (b->kind && b->kind->type == mjOBJ_PLUGIN) name = ct_mj_text(((mjsPlugin*)(void*)b->now)->name);
  if (!name) name = "";
  // the text stays where it is as long as the name does
  if (!b->called.items || strcmp(b->called.items, name) != 0) ct_mj_take_text(&b->called, name);
  return (mjString*)(void*)&b->called;
}

// ---- finding

/// The element of a kind with a name, NULL when there is none.
static inline mjsElement* mjs_findElement(const mjSpec* s, mjtObj type, const char* name) {
  mjSpec* own = (mjSpec*)(uintptr_t)s;
  if (ct_mj_flush(own) != CT_OK) return NULL;
  if (type == mjOBJ_BODY && strcmp(name, "world") == 0) return ct_mj_wrap(own, ct_spec_world(s->impl_));
  return ct_mj_wrap(own, ct_spec_find(s->impl_, (ctObjType)type, name));
}
/// The body with a name, NULL when there is none; "world" is the world.
static inline mjsBody* mjs_findBody(const mjSpec* s, const char* name) {
  return mjs_asBody(mjs_findElement(s, mjOBJ_BODY, name));
}
/// The frame with a name, NULL when there is none.
static inline mjsFrame* mjs_findFrame(const mjSpec* s, const char* name) {
  return mjs_asFrame(mjs_findElement(s, mjOBJ_FRAME, name));
}

// Elements of a kind: of the spec, or those in a body, with those of bodies inside when `deep`.
static inline ctElement** ct_mj_list_of(const mjSpec* s, const mjsBody* body, mjtObj type, bool deep,
                                        int* count) {
  *count = 0;
  if (ct_mj_flush((mjSpec*)(uintptr_t)s) != CT_OK) return NULL;
  const int n = ct_spec_list(s->impl_, (ctObjType)type, NULL, 0);
  ctElement** all = n > 0 ? (ctElement**)malloc((size_t)n * sizeof(ctElement*)) : NULL;
  if (!all) return NULL;
  ct_spec_list(s->impl_, (ctObjType)type, all, n);
  for (int i = 0; i < n; i++) {
    const ctElement* above = body ? ct_element_parent(all[i]) : NULL;
    while (above && above != ct_mj_block(body->element)->impl &&
           (deep || strcmp(ct_element_tag(above), "frame") == 0))
      above = ct_element_parent(above);
    if (!body || above == ct_mj_block(body->element)->impl) all[(*count)++] = all[i];
  }
  return all;
}
static inline mjsElement* ct_mj_after(const mjSpec* s, const mjsBody* body, mjtObj type, bool deep,
                                      const mjsElement* at) {
  int count;
  ctElement** all = ct_mj_list_of(s, body, type, deep, &count);
  ctElement* found = NULL;
  for (int i = 0; all && i < count && !found; i++) {
    if (!at) found = all[i];
    if (at && all[i] == ct_mj_block(at)->impl && i + 1 < count) found = all[i + 1];
  }
  free(all);
  return ct_mj_wrap((mjSpec*)(uintptr_t)s, found);
}
/// First element of a kind, NULL when there is none.
static inline mjsElement* mjs_firstElement(const mjSpec* s, mjtObj type) {
  return ct_mj_after(s, NULL, type, true, NULL);
}
/// The element of the same kind after another, NULL after the last.
static inline mjsElement* mjs_nextElement(const mjSpec* s, const mjsElement* element) {
  return ct_mj_after(s, NULL, element->elemtype, true, element);
}
/// As there.
static inline mjsElement* mjs_firstChild(const mjsBody* body, mjtObj type, int recurse) {
  return ct_mj_after(ct_mj_spec(body->element), body, type, recurse != 0, NULL);
}
/// As there.
static inline mjsElement* mjs_nextChild(const mjsBody* body, const mjsElement* child, int recurse) {
  return ct_mj_after(ct_mj_spec(body->element), body, child->elemtype, recurse != 0, child);
}
/// As there: NULL when there is none.
static inline mjsBody* mjs_findChild(const mjsBody* body, const char* name) {
  for (mjsElement* e = mjs_firstChild(body, mjOBJ_BODY, 1); e; e = mjs_nextChild(body, e, 1)) {
    if (strcmp(mjs_getString(mjs_getName(e)), name) == 0) return mjs_asBody(e);
  }
  return NULL;
}
/// As there: the number it has when the spec is compiled; -1 for a class.
static inline int mjs_getId(const mjsElement* element) {
  int count, id = -1;
  ctElement** all = ct_mj_list_of(ct_mj_spec(element), NULL, element->elemtype, true, &count);
  for (int i = 0; all && i < count; i++) id = all[i] == ct_mj_block(element)->impl ? i : id;
  free(all);
  return id;
}
/// As there.
static inline mjSpec* mjs_getSpec(const mjsElement* element) {
  return ct_mj_spec(element);
}
/// The body that an element stands in, NULL for the world and what stands in no body.
static inline mjsBody* mjs_getParent(const mjsElement* element) {
  const ctMjBlock* b = ct_mj_block(element);
  ctElement* above = ct_element_parent(b->impl);
  while (above && strcmp(ct_element_tag(above), "frame") == 0) above = ct_element_parent(above);
  return mjs_asBody(ct_mj_wrap(b->spec, above));
}
/// The frame that an element stands in, NULL when there is none.
static inline mjsFrame* mjs_getFrame(const mjsElement* element) {
  const ctMjBlock* b = ct_mj_block(element);
  ctElement* above = ct_element_parent(b->impl);
  return above && strcmp(ct_element_tag(above), "frame") == 0 ? mjs_asFrame(ct_mj_wrap(b->spec, above))
                                                              : NULL;
}
/// As there.
static inline mjsDefault* mjs_getDefault(const mjsElement* element) {
  const ctMjBlock* b = ct_mj_block(element);
  char name[256] = "main";
  if (b->impl) ct_element_get(b->impl, "class", name, sizeof(name), NULL, NULL);
  return ct_mj_default(b->spec, b->impl || !b->class_ ? name : b->class_);
}

#ifdef __cplusplus
}
#endif
