// The colliders, one for each pair of geom types (the smaller type first), and the table of them. Step code.
#pragma once

#include "collide/shape.h"

// plane and a shape: plane.c, plane_mesh.c
CT_FN int cti_plane_sphere(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d);
CT_FN int cti_plane_capsule(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d);
CT_FN int cti_plane_ellipsoid(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d);
CT_FN int cti_plane_cylinder(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d);
CT_FN int cti_plane_box(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d);
CT_FN int cti_plane_mesh(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d);
// sphere and a shape: sphere.c
CT_FN int cti_sphere_sphere(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d);
CT_FN int cti_sphere_capsule(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d);
CT_FN int cti_sphere_cylinder(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d);
CT_FN int cti_sphere_box(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d);
// capsule.c, capsule_box.c, box_box.c
CT_FN int cti_capsule_capsule(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d);
CT_FN int cti_capsule_box(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d);
CT_FN int cti_box_box(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d);

// pairs without a formula, by GJK and EPA: convex.c
CT_FN int cti_convex_pair(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d);

// height field and any convex shape: hfield.c
CT_FN int cti_hfield_convex(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d);

// signed distance field and another shape: sdf.c, sdf_mesh.c
CT_FN int cti_sdf_pair(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d);
CT_FN int cti_sdf_mesh(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d);

// The one point of two spheres, parts of shapes with the given orientations; 0 when they are farther apart
// than `margin`.
CT_FN int cti_two_spheres(ctiPoint* out, const ctReal center1[3], ctReal radius1, const ctReal center2[3],
                          ctReal radius2, ctReal margin, const ctReal mat1[9], const ctReal mat2[9]);

// The collider of two geom types, NULL when there is none. The types may come in any order; the collider
// wants the smaller first.
CT_FN ctiCollider cti_collider(int type1, int type2);
