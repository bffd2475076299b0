#include "base/array.h"

#include <limits.h>
#include <string.h>

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
