#include "stage/solve/qcqp.h"

#include "math/dense.h"
#include "math/vec3.h"

#define QCQP_ITERATIONS 20
#define QCQP_TOLERANCE  CT_R(1e-10)
#define QCQP_SINGULAR   CT_R(1e-10)

// Small symmetric systems: three dimensions by the inverse, more by Cholesky, whose diagonal holds inverses;
// in place. False when the determinant, or a pivot, is too small to be trusted.

static CT_FN bool invert3(ctReal* A) {
  ctReal c00 = A[4] * A[8] - A[5] * A[5], c01 = A[2] * A[5] - A[1] * A[8], c02 = A[1] * A[5] - A[2] * A[4];
  ctReal c11 = A[0] * A[8] - A[2] * A[2], c12 = A[1] * A[2] - A[0] * A[5], c22 = A[0] * A[4] - A[1] * A[1];
  ctReal determinant = A[0] * c00 + A[1] * c01 + A[2] * c02;
  if (!(determinant >= QCQP_SINGULAR)) return false;
  ctReal scale = 1 / determinant;
  A[0] = c00 * scale;
  A[4] = c11 * scale;
  A[8] = c22 * scale;
  A[1] = A[3] = c01 * scale;
  A[2] = A[6] = c02 * scale;
  A[5] = A[7] = c12 * scale;
  return true;
}

static CT_FN bool small_factor(ctReal* A, int n) {
  if (n == 3) return invert3(A);
  for (int j = 0; j < n; j++) {
    ctReal pivot = A[j * n + j];
    for (int k = 0; k < j; k++) pivot -= A[j * n + k] * A[j * n + k];
    if (!(pivot >= QCQP_SINGULAR)) return false;
    ctReal inverse = A[j * n + j] = 1 / cti_sqrt(pivot);
    for (int i = j + 1; i < n; i++) {
      ctReal sum = A[i * n + j];
      for (int k = 0; k < j; k++) sum -= A[i * n + k] * A[j * n + k];
      A[i * n + j] = sum * inverse;
    }
  }
  return true;
}

static CT_FN void small_solve(ctReal* x, const ctReal* A, const ctReal* b, int n) {
  if (n == 3) {
    cti_mul_mat_vec3(x, A, b);
    return;
  }
  for (int i = 0; i < n; i++) {
    ctReal sum = b[i];
    for (int k = 0; k < i; k++) sum -= A[i * n + k] * x[k];
    x[i] = sum * A[i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i] -= A[k * n + i] * x[k];
    x[i] *= A[i * n + i];
  }
}

// The same as below in two dimensions, where most contacts are: all in registers.
static CT_FN bool qcqp_plane(ctReal x[2], const ctReal A[4], const ctReal b[2], const ctReal d[2], ctReal r) {
  ctReal a = A[0] * d[0] * d[0], c = A[3] * d[1] * d[1], o = A[1] * d[0] * d[1];
  ctReal b0 = -b[0] * d[0], b1 = -b[1] * d[1], y0 = 0, y1 = 0, lambda = 0;
  for (int iteration = 0; iteration < QCQP_ITERATIONS; iteration++) {
    ctReal al = a + lambda, cl = c + lambda, determinant = al * cl - o * o;
    if (!(determinant >= QCQP_SINGULAR)) {
      x[0] = x[1] = 0;
      return false;
    }
    ctReal inverse = 1 / determinant;
    y0 = (cl * b0 - o * b1) * inverse;
    y1 = (al * b1 - o * b0) * inverse;
    ctReal excess = y0 * y0 + y1 * y1 - r * r;
    if (!(excess >= QCQP_TOLERANCE)) break;
    ctReal slope = 2 * ((cl * y0 - o * y1) * y0 + (al * y1 - o * y0) * y1) * inverse;
    ctReal step = excess / cti_max(CTI_MINVAL, slope);
    if (!(step >= QCQP_TOLERANCE)) break;
    lambda += step;
  }
  x[0] = y0 * d[0];
  x[1] = y1 * d[1];
  return lambda != 0;
}

CT_FN bool cti_qcqp(ctReal* x, const ctReal* A, const ctReal* b, const ctReal* d, ctReal r, int n) {
  ctReal scaled[CTI_QCQP_MAX * CTI_QCQP_MAX], minus_b[CTI_QCQP_MAX], L[CTI_QCQP_MAX * CTI_QCQP_MAX];
  ctReal y[CTI_QCQP_MAX], z[CTI_QCQP_MAX], lambda = 0;
  if (n == 2) return qcqp_plane(x, A, b, d, r);
  // in units of the axes the ellipsoid is a ball
  for (int i = 0; i < n; i++) {
    minus_b[i] = -b[i] * d[i];
    y[i] = 0;
    for (int k = 0; k < n; k++) scaled[i * n + k] = A[i * n + k] * d[i] * d[k];
  }
  // the multiplier, from 0 up, until (A + lambda) y = -b lies in the ball: Newton on |y|^2 - r^2
  for (int iteration = 0; iteration < QCQP_ITERATIONS; iteration++) {
    for (int i = 0; i < n * n; i++) L[i] = scaled[i];
    for (int i = 0; i < n; i++) L[i * n + i] += lambda;
    if (!small_factor(L, n)) {
      cti_zero(x, n);
      return false;
    }
    small_solve(y, L, minus_b, n);
    ctReal excess = cti_dot(y, y, n) - r * r;
    if (!(excess >= QCQP_TOLERANCE)) break;
    small_solve(z, L, y, n);
    ctReal step = excess / cti_max(CTI_MINVAL, 2 * cti_dot(y, z, n));
    if (!(step >= QCQP_TOLERANCE)) break;
    lambda += step;
  }
  for (int i = 0; i < n; i++) x[i] = y[i] * d[i];
  return lambda != 0;
}
