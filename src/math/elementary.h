// The engine's own elementary functions, in both precisions. Step code.
//
// Results are the same bits from every compiler, instruction set and optimisation level, on the processor and
// on the GPU, as long as contraction is off: only IEEE additions, products, quotients and square roots are
// used, and integer operations. The error is below 1 ulp (2 for pow) for every argument, subnormal and huge
// ones included. Special values follow annex F of the C standard, except that a result that is not a number
// is always the same one.
//
// Functions ending in _f64 and _f32 always exist; the names without ending work on ctReal. Float sin, cos,
// asin, acos, atan, atan2, exp and log compute in float (GPUs for games are slow in double), except for rare
// arguments; float tan, pow, cbrt and fmod are rounded from the double ones.
#pragma once

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/fn.h"

#if defined(__FAST_MATH__)
#error "Corten needs IEEE arithmetic: build without -ffast-math"
#endif
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error "Corten needs arithmetic in the precision of the operands: build for SSE2 or later, not x87"
#endif

CT_FN double cti_sin_f64(double x);
CT_FN double cti_cos_f64(double x);
CT_FN void cti_sincos_f64(double x, double* sine, double* cosine);  // the same bits as sin and cos
CT_FN double cti_tan_f64(double x);
CT_FN double cti_asin_f64(double x);
CT_FN double cti_acos_f64(double x);
CT_FN double cti_atan_f64(double x);
CT_FN double cti_atan2_f64(double y, double x);
CT_FN double cti_exp_f64(double x);
CT_FN double cti_log_f64(double x);
CT_FN double cti_pow_f64(double x, double y);
CT_FN double cti_cbrt_f64(double x);
CT_FN double cti_fmod_f64(double x, double y);  // exact

CT_FN float cti_sin_f32(float x);
CT_FN float cti_cos_f32(float x);
CT_FN void cti_sincos_f32(float x, float* sine, float* cosine);
CT_FN float cti_tan_f32(float x);
CT_FN float cti_asin_f32(float x);
CT_FN float cti_acos_f32(float x);
CT_FN float cti_atan_f32(float x);
CT_FN float cti_atan2_f32(float y, float x);
CT_FN float cti_exp_f32(float x);
CT_FN float cti_log_f32(float x);
CT_FN float cti_pow_f32(float x, float y);
CT_FN float cti_cbrt_f32(float x);
CT_FN float cti_fmod_f32(float x, float y);

// The bits of a number, and back.
CT_INLINE uint64_t cti_bits_f64(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

CT_INLINE double cti_from_bits_f64(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

CT_INLINE uint32_t cti_bits_f32(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

CT_INLINE float cti_from_bits_f32(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

CT_INLINE double cti_copysign_f64(double x, double sign) {
  uint64_t mask = (uint64_t)1 << 63;
  return cti_from_bits_f64((cti_bits_f64(x) & ~mask) | (cti_bits_f64(sign) & mask));
}

CT_INLINE float cti_copysign_f32(float x, float sign) {
  uint32_t mask = (uint32_t)1 << 31;
  return cti_from_bits_f32((cti_bits_f32(x) & ~mask) | (cti_bits_f32(sign) & mask));
}

// fabs and sqrt are single instructions wherever errno is off, so they need no libm and are exact or IEEE.
CT_INLINE double cti_abs_f64(double x) {
  return fabs(x);
}
CT_INLINE float cti_abs_f32(float x) {
  return fabsf(x);
}

#if defined(__CUDACC__)
CT_INLINE double cti_sqrt_f64(double x) {
  return __dsqrt_rn(x);
}
CT_INLINE float cti_sqrt_f32(float x) {
  return __fsqrt_rn(x);
}
#else
CT_INLINE double cti_sqrt_f64(double x) {
  return sqrt(x);
}
CT_INLINE float cti_sqrt_f32(float x) {
  return sqrtf(x);
}
#endif

// Largest integer not above x. Adding and taking away 2^52 (2^23) rounds to an integer, which may be one too
// large.
CT_INLINE double cti_floor_f64(double x) {
  double size = cti_abs_f64(x);
  if (!(size < 0x1p52)) return x;
  double whole = cti_copysign_f64((size + 0x1p52) - 0x1p52, x);
  return whole > x ? whole - 1 : whole;
}

CT_INLINE float cti_floor_f32(float x) {
  float size = cti_abs_f32(x);
  if (!(size < 0x1p23f)) return x;
  float whole = cti_copysign_f32((size + 0x1p23f) - 0x1p23f, x);
  return whole > x ? whole - 1 : whole;
}

// Nearest integer, halves away from zero.
CT_INLINE double cti_round_f64(double x) {
  double size = cti_abs_f64(x);
  double whole = cti_floor_f64(size);
  return cti_copysign_f64(size - whole >= 0.5 ? whole + 1 : whole, x);
}

CT_INLINE float cti_round_f32(float x) {
  float size = cti_abs_f32(x);
  float whole = cti_floor_f32(size);
  return cti_copysign_f32(size - whole >= 0.5f ? whole + 1 : whole, x);
}

// The names without ending, on ctReal.
#ifdef CT_SINGLE
#define CTI_OF_REAL(name) cti_##name##_f32
#else
#define CTI_OF_REAL(name) cti_##name##_f64
#endif

#define cti_sin    CTI_OF_REAL(sin)
#define cti_cos    CTI_OF_REAL(cos)
#define cti_sincos CTI_OF_REAL(sincos)
#define cti_tan    CTI_OF_REAL(tan)
#define cti_asin   CTI_OF_REAL(asin)
#define cti_acos   CTI_OF_REAL(acos)
#define cti_atan2  CTI_OF_REAL(atan2)
#define cti_exp    CTI_OF_REAL(exp)
#define cti_log    CTI_OF_REAL(log)
#define cti_pow    CTI_OF_REAL(pow)
#define cti_sqrt   CTI_OF_REAL(sqrt)
#define cti_abs    CTI_OF_REAL(abs)
#define cti_floor  CTI_OF_REAL(floor)
#define cti_round  CTI_OF_REAL(round)

// The cell of a grid that holds x, from 0 to `last`; 0 for what is not a number.
CT_INLINE int cti_cell(ctReal x, int last) {
  return x > 0 ? (x < (ctReal)last ? (int)x : last) : 0;
}

// Of equal numbers, and where one is not a number, the second.
CT_INLINE ctReal cti_min(ctReal a, ctReal b) {
  return a < b ? a : b;
}
CT_INLINE ctReal cti_max(ctReal a, ctReal b) {
  return a > b ? a : b;
}

// x within [lo, hi]; not a number stays so.
CT_INLINE ctReal cti_clip(ctReal x, ctReal lo, ctReal hi) {
  return x < lo ? lo : (x > hi ? hi : x);
}

// Not a number, infinite, or too large to be meant.
CT_INLINE bool cti_is_bad(ctReal x) {
  return !(cti_abs(x) <= CT_R(1e10));
}
