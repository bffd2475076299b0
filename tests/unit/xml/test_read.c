#include "xml/read.h"

#include <limits.h>
#include <stdlib.h>

#include "read_case.h"
#include "xt_alloc.h"

XT_TEST(absent, leaves_every_output_alone) {
  XT_UNUSED;
  ReadCase c = read_case("");
  double real = 7, *reals = &real;
  int whole = 7, *ints = &whole, count = 7;
  XT_INT(cti_read_reals(&real, &count, &c.element, NULL, 1, 3, &c.err), CT_OK);
  XT_INT(cti_read_ints(&whole, &count, &c.element, NULL, 1, 3, 0, 1, &c.err), CT_OK);
  XT_INT(cti_read_real_list(&reals, &count, NULL, &c.element, NULL, &c.err), CT_OK);
  XT_INT(cti_read_int_list(&ints, &count, NULL, &c.element, NULL, 0, 1, &c.err), CT_OK);
  XT_TRUE(real == 7 && whole == 7 && count == 7 && reals == &real && ints == &whole);
}

static const char* reals_error(const char* value, int min, int max) {
  static ReadCase c;
  c = read_case(value);
  double out[4] = {7, 7, 7, 7};
  int count = 7;
  XT_INT(cti_read_reals(out, &count, &c.element, &c.attr, min, max, &c.err), CT_ERR_INVALID);
  XT_TRUE(out[0] == 7 && out[1] == 7 && out[2] == 7 && out[3] == 7 && count == 7);  // no partial output
  return read_message(&c);
}
XT_TEST(reals, counts_within_bounds_are_accepted) {
  XT_UNUSED;
  double out[4] = {7, 7, 7, 7};
  int count = 0;
  ReadCase c = read_case(" 1\t-2.5e1\n.5 ");
  XT_INT(cti_read_reals(out, &count, &c.element, &c.attr, 1, 4, &c.err), CT_OK);
  XT_INT(count, 3);
  XT_TRUE(out[0] == 1 && out[1] == -25 && out[2] == 0.5 && out[3] == 7);
  XT_INT(cti_read_reals(out, NULL, &c.element, &c.attr, 3, 3, &c.err), CT_OK);
  c = read_case("");
  XT_INT(cti_read_reals(out, &count, &c.element, &c.attr, 0, 4, &c.err), CT_OK);
  XT_INT(count, 0);
}
XT_TEST(reals, wrong_counts_are_told) {
  XT_UNUSED;
  XT_TEXT(reals_error("1 2 3 4", 1, 3), "x: expected 1 to 3 numbers, got 4");
  XT_TEXT(reals_error("1 2", 3, 3), "x: expected 3 numbers, got 2");
  XT_TEXT(reals_error("", 1, 1), "x: expected 1 number, got 0");
  XT_TEXT(reals_error("1 2", 1, 1), "x: expected 1 number, got 2");
}
XT_TEST(reals, what_is_no_number_is_quoted) {
  XT_UNUSED;
  XT_TEXT(reals_error("1 abc 3", 3, 3), "x: 'abc' is not a number");
  XT_TEXT(reals_error("1 2 0x3", 3, 3), "x: '0x3' is not a number");
  XT_TEXT(reals_error("1,2,3", 3, 3), "x: '1,2,3' is not a number");
  XT_TEXT(reals_error("1 nan 3", 3, 3), "x: nan is not allowed");
  XT_TEXT(reals_error("-Inf", 1, 1), "x: -Inf is not allowed");
  XT_TEXT(reals_error("1e999", 1, 1), "x: 1e999: number too large");
}
XT_TEST(reals, long_tokens_are_cut_in_messages) {
  XT_UNUSED;
  static char value[100000];
  memset(value, 'z', sizeof(value) - 1);
  const char* message = reals_error(value, 1, 1);
  XT_HAS(message, "x: 'zzz");
  XT_HAS(message, "...' is not a number");
  XT_TRUE(strlen(message) < 100);
}
XT_TEST(reals, more_than_fits_is_a_bug_of_the_caller) {
  XT_UNUSED;
  double out[CTI_READ_MAX + 1];
  ReadCase c = read_case("1");
  XT_INT(cti_read_reals(out, NULL, &c.element, &c.attr, 0, CTI_READ_MAX + 1, &c.err), CT_ERR_ARGUMENT);
  XT_INT(cti_read_reals(out, NULL, &c.element, &c.attr, 2, 1, &c.err), CT_ERR_ARGUMENT);
}
XT_TEST(reals, error_may_be_null) {
  XT_UNUSED;
  double out = 7;
  ReadCase c = read_case("q");
  XT_INT(cti_read_reals(&out, NULL, &c.element, &c.attr, 1, 1, NULL), CT_ERR_INVALID);
  XT_TRUE(out == 7);
}
XT_TEST(real_list, has_any_length) {
  XT_UNUSED;
  ctiRegion* r = cti_region_create(NULL);
  static char value[40001];
  for (int i = 0; i < 10000; i++) memcpy(value + 4 * i, "1.5 ", 4);
  ReadCase c = read_case(value);
  double* out = NULL;
  int count = 0;
  XT_INT(cti_read_real_list(&out, &count, r, &c.element, &c.attr, &c.err), CT_OK);
  XT_INT(count, 10000);
  XT_TRUE(out[0] == 1.5 && out[9999] == 1.5);
  c = read_case("");
  XT_INT(cti_read_real_list(&out, &count, r, &c.element, &c.attr, &c.err), CT_OK);
  XT_INT(count, 0);
  c = read_case("1 2 x");
  XT_INT(cti_read_real_list(&out, &count, r, &c.element, &c.attr, &c.err), CT_ERR_INVALID);
  XT_TEXT(read_message(&c), "x: 'x' is not a number");
  XT_INT(count, 0);
  cti_region_free(r);
}

static const char* ints_error(const char* value, int low, int high) {
  static ReadCase c;
  c = read_case(value);
  int out[4] = {7, 7, 7, 7};
  XT_INT(cti_read_ints(out, NULL, &c.element, &c.attr, 1, 3, low, high, &c.err), CT_ERR_INVALID);
  XT_TRUE(out[0] == 7 && out[1] == 7 && out[2] == 7 && out[3] == 7);
  return read_message(&c);
}
XT_TEST(ints, whole_numbers_are_accepted_however_written) {
  XT_UNUSED;
  int out[3], count = 0;
  ReadCase c = read_case("3 -2.0 1e3");
  XT_INT(cti_read_ints(out, &count, &c.element, &c.attr, 1, 3, -10, 1000, &c.err), CT_OK);
  XT_INT(count, 3);
  XT_TRUE(out[0] == 3 && out[1] == -2 && out[2] == 1000);
}
XT_TEST(ints, what_is_not_whole_is_told) {
  XT_UNUSED;
  XT_TEXT(ints_error("1 3.5", 0, 10), "x: 3.5 is not a whole number");
  XT_TEXT(ints_error("abc", 0, 10), "x: abc is not a whole number");
  XT_TEXT(ints_error("nan", 0, 10), "x: nan is not a whole number");
  XT_TEXT(ints_error("1 2 3 4", 0, 10), "x: expected 1 to 3 whole numbers, got 4");
}
XT_TEST(ints, range_is_exact) {
  XT_UNUSED;
  XT_TEXT(ints_error("11", 0, 10), "x: 11 is out of range, allowed are 0 to 10");
  XT_TEXT(ints_error("-1", 0, 10), "x: -1 is out of range, allowed are 0 to 10");
  XT_TEXT(ints_error("0", 1, INT_MAX), "x: 0 is out of range, allowed are 1 and more");
  XT_TEXT(ints_error("99999999999999999999", 0, INT_MAX),
          "x: 99999999999999999999 is out of range, allowed are 0 and more");
  XT_TEXT(ints_error("1e300", 0, 5), "x: 1e300 is out of range, allowed are 0 to 5");
  XT_TEXT(ints_error("-1e999", 0, 5), "x: -1e999 is out of range, allowed are 0 to 5");
  int out = 0;
  ReadCase c = read_case("2147483647");
  XT_INT(cti_read_ints(&out, NULL, &c.element, &c.attr, 1, 1, INT_MIN, INT_MAX, &c.err), CT_OK);
  XT_INT(out, INT_MAX);
  c = read_case("-2147483648");
  XT_INT(cti_read_ints(&out, NULL, &c.element, &c.attr, 1, 1, INT_MIN, INT_MAX, &c.err), CT_OK);
  XT_INT(out, INT_MIN);
}
XT_TEST(int_list, has_any_length) {
  XT_UNUSED;
  ctiRegion* r = cti_region_create(NULL);
  int *out = NULL, count = 0;
  ReadCase c = read_case("1 2 3 4 5");
  XT_INT(cti_read_int_list(&out, &count, r, &c.element, &c.attr, 0, 9, &c.err), CT_OK);
  XT_INT(count, 5);
  XT_INT(out[4], 5);
  c = read_case("1 10");
  XT_INT(cti_read_int_list(&out, &count, r, &c.element, &c.attr, 0, 9, &c.err), CT_ERR_INVALID);
  XT_INT(count, 5);
  cti_region_free(r);
}
XT_TEST(lists, report_memory_that_runs_out) {
  XT_UNUSED;
  xtAlloc counter = {.fail_at = 2};
  ctAllocator a = xt_allocator(&counter);
  ctiRegion* r = cti_region_create(&a);
  ReadCase c = read_case("1 2 3");
  double* reals = NULL;
  int count = 0;
  XT_INT(cti_read_real_list(&reals, &count, r, &c.element, &c.attr, &c.err), CT_ERR_MEMORY);
  XT_TRUE(reals == NULL && count == 0);
  cti_region_free(r);
  XT_INT(counter.held, 0);
}

XT_MAIN(XT_CASE(absent, leaves_every_output_alone), XT_CASE(reals, counts_within_bounds_are_accepted),
        XT_CASE(reals, wrong_counts_are_told), XT_CASE(reals, what_is_no_number_is_quoted),
        XT_CASE(reals, long_tokens_are_cut_in_messages),
        XT_CASE(reals, more_than_fits_is_a_bug_of_the_caller), XT_CASE(reals, error_may_be_null),
        XT_CASE(real_list, has_any_length), XT_CASE(ints, whole_numbers_are_accepted_however_written),
        XT_CASE(ints, what_is_not_whole_is_told), XT_CASE(ints, range_is_exact),
        XT_CASE(int_list, has_any_length), XT_CASE(lists, report_memory_that_runs_out))
