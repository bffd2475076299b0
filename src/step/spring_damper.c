#include "math/dense.h"
#include "math/quat.h"
#include "stage/position/reflected.h"
#include "stage/velocity/passive.h"
#include "step/implicit_solve.h"
#include "step/integrate.h"

CT_INLINE ctReal spring_slope(const ctModel* m, int j, ctReal x) {
  const ctReal* poly = m->jnt_stiffnesspoly + CT_NPOLY * j;
  // a spring that pushes away would make the metric indefinite
  return cti_max(0, m->jnt_stiffness[j] + x * (2 * poly[0] + 3 * x * poly[1]));
}

// Displacement of one dof's spring: along it, or the length of the joint's vector.
static CT_FN ctReal spring_displacement(const ctModel* m, const ctData* d, int j, bool rotation) {
  const ctReal *q = d->qpos + m->jnt_qposadr[j], *rest = cti_joint_rest(m, d, j);
  ctReal x[3], quat[4];
  if (m->jnt_type[j] == CT_JOINT_SLIDE || m->jnt_type[j] == CT_JOINT_HINGE) return q[0] - rest[0];
  if (!rotation) {
    cti_sub3(x, q, rest);
    return cti_norm3(x);
  }
  int at = m->jnt_type[j] == CT_JOINT_FREE ? 3 : 0;
  cti_copy4(quat, q + at);
  cti_normalize4(quat);
  cti_quat_sub(x, quat, rest + at);
  return cti_norm3(x);
}

CT_FN ctReal cti_dof_stiffness(const ctModel* m, const ctData* d, int dof) {
  int j = m->dof_jntid[dof];
  if (!cti_has_force(m->jnt_stiffness[j], m->jnt_stiffnesspoly + CT_NPOLY * j)) return 0;
  bool rotation = m->jnt_type[j] != CT_JOINT_FREE || dof >= m->jnt_dofadr[j] + 3;
  return spring_slope(m, j, spring_displacement(m, d, j, rotation));
}

// qacc = (M + h D + h^2 K)^-1 (f - h K v): what the forces are at the end of the step, to first order.
static CT_FN ctStatus solve_spring_damper(const ctModel* m, ctData* d, ctReal* qacc) {
  ctReal h = m->opt.timestep;
  cti_copy(d->qH, d->M, m->nC);
  cti_add(qacc, d->qfrc_smooth, d->qfrc_constraint, m->nv);
  for (int i = 0; i < m->nv; i++) {
    if (!(m->opt.disableflags & CT_DSBL_SPRING)) {
      ctReal stiffness = cti_dof_stiffness(m, d, i);
      cti_add_to_diagonal(m, d, i, h * h * stiffness);
      qacc[i] -= h * stiffness * d->qvel[i];
    }
    if (!(m->opt.disableflags & CT_DSBL_DAMPER)) {
      ctiDamping b = cti_dof_damping(m, i);
      cti_add_to_diagonal(m, d, i, h * cti_max(0, cti_damper_slope(b.linear, b.poly, d->qvel[i])));
    }
  }
  return cti_solve_metric(m, d, qacc);
}

CT_FN ctStatus cti_implicit_spring_damper(const ctModel* m, ctData* d) {
  return cti_solve_and_advance(m, d, solve_spring_damper);
}
