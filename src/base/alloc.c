#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void* heap_alloc(void* context, size_t size, size_t align) {
  (void)context;
  if (align <= CTI_ALIGN_ANY) return malloc(size);
  if (size > SIZE_MAX - align) return NULL;
  return aligned_alloc(align,
                       (size + align - 1) & ~(align - 1));  // the size must be a multiple of the alignment
}

static void heap_release(void* context, void* block) {
  (void)context;
  free(block);
}

const ctAllocator* cti_allocator_default(void) {
  static const ctAllocator heap = {heap_alloc, heap_release, NULL};
  return &heap;
}

void* cti_alloc(const ctAllocator* a, size_t size, size_t align) {
  if (!a) a = cti_allocator_default();
  return a->alloc(a->context, size > 0 ? size : 1, align);
}

void* cti_alloc_array(const ctAllocator* a, size_t count, size_t size) {
  if (size > 0 && count > SIZE_MAX / size) return NULL;
  void* block = cti_alloc(a, count * size, CTI_ALIGN_ANY);
  if (block) memset(block, 0, count * size);
  return block;
}

void* cti_realloc_array(const ctAllocator* a, void* old, size_t old_count, size_t count, size_t size) {
  if (size > 0 && count > SIZE_MAX / size) return NULL;
  char* block = (char*)cti_alloc(a, count * size, CTI_ALIGN_ANY);
  if (!block) return NULL;
  size_t kept = (old_count < count ? old_count : count) * size;
  if (kept > 0) memcpy(block, old, kept);
  memset(block + kept, 0, count * size - kept);
  cti_release(a, old);
  return block;
}

void cti_release(const ctAllocator* a, void* block) {
  if (!block) return;
  if (!a) a = cti_allocator_default();
  a->release(a->context, block);
}
