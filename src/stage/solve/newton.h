// Solve stage: Newton's method on the primal problem.
//   reads   the problem; p->qacc is the start
//   writes  p->qacc, qfrc_constraint, force, state, niter, stat
//   before  smooth acceleration, reference, warm start
#pragma once

#include "stage/solve/problem.h"

// CT_OK, CT_STEP_SINGULAR, or CT_STEP_OVERFLOW (scratch: nothing is changed).
CT_FN ctStatus cti_newton(ctiProblem* p);
