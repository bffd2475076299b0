// Force stage: controls -> activation rates and actuator forces -> joint forces.
//   reads   d->ctrl, history, act, actuator_length, actuator_velocity, moment_*, actuator_moment,
//   qfrc_gravcomp writes  d->act_dot, actuator_force, qfrc_actuator before  transmission, actuator velocity,
//   passive
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Actuator velocities, in the velocity stage.
CT_FN void cti_actuator_velocity(const ctModel* m, ctData* d);

// The controls that act now: delayed, then within their ranges; all zero when one is not a number. Returns
// the first such, or -1.
CT_FN int cti_acting_controls(const ctModel* m, const ctData* d, ctReal* ctrl);

// CT_OK, CT_STEP_DIVERGED when a control is not a number (counted, and all controls act as zero), or
// CT_STEP_OVERFLOW (arena full: no forces).
CT_FN ctStatus cti_actuation(const ctModel* m, ctData* d);
