// Solve stage: the acceleration under constraints.
//   reads   d->M, qLD, qfrc_smooth, qacc_smooth, qacc_warmstart, efc_*
//   writes  d->qacc, qfrc_constraint, efc_force, efc_state, efc_b, islands, solver, solver_niter
//   before  smooth acceleration, reference
//
// The start is chosen once, for the whole model; then each island is solved by itself, or everything at once
// when islands are off. The order of islands does not matter: they share nothing.
#pragma once

#include "base/fn.h"
#include "corten/data.h"
#include "stage/solve/problem.h"

// CT_OK, CT_STEP_SINGULAR, CT_STEP_OVERFLOW (scratch: the start stands), or CT_ERR_UNSUPPORTED (PGS or noslip
// with the stiffness of deformables in the metric: no forces).
CT_FN ctStatus cti_solve(const ctModel* m, ctData* d);

// The same in three, for islands that are solved at once: a begin; each of s->workers, in any order; an end
// if there are any. The result does not depend on how many there are.
typedef struct ctiIslandResult ctiIslandResult;
typedef struct ctiSolve {
  int workers;  // 0: all is solved
  const ctModel* m;
  ctiIslandColumns columns;
  const ctReal *Ma0, *jar0;           // what is known at the start, see ctiProblem
  ctiIslandResult* results;           // of each island
  ctiData* data;                      // of each worker: the same arrays, but its own scratch and warnings
  ctWarningStat seen[CT_WARN_COUNT];  // warnings of the world before
  size_t mark;                        // of the scratch it holds
} ctiSolve;
CT_FN ctStatus cti_solve_begin(ctiSolve* s, const ctModel* m, ctData* d, int workers);
CT_FN void cti_solve_worker(const ctiSolve* s, ctData* d, int worker);
CT_FN ctStatus cti_solve_end(const ctiSolve* s, const ctModel* m, ctData* d);

// Bytes of fast memory that a plain problem takes at most, with the rows that the world has now. An
// underestimate only costs time: the problem is then solved as all others are.
CT_FN int64_t cti_plain_bytes(const ctModel* m, const ctData* d);

// ---- the metric of the discrete integrator ----

// x = its inverse times x; that of M with other integrators. CT_OK, CT_STEP_SINGULAR or CT_STEP_OVERFLOW.
CT_KERNEL_NOINLINE ctStatus cti_solve_metric(const ctModel* m, ctData* d, ctReal* x);

// d->qacc_smooth in the metric, from the smooth forces with their shift, which are kept for the solver.
//   before  the metric, smooth acceleration
CT_KERNEL_NOINLINE ctStatus cti_metric_acceleration(const ctModel* m, ctData* d);

// ---- how well a step was solved ----
//   reads   d->qacc, qfrc_smooth, qfrc_constraint, efc_*
//   before  the solver

// `balance`: what is left of M qacc - qfrc_smooth - J' f, relative to the largest of its parts;
// `force`: how far the forces f are from those that the rows exert at J qacc - aref, relative to the largest.
// Both are 0 at the solution and only there. CT_OK or CT_STEP_OVERFLOW (scratch).
CT_KERNEL_NOINLINE ctStatus cti_kkt_residual(const ctModel* m, ctData* d, ctReal* balance, ctReal* force);
