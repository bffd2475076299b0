// Sensors of joints, tendons and actuators, and of the system as a whole.
#include "math/dense.h"
#include "math/quat.h"
#include "query/energy.h"
#include "query/post_constraint.h"
#include "sense/readers.h"

CT_FN void cti_sense_joint_pos(const ctModel* m, ctData* d, int i, ctReal* out) {
  out[0] = d->qpos[m->jnt_qposadr[m->sensor_objid[i]]];
}

CT_FN void cti_sense_joint_vel(const ctModel* m, ctData* d, int i, ctReal* out) {
  out[0] = d->qvel[m->jnt_dofadr[m->sensor_objid[i]]];
}

CT_FN void cti_sense_joint_actuation(const ctModel* m, ctData* d, int i, ctReal* out) {
  out[0] = d->qfrc_actuator[m->jnt_dofadr[m->sensor_objid[i]]];
}

CT_FN void cti_sense_ball_quat(const ctModel* m, ctData* d, int i, ctReal* out) {
  cti_copy4(out, d->qpos + m->jnt_qposadr[m->sensor_objid[i]]);
  cti_normalize4(out);
}

CT_FN void cti_sense_ball_vel(const ctModel* m, ctData* d, int i, ctReal* out) {
  cti_copy3(out, d->qvel + m->jnt_dofadr[m->sensor_objid[i]]);
}

CT_FN void cti_sense_tendon_pos(const ctModel* m, ctData* d, int i, ctReal* out) {
  out[0] = d->ten_length[m->sensor_objid[i]];
}

CT_FN void cti_sense_tendon_vel(const ctModel* m, ctData* d, int i, ctReal* out) {
  out[0] = d->ten_velocity[m->sensor_objid[i]];
}

// Force of all actuators on a tendon.
CT_FN void cti_sense_tendon_actuation(const ctModel* m, ctData* d, int i, ctReal* out) {
  out[0] = 0;
  for (int k = 0; k < m->nactuator; k++) {
    bool acts = m->actuator_trntype[k] == CT_TRN_TENDON && m->actuator_trnid[2 * k] == m->sensor_objid[i];
    if (acts) out[0] += d->actuator_force[m->actuator_outadr[k]];
  }
}

CT_FN void cti_sense_actuator_pos(const ctModel* m, ctData* d, int i, ctReal* out) {
  cti_copy(out, d->actuator_length + m->actuator_outadr[m->sensor_objid[i]], m->sensor_dim[i]);
}

CT_FN void cti_sense_actuator_vel(const ctModel* m, ctData* d, int i, ctReal* out) {
  cti_copy(out, d->actuator_velocity + m->actuator_outadr[m->sensor_objid[i]], m->sensor_dim[i]);
}

CT_FN void cti_sense_actuator_force(const ctModel* m, ctData* d, int i, ctReal* out) {
  cti_copy(out, d->actuator_force + m->actuator_outadr[m->sensor_objid[i]], m->sensor_dim[i]);
}

// The first row that limits the joint or tendon: its position, velocity or force; 0 when there is none.
static CT_FN ctReal sensed_limit(const ctModel* m, const ctData* d, int sensor, int constraint) {
  for (int i = d->ne + d->nf; i < d->ne + d->nf + d->nl; i++) {
    if (d->efc_type[i] != constraint || d->efc_id[i] != m->sensor_objid[sensor]) continue;
    switch (m->sensor_needstage[sensor]) {
      case CT_STAGE_POS: return d->efc_pos[i] - d->efc_margin[i];
      case CT_STAGE_VEL: return d->efc_vel[i];
      default: return d->efc_force[i];
    }
  }
  return 0;
}

CT_FN void cti_sense_joint_limit(const ctModel* m, ctData* d, int i, ctReal* out) {
  out[0] = sensed_limit(m, d, i, CT_CNSTR_LIMIT_JOINT);
}

CT_FN void cti_sense_tendon_limit(const ctModel* m, ctData* d, int i, ctReal* out) {
  out[0] = sensed_limit(m, d, i, CT_CNSTR_LIMIT_TENDON);
}

// ---- subtrees and the whole

CT_FN void cti_sense_subtree_com(const ctModel* m, ctData* d, int i, ctReal* out) {
  cti_copy3(out, d->subtree_com + 3 * m->sensor_objid[i]);
}

CT_FN void cti_sense_subtree_linvel(const ctModel* m, ctData* d, int i, ctReal* out) {
  cti_subtree_velocity(m, d);
  cti_copy3(out, d->subtree_linvel + 3 * m->sensor_objid[i]);
}

CT_FN void cti_sense_subtree_angmom(const ctModel* m, ctData* d, int i, ctReal* out) {
  cti_subtree_velocity(m, d);
  cti_copy3(out, d->subtree_angmom + 3 * m->sensor_objid[i]);
}

CT_FN void cti_sense_potential(const ctModel* m, ctData* d, int i, ctReal* out) {
  (void)i;
  cti_energy_position(m, d);
  out[0] = d->energy[0];
}

CT_FN void cti_sense_kinetic(const ctModel* m, ctData* d, int i, ctReal* out) {
  (void)i;
  cti_energy_velocity(m, d);
  out[0] = d->energy[1];
}

CT_FN void cti_sense_clock(const ctModel* m, ctData* d, int i, ctReal* out) {
  (void)m;
  (void)i;
  out[0] = d->time;
}

// The user's own: without a reader the numbers stay what the user made them.
CT_FN void cti_sense_user(const ctModel* m, ctData* d, int i, ctReal* out) {
  // whoever reads it, also after the step, may need what is not computed otherwise
  if (m->sensor_needstage[i] == CT_STAGE_VEL) cti_subtree_velocity(m, d);
  if (m->sensor_needstage[i] == CT_STAGE_ACC) cti_post_constraint(m, d);
  if (CT_ON_HOST && m->user.sensor) m->user.sensor(m->user.context, m, d, i, out);
}
