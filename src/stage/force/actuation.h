// Force stage: controls -> actuator forces -> joint forces.
//   reads   d->ctrl, actuator_length, actuator_velocity, moment_*, actuator_moment
//   writes  d->actuator_force, qfrc_actuator
//   before  transmission, actuator velocity
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Actuator velocities, in the velocity stage.
CT_FN void cti_actuator_velocity(const ctModel* m, ctData* d);

// CT_OK, or CT_STEP_DIVERGED when a control is not a number: counted, and all controls act as zero.
CT_FN ctStatus cti_actuation(const ctModel* m, ctData* d);
