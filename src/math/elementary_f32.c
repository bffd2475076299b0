// The elementary functions of float. Each follows its double sibling with shorter parts and polynomials.
#include "math/elementary_parts.h"

// Below it, float reduction by three parts of pi/2 serves, except near multiples of pi/2; above it, double.
#define F32_TRIG_NEAR  200.0f
#define F32_TRIG_SMALL 0x1.921fb4p-1f  // just below pi/4
#define F32_TINY       0x1p-13f        // below it odd functions round to their argument

typedef struct F32Angle {
  float head, tail;
  int quarter;
} F32Angle;

// Takes off n pi/2, n below 2^7; false where too many digits cancel.
CT_INLINE bool f32_reduce(F32Angle* angle, float x) {
  float n = cti_nearest_f32(x * CTI_TWO_OVER_PI_F32);
  float a = x - n * CTI_PIO2_F32_1;  // exact
  float b = n * CTI_PIO2_F32_2;      // exact
  float r = a - b;
  float lost = ((a - r) - b) - n * CTI_PIO2_F32_3;
  angle->head = r + lost;
  angle->tail = cti_sum_tail_f32(angle->head, r, lost);
  angle->quarter = (int)n & 3;
  return cti_abs_f32(r) > 0x1p-8f;
}

CT_INLINE float f32_sin_small(float r, float tail) {
  float z = r * r;
  return r + (r * z * cti_poly4_f32(cti_poly_sin_f32, z) + tail * (1 - 0.5f * z));
}

CT_INLINE float f32_cos_small(float r, float tail) {
  float z = r * r, half = 0.5f * z;
  float head = 1 - half;
  return head + (((1 - head) - half) + (z * z * cti_poly3_f32(cti_poly_cos_f32, z) - r * tail));
}

CT_INLINE float f32_pick_sin(const F32Angle* a) {
  float s = f32_sin_small(a->head, a->tail), c = f32_cos_small(a->head, a->tail);
  float value = a->quarter & 1 ? c : s;
  return a->quarter & 2 ? -value : value;
}

CT_INLINE float f32_pick_cos(const F32Angle* a) {
  float s = f32_sin_small(a->head, a->tail), c = f32_cos_small(a->head, a->tail);
  float value = a->quarter & 1 ? s : c;
  return (a->quarter + 1) & 2 ? -value : value;
}

// One rounding more than double has: still within 1 ulp. Not a number becomes that of float.
CT_INLINE float f32_from_f64(double x) {
  return x == x ? (float)x : cti_nan_f32();
}

CT_FN float cti_sin_f32(float x) {
  float size = cti_abs_f32(x);
  if (size <= F32_TRIG_SMALL) return size < F32_TINY ? x : f32_sin_small(x, 0);
  F32Angle a;
  if (!(size < F32_TRIG_NEAR) || !f32_reduce(&a, x)) return f32_from_f64(cti_sin_f64((double)x));
  return f32_pick_sin(&a);
}

CT_FN float cti_cos_f32(float x) {
  float size = cti_abs_f32(x);
  if (size <= F32_TRIG_SMALL) return f32_cos_small(x, 0);
  F32Angle a;
  if (!(size < F32_TRIG_NEAR) || !f32_reduce(&a, x)) return f32_from_f64(cti_cos_f64((double)x));
  return f32_pick_cos(&a);
}

CT_FN void cti_sincos_f32(float x, float* sine, float* cosine) {
  float size = cti_abs_f32(x);
  if (size <= F32_TRIG_SMALL) {
    *sine = size < F32_TINY ? x : f32_sin_small(x, 0);
    *cosine = f32_cos_small(x, 0);
    return;
  }
  F32Angle a;
  if (size < F32_TRIG_NEAR && f32_reduce(&a, x)) {
    *sine = f32_pick_sin(&a);
    *cosine = f32_pick_cos(&a);
  } else {
    double s, c;
    cti_sincos_f64((double)x, &s, &c);
    *sine = f32_from_f64(s);
    *cosine = f32_from_f64(c);
  }
}

// base + sign atan(u/v) for 0 <= u <= v, as in double.
CT_INLINE float f32_arc_ratio(float u, float v, float base, float base_tail, float sign) {
  int row = (u > 0.15625f * v) + (u > 0.421875f * v) + (u > 0.7207f * v);
  const float* entry = cti_atan_table_f32[row];
  float c = entry[0];
  float top = u - c * v, bottom = v + c * u;
  float bottom_tail = cti_sum_tail_f32(bottom, v, c * u);
  float inverse = 1 / bottom;
  float t = top * inverse;

  // t again, as a head that is short enough for exact products and a tail from what is left to divide
  float t_head = cti_head_f32(t), bottom_head = cti_head_f32(bottom);
  float left = (top - t_head * bottom_head) - t_head * (bottom - bottom_head) - t_head * bottom_tail;
  float z = t * t;
  float rest = t * z * cti_poly3_f32(cti_poly_atan_f32, z) + (left * inverse + entry[2]);
  float at = sign * entry[1], step = sign * t_head;
  float middle = base + at;
  float sum = middle + step;
  float lost = cti_sum_tail_f32(middle, base, at) + cti_sum_tail_f32(sum, middle, step);
  return sum + (lost + base_tail + sign * rest);
}

CT_FN float cti_atan_f32(float x) {
  float size = cti_abs_f32(x);
  if (size < F32_TINY) return x;
  if (!(size <= cti_inf_f32())) return cti_nan_f32();
  if (size > 0x1p30f) size = 0x1p30f;
  float result = size <= 1 ? f32_arc_ratio(size, 1, 0, 0, 1)
                           : f32_arc_ratio(1, size, CTI_HALF_PI_F32, CTI_HALF_PI_TAIL_F32, -1);
  return cti_copysign_f32(result, x);
}

// |atan2(y, x)| = base + sign atan(u/v), u and v the smaller and larger of |x| and |y|: base, its tail, sign.
// Rows: to the right and to the left of the axis; the same where |y| is the larger.
CT_CONST float f32_arc_octant[4][3] = {
    {0, 0, 1},
    {CTI_PI_F32, CTI_PI_TAIL_F32, -1},
    {CTI_HALF_PI_F32, CTI_HALF_PI_TAIL_F32, -1},
    {CTI_HALF_PI_F32, CTI_HALF_PI_TAIL_F32, 1},
};

CT_FN float cti_atan2_f32(float y, float x) {
  float ax = cti_abs_f32(x), ay = cti_abs_f32(y), infinity = cti_inf_f32();
  float u = ax < ay ? ax : ay, v = ax < ay ? ay : ax;
  const float* octant = f32_arc_octant[2 * (ax < ay) + (int)(cti_bits_f32(x) >> 31)];

  // Only the ratio counts: two infinities are 1 : 1, one infinity or two zeros are 0 : 1.
  if (!(u <= v && v > 0 && v < infinity)) {
    if (x != x || y != y) return cti_nan_f32();
    u = u == infinity ? 1.0f : 0.0f;
    v = 1;
  }
  if (u < 0x1p-26f * v) {
    float ratio = u / v;  // its own arc tangent
    return cti_copysign_f32(octant[0] == 0 ? ratio : octant[0] + (octant[1] + octant[2] * ratio), y);
  }
  if (v > 0x1p60f || v < 0x1p-60f) {
    float scale = v > 1 ? 0x1p-80f : 0x1p80f;
    u *= scale;
    v *= scale;
  }
  return cti_copysign_f32(f32_arc_ratio(u, v, octant[0], octant[1], octant[2]), y);
}

CT_INLINE float f32_arc_sine_rest(float s, float z) {
  return s * z * cti_poly6_f32(cti_poly_asin_f32, z);
}

// base + sign acos(x) for 1/2 < x <= 1: acos(x) = 2 asin(s), s^2 = z = (1 - x)/2, which is exact.
CT_INLINE float f32_arc_near_one(float x, float base, float base_tail, float sign) {
  float z = 0.5f * (1 - x);
  if (z == 0) return base;
  float s = cti_sqrt_f32(z), square = s * s;
  float s_tail = ((z - square) - cti_product_tail_f32(square, s, s)) / (s + s);
  float twice = 2 * sign * s;
  float sum = base + twice;
  return sum +
         (cti_sum_tail_f32(sum, base, twice) + base_tail + 2 * sign * (s_tail + f32_arc_sine_rest(s, z)));
}

CT_FN float cti_asin_f32(float x) {
  float size = cti_abs_f32(x);
  if (size <= 0.5f) return size < F32_TINY ? x : x + f32_arc_sine_rest(x, x * x);
  if (!(size <= 1)) return cti_nan_f32();
  return cti_copysign_f32(f32_arc_near_one(size, CTI_HALF_PI_F32, CTI_HALF_PI_TAIL_F32, -1), x);
}

CT_FN float cti_acos_f32(float x) {
  float size = cti_abs_f32(x);
  if (size <= 0.5f) {
    float sum = CTI_HALF_PI_F32 - x;
    float lost = cti_sum_tail_f32(sum, CTI_HALF_PI_F32, -x) + CTI_HALF_PI_TAIL_F32;
    return sum + (lost - f32_arc_sine_rest(x, x * x));
  }
  if (!(size <= 1)) return cti_nan_f32();
  if (x > 0) return f32_arc_near_one(size, 0, 0, 1);
  return f32_arc_near_one(size, CTI_PI_F32, CTI_PI_TAIL_F32, -1);
}

// exp(x) = 2^n exp(r), |r| <= log(2)/2, without a table.
CT_FN float cti_exp_f32(float x) {
  if (x > 89.0f) return cti_inf_f32();
  if (x < -104.0f) return 0;
  if (x != x) return cti_nan_f32();
  float n = cti_nearest_f32(x * CTI_LOG2E_F32);
  float a = x - n * CTI_LN2_F32_1;  // exact
  float b = n * CTI_LN2_F32_2;
  float r = a - b;
  float r_tail = (a - r) - b;
  float sum = 1 + r;
  float rest = r * r * (0.5f + r * cti_poly5_f32(cti_poly_exp_f32, r)) + r_tail;
  return cti_scale_f32(sum + (cti_sum_tail_f32(sum, 1, r) + rest), (int)n);
}

// log(x) = k log 2 + log(1 + f) with 1 + f between sqrt(1/2) and sqrt(2).
CT_FN float cti_log_f32(float x) {
  if (!(x > 0 && x < cti_inf_f32())) {
    if (x == 0) return -cti_inf_f32();
    return x > 0 ? x : cti_nan_f32();
  }
  int k = -127;
  if (x < 0x1p-126f) {
    x *= 0x1p23f;
    k -= 23;
  }
  uint32_t bits = cti_bits_f32(x);
  float m = cti_from_bits_f32((bits & 0x7fffffu) | 0x3f800000u);
  k += (int)(bits >> 23);
  if (m > 0x1.6a09e6p0f) {
    m *= 0.5f;
    k++;
  }
  float f = m - 1, f2 = f * f;
  float whole = (float)k * CTI_LN2_F32_1;  // exact
  float sum = whole + f;
  float rest = cti_sum_tail_f32(sum, whole, f) + (float)k * CTI_LN2_F32_2;
  return sum + (rest + (f * f2 * cti_poly9_f32(cti_poly_log_f32, f) - 0.5f * f2));
}

CT_FN float cti_tan_f32(float x) {
  return f32_from_f64(cti_tan_f64((double)x));
}
CT_FN float cti_pow_f32(float x, float y) {
  return f32_from_f64(cti_pow_f64((double)x, (double)y));
}
CT_FN float cti_cbrt_f32(float x) {
  return f32_from_f64(cti_cbrt_f64((double)x));
}
CT_FN float cti_fmod_f32(float x, float y) {
  return f32_from_f64(cti_fmod_f64((double)x, (double)y));
}
