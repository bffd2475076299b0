#include "base/alloc.h"
#include "xt.h"
#include "xt_alloc.h"

XT_TEST(region, items_are_zero_aligned_and_apart) {
  XT_UNUSED;
  ctiRegion* r = cti_region_create(NULL);
  xtRng rng = xt_rng(1);
  enum { N = 3000 };
  static unsigned char* items[N];
  static size_t sizes[N];
  for (int i = 0; i < N; i++) {
    size_t align = (size_t)1 << (xt_bits(&rng) % 8);
    sizes[i] = (size_t)(xt_bits(&rng) % (i % 100 == 0 ? 20000 : 60));
    items[i] = (unsigned char*)cti_region_alloc(r, sizes[i], align);
    XT_TRUE(items[i] != NULL);
    XT_INT((uintptr_t)items[i] % align, 0);
    for (size_t k = 0; k < sizes[i]; k++) XT_INT(items[i][k], 0);
    memset(items[i], i & 0xff, sizes[i]);
  }
  for (int i = 0; i < N; i++) {
    for (size_t k = 0; k < sizes[i]; k++) XT_INT(items[i][k], i & 0xff);
  }
  cti_region_free(r);
}
XT_TEST(region, small_items_share_blocks) {
  XT_UNUSED;
  xtAlloc counter = {0};
  ctAllocator a = xt_allocator(&counter);
  ctiRegion* r = cti_region_create(&a);
  for (int i = 0; i < 100000; i++) XT_TRUE(cti_region_alloc(r, 32, 8) != NULL);
  XT_TRUE(counter.calls < 16);
  cti_region_free(r);
  XT_INT(counter.held, 0);
}
XT_TEST(region, large_item_does_not_waste_the_current_block) {
  XT_UNUSED;
  xtAlloc counter = {0};
  ctAllocator a = xt_allocator(&counter);
  ctiRegion* r = cti_region_create(&a);
  char* first = (char*)cti_region_alloc(r, 8, 8);
  cti_region_alloc(r, 1 << 22, 8);
  char* second = (char*)cti_region_alloc(r, 8, 8);
  XT_TRUE(second == first + 8);
  cti_region_free(r);
  XT_INT(counter.held, 0);
}
XT_TEST(region, copies_and_formats_text) {
  XT_UNUSED;
  ctiRegion* r = cti_region_create(NULL);
  XT_TEXT(cti_region_strdup(r, "hello"), "hello");
  XT_TEXT(cti_region_strdup(r, ""), "");
  XT_TEXT(cti_region_strndup(r, "hello", 2), "he");
  XT_TEXT(cti_region_printf(r, "%s-%d", "x", 42), "x-42");
  char* longer = cti_region_printf(r, "%*d", 100000, 1);
  XT_INT(strlen(longer), 100000);
  cti_region_free(r);
}
XT_TEST(region, absurd_sizes_fail_cleanly) {
  XT_UNUSED;
  ctiRegion* r = cti_region_create(NULL);
  XT_TRUE(cti_region_alloc(r, SIZE_MAX, 8) == NULL);
  XT_TRUE(cti_region_alloc(r, SIZE_MAX - 64, 8) == NULL);
  XT_TRUE(cti_region_array(r, SIZE_MAX / 2, 4, 8) == NULL);
  XT_TRUE(cti_region_strndup(r, "", SIZE_MAX) == NULL);
  XT_TRUE(cti_region_alloc(r, 8, 8) != NULL);
  cti_region_free(r);
}
XT_TEST(region, every_failure_is_null_and_leaks_nothing) {
  XT_UNUSED;
  for (int fail = 1; fail < 20; fail++) {
    xtAlloc counter = {.fail_at = fail};
    ctAllocator a = xt_allocator(&counter);
    ctiRegion* r = cti_region_create(&a);
    if (r) {
      int failures = 0;
      for (int i = 0; i < 2000; i++) failures += cti_region_alloc(r, (size_t)i, 8) == NULL;
      XT_TRUE(failures <= 1);  // one failing call spoils one item; the region goes on
      failures += cti_region_printf(r, "%s", "text") == NULL;
    } else {
      XT_INT(fail, 1);
    }
    cti_region_free(r);
    XT_INT(counter.held, 0);
  }
}
XT_TEST(region, serves_as_an_allocator) {
  XT_UNUSED;
  ctiRegion* r = cti_region_create(NULL);
  const ctAllocator* a = cti_region_allocator(r);
  int* p = CTI_ALLOC(a, int, 10);
  p = (int*)cti_realloc_array(a, p, 10, 20, sizeof(int));
  XT_TRUE(p != NULL);
  cti_release(a, p);
  for (int i = 0; i < 20; i++) XT_INT(p[i], 0);  // still there: the region keeps it
  cti_region_free(r);
}
XT_TEST(region, freeing_null_does_nothing) {
  XT_UNUSED;
  cti_region_free(NULL);
}

XT_MAIN(XT_CASE(region, items_are_zero_aligned_and_apart), XT_CASE(region, small_items_share_blocks),
        XT_CASE(region, large_item_does_not_waste_the_current_block),
        XT_CASE(region, copies_and_formats_text), XT_CASE(region, absurd_sizes_fail_cleanly),
        XT_CASE(region, every_failure_is_null_and_leaks_nothing), XT_CASE(region, serves_as_an_allocator),
        XT_CASE(region, freeing_null_does_nothing))
