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

// The two halves of a step.
CT_FN ctStatus cti_step1(const ctModel* m, ctData* d);
CT_FN ctStatus cti_step2(const ctModel* m, ctData* d);

// The graver of two statuses: the first that is not CT_OK.
CT_INLINE ctStatus cti_worse(ctStatus a, ctStatus b) {
  return a != CT_OK ? a : b;
}
