// Numbers from text: strict, exact (correctly rounded), and the same under every C locale. Thread-safe.
// The whole of [text, end) must be the number: no blanks before or after. `end` NULL means up to the zero
// byte.
#pragma once

#include <stdint.h>

typedef enum ctiNumber {
  CTI_NUMBER_OK,
  CTI_NUMBER_BAD,        // not a number at all; the output is untouched
  CTI_NUMBER_TOO_LARGE,  // beyond the type; a real becomes an infinity, a whole number is untouched
  CTI_NUMBER_INF,        // spelled inf or infinity in any case, sign allowed; the output is that
  CTI_NUMBER_NAN,        // spelled nan in any case, sign allowed; the output is that
} ctiNumber;

// Decimal notation with optional sign, point and exponent: 1, +.5, 2., -3e-4. Hexadecimal is refused. A
// number too small for a double becomes the nearest of denormal and zero, and is CTI_NUMBER_OK.
ctiNumber cti_parse_real(const char* text, const char* end, double* out);

// Decimal digits with optional sign.
ctiNumber cti_parse_int(const char* text, const char* end, int64_t* out);
