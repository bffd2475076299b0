// Where the arrays of a data lie. Step code: a GPU world lays itself out in the same way.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Bytes of the fixed arrays of a model's data.
CT_FN size_t cti_data_array_bytes(const ctModel* m);

// Point the arrays of `d` into `block`, which has cti_data_array_bytes() bytes.
CT_FN void cti_data_lay_out(const ctModel* m, ctData* d, ctByte* block);

// Forget the arrays in the arena: every step begins with an empty one.
CT_FN void cti_data_clear_arena(ctData* d);

#ifndef __cplusplus
#include "model/fields.h"

// Whether both are there and the data is one of the model, or of another with the same sizes.
static inline bool cti_data_fits(const ctModel* m, const ctData* d) {
  return m && d && m->sizes_id == d->sizes_id;
}

// Bytes that a data of a model with these sizes takes at most, without its arena.
int64_t cti_data_measure(const ctModel* sizes, ctiLargest* largest);
#endif

// ---- back to a known state. Step code: a GPU world resets itself ----

// Default state: everything computed becomes zero, warnings and timers too. The arena keeps its size.
CT_FN void cti_data_reset(const ctModel* m, ctData* d);

// The references of yielding springs that the model starts with.
CT_FN void cti_plastic_reference(ctReal* plastic, const ctModel* m);

// The state of a keyframe, on top of a reset.
CT_FN void cti_data_set_keyframe(const ctModel* m, ctData* d, int key);

// ---- growing the arena between steps: host code, the only heap call of a running simulation ----

// Make the arena as large as the last steps wanted. CT_OK (also when there is nothing to do) or
// CT_ERR_MEMORY.
ctStatus cti_data_grow(ctData* d);

// ---- threads that help a step. What is computed never depends on them ----

// One piece of a loop: items [begin, end), run by `worker` of [0, count).
typedef void (*ctiLoop)(void* context, int begin, int end, int worker);

// What step code knows of threads: how to run a loop on them. NULL in a data without threads, and on the GPU.
typedef struct ctiThreads {
  int count;
  void* pool;
  void (*run)(void* pool, int count, ctiLoop loop, void* context);
} ctiThreads;

// ---- counting expected trouble ----

// One more warning of a kind, at an index.
CT_INLINE void cti_warn(ctData* d, ctWarningType type, int info) {
  d->warning[type].number++;
  d->warning[type].lastinfo = info;
}
