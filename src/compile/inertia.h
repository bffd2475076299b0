// Volume, surface and moments of the primitive shapes, from their geom sizes.
#pragma once

#include "math/vec3.h"

// Adds R diag R' of a part with this mass, whose centre is moved by `d`, to the inertia `sum`.
void cti_inertia_add(ctReal sum[9], const ctReal quat[4], const ctReal diag[3], ctReal mass,
                     const ctReal d[3]);
