// The narrow phase: pairs of geoms to points by the list of colliders, points to contacts.
#include "collide/collide.h"

#include "collide/broad.h"
#include "collide/pairs.h"
#include "data/arena.h"
#include "data/data.h"

CT_FN ctiCollider cti_collider(int type1, int type2) {
  int first = type1 < type2 ? type1 : type2, second = type1 < type2 ? type2 : type1;
  switch (first * CT_GEOM_COUNT + second) {
#define X(first_type, second_type, name) \
  case CT_GEOM_##first_type* CT_GEOM_COUNT + CT_GEOM_##second_type: return cti_##name;
    CTI_COLLIDER_LIST(X)
#undef X
    default: return (ctiCollider)0;
  }
}

// ---- from points to contacts: parameters of a pair of geoms, contact frames, and room in the arena ----

// What a contact takes from its geoms or from its explicit pair.
typedef struct Pairing {
  int geom[2];    // in the order of the contact: the smaller type first
  int dim;        // rows of a contact
  ctReal margin;  // a contact pushes below this distance
  ctReal gap;     // and is reported below margin + gap
  ctReal friction[5];
  ctReal solref[CT_NREF], solreffriction[CT_NREF], solimp[CT_NIMP];
  ctReal adhesion;
} Pairing;

// Friction is never less, so that cones stay cones.
#define CONTACT_MIN_FRICTION CT_R(1e-5)

static CT_FN bool contact_overridden(const ctModel* m) {
  return (m->opt.enableflags & CT_ENBL_OVERRIDE) != 0;
}

CT_FN ctReal cti_geom_reach(const ctModel* m, int geom1, int geom2) {
  ctReal margin = m->geom_margin[geom1] + m->geom_margin[geom2];
  return (contact_overridden(m) ? m->opt.o_margin : margin) + (m->geom_gap[geom1] + m->geom_gap[geom2]);
}

// Replace the parameters by those of the options.
static CT_FN void contact_override(Pairing* p, const ctModel* m) {
  if (!contact_overridden(m)) return;
  p->margin = m->opt.o_margin;
  for (int i = 0; i < CT_NREF; i++) p->solref[i] = p->solreffriction[i] = m->opt.o_solref[i];
  for (int i = 0; i < CT_NIMP; i++) p->solimp[i] = m->opt.o_solimp[i];
  for (int i = 0; i < 5; i++) p->friction[i] = m->opt.o_friction[i];
}

static CT_FN void contact_floor_friction(Pairing* p) {
  for (int i = 0; i < 5; i++) {
    if (p->friction[i] < CONTACT_MIN_FRICTION) p->friction[i] = CONTACT_MIN_FRICTION;
  }
}

static CT_FN void contact_order_geoms(Pairing* p, const ctModel* m, int geom1, int geom2) {
  bool swap = m->geom_type[geom1] > m->geom_type[geom2];
  p->geom[0] = swap ? geom2 : geom1;
  p->geom[1] = swap ? geom1 : geom2;
}

// Share of the first geom in the mixture.
static CT_FN ctReal contact_weight(ctReal mix1, ctReal mix2) {
  if (mix1 >= CTI_MINVAL && mix2 >= CTI_MINVAL) return mix1 / (mix1 + mix2);
  if (mix1 < CTI_MINVAL && mix2 < CTI_MINVAL) return CT_R(0.5);
  return mix1 < CTI_MINVAL ? CT_R(0) : CT_R(1);
}

static CT_FN void contact_mix_equals(Pairing* p, const ctModel* m, int g1, int g2, ctReal sliding[3]) {
  const ctReal *ref1 = m->geom_solref + CT_NREF * g1, *ref2 = m->geom_solref + CT_NREF * g2;
  const ctReal *imp1 = m->geom_solimp + CT_NIMP * g1, *imp2 = m->geom_solimp + CT_NIMP * g2;
  const ctReal *fric1 = m->geom_friction + 3 * g1, *fric2 = m->geom_friction + 3 * g2;
  p->dim = m->geom_condim[g1] > m->geom_condim[g2] ? m->geom_condim[g1] : m->geom_condim[g2];
  for (int i = 0; i < 3; i++) sliding[i] = fric1[i] > fric2[i] ? fric1[i] : fric2[i];
  ctReal w = contact_weight(m->geom_solmix[g1], m->geom_solmix[g2]);
  bool standard = ref1[0] > 0 && ref2[0] > 0;
  for (int i = 0; i < CT_NREF; i++) {
    ctReal least = ref1[i] < ref2[i] ? ref1[i] : ref2[i];
    p->solref[i] = standard ? w * ref1[i] + (1 - w) * ref2[i] : least;
  }
  for (int i = 0; i < CT_NIMP; i++) p->solimp[i] = w * imp1[i] + (1 - w) * imp2[i];
  p->adhesion = m->geom_adhesion[g1] + m->geom_adhesion[g2];
}

// Parameters of two geoms that met by chance.
static CT_FN void mix_geoms(Pairing* out, const ctModel* m, int geom1, int geom2) {
  contact_order_geoms(out, m, geom1, geom2);
  const int g1 = out->geom[0], g2 = out->geom[1];
  ctReal sliding[3];
  if (m->geom_priority[g1] == m->geom_priority[g2]) {
    contact_mix_equals(out, m, g1, g2, sliding);
  } else {
    // the geom of higher priority decides alone
    int g = m->geom_priority[g1] > m->geom_priority[g2] ? g1 : g2;
    out->dim = m->geom_condim[g];
    cti_copy3(sliding, m->geom_friction + 3 * g);
    for (int i = 0; i < CT_NREF; i++) out->solref[i] = m->geom_solref[CT_NREF * g + i];
    for (int i = 0; i < CT_NIMP; i++) out->solimp[i] = m->geom_solimp[CT_NIMP * g + i];
    out->adhesion = m->geom_adhesion[g];
  }
  out->friction[0] = out->friction[1] = sliding[0];
  out->friction[2] = sliding[1];
  out->friction[3] = out->friction[4] = sliding[2];
  for (int i = 0; i < CT_NREF; i++) out->solreffriction[i] = 0;
  out->margin = m->geom_margin[g1] + m->geom_margin[g2];
  out->gap = m->geom_gap[g1] + m->geom_gap[g2];
  contact_override(out, m);
  contact_floor_friction(out);
}

// Parameters of an explicit pair.
static CT_FN void explicit_pair(Pairing* out, const ctModel* m, int pair) {
  contact_order_geoms(out, m, m->pair_geom1[pair], m->pair_geom2[pair]);
  out->dim = m->pair_dim[pair];
  out->margin = m->pair_margin[pair];
  out->gap = m->pair_gap[pair];
  out->adhesion = m->pair_adhesion[pair];
  for (int i = 0; i < 5; i++) out->friction[i] = m->pair_friction[5 * pair + i];
  for (int i = 0; i < CT_NREF; i++) {
    out->solref[i] = m->pair_solref[CT_NREF * pair + i];
    out->solreffriction[i] = m->pair_solreffriction[CT_NREF * pair + i];
  }
  for (int i = 0; i < CT_NIMP; i++) out->solimp[i] = m->pair_solimp[CT_NIMP * pair + i];
  contact_override(out, m);
  contact_floor_friction(out);
}

// Rows: normal, then `tangent` made orthogonal to it (or an axis of the world when it is short), then their
// cross product.
static CT_FN void contact_frame(ctReal frame[9], const ctReal normal[3], const ctReal tangent[3]) {
  ctReal *x = frame, *y = frame + 3, *z = frame + 6;
  cti_copy3(x, normal);
  cti_normalize3(x);
  cti_copy3(y, tangent);
  if (cti_dot3(y, y) < CT_R(0.25)) {
    bool tilted = x[1] < CT_R(0.5) && x[1] > CT_R(-0.5);
    cti_zero3(y);
    y[tilted ? 1 : 2] = 1;
  }
  cti_add_scaled3(y, x, -cti_dot3(x, y));
  cti_normalize3(y);
  cti_cross3(z, x, y);
}

// Add `sign` times the surface velocity of a geom at a contact, in the contact's tangents and spin.
static CT_FN void contact_surface_velocity(ctContact* c, const ctModel* m, const ctData* d, int geom,
                                           ctReal sign) {
  const ctReal *mat = d->geom_xmat + 9 * geom, *velocity = m->geom_surfacevel + 6 * geom;
  ctReal linear[3], angular[3], arm[3], turn[3];
  cti_mul_mat_vec3(linear, mat, velocity);
  cti_mul_mat_vec3(angular, mat, velocity + 3);
  cti_sub3(arm, c->pos, d->geom_xpos + 3 * geom);
  cti_cross3(turn, angular, arm);
  cti_add_to3(linear, turn);
  c->surfacevel[0] += sign * cti_dot3(c->frame + 3, linear);
  c->surfacevel[1] += sign * cti_dot3(c->frame + 6, linear);
  c->surfacevel[2] += sign * cti_dot3(c->frame, angular);
}

static CT_FN void contact_fill(ctContact* c, const ctModel* m, const ctData* d, const Pairing* p,
                               const ctiPoint* point) {
  c->dist = point->dist;
  cti_copy3(c->pos, point->pos);
  contact_frame(c->frame, point->normal, point->tangent);
  c->includemargin = p->margin;
  for (int i = 0; i < 5; i++) c->friction[i] = p->friction[i];
  for (int i = 0; i < CT_NREF; i++) {
    c->solref[i] = p->solref[i];
    c->solreffriction[i] = p->solreffriction[i];
  }
  for (int i = 0; i < CT_NIMP; i++) c->solimp[i] = p->solimp[i];
  c->adhesion = p->adhesion;
  c->dim = p->dim;
  c->geom1 = c->geom[0] = p->geom[0];
  c->geom2 = c->geom[1] = p->geom[1];
  for (int i = 0; i < 2; i++) c->flex[i] = c->elem[i] = c->vert[i] = -1;
  // in the gap a contact does not push; an adhesive one pulls along its normal
  c->exclude = CT_EXCLUDE_NONE;
  if (point->dist >= p->margin) {
    if (p->adhesion > 0) {
      c->dim = 1;
    } else {
      c->exclude = CT_EXCLUDE_GAP;
    }
  }
  c->efc_address = -1;
  cti_zero3(c->surfacevel);
  if (m->flg_surfacevel) {
    contact_surface_velocity(c, m, d, p->geom[1], 1);
    contact_surface_velocity(c, m, d, p->geom[0], -1);
  }
  // the solver's part
  c->mu = 0;
  for (int i = 0; i < 36; i++) c->H[i] = 0;
}

// Blocks of the arena that `n` contacts take.
static CT_FN size_t contact_bytes(int n) {
  return ((size_t)n * sizeof(ctContact) + 63) / 64 * 64;
}

// Append `n` contacts to d->contact. False when the arena is full: then none is added, and the arena knows
// how much all contacts that were dropped would have needed.
static CT_FN bool add_contacts(const ctModel* m, ctData* d, const Pairing* pairing, const ctiPoint* point,
                               int n, int* dropped) {
  // contacts are the only arrays that grow now, so a new piece of the arena continues the last one
  int total = d->ncon + *dropped + n;
  size_t more = contact_bytes(total) - contact_bytes(d->ncon);
  ctContact* piece = (ctContact*)cti_arena_more(d, more, "collision.contact");
  if (!piece) {
    *dropped += n;
    return false;
  }
  if (!d->contact) d->contact = piece;
  for (int i = 0; i < n; i++) contact_fill(d->contact + d->ncon + i, m, d, pairing, point + i);
  d->ncon += n;
  return true;
}

// ---- collision detection: from poses to the list of contacts ----
//   reads   m->geom_*, m->body_*, m->bvh_*, m->pair_*, m->exclude_*, meshes, height fields; d->xipos,
//   d->ximat,
//           d->geom_xpos, d->geom_xmat
//   writes  d->contact, d->ncon
//   before  kinematics and centres of mass, with nothing else growing in the arena meanwhile
//
// Contacts come ordered by body pair; within one, explicit pairs first, then pairs of geoms.

// What the loop over pairs carries along.
typedef struct CollideWork {
  ctiPoint* point;  // room for the points of one pair
  ctiKeys geoms;    // pairs of geoms of the bodies at hand
  int dropped;      // contacts that found no room
} CollideWork;

// Narrow phase of two geoms, the smaller type first: number of points in work->point.
static CT_FN int collide_points(const ctModel* m, ctData* d, CollideWork* work, int geom1, int geom2,
                                ctReal reach) {
  ctiCollider collider = cti_collider(m->geom_type[geom1], m->geom_type[geom2]);
  if (!collider) return 0;
  ctiShape a = cti_geom_shape(m, d, geom1), b = cti_geom_shape(m, d, geom2);
  return collider(work->point, &a, &b, reach, d);
}

static CT_FN void collide_explicit(const ctModel* m, ctData* d, CollideWork* work, int pair) {
  Pairing pairing;
  explicit_pair(&pairing, m, pair);
  int geom1 = pairing.geom[0], geom2 = pairing.geom[1];
  if (cti_bodies_sleep(m, d, m->geom_bodyid[geom1], m->geom_bodyid[geom2])) return;
  ctReal reach = pairing.margin + pairing.gap;
  if (!cti_spheres_meet(m, d, geom1, geom2, reach)) return;
  int n = collide_points(m, d, work, geom1, geom2, reach);
  if (n > 0) add_contacts(m, d, &pairing, work->point, n, &work->dropped);
}

// Whether two geoms are among the explicit pairs `first` to `end`.
static CT_FN bool collide_is_explicit(const ctModel* m, int geom1, int geom2, int first, int end) {
  for (int i = first; i < end; i++) {
    int a = m->pair_geom1[i], b = m->pair_geom2[i];
    if ((a == geom1 && b == geom2) || (a == geom2 && b == geom1)) return true;
  }
  return false;
}

static CT_FN void collide_bodies(const ctModel* m, ctData* d, CollideWork* work, int body1, int body2,
                                 int first_pair, int end_pair) {
  work->geoms.n = 0;
  cti_mid_phase(m, d, &work->geoms, body1, body2);
  for (int i = 0; i < work->geoms.n; i++) {
    int geom1 = cti_key_first(work->geoms.at[i]), geom2 = cti_key_second(work->geoms.at[i]);
    if (collide_is_explicit(m, geom1, geom2, first_pair, end_pair)) continue;
    int n = collide_points(m, d, work, geom1, geom2, cti_geom_reach(m, geom1, geom2));
    if (n == 0) continue;
    Pairing pairing;
    mix_geoms(&pairing, m, geom1, geom2);
    add_contacts(m, d, &pairing, work->point, n, &work->dropped);
  }
}

// Merge the explicit pairs with the pairs of bodies, explicit ones first where both have the same bodies.
static CT_FN void collide_pairs(const ctModel* m, ctData* d, CollideWork* work, const ctiKeys* bodies) {
  int pair = 0, first = 0;
  for (int i = 0; i <= bodies->n; i++) {
    bool last = i == bodies->n;
    int body1 = last ? 0 : cti_key_first(bodies->at[i]), body2 = last ? 0 : cti_key_second(bodies->at[i]);
    uint32_t signature = last ? 0xffffffffu : cti_body_signature(body1, body2);
    for (; pair < m->npair && (uint32_t)m->pair_signature[pair] <= signature; pair++) {
      if (m->pair_signature[pair] != m->pair_signature[first]) first = pair;
      collide_explicit(m, d, work, pair);
    }
    if (last) break;
    bool shared = pair > 0 && (uint32_t)m->pair_signature[pair - 1] == signature;
    collide_bodies(m, d, work, body1, body2, shared ? first : pair, pair);
  }
}

CT_FN ctStatus cti_collision(const ctModel* m, ctData* d) {
  d->ncon = 0;
  d->contact = (ctContact*)0;
  if ((m->opt.disableflags & (CT_DSBL_CONSTRAINT | CT_DSBL_CONTACT)) || m->ngeom < 2) return CT_OK;

  size_t mark = cti_scratch_mark(d);
  CollideWork work = {(ctiPoint*)0, {(uint64_t*)0, 0, 0, false}, 0};
  ctiKeys bodies = {(uint64_t*)0, 0, 0, false};
  work.point = CTI_SCRATCH(d, ctiPoint, CTI_MAX_POINTS, "collision.points");
  if (work.point) {
    cti_broad_phase(m, d, &bodies);
    collide_pairs(m, d, &work, &bodies);
  }
  cti_scratch_release(d, mark);
  if (work.point && !bodies.full && !work.geoms.full && work.dropped == 0) return CT_OK;
  cti_warn(d, CT_WARN_CONTACTFULL, work.dropped);
  return CT_STEP_OVERFLOW;
}
