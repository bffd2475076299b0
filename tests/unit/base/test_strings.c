#include "base/strings.h"
#include "xt.h"
#include "xt_alloc.h"

XT_TEST(text, comparisons) {
  XT_UNUSED;
  XT_TRUE(cti_text_equal("a", "a") && !cti_text_equal("a", "b") && !cti_text_equal("a", "ab"));
  XT_TRUE(cti_text_equal(NULL, NULL) && !cti_text_equal(NULL, "") && !cti_text_equal("", NULL));
  XT_TRUE(cti_text_equal_nocase("AbC", "aBc") && !cti_text_equal_nocase("ab", "abc"));
  XT_TRUE(!cti_text_equal_nocase("abc", "ab") && cti_text_equal_nocase(NULL, NULL));
  XT_TRUE(!cti_text_equal_nocase("@", "`") && !cti_text_equal_nocase("[", "{"));  // 32 apart, but no letters
  XT_TRUE(cti_text_starts("hello", "he") && cti_text_starts("x", "") && !cti_text_starts("h", "he"));
}
XT_TEST(token, splits_on_every_white_space) {
  XT_UNUSED;
  const char* cursor = " \t a\nbc\r\v\fd  ";
  const char* const expected[] = {"a", "bc", "d"};
  ctiToken token;
  for (int i = 0; i < 3; i++) {
    XT_TRUE(cti_token_next(&token, &cursor));
    XT_INT(token.end - token.begin, strlen(expected[i]));
    XT_TRUE(memcmp(token.begin, expected[i], strlen(expected[i])) == 0);
  }
  XT_TRUE(!cti_token_next(&token, &cursor));
  XT_TRUE(!cti_token_next(&token, &cursor));
}
XT_TEST(token, counts) {
  XT_UNUSED;
  XT_INT(cti_token_count(""), 0);
  XT_INT(cti_token_count("  \n"), 0);
  XT_INT(cti_token_count("1 2 3"), 3);
  XT_INT(cti_token_count(" 1\t\xc2\xa0 "), 2);  // a no-break space is not ASCII
}
XT_TEST(pool, equal_texts_have_one_address) {
  XT_UNUSED;
  ctiRegion* r = cti_region_create(NULL);
  ctiStrings pool;
  cti_strings_init(&pool, r);
  char copy[] = "body";
  const char* a = cti_intern(&pool, "body");
  XT_TRUE(a == cti_intern(&pool, copy));
  XT_TRUE(a == cti_intern_sized(&pool, "bodyguard", 4));
  XT_TRUE(a != cti_intern(&pool, "geom"));
  XT_TEXT(cti_intern(&pool, ""), "");
  char text[16];
  for (int i = 0; i < 1000; i++) {
    snprintf(text, sizeof(text), "%d", i);
    XT_TEXT(cti_intern(&pool, text), text);
  }
  XT_TRUE(a == cti_intern(&pool, "body"));
  cti_region_free(r);
}
XT_TEST(pool, every_failure_is_null) {
  XT_UNUSED;
  for (int fail = 1; fail < 8; fail++) {
    xtAlloc counter = {.fail_at = fail};
    ctAllocator a = xt_allocator(&counter);
    ctiRegion* r = cti_region_create(&a);
    if (r) {
      ctiStrings pool;
      cti_strings_init(&pool, r);
      int failures = 0;
      char text[16];
      for (int i = 0; i < 300; i++) {
        snprintf(text, sizeof(text), "%d", i);
        const char* copy = cti_intern(&pool, text);
        failures += copy == NULL;
        if (copy) XT_TEXT(copy, text);
      }
      XT_TRUE(failures <= 1);
    }
    cti_region_free(r);
    XT_INT(counter.held, 0);
  }
}

XT_MAIN(XT_CASE(text, comparisons), XT_CASE(token, splits_on_every_white_space), XT_CASE(token, counts),
        XT_CASE(pool, equal_texts_have_one_address), XT_CASE(pool, every_failure_is_null))
