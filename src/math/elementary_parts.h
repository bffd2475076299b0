// Pieces shared by the elementary functions: exact sums and products, powers of two, polynomials. Step code.
#pragma once

#include "math/elementary.h"
#include "math/elementary_tables.h"

CT_INLINE double cti_nan_f64(void) {
  return cti_from_bits_f64((uint64_t)0x7ff8 << 48);
}
CT_INLINE double cti_inf_f64(void) {
  return cti_from_bits_f64((uint64_t)0x7ff0 << 48);
}
CT_INLINE float cti_nan_f32(void) {
  return cti_from_bits_f32((uint32_t)0x7fc0 << 16);
}
CT_INLINE float cti_inf_f32(void) {
  return cti_from_bits_f32((uint32_t)0x7f80 << 16);
}

// 2^k for -1022 <= k <= 1023, or -126 <= k <= 127.
CT_INLINE double cti_exp2i_f64(int k) {
  return cti_from_bits_f64((uint64_t)(k + 1023) << 52);
}
CT_INLINE float cti_exp2i_f32(int k) {
  return cti_from_bits_f32((uint32_t)(k + 127) << 23);
}

// x 2^k rounded once, for x about 1 and any k of a finite result. Beyond the normal range a first product is
// exact.
CT_INLINE double cti_scale_f64(double x, int k) {
  if (k > -1022 && k < 1024) return x * cti_exp2i_f64(k);
  return k > 0 ? x * 2 * cti_exp2i_f64(k - 1) : x * 0x1p-200 * cti_exp2i_f64(k + 200);
}

CT_INLINE float cti_scale_f32(float x, int k) {
  if (k > -126 && k < 128) return x * cti_exp2i_f32(k);
  return k > 0 ? x * 2 * cti_exp2i_f32(k - 1) : x * 0x1p-50f * cti_exp2i_f32(k + 50);
}

// Nearest integer of a small number: the sum has no bits left for a fraction.
CT_INLINE double cti_nearest_f64(double x) {
  return (x + 0x1.8p52) - 0x1.8p52;
}
CT_INLINE float cti_nearest_f32(float x) {
  return (x + 0x1.8p23f) - 0x1.8p23f;
}

// The leading half of the bits. Products of two heads, or of a head and a rest, are exact.
CT_INLINE double cti_head_f64(double x) {
  return cti_from_bits_f64(cti_bits_f64(x) & ~(((uint64_t)1 << 27) - 1));
}
CT_INLINE float cti_head_f32(float x) {
  return cti_from_bits_f32(cti_bits_f32(x) & ~(((uint32_t)1 << 12) - 1));
}

// What the rounding of sum = a + b lost, where |a| >= |b| or a is zero.
CT_INLINE double cti_sum_tail_f64(double sum, double a, double b) {
  return b - (sum - a);
}
CT_INLINE float cti_sum_tail_f32(float sum, float a, float b) {
  return b - (sum - a);
}

// What the rounding of product = a b lost.
CT_INLINE double cti_product_tail_f64(double product, double a, double b) {
  double ah = cti_head_f64(a), al = a - ah, bh = cti_head_f64(b), bl = b - bh;
  return ((ah * bh - product) + ah * bl + al * bh) + al * bl;
}

CT_INLINE float cti_product_tail_f32(float product, float a, float b) {
  float ah = cti_head_f32(a), al = a - ah, bh = cti_head_f32(b), bl = b - bh;
  return ((ah * bh - product) + ah * bl + al * bh) + al * bl;
}

// Polynomials, lowest coefficient first, in pairs so that the products overlap in time.
CT_INLINE double cti_poly3_f64(const double* c, double x) {
  return (c[0] + c[1] * x) + c[2] * (x * x);
}
CT_INLINE double cti_poly4_f64(const double* c, double x) {
  return (c[0] + c[1] * x) + (c[2] + c[3] * x) * (x * x);
}
CT_INLINE double cti_poly6_f64(const double* c, double x) {
  double x2 = x * x;
  return (c[0] + c[1] * x) + x2 * ((c[2] + c[3] * x) + x2 * (c[4] + c[5] * x));
}
CT_INLINE double cti_poly7_f64(const double* c, double x) {
  double x2 = x * x;
  return (c[0] + c[1] * x) + x2 * ((c[2] + c[3] * x) + x2 * ((c[4] + c[5] * x) + x2 * c[6]));
}
CT_INLINE double cti_poly8_f64(const double* c, double x) {
  double x2 = x * x;
  return cti_poly4_f64(c, x) + (x2 * x2) * cti_poly4_f64(c + 4, x);
}
CT_INLINE double cti_poly13_f64(const double* c, double x) {
  double x2 = x * x, x4 = x2 * x2;
  return cti_poly4_f64(c, x) + x4 * (cti_poly4_f64(c + 4, x) + x4 * (cti_poly4_f64(c + 8, x) + x4 * c[12]));
}

CT_INLINE float cti_poly3_f32(const float* c, float x) {
  return (c[0] + c[1] * x) + c[2] * (x * x);
}
CT_INLINE float cti_poly4_f32(const float* c, float x) {
  return (c[0] + c[1] * x) + (c[2] + c[3] * x) * (x * x);
}
CT_INLINE float cti_poly5_f32(const float* c, float x) {
  return c[0] + x * cti_poly4_f32(c + 1, x);
}
CT_INLINE float cti_poly6_f32(const float* c, float x) {
  float x2 = x * x;
  return (c[0] + c[1] * x) + x2 * ((c[2] + c[3] * x) + x2 * (c[4] + c[5] * x));
}
CT_INLINE float cti_poly9_f32(const float* c, float x) {
  float x2 = x * x, x4 = x2 * x2;
  return cti_poly4_f32(c, x) + x4 * (cti_poly4_f32(c + 4, x) + x4 * c[8]);
}
