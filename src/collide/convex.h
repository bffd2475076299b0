// Convex shapes seen through their support function. Step code.
//
// Spheres and capsules are a core (a point, a segment) with a radius around it: searching on cores is exact
// and quick, and the radius is added to the result. Only when cores touch is the whole shape searched.
#pragma once

#include "collide/shape.h"

// Kinds of shapes beside those of geoms: a prism of a height field, an element of a deformable, the core of a
// sphere.
enum { CTI_CONVEX_PRISM = CT_GEOM_NONE, CTI_CONVEX_ELEMENT, CTI_CONVEX_POINT };

typedef struct ctiConvex {
  int type;                                    // ctGeomType or one of the above
  ctReal pos[3];                               // centre, relative to an origin near both shapes
  const ctReal *mat, *size;                    // as in ctiShape
  ctReal radius;                               // around the core, added to results
  ctReal skin;                                 // around the core, part of the support function
  bool polytope;                               // corners only: searches end exactly
  const float* vert;                           // mesh: all vertices
  int nvert;                                   // mesh, element: how many
  const int *graph_adr, *graph_id, *graph_to;  // mesh: hull graph; NULL when all vertices are searched
  const int* extrema;                          // mesh: hull vertex for each of 27 directions
  ctReal prism[6][3];                          // prism: corners, three below, three above; element: corners
} ctiConvex;

// A corner of the difference of two shapes: w = a - b.
typedef struct ctiCorner {
  ctReal w[3], a[3], b[3];
  int ia, ib;  // which corner of each core, or which end of a cylinder; -1 where it is curved
} ctiCorner;

// `shape` relative to `origin`.
CT_FN void cti_convex_init(ctiConvex* c, const ctiShape* shape, const ctReal origin[3]);

// Make the radius part of the shape.
CT_FN void cti_convex_fill(ctiConvex* c);

// Farthest point in direction `dir` (unit, or nearly); of points equally far the one on the positive side of
// each axis. Returns the number of the corner or end, or -1 on a curved surface.
CT_KERNEL_NOINLINE int cti_support(ctReal out[3], const ctiConvex* c, const ctReal dir[3]);

// Farthest point of a - b in direction `dir`.
CT_FN void cti_support_pair(ctiCorner* out, const ctiConvex* a, const ctiConvex* b, const ctReal dir[3]);

// ---- distance and penetration of two convex shapes: GJK while they are apart, EPA when they overlap ----

typedef struct ctiCcd {
  ctReal dist;        // between the surfaces, negative for penetration; beyond the cutoff only a lower bound
  ctReal normal[3];   // from a to b
  ctReal a[3], b[3];  // nearest points of the surfaces, or the deepest ones
  ctiCorner simplex[4];  // corners of the difference that made the result
  int n;                 // how many of them
} ctiCcd;

// Signed distance. False when the shapes are farther apart than `cutoff`. `tolerance` is for curved shapes,
// as ccd_tolerance. Scratch comes from `d`. The shapes are changed: cores that touch are filled.
CT_KERNEL_NOINLINE bool cti_ccd_distance(ctiCcd* out, ctiConvex* a, ctiConvex* b, ctReal cutoff,
                                         ctReal tolerance, int iterations, ctData* d);

// The same for contacts: shapes up to `margin` apart overlap, each within a layer of half the margin.
CT_KERNEL_NOINLINE bool cti_ccd(ctiCcd* out, ctiConvex* a, ctiConvex* b, ctReal margin, ctReal tolerance,
                                int iterations, ctData* d);

// The same where both shapes are cores with radii, of which at least one has corners only: also shapes that
// overlap are searched as cores, which is exact.
CT_FN bool cti_ccd_cores(ctiCcd* out, ctiConvex* a, ctiConvex* b, ctReal margin, ctReal tolerance,
                         int iterations, ctData* d);

// State of a search with GJK: a simplex, its point nearest to the origin, and that point's weights.
typedef struct ctiGjk {
  ctiCorner corner[4];
  ctReal weight[4];
  int n;
  ctReal v[3];     // nearest point
  bool overlap;    // the origin is inside, or on, the difference
  bool separated;  // farther than the cutoff
} ctiGjk;

// Penetration from the simplex that GJK ended with: outward normal and depth of the face of the difference
// that is nearest to the origin, and the three corners of that face. False without scratch.
CT_KERNEL_NOINLINE bool cti_epa(ctiCcd* out, const ctiGjk* start, const ctiConvex* a, const ctiConvex* b,
                                ctReal tolerance, int iterations, ctData* d);

// Bytes of scratch for that.
CT_FN size_t cti_epa_bytes(int iterations);

// ---- contact manifolds ----

// Choose corners c[0] < c[1] < c[2] < c[3] of a polygon with n > 4 corners that span a large area, the first
// of them its first: the last goes around one by one while that makes the area of the four larger; the two
// between follow.
CT_FN void cti_manifold_corners(int c[4], const ctReal (*at)[3], int n);

// Of a shape above a plane through the origin, up to 4 corners not higher than `reach`: of the line that lies
// along the plane, or of the face that looks most along `dir`, into the plane; 0 for round shapes. `witness`
// is the lowest point.
CT_FN int cti_facing_corners(ctReal (*out)[3], const ctiShape* s, const ctiConvex* c, const ctReal dir[3],
                             const ctReal witness[3], ctReal reach, ctData* d);
