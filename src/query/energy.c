#include "query/energy.h"

#include "data/arena.h"
#include "math/dense.h"
#include "math/quat.h"
#include "stage/position/inertia.h"
#include "stage/velocity/passive.h"

static CT_FN ctReal joint_energy(const ctModel* m, const ctData* d, int j) {
  ctReal k = m->jnt_stiffness[j];
  const ctReal* poly = m->jnt_stiffnesspoly + CT_NPOLY * j;
  if (!cti_has_force(k, poly)) return 0;
  const ctReal* q = d->qpos + m->jnt_qposadr[j];
  const ctReal* rest = cti_joint_rest(m, d, j);
  ctReal x[3], quat[4], sum = 0;
  switch (m->jnt_type[j]) {
    case CT_JOINT_FREE:
      cti_sub3(x, q, rest);
      sum += cti_spring_work(k, poly, cti_norm3(x));
      q += 3;
      rest += 3;
      // its rotation is that of a ball
      // fall through
    case CT_JOINT_BALL:
      cti_copy4(quat, q);
      cti_normalize4(quat);
      cti_quat_sub(x, quat, rest);
      return sum + cti_spring_work(k, poly, cti_norm3(x));
    default: return cti_spring_work(k, poly, q[0] - rest[0]);
  }
}

static CT_FN ctReal tendon_energy(const ctModel* m, const ctData* d, int t) {
  ctReal x = cti_beyond_band(d->ten_length[t], cti_tendon_rest(m, d, t));
  return cti_spring_work(m->tendon_stiffness[t], m->tendon_stiffnesspoly + CT_NPOLY * t, x);
}

CT_FN void cti_energy_position(const ctModel* m, ctData* d) {
  ctReal sum = 0;
  if (!(m->opt.disableflags & CT_DSBL_GRAVITY)) {
    for (int i = 1; i < m->nbody; i++) sum -= m->body_mass[i] * cti_dot3(m->opt.gravity, d->xipos + 3 * i);
  }
  if (!(m->opt.disableflags & CT_DSBL_SPRING)) {
    for (int j = 0; j < m->njnt; j++) sum += joint_energy(m, d, j);
    for (int t = 0; t < m->ntendon; t++) sum += tendon_energy(m, d, t);
  }
  d->energy[0] = sum;
  d->flg_energypos = true;
}

CT_FN ctStatus cti_energy_velocity(const ctModel* m, ctData* d) {
  size_t mark = cti_scratch_mark(d);
  ctReal* momentum = CTI_SCRATCH(d, ctReal, m->nv, "energy.momentum");
  d->energy[1] = 0;
  if (!momentum) return CT_STEP_OVERFLOW;
  cti_mul_mass(m, d, momentum, d->qvel);
  d->energy[1] = cti_dot(momentum, d->qvel, m->nv) / 2;
  d->flg_energyvel = true;
  cti_scratch_release(d, mark);
  return CT_OK;
}
