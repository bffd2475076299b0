/// @file
/// Questions about shapes in space: distances and rays. They need positions: call ct_forward first.
#pragma once

#include "corten/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Smallest signed distance between two geoms, negative when they overlap.
///
/// @param distmax  distances above it are not searched for, and reported as it
/// @param fromto   receives the nearest points on geom1 and geom2 (6 reals), zeros when there are none. May
///                 be NULL
/// @return the distance, or `distmax`; `distmax` also for bad arguments, and without memory for meshes, which
///         counts CT_WARN_CONTACTFULL. `d` is used as scratch.
CT_API ctReal ct_geom_distance(const ctModel* m, ctData* d, int geom1, int geom2, ctReal distmax,
                               ctReal* fromto);

/// What rays see. Zero-initialised, or NULL: everything.
typedef struct ctRayFilter {
  const ctByte* geomgroup;  ///< 6 flags: geoms of a group are seen; NULL: all groups
  bool skip_static;         ///< do not see geoms of bodies that never move
  bool skip_body;           ///< do not see the geoms of `body`
  int body;                 ///< looked at only with `skip_body`
} ctRayFilter;

/// Nearest geom along a ray from `point` in direction `dir`. Transparent geoms (alpha 0) are not seen.
///
/// @param filter  NULL sees everything
/// @param geom    receives the geom, -1 for none; may be NULL
/// @param normal  receives the surface normal at the hit (3 reals), zeros for none; may be NULL
/// @return distance in lengths of `dir`, -1 when nothing is hit or an argument is bad
/// @note Thread-safe while `d` is not written.
CT_API ctReal ct_ray_cast(const ctModel* m, const ctData* d, const ctReal* point, const ctReal* dir,
                          const ctRayFilter* filter, int* geom, ctReal* normal);

/// Many rays at once: the results of ct_ray_cast, bit for bit.
///
/// @param point   one origin (3 reals) when `shared` is true, else one for each ray (3 * nray reals)
/// @param dir     directions (3 * nray reals)
/// @param dist    receives the distances (nray reals)
/// @param geom    receives the geoms (nray ints); may be NULL
/// @param normal  receives the normals (3 * nray reals); may be NULL
/// @return CT_OK, CT_ERR_ARGUMENT, or CT_ERR_MEMORY: then nothing is written. `d` is used as scratch.
CT_API ctStatus ct_ray_cast_many(const ctModel* m, ctData* d, const ctReal* point, bool shared,
                                 const ctReal* dir, int nray, const ctRayFilter* filter, ctReal* dist,
                                 int* geom, ctReal* normal);

/// One geom and a ray: distance and normal as ct_ray_cast() gives them, -1 for no hit or a bad argument.
/// Transparent geoms are seen. @note Thread-safe while `d` is not written.
CT_API ctReal ct_ray_geom(const ctModel* m, const ctData* d, int geom, const ctReal* point, const ctReal* dir,
                          ctReal* normal);

/// A shape by itself and a ray: a plane, sphere, capsule, ellipsoid, cylinder or box of this size, with its
/// centre at `pos` and its axes the columns of `mat` (9 reals, row by row). Thread-safe.
/// @return the distance as above, -1 for no hit, a bad argument or another type
CT_API ctReal ct_ray_shape(ctGeomType type, const ctReal* pos, const ctReal* mat, const ctReal* size,
                           const ctReal* point, const ctReal* dir, ctReal* normal);

/// What of a deformable a ray meets. Zero-initialised: nothing.
typedef struct ctFlexLook {
  bool vertices;  ///< balls of its radius around its vertices; where edges are met they enclose these
  bool edges;     ///< capsules of its radius around its edges
  bool faces;     ///< its triangles, or those of the tetrahedra of `layer`
  bool skin;      ///< what is drawn as its surface: edges, and triangles of the outermost layer; not of lines
  int layer;      ///< of tetrahedra, counted from the surface
} ctFlexLook;

/// One deformable and a ray.
///
/// @param look    what of it is met; NULL: vertices, edges and skin
/// @param vertex  receives the vertex nearest to the hit, counted in the deformable, -1 for none; may be NULL
/// @param normal  receives the surface normal at the hit (3 reals), zeros for none; may be NULL
/// @return distance in lengths of `dir`, -1 when nothing is hit or an argument is bad
/// @note Thread-safe while `d` is not written.
CT_API ctReal ct_ray_flex(const ctModel* m, const ctData* d, int flex, const ctFlexLook* look,
                          const ctReal* point, const ctReal* dir, int* vertex, ctReal* normal);

/// A surface of triangles, as that of a skin, and a ray. Thread-safe.
///
/// @param face    vertices of the faces (3 * nface ints); one that leads to no vertex is a bad argument
/// @param vert    vertices (3 * nvert floats)
/// @param vertex  receives the vertex nearest to the hit, -1 for none; may be NULL
/// @return the distance as above
CT_API ctReal ct_ray_skin(int nface, int nvert, const int* face, const float* vert, const ctReal* point,
                          const ctReal* dir, int* vertex);

#ifdef __cplusplus
}
#endif
