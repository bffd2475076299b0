// Sparse vectors and matrices. Step code.
//
// A sparse vector is nnz values and their ascending indices. A matrix is in rows (CSR): row i has rownnz[i]
// elements from position rowadr[i] of `value` and `colind`, columns ascending; rows may lie anywhere.
// A symmetric matrix holds its lower triangle with the diagonal last in each row.
#pragma once

#include "math/dense.h"

// Sum over the nonzeros in the 4 lanes of cti_dot; but what is left over joins the sum one by one.
CT_INLINE ctReal cti_dot_sparse(const ctReal* value, const int* ind, const ctReal* dense, int nnz) {
  ctReal lane[4] = {0, 0, 0, 0};
  int i = 0;
  for (; i <= nnz - 4; i += 4) {
    for (int k = 0; k < 4; k++) lane[k] += value[i + k] * dense[ind[i + k]];
  }
  ctReal sum = (lane[0] + lane[2]) + (lane[1] + lane[3]);
  for (; i < nnz; i++) sum += value[i] * dense[ind[i]];
  return sum;
}

// dense += s * sparse
CT_INLINE void cti_add_scaled_sparse(ctReal* CT_RESTRICT dense, const ctReal* CT_RESTRICT value,
                                     const int* CT_RESTRICT ind, ctReal s, int nnz) {
  for (int i = 0; i < nnz; i++) dense[ind[i]] += s * value[i];
}

// The same by a team.
CT_INLINE void cti_team_add_scaled_sparse(ctReal* CT_RESTRICT dense, const ctReal* CT_RESTRICT value,
                                          const int* CT_RESTRICT ind, ctReal s, int nnz) {
  CT_LANES(i, nnz) dense[ind[i]] += s * value[i];
  CT_TEAM_SYNC();
}

// a = ca a + cb b over the union of both patterns, in place: `a` and `ind_a` need room for the union. Returns
// its number of elements.
CT_FN int cti_combine_sparse(ctReal* a, int* ind_a, int nnz_a, ctReal ca, const ctReal* b, const int* ind_b,
                             int nnz_b, ctReal cb);

// Rows from row i on that are taken together because they have the same columns, at most four; rowsuper as
// below.
CT_INLINE int cti_rows_together(const int* rowsuper, int i) {
  int more = rowsuper ? rowsuper[i] : 0;
  return more < 3 ? more + 1 : 4;
}

// Row i has the columns of the row before it.
CT_INLINE bool cti_row_follows(const int* rowsuper, int i) {
  return i > 0 && rowsuper[i - 1] > 0;
}

#if defined(__CUDACC__)
// cti_dot_sparse() by a team.
CT_INLINE ctReal cti_team_dot_sparse(const ctReal* value, const int* ind, const ctReal* dense, int nnz) {
  const int whole = nnz & ~3;
  if (CT_TEAM < 8 || whole < 8) return cti_dot_sparse(value, ind, dense, nnz);
  ctiFour lane = {{0, 0, 0, 0}};
  for (int i = 0; i < whole; i += CT_TEAM) {
    int k = i + CT_LANE;
    cti_team_fours(&lane, k < whole ? value[k] * dense[ind[k]] : 0, whole - i);
  }
  ctReal sum = (lane.x[0] + lane.x[2]) + (lane.x[1] + lane.x[3]);
  for (int i = whole; i < nnz; i++) sum += value[i] * dense[ind[i]];
  return sum;
}
#else
CT_INLINE ctReal cti_team_dot_sparse(const ctReal* value, const int* ind, const ctReal* dense, int nnz) {
  return cti_dot_sparse(value, ind, dense, nnz);
}
#endif

// ---- products, by a team ----

// r = A v, each element a cti_dot_sparse. rowsuper: how many rows behind each have its columns; NULL when
// that is not known.
CT_FN void cti_csr_mul_vec(ctReal* r, const ctReal* value, const int* rownnz, const int* rowadr,
                           const int* rowsuper, const int* colind, const ctReal* v, int nr);
// r = A' v; nc: columns of A
CT_FN void cti_csr_mul_t_vec(ctReal* r, const ctReal* value, const int* rownnz, const int* rowadr,
                             const int* rowsuper, const int* colind, const ctReal* v, int nr, int nc);
// r = A v, A symmetric, lower triangle stored. Each element adds up from the diagonal to the left, then down.
// Rows from `begin` to `end` alone, which have no columns before `begin`.
CT_FN void cti_csr_mul_sym_vec(ctReal* r, const ctReal* value, const int* rownnz, const int* rowadr,
                               const int* colind, const ctReal* v, int begin, int end);

#if CT_PLAIN
// The same for a tree, where the last dof that hangs on each is known.
CT_FN void cti_tree_mul_vec(ctReal* r, const ctReal* value, const int* rownnz, const int* rowadr,
                            const ctByte* column, const int* last, const ctReal* v, int n);
#endif

// The last dof that hangs on dof i of a tree, in the pattern of its mass matrix: those that do follow it.
CT_INLINE int cti_tree_last(const int* rownnz, const int* rowadr, const int* colind, int i, int n) {
  int end = i;
  const int left = rownnz[i] - 1;
  while (end + 1 < n && left < rownnz[end + 1] - 1 && colind[rowadr[end + 1] + left] == i) end++;
  return end;
}

// x = (D + L)^-1 x, and x = (D + U)^-1 x: L and U the triangles of a symmetric matrix that has all its
// elements, D another diagonal, whose inverse is given. diag[i]: elements of row i before its diagonal. One
// lane does it all.
CT_FN void cti_csr_lower_solve(ctReal* x, const ctReal* value, const int* rownnz, const int* rowadr,
                               const int* rowsuper, const int* colind, const int* diag, const ctReal* inverse,
                               int n);
CT_FN void cti_csr_upper_solve(ctReal* x, const ctReal* value, const int* rownnz, const int* rowadr,
                               const int* rowsuper, const int* colind, const int* diag, const ctReal* inverse,
                               int n);

// The nonzeros of a dense matrix, rows packed. Returns their number; when that exceeds `capacity` (of `value`
// and `colind`) nothing beyond it is written and the result must not be used.
CT_FN int cti_csr_from_dense(ctReal* value, int* rownnz, int* rowadr, int* colind, const ctReal* dense,
                             int nr, int nc, int capacity);
// The full matrix, zeros included.
CT_FN void cti_csr_to_dense(ctReal* dense, const ctReal* value, const int* rownnz, const int* rowadr,
                            const int* colind, int nr, int nc);
// The transpose, nc rows, packed. `t_value` may be NULL for the pattern alone.
CT_FN void cti_csr_transpose(ctReal* t_value, int* t_rownnz, int* t_rowadr, int* t_colind,
                             const ctReal* value, const int* rownnz, const int* rowadr, const int* colind,
                             int nr, int nc);

// LU without fill for the pattern of a tree: square, symmetric in structure, row i holding i, its ancestors
// (all < i, and ancestors of each other) and its descendants. Rows are eliminated from the last to the
// first, giving A = (U + 1) L with L lower triangular and U strictly upper, both stored in place of A.
// diag[i]: position of the diagonal in row i, from the row's start; `scratch`: n reals. A pivot of magnitude
// below CTI_MINVAL is replaced by it. Returns the row of the first such pivot met, or -1.
CT_FN int cti_csr_lu_factor(ctReal* value, const int* rownnz, const int* rowadr, const int* colind,
                            const int* diag, int begin, int end, ctReal* scratch);
// x = A^-1 x
CT_FN void cti_csr_lu_solve(ctReal* x, const ctReal* lu, const int* rownnz, const int* rowadr,
                            const int* colind, const int* diag, int begin, int end);
