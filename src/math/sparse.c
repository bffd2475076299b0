#include "math/sparse.h"

#include "math/simd.h"
#include "math/vec3.h"

// Number of distinct indices in two ascending lists.
static CT_FN int sparse_count_union(const int* a, int na, const int* b, int nb) {
  int i = 0, k = 0, n = 0;
  for (; i < na && k < nb; n++) {
    int x = a[i], y = b[k];
    i += x <= y;
    k += y <= x;
  }
  return n + (na - i) + (nb - k);
}

CT_FN int cti_combine_sparse(ctReal* a, int* ind_a, int nnz_a, ctReal ca, const ctReal* b, const int* ind_b,
                             int nnz_b, ctReal cb) {
  // Merge from the back: the place written is never before an element of a still to be read.
  int nnz = sparse_count_union(ind_a, nnz_a, ind_b, nnz_b);
  int i = nnz_a - 1, k = nnz_b - 1;
  for (int to = nnz - 1; to >= 0; to--) {
    int from_a = i >= 0 && (k < 0 || ind_a[i] >= ind_b[k]);
    int from_b = k >= 0 && (i < 0 || ind_b[k] >= ind_a[i]);
    int index = from_a ? ind_a[i] : ind_b[k];
    a[to] = from_a && from_b ? ca * a[i] + cb * b[k] : from_a ? ca * a[i] : cb * b[k];
    ind_a[to] = index;
    i -= from_a;
    k -= from_b;
  }
  return nnz;
}

// ---- products ----

// Rows with the same columns are taken up to four at a time. Places of those that are not there are filled
// with the first.
typedef struct RowGroup {
  int count;
  const ctReal* value[4];
} RowGroup;

CTI_SIMD_FN RowGroup row_group(const ctReal* value, const int* rowadr, const int* rowsuper, int i) {
  RowGroup g;
  g.count = cti_rows_together(rowsuper, i);
  for (int k = 0; k < 4; k++) g.value[k] = value + rowadr[k < g.count ? i + k : i];
  return g;
}

// Has row i columns of its own?
CTI_SIMD_FN bool row_is_alone(const int* rowsuper, int i) {
  return !rowsuper || rowsuper[i] == 0;
}

// Rows between two points that move in space are many where there are any.
#define TWO_POINTS 6

// cti_dot_sparse() for one of them.
CTI_SIMD_FN ctReal dot_two_points(const ctReal* a, const int* ind, const ctReal* b) {
  ctReal l0 = 0 + a[0] * b[ind[0]], l1 = 0 + a[1] * b[ind[1]], l2 = 0 + a[2] * b[ind[2]],
         l3 = 0 + a[3] * b[ind[3]];
  return (((l0 + l2) + (l1 + l3)) + a[4] * b[ind[4]]) + a[5] * b[ind[5]];
}

CTI_SIMD_FN void csr_mul_vec_simd(ctReal* r, const ctReal* value, const int* rownnz, const int* rowadr,
                                  const int* rowsuper, const int* colind, const ctReal* v, int nr) {
  if (CT_TEAM > 1) {
    CT_LANES(k, nr) r[k] = cti_dot_sparse(value + rowadr[k], colind + rowadr[k], v, rownnz[k]);
    CT_TEAM_SYNC();
    return;
  }
  for (int i = 0; i < nr;) {
    if (rownnz[i] == TWO_POINTS && row_is_alone(rowsuper, i)) {
      r[i] = dot_two_points(value + rowadr[i], colind + rowadr[i], v);
      i++;
      continue;
    }
    RowGroup g = row_group(value, rowadr, rowsuper, i);
    if (g.count == 1) {
      r[i] = cti_dot_sparse(g.value[0], colind + rowadr[i], v, rownnz[i]);
    } else {
      ctReal out[4];
      cti_dot_sparse4(out, g.value, colind + rowadr[i], v, rownnz[i]);
      for (int k = 0; k < 4; k++) {
        if (k < g.count) r[i + k] = out[k];
      }
    }
    i += g.count;
  }
}
CTI_SIMD_DISPATCH(void, , cti_csr_mul_vec, csr_mul_vec_simd,
                  (ctReal * r, const ctReal* value, const int* rownnz, const int* rowadr, const int* rowsuper,
                   const int* colind, const ctReal* v, int nr),
                  (r, value, rownnz, rowadr, rowsuper, colind, v, nr))

CTI_SIMD_FN void csr_mul_t_vec_simd(ctReal* r, const ctReal* value, const int* rownnz, const int* rowadr,
                                    const int* rowsuper, const int* colind, const ctReal* v, int nr, int nc) {
  cti_team_zero(r, nc);
  if (CT_TEAM > 1) {
    // row after row, the columns of each between the lanes
    for (int i = 0; i < nr; i++) {
      const ctReal s = v[i];
      const int adr = rowadr[i], n = s != 0 ? rownnz[i] : 0;
      CT_LANES(k, n) r[colind[adr + k]] += s * value[adr + k];
      CT_TEAM_SYNC();
    }
    return;
  }
  for (int i = 0; i < nr;) {
    if (rownnz[i] == TWO_POINTS && row_is_alone(rowsuper, i)) {
      const ctReal scale = v[i], *a = value + rowadr[i];
      const int* ind = colind + rowadr[i];
      if (scale != 0) {
        for (int k = 0; k < TWO_POINTS; k++) r[ind[k]] += scale * a[k];
      }
      i++;
      continue;
    }
    RowGroup g = row_group(value, rowadr, rowsuper, i);
    ctReal s[4];
    for (int k = 0; k < 4; k++) s[k] = k < g.count ? v[i + k] : 0;
    bool any = s[0] != 0 || s[1] != 0 || s[2] != 0 || s[3] != 0;  // forces of inactive constraints are zero
    if (any && g.count == 1) {
      cti_add_scaled_sparse(r, g.value[0], colind + rowadr[i], s[0], rownnz[i]);
    } else if (any) {
      cti_add_scaled_sparse4(r, g.value, colind + rowadr[i], s, rownnz[i]);
    }
    i += g.count;
  }
}
CTI_SIMD_DISPATCH(void, , cti_csr_mul_t_vec, csr_mul_t_vec_simd,
                  (ctReal * r, const ctReal* value, const int* rownnz, const int* rowadr, const int* rowsuper,
                   const int* colind, const ctReal* v, int nr, int nc),
                  (r, value, rownnz, rowadr, rowsuper, colind, v, nr, nc))

// ---- triangular solves in a symmetric matrix with all its elements ----

// Rows from i on that have the same columns, their own among them: up to three can be taken together, for the
// fourth place of a vector is left free.
CTI_SIMD_FN int rows_at_once(const int* rowsuper, const int* colind, const int* rownnz, const int* rowadr,
                             const int* diag, int i) {
  int count = rowsuper ? (rowsuper[i] < 2 ? rowsuper[i] + 1 : 3) : 1, at = rowadr[i] + diag[i];
  if (diag[i] + count > rownnz[i] || colind[at + count - 1] != i + count - 1) return 1;
  return count;
}

CTI_SIMD_FN void lower_solve_simd(ctReal* x, const ctReal* value, const int* rownnz, const int* rowadr,
                                  const int* rowsuper, const int* colind, const int* diag,
                                  const ctReal* inverse, int n) {
  for (int i = 0; i < n;) {
    if (rownnz[i] == 0) {
      x[i] *= inverse[i];
      i++;
      continue;
    }
    const int count = rows_at_once(rowsuper, colind, rownnz, rowadr, diag, i), low = diag[i];
    const ctReal* row[4];
    ctReal sum[4];
    for (int k = 0; k < 4; k++) row[k] = value + rowadr[k < count ? i + k : i];
    cti_dot_sparse4(sum, row, colind + rowadr[i], x, low);
    for (int k = 0; k < count; k++) {
      ctReal rest = x[i + k] - sum[k];
      for (int j = 0; j < k; j++) rest -= row[k][low + j] * x[i + j];
      x[i + k] = rest * inverse[i + k];
    }
    i += count;
  }
}
CTI_SIMD_DISPATCH(void, , cti_csr_lower_solve, lower_solve_simd,
                  (ctReal * x, const ctReal* value, const int* rownnz, const int* rowadr, const int* rowsuper,
                   const int* colind, const int* diag, const ctReal* inverse, int n),
                  (x, value, rownnz, rowadr, rowsuper, colind, diag, inverse, n))

CTI_SIMD_FN void upper_solve_simd(ctReal* x, const ctReal* value, const int* rownnz, const int* rowadr,
                                  const int* rowsuper, const int* colind, const int* diag,
                                  const ctReal* inverse, int n) {
  for (int end = n; end > 0;) {
    // the rows that lower_solve_simd took together
    int i = end - 1;
    if (rownnz[i] == 0) {
      x[i] *= inverse[i];
      end--;
      continue;
    }
    while (i > 0 && end - i < 3 && rowsuper && rowsuper[i - 1] > 0 && rownnz[i - 1] > 0) i--;
    while (i + rows_at_once(rowsuper, colind, rownnz, rowadr, diag, i) < end) i++;
    const int count = end - i, high = diag[i] + count;
    const ctReal* row[4];
    ctReal sum[4];
    for (int k = 0; k < 4; k++) row[k] = value + rowadr[k < count ? i + k : i] + high;
    cti_dot_sparse4(sum, row, colind + rowadr[i] + high, x, rownnz[i] - high);
    for (int k = count - 1; k >= 0; k--) {
      ctReal rest = x[i + k] - sum[k];
      for (int j = k + 1; j < count; j++) rest -= value[rowadr[i + k] + diag[i] + j] * x[i + j];
      x[i + k] = rest * inverse[i + k];
    }
    end = i;
  }
}
CTI_SIMD_DISPATCH(void, , cti_csr_upper_solve, upper_solve_simd,
                  (ctReal * x, const ctReal* value, const int* rownnz, const int* rowadr, const int* rowsuper,
                   const int* colind, const int* diag, const ctReal* inverse, int n),
                  (x, value, rownnz, rowadr, rowsuper, colind, diag, inverse, n))

// Element p of row i, left of its diagonal, and its mirror image.
CTI_SIMD_FN ctReal mul_mirrored(ctReal sum, ctReal* r, ctReal element, const ctReal* v, int c, ctReal own) {
  r[c] += element * own;
  return sum + element * v[c];
}

CTI_SIMD_FN void csr_mul_sym_vec_simd(ctReal* CT_RESTRICT r, const ctReal* value, const int* rownnz,
                                      const int* rowadr, const int* colind, const ctReal* v, int begin,
                                      int end) {
  if (CT_TEAM > 1) {
    for (int i = begin + CT_LANE; i < end; i += CT_TEAM) {
      const int first = rowadr[i], left = rownnz[i] - 1;
      ctReal sum = value[first + left] * v[i];
      for (int p = first + left - 1; p >= first; p--) sum += value[p] * v[colind[p]];
      // the rows below that have its column follow, and have it at the same place
      for (int k = i + 1; k < end && left < rownnz[k] - 1 && colind[rowadr[k] + left] == i; k++)
        sum += value[rowadr[k] + left] * v[k];
      r[i] = sum;
    }
    CT_TEAM_SYNC();
    return;
  }
  for (int i = begin; i < end; i++) {
    const int* col = colind + rowadr[i];
    const ctReal *row = value + rowadr[i], own = v[i];
    int p = rownnz[i] - 1;
    ctReal sum = row[p] * own;
    for (; p & 3; p--) sum = mul_mirrored(sum, r, row[p - 1], v, col[p - 1], own);
    // by fours that begin where those of other rows do
    for (; p > 0; p -= 4) {
      if (cti_is_run4(col + p - 4)) {
        sum = cti_add_down4(sum, row + p - 4, v + col[p - 4]);
        cti_vec4_add(r + col[p - 4], row + p - 4, own);
      } else {
        for (int k = p - 1; k >= p - 4; k--) sum = mul_mirrored(sum, r, row[k], v, col[k], own);
      }
    }
    r[i] = sum;
  }
}
CTI_SIMD_DISPATCH(void, , cti_csr_mul_sym_vec, csr_mul_sym_vec_simd,
                  (ctReal * r, const ctReal* value, const int* rownnz, const int* rowadr, const int* colind,
                   const ctReal* v, int begin, int end),
                  (r, value, rownnz, rowadr, colind, v, begin, end))

#if CT_PLAIN
CT_FN void cti_tree_mul_vec(ctReal* r, const ctReal* value, const int* rownnz, const int* rowadr,
                            const ctByte* column, const int* last, const ctReal* v, int n) {
  CT_LANES(i, n) {
    const int first = rowadr[i], left = rownnz[i] - 1, end = last[i];
    ctReal sum = value[first + left] * v[i];
    CT_UNROLL(2)
    for (int p = first + left - 1; p >= first; p--) sum += value[p] * v[column[p]];
    CT_UNROLL(4)
    for (int k = i + 1; k <= end; k++) sum += value[rowadr[k] + left] * v[k];
    r[i] = sum;
  }
  CT_TEAM_SYNC();
}
#endif

CT_FN int cti_csr_from_dense(ctReal* value, int* rownnz, int* rowadr, int* colind, const ctReal* dense,
                             int nr, int nc, int capacity) {
  int nnz = 0;
  for (int i = 0; i < nr; i++) {
    rowadr[i] = nnz;
    for (int k = 0; k < nc; k++) {
      ctReal x = dense[i * nc + k];
      if (x == 0) continue;
      if (nnz < capacity) {
        value[nnz] = x;
        colind[nnz] = k;
      }
      nnz++;
    }
    rownnz[i] = nnz - rowadr[i];
  }
  return nnz;
}

CT_FN void cti_csr_to_dense(ctReal* dense, const ctReal* value, const int* rownnz, const int* rowadr,
                            const int* colind, int nr, int nc) {
  cti_zero(dense, nr * nc);
  for (int i = 0; i < nr; i++) {
    for (int p = rowadr[i]; p < rowadr[i] + rownnz[i]; p++) dense[i * nc + colind[p]] = value[p];
  }
}

CT_FN void cti_csr_transpose(ctReal* t_value, int* t_rownnz, int* t_rowadr, int* t_colind,
                             const ctReal* value, const int* rownnz, const int* rowadr, const int* colind,
                             int nr, int nc) {
  // count, then place each row of the result after the one before
  for (int k = 0; k < nc; k++) t_rownnz[k] = 0;
  for (int i = 0; i < nr; i++) {
    for (int p = rowadr[i]; p < rowadr[i] + rownnz[i]; p++) t_rownnz[colind[p]]++;
  }
  int nnz = 0;
  for (int k = 0; k < nc; k++) {
    t_rowadr[k] = nnz;
    nnz += t_rownnz[k];
    t_rownnz[k] = 0;
  }

  // rows come in order, so columns of the result ascend
  for (int i = 0; i < nr; i++) {
    for (int p = rowadr[i]; p < rowadr[i] + rownnz[i]; p++) {
      int k = colind[p], to = t_rowadr[k] + t_rownnz[k]++;
      t_colind[to] = i;
      if (t_value) t_value[to] = value[p];
    }
  }
}

CT_FN int cti_csr_lu_factor(ctReal* value, const int* rownnz, const int* rowadr, const int* colind,
                            const int* diag, int begin, int end, ctReal* scratch) {
  int bad = -1;
  for (int i = end - 1; i >= begin; i--) {
    ctReal* row = value + rowadr[i];
    const int* col = colind + rowadr[i];
    int nnz = rownnz[i], at = diag[i];

    // Take out the rows of the descendants, last first: each changes only columns that row i has, because
    // the rest of a descendant's row are its own ancestors.
    if (at < nnz - 1) {
      for (int p = 0; p < nnz; p++) scratch[col[p]] = row[p];
      for (int p = nnz - 1; p > at; p--) {
        int k = col[p], below = diag[k];
        const ctReal* lower = value + rowadr[k];
        ctReal u = scratch[k] / lower[below];
        scratch[k] = u;
        if (u != 0) cti_add_scaled_sparse(scratch, lower, colind + rowadr[k], -u, below);
      }
      for (int p = 0; p < nnz; p++) row[p] = scratch[col[p]];
    }

    if (!(cti_abs(row[at]) >= CTI_MINVAL)) {
      row[at] = CTI_MINVAL;
      if (bad < 0) bad = i;
    }
  }
  return bad;
}

CT_FN void cti_csr_lu_solve(ctReal* x, const ctReal* lu, const int* rownnz, const int* rowadr,
                            const int* colind, const int* diag, int begin, int end) {
  // (U + 1) x = b, from the last row up
  for (int i = end - 1; i >= begin; i--) {
    int adr = rowadr[i] + diag[i] + 1, right = rownnz[i] - diag[i] - 1;
    if (right) x[i] -= cti_dot_sparse(lu + adr, colind + adr, x, right);
  }
  // L x = b, from the first row down
  for (int i = begin; i < end; i++) {
    int adr = rowadr[i], left = diag[i];
    if (left) x[i] -= cti_dot_sparse(lu + adr, colind + adr, x, left);
    x[i] /= lu[adr + left];
  }
}
