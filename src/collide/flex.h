// Contacts of deformables: with the geoms of bodies, with each other, with themselves. Step code.
//   reads   m->flex_*, bvh_*; d->flexvert_xpos, flexelem_aabb, bvh_aabb_dyn
//   writes  d->contact, d->ncon
//   before  kinematics of deformables; the broad phase
#pragma once

#include "collide/broad.h"
#include "collide/shape.h"

// What the loop over pairs carries along.
typedef struct ctiFlexWork {
  ctiPoint* point;  // room for the points of one pair
  ctiKeys pairs;    // candidates: a geom and an element, or two elements
  ctiKeys geoms;    // geoms of the body at hand
  int dropped;      // contacts that found no room
} ctiFlexWork;

// Contacts of two of the things the broad phase lists, of which the second is a deformable: `item1` is a body
// or, from nbody on, a deformable.
CT_KERNEL_NOINLINE void cti_collide_flex(const ctModel* m, ctData* d, ctiFlexWork* work, int item1,
                                         int item2);

// Contacts of a deformable with itself.
CT_KERNEL_NOINLINE void cti_collide_flex_self(const ctModel* m, ctData* d, ctiFlexWork* work, int flex);
