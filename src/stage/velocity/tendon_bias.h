// Velocity stage: what the inertia of tendons needs because their gradient turns with the motion.
//   reads   d->ten_J, site_xpos, cvel, cdof_dot, qvel
//   adds to d->qfrc_bias
//   before  tendons, com velocity, bias force
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Second time derivative of a spatial tendon's length while no dof accelerates; its path must pass sites and
// pulleys only.
CT_FN ctReal cti_tendon_drift(const ctModel* m, const ctData* d, int tendon);

CT_FN void cti_tendon_bias(const ctModel* m, ctData* d);
