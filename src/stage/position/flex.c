#include "stage/position/flex.h"

#include "data/arena.h"
#include "math/sparse.h"

// ---- cages ----

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

CT_INLINE int node_at(const ctiCage* cage, int i, int j, int k) {
  return (i * cage->nodes[1] + j) * cage->nodes[2] + k;
}

CT_FN int cti_cage_cell_nodes(const ctiCage* cage, int cell, int out[CTI_CAGE_NODES]) {
  int o = cage->order, n = 0;
  int k0 = o * (cell % cage->cells[2]), rest = cell / cage->cells[2];
  int j0 = o * (rest % cage->cells[1]), i0 = o * (rest / cage->cells[1]);
  for (int i = 0; i <= o; i++) {
    for (int j = 0; j <= o; j++) {
      for (int k = 0; k <= o; k++) out[n++] = node_at(cage, i0 + i, j0 + j, k0 + k);
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
      out[n++] = node_at(cage, at[0], at[1], at[2]);
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
      cti_add_scaled3(sum, nodes + 3 * node_at(cage, p[0], p[1], p[2]), w);
    }
  }
  cti_copy3(nodes + 3 * node_at(cage, i, j, k), sum);
}

static CT_FN void blend_nodes(const ctiCage* cage, ctReal* nodes) {
  int ni = cage->nodes[0] - 2, nj = cage->nodes[1] - 2, nk = cage->nodes[2] - 2;
  CT_LANES(n, ni * nj * nk) blend_node(cage, nodes, 1 + n / (nj * nk), 1 + n / nk % nj, 1 + n % nk);
  CT_TEAM_SYNC();
}

// A point fixed to a body; most are at its origin.
static CT_FN void place_point(ctReal out[3], const ctData* d, int body, const ctReal local[3]) {
  if (local[0] == 0 && local[1] == 0 && local[2] == 0) {
    cti_copy3(out, d->xpos + 3 * body);
  } else {
    cti_mul_mat_vec3(out, d->xmat + 9 * body, local);
    cti_add_to3(out, d->xpos + 3 * body);
  }
}

CT_FN void cti_cage_positions(const ctModel* m, const ctData* d, const ctiCage* cage, ctReal* out) {
  CT_LANES(i, cage->nodes[0] * cage->nodes[1] * cage->nodes[2]) {
    int node = cage->first + i;
    place_point(out + 3 * i, d, m->flex_nodebodyid[node], m->flex_node + 3 * node);
  }
  CT_TEAM_SYNC();
  if (cage->shell) blend_nodes(cage, out);
}

CT_FN void cti_cage_velocities(const ctModel* m, const ctData* d, const ctiCage* cage, ctReal* out) {
  CT_LANES(i, cage->nodes[0] * cage->nodes[1] * cage->nodes[2]) {
    int node = cage->first + i, body = m->flex_nodebodyid[node];
    ctReal point[3];
    place_point(point, d, body, m->flex_node + 3 * node);
    cti_point_velocity(out + 3 * i, m, d, point, body);
  }
  CT_TEAM_SYNC();
  if (cage->shell) blend_nodes(cage, out);
}

// ---- vertices ----

static CT_FN void interpolate_vertex(const ctModel* m, ctData* d, const ctiCage* cage, int v,
                                     const ctReal* nodes) {
  ctReal value[3][3], slope[3];
  int first[3], o = cage->order;
  for (int a = 0; a < 3; a++) {
    ctReal s = m->flex_vert0[3 * v + a] * (ctReal)cage->cells[a];
    int cell = (int)s;
    if (s < 0) cell = 0;
    if (cell > cage->cells[a] - 1) cell = cage->cells[a] - 1;
    cti_cage_basis(value[a], slope, o, s - (ctReal)cell);
    first[a] = o * cell;
  }
  ctReal sum[3] = {0, 0, 0};
  for (int i = 0; i <= o; i++) {
    for (int j = 0; j <= o; j++) {
      const ctReal* row = nodes + 3 * node_at(cage, first[0] + i, first[1] + j, first[2]);
      for (int k = 0; k <= o; k++) cti_add_scaled3(sum, row + 3 * k, value[0][i] * value[1][j] * value[2][k]);
    }
  }
  cti_copy3(d->flexvert_xpos + 3 * v, sum);
}

static CT_FN bool interpolated_vertices(const ctModel* m, ctData* d, int f) {
  ctiCage cage = cti_cage(m, f);
  size_t mark = cti_scratch_mark(d);
  ctReal* nodes = CTI_SCRATCH(d, ctReal, 3 * (int64_t)m->flex_nodenum[f], "flex.nodes");
  if (nodes) {
    cti_cage_positions(m, d, &cage, nodes);
    int first = m->flex_vertadr[f];
    CT_LANES(i, m->flex_vertnum[f]) interpolate_vertex(m, d, &cage, first + i, nodes);
    CT_TEAM_SYNC();
  }
  cti_scratch_release(d, mark);
  return nodes != (ctReal*)0;
}

static CT_FN void free_vertices(const ctModel* m, ctData* d, int f) {
  int first = m->flex_vertadr[f];
  CT_LANES(i, m->flex_vertnum[f])
  place_point(d->flexvert_xpos + 3 * (first + i), d, m->flex_vertbodyid[first + i],
              m->flex_vert + 3 * (first + i));
  CT_TEAM_SYNC();
}

// ---- boxes ----

// The stiffness of bending goes with the cube of the size: its ratio tells the other half size.
CT_FN bool cti_rod_section(const ctModel* m, int flex, ctReal half[2]) {
  if (m->flex_dim[flex] != 1 || m->flex_bendingadr[flex] < 0) return false;
  const ctReal* record = m->flex_bending + m->flex_bendingadr[flex];
  if (!(record[0] >= 1) || record[1 + 3] >= 0 || record[1 + 9] == 0) return false;
  half[1] = cti_abs(record[1 + 9]);
  half[0] = half[1] * cti_sqrt(1 + record[1 + 5] / record[1 + 4]);
  return true;
}

// How far a deformable reaches beyond its vertices.
static CT_FN ctReal reach(const ctModel* m, int f) {
  ctReal half[2];
  return cti_rod_section(m, f, half) ? cti_sqrt(half[0] * half[0] + half[1] * half[1]) : m->flex_radius[f];
}

static CT_FN void element_box(const ctModel* m, ctData* d, int f, int e, ctReal radius) {
  const int n = m->flex_dim[f] + 1;
  const int* vert = m->flex_elem + m->flex_elemdataadr[f] + n * e;
  const ctReal* xpos = d->flexvert_xpos + 3 * (int64_t)m->flex_vertadr[f];
  ctReal* box = d->flexelem_aabb + 6 * (int64_t)(m->flex_elemadr[f] + e);
  for (int a = 0; a < 3; a++) {
    ctReal low = xpos[3 * vert[0] + a], high = low;
    for (int k = 1; k < n; k++) {
      low = cti_min(low, xpos[3 * vert[k] + a]);
      high = cti_max(high, xpos[3 * vert[k] + a]);
    }
    box[a] = CT_R(0.5) * (high + low);
    box[3 + a] = CT_R(0.5) * (high - low) + radius;
  }
}

static CT_FN void join_boxes(ctReal out[6], const ctReal a[6], const ctReal b[6]) {
  for (int k = 0; k < 3; k++) {
    ctReal low = cti_min(a[k] - a[3 + k], b[k] - b[3 + k]), high = cti_max(a[k] + a[3 + k], b[k] + b[3 + k]);
    out[k] = CT_R(0.5) * (high + low);
    out[3 + k] = CT_R(0.5) * (high - low);
  }
}

// Leaves are elements; children come behind their parents.
static CT_FN void refit_boxes(const ctModel* m, ctData* d, int f) {
  int root = m->flex_bvhadr[f];
  if (root < 0) return;
  ctReal* box = d->bvh_aabb_dyn + 6 * (int64_t)(root - m->nbvhstatic);
  for (int i = m->flex_bvhnum[f] - 1; i >= 0; i--) {
    int element = m->bvh_nodeid[root + i];
    const int* child = m->bvh_child + 2 * (root + i);
    ctReal* to = box + 6 * i;
    if (element >= 0) {
      const ctReal* from = d->flexelem_aabb + 6 * (int64_t)(m->flex_elemadr[f] + element);
      for (int k = 0; k < 6; k++) to[k] = from[k];
    } else if (child[0] >= 0 && child[1] >= 0) {
      join_boxes(to, box + 6 * child[0], box + 6 * child[1]);
    }
  }
}

// ---- edges ----

// Rate of an edge's length per dof: what moves its second end along it, less what moves the first.
static CT_FN void edge_gradient(const ctModel* m, ctData* d, int edge, const int body[2],
                                const ctReal* end[2], const ctReal dir[3]) {
  const int adr = m->flexedge_J_rowadr[edge];
  const int* col = m->flexedge_J_colind + adr;
  ctReal* J = d->flexedge_J + adr;
  int k = m->flexedge_J_rownnz[edge] - 1;
  if (k < 0) return;
  if (cti_only_slides(m, body[0]) && cti_only_slides(m, body[1])) {
    int dof0 = m->body_dofadr[body[0]], n0 = m->body_dofnum[body[0]];
    for (; k >= 0; k--) {
      bool first = col[k] >= dof0 && col[k] < dof0 + n0;
      ctReal rate = cti_dot3(dir, d->cdof + 6 * col[k] + 3);
      J[k] = first ? -rate : rate;
    }
    return;
  }
  int at[2] = {cti_last_dof(m, body[0]), cti_last_dof(m, body[1])};
  for (; k >= 0; k--) {
    J[k] = 0;
    for (int side = 0; side < 2; side++) {
      if (at[side] != col[k]) continue;
      ctReal motion[6];
      cti_motion_shift(motion, d->cdof + 6 * col[k], end[side],
                       d->subtree_com + 3 * m->body_rootid[body[side]]);
      J[k] += (side ? CT_R(1) : CT_R(-1)) * cti_dot3(dir, motion + 3);
      at[side] = m->dof_parentid[at[side]];
    }
  }
}

static CT_FN void flex_edge(const ctModel* m, ctData* d, int f, int edge) {
  const int *vert = m->flex_edge + 2 * edge, first = m->flex_vertadr[f];
  const ctReal* end[2] = {d->flexvert_xpos + 3 * (int64_t)(first + vert[0]),
                          d->flexvert_xpos + 3 * (int64_t)(first + vert[1])};
  const int body[2] = {m->flex_vertbodyid[first + vert[0]], m->flex_vertbodyid[first + vert[1]]};
  ctReal dir[3];
  cti_sub3(dir, end[1], end[0]);
  d->flexedge_length[edge] = cti_normalize3(dir);
  edge_gradient(m, d, edge, body, end, dir);
}

CT_FN ctStatus cti_flexes(const ctModel* m, ctData* d) {
  ctStatus status = CT_OK;
  for (int f = 0; f < m->nflex; f++) {
    bool cage = m->flex_interp[f] != 0;
    if (cage) {
      if (!interpolated_vertices(m, d, f)) status = CT_STEP_OVERFLOW;
    } else {
      free_vertices(m, d, f);
    }
    ctReal radius = reach(m, f);
    CT_LANES(e, m->flex_elemnum[f]) element_box(m, d, f, e, radius);
    CT_TEAM_SYNC();
    if (!(m->opt.disableflags & CT_DSBL_MIDPHASE)) refit_boxes(m, d, f);
    if (cage || m->flex_rigid[f]) continue;
    CT_LANES(e, m->flex_edgenum[f]) flex_edge(m, d, f, m->flex_edgeadr[f] + e);
    CT_TEAM_SYNC();
  }
  return status;
}

CT_FN void cti_flex_velocity(const ctModel* m, ctData* d) {
  if (m->nflexedge == 0) return;
  cti_csr_mul_vec(d->flexedge_velocity, d->flexedge_J, m->flexedge_J_rownnz, m->flexedge_J_rowadr,
                  (const int*)0, m->flexedge_J_colind, d->qvel, m->nflexedge);
}

CT_FN void cti_add_point_force(const ctModel* m, const ctData* d, ctReal* qfrc, const ctReal force[3],
                               const ctReal point[3], int body) {
  if (cti_only_slides(m, body)) {
    for (int k = m->body_dofadr[body]; k < m->body_dofadr[body] + m->body_dofnum[body]; k++)
      qfrc[k] += cti_dot3(d->cdof + 6 * k + 3, force);
  } else {
    const ctReal none[3] = {0, 0, 0};
    cti_add_force_at(m, d, qfrc, force, none, point, body);
  }
}
