// Derivatives: the workspace, and those that are formulas.
#include "derive/derive.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "data/data.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "stage/derivative/velocity.h"
#include "step/step.h"

// ---- the workspace ----

int ct_derive_state_size(const ctModel* m) {
  return m ? 2 * m->nv + m->na : -1;
}

// Numbers of the whole workspace, handed out one after another when `at` is there.
static size_t lay_out(ctDerive* w, ctReal* at) {
  const ctModel* m = w->m;
  size_t total = 0;
#define TAKE(member, count)        \
  do {                             \
    if (at) (member) = at + total; \
    total += (size_t)(count);      \
  } while (0)
  const size_t next = (size_t)m->nq + (size_t)m->nv + (size_t)m->na;
  TAKE(w->state, cti_state_size(m, CT_STATE_INTEGRATION));
  TAKE(w->base.next, next);
  TAKE(w->base.sensors, m->nsensordata);
  TAKE(w->qacc, m->nv);
  TAKE(w->force, m->nv);
  TAKE(w->mass, m->nC);
  for (int i = 0; i < w->threads; i++) {
    ctiDeriver* k = &w->workers[i];
    TAKE(k->plus.next, next);
    TAKE(k->plus.sensors, m->nsensordata);
    TAKE(k->minus.next, next);
    TAKE(k->minus.sensors, m->nsensordata);
    TAKE(k->column, ct_derive_state_size(m));
    TAKE(k->tangent, m->nv);
  }
#undef TAKE
  return total;
}

static ctStatus fill_workspace(ctDerive* w, ctError* err) {
  w->workers = cti_alloc_array(&w->allocator, (size_t)w->threads, sizeof(ctiDeriver));
  if (!w->workers) return cti_error_memory(err);
  w->block = cti_alloc_array(&w->allocator, lay_out(w, NULL) + 1, sizeof(ctReal));
  if (!w->block) return cti_error_memory(err);
  lay_out(w, w->block);
  for (int i = 0; i < w->threads; i++) CT_TRY(ct_data_create(&w->workers[i].d, w->m, err));
  return w->threads > 1 ? cti_pool_create(&w->pool, w->threads, &w->allocator, err) : CT_OK;
}

ctStatus ct_derive_create(ctDerive** out, const ctModel* m, int threads, ctError* err) {
  if (!out || !m) return cti_error(err, CT_ERR_ARGUMENT, "ct_derive_create: out and m must not be NULL");
  *out = NULL;
  if (threads == 0) threads = cti_cpu_count();
  if (threads < 1 || threads > CTI_POOL_MAX)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_derive_create: %d threads, 1 to %d are possible", threads,
                     CTI_POOL_MAX);
  ctDerive* w = cti_alloc_array(&m->allocator, 1, sizeof(ctDerive));
  if (!w) return cti_error_memory(err);
  w->m = m;
  w->allocator = m->allocator;
  w->threads = threads;
  ctStatus status = fill_workspace(w, err);
  if (status != CT_OK) {
    ct_derive_free(w);
    return status;
  }
  *out = w;
  return CT_OK;
}

void ct_derive_free(ctDerive* w) {
  if (!w) return;
  ctAllocator a = w->allocator;
  cti_pool_free(w->pool);
  for (int i = 0; w->workers && i < w->threads; i++) ct_data_free(w->workers[i].d);
  cti_release(&a, w->workers);
  cti_release(&a, w->block);
  for (int i = 0; i < CTI_DERIVE_MEMORIES; i++) cti_release(&a, w->memory[i]);
  for (int i = 0; w->solos && i < w->threads; i++) {
    ct_derive_free(w->solos[i].w);
    ct_data_free(w->solos[i].at);
  }
  cti_release(&a, w->solos);
  cti_release(&a, w);
}

void cti_derive_columns(ctDerive* w, int count, ctiPoolFunction column, void* context) {
  if (w->pool) {
    cti_pool_run(w->pool, count, 1, column, context);
  } else {
    column(context, 0, count, 0);
  }
}

void* cti_derive_memory(ctDerive* w, ctiDeriveMemory which, size_t bytes) {
  if (w->memory[which] && w->bytes[which] >= bytes) return w->memory[which];
  cti_release(&w->allocator, w->memory[which]);
  w->memory[which] = cti_alloc_array(&w->allocator, bytes + 1, 1);
  w->bytes[which] = w->memory[which] ? bytes : 0;
  return w->memory[which];
}

// The state says all that a step reads, but for what plugins keep, functions of the user may look at, sensors
// remember, and noise.
ctStatus cti_derive_follow(const ctDerive* w, ctiDeriver* k, const ctData* d) {
  const ctModel* m = w->m;
  const ctCallbacks none = {0};
  const bool plain = m->nplugin == 0 && m->nflex == 0 && memcmp(&m->user, &none, sizeof(none)) == 0 &&
                     cti_carried_size(m) == 0 && !d->noise && !k->d->noise;
  if (k->follows && plain) return CT_OK;
  k->follows = true;
  return ct_data_copy(m, d, k->d);
}

void cti_derive_move(const ctModel* m, ctiDeriver* k, int dof, ctReal step) {
  k->tangent[dof] = 1;
  cti_integrate_pos(m, k->d->qpos, k->tangent, step);
  k->tangent[dof] = 0;
}

bool cti_derive_bad_state(const ctModel* m, const ctData* d) {
  const struct {
    const ctReal* at;
    int count;
  } parts[] = {{d->qpos, m->nq}, {d->qvel, m->nv}, {d->act, m->na}, {d->ctrl, m->nu}};
  for (int i = 0; i < CT_COUNT_OF(parts); i++) {
    for (int k = 0; k < parts[i].count; k++) {
      if (!isfinite(parts[i].at[k])) return true;
    }
  }
  return false;
}

// ---- smooth forces by velocity ----

ctStatus ct_derive_smooth_velocity(const ctModel* m, ctData* d, ctReal* out) {
  if (!cti_data_fits(m, d) || !out) return CT_ERR_ARGUMENT;
  CT_TRY(cti_velocity_derivative(m, d, true));
  for (int64_t i = 0; i < (int64_t)m->nv * m->nv; i++) out[i] = 0;
  for (int i = 0; i < m->nv; i++) {
    for (int k = m->D_rowadr[i]; k < m->D_rowadr[i] + m->D_rownnz[i]; k++)
      out[(int64_t)i * m->nv + m->D_colind[k]] = d->qDeriv[k];
  }
  return CT_OK;
}

// ---- rotations ----

static void cross_matrix(ctReal out[9], const ctReal v[3]) {
  const ctReal m[9] = {0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0};
  for (int i = 0; i < 9; i++) out[i] = m[i];
}

// out = I + a [v] + b [v]^2
static void matrix_of(ctReal out[9], const ctReal v[3], ctReal a, ctReal b) {
  ctReal cross[9];
  cross_matrix(cross, v);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      ctReal square = 0;
      for (int j = 0; j < 3; j++) square += cross[3 * i + j] * cross[3 * j + k];
      out[3 * i + k] = (i == k ? CT_R(1) : CT_R(0)) + a * cross[3 * i + k] + b * square;
    }
  }
}

// Below this angle a series has all digits: its next term is beyond them.
#define SMALL_ANGLE (sizeof(ctReal) == 8 ? CT_R(1e-2) : CT_R(1e-1))

void ct_derive_quat_difference(const ctReal from[4], const ctReal to[4], ctReal by_from[9], ctReal by_to[9]) {
  ctReal r[3], inverse[9];
  cti_quat_sub(r, to, from);
  ctReal t = cti_norm3(r), t2 = t * t, half = t / 2;
  // (1 - (t/2) cot(t/2)) / t^2
  ctReal b = CT_R(1.0 / 12) + t2 * (CT_R(1.0 / 720) + t2 * CT_R(1.0 / 30240));
  if (t > SMALL_ANGLE) b = (1 - half * cti_cos(half) / cti_sin(half)) / t2;
  matrix_of(inverse, r, CT_R(0.5), b);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      if (by_to) by_to[3 * i + k] = inverse[3 * i + k];
      if (by_from) by_from[3 * i + k] = -inverse[3 * k + i];
    }
  }
}

void ct_derive_quat_integration(const ctReal vel[3], ctReal dt, ctReal by_quat[9], ctReal by_turn[9],
                                ctReal by_time[3]) {
  ctReal w[3] = {dt * vel[0], dt * vel[1], dt * vel[2]};
  ctReal t = cti_norm3(w), t2 = t * t;
  // sin t / t, (1 - cos t) / t^2, (t - sin t) / t^3
  ctReal s = 1 - t2 / 6 * (1 - t2 / 20), c = CT_R(0.5) - t2 / 24 * (1 - t2 / 30),
         e = CT_R(1.0 / 6) - t2 / 120 * (1 - t2 / 42);
  if (t > SMALL_ANGLE) {
    ctReal half = cti_sin(t / 2);
    s = cti_sin(t) / t;
    c = 2 * half * half / t2;
    e = (t - cti_sin(t)) / (t2 * t);
  }
  if (by_quat) matrix_of(by_quat, w, -s, c);
  if (by_turn) matrix_of(by_turn, w, -c, e);
  if (by_time) cti_copy3(by_time, vel);
}
