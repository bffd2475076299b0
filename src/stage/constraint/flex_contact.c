#include "stage/constraint/flex_contact.h"

#include "data/arena.h"
#include "math/simplex.h"
#include "stage/position/flex.h"
#include "stage/position/rod.h"

CT_FN bool cti_holders_scratch(ctiHolders* out, ctData* d) {
  out->n = 0;
  out->d = (const ctData*)0;
  out->body = CTI_SCRATCH(d, int, CTI_CONTACT_HOLDERS, "contact.holders");
  out->weight = CTI_SCRATCH(d, ctReal, CTI_CONTACT_HOLDERS, "contact.weights");
  return out->body && out->weight;
}

// Another body; `first`: where this side begins. `weight`: without sign.
static CT_FN void hold(ctiHolders* out, const ctModel* m, int first, int body, ctReal weight) {
  out->tran += weight * m->body_invweight0[2 * body];
  out->rot += weight * m->body_invweight0[2 * body + 1];
  if (out->d) {
    ctReal motion[6];
    cti_motion_shift(motion, out->d->cvel + 6 * body, out->at,
                     out->d->subtree_com + 3 * m->body_rootid[body]);
    cti_add_scaled6(out->vel, motion, out->sign * weight);
  }
  if (!out->body) return;
  for (int i = first; i < out->n; i++) {
    if (out->body[i] != body) continue;
    out->weight[i] += out->sign * weight;
    return;
  }
  out->body[out->n] = body;
  out->weight[out->n++] = out->sign * weight;
}

// A node of a cage. One inside a shell is blended from the surface: faces, less edges, plus corners.
static CT_FN void hold_node(ctiHolders* out, int first, const ctModel* m, const ctiCage* cage,
                            const int at[3], ctReal weight) {
  bool inside = cage->shell;
  for (int a = 0; a < 3; a++) inside = inside && at[a] > 0 && at[a] < cage->nodes[a] - 1;
  if (!inside) {
    int node = (at[0] * cage->nodes[1] + at[1]) * cage->nodes[2] + at[2];
    hold(out, m, first, m->flex_nodebodyid[cage->first + node], weight);
    return;
  }
  for (int pinned = 1; pinned < 8; pinned++) {
    int count = (pinned & 1) + (pinned >> 1 & 1) + (pinned >> 2 & 1);
    for (int sides = 0; sides < 8; sides++) {
      if (sides & ~pinned) continue;
      int p[3];
      ctReal w = count == 2 ? -weight : weight;
      for (int a = 0; a < 3; a++) {
        const int last = cage->nodes[a] - 1, side = sides >> a & 1;
        const ctReal part = (ctReal)at[a] / (ctReal)last;
        p[a] = at[a];
        if (!(pinned >> a & 1)) continue;
        p[a] = side ? last : 0;
        w *= side ? part : 1 - part;
      }
      if (w != 0)
        hold(out, m, first,
             m->flex_nodebodyid[cage->first + (p[0] * cage->nodes[1] + p[1]) * cage->nodes[2] + p[2]], w);
    }
  }
}

// A point inside a cage, as parts of its box.
static CT_FN void hold_point(ctiHolders* out, int first, const ctModel* m, int flex, const ctReal part[3]) {
  ctiCage cage = cti_cage(m, flex);
  ctReal value[3][3], slope[3];
  int corner[3];
  for (int a = 0; a < 3; a++) {
    ctReal s = part[a] * (ctReal)cage.cells[a];
    int cell = s > 0 ? (int)s : 0;
    if (cell > cage.cells[a] - 1) cell = cage.cells[a] - 1;
    cti_cage_basis(value[a], slope, cage.order, s - (ctReal)cell);
    corner[a] = cage.order * cell;
  }
  for (int i = 0; i <= cage.order; i++) {
    for (int j = 0; j <= cage.order; j++) {
      for (int k = 0; k <= cage.order; k++) {
        const int at[3] = {corner[0] + i, corner[1] + j, corner[2] + k};
        const ctReal weight = value[0][i] * value[1][j] * value[2][k];
        if (weight != 0) hold_node(out, first, m, &cage, at, weight);
      }
    }
  }
}

// Vertices of a side, counted in the deformable, and their weights. Returns how many.
static CT_FN int side_vertices(int vert[4], ctReal weight[4], const ctModel* m, const ctData* d,
                               const ctContact* con, int side) {
  const int flex = con->flex[side];
  if (con->vert[side] >= 0) {
    vert[0] = con->vert[side];
    weight[0] = 1;
    return 1;
  }
  const int n = m->flex_dim[flex] + 1;
  const int* corner = m->flex_elem + m->flex_elemdataadr[flex] + (int64_t)con->elem[side] * n;
  const ctReal *at[4], *xpos = d->flexvert_xpos + 3 * (int64_t)m->flex_vertadr[flex];
  for (int i = 0; i < n; i++) {
    vert[i] = corner[i];
    at[i] = xpos + 3 * corner[i];
  }
  cti_simplex_nearest(weight, at, n - 1, con->pos);
  return n;
}

// ---- rods ----

CT_FN int cti_rod_twist_edges(const ctModel* m, int flex) {
  if (m->flex_dim[flex] != 1 || m->flex_interp[flex] != 0 || m->flex_bendingadr[flex] < 0) return 0;
  const ctReal* record = m->flex_bending + m->flex_bendingadr[flex] + 1;
  const int count = (int)record[-1];
  if (count < 1 || record[3] >= 0) return 0;
  for (int i = 0; i < count; i++) {
    if (record[CTI_ROD_RECORD * (int64_t)i + 7] >= 0) return count + 1;
  }
  return 0;
}

// The edge of a rod that a side is on: number in the chain and the vertices of its ends. A vertex is on the
// edge that begins there, or on the last. False where edges have no twist.
static CT_FN bool rod_edge(int* edge, int end[2], const ctModel* m, const ctContact* con, int side) {
  const int flex = con->flex[side];
  const int count = cti_rod_twist_edges(m, flex) - 1;
  if (count < 1) return false;
  const ctReal* record = m->flex_bending + m->flex_bendingadr[flex] + 1;
  const int* corner =
      con->elem[side] >= 0 ? m->flex_elem + m->flex_elemdataadr[flex] + 2 * con->elem[side] : (const int*)0;
  for (int i = 0; i <= count; i++) {
    const ctReal* r = record + CTI_ROD_RECORD * (int64_t)(i < count ? i : count - 1);
    end[0] = (int)r[i < count ? 0 : 1];
    end[1] = (int)r[i < count ? 1 : 2];
    *edge = i;
    if (!corner && (end[0] == con->vert[side] || (i == count && end[1] == con->vert[side]))) return true;
    if (corner &&
        ((corner[0] == end[0] && corner[1] == end[1]) || (corner[0] == end[1] && corner[1] == end[0])))
      return true;
  }
  return false;
}

// How the director of an edge turns about the edge when its direction changes: it follows from where it was
// stored, so that its way back is not quite the way there.
static CT_FN void edge_spin(ctReal out[3], const ctModel* m, const ctData* d, int flex, int edge,
                            const ctReal along[3]) {
  cti_zero3(out);
  if (m->flex_plasticadr[flex] < 0) return;
  const ctReal *old_t = d->plastic + m->flex_plasticadr[flex] + 6 * (int64_t)edge, *old_u = old_t + 3;
  if (cti_dot3(old_t, old_t) == 0) return;
  ctReal u[3], across[3];
  cti_transport(u, old_u, old_t, along);
  cti_cross3(across, along, u);
  cti_transport_gradient(out, across, old_u, old_t, along);
  cti_add_scaled3(out, along, -cti_dot3(out, along));
}

static CT_FN void hold_lever(ctiLever* out, const ctModel* m, const ctData* d, const ctContact* con,
                             int side) {
  int edge, end[2];
  out->body[0] = out->body[1] = out->dof = -1;
  if (con->geom[side] >= 0 || !rod_edge(&edge, end, m, con, side)) return;
  const int flex = con->flex[side], adr = m->flex_vertadr[flex];
  const ctReal *a = d->flexvert_xpos + 3 * (int64_t)(adr + end[0]),
               *b = d->flexvert_xpos + 3 * (int64_t)(adr + end[1]);
  ctReal at[3], half[2];
  cti_sub3(out->along, b, a);
  out->length = cti_normalize3(out->along);
  if (out->length < CTI_MINVAL) return;
  if (con->vert[side] >= 0 && cti_rod_section(m, flex, half)) {
    // a corner of the section touches
    const ctReal* vertex = d->flexvert_xpos + 3 * (int64_t)(adr + con->vert[side]);
    cti_sub3(out->arm, con->pos, vertex);
    cti_add_scaled3(out->arm, con->frame, (side ? CT_R(0.5) : CT_R(-0.5)) * con->dist);
  } else if (con->vert[side] >= 0) {
    // a vertex touches with its skin
    cti_scale3(out->arm, con->frame, side ? -m->flex_radius[flex] : m->flex_radius[flex]);
  } else {
    const ctReal part = cti_segment_nearest(a, b, con->pos);
    for (int i = 0; i < 3; i++) at[i] = a[i] + part * (b[i] - a[i]);
    cti_sub3(out->arm, con->pos, at);
  }
  for (int i = 0; i < 2; i++) out->body[i] = m->flex_vertbodyid[adr + end[i]];
  edge_spin(out->spin, m, d, flex, edge, out->along);
  out->dof = cti_rod_twist_dof(m, flex, edge);
}

static CT_FN void hold_flex(ctiHolders* out, const ctModel* m, const ctData* d, const ctContact* con,
                            int side) {
  const int flex = con->flex[side], adr = m->flex_vertadr[flex], first = out->n;
  const bool cage = m->flex_interp[flex] != 0;
  int vert[4];
  ctReal weight[4], part[3] = {0, 0, 0};
  const int n = side_vertices(vert, weight, m, d, con, side);
  for (int i = 0; i < n; i++) {
    if (cage) {
      cti_add_scaled3(part, m->flex_vert0 + 3 * (int64_t)(adr + vert[i]), weight[i]);
    } else {
      hold(out, m, first, m->flex_vertbodyid[adr + vert[i]], weight[i]);
    }
  }
  if (cage) hold_point(out, first, m, flex, part);
}

CT_FN void cti_contact_holders(ctiHolders* out, const ctModel* m, const ctData* d, const ctContact* con) {
  out->n = 0;
  out->tran = out->rot = 0;
  for (int side = 0; side < 2; side++) {
    const int first = out->n;
    out->sign = side ? CT_R(1) : CT_R(-1);
    if (con->geom[side] >= 0) {
      hold(out, m, first, m->geom_bodyid[con->geom[side]], 1);
    } else {
      hold_flex(out, m, d, con, side);
    }
    if (out->body) hold_lever(&out->lever[side], m, d, con, side);
  }
}

CT_FN void cti_contact_inverse_weight(ctReal* tran, ctReal* rot, const ctModel* m, const ctData* d,
                                      const ctContact* con) {
  ctiHolders sums;
  sums.body = (int*)0;
  sums.d = (const ctData*)0;
  cti_contact_holders(&sums, m, d, con);
  *tran = sums.tran;
  *rot = sums.rot;
}

CT_FN void cti_contact_velocity(ctReal vel[6], const ctModel* m, const ctData* d, const ctContact* con) {
  ctiHolders h;
  h.body = (int*)0;
  h.d = d;
  h.at = con->pos;
  for (int i = 0; i < 6; i++) h.vel[i] = 0;
  cti_contact_holders(&h, m, d, con);
  for (int i = 0; i < 6; i++) vel[i] = h.vel[i];
}

// Put a dof into an ascending list; most come last.
static CT_FN int list_dof(int* dof, int n, int new_dof) {
  int k = n;
  while (k > 0 && dof[k - 1] > new_dof) k--;
  if (k > 0 && dof[k - 1] == new_dof) return n;
  for (int i = n; i > k; i--) dof[i] = dof[i - 1];
  dof[k] = new_dof;
  return n + 1;
}

static CT_FN int list_body(int* dof, int n, const ctModel* m, int body) {
  for (int k = cti_last_dof(m, body); k >= 0; k = m->dof_parentid[k]) n = list_dof(dof, n, k);
  return n;
}

// Bodies of one weld group do not move against each other.
static CT_FN bool all_welded(const ctiHolders* holders, const ctModel* m) {
  const int weld = holders->n > 0 ? m->body_weldid[holders->body[0]] : 0;
  for (int i = 1; i < holders->n; i++) {
    if (m->body_weldid[holders->body[i]] != weld) return false;
  }
  for (int side = 0; side < 2; side++) {
    const ctiLever* lever = holders->lever + side;
    if (lever->body[0] < 0) continue;
    for (int i = 0; i < 2; i++) {
      if (m->body_weldid[lever->body[i]] != weld) return false;
    }
    if (lever->dof >= 0) return false;
  }
  return true;
}

CT_FN int cti_holders_dofs(const ctiHolders* holders, const ctModel* m, int* dof) {
  int n = 0;
  if (all_welded(holders, m)) return 0;
  for (int i = 0; i < holders->n; i++) n = list_body(dof, n, m, holders->body[i]);
  for (int side = 0; side < 2; side++) {
    const ctiLever* lever = holders->lever + side;
    if (lever->body[0] < 0) continue;
    for (int i = 0; i < 2; i++) n = list_body(dof, n, m, lever->body[i]);
    if (lever->dof >= 0) n = list_dof(dof, n, lever->dof);
  }
  return n;
}

// The velocity of the contact is that of the axis and w x arm, its rotation w = along x (v2 - v1) / length
// and the twist about the axis.
static CT_FN void add_lever(ctReal* out, int stride, const ctiLever* lever, ctReal sign, const ctModel* m,
                            const ctData* d, const ctContact* con, const int* dof, int n) {
  const int rows = con->dim < 3 ? con->dim : 3;
  ctReal turn[3];
  if (lever->body[0] < 0) return;
  for (int end = 0; end < 2; end++) {
    const int body = lever->body[end];
    const ctReal scale = (end ? sign : -sign) / lever->length;
    int at = n - 1;
    for (int k = cti_last_dof(m, body); k >= 0; k = m->dof_parentid[k]) {
      while (dof[at] != k) at--;
      ctReal motion[6], w[3];
      cti_motion_shift(motion, d->cdof + 6 * k, con->pos, d->subtree_com + 3 * m->body_rootid[body]);
      cti_cross3(w, lever->along, motion + 3);
      cti_add_scaled3(w, lever->along, cti_dot3(lever->spin, motion + 3));
      cti_cross3(turn, w, lever->arm);
      for (int r = 0; r < rows; r++) out[r * stride + at] += scale * cti_dot3(con->frame + 3 * r, turn);
      for (int r = 3; r < con->dim; r++)
        out[r * stride + at] += scale * cti_dot3(con->frame + 3 * (r - 3), w);
    }
  }
  if (lever->dof < 0) return;
  int at = n - 1;
  while (dof[at] != lever->dof) at--;
  cti_cross3(turn, lever->along, lever->arm);
  for (int r = 0; r < rows; r++) out[r * stride + at] += sign * cti_dot3(con->frame + 3 * r, turn);
  for (int r = 3; r < con->dim; r++)
    out[r * stride + at] += sign * cti_dot3(con->frame + 3 * (r - 3), lever->along);
}

CT_FN void cti_holders_motion(ctReal* out, int stride, const ctiHolders* holders, const ctModel* m,
                              const ctData* d, const ctContact* con, const int* dof, int n) {
  const int rows = con->dim;
  for (int r = 0; r < rows; r++) {
    for (int k = 0; k < n; k++) out[r * stride + k] = 0;
  }
  for (int i = 0; i < holders->n; i++) {
    const int body = holders->body[i];
    const ctReal weight = holders->weight[i];
    const ctReal* com = d->subtree_com + 3 * m->body_rootid[body];
    const bool slides = cti_only_slides(m, body);
    int at = n - 1;
    for (int k = cti_last_dof(m, body); k >= 0; k = m->dof_parentid[k]) {
      while (dof[at] != k) at--;
      ctReal motion[6];
      if (slides) {
        cti_copy6(motion, d->cdof + 6 * k);
      } else {
        cti_motion_shift(motion, d->cdof + 6 * k, con->pos, com);
      }
      for (int r = 0; r < rows && r < 3; r++)
        out[r * stride + at] += weight * cti_dot3(con->frame + 3 * r, motion + 3);
      for (int r = 3; r < rows; r++)
        out[r * stride + at] += weight * cti_dot3(con->frame + 3 * (r - 3), motion);
    }
  }
  for (int side = 0; side < 2; side++)
    add_lever(out, stride, holders->lever + side, side ? CT_R(1) : CT_R(-1), m, d, con, dof, n);
}
