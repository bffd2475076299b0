// Shortcuts that need more than a few lines to be lowered to the general actuator.
#pragma once

#include "base/kinds.h"
#include "spec/spec.h"

// The shortcut of a tag, -1 when it is none.
int cti_find_shortcut(const char* tag);

// Work out the drive of an actuator again after its words have changed. NULL, or what is wrong: nothing
// changes then.
const char* cti_actuator_update_drive(ctiActuator* a);
