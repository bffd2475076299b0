// The narrow phase: pairs of geoms to points by the list of colliders, points to contacts.
#include "collide/collide.h"

#include "collide/broad.h"
#include "collide/contacts.h"
#include "collide/convex.h"
#include "collide/flex.h"
#include "collide/mid.h"
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
  ctiKeys listed;   // those that the lanes of a team will share, ...
  ctiKeys prisms;   // ... and which prism of a height field they mean; empty where the model has no field
  int dropped;      // contacts that found no room
  ctiFlexWork flex;
  const ctiSweep* sweep;  // motions of geoms; NULL without speculative contacts
} CollideWork;

// A search, unless it is known to find nothing. See ctiApart.
static CT_COLD int collide_apart(ctiApart* apart, ctData* d, CollideWork* work, const ctiShape* a,
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

// ---- by a team: pairs of convex geoms are listed, then each lane has one ----
//
// A height field and a geom are listed once for each prism below the geom.

// Others have many points, or need much room.
CT_INLINE bool is_convex(const ctModel* m, int geom) {
  return m->geom_type[geom] != CT_GEOM_HFIELD && m->geom_type[geom] != CT_GEOM_SDF;
}

#define NO_PRISM UINT64_MAX

static CT_FN void list_pair(const ctModel* m, ctData* d, CollideWork* work, uint64_t pair) {
  cti_keys_push(d, &work->listed, pair);
  if (m->nhfield > 0) cti_keys_push(d, &work->prisms, NO_PRISM);
}

// False for geoms above so many prisms that not all of them may give a point.
static CT_COLD bool list_prisms(const ctModel* m, ctData* d, CollideWork* work, uint64_t pair) {
  const int geom1 = cti_key_first(pair), geom2 = cti_key_second(pair);
  const ctiShape field = cti_geom_shape(m, d, geom1), shape = cti_geom_shape(m, d, geom2);
  ctiPatch p;
  if (!cti_hfield_patch(&p, &field, &shape, cti_geom_reach(m, geom1, geom2))) return true;
  const int64_t ncol = (int64_t)p.col1 - p.col0 + 1, count = 2 * ((int64_t)p.row1 - p.row0 + 1) * ncol;
  if (count > CTI_MAX_POINTS) return false;
  for (int first = 0; first < count; first += CT_TEAM) {
    const int i = first + CT_LANE, half = i % 2, row = p.row0 + i / 2 / (int)ncol,
              col = p.col0 + i / 2 % (int)ncol;
    const bool reaches = i < count && cti_hfield_reaches(&field, &p, row, col, half);
    cti_keys_push_lanes(d, &work->listed, reaches, pair);
    cti_keys_push_lanes(d, &work->prisms, reaches, cti_key(row, 2 * col + half));
  }
  return true;
}

static CT_FN int prism_points(ctiPoint* out, const ctiShape* field, const ctiShape* shape, ctReal reach,
                              uint64_t prism, ctData* d) {
  const int column = cti_key_second(prism);
  return cti_hfield_cell(out, field, shape, reach, cti_key_first(prism), column / 2, column % 2, d);
}

static CT_FN uint64_t listed_prism(const CollideWork* work, int i) {
  return i < work->prisms.n ? work->prisms.at[i] : NO_PRISM;
}

// Points of a listed pair, by one lane, with scratch of its own; `lacks`: that was too little.
static CT_FN int lane_points(ctiPoint* out, const ctModel* m, ctData* d, uint64_t pair, uint64_t prism,
                             ctByte* scratch, size_t bytes, bool* lacks) {
  const int geom1 = cti_key_first(pair), geom2 = cti_key_second(pair);
  ctiCollider collider = cti_collider(m->geom_type[geom1], m->geom_type[geom2]);
  *lacks = false;
  if (!collider) return 0;
  // a data for its scratch alone
  ctiData own;
  own.arena = scratch;
  own.open.narena = bytes;
  own.parena = own.pstack = own.arena_wanted = own.open.maxuse_arena = 0;
  own.arena_full = (const char*)0;
  ctiShape a = cti_geom_shape(m, d, geom1), b = cti_geom_shape(m, d, geom2);
  const ctReal reach = cti_geom_reach(m, geom1, geom2);
  const int n = prism == NO_PRISM ? collider(out, &a, &b, reach, &own.open)
                                  : prism_points(out, &a, &b, reach, prism, &own.open);
  *lacks = own.arena_wanted > 0;
  return n;
}

// The same by the team, with all the scratch there is.
static CT_FN int listed_alone(const ctModel* m, ctData* d, CollideWork* work, int i) {
  const uint64_t pair = work->listed.at[i], prism = listed_prism(work, i);
  const int geom1 = cti_key_first(pair), geom2 = cti_key_second(pair);
  const ctReal reach = cti_geom_reach(m, geom1, geom2);
  if (prism == NO_PRISM) return collide_points(m, d, work, geom1, geom2, reach);
  const ctiShape field = cti_geom_shape(m, d, geom1), shape = cti_geom_shape(m, d, geom2);
  return prism_points(work->point, &field, &shape, reach, prism, d);
}

// Penetrating hulls need scratch. So many lanes have some at a time.
#define LANES_WITH_SCRATCH 8

// Points of the listed pairs from `first` on, one pair a lane: this lane's own, and how many.
static CT_FN int listed_points(ctiPoint* own, const ctModel* m, ctData* d, CollideWork* work, int first) {
  const int i = first + CT_LANE;
  bool lacks = false;
  const uint64_t pair = i < work->listed.n ? work->listed.at[i] : 0, prism = listed_prism(work, i);
  int n = i < work->listed.n ? lane_points(own, m, d, pair, prism, (ctByte*)own, 0, &lacks) : 0;
  const int lacking = cti_team_count(lacks), rank = cti_team_rank(lacks);
  if (lacking == 0) return n;
  size_t mark = cti_scratch_mark(d), bytes = (cti_epa_bytes(m->opt.ccd_iterations) + 63) / 64 * 64;
  const int most = lacking < LANES_WITH_SCRATCH ? lacking : LANES_WITH_SCRATCH;
  ctByte* room = CTI_SCRATCH(d, ctByte, (int64_t)bytes * most, "collision.lanes");
  bool still = lacks;
  for (int begin = 0; room && begin < lacking; begin += most) {
    if (lacks && rank >= begin && rank < begin + most)
      n = lane_points(own, m, d, pair, prism, room + bytes * (size_t)(rank - begin), bytes, &still);
    CT_TEAM_SYNC();
  }
  cti_scratch_release(d, mark);
  // what needs even more has it all, one after another
  for (unsigned left = cti_team_ballot(still); left; left &= left - 1) {
    int lane = 0;
    while (!(left >> lane & 1)) lane++;
    const int count = listed_alone(m, d, work, first + lane);
    CT_TEAM_SYNC();
    if (CT_LANE == lane) {
      n = count;
      for (int k = 0; k < count; k++) own[k] = work->point[k];
    }
    CT_TEAM_SYNC();
  }
  return n;
}

// Contacts of all listed pairs, in their order.
static CT_FN void collide_listed(const ctModel* m, ctData* d, CollideWork* work) {
  if (CT_TEAM == 1 || work->listed.n == 0) return;
  if (m->nhfield > 0 && (work->listed.full || work->prisms.full)) {
    // nobody knows which prism a pair means: the step is taken again with more room
    work->listed.n = work->prisms.n = 0;
    return;
  }
  ctiPoint own[CTI_CONVEX_POINTS];  // not scratch: that would be every lane's, in the memory of every world
  for (int first = 0; first < work->listed.n; first += CT_TEAM) {
    int n = listed_points(own, m, d, work, first), total;
    const int before = cti_team_before(n, &total);
    if (total == 0 || !cti_reserve_contacts(d, total, &work->dropped)) continue;
    if (n > 0) {
      const uint64_t pair = work->listed.at[first + CT_LANE];
      ctiPairing pairing;
      cti_pair_geoms(&pairing, m, cti_key_first(pair), cti_key_second(pair));
      for (int k = 0; k < n; k++)
        cti_fill_contact(d->contact + d->ncon + before + k, m, d, &pairing, own + k);
    }
    CT_TEAM_SYNC();
    d->ncon += total;
  }
  work->listed.n = work->prisms.n = 0;
}

// Whether two geoms are among the explicit pairs `first` to `end`.
static CT_FN bool collide_is_explicit(const ctModel* m, int geom1, int geom2, int first, int end) {
  for (int i = first; i < end; i++) {
    int a = m->pair_geom1[i], b = m->pair_geom2[i];
    if ((a == geom1 && b == geom2) || (a == geom2 && b == geom1)) return true;
  }
  return false;
}

// The pairs of geoms at hand, but for those that are explicit pairs.
static CT_FN void collide_close(const ctModel* m, ctData* d, CollideWork* work, int first_pair,
                                int end_pair) {
  for (int i = 0; i < work->geoms.n; i++) {
    int geom1 = cti_key_first(work->geoms.at[i]), geom2 = cti_key_second(work->geoms.at[i]);
    if (collide_is_explicit(m, geom1, geom2, first_pair, end_pair)) continue;
    if (CT_TEAM > 1 && !work->sweep && is_convex(m, geom2)) {
      const bool field = m->geom_type[geom1] == CT_GEOM_HFIELD;
      if (field && list_prisms(m, d, work, work->geoms.at[i])) continue;
      if (!field && is_convex(m, geom1)) {
        list_pair(m, d, work, work->geoms.at[i]);
        continue;
      }
    }
    collide_listed(m, d, work);
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

static CT_FN void collide_bodies(const ctModel* m, ctData* d, CollideWork* work, int body1, int body2,
                                 int first_pair, int end_pair) {
  work->geoms.n = 0;
  cti_mid_phase(m, d, &work->geoms, body1, body2, work->sweep);
  collide_close(m, d, work, first_pair, end_pair);
}

// Merge the explicit pairs with the pairs of bodies, explicit ones first where both have the same bodies.
static CT_FN void collide_pairs(const ctModel* m, ctData* d, CollideWork* work, const ctiKeys* bodies) {
  int pair = 0, first = 0;
  const bool filtered = CT_ON_HOST && m->user.contact_filter;  // whose function sees the contacts so far
  if (m->npair == 0 && m->nflex == 0 && !work->sweep && !filtered) {
    // nothing comes between the pairs of bodies
    cti_mid_phase_all(m, d, &work->geoms, bodies);
    collide_close(m, d, work, 0, 0);
    collide_listed(m, d, work);
    return;
  }
  for (int i = 0; i <= bodies->n; i++) {
    bool last = i == bodies->n;
    int body1 = last ? 0 : cti_key_first(bodies->at[i]), body2 = last ? 0 : cti_key_second(bodies->at[i]);
    uint32_t signature = last ? 0xffffffffu : cti_body_signature(body1, body2);
    for (; pair < m->npair && (uint32_t)m->pair_signature[pair] <= signature; pair++) {
      if (m->pair_signature[pair] != m->pair_signature[first]) first = pair;
      collide_listed(m, d, work);
      collide_explicit(m, d, work, pair);
    }
    if (last) break;
    if (body2 >= m->nbody) {
      collide_listed(m, d, work);
      cti_collide_flex(m, d, &work->flex, body1, body2);
      continue;
    }
    bool shared = pair > 0 && (uint32_t)m->pair_signature[pair - 1] == signature;
    collide_bodies(m, d, work, body1, body2, shared ? first : pair, pair);
  }
  collide_listed(m, d, work);
}

CT_KERNEL_INLINE ctStatus cti_collision(const ctModel* m, ctData* d) {
  d->ncon = 0;
  d->contact = (ctContact*)0;
  if ((m->opt.disableflags & (CT_DSBL_CONSTRAINT | CT_DSBL_CONTACT)) || (m->ngeom < 2 && m->nflex == 0))
    return CT_OK;

  size_t mark = cti_scratch_mark(d);
  const ctiKeys none = {(uint64_t*)0, 0, 0, false};
  CollideWork work = {(ctiPoint*)0, none, none, none, 0, {(ctiPoint*)0, none, none, 0}, (const ctiSweep*)0};
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
  const bool full = bodies.full || work.geoms.full || work.listed.full || work.prisms.full ||
                    work.flex.pairs.full || work.flex.geoms.full;
  if (work.point && !(speculative && !work.sweep) && !full && dropped == 0) return CT_OK;
  cti_warn(d, CT_WARN_CONTACTFULL, dropped);
  return CT_STEP_OVERFLOW;
}
