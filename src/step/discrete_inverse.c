#include "step/discrete_inverse.h"

#include "data/arena.h"
#include "derive/velocity_slope.h"
#include "math/sparse.h"
#include "stage/position/inertia.h"
#include "stage/position/reflected.h"
#include "stage/velocity/passive.h"
#include "step/integrate.h"

// force += h D qacc, D the damping of the dofs
static CT_FN void add_damping(const ctModel* m, const ctData* d, ctReal* force) {
  if (m->opt.disableflags & (CT_DSBL_EULERDAMP | CT_DSBL_DAMPER)) return;
  for (int i = 0; i < m->nv; i++) {
    ctiDamping b = cti_dof_damping(m, i);
    force[i] += m->opt.timestep * cti_damper_slope(b.linear, b.poly, d->qvel[i]) * d->qacc[i];
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
    force[i] += h * cti_max(0, cti_damper_slope(b.linear, b.poly, d->qvel[i])) * d->qacc[i];
  }
}

// force -= h F qacc, F the derivative of the smooth forces by velocity
static CT_FN ctStatus add_slope(const ctModel* m, ctData* d, ctReal* force, ctReal* scratch, bool with_bias) {
  ctStatus status = cti_velocity_slope(m, d, with_bias);
  if (status != CT_OK) return status;
  cti_csr_mul_vec(scratch, d->qDeriv, m->D_rownnz, m->D_rowadr, (const int*)0, m->D_colind, d->qacc, m->nv);
  // lone free bodies are stepped with the derivative of their bias force too
  for (int t = 0; !with_bias && t < m->ntree; t++) {
    if (!cti_is_lone_free_body(m, t)) continue;
    ctReal block[36];
    cti_free_body_slope(block, m, d, t);
    cti_mul_mat_vec(scratch + m->tree_dofadr[t], block, d->qacc + m->tree_dofadr[t], 6, 6);
  }
  cti_add_scaled(force, scratch, -m->opt.timestep, m->nv);
  return CT_OK;
}

CT_FN ctStatus cti_to_continuous_acc(const ctModel* m, ctData* d) {
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
      case CT_INT_IMPLICITFAST: status = add_slope(m, d, force, scratch, kind == CT_INT_IMPLICIT); break;
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
