// Is a point, or a whole object, inside a site? Step code.
//   reads   d->site_xpos, site_xmat, geom_xpos, geom_xmat
//   before  kinematics
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Is a world point in the volume of a site?
CT_FN bool cti_inside_site(const ctModel* m, const ctData* d, int site, const ctReal point[3]);

// Does a ray from a point, which may be inside, meet the volume of a site?
CT_FN bool cti_site_meets_ray(const ctModel* m, const ctData* d, int site, const ctReal point[3],
                              const ctReal dir[3]);

// How far an object sticks out of a site: the largest signed distance of its points to the site's boundary,
// negative when all of it is inside. The object is a geom, a site, a body (all its geoms) or an xbody (all
// geoms of its subtree).
CT_FN ctReal cti_protrusion(const ctModel* m, const ctData* d, int site, int type, int id);
