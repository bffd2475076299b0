// Constraint stage: islands, sets of kinematic trees that rows connect. Each can be solved by itself.
//   reads   d->efc_type, efc_id, contact; m->*_treeid and what says which objects a row touches
//   writes  d->nisland, nidof, tree_island, island_*, dof_island, efc_island, map_* in the arena
//   before  rows
//
// Islands are numbered by their smallest tree; within an island trees, dofs and rows keep their order. Dofs
// that no row touches come after those of all islands.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// CT_OK, or CT_STEP_OVERFLOW when the arena was too small: then there are no islands (nisland is 0) and the
// problem is solved as a whole.
CT_FN ctStatus cti_find_islands(const ctModel* m, ctData* d);

// ---- Solve stage: the islands of a step, one after another or in threads, with the same bits. Step code.
// ----
//
//   reads   what the solvers read; the islands found before
//   writes  d->qacc, qfrc_constraint, efc_force, solver_niter, solver_nnz; warnings

// CT_OK, CT_STEP_SINGULAR, or CT_STEP_OVERFLOW (scratch).
CT_FN ctStatus cti_solve_islands(const ctModel* m, ctData* d);
