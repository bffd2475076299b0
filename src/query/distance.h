// Signed distance between two geoms. Step code.
//   reads   d->geom_xpos, d->geom_xmat
//   before  kinematics
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// The smallest signed distance between two geoms that is at most `distmax`, else `distmax`. `fromto` (6
// reals, may be NULL) receives the nearest points on geom1 and on geom2, or zeros. Scratch comes from `d`.
CT_FN ctReal cti_geom_distance(const ctModel* m, ctData* d, int geom1, int geom2, ctReal distmax,
                               ctReal* fromto);

// ---- is a point, or a whole object, inside a site? ----
//   reads   d->site_xpos, site_xmat, geom_xpos, geom_xmat
//   before  kinematics

// Is a world point in the volume of a site?
CT_FN bool cti_inside_site(const ctModel* m, const ctData* d, int site, const ctReal point[3]);

// Does a ray from a point, which may be inside, meet the volume of a site?
CT_FN bool cti_site_meets_ray(const ctModel* m, const ctData* d, int site, const ctReal point[3],
                              const ctReal dir[3]);

// How far an object sticks out of a site: the largest signed distance of its points to the site's boundary,
// negative when all of it is inside. The object is a geom, a site, a body (all its geoms) or an xbody (all
// geoms of its subtree).
CT_FN ctReal cti_protrusion(const ctModel* m, const ctData* d, int site, int type, int id);

// ---- the convex hull of a mesh as a solid, in the frame of the mesh ----
//   reads   m->mesh_vert, mesh_poly*
