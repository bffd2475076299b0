#include "query/ray.h"

#include "data/arena.h"
#include "math/vec3.h"

// Geoms in a leaf.
#define RAY_TREE_LEAF 2
// From this depth on nodes are split into halves, so that no tree is deeper than this and 31 more.
#define RAY_TREE_DEEP  32
#define RAY_TREE_STACK 80
// Boxes grow by this share of their size and place, so that rounding never hides a hit.
#define RAY_TREE_SLACK CT_R(1e-6)

//   reads   d->geom_xpos, d->geom_xmat
//   before  kinematics
//
// A ray is a point and a direction; distances count in lengths of the direction, so that the hit is at
// point + distance * direction. -1 means no hit.

// So few rays are cast without a tree.
#define RAY_FEW 4

// The smaller root that is not negative of a t^2 + 2 b t + c, else -1; both roots in x.
static CT_FN ctReal ray_root(ctReal x[2], ctReal a, ctReal b, ctReal c) {
  ctReal det = b * b - a * c;
  x[0] = x[1] = -1;
  if (det < CTI_MINVAL || a < CTI_MINVAL) return -1;
  det = cti_sqrt(det);
  x[0] = (-b - det) / a;
  x[1] = (-b + det) / a;
  return x[0] >= 0 ? x[0] : (x[1] >= 0 ? x[1] : -1);
}

static CT_FN ctReal ray_nearer(ctReal best, ctReal x) {
  return x >= 0 && (best < 0 || x < best) ? x : best;
}

// Front side only, within the size of the plane where it has one.
static CT_FN ctReal ray_plane(const ctReal size[3], const ctReal p[3], const ctReal v[3], ctReal normal[3]) {
  if (v[2] > -CTI_MINVAL) return -1;
  ctReal x = -p[2] / v[2];
  if (x < 0) return -1;
  for (int i = 0; i < 2; i++) {
    if (size[i] > 0 && cti_abs(p[i] + x * v[i]) > size[i]) return -1;
  }
  normal[2] = 1;
  return x;
}

static CT_FN ctReal ray_sphere(ctReal radius, const ctReal p[3], const ctReal v[3], ctReal normal[3]) {
  ctReal x[2];
  ctReal hit = ray_root(x, cti_dot3(v, v), cti_dot3(v, p), cti_dot3(p, p) - radius * radius);
  if (hit < 0) return -1;
  for (int i = 0; i < 3; i++) normal[i] = p[i] + hit * v[i];
  cti_normalize3(normal);
  return hit;
}

static CT_FN ctReal ray_ellipsoid(const ctReal size[3], const ctReal p[3], const ctReal v[3],
                                  ctReal normal[3]) {
  ctReal s[3], x[2], a = 0, b = 0, c = -1;
  for (int i = 0; i < 3; i++) {
    s[i] = 1 / (size[i] * size[i]);
    a += s[i] * v[i] * v[i];
    b += s[i] * v[i] * p[i];
    c += s[i] * p[i] * p[i];
  }
  ctReal hit = ray_root(x, a, b, c);
  if (hit < 0) return -1;
  for (int i = 0; i < 3; i++) normal[i] = s[i] * (p[i] + hit * v[i]);
  cti_normalize3(normal);
  return hit;
}

// The mantle between -half and half; the nearest hit of both roots.
static CT_FN ctReal ray_mantle(ctReal radius, ctReal half, const ctReal p[3], const ctReal v[3],
                               ctReal normal[3]) {
  ctReal x[2];
  ctReal best = -1;
  ray_root(x, v[0] * v[0] + v[1] * v[1], v[0] * p[0] + v[1] * p[1],
           p[0] * p[0] + p[1] * p[1] - radius * radius);
  for (int i = 0; i < 2; i++) {
    if (x[i] >= 0 && cti_abs(p[2] + x[i] * v[2]) <= half) best = ray_nearer(best, x[i]);
  }
  if (best >= 0) {
    normal[0] = p[0] + best * v[0];
    normal[1] = p[1] + best * v[1];
    normal[2] = 0;
    cti_normalize3(normal);
  }
  return best;
}

static CT_FN ctReal ray_capsule(const ctReal size[3], const ctReal p[3], const ctReal v[3],
                                ctReal normal[3]) {
  ctReal best = ray_mantle(size[0], size[1], p, v, normal);
  for (int side = 0; side < 2; side++) {
    ctReal end = side ? -size[1] : size[1], q[3] = {p[0], p[1], p[2] - end}, x[2];
    ray_root(x, cti_dot3(v, v), cti_dot3(v, q), cti_dot3(q, q) - size[0] * size[0]);
    for (int i = 0; i < 2; i++) {
      // the outer half of the ball
      ctReal z = q[2] + x[i] * v[2];
      if (x[i] < 0 || (side ? z > 0 : z < 0) || (best >= 0 && x[i] >= best)) continue;
      best = x[i];
      for (int k = 0; k < 3; k++) normal[k] = q[k] + best * v[k];
      cti_normalize3(normal);
    }
  }
  return best;
}

static CT_FN ctReal ray_cylinder(const ctReal size[3], const ctReal p[3], const ctReal v[3],
                                 ctReal normal[3]) {
  ctReal best = ray_mantle(size[0], size[1], p, v, normal);
  if (cti_abs(v[2]) <= CTI_MINVAL) return best;
  for (int side = 0; side < 2; side++) {
    ctReal end = side ? size[1] : -size[1], x = (end - p[2]) / v[2];
    ctReal u = p[0] + x * v[0], w = p[1] + x * v[1];
    if (x < 0 || u * u + w * w > size[0] * size[0] || (best >= 0 && x >= best)) continue;
    best = x;
    cti_zero3(normal);
    normal[2] = side ? CT_R(1) : CT_R(-1);
  }
  return best;
}

static CT_FN ctReal ray_box(const ctReal size[3], const ctReal p[3], const ctReal v[3], ctReal normal[3]) {
  ctReal best = -1;
  for (int i = 0; i < 3; i++) {
    if (cti_abs(v[i]) <= CTI_MINVAL) continue;
    int j = (i + 1) % 3, k = (i + 2) % 3;
    for (int side = -1; side <= 1; side += 2) {
      ctReal x = ((ctReal)side * size[i] - p[i]) / v[i];
      if (x < 0 || (best >= 0 && x >= best)) continue;
      if (cti_abs(p[j] + x * v[j]) > size[j] || cti_abs(p[k] + x * v[k]) > size[k]) continue;
      best = x;
      cti_zero3(normal);
      normal[i] = (ctReal)side;
    }
  }
  return best;
}

static CT_FN ctReal ray_local(int type, const ctReal size[3], const ctReal p[3], const ctReal v[3],
                              ctReal n[3]) {
  switch (type) {
    case CT_GEOM_PLANE: return ray_plane(size, p, v, n);
    case CT_GEOM_SPHERE: return ray_sphere(size[0], p, v, n);
    case CT_GEOM_CAPSULE: return ray_capsule(size, p, v, n);
    case CT_GEOM_ELLIPSOID: return ray_ellipsoid(size, p, v, n);
    case CT_GEOM_CYLINDER: return ray_cylinder(size, p, v, n);
    case CT_GEOM_BOX: return ray_box(size, p, v, n);
    default: return -1;
  }
}

// The ray in the frame of a geom.
static CT_FN void ray_to_local(ctReal p[3], ctReal v[3], const ctReal pos[3], const ctReal mat[9],
                               const ctReal point[3], const ctReal dir[3]) {
  ctReal rel[3];
  cti_sub3(rel, point, pos);
  cti_mul_mat_t_vec3(p, mat, rel);
  cti_mul_mat_t_vec3(v, mat, dir);
}

static CT_FN void ray_give_normal(ctReal* out, const ctReal local[3], const ctReal mat[9], bool hit) {
  if (!out) return;
  cti_zero3(out);
  if (hit) cti_mul_mat_vec3(out, mat, local);
}

CT_FN ctReal cti_ray_primitive(int type, const ctReal pos[3], const ctReal mat[9], const ctReal size[3],
                               const ctReal point[3], const ctReal dir[3], ctReal* normal) {
  ctReal p[3], v[3], n[3] = {0, 0, 0};
  ray_to_local(p, v, pos, mat, point, dir);
  ctReal x = ray_local(type, size, p, v, n);
  ray_give_normal(normal, n, mat, x >= 0);
  return x;
}

// One geom of a model, whatever its type. Hits beyond `limit` (negative: none) may be left out.
static CT_FN ctReal ray_geom_within(const ctModel* m, const ctData* d, int geom, const ctReal point[3],
                                    const ctReal dir[3], ctReal limit, ctReal* normal) {
  const ctReal *pos = d->geom_xpos + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  int type = m->geom_type[geom], data = m->geom_dataid[geom];
  bool mesh = type == CT_GEOM_MESH, field = type == CT_GEOM_HFIELD, sdf = type == CT_GEOM_SDF;
  if (!mesh && !field && !sdf) {
    return cti_ray_primitive(type, pos, mat, m->geom_size + 3 * geom, point, dir, normal);
  }
  ctReal p[3], v[3], n[3] = {0, 0, 0}, x = -1;
  ray_to_local(p, v, pos, mat, point, dir);
  if (data >= 0 && mesh) x = cti_ray_mesh(m, data, p, v, limit, n);
  if (data >= 0 && field) x = cti_ray_hfield(m, data, p, v, n);
  if (data >= 0 && sdf) x = cti_ray_sdf(m, data, p, v, n);
  ray_give_normal(normal, n, mat, x >= 0);
  return x;
}

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
  // a little slack: rounding must never hide a hit
  if (dist2 <= r2 * (1 + CT_R(1e-6))) return true;
  return along > 0 && dist2 * dir2 - along * along <= r2 * dir2 * (1 + CT_R(1e-6));
}

// ---- a tree of boxes over all geoms, for many rays ----

static CT_FN void ray_tree_box(ctReal box[6], const ctModel* m, const ctData* d, int geom) {
  const ctReal *aabb = m->geom_aabb + 6 * geom, *mat = d->geom_xmat + 9 * geom,
               *pos = d->geom_xpos + 3 * geom;
  for (int i = 0; i < 3; i++) {
    const ctReal* row = mat + 3 * i;
    ctReal center = pos[i] + (row[0] * aabb[0] + row[1] * aabb[1] + row[2] * aabb[2]);
    ctReal half = cti_abs(row[0]) * aabb[3] + cti_abs(row[1]) * aabb[4] + cti_abs(row[2]) * aabb[5];
    half += RAY_TREE_SLACK * (half + cti_abs(center)) + CTI_MINVAL;
    box[i] = center - half;
    box[3 + i] = center + half;
  }
}

static CT_FN void ray_tree_swap(ctiRayTree* t, int i, int k) {
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
static CT_FN int ray_tree_bound(ctiRayNode* node, const ctiRayTree* t, ctReal* middle) {
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
static CT_FN int ray_tree_part(ctiRayTree* t, const ctiRayNode* node, int axis, ctReal middle, bool halves) {
  int lower = 0;
  for (int k = 0; !halves && k < node->count; k++) {
    const ctReal* box = t->box + 6 * (node->first + k);
    if (box[axis] + box[3 + axis] < middle) ray_tree_swap(t, node->first + lower++, node->first + k);
  }
  return lower > 0 && lower < node->count ? lower : node->count / 2;
}

static CT_FN void ray_tree_split(ctiRayTree* t) {
  int stack[RAY_TREE_STACK], depth[RAY_TREE_STACK], top = 0, nodes = 1;
  t->node[0].first = t->nplane;
  t->node[0].count = t->n - t->nplane;
  stack[top] = 0;
  depth[top++] = 0;
  while (top > 0) {
    int at = stack[--top], level = depth[top];
    ctiRayNode* node = t->node + at;
    ctReal middle;
    int axis = ray_tree_bound(node, t, &middle);
    node->child = -1;
    if (node->count <= RAY_TREE_LEAF || top + 2 > RAY_TREE_STACK) continue;
    int lower = ray_tree_part(t, node, axis, middle, level >= RAY_TREE_DEEP);
    node->child = nodes;
    for (int i = 0; i < 2; i++) {
      ctiRayNode* child = t->node + nodes;
      child->first = i ? node->first + lower : node->first;
      child->count = i ? node->count - lower : lower;
      stack[top] = nodes++;
      depth[top++] = level + 1;
    }
  }
}

// Build in scratch of `d`, which the caller marks and releases; false without room.
static CT_FN bool ray_tree_build(ctiRayTree* t, const ctModel* m, ctData* d, const ctiRayFilter* filter) {
  t->geom = CTI_SCRATCH(d, int, m->ngeom, "ray.geoms");
  t->box = CTI_SCRATCH(d, ctReal, 6 * m->ngeom, "ray.boxes");
  t->node = CTI_SCRATCH(d, ctiRayNode, 2 * m->ngeom, "ray.nodes");
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
static CT_FN ctReal ray_tree_enter(const RayCast* r, const ctReal lo[3], const ctReal hi[3]) {
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
static CT_FN void ray_tree_try(RayCast* r, const ctModel* m, const ctData* d, int geom) {
  ctReal normal[3];
  if (!ray_meets_sphere(m, d, geom, r->point, r->dir, r->dir2)) return;
  ctReal x = ray_geom_within(m, d, geom, r->point, r->dir, r->best, normal);
  if (x < 0 || (r->best >= 0 && (x > r->best || (x == r->best && geom > r->geom)))) return;
  r->best = x;
  r->geom = geom;
  cti_copy3(r->normal, normal);
}

static CT_FN void ray_tree_walk(RayCast* r, const ctiRayTree* t, const ctModel* m, const ctData* d) {
  int stack[RAY_TREE_STACK], top = 0;
  ctReal enter[RAY_TREE_STACK];
  enter[0] = ray_tree_enter(r, t->node[0].lo, t->node[0].hi);
  if (enter[0] < 0) return;
  stack[top++] = 0;
  while (top > 0) {
    const ctiRayNode* node = t->node + stack[--top];
    if (r->best >= 0 && enter[top] > r->best) continue;
    if (node->child < 0) {
      for (int i = node->first; i < node->first + node->count; i++) {
        const ctReal* box = t->box + 6 * i;
        if (ray_tree_enter(r, box, box + 3) >= 0) ray_tree_try(r, m, d, t->geom[i]);
      }
      continue;
    }
    // the nearer child on top
    const ctiRayNode *a = t->node + node->child, *b = a + 1;
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
static CT_FN ctReal ray_tree_cast(const ctiRayTree* t, const ctModel* m, const ctData* d,
                                  const ctReal point[3], const ctReal dir[3], int* geom, ctReal* normal) {
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

// ---- one ray, many rays ----

CT_FN ctReal cti_ray(const ctModel* m, const ctData* d, const ctReal point[3], const ctReal dir[3],
                     const ctiRayFilter* filter, int* geom, ctReal* normal) {
  ctReal best = -1, at[3], dir2 = cti_dot3(dir, dir);
  if (geom) *geom = -1;
  if (normal) cti_zero3(normal);
  if (dir2 < CTI_MINVAL * CTI_MINVAL) return -1;
  for (int i = 0; i < m->ngeom; i++) {
    if (!ray_sees(m, filter, i) || !ray_meets_sphere(m, d, i, point, dir, dir2)) continue;
    ctReal x = ray_geom_within(m, d, i, point, dir, best, at);
    if (x < 0 || (best >= 0 && x >= best)) continue;
    best = x;
    if (geom) *geom = i;
    if (normal) cti_copy3(normal, at);
  }
  return best;
}

// Many rays: direction i is dir + 3 * i, its origin point + stride * i (stride 0: one origin for all). Each
// result is that of cti_ray, bit for bit. `geom` and `normal` may be NULL. `d` lends scratch.
static CT_FN void multi_ray(const ctModel* m, ctData* d, const ctReal* point, int stride, const ctReal* dir,
                            int nray, const ctiRayFilter* filter, ctReal* dist, int* geom, ctReal* normal) {
  // without scratch for a tree, one by one
  size_t mark = cti_scratch_mark(d);
  ctiRayTree tree;
  bool built = nray > RAY_FEW && ray_tree_build(&tree, m, d, filter);
  for (int i = 0; i < nray; i++) {
    const ctReal *from = point + stride * i, *along = dir + 3 * i;
    int* g = geom ? geom + i : (int*)0;
    ctReal* n = normal ? normal + 3 * i : (ctReal*)0;
    dist[i] =
        built ? ray_tree_cast(&tree, m, d, from, along, g, n) : cti_ray(m, d, from, along, filter, g, n);
  }
  cti_scratch_release(d, mark);
}

// ---- host code: the public calls ----
#ifndef __cplusplus
#include "corten/collide.h"
#include "query/distance.h"

// ---- The public calls of corten/collide.h. Host code. ----

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
  multi_ray(m, d, point, shared ? 0 : 3, dir, nray, &f, dist, geom, normal);
  return CT_OK;
}

#endif
