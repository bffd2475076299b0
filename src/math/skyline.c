#include "math/skyline.h"

#include "math/simd.h"
#if CT_PLAIN
#include "math/skyline_warp.h"
#endif
#include "math/vec3.h"

#if defined(CTK_TEAMS)
// The first row that reaches each column.
static CT_FN int first_share(const void* args) {
  CT_COPY(ctiSkyline, s, (const ctiSkyline*)args);
  CT_CREW_LANES(j, s.n) {
    int i = 0;
    while (s.last[i] < j) i++;
    s.first[j] = i;
  }
  return 0;
}

// Where the rows of teams begin. Groups are as wide as their widest row.
static CT_FN void layout_groups(ctiSkyline* s) {
  const int wide = CTI_SKYLINE_GROUP, groups = (s->n + wide - 1) / wide;
  int64_t room = 0, size = 0;
  for (int first = 0; first < groups; first += CT_TEAM) {
    const int at = (first + CT_LANE) * wide;
    int columns = 0, before, all, elements = 0;
    for (int i = at; i < at + wide && i < s->n; i++) {
      if (s->last[i] - at >= columns) columns = s->last[i] - at + 1;
      elements += s->last[i] - i + 1;
    }
    before = cti_team_before(columns, &all);
    for (int i = at; i < at + wide && i < s->n; i++)
      s->adr[i] = (int)(wide * (room + before)) + (wide + 1) * (i - at);
    room += all;
    cti_team_before(elements, &all);
    size += all;
  }
  CT_TEAM_SYNC();
  s->room = wide * room;
  s->size = size;
}
#endif

CT_FN void cti_skyline_layout(ctiSkyline* s) {
  int64_t size = 0;
#if defined(CTK_TEAMS)
  layout_groups(s);
  CTI_CREW_RUN(first_share, s);
  CT_TEAM_SYNC();
  return;
#endif
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
    s->size = s->room = size;
    return;
  }
  int reached = 0;  // columns whose first row is known
  for (int i = 0; i < s->n; i++) {
    const int last = s->last[i];
    s->adr[i] = (int)size;
    size += last - i + 1;
    for (; reached <= last; reached++) s->first[reached] = i;
  }
  s->size = s->room = size;
}

#if defined(CTK_TEAMS)
typedef struct CopyShare {
  ctReal* to;
  const ctReal* from;  // NULL: zero
  int n;
} CopyShare;

static CT_FN int copy_share(const void* args) {
  CT_COPY(CopyShare, a, (const CopyShare*)args);
  CT_CREW_LANES(i, a.n) a.to[i] = a.from ? a.from[i] : 0;
  return 0;
}
#endif

CT_FN void cti_skyline_copy(const ctiSkyline* s, ctReal* to, const ctReal* from) {
#if defined(CTK_TEAMS)
  const CopyShare share = {to, from, (int)s->room};
  CTI_CREW_RUN(copy_share, &share);
  CT_TEAM_SYNC();
#else
  cti_team_copy(to, from, (int)s->room);
#endif
}

CT_FN void cti_skyline_zero(const ctiSkyline* s, ctReal* h) {
#if defined(CTK_TEAMS)
  cti_skyline_copy(s, h, (const ctReal*)0);
#else
  cti_team_zero(h, (int)s->room);
#endif
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
    const int count = sky.last[r] - r + 1;
    if (CTI_SKYLINE_GROUP == 1) {
      cti_row_add_four(row, v, r, a, count);
      continue;
    }
    for (int c = 0; c < count; c++)
      row[c * CTI_SKYLINE_GROUP] +=
          (a[0] * v0[r + c] + a[1] * v1[r + c]) + (a[2] * v2[r + c] + a[3] * v3[r + c]);
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

#if defined(CTK_TEAMS)
// ---- the same by a team or a crew, whose warps have a group of rows each ----

// Four lanes have a row: one for each of the sums of cti_dot().
typedef struct FourLanes {
  int rows;     // at a time
  int own;      // row of this lane among them
  int quarter;  // its sum
} FourLanes;

CT_INLINE FourLanes four_lanes(void) {
  const int rows = CT_TEAM / 4;
  const FourLanes f = {rows, CT_LANE % rows, CT_LANE / rows};
  return f;
}

CT_INLINE ctReal join_sums(const FourLanes* f, ctReal sum) {
  sum += cti_team_from(sum, CT_LANE ^ 2 * f->rows);
  return sum + cti_team_from(sum, CT_LANE ^ f->rows);
}

// The products that are left behind whole fours.
CT_INLINE ctReal add_tail(ctReal sum, const ctReal* a, const ctReal* b, int n) {
  const int step = CTI_SKYLINE_GROUP, i = n & ~3;
  if (i == n) return sum;
  ctReal tail = a[i * step] * b[i * step];
  if (i + 1 < n) tail += a[(i + 1) * step] * b[(i + 1) * step];
  if (i + 2 < n) tail += a[(i + 2) * step] * b[(i + 2) * step];
  return sum + tail;
}

typedef struct FactorShare {
  ctiSkyline sky;
  ctReal* h;
  ctReal mindiag;
} FactorShare;

// Column after column from the right. All know its pivot; the diagonal is written when nobody reads it any
// more.
static CT_FN int factor_share(const void* args) {
  CT_COPY(FactorShare, share, (const FactorShare*)args);
  const ctiSkyline sky = share.sky;
  const FourLanes four = four_lanes();
  const int step = CTI_SKYLINE_GROUP;
  const bool leads = CT_CREW_RANK == 0;
  // groups of rows are dealt to the warps in turn; the first row of this warp's last one
  int rank = sky.n, nearest = ((sky.n / four.rows + CT_CREW) / CT_CREW * CT_CREW + CT_CREW_RANK) * four.rows;
  ctReal inverse = 0;
  for (int j = sky.n - 1; j >= 0; j--) {
    const int last = sky.last[j], first = sky.first[j];
    const ctReal* other = share.h + sky.adr[j];
    while (nearest > j) nearest -= CT_CREW * four.rows;  // the last that begins at or before j
    CT_CREW_SYNC();
    if (leads && CT_LANE == 0 && j + 1 < sky.n) share.h[sky.adr[j + 1]] = inverse;
    // the leader always comes by, to count pivots
    bool known = false;
    for (int g = nearest; g + four.rows > first || (leads && !known); g -= CT_CREW * four.rows) {
      const int i = g + four.own;
      const int mine = i <= j && i >= first ? sky.last[i] : -1;
      ctReal* at = share.h + (mine >= j ? sky.adr[i] + (j - i) * step : 0);
      const int n = mine >= j ? (last < mine ? last : mine) - j : 0, whole = n & ~3,
                all = known ? 0 : last - j;
      const ctReal *a = at + step, *b = other + step;
      ctReal sum = 0, square = 0;
      int k = four.quarter;
      CT_UNROLL(4)
      for (; k < whole; k += 4) {
        const ctReal x = b[k * step];
        sum += a[k * step] * x;
        square += x * x;
      }
      CT_UNROLL(4)
      for (; k < (all & ~3); k += 4) square += b[k * step] * b[k * step];
      sum = add_tail(join_sums(&four, sum), a, b, n);
      if (!known) {
        const ctReal pivot = other[0] - add_tail(join_sums(&four, square), b, b, all);
        const bool good = pivot >= share.mindiag;
        inverse = 1 / cti_sqrt(good ? pivot : share.mindiag);
        rank -= !good;
        known = true;
      }
      if (mine >= j && i < j && four.quarter == 0) at[0] = (at[0] - sum) * inverse;
    }
  }
  CT_CREW_SYNC();
  if (leads && CT_LANE == 0 && sky.n > 0) share.h[sky.adr[0]] = inverse;
  return rank;
}

typedef struct SolveShare {
  ctiSkyline sky;
  const ctReal* u;
  ctReal* x;
} SolveShare;

// A block of as many elements as a team has lanes. Every warp finds all of them, from the last or the first
// on; `own`: that of this lane, before and after.
CT_INLINE ctReal solve_block(const SolveShare* s, int begin, int end, bool back, ctReal own) {
  const int i = begin + CT_LANE, mine = i < end ? s->sky.last[i] : -1, adr = i < end ? s->sky.adr[i] : 0;
  const ctReal inverse = s->u[adr];
  CT_UNROLL(4)
  for (int k = begin; k < end; k++) {
    const int j = back ? end - 1 - (k - begin) : k;
    const bool takes = back ? i < j && mine >= j : i > j && i < end && s->sky.last[j] >= i;
    const int at = back ? adr + (j - i) * CTI_SKYLINE_GROUP : cti_skyline_at(&s->sky, j, i);
    const ctReal factor = takes ? s->u[at] : 0, y = cti_team_from(own * inverse, j - begin),
                 rest = own - factor * y;
    own = i == j ? y : takes ? rest : own;
  }
  return own;
}

// Block after block; what others take from it is split. A block is written when nobody reads it any more.
static CT_FN int solve_share(const void* args) {
  CT_COPY(SolveShare, share, (const SolveShare*)args);
  const ctiSkyline sky = share.sky;
  const ctReal* u = share.u;
  ctReal *x = share.x, *found = (ctReal*)cti_team_box();
  const int blocks = (sky.n + CT_TEAM - 1) / CT_TEAM, lane = CT_CREW_RANK * CT_TEAM + CT_LANE;
  int before = sky.n;  // the block that is to be written
  ctReal own = 0;
  for (int b = 0; b < 2 * blocks; b++) {
    const bool back = b < blocks;
    const int begin = (back ? blocks - 1 - b : b - blocks) * CT_TEAM, i = begin + CT_LANE,
              end = begin + CT_TEAM < sky.n ? begin + CT_TEAM : sky.n;
    CT_CREW_SYNC();
    if (CT_CREW_RANK == 0 && before + CT_LANE < sky.n) x[before + CT_LANE] = own;
    // the last block of the way back is the first of the way forth
    if (b != blocks) own = i < end ? x[i] : 0;
    own = solve_block(&share, begin, end, back, own);
    // as far as the block reaches
    const int far = cti_team_max(i >= end ? -sky.n : back ? -sky.first[i] : sky.last[i]);
    found[CT_LANE] = own;
    before = begin;
    CT_TEAM_SYNC();
    if (back) {
      for (int k = lane - far; k < begin; k += CT_CREW * CT_TEAM) {
        const ctReal* row = u + sky.adr[k] - k * CTI_SKYLINE_GROUP;
        ctReal rest = x[k];
        CT_UNROLL(4)
        for (int j = sky.last[k] < end ? sky.last[k] : end - 1; j >= begin; j--)
          rest -= row[j * CTI_SKYLINE_GROUP] * found[j - begin];
        x[k] = rest;
      }
    } else {
      for (int k = end + lane; k <= far; k += CT_CREW * CT_TEAM) {
        ctReal rest = x[k];
        CT_UNROLL(4)
        for (int j = begin; j < end; j++) {
          if (sky.last[j] >= k) rest -= u[cti_skyline_at(&sky, j, k)] * found[j - begin];
        }
        x[k] = rest;
      }
    }
  }
  CT_CREW_SYNC();
  if (CT_CREW_RANK == 0 && before + CT_LANE < sky.n) x[before + CT_LANE] = own;
  return 0;
}
#endif

CTI_SIMD_FN int skyline_factor_simd(const ctiSkyline* s, ctReal* h, ctReal mindiag) {
  CT_COPY(ctiSkyline, sky, s);
#if CT_PLAIN
  if (sky.n <= CT_TEAM) return cti_warp_factor(&sky, h, mindiag, false);
  if (sky.n <= CTI_LANE_ROWS) return cti_warp_factor(&sky, h, mindiag, true);
#endif
#if defined(CTK_TEAMS)
  const FactorShare share = {sky, h, mindiag};
  const int found = CTI_CREW_RUN(factor_share, &share);
  CT_TEAM_SYNC();
  return found;
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
#if defined(CTK_TEAMS)
    const SolveShare share = {sky, u, x};
    CTI_CREW_RUN(solve_share, &share);
    CT_TEAM_SYNC();
    return;
#endif
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

#if defined(CTK_CREWS)
typedef struct UpdatesShare {
  ctiSkyline sky;
  ctReal *u, *v;
  const bool* add;
  int* rank;
  int top, count;
} UpdatesShare;

// Each warp has a vector, and works one column behind the warp before it.
static CT_FN int updates_share(const void* args) {
  CT_COPY(UpdatesShare, share, (const UpdatesShare*)args);
  const ctiSkyline sky = share.sky;
  const bool has = CT_CREW_RANK < share.count;
  ctReal* v = share.v + (has ? CT_CREW_RANK : 0) * sky.n;
  const ctReal sign = has && share.add[CT_CREW_RANK] ? CT_R(1) : CT_R(-1);
  int rank = sky.n;
  for (int k = share.top + CT_CREW_RANK; k > CT_CREW_RANK - share.count; k--) {
    if (has && k >= 0 && k <= share.top && v[k] != 0) rank -= !rotate_column(&sky, share.u, v, k, sign);
    CT_CREW_SYNC();
  }
  if (has && CT_LANE == 0) share.rank[CT_CREW_RANK] = rank;
  return 0;
}

CT_FN void cti_skyline_updates(const ctiSkyline* s, ctReal* u, ctReal* v, int top, const bool* add, int* rank,
                               int count) {
  const UpdatesShare share = {*s, u, v, add, rank, top, count};
  CTI_CREW_RUN(updates_share, &share);
}
#endif
