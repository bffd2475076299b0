// Solve stage: friction without slip. After the main solver, friction forces alone are solved again without
// their softness, normal forces as they are; contacts in sequence.
//   reads   the problem and its dual; p->force
//   writes  p->force, state; adds to p->niter
//   before  the solver
#pragma once

#include "stage/solve/dual.h"

CT_FN void cti_noslip(ctiDual* dual);
