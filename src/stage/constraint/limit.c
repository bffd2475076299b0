#include "stage/constraint/limit.h"

#include "data/arena.h"
#include "math/quat.h"

CT_FN ctStatus cti_friction_rows(ctiRows* rows) {
  const ctModel* m = rows->m;
  if (m->opt.disableflags & CT_DSBL_FRICTIONLOSS) return CT_OK;
  const ctReal one = 1;
  for (int i = 0; i < m->nv; i++) {
    if (m->dof_frictionloss[i] <= 0) continue;
    ctiRow row = {CT_CNSTR_FRICTION_DOF, i, 0, 0, m->dof_frictionloss[i]};
    cti_add_row(rows, &row, &i, &one, 1);
  }
  for (int i = 0; i < m->ntendon; i++) {
    if (m->tendon_frictionloss[i] <= 0) continue;
    int adr = m->ten_J_rowadr[i];
    ctiRow row = {CT_CNSTR_FRICTION_TENDON, i, 0, 0, m->tendon_frictionloss[i]};
    cti_add_row(rows, &row, m->ten_J_colind + adr, rows->d->ten_J + adr, m->ten_J_rownnz[i]);
  }
  return CT_OK;
}

// A ball is limited by the angle of its rotation, whatever the axis.
static CT_FN void ball_limit(ctiRows* rows, int j) {
  const ctModel* m = rows->m;
  const ctData* d = rows->d;
  ctReal quat[4], axis[3];
  cti_copy4(quat, d->qpos + m->jnt_qposadr[j]);
  cti_normalize4(quat);
  cti_quat_to_vel(axis, quat, 1);
  ctReal angle = cti_normalize3(axis), range = cti_max(m->jnt_range[2 * j], m->jnt_range[2 * j + 1]);
  if (range - angle >= m->jnt_margin[j]) return;
  int dof[3] = {m->jnt_dofadr[j], m->jnt_dofadr[j] + 1, m->jnt_dofadr[j] + 2};
  cti_scale3(axis, axis, -1);
  ctiRow row = {CT_CNSTR_LIMIT_JOINT, j, range - angle, m->jnt_margin[j], 0};
  cti_add_row(rows, &row, dof, axis, 3);
}

static CT_FN void scalar_limit(ctiRows* rows, int j) {
  const ctModel* m = rows->m;
  ctReal q = rows->d->qpos[m->jnt_qposadr[j]];
  for (int side = -1; side <= 1; side += 2) {
    ctReal dist = (ctReal)side * (m->jnt_range[2 * j + (side + 1) / 2] - q), value = (ctReal)-side;
    if (dist >= m->jnt_margin[j]) continue;
    ctiRow row = {CT_CNSTR_LIMIT_JOINT, j, dist, m->jnt_margin[j], 0};
    cti_add_row(rows, &row, m->jnt_dofadr + j, &value, 1);
  }
}

static CT_FN void tendon_limit(ctiRows* rows, int t, ctReal* value) {
  const ctModel* m = rows->m;
  const ctData* d = rows->d;
  for (int side = -1; side <= 1; side += 2) {
    ctReal dist = (ctReal)side * (m->tendon_range[2 * t + (side + 1) / 2] - d->ten_length[t]);
    if (dist >= m->tendon_margin[t]) continue;
    int adr = m->ten_J_rowadr[t], n = m->ten_J_rownnz[t];
    for (int k = 0; k < n; k++) value[k] = (ctReal)-side * d->ten_J[adr + k];
    ctiRow row = {CT_CNSTR_LIMIT_TENDON, t, dist, m->tendon_margin[t], 0};
    cti_add_row(rows, &row, m->ten_J_colind + adr, value, n);
  }
}

CT_FN ctStatus cti_limit_rows(ctiRows* rows) {
  const ctModel* m = rows->m;
  ctData* d = rows->d;
  if (m->opt.disableflags & CT_DSBL_LIMIT) return CT_OK;
  for (int j = 0; j < m->njnt; j++) {
    if (!m->jnt_limited[j]) continue;
    if (m->jnt_type[j] == CT_JOINT_BALL) {
      ball_limit(rows, j);
    } else {
      scalar_limit(rows, j);
    }
  }
  if (m->ntendon == 0) return CT_OK;
  size_t mark = cti_scratch_mark(d);
  ctReal* value = CTI_SCRATCH(d, ctReal, m->nv, "limit.value");
  for (int t = 0; t < m->ntendon && value; t++) {
    if (m->tendon_limited[t]) tendon_limit(rows, t, value);
  }
  cti_scratch_release(d, mark);
  return value ? CT_OK : CT_STEP_OVERFLOW;
}
