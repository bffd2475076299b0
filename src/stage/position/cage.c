// Cages around deformables: their nodes, cells and faces, and how those are turned.
#include "math/quat.h"
#include "stage/position/flex.h"

CT_FN ctiCage cti_cage(const ctModel* m, int flex) {
  ctiCage cage;
  int interp = m->flex_interp[flex];
  cage.order = interp < 0 ? -interp : interp;
  cage.shell = interp < 0;
  cage.ncell = 1;
  for (int k = 0; k < 3; k++) {
    cage.cells[k] = m->flex_cellnum[3 * flex + k];
    cage.nodes[k] = cage.order * cage.cells[k] + 1;
    cage.ncell *= cage.cells[k];
  }
  cage.first = m->flex_nodeadr[flex];
  cage.size[0] = cage.order + 1;
  cage.size[1] = cage.size[0] * cage.size[0] * cage.size[0];
  cage.size[2] = cage.size[0] * cage.size[0];
  return cage;
}

CT_FN int cti_cage_cell_nodes(const ctiCage* cage, int cell, int out[CTI_CAGE_NODES]) {
  int o = cage->order, n = 0;
  int k0 = o * (cell % cage->cells[2]), rest = cell / cage->cells[2];
  int j0 = o * (rest % cage->cells[1]), i0 = o * (rest / cage->cells[1]);
  for (int i = 0; i <= o; i++) {
    for (int j = 0; j <= o; j++) {
      for (int k = 0; k <= o; k++) out[n++] = cti_cage_node_at(cage, i0 + i, j0 + j, k0 + k);
    }
  }
  return n;
}

CT_FN int cti_cage_faces(const ctiCage* cage) {
  const int* c = cage->cells;
  return 2 * (c[1] * c[2] + c[2] * c[0] + c[0] * c[1]);
}

CT_FN int cti_cage_face_nodes(const ctiCage* cage, int face, int out[CTI_FACE_NODES], int axis[3]) {
  int side = 0, a = 0, o = cage->order, n = 0;
  for (;; side ^= 1) {
    int count = cage->cells[(a + 1) % 3] * cage->cells[(a + 2) % 3];
    if (face < count) break;
    face -= count;
    if (side) a++;
  }
  axis[0] = a;
  axis[1] = (a + 1) % 3;
  axis[2] = (a + 2) % 3;
  int at[3], slow0 = o * (face / cage->cells[axis[2]]), fast0 = o * (face % cage->cells[axis[2]]);
  at[a] = side ? cage->nodes[a] - 1 : 0;
  for (int s = 0; s <= o; s++) {
    for (int f = 0; f <= o; f++) {
      at[axis[1]] = slow0 + s;
      at[axis[2]] = fast0 + f;
      out[n++] = cti_cage_node_at(cage, at[0], at[1], at[2]);
    }
  }
  return n;
}

CT_FN void cti_cage_basis(ctReal value[3], ctReal slope[3], int order, ctReal s) {
  if (order == 1) {
    value[0] = 1 - s;
    value[1] = s;
    slope[0] = -1;
    slope[1] = 1;
  } else {
    value[0] = 2 * s * s - 3 * s + 1;
    value[1] = 4 * (s - s * s);
    value[2] = 2 * s * s - s;
    slope[0] = 4 * s - 3;
    slope[1] = 4 - 8 * s;
    slope[2] = 4 * s - 1;
  }
}

// A node inside a shell, blended from the surface: faces, less edges, plus corners.
static CT_FN void blend_node(const ctiCage* cage, ctReal* nodes, int i, int j, int k) {
  int at[3] = {i, j, k}, last[3];
  ctReal weight[3][2];
  for (int a = 0; a < 3; a++) {
    last[a] = cage->nodes[a] - 1;
    weight[a][1] = (ctReal)at[a] / (ctReal)last[a];
    weight[a][0] = 1 - weight[a][1];
  }
  ctReal sum[3] = {0, 0, 0};
  // bits of `pinned`: axes on which the point is taken to the surface
  for (int pinned = 1; pinned < 8; pinned++) {
    int count = (pinned & 1) + (pinned >> 1 & 1) + (pinned >> 2 & 1);
    ctReal sign = count == 2 ? CT_R(-1) : CT_R(1);
    for (int sides = 0; sides < 8; sides++) {
      if (sides & ~pinned) continue;
      int p[3];
      ctReal w = sign;
      for (int a = 0; a < 3; a++) {
        int side = sides >> a & 1;
        bool on = (pinned >> a & 1) != 0;
        p[a] = on ? (side ? last[a] : 0) : at[a];
        if (on) w *= weight[a][side];
      }
      cti_add_scaled3(sum, nodes + 3 * cti_cage_node_at(cage, p[0], p[1], p[2]), w);
    }
  }
  cti_copy3(nodes + 3 * cti_cage_node_at(cage, i, j, k), sum);
}

static CT_FN void blend_nodes(const ctiCage* cage, ctReal* nodes) {
  int ni = cage->nodes[0] - 2, nj = cage->nodes[1] - 2, nk = cage->nodes[2] - 2;
  CT_LANES(n, ni * nj * nk) blend_node(cage, nodes, 1 + n / (nj * nk), 1 + n / nk % nj, 1 + n % nk);
  CT_TEAM_SYNC();
}

CT_FN void cti_cage_positions(const ctModel* m, const ctData* d, const ctiCage* cage, ctReal* out) {
  CT_LANES(i, cage->nodes[0] * cage->nodes[1] * cage->nodes[2]) {
    int node = cage->first + i;
    cti_place_point(out + 3 * i, d, m->flex_nodebodyid[node], m->flex_node + 3 * node);
  }
  CT_TEAM_SYNC();
  if (cage->shell) blend_nodes(cage, out);
}

CT_FN void cti_cage_velocities(const ctModel* m, const ctData* d, const ctiCage* cage, ctReal* out) {
  CT_LANES(i, cage->nodes[0] * cage->nodes[1] * cage->nodes[2]) {
    int node = cage->first + i, body = m->flex_nodebodyid[node];
    ctReal point[3];
    cti_place_point(point, d, body, m->flex_node + 3 * node);
    cti_point_velocity(out + 3 * i, m, d, point, body);
  }
  CT_TEAM_SYNC();
  if (cage->shell) blend_nodes(cage, out);
}

// ---- rotation of an element ----

#define ROTATION_STEPS     500
#define ROTATION_TOLERANCE CT_R(1e-9)

CT_FN void cti_nearest_rotation(ctReal quat[4], const ctReal F[9]) {
  cti_quat_unit(quat);
  for (int step = 0; step < ROTATION_STEPS; step++) {
    ctReal R[9], turn[3] = {0, 0, 0}, dot = 0, q[4];
    cti_quat_to_mat(R, quat);
    for (int c = 0; c < 3; c++) {
      ctReal a[3] = {R[c], R[3 + c], R[6 + c]}, b[3] = {F[c], F[3 + c], F[6 + c]}, t[3];
      cti_cross3(t, a, b);
      cti_add_to3(turn, t);
      dot += cti_dot3(a, b);
    }
    cti_scale3(turn, turn, 1 / (cti_abs(dot) + CTI_MINVAL));
    ctReal angle = cti_normalize3(turn);
    if (angle < ROTATION_TOLERANCE) return;
    cti_quat_axis_angle(q, turn, angle);
    cti_quat_mul(quat, q, quat);
    cti_normalize4(quat);
  }
}

CT_FN int cti_cage_elements(const ctiCage* cage) {
  return cage->shell ? cti_cage_faces(cage) : cage->ncell;
}

// Size of a cell along an axis.
CT_INLINE ctReal cell_size(const ctModel* m, int f, const ctiCage* cage, int axis) {
  return 2 * m->flex_size[3 * f + axis] / (ctReal)cage->cells[axis];
}

// Derivative of the position by the place in the cell, at its centre.
static CT_FN void cell_gradient(ctReal F[9], const ctModel* m, int f, const ctiCage* cage, const int* node,
                                const ctReal* x) {
  ctReal value[3], slope[3];
  int o = cage->order, n = 0;
  cti_cage_basis(value, slope, o, CT_R(0.5));
  for (int k = 0; k < 9; k++) F[k] = 0;
  for (int i = 0; i <= o; i++) {
    for (int j = 0; j <= o; j++) {
      for (int k = 0; k <= o; k++, n++) {
        ctReal g[3] = {slope[i] * value[j] * value[k], value[i] * slope[j] * value[k],
                       value[i] * value[j] * slope[k]};
        for (int r = 0; r < 3; r++) cti_add_scaled3(F + 3 * r, g, x[3 * node[n] + r]);
      }
    }
  }
  for (int c = 0; c < 3; c++) {
    ctReal size = cell_size(m, f, cage, c);
    for (int r = 0; r < 3; r++) F[3 * r + c] /= size;
  }
}

// Tangents of a face at a place on it, slow and fast.
CT_FN void cti_face_tangents(ctReal slow[3], ctReal fast[3], int order, const int* node, const ctReal* x,
                             const ctReal at[2]) {
  ctReal value[2][3], slope[2][3];
  for (int k = 0; k < 2; k++) cti_cage_basis(value[k], slope[k], order, at[k]);
  cti_zero3(slow);
  cti_zero3(fast);
  for (int i = 0, n = 0; i <= order; i++) {
    for (int j = 0; j <= order; j++, n++) {
      cti_add_scaled3(slow, x + 3 * node[n], slope[0][i] * value[1][j]);
      cti_add_scaled3(fast, x + 3 * node[n], value[0][i] * slope[1][j]);
    }
  }
}

CT_FN void cti_face_gradient(ctReal F[9], const ctModel* m, int f, const ctiCage* cage, const int* node,
                             const int axis[3], const ctReal* x) {
  const ctReal centre[2] = {CT_R(0.5), CT_R(0.5)};
  ctReal slow[3], fast[3], normal[3];
  cti_face_tangents(slow, fast, cage->order, node, x, centre);
  cti_scale3(slow, slow, 1 / cell_size(m, f, cage, axis[1]));
  cti_scale3(fast, fast, 1 / cell_size(m, f, cage, axis[2]));
  cti_cross3(normal, slow, fast);
  for (int r = 0; r < 3; r++) {
    F[3 * r + axis[0]] = normal[r];
    F[3 * r + axis[1]] = slow[r];
    F[3 * r + axis[2]] = fast[r];
  }
}

CT_FN void cti_cage_element(ctiCageElement* e, const ctModel* m, int f, const ctiCage* cage, int i,
                            const ctReal* x) {
  if (cage->shell) {
    e->n = cti_cage_face_nodes(cage, i, e->node, e->axis);
    cti_face_gradient(e->F, m, f, cage, e->node, e->axis, x);
  } else {
    e->n = cti_cage_cell_nodes(cage, i, e->node);
    cell_gradient(e->F, m, f, cage, e->node, x);
  }
  e->empty = m->flex_stiffnessadr[f] < 0;
  if (!e->empty) {
    e->S = m->flex_stiffness + m->flex_stiffnessadr[f] + 9 * (int64_t)e->n * e->n * i;
    e->empty = e->S[0] == 0 && e->S[3 * e->n + 1] == 0;
  }
  cti_quat_unit(e->quat);
  if (!e->empty || cage->shell) cti_nearest_rotation(e->quat, e->F);
  cti_quat_to_mat(e->rot, e->quat);
}
