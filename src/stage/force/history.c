#include "stage/force/history.h"

#include "data/history.h"
#include "math/dense.h"

CT_FN void cti_history_read(const ctModel* m, const ctData* d, int actuator, ctReal* out) {
  ctiRing ring = cti_actuator_ring(m, d, actuator);
  cti_ring_read(out, &ring, d->time - m->actuator_delay[actuator], m->actuator_history[2 * actuator + 1]);
}

CT_FN void cti_history_push(const ctModel* m, ctData* d) {
  for (int i = 0; m->nhistory && i < m->nactuator; i++) {
    if (m->actuator_history[2 * i] <= 0) continue;
    ctiRing ring = cti_actuator_ring(m, d, i);
    cti_copy(cti_ring_add(&ring, d->time), d->ctrl + m->actuator_ctrladr[i], ring.dim);
  }
}
