#include "data/arena.h"
#include "math/dense.h"
#include "stage/position/reflected.h"
#include "stage/velocity/passive.h"
#include "step/implicit_solve.h"
#include "step/integrate.h"

// Does any dof have damping that shall be integrated implicitly?
static CT_FN bool euler_damps(const ctModel* m) {
  if (m->opt.disableflags & (CT_DSBL_EULERDAMP | CT_DSBL_DAMPER)) return false;
  for (int i = 0; i < m->nv; i++) {
    ctiDamping b = cti_dof_damping(m, i);
    if (cti_damps(&b)) return true;
  }
  return false;
}

// qacc = (M + h D)^-1 (qfrc_smooth + qfrc_constraint), D the slope of the damping at the current velocity.
static CT_FN ctStatus solve_damped(const ctModel* m, ctData* d, ctReal* qacc) {
  cti_copy(d->qH, d->M, m->nC);
  for (int i = 0; i < m->nv; i++) {
    ctiDamping b = cti_dof_damping(m, i);
    cti_add_to_diagonal(m, d, i, m->opt.timestep * cti_damper_slope(b.linear, b.poly, d->qvel[i]));
  }
  cti_add(qacc, d->qfrc_smooth, d->qfrc_constraint, m->nv);
  return cti_solve_metric(m, d, qacc);
}

CT_FN ctStatus cti_euler(const ctModel* m, ctData* d) {
  if (!euler_damps(m)) {
    cti_advance(m, d, d->qacc, d->act_dot, (const ctReal*)0);
    return CT_OK;
  }
  return cti_solve_and_advance(m, d, solve_damped);
}
