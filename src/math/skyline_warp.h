// Skyline matrices of plain problems, by a team that is a warp: a lane has the row of its number and, where
// there are more rows than lanes, the one CT_TEAM further on. The same sums in the same order as in
// skyline.c, which alone includes this.
//
// `wide`: are there more rows than lanes? It is a constant where these functions are inlined, so that small
// problems do nothing for rows that they do not have.
#pragma once

#include "math/simd.h"
#include "math/skyline.h"

// Rows that lanes have room for.
#define CTI_LANE_ROWS (2 * CT_TEAM)

typedef struct ctiLaneRow {
  int i, last;  // row and its last column, -1 where there is none
  int at;       // address of column 0, if it were there
} ctiLaneRow;

CT_INLINE ctiLaneRow cti_lane_row(const ctiSkyline* sky, int i) {
  const bool is = i < sky->n;
  const ctiLaneRow row = {is ? i : -1, is ? sky->last[i] : -1, is ? sky->adr[i] - i : 0};
  return row;
}
CT_INLINE ctiLaneRow cti_low_row(const ctiSkyline* sky) {
  return cti_lane_row(sky, CT_LANE);
}
CT_INLINE ctiLaneRow cti_high_row(const ctiSkyline* sky, bool wide) {
  return cti_lane_row(sky, wide ? CT_TEAM + CT_LANE : sky->n);
}

// ---- the factor ----

CT_INLINE bool cti_lane_has(ctiLaneRow row, int j) {
  return row.i <= j && row.last >= j;
}

// What is left of element j of a row; `other`: row j, as if it began at column 0.
CT_INLINE ctReal cti_lane_rest(ctiLaneRow row, const ctReal* h, int j, const ctReal* other, int last) {
  if (!cti_lane_has(row, j)) return 0;
  const ctReal* own = h + row.at + j;
  return own[0] - cti_dot(own + 1, other + j + 1, (last < row.last ? last : row.last) - j);
}

CT_INLINE void cti_lane_scale(ctiLaneRow row, ctReal* h, int j, ctReal rest, ctReal inverse) {
  if (cti_lane_has(row, j)) h[row.at + j] = row.i == j ? inverse : rest * inverse;
}

// Column after column from the right. The rows of a column do not wait for each other but for its pivot.
CT_INLINE int cti_warp_factor(const ctiSkyline* sky, ctReal* h, ctReal mindiag, bool wide) {
  const ctiLaneRow low = cti_low_row(sky), high = cti_high_row(sky, wide);
  int rank = sky->n;
  CT_UNROLL(1)
  for (int j = sky->n - 1; j >= 0; j--) {
    const bool far = wide && j >= CT_TEAM;
    const ctReal* other = h + (sky->adr[j] - j);
    const int last = sky->last[j];
    const ctReal above = far ? cti_lane_rest(high, h, j, other, last) : 0,
                 own = cti_lane_rest(low, h, j, other, last);
    const ctReal pivot = cti_team_from(far ? above : own, far ? j - CT_TEAM : j);
    const bool good = pivot >= mindiag;
    const ctReal inverse = 1 / cti_sqrt(good ? pivot : mindiag);
    rank -= !good;
    if (far) cti_lane_scale(high, h, j, above, inverse);
    cti_lane_scale(low, h, j, own, inverse);
    CT_TEAM_SYNC();
  }
  return rank;
}

// ---- solves: each lane has its elements of x ----

// Element y of column j is taken out of a row on the way back, from the right, or forth. What a lane needs of
// the factor does not wait for the element before.
CT_INLINE void cti_lane_back(ctReal* own, ctiLaneRow row, const ctReal* u, int j, ctReal y) {
  const bool takes = row.i < j && row.last >= j;
  const ctReal factor = takes ? u[row.at + j] : 0, rest = *own - factor * y;
  *own = takes ? rest : *own;
}
CT_INLINE void cti_lane_forth(ctReal* own, ctiLaneRow row, const ctiSkyline* sky, const ctReal* u, int j,
                              ctReal y) {
  const bool takes = row.i > j && row.i <= sky->last[j];
  const ctReal factor = takes ? u[sky->adr[j] - j + row.i] : 0, rest = *own - factor * y;
  *own = takes ? rest : *own;
}

CT_INLINE ctReal cti_lane_diagonal(ctiLaneRow row, const ctReal* u) {
  return row.i >= 0 ? u[row.at + row.i] : 1;
}

CT_INLINE void cti_warp_solve(const ctiSkyline* sky, const ctReal* u, ctReal* x, const ctReal* b, bool wide) {
  const int n = sky->n, near = wide ? CT_TEAM : n;
  const ctiLaneRow low = cti_low_row(sky), high = cti_high_row(sky, wide);
  const ctReal low_inverse = cti_lane_diagonal(low, u), high_inverse = cti_lane_diagonal(high, u);
  ctReal own = low.i >= 0 ? b[low.i] : 0, above = high.i >= 0 ? b[high.i] : 0;
  // nothing is taken out of an element any more when its turn comes: all are scaled at the end of a way
  CT_UNROLL(1)
  for (int j = n - 1; wide && j >= near; j--) {
    const ctReal y = cti_team_from(above * high_inverse, j - CT_TEAM);
    cti_lane_back(&above, high, u, j, y);
    cti_lane_back(&own, low, u, j, y);
  }
  CT_UNROLL(4)
  for (int j = near - 1; j >= 0; j--) cti_lane_back(&own, low, u, j, cti_team_from(own * low_inverse, j));
  own *= low_inverse;
  above *= high_inverse;
  CT_UNROLL(4)
  for (int j = 0; j < near; j++) {
    const ctReal y = cti_team_from(own * low_inverse, j);
    cti_lane_forth(&own, low, sky, u, j, y);
    if (wide) cti_lane_forth(&above, high, sky, u, j, y);
  }
  CT_UNROLL(1)
  for (int j = near; wide && j < n; j++)
    cti_lane_forth(&above, high, sky, u, j, cti_team_from(above * high_inverse, j - CT_TEAM));
  if (low.i >= 0) x[low.i] = own * low_inverse;
  if (high.i >= 0) x[high.i] = above * high_inverse;
  CT_TEAM_SYNC();
}

// ---- rank-one updates: a lane writes to its own rows alone, and keeps their elements of v and the diagonal
// ----

// What a rotation does to the column above its pivot, and to v.
typedef struct ctiRotation {
  ctReal sign, t, c, cinv;
} ctiRotation;

CT_INLINE ctReal cti_lane_rotate(ctiLaneRow row, ctReal* u, ctReal v, int k, ctiRotation r) {
  if (row.i < 0 || row.i >= k || row.last < k) return v;
  ctReal* at = u + row.at + k;
  const ctReal turned = (*at + r.sign * (r.t * v)) * r.cinv;
  *at = turned;
  return r.c * v - r.t * turned;
}

CT_INLINE int cti_warp_update(const ctiSkyline* sky, ctReal* u, const ctReal* v, int top, ctReal sign,
                              bool wide) {
  const ctiLaneRow low = cti_low_row(sky), high = cti_high_row(sky, wide);
  ctReal own = low.i >= 0 ? v[low.i] : 0, above = high.i >= 0 ? v[high.i] : 0;
  ctReal low_inverse = cti_lane_diagonal(low, u), high_inverse = cti_lane_diagonal(high, u);
  int rank = sky->n;
  CT_UNROLL(1)
  for (int k = top; k >= 0; k--) {
    const bool far = wide && k >= CT_TEAM;
    const int lane = far ? k - CT_TEAM : k;
    const ctReal vk = cti_team_from(far ? above : own, lane);
    if (vk == 0) continue;
    const ctReal inverse = cti_team_from(far ? high_inverse : low_inverse, lane), old = 1 / inverse;
    ctReal pivot = old * old + sign * (vk * vk);
    const bool good = pivot >= CTI_MINVAL;
    rank -= !good;
    if (!good) pivot = CTI_MINVAL;
    const ctReal diag = cti_sqrt(pivot), next = 1 / diag;
    const ctiRotation r = {sign, vk * inverse, diag * inverse, old * next};
    own = cti_lane_rotate(low, u, own, k, r);
    if (low.i == k) low_inverse = next;
    if (!wide) continue;
    above = cti_lane_rotate(high, u, above, k, r);
    if (high.i == k) high_inverse = next;
  }
  if (low.i >= 0) u[low.at + low.i] = low_inverse;
  if (high.i >= 0) u[high.at + high.i] = high_inverse;
  CT_TEAM_SYNC();
  return rank;
}
