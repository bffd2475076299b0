// The solver for plain problems, see stage/solve/problem.h: an instance of its own, in which teams are whole
// warps, what a problem needs lies in the memory of the multiprocessor, and everything is inlined into one
// function, so that structs stay in registers. Problems without room there are tried again with more of it,
// and then left to the solver of all others.
#include "cuda/team.h"
#include "stage/solve/solve.h"

// Worlds of a multiprocessor: what registers have room for. With more of them registers are spilled, and
// nothing is gained. Each is a block, so that nobody waits for the slowest of a few.
#define RESIDENT 16

// Memory of a problem that is tried again, as many times that of the first.
#define MORE 4

static __device__ ctStatus solve_world(const World& x) {
  cti_fast_memory()->used[CT_LANE] = sizeof(ctiFast);
  size_t mark = cti_scratch_mark(x.d);
  ctStatus status = cti_solve(x.m, x.d);
  cti_scratch_release(x.d, mark);
  return status;
}

// All worlds, or those that an earlier pass has left.
static __global__ void __launch_bounds__(CTK_LANES, RESIDENT)
    solve_worlds(ctkWorlds k, ctkTask task, Slots slots, int step, int evaluation, int pass) {
  const int n = pass == 0 ? slot_count(task, slots) : k.nleft[pass - 1];
  for (int i = (int)blockIdx.x; i < n; i += (int)gridDim.x) {
    const int place = pass == 0 ? i : k.left[(pass - 1) * k.nworld + i];
    World x;
    if (!find_world(&x, k, task, slots, place)) continue;
    if (x.slot->stopped || x.slot->done != step || x.slot->skips) continue;
    if (evaluation > 0 && !x.slot->mid.rk4.going) continue;
    const ctStatus status = solve_world(x);
    if (status != CT_STEP_OVERFLOW) {
      x.slot->status = cti_worse(x.slot->status, status);
    } else if (CT_LANE == 0) {
      k.left[pass * k.nworld + atomicAdd(k.nleft + pass, 1)] = place;
    }
    CT_TEAM_SYNC();
  }
}

static size_t shared_bytes(int fast_bytes) {
  return CTK_LANES * CTI_BOX_BYTES + (size_t)fast_bytes;
}

// What a block may have at most, which is the same for all models: batches may be launched side by side.
static cudaError_t most_shared(int* most) {
  int device = 0;
  cudaError_t e = cudaGetDevice(&device);
  if (e == cudaSuccess) e = cudaDeviceGetAttribute(most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  return e;
}

extern "C" void ctk_launch_plain(const ctkWorlds* k, const ctkTask* task, ctByte* memory, size_t bytes,
                                 int first, int step, int evaluation, void* stream) {
  const Slots slots = {memory, bytes, first};
  const int count = slot_count(*task, slots), few = MORE * k->nprocessor;
  CTK_LAUNCH(solve_worlds, (unsigned)count, CTK_LANES, shared_bytes(task->fast_bytes), (cudaStream_t)stream,
             *k, *task, slots, step, evaluation, 0);
  CTK_LAUNCH(solve_worlds, (unsigned)(count < few ? count : few), CTK_LANES, shared_bytes(task->more_bytes),
             (cudaStream_t)stream, *k, *task, slots, step, evaluation, 1);
}

extern "C" int ctk_plain_resident(int fast_bytes, int* worlds) {
  return (int)cudaOccupancyMaxActiveBlocksPerMultiprocessor(worlds, solve_worlds, CTK_LANES,
                                                            shared_bytes(fast_bytes));
}

// A multiprocessor has a little more than a block may have, and keeps some of it for each block.
#define KEPT_BYTES 1024

// As much as leaves a multiprocessor all the blocks it has registers for, or more, where a model needs it; 0
// when it needs more than there is.
extern "C" int ctk_plain_bytes(int nv, int nC, int* bytes, int* more) {
  int most = 0;
  cudaError_t e = most_shared(&most);
  if (e == cudaSuccess)
    e = cudaFuncSetAttribute(solve_worlds, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
  if (e != cudaSuccess) return (int)e;
  // J, H and its factor, M, vectors
  const int64_t real = sizeof(ctReal), n = nv, rows = n + 8;
  const int64_t need =
      real * (rows * n + n * (n + 1) + nC + 9 * n + 6 * rows) + n * (n + 1) + 4 * (6 * n + 4 * rows);
  const int box = (int)shared_bytes(0), largest = (most - box) / 16 * 16;
  const int share = ((most + KEPT_BYTES) / RESIDENT - KEPT_BYTES - box) / 16 * 16;
  *bytes = need < share ? share : need < largest ? (int)need / 16 * 16 : 0;
  *more = MORE * (int64_t)*bytes < largest ? MORE * *bytes : largest;
  return (int)e;
}
