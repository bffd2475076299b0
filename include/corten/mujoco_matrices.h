/// @file
/// Part of corten/mujoco.h: the functions mju_* of rotations from matrices, band and sparse matrices, box
/// constraints, muscles, contact pyramids, and those that print.
#pragma once

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "corten/mujoco_core.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- rotations

/// The rotation nearest to a matrix, found from the one in `quat`. Returns how many iterations it took.
static inline int mju_mat2Rot(mjtNum quat[4], const mjtNum mat[9]) {
  const int most = 500;
  for (int iteration = 0; iteration < most; iteration++) {
    mjtNum now[9], turn[3] = {0, 0, 0}, together = 0, step[4];
    mju_quat2Mat(now, quat);
    for (int i = 0; i < 3; i++) {
      const mjtNum a[3] = {now[i], now[3 + i], now[6 + i]}, b[3] = {mat[i], mat[3 + i], mat[6 + i]};
      mjtNum c[3];
      mju_cross(c, a, b);
      mju_addTo3(turn, c);
      together += mju_dot3(a, b);
    }
    mju_scl3(turn, turn, 1 / (mju_abs(together) + mjMINVAL));
    const mjtNum angle = mju_normalize3(turn);
    if (angle < (mjtNum)1e-9) return iteration;
    mju_axisAngle2Quat(step, turn, angle);
    mju_mulQuat(quat, step, quat);
    mju_normalize4(quat);
  }
  return most;
}
/// Three turns about the axes of `seq`: those that move along in lower case, those that stay in upper case.
static inline void mju_euler2Quat(mjtNum quat[4], const mjtNum euler[3], const char* seq) {
  if (strlen(seq) != 3) {
    mju_error("mju_euler2Quat: seq must contain exactly 3 characters");
    return;
  }
  mjtNum q[4] = {1, 0, 0, 0};
  for (int i = 0; i < 3; i++) {
    const int axis = tolower((unsigned char)seq[i]) - 'x';
    if (axis < 0 || axis > 2) {
      mju_error("mju_euler2Quat: seq[%d] is '%c', should be one of x, y, z, X, Y, Z", i, seq[i]);
      return;
    }
    mjtNum turn[4] = {mju_cos(euler[i] / 2), 0, 0, 0};
    turn[1 + axis] = mju_sin(euler[i] / 2);
    const bool moves = islower((unsigned char)seq[i]) != 0;
    mju_mulQuat(q, moves ? q : turn, moves ? turn : q);
  }
  mju_copy4(quat, q);
}
/// Eigenvalues of a symmetric matrix, largest first, eigenvectors as columns of a rotation. Returns how many
/// rotations it took.
static inline int mju_eig3(mjtNum eigval[3], mjtNum eigvec[9], mjtNum quat[4], const mjtNum mat[9]) {
  mjtNum a[9];
  int turns = 0;
  mju_copy(a, mat, 9);
  mju_eye(eigvec, 3);
  for (; turns < 60; turns++) {
    // turn away the largest element beside the diagonal
    int p = 0, q = 1;
    if (mju_abs(a[2]) > mju_abs(a[3 * p + q])) q = 2;
    if (mju_abs(a[5]) > mju_abs(a[3 * p + q])) {
      p = 1;
      q = 2;
    }
    const mjtNum off = a[3 * p + q];
    const mjtNum scale = mju_abs(a[0]) + mju_abs(a[4]) + mju_abs(a[8]);
    if (mju_abs(off) <= mjMINVAL * scale || off == 0) break;
    const mjtNum theta = (a[4 * q] - a[4 * p]) / (2 * off);
    const mjtNum t = (theta >= 0 ? 1 : -1) / (mju_abs(theta) + mju_sqrt(theta * theta + 1));
    const mjtNum c = 1 / mju_sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) {
      const mjtNum x = a[3 * k + p], y = a[3 * k + q];
      a[3 * k + p] = c * x - s * y;
      a[3 * k + q] = s * x + c * y;
    }
    for (int k = 0; k < 3; k++) {
      const mjtNum x = a[3 * p + k], y = a[3 * q + k];
      a[3 * p + k] = c * x - s * y;
      a[3 * q + k] = s * x + c * y;
    }
    for (int k = 0; k < 3; k++) {
      const mjtNum x = eigvec[3 * k + p], y = eigvec[3 * k + q];
      eigvec[3 * k + p] = c * x - s * y;
      eigvec[3 * k + q] = s * x + c * y;
    }
  }
  for (int i = 0; i < 3; i++) eigval[i] = a[4 * i];
  // put them in order; each exchange turns a column around, so that it stays a rotation
  static const int from[3] = {0, 1, 0};
  for (int j = 0; j < 3; j++) {
    const int i = from[j];
    if (eigval[i] >= eigval[i + 1]) continue;
    const mjtNum value = eigval[i];
    eigval[i] = eigval[i + 1];
    eigval[i + 1] = value;
    for (int k = 0; k < 3; k++) {
      const mjtNum x = eigvec[3 * k + i];
      eigvec[3 * k + i] = eigvec[3 * k + i + 1];
      eigvec[3 * k + i + 1] = -x;
    }
  }
  mju_mat2Quat(quat, eigvec);
  return turns;
}

// ---- factors

/// The factor of A + x x', or of A - x x', from that of A; `x` is destroyed. Returns the rank.
static inline int mju_cholUpdate(mjtNum* mat, mjtNum* x, int n, int flg_plus) {
  int rank = n;
  for (int k = 0; k < n; k++) {
    if (x[k] == 0) continue;
    mjtNum* diag = mat + k * (n + 1);
    mjtNum square = *diag * *diag + (flg_plus ? x[k] * x[k] : -x[k] * x[k]);
    if (square < mjMINVAL) {
      square = mjMINVAL;
      rank--;
    }
    const mjtNum root = mju_sqrt(square), c = root / *diag, s = x[k] / *diag;
    *diag = root;
    for (int i = k + 1; i < n; i++) {
      mat[i * n + k] = (mat[i * n + k] + (flg_plus ? s : -s) * x[i]) / c;
      x[i] = c * x[i] - s * mat[i * n + k];
    }
  }
  return rank;
}

// The first column that row `i` of a band matrix keeps, which may be left of the matrix.
static inline int ct_mj_band_first(int i, int ntotal, int nband, int ndense) {
  return i < ntotal - ndense ? i - nband + 1 : 0;
}
/// Where the diagonal of row `i` is in a band matrix.
static inline int mju_bandDiag(int i, int ntotal, int nband, int ndense) {
  const int sparse = ntotal - ndense;
  return i < sparse ? i * nband + nband - 1 : sparse * nband + (i - sparse) * ntotal + i;
}
// Row `i` as if it began in column 0.
static inline mjtNum* ct_mj_band_row(const mjtNum* mat, int i, int ntotal, int nband, int ndense) {
  return (mjtNum*)(uintptr_t)(mat + mju_bandDiag(i, ntotal, nband, ndense) - i);
}
static inline void mju_band2Dense(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense,
                                  mjtBool flg_sym) {
  mju_zero(res, ntotal * ntotal);
  for (int i = 0; i < ntotal; i++) {
    const mjtNum* row = ct_mj_band_row(mat, i, ntotal, nband, ndense);
    for (int j = mjMAX(0, ct_mj_band_first(i, ntotal, nband, ndense)); j <= i; j++) {
      res[i * ntotal + j] = row[j];
      if (flg_sym) res[j * ntotal + i] = row[j];
    }
  }
}
static inline void mju_dense2Band(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense) {
  for (int i = 0; i < ntotal; i++) {
    mjtNum* row = ct_mj_band_row(res, i, ntotal, nband, ndense);
    for (int j = mjMAX(0, ct_mj_band_first(i, ntotal, nband, ndense)); j <= i; j++)
      row[j] = mat[i * ntotal + j];
  }
}
static inline void mju_bandMulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal, int nband,
                                     int ndense, int nvec, mjtBool flg_sym) {
  for (int k = 0; k < nvec; k++) {
    mjtNum* out = res + k * ntotal;
    const mjtNum* in = vec + k * ntotal;
    mju_zero(out, ntotal);
    for (int i = 0; i < ntotal; i++) {
      const mjtNum* row = ct_mj_band_row(mat, i, ntotal, nband, ndense);
      for (int j = mjMAX(0, ct_mj_band_first(i, ntotal, nband, ndense)); j <= i; j++) {
        out[i] += row[j] * in[j];
        if (flg_sym && j < i) out[j] += row[j] * in[i];
      }
    }
  }
}
/// The factor in place, after `diagadd + diagmul * diagonal` was added to the diagonal. Returns the smallest
/// number on its diagonal, 0 when there is none.
static inline mjtNum mju_cholFactorBand(mjtNum* mat, int ntotal, int nband, int ndense, mjtNum diagadd,
                                        mjtNum diagmul) {
  mjtNum least = -1;
  for (int i = 0; i < ntotal; i++) {
    mjtNum* diag = mat + mju_bandDiag(i, ntotal, nband, ndense);
    *diag += diagadd + diagmul * *diag;
  }
  for (int i = 0; i < ntotal; i++) {
    const int first = mjMAX(0, ct_mj_band_first(i, ntotal, nband, ndense));
    mjtNum* row = ct_mj_band_row(mat, i, ntotal, nband, ndense);
    for (int j = first; j <= i; j++) {
      const mjtNum* above = ct_mj_band_row(mat, j, ntotal, nband, ndense);
      for (int k = mjMAX(first, ct_mj_band_first(j, ntotal, nband, ndense)); k < j; k++)
        row[j] -= row[k] * above[k];
      if (j < i) row[j] /= above[j];
    }
    if (row[i] < mjMINVAL) return 0;
    row[i] = mju_sqrt(row[i]);
    if (least < 0 || row[i] < least) least = row[i];
  }
  return least < 0 ? 0 : least;
}
static inline void mju_cholSolveBand(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal, int nband,
                                     int ndense) {
  if (res != vec) mju_copy(res, vec, ntotal);
  for (int i = 0; i < ntotal; i++) {
    const mjtNum* row = ct_mj_band_row(mat, i, ntotal, nband, ndense);
    for (int j = mjMAX(0, ct_mj_band_first(i, ntotal, nband, ndense)); j < i; j++) res[i] -= row[j] * res[j];
    res[i] /= row[i];
  }
  for (int i = ntotal - 1; i >= 0; i--) {
    const mjtNum* row = ct_mj_band_row(mat, i, ntotal, nband, ndense);
    res[i] /= row[i];
    for (int j = mjMAX(0, ct_mj_band_first(i, ntotal, nband, ndense)); j < i; j++) res[j] -= row[j] * res[i];
  }
}
/// 0, or 1 when `nnz` elements are too few.
static inline int mju_dense2sparse(mjtNum* res, const mjtNum* mat, int nr, int nc, int* rownnz, int* rowadr,
                                   int* colind, int nnz) {
  int at = 0;
  if (nnz <= 0) return 1;
  for (int i = 0; i < nr; i++) {
    rowadr[i] = at;
    rownnz[i] = 0;
    for (int j = 0; j < nc; j++) {
      if (mat[i * nc + j] == 0) continue;
      if (at >= nnz) return 1;
      res[at] = mat[i * nc + j];
      colind[at++] = j;
      rownnz[i]++;
    }
  }
  return 0;
}

// ---- quadratic programs with bounds

// H is symmetric: what is above its diagonal is not read.
static inline mjtNum ct_mj_qp_at(const mjtNum* H, int n, int i, int j) {
  return i > j ? H[i * n + j] : H[j * n + i];
}
static inline mjtNum ct_mj_qp_row(const mjtNum* H, const mjtNum* x, int n, int i) {
  mjtNum sum = 0;
  for (int j = 0; j < n; j++) sum += ct_mj_qp_at(H, n, i, j) * x[j];
  return sum;
}
// Half x'Hx + x'g.
static inline mjtNum ct_mj_qp_cost(const mjtNum* H, const mjtNum* g, const mjtNum* x, int n) {
  mjtNum sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * ct_mj_qp_row(H, x, n, i);
  return sum / 2 + mju_dot(x, g, n);
}
static inline mjtNum ct_mj_qp_clip(mjtNum x, const mjtNum* lower, const mjtNum* upper, int i) {
  if (lower && x < lower[i]) x = lower[i];
  return upper && x > upper[i] ? upper[i] : x;
}
/// The minimum of x'Hx/2 + x'g with lower <= x <= upper, from the start in `res`. Of H the lower triangle is
/// read. `R` has room for n (n + 7) numbers and receives the factor of the part of H that is free, `index`
/// (may be NULL) what is free. Returns how many are free, -1 when that part has no factor.
static inline int mju_boxQP(mjtNum* res, mjtNum* R, int* index, const mjtNum* H, const mjtNum* g, int n,
                            const mjtNum* lower, const mjtNum* upper) {
  mjtNum *slope = R + n * n, *step = slope + n, *part = step + n, *next = part + n, *list = next + n;
  int nfree = 0;
  for (int i = 0; i < n; i++) {
    if (lower && upper && lower[i] >= upper[i]) {
      mju_error("mju_boxQP: upper bound must be greater than lower bound");
      return -1;
    }
    res[i] = ct_mj_qp_clip(res[i], lower, upper, i);
  }
  for (int iteration = 0; iteration < 100; iteration++) {
    for (int i = 0; i < n; i++) slope[i] = ct_mj_qp_row(H, res, n, i) + g[i];
    // what is at a bound and would go beyond it is held
    nfree = 0;
    mjtNum norm = 0;
    for (int i = 0; i < n; i++) {
      const bool held =
          (lower && res[i] <= lower[i] && slope[i] > 0) || (upper && res[i] >= upper[i] && slope[i] < 0);
      if (held) continue;
      list[nfree++] = (mjtNum)i;
      norm += slope[i] * slope[i];
    }
    if (index)
      for (int i = 0; i < nfree; i++) index[i] = (int)list[i];
    for (int i = 0; i < nfree; i++)
      for (int j = 0; j < nfree; j++) R[i * nfree + j] = ct_mj_qp_at(H, n, (int)list[i], (int)list[j]);
    if (nfree > 0 && mju_cholFactor(R, nfree, mjMINVAL) < nfree) return -1;
    if (nfree == 0 || norm < (mjtNum)1e-32) return nfree;
    for (int i = 0; i < nfree; i++) part[i] = -slope[(int)list[i]];
    mju_cholSolve(part, R, part, nfree);
    mju_zero(step, n);
    for (int i = 0; i < nfree; i++) step[(int)list[i]] = part[i];
    const mjtNum before = ct_mj_qp_cost(H, g, res, n), along = mju_dot(step, slope, n);
    if (along >= 0) return nfree;
    bool moved = false;
    for (mjtNum size = 1; size > (mjtNum)1e-22; size /= 2) {
      for (int i = 0; i < n; i++) next[i] = ct_mj_qp_clip(res[i] + size * step[i], lower, upper, i);
      if (ct_mj_qp_cost(H, g, next, n) - before <= (mjtNum)0.1 * size * along) {
        for (int i = 0; i < n; i++) moved = moved || next[i] != res[i];
        break;
      }
    }
    if (!moved) return nfree;
    mju_copy(res, next, n);
  }
  return nfree;
}
/// Memory for mju_boxQP(), to be freed with mju_free(); `index`, `lower` and `upper` may be NULL.
static inline void mju_boxQPmalloc(mjtNum** res, mjtNum** R, int** index, mjtNum** H, mjtNum** g, int n,
                                   mjtNum** lower, mjtNum** upper) {
  const size_t size = (size_t)n * sizeof(mjtNum);
  *res = (mjtNum*)mju_malloc(size);
  *R = (mjtNum*)mju_malloc(size * (size_t)(n + 7));
  *H = (mjtNum*)mju_malloc(size * (size_t)n);
  *g = (mjtNum*)mju_malloc(size);
  if (index) *index = (int*)mju_malloc((size_t)n * sizeof(int));
  if (lower) *lower = (mjtNum*)mju_malloc(size);
  if (upper) *upper = (mjtNum*)mju_malloc(size);
}

// ---- muscles, pyramids, springs

// Its peak force, length and velocity in units of the optimal length.
static inline mjtNum ct_mj_muscle(mjtNum len, mjtNum vel, const mjtNum range[2], mjtNum acc0,
                                  const mjtNum prm[9], mjtNum* L, mjtNum* V) {
  const mjtNum L0 = (range[1] - range[0]) / mjMAX(mjMINVAL, prm[1] - prm[0]);
  *L = prm[0] + (len - range[0]) / mjMAX(mjMINVAL, L0);
  *V = vel / mjMAX(mjMINVAL, L0 * prm[6]);
  return prm[2] < 0 ? prm[3] / mjMAX(mjMINVAL, acc0) : prm[2];
}
static inline mjtNum mju_muscleGain(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0,
                                    const mjtNum prm[9]) {
  mjtNum L, V, x, FL = 0, FV;
  const mjtNum force = ct_mj_muscle(len, vel, lengthrange, acc0, prm, &L, &V), lmin = prm[4], lmax = prm[5];
  const mjtNum a = (lmin + 1) / 2, b = (1 + lmax) / 2, most = prm[8], y = most - 1;
  if (L >= lmin && L <= a) {
    x = (L - lmin) / mjMAX(mjMINVAL, a - lmin);
    FL = x * x / 2;
  } else if (L > a && L <= b) {
    x = L <= 1 ? (1 - L) / mjMAX(mjMINVAL, 1 - a) : (L - 1) / mjMAX(mjMINVAL, b - 1);
    FL = 1 - x * x / 2;
  } else if (L > b && L <= lmax) {
    x = (lmax - L) / mjMAX(mjMINVAL, lmax - b);
    FL = x * x / 2;
  }
  FV = V <= -1  ? 0
       : V <= 0 ? (V + 1) * (V + 1)
       : V <= y ? most - (y - V) * (y - V) / mjMAX(mjMINVAL, y)
                : most;
  return -force * FL * FV;
}
static inline mjtNum mju_muscleBias(mjtNum len, const mjtNum lengthrange[2], mjtNum acc0,
                                    const mjtNum prm[9]) {
  mjtNum L, V;
  const mjtNum force = ct_mj_muscle(len, 0, lengthrange, acc0, prm, &L, &V), b = (1 + prm[5]) / 2;
  if (L <= 1) return 0;
  const mjtNum x = (L - (L <= b ? 1 : b)) / mjMAX(mjMINVAL, b - 1);
  return L <= b ? -force * prm[7] * x * x / 2 : -force * prm[7] * ((mjtNum)0.5 + x);
}
static inline mjtNum mju_muscleDynamics(mjtNum ctrl, mjtNum act, const mjtNum prm[3]) {
  const mjtNum change = mju_clip(ctrl, 0, 1) - act, slower = (mjtNum)0.5 + (mjtNum)1.5 * mju_clip(act, 0, 1);
  const mjtNum rise = prm[0] * slower, fall = prm[1] / slower;
  mjtNum tau = change > 0 ? rise : fall;
  if (prm[2] >= mjMINVAL) tau = fall + (rise - fall) * mju_sigmoid(change / prm[2] + (mjtNum)0.5);
  return change / mjMAX(mjMINVAL, tau);
}
static inline void mju_encodePyramid(mjtNum* pyramid, const mjtNum* force, const mjtNum* mu, int dim) {
  const mjtNum normal = force[0] / (mjtNum)(dim - 1);
  for (int i = 0; i < dim - 1; i++) {
    const mjtNum tangent = mju_min(normal, force[i + 1] / mu[i]);
    pyramid[2 * i] = (normal + tangent) / 2;
    pyramid[2 * i + 1] = (normal - tangent) / 2;
  }
}
static inline void mju_decodePyramid(mjtNum* force, const mjtNum* pyramid, const mjtNum* mu, int dim) {
  force[0] = dim == 1 ? pyramid[0] : mju_sum(pyramid, 2 * (dim - 1));
  for (int i = 0; i < dim - 1; i++) force[i + 1] = (pyramid[2 * i] - pyramid[2 * i + 1]) * mu[i];
}
/// Where a spring and damper have brought a point after `dt`.
static inline mjtNum mju_springDamper(mjtNum pos0, mjtNum vel0, mjtNum Kp, mjtNum Kv, mjtNum dt) {
  const mjtNum root = Kv * Kv / 4 - Kp, r = -Kv / 2;
  if (mju_abs(root) <= mjMINVAL) return mju_exp(r * dt) * (pos0 + (vel0 - r * pos0) * dt);
  const mjtNum w = mju_sqrt(mju_abs(root));
  if (root < 0) return mju_exp(r * dt) * (pos0 * mju_cos(w * dt) + (vel0 - r * pos0) / w * mju_sin(w * dt));
  const mjtNum r1 = r - w, r2 = r + w;
  return (pos0 * r2 - vel0) / (r2 - r1) * mju_exp(r1 * dt) +
         (vel0 - pos0 * r1) / (r2 - r1) * mju_exp(r2 * dt);
}

// ---- random numbers, lists, texts

/// Two numbers of the normal distribution, from rand(); `num2` may be NULL.
static inline mjtNum mju_standardNormal(mjtNum* num2) {
  mjtNum x, y, square;
  do {
    x = 2 * (mjtNum)rand() / (mjtNum)RAND_MAX - 1;
    y = 2 * (mjtNum)rand() / (mjtNum)RAND_MAX - 1;
    square = x * x + y * y;
  } while (square >= 1 || square == 0);
  const mjtNum scale = mju_sqrt(-2 * mju_log(square) / square);
  if (num2) *num2 = y * scale;
  return x * scale;
}
static inline void mju_insertionSortInt(int* list, int n) {
  for (int i = 1; i < n; i++) {
    const int x = list[i];
    int j = i - 1;
    for (; j >= 0 && list[j] > x; j--) list[j + 1] = list[j];
    list[j + 1] = x;
  }
}
/// At most `n - 1` characters and a zero byte.
static inline char* mju_strncpy(char* dst, const char* src, int n) {
  if (!dst || !src || n <= 0) return dst;
  int i = 0;
  for (; i < n - 1 && src[i]; i++) dst[i] = src[i];
  dst[i] = 0;
  return dst;
}
static inline const char* const* ct_mj_type_names(int* count) {
  static const char* const names[] = {
      NULL,     "body",     "xbody",  "joint",   "dof",     "geom",     "site", "camera",  "light",
      "flex",   "mesh",     "skin",   "hfield",  "texture", "material", "pair", "exclude", "equality",
      "tendon", "actuator", "sensor", "numeric", "text",    "tuple",    "key",  "plugin"};
  *count = (int)(sizeof(names) / sizeof(names[0]));
  return names;
}
/// The word for a kind of object, NULL when there is none.
static inline const char* mju_type2Str(int type) {
  int n;
  const char* const* names = ct_mj_type_names(&n);
  return type > 0 && type < n ? names[type] : NULL;
}
/// The kind of object a word stands for, 0 when there is none.
static inline int mju_str2Type(const char* str) {
  int n;
  const char* const* names = ct_mj_type_names(&n);
  for (int i = 1; str && i < n; i++) {
    if (strcmp(names[i], str) == 0) return i;
  }
  return 0;
}

/// In the largest unit that leaves nothing over. The text is valid until the next call of the thread.
static inline const char* mju_writeNumBytes(size_t nbytes) {
  static CT_MJ_THREAD char text[32];
  int power = 0;
  for (; power < 6 && nbytes > 0 && nbytes % 1024 == 0; power++) nbytes /= 1024;
  snprintf(text, sizeof(text), "%lu%.*s", (unsigned long)nbytes, power > 0 ? 1 : 0,
           &"KMGTPE"[power > 0 ? power - 1 : 0]);
  return text;
}
/// What a warning says. The text is valid until the next call of the thread.
static inline const char* mju_warningText(int warning, size_t info) {
  static const char* const texts[mjNWARNING] = {
      "Inertia matrix is too close to singular at DOF %lu. Check model.",
      "Too many contacts, the arena is full (ncon = %lu).",
      "Too many constraints, the arena of %lu bytes is full.",
      "Nan, Inf or huge value in QPOS at DOF %lu. The simulation is unstable.",
      "Nan, Inf or huge value in QVEL at DOF %lu. The simulation is unstable.",
      "Nan, Inf or huge value in QACC at DOF %lu. The simulation is unstable.",
      "Nan, Inf or huge value in CTRL at ACTUATOR %lu. The simulation is unstable."};
  static CT_MJ_THREAD char text[256];
  const char* at = warning >= 0 && warning < mjNWARNING ? texts[warning] : NULL;
  const char* number = at ? strstr(at, "%lu") : NULL;
  if (number)
    snprintf(text, sizeof(text), "%.*s%lu%s", (int)(number - at), at, (unsigned long)info, number + 3);
  else
    snprintf(text, sizeof(text), "Unknown warning type %d.", warning);
  return text;
}
static inline void mju_printMat(const mjtNum* mat, int nr, int nc) {
  for (int i = 0; i < nr; i++) {
    for (int j = 0; j < nc; j++) printf("%.8f ", (double)mat[i * nc + j]);
    printf("\n");
  }
  printf("\n");
}
static inline void mju_printMatSparse(const mjtNum* mat, int nr, const int* rownnz, const int* rowadr,
                                      const int* colind) {
  for (int i = 0; i < nr; i++) {
    for (int k = rowadr[i]; k < rowadr[i] + rownnz[i]; k++)
      printf("(%d %d): %9.6f  ", i, colind[k], (double)mat[k]);
    printf("\n");
  }
  printf("\n");
}

#ifdef __cplusplus
}
#endif
