// Rods: chains of edges that resist bending and twist. Each edge carries a frame, its tangent and a director,
// which is carried along without turning about the tangent; the twist of an edge is a dof of its own.
//
// The formulas are those of discrete elastic rods (Bergou et al. 2008, 2010): bends are measured by the
// curvature binormal 2 t0 x t1 / (1 + t0.t1) at a vertex.
#include "data/arena.h"
#include "data/awake.h"
#include "stage/velocity/flex_force.h"

// ---- what bends ----

typedef struct Corner {
  ctReal t[2][3];    // tangents before and behind the vertex
  ctReal length[2];  // of the edges
  ctReal kb[3], chi;
} Corner;

static CT_FN void corner_binormal(Corner* c) {
  c->chi = cti_max(1 + cti_dot3(c->t[0], c->t[1]), CTI_MINVAL);
  cti_cross3(c->kb, c->t[0], c->t[1]);
  cti_scale3(c->kb, c->kb, 2 / c->chi);
}

// Gradients of kb . a by both tangents, a fixed.
static CT_FN void binormal_gradient(ctReal G0[3], ctReal G1[3], const Corner* c, const ctReal a[3]) {
  ctReal along = cti_dot3(c->kb, a) / c->chi;
  cti_cross3(G0, c->t[1], a);
  cti_scale3(G0, G0, 2 / c->chi);
  cti_add_scaled3(G0, c->t[1], -along);
  cti_cross3(G1, a, c->t[0]);
  cti_scale3(G1, G1, 2 / c->chi);
  cti_add_scaled3(G1, c->t[0], -along);
}

// From gradients by the tangents to those by the vertices of the two edges, from vertex `at` on.
static CT_FN void add_vertex_gradient(ctReal grad[12], int at, const Corner* c, ctReal G0[3], ctReal G1[3]) {
  cti_add_scaled3(G0, c->t[0], -cti_dot3(G0, c->t[0]));
  cti_add_scaled3(G1, c->t[1], -cti_dot3(G1, c->t[1]));
  const ctReal per0 = 1 / c->length[0], per1 = 1 / c->length[1];
  for (int k = 0; k < 3; k++) {
    ctReal a = G0[k] * per0, b = G1[k] * per1;
    grad[3 * at + k] -= a;
    grad[3 * (at + 1) + k] += a - b;
    grad[3 * (at + 2) + k] += b;
  }
}

static CT_FN ctiRodTerm* new_term(ctiRodBend* bend, ctReal slope, ctReal ks, ctReal kd) {
  ctiRodTerm* term = &bend->term[bend->nterm++];
  term->slope = slope;
  term->ks = ks;
  term->kd = kd;
  for (int k = 0; k < 12; k++) term->grad[k] = 0;
  term->twist[0] = term->twist[1] = 0;
  term->is_twist = false;
  return term;
}

// A term of kb . a; returns it.
static CT_FN ctiRodTerm* bend_term(ctiRodBend* bend, int at, const Corner* c, const ctReal a[3], ctReal slope,
                                   ctReal ks, ctReal kd) {
  ctiRodTerm* term = new_term(bend, slope, ks, kd);
  ctReal G0[3], G1[3];
  binormal_gradient(G0, G1, c, a);
  add_vertex_gradient(term->grad, at, c, G0, G1);
  return term;
}

// The size of a bend against that at rest, rounded off where it vanishes: its square grows by this part of
// that at rest.
#define ROUNDED CT_R(1e-8)

// w (|kb| - rest)^2, or w |kb|^2 where the rod is straight at rest. Where the bend is larger than at rest it
// also resists turning about the tangent `side`. Returns the size of the bend.
static CT_FN ctReal plain_bend(ctiRodBend* bend, int at, const Corner* c, ctReal w, ctReal rest, int side) {
  ctReal a[3], across[3], square = cti_dot3(c->kb, c->kb), size = cti_sqrt(square + ROUNDED * rest * rest);
  if (rest > 0) {
    ctReal excess = size - rest * cti_sqrt(1 + ROUNDED), turn = 2 * w * cti_max(0, excess / size);
    cti_scale3(a, c->kb, 1 / size);
    ctReal part = square / (size * size),
           more = part > 0 ? 2 * w * excess / size * (1 - part) / part : CT_R(0);
    bend_term(bend, at, c, a, 2 * w * excess, cti_max(0, 2 * w + more), part > 0 ? 2 * w / part : CT_R(0));
    if (turn > 0) {
      cti_cross3(across, c->t[side], c->kb);
      cti_scale3(across, across, 1 / cti_sqrt(square));
      bend_term(bend, at, c, across, 0, turn, 0);
    }
    return size;
  }
  for (int k = 0; k < 3; k++) {
    cti_zero3(a);
    a[k] = 1;
    bend_term(bend, at, c, a, 2 * w * c->kb[k], 2 * w, size > 0 ? CT_R(0) : 2 * w);
  }
  if (size > 0) {
    cti_scale3(a, c->kb, 1 / size);
    bend_term(bend, at, c, a, 0, 0, 2 * w);
  }
  return size;
}

static CT_FN void corner_at(Corner* c, const ctReal* x0, const ctReal* x1, const ctReal* x2) {
  cti_frame_along(c->t[0], &c->length[0], x0, x1);
  cti_frame_along(c->t[1], &c->length[1], x1, x2);
  c->length[0] = cti_max(c->length[0], CTI_MINVAL);
  c->length[1] = cti_max(c->length[1], CTI_MINVAL);
  corner_binormal(c);
}

// The two bends as unit vectors across the edge, one turned by the angle at rest: what changes of their
// difference.
static CT_FN void pair_stiffness(ctiRodBend* bend, const Corner c[2], const ctReal size[2],
                                 const ctReal* record, ctReal kd, ctReal cosine, ctReal sine) {
  // along each bend, where rounding leaves a little, and across it
  ctReal grad[2][2][12], C = record[8] / kd, S = record[9] / kd;
  for (int i = 0; i < 2; i++) {
    ctReal a[3], across[3], G0[3], G1[3], length = cti_norm3(c[i].kb), rest = record[6 + i];
    cti_scale3(a, c[i].kb, 1 / length);
    cti_cross3(across, c[i].t[1 - i], a);
    cti_scale3(a, a, ROUNDED * rest * rest / (size[i] * size[i] * size[i]));
    cti_scale3(across, across, 1 / size[i]);
    for (int k = 0; k < 2; k++) {
      for (int v = 0; v < 12; v++) grad[i][k][v] = 0;
      binormal_gradient(G0, G1, &c[i], k ? across : a);
      add_vertex_gradient(grad[i][k], i, &c[i], G0, G1);
    }
  }
  // damping knows their angle alone
  ctiRodTerm* angle = new_term(bend, 0, 0, 2 * kd);
  for (int v = 0; v < 12; v++) angle->grad[v] = grad[1][1][v] - grad[0][1][v];
  // the first, turned by the angle at rest, is off the second by the rest of the angle
  const ctReal cos_off = C * cosine + S * sine, sin_off = S * cosine - C * sine;
  for (int k = 0; k < 2; k++) {
    ctiRodTerm* term = new_term(bend, 0, 2 * kd * (1 + ROUNDED), 0);
    for (int v = 0; v < 12; v++) {
      ctReal turned = k ? sin_off * grad[0][0][v] + cos_off * grad[0][1][v]
                        : cos_off * grad[0][0][v] - sin_off * grad[0][1][v];
      term->grad[v] = turned - grad[1][k][v];
    }
  }
}

// Two bends that share an edge, and the angle between them about it.
static CT_FN void pair_bend(ctiRodBend* bend, const ctReal* record, const ctReal* x) {
  Corner c[2];
  ctReal size[2], part[2], e[3][3], n1[3], n2[3], t[3], sine, cosine;
  const int* v = bend->vert;
  int first[2];
  for (int i = 0; i < 2; i++) {
    corner_at(&c[i], x + 3 * v[i], x + 3 * v[i + 1], x + 3 * v[i + 2]);
    first[i] = bend->nterm;
    size[i] = plain_bend(bend, i, &c[i], record[4 + i], record[6 + i], 1 - i);
    part[i] = size[i] > 0 ? cti_norm3(c[i].kb) / size[i] : CT_R(0);
    if (record[6 + i] > 0) part[i] *= cti_sqrt(1 + ROUNDED);
  }
  ctReal C = record[8], S = record[9], kd = cti_sqrt(C * C + S * S);
  for (int i = 0; i < 3; i++) cti_sub3(e[i], x + 3 * v[i + 1], x + 3 * v[i]);
  cti_cross3(n1, e[0], e[1]);
  cti_cross3(n2, e[1], e[2]);
  ctReal l = cti_norm3(e[1]), s1 = cti_dot3(n1, n1), s2 = cti_dot3(n2, n2);
  if (!(s1 > 0) || !(s2 > 0) || kd == 0) return;
  cti_cross3(t, n1, n2);
  cti_sincos(cti_atan2(cti_dot3(t, e[1]) / l, cti_dot3(n1, n2)), &sine, &cosine);
  // rounded bends hold the angle less where they vanish
  for (int i = 0; i < 2; i++) {
    ctReal rest = record[6 + i];
    if (!(rest > 0) || !(part[i] > 0)) continue;
    bend->term[first[i]].slope += 2 * (kd - C * cosine - S * sine) * part[1 - i] * (1 + ROUNDED) * ROUNDED *
                                  rest * rest / (size[i] * size[i] * size[i] * part[i]);
  }
  pair_stiffness(bend, c, size, record, kd, cosine, sine);
  ctiRodTerm* term = new_term(bend, 2 * part[0] * part[1] * (C * sine - S * cosine), 0, 0);
  // gradient of a dihedral angle: the outer vertices along the normals of their planes
  ctReal *g = term->grad, along0 = cti_dot3(e[0], e[1]) / (l * l), along2 = cti_dot3(e[2], e[1]) / (l * l);
  cti_scale3(g, n1, -l / s1);
  cti_scale3(g + 9, n2, l / s2);
  for (int k = 0; k < 3; k++) {
    g[3 + k] = -(1 + along0) * g[k] + along2 * g[9 + k];
    g[6 + k] = along0 * g[k] - (1 + along2) * g[9 + k];
  }
}

// The twist between two edges: the angle about the second tangent from the first director, carried over, to
// the second.
static CT_FN ctReal frame_twist(const Corner* c, const ctReal* u0, const ctReal* u1) {
  ctReal carried[3], t[3];
  cti_transport(carried, u0, c->t[0], c->t[1]);
  cti_cross3(t, carried, u1);
  return cti_atan2(cti_dot3(t, c->t[1]), cti_dot3(carried, u1));
}

// Its gradients by the tangents.
static CT_FN void twist_gradient(ctReal G0[3], ctReal G1[3], const Corner* c, const ctReal* u0,
                                 const ctReal* u1, const ctReal* old0, const ctReal* old_t0,
                                 const ctReal* old1, const ctReal* old_t1) {
  ctReal carried[3], q[3], q0[3], across[3], t[3];
  cti_transport(carried, u0, c->t[0], c->t[1]);
  // minus the turn of the first director as it arrives
  cti_cross3(q, c->t[1], carried);
  ctReal qt = cti_dot3(q, c->t[0]), tu = cti_dot3(c->t[1], u0), chi = c->chi;
  cti_copy3(q0, q);
  cti_add_scaled3(q0, c->t[1], -qt / chi);
  cti_transport_gradient(G0, q0, old0, old_t0, c->t[0]);
  cti_add_scaled3(G0, q, -tu / chi);
  cti_add_scaled3(G0, c->t[1], qt * tu / (chi * chi));
  cti_scale3(G1, q, -tu / chi);
  cti_add_scaled3(G1, u0, -qt / chi);
  cti_add_scaled3(G1, c->t[0], qt * tu / (chi * chi));
  cti_scale3(G0, G0, -1);
  cti_scale3(G1, G1, -1);
  // plus the turn of the second
  cti_cross3(across, c->t[1], u1);
  cti_transport_gradient(t, across, old1, old_t1, c->t[1]);
  cti_add_to3(G1, t);
}

CT_INLINE ctReal nearest_turn(ctReal angle, ctReal reference) {
  const ctReal turn = CT_R(2 * CTI_PI);
  return angle + turn * cti_round((reference - angle) / turn);
}

// Terms of the curvature along the two directions of one edge's frame, the director following its tangent
// from where it was `old`.
static CT_FN void frame_terms(ctiRodBend* bend, const Corner* c, int side, const ctReal* u,
                              const ctReal* old_u, const ctReal* old_t, ctReal cosine, ctReal sine,
                              const ctReal slope[2], const ctReal ks[2], const ctReal w[2]) {
  const ctReal* t = c->t[side];
  ctReal across[3], q[3], g[3], GP[2][3], GQ[2][3];
  cti_cross3(across, t, u);
  // gradients of P = kb . u and Q = kb . (t x u)
  binormal_gradient(GP[0], GP[1], c, u);
  cti_transport_gradient(g, c->kb, old_u, old_t, t);
  cti_add_to3(GP[side], g);
  binormal_gradient(GQ[0], GQ[1], c, across);
  cti_cross3(q, c->kb, t);
  cti_transport_gradient(g, q, old_u, old_t, t);
  cti_add_to3(GQ[side], g);
  cti_cross3(g, u, c->kb);
  cti_add_to3(GQ[side], g);
  // the same turned by the twist
  for (int k = 0; k < 2; k++) {
    ctReal G[2][3], by_P = k ? -sine : cosine, by_Q = k ? cosine : sine;
    for (int i = 0; i < 2; i++) {
      cti_scale3(G[i], GP[i], by_P);
      cti_add_scaled3(G[i], GQ[i], by_Q);
    }
    ctiRodTerm* term = new_term(bend, slope[k], ks[k], 0);
    add_vertex_gradient(term->grad, 0, c, G[0], G[1]);
    term->twist[side] = k ? -w[0] : w[1];
  }
}

// Curvature in one edge's frame, against that at rest.
static CT_FN void frame_bend(ctiRodBend* bend, int parts, const Corner* c, const ctiRodFrames* s, int edge,
                             int side, ctReal theta, const ctReal kb0[3], const ctReal k[2],
                             ctReal* mean_stiffness) {
  const ctReal *t = c->t[side], *u = s->director + 3 * edge, none[2] = {0, 0};
  ctReal across[3], rest_across[3], sine, cosine;
  cti_cross3(across, t, u);
  cti_sincos(theta, &sine, &cosine);
  ctReal P = cti_dot3(c->kb, u), Q = cti_dot3(c->kb, across);
  const ctReal w[2] = {cosine * P + sine * Q, cosine * Q - sine * P};
  cti_cross3(rest_across, s->rest_tangent + 3 * edge, s->rest_director + 3 * edge);
  const ctReal off[2] = {w[0] - cti_dot3(kb0, s->rest_director + 3 * edge),
                         w[1] - cti_dot3(kb0, rest_across)};
  const ctReal slope[2] = {k[0] * off[0], k[1] * off[1]};
  // forces know where the frames were stored
  if (parts & CTI_ROD_FORCE)
    frame_terms(bend, c, side, u, s->old_director + 3 * edge, s->old_tangent + 3 * edge, cosine, sine, slope,
                none, w);
  // stiffness begins here: what directors do when they follow their tangents is along these, where no bend is
  for (int i = 0; (parts & CTI_ROD_STIFFNESS) && i < 2; i++) {
    ctReal axis[3];
    cti_scale3(axis, u, i ? -sine : cosine);
    cti_add_scaled3(axis, across, i ? cosine : sine);
    bend_term(bend, 0, c, axis, 0, k[i], 0);
  }
  ctReal curve = k[0] * (w[1] * w[1] - off[0] * w[0]) + k[1] * (w[0] * w[0] - off[1] * w[1]);
  bend->stiffen[side] = cti_max(0, curve);
  ctReal size2 = cti_dot3(c->kb, c->kb), part = size2 > 0 ? w[0] * w[0] / size2 : CT_R(0);
  *mean_stiffness += CT_R(0.5) * (cti_sqrt(k[0] * k[1]) * part + k[1] * (1 - part));
}

// The same for both edges of a round rod that is straight at rest: the energy is k |kb|^2, whatever the
// frames. The force is the term that damping of the size of the bend belongs to.
static CT_FN void round_bend(ctiRodBend* bend, int parts, const Corner* c, const ctiRodFrames* s, int edge,
                             ctReal k) {
  const ctReal size = cti_norm3(c->kb);
  if ((parts & CTI_ROD_FORCE) && size > 0) {
    ctReal a[3];
    cti_scale3(a, c->kb, 1 / size);
    bend_term(bend, 0, c, a, 2 * k * size, 0, parts & CTI_ROD_STIFFNESS ? CT_R(0) : 2 * k);
  }
  for (int side = 0; (parts & CTI_ROD_STIFFNESS) && side < 2; side++) {
    ctReal across[3];
    const ctReal* u = s->director + 3 * (edge + side);
    cti_cross3(across, c->t[side], u);
    bend_term(bend, 0, c, u, 0, k, 0);
    bend_term(bend, 0, c, across, 0, k, 0);
  }
}

// Half of the damping of a straight rod, in the frame of one of the two edges.
static CT_FN void straight_damping(ctiRodBend* bend, const Corner* c, const ctiRodFrames* s, int edge,
                                   int side, ctReal theta, const ctReal k[2]) {
  const ctReal *u = s->director + 3 * edge, damp[2] = {cti_sqrt(k[0] * k[1]), k[1]};
  ctReal across[3], sine, cosine;
  cti_cross3(across, c->t[side], u);
  cti_sincos(theta, &sine, &cosine);
  for (int i = 0; i < 2; i++) {
    ctReal axis[3];
    cti_scale3(axis, u, i ? -sine : cosine);
    cti_add_scaled3(axis, across, i ? cosine : sine);
    bend_term(bend, 0, c, axis, 0, 0, damp[i]);
  }
}

static CT_FN void twisted_bend(ctiRodBend* bend, int parts, const ctModel* m, const ctData* d, int f,
                               const ctiRodFrames* s, int i, const ctReal* record) {
  const ctReal stiff[2] = {record[4], record[4] + record[5]}, kt = record[8];
  Corner c, rest;
  ctReal kb0[3] = {0, 0, 0}, theta[2], rate[3], a[3], mean = 0;
  for (int side = 0; side < 2; side++) {
    cti_copy3(c.t[side], s->tangent + 3 * (i + side));
    c.length[side] = cti_max(s->length[i + side], CTI_MINVAL);
    bend->dof[side] = s->dof[i + side];
    bend->clamp[side] = cti_clamp_moves(m, s->clamp[i + side]) ? s->clamp[i + side] : -1;
    cti_copy3(bend->along[side], s->tangent + 3 * (i + side));
    theta[side] = bend->dof[side] >= 0 ? d->qpos[m->jnt_qposadr[m->dof_jntid[bend->dof[side]]]] : CT_R(0);
    cti_copy3(rest.t[side], s->rest_tangent + 3 * (i + side));
  }
  corner_binormal(&c);
  if (record[6] > 0) {
    corner_binormal(&rest);
    cti_copy3(kb0, rest.kb);
  }
  const bool round = record[5] == 0 && !(record[6] > 0);
  if (round) round_bend(bend, parts, &c, s, i, stiff[0]);
  for (int side = 0; side < 2 && !round; side++)
    frame_bend(bend, parts, &c, s, i + side, side, theta[side], kb0, stiff, &mean);
  if (parts == 0) return;
  // damping of the bend: of its size, or where there is none of all of it
  ctReal size = cti_norm3(c.kb), kf = record[5] == 0 ? stiff[0] : mean;
  if (m->flex_damping[f] > 0 && size > 0 && round && parts == CTI_ROD_FORCE) {
    // it is there already
  } else if (m->flex_damping[f] > 0 && size > 0) {
    cti_scale3(a, c.kb, 1 / size);
    bend_term(bend, 0, &c, a, 0, 0, 2 * kf);
  } else if (m->flex_damping[f] > 0 && record[5] != 0) {
    // a flat rod that is straight: each axis of its section as a bend about it would be damped
    for (int side = 0; side < 2; side++) straight_damping(bend, &c, s, i + side, side, theta[side], stiff);
  } else if (m->flex_damping[f] > 0) {
    for (int k = 0; k < 3; k++) {
      cti_zero3(rate);
      rate[k] = 1;
      bend_term(bend, 0, &c, rate, 0, 0, 2 * kf);
    }
  }
  const ctReal *u0 = s->director + 3 * i, *u1 = u0 + 3;
  ctReal G0[3], G1[3];
  if (parts & CTI_ROD_FORCE) {
    const ctReal *old_t0 = s->old_tangent + 3 * i, *old_u0 = s->old_director + 3 * i;
    ctReal turn = frame_twist(&c, u0, u1);
    twist_gradient(G0, G1, &c, u0, u1, old_u0, old_t0, old_u0 + 3, old_t0 + 3);
    if (!s->fresh) turn = nearest_turn(turn, d->plastic[m->flex_plasticadr[f] + 6 * s->nedge + i]);
    ctiRodTerm* term = new_term(bend, 2 * kt * (theta[1] - theta[0] + turn), 0, 0);
    add_vertex_gradient(term->grad, 0, &c, G0, G1);
    term->twist[0] = -1;
    term->twist[1] = 1;
    if (m->flex_damping[f] <= 0) return;
  }
  // damping and stiffness know the rate of the twist from here on, not from where the frames were stored: by
  // both tangents it is half of the binormal
  ctiRodTerm* term = new_term(bend, 0, 2 * kt, 2 * kt);
  term->is_twist = true;
  const ctReal half0 = CT_R(0.5) / c.length[0], half1 = CT_R(0.5) / c.length[1];
  for (int k = 0; k < 3; k++) {
    term->grad[k] = -half0 * c.kb[k];
    term->grad[3 + k] = (half0 - half1) * c.kb[k];
    term->grad[6 + k] = half1 * c.kb[k];
  }
  term->twist[0] = -1;
  term->twist[1] = 1;
}

CT_FN void cti_rod_bend(ctiRodBend* bend, int parts, const ctModel* m, const ctData* d, int f,
                        const ctiRodFrames* frames, int i) {
  const ctReal* record = cti_rod_record(m, f, i);
  const ctReal* x = d->flexvert_xpos + 3 * (int64_t)m->flex_vertadr[f];
  bend->nterm = 0;
  bend->nvert = record[3] >= 0 ? 4 : 3;
  for (int k = 0; k < bend->nvert; k++) bend->vert[k] = (int)record[k];
  bend->dof[0] = bend->dof[1] = bend->clamp[0] = bend->clamp[1] = -1;
  bend->stiffen[0] = bend->stiffen[1] = 0;
  if (bend->nvert == 4) {
    pair_bend(bend, record, x);
  } else if (frames->nedge > 0) {
    twisted_bend(bend, parts, m, d, f, frames, i, record);
  } else {
    Corner c;
    corner_at(&c, x + 3 * bend->vert[0], x + 3 * bend->vert[1], x + 3 * bend->vert[2]);
    plain_bend(bend, 0, &c, record[4], record[6], 1);
  }
}

CT_FN void cti_rod_store(const ctModel* m, ctData* d, int f, const ctiRodFrames* s) {
  ctReal* stored = d->plastic + m->flex_plasticadr[f];
  ctReal* twist = stored + 6 * s->nedge;
  CT_TEAM_SYNC();
  if (CT_LANE == 0) {
    for (int i = 0; i + 1 < s->nedge; i++) {
      Corner c;
      for (int side = 0; side < 2; side++) {
        cti_copy3(c.t[side], s->tangent + 3 * (i + side));
        c.length[side] = s->length[i + side];
      }
      corner_binormal(&c);
      ctReal turn = frame_twist(&c, s->director + 3 * i, s->director + 3 * (i + 1));
      twist[i] = s->fresh ? turn : nearest_turn(turn, twist[i]);
    }
    for (int e = 0; e < s->nedge; e++) {
      cti_copy3(stored + 6 * e, s->tangent + 3 * e);
      cti_copy3(stored + 6 * e + 3, s->director + 3 * e);
    }
  }
  CT_TEAM_SYNC();
}

// ---- forces ----

// A clamp twists its edge: how fast it spins about the edge, and what a torque about it does.
static CT_FN ctReal clamp_spin(const ctModel* m, const ctData* d, const ctiRodBend* bend, int side) {
  ctReal spin = 0;
  for (int k = cti_last_dof(m, bend->clamp[side]); k >= 0; k = m->dof_parentid[k])
    spin += d->qvel[k] * cti_dot3(d->cdof + 6 * k, bend->along[side]);
  return spin;
}

static CT_FN void twist_clamp(const ctModel* m, const ctData* d, ctReal* qfrc, const ctiRodBend* bend,
                              int side, ctReal torque) {
  for (int k = cti_last_dof(m, bend->clamp[side]); k >= 0; k = m->dof_parentid[k])
    qfrc[k] += torque * cti_dot3(d->cdof + 6 * k, bend->along[side]);
}

CT_FN ctStatus cti_rod_forces(const ctiFlexForce* w) {
  const ctModel* m = w->m;
  ctData* d = w->d;
  size_t mark = cti_scratch_mark(d);
  ctiRodFrames frames;
  bool ok = cti_rod_frames(&frames, m, d, w->flex);
  const int count = ok ? cti_rod_records(m, w->flex) : 0;
  const ctReal damping = m->flex_damping[w->flex];
  for (int i = 0; i < count; i++) {
    ctiRodBend bend;
    cti_rod_bend(&bend, CTI_ROD_FORCE, m, d, w->flex, &frames, i);
    for (int k = 0; k < bend.nterm; k++) {
      const ctiRodTerm* term = &bend.term[k];
      ctReal rate = 0;
      if (w->damper && term->kd != 0) {
        for (int v = 0; v < bend.nvert; v++) rate += cti_dot3(term->grad + 3 * v, w->v + 3 * bend.vert[v]);
        for (int side = 0; side < 2; side++) {
          if (bend.dof[side] >= 0) rate += term->twist[side] * d->qvel[bend.dof[side]];
          if (bend.clamp[side] >= 0) rate += term->twist[side] * clamp_spin(m, d, &bend, side);
        }
      }
      ctReal pull = -term->slope, drag = -damping * term->kd * rate;
      for (int v = 0; v < bend.nvert; v++) {
        if (!cti_is_mine(bend.vert[v])) continue;
        if (w->spring && pull != 0) cti_add_scaled3(w->spring + 3 * bend.vert[v], term->grad + 3 * v, pull);
        if (w->damper && drag != 0) cti_add_scaled3(w->damper + 3 * bend.vert[v], term->grad + 3 * v, drag);
      }
      for (int side = 0; side < 2; side++) {
        int dof = bend.dof[side];
        if (bend.clamp[side] >= 0 && CT_LANE == 0 && d->body_awake[bend.clamp[side]] == CT_AWAKE) {
          if (w->spring) twist_clamp(m, d, d->qfrc_spring, &bend, side, pull * term->twist[side]);
          if (w->damper) twist_clamp(m, d, d->qfrc_damper, &bend, side, drag * term->twist[side]);
        }
        if (dof < 0 || CT_LANE != 0 || !d->tree_awake[m->dof_treeid[dof]]) continue;
        if (w->spring) d->qfrc_spring[dof] += pull * term->twist[side];
        if (w->damper) d->qfrc_damper[dof] += drag * term->twist[side];
      }
    }
  }
  CT_TEAM_SYNC();
  cti_scratch_release(d, mark);
  return ok ? CT_OK : CT_STEP_OVERFLOW;
}
