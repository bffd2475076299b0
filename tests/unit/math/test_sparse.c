#include "math/sparse.h"

#include "math/vec3.h"
#include "xt.h"

#define N_MAX 24
#define TOL   CT_R(XT_TOL(1e-13, 1e-4))  // sums of up to 24 products of numbers of size 1

typedef struct Csr {
  ctReal value[N_MAX * N_MAX];
  int rownnz[N_MAX], rowadr[N_MAX], colind[N_MAX * N_MAX];
} Csr;

static ctReal dense[N_MAX * N_MAX], back[N_MAX * N_MAX], x[N_MAX], y[N_MAX], z[N_MAX];
static Csr m, t;

static void random_sparse(ctReal* r, int n, xtRng* rng) {
  for (int i = 0; i < n; i++) r[i] = xt_uniform(rng, 0, 1) < 0.4 ? (ctReal)xt_uniform(rng, -1, 1) : 0;
}

static int make(Csr* r, const ctReal* from, int nr, int nc) {
  return cti_csr_from_dense(r->value, r->rownnz, r->rowadr, r->colind, from, nr, nc, N_MAX * N_MAX);
}

XT_TEST(sparse, dense_round_trip_is_exact) {
  xtRng rng = xt_rng(1);
  random_sparse(dense, 7 * 11, &rng);
  int count = 0;
  for (int i = 0; i < 77; i++) count += dense[i] != 0;
  XT_INT(make(&m, dense, 7, 11), count);
  cti_csr_to_dense(back, m.value, m.rownnz, m.rowadr, m.colind, 7, 11);
  XT_SAME(back, dense, 77);
}

XT_TEST(sparse, from_dense_does_not_write_beyond_the_capacity) {
  ctReal full[4] = {1, 2, 3, 4}, value[4] = {0, 0, 0, -1};
  int rownnz[2], rowadr[2], colind[4] = {0, 0, 0, -1};
  XT_INT(cti_csr_from_dense(value, rownnz, rowadr, colind, full, 2, 2, 3), 4);
  XT_NEAR(value[3], -1, 0);
  XT_INT(colind[3], -1);
}

XT_TEST(sparse, dot_uses_four_lanes_then_the_rest_in_order) {
  xtRng rng = xt_rng(2);
  int ind[19];
  for (int i = 0; i < 19; i++) ind[i] = i;
  for (int n = 0; n <= 19; n++) {
    xt_random_vec(x, n, &rng);
    xt_random_vec(y, n, &rng);
    ctReal expect = cti_dot(x, y, n / 4 * 4);
    for (int i = n / 4 * 4; i < n; i++) expect += x[i] * y[i];
    ctReal sum = cti_dot_sparse(x, ind, y, n);
    XT_SAME(&sum, &expect, 1);
  }
}

XT_TEST(sparse, products_agree_with_dense) {
  xtRng rng = xt_rng(3);
  for (int round = 0; round < 50; round++) {
    int nr = 1 + round % 17, nc = 1 + round * 7 % 23;
    random_sparse(dense, nr * nc, &rng);
    make(&m, dense, nr, nc);
    xt_random_vec(x, nc, &rng);
    cti_csr_mul_vec(y, m.value, m.rownnz, m.rowadr, NULL, m.colind, x, nr);
    cti_mul_mat_vec(z, dense, x, nr, nc);
    XT_CLOSE(y, z, nr, TOL, "A v");
    random_sparse(x, nr, &rng);
    cti_csr_mul_t_vec(y, m.value, m.rownnz, m.rowadr, NULL, m.colind, x, nr, nc);
    cti_mul_mat_t_vec(z, dense, x, nr, nc);
    XT_SAME(y, z, nc);  // both add the rows in order; zeros change nothing
  }
}

// Groups of one to seven rows with the columns of their first.
XT_TEST(sparse, rows_with_the_same_columns_give_the_same_bits) {
  xtRng rng = xt_rng(11);
  for (int round = 0; round < 60; round++) {
    int nr = 1 + round % 23, nc = 1 + round * 7 % 23, super[N_MAX];
    random_sparse(dense, nr * nc, &rng);
    for (int i = 0, size = 1; i < nr; i += size, size = 1 + (size + round) % 7) {
      int end = i + size < nr ? i + size : nr;
      for (int r = i; r < end; r++) {
        for (int k = 0; k < nc; k++) {
          bool there = dense[i * nc + k] != 0;
          if (r > i) dense[r * nc + k] = there ? (ctReal)xt_uniform(&rng, 0.5, 1) : 0;
        }
        super[r] = end - 1 - r;
      }
    }
    make(&m, dense, nr, nc);
    xt_random_vec(x, nc, &rng);
    cti_csr_mul_vec(y, m.value, m.rownnz, m.rowadr, NULL, m.colind, x, nr);
    cti_csr_mul_vec(z, m.value, m.rownnz, m.rowadr, super, m.colind, x, nr);
    XT_SAME(y, z, nr);
    random_sparse(x, nr, &rng);
    cti_csr_mul_t_vec(y, m.value, m.rownnz, m.rowadr, NULL, m.colind, x, nr, nc);
    cti_csr_mul_t_vec(z, m.value, m.rownnz, m.rowadr, super, m.colind, x, nr, nc);
    XT_SAME(y, z, nc);
  }
}

XT_TEST(sparse, symmetric_product_agrees_with_dense) {
  xtRng rng = xt_rng(4);
  for (int n = 1; n <= N_MAX; n++) {
    random_sparse(dense, n * n, &rng);
    for (int i = 0; i < n; i++) {
      dense[i * n + i] = 1 + (ctReal)xt_uniform(&rng, 0, 1);
      for (int k = i + 1; k < n; k++) dense[i * n + k] = 0;
    }
    make(&m, dense, n, n);
    for (int i = 0; i < n; i++) {
      for (int k = i + 1; k < n; k++) dense[i * n + k] = dense[k * n + i];
    }
    xt_random_vec(x, n, &rng);
    cti_csr_mul_sym_vec(y, m.value, m.rownnz, m.rowadr, m.colind, x, 0, n);
    cti_mul_mat_vec(z, dense, x, n, n);
    XT_CLOSE(y, z, n, TOL, "A v");
  }
}

XT_TEST(sparse, transpose_agrees_with_dense) {
  xtRng rng = xt_rng(5);
  for (int round = 0; round < 50; round++) {
    int nr = 1 + round % 17, nc = 1 + round * 7 % 23;
    random_sparse(dense, nr * nc, &rng);
    make(&m, dense, nr, nc);
    cti_csr_transpose(t.value, t.rownnz, t.rowadr, t.colind, m.value, m.rownnz, m.rowadr, m.colind, nr, nc);
    cti_transpose(back, dense, nr, nc);
    make(&m, back, nc, nr);  // packed with ascending columns, as the transpose must be
    int nnz = m.rowadr[nc - 1] + m.rownnz[nc - 1];
    XT_SAME(t.rownnz, m.rownnz, nc);
    XT_SAME(t.rowadr, m.rowadr, nc);
    XT_SAME(t.colind, m.colind, nnz);
    XT_SAME(t.value, m.value, nnz);
  }
}

XT_TEST(sparse, combine_merges_patterns) {
  xtRng rng = xt_rng(6);
  for (int round = 0; round < 200; round++) {
    int n = 1 + round % 20, ind_a[N_MAX], ind_b[N_MAX], na = 0, nb = 0;
    ctReal a[N_MAX], b[N_MAX], va[N_MAX], vb[N_MAX];
    random_sparse(a, n, &rng);
    random_sparse(b, n, &rng);
    for (int i = 0; i < n; i++) {
      if (a[i] != 0) va[na] = a[i], ind_a[na++] = i;
      if (b[i] != 0) vb[nb] = b[i], ind_b[nb++] = i;
    }
    int nnz = cti_combine_sparse(va, ind_a, na, 2, vb, ind_b, nb, CT_R(-0.5)), expected = 0;
    for (int i = 0; i < n; i++) {
      if (a[i] == 0 && b[i] == 0) continue;
      XT_INT(ind_a[expected], i);
      XT_NEAR(va[expected], 2 * a[i] - CT_R(0.5) * b[i], TOL);
      expected++;
    }
    XT_INT(nnz, expected);
  }
}

// A random general matrix with the pattern of a random forest: each node coupled with its ancestors.
static void random_tree_matrix(ctReal* r, int* diag, int n, xtRng* rng) {
  int parent[N_MAX];
  cti_zero(r, n * n);
  for (int i = 0; i < n; i++) {
    parent[i] = i == 0 || xt_uniform(rng, 0, 1) < 0.15 ? -1 : (int)xt_uniform(rng, 0, i);
    r[i * n + i] = (ctReal)(n + 1);
    diag[i] = 0;
    for (int k = parent[i]; k >= 0; k = parent[k]) {
      r[i * n + k] = (ctReal)xt_uniform(rng, 0.1, 1);
      r[k * n + i] = (ctReal)xt_uniform(rng, -1, -0.1);
      diag[i]++;
    }
  }
}

XT_TEST(sparse, tree_lu_solves_without_fill) {
  xtRng rng = xt_rng(7);
  ctReal scratch[N_MAX];
  int diag[N_MAX];
  for (int round = 0; round < 200; round++) {
    int n = 1 + round % N_MAX;
    random_tree_matrix(dense, diag, n, &rng);
    make(&m, dense, n, n);
    xt_random_vec(x, n, &rng);
    cti_mul_mat_vec(y, dense, x, n, n);
    XT_INT(cti_csr_lu_factor(m.value, m.rownnz, m.rowadr, m.colind, diag, 0, n, scratch), -1);
    cti_csr_lu_solve(y, m.value, m.rownnz, m.rowadr, m.colind, diag, 0, n);
    XT_CLOSE(y, x, n, TOL, "solution");

    // (U + 1) L is the matrix again
    cti_csr_to_dense(back, m.value, m.rownnz, m.rowadr, m.colind, n, n);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        ctReal sum = j <= i ? back[i * n + j] : 0;
        for (int k = i + 1; k < n; k++) sum += k >= j ? back[i * n + k] * back[k * n + j] : 0;
        XT_NEAR(sum, dense[i * n + j], TOL * n);
      }
    }
  }
}

XT_TEST(sparse, tree_lu_replaces_a_lost_pivot) {
  ctReal value[2] = {1, 0}, scratch[2];
  int rownnz[2] = {1, 1}, rowadr[2] = {0, 1}, colind[2] = {0, 1}, diag[2] = {0, 0};
  XT_INT(cti_csr_lu_factor(value, rownnz, rowadr, colind, diag, 0, 2, scratch), 1);
  XT_NEAR(value[1], CTI_MINVAL, 0);
}

XT_MAIN()
