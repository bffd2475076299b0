// Three ways from decimal to binary, all exact: products and quotients of numbers that a double holds; long
// division by a power of five; and for the rest, a decimal number of many digits that is halved and doubled
// until the point stands behind 53 bits.
#include "base/number.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum {
  MANTISSA_DIGITS = 19,  // what a uint64_t surely holds
  KEPT_DIGITS = 800,     // a number halfway between two doubles has at most 767
  FRONT_ROOM = 400,      // digits that doubling adds before the first: up to 1074 times log10(2)
  DIGIT_ROOM = 2400,     // front room, digits kept, and what halving adds behind: up to 1024
};

// What was written: digits with the point taken out, and the power of ten that puts it back.
typedef struct Scan {
  bool negative;
  const char* first;  // first digit that is not 0; the point may come in between
  const char* end;    // behind the last digit
  int64_t digits;     // significant ones, from `first` on
  uint64_t mantissa;  // the first 19 of them
  int64_t exponent;   // value = digits * 10^exponent
} Scan;

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool matches(const char* p, const char* end, const char* word) {
  for (; *word; word++, p++) {
    if (p == end || (char)(*p | 0x20) != *word) return false;  // 0x20 turns capital letters into small ones
  }
  return p == end;
}

static const char* scan_sign(const char* p, const char* end, bool* negative) {
  *negative = p < end && *p == '-';
  return p < end && (*p == '-' || *p == '+') ? p + 1 : p;
}

// The exponent with its sign, which must be all that is left; saturates far beyond what matters.
static bool scan_exponent(const char* p, const char* end, int64_t* out) {
  const int64_t huge = (int64_t)1 << 60;
  bool negative;
  int64_t value = 0;
  p = scan_sign(p, end, &negative);
  if (p == end) return false;
  for (; p < end; p++) {
    if (!is_digit(*p)) return false;
    value = value < huge / 16 ? 10 * value + (*p - '0') : huge;
  }
  *out = negative ? -value : value;
  return true;
}

static bool scan_number(Scan* s, const char* p, const char* end) {
  bool any = false, point = false;
  int64_t behind_point = 0, written = 0;
  for (; p < end && (is_digit(*p) || (*p == '.' && !point)); p++) {
    if (*p == '.') {
      point = true;
      continue;
    }
    any = true;
    behind_point += point;
    if (s->digits == 0 && *p == '0') continue;
    if (s->digits == 0) s->first = p;
    if (s->digits < MANTISSA_DIGITS) s->mantissa = 10 * s->mantissa + (uint64_t)(*p - '0');
    s->digits++;
  }
  s->end = p;
  if (!any) return false;
  if (p < end) {
    if (*p != 'e' && *p != 'E') return false;
    if (!scan_exponent(p + 1, end, &written)) return false;
  }
  s->exponent = written - behind_point;
  return true;
}

// mantissa * 2^exponent as a double. The mantissa has 53 bits, or 54 when rounding carried, or fewer where
// the exponent is the smallest.
static double assemble(uint64_t mantissa, int exponent) {
  const uint64_t hidden = (uint64_t)1 << 52;
  if (mantissa == 2 * hidden) {
    mantissa = hidden;
    exponent++;
  }
  uint64_t bits = mantissa;  // denormal
  if (mantissa >= hidden) {
    if (exponent > 971) return (double)INFINITY;
    bits = ((uint64_t)(exponent + 1075) << 52) | (mantissa & (hidden - 1));
  }
  double value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

// mantissa / 10^k, for a mantissa of at most 19 digits and 1 <= k <= 27: 5^k then fits 63 bits.
static double divide_exactly(uint64_t mantissa, int k) {
  uint64_t divisor = 1;
  for (int i = 0; i < k; i++) divisor *= 5;

  // Bits of the quotient until there are more than a double holds; the remainder says whether more would
  // follow.
  uint64_t quotient = mantissa / divisor, rest = mantissa % divisor;
  int exponent = -k;
  while (quotient < (uint64_t)1 << 54) {
    rest <<= 1;
    quotient <<= 1;
    if (rest >= divisor) {
      rest -= divisor;
      quotient |= 1;
    }
    exponent--;
  }
  int drop = 0;
  while (quotient >> drop >= (uint64_t)1 << 53) drop++;
  uint64_t kept = quotient >> drop, dropped = quotient & (((uint64_t)1 << drop) - 1),
           half = (uint64_t)1 << (drop - 1);
  bool up = dropped > half || (dropped == half && (rest > 0 || (kept & 1)));
  return assemble(kept + up, exponent + drop);
}

// 0.d1 d2 d3 ... * 10^point, with room on both sides so that no digit is ever lost.
typedef struct Decimal {
  int begin, end;  // digits in use
  int point;
  unsigned char digit[DIGIT_ROOM];
} Decimal;

static void decimal_trim(Decimal* d) {
  while (d->end > d->begin && d->digit[d->end - 1] == 0) d->end--;
}

static void decimal_load(Decimal* d, const Scan* s) {
  d->begin = d->end = FRONT_ROOM;
  bool rest = false;
  for (const char* p = s->first; p < s->end; p++) {
    if (*p == '.') continue;
    if (d->end < FRONT_ROOM + KEPT_DIGITS) {
      d->digit[d->end++] = (unsigned char)(*p - '0');
    } else {
      rest |= *p != '0';
    }
  }
  // Digits past those kept can only break a tie, and one more digit does that as well.
  if (rest) d->digit[d->end++] = 1;
  d->point = (int)(s->exponent + s->digits);
  decimal_trim(d);
}

// Multiply by 2^k, k <= 60: digit by digit from the right, carries go on in front.
static void decimal_double(Decimal* d, int k) {
  uint64_t carry = 0;
  for (int i = d->end - 1; i >= d->begin; i--) {
    carry += (uint64_t)d->digit[i] << k;
    d->digit[i] = (unsigned char)(carry % 10);
    carry /= 10;
  }
  for (; carry > 0; carry /= 10) {
    d->digit[--d->begin] = (unsigned char)(carry % 10);
    d->point++;
  }
  decimal_trim(d);
}

// Divide by 2^k, k <= 60: long division from the left, until the rest is 0.
static void decimal_halve(Decimal* d, int k) {
  uint64_t rest = 0, mask = ((uint64_t)1 << k) - 1;
  int read = d->begin, write = d->begin;
  while (rest >> k == 0) {
    rest = 10 * rest + (read < d->end ? d->digit[read] : 0u);
    read++;
    d->point--;
  }
  d->point++;
  d->digit[write++] = (unsigned char)(rest >> k);
  rest &= mask;
  while (read < d->end || rest > 0) {
    rest = 10 * rest + (read < d->end ? d->digit[read] : 0u);
    read++;
    d->digit[write++] = (unsigned char)(rest >> k);
    rest &= mask;
  }
  d->end = write;
  decimal_trim(d);
}

// The whole part, rounded to nearest with ties to even. At most 17 digits stand before the point.
static uint64_t decimal_round(const Decimal* d) {
  uint64_t whole = 0;
  int i = d->begin, n = d->end - d->begin;
  for (int k = 0; k < d->point; k++, i++) whole = 10 * whole + (k < n ? d->digit[i] : 0u);
  if (d->point < 0 || d->point >= n) return whole;
  bool tie = d->digit[i] == 5 && d->end == i + 1;
  bool up = tie ? (whole & 1) : d->digit[i] >= 5;
  return whole + up;
}

static double convert_exactly(const Scan* s) {
  if (s->exponent + s->digits > 310) return (double)INFINITY;
  if (s->exponent + s->digits < -330) return 0;

  // Bring the number into [1/2, 1), counting the powers of two taken out. 8 < 10, so no step goes too far.
  Decimal d;
  int power = 0;
  decimal_load(&d, s);
  while (d.point > 0) {
    int k = d.point == 1 ? 1 : d.point > 21 ? 60 : 3 * (d.point - 1);
    decimal_halve(&d, k);
    power += k;
  }
  while (d.point < 0 || d.digit[d.begin] < 5) {
    int k = d.point == 0 ? 1 : d.point < -20 ? 60 : -3 * d.point;
    decimal_double(&d, k);
    power -= k;
  }
  if (power > 1024) return (double)INFINITY;

  // 53 bits before the point; fewer near zero, where doubles are evenly spaced.
  int bits = power >= -1021 ? 53 : 53 - (-1021 - power);
  if (bits < 0) return 0;
  decimal_double(&d, bits);
  return assemble(decimal_round(&d), power - bits);
}

static double magnitude(const Scan* s) {
  static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (s->digits == 0) return 0;
  if (s->digits <= MANTISSA_DIGITS) {
    bool exact = s->mantissa <= (uint64_t)1 << 53;
    if (exact && s->exponent >= 0 && s->exponent <= 22) return (double)s->mantissa * ten[s->exponent];
    if (exact && s->exponent < 0 && s->exponent >= -22) return (double)s->mantissa / ten[-s->exponent];
    if (s->exponent < 0 && s->exponent >= -27) return divide_exactly(s->mantissa, (int)-s->exponent);
  }
  return convert_exactly(s);
}

ctiNumber cti_parse_real(const char* text, const char* end, double* out) {
  if (!end) end = text + strlen(text);
  Scan s = {0};
  const char* p = scan_sign(text, end, &s.negative);
  ctiNumber result = CTI_NUMBER_OK;
  double value = 0;
  if (scan_number(&s, p, end)) {
    value = magnitude(&s);
    if (isinf(value)) result = CTI_NUMBER_TOO_LARGE;
  } else if (matches(p, end, "inf") || matches(p, end, "infinity")) {
    value = (double)INFINITY;
    result = CTI_NUMBER_INF;
  } else if (matches(p, end, "nan")) {
    value = (double)NAN;
    result = CTI_NUMBER_NAN;
  } else {
    return CTI_NUMBER_BAD;
  }
  *out = s.negative ? -value : value;
  return result;
}

ctiNumber cti_parse_int(const char* text, const char* end, int64_t* out) {
  if (!end) end = text + strlen(text);
  bool negative, large = false;
  const char* p = scan_sign(text, end, &negative);
  if (p == end) return CTI_NUMBER_BAD;

  const uint64_t most = (uint64_t)INT64_MAX + negative;
  uint64_t value = 0;
  for (; p < end; p++) {
    if (!is_digit(*p)) return CTI_NUMBER_BAD;
    uint64_t digit = (uint64_t)(*p - '0');
    if (large || value > (most - digit) / 10) {
      large = true;
    } else {
      value = 10 * value + digit;
    }
  }
  if (large) return CTI_NUMBER_TOO_LARGE;
  *out = negative ? (int64_t)(0 - value) : (int64_t)value;
  return CTI_NUMBER_OK;
}
