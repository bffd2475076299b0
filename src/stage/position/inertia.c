#include "data/awake.h"
#include "math/simd.h"
#include "math/spatial.h"
#include "math/tree_ldl.h"
#include "stage/position/point_motion.h"
#include "stage/position/position.h"
#include "stage/position/reflected.h"

CTI_SIMD_STAGE void composite_inertias(const ctModel* m, ctData* d) {
  ctReal* crb = d->crb;
  const ctiAwake* awake = cti_awake(d);
  cti_copy(crb, d->cinert, 10);
  CTI_EACH_SPAN(s, awake->body)
  cti_team_copy(crb + 10 * s->begin, d->cinert + 10 * s->begin, 10 * (s->end - s->begin));
  CTI_EACH(t, awake->hung) {
    int root = m->tree_bodyadr[t];
    cti_add_to(crb + 10 * m->body_parentid[root], crb + 10 * root, 10);
  }
  cti_awake_add_inward(crb, 10, false, m, d);
}

CT_FN ctReal cti_mass_diagonal(const ctModel* m, const ctData* d, int dof) {
  ctReal force[6];
  cti_inertia_mul(force, d->crb + 10 * m->dof_bodyid[dof], d->cdof + 6 * dof);
  return cti_dot6(d->cdof + 6 * dof, force) + cti_dof_armature(m, dof);
}

CTI_SIMD_STAGE void mass_matrix_simd(const ctModel* m, ctData* d) {
  composite_inertias(m, d);
  const ctReal* cdof = d->cdof;
  CTI_EACH_LANES(i, cti_awake(d)->dof) {
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
  CT_TEAM_SYNC();
}
CTI_SIMD_DISPATCH_AS(CT_KERNEL_INLINE_KEPT, void, , cti_mass_matrix, mass_matrix_simd,
                     (const ctModel* m, ctData* d), (m, d))

// Rows of a matrix with the pattern of M from `begin` to `end`, and how many numbers they have.
CT_INLINE int rows_length(const ctModel* m, const ctiSpan* s) {
  int last = s->end - 1;
  return m->M_rowadr[last] + m->M_rownnz[last] - m->M_rowadr[s->begin];
}

CT_FN void cti_awake_copy_rows(const ctModel* m, const ctData* d, ctReal* to, const ctReal* from) {
  CTI_EACH_SPAN(s, cti_awake(d)->dof) {
    int adr = m->M_rowadr[s->begin];
    cti_team_copy(to + adr, from + adr, rows_length(m, s));
  }
}

// Columns are dofs of the whole model: the arrays that they lead into stay whole, those of rows begin at the
// span.
CT_KERNEL_INLINE_KEPT int cti_awake_factor(const ctModel* m, ctData* d, ctReal* ld, ctReal* diaginv) {
  int bad = -1;
  CTI_EACH_SPAN(s, cti_awake(d)->dof) {
    int here = cti_ldl_factor(ld, diaginv, m->M_rownnz, m->M_rowadr, m->M_colind, s->begin, s->end);
    if (here > bad) bad = here;
  }
  return bad;
}

CT_KERNEL_INLINE_KEPT void cti_awake_solve(const ctModel* m, const ctData* d, const ctReal* ld,
                                           const ctReal* diaginv, ctReal* x) {
  CTI_EACH_SPAN(s, cti_awake(d)->dof)
  cti_ldl_solve(x, ld, diaginv, m->M_rownnz, m->M_rowadr, m->M_colind, s->begin, s->end);
}

CT_KERNEL_INLINE_KEPT ctStatus cti_factor_mass(const ctModel* m, ctData* d) {
  cti_awake_copy_rows(m, d, d->qLD, d->M);
  int bad = cti_awake_factor(m, d, d->qLD, d->qLDiagInv);
  if (bad < 0) return CT_OK;
  cti_warn(d, CT_WARN_INERTIA, bad);
  return CT_STEP_SINGULAR;
}

CT_FN void cti_solve_mass(const ctModel* m, const ctData* d, ctReal* x) {
  cti_ldl_solve(x, d->qLD, d->qLDiagInv, m->M_rownnz, m->M_rowadr, m->M_colind, 0, m->nv);
}

CT_FN void cti_mul_mass(const ctModel* m, const ctData* d, ctReal* r, const ctReal* v) {
  cti_csr_mul_sym_vec(r, d->M, m->M_rownnz, m->M_rowadr, m->M_colind, v, 0, m->nv);
}
