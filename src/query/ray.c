#include "query/ray.h"
#include "data/data.h"

#include "data/arena.h"
#include "math/vec3.h"

// Geoms in a leaf.
#define RAY_TREE_LEAF 2
// From this depth on nodes are split into halves, so that no tree is deeper than this and 31 more.
#define RAY_TREE_DEEP  32
#define RAY_TREE_STACK 80
// Boxes grow by this share of their size and place, so that rounding never hides a hit.
#define RAY_TREE_TOLERANCE CT_R(1e-6)

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

// ---- one ray ----

CT_FN ctReal cti_ray(const ctModel* m, const ctData* d, const ctReal point[3], const ctReal dir[3],
                     const ctiRayFilter* filter, int* geom, ctReal* normal) {
  ctReal best = -1, at[3], dir2 = cti_dot3(dir, dir);
  if (geom) *geom = -1;
  if (normal) cti_zero3(normal);
  if (dir2 < CTI_MINVAL * CTI_MINVAL) return -1;
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

// ---- a tree of boxes over all geoms, for many rays ----

// Box of a node. Inner nodes have two children side by side, leaves a run of geoms.
typedef struct RayNode {
  ctReal lo[3], hi[3];
  int child;         // first child, -1 for a leaf
  int first, count;  // geoms of a leaf
} RayNode;

typedef struct RayTree {
  int* geom;      // planes first, then the others in the order of the leaves
  int nplane, n;  // planes, all
  RayNode* node;  // the first is the root
  ctReal* box;    // 6 for each geom: lower and upper corner
} RayTree;

static void ray_tree_box(ctReal box[6], const ctModel* m, const ctData* d, int geom) {
  const ctReal *aabb = m->geom_aabb + 6 * geom, *mat = d->geom_xmat + 9 * geom,
               *pos = d->geom_xpos + 3 * geom;
  for (int i = 0; i < 3; i++) {
    const ctReal* row = mat + 3 * i;
    ctReal center = pos[i] + (row[0] * aabb[0] + row[1] * aabb[1] + row[2] * aabb[2]);
    ctReal half = cti_abs(row[0]) * aabb[3] + cti_abs(row[1]) * aabb[4] + cti_abs(row[2]) * aabb[5];
    half += RAY_TREE_TOLERANCE * (half + cti_abs(center)) + CTI_MINVAL;
    box[i] = center - half;
    box[3 + i] = center + half;
  }
}

static void ray_tree_swap(RayTree* t, int i, int k) {
  int geom = t->geom[i];
  t->geom[i] = t->geom[k];
  t->geom[k] = geom;
  for (int c = 0; c < 6; c++) {
    ctReal x = t->box[6 * i + c];
    t->box[6 * i + c] = t->box[6 * k + c];
    t->box[6 * k + c] = x;
  }
}

// Bounds of a run of geoms; returns the axis along which their centres spread most, and the middle there.
static int ray_tree_bound(RayNode* node, const RayTree* t, ctReal* middle) {
  ctReal lo[3], hi[3];
  for (int k = 0; k < node->count; k++) {
    const ctReal* box = t->box + 6 * (node->first + k);
    for (int i = 0; i < 3; i++) {
      ctReal center = box[i] + box[3 + i];
      if (k == 0 || box[i] < node->lo[i]) node->lo[i] = box[i];
      if (k == 0 || box[3 + i] > node->hi[i]) node->hi[i] = box[3 + i];
      if (k == 0 || center < lo[i]) lo[i] = center;
      if (k == 0 || center > hi[i]) hi[i] = center;
    }
  }
  int axis = 0;
  for (int i = 1; i < 3; i++) {
    if (hi[i] - lo[i] > hi[axis] - lo[axis]) axis = i;
  }
  *middle = CT_R(0.5) * (lo[axis] + hi[axis]);
  return axis;
}

// Move the geoms on the lower side of the middle to the front of a run; returns how many, or half of them
// when one side would be empty.
static int ray_tree_part(RayTree* t, const RayNode* node, int axis, ctReal middle, bool halves) {
  int lower = 0;
  for (int k = 0; !halves && k < node->count; k++) {
    const ctReal* box = t->box + 6 * (node->first + k);
    if (box[axis] + box[3 + axis] < middle) ray_tree_swap(t, node->first + lower++, node->first + k);
  }
  return lower > 0 && lower < node->count ? lower : node->count / 2;
}

static void ray_tree_split(RayTree* t) {
  int stack[RAY_TREE_STACK], depth[RAY_TREE_STACK], top = 0, nodes = 1;
  t->node[0].first = t->nplane;
  t->node[0].count = t->n - t->nplane;
  stack[top] = 0;
  depth[top++] = 0;
  while (top > 0) {
    int at = stack[--top], level = depth[top];
    RayNode* node = t->node + at;
    ctReal middle;
    int axis = ray_tree_bound(node, t, &middle);
    node->child = -1;
    if (node->count <= RAY_TREE_LEAF || top + 2 > RAY_TREE_STACK) continue;
    int lower = ray_tree_part(t, node, axis, middle, level >= RAY_TREE_DEEP);
    node->child = nodes;
    for (int i = 0; i < 2; i++) {
      RayNode* child = t->node + nodes;
      child->first = i ? node->first + lower : node->first;
      child->count = i ? node->count - lower : lower;
      stack[top] = nodes++;
      depth[top++] = level + 1;
    }
  }
}

// Build in scratch of `d`, which the caller marks and releases; false without room.
static bool ray_tree_build(RayTree* t, const ctModel* m, ctData* d, const ctiRayFilter* filter) {
  t->geom = CTI_SCRATCH(d, int, m->ngeom, "ray.geoms");
  t->box = CTI_SCRATCH(d, ctReal, 6 * (int64_t)m->ngeom, "ray.boxes");
  t->node = CTI_SCRATCH(d, RayNode, 2 * (int64_t)m->ngeom, "ray.nodes");
  if (!t->geom || !t->box || !t->node) return false;
  t->nplane = t->n = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < m->ngeom; i++) {
      bool plane = m->geom_type[i] == CT_GEOM_PLANE;
      if (plane != (pass == 0) || !ray_sees(m, filter, i)) continue;
      if (!plane) ray_tree_box(t->box + 6 * t->n, m, d, i);
      t->geom[t->n++] = i;
    }
    if (pass == 0) t->nplane = t->n;
  }
  if (t->n > t->nplane) ray_tree_split(t);
  return true;
}

// A ray and what is known of its nearest hit.
typedef struct RayCast {
  const ctReal *point, *dir;
  ctReal inverse[3], dir2;
  ctReal best;
  int geom;
  ctReal normal[3];
} RayCast;

// Where a ray enters a box, -1 when it misses it or only beyond the best hit.
static ctReal ray_tree_enter(const RayCast* r, const ctReal lo[3], const ctReal hi[3]) {
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
static void ray_tree_try(RayCast* r, const ctModel* m, const ctData* d, int geom) {
  ctReal normal[3];
  if (!ray_meets_sphere(m, d, geom, r->point, r->dir, r->dir2)) return;
  ctReal x = cti_ray_geom(m, d, geom, r->point, r->dir, r->best, normal);
  if (x < 0 || (r->best >= 0 && (x > r->best || (x == r->best && geom > r->geom)))) return;
  r->best = x;
  r->geom = geom;
  cti_copy3(r->normal, normal);
}

static void ray_tree_walk(RayCast* r, const RayTree* t, const ctModel* m, const ctData* d) {
  int stack[RAY_TREE_STACK], top = 0;
  ctReal enter[RAY_TREE_STACK];
  enter[0] = ray_tree_enter(r, t->node[0].lo, t->node[0].hi);
  if (enter[0] < 0) return;
  stack[top++] = 0;
  while (top > 0) {
    const RayNode* node = t->node + stack[--top];
    if (r->best >= 0 && enter[top] > r->best) continue;
    if (node->child < 0) {
      for (int i = node->first; i < node->first + node->count; i++) {
        const ctReal* box = t->box + 6 * i;
        if (ray_tree_enter(r, box, box + 3) >= 0) ray_tree_try(r, m, d, t->geom[i]);
      }
      continue;
    }
    // the nearer child on top
    const RayNode *a = t->node + node->child, *b = a + 1;
    ctReal x = ray_tree_enter(r, a->lo, a->hi), y = ray_tree_enter(r, b->lo, b->hi);
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

// The nearest geom, as cti_ray.
static ctReal ray_tree_cast(const RayTree* t, const ctModel* m, const ctData* d, const ctReal point[3],
                            const ctReal dir[3], int* geom, ctReal* normal) {
  RayCast r;
  r.point = point;
  r.dir = dir;
  r.dir2 = cti_dot3(dir, dir);
  r.best = -1;
  r.geom = -1;
  cti_zero3(r.normal);
  if (r.dir2 >= CTI_MINVAL * CTI_MINVAL) {
    cti_ray_inverse(r.inverse, dir);
    for (int i = 0; i < t->nplane; i++) ray_tree_try(&r, m, d, t->geom[i]);
    if (t->n > t->nplane) ray_tree_walk(&r, t, m, d);
  }
  if (geom) *geom = r.geom;
  if (normal) cti_copy3(normal, r.normal);
  return r.best;
}

// Many rays: direction i is dir + 3 * i, its origin point + stride * i (stride 0: one origin for all). Each
// result is that of cti_ray, bit for bit. `geom` and `normal` may be NULL. Scratch comes from `d`, or from
// the heap: false without memory, then nothing is written.
static bool multi_ray(const ctModel* m, ctData* d, const ctReal* point, int stride, const ctReal* dir,
                      int nray, const ctiRayFilter* filter, ctReal* dist, int* geom, ctReal* normal) {
  ctiLoan loan = cti_loan_begin(d);
  size_t mark = cti_scratch_mark(d);
  RayTree tree;
  bool few = nray <= RAY_FEW, built = false;
  if (!few) {
    do built = ray_tree_build(&tree, m, d, filter);
    while (!built && cti_loan_more(&loan, d));
  }
  for (int i = 0; i < nray && (few || built); i++) {
    const ctReal *from = point + stride * i, *along = dir + 3 * i;
    int* g = geom ? geom + i : (int*)0;
    ctReal* n = normal ? normal + 3 * i : (ctReal*)0;
    dist[i] = few ? cti_ray(m, d, from, along, filter, g, n) : ray_tree_cast(&tree, m, d, from, along, g, n);
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
