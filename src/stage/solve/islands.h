// Solve stage: the islands of a step, one after another or in threads, with the same bits. Step code.
//
//   reads   what the solvers read; the islands found before
//   writes  d->qacc, qfrc_constraint, efc_force, solver_niter, solver_nnz; warnings
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// CT_OK, CT_STEP_SINGULAR, or CT_STEP_OVERFLOW (scratch).
CT_FN ctStatus cti_solve_islands(const ctModel* m, ctData* d);
