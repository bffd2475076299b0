// Integrators: from qacc to the next state.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Semi-implicit Euler; damping of joints is integrated implicitly unless the eulerdamp flag is disabled.
// CT_OK, CT_STEP_SINGULAR or CT_STEP_OVERFLOW.
CT_FN ctStatus cti_euler(const ctModel* m, ctData* d);

// q (+) dt * vel, on the manifold of the joints. `qpos` is changed in place.
CT_FN void cti_integrate_pos(const ctModel* m, ctReal* qpos, const ctReal* vel, ctReal dt);

// Advance velocity by qacc, position by the new velocity, and time.
CT_FN void cti_advance(const ctModel* m, ctData* d, const ctReal* qacc);
