// Back to a known state. Step code: a GPU world resets itself.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Default state: everything computed becomes zero, warnings and timers too. The arena keeps its size.
CT_FN void cti_data_reset(const ctModel* m, ctData* d);

// The references of yielding springs that the model starts with.
CT_FN void cti_plastic_reference(ctReal* plastic, const ctModel* m);

// The state of a keyframe, on top of a reset.
CT_FN void cti_data_set_keyframe(const ctModel* m, ctData* d, int key);
