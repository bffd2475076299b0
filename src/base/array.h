// Growable arrays for the build half: a struct of pointer, count and capacity, typed by macro.
//   typedef CTI_ARRAY(double) Doubles;
//   Doubles list = {0};
//   CT_TRY(cti_array_push(&list, allocator, 2.5));
//   ... list.data[i], list.count ...
//   cti_array_free(&list, allocator);
// A zeroed struct is an empty array. Give the same allocator each time; one from cti_region_allocator() makes
// the array live in a region (what growth leaves behind is at most as large as the array itself). The macros
// evaluate `array` more than once.
#pragma once

#include "base/alloc.h"
#include "corten/error.h"

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
