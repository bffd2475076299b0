// The table of colliders.
#include "collide/colliders.h"

#define NONE ((ctiCollider)0)

// rows: type of the first geom, columns: of the second; only first <= second is filled
CT_CONST ctiCollider narrow_table[CT_GEOM_COUNT][CT_GEOM_COUNT] = {
    // plane
    {NONE, NONE, cti_plane_sphere, cti_plane_capsule, cti_plane_ellipsoid, cti_plane_cylinder, cti_plane_box,
     cti_plane_mesh, cti_plane_mesh},
    // height field; with distance fields it has no contacts, as in MuJoCo
    {NONE, NONE, cti_hfield_convex, cti_hfield_convex, cti_hfield_convex, cti_hfield_convex,
     cti_hfield_convex, cti_hfield_convex, NONE},
    // sphere
    {NONE, NONE, cti_sphere_sphere, cti_sphere_capsule, cti_convex_pair, cti_sphere_cylinder, cti_sphere_box,
     cti_convex_pair, cti_sdf_pair},
    // capsule
    {NONE, NONE, NONE, cti_capsule_capsule, cti_convex_pair, cti_convex_pair, cti_capsule_box,
     cti_convex_pair, cti_sdf_pair},
    // ellipsoid
    {NONE, NONE, NONE, NONE, cti_convex_pair, cti_convex_pair, cti_convex_pair, cti_convex_pair,
     cti_sdf_pair},
    // cylinder
    {NONE, NONE, NONE, NONE, NONE, cti_convex_pair, cti_convex_pair, cti_convex_pair, cti_sdf_pair},
    // box
    {NONE, NONE, NONE, NONE, NONE, NONE, cti_box_box, cti_convex_pair, cti_sdf_pair},
    // mesh
    {NONE, NONE, NONE, NONE, NONE, NONE, NONE, cti_convex_pair, cti_sdf_mesh},
    // signed distance field
    {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, cti_sdf_pair},
};

CT_FN ctiCollider cti_collider(int type1, int type2) {
  return type1 <= type2 ? narrow_table[type1][type2] : narrow_table[type2][type1];
}
