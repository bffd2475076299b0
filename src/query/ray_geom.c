// A ray against one geom: primitives by formula, meshes through their tree of boxes, height fields cell by
// cell, signed distance fields step by step.
#include "collide/sdf.h"
#include "math/vec3.h"
#include "query/ray.h"

// Trees are split at the median: what waits is at most one node a level, 31 for all that an int can count.
#define RAY_STACK 128
// Boxes grow by this share of their size and distance.
#define RAY_TOLERANCE CT_R(1e-12)
// Cells of a height field whose border the ray comes this near, in cells, are looked at too.
#define RAY_BORDER CT_R(1e-6)
// Steps in a signed distance field, and the last of them.
#define RAY_FIELD_STEPS 40
#define RAY_FIELD_LAST  CT_R(1e-7)

// A ray meets a box (centre, half sizes) before `limit` (negative: no limit).
static CT_FN bool ray_meets_box(const ctReal aabb[6], const ctReal point[3], const ctReal dir[3],
                                ctReal limit) {
  ctReal from = 0, to = limit;
  for (int i = 0; i < 3; i++) {
    ctReal lo = aabb[i] - aabb[3 + i] - point[i], hi = aabb[i] + aabb[3 + i] - point[i];
    if (cti_abs(dir[i]) < CTI_MINVAL) {
      if (lo > 0 || hi < 0) return false;
      continue;
    }
    ctReal x = lo / dir[i], y = hi / dir[i];
    if (x > y) {
      ctReal swap = x;
      x = y;
      y = swap;
    }
    if (x > from) from = x;
    if (to < 0 || y < to) to = y;
    if (to < from) return false;
  }
  return true;
}

CT_FN ctReal cti_ray_triangle(const ctReal v0[3], const ctReal v1[3], const ctReal v2[3],
                              const ctReal point[3], const ctReal dir[3], ctReal normal[3]) {
  ctReal e1[3], e2[3], n[3], rel[3], c[3];
  cti_sub3(e1, v1, v0);
  cti_sub3(e2, v2, v0);
  cti_cross3(n, e1, e2);
  ctReal det = -cti_dot3(n, dir);
  if (cti_abs(det) < CTI_MINVAL * CTI_MINVAL) return -1;
  // barycentric coordinates of the hit
  cti_sub3(rel, point, v0);
  cti_cross3(c, rel, dir);
  ctReal u = cti_dot3(c, e2) / det, v = -cti_dot3(c, e1) / det;
  if (u < 0 || v < 0 || u + v > 1) return -1;
  ctReal x = cti_dot3(n, rel) / det;
  if (x < 0) return -1;
  cti_copy3(normal, n);
  cti_normalize3(normal);
  return x;
}

static CT_FN ctReal ray_face(const ctModel* m, int mesh, int face, const ctReal point[3], const ctReal dir[3],
                             ctReal normal[3]) {
  ctReal v[3][3];
  const int* index = m->mesh_face + 3 * (m->mesh_faceadr[mesh] + face);
  for (int i = 0; i < 3; i++) {
    const float* at = m->mesh_vert + 3 * (m->mesh_vertadr[mesh] + index[i]);
    for (int k = 0; k < 3; k++) v[i][k] = (ctReal)at[k];
  }
  return cti_ray_triangle(v[0], v[1], v[2], point, dir, normal);
}

// Where a ray enters a box (centre, half sizes), -1 when it misses it or only beyond `limit`.
static CT_FN ctReal ray_enter(const ctReal aabb[6], const ctReal point[3], const ctReal inverse[3],
                              ctReal limit) {
  ctReal from = 0, to = limit;
  for (int i = 0; i < 3; i++) {
    // a little wider: rounding must never hide a face
    ctReal middle = (aabb[i] - point[i]) * inverse[i];
    ctReal half = cti_abs(aabb[3 + i] * inverse[i]) * (1 + RAY_TOLERANCE) + cti_abs(middle) * RAY_TOLERANCE;
    ctReal near = middle - half, far = middle + half;
    from = near > from ? near : from;
    to = far < to ? far : to;
  }
  return from <= to ? from : CT_R(-1);
}

CT_FN void cti_ray_inverse(ctReal inverse[3], const ctReal dir[3]) {
  for (int i = 0; i < 3; i++) inverse[i] = cti_abs(dir[i]) < CTI_MINVAL ? CTI_RAY_FAR : 1 / dir[i];
}

// A mesh; the ray and `normal` in the frame of the geom. Only hits up to `limit` (negative: any) count.
static CT_FN ctReal ray_mesh(const ctModel* m, int mesh, const ctReal point[3], const ctReal dir[3],
                             ctReal limit, ctReal normal[3]) {
  int stack[RAY_STACK], top = 0;
  ctReal enter[RAY_STACK], inverse[3], best = limit < 0 ? CTI_RAY_FAR : limit, n[3];
  const int root = m->mesh_bvhadr[mesh];
  bool hit = false;
  if (m->mesh_bvhnum[mesh] == 0) return -1;
  cti_ray_inverse(inverse, dir);
  enter[0] = ray_enter(m->bvh_aabb + 6 * root, point, inverse, best);
  if (enter[0] >= 0) stack[top++] = root;
  while (top > 0) {
    int node = stack[--top], face = m->bvh_nodeid[node];
    if (enter[top] > best) continue;
    if (face >= 0) {
      ctReal x = ray_face(m, mesh, face, point, dir, n);
      if (x < 0 || x > best || (hit && x == best)) continue;
      best = x;
      hit = true;
      cti_copy3(normal, n);
      continue;
    }
    // the nearer child on top
    ctReal at[2];
    int child[2];
    for (int i = 0; i < 2; i++) {
      child[i] = m->bvh_child[2 * node + i];
      at[i] = child[i] < 0 ? CT_R(-1) : ray_enter(m->bvh_aabb + 6 * (root + child[i]), point, inverse, best);
    }
    int last = at[0] >= 0 && (at[1] < 0 || at[0] <= at[1]) ? 0 : 1;
    for (int i = 0; i < 2; i++) {
      int k = i == 0 ? 1 - last : last;
      if (at[k] < 0 || top == RAY_STACK) continue;
      stack[top] = root + child[k];
      enter[top++] = at[k];
    }
  }
  return hit ? best : CT_R(-1);
}

// The corner of a height field's grid.
static CT_FN void ray_grid(ctReal out[3], const ctModel* m, int field, int row, int col) {
  const ctReal* size = m->hfield_size + 4 * field;
  int nrow = m->hfield_nrow[field], ncol = m->hfield_ncol[field];
  out[0] = 2 * size[0] / (ctReal)(ncol - 1) * (ctReal)col - size[0];
  out[1] = 2 * size[1] / (ctReal)(nrow - 1) * (ctReal)row - size[1];
  out[2] = (ctReal)m->hfield_data[m->hfield_adr[field] + row * ncol + col] * size[2];
}

static CT_FN void ray_take(ctReal* best, ctReal normal[3], ctReal x, const ctReal n[3]) {
  if (x < 0 || (*best >= 0 && x >= *best)) return;
  *best = x;
  cti_copy3(normal, n);
}

// The two triangles of a cell.
static CT_FN void ray_cell(ctReal* best, ctReal normal[3], const ctModel* m, int field, int row, int col,
                           const ctReal point[3], const ctReal dir[3]) {
  ctReal v[4][3], n[3];
  for (int i = 0; i < 4; i++) ray_grid(v[i], m, field, row + (i >> 1), col + (i & 1));
  ray_take(best, normal, cti_ray_triangle(v[0], v[3], v[2], point, dir, n), n);
  ray_take(best, normal, cti_ray_triangle(v[0], v[1], v[3], point, dir, n), n);
}

// A side wall along one border, between the bottom of the surface and the profile of the heights.
static CT_FN void ray_wall(ctReal* best, ctReal normal[3], const ctModel* m, int field, int axis, int side,
                           const ctReal point[3], const ctReal dir[3]) {
  const ctReal* size = m->hfield_size + 4 * field;
  int nrow = m->hfield_nrow[field], ncol = m->hfield_ncol[field], across = 1 - axis;
  if (cti_abs(dir[axis]) < CTI_MINVAL) return;
  ctReal x = ((ctReal)side * size[axis] - point[axis]) / dir[axis];
  ctReal u = point[across] + x * dir[across], z = point[2] + x * dir[2];
  if (x < 0 || cti_abs(u) > size[across] || z < 0) return;
  int n = axis ? ncol : nrow;
  ctReal cell = (u + size[across]) / (2 * size[across]) * (ctReal)(n - 1);
  int k = cti_cell(cell, n - 2);
  int edge = side > 0 ? (axis ? nrow - 1 : ncol - 1) : 0;
  ctReal a[3], b[3], out[3] = {0, 0, 0};
  ray_grid(a, m, field, axis ? edge : k, axis ? k : edge);
  ray_grid(b, m, field, axis ? edge : k + 1, axis ? k + 1 : edge);
  ctReal share = cell - (ctReal)k;
  if (z > a[2] + share * (b[2] - a[2])) return;
  out[axis] = (ctReal)side;
  ray_take(best, normal, x, out);
}

// The block under the surface, from its bottom to height zero.
static CT_FN void ray_base(ctReal* best, ctReal normal[3], const ctModel* m, int field, const ctReal point[3],
                           const ctReal dir[3]) {
  const ctReal* size = m->hfield_size + 4 * field;
  ctReal unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, half[3] = {size[0], size[1], CT_R(0.5) * size[3]};
  ctReal center[3] = {0, 0, CT_R(-0.5) * size[3]}, n[3];
  ctReal x = cti_ray_primitive(CT_GEOM_BOX, center, unit, half, point, dir, n);
  ray_take(best, normal, x, n);
}

// The part of a ray inside a box; false when there is none.
static CT_FN bool ray_inside_box(ctReal t[2], const ctReal lo[3], const ctReal hi[3], const ctReal point[3],
                                 const ctReal dir[3]) {
  t[0] = 0;
  t[1] = -1;
  for (int i = 0; i < 3; i++) {
    ctReal a = lo[i] - point[i], b = hi[i] - point[i];
    if (cti_abs(dir[i]) < CTI_MINVAL) {
      if (a > 0 || b < 0) return false;
      continue;
    }
    ctReal x = a / dir[i], y = b / dir[i], near = x < y ? x : y, far = x < y ? y : x;
    if (near > t[0]) t[0] = near;
    if (t[1] < 0 || far < t[1]) t[1] = far;
    if (t[1] < t[0]) return false;
  }
  return true;
}

// First and last cell, of `n`, that a ray passes between t[0] and t[1] along one axis.
static CT_FN void ray_cells(int cell[2], const ctReal t[2], ctReal point, ctReal dir, ctReal half,
                            ctReal width, int n) {
  ctReal a = (point + t[0] * dir + half) / width, b = (point + t[1] * dir + half) / width;
  ctReal lo = (a < b ? a : b) - RAY_BORDER, hi = (a < b ? b : a) + RAY_BORDER;
  cell[0] = cti_cell(lo, n);
  cell[1] = hi < 0 ? -1 : cti_cell(hi, n - 1);
}

// The triangles along the path of a ray, row by row.
static CT_FN void ray_surface(ctReal* best, ctReal normal[3], const ctModel* m, int hfield,
                              const ctReal point[3], const ctReal dir[3]) {
  const ctReal* size = m->hfield_size + 4 * hfield;
  const int nrow = m->hfield_nrow[hfield], ncol = m->hfield_ncol[hfield];
  const ctReal wide = 2 * size[0] / (ctReal)(ncol - 1), deep = 2 * size[1] / (ctReal)(nrow - 1);
  const ctReal lo[3] = {-size[0], -size[1], 0}, hi[3] = {size[0], size[1], size[2]};
  ctReal t[2];
  int row[2], col[2];
  if (!ray_inside_box(t, lo, hi, point, dir)) return;
  ray_cells(row, t, point[1], dir[1], size[1], deep, nrow - 1);
  const int step = dir[1] < 0 ? -1 : 1, first = dir[1] < 0 ? row[1] : row[0];
  for (int r = first; r >= row[0] && r <= row[1]; r += step) {
    // the part of the ray over this row
    ctReal over[2] = {t[0], t[1]};
    if (cti_abs(dir[1]) > CTI_MINVAL) {
      ctReal border = RAY_BORDER * deep;
      ctReal a = ((ctReal)r * deep - size[1] - border - point[1]) / dir[1];
      ctReal b = ((ctReal)(r + 1) * deep - size[1] + border - point[1]) / dir[1];
      ctReal near = a < b ? a : b, far = a < b ? b : a;
      if (near > over[0]) over[0] = near;
      if (far < over[1]) over[1] = far;
      if (over[1] < over[0]) continue;
    }
    if (*best >= 0 && over[0] > *best) return;
    ray_cells(col, over, point[0], dir[0], size[0], wide, ncol - 1);
    ctReal z0 = point[2] + over[0] * dir[2], z1 = point[2] + over[1] * dir[2];
    ctReal low = (z0 < z1 ? z0 : z1) - RAY_BORDER * size[2];
    const float* height = m->hfield_data + m->hfield_adr[hfield] + r * ncol;
    for (int c = col[0]; c <= col[1]; c++) {
      float top = height[c];
      if (height[c + 1] > top) top = height[c + 1];
      if (height[c + ncol] > top) top = height[c + ncol];
      if (height[c + ncol + 1] > top) top = height[c + ncol + 1];
      if ((ctReal)top * size[2] >= low) ray_cell(best, normal, m, hfield, r, c, point, dir);
    }
  }
}

// A height field.
static CT_FN ctReal ray_hfield(const ctModel* m, int hfield, const ctReal point[3], const ctReal dir[3],
                               ctReal normal[3]) {
  const ctReal* size = m->hfield_size + 4 * hfield;
  ctReal whole[6] = {0,       0,       CT_R(0.5) * (size[2] - size[3]),
                     size[0], size[1], CT_R(0.5) * (size[2] + size[3])};
  ctReal best = -1;
  if (!ray_meets_box(whole, point, dir, -1)) return -1;
  ray_base(&best, normal, m, hfield, point, dir);
  ray_surface(&best, normal, m, hfield, point, dir);
  for (int axis = 0; axis < 2; axis++) {
    for (int side = -1; side <= 1; side += 2) ray_wall(&best, normal, m, hfield, axis, side, point, dir);
  }
  return best;
}

// Each step is as long as the field says there is room, from either side of the surface.
static CT_FN ctReal ray_sdf(const ctModel* m, int plugin, int mesh, const ctReal point[3],
                            const ctReal dir[3], ctReal normal[3]) {
  ctReal unit[3], x[3], far = 0;
  cti_copy3(unit, dir);
  ctReal length = cti_normalize3(unit);
  for (int i = 0; i < RAY_FIELD_STEPS; i++) {
    cti_along3(x, point, unit, far);
    ctReal room = cti_abs(cti_sdf_geom(m, plugin, mesh, x, (ctReal*)0));
    far += room;
    if (room >= RAY_FIELD_LAST) continue;
    cti_along3(x, point, unit, far);
    cti_sdf_geom(m, plugin, mesh, x, normal);
    cti_normalize3(normal);
    return far / length;
  }
  return -1;
}

// ---- primitives ----

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
CT_FN ctReal cti_ray_geom(const ctModel* m, const ctData* d, int geom, const ctReal point[3],
                          const ctReal dir[3], ctReal limit, ctReal* normal) {
  const ctReal *pos = d->geom_xpos + 3 * geom, *mat = d->geom_xmat + 9 * geom;
  int type = m->geom_type[geom], data = m->geom_dataid[geom];
  bool mesh = type == CT_GEOM_MESH, field = type == CT_GEOM_HFIELD, sdf = type == CT_GEOM_SDF;
  if (!mesh && !field && !sdf) {
    return cti_ray_primitive(type, pos, mat, m->geom_size + 3 * geom, point, dir, normal);
  }
  ctReal p[3], v[3], n[3] = {0, 0, 0}, x = -1;
  ray_to_local(p, v, pos, mat, point, dir);
  if (data >= 0 && mesh) x = ray_mesh(m, data, p, v, limit, n);
  if (data >= 0 && field) x = ray_hfield(m, data, p, v, n);
  if (data >= 0 && sdf) x = ray_sdf(m, m->geom_plugin[geom], data, p, v, n);
  ray_give_normal(normal, n, mat, x >= 0);
  return x;
}
