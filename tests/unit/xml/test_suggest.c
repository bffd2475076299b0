#include "xml/read.h"

#include "xt.h"

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
  XT_UNUSED;
  suggests("sizee", "size");
  suggests("siz", "size");
  suggests("syze", "size");
  suggests("szie", "size");
  suggests("ps", "pos");
  suggests("isze", "size");
}
XT_TEST(suggest, case_does_not_count) {
  XT_UNUSED;
  suggests("SIZE", "size");
  suggests("Firction", "friction");
  suggests("ConAffinity", "conaffinity");
}
XT_TEST(suggest, long_words_may_have_more_slips) {
  XT_UNUSED;
  suggests("frictoin", "friction");
  suggests("conafinty", "conaffinity");
  suggests("frcton", "friction");
}
XT_TEST(suggest, nothing_when_nothing_is_close) {
  XT_UNUSED;
  XT_TRUE(suggest("banana", words, N) == NULL);
  XT_TRUE(suggest("", words, N) == NULL);
  XT_TRUE(suggest("x", words, N) == NULL);
  XT_TRUE(suggest("xyz", words, N) == NULL);
  XT_TRUE(suggest("size", words, 0) == NULL);
}
XT_TEST(suggest, the_nearest_wins_and_among_equals_the_first) {
  XT_UNUSED;
  const char* const close[] = {"bat", "cat", "cart"};
  XT_TEXT(suggest("car", close, 3), "cat");
  XT_TEXT(suggest("cart", close, 3), "cart");
  XT_TEXT(suggest("zat", close, 3), "bat");
}
XT_TEST(suggest, absurdly_long_words_are_harmless) {
  XT_UNUSED;
  static char word[100000];
  memset(word, 'a', sizeof(word) - 1);
  XT_TRUE(suggest(word, words, N) == NULL);
  const char* const longer[] = {word, "size"};
  XT_TEXT(suggest("sise", longer, 2), "size");
  word[63] = 0;
  XT_TEXT(suggest(word, longer, 2), word);
}
XT_TEST(suggest, distance_is_symmetric) {
  XT_UNUSED;
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
  XT_UNUSED;
  XT_TEXT(cti_words_at(CTI_WORDS_IN(rows, 3, name), 2), "capsule");
  XT_TEXT(cti_suggest_in("spher", CTI_WORDS_IN(rows, 3, name)), "sphere");
}
XT_TEST(text, short_list_is_written_out) {
  XT_UNUSED;
  char text[100];
  XT_TEXT(cti_suggest_list_text(text, sizeof(text), "spher", CTI_WORDS_IN(rows, 3, name)),
          ": use plane, sphere, capsule");
  XT_TEXT(cti_suggest_nearest_text(text, sizeof(text), "xx", CTI_WORDS_IN(rows, 3, name)),
          ": use plane, sphere, capsule");
}
XT_TEST(text, nearest_is_quoted) {
  XT_UNUSED;
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
  XT_UNUSED;
  for (size_t size = 1; size < 40; size++) {
    char text[48];
    memset(text, '#', sizeof(text));
    cti_suggest_list_text(text, size, "spher", CTI_WORDS_IN(rows, 3, name));
    XT_INT(text[size], '#');
    XT_TRUE(strlen(text) < size);
  }
}

XT_MAIN(XT_CASE(suggest, one_slip), XT_CASE(suggest, case_does_not_count),
        XT_CASE(suggest, long_words_may_have_more_slips), XT_CASE(suggest, nothing_when_nothing_is_close),
        XT_CASE(suggest, the_nearest_wins_and_among_equals_the_first),
        XT_CASE(suggest, absurdly_long_words_are_harmless), XT_CASE(suggest, distance_is_symmetric),
        XT_CASE(words, live_in_structs), XT_CASE(text, short_list_is_written_out),
        XT_CASE(text, nearest_is_quoted), XT_CASE(text, never_writes_past_the_buffer))
