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

// ---- cti_hfield_convex() in pieces, for lanes that share its prisms ----

// The cells of a field below a shape, and its lowest point, in the frame of the field.
typedef struct ctiPatch {
  int row0, row1, col0, col1;  // first and last cell
  ctReal low;
} ctiPatch;

// False when the shape is beside or above the field.
CT_FN bool cti_hfield_patch(ctiPatch* out, const ctiShape* field, const ctiShape* shape, ctReal margin);

// Does the prism below a half of a cell reach as high as the shape?
CT_FN bool cti_hfield_reaches(const ctiShape* field, const ctiPatch* patch, int row, int col, int half);

// The point of that prism and the shape; 0 or 1.
CT_KERNEL_NOINLINE int cti_hfield_cell(ctiPoint* out, const ctiShape* field, const ctiShape* shape,
                                       ctReal margin, int row, int col, int half, ctData* d);

// ---- which features meet: for the derivatives of contacts ----

// The axis along which two boxes overlap least: in the first one's frame, pointing from it to the second.
typedef struct ctiBoxAxis {
  ctReal sep;  // signed distance along it
  ctReal normal[3];
  int kind;  // 0..2 face of the first, 3..5 face of the second, 6.. edges 3 * i + k
} ctiBoxAxis;

// False when they are farther apart than `limit`.
CT_FN bool cti_box_axis(ctiBoxAxis* best, const ctiShape* a, const ctiShape* b, ctReal limit);

// Where along the axis of a capsule the spheres are that touch a box, and why. In the frame of the box.
typedef struct ctiCapsuleBox {
  ctReal center[3], half[3];  // the axis: center + t * half, t in [-1, 1]
  ctReal t[2];
  int n;          // how many spheres
  ctReal at[3];   // the point of the box that is nearest to the first
  int beyond[3];  // -1, 0, 1 for each axis: that point lies on this side of the box, or 0
  int wall;       // the axis of the box at whose side the second one stops; -1: at the end of the capsule
} ctiCapsuleBox;
CT_FN void cti_capsule_box_spheres(ctiCapsuleBox* out, const ctiShape* a, const ctiShape* b);
