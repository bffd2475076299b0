#include "decompile/decompile.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/files.h"
#include "base/fn.h"
#include "model/fields.h"
#include "model/names.h"
#include "spec/format.h"
#include "spec/spec.h"

// ---- elements

void cti_decompile_place(ctiDecompiler* l, ctiElement* e, ctObjType type, int id, const char* tag,
                         const ctiAttrTable* attrs) {
  e->tag = tag;
  e->attrs = attrs;
  l->element[type][id] = e;
}

// Sensors distinguish the frame of a body from that of its inertia; the name is the same.
static int named_type(int type) {
  return type == CT_OBJ_XBODY ? CT_OBJ_BODY : type;
}

// What something refers to needs a name in a file.
static const char* make_name(ctiDecompiler* l, int type, int id) {
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

const char* cti_decompile_ref(ctiDecompiler* l, int type, int id) {
  const char** name = &l->name[named_type(type)][id];
  if (!*name) *name = make_name(l, named_type(type), id);
  return *name;
}

// Models in memory may have been changed: ids are looked at before they are used.
ctStatus cti_decompile_refer(ctiDecompiler* l, const char** member, int type, int id) {
  if (id < 0) return CT_OK;
  bool known = type >= 0 && type < CT_OBJ_COUNT && l->name[named_type(type)];
  if (!known || id >= ct_model_count(l->m, (ctObjType)named_type(type)))
    return cti_error(l->err, CT_ERR_UNSUPPORTED, "there is no object %d of kind %d to refer to", id, type);
  *member = cti_decompile_ref(l, type, id);
  return *member ? CT_OK : cti_error_memory(l->err);
}

ctStatus cti_decompile_cannot(ctiDecompiler* l, int type, int id, const char* format, ...) {
  char what[256];
  va_list args;
  va_start(args, format);
  cti_vformat(what, sizeof(what), format, args);
  va_end(args);
  const char* name = l->name[named_type(type)] ? l->name[named_type(type)][id] : NULL;
  const ctiElement* e = l->element[named_type(type)] ? l->element[named_type(type)][id] : NULL;
  return cti_error(l->err, CT_ERR_UNSUPPORTED, "<%s> %d \"%s\" cannot be said in MJCF: %s",
                   e ? e->tag : "element", id, name ? name : "", what);
}

// ---- text

ctStatus cti_decompile_text(ctiDecompiler* l, const char** out, const char* text) {
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

void cti_decompile_reals(double* to, const ctReal* from, int n) {
  for (int i = 0; i < n; i++) to[i] = (double)from[i];
}

double cti_decompile_short(float x) {
  char text[40];
  ctiOut out = {.data = text, .size = sizeof(text)};
  double back = (double)x;
  cti_out_float(&out, x);
  (void)cti_parse_real(text, NULL, &back);
  return back;
}

// Room for a list of the spec.
static double* list_of(ctiDecompiler* l, ctiReals* to, int n) {
  double* data = CTI_NEW_ARRAY(l->s->region, double, n);
  *to = (ctiReals){data, data ? n : 0};
  return data;
}

ctStatus cti_decompile_list(ctiDecompiler* l, ctiReals* to, const ctReal* from, int n) {
  double* data = list_of(l, to, n);
  if (!data) return cti_error_memory(l->err);
  cti_decompile_reals(data, from, n);
  return CT_OK;
}

ctStatus cti_decompile_floats(ctiDecompiler* l, ctiReals* to, const float* from, int n) {
  double* data = list_of(l, to, n);
  if (!data) return cti_error_memory(l->err);
  for (int i = 0; i < n; i++) data[i] = cti_decompile_short(from[i]);
  return CT_OK;
}

ctStatus cti_decompile_ints(ctiDecompiler* l, ctiReals* to, const int* from, int n) {
  double* data = list_of(l, to, n);
  if (!data) return cti_error_memory(l->err);
  for (int i = 0; i < n; i++) data[i] = from[i];
  return CT_OK;
}

ctStatus cti_decompile_user(ctiDecompiler* l, ctiReals* to, const ctReal* from, int id, int n) {
  const ctReal* row = from + (ptrdiff_t)id * n;
  while (n > 0 && row[n - 1] == 0) n--;
  return n > 0 ? cti_decompile_list(l, to, row, n) : CT_OK;
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

ctStatus cti_decompile_file(ctiDecompiler* l, const char** out, int type, int id, const char* what,
                            const char* ending, const void* data, size_t size) {
  const char* name = l->name[type][id];
  char own[48];
  snprintf(own, sizeof(own), "%.40s", name ? name : "");
  sanitise(own);
  if (!l->files)
    return cti_decompile_cannot(l, type, id,
                                "it needs a file beside the text, and there is no place for files");
  // the id makes it unique
  const char* file =
      cti_region_printf(l->s->region, "%s%s%d%s%s.%s", l->prefix, what, id, own[0] ? "_" : "", own, ending);
  if (!file) return cti_error_memory(l->err);
  *out = file;
  return ct_vfs_add(l->files, file, data, size, l->err);
}

// ---- settings

// Those of the model, and those that leave its numbers alone.

// Whether a statistic is the mean of numbers: the compiler finds it again, and nobody has to say it.
static bool is_mean(ctReal statistic, const ctReal* v, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (double)v[i];
  double mean = n > 0 ? sum / n : 1;
  return fabs(mean - (double)statistic) <= (sizeof(ctReal) == sizeof(double) ? 1e-12 : 1e-6) * fabs(mean);
}

static void decompile_statistic(ctiStatistic* s, const ctModel* m) {
  const ctStatistic* from = &m->stat;
  if (!is_mean(from->meaninertia, m->dof_M0, m->nv)) s->meaninertia = (double)from->meaninertia;
  if (!is_mean(from->meanmass, m->body_mass + 1, m->nbody - 1)) s->meanmass = (double)from->meanmass;
  s->meansize = (double)from->meansize;
  s->extent = (double)from->extent;
  cti_decompile_reals(s->center, from->center, 3);
}

// Whether the compiler would look for a length range that the model does without.
static bool misses_range(const ctModel* m) {
  for (int i = 0; i < m->nactuator; i++) {
    const ctReal* range = m->actuator_lengthrange + 2 * m->actuator_outadr[i];
    bool muscle = m->actuator_gaintype[i] == CT_GAIN_MUSCLE || m->actuator_biastype[i] == CT_BIAS_MUSCLE;
    if (muscle && !(range[0] < range[1])) return true;
  }
  return false;
}

ctStatus cti_decompile_settings(ctiDecompiler* l) {
  const ctModel* m = l->m;
  ctSpec* s = l->s;
  CT_TRY(cti_decompile_text(l, &s->modelname, m->names));
  s->option = m->opt;
  s->visual = m->vis;
  // numbers stay as they are
  s->compiler.degree = false;
  s->compiler.inertiafromgeom = CTI_FALSE;
  if (misses_range(m)) s->lengthrange.mode = CTI_LENGTH_NONE;
  s->size.njmax = m->njmax;
  s->size.nconmax = m->nconmax;
  s->size.nuserdata = m->nuserdata;
#define COLUMNS(name) s->size.name = m->name > 0 ? m->name : -1
  COLUMNS(nuser_body);
  COLUMNS(nuser_jnt);
  COLUMNS(nuser_geom);
  COLUMNS(nuser_site);
  COLUMNS(nuser_cam);
  COLUMNS(nuser_tendon);
  COLUMNS(nuser_actuator);
  COLUMNS(nuser_sensor);
#undef COLUMNS
  decompile_statistic(&s->statistic, m);
  return CT_OK;
}

// ---- what comes back is compiled and compared

// Vertices are kept in single precision, and much follows from them.
#define TOLERANCE (sizeof(ctReal) == sizeof(double) ? 1e-6 : 1e-4)
// Fields that a remark is made about.
#define MOST 10

// Names of fields begin with these. Where files lie, and how large the block is, is another matter; hulls,
// trees and axes of meshes are looked at elsewhere.
static const char* const apart[] = {"paths",        "npaths",      "hfield_pathadr",     "mesh_pathadr",
                                    "skin_pathadr", "tex_pathadr", "tex_contenttypeadr", "nbuffer",
                                    "narena",       "mesh_graph",  "mesh_extrema",       "mesh_poly",
                                    "nmeshgraph",   "nmeshpoly",   "npolygonmax",        "nmeshdegmax",
                                    "bvh_",         "mesh_pos",    "mesh_quat"};
static const char* const names[] = {"names", "nnames", "name_"};

static bool begins(const char* text, const char* const* list, int n) {
  for (int i = 0; i < n; i++) {
    if (cti_text_starts(text, list[i])) return true;
  }
  return false;
}
#define BEGINS(text, list) begins((text), (list), CT_COUNT_OF(list))

// The first element that is off, -1 when there is none.
static int64_t first_off(const ctField* a, const ctField* b) {
  if (cti_field_equal(a, b)) return -1;
  if (a->rows != b->rows || a->cols != b->cols) return 0;
  bool real = a->type == CT_FIELD_REAL || a->type == CT_FIELD_FLOAT;
  int64_t n = a->rows * a->cols;
  double largest = 1e-3;
  for (int64_t i = 0; real && i < n; i++) largest = fmax(largest, fabs(cti_field_number(a, i)));
  for (int64_t i = 0; i < n; i++) {
    double x = cti_field_number(a, i), y = cti_field_number(b, i);
    bool same = x == y || (isnan(x) && isnan(y)) || (real && fabs(x - y) <= TOLERANCE * largest);
    if (!same) return i;
  }
  return a->type == CT_FIELD_CHAR ? 0 : -1;
}

static void remark_field(const ctSpec* s, const ctField* a, const ctField* b, int64_t i) {
  const ctiElement e = {.tag = "field", .name = a->name};
  if (a->rows != b->rows || a->cols != b->cols || a->type == CT_FIELD_CHAR) {
    cti_remark(s, CT_LOG_WARNING, &e, "it does not come back as it is in the model");
    return;
  }
  cti_remark(s, CT_LOG_WARNING, &e,
             "row %lld has %g in the model and %g when it comes back: MJCF cannot say it",
             (long long)(i / a->cols), cti_field_number(a, i), cti_field_number(b, i));
}

// Strain modes of equal stiffness are any of many, as rounding chooses.
static bool is_chosen_by_rounding(const ctModel* m, const char* field) {
  if (!cti_text_equal(field, "flex_stiffness")) return false;
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_edgeequality[f] == CTI_FLEXEQ_STRAIN) return true;
  }
  return false;
}

// Compile the spec of a model and remark on what differs. An error when it cannot be compiled.
static ctStatus compare(const ctSpec* s, const ctModel* m, bool renamed, ctError* err) {
  ctModel* back = NULL;
  ctSpec quiet = *s;
  quiet.log = (ctLog){0};
  CT_TRY(ct_model_compile(&back, &quiet, err));
  for (int i = 0, remarked = 0; i < ct_model_field_count() && remarked < MOST; i++) {
    ctField a, b;
    cti_model_field_at(m, i, &a);
    cti_model_field_at(back, i, &b);
    if (BEGINS(a.name, apart) || (renamed && BEGINS(a.name, names)) || is_chosen_by_rounding(m, a.name))
      continue;
    int64_t off = first_off(&a, &b);
    if (off < 0) continue;
    remark_field(s, &a, &b, off);
    remarked++;
  }
  ct_model_free(back);
  return CT_OK;
}

// ---- the whole

static ctStatus (*const parts[])(ctiDecompiler* l) = {
#define X(part) cti_decompile_##part,
    CTI_DECOMPILE_PARTS(X)
#undef X
};

// The names of the model. The world needs none of its own.
static ctStatus take_names(ctiDecompiler* l, const ctiNamedKind* kind) {
  ctObjType type = kind->type;
  int n = cti_named_count(l->m, kind);
  l->name[type] = CTI_NEW_ARRAY(l->s->region, const char*, n);
  l->element[type] = CTI_NEW_ARRAY(l->s->region, ctiElement*, n);
  if (!l->name[type] || !l->element[type]) return cti_error_memory(l->err);
  for (int i = 0; i < n; i++) {
    const char* name = ct_model_id2name(l->m, type, i);
    if (name) CT_TRY(cti_decompile_text(l, &l->name[type][i], name));
  }
  if (type == CT_OBJ_BODY) l->name[type][0] = l->s->world->head.name;
  return CT_OK;
}

static ctStatus prepare(ctiDecompiler* l) {
  for (int k = 0; k < cti_named_kind_count; k++) CT_TRY(take_names(l, &cti_named_kinds[k]));
  l->mesh = CTI_NEW_ARRAY(l->s->region, ctiMeshFrame, l->m->nmesh);
  return l->mesh ? CT_OK : cti_error_memory(l->err);
}

// Hulls of rounded vertices.
static void remark_hulls(const ctiDecompiler* l) {
  const ctiElement e = {.tag = "mesh", .name = l->hulls > 0 ? l->name[CT_OBJ_MESH][l->hull] : NULL};
  char others[48] = "";
  if (l->hulls > 1) snprintf(others, sizeof(others), " (and %d more)", l->hulls - 1);
  if (l->hulls > 0)
    cti_remark(l->s, CT_LOG_INFO, &e,
               "its hull%s comes back from rounded vertices: the same shape, with faces in another order",
               others);
}

static ctStatus build(ctiDecompiler* l) {
  const ctModel* m = l->m;
  CT_TRY(prepare(l));
  for (int i = 0; i < CT_COUNT_OF(parts); i++) CT_TRY(parts[i](l));
  for (int k = 0; k < cti_named_kind_count; k++) {
    ctObjType type = cti_named_kinds[k].type;
    for (int i = 0; i < cti_named_count(m, &cti_named_kinds[k]); i++) {
      if (l->element[type][i]) l->element[type][i]->name = l->name[type][i];
    }
  }
  return m->nflex > 0 ? cti_decompile_flex_materials(l) : CT_OK;
}

// What comes back is compared with the model.
static ctStatus check(const ctiDecompiler* l, bool must_compile) {
  ctError own = {0};
  ctStatus status = compare(l->s, l->m, l->renamed, &own);
  if (status == CT_OK) return CT_OK;
  if (status == CT_ERR_MEMORY || must_compile) {
    if (l->err) *l->err = own;
    return status;
  }
  const ctiElement e = {.tag = "mujoco"};
  cti_remark(l->s, CT_LOG_WARNING, &e, "it does not compile again: %s", own.message);
  return CT_OK;
}

// The whole. `files` as in ct_spec_from_model(); `prefix` begins the names of files. What comes back is
// checked when there is a log; with `must_compile` a spec that does not compile is an error.
static ctStatus decompile(ctSpec** out, const ctModel* m, ctVfs* files, const char* prefix, const ctLog* log,
                          bool must_compile, ctError* err) {
  const ctLoadOptions opt = {.allocator = &m->allocator, .vfs = files, .log = log, .max_memory = SIZE_MAX};
  CT_TRY(ct_spec_create(out, &opt, err));
  ctiDecompiler l = {.m = m, .s = *out, .files = files, .prefix = prefix, .err = err};
  ctStatus status = build(&l);
  if (status == CT_OK) remark_hulls(&l);
  if (status == CT_OK && (log || must_compile)) status = check(&l, must_compile);
  if (status == CT_OK) return CT_OK;
  ct_spec_free(*out);
  *out = NULL;
  return status;
}

ctStatus ct_spec_from_model(ctSpec** out, const ctModel* m, ctVfs* files, const ctLog* log, ctError* err) {
  if (out) *out = NULL;
  if (!out || !m) return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_from_model: out and m must not be NULL");
  return decompile(out, m, files, "", log, false, err);
}

// ---- a model as an MJCF file, with its other files beside it

// The name of the file without folder and ending begins those of the others.
static const char* prefix_of(ctiRegion* region, const char* path) {
  const char *base = cti_path_base(path), *ending = cti_path_extension(path);
  int n = (int)(strlen(base) - strlen(ending)) - (*ending ? 1 : 0);
  return cti_region_printf(region, "%.*s_", n, base);
}

static ctStatus write_files(const ctVfs* files, ctiRegion* region, const char* folder, ctError* err) {
  for (int i = 0; i < ct_vfs_count(files); i++) {
    const char* name;
    const void* data;
    size_t size;
    ct_vfs_file(files, i, &name, &data, &size);
    const char* path = cti_path_join(region, folder, name);
    if (!path) return cti_error_memory(err);
    CT_TRY(ct_file_write(path, data, size, err));
  }
  return CT_OK;
}

ctStatus ct_model_save_mjcf(const ctModel* m, const char* path, const ctLog* log, ctError* err) {
  if (!m || !path) return cti_error(err, CT_ERR_ARGUMENT, "ct_model_save_mjcf: m and path must not be NULL");
  ctiRegion* region = cti_region_create(&m->allocator);
  const char* folder = region ? cti_path_dir(region, path) : NULL;
  const char* prefix = folder ? prefix_of(region, path) : NULL;
  ctVfs* files = NULL;
  ctSpec* spec = NULL;
  ctStatus status = prefix ? ct_vfs_create(&files, &m->allocator, err) : cti_error_memory(err);
  if (status == CT_OK) status = decompile(&spec, m, files, prefix, log, true, err);
  if (status == CT_OK) status = write_files(files, region, folder, err);
  if (status == CT_OK) status = ct_spec_save(spec, path, err);
  ct_spec_free(spec);
  ct_vfs_free(files);
  cti_region_free(region);
  return status;
}
