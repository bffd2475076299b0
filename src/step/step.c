#include "data/arena.h"
#include "sense/sense.h"
#include "step/check.h"
#include "step/integrate.h"
#include "step/pipeline.h"
#include "step/timing.h"

static CT_FN ctStatus check_state(const ctModel* m, ctData* d) {
  ctStatus status = cti_check(m, d, d->qpos, m->nq, CT_WARN_BADQPOS);
  status = cti_worse(status, cti_check(m, d, d->qvel, m->nv, CT_WARN_BADQVEL));
  return cti_worse(status, cti_check(m, d, d->act, m->na, CT_WARN_BADACT));
}

// A bad acceleration that caused a reset is computed again for the new state.
static CT_FN ctStatus check_acceleration(const ctModel* m, ctData* d) {
  ctStatus status = cti_check(m, d, d->qacc, m->nv, CT_WARN_BADQACC);
  if (status != CT_OK && !(m->opt.disableflags & CT_DSBL_AUTORESET)) cti_forward(m, d);
  if (m->opt.enableflags & CT_ENBL_FWDINV) status = cti_worse(status, cti_compare_forward_inverse(m, d));
  return status;
}

static CT_FN ctStatus integrate_by(const ctModel* m, ctData* d, int integrator) {
  switch (integrator) {
    case CT_INT_EULER: return cti_euler(m, d);
    case CT_INT_RK4: return cti_rk4(m, d);
    case CT_INT_IMPLICIT: return cti_implicit(m, d);
    case CT_INT_IMPLICITFAST: return cti_implicit_fast(m, d);
    case CT_INT_SPRINGDAMPER: return cti_implicit_spring_damper(m, d);
    default: return CT_ERR_UNSUPPORTED;
  }
}

// Nothing changes when the arena is too small for a part of it.
static CT_FN ctStatus integrate(const ctModel* m, ctData* d, int integrator) {
  double start = cti_timer_start(d);
  size_t mark = cti_scratch_mark(d);
  const ctReal *measured = cti_sense_now(m, d), time = d->time;
  ctStatus status = measured ? CT_OK : CT_STEP_OVERFLOW;
  if (!cti_arena_short(d)) status = cti_worse(status, integrate_by(m, d, integrator));
  if (measured && !cti_arena_short(d)) cti_sense_record(m, d, measured, time);
  cti_scratch_release(d, mark);
  cti_timer_stop(d, CT_TIMER_ADVANCE, start);
  return status;
}

CT_FN ctStatus cti_step(const ctModel* m, ctData* d) {
  double start = cti_timer_start(d);
  ctStatus status = check_state(m, d);
  status = cti_worse(status, cti_forward(m, d));
  if (!cti_arena_short(d)) status = cti_worse(status, check_acceleration(m, d));
  if (!cti_arena_short(d)) status = cti_worse(status, integrate(m, d, m->opt.integrator));
  cti_timer_stop(d, CT_TIMER_STEP, start);
  return status;
}

CT_FN ctStatus cti_step1(const ctModel* m, ctData* d) {
  ctStatus status = check_state(m, d);
  status = cti_worse(status, cti_forward_position(m, d));
  cti_sense(m, d, CT_STAGE_POS);
  status = cti_worse(status, cti_forward_velocity(m, d));
  cti_sense(m, d, CT_STAGE_VEL);
  return status;
}

CT_FN ctStatus cti_step2(const ctModel* m, ctData* d) {
  ctStatus status = cti_forward_actuation(m, d);
  status = cti_worse(status, cti_forward_acceleration(m, d));
  status = cti_worse(status, cti_forward_constraint(m, d));
  cti_sense(m, d, CT_STAGE_ACC);
  if (!cti_arena_short(d)) status = cti_worse(status, check_acceleration(m, d));
  // the second half cannot go back for more stages
  int integrator = m->opt.integrator == CT_INT_RK4 ? CT_INT_EULER : m->opt.integrator;
  return cti_arena_short(d) ? status : cti_worse(status, integrate(m, d, integrator));
}
