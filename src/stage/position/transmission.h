// Position stage: actuator lengths and moments, one row an output.
//   reads   d->qpos, site_x*, ten_length, ten_J, contact, cdof, subtree_com; m->actuator_trn*, actuator_gear
//   writes  d->actuator_length, moment_rownnz, moment_rowadr, moment_colind, actuator_moment
//   before  kinematics, com, tendons; collision for adhesion
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// CT_OK or CT_STEP_OVERFLOW (arena full: no moments).
CT_FN ctStatus cti_transmission(const ctModel* m, ctData* d);
