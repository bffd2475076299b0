// The CPU as a backend of batches. A world is its rows in the stores; a worker has a data, and a model of its
// own when worlds differ in values. Every field has an array of its own, which never moves.
#include <string.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "batch/backend.h"
#include "corten/sim.h"
#include "data/awake.h"
#include "data/state.h"
#include "model/fields.h"
#include "step/derived.h"
#include "step/step.h"

// The numbers of a field in all worlds, and their place among those of its store.
typedef struct FieldRows {
  ctReal* data;  // nworld rows
  int offset, width;
} FieldRows;

// A field of a worker's data that is gathered, or of its model that is overwritten.
typedef struct Item {
  ctField field;
  FieldRows rows;
} Item;

typedef CTI_ARRAY(Item) Items;

typedef struct Worker {
  ctData* d;
  ctModel* m;  // its own copy, NULL while worlds share the model
  Items items[CTI_STORE_COUNT];
} Worker;

typedef struct Cpu {
  const ctModel* m;
  ctAllocator allocator;
  ctBatchOptions opt;
  int nworld, threads, nworker;
  ctiPool* pool;
  Worker* workers;
  CTI_ARRAY(FieldRows) store[CTI_STORE_COUNT];
  int width[CTI_STORE_COUNT];  // of all rows of a store together
  int* status;
  ctWarningStat* warnings;
} Cpu;

static inline ctReal* row_of(FieldRows rows, int world) {
  return rows.data + (size_t)world * (size_t)rows.width;
}

// Also none, of arrays that are not there.
static inline void copy_reals(void* to, const void* from, size_t count) {
  if (count > 0) memcpy(to, from, sizeof(ctReal) * count);
}

// What the workers do with a piece of the worlds: context is a Job.
typedef struct Job {
  Cpu* c;
  int nstep;
  bool advance;
  const ctReal* controls;
  ctReal* out;
  const int* ids;
  int key;
} Job;

static ctReal* state_of(const Cpu* c, int world) {
  return row_of(c->store[CTI_STORE_STATE].data[0], world);
}

static ctReal* carried_of(const Cpu* c, int world) {
  return row_of(c->store[CTI_STORE_CARRIED].data[0], world);
}

// ---- one world on a worker ----

static const ctModel* model_of(const Cpu* c, Worker* w, int world) {
  if (!w->m) return c->m;
  const Items* items = &w->items[CTI_STORE_VALUES];
  for (int i = 0; i < items->count; i++) {
    const Item* item = &items->data[i];
    copy_reals(item->field.data, row_of(item->rows, world), (size_t)item->rows.width);
  }
  return w->m;
}

static void enter(const Cpu* c, const ctModel* m, ctData* d, int world) {
  cti_state_load(m, d, state_of(c, world), 1, CT_STATE_INTEGRATION);
  cti_carried_load(m, d, carried_of(c, world), 1, c->width[CTI_STORE_CARRIED], m != c->m);
  for (int i = 0; i < CT_WARN_COUNT; i++) d->warning[i] = (ctWarningStat){0};
  d->noise_world = (uint32_t)c->opt.first_world + (uint32_t)world;
}

static void take(const Item* item, ctReal* out) {
  if (item->field.type == CT_FIELD_REAL) {
    copy_reals(out, item->field.data, (size_t)item->rows.width);
  } else {
    for (int k = 0; k < item->rows.width; k++) out[k] = (ctReal)cti_field_number(&item->field, k);
  }
}

// The outputs of a world, to where they belong.
static void gather(const Worker* w, int world) {
  const Items* items = &w->items[CTI_STORE_OUTPUT];
  for (int i = 0; i < items->count; i++) take(&items->data[i], row_of(items->data[i].rows, world));
}

// The same, side by side.
static void record(const Worker* w, ctReal* out) {
  const Items* items = &w->items[CTI_STORE_OUTPUT];
  for (int i = 0; i < items->count; i++) take(&items->data[i], out + items->data[i].rows.offset);
}

static void leave(const Cpu* c, const ctModel* m, const ctData* d, int world) {
  cti_state_store(m, d, state_of(c, world), 1, CT_STATE_INTEGRATION);
  ctWarningStat* seen = c->warnings + (size_t)CT_WARN_COUNT * (size_t)world;
  for (int i = 0; i < CT_WARN_COUNT; i++) {
    if (d->warning[i].number == 0) continue;
    seen[i].number += d->warning[i].number;
    seen[i].lastinfo = d->warning[i].lastinfo;
  }
  cti_carried_store(m, d, carried_of(c, world), 1, c->width[CTI_STORE_CARRIED]);
}

static void note(const Cpu* c, int world, ctStatus status) {
  if (c->status[world] == CT_OK) c->status[world] = (int)status;
}

static void to_start(const ctModel* m, ctData* d, int key) {
  ctWarningStat seen[CT_WARN_COUNT];
  memcpy(seen, d->warning, sizeof(seen));
  if (key >= 0) {
    ct_data_reset_keyframe(m, d, key);
  } else {
    ct_data_reset(m, d);
  }
  memcpy(d->warning, seen, sizeof(seen));
}

// Step `i` of `n` that nobody looks at in between.
static ctStatus step_world(const Cpu* c, const ctModel* m, ctData* d, int i, int n) {
  ctStatus status = cti_step_one(m, d, i, n);
  if (status == CT_STEP_DIVERGED && c->opt.reset_bad)
    to_start(m, d, c->opt.reset_to_key ? c->opt.reset_key : -1);
  return status;
}

// ---- loops over worlds ----

// steps, or forward
static void run_worlds(void* context, int begin, int end, int worker) {
  const Job* job = context;
  const Cpu* c = job->c;
  Worker* w = &c->workers[worker];
  cti_data(w->d)->scenery.shared = false;  // the model may have been edited since the last call
  for (int world = begin; world < end; world++) {
    const ctModel* m = model_of(c, w, world);
    enter(c, m, w->d, world);
    if (!job->advance) note(c, world, ct_forward(m, w->d));
    for (int i = 0; job->advance && i < job->nstep; i++)
      note(c, world, step_world(c, m, w->d, i, job->nstep));
    gather(w, world);
    leave(c, m, w->d, world);
    cti_data(w->d)->scenery.shared = !w->m;
  }
}

// steps with controls, recorded
static void roll_worlds(void* context, int begin, int end, int worker) {
  const Job* job = context;
  const Cpu* c = job->c;
  Worker* w = &c->workers[worker];
  size_t nu = (size_t)c->m->nu, nout = (size_t)c->width[CTI_STORE_OUTPUT];
  cti_data(w->d)->scenery.shared = false;  // the model may have been edited since the last call
  for (int world = begin; world < end; world++) {
    const ctModel* m = model_of(c, w, world);
    size_t first = (size_t)world * (size_t)job->nstep;
    enter(c, m, w->d, world);
    for (int i = 0; i < job->nstep; i++) {
      if (job->controls) copy_reals(w->d->ctrl, job->controls + (first + (size_t)i) * nu, nu);
      note(c, world, step_world(c, m, w->d, i, job->out ? i + 1 : job->nstep));
      if (job->out) record(w, job->out + (first + (size_t)i) * nout);
    }
    gather(w, world);
    leave(c, m, w->d, world);
    cti_data(w->d)->scenery.shared = !w->m;
  }
}

// ids, or all
static void reset_worlds(void* context, int begin, int end, int worker) {
  const Job* job = context;
  const Cpu* c = job->c;
  Worker* w = &c->workers[worker];
  for (int i = begin; i < end; i++) {
    int world = job->ids ? job->ids[i] : i;
    const ctModel* m = model_of(c, w, world);
    to_start(m, w->d, job->key);
    cti_state_store(m, w->d, state_of(c, world), 1, CT_STATE_INTEGRATION);
    memset(c->warnings + (size_t)CT_WARN_COUNT * (size_t)world, 0, sizeof(ctWarningStat) * CT_WARN_COUNT);
    c->status[world] = CT_OK;
    cti_carried_store(m, w->d, carried_of(c, world), 1, c->width[CTI_STORE_CARRIED]);
  }
}

// Constants of their models. What a world's values make of ids and flags is the world's alone: the model of
// the worker gets its own back.
static void update_worlds(void* context, int begin, int end, int worker) {
  const Job* job = context;
  const Cpu* c = job->c;
  Worker* w = &c->workers[worker];
  const size_t bytes = (size_t)w->m->nbuffer;
  void* own = cti_alloc(&c->allocator, bytes, CTI_ALIGN_ANY);
  if (own) memcpy(own, w->m, bytes);
  for (int world = begin; world < end; world++) {
    model_of(c, w, world);
    ctStatus status = own ? ct_model_update(w->m, NULL) : CT_ERR_MEMORY;
    note(c, world, status);
    const Items* items = &w->items[CTI_STORE_VALUES];
    for (int i = 0; i < items->count && status == CT_OK; i++)
      take(&items->data[i], row_of(items->data[i].rows, world));
  }
  if (own) memcpy(w->m, own, bytes);
  cti_release(&c->allocator, own);
}

// ---- worlds on the threads of the CPU: memory and calls ----

// Pieces small enough for the last thread not to be waited for, large enough to be worth claiming.
static void for_worlds(Cpu* c, int count, ctiPoolFunction loop, Job* job) {
  int grain = count / (8 * c->threads);
  cti_pool_run(c->pool, count, grain < 1 ? 1 : (grain > 64 ? 64 : grain), loop, job);
}

static void cpu_free(void* self) {
  Cpu* c = self;
  if (!c) return;
  ctAllocator a = c->allocator;
  cti_pool_free(c->pool);
  for (int i = 0; c->workers && i < c->nworker; i++) {
    ct_data_free(c->workers[i].d);
    ct_model_free(c->workers[i].m);
    for (int s = 0; s < CTI_STORE_COUNT; s++) cti_array_free(&c->workers[i].items[s], &a);
  }
  cti_release(&a, c->workers);
  for (int s = 0; s < CTI_STORE_COUNT; s++) {
    for (int i = 0; i < c->store[s].count; i++) cti_release(&a, c->store[s].data[i].data);
    cti_array_free(&c->store[s], &a);
  }
  cti_release(&a, c->status);
  cti_release(&a, c->warnings);
  cti_release(&a, c);
}

static void* zeros(const Cpu* c, size_t count, size_t size) {
  return cti_alloc_array(&c->allocator, count, size);
}

// A new array in a store, whose rows all start as `start` (NULL: zero).
static ctStatus add_rows(Cpu* c, ctiStore store, int width, const ctReal* start, ctError* err) {
  FieldRows rows = {.offset = c->width[store], .width = width};
  rows.data = zeros(c, (size_t)c->nworld * (size_t)width, sizeof(ctReal));
  if (!rows.data) return cti_error_memory(err);
  for (int w = 0; start && w < c->nworld; w++) copy_reals(row_of(rows, w), start, (size_t)width);
  if (cti_array_push(&c->store[store], &c->allocator, rows) != CT_OK) {
    cti_release(&c->allocator, rows.data);
    return cti_error_memory(err);
  }
  c->width[store] += width;
  return CT_OK;
}

static void drop_rows(Cpu* c, ctiStore store) {
  FieldRows rows = c->store[store].data[--c->store[store].count];
  c->width[store] -= rows.width;
  for (int i = 0; i < c->nworker; i++) {
    Items* items = &c->workers[i].items[store];
    if (items->count > c->store[store].count) items->count--;
  }
  cti_release(&c->allocator, rows.data);
}

static ctStatus cpu_reset(void* self, const int* ids, int nids, int key, ctError* err) {
  (void)err;
  Cpu* c = self;
  Job job = {.c = c, .ids = ids, .key = key};
  for_worlds(c, nids, reset_worlds, &job);
  return CT_OK;
}

static ctStatus allocate(Cpu* c, ctError* err) {
  size_t n = (size_t)c->nworld, have = cti_memory_free();
  int state = cti_state_size(c->m, CT_STATE_INTEGRATION), carried = cti_carried_size(c->m);
  if (have > 0)
    CT_TRY(cti_check_room(c->nworld, cti_world_bytes((size_t)state + (size_t)carried), have, err));
  CT_TRY(add_rows(c, CTI_STORE_STATE, state, NULL, err));
  CT_TRY(add_rows(c, CTI_STORE_CARRIED, carried, NULL, err));
  c->status = zeros(c, n, sizeof(int));
  c->warnings = zeros(c, n * CT_WARN_COUNT, sizeof(ctWarningStat));
  c->workers = zeros(c, (size_t)c->threads, sizeof(Worker));
  if (!c->status || !c->warnings || !c->workers) return cti_error_memory(err);
  for (; c->nworker < c->threads; c->nworker++) {
    ctData** d = &c->workers[c->nworker].d;
    CT_TRY(ct_data_create(d, c->m, err));
    if (!cti_calls_user(c->m)) cti_data(*d)->needs = 0;
  }
  if (c->threads > 1) CT_TRY(cti_pool_create(&c->pool, c->threads, &c->allocator, err));
  return CT_OK;
}

static ctStatus cpu_create(void** out, const ctiBatchSetup* setup, ctError* err) {
  *out = NULL;
  const ctModel* m = setup->m;
  Cpu* c = cti_alloc(&m->allocator, sizeof(Cpu), _Alignof(Cpu));
  if (!c) return cti_error_memory(err);
  *c = (Cpu){.m = m, .allocator = m->allocator, .opt = setup->opt, .nworld = setup->nworld};
  c->threads = setup->opt.threads > 0 ? setup->opt.threads : cti_cpu_count();
  if (c->threads > c->nworld) c->threads = c->nworld;
  ctStatus status = allocate(c, err);
  if (status != CT_OK) {
    cpu_free(c);
    return status;
  }
  cpu_reset(c, NULL, c->nworld, -1, NULL);
  *out = c;
  return CT_OK;
}

static void cpu_info(const void* self, ctBatchInfo* info) {
  const Cpu* c = self;
  info->backend = CT_BACKEND_CPU;
  info->threads = c->threads;
  info->device = -1;
  info->real_bytes = (int)sizeof(ctReal);
  size_t numbers = 0;
  for (int s = 0; s < CTI_STORE_COUNT; s++) numbers += (size_t)c->width[s];
  info->bytes_per_world = cti_world_bytes(numbers);
  info->bytes = info->bytes_per_world * (size_t)c->nworld;
  for (int i = 0; i < c->nworker; i++) {
    info->bytes += ct_data_bytes(c->workers[i].d);
    if (c->workers[i].m) info->bytes += c->workers[i].m->nbuffer;
  }
}

static ctStatus cpu_run(void* self, int nstep, bool advance, ctError* err) {
  Cpu* c = self;
  Job job = {.c = c, .nstep = nstep, .advance = advance};
  for_worlds(c, c->nworld, run_worlds, &job);
  return cti_first_trouble(c->status, c->nworld, err);
}

static ctStatus cpu_profile(void* self, int nstep, ctBatchProfile* out, ctError* err) {
  Cpu* c = self;
  for (int i = 0; i < c->nworker; i++) {
    ctData* d = c->workers[i].d;
    d->now = ct_clock;
    memset(d->timer, 0, sizeof(d->timer));
  }
  ctStatus status = cpu_run(c, nstep, true, err);
  for (int i = 0; i < c->nworker; i++) {
    ctData* d = c->workers[i].d;
    d->now = NULL;
    for (int t = 0; t < CT_TIMER_COUNT; t++) {
      out->timer[t].duration += d->timer[t].duration;
      out->timer[t].number += d->timer[t].number;
    }
  }
  out->lanes = out->resident = 1;
  out->processors = c->threads;
  return status;
}

static ctStatus cpu_rollout(void* self, int nstep, const void* controls, void* out, ctError* err) {
  Cpu* c = self;
  Job job = {.c = c, .nstep = nstep, .controls = controls, .out = out};
  for_worlds(c, c->nworld, roll_worlds, &job);
  return cti_first_trouble(c->status, c->nworld, err);
}

// Copy what a column and an array have in common, for `nids` worlds, out of the array or into it.
static void copy_rows(FieldRows rows, ctiColumn col, const int* ids, int nids, ctReal* values, bool out) {
  int begin = rows.offset > col.offset ? rows.offset : col.offset;
  int rows_end = rows.offset + rows.width, col_end = col.offset + col.width;
  int count = (rows_end < col_end ? rows_end : col_end) - begin;
  if (count <= 0) return;
  for (int i = 0; i < nids; i++) {
    ctReal* inside = row_of(rows, ids ? ids[i] : i) + (begin - rows.offset);
    ctReal* outside = values + (size_t)i * (size_t)col.width + (begin - col.offset);
    copy_reals(out ? outside : inside, out ? inside : outside, (size_t)count);
  }
}

static ctStatus cpu_read(void* self, ctiColumn col, const int* ids, int nids, void* out, ctError* err) {
  (void)err;
  const Cpu* c = self;
  for (int i = 0; i < c->store[col.store].count; i++)
    copy_rows(c->store[col.store].data[i], col, ids, nids, out, true);
  return CT_OK;
}

static ctStatus cpu_write(void* self, ctiColumn col, const int* ids, int nids, const void* in, ctError* err) {
  (void)err;
  const Cpu* c = self;
  for (int i = 0; i < c->store[col.store].count; i++)
    copy_rows(c->store[col.store].data[i], col, ids, nids, (ctReal*)(uintptr_t)in, false);
  return CT_OK;
}

// Let every worker know the newest array of a store.
static ctStatus connect(Cpu* c, ctiStore store, const char* name, ctError* err) {
  Item item = {.rows = c->store[store].data[c->store[store].count - 1]};
  for (int i = 0; i < c->nworker; i++) {
    Worker* w = &c->workers[i];
    if (store == CTI_STORE_VALUES && !w->m) CT_TRY(ct_model_copy(&w->m, c->m, err));
    if (store == CTI_STORE_VALUES) cti_model_loosen(w->m, name);
    CT_TRY(store == CTI_STORE_VALUES ? ct_model_field(w->m, name, &item.field)
                                     : ct_data_field(c->m, w->d, name, &item.field));
    if (cti_array_push(&w->items[store], &c->allocator, item) != CT_OK) return cti_error_memory(err);
  }
  return CT_OK;
}

static ctStatus add_field(Cpu* c, ctiStore store, const char* name, int width, const ctReal* start,
                          ctError* err) {
  CT_TRY(add_rows(c, store, width, start, err));
  ctStatus status = connect(c, store, name, err);
  if (status != CT_OK) drop_rows(c, store);
  return status;
}

static ctStatus cpu_add_output(void* self, const char* name, int width, ctError* err) {
  Cpu* c = self;
  CT_TRY(add_field(c, CTI_STORE_OUTPUT, name, width, NULL, err));
  for (int i = 0; i < c->nworker; i++) cti_data(c->workers[i].d)->needs |= cti_data_needs(name);
  return CT_OK;
}

static ctStatus cpu_add_values(void* self, const char* name, int width, ctError* err) {
  Cpu* c = self;
  ctField start;
  CT_TRY(ct_model_field(c->m, name, &start));
  return add_field(c, CTI_STORE_VALUES, name, width, (const ctReal*)start.data, err);
}

static ctStatus cpu_set_noise(void* self, bool on, uint32_t seed, ctError* err) {
  (void)err;
  Cpu* c = self;
  for (int i = 0; i < c->nworker; i++) ct_data_set_noise(c->workers[i].d, on, seed, 0);  // world: enter()
  return CT_OK;
}

static ctStatus cpu_update(void* self, ctError* err) {
  Cpu* c = self;
  Job job = {.c = c};
  for_worlds(c, c->nworld, update_worlds, &job);
  // a model that is refused is once more, for the reason: nothing of it was changed
  for (int world = 0; world < c->nworld; world++) {
    if (c->status[world] != CT_ERR_INVALID) continue;
    model_of(c, &c->workers[0], world);
    ctError why = {0};
    if (ct_model_update(c->workers[0].m, &why) == CT_ERR_INVALID)
      return cti_error(err, CT_ERR_INVALID, "world %d: %s", world, why.message);
  }
  return cti_first_trouble(c->status, c->nworld, err);
}

static ctStatus cpu_view(void* self, ctiColumn col, ctBatchView* view, ctError* err) {
  (void)err;
  const Cpu* c = self;
  view->real_bytes = (int)sizeof(ctReal);
  view->stride[1] = 1;
  for (int i = 0; i < c->store[col.store].count; i++) {
    FieldRows rows = c->store[col.store].data[i];
    if (col.offset < rows.offset || col.offset >= rows.offset + rows.width) continue;
    view->data = rows.data + (col.offset - rows.offset);
    view->stride[0] = rows.width;
  }
  return CT_OK;
}

static const int* cpu_status(void* self) {
  return ((const Cpu*)self)->status;
}

static const ctWarningStat* cpu_warnings(void* self) {
  return ((const Cpu*)self)->warnings;
}

static ctStatus cpu_restore_reports(void* self, const int* status, const ctWarningStat* warnings,
                                    ctError* err) {
  (void)err;
  Cpu* c = self;
  memcpy(c->status, status, sizeof(int) * (size_t)c->nworld);
  memcpy(c->warnings, warnings, sizeof(ctWarningStat) * CT_WARN_COUNT * (size_t)c->nworld);
  return CT_OK;
}

static ctStatus cpu_sync(void* self, ctError* err) {
  (void)self, (void)err;
  return CT_OK;
}

const ctiBackend cti_backend_cpu = {
    .create = cpu_create,
    .free = cpu_free,
    .info = cpu_info,
    .run = cpu_run,
    .profile = cpu_profile,
    .rollout = cpu_rollout,
    .reset = cpu_reset,
    .read = cpu_read,
    .write = cpu_write,
    .add_output = cpu_add_output,
    .add_values = cpu_add_values,
    .set_noise = cpu_set_noise,
    .update = cpu_update,
    .view = cpu_view,
    .status = cpu_status,
    .warnings = cpu_warnings,
    .restore_reports = cpu_restore_reports,
    .sync = cpu_sync,
};
