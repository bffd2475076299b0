#include "base/alloc.h"
#include "xt.h"
#include "xt_alloc.h"

typedef CTI_ARRAY(int) Ints;
typedef struct Pair {
  double x;
  char tag;
} Pair;

XT_TEST(array, push_keeps_order_and_values) {
  XT_UNUSED;
  Ints list = {0};
  for (int i = 0; i < 1000; i++) XT_INT(cti_array_push(&list, NULL, i * i), CT_OK);
  XT_INT(list.count, 1000);
  for (int i = 0; i < 1000; i++) XT_INT(list.data[i], i * i);
  cti_array_free(&list, NULL);
  XT_TRUE(list.data == NULL && list.count == 0 && list.capacity == 0);
}
XT_TEST(array, holds_structs) {
  XT_UNUSED;
  CTI_ARRAY(Pair) list = {0};
  for (int i = 0; i < 20; i++) {
    Pair pair = {i, 'a'};
    XT_INT(cti_array_push(&list, NULL, pair), CT_OK);
  }
  XT_TRUE(list.data[19].x == 19);
  cti_array_free(&list, NULL);
}
XT_TEST(array, append_copies_runs) {
  XT_UNUSED;
  Ints list = {0};
  const int run[] = {1, 2, 3};
  for (int i = 0; i < 10; i++) XT_INT(cti_array_append(&list, NULL, run, 3), CT_OK);
  XT_INT(cti_array_append(&list, NULL, (const int*)NULL, 0), CT_OK);
  XT_INT(list.count, 30);
  XT_INT(list.data[28], 2);
  cti_array_free(&list, NULL);
}
XT_TEST(array, reserve_prevents_growth) {
  XT_UNUSED;
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
  XT_UNUSED;
  ctiRegion* r = cti_region_create(NULL);
  Ints list = {0};
  for (int i = 0; i < 1000; i++) XT_INT(cti_array_push(&list, cti_region_allocator(r), i), CT_OK);
  XT_INT(list.data[999], 999);
  cti_region_free(r);
}
XT_TEST(array, failure_leaves_the_items) {
  XT_UNUSED;
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
  XT_UNUSED;
  Ints list = {0};
  XT_INT(cti_array_reserve(&list, NULL, (int64_t)INT32_MAX + 1), CT_ERR_MEMORY);
  XT_TRUE(list.data == NULL);
}

XT_MAIN(XT_CASE(array, push_keeps_order_and_values), XT_CASE(array, holds_structs),
        XT_CASE(array, append_copies_runs), XT_CASE(array, reserve_prevents_growth),
        XT_CASE(array, lives_in_a_region), XT_CASE(array, failure_leaves_the_items),
        XT_CASE(array, more_than_an_int_can_count_is_refused))
