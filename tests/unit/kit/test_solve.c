// Conjugate gradients of the kit.
#include "corten/kit.h"

#include "base/fn.h"
#include "xt.h"

enum { N = 48 };

// Blocks of different scale, loosely coupled, as the rows of several constraints are.
static void make_matrix(ctReal* a, xtRng* rng, double couple) {
  for (int i = 0; i < N * N; i++) a[i] = 0;
  for (int k = 0; k < 3 * N; k++) {
    double v[N];
    for (int i = 0; i < N; i++) {
      double scale = pow(10, (i / 3 % 4) - 2.0);
      v[i] = scale * (i / 3 == k % (N / 3) ? xt_uniform(rng, -1, 1) : couple * xt_uniform(rng, -1, 1));
    }
    for (int i = 0; i < N; i++) {
      for (int j = 0; j < N; j++) a[N * i + j] += (ctReal)(v[i] * v[j]);
    }
  }
}

XT_TEST(cg, solves_and_blocks_save_iterations) {
  xtRng rng = xt_rng(3);
  static ctReal a[N * N], work[N * N + 4 * N];
  int three[N / 3], one[N];
  for (int i = 0; i < N; i++) one[i] = 1;
  for (int i = 0; i < N / 3; i++) three[i] = 3;
  make_matrix(a, &rng, 0.02);
  ctReal b[N], x[N] = {0}, y[N] = {0};
  xt_random_vec(b, N, &rng);
  ctKitCgStats with, without;
  XT_INT(ct_kit_cg_work(N, three, N / 3), 3 * N + 4 * N);
  XT_INT(ct_kit_cg_solve(a, b, N, three, N / 3, XT_TOL(1e-10, CT_R(1e-4)), 500, x, work, &with), CT_OK);
  XT_INT(ct_kit_cg_solve(a, b, N, one, N, XT_TOL(1e-10, CT_R(1e-4)), 500, y, work, &without), CT_OK);
  XT_INT(with.converged, 1);
  XT_INT(with.repaired, 0);
  XT_TRUE(with.iterations < without.iterations);
  XT_TRUE(with.most_rate >= with.least_rate && with.least_rate > 0);
  double norm = 0, wrong = 0;
  for (int i = 0; i < N; i++) {
    double r = -(double)b[i];
    for (int j = 0; j < N; j++) r += (double)a[N * i + j] * (double)x[j];
    wrong += r * r;
    norm += (double)(b[i] * b[i]);
  }
  XT_TRUE(sqrt(wrong / norm) <= XT_TOL(3e-10, 1e-3));
}

XT_TEST(cg, with_one_block_needs_one_iteration) {
  xtRng rng = xt_rng(4);
  static ctReal a[N * N], work[N * N + 4 * N];
  const int whole = N;
  make_matrix(a, &rng, 0.3);
  ctReal b[N], x[N] = {0};
  xt_random_vec(b, N, &rng);
  ctKitCgStats stats;
  XT_INT(ct_kit_cg_solve(a, b, N, &whole, 1, XT_TOL(1e-9, CT_R(1e-2)), 10, x, work, &stats), CT_OK);
  XT_TRUE(stats.iterations <= 2);
  XT_INT(stats.converged, 1);
}

XT_TEST(cg, refuses_what_is_not_positive_definite) {
  const ctReal a[4] = {1, 2, 2, 1}, b[2] = {1, -1}, nan[4] = {1, 0, 0, (ctReal)NAN};
  ctReal x[2] = {0, 0}, work[12];
  const int one[2] = {1, 1};
  ctKitCgStats stats;
  XT_INT(ct_kit_cg_solve(a, b, 2, one, 2, CT_R(1e-6), 10, x, work, &stats), CT_ERR_INVALID);
  XT_INT(ct_kit_cg_solve(nan, b, 2, one, 2, CT_R(1e-6), 10, x, work, &stats), CT_ERR_INVALID);
  XT_INT(ct_kit_cg_solve(a, b, 2, one, 1, CT_R(1e-6), 10, x, work, &stats), CT_ERR_ARGUMENT);
  XT_INT(ct_kit_cg_work(3, one, 2), -1);
}

XT_MAIN()
