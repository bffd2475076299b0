#include "stage/velocity/velocity.h"

#include "data/arena.h"
#include "data/awake.h"
#include "math/dense.h"
#include "math/simd.h"
#include "math/sparse.h"
#include "math/spatial.h"
#include "stage/position/point_motion.h"
#include "stage/position/reflected.h"

// n dofs at once: all their axes turn with the velocity before any of them moves.
CTI_SIMD_FN void add_dofs(const ctData* d, ctReal cvel[6], int dof, int n) {
  for (int k = dof; k < dof + n; k++) cti_cross_motion(d->cdof_dot + 6 * k, cvel, d->cdof + 6 * k);
  for (int k = dof; k < dof + n; k++) cti_add_scaled6(cvel, d->cdof + 6 * k, d->qvel[k]);
}

CTI_SIMD_STAGE void com_velocity_simd(const ctModel* m, ctData* d) {
  cti_zero6(d->cvel);
  CTI_EACH_OUTWARD(i, cti_awake(d)->body, m->body_parentid) {
    ctReal cvel[6];
    cti_copy6(cvel, d->cvel + 6 * m->body_parentid[i]);
    for (int j = m->body_jntadr[i]; j < m->body_jntadr[i] + m->body_jntnum[i]; j++) {
      int dof = m->jnt_dofadr[j];
      switch (m->jnt_type[j]) {
        case CT_JOINT_FREE:
          // translations along world axes do not turn
          for (int k = dof; k < dof + 3; k++) {
            cti_zero6(d->cdof_dot + 6 * k);
            cti_add_scaled6(cvel, d->cdof + 6 * k, d->qvel[k]);
          }
          add_dofs(d, cvel, dof + 3, 3);
          break;
        case CT_JOINT_BALL: add_dofs(d, cvel, dof, 3); break;
        default: add_dofs(d, cvel, dof, 1);
      }
    }
    cti_copy6(d->cvel + 6 * i, cvel);
  }
}
CTI_SIMD_DISPATCH_AS(CT_KERNEL_INLINE, void, , cti_com_velocity, com_velocity_simd,
                     (const ctModel* m, ctData* d), (m, d))

// ---- recursive Newton-Euler ----
//   reads   d->cinert, cdof, cdof_dot, cvel, qvel; m->opt.gravity
//   writes  `out`
//   before  com velocity

CTI_SIMD_STAGE void body_forces_simd(const ctModel* m, const ctData* d, ctiSpans bodies, const ctReal* qacc,
                                     ctReal* cacc, ctReal* cfrc) {
  // the world accelerates upwards instead of gravity pulling down
  cti_zero6(cacc);
  cti_zero6(cfrc);
  if (!(m->opt.disableflags & CT_DSBL_GRAVITY)) cti_scale3(cacc + 3, m->opt.gravity, -1);
  CTI_EACH_OUTWARD(i, bodies, m->body_parentid) {
    ctReal a[6], v[6];
    cti_copy6(v, d->cvel + 6 * i);
    cti_copy6(a, cacc + 6 * m->body_parentid[i]);
    int dof = m->body_dofadr[i];
    for (int k = dof; k < dof + m->body_dofnum[i]; k++) {
      cti_add_scaled6(a, d->cdof_dot + 6 * k, d->qvel[k]);
      if (qacc) cti_add_scaled6(a, d->cdof + 6 * k, qacc[k]);
    }
    ctReal force[6], momentum[6], gyroscopic[6];
    cti_inertia_mul(force, d->cinert + 10 * i, a);
    cti_inertia_mul(momentum, d->cinert + 10 * i, v);
    cti_cross_force(gyroscopic, v, momentum);
    cti_add_to6(force, gyroscopic);
    cti_copy6(cacc + 6 * i, a);
    cti_copy6(cfrc + 6 * i, force);
  }
}
CTI_SIMD_DISPATCH_AS(CT_KERNEL_INLINE_KEPT, void, , cti_body_forces, body_forces_simd,
                     (const ctModel* m, const ctData* d, ctiSpans bodies, const ctReal* qacc, ctReal* cacc,
                      ctReal* cfrc),
                     (m, d, bodies, qacc, cacc, cfrc))

CT_KERNEL_INLINE ctStatus cti_bias_force(const ctModel* m, ctData* d, const ctReal* qacc, ctReal* out) {
  size_t mark = cti_scratch_mark(d);
  ctReal* cacc = CTI_SCRATCH(d, ctReal, 6 * (int64_t)m->nbody, "bias.cacc");
  ctReal* cfrc = CTI_SCRATCH(d, ctReal, 6 * (int64_t)m->nbody, "bias.cfrc");
  if (!cacc || !cfrc) {
    cti_scratch_release(d, mark);
    cti_awake_zero(out, d);
    return CT_STEP_OVERFLOW;
  }
  cti_body_forces(m, d, cti_awake(d)->body, qacc, cacc, cfrc);
  // inward: each body carries what hangs on it
  cti_awake_add_inward(cfrc, 6, false, m, d);
  CTI_EACH_LANES(k, cti_awake(d)->dof) out[k] = cti_dot6(d->cdof + 6 * k, cfrc + 6 * m->dof_bodyid[k]);
  CT_TEAM_SYNC();
  cti_scratch_release(d, mark);
  return CT_OK;
}

// ---- what the inertia of tendons needs because their gradient turns with the motion ----
//   reads   d->ten_J, site_xpos, cvel, cdof_dot, qvel
//   adds to d->qfrc_bias
//   before  tendons, com velocity, bias force

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
  CTI_EACH(t, cti_awake(d)->tendon) {
    ctReal armature = m->tendon_type[t] == CT_TENDON_SPATIAL ? cti_tendon_armature(m, t) : CT_R(0);
    if (armature == 0) continue;
    ctReal force = armature * cti_tendon_drift(m, d, t);
    for (int k = m->ten_J_rowadr[t]; k < m->ten_J_rowadr[t] + m->ten_J_rownnz[t]; k++) {
      int dof = m->ten_J_colind[k];
      if (d->tree_awake[m->dof_treeid[dof]]) d->qfrc_bias[dof] += force * d->ten_J[k];
    }
  }
}
