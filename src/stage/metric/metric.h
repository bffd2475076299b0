// Metric stage: what the discrete integrator solves in. Step code.
//
// The discrete integrator takes forces at the end of the step, to first order: with h the time step, D and K
// minus the derivatives of the smooth forces by velocity and position, each as far as it is positive,
//   (M + h D + h^2 K) qacc = qfrc_smooth - h K qvel + J' f,   qvel += h qacc,   qpos += h qvel
// so that the constraint forces f meet the same matrix as everything else.
//   reads   everything up to the force stage
//   writes  d->efm_*, qH, qHDiagInv; cti_data(d)->metric
//   before  actuation
#pragma once

#include "base/fn.h"
#include "corten/data.h"
#include "data/data.h"

CT_INLINE bool cti_is_discrete(const ctModel* m) {
  return m->opt.integrator == CT_INT_DISCRETE;
}

CT_INLINE const ctiMetric* cti_metric(const ctData* d) {
  return &cti_data_const(d)->metric;
}

// The metric of this step, or none for other integrators. CT_OK, CT_STEP_SINGULAR or CT_STEP_OVERFLOW (arena
// full: the metric is M).
CT_KERNEL_NOINLINE ctStatus cti_metric_make(const ctModel* m, ctData* d);

// r = (M + h D + h^2 K) v
CT_FN void cti_metric_mul(const ctModel* m, const ctData* d, ctReal* r, const ctReal* v);

// Bodies that move freely and alone: their acceleration with the derivative of gyroscopic forces, into
// d->qacc. After the solver.
CT_FN ctStatus cti_metric_free_bodies(const ctModel* m, ctData* d);

// The smooth forces that make d->qacc.
CT_FN ctStatus cti_metric_inverse(const ctModel* m, ctData* d, ctReal* force);

// ---- stiffness of deformables ----

// d->efm_K_*, efm_dofid; adds to d->efm_c, and to the diagonal of what it covers. False when the arena is
// full.
CT_FN bool cti_metric_flexes(const ctModel* m, ctData* d);

// The element of the stiffness on the diagonal.
CT_FN ctReal cti_metric_diagonal(const ctData* d, int dof);

// Squares that rods add for their twist: their number; and written from row `at` on. The rest goes to
// efm_diag.
CT_FN int cti_metric_twists(const ctModel* m);
CT_FN bool cti_metric_add_twists(const ctModel* m, ctData* d, ctiMetric* metric, int at);
