/// @file
/// Part of corten/mujoco.h: members of the structs of an mjSpec from and to the attributes of a ctSpec.
#pragma once

#include "corten/mujoco_elements.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- tables

typedef enum ctMjCodec {
  CT_MJ_REAL,
  CT_MJ_NUM,
  CT_MJ_FLOAT,
  CT_MJ_INT,
  CT_MJ_BOOL,
  CT_MJ_WORD,
  CT_MJ_STRING,
  CT_MJ_REALS,
  CT_MJ_FLOATS,
  CT_MJ_INTS,
  CT_MJ_NAMES,
  CT_MJ_TURN
} ctMjCodec;  ///< how a member is kept

/// A member of a struct, and the attribute it is.
typedef struct ctMjRow {
  const char* attr;     ///< in MJCF
  size_t offset, size;  ///< in the struct
  ctMjCodec codec;      ///< how it is kept
  int count;            ///< how many numbers
  const char* words;    ///< of an enumeration, in its order
} ctMjRow;

/// A kind of element.
typedef struct ctMjKind {
  mjtObj type;          ///< as there
  const char* place;    ///< where it is added
  const char* class_;   ///< its name in a default class
  const ctMjRow* rows;  ///< its members
  int nrow;             ///< how many
  size_t size, info;    ///< of the struct; where `info` is in it
} ctMjKind;

// clang-format off
#define CT_MJ_ROW_N(type, name, attr, codec) {attr, offsetof(ct_mj_of, name), sizeof(type), CT_MJ_##codec, 1, NULL},
#define CT_MJ_ROW_A(type, name, count, attr, codec) {attr, offsetof(ct_mj_of, name), sizeof(type), CT_MJ_##codec, count, NULL},
#define CT_MJ_ROW_W(type, name, attr, words) {attr, offsetof(ct_mj_of, name), sizeof(type), CT_MJ_WORD, 1, words},
#define CT_MJ_ROW_T(name, attr) {attr, offsetof(ct_mj_of, name), sizeof(void*), CT_MJ_STRING, 1, NULL},
#define CT_MJ_ROW_L(type, name, attr, codec) {attr, offsetof(ct_mj_of, name), sizeof(void*), CT_MJ_##codec, 1, NULL},
#define CT_MJ_ROW_O(name) {"", offsetof(ct_mj_of, name), sizeof(mjsOrientation), CT_MJ_TURN, 1, NULL},
#define CT_MJ_ROW_M(declaration)
#define CT_MJ_ROWS(list) CT_MJ_##list(CT_MJ_ROW_N, CT_MJ_ROW_A, CT_MJ_ROW_W, CT_MJ_ROW_T, CT_MJ_ROW_L, CT_MJ_ROW_O, CT_MJ_ROW_M) {NULL, 0, 0, CT_MJ_REAL, 0, NULL}

// `ct_mj_of` is the struct whose rows these are.
static inline const ctMjKind* ct_mj_kind(mjtObj type) {
#define X(name, list, place, class_) \
  if (type == mjOBJ_##list) { \
    typedef name ct_mj_of; \
    static const ctMjRow rows[] = {CT_MJ_ROWS(list)}; \
    static const ctMjKind kind = {mjOBJ_##list, place, class_, rows, (int)(sizeof(rows) / sizeof(rows[0])) - 1, sizeof(ct_mj_of), offsetof(ct_mj_of, info)}; \
    return &kind; \
  }
  CT_MJ_KINDS(X)
#undef X
  static const ctMjKind plugin = {mjOBJ_PLUGIN, "", NULL, NULL, 0, sizeof(mjsPlugin), offsetof(mjsPlugin, info)};
  return type == mjOBJ_PLUGIN ? &plugin : NULL;
}
// clang-format on

// Lists of structs that are no attributes: where they are, and whether they are lists of lists.
typedef struct ctMjExtra {
  mjtObj type;    ///< of the struct
  size_t offset;  ///< in it
  bool nested;    ///< a list of lists
} ctMjExtra;

static inline const ctMjExtra* ct_mj_extras(int* count) {
  static const ctMjExtra list[] = {
      {mjOBJ_ACTUATOR, offsetof(mjsActuator, target), false},
      {mjOBJ_MATERIAL, offsetof(mjsMaterial, textures), true},
      {mjOBJ_EQUALITY, offsetof(mjsEquality, name1), false},
      {mjOBJ_EQUALITY, offsetof(mjsEquality, name2), false},
      {mjOBJ_SENSOR, offsetof(mjsSensor, objname), false},
      {mjOBJ_SENSOR, offsetof(mjsSensor, refname), false},
      {mjOBJ_TUPLE, offsetof(mjsTuple, objtype), false},
      {mjOBJ_TUPLE, offsetof(mjsTuple, objname), true},
      {mjOBJ_TUPLE, offsetof(mjsTuple, objprm), false},
      {mjOBJ_MESH, offsetof(mjsMesh, userfacenormal), false},
      {mjOBJ_MESH, offsetof(mjsMesh, userfacetexcoord), false},
      {mjOBJ_MESH, offsetof(mjsMesh, usernode), false},
      {mjOBJ_MESH, offsetof(mjsMesh, usertet), false},
      {mjOBJ_TEXTURE, offsetof(mjsTexture, cubefiles), true},
      {mjOBJ_TEXTURE, offsetof(mjsTexture, data), false},
      {mjOBJ_SKIN, offsetof(mjsSkin, bodyname), true},
      {mjOBJ_SKIN, offsetof(mjsSkin, bindpos), false},
      {mjOBJ_SKIN, offsetof(mjsSkin, bindquat), false},
      {mjOBJ_SKIN, offsetof(mjsSkin, vertid), true},
      {mjOBJ_SKIN, offsetof(mjsSkin, vertweight), true},
  };
  *count = (int)(sizeof(list) / sizeof(list[0]));
  return list;
}

// ---- the structs that a program has asked for

/// A struct of an element, of what a default class says of its kind, or of a section.
typedef struct ctMjBlock {
  mjsElement element;      ///< what the struct points to
  mjSpec* spec;            ///< whose it is
  ctElement* impl;         ///< NULL while it is not made, and for classes and sections
  const char* class_;      ///< the default class: of the struct, or of an element that is not made
  const char* section;     ///< of settings
  bool template_;          ///< of a default class itself
  bool removed;            ///< mjs_delete()
  const ctMjKind* kind;    ///< NULL for sections
  const ctMjRow* rows;     ///< members
  int nrow;                ///< how many
  size_t size;             ///< of the struct
  char *now, *before;      ///< the struct, and as it was when it was last written
  char name[256];          ///< of an element that is not made
  ctMjList called;         ///< the name, where it was asked for
  struct ctMjUse* use;     ///< the plugin that computes for it
  struct ctMjValue* user;  ///< mjs_setUserValue()
  mjsWrap* path;           ///< of a tendon
  int npath;               ///< how many it passes
  bool path_changed;       ///< since it was made
  struct ctMjBlock* next;  ///< of the spec
} ctMjBlock;

static inline ctMjBlock* ct_mj_block(const mjsElement* element) {
  return (ctMjBlock*)(uintptr_t)element;
}
static inline bool ct_mj_is_list(ctMjCodec codec) {
  return codec == CT_MJ_STRING || codec == CT_MJ_REALS || codec == CT_MJ_FLOATS || codec == CT_MJ_INTS ||
         codec == CT_MJ_NAMES;
}

// Text of an attribute, to be freed; NULL when there is none.
static inline char* ct_mj_get(const ctMjBlock* b, const char* attr) {
  size_t length = 0;
  char* text = NULL;
  for (int pass = 0; pass < 2; pass++) {
    ctStatus status = CT_ERR_INVALID;
    size_t room = pass ? length + 1 : 0;
    if (b->section)
      status = ct_spec_get(b->spec->impl_, b->section, attr, text, room, &length, NULL);
    else if (b->impl)
      status = ct_element_get(b->impl, attr, text, room, &length, NULL);
    else if (b->class_ && b->kind->class_)
      status =
          ct_spec_get_default(b->spec->impl_, b->class_, b->kind->class_, attr, text, room, &length, NULL);
    if (status != CT_OK || (!text && !(text = (char*)calloc(length + 1, 1)))) {
      free(text);
      return NULL;
    }
  }
  return text;
}

static inline ctStatus ct_mj_set(ctMjBlock* b, const char* attr, const char* text) {
  ctError* err = &b->spec->error_;
  if (b->section) return ct_spec_set(b->spec->impl_, b->section, attr, text, err);
  if (b->template_) return ct_spec_set_default(b->spec->impl_, b->class_, b->kind->class_, attr, text, err);
  return b->impl ? ct_element_set(b->spec->impl_, b->impl, attr, text, err) : CT_OK;
}

static inline int ct_mj_word(const char* words, const char* text) {
  const size_t length = strlen(text);
  for (int i = 0; *words; i++) {
    const size_t each = strcspn(words, " ");
    if (each == length && strncmp(words, text, each) == 0) return i;
    words += each;
    words += *words == ' ';
  }
  return 0;
}

static inline void ct_mj_word_at(const char* words, int index, char* out, size_t size) {
  for (; index > 0 && *words; index--) {
    words += strcspn(words, " ");
    words += *words == ' ';
  }
  snprintf(out, size, "%.*s", (int)strcspn(words, " "), words);
}

static inline void ct_mj_put_number(const ctMjRow* r, char* at, int i, double x) {
  if (r->codec == CT_MJ_REAL) ((double*)(void*)at)[i] = x;
  if (r->codec == CT_MJ_NUM) ((mjtNum*)(void*)at)[i] = (mjtNum)x;
  if (r->codec == CT_MJ_FLOAT) ((float*)(void*)at)[i] = (float)x;
  if (r->codec == CT_MJ_INT) ((int*)(void*)at)[i] = (int)x;
}

static inline double ct_mj_number(const ctMjRow* r, const char* at, int i) {
  if (r->codec == CT_MJ_REAL) return ((const double*)(const void*)at)[i];
  if (r->codec == CT_MJ_NUM) return (double)((const mjtNum*)(const void*)at)[i];
  if (r->codec == CT_MJ_FLOAT) return (double)((const float*)(const void*)at)[i];
  return ((const int*)(const void*)at)[i];
}

// Lists of a struct that are no attributes, one after the other: NULL behind the last.
static inline ctMjList* ct_mj_extra(const ctMjBlock* b, int* i) {
  int n;
  const ctMjExtra* all = ct_mj_extras(&n);
  for (; b->kind && *i < n; (*i)++) {
    if (all[*i].type == b->kind->type) return *(ctMjList**)(void*)(b->now + all[(*i)++].offset);
  }
  return NULL;
}

static inline void ct_mj_put_list(const ctMjRow* r, ctMjList* list, const char* text) {
  if (r->codec == CT_MJ_STRING) {
    ct_mj_list_set(list, text, (int)strlen(text), 1);
    return;
  }
  if (r->codec == CT_MJ_NAMES) {
    ct_mj_names_set(list, text);
    return;
  }
  int n = 0;
  double* x = (double*)malloc((strlen(text) / 2 + 2) * sizeof(double));
  char* end;
  for (const char* at = text; x; at = end, n++) {
    const double value = strtod(at, &end);
    if (end == at) break;
    x[n] = value;
  }
  if (!x) return;
  for (int i = 0; i < n; i++) {
    if (r->codec == CT_MJ_FLOATS) ((float*)(void*)x)[i] = (float)x[i];
    if (r->codec == CT_MJ_INTS) ((int*)(void*)x)[i] = (int)x[i];
  }
  ct_mj_list_set(list, x, n, r->codec == CT_MJ_REALS ? 8 : 4);
  free(x);
}

// Fill a member from the attribute.
static inline void ct_mj_read(ctMjBlock* b, const ctMjRow* r) {
  char* at = b->now + r->offset;
  char* text = r->codec == CT_MJ_TURN ? NULL : ct_mj_get(b, r->attr);
  if (ct_mj_is_list(r->codec)) {
    ctMjList* list = *(ctMjList**)(void*)at;
    if (text) ct_mj_put_list(r, list, text);
    list->changed = false;
  } else if (text && r->codec == CT_MJ_BOOL) {
    *(mjtBool*)(void*)at = strcmp(text, "true") == 0;
  } else if (text && text[0] && r->codec == CT_MJ_WORD) {
    const int value = ct_mj_word(r->words, text);
    if (r->size == 1) *(mjtBool*)(void*)at = value != 0;
    if (r->size == sizeof(int)) *(int*)(void*)at = value;
  } else if (text) {
    char* end = text;
    for (int i = 0; i < r->count; i++) {
      char* from = end;
      const double x = strtod(from, &end);
      if (end == from) break;
      ct_mj_put_number(r, at, i, x);
    }
  }
  free(text);
}

// What the attribute becomes, to be freed; NULL when the member says nothing.
static inline char* ct_mj_format(const ctMjRow* r, const char* at) {
  if (r->codec == CT_MJ_STRING) {
    const ctMjList* list = *(ctMjList* const*)(const void*)at;
    char* text = (char*)calloc((size_t)list->count + 1, 1);
    if (text && list->items) memcpy(text, list->items, (size_t)list->count);
    return text;
  }
  if (r->codec == CT_MJ_NAMES) return ct_mj_names_text(*(ctMjList* const*)(const void*)at);
  const ctMjList* list = ct_mj_is_list(r->codec) ? *(ctMjList* const*)(const void*)at : NULL;
  const int n = list ? list->count : r->count;
  const size_t room = 32 * (size_t)n + 64;
  char* text = (char*)calloc(room, 1);
  if (!text) return NULL;
  if (r->codec == CT_MJ_BOOL) {
    snprintf(text, room, "%s", *(const mjtBool*)(const void*)at ? "true" : "false");
  } else if (r->codec == CT_MJ_WORD) {
    ct_mj_word_at(r->words, r->size == 1 ? *(const mjtBool*)(const void*)at : *(const int*)(const void*)at,
                  text, room);
  } else {
    size_t length = 0;
    ctMjRow each = *r;
    if (list)
      each.codec = r->codec == CT_MJ_REALS ? CT_MJ_REAL : r->codec == CT_MJ_FLOATS ? CT_MJ_FLOAT : CT_MJ_INT;
    for (int i = 0; i < n; i++) {
      const double x = ct_mj_number(&each, list ? list->items : at, i);
      if (isnan(x)) {
        free(text);
        return NULL;
      }
      length += (size_t)snprintf(text + length, room - length, "%s%.17g", i ? " " : "", x);
    }
  }
  return text;
}

static inline bool ct_mj_changed(const ctMjBlock* b, const ctMjRow* r) {
  if (ct_mj_is_list(r->codec)) return (*(ctMjList**)(void*)(b->now + r->offset))->changed;
  const size_t size = r->codec == CT_MJ_TURN ? r->size : r->size * (size_t)r->count;
  return memcmp(b->now + r->offset, b->before + r->offset, size) != 0;
}

static inline ctStatus ct_mj_write_turn(ctMjBlock* b, const ctMjRow* r) {
  const mjsOrientation* o = (const mjsOrientation*)(const void*)(b->now + r->offset);
  static const char* const names[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};
  static const int counts[] = {0, 4, 6, 3, 3};
  const double* const numbers[] = {NULL, o->axisangle, o->xyaxes, o->zaxis, o->euler};
  if (o->type <= mjORIENTATION_QUAT || o->type > mjORIENTATION_EULER) return CT_OK;
  const ctMjRow row = {names[o->type], 0, sizeof(double), CT_MJ_REAL, counts[o->type], NULL};
  char* text = ct_mj_format(&row, (const char*)numbers[o->type]);
  const ctStatus status = text ? ct_mj_set(b, row.attr, text) : CT_OK;
  free(text);
  return status;
}

static inline ctStatus ct_mj_write_member(ctMjBlock* b, const ctMjRow* r) {
  if (r->codec == CT_MJ_TURN) return ct_mj_write_turn(b, r);
  char* text = ct_mj_format(r, b->now + r->offset);
  const ctStatus status = text ? ct_mj_set(b, r->attr, text) : CT_OK;
  free(text);
  return status;
}

// From now on what is there counts as written.
static inline void ct_mj_settle(ctMjBlock* b) {
  memcpy(b->before, b->now, b->size);
  for (int i = 0; i < b->nrow; i++) {
    if (ct_mj_is_list(b->rows[i].codec)) (*(ctMjList**)(void*)(b->now + b->rows[i].offset))->changed = false;
  }
  int at = 0;
  for (ctMjList* list = ct_mj_extra(b, &at); list; list = ct_mj_extra(b, &at)) list->changed = false;
}

// A struct of `rows` for an element, a class or a section: `fill` has those set that say which.
static inline ctMjBlock* ct_mj_open(mjSpec* s, const ctMjBlock* fill) {
  ctMjBlock* b = (ctMjBlock*)calloc(1, sizeof(ctMjBlock));
  char* memory = b ? (char*)calloc(2, fill->size) : NULL;
  if (!memory) {
    free(b);
    mju_error("mjs: out of memory");
    return NULL;
  }
  *b = *fill;
  b->spec = s;
  b->now = memory;
  b->before = memory + fill->size;
  if (s->last_)
    s->last_->next = b;
  else
    s->blocks_ = b;
  s->last_ = b;
  int n;
  const ctMjExtra* all = ct_mj_extras(&n);
  for (int i = 0; i < n; i++) {
    if (b->kind && all[i].type == b->kind->type)
      *(void**)(void*)(b->now + all[i].offset) = calloc(1, sizeof(ctMjList));
  }
  for (int i = 0; i < b->nrow; i++) {
    if (ct_mj_is_list(b->rows[i].codec))
      *(void**)(void*)(b->now + b->rows[i].offset) = calloc(1, sizeof(ctMjList));
  }
  return b;
}

// Values that no attribute says: nothing is said, or the compiler decides.
static inline void ct_mj_preset(ctMjBlock* b) {
  void* now = b->now;
  if (!b->kind) return;
  if (b->kind->type == mjOBJ_JOINT) ((mjsJoint*)now)->align = mjALIGNFREE_AUTO;
  if (b->kind->type == mjOBJ_SITE) ((mjsSite*)now)->fromto[0] = (double)NAN;
  if (b->kind->type == mjOBJ_GEOM) ((mjsGeom*)now)->fromto[0] = ((mjsGeom*)now)->mass = (double)NAN;
}

static inline void ct_mj_fill(ctMjBlock* b) {
  ct_mj_preset(b);
  for (int i = 0; i < b->nrow; i++) ct_mj_read(b, &b->rows[i]);
  ct_mj_settle(b);
}

#ifdef __cplusplus
}
#endif
