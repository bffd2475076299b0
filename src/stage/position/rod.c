#include "stage/position/rod.h"

#include "data/arena.h"
#include "data/data.h"

CT_FN int cti_rod_records(const ctModel* m, int f) {
  return (int)m->flex_bending[m->flex_bendingadr[f]];
}

// A vertex in the configuration of reference, in world axes, up to a shift.
static CT_FN void rest_vertex(ctReal out[3], const ctModel* m, int f, int vert) {
  const ctReal* place = m->flex_vert0 + 3 * (int64_t)(m->flex_vertadr[f] + vert);
  for (int k = 0; k < 3; k++) out[k] = 2 * place[k] * m->flex_size[3 * f + k];
}

// Ends of an edge of the chain: records name three vertices each.
static CT_FN void chain_edge(int out[2], const ctModel* m, int f, int nedge, int edge) {
  const ctReal* record = cti_rod_record(m, f, edge < nedge - 1 ? edge : nedge - 2);
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
  cti_transport(out, director, along, tangent);
}

// Nothing is stored yet.
static CT_FN bool is_fresh(const ctModel* m, const ctData* d, int f, int nedge) {
  const ctReal* stored = d->plastic + m->flex_plasticadr[f];
  for (int k = 0; k < 6 * nedge; k++) {
    if (stored[k] != 0) return false;
  }
  return true;
}

static CT_FN void fill_frames(ctiRodFrames* s, const ctModel* m, const ctData* d, int f) {
  const ctReal* stored = d->plastic + m->flex_plasticadr[f];
  const ctReal* x = d->flexvert_xpos + 3 * (int64_t)m->flex_vertadr[f];
  const ctReal section = cti_rod_record(m, f, 0)[9];
  s->fresh = is_fresh(m, d, f, s->nedge);
  // round rods that are straight at rest need no frames of their rest shape once they have begun
  bool rest = s->fresh;
  for (int i = 0; i + 1 < s->nedge && !rest; i++)
    rest = cti_rod_record(m, f, i)[5] != 0 || cti_rod_record(m, f, i)[6] > 0;
  for (int e = 0; e < s->nedge; e++) {
    int ends[2];
    chain_edge(ends, m, f, s->nedge, e);
    s->clamp[e] = clamping_body(m, f, ends);
    rest = rest || cti_clamp_moves(m, s->clamp[e]);
  }
  for (int e = 0; e < s->nedge; e++) {
    ctReal *t = s->tangent + 3 * e, *u = s->director + 3 * e, *t0 = s->rest_tangent + 3 * e,
           *u0 = s->rest_director + 3 * e, *old_t = s->old_tangent + 3 * e, *old_u = s->old_director + 3 * e;
    ctReal a[3], b[3], unused;
    int ends[2];
    chain_edge(ends, m, f, s->nedge, e);
    s->dof[e] = cti_rod_twist_dof(m, f, e);
    cti_frame_along(t, &s->length[e], x + 3 * ends[0], x + 3 * ends[1]);
    if (rest) {
      rest_vertex(a, m, f, ends[0]);
      rest_vertex(b, m, f, ends[1]);
      cti_frame_along(t0, &unused, a, b);
      if (e == 0) {
        first_director(u0, m, m->flex_vertbodyid[m->flex_vertadr[f] + ends[0]], t0, section);
      } else {
        cti_transport(u0, u0 - 3, t0 - 3, t0);
      }
    }
    if (s->fresh || cti_clamp_moves(m, s->clamp[e])) {
      if (s->clamp[e] >= 0) {
        clamped_director(u, m, d, s->clamp[e], t0, u0, t);
      } else if (e > 0) {
        cti_transport(u, u - 3, t - 3, t);
      } else {
        cti_transport(u, u0, t0, t);
      }
      cti_copy3(old_t, t);
      cti_copy3(old_u, u);
    } else {
      cti_copy3(old_t, stored + 6 * e);
      cti_copy3(old_u, stored + 6 * e + 3);
      cti_transport(u, old_u, old_t, t);
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

// The element that an edge of the chain is; most chains are in order.
static CT_FN int element_of(const ctModel* m, int f, int edge, const int ends[2]) {
  const int n = m->flex_elemnum[f], *elem = m->flex_elem + m->flex_elemdataadr[f];
  for (int i = 0; i < n; i++) {
    const int at = (edge + i) % n, *end = elem + 2 * at;
    if ((end[0] == ends[0] && end[1] == ends[1]) || (end[0] == ends[1] && end[1] == ends[0])) return at;
  }
  return -1;
}

CT_FN bool cti_rod_directors(const ctModel* m, ctData* d, int f) {
  size_t mark = cti_scratch_mark(d);
  ctiRodFrames s;
  const bool ok = cti_rod_frames(&s, m, d, f);
  ctReal* out = cti_data(d)->awake.rod_director + m->flex_plasticadr[f];
  CT_LANES(e, ok ? s.nedge : 0) {
    int ends[2];
    chain_edge(ends, m, f, s.nedge, e);
    const int at = element_of(m, f, e, ends);
    const ctReal *t = s.tangent + 3 * e, *u = s.director + 3 * e;
    const ctReal theta = s.dof[e] >= 0 ? d->qpos[m->jnt_qposadr[m->dof_jntid[s.dof[e]]]] : CT_R(0);
    ctReal sine, cosine, across[3];
    if (at < 0) continue;
    cti_sincos(theta, &sine, &cosine);
    cti_cross3(across, t, u);
    for (int k = 0; k < 3; k++) out[3 * at + k] = cosine * u[k] + sine * across[k];
  }
  CT_TEAM_SYNC();
  cti_scratch_release(d, mark);
  return ok;
}
