// Solve stage: the acceleration that minimises Gauss' principle plus the cost of the rows, by Newton's
// method.
//   reads   d->M, qfrc_smooth, qacc_smooth, qacc_warmstart, efc_J, efc_aref, efc_D ...
//   writes  d->qacc, qfrc_constraint, efc_force, efc_state, efc_b, solver, solver_niter
//   before  smooth acceleration, reference
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// CT_OK, CT_STEP_SINGULAR, or CT_STEP_OVERFLOW (scratch: the smooth acceleration stands).
CT_FN ctStatus cti_newton(const ctModel* m, ctData* d);
