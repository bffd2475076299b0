// What moves at a contact of a deformable: the bodies that hold the touching points, by weight. Step code.
//   reads   d->flexvert_xpos, contact, cdof; m->flex_*
//   before  kinematics of deformables, com, collision
#pragma once

#include "data/contact.h"

// Bodies of one contact, both sides: vertices of elements, or nodes of cages; those of a shell that lie
// inside follow up to 26 on its surface.
#define CTI_CONTACT_HOLDERS (2 * 27 * 26)

// A contact on the skin of a rod that can twist: its point turns about the edge it is on.
typedef struct ctiLever {
  int body[2];      // of the ends of the edge; -1: no lever
  int dof;          // of the twist; -1: clamped
  ctReal along[3];  // unit, from the first end to the second
  ctReal arm[3];    // from the axis to the contact
  ctReal length;    // of the edge
  ctReal spin[3];   // what its frame turns about it by when the direction changes
} ctiLever;

// Bodies that hold a contact, each once a side.
typedef struct ctiHolders {
  int n;
  int* body;       // CTI_CONTACT_HOLDERS of each, or NULL: only the sums are wanted
  ctReal* weight;  // adds up to 1 on the second side, to -1 on the first
  ctiLever lever[2];
  ctReal sign;       // of the side at hand
  ctReal tran, rot;  // inverse weights of the bodies in the default configuration, by weight
  const ctData* d;   // NULL, or for the relative velocity
  const ctReal* at;  // where
  ctReal vel[6];     // of the second side against the first: rotation, translation
} ctiHolders;

// Edges of a rod whose edges twist by joints of their own; 0 for anything else.
CT_FN int cti_rod_twist_edges(const ctModel* m, int flex);

// Scratch for the holders of a contact; false when the arena is full.
CT_FN bool cti_holders_scratch(ctiHolders* out, ctData* d);

// The bodies that hold contact `con`.
CT_FN void cti_contact_holders(ctiHolders* out, const ctModel* m, const ctData* d, const ctContact* con);

// Inverse weights of a contact in the default configuration, along an axis and about it.
CT_FN void cti_contact_inverse_weight(ctReal* tran, ctReal* rot, const ctModel* m, const ctData* d,
                                      const ctContact* con);

// Velocity of the second side of a contact against the first at the contact: rotation, translation.
//   reads   d->cvel
//   before  velocities
CT_FN void cti_contact_velocity(ctReal vel[6], const ctModel* m, const ctData* d, const ctContact* con);

// The dofs that move any of them, ascending, into `dof` (nv ints). Returns how many.
CT_FN int cti_holders_dofs(const ctiHolders* holders, const ctModel* m, int* dof);

// Relative motion of the second side against the first per dof, in the contact frame: translation then
// rotation, con->dim rows that are `stride` reals apart.
CT_FN void cti_holders_motion(ctReal* out, int stride, const ctiHolders* holders, const ctModel* m,
                              const ctData* d, const ctContact* con, const int* dof, int n);
