// Velocity stage: recursive Newton-Euler.
//   reads   d->cinert, cdof, cdof_dot, cvel, qvel; m->opt.gravity
//   writes  `out`
//   before  com velocity
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Generalised force that explains the current velocity (Coriolis, centrifugal) and gravity, and the
// acceleration `qacc` when it is not NULL (armature excluded). `out` has nv reals. CT_OK or CT_STEP_OVERFLOW
// (arena full: zeros).
CT_FN ctStatus cti_bias_force(const ctModel* m, ctData* d, const ctReal* qacc, ctReal* out);
