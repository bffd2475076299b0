#include "base/alloc.h"
#include "xt.h"
#include "xt_alloc.h"

// ---- alloc

XT_TEST(alloc, default_allocator_honours_every_alignment) {
  for (size_t align = 1; align <= 4096; align *= 2) {
    for (size_t size = 1; size < 200; size += 33) {
      void* p = cti_alloc(NULL, size, align);
      XT_TRUE(p != NULL);
      XT_INT((uintptr_t)p % align, 0);
      memset(p, 0xab, size);
      cti_release(NULL, p);
    }
  }
}
XT_TEST(alloc, size_zero_gives_a_block) {
  void* p = cti_alloc(NULL, 0, 1);
  XT_TRUE(p != NULL);
  cti_release(NULL, p);
  p = cti_alloc_array(NULL, 0, 8);
  XT_TRUE(p != NULL);
  cti_release(NULL, p);
}
XT_TEST(alloc, array_is_zero) {
  int* p = CTI_ALLOC(NULL, int, 1000);
  for (int i = 0; i < 1000; i++) XT_INT(p[i], 0);
  cti_release(NULL, p);
}
XT_TEST(alloc, overflowing_product_is_refused) {
  XT_TRUE(cti_alloc_array(NULL, SIZE_MAX / 2, 3) == NULL);
  XT_TRUE(cti_realloc_array(NULL, NULL, 0, SIZE_MAX / 2, 3) == NULL);
  XT_TRUE(cti_alloc(NULL, SIZE_MAX - 8, 64) == NULL);
}
XT_TEST(alloc, realloc_keeps_items_and_zeroes_new_ones) {
  xtAlloc counter = {0};
  ctAllocator a = xt_allocator(&counter);
  int* p = CTI_ALLOC(&a, int, 3);
  p[0] = 1, p[1] = 2, p[2] = 3;
  p = (int*)cti_realloc_array(&a, p, 3, 5, sizeof(int));
  const int grown[] = {1, 2, 3, 0, 0};
  XT_SAME(p, grown, 5);
  p = (int*)cti_realloc_array(&a, p, 5, 2, sizeof(int));
  XT_SAME(p, grown, 2);
  XT_INT(counter.held, 1);
  cti_release(&a, p);
  XT_INT(counter.held, 0);
}
XT_TEST(alloc, failed_realloc_leaves_the_old_block) {
  xtAlloc counter = {.fail_at = 2};
  ctAllocator a = xt_allocator(&counter);
  int* p = CTI_ALLOC(&a, int, 1);
  p[0] = 7;
  XT_TRUE(cti_realloc_array(&a, p, 1, 100, sizeof(int)) == NULL);
  XT_INT(p[0], 7);
  cti_release(&a, p);
  XT_INT(counter.held, 0);
}
XT_TEST(alloc, releasing_null_does_nothing) {
  cti_release(NULL, NULL);
}

// ---- array

typedef CTI_ARRAY(int) Ints;
typedef struct Pair {
  double x;
  char tag;
} Pair;

XT_TEST(array, push_keeps_order_and_values) {
  Ints list = {0};
  for (int i = 0; i < 1000; i++) XT_INT(cti_array_push(&list, NULL, i * i), CT_OK);
  XT_INT(list.count, 1000);
  for (int i = 0; i < 1000; i++) XT_INT(list.data[i], i * i);
  cti_array_free(&list, NULL);
  XT_TRUE(list.data == NULL && list.count == 0 && list.capacity == 0);
}
XT_TEST(array, holds_structs) {
  CTI_ARRAY(Pair) list = {0};
  for (int i = 0; i < 20; i++) {
    Pair pair = {i, 'a'};
    XT_INT(cti_array_push(&list, NULL, pair), CT_OK);
  }
  XT_TRUE(list.data[19].x == 19);
  cti_array_free(&list, NULL);
}
XT_TEST(array, append_copies_runs) {
  Ints list = {0};
  const int run[] = {1, 2, 3};
  for (int i = 0; i < 10; i++) XT_INT(cti_array_append(&list, NULL, run, 3), CT_OK);
  XT_INT(cti_array_append(&list, NULL, (const int*)NULL, 0), CT_OK);
  XT_INT(list.count, 30);
  XT_INT(list.data[28], 2);
  cti_array_free(&list, NULL);
}
XT_TEST(array, reserve_prevents_growth) {
  xtAlloc counter = {0};
  ctAllocator a = xt_allocator(&counter);
  Ints list = {0};
  XT_INT(cti_array_reserve(&list, &a, 500), CT_OK);
  for (int i = 0; i < 500; i++) XT_INT(cti_array_push(&list, &a, i), CT_OK);
  XT_INT(counter.calls, 1);
  cti_array_free(&list, &a);
  XT_INT(counter.held, 0);
}
XT_TEST(array, lives_in_a_region) {
  ctiRegion* r = cti_region_create(NULL);
  Ints list = {0};
  for (int i = 0; i < 1000; i++) XT_INT(cti_array_push(&list, cti_region_allocator(r), i), CT_OK);
  XT_INT(list.data[999], 999);
  cti_region_free(r);
}
XT_TEST(array, failure_leaves_the_items) {
  for (int fail = 1; fail < 6; fail++) {
    xtAlloc counter = {.fail_at = fail, .forever = true};
    ctAllocator a = xt_allocator(&counter);
    Ints list = {0};
    int pushed = 0;
    while (cti_array_push(&list, &a, pushed) == CT_OK) pushed++;
    XT_INT(pushed, fail == 1 ? 0 : 8 << (fail - 2));
    XT_INT(list.count, pushed);
    for (int i = 0; i < pushed; i++) XT_INT(list.data[i], i);
    XT_INT(cti_array_append(&list, &a, list.data, 3), CT_ERR_MEMORY);
    cti_array_free(&list, &a);
    XT_INT(counter.held, 0);
  }
}
XT_TEST(array, more_than_an_int_can_count_is_refused) {
  Ints list = {0};
  XT_INT(cti_array_reserve(&list, NULL, (int64_t)INT32_MAX + 1), CT_ERR_MEMORY);
  XT_TRUE(list.data == NULL);
}

// ---- region

XT_TEST(region, items_are_zero_aligned_and_apart) {
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
  xtAlloc counter = {0};
  ctAllocator a = xt_allocator(&counter);
  ctiRegion* r = cti_region_create(&a);
  for (int i = 0; i < 100000; i++) XT_TRUE(cti_region_alloc(r, 32, 8) != NULL);
  XT_TRUE(counter.calls < 16);
  cti_region_free(r);
  XT_INT(counter.held, 0);
}
XT_TEST(region, large_item_does_not_waste_the_current_block) {
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
  ctiRegion* r = cti_region_create(NULL);
  XT_TRUE(cti_region_alloc(r, SIZE_MAX, 8) == NULL);
  XT_TRUE(cti_region_alloc(r, SIZE_MAX - 64, 8) == NULL);
  XT_TRUE(cti_region_array(r, SIZE_MAX / 2, 4, 8) == NULL);
  XT_TRUE(cti_region_strndup(r, "", SIZE_MAX) == NULL);
  XT_TRUE(cti_region_alloc(r, 8, 8) != NULL);
  cti_region_free(r);
}
XT_TEST(region, every_failure_is_null_and_leaks_nothing) {
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
  cti_region_free(NULL);
}

XT_MAIN()
