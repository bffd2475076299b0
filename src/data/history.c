#include "data/history.h"

#include "math/dense.h"
#include "math/vec3.h"

#define INTERP_HOLD   0
#define INTERP_LINEAR 1

static CT_FN ctiRing ring_at(ctReal* buffer, int count, int dim) {
  ctiRing ring;
  ring.count = count;
  ring.dim = dim;
  ring.owner = buffer;
  ring.cursor = buffer + 1;
  ring.times = buffer + 2;
  ring.values = buffer + 2 + count;
  // a state set by hand may hold anything
  bool sane = buffer[1] >= 0 && buffer[1] < (ctReal)count;
  int next = sane ? (int)(buffer[1] + CT_R(0.5)) + 1 : 0;
  ring.first = next < count ? next : next - count;
  return ring;
}

static CT_FN ctiRing actuator_ring(const ctModel* m, const ctData* d, int actuator) {
  return ring_at(d->history + m->actuator_historyadr[actuator], m->actuator_history[2 * actuator],
                 m->actuator_ctrlnum[actuator]);
}

CT_FN ctiRing cti_sensor_ring(const ctModel* m, const ctData* d, int sensor) {
  return ring_at(d->history + m->sensor_historyadr[sensor], m->sensor_history[2 * sensor],
                 m->sensor_dim[sensor]);
}

CT_INLINE int ring_slot(const ctiRing* ring, int sample) {
  int slot = ring->first + sample;
  return slot < ring->count ? slot : slot - ring->count;
}
CT_INLINE ctReal ring_time(const ctiRing* ring, int sample) {
  return ring->times[ring_slot(ring, sample)];
}
CT_INLINE ctReal* ring_values(const ctiRing* ring, int sample) {
  return ring->values + ring_slot(ring, sample) * ring->dim;
}

// Slope at a sample for the cubic, per unit of time: that of its neighbours, zero at both ends.
static CT_FN ctReal ring_slope(const ctiRing* ring, int sample, int k) {
  if (sample == 0 || sample == ring->count - 1) return 0;
  ctReal span = ring_time(ring, sample + 1) - ring_time(ring, sample - 1);
  return (ring_values(ring, sample + 1)[k] - ring_values(ring, sample - 1)[k]) / span;
}

// Between sample i and the next, by lines or cubics.
static CT_FN void ring_between(ctReal* out, const ctiRing* ring, int i, ctReal time, bool linear) {
  ctReal span = ring_time(ring, i + 1) - ring_time(ring, i), u = (time - ring_time(ring, i)) / span;
  const ctReal *from = ring_values(ring, i), *to = ring_values(ring, i + 1);
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

// The newest sample that is not later than a time, -1 when all are.
static CT_FN int ring_before(const ctiRing* ring, ctReal time) {
  int i = ring->count - 1;
  while (i >= 0 && ring_time(ring, i) - time > CTI_MINVAL) i--;
  return i;
}

CT_FN void cti_ring_read(ctReal* out, const ctiRing* ring, ctReal time, int interp) {
  int i = ring_before(ring, time);
  bool between = i >= 0 && i < ring->count - 1 && time - ring_time(ring, i) > CTI_MINVAL;
  if (interp == INTERP_HOLD || !between) {
    cti_copy(out, ring_values(ring, i < 0 ? 0 : i), ring->dim);
  } else {
    ring_between(out, ring, i, time, interp == INTERP_LINEAR);
  }
}

CT_FN ctReal* cti_ring_add(ctiRing* ring, ctReal time) {
  int i = ring_before(ring, time);
  if (i >= 0 && time - ring_time(ring, i) <= CTI_MINVAL) return ring_values(ring, i);
  if (i == ring->count - 1) {
    // the usual case: later than all
    *ring->cursor = (ctReal)ring->first;
    ring->first = ring->first + 1 < ring->count ? ring->first + 1 : 0;
  } else {
    for (int k = 0; k < i; k++) {
      ring->times[ring_slot(ring, k)] = ring_time(ring, k + 1);
      cti_copy(ring_values(ring, k), ring_values(ring, k + 1), ring->dim);
    }
    if (i < 0) i = 0;
  }
  ring->times[ring_slot(ring, i)] = time;
  return ring_values(ring, i);
}

// The last of `count` times, one per step, is `last`; each is when a step could have taken the sample.
static CT_FN void ring_reset(ctiRing* ring, ctReal last, ctReal every, ctReal step) {
  // rounding must not turn a time that is on the grid into the one after it
  const ctReal tolerance = CT_R(1e-6);
  *ring->cursor = (ctReal)(ring->count - 1);
  for (int k = 0; k < ring->count; k++) {
    ctReal time = last - every * (ctReal)(ring->count - 1 - k);
    ring->times[k] = -step * cti_floor(tolerance - time / step);
  }
}

static CT_FN void sensor_history_reset(const ctModel* m, ctData* d, int i) {
  ctReal step = m->opt.timestep, period = m->sensor_interval[2 * i], phase = m->sensor_interval[2 * i + 1];
  ctiRing ring = cti_sensor_ring(m, d, i);
  ctReal every = cti_max(period, step);
  *ring.owner = phase < 0 ? phase : (period > 0 ? -period : -step);
  ring_reset(&ring, phase < 0 ? phase : -every, every, step);
}

CT_FN void cti_history_reset(const ctModel* m, ctData* d) {
  if (m->nhistory == 0) return;
  for (int i = 0; i < m->nactuator; i++) {
    if (m->actuator_history[2 * i] <= 0) continue;
    ctiRing ring = actuator_ring(m, d, i);
    ring_reset(&ring, -m->opt.timestep, m->opt.timestep, m->opt.timestep);
  }
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_history[2 * i] > 0) sensor_history_reset(m, d, i);
  }
}

// ---- past controls of actuators ----
//   reads   d->ctrl, time
//   writes  d->history

CT_FN void cti_history_read(const ctModel* m, const ctData* d, int actuator, ctReal* out) {
  ctiRing ring = actuator_ring(m, d, actuator);
  cti_ring_read(out, &ring, d->time - m->actuator_delay[actuator], m->actuator_history[2 * actuator + 1]);
}

CT_FN void cti_history_push(const ctModel* m, ctData* d) {
  for (int i = 0; m->nhistory && i < m->nactuator; i++) {
    if (m->actuator_history[2 * i] <= 0) continue;
    ctiRing ring = actuator_ring(m, d, i);
    cti_copy(cti_ring_add(&ring, d->time), d->ctrl + m->actuator_ctrladr[i], ring.dim);
  }
}

// ---- host code: the public calls ----
#ifndef __cplusplus
#include <math.h>
#include <string.h>

// ---- the public calls on histories and noise ----

static ctStatus read_ring(const ctiRing* ring, ctReal time, int interp, int own, ctReal* out) {
  if (interp < -1 || interp > 2 || !isfinite(time)) return CT_ERR_ARGUMENT;
  cti_ring_read(out, ring, time, interp < 0 ? own : interp);
  return CT_OK;
}

ctStatus ct_data_get_ctrl_at(const ctModel* m, const ctData* d, int actuator, ctReal time, int interp,
                             ctReal* out) {
  if (!m || !d || !out || actuator < 0 || actuator >= m->nactuator) return CT_ERR_ARGUMENT;
  if (m->actuator_history[2 * actuator] <= 0) {
    memcpy(out, d->ctrl + m->actuator_ctrladr[actuator],
           sizeof(ctReal) * (size_t)m->actuator_ctrlnum[actuator]);
    return CT_OK;
  }
  ctiRing ring = actuator_ring(m, d, actuator);
  return read_ring(&ring, time - m->actuator_delay[actuator], interp, m->actuator_history[2 * actuator + 1],
                   out);
}

ctStatus ct_data_get_sensor_at(const ctModel* m, const ctData* d, int sensor, ctReal time, int interp,
                               ctReal* out) {
  if (!m || !d || !out || sensor < 0 || sensor >= m->nsensor) return CT_ERR_ARGUMENT;
  if (m->sensor_history[2 * sensor] <= 0) {
    memcpy(out, d->sensordata + m->sensor_adr[sensor], sizeof(ctReal) * (size_t)m->sensor_dim[sensor]);
    return CT_OK;
  }
  ctiRing ring = cti_sensor_ring(m, d, sensor);
  return read_ring(&ring, time - m->sensor_delay[sensor], interp, m->sensor_history[2 * sensor + 1], out);
}

// Samples from the oldest on; the newest is the last.
static ctStatus fill_ring(const ctiRing* ring, const ctReal* times, const ctReal* values) {
  for (int i = 0; times && i < ring->count; i++) {
    if (!isfinite(times[i]) || (i > 0 && !(times[i] > times[i - 1]))) return CT_ERR_ARGUMENT;
  }
  for (int i = 0; i < ring->count * ring->dim; i++) {
    if (!isfinite(values[i])) return CT_ERR_ARGUMENT;
  }
  for (int i = 0; i < ring->count; i++) {
    int slot = (ring->first + i) % ring->count;
    if (times) ring->times[slot] = times[i];
    memcpy(ring->values + slot * ring->dim, values + i * ring->dim, sizeof(ctReal) * (size_t)ring->dim);
  }
  return CT_OK;
}

ctStatus ct_data_set_ctrl_history(const ctModel* m, ctData* d, int actuator, const ctReal* times,
                                  const ctReal* values) {
  bool ok = m && d && values && actuator >= 0 && actuator < m->nactuator;
  if (!ok || m->actuator_history[2 * actuator] <= 0) return CT_ERR_ARGUMENT;
  ctiRing ring = actuator_ring(m, d, actuator);
  return fill_ring(&ring, times, values);
}

ctStatus ct_data_set_sensor_history(const ctModel* m, ctData* d, int sensor, const ctReal* times,
                                    const ctReal* values, ctReal phase) {
  bool ok = m && d && values && sensor >= 0 && sensor < m->nsensor && isfinite(phase);
  if (!ok || m->sensor_history[2 * sensor] <= 0) return CT_ERR_ARGUMENT;
  ctiRing ring = cti_sensor_ring(m, d, sensor);
  ctStatus status = fill_ring(&ring, times, values);
  if (status == CT_OK) *ring.owner = phase;
  return status;
}

ctStatus ct_data_set_noise(ctData* d, bool on, uint32_t seed, uint32_t world) {
  if (!d) return CT_ERR_ARGUMENT;
  d->noise = on;
  d->noise_seed = seed;
  d->noise_world = world;
  return CT_OK;
}

#endif
