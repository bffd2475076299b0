// Finite differences whose columns are steps of a batch, wherever that steps: one number is nudged in all
// worlds at once. Worlds step as they always do, with values of their own where they have some.
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "corten/batch.h"
#include "data/data.h"
#include "derive/derive.h"
#include "math/dense.h"
#include "step/step.h"

// What steps end with, a row for each world.
typedef struct Rows {
  ctReal *states, *sensors;
} Rows;

typedef struct Worlds {
  const ctModel* m;
  ctBatch* b;
  int n, size;           // worlds, numbers of a state
  int next, warm, ctrl;  // where qpos, qvel and act begin in a state, the warm start, controls
  ctReal eps;
  bool centered, sense;
  void* saved;  // the batch as it was
  size_t bytes;
  int* before;      // trouble that the worlds have met already
  ctiSides* sides;  // of each world
  ctReal *states, *nudged, *column, *tangent;
  Rows base, plus, minus;
} Worlds;

static int part_offset(const ctModel* m, unsigned part) {
  return cti_state_size(m, CT_STATE_INTEGRATION & (part - 1));
}

// ---- steps ----

// One step from these states. Whatever else worlds carry along is as it was.
static ctStatus take_step(const Worlds* w, const ctReal* states, Rows* out, ctError* err) {
  if (cti_carried_size(w->m) > 0) CT_TRY(ct_batch_load_bytes(w->b, w->saved, w->bytes, err));
  CT_TRY(ct_batch_set(w->b, "state", NULL, 0, states, err));
  ctStatus status = ct_batch_step(w->b, 1, err);
  if (status != CT_OK && status < CT_STEP_DIVERGED) return status;
  CT_TRY(ct_batch_get(w->b, "state", NULL, 0, out->states, err));
  if (w->sense) CT_TRY(ct_batch_get(w->b, "sensordata", NULL, 0, out->sensors, err));
  const int* now = ct_batch_status(w->b);
  if (!now) return cti_error(err, CT_ERR_IO, "the GPU is lost");
  for (int i = 0; i < w->n; i++) {
    if (now[i] != w->before[i])
      return cti_error(err, (ctStatus)now[i], "world %d: a nudged step met trouble: %s", i,
                       ct_status_text((ctStatus)now[i]));
  }
  return CT_OK;
}

// The step that others are compared with starts where its own solver ends, as they do.
static ctStatus take_base_step(Worlds* w, ctError* err) {
  CT_TRY(take_step(w, w->states, &w->base, err));
  if (w->m->opt.disableflags & CT_DSBL_WARMSTART) return CT_OK;
  for (int64_t i = 0; i < w->n; i++)
    cti_copy(w->states + w->size * i + w->warm, w->base.states + w->size * i + w->warm, w->m->nv);
  return take_step(w, w->states, &w->base, err);
}

// ---- columns: positions, velocities, activations, controls ----

static void nudge(const Worlds* w, ctReal* state, int column, ctReal step) {
  const ctModel* m = w->m;
  const int nv = m->nv, nx = 2 * nv + m->na;
  if (column < nv) {
    w->tangent[column] = 1;
    cti_integrate_pos(m, state + w->next, w->tangent, step);
    w->tangent[column] = 0;
  } else if (column < nx) {
    state[w->next + m->nq + column - nv] += step;
  } else {
    state[w->ctrl + column - nx] += step;
  }
}

// All worlds that may be nudged to this side; the others stay where they are.
static ctStatus take_side(const Worlds* w, int column, bool plus, Rows* out, ctError* err) {
  bool any = false;
  memcpy(w->nudged, w->states, (size_t)w->n * (size_t)w->size * sizeof(ctReal));
  for (int64_t i = 0; i < w->n; i++) {
    if (plus ? !w->sides[i].plus : !w->sides[i].minus) continue;
    nudge(w, w->nudged + w->size * i, column, plus ? w->eps : -w->eps);
    any = true;
  }
  return any ? take_step(w, w->nudged, out, err) : CT_OK;
}

// Column `j` of so many in the matrices of each world.
static void write_column(const Worlds* w, ctReal* next, ctReal* sensors, int columns, int j) {
  const int nx = ct_derive_state_size(w->m), ns = w->m->nsensordata;
  for (int64_t i = 0; i < w->n; i++) {
    const ctiSides side = w->sides[i];
    const Rows *from = side.minus ? &w->minus : &w->base, *to = side.plus ? &w->plus : &w->base;
    const ctReal h = w->eps * (ctReal)((int)side.plus + (int)side.minus);
    const bool any = side.plus || side.minus;
    if (next && any)
      cti_derive_difference(w->m, from->states + w->size * i + w->next, to->states + w->size * i + w->next, h,
                            w->column);
    for (int r = 0; next && r < nx; r++) next[(i * nx + r) * columns + j] = any ? w->column[r] : 0;
    for (int r = 0; sensors && r < ns; r++)
      sensors[(i * ns + r) * columns + j] =
          any ? (to->sensors[i * ns + r] - from->sensors[i * ns + r]) / h : 0;
  }
}

static ctStatus take_column(Worlds* w, int column, ctReal* next, ctReal* sensors, int columns, int j,
                            ctError* err) {
  const ctModel* m = w->m;
  const int control = column - ct_derive_state_size(m);
  for (int64_t i = 0; i < w->n; i++) {
    w->sides[i] = (ctiSides){true, w->centered};
    if (control >= 0)
      w->sides[i] =
          cti_control_sides(m, control, w->states[w->size * i + w->ctrl + control], w->eps, w->centered);
  }
  CT_TRY(take_side(w, column, true, &w->plus, err));
  CT_TRY(take_side(w, column, false, &w->minus, err));
  write_column(w, next, sensors, columns, j);
  return CT_OK;
}

static ctStatus take_columns(Worlds* w, ctReal* A, ctReal* B, ctReal* C, ctReal* D, ctError* err) {
  const int nx = ct_derive_state_size(w->m), nu = w->m->nu;
  CT_TRY(ct_batch_get(w->b, "state", NULL, 0, w->states, err));
  for (int64_t i = 0; i < (int64_t)w->n * w->size; i++) {
    if (!isfinite(w->states[i]))
      return cti_error(err, CT_ERR_INVALID, "world %d: a number of its state is not finite",
                       (int)(i / w->size));
  }
  CT_TRY(take_base_step(w, err));
  for (int j = 0; (A || C) && j < nx; j++) CT_TRY(take_column(w, j, A, C, nx, j, err));
  for (int j = 0; (B || D) && j < nu; j++) CT_TRY(take_column(w, nx + j, B, D, nu, j, err));
  return CT_OK;
}

// ---- the call ----

// Numbers of all arrays, handed out one after another when `at` is there.
static size_t lay_out(Worlds* w, ctReal* at) {
  const size_t states = (size_t)w->n * (size_t)w->size,
               sensors = w->sense ? (size_t)w->n * (size_t)w->m->nsensordata : 0;
  ctReal** const arrays[] = {&w->states,       &w->nudged,       &w->base.states,  &w->plus.states,
                             &w->minus.states, &w->base.sensors, &w->plus.sensors, &w->minus.sensors,
                             &w->column,       &w->tangent};
  const size_t counts[] = {states,          states,  states,
                           states,          states,  sensors,
                           sensors,         sensors, (size_t)ct_derive_state_size(w->m),
                           (size_t)w->m->nv};
  size_t total = 0;
  for (int i = 0; i < CT_COUNT_OF(counts); i++) {
    if (at) *arrays[i] = at + total;
    total += counts[i];
  }
  return total;
}

static ctStatus differentiate(Worlds* w, ctReal* A, ctReal* B, ctReal* C, ctReal* D, ctError* err) {
  if (ct_batch_save_bytes(w->b, w->saved, w->bytes) != w->bytes)
    return cti_error(err, CT_ERR_IO, "the GPU is lost");
  const int* status = ct_batch_status(w->b);
  if (!status) return cti_error(err, CT_ERR_IO, "the GPU is lost");
  memcpy(w->before, status, (size_t)w->n * sizeof(int));
  ctStatus done = take_columns(w, A, B, C, D, err);
  ctError lost = {0};
  ctStatus back = ct_batch_load_bytes(w->b, w->saved, w->bytes, &lost);
  return done == CT_OK && back != CT_OK ? cti_error(err, back, "%s", lost.message) : done;
}

ctStatus ct_derive_transition_fd_batch(ctDerive* w, ctBatch* b, const ctDifferences* how, ctReal* A,
                                       ctReal* B, ctReal* C, ctReal* D, ctError* err) {
  static const char call[] = "ct_derive_transition_fd_batch";
  const ctDifferences standard = {0};
  ctBatchInfo info;
  if (!how) how = &standard;
  if (!w || ct_batch_info(b, &info) != CT_OK ||
      ct_batch_width(b, "state") != cti_state_size(w->m, CT_STATE_INTEGRATION))
    return cti_error(err, CT_ERR_ARGUMENT, "%s: the workspace and the batch must be there, and of one model",
                     call);
  const ctModel* m = w->m;
  Worlds worlds = {.m = m,
                   .b = b,
                   .n = info.nworld,
                   .size = cti_state_size(m, CT_STATE_INTEGRATION),
                   .next = part_offset(m, CT_STATE_QPOS),
                   .warm = part_offset(m, CT_STATE_WARMSTART),
                   .ctrl = part_offset(m, CT_STATE_CTRL),
                   .eps = how->eps,
                   .centered = how->centered,
                   .sense = C || D};
  if (how->eps == 0) worlds.eps = CTI_DERIVE_EPS_OF(info.real_bytes);
  CT_TRY(cti_derive_check_model(call, m, worlds.eps, err));
  if (worlds.sense) CT_TRY(ct_batch_output(b, "sensordata", err));
  const size_t n = (size_t)info.nworld;
  worlds.bytes = ct_batch_save_bytes(b, NULL, 0);
  worlds.saved = cti_alloc_array(&w->allocator, worlds.bytes + 1, 1);
  worlds.before = cti_alloc_array(&w->allocator, n, sizeof(int));
  worlds.sides = cti_alloc_array(&w->allocator, n, sizeof(ctiSides));
  ctReal* block = cti_alloc_array(&w->allocator, lay_out(&worlds, NULL) + 1, sizeof(ctReal));
  ctStatus status = CT_ERR_MEMORY;
  if (worlds.saved && worlds.before && worlds.sides && block) {
    lay_out(&worlds, block);
    status = differentiate(&worlds, A, B, C, D, err);
  } else {
    cti_error_memory(err);
  }
  cti_release(&w->allocator, worlds.saved);
  cti_release(&w->allocator, worlds.before);
  cti_release(&w->allocator, worlds.sides);
  cti_release(&w->allocator, block);
  return status;
}
