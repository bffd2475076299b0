// Position stage: actuator lengths and moments.
//   reads   d->qpos, xquat; m->actuator_trn*, actuator_gear
//   writes  d->actuator_length, moment_rownnz, moment_rowadr, moment_colind, actuator_moment
//   before  kinematics
#pragma once

#include "base/fn.h"
#include "corten/data.h"

CT_FN void cti_transmission(const ctModel* m, ctData* d);
