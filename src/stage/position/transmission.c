#include "stage/position/transmission.h"

#include "math/quat.h"

// Rotational gear of a ball or free joint in the joint's own frame; given in the parent's for jointinparent.
static CT_FN void rotational_gear(ctReal out[3], const ctModel* m, int actuator, const ctReal gear[3],
                                  const ctReal quat[4]) {
  if (m->actuator_trntype[actuator] == CT_TRN_JOINTINPARENT) {
    ctReal inverse[4];
    cti_quat_conj(inverse, quat);
    cti_quat_rotate(out, inverse, gear);
  } else {
    cti_copy3(out, gear);
  }
}

// Length and moment of an actuator on a joint; returns the number of moment entries.
static CT_FN int joint_transmission(const ctModel* m, ctData* d, int i, int adr) {
  int j = m->actuator_trnid[2 * i], out = m->actuator_outadr[i], dof = m->jnt_dofadr[j];
  const ctReal* gear = m->actuator_gear + 6 * out;
  const ctReal* q = d->qpos + m->jnt_qposadr[j];
  ctReal* moment = d->actuator_moment + adr;
  int* col = d->moment_colind + adr;
  ctReal quat[4], angle[3];
  switch (m->jnt_type[j]) {
    case CT_JOINT_FREE:
      cti_copy4(quat, q + 3);
      cti_normalize4(quat);
      cti_copy3(moment, gear);
      rotational_gear(moment + 3, m, i, gear + 3, quat);
      for (int k = 0; k < 6; k++) col[k] = dof + k;
      d->actuator_length[out] = 0;
      return 6;
    case CT_JOINT_BALL:
      cti_copy4(quat, q);
      cti_normalize4(quat);
      cti_quat_to_vel(angle, quat, 1);
      rotational_gear(moment, m, i, gear, quat);
      for (int k = 0; k < 3; k++) col[k] = dof + k;
      d->actuator_length[out] = cti_dot3(angle, moment);
      return 3;
    default:
      moment[0] = gear[0];
      col[0] = dof;
      d->actuator_length[out] = q[0] * gear[0];
      return 1;
  }
}

CT_FN void cti_transmission(const ctModel* m, ctData* d) {
  int adr = 0;
  for (int i = 0; i < m->nactuator; i++) {
    int out = m->actuator_outadr[i];
    d->moment_rowadr[out] = adr;
    d->moment_rownnz[out] = joint_transmission(m, d, i, adr);
    adr += d->moment_rownnz[out];
  }
}
