// The CPU as a backend of batches: what its files share. A world is its rows in the stores; a worker has a
// data, and a model of its own when worlds differ in values. Every field has an array of its own, which never
// moves.
#pragma once

#include <string.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "batch/backend.h"

// The numbers of a field in all worlds, and their place among those of its store.
typedef struct ctiRows {
  ctReal* data;  // nworld rows
  int offset, width;
} ctiRows;

// A field of a worker's data that is gathered, or of its model that is overwritten.
typedef struct ctiItem {
  ctField field;
  ctiRows rows;
} ctiItem;

typedef CTI_ARRAY(ctiItem) ctiItems;

typedef struct ctiWorker {
  ctData* d;
  ctModel* m;  // its own copy, NULL while worlds share the model
  ctiItems items[CTI_STORE_COUNT];
} ctiWorker;

typedef struct ctiCpu {
  const ctModel* m;
  ctAllocator allocator;
  ctBatchOptions opt;
  int nworld, threads, nworker;
  ctiPool* pool;
  ctiWorker* workers;
  CTI_ARRAY(ctiRows) store[CTI_STORE_COUNT];
  int width[CTI_STORE_COUNT];  // of all rows of a store together
  int* status;
  ctWarningStat* warnings;
} ctiCpu;

static inline ctReal* cti_row(ctiRows rows, int world) {
  return rows.data + (size_t)world * (size_t)rows.width;
}

// Also none, of arrays that are not there.
static inline void cti_copy_reals(void* to, const void* from, size_t count) {
  if (count > 0) memcpy(to, from, sizeof(ctReal) * count);
}

// What the workers do with a piece of the worlds: context is a ctiJob.
typedef struct ctiJob {
  ctiCpu* c;
  int nstep;
  bool advance;
  const ctReal* controls;
  ctReal* out;
  const int* ids;
  int key;
} ctiJob;

void cti_run_worlds(void* context, int begin, int end, int worker);     // steps, or forward
void cti_roll_worlds(void* context, int begin, int end, int worker);    // steps with controls, recorded
void cti_reset_worlds(void* context, int begin, int end, int worker);   // ids, or all
void cti_update_worlds(void* context, int begin, int end, int worker);  // constants of their models
