#include "math/dense.h"

#include "math/simd.h"
#include "math/vec3.h"

// ---- kernels ----

// r += s[0] a_0, then s[1] a_1, ... for the four rows of a
CTI_SIMD_FN void dense_add_rows4(ctReal* CT_RESTRICT r, const ctReal* CT_RESTRICT a, int stride,
                                 const ctReal s[4], int n) {
  const ctReal *a0 = a, *a1 = a0 + stride, *a2 = a1 + stride, *a3 = a2 + stride;
  ctReal s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3];
  for (int i = 0; i < n; i++) r[i] = (((r[i] + s0 * a0[i]) + s1 * a1[i]) + s2 * a2[i]) + s3 * a3[i];
}

// ---- products ----

CTI_SIMD_FN void mul_mat_vec_simd(ctReal* r, const ctReal* m, const ctReal* v, int nr, int nc) {
  if (CT_TEAM > 1) {
    CT_LANES(k, nr) r[k] = cti_dot(m + k * nc, v, nc);
    CT_TEAM_SYNC();
    return;
  }
  int i = 0;
  for (; i <= nr - 4; i += 4) cti_dot_rows4(r + i, m + i * nc, nc, v, nc);
  for (; i < nr; i++) r[i] = cti_dot(m + i * nc, v, nc);
}
CTI_SIMD_DISPATCH(void, , cti_mul_mat_vec, mul_mat_vec_simd,
                  (ctReal * r, const ctReal* m, const ctReal* v, int nr, int nc), (r, m, v, nr, nc))

// r = M' v, or r += M' v
CTI_SIMD_FN void mat_t_vec_simd(ctReal* r, const ctReal* m, const ctReal* v, int nr, int nc, bool add) {
  if (CT_TEAM > 1) {
    CT_LANES(k, nc) {
      ctReal sum = add ? r[k] : CT_R(0);
      for (int j = 0; j < nr; j++) sum += v[j] * m[j * nc + k];
      r[k] = sum;
    }
    CT_TEAM_SYNC();
    return;
  }
  for (int k = 0; !add && k < nc; k++) r[k] = 0;
  int i = 0;
  for (; i <= nr - 4; i += 4) dense_add_rows4(r, m + i * nc, nc, v + i, nc);
  for (; i < nr; i++) cti_row_add(r, m + i * nc, v[i], nc);
}
CTI_SIMD_FN void mul_mat_t_vec_simd(ctReal* r, const ctReal* m, const ctReal* v, int nr, int nc) {
  mat_t_vec_simd(r, m, v, nr, nc, false);
}
CTI_SIMD_DISPATCH(void, , cti_mul_mat_t_vec, mul_mat_t_vec_simd,
                  (ctReal * r, const ctReal* m, const ctReal* v, int nr, int nc), (r, m, v, nr, nc))
CTI_SIMD_FN void add_mat_t_vec_simd(ctReal* r, const ctReal* m, const ctReal* v, int nr, int nc) {
  mat_t_vec_simd(r, m, v, nr, nc, true);
}
CTI_SIMD_DISPATCH(void, , cti_add_mat_t_vec, add_mat_t_vec_simd,
                  (ctReal * r, const ctReal* m, const ctReal* v, int nr, int nc), (r, m, v, nr, nc))

CT_FN void cti_mul_mat_mat(ctReal* r, const ctReal* a, const ctReal* b, int na, int nk, int nb) {
  for (int i = 0; i < na; i++) cti_mul_mat_t_vec(r + i * nb, b, a + i * nk, nk, nb);
}

CT_FN void cti_mul_mat_mat_t(ctReal* r, const ctReal* a, const ctReal* b, int na, int nk, int nb) {
  for (int i = 0; i < na; i++) cti_mul_mat_vec(r + i * nb, b, a + i * nk, nb, nk);
}

CT_FN void cti_mul_mat_t_mat(ctReal* r, const ctReal* a, const ctReal* b, int nk, int na, int nb) {
  cti_zero(r, na * nb);
  for (int k = 0; k < nk; k++) {
    for (int i = 0; i < na; i++) cti_add_scaled(r + i * nb, b + k * nb, a[k * na + i], nb);
  }
}

CTI_SIMD_FN void mul_square_simd(ctReal* r, const ctReal* a, const ctReal* d, int nr, int nc) {
  for (int i = 0; i < nc; i++) {
    ctReal* row = r + i * nc;
    for (int k = 0; k <= i; k++) row[k] = 0;
    int j = 0;
    for (; j <= nr - 4; j += 4) {
      ctReal s[4];
      for (int k = 0; k < 4; k++) s[k] = d ? a[(j + k) * nc + i] * d[j + k] : a[(j + k) * nc + i];
      // many rows of a constraint matrix do not touch a given column
      if (s[0] != 0 || s[1] != 0 || s[2] != 0 || s[3] != 0) dense_add_rows4(row, a + j * nc, nc, s, i + 1);
    }
    for (; j < nr; j++) {
      ctReal s = d ? a[j * nc + i] * d[j] : a[j * nc + i];
      if (s != 0) cti_row_add(row, a + j * nc, s, i + 1);
    }
    for (int k = 0; k < i; k++) r[k * nc + i] = row[k];
  }
}
CTI_SIMD_DISPATCH(void, , cti_mul_square, mul_square_simd,
                  (ctReal * r, const ctReal* a, const ctReal* d, int nr, int nc), (r, a, d, nr, nc))

CT_FN void cti_transpose(ctReal* r, const ctReal* a, int nr, int nc) {
  for (int i = 0; i < nr; i++) {
    for (int k = 0; k < nc; k++) r[k * nr + i] = a[i * nc + k];
  }
}

// ---- cholesky ----

CTI_SIMD_FN int chol_factor_simd(ctReal* a, int n, ctReal mindiag) {
  int rank = n;
  for (int j = 0; j < n; j++) {
    // pivot
    ctReal* row = a + j * n;
    ctReal pivot = row[j] - cti_dot(row, row, j);
    if (!(pivot >= mindiag)) {
      pivot = mindiag;
      rank--;
    }
    row[j] = cti_sqrt(pivot);
    ctReal inv = 1 / row[j];

    // column below the pivot
    int i = j + 1;
    for (; i <= n - 4; i += 4) {
      ctReal sum[4];
      cti_dot_rows4(sum, a + i * n, n, row, j);
      for (int k = 0; k < 4; k++) a[(i + k) * n + j] = (a[(i + k) * n + j] - sum[k]) * inv;
    }
    for (; i < n; i++) a[i * n + j] = (a[i * n + j] - cti_dot(a + i * n, row, j)) * inv;
  }
  return rank;
}
CTI_SIMD_DISPATCH(int, return, cti_chol_factor, chol_factor_simd, (ctReal * a, int n, ctReal mindiag),
                  (a, n, mindiag))

CT_FN void cti_chol_solve(ctReal* x, const ctReal* l, const ctReal* b, int n) {
  // L x = b, by dot products along rows
  for (int i = 0; i < n; i++) x[i] = (b[i] - cti_dot(l + i * n, x, i)) / l[i * n + i];
  // L' x = x, also along rows: each solved element is taken out of those before it
  for (int i = n - 1; i >= 0; i--) {
    x[i] /= l[i * n + i];
    cti_add_scaled(x, l + i * n, -x[i], i);
  }
}

CT_FN int cti_chol_update(ctReal* l, ctReal* v, int n, ctBool add) {
  ctReal sign = add ? CT_R(1) : CT_R(-1);
  int rank = n;
  for (int k = 0; k < n; k++) {
    if (v[k] == 0) continue;

    // the rotation (add) or hyperbolic rotation that moves v[k] into the pivot
    ctReal old = l[k * n + k], pivot = old * old + sign * (v[k] * v[k]);
    if (!(pivot >= CTI_MINVAL)) {
      pivot = CTI_MINVAL;
      rank--;
    }
    ctReal diag = cti_sqrt(pivot), c = diag / old, cinv = 1 / c, s = v[k] / old;
    l[k * n + k] = diag;

    // Apply it to the column below. The vector is updated from the new column: stable also when subtracting.
    // Walking down the column is faster than along rows, where each element waits for the one before.
    for (int i = k + 1; i < n; i++) {
      ctReal t = (l[i * n + k] + sign * (s * v[i])) * cinv;
      l[i * n + k] = t;
      v[i] = c * v[i] - s * t;
    }
  }
  return rank;
}

// ---- LU ----

CT_FN int cti_lu_factor(ctReal* a, int* pivot, int n) {
  for (int k = 0; k < n; k++) {
    // bring the largest element of the column up
    int best = k;
    for (int i = k + 1; i < n; i++) {
      if (cti_abs(a[i * n + k]) > cti_abs(a[best * n + k])) best = i;
    }
    pivot[k] = best;
    if (a[best * n + k] == 0) return k + 1;
    for (int j = 0; best != k && j < n; j++) {
      ctReal t = a[k * n + j];
      a[k * n + j] = a[best * n + j];
      a[best * n + j] = t;
    }
    // eliminate below
    ctReal inv = 1 / a[k * n + k];
    for (int i = k + 1; i < n; i++) {
      ctReal s = a[i * n + k] * inv;
      a[i * n + k] = s;
      cti_add_scaled(a + i * n + k + 1, a + k * n + k + 1, -s, n - k - 1);
    }
  }
  return 0;
}

CT_FN void cti_lu_solve(ctReal* x, const ctReal* lu, const int* pivot, int n) {
  for (int k = 0; k < n; k++) {
    ctReal t = x[k];
    x[k] = x[pivot[k]];
    x[pivot[k]] = t;
  }
  for (int i = 1; i < n; i++) x[i] -= cti_dot(lu + i * n, x, i);
  for (int i = n - 1; i >= 0; i--) {
    x[i] = (x[i] - cti_dot(lu + i * n + i + 1, x + i + 1, n - i - 1)) / lu[i * n + i];
  }
}

// ---- band matrix with dense border ----

// First column that row i stores.
static CT_FN int band_first(int i, int ntotal, int nband, int ndense) {
  return i < ntotal - ndense && i >= nband ? i - nband + 1 : 0;
}

CT_FN ctReal cti_band_factor(ctReal* a, int ntotal, int nband, int ndense, ctReal diagadd, ctReal diagmul) {
  int nsparse = ntotal - ndense;
  ctReal smallest = 0;
  for (int j = 0; j < ntotal; j++) {
    // rows are addressed by column: row[k] is element (j, k)
    ctReal* row = a + cti_band_diag(j, ntotal, nband, ndense) - j;
    int first = band_first(j, ntotal, nband, ndense);
    ctReal pivot = row[j] + diagadd + diagmul * row[j];
    pivot -= cti_dot(row + first, row + first, j - first);
    if (!(pivot >= CTI_MINVAL)) return 0;
    row[j] = cti_sqrt(pivot);
    if (j == 0 || row[j] < smallest) smallest = row[j];
    ctReal inv = 1 / row[j];

    // column below: the rows within the band, then the border
    for (int i = j + 1; i < ntotal; i++) {
      if (i >= j + nband && i < nsparse) i = nsparse;
      if (i >= ntotal) break;
      ctReal* lower = a + cti_band_diag(i, ntotal, nband, ndense) - i;
      int from = band_first(i, ntotal, nband, ndense);
      if (from < first) from = first;
      lower[j] = (lower[j] - cti_dot(lower + from, row + from, j - from)) * inv;
    }
  }
  return smallest;
}

CT_FN void cti_band_solve(ctReal* x, const ctReal* l, const ctReal* b, int ntotal, int nband, int ndense) {
  for (int i = 0; i < ntotal; i++) {
    const ctReal* row = l + cti_band_diag(i, ntotal, nband, ndense) - i;
    int first = band_first(i, ntotal, nband, ndense);
    x[i] = (b[i] - cti_dot(row + first, x + first, i - first)) / row[i];
  }
  for (int i = ntotal - 1; i >= 0; i--) {
    const ctReal* row = l + cti_band_diag(i, ntotal, nband, ndense) - i;
    int first = band_first(i, ntotal, nband, ndense);
    x[i] /= row[i];
    cti_add_scaled(x + first, row + first, -x[i], i - first);
  }
}

CT_FN void cti_band_mul_vec(ctReal* r, const ctReal* a, const ctReal* v, int ntotal, int nband, int ndense,
                            ctBool symmetric) {
  for (int i = 0; i < ntotal; i++) {
    const ctReal* row = a + cti_band_diag(i, ntotal, nband, ndense) - i;
    int first = band_first(i, ntotal, nband, ndense);
    r[i] = cti_dot(row + first, v + first, i - first + 1);
    if (symmetric) cti_add_scaled(r + first, row + first, v[i], i - first);
  }
}
