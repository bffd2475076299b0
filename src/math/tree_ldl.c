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

// Each dof is taken out of the rows of its ancestors. The row of an ancestor is the beginning of its own. A
// dof and its parent, when they follow each other, are taken out together.

// By a team: each lane a row of an ancestor.
static CT_FN int team_factor(ctReal* ld, ctReal* diaginv, const int* rownnz, const int* rowadr,
                             const int* colind, int begin, int end) {
  int bad = -1;
  for (int k = end - 1; k >= begin; k--) {
    ctReal* row = ld + rowadr[k];
    const int* col = colind + rowadr[k];
    int above = rownnz[k] - 1;
    const ctReal inv = invert_pivot(row + above, k, &bad);
    diaginv[k] = inv;
    if (above > 1 && col[above - 1] == k - 1) {
      ctReal* next = ld + rowadr[k - 1];
      cti_team_add_scaled(next, row, -(row[above - 1] * inv), above);
      const ctReal next_inv = invert_pivot(next + above - 1, k - 1, &bad);
      diaginv[k - 1] = next_inv;
      CT_LANES(p, above - 1) {
        cti_row_add_two(ld + rowadr[col[p]], row, -(row[p] * inv), next, -(next[p] * next_inv), p + 1);
      }
      CT_TEAM_SYNC();
      CT_LANES(p, above) {
        row[p] *= inv;
        if (p < above - 1) next[p] *= next_inv;
      }
      k--;
    } else {
      CT_LANES(p, above) cti_row_add(ld + rowadr[col[p]], row, -(row[p] * inv), p + 1);
      CT_TEAM_SYNC();
      CT_LANES(p, above) row[p] *= inv;
    }
    CT_TEAM_SYNC();
  }
  return bad;
}

CTI_SIMD_FN int ldl_factor_simd(ctReal* ld, ctReal* diaginv, const int* rownnz, const int* rowadr,
                                const int* colind, int begin, int end) {
  if (CT_TEAM > 1) return team_factor(ld, diaginv, rownnz, rowadr, colind, begin, end);
  int bad = -1;
  for (int k = end - 1; k >= begin; k--) {
    ctReal* row = ld + rowadr[k];
    const int* col = colind + rowadr[k];
    int above = rownnz[k] - 1;  // ancestors
    ctReal inv = invert_pivot(row + above, k, &bad);
    diaginv[k] = inv;
    bool pair = above > 1 && col[above - 1] == k - 1;
    if (pair) {
      ctReal* next = ld + rowadr[k - 1];
      cti_row_add(next, row, -(row[above - 1] * inv), above);
      ctReal next_inv = invert_pivot(next + above - 1, k - 1, &bad);
      diaginv[k - 1] = next_inv;
      for (int p = 0; p < above - 1; p++) {
        cti_row_add_two(ld + rowadr[col[p]], row, -(row[p] * inv), next, -(next[p] * next_inv), p + 1);
      }
      cti_scale(next, next, next_inv, above - 1);
      k--;
    } else {
      for (int p = 0; p < above; p++) cti_row_add(ld + rowadr[col[p]], row, -(row[p] * inv), p + 1);
    }
    cti_scale(row, row, inv, above);
  }
  return bad;
}

CTI_SIMD_DISPATCH(int, return, cti_ldl_factor, ldl_factor_simd,
                  (ctReal * ld, ctReal* diaginv, const int* rownnz, const int* rowadr, const int* colind,
                   int begin, int end),
                  (ld, diaginv, rownnz, rowadr, colind, begin, end))

// x = L^-T x: from the last dof up, take each out of its ancestors
CTI_SIMD_FN void ldl_solve_upper(ctReal* x, const ctReal* ld, const int* rownnz, const int* rowadr,
                                 const int* colind, int begin, int end) {
  for (int k = end - 1; k >= begin; k--) {
    int above = rownnz[k] - 1;
    if (above && x[k] != 0) cti_add_scaled_runs(x, ld + rowadr[k], colind + rowadr[k], -x[k], above);
  }
}

// The same by a team. A dof and its parent, when they follow each other, are taken out together.
static CT_FN void team_solve_upper(ctReal* x, const ctReal* ld, const int* rownnz, const int* rowadr,
                                   const int* colind, int begin, int end) {
  for (int k = end - 1; k >= begin; k--) {
    const int above = rownnz[k] - 1;
    if (above == 0) continue;
    const int* col = colind + rowadr[k];
    const ctReal *row = ld + rowadr[k], s = -x[k];
    if (above > 1 && col[above - 1] == k - 1) {
      const ctReal *next = ld + rowadr[k - 1], old = x[k - 1];
      const ctReal parent = s != 0 ? old + s * row[above - 1] : old, t = -parent;
      CT_TEAM_SYNC();  // everybody has read what the parent has
      CT_LANES(p, above) {
        ctReal sum = x[col[p]];
        if (s != 0) sum += s * row[p];
        if (t != 0 && p < above - 1) sum += t * next[p];
        x[col[p]] = sum;
      }
      k--;
    } else if (s != 0) {
      CT_LANES(p, above) x[col[p]] += s * row[p];
    }
    CT_TEAM_SYNC();
  }
}

// x = L^-1 x: from the first dof down
CTI_SIMD_FN void ldl_solve_lower(ctReal* x, const ctReal* ld, const int* rownnz, const int* rowadr,
                                 const int* colind, int begin, int end) {
  for (int k = begin; k < end; k++) {
    int above = rownnz[k] - 1;
    if (above) x[k] -= cti_dot_runs(ld + rowadr[k], colind + rowadr[k], x, above);
  }
}

// x = L^-1 D^-1 x by a team: as many dofs at a time as there are lanes, each by one, which walks along its
// ancestors and adds up as cti_dot_sparse() does. The walks are in step, so a dof is done when others need
// it.
static CT_FN void team_solve_lower(ctReal* x, const ctReal* ld, const ctReal* diaginv, const int* rownnz,
                                   const int* rowadr, const int* colind, int begin, int end) {
  for (int first = begin; first < end; first += CT_TEAM) {
    const bool some = first + CT_LANE < end;
    const int k = some ? first + CT_LANE : begin, above = some ? rownnz[k] - 1 : -1;
    const int* col = colind + rowadr[k];
    const ctReal *row = ld + rowadr[k], own = some ? x[k] * diaginv[k] : 0;
    ctReal lane[4] = {0, 0, 0, 0}, sum = 0;
    for (int q = 0; cti_team_any(q <= above); q += 4) {
      const bool last = above < q + 4;
      ctReal element[4] = {0, 0, 0, 0};
      int from[4] = {0, 0, 0, 0};
      for (int i = 0; i < 4; i++) {
        if (q + i >= above) continue;
        element[i] = row[q + i];
        from[i] = col[q + i];
      }
      if (last) sum = (lane[0] + lane[2]) + (lane[1] + lane[3]);
      for (int i = 0; i < 4; i++) {
        if (q + i == above) x[k] = own - sum;
        CT_TEAM_SYNC();
        if (q + i >= above) continue;
        const ctReal product = element[i] * x[from[i]];
        if (last) {
          sum += product;
        } else {
          lane[i] += product;
        }
      }
    }
  }
}

CTI_SIMD_FN void ldl_solve_simd(ctReal* x, const ctReal* ld, const ctReal* diaginv, const int* rownnz,
                                const int* rowadr, const int* colind, int begin, int end) {
  if (CT_TEAM > 1) {
    team_solve_upper(x, ld, rownnz, rowadr, colind, begin, end);
    team_solve_lower(x, ld, diaginv, rownnz, rowadr, colind, begin, end);
    return;
  }
  ldl_solve_upper(x, ld, rownnz, rowadr, colind, begin, end);
  for (int k = begin; k < end; k++) x[k] *= diaginv[k];
  ldl_solve_lower(x, ld, rownnz, rowadr, colind, begin, end);
}
CTI_SIMD_DISPATCH_AS(CT_PLAIN_NOINLINE, void, , cti_ldl_solve, ldl_solve_simd,
                     (ctReal * x, const ctReal* ld, const ctReal* diaginv, const int* rownnz,
                      const int* rowadr, const int* colind, int begin, int end),
                     (x, ld, diaginv, rownnz, rowadr, colind, begin, end))

CT_FN void cti_ldl_half(ctReal* x, const ctReal* ld, const ctReal* sqrt_diaginv, const int* rownnz,
                        const int* rowadr, const int* colind, int n, int nvec) {
  CT_LANES(v, nvec) {
    ctReal* own = x + (size_t)v * (size_t)n;
    ldl_solve_upper(own, ld, rownnz, rowadr, colind, 0, n);
    for (int k = 0; k < n; k++) own[k] *= sqrt_diaginv[k];
  }
  CT_TEAM_SYNC();
}
