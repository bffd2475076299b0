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

// The torque on the first body of a weld, in world axes, that the forces of its three rotation rows make; the
// second body gets the opposite.
CT_FN void cti_weld_torque(ctReal out[3], const ctModel* m, const ctData* d, int eq, const ctReal force[3]);
