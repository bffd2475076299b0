// Softness of constraints: the curve of the impedance, its bounds, and stiffness and damping of references,
// read from the row of a joint at its limit.
#include "xt_model.h"

#define TOL XT_TOL(1e-13, 1e-5)

// The row of a slider of mass 2 whose limit is passed by `depth`: KBIP, and R beside it.
static void limit_row(double out[5], const char* solimp, const char* solref, double depth) {
  char text[700];
  snprintf(
      text, sizeof(text),
      "<mujoco><option timestep='0.002'/><worldbody><body><joint type='slide' limited='true' range='-1 1' "
      "solimplimit='%s' solreflimit='%s'/><geom size='.1' mass='2'/></body></worldbody></mujoco>",
      solimp, solref);
  ctModel* m = xt_load_string(text);
  ctData* d = xt_data(m);
  d->qpos[0] = (ctReal)(1 + depth);
  XT_INT(ct_forward(m, d), CT_OK);
  XT_INT(d->nefc, 1);
  for (int k = 0; k < 4; k++) out[k] = (double)d->efc_KBIP[k];
  out[4] = (double)d->efc_R[0];
  XT_NEAR(d->efc_diagA[0], 0.5, TOL);
  ct_data_free(d);
  ct_model_free(m);
}

static double impedance(const char* solimp, double depth) {
  double row[5];
  limit_row(row, solimp, "0.02 1", depth);
  // (1 - d) / d of the inverse inertia
  XT_NEAR(row[4], 0.5 * (1 - row[2]) / row[2], 5e3 * TOL);
  return row[2];
}

XT_TEST(impedance, goes_from_the_first_value_to_the_second_over_its_width) {
  XT_NEAR(impedance("0.6 0.9 0.01 0.5 2", XT_TOL(1e-9, 1e-6)), 0.6, XT_TOL(1e-12, 1e-5));
  XT_NEAR(impedance("0.6 0.9 0.01 0.5 2", 0.005), 0.75, XT_TOL(1e-12, 1e-4));
  XT_NEAR(impedance("0.6 0.9 0.01 0.5 2", 0.01 + 1e-6), 0.9, TOL);
  XT_NEAR(impedance("0.6 0.9 0.01 0.5 2", 5), 0.9, TOL);
}

XT_TEST(impedance, is_a_power_on_both_sides_of_its_midpoint) {
  // y = x^p / mid^(p - 1) below, 1 - (1 - x)^p / (1 - mid)^(p - 1) above
  const double low = 0.5, span = 0.4, mid = 0.3;
  XT_NEAR(impedance("0.5 0.9 0.1 0.3 3", 0.02), low + span * pow(0.2, 3) / (mid * mid), XT_TOL(1e-12, 1e-4));
  XT_NEAR(impedance("0.5 0.9 0.1 0.3 3", 0.06), low + span * (1 - pow(0.4, 3) / (0.7 * 0.7)),
          XT_TOL(1e-12, 1e-4));
  XT_NEAR(impedance("0.5 0.9 0.1 0.3 2", 0.02), low + span * 0.04 / mid, XT_TOL(1e-12, 1e-4));
  XT_NEAR(impedance("0.5 0.9 0.1 0.3 1", 0.02), low + span * 0.2, XT_TOL(1e-12, 1e-4));
}

XT_TEST(impedance, stays_within_its_bounds) {
  XT_NEAR(impedance("0 0 0.01 0.5 2", 0.1), 0.0001, XT_TOL(1e-16, 1e-9));
  XT_NEAR(impedance("1 1 0.01 0.5 2", 0.1), 0.9999, XT_TOL(1e-15, 1e-6));
  XT_NEAR(impedance("0.2 0.6 0 0.5 2", 0.1), 0.4, TOL);
}

XT_TEST(reference, of_time_and_ratio_and_of_stiffness_and_damping) {
  double row[5];
  limit_row(row, "0.9 0.9 0.01 0.5 2", "0.05 0.7", 0.1);
  XT_NEAR(row[0], 1 / (0.9 * 0.9 * 0.05 * 0.05 * 0.7 * 0.7), 1e4 * TOL);
  XT_NEAR(row[1], 2 / (0.9 * 0.05), 100 * TOL);
  limit_row(row, "0.9 0.9 0.01 0.5 2", "-300 -20", 0.1);
  XT_NEAR(row[0], 300 / (0.9 * 0.9), 1e3 * TOL);
  XT_NEAR(row[1], 20 / 0.9, 100 * TOL);
  // never faster than two steps
  limit_row(row, "0.9 0.9 0.01 0.5 2", "0.001 1", 0.1);
  XT_NEAR(row[1], 2 / (0.9 * 0.004), 1e3 * TOL);
}

XT_MAIN()
