// Sensors: what they would measure, and what is wrong with it.
#include "kit/kit.h"
#include "math/quat.h"
#include "math/rng.h"

#define MOST_DELAY (1 << 20)

// ---- errors ----

void ct_kit_sensor_default(int count, ctReal timestep, ctKitSensor* out) {
  memset(out, 0, sizeof(*out));
  out->count = count;
  out->timestep = timestep;
  for (int k = 0; k < CT_KIT_CHANNELS; k++) out->matrix[k][k] = 1;
}

ctStatus ct_kit_sensor_check(const ctKitSensor* s) {
  if (!s) return CT_ERR_ARGUMENT;
  if (s->count < 1 || s->count > CT_KIT_CHANNELS || s->delay < 0 || s->delay > MOST_DELAY ||
      !cti_kit_positive(s->timestep) || !cti_kit_not_negative(s->bandwidth)) {
    return CT_ERR_INVALID;
  }
  bool ok = true;
  for (int k = 0; k < s->count; k++) {
    ok = ok && cti_kit_all_finite(s->matrix[k], s->count) && cti_kit_finite(s->bias[k]) &&
         cti_kit_not_negative(s->density[k]) && cti_kit_not_negative(s->walk[k]) &&
         cti_kit_not_negative(s->wander[k]) && cti_kit_not_negative(s->range[k]) &&
         cti_kit_not_negative(s->resolution[k]) && (s->wander[k] == 0 || cti_kit_positive(s->wander_time[k]));
  }
  return ok ? CT_OK : CT_ERR_INVALID;
}

// Three numbers for each channel and step: white noise, walk, wander. They depend on who asks alone.
enum { WHITE, WALK, WANDER };

static ctReal normal(const ctKitSensor* s, uint64_t step, int channel, int which) {
  ctiRngKey key;
  key.seed = s->seed;
  key.world = 0;
  key.step = step;
  key.stream = s->stream;
  return cti_rng_normal(&key, (uint32_t)(3 * channel + which));
}

ctStatus ct_kit_sensor_reset(const ctKitSensor* s, ctKitSensorState* state) {
  ctStatus status = ct_kit_sensor_check(s);
  if (status != CT_OK || !state) return status != CT_OK ? status : CT_ERR_ARGUMENT;
  memset(state, 0, sizeof(*state));
  for (int k = 0; k < s->count; k++) {
    if (s->wander[k] > 0) state->wander[k] = s->wander[k] * normal(s, UINT64_MAX, k, WANDER);
  }
  return CT_OK;
}

// Bias and noise of a channel at this step; the biases go on.
static ctReal disturbance(const ctKitSensor* s, ctKitSensorState* state, int k) {
  const ctReal root = cti_sqrt(s->timestep);
  ctReal sum = s->bias[k];
  if (s->density[k] > 0) sum += s->density[k] / root * normal(s, state->step, k, WHITE);
  if (s->walk[k] > 0) {
    sum += state->walk[k];
    state->walk[k] += s->walk[k] * root * normal(s, state->step, k, WALK);
  }
  if (s->wander[k] > 0) {
    // a Gauss-Markov process of first order, sampled exactly
    ctReal keep = cti_exp(-s->timestep / s->wander_time[k]);
    sum += state->wander[k];
    state->wander[k] = keep * state->wander[k] +
                       s->wander[k] * cti_sqrt(1 - keep * keep) * normal(s, state->step, k, WANDER);
  }
  return sum;
}

static ctReal digitise(const ctKitSensor* s, int k, ctReal x) {
  if (s->range[k] > 0) x = cti_clip(x, -s->range[k], s->range[k]);
  if (s->resolution[k] > 0) x = s->resolution[k] * cti_round(x / s->resolution[k]);
  return x;
}

ctStatus ct_kit_sensor_read(const ctKitSensor* s, ctKitSensorState* state, const ctReal* truth,
                            ctReal* history, ctReal* out) {
  ctStatus status = ct_kit_sensor_check(s);
  if (status != CT_OK) return status;
  if (!state || !truth || !out || (s->delay > 0 && !history)) return CT_ERR_ARGUMENT;
  if (!cti_kit_all_finite(truth, s->count)) return CT_ERR_INVALID;
  ctReal sample[CT_KIT_CHANNELS];
  const int n = s->count;
  // the low pass starts at the first truth
  ctReal follow = 1;
  if (s->bandwidth > 0 && state->step > 0)
    follow = 1 - cti_exp(CT_R(-2 * CTI_PI) * s->bandwidth * s->timestep);
  for (int k = 0; k < n; k++) state->filter[k] += follow * (truth[k] - state->filter[k]);
  for (int k = 0; k < n; k++) {
    ctReal mixed = 0;
    for (int j = 0; j < n; j++) mixed += s->matrix[k][j] * state->filter[j];
    sample[k] = digitise(s, k, mixed + disturbance(s, state, k));
  }
  if (s->delay > 0) {
    // a ring; until it is full its first sample is what is known
    const uint64_t size = (uint64_t)s->delay + 1;
    const uint64_t to = state->step % size;
    const uint64_t from = state->step >= (uint64_t)s->delay ? (state->step - (uint64_t)s->delay) % size : 0;
    for (int k = 0; k < n; k++) history[to * (uint64_t)n + (uint64_t)k] = sample[k];
    for (int k = 0; k < n; k++) sample[k] = history[from * (uint64_t)n + (uint64_t)k];
  }
  for (int k = 0; k < n; k++) out[k] = sample[k];
  state->step++;
  return CT_OK;
}

// ---- what there is to measure ----

void ct_kit_imu(const ctKitRigid* body, const ctKitTwist* acceleration, const ctReal gravity[3],
                const ctKitPose* mount, ctReal out[6]) {
  ctReal arm[3], acc[3], t[3], quat[4], conj[4];
  const ctReal* w = body->twist.angular;
  cti_quat_rotate(arm, body->pose.quat, mount->pos);
  cti_sub3(acc, acceleration->linear, gravity);
  cti_cross3(t, acceleration->angular, arm);
  cti_add_to3(acc, t);
  cti_cross3(t, w, arm);
  cti_cross3(t, w, t);
  cti_add_to3(acc, t);
  cti_quat_mul(quat, body->pose.quat, mount->quat);
  cti_quat_conj(conj, quat);
  cti_quat_rotate(out, conj, acc);
  cti_quat_rotate(out + 3, conj, w);
}

void ct_kit_force_torque(const ctKitWrench* wrench, const ctKitPose* mount, ctReal out[6]) {
  ctKitWrench local;
  ct_kit_wrench_in(mount, wrench, &local);
  cti_copy3(out, local.force);
  cti_copy3(out + 3, local.torque);
}

ctStatus ct_kit_touch(const ctReal* force, int count, ctReal area, ctReal on, ctReal off, bool* touched,
                      ctReal out[3]) {
  if (count < 0 || (count > 0 && !force) || !touched || !out) return CT_ERR_ARGUMENT;
  if (!cti_kit_positive(area) || !(off >= 0 && on >= off)) return CT_ERR_INVALID;
  ctReal sum = 0;
  for (int i = 0; i < count; i++) {
    if (!cti_kit_finite(force[i])) return CT_ERR_INVALID;
    sum += cti_max(0, force[i]);
  }
  *touched = *touched ? sum >= off && sum > 0 : sum >= on && sum > 0;
  out[0] = sum;
  out[1] = sum / area;
  out[2] = *touched ? CT_R(1) : CT_R(0);
  return CT_OK;
}

ctStatus ct_kit_rangefinder(ctReal distance, ctReal least, ctReal most, ctReal* out) {
  if (!out) return CT_ERR_ARGUMENT;
  if (!cti_kit_not_negative(least) || !(most > least) || distance != distance) return CT_ERR_INVALID;
  *out = distance < 0 || distance > most ? CT_R(-1) : cti_max(distance, least);
  return CT_OK;
}

void ct_kit_magnetometer(const ctKitPose* body, const ctReal field[3], const ctKitPose* mount,
                         ctReal out[3]) {
  ctReal quat[4], conj[4];
  cti_quat_mul(quat, body->quat, mount->quat);
  cti_quat_conj(conj, quat);
  cti_quat_rotate(out, conj, field);
}

// ---- Allan deviation ----

// Sums of samples, always in double: second differences of the integral over m samples.
ctStatus ct_kit_allan(const ctReal* sample, int n, int m, ctReal timestep, double* work, ctReal* out) {
  if (!sample || !work || !out || m < 1 || n / 2 < m || n == 2 * m) return CT_ERR_ARGUMENT;
  if (!cti_kit_positive(timestep)) return CT_ERR_INVALID;
  work[0] = 0;
  for (int i = 0; i < n; i++) work[i + 1] = work[i] + (double)sample[i];
  double sum = 0;
  const int count = n - 2 * m + 1;
  for (int i = 0; i < count; i++) {
    double second = work[i + 2 * m] - 2 * work[i + m] + work[i];
    sum += second * second;
  }
  *out = (ctReal)cti_sqrt_f64(sum / (2.0 * (double)m * (double)m * (double)count));
  return cti_kit_finite(*out) ? CT_OK : CT_ERR_INVALID;
}
