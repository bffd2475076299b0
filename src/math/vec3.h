// 3-vectors and 3x3 matrices (row-major). Step code.
#pragma once

#include "math/elementary.h"

// Smallest number used as a denominator or norm.
#define CTI_MINVAL CT_R(1e-15)
// Boxes of trees that are thinner than this get as much on either side.
#define CTI_THIN_BOX 1e-14

CT_INLINE void cti_zero3(ctReal r[3]) {
  r[0] = r[1] = r[2] = 0;
}

CT_INLINE void cti_copy3(ctReal r[3], const ctReal a[3]) {
  r[0] = a[0];
  r[1] = a[1];
  r[2] = a[2];
}

CT_INLINE void cti_add3(ctReal r[3], const ctReal a[3], const ctReal b[3]) {
  r[0] = a[0] + b[0];
  r[1] = a[1] + b[1];
  r[2] = a[2] + b[2];
}

CT_INLINE void cti_sub3(ctReal r[3], const ctReal a[3], const ctReal b[3]) {
  r[0] = a[0] - b[0];
  r[1] = a[1] - b[1];
  r[2] = a[2] - b[2];
}

CT_INLINE void cti_scale3(ctReal r[3], const ctReal a[3], ctReal s) {
  r[0] = a[0] * s;
  r[1] = a[1] * s;
  r[2] = a[2] * s;
}

// r += a
CT_INLINE void cti_add_to3(ctReal r[3], const ctReal a[3]) {
  r[0] += a[0];
  r[1] += a[1];
  r[2] += a[2];
}

// r += s * a
CT_INLINE void cti_add_scaled3(ctReal r[3], const ctReal a[3], ctReal s) {
  r[0] += s * a[0];
  r[1] += s * a[1];
  r[2] += s * a[2];
}

CT_INLINE ctReal cti_dot3(const ctReal a[3], const ctReal b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

CT_INLINE ctReal cti_norm3(const ctReal a[3]) {
  return cti_sqrt(cti_dot3(a, a));
}

CT_INLINE void cti_cross3(ctReal r[3], const ctReal a[3], const ctReal b[3]) {
  ctReal x = a[1] * b[2] - a[2] * b[1];
  ctReal y = a[2] * b[0] - a[0] * b[2];
  ctReal z = a[0] * b[1] - a[1] * b[0];
  r[0] = x;
  r[1] = y;
  r[2] = z;
}

// Scale to unit length and return the old length; a vector shorter than CTI_MINVAL becomes (1,0,0).
CT_INLINE ctReal cti_normalize3(ctReal a[3]) {
  ctReal norm = cti_norm3(a);
  if (norm < CTI_MINVAL) {
    a[0] = 1;
    a[1] = a[2] = 0;
  } else {
    cti_scale3(a, a, 1 / norm);
  }
  return norm;
}

// r = M a; r and a may be the same
CT_INLINE void cti_mul_mat_vec3(ctReal r[3], const ctReal m[9], const ctReal a[3]) {
  ctReal x = m[0] * a[0] + m[1] * a[1] + m[2] * a[2];
  ctReal y = m[3] * a[0] + m[4] * a[1] + m[5] * a[2];
  ctReal z = m[6] * a[0] + m[7] * a[1] + m[8] * a[2];
  r[0] = x;
  r[1] = y;
  r[2] = z;
}

// r = M' a; r and a may be the same
CT_INLINE void cti_mul_mat_t_vec3(ctReal r[3], const ctReal m[9], const ctReal a[3]) {
  ctReal x = m[0] * a[0] + m[3] * a[1] + m[6] * a[2];
  ctReal y = m[1] * a[0] + m[4] * a[1] + m[7] * a[2];
  ctReal z = m[2] * a[0] + m[5] * a[1] + m[8] * a[2];
  r[0] = x;
  r[1] = y;
  r[2] = z;
}

// R = A B; R must not be A or B
CT_INLINE void cti_mul_mat3(ctReal r[9], const ctReal a[9], const ctReal b[9]) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      r[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
    }
  }
}

// R = A' B; R must not be A or B
CT_INLINE void cti_mul_mat_t_mat3(ctReal r[9], const ctReal a[9], const ctReal b[9]) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) r[3 * i + j] = a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
  }
}

// R = A B'; R must not be A or B
CT_INLINE void cti_mul_mat_mat_t3(ctReal r[9], const ctReal a[9], const ctReal b[9]) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      r[3 * i + j] = a[3 * i] * b[3 * j] + a[3 * i + 1] * b[3 * j + 1] + a[3 * i + 2] * b[3 * j + 2];
    }
  }
}
