#include "base/alloc.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
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

// ---- budgets

ctiBudget cti_budget(size_t limit) {
  return (ctiBudget){.limit = limit ? limit : CTI_BUDGET_DEFAULT, .fixed = limit != 0};
}

void cti_budget_earn(ctiBudget* budget, size_t bytes) {
  if (budget->fixed) return;
  size_t earned = bytes > SIZE_MAX / CTI_BUDGET_PER_BYTE ? SIZE_MAX : bytes * CTI_BUDGET_PER_BYTE;
  if (earned > SIZE_MAX - budget->limit) earned = SIZE_MAX - budget->limit;
  budget->limit += earned;
  budget->earned += earned;
}

void cti_budget_take_over(ctiBudget* to, const ctiBudget* from) {
  size_t earned = to->fixed ? 0 : from->earned;
  if (earned > SIZE_MAX - to->limit) earned = SIZE_MAX - to->limit;
  to->limit += earned;
  to->earned += earned;
}

bool cti_budget_allows(ctiBudget* budget, size_t bytes) {
  if (budget->used <= budget->limit && bytes <= budget->limit - budget->used) return true;
  budget->refused = bytes;
  return false;
}

// ---- regions

// Blocks double in size between these, so that small regions stay small and large ones need few blocks.
enum { FIRST_BLOCK = 4 << 10, LAST_BLOCK = 1 << 20 };

typedef struct Block {
  struct Block* next;
} Block;

// Blocks start with their header; items follow at an offset that keeps every ordinary alignment.
#define BLOCK_HEADER ((sizeof(Block) + CTI_ALIGN_ANY - 1) / CTI_ALIGN_ANY * CTI_ALIGN_ANY)

struct ctiRegion {
  ctAllocator source;  // where blocks come from
  ctAllocator self;    // the region as an allocator
  Block* blocks;       // all blocks, newest first
  char* cursor;        // free part of the current block
  size_t room;
  size_t next_size;
  size_t bytes;       // of all blocks
  ctiBudget* budget;  // may be NULL
};

static void* self_alloc(void* context, size_t size, size_t align) {
  return cti_region_alloc((ctiRegion*)context, size, align);
}

static void self_release(void* context, void* block) {
  (void)context;  // memory returns with the whole region
  (void)block;
}

ctiRegion* cti_region_create(const ctAllocator* a) {
  ctiRegion* region = CTI_ALLOC(a, ctiRegion, 1);
  if (!region) return NULL;
  region->source = a ? *a : *cti_allocator_default();
  region->self = (ctAllocator){self_alloc, self_release, region};
  region->next_size = FIRST_BLOCK;
  return region;
}

void cti_region_charge(ctiRegion* region, ctiBudget* budget) {
  region->budget = budget;
  budget->used += region->bytes;
}

void cti_region_free(ctiRegion* region) {
  if (!region) return;
  if (region->budget) region->budget->used -= region->bytes;
  const ctAllocator source = region->source;
  Block* block = region->blocks;
  while (block) {
    Block* next = block->next;
    cti_release(&source, block);
    block = next;
  }
  cti_release(&source, region);
}

// A new block with room for `size` bytes, in the list; NULL when memory runs out.
static char* add_block(ctiRegion* region, size_t size) {
  if (size > SIZE_MAX - BLOCK_HEADER) return NULL;
  if (region->budget && !cti_budget_allows(region->budget, BLOCK_HEADER + size)) return NULL;
  Block* block = (Block*)cti_alloc(&region->source, BLOCK_HEADER + size, CTI_ALIGN_ANY);
  if (!block) return NULL;
  block->next = region->blocks;
  region->blocks = block;
  region->bytes += BLOCK_HEADER + size;
  if (region->budget) region->budget->used += BLOCK_HEADER + size;
  return (char*)block + BLOCK_HEADER;
}

static size_t padding(const char* p, size_t align) {
  return (size_t)(-(uintptr_t)p & (align - 1));
}

void* cti_region_alloc(ctiRegion* region, size_t size, size_t align) {
  if (size > SIZE_MAX / 2 || align > SIZE_MAX / 4) return NULL;
  size_t pad = padding(region->cursor, align);
  char* item = NULL;

  if (region->cursor && pad <= region->room && size <= region->room - pad) {
    item = region->cursor + pad;
    region->cursor += pad + size;
    region->room -= pad + size;
  } else if (size + align > region->next_size / 2) {
    // A large item gets a block of its own; the current block goes on serving small ones.
    char* block = add_block(region, size + align - 1);
    if (!block) return NULL;
    pad = padding(block, align);
    item = block + pad;
  } else {
    char* block = add_block(region, region->next_size);
    if (!block) return NULL;
    pad = padding(block, align);
    item = block + pad;
    region->cursor = item + size;
    region->room = region->next_size - pad - size;
    if (region->next_size < LAST_BLOCK) region->next_size *= 2;
  }
  memset(item, 0, size);
  return item;
}

void* cti_region_array(ctiRegion* region, size_t count, size_t size, size_t align) {
  if (size > 0 && count > SIZE_MAX / size) return NULL;
  return cti_region_alloc(region, count * size, align);
}

char* cti_region_strndup(ctiRegion* region, const char* text, size_t size) {
  if (size == SIZE_MAX) return NULL;
  char* copy = (char*)cti_region_alloc(region, size + 1, 1);
  if (copy) memcpy(copy, text, size);
  return copy;
}

char* cti_region_strdup(ctiRegion* region, const char* text) {
  return cti_region_strndup(region, text, strlen(text));
}

char* cti_region_printf(ctiRegion* region, const char* format, ...) {
  va_list args;
  va_start(args, format);
  int length = cti_vformat(NULL, 0, format, args);
  va_end(args);
  if (length < 0) return NULL;

  char* text = (char*)cti_region_alloc(region, (size_t)length + 1, 1);
  if (!text) return NULL;
  va_start(args, format);
  cti_vformat(text, (size_t)length + 1, format, args);
  va_end(args);
  return text;
}

const ctAllocator* cti_region_allocator(ctiRegion* region) {
  return &region->self;
}

// ---- growing arrays

ctStatus cti_array_reserve_items(void* data_slot, int* capacity, int count, int64_t needed, size_t item_size,
                                 const ctAllocator* a) {
  if (needed <= *capacity) return CT_OK;
  if (needed > INT_MAX) return CT_ERR_MEMORY;

  // Doubling keeps the cost of n pushes linear.
  int64_t grown = *capacity > 0 ? 2 * (int64_t)*capacity : 8;
  if (grown < needed) grown = needed;
  if (grown > INT_MAX) grown = INT_MAX;

  void* data = NULL;  // the typed pointer is read and written as bytes, whatever its type
  memcpy(&data, data_slot, sizeof(data));
  data = cti_realloc_array(a, data, (size_t)count, (size_t)grown, item_size);
  if (!data) return CT_ERR_MEMORY;
  memcpy(data_slot, &data, sizeof(data));
  *capacity = (int)grown;
  return CT_OK;
}

void cti_array_copy_items(void* to, const void* from, int64_t count, size_t item_size) {
  if (count > 0) memcpy(to, from, (size_t)count * item_size);
}
