// Solve stage: projected Gauss-Seidel on the dual problem. Blocks (an elliptic contact is one) are visited in
// a shuffled order that is the same in every run; momentum speeds up and restarts when it points back.
//   reads   the problem and its dual; p->force is the start
//   writes  p->force, state, niter, stat
//   before  projection, warm start
#pragma once

#include "stage/solve/dual.h"

// CT_OK, or CT_STEP_OVERFLOW (scratch: nothing is changed).
CT_FN ctStatus cti_pgs(ctiDual* dual);
