// Position stage: tendons, and what they add to inertia.
//   reads   d->qpos, site_xpos, geom_xpos, geom_xmat, cdof, subtree_com; m->tendon_*, wrap_*, ten_J_*
//   writes  d->ten_length, ten_J, ten_wrapadr, ten_wrapnum, wrap_obj, wrap_xpos; adds to d->M
//   before  kinematics, com; the mass matrix before its tendon part
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Paths, lengths, gradients. CT_OK or CT_STEP_OVERFLOW (arena full: gradients zero).
CT_FN ctStatus cti_tendons(const ctModel* m, ctData* d);

// M += armature J'J, where M has elements.
CT_FN void cti_tendon_inertia(const ctModel* m, ctData* d);
