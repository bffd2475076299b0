// Collision detection: from poses to the list of contacts. Step code.
//   reads   m->geom_*, m->body_*, m->bvh_*, m->pair_*, m->exclude_*, meshes, height fields; d->xipos,
//   d->ximat,
//           d->geom_xpos, d->geom_xmat
//   writes  d->contact, d->ncon
//   before  kinematics and centres of mass, with nothing else growing in the arena meanwhile
//
// Contacts come ordered by body pair; within one, explicit pairs first, then pairs of geoms.
#pragma once

#include "collide/shape.h"

// CT_OK, or CT_STEP_OVERFLOW when the arena was too small for all contacts: the last ones in the order are
// left out, and counted in d->warning[CT_WARN_CONTACTFULL].
CT_FN ctStatus cti_collision(const ctModel* m, ctData* d);

// The collider of two geom types, NULL when there is none. The types may come in any order; the collider
// wants the smaller first.
CT_FN ctiCollider cti_collider(int type1, int type2);

// Distance below which two geoms are reported: margin (or its override) + gap.
CT_INLINE ctReal cti_geom_reach(const ctModel* m, int geom1, int geom2) {
  const bool overridden = (m->opt.enableflags & CT_ENBL_OVERRIDE) != 0;
  const ctReal margin = overridden ? m->opt.o_margin : m->geom_margin[geom1] + m->geom_margin[geom2];
  return margin + (m->geom_gap[geom1] + m->geom_gap[geom2]);
}
