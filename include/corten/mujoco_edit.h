/// @file
/// Part of corten/mujoco.h: changing the tree of an mjSpec, attachment, simplification, deformables.
#pragma once

#include "corten/mujoco_matrices.h"
#include "corten/mujoco_spec.h"
#include "corten/plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- changing the tree

/// Put an element into a frame of its body. 0, or -1.
static inline int mjs_setFrame(mjsElement* dest, mjsFrame* frame) {
  const ctMjBlock* b = ct_mj_block(dest);
  ctElement* to = frame ? ct_mj_block(frame->element)->impl : NULL;
  return ct_element_set_frame(b->impl, to, &b->spec->error_) == CT_OK ? 0 : -1;
}
/// As there: the values of the element stay.
static inline void mjs_setDefault(mjsElement* element, const mjsDefault* def) {
  const ctMjBlock* b = ct_mj_block(element);
  if (b->impl) ct_element_set_class(b->spec->impl_, b->impl, ct_mj_class(def), &b->spec->error_);
}
// Structs of elements that are gone.
static inline void ct_mj_forget(mjSpec* spec) {
  for (ctMjBlock* each = spec->blocks_; each; each = each->next) {
    if (!each->impl || each->removed) continue;
    int count;
    bool there = each->impl == ct_spec_world(spec->impl_);
    each->removed = true;  // what is looked for may be what was removed
    ctElement** all = ct_mj_list_of(spec, NULL, each->element.elemtype, true, &count);
    for (int i = 0; all && i < count; i++) there = there || all[i] == each->impl;
    free(all);
    each->removed = !there;
  }
}
/// As there: with a body or frame, also what refers to any of it. 0, or -1.
static inline int mjs_delete(mjSpec* spec, mjsElement* element) {
  ctMjBlock* b = ct_mj_block(element);
  if (ct_mj_flush(spec) != CT_OK) return -1;
  if (element->elemtype == mjOBJ_DEFAULT)
    return ct_spec_remove_class(spec->impl_, b->class_, &spec->error_) == CT_OK ? 0 : -1;
  const bool tree = element->elemtype == mjOBJ_BODY || element->elemtype == mjOBJ_FRAME;
  ctStatus status = tree ? ct_spec_remove(spec->impl_, b->impl, &spec->error_)
                         : ct_spec_remove_alone(spec->impl_, b->impl, &spec->error_);
  if (status != CT_OK) return -1;
  ct_mj_forget(spec);
  return 0;
}
// What was attached may need the files of its spec, also when that is gone.
static inline void ct_mj_hold(mjSpec* to, mjSpec* from) {
  const int n = from->nheld_ + (from->files_ ? 1 : 0);
  if (to == from || n == 0) return;
  ctMjFiles** longer = (ctMjFiles**)realloc((void*)to->held_, (size_t)(to->nheld_ + n) * sizeof(ctMjFiles*));
  if (!longer) {
    mju_error("mjs_attach: out of memory");
    return;
  }
  to->held_ = longer;
  for (int i = 0; i < n; i++) {
    ctMjFiles* files = i < from->nheld_ ? from->held_[i] : from->files_;
    files->users++;
    to->held_[to->nheld_++] = files;
  }
}
/// As there. The copy, NULL when it cannot be: mjs_getError() of the parent's spec says why.
static inline mjsElement* mjs_attach(mjsElement* parent, const mjsElement* child, const char* prefix,
                                     const char* suffix) {
  mjSpec *to = ct_mj_spec(parent), *from = ct_mj_spec(child);
  ctElement *place = ct_mj_block(parent)->impl, *e = NULL;
  if (ct_mj_flush(to) != CT_OK || ct_mj_flush(from) != CT_OK) return NULL;
  if (parent->elemtype == mjOBJ_SITE) {
    // a frame where the site is, turned as it is
    char pos[200] = "", quat[200] = "";
    ct_element_get(place, "pos", pos, sizeof(pos), NULL, NULL);
    ct_element_get(place, "quat", quat, sizeof(quat), NULL, NULL);
    const char* words[] = {"pos", pos, "quat", quat, NULL};
    if (ct_spec_add(&e, to->impl_, ct_element_parent(place), "frame", words, &to->error_) != CT_OK)
      return NULL;
    place = e;
  }
  ctElement* part = child->elemtype == mjOBJ_MODEL ? NULL : ct_mj_block(child)->impl;
  ct_mj_hold(to, from);
  if (ct_spec_attach(&e, to->impl_, place, from->impl_, part, prefix ? prefix : "", suffix ? suffix : "",
                     &to->error_) != CT_OK)
    return NULL;
  return ct_mj_wrap(to, e ? e : place);
}
// A change of the whole spec that counts what it changed; -1 for an error.
static inline int ct_mj_change(mjSpec* s, const mjVFS* vfs, ctStatus (*change)(ctSpec*, int*, ctError*)) {
  int count = 0;
  if (ct_mj_flush(s) != CT_OK) return -1;
  ct_mj_lend_files(s, vfs, true);
  const ctStatus status = change(s->impl_, &count, &s->error_);
  ct_mj_lend_files(s, vfs, false);
  if (status == CT_OK) ct_mj_forget(s);
  return status == CT_OK ? count : -1;
}
/// As there: how many bodies were fused, -1 for an error.
static inline int mjs_fuseStatic(mjSpec* s, const mjVFS* vfs) {
  return ct_mj_change(s, vfs, ct_spec_fuse_static);
}
/// As there: how many elements were discarded, -1 for an error.
static inline int mjs_discardVisual(mjSpec* s, const mjVFS* vfs) {
  return ct_mj_change(s, vfs, ct_spec_discard_visual);
}

/// As there: the body becomes a frame, NULL when it cannot be. `body` is set to NULL.
static inline mjsFrame* mjs_bodyToFrame(mjsBody** body) {
  ctMjBlock* b = ct_mj_block((*body)->element);
  mjSpec* s = b->spec;
  ctElement* frame = NULL;
  if (ct_mj_flush(s) != CT_OK || ct_spec_dissolve(&frame, s->impl_, b->impl, &s->error_) != CT_OK)
    return NULL;
  ctElement* above = ct_element_parent(frame);
  b->removed = true;
  *body = NULL;
  // the body around it may have got an inertia
  while (above && strcmp(ct_element_tag(above), "frame") == 0) above = ct_element_parent(above);
  for (ctMjBlock* each = s->blocks_; each; each = each->next) {
    if (each->impl != above || each->removed) continue;
    ct_mj_open_inertial(each);
    ct_mj_settle(each);
  }
  return mjs_asFrame(ct_mj_wrap(s, frame));
}
/// As there: the inertia that a body has got from its geoms is written down. 0, or -1.
static inline int mjs_adoptInertial(mjsBody* body, const mjVFS* vfs) {
  mjSpec* s = ct_mj_spec(body->element);
  if (s->compiler.inertiafromgeom == mjINERTIAFROMGEOM_TRUE) {
    snprintf(s->error_.message, sizeof(s->error_.message),
             "mjs_adoptInertial: inertiafromgeom makes the compiler ignore inertias that are written down");
    return -1;
  }
  mjModel* m = mj_compile(s, vfs);
  const int id = m ? mjs_getId(body->element) : -1;
  if (id >= 0) {
    body->mass = m->body_mass[id];
    for (int i = 0; i < 3; i++) body->ipos[i] = m->body_ipos[3 * id + i];
    for (int i = 0; i < 4; i++) body->iquat[i] = m->body_iquat[4 * id + i];
    for (int i = 0; i < 3; i++) body->inertia[i] = m->body_inertia[3 * id + i];
    body->fullinertia[0] = (double)NAN;
    body->explicitinertial = true;
  }
  ct_model_free(m);
  return id >= 0 ? 0 : -1;
}

// ---- assets that say the same

// All that an asset says but its name, to be freed.
static inline char* ct_mj_said(const ctElement* e) {
  size_t size = 1, length = 0;
  char* all = (char*)calloc(1, 1);
  for (int i = 0; all && i < ct_element_attr_count(e); i++) {
    ctAttr attr;
    size_t more = 0;
    if (ct_element_attr(e, i, &attr) != CT_OK || strcmp(attr.name, "name") == 0) continue;
    if (ct_element_get(e, attr.name, NULL, 0, &more, NULL) != CT_OK) continue;
    size += more + strlen(attr.name) + 2;
    char* longer = (char*)realloc(all, size);
    if (!longer) break;
    all = longer;
    length += (size_t)snprintf(all + length, size - length, "%s=", attr.name);
    ct_element_get(e, attr.name, all + length, size - length, NULL, NULL);
    length += more;
    all[length++] = ';';
    all[length] = 0;
  }
  return all;
}
// Elements of a kind that name `from` by an attribute name `to` from now on.
static inline void ct_mj_rename_use(mjSpec* s, ctObjType users, const char* attr, const char* from,
                                    const char* to) {
  const int n = ct_spec_list(s->impl_, users, NULL, 0);
  ctElement** all = n > 0 ? (ctElement**)malloc((size_t)n * sizeof(ctElement*)) : NULL;
  if (all) ct_spec_list(s->impl_, users, all, n);
  for (int i = 0; all && i < n; i++) {
    char name[512] = "";
    ct_element_get(all[i], attr, name, sizeof(name), NULL, NULL);
    if (strcmp(name, from) == 0) ct_element_set(s->impl_, all[i], attr, to, &s->error_);
  }
  free(all);
}
static inline int ct_mj_merge_assets(mjSpec* s, ctObjType kind) {
  const int n = ct_spec_list(s->impl_, kind, NULL, 0);
  ctElement** all = n > 0 ? (ctElement**)malloc((size_t)n * sizeof(ctElement*)) : NULL;
  char** said = n > 0 ? (char**)calloc((size_t)n, sizeof(char*)) : NULL;
  int removed = 0;
  if (all && said) ct_spec_list(s->impl_, kind, all, n);
  for (int i = 0; all && said && i < n; i++) said[i] = ct_mj_said(all[i]);
  for (int i = 0; all && said && i < n; i++) {
    for (int k = 0; k < i && said[i]; k++) {
      const char *first = said[k] ? ct_element_name(all[k]) : NULL, *second = ct_element_name(all[i]);
      if (!first || !second || strcmp(said[i], said[k]) != 0) continue;
      char name[512];
      snprintf(name, sizeof(name), "%s", second);
      if (kind == CT_OBJ_TEXTURE) ct_mj_rename_use(s, CT_OBJ_MATERIAL, "texture", name, first);
      if (kind == CT_OBJ_MESH) ct_mj_rename_use(s, CT_OBJ_GEOM, "mesh", name, first);
      if (kind == CT_OBJ_MESH) ct_mj_rename_use(s, CT_OBJ_SITE, "mesh", name, first);
      if (ct_spec_remove_alone(s->impl_, all[i], &s->error_) != CT_OK) break;
      free(said[i]);
      said[i] = NULL;
      removed++;
    }
  }
  for (int i = 0; said && i < n; i++) free(said[i]);
  free((void*)said);
  free((void*)all);
  return removed;
}
/// As there: textures and meshes that say the same become one. How many were removed, -1 for an error.
/// Structs of their users are filled again.
static inline int mjs_dedupAssets(mjSpec* s) {
  if (ct_mj_flush(s) != CT_OK) return -1;
  const int removed = ct_mj_merge_assets(s, CT_OBJ_TEXTURE) + ct_mj_merge_assets(s, CT_OBJ_MESH);
  ct_mj_forget(s);
  for (ctMjBlock* b = s->blocks_; removed > 0 && b; b = b->next) {
    const mjtObj type = b->kind && !b->removed && !b->template_ ? b->kind->type : mjOBJ_UNKNOWN;
    if (type == mjOBJ_GEOM || type == mjOBJ_SITE) ct_mj_fill(b);
    if (type != mjOBJ_MATERIAL) continue;
    char* name = ct_mj_get(b, "texture");
    mjsMaterial* m = (mjsMaterial*)(void*)b->now;
    if (name) mjs_setInStringVec(m->textures, mjTEXROLE_RGB, name);
    free(name);
    ct_mj_settle(b);
  }
  return removed;
}

// ---- deformables

// `key="value"` behind what is there.
static inline void ct_mj_xml_add(char* xml, size_t size, const char* key, const char* value) {
  char* escaped = ct_mj_escape(value);
  const size_t length = strlen(xml);
  if (escaped) snprintf(xml + length, size - length, " %s=\"%s\"", key, escaped);
  free(escaped);
}
static inline void ct_mj_xml_numbers(char* xml, size_t size, const char* key, const double* x, int n) {
  char text[200] = "";
  size_t length = 0;
  for (int i = 0; x && i < n; i++)
    length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%.17g", i ? " " : "", x[i]);
  if (x) ct_mj_xml_add(xml, size, key, text);
}
static inline void ct_mj_xml_counts(char* xml, size_t size, const char* key, const int* x) {
  char text[60];
  if (!x) return;
  snprintf(text, sizeof(text), "%d %d %d", x[0], x[1], x[2]);
  ct_mj_xml_add(xml, size, key, text);
}
/// As there: a deformable with its bodies, as <flexcomp> makes them. NULL when it cannot be: mjs_getError()
/// says why.
static inline mjsFlex* mjs_makeFlex(mjsBody* body, const char* name, const char* type, int dim,
                                    const char* dof, const int count[3], const int cellcount[3],
                                    const double spacing[3], const double scale[3], double radius,
                                    double mass, double inertiabox, int equality, int rigid, int flatskin,
                                    int elastic2d, const double pos[3], const double quat[4],
                                    const double origin[3], const char* file, const mjVFS* vfs) {
  static const char* const edges[] = {"false", "true", "vert", "strain"};
  static const char* const bends[] = {"none", "bend", "stretch", "both"};
  mjSpec* s = ct_mj_spec(body->element);
  const size_t size = 2000 + 6 * ((name ? strlen(name) : 0) + (file ? strlen(file) : 0));
  char* xml = (char*)calloc(size, 1);
  if (!xml || ct_mj_flush(s) != CT_OK) {
    free(xml);
    return NULL;
  }
  const double numbers[] = {(double)dim, radius, mass, inertiabox};
  static const char* const keys[] = {"dim", "radius", "mass", "inertiabox"};
  strcpy(xml, "<flexcomp");
  ct_mj_xml_add(xml, size, "name", name ? name : "");
  ct_mj_xml_add(xml, size, "type", type ? type : "grid");
  if (dof) ct_mj_xml_add(xml, size, "dof", dof);
  for (int i = 0; i < 4; i++) ct_mj_xml_numbers(xml, size, keys[i], &numbers[i], 1);
  ct_mj_xml_counts(xml, size, "count", count);
  ct_mj_xml_counts(xml, size, "cellcount", cellcount);
  ct_mj_xml_numbers(xml, size, "spacing", spacing, 3);
  ct_mj_xml_numbers(xml, size, "scale", scale, 3);
  ct_mj_xml_numbers(xml, size, "pos", pos, 3);
  ct_mj_xml_numbers(xml, size, "quat", quat, 4);
  ct_mj_xml_numbers(xml, size, "origin", origin, 3);
  if (file && file[0]) ct_mj_xml_add(xml, size, "file", file);
  ct_mj_xml_add(xml, size, "rigid", rigid ? "true" : "false");
  ct_mj_xml_add(xml, size, "flatskin", flatskin ? "true" : "false");
  strcat(xml, ">");
  if (equality > 0 && equality < 4) {
    strcat(xml, "<edge");
    ct_mj_xml_add(xml, size, "equality", edges[equality]);
    strcat(xml, "/>");
  }
  if (elastic2d > 0 && elastic2d < 4) {
    strcat(xml, "<elasticity");
    ct_mj_xml_add(xml, size, "elastic2d", bends[elastic2d]);
    strcat(xml, "/>");
  }
  strcat(xml, "</flexcomp>");
  ct_mj_lend_files(s, vfs, true);
  const ctStatus status =
      ct_spec_add_xml(NULL, s->impl_, ct_mj_block(body->element)->impl, xml, strlen(xml), &s->error_);
  ct_mj_lend_files(s, vfs, false);
  free(xml);
  return status == CT_OK ? mjs_asFlex(mjs_findElement(s, mjOBJ_FLEX, name)) : NULL;
}

// ---- plugins, orientations, sensors

/// As there: 0, or -1 when there is no such plugin.
static inline int mjs_activatePlugin(mjSpec* s, const char* name) {
  for (int i = 0; ct_plugin_builtin(i); i++) {
    if (strcmp(ct_plugin_builtin(i)->name, name) == 0) return ct_mj_declare(s, name) == CT_OK ? 0 : -1;
  }
  return -1;
}
// The quaternion of a rotation matrix in double precision.
static inline void ct_mj_turn_of(double quat[4], const double x[3], const double y[3], const double z[3]) {
  const mjtNum mat[9] = {(mjtNum)x[0], (mjtNum)y[0], (mjtNum)z[0], (mjtNum)x[1], (mjtNum)y[1],
                         (mjtNum)z[1], (mjtNum)x[2], (mjtNum)y[2], (mjtNum)z[2]};
  mjtNum q[4];
  mju_mat2Quat(q, mat);
  for (int i = 0; i < 4; i++) quat[i] = (double)q[i];
}
static inline double ct_mj_unit(double v[3]) {
  const double norm = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int i = 0; i < 3 && norm > 0; i++) v[i] /= norm;
  return norm;
}
/// As there: NULL, or what is wrong. `quat` stays as it is for mjORIENTATION_QUAT.
static inline const char* mjs_resolveOrientation(double quat[4], mjtByte degree, const char* sequence,
                                                 const mjsOrientation* orientation) {
  const double eps = 1e-14, unit = degree ? 3.14159265358979323846 / 180 : 1;
  mjtNum q[4] = {1, 0, 0, 0};
  if (orientation->type == mjORIENTATION_AXISANGLE) {
    double axis[3] = {orientation->axisangle[0], orientation->axisangle[1], orientation->axisangle[2]};
    if (ct_mj_unit(axis) < eps) return "axisangle too small";
    const double angle = orientation->axisangle[3] * unit;
    quat[0] = cos(angle / 2);
    for (int i = 0; i < 3; i++) quat[1 + i] = sin(angle / 2) * axis[i];
  }
  if (orientation->type == mjORIENTATION_XYAXES) {
    double x[3], y[3], z[3];
    memcpy(x, orientation->xyaxes, sizeof(x));
    memcpy(y, orientation->xyaxes + 3, sizeof(y));
    if (ct_mj_unit(x) < eps) return "xaxis too small";
    const double along = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    for (int i = 0; i < 3; i++) y[i] -= along * x[i];
    if (ct_mj_unit(y) < eps) return "yaxis too small";
    for (int i = 0; i < 3; i++) z[i] = x[(i + 1) % 3] * y[(i + 2) % 3] - x[(i + 2) % 3] * y[(i + 1) % 3];
    if (ct_mj_unit(z) < eps) return "cross(xaxis, yaxis) too small";
    ct_mj_turn_of(quat, x, y, z);
  }
  if (orientation->type == mjORIENTATION_ZAXIS) {
    double z[3];
    memcpy(z, orientation->zaxis, sizeof(z));
    if (ct_mj_unit(z) < eps) return "zaxis too small";
    const mjtNum axis[3] = {(mjtNum)z[0], (mjtNum)z[1], (mjtNum)z[2]};
    mju_quatZ2Vec(q, axis);
    for (int i = 0; i < 4; i++) quat[i] = (double)q[i];
  }
  if (orientation->type == mjORIENTATION_EULER) {
    const mjtNum euler[3] = {(mjtNum)(orientation->euler[0] * unit), (mjtNum)(orientation->euler[1] * unit),
                             (mjtNum)(orientation->euler[2] * unit)};
    for (int i = 0; i < 3; i++) {
      if (!sequence || !sequence[i] || !strchr("xyzXYZ", sequence[i]))
        return "euler sequence can only contain x, y, z, X, Y, Z";
    }
    const char seq[4] = {sequence[0], sequence[1], sequence[2], 0};
    mju_euler2Quat(q, euler, seq);
    for (int i = 0; i < 4; i++) quat[i] = (double)q[i];
  }
  return NULL;
}
/// How many numbers a sensor gives. Where that depends on what it is attached to, the spec is compiled; 0
/// when it cannot be.
static inline int mjs_sensorDim(const mjsSensor* sensor) {
  static const int numbers[] = {
#define X(id, text, attach, count, ...) count,
#include "corten/fields/sensors.def"
#undef X
  };
  const int type = (int)sensor->type;
  if (type >= 0 && (size_t)type < sizeof(numbers) / sizeof(numbers[0]) && numbers[type] > 0)
    return numbers[type];
  if (sensor->type == mjSENS_USER) return sensor->dim;
  mjSpec* s = ct_mj_spec(sensor->element);
  mjModel* m = mj_compile(s, NULL);
  const int id = m ? mjs_getId(sensor->element) : -1, dim = id >= 0 ? m->sensor_dim[id] : 0;
  ct_model_free(m);
  return dim;
}

#ifdef __cplusplus
}
#endif
