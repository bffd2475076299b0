#include "collide/contacts.h"

#include "collide/collide.h"
#include "data/arena.h"
#include "data/contact.h"
#include "math/dense.h"

// Friction is never less, so that cones stay cones.
#define CONTACT_MIN_FRICTION CT_R(1e-5)

static CT_FN bool contact_overridden(const ctModel* m) {
  return (m->opt.enableflags & CT_ENBL_OVERRIDE) != 0;
}

// Replace the parameters by those of the options.
static CT_FN void contact_override(ctiPairing* p, const ctModel* m) {
  if (!contact_overridden(m)) return;
  p->margin = m->opt.o_margin;
  for (int i = 0; i < CT_NREF; i++) p->solref[i] = p->solreffriction[i] = m->opt.o_solref[i];
  for (int i = 0; i < CT_NIMP; i++) p->solimp[i] = m->opt.o_solimp[i];
  for (int i = 0; i < 5; i++) p->friction[i] = m->opt.o_friction[i];
}

static CT_FN void contact_floor_friction(ctiPairing* p) {
  for (int i = 0; i < 5; i++) {
    if (p->friction[i] < CONTACT_MIN_FRICTION) p->friction[i] = CONTACT_MIN_FRICTION;
  }
}

static CT_FN void contact_order_geoms(ctiPairing* p, const ctModel* m, int geom1, int geom2) {
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

// What one side of a contact brings.
typedef struct ContactSide {
  int priority, condim;
  ctReal solmix, margin, gap, adhesion;
  const ctReal *solref, *solimp, *friction;
} ContactSide;

CT_INLINE ContactSide geom_side(const ctModel* m, int geom) {
  ContactSide s;
  s.priority = m->geom_priority[geom];
  s.condim = m->geom_condim[geom];
  s.solmix = m->geom_solmix[geom];
  s.margin = m->geom_margin[geom];
  s.gap = m->geom_gap[geom];
  s.adhesion = m->geom_adhesion[geom];
  s.solref = m->geom_solref + CT_NREF * geom;
  s.solimp = m->geom_solimp + CT_NIMP * geom;
  s.friction = m->geom_friction + 3 * geom;
  return s;
}

CT_INLINE ContactSide flex_side(const ctModel* m, int flex) {
  ContactSide s;
  s.priority = m->flex_priority[flex];
  s.condim = m->flex_condim[flex];
  s.solmix = m->flex_solmix[flex];
  s.margin = m->flex_margin[flex];
  s.gap = m->flex_gap[flex];
  s.adhesion = 0;
  s.solref = m->flex_solref + CT_NREF * flex;
  s.solimp = m->flex_solimp + CT_NIMP * flex;
  s.friction = m->flex_friction + 3 * flex;
  return s;
}

CT_INLINE void contact_mix_equals(ctiPairing* p, const ContactSide* a, const ContactSide* b,
                                  ctReal sliding[3]) {
  p->dim = a->condim > b->condim ? a->condim : b->condim;
  for (int i = 0; i < 3; i++) sliding[i] = a->friction[i] > b->friction[i] ? a->friction[i] : b->friction[i];
  ctReal w = contact_weight(a->solmix, b->solmix);
  bool standard = a->solref[0] > 0 && b->solref[0] > 0;
  for (int i = 0; i < CT_NREF; i++) {
    ctReal least = a->solref[i] < b->solref[i] ? a->solref[i] : b->solref[i];
    p->solref[i] = standard ? w * a->solref[i] + (1 - w) * b->solref[i] : least;
  }
  for (int i = 0; i < CT_NIMP; i++) p->solimp[i] = w * a->solimp[i] + (1 - w) * b->solimp[i];
  p->adhesion = a->adhesion + b->adhesion;
}

CT_INLINE void contact_mix(ctiPairing* out, const ctModel* m, const ContactSide* a, const ContactSide* b) {
  ctReal sliding[3];
  if (a->priority == b->priority) {
    contact_mix_equals(out, a, b, sliding);
  } else {
    // the side of higher priority decides alone
    const ContactSide* s = a->priority > b->priority ? a : b;
    out->dim = s->condim;
    cti_copy3(sliding, s->friction);
    for (int i = 0; i < CT_NREF; i++) out->solref[i] = s->solref[i];
    for (int i = 0; i < CT_NIMP; i++) out->solimp[i] = s->solimp[i];
    out->adhesion = s->adhesion;
  }
  out->friction[0] = out->friction[1] = sliding[0];
  out->friction[2] = sliding[1];
  out->friction[3] = out->friction[4] = sliding[2];
  for (int i = 0; i < CT_NREF; i++) out->solreffriction[i] = 0;
  out->margin = a->margin + b->margin;
  out->gap = a->gap + b->gap;
  contact_override(out, m);
  contact_floor_friction(out);
}

CT_FN void cti_pair_geoms(ctiPairing* out, const ctModel* m, int geom1, int geom2) {
  contact_order_geoms(out, m, geom1, geom2);
  ContactSide a = geom_side(m, out->geom[0]), b = geom_side(m, out->geom[1]);
  contact_mix(out, m, &a, &b);
}

CT_FN void cti_pair_geom_flex(ctiPairing* out, const ctModel* m, int geom, int flex) {
  ContactSide a = geom_side(m, geom), b = flex_side(m, flex);
  out->geom[0] = geom;
  out->geom[1] = -1;
  contact_mix(out, m, &a, &b);
}

CT_FN void cti_pair_flexes(ctiPairing* out, const ctModel* m, int flex1, int flex2) {
  ContactSide a = flex_side(m, flex1), b = flex_side(m, flex2);
  out->geom[0] = out->geom[1] = -1;
  contact_mix(out, m, &a, &b);
  if (flex1 == flex2) out->margin = out->gap = 0;
}

CT_FN void cti_pair_explicit(ctiPairing* out, const ctModel* m, int pair) {
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
  if (geom < 0) return;  // deformables have none
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

// All but the frame.
CT_INLINE void contact_fill(ctContact* c, const ctModel* m, const ctData* d, const ctiPairing* p,
                            const ctiPoint* point) {
  c->dist = point->dist;
  cti_copy3(c->pos, point->pos);
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
#if !CTI_LEAN
  for (int i = 0; i < 36; i++) c->H[i] = 0;
#endif
}

CT_FN void cti_fill_contact(ctContact* c, const ctModel* m, const ctData* d, const ctiPairing* p,
                            const ctiPoint* point) {
  contact_frame(c->frame, point->normal, point->tangent);
  contact_fill(c, m, d, p, point);
}

CT_INLINE bool same_directions(const ctiPoint* p, const ctiPoint* q) {
  return cti_same_bits(p->normal, q->normal, 3) && cti_same_bits(p->tangent, q->tangent, 3);
}

// Blocks of the arena that `n` contacts take.
static CT_FN size_t contact_bytes(int n) {
  return ((size_t)n * sizeof(ctContact) + 63) / 64 * 64;
}

CT_FN bool cti_reserve_contacts(ctData* d, int n, int* dropped) {
  // contacts are the only arrays that grow now, so a new piece of the arena continues the last one
  int total = d->ncon + *dropped + n;
  size_t more = contact_bytes(total) - contact_bytes(d->ncon);
  ctContact* piece = (ctContact*)cti_arena_more(d, more, "collision.contact");
  if (!piece) {
    *dropped += n;
    return false;
  }
  if (!d->contact) d->contact = piece;
  return true;
}

CT_FN bool cti_add_contacts(const ctModel* m, ctData* d, const ctiPairing* pairing, const ctiPoint* point,
                            int n, int* dropped) {
  if (!cti_reserve_contacts(d, n, dropped)) return false;
  ctContact* con = d->contact + d->ncon;
  for (int i = 0; i < n; i++) {
    if (i > 0 && same_directions(point + i - 1, point + i)) {
      for (int k = 0; k < 9; k++) con[i].frame[k] = con[i - 1].frame[k];
    } else {
      contact_frame(con[i].frame, point[i].normal, point[i].tangent);
    }
    contact_fill(con + i, m, d, pairing, point + i);
  }
  d->ncon += n;
  return true;
}

#define THIN_KEPT CT_R(-1)  // in place of the distance of one that is kept

static CT_FN int thin_next(const ctReal* far, int n) {
  int best = 0;
  for (int i = 1; i < n; i++) {
    if (far[i] > far[best]) best = i;
  }
  return best;
}

CT_FN bool cti_thin_contacts(ctData* d, int first, int most) {
  const int n = d->ncon - first;
  if (n <= most) return true;
  ctContact* con = d->contact + first;
  size_t mark = cti_scratch_mark(d);
  ctReal* far = CTI_SCRATCH(d, ctReal, n, "collision.thin");
  if (!far) return false;
  int next = 0, kept = 0;
  for (int i = 0; i < n; i++) {
    far[i] = CT_R(1e30);
    if (con[i].dist < con[next].dist) next = i;
  }
  for (int k = 0; k < most; k++) {
    for (int i = 0; i < n; i++) {
      ctReal rel[3];
      if (far[i] == THIN_KEPT) continue;
      cti_sub3(rel, con[i].pos, con[next].pos);
      ctReal dist2 = cti_dot3(rel, rel);
      if (dist2 < far[i]) far[i] = dist2;
    }
    far[next] = THIN_KEPT;
    next = thin_next(far, n);
  }
  for (int i = 0; i < n; i++) {
    if (far[i] != THIN_KEPT) continue;
    if (kept != i) con[kept] = con[i];
    kept++;
  }
  cti_scratch_release(d, mark);
  // contacts are the last in the arena
  cti_data(d)->parena -= contact_bytes(d->ncon) - contact_bytes(first + kept);
  d->ncon = first + kept;
  return true;
}
