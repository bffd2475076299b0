// Integrators beside formulas of one step, exact solutions and their order of convergence.
#include "xt_model.h"

#define TOL XT_TOL(1e-14, 1e-6)

static ctModel* oscillator(int integrator, double h) {
  ctModel* m = xt_load_string(
      "<mujoco><option><flag gravity='disable'/></option><worldbody><body><joint type='slide' stiffness='30' "
      "damping='0.8' springref='0.1'/><geom size='.1' mass='2'/></body></worldbody></mujoco>");
  m->opt.integrator = integrator;
  m->opt.timestep = (ctReal)h;
  return m;
}

// x and v after one step from 0.3 and -0.5.
static void expect_step(int integrator, bool implicit_damping, double x, double v) {
  ctModel* m = oscillator(integrator, 0.01);
  if (!implicit_damping) m->opt.disableflags |= CT_DSBL_EULERDAMP;
  ctData* d = xt_data(m);
  d->qpos[0] = (ctReal)0.3;
  d->qvel[0] = (ctReal)-0.5;
  XT_INT(ct_step(m, d), CT_OK);
  XT_NEAR(d->qvel[0], v, TOL);
  XT_NEAR(d->qpos[0], x, TOL);
  XT_NEAR(d->time, 0.01, XT_TOL(1e-17, 1e-9));
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(one_step, of_euler_takes_damping_at_the_end_by_default) {
  const double h = 0.01, spring = -30 * (0.3 - 0.1), damper = 0.8 * 0.5;
  double v = -0.5 + h * (spring + damper) / (2 + h * 0.8);
  expect_step(CT_INT_EULER, true, 0.3 + h * v, v);
  v = -0.5 + h * (spring + damper) / 2;
  expect_step(CT_INT_EULER, false, 0.3 + h * v, v);
}

XT_TEST(one_step, of_the_implicit_ones_takes_damping_at_the_end) {
  const double h = 0.01;
  double v = -0.5 + h * (-30 * (0.3 - 0.1) + 0.8 * 0.5) / (2 + h * 0.8);
  expect_step(CT_INT_IMPLICIT, true, 0.3 + h * v, v);
  expect_step(CT_INT_IMPLICITFAST, true, 0.3 + h * v, v);
}

XT_TEST(one_step, of_rk4_is_the_classical_tableau) {
  const double h = 0.01;
  double x[5] = {0.3}, v[5] = {-0.5}, a[4], part[3] = {0.5, 0.5, 1};
  for (int k = 0; k < 4; k++) {
    a[k] = (-30 * (x[k] - 0.1) - 0.8 * v[k]) / 2;
    if (k < 3) x[k + 1] = 0.3 + part[k] * h * v[k];
    if (k < 3) v[k + 1] = -0.5 + part[k] * h * a[k];
  }
  expect_step(CT_INT_RK4, true, 0.3 + h / 6 * (v[0] + 2 * v[1] + 2 * v[2] + v[3]),
              -0.5 + h / 6 * (a[0] + 2 * a[1] + 2 * a[2] + a[3]));
}

// (m + h b' + h^2 k') (v+ - v) = h (f - h k' v) with the slopes k' and b' of spring and damper where they
// are.
XT_TEST(one_step, of_the_spring_damper_takes_both_at_the_end) {
  ctModel* m = xt_load_string(
      "<mujoco><option integrator='implicitspringdamper' timestep='0.01'><flag "
      "gravity='disable'/></option><worldbody><body>"
      "<joint type='slide' stiffness='30 5 40' damping='0.8 0.2 0.3'/><geom size='.1' "
      "mass='2'/></body></worldbody>"
      "</mujoco>");
  ctData* d = xt_data(m);
  const double h = 0.01, x = 0.3, v = -0.5;
  d->qpos[0] = (ctReal)x;
  d->qvel[0] = (ctReal)v;
  XT_INT(ct_step(m, d), CT_OK);
  double spring = -x * (30 + 5 * x + 40 * x * x), k = 30 + 2 * 5 * x + 3 * 40 * x * x;
  double damper = -v * (0.8 + 0.2 * -v + 0.3 * v * v), b = 0.8 + 2 * 0.2 * -v + 3 * 0.3 * v * v;
  XT_NEAR(d->qfrc_spring[0], spring, XT_TOL(1e-14, 1e-5));
  XT_NEAR(d->qfrc_damper[0], damper, XT_TOL(1e-14, 1e-5));
  XT_NEAR(d->qvel[0], v + h * (spring + damper - h * k * v) / (2 + h * b + h * h * k), TOL);
  ct_data_free(d);
  ct_model_free(m);
}

// ---- orders ----

#ifndef CT_SINGLE
#define STATES 5

// A double pendulum with springs and dampers, and a drive with a filter: the state after half a second.
static void swing(double state[STATES], int integrator, int steps) {
  ctModel* m = xt_load_string(
      "<mujoco><worldbody><body><joint name='a' axis='0 1 0' damping='0.3' stiffness='2'/><geom "
      "type='capsule' "
      "fromto='0 0 0 .5 0 0' size='.04'/><body pos='.5 0 0'><joint name='b' axis='0 1 0' damping='0.2'/>"
      "<geom type='capsule' fromto='0 0 0 .5 0 0' size='.03'/></body></body></worldbody><actuator>"
      "<general joint='b' dyntype='filter' dynprm='0.2' gainprm='3' biastype='affine' biasprm='0 -1 -0.1'/>"
      "</actuator></mujoco>");
  m->opt.integrator = integrator;
  m->opt.timestep = 0.5 / steps;
  ctData* d = xt_data(m);
  d->qpos[0] = 0.4;
  d->qvel[1] = -1;
  d->ctrl[0] = 0.5;
  for (int k = 0; k < steps; k++) XT_INT(ct_step(m, d), CT_OK);
  XT_NEAR(d->time, 0.5, 1e-12);
  const double end[STATES] = {d->qpos[0], d->qpos[1], d->qvel[0], d->qvel[1], d->act[0]};
  memcpy(state, end, sizeof(end));
  ct_data_free(d);
  ct_model_free(m);
}

static double error_of(int integrator, int steps, const double* exact) {
  double state[STATES], error = 0;
  swing(state, integrator, steps);
  for (int k = 0; k < STATES; k++) error = fmax(error, fabs(state[k] - exact[k]));
  return error;
}

// Halving the step divides the error by 2^order.
static void expect_order(int integrator, int steps, double order, const double* exact) {
  double ratio = error_of(integrator, steps, exact) / error_of(integrator, 2 * steps, exact);
  XT_NEAR(log2(ratio), order, 0.1);
}

XT_TEST(order, is_four_for_rk4_and_one_for_the_others) {
  double exact[STATES];
  swing(exact, CT_INT_RK4, 4096);
  // the filter is 0.5 (1 - exp(-t / 0.2))
  XT_NEAR(exact[4], 0.5 * (1 - exp(-2.5)), 1e-11);
  expect_order(CT_INT_RK4, 32, 4, exact);
  expect_order(CT_INT_EULER, 512, 1, exact);
  expect_order(CT_INT_IMPLICIT, 512, 1, exact);
  expect_order(CT_INT_IMPLICITFAST, 512, 1, exact);
}

// All agree on the motion, not only each with itself.
XT_TEST(order, all_integrators_go_to_the_same_motion) {
  double exact[STATES];
  swing(exact, CT_INT_RK4, 512);
  XT_TRUE(error_of(CT_INT_EULER, 20000, exact) < 2e-4);
  XT_TRUE(error_of(CT_INT_IMPLICIT, 20000, exact) < 2e-4);
  XT_TRUE(error_of(CT_INT_IMPLICITFAST, 20000, exact) < 2e-4);
}

// A top without torque, moments a, a, b: it turns about its axis while that turns about the angular momentum.
static void exact_top(double quat[4], double a, double b, const double w[3], double t) {
  double L[3] = {a * w[0] / a, a * w[1] / a, b * w[2] / a};  // over a
  double rate = sqrt(L[0] * L[0] + L[1] * L[1] + L[2] * L[2]), own = (1 - b / a) * w[2] * t / 2;
  double c = cos(rate * t / 2), s = sin(rate * t / 2) / rate, co = cos(own), so = sin(own);
  const double p[4] = {c, s * L[0], s * L[1], s * L[2]};
  quat[0] = p[0] * co - p[3] * so;
  quat[1] = p[1] * co + p[2] * so;
  quat[2] = p[2] * co - p[1] * so;
  quat[3] = p[3] * co + p[0] * so;
}

// Steps that turn by less and by more than a hundredth: small and large angles have formulas of their own.
XT_TEST(order, of_rk4_holds_for_tops_at_any_angle) {
  const double w[3] = {2, -1.5, 3}, step[3] = {0.002, 0.01, 0.04};
  for (int k = 0; k < 3; k++) {
    ctModel* m = xt_load_string(
        "<mujoco><option integrator='RK4'><flag gravity='disable'/></option><worldbody><body><joint "
        "type='ball'/>"
        "<inertial pos='0 0 0' mass='1' diaginertia='.02 .02 .039'/></body></worldbody></mujoco>");
    m->opt.timestep = step[k];
    ctData* d = xt_data(m);
    for (int i = 0; i < 3; i++) d->qvel[i] = w[i];
    int n = (int)lround(0.4 / step[k]);
    for (int i = 0; i < n; i++) XT_INT(ct_step(m, d), CT_OK);
    double exact[4];
    exact_top(exact, 0.02, 0.039, w, 0.4);
    // errors are about (h w)^4 / 100
    XT_CLOSE(d->qpos, exact, 4, 1e-13 + pow(3.9 * step[k], 4) / 50, "orientation");
    ct_data_free(d);
    ct_model_free(m);
  }
}
#endif

// ---- positions ----

XT_TEST(positions, of_balls_turn_by_the_angle_of_their_velocity) {
  ctModel* m = xt_load_string(
      "<mujoco><worldbody><body><joint type='ball'/><geom size='.1'/></body></worldbody></mujoco>");
  ctReal quat[4] = {1, 0, 0, 0}, vel[3] = {0, 3, 0}, back[3];
  // 0.2 s at 3 rad/s about y
  XT_INT(ct_pos_integrate(m, vel, (ctReal)0.2, quat), CT_OK);
  const double expected[4] = {cos(0.3), 0, sin(0.3), 0};
  XT_CLOSE(quat, expected, 4, TOL, "quaternion");
  XT_INT(ct_pos_differentiate(m, m->qpos0, quat, (ctReal)0.2, back), CT_OK);
  XT_CLOSE(back, vel, 3, XT_TOL(1e-13, 1e-5), "velocity");
  // about a local axis: a second turn about the body's own z
  ctReal about_z[3] = {0, 0, (ctReal)1.5};
  XT_INT(ct_pos_integrate(m, about_z, 1, quat), CT_OK);
  const double c = cos(0.75), s = sin(0.75);
  const double both[4] = {cos(0.3) * c, sin(0.3) * s, sin(0.3) * c, cos(0.3) * s};
  XT_CLOSE(quat, both, 4, TOL, "two turns");
  ct_model_free(m);
}

XT_TEST(positions, of_free_bodies_fall_by_the_new_velocity) {
  ctModel* m = xt_load_string(
      "<mujoco><option timestep='0.01' gravity='0 0 -10'/><worldbody><body pos='0 0 3'><freejoint/>"
      "<geom size='.1'/></body></worldbody></mujoco>");
  ctData* d = xt_data(m);
  d->qvel[0] = 2;
  const int n = 50;
  for (int k = 0; k < n; k++) XT_INT(ct_step(m, d), CT_OK);
  // semi-implicit: sum of k g h^2
  XT_NEAR(d->qpos[2], 3 - 10 * 1e-4 * n * (n + 1) / 2, XT_TOL(1e-12, 1e-4));
  XT_NEAR(d->qpos[0], 2 * 0.01 * n, XT_TOL(1e-12, 1e-5));
  XT_NEAR(d->qvel[2], -10 * 0.01 * n, XT_TOL(1e-12, 1e-5));
  ct_data_free(d);
  ct_model_free(m);
}

// ---- activations ----

static double activation(const char* attributes, double start, double ctrl, int steps) {
  char text[700];
  snprintf(text, sizeof(text),
           "<mujoco><option timestep='0.01'/><worldbody><body><joint name='j' type='slide'/><geom "
           "size='.1'/></body>"
           "</worldbody><actuator><general joint='j' %s/></actuator></mujoco>",
           attributes);
  ctModel* m = xt_load_string(text);
  ctData* d = xt_data(m);
  d->act[0] = (ctReal)start;
  d->ctrl[0] = (ctReal)ctrl;
  for (int k = 0; k < steps; k++) XT_INT(ct_step(m, d), CT_OK);
  double act = (double)d->act[0];
  ct_data_free(d);
  ct_model_free(m);
  return act;
}

XT_TEST(activations, integrate_filter_and_saturate) {
  XT_NEAR(activation("dyntype='integrator'", 0.1, 3, 10), 0.1 + 3 * 0.1, XT_TOL(1e-14, 1e-6));
  // Euler: the distance shrinks by 1 - h / t; exact: by exp(-h / t)
  XT_NEAR(activation("dyntype='filter' dynprm='0.05'", 0, 2, 10), 2 * (1 - pow(1 - 0.2, 10)),
          XT_TOL(1e-14, 1e-6));
  XT_NEAR(activation("dyntype='filterexact' dynprm='0.05'", 0, 2, 10), 2 * (1 - exp(-2)),
          XT_TOL(1e-13, 1e-6));
  XT_NEAR(activation("dyntype='integrator' actlimited='true' actrange='-1 0.25'", 0, 3, 10), 0.25, 0);
}

// ---- bad numbers, halves ----

XT_TEST(halves, are_a_step_for_every_integrator_but_rk4) {
  ctModel* m = xt_load("tests/models/constraint/mixed.xml");
  const int integrators[] = {CT_INT_EULER, CT_INT_IMPLICIT, CT_INT_IMPLICITFAST};
  for (int k = 0; k < 3; k++) {
    m->opt.integrator = integrators[k];
    ctData *whole = xt_data(m), *halves = xt_data(m);
    for (int i = 0; i < 20; i++) {
      XT_INT(ct_step(m, whole), CT_OK);
      XT_INT(ct_step1(m, halves), CT_OK);
      XT_INT(ct_step2(m, halves), CT_OK);
    }
    XT_TRUE(whole->ncon > 0);
    XT_SAME(whole->qpos, halves->qpos, m->nq);
    XT_SAME(whole->qvel, halves->qvel, m->nv);
    ct_data_free(halves);
    ct_data_free(whole);
  }
  ct_model_free(m);
}

XT_MAIN()
