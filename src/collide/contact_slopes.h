// How a contact follows the shapes that make it: derivatives of its place, frame and distance. Host code.
//   reads   d->contact, geom_xpos, geom_xmat; m->geom_*
//   before  collision
#pragma once

#include "collide/shape.h"

// By the motion of the second shape while the first stays: rotation then translation, about the contact, in
// world axes. Rows of 6.
typedef struct ctiContactSlopes {
  ctReal pos[18];   // of the place
  ctReal turn[18];  // rotation of the frame
  ctReal dist[6];
  ctReal spin[3];  // how the tangents turn about the normal, beside what they are carried along, by the
                   // rotation of both shapes: they lean on an axis of the world. Zero where they do not
  bool closed;     // a closed form; otherwise differences of the collider
  bool switches;   // the differences met other contacts: those columns are zero
} ctiContactSlopes;

// Of the `n` contacts from `first` on, which are all those of one pair of geoms. `eps`: size of differences.
// False when the scratch is full.
bool cti_contact_slopes(ctiContactSlopes* out, const ctModel* m, ctData* d, int first, int n, ctReal eps);
