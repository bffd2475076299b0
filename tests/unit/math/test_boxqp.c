#include "math/boxqp.h"

#include "math/vec3.h"
#include "xt.h"

#define N_MAX 10
#define TOL   CT_R(XT_TOL(1e-10, 2e-3))  // condition up to 1e3, gradients up to 10

static ctReal h[N_MAX * N_MAX], g[N_MAX], x[N_MAX], lower[N_MAX], upper[N_MAX];
static ctReal scratch[N_MAX * (N_MAX + 3)];
static int held[2 * N_MAX];

static void random_problem(int n, xtRng* rng) {
  ctReal t[N_MAX * N_MAX];
  xt_random_vec(t, n * n, rng);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) h[i * n + j] = cti_dot(t + i * n, t + j * n, n) + (i == j ? CT_R(0.05) : 0);
    g[i] = (ctReal)xt_uniform(rng, -2, 2);
    lower[i] = (ctReal)xt_uniform(rng, -1, 0);
    upper[i] = (ctReal)xt_uniform(rng, 0, 1);
    x[i] = (ctReal)xt_uniform(rng, -2, 2);
  }
}

// Inside: no slope. At a bound: the slope points out of the box. Convexity makes this sufficient.
static void check_kkt(int n, const ctReal* lo, const ctReal* hi) {
  for (int i = 0; i < n; i++) {
    ctReal grad = g[i] + cti_dot(h + i * n, x, n);
    XT_TRUE((!lo || x[i] >= lo[i]) && (!hi || x[i] <= hi[i]));
    if (lo && x[i] == lo[i]) {
      XT_TRUE(grad >= -TOL);
    } else if (hi && x[i] == hi[i]) {
      XT_TRUE(grad <= TOL);
    } else {
      XT_NEAR(grad, 0, TOL);
    }
  }
}

XT_TEST(boxqp, satisfies_the_optimality_conditions) {
  xtRng rng = xt_rng(1);
  for (int round = 0; round < 2000; round++) {
    int n = 1 + round % N_MAX;
    random_problem(n, &rng);
    XT_TRUE(cti_boxqp(x, scratch, held, h, g, n, lower, upper) >= 0);
    check_kkt(n, lower, upper);
  }
}

XT_TEST(boxqp, bounds_may_be_missing) {
  xtRng rng = xt_rng(2);
  for (int round = 0; round < 300; round++) {
    int n = 1 + round % N_MAX;
    random_problem(n, &rng);
    XT_INT(cti_boxqp(x, scratch, held, h, g, n, NULL, NULL), n);
    check_kkt(n, NULL, NULL);
    random_problem(n, &rng);
    XT_TRUE(cti_boxqp(x, scratch, held, h, g, n, lower, NULL) >= 0);
    check_kkt(n, lower, NULL);
    random_problem(n, &rng);
    XT_TRUE(cti_boxqp(x, scratch, held, h, g, n, NULL, upper) >= 0);
    check_kkt(n, NULL, upper);
  }
}

XT_TEST(boxqp, returns_the_free_set_and_its_factor) {
  // minimum at (2, 3, -2) without bounds; the first is held at 1
  ctReal hh[9] = {1, 0, 0, 0, 4, 0, 0, 0, 9}, gg[3] = {-2, -12, 18}, xx[3] = {0, 0, 0};
  ctReal lo[3] = {-1, -5, -5}, hi[3] = {1, 5, 5}, expect[3] = {1, 3, -2};
  XT_INT(cti_boxqp(xx, scratch, held, hh, gg, 3, lo, hi), 2);
  XT_CLOSE(xx, expect, 3, XT_TOL(1e-15, 1e-6), "minimum");
  XT_INT(held[0], 1);
  XT_INT(held[1], 2);
  XT_NEAR(scratch[0], 2, 0);
  XT_NEAR(scratch[3], 3, 0);
}

XT_TEST(boxqp, a_box_without_room_holds_everything) {
  ctReal hh[4] = {2, 1, 1, 2}, gg[2] = {-3, 5}, xx[2] = {7, 7}, point[2] = {1, -1};
  XT_INT(cti_boxqp(xx, scratch, held, hh, gg, 2, point, point), 0);
  XT_SAME(xx, point, 2);
}

XT_TEST(boxqp, starting_at_the_minimum_stays_there) {
  xtRng rng = xt_rng(3);
  for (int round = 0; round < 200; round++) {
    int n = 1 + round % N_MAX, nfree;
    ctReal first[N_MAX];
    random_problem(n, &rng);
    nfree = cti_boxqp(x, scratch, held, h, g, n, lower, upper);
    cti_copy(first, x, n);
    XT_INT(cti_boxqp(x, scratch, held, h, g, n, lower, upper), nfree);
    XT_CLOSE(x, first, n, TOL, "minimum");
  }
}

XT_TEST(boxqp, indefinite_block_is_a_failure) {
  ctReal hh[4] = {1, 2, 2, 1}, gg[2] = {-1, 1}, xx[2] = {0, 0};
  XT_INT(cti_boxqp(xx, scratch, held, hh, gg, 2, NULL, NULL), CTI_BOXQP_FAILED);
}

XT_MAIN()
