#include "stage/position/flex.h"

#include "data/arena.h"
#include "data/contact.h"
#include "math/sparse.h"
#include "stage/position/rod.h"

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
      const ctReal* row = nodes + 3 * cti_cage_node_at(cage, first[0] + i, first[1] + j, first[2]);
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
  cti_place_point(d->flexvert_xpos + 3 * (first + i), d, m->flex_vertbodyid[first + i],
                  m->flex_vert + 3 * (first + i));
  CT_TEAM_SYNC();
}

// ---- boxes ----

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
    const int dof0 = m->body_dofadr[body[0]], n0 = m->body_dofnum[body[0]], dof1 = m->body_dofadr[body[1]],
              n1 = m->body_dofnum[body[1]];
    if (k == n0 + n1 - 1) {
      // the dofs of one body, then those of the other
      ctReal *J0 = dof0 < dof1 ? J : J + n1, *J1 = dof0 < dof1 ? J + n0 : J;
      for (int i = 0; i < n0; i++) J0[i] = -cti_dot3(dir, d->cdof + 6 * (dof0 + i) + 3);
      for (int i = 0; i < n1; i++) J1[i] = cti_dot3(dir, d->cdof + 6 * (dof1 + i) + 3);
      return;
    }
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
    ctReal radius = reach(m, f), half[2];
    if (!cage && cti_rod_section(m, f, half) && !cti_rod_directors(m, d, f)) status = CT_STEP_OVERFLOW;
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

// Records name the joint of their second edge; that of the first edge comes before, unless the edge is
// clamped.
CT_FN int cti_rod_twist_dof(const ctModel* m, int flex, int edge) {
  const ctReal* record = m->flex_bending + m->flex_bendingadr[flex] + 1;
  int joint = (int)record[CTI_ROD_RECORD * (int64_t)(edge > 0 ? edge - 1 : 0) + 7];
  if (edge == 0) {
    const int* body = m->flex_vertbodyid + m->flex_vertadr[flex];
    const bool clamped = m->body_weldid[body[(int)record[0]]] == m->body_weldid[body[(int)record[1]]];
    if (joint < 1 || clamped) return -1;
    joint--;
  }
  return joint >= 0 && joint < m->njnt ? m->jnt_dofadr[joint] : -1;
}
