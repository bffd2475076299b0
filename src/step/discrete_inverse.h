// Inverse dynamics of the step that an integrator takes, rather than of the continuous motion. Step code.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// d->qacc, taken as change of velocity over a step, becomes the acceleration from which the integrator would
// make that change. CT_OK, or with d->qacc as it was CT_STEP_OVERFLOW or CT_ERR_UNSUPPORTED (RK4, whose step
// has several accelerations).
CT_FN ctStatus cti_to_continuous_acc(const ctModel* m, ctData* d);
