// A step as a list of stages, inverse dynamics, integrators. Step code; the public calls wrap these.
#pragma once

#include "base/fn.h"
#include "corten/data.h"
#include "stage/solve/solve.h"

// ---- the list of stages ----

// A step is this list, each stage needing those before it. The CPU runs ranges of it (cti_stages), a GPU has
// a kernel for each row (cti_step_stage). How functions of the stages are called stands in step.c.
//   X(stage, call, timer, sensors read after it, lifetimes of arrays that end there)
#define CTI_DYNAMICS(X) /* from a state to its acceleration */ \
  X(PLACES, places(m, d), POS_KINEMATICS, NONE, 0)             \
  X(INERTIA, inertia(m, d), POS_INERTIA, NONE, 0)              \
  X(COLLISION, contacts(m, d), POS_COLLISION, NONE, 0)         \
  X(ROWS, rows(m, d, how), POS_MAKE, POS, CTI_LIVE_POSITION)   \
  X(VELOCITY, cti_forward_velocity(m, d), VELOCITY, VEL, 0)    \
  X(FORCE, forces(m, d), ACTUATION, NONE, 0)                   \
  X(SOLVE, solve(m, d, how), CONSTRAINT, ACC, 0)
#define CTI_STAGES(X) /* and on to the next state */ \
  CTI_DYNAMICS(X)                                    \
  X(ADVANCE, finish(m, d, how, evaluation, mid), ADVANCE, NONE, 0)

#define X(stage, ...) CTI_STAGE_##stage,
typedef enum ctiStage { CTI_STAGES(X) CTI_STAGE_COUNT } ctiStage;
#undef X

// What stages are run for: bits of `how`.
typedef enum ctiRun {
  CTI_RUN_SENSORS = 1,  // sensors are read: where a step starts, not where an integrator evaluates in between
  CTI_RUN_CONTROL = 2,  // forward dynamics, to which users add their controls
  CTI_RUN_STEP = 4,     // the state will be advanced
  CTI_RUN_INVERSE = 8   // inverse dynamics: without what only a solver needs
} ctiRun;

// The stages from `first` to `last`, which come before ADVANCE.
CT_KERNEL_NOINLINE ctStatus cti_stages(const ctModel* m, ctData* d, ctiStage first, ctiStage last,
                                       unsigned how);

// ---- some of them ----

CT_FN ctStatus cti_forward_position(const ctModel* m, ctData* d);
CT_FN ctStatus cti_forward_velocity(const ctModel* m, ctData* d);
CT_FN ctStatus cti_forward_actuation(const ctModel* m, ctData* d);
CT_FN ctStatus cti_forward_acceleration(const ctModel* m, ctData* d);
CT_FN ctStatus cti_forward_constraint(const ctModel* m, ctData* d);

// The position stage without what only a solver needs.
CT_FN ctStatus cti_inverse_position(const ctModel* m, ctData* d);

// All of the dynamics.
CT_FN ctStatus cti_forward(const ctModel* m, ctData* d);

// The same without sensors, for integrators that evaluate the dynamics several times in a step.
CT_FN ctStatus cti_forward_dynamics(const ctModel* m, ctData* d);

// ---- the step ----

// One step: check, forward, check, integrate.
CT_KERNEL_NOINLINE ctStatus cti_step(const ctModel* m, ctData* d);

// Step `i` of `n` that follow each other without anybody looking in between: a step with as large an arena as
// it needs. Host code.
ctStatus cti_step_one(const ctModel* m, ctData* d, int i, int n);

// Time that is no number, or far too much of it, leads nowhere: CT_STEP_DIVERGED, and nothing advances.
CT_FN ctStatus cti_check_timestep(const ctModel* m, ctData* d);

// A step that the arena was too small for changes nothing: it is taken again with a larger one. Between these
// two, with what it counted before.
typedef struct ctiAttempt {
  ctWarningStat inertia, contacts, rows;
} ctiAttempt;
CT_FN void cti_attempt_begin(ctiAttempt* before, const ctData* d);
// False when it has to be taken again: whoever it woke sleeps, what it counted is forgotten, and of its
// status only trouble is left that more room would not have spared.
CT_FN bool cti_attempt_end(const ctiAttempt* before, const ctModel* m, ctData* d, ctStatus* status);

// Look for a bad number in a vector. When there is one, count it, reset the data unless autoreset is
// disabled, and return CT_STEP_DIVERGED.
CT_FN ctStatus cti_check(const ctModel* m, ctData* d, const ctReal* v, int n, ctWarningType warning);

// The same for the state.
CT_FN ctStatus cti_check_state(const ctModel* m, ctData* d);

// The same for qacc, which is computed again for the new state; then the comparison with inverse dynamics
// where it is enabled.
CT_FN ctStatus cti_check_acceleration(const ctModel* m, ctData* d);

// The end of a step: integrate, and let sensors with a history store what they measured. Nothing changes when
// the arena is too small for a part of it.
CT_FN ctStatus cti_advance(const ctModel* m, ctData* d, int integrator);

// From qacc to the next state by one of the integrators (ctIntegrator). CT_OK, CT_STEP_SINGULAR or
// CT_STEP_OVERFLOW.
CT_FN ctStatus cti_integrate(const ctModel* m, ctData* d, int integrator);

// The same as cti_integrate() for Euler and implicitfast, with the metric of the last step of this data: it
// must be that of this one, too. See cti_implicit_stays(). Host code.
ctStatus cti_integrate_again(const ctModel* m, ctData* d);

// State at the start of the step, rates of the stage at hand, and their weighted sums.
typedef struct ctiRk4 {
  ctReal time;
  ctReal *qpos, *qvel, *act;
  ctReal* rate;  // of the coordinates, nv
  ctReal *rate_sum, *qacc_sum, *act_sum;
  ctReal *actuator_length, *actuator_velocity, *ten_length, *ten_J;
  ctReal *flexvert_xpos, *xpos;
  size_t mark;  // of the scratch it holds
  bool going;   // more evaluations are needed
} ctiRk4;

// After evaluation i of the dynamics, 0 that of the step's own state: go on to the state of the next, or take
// the step. CT_OK, or CT_STEP_OVERFLOW: then it goes no further.
#define CTI_RK4_EVALUATIONS 4
CT_KERNEL_NOINLINE ctStatus cti_rk4_next(ctiRk4* k, const ctModel* m, ctData* d, int i);

// A step for worlds that all take one stage before the next: it is cti_check_timestep(), which may end it,
// and cti_check_state(), and then all stages, as often as cti_step_evaluations() says; its status is the
// first that is not CT_OK. Without `step` they are cti_forward(). What it holds between stages is in `mid`.
typedef struct ctiMidStep {
  size_t mark;             // of the scratch it holds
  const ctReal* measured;  // sensors at its start
  ctReal time;             // of its start
  ctiRk4 rk4;
  ctiSolve solve;
} ctiMidStep;
CT_INLINE int cti_step_evaluations(const ctModel* m, bool step) {
  return step && m->opt.integrator == CT_INT_RK4 ? CTI_RK4_EVALUATIONS : 1;
}
CT_FN ctStatus cti_step_stage(const ctModel* m, ctData* d, ctiStage stage, int evaluation, bool step,
                              ctiMidStep* mid);

// CTI_STAGE_SOLVE in three, see cti_solve_begin(), where cti_step_islands_apart().
CT_FN bool cti_step_islands_apart(const ctModel* m);
CT_FN ctStatus cti_step_solve_begin(const ctModel* m, ctData* d, int evaluation, int workers,
                                    ctiMidStep* mid);
CT_FN void cti_step_solve_worker(ctData* d, int evaluation, int worker, const ctiMidStep* mid);
CT_FN ctStatus cti_step_solve_end(const ctModel* m, ctData* d, int evaluation, const ctiMidStep* mid);

// q (+) dt * vel, on the manifold of the joints. `qpos` is changed in place.
CT_FN void cti_integrate_pos(const ctModel* m, ctReal* qpos, const ctReal* vel, ctReal dt);

// ---- sleeping ----

// cti_data_reset(), and what it leaves to the stages: with the sleep flag, static bodies are computed once,
// here, and trees that shall start asleep are put to sleep.
CT_FN ctStatus cti_reset(const ctModel* m, ctData* d);

// Compute what a step leaves out, static bodies and trees that sleep, for a data that has nothing of it yet.
CT_FN ctStatus cti_warm_up(const ctModel* m, ctData* d);

// Is there room for cti_rest()? Otherwise the arena knows how much is wanted.
CT_FN bool cti_rest_fits(const ctModel* m, ctData* d);

// Let trees fall asleep at the end of a step. The acceleration that the step is advanced with is kept in
// scratch when d->qacc becomes another one.
CT_FN ctStatus cti_rest(const ctModel* m, ctData* d, const ctReal** qacc);

// ---- deformables that yield ----

// What stays of stretching and bending once positions have advanced by `vel`, and the frames of rods: written
// to d->plastic. The vertices are still those of the start of the step.
CT_KERNEL_NOINLINE ctStatus cti_flex_yield(const ctModel* m, ctData* d, const ctReal* vel);

// Is there room for that?
CT_FN bool cti_flex_yield_fits(const ctModel* m, ctData* d);

// ---- inverse dynamics ----

// qfrc_inverse from qpos, qvel, qacc.
CT_FN ctStatus cti_inverse(const ctModel* m, ctData* d);

// Its last stage: qfrc_inverse, after positions and velocities.
CT_FN ctStatus cti_inverse_force(const ctModel* m, ctData* d);

// The forces that the rows exert when the acceleration is what it is: no solve, each row by itself.
CT_FN ctStatus cti_inverse_constraint(const ctModel* m, ctData* d);

// With constraint rows, how far inverse dynamics is from the forward dynamics just computed:
// d->solver_fwdinv.
CT_FN ctStatus cti_compare_forward_inverse(const ctModel* m, ctData* d);

// ---- what the files of this folder share ----

// Run step code behind the checks every call makes, with as large an arena as it needs. Host code.
typedef ctStatus ctiCall(const ctModel* m, ctData* d);
ctStatus cti_run(const ctModel* m, ctData* d, ctiCall* call);

// d->qH += x at the diagonal of a dof
CT_INLINE void cti_add_to_diagonal(const ctModel* m, ctData* d, int dof, ctReal x) {
  d->qH[m->M_rowadr[dof] + m->M_rownnz[dof] - 1] += x;
}

// The graver of two statuses: the first that is not CT_OK.
CT_INLINE ctStatus cti_worse(ctStatus a, ctStatus b) {
  return a != CT_OK ? a : b;
}

// Time spent in a stage: measured only when the host has set a clock, never on a GPU.
//   double t = cti_timer_start(d);
//   ... the stage ...
//   cti_timer_stop(d, CT_TIMER_POSITION, t);
CT_INLINE double cti_timer_start(const ctData* d) {
#ifdef __CUDA_ARCH__
  (void)d;
  return 0;
#else
  return d->now ? d->now() : 0;
#endif
}

CT_INLINE void cti_timer_stop(ctData* d, ctTimerType timer, double start) {
#ifdef __CUDA_ARCH__
  (void)d;
  (void)timer;
  (void)start;
#else
  if (!d->now) return;
  d->timer[timer].duration += d->now() - start;
  d->timer[timer].number++;
#endif
}
