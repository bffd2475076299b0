// Constants that need a forward pass at the reference configuration, and springs given by time constant and
// damping ratio, which need the inertia found there.
#include "step/constants.h"
#include "base/kinds.h"
#include "compile/build.h"

// Stiffness and damping that give a joint the time constant and damping ratio asked for.
static void spring_dampers(const ctiBuild* b) {
  ctModel* m = b->m;
  for (int j = 0; j < m->njnt; j++) {
    const double* wanted = b->joint[j].spec->springdamper;
    if (wanted[0] <= 0 || wanted[1] <= 0) continue;
    int dof = m->jnt_dofadr[j], n = cti_joint_nv(m->jnt_type[j]);
    ctReal weight = 0;
    for (int k = dof; k < dof + n; k++) weight += m->dof_invweight0[k] / (ctReal)n;
    ctReal mass = 1 / cti_max(CTI_MINVAL, weight), time = (ctReal)wanted[0], ratio = (ctReal)wanted[1];
    m->jnt_stiffness[j] = mass / cti_max(CTI_MINVAL, time * time * ratio * ratio);
    for (int k = dof; k < dof + n; k++) m->dof_damping[k] = 2 * mass / cti_max(CTI_MINVAL, time);
  }
}

ctStatus cti_pass_constants(ctiBuild* b) {
  CT_TRY(cti_model_constants(b->m, b->err));
  spring_dampers(b);
  return CT_OK;
}
