// Solve stage: the problem a solver sees, either the whole model or one island of it. Step code.
//
//   minimise over qacc:  (qacc - qacc_smooth)' M (qacc - qacc_smooth) / 2  +  cost of the rows at J qacc -
//   aref
//
// Nothing large is copied: M, its factor and a sparse J stay where they are, rows are reached through
// addresses, columns are renumbered once for all islands.
#pragma once

#include "base/fn.h"
#include "data/data.h"
#include "stage/constraint/constraint.h"

// A problem is plain when Newton's method solves it, without a noslip pass, J is dense, and there is no
// metric but M: then there are no deformables. Most models of robots are.
CT_INLINE bool cti_has_metric(const ctData* d) {
  return !CT_PLAIN && cti_data_const(d)->metric.on;
}
CT_INLINE bool cti_has_flexes(const ctModel* m) {
  return !CT_PLAIN && m->nflex > 0;
}

typedef struct ctiProblem {
  int nv, nefc, ne, nf;
  ctReal scale;  // makes costs and gradients comparable between models: 1 / trace of M
  // mass matrix and its factor L'DL, lower triangle in rows; with the discrete integrator what it makes of M,
  // in the same pattern
  const ctReal *M, *LD, *Dinv;
  const ctReal* mass;  // M itself
  const int *M_rownnz, *M_rowadr, *M_colind;
  int nC;  // elements of M, those of other islands among them
  // in fast memory alone: last dof that hangs on each, and the columns of M
  const int* M_last;
  const ctByte* M_column;
  const int* tree;  // of each dof
  // the rest of the metric of the discrete integrator: stiffness of deformables, both triangles in rows, and
  // squares of sparse rows
  bool general;   // is there any?
  bool flexes;    // has the model deformables?
  bool diagonal;  // M is, and what the integrator makes of it in its pattern
  const ctReal* K;
  const int *K_rownnz, *K_rowadr, *K_rowsuper, *K_colind;
  int nsquare;
  const ctReal *square, *square_scale;
  const int *square_rownnz, *square_rowadr, *square_colind;
  // Jacobian: dense nefc x nv, or in rows
  bool sparse;
  const ctReal* J;
  const int *J_rownnz, *J_rowadr, *J_rowsuper, *J_colind;
  ctiUnitRows units;  // of a dense one
  // rows
  const int *type, *id;
  const ctReal *D, *R, *frictionloss, *aref;
  ctContact* contact;
  // start and results
  const ctReal *Ma0, *jar0;  // M qacc and J qacc - aref of the whole model at the start, where they are known
  const int *dof, *row;      // the problem's in the whole model; NULL: as they are
  const ctReal *qacc_smooth, *qfrc_smooth;
  ctReal *qacc, *qfrc_constraint, *force;
  int* state;
  // options and report
  const ctOption* opt;
  ctSolverStat* stat;  // CT_NSOLVER, or NULL
  int niter;           // iterations done
  int nnz;             // elements of the matrix the solver works on: H, J or AR
  ctData* d;           // scratch and warnings
} ctiProblem;

// The column of an element of M.
CT_INLINE int cti_problem_column(const ctiProblem* p, int k) {
  return CT_PLAIN ? p->M_column[k] : p->M_colind[k];
}

// The whole model; without the scale of its costs, which needs all of M.
CT_FN void cti_problem_whole(ctiProblem* p, const ctModel* m, ctData* d);
CT_FN void cti_problem_scale(ctiProblem* p);

// Columns of M and of a sparse J in the numbers of their islands; in scratch, unless an island has all dofs.
typedef struct ctiIslandColumns {
  const int *M, *J;
  const int *K, *square;  // of the metric
} ctiIslandColumns;
CT_FN bool cti_island_columns(ctiIslandColumns* columns, const ctModel* m, ctData* d);

// One island; addresses are in scratch. False when that is full.
CT_FN bool cti_problem_island(ctiProblem* p, const ctModel* m, ctData* d, const ctiIslandColumns* columns,
                              int island);

#if CT_PLAIN
// The problem with copies of what iterations read over and over, in fast memory; false when that is too
// small. Results are there too, until they are brought home.
CT_FN bool cti_problem_near(ctiProblem* near, const ctiProblem* p);
CT_FN void cti_problem_home(const ctiProblem* near, const ctiProblem* p);
#endif

// Into a report: rows that are active, and rows whose state is not the one `before`, which is brought up to
// date.
CT_FN void cti_problem_report_states(const ctiProblem* p, int* before, ctSolverStat* stat);

// Elements of J.
CT_FN int cti_problem_J_elements(const ctiProblem* p);

// M qacc and J qacc - aref at the start, as they are known or anew.
CT_FN void cti_problem_start(const ctiProblem* p, ctReal* Ma, ctReal* jar);

// r = M v, x = M^-1 x, r = J v, r = J' f
CT_FN void cti_problem_mul_M(const ctiProblem* p, ctReal* r, const ctReal* v);
CT_FN void cti_problem_solve_M(const ctiProblem* p, ctReal* x);
CT_FN void cti_problem_mul_J(const ctiProblem* p, ctReal* r, const ctReal* v);
CT_FN void cti_problem_mul_JT(const ctiProblem* p, ctReal* r, const ctReal* f);

// jar = J qacc - aref
CT_FN void cti_problem_residual(const ctiProblem* p, ctReal* jar, const ctReal* qacc);
