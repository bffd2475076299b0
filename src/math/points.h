// Loops over many small vectors, by vector instructions where there are some. The same bits either way.
// Step code.
#pragma once

#include "math/elementary.h"

// Where there are vector instructions, this many points are worth a function of their own.
#if defined(__GNUC__) && defined(__x86_64__) && !defined(__cplusplus) && !defined(CT_NO_SIMD)
#include <emmintrin.h>
#define CTI_MANY 32
#endif

// Height of a point of single precision along a direction.
CT_INLINE ctReal cti_height(const float v[3], const ctReal dir[3]) {
#if defined(CTI_MANY) && !defined(CT_SINGLE)  // x and y are made double and multiplied together
  const __m128d xy = _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i*)(const void*)v))),
                product = _mm_mul_pd(xy, _mm_loadu_pd(dir));
  return _mm_cvtsd_f64(product) + _mm_cvtsd_f64(_mm_unpackhi_pd(product, product)) + (ctReal)v[2] * dir[2];
#else
  return (ctReal)v[0] * dir[0] + (ctReal)v[1] * dir[1] + (ctReal)v[2] * dir[2];
#endif
}

// The same loop continued: points [begin, n), given the best so far.
CT_INLINE int cti_max_dot_from(const float* point, int begin, int n, const ctReal dir[3], int best,
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

// For n >= CTI_MANY points.
#ifdef CTI_MANY
int cti_max_dot_many(const float* point, int n, const ctReal dir[3]);
#endif

// The first of n > 0 points that is highest along a direction. Few points are searched on the spot.
CT_INLINE int cti_max_dot(const float* point, int n, const ctReal dir[3]) {
#ifdef CTI_MANY
  if (n >= CTI_MANY) return cti_max_dot_many(point, n, dir);
#endif
  ctReal most = cti_height(point, dir);
  return cti_max_dot_from(point, 1, n, dir, 0, &most);
}

// out[i] = a[i] . b[i] for `count` groups of `width` vectors: x of a group, then y, then z. `width` is 4 or
// 8.
CT_FN void cti_dot_groups(ctReal* CT_RESTRICT out, const ctReal* CT_RESTRICT a, const ctReal* CT_RESTRICT b,
                          int count, int width);

// vel += timestep (inverse_mass force + gravity), pos += timestep vel, for `count` groups of eight points.
CT_FN void cti_integrate_groups(ctReal* CT_RESTRICT pos, ctReal* CT_RESTRICT vel,
                                const ctReal* CT_RESTRICT force, const ctReal* CT_RESTRICT inverse_mass,
                                int count, const ctReal gravity[3], ctReal timestep);

// out[i] = 1 where box i overlaps the box from `least` to `most`. Boxes are six arrays of n.
CT_FN void cti_box_overlaps(ctByte* CT_RESTRICT out, const ctReal* CT_RESTRICT boxes, int n,
                            const ctReal least[3], const ctReal most[3]);
