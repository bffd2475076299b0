// An allocator for tests: counts what is held, and fails from a chosen call on.
#pragma once

#include <stdlib.h>

#include "corten/base.h"

typedef struct xtAlloc {
  int calls;    // blocks asked for so far
  int held;     // blocks not released yet
  int fail_at;  // this call fails (1-based), and all after it when `forever`; 0: none
  bool forever;
} xtAlloc;

static inline void* xt_alloc_take(void* context, size_t size, size_t align) {
  xtAlloc* a = (xtAlloc*)context;
  a->calls++;
  if (a->fail_at > 0 && (a->calls == a->fail_at || (a->forever && a->calls > a->fail_at))) return NULL;
  a->held++;
  return aligned_alloc(align, (size + align - 1) / align * align);
}
static inline void xt_alloc_give(void* context, void* block) {
  if (!block) return;
  ((xtAlloc*)context)->held--;
  free(block);
}
static inline ctAllocator xt_allocator(xtAlloc* a) {
  return (ctAllocator){xt_alloc_take, xt_alloc_give, a};
}
