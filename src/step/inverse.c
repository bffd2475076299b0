#include "data/arena.h"
#include "math/dense.h"
#include "stage/constraint/rows.h"
#include "stage/position/inertia.h"
#include "stage/solve/cost.h"
#include "step/pipeline.h"
#include "step/timing.h"

// The forces that the rows exert when the acceleration is what it is: no solve, each row by itself.
static CT_FN ctStatus inverse_constraint(const ctModel* m, ctData* d) {
  cti_zero(d->qfrc_constraint, m->nv);
  if (d->nefc == 0) return CT_OK;
  size_t mark = cti_scratch_mark(d);
  ctReal* jar = CTI_SCRATCH(d, ctReal, d->nefc, "inverse.jar");
  if (!jar) return CT_STEP_OVERFLOW;
  cti_mul_J(m, d, jar, d->qacc);
  cti_sub_from(jar, d->efc_aref, d->nefc);
  cti_row_costs(m, d, jar, false);
  cti_mul_JT(m, d, d->qfrc_constraint, d->efc_force);
  cti_scratch_release(d, mark);
  return CT_OK;
}

CT_FN ctStatus cti_inverse(const ctModel* m, ctData* d) {
  double start = cti_timer_start(d);
  ctStatus status = cti_forward_position(m, d);
  status = cti_worse(status, cti_forward_velocity(m, d));
  status = cti_worse(status, inverse_constraint(m, d));
  // what is needed on top of the passive forces: bias + M qacc - passive - constraint
  cti_mul_mass(m, d, d->qfrc_inverse, d->qacc);
  for (int i = 0; i < m->nv; i++) {
    d->qfrc_inverse[i] = d->qfrc_bias[i] + d->qfrc_inverse[i] - d->qfrc_passive[i] - d->qfrc_constraint[i];
  }
  cti_timer_stop(d, CT_TIMER_INVERSE, start);
  return status;
}
