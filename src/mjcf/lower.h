// Shortcuts that need more than a few lines to be lowered to the general actuator.
#pragma once

#include "model/inputs.h"
#include "spec/spec.h"

// What is wrong with the words, or NULL. The drive comes from the class, with its ctrlspec already chosen.
const char* cti_lower_dcmotor(ctiActuator* a, const ctiShortcutWords* w);
