// Bounding boxes and radii of geoms, and the tree of boxes of every body.
#include "compile/build.h"

// Half size of a plane's box: as good as infinite, and finite.
#define INFINITE CT_R(1e10)

static void set_box(ctReal box[6], ctReal x, ctReal y, ctReal z) {
  cti_zero3(box);
  box[3] = x;
  box[4] = y;
  box[5] = z;
}

// Box (centre, half sizes) in the geom's own frame; returns the radius about its centre, 0 for a plane.
static ctReal bound_shape(ctReal box[6], int type, const ctReal s[3]) {
  switch (type) {
    case CT_GEOM_SPHERE: set_box(box, s[0], s[0], s[0]); return s[0];
    case CT_GEOM_CAPSULE: set_box(box, s[0], s[0], s[0] + s[1]); return s[0] + s[1];
    case CT_GEOM_CYLINDER: set_box(box, s[0], s[0], s[1]); return cti_sqrt(s[0] * s[0] + s[1] * s[1]);
    case CT_GEOM_ELLIPSOID: set_box(box, s[0], s[1], s[2]); return cti_max(cti_max(s[0], s[1]), s[2]);
    case CT_GEOM_BOX: set_box(box, s[0], s[1], s[2]); return cti_norm3(s);
    default:
      set_box(box, INFINITE, INFINITE, INFINITE / 2);
      box[2] = -INFINITE / 2;
      return 0;
  }
}

// Box of a geom in the inertial frame of its body.
static void box_in_body(ctReal out[6], const ctModel* m, int geom) {
  int body = m->geom_bodyid[geom];
  const ctReal* box = m->geom_aabb + 6 * geom;
  ctReal inv[4], quat[4], mat[9], at[3];
  cti_quat_conj(inv, m->body_iquat + 4 * body);
  cti_quat_mul(quat, inv, m->geom_quat + 4 * geom);
  cti_quat_to_mat(mat, quat);
  cti_sub3(at, m->geom_pos + 3 * geom, m->body_ipos + 3 * body);
  cti_quat_rotate(at, inv, at);
  cti_mul_mat_vec3(out, mat, box);
  cti_add_to3(out, at);
  for (int i = 0; i < 3; i++) {
    out[3 + i] =
        cti_abs(mat[3 * i]) * box[3] + cti_abs(mat[3 * i + 1]) * box[4] + cti_abs(mat[3 * i + 2]) * box[5];
  }
}

// Smallest box around those of leaves[0..n).
static void box_union(ctReal out[6], const ctReal (*boxes)[6], const int* leaves, int n) {
  ctReal low[3], high[3];
  for (int i = 0; i < 3; i++) {
    low[i] = INFINITE * 10;
    high[i] = -INFINITE * 10;
    for (int k = 0; k < n; k++) {
      const ctReal* box = boxes[leaves[k]];
      low[i] = cti_min(low[i], box[i] - box[3 + i]);
      high[i] = cti_max(high[i], box[i] + box[3 + i]);
    }
    out[i] = (low[i] + high[i]) / 2;
    out[3 + i] = (high[i] - low[i]) / 2;
  }
}

// Stable: leaves with equal centres keep their order.
static void sort_leaves(int* leaves, int n, const ctReal (*boxes)[6], int axis) {
  for (int i = 1; i < n; i++) {
    int leaf = leaves[i], k = i;
    for (; k > 0 && boxes[leaves[k - 1]][axis] > boxes[leaf][axis]; k--) leaves[k] = leaves[k - 1];
    leaves[k] = leaf;
  }
}

// The longest side of a box. Sides that differ by rounding count as equal, and the first of them wins.
static int longest_axis(const ctReal box[6]) {
  const ctReal slack = CT_R(1e-14);
  ctReal side[3] = {2 * box[3], 2 * box[4], 2 * box[5]};
  int axis = side[0] + slack > side[1] ? 0 : 1;
  return side[axis] + slack > side[2] ? axis : 2;
}

// A node to be made: which leaves it holds, and the child slot of its parent that waits for it.
typedef struct Pending {
  int first, count, depth;
  int* slot;
} Pending;

// Top down: a node's leaves are sorted along the longest side of its box and halved. Nodes are numbered in
// the order in which a walk (first child first) meets them.
static ctStatus build_tree(ctiBuild* b, int body, int* next) {
  ctModel* m = b->m;
  int n = m->body_geomnum[body], first_geom = m->body_geomadr[body], root = *next, count = 0;
  int* leaves = CTI_NEW_ARRAY(b->region, int, n);
  ctReal(*boxes)[6] = (ctReal(*)[6])cti_region_array(b->region, (size_t)n, sizeof(*boxes), alignof(ctReal));
  Pending* stack = CTI_NEW_ARRAY(b->region, Pending, n + 1);
  if (!leaves || !boxes || !stack) return cti_error_memory(b->err);
  for (int i = 0; i < n; i++) {
    if (!cti_geom_collides(m->geom_contype[first_geom + i], m->geom_conaffinity[first_geom + i])) continue;
    leaves[count++] = i;
    box_in_body(boxes[i], m, first_geom + i);
  }
  if (count == 0) return CT_OK;
  int depth = 0;
  stack[depth++] = (Pending){0, count, 0, NULL};
  while (depth > 0) {
    Pending p = stack[--depth];
    int node = (*next)++;
    ctReal* box = m->bvh_aabb + 6 * node;
    box_union(box, (const ctReal(*)[6])boxes, leaves + p.first, p.count);
    m->bvh_depth[node] = p.depth;
    if (p.slot) *p.slot = node - root;
    int* child = m->bvh_child + 2 * node;
    child[0] = child[1] = -1;
    m->bvh_nodeid[node] = p.count == 1 ? first_geom + leaves[p.first] : -1;
    if (p.count == 1) continue;
    sort_leaves(leaves + p.first, p.count, (const ctReal(*)[6])boxes, longest_axis(box));
    int half = p.count / 2;
    stack[depth++] = (Pending){p.first + half, p.count - half, p.depth + 1, &child[1]};
    stack[depth++] = (Pending){p.first, half, p.depth + 1, &child[0]};
  }
  m->body_bvhadr[body] = root;
  m->body_bvhnum[body] = *next - root;
  return CT_OK;
}

ctStatus cti_pass_bounds(ctiBuild* b) {
  ctModel* m = b->m;
  for (int i = 0; i < m->ngeom; i++) {
    int body = m->geom_bodyid[i];
    m->geom_rbound[i] = bound_shape(m->geom_aabb + 6 * i, m->geom_type[i], m->geom_size + 3 * i);
    m->body_contype[body] |= m->geom_contype[i];
    m->body_conaffinity[body] |= m->geom_conaffinity[i];
    m->body_margin[body] = cti_max(m->body_margin[body], m->geom_margin[i] + m->geom_gap[i]);
  }
  int next = 0;
  for (int i = 0; i < m->nbody; i++) {
    m->body_bvhadr[i] = -1;
    if (m->body_geomnum[i] > 0) CT_TRY(build_tree(b, i, &next));
  }
  return CT_OK;
}
