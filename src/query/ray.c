#include "query/ray.h"

#include "data/arena.h"
#include "math/vec3.h"
#include "query/ray_tree.h"

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

CT_FN ctReal cti_ray_geom(const ctModel* m, const ctData* d, int geom, const ctReal point[3],
                          const ctReal dir[3], ctReal* normal) {
  return cti_ray_geom_within(m, d, geom, point, dir, -1, normal);
}

CT_FN ctReal cti_ray_geom_within(const ctModel* m, const ctData* d, int geom, const ctReal point[3],
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
CT_FN bool cti_ray_sees(const ctModel* m, const ctiRayFilter* filter, int geom) {
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

CT_FN bool cti_ray_meets_sphere(const ctModel* m, const ctData* d, int geom, const ctReal point[3],
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

CT_FN ctReal cti_ray(const ctModel* m, const ctData* d, const ctReal point[3], const ctReal dir[3],
                     const ctiRayFilter* filter, int* geom, ctReal* normal) {
  ctReal best = -1, at[3], dir2 = cti_dot3(dir, dir);
  if (geom) *geom = -1;
  if (normal) cti_zero3(normal);
  if (dir2 < CTI_MINVAL * CTI_MINVAL) return -1;
  for (int i = 0; i < m->ngeom; i++) {
    if (!cti_ray_sees(m, filter, i) || !cti_ray_meets_sphere(m, d, i, point, dir, dir2)) continue;
    ctReal x = cti_ray_geom_within(m, d, i, point, dir, best, at);
    if (x < 0 || (best >= 0 && x >= best)) continue;
    best = x;
    if (geom) *geom = i;
    if (normal) cti_copy3(normal, at);
  }
  return best;
}

CT_FN void cti_multi_ray(const ctModel* m, ctData* d, const ctReal* point, int stride, const ctReal* dir,
                         int nray, const ctiRayFilter* filter, ctReal* dist, int* geom, ctReal* normal) {
  // without scratch for a tree, one by one
  size_t mark = cti_scratch_mark(d);
  ctiRayTree tree;
  bool built = nray > RAY_FEW && cti_ray_tree_build(&tree, m, d, filter);
  for (int i = 0; i < nray; i++) {
    const ctReal *from = point + stride * i, *along = dir + 3 * i;
    int* g = geom ? geom + i : (int*)0;
    ctReal* n = normal ? normal + 3 * i : (ctReal*)0;
    dist[i] =
        built ? cti_ray_tree_cast(&tree, m, d, from, along, g, n) : cti_ray(m, d, from, along, filter, g, n);
  }
  cti_scratch_release(d, mark);
}
