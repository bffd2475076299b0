// The solver for plain problems, see stage/solve/problem.h: an instance of its own, in which teams are whole
// warps, what a problem needs lies in the memory of the multiprocessor, and everything is inlined into one
// function, so that structs stay in registers. Problems without room there are tried again with more of it,
// and then left to the solver of all others.
#include "cuda/team.h"
#include "stage/solve/solve.h"

#define TEAMS (CTK_TEAM_BLOCK / CTK_LANES)

// Blocks of a multiprocessor: what registers have room for. With more of them registers are spilled, and
// nothing is gained.
#define BLOCKS 4

static __global__ void __launch_bounds__(CTK_TEAM_BLOCK, BLOCKS)
    solve_worlds(ctkWorlds k, ctkTask task, ctByte* memory, size_t bytes, int first, int step, int evaluation,
                 bool again) {
  World x;
  if (!find_world(&x, k, task, memory, bytes, first)) return;
  if (x.slot->stopped || x.slot->done != step || x.slot->skips) return;
  if (evaluation > 0 && !x.slot->mid.rk4.going) return;
  if (again && !x.slot->unsolved) return;
  cti_fast_memory()->used[CT_LANE] = sizeof(ctiFast);
  size_t mark = cti_scratch_mark(x.d);
  ctStatus status = cti_solve(x.m, x.d);
  cti_scratch_release(x.d, mark);
  x.slot->unsolved = status == CT_STEP_OVERFLOW;
  if (status != CT_STEP_OVERFLOW) x.slot->status = cti_worse(x.slot->status, status);
}

static size_t shared_bytes(int teams, int fast_bytes) {
  return (size_t)teams * (CTK_LANES * CTI_BOX_BYTES + (size_t)fast_bytes);
}

extern "C" void ctk_launch_plain(const ctkWorlds* k, const ctkTask* task, ctByte* memory, size_t bytes,
                                 int first, int step, int evaluation, void* stream) {
  const int left = task->count - first, count = left < task->slots ? left : task->slots;
  const unsigned blocks = (unsigned)((count + TEAMS - 1) / TEAMS);
  CTK_LAUNCH(solve_worlds, blocks, dim3(CTK_LANES, TEAMS), shared_bytes(TEAMS, task->fast_bytes),
             (cudaStream_t)stream, *k, *task, memory, bytes, first, step, evaluation, false);
  // a block of one team has the room of all
  CTK_LAUNCH(solve_worlds, (unsigned)count, dim3(CTK_LANES, 1), shared_bytes(1, TEAMS * task->fast_bytes),
             (cudaStream_t)stream, *k, *task, memory, bytes, first, step, evaluation, true);
}

extern "C" int ctk_plain_resident(int fast_bytes, int* worlds) {
  int blocks = 0;
  cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, solve_worlds, CTK_TEAM_BLOCK,
                                                                shared_bytes(TEAMS, fast_bytes));
  *worlds = blocks * TEAMS;
  return (int)e;
}

// A multiprocessor has a little more than a block may have, and keeps some of it for each block.
#define KEPT_BYTES 1024

// As much as leaves a multiprocessor all the blocks it has registers for, or more, where a model needs it; 0
// when it needs more than there is.
extern "C" int ctk_plain_bytes(int nv, int nC, int* bytes) {
  int most = 0, device = 0;
  cudaError_t e = cudaGetDevice(&device);
  if (e == cudaSuccess) e = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  // the same for all models: batches may be launched side by side
  if (e == cudaSuccess)
    e = cudaFuncSetAttribute(solve_worlds, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
  if (e != cudaSuccess) return (int)e;
  // J, H and its factor, M, vectors
  const int64_t real = sizeof(ctReal), n = nv, rows = n + 8;
  const int64_t need =
      real * (rows * n + n * (n + 1) + nC + 9 * n + 6 * rows) + n * (n + 1) + 4 * (6 * n + 4 * rows);
  const int largest = (most - (int)shared_bytes(TEAMS, 0)) / TEAMS / 16 * 16;
  const int share =
      ((most + KEPT_BYTES) / BLOCKS - KEPT_BYTES - (int)shared_bytes(TEAMS, 0)) / TEAMS / 16 * 16;
  *bytes = need < share                      ? share
           : need < largest                  ? (int)need / 16 * 16
           : need < TEAMS * (int64_t)largest ? largest
                                             : 0;
  return (int)e;
}
