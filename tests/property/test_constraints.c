// Contact and friction against the mechanics of textbooks, without another engine.
#include "xt_model.h"

#define G 9.81

// A body on a plane that is tilted by turning gravity.
static ctModel* on_incline(const char* geom, double angle, int cone) {
  char text[700];
  snprintf(
      text, sizeof(text),
      "<mujoco><option timestep='.001' impratio='100' gravity='%.17g 0 %.17g'/><worldbody>"
      "<geom type='plane' size='50 50 .1' friction='.5'/><body><freejoint/>%s</body></worldbody></mujoco>",
      G * sin(angle), -G * cos(angle), geom);
  ctModel* m = xt_load_string(text);
  m->opt.cone = cone;
  return m;
}

static double speed_after(const ctModel* m, double height, double start, double seconds, double* distance) {
  ctData* d = xt_data(m);
  d->qpos[2] = (ctReal)height;
  d->qvel[0] = (ctReal)start;
  int steps = (int)(seconds / (double)m->opt.timestep + 0.5);
  for (int k = 0; k < steps; k++) XT_INT(ct_step(m, d), CT_OK);
  xt_no_warnings(d);
  double speed = (double)d->qvel[0];
  if (distance) *distance = (double)d->qpos[0];
  ct_data_free(d);
  return speed;
}

#define BLOCK "<geom type='box' size='.2 .2 .02' friction='.5'/>"

// friction .5 holds up to a slope of .5: tried 1 % below and 1 % above
static void expect_friction_angle(int cone) {
  double below = atan(0.495), above = atan(0.505);
  ctModel* m = on_incline(BLOCK, below, cone);
  XT_NEAR(speed_after(m, 0.02, 0, 1, NULL), 0, 2e-3);
  ct_model_free(m);
  m = on_incline(BLOCK, above, cone);
  XT_NEAR(speed_after(m, 0.02, 0, 1, NULL), G * (sin(above) - 0.5 * cos(above)), 3e-3);
  ct_model_free(m);
}
XT_TEST(constraints, block_slips_at_the_friction_angle_elliptic) {
  expect_friction_angle(CT_CONE_ELLIPTIC);
}
XT_TEST(constraints, block_slips_at_the_friction_angle_pyramidal) {
  expect_friction_angle(CT_CONE_PYRAMIDAL);
}

XT_TEST(constraints, sphere_rolls_at_five_sevenths) {
  double angle = 0.2, expected = 5.0 / 7 * G * sin(angle);
  for (int cone = 0; cone < 2; cone++) {
    ctModel* m = on_incline("<geom type='sphere' size='.1' friction='.5'/>", angle, cone);
    XT_NEAR(speed_after(m, 0.1, 0, 1, NULL), expected, 0.01 * expected);
    ct_model_free(m);
  }
}

XT_TEST(constraints, block_stops_at_the_coulomb_distance) {
  double start = 2, expected = start * start / (2 * 0.5 * G), distance;
  for (int cone = 0; cone < 2; cone++) {
    ctModel* m = on_incline(BLOCK, 0, cone);
    XT_NEAR(speed_after(m, 0.02, start, 1, &distance), 0, 2e-3);
    XT_NEAR(distance, expected, 0.01 * expected);
    ct_model_free(m);
  }
}

// Softness lets a block creep down a slope that friction holds; noslip stops it.
XT_TEST(constraints, noslip_stops_creep) {
  ctModel* m = on_incline(BLOCK, atan(0.4), CT_CONE_ELLIPTIC);
  m->opt.impratio = 1;
  double creep = fabs(speed_after(m, 0.02, 0, 1, NULL));
  m->opt.noslip_iterations = 50;
  m->opt.noslip_tolerance = 0;
  double held = fabs(speed_after(m, 0.02, 0, 1, NULL));
  XT_TRUE(creep > 1e-4);
  XT_TRUE(held < 0.01 * creep);
  ct_model_free(m);
}

// The optimality conditions hold at the last step: the balance to the tolerance of the solver (1e-8 of the
// trace of M, of the order of ten times the largest force here), the forces to the root of it.
static void expect_solved(const ctModel* m, ctData* d) {
  ctReal balance, force;
  XT_INT(ct_kkt_residual(m, d, &balance, &force), CT_OK);
  XT_NEAR(balance, 0, XT_TOL(1e-7, 1e-3));
  XT_NEAR(force, 0, XT_TOL(1e-3, 1e-1));
}

// A stack stands for a minute: nothing slides out, nothing sinks.
XT_TEST(constraints, stack_of_boxes_stands) {
  char text[4000] = "<mujoco><worldbody><geom type='plane' size='5 5 .1'/>";
  for (int i = 0; i < 10; i++) {
    char body[200];
    snprintf(body, sizeof(body), "<body pos='0 0 %g'><freejoint/><geom type='box' size='.1 .1 .1'/></body>",
             0.1 + 0.2 * i);
    strcat(text, body);
  }
  strcat(text, "</worldbody></mujoco>");
  ctModel* m = xt_load_string(text);
  ctData* d = xt_data(m);
  for (int k = 0; k < 30000; k++) XT_INT(ct_step(m, d), CT_OK);
  xt_no_warnings(d);
  XT_INT(d->nisland, 1);
  for (int i = 0; i < 10; i++) {
    XT_NEAR(d->qpos[7 * i], 0, 1e-3);
    XT_NEAR(d->qpos[7 * i + 1], 0, 1e-3);
    XT_NEAR(d->qpos[7 * i + 2], 0.1 + 0.2 * i, 0.03);
  }
  expect_solved(m, d);
  ct_data_free(d);
  ct_model_free(m);
}

// Five balls in a row with small gaps; springs without damping between them. Momentum stays through every
// step, and the last ball leaves with the speed of the first: one oscillation of a spring after another, each
// cut at the step where it lets go, which costs a part of the energy.
XT_TEST(constraints, cradle_hands_momentum_on) {
  char text[2500] =
      "<mujoco><option timestep='1e-4' gravity='0 0 0'/><default><geom size='.05' mass='2' condim='1' "
      "solref='-1e6 0' solimp='.9999 .9999 .001'/></default><worldbody>";
  for (int i = 0; i < 5; i++) {
    char body[200];
    snprintf(body, sizeof(body), "<body pos='%g 0 0'><joint type='slide' axis='1 0 0'/><geom/></body>",
             0.102 * i);
    strcat(text, body);
  }
  strcat(text, "</worldbody></mujoco>");
  ctModel* m = xt_load_string(text);
  ctData* d = xt_data(m);
  d->qvel[0] = 1;
  bool touched = false;
  for (int k = 0; k < 2000; k++) {
    XT_INT(ct_step(m, d), CT_OK);
    double momentum = 0;
    for (int i = 0; i < 5; i++) momentum += 2 * (double)d->qvel[i];
    XT_NEAR(momentum, 2, XT_TOL(1e-8, 1e-3));
    if (d->ncon > 0) expect_solved(m, d);
    touched = touched || d->ncon > 0;
  }
  xt_no_warnings(d);
  XT_TRUE(touched);
  XT_NEAR(d->qvel[4], 1, 0.05);
  for (int i = 0; i < 4; i++) XT_NEAR(d->qvel[i], 0, 0.05);
  ct_data_free(d);
  ct_model_free(m);
}

// Crank, coupler and rocker whose loop a constraint closes. Softness lets the ends part by what it takes to
// carry the weight: acceleration times the part (1 - d) that the constraint gives way, over its stiffness.
XT_TEST(constraints, four_bar_stays_closed) {
  ctModel* m = xt_load_string(
      "<mujoco><option integrator='implicitfast'/><default><geom type='capsule' size='.01' contype='0' "
      "conaffinity='0'/></default><worldbody>"
      "<body><joint name='crank' axis='0 1 0'/><geom fromto='0 0 0 0 0 .2'/>"
      "<body pos='0 0 .2'><joint axis='0 1 0'/><geom fromto='0 0 0 .5 0 .1'/>"
      "<body name='end' pos='.5 0 .1'><geom size='.01 .01'/></body></body></body>"
      "<body name='rocker' pos='.5 0 0'><joint axis='0 1 0'/><geom fromto='0 0 0 0 0 .3'/></body>"
      "</worldbody><equality><connect body1='end' body2='rocker' anchor='0 0 0'/></equality>"
      "<actuator><velocity joint='crank' kv='5'/></actuator></mujoco>");
  ctData* d = xt_data(m);
  double worst = 0;
  for (int k = 0; k < 5000; k++) {
    d->ctrl[0] = (ctReal)(3 * fmin(1, k / 500.0));  // the crank is the shortest bar: it goes round
    XT_INT(ct_step(m, d), CT_OK);
    XT_INT(d->ne, 3);
    double error = 0;
    for (int i = 0; i < 3; i++) error += (double)(d->efc_pos[i] * d->efc_pos[i]);
    worst = fmax(worst, sqrt(error));
    if (k % 100 == 0) expect_solved(m, d);
  }
  xt_no_warnings(d);
  XT_TRUE(fabs((double)d->qpos[0]) > 20);  // it did turn
  XT_NEAR(worst, 0, 1e-3);
  ct_data_free(d);
  ct_model_free(m);
}

XT_MAIN()
