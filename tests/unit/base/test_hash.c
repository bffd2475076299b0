#include "base/alloc.h"
#include "base/strings.h"
#include "xt.h"
#include "xt_alloc.h"

XT_TEST(hash, equals_the_published_values) {
  XT_UNUSED;
  XT_TRUE(cti_hash_text("") == 0xcbf29ce484222325u);
  XT_TRUE(cti_hash_text("a") == 0xaf63dc4c8601ec8cu);
  XT_TRUE(cti_hash_text("foobar") == 0x85944171f73967e8u);
  XT_TRUE(cti_hash_bytes("foobar", 3) == cti_hash_text("foo"));
}
XT_TEST(names, finds_what_was_added) {
  XT_UNUSED;
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
  XT_UNUSED;
  ctiNameMap map;
  cti_names_init(&map, NULL);
  XT_INT(cti_names_add(&map, "arm", 1), CT_OK);
  XT_INT(cti_names_add(&map, "arm", 2), CT_ERR_INVALID);
  XT_INT(cti_names_find(&map, "arm"), 1);
  XT_INT(map.count, 1);
  cti_names_free(&map);
}
XT_TEST(names, empty_name_and_zero_bytes_are_names) {
  XT_UNUSED;
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
  XT_UNUSED;
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

XT_MAIN(XT_CASE(hash, equals_the_published_values), XT_CASE(names, finds_what_was_added),
        XT_CASE(names, duplicate_is_reported_and_the_first_stays),
        XT_CASE(names, empty_name_and_zero_bytes_are_names),
        XT_CASE(names, failure_leaves_the_map_and_leaks_nothing))
