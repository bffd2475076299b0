// The colliders, one for each pair of geom types, and the list of them. Step code.
#pragma once

#include "collide/shape.h"

// X(first type, second type, function): the smaller type first. Pairs that are not here have no contacts, as
// in MuJoCo: planes and height fields among themselves, height fields with distance fields.
#define CTI_COLLIDER_LIST(X)           \
  X(PLANE, SPHERE, plane_sphere)       \
  X(PLANE, CAPSULE, plane_capsule)     \
  X(PLANE, ELLIPSOID, plane_ellipsoid) \
  X(PLANE, CYLINDER, plane_cylinder)   \
  X(PLANE, BOX, plane_box)             \
  X(PLANE, MESH, plane_mesh)           \
  X(PLANE, SDF, plane_mesh)            \
  X(HFIELD, SPHERE, hfield_convex)     \
  X(HFIELD, CAPSULE, hfield_convex)    \
  X(HFIELD, ELLIPSOID, hfield_convex)  \
  X(HFIELD, CYLINDER, hfield_convex)   \
  X(HFIELD, BOX, hfield_convex)        \
  X(HFIELD, MESH, hfield_convex)       \
  X(SPHERE, SPHERE, sphere_sphere)     \
  X(SPHERE, CAPSULE, sphere_capsule)   \
  X(SPHERE, ELLIPSOID, convex_pair)    \
  X(SPHERE, CYLINDER, sphere_cylinder) \
  X(SPHERE, BOX, sphere_box)           \
  X(SPHERE, MESH, convex_pair)         \
  X(SPHERE, SDF, sdf_pair)             \
  X(CAPSULE, CAPSULE, capsule_capsule) \
  X(CAPSULE, ELLIPSOID, convex_pair)   \
  X(CAPSULE, CYLINDER, convex_pair)    \
  X(CAPSULE, BOX, capsule_box)         \
  X(CAPSULE, MESH, convex_pair)        \
  X(CAPSULE, SDF, sdf_pair)            \
  X(ELLIPSOID, ELLIPSOID, convex_pair) \
  X(ELLIPSOID, CYLINDER, convex_pair)  \
  X(ELLIPSOID, BOX, convex_pair)       \
  X(ELLIPSOID, MESH, convex_pair)      \
  X(ELLIPSOID, SDF, sdf_pair)          \
  X(CYLINDER, CYLINDER, convex_pair)   \
  X(CYLINDER, BOX, convex_pair)        \
  X(CYLINDER, MESH, convex_pair)       \
  X(CYLINDER, SDF, sdf_pair)           \
  X(BOX, BOX, box_box)                 \
  X(BOX, MESH, convex_pair)            \
  X(BOX, SDF, sdf_pair)                \
  X(MESH, MESH, convex_pair)           \
  X(MESH, SDF, sdf_mesh)               \
  X(SDF, SDF, sdf_pair)

#define X(first, second, name) \
  CT_FN int cti_##name(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d);
CTI_COLLIDER_LIST(X)
#undef X
