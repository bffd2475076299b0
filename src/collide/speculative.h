// Speculative contacts: what is going to hit within the step is in contact already, at a distance for which
// the row lets it come just so far. Step code.
//   reads   d->qvel, cdof, subtree_com, geom_xpos, geom_xmat
//   before  kinematics, com
//
// A geom is fast when it sweeps more than its smallest half size in a step; pairs without one are as before.
#pragma once

#include "collide/contacts.h"

// The motion of a geom in a step.
typedef struct ctiSweep {
  ctReal dx[3], dw[3];  // of its centre, and its rotation
  ctReal angle;         // |dw|
  ctReal length;        // how far any of its points goes at most
  bool fast;
} ctiSweep;

CT_INLINE bool cti_is_speculative(const ctModel* m) {
  return (m->opt.enableflags & CT_ENBL_SPECULATIVE) != 0 && !(m->opt.disableflags & CT_DSBL_NATIVECCD);
}

// Shapes that can: those without height fields and distance fields.
CT_INLINE bool cti_can_speculate(const ctModel* m, int geom) {
  const int type = m->geom_type[geom];
  return type != CT_GEOM_HFIELD && type != CT_GEOM_SDF && type < CT_GEOM_COUNT;
}

// The motions of all geoms, in scratch; NULL without room.
CT_FN ctiSweep* cti_sweeps(const ctModel* m, ctData* d);

// Do the bounding spheres of two geoms come within `reach` of each other in the step?
CT_FN bool cti_sweeps_meet(const ctModel* m, const ctData* d, const ctiSweep* sweep, int geom1, int geom2,
                           ctReal reach);

// Points of two geoms (the smaller type first) that will meet, one of which is fast: with the distance that
// their rows shall see. Returns how many.
CT_KERNEL_NOINLINE int cti_speculate(ctiPoint* out, const ctModel* m, ctData* d, const ctiSweep* sweep,
                                     const ctiPairing* pairing);
