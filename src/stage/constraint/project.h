// Constraint stage: the rows as the dual problem sees them: Y = J M^-1/2 and AR = Y Y' + diag(R).
//   reads   d->efc_J, efc_R, qLD, qLDiagInv
//   writes  d->efc_Y*, efc_AR*, nY, nA in the arena; with diagexact also efc_diagA, efc_R, efc_D, efc_KBIP
//   before  rows, impedance, mass factor
//
// Only for who needs it: the PGS solver and the noslip pass in forward dynamics, and the flag diagexact.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

CT_FN bool cti_needs_dual(const ctModel* m, bool forward);

// CT_OK or CT_STEP_OVERFLOW (arena or scratch).
CT_FN ctStatus cti_project(const ctModel* m, ctData* d);
