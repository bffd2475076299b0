// The convex hull of a mesh as a solid, in the frame of the mesh. Step code.
//   reads   m->mesh_vert, mesh_poly*
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Signed distance of a point, negative inside, and its gradient.
CT_FN ctReal cti_hull_distance(const ctModel* m, int mesh, const ctReal point[3], ctReal grad[3]);

// Does the ray from a point along a direction meet the hull? From inside it does.
CT_FN bool cti_hull_meets_ray(const ctModel* m, int mesh, const ctReal point[3], const ctReal dir[3]);
