// Velocity stage: velocities of bodies and rates of the motion axes, about the tree's centre of mass.
//   reads   d->cdof, qvel
//   writes  d->cvel, cdof_dot
//   before  com
#pragma once

#include "base/fn.h"
#include "corten/data.h"

CT_FN void cti_com_velocity(const ctModel* m, ctData* d);
