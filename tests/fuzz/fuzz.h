// What the fuzzers share: an allocator that has an end, and counts what is not given back.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "corten/corten.h"

// One input. Never fails: what is wrong aborts.
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#define FUZZ_BUDGET ((size_t)64 << 20)

// Bytes and blocks that are out.
typedef struct FuzzHeap {
  size_t bytes, blocks;
} FuzzHeap;

// In front of each block; as long as the strictest alignment.
typedef union FuzzHead {
  size_t size;
  char pad[64];
} FuzzHead;

static inline void* fuzz_alloc(void* context, size_t size, size_t align) {
  FuzzHeap* heap = (FuzzHeap*)context;
  if (align > sizeof(FuzzHead) || size > FUZZ_BUDGET - heap->bytes) return NULL;
  FuzzHead* head = (FuzzHead*)aligned_alloc(
      sizeof(FuzzHead), (size + 2 * sizeof(FuzzHead) - 1) / sizeof(FuzzHead) * sizeof(FuzzHead));
  if (!head) return NULL;
  head->size = size;
  heap->bytes += size;
  heap->blocks++;
  return head + 1;
}

static inline void fuzz_release(void* context, void* block) {
  FuzzHeap* heap = (FuzzHeap*)context;
  if (!block) return;
  FuzzHead* head = (FuzzHead*)block - 1;
  heap->bytes -= head->size;
  heap->blocks--;
  free(head);
}

static inline ctAllocator fuzz_allocator(FuzzHeap* heap) {
  return (ctAllocator){.alloc = fuzz_alloc, .release = fuzz_release, .context = heap};
}

#define FUZZ_CHECK(condition)                                                  \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: %s is false\n", __FILE__, __LINE__, #condition); \
      abort();                                                                 \
    }                                                                          \
  } while (0)
