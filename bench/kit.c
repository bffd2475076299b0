// The kit's batched helpers beside plain loops, in one run: nanoseconds of both and their ratio, for sizes
// that fit the first cache and the second.
//   bench_kit
// Plain loops are what a program without the kit has: vectors one after another. `groups` is the plain loop
// over the same groups as the helper, which compilers vectorise for the base instruction set.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "corten/corten.h"
#include "math/points.h"
#include "stage/constraint/softness.h"

#define REPEATS 60
#define WORK    200000  // elements a measurement
#define ALONE   __attribute__((noinline)) static

// ---- plain loops

ALONE int plain_max_dot(const float* p, int n, const ctReal dir[3]) {
  int best = 0;
  ctReal most = cti_height(p, dir);
  for (int i = 1; i < n; i++) {
    ctReal h = cti_height(p + 3 * i, dir);
    if (h > most) {
      most = h;
      best = i;
    }
  }
  return best;
}

ALONE void plain_dot(ctReal* CT_RESTRICT out, const ctReal* CT_RESTRICT a, const ctReal* CT_RESTRICT b,
                     int n) {
  for (int i = 0; i < n; i++)
    out[i] = a[3 * i] * b[3 * i] + a[3 * i + 1] * b[3 * i + 1] + a[3 * i + 2] * b[3 * i + 2];
}

ALONE void group_dot4(ctReal* CT_RESTRICT out, const ctKitVec3x4* CT_RESTRICT a,
                      const ctKitVec3x4* CT_RESTRICT b, int count) {
  for (int g = 0; g < count; g++) {
    for (int k = 0; k < 4; k++)
      out[4 * g + k] = a[g].x[k] * b[g].x[k] + a[g].y[k] * b[g].y[k] + a[g].z[k] * b[g].z[k];
  }
}

ALONE void group_dot8(ctReal* CT_RESTRICT out, const ctKitVec3x8* CT_RESTRICT a,
                      const ctKitVec3x8* CT_RESTRICT b, int count) {
  for (int g = 0; g < count; g++) {
    for (int k = 0; k < 8; k++)
      out[8 * g + k] = a[g].x[k] * b[g].x[k] + a[g].y[k] * b[g].y[k] + a[g].z[k] * b[g].z[k];
  }
}

ALONE void plain_boxes(ctByte* CT_RESTRICT out, const ctReal* CT_RESTRICT x, int n, const ctReal least[3],
                       const ctReal most[3]) {
  for (int i = 0; i < n; i++) {
    const ctReal* b = x + 6 * i;
    out[i] = b[0] <= most[0] && b[1] <= most[1] && b[2] <= most[2] && b[3] >= least[0] && b[4] >= least[1] &&
             b[5] >= least[2];
  }
}

ALONE void group_boxes(ctByte* CT_RESTRICT out, const ctReal* CT_RESTRICT x, int n, const ctReal least[3],
                       const ctReal most[3]) {
  for (int i = 0; i < n; i++) {
    bool in = true;
    for (int k = 0; k < 3; k++) in = in && x[k * n + i] <= most[k] && x[(3 + k) * n + i] >= least[k];
    out[i] = in;
  }
}

ALONE void plain_integrate(ctReal* CT_RESTRICT x, ctReal* CT_RESTRICT v, const ctReal* CT_RESTRICT f,
                           const ctReal* CT_RESTRICT w, int n, const ctReal g[3], ctReal dt) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++) {
      v[3 * i + k] += dt * (f[3 * i + k] * w[i] + g[k]);
      x[3 * i + k] += dt * v[3 * i + k];
    }
  }
}

#define MOVE(axis, k)                                              \
  v[c].axis[i] += dt * (f[c].axis[i] * w[8 * c + i] + gravity[k]); \
  x[c].axis[i] += dt * v[c].axis[i];

ALONE void group_integrate(ctKitVec3x8* CT_RESTRICT x, ctKitVec3x8* CT_RESTRICT v,
                           const ctKitVec3x8* CT_RESTRICT f, const ctReal* CT_RESTRICT w, int count,
                           const ctReal gravity[3], ctReal dt) {
  for (int c = 0; c < count; c++) {
    for (int i = 0; i < 8; i++) {
      MOVE(x, 0)
      MOVE(y, 1)
      MOVE(z, 2)
    }
  }
}

typedef struct Law {
  ctReal solref[2], solimp[5], K, B;
} Law;

ALONE void plain_normal(ctReal* CT_RESTRICT out, const ctReal* CT_RESTRICT dist,
                        const ctReal* CT_RESTRICT vel, const ctReal* CT_RESTRICT rate,
                        const ctReal* CT_RESTRICT mass, int n, const Law* law) {
  for (int i = 0; i < n; i++) {
    out[i] = 0;
    if (!(dist[i] < 0)) continue;
    ctReal slope, d = cti_impedance_at(law->solimp, dist[i], &slope);
    ctReal f = (-law->B * vel[i] - law->K * d * dist[i] - rate[i]) * d * mass[i];
    if (f > 0) out[i] = f;
  }
}

// ---- the comparison

static double now(void) {
  return (double)cti_clock_ns();
}

// A barrier for the compiler: what was written may be read.
#define KEEP() __asm__ volatile("" ::: "memory")

#define TIME(best, call)                                  \
  for (int r = 0; r < REPEATS; r++) {                     \
    double begin = now();                                 \
    for (int k = 0; k < loops; k++) {                     \
      call;                                               \
      KEEP();                                             \
    }                                                     \
    (best) = fmin(best, (now() - begin) / (double)loops); \
  }

// Turns are taken, so that trouble on the machine meets all of them.
#define COMPARE(name, plain, groups, helper)                                                           \
  do {                                                                                                 \
    double t[3] = {INFINITY, INFINITY, INFINITY};                                                      \
    for (int turn = 0; turn < 3; turn++) {                                                             \
      TIME(t[0], plain)                                                                                \
      TIME(t[1], groups)                                                                               \
      TIME(t[2], helper)                                                                               \
    }                                                                                                  \
    printf("| %s | %d | %.0f | %.0f | %.0f | %.1f | %.1f |\n", name, n, t[0], t[1], t[2], t[0] / t[2], \
           t[1] / t[2]);                                                                               \
  } while (0)

static ctReal* numbers(int64_t n, ctReal from, ctReal to) {
  size_t bytes = ((size_t)n * sizeof(ctReal) + 63) / 64 * 64;
  ctReal* x = (ctReal*)aligned_alloc(64, bytes);
  if (!x) exit(1);
  for (int64_t i = 0; i < n; i++) x[i] = from + (to - from) * (ctReal)rand() / (ctReal)RAND_MAX;
  return x;
}

static void compare(int n) {
  const int loops = WORK / n;
  ctReal *a = numbers(6 * n, 0, 1), *b = numbers(3 * n, -1, 1), *c = numbers(3 * n, -1, 1),
         *out = numbers(3 * n, 0, 0), *x = numbers(3 * n, -1, 1), *w = numbers(n, 1, 2),
         *dist = numbers(n, CT_R(-0.002), CT_R(0.0005));
  float* points = (float*)malloc(3 * sizeof(float) * (size_t)n);
  ctByte* in = (ctByte*)malloc((size_t)n);
  if (!points || !in) exit(1);
  for (int i = 0; i < 3 * n; i++) points[i] = (float)b[i];
  const ctReal dir[3] = {CT_R(0.3), CT_R(0.5), CT_R(-0.7)}, least[3] = {CT_R(0.4), CT_R(0.4), CT_R(0.4)},
               most[3] = {CT_R(0.7), CT_R(0.7), CT_R(0.7)}, gravity[3] = {0, 0, CT_R(-9.81)}, dt = CT_R(1e-6);
  Law law = {{CT_R(0.02), 1}, {CT_R(0.9), CT_R(0.95), CT_R(0.001), CT_R(0.5), 2}, 0, 0};
  cti_reference_gains(law.solref, law.solimp[1], 0, &law.K, &law.B);
  volatile int sink;
  ctKitVec3x8 *b8 = (ctKitVec3x8*)b, *c8 = (ctKitVec3x8*)c, *x8 = (ctKitVec3x8*)x;
  ctKitVec3x4 *b4 = (ctKitVec3x4*)b, *c4 = (ctKitVec3x4*)c;

  COMPARE("ct_kit_max_dot", sink = plain_max_dot(points, n, dir), sink = plain_max_dot(points, n, dir),
          sink = ct_kit_max_dot(points, n, dir, NULL));
  COMPARE("ct_kit_dot4", plain_dot(out, b, c, n), group_dot4(out, b4, c4, n / 4),
          ct_kit_dot4(b4, c4, n / 4, out));
  COMPARE("ct_kit_dot8", plain_dot(out, b, c, n), group_dot8(out, b8, c8, n / 8),
          ct_kit_dot8(b8, c8, n / 8, out));
  COMPARE("ct_kit_box_overlap", plain_boxes(in, a, n, least, most), group_boxes(in, a, n, least, most),
          ct_kit_box_overlap(a, n, least, most, in));
  COMPARE("ct_kit_integrate8", plain_integrate(x, b, c, w, n, gravity, dt),
          group_integrate(x8, b8, c8, w, n / 8, gravity, dt),
          ct_kit_integrate8(c8, w, n / 8, gravity, dt, b8, x8));
  COMPARE("ct_kit_normal_force", plain_normal(out, dist, b, c, w, n, &law),
          plain_normal(out, dist, b, c, w, n, &law),
          (void)ct_kit_normal_force(dist, b, c, w, n, law.solref, law.solimp, 0, 0, out));
  (void)sink;
  ctReal* const all[] = {a, b, c, out, x, w, dist};
  for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) free(all[i]);
  free(points);
  free(in);
}

int main(void) {
  printf("| | n | plain | plain over groups | helper | times as fast | than over groups |\n");
  printf("| --- | --- | --- | --- | --- | --- | --- |\n");
  compare(64);
  compare(512);
  compare(4096);
  return 0;
}
