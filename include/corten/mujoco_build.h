/// @file
/// Part of corten/mujoco.h: elements of an mjSpec that are made when they are complete.
#pragma once

#include "corten/mujoco_members.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Attributes in the making.
typedef struct ctMjWords {
  char* pair[160];  ///< names and values in turn, owned
  int n;            ///< how many
} ctMjWords;

static inline void ct_mj_word_add(ctMjWords* w, const char* name, const char* text) {
  if (!text || !text[0] || w->n + 3 > 160) return;
  w->pair[w->n++] = strcpy((char*)malloc(strlen(name) + 1), name);
  w->pair[w->n++] = strcpy((char*)malloc(strlen(text) + 1), text);
  w->pair[w->n] = NULL;
}
static inline void ct_mj_word_numbers(ctMjWords* w, const char* name, const double* x, int n) {
  char text[400] = "";
  size_t length = 0;
  for (int i = 0; i < n; i++)
    length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%.17g", i ? " " : "", x[i]);
  ct_mj_word_add(w, name, text);
}

static inline void ct_mj_say_fields(ctMjWords* w, int bits, bool contact) {
  static const char* const fields[2][7] = {{"dist", "dir", "origin", "point", "normal", "depth", NULL},
                                           {"found", "force", "torque", "dist", "pos", "normal", "tangent"}};
  char text[100] = "";
  for (int i = 0; i < 7 && fields[contact][i]; i++) {
    if (!(bits >> i & 1)) continue;
    if (text[0]) strcat(text, " ");
    strcat(text, fields[contact][i]);
  }
  ct_mj_word_add(w, "data", text);
}

static inline void ct_mj_say_sensor(const mjsSensor* s, ctMjWords* w, char* path, size_t size) {
  static const char* const stages[] = {"none", "pos", "vel", "acc"};
  static const char* const types[] = {"real", "positive", "axis", "quaternion"};
  static const char* const reduce[] = {"none", "mindist", "maxforce", "netforce"};
  const ctMjSensorKind* kind = ct_mj_sensor_kind((int)s->type);
  const char *on = kind ? kind->on : "", *name = ct_mj_text(s->objname), *ref = ct_mj_text(s->refname);
  char attr[32];
  snprintf(path, size, "sensor/%s", kind ? kind->tag : "unknown");
  if (strncmp(on, "FRAME", 5) == 0 || strcmp(on, "INSIDE") == 0 || strcmp(on, "USER") == 0) {
    if (name[0]) ct_mj_word_add(w, "objtype", ct_mj_object(s->objtype));
    ct_mj_word_add(w, "objname", name);
    if (strcmp(on, "INSIDE") == 0)
      ct_mj_word_add(w, "site", ref);
    else if (ref[0])
      ct_mj_word_add(w, "reftype", ct_mj_object(s->reftype));
    if (strcmp(on, "INSIDE") != 0) ct_mj_word_add(w, "refname", ref);
  } else if (strcmp(on, "TWO") == 0 || strcmp(on, "CONTACT") == 0) {
    const char* first = s->objtype == mjOBJ_XBODY ? "subtree" : ct_mj_object(s->objtype);
    snprintf(attr, sizeof(attr), "%s%s", first, s->objtype == mjOBJ_SITE ? "" : "1");
    ct_mj_word_add(w, attr, name);
    snprintf(attr, sizeof(attr), "%s2", s->reftype == mjOBJ_XBODY ? "subtree" : ct_mj_object(s->reftype));
    ct_mj_word_add(w, attr, ref);
  } else if (name[0]) {
    ct_mj_word_add(w, ct_mj_object(s->objtype == mjOBJ_XBODY ? mjOBJ_BODY : s->objtype), name);
    if (ref[0]) ct_mj_word_add(w, ct_mj_object(s->reftype), ref);
  }
  if (s->type == mjSENS_CONTACT || s->type == mjSENS_RANGEFINDER)
    ct_mj_say_fields(w, s->intprm[0], s->type == mjSENS_CONTACT);
  if (s->type == mjSENS_CONTACT) {
    snprintf(attr, sizeof(attr), "%d", s->intprm[2]);
    ct_mj_word_add(w, "num", attr);
    if (s->intprm[1] >= 0 && s->intprm[1] < 4) ct_mj_word_add(w, "reduce", reduce[s->intprm[1]]);
  }
  if (s->type == mjSENS_USER) {
    snprintf(attr, sizeof(attr), "%d", s->dim);
    ct_mj_word_add(w, "dim", attr);
    ct_mj_word_add(w, "needstage", stages[(int)s->needstage & 3]);
    ct_mj_word_add(w, "datatype", types[(int)s->datatype & 3]);
  }
}

static inline void ct_mj_say_equality(const mjsEquality* e, ctMjWords* w, char* path, size_t size) {
  static const char* const tags[] = {"connect", "weld", "joint", "tendon"};
  const int type = (int)e->type >= 0 && (int)e->type < 4 ? (int)e->type : 0;
  const char* object = type > 1 ? tags[type] : e->objtype == mjOBJ_SITE ? "site" : "body";
  char attr[16];
  snprintf(path, size, "equality/%s", tags[type]);
  snprintf(attr, sizeof(attr), "%s1", object);
  ct_mj_word_add(w, attr, ct_mj_text(e->name1));
  snprintf(attr, sizeof(attr), "%s2", object);
  ct_mj_word_add(w, attr, ct_mj_text(e->name2));
  if (type > 1) ct_mj_word_numbers(w, "polycoef", e->data, 5);
  const bool bodies = strcmp(object, "body") == 0;
  if (bodies && type < 2) ct_mj_word_numbers(w, "anchor", e->data, 3);
  const double* pose = e->data + 3;
  if (bodies && type == 1 && (pose[3] != 0 || pose[4] != 0 || pose[5] != 0 || pose[6] != 0))
    ct_mj_word_numbers(w, "relpose", pose, 7);
  if (type == 1) ct_mj_word_numbers(w, "torquescale", e->data + 10, 1);
}

static inline ctStatus ct_mj_add_path(ctMjBlock* b, ctElement* tendon) {
  ctSpec* s = b->spec->impl_;
  ctStatus status = CT_OK;
  for (int i = 0; i < b->npath && status == CT_OK; i++) {
    const mjsWrap* wrap = &b->path[i];
    char number[40];
    snprintf(number, sizeof(number), "%.17g", wrap->number);
    const char* site[] = {"site", wrap->target, NULL};
    const char* joint[] = {"joint", wrap->target, "coef", number, NULL};
    const char* pulley[] = {"divisor", number, NULL};
    const char* geom[] = {"geom", wrap->target, wrap->sidesite[0] ? "sidesite" : NULL, wrap->sidesite, NULL};
    const char* const tags[] = {"", "joint", "pulley", "site", "geom", "geom"};
    const char* const* const words[] = {site, joint, pulley, site, geom, geom};
    const int kind = (int)wrap->type > 0 && (int)wrap->type < 6 ? (int)wrap->type : 3;
    status = ct_spec_add(NULL, s, tendon, tags[kind], words[kind], &b->spec->error_);
  }
  return status;
}

static inline ctStatus ct_mj_add_items(ctMjBlock* b, ctElement* tuple) {
  const mjsTuple* t = (const mjsTuple*)(void*)b->now;
  ctStatus status = CT_OK;
  for (int i = 0; i < t->objname->count && status == CT_OK; i++) {
    char number[40] = "0";
    const char* name = ct_mj_text(ct_mj_nest_at(t->objname, i));
    if (i < t->objprm->count)
      snprintf(number, sizeof(number), "%.17g", ((const double*)(void*)t->objprm->items)[i]);
    const int type = i < t->objtype->count ? ((const int*)(void*)t->objtype->items)[i] : 0;
    const char* words[] = {"objtype", ct_mj_object((mjtObj)type), "objname", name, "prm", number, NULL};
    status = ct_spec_add(NULL, b->spec->impl_, tuple, "element", words, &b->spec->error_);
  }
  return status;
}

// Attributes of a deformable that belong to its parts: they are said when it is there.
static inline bool ct_mj_is_of_part(const ctMjBlock* b, const char* attr) {
  static const char* const own[] = {
      "name", "body",  "node",   "vertex",   "nodecoord", "element",  "texcoord",  "elemtexcoord",
      "dim",  "group", "radius", "material", "rgba",      "flatskin", "cellcount", "dof"};
  if (b->kind->type != mjOBJ_FLEX) return false;
  for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
    if (strcmp(own[i], attr) == 0) return false;
  }
  return true;
}

// Make an element that was kept, or make it again in its place.
static inline ctStatus ct_mj_build(ctMjBlock* b) {
  ctMjWords w, later;
  char path[64];
  w.n = later.n = 0;
  w.pair[0] = NULL;
  mjSpec* s = b->spec;
  snprintf(path, sizeof(path), "%s", b->kind->place);
  ct_mj_word_add(&w, "name", b->impl ? ct_element_name(b->impl) : b->name);
  if (b->class_ && b->kind->class_ && strcmp(b->class_, "main") != 0) ct_mj_word_add(&w, "class", b->class_);
  if (b->kind->type == mjOBJ_SENSOR)
    ct_mj_say_sensor((const mjsSensor*)(void*)b->now, &w, path, sizeof(path));
  if (b->kind->type == mjOBJ_EQUALITY)
    ct_mj_say_equality((const mjsEquality*)(void*)b->now, &w, path, sizeof(path));
  if (b->kind->type == mjOBJ_TENDON)
    snprintf(path, sizeof(path), "tendon/%s",
             b->npath > 0 && b->path[0].type == mjWRAP_JOINT ? "fixed" : "spatial");
  for (int i = 0; i < b->nrow; i++) {
    const ctMjRow* r = &b->rows[i];
    char* text = ct_mj_changed(b, r) ? ct_mj_format(r, b->now + r->offset)
                 : b->impl           ? ct_mj_get(b, r->attr)
                                     : NULL;
    ct_mj_word_add(ct_mj_is_of_part(b, r->attr) ? &later : &w, r->attr, text);
    free(text);
  }
  // its place among those of its kind
  int place = -1;
  const int count = b->impl ? ct_spec_list(s->impl_, (ctObjType)b->kind->type, NULL, 0) : 0;
  ctElement** all = count > 0 ? (ctElement**)malloc((size_t)count * sizeof(ctElement*)) : NULL;
  if (all) ct_spec_list(s->impl_, (ctObjType)b->kind->type, all, count);
  for (int i = 0; all && i < count; i++) place = all[i] == b->impl ? i : place;
  free(all);
  ctElement* e = NULL;
  ctStatus status = CT_OK;
  if (b->impl) status = ct_spec_remove_alone(s->impl_, b->impl, &s->error_);
  if (status == CT_OK) status = ct_spec_add(&e, s->impl_, NULL, path, (const char* const*)w.pair, &s->error_);
  if (status == CT_OK && b->kind->type == mjOBJ_TENDON) status = ct_mj_add_path(b, e);
  if (status == CT_OK && b->kind->type == mjOBJ_TUPLE) status = ct_mj_add_items(b, e);
  for (int i = 0; i < later.n && status == CT_OK; i += 2)
    status = ct_element_set(s->impl_, e, later.pair[i], later.pair[i + 1], &s->error_);
  if (status == CT_OK && place >= 0) status = ct_spec_move(s->impl_, e, place, &s->error_);
  for (int i = 0; i < w.n; i++) free(w.pair[i]);
  for (int i = 0; i < later.n; i++) free(later.pair[i]);
  if (e) b->impl = e;
  b->path_changed = false;
  if (status == CT_OK && b->use) {
    b->use->changed = ct_mj_plugin(b, b->now)->active;
    status = ct_mj_write_plugin(b);
  }
  return status;
}

static inline bool ct_mj_is_kept(mjtObj type) {
  return type == mjOBJ_PAIR || type == mjOBJ_EXCLUDE || type == mjOBJ_EQUALITY || type == mjOBJ_TENDON ||
         type == mjOBJ_SENSOR || type == mjOBJ_HFIELD || type == mjOBJ_NUMERIC || type == mjOBJ_TEXT ||
         type == mjOBJ_TUPLE || type == mjOBJ_FLEX;
}

static inline bool ct_mj_any_change(const ctMjBlock* b) {
  if (b->path_changed || memcmp(b->now, b->before, b->size) != 0) return true;
  for (int i = 0; i < b->nrow; i++) {
    if (ct_mj_changed(b, &b->rows[i])) return true;
  }
  int at = 0;
  for (ctMjList* list = ct_mj_extra(b, &at); list; list = ct_mj_extra(b, &at)) {
    if (list->changed) return true;
  }
  const mjsPlugin* plugin = b->use ? ct_mj_plugin(b, b->now) : NULL;
  return plugin && (plugin->name->changed || plugin->plugin_name->changed || b->use->changed);
}

static inline ctStatus ct_mj_flush_block(ctMjBlock* b) {
  if (b->removed) return CT_OK;
  if (b->kind && b->kind->type == mjOBJ_PLUGIN) return ct_mj_write_plugin(b);
  if (!b->kind && !b->nrow) return CT_OK;
  ctStatus status = b->kind && b->kind->type == mjOBJ_FLEX ? ct_mj_refuse(b) : CT_OK;
  if (b->kind && !b->template_ && ct_mj_is_kept(b->kind->type)) {
    if (status == CT_OK && (!b->impl || ct_mj_any_change(b))) status = ct_mj_build(b);
  } else {
    for (int i = 0; i < b->nrow && status == CT_OK; i++) {
      if (ct_mj_changed(b, &b->rows[i])) status = ct_mj_write_member(b, &b->rows[i]);
    }
    if (status == CT_OK && b->kind) status = ct_mj_write_special(b);
  }
  if (status == CT_OK) ct_mj_settle(b);
  return status;
}

#ifdef __cplusplus
}
#endif
