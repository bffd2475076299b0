#include "math/dense.h"
#include "stage/position/inertia.h"
#include "step/pipeline.h"
#include "step/timing.h"

CT_FN ctStatus cti_inverse(const ctModel* m, ctData* d) {
  double start = cti_timer_start(d);
  ctStatus status = cti_forward_position(m, d);
  status = cti_worse(status, cti_forward_velocity(m, d));
  cti_zero(d->qfrc_constraint, m->nv);
  // what is needed on top of the passive forces: bias + M qacc - passive - constraint
  cti_mul_mass(m, d, d->qfrc_inverse, d->qacc);
  for (int i = 0; i < m->nv; i++) {
    d->qfrc_inverse[i] = d->qfrc_bias[i] + d->qfrc_inverse[i] - d->qfrc_passive[i] - d->qfrc_constraint[i];
  }
  cti_timer_stop(d, CT_TIMER_INVERSE, start);
  return status;
}
