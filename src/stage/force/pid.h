// Controllers with position, velocity and feed-forward inputs. Step code.
//
// Parameters: bias (constant, -kp, -kv), gain (ki), dynamics (largest integral, largest rate of the
// setpoint). Activations: the setpoint when its rate is limited, then the integral when there is one.
#pragma once

#include "stage/force/actuator.h"

CT_FN void cti_pid_dynamics(const ctiActuatorView* a, ctReal* act_dot);
CT_FN ctReal cti_pid_force(const ctiActuatorView* a, const ctReal* act_dot);
