#include "query/distance.h"

#include "collide/ccd.h"
#include "collide/colliders.h"
#include "data/arena.h"

// Pairs whose collider is a convex search; boxes too, because their collider measures along its own axes.
static CT_FN bool distance_by_search(int type1, int type2) {
  return cti_collider(type1, type2) == cti_convex_pair || (type1 == CT_GEOM_BOX && type2 == CT_GEOM_BOX);
}

static CT_FN bool distance_search(ctiPoint* best, const ctiShape* a, const ctiShape* b, ctReal distmax,
                                  ctData* d) {
  ctiConvex p, q;
  ctiCcd r;
  cti_convex_init(&p, a, a->pos);
  cti_convex_init(&q, b, a->pos);
  if (!cti_ccd_distance(&r, &p, &q, distmax, a->m->opt.ccd_tolerance, a->m->opt.ccd_iterations, d))
    return false;
  best->dist = r.dist;
  cti_copy3(best->normal, r.normal);
  for (int i = 0; i < 3; i++) best->pos[i] = a->pos[i] + CT_R(0.5) * (r.a[i] + r.b[i]);
  return true;
}

static CT_FN bool distance_collide(ctiPoint* best, const ctiShape* a, const ctiShape* b, ctReal distmax,
                                   ctData* d) {
  ctiCollider collider = cti_collider(a->type, b->type);
  if (!collider) return false;
  size_t mark = cti_scratch_mark(d);
  ctiPoint* point = CTI_SCRATCH(d, ctiPoint, CTI_MAX_POINTS, "distance.points");
  int n = point ? collider(point, a, b, distmax, d) : 0;
  for (int i = 0; i < n; i++) {
    if (i == 0 || point[i].dist < best->dist) *best = point[i];
  }
  cti_scratch_release(d, mark);
  return n > 0;
}

CT_FN ctReal cti_geom_distance(const ctModel* m, ctData* d, int geom1, int geom2, ctReal distmax,
                               ctReal* fromto) {
  bool swap = m->geom_type[geom1] > m->geom_type[geom2];
  ctiShape a = cti_geom_shape(m, d, swap ? geom2 : geom1), b = cti_geom_shape(m, d, swap ? geom1 : geom2);
  ctiPoint best = {0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  bool found = distance_by_search(a.type, b.type) ? distance_search(&best, &a, &b, distmax, d)
                                                  : distance_collide(&best, &a, &b, distmax, d);
  if (!found || best.dist > distmax) {
    if (fromto) {
      for (int i = 0; i < 6; i++) fromto[i] = 0;
    }
    return distmax;
  }
  if (fromto) {
    ctReal half = CT_R(0.5) * best.dist;
    cti_along3(fromto + (swap ? 3 : 0), best.pos, best.normal, -half);
    cti_along3(fromto + (swap ? 0 : 3), best.pos, best.normal, half);
  }
  return best.dist;
}
