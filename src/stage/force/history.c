#include "stage/force/history.h"

#include "math/dense.h"
#include "math/vec3.h"

#define INTERP_HOLD   0
#define INTERP_LINEAR 1

// A ring buffer; sample 0 is the oldest.
typedef struct Ring {
  int count, dim, first;
  ctReal *times, *values;
} Ring;

static CT_FN Ring ring_of(const ctModel* m, const ctData* d, int actuator) {
  Ring ring;
  ctReal* buffer = d->history + m->actuator_historyadr[actuator];
  ring.count = m->actuator_history[2 * actuator];
  ring.dim = m->actuator_ctrlnum[actuator];
  ring.first = ((int)cti_round(buffer[1]) + 1) % ring.count;
  ring.times = buffer + 2;
  ring.values = buffer + 2 + ring.count;
  return ring;
}

CT_INLINE int slot_of(const Ring* ring, int sample) {
  int slot = ring->first + sample;
  return slot < ring->count ? slot : slot - ring->count;
}
CT_INLINE ctReal time_of(const Ring* ring, int sample) {
  return ring->times[slot_of(ring, sample)];
}
CT_INLINE const ctReal* values_of(const Ring* ring, int sample) {
  return ring->values + slot_of(ring, sample) * ring->dim;
}

// Slope at a sample for the cubic, per unit of time: that of its neighbours, zero at both ends.
static CT_FN ctReal ring_slope(const Ring* ring, int sample, int k) {
  if (sample == 0 || sample == ring->count - 1) return 0;
  ctReal span = time_of(ring, sample + 1) - time_of(ring, sample - 1);
  return (values_of(ring, sample + 1)[k] - values_of(ring, sample - 1)[k]) / span;
}

// Between sample i and the next, by lines or cubics.
static CT_FN void interpolate(ctReal* out, const Ring* ring, int i, ctReal time, bool linear) {
  ctReal span = time_of(ring, i + 1) - time_of(ring, i), u = (time - time_of(ring, i)) / span;
  const ctReal *from = values_of(ring, i), *to = values_of(ring, i + 1);
  for (int k = 0; k < ring->dim; k++) {
    if (linear) {
      out[k] = from[k] + (to[k] - from[k]) * u;
    } else {
      ctReal u2 = u * u, u3 = u2 * u;
      out[k] = (2 * u3 - 3 * u2 + 1) * from[k] + (u3 - 2 * u2 + u) * span * ring_slope(ring, i, k) +
               (3 * u2 - 2 * u3) * to[k] + (u3 - u2) * span * ring_slope(ring, i + 1, k);
    }
  }
}

CT_FN void cti_history_read(const ctModel* m, const ctData* d, int actuator, ctReal* out) {
  Ring ring = ring_of(m, d, actuator);
  ctReal time = d->time - m->actuator_delay[actuator];
  // newest sample that is not later; before all samples the oldest holds
  int i = ring.count - 1;
  while (i > 0 && time_of(&ring, i) - time > CTI_MINVAL) i--;
  bool exact = cti_abs(time_of(&ring, i) - time) <= CTI_MINVAL;
  int interp = m->actuator_history[2 * actuator + 1];
  if (interp == INTERP_HOLD || exact || i == ring.count - 1 || time < time_of(&ring, i)) {
    cti_copy(out, values_of(&ring, i), ring.dim);
  } else {
    interpolate(out, &ring, i, time, interp == INTERP_LINEAR);
  }
}

CT_FN void cti_history_push(const ctModel* m, ctData* d) {
  for (int i = 0; m->nhistory && i < m->nactuator; i++) {
    if (m->actuator_history[2 * i] <= 0) continue;
    Ring ring = ring_of(m, d, i);
    // the oldest gives way
    d->history[m->actuator_historyadr[i] + 1] = (ctReal)ring.first;
    ring.times[ring.first] = d->time;
    cti_copy(ring.values + ring.first * ring.dim, d->ctrl + m->actuator_ctrladr[i], ring.dim);
  }
}
