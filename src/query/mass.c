#include "data/arena.h"
#include "data/data.h"
#include "math/dense.h"
#include "math/quat.h"
#include "query/forces.h"
#include "stage/position/position.h"
#include "stage/velocity/velocity.h"

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

// Of the springs along the edges of a deformable. What its elements store is not counted, as in MuJoCo.
static CT_FN ctReal edge_energy(const ctModel* m, const ctData* d, int f) {
  ctReal sum = 0;
  if (m->flex_edgestiffness[f] == 0 || m->flex_rigid[f] || m->flex_interp[f]) return 0;
  for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
    ctReal x = d->flexedge_length[e] - m->flexedge_length0[e];
    if (!m->flexedge_rigid[e]) sum += m->flex_edgestiffness[f] * x * x / 2;
  }
  return sum;
}

CT_FN void cti_energy_position(const ctModel* m, ctData* d) {
  ctReal sum = 0;
  if (!(m->opt.disableflags & CT_DSBL_GRAVITY)) {
    for (int i = 1; i < m->nbody; i++) sum -= m->body_mass[i] * cti_dot3(m->opt.gravity, d->xipos + 3 * i);
  }
  if (!(m->opt.disableflags & CT_DSBL_SPRING)) {
    for (int j = 0; j < m->njnt; j++) sum += joint_energy(m, d, j);
    for (int t = 0; t < m->ntendon; t++) sum += tendon_energy(m, d, t);
    for (int f = 0; f < m->nflex; f++) sum += edge_energy(m, d, f);
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

// ---- host code: the public calls ----
#ifndef __cplusplus
#include "corten/query.h"
#include "math/sparse.h"
#include "math/vec3.h"
#include "stage/position/reflected.h"

// ---- the public questions about mass ----

// Of the bodies' own masses: those of subtrees follow an edit only with ct_model_update().
ctReal ct_model_total_mass(const ctModel* m) {
  ctReal sum = 0;
  for (int i = 0; m && i < m->nbody; i++) sum += m->body_mass[i];
  return sum;
}

void cti_subtree_masses(ctModel* m) {
  for (int i = 0; i < m->nbody; i++) m->body_subtreemass[i] = m->body_mass[i];
  for (int i = m->nbody - 1; i > 0; i--) m->body_subtreemass[m->body_parentid[i]] += m->body_subtreemass[i];
}

ctStatus ct_model_set_total_mass(ctModel* m, ctReal mass) {
  ctReal present = ct_model_total_mass(m);
  if (!m || cti_is_bad(mass) || !(mass > 0) || cti_is_bad(present) || !(present > 0)) return CT_ERR_ARGUMENT;
  ctReal scale = mass / present;
  for (int i = 0; i < m->nbody; i++) {
    m->body_mass[i] *= scale;
    cti_scale3(m->body_inertia + 3 * i, m->body_inertia + 3 * i, scale);
  }
  cti_subtree_masses(m);
  // the constant diagonal of simple bodies holds rotor inertia too, which is not mass of the model
  for (int i = 0; i < m->nv; i++) {
    ctReal armature = cti_dof_armature(m, i);
    m->dof_M0[i] = (m->dof_M0[i] - armature) * scale + armature;
  }
  return CT_OK;
}

ctStatus ct_mass_full(const ctModel* m, const ctData* d, ctReal* out) {
  if (!cti_data_fits(m, d) || !out) return CT_ERR_ARGUMENT;
  int n = m->nv;
  for (int i = 0; i < n * n; i++) out[i] = 0;
  for (int i = 0; i < n; i++) {
    for (int k = m->M_rowadr[i]; k < m->M_rowadr[i] + m->M_rownnz[i]; k++) {
      out[i * n + m->M_colind[k]] = out[m->M_colind[k] * n + i] = d->M[k];
    }
  }
  return CT_OK;
}

ctStatus ct_mass_add(const ctModel* m, const ctData* d, ctReal* out) {
  if (!cti_data_fits(m, d) || !out) return CT_ERR_ARGUMENT;
  for (int i = 0; i < m->nv; i++) {
    for (int k = m->M_rowadr[i]; k < m->M_rowadr[i] + m->M_rownnz[i]; k++)
      out[i * m->nv + m->M_colind[k]] += d->M[k];
  }
  return CT_OK;
}

ctStatus ct_mass_mul(const ctModel* m, const ctData* d, const ctReal* in, ctReal* out) {
  if (!cti_data_fits(m, d) || !in || !out || in == out) return CT_ERR_ARGUMENT;
  cti_mul_mass(m, d, out, in);
  return CT_OK;
}

ctStatus ct_mass_solve(const ctModel* m, const ctData* d, const ctReal* in, ctReal* out) {
  if (!cti_data_fits(m, d) || !in || !out) return CT_ERR_ARGUMENT;
  if (in != out) cti_copy(out, in, m->nv);
  cti_solve_mass(m, d, out);
  return CT_OK;
}

// M = L'DL: R is D^1/2 L.
ctStatus ct_mass_mul_half(const ctModel* m, const ctData* d, const ctReal* in, ctReal* out) {
  if (!cti_data_fits(m, d) || !in || !out) return CT_ERR_ARGUMENT;
  // from the last dof: a row reads what stands before it
  for (int i = m->nv - 1; i >= 0; i--) {
    int adr = m->M_rowadr[i], above = m->M_rownnz[i] - 1;
    ctReal sum = in[i] + cti_dot_sparse(d->qLD + adr, m->M_colind + adr, in, above);
    out[i] = sum / cti_sqrt(d->qLDiagInv[i]);
  }
  return CT_OK;
}

// R'^-1 is D^-1/2 L'^-1.
ctStatus ct_mass_solve_half(const ctModel* m, const ctData* d, const ctReal* in, ctReal* out) {
  if (!cti_data_fits(m, d) || !in || !out) return CT_ERR_ARGUMENT;
  if (in != out) cti_copy(out, in, m->nv);
  for (int i = m->nv - 1; i >= 0; i--) {
    int adr = m->M_rowadr[i], above = m->M_rownnz[i] - 1;
    cti_add_scaled_sparse(out, d->qLD + adr, m->M_colind + adr, -out[i], above);
  }
  for (int i = 0; i < m->nv; i++) out[i] *= cti_sqrt(d->qLDiagInv[i]);
  return CT_OK;
}

#endif
