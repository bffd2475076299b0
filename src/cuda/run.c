// Tasks on the GPU: started, waited for, taken again with more memory.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cuda/gpu.h"
#include "data/data.h"
#include "stage/constraint/constraint.h"
#include "stage/metric/metric.h"
#include "step/derived.h"
#include "step/step.h"

// Worlds in threads that fill the GPU more than once are put in order before every step; fewer are better off
// when each runs on without waiting for the slowest. Teams take part after part together in any case.
static int steps_in_order(const Gpu* g) {
  bool many = g->lanes == 1 && g->nworld > g->k.nprocessor * CTK_BLOCK;
  return many && g->task.nstep > 1 ? 1 : g->task.nstep;
}

// ---- memory of teams: all worlds at once where half of what is free is enough, else as many as fit ----

static ctStatus make_slots(Gpu* g, ctError* err) {
  size_t bytes = ctk_team_head_bytes(&g->k) + (g->data_bytes + 63) / 64 * 64;
  if (g->slots && g->slot_bytes == bytes) return CT_OK;
  gpu_drop(g, g->slots, g->slot_bytes * (size_t)g->nslot);
  g->slots = NULL;
  size_t have = 0, total = 0;
  CUDA_TRY(cudaMemGetInfo(&have, &total));
  size_t room = have / 2 / bytes;
  g->slot_bytes = bytes;
  g->nslot = room < (size_t)g->nworld ? (int)room : g->nworld;
  if (g->nslot < 1) g->nslot = 1;
  return gpu_alloc(g, (void**)&g->slots, g->slot_bytes * (size_t)g->nslot, err);
}

// ---- who runs a world: a thread, or a team of how many lanes ----
//
// Measured on an H200. Teams have the shorter steps, threads the higher throughput once there are worlds
// enough: the more data a world has, the more that is. Half cheetahs were about as fast in both forms with
// 8,192 worlds, humanoids, which have twice their data, somewhere between 33,000 and 131,000; the third
// power lies between. Few worlds get more lanes each; those of small models have less to share.

#define EQUAL_WORLDS 7500.0  // of EQUAL_BYTES, for the multiprocessors of the GPU that was measured
#define EQUAL_BYTES  10.9e3
#define MEASURED_ON  132

static bool threads_win(const Gpu* g) {
  const double size = (double)g->data_bytes / EQUAL_BYTES, share = (double)g->k.nprocessor / MEASURED_ON;
  return (double)g->nworld > share * EQUAL_WORLDS * size * size * size;
}

// Solved by the instance of the solver that is made for them, see stage/solve/problem.h.
static bool problems_are_plain(const ctModel* m) {
  const ctOption* opt = &m->opt;
  return opt->solver == CT_SOL_NEWTON && opt->noslip_iterations == 0 && m->nflex == 0 && !cti_is_sparse(m) &&
         !cti_is_discrete(m) && !(opt->disableflags & CT_DSBL_ISLAND) && !(opt->enableflags & CT_ENBL_SLEEP);
}

// The general solver changes numbers of a world by all lanes alike, which is only right where they stay
// together: in a warp of their own.
static int team_lanes(const Gpu* g) {
  int share = g->nworld / g->k.nprocessor;  // worlds of a multiprocessor
  bool small = g->m->nv <= 16;
  if (!problems_are_plain(g->m)) return 32;
  if (share <= 32) return small ? 16 : 32;
  return small || share > 128 ? 8 : 16;
}

// CORTEN_CUDA_LANES has the last word, to measure and to compare.
static int choose_lanes(const Gpu* g) {
  const char* wish = getenv("CORTEN_CUDA_LANES");
  int lanes = wish ? atoi(wish) : 0;
  if (lanes == 1 || lanes == 8 || lanes == 16 || lanes == 32) return lanes;
  return threads_win(g) ? 1 : team_lanes(g);
}

// Teams of a world that solve its islands: as many as the GPU has room for beside each other. Plain problems
// are too small to share. CORTEN_CUDA_WORKERS has the last word.
static ctStatus choose_workers(Gpu* g, ctError* err) {
  int resident = 0;
  g->task.workers = 1;
  if (g->task.problem_bytes[0] > 0 || !cti_step_islands_apart(g->m)) return CT_OK;
  CUDA_TRY((cudaError_t)ctk_teams_resident(g->lanes, &resident));
  const char* wish = getenv("CORTEN_CUDA_WORKERS");
  int most = wish ? atoi(wish) : g->k.nprocessor * resident / g->nslot;
  if (most > g->m->ntree) most = g->m->ntree;
  if (most > 1) g->task.workers = most;
  return CT_OK;
}

static ctStatus launch_teams(Gpu* g, ctError* err) {
  CT_TRY(make_slots(g, err));
  if (problems_are_plain(g->m)) CUDA_TRY((cudaError_t)ctk_plain_bytes(g->task.problem_bytes));
  CT_TRY(choose_workers(g, err));
  g->task.slots = g->nslot;
  g->task.evaluations = cti_step_evaluations(g->m, g->task.advance);
  CUDA_TRY((cudaError_t)ctk_launch_teams(&g->k, &g->task, g->lanes, g->slots, g->slot_bytes, g->clock,
                                         &g->sides, g->stream));
  return CT_OK;
}

// Local memory is set aside for as many threads as the GPU can hold. Where there is not enough for that,
// worlds are run by teams.
static ctStatus launch_some(Gpu* g, ctError* err) {
  if (!g->task.ids && !g->task.reset) CUDA_TRY((cudaError_t)ctk_order(&g->k, &g->order, g->stream));
  if (g->lanes > 1) return launch_teams(g, err);
  cudaError_t e = (cudaError_t)ctk_launch_local(g->class_, &g->k, &g->task, g->stream);
  if (e != cudaErrorMemoryAllocation) return e == cudaSuccess ? CT_OK : gpu_failed(err, e);
  g->lanes = team_lanes(g);
  return launch_teams(g, err);
}

static ctStatus launch_kernels(Gpu* g, ctError* err) {
  CUDA_TRY(cudaMemsetAsync(g->k.nshort, 0, sizeof(int), g->stream));
  g->task.until = 0;
  do {
    g->task.until += steps_in_order(g);
    CT_TRY(launch_some(g, err));
  } while (g->task.until < g->task.nstep);
  CUDA_TRY(cudaMemcpyAsync(g->nshort, g->k.nshort, sizeof(int), cudaMemcpyDeviceToHost, g->stream));
  return CT_OK;
}

// ---- graphs: all launches of a call as one ----
//
// A call that is the same as the one before it is recorded, and a graph from then on. Long calls are not: the
// host is ahead of the GPU after their first steps.

#define MOST_STEPS 100

void gpu_forget_graph(Gpu* g) {
  if (g->graph) cudaGraphExecDestroy(g->graph);
  g->graph = NULL;
}

static bool may_be_graph(const Gpu* g) {
  const ctkTask* t = &g->task;
  return !t->reset && !t->ids && !t->controls && !t->record && t->nstep <= MOST_STEPS && !g->clock &&
         !g->no_graphs;
}

// Everything that decides what is launched; numbers that are set one by one, over zeros.
static gpuCall this_call(const Gpu* g) {
  gpuCall call;
  memset(&call, 0, sizeof(call));
  memcpy(&call.k, &g->k, sizeof(call.k));
  call.nstep = g->task.nstep;
  call.advance = g->task.advance;
  call.lanes = g->lanes;
  call.class_ = g->class_;
  call.slots = g->slots;
  call.slot_bytes = g->slot_bytes;
  call.data_bytes = g->data_bytes;
  return call;
}

// Some streams of a caller cannot be recorded: then there are no graphs, and all else is the same.
static void record_graph(Gpu* g) {
  cudaGraph_t graph = NULL;
  cudaError_t e = cudaStreamBeginCapture(g->stream, cudaStreamCaptureModeRelaxed);
  if (e == cudaSuccess) {
    ctStatus status = launch_kernels(g, NULL);
    e = cudaStreamEndCapture(g->stream, &graph);
    if (e == cudaSuccess && status == CT_OK) e = cudaGraphInstantiateWithFlags(&g->graph, graph, 0);
    if (e != cudaSuccess) g->graph = NULL;
    if (graph) cudaGraphDestroy(graph);
  }
  g->no_graphs = !g->graph;
  if (g->no_graphs) cudaGetLastError();  // nothing has failed that was asked for
}

static ctStatus launch_call(Gpu* g, ctError* err) {
  if (!may_be_graph(g)) return launch_kernels(g, err);
  const gpuCall call = this_call(g);
  if (memcmp(&call, &g->last_call, sizeof(call)) != 0) {
    gpu_forget_graph(g);
    CT_TRY(launch_kernels(g, err));
    g->last_call = this_call(g);  // with the memory that it was given
    return CT_OK;
  }
  if (!g->graph) record_graph(g);
  if (!g->graph) return launch_kernels(g, err);
  CUDA_TRY(cudaGraphLaunch(g->graph, g->stream));
  return CT_OK;
}

static ctStatus launch(Gpu* g, ctError* err) {
  g->k.outputs = g->device_outputs;
  g->k.values = g->device_values;
  g->k.noutput = g->outputs.count;
  g->k.nvalue = g->values.count;
  CT_TRY(launch_call(g, err));
  g->pending = true;
  g->status_known = g->warnings_known = false;
  return CT_OK;
}

// Room for `bytes` of data in a world, and who runs it. For threads the smallest class of memory that has it.
void gpu_choose_room(Gpu* g, size_t bytes) {
  g->data_bytes = bytes;
  g->lanes = choose_lanes(g);
  if (g->lanes > 1) return;
  for (int i = 0; i < ctk_class_count(); i++) {
    if (ctk_class_bytes(i) < bytes) continue;
    g->class_ = i;
    g->data_bytes = ctk_class_bytes(i);
    return;
  }
  g->lanes = team_lanes(g);
}

// The most that a world has used of its arena, or asked for.
static ctStatus most_wanted(Gpu* g, size_t* most, ctError* err) {
  size_t* wanted = (size_t*)(void*)g->staging;
  const size_t n = (size_t)g->nworld;
  if (g->nstaging < n * sizeof(size_t)) return cti_error_memory(err);
  CT_TRY(gpu_copy(g, wanted, g->k.wanted, n * sizeof(size_t), err));
  *most = 0;
  for (size_t w = 0; w < n; w++) *most = wanted[w] > *most ? wanted[w] : *most;
  return CT_OK;
}

// Wait for the run; worlds that ran out of arena take their step again with a larger one.
ctStatus gpu_settle(Gpu* g, ctError* err) {
  CUDA_TRY(cudaSetDevice(g->device));  // this thread may be new to it
  cudaError_t lost = cudaStreamQuery(g->stream);
  if (lost != cudaSuccess && lost != cudaErrorNotReady) return gpu_failed(err, lost);
  while (g->pending) {
    CUDA_TRY(cudaStreamSynchronize(g->stream));
    g->pending = false;
    if (*g->nshort == 0) break;
    size_t arrays = cti_data_array_bytes(g->m, g->k.lifetimes), most = 0;
    CT_TRY(most_wanted(g, &most, err));
    size_t need = arrays + most + most / 2;
    gpu_choose_room(g, need > g->data_bytes ? need : g->data_bytes + 1);
    CT_TRY(launch(g, err));
  }
  return CT_OK;
}

static ctStatus gpu_start(Gpu* g, ctkTask task, ctError* err) {
  CT_TRY(gpu_settle(g, err));
  g->task = task;
  CUDA_TRY(cudaMemsetAsync(g->k.done, 0, sizeof(int) * (size_t)g->nworld, g->stream));
  return launch(g, err);
}

// Asynchronous: ct_batch_status() reports the trouble of worlds.
ctStatus gpu_run(void* self, int nstep, bool advance, ctError* err) {
  Gpu* g = (Gpu*)self;
  ctkTask task = {.count = g->nworld, .nstep = nstep, .advance = advance};
  return gpu_start(g, task, err);
}

static ctStatus first_trouble(Gpu* g, ctError* err) {
  CT_TRY(gpu_copy(g, g->host_status, g->k.status, sizeof(int) * (size_t)g->nworld, err));
  return cti_first_trouble(g->host_status, g->nworld, err);
}

static const ctTimerType stage_timers[CTI_STAGE_COUNT] = {
#define X(stage, call, timer, ...) [CTI_STAGE_##stage] = CT_TIMER_##timer,
    CTI_STAGES(X)
#undef X
};

static ctStatus gpu_machine(Gpu* g, ctBatchProfile* out, ctError* err) {
  int kilohertz = 0, plain = 0;
  CUDA_TRY(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, g->device));
  out->hertz = 1e3 * kilohertz;
  out->lanes = g->lanes;
  out->processors = g->k.nprocessor;
  out->step_bytes = g->lanes > 1 ? g->slot_bytes : g->data_bytes;
  out->array_bytes = cti_data_array_bytes(g->m, g->k.lifetimes);
  CT_TRY(most_wanted(g, &out->arena_bytes, err));
  if (g->lanes == 1) return CT_OK;
  CUDA_TRY((cudaError_t)ctk_teams_resident(g->lanes, &out->resident));
  if (g->task.problem_bytes[0] == 0) return CT_OK;
  CUDA_TRY((cudaError_t)ctk_plain_resident(g->task.problem_bytes[0], &plain));
  out->resident = plain;
  return CT_OK;
}

ctStatus gpu_profile(void* self, int nstep, ctBatchProfile* out, ctError* err) {
  Gpu* g = (Gpu*)self;
  ctkClock clock = {{0}};
  CT_TRY(gpu_settle(g, err));
  double began = ct_clock();
  g->clock = &clock;
  ctStatus status = gpu_run(g, nstep, true, err);
  if (status == CT_OK) status = gpu_settle(g, err);
  g->clock = NULL;
  if (status != CT_OK) return status;
  const int64_t steps = (int64_t)nstep * g->nworld;
  double all = 0;
  for (int s = 0; g->lanes > 1 && s < CTI_STAGE_COUNT; s++) {
    out->timer[stage_timers[s]] = (ctTimerStat){.duration = clock.seconds[s], .number = steps};
    all += clock.seconds[s];
  }
  if (g->lanes == 1) all = ct_clock() - began;
  out->timer[CT_TIMER_STEP] = (ctTimerStat){.duration = all, .number = steps};
  CT_TRY(gpu_machine(g, out, err));
  return first_trouble(g, err);
}

// Memory for one task, with numbers from the host (NULL: none); no memory for no bytes.
static ctStatus upload(Gpu* g, void** out, const void* from, size_t bytes, ctError* err) {
  *out = NULL;
  if (bytes == 0) return CT_OK;
  CT_TRY(gpu_alloc(g, out, bytes, err));
  return from ? gpu_copy(g, *out, from, bytes, err) : CT_OK;
}

ctStatus gpu_reset(void* self, const int* ids, int nids, int key, ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(gpu_settle(g, err));
  int* chosen = NULL;
  size_t bytes = ids ? sizeof(int) * (size_t)nids : 0;
  CT_TRY(upload(g, (void**)&chosen, ids, bytes, err));
  ctkTask task = {.ids = chosen, .count = nids, .reset = true, .key = key};
  ctStatus status = gpu_start(g, task, err);
  if (status == CT_OK) status = gpu_settle(g, err);
  gpu_drop(g, chosen, bytes);
  return status;
}

ctStatus gpu_rollout(void* self, int nstep, const void* controls, void* out, ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(gpu_settle(g, err));
  const int mine = (int)sizeof(ctReal);
  size_t rows = (size_t)g->nworld * (size_t)nstep;
  size_t nin = controls ? rows * (size_t)g->m->nu : 0, nout = out ? rows * (size_t)g->k.output_width : 0;
  size_t in_bytes = nin * sizeof(ctReal), out_bytes = nout * sizeof(ctReal);
  void *in_device = NULL, *out_device = NULL;
  CT_TRY(gpu_stage(g, in_bytes > out_bytes ? in_bytes : out_bytes, err));
  gpu_convert(g->staging, mine, controls, g->real_bytes, nin);
  ctStatus status = upload(g, &in_device, g->staging, in_bytes, err);
  if (status == CT_OK) status = upload(g, &out_device, NULL, out_bytes, err);
  ctkTask task = {.count = g->nworld, .nstep = nstep, .advance = true};
  task.controls = (const ctReal*)in_device;
  task.record = (ctReal*)out_device;
  if (status == CT_OK) status = gpu_start(g, task, err);
  if (status == CT_OK) status = gpu_settle(g, err);
  if (status == CT_OK && out_device) status = gpu_copy(g, g->staging, out_device, out_bytes, err);
  if (status == CT_OK) gpu_convert(out, g->real_bytes, g->staging, mine, nout);
  gpu_drop(g, in_device, in_bytes);
  gpu_drop(g, out_device, out_bytes);
  return status == CT_OK ? first_trouble(g, err) : status;
}

ctStatus gpu_sync(void* self, ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(gpu_settle(g, err));
  return first_trouble(g, err);
}

// ---- columns of a store: world by world in host memory, number by number on the device ----

static bool is_row_major(ctiStore store) {
  return store == CTI_STORE_VALUES;
}

static ctReal* store_of(const Gpu* g, ctiStore store) {
  ctReal* const stores[CTI_STORE_COUNT] = {g->k.state, g->k.carried, g->k.output, g->k.value_rows};
  return stores[store];
}

// The columns as they lie on the device, to or from the staging memory: column by column, or row by row.
static ctStatus gpu_transfer(Gpu* g, ctiColumn c, bool to_device, ctError* err) {
  size_t n = (size_t)g->nworld, width = (size_t)c.width * sizeof(ctReal);
  if (is_row_major(c.store)) {
    size_t pitch = (size_t)g->k.value_width * sizeof(ctReal);
    char* at = (char*)(g->k.value_rows + c.offset);
    return to_device ? gpu_copy_rows(g, at, pitch, g->staging, width, width, n, err)
                     : gpu_copy_rows(g, g->staging, width, at, pitch, width, n, err);
  }
  ctReal* at = store_of(g, c.store) + (size_t)c.offset * n;
  return to_device ? gpu_copy(g, at, g->staging, width * n, err)
                   : gpu_copy(g, g->staging, at, width * n, err);
}

static ctReal* staged(const Gpu* g, ctiColumn c, int world, int k) {
  return is_row_major(c.store) ? g->staging + (size_t)world * (size_t)c.width + (size_t)k
                               : g->staging + (size_t)k * (size_t)g->nworld + (size_t)world;
}

ctStatus gpu_read(void* self, ctiColumn c, const int* ids, int nids, void* values, ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(gpu_settle(g, err));
  CT_TRY(gpu_stage(g, (size_t)g->nworld * (size_t)c.width * sizeof(ctReal), err));
  CT_TRY(gpu_transfer(g, c, false, err));
  char* to = values;
  for (int i = 0; i < nids; i++) {
    for (int k = 0; k < c.width; k++, to += g->real_bytes)
      gpu_convert(to, g->real_bytes, staged(g, c, ids ? ids[i] : i, k), (int)sizeof(ctReal), 1);
  }
  return CT_OK;
}

ctStatus gpu_write(void* self, ctiColumn c, const int* ids, int nids, const void* values, ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(gpu_settle(g, err));
  CT_TRY(gpu_stage(g, (size_t)g->nworld * (size_t)c.width * sizeof(ctReal), err));
  if (ids) CT_TRY(gpu_transfer(g, c, false, err));
  const char* from = values;
  for (int i = 0; i < nids; i++) {
    for (int k = 0; k < c.width; k++, from += g->real_bytes)
      gpu_convert(staged(g, c, ids ? ids[i] : i, k), (int)sizeof(ctReal), from, g->real_bytes, 1);
  }
  return gpu_transfer(g, c, true, err);
}

ctStatus gpu_view(void* self, ctiColumn c, ctBatchView* view, ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(gpu_settle(g, err));
  bool rows = is_row_major(c.store);
  view->device = g->device;
  view->real_bytes = (int)sizeof(ctReal);
  view->data =
      rows ? g->k.value_rows + c.offset : store_of(g, c.store) + (size_t)c.offset * (size_t)g->nworld;
  view->stride[0] = rows ? g->k.value_width : 1;
  view->stride[1] = rows ? 1 : g->nworld;
  return CT_OK;
}

// ---- outputs that are gathered after a step, and model values of every world ----

// The member of a struct that holds a field, or the address of it.
static ctkItem item_of(const ctiFieldRow* row, int column, int width) {
  return (ctkItem){.offset = row->offset,
                   .column = column,
                   .width = width,
                   .type = (int)row->info.type,
                   .pointer = row->inside == 0};
}

static ctStatus upload_items(Gpu* g, ctkItem** device, const ctkItem* items, int count, ctError* err) {
  gpu_drop(g, *device, sizeof(ctkItem) * (size_t)(count - 1));
  CT_TRY(gpu_alloc(g, (void**)device, sizeof(ctkItem) * (size_t)count, err));
  return gpu_copy(g, *device, items, sizeof(ctkItem) * (size_t)count, err);
}

// Worlds get an array that the model itself can do without.
static void add_room(Gpu* g, unsigned room) {
  const size_t before = cti_data_array_bytes(g->m, g->k.lifetimes);
  g->k.lifetimes |= room;
  const size_t after = cti_data_array_bytes(g->m, g->k.lifetimes);
  if (after > before) gpu_choose_room(g, g->data_bytes + (after - before));
}

ctStatus gpu_add_output(void* self, const char* name, int width, ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(gpu_settle(g, err));
  const ctkItem item = item_of(cti_data_field_row(name), g->k.output_width, width);
  ctReal* wider;
  size_t n = (size_t)g->nworld, old = n * (size_t)g->k.output_width * sizeof(ctReal);
  CT_TRY(gpu_alloc(g, (void**)&wider, old + n * (size_t)width * sizeof(ctReal), err));
  if (old) CT_TRY(gpu_copy(g, wider, g->k.output, old, err));
  gpu_drop(g, g->k.output, old);
  g->k.output = wider;
  g->k.output_width += width;
  g->k.needs |= cti_data_needs(name);
  add_room(g, cti_field_lifetime(name));
  if (cti_array_push(&g->outputs, NULL, item) != CT_OK) return cti_error_memory(err);
  return upload_items(g, &g->device_outputs, g->outputs.data, g->outputs.count, err);
}

ctStatus gpu_add_values(void* self, const char* name, int width, ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(gpu_settle(g, err));
  ctField f;
  CT_TRY(ct_model_field(g->m, name, &f));
  const ctkItem item = item_of(cti_model_field_row(name), g->k.value_width, width);
  size_t n = (size_t)g->nworld, old_width = (size_t)g->k.value_width, all = old_width + (size_t)width;
  ctReal* wider;
  CT_TRY(gpu_stage(g, n * (size_t)width * sizeof(ctReal), err));
  CT_TRY(gpu_alloc(g, (void**)&wider, n * all * sizeof(ctReal), err));
  for (size_t w = 0; w < n; w++)
    memcpy(g->staging + w * (size_t)width, f.data, (size_t)width * sizeof(ctReal));
  if (old_width) {
    CT_TRY(gpu_copy_rows(g, wider, all * sizeof(ctReal), g->k.value_rows, old_width * sizeof(ctReal),
                         old_width * sizeof(ctReal), n, err));
  }
  CT_TRY(gpu_copy_rows(g, wider + old_width, all * sizeof(ctReal), g->staging, (size_t)width * sizeof(ctReal),
                       (size_t)width * sizeof(ctReal), n, err));
  gpu_drop(g, g->k.value_rows, n * old_width * sizeof(ctReal));
  g->k.value_rows = wider;
  g->k.value_width = (int)all;
  if (cti_model_loosen(g->m, name)) CT_TRY(gpu_upload_model(g, err));
  add_room(g, cti_value_lifetime(name));
  if (cti_array_push(&g->values, NULL, item) != CT_OK) return cti_error_memory(err);
  return upload_items(g, &g->device_values, g->values.data, g->values.count, err);
}

ctStatus gpu_set_noise(void* self, bool on, uint32_t seed, ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(gpu_settle(g, err));  // a running task may be launched again: it keeps the noise it began with
  g->k.noise = on;
  g->k.noise_seed = seed;
  g->k.noise_first = (uint32_t)g->opt.first_world;
  return CT_OK;
}

// On the host, world by world: constants change seldom.
ctStatus gpu_update(void* self, ctError* err) {
  Gpu* g = (Gpu*)self;
  CT_TRY(gpu_settle(g, err));
  size_t n = (size_t)g->nworld, width = (size_t)g->k.value_width;
  ctiColumn all = {CTI_STORE_VALUES, 0, g->k.value_width};
  CT_TRY(gpu_stage(g, n * width * sizeof(ctReal), err));
  CT_TRY(gpu_transfer(g, all, false, err));
  ctModel* m;
  CT_TRY(ct_model_copy(&m, g->m, err));
  ctStatus status = CT_OK;
  for (size_t w = 0; w < n && status == CT_OK; w++) {
    for (int pass = 0; pass < 2; pass++) {
      if (pass == 1) status = ct_model_update(m, err);
      for (int i = 0; i < g->values.count; i++) {
        const ctkItem* item = &g->values.data[i];
        char* member = (char*)m + item->offset;
        ctReal *there = item->pointer ? *(ctReal**)(void*)member : (ctReal*)(void*)member,
               *here = g->staging + w * width + (size_t)item->column;
        memcpy(pass == 0 ? there : here, pass == 0 ? here : there, sizeof(ctReal) * (size_t)item->width);
      }
    }
  }
  ct_model_free(m);
  return status == CT_OK ? gpu_transfer(g, all, true, err) : status;
}
