#include "math/dense.h"
#include "math/quat.h"
#include "math/sparse.h"
#include "stage/velocity/passive.h"
#include "step/integrate.h"

// The rest position follows until the displacement is the yield.
static CT_FN void joint_yield(const ctModel* m, ctData* d, int j) {
  ctReal* rest = d->plastic + m->jnt_plasticadr[j];
  const ctReal* q = d->qpos + m->jnt_qposadr[j];
  ctReal yield = m->jnt_springyield[j];
  if (m->jnt_type[j] == CT_JOINT_BALL) {
    ctReal quat[4], way[3];
    cti_copy4(quat, q);
    cti_normalize4(quat);
    cti_quat_sub(way, quat, rest);
    ctReal angle = cti_norm3(way);
    if (angle > yield) cti_quat_integrate(rest, way, (angle - yield) / angle);
    return;
  }
  ctReal x = q[0] - rest[0];
  if (x > yield) rest[0] = q[0] - yield;
  if (x < -yield) rest[0] = q[0] + yield;
}

// Length after the step: exact for a sum of joint positions, to first order along a path.
static CT_FN ctReal next_length(const ctModel* m, const ctData* d, int t, const ctReal* vel) {
  if (m->tendon_type[t] == CT_TENDON_SPATIAL) {
    int adr = m->ten_J_rowadr[t];
    return d->ten_length[t] +
           m->opt.timestep * cti_dot_sparse(d->ten_J + adr, m->ten_J_colind + adr, vel, m->ten_J_rownnz[t]);
  }
  ctReal length = 0;
  for (int w = m->tendon_adr[t]; w < m->tendon_adr[t] + m->tendon_num[t]; w++) {
    length += m->wrap_prm[w] * d->qpos[m->jnt_qposadr[m->wrap_objid[w]]];
  }
  return length;
}

static CT_FN void tendon_yield(const ctModel* m, ctData* d, int t, const ctReal* vel) {
  ctReal* band = d->plastic + m->tendon_plasticadr[t];
  ctReal yield = m->tendon_springyield[t], x = cti_beyond_band(next_length(m, d, t, vel), band);
  if (x > yield) {
    // a string that is slack down to zero stays so
    if (!(band[0] == 0 && band[1] > 0)) band[0] += x - yield;
    band[1] += x - yield;
  } else if (x < -yield) {
    band[0] += x + yield;
    band[1] += x + yield;
  }
}

CT_FN void cti_plastic_yield(const ctModel* m, ctData* d, const ctReal* vel) {
  if (m->opt.disableflags & CT_DSBL_SPRING) return;
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_plasticadr[j] >= 0) joint_yield(m, d, j);
  }
  for (int t = 0; t < m->ntendon; t++) {
    if (m->tendon_plasticadr[t] >= 0) tendon_yield(m, d, t, vel);
  }
}

CT_FN bool cti_plastic_reads_tendons(const ctModel* m) {
  for (int t = 0; m->nplastic && t < m->ntendon; t++) {
    if (m->tendon_plasticadr[t] >= 0) return true;
  }
  return false;
}
