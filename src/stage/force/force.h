// Force stage: controls -> activation rates and actuator forces -> joint forces.
//   reads   d->ctrl, history, act, actuator_length, actuator_velocity, moment_*, actuator_moment,
//   qfrc_gravcomp writes  d->act_dot, actuator_force, qfrc_actuator before  transmission, actuator velocity,
//   passive
#pragma once

#include "base/fn.h"
#include "corten/data.h"
#include "stage/force/actuator.h"

// Actuator velocities, in the velocity stage.
CT_FN void cti_actuator_velocity(const ctModel* m, ctData* d);

// The controls that act now: delayed, then within their ranges; all zero when one is not a number. Returns
// the first such, or -1.
CT_FN int cti_acting_controls(const ctModel* m, const ctData* d, ctReal* ctrl);

// CT_OK, CT_STEP_DIVERGED when a control is not a number (counted, and all controls act as zero), or
// CT_STEP_OVERFLOW (arena full: no forces).
CT_FN ctStatus cti_actuation(const ctModel* m, ctData* d);

// ---- activation dynamics ----
//   reads   d->act, actuator_length, actuator_velocity
//   writes  d->act_dot; d->act when advanced
//   before  actuator velocity

// The activation `act` (an index into d->act) after a step with the rates given: integrated exactly where
// that is possible, clamped to its range, and on the circle where it is an angle.
CT_FN ctReal cti_next_activation(const ctiActuatorView* a, const ctReal* act_dot, int act);

// All activations one step on.
CT_FN void cti_advance_activations(const ctModel* m, ctData* d, const ctReal* act_dot);

// Does that depend on the actuators' lengths, or velocities?
CT_FN bool cti_advance_reads_length(const ctModel* m, const ctData* d);
CT_FN bool cti_advance_reads_velocity(const ctModel* m, const ctData* d);

// ---- all smooth forces together, and the acceleration they alone would cause ----
//   reads   d->qfrc_passive, qfrc_bias, qfrc_applied, qfrc_actuator, xfrc_applied, qLD
//   writes  d->qfrc_smooth, qacc_smooth
//   before  passive, bias, actuation, factor

CT_FN void cti_smooth_force(const ctModel* m, ctData* d);  // only the first of them, and without factor
CT_FN void cti_smooth_acceleration(const ctModel* m, ctData* d);
