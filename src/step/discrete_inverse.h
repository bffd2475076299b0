// Inverse dynamics of the step that an integrator takes, rather than of the continuous motion. Step code.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// d->qacc, taken as change of velocity over a step, becomes the acceleration from which the integrator would
// make that change. Unchanged for integrators that step by the acceleration itself. CT_OK or CT_STEP_OVERFLOW
// (unchanged).
CT_FN ctStatus cti_to_continuous_acc(const ctModel* m, ctData* d);
