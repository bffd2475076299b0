#include "sense/sense.h"

#include "data/arena.h"
#include "data/history.h"
#include "math/dense.h"
#include "math/vec3.h"
#include "sense/noise.h"
#include "sense/readers.h"

// In the order of CT_SENSOR_LIST.
CT_CONST ctiSensorReader sensor_readers[] = {
    cti_sense_touch,          cti_sense_accelerometer,   cti_sense_velocimeter,
    cti_sense_gyro,           cti_sense_force,           cti_sense_torque,
    cti_sense_magnetometer,   cti_sense_rangefinder,     cti_sense_camprojection,
    cti_sense_joint_pos,      cti_sense_joint_vel,       cti_sense_tendon_pos,
    cti_sense_tendon_vel,     cti_sense_actuator_pos,    cti_sense_actuator_vel,
    cti_sense_actuator_force, cti_sense_joint_actuation, cti_sense_tendon_actuation,
    cti_sense_ball_quat,      cti_sense_ball_vel,
    cti_sense_joint_limit,  // position, velocity, force
    cti_sense_joint_limit,    cti_sense_joint_limit,     cti_sense_tendon_limit,
    cti_sense_tendon_limit,   cti_sense_tendon_limit,    cti_sense_frame_pos,
    cti_sense_frame_quat,
    cti_sense_frame_axis,  // x, y, z
    cti_sense_frame_axis,     cti_sense_frame_axis,      cti_sense_frame_linvel,
    cti_sense_frame_angvel,   cti_sense_frame_linacc,    cti_sense_frame_angacc,
    cti_sense_subtree_com,    cti_sense_subtree_linvel,  cti_sense_subtree_angmom,
    cti_sense_inside_site,    cti_sense_distance,        cti_sense_normal,
    cti_sense_fromto,         cti_sense_contact,         cti_sense_potential,
    cti_sense_kinetic,        cti_sense_clock,           cti_sense_tactile,
    (ctiSensorReader)0,  // plugins are to come
    cti_sense_user,
};

CT_FN bool cti_sensor_supported(int type) {
  return type >= 0 && type < CT_COUNT_OF(sensor_readers) && sensor_readers[type];
}

// Numbers beyond the cutoff are cut; axes and quaternions are not numbers in that sense, points and what a
// contact tells neither.
static CT_FN void cut_off(const ctModel* m, int i, ctReal* out) {
  ctReal cutoff = m->sensor_cutoff[i];
  int type = m->sensor_type[i], kind = m->sensor_datatype[i];
  if (cutoff <= 0 || type == CT_SENS_CONTACT || type == CT_SENS_GEOMFROMTO) return;
  for (int k = 0; k < m->sensor_dim[i]; k++) {
    if (kind == CT_DATATYPE_REAL) out[k] = cti_clip(out[k], -cutoff, cutoff);
    if (kind == CT_DATATYPE_POSITIVE) out[k] = cti_min(out[k], cutoff);
  }
}

static CT_FN void measure(const ctModel* m, ctData* d, int i, ctReal* out) {
  sensor_readers[m->sensor_type[i]](m, d, i, out);
  cti_sense_noise(m, d, i, out);
  cut_off(m, i, out);
}

// A sensor with a period measures when the period since its last turn is over.
static CT_FN bool is_due(const ctModel* m, const ctData* d, ctReal time, int i) {
  ctReal period = m->sensor_interval[2 * i];
  return period <= 0 || time >= d->history[m->sensor_historyadr[i]] + period;
}

// What the past says, where it is asked; false when the sensor shall measure.
static CT_FN bool recall(const ctModel* m, ctData* d, int i, ctReal* out) {
  if (m->sensor_history[2 * i] <= 0) return false;
  ctReal delay = m->sensor_delay[i];
  if (delay <= 0 && is_due(m, d, d->time, i)) return false;
  ctiRing ring = cti_sensor_ring(m, d, i);
  cti_ring_read(out, &ring, d->time - cti_max(delay, 0), m->sensor_history[2 * i + 1]);
  return true;
}

CT_FN void cti_sense(const ctModel* m, ctData* d, int stage) {
  if (m->nsensor == 0 || (m->opt.disableflags & CT_DSBL_SENSOR)) return;
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_needstage[i] != stage || !cti_sensor_supported(m->sensor_type[i])) continue;
    ctReal* out = d->sensordata + m->sensor_adr[i];
    if (!recall(m, d, i, out)) measure(m, d, i, out);
  }
}

// Does a sensor store what it measures at `time`?
static CT_FN bool records(const ctModel* m, const ctData* d, int i, ctReal time) {
  if (m->sensor_history[2 * i] <= 0 || !cti_sensor_supported(m->sensor_type[i])) return false;
  return is_due(m, d, time, i);
}

CT_FN const ctReal* cti_sense_now(const ctModel* m, ctData* d) {
  if (m->nhistory == 0 || m->nsensor == 0) return d->sensordata;
  ctReal* now = CTI_SCRATCH(d, ctReal, m->nsensordata, "sense.now");
  if (!now) return now;
  cti_copy(now, d->sensordata, m->nsensordata);
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_delay[i] > 0 && records(m, d, i, d->time)) measure(m, d, i, now + m->sensor_adr[i]);
  }
  return now;
}

CT_FN void cti_sense_record(const ctModel* m, ctData* d, const ctReal* now, ctReal time) {
  if (m->nhistory == 0) return;
  for (int i = 0; i < m->nsensor; i++) {
    if (!records(m, d, i, time)) continue;
    ctiRing ring = cti_sensor_ring(m, d, i);
    if (m->sensor_interval[2 * i] > 0) *ring.owner += m->sensor_interval[2 * i];
    cti_copy(cti_ring_add(&ring, time), now + m->sensor_adr[i], ring.dim);
  }
}
