// Everything is in floats and in the order of MuJoCo, since the choice of diagonals decides volume and
// inertia of surfaces whose polygons are not flat.
#include "asset/triangulate.h"

#include <float.h>
#include <math.h>
#include <string.h>

static float squared_distance(const float* a, const float* b) {
  float x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
  return x * x + y * y + z * z;
}

static int* put(int* out, int a, int b, int c) {
  out[0] = a;
  out[1] = b;
  out[2] = c;
  return out + 3;
}

// The two axes that span the plane in which ears are sought: the third is the largest component of the normal
// at the first corner that is not straight.
static void choose_axes(int axes[2], const float* at, int n) {
  axes[0] = 1;
  axes[1] = 2;
  for (int k = 0; k < n; k++) {
    const float *p = at + 3 * k, *q = at + 3 * ((k + 1) % n), *r = at + 3 * ((k + 2) % n);
    float a[3], b[3];
    for (int i = 0; i < 3; i++) {
      a[i] = q[i] - p[i];
      b[i] = r[i] - q[i];
    }
    float x = fabsf(a[1] * b[2] - a[2] * b[1]), y = fabsf(a[2] * b[0] - a[0] * b[2]),
          z = fabsf(a[0] * b[1] - a[1] * b[0]);
    if (x <= FLT_EPSILON && y <= FLT_EPSILON && z <= FLT_EPSILON) continue;
    if (x > y && x > z) return;
    axes[0] = 0;
    if (z > x && z > y) axes[1] = 1;
    return;
  }
}

// Is (x, y) inside the triangle? Counts crossings of the ray to the right.
static bool inside(const float tx[3], const float ty[3], float x, float y) {
  bool in = false;
  for (int i = 0, j = 2; i < 3; j = i++) {
    if ((ty[i] > y) != (ty[j] > y) && x < (tx[j] - tx[i]) * (y - ty[i]) / (ty[j] - ty[i]) + tx[i]) in = !in;
  }
  return in;
}

// May corners k, k+1, k+2 of what is left be cut off? The turn at the middle one must have the sign with
// which the first edge goes round the origin, and no other corner may lie inside.
static bool is_ear(const float* at, const int* left, int n, int k, const int axes[2]) {
  float x[3], y[3];
  for (int i = 0; i < 3; i++) {
    const float* p = at + 3 * left[(k + i) % n];
    x[i] = p[axes[0]];
    y[i] = p[axes[1]];
  }
  float turn = (x[1] - x[0]) * (y[2] - y[1]) - (y[1] - y[0]) * (x[2] - x[1]);
  float area = (x[0] * y[1] - y[0] * x[1]) * 0.5f;
  if (turn * area < 0) return false;
  for (int i = 3; i < n; i++) {
    const float* p = at + 3 * left[(k + i) % n];
    if (inside(x, y, p[axes[0]], p[axes[1]])) return false;
  }
  return true;
}

// Once round what is left without finding an ear is the end: the rest of a polygon that crosses itself is
// given up. So is, as in MuJoCo, what is left when only the very last try found an ear.
static int clip_ears(int* out, const float* at, int n, int* left) {
  int axes[2], k = 0, tries = n, *first = out;
  bool fresh = false;  // an ear was cut in the last round
  choose_axes(axes, at, n);
  for (int i = 0; i < n; i++) left[i] = i;
  while (n > 3 && tries > 0) {
    if (k >= n) k -= n;
    tries = fresh ? n : tries - 1;
    fresh = is_ear(at, left, n, k, axes);
    if (!fresh) {
      k++;
      continue;
    }
    out = put(out, left[k], left[(k + 1) % n], left[(k + 2) % n]);
    int cut = (k + 1) % n;
    memmove(left + cut, left + cut + 1, sizeof(*left) * (size_t)(n - cut - 1));
    n--;
  }
  if (n == 3) out = put(out, left[0], left[1], left[2]);
  return (int)(out - first) / 3;
}

int cti_triangulate(int* out, const float* at, int n, int* left) {
  if (n > CTI_POLYGON_MAX) return 0;
  if (n > 4) return clip_ears(out, at, n, left);
  if (n == 3) {
    put(out, 0, 1, 2);
    return 1;
  }
  bool first = squared_distance(at, at + 6) < squared_distance(at + 3, at + 9);
  put(out, 0, 1, first ? 2 : 3);
  put(out + 3, first ? 0 : 1, 2, 3);
  return 2;
}
