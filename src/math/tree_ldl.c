#include "math/tree_ldl.h"

#include "math/simd.h"
#include "math/vec3.h"

// Inverse of the pivot of dof k, from which the descendants have already been taken out.
CT_INLINE ctReal invert_pivot(ctReal* pivot, int k, int* bad) {
  if (!(*pivot >= CTI_MINVAL)) {
    *pivot = CTI_MINVAL;
    if (*bad < 0) *bad = k;
  }
  return 1 / *pivot;
}

// Each dof is taken out of the rows of its ancestors. The row of an ancestor is the beginning of its own; one
// shortened to its diagonal is the last piece of that. A dof and its parent, when they follow each other, are
// taken out together.
CTI_KERNEL int ldl_factor_kernel(ctReal* ld, ctReal* diaginv, const int* rownnz, const int* rowadr,
                                 const int* colind, int begin, int end) {
  int bad = -1;
  if (CT_TEAM > 1) {
    for (int k = end - 1; k >= begin; k--) {
      ctReal* row = ld + rowadr[k];
      const int* col = colind + rowadr[k];
      int above = rownnz[k] - 1;
      ctReal inv = invert_pivot(row + above, k, &bad);
      diaginv[k] = inv;
      // each lane a row of an ancestor
      CT_LANES(p, above) {
        int i = col[p], nnz = rownnz[i];
        cti_row_add(ld + rowadr[i], row + p + 1 - nnz, -(row[p] * inv), nnz);
      }
      CT_TEAM_SYNC();
      CT_LANES(p, above) row[p] *= inv;
      CT_TEAM_SYNC();
    }
    return bad;
  }
  for (int k = end - 1; k >= begin; k--) {
    ctReal* row = ld + rowadr[k];
    const int* col = colind + rowadr[k];
    int above = rownnz[k] - 1;  // ancestors
    ctReal inv = invert_pivot(row + above, k, &bad);
    diaginv[k] = inv;
    bool pair = above > 1 && col[above - 1] == k - 1 && rownnz[k - 1] == above;
    if (pair) {
      ctReal* next = ld + rowadr[k - 1];
      cti_row_add(next, row, -(row[above - 1] * inv), above);
      ctReal next_inv = invert_pivot(next + above - 1, k - 1, &bad);
      diaginv[k - 1] = next_inv;
      for (int p = 0; p < above - 1; p++) {
        int i = col[p], nnz = rownnz[i], from = p + 1 - nnz;
        cti_row_add_two(ld + rowadr[i], row + from, -(row[p] * inv), next + from, -(next[p] * next_inv), nnz);
      }
      cti_scale(next, next, next_inv, above - 1);
      k--;
    } else {
      for (int p = 0; p < above; p++) {
        int i = col[p], nnz = rownnz[i];
        cti_row_add(ld + rowadr[i], row + p + 1 - nnz, -(row[p] * inv), nnz);
      }
    }
    cti_scale(row, row, inv, above);
  }
  return bad;
}

CTI_DISPATCH(int, return, cti_ldl_factor, ldl_factor_kernel,
             (ctReal * ld, ctReal* diaginv, const int* rownnz, const int* rowadr, const int* colind,
              int begin, int end),
             (ld, diaginv, rownnz, rowadr, colind, begin, end))

// x = L^-T x: from the last dof up, take each out of its ancestors
static CT_FN void ldl_solve_upper(ctReal* x, const ctReal* ld, const int* rownnz, const int* rowadr,
                                  const int* colind, int begin, int end) {
  for (int k = end - 1; k >= begin; k--) {
    int above = rownnz[k] - 1;
    if (above && x[k] != 0) cti_add_scaled_sparse(x, ld + rowadr[k], colind + rowadr[k], -x[k], above);
  }
}

// The same by a team.
static CT_FN void team_solve_upper(ctReal* x, const ctReal* ld, const int* rownnz, const int* rowadr,
                                   const int* colind, int begin, int end) {
  for (int k = end - 1; k >= begin; k--) {
    int above = rownnz[k] - 1, adr = rowadr[k];
    ctReal s = -x[k];
    if (above == 0 || s == 0) continue;
    CT_LANES(p, above) x[colind[adr + p]] += s * ld[adr + p];
    CT_TEAM_SYNC();
  }
}

// x = L^-1 x: from the first dof down
static CT_FN void ldl_solve_lower(ctReal* x, const ctReal* ld, const int* rownnz, const int* rowadr,
                                  const int* colind, int begin, int end) {
  for (int k = begin; k < end; k++) {
    int above = rownnz[k] - 1;
    if (above) x[k] -= cti_dot_sparse(ld + rowadr[k], colind + rowadr[k], x, above);
  }
}

// The same by a team. In trees that are broad rather than deep dofs of equal depth are done together, each by
// a lane; in others one after the other, each by all.
#define BROAD(n, deepest) ((deepest) * (deepest) <= 16 * (n))

static CT_FN void team_solve_lower(ctReal* x, const ctReal* ld, const int* rownnz, const int* rowadr,
                                   const int* colind, int begin, int end) {
  int deepest = 0;
  for (int k = begin + CT_LANE; k < end; k += CT_TEAM) {
    if (rownnz[k] - 1 > deepest) deepest = rownnz[k] - 1;
  }
  deepest = cti_team_max(deepest);
  if (BROAD(end - begin, deepest)) {
    for (int depth = 1; depth <= deepest; depth++) {
      for (int k = begin + CT_LANE; k < end; k += CT_TEAM) {
        if (rownnz[k] - 1 != depth) continue;
        x[k] -= cti_dot_sparse(ld + rowadr[k], colind + rowadr[k], x, depth);
      }
      CT_TEAM_SYNC();
    }
    return;
  }
  for (int k = begin; k < end; k++) {
    int above = rownnz[k] - 1;
    if (above == 0) continue;
    ctReal own = x[k], less = cti_team_dot_sparse(ld + rowadr[k], colind + rowadr[k], x, above);
    CT_TEAM_SYNC();
    x[k] = own - less;
    CT_TEAM_SYNC();
  }
}

CT_CALLED void cti_ldl_solve(ctReal* x, const ctReal* ld, const ctReal* diaginv, const int* rownnz,
                             const int* rowadr, const int* colind, int begin, int end) {
  if (CT_TEAM > 1) {
    team_solve_upper(x, ld, rownnz, rowadr, colind, begin, end);
    for (int k = begin + CT_LANE; k < end; k += CT_TEAM) x[k] *= diaginv[k];
    CT_TEAM_SYNC();
    team_solve_lower(x, ld, rownnz, rowadr, colind, begin, end);
    return;
  }
  ldl_solve_upper(x, ld, rownnz, rowadr, colind, begin, end);
  for (int k = begin; k < end; k++) x[k] *= diaginv[k];
  ldl_solve_lower(x, ld, rownnz, rowadr, colind, begin, end);
}

CT_FN void cti_ldl_half(ctReal* x, const ctReal* ld, const ctReal* sqrt_diaginv, const int* rownnz,
                        const int* rowadr, const int* colind, int n, int nvec) {
  CT_LANES(v, nvec) {
    ctReal* own = x + (size_t)v * (size_t)n;
    ldl_solve_upper(own, ld, rownnz, rowadr, colind, 0, n);
    for (int k = 0; k < n; k++) own[k] *= sqrt_diaginv[k];
  }
  CT_TEAM_SYNC();
}
