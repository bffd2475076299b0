// The public questions about mass. Host code.
#include "corten/query.h"
#include "math/dense.h"
#include "math/sparse.h"
#include "math/vec3.h"
#include "stage/position/inertia.h"
#include "stage/position/reflected.h"

ctReal ct_model_mass(const ctModel* m) {
  return m ? m->body_subtreemass[0] : 0;
}

ctStatus ct_model_set_mass(ctModel* m, ctReal mass) {
  if (!m || cti_is_bad(mass) || !(mass > 0) || !(m->body_subtreemass[0] > 0)) return CT_ERR_ARGUMENT;
  ctReal scale = mass / m->body_subtreemass[0];
  for (int i = 0; i < m->nbody; i++) {
    m->body_mass[i] *= scale;
    m->body_subtreemass[i] *= scale;
    cti_scale3(m->body_inertia + 3 * i, m->body_inertia + 3 * i, scale);
  }
  // the constant diagonal of simple bodies holds rotor inertia too, which is not mass of the model
  for (int i = 0; i < m->nv; i++) {
    ctReal armature = cti_dof_armature(m, i);
    m->dof_M0[i] = (m->dof_M0[i] - armature) * scale + armature;
  }
  return CT_OK;
}

ctStatus ct_full_mass(const ctModel* m, const ctData* d, ctReal* out) {
  if (!m || !d || !out) return CT_ERR_ARGUMENT;
  int n = m->nv;
  for (int i = 0; i < n * n; i++) out[i] = 0;
  for (int i = 0; i < n; i++) {
    for (int k = m->M_rowadr[i]; k < m->M_rowadr[i] + m->M_rownnz[i]; k++) {
      out[i * n + m->M_colind[k]] = out[m->M_colind[k] * n + i] = d->M[k];
    }
  }
  return CT_OK;
}

ctStatus ct_add_mass(const ctModel* m, const ctData* d, ctReal* out) {
  if (!m || !d || !out) return CT_ERR_ARGUMENT;
  for (int i = 0; i < m->nv; i++) {
    for (int k = m->M_rowadr[i]; k < m->M_rowadr[i] + m->M_rownnz[i]; k++)
      out[i * m->nv + m->M_colind[k]] += d->M[k];
  }
  return CT_OK;
}

ctStatus ct_mul_mass(const ctModel* m, const ctData* d, const ctReal* in, ctReal* out) {
  if (!m || !d || !in || !out || in == out) return CT_ERR_ARGUMENT;
  cti_mul_mass(m, d, out, in);
  return CT_OK;
}

ctStatus ct_solve_mass(const ctModel* m, const ctData* d, const ctReal* in, ctReal* out) {
  if (!m || !d || !in || !out) return CT_ERR_ARGUMENT;
  if (in != out) cti_copy(out, in, m->nv);
  cti_solve_mass(m, d, out);
  return CT_OK;
}

// M = L'DL: R is D^1/2 L.
ctStatus ct_mul_mass_half(const ctModel* m, const ctData* d, const ctReal* in, ctReal* out) {
  if (!m || !d || !in || !out) return CT_ERR_ARGUMENT;
  // from the last dof: a row reads what stands before it
  for (int i = m->nv - 1; i >= 0; i--) {
    int adr = m->M_rowadr[i], above = m->M_rownnz[i] - 1;
    ctReal sum = in[i] + cti_dot_sparse(d->qLD + adr, m->M_colind + adr, in, above);
    out[i] = sum / cti_sqrt(d->qLDiagInv[i]);
  }
  return CT_OK;
}

// R'^-1 is D^-1/2 L'^-1.
ctStatus ct_solve_mass_half(const ctModel* m, const ctData* d, const ctReal* in, ctReal* out) {
  if (!m || !d || !in || !out) return CT_ERR_ARGUMENT;
  if (in != out) cti_copy(out, in, m->nv);
  for (int i = m->nv - 1; i >= 0; i--) {
    int adr = m->M_rowadr[i], above = m->M_rownnz[i] - 1;
    cti_add_scaled_sparse(out, d->qLD + adr, m->M_colind + adr, -out[i], above);
  }
  for (int i = 0; i < m->nv; i++) out[i] *= cti_sqrt(d->qLDiagInv[i]);
  return CT_OK;
}
