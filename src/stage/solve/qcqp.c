#include "stage/solve/qcqp.h"

#include "math/dense.h"
#include "math/vec3.h"

#define QCQP_ITERATIONS 20
#define QCQP_TOLERANCE  CT_R(1e-10)
#define QCQP_SINGULAR   CT_R(1e-10)

// Factor in place. Whether a matrix is too small to be trusted is told by its determinant up to three
// dimensions, and by its pivots beyond.
static CT_FN bool qcqp_factor(ctReal* A, int n) {
  if (n > 3) return cti_chol_factor(A, n, QCQP_SINGULAR) == n;
  ctReal determinant = 1;
  bool definite = cti_chol_factor(A, n, CTI_MINVAL) == n;
  for (int i = 0; i < n; i++) determinant *= A[i * n + i] * A[i * n + i];
  return definite && determinant >= QCQP_SINGULAR;
}

CT_FN bool cti_qcqp(ctReal* x, const ctReal* A, const ctReal* b, const ctReal* d, ctReal r, int n) {
  ctReal scaled[CTI_QCQP_MAX * CTI_QCQP_MAX], minus_b[CTI_QCQP_MAX], L[CTI_QCQP_MAX * CTI_QCQP_MAX];
  ctReal y[CTI_QCQP_MAX], z[CTI_QCQP_MAX], lambda = 0;
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
    if (!qcqp_factor(L, n)) {
      cti_zero(x, n);
      return false;
    }
    cti_chol_solve(y, L, minus_b, n);
    ctReal excess = cti_dot(y, y, n) - r * r;
    if (!(excess >= QCQP_TOLERANCE)) break;
    cti_chol_solve(z, L, y, n);
    ctReal step = excess / cti_max(CTI_MINVAL, 2 * cti_dot(y, z, n));
    if (!(step >= QCQP_TOLERANCE)) break;
    lambda += step;
  }
  for (int i = 0; i < n; i++) x[i] = y[i] * d[i];
  return lambda != 0;
}
