/// @file
/// Part of corten/mujoco.h: structs of an mjSpec with their default values, which belong to no spec.
#pragma once

#include "corten/mujoco_edit.h"

#ifdef __cplusplus
extern "C" {
#endif

// The numbers of a struct of a fresh element; its pointers are NULL.
static inline void ct_mj_blank(void* out, mjtObj type) {
  const ctMjKind* kind = ct_mj_kind(type);
  mjSpec* s = mj_makeSpec();
  ctMjBlock* b = s ? ct_mj_loose(s, type, kind->class_ ? "main" : NULL, kind->class_ != NULL) : NULL;
  memset(out, 0, kind->size);
  if (!b) return;
  ctElement* e = NULL;
  // of what is in no class, an element says it
  if (!kind->class_ && !ct_mj_is_kept(type) && type != mjOBJ_PLUGIN) {
    const bool tree = type == mjOBJ_BODY || type == mjOBJ_FRAME;
    ct_spec_add(&e, s->impl_, tree ? ct_spec_world(s->impl_) : NULL, kind->place, NULL, NULL);
    b = e ? ct_mj_block(ct_mj_wrap(s, e)) : b;
  }
  memcpy(out, b->now, kind->size);
  char* bytes = (char*)out;
  memset(bytes, 0, sizeof(mjsElement*));
  memset(bytes + kind->info, 0, sizeof(void*));
  for (int i = 0; i < kind->nrow; i++) {
    if (ct_mj_is_list(kind->rows[i].codec)) memset(bytes + kind->rows[i].offset, 0, sizeof(void*));
  }
  int n;
  const ctMjExtra* extras = ct_mj_extras(&n);
  for (int i = 0; i < n; i++) {
    if (extras[i].type == type) memset(bytes + extras[i].offset, 0, sizeof(void*));
  }
  mjsPlugin* plugin = ct_mj_plugin(b, bytes);
  if (plugin) memset((void*)plugin, 0, sizeof(*plugin));
  mj_deleteSpec(s);
}

#define CT_MJ_DEFAULT(call, type, list)    \
  static inline void call(type* out) {     \
    ct_mj_blank((void*)out, mjOBJ_##list); \
  }
CT_MJ_DEFAULT(mjs_defaultBody, mjsBody, BODY)
CT_MJ_DEFAULT(mjs_defaultFrame, mjsFrame, FRAME)
CT_MJ_DEFAULT(mjs_defaultJoint, mjsJoint, JOINT)
CT_MJ_DEFAULT(mjs_defaultGeom, mjsGeom, GEOM)
CT_MJ_DEFAULT(mjs_defaultSite, mjsSite, SITE)
CT_MJ_DEFAULT(mjs_defaultCamera, mjsCamera, CAMERA)
CT_MJ_DEFAULT(mjs_defaultLight, mjsLight, LIGHT)
CT_MJ_DEFAULT(mjs_defaultFlex, mjsFlex, FLEX)
CT_MJ_DEFAULT(mjs_defaultMesh, mjsMesh, MESH)
CT_MJ_DEFAULT(mjs_defaultHField, mjsHField, HFIELD)
CT_MJ_DEFAULT(mjs_defaultSkin, mjsSkin, SKIN)
CT_MJ_DEFAULT(mjs_defaultTexture, mjsTexture, TEXTURE)
CT_MJ_DEFAULT(mjs_defaultMaterial, mjsMaterial, MATERIAL)
CT_MJ_DEFAULT(mjs_defaultPair, mjsPair, PAIR)
CT_MJ_DEFAULT(mjs_defaultEquality, mjsEquality, EQUALITY)
CT_MJ_DEFAULT(mjs_defaultTendon, mjsTendon, TENDON)
CT_MJ_DEFAULT(mjs_defaultActuator, mjsActuator, ACTUATOR)
CT_MJ_DEFAULT(mjs_defaultSensor, mjsSensor, SENSOR)
CT_MJ_DEFAULT(mjs_defaultNumeric, mjsNumeric, NUMERIC)
CT_MJ_DEFAULT(mjs_defaultText, mjsText, TEXT)
CT_MJ_DEFAULT(mjs_defaultTuple, mjsTuple, TUPLE)
CT_MJ_DEFAULT(mjs_defaultKey, mjsKey, KEY)
CT_MJ_DEFAULT(mjs_defaultPlugin, mjsPlugin, PLUGIN)
#undef CT_MJ_DEFAULT

/// As there.
static inline void mjs_defaultOrientation(mjsOrientation* orient) {
  memset(orient, 0, sizeof(*orient));
}
/// As there: settings only, it is not one that can be compiled.
static inline void mjs_defaultSpec(mjSpec* spec) {
  mjSpec* s = mj_makeSpec();
  memset((void*)spec, 0, sizeof(*spec));
  if (!s) return;
  spec->compiler = s->compiler;
  spec->compiler.meshdir = spec->compiler.texturedir = NULL;
  spec->option = s->option;
  spec->visual = s->visual;
  spec->stat = s->stat;
#define X(name) spec->name = s->name;
  CT_MJ_SIZES(X)
#undef X
  spec->memory = s->memory;
  spec->nstack = s->nstack;
  spec->nemax = s->nemax;
  mj_deleteSpec(s);
}

#ifdef __cplusplus
}
#endif
