// Many linearisations: at given states, of the worlds of a batch, and back through a rollout.
#include <stdio.h>

#include "base/alloc.h"
#include "base/error.h"
#include "corten/batch.h"
#include "corten/sim.h"
#include "data/data.h"
#include "derive/derive.h"
#include "math/dense.h"
#include "step/step.h"

static int state_size(const ctModel* m) {
  return cti_state_size(m, CT_STATE_INTEGRATION);
}

static ctStatus make_solos(ctDerive* w, ctError* err) {
  if (w->solos) return CT_OK;
  w->solos = cti_alloc_array(&w->allocator, (size_t)w->threads, sizeof(ctiSolo));
  if (!w->solos) return cti_error_memory(err);
  for (int i = 0; i < w->threads; i++) {
    CT_TRY(ct_derive_create(&w->solos[i].w, w->m, 1, err));
    CT_TRY(ct_data_create(&w->solos[i].at, w->m, err));
  }
  return CT_OK;
}

// ---- at given states ----

typedef struct Many {
  ctDerive* w;
  const ctReal* states;
  ctDeriveMethod method;
  const ctDifferences* how;
  ctReal* out[4];
  int64_t sizes[4];
  ctDeriveReport* reports;
  ctStatus* status;  // of each state
  ctError* errors;   // of each thread: its first
  int* failed;       // of each thread: the state of that error
} Many;

static void linearize_states(void* context, int begin, int end, int worker) {
  Many* many = context;
  ctiSolo* solo = &many->w->solos[worker];
  const ctModel* m = many->w->m;
  for (int i = begin; i < end; i++) {
    ctReal* at[4];
    ctError err = {0};
    for (int k = 0; k < 4; k++) at[k] = many->out[k] ? many->out[k] + many->sizes[k] * i : NULL;
    cti_state_load(m, solo->at, many->states + (int64_t)state_size(m) * i, 1, CT_STATE_INTEGRATION);
    many->status[i] = ct_derive_linearize(solo->w, solo->at, many->method, many->how, at[0], at[1], at[2],
                                          at[3], many->reports ? many->reports + i : NULL, &err);
    if (many->status[i] == CT_OK) continue;
    if (many->failed[worker] >= 0 && many->failed[worker] < i) continue;
    many->failed[worker] = i;
    many->errors[worker] = err;
  }
}

ctStatus ct_derive_linearize_states(ctDerive* w, const ctReal* states, int n, ctDeriveMethod method,
                                    const ctDifferences* how, ctReal* A, ctReal* B, ctReal* C, ctReal* D,
                                    ctDeriveReport* reports, ctError* err) {
  static const char call[] = "ct_derive_linearize_states";
  if (!w || n < 0 || (n > 0 && !states))
    return cti_error(err, CT_ERR_ARGUMENT, "%s: there must be a workspace, and %d states", call, n);
  if (n == 0) return CT_OK;
  CT_TRY(make_solos(w, err));
  const int64_t nx = ct_derive_state_size(w->m), nu = w->m->nu, ns = w->m->nsensordata;
  Many many = {.w = w,
               .states = states,
               .method = method,
               .how = how,
               .out = {A, B, C, D},
               .sizes = {nx * nx, nx * nu, ns * nx, ns * nu},
               .reports = reports};
  many.status = cti_alloc_array(&w->allocator, (size_t)n, sizeof(ctStatus));
  many.errors = cti_alloc_array(&w->allocator, (size_t)w->threads, sizeof(ctError));
  many.failed = cti_alloc_array(&w->allocator, (size_t)w->threads, sizeof(int));
  ctStatus status = many.status && many.errors && many.failed ? CT_OK : cti_error_memory(err);
  if (status == CT_OK) {
    for (int i = 0; i < w->threads; i++) many.failed[i] = -1;
    cti_derive_columns(w, n, linearize_states, &many);
    int first = -1;
    for (int i = 0; i < w->threads; i++) {
      if (many.failed[i] >= 0 && (first < 0 || many.failed[i] < many.failed[first])) first = i;
    }
    if (first >= 0) {
      status = many.status[many.failed[first]];
      cti_error(err, status, "state %d: %s", many.failed[first], many.errors[first].message);
    }
  }
  cti_release(&w->allocator, many.status);
  cti_release(&w->allocator, many.errors);
  cti_release(&w->allocator, many.failed);
  return status;
}

// ---- of a batch ----

ctStatus ct_derive_linearize_batch(ctDerive* w, ctBatch* b, ctDeriveMethod method, const ctDifferences* how,
                                   ctReal* A, ctReal* B, ctReal* C, ctReal* D, ctDeriveReport* reports,
                                   ctError* err) {
  static const char call[] = "ct_derive_linearize_batch";
  ctBatchInfo info;
  if (!w || ct_batch_info(b, &info) != CT_OK || ct_batch_width(b, "state") != state_size(w->m))
    return cti_error(err, CT_ERR_ARGUMENT, "%s: the workspace and the batch must be there, and of one model",
                     call);
  const char* own = ct_batch_values_name(b, 0);
  if (own)
    return cti_error(err, CT_ERR_UNSUPPORTED, "%s: the worlds have %s of their own: take each by itself",
                     call, own);
  ctReal* states =
      cti_alloc_array(&w->allocator, (size_t)info.nworld * (size_t)state_size(w->m) + 1, sizeof(ctReal));
  if (!states) return cti_error_memory(err);
  ctStatus status = ct_batch_get(b, "state", NULL, 0, states, err);
  if (status == CT_OK)
    status = ct_derive_linearize_states(w, states, info.nworld, method, how, A, B, C, D, reports, err);
  cti_release(&w->allocator, states);
  return status;
}

// ---- rollouts ----

ctStatus ct_derive_rollout(ctDerive* w, const ctData* d, const ctReal* ctrl, int steps, ctReal* states,
                           ctError* err) {
  static const char call[] = "ct_derive_rollout";
  CT_TRY(cti_derive_check(call, w, d, 1, err));
  if (steps < 0 || !states)
    return cti_error(err, CT_ERR_ARGUMENT, "%s: %d steps into %s", call, steps, states ? "states" : "NULL");
  const ctModel* m = w->m;
  ctData* to = w->workers[0].d;
  w->workers[0].follows = false;
  CT_TRY(ct_data_copy(m, d, to));
  for (int i = 0; i <= steps; i++) {
    if (ctrl && i < steps) cti_copy(to->ctrl, ctrl + (int64_t)m->nu * i, m->nu);
    cti_state_store(m, to, states + (int64_t)state_size(m) * i, 1, CT_STATE_INTEGRATION);
    if (i == steps) break;
    ctStatus status = ct_step(m, to);
    if (status != CT_OK) return cti_error(err, status, "%s: step %d: %s", call, i, ct_status_text(status));
  }
  return CT_OK;
}

// to += M' x, M of so many rows and columns
static void add_transposed(ctReal* to, const ctReal* matrix, const ctReal* x, int rows, int columns) {
  for (int i = 0; i < rows; i++) {
    if (x[i] != 0) cti_add_scaled(to, matrix + (int64_t)columns * i, x[i], columns);
  }
}

// Steps whose matrices are in memory together, a thread.
#define CHUNK 4

typedef struct Back {
  ctReal *matrices[4], *adjoint, *next;
  int64_t sizes[4];
} Back;

static ctStatus go_back(ctDerive* w, const Back* back, const ctReal* states, int steps, int chunk,
                        ctDeriveMethod method, const ctReal* state_grad, const ctReal* sensor_grad,
                        ctReal* ctrl_grad, ctError* err) {
  const ctModel* m = w->m;
  const int nx = ct_derive_state_size(m), nu = m->nu, ns = m->nsensordata;
  ctReal* const* at = back->matrices;
  const bool sense = sensor_grad != NULL;
  cti_copy(back->adjoint, state_grad + (int64_t)nx * steps, nx);
  for (int end = steps; end > 0; end -= chunk) {
    const int first = end > chunk ? end - chunk : 0;
    CT_TRY(ct_derive_linearize_states(w, states + (int64_t)state_size(m) * first, end - first, method, NULL,
                                      at[0], at[1], sense ? at[2] : NULL, sense ? at[3] : NULL, NULL, err));
    for (int i = end - 1; i >= first; i--) {
      const int64_t k = i - first;
      const ctReal* read = sense ? sensor_grad + (int64_t)ns * i : NULL;
      if (ctrl_grad) {
        ctReal* to = ctrl_grad + (int64_t)nu * i;
        cti_zero(to, nu);
        add_transposed(to, at[1] + back->sizes[1] * k, back->adjoint, nx, nu);
        if (read) add_transposed(to, at[3] + back->sizes[3] * k, read, ns, nu);
      }
      cti_copy(back->next, state_grad + (int64_t)nx * i, nx);
      add_transposed(back->next, at[0] + back->sizes[0] * k, back->adjoint, nx, nx);
      if (read) add_transposed(back->next, at[2] + back->sizes[2] * k, read, ns, nx);
      cti_copy(back->adjoint, back->next, nx);
    }
  }
  return CT_OK;
}

ctStatus ct_derive_rollout_vjp(ctDerive* w, const ctReal* states, int steps, ctDeriveMethod method,
                               const ctReal* state_grad, const ctReal* sensor_grad, ctReal* start_grad,
                               ctReal* ctrl_grad, ctError* err) {
  static const char call[] = "ct_derive_rollout_vjp";
  if (!w || steps < 0 || !states || !state_grad)
    return cti_error(err, CT_ERR_ARGUMENT, "%s: the workspace, states and their gradient must be there",
                     call);
  const int64_t nx = ct_derive_state_size(w->m), nu = w->m->nu, ns = w->m->nsensordata;
  const int chunk = CHUNK * w->threads;
  Back back = {.sizes = {nx * nx, nx * nu, ns * nx, ns * nu}};
  int64_t total = 2 * nx + 1;
  for (int k = 0; k < 4; k++) total += back.sizes[k] * chunk;
  ctReal* block = cti_alloc_array(&w->allocator, (size_t)total, sizeof(ctReal));
  if (!block) return cti_error_memory(err);
  back.adjoint = block;
  back.next = block + nx;
  ctReal* at = block + 2 * nx;
  for (int k = 0; k < 4; k++) {
    back.matrices[k] = at;
    at += back.sizes[k] * chunk;
  }
  ctStatus status = go_back(w, &back, states, steps, chunk, method, state_grad, sensor_grad, ctrl_grad, err);
  if (status == CT_OK && start_grad) cti_copy(start_grad, back.adjoint, (int)nx);
  cti_release(&w->allocator, block);
  return status;
}
