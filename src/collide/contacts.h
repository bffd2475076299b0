// From points to contacts: the parameters of a pair, contact frames, and room in the arena. Step code.
#pragma once

#include "collide/shape.h"

// What a contact takes from its geoms or deformables, or from its explicit pair.
typedef struct ctiPairing {
  int geom[2];    // in the order of the contact: the smaller type first; -1 for a deformable
  int dim;        // rows of a contact
  ctReal margin;  // a contact pushes below this distance
  ctReal gap;     // and is reported below margin + gap
  ctReal friction[5];
  ctReal solref[CT_NREF], solreffriction[CT_NREF], solimp[CT_NIMP];
  ctReal adhesion;
} ctiPairing;

// Parameters of two geoms that met by chance.
CT_FN void cti_pair_geoms(ctiPairing* out, const ctModel* m, int geom1, int geom2);

// Parameters of an explicit pair.
CT_FN void cti_pair_explicit(ctiPairing* out, const ctModel* m, int pair);

// Parameters of a geom and a deformable, of two deformables, or of one with itself: then there is no margin.
CT_FN void cti_pair_geom_flex(ctiPairing* out, const ctModel* m, int geom, int flex);
CT_FN void cti_pair_flexes(ctiPairing* out, const ctModel* m, int flex1, int flex2);

// Room for `n` contacts behind those of d->contact, which the caller fills and counts. False when the arena
// is full: then `dropped` grows, and the arena knows how much all contacts that were dropped would have
// needed.
CT_FN bool cti_reserve_contacts(ctData* d, int n, int* dropped);

// A contact at a point of a pair.
CT_FN void cti_fill_contact(ctContact* c, const ctModel* m, const ctData* d, const ctiPairing* p,
                            const ctiPoint* point);

// Append `n` contacts to d->contact. False when the arena is full: then none is added.
CT_FN bool cti_add_contacts(const ctModel* m, ctData* d, const ctiPairing* pairing, const ctiPoint* point,
                            int n, int* dropped);

// Of the contacts from `first` on keep at most `most`: the deepest, then again and again the one farthest
// from those that are kept. False without scratch: then they all stay.
CT_FN bool cti_thin_contacts(ctData* d, int first, int most);
