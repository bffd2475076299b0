// The solver for plain problems, see stage/solve/problem.h: an instance of its own, in which teams are whole
// warps, what a problem needs lies in the memory of the multiprocessor, and everything is inlined into one
// function, so that structs stay in registers.
#include "cuda/team.h"
#include "stage/solve/solve.h"

// Worlds of a multiprocessor: what registers have room for. With more of them registers are spilled, and
// nothing is gained. Each is a block, so that nobody waits for the slowest of a few.
#define RESIDENT 16

static __device__ ctStatus solve_world(const World& x) {
  cti_shared_memory()->used[CT_LANE] = sizeof(ctiShared);
  size_t mark = cti_scratch_mark(x.d);
  ctStatus status = cti_solve(x.m, x.d);
  cti_scratch_release(x.d, mark);
  return status;
}

// The worlds of a class.
static __global__ void __launch_bounds__(CTK_LANES, RESIDENT)
    solve_worlds(ctkWorlds k, ctkTask task, Slots slots, int step, int evaluation, int which) {
  const int n = k.nready[which];
  for (int i = (int)blockIdx.x; i < n; i += (int)gridDim.x) {
    const int place = k.ready[which * k.nworld + i];
    World x;
    if (!find_world(&x, k, task, slots, place)) continue;
    if (x.slot->stopped || x.slot->done != step || x.slot->skips) continue;
    if (evaluation > 0 && !x.slot->mid.rk4.going) continue;
    const ctStatus status = solve_world(x);
    if (status == CT_STEP_OVERFLOW) {
#if defined(CTK_POISON)
      if (!cti_arena_short(x.d)) asm("trap;");  // the class has less memory than was said
#endif
      make_ready(k, place, CTK_PLAIN_CLASSES);
    } else {
      x.slot->status = cti_worse(x.slot->status, status);
    }
    CT_TEAM_SYNC();
  }
}

static size_t shared_bytes(int problem_bytes) {
  return CTK_LANES * CTI_BOX_BYTES + sizeof(ctiShared) + (size_t)problem_bytes;
}

// What a block may have at most, which is the same for all models: batches may be launched side by side.
static cudaError_t most_shared(int* most) {
  int device = 0;
  cudaError_t e = cudaGetDevice(&device);
  if (e == cudaSuccess) e = cudaDeviceGetAttribute(most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  return e;
}

// Worlds of a multiprocessor in each class.
static const int residents[] = {RESIDENT, RESIDENT * 3 / 4, RESIDENT / 2, RESIDENT / 4, 1};
static_assert(CT_COUNT_OF(residents) == CTK_PLAIN_CLASSES, "there is a size for every class");

// The first class has a block for each world, so that the GPU deals them out as blocks end. Most worlds are
// there: the others have fewer blocks, most of which find nothing to do, and begin before it.
#define ROUNDS 2
extern "C" void ctk_launch_plain(const ctkWorlds* k, const ctkTask* task, ctByte* memory, size_t bytes,
                                 int first, int step, int evaluation, const ctkSides* sides, void* stream) {
  const Slots slots = {memory, bytes, first};
  const int count = slot_count(*task, slots);
  cudaStream_t main = (cudaStream_t)stream;
  cudaEventRecord((cudaEvent_t)sides->begun, main);
  for (int i = CTK_PLAIN_CLASSES - 1; i > 0; i--) {
    cudaStream_t side = (cudaStream_t)sides->stream[i - 1];
    const int few = ROUNDS * residents[i] * k->nprocessor;
    cudaStreamWaitEvent(side, (cudaEvent_t)sides->begun, 0);
    CTK_LAUNCH(solve_worlds, (unsigned)(count < few ? count : few), CTK_LANES,
               shared_bytes(task->problem_bytes[i]), side, *k, *task, slots, step, evaluation, i);
    cudaEventRecord((cudaEvent_t)sides->ended[i - 1], side);
  }
  CTK_LAUNCH(solve_worlds, (unsigned)count, CTK_LANES, shared_bytes(task->problem_bytes[0]), main, *k, *task,
             slots, step, evaluation, 0);
  for (int i = 1; i < CTK_PLAIN_CLASSES; i++) cudaStreamWaitEvent(main, (cudaEvent_t)sides->ended[i - 1], 0);
}

extern "C" int ctk_plain_resident(int problem_bytes, int* worlds) {
  return (int)cudaOccupancyMaxActiveBlocksPerMultiprocessor(worlds, solve_worlds, CTK_LANES,
                                                            shared_bytes(problem_bytes));
}

// A multiprocessor has a little more than a block may have, and keeps some of it for each block.
#define KEPT_BYTES 1024

extern "C" int ctk_plain_bytes(int bytes[CTK_PLAIN_CLASSES]) {
  int most = 0;
  cudaError_t e = most_shared(&most);
  if (e == cudaSuccess)
    e = cudaFuncSetAttribute(solve_worlds, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
  for (int i = 0; i < CTK_PLAIN_CLASSES; i++) {
    const int share = (most + KEPT_BYTES) / residents[i] - KEPT_BYTES - (int)shared_bytes(0);
    bytes[i] = share > 0 ? share / 16 * 16 : 0;
  }
  return (int)e;
}
