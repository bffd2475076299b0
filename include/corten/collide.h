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
/// @return the distance, or `distmax`; `distmax` also for bad arguments. `d` is used as scratch.
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
/// @return CT_OK or CT_ERR_ARGUMENT. `d` is used as scratch.
CT_API ctStatus ct_ray_cast_many(const ctModel* m, ctData* d, const ctReal* point, bool shared,
                                 const ctReal* dir, int nray, const ctRayFilter* filter, ctReal* dist,
                                 int* geom, ctReal* normal);

#ifdef __cplusplus
}
#endif
