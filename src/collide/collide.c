// The narrow phase: pairs of geoms to points by the list of colliders, points to contacts.
#include "collide/collide.h"

#include "collide/broad.h"
#include "collide/contacts.h"
#include "collide/flex.h"
#include "collide/pairs.h"
#include "collide/speculative.h"
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

// ---- collision detection: from poses to the list of contacts ----
//   reads   m->geom_*, m->body_*, m->bvh_*, m->pair_*, m->exclude_*, meshes, height fields; d->xipos,
//   d->ximat,
//           d->geom_xpos, d->geom_xmat
//   writes  d->contact, d->ncon
//   before  kinematics and centres of mass, with nothing else growing in the arena meanwhile
//
// Contacts come ordered by body pair; within one, explicit pairs first, then pairs of geoms. Deformables
// follow the bodies in this order; what they have with themselves comes last.

// What the loop over pairs carries along.
typedef struct CollideWork {
  ctiPoint* point;  // room for the points of one pair
  ctiKeys geoms;    // pairs of geoms of the bodies at hand
  int dropped;      // contacts that found no room
  ctiFlexWork flex;
  const ctiSweep* sweep;  // motions of geoms; NULL without speculative contacts
} CollideWork;

// A search, unless it is known to find nothing. See ctiApart.
static CT_RARE int collide_apart(ctiApart* apart, ctData* d, CollideWork* work, const ctiShape* a,
                                 const ctiShape* b, ctReal reach, int64_t pair) {
  uint32_t *word = apart->bits + pair / 32, bit = 1u << pair % 32;
  if (apart->slack == 0 && (*word & bit)) return 0;
  int n = cti_convex_pair(work->point, a, b, reach, d);
  if (apart->slack > 0 && n == 0 && cti_convex_pair(work->point, a, b, reach + apart->slack, d) == 0)
    *word |= bit;
  return n;
}

// Narrow phase of two geoms, the smaller type first: number of points in work->point.
static CT_FN int collide_points(const ctModel* m, ctData* d, CollideWork* work, int geom1, int geom2,
                                ctReal reach) {
  ctiCollider collider = cti_collider(m->geom_type[geom1], m->geom_type[geom2]);
  if (!collider) return 0;
  ctiShape a = cti_geom_shape(m, d, geom1), b = cti_geom_shape(m, d, geom2);
  ctiApart* apart = cti_data(d)->apart;
  if (CT_ON_HOST && apart && collider == cti_convex_pair)
    return collide_apart(apart, d, work, &a, &b, reach, (int64_t)geom1 * m->ngeom + geom2);
  return collider(work->point, &a, &b, reach, d);
}

// The same, or where nothing touches yet and one of them is fast, what they will hit within the step.
static CT_FN void collide_geoms(const ctModel* m, ctData* d, CollideWork* work, const ctiPairing* pairing) {
  const int geom1 = pairing->geom[0], geom2 = pairing->geom[1];
  int n = collide_points(m, d, work, geom1, geom2, pairing->margin + pairing->gap);
  if (work->sweep && (work->sweep[geom1].fast || work->sweep[geom2].fast) && cti_can_speculate(m, geom1) &&
      cti_can_speculate(m, geom2)) {
    bool touch = false;
    for (int i = 0; i < n; i++) touch = touch || work->point[i].dist < pairing->margin;
    const int soon = touch ? 0 : cti_speculate(work->point, m, d, work->sweep, pairing);
    if (soon > 0) {
      if (!cti_add_contacts(m, d, pairing, work->point, soon, &work->dropped)) return;
      // they push although they are far
      for (int i = d->ncon - soon; i < d->ncon; i++) {
        d->contact[i].exclude = CT_EXCLUDE_NONE;
        d->contact[i].dim = pairing->dim;
      }
      return;
    }
  }
  if (n > 0) cti_add_contacts(m, d, pairing, work->point, n, &work->dropped);
}

static CT_FN void collide_explicit(const ctModel* m, ctData* d, CollideWork* work, int pair) {
  ctiPairing pairing;
  cti_pair_explicit(&pairing, m, pair);
  int geom1 = pairing.geom[0], geom2 = pairing.geom[1];
  if (cti_bodies_sleep(m, d, m->geom_bodyid[geom1], m->geom_bodyid[geom2])) return;
  ctReal reach = pairing.margin + pairing.gap;
  const bool fast = work->sweep && (work->sweep[geom1].fast || work->sweep[geom2].fast);
  if (fast ? !cti_sweeps_meet(m, d, work->sweep, geom1, geom2, reach)
           : !cti_spheres_meet(m, d, geom1, geom2, reach))
    return;
  collide_geoms(m, d, work, &pairing);
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
  cti_mid_phase(m, d, &work->geoms, body1, body2, work->sweep);
  for (int i = 0; i < work->geoms.n; i++) {
    int geom1 = cti_key_first(work->geoms.at[i]), geom2 = cti_key_second(work->geoms.at[i]);
    if (collide_is_explicit(m, geom1, geom2, first_pair, end_pair)) continue;
    ctiPairing pairing;
    if (work->sweep) {
      cti_pair_geoms(&pairing, m, geom1, geom2);
      collide_geoms(m, d, work, &pairing);
      continue;
    }
    int n = collide_points(m, d, work, geom1, geom2, cti_geom_reach(m, geom1, geom2));
    if (n == 0) continue;
    cti_pair_geoms(&pairing, m, geom1, geom2);
    cti_add_contacts(m, d, &pairing, work->point, n, &work->dropped);
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
    if (body2 >= m->nbody) {
      cti_collide_flex(m, d, &work->flex, body1, body2);
      continue;
    }
    bool shared = pair > 0 && (uint32_t)m->pair_signature[pair - 1] == signature;
    collide_bodies(m, d, work, body1, body2, shared ? first : pair, pair);
  }
}

CT_FN ctStatus cti_collision(const ctModel* m, ctData* d) {
  d->ncon = 0;
  d->contact = (ctContact*)0;
  if ((m->opt.disableflags & (CT_DSBL_CONSTRAINT | CT_DSBL_CONTACT)) || (m->ngeom < 2 && m->nflex == 0))
    return CT_OK;

  size_t mark = cti_scratch_mark(d);
  const ctiKeys none = {(uint64_t*)0, 0, 0, false};
  CollideWork work = {(ctiPoint*)0, none, 0, {(ctiPoint*)0, none, none, 0}, (const ctiSweep*)0};
  ctiKeys bodies = none;
  work.point = CTI_SCRATCH(d, ctiPoint, CTI_MAX_POINTS, "collision.points");
  work.flex.point = work.point;
  const bool speculative = cti_is_speculative(m);
  if (work.point && speculative) work.sweep = cti_sweeps(m, d);
  if (work.point && !(speculative && !work.sweep)) {
    cti_broad_phase(m, d, &bodies, work.sweep);
    collide_pairs(m, d, &work, &bodies);
    for (int flex = 0; flex < m->nflex; flex++) cti_collide_flex_self(m, d, &work.flex, flex);
  }
  cti_scratch_release(d, mark);
  const int dropped = work.dropped + work.flex.dropped;
  const bool full = bodies.full || work.geoms.full || work.flex.pairs.full || work.flex.geoms.full;
  if (work.point && !(speculative && !work.sweep) && !full && dropped == 0) return CT_OK;
  cti_warn(d, CT_WARN_CONTACTFULL, dropped);
  return CT_STEP_OVERFLOW;
}
