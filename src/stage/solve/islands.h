// Solve stage: islands, sets of kinematic trees that rows connect; each can be solved by itself. Step code.
//
// Islands are numbered by their smallest tree; within an island trees, dofs and rows keep their order. Dofs
// that no row touches come after those of all islands.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// The islands of this step, in the arena. CT_OK, or CT_STEP_OVERFLOW when that was too small: the step is
// then taken again with a larger arena, or goes without constraint forces where the arena is fixed.
//   reads   efc_type, efc_id, contacts
//   writes  d->nisland, nidof, island_*, tree_island, dof_island, efc_island, map_*
CT_FN ctStatus cti_find_islands(const ctModel* m, ctData* d);

// Copies of what a solver needs, in the order of the islands: iefc_*, ifrc_smooth, iacc_smooth, iacc.
// CT_OK or CT_STEP_OVERFLOW.
CT_FN ctStatus cti_gather_islands(const ctModel* m, ctData* d);

// Results of the islands back to qacc, qfrc_constraint, efc_force and efc_state. Dofs outside of islands get
// their smooth acceleration.
CT_FN void cti_scatter_islands(const ctModel* m, ctData* d);

// Dofs that sleep feel no constraint, and have the acceleration they would have without.
CT_FN void cti_rest_dofs(const ctModel* m, ctData* d);
