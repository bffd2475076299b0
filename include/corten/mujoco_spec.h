/// @file
/// Part of corten/mujoco.h: specs and their elements. Structs have MuJoCo's members; what a program changes
/// in them is written to the spec before the next call that looks at it as a whole.
#pragma once

#include "corten/mujoco_compile.h"

#ifdef __cplusplus
extern "C" {
#endif

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
