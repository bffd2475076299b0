// Memory plumbing: every heap block of the library is asked for here, through the caller's hooks or the
// default ones. A NULL allocator always means the default. All calls are thread-safe when the hooks are.
#pragma once

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "corten/base.h"
#include "corten/error.h"

// Alignment good for every type that is not over-aligned.
#define CTI_ALIGN_ANY alignof(max_align_t)

// malloc and free behind the hooks' shape. Never NULL.
const ctAllocator* cti_allocator_default(void);

// `size` bytes, not initialised, aligned to `align` (a power of two). A size of 0 gives a block of one byte,
// so that NULL always means that memory ran out. Release with cti_release().
void* cti_alloc(const ctAllocator* a, size_t size, size_t align);

// Room for `count` items of `size` bytes, all zero; NULL when memory runs out or the product overflows.
void* cti_alloc_array(const ctAllocator* a, size_t count, size_t size);

// A longer (or shorter) copy of an array: items beyond `old_count` are zero and the old block is released.
// On failure NULL comes back and the old block is untouched. `old` may be NULL when `old_count` is 0.
void* cti_realloc_array(const ctAllocator* a, void* old, size_t old_count, size_t count, size_t size);

// Give back a block from any of the above; NULL is ignored. `a` must be the allocator it came from.
void cti_release(const ctAllocator* a, void* block);

#define CTI_ALLOC(allocator, T, count) ((T*)cti_alloc_array((allocator), (size_t)(count), sizeof(T)))

// ---- sizes

// Counts that come from a file are added and multiplied in 64 bits, and nothing wraps: a result above
// CTI_SIZE_MAX stays there, which no limit allows. Neither number may be negative.
#define CTI_SIZE_MAX (INT64_MAX / 2)

static inline int64_t cti_size_add(int64_t a, int64_t b) {
  return a > CTI_SIZE_MAX - b ? CTI_SIZE_MAX : a + b;
}
static inline int64_t cti_size_mul(int64_t a, int64_t b) {
  return b > 0 && a > CTI_SIZE_MAX / b ? CTI_SIZE_MAX : a * b;
}

// ---- budgets

// What the regions of one load may take together. Every byte that is read from a file earns some more, so
// that a large model may be large and a small file may not.
typedef struct ctiBudget {
  size_t limit;    // bytes, SIZE_MAX: none
  size_t used;     // by the regions that are charged to it
  size_t earned;   // part of the limit that files gave
  size_t refused;  // bytes of the last request that went beyond, 0 when there was none
  bool fixed;      // reading earns nothing: the limit was given
} ctiBudget;

#define CTI_BUDGET_DEFAULT  ((size_t)256 << 20)
#define CTI_BUDGET_PER_BYTE 512

// A budget of `limit` bytes; 0 stands for the default, which grows with what is read.
ctiBudget cti_budget(size_t limit);
// `bytes` of a file were read.
void cti_budget_earn(ctiBudget* budget, size_t bytes);
// What reading has earned `from` counts for `to` as well: its contents move there.
void cti_budget_take_over(ctiBudget* to, const ctiBudget* from);
// Whether `bytes` more are allowed; notes the request when they are not.
bool cti_budget_allows(ctiBudget* budget, size_t bytes);

// ---- regions

// Memory for objects that are built piece by piece and die together (specs, XML trees).
// Allocation moves a pointer; nothing is released before the region is. A region belongs to one thread at a
// time.

typedef struct ctiRegion ctiRegion;

// NULL when memory runs out. `a` NULL means the default allocator.
ctiRegion* cti_region_create(const ctAllocator* a);

// What the region takes, and has taken, is charged to a budget, which must outlive it or live in it. A
// request that the budget does not allow is answered as if memory had run out.
void cti_region_charge(ctiRegion* region, ctiBudget* budget);

// Release everything allocated from the region, and the region. NULL is ignored.
void cti_region_free(ctiRegion* region);

// `size` zero bytes aligned to `align` (a power of two); NULL when memory runs out. A size of 0 gives a
// pointer that is valid but must not be written to.
void* cti_region_alloc(ctiRegion* region, size_t size, size_t align);

// Room for `count` zeroed items of `size` bytes; the product may not overflow (NULL then).
void* cti_region_array(ctiRegion* region, size_t count, size_t size, size_t align);

// Copies of text, zero-terminated; NULL when memory runs out.
char* cti_region_strdup(ctiRegion* region, const char* text);
char* cti_region_strndup(ctiRegion* region, const char* text, size_t size);
char* cti_region_printf(ctiRegion* region, const char* format, ...) CTI_PRINTF(2, 3);

// The region dressed as an allocator, for arrays and maps that shall live in it. Its `release` does nothing.
// Valid as long as the region.
const ctAllocator* cti_region_allocator(ctiRegion* region);

#define CTI_NEW(region, T) ((T*)cti_region_alloc((region), sizeof(T), alignof(T)))
#define CTI_NEW_ARRAY(region, T, count) \
  ((T*)cti_region_array((region), (size_t)(count), sizeof(T), alignof(T)))

// ---- growing arrays

// For the build half: a struct of pointer, count and capacity, typed by macro.
//
//   typedef CTI_ARRAY(double) Doubles;
//   Doubles list = {0};
//   CT_TRY(cti_array_push(&list, allocator, 2.5));
//   ... list.data[i], list.count ...
//   cti_array_free(&list, allocator);
//
// A zeroed struct is an empty array. Give the same allocator each time; one from cti_region_allocator() makes
// the array live in a region (what growth leaves behind is at most as large as the array itself). The macros
// evaluate `array` more than once.
#define CTI_ARRAY(T) \
  struct {           \
    T* data;         \
    int count;       \
    int capacity;    \
  }

// Make room for `needed` items in all. CT_OK, or CT_ERR_MEMORY (also for more items than an int can count);
// on failure the array is unchanged.
#define cti_array_reserve(array, allocator, needed)                                     \
  cti_array_reserve_items(&(array)->data, &(array)->capacity, (array)->count, (needed), \
                          sizeof(*(array)->data), (allocator))

// Append one item: CT_OK or CT_ERR_MEMORY.
#define cti_array_push(array, allocator, value)                                          \
  ((array)->count < (array)->capacity ||                                                 \
           cti_array_reserve((array), (allocator), (int64_t)(array)->count + 1) == CT_OK \
       ? ((array)->data[(array)->count++] = (value), CT_OK)                              \
       : CT_ERR_MEMORY)

// Append `n` items copied from `items` (a pointer of the same type).
#define cti_array_append(array, allocator, items, n)                                             \
  ((n) <= 0 ? CT_OK                                                                              \
   : cti_array_reserve((array), (allocator), (int64_t)(array)->count + (n)) == CT_OK             \
       ? (cti_array_copy_items((array)->data + (array)->count, 1 ? (items) : (array)->data, (n), \
                               sizeof(*(array)->data)),                                          \
          (array)->count += (int)(n), CT_OK)                                                     \
       : CT_ERR_MEMORY)

// Release the items and make the array empty.
#define cti_array_free(array, allocator) \
  (cti_release((allocator), (array)->data), (array)->data = NULL, (array)->count = 0, (array)->capacity = 0)

// Behind the macros. `data_slot` is the address of the typed pointer.
ctStatus cti_array_reserve_items(void* data_slot, int* capacity, int count, int64_t needed, size_t item_size,
                                 const ctAllocator* a);
void cti_array_copy_items(void* to, const void* from, int64_t count, size_t item_size);
