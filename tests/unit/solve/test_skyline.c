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
  xtRng rng = xt_rng(1);
  for (int k = 0; k < 20; k++) {
    Case c;
    random_case(&c, &rng);
    XT_INT(cti_skyline_factor(&c.sky, c.h, (ctReal)1e-15), N);
    expect_solves(&c, &rng, "factor");
  }
}

XT_TEST(skyline, updates_equal_a_new_factor) {
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

// ---- whatever instruction set is used, bits are those of the plain loops ----

#define WIDE 150

typedef struct Wide {
  ctiSkyline sky;
  int last[WIDE], first[WIDE], adr[WIDE];
  ctReal h[WIDE * WIDE];
} Wide;

// Branches on a trunk: rows of the trunk and of a branch end in the same column, unless `ragged`.
static void branches(Wide* w, int n, int trunk, int branch, bool ragged, xtRng* rng) {
  w->sky = (ctiSkyline){.n = n, .last = w->last, .first = w->first, .adr = w->adr};
  for (int i = 0; i < n; i++) {
    int end = i < trunk ? n - 1 : trunk + ((i - trunk) / branch + 1) * branch - 1;
    w->last[i] = end < n ? end : n - 1;
    if (ragged && w->last[i] > i + 1 && xt_uniform(rng, 0, 1) < 0.3) w->last[i]--;
  }
  cti_skyline_layout(&w->sky);
  for (int i = 0; i < n; i++) {
    for (int j = i; j <= w->last[i]; j++)
      w->h[cti_skyline_at(&w->sky, i, j)] = (ctReal)xt_uniform(rng, -1, 1) + (i == j ? (ctReal)n : 0);
  }
}

static void plain_factor(const ctiSkyline* s, ctReal* h) {
  for (int i = s->n - 1; i >= 0; i--) {
    ctReal* row = h + s->adr[i] - i;
    for (int j = s->last[i]; j > i; j--) {
      const ctReal* other = h + s->adr[j] - j;
      int end = s->last[j] < s->last[i] ? s->last[j] : s->last[i];
      row[j] = (row[j] - cti_dot(row + j + 1, other + j + 1, end - j)) * other[j];
    }
    row[i] = 1 / cti_sqrt(row[i] - cti_dot(row + i + 1, row + i + 1, s->last[i] - i));
  }
}

static void plain_solve(const ctiSkyline* s, const ctReal* u, ctReal* x) {
  for (int i = s->n - 1; i >= 0; i--) {
    const ctReal* row = u + s->adr[i] - i;
    volatile ctReal rest = x[i];
    for (int j = s->last[i]; j > i; j--) rest = rest - row[j] * x[j];
    x[i] = rest * row[i];
  }
  for (int i = 0; i < s->n; i++) {
    const ctReal* row = u + s->adr[i] - i;
    volatile ctReal y = x[i] * row[i];
    x[i] = y;
    for (int j = i + 1; j <= s->last[i]; j++) x[j] = x[j] - row[j] * y;
  }
}

static Wide wide;

XT_TEST(skyline, factor_and_solve_have_the_bits_of_the_plain_loops) {
  xtRng rng = xt_rng(5);
  static ctReal expected[WIDE * WIDE];
  for (int n = 1; n <= WIDE; n += n < 40 ? 1 : 11) {
    for (int ragged = 0; ragged < 2; ragged++) {
      ctReal x[WIDE], y[WIDE];
      branches(&wide, n, 1 + n / 3, 1 + n % 7, ragged, &rng);
      memcpy(expected, wide.h, sizeof(wide.h));
      plain_factor(&wide.sky, expected);
      XT_INT(cti_skyline_factor(&wide.sky, wide.h, (ctReal)1e-15), n);
      XT_SAME(wide.h, expected, wide.sky.size);
      xt_random_vec(x, n, &rng);
      memcpy(y, x, sizeof(x));
      cti_skyline_solve(&wide.sky, wide.h, x, x);
      plain_solve(&wide.sky, wide.h, y);
      XT_SAME(x, y, n);
    }
  }
}

XT_TEST(skyline, a_block_joins_row_after_row) {
  xtRng rng = xt_rng(6);
  static ctReal expected[WIDE * WIDE];
  ctReal rows[CTI_BLOCK_MOST * 40], T[CTI_BLOCK_MOST * 40], block[CTI_BLOCK_MOST * CTI_BLOCK_MOST];
  for (int n = 1; n <= 40; n++) {
    for (int dim = 1; dim <= CTI_BLOCK_MOST; dim++) {
      branches(&wide, n, n, 1, false, &rng);
      memcpy(expected, wide.h, sizeof(wide.h));
      xt_random_vec(rows, dim * n, &rng);
      xt_random_vec(block, dim * dim, &rng);
      for (int k = 0; k < dim * n; k++) rows[k] = k % n % 3 == dim % 3 || k % 5 == 0 ? 0 : rows[k];
      for (int i = 0; i < n; i++) {
        for (int r = 0; r < dim; r++) {
          for (int j = i; j < n && rows[r * n + i] != 0; j++) {
            volatile ctReal sum = rows[j] * block[r * dim];
            for (int c = 1; c < dim; c++) sum = sum + block[r * dim + c] * rows[c * n + j];
            expected[cti_skyline_at(&wide.sky, i, j)] += rows[r * n + i] * sum;
          }
        }
      }
      cti_skyline_add_block(&wide.sky, wide.h, rows, block, dim, T);
      XT_SAME(wide.h, expected, wide.sky.size);
    }
  }
}

XT_TEST(skyline, a_lost_pivot_is_replaced_and_told) {
  ctReal h[3] = {1, 1, 1};  // rank one
  int last[2] = {1, 1}, first[2], adr[2];
  ctiSkyline sky = {.n = 2, .last = last, .first = first, .adr = adr};
  cti_skyline_layout(&sky);
  XT_INT(cti_skyline_factor(&sky, h, (ctReal)1e-8), 1);
  for (int i = 0; i < 3; i++) XT_TRUE(isfinite(h[i]));
}

XT_MAIN()
