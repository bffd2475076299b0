// From points to contacts: parameters of a pair of geoms, contact frames, and room in the arena. Step code.
#pragma once

#include "collide/shape.h"

// What a contact takes from its geoms or from its explicit pair.
typedef struct ctiPairing {
  int geom[2];    // in the order of the contact: the smaller type first
  int dim;        // rows of a contact
  ctReal margin;  // a contact pushes below this distance
  ctReal gap;     // and is reported below margin + gap
  ctReal friction[5];
  ctReal solref[CT_NREF], solreffriction[CT_NREF], solimp[CT_NIMP];
  ctReal adhesion;
} ctiPairing;

// Distance below which two geoms are reported: margin (or its override) + gap.
CT_FN ctReal cti_geom_reach(const ctModel* m, int geom1, int geom2);

// Parameters of two geoms that met by chance, and of an explicit pair.
CT_FN void cti_mix_geoms(ctiPairing* out, const ctModel* m, int geom1, int geom2);
CT_FN void cti_explicit_pair(ctiPairing* out, const ctModel* m, int pair);

// Append `n` contacts to d->contact. False when the arena is full: then none is added, and the arena knows
// how much all contacts that were dropped would have needed.
CT_FN bool cti_add_contacts(const ctModel* m, ctData* d, const ctiPairing* pairing, const ctiPoint* point,
                            int n, int* dropped);

// Rows: normal, then `tangent` made orthogonal to it (or an axis of the world when it is short), then their
// cross product.
CT_FN void cti_contact_frame(ctReal frame[9], const ctReal normal[3], const ctReal tangent[3]);
