// Worlds on a GPU, each run by a team of lanes of a warp. Every launch runs one stage of a step for all
// worlds, so that instructions are fetched once for many; between launches the data of a world lies in device
// memory, contiguous, behind a head with its struct.
#include "cuda/team.h"
#include "stage/solve/solve.h"

// Registers are for as many threads of a multiprocessor.
#define TEAM_BOUNDS __launch_bounds__(CTK_TEAM_BLOCK, 1024 / CTK_TEAM_BLOCK)

extern "C" size_t ctk_team_head_bytes(const ctkWorlds* k) {
  return ALIGNED(sizeof(Slot)) + model_bytes(*k);
}

// ---- a task: begin, stages of its steps, end ----

static __global__ void TEAM_BOUNDS begin_worlds(ctkWorlds k, ctkTask task, Slots slots) {
  World x;
  if (!find_world(&x, k, task, slots, team_place())) return;
  int w = x.w;
  size_t stride = (size_t)k.nworld, head = ALIGNED(sizeof(Slot)) + model_bytes(k);
  ctByte* at = (ctByte*)x.slot;
  CT_LANES(i, (int)(sizeof(Slot) / sizeof(int)))((int*)at)[i] = 0;
  CT_TEAM_SYNC();
  world_model((ctModel*)(at + ALIGNED(sizeof(Slot))), k, w);
  CT_TEAM_SYNC();
  const ctModel* m = x.m;
  ctData* d = x.d;
  cti_data_lay_out(m, d, at + head, k.lifetimes);
  size_t arrays = cti_data_array_bytes(m, k.lifetimes);
  x.slot->data.arena = at + head + arrays;
  d->narena = slots.bytes - head - arrays;
  cti_data_reset(m, d);
  CT_TEAM_SYNC();
  if (task.reset) {
    clear_world(k, task, m, d, w);
    return;
  }
  cti_state_load(m, d, k.state + w, stride, CT_STATE_INTEGRATION);
  cti_carried_load(m, d, k.carried + w, stride, k.ncarried, false);
  clear_warnings(d);
  d->noise = k.noise;
  d->noise_seed = k.noise_seed;
  d->noise_world = k.noise_first + (uint32_t)w;
  x.slot->data.needs = k.needs;
  x.slot->done = k.done[w];
}

static __device__ void begin_step(const ctkTask& task, const World& x, int step) {
  const ctModel* m = x.m;
  ctData* d = x.d;
  size_t at = (size_t)x.w * task.nstep + step;
  if (task.controls) {
    CT_LANES(u, m->nu) d->ctrl[u] = task.controls[at * m->nu + u];
    CT_TEAM_SYNC();
  }
  x.slot->data.awake.shown = task.record || step + 1 == task.nstep;
  cti_attempt_begin(&x.slot->before, d);
  ctStatus status = task.advance ? cti_check_timestep(m, d) : CT_OK;
  x.slot->skips = status != CT_OK;
  if (task.advance && status == CT_OK) status = cti_check_state(m, d);
  x.slot->status = status;
}

static __device__ void end_step(const ctkWorlds& k, const ctkTask& task, const World& x, int step) {
  ctData* d = x.d;
  ctStatus status = x.slot->status;
  const bool fits = cti_attempt_end(&x.slot->before, x.m, d, &status);
  if (!fits) x.slot->stopped = true;
  if (CT_LANE == 0 && k.status[x.w] == CT_OK) k.status[x.w] = (int)status;
  CT_TEAM_SYNC();
  if (!fits) return;
  if (status == CT_STEP_DIVERGED && k.reset_bad && task.advance) start_again(x.m, d, k.reset_key);
  if (task.record) gather_outputs(k, d, task.record + ((size_t)x.w * task.nstep + step) * k.output_width, 1);
  x.slot->done = step + 1;
}

// The rows of a world decide who solves it.
static __device__ int plain_class(const ctkTask& task, const World& x) {
  const int64_t bytes = cti_plain_bytes(x.m, x.d);
  int i = 0;
  while (i < CTK_PLAIN_CLASSES && bytes > task.problem_bytes[i]) i++;
  return i;
}

// A kernel for each stage, so that its code has nothing of the others.
template <int STAGE>
static __global__ void TEAM_BOUNDS step_worlds(ctkWorlds k, ctkTask task, Slots slots, int step,
                                               int evaluation) {
  const ctiStage stage = (ctiStage)STAGE;
  World x;
  int place = team_place();
  const bool plain = task.problem_bytes[0] > 0;
  if (stage == CTI_STAGE_PLACES && plain && place == 0) {
    CT_LANES(i, CTK_PLAIN_CLASSES + 1) k.nready[i] = 0;
  }
  if (stage == CTI_STAGE_SOLVE && plain) {  // what is left by the solver of plain problems
    if (place >= k.nready[CTK_PLAIN_CLASSES]) return;
    place = k.ready[CTK_PLAIN_CLASSES * k.nworld + place];
  }
  if (!find_world(&x, k, task, slots, place)) return;
  if (x.slot->stopped || x.slot->done != step) return;
  if (stage == CTI_STAGE_PLACES && evaluation == 0) begin_step(task, x, step);
  if (!x.slot->skips) {
    ctStatus status = cti_step_stage(x.m, x.d, stage, evaluation, task.advance, &x.slot->mid);
    x.slot->status = cti_worse(x.slot->status, status);
  }
  CT_TEAM_SYNC();
  if (stage == CTI_STAGE_ROWS && plain) make_ready(k, place, plain_class(task, x));
  if (stage == CTI_STAGE_ADVANCE && evaluation == task.evaluations - 1) end_step(k, task, x, step);
}

// ---- the solver, with several teams for each world ----

static __device__ bool is_solving(const World& x, int step) {
  return !x.slot->stopped && x.slot->done == step && !x.slot->skips;
}

static __global__ void TEAM_BOUNDS begin_solve(ctkWorlds k, ctkTask task, Slots slots, int step,
                                               int evaluation) {
  World x;
  if (!find_world(&x, k, task, slots, team_place()) || !is_solving(x, step)) return;
  ctStatus status = cti_step_solve_begin(x.m, x.d, evaluation, task.workers, &x.slot->mid);
  x.slot->status = cti_worse(x.slot->status, status);
}

static __global__ void TEAM_BOUNDS solve_islands(ctkWorlds k, ctkTask task, Slots slots, int step,
                                                 int evaluation) {
  World x;
  const int place = team_place() / task.workers, worker = team_place() % task.workers;
  if (!find_world(&x, k, task, slots, place) || !is_solving(x, step)) return;
  cti_step_solve_worker(x.d, evaluation, worker, &x.slot->mid);
}

static __global__ void TEAM_BOUNDS end_solve(ctkWorlds k, ctkTask task, Slots slots, int step,
                                             int evaluation) {
  World x;
  if (!find_world(&x, k, task, slots, team_place()) || !is_solving(x, step)) return;
  ctStatus status = cti_step_solve_end(x.m, x.d, evaluation, &x.slot->mid);
  x.slot->status = cti_worse(x.slot->status, status);
}

// ---- the end of a task ----

static __global__ void TEAM_BOUNDS end_worlds(ctkWorlds k, ctkTask task, Slots slots) {
  World x;
  if (!find_world(&x, k, task, slots, team_place())) return;
  size_t stride = (size_t)k.nworld;
  int w = x.w;
  if (CT_LANE == 0) {
    k.done[w] = x.slot->done;
    k.work_key[w] = work_key(x.d);
  }
  if (x.slot->stopped) {
    ask_for_more(k, x.d, w);
  } else {
    if (CT_LANE == 0) k.wanted[w] = x.d->maxuse_arena;
    gather_outputs(k, x.d, k.output + w, stride);
  }
  note_warnings(k, x.d, w);
  cti_state_store(x.m, x.d, k.state + w, stride, CT_STATE_INTEGRATION);
  cti_carried_store(x.m, x.d, k.carried + w, stride, k.ncarried);
}

// ---- launching ----

typedef struct Launch {
  const ctkWorlds* k;
  ctkTask task;
  Slots slots;
  cudaStream_t stream;
  dim3 grid, block;
  size_t shared;
  const ctkSides* sides;
  ctkClock* clock;  // NULL: none
  cudaEvent_t begin, end;
} Launch;

static void launch_workers(const Launch* l, int step, int evaluation) {
  const dim3 all(l->grid.x * (unsigned)l->task.workers);
  CTK_LAUNCH(begin_solve, l->grid, l->block, l->shared, l->stream, *l->k, l->task, l->slots, step,
             evaluation);
  CTK_LAUNCH(solve_islands, all, l->block, l->shared, l->stream, *l->k, l->task, l->slots, step, evaluation);
  CTK_LAUNCH(end_solve, l->grid, l->block, l->shared, l->stream, *l->k, l->task, l->slots, step, evaluation);
}

template <int STAGE>
static void launch_step(const Launch* l, int step, int evaluation) {
  CTK_LAUNCH(step_worlds<STAGE>, l->grid, l->block, l->shared, l->stream, *l->k, l->task, l->slots, step,
             evaluation);
}

static void launch_stage(const Launch* l, int step, int evaluation, ctiStage stage) {
  static void (*const launch[])(const Launch* l, int step, int evaluation) = {
#define X(stage, ...) launch_step<CTI_STAGE_##stage>,
      CTI_STAGES(X)
#undef X
  };
  if (stage == CTI_STAGE_SOLVE && l->task.workers > 1) {
    launch_workers(l, step, evaluation);
    return;
  }
  // others then solve what was too large
  if (stage == CTI_STAGE_SOLVE && l->task.problem_bytes[0] > 0)
    ctk_launch_plain(l->k, &l->task, l->slots.memory, l->slots.bytes, l->slots.first, step, evaluation,
                     l->sides, l->stream);
  launch[stage](l, step, evaluation);
}

static void run_stages(const Launch* l, int step, int evaluation) {
  for (int s = 0; s < CTI_STAGE_COUNT; s++) {
    if (!l->clock) {
      launch_stage(l, step, evaluation, (ctiStage)s);
      continue;
    }
    float milliseconds = 0;
    cudaEventRecord(l->begin, l->stream);
    launch_stage(l, step, evaluation, (ctiStage)s);
    cudaEventRecord(l->end, l->stream);
    cudaEventSynchronize(l->end);
    cudaEventElapsedTime(&milliseconds, l->begin, l->end);
    l->clock->seconds[s] += 1e-3 * milliseconds;
  }
}

#define SHARED_BYTES (CTK_TEAM_BLOCK * CTI_BOX_BYTES)

static void run_task(Launch* l, int lanes) {
  const ctkTask* task = &l->task;
  const int teams = CTK_TEAM_BLOCK / lanes;
  l->block = dim3((unsigned)lanes, (unsigned)teams);
  l->shared = SHARED_BYTES;
  for (l->slots.first = 0; l->slots.first < task->count; l->slots.first += task->slots) {
    l->grid = dim3((unsigned)((slot_count(*task, l->slots) + teams - 1) / teams));
    CTK_LAUNCH(begin_worlds, l->grid, l->block, l->shared, l->stream, *l->k, *task, l->slots);
    if (task->reset) continue;
    for (int i = 0; i < task->nstep * task->evaluations; i++)
      run_stages(l, i / task->evaluations, i % task->evaluations);
    CTK_LAUNCH(end_worlds, l->grid, l->block, l->shared, l->stream, *l->k, *task, l->slots);
  }
}

extern "C" int ctk_launch_teams(const ctkWorlds* k, const ctkTask* task, int lanes, ctByte* memory,
                                size_t bytes, ctkClock* clock, const ctkSides* sides, void* stream) {
  if (task->count == 0) return (int)cudaSuccess;
  Launch l = {k, *task, {memory, bytes, 0}, (cudaStream_t)stream};
  l.clock = clock;
  l.sides = sides;
  cudaError_t e = clock ? cudaEventCreate(&l.begin) : cudaSuccess;
  if (e == cudaSuccess && clock) e = cudaEventCreate(&l.end);
  if (e == cudaSuccess) run_task(&l, lanes);
  if (e == cudaSuccess) e = cudaGetLastError();
  if (l.begin) cudaEventDestroy(l.begin);
  if (l.end) cudaEventDestroy(l.end);
  return (int)e;
}

extern "C" int ctk_teams_resident(int lanes, int* worlds) {
  int blocks = 0;
  cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, step_worlds<CTI_STAGE_PLACES>,
                                                                CTK_TEAM_BLOCK, SHARED_BYTES);
  *worlds = blocks * (CTK_TEAM_BLOCK / lanes);
  return (int)e;
}
