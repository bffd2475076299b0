// Stiffness of deformables in the metric: 3 x 3 blocks between points, which become rows and columns of the
// dofs that move them.
#include "data/arena.h"
#include "data/awake.h"
#include "math/sparse.h"
#include "stage/metric/metric.h"
#include "stage/velocity/flex_force.h"

// ---- which points meet ----

// Groups of points of a deformable that are stiff against each other: elements, hinges, bends of rods, cells
// of cages. Kinds are counted one after another.
typedef struct Groups {
  const ctModel* m;
  int flex, npoint;
  ctiCage cage;
  int nedge, nhinge, nbend, ncell;
} Groups;

static CT_FN Groups groups_of(const ctModel* m, int f) {
  Groups g;
  g.m = m;
  g.flex = f;
  g.npoint = m->flex_interp[f] ? m->flex_nodenum[f] : m->flex_vertnum[f];
  g.nedge = cti_flex_stretches(m, f) ? m->flex_edgenum[f] : 0;
  g.nhinge = cti_flex_hinges(m, f) ? m->flex_edgenum[f] : 0;
  g.nbend = cti_flex_is_rod(m, f) ? cti_rod_records(m, f) : 0;
  g.ncell = 0;
  if (m->flex_interp[f]) {
    g.cage = cti_cage(m, f);
    bool stretches =
        cti_flex_is_elastic_cage(m, f) && m->flex_stiffnessadr[f] >= 0 && m->flex_edgeequality[f] != 3;
    if (stretches) g.ncell = cti_cage_elements(&g.cage);
  }
  return g;
}

CT_INLINE int group_count(const Groups* g) {
  return g->nedge + g->nhinge + g->nbend + g->ncell;
}

// Points of group i; returns their number.
static CT_FN int group_points(const Groups* g, int i, int out[CTI_CAGE_NODES]) {
  const ctModel* m = g->m;
  int n = 0, axis[3];
  if (i < g->nedge) {
    const int* end = m->flex_edge + 2 * (m->flex_edgeadr[g->flex] + i);
    out[0] = end[0];
    out[1] = end[1];
    return 2;
  }
  i -= g->nedge;
  if (i < g->nhinge) return cti_hinge_vertices(out, m, g->flex, i) ? 4 : 0;
  i -= g->nhinge;
  if (i < g->nbend) {
    const ctReal* record = m->flex_bending + m->flex_bendingadr[g->flex] + 1 + CTI_ROD_RECORD * (int64_t)i;
    n = record[3] >= 0 ? 4 : 3;
    for (int k = 0; k < n; k++) out[k] = (int)record[k];
    return n;
  }
  i -= g->nbend;
  return g->cage.shell ? cti_cage_face_nodes(&g->cage, i, out, axis) : cti_cage_cell_nodes(&g->cage, i, out);
}

// ---- pattern ----

// Lists of numbers for each of some things: those of thing i begin at adr[i].
typedef struct Lists {
  int *adr, *to;
} Lists;

// Scratch of the pattern.
typedef struct Pattern {
  Lists points;  // that each dof moves
  Lists groups;  // of each point
  int* stamp;    // nv: the last row that had this column
  int* column;   // nv
} Pattern;

CT_INLINE int point_body(const ctModel* m, int f, int p) {
  return cti_flex_body(m, f, p);
}

static CT_FN void close_lists(Lists* l, int n) {
  int total = 0;
  for (int i = 0; i <= n; i++) {
    int count = l->adr[i];
    l->adr[i] = total;
    total += count;
  }
}

static CT_FN void fill_incidence(const Groups* g, Pattern* s, int nv, bool fill) {
  int point[CTI_CAGE_NODES];
  for (int i = 0, n = group_count(g); i < n; i++) {
    int count = group_points(g, i, point);
    for (int k = 0; k < count; k++) {
      if (fill) s->groups.to[s->groups.adr[point[k]]] = i;
      s->groups.adr[point[k]]++;
    }
  }
  (void)nv;
  for (int p = 0; p < g->npoint; p++) {
    for (int k = cti_last_dof(g->m, point_body(g->m, g->flex, p)); k >= 0; k = g->m->dof_parentid[k]) {
      if (fill) s->points.to[s->points.adr[k]] = p;
      s->points.adr[k]++;
    }
  }
}

// After filling, addresses have moved to the ends of the lists.
static CT_FN void rewind_lists(Lists* l, int n) {
  for (int i = n; i > 0; i--) l->adr[i] = l->adr[i - 1];
  l->adr[0] = 0;
}

// Do two dofs move the same points of the deformable?
static CT_FN bool move_alike(const Pattern* s, int a, int b) {
  int n = s->points.adr[a + 1] - s->points.adr[a];
  if (n != s->points.adr[b + 1] - s->points.adr[b]) return false;
  for (int k = 0; k < n; k++) {
    if (s->points.to[s->points.adr[a] + k] != s->points.to[s->points.adr[b] + k]) return false;
  }
  return true;
}

// Columns of the row of a dof that one deformable makes, not in order.
static CT_FN int row_columns(const Groups* g, Pattern* s, int dof, int tag) {
  int n = 0, point[CTI_CAGE_NODES];
  for (int a = s->points.adr[dof]; a < s->points.adr[dof + 1]; a++) {
    int p = s->points.to[a];
    for (int b = s->groups.adr[p]; b < s->groups.adr[p + 1]; b++) {
      int count = group_points(g, s->groups.to[b], point);
      for (int k = 0; k < count; k++) {
        for (int j = cti_last_dof(g->m, point_body(g->m, g->flex, point[k])); j >= 0;
             j = g->m->dof_parentid[j]) {
          if (s->stamp[j] == tag) break;
          s->stamp[j] = tag;
          s->column[n++] = j;
        }
      }
    }
  }
  return n;
}

static CT_FN void sort_columns(int* column, int n) {
  // almost in order: those of neighbours come in runs
  for (int i = 1; i < n; i++) {
    int x = column[i], at = i;
    for (; at > 0 && column[at - 1] > x; at--) column[at] = column[at - 1];
    column[at] = x;
  }
}

// A pattern for the dofs of deformable f; rows that another deformable has made already are joined with it.
static CT_FN bool add_pattern(const ctModel* m, ctData* d, const Groups* g, Lists* rows, int* used,
                              int room) {
  size_t mark = cti_scratch_mark(d);
  Pattern s;
  s.points.adr = CTI_SCRATCH(d, int, m->nv + 1, "metric.points_adr");
  s.groups.adr = CTI_SCRATCH(d, int, g->npoint + 1, "metric.groups_adr");
  s.stamp = CTI_SCRATCH(d, int, m->nv, "metric.stamp");
  s.column = CTI_SCRATCH(d, int, m->nv, "metric.column");
  bool ok = s.points.adr && s.groups.adr && s.stamp && s.column;
  if (!ok) return false;
  for (int i = 0; i <= m->nv; i++) s.points.adr[i] = 0;
  for (int i = 0; i <= g->npoint; i++) s.groups.adr[i] = 0;
  for (int i = 0; i < m->nv; i++) s.stamp[i] = -1;
  fill_incidence(g, &s, m->nv, false);
  close_lists(&s.points, m->nv);
  close_lists(&s.groups, g->npoint);
  s.points.to = CTI_SCRATCH(d, int, s.points.adr[m->nv], "metric.points");
  s.groups.to = CTI_SCRATCH(d, int, s.groups.adr[g->npoint], "metric.groups");
  ok = s.points.to && s.groups.to;
  if (ok) {
    fill_incidence(g, &s, m->nv, true);
    rewind_lists(&s.points, m->nv);
    rewind_lists(&s.groups, g->npoint);
  }
  for (int i = 0; ok && i < m->nv; i++) {
    if (s.points.adr[i + 1] == s.points.adr[i]) continue;
    int before = d->efm_K_rownnz[i], adr = *used, n;
    if (before == 0 && i > 0 && d->efm_K_rownnz[i - 1] > 0 && s.points.adr[i] > s.points.adr[i - 1] &&
        move_alike(&s, i, i - 1)) {
      // the row before it has the same columns
      n = d->efm_K_rownnz[i - 1];
      ok = adr + n <= room;
      for (int k = 0; ok && k < n; k++) rows->to[adr + k] = rows->to[d->efm_K_rowadr[i - 1] + k];
    } else {
      for (int k = 0; k < before; k++) s.stamp[rows->to[d->efm_K_rowadr[i] + k]] = i;
      n = row_columns(g, &s, i, i);
      ok = adr + n + before <= room;
      for (int k = 0; ok && k < before; k++) s.column[n++] = rows->to[d->efm_K_rowadr[i] + k];
      if (ok) sort_columns(s.column, n);
      for (int k = 0; ok && k < n; k++) rows->to[adr + k] = s.column[k];
    }
    d->efm_K_rowadr[i] = adr;
    d->efm_K_rownnz[i] = n;
    *used += n;
  }
  cti_scratch_release(d, mark);
  return ok;
}

// ---- values ----

typedef struct Writer {
  const ctModel* m;
  ctData* d;
  int flex;
  ctReal metric, shift;  // factors of the stiffness in the metric, and in the shift of forces
  const ctReal *x, *v;   // points
  ctReal* pull;          // stiffness times velocity, by points
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

// Three sliders along the axes of the world: blocks go in as they are. Returns the first dof, or -1.
CT_INLINE int plain_dof(const ctModel* m, const ctData* d, int body) {
  if (!cti_only_slides(m, body) || m->body_dofnum[body] != 3) return -1;
  int dof = m->body_dofadr[body];
  const ctReal* axes = d->cdof + 6 * dof;
  bool plain = axes[3] == 1 && axes[6 + 4] == 1 && axes[12 + 5] == 1;
  return plain ? dof : -1;
}

// Motion of a point with a dof that moves its body.
CT_INLINE void point_column(ctReal out[3], const ctModel* m, const ctData* d, int dof, int body,
                            const ctReal* x) {
  ctReal motion[6];
  cti_motion_shift(motion, d->cdof + 6 * dof, x, d->subtree_com + 3 * m->body_rootid[body]);
  cti_copy3(out, motion + 3);
}

// Rows of point a, columns of point b.
static CT_FN void add_side(const Writer* w, int a, int b, const ctReal K[9]) {
  const ctModel* m = w->m;
  ctData* d = w->d;
  const int body_a = point_body(m, w->flex, a), body_b = point_body(m, w->flex, b);
  const int row = plain_dof(m, d, body_a), col = plain_dof(m, d, body_b);
  if (row >= 0 && col >= 0) {
    int at = find_column(d, row, col) - d->efm_K_rowadr[row];
    for (int k = 0; k < 3; k++) {
      ctReal* to = d->efm_K_val + d->efm_K_rowadr[row + k] + at;
      for (int c = 0; c < 3; c++) to[c] += K[3 * k + c];
    }
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

static CT_FN void add_stretching(const Writer* w) {
  const ctModel* m = w->m;
  ctData* d = w->d;
  const int f = w->flex, first = m->flex_edgeadr[f];
  cti_zero(d->flexvert_hessian + 6 * (int64_t)m->flex_vertadr[f], 6 * m->flex_vertnum[f]);
  cti_zero(d->flexedge_hessian + 9 * (int64_t)first, 9 * m->flex_edgenum[f]);
  if (m->flex_dim[f] == 2) {
    for (int e = 0; e < m->flex_elemnum[f]; e++) stretch_element(m, d, f, e, 2);
  } else {
    for (int e = 0; e < m->flex_elemnum[f]; e++) stretch_element(m, d, f, e, 3);
  }
  d->flex_hessian_valid[f] = true;
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

// Is there a point that does not just slide?
static CT_FN bool is_carried(const ctModel* m, const Groups* g) {
  for (int p = 0; p < g->npoint; p++) {
    int body = point_body(m, g->flex, p);
    if (m->body_weldid[body] != 0 && !(cti_only_slides(m, body) && m->body_dofnum[body] == 3)) return true;
  }
  return false;
}

static CT_FN bool add_flex(const ctModel* m, ctData* d, const Groups* g) {
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
    if (m->flex_interp[g->flex]) {
      cti_cage_positions(m, d, &g->cage, x);
      cti_cage_velocities(m, d, &g->cage, v);
    } else {
      CT_LANES(p, g->npoint) cti_point_velocity(v + 3 * p, m, d, x + 3 * p, point_body(m, g->flex, p));
      CT_TEAM_SYNC();
    }
    if (CT_LANE == 0) {
      cti_zero(pull, (int)n);
      if (g->nedge && w.metric != 0) add_stretching(&w);
      if (g->nhinge) add_hinges(&w);
      if (g->nbend) add_rod(&w, &frames, springs ? h * h : CT_R(0), h * damping);
      if (g->ncell) add_cage(&w, &g->cage);
      for (int p = 0; p < g->npoint; p++) {
        ctReal force[3];
        int body = point_body(m, g->flex, p);
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

// Elements that all patterns together can have at most.
static CT_FN int64_t pattern_room(const ctModel* m) {
  int64_t room = 0;
  for (int f = 0; f < m->nflex; f++) {
    if (!cti_flex_is_elastic(m, f)) continue;
    Groups g = groups_of(m, f);
    int point[CTI_CAGE_NODES];
    for (int i = 0, n = group_count(&g); i < n; i++) {
      int count = group_points(&g, i, point), dofs = 0;
      for (int k = 0; k < count; k++) {
        for (int j = cti_last_dof(m, point_body(m, f, point[k])); j >= 0; j = m->dof_parentid[j]) dofs++;
      }
      room += (int64_t)dofs * dofs;
    }
  }
  return room;
}

static CT_FN void list_dofs(const ctModel* m, ctData* d, bool fill) {
  d->nefmdof = 0;
  for (int f = 0; f < m->nflex; f++) {
    if (!cti_flex_is_elastic(m, f)) continue;
    Groups g = groups_of(m, f);
    if (group_count(&g) == 0) continue;
    for (int p = 0; p < g.npoint; p++) {
      int body = point_body(m, f, p);
      if (!cti_only_slides(m, body) || m->body_dofnum[body] != 3) continue;
      if (fill) d->efm_dofid[d->nefmdof] = m->body_dofadr[body];
      d->nefmdof++;
    }
  }
}

// Rows with the same columns.
static CT_FN void find_alike(const ctModel* m, const ctData* d, int* rowsuper) {
  for (int i = m->nv - 1; i >= 0; i--) {
    rowsuper[i] = 0;
    const int n = d->efm_K_rownnz[i];
    if (i == m->nv - 1 || n == 0 || d->efm_K_rownnz[i + 1] != n) continue;
    const int *a = d->efm_K_colind + d->efm_K_rowadr[i], *b = d->efm_K_colind + d->efm_K_rowadr[i + 1];
    bool same = true;
    for (int k = 0; k < n && same; k++) same = a[k] == b[k];
    if (same) rowsuper[i] = rowsuper[i + 1] + 1;
  }
}

CT_FN bool cti_metric_flexes(const ctModel* m, ctData* d) {
  d->nefmK = 0;
  for (int f = 0; f < m->nflex; f++) d->flex_hessian_valid[f] = false;
  const int64_t room = pattern_room(m);
  if (room == 0) return true;
  d->efm_K_rownnz = CTI_ARENA(d, int, m->nv, "efm_K_rownnz");
  d->efm_K_rowadr = CTI_ARENA(d, int, m->nv, "efm_K_rowadr");
  size_t mark = cti_scratch_mark(d);
  Lists rows;
  rows.adr = (int*)0;
  rows.to = CTI_SCRATCH(d, int, room, "metric.columns");
  bool ok = d->efm_K_rownnz && d->efm_K_rowadr && rows.to;
  if (!ok) return false;
  CT_LANES(i, m->nv) d->efm_K_rownnz[i] = d->efm_K_rowadr[i] = 0;
  CT_TEAM_SYNC();
  int used = 0;
  bool carried = false;
  for (int f = 0; f < m->nflex && ok; f++) {
    if (!cti_flex_is_elastic(m, f)) continue;
    Groups g = groups_of(m, f);
    if (group_count(&g) == 0) continue;
    carried = carried || is_carried(m, &g);
    ok = add_pattern(m, d, &g, &rows, &used, (int)room);
  }
  // rows in the order of dofs
  int64_t total = 0;
  for (int i = 0; i < m->nv; i++) total += d->efm_K_rownnz[i];
  if (ok) {
    d->efm_K_colind = CTI_ARENA(d, int, total, "efm_K_colind");
    d->efm_K_val = CTI_ARENA(d, ctReal, total, "efm_K_val");
    ok = d->efm_K_colind && d->efm_K_val;
  }
  if (ok) {
    int at = 0;
    for (int i = 0; i < m->nv; i++) {
      for (int k = 0; k < d->efm_K_rownnz[i]; k++) d->efm_K_colind[at + k] = rows.to[d->efm_K_rowadr[i] + k];
      d->efm_K_rowadr[i] = at;
      at += d->efm_K_rownnz[i];
    }
    cti_team_zero(d->efm_K_val, at);
    d->nefmK = at;
    d->efm_active = carried ? 2 : 1;
    list_dofs(m, d, false);
    d->efm_dofid = CTI_ARENA(d, int, d->nefmdof, "efm_dofid");
    cti_data(d)->metric.K_rowsuper = CTI_ARENA(d, int, m->nv, "metric.K_rowsuper");
    ok = d->efm_dofid && cti_data(d)->metric.K_rowsuper;
    if (ok) find_alike(m, d, cti_data(d)->metric.K_rowsuper);
    if (ok) list_dofs(m, d, true);
  }
  cti_scratch_release(d, mark);
  for (int f = 0; f < m->nflex && ok; f++) {
    if (!cti_flex_is_elastic(m, f)) continue;
    Groups g = groups_of(m, f);
    if (group_count(&g)) ok = add_flex(m, d, &g);
  }
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
