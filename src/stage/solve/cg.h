// Solve stage: conjugate gradients on the primal problem, preconditioned by the mass matrix, with the
// direction of Hager and Zhang.
//   reads   the problem; p->qacc is the start
//   writes  p->qacc, qfrc_constraint, force, state, niter, stat
//   before  smooth acceleration, reference, warm start
#pragma once

#include "stage/solve/problem.h"

// CT_OK, or CT_STEP_OVERFLOW (scratch: nothing is changed).
CT_FN ctStatus cti_cg(ctiProblem* p);
