// A list of keys in scratch memory that grows by doubling: pairs of bodies, pairs of geoms. Step code.
#pragma once

#include "data/arena.h"
#include "math/sort.h"

typedef struct ctiKeys {
  uint64_t* at;
  int n, capacity;
  bool full;  // the arena had no room: later keys were dropped
} ctiKeys;

// Two indices as one key that sorts by the first, then the second.
CT_INLINE uint64_t cti_key(int first, int second) {
  return ((uint64_t)(uint32_t)first << 32) | (uint32_t)second;
}
CT_INLINE int cti_key_first(uint64_t key) {
  return (int)(key >> 32);
}
CT_INLINE int cti_key_second(uint64_t key) {
  return (int)(key & 0xffffffffu);
}

CT_FN void cti_keys_push(ctData* d, ctiKeys* list, uint64_t key);

// Ascending order.
CT_FN void cti_keys_sort(ctData* d, ctiKeys* list);
