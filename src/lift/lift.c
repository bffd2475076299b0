#include "lift/lift.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/files.h"
#include "model/names.h"
#include "spec/format.h"
#include "spec/spec.h"

// ---- elements

void cti_lift_place(ctiLift* l, ctiElement* e, ctObjType type, int id, const char* tag,
                    const ctiAttrTable* attrs) {
  e->tag = tag;
  e->attrs = attrs;
  l->element[type][id] = e;
}

ctiClass* cti_lift_class(ctiLift* l, ctiElement* e, const char* what, int id) {
  char name[48];
  snprintf(name, sizeof(name), "%s%d", what, id);
  ctiClass* c = cti_spec_add_class(l->s, name, l->s->classes.data[0]);
  if (c) e->class_ = c->name;
  return c;
}

// Sensors tell the frame of a body from that of its inertia; the name is the same.
static int named_type(int type) {
  return type == CT_OBJ_XBODY ? CT_OBJ_BODY : type;
}

// What something refers to needs a name in a file.
static const char* make_name(ctiLift* l, int type, int id) {
  const char* word = cti_object_word((ctObjType)type);
  char name[64];
  snprintf(name, sizeof(name), "%s%d", word, id);
  for (int n = 1; ct_model_name2id(l->m, (ctObjType)type, name) >= 0; n++)
    snprintf(name, sizeof(name), "%s%d_%d", word, id, n);
  const char* kept = cti_intern(&l->s->strings, name);
  const ctiElement e = {.tag = word, .name = kept};
  l->renamed = true;
  if (kept) cti_remark(l->s, CT_LOG_INFO, &e, "it had no name, and is called so because it is referred to");
  return kept;
}

const char* cti_lift_ref(ctiLift* l, int type, int id) {
  const char** name = &l->name[named_type(type)][id];
  if (!*name) *name = make_name(l, named_type(type), id);
  return *name;
}

// Models in memory may have been changed: ids are looked at before they are used.
ctStatus cti_lift_refer(ctiLift* l, const char** member, int type, int id) {
  if (id < 0) return CT_OK;
  bool known = type >= 0 && type < CT_OBJ_COUNT && l->name[named_type(type)];
  if (!known || id >= ct_model_count(l->m, (ctObjType)named_type(type)))
    return cti_error(l->err, CT_ERR_UNSUPPORTED, "there is no object %d of kind %d to refer to", id, type);
  *member = cti_lift_ref(l, type, id);
  return *member ? CT_OK : cti_error_memory(l->err);
}

ctStatus cti_lift_cannot(ctiLift* l, int type, int id, const char* format, ...) {
  char what[256];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof(what), format, args);
  va_end(args);
  const char* name = l->name[named_type(type)] ? l->name[named_type(type)][id] : NULL;
  const ctiElement* e = l->element[named_type(type)] ? l->element[named_type(type)][id] : NULL;
  return cti_error(l->err, CT_ERR_UNSUPPORTED, "<%s> %d \"%s\" cannot be said in MJCF: %s",
                   e ? e->tag : "element", id, name ? name : "", what);
}

// ---- text

ctStatus cti_lift_text(ctiLift* l, const char** out, const char* text) {
  const char* end = text + strlen(text);
  for (const char* c = text; c < end;) {
    int n = cti_xml_length(c, end);
    if (n == 0)
      return cti_error(
          l->err, CT_ERR_UNSUPPORTED,
          "a text of the model has byte %d: names and texts of XML are UTF-8 without control characters",
          (unsigned char)*c);
    c += n;
  }
  *out = cti_intern(&l->s->strings, text);
  return *out ? CT_OK : cti_error_memory(l->err);
}

// ---- numbers

void cti_lift_reals(double* to, const ctReal* from, int n) {
  for (int i = 0; i < n; i++) to[i] = (double)from[i];
}

void cti_lift_quat(ctiOrient* to, const ctReal quat[4]) {
  to->form = CTI_ORIENT_QUAT;
  cti_lift_reals(to->quat, quat, 4);
}

double cti_lift_short(float x) {
  char text[40];
  ctiOut out = {.data = text, .size = sizeof(text)};
  double back = (double)x;
  cti_out_float(&out, x);
  (void)cti_parse_real(text, NULL, &back);
  return back;
}

// Room for a list of the spec.
static double* list_of(ctiLift* l, ctiReals* to, int n) {
  double* data = CTI_NEW_ARRAY(l->s->region, double, n);
  *to = (ctiReals){data, data ? n : 0};
  return data;
}

ctStatus cti_lift_list(ctiLift* l, ctiReals* to, const ctReal* from, int n) {
  double* data = list_of(l, to, n);
  if (!data) return cti_error_memory(l->err);
  cti_lift_reals(data, from, n);
  return CT_OK;
}

ctStatus cti_lift_floats(ctiLift* l, ctiReals* to, const float* from, int n) {
  double* data = list_of(l, to, n);
  if (!data) return cti_error_memory(l->err);
  for (int i = 0; i < n; i++) data[i] = cti_lift_short(from[i]);
  return CT_OK;
}

ctStatus cti_lift_ints(ctiLift* l, ctiReals* to, const int* from, int n) {
  double* data = list_of(l, to, n);
  if (!data) return cti_error_memory(l->err);
  for (int i = 0; i < n; i++) data[i] = from[i];
  return CT_OK;
}

ctStatus cti_lift_user(ctiLift* l, ctiReals* to, const ctReal* from, int id, int n) {
  const ctReal* row = from + (ptrdiff_t)id * n;
  while (n > 0 && row[n - 1] == 0) n--;
  return n > 0 ? cti_lift_list(l, to, row, n) : CT_OK;
}

// ---- files

// Letters that every file system takes.
static void sanitise(char* text) {
  for (char* c = text; *c; c++) {
    bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                 *c == '-' || *c == '_' || *c == '.';
    if (!plain) *c = '_';
  }
}

ctStatus cti_lift_file(ctiLift* l, const char** out, int type, int id, const char* what, const char* ending,
                       const void* data, size_t size) {
  const char* name = l->name[type][id];
  char own[48];
  snprintf(own, sizeof(own), "%.40s", name ? name : "");
  sanitise(own);
  if (!l->files)
    return cti_lift_cannot(l, type, id, "it needs a file beside the text, and there is no place for files");
  // the id makes it unique
  const char* file =
      cti_region_printf(l->s->region, "%s%s%d%s%s.%s", l->prefix, what, id, own[0] ? "_" : "", own, ending);
  if (!file) return cti_error_memory(l->err);
  *out = file;
  return ct_vfs_add(l->files, file, data, size, l->err);
}

// ---- the whole

static ctStatus (*const parts[])(ctiLift* l) = {
    cti_lift_settings,  cti_lift_meshes,  cti_lift_hfields,  cti_lift_textures,   cti_lift_materials,
    cti_lift_tree,      cti_lift_skins,   cti_lift_contacts, cti_lift_equalities, cti_lift_tendons,
    cti_lift_actuators, cti_lift_sensors, cti_lift_custom,   cti_lift_keyframes,
};

// The names of the model. The world needs none of its own.
static ctStatus take_names(ctiLift* l, const ctiNamedKind* kind) {
  ctObjType type = kind->type;
  int n = cti_named_count(l->m, kind);
  l->name[type] = CTI_NEW_ARRAY(l->s->region, const char*, n);
  l->element[type] = CTI_NEW_ARRAY(l->s->region, ctiElement*, n);
  if (!l->name[type] || !l->element[type]) return cti_error_memory(l->err);
  for (int i = 0; i < n; i++) {
    const char* name = ct_model_id2name(l->m, type, i);
    if (name) CT_TRY(cti_lift_text(l, &l->name[type][i], name));
  }
  if (type == CT_OBJ_BODY) l->name[type][0] = l->s->world->head.name;
  return CT_OK;
}

static ctStatus prepare(ctiLift* l) {
  for (int k = 0; k < cti_named_kind_count; k++) CT_TRY(take_names(l, &cti_named_kinds[k]));
  l->mesh = CTI_NEW_ARRAY(l->s->region, ctiLiftFrame, l->m->nmesh);
  return l->mesh ? CT_OK : cti_error_memory(l->err);
}

// Hulls of rounded vertices.
static void tell_hulls(const ctiLift* l) {
  const ctiElement e = {.tag = "mesh", .name = l->hulls > 0 ? l->name[CT_OBJ_MESH][l->hull] : NULL};
  char others[48] = "";
  if (l->hulls > 1) snprintf(others, sizeof(others), " (and %d more)", l->hulls - 1);
  if (l->hulls > 0)
    cti_remark(l->s, CT_LOG_INFO, &e,
               "its hull%s comes back from rounded vertices: the same shape, with faces in another order",
               others);
}

static ctStatus build(ctiLift* l) {
  const ctModel* m = l->m;
  if (m->nflex > 0 || m->nplugin > 0)
    return cti_error(l->err, CT_ERR_UNSUPPORTED, "models with %s cannot be written as MJCF",
                     m->nflex > 0 ? "deformables" : "plugins");
  CT_TRY(prepare(l));
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) CT_TRY(parts[i](l));
  for (int k = 0; k < cti_named_kind_count; k++) {
    ctObjType type = cti_named_kinds[k].type;
    for (int i = 0; i < cti_named_count(m, &cti_named_kinds[k]); i++) {
      if (l->element[type][i]) l->element[type][i]->name = l->name[type][i];
    }
  }
  return CT_OK;
}

// What comes back is compared with the model.
static ctStatus check(const ctiLift* l, bool must_compile) {
  ctError own = {0};
  ctStatus status = cti_lift_check(l->s, l->m, l->renamed, &own);
  if (status == CT_OK) return CT_OK;
  if (status == CT_ERR_MEMORY || must_compile) {
    if (l->err) *l->err = own;
    return status;
  }
  const ctiElement e = {.tag = "mujoco"};
  cti_remark(l->s, CT_LOG_WARNING, &e, "it does not compile again: %s", own.message);
  return CT_OK;
}

ctStatus cti_lift(ctSpec** out, const ctModel* m, ctVfs* files, const char* prefix, const ctLog* log,
                  bool must_compile, ctError* err) {
  const ctLoadOptions opt = {.allocator = &m->allocator, .vfs = files, .log = log};
  CT_TRY(ct_spec_create(out, &opt, err));
  ctiLift l = {.m = m, .s = *out, .files = files, .prefix = prefix, .err = err};
  ctStatus status = build(&l);
  if (status == CT_OK) tell_hulls(&l);
  if (status == CT_OK && (log || must_compile)) status = check(&l, must_compile);
  if (status == CT_OK) return CT_OK;
  ct_spec_free(*out);
  *out = NULL;
  return status;
}

ctStatus ct_spec_from_model(ctSpec** out, const ctModel* m, ctVfs* files, const ctLog* log, ctError* err) {
  if (out) *out = NULL;
  if (!out || !m) return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_from_model: out and m must not be NULL");
  return cti_lift(out, m, files, "", log, false, err);
}
