// The step as a list of stages. Step code; the public calls in api.c wrap these.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

CT_FN ctStatus cti_forward_position(const ctModel* m, ctData* d);
CT_FN ctStatus cti_forward_velocity(const ctModel* m, ctData* d);
CT_FN ctStatus cti_forward_actuation(const ctModel* m, ctData* d);
CT_FN ctStatus cti_forward_acceleration(const ctModel* m, ctData* d);
CT_FN ctStatus cti_forward_constraint(const ctModel* m, ctData* d);

// The position stage without what only a solver needs.
CT_FN ctStatus cti_inverse_position(const ctModel* m, ctData* d);

// All of the above.
CT_FN ctStatus cti_forward(const ctModel* m, ctData* d);

// The same without sensors, for integrators that evaluate the dynamics several times in a step.
CT_FN ctStatus cti_forward_dynamics(const ctModel* m, ctData* d);

// qfrc_inverse from qpos, qvel, qacc.
CT_FN ctStatus cti_inverse(const ctModel* m, ctData* d);

// With constraint rows, how far inverse dynamics is from the forward dynamics just computed:
// d->solver_fwdinv.
CT_FN ctStatus cti_compare_forward_inverse(const ctModel* m, ctData* d);

// One step: check, forward, check, integrate.
CT_FN ctStatus cti_step(const ctModel* m, ctData* d);

// The graver of two statuses: the first that is not CT_OK.
CT_INLINE ctStatus cti_worse(ctStatus a, ctStatus b) {
  return a != CT_OK ? a : b;
}

// ---- Bad numbers: found before they spread. ----

// ---- Inverse dynamics of the step that an integrator takes, rather than of the continuous motion. Step
// code. ----

// ---- Time spent in the stages: measured only when the host has set a clock, never on a GPU. ----
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
