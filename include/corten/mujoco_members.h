/// @file
/// Part of corten/mujoco.h: members of an mjSpec's elements that are no attributes of their own.
#pragma once

#include "corten/mujoco_plugins.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- what several attributes say together

static inline mjString* ct_mj_new_text(void) {
  return (mjString*)calloc(1, sizeof(ctMjList));
}
static inline const char* ct_mj_text(const ctMjList* text) {
  return ct_mj_characters(text);
}

static inline void ct_mj_take_text(ctMjList* text, const char* value) {
  ct_mj_list_set(text, value, (int)strlen(value), 1);
  text->changed = false;
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

static inline void ct_mj_open_inertial(ctMjBlock* b) {
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
  if (b->impl)
    a->type = (mjtActuator)ct_mj_word(
        "general motor position velocity intvelocity damper cylinder muscle adhesion pid orientation dcmotor",
        ct_element_tag(b->impl));
  a->trntype = mjTRN_UNDEFINED;
  for (int i = 0; b->impl && i < 6; i++) {
    char* name = ct_mj_get(b, ct_mj_transmissions[i]);
    if (name && name[0]) {
      a->trntype = (mjtTrn)i;
      ct_mj_take_text(a->target, name);
    }
    free(name);
  }
}

/// A kind of sensor: its element, and what it is attached to.
typedef struct ctMjSensorKind {
  const char *tag, *on;  ///< as in fields/sensors.def
} ctMjSensorKind;

static inline const ctMjSensorKind* ct_mj_sensor_kind(int type) {
  static const ctMjSensorKind kinds[] = {
#define X(id, text, attach, ...) {text, #attach},
#include "corten/fields/sensors.def"
#undef X
  };
  return type >= 0 && (size_t)type < sizeof(kinds) / sizeof(kinds[0]) ? &kinds[type] : NULL;
}

// The first of some attributes that says something: its index, with the value in `text`; -1 when none does.
static inline int ct_mj_first_said(const ctMjBlock* b, const char* const* names, int n, ctMjList* text) {
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

static inline void ct_mj_open_tuple(ctMjBlock* b) {
  mjsTuple* t = (mjsTuple*)(void*)b->now;
  const int n = b->impl ? ct_element_children(b->impl, NULL, 0) : 0;
  ctElement** all = n > 0 ? (ctElement**)malloc((size_t)n * sizeof(ctElement*)) : NULL;
  int* types = n > 0 ? (int*)calloc((size_t)n, sizeof(int)) : NULL;
  double* numbers = n > 0 ? (double*)calloc((size_t)n, sizeof(double)) : NULL;
  if (all && types && numbers) {
    ct_element_children(b->impl, all, n);
    for (int i = 0; i < n; i++) {
      char type[32] = "", name[256] = "";
      ct_element_get(all[i], "objtype", type, sizeof(type), NULL, NULL);
      ct_element_get(all[i], "objname", name, sizeof(name), NULL, NULL);
      ct_mj_reals(all[i], "prm", &numbers[i], 1);
      types[i] = (int)ct_mj_object_of(type);
      mjs_appendString(t->objname, name);
    }
    mjs_setInt(t->objtype, types, n);
    mjs_setDouble(t->objprm, numbers, n);
  }
  free(all);
  free(types);
  free(numbers);
}

// Flags that are said as words, as bits.
static inline int ct_mj_bits_of(const char* text, const char* words) {
  int bits = 0;
  char word[32];
  for (int i = 0; text && (ct_mj_word_at(words, i, word, sizeof(word)), word[0]); i++) {
    for (const char* at = text; *at;) {
      const size_t length = strcspn(at, " ");
      if (length == strlen(word) && strncmp(at, word, length) == 0) bits |= 1 << i;
      at += length;
      at += strspn(at, " ");
    }
  }
  return bits;
}
static inline void ct_mj_words_of(int bits, const char* words, char* out, size_t size) {
  char word[32];
  size_t length = 0;
  out[0] = 0;
  for (int i = 0; (ct_mj_word_at(words, i, word, sizeof(word)), word[0]); i++) {
    if (bits >> i & 1)
      length += (size_t)snprintf(out + length, size - length, "%s%s", length ? " " : "", word);
  }
}
#define CT_MJ_OCTREE_DEPTH 6
#define CT_MJ_OUTPUTS      "rgb depth distance normal segmentation"

static const char* const ct_mj_sides[] = {"fileright", "fileleft",  "fileup",
                                          "filedown",  "filefront", "fileback"};

static inline void ct_mj_open_texture(ctMjBlock* b) {
  mjsTexture* t = (mjsTexture*)(void*)b->now;
  char* layout = ct_mj_get(b, "gridlayout");
  const size_t length = layout ? strlen(layout) : 0;
  memset(t->gridlayout, '.', sizeof(t->gridlayout));
  if (length > 0) memcpy(t->gridlayout, layout, length < 12 ? length : 12);
  free(layout);
  ct_mj_nest_resize(t->cubefiles, 6);
  for (int i = 0; i < 6; i++) {
    char* file = b->impl ? ct_mj_get(b, ct_mj_sides[i]) : NULL;
    if (file) mjs_setInStringVec(t->cubefiles, i, file);
    free(file);
  }
}

// The bones of a skin are elements inside it.
static inline void ct_mj_open_skin(ctMjBlock* b) {
  mjsSkin* s = (mjsSkin*)(void*)b->now;
  const int n = b->impl ? ct_element_children(b->impl, NULL, 0) : 0;
  ctElement** bones = n > 0 ? (ctElement**)malloc((size_t)n * sizeof(ctElement*)) : NULL;
  if (bones) ct_element_children(b->impl, bones, n);
  const ctMjRow pos = {"bindpos", 0, 0, CT_MJ_FLOATS, 1, NULL},
                quat = {"bindquat", 0, 0, CT_MJ_FLOATS, 1, NULL};
  const ctMjRow id = {"vertid", 0, 0, CT_MJ_INTS, 1, NULL},
                weight = {"vertweight", 0, 0, CT_MJ_FLOATS, 1, NULL};
  const ctMjRow* const rows[] = {&pos, &quat, &id, &weight};
  ctMjList* const lists[] = {s->bindpos, s->bindquat, s->vertid, s->vertweight};
  for (int i = 0; bones && i < n; i++) {
    ctMjBlock bone;
    memset((void*)&bone, 0, sizeof(bone));
    bone.impl = bones[i];
    char* body = ct_mj_get(&bone, "body");
    if (body) mjs_appendString(s->bodyname, body);
    free(body);
    for (int k = 0; k < 4; k++) {
      ctMjList numbers = {NULL, 0, false};
      char* text = ct_mj_get(&bone, rows[k]->attr);
      if (text) ct_mj_put_list(rows[k], &numbers, text);
      free(text);
      if (k >= 2) {
        ct_mj_nest_resize(lists[k], i + 1);
        *ct_mj_nest_at(lists[k], i) = numbers;
        continue;
      }
      const size_t before = 4 * (size_t)lists[k]->count, more = 4 * (size_t)numbers.count;
      char* longer = (char*)malloc(before + more + 1);
      if (longer && before) memcpy(longer, lists[k]->items, before);
      if (longer && more) memcpy(longer + before, numbers.items, more);
      if (longer) ct_mj_list_set(lists[k], longer, lists[k]->count + numbers.count, 4);
      free(longer);
      free(numbers.items);
    }
  }
  free(bones);
}

// Numbers of a deformable that is not made yet are those of one that says nothing.
static inline void ct_mj_open_flex(ctMjBlock* b) {
  if (b->impl) return;
  ctSpec* blank = NULL;
  ctElement* e = NULL;
  const char* words[] = {"body", "world", "element", "0 1", NULL};
  if (ct_spec_create(&blank, NULL, NULL) == CT_OK &&
      ct_spec_add(&e, blank, NULL, "deformable/flex", words, NULL) == CT_OK) {
    b->impl = e;
    for (int i = 0; i < b->nrow; i++) {
      if (!ct_mj_is_list(b->rows[i].codec)) ct_mj_read(b, &b->rows[i]);
    }
    b->impl = NULL;
  }
  ct_spec_free(blank);
}

static inline void ct_mj_open_special(ctMjBlock* b) {
  const mjtObj type = b->kind->type;
  if (type == mjOBJ_BODY) ct_mj_open_inertial(b);
  if (type == mjOBJ_ACTUATOR) ct_mj_open_actuator(b);
  if (type == mjOBJ_MATERIAL) {
    mjsMaterial* m = (mjsMaterial*)(void*)b->now;
    char* name = ct_mj_get(b, "texture");
    ct_mj_nest_resize(m->textures, mjNTEXROLE);
    if (name) mjs_setInStringVec(m->textures, mjTEXROLE_RGB, name);
    free(name);
  }
  if (type == mjOBJ_EQUALITY) ct_mj_open_equality(b);
  if (type == mjOBJ_SENSOR) ct_mj_open_sensor(b);
  if (type == mjOBJ_TENDON) ct_mj_open_tendon(b);
  if (type == mjOBJ_TEXTURE) ct_mj_open_texture(b);
  if (type == mjOBJ_SKIN) ct_mj_open_skin(b);
  if (type == mjOBJ_FLEX) ct_mj_open_flex(b);
  if (type == mjOBJ_TUPLE) ct_mj_open_tuple(b);
  if (type == mjOBJ_MESH) ((mjsMesh*)(void*)b->now)->octree_maxdepth = CT_MJ_OCTREE_DEPTH;
  if (type == mjOBJ_FRAME) {
    mjsFrame* f = (mjsFrame*)(void*)b->now;
    double scale[3];
    if (b->impl && ct_mj_reals(b->impl, "scale", scale, 3) == 1) f->scale[1] = f->scale[2] = f->scale[0];
  }
  if (type == mjOBJ_GEOM) {
    char* shape = ct_mj_get(b, "fluidshape");
    ((mjsGeom*)(void*)b->now)->fluid_ellipsoid = shape && strcmp(shape, "ellipsoid") == 0;
    free(shape);
  }
  if (type == mjOBJ_CAMERA) {
    mjsCamera* c = (mjsCamera*)(void*)b->now;
    char* output = ct_mj_get(b, "output");
    c->output = ct_mj_bits_of(output, CT_MJ_OUTPUTS);
    free(output);
  }
  ct_mj_open_plugin(b);
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
              memcmp(&now->ialt, &old->ialt, sizeof(now->ialt)) == 0 &&
              now->explicitinertial == old->explicitinertial;
  if (same || !now->explicitinertial) return CT_OK;  // without that flag, inertia follows from geoms
  ctElement* e = ct_mj_inertial(b->impl);
  static const char* const empty[] = {"pos", "0 0 0", "mass", "1", "diaginertia", "1 1 1", NULL};
  ctStatus status = e ? CT_OK : ct_spec_add(&e, s, b->impl, "inertial", empty, err);
  if (status == CT_OK) status = ct_mj_write_numbers(s, e, "mass", &now->mass, 1, err);
  if (status == CT_OK) status = ct_mj_write_numbers(s, e, "pos", now->ipos, 3, err);
  if (status == CT_OK) status = ct_mj_write_numbers(s, e, "quat", now->iquat, 4, err);
  if (status == CT_OK && now->ialt.type != mjORIENTATION_QUAT) {
    ctMjBlock inertial = *b;
    const ctMjRow turn = {"", offsetof(mjsBody, ialt), sizeof(mjsOrientation), CT_MJ_TURN, 1, NULL};
    inertial.impl = e;
    status = ct_mj_write_turn(&inertial, &turn);
  }
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

static inline ctStatus ct_mj_write_texture(ctMjBlock* b) {
  const mjsTexture *now = (const mjsTexture*)(void*)b->now, *old = (const mjsTexture*)(void*)b->before;
  ctStatus status = CT_OK;
  if (memcmp(now->gridlayout, old->gridlayout, 12) != 0) {
    char layout[13] = "";
    memcpy(layout, now->gridlayout, 12);
    status = ct_mj_set(b, "gridlayout", layout);
  }
  for (int i = 0; now->cubefiles->changed && i < 6 && i < now->cubefiles->count && status == CT_OK; i++)
    status = ct_mj_set(b, ct_mj_sides[i], ct_mj_text(ct_mj_nest_at(now->cubefiles, i)));
  if (status == CT_OK && now->data->changed && now->data->count > 0) status = ct_mj_write_pixels(b);
  return status;
}

static inline ctStatus ct_mj_write_material(ctMjBlock* b) {
  const mjStringVec* textures = ((const mjsMaterial*)(void*)b->now)->textures;
  ctStatus status = CT_OK;
  for (int i = 0; textures->changed && i < mjNTEXROLE && i < textures->count && status == CT_OK; i++) {
#define X(id, text) text,
    static const char* const roles[] = {CT_TEXROLE_LIST(X)};
#undef X
    const char* name = ct_mj_text(ct_mj_nest_at(textures, i));
    const char* layer[] = {"texture", name, "role", roles[i], NULL};
    if (i == mjTEXROLE_RGB) {
      status = ct_mj_set(b, "texture", name);
    } else if (name[0]) {
      status = ct_spec_add(NULL, b->spec->impl_, b->impl, "layer", layer, &b->spec->error_);
    }
  }
  return status;
}

static inline ctStatus ct_mj_write_skin(ctMjBlock* b) {
  const mjsSkin* s = (const mjsSkin*)(void*)b->now;
  ctSpec* spec = b->spec->impl_;
  ctError* err = &b->spec->error_;
  const int n = s->bodyname->count;
  if (!s->bodyname->changed && !s->bindpos->changed && !s->bindquat->changed && !s->vertid->changed &&
      !s->vertweight->changed)
    return CT_OK;
  if (s->bindpos->count != 3 * n || s->bindquat->count != 4 * n || s->vertid->count != n ||
      s->vertweight->count != n) {
    snprintf(err->message, sizeof(err->message),
             "skin: bodyname, bindpos, bindquat, vertid and vertweight must be of as many bones");
    return CT_ERR_INVALID;
  }
  ctStatus status = CT_OK;
  for (ctElement* bone; status == CT_OK && ct_element_children(b->impl, &bone, 1) > 0;)
    status = ct_spec_remove_alone(spec, bone, err);
  for (int i = 0; i < n && status == CT_OK; i++) {
    const ctMjList *id = ct_mj_nest_at(s->vertid, i), *weight = ct_mj_nest_at(s->vertweight, i);
    const ctMjRow floats[] = {{"", 0, 4, CT_MJ_FLOAT, 3, NULL},
                              {"", 0, 4, CT_MJ_FLOAT, 4, NULL},
                              {"", 0, 4, CT_MJ_FLOAT, weight->count, NULL}};
    const ctMjRow ints = {"", 0, 4, CT_MJ_INT, id->count, NULL};
    char* pos = ct_mj_format(&floats[0], s->bindpos->items + 12 * i);
    char* quat = ct_mj_format(&floats[1], s->bindquat->items + 16 * i);
    char* vertices = ct_mj_format(&ints, id->items);
    char* weights = ct_mj_format(&floats[2], weight->items);
    const char* words[] = {"body",       ct_mj_text(ct_mj_nest_at(s->bodyname, i)),
                           "bindpos",    pos ? pos : "",
                           "bindquat",   quat ? quat : "",
                           "vertid",     vertices ? vertices : "",
                           "vertweight", weights ? weights : "",
                           NULL};
    status = ct_spec_add(NULL, spec, b->impl, "bone", words, err);
    free(pos);
    free(quat);
    free(vertices);
    free(weights);
  }
  return status;
}

// Members that MJCF has no words for: an error when a program sets them.
static inline ctStatus ct_mj_refuse(const ctMjBlock* b) {
  const char* member = NULL;
  const void *now = b->now, *old = b->before;
  if (b->kind->type == mjOBJ_MESH) {
    const mjsMesh *m = (const mjsMesh*)now, *before = (const mjsMesh*)old;
    if (m->needsdf) member = "needsdf";
    if (m->octree_maxdepth != before->octree_maxdepth) member = "octree_maxdepth";
    if (m->userfacenormal->count) member = "userfacenormal";
    if (m->userfacetexcoord->count) member = "userfacetexcoord";
    if (m->usernode->count || m->usertet->count) member = "usernode";
  }
  if (b->kind->type == mjOBJ_FLEX) {
    const mjsFlex* f = (const mjsFlex*)now;
    if (f->elastic3d) member = "elastic3d";
    if (f->size[0] != 0 || f->size[1] != 0 || f->size[2] != 0) member = "size";
  }
  if (b->kind->type == mjOBJ_CAMERA &&
      memcmp(((const mjsCamera*)now)->intrinsic, ((const mjsCamera*)old)->intrinsic, 4 * sizeof(float)) != 0)
    member = "intrinsic";
  if (!member) return CT_OK;
  snprintf(b->spec->error_.message, sizeof(b->spec->error_.message), "%s: %s is not supported",
           ct_mj_object(b->kind->type), member);
  return CT_ERR_UNSUPPORTED;
}

static inline ctStatus ct_mj_write_special(ctMjBlock* b) {
  ctStatus status = ct_mj_refuse(b);
  if (b->template_ || status != CT_OK) return status;
  const mjtObj type = b->kind->type;
  if (type == mjOBJ_BODY) status = ct_mj_write_body(b);
  if (type == mjOBJ_ACTUATOR) status = ct_mj_write_actuator(b);
  if (type == mjOBJ_MATERIAL) status = ct_mj_write_material(b);
  if (type == mjOBJ_TEXTURE) status = ct_mj_write_texture(b);
  if (type == mjOBJ_SKIN) status = ct_mj_write_skin(b);
  if (type == mjOBJ_GEOM) {
    const mjtNum fluid = ((const mjsGeom*)(void*)b->now)->fluid_ellipsoid;
    if ((fluid != 0) != (((const mjsGeom*)(void*)b->before)->fluid_ellipsoid != 0))
      status = ct_mj_set(b, "fluidshape", fluid != 0 ? "ellipsoid" : "none");
  }
  if (type == mjOBJ_CAMERA) {
    const int output = ((const mjsCamera*)(void*)b->now)->output;
    char words[80];
    ct_mj_words_of(output, CT_MJ_OUTPUTS, words, sizeof(words));
    if (output != ((const mjsCamera*)(void*)b->before)->output) status = ct_mj_set(b, "output", words);
  }
  return status == CT_OK ? ct_mj_write_plugin(b) : status;
}

#ifdef __cplusplus
}
#endif
