#include "stage/force/actuation.h"

#include "data/warning.h"
#include "math/sparse.h"

CT_FN void cti_actuator_velocity(const ctModel* m, ctData* d) {
  if (m->opt.disableflags & CT_DSBL_ACTUATION) {
    cti_zero(d->actuator_velocity, m->nout);
  } else {
    cti_csr_mul_vec(d->actuator_velocity, d->actuator_moment, d->moment_rownnz, d->moment_rowadr,
                    d->moment_colind, d->qvel, m->nout);
  }
}

// Is the actuator's group switched off?
CT_INLINE bool actuator_disabled(const ctModel* m, int i) {
  int group = m->actuator_group[i];
  return group >= 0 && group <= 30 && (m->opt.disableactuator & (1 << group)) != 0;
}

// First control that is not a number, -1 when all are.
static CT_FN int bad_control(const ctModel* m, const ctData* d) {
  for (int i = 0; i < m->nu; i++) {
    if (cti_is_bad(d->ctrl[i])) return i;
  }
  return -1;
}

static CT_FN ctReal clamped_control(const ctModel* m, const ctData* d, int i) {
  bool clamp = m->actuator_ctrllimited[i] && !(m->opt.disableflags & CT_DSBL_CLAMPCTRL);
  return clamp ? cti_clip(d->ctrl[i], m->actuator_ctrlrange[2 * i], m->actuator_ctrlrange[2 * i + 1])
               : d->ctrl[i];
}

// Total force of all actuators at a joint, kept in its range.
static CT_FN void limit_joint_forces(const ctModel* m, ctData* d) {
  for (int j = 0; j < m->njnt; j++) {
    int type = m->jnt_type[j];
    if (!m->jnt_actfrclimited[j] || (type != CT_JOINT_HINGE && type != CT_JOINT_SLIDE)) continue;
    ctReal* force = d->qfrc_actuator + m->jnt_dofadr[j];
    *force = cti_clip(*force, m->jnt_actfrcrange[2 * j], m->jnt_actfrcrange[2 * j + 1]);
  }
}

CT_FN ctStatus cti_actuation(const ctModel* m, ctData* d) {
  cti_zero(d->actuator_force, m->nout);
  cti_zero(d->qfrc_actuator, m->nv);
  if (m->nactuator == 0 || (m->opt.disableflags & CT_DSBL_ACTUATION)) return CT_OK;
  int bad = bad_control(m, d);
  if (bad >= 0) cti_warn(d, CT_WARN_BADCTRL, bad);
  for (int i = 0; i < m->nactuator; i++) {
    if (actuator_disabled(m, i)) continue;
    ctReal control = bad >= 0 ? CT_R(0) : clamped_control(m, d, m->actuator_ctrladr[i]);
    ctReal force = m->actuator_gainprm[CT_NGAIN * i] * control;
    if (m->actuator_forcelimited[i]) {
      force = cti_clip(force, m->actuator_forcerange[2 * i], m->actuator_forcerange[2 * i + 1]);
    }
    d->actuator_force[m->actuator_outadr[i]] = force;
  }
  cti_csr_mul_t_vec(d->qfrc_actuator, d->actuator_moment, d->moment_rownnz, d->moment_rowadr,
                    d->moment_colind, d->actuator_force, m->nout, m->nv);
  limit_joint_forces(m, d);
  return bad >= 0 ? CT_STEP_DIVERGED : CT_OK;
}
