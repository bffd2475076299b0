// sin, cos, sincos and tan of double.
// The argument is brought to |r| <= pi/4 by taking off n pi/2, with a tail that carries what r cannot hold.
#include "math/elementary_parts.h"

#define TRIG_SMALL  0x1.921fb54442d18p-1  // pi/4: below it nothing needs to be taken off
#define TRIG_MEDIUM 0x1p20                // below it the multiples of the parts of pi/2 are exact
#define TRIG_TINY   0x1p-27               // below it sin x and tan x round to x

// An angle in [-pi/4, pi/4] as an unevaluated sum, and the number of quarter turns taken off, modulo 4.
typedef struct TrigAngle {
  double head, tail;
  int quarter;
} TrigAngle;

// 2/pi |x| modulo 4 in fixed point, for |x| >= 2^20: seven words, the first two bits are the quarter turns.
CT_FN static void trig_quarters(uint32_t words[7], double x) {
  uint64_t bits = cti_bits_f64(x);
  uint64_t mantissa = (bits & (((uint64_t)1 << 52) - 1)) | ((uint64_t)1 << 52);
  int exponent = (int)(bits >> 52 & 0x7ff) - 1075;  // |x| = mantissa 2^exponent

  // Words of 2/pi before `first` yield multiples of 4; seven words leave 138 bits behind the binary point.
  int first = (exponent + 62) / 32;
  int shift = (exponent + 62) % 32;
  uint64_t factors[2] = {mantissa & 0xffffffffu, mantissa >> 32};
  uint32_t product[7] = {0, 0, 0, 0, 0, 0, 0};
  for (int j = 0; j < 2; j++) {
    uint64_t carry = 0;
    for (int i = 6; i - j >= 0; i--) {
      uint64_t sum = factors[j] * cti_two_over_pi[first + i] + product[i - j] + carry;
      product[i - j] = (uint32_t)sum;
      carry = sum >> 32;
    }
  }
  for (int i = 0; i < 7; i++) {
    uint32_t next = i < 6 ? product[i + 1] : 0;
    words[i] = (uint32_t)((((uint64_t)product[i] << 32 | next) << shift) >> 32);
  }
}

// Reduction of |x| >= 2^20: multiply by as much of 2/pi as matters, drop whole turns, return to radians.
CT_FN static TrigAngle trig_reduce_huge(double x) {
  uint32_t words[7];
  trig_quarters(words, x);
  int quarter = (int)(words[0] >> 30);
  bool above_half = (words[0] >> 29 & 1) != 0;
  quarter += above_half;

  // The fraction, or one minus the fraction, as a sum of two doubles; words come with falling weight.
  words[0] &= 0x3fffffffu;
  if (above_half) {
    words[0] ^= 0x3fffffffu;
    for (int i = 1; i < 7; i++) words[i] = ~words[i];
  }
  double head = 0, tail = 0, weight = 0x1p-30;
  for (int i = 0; i < 7; i++) {
    double term = words[i] * weight;
    double sum = head + term;
    tail += cti_sum_tail_f64(sum, head, term);
    head = sum;
    weight *= 0x1p-32;
  }

  double angle = head * CTI_HALF_PI_F64;
  double rest = cti_product_tail_f64(angle, head, CTI_HALF_PI_F64) + head * CTI_HALF_PI_TAIL_F64 +
                tail * CTI_HALF_PI_F64;
  double sign = (x < 0) != above_half ? -1.0 : 1.0;
  TrigAngle result;
  result.head = sign * (angle + rest);
  result.tail = sign * cti_sum_tail_f64(angle + rest, angle, rest);
  result.quarter = (x < 0 ? -quarter : quarter) & 3;
  return result;
}

// Reduction of pi/4 < |x| < 2^20, where n has at most 20 bits and the first parts of pi/2 have 33.
CT_FN static TrigAngle trig_reduce(double x) {
  double n = cti_nearest_f64(x * CTI_TWO_OVER_PI_F64);
  double a = x - n * CTI_PIO2_F64_1;  // exact
  double b = n * CTI_PIO2_F64_2;      // exact
  double r = a - b, lost;
  if (cti_abs_f64(r) > 0x1p-12) {
    lost = ((a - r) - b) - n * CTI_PIO2_F64_3_4;
  } else {
    // Near a multiple of pi/2, where r was exact, the digits that cancelled must be made up for.
    double c = r, d = n * CTI_PIO2_F64_3;  // exact
    r = c - d;
    double back = c - r;
    lost = (c - (r + back)) + (back - d) - n * CTI_PIO2_F64_4;
  }
  TrigAngle result;
  result.head = r + lost;
  result.tail = cti_sum_tail_f64(result.head, r, lost);
  result.quarter = (int)n & 3;
  return result;
}

CT_INLINE TrigAngle trig_angle(double x) {
  return cti_abs_f64(x) < TRIG_MEDIUM ? trig_reduce(x) : trig_reduce_huge(x);
}

CT_INLINE double trig_sin_small(double r, double tail) {
  double z = r * r;
  return r + (r * z * cti_poly6_f64(cti_poly_sin_f64, z) + tail * (1 - 0.5 * z));
}

CT_INLINE double trig_cos_small(double r, double tail) {
  double z = r * r, half = 0.5 * z;
  double head = 1 - half;
  return head + (((1 - head) - half) + (z * z * cti_poly6_f64(cti_poly_cos_f64, z) - r * tail));
}

// Both are computed and one is picked: cheaper than a branch that depends on the quarter turn.
CT_INLINE double trig_pick_sin(const TrigAngle* a) {
  double s = trig_sin_small(a->head, a->tail), c = trig_cos_small(a->head, a->tail);
  double value = a->quarter & 1 ? c : s;
  return a->quarter & 2 ? -value : value;
}

CT_INLINE double trig_pick_cos(const TrigAngle* a) {
  double s = trig_sin_small(a->head, a->tail), c = trig_cos_small(a->head, a->tail);
  double value = a->quarter & 1 ? s : c;
  return (a->quarter + 1) & 2 ? -value : value;
}

CT_FN double cti_sin_f64(double x) {
  double size = cti_abs_f64(x);
  if (size <= TRIG_SMALL) return size < TRIG_TINY ? x : trig_sin_small(x, 0);
  if (!(size < cti_inf_f64())) return cti_nan_f64();
  TrigAngle a = trig_angle(x);
  return trig_pick_sin(&a);
}

CT_FN double cti_cos_f64(double x) {
  double size = cti_abs_f64(x);
  if (size <= TRIG_SMALL) return trig_cos_small(x, 0);
  if (!(size < cti_inf_f64())) return cti_nan_f64();
  TrigAngle a = trig_angle(x);
  return trig_pick_cos(&a);
}

CT_FN void cti_sincos_f64(double x, double* sine, double* cosine) {
  double size = cti_abs_f64(x);
  if (size <= TRIG_SMALL) {
    *sine = size < TRIG_TINY ? x : trig_sin_small(x, 0);
    *cosine = trig_cos_small(x, 0);
  } else if (size < cti_inf_f64()) {
    TrigAngle a = trig_angle(x);
    *sine = trig_pick_sin(&a);
    *cosine = trig_pick_cos(&a);
  } else {
    *sine = *cosine = cti_nan_f64();
  }
}

// The quotient of sine and cosine, both kept as sums of two numbers, with one step that removes its rounding.
CT_FN double cti_tan_f64(double x) {
  double size = cti_abs_f64(x);
  if (size < TRIG_TINY) return x;
  if (!(size < cti_inf_f64())) return cti_nan_f64();
  TrigAngle a = {x, 0, 0};
  if (size > TRIG_SMALL) a = trig_angle(x);

  // r^2 and r^3, each as a number and what that lacks
  double r = a.head, r_head = cti_head_f64(r), r_rest = r - r_head;
  double z = r * r, z_tail = (r_head * r_head - z) + r_rest * (r + r_head);
  double z_head = cti_head_f64(z), half = 0.5 * z;
  double cube = r_head * z_head, cube_tail = r_rest * z_head + r * ((z - z_head) + z_tail);

  double p = cti_poly6_f64(cti_poly_sin_f64, z);
  double sine_rest = cube * p + (cube_tail * p + a.tail * (1 - half));
  double sine = r + sine_rest;
  double sine_tail = cti_sum_tail_f64(sine, r, sine_rest);

  double cosine_head = 1 - half;
  double cosine_rest = z * z * cti_poly6_f64(cti_poly_cos_f64, z) - 0.5 * z_tail - r * a.tail;
  cosine_rest += (1 - cosine_head) - half;
  double cosine = cosine_head + cosine_rest;
  double cosine_tail = cti_sum_tail_f64(cosine, cosine_head, cosine_rest);

  bool odd = (a.quarter & 1) != 0;
  double top = odd ? -cosine : sine, top_tail = odd ? -cosine_tail : sine_tail;
  double bottom = odd ? sine : cosine, bottom_tail = odd ? sine_tail : cosine_tail;
  double quotient = top / bottom, product = quotient * bottom;
  double rest = (top - product) - cti_product_tail_f64(product, quotient, bottom);
  return quotient + (rest + top_tail - quotient * bottom_tail) / bottom;
}
