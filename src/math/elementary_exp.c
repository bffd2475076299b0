// exp, log, pow, cbrt and fmod of double.
#include "math/elementary_parts.h"

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
