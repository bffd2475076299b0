// Shapes as signed distance fields: negative inside, zero on the surface. Step code.
//
// Points are in the frame of the shape; `gradient` (NULL when not wanted) receives the unit direction in
// which the distance grows. Round shapes are exact. For contacts, ellipsoids and the inside of boxes have
// smooth approximations that descend well; a geom of type sdf is interpolated in the octree of its mesh.
#pragma once

#include "collide/shape.h"
#include "model/plugin.h"

CT_FN ctReal cti_sdf_ball(const ctReal x[3], ctReal radius, ctReal* gradient);
CT_FN ctReal cti_sdf_capsule(const ctReal size[3], const ctReal x[3], ctReal* gradient);
CT_FN ctReal cti_sdf_cylinder(const ctReal size[3], const ctReal x[3], ctReal* gradient);

// In the octree of a mesh.
CT_FN ctReal cti_sdf_octree(const ctModel* m, int mesh, const ctReal x[3], ctReal* gradient);

// A geom of type sdf and a triangle, without a radius around it: its deepest point, when it is inside.
CT_FN int cti_sdf_triangle(ctiPoint* out, const ctiShape* field, const ctReal* const* corner);
