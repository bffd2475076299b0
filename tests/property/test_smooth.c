// Physics of the smooth stages that needs no reference: gradients, derivatives, orders of integrators, stiff
// systems.
#include "data/data.h"
#include "stage/derivative/velocity.h"
#include "step/step.h"
#include "xt_model.h"

// The models of this folder cover every kind of tendon, transmission, actuator and fluid.
static const char* const models[] = {
    "integrator_implicit", "tendon_fixed",       "tendon_spatial",           "tendon_pulley",
    "wrap_sphere",         "wrap_cylinder",      "wrap_sphere_side",         "wrap_cylinder_side",
    "transmission_site",   "transmission_joint", "transmission_slidercrank", "transmission_tendon",
    "fluid_ellipsoid",     "fluid_box",          "actuator_servo",           "actuator_muscle"};
#define MODELS ((int)(sizeof(models) / sizeof(models[0])))

static ctModel* load_smooth(const char* name) {
  char path[200];
  snprintf(path, sizeof(path), "tests/models/smooth/%s.xml", name);
  return xt_load(path);
}

static void random_state(const ctModel* m, ctData* d, xtRng* rng) {
  ct_data_reset(m, d);
  ctReal* step = calloc((size_t)m->nv, sizeof(ctReal));
  xt_random_vec(step, m->nv, rng);
  cti_integrate_pos(m, d->qpos, step, CT_R(0.5));
  xt_random_vec(d->qvel, m->nv, rng);
  xt_random_vec(d->ctrl, m->nu, rng);
  for (int i = 0; i < m->na; i++) d->act[i] = (ctReal)xt_uniform(rng, 0, 0.3);
  free(step);
}

// d/dt of lengths along the motion is gradient times velocity.
XT_TEST(smooth, gradients_of_tendons_and_actuators_are_rates_of_their_lengths) {
  xtRng rng = xt_rng(1);
  const double e = XT_TOL(1e-6, 1e-3);
  for (int i = 0; i < MODELS; i++) {
    ctModel* m = load_smooth(models[i]);
    ctData *d = xt_data(m), *ahead = xt_data(m), *behind = xt_data(m);
    random_state(m, d, &rng);
    XT_INT(ct_forward(m, d), CT_OK);
    ct_data_copy(m, d, ahead);
    ct_data_copy(m, d, behind);
    cti_integrate_pos(m, ahead->qpos, d->qvel, (ctReal)e);
    cti_integrate_pos(m, behind->qpos, d->qvel, (ctReal)-e);
    ct_forward(m, ahead);
    ct_forward(m, behind);
    for (int t = 0; t < m->ntendon; t++) {
      double rate = ((double)ahead->ten_length[t] - (double)behind->ten_length[t]) / (2 * e);
      XT_NEAR(d->ten_velocity[t], rate, XT_TOL(1e-7, 2e-2));
    }
    for (int k = 0; k < m->nactuator; k++) {
      // lengths of rotations about several axes, and of forces fixed to a site, are no potentials
      bool scalar = m->actuator_trntype[k] == CT_TRN_TENDON || m->actuator_trntype[k] == CT_TRN_SLIDERCRANK;
      int out = m->actuator_outadr[k];
      if (!scalar) continue;
      double rate = ((double)ahead->actuator_length[out] - (double)behind->actuator_length[out]) / (2 * e);
      XT_NEAR(d->actuator_velocity[out], rate, XT_TOL(1e-6, 5e-2) * fmax(1, fabs(rate)));
    }
    ct_data_free(behind);
    ct_data_free(ahead);
    ct_data_free(d);
    ct_model_free(m);
  }
}

// The next two need more digits than float has.
#ifndef CT_SINGLE
static void smooth_force(const ctModel* m, ctData* d, ctReal* out) {
  ct_forward(m, d);
  for (int i = 0; i < m->nv; i++) out[i] = d->qfrc_smooth[i];
}

// qDeriv is the derivative of the smooth force, where its pattern has room for it.
XT_TEST(smooth, velocity_slope_is_the_derivative_of_the_smooth_force) {
  // no coupling between branches, no motors with bristles: their slope is approximate by design
  const char* const exact[] = {"fluid_ellipsoid", "fluid_box", "springs_poly", "gyroscope",
                               "actuator_muscle"};
  xtRng rng = xt_rng(2);
  const double e = 1e-6;
  for (size_t i = 0; i < sizeof(exact) / sizeof(exact[0]); i++) {
    ctModel* m = load_smooth(exact[i]);
    ctData* d = xt_data(m);
    ctReal *hi = calloc((size_t)m->nv, sizeof(ctReal)), *lo = calloc((size_t)m->nv, sizeof(ctReal));
    random_state(m, d, &rng);
    ct_forward(m, d);
    XT_INT(cti_velocity_derivative(m, d, true), CT_OK);
    for (int j = 0; j < m->nv; j++) {
      ctReal v = d->qvel[j];
      d->qvel[j] = v + e;
      smooth_force(m, d, hi);
      d->qvel[j] = v - e;
      smooth_force(m, d, lo);
      d->qvel[j] = v;
      for (int r = 0; r < m->nv; r++) {
        for (int k = m->D_rowadr[r]; k < m->D_rowadr[r] + m->D_rownnz[r]; k++) {
          if (m->D_colind[k] == j)
            XT_NEAR(d->qDeriv[k], (hi[r] - lo[r]) / (2 * e), 1e-6 * fmax(1, fabs(d->qDeriv[k])));
        }
      }
    }
    free(lo);
    free(hi);
    ct_data_free(d);
    ct_model_free(m);
  }
}

// What a lone free body is stepped with is its block of the whole derivative; mass off the origin and welded
// on.
XT_TEST(smooth, slope_of_a_free_body_is_its_block_of_all) {
  ctModel* m = xt_load_string(
      "<mujoco><option density='1.2' viscosity='.1'/><worldbody><body pos='0 0 1' euler='10 20 "
      "30'><freejoint/>"
      "<geom type='box' size='.1 .2 .4' pos='.2 -.1 .3' euler='40 0 20'/>"
      "<body pos='.3 .1 0'><geom size='.1' density='3000'/></body></body></worldbody></mujoco>");
  ctData* d = xt_data(m);
  xtRng rng = xt_rng(7);
  for (int round = 0; round < 10; round++) {
    ctReal block[36];
    random_state(m, d, &rng);
    ct_forward(m, d);
    XT_INT(cti_velocity_derivative(m, d, false), CT_OK);
    cti_free_body_derivative(block, m, d, 0);
    XT_INT(cti_velocity_derivative(m, d, true), CT_OK);
    XT_CLOSE(block, d->qDeriv, 36, 1e-12, "slope");
  }
  ct_data_free(d);
  ct_model_free(m);
}

// Position of a torque-free asymmetric top after one second.
static void spin_top(ctReal quat[4], int integrator, double h) {
  ctModel* m = xt_load_string(
      "<mujoco><option><flag gravity='disable'/></option><worldbody><body><joint type='ball'/>"
      "<geom type='box' size='.1 .2 .4'/></body></worldbody></mujoco>");
  ctData* d = xt_data(m);
  m->opt.integrator = integrator;
  m->opt.timestep = (ctReal)h;
  d->qvel[0] = 1;
  d->qvel[1] = 2;
  d->qvel[2] = CT_R(-1.5);
  for (int i = 0; i < (int)lround(1 / h); i++) XT_INT(ct_step(m, d), CT_OK);
  memcpy(quat, d->qpos, 4 * sizeof(ctReal));
  ct_data_free(d);
  ct_model_free(m);
}

static double orientation_error(int integrator, double h, const ctReal exact[4]) {
  ctReal quat[4];
  spin_top(quat, integrator, h);
  double worst = 0;
  for (int k = 0; k < 4; k++) worst = fmax(worst, fabs((double)quat[k] - (double)exact[k]));
  return worst;
}

// Halving the step divides the error by 16, also for orientations.
XT_TEST(smooth, rk4_is_of_fourth_order_on_rotations_and_euler_of_first) {
  ctReal exact[4];
  spin_top(exact, CT_INT_RK4, 1.0 / 4096);
  double ratio4 =
      orientation_error(CT_INT_RK4, 1.0 / 32, exact) / orientation_error(CT_INT_RK4, 1.0 / 64, exact);
  XT_TRUE(ratio4 > 12 && ratio4 < 20);
  double ratio1 =
      orientation_error(CT_INT_EULER, 1.0 / 512, exact) / orientation_error(CT_INT_EULER, 1.0 / 1024, exact);
  XT_TRUE(ratio1 > 1.8 && ratio1 < 2.2);
}
#endif

// One step of a damped oscillator by hand: (m + h b + h^2 k) v+ = m v - h k x.
XT_TEST(smooth, spring_damper_integrator_solves_the_stated_equation) {
  ctModel* m = xt_load_string(
      "<mujoco><option timestep='0.01'><flag gravity='disable'/></option><worldbody><body>"
      "<joint type='slide' stiffness='300' damping='4' springref='0.1'/><geom size='.1' mass='2'/></body>"
      "</worldbody></mujoco>");
  ctData* d = xt_data(m);
  m->opt.integrator = CT_INT_SPRINGDAMPER;
  d->qpos[0] = CT_R(0.3);
  d->qvel[0] = CT_R(-0.5);
  XT_INT(ct_step(m, d), CT_OK);
  double v = (2 * -0.5 - 0.01 * 300 * (0.3 - 0.1)) / (2 + 0.01 * 4 + 0.0001 * 300);
  XT_NEAR(d->qvel[0], v, XT_TOL(1e-14, 1e-6));
  XT_NEAR(d->qpos[0], 0.3 + 0.01 * v, XT_TOL(1e-14, 1e-6));
  ct_data_free(d);
  ct_model_free(m);
}

// Springs thousands of times too stiff for the step: the semi-implicit step explodes, this one comes to rest.
XT_TEST(smooth, spring_damper_integrator_is_stable_at_any_stiffness) {
  const char* text =
      "<mujoco><option timestep='0.05'><flag gravity='disable'/></option><worldbody><body>"
      "<joint axis='0 1 0' stiffness='1e6' damping='1e3'/><geom type='capsule' fromto='0 0 0 1 0 0' "
      "size='.05' mass='1'/>"
      "<body pos='1 0 0'><joint axis='0 1 0' stiffness='1e6'/><geom size='.1' mass='1'/></body></body>"
      "</worldbody></mujoco>";
  ctModel* m = xt_load_string(text);
  ctData* d = xt_data(m);
  m->opt.integrator = CT_INT_SPRINGDAMPER;
  d->qpos[0] = CT_R(0.5);
  d->qpos[1] = CT_R(-0.4);
  for (int i = 0; i < 400; i++) XT_INT(ct_step(m, d), CT_OK);
  xt_no_warnings(d);
  XT_NEAR(d->qpos[0], 0, 1e-3);
  XT_NEAR(d->qpos[1], 0, 1e-3);
  ct_data_free(d);
  ct_model_free(m);
}

// A fast spinning asymmetric body under implicitfast does not gain energy.
XT_TEST(smooth, implicitfast_never_adds_energy_to_a_spinning_body) {
  ctModel* m = xt_load_string(
      "<mujoco><option integrator='implicitfast' timestep='0.01'><flag gravity='disable' "
      "energy='enable'/></option>"
      "<worldbody><body><freejoint/><geom type='box' size='.1 .2 .4'/></body></worldbody></mujoco>");
  ctData* d = xt_data(m);
  d->qvel[3] = 20;
  d->qvel[4] = 5;
  d->qvel[5] = 1;
  ct_forward(m, d);
  ct_energy_compute(m, d);
  double last = (double)d->energy[1];
  for (int i = 0; i < 500; i++) {
    XT_INT(ct_step(m, d), CT_OK);
    XT_TRUE((double)d->energy[1] <= last * (1 + XT_TOL(1e-12, 1e-5)));
    last = (double)d->energy[1];
  }
  ct_data_free(d);
  ct_model_free(m);
}

// Nothing but the arena is used in a step, and RK4 holds its scratch over four evaluations.
XT_TEST(smooth, every_integrator_leaves_the_arena_empty) {
  ctModel* m = load_smooth("actuator_servo");
  ctData* d = xt_data(m);
  for (int k = 0; k <= CT_INT_SPRINGDAMPER; k++) {
    if (k == CT_INT_DISCRETE) continue;
    m->opt.integrator = k;
    ct_data_reset(m, d);
    for (int i = 0; i < 3; i++) ct_step(m, d);
    XT_INT(cti_data(d)->pstack, 0);
    xt_no_warnings(d);
  }
  ct_data_free(d);
  ct_model_free(m);
}

XT_MAIN()
