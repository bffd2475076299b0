// Small vectors and 4 x 4 matrices, column by column as OpenGL has them.
#pragma once

#include <math.h>
#include <string.h>

typedef struct Mat4 {
  float m[16];
} Mat4;

static inline float dot3(const float a[3], const float b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline void cross3(float r[3], const float a[3], const float b[3]) {
  r[0] = a[1] * b[2] - a[2] * b[1];
  r[1] = a[2] * b[0] - a[0] * b[2];
  r[2] = a[0] * b[1] - a[1] * b[0];
}
static inline void normalize3(float a[3]) {
  float size = sqrtf(dot3(a, a));
  for (int k = 0; k < 3 && size > 0; k++) a[k] /= size;
}

static inline Mat4 mat4_mul(const Mat4* a, const Mat4* b) {
  Mat4 r;
  for (int c = 0; c < 4; c++) {
    for (int row = 0; row < 4; row++) {
      float sum = 0;
      for (int k = 0; k < 4; k++) sum += a->m[4 * k + row] * b->m[4 * c + k];
      r.m[4 * c + row] = sum;
    }
  }
  return r;
}

// A point, with 1 as its fourth number.
static inline void mat4_apply(const Mat4* a, const float p[3], float out[4]) {
  for (int k = 0; k < 4; k++)
    out[k] = a->m[k] * p[0] + a->m[4 + k] * p[1] + a->m[8 + k] * p[2] + a->m[12 + k];
}

// What takes the world to the eyes of a camera, which looks along -z.
static inline Mat4 mat4_look(const float pos[3], const float forward[3], const float up[3]) {
  float right[3];
  cross3(right, forward, up);
  normalize3(right);
  Mat4 r = {{0}};
  for (int k = 0; k < 3; k++) {
    r.m[4 * k + 0] = right[k];
    r.m[4 * k + 1] = up[k];
    r.m[4 * k + 2] = -forward[k];
  }
  r.m[12] = -dot3(right, pos);
  r.m[13] = -dot3(up, pos);
  r.m[14] = dot3(forward, pos);
  r.m[15] = 1;
  return r;
}

static inline Mat4 mat4_perspective(float l, float r, float b, float t, float n, float f) {
  Mat4 p = {{0}};
  p.m[0] = 2 * n / (r - l);
  p.m[5] = 2 * n / (t - b);
  p.m[8] = (r + l) / (r - l);
  p.m[9] = (t + b) / (t - b);
  p.m[10] = -(f + n) / (f - n);
  p.m[11] = -1;
  p.m[14] = -2 * f * n / (f - n);
  return p;
}

static inline Mat4 mat4_orthographic(float l, float r, float b, float t, float n, float f) {
  Mat4 p = {{0}};
  p.m[0] = 2 / (r - l);
  p.m[5] = 2 / (t - b);
  p.m[10] = -2 / (f - n);
  p.m[12] = -(r + l) / (r - l);
  p.m[13] = -(t + b) / (t - b);
  p.m[14] = -(f + n) / (f - n);
  p.m[15] = 1;
  return p;
}

// The mirror image in the plane through `pos` with unit normal `n`.
static inline Mat4 mat4_mirror(const float n[3], const float pos[3]) {
  Mat4 r = {{0}};
  for (int c = 0; c < 3; c++) {
    for (int row = 0; row < 3; row++) r.m[4 * c + row] = (c == row) - 2 * n[c] * n[row];
    r.m[12 + c] = 2 * dot3(n, pos) * n[c];
  }
  r.m[15] = 1;
  return r;
}
static inline void mirror_point(float p[3], const float n[3], const float pos[3]) {
  float away[3] = {p[0] - pos[0], p[1] - pos[1], p[2] - pos[2]}, d = 2 * dot3(away, n);
  for (int k = 0; k < 3; k++) p[k] -= d * n[k];
}
static inline void mirror_vector(float v[3], const float n[3]) {
  float d = 2 * dot3(v, n);
  for (int k = 0; k < 3; k++) v[k] -= d * n[k];
}
