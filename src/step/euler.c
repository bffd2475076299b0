#include "data/arena.h"
#include "data/warning.h"
#include "math/dense.h"
#include "math/tree_ldl.h"
#include "stage/velocity/passive.h"
#include "step/integrate.h"

// Does any dof have damping that shall be integrated implicitly?
static CT_FN bool euler_damps(const ctModel* m) {
  if (m->opt.disableflags & (CT_DSBL_EULERDAMP | CT_DSBL_DAMPER)) return false;
  for (int i = 0; i < m->nv; i++) {
    const ctReal* poly = m->dof_dampingpoly + CT_NPOLY * i;
    if (m->dof_damping[i] > 0 || poly[0] != 0 || poly[1] != 0) return true;
  }
  return false;
}

// qacc = (M + h D)^-1 (qfrc_smooth + qfrc_constraint), D the slope of the damping at the current velocity.
static CT_FN ctStatus solve_damped(const ctModel* m, ctData* d, ctReal* qacc) {
  ctReal h = m->opt.timestep;
  cti_copy(d->qH, d->M, m->nC);
  for (int i = 0; i < m->nv; i++) {
    const ctReal* poly = m->dof_dampingpoly + CT_NPOLY * i;
    d->qH[m->M_rowadr[i] + m->M_rownnz[i] - 1] += h * cti_damper_slope(m->dof_damping[i], poly, d->qvel[i]);
  }
  int bad = cti_ldl_factor(d->qH, d->qHDiagInv, m->M_rownnz, m->M_rowadr, m->M_colind, m->nv);
  cti_add(qacc, d->qfrc_smooth, d->qfrc_constraint, m->nv);
  cti_ldl_solve(qacc, d->qH, d->qHDiagInv, m->M_rownnz, m->M_rowadr, m->M_colind, m->nv, 1);
  if (bad < 0) return CT_OK;
  cti_warn(d, CT_WARN_INERTIA, bad);
  return CT_STEP_SINGULAR;
}

CT_FN ctStatus cti_euler(const ctModel* m, ctData* d) {
  if (!euler_damps(m)) {
    cti_advance(m, d, d->qacc);
    return CT_OK;
  }
  size_t mark = cti_scratch_mark(d);
  ctReal* qacc = CTI_SCRATCH(d, ctReal, m->nv, "euler.qacc");
  ctStatus status = CT_STEP_OVERFLOW;
  if (qacc) {
    status = solve_damped(m, d, qacc);
    cti_advance(m, d, qacc);
  } else {
    cti_advance(m, d, d->qacc);
  }
  cti_scratch_release(d, mark);
  return status;
}
