#include "stage/velocity/passive.h"

#include "math/quat.h"
#include "math/sparse.h"
#include "stage/force/acceleration.h"
#include "stage/position/reflected.h"
#include "stage/velocity/fluid.h"

CT_FN void cti_tendon_velocity(const ctModel* m, ctData* d) {
  cti_csr_mul_vec(d->ten_velocity, d->ten_J, m->ten_J_rownnz, m->ten_J_rowadr, (const int*)0, m->ten_J_colind,
                  d->qvel, m->ntendon);
}

// ---- springs ----

// Spring of a joint whose displacement is a vector: along it, with the stiffness at its length.
static CT_FN void vector_spring(ctReal out[3], const ctModel* m, int j, const ctReal x[3]) {
  ctReal k = cti_spring_factor(m->jnt_stiffness[j], m->jnt_stiffnesspoly + CT_NPOLY * j, cti_norm3(x));
  cti_scale3(out, x, -k);
}

static CT_FN void joint_spring(const ctModel* m, ctData* d, int j) {
  const ctReal* poly = m->jnt_stiffnesspoly + CT_NPOLY * j;
  if (!cti_has_force(m->jnt_stiffness[j], poly)) return;
  const ctReal* q = d->qpos + m->jnt_qposadr[j];
  const ctReal* rest = cti_joint_rest(m, d, j);
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

// qfrc += force along a tendon
static CT_FN void add_tendon_force(const ctModel* m, const ctData* d, ctReal* qfrc, int t, ctReal force) {
  if (force == 0) return;
  int adr = m->ten_J_rowadr[t];
  cti_add_scaled_sparse(qfrc, d->ten_J + adr, m->ten_J_colind + adr, force, m->ten_J_rownnz[t]);
}

CT_FN ctReal cti_tendon_spring_force(const ctModel* m, const ctData* d, int t) {
  const ctReal* poly = m->tendon_stiffnesspoly + CT_NPOLY * t;
  if ((m->opt.disableflags & CT_DSBL_SPRING) || !cti_has_force(m->tendon_stiffness[t], poly)) return 0;
  ctReal x = cti_beyond_band(d->ten_length[t], cti_tendon_rest(m, d, t));
  return -x * cti_spring_factor(m->tendon_stiffness[t], poly, x);
}

static CT_FN void springs(const ctModel* m, ctData* d) {
  for (int j = 0; j < m->njnt; j++) joint_spring(m, d, j);
  for (int t = 0; t < m->ntendon; t++)
    add_tendon_force(m, d, d->qfrc_spring, t, cti_tendon_spring_force(m, d, t));
}

// ---- dampers ----

CT_FN ctReal cti_tendon_damper_force(const ctModel* m, const ctData* d, int t) {
  if (m->opt.disableflags & CT_DSBL_DAMPER) return 0;
  ctiDamping b = cti_tendon_damping(m, t);
  ctReal v = d->ten_velocity[t];
  return cti_damps(&b) ? -v * cti_damper_factor(b.linear, b.poly, v) : CT_R(0);
}

static CT_FN void dampers(const ctModel* m, ctData* d) {
  for (int i = 0; i < m->nv; i++) {
    ctiDamping b = cti_dof_damping(m, i);
    d->qfrc_damper[i] = -d->qvel[i] * cti_damper_factor(b.linear, b.poly, d->qvel[i]);
  }
  for (int t = 0; t < m->ntendon; t++)
    add_tendon_force(m, d, d->qfrc_damper, t, cti_tendon_damper_force(m, d, t));
}

// ---- gravity compensation ----

// A part of each body's weight, upwards at its centre of mass.
static CT_FN bool gravity_compensation(const ctModel* m, ctData* d) {
  const ctReal no_torque[3] = {0, 0, 0};
  bool any = false;
  if (m->opt.disableflags & CT_DSBL_GRAVITY) return false;
  for (int i = 1; i < m->nbody; i++) {
    if (m->body_gravcomp[i] == 0) continue;
    ctReal force[3];
    cti_scale3(force, m->opt.gravity, -m->body_mass[i] * m->body_gravcomp[i]);
    cti_add_force_at(m, d, d->qfrc_gravcomp, force, no_torque, d->xipos + 3 * i, i);
    any = true;
  }
  return any;
}

// Joints whose compensation counts as actuation get it in the force stage.
static CT_FN void add_passive_compensation(const ctModel* m, ctData* d) {
  for (int i = 0; i < m->nv; i++) {
    if (!m->jnt_actgravcomp[m->dof_jntid[i]]) d->qfrc_passive[i] += d->qfrc_gravcomp[i];
  }
}

CT_FN void cti_passive(const ctModel* m, ctData* d) {
  const int none = CT_DSBL_SPRING | CT_DSBL_DAMPER, disabled = m->opt.disableflags & none;
  cti_zero(d->qfrc_spring, m->nv);
  cti_zero(d->qfrc_damper, m->nv);
  cti_zero(d->qfrc_gravcomp, m->nv);
  cti_zero(d->qfrc_fluid, m->nv);
  cti_zero(d->qfrc_adhesion, m->nv);
  if (disabled == none) {
    cti_zero(d->qfrc_passive, m->nv);
    return;
  }
  if (!(disabled & CT_DSBL_SPRING)) springs(m, d);
  if (!(disabled & CT_DSBL_DAMPER)) dampers(m, d);
  cti_add(d->qfrc_passive, d->qfrc_spring, d->qfrc_damper, m->nv);
  if (gravity_compensation(m, d)) add_passive_compensation(m, d);
  if (cti_fluid(m, d)) cti_add_to(d->qfrc_passive, d->qfrc_fluid, m->nv);
}
