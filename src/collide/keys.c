#include "collide/keys.h"

#define KEYS_LESS(x, y, context) ((x) < (y))
CTI_DEFINE_SORT(keys_sort, uint64_t, void*, KEYS_LESS)

CT_FN void cti_keys_push(ctData* d, ctiKeys* list, uint64_t key) {
  if (list->n == list->capacity) {
    int capacity = list->capacity ? 2 * list->capacity : 64;
    uint64_t* at = list->full ? (uint64_t*)0 : CTI_SCRATCH(d, uint64_t, capacity, "collision.pairs");
    if (!at) {
      list->full = true;
      return;
    }
    for (int i = 0; i < list->n; i++) at[i] = list->at[i];
    list->at = at;
    list->capacity = capacity;
  }
  list->at[list->n++] = key;
}

CT_FN void cti_keys_sort(ctData* d, ctiKeys* list) {
  bool sorted = true;
  for (int i = 1; i < list->n && sorted; i++) sorted = list->at[i - 1] <= list->at[i];
  if (sorted) return;
  size_t mark = cti_scratch_mark(d);
  uint64_t* other = CTI_SCRATCH(d, uint64_t, list->n, "collision.sort");
  if (other) {
    keys_sort(list->at, list->n, other, (void*)0);
  } else {
    list->full = true;
    list->n = 0;  // without order there are no contacts rather than contacts in another order
  }
  cti_scratch_release(d, mark);
}
