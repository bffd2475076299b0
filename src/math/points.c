#include "math/points.h"

#include "math/simd.h"
#include "math/wide.h"

#ifdef CTI_MANY
// x, y and z of four points in a row.
__attribute__((target("avx2"))) static inline void gather4(__m128* x, __m128* y, __m128* z, const float* p) {
  __m128 a = _mm_loadu_ps(p), b = _mm_loadu_ps(p + 4), c = _mm_loadu_ps(p + 8);
  __m128 xy = _mm_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2)),
         yz = _mm_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1));
  *x = _mm_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0));
  *y = _mm_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));
  *z = _mm_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1));
}

__attribute__((target("avx2"))) static inline void gather(ctiWide* x, ctiWide* y, ctiWide* z,
                                                          const float* p) {
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
CTI_SIMD_FN void dot_groups(ctReal* CT_RESTRICT out, const ctReal* CT_RESTRICT a, const ctReal* CT_RESTRICT b,
                            int count, int width) {
  for (int g = 0; g < count; g++) {
    for (int k = 0; k < width; k += 4) {
      const ctReal *p = a + k, *q = b + k;
      *(ctiVec4At*)(out + k) = (*(const ctiVec4At*)p * *(const ctiVec4At*)q +
                                *(const ctiVec4At*)(p + width) * *(const ctiVec4At*)(q + width)) +
                               *(const ctiVec4At*)(p + 2 * width) * *(const ctiVec4At*)(q + 2 * width);
    }
    out += width;
    a += 3 * width;
    b += 3 * width;
  }
}

#else

CTI_SIMD_FN void dot_groups(ctReal* CT_RESTRICT out, const ctReal* CT_RESTRICT a, const ctReal* CT_RESTRICT b,
                            int count, int width) {
  for (int g = 0; g < count; g++) {
    for (int k = 0; k < width; k++)
      out[k] = a[k] * b[k] + a[width + k] * b[width + k] + a[2 * width + k] * b[2 * width + k];
    out += width;
    a += 3 * width;
    b += 3 * width;
  }
}

#endif

#ifdef CTI_MANY
// Eight points at a time are compared with the highest so far; few are higher, and those are looked at one by
// one.
__attribute__((target("avx2"))) static int max_dot_avx2(const float* point, int n, const ctReal dir[3]) {
  int best = 0, i = 1;
  ctReal most = cti_height(point, dir);
  const ctiWide dx = CTI_W(set1)(dir[0]), dy = CTI_W(set1)(dir[1]), dz = CTI_W(set1)(dir[2]);
  for (; i <= n - 8; i += 8) {
    ctReal height[8];
    unsigned higher = 0;
    for (int g = 0; g < 8; g += CTI_WIDE) {
      ctiWide x, y, z;
      gather(&x, &y, &z, point + 3 * (i + g));
      ctiWide h = x * dx + y * dy + z * dz;
      higher |= (unsigned)CTI_W(movemask)(CTI_W_COMPARE(h, CTI_W(set1)(most), _CMP_GT_OQ)) << g;
      CTI_W(storeu)(height + g, h);
    }
    for (; higher; higher &= higher - 1) {
      int k = __builtin_ctz(higher);
      if (height[k] > most) {
        most = height[k];
        best = i + k;
      }
    }
  }
  return cti_max_dot_from(point, i, n, dir, best, &most);
}

int cti_max_dot_many(const float* point, int n, const ctReal dir[3]) {
  if (__builtin_cpu_supports("avx2")) return max_dot_avx2(point, n, dir);
  ctReal most = cti_height(point, dir);
  return cti_max_dot_from(point, 1, n, dir, 0, &most);
}
#endif

// A group of eight points; the velocity of the end of the step moves them.
CTI_SIMD_FN void integrate_groups(ctReal* CT_RESTRICT pos, ctReal* CT_RESTRICT vel,
                                  const ctReal* CT_RESTRICT force, const ctReal* CT_RESTRICT inverse_mass,
                                  int count, const ctReal gravity[3], ctReal timestep) {
  for (int g = 0; g < count; g++) {
    for (int h = 0; h < 8; h += 4) {
      for (int k = 0; k < 3; k++) {
#ifdef CTI_MANY
        const int at = 8 * k + h;
        ctiVec4At v = *(const ctiVec4At*)(force + at) * *(const ctiVec4At*)(inverse_mass + h) + gravity[k];
        v = *(const ctiVec4At*)(vel + at) + timestep * v;
        *(ctiVec4At*)(vel + at) = v;
        *(ctiVec4At*)(pos + at) += timestep * v;
#else
        for (int i = h; i < h + 4; i++) {
          const int at = 8 * k + i;
          vel[at] += timestep * (force[at] * inverse_mass[i] + gravity[k]);
          pos[at] += timestep * vel[at];
        }
#endif
      }
    }
    pos += 24;
    vel += 24;
    force += 24;
    inverse_mass += 8;
  }
}

CTI_SIMD_DISPATCH(void, , cti_integrate_groups, integrate_groups,
                  (ctReal * CT_RESTRICT pos, ctReal* CT_RESTRICT vel, const ctReal* CT_RESTRICT force,
                   const ctReal* CT_RESTRICT inverse_mass, int count, const ctReal gravity[3],
                   ctReal timestep),
                  (pos, vel, force, inverse_mass, count, gravity, timestep))

CTI_SIMD_DISPATCH(void, , cti_dot_groups, dot_groups,
                  (ctReal * CT_RESTRICT out, const ctReal* CT_RESTRICT a, const ctReal* CT_RESTRICT b,
                   int count, int width),
                  (out, a, b, count, width))

// Boxes [begin, n).
CTI_SIMD_FN void overlaps_from(ctByte* CT_RESTRICT out, const ctReal* CT_RESTRICT boxes, int begin, int n,
                               const ctReal least[3], const ctReal most[3]) {
  for (int i = begin; i < n; i++) {
    bool in = true;
    for (int k = 0; k < 3; k++)
      in = in && boxes[(int64_t)k * n + i] <= most[k] && boxes[(int64_t)(3 + k) * n + i] >= least[k];
    out[i] = in;
  }
}

#ifdef CTI_MANY
// Eight boxes at a time: comparisons become bits, and four bits become four bytes by a product that puts each
// one at the foot of its byte.
__attribute__((target("avx2"))) static void overlaps_avx2(ctByte* CT_RESTRICT out,
                                                          const ctReal* CT_RESTRICT boxes, int n,
                                                          const ctReal least[3], const ctReal most[3]) {
  int i = 0;
  ctiWide low[3], high[3];
  for (int k = 0; k < 3; k++) {
    low[k] = CTI_W(set1)(least[k]);
    high[k] = CTI_W(set1)(most[k]);
  }
  for (; i <= n - 8; i += 8) {
    uint32_t bits = 0, bytes[2];
    for (int g = 0; g < 8; g += CTI_WIDE) {
      const ctReal* at = boxes + i + g;
      ctiWide in = CTI_W_COMPARE(CTI_W(loadu)(at), high[0], _CMP_LE_OQ);
      in = CTI_W(and)(in, CTI_W_COMPARE(CTI_W(loadu)(at + (int64_t)n), high[1], _CMP_LE_OQ));
      in = CTI_W(and)(in, CTI_W_COMPARE(CTI_W(loadu)(at + (int64_t)2 * n), high[2], _CMP_LE_OQ));
      for (int k = 0; k < 3; k++)
        in = CTI_W(and)(in, CTI_W_COMPARE(CTI_W(loadu)(at + (int64_t)(3 + k) * n), low[k], _CMP_GE_OQ));
      bits |= (uint32_t)CTI_W(movemask)(in) << g;
    }
    bytes[0] = (bits & 15) * 0x00204081u & 0x01010101u;
    bytes[1] = (bits >> 4) * 0x00204081u & 0x01010101u;
    memcpy(out + i, bytes, sizeof(bytes));
  }
  overlaps_from(out, boxes, i, n, least, most);
}
#endif

CT_FN void cti_box_overlaps(ctByte* CT_RESTRICT out, const ctReal* CT_RESTRICT boxes, int n,
                            const ctReal least[3], const ctReal most[3]) {
#ifdef CTI_MANY
  if (__builtin_cpu_supports("avx2")) {
    overlaps_avx2(out, boxes, n, least, most);
    return;
  }
#endif
  overlaps_from(out, boxes, 0, n, least, most);
}
