// Solve stage: what Newton and CG share: the cost and its gradient, the line search, the move, the report.
// Both minimise over accelerations. Step code.
#pragma once

#include "stage/solve/problem.h"
#include "stage/solve/row_cost.h"

// What the points of a line share for an elliptic contact.
typedef struct ctiConeLine {
  ctiConePoint start;
  ctReal V[6];    // change of U
  ctReal UV, VV;  // products of the tangential parts, at the start
  ctReal stiffness, cost;
  int dim;
  int first;  // row, for teams
} ctiConeLine;

// The vectors of one solve, all in scratch.
typedef struct ctiPrimal {
  ctiProblem* p;
  ctReal *Ma, *grad, *search, *Mv;  // nv
  ctReal *jar, *jv;                 // nefc
  ctiConeLine* cones;               // of the line at hand
  ctReal cost;
  ctReal improvement;  // of the last line search, unscaled
  ctReal lineslope;    // steepness at its end, for a direction of length one
  ctReal gained;       // by all of them
  int evaluations;     // during it
  int* before;         // nefc: states of the rows at the last report
} ctiPrimal;

// Step length along `search` to the bottom of the line; 0 when it does not go down.
CT_FN ctReal cti_primal_line_search(ctiPrimal* s);

// Solve by Newton's method, or by conjugate gradients, as the options say.
//   reads   the problem; p->qacc is the start
//   writes  p->qacc, qfrc_constraint, force, state, niter, stat
//   before  smooth acceleration, reference, warm start
// CT_OK, CT_STEP_SINGULAR, or CT_STEP_OVERFLOW (scratch: nothing is changed).
CT_FN ctStatus cti_solve_primal(ctiProblem* p);
