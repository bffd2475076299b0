#include "sense/noise.h"

#include "math/quat.h"
#include "math/rng.h"

// The numbers of a measurement: who asks decides, never when or in which order. Sensors are streams.
static CT_FN ctiRngKey noise_key(const ctModel* m, const ctData* d, int sensor) {
  ctReal step = m->opt.timestep > 0 ? cti_floor(d->time / m->opt.timestep + CT_R(0.5)) : CT_R(0);
  ctiRngKey key;
  key.seed = d->noise_seed;
  key.world = d->noise_world;
  key.step = (uint64_t)(int64_t)cti_clip(step, CT_R(-9e18), CT_R(9e18));
  key.stream = (uint32_t)sensor;
  return key;
}

// Turn a unit vector or quaternion by a random rotation.
static CT_FN void turn_by_noise(const ctiRngKey* key, ctReal sigma, bool quaternion, ctReal* out) {
  ctReal turn[3], r[2];
  for (int k = 0; k < 3; k++) {
    if (k % 2 == 0) cti_rng_normal2(r, key, (uint32_t)k / 2);
    turn[k] = sigma * r[k % 2];
  }
  if (quaternion) {
    cti_quat_integrate(out, turn, 1);
    return;
  }
  ctReal q[4], mat[9];
  cti_quat_unit(q);
  cti_quat_integrate(q, turn, 1);
  cti_quat_to_mat(mat, q);
  cti_mul_mat_vec3(out, mat, out);
}

CT_FN void cti_sense_noise(const ctModel* m, const ctData* d, int i, ctReal* out) {
  ctReal sigma = m->sensor_noise[i], r[2] = {0, 0};
  if (!d->noise || !(sigma > 0)) return;
  ctiRngKey key = noise_key(m, d, i);
  int kind = m->sensor_datatype[i];
  if (kind == CT_DATATYPE_AXIS || kind == CT_DATATYPE_QUATERNION) {
    turn_by_noise(&key, sigma, kind == CT_DATATYPE_QUATERNION, out);
    return;
  }
  for (int k = 0; k < m->sensor_dim[i]; k++) {
    if (k % 2 == 0) cti_rng_normal2(r, &key, (uint32_t)k / 2);
    out[k] += sigma * r[k % 2];
    if (kind == CT_DATATYPE_POSITIVE) out[k] = cti_max(out[k], 0);
  }
}
