// Rods: chains of edges that resist bending and twist. Each edge carries a frame, its tangent and a director,
// which is carried along without turning about the tangent; the twist of an edge is a dof of its own.
//
// The formulas are those of discrete elastic rods (Bergou et al. 2008, 2010): bends are measured by the
// curvature binormal 2 t0 x t1 / (1 + t0.t1) at a vertex.
#include "data/arena.h"
#include "data/awake.h"
#include "math/quat.h"
#include "stage/velocity/flex_force.h"

CT_FN int cti_rod_records(const ctModel* m, int f) {
  return (int)m->flex_bending[m->flex_bendingadr[f]];
}

CT_INLINE const ctReal* rod_record(const ctModel* m, int f, int i) {
  return m->flex_bending + m->flex_bendingadr[f] + 1 + CTI_ROD_RECORD * (int64_t)i;
}

// `v`, across the unit vector a, turned the shortest way to be across the unit vector b.
static CT_FN void transport(ctReal out[3], const ctReal v[3], const ctReal a[3], const ctReal b[3]) {
  ctReal sum[3], along = cti_dot3(b, v) / cti_max(1 + cti_dot3(a, b), CTI_MINVAL);
  cti_add3(sum, a, b);
  cti_copy3(out, v);
  cti_add_scaled3(out, sum, -along);
}

// Gradient by b of q . transport(v, a, b), b taken as free.
static CT_FN void transport_gradient(ctReal out[3], const ctReal q[3], const ctReal v[3], const ctReal a[3],
                                     const ctReal b[3]) {
  ctReal c = cti_max(1 + cti_dot3(a, b), CTI_MINVAL), bv = cti_dot3(b, v), sum[3];
  cti_add3(sum, a, b);
  ctReal qs = cti_dot3(q, sum);
  cti_scale3(out, q, -bv / c);
  cti_add_scaled3(out, v, -qs / c);
  cti_add_scaled3(out, a, qs * bv / (c * c));
}

// ---- frames ----

// A vertex in the configuration of reference, in world axes, up to a shift.
static CT_FN void rest_vertex(ctReal out[3], const ctModel* m, int f, int vert) {
  const ctReal* place = m->flex_vert0 + 3 * (int64_t)(m->flex_vertadr[f] + vert);
  for (int k = 0; k < 3; k++) out[k] = 2 * place[k] * m->flex_size[3 * f + k];
}

// Ends of an edge of the chain: records name three vertices each.
static CT_FN void chain_edge(int out[2], const ctModel* m, int f, int nedge, int edge) {
  const ctReal* record = rod_record(m, f, edge < nedge - 1 ? edge : nedge - 2);
  int at = edge < nedge - 1 ? 0 : 1;
  out[0] = (int)record[at];
  out[1] = (int)record[at + 1];
}

// The orientation of a body at the reference: joints do not turn there.
static CT_FN void rest_orientation(ctReal quat[4], const ctModel* m, int body) {
  cti_quat_unit(quat);
  for (; body > 0; body = m->body_parentid[body]) cti_quat_mul(quat, m->body_quat + 4 * body, quat);
}

// Some direction across the tangent, as the axes of the body at its first vertex are at the reference; for a
// rectangular section the longer side.
static CT_FN void first_director(ctReal out[3], const ctModel* m, int body, const ctReal t[3],
                                 ctReal section) {
  const ctReal second[3] = {0, 1, 0}, third[3] = {0, 0, 1};
  ctReal quat[4], y[3], z[3];
  rest_orientation(quat, m, body);
  cti_quat_rotate(y, quat, second);
  cti_quat_rotate(z, quat, third);
  cti_copy3(out, cti_abs(cti_dot3(y, t)) < CT_R(0.5) ? y : z);
  cti_add_scaled3(out, t, -cti_dot3(out, t));
  cti_normalize3(out);
  if (section < 0) {
    ctReal turned[3];
    cti_cross3(turned, t, out);
    cti_copy3(out, turned);
  }
}

static CT_FN void frame_along(ctReal tangent[3], ctReal* length, const ctReal* a, const ctReal* b) {
  cti_sub3(tangent, b, a);
  *length = cti_normalize3(tangent);
}

// The body that holds both ends of an edge; -1: none does.
static CT_FN int clamping_body(const ctModel* m, int f, const int ends[2]) {
  const int* body = m->flex_vertbodyid + m->flex_vertadr[f];
  return m->body_weldid[body[ends[0]]] == m->body_weldid[body[ends[1]]] ? body[ends[0]] : -1;
}

// An edge that is clamped turns with its body.
static CT_FN void clamped_director(ctReal out[3], const ctModel* m, const ctData* d, int body,
                                   const ctReal rest_tangent[3], const ctReal rest[3],
                                   const ctReal tangent[3]) {
  ctReal quat[4], turn[4], director[3], along[3];
  rest_orientation(quat, m, body);
  cti_quat_conj(quat, quat);
  cti_quat_mul(turn, d->xquat + 4 * body, quat);
  cti_quat_rotate(director, turn, rest);
  cti_quat_rotate(along, turn, rest_tangent);
  transport(out, director, along, tangent);
}

// Nothing is stored yet.
static CT_FN bool is_fresh(const ctModel* m, const ctData* d, int f, int nedge) {
  const ctReal* stored = d->plastic + m->flex_plasticadr[f];
  for (int k = 0; k < 6 * nedge; k++) {
    if (stored[k] != 0) return false;
  }
  return true;
}

// A clamp that moves.
CT_INLINE bool is_carried(const ctModel* m, int clamp) {
  return clamp >= 0 && m->body_weldid[clamp] != 0;
}

static CT_FN void fill_frames(ctiRodFrames* s, const ctModel* m, const ctData* d, int f) {
  const ctReal* stored = d->plastic + m->flex_plasticadr[f];
  const ctReal* x = d->flexvert_xpos + 3 * (int64_t)m->flex_vertadr[f];
  const ctReal section = rod_record(m, f, 0)[9];
  s->fresh = is_fresh(m, d, f, s->nedge);
  // round rods that are straight at rest need no frames of their rest shape once they have begun
  bool rest = s->fresh;
  for (int i = 0; i + 1 < s->nedge && !rest; i++)
    rest = rod_record(m, f, i)[5] != 0 || rod_record(m, f, i)[6] > 0;
  for (int e = 0; e < s->nedge; e++) {
    int ends[2];
    chain_edge(ends, m, f, s->nedge, e);
    s->clamp[e] = clamping_body(m, f, ends);
    rest = rest || is_carried(m, s->clamp[e]);
  }
  for (int e = 0; e < s->nedge; e++) {
    ctReal *t = s->tangent + 3 * e, *u = s->director + 3 * e, *t0 = s->rest_tangent + 3 * e,
           *u0 = s->rest_director + 3 * e, *old_t = s->old_tangent + 3 * e, *old_u = s->old_director + 3 * e;
    ctReal a[3], b[3], unused;
    int ends[2];
    chain_edge(ends, m, f, s->nedge, e);
    s->dof[e] = cti_rod_twist_dof(m, f, e);
    frame_along(t, &s->length[e], x + 3 * ends[0], x + 3 * ends[1]);
    if (rest) {
      rest_vertex(a, m, f, ends[0]);
      rest_vertex(b, m, f, ends[1]);
      frame_along(t0, &unused, a, b);
      if (e == 0) {
        first_director(u0, m, m->flex_vertbodyid[m->flex_vertadr[f] + ends[0]], t0, section);
      } else {
        transport(u0, u0 - 3, t0 - 3, t0);
      }
    }
    if (s->fresh || is_carried(m, s->clamp[e])) {
      if (s->clamp[e] >= 0) {
        clamped_director(u, m, d, s->clamp[e], t0, u0, t);
      } else if (e > 0) {
        transport(u, u - 3, t - 3, t);
      } else {
        transport(u, u0, t0, t);
      }
      cti_copy3(old_t, t);
      cti_copy3(old_u, u);
    } else {
      cti_copy3(old_t, stored + 6 * e);
      cti_copy3(old_u, stored + 6 * e + 3);
      transport(u, old_u, old_t, t);
    }
  }
}

CT_FN bool cti_rod_frames(ctiRodFrames* s, const ctModel* m, ctData* d, int f) {
  s->nedge = m->flex_plasticadr[f] >= 0 ? cti_rod_records(m, f) + 1 : 0;
  s->fresh = true;
  if (s->nedge == 0) return true;
  const int64_t n = 3 * (int64_t)s->nedge;
  ctReal* room = CTI_SCRATCH(d, ctReal, 6 * (int64_t)n + s->nedge, "rod.frames");
  s->dof = CTI_SCRATCH(d, int, s->nedge, "rod.dof");
  s->clamp = CTI_SCRATCH(d, int, s->nedge, "rod.clamp");
  if (!room || !s->dof || !s->clamp) return false;
  s->tangent = room;
  s->director = room + n;
  s->old_tangent = room + 2 * n;
  s->old_director = room + 3 * n;
  s->rest_tangent = room + 4 * n;
  s->rest_director = room + 5 * n;
  s->length = room + 6 * n;
  if (CT_LANE == 0) fill_frames(s, m, d, f);
  CT_TEAM_SYNC();
  // every lane needs to know
  s->fresh = is_fresh(m, d, f, s->nedge);
  return true;
}

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
  frame_along(c->t[0], &c->length[0], x0, x1);
  frame_along(c->t[1], &c->length[1], x1, x2);
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
  transport(carried, u0, c->t[0], c->t[1]);
  cti_cross3(t, carried, u1);
  return cti_atan2(cti_dot3(t, c->t[1]), cti_dot3(carried, u1));
}

// Its gradients by the tangents.
static CT_FN void twist_gradient(ctReal G0[3], ctReal G1[3], const Corner* c, const ctReal* u0,
                                 const ctReal* u1, const ctReal* old0, const ctReal* old_t0,
                                 const ctReal* old1, const ctReal* old_t1) {
  ctReal carried[3], q[3], q0[3], across[3], t[3];
  transport(carried, u0, c->t[0], c->t[1]);
  // minus the turn of the first director as it arrives
  cti_cross3(q, c->t[1], carried);
  ctReal qt = cti_dot3(q, c->t[0]), tu = cti_dot3(c->t[1], u0), chi = c->chi;
  cti_copy3(q0, q);
  cti_add_scaled3(q0, c->t[1], -qt / chi);
  transport_gradient(G0, q0, old0, old_t0, c->t[0]);
  cti_add_scaled3(G0, q, -tu / chi);
  cti_add_scaled3(G0, c->t[1], qt * tu / (chi * chi));
  cti_scale3(G1, q, -tu / chi);
  cti_add_scaled3(G1, u0, -qt / chi);
  cti_add_scaled3(G1, c->t[0], qt * tu / (chi * chi));
  cti_scale3(G0, G0, -1);
  cti_scale3(G1, G1, -1);
  // plus the turn of the second
  cti_cross3(across, c->t[1], u1);
  transport_gradient(t, across, old1, old_t1, c->t[1]);
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
  transport_gradient(g, c->kb, old_u, old_t, t);
  cti_add_to3(GP[side], g);
  binormal_gradient(GQ[0], GQ[1], c, across);
  cti_cross3(q, c->kb, t);
  transport_gradient(g, q, old_u, old_t, t);
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
    bend->clamp[side] = is_carried(m, s->clamp[i + side]) ? s->clamp[i + side] : -1;
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
  const ctReal* record = rod_record(m, f, i);
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
