// Finite differences of a step and of inverse dynamics: columns over threads, each without the stages that
// its nudge does not change.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "corten/query.h"
#include "data/arena.h"
#include "data/data.h"
#include "derive/chord.h"
#include "derive/derive.h"
#include "derive/implicit.h"
#include "math/dense.h"
#include "math/vec3.h"
#include "sense/sense.h"
#include "stage/force/force.h"
#include "step/step.h"

// The first stage that a nudge changes.
typedef enum Stage { STAGE_POSITION, STAGE_VELOCITY, STAGE_FORCE } Stage;

// What a call asks for.
typedef struct Task {
  ctDerive* w;
  const ctModel* exact;  // the model, with a solver that goes further
  ctiChord chord;
  bool factored;   // the solver is replaced
  ctiApart apart;  // pairs of geoms that no nudge brings together
  bool stays;      // see cti_implicit_stays()
  bool forces;     // steps need forces alone: their integrator finds its acceleration, and nobody reads ours
  const ctData* at;
  ctReal eps;
  bool centered, sense;
  ctReal *A, *B, *C, *D;
  bool actuation;
  ctReal *DfDq, *DfDv, *DfDa, *DsDq, *DsDv, *DsDa, *DmDq;
} Task;

// How much further solvers go: the noise of differences falls by as much, for one iteration or none.
#define FURTHER CT_R(1e-6)

// ---- one evaluation ----

// Forces of the constraints and the acceleration. With the factor of the base point neither the smooth
// acceleration nor a solver is needed, unless something has switched.
static ctStatus run_solver(const Task* task, const ctModel* m, ctData* d) {
  if (d->nefc > 0 ? task->factored : task->forces) {
    d->flg_rnepost = false;
    cti_smooth_force(m, d);
    if (d->nefc == 0) {
      cti_zero(d->qfrc_constraint, m->nv);
      return CT_OK;
    }
    if (cti_chord_solve(&task->chord, m, d, task->sense)) return CT_OK;
  }
  ctStatus status = cti_forward_acceleration(m, d);
  return cti_worse(status, cti_forward_constraint(m, d));
}

static ctStatus run_stages(const Task* task, const ctModel* m, ctData* d, Stage from) {
  const bool sense = task->sense;
  ctStatus status = CT_OK;
  if (from <= STAGE_POSITION) {
    status = cti_worse(status, cti_forward_position(m, d));
    if (sense) cti_sense(m, d, CT_STAGE_POS);
  }
  if (from <= STAGE_VELOCITY) {
    status = cti_worse(status, cti_forward_velocity(m, d));
    if (sense) cti_sense(m, d, CT_STAGE_VEL);
  }
  status = cti_worse(status, cti_forward_actuation(m, d));
  status = cti_worse(status, run_solver(task, m, d));
  if (sense) cti_sense(m, d, CT_STAGE_ACC);
  return status;
}

// The end of the step: where the metric of the base point holds, its factor is there.
static ctStatus integrate(const Task* task, const ctModel* m, ctiDeriver* k, Stage from) {
  const bool same = task->stays && from > STAGE_POSITION && cti_implicit_within(m, k->d);
  if (same && k->metric) return cti_integrate_again(m, k->d);
  k->metric = same;
  return cti_integrate(m, k->d, m->opt.integrator);
}

// The stages and the step itself. A larger arena forgets what the stages have made: then all of them run
// again.
static ctStatus take_step(const Task* task, const ctModel* m, ctiDeriver* k, Stage from) {
  ctData* d = k->d;
  // it leaves the stages of other points on its way
  if (m->opt.integrator == CT_INT_RK4) from = STAGE_POSITION;
  for (;;) {
    ctStatus status = run_stages(task, m, d, from);
    if (!cti_arena_short(d)) status = cti_worse(status, integrate(task, m, k, from));
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

// From here on the solver starts at the solution that it has found.
static void keep_solution(ctDerive* w, ctData* d) {
  if (!(w->m->opt.disableflags & CT_DSBL_WARMSTART)) cti_copy(w->qacc, d->qacc, w->m->nv);
  to_base(w, d);
  if (w->m->opt.disableflags & CT_DSBL_WARMSTART) return;
  cti_copy(d->qacc_warmstart, w->qacc, w->m->nv);
  cti_state_store(w->m, d, w->state, 1, CT_STATE_INTEGRATION);
}

// ---- pairs that no nudge brings together ----

// More geoms than this have too many pairs.
#define MOST_GEOMS 2000

// How far everything is supposed to be from the origin at most, and is.
static ctReal supposed_distance(const ctModel* m) {
  return 10 * (1 + m->stat.extent);
}

static ctReal largest_distance(const ctModel* m, const ctData* d) {
  ctReal far = 0;
  for (int i = 0; i < m->ngeom; i++) {
    if (m->geom_rbound[i] > 0) far = cti_max(far, cti_norm3(d->geom_xpos + 3 * i) + m->geom_rbound[i]);
  }
  for (int j = 0; j < m->njnt; j++) far = cti_max(far, cti_norm3(d->xanchor + 3 * j));
  return far;
}

static size_t apart_bytes(const ctModel* m) {
  return ((size_t)m->ngeom * (size_t)m->ngeom / 32 + 1) * sizeof(uint32_t);
}

// Note in the next evaluation which pairs are farther apart than a nudge moves them against each other: a
// turn by eps moves a point by that times its distance. There is room for a factor of four, and for the
// search. Not with RK4, which looks at positions on the way of the step, too.
static void begin_apart(Task* task, ctData* d) {
  const ctModel* m = task->w->m;
  if (m->nmesh == 0 || m->ngeom > MOST_GEOMS || m->opt.integrator == CT_INT_RK4) return;
  task->apart.bits = cti_derive_memory(task->w, CTI_DERIVE_APART, apart_bytes(m));
  if (!task->apart.bits) return;
  memset(task->apart.bits, 0, apart_bytes(m));
  task->apart.slack = 8 * task->eps * (1 + 2 * supposed_distance(m)) + 10 * m->opt.ccd_tolerance;
  cti_data(d)->apart = &task->apart;
}

static void end_apart(Task* task, const ctData* d) {
  const ctModel* m = task->w->m;
  task->apart.slack = 0;
  if (task->apart.bits && !(largest_distance(m, d) <= supposed_distance(m)))
    memset(task->apart.bits, 0, apart_bytes(m));
}

// ---- the base point ----

// The step that all others are compared with. Its solver goes on from its own solution, and further than
// the tolerance of the model: so do those of nudged steps, which start there too and would stop at once.
static void take_base_step(Task* task, ctiDeriver* first) {
  ctDerive* w = task->w;
  first->ready = true;
  note(first, cti_derive_follow(w, first, task->at));
  to_base(w, first->d);
  begin_apart(task, first->d);
  note(first, take_step(task, w->m, first, STAGE_POSITION));
  end_apart(task, first->d);
  keep_solution(w, first->d);
  note(first, take_step(task, task->exact, first, STAGE_FORCE));
  if (cti_chord_possible(w->m) && cti_chord_begin(&task->chord, w->m, first->d)) {
    // as nudged steps will be
    keep_solution(w, first->d);
    task->factored = true;
    note(first, take_step(task, task->exact, first, STAGE_FORCE));
  }
  record(w->m, &w->base, first->d, task->sense);
  keep_solution(w, first->d);
  task->forces = !task->sense && w->m->nplugin == 0 && cti_implicit_any(w->m) &&
                 w->m->opt.integrator != CT_INT_RK4 && w->m->opt.integrator != CT_INT_DISCRETE;
}

// A worker that has not been used in this call gets the data, and the stages that columns build on.
static void prepare(const Task* task, ctiDeriver* k) {
  if (k->ready) return;
  const ctModel* m = task->w->m;
  k->ready = true;
  note(k, cti_derive_follow(task->w, k, task->at));
  cti_data(k->d)->apart = cti_data(task->w->workers[0].d)->apart;
  to_base(task->w, k->d);
  note(k, take_step(task, m, k, STAGE_POSITION));
  to_base(task->w, k->d);
}

// ---- columns of a transition ----

void cti_derive_difference(const ctModel* m, const ctReal* from, const ctReal* to, ctReal h, ctReal* out) {
  const int nq = m->nq, nv = m->nv;
  if (nv > 0) ct_pos_differentiate(m, from, to, h, out);
  for (int i = 0; i < nv + m->na; i++) out[nv + i] = (to[nq + i] - from[nq + i]) / h;
}

// Write column `j` of the matrices `next` (of so many columns) and `sensors`.
static void write_column(const Task* task, ctiDeriver* k, ctiSides sides, ctReal* next, ctReal* sensors,
                         int columns, int j) {
  const ctModel* m = task->w->m;
  const ctiOutcome* from = sides.minus ? &k->minus : &task->w->base;
  const ctiOutcome* to = sides.plus ? &k->plus : &task->w->base;
  const ctReal h = task->eps * (ctReal)((int)sides.plus + (int)sides.minus);
  const int nx = ct_derive_state_size(m);
  bool any = sides.plus || sides.minus;
  if (next) {
    if (any) cti_derive_difference(m, from->next, to->next, h, k->column);
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
    cti_derive_move(m, k, dof, step);
  }
  note(k, take_step(task, task->exact, k, from));
  record(m, out, k->d, task->sense);
}

static void nudge(const Task* task, ctiDeriver* k, ctiSides sides, Stage from, ctReal* number, int dof) {
  if (sides.plus) evaluate(task, k, &k->plus, from, number, dof, task->eps);
  if (sides.minus) evaluate(task, k, &k->minus, from, number, dof, -task->eps);
}

ctiSides cti_control_sides(const ctModel* m, int control, ctReal u, ctReal eps, bool centered) {
  const ctReal* range = m->actuator_ctrlrange + 2 * control;
  bool limited = m->actuator_ctrllimited[control];
  ctiSides sides = {!limited || (u >= range[0] && u + eps <= range[1]), false};
  bool back = centered || !sides.plus;
  sides.minus = back && (!limited || (u - eps >= range[0] && u <= range[1]));
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
      ctiSides sides = cti_control_sides(m, j, task->at->ctrl[j], task->eps, task->centered);
      nudge(task, k, sides, STAGE_FORCE, k->d->ctrl + j, -1);
      write_column(task, k, sides, task->B, task->D, m->nu, j);
    } else {
      ctiSides sides = {true, task->centered};
      nudge(task, k, sides, STAGE_FORCE, k->d->act + (j - m->nu), -1);
      write_column(task, k, sides, task->A, task->C, nx, 2 * m->nv + j - m->nu);
    }
  }
}

static void velocity_columns(void* context, int begin, int end, int worker) {
  const Task* task = context;
  const ctModel* m = task->w->m;
  ctiDeriver* k = &task->w->workers[worker];
  const ctiSides sides = {true, task->centered};
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
  const ctiSides sides = {true, task->centered};
  prepare(task, k);
  for (int j = begin; j < end; j++) {
    nudge(task, k, sides, STAGE_POSITION, NULL, j);
    write_column(task, k, sides, task->A, task->C, ct_derive_state_size(m), j);
  }
}

// ---- the call ----

ctStatus cti_derive_check_model(const char* call, const ctModel* m, ctReal eps, ctError* err) {
  if (!(eps > 0) || !isfinite(eps))
    return cti_error(err, CT_ERR_ARGUMENT, "%s: eps must be positive and finite, not %g", call, (double)eps);
  if (m->opt.enableflags & CT_ENBL_SLEEP)
    return cti_error(err, CT_ERR_UNSUPPORTED,
                     "%s: steps that leave out trees have no derivative: switch the sleep flag off", call);
  if (m->opt.enableflags & CT_ENBL_IPC)
    return cti_error(
        err, CT_ERR_UNSUPPORTED,
        "%s: steps whose surfaces may not cross have no derivative here: switch the flag ipc off", call);
  return CT_OK;
}

ctStatus cti_derive_check(const char* call, const ctDerive* w, const ctData* d, ctReal eps, ctError* err) {
  if (!w || !cti_data_fits(w->m, d))
    return cti_error(err, CT_ERR_ARGUMENT, "%s: the workspace and the data must be there, and of one model",
                     call);
  CT_TRY(cti_derive_check_model(call, w->m, eps, err));
  if (cti_derive_bad_state(w->m, d))
    return cti_error(err, CT_ERR_INVALID, "%s: a number of qpos, qvel, act or ctrl is not finite", call);
  return CT_OK;
}

// Everything at the base point, on the first worker. Others follow when they are needed.
static void begin(Task* task) {
  ctDerive* w = task->w;
  for (int i = 0; i < w->threads; i++) {
    w->workers[i].ready = w->workers[i].metric = false;
    w->workers[i].status = CT_OK;
  }
  cti_state_store(w->m, task->at, w->state, 1, CT_STATE_INTEGRATION);
}

static ctStatus finish(const ctDerive* w, const char* call, ctError* err) {
  ctStatus status = CT_OK;
  for (int i = 0; i < w->threads; i++) status = cti_worse(status, w->workers[i].status);
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
  ctReal eps = how->eps == 0 ? CTI_DERIVE_EPS : how->eps;
  CT_TRY(cti_derive_check(call, w, d, eps, err));
  const ctModel* m = w->m;
  Task task = {.w = w,
               .at = d,
               .stays = cti_implicit_stays(m),
               .eps = eps,
               .centered = how->centered,
               .sense = C || D,
               .A = A,
               .B = B,
               .C = C,
               .D = D};
  // Newton's method goes on in an iteration or two, others do not
  ctModel exact = *m;
  if (m->opt.solver == CT_SOL_NEWTON && !(m->opt.disableflags & CT_DSBL_WARMSTART))
    exact.opt.tolerance *= FURTHER;
  task.exact = &exact;
  const size_t nv = (size_t)m->nv;
  task.chord.factor = cti_derive_memory(w, CTI_DERIVE_FACTOR, (nv * nv + 7 * nv) * sizeof(ctReal));
  if (!task.chord.factor) return cti_error_memory(err);
  task.chord.start = task.chord.factor + nv * nv;
  task.chord.rows = task.chord.start + nv;
  begin(&task);
  take_base_step(&task, &w->workers[0]);
  const int acts = A || C ? m->na : 0;
  // activations follow the controls; without matrices for those, only they
  if (B || D || acts > 0) cti_derive_columns(w, m->nu + acts, force_columns, &task);
  if (A || C) cti_derive_columns(w, m->nv, velocity_columns, &task);
  if (A || C) cti_derive_columns(w, m->nv, position_columns, &task);
  for (int i = 0; i < w->threads; i++) cti_data(w->workers[i].d)->apart = NULL;
  return finish(w, call, err);
}

// ---- inverse dynamics ----

static ctStatus run_inverse(const Task* task, ctData* d, Stage from) {
  const ctModel* m = task->w->m;
  ctStatus status = CT_OK;
  if (from <= STAGE_POSITION) {
    status = cti_worse(status, cti_inverse_position(m, d));
    if (task->sense) cti_sense(m, d, CT_STAGE_POS);
  }
  if (from <= STAGE_VELOCITY) {
    status = cti_worse(status, cti_forward_velocity(m, d));
    if (task->sense) cti_sense(m, d, CT_STAGE_VEL);
    if (task->actuation) status = cti_worse(status, cti_forward_actuation(m, d));
  }
  d->flg_rnepost = false;  // what sensors read of bodies follows the acceleration
  status = cti_worse(status, cti_inverse_force(m, d));
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
  note(k, cti_derive_follow(task->w, k, task->at));
  inverse_base(task->w, k->d);
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

// What a row is nudged in, and so the first stage that changes.
typedef struct Rows {
  const Task* task;
  Stage from;  // STAGE_FORCE: the acceleration
} Rows;

static void inverse_rows(void* context, int begin, int end, int worker) {
  const Rows* rows = context;
  const Task* task = rows->task;
  ctiDeriver* k = &task->w->workers[worker];
  prepare_inverse(task, k);
  for (int j = begin; j < end; j++) {
    inverse_base(task->w, k->d);
    if (rows->from == STAGE_FORCE) k->d->qacc[j] += task->eps;
    if (rows->from == STAGE_VELOCITY) k->d->qvel[j] += task->eps;
    if (rows->from == STAGE_POSITION) cti_derive_move(task->w->m, k, j, task->eps);
    note(k, take_inverse(task, k->d, rows->from));
    switch (rows->from) {
      case STAGE_FORCE: write_row(task, k, task->DfDa, task->DsDa, NULL, j); break;
      case STAGE_VELOCITY: write_row(task, k, task->DfDv, task->DsDv, NULL, j); break;
      default: write_row(task, k, task->DfDq, task->DsDq, task->DmDq, j);
    }
  }
}

ctStatus ct_derive_inverse_fd(ctDerive* w, const ctData* d, ctReal eps, bool actuation, ctReal* DfDq,
                              ctReal* DfDv, ctReal* DfDa, ctReal* DsDq, ctReal* DsDv, ctReal* DsDa,
                              ctReal* DmDq, ctError* err) {
  static const char call[] = "ct_derive_inverse_fd";
  if (eps == 0) eps = CTI_DERIVE_EPS;
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
  // positions last: the other rows build on the stages of the base point
  Rows acceleration = {&task, STAGE_FORCE}, velocity = {&task, STAGE_VELOCITY},
       position = {&task, STAGE_POSITION};
  if (DfDa || DsDa) cti_derive_columns(w, m->nv, inverse_rows, &acceleration);
  if (DfDv || DsDv) cti_derive_columns(w, m->nv, inverse_rows, &velocity);
  if (DfDq || DsDq || DmDq) cti_derive_columns(w, m->nv, inverse_rows, &position);
  return finish(w, call, err);
}
