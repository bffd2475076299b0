// What a batch asks of the machine that steps its worlds. Names, ids and sizes have been checked. A backend
// may be built in another precision than the library that calls it: numbers cross as `void*`, in the
// precision of the caller, and the model as bytes.
#pragma once

#include "base/error.h"
#include "corten/batch.h"

// A block of numbers that every world has: `width` of them at `offset` in its row of a store.
// `CARRIED` has what a world has besides its state; its width is what cti_carried_size() says when the batch
// is made.
typedef enum ctiStore {
  CTI_STORE_STATE,
  CTI_STORE_CARRIED,
  CTI_STORE_OUTPUT,
  CTI_STORE_VALUES,
  CTI_STORE_COUNT
} ctiStore;
typedef struct ctiColumn {
  ctiStore store;
  int offset, width;
} ctiColumn;

typedef struct ctiBatchSetup {
  const ctModel* m;   // only for backends of the same precision
  const void* bytes;  // the model in its binary form; NULL for the CPU
  size_t size;
  int nworld, real_bytes;
  ctBatchOptions opt;
} ctiBatchSetup;

#define CTI_BACKEND_VERSION 6  // changes with ctiBackend and ctBatchOptions

typedef struct ctiBackend {
  ctStatus (*create)(void** out, const ctiBatchSetup* setup, ctError* err);
  void (*free)(void* self);
  void (*info)(const void* self, ctBatchInfo* info);
  // `advance` false: forward only
  ctStatus (*run)(void* self, int nstep, bool advance, ctError* err);
  // `out` is all zero
  ctStatus (*profile)(void* self, int nstep, ctBatchProfile* out, ctError* err);
  ctStatus (*rollout)(void* self, int nstep, const void* controls, void* out, ctError* err);
  ctStatus (*reset)(void* self, const int* ids, int nids, int key, ctError* err);
  ctStatus (*read)(void* self, ctiColumn c, const int* ids, int nids, void* values, ctError* err);
  ctStatus (*write)(void* self, ctiColumn c, const int* ids, int nids, const void* values, ctError* err);
  // widen a store by a field of the data or the model
  ctStatus (*add_output)(void* self, const char* name, int width, ctError* err);
  ctStatus (*add_values)(void* self, const char* name, int width, ctError* err);
  ctStatus (*set_noise)(void* self, bool on, uint32_t seed, ctError* err);
  // constants of every world's model
  ctStatus (*update)(void* self, ctError* err);
  ctStatus (*view)(void* self, ctiColumn c, ctBatchView* view, ctError* err);
  // bring the reports to the host; NULL when the machine is lost
  const int* (*status)(void* self);
  const ctWarningStat* (*warnings)(void* self);
  ctStatus (*restore_reports)(void* self, const int* status, const ctWarningStat* warnings, ctError* err);
  ctStatus (*sync)(void* self, ctError* err);
} ctiBackend;

extern const ctiBackend cti_backend_cpu;

// The backend of the GPU, in a library of its own; NULL, with the reason in `err`, when there is none.
const ctiBackend* cti_backend_cuda(bool in_double, ctError* err);

// Bytes a world takes, with so many numbers in all stores together.
size_t cti_world_bytes(size_t numbers);

// Is there room for the worlds? The message says for how many there is.
ctStatus cti_check_room(int nworld, size_t world_bytes, size_t have, ctError* err);

// The first world in trouble, in words.
ctStatus cti_first_trouble(const int* status, int nworld, ctError* err);
