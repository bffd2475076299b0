#include "step/implicit_solve.h"

#include "data/arena.h"
#include "data/warning.h"
#include "math/tree_ldl.h"
#include "step/integrate.h"

CT_FN ctStatus cti_solve_metric(const ctModel* m, ctData* d, ctReal* x) {
  int bad = cti_ldl_factor(d->qH, d->qHDiagInv, m->M_rownnz, m->M_rowadr, m->M_colind, m->nv);
  cti_ldl_solve(x, d->qH, d->qHDiagInv, m->M_rownnz, m->M_rowadr, m->M_colind, m->nv, 1);
  if (bad < 0) return CT_OK;
  cti_warn(d, CT_WARN_INERTIA, bad);
  return CT_STEP_SINGULAR;
}

CT_FN ctStatus cti_solve_and_advance(const ctModel* m, ctData* d,
                                     ctStatus (*solve)(const ctModel* m, ctData* d, ctReal* qacc)) {
  size_t mark = cti_scratch_mark(d);
  ctReal* qacc = CTI_SCRATCH(d, ctReal, m->nv, "integrate.qacc");
  ctStatus status = CT_STEP_OVERFLOW;
  if (qacc) status = solve(m, d, qacc);
  if (!cti_arena_short(d)) cti_advance(m, d, qacc ? qacc : d->qacc, d->act_dot, (const ctReal*)0);
  cti_scratch_release(d, mark);
  return status;
}
