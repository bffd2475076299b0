// What comes back of a model: its spec is compiled, and the result compared field by field.
#include <math.h>
#include <string.h>

#include "lift/lift.h"
#include "model/fields.h"
#include "spec/spec.h"

// Vertices are kept in single precision, and much follows from them.
#define TOLERANCE (sizeof(ctReal) == sizeof(double) ? 1e-6 : 1e-4)
// Fields that a remark is made about.
#define MOST 10

// Names of fields begin with these. Where files lie, and how large the block is, is another matter; hulls,
// trees and axes of meshes are told apart.
static const char* const apart[] = {"paths",        "npaths",      "hfield_pathadr",     "mesh_pathadr",
                                    "skin_pathadr", "tex_pathadr", "tex_contenttypeadr", "nbuffer",
                                    "narena",       "mesh_graph",  "mesh_extrema",       "mesh_poly",
                                    "nmeshgraph",   "nmeshpoly",   "npolygonmax",        "nmeshdegmax",
                                    "bvh_",         "mesh_pos",    "mesh_quat"};
static const char* const names[] = {"names", "nnames", "name_"};

static bool begins(const char* text, const char* const* list, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (cti_text_starts(text, list[i])) return true;
  }
  return false;
}
#define BEGINS(text, list) begins((text), (list), sizeof(list) / sizeof((list)[0]))

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

static void tell(const ctSpec* s, const ctField* a, const ctField* b, int64_t i) {
  const ctiElement e = {.tag = "field", .name = a->name};
  if (a->rows != b->rows || a->cols != b->cols || a->type == CT_FIELD_CHAR) {
    cti_remark(s, CT_LOG_WARNING, &e, "it does not come back as it is in the model");
    return;
  }
  cti_remark(s, CT_LOG_WARNING, &e,
             "row %lld has %g in the model and %g when it comes back: MJCF cannot say it",
             (long long)(i / a->cols), cti_field_number(a, i), cti_field_number(b, i));
}

ctStatus cti_lift_check(const ctSpec* s, const ctModel* m, bool renamed, ctError* err) {
  ctModel* back = NULL;
  ctSpec quiet = *s;
  quiet.log = (ctLog){0};
  CT_TRY(ct_model_compile(&back, &quiet, err));
  for (int i = 0, told = 0; i < ct_model_field_count() && told < MOST; i++) {
    ctField a, b;
    cti_model_field_at(m, i, &a);
    cti_model_field_at(back, i, &b);
    if (BEGINS(a.name, apart) || (renamed && BEGINS(a.name, names))) continue;
    int64_t off = first_off(&a, &b);
    if (off < 0) continue;
    tell(s, &a, &b, off);
    told++;
  }
  ct_model_free(back);
  return CT_OK;
}
