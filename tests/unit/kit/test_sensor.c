// Sensors of the kit: their errors have the size they are told to have.
#include "corten/kit.h"

#include "base/fn.h"
#include "xt.h"

enum { SAMPLES = 1 << 18 };

static ctKitSensor gyro(void) {
  ctKitSensor s;
  ct_kit_sensor_default(3, CT_R(0.01), &s);
  s.seed = 7;
  return s;
}

// Samples of channel 0 at rest.
static void record(ctReal* out, const ctKitSensor* s, int n) {
  ctKitSensorState state;
  const ctReal truth[CT_KIT_CHANNELS] = {0};
  XT_INT(ct_kit_sensor_reset(s, &state), CT_OK);
  for (int i = 0; i < n; i++) {
    ctReal sample[CT_KIT_CHANNELS];
    XT_INT(ct_kit_sensor_read(s, &state, truth, NULL, sample), CT_OK);
    out[i] = sample[0];
  }
}

static ctReal* samples(void) {
  ctReal* out = malloc(SAMPLES * sizeof(ctReal));
  XT_TRUE(out);
  return out;
}

static double allan(const ctReal* x, int m) {
  double* work = malloc((SAMPLES + 1) * sizeof(double));
  XT_TRUE(work);
  ctReal out;
  XT_INT(ct_kit_allan(x, SAMPLES, m, CT_R(0.01), work, &out), CT_OK);
  free(work);
  return (double)out;
}

// White noise of density N: deviation N / sqrt(tau). The estimate from n / m means is off by about
// sqrt(m / n): four times that is allowed.
XT_TEST(sensor, white_noise_has_its_allan_deviation) {
  ctKitSensor s = gyro();
  s.density[0] = CT_R(0.02);
  ctReal* x = samples();
  record(x, &s, SAMPLES);
  for (int m = 1; m <= 4096; m *= 4) {
    double expected = 0.02 / sqrt(0.01 * m);
    XT_NEAR(allan(x, m) / expected, 1, 4 * sqrt((double)m / SAMPLES) + 1e-3);
  }
  free(x);
}

// A random walk of K: deviation K sqrt(tau / 3), once the steps are fine.
XT_TEST(sensor, random_walk_has_its_allan_deviation) {
  ctKitSensor s = gyro();
  s.walk[0] = CT_R(0.003);
  ctReal* x = samples();
  record(x, &s, SAMPLES);
  for (int m = 64; m <= 4096; m *= 4) {
    double expected = 0.003 * sqrt(0.01 * m / 3);
    XT_NEAR(allan(x, m) / expected, 1, 4 * sqrt((double)m / SAMPLES) + 2e-2);
  }
  free(x);
}

// Gauss-Markov: 2 T s^2 / tau (1 - T / (2 tau) (3 - 4 e + e^2)), with e = exp(-tau / T).
XT_TEST(sensor, wandering_bias_has_its_allan_deviation) {
  ctKitSensor s = gyro();
  s.wander[0] = CT_R(0.01);
  s.wander_time[0] = 1;
  ctReal* x = samples();
  record(x, &s, SAMPLES);
  for (int m = 16; m <= 4096; m *= 4) {
    double tau = 0.01 * m, e = exp(-tau);
    double expected = sqrt(2 * 1e-4 / tau * (1 - (3 - 4 * e + e * e) / (2 * tau)));
    XT_NEAR(allan(x, m) / expected, 1, 4 * sqrt((double)m / SAMPLES) + 2e-2);
  }
  free(x);
}

XT_TEST(sensor, noise_is_normal_and_independent_between_channels) {
  ctKitSensor s = gyro();
  for (int k = 0; k < 3; k++) s.density[k] = CT_R(0.1);  // standard deviation 1 at 100 Hz
  ctKitSensorState state;
  const ctReal truth[3] = {0, 0, 0};
  double sum[3] = {0}, square[3] = {0}, fourth = 0, cross = 0;
  const int n = 200000;
  ct_kit_sensor_reset(&s, &state);
  for (int i = 0; i < n; i++) {
    ctReal x[3];
    ct_kit_sensor_read(&s, &state, truth, NULL, x);
    for (int k = 0; k < 3; k++) {
      sum[k] += (double)x[k];
      square[k] += (double)(x[k] * x[k]);
    }
    fourth += pow((double)x[0], 4);
    cross += (double)(x[0] * x[1]);
  }
  const double sigma = 1 / sqrt((double)n);
  for (int k = 0; k < 3; k++) {
    XT_NEAR(sum[k] / n, 0, 4 * sigma);
    XT_NEAR(square[k] / n, 1, 4 * sqrt(2) * sigma);
  }
  XT_NEAR(fourth / n, 3, 4 * sqrt(96) * sigma);
  XT_NEAR(cross / n, 0, 4 * sigma);
}

XT_TEST(sensor, gives_the_same_bits_for_the_same_seed_and_others_for_others) {
  ctKitSensor s = gyro();
  ctReal a[100], b[100], c[100], d[100];
  s.density[0] = s.walk[0] = s.wander[0] = CT_R(0.1);
  s.wander_time[0] = 1;
  record(a, &s, 100);
  record(b, &s, 100);
  XT_SAME(a, b, 100);
  s.seed++;
  record(c, &s, 100);
  s.seed--;
  s.stream++;
  record(d, &s, 100);
  for (int i = 0; i < 100; i++) XT_TRUE(a[i] != c[i] && a[i] != d[i] && c[i] != d[i]);
}

XT_TEST(sensor, scales_crosses_saturates_and_rounds) {
  ctKitSensor s = gyro();
  ctKitSensorState state;
  s.matrix[0][0] = CT_R(1.5);
  s.matrix[0][1] = CT_R(0.25);
  s.bias[1] = CT_R(0.5);
  s.range[2] = 2;
  s.resolution[1] = CT_R(0.25);
  const ctReal truth[3] = {2, 4, CT_R(-7)};
  ctReal x[3];
  ct_kit_sensor_reset(&s, &state);
  XT_INT(ct_kit_sensor_read(&s, &state, truth, NULL, x), CT_OK);
  XT_NEAR(x[0], 4, 0);
  XT_NEAR(x[1], 4.5, 0);
  XT_NEAR(x[2], -2, 0);
  s.bias[1] = CT_R(0.3);
  ct_kit_sensor_read(&s, &state, truth, NULL, x);
  XT_NEAR(x[1], 4.25, 0);
}

XT_TEST(sensor, comes_late_by_its_delay) {
  ctKitSensor s = gyro();
  ctKitSensorState state;
  ctReal history[4 * 3];
  s.delay = 3;
  ct_kit_sensor_reset(&s, &state);
  for (int i = 0; i < 20; i++) {
    const ctReal truth[3] = {(ctReal)i, 0, 0};
    ctReal x[3];
    XT_INT(ct_kit_sensor_read(&s, &state, truth, history, x), CT_OK);
    XT_NEAR(x[0], i < 3 ? 0 : i - 3, 0);
  }
  const ctReal truth[3] = {0, 0, 0};
  ctReal x[3];
  XT_INT(ct_kit_sensor_read(&s, &state, truth, NULL, x), CT_ERR_ARGUMENT);
}

// A first order low pass: at its corner the amplitude is 1 / sqrt(2), up to the sampling.
XT_TEST(sensor, low_pass_halves_the_power_at_its_bandwidth) {
  ctKitSensor s;
  ctKitSensorState state;
  ct_kit_sensor_default(1, CT_R(1e-4), &s);
  s.bandwidth = 10;
  ct_kit_sensor_reset(&s, &state);
  double most = 0;
  for (int i = 0; i < 20000; i++) {
    ctReal truth = (ctReal)sin(2 * 3.14159265358979 * 10 * 1e-4 * i), x;
    ct_kit_sensor_read(&s, &state, &truth, NULL, &x);
    if (i > 10000) most = fmax(most, fabs((double)x));
  }
  XT_NEAR(most, sqrt(0.5), 5e-3);
}

XT_TEST(imu, at_rest_feels_the_ground_and_in_free_fall_nothing) {
  const ctReal gravity[3] = {0, 0, CT_R(-9.81)};
  ctKitRigid body = {{{0, 0, 0}, {CT_R(0.6), CT_R(0.8), 0, 0}}, {{0, 0, 0}, {0, 0, 0}}};
  const ctKitPose mount = {{CT_R(0.1), 0, 0}, {1, 0, 0, 0}};
  ctKitTwist acc = {{0, 0, 0}, {0, 0, 0}};
  ctReal out[6];
  ct_kit_imu(&body, &acc, gravity, &mount, out);
  XT_NEAR(sqrt((double)(out[0] * out[0] + out[1] * out[1] + out[2] * out[2])), 9.81, XT_TOL(1e-13, 1e-5));
  acc.linear[2] = CT_R(-9.81);
  ct_kit_imu(&body, &acc, gravity, &mount, out);
  for (int k = 0; k < 6; k++) XT_NEAR(out[k], 0, XT_TOL(1e-14, 1e-6));
  // turning about z: centripetal at the arm
  body = (ctKitRigid){{{0, 0, 0}, {1, 0, 0, 0}}, {{0, 0, 3}, {0, 0, 0}}};
  ct_kit_imu(&body, &acc, gravity, &mount, out);
  XT_NEAR(out[0], -0.9, XT_TOL(1e-14, 1e-6));
  XT_NEAR(out[5], 3, 0);
}

XT_TEST(touch, has_a_switch_with_two_thresholds) {
  bool touched = false;
  const double total[] = {0.5, 1.2, 0.7, 0.3, 0.7};
  const double expected[] = {0, 1, 1, 0, 0};
  for (int i = 0; i < 5; i++) {
    ctReal force[2] = {(ctReal)total[i], -5}, out[3];
    XT_INT(ct_kit_touch(force, 2, CT_R(0.5), 1, CT_R(0.5), &touched, out), CT_OK);
    XT_NEAR(out[1], 2 * total[i], XT_TOL(1e-15, 1e-6));
    XT_NEAR(out[2], expected[i], 0);
  }
}

XT_TEST(range, is_bounded_and_says_when_nothing_is_there) {
  ctReal out;
  ct_kit_rangefinder(CT_R(0.05), CT_R(0.1), 5, &out);
  XT_NEAR(out, 0.1, XT_TOL(1e-15, 1e-7));
  ct_kit_rangefinder(6, CT_R(0.1), 5, &out);
  XT_NEAR(out, -1, 0);
  ct_kit_rangefinder(-1, CT_R(0.1), 5, &out);
  XT_NEAR(out, -1, 0);
  XT_INT(ct_kit_rangefinder(1, 5, CT_R(0.1), &out), CT_ERR_INVALID);
}

XT_TEST(magnetometer, and_force_sensor_see_the_world_in_their_own_axes) {
  // a quarter turn about z
  const ctKitPose body = {{1, 2, 3}, {(ctReal)sqrt(0.5), 0, 0, (ctReal)sqrt(0.5)}},
                  none = {{0, 0, 0}, {1, 0, 0, 0}};
  const ctReal field[3] = {1, 0, 0};
  ctReal out[6];
  ct_kit_magnetometer(&body, field, &none, out);
  XT_NEAR(out[1], -1, XT_TOL(1e-15, 1e-6));
  const ctKitWrench w = {{0, 0, 0}, {0, 0, 10}};
  const ctKitPose arm = {{CT_R(0.5), 0, 0}, {1, 0, 0, 0}};
  ct_kit_force_torque(&w, &arm, out);
  XT_NEAR(out[2], 10, 0);
  XT_NEAR(out[4], 5, 0);
}

XT_TEST(sensor, that_makes_no_sense_is_refused) {
  ctKitSensor s = gyro();
  ctKitSensorState state;
  ctReal truth[3] = {0, 0, (ctReal)NAN}, x[3];
  ct_kit_sensor_reset(&s, &state);
  XT_INT(ct_kit_sensor_read(&s, &state, truth, NULL, x), CT_ERR_INVALID);
  s.density[1] = -1;
  XT_INT(ct_kit_sensor_check(&s), CT_ERR_INVALID);
  s = gyro();
  s.timestep = 0;
  XT_INT(ct_kit_sensor_check(&s), CT_ERR_INVALID);
  s = gyro();
  s.wander[0] = 1;  // for how long?
  XT_INT(ct_kit_sensor_check(&s), CT_ERR_INVALID);
  s = gyro();
  s.count = 7;
  XT_INT(ct_kit_sensor_check(&s), CT_ERR_INVALID);
}

XT_MAIN()
