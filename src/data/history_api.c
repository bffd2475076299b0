// The public calls on histories and noise. Host code.
#include <math.h>
#include <string.h>

#include "data/history.h"

static ctStatus read_ring(const ctiRing* ring, ctReal time, int interp, int own, ctReal* out) {
  if (interp < -1 || interp > 2 || !isfinite(time)) return CT_ERR_ARGUMENT;
  cti_ring_read(out, ring, time, interp < 0 ? own : interp);
  return CT_OK;
}

ctStatus ct_data_read_ctrl(const ctModel* m, const ctData* d, int actuator, ctReal time, int interp,
                           ctReal* out) {
  if (!m || !d || !out || actuator < 0 || actuator >= m->nactuator) return CT_ERR_ARGUMENT;
  if (m->actuator_history[2 * actuator] <= 0) {
    memcpy(out, d->ctrl + m->actuator_ctrladr[actuator],
           sizeof(ctReal) * (size_t)m->actuator_ctrlnum[actuator]);
    return CT_OK;
  }
  ctiRing ring = cti_actuator_ring(m, d, actuator);
  return read_ring(&ring, time - m->actuator_delay[actuator], interp, m->actuator_history[2 * actuator + 1],
                   out);
}

ctStatus ct_data_read_sensor(const ctModel* m, const ctData* d, int sensor, ctReal time, int interp,
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
  ctiRing ring = cti_actuator_ring(m, d, actuator);
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

ctStatus ct_data_set_noise(ctData* d, ctBool on, uint32_t seed, uint32_t world) {
  if (!d) return CT_ERR_ARGUMENT;
  d->noise = on;
  d->noise_seed = seed;
  d->noise_world = world;
  return CT_OK;
}
