#include "math/lanes.h"

#include "math/simd.h"

// Below this many points a plain loop is done before lanes are set up.
#define LANES_FROM 64

// The search over points [begin, n), given the best so far.
CTI_KERNEL int search_plain(const float* point, int begin, int n, const ctReal dir[3], int best,
                            ctReal* most) {
  for (int i = begin; i < n; i++) {
    ctReal height = cti_height(point + 3 * i, dir);
    if (height > *most) {
      *most = height;
      best = i;
    }
  }
  return best;
}

#if defined(__GNUC__) && defined(__x86_64__) && !defined(__cplusplus) && !defined(CT_NO_SIMD)
#include <immintrin.h>

#ifdef CT_SINGLE
typedef int32_t Index;
#else
typedef int64_t Index;
#endif
typedef Index Mask __attribute__((vector_size(4 * sizeof(Index))));

// Registers of 256 bits.
#ifdef CT_SINGLE
typedef __m256 Wide;
#define LANES        8
#define WIDE(call)   _mm256_##call##_ps
#define HIGHER(a, b) _mm256_cmp_ps(a, b, _CMP_GT_OQ)
#else
typedef __m256d Wide;
#define LANES        4
#define WIDE(call)   _mm256_##call##_pd
#define HIGHER(a, b) _mm256_cmp_pd(a, b, _CMP_GT_OQ)
#endif

// x, y and z of four points in a row.
__attribute__((target("avx2"))) static inline void gather4(__m128* x, __m128* y, __m128* z, const float* p) {
  __m128 a = _mm_loadu_ps(p), b = _mm_loadu_ps(p + 4), c = _mm_loadu_ps(p + 8);
  __m128 xy = _mm_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2)),
         yz = _mm_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1));
  *x = _mm_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0));
  *y = _mm_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));
  *z = _mm_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1));
}

__attribute__((target("avx2"))) static inline void gather(Wide* x, Wide* y, Wide* z, const float* p) {
  __m128 a, b, c;
  gather4(&a, &b, &c, p);
#ifdef CT_SINGLE
  __m128 d, e, f;
  gather4(&d, &e, &f, p + 12);
  *x = _mm256_set_m128(d, a);
  *y = _mm256_set_m128(e, b);
  *z = _mm256_set_m128(f, c);
#else
  *x = _mm256_cvtps_pd(a);
  *y = _mm256_cvtps_pd(b);
  *z = _mm256_cvtps_pd(c);
#endif
}
CTI_KERNEL void dot_groups(ctReal* CT_RESTRICT out, const ctReal* CT_RESTRICT a, const ctReal* CT_RESTRICT b,
                           int count, int width) {
  for (int g = 0; g < count; g++) {
    for (int k = 0; k < width; k += 4) {
      const ctReal *p = a + k, *q = b + k;
      *(ctiLanesAt*)(out + k) = (*(const ctiLanesAt*)p * *(const ctiLanesAt*)q +
                                 *(const ctiLanesAt*)(p + width) * *(const ctiLanesAt*)(q + width)) +
                                *(const ctiLanesAt*)(p + 2 * width) * *(const ctiLanesAt*)(q + 2 * width);
    }
    out += width;
    a += 3 * width;
    b += 3 * width;
  }
}

CTI_KERNEL void box_overlaps(ctByte* CT_RESTRICT out, const ctReal* CT_RESTRICT boxes, int n,
                             const ctReal least[3], const ctReal most[3]) {
  int i = 0;
  for (; i <= n - 4; i += 4) {
    Mask in = {-1, -1, -1, -1};
    for (int k = 0; k < 3; k++) {
      in &= *(const ctiLanesAt*)(boxes + k * n + i) <= most[k];
      in &= *(const ctiLanesAt*)(boxes + (3 + k) * n + i) >= least[k];
    }
    for (int k = 0; k < 4; k++) out[i + k] = (ctByte)(in[k] & 1);
  }
  for (; i < n; i++) {
    ctByte in = 1;
    for (int k = 0; k < 3; k++) in &= (boxes[k * n + i] <= most[k]) & (boxes[(3 + k) * n + i] >= least[k]);
    out[i] = in;
  }
}

#else

CTI_KERNEL void dot_groups(ctReal* CT_RESTRICT out, const ctReal* CT_RESTRICT a, const ctReal* CT_RESTRICT b,
                           int count, int width) {
  for (int g = 0; g < count; g++) {
    for (int k = 0; k < width; k++)
      out[k] = a[k] * b[k] + a[width + k] * b[width + k] + a[2 * width + k] * b[2 * width + k];
    out += width;
    a += 3 * width;
    b += 3 * width;
  }
}

CTI_KERNEL void box_overlaps(ctByte* CT_RESTRICT out, const ctReal* CT_RESTRICT boxes, int n,
                             const ctReal least[3], const ctReal most[3]) {
  for (int i = 0; i < n; i++) {
    bool in = true;
    for (int k = 0; k < 3; k++) in = in && boxes[k * n + i] <= most[k] && boxes[(3 + k) * n + i] >= least[k];
    out[i] = in;
  }
}

#endif

#ifdef LANES
// Eight points at a time are compared with the highest so far; few are higher, and those are looked at one by
// one.
__attribute__((target("avx2"))) static int max_dot_avx2(const float* point, int n, const ctReal dir[3]) {
  int best = 0, i = 1;
  ctReal most = cti_height(point, dir);
  const Wide dx = WIDE(set1)(dir[0]), dy = WIDE(set1)(dir[1]), dz = WIDE(set1)(dir[2]);
  for (; i <= n - 8; i += 8) {
    const float* p = point + 3 * i;
    unsigned higher = 0;
    for (int g = 0; g < 8; g += LANES) {
      Wide x, y, z;
      gather(&x, &y, &z, p + 3 * g);
      Wide h = WIDE(add)(WIDE(add)(WIDE(mul)(x, dx), WIDE(mul)(y, dy)), WIDE(mul)(z, dz));
      higher |= (unsigned)WIDE(movemask)(HIGHER(h, WIDE(set1)(most))) << g;
    }
    if (higher) best = search_plain(point, i, i + 8, dir, best, &most);
  }
  return search_plain(point, i, n, dir, best, &most);
}

int cti_max_dot(const float* point, int n, const ctReal dir[3]) {
  if (n >= LANES_FROM && __builtin_cpu_supports("avx2")) return max_dot_avx2(point, n, dir);
  ctReal most = cti_height(point, dir);
  return search_plain(point, 1, n, dir, 0, &most);
}
#else
CT_FN int cti_max_dot(const float* point, int n, const ctReal dir[3]) {
  ctReal most = cti_height(point, dir);
  return search_plain(point, 1, n, dir, 0, &most);
}
#endif

CTI_DISPATCH(void, , cti_dot_groups, dot_groups,
             (ctReal * CT_RESTRICT out, const ctReal* CT_RESTRICT a, const ctReal* CT_RESTRICT b, int count,
              int width),
             (out, a, b, count, width))
CTI_DISPATCH(void, , cti_box_overlaps, box_overlaps,
             (ctByte * CT_RESTRICT out, const ctReal* CT_RESTRICT boxes, int n, const ctReal least[3],
              const ctReal most[3]),
             (out, boxes, n, least, most))
