// The public calls on positions: from one to another and back. Host code.
#include "corten/query.h"
#include "math/quat.h"
#include "step/integrate.h"

ctStatus ct_differentiate_pos(const ctModel* m, const ctReal* from, const ctReal* to, ctReal dt,
                              ctReal* qvel) {
  if (!m || !from || !to || !qvel || dt == 0) return CT_ERR_ARGUMENT;
  for (int j = 0; j < m->njnt; j++) {
    int q = m->jnt_qposadr[j], v = m->jnt_dofadr[j], type = m->jnt_type[j];
    bool turns = type == CT_JOINT_FREE || type == CT_JOINT_BALL;
    int shifts = type == CT_JOINT_FREE ? 3 : (turns ? 0 : 1);
    for (int k = 0; k < shifts; k++) qvel[v + k] = (to[q + k] - from[q + k]) / dt;
    if (!turns) continue;
    cti_quat_sub(qvel + v + shifts, to + q + shifts, from + q + shifts);
    cti_scale3(qvel + v + shifts, qvel + v + shifts, 1 / dt);
  }
  return CT_OK;
}

ctStatus ct_integrate_pos(const ctModel* m, ctReal* qpos, const ctReal* qvel, ctReal dt) {
  if (!m || !qpos || !qvel) return CT_ERR_ARGUMENT;
  cti_integrate_pos(m, qpos, qvel, dt);
  return CT_OK;
}

ctStatus ct_normalize_pos(const ctModel* m, ctReal* qpos) {
  if (!m || !qpos) return CT_ERR_ARGUMENT;
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_type[j] == CT_JOINT_BALL) cti_normalize4(qpos + m->jnt_qposadr[j]);
    if (m->jnt_type[j] == CT_JOINT_FREE) cti_normalize4(qpos + m->jnt_qposadr[j] + 3);
  }
  return CT_OK;
}
