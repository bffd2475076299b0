// Rays. Step code.
//   reads   d->geom_xpos, d->geom_xmat
//   before  kinematics
//
// A ray is a point and a direction; distances count in lengths of the direction, so that the hit is at
// point + distance * direction. -1 means no hit.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Which geoms a ray sees.
typedef struct ctiRayFilter {
  const ctByte* group;  // 6 flags, one for each geom group; NULL: all groups
  bool statics;         // also geoms that never move
  int exclude;          // a body whose geoms are passed through, -1 for none
} ctiRayFilter;

// The nearest geom: distance, and into `geom` its id (-1 for none) and `normal` the surface normal at the hit
// (zero for none). Both may be NULL.
CT_FN ctReal cti_ray(const ctModel* m, const ctData* d, const ctReal point[3], const ctReal dir[3],
                     const ctiRayFilter* filter, int* geom, ctReal* normal);

// One geom of a model, whatever its type: distance and normal as above. Hits beyond `limit` (negative: none)
// may be left out.
CT_FN ctReal cti_ray_geom(const ctModel* m, const ctData* d, int geom, const ctReal point[3],
                          const ctReal dir[3], ctReal limit, ctReal* normal);

// A shape without data: any type but mesh, height field and signed distance field.
CT_FN ctReal cti_ray_primitive(int type, const ctReal pos[3], const ctReal mat[9], const ctReal size[3],
                               const ctReal point[3], const ctReal dir[3], ctReal* normal);

// A triangle, from both sides; the normal is that of its winding.
CT_FN ctReal cti_ray_triangle(const ctReal v0[3], const ctReal v1[3], const ctReal v2[3],
                              const ctReal point[3], const ctReal dir[3], ctReal normal[3]);

// Farther than anything; also 1 / 0 for directions.
#define CTI_RAY_FAR CT_R(1e18)
CT_FN void cti_ray_inverse(ctReal inverse[3], const ctReal dir[3]);
