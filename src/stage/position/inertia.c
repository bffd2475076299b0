#include "data/data.h"
#include "math/spatial.h"
#include "math/tree_ldl.h"
#include "stage/position/point_motion.h"
#include "stage/position/position.h"
#include "stage/position/reflected.h"

static CT_FN void composite_inertias(const ctModel* m, ctData* d) {
  ctReal* crb = d->crb;
  cti_copy(crb, d->cinert, 10 * m->nbody);
  for (int i = m->nbody - 1; i > 0; i--) {
    int parent = m->body_parentid[i];
    if (parent > 0) cti_add_to(crb + 10 * parent, crb + 10 * i, 10);
  }
}

CT_FN ctReal cti_mass_diagonal(const ctModel* m, const ctData* d, int dof) {
  ctReal force[6];
  cti_inertia_mul(force, d->crb + 10 * m->dof_bodyid[dof], d->cdof + 6 * dof);
  return cti_dot6(d->cdof + 6 * dof, force) + cti_dof_armature(m, dof);
}

CT_FN void cti_mass_matrix(const ctModel* m, ctData* d) {
  composite_inertias(m, d);
  const ctReal* cdof = d->cdof;
  for (int i = 0; i < m->nv; i++) {
    ctReal* row = d->M + m->M_rowadr[i];
    if (m->dof_simplenum[i]) {
      row[0] = m->dof_M0[i];
      continue;
    }
    // force that the motion of dof i needs, felt by every dof on the path to the world
    ctReal force[6];
    cti_inertia_mul(force, d->crb + 10 * m->dof_bodyid[i], cdof + 6 * i);
    int last = m->M_rownnz[i] - 1;
    const int* col = m->M_colind + m->M_rowadr[i];
    for (int k = 0; k < last; k++) row[k] = cti_dot6(cdof + 6 * col[k], force);
    row[last] = cti_dot6(cdof + 6 * i, force) + cti_dof_armature(m, i);
  }
}

CT_FN ctStatus cti_factor_mass(const ctModel* m, ctData* d) {
  cti_copy(d->qLD, d->M, m->nC);
  int bad = cti_ldl_factor(d->qLD, d->qLDiagInv, m->M_rownnz, m->M_rowadr, m->M_colind, m->nv);
  if (bad < 0) return CT_OK;
  cti_warn(d, CT_WARN_INERTIA, bad);
  return CT_STEP_SINGULAR;
}

CT_FN void cti_solve_mass(const ctModel* m, const ctData* d, ctReal* x) {
  cti_ldl_solve(x, d->qLD, d->qLDiagInv, m->M_rownnz, m->M_rowadr, m->M_colind, m->nv, 1);
}

CT_FN void cti_mul_mass(const ctModel* m, const ctData* d, ctReal* r, const ctReal* v) {
  cti_csr_mul_sym_vec(r, d->M, m->M_rownnz, m->M_rowadr, m->M_colind, v, m->nv);
}
