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

// Many rays: direction i is dir + 3 * i, its origin point + stride * i (stride 0: one origin for all). Each
// result is that of cti_ray, bit for bit. `geom` and `normal` may be NULL. `d` lends scratch.
CT_FN void cti_multi_ray(const ctModel* m, ctData* d, const ctReal* point, int stride, const ctReal* dir,
                         int nray, const ctiRayFilter* filter, ctReal* dist, int* geom, ctReal* normal);

// Whether rays see a geom at all.
CT_FN bool cti_ray_sees(const ctModel* m, const ctiRayFilter* filter, int geom);

// Whether a ray meets the bounding sphere of a geom; `dir2` is the square of `dir`. True for planes.
CT_FN bool cti_ray_meets_sphere(const ctModel* m, const ctData* d, int geom, const ctReal point[3],
                                const ctReal dir[3], ctReal dir2);

// One geom of a model, whatever its type. Hits beyond `limit` (negative: none) may be left out.
CT_FN ctReal cti_ray_geom_within(const ctModel* m, const ctData* d, int geom, const ctReal point[3],
                                 const ctReal dir[3], ctReal limit, ctReal* normal);
CT_FN ctReal cti_ray_geom(const ctModel* m, const ctData* d, int geom, const ctReal point[3],
                          const ctReal dir[3], ctReal* normal);

// A shape without data: any type but mesh, height field and signed distance field.
CT_FN ctReal cti_ray_primitive(int type, const ctReal pos[3], const ctReal mat[9], const ctReal size[3],
                               const ctReal point[3], const ctReal dir[3], ctReal* normal);

// Mesh, height field and signed distance field; the ray in the frame of the geom, `normal` too.
// Of a mesh only hits up to `limit` (negative: any) count.
CT_FN ctReal cti_ray_mesh(const ctModel* m, int mesh, const ctReal point[3], const ctReal dir[3],
                          ctReal limit, ctReal normal[3]);
CT_FN ctReal cti_ray_sdf(const ctModel* m, int mesh, const ctReal point[3], const ctReal dir[3],
                         ctReal normal[3]);
CT_FN ctReal cti_ray_hfield(const ctModel* m, int hfield, const ctReal point[3], const ctReal dir[3],
                            ctReal normal[3]);

// One triangle.
CT_FN ctReal cti_ray_triangle(const ctReal v0[3], const ctReal v1[3], const ctReal v2[3],
                              const ctReal point[3], const ctReal dir[3], ctReal normal[3]);

// Farther than anything; also 1 / 0 for directions.
#define CTI_RAY_FAR CT_R(1e18)
CT_FN void cti_ray_inverse(ctReal inverse[3], const ctReal dir[3]);

// A ray meets a box (centre, half sizes) before `limit` (negative: no limit).
CT_FN bool cti_ray_meets_box(const ctReal aabb[6], const ctReal point[3], const ctReal dir[3], ctReal limit);
