#include "math/dense.h"

#include "math/vec3.h"
#include "xt.h"

#define N_MAX 40
#define TOL   CT_R(XT_TOL(1e-12, 1e-3))  // condition below 1e3, sizes up to 40

static ctReal a[N_MAX * N_MAX], b[N_MAX * N_MAX], c[N_MAX * N_MAX], x[N_MAX], y[N_MAX], z[N_MAX];

// A A' + n: symmetric, well conditioned
static void random_spd(ctReal* m, int n, xtRng* rng) {
  ctReal t[N_MAX * N_MAX];
  xt_random_vec(t, n * n, rng);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) m[i * n + j] = cti_dot(t + i * n, t + j * n, n) + (i == j ? (ctReal)n : 0);
  }
}

// r = M v, M symmetric
static void symmetric_times(ctReal* r, const ctReal* m, const ctReal* v, int n) {
  for (int i = 0; i < n; i++) r[i] = cti_dot(m + i * n, v, n);
}

// ---- vectors ----

XT_TEST(dense, dot_sums_in_the_documented_order) {
  xtRng rng = xt_rng(1);
  for (int n = 0; n <= 19; n++) {
    xt_random_vec(x, n, &rng);
    xt_random_vec(y, n, &rng);
    volatile ctReal lane[4] = {0, 0, 0, 0};  // volatile: no other order, no contraction
    int whole = n / 4 * 4;
    for (int i = 0; i < whole; i++) lane[i % 4] = lane[i % 4] + x[i] * y[i];
    volatile ctReal even = lane[0] + lane[2], odd = lane[1] + lane[3];
    volatile ctReal sum = even + odd, tail = 0;
    for (int i = whole; i < n; i++) tail = tail + x[i] * y[i];
    ctReal expect = n > whole ? sum + tail : sum, dot = cti_dot(x, y, n);
    XT_SAME(&dot, &expect, 1);
  }
}

XT_TEST(dense, vector_operations_agree_with_their_names) {
  ctReal p[3] = {1, 2, -3}, q[3] = {4, 0, 2}, r[3];
  ctReal sum[3] = {5, 2, -1}, difference[3] = {-3, 2, -5}, half[3] = {0.5, 1, -1.5}, axpy[3] = {9, 2, 1};
  cti_add(r, p, q, 3);
  XT_SAME(r, sum, 3);
  cti_sub_from(r, q, 3);
  XT_SAME(r, p, 3);
  cti_add_to(r, q, 3);
  XT_SAME(r, sum, 3);
  cti_sub(r, p, q, 3);
  XT_SAME(r, difference, 3);
  cti_scale(r, p, CT_R(0.5), 3);
  XT_SAME(r, half, 3);
  cti_copy(r, p, 3);
  cti_add_scaled(r, q, 2, 3);
  XT_SAME(r, axpy, 3);
  XT_NEAR(cti_sum(p, 3), 0, 0);
  XT_NEAR(cti_norm(q, 3), sqrt(20.0), XT_TOL(1e-15, 1e-6));
  cti_zero(r, 3);
  XT_NEAR(cti_norm(r, 3), 0, 0);
}

// ---- products: whatever instruction set is used, bits are those of the plain loops ----

XT_TEST(dense, matrix_vector_has_the_bits_of_dot) {
  xtRng rng = xt_rng(2);
  for (int nr = 1; nr < 12; nr++) {
    for (int nc = 1; nc < 20; nc++) {
      xt_random_vec(a, nr * nc, &rng);
      xt_random_vec(x, nc, &rng);
      cti_mul_mat_vec(y, a, x, nr, nc);
      for (int i = 0; i < nr; i++) z[i] = cti_dot(a + i * nc, x, nc);
      XT_SAME(y, z, nr);
    }
  }
}

XT_TEST(dense, transposed_matrix_vector_adds_rows_in_order) {
  xtRng rng = xt_rng(3);
  for (int nr = 1; nr < 12; nr++) {
    for (int nc = 1; nc < 20; nc++) {
      xt_random_vec(a, nr * nc, &rng);
      xt_random_vec(x, nr, &rng);
      cti_mul_mat_t_vec(y, a, x, nr, nc);
      for (int k = 0; k < nc; k++) {
        volatile ctReal sum = 0;
        for (int i = 0; i < nr; i++) sum = sum + x[i] * a[i * nc + k];
        z[k] = sum;
      }
      XT_SAME(y, z, nc);
      // the last rows added to those before them
      cti_mul_mat_t_vec(y, a, x, nr / 2, nc);
      cti_add_mat_t_vec(y, a + nr / 2 * nc, x + nr / 2, nr - nr / 2, nc);
      XT_SAME(y, z, nc);
    }
  }
}

XT_TEST(dense, matrix_products_agree_with_the_definition) {
  xtRng rng = xt_rng(4);
  int na = 5, nk = 7, nb = 6;
  ctReal at[35], bt[42], expect[30], r[30];
  xt_random_vec(a, na * nk, &rng);
  xt_random_vec(b, nk * nb, &rng);
  cti_transpose(at, a, na, nk);
  cti_transpose(bt, b, nk, nb);
  for (int i = 0; i < na; i++) {
    for (int j = 0; j < nb; j++) {
      expect[i * nb + j] = 0;
      for (int k = 0; k < nk; k++) expect[i * nb + j] += a[i * nk + k] * b[k * nb + j];
    }
  }
  cti_mul_mat_mat(r, a, b, na, nk, nb);
  XT_CLOSE(r, expect, na * nb, TOL, "A B");
  cti_mul_mat_mat_t(r, a, bt, na, nk, nb);
  XT_CLOSE(r, expect, na * nb, TOL, "A B'");
  cti_mul_mat_t_mat(r, at, b, nk, na, nb);
  XT_CLOSE(r, expect, na * nb, TOL, "A' B");
}

XT_TEST(dense, square_is_symmetric_and_adds_rows_in_order) {
  xtRng rng = xt_rng(5);
  for (int nr = 1; nr < 14; nr++) {
    int nc = 1 + nr * 7 % 11;
    xt_random_vec(a, nr * nc, &rng);
    for (int i = 0; i < nr * nc; i += 3) a[i] = 0;
    xt_random_vec(x, nr, &rng);
    cti_mul_square(b, a, x, nr, nc);
    for (int i = 0; i < nc; i++) {
      for (int k = 0; k <= i; k++) {
        volatile ctReal sum = 0;
        for (int j = 0; j < nr; j++) {
          volatile ctReal s = a[j * nc + i] * x[j];
          sum = sum + s * a[j * nc + k];
        }
        c[i * nc + k] = c[k * nc + i] = sum;
      }
    }
    XT_SAME(b, c, nc * nc);

    for (int i = 0; i < nr; i++) x[i] = 1;
    cti_mul_square(b, a, x, nr, nc);
    cti_mul_square(c, a, NULL, nr, nc);
    XT_SAME(b, c, nc * nc);
  }
}

// ---- Cholesky ----

XT_TEST(dense, cholesky_has_the_bits_of_the_plain_loops) {
  xtRng rng = xt_rng(6);
  for (int n = 1; n <= N_MAX; n += 3) {
    random_spd(a, n, &rng);
    memcpy(b, a, sizeof(ctReal) * (size_t)(n * n));
    XT_INT(cti_chol_factor(a, n, CTI_MINVAL), n);
    for (int j = 0; j < n; j++) {
      b[j * n + j] = cti_sqrt(b[j * n + j] - cti_dot(b + j * n, b + j * n, j));
      ctReal inv = 1 / b[j * n + j];
      for (int i = j + 1; i < n; i++) b[i * n + j] = (b[i * n + j] - cti_dot(b + i * n, b + j * n, j)) * inv;
    }
    XT_SAME(a, b, n * n);  // the upper triangle too: it is left alone
  }
}

XT_TEST(dense, cholesky_solves) {
  xtRng rng = xt_rng(7);
  for (int n = 1; n <= N_MAX; n++) {
    random_spd(a, n, &rng);
    xt_random_vec(x, n, &rng);
    symmetric_times(y, a, x, n);
    cti_chol_factor(a, n, CTI_MINVAL);
    cti_chol_solve(y, a, y, n);
    XT_CLOSE(y, x, n, TOL, "solution");
  }
}

XT_TEST(dense, cholesky_clamps_small_pivots_and_counts_them) {
  ctReal m[9] = {4, 0, 0, 2, 1, 0, 0, 0, -3};  // second pivot 0, third -3
  XT_INT(cti_chol_factor(m, 3, CT_R(0.25)), 1);
  XT_NEAR(m[0], 2, 0);
  XT_NEAR(m[4], 0.5, 0);
  XT_NEAR(m[8], 0.5, 0);
}

static void check_update(int n, ctBool add, xtRng* rng) {
  random_spd(a, n, rng);
  xt_random_vec(x, n, rng);
  if (n > 3) x[0] = x[2] = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) b[i * n + j] = a[i * n + j] + (add ? x[i] * x[j] : -x[i] * x[j]);
  }
  cti_chol_factor(a, n, CTI_MINVAL);
  cti_chol_factor(b, n, CTI_MINVAL);
  XT_INT(cti_chol_update(a, x, n, add), n);
  for (int i = 0; i < n; i++) XT_CLOSE(a + i * n, b + i * n, i + 1, TOL, "row of the factor");
}

XT_TEST(dense, rank_one_update_equals_factoring_anew) {
  xtRng rng = xt_rng(8);
  for (int n = 1; n <= N_MAX; n++) check_update(n, 1, &rng);
}

XT_TEST(dense, rank_one_downdate_equals_factoring_anew) {
  xtRng rng = xt_rng(9);
  for (int n = 1; n <= N_MAX; n++) check_update(n, 0, &rng);
}

XT_TEST(dense, downdate_beyond_positive_loses_rank) {
  ctReal l[4] = {1, 0, 0, 1}, v[2] = {2, 0};
  XT_INT(cti_chol_update(l, v, 2, 0), 1);
  XT_TRUE(l[0] > 0);
  XT_TRUE(isfinite((double)l[2]) && isfinite((double)l[3]));
}

// ---- LU ----

XT_TEST(dense, lu_solves_general_systems) {
  xtRng rng = xt_rng(10);
  for (int n = 1; n <= 12; n++) {
    for (int round = 0; round < 20; round++) {
      int pivot[12];
      xt_random_vec(a, n * n, &rng);
      for (int i = 0; i < n; i++)
        a[i * n + (n - 1 - i)] += (ctReal)n;  // heavy antidiagonal: must exchange rows
      xt_random_vec(x, n, &rng);
      cti_mul_mat_vec(y, a, x, n, n);
      XT_INT(cti_lu_factor(a, pivot, n), 0);
      cti_lu_solve(y, a, pivot, n);
      XT_CLOSE(y, x, n, TOL, "solution");
    }
  }
}

XT_TEST(dense, lu_reports_a_singular_matrix) {
  ctReal m[9] = {1, 2, 3, 0, 0, 5, 0, 0, 6};
  int pivot[3];
  XT_INT(cti_lu_factor(m, pivot, 3), 2);
}

// ---- band with border ----

// A random arrow matrix, in band layout (padding poisoned) and in full.
static void random_arrow(ctReal* band, ctReal* full, int n, int nband, int ndense, xtRng* rng) {
  int nsparse = n - ndense;
  for (int i = 0; i < nsparse * nband + ndense * n; i++) band[i] = (ctReal)NAN;
  cti_zero(full, n * n);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      if (i < nsparse && i - j >= nband) continue;
      ctReal value = (ctReal)xt_uniform(rng, -1, 1) + (i == j ? (ctReal)(n + 1) : 0);
      band[cti_band_diag(i, n, nband, ndense) - (i - j)] = value;
      full[i * n + j] = full[j * n + i] = value;
    }
  }
}

XT_TEST(dense, band_agrees_with_the_full_matrix) {
  xtRng rng = xt_rng(11);
  for (int round = 0; round < 300; round++) {
    int ndense = round % 4, nsparse = 1 + round % 13, n = ndense + nsparse;
    int nband = 1 + round % (nsparse < 5 ? nsparse : 5);
    random_arrow(a, b, n, nband, ndense, &rng);
    xt_random_vec(x, n, &rng);

    symmetric_times(y, b, x, n);
    cti_band_mul_vec(z, a, x, n, nband, ndense, 1);
    XT_CLOSE(z, y, n, TOL, "symmetric product");
    for (int i = 0; i < n; i++) y[i] = cti_dot(b + i * n, x, i + 1);
    cti_band_mul_vec(z, a, x, n, nband, ndense, 0);
    XT_CLOSE(z, y, n, TOL, "product with the lower triangle");

    for (int i = 0; i < n; i++) b[i * n + i] += CT_R(0.5) + CT_R(0.25) * b[i * n + i];
    symmetric_times(y, b, x, n);
    cti_chol_factor(b, n, CTI_MINVAL);
    ctReal smallest = b[0];
    for (int i = 1; i < n; i++) smallest = cti_min(smallest, b[i * n + i]);
    XT_NEAR(cti_band_factor(a, n, nband, ndense, CT_R(0.5), CT_R(0.25)), smallest, TOL);
    cti_band_solve(y, a, y, n, nband, ndense);
    XT_CLOSE(y, x, n, TOL, "solution");
  }
}

XT_TEST(dense, band_reports_an_indefinite_matrix) {
  ctReal band[4] = {(ctReal)NAN, 1, 2, 1};  // 1 2; 2 1
  XT_NEAR(cti_band_factor(band, 2, 2, 0, 0, 0), 0, 0);
}

XT_MAIN()
