#include "stage/velocity/tendon_bias.h"

#include "math/sparse.h"
#include "math/spatial.h"
#include "stage/position/point_motion.h"
#include "stage/position/reflected.h"

// Velocity of a site, and its acceleration while no dof accelerates.
static CT_FN void site_motion(ctReal vel[3], ctReal acc[3], const ctModel* m, const ctData* d, int site) {
  int body = m->site_bodyid[site];
  const ctReal *com = d->subtree_com + 3 * m->body_rootid[body], *point = d->site_xpos + 3 * site;
  const ctReal* spin = d->cvel + 6 * body;
  ctReal motion[6], rate[6], t[3];
  cti_zero6(rate);
  for (int k = cti_last_dof(m, body); k >= 0; k = m->dof_parentid[k]) {
    cti_add_scaled6(rate, d->cdof_dot + 6 * k, d->qvel[k]);
  }
  cti_motion_shift(motion, d->cvel + 6 * body, point, com);
  cti_copy3(vel, motion + 3);
  cti_motion_shift(motion, rate, point, com);
  cti_cross3(t, spin, vel);
  cti_add3(acc, motion + 3, t);
}

// Second time derivative of the distance between two sites while no dof accelerates.
static CT_FN ctReal distance_acceleration(const ctModel* m, const ctData* d, int site0, int site1) {
  ctReal vel0[3], vel1[3], acc0[3], acc1[3], dir[3];
  cti_sub3(dir, d->site_xpos + 3 * site1, d->site_xpos + 3 * site0);
  ctReal distance = cti_normalize3(dir);
  site_motion(vel0, acc0, m, d, site0);
  site_motion(vel1, acc1, m, d, site1);
  cti_sub3(vel1, vel1, vel0);
  cti_sub3(acc1, acc1, acc0);
  ctReal along = cti_dot3(dir, vel1);
  ctReal turning = distance > CTI_MINVAL ? (cti_dot3(vel1, vel1) - along * along) / distance : CT_R(0);
  return cti_dot3(dir, acc1) + turning;
}

// Tendons with inertia pass sites and pulleys only.
CT_FN ctReal cti_tendon_drift(const ctModel* m, const ctData* d, int t) {
  ctReal sum = 0, divisor = 1;
  for (int w = m->tendon_adr[t]; w < m->tendon_adr[t] + m->tendon_num[t] - 1; w++) {
    if (m->wrap_type[w] == CT_WRAP_PULLEY) divisor = m->wrap_prm[w];
    if (m->wrap_type[w] != CT_WRAP_SITE || m->wrap_type[w + 1] != CT_WRAP_SITE) continue;
    sum += distance_acceleration(m, d, m->wrap_objid[w], m->wrap_objid[w + 1]) / divisor;
  }
  return sum;
}

CT_FN void cti_tendon_bias(const ctModel* m, ctData* d) {
  for (int t = 0; t < m->ntendon; t++) {
    ctReal armature = m->tendon_type[t] == CT_TENDON_SPATIAL ? cti_tendon_armature(m, t) : CT_R(0);
    if (armature == 0) continue;
    int adr = m->ten_J_rowadr[t];
    cti_add_scaled_sparse(d->qfrc_bias, d->ten_J + adr, m->ten_J_colind + adr,
                          armature * cti_tendon_drift(m, d, t), m->ten_J_rownnz[t]);
  }
}
