// asin, acos, atan and atan2 of double.
#include "math/elementary_parts.h"

// base + sign atan(u/v) for 0 <= u <= v, both far from overflow and underflow.
// With c of 0, 1/4, 1/2 or 1 near u/v, atan(u/v) = atan(c) + atan(t), t = (u - c v) / (v + c u), |t| < 0.163.
// The difference is exact, as c v is within a factor of two of u; what t and the sum below lose to rounding
// is made up for.
CT_INLINE double arc_ratio(double u, double v, double base, double base_tail, double sign) {
  int row = (u > 0.15625 * v) + (u > 0.421875 * v) + (u > 0.7207 * v);
  const double* entry = cti_atan_table_f64[row];
  double c = entry[0];
  double top = u - c * v, bottom = v + c * u;
  double bottom_tail = cti_sum_tail_f64(bottom, v, c * u);
  double inverse = 1 / bottom;
  double t = top * inverse;

  // t again, as a head that is short enough for exact products and a tail from what is left to divide
  double t_head = cti_head_f64(t), bottom_head = cti_head_f64(bottom);
  double left = (top - t_head * bottom_head) - t_head * (bottom - bottom_head) - t_head * bottom_tail;
  double z = t * t;
  double rest = t * z * cti_poly8_f64(cti_poly_atan_f64, z) + (left * inverse + entry[2]);
  double at = sign * entry[1], step = sign * t_head;
  double middle = base + at;
  double sum = middle + step;
  double lost = cti_sum_tail_f64(middle, base, at) + cti_sum_tail_f64(sum, middle, step);
  return sum + (lost + base_tail + sign * rest);
}

CT_FN double cti_atan_f64(double x) {
  double size = cti_abs_f64(x);
  if (size < 0x1p-27) return x;
  if (!(size <= cti_inf_f64())) return cti_nan_f64();
  if (size > 0x1p60) size = 0x1p60;  // the result is pi/2 from far below that
  double result =
      size <= 1 ? arc_ratio(size, 1, 0, 0, 1) : arc_ratio(1, size, CTI_HALF_PI_F64, CTI_HALF_PI_TAIL_F64, -1);
  return cti_copysign_f64(result, x);
}

// |atan2(y, x)| = base + sign atan(u/v), u and v the smaller and larger of |x| and |y|: base, its tail, sign.
// Rows: to the right and to the left of the axis; the same where |y| is the larger.
CT_CONST double arc_octant[4][3] = {
    {0, 0, 1},
    {CTI_PI_F64, CTI_PI_TAIL_F64, -1},
    {CTI_HALF_PI_F64, CTI_HALF_PI_TAIL_F64, -1},
    {CTI_HALF_PI_F64, CTI_HALF_PI_TAIL_F64, 1},
};

CT_FN double cti_atan2_f64(double y, double x) {
  double ax = cti_abs_f64(x), ay = cti_abs_f64(y), infinity = cti_inf_f64();
  double u = ax < ay ? ax : ay, v = ax < ay ? ay : ax;
  const double* octant = arc_octant[2 * (ax < ay) + (int)(cti_bits_f64(x) >> 63)];

  // Only the ratio counts: two infinities are 1 : 1, one infinity or two zeros are 0 : 1.
  if (!(u <= v && v > 0 && v < infinity)) {
    if (x != x || y != y) return cti_nan_f64();
    u = u == infinity ? 1.0 : 0.0;
    v = 1;
  }
  if (u < 0x1p-60 * v) {
    double ratio = u / v;  // its own arc tangent
    return cti_copysign_f64(octant[0] == 0 ? ratio : octant[0] + (octant[1] + octant[2] * ratio), y);
  }
  if (v > 0x1p500 || v < 0x1p-500) {
    double scale = v > 1 ? 0x1p-600 : 0x1p600;
    u *= scale;
    v *= scale;
  }
  return cti_copysign_f64(arc_ratio(u, v, octant[0], octant[1], octant[2]), y);
}

// asin(s) - s for 0 <= s <= 1/2, z = s^2.
CT_INLINE double arc_sine_rest(double s, double z) {
  return s * z * cti_poly13_f64(cti_poly_asin_f64, z);
}

// base + sign acos(x) for 1/2 < x <= 1: acos(x) = 2 asin(s), s^2 = z = (1 - x)/2, which is exact.
CT_INLINE double arc_near_one(double x, double base, double base_tail, double sign) {
  double z = 0.5 * (1 - x);
  if (z == 0) return base;
  double s = cti_sqrt_f64(z), square = s * s;
  double s_tail = ((z - square) - cti_product_tail_f64(square, s, s)) / (s + s);
  double twice = 2 * sign * s;
  double sum = base + twice;
  return sum + (cti_sum_tail_f64(sum, base, twice) + base_tail + 2 * sign * (s_tail + arc_sine_rest(s, z)));
}

CT_FN double cti_asin_f64(double x) {
  double size = cti_abs_f64(x);
  if (size <= 0.5) return size < 0x1p-27 ? x : x + arc_sine_rest(x, x * x);
  if (!(size <= 1)) return cti_nan_f64();
  return cti_copysign_f64(arc_near_one(size, CTI_HALF_PI_F64, CTI_HALF_PI_TAIL_F64, -1), x);
}

CT_FN double cti_acos_f64(double x) {
  double size = cti_abs_f64(x);
  if (size <= 0.5) {
    double sum = CTI_HALF_PI_F64 - x;
    double lost = cti_sum_tail_f64(sum, CTI_HALF_PI_F64, -x) + CTI_HALF_PI_TAIL_F64;
    return sum + (lost - arc_sine_rest(x, x * x));
  }
  if (!(size <= 1)) return cti_nan_f64();
  if (x > 0) return arc_near_one(size, 0, 0, 1);
  return arc_near_one(size, CTI_PI_F64, CTI_PI_TAIL_F64, -1);
}
