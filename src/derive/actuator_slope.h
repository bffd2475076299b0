// Derivative of an actuator's force by its velocity. Step code.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// The same for each of its outputs, by that output's velocity. Zero while the actuator, or the joint or
// tendon it acts on, is at a limit of force. `ctrl`: the controls that act.
CT_FN ctReal cti_actuator_slope(const ctModel* m, const ctData* d, const ctReal* ctrl, int actuator);
