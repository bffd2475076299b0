/// @file
/// Part of corten/mujoco.h: members of an mjSpec's elements that are no attributes of their own, elements
/// that are made when they are complete, and settings.
#pragma once

#include "corten/mujoco_sync.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- what several attributes say together

static inline mjString* ct_mj_new_text(void) {
  return (mjString*)calloc(1, sizeof(mjString));
}
static inline const char* ct_mj_text(const mjString* text) {
  return text && text->data ? text->data : "";
}

static const char* const ct_mj_transmissions[] = {"joint",  "jointinparent", "cranksite",
                                                  "tendon", "site",          "body"};
static const char* const ct_mj_objects[] = {
    "unknown", "body",     "xbody",  "joint",   "dof",     "geom",     "site", "camera",  "light",
    "flex",    "mesh",     "skin",   "hfield",  "texture", "material", "pair", "exclude", "equality",
    "tendon",  "actuator", "sensor", "numeric", "text",    "tuple",    "key"};

static inline const char* ct_mj_object(mjtObj type) {
  return (int)type > 0 && (size_t)type < sizeof(ct_mj_objects) / sizeof(ct_mj_objects[0])
             ? ct_mj_objects[type]
             : "body";
}

// The numbers of an attribute of an element.
static inline int ct_mj_reals(const ctElement* e, const char* attr, double* out, int max) {
  int count = 0;
  return e && ct_element_get_reals(e, attr, out, max, &count, NULL) == CT_OK ? count : 0;
}

static inline ctElement* ct_mj_inertial(const ctElement* body) {
  ctElement* all[64];
  const int n = ct_element_children(body, all, 64);
  for (int i = 0; i < n && i < 64; i++) {
    if (strcmp(ct_element_tag(all[i]), "inertial") == 0) return all[i];
  }
  return NULL;
}

static inline void ct_mj_open_body(ctMjBlock* b) {
  mjsBody* body = (mjsBody*)(void*)b->now;
  const ctElement* e = b->impl ? ct_mj_inertial(b->impl) : NULL;
  body->iquat[0] = 1;
  body->ipos[0] = body->fullinertia[0] = (double)NAN;
  ct_mj_reals(e, "mass", &body->mass, 1);
  ct_mj_reals(e, "pos", body->ipos, 3);
  ct_mj_reals(e, "quat", body->iquat, 4);
  ct_mj_reals(e, "diaginertia", body->inertia, 3);
  body->explicitinertial = e != NULL;
}

// What the bits of ctrlspec mean: those of orientations have words of their own.
static inline const char* ct_mj_inputs(const mjsActuator* a) {
  return a->gaintype == mjGAIN_SO3 ? "expmap quat" : "pos vel ff voltage none pressure";
}

static inline void ct_mj_open_actuator(ctMjBlock* b) {
  mjsActuator* a = (mjsActuator*)(void*)b->now;
  char* input = b->impl ? ct_mj_get(b, "input") : NULL;
  for (int i = 0; input && input[0] && i < 6; i++) {
    char word[20];
    ct_mj_word_at(ct_mj_inputs(a), i, word, sizeof(word));
    if (word[0] && strstr(input, word)) a->ctrlspec |= 1 << i;
  }
  free(input);
  a->target = ct_mj_new_text();
  a->trntype = mjTRN_UNDEFINED;
  for (int i = 0; b->impl && i < 6; i++) {
    char* name = ct_mj_get(b, ct_mj_transmissions[i]);
    if (name && name[0]) {
      a->trntype = (mjtTrn)i;
      ct_mj_list_set(a->target, name, (int)strlen(name), 1);
    }
    free(name);
  }
  if (a->target) a->target->changed = false;
}

/// A kind of sensor: its element, and what it is attached to.
typedef struct ctMjSensorKind {
  const char *tag, *on;  ///< as in fields/sensors.def
} ctMjSensorKind;

static inline const ctMjSensorKind* ct_mj_sensor_kind(int type) {
  static const ctMjSensorKind kinds[] = {
#define X(id, text, attach, numbers, datatype, when, scales, reader, unit, what) {text, #attach},
#include "corten/fields/sensors.def"
#undef X
  };
  return type >= 0 && (size_t)type < sizeof(kinds) / sizeof(kinds[0]) ? &kinds[type] : NULL;
}

static inline void ct_mj_take_text(mjString* text, const char* value) {
  ct_mj_list_set(text, value, (int)strlen(value), 1);
  text->changed = false;
}

// The first of some attributes that says something: its index, with the value in `text`; -1 when none does.
static inline int ct_mj_first_said(const ctMjBlock* b, const char* const* names, int n, mjString* text) {
  for (int i = 0; i < n; i++) {
    char* value = ct_mj_get(b, names[i]);
    const bool said = value && value[0];
    if (said) ct_mj_take_text(text, value);
    free(value);
    if (said) return i;
  }
  return -1;
}

static inline mjtObj ct_mj_object_of(const char* word) {
  for (size_t i = 0; i < sizeof(ct_mj_objects) / sizeof(ct_mj_objects[0]); i++) {
    if (strcmp(ct_mj_objects[i], word) == 0) return (mjtObj)i;
  }
  return mjOBJ_UNKNOWN;
}

static inline void ct_mj_open_sensor(ctMjBlock* b) {
  mjsSensor* s = (mjsSensor*)(void*)b->now;
  s->objname = ct_mj_new_text();
  s->refname = ct_mj_new_text();
  s->needstage = mjSTAGE_ACC;
  if (!b->impl) return;
  for (int i = 0; ct_mj_sensor_kind(i); i++) {
    if (strcmp(ct_mj_sensor_kind(i)->tag, ct_element_tag(b->impl)) == 0) s->type = (mjtSensor)i;
  }
  static const char* const own[] = {"objname", "site",  "joint", "tendon",  "actuator",
                                    "body",    "geom1", "body1", "subtree1"};
  static const mjtObj types[] = {mjOBJ_UNKNOWN, mjOBJ_SITE, mjOBJ_JOINT, mjOBJ_TENDON, mjOBJ_ACTUATOR,
                                 mjOBJ_BODY,    mjOBJ_GEOM, mjOBJ_BODY,  mjOBJ_XBODY};
  static const char* const other[] = {"refname", "camera", "geom2", "body2", "subtree2"};
  static const mjtObj others[] = {mjOBJ_UNKNOWN, mjOBJ_CAMERA, mjOBJ_GEOM, mjOBJ_BODY, mjOBJ_XBODY};
  const int first = ct_mj_first_said(b, own, 9, s->objname),
            second = ct_mj_first_said(b, other, 5, s->refname);
  s->objtype = first >= 0 ? types[first] : mjOBJ_UNKNOWN;
  s->reftype = second >= 0 ? others[second] : mjOBJ_UNKNOWN;
  char* word = first == 0 ? ct_mj_get(b, "objtype") : NULL;
  if (word) s->objtype = ct_mj_object_of(word);
  free(word);
  word = second == 0 ? ct_mj_get(b, "reftype") : NULL;
  if (word) s->reftype = ct_mj_object_of(word);
  free(word);
  double number[1];
  if (ct_mj_reals(b->impl, "dim", number, 1)) s->dim = (int)number[0];
}

static inline void ct_mj_open_equality(ctMjBlock* b) {
  mjsEquality* e = (mjsEquality*)(void*)b->now;
  e->name1 = ct_mj_new_text();
  e->name2 = ct_mj_new_text();
  e->objtype = mjOBJ_BODY;
  e->data[1] = e->data[10] = 1;
  if (!b->impl) {
    e->active = true;
    return;
  }
  static const char* const tags[] = {"connect", "weld", "joint", "tendon"};
  static const char* const ones[] = {"body1", "site1", "joint1", "tendon1"};
  static const char* const twos[] = {"body2", "site2", "joint2", "tendon2"};
  static const mjtObj types[] = {mjOBJ_BODY, mjOBJ_SITE, mjOBJ_JOINT, mjOBJ_TENDON};
  for (int i = 0; i < 4; i++) {
    if (strcmp(tags[i], ct_element_tag(b->impl)) == 0) e->type = (mjtEq)i;
  }
  const int said = ct_mj_first_said(b, ones, 4, e->name1);
  ct_mj_first_said(b, twos, 4, e->name2);
  if (said >= 0) e->objtype = types[said];
  ct_mj_reals(b->impl, "anchor", e->data, 3);
  ct_mj_reals(b->impl, "relpose", e->data + 3, 7);
  ct_mj_reals(b->impl, "torquescale", e->data + 10, 1);
  if ((int)e->type > 1) ct_mj_reals(b->impl, "polycoef", e->data, 5);
}

static inline mjsWrap* ct_mj_add_wrap(ctMjBlock* b, mjtWrap type, const char* target, const char* side,
                                      double number) {
  mjsWrap* longer = (mjsWrap*)realloc(b->path, (size_t)(b->npath + 1) * sizeof(mjsWrap));
  if (!longer) return NULL;
  b->path = longer;
  mjsWrap* w = &b->path[b->npath++];
  memset(w, 0, sizeof(*w));
  w->element = &b->element;
  w->type = type;
  w->number = number;
  snprintf(w->target, sizeof(w->target), "%s", target ? target : "");
  snprintf(w->sidesite, sizeof(w->sidesite), "%s", side ? side : "");
  b->path_changed = true;
  return w;
}

static inline void ct_mj_open_tendon(ctMjBlock* b) {
  const int n = b->impl ? ct_element_children(b->impl, NULL, 0) : 0;
  ctElement** all = n > 0 ? (ctElement**)malloc((size_t)n * sizeof(ctElement*)) : NULL;
  if (all) ct_element_children(b->impl, all, n);
  for (int i = 0; all && i < n; i++) {
    static const char* const tags[] = {"joint", "pulley", "site", "geom"};
    static const mjtWrap types[] = {mjWRAP_JOINT, mjWRAP_PULLEY, mjWRAP_SITE, mjWRAP_SPHERE};
    char target[128] = "", side[128] = "";
    double number = 0;
    int kind = 0;
    while (kind < 3 && strcmp(tags[kind], ct_element_tag(all[i])) != 0) kind++;
    if (kind != 1) ct_element_get(all[i], tags[kind], target, sizeof(target), NULL, NULL);
    if (kind == 3) ct_element_get(all[i], "sidesite", side, sizeof(side), NULL, NULL);
    if (kind < 2) ct_mj_reals(all[i], kind ? "divisor" : "coef", &number, 1);
    ct_mj_add_wrap(b, types[kind], target, side, number);
  }
  free(all);
  b->path_changed = false;
}

static inline void ct_mj_open_special(ctMjBlock* b) {
  if (b->kind->type == mjOBJ_BODY) ct_mj_open_body(b);
  if (b->kind->type == mjOBJ_ACTUATOR) ct_mj_open_actuator(b);
  if (b->kind->type == mjOBJ_MATERIAL) {
    mjsMaterial* m = (mjsMaterial*)(void*)b->now;
    char* name = ct_mj_get(b, "texture");
    m->textures = ct_mj_new_text();
    if (name && m->textures) ct_mj_list_set(m->textures, name, (int)strlen(name), 1);
    if (m->textures) m->textures->changed = false;
    free(name);
  }
  if (b->kind->type == mjOBJ_EQUALITY) ct_mj_open_equality(b);
  if (b->kind->type == mjOBJ_SENSOR) ct_mj_open_sensor(b);
  if (b->kind->type == mjOBJ_TENDON) ct_mj_open_tendon(b);
  if (b->kind->type == mjOBJ_TUPLE) {
    mjsTuple* t = (mjsTuple*)(void*)b->now;
    t->objtype = ct_mj_new_text();
    t->objname = ct_mj_new_text();
    t->objprm = ct_mj_new_text();
  }
}

static inline ctStatus ct_mj_write_numbers(ctSpec* s, ctElement* e, const char* attr, const double* x, int n,
                                           ctError* err) {
  return isnan(x[0]) ? CT_OK : ct_element_set_reals(s, e, attr, x, n, err);
}

static inline ctStatus ct_mj_write_body(ctMjBlock* b) {
  const mjsBody *now = (const mjsBody*)(void*)b->now, *old = (const mjsBody*)(void*)b->before;
  ctSpec* s = b->spec->impl_;
  ctError* err = &b->spec->error_;
  bool same = memcmp(&now->mass, &old->mass, sizeof(double)) == 0 &&
              memcmp(now->ipos, old->ipos, sizeof(now->ipos)) == 0 &&
              memcmp(now->iquat, old->iquat, sizeof(now->iquat)) == 0 &&
              memcmp(now->inertia, old->inertia, sizeof(now->inertia)) == 0 &&
              memcmp(now->fullinertia, old->fullinertia, sizeof(now->fullinertia)) == 0 &&
              now->explicitinertial == old->explicitinertial;
  if (same || !now->explicitinertial) return CT_OK;  // without that flag, inertia follows from geoms
  ctElement* e = ct_mj_inertial(b->impl);
  static const char* const empty[] = {"pos", "0 0 0", "mass", "1", "diaginertia", "1 1 1", NULL};
  ctStatus status = e ? CT_OK : ct_spec_add(&e, s, b->impl, "inertial", empty, err);
  if (status == CT_OK) status = ct_mj_write_numbers(s, e, "mass", &now->mass, 1, err);
  if (status == CT_OK) status = ct_mj_write_numbers(s, e, "pos", now->ipos, 3, err);
  if (status == CT_OK) status = ct_mj_write_numbers(s, e, "quat", now->iquat, 4, err);
  if (status == CT_OK && !isnan(now->fullinertia[0]))
    return ct_mj_write_numbers(s, e, "fullinertia", now->fullinertia, 6, err);
  return status == CT_OK ? ct_mj_write_numbers(s, e, "diaginertia", now->inertia, 3, err) : status;
}

static inline ctStatus ct_mj_write_actuator(ctMjBlock* b) {
  const mjsActuator *now = (const mjsActuator*)(void*)b->now, *old = (const mjsActuator*)(void*)b->before;
  if (now->ctrlspec != old->ctrlspec) {
    char input[80] = "";
    for (int i = 0; i < 6; i++) {
      char word[20];
      ct_mj_word_at(ct_mj_inputs(now), i, word, sizeof(word));
      if (!(now->ctrlspec >> i & 1) || !word[0]) continue;
      if (input[0]) strcat(input, " ");
      strcat(input, word);
    }
    const ctStatus status = ct_mj_set(b, "input", input);
    if (status != CT_OK) return status;
  }
  if (!now->target || (now->trntype == old->trntype && !now->target->changed)) return CT_OK;
  for (int i = 0; i < 6; i++) {
    const bool chosen = (int)now->trntype == i;
    char* text = chosen ? NULL : ct_mj_get(b, ct_mj_transmissions[i]);
    if (text && text[0]) ct_mj_set(b, ct_mj_transmissions[i], "");
    free(text);
  }
  if ((int)now->trntype < 0 || (int)now->trntype > 5 || !ct_mj_text(now->target)[0]) return CT_OK;
  now->target->changed = false;
  return ct_mj_set(b, ct_mj_transmissions[now->trntype], ct_mj_text(now->target));
}

static inline ctStatus ct_mj_write_special(ctMjBlock* b) {
  if (b->template_) return CT_OK;
  if (b->kind->type == mjOBJ_BODY) return ct_mj_write_body(b);
  if (b->kind->type == mjOBJ_ACTUATOR) return ct_mj_write_actuator(b);
  if (b->kind->type == mjOBJ_MATERIAL) {
    mjStringVec* textures = ((mjsMaterial*)(void*)b->now)->textures;
    if (!textures || !textures->changed) return CT_OK;
    textures->changed = false;
    return ct_mj_set(b, "texture", ct_mj_text(textures));
  }
  return CT_OK;
}

// ---- elements that are made when they are complete

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
  const char* names = ct_mj_text(t->objname);
  ctStatus status = CT_OK;
  for (int i = 0; *names && status == CT_OK; i++) {
    char name[256], number[40] = "0";
    const size_t length = strcspn(names, " ");
    snprintf(name, sizeof(name), "%.*s", (int)length, names);
    names += length;
    names += strspn(names, " ");
    if (i < t->objprm->count)
      snprintf(number, sizeof(number), "%.17g", ((const double*)(void*)t->objprm->data)[i]);
    const int type = i < t->objtype->count ? ((const int*)(void*)t->objtype->data)[i] : 0;
    const char* words[] = {"objtype", ct_mj_object((mjtObj)type), "objname", name, "prm", number, NULL};
    status = ct_spec_add(NULL, b->spec->impl_, tuple, "element", words, &b->spec->error_);
  }
  return status;
}

// Make an element that was kept, or make it again in its place.
static inline ctStatus ct_mj_build(ctMjBlock* b) {
  ctMjWords w;
  char path[64];
  w.n = 0;
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
    ct_mj_word_add(&w, r->attr, text);
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
  if (status == CT_OK && place >= 0) status = ct_spec_move(s->impl_, e, place, &s->error_);
  for (int i = 0; i < w.n; i++) free(w.pair[i]);
  if (e) b->impl = e;
  b->path_changed = false;
  return status;
}

static inline bool ct_mj_is_kept(mjtObj type) {
  return type == mjOBJ_PAIR || type == mjOBJ_EXCLUDE || type == mjOBJ_EQUALITY || type == mjOBJ_TENDON ||
         type == mjOBJ_SENSOR || type == mjOBJ_HFIELD || type == mjOBJ_NUMERIC || type == mjOBJ_TEXT ||
         type == mjOBJ_TUPLE;
}

static inline bool ct_mj_any_change(const ctMjBlock* b) {
  if (b->path_changed || memcmp(b->now, b->before, b->size) != 0) return true;
  for (int i = 0; i < b->nrow; i++) {
    if (ct_mj_changed(b, &b->rows[i])) return true;
  }
  if (b->kind->type == mjOBJ_EQUALITY)
    return ((const mjsEquality*)(void*)b->now)->name1->changed ||
           ((const mjsEquality*)(void*)b->now)->name2->changed;
  if (b->kind->type == mjOBJ_SENSOR)
    return ((const mjsSensor*)(void*)b->now)->objname->changed ||
           ((const mjsSensor*)(void*)b->now)->refname->changed;
  return false;
}

static inline ctStatus ct_mj_flush_block(ctMjBlock* b) {
  if (b->removed || !b->nrow) return CT_OK;
  ctStatus status = CT_OK;
  if (b->kind && !b->template_ && ct_mj_is_kept(b->kind->type)) {
    if (!b->impl || ct_mj_any_change(b)) status = ct_mj_build(b);
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
