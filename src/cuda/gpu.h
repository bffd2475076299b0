// The GPU as a backend of batches, in host memory: what its files share. Built in the precision of the GPU.
#pragma once

#include <cuda_runtime_api.h>

#include "base/alloc.h"
#include "batch/backend.h"
#include "cuda/worlds.h"

// What a run was like, for the next to be compared with.
typedef struct gpuCall {
  ctkWorlds k;
  int nstep, advance, lanes, class_;
  ctByte* slots;
  size_t slot_bytes;
  size_t data_bytes;  // slots follow it when the call is launched
} gpuCall;

typedef struct Gpu {
  ctModel* m;  // in host memory, in this precision
  ctData* probe;
  int real_bytes;  // of the caller
  ctBatchOptions opt;
  cudaStream_t stream;
  bool own_stream;
  ctkSides sides;
  int nworld, device;
  int lanes;          // of a team; 1: worlds in threads
  int class_;         // of their memory
  size_t data_bytes;  // room for the arrays of a world and its arena
  char name[64];
  ctkWorlds k;  // addresses on the device
  ctkOrder order;
  void* model_block;
  CTI_ARRAY(ctkItem) outputs;
  CTI_ARRAY(ctkItem) values;
  ctkItem *device_outputs, *device_values;
  ctByte* slots;  // worlds of teams, as many at a time
  size_t slot_bytes;
  int nslot;
  // the run that may not be finished
  bool pending;
  ctkTask task;
  ctkClock* clock;        // NULL: not measured
  gpuCall last_call;      // of those that may be graphs
  cudaGraphExec_t graph;  // for calls like that; NULL: none yet
  bool no_graphs;         // the stream cannot be recorded
  int* nshort;            // pinned
  ctReal* staging;        // host memory for transfers
  size_t nstaging;
  int* host_status;
  ctWarningStat* host_warnings;
  bool status_known, warnings_known;  // those on the host are current
  size_t bytes;                       // allocated on the device
} Gpu;

#define CUDA_TRY(call)                                 \
  do {                                                 \
    cudaError_t e_ = (call);                           \
    if (e_ != cudaSuccess) return gpu_failed(err, e_); \
  } while (0)

// ---- backend.c: life of a batch, memory ----

// What failed, in words.
ctStatus gpu_failed(ctError* err, cudaError_t e);
// Memory on the device, zero at first.
ctStatus gpu_alloc(Gpu* g, void** out, size_t bytes, ctError* err);
void gpu_drop(Gpu* g, void* memory, size_t bytes);
// Copies between any memories, done when they return.
ctStatus gpu_copy(Gpu* g, void* to, const void* from, size_t bytes, ctError* err);
ctStatus gpu_copy_rows(Gpu* g, void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                       size_t n, ctError* err);
// The model of the host, to the device, where its pointers are right.
ctStatus gpu_upload_model(Gpu* g, ctError* err);
// Memory of the host for transfers.
ctStatus gpu_stage(Gpu* g, size_t bytes, ctError* err);
// Numbers between precisions.
void gpu_convert(void* to, int to_bytes, const void* from, int from_bytes, size_t n);

// ---- run.c: tasks, numbers, fields; named as in ctiBackend ----

void gpu_forget_graph(Gpu* g);
// Wait for the running task.
ctStatus gpu_settle(Gpu* g, ctError* err);
// Room for `bytes` of data in a world.
void gpu_choose_room(Gpu* g, size_t bytes);
ctStatus gpu_run(void* self, int nstep, bool advance, ctError* err);
ctStatus gpu_profile(void* self, int nstep, ctBatchProfile* out, ctError* err);
ctStatus gpu_rollout(void* self, int nstep, const void* controls, void* out, ctError* err);
ctStatus gpu_reset(void* self, const int* ids, int nids, int key, ctError* err);
ctStatus gpu_sync(void* self, ctError* err);
ctStatus gpu_read(void* self, ctiColumn c, const int* ids, int nids, void* values, ctError* err);
ctStatus gpu_write(void* self, ctiColumn c, const int* ids, int nids, const void* values, ctError* err);
ctStatus gpu_view(void* self, ctiColumn c, ctBatchView* view, ctError* err);
ctStatus gpu_add_output(void* self, const char* name, int width, ctError* err);
ctStatus gpu_add_values(void* self, const char* name, int width, ctError* err);
ctStatus gpu_set_noise(void* self, bool on, uint32_t seed, ctError* err);
ctStatus gpu_update(void* self, ctError* err);
