#include "query/ray.h"
#include "data/data.h"

#include "data/arena.h"
#include "data/scenery.h"
#include "math/vec3.h"

// So few rays are cast without a tree.
#define RAY_FEW 4

// Transparent geoms are not seen: their own colour decides, or that of their material.
static CT_FN bool ray_sees(const ctModel* m, const ctiRayFilter* filter, int geom) {
  int body = m->geom_bodyid[geom], material = m->geom_matid[geom];
  if (body == filter->exclude) return false;
  if (!filter->statics && m->body_weldid[body] == 0) return false;
  if (m->geom_rgba[4 * geom + 3] == 0 && material < 0) return false;
  if (material >= 0 && m->mat_rgba[4 * material + 3] == 0) return false;
  if (filter->group) {
    int group = m->geom_group[geom];
    if (group < 0) group = 0;
    if (group > 5) group = 5;
    if (!filter->group[group]) return false;
  }
  return true;
}

// Whether a ray meets the bounding sphere of a geom; `dir2` is the square of `dir`. True for planes.
static CT_FN bool ray_meets_sphere(const ctModel* m, const ctData* d, int geom, const ctReal point[3],
                                   const ctReal dir[3], ctReal dir2) {
  ctReal radius = m->geom_rbound[geom];
  if (!(radius > 0)) return true;
  ctReal rel[3];
  cti_sub3(rel, d->geom_xpos + 3 * geom, point);
  ctReal along = cti_dot3(rel, dir), dist2 = cti_dot3(rel, rel), r2 = radius * radius;
  // a little tolerance: rounding must never hide a hit
  if (dist2 <= r2 * (1 + CT_R(1e-6))) return true;
  return along > 0 && dist2 * dir2 - along * along <= r2 * dir2 * (1 + CT_R(1e-6));
}

// ---- trees of boxes ----

// A ray and what is known of its nearest hit.
typedef struct RayCast {
  const ctReal *point, *dir;
  ctReal inverse[3], dir2;
  ctReal best;
  int geom;
  ctReal normal[3];
} RayCast;

// Where a ray enters a box, -1 when it misses it or only beyond the best hit.
static CT_FN ctReal ray_enter(const RayCast* r, const float lo[3], const float hi[3]) {
  ctReal from = 0, to = r->geom < 0 ? CTI_RAY_FAR : r->best;
  for (int i = 0; i < 3; i++) {
    ctReal x = (lo[i] - r->point[i]) * r->inverse[i], y = (hi[i] - r->point[i]) * r->inverse[i];
    ctReal near = x < y ? x : y, far = x < y ? y : x;
    from = near > from ? near : from;
    to = far < to ? far : to;
  }
  return from <= to ? from : CT_R(-1);
}

// Of two equally near geoms the one with the smaller number counts, in whatever order they come.
static CT_FN void ray_try(RayCast* r, const ctModel* m, const ctData* d, const ctiRayFilter* filter,
                          int geom) {
  ctReal normal[3];
  if (!ray_sees(m, filter, geom) || !ray_meets_sphere(m, d, geom, r->point, r->dir, r->dir2)) return;
  ctReal x = cti_ray_geom(m, d, geom, r->point, r->dir, r->best, normal);
  if (x < 0 || (r->best >= 0 && (x > r->best || (x == r->best && geom > r->geom)))) return;
  r->best = x;
  r->geom = geom;
  cti_copy3(r->normal, normal);
}

static CT_FN void ray_walk(RayCast* r, const ctiBoxTree* t, const ctModel* m, const ctData* d,
                           const ctiRayFilter* filter) {
  for (int i = t->n; i < t->n + t->nfar; i++) ray_try(r, m, d, filter, t->member[i]);
  if (t->n == 0) return;
  int stack[CTI_BOX_STACK], top = 0;
  ctReal enter[CTI_BOX_STACK];
  enter[0] = ray_enter(r, t->node[0].lo, t->node[0].hi);
  if (enter[0] < 0) return;
  stack[top++] = 0;
  while (top > 0) {
    const ctiBoxNode* node = t->node + stack[--top];
    if (r->best >= 0 && enter[top] > r->best) continue;
    if (node->child < 0) {
      for (int i = node->first; i < node->first + node->count; i++) {
        const float* box = t->box + 6 * i;
        if (ray_enter(r, box, box + 3) >= 0) ray_try(r, m, d, filter, t->member[i]);
      }
      continue;
    }
    // the nearer child on top
    const ctiBoxNode *a = t->node + node->child, *b = a + 1;
    ctReal x = ray_enter(r, a->lo, a->hi), y = ray_enter(r, b->lo, b->hi);
    int order[2] = {node->child, node->child + 1};
    ctReal at[2] = {x, y};
    int first = x >= 0 && (y < 0 || x <= y) ? 1 : 0;  // pushed last
    for (int i = 0; i < 2; i++) {
      int k = i == 0 ? first : 1 - first;
      if (at[k] < 0) continue;
      stack[top] = order[k];
      enter[top++] = at[k];
    }
  }
}

static CT_FN RayCast ray_begin(const ctReal point[3], const ctReal dir[3]) {
  RayCast r;
  r.point = point;
  r.dir = dir;
  r.dir2 = cti_dot3(dir, dir);
  r.best = -1;
  r.geom = -1;
  cti_zero3(r.normal);
  cti_ray_inverse(r.inverse, dir);
  return r;
}

static CT_FN ctReal ray_end(const RayCast* r, int* geom, ctReal* normal) {
  if (geom) *geom = r->geom;
  if (normal) cti_copy3(normal, r->normal);
  return r->best;
}

// ---- one ray ----

CT_FN ctReal cti_ray(const ctModel* m, const ctData* d, const ctReal point[3], const ctReal dir[3],
                     const ctiRayFilter* filter, int* geom, ctReal* normal) {
  ctReal best = -1, at[3], dir2 = cti_dot3(dir, dir);
  if (geom) *geom = -1;
  if (normal) cti_zero3(normal);
  if (dir2 < CTI_MINVAL * CTI_MINVAL) return -1;
  if (cti_scenery_on(d)) {
    RayCast r = ray_begin(point, dir);
    CTI_EACH(i, cti_moving_geoms(d)) ray_try(&r, m, d, filter, i);
    if (filter->statics) ray_walk(&r, &cti_scenery(d)->box_tree, m, d, filter);
    return ray_end(&r, geom, normal);
  }
  for (int i = 0; i < m->ngeom; i++) {
    if (!ray_sees(m, filter, i) || !ray_meets_sphere(m, d, i, point, dir, dir2)) continue;
    ctReal x = cti_ray_geom(m, d, i, point, dir, best, at);
    if (x < 0 || (best >= 0 && x >= best)) continue;
    best = x;
    if (geom) *geom = i;
    if (normal) cti_copy3(normal, at);
  }
  return best;
}

// ---- host code: the rest ----
#ifndef __cplusplus
#include "corten/collide.h"
#include "query/distance.h"

// ---- many rays: a tree of what moves, or of all ----

// Build in scratch of `d`, which the caller marks and releases; false without room.
static bool ray_tree_build(ctiBoxTree* t, const ctModel* m, ctData* d, const ctiRayFilter* filter,
                           ctiSpans geoms) {
  t->n = t->nfar = t->room = 0;
  CTI_EACH_SPAN(s, geoms) t->room += s->end - s->begin;
  t->member = CTI_SCRATCH(d, int, t->room, "ray.geoms");
  t->box = CTI_SCRATCH(d, float, 6 * (int64_t)t->room, "ray.boxes");
  t->node = CTI_SCRATCH(d, ctiBoxNode, t->room, "ray.nodes");
  if (!t->member || !t->box || !t->node) return false;
  CTI_EACH(i, geoms) {
    if (ray_sees(m, filter, i)) cti_box_tree_add(t, m, d, i);
  }
  cti_box_tree_make(t);
  return true;
}

// Many rays: direction i is dir + 3 * i, its origin point + stride * i (stride 0: one origin for all). Each
// result is that of cti_ray, bit for bit. `geom` and `normal` may be NULL. Scratch comes from `d`, or from
// the heap: false without memory, then nothing is written.
static bool multi_ray(const ctModel* m, ctData* d, const ctReal* point, int stride, const ctReal* dir,
                      int nray, const ctiRayFilter* filter, ctReal* dist, int* geom, ctReal* normal) {
  ctiLoan loan = cti_loan_begin(d);
  size_t mark = cti_scratch_mark(d);
  ctiBoxTree tree;
  ctiSpan all = {0, m->ngeom};
  ctiSpans geoms = {&all, 1};
  bool few = nray <= RAY_FEW, built = false, scenery = !few && cti_scenery_make(m, d);
  if (scenery) geoms = (ctiSpans){cti_scenery(d)->geom_span, cti_scenery(d)->ngeom_span};
  if (!few) {
    do built = ray_tree_build(&tree, m, d, filter, geoms);
    while (!built && cti_loan_more(&loan, d));
  }
  for (int i = 0; i < nray && (few || built); i++) {
    const ctReal *from = point + stride * i, *along = dir + 3 * i;
    int* g = geom ? geom + i : (int*)0;
    ctReal* n = normal ? normal + 3 * i : (ctReal*)0;
    if (few) {
      dist[i] = cti_ray(m, d, from, along, filter, g, n);
      continue;
    }
    RayCast r = ray_begin(from, along);
    if (r.dir2 >= CTI_MINVAL * CTI_MINVAL) {
      ray_walk(&r, &tree, m, d, filter);
      if (scenery && filter->statics) ray_walk(&r, &cti_scenery(d)->box_tree, m, d, filter);
    }
    dist[i] = ray_end(&r, g, n);
  }
  cti_scratch_release(d, mark);
  return !cti_loan_end(&loan, d);
}

// ---- the public calls of corten/collide.h ----

static ctiRayFilter inner_filter(const ctRayFilter* filter) {
  ctiRayFilter f = {NULL, true, -1};
  if (filter) {
    f.group = filter->geomgroup;
    f.statics = !filter->skip_static;
    if (filter->skip_body) f.exclude = filter->body;
  }
  return f;
}

ctReal ct_geom_distance(const ctModel* m, ctData* d, int geom1, int geom2, ctReal distmax, ctReal* fromto) {
  if (!cti_data_fits(m, d) || geom1 < 0 || geom1 >= m->ngeom || geom2 < 0 || geom2 >= m->ngeom)
    return distmax;
  ctReal dist;
  ctiLoan loan = cti_loan_begin(d);
  do dist = cti_geom_distance(m, d, geom1, geom2, distmax, fromto);
  while (cti_loan_more(&loan, d));
  if (cti_loan_end(&loan, d)) cti_warn(d, CT_WARN_CONTACTFULL, geom1);
  return dist;
}

ctReal ct_ray_cast(const ctModel* m, const ctData* d, const ctReal* point, const ctReal* dir,
                   const ctRayFilter* filter, int* geom, ctReal* normal) {
  if (!cti_data_fits(m, d) || !point || !dir) return -1;
  ctiRayFilter f = inner_filter(filter);
  return cti_ray(m, d, point, dir, &f, geom, normal);
}

ctStatus ct_ray_cast_many(const ctModel* m, ctData* d, const ctReal* point, bool shared, const ctReal* dir,
                          int nray, const ctRayFilter* filter, ctReal* dist, int* geom, ctReal* normal) {
  if (!cti_data_fits(m, d) || !point || !dir || !dist || nray < 0) return CT_ERR_ARGUMENT;
  ctiRayFilter f = inner_filter(filter);
  bool done = multi_ray(m, d, point, shared ? 0 : 3, dir, nray, &f, dist, geom, normal);
  return done ? CT_OK : CT_ERR_MEMORY;
}

static ctReal no_hit(ctReal* normal) {
  if (normal) cti_zero3(normal);
  return -1;
}

ctReal ct_ray_geom(const ctModel* m, const ctData* d, int geom, const ctReal* point, const ctReal* dir,
                   ctReal* normal) {
  if (!cti_data_fits(m, d) || geom < 0 || geom >= m->ngeom || !point || !dir) return no_hit(normal);
  ctReal dist = cti_ray_geom(m, d, geom, point, dir, -1, normal);
  return dist < 0 ? no_hit(normal) : dist;
}

ctReal ct_ray_shape(ctGeomType type, const ctReal* pos, const ctReal* mat, const ctReal* size,
                    const ctReal* point, const ctReal* dir, ctReal* normal) {
  bool known = type == CT_GEOM_PLANE || (type >= CT_GEOM_SPHERE && type <= CT_GEOM_BOX);
  if (!known || !pos || !mat || !size || !point || !dir) return no_hit(normal);
  ctReal dist = cti_ray_primitive(type, pos, mat, size, point, dir, normal);
  return dist < 0 ? no_hit(normal) : dist;
}

#endif
