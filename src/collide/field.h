// Shapes as signed distance fields: negative inside, zero on the surface. Step code.
//
// Round shapes are exact. The fields of ellipsoids and of the inside of boxes are smooth approximations that
// descend well; a geom of type sdf is interpolated in the octree of its mesh.
#pragma once

#include "collide/shape.h"

// Value at a point in the frame of the shape; `gradient` (NULL when not wanted) receives the direction in
// which it grows. Shapes: sphere, capsule, ellipsoid, cylinder, box, sdf.
CT_FN ctReal cti_field(const ctiShape* s, const ctReal x[3], ctReal* gradient);

// The same for the octree of a mesh.
CT_FN ctReal cti_field_octree(const ctModel* m, int mesh, const ctReal x[3], ctReal* gradient);
