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

// ---- asin, acos, atan and atan2 of double ----

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

// ---- exp, log, pow, cbrt and fmod of double ----

#define EXP_OVERFLOW  710.0  // above it exp is infinite, below -746 zero; between, the last product decides
#define EXP_UNDERFLOW -746.0

// exp(x + tail) for x between the two limits and a tail below the last bit of x.
// x = n log(2)/128 + r, n = 128 k + j: the result is 2^k 2^(j/128) (1 + r + ...).
CT_INLINE double exp_sum(double x, double tail) {
  double n = cti_nearest_f64(x * CTI_LOG2E_128_F64);
  double first = x - n * CTI_LN2_128_F64_1;  // exact, as is the product
  double r = first - n * CTI_LN2_128_F64_2 + tail;
  int steps = (int)n + 2048 * 128;  // positive, for the shift
  int row = steps & 127, k = (steps >> 7) - 2048;
  double growth = r + r * r * (0.5 + r * cti_poly3_f64(cti_poly_exp_f64, r));
  double root = cti_exp_table[row][0];
  return cti_scale_f64(root + (cti_exp_table[row][1] + root * growth), k);
}

CT_FN double cti_exp_f64(double x) {
  if (x > EXP_OVERFLOW) return cti_inf_f64();
  if (x < EXP_UNDERFLOW) return 0;
  if (x != x) return cti_nan_f64();
  return exp_sum(x, 0);
}

// log(x) as an unevaluated sum of parts, for x positive and finite.
// x = 2^k m, m (1/c) = 1 + r with 1/c so short that the product is exact in two pieces.
typedef struct LogParts {
  double whole, whole_tail;  // k log 2 + log c
  double r, r_tail;
} LogParts;

CT_INLINE LogParts log_parts(double x) {
  int k = -1023;
  if (x < 0x1p-1022) {
    x *= 0x1p52;
    k -= 52;
  }
  uint64_t bits = cti_bits_f64(x);
  uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
  double m = cti_from_bits_f64(fraction | (uint64_t)1023 << 52);
  int row = (int)((fraction + ((uint64_t)1 << 44)) >> 45);
  k += (int)(bits >> 52) + (row >= CTI_LOG_SPLIT);

  const double* entry = cti_log_table[row];
  double m_head = cti_head_f64(m), inverse = entry[0];
  double r_head = m_head * inverse - 1, r_rest = (m - m_head) * inverse;  // both exact
  LogParts p;
  p.whole = k * CTI_LN2_F64_1 + entry[1];  // exact
  p.whole_tail = k * CTI_LN2_F64_2 + entry[2];
  p.r = r_head + r_rest;
  p.r_tail = cti_sum_tail_f64(p.r, r_head, r_rest);
  return p;
}

CT_FN double cti_log_f64(double x) {
  if (!(x > 0 && x < cti_inf_f64())) {
    if (x == 0) return -cti_inf_f64();
    return x > 0 ? x : cti_nan_f64();
  }
  LogParts p = log_parts(x);
  double r = p.r, r2 = r * r;
  double sum = p.whole + r;
  double rest = cti_sum_tail_f64(sum, p.whole, r) + (p.whole_tail + p.r_tail);
  return sum + (rest + (r * r2 * cti_poly7_f64(cti_poly_log_f64, r) - 0.5 * r2));
}

// y log(x) as head and tail, with about 68 bits. Factors are split so that all but small products are exact.
CT_INLINE double pow_exponent(double x, double y, double* tail) {
  LogParts p = log_parts(x);
  double r = p.r, r_head = cti_head_f64(r);
  double half = -0.5 * r_head * r_head;                     // exact
  double half_tail = -0.5 * ((r - r_head) * (r + r_head));  // what is left of -r^2/2
  double cube = r * (r * r) * cti_poly7_f64(cti_poly_log_f64, r);
  double small = p.whole_tail + (p.r_tail - r * p.r_tail) + half_tail;
  double a = p.whole + r, head = a + half;
  double rest = cti_sum_tail_f64(a, p.whole, r) + cti_sum_tail_f64(head, a, half) + (small + cube);

  double log_head = cti_head_f64(head + rest), log_tail = (head - log_head) + rest;
  double y_head = cti_head_f64(y);
  double first = y_head * log_head, second = (y - y_head) * log_head;  // exact
  double product = first + second;
  double product_tail = cti_sum_tail_f64(product, first, second) + y * log_tail;
  double exponent = product + product_tail;
  *tail = cti_sum_tail_f64(exponent, product, product_tail);
  return exponent;
}

// 0 where y is no integer, 1 where it is odd, 2 where it is even.
CT_INLINE int pow_integer_kind(double y) {
  double size = cti_abs_f64(y);
  if (size >= 0x1p53) return 2;
  if (cti_floor_f64(size) != size) return 0;
  return 0.5 * size == cti_floor_f64(0.5 * size) ? 2 : 1;
}

CT_FN double cti_pow_f64(double x, double y) {
  if (y == 2 && x == x) return x * x;  // by far the most frequent exponent, and exact but for one rounding
  double infinity = cti_inf_f64(), size = cti_abs_f64(x), reach = cti_abs_f64(y), sign = 1;
  if (!(x > 0 && x < infinity && reach > 0x1p-65 && reach < 0x1p65)) {
    if (x == 1 || y == 0) return 1;
    if (x != x || y != y) return cti_nan_f64();

    // The sign, for negative x.
    if (cti_bits_f64(x) >> 63) {
      int kind = pow_integer_kind(y);
      if (kind == 0 && size != 0 && size != infinity && reach != infinity) return cti_nan_f64();
      if (kind == 1) sign = -1;
    }

    // Bases and exponents that leave nothing to compute.
    if (size == 1) return sign;
    bool grows = (size > 1) == (y > 0);
    if (size == 0 || size == infinity || reach >= 0x1p65) return sign * (grows ? infinity : 0);
    if (reach <= 0x1p-65) return sign;
  }
  double tail, exponent = pow_exponent(size, y, &tail);
  if (exponent > EXP_OVERFLOW) return sign * infinity;
  if (exponent < EXP_UNDERFLOW) return sign * 0;
  return sign * exp_sum(exponent, tail);
}

// x = 2^(3k) m with m in [1, 8). An estimate good to 13 bits is sharpened to 40, cut to 24 so that its square
// is exact, and sharpened again. Both steps are Halley's, which triple the number of good bits.
CT_FN double cti_cbrt_f64(double x) {
  double size = cti_abs_f64(x);
  if (!(size < cti_inf_f64())) return x != x ? cti_nan_f64() : x;
  if (size == 0) return x;
  int exponent = 0;
  if (size < 0x1p-1022) {
    size *= 0x1p54;
    exponent = -54;
  }
  uint64_t bits = cti_bits_f64(size);
  exponent += (int)(bits >> 52) - 1023;
  int third = (exponent + 3 * 400) / 3 - 400;  // rounds down
  int left = exponent - 3 * third;
  double m = cti_from_bits_f64((bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1023 << 52);
  double root =
      cti_poly4_f64(cti_poly_cbrt_f64, m) * (left == 0 ? 1.0 : (left == 1 ? CTI_CBRT2_F64 : CTI_CBRT4_F64));
  m *= (double)(1 << left);

  double cube = root * root * root;
  root *= (cube + 2 * m) / (2 * cube + m);
  root = cti_from_bits_f64(cti_bits_f64(root) & ~(((uint64_t)1 << 29) - 1));
  double other = m / (root * root);
  root += root * (other - root) / (2 * root + other);
  return cti_copysign_f64(root * cti_exp2i_f64(third), x);
}

// Long division of the mantissas, eleven bits at a time.
CT_FN double cti_fmod_f64(double x, double y) {
  double ax = cti_abs_f64(x), ay = cti_abs_f64(y);
  if (!(ax < cti_inf_f64()) || !(ay > 0)) return cti_nan_f64();
  if (ax < ay) return x;

  uint64_t fraction = ((uint64_t)1 << 52) - 1;
  uint64_t top = cti_bits_f64(ax), bottom = cti_bits_f64(ay);
  int top_exponent = (int)(top >> 52), bottom_exponent = (int)(bottom >> 52);
  top = top_exponent ? (top & fraction) | (fraction + 1) : top;
  bottom = bottom_exponent ? (bottom & fraction) | (fraction + 1) : bottom;
  int shift = (top_exponent ? top_exponent : 1) - (bottom_exponent ? bottom_exponent : 1);

  top %= bottom;
  while (shift > 0 && top != 0) {
    int step = shift < 11 ? shift : 11;
    top = (top << step) % bottom;
    shift -= step;
  }
  // The rest is an integer multiple of the last bit of y; both factors are exact.
  double rest = (double)top;
  int scale = (bottom_exponent ? bottom_exponent : 1) - 1075;
  rest = scale < -1022 ? rest * 0x1p-1022 * cti_exp2i_f64(scale + 1022) : rest * cti_exp2i_f64(scale);
  return cti_copysign_f64(rest, x);
}
