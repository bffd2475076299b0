// Position stage: cameras and lights, fixed, tracking or looking at a body.
//   reads   d->xpos, xquat, xmat, subtree_com; m->cam_*, light_*
//   writes  d->cam_xpos, cam_xmat, light_xpos, light_xdir
//   before  kinematics, com
#pragma once

#include "base/fn.h"
#include "corten/data.h"

CT_FN void cti_cameras(const ctModel* m, ctData* d);
