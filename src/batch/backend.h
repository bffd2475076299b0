// What a batch asks of the machine that steps its worlds. Numbers cross in double, whatever the precision
// there; names, ids and sizes have been checked.
#pragma once

#include "base/error.h"
#include "corten/batch.h"

// A block of numbers that every world has: `width` of them at `offset` in its row of a store.
typedef enum ctiStore { CTI_STORE_STATE, CTI_STORE_OUTPUT, CTI_STORE_VALUES, CTI_STORE_COUNT } ctiStore;
typedef struct ctiColumn {
  ctiStore store;
  int offset, width;
} ctiColumn;

typedef struct ctiBackend {
  ctStatus (*create)(void** out, const ctModel* m, int nworld, const ctBatchOptions* opt, ctError* err);
  void (*free)(void* self);
  void (*info)(const void* self, ctBatchInfo* info);
  // `advance` false: forward only
  ctStatus (*run)(void* self, int nstep, bool advance, ctError* err);
  ctStatus (*rollout)(void* self, int nstep, ctiColumn ctrl, const ctReal* controls, ctReal* out,
                      ctError* err);
  ctStatus (*reset)(void* self, const int* ids, int nids, int key, ctError* err);
  ctStatus (*read)(void* self, ctiColumn c, const int* ids, int nids, ctReal* values, ctError* err);
  ctStatus (*write)(void* self, ctiColumn c, const int* ids, int nids, const ctReal* values, ctError* err);
  // widen a store by a field of the data or the model
  ctStatus (*add_output)(void* self, const char* name, int width, ctError* err);
  ctStatus (*add_values)(void* self, const char* name, int width, ctError* err);
  // constants of every world's model; `names`: fields whose values are kept, at these columns
  ctStatus (*update)(void* self, ctError* err);
  void (*view)(void* self, ctiColumn c, ctBatchView* view);
  // bring the reports to the host
  const int* (*status)(void* self);
  const ctWarningStat* (*warnings)(void* self);
  ctStatus (*restore_reports)(void* self, const int* status, const ctWarningStat* warnings);
  ctStatus (*sync)(void* self, ctError* err);
} ctiBackend;

extern const ctiBackend cti_backend_cpu;

// The backend of the GPU, in a library of its own; NULL, with the reason in `err`, when there is none.
const ctiBackend* cti_backend_cuda(bool in_double, ctError* err);

// Fields that ct_model_update() computes.
extern const char* const cti_updated_fields[];
extern const int cti_updated_count;
