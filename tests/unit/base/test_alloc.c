#include "base/alloc.h"
#include "xt.h"
#include "xt_alloc.h"

XT_TEST(alloc, default_allocator_honours_every_alignment) {
  XT_UNUSED;
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
  XT_UNUSED;
  void* p = cti_alloc(NULL, 0, 1);
  XT_TRUE(p != NULL);
  cti_release(NULL, p);
  p = cti_alloc_array(NULL, 0, 8);
  XT_TRUE(p != NULL);
  cti_release(NULL, p);
}
XT_TEST(alloc, array_is_zero) {
  XT_UNUSED;
  int* p = CTI_ALLOC(NULL, int, 1000);
  for (int i = 0; i < 1000; i++) XT_INT(p[i], 0);
  cti_release(NULL, p);
}
XT_TEST(alloc, overflowing_product_is_refused) {
  XT_UNUSED;
  XT_TRUE(cti_alloc_array(NULL, SIZE_MAX / 2, 3) == NULL);
  XT_TRUE(cti_realloc_array(NULL, NULL, 0, SIZE_MAX / 2, 3) == NULL);
  XT_TRUE(cti_alloc(NULL, SIZE_MAX - 8, 64) == NULL);
}
XT_TEST(alloc, realloc_keeps_items_and_zeroes_new_ones) {
  XT_UNUSED;
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
  XT_UNUSED;
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
  XT_UNUSED;
  cti_release(NULL, NULL);
}

XT_MAIN(XT_CASE(alloc, default_allocator_honours_every_alignment), XT_CASE(alloc, size_zero_gives_a_block),
        XT_CASE(alloc, array_is_zero), XT_CASE(alloc, overflowing_product_is_refused),
        XT_CASE(alloc, realloc_keeps_items_and_zeroes_new_ones),
        XT_CASE(alloc, failed_realloc_leaves_the_old_block), XT_CASE(alloc, releasing_null_does_nothing))
