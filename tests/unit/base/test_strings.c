#include "base/alloc.h"
#include "base/strings.h"
#include "xt.h"
#include "xt_alloc.h"

// ---- hash

XT_TEST(hash, equals_the_published_values) {
  XT_TRUE(cti_hash_text("") == 0xcbf29ce484222325u);
  XT_TRUE(cti_hash_text("a") == 0xaf63dc4c8601ec8cu);
  XT_TRUE(cti_hash_text("foobar") == 0x85944171f73967e8u);
  XT_TRUE(cti_hash_bytes("foobar", 3) == cti_hash_text("foo"));
}
XT_TEST(names, finds_what_was_added) {
  ctiRegion* r = cti_region_create(NULL);
  ctiNameMap map;
  cti_names_init(&map, cti_region_allocator(r));
  XT_INT(cti_names_find(&map, "a"), -1);
  for (int i = 0; i < 5000; i++) XT_INT(cti_names_add(&map, cti_region_printf(r, "body%d", i), i), CT_OK);
  XT_INT(map.count, 5000);
  for (int i = 0; i < 5000; i++) XT_INT(cti_names_find(&map, cti_region_printf(r, "body%d", i)), i);
  XT_INT(cti_names_find(&map, "body5000"), -1);
  XT_INT(cti_names_find(&map, ""), -1);
  cti_region_free(r);
}
XT_TEST(names, duplicate_is_reported_and_the_first_stays) {
  ctiNameMap map;
  cti_names_init(&map, NULL);
  XT_INT(cti_names_add(&map, "arm", 1), CT_OK);
  XT_INT(cti_names_add(&map, "arm", 2), CT_ERR_INVALID);
  XT_INT(cti_names_find(&map, "arm"), 1);
  XT_INT(map.count, 1);
  cti_names_free(&map);
}
XT_TEST(names, empty_name_and_zero_bytes_are_names) {
  ctiNameMap map;
  cti_names_init(&map, NULL);
  XT_INT(cti_names_add(&map, "", 5), CT_OK);
  XT_INT(cti_names_add_sized(&map, "a\0b", 3, 6), CT_OK);
  XT_INT(cti_names_add_sized(&map, "a\0c", 3, 7), CT_OK);
  XT_INT(cti_names_find(&map, ""), 5);
  XT_INT(cti_names_lookup(&map, "a\0b", 3)->value, 6);
  XT_TRUE(cti_names_lookup(&map, "a", 1) == NULL);
  cti_names_free(&map);
}
XT_TEST(names, failure_leaves_the_map_and_leaks_nothing) {
  static char names[200][16];
  for (int i = 0; i < 200; i++) snprintf(names[i], sizeof(names[i]), "n%d", i);
  for (int fail = 1; fail < 8; fail++) {
    xtAlloc counter = {.fail_at = fail};
    ctAllocator a = xt_allocator(&counter);
    ctiNameMap map;
    cti_names_init(&map, &a);
    for (int i = 0; i < 200; i++) {
      ctStatus status = cti_names_add(&map, names[i], i);
      if (status != CT_OK) {
        XT_INT(status, CT_ERR_MEMORY);
        XT_INT(cti_names_find(&map, names[i]), -1);
        XT_INT(cti_names_add(&map, names[i], i), CT_OK);  // the next try succeeds
      }
    }
    for (int i = 0; i < 200; i++) XT_INT(cti_names_find(&map, names[i]), i);
    cti_names_free(&map);
    XT_INT(counter.held, 0);
  }
}

// ---- strings

XT_TEST(text, comparisons) {
  XT_TRUE(cti_text_equal("a", "a") && !cti_text_equal("a", "b") && !cti_text_equal("a", "ab"));
  XT_TRUE(cti_text_equal(NULL, NULL) && !cti_text_equal(NULL, "") && !cti_text_equal("", NULL));
  XT_TRUE(cti_text_equal_nocase("AbC", "aBc") && !cti_text_equal_nocase("ab", "abc"));
  XT_TRUE(!cti_text_equal_nocase("abc", "ab") && cti_text_equal_nocase(NULL, NULL));
  XT_TRUE(!cti_text_equal_nocase("@", "`") && !cti_text_equal_nocase("[", "{"));  // 32 apart, but no letters
  XT_TRUE(cti_text_starts("hello", "he") && cti_text_starts("x", "") && !cti_text_starts("h", "he"));
}
XT_TEST(token, splits_on_every_white_space) {
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
  XT_INT(cti_token_count(""), 0);
  XT_INT(cti_token_count("  \n"), 0);
  XT_INT(cti_token_count("1 2 3"), 3);
  XT_INT(cti_token_count(" 1\t\xc2\xa0 "), 2);  // a no-break space is not ASCII
}
XT_TEST(pool, equal_texts_have_one_address) {
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

XT_MAIN()
