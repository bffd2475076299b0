// 3-vectors of doubles, for either precision of the engine: meshes are stored as floats and worked on as
// doubles.
#pragma once

#include <math.h>

static inline void cti_dcopy3(double r[3], const double a[3]) {
  r[0] = a[0];
  r[1] = a[1];
  r[2] = a[2];
}

static inline void cti_dsub3(double r[3], const double a[3], const double b[3]) {
  r[0] = a[0] - b[0];
  r[1] = a[1] - b[1];
  r[2] = a[2] - b[2];
}

static inline double cti_ddot3(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cti_dcross3(double r[3], const double a[3], const double b[3]) {
  double x = a[1] * b[2] - a[2] * b[1];
  double y = a[2] * b[0] - a[0] * b[2];
  double z = a[0] * b[1] - a[1] * b[0];
  r[0] = x;
  r[1] = y;
  r[2] = z;
}

// Scale to unit length and return the old length; a vector that is shorter than `least` becomes (1, 0, 0).
static inline double cti_dnormalize3(double a[3], double least) {
  double norm = sqrt(cti_ddot3(a, a));
  if (norm < least) {
    a[0] = 1;
    a[1] = a[2] = 0;
  } else {
    a[0] /= norm;
    a[1] /= norm;
    a[2] /= norm;
  }
  return norm;
}

// Row `i` of an array of floats.
static inline void cti_drow(double r[3], const float* vert, int i) {
  r[0] = (double)vert[3 * i];
  r[1] = (double)vert[3 * i + 1];
  r[2] = (double)vert[3 * i + 2];
}

// Rotation matrix (row-major) of a unit quaternion.
static inline void cti_dquat_to_mat(double m[9], const double q[4]) {
  double w = q[0], x = q[1], y = q[2], z = q[3];
  m[0] = w * w + x * x - y * y - z * z;
  m[4] = w * w - x * x + y * y - z * z;
  m[8] = w * w - x * x - y * y + z * z;
  m[1] = 2 * (x * y - w * z);
  m[2] = 2 * (x * z + w * y);
  m[3] = 2 * (x * y + w * z);
  m[5] = 2 * (y * z - w * x);
  m[6] = 2 * (x * z - w * y);
  m[7] = 2 * (y * z + w * x);
}

// r = M a, and with the transpose of M; r and a may be the same
static inline void cti_dmul3(double r[3], const double m[9], const double a[3]) {
  double x = m[0] * a[0] + m[1] * a[1] + m[2] * a[2];
  double y = m[3] * a[0] + m[4] * a[1] + m[5] * a[2];
  double z = m[6] * a[0] + m[7] * a[1] + m[8] * a[2];
  r[0] = x;
  r[1] = y;
  r[2] = z;
}

static inline void cti_dmul_t3(double r[3], const double m[9], const double a[3]) {
  double x = m[0] * a[0] + m[3] * a[1] + m[6] * a[2];
  double y = m[1] * a[0] + m[4] * a[1] + m[7] * a[2];
  double z = m[2] * a[0] + m[5] * a[1] + m[8] * a[2];
  r[0] = x;
  r[1] = y;
  r[2] = z;
}
