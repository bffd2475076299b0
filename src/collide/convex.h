// Convex shapes seen through their support function. Step code.
//
// Spheres and capsules are a core (a point, a segment) with a radius around it: searching on cores is exact
// and quick, and the radius is added to the result. Only when cores touch is the whole shape searched.
#pragma once

#include "collide/shape.h"

typedef struct ctiConvex {
  int type;                                    // ctGeomType; CT_GEOM_NONE for a prism of a height field
  ctReal pos[3];                               // centre, relative to an origin near both shapes
  const ctReal *mat, *size;                    // as in ctiShape
  ctReal radius;                               // around the core, added to results
  ctReal skin;                                 // around the core, part of the support function
  bool polytope;                               // corners only: searches end exactly
  const float* vert;                           // mesh: all vertices
  int nvert;                                   // mesh: how many
  const int *graph_adr, *graph_id, *graph_to;  // mesh: hull graph; NULL when all vertices are searched
  const int* extrema;                          // mesh: hull vertex for each of 27 directions
  ctReal prism[6][3];                          // height field: corners, three below, three above
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

// Farthest point in direction `dir` (unit, or nearly). Returns the number of the corner or end, or -1 on a
// curved surface.
CT_FN int cti_support(ctReal out[3], const ctiConvex* c, const ctReal dir[3]);

// Farthest point of a - b in direction `dir`.
CT_FN void cti_support_pair(ctiCorner* out, const ctiConvex* a, const ctiConvex* b, const ctReal dir[3]);
