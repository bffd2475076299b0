// Skyline matrices against dense ones.
#include "math/skyline.h"

#include "math/dense.h"
#include "xt.h"

#define N 23

typedef struct Case {
  ctiSkyline sky;
  int last[N], first[N], adr[N];
  ctReal dense[N * N], h[N * N];
} Case;

// A random positive definite matrix with a random profile.
static void random_case(Case* c, xtRng* rng) {
  c->sky = (ctiSkyline){.n = N, .last = c->last, .first = c->first, .adr = c->adr};
  for (int i = 0; i < N; i++) {
    int reach = i + (int)xt_uniform(rng, 0, 8);
    c->last[i] = reach < N ? reach : N - 1;
  }
  cti_skyline_layout(&c->sky);
  XT_TRUE(c->sky.size <= N * N);
  memset(c->dense, 0, sizeof(c->dense));
  for (int i = 0; i < N; i++) {
    for (int j = i; j <= c->last[i]; j++) {
      ctReal value = (ctReal)xt_uniform(rng, -1, 1) + (i == j ? 10 : 0);
      c->dense[i * N + j] = c->dense[j * N + i] = c->h[cti_skyline_at(&c->sky, i, j)] = value;
    }
  }
}

static void expect_solves(const Case* c, xtRng* rng, const char* what) {
  ctReal b[N], x[N], r[N];
  xt_random_vec(b, N, rng);
  cti_skyline_solve(&c->sky, c->h, x, b);
  cti_mul_mat_vec(r, c->dense, x, N, N);
  XT_CLOSE(r, b, N, XT_TOL(1e-13, 1e-5), what);
}

XT_TEST(skyline, factor_solves_the_system) {
  XT_UNUSED;
  xtRng rng = xt_rng(1);
  for (int k = 0; k < 20; k++) {
    Case c;
    random_case(&c, &rng);
    XT_INT(cti_skyline_factor(&c.sky, c.h, (ctReal)1e-15), N);
    expect_solves(&c, &rng, "factor");
  }
}

XT_TEST(skyline, updates_equal_a_new_factor) {
  XT_UNUSED;
  xtRng rng = xt_rng(2);
  for (int k = 0; k < 20; k++) {
    Case c;
    ctReal v[N], used[N];
    random_case(&c, &rng);
    cti_skyline_factor(&c.sky, c.h, (ctReal)1e-15);
    for (int add = 1; add >= 0; add--) {
      // a vector that the profile covers: a row and those between it and its end
      int row = (int)xt_uniform(&rng, 0, N);
      memset(v, 0, sizeof(v));
      v[row] = (ctReal)xt_uniform(&rng, -1, 1);
      v[c.last[row]] = (ctReal)xt_uniform(&rng, -1, 1);
      memcpy(used, v, sizeof(v));
      XT_INT(cti_skyline_update(&c.sky, c.h, used, c.last[row], add), N);
      for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) c.dense[i * N + j] += (add ? 1 : -1) * v[i] * v[j];
      }
      expect_solves(&c, &rng, add ? "added" : "subtracted");
    }
  }
}

XT_TEST(skyline, four_rows_at_once_are_four_products) {
  XT_UNUSED;
  xtRng rng = xt_rng(3);
  Case c;
  random_case(&c, &rng);
  ctReal v[4][N], D[4] = {1, 2, 0, 4};
  const ctReal* rows[4] = {v[0], v[1], v[2], v[3]};
  memset(v, 0, sizeof(v));
  for (int k = 0; k < 4; k++) {
    v[k][5] = (ctReal)xt_uniform(&rng, -1, 1);
    v[k][c.last[5]] = (ctReal)xt_uniform(&rng, -1, 1);
  }
  cti_skyline_add4(&c.sky, c.h, D, rows);
  for (int i = 0; i < N; i++) {
    for (int j = i; j <= c.last[i]; j++) {
      ctReal expected = c.dense[i * N + j];
      for (int k = 0; k < 4; k++) expected += D[k] * v[k][i] * v[k][j];
      XT_NEAR(c.h[cti_skyline_at(&c.sky, i, j)], expected, XT_TOL(1e-13, 1e-5));
    }
  }
}

XT_TEST(skyline, a_lost_pivot_is_replaced_and_told) {
  XT_UNUSED;
  ctReal h[3] = {1, 1, 1};  // rank one
  int last[2] = {1, 1}, first[2], adr[2];
  ctiSkyline sky = {.n = 2, .last = last, .first = first, .adr = adr};
  cti_skyline_layout(&sky);
  XT_INT(cti_skyline_factor(&sky, h, (ctReal)1e-8), 1);
  for (int i = 0; i < 3; i++) XT_TRUE(isfinite(h[i]));
}

XT_MAIN(XT_CASE(skyline, factor_solves_the_system), XT_CASE(skyline, updates_equal_a_new_factor),
        XT_CASE(skyline, four_rows_at_once_are_four_products),
        XT_CASE(skyline, a_lost_pivot_is_replaced_and_told))
