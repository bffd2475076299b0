#include "stage/velocity/passive.h"

#include "math/dense.h"
#include "math/quat.h"

// Spring of a joint whose displacement is a vector: along it, with the stiffness at its length.
static CT_FN void vector_spring(ctReal out[3], const ctModel* m, int j, const ctReal x[3]) {
  ctReal k = cti_spring_factor(m->jnt_stiffness[j], m->jnt_stiffnesspoly + CT_NPOLY * j, cti_norm3(x));
  cti_scale3(out, x, -k);
}

static CT_FN void joint_spring(const ctModel* m, ctData* d, int j) {
  const ctReal* poly = m->jnt_stiffnesspoly + CT_NPOLY * j;
  if (m->jnt_stiffness[j] == 0 && poly[0] == 0 && poly[1] == 0) return;
  const ctReal* q = d->qpos + m->jnt_qposadr[j];
  const ctReal* rest = m->qpos_spring + m->jnt_qposadr[j];
  ctReal* force = d->qfrc_spring + m->jnt_dofadr[j];
  ctReal x[3], quat[4];
  switch (m->jnt_type[j]) {
    case CT_JOINT_FREE:
      cti_sub3(x, q, rest);
      vector_spring(force, m, j, x);
      q += 3;
      rest += 3;
      force += 3;
      // its rotation is that of a ball
      // fall through
    case CT_JOINT_BALL:
      cti_copy4(quat, q);
      cti_normalize4(quat);
      cti_quat_sub(x, quat, rest);
      vector_spring(force, m, j, x);
      break;
    default: {
      ctReal shift = q[0] - rest[0];
      force[0] = -shift * cti_spring_factor(m->jnt_stiffness[j], poly, shift);
    }
  }
}

CT_FN void cti_passive(const ctModel* m, ctData* d) {
  cti_zero(d->qfrc_spring, m->nv);
  cti_zero(d->qfrc_damper, m->nv);
  cti_zero(d->qfrc_gravcomp, m->nv);
  cti_zero(d->qfrc_fluid, m->nv);
  cti_zero(d->qfrc_adhesion, m->nv);
  if (!(m->opt.disableflags & CT_DSBL_SPRING)) {
    for (int j = 0; j < m->njnt; j++) joint_spring(m, d, j);
  }
  if (!(m->opt.disableflags & CT_DSBL_DAMPER)) {
    for (int i = 0; i < m->nv; i++) {
      const ctReal* poly = m->dof_dampingpoly + CT_NPOLY * i;
      d->qfrc_damper[i] = -d->qvel[i] * cti_damper_factor(m->dof_damping[i], poly, d->qvel[i]);
    }
  }
  cti_add(d->qfrc_passive, d->qfrc_spring, d->qfrc_damper, m->nv);
}
