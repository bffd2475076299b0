// Broad phase: the pairs of bodies whose bounding boxes overlap and that may touch. Step code.
//   reads   m->body_*, m->bvh_*, m->geom_*; d->xipos, d->ximat, d->geom_xpos, d->geom_xmat
//   before  kinematics
#pragma once

#include "collide/keys.h"

// Append every such pair to `pairs`, as cti_key(smaller body, larger body), in ascending order. `pairs` lies
// in scratch: the caller marks and releases.
CT_FN void cti_broad_phase(const ctModel* m, ctData* d, ctiKeys* pairs);
