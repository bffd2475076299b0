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

// CT_OK, or CT_STEP_OVERFLOW when the arena was too small: then there are no islands (nisland is 0) and
// nothing is solved, the smooth acceleration stands without constraint forces.
CT_FN ctStatus cti_find_islands(const ctModel* m, ctData* d);

// Copies of what a solver needs, in the order of the islands: iefc_*, ifrc_smooth, iacc_smooth, iacc.
// CT_OK or CT_STEP_OVERFLOW.
CT_FN ctStatus cti_gather_islands(const ctModel* m, ctData* d);

// Results of the islands back to qacc, qfrc_constraint, efc_force and efc_state. Dofs outside of islands get
// their smooth acceleration.
CT_FN void cti_scatter_islands(const ctModel* m, ctData* d);
