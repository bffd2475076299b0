// Closed forms of what actuators do: their forces and activations by length, velocity, controls and
// activations, each by a difference of the actuator alone. Host code.
#pragma once

#include "derive/slopes.h"

// Answers of all actuators to nudges, a round for each kind of number: length, velocity, first control ...,
// first activation ...
typedef struct ctiDevices {
  ctReal eps;
  int controls, rounds;   // the most controls that an actuator has; all rounds
  ctReal* force;          // rounds x nout
  ctReal* act;            // rounds x na: of the activations after the step
  ctReal *saved, *width;  // nactuator
  ctReal* next;           // na
  const bool* clipped;    // nv: the joint has all the force that it may have
  int act_at;             // where activations begin in a column
} ctiDevices;

// Count the rounds. First of all.
void cti_devices_count(ctiDevices* dev, const ctModel* m);

// Round of a control or an activation of an actuator.
int cti_control_round(const ctModel* m, int actuator, int control);
int cti_act_round(const ctiDevices* dev, const ctModel* m, int actuator, int act);

// Activations after the step.
void cti_next_activations(const ctModel* m, ctData* d, ctReal* out);

// Fill `force` and `act`. The data is as before. CT_OK or the status of an evaluation.
ctStatus cti_devices_probe(const ctiDevices* to, const ctModel* m, ctData* d);

// Tension in tendons by actuators, before cti_slopes_tendons(); then their part in g, and in the activations
// after the step, which stand in the same columns.
void cti_device_tensions(ctiSlopes* s);
void cti_slopes_devices(ctiSlopes* s, const ctiDevices* dev);

// Columns of activations and controls.
void cti_device_columns(const ctiSlopes* s, const ctiDevices* dev, ctReal* acts, ctReal* controls);

// Changes of an actuator's length and velocity with each position, nv each.
void cti_device_lengths(const ctiSlopes* s, int actuator, ctReal* length, ctReal* velocity);
