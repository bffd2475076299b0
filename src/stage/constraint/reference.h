// Constraint stage: the acceleration each row asks for.
//   reads   d->efc_J, efc_pos, efc_margin, efc_KBIP, efc_R, qvel, contact
//   writes  d->efc_vel, efc_aref
//   before  impedance; velocities
#pragma once

#include "base/fn.h"
#include "corten/data.h"

CT_FN void cti_reference(const ctModel* m, ctData* d);

// Adhesion of active contacts pulls their bodies together: into d->qfrc_adhesion, and added to
// d->qfrc_passive.
CT_FN void cti_adhesion_force(const ctModel* m, ctData* d);
