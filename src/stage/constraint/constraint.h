// Constraint stage: all rows of a step.
//   reads   everything of the position stage, d->contact
//   writes  the efc_ arrays in the arena, d->ne, nf, nl, nefc, nJ
//   before  kinematics, com, tendons, mass matrix, collision
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// `forward`: the rows will be solved, not only asked for their forces at a known acceleration.
// CT_OK, or CT_STEP_OVERFLOW when the arena was too small: then there are no rows in this step, which is
// counted in d->warning[CT_WARN_CNSTRFULL].
CT_FN ctStatus cti_make_constraints(const ctModel* m, ctData* d, bool forward);

// ---- Constraint stage: the acceleration each row asks for. ----
//   reads   d->efc_J, efc_pos, efc_margin, efc_KBIP, efc_R, qvel, contact
//   writes  d->efc_vel, efc_aref
//   before  impedance; velocities

CT_FN void cti_reference(const ctModel* m, ctData* d);

// Adhesion of active contacts pulls their bodies together: into d->qfrc_adhesion, and added to
// d->qfrc_passive.
CT_FN void cti_adhesion_force(const ctModel* m, ctData* d);
