#include <limits.h>
#include <stdlib.h>

#include "read_case.h"
#include "xml/read.h"
#include "xt.h"
#include "xt_alloc.h"

// ---- suggest

// The nearest word of a plain array.
static const char* suggest(const char* word, const char* const* candidates, int n) {
  return cti_suggest_in(word, CTI_WORDS(candidates, n));
}

static const char* const words[] = {"type",     "size",   "pos",     "quat",
                                    "friction", "condim", "contype", "conaffinity"};
enum { N = sizeof(words) / sizeof(words[0]) };

static void suggests(const char* word, const char* expected) {
  const char* found = suggest(word, words, N);
  if (!found || strcmp(found, expected) != 0)
    fail_msg("\"%s\" gave %s, expected %s", word, found ? found : "nothing", expected);
}
XT_TEST(suggest, one_slip) {
  suggests("sizee", "size");
  suggests("siz", "size");
  suggests("syze", "size");
  suggests("szie", "size");
  suggests("ps", "pos");
  suggests("isze", "size");
}
XT_TEST(suggest, case_does_not_count) {
  suggests("SIZE", "size");
  suggests("Firction", "friction");
  suggests("ConAffinity", "conaffinity");
}
XT_TEST(suggest, long_words_may_have_more_slips) {
  suggests("frictoin", "friction");
  suggests("conafinty", "conaffinity");
  suggests("frcton", "friction");
}
XT_TEST(suggest, nothing_when_nothing_is_close) {
  XT_TRUE(suggest("banana", words, N) == NULL);
  XT_TRUE(suggest("", words, N) == NULL);
  XT_TRUE(suggest("x", words, N) == NULL);
  XT_TRUE(suggest("xyz", words, N) == NULL);
  XT_TRUE(suggest("size", words, 0) == NULL);
}
XT_TEST(suggest, the_nearest_wins_and_among_equals_the_first) {
  const char* const close[] = {"bat", "cat", "cart"};
  XT_TEXT(suggest("car", close, 3), "cat");
  XT_TEXT(suggest("cart", close, 3), "cart");
  XT_TEXT(suggest("zat", close, 3), "bat");
}
XT_TEST(suggest, absurdly_long_words_are_harmless) {
  static char word[100000];
  memset(word, 'a', sizeof(word) - 1);
  XT_TRUE(suggest(word, words, N) == NULL);
  const char* const longer[] = {word, "size"};
  XT_TEXT(suggest("sise", longer, 2), "size");
  word[63] = 0;
  XT_TEXT(suggest(word, longer, 2), word);
}
XT_TEST(suggest, distance_is_symmetric) {
  xtRng rng = xt_rng(4);
  for (int i = 0; i < 20000; i++) {
    char a[12], b[12];
    int na = 1 + (int)(xt_bits(&rng) % 6),
        nb = na;  // of one length, so that both allow the same number of slips
    for (int k = 0; k < na; k++) a[k] = "abC"[xt_bits(&rng) % 3];
    for (int k = 0; k < nb; k++) b[k] = "aBc"[xt_bits(&rng) % 3];
    a[na] = b[nb] = 0;
    const char *pa = a, *pb = b;
    XT_INT(suggest(a, &pb, 1) != NULL, suggest(b, &pa, 1) != NULL);
    XT_TRUE(suggest(a, &pa, 1) == a);
  }
}
typedef struct Row {
  int code;
  const char* name;
} Row;
static const Row rows[] = {{1, "plane"}, {2, "sphere"}, {3, "capsule"}};
XT_TEST(words, live_in_structs) {
  XT_TEXT(cti_words_at(CTI_WORDS_IN(rows, 3, name), 2), "capsule");
  XT_TEXT(cti_suggest_in("spher", CTI_WORDS_IN(rows, 3, name)), "sphere");
}
XT_TEST(text, short_list_is_written_out) {
  char text[100];
  XT_TEXT(cti_suggest_list_text(text, sizeof(text), "spher", CTI_WORDS_IN(rows, 3, name)),
          ": use plane, sphere, capsule");
  XT_TEXT(cti_suggest_nearest_text(text, sizeof(text), "xx", CTI_WORDS_IN(rows, 3, name)),
          ": use plane, sphere, capsule");
}
XT_TEST(text, nearest_is_quoted) {
  char text[100];
  const char* const many[] = {"a1", "b2", "c3",  "d4",  "e5",  "f6",    "g7",
                              "h8", "i9", "j10", "k11", "l12", "sphere"};
  XT_TEXT(cti_suggest_nearest_text(text, sizeof(text), "spher", CTI_WORDS_IN(rows, 3, name)),
          "; did you mean \"sphere\"?");
  XT_TEXT(cti_suggest_list_text(text, sizeof(text), "spher", CTI_WORDS(many, 13)),
          "; did you mean \"sphere\"?");
  XT_TEXT(cti_suggest_list_text(text, sizeof(text), "banana", CTI_WORDS(many, 13)), "");
  XT_TEXT(cti_suggest_nearest_text(text, sizeof(text), "banana", CTI_WORDS(many, 13)), "");
  XT_TEXT(cti_suggest_list_text(text, sizeof(text), "banana", CTI_WORDS(many, 0)), "");
}
XT_TEST(text, never_writes_past_the_buffer) {
  for (size_t size = 1; size < 40; size++) {
    char text[48];
    memset(text, '#', sizeof(text));
    cti_suggest_list_text(text, size, "spher", CTI_WORDS_IN(rows, 3, name));
    XT_INT(text[size], '#');
    XT_TRUE(strlen(text) < size);
  }
}

// ---- read

XT_TEST(absent, leaves_every_output_alone) {
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
  XT_TEXT(reals_error("1 2 3 4", 1, 3), "x: expected 1 to 3 numbers, got 4");
  XT_TEXT(reals_error("1 2", 3, 3), "x: expected 3 numbers, got 2");
  XT_TEXT(reals_error("", 1, 1), "x: expected 1 number, got 0");
  XT_TEXT(reals_error("1 2", 1, 1), "x: expected 1 number, got 2");
}
XT_TEST(reals, what_is_no_number_is_quoted) {
  XT_TEXT(reals_error("1 abc 3", 3, 3), "x: 'abc' is not a number");
  XT_TEXT(reals_error("1 2 0x3", 3, 3), "x: '0x3' is not a number");
  XT_TEXT(reals_error("1,2,3", 3, 3), "x: '1,2,3' is not a number");
  XT_TEXT(reals_error("1 nan 3", 3, 3), "x: nan is not allowed: numbers are finite");
  XT_TEXT(reals_error("-Inf", 1, 1), "x: -Inf is not allowed: numbers are finite");
  XT_TEXT(reals_error("1e999", 1, 1), "x: 1e999: number too large");
}
XT_TEST(reals, long_tokens_are_cut_in_messages) {
  static char value[100000];
  memset(value, 'z', sizeof(value) - 1);
  const char* message = reals_error(value, 1, 1);
  XT_HAS(message, "x: 'zzz");
  XT_HAS(message, "...' is not a number");
  XT_TRUE(strlen(message) < 100);
}
XT_TEST(reals, more_than_fits_is_a_bug_of_the_caller) {
  double out[CTI_READ_MAX + 1];
  ReadCase c = read_case("1");
  XT_INT(cti_read_reals(out, NULL, &c.element, &c.attr, 0, CTI_READ_MAX + 1, &c.err), CT_ERR_ARGUMENT);
  XT_INT(cti_read_reals(out, NULL, &c.element, &c.attr, 2, 1, &c.err), CT_ERR_ARGUMENT);
}
XT_TEST(reals, error_may_be_null) {
  double out = 7;
  ReadCase c = read_case("q");
  XT_INT(cti_read_reals(&out, NULL, &c.element, &c.attr, 1, 1, NULL), CT_ERR_INVALID);
  XT_TRUE(out == 7);
}
XT_TEST(real_list, has_any_length) {
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
  int out[3], count = 0;
  ReadCase c = read_case("3 -2.0 1e3");
  XT_INT(cti_read_ints(out, &count, &c.element, &c.attr, 1, 3, -10, 1000, &c.err), CT_OK);
  XT_INT(count, 3);
  XT_TRUE(out[0] == 3 && out[1] == -2 && out[2] == 1000);
}
XT_TEST(ints, what_is_not_whole_is_told) {
  XT_TEXT(ints_error("1 3.5", 0, 10), "x: 3.5 is not a whole number");
  XT_TEXT(ints_error("abc", 0, 10), "x: abc is not a whole number");
  XT_TEXT(ints_error("nan", 0, 10), "x: nan is not a whole number");
  XT_TEXT(ints_error("1 2 3 4", 0, 10), "x: expected 1 to 3 whole numbers, got 4");
}
XT_TEST(ints, range_is_exact) {
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

// ---- read words

static const ctiKeyword types[] = {{"plane", 0}, {"sphere", 2}, {"ellipsoid", 4}};
static const ctiKeyword flags[] = {{"contact", 1}, {"energy", 2}, {"gravity", 4}};

XT_TEST(absent_read_words, leaves_every_output_alone) {
  ReadCase c = read_case("");
  int value = 7;
  bool truth = true;
  char chars[4] = "abc";
  XT_INT(cti_read_keyword(&value, &c.element, NULL, types, 3, NULL, &c.err), CT_OK);
  XT_INT(cti_read_flags(&value, &c.element, NULL, types, 3, NULL, &c.err), CT_OK);
  XT_INT(cti_read_bool(&truth, &c.element, NULL, &c.err), CT_OK);
  XT_INT(cti_read_chars(chars, &c.element, NULL, 3, "xyz", &c.err), CT_OK);
  XT_TRUE(value == 7 && truth);
  XT_TEXT(chars, "abc");
}
XT_TEST(keyword, gives_its_value) {
  int value = 7;
  ReadCase c = read_case("sphere");
  XT_INT(cti_read_keyword(&value, &c.element, &c.attr, types, 3, "geom type", &c.err), CT_OK);
  XT_INT(value, 2);
  c = read_case("  ellipsoid\n");
  XT_INT(cti_read_keyword(&value, &c.element, &c.attr, types, 3, "geom type", &c.err), CT_OK);
  XT_INT(value, 4);
}
static const char* keyword_error(const char* word, const char* what) {
  static ReadCase c;
  c = read_case(word);
  int value = 7;
  XT_INT(cti_read_keyword(&value, &c.element, &c.attr, types, 3, what, &c.err), CT_ERR_INVALID);
  XT_INT(value, 7);
  return read_message(&c);
}
XT_TEST(keyword, unknown_one_lists_what_is_allowed) {
  XT_TEXT(keyword_error("spher", "geom type"),
          "x: \"spher\" is not a geom type: use plane, sphere, ellipsoid");
  XT_TEXT(keyword_error("Sphere", "actuator type"),
          "x: \"Sphere\" is not an actuator type: use plane, sphere, ellipsoid");
  XT_TEXT(keyword_error("", NULL), "x: \"\" is not a keyword: use plane, sphere, ellipsoid");
  XT_TEXT(keyword_error("plane sphere", NULL),
          "x: \"plane sphere\" is not a keyword: use plane, sphere, ellipsoid");
}
XT_TEST(flags, are_joined) {
  int mask = 7;
  ReadCase c = read_case("gravity contact");
  XT_INT(cti_read_flags(&mask, &c.element, &c.attr, flags, 3, NULL, &c.err), CT_OK);
  XT_INT(mask, 5);
  c = read_case("");
  XT_INT(cti_read_flags(&mask, &c.element, &c.attr, flags, 3, NULL, &c.err), CT_OK);
  XT_INT(mask, 0);
}
XT_TEST(flags, given_twice_or_unknown_are_refused) {
  int mask = 7;
  ReadCase c = read_case("gravity contact gravity");
  XT_INT(cti_read_flags(&mask, &c.element, &c.attr, flags, 3, NULL, &c.err), CT_ERR_INVALID);
  XT_TEXT(read_message(&c), "x: \"gravity\" is given twice");
  c = read_case("gravity wind");
  XT_INT(cti_read_flags(&mask, &c.element, &c.attr, flags, 3, "flag", &c.err), CT_ERR_INVALID);
  XT_TEXT(read_message(&c), "x: \"wind\" is not a flag: use contact, energy, gravity");
  XT_INT(mask, 7);
}
XT_TEST(truth, is_true_or_false_only) {
  bool value = false;
  ReadCase c = read_case("true");
  XT_INT(cti_read_bool(&value, &c.element, &c.attr, &c.err), CT_OK);
  XT_TRUE(value);
  c = read_case("false");
  XT_INT(cti_read_bool(&value, &c.element, &c.attr, &c.err), CT_OK);
  XT_TRUE(!value);
  const char* const bad[] = {"True", "1", "", "yes", "true false"};
  for (int i = 0; i < 5; i++) {
    c = read_case(bad[i]);
    XT_INT(cti_read_bool(&value, &c.element, &c.attr, &c.err), CT_ERR_INVALID);
    XT_HAS(read_message(&c), "is not allowed: use true, false");
    XT_TRUE(!value);
  }
}
XT_TEST(chars, number_and_kind_are_checked) {
  char out[4] = "old";
  ReadCase c = read_case("xYz");
  XT_INT(cti_read_chars(out, &c.element, &c.attr, 3, "xyzXYZ", &c.err), CT_OK);
  XT_TEXT(out, "xYz");
  const char* const bad[] = {"xy", "xyzz", "abc", ""};
  for (int i = 0; i < 4; i++) {
    c = read_case(bad[i]);
    XT_INT(cti_read_chars(out, &c.element, &c.attr, 3, "xyzXYZ", &c.err), CT_ERR_INVALID);
    XT_HAS(read_message(&c), "x: expected 3 characters out of \"xyzXYZ\", got \"");
    XT_TEXT(out, "xYz");
  }
}
XT_TEST(unknown, attribute_gets_a_suggestion) {
  const char* const allowed[] = {"size", "pos"};
  ReadCase c = read_case("1");
  c.attr.name = "sizee";
  XT_INT(cti_read_unknown_attr(&c.element, &c.attr, CTI_WORDS(allowed, 2), &c.err), CT_ERR_INVALID);
  XT_TEXT(read_message(&c), "unknown attribute \"sizee\" in <geom>; did you mean \"size\"?");
  c.attr.name = "banana";
  XT_INT(cti_read_unknown_attr(&c.element, &c.attr, CTI_WORDS(allowed, 2), &c.err), CT_ERR_INVALID);
  XT_TEXT(read_message(&c), "unknown attribute \"banana\" in <geom>: use size, pos");
  XT_INT(cti_read_unknown_attr(&c.element, &c.attr, CTI_WORDS(allowed, 0), &c.err), CT_ERR_INVALID);
  XT_TEXT(read_message(&c), "unknown attribute \"banana\" in <geom>");
}
XT_TEST(unknown, element_gets_a_suggestion) {
  const char* const allowed[] = {"joint", "geom"};
  ctiXml body = {.name = "body", .file = "m.xml"};
  ctiXml child = {.name = "jiont", .parent = &body, .file = "m.xml", .line = 4, .column = 5};
  ctError err;
  XT_INT(cti_read_unknown_element(&child, CTI_WORDS(allowed, 2), &err), CT_ERR_INVALID);
  XT_TEXT(err.message, "unknown element <jiont> in <body>; did you mean <joint>?");
  XT_INT(err.line, 4);
  child.name = "banana";
  XT_INT(cti_read_unknown_element(&child, CTI_WORDS(allowed, 2), &err), CT_ERR_INVALID);
  XT_TEXT(err.message, "unknown element <banana> in <body>: use joint, geom");
  child.parent = NULL;
  XT_INT(cti_read_unknown_element(&child, CTI_WORDS(allowed, 0), &err), CT_ERR_INVALID);
  XT_TEXT(err.message, "unknown element <banana>");
}

XT_MAIN()
