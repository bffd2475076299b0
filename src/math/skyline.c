#include "math/skyline.h"

#include "math/simd.h"
#if CT_PLAIN
#include "math/skyline_warp.h"
#endif
#include "math/vec3.h"

CT_FN void cti_skyline_layout(ctiSkyline* s) {
  int64_t size = 0;
  if (CT_TEAM > 1) {
    for (int i = 0; i < s->n; i++) {
      s->adr[i] = (int)size;
      size += s->last[i] - i + 1;
    }
    CT_LANES(j, s->n) {
      int i = 0;
      while (s->last[i] < j) i++;
      s->first[j] = i;
    }
    CT_TEAM_SYNC();
    s->size = size;
    return;
  }
  int reached = 0;  // columns whose first row is known
  for (int i = 0; i < s->n; i++) {
    const int last = s->last[i];
    s->adr[i] = (int)size;
    size += last - i + 1;
    for (; reached <= last; reached++) s->first[reached] = i;
  }
  s->size = size;
}

CTI_SIMD_FN void skyline_add4_simd(const ctiSkyline* s, ctReal* h, const ctReal D[4],
                                   const ctReal* const v[4]) {
  CT_COPY(ctiSkyline, sky, s);
  const ctReal *v0 = v[0], *v1 = v[1], *v2 = v[2], *v3 = v[3];
  const ctReal D0 = D[0], D1 = D[1], D2 = D[2], D3 = D[3];
  CT_LANES(r, sky.n) {
    const ctReal a[4] = {D0 * v0[r], D1 * v1[r], D2 * v2[r], D3 * v3[r]};
    if (a[0] == 0 && a[1] == 0 && a[2] == 0 && a[3] == 0) continue;
    ctReal* CT_RESTRICT row = h + sky.adr[r];
    cti_row_add_four(row, v, r, a, sky.last[r] - r + 1);
  }
  CT_TEAM_SYNC();
}
CTI_SIMD_DISPATCH(void, , cti_skyline_add4, skyline_add4_simd,
                  (const ctiSkyline* s, ctReal* h, const ctReal D[4], const ctReal* const v[4]), (s, h, D, v))

CTI_SIMD_FN void skyline_add_block_simd(const ctiSkyline* s, ctReal* CT_RESTRICT h, const ctReal* rows,
                                        const ctReal* block, int dim, ctReal* CT_RESTRICT T) {
  CT_COPY(ctiSkyline, sky, s);
  const ctReal* a[CTI_BLOCK_MOST];
  ctReal scale[CTI_BLOCK_MOST];
  // block times rows
  for (int r = 0; r < dim; r++) {
    for (int c = 0; c < dim; c++) a[c] = rows + c * sky.n;
    for (int k = 0; k < sky.n; k++) T[r * sky.n + k] = a[0][k] * block[r * dim];
    cti_row_add_each(T + r * sky.n, a + 1, block + r * dim + 1, dim - 1, sky.n);
  }
  for (int i = 0; i < sky.n; i++) {
    int count = 0;
    for (int r = 0; r < dim; r++) {
      if (rows[r * sky.n + i] == 0) continue;
      a[count] = T + r * sky.n + i;
      scale[count++] = rows[r * sky.n + i];
    }
    if (count > 0) cti_row_add_each(h + sky.adr[i], a, scale, count, sky.last[i] - i + 1);
  }
}
CTI_SIMD_DISPATCH(void, , cti_skyline_add_block, skyline_add_block_simd,
                  (const ctiSkyline* s, ctReal* h, const ctReal* rows, const ctReal* block, int dim,
                   ctReal* T),
                  (s, h, rows, block, dim, T))

// How many rows above and with row i end in the same column, at most 4.
CT_INLINE int rows_alike(const ctiSkyline* s, int i) {
  int count = 1;
  while (count < 4 && i - count >= 0 && s->last[i - count] == s->last[i]) count++;
  return count;
}

// Where column 0 of a row would be.
CT_INLINE ctReal* row_base(const ctiSkyline* s, ctReal* h, int i) {
  return h + (s->adr[i] - i);
}

#ifdef CTI_SIMD
// Up to so many columns of rows are kept with the elements of all four beside each other.
#define TOGETHER 64

// own -= cti_dot() for four rows at once.
CTI_SIMD_FN void solve_together(ctiVec4* own, const ctiVec4* a, const ctReal* b, int n) {
  ctiVec4 l0 = {0, 0, 0, 0}, l1 = l0, l2 = l0, l3 = l0;
  for (; n >= 4; n -= 4, a += 4, b += 4) {
    l0 += a[0] * b[0];
    l1 += a[1] * b[1];
    l2 += a[2] * b[2];
    l3 += a[3] * b[3];
  }
  ctiVec4 sum = (l0 + l2) + (l1 + l3);
  if (n > 0) {
    ctiVec4 tail = a[0] * b[0];
    if (n > 1) tail += a[1] * b[1];
    if (n > 2) tail += a[2] * b[2];
    sum += tail;
  }
  *own -= sum;
}

// Rows i .. top that end in the same column, two to four, from the right. Left of i there are their pivots:
// what rows below a pivot have there is not looked at. Returns how many pivots were bad.
CTI_SIMD_FN int factor_together(const ctiSkyline* s, ctReal* h, int i, int top, ctReal mindiag) {
  const int last = s->last[i], count = i - top + 1;
  ctReal *a0 = row_base(s, h, i), *a1 = row_base(s, h, i - 1),
         *a2 = row_base(s, h, i - 2 > top ? i - 2 : top), *a3 = row_base(s, h, top);
  ctiVec4 known[TOGETHER], *at = known + TOGETHER;
  for (int j = last; j > i; j--) {
    const int end = s->last[j] < last ? s->last[j] : last;
    const ctReal* other = h + s->adr[j];
    ctiVec4 own = {a0[j], a1[j], a2[j], a3[j]};
    solve_together(&own, at, other + 1, end - j);
    own *= other[0];
    *--at = own;
    a0[j] = own[0];
    a1[j] = own[1];
    a2[j] = own[2];
    a3[j] = own[3];
  }
  int bad = 0;
  for (int r = 0; r < 4; r++) {
    if (r == count) break;
    const int j = i - r;
    ctReal* other = h + s->adr[j];
    ctiVec4 own = {a0[j], a1[j], a2[j], a3[j]};
    solve_together(&own, at, other + 1, last - j);
    const bool good = own[r] >= mindiag;
    other[0] = 1 / cti_sqrt(good ? own[r] : mindiag);
    bad += !good;
    own *= other[0];
    *--at = own;
    for (int k = r + 1; k < count; k++) row_base(s, h, i - k)[j] = own[k];
  }
  return bad;
}
#endif

// The same in the columns beyond i: what each shares with row j beyond j is known. They do not wait for each
// other; fewer than four are repeated.
CTI_SIMD_FN void factor_rows(const ctiSkyline* s, ctReal* h, int i, int top) {
  int last = s->last[i];
  ctReal *a0 = row_base(s, h, i), *a1 = row_base(s, h, i - 1),
         *a2 = row_base(s, h, i - 2 > top ? i - 2 : top), *a3 = row_base(s, h, top), dot[4];
  for (int j = last; j > i; j--) {
    int end = s->last[j] < last ? s->last[j] : last;
    const ctReal* other = h + s->adr[j];
    cti_dot4(dot, a0 + j + 1, a1 + j + 1, a2 + j + 1, a3 + j + 1, other + 1, end - j);
    ctReal v0 = (a0[j] - dot[0]) * other[0], v1 = (a1[j] - dot[1]) * other[0];
    ctReal v2 = (a2[j] - dot[2]) * other[0], v3 = (a3[j] - dot[3]) * other[0];
    a0[j] = v0;
    a1[j] = v1;
    a2[j] = v2;
    a3[j] = v3;
  }
}

// One row in the columns `from` .. i + 1, likewise, then its diagonal. Returns whether its pivot was good.
CTI_SIMD_FN bool factor_row(const ctiSkyline* s, ctReal* h, int i, int from, ctReal mindiag) {
  ctReal* row = h + s->adr[i];
  int last = s->last[i];
  for (int j = from; j > i; j--) {
    int end = s->last[j] < last ? s->last[j] : last;
    const ctReal* other = h + s->adr[j];
    row[j - i] = (row[j - i] - cti_dot(row + (j - i) + 1, other + 1, end - j)) * other[0];
  }
  ctReal pivot = row[0] - cti_dot(row + 1, row + 1, last - i);
  bool good = pivot >= mindiag;
  row[0] = 1 / cti_sqrt(good ? pivot : mindiag);
  return good;
}

CTI_SIMD_FN int skyline_factor_simd(const ctiSkyline* s, ctReal* h, ctReal mindiag) {
  CT_COPY(ctiSkyline, sky, s);
#if CT_PLAIN
  if (sky.n <= CT_TEAM) return cti_warp_factor(&sky, h, mindiag, false);
  if (sky.n <= CTI_LANE_ROWS) return cti_warp_factor(&sky, h, mindiag, true);
#endif
  int rank = sky.n;
  if (CT_TEAM > 1) {
    // column after column from the right, its pivot by the first lane: the rows do not wait for each other
    for (int j = sky.n - 1; j >= 0; j--) {
      const ctReal* other = h + sky.adr[j];
      const int last = sky.last[j], rows = j - sky.first[j] + 1;
      ctReal inverse = 0;
      for (int above = 0; above < rows; above += CT_TEAM) {
        const int i = j - above - CT_LANE, mine = i >= sky.first[j] ? sky.last[i] : -1;
        ctReal* at = h + (mine >= j ? sky.adr[i] + (j - i) : 0);
        ctReal rest = 0;
        if (mine >= j) rest = at[0] - cti_dot(at + 1, other + 1, (last < mine ? last : mine) - j);
        if (above == 0) {
          ctReal pivot = cti_team_from(rest, 0);
          bool good = pivot >= mindiag;
          inverse = 1 / cti_sqrt(good ? pivot : mindiag);
          rank -= !good;
        }
        if (mine >= j) at[0] = i == j ? inverse : rest * inverse;
      }
      CT_TEAM_SYNC();
    }
    return rank;
  }
  for (int i = sky.n - 1; i >= 0;) {
    int count = rows_alike(&sky, i), from = sky.last[i];
#ifdef CTI_SIMD
    if (count > 1 && from - (i - count) <= TOGETHER) {
      rank -= factor_together(&sky, h, i, i - count + 1, mindiag);
      i -= count;
      continue;
    }
#endif
    if (count > 1) {
      factor_rows(&sky, h, i, i - count + 1);
      from = i;
    }
    for (int end = i - count; i > end; i--) rank -= !factor_row(&sky, h, i, from, mindiag);
  }
  return rank;
}
CTI_SIMD_DISPATCH(int, return, cti_skyline_factor, skyline_factor_simd,
                  (const ctiSkyline* s, ctReal* h, ctReal mindiag), (s, h, mindiag))

CTI_SIMD_FN void skyline_solve_simd(const ctiSkyline* s, const ctReal* u, ctReal* x, const ctReal* b) {
  CT_COPY(ctiSkyline, sky, s);
#if CT_PLAIN
  if (sky.n <= CT_TEAM) {
    cti_warp_solve(&sky, u, x, b, false);
    return;
  }
  if (sky.n <= CTI_LANE_ROWS) {
    cti_warp_solve(&sky, u, x, b, true);
    return;
  }
#endif
  if (CT_TEAM > 1) {
    if (x != b) cti_team_copy(x, b, sky.n);
    for (int j = sky.n - 1; j >= 0; j--) {
      const ctReal y = x[j] * u[sky.adr[j]];
      CT_TEAM_SYNC();
      x[j] = y;
      for (int i = sky.first[j] + CT_LANE; i < j; i += CT_TEAM) {
        if (sky.last[i] >= j) x[i] -= u[sky.adr[i] + (j - i)] * y;
      }
      CT_TEAM_SYNC();
    }
    for (int i = 0; i < sky.n; i++) {
      const ctReal* row = u + sky.adr[i];
      const ctReal y = x[i] * row[0];
      CT_TEAM_SYNC();
      x[i] = y;
      for (int j = i + 1 + CT_LANE; j <= sky.last[i]; j += CT_TEAM) x[j] -= row[j - i] * y;
      CT_TEAM_SYNC();
    }
    return;
  }
  // U y = b: from the right, so that only the last term of a row waits for the row before it
  for (int i = sky.n - 1; i >= 0; i--) {
    const ctReal* row = u + (sky.adr[i] - i);
    ctReal rest = b[i];
    int j = sky.last[i];
    for (; j > i + 4; j -= 4) rest = cti_sub_down4(rest, row + j - 3, x + j - 3);
    for (; j > i; j--) rest -= row[j] * x[j];
    x[i] = rest * row[i];
  }
  // U' x = y, also along rows: each solved element is taken out of those behind it
  for (int i = 0; i < sky.n; i++) {
    const ctReal* row = u + sky.adr[i];
    const ctReal y = x[i] * row[0];
    x[i] = y;
    cti_row_add(x + i + 1, row + 1, -y, sky.last[i] - i);
  }
}
CTI_SIMD_DISPATCH(void, , cti_skyline_solve, skyline_solve_simd,
                  (const ctiSkyline* s, const ctReal* u, ctReal* x, const ctReal* b), (s, u, x, b))

// The rotation (add) or hyperbolic rotation that moves v[k] into pivot k, applied to the column above. False:
// the pivot was lost.
CT_INLINE bool rotate_column(const ctiSkyline* sky, ctReal* CT_RESTRICT u, ctReal* CT_RESTRICT v, int k,
                             ctReal sign) {
  const ctReal vk = v[k], inverse = u[sky->adr[k]], old = 1 / inverse;
  ctReal pivot = old * old + sign * (vk * vk);
  const bool good = pivot >= CTI_MINVAL;
  if (!good) pivot = CTI_MINVAL;
  const ctReal diag = cti_sqrt(pivot), next = 1 / diag, c = diag * inverse, cinv = old * next,
               t = vk * inverse;
  CT_TEAM_SYNC();  // everybody has read the diagonal
  u[sky->adr[k]] = next;
  for (int i = sky->first[k] + CT_LANE; i < k; i += CT_TEAM) {
    if (sky->last[i] < k) continue;
    ctReal* at = u + cti_skyline_at(sky, i, k);
    ctReal vi = v[i], turned = (*at + sign * (t * vi)) * cinv;
    *at = turned;
    v[i] = c * vi - t * turned;
  }
  CT_TEAM_SYNC();
  return good;
}

CT_FN int cti_skyline_update(const ctiSkyline* s, ctReal* CT_RESTRICT u, ctReal* CT_RESTRICT v, int top,
                             bool add) {
  CT_COPY(ctiSkyline, sky, s);
  ctReal sign = add ? CT_R(1) : CT_R(-1);
#if CT_PLAIN
  if (sky.n <= CT_TEAM) return cti_warp_update(&sky, u, v, top, sign, false);
  if (sky.n <= CTI_LANE_ROWS) return cti_warp_update(&sky, u, v, top, sign, true);
#endif
  int rank = sky.n;
  for (int k = top; k >= 0; k--) {
    if (v[k] != 0) rank -= !rotate_column(&sky, u, v, k, sign);
  }
  return rank;
}
