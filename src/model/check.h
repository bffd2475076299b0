// Whether the indices of a model lead to something that is there.
#pragma once

#include "corten/model.h"

// The first field with an index that is out of range; NULL when all are good. What actuators and sensors need
// beyond that is known to the compiler (compile/check_devices.h).
const char* cti_model_check(const ctModel* m);

// Whether the check has thought of a field of whole numbers.
bool cti_model_check_knows(const char* name);
