// How many numbers an actuator takes and keeps.
#pragma once

#include "spec/records.h"

// Controls.
int cti_drive_controls(const ctiDrive* d);

// States that the features of a motor ask for: slew, integral, temperature, bristles, current.
int cti_drive_motor_states(const ctiDrive* d);

// Activations that the kind of dynamics needs.
int cti_drive_states(const ctiDrive* d);

// Activations it has: as many as the author of a general actuator says, else as many as it needs.
int cti_activation_count(const ctiActuator* a);
