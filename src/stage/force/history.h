// Past controls of actuators. Step code.
//   reads   d->ctrl, time
//   writes  d->history
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Controls of an actuator as they were `delay` ago, interpolated as the actuator says; ctrlnum numbers.
CT_FN void cti_history_read(const ctModel* m, const ctData* d, int actuator, ctReal* out);

// At the end of a step: the controls of all actuators with buffers become their newest samples.
CT_FN void cti_history_push(const ctModel* m, ctData* d);
