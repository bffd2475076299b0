// The solver for plain problems, see stage/solve/problem.h: an instance of its own, in which teams are whole
// warps, what a problem needs lies in the memory of the multiprocessor, and everything is inlined into one
// function, so that structs stay in registers. Worlds whose problem has no room there are left to the solver
// of all other problems.
#include "cuda/team.h"
#include "stage/solve/solve.h"

#define TEAMS (CTK_TEAM_BLOCK / CTK_LANES)

// Blocks of a multiprocessor: what registers have room for.
#ifndef BLOCKS
#define BLOCKS 5
#endif

static __global__ void __launch_bounds__(CTK_TEAM_BLOCK, BLOCKS)
    solve_worlds(ctkWorlds k, ctkTask task, ctByte* memory, size_t bytes, int first, int step,
                 int evaluation) {
  World x;
  if (!find_world(&x, k, task, memory, bytes, first)) return;
  if (x.slot->stopped || x.slot->done != step || x.slot->skips) return;
  if (evaluation > 0 && !x.slot->mid.rk4.going) return;
  cti_fast_memory()->used[CT_LANE] = sizeof(ctiFast);
  size_t mark = cti_scratch_mark(x.d);
  ctStatus status = cti_solve(x.m, x.d);
  cti_scratch_release(x.d, mark);
  x.slot->unsolved = status == CT_STEP_OVERFLOW;
  if (status != CT_STEP_OVERFLOW) x.slot->status = cti_worse(x.slot->status, status);
}

extern "C" int ctk_launch_plain(const ctkWorlds* k, const ctkTask* task, ctByte* memory, size_t bytes,
                                int first, int step, int evaluation, void* stream) {
  const int left = task->count - first, count = left < task->slots ? left : task->slots;
  const size_t shared = CTK_TEAM_BLOCK * CTI_BOX_BYTES + TEAMS * (size_t)task->fast_bytes;
  solve_worlds<<<(unsigned)((count + TEAMS - 1) / TEAMS), dim3(CTK_LANES, TEAMS), shared,
                 (cudaStream_t)stream>>>(*k, *task, memory, bytes, first, step, evaluation);
  return (int)cudaGetLastError();
}

// A block may have this much; a multiprocessor has a little more, and keeps some of it for each block.
#define KEPT_BYTES 1024

// As much as leaves a multiprocessor all the blocks it has registers for, or more, where a model needs it.
extern "C" int ctk_plain_bytes(int nv, int nC, int* bytes) {
  int most = 0, device = 0;
  cudaError_t e = cudaGetDevice(&device);
  if (e == cudaSuccess) e = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  // the same for all models: batches may be launched side by side
  if (e == cudaSuccess)
    e = cudaFuncSetAttribute(solve_worlds, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
  if (e != cudaSuccess) return (int)e;
  const int boxes = CTK_TEAM_BLOCK * (int)CTI_BOX_BYTES, real = (int)sizeof(ctReal), rows = nv + 8;
  const int share = ((most + KEPT_BYTES) / BLOCKS - KEPT_BYTES - boxes) / TEAMS / 16 * 16;
  const int64_t need = real * ((int64_t)rows * nv + (int64_t)nv * (nv + 1) + nC + 9 * nv + 6 * rows) +
                       2 * ((int64_t)nv * (nv + 1) / 2) + 4 * (6 * (int64_t)nv + 4 * rows);
  const int largest = (most - boxes) / TEAMS / 16 * 16;
  *bytes = need < share ? share : need < largest ? (int)need / 16 * 16 : largest;
  return (int)e;
}
