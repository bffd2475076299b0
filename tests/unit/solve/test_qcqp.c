// Friction programs: inside the ellipsoid, on it, and degenerate.
#include "stage/solve/dual.h"

#include "math/dense.h"
#include "xt.h"

static void random_spd(ctReal* A, int n, xtRng* rng) {
  ctReal B[25];
  xt_random_vec(B, n * n, rng);
  cti_mul_mat_mat_t(A, B, B, n, n, n);
  for (int i = 0; i < n; i++) A[i * n + i] += (ctReal)0.5;
}

XT_TEST(qcqp, large_radius_gives_the_free_minimum) {
  xtRng rng = xt_rng(1);
  for (int n = 2; n <= 5; n++) {
    ctReal A[25], b[5], d[5] = {1, (ctReal)0.5, 2, 1, 1}, x[5], r[5];
    random_spd(A, n, &rng);
    xt_random_vec(b, n, &rng);
    XT_TRUE(!cti_qcqp(x, A, b, d, 1000, n));
    cti_mul_mat_vec(r, A, x, n, n);
    for (int i = 0; i < n; i++) XT_NEAR(r[i], -b[i], XT_TOL(1e-12, 1e-4));
  }
}

// At the boundary the gradient is opposite to the ellipsoid's outward normal.
XT_TEST(qcqp, small_radius_meets_the_optimality_conditions) {
  xtRng rng = xt_rng(2);
  for (int k = 0; k < 50; k++) {
    int n = 2 + k % 4;
    ctReal A[25], b[5], d[5], x[5], g[5];
    random_spd(A, n, &rng);
    xt_random_vec(b, n, &rng);
    for (int i = 0; i < n; i++) d[i] = (ctReal)xt_uniform(&rng, 0.5, 2);
    ctReal radius = (ctReal)0.05;
    if (!cti_qcqp(x, A, b, d, radius, n)) continue;
    cti_mul_mat_vec(g, A, x, n, n);
    ctReal size = 0, lambda = 0;
    for (int i = 0; i < n; i++) size += x[i] * x[i] / (d[i] * d[i]);
    XT_NEAR(size, radius * radius, XT_TOL(1e-9, 1e-5));
    // multiplier by projection, then all components must agree
    ctReal top = 0, bottom = 0;
    for (int i = 0; i < n; i++) {
      ctReal normal = x[i] / (d[i] * d[i]);
      top -= (g[i] + b[i]) * normal;
      bottom += normal * normal;
    }
    lambda = top / bottom;
    XT_TRUE(lambda > 0);
    for (int i = 0; i < n; i++) XT_NEAR(g[i] + b[i] + lambda * x[i] / (d[i] * d[i]), 0, XT_TOL(1e-9, 1e-3));
  }
}

XT_TEST(qcqp, singular_matrix_gives_no_force) {
  ctReal A[4] = {0, 0, 0, 0}, b[2] = {1, 1}, d[2] = {1, 1}, x[2] = {7, 7};
  XT_TRUE(!cti_qcqp(x, A, b, d, 1, 2));
  XT_NEAR(x[0], 0, 0);
  XT_NEAR(x[1], 0, 0);
}

XT_MAIN()
