// Solve stage: H x = b by conjugate gradients, for problems whose factor would be far larger than their
// matrix: many bodies tied to many others, as the vertices of deformables are. Step code.
#pragma once

#include "stage/solve/problem.h"

typedef struct ctiIterative {
  const ctiProblem* p;
  ctReal* diag;                // inverse of that of H
  ctReal* weight;              // the diagonal itself
  int* low;                    // elements of each row of the stiffness before its diagonal
  ctReal *r, *z, *dir, *Hdir;  // nv
  ctReal *row, *joint;         // nefc, nv
} ctiIterative;

// False when the scratch is full.
CT_FN bool cti_iterative_allocate(ctiIterative* s, const ctiProblem* p);

// The diagonal at the states of the problem.
CT_FN void cti_iterative_make(ctiIterative* s);

// x = H^-1 b, to rounding as far as that can be had; x must not be b. False when it takes too long: x is then
// not the solution.
CT_KERNEL_NOINLINE bool cti_iterative_solve(const ctiIterative* s, ctReal* x, const ctReal* b);
