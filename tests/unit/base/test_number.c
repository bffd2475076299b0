#define _XOPEN_SOURCE 700  // mkdtemp
#include "base/number.h"

#include <locale.h>
#include <stdlib.h>

#include "xt_locale.h"

// The reference is the C library's strtod under the "C" locale, which rounds correctly too.
static void check_real(const char* text) {
  double value = 0, expected = strtod(text, NULL);
  ctiNumber result = cti_parse_real(text, NULL, &value);
  if (result != (isinf(expected) ? CTI_NUMBER_TOO_LARGE : CTI_NUMBER_OK))
    fail_msg("\"%s\": result %d", text, result);
  if (memcmp(&value, &expected, sizeof(value)) != 0)
    fail_msg("\"%s\": %.17g, expected %.17g", text, value, expected);
}
XT_TEST(real, simple_spellings) {
  const char* const texts[] = {"0",     "-0",     "+0",   "1",         "-1",       "+1",   "1.",
                               ".5",    "-.5e1",  "1e5",  "1E5",       "1e+5",     "1e-5", "00012",
                               "0.001", "000.00", "1.50", "123456789", "0e99",     "1e0",  "1e000",
                               "0.1e1", "3.14",   "1e22", "1e23",      "1e0000005"};
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) check_real(texts[i]);
}
XT_TEST(real, hard_cases) {
  const char* const texts[] = {"9007199254740993",
                               "9007199254740992.5",
                               "9007199254740993.0000000000000000000000000000000001",
                               "1.7976931348623157e308",
                               "1.7976931348623158e308",
                               "1.7976931348623159e308",
                               "1.797693134862315807e308",
                               "2e308",
                               "1e309",
                               "4.9e-324",
                               "2.5e-324",
                               "2.4703282292062327e-324",
                               "2.4703282292062328e-324",
                               "2.2250738585072014e-308",
                               "2.2250738585072011e-308",
                               "2.2250738585072012e-308",
                               "1e-323",
                               "1e-400",
                               "6.631236846766476e-316",
                               "3.237883913302901e-319",
                               "6929495644600919.5",
                               "3.5844466002796428e298",
                               "8.98846567431158e307",
                               "5e-324",
                               "0.1",
                               "0.3",
                               "0.12345678901234567890123456789",
                               "1e1000000000000000000000",
                               "1e-100000000000000000000",
                               "18446744073709551615",
                               "9999999999999999999",
                               "99999999999999999999",
                               "9999999999999999999e-27",
                               "1e-27",
                               "1e-28",
                               "7.2057594037927933e16"};
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) check_real(texts[i]);
}
XT_TEST(real, ties_that_only_the_last_of_many_digits_breaks) {
  static char text[2000];
  // Halfway between 1 and its successor: 1 + 2^-53, exactly.
  const char* half = "1.00000000000000011102230246251565404236316680908203125";
  double value = 0;
  cti_parse_real(half, NULL, &value);
  XT_TRUE(value == 1);
  for (size_t zeros = 1; zeros < 1500; zeros += 7) {
    size_t n = strlen(half);
    memcpy(text, half, n);
    memset(text + n, '0', zeros);
    text[n + zeros] = 0;
    check_real(text);
    text[n + zeros] = '1';
    text[n + zeros + 1] = 0;
    check_real(text);
    cti_parse_real(text, NULL, &value);
    XT_TRUE(value == 1 + 0x1p-52);
  }
}
XT_TEST(real, halfway_points_of_denormals_with_all_their_digits) {
  static char text[1400];
  xtRng rng = xt_rng(5);
  for (int i = 0; i < 300; i++) {
    // An odd multiple of 2^-1075 needs a long double to be printed exactly, unless the multiple is halved in
    // decimal: print m * 2^-1074 with all digits, then append a digit that moves it up a little or not at
    // all.
    double m = (double)(xt_bits(&rng) >> (12 + (int)(xt_bits(&rng) % 50))) * 0x1p-1074;
    snprintf(text, sizeof(text), "%.1080f", m);
    check_real(text);
    snprintf(text, sizeof(text), "%.1080f7", m);
    check_real(text);
    snprintf(text, sizeof(text), "%.*e", (int)(xt_bits(&rng) % 800), m);
    check_real(text);
  }
}
XT_TEST(real, random_doubles_come_back_from_every_length) {
  char text[64];
  xtRng rng = xt_rng(7);
  for (int i = 0; i < 200000; i++) {
    uint64_t bits = xt_bits(&rng);
    double x;
    memcpy(&x, &bits, sizeof(x));
    if (!isfinite(x)) continue;
    snprintf(text, sizeof(text), "%.*e", (int)(xt_bits(&rng) % 22), x);
    check_real(text);
    snprintf(text, sizeof(text), "%.17g", x);
    check_real(text);
  }
}
XT_TEST(real, everyday_numbers_come_back) {
  char text[64];
  xtRng rng = xt_rng(8);
  for (int i = 0; i < 300000; i++) {
    double x = xt_uniform(&rng, -1, 1) * pow(10, (double)(xt_bits(&rng) % 8) - 3);
    snprintf(text, sizeof(text), "%.*g", 1 + (int)(xt_bits(&rng) % 19), x);
    check_real(text);
  }
}
XT_TEST(real, random_digits_and_exponents) {
  char text[128];
  xtRng rng = xt_rng(9);
  for (int i = 0; i < 100000; i++) {
    int n = 1 + (int)(xt_bits(&rng) % 40), at = 0;
    for (int k = 0; k < n; k++) text[at++] = (char)('0' + xt_bits(&rng) % 10);
    snprintf(text + at, sizeof(text) - (size_t)at, "e%d", (int)(xt_bits(&rng) % 700) - 380);
    check_real(text);
  }
}
XT_TEST(real, very_long_texts_cost_linear_time) {
  const size_t n = 10000000;
  char* text = malloc(n + 32);
  double value = 0;
  memset(text, '0', n);
  strcpy(text + n, "1e-9");
  XT_INT(cti_parse_real(text, NULL, &value), CTI_NUMBER_OK);
  XT_TRUE(value == 1e-9);
  memset(text, '7', n);
  strcpy(text + n, "e-9999999");
  XT_INT(cti_parse_real(text, NULL, &value), CTI_NUMBER_OK);
  XT_TRUE(value == 7.777777777777777777777);
  text[0] = '.';
  memset(text + 1, '0', n - 1);
  strcpy(text + n, "5e10000000");
  XT_INT(cti_parse_real(text, NULL, &value), CTI_NUMBER_OK);
  XT_TRUE(value == 5);
  free(text);
}
XT_TEST(real, what_is_no_number_is_refused_and_the_output_untouched) {
  const char* const texts[] = {"",    "+",   "-",    ".",         "e5",      "1e",     "1e+",   "1e-",
                               "abc", "1a",  "0x10", "0x1p3",     "1.2.3",   "--1",    "+-1",   " 1",
                               "1 ",  "1,5", "in",   "infi",      "nano",    "nan(1)", "1e5.0", "1f",
                               "1_0", "-.",  ".e1",  "infinityy", "\xd9\xa1"};
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
    double value = 42;
    if (cti_parse_real(texts[i], NULL, &value) != CTI_NUMBER_BAD || value != 42)
      fail_msg("\"%s\" accepted", texts[i]);
  }
}
XT_TEST(real, infinities_and_nans_are_told_apart) {
  double value = 0;
  XT_INT(cti_parse_real("inf", NULL, &value), CTI_NUMBER_INF);
  XT_TRUE(isinf(value) && value > 0);
  XT_INT(cti_parse_real("-Infinity", NULL, &value), CTI_NUMBER_INF);
  XT_TRUE(isinf(value) && value < 0);
  XT_INT(cti_parse_real("+INF", NULL, &value), CTI_NUMBER_INF);
  XT_INT(cti_parse_real("NaN", NULL, &value), CTI_NUMBER_NAN);
  XT_TRUE(isnan(value));
  XT_INT(cti_parse_real("-nan", NULL, &value), CTI_NUMBER_NAN);
  XT_INT(cti_parse_real("-1e999", NULL, &value), CTI_NUMBER_TOO_LARGE);
  XT_TRUE(isinf(value) && value < 0);
}
XT_TEST(real, reads_only_up_to_the_end_given) {
  const char text[] = {'1', '.', '5', '7', 'e', '3'};
  double value = 0;
  XT_INT(cti_parse_real(text, text + 3, &value), CTI_NUMBER_OK);
  XT_TRUE(value == 1.5);
  XT_INT(cti_parse_real(text, text + 5, &value), CTI_NUMBER_BAD);
  XT_INT(cti_parse_real(text, text + 6, &value), CTI_NUMBER_OK);
  XT_TRUE(value == 1570);
}
XT_TEST(real, does_not_ask_the_locale) {
  if (!xt_comma_locale()) skip();
  double value = 0;
  XT_INT(cti_parse_real("1.5", NULL, &value), CTI_NUMBER_OK);
  XT_TRUE(value == 1.5);
  XT_INT(cti_parse_real("1,5", NULL, &value), CTI_NUMBER_BAD);
  setlocale(LC_ALL, "C");
}
XT_TEST(whole, limits_are_exact) {
  int64_t value = 0;
  XT_INT(cti_parse_int("9223372036854775807", NULL, &value), CTI_NUMBER_OK);
  XT_TRUE(value == INT64_MAX);
  XT_INT(cti_parse_int("-9223372036854775808", NULL, &value), CTI_NUMBER_OK);
  XT_TRUE(value == INT64_MIN);
  value = 42;
  XT_INT(cti_parse_int("9223372036854775808", NULL, &value), CTI_NUMBER_TOO_LARGE);
  XT_INT(cti_parse_int("-9223372036854775809", NULL, &value), CTI_NUMBER_TOO_LARGE);
  XT_INT(cti_parse_int("99999999999999999999999999", NULL, &value), CTI_NUMBER_TOO_LARGE);
  XT_INT(value, 42);
}
XT_TEST(whole, accepts_signs_and_zeros_only) {
  int64_t value = 0;
  XT_INT(cti_parse_int("+007", NULL, &value), CTI_NUMBER_OK);
  XT_INT(value, 7);
  XT_INT(cti_parse_int("-0", NULL, &value), CTI_NUMBER_OK);
  XT_INT(value, 0);
  const char* const bad[] = {"", "+", "-", "1.0", "1e3", "0x1", " 1", "1 ", "a", "--1"};
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
    XT_INT(cti_parse_int(bad[i], NULL, &value), CTI_NUMBER_BAD);
}

XT_MAIN()
