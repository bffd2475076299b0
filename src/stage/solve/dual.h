// Solve stage: the dual problem, over forces: minimise f' AR f / 2 + b' f within the limits of each row.
// Parts shared by the PGS solver and the noslip pass. Step code.
#pragma once

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

// Look for the runs, which cti_dual_move() needs; in scratch. False when that is full.
CT_FN bool cti_dual_find_runs(ctiDual* dual);

// f' AR f / 2 + b' f
CT_FN ctReal cti_dual_cost(const ctiDual* dual, const ctReal* force);

// Rows of the block that starts at row i: the dimension of an elliptic contact, else 1.
CT_FN int cti_dual_block_size(const ctiDual* dual, int i);

// res = (AR f + b) of n rows from row i on
CT_FN void cti_dual_residual(const ctiDual* dual, ctReal* res, int i, int n);

// res = AR f + b of all rows, and what changes there when the n forces from row i on change from `old`
CT_FN void cti_dual_residuals(const ctiDual* dual, ctReal* res);
CT_FN void cti_dual_move(const ctiDual* dual, ctReal* res, int i, int n, const ctReal* old);

// The n x n block of AR from row i on
CT_FN void cti_dual_block(const ctiDual* dual, ctReal* block, int i, int n);

// Costs may rise by this much through rounding.
#define CTI_DUAL_SLACK CT_R(1e-10)

// Change of the cost when the n forces from row i on change from `old` to what they are, `res` at `old`. A
// change that would raise the cost is taken back: then 0.
CT_FN ctReal cti_dual_accept(const ctReal* block, ctReal* force, const ctReal* old, const ctReal* res, int n);

// Put friction back on its ellipsoid, for a normal force.
CT_FN void cti_dual_on_cone(ctReal* friction_force, const ctContact* con, ctReal normal);

// States of the rows from their forces.
CT_FN void cti_dual_states(ctiProblem* p);

// qfrc_constraint and qacc from the forces.
CT_FN void cti_dual_finish(const ctModel* m, ctData* d);
