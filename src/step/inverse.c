#include "data/arena.h"
#include "data/awake.h"
#include "math/dense.h"
#include "math/sparse.h"
#include "sense/sense.h"
#include "stage/constraint/constraint.h"
#include "stage/derivative/velocity.h"
#include "stage/metric/metric.h"
#include "stage/position/position.h"
#include "stage/position/reflected.h"
#include "stage/solve/row_cost.h"
#include "stage/velocity/velocity.h"
#include "step/step.h"

// force += h D qacc, D the damping of the dofs
static CT_FN void add_damping(const ctModel* m, const ctData* d, ctReal* force) {
  if (m->opt.disableflags & (CT_DSBL_EULERDAMP | CT_DSBL_DAMPER)) return;
  for (int i = 0; i < m->nv; i++) {
    ctiDamping b = cti_dof_damping(m, i);
    force[i] += m->opt.timestep * cti_damper_derivative(b.linear, b.poly, d->qvel[i]) * d->qacc[i];
  }
}

// force += (h D + h^2 K) qacc + h K v: what the implicit springs and dampers held back
static CT_FN void add_springs_and_dampers(const ctModel* m, const ctData* d, ctReal* force) {
  ctReal h = m->opt.timestep;
  for (int i = 0; i < m->nv; i++) {
    if (!(m->opt.disableflags & CT_DSBL_SPRING))
      force[i] += h * cti_dof_stiffness(m, d, i) * (h * d->qacc[i] + d->qvel[i]);
    if (m->opt.disableflags & CT_DSBL_DAMPER) continue;
    ctiDamping b = cti_dof_damping(m, i);
    force[i] += h * cti_max(0, cti_damper_derivative(b.linear, b.poly, d->qvel[i])) * d->qacc[i];
  }
}

// force -= h F qacc, F the derivative of the smooth forces by velocity
static CT_FN ctStatus add_derivative(const ctModel* m, ctData* d, ctReal* force, ctReal* scratch,
                                     bool with_bias) {
  ctStatus status = cti_velocity_derivative(m, d, with_bias);
  if (status != CT_OK) return status;
  cti_csr_mul_vec(scratch, d->qDeriv, m->D_rownnz, m->D_rowadr, (const int*)0, m->D_colind, d->qacc, m->nv);
  // lone free bodies are stepped with the derivative of their bias force too
  for (int t = 0; !with_bias && t < m->ntree; t++) {
    if (!cti_is_lone_free_body(m, t)) continue;
    ctReal block[36];
    cti_free_body_derivative(block, m, d, t);
    cti_mul_mat_vec(scratch + m->tree_dofadr[t], block, d->qacc + m->tree_dofadr[t], 6, 6);
  }
  cti_add_scaled(force, scratch, -m->opt.timestep, m->nv);
  return CT_OK;
}

// d->qacc, taken as change of velocity over a step, becomes the acceleration from which the integrator would
// make that change. CT_OK, or with d->qacc as it was CT_STEP_OVERFLOW or CT_ERR_UNSUPPORTED (RK4, whose step
// has several accelerations).
static CT_FN ctStatus to_continuous_acc(const ctModel* m, ctData* d) {
  int kind = m->opt.integrator;
  if (kind == CT_INT_RK4) return CT_ERR_UNSUPPORTED;
  size_t mark = cti_scratch_mark(d);
  ctReal* force = CTI_SCRATCH(d, ctReal, m->nv, "inverse.force");
  ctReal* scratch = CTI_SCRATCH(d, ctReal, m->nv, "inverse.scratch");
  ctStatus status = force && scratch ? CT_OK : CT_STEP_OVERFLOW;
  if (status == CT_OK) {
    cti_mul_mass(m, d, force, d->qacc);
    switch (kind) {
      case CT_INT_IMPLICIT:
      case CT_INT_IMPLICITFAST: status = add_derivative(m, d, force, scratch, kind == CT_INT_IMPLICIT); break;
      case CT_INT_SPRINGDAMPER: add_springs_and_dampers(m, d, force); break;
      default: add_damping(m, d, force);
    }
  }
  if (status == CT_OK) {
    cti_solve_mass(m, d, force);
    cti_copy(d->qacc, force, m->nv);
  }
  cti_scratch_release(d, mark);
  return status;
}

// The forces that the rows exert when the acceleration is what it is: no solve, each row by itself.
CT_FN ctStatus cti_inverse_constraint(const ctModel* m, ctData* d) {
  cti_zero(d->qfrc_constraint, m->nv);
  if (d->nefc == 0) return CT_OK;
  size_t mark = cti_scratch_mark(d);
  ctReal* jar = CTI_SCRATCH(d, ctReal, d->nefc, "inverse.jar");
  if (!jar) return CT_STEP_OVERFLOW;
  ctiProblem whole;
  cti_problem_whole(&whole, m, d);
  cti_problem_residual(&whole, jar, d->qacc);
  cti_row_costs(&whole, jar, false);
  cti_problem_mul_JT(&whole, d->qfrc_constraint, d->efc_force);
  cti_scratch_release(d, mark);
  return CT_OK;
}

// What is needed on top of the passive forces: bias + M qacc - passive - constraint.
static CT_FN ctStatus inverse_force(const ctModel* m, ctData* d) {
  ctStatus status = CT_OK;
  const bool discrete = cti_is_discrete(m);
  if (discrete) {
    status = cti_metric_make(m, d);
    if (cti_metric(d)->on) status = cti_worse(status, cti_discrete_rows(m, d, false));
    if (!cti_metric(d)->on) return status;
  }
  status = cti_worse(status, cti_inverse_constraint(m, d));
  if (discrete) {
    status = cti_worse(status, cti_metric_inverse(m, d, d->qfrc_inverse));
  } else {
    cti_mul_mass(m, d, d->qfrc_inverse, d->qacc);
  }
  for (int i = 0; i < m->nv; i++) {
    d->qfrc_inverse[i] = d->qfrc_bias[i] + d->qfrc_inverse[i] - d->qfrc_passive[i] - d->qfrc_constraint[i];
  }
  CTI_EACH_ASLEEP(i, cti_awake(d)->dof, m->nv) d->qfrc_inverse[i] = 0;
  return status;
}

// The same when qacc is a change of velocity over a step; qacc itself stays what it was.
static CT_FN ctStatus discrete_inverse_force(const ctModel* m, ctData* d) {
  size_t mark = cti_scratch_mark(d);
  ctReal* given = CTI_SCRATCH(d, ctReal, m->nv, "inverse.qacc");
  if (!given) return CT_STEP_OVERFLOW;
  cti_copy(given, d->qacc, m->nv);
  ctStatus status = to_continuous_acc(m, d);
  if (status == CT_OK) status = inverse_force(m, d);
  cti_copy(d->qacc, given, m->nv);
  cti_scratch_release(d, mark);
  return status;
}

CT_FN ctStatus cti_inverse_force(const ctModel* m, ctData* d) {
  // the discrete integrator knows no other acceleration
  bool discrete = (m->opt.enableflags & CT_ENBL_INVDISCRETE) != 0 && !cti_is_discrete(m);
  return discrete ? discrete_inverse_force(m, d) : inverse_force(m, d);
}

// Length of a - b; b becomes the difference.
static CT_FN ctReal distance_to(const ctReal* a, ctReal* b, int n) {
  cti_sub(b, a, b, n);
  return cti_norm(b, n);
}

CT_FN ctStatus cti_compare_forward_inverse(const ctModel* m, ctData* d) {
  d->solver_fwdinv[0] = d->solver_fwdinv[1] = 0;
  if (d->nefc == 0) return CT_OK;
  size_t mark = cti_scratch_mark(d);
  ctReal* constraint = CTI_SCRATCH(d, ctReal, m->nv, "fwdinv.constraint");
  ctReal* applied = CTI_SCRATCH(d, ctReal, m->nv, "fwdinv.applied");
  ctReal* rows = CTI_SCRATCH(d, ctReal, d->nefc, "fwdinv.rows");
  ctStatus status = constraint && applied && rows ? CT_OK : CT_STEP_OVERFLOW;
  if (status == CT_OK) {
    cti_copy(constraint, d->qfrc_constraint, m->nv);
    cti_copy(rows, d->efc_force, d->nefc);
    for (int i = 0; i < m->nv; i++) applied[i] = d->qfrc_smooth[i] - d->qfrc_passive[i] + d->qfrc_bias[i];
    status = cti_inverse_force(m, d);
    d->solver_fwdinv[0] = distance_to(constraint, d->qfrc_constraint, m->nv);
    d->solver_fwdinv[1] = distance_to(d->qfrc_inverse, applied, m->nv);
    // the forces of the forward dynamics go on
    cti_copy(d->qfrc_constraint, constraint, m->nv);
    cti_copy(d->efc_force, rows, d->nefc);
  }
  cti_scratch_release(d, mark);
  return status;
}

CT_FN ctStatus cti_inverse(const ctModel* m, ctData* d) {
  double start = cti_timer_start(d);
  const unsigned how = CTI_RUN_SENSORS | CTI_RUN_INVERSE;
  ctStatus status = cti_stages(m, d, CTI_STAGE_PLACES, CTI_STAGE_VELOCITY, how);
  status = cti_worse(status, cti_inverse_force(m, d));
  cti_sense(m, d, CT_STAGE_ACC);
  cti_timer_stop(d, CT_TIMER_INVERSE, start);
  return status;
}
