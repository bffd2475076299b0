// What moves at a contact of a deformable: the bodies that hold the touching points, by weight. Step code.
//   reads   d->flexvert_xpos, contact, cdof; m->flex_*
//   before  kinematics of deformables, com, collision
#pragma once

#include "data/contact.h"

// Bodies of one contact, both sides: vertices of elements, or nodes of cages; those of a shell that lie
// inside follow up to 26 on its surface.
#define CTI_CONTACT_HOLDERS (2 * 27 * 26)

// Bodies that hold a contact. One may come more than once.
typedef struct ctiHolders {
  int n;
  int* body;       // CTI_CONTACT_HOLDERS of each
  ctReal* weight;  // positive on the second side, negative on the first
} ctiHolders;

// Scratch for the holders of a contact; false when the arena is full.
CT_FN bool cti_holders_scratch(ctiHolders* out, ctData* d);

// The bodies that hold contact `con` and their weights: 1 in all on each side.
CT_FN void cti_contact_holders(ctiHolders* out, const ctModel* m, const ctData* d, const ctContact* con);

// The dofs that move any of them, ascending, into `dof` (nv ints). Returns how many.
CT_FN int cti_holders_dofs(const ctiHolders* holders, const ctModel* m, int* dof);

// Relative motion of the second side against the first per dof, in the contact frame: translation then
// rotation, con->dim rows that are `stride` reals apart.
CT_FN void cti_holders_motion(ctReal* out, int stride, const ctiHolders* holders, const ctModel* m,
                              const ctData* d, const ctContact* con, const int* dof, int n);

// Approximate inverse inertia of a contact along an axis and about it.
CT_FN void cti_holders_weight(ctReal* tran, ctReal* rot, const ctModel* m, const ctData* d,
                              const ctContact* con);
