// Solve stage: how well a step was solved.
//   reads   d->qacc, qfrc_smooth, qfrc_constraint, efc_*
//   before  the solver
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// `balance`: what is left of M qacc - qfrc_smooth - J' f, relative to the largest of its parts;
// `force`: how far the forces f are from those that the rows exert at J qacc - aref, relative to the largest.
// Both are 0 at the solution and only there. CT_OK or CT_STEP_OVERFLOW (scratch).
CT_FN ctStatus cti_kkt_residual(const ctModel* m, ctData* d, ctReal* balance, ctReal* force);
