// Volume, surface and moments of the primitive shapes, from their geom sizes.
#pragma once

#include "math/vec3.h"

// Volume, or surface when `shell`; 0 for shapes without one.
ctReal cti_shape_volume(int type, const ctReal size[3], bool shell);

// Principal moments along the shape's axes of a body with this mass, uniform over its volume or its surface.
void cti_shape_inertia(ctReal inertia[3], int type, const ctReal size[3], ctReal mass, bool shell);

// Adds R diag R' of a part with this mass, whose centre is moved by `d`, to the inertia `sum`.
void cti_inertia_add(ctReal sum[9], const ctReal quat[4], const ctReal diag[3], ctReal mass,
                     const ctReal d[3]);
