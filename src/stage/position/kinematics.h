// Position stage: qpos -> world frames of bodies, joints, geoms and sites.
//   reads   m->body_*, m->jnt_*, m->geom_*, m->site_*; d->qpos, d->mocap_*
//   writes  d->xpos, xquat, xmat, xipos, xiquat, ximat, xanchor, xaxis, geom_x*, site_x*
//   before  nothing: first in the step
// qpos is not written: quaternions are normalised in copies.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

CT_FN void cti_kinematics(const ctModel* m, ctData* d);
