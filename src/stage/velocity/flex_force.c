#include "stage/velocity/flex_force.h"

#include "data/arena.h"
#include "data/awake.h"

// ---- stretching ----

CT_FN void cti_element_strain(ctReal* strain, const ctModel* m, const ctData* d, int f, int element) {
  const int n = CTI_STRETCH_EDGES(m->flex_dim[f]), first = m->flex_edgeadr[f];
  const int* edge = m->flex_elemedge + m->flex_elemedgeadr[f] + n * element;
  const ctReal* offset = cti_flex_offsets(m, d, f, element);
  for (int k = 0; k < n; k++) {
    ctReal length = d->flexedge_length[first + edge[k]], rest = m->flexedge_length0[first + edge[k]];
    strain[k] = length * length - rest * rest;
    if (offset) strain[k] -= offset[k];
  }
}

// Of all edges, whatever elements they belong to: how much longer than at rest they are, squared, and how
// much the squared lengths grow in a step, times damping over its length.
static CT_FN void edge_strains(const ctiFlexForce* w, ctReal* strain) {
  const ctModel* m = w->m;
  const ctData* d = w->d;
  const int first = m->flex_edgeadr[w->flex];
  const ctReal h = m->opt.timestep, scale = m->flex_damping[w->flex] / h;
  CT_LANES(e, m->flex_edgenum[w->flex]) {
    const ctReal length = d->flexedge_length[first + e], rest = m->flexedge_length0[first + e];
    if (w->spring) strain[2 * e] = length * length - rest * rest;
    if (w->damper) {
      const ctReal before = length - h * d->flexedge_velocity[first + e];
      strain[2 * e + 1] = scale * (length * length - before * before);
    }
  }
  CT_TEAM_SYNC();
}

// Tensions of one element: of springs, then of dampers. `n`, its edges, is known where this is compiled.
CT_INLINE void element_tensions(const ctiFlexForce* w, ctReal* tension, const ctReal* strain, int e,
                                const int n) {
  const ctModel* m = w->m;
  const int f = w->flex, *edge = m->flex_elemedge + m->flex_elemedgeadr[f] + n * e;
  const ctReal* K = m->flex_stiffness + m->flex_stiffnessadr[f] +
                    (int64_t)(n == 3 ? CTI_STRETCH_RECORD(2) : CTI_STRETCH_RECORD(3)) * e;
  ctReal own[6];
  if (w->spring) {
    const ctReal* offset = cti_flex_offsets(m, w->d, f, e);
    for (int k = 0; k < n; k++) own[k] = strain[2 * edge[k]];
    for (int k = 0; offset && k < n; k++) own[k] -= offset[k];
    cti_tension(tension, K, own, n);
  }
  if (w->damper) {
    for (int k = 0; k < n; k++) own[k] = strain[2 * edge[k] + 1];
    cti_tension(tension + n, K, own, n);
  }
}

// Tensions of the elements are summed by edge.
CT_INLINE void sum_tensions(const ctiFlexForce* w, ctReal* sum, ctReal* tension, const ctReal* strain,
                            int kept, const int n) {
  const int nelem = w->m->flex_elemnum[w->flex],
            *edges = w->m->flex_elemedge + w->m->flex_elemedgeadr[w->flex];
  for (int first = 0; first < nelem; first += kept) {
    CT_LANES(k, kept) element_tensions(w, tension + 2 * n * k, strain, first + k, n);
    CT_TEAM_SYNC();
    for (int k = 0; k < kept; k++) {
      for (int i = 0; i < n; i++) {
        int edge = edges[n * (first + k) + i];
        if (!cti_is_mine(edge)) continue;
        if (w->spring) sum[2 * edge] += tension[2 * n * k + i];
        if (w->damper) sum[2 * edge + 1] += tension[2 * n * k + n + i];
      }
    }
    CT_TEAM_SYNC();
  }
}

// Then each edge pulls its ends together.
static CT_FN ctStatus stretch_forces(const ctiFlexForce* w) {
  const ctModel* m = w->m;
  ctData* d = w->d;
  const int f = w->flex, n = CTI_STRETCH_EDGES(m->flex_dim[f]);
  const int nelem = m->flex_elemnum[f], nedge = m->flex_edgenum[f],
            *ends = m->flex_edge + 2 * m->flex_edgeadr[f];
  size_t mark = cti_scratch_mark(d);
  // one lane sums as it goes, a team keeps the tensions of all elements
  const int kept = CT_TEAM > 1 ? nelem : 1;
  ctReal* strain = CTI_SCRATCH(d, ctReal, 2 * (int64_t)nedge, "flex.strain");
  ctReal* sum = CTI_SCRATCH(d, ctReal, 2 * (int64_t)nedge, "flex.tension");
  ctReal* tension = CTI_SCRATCH(d, ctReal, 2 * (int64_t)n * kept, "flex.element");
  bool ok = strain && sum && tension;
  if (ok) {
    cti_team_zero(sum, 2 * nedge);
    edge_strains(w, strain);
    if (n == 3) {
      sum_tensions(w, sum, tension, strain, kept, 3);
    } else {
      sum_tensions(w, sum, tension, strain, kept, 6);
    }
    for (int e = 0; e < nedge; e++) {
      ctReal along[3];
      int a = ends[2 * e], b = ends[2 * e + 1];
      cti_sub3(along, w->x + 3 * a, w->x + 3 * b);
      for (int side = 0; side < 2; side++) {
        int v = side ? b : a;
        ctReal sign = side ? CT_R(1) : CT_R(-1);
        if (!cti_is_mine(v)) continue;
        if (w->spring) cti_add_scaled3(w->spring + 3 * v, along, sign * sum[2 * e]);
        if (w->damper) cti_add_scaled3(w->damper + 3 * v, along, sign * sum[2 * e + 1]);
      }
    }
    CT_TEAM_SYNC();
  }
  cti_scratch_release(d, mark);
  return ok ? CT_OK : CT_STEP_OVERFLOW;
}

// ---- bending of hinges ----

CT_FN bool cti_hinge_vertices(int out[4], const ctModel* m, int f, int edge) {
  const int *ends = m->flex_edge + 2 * (m->flex_edgeadr[f] + edge),
            *flap = m->flex_edgeflap + 2 * (m->flex_edgeadr[f] + edge);
  out[0] = ends[0];
  out[1] = ends[1];
  out[2] = flap[0];
  out[3] = flap[1];
  return flap[0] >= 0 && flap[1] >= 0;
}

// How the volume between the four vertices grows with each: what a curved rest shape is held by.
static CT_FN void hinge_lift(ctReal out[12], const ctReal* x, const int vert[4]) {
  ctReal e0[3], e1[3], e2[3];
  cti_sub3(e0, x + 3 * vert[1], x + 3 * vert[0]);
  cti_sub3(e1, x + 3 * vert[2], x + 3 * vert[0]);
  cti_sub3(e2, x + 3 * vert[3], x + 3 * vert[0]);
  cti_cross3(out + 3, e1, e2);
  cti_cross3(out + 6, e2, e0);
  cti_cross3(out + 9, e0, e1);
  for (int k = 0; k < 3; k++) out[k] = -(out[3 + k] + out[6 + k] + out[9 + k]);
}

static CT_FN void hinge_forces(const ctiFlexForce* w) {
  const ctModel* m = w->m;
  const int f = w->flex, yields = cti_flex_hinge_adr(m, f);
  for (int e = 0; e < m->flex_edgenum[f]; e++) {
    const ctReal* b = m->flex_bending + m->flex_bendingadr[f] + (int64_t)CTI_BEND_RECORD * e;
    int vert[4];
    if (!cti_hinge_vertices(vert, m, f, e)) continue;
    ctReal lift[12], bent = b[16] + (yields >= 0 ? w->d->plastic[yields + e] : CT_R(0));
    const bool curved = bent != 0;
    if (curved && w->spring) hinge_lift(lift, w->x, vert);
    for (int i = 0; i < 4; i++) {
      if (!cti_is_mine(vert[i])) continue;
      if (w->spring) {
        ctReal* to = w->spring + 3 * vert[i];
        for (int j = 0; j < 4; j++) cti_add_scaled3(to, w->x + 3 * vert[j], -b[4 * i + j]);
        if (curved) cti_add_scaled3(to, lift + 3 * i, -bent);
      }
      if (w->damper) {
        ctReal* to = w->damper + 3 * vert[i];
        for (int j = 0; j < 4; j++)
          cti_add_scaled3(to, w->v + 3 * vert[j], -m->flex_damping[f] * b[4 * i + j]);
      }
    }
  }
  CT_TEAM_SYNC();
}

// ---- springs and dampers along edges ----

static CT_FN void edge_forces(const ctModel* m, ctData* d, int f, bool springs, bool dampers) {
  const ctReal k = springs ? m->flex_edgestiffness[f] : CT_R(0),
               b = dampers ? m->flex_edgedamping[f] : CT_R(0);
  if (m->flex_rigid[f] || m->flex_interp[f] || (k == 0 && b == 0)) return;
  for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
    if (m->flexedge_rigid[e]) continue;
    int adr = m->flexedge_J_rowadr[e], n = m->flexedge_J_rownnz[e];
    const int* col = m->flexedge_J_colind + adr;
    ctReal pull = -k * (d->flexedge_length[e] - m->flexedge_length0[e]), drag = -b * d->flexedge_velocity[e];
    for (int i = 0; i < n; i++) {
      if (!cti_is_mine(col[i]) || !d->tree_awake[m->dof_treeid[col[i]]]) continue;
      if (k != 0) d->qfrc_spring[col[i]] += pull * d->flexedge_J[adr + i];
      if (b != 0) d->qfrc_damper[col[i]] += drag * d->flexedge_J[adr + i];
    }
  }
  CT_TEAM_SYNC();
}

// ---- contacts that act as springs ----

static CT_FN void contact_forces(const ctModel* m, ctData* d) {
  for (int at = 0, n; at < d->nefmcon; at += 2 + n) {
    n = d->efm_con_ind[at];
    for (int k = at + 2; k < at + 2 + n; k++) {
      int dof = d->efm_con_ind[k];
      if (cti_is_mine(dof) && d->tree_awake[m->dof_treeid[dof]])
        d->qfrc_spring[dof] += d->efm_con_val[at + 1] * d->efm_con_val[k];
    }
  }
  CT_TEAM_SYNC();
}

// ---- all ----

// From points to dofs. Points on bodies that slide have dofs of their own; the others may share them.
static CT_FN void push_points(const ctiFlexForce* w, ctReal* qfrc, const ctReal* force) {
  const ctModel* m = w->m;
  CT_LANES(i, w->npoint) {
    int body = cti_flex_body(m, w->flex, i);
    if (cti_only_slides(m, body) && w->d->body_awake[body] == CT_AWAKE)
      cti_add_point_force(m, w->d, qfrc, force + 3 * i, w->x + 3 * i, body);
  }
  CT_TEAM_SYNC();
  for (int i = 0; i < w->npoint; i++) {
    int body = cti_flex_body(m, w->flex, i);
    if (cti_only_slides(m, body) || m->body_weldid[body] == 0 || w->d->body_awake[body] != CT_AWAKE) continue;
    cti_add_point_force(m, w->d, qfrc, force + 3 * i, w->x + 3 * i, body);
  }
  CT_TEAM_SYNC();
}

static CT_FN ctStatus elastic_forces(const ctModel* m, ctData* d, int f, bool springs, bool dampers) {
  ctiFlexForce w;
  const bool cage = m->flex_interp[f] != 0, damped = dampers && m->flex_damping[f] > 0;
  if (!springs && !damped) return CT_OK;
  w.m = m;
  w.d = d;
  w.flex = f;
  w.npoint = cage ? m->flex_nodenum[f] : m->flex_vertnum[f];
  const int64_t n = 3 * (int64_t)w.npoint;
  ctReal* x = cage ? CTI_SCRATCH(d, ctReal, n, "flex.x") : d->flexvert_xpos + 3 * (int64_t)m->flex_vertadr[f];
  ctReal* v = damped ? CTI_SCRATCH(d, ctReal, n, "flex.v") : (ctReal*)0;
  w.spring = springs ? CTI_SCRATCH(d, ctReal, n, "flex.spring") : (ctReal*)0;
  w.damper = damped ? CTI_SCRATCH(d, ctReal, n, "flex.damper") : (ctReal*)0;
  if (!x || (damped && (!v || !w.damper)) || (springs && !w.spring)) return CT_STEP_OVERFLOW;
  w.x = x;
  w.v = v;
  if (springs) cti_team_zero(w.spring, (int)n);
  if (damped) cti_team_zero(w.damper, (int)n);
  ctStatus status = CT_OK;
  if (cage) {
    ctiCage c = cti_cage(m, f);
    cti_cage_positions(m, d, &c, x);
    if (damped) cti_cage_velocities(m, d, &c, v);
    cti_cage_forces(&w, &c);
  } else {
    if (damped) {
      CT_LANES(i, w.npoint) cti_point_velocity(v + 3 * i, m, d, x + 3 * i, cti_flex_body(m, f, i));
      CT_TEAM_SYNC();
    }
    if (cti_flex_stretches(m, f)) status = stretch_forces(&w);
    if (cti_flex_hinges(m, f)) hinge_forces(&w);
    if (cti_flex_is_rod(m, f)) status = cti_rod_forces(&w);
  }
  if (springs) push_points(&w, d->qfrc_spring, w.spring);
  if (damped) push_points(&w, d->qfrc_damper, w.damper);
  return status;
}

CT_FN ctStatus cti_flex_forces(const ctModel* m, ctData* d) {
  const bool springs = !(m->opt.disableflags & CT_DSBL_SPRING),
             dampers = !(m->opt.disableflags & CT_DSBL_DAMPER);
  ctStatus status = CT_OK;
  for (int f = 0; f < m->nflex; f++) {
    if (cti_flex_is_elastic(m, f)) {
      size_t mark = cti_scratch_mark(d);
      if (elastic_forces(m, d, f, springs, dampers) != CT_OK) status = CT_STEP_OVERFLOW;
      cti_scratch_release(d, mark);
    }
    edge_forces(m, d, f, springs, dampers);
  }
  if (springs) contact_forces(m, d);
  return status;
}
