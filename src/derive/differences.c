// Finite differences of a step and of inverse dynamics: columns over threads, each without the stages that
// its nudge does not change.
#include <math.h>

#include "base/error.h"
#include "corten/query.h"
#include "data/arena.h"
#include "data/data.h"
#include "derive/derive.h"
#include "math/dense.h"
#include "sense/sense.h"
#include "step/step.h"

#define EPS_DEFAULT (sizeof(ctReal) == 8 ? CT_R(1e-6) : CT_R(1e-3))

// The first stage that a nudge changes.
typedef enum Stage { STAGE_POSITION, STAGE_VELOCITY, STAGE_FORCE } Stage;

// What a call asks for.
typedef struct Task {
  ctDerive* w;
  const ctData* at;
  ctReal eps;
  bool centered, sense;
  ctReal *A, *B, *C, *D;
  bool actuation;
  ctReal *DfDq, *DfDv, *DfDa, *DsDq, *DsDv, *DsDa, *DmDq;
} Task;

static ctStatus worse(ctStatus a, ctStatus b) {
  return a != CT_OK ? a : b;
}

// ---- one evaluation ----

static ctStatus run_stages(const ctModel* m, ctData* d, Stage from, bool sense) {
  ctStatus status = CT_OK;
  if (from <= STAGE_POSITION) {
    status = worse(status, cti_forward_position(m, d));
    if (sense) cti_sense(m, d, CT_STAGE_POS);
  }
  if (from <= STAGE_VELOCITY) {
    status = worse(status, cti_forward_velocity(m, d));
    if (sense) cti_sense(m, d, CT_STAGE_VEL);
  }
  status = worse(status, cti_forward_actuation(m, d));
  status = worse(status, cti_forward_acceleration(m, d));
  status = worse(status, cti_forward_constraint(m, d));
  if (sense) cti_sense(m, d, CT_STAGE_ACC);
  return status;
}

// The stages and the step itself. A larger arena forgets what the stages have made: then all of them run
// again.
static ctStatus take_step(const ctModel* m, ctData* d, Stage from, bool sense) {
  for (;;) {
    ctStatus status = run_stages(m, d, from, sense);
    if (!cti_arena_short(d)) status = worse(status, cti_integrate(m, d, m->opt.integrator));
    if (!cti_arena_short(d)) return status;
    CT_TRY(cti_data_grow(d));
    from = STAGE_POSITION;
  }
}

static void note(ctiDeriver* k, ctStatus status) {
  if (k->status == CT_OK) k->status = status;
}

static void record(const ctModel* m, ctiOutcome* out, const ctData* d, bool sense) {
  cti_copy(out->next, d->qpos, m->nq);
  cti_copy(out->next + m->nq, d->qvel, m->nv);
  cti_copy(out->next + m->nq + m->nv, d->act, m->na);
  if (sense) cti_copy(out->sensors, d->sensordata, m->nsensordata);
}

static void to_base(const ctDerive* w, ctData* d) {
  cti_state_load(w->m, d, w->state, 1, CT_STATE_INTEGRATION);
}

// A worker that has not been used in this call gets the data, and the stages that columns build on.
static void prepare(const Task* task, ctiDeriver* k) {
  if (k->ready) return;
  const ctModel* m = task->w->m;
  k->ready = true;
  note(k, ct_data_copy(m, task->at, k->d));
  note(k, take_step(m, k->d, STAGE_POSITION, task->sense));
  to_base(task->w, k->d);
}

// ---- columns of a transition ----

// (to - from) / h, positions in the tangent at `from`
static void difference(const ctModel* m, const ctReal* from, const ctReal* to, ctReal h, ctReal* out) {
  const int nq = m->nq, nv = m->nv;
  if (nv > 0) ct_pos_differentiate(m, from, to, h, out);
  for (int i = 0; i < nv + m->na; i++) out[nv + i] = (to[nq + i] - from[nq + i]) / h;
}

// The nudges of a column: which of the two there are.
typedef struct Sides {
  bool plus, minus;
} Sides;

// Write column `j` of the matrices `next` (of so many columns) and `sensors`.
static void write_column(const Task* task, ctiDeriver* k, Sides sides, ctReal* next, ctReal* sensors,
                         int columns, int j) {
  const ctModel* m = task->w->m;
  const ctiOutcome* from = sides.minus ? &k->minus : &task->w->base;
  const ctiOutcome* to = sides.plus ? &k->plus : &task->w->base;
  const ctReal h = task->eps * (ctReal)((int)sides.plus + (int)sides.minus);
  const int nx = ct_derive_state_size(m);
  bool any = sides.plus || sides.minus;
  if (next) {
    if (any) difference(m, from->next, to->next, h, k->column);
    for (int i = 0; i < nx; i++) next[(int64_t)i * columns + j] = any ? k->column[i] : 0;
  }
  for (int i = 0; sensors && i < m->nsensordata; i++)
    sensors[(int64_t)i * columns + j] = any ? (to->sensors[i] - from->sensors[i]) / h : 0;
}

// Evaluate with a number nudged to one side, or with a tangent of the position.
static void evaluate(const Task* task, ctiDeriver* k, ctiOutcome* out, Stage from, ctReal* number, int dof,
                     ctReal step) {
  const ctModel* m = task->w->m;
  to_base(task->w, k->d);
  if (number) {
    *number += step;
  } else {
    k->tangent[dof] = 1;
    cti_integrate_pos(m, k->d->qpos, k->tangent, step);
    k->tangent[dof] = 0;
  }
  note(k, take_step(m, k->d, from, task->sense));
  record(m, out, k->d, task->sense);
}

static void nudge(const Task* task, ctiDeriver* k, Sides sides, Stage from, ctReal* number, int dof) {
  if (sides.plus) evaluate(task, k, &k->plus, from, number, dof, task->eps);
  if (sides.minus) evaluate(task, k, &k->minus, from, number, dof, -task->eps);
}

// A control stays in its range.
static Sides control_sides(const Task* task, int control) {
  const ctModel* m = task->w->m;
  const ctReal u = task->at->ctrl[control], *range = m->actuator_ctrlrange + 2 * control;
  bool limited = m->actuator_ctrllimited[control];
  Sides sides = {!limited || (u >= range[0] && u + task->eps <= range[1]), false};
  bool back = task->centered || !sides.plus;
  sides.minus = back && (!limited || (u - task->eps >= range[0] && u <= range[1]));
  return sides;
}

// Controls, then activations: they change no stage before the forces.
static void force_columns(void* context, int begin, int end, int worker) {
  const Task* task = context;
  const ctModel* m = task->w->m;
  ctiDeriver* k = &task->w->workers[worker];
  const int nx = ct_derive_state_size(m);
  prepare(task, k);
  for (int j = begin; j < end; j++) {
    if (j < m->nu) {
      Sides sides = control_sides(task, j);
      nudge(task, k, sides, STAGE_FORCE, k->d->ctrl + j, -1);
      write_column(task, k, sides, task->B, task->D, m->nu, j);
    } else {
      Sides sides = {true, task->centered};
      nudge(task, k, sides, STAGE_FORCE, k->d->act + (j - m->nu), -1);
      write_column(task, k, sides, task->A, task->C, nx, 2 * m->nv + j - m->nu);
    }
  }
}

static void velocity_columns(void* context, int begin, int end, int worker) {
  const Task* task = context;
  const ctModel* m = task->w->m;
  ctiDeriver* k = &task->w->workers[worker];
  const Sides sides = {true, task->centered};
  prepare(task, k);
  for (int j = begin; j < end; j++) {
    nudge(task, k, sides, STAGE_VELOCITY, k->d->qvel + j, -1);
    write_column(task, k, sides, task->A, task->C, ct_derive_state_size(m), m->nv + j);
  }
}

static void position_columns(void* context, int begin, int end, int worker) {
  const Task* task = context;
  const ctModel* m = task->w->m;
  ctiDeriver* k = &task->w->workers[worker];
  const Sides sides = {true, task->centered};
  prepare(task, k);
  for (int j = begin; j < end; j++) {
    nudge(task, k, sides, STAGE_POSITION, NULL, j);
    write_column(task, k, sides, task->A, task->C, ct_derive_state_size(m), j);
  }
}

// ---- the call ----

ctStatus cti_derive_check(const char* call, const ctDerive* w, const ctData* d, ctReal eps, ctError* err) {
  if (!w || !cti_data_fits(w->m, d))
    return cti_error(err, CT_ERR_ARGUMENT, "%s: the workspace and the data must be there, and of one model",
                     call);
  if (!(eps > 0) || !isfinite(eps))
    return cti_error(err, CT_ERR_ARGUMENT, "%s: eps must be positive and finite, not %g", call, (double)eps);
  if (w->m->opt.enableflags & CT_ENBL_SLEEP)
    return cti_error(err, CT_ERR_UNSUPPORTED,
                     "%s: steps that leave out trees have no derivative: switch the sleep flag off", call);
  if (cti_derive_bad_state(w->m, d))
    return cti_error(err, CT_ERR_INVALID, "%s: a number of qpos, qvel, act or ctrl is not finite", call);
  return CT_OK;
}

// Everything at the base point, on the first worker. Others follow when they are needed.
static void begin(Task* task) {
  ctDerive* w = task->w;
  for (int i = 0; i < w->threads; i++) {
    w->workers[i].ready = false;
    w->workers[i].status = CT_OK;
  }
  cti_state_store(w->m, task->at, w->state, 1, CT_STATE_INTEGRATION);
}

static ctStatus finish(const ctDerive* w, const char* call, ctError* err) {
  ctStatus status = CT_OK;
  for (int i = 0; i < w->threads; i++) status = worse(status, w->workers[i].status);
  if (status == CT_ERR_MEMORY) return cti_error_memory(err);
  return status == CT_OK
             ? CT_OK
             : cti_error(err, status, "%s: a nudged step met trouble: %s", call, ct_status_text(status));
}

ctStatus ct_derive_transition_fd(ctDerive* w, const ctData* d, const ctDifferences* how, ctReal* A, ctReal* B,
                                 ctReal* C, ctReal* D, ctError* err) {
  static const char call[] = "ct_derive_transition_fd";
  const ctDifferences standard = {0};
  if (!how) how = &standard;
  ctReal eps = how->eps == 0 ? EPS_DEFAULT : how->eps;
  CT_TRY(cti_derive_check(call, w, d, eps, err));
  const ctModel* m = w->m;
  Task task = {.w = w,
               .at = d,
               .eps = eps,
               .centered = how->centered,
               .sense = C || D,
               .A = A,
               .B = B,
               .C = C,
               .D = D};
  begin(&task);
  ctiDeriver* first = &w->workers[0];
  first->ready = true;
  note(first, ct_data_copy(m, d, first->d));
  note(first, take_step(m, first->d, STAGE_POSITION, task.sense));
  record(m, &w->base, first->d, task.sense);
  to_base(w, first->d);
  const int acts = A || C ? m->na : 0;
  // activations follow the controls; without matrices for those, only they
  if (B || D || acts > 0) cti_derive_columns(w, m->nu + acts, force_columns, &task);
  if (A || C) cti_derive_columns(w, m->nv, velocity_columns, &task);
  if (A || C) cti_derive_columns(w, m->nv, position_columns, &task);
  return finish(w, call, err);
}

// ---- inverse dynamics ----

static ctStatus run_inverse(const Task* task, ctData* d, Stage from) {
  const ctModel* m = task->w->m;
  ctStatus status = CT_OK;
  if (from <= STAGE_POSITION) {
    status = worse(status, cti_inverse_position(m, d));
    if (task->sense) cti_sense(m, d, CT_STAGE_POS);
  }
  if (from <= STAGE_VELOCITY) {
    status = worse(status, cti_forward_velocity(m, d));
    if (task->sense) cti_sense(m, d, CT_STAGE_VEL);
    if (task->actuation) status = worse(status, cti_forward_actuation(m, d));
  }
  d->flg_rnepost = false;  // what sensors read of bodies follows the acceleration
  status = worse(status, cti_inverse_force(m, d));
  if (task->sense) cti_sense(m, d, CT_STAGE_ACC);
  return status;
}

static ctStatus take_inverse(const Task* task, ctData* d, Stage from) {
  for (;;) {
    ctStatus status = run_inverse(task, d, from);
    if (!cti_arena_short(d)) return status;
    CT_TRY(cti_data_grow(d));
    from = STAGE_POSITION;
  }
}

static ctReal force_of(const Task* task, const ctData* d, int i) {
  return d->qfrc_inverse[i] - (task->actuation ? d->qfrc_actuator[i] : CT_R(0));
}

static void inverse_base(const ctDerive* w, ctData* d) {
  to_base(w, d);
  cti_copy(d->qacc, w->qacc, w->m->nv);
}

static void prepare_inverse(const Task* task, ctiDeriver* k) {
  if (k->ready) return;
  k->ready = true;
  note(k, ct_data_copy(task->w->m, task->at, k->d));
  note(k, take_inverse(task, k->d, STAGE_POSITION));
}

// Row `j`: what the nudge has changed.
static void write_row(const Task* task, const ctiDeriver* k, ctReal* force, ctReal* sensors, ctReal* mass,
                      int j) {
  const ctDerive* w = task->w;
  const ctModel* m = w->m;
  for (int i = 0; force && i < m->nv; i++)
    force[(int64_t)j * m->nv + i] = (force_of(task, k->d, i) - w->force[i]) / task->eps;
  for (int i = 0; sensors && i < m->nsensordata; i++)
    sensors[(int64_t)j * m->nsensordata + i] = (k->d->sensordata[i] - w->base.sensors[i]) / task->eps;
  for (int i = 0; mass && i < m->nC; i++)
    mass[(int64_t)j * m->nC + i] = (k->d->M[i] - w->mass[i]) / task->eps;
}

static void inverse_acceleration_rows(void* context, int begin, int end, int worker) {
  const Task* task = context;
  ctiDeriver* k = &task->w->workers[worker];
  prepare_inverse(task, k);
  for (int j = begin; j < end; j++) {
    inverse_base(task->w, k->d);
    k->d->qacc[j] += task->eps;
    note(k, take_inverse(task, k->d, STAGE_FORCE));
    write_row(task, k, task->DfDa, task->DsDa, NULL, j);
  }
}

static void inverse_velocity_rows(void* context, int begin, int end, int worker) {
  const Task* task = context;
  ctiDeriver* k = &task->w->workers[worker];
  prepare_inverse(task, k);
  for (int j = begin; j < end; j++) {
    inverse_base(task->w, k->d);
    k->d->qvel[j] += task->eps;
    note(k, take_inverse(task, k->d, STAGE_VELOCITY));
    write_row(task, k, task->DfDv, task->DsDv, NULL, j);
  }
}

static void inverse_position_rows(void* context, int begin, int end, int worker) {
  const Task* task = context;
  ctiDeriver* k = &task->w->workers[worker];
  prepare_inverse(task, k);
  for (int j = begin; j < end; j++) {
    inverse_base(task->w, k->d);
    k->tangent[j] = 1;
    cti_integrate_pos(task->w->m, k->d->qpos, k->tangent, task->eps);
    k->tangent[j] = 0;
    note(k, take_inverse(task, k->d, STAGE_POSITION));
    write_row(task, k, task->DfDq, task->DsDq, task->DmDq, j);
  }
}

ctStatus ct_derive_inverse_fd(ctDerive* w, const ctData* d, ctReal eps, bool actuation, ctReal* DfDq,
                              ctReal* DfDv, ctReal* DfDa, ctReal* DsDq, ctReal* DsDv, ctReal* DsDa,
                              ctReal* DmDq, ctError* err) {
  static const char call[] = "ct_derive_inverse_fd";
  if (eps == 0) eps = EPS_DEFAULT;
  CT_TRY(cti_derive_check(call, w, d, eps, err));
  const ctModel* m = w->m;
  if (m->opt.noslip_iterations > 0)
    return cti_error(err, CT_ERR_UNSUPPORTED, "%s: noslip has no inverse: set noslip_iterations to 0", call);
  if (m->opt.integrator == CT_INT_RK4 && (m->opt.enableflags & CT_ENBL_INVDISCRETE))
    return cti_error(err, CT_ERR_UNSUPPORTED, "%s: RK4 has no discrete inverse: switch invdiscrete off",
                     call);
  Task task = {.w = w,
               .at = d,
               .eps = eps,
               .sense = DsDq || DsDv || DsDa,
               .actuation = actuation,
               .DfDq = DfDq,
               .DfDv = DfDv,
               .DfDa = DfDa,
               .DsDq = DsDq,
               .DsDv = DsDv,
               .DsDa = DsDa,
               .DmDq = DmDq};
  begin(&task);
  cti_copy(w->qacc, d->qacc, m->nv);
  ctiDeriver* first = &w->workers[0];
  prepare_inverse(&task, first);
  for (int i = 0; i < m->nv; i++) w->force[i] = force_of(&task, first->d, i);
  cti_copy(w->base.sensors, first->d->sensordata, m->nsensordata);
  cti_copy(w->mass, first->d->M, m->nC);
  if (DfDa || DsDa) cti_derive_columns(w, m->nv, inverse_acceleration_rows, &task);
  if (DfDv || DsDv) cti_derive_columns(w, m->nv, inverse_velocity_rows, &task);
  if (DfDq || DsDq || DmDq) cti_derive_columns(w, m->nv, inverse_position_rows, &task);
  return finish(w, call, err);
}
