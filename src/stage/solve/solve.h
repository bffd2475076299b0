// Solve stage: the acceleration under constraints.
//   reads   d->M, qLD, qfrc_smooth, qacc_smooth, qacc_warmstart, efc_*
//   writes  d->qacc, qfrc_constraint, efc_force, efc_state, efc_b, islands, solver, solver_niter
//   before  smooth acceleration, reference
//
// The start is chosen once, for the whole model; then each island is solved by itself, or everything at once
// when islands are off. The order of islands does not matter: they share nothing.
#pragma once

#include "stage/solve/problem.h"

// CT_OK, CT_STEP_SINGULAR, or CT_STEP_OVERFLOW (scratch: the start stands).
CT_FN ctStatus cti_solve(const ctModel* m, ctData* d);

// One island by the solver of the options. Statuses as above.
CT_FN ctStatus cti_solve_island(const ctModel* m, ctiProblem* p, int island);
