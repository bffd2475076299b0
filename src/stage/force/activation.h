// Force stage: activation dynamics. Step code.
//   reads   d->act, actuator_length, actuator_velocity
//   writes  d->act_dot; d->act when advanced
//   before  actuator velocity
#pragma once

#include "stage/force/actuator.h"

// Rates of an actuator's activations, into the array of all.
CT_FN void cti_activation_rate(const ctiActuatorView* a, ctReal* act_dot);

// The activation `act` (an index into d->act) after a step with the rates given: integrated exactly where
// that is possible, clamped to its range, and on the circle where it is an angle.
CT_FN ctReal cti_next_activation(const ctiActuatorView* a, const ctReal* act_dot, int act);

// The three activations of an orientation servo after a step.
CT_FN void cti_next_orientation(const ctiActuatorView* a, const ctReal* act_dot, ctReal out[3]);

// All activations one step on.
CT_FN void cti_advance_activations(const ctModel* m, ctData* d, const ctReal* act_dot);

// Does that depend on the actuators' lengths, or velocities?
CT_FN bool cti_advance_reads_length(const ctModel* m, const ctData* d);
CT_FN bool cti_advance_reads_velocity(const ctModel* m, const ctData* d);
