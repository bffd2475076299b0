// Worlds on a GPU, one per thread. A thread keeps its whole data in local memory, which the hardware
// interleaves between the threads of a warp: the same number of neighbouring worlds lies side by side. The
// state of the worlds lies in device memory, number by number, for the same reason.
#include <cub/device/device_radix_sort.cuh>

#include "cuda/world.h"
#include "step/step.h"

#define WARP 32

// ---- kernels ----

// One step, or forward; false when the arena is too small for it: then nothing has changed.
static __device__ bool take_step(const ctkWorlds& k, const ctkTask& task, const ctModel* m, ctData* d,
                                 int w) {
  ctiAttempt before;
  cti_attempt_begin(&before, d);
  ctStatus status = task.advance ? cti_step(m, d) : cti_forward(m, d);
  const bool fits = cti_attempt_end(&before, m, d, &status);
  if (k.status[w] == CT_OK) k.status[w] = (int)status;
  if (!fits) return false;
  if (status == CT_STEP_DIVERGED && k.reset_bad && task.advance) start_again(m, d, k.reset_key);
  return true;
}

static __device__ void run_world(const ctkWorlds& k, const ctkTask& task, const ctModel* m, ctData* d,
                                 int w) {
  size_t stride = (size_t)k.nworld;
  cti_state_load(m, d, k.state + w, stride, CT_STATE_INTEGRATION);
  cti_carried_load(m, d, k.carried + w, stride, k.ncarried, false);
  clear_warnings(d);
  d->noise = k.noise;
  d->noise_seed = k.noise_seed;
  d->noise_world = k.noise_first + (uint32_t)w;
  cti_data(d)->needs = k.needs;
  int i = k.done[w];
  for (; i < task.until; i++) {
    size_t at = (size_t)w * task.nstep + i;
    for (int u = 0; task.controls && u < m->nu; u++) d->ctrl[u] = task.controls[at * m->nu + u];
    cti_data(d)->awake.shown = task.record || i + 1 == task.until;
    CT_BARRIER();
    if (!take_step(k, task, m, d, w)) break;
    if (task.record) gather_outputs(k, d, task.record + at * k.output_width, 1);
  }
  k.done[w] = i;
  k.work_key[w] = work_key(d);
  if (i < task.until) {
    ask_for_more(k, d, w);
  } else if (i == task.nstep) {
    k.wanted[w] = d->maxuse_arena;
    gather_outputs(k, d, k.output + w, stride);
  }
  note_warnings(k, d, w);
  cti_state_store(m, d, k.state + w, stride, CT_STATE_INTEGRATION);
  cti_carried_store(m, d, k.carried + w, stride, k.ncarried);
}

static __device__ void do_world(const ctkWorlds& k, const ctkTask& task, int w, ctByte* block, size_t bytes) {
  ctModel own;
  ctiData d;
  const ctModel* m = world_model(&own, k, w);
  memset(&d, 0, sizeof(d));
  cti_data_lay_out(m, &d.open, block, k.lifetimes);
  size_t arrays = cti_data_array_bytes(m, k.lifetimes);
  d.arena = block + arrays;
  d.open.narena = bytes - arrays;
  cti_data_reset(m, &d.open);
  if (task.reset) {
    clear_world(k, task, m, &d.open, w);
  } else {
    run_world(k, task, m, &d.open, w);
  }
}

// A thread is a team of one lane, so threads are the y of a block.
// The place of a thread among those with work, or -1: of each warp only the first `lanes` have some.
static __device__ int place_of_thread(const ctkTask& task) {
  int thread = (int)(blockIdx.x * blockDim.y + threadIdx.y), lane = thread % WARP;
  return lane < task.lanes ? thread / WARP * task.lanes + lane : -1;
}

// Worlds with their data in local memory of BYTES a thread.
template <int BYTES>
static __global__ void __launch_bounds__(CTK_BLOCK, CTK_BLOCKS) local_worlds(ctkWorlds k, ctkTask task) {
  int i = place_of_thread(task);
  if (i < 0 || i >= task.count) return;
  int w = task.ids ? task.ids[i] : k.order[i];
  if (!task.reset && k.done[w] >= task.until) return;
  __align__(64) ctByte block[BYTES];
  do_world(k, task, w, block, BYTES);
}

// ---- launching ----

// How `count` worlds are spread over the threads.
typedef struct Grid {
  int lanes;  // of a warp that have a world
  int blocks, threads;
} Grid;

// Few worlds are spread over all multiprocessors before warps are filled: worlds of a warp wait for each
// other wherever they part.
static Grid spread(const ctkWorlds* k, int count) {
  int lanes = (count + k->nprocessor - 1) / k->nprocessor;
  if (lanes > WARP) lanes = WARP;
  int warps = (count + lanes - 1) / lanes;
  int share = (warps + k->nprocessor - 1) / k->nprocessor;
  if (share > CTK_BLOCK / WARP) share = CTK_BLOCK / WARP;
  Grid g = {lanes, (warps + share - 1) / share, share * WARP};
  return g;
}

template <int BYTES>
static cudaError_t launch_local(const ctkWorlds* k, ctkTask task, cudaStream_t stream) {
  Grid g = spread(k, task.count);
  task.lanes = g.lanes;
  CTK_LAUNCH(local_worlds<BYTES>, g.blocks, dim3(1, (unsigned)g.threads), 0, stream, *k, task);
  return cudaGetLastError();
}

typedef cudaError_t Launch(const ctkWorlds* k, ctkTask task, cudaStream_t stream);

// Classes of data, by kB a world. Memory that is not touched costs too: steps of a quarter waste little.
#define CLASSES(X) \
  X(8) X(12) X(16) X(20) X(24) X(32) X(40) X(48) X(64) X(80) X(96) X(128) X(160) X(192) X(256)

static const struct {
  size_t bytes;
  Launch* launch;
} classes[] = {
#define X(kilobytes) {(kilobytes) << 10, launch_local<(kilobytes) << 10>},
    CLASSES(X)
#undef X
};

extern "C" int ctk_class_count(void) {
  return CT_COUNT_OF(classes);
}
extern "C" size_t ctk_class_bytes(int i) {
  return classes[i].bytes;
}
extern "C" int ctk_launch_local(int i, const ctkWorlds* k, const ctkTask* task, void* stream) {
  if (task->count == 0) return (int)cudaSuccess;
  return (int)classes[i].launch(k, *task, (cudaStream_t)stream);
}

// ---- the order of worlds ----
//
// Worlds with equal work become neighbours: threads of a warp then run the same code, and their arrays lie at
// the same place in local memory. The worlds with most to do come first, so that none of them is last.

static __global__ void count_up(int* ids, int n) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) ids[i] = i;
}

static cudaError_t sort(const ctkWorlds* k, const ctkOrder* o, size_t* bytes, cudaStream_t stream) {
  return cub::DeviceRadixSort::SortPairsDescending(o->scratch, *bytes, k->work_key, o->sorted, o->ids,
                                                   k->order, k->nworld, 0, 32, stream);
}

extern "C" int ctk_order_bytes(const ctkWorlds* k, size_t* bytes) {
  ctkOrder none = {};
  return (int)sort(k, &none, bytes, 0);
}

extern "C" int ctk_order_begin(const ctkWorlds* k, const ctkOrder* o, void* stream) {
  int blocks = (k->nworld + 255) / 256;
  CTK_LAUNCH(count_up, blocks, 256, 0, (cudaStream_t)stream, o->ids, k->nworld);
  CTK_LAUNCH(count_up, blocks, 256, 0, (cudaStream_t)stream, k->order, k->nworld);
  return (int)cudaGetLastError();
}

extern "C" int ctk_order(const ctkWorlds* k, const ctkOrder* o, void* stream) {
  size_t bytes = o->bytes;
  return (int)sort(k, o, &bytes, (cudaStream_t)stream);
}
