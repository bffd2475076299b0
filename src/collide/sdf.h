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

// ---- shapes of plugins

// Distance of a point from the shape of a plugin with these numbers; `p` is NULL for a built-in one.
CT_FN ctReal cti_sdf_shape(int kind, const ctPlugin* p, const ctReal* prm, const ctReal x[3]);
// The same of an instance; the gradient is not of unit length.
CT_FN ctReal cti_sdf_plugin(const ctModel* m, int instance, const ctReal x[3], ctReal* gradient);
// The box around the shape of a plugin: centre, half sizes. Host code.
void cti_sdf_bounds(int kind, const ctPlugin* p, const ctReal* prm, ctReal aabb[6]);

// A geom of type sdf: the shape of its plugin, or the octree of its mesh.
CT_INLINE ctReal cti_sdf_geom(const ctModel* m, int plugin, int mesh, const ctReal x[3], ctReal* gradient) {
  return plugin >= 0 ? cti_sdf_plugin(m, plugin, x, gradient) : cti_sdf_octree(m, mesh, x, gradient);
}
