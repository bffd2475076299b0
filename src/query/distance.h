// Signed distance between two geoms. Step code.
//   reads   d->geom_xpos, d->geom_xmat
//   before  kinematics
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// The smallest signed distance between two geoms that is at most `distmax`, else `distmax`. `fromto` (6
// reals, may be NULL) receives the nearest points on geom1 and on geom2, or zeros. `d` lends scratch.
CT_FN ctReal cti_geom_distance(const ctModel* m, ctData* d, int geom1, int geom2, ctReal distmax,
                               ctReal* fromto);
