#include "derive/panel.h"

#include "math/simd.h"

// to += s0 a0 + ..., row by row; four at a time, so that `to` is read and written less often.
CTI_SIMD_FN void add_four(ctReal* CT_RESTRICT to, const ctReal* a0, const ctReal* a1, const ctReal* a2,
                          const ctReal* a3, const ctReal s[4], int n) {
  const ctReal s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3];
  for (int k = 0; k < n; k++) to[k] += (s0 * a0[k] + s1 * a1[k]) + (s2 * a2[k] + s3 * a3[k]);
}
CTI_SIMD_FN void add_one(ctReal* CT_RESTRICT to, const ctReal* CT_RESTRICT a, ctReal s, int n) {
  for (int k = 0; k < n; k++) to[k] += s * a[k];
}
CTI_SIMD_FN void scale_row(ctReal* CT_RESTRICT to, ctReal s, int n) {
  for (int k = 0; k < n; k++) to[k] *= s;
}

// to -= sum of x[k] * row k of P
CTI_SIMD_FN void subtract_rows(ctReal* to, const ctReal* P, int64_t columns, const ctReal* x, int n) {
  int k = 0;
  for (; k <= n - 4; k += 4) {
    const ctReal s[4] = {-x[k], -x[k + 1], -x[k + 2], -x[k + 3]};
    const ctReal* a = P + columns * k;
    add_four(to, a, a + columns, a + 2 * columns, a + 3 * columns, s, (int)columns);
  }
  for (; k < n; k++) add_one(to, P + columns * k, -x[k], (int)columns);
}

// ---- skyline ----

CTI_SIMD_FN void skyline_simd(ctReal* P, int columns, const ctiSkyline* sky, const ctReal* u) {
  const int64_t width = columns;
  // U y = b
  for (int i = sky->n - 1; i >= 0; i--) {
    const ctReal* row = u + sky->adr[i];
    subtract_rows(P + width * i, P + width * (i + 1), width, row + 1, sky->last[i] - i);
    scale_row(P + width * i, row[0], columns);
  }
  // U' x = y: each solved row is taken out of those behind it
  for (int i = 0; i < sky->n; i++) {
    const ctReal* row = u + sky->adr[i];
    ctReal* from = P + width * i;
    scale_row(from, row[0], columns);
    for (int k = 1; k <= sky->last[i] - i; k++) {
      if (row[k] != 0) add_one(from + width * k, from, -row[k], columns);
    }
  }
}
CTI_SIMD_DISPATCH(void, , cti_panel_skyline, skyline_simd,
                  (ctReal * P, int columns, const ctiSkyline* sky, const ctReal* u), (P, columns, sky, u))

void cti_panel_ordered(ctReal* P, int columns, const ctiSkyline* sky, const ctReal* u, const int* place,
                       ctReal* work) {
  const int64_t width = columns;
  for (int i = 0; i < sky->n; i++) cti_copy(work + width * place[i], P + width * i, columns);
  cti_panel_skyline(work, columns, sky, u);
  for (int i = 0; i < sky->n; i++) cti_copy(P + width * i, work + width * place[i], columns);
}

// ---- trees ----

CTI_SIMD_FN void tree_simd(ctReal* P, int columns, const ctModel* m, const ctReal* ld,
                           const ctReal* diaginv) {
  const int64_t width = columns;
  for (int k = m->nv - 1; k >= 0; k--) {
    const int adr = m->M_rowadr[k];
    for (int p = 0; p < m->M_rownnz[k] - 1; p++)
      add_one(P + width * m->M_colind[adr + p], P + width * k, -ld[adr + p], columns);
  }
  for (int k = 0; k < m->nv; k++) {
    const int adr = m->M_rowadr[k], n = m->M_rownnz[k] - 1;
    ctReal* to = P + width * k;
    const int* col = m->M_colind + adr;
    const ctReal* x = ld + adr;
    int p = 0;
    scale_row(to, diaginv[k], columns);
    for (; p <= n - 4; p += 4) {
      const ctReal s[4] = {-x[p], -x[p + 1], -x[p + 2], -x[p + 3]};
      add_four(to, P + width * col[p], P + width * col[p + 1], P + width * col[p + 2], P + width * col[p + 3],
               s, columns);
    }
    for (; p < n; p++) add_one(to, P + width * col[p], -x[p], columns);
  }
}
CTI_SIMD_DISPATCH(void, , cti_panel_tree, tree_simd,
                  (ctReal * P, int columns, const ctModel* m, const ctReal* ld, const ctReal* diaginv),
                  (P, columns, m, ld, diaginv))

CTI_SIMD_FN void mass_simd(ctReal* out, const ctReal* P, int columns, const ctModel* m, const ctReal* M) {
  const int64_t width = columns;
  for (int i = 0; i < m->nv; i++) {
    const int adr = m->M_rowadr[i], n = m->M_rownnz[i];
    ctReal* to = out + width * i;
    for (int k = 0; k < columns; k++) to[k] = M[adr + n - 1] * P[width * i + k];
    for (int p = 0; p < n - 1; p++) {
      const int j = m->M_colind[adr + p];
      add_one(to, P + width * j, M[adr + p], columns);
      add_one(out + width * j, P + width * i, M[adr + p], columns);
    }
  }
}
CTI_SIMD_DISPATCH(void, , cti_panel_mass, mass_simd,
                  (ctReal * out, const ctReal* P, int columns, const ctModel* m, const ctReal* M),
                  (out, P, columns, m, M))

// ---- LU ----

CTI_SIMD_FN void lu_simd(ctReal* P, int columns, const ctReal* lu, const int* pivot, int n) {
  const int64_t width = columns;
  for (int k = 0; k < n; k++) {
    if (pivot[k] == k) continue;
    ctReal *a = P + width * k, *b = P + width * pivot[k];
    for (int c = 0; c < columns; c++) {
      const ctReal t = a[c];
      a[c] = b[c];
      b[c] = t;
    }
  }
  for (int i = 1; i < n; i++) subtract_rows(P + width * i, P, width, lu + (int64_t)i * n, i);
  for (int i = n - 1; i >= 0; i--) {
    subtract_rows(P + width * i, P + width * (i + 1), width, lu + (int64_t)i * n + i + 1, n - i - 1);
    scale_row(P + width * i, 1 / lu[(int64_t)i * n + i], columns);
  }
}
CTI_SIMD_DISPATCH(void, , cti_panel_lu, lu_simd,
                  (ctReal * P, int columns, const ctReal* lu, const int* pivot, int n),
                  (P, columns, lu, pivot, n))

// ---- order ----

// A few columns at a time, so that rows of the panel are written in pieces.
CTI_SIMD_FN void transpose_simd(ctReal* P, const ctReal* Q, int64_t stride, int rows, int columns,
                                ctReal scale, bool add) {
  for (int first = 0; first < columns; first += 8) {
    const int end = first + 8 < columns ? first + 8 : columns;
    for (int i = 0; i < rows; i++) {
      for (int c = first; c < end; c++) {
        ctReal* to = P + (int64_t)i * columns + c;
        *to = (add ? *to : CT_R(0)) + scale * Q[stride * c + i];
      }
    }
  }
}

void cti_panel_transpose(ctReal* P, const ctReal* Q, int64_t stride, int rows, int columns, ctReal scale) {
  transpose_simd(P, Q, stride, rows, columns, scale, false);
}

void cti_panel_add_transpose(ctReal* P, const ctReal* Q, int64_t stride, int rows, int columns,
                             ctReal scale) {
  transpose_simd(P, Q, stride, rows, columns, scale, true);
}
