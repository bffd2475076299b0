// Shapes as signed distance fields: negative inside, zero on the surface. Step code.
//
// Round shapes are exact. The fields of ellipsoids and of the inside of boxes are smooth approximations that
// descend well; a geom of type sdf is interpolated in the octree of its mesh.
#pragma once

#include "collide/shape.h"

// The same for the octree of a mesh.
CT_FN ctReal cti_field_octree(const ctModel* m, int mesh, const ctReal x[3], ctReal* gradient);
