// Rays against triangles: meshes through their tree of boxes, height fields cell by cell; and, step by step,
// against signed distance fields.
#include "collide/field.h"
#include "math/vec3.h"
#include "query/ray.h"

// Trees are split at the median: what waits is at most one node a level, 31 for all that an int can count.
#define RAY_STACK 128
// Steps in a signed distance field, and the last of them.
#define RAY_FIELD_STEPS 40
#define RAY_FIELD_LAST  CT_R(1e-7)

CT_FN bool cti_ray_meets_box(const ctReal aabb[6], const ctReal point[3], const ctReal dir[3], ctReal limit) {
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

CT_FN ctReal cti_ray_mesh(const ctModel* m, int mesh, const ctReal point[3], const ctReal dir[3],
                          ctReal normal[3]) {
  int stack[RAY_STACK], top = 0;
  const int root = m->mesh_bvhadr[mesh];
  ctReal best = -1, n[3];
  if (m->mesh_bvhnum[mesh] == 0) return -1;
  stack[top++] = root;
  while (top > 0) {
    int node = stack[--top];
    if (!cti_ray_meets_box(m->bvh_aabb + 6 * node, point, dir, best)) continue;
    int face = m->bvh_nodeid[node];
    if (face < 0) {
      for (int i = 0; i < 2; i++) {
        int child = m->bvh_child[2 * node + i];
        if (child >= 0 && top < RAY_STACK) stack[top++] = root + child;
      }
      continue;
    }
    ctReal x = ray_face(m, mesh, face, point, dir, n);
    if (x < 0 || (best >= 0 && x >= best)) continue;
    best = x;
    cti_copy3(normal, n);
  }
  return best;
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
  int k = (int)cell;
  if (k > n - 2) k = n - 2;
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

CT_FN ctReal cti_ray_hfield(const ctModel* m, int hfield, const ctReal point[3], const ctReal dir[3],
                            ctReal normal[3]) {
  const ctReal* size = m->hfield_size + 4 * hfield;
  int nrow = m->hfield_nrow[hfield], ncol = m->hfield_ncol[hfield];
  ctReal whole[6] = {0,       0,       CT_R(0.5) * (size[2] - size[3]),
                     size[0], size[1], CT_R(0.5) * (size[2] + size[3])};
  ctReal best = -1;
  if (!cti_ray_meets_box(whole, point, dir, -1)) return -1;
  ray_base(&best, normal, m, hfield, point, dir);
  ctReal wide = size[0] / (ctReal)(ncol - 1), deep = size[1] / (ctReal)(nrow - 1);
  for (int row = 0; row < nrow - 1; row++) {
    // strips first: most rows are missed
    ctReal strip[6] = {
        0, (ctReal)(2 * row + 1) * deep - size[1], CT_R(0.5) * size[2], size[0], deep, CT_R(0.5) * size[2]};
    if (!cti_ray_meets_box(strip, point, dir, best)) continue;
    for (int col = 0; col < ncol - 1; col++) {
      strip[0] = (ctReal)(2 * col + 1) * wide - size[0];
      strip[3] = wide;
      if (cti_ray_meets_box(strip, point, dir, best))
        ray_cell(&best, normal, m, hfield, row, col, point, dir);
    }
  }
  for (int axis = 0; axis < 2; axis++) {
    for (int side = -1; side <= 1; side += 2) ray_wall(&best, normal, m, hfield, axis, side, point, dir);
  }
  return best;
}

// Each step is as long as the field says there is room, from either side of the surface.
CT_FN ctReal cti_ray_sdf(const ctModel* m, int mesh, const ctReal point[3], const ctReal dir[3],
                         ctReal normal[3]) {
  ctReal unit[3], x[3], far = 0;
  cti_copy3(unit, dir);
  ctReal length = cti_normalize3(unit);
  for (int i = 0; i < RAY_FIELD_STEPS; i++) {
    cti_along3(x, point, unit, far);
    ctReal room = cti_abs(cti_field_octree(m, mesh, x, (ctReal*)0));
    far += room;
    if (room >= RAY_FIELD_LAST) continue;
    cti_along3(x, point, unit, far);
    cti_field_octree(m, mesh, x, normal);
    cti_normalize3(normal);
    return far / length;
  }
  return -1;
}
