#include "asset/normals.h"

#include <string.h>

#include "asset/vec.h"

// Vectors whose square is below this have no direction.
#define MIN_SQUARE 1e-14
// The same for smooth sums, whose length is asked: what rounding leaves of faces that cancel is a direction.
#define MIN_NORM 1e-15
// Cosine of the angle between a face and the average at which an edge counts as sharp.
#define SHARP_COSINE 0.8

static float square_of(const float n[3]) {
  return n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
}

static void set_upright(float n[3]) {
  n[0] = n[1] = 0;
  n[2] = 1;
}

void cti_normal_unit(float normal[3]) {
  float square = square_of(normal);
  if (!((double)square >= MIN_SQUARE)) {
    set_upright(normal);
    return;
  }
  float scale = 1 / sqrtf(square);
  for (int k = 0; k < 3; k++) normal[k] *= scale;
}

// The same by division, which rounds differently.
static void sum_to_unit(float sum[3], bool smooth) {
  float square = square_of(sum), norm = sqrtf(square);
  if (!(smooth ? (double)norm >= MIN_NORM : (double)square >= MIN_SQUARE)) {
    set_upright(sum);
    return;
  }
  for (int k = 0; k < 3; k++) sum[k] /= norm;
}

// Twice the area times the unit normal, or zero.
static void face_cross(double out[3], const double* vert, const int face[3]) {
  double a[3], b[3];
  cti_dsub3(a, vert + 3 * face[1], vert + 3 * face[0]);
  cti_dsub3(b, vert + 3 * face[2], vert + 3 * face[0]);
  cti_dcross3(out, a, b);
  if (!(cti_ddot3(out, out) >= MIN_SQUARE)) out[0] = out[1] = out[2] = 0;
}

// Rounding that no compiler may lose: GCC 12 leaves out pairs of conversions to float and back when it
// vectorises.
static float to_float(double x) {
  volatile float rounded = (float)x;
  return rounded;
}

static void add_to(float sum[3], const double a[3]) {
  for (int k = 0; k < 3; k++) sum[k] = to_float((double)sum[k] + a[k]);
}

// Is a face at a large angle to the average? Never when there is none: opposite faces cancel.
static bool is_sharp(const double cross[3], const float mean[3]) {
  double m[3] = {(double)mean[0], (double)mean[1], (double)mean[2]};
  double square = cti_ddot3(m, m);
  return square >= MIN_SQUARE && cti_ddot3(cross, m) < SHARP_COSINE * sqrt(square * cti_ddot3(cross, cross));
}

// Take faces at a large angle to the average out of the sums. They are summed apart, in the same order: where
// all of them go exactly nothing is left.
static ctStatus leave_out_sharp(float* sum, int nvert, const double* cross, const int* face, int nface,
                                ctiRegion* region, ctError* err) {
  size_t size = 3 * (size_t)nvert;
  float* sharp = CTI_NEW_ARRAY(region, float, size);
  if (!sharp) return cti_error_memory(err);
  for (int i = 0; i < 3 * nface; i++) {
    const double* c = cross + i / 3 * 3;
    if (is_sharp(c, sum + 3 * face[i])) add_to(sharp + 3 * face[i], c);
  }
  for (size_t i = 0; i < size; i++) sum[i] -= sharp[i];
  return CT_OK;
}

ctStatus cti_normals_make(float* normal, const double* vert, int nvert, const int* face, int nface,
                          bool smooth, ctiRegion* region, ctError* err) {
  size_t size = 3 * (size_t)nvert;
  double* cross = CTI_NEW_ARRAY(region, double, 3 * (size_t)nface);
  if (!cross) return cti_error_memory(err);
  memset(normal, 0, size * sizeof(*normal));
  for (int i = 0; i < nface; i++) {
    face_cross(cross + 3 * i, vert, face + 3 * i);
    for (int k = 0; k < 3; k++) add_to(normal + 3 * face[3 * i + k], cross + 3 * i);
  }
  if (!smooth) CT_TRY(leave_out_sharp(normal, nvert, cross, face, nface, region, err));
  for (int i = 0; i < nvert; i++) sum_to_unit(normal + 3 * i, smooth);
  return CT_OK;
}
