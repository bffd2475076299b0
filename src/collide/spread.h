// Four corners of a polygon that span a large area. Step code.
#pragma once

#include "collide/shape.h"

// Choose corners c[0] < c[1] < c[2] < c[3] of a polygon with n > 4 corners, the first of them its first: the
// last goes around one by one while that makes the area of the four larger; the two between follow.
CT_FN void cti_spread(int c[4], const ctReal (*at)[3], int n);
