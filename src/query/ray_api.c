// The public calls of corten/collide.h. Host code.
#include "corten/collide.h"

#include "query/distance.h"
#include "query/ray.h"

static ctiRayFilter inner_filter(const ctRayFilter* filter) {
  ctiRayFilter f = {NULL, true, -1};
  if (filter) {
    f.group = filter->geomgroup;
    f.statics = !filter->skip_static;
    f.exclude = filter->bodyexclude;
  }
  return f;
}

ctReal ct_geom_distance(const ctModel* m, ctData* d, int geom1, int geom2, ctReal distmax, ctReal* fromto) {
  if (!m || !d || geom1 < 0 || geom1 >= m->ngeom || geom2 < 0 || geom2 >= m->ngeom) return distmax;
  return cti_geom_distance(m, d, geom1, geom2, distmax, fromto);
}

ctReal ct_ray(const ctModel* m, const ctData* d, const ctReal* point, const ctReal* dir,
              const ctRayFilter* filter, int* geom, ctReal* normal) {
  if (!m || !d || !point || !dir) return -1;
  ctiRayFilter f = inner_filter(filter);
  return cti_ray(m, d, point, dir, &f, geom, normal);
}

ctStatus ct_multi_ray(const ctModel* m, ctData* d, const ctReal* point, ctBool shared, const ctReal* dir,
                      int nray, const ctRayFilter* filter, ctReal* dist, int* geom, ctReal* normal) {
  if (!m || !d || !point || !dir || !dist || nray < 0) return CT_ERR_ARGUMENT;
  ctiRayFilter f = inner_filter(filter);
  cti_multi_ray(m, d, point, shared ? 0 : 3, dir, nray, &f, dist, geom, normal);
  return CT_OK;
}
