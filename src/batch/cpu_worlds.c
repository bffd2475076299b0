// Worlds on a worker of the CPU: entered, stepped, left.
#include "batch/cpu.h"
#include "corten/sim.h"
#include "data/state_parts.h"
#include "model/fields.h"

static ctReal* state_of(const ctiCpu* c, int world) {
  return cti_row(c->store[CTI_STORE_STATE].data[0], world);
}

static ctReal* carried_of(const ctiCpu* c, int world) {
  return cti_row(c->store[CTI_STORE_CARRIED].data[0], world);
}

// ---- one world on a worker

static const ctModel* model_of(const ctiCpu* c, ctiWorker* w, int world) {
  if (!w->m) return c->m;
  const ctiItems* items = &w->items[CTI_STORE_VALUES];
  for (int i = 0; i < items->count; i++) {
    const ctiItem* item = &items->data[i];
    cti_copy_reals(item->field.data, cti_row(item->rows, world), (size_t)item->rows.width);
  }
  return w->m;
}

static void enter(const ctiCpu* c, const ctModel* m, ctData* d, int world) {
  cti_state_load(m, d, state_of(c, world), 1, CT_STATE_INTEGRATION);
  for (int i = 0; i < CT_WARN_COUNT; i++) d->warning[i] = (ctWarningStat){0};
  d->noise_world = (uint32_t)world;
  cti_copy_reals(d->sensordata, carried_of(c, world), (size_t)c->width[CTI_STORE_CARRIED]);
}

static void take(const ctiItem* item, ctReal* out) {
  if (item->field.type == CT_FIELD_REAL) {
    cti_copy_reals(out, item->field.data, (size_t)item->rows.width);
  } else {
    for (int k = 0; k < item->rows.width; k++) out[k] = (ctReal)cti_field_number(&item->field, k);
  }
}

// The outputs of a world, to where they belong.
static void gather(const ctiWorker* w, int world) {
  const ctiItems* items = &w->items[CTI_STORE_OUTPUT];
  for (int i = 0; i < items->count; i++) take(&items->data[i], cti_row(items->data[i].rows, world));
}

// The same, side by side.
static void record(const ctiWorker* w, ctReal* out) {
  const ctiItems* items = &w->items[CTI_STORE_OUTPUT];
  for (int i = 0; i < items->count; i++) take(&items->data[i], out + items->data[i].rows.offset);
}

static void leave(const ctiCpu* c, const ctModel* m, const ctData* d, int world) {
  cti_state_store(m, d, state_of(c, world), 1, CT_STATE_INTEGRATION);
  ctWarningStat* seen = c->warnings + (size_t)CT_WARN_COUNT * (size_t)world;
  for (int i = 0; i < CT_WARN_COUNT; i++) {
    if (d->warning[i].number == 0) continue;
    seen[i].number += d->warning[i].number;
    seen[i].lastinfo = d->warning[i].lastinfo;
  }
  cti_copy_reals(carried_of(c, world), d->sensordata, (size_t)c->width[CTI_STORE_CARRIED]);
}

static void note(const ctiCpu* c, int world, ctStatus status) {
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

static ctStatus step_world(const ctiCpu* c, const ctModel* m, ctData* d) {
  ctStatus status = ct_step(m, d);
  if (status == CT_STEP_DIVERGED && c->opt.reset_bad) to_start(m, d, c->opt.reset_key);
  return status;
}

// ---- loops over worlds

void cti_run_worlds(void* context, int begin, int end, int worker) {
  const ctiJob* job = context;
  const ctiCpu* c = job->c;
  ctiWorker* w = &c->workers[worker];
  for (int world = begin; world < end; world++) {
    const ctModel* m = model_of(c, w, world);
    enter(c, m, w->d, world);
    if (!job->advance) note(c, world, ct_forward(m, w->d));
    for (int i = 0; job->advance && i < job->nstep; i++) note(c, world, step_world(c, m, w->d));
    gather(w, world);
    leave(c, m, w->d, world);
  }
}

void cti_roll_worlds(void* context, int begin, int end, int worker) {
  const ctiJob* job = context;
  const ctiCpu* c = job->c;
  ctiWorker* w = &c->workers[worker];
  size_t nu = (size_t)c->m->nu, nout = (size_t)c->width[CTI_STORE_OUTPUT];
  for (int world = begin; world < end; world++) {
    const ctModel* m = model_of(c, w, world);
    size_t first = (size_t)world * (size_t)job->nstep;
    enter(c, m, w->d, world);
    for (int i = 0; i < job->nstep; i++) {
      if (job->controls) cti_copy_reals(w->d->ctrl, job->controls + (first + (size_t)i) * nu, nu);
      note(c, world, step_world(c, m, w->d));
      if (job->out) record(w, job->out + (first + (size_t)i) * nout);
    }
    gather(w, world);
    leave(c, m, w->d, world);
  }
}

void cti_reset_worlds(void* context, int begin, int end, int worker) {
  const ctiJob* job = context;
  const ctiCpu* c = job->c;
  ctiWorker* w = &c->workers[worker];
  for (int i = begin; i < end; i++) {
    int world = job->ids ? job->ids[i] : i;
    const ctModel* m = model_of(c, w, world);
    to_start(m, w->d, job->key);
    cti_state_store(m, w->d, state_of(c, world), 1, CT_STATE_INTEGRATION);
    memset(c->warnings + (size_t)CT_WARN_COUNT * (size_t)world, 0, sizeof(ctWarningStat) * CT_WARN_COUNT);
    c->status[world] = CT_OK;
    cti_copy_reals(carried_of(c, world), w->d->sensordata, (size_t)c->width[CTI_STORE_CARRIED]);
  }
}

void cti_update_worlds(void* context, int begin, int end, int worker) {
  const ctiJob* job = context;
  const ctiCpu* c = job->c;
  ctiWorker* w = &c->workers[worker];
  for (int world = begin; world < end; world++) {
    model_of(c, w, world);
    note(c, world, ct_model_update(w->m, NULL));
    const ctiItems* items = &w->items[CTI_STORE_VALUES];
    for (int i = 0; i < items->count; i++) take(&items->data[i], cti_row(items->data[i].rows, world));
  }
}
