// Constraint stage: equality rows.
//   reads   d->eq_active, xpos, xquat, xmat, site_x*, qpos, ten_length, ten_J, cdof, cdof_dot, cvel; m->eq_*
//   writes  rows; `efc_aref` correction through cti_equality_drift
//   before  kinematics, com, tendons; the drift: velocities
#pragma once

#include "stage/constraint/rows.h"

// CT_OK or CT_STEP_OVERFLOW (scratch).
CT_FN ctStatus cti_equality_rows(ctiRows* rows);

// Jdot v of the rows of one connect or weld: what their acceleration is when the joints do not accelerate.
// Returns the number of rows written to `out` (3 or 6).
CT_FN int cti_equality_drift(const ctModel* m, const ctData* d, int eq, ctReal out[6]);
