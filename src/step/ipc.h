// Surfaces that never cross: the constraint stage of a step with the flag ipc. Step code.
//
// Contacts of surfaces are rows that push from one side, each with a multiplier that is kept from step to
// step: their forces are added to what the stiffness of the row makes of a gap that is too small. Positions
// at the end of the step are a trial; the surfaces move towards it as far as nothing comes too near, contacts
// are found anew there, and the step is solved again, until the whole way is free.
//   reads   everything up to the smooth acceleration; d->flexvert_lambda, flexvert_conage
//   writes  d->qacc, qfrc_constraint, efc_force, efc_state; d->flexvert_lambda, flexvert_conage
//   before  the smooth acceleration
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// CT_OK, CT_STEP_SINGULAR or CT_STEP_OVERFLOW.
CT_FN ctStatus cti_ipc_solve(const ctModel* m, ctData* d);
