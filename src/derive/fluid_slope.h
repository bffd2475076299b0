// Derivative of the fluid's force on one shape. Step code.
#pragma once

#include "stage/velocity/fluid.h"

// matrix += derivative of the force by the body's motion, both about `com` in world axes; 6 x 6.
CT_FN void cti_add_fluid_slope(ctReal matrix[36], const ctModel* m, const ctiFluidShape* shape,
                               const ctReal com[3]);
