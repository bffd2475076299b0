// Muscle curves and activation.
#include "stage/force/muscle.h"
#include "xt.h"

// range, force, scale, lmin, lmax, vmax, fpmax, fvmax
static const ctReal prm[CT_NGAIN] = {CT_R(0.75), CT_R(1.05), 100,       200,       CT_R(0.5),
                                     CT_R(1.6),  CT_R(1.5),  CT_R(1.3), CT_R(1.2), 0};
static const ctReal lengthrange[2] = {CT_R(0.75), CT_R(1.05)};  // one unit of length is the optimal length

static double gain(double length, double velocity) {
  return (double)cti_muscle_gain(prm, lengthrange, 1, (ctReal)length, (ctReal)velocity);
}

XT_TEST(muscle, pulls_with_its_peak_force_at_optimal_length_and_rest) {
  XT_NEAR(gain(1, 0), -100, XT_TOL(1e-12, 1e-4));
}

XT_TEST(muscle, has_no_active_force_beyond_its_range_or_at_full_speed) {
  XT_NEAR(gain(0.49, 0), 0, 0);
  XT_NEAR(gain(1.61, 0), 0, 0);
  XT_NEAR(gain(1, -1.5), 0, XT_TOL(1e-12, 1e-4));
  XT_NEAR(gain(1, 10), -120, XT_TOL(1e-12, 1e-4));
}

XT_TEST(muscle, curves_are_continuous) {
  for (double l = 0.4; l < 1.7; l += 0.001) XT_TRUE(fabs(gain(l, 0) - gain(l + 1e-4, 0)) < 0.1);
  for (double v = -2; v < 1; v += 0.001) XT_TRUE(fabs(gain(1, v) - gain(1, v + 1e-4)) < 0.1);
}

XT_TEST(muscle, slope_is_the_derivative_by_velocity) {
  const double e = XT_TOL(1e-6, 1e-2);
  for (double v = -1.9; v < 1; v += 0.0837) {
    double slope = (double)cti_muscle_gain_derivative(prm, lengthrange, 1, CT_R(0.9), (ctReal)v);
    XT_NEAR(slope, (gain(0.9, v + e) - gain(0.9, v - e)) / (2 * e), XT_TOL(1e-3, 3));
  }
}

XT_TEST(muscle, passive_force_starts_at_optimal_length) {
  XT_NEAR(cti_muscle_bias(prm, lengthrange, 1, CT_R(0.99)), 0, 0);
  // half way to lmax: half of fpmax
  XT_NEAR(cti_muscle_bias(prm, lengthrange, 1, CT_R(1.3)), -65, XT_TOL(1e-10, 1e-3));
}

XT_TEST(muscle, negative_force_means_scale_over_acceleration) {
  ctReal weak[CT_NGAIN];
  memcpy(weak, prm, sizeof(prm));
  weak[2] = -1;
  XT_NEAR(cti_muscle_gain(weak, lengthrange, 4, 1, 0), -50, XT_TOL(1e-12, 1e-4));
}

XT_TEST(muscle, activates_faster_than_it_relaxes_and_the_transition_is_smooth) {
  ctReal sharp[CT_NDYN] = {CT_R(0.01), CT_R(0.04), 0}, smooth[CT_NDYN] = {CT_R(0.01), CT_R(0.04), CT_R(0.2)};
  // activation 1/3: both factors are 1
  XT_NEAR(cti_muscle_dynamics(sharp, 1, CT_R(1.0 / 3)), 2.0 / 3 / 0.01, XT_TOL(1e-10, 1e-3));
  XT_NEAR(cti_muscle_dynamics(sharp, -5, CT_R(1.0 / 3)), -1.0 / 3 / 0.04, XT_TOL(1e-10, 1e-3));
  // far from the transition smoothing changes nothing; in its middle the time constant is the mean
  XT_NEAR(cti_muscle_dynamics(smooth, 1, CT_R(1.0 / 3)), 2.0 / 3 / 0.01, XT_TOL(1e-10, 1e-3));
  double e = 1e-3, rate = (double)cti_muscle_dynamics(smooth, CT_R(1.0 / 3 + 1e-3), CT_R(1.0 / 3));
  XT_NEAR(rate, e / 0.025, XT_TOL(1e-3, 1e-2));
}

XT_MAIN()
