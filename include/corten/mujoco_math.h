/// @file
/// The functions mju_* of MuJoCo: vectors, quaternions, poses, small matrices. Included by corten/mujoco.h.
#pragma once

#include <math.h>
#include <string.h>

#include "corten/mujoco_enums.h"
#include "corten/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef ctReal mjtNum;   ///< as there
typedef ctByte mjtByte;  ///< as there
typedef bool mjtBool;    ///< as there
typedef ctSize mjtSize;  ///< as there

#define mjMINVAL    ((mjtNum)1e-15)
#define mjMAXVAL    ((mjtNum)1e10)
#define mjMAX(a, b) (((a) > (b)) ? (a) : (b))
#define mjMIN(a, b) (((a) < (b)) ? (a) : (b))

// ---- numbers

static inline mjtNum mju_min(mjtNum a, mjtNum b) {
  return a < b ? a : b;
}
static inline mjtNum mju_max(mjtNum a, mjtNum b) {
  return a > b ? a : b;
}
static inline mjtNum mju_abs(mjtNum x) {
  return (mjtNum)fabs((double)x);
}
static inline mjtNum mju_sqrt(mjtNum x) {
  return (mjtNum)sqrt((double)x);
}
static inline mjtNum mju_exp(mjtNum x) {
  return (mjtNum)exp((double)x);
}
static inline mjtNum mju_sin(mjtNum x) {
  return (mjtNum)sin((double)x);
}
static inline mjtNum mju_cos(mjtNum x) {
  return (mjtNum)cos((double)x);
}
static inline mjtNum mju_tan(mjtNum x) {
  return (mjtNum)tan((double)x);
}
static inline mjtNum mju_asin(mjtNum x) {
  return (mjtNum)asin((double)x);
}
static inline mjtNum mju_acos(mjtNum x) {
  return (mjtNum)acos((double)x);
}
static inline mjtNum mju_atan2(mjtNum y, mjtNum x) {
  return (mjtNum)atan2((double)y, (double)x);
}
static inline mjtNum mju_pow(mjtNum x, mjtNum y) {
  return (mjtNum)pow((double)x, (double)y);
}
static inline mjtNum mju_log(mjtNum x) {
  return (mjtNum)log((double)x);
}
static inline mjtNum mju_floor(mjtNum x) {
  return (mjtNum)floor((double)x);
}
static inline mjtNum mju_ceil(mjtNum x) {
  return (mjtNum)ceil((double)x);
}
static inline mjtNum mju_clip(mjtNum x, mjtNum min, mjtNum max) {
  return x < min ? min : (x > max ? max : x);
}
static inline mjtNum mju_sign(mjtNum x) {
  return (mjtNum)((x > 0) - (x < 0));
}
static inline int mju_round(mjtNum x) {
  const double whole = round((double)x);
  if (whole >= 2147483647.0) return 2147483647;
  return whole > -2147483648.0 ? (int)whole : -2147483647 - 1;
}
static inline int mju_isBad(mjtNum x) {
  return !(x >= -mjMAXVAL && x <= mjMAXVAL);
}
static inline mjtNum mju_sigmoid(mjtNum x) {
  if (x <= 0 || x >= 1) return (mjtNum)(x >= 1);
  return x * x * x * (3 * x * (2 * x - 5) + 10);
}
static inline mjtNum mju_Halton(int index, int base) {
  mjtNum fraction = 1 / (mjtNum)base, result = 0;
  for (; index > 0; index /= base, fraction /= (mjtNum)base) result += (mjtNum)(index % base) * fraction;
  return result;
}

// ---- vectors of n numbers

static inline void mju_zero(mjtNum* res, int n) {
  for (int i = 0; i < n; i++) res[i] = 0;
}
static inline void mju_fill(mjtNum* res, mjtNum val, int n) {
  for (int i = 0; i < n; i++) res[i] = val;
}
static inline void mju_copy(mjtNum* res, const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++) res[i] = vec[i];
}
static inline mjtNum mju_sum(const mjtNum* vec, int n) {
  mjtNum s = 0;
  for (int i = 0; i < n; i++) s += vec[i];
  return s;
}
static inline mjtNum mju_L1(const mjtNum* vec, int n) {
  mjtNum s = 0;
  for (int i = 0; i < n; i++) s += mju_abs(vec[i]);
  return s;
}
static inline void mju_scl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n) {
  for (int i = 0; i < n; i++) res[i] = vec[i] * scl;
}
static inline void mju_add(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n) {
  for (int i = 0; i < n; i++) res[i] = vec1[i] + vec2[i];
}
static inline void mju_sub(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n) {
  for (int i = 0; i < n; i++) res[i] = vec1[i] - vec2[i];
}
static inline void mju_addTo(mjtNum* res, const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++) res[i] += vec[i];
}
static inline void mju_subFrom(mjtNum* res, const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++) res[i] -= vec[i];
}
static inline void mju_addToScl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n) {
  for (int i = 0; i < n; i++) res[i] += vec[i] * scl;
}
static inline void mju_addScl(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, mjtNum scl, int n) {
  for (int i = 0; i < n; i++) res[i] = vec1[i] + vec2[i] * scl;
}
static inline mjtNum mju_dot(const mjtNum* vec1, const mjtNum* vec2, int n) {
  mjtNum s = 0;
  for (int i = 0; i < n; i++) s += vec1[i] * vec2[i];
  return s;
}
static inline mjtNum mju_norm(const mjtNum* vec, int n) {
  return mju_sqrt(mju_dot(vec, vec, n));
}
static inline mjtNum mju_normalize(mjtNum* res, int n) {
  mjtNum norm = mju_norm(res, n);
  if (norm < mjMINVAL) {
    mju_zero(res, n);
    res[0] = 1;
  } else {
    mju_scl(res, res, 1 / norm, n);
  }
  return norm;
}
static inline int mju_isZero(const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++)
    if (vec[i] != 0) return 0;
  return 1;
}
static inline void mju_f2n(mjtNum* res, const float* vec, int n) {
  for (int i = 0; i < n; i++) res[i] = (mjtNum)vec[i];
}
static inline void mju_n2f(float* res, const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++) res[i] = (float)vec[i];
}
static inline void mju_d2n(mjtNum* res, const double* vec, int n) {
  for (int i = 0; i < n; i++) res[i] = (mjtNum)vec[i];
}
static inline void mju_n2d(double* res, const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++) res[i] = (double)vec[i];
}
static inline void mju_insertionSort(mjtNum* list, int n) {
  for (int i = 1; i < n; i++) {
    mjtNum x = list[i];
    int j = i - 1;
    for (; j >= 0 && list[j] > x; j--) list[j + 1] = list[j];
    list[j + 1] = x;
  }
}

// ---- vectors of 3 and 4 numbers

static inline void mju_zero3(mjtNum res[3]) {
  mju_zero(res, 3);
}
static inline void mju_copy3(mjtNum res[3], const mjtNum data[3]) {
  mju_copy(res, data, 3);
}
static inline void mju_scl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl) {
  mju_scl(res, vec, scl, 3);
}
static inline void mju_add3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]) {
  mju_add(res, vec1, vec2, 3);
}
static inline void mju_sub3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]) {
  mju_sub(res, vec1, vec2, 3);
}
static inline void mju_addTo3(mjtNum res[3], const mjtNum vec[3]) {
  mju_addTo(res, vec, 3);
}
static inline void mju_subFrom3(mjtNum res[3], const mjtNum vec[3]) {
  mju_subFrom(res, vec, 3);
}
static inline void mju_addToScl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl) {
  mju_addToScl(res, vec, scl, 3);
}
static inline void mju_addScl3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3], mjtNum scl) {
  mju_addScl(res, vec1, vec2, scl, 3);
}
static inline mjtNum mju_dot3(const mjtNum vec1[3], const mjtNum vec2[3]) {
  return vec1[0] * vec2[0] + vec1[1] * vec2[1] + vec1[2] * vec2[2];
}
static inline mjtNum mju_norm3(const mjtNum vec[3]) {
  return mju_sqrt(mju_dot3(vec, vec));
}
static inline mjtNum mju_normalize3(mjtNum vec[3]) {
  return mju_normalize(vec, 3);
}
static inline mjtNum mju_dist3(const mjtNum pos1[3], const mjtNum pos2[3]) {
  mjtNum d[3] = {pos1[0] - pos2[0], pos1[1] - pos2[1], pos1[2] - pos2[2]};
  return mju_norm3(d);
}
static inline void mju_cross(mjtNum res[3], const mjtNum a[3], const mjtNum b[3]) {
  mjtNum x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  res[0] = x;
  res[1] = y;
  res[2] = z;
}
static inline void mju_mulMatVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]) {
  mjtNum r[3] = {mju_dot3(mat, vec), mju_dot3(mat + 3, vec), mju_dot3(mat + 6, vec)};
  mju_copy3(res, r);
}
static inline void mju_mulMatTVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]) {
  mjtNum r[3];
  for (int i = 0; i < 3; i++) r[i] = mat[i] * vec[0] + mat[3 + i] * vec[1] + mat[6 + i] * vec[2];
  mju_copy3(res, r);
}
static inline void mju_zero4(mjtNum res[4]) {
  mju_zero(res, 4);
}
static inline void mju_copy4(mjtNum res[4], const mjtNum data[4]) {
  mju_copy(res, data, 4);
}
static inline void mju_unit4(mjtNum res[4]) {
  mju_zero(res, 4);
  res[0] = 1;
}
static inline mjtNum mju_normalize4(mjtNum vec[4]) {
  mjtNum norm = mju_norm(vec, 4);
  if (norm < mjMINVAL) {
    mju_unit4(vec);
  } else if (mju_abs(norm - 1) > mjMINVAL) {
    mju_scl(vec, vec, 1 / norm, 4);
  }
  return norm;
}

// ---- quaternions and poses

static inline void mju_mulQuat(mjtNum res[4], const mjtNum a[4], const mjtNum b[4]) {
  mjtNum r[4] = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                 a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                 a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                 a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
  mju_copy4(res, r);
}
static inline void mju_mulQuatAxis(mjtNum res[4], const mjtNum quat[4], const mjtNum axis[3]) {
  mjtNum pure[4] = {0, axis[0], axis[1], axis[2]};
  mju_mulQuat(res, quat, pure);
}
static inline void mju_negQuat(mjtNum res[4], const mjtNum quat[4]) {
  res[0] = quat[0];
  for (int i = 1; i < 4; i++) res[i] = -quat[i];
}
static inline void mju_rotVecQuat(mjtNum res[3], const mjtNum vec[3], const mjtNum quat[4]) {
  mjtNum t[3], r[3];
  mju_cross(t, quat + 1, vec);
  mju_addToScl3(t, vec, quat[0]);
  mju_cross(r, quat + 1, t);
  for (int i = 0; i < 3; i++) res[i] = vec[i] + 2 * r[i];
}
static inline void mju_axisAngle2Quat(mjtNum res[4], const mjtNum axis[3], mjtNum angle) {
  mjtNum s = mju_sin(angle / 2);
  res[0] = mju_cos(angle / 2);
  for (int i = 0; i < 3; i++) res[1 + i] = axis[i] * s;
}
static inline void mju_quat2Vel(mjtNum res[3], const mjtNum quat[4], mjtNum dt) {
  mjtNum axis[3] = {quat[1], quat[2], quat[3]};
  mjtNum sine = mju_normalize3(axis), speed = 2 * mju_atan2(sine, quat[0]);
  if (speed > (mjtNum)mjPI) speed -= 2 * (mjtNum)mjPI;
  mju_scl3(res, axis, speed / dt);
}
static inline void mju_subQuat(mjtNum res[3], const mjtNum qa[4], const mjtNum qb[4]) {
  mjtNum neg[4], dif[4];
  mju_negQuat(neg, qb);
  mju_mulQuat(dif, neg, qa);
  mju_quat2Vel(res, dif, 1);
}
static inline void mju_quat2Mat(mjtNum res[9], const mjtNum q[4]) {
  mjtNum w = q[0], x = q[1], y = q[2], z = q[3];
  mjtNum r[9] = {w * w + x * x - y * y - z * z, 2 * (x * y - w * z),           2 * (x * z + w * y),
                 2 * (x * y + w * z),           w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
                 2 * (x * z - w * y),           2 * (y * z + w * x),           w * w - x * x - y * y + z * z};
  mju_copy(res, r, 9);
}
static inline void mju_mat2Quat(mjtNum quat[4], const mjtNum m[9]) {
  if (m[0] + m[4] + m[8] > 0) {
    quat[0] = mju_sqrt(1 + m[0] + m[4] + m[8]) / 2;
    quat[1] = (m[7] - m[5]) / (4 * quat[0]);
    quat[2] = (m[2] - m[6]) / (4 * quat[0]);
    quat[3] = (m[3] - m[1]) / (4 * quat[0]);
  } else {
    // the largest of x, y, z first
    int i = m[0] > m[4] && m[0] > m[8] ? 0 : (m[4] > m[8] ? 1 : 2), j = (i + 1) % 3, k = (i + 2) % 3;
    mjtNum s = mju_sqrt(1 + m[4 * i] - m[4 * j] - m[4 * k]) / 2;
    quat[1 + i] = s;
    quat[1 + j] = (m[3 * j + i] + m[3 * i + j]) / (4 * s);
    quat[1 + k] = (m[3 * k + i] + m[3 * i + k]) / (4 * s);
    quat[0] = (m[3 * k + j] - m[3 * j + k]) / (4 * s);
  }
  mju_normalize4(quat);
}
static inline void mju_derivQuat(mjtNum res[4], const mjtNum quat[4], const mjtNum vel[3]) {
  mjtNum pure[4] = {0, vel[0], vel[1], vel[2]};
  mju_mulQuat(res, pure, quat);
  mju_scl(res, res, (mjtNum)0.5, 4);
}
static inline void mju_quatIntegrate(mjtNum quat[4], const mjtNum vel[3], mjtNum scale) {
  mjtNum axis[3] = {vel[0], vel[1], vel[2]}, turn[4];
  mjtNum speed = mju_normalize3(axis);
  mju_axisAngle2Quat(turn, axis, scale * (speed < mjMINVAL ? 0 : speed));
  mju_normalize4(quat);
  mju_mulQuat(quat, quat, turn);
}
static inline void mju_quatZ2Vec(mjtNum quat[4], const mjtNum vec[3]) {
  mjtNum v[3] = {vec[0], vec[1], vec[2]}, z[3] = {0, 0, 1}, axis[3];
  mju_unit4(quat);
  if (mju_normalize3(v) < mjMINVAL) return;
  mju_cross(axis, z, v);
  mjtNum sine = mju_normalize3(axis);
  if (sine < (mjtNum)1e-10) {
    if (v[2] < 0) {
      quat[0] = 0;
      quat[1] = 1;
    }
    return;
  }
  mju_axisAngle2Quat(quat, axis, mju_atan2(sine, v[2]));
}
static inline void mju_mulPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos1[3],
                               const mjtNum quat1[4], const mjtNum pos2[3], const mjtNum quat2[4]) {
  mjtNum pos[3], quat[4];
  mju_mulQuat(quat, quat1, quat2);
  mju_normalize4(quat);
  mju_rotVecQuat(pos, pos2, quat1);
  mju_add3(posres, pos, pos1);
  mju_copy4(quatres, quat);
}
static inline void mju_negPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos[3],
                               const mjtNum quat[4]) {
  mjtNum neg[4];
  mju_negQuat(neg, quat);
  mju_rotVecQuat(posres, pos, neg);
  mju_scl3(posres, posres, -1);
  mju_copy4(quatres, neg);
}
static inline void mju_trnVecPose(mjtNum res[3], const mjtNum pos[3], const mjtNum quat[4],
                                  const mjtNum vec[3]) {
  mju_rotVecQuat(res, vec, quat);
  mju_addTo3(res, pos);
}

// ---- matrices, row by row

static inline void mju_eye(mjtNum* mat, int n) {
  mju_zero(mat, n * n);
  for (int i = 0; i < n; i++) mat[i * (n + 1)] = 1;
}
static inline void mju_mulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc) {
  for (int i = 0; i < nr; i++) res[i] = mju_dot(mat + i * nc, vec, nc);
}
static inline void mju_mulMatTVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc) {
  mju_zero(res, nc);
  for (int i = 0; i < nr; i++) mju_addToScl(res, mat + i * nc, vec[i], nc);
}
static inline mjtNum mju_mulVecMatVec(const mjtNum* vec1, const mjtNum* mat, const mjtNum* vec2, int n) {
  mjtNum s = 0;
  for (int i = 0; i < n; i++) s += vec1[i] * mju_dot(mat + i * n, vec2, n);
  return s;
}
static inline void mju_transpose(mjtNum* res, const mjtNum* mat, int nr, int nc) {
  for (int i = 0; i < nr; i++)
    for (int j = 0; j < nc; j++) res[j * nr + i] = mat[i * nc + j];
}
static inline void mju_symmetrize(mjtNum* res, const mjtNum* mat, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) res[i * n + j] = res[j * n + i] = (mat[i * n + j] + mat[j * n + i]) / 2;
}
static inline void mju_mulMatMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1,
                                 int c2) {
  mju_zero(res, r1 * c2);
  for (int i = 0; i < r1; i++)
    for (int k = 0; k < c1; k++) mju_addToScl(res + i * c2, mat2 + k * c2, mat1[i * c1 + k], c2);
}
static inline void mju_mulMatMatT(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1,
                                  int r2) {
  for (int i = 0; i < r1; i++)
    for (int j = 0; j < r2; j++) res[i * r2 + j] = mju_dot(mat1 + i * c1, mat2 + j * c1, c1);
}
static inline void mju_mulMatTMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1,
                                  int c2) {
  mju_zero(res, c1 * c2);
  for (int k = 0; k < r1; k++)
    for (int i = 0; i < c1; i++) mju_addToScl(res + i * c2, mat2 + k * c2, mat1[k * c1 + i], c2);
}
static inline void mju_sqrMatTD(mjtNum* res, const mjtNum* mat, const mjtNum* diag, int nr, int nc) {
  mju_zero(res, nc * nc);
  for (int k = 0; k < nr; k++)
    for (int i = 0; i < nc; i++)
      mju_addToScl(res + i * nc, mat + k * nc, mat[k * nc + i] * (diag ? diag[k] : (mjtNum)1), nc);
}
static inline void mju_transformSpatial(mjtNum res[6], const mjtNum vec[6], int flg_force,
                                        const mjtNum newpos[3], const mjtNum oldpos[3],
                                        const mjtNum* rotnew2old) {
  mjtNum v[6], shift[3], turned[3];
  mju_copy(v, vec, 6);
  mju_sub3(shift, newpos, oldpos);
  mju_cross(turned, shift, vec + (flg_force ? 3 : 0));
  mju_subFrom3(v + (flg_force ? 0 : 3), turned);
  if (rotnew2old) {
    mju_mulMatTVec3(res, rotnew2old, v);
    mju_mulMatTVec3(res + 3, rotnew2old, v + 3);
  } else {
    mju_copy(res, v, 6);
  }
}
static inline int mju_cholFactor(mjtNum* mat, int n, mjtNum mindiag) {
  int rank = n;
  for (int j = 0; j < n; j++) {
    mjtNum pivot = mat[j * n + j] - mju_dot(mat + j * n, mat + j * n, j);
    if (pivot < mindiag) {
      pivot = mindiag;
      rank--;
    }
    mat[j * n + j] = mju_sqrt(pivot);
    for (int i = j + 1; i < n; i++)
      mat[i * n + j] = (mat[i * n + j] - mju_dot(mat + i * n, mat + j * n, j)) / mat[j * n + j];
  }
  return rank;
}
static inline void mju_cholSolve(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n) {
  if (res != vec) mju_copy(res, vec, n);
  for (int i = 0; i < n; i++) res[i] = (res[i] - mju_dot(mat + i * n, res, i)) / mat[i * n + i];
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) res[i] -= mat[j * n + i] * res[j];
    res[i] /= mat[i * n + i];
  }
}
static inline void mju_sparse2dense(mjtNum* res, const mjtNum* mat, int nr, int nc, const int* rownnz,
                                    const int* rowadr, const int* colind) {
  mju_zero(res, nr * nc);
  for (int i = 0; i < nr; i++)
    for (int k = rowadr[i]; k < rowadr[i] + rownnz[i]; k++) res[i * nc + colind[k]] = mat[k];
}
static inline void mju_sym2dense(mjtNum* res, const mjtNum* mat, int n, const int* rownnz, const int* rowadr,
                                 const int* colind) {
  mju_zero(res, n * n);
  for (int i = 0; i < n; i++)
    for (int k = rowadr[i]; k < rowadr[i] + rownnz[i]; k++)
      if (colind[k] <= i) res[i * n + colind[k]] = res[colind[k] * n + i] = mat[k];
}

#ifdef __cplusplus
}
#endif
