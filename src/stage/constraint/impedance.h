// Constraint stage: how stiff, damped and soft each row is.
//   reads   d->efc_type, efc_id, efc_pos, efc_margin, contact; m->*_solref, *_solimp, *_invweight0
//   writes  d->efc_diagA, efc_KBIP, efc_R, efc_D; contact.mu
//   before  the rows
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// `exact`: the diagonal of J M^-1 J' for each row, or NULL for estimates from the default configuration.
CT_FN void cti_impedance(const ctModel* m, ctData* d, const ctReal* exact);
