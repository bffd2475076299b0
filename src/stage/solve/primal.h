// Solve stage: what Newton and CG share: the cost and its gradient, the line search, the move, the report.
// Both minimise over accelerations. Step code.
#pragma once

#include "stage/solve/line.h"
#include "stage/solve/problem.h"

// The vectors of one solve, all in scratch.
typedef struct ctiPrimal {
  ctiProblem* p;
  ctReal *Ma, *grad, *search, *Mv;  // nv
  ctReal *jar, *jv;                 // nefc
  ctiConeLine* cones;               // of the line at hand
  ctReal cost;
  ctReal improvement;  // of the last line search, unscaled
  ctReal lineslope;    // at its end
  int evaluations;     // during it
  int* before;         // nefc: states of the rows at the last report
} ctiPrimal;

// False when the scratch is full.
CT_FN bool cti_primal_allocate(ctiPrimal* s, ctiProblem* p);

// Residuals at p->qacc, then cti_primal_evaluate.
CT_FN void cti_primal_start(ctiPrimal* s, bool curved);

// Cost, forces and gradient at p->qacc; with `curved` also the Hessians of cones.
CT_FN void cti_primal_evaluate(ctiPrimal* s, bool curved);

// The cost of a point against that of the smooth acceleration is bounded by g' M^-1 g / 2: is that too little
// to begin? `z` (nv) receives M^-1 g.
CT_FN bool cti_primal_is_solved(const ctiPrimal* s, ctReal* z, bool also_gradient);

// Step length along `search` to the bottom of the line; 0 when it does not go down.
CT_FN ctReal cti_primal_line_search(ctiPrimal* s);

// qacc += alpha search, with everything linear in it.
CT_FN void cti_primal_move(ctiPrimal* s, ctReal alpha);

// Note an iteration and say whether it was the last: little gained, or little gradient left.
CT_FN bool cti_primal_finish_iteration(ctiPrimal* s);
