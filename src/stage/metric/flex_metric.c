// Stiffness of deformables in the metric: 3 x 3 blocks between points, which become rows and columns of the
// dofs that move them.
#include "data/arena.h"
#include "data/awake.h"
#include "math/sparse.h"
#include "stage/metric/flex_pattern.h"
#include "stage/metric/metric.h"
#include "stage/velocity/flex_force.h"

// ---- values ----

typedef struct Writer {
  const ctModel* m;
  ctData* d;
  int flex;
  ctReal metric, shift;  // factors of the stiffness in the metric, and in the shift of forces
  const ctReal *x, *v;   // points
  ctReal* pull;          // stiffness times velocity, by points
  const int *dof, *adr;  // of points and their blocks, see ctiFlexBlocks; NULL where there are none
  const ctiNeighbour* to;
} Writer;

CT_INLINE int find_column(const ctData* d, int row, int col) {
  int low = d->efm_K_rowadr[row], high = low + d->efm_K_rownnz[row] - 1;
  while (low < high) {
    int middle = (low + high) / 2;
    if (d->efm_K_colind[middle] < col) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

CT_FN ctReal cti_metric_diagonal(const ctData* d, int dof) {
  return d->efm_K_rownnz[dof] > 0 ? d->efm_K_val[find_column(d, dof, dof)] : CT_R(0);
}

// Motion of a point with a dof that moves its body.
CT_INLINE void point_column(ctReal out[3], const ctModel* m, const ctData* d, int dof, int body,
                            const ctReal* x) {
  ctReal motion[6];
  cti_motion_shift(motion, d->cdof + 6 * dof, x, d->subtree_com + 3 * m->body_rootid[body]);
  cti_copy3(out, motion + 3);
}

// Where the block of columns of point b is in the rows of point a.
CT_INLINE int find_block(const Writer* w, int a, int b) {
  int low = w->adr[a], high = w->adr[a + 1] - 1;
  const int dof = w->dof[b];
  while (low < high) {
    const int middle = (low + high) / 2;
    if (w->to[middle].dof < dof) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return 3 * (low - w->adr[a]);
}

CT_INLINE void add_to_rows(ctData* d, int row, int at, const ctReal K[9]) {
  for (int k = 0; k < 3; k++) {
    ctReal* to = d->efm_K_val + d->efm_K_rowadr[row + k] + at;
    for (int c = 0; c < 3; c++) to[c] += K[3 * k + c];
  }
}

// Rows of point a, columns of point b.
static CT_FN void add_side(const Writer* w, int a, int b, const ctReal K[9]) {
  const ctModel* m = w->m;
  ctData* d = w->d;
  if (w->dof) {
    if (w->dof[a] >= 0 && w->dof[b] >= 0) add_to_rows(d, w->dof[a], find_block(w, a, b), K);
    return;
  }
  const int body_a = cti_flex_body(m, w->flex, a), body_b = cti_flex_body(m, w->flex, b);
  const int row = cti_plain_dof(m, d, body_a), col = cti_plain_dof(m, d, body_b);
  if (row >= 0 && col >= 0) {
    add_to_rows(d, row, find_column(d, row, col) - d->efm_K_rowadr[row], K);
    return;
  }
  for (int i = cti_last_dof(m, body_a); i >= 0; i = m->dof_parentid[i]) {
    ctReal u[3], t[3];
    point_column(u, m, d, i, body_a, w->x + 3 * a);
    cti_mul_mat_t_vec3(t, K, u);
    for (int j = cti_last_dof(m, body_b); j >= 0; j = m->dof_parentid[j]) {
      ctReal v[3];
      point_column(v, m, d, j, body_b, w->x + 3 * b);
      d->efm_K_val[find_column(d, i, j)] += cti_dot3(t, v);
    }
  }
}

// A block between points a and b, both ways; `in_metric` is what goes there, `spring` the stiffness alone.
static CT_FN void add_block(const Writer* w, int a, int b, const ctReal in_metric[9],
                            const ctReal spring[9]) {
  ctReal t[3];
  add_side(w, a, b, in_metric);
  cti_mul_mat_vec3(t, spring, w->v + 3 * b);
  cti_add_to3(w->pull + 3 * a, t);
  if (a == b) return;
  ctReal turned[9];
  for (int k = 0; k < 9; k++) turned[k] = in_metric[3 * (k % 3) + k / 3];
  add_side(w, b, a, turned);
  cti_mul_mat_t_vec3(t, spring, w->v + 3 * a);
  cti_add_to3(w->pull + 3 * b, t);
}

// The same where damping goes with stiffness.
static CT_FN void add_stiffness(const Writer* w, int a, int b, const ctReal K[9]) {
  ctReal scaled[9];
  for (int k = 0; k < 9; k++) scaled[k] = w->metric * K[k];
  add_block(w, a, b, scaled, K);
}

// ---- stretching ----

// Edges of an element at each of its vertices, and on which end it is: 1 first, -1 second.
typedef struct EdgeEnd {
  int edge, sign;
} EdgeEnd;
CT_CONST EdgeEnd edges_of_triangle[3][2] = {{{1, -1}, {2, 1}}, {{0, 1}, {2, -1}}, {{0, -1}, {1, 1}}};
CT_CONST EdgeEnd edges_of_tetra[4][3] = {{{0, 1}, {2, -1}, {4, 1}},
                                         {{0, -1}, {1, 1}, {5, 1}},
                                         {{1, -1}, {2, 1}, {3, 1}},
                                         {{3, -1}, {4, -1}, {5, -1}}};
CT_CONST int ends_of_triangle[3][2] = {{1, 2}, {2, 0}, {0, 1}};
CT_CONST int ends_of_tetra[6][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {0, 3}, {1, 3}};

// Hessian of one element, into those of its vertices and edges; `dim` is known where this is compiled.
CT_INLINE void stretch_element(const ctModel* m, ctData* d, int f, int e, const int dim) {
  const int n = dim == 2 ? 3 : 6;
  const int *vert = m->flex_elem + m->flex_elemdataadr[f] + (dim + 1) * e,
            *edge = m->flex_elemedge + m->flex_elemedgeadr[f] + n * e;
  const ctReal* K = m->flex_stiffness + m->flex_stiffnessadr[f] + (int64_t)CTI_STRETCH_RECORD(dim) * e;
  const ctReal* x = d->flexvert_xpos + 3 * (int64_t)m->flex_vertadr[f];
  ctReal r[6][3], full[6][6], strain[6], tension[6], W[6][3];
  cti_element_strain(strain, m, d, f, e);
  cti_tension(tension, K, strain, n);
  for (int i = 0, k = 0; i < n; i++) {
    const int* end = dim == 2 ? ends_of_triangle[i] : ends_of_tetra[i];
    cti_sub3(r[i], x + 3 * vert[end[0]], x + 3 * vert[end[1]]);
    for (int j = i; j < n; j++) full[i][j] = full[j][i] = 2 * K[k++];
  }
  ctReal* at_vert = d->flexvert_hessian + 6 * (int64_t)m->flex_vertadr[f];
  ctReal* at_edge = d->flexedge_hessian + 9 * (int64_t)m->flex_edgeadr[f];
  for (int a = 0; a <= dim; a++) {
    // what the tension of each edge does to this vertex
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < 3; k++) {
        ctReal sum = 0;
        for (int c = 0; c < dim; c++) {
          const EdgeEnd at = dim == 2 ? edges_of_triangle[a][c] : edges_of_tetra[a][c];
          sum += (ctReal)at.sign * full[at.edge][j] * r[at.edge][k];
        }
        W[j][k] = sum;
      }
    }
    ctReal *own = at_vert + 6 * vert[a], block[6] = {0, 0, 0, 0, 0, 0};
    for (int c = 0; c < dim; c++) {
      const EdgeEnd at = dim == 2 ? edges_of_triangle[a][c] : edges_of_tetra[a][c];
      const ctReal *w = W[at.edge], *v = r[at.edge], sign = (ctReal)at.sign,
                   held = cti_max(tension[at.edge], 0);
      block[0] += sign * w[0] * v[0] + held;
      block[1] += sign * w[0] * v[1];
      block[2] += sign * w[0] * v[2];
      block[3] += sign * w[1] * v[1] + held;
      block[4] += sign * w[1] * v[2];
      block[5] += sign * w[2] * v[2] + held;
    }
    for (int k = 0; k < 6; k++) own[k] += block[k];
    // the blocks to its neighbours with larger numbers
    for (int c = 0; c < dim; c++) {
      const EdgeEnd to = dim == 2 ? edges_of_triangle[a][c] : edges_of_tetra[a][c];
      const int* end = dim == 2 ? ends_of_triangle[to.edge] : ends_of_tetra[to.edge];
      const int b = to.sign > 0 ? end[1] : end[0];
      if (vert[a] > vert[b]) continue;
      ctReal between[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0}, held = cti_max(tension[to.edge], 0);
      for (int k = 0; k < dim; k++) {
        const EdgeEnd at = dim == 2 ? edges_of_triangle[b][k] : edges_of_tetra[b][k];
        const ctReal *w = W[at.edge], *v = r[at.edge], sign = (ctReal)at.sign;
        for (int i = 0; i < 3; i++) cti_add_scaled3(between + 3 * i, v, sign * w[i]);
      }
      ctReal* out = at_edge + 9 * edge[to.edge];
      for (int k = 0; k < 9; k++) out[k] += between[k];
      out[0] -= held;
      out[4] -= held;
      out[8] -= held;
    }
  }
}

// Hessians of all vertices and edges.
static CT_FN void stretch_elements(const ctModel* m, ctData* d, int f) {
  const int first = m->flex_edgeadr[f];
  cti_zero(d->flexvert_hessian + 6 * (int64_t)m->flex_vertadr[f], 6 * m->flex_vertnum[f]);
  cti_zero(d->flexedge_hessian + 9 * (int64_t)first, 9 * m->flex_edgenum[f]);
  if (m->flex_dim[f] == 2) {
    for (int e = 0; e < m->flex_elemnum[f]; e++) stretch_element(m, d, f, e, 2);
  } else {
    for (int e = 0; e < m->flex_elemnum[f]; e++) stretch_element(m, d, f, e, 3);
  }
  d->flex_hessian_valid[f] = true;
}

static CT_FN void add_stretching(const Writer* w) {
  const ctModel* m = w->m;
  ctData* d = w->d;
  const int f = w->flex, first = m->flex_edgeadr[f];
  for (int v = 0; v < m->flex_vertnum[f]; v++) {
    const ctReal* h = d->flexvert_hessian + 6 * (int64_t)(m->flex_vertadr[f] + v);
    const ctReal K[9] = {h[0], h[1], h[2], h[1], h[3], h[4], h[2], h[4], h[5]};
    add_stiffness(w, v, v, K);
  }
  for (int e = first; e < first + m->flex_edgenum[f]; e++) {
    int a = m->flex_edge[2 * e], b = m->flex_edge[2 * e + 1];
    add_stiffness(w, a < b ? a : b, a < b ? b : a, d->flexedge_hessian + 9 * (int64_t)e);
  }
}

// ---- the other kinds ----

// Hinges that are bent by less than a right angle at rest.
static CT_FN void add_hinges(const Writer* w) {
  const ctModel* m = w->m;
  const int f = w->flex;
  for (int e = 0; e < m->flex_edgenum[f]; e++) {
    const ctReal* b = m->flex_bending + m->flex_bendingadr[f] + (int64_t)CTI_BEND_RECORD * e;
    int vert[4];
    if (!cti_hinge_vertices(vert, m, f, e) || b[0] + b[5] + b[10] + b[15] <= 0) continue;
    for (int i = 0; i < 4; i++) {
      for (int j = i; j < 4; j++) {
        const ctReal s = b[4 * i + j], K[9] = {s, 0, 0, 0, s, 0, 0, 0, s};
        add_stiffness(w, vert[i], vert[j], K);
      }
    }
  }
}

// Edges and hinges of points that have blocks, a row of blocks after another.
static CT_FN void write_blocks(const Writer* w, int npoint, bool stretches) {
  const ctModel* m = w->m;
  ctData* d = w->d;
  const ctReal* own = d->flexvert_hessian + 6 * (int64_t)m->flex_vertadr[w->flex];
  const ctReal* edge = d->flexedge_hessian + 9 * (int64_t)m->flex_edgeadr[w->flex];
  for (int p = 0; p < npoint; p++) {
    if (w->dof[p] < 0 || w->adr[p] == w->adr[p + 1]) continue;
    ctReal *row[3], pull[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) row[k] = d->efm_K_val + d->efm_K_rowadr[w->dof[p] + k];
    for (int i = w->adr[p]; i < w->adr[p + 1]; i++) {
      const ctiNeighbour* q = w->to + i;
      const ctReal s = q->hinge, *v = w->v + 3 * q->point;
      ctReal K[9] = {s, 0, 0, 0, s, 0, 0, 0, s};
      if (stretches && q->point == p) {
        const ctReal* h = own + 6 * p;
        const ctReal block[9] = {h[0], h[1], h[2], h[1], h[3], h[4], h[2], h[4], h[5]};
        for (int k = 0; k < 9; k++) K[k] += block[k];
      } else if (stretches && q->edge >= 0) {
        const ctReal* h = edge + 9 * q->edge;
        const bool turned = p > q->point;
        for (int k = 0; k < 9; k++) K[k] += turned ? h[3 * (k % 3) + k / 3] : h[k];
      }
      for (int k = 0; k < 3; k++) {
        for (int c = 0; c < 3; c++) row[k][c] = w->metric * K[3 * k + c];
        pull[k] += cti_dot3(K + 3 * k, v);
        row[k] += 3;
      }
    }
    cti_add_to3(w->pull + 3 * p, pull);
  }
}

static CT_FN void add_cage(const Writer* w, const ctiCage* cage) {
  for (int i = 0, n = cti_cage_elements(cage); i < n; i++) {
    ctiCageElement e;
    cti_cage_element(&e, w->m, w->flex, cage, i, w->x);
    if (e.empty) continue;
    const int n3 = 3 * e.n;
    for (int a = 0; a < e.n; a++) {
      for (int b = a; b < e.n; b++) {
        ctReal S[9], RS[9], K[9];
        for (int k = 0; k < 9; k++) S[k] = -e.S[(int64_t)(3 * a + k / 3) * n3 + 3 * b + k % 3];
        cti_mul_mat3(RS, e.rot, S);
        cti_mul_mat_mat_t3(K, RS, e.rot);
        add_stiffness(w, e.node[a], e.node[b], K);
      }
    }
  }
}

static CT_FN void add_rod(const Writer* w, const ctiRodFrames* frames, ctReal springs, ctReal dampers) {
  for (int i = 0, n = cti_rod_records(w->m, w->flex); i < n; i++) {
    ctiRodBend bend;
    cti_rod_bend(&bend, CTI_ROD_STIFFNESS, w->m, w->d, w->flex, frames, i);
    for (int a = 0; a < bend.nvert; a++) {
      for (int b = a; b < bend.nvert; b++) {
        // the twist stiffens the vertices, but forces are not taken at the end of the step for it
        ctReal K[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0}, Ks[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
        for (int t = 0; t < bend.nterm; t++) {
          const ctiRodTerm* term = &bend.term[t];
          const ctReal in_metric = springs * term->ks + dampers * term->kd,
                       spring = term->is_twist ? CT_R(0) : term->ks;
          if (in_metric == 0) continue;
          const ctReal *ga = term->grad + 3 * a, *gb = term->grad + 3 * b;
          for (int k = 0; k < 3; k++) {
            cti_add_scaled3(K + 3 * k, gb, in_metric * ga[k]);
            if (spring != 0) cti_add_scaled3(Ks + 3 * k, gb, spring * ga[k]);
          }
        }
        add_block(w, bend.vert[a], bend.vert[b], K, Ks);
      }
    }
  }
}

// `first`: the first point of the deformable among those that have blocks.
static CT_FN bool add_flex(const ctModel* m, ctData* d, const ctiFlexGroups* g, const ctiFlexBlocks* blocks,
                           int first) {
  const ctReal h = m->opt.timestep;
  const bool springs = !(m->opt.disableflags & CT_DSBL_SPRING),
             dampers = !(m->opt.disableflags & CT_DSBL_DAMPER);
  const ctReal damping = dampers ? m->flex_damping[g->flex] : CT_R(0);
  size_t mark = cti_scratch_mark(d);
  const int64_t n = 3 * (int64_t)g->npoint;
  ctReal* x = m->flex_interp[g->flex] ? CTI_SCRATCH(d, ctReal, n, "metric.x")
                                      : d->flexvert_xpos + 3 * (int64_t)m->flex_vertadr[g->flex];
  ctReal* v = CTI_SCRATCH(d, ctReal, n, "metric.v");
  ctReal* pull = CTI_SCRATCH(d, ctReal, n, "metric.pull");
  ctiRodFrames frames;
  frames.nedge = 0;
  bool ok = x && v && pull && (g->nbend == 0 || cti_rod_frames(&frames, m, d, g->flex));
  if (ok) {
    Writer w;
    w.m = m;
    w.d = d;
    w.flex = g->flex;
    w.metric = (springs ? h * h : CT_R(0)) + h * damping;
    w.shift = springs ? h : CT_R(0);
    w.x = x;
    w.v = v;
    w.pull = pull;
    w.dof = blocks->plain ? blocks->dof + first : (const int*)0;
    w.adr = blocks->plain ? blocks->adr + first : (const int*)0;
    w.to = blocks->to;
    if (m->flex_interp[g->flex]) {
      cti_cage_positions(m, d, &g->cage, x);
      cti_cage_velocities(m, d, &g->cage, v);
    } else {
      CT_LANES(p, g->npoint) cti_point_velocity(v + 3 * p, m, d, x + 3 * p, cti_flex_body(m, g->flex, p));
      CT_TEAM_SYNC();
    }
    if (CT_LANE == 0) {
      cti_zero(pull, (int)n);
      const bool stretches = g->nedge && w.metric != 0;
      if (stretches) stretch_elements(m, d, g->flex);
      if (w.dof) {
        if (g->nedge || g->nhinge) write_blocks(&w, g->npoint, stretches);
      } else {
        if (stretches) add_stretching(&w);
        if (g->nhinge) add_hinges(&w);
      }
      if (g->nbend) add_rod(&w, &frames, springs ? h * h : CT_R(0), h * damping);
      if (g->ncell) add_cage(&w, &g->cage);
      for (int p = 0; p < g->npoint; p++) {
        ctReal force[3];
        int body = cti_flex_body(m, g->flex, p);
        if (m->body_weldid[body] == 0) continue;
        cti_scale3(force, pull + 3 * p, -w.shift);
        cti_add_point_force(m, d, d->efm_c, force, x + 3 * p, body);
      }
    }
    CT_TEAM_SYNC();
  }
  cti_scratch_release(d, mark);
  return ok;
}

CT_FN bool cti_metric_flexes(const ctModel* m, ctData* d) {
  for (int f = 0; f < m->nflex; f++) d->flex_hessian_valid[f] = false;
  size_t mark = cti_scratch_mark(d);
  ctiFlexBlocks blocks;
  bool ok = cti_flex_pattern(&blocks, m, d);
  int first = 0;
  for (int f = 0; f < m->nflex && ok; f++) {
    ctiFlexGroups g = cti_flex_groups(m, f);
    if (!cti_flex_in_metric(m, &g)) continue;
    ok = add_flex(m, d, &g, &blocks, first);
    first += g.npoint;
  }
  cti_scratch_release(d, mark);
  return ok;
}

// ---- twist of rods ----

CT_FN int cti_metric_twists(const ctModel* m) {
  int n = 0;
  for (int f = 0; f < m->nflex; f++) {
    if (cti_flex_is_rod(m, f) && m->flex_plasticadr[f] >= 0) n += cti_rod_records(m, f);
  }
  return n;
}

static CT_FN int add_scaled_square(ctiMetric* metric, int at, ctReal scale, const int dof[2],
                                   const ctReal value[2]) {
  int row = metric->nrow, n = 0;
  const int first = dof[0] >= 0 && (dof[1] < 0 || dof[0] < dof[1]) ? 0 : 1;
  if (!(scale > 0)) return at;
  for (int k = 0; k < 2; k++) {
    int side = k ? 1 - first : first;
    if (dof[side] < 0) continue;
    metric->colind[at + n] = dof[side];
    metric->value[at + n++] = value[side];
  }
  if (n == 0) return at;
  metric->rowadr[row] = at;
  metric->rownnz[row] = n;
  metric->scale[row] = scale;
  metric->nrow++;
  return at + n;
}

CT_FN bool cti_metric_add_twists(const ctModel* m, ctData* d, ctiMetric* metric, int at) {
  const ctReal h = m->opt.timestep, between[2] = {-1, 1};
  const bool springs = !(m->opt.disableflags & CT_DSBL_SPRING),
             dampers = !(m->opt.disableflags & CT_DSBL_DAMPER);
  for (int f = 0; f < m->nflex; f++) {
    if (!cti_flex_is_rod(m, f) || m->flex_plasticadr[f] < 0) continue;
    const ctReal square = springs ? h * h : CT_R(0), linear = dampers ? h * m->flex_damping[f] : CT_R(0);
    size_t mark = cti_scratch_mark(d);
    ctiRodFrames frames;
    if (!cti_rod_frames(&frames, m, d, f)) return false;
    for (int i = 0, n = cti_rod_records(m, f); i < n; i++) {
      ctiRodBend bend;
      cti_rod_bend(&bend, 0, m, d, f, &frames, i);
      const ctReal kt = m->flex_bending[m->flex_bendingadr[f] + 1 + CTI_ROD_RECORD * (int64_t)i + 8];
      const ctReal spring = springs ? 2 * kt : CT_R(0);
      const int a = bend.dof[0], b = bend.dof[1];
      ctReal rate = (b >= 0 ? d->qvel[b] : CT_R(0)) - (a >= 0 ? d->qvel[a] : CT_R(0));
      at = add_scaled_square(metric, at, 2 * kt * (square + linear), bend.dof, between);
      for (int side = 0; side < 2; side++) {
        const int dof = bend.dof[side];
        const ctReal bent = springs ? bend.stiffen[side] : CT_R(0);
        if (dof < 0 || CT_LANE != 0) continue;
        // bending stiffens the twist of each edge
        d->efm_diag[dof] += square * bent;
        d->efm_c[dof] -= h * ((side ? spring * rate : -spring * rate) + bent * d->qvel[dof]);
      }
      CT_TEAM_SYNC();
    }
    cti_scratch_release(d, mark);
  }
  return true;
}
