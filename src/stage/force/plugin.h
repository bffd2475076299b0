// Actuators that a plugin drives. Step code.
#pragma once

#include "stage/force/actuator.h"

// Rates of the activations that are the plugin's, into the array of all.
CT_FN void cti_plugin_rates(const ctiActuatorView* a, ctReal* act_dot);
// Force, before the limits of the actuator; after its rates.
CT_FN ctReal cti_plugin_force(const ctiActuatorView* a);
