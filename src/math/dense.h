// Dense linear algebra. Matrices are row-major; symmetric ones are read from the lower triangle only.
// Step code.
//
// One summation order holds in the whole engine, that of cti_dot: 4 interleaved lanes, so that scalar, vector
// and GPU code give the same bits. Functions that write a vector or matrix build each element by adding its
// terms one after another in ascending order, unless a dot product is named.
//
// A band matrix with a dense border ("arrow") of size ntotal is stored by rows, lower triangle: the first
// ntotal - ndense rows hold nband numbers each, ending at the diagonal (those that would lie left of
// column 0 are padding, never read); the last ndense rows hold ntotal numbers each.
#pragma once

#include <string.h>

#include "math/elementary.h"

// ---- vectors; the result may be one of the operands, but not where it is copied or added to ----

// Sum of products: lane k of 4 takes elements k, k+4, ...; the lanes join as (l0+l2)+(l1+l3); the up to 3
// products that are left are added to each other, then to the rest.
CT_INLINE ctReal cti_dot(const ctReal* a, const ctReal* b, int n) {
  ctReal lane[4] = {0, 0, 0, 0};
  int i = 0;
  CT_UNROLL(2)
  for (; i <= n - 4; i += 4) {
    for (int k = 0; k < 4; k++) lane[k] += a[i + k] * b[i + k];
  }
  ctReal sum = (lane[0] + lane[2]) + (lane[1] + lane[3]);
  if (i < n) {
    ctReal tail = a[i] * b[i];
    if (i + 1 < n) tail += a[i + 1] * b[i + 1];
    if (i + 2 < n) tail += a[i + 2] * b[i + 2];
    sum += tail;
  }
  return sum;
}

CT_INLINE ctReal cti_norm(const ctReal* a, int n) {
  return cti_sqrt(cti_dot(a, a, n));
}

// Sum of the elements, one after another.
CT_INLINE ctReal cti_sum(const ctReal* a, int n) {
  ctReal sum = 0;
  for (int i = 0; i < n; i++) sum += a[i];
  return sum;
}

CT_INLINE void cti_zero(ctReal* r, int n) {
  for (int i = 0; i < n; i++) r[i] = 0;
}

CT_INLINE void cti_copy(ctReal* CT_RESTRICT r, const ctReal* CT_RESTRICT a, int n) {
  for (int i = 0; i < n; i++) r[i] = a[i];
}

// The bits of a number: two that are equal may differ in them, as zero and minus zero do.
CT_INLINE uint64_t cti_bits(const ctReal* x) {
  uint64_t bits = 0;
  memcpy(&bits, x, sizeof(*x));
  return bits;
}

CT_INLINE bool cti_same_bits(const ctReal* a, const ctReal* b, int n) {
  uint64_t differ = 0;
  for (int i = 0; i < n; i++) differ |= cti_bits(a + i) ^ cti_bits(b + i);
  return differ == 0;
}

CT_INLINE bool cti_no_bits(const ctReal* a, int n) {
  uint64_t any = 0;
  for (int i = 0; i < n; i++) any |= cti_bits(a + i);
  return any == 0;
}

// r = a + b
CT_INLINE void cti_add(ctReal* r, const ctReal* a, const ctReal* b, int n) {
  for (int i = 0; i < n; i++) r[i] = a[i] + b[i];
}

// r += a
CT_INLINE void cti_add_to(ctReal* CT_RESTRICT r, const ctReal* CT_RESTRICT a, int n) {
  for (int i = 0; i < n; i++) r[i] += a[i];
}

// r = a - b
CT_INLINE void cti_sub(ctReal* r, const ctReal* a, const ctReal* b, int n) {
  for (int i = 0; i < n; i++) r[i] = a[i] - b[i];
}

// r -= a
CT_INLINE void cti_sub_from(ctReal* CT_RESTRICT r, const ctReal* CT_RESTRICT a, int n) {
  for (int i = 0; i < n; i++) r[i] -= a[i];
}

// r = s a
CT_INLINE void cti_scale(ctReal* r, const ctReal* a, ctReal s, int n) {
  for (int i = 0; i < n; i++) r[i] = a[i] * s;
}

// r += s a
CT_INLINE void cti_add_scaled(ctReal* CT_RESTRICT r, const ctReal* CT_RESTRICT a, ctReal s, int n) {
  for (int i = 0; i < n; i++) r[i] += s * a[i];
}

// ---- the same by a team: vectors that all its lanes see, and the same result in each ----

CT_INLINE void cti_team_zero(ctReal* r, int n) {
  CT_LANES(i, n) r[i] = 0;
  CT_TEAM_SYNC();
}

CT_INLINE void cti_team_copy(ctReal* CT_RESTRICT r, const ctReal* CT_RESTRICT a, int n) {
  CT_LANES(i, n) r[i] = a[i];
  CT_TEAM_SYNC();
}

// r = a + b
CT_INLINE void cti_team_sum(ctReal* r, const ctReal* a, const ctReal* b, int n) {
  CT_LANES(i, n) r[i] = a[i] + b[i];
  CT_TEAM_SYNC();
}

CT_INLINE void cti_team_add_to(ctReal* CT_RESTRICT r, const ctReal* CT_RESTRICT a, int n) {
  CT_LANES(i, n) r[i] += a[i];
  CT_TEAM_SYNC();
}

CT_INLINE void cti_team_scale(ctReal* r, const ctReal* a, ctReal s, int n) {
  CT_LANES(i, n) r[i] = a[i] * s;
  CT_TEAM_SYNC();
}

CT_INLINE void cti_team_sub_from(ctReal* CT_RESTRICT r, const ctReal* CT_RESTRICT a, int n) {
  CT_LANES(i, n) r[i] -= a[i];
  CT_TEAM_SYNC();
}

CT_INLINE void cti_team_add_scaled(ctReal* CT_RESTRICT r, const ctReal* CT_RESTRICT a, ctReal s, int n) {
  CT_LANES(i, n) r[i] += s * a[i];
  CT_TEAM_SYNC();
}

#if defined(__CUDACC__)
// The lanes' products x, `n` of them, a multiple of 4, added to the four sums of cti_dot().
CT_INLINE void cti_team_fours(ctiFour* sum, ctReal x, int n) {
  const ctiFour* box = cti_team_box();
  const int most = n < CT_TEAM ? n : CT_TEAM;
  ((ctReal*)box)[CT_LANE] = x;
  CT_TEAM_SYNC();
  CT_UNROLL(4)
  for (int k = 0; k < most; k += 4) {
    const ctiFour v = box[k / 4];
    for (int i = 0; i < 4; i++) sum->x[i] += v.x[i];
  }
  CT_TEAM_SYNC();
}
CT_INLINE ctReal cti_team_dot(const ctReal* a, const ctReal* b, int n) {
  const int whole = n & ~3;
#if CT_PLAIN
  // lane k adds up the sum k % 4
  ctReal part = 0;
  CT_UNROLL(1)
  for (int first = 0; first < whole; first += CT_TEAM) {
    const int i = first + CT_LANE;
    const ctReal product = i < whole ? a[i] * b[i] : CTI_NOTHING;
    for (int k = 0; k < CT_TEAM; k += 4) part += cti_team_from(product, k + (CT_LANE & 3));
  }
  part += cti_team_from(part, CT_LANE ^ 2);
  part += cti_team_from(part, CT_LANE ^ 1);
  if (whole < n) {
    ctReal tail = a[whole] * b[whole];
    if (whole + 1 < n) tail += a[whole + 1] * b[whole + 1];
    if (whole + 2 < n) tail += a[whole + 2] * b[whole + 2];
    part += tail;
  }
  return part;
#endif
  // short ones are not worth the meeting
  if (CT_TEAM < 8 || whole < 8) return cti_dot(a, b, n);
  ctiFour lane = {{0, 0, 0, 0}};
  for (int i = 0; i < whole; i += CT_TEAM) {
    int k = i + CT_LANE;
    cti_team_fours(&lane, k < whole ? a[k] * b[k] : 0, whole - i);
  }
  ctReal sum = (lane.x[0] + lane.x[2]) + (lane.x[1] + lane.x[3]);
  if (whole < n) {
    ctReal tail = a[whole] * b[whole];
    if (whole + 1 < n) tail += a[whole + 1] * b[whole + 1];
    if (whole + 2 < n) tail += a[whole + 2] * b[whole + 2];
    sum += tail;
  }
  return sum;
}
#else
CT_INLINE ctReal cti_team_dot(const ctReal* a, const ctReal* b, int n) {
  return cti_dot(a, b, n);
}
#endif

CT_INLINE ctReal cti_team_norm(const ctReal* a, int n) {
  return cti_sqrt(cti_team_dot(a, a, n));
}

// ---- products, by a team; the result must not overlap the operands ----

// r = M v, each element a cti_dot; M is nr x nc
CT_FN void cti_mul_mat_vec(ctReal* r, const ctReal* m, const ctReal* v, int nr, int nc);
// r = M' v; M is nr x nc
CT_FN void cti_mul_mat_t_vec(ctReal* r, const ctReal* m, const ctReal* v, int nr, int nc);
// r += M' v; M is nr x nc
CT_FN void cti_add_mat_t_vec(ctReal* r, const ctReal* m, const ctReal* v, int nr, int nc);
// R = A B; A is na x nk, B is nk x nb
CT_FN void cti_mul_mat_mat(ctReal* r, const ctReal* a, const ctReal* b, int na, int nk, int nb);
// R = A B', each element a cti_dot; A is na x nk, B is nb x nk
CT_FN void cti_mul_mat_mat_t(ctReal* r, const ctReal* a, const ctReal* b, int na, int nk, int nb);
// R = A' B; A is nk x na, B is nk x nb
CT_FN void cti_mul_mat_t_mat(ctReal* r, const ctReal* a, const ctReal* b, int nk, int na, int nb);
// R = A' D A, both triangles, D diagonal or the identity when NULL; A is nr x nc
CT_FN void cti_mul_square(ctReal* r, const ctReal* a, const ctReal* d, int nr, int nc);
// R = A'; A is nr x nc
CT_FN void cti_transpose(ctReal* r, const ctReal* a, int nr, int nc);

// ---- cholesky: A = L L', L in the lower triangle; the upper triangle is neither read nor written ----

// Factor in place. A pivot (square of a diagonal of L) below `mindiag` is replaced by it. Returns the rank:
// n less the pivots replaced.
CT_FN int cti_chol_factor(ctReal* a, int n, ctReal mindiag);
// x = A^-1 b; x and b may be the same
CT_FN void cti_chol_solve(ctReal* x, const ctReal* l, const ctReal* b, int n);
// L L' + v v' when `add`, else L L' - v v', in place; v is used up. A pivot that would fall below CTI_MINVAL
// is replaced by it. Returns the rank as cti_chol_factor does.
CT_FN int cti_chol_update(ctReal* l, ctReal* v, int n, ctBool add);

// ---- LU with partial pivoting: A = P L U ----

// Factor in place; row k was exchanged with row pivot[k] >= k. Returns 0, or k + 1 when pivot k is exactly
// zero: then the factors are incomplete and must not be used.
CT_FN int cti_lu_factor(ctReal* a, int* pivot, int n);
// x = A^-1 x
CT_FN void cti_lu_solve(ctReal* x, const ctReal* lu, const int* pivot, int n);

// ---- band matrix with dense border (see the head of this file) ----

// Position of the diagonal element of row i.
CT_INLINE int cti_band_diag(int i, int ntotal, int nband, int ndense) {
  int nsparse = ntotal - ndense;
  return i < nsparse ? i * nband + nband - 1 : nsparse * nband + (i - nsparse) * ntotal + i;
}

// Cholesky in place of A + diagadd + diagmul * diag(A). Returns the smallest diagonal of L, or 0 when a pivot
// (its square) is below CTI_MINVAL: then the factorisation stopped there and must not be used.
CT_FN ctReal cti_band_factor(ctReal* a, int ntotal, int nband, int ndense, ctReal diagadd, ctReal diagmul);
// x = A^-1 b; x and b may be the same
CT_FN void cti_band_solve(ctReal* x, const ctReal* l, const ctReal* b, int ntotal, int nband, int ndense);
// r = A v with A symmetric, or only its lower triangle when not `symmetric`
CT_FN void cti_band_mul_vec(ctReal* r, const ctReal* a, const ctReal* v, int ntotal, int nband, int ndense,
                            ctBool symmetric);
