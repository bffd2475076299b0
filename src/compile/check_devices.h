// Actuators and sensors of a model that comes from a file: as many controls, activations and numbers as their
// kinds work with, attached to what their kinds can be attached to.
#pragma once

#include "corten/model.h"

// The first field that does not fit its kind; NULL when all do. The indices of the model must have been
// checked.
const char* cti_check_devices(const ctModel* m);
