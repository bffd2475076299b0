// Solve stage: the dual problem, over forces: minimise f' AR f / 2 + b' f within the limits of each row.
// Parts shared by the PGS solver and the noslip pass. Step code.
#pragma once

#include "base/fn.h"
#include "stage/solve/problem.h"

typedef struct ctiDual {
  ctiProblem* p;
  bool sparse;
  const ctReal *AR, *b;
  const int *rownnz, *rowadr, *colind;
  int elements;  // of AR as the rows couple, however it is stored
  // runs of neighbouring columns in sparse rows, once for rows with the same columns
  const int *run_adr, *run_num;      // of each row
  const int *run_first, *run_count;  // first column and length of each run
} ctiDual;

// The dual of the whole model.
CT_FN void cti_dual_whole(ctiDual* dual, ctiProblem* whole);

// The dual of an island, in scratch. False when that is full.
CT_FN bool cti_dual_island(ctiDual* dual, ctiProblem* p, int island);

// f' AR f / 2 + b' f
CT_FN ctReal cti_dual_cost(const ctiDual* dual, const ctReal* force);

// res = AR f + b of all rows, and what changes there when the n forces from row i on change from `old`
CT_FN void cti_dual_move(const ctiDual* dual, ctReal* res, int i, int n, const ctReal* old);

// Costs may rise by this much through rounding.
#define CTI_DUAL_TOLERANCE CT_R(1e-10)

// qfrc_constraint and qacc from the forces.
CT_FN void cti_dual_finish(const ctModel* m, ctData* d);

// ---- projected Gauss-Seidel ----
// Blocks (an elliptic contact is one) are visited in a shuffled order that is the same in every run.
// Momentum speeds up and restarts when it points back.
//   reads   the problem and its dual; p->force is the start
//   writes  p->force, state, niter, stat
//   before  projection, warm start

// CT_OK, or CT_STEP_OVERFLOW (scratch: nothing is changed).
CT_FN ctStatus cti_pgs(ctiDual* dual);

// ---- the noslip pass: friction without slip, after the main solver ----
// Friction forces alone are solved again without their softness, normal forces as they are; contacts in
// sequence.
//   reads   the problem and its dual; p->force
//   writes  p->force, state; adds to p->niter
//   before  the solver

CT_FN void cti_noslip(ctiDual* dual);

// ---- small quadratic programs inside an ellipsoid, for friction forces ----

#define CTI_QCQP_MAX 5

// x minimises x' A x / 2 + b' x subject to |(x_i / d_i)| <= r. A is n x n, symmetric, positive definite,
// n <= CTI_QCQP_MAX. Returns true when the constraint holds x back. When A is singular, x is zero.
CT_FN bool cti_qcqp(ctReal* x, const ctReal* A, const ctReal* b, const ctReal* d, ctReal r, int n);
