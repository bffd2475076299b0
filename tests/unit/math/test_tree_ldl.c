#include "math/tree_ldl.h"

#include "math/vec3.h"
#include "xt.h"

#define N_MAX 60
#define TOL   CT_R(XT_TOL(1e-11, 2e-3))  // condition up to about 1e3, 60 dofs

// A mass matrix of a tree, sparse and in full.
typedef struct Tree {
  int n, parent[N_MAX], rownnz[N_MAX], rowadr[N_MAX], colind[N_MAX * N_MAX];
  ctReal m[N_MAX * N_MAX], full[N_MAX * N_MAX];
  ctReal ld[N_MAX * N_MAX], diaginv[N_MAX];
} Tree;

typedef enum Shape { CHAIN, BUSH, FOREST, SIMPLE, SHAPES } Shape;

static Tree tree;

static int random_parent(int i, Shape shape, xtRng* rng) {
  if (shape == CHAIN) return i - 1;
  if (i == 0 || (shape != BUSH && xt_uniform(rng, 0, 1) < 0.2)) return -1;
  return (int)xt_uniform(rng, 0, i);
}

// Positive definite with the pattern of the tree: sum over dofs of outer products over their ancestors, which
// is how bodies make a mass matrix. In SIMPLE trees every third dof is alone, its row only the diagonal.
static void random_tree(Tree* t, int n, Shape shape, xtRng* rng) {
  t->n = n;
  cti_zero(t->full, n * n);
  int nnz = 0;
  for (int i = 0; i < n; i++) {
    t->parent[i] = random_parent(i, shape, rng);
    if (shape == SIMPLE && i % 3 == 0) t->parent[i] = -1;
    if (shape == SIMPLE && t->parent[i] >= 0 && t->parent[i] % 3 == 0) t->parent[i] = -1;
    int line[N_MAX], depth = 0;
    ctReal weight[N_MAX];
    for (int k = i; k >= 0; k = t->parent[k]) line[depth++] = k;
    xt_random_vec(weight, depth, rng);
    for (int p = 0; p < depth; p++) {
      for (int q = 0; q < depth; q++) t->full[line[p] * n + line[q]] += weight[p] * weight[q];
    }
    t->full[i * n + i] += 1;

    // pattern: ancestors ascending, then itself
    t->rowadr[i] = nnz;
    t->rownnz[i] = depth;
    for (int p = depth - 1; p >= 0; p--) t->colind[nnz++] = line[p];
  }
  for (int i = 0; i < n; i++) {
    for (int p = t->rowadr[i]; p < t->rowadr[i] + t->rownnz[i]; p++) t->m[p] = t->full[i * n + t->colind[p]];
  }
  memcpy(t->ld, t->m, sizeof(ctReal) * (size_t)nnz);
}

static int factor(Tree* t) {
  return cti_ldl_factor(t->ld, t->diaginv, t->rownnz, t->rowadr, t->colind, 0, t->n);
}

static void each_tree(void (*check)(Tree* t, xtRng* rng)) {
  xtRng rng = xt_rng(1);
  for (int shape = 0; shape < SHAPES; shape++) {
    for (int n = 1; n <= N_MAX; n += n < 8 ? 1 : 4) {
      random_tree(&tree, n, (Shape)shape, &rng);
      XT_INT(factor(&tree), -1);
      check(&tree, &rng);
    }
  }
}

static void check_product(Tree* t, xtRng* rng) {
  (void)rng;
  static ctReal l[N_MAX * N_MAX];
  int n = t->n;
  ctReal d[N_MAX];
  cti_csr_to_dense(l, t->ld, t->rownnz, t->rowadr, t->colind, n, n);
  for (int i = 0; i < n; i++) {
    d[i] = l[i * n + i];
    l[i * n + i] = 1;
    XT_NEAR(d[i] * t->diaginv[i], 1, XT_TOL(1e-15, 1e-6));
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      ctReal sum = 0;
      for (int k = 0; k < n; k++) sum += l[k * n + i] * d[k] * l[k * n + j];
      XT_NEAR(sum, t->full[i * n + j], TOL * n);
    }
  }
}
XT_TEST(tree_ldl, factors_multiply_to_the_matrix) {
  each_tree(check_product);
}

static void check_solve(Tree* t, xtRng* rng) {
  int n = t->n;
  ctReal x[3 * N_MAX], y[3 * N_MAX];
  xt_random_vec(x, 3 * n, rng);
  for (int v = 0; v < 3; v++) {
    cti_csr_mul_sym_vec(y + v * n, t->m, t->rownnz, t->rowadr, t->colind, x + v * n, 0, n);
  }
  for (int v = 0; v < 3; v++)
    cti_ldl_solve(y + v * n, t->ld, t->diaginv, t->rownnz, t->rowadr, t->colind, 0, n);
  XT_CLOSE(y, x, 3 * n, TOL, "solution");
}
XT_TEST(tree_ldl, solve_undoes_the_product) {
  each_tree(check_solve);
}

static void check_half(Tree* t, xtRng* rng) {
  int n = t->n;
  ctReal x[N_MAX], half[N_MAX], solved[N_MAX], root[N_MAX];
  xt_random_vec(x, n, rng);
  cti_copy(half, x, n);
  cti_copy(solved, x, n);
  for (int i = 0; i < n; i++) root[i] = cti_sqrt(t->diaginv[i]);
  cti_ldl_half(half, t->ld, root, t->rownnz, t->rowadr, t->colind, n, 1);
  cti_ldl_solve(solved, t->ld, t->diaginv, t->rownnz, t->rowadr, t->colind, 0, n);
  XT_NEAR(cti_dot(half, half, n), cti_dot(x, solved, n), TOL * n);
}
XT_TEST(tree_ldl, half_solve_squares_to_the_quadratic_form) {
  each_tree(check_half);
}

// Columns that follow each other are taken together: with the bits of the plain loops.
static void check_bits(Tree* t, xtRng* rng) {
  int n = t->n;
  ctReal v[N_MAX] = {0}, x[N_MAX] = {0}, r[N_MAX] = {0}, product[N_MAX] = {0};
  xt_random_vec(v, n, rng);
  cti_csr_mul_sym_vec(product, t->m, t->rownnz, t->rowadr, t->colind, v, 0, n);
  cti_copy(x, v, n);
  cti_ldl_solve(x, t->ld, t->diaginv, t->rownnz, t->rowadr, t->colind, 0, n);
  for (int i = 0; i < n; i++) {
    int adr = t->rowadr[i], diag = adr + t->rownnz[i] - 1;
    volatile ctReal sum = t->m[diag] * v[i];
    for (int p = diag - 1; p >= adr; p--) {
      sum = sum + t->m[p] * v[t->colind[p]];
      r[t->colind[p]] += t->m[p] * v[i];
    }
    r[i] = sum;
  }
  XT_SAME(product, r, n);
  for (int i = n - 1; i >= 0; i--) {
    for (int p = t->rowadr[i]; p < t->rowadr[i] + t->rownnz[i] - 1; p++) v[t->colind[p]] -= v[i] * t->ld[p];
  }
  for (int i = 0; i < n; i++) v[i] *= t->diaginv[i];
  for (int i = 0; i < n; i++)
    v[i] -= cti_dot_sparse(t->ld + t->rowadr[i], t->colind + t->rowadr[i], v, t->rownnz[i] - 1);
  XT_SAME(x, v, n);
}
XT_TEST(tree_ldl, product_and_solve_have_the_bits_of_the_plain_loops) {
  each_tree(check_bits);
}

static void check_dense(Tree* t, xtRng* rng) {
  static ctReal l[N_MAX * N_MAX];
  int n = t->n;
  ctReal x[N_MAX], y[N_MAX];
  xt_random_vec(x, n, rng);
  cti_copy(l, t->full, n * n);
  XT_INT(cti_chol_factor(l, n, CTI_MINVAL), n);
  cti_chol_solve(y, l, x, n);
  cti_ldl_solve(x, t->ld, t->diaginv, t->rownnz, t->rowadr, t->colind, 0, n);
  XT_CLOSE(x, y, n, TOL, "solution");
}
XT_TEST(tree_ldl, agrees_with_dense_cholesky) {
  each_tree(check_dense);
}

XT_TEST(tree_ldl, simple_rows_below_a_shortened_ancestor_are_left_alone) {
  // dof 1 follows dof 0 but both are shortened to their diagonals
  ctReal ld[2] = {2, 4}, diaginv[2], x[2] = {1, 1}, expect[2] = {0.5, 0.25};
  int rownnz[2] = {1, 1}, rowadr[2] = {0, 1}, colind[2] = {0, 1};
  XT_INT(cti_ldl_factor(ld, diaginv, rownnz, rowadr, colind, 0, 2), -1);
  XT_SAME(diaginv, expect, 2);
  cti_ldl_solve(x, ld, diaginv, rownnz, rowadr, colind, 0, 2);
  XT_SAME(x, expect, 2);
}

XT_TEST(tree_ldl, lost_pivots_are_replaced_and_the_last_is_reported) {
  ctReal ld[3] = {0, -1, 2}, diaginv[3];
  int rownnz[3] = {1, 1, 1}, rowadr[3] = {0, 1, 2}, colind[3] = {0, 1, 2};
  XT_INT(cti_ldl_factor(ld, diaginv, rownnz, rowadr, colind, 0, 3), 1);
  XT_NEAR(ld[0], CTI_MINVAL, 0);
  XT_NEAR(ld[1], CTI_MINVAL, 0);
  XT_NEAR(diaginv[2], 0.5, 0);
}

XT_MAIN()
