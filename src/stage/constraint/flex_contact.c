#include "stage/constraint/flex_contact.h"

#include "data/arena.h"
#include "math/simplex.h"
#include "stage/position/flex.h"

CT_FN bool cti_holders_scratch(ctiHolders* out, ctData* d) {
  out->n = 0;
  out->body = CTI_SCRATCH(d, int, CTI_CONTACT_HOLDERS, "contact.holders");
  out->weight = CTI_SCRATCH(d, ctReal, CTI_CONTACT_HOLDERS, "contact.weights");
  return out->body && out->weight;
}

// Another body; `first`: where this side begins. `weight`: without sign.
static CT_FN void hold(ctiHolders* out, const ctModel* m, int first, int body, ctReal weight) {
  out->tran += weight * m->body_invweight0[2 * body];
  out->rot += weight * m->body_invweight0[2 * body + 1];
  if (!out->body) return;
  for (int i = first; i < out->n; i++) {
    if (out->body[i] != body) continue;
    out->weight[i] += weight;
    return;
  }
  out->body[out->n] = body;
  out->weight[out->n++] = weight;
}

// A node of a cage. One inside a shell is blended from the surface: faces, less edges, plus corners.
static CT_FN void hold_node(ctiHolders* out, int first, const ctModel* m, const ctiCage* cage, const int at[3],
                            ctReal weight) {
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
      if (w != 0) hold(out, m, first, m->flex_nodebodyid[cage->first + (p[0] * cage->nodes[1] + p[1]) * cage->nodes[2] + p[2]], w);
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

static CT_FN void hold_flex(ctiHolders* out, const ctModel* m, const ctData* d, const ctContact* con, int side) {
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
    if (con->geom[side] >= 0) {
      hold(out, m, first, m->geom_bodyid[con->geom[side]], 1);
    } else {
      hold_flex(out, m, d, con, side);
    }
    for (int i = first; side == 0 && i < out->n; i++) out->weight[i] = -out->weight[i];
  }
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

CT_FN int cti_holders_dofs(const ctiHolders* holders, const ctModel* m, int* dof) {
  int n = 0;
  for (int i = 0; i < holders->n; i++) {
    for (int k = cti_last_dof(m, holders->body[i]); k >= 0; k = m->dof_parentid[k]) n = list_dof(dof, n, k);
  }
  return n;
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
}
