// The public calls: arguments checked, arena grown, then the step code. Host code.
#include "base/error.h"
#include "corten/sim.h"
#include "data/arena.h"
#include "data/awake.h"
#include "data/data.h"
#include "stage/solve/islands.h"
#include "step/step.h"

// What the last stage left out, or took a coarser way about, because the arena may not grow: those who do so
// for want of scratch need not say it each.
static ctStatus say_full(ctData* d, int said) {
  if (!cti_data(d)->arena_full) return CT_OK;
  if (d->warning[CT_WARN_CONTACTFULL].number + d->warning[CT_WARN_CNSTRFULL].number <= said)
    cti_warn(d, CT_WARN_CNSTRFULL, 0);
  return CT_STEP_OVERFLOW;
}

// Run step code; false when the arena turned out too small, and it has to run again.
static bool attempt(const ctModel* m, ctData* d, ctiCall* call, ctStatus* trouble) {
  ctiAttempt before;
  cti_attempt_begin(&before, d);
  cti_data(d)->arena_full = NULL;
  ctStatus status = call(m, d);
  cti_data(d)->scenery.on = false;
  const bool done = cti_attempt_end(&before, m, d, &status);
  if (done) status = cti_worse(status, say_full(d, before.contacts.number + before.rows.number));
  *trouble = cti_worse(*trouble, status);
  return done;
}

// Run step code with as large an arena as it needs.
static ctStatus run_again(const ctModel* m, ctData* d, ctiCall* call) {
  ctStatus trouble = CT_OK;
  do CT_TRY(cti_data_grow(d));
  while (!attempt(m, d, call, &trouble));
  return trouble;
}

// The same behind the checks every call makes, for a caller who may have written to the data and will read
// it.
ctStatus cti_run(const ctModel* m, ctData* d, ctiCall* call) {
  if (!cti_data_fits(m, d)) return CT_ERR_ARGUMENT;
  cti_data(d)->awake.edited = cti_data(d)->awake.shown = true;
  return run_again(m, d, call);
}

ctStatus ct_step(const ctModel* m, ctData* d) {
  return cti_run(m, d, cti_step);
}

ctStatus cti_step_one(const ctModel* m, ctData* d, int i, int n) {
  ctiScenery* scenery = &cti_data(d)->scenery;
  cti_step_of(m, d, i, n);
  scenery->trusted = (i > 0 || scenery->shared) && !cti_calls_user(m);
  ctStatus status = run_again(m, d, cti_step);
  scenery->trusted = false;
  return status;
}

ctStatus ct_step_n(const ctModel* m, ctData* d, int n) {
  if (!cti_data_fits(m, d) || n < 0) return CT_ERR_ARGUMENT;
  ctStatus first = CT_OK;
  for (int i = 0; i < n; i++) {
    ctStatus status = cti_step_one(m, d, i, n);
    if (status == CT_ERR_MEMORY) return status;
    first = cti_worse(first, status);
  }
  return first;
}

ctStatus ct_forward(const ctModel* m, ctData* d) {
  return cti_run(m, d, cti_forward);
}

ctStatus ct_inverse(const ctModel* m, ctData* d) {
  return cti_run(m, d, cti_inverse);
}

// The position stage for a caller who stops behind it: with the islands, which the solver finds anew.
static ctStatus position_and_islands(const ctModel* m, ctData* d, unsigned how) {
  ctStatus status = cti_stages(m, d, CTI_STAGE_PLACES, CTI_STAGE_ROWS, how);
  if ((m->opt.disableflags & CT_DSBL_ISLAND) || cti_arena_short(d)) return status;
  return cti_worse(status, cti_find_islands(m, d));
}

// The two halves of a step.
static ctStatus step1(const ctModel* m, ctData* d) {
  ctStatus status = cti_check_state(m, d);
  status = cti_worse(status, position_and_islands(m, d, CTI_RUN_SENSORS));
  const unsigned how = CTI_RUN_SENSORS | CTI_RUN_CONTROL;
  return cti_worse(status, cti_stages(m, d, CTI_STAGE_VELOCITY, CTI_STAGE_VELOCITY, how));
}

// The two halves of a step.
static ctStatus step2(const ctModel* m, ctData* d) {
  const unsigned how = CTI_RUN_SENSORS | CTI_RUN_STEP;
  ctStatus status = cti_stages(m, d, CTI_STAGE_FORCE, CTI_STAGE_SOLVE, how);
  if (!cti_arena_short(d)) status = cti_worse(status, cti_check_acceleration(m, d));
  if (cti_check_timestep(m, d) != CT_OK) return CT_STEP_DIVERGED;
  // the second half cannot go back for more stages
  int integrator = m->opt.integrator == CT_INT_RK4 ? CT_INT_EULER : m->opt.integrator;
  return cti_arena_short(d) ? status : cti_worse(status, cti_advance(m, d, integrator));
}

ctStatus ct_step1(const ctModel* m, ctData* d) {
  return cti_run(m, d, step1);
}

// Both halves, for a second half that needs a larger arena: the arrays of the first one are lost with it.
static ctStatus both_halves(const ctModel* m, ctData* d) {
  ctStatus status = step1(m, d);
  return cti_arena_short(d) ? status : cti_worse(status, step2(m, d));
}

ctStatus ct_step2(const ctModel* m, ctData* d) {
  if (!cti_data_fits(m, d)) return CT_ERR_ARGUMENT;
  ctStatus trouble = CT_OK;
  return attempt(m, d, step2, &trouble) ? trouble : cti_worse(trouble, cti_run(m, d, both_halves));
}

static ctStatus positions(const ctModel* m, ctData* d) {
  return position_and_islands(m, d, 0);
}

ctStatus ct_forward_position(const ctModel* m, ctData* d) {
  return cti_run(m, d, positions);
}

ctStatus ct_forward_velocity(const ctModel* m, ctData* d) {
  if (!cti_data_fits(m, d)) return CT_ERR_ARGUMENT;
  return cti_stages(m, d, CTI_STAGE_VELOCITY, CTI_STAGE_VELOCITY, 0);
}

ctStatus ct_forward_actuation(const ctModel* m, ctData* d) {
  if (!cti_data_fits(m, d)) return CT_ERR_ARGUMENT;
  const double start = cti_timer_start(d);
  ctStatus status = cti_forward_actuation(m, d);
  cti_timer_stop(d, CT_TIMER_ACTUATION, start);
  return status;
}

ctStatus ct_forward_acceleration(const ctModel* m, ctData* d) {
  return cti_data_fits(m, d) ? cti_forward_acceleration(m, d) : CT_ERR_ARGUMENT;
}

ctStatus ct_forward_constraint(const ctModel* m, ctData* d) {
  return cti_data_fits(m, d) ? cti_forward_constraint(m, d) : CT_ERR_ARGUMENT;
}
