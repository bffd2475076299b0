// Masses and inertias of bodies beside the formulas of their shapes.
#include "xt_model.h"

#define PI  3.14159265358979323846
#define TOL XT_TOL(1e-13, 2e-6)

static ctModel* one_body(const char* inside) {
  char text[1500];
  snprintf(text, sizeof(text), "<mujoco><compiler angle='radian'/>%s</mujoco>", inside);
  return xt_load_string(text);
}

static int descending(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x < y) - (x > y);
}

// Mass, and principal moments in any order, of body 1; relative.
static void expect_within(double tol, const ctModel* m, double mass, double a, double b, double c) {
  double moment[3] = {(double)m->body_inertia[3], (double)m->body_inertia[4], (double)m->body_inertia[5]};
  double expected[3] = {a, b, c};
  qsort(moment, 3, sizeof(double), descending);
  qsort(expected, 3, sizeof(double), descending);
  XT_NEAR(m->body_mass[1], mass, tol * mass);
  for (int k = 0; k < 3; k++) XT_NEAR(moment[k], expected[k], tol * expected[0]);
}

static void expect(const ctModel* m, double mass, double a, double b, double c) {
  expect_within(TOL, m, mass, a, b, c);
}

static void expect_geom(const char* attributes, double mass, double a, double b, double c) {
  char text[600];
  snprintf(text, sizeof(text), "<worldbody><body><joint/><geom %s/></body></worldbody>", attributes);
  ctModel* m = one_body(text);
  expect(m, mass, a, b, c);
  ct_model_free(m);
}

XT_TEST(inertia, of_solid_shapes) {
  const double density = 700;
  double mass = density * 4 / 3 * PI * pow(0.3, 3), i = 0.4 * mass * 0.3 * 0.3;
  expect_geom("type='sphere' size='.3' density='700'", mass, i, i, i);

  mass = density * 8 * 0.1 * 0.2 * 0.3;
  expect_geom("type='box' size='.1 .2 .3' density='700'", mass, mass / 3 * (0.04 + 0.09),
              mass / 3 * (0.01 + 0.09), mass / 3 * (0.01 + 0.04));

  mass = density * 4 / 3 * PI * 0.1 * 0.2 * 0.3;
  expect_geom("type='ellipsoid' size='.1 .2 .3' density='700'", mass, mass / 5 * (0.04 + 0.09),
              mass / 5 * (0.01 + 0.09), mass / 5 * (0.01 + 0.04));

  // radius r, half length h
  double r = 0.1, h = 0.25;
  mass = density * PI * r * r * 2 * h;
  i = mass * (3 * r * r + 4 * h * h) / 12;
  expect_geom("type='cylinder' size='.1 .25' density='700'", mass, i, i, mass * r * r / 2);

  // a cylinder and two half balls, whose centres of mass are 3/8 r above their bases
  double tube = density * PI * r * r * 2 * h, ball = density * 4 / 3 * PI * r * r * r;
  double across = tube * (3 * r * r + 4 * h * h) / 12 +
                  ball * (0.4 * r * r - 9.0 / 64 * r * r + (h + 3.0 / 8 * r) * (h + 3.0 / 8 * r));
  expect_geom("type='capsule' size='.1 .25' density='700'", tube + ball, across, across,
              tube * r * r / 2 + 0.4 * ball * r * r);
}

XT_TEST(inertia, of_a_given_mass_scales_the_shape) {
  expect_geom("type='box' size='.1 .2 .3' mass='3'", 3, 0.04 + 0.09, 0.01 + 0.09, 0.01 + 0.04);
}

XT_TEST(inertia, of_shells) {
  double mass = 900 * 4 * PI * 0.09, i = 2.0 / 3 * mass * 0.09;
  expect_geom("type='sphere' size='.3' density='900' shellinertia='true'", mass, i, i, i);

  // six faces: pairs of plates a x b at distance c from the middle
  const double s[3] = {0.1, 0.2, 0.3};
  double moment[3] = {0, 0, 0};
  mass = 0;
  for (int k = 0; k < 3; k++) {
    double a = s[(k + 1) % 3], b = s[(k + 2) % 3], pair = 2 * 900 * 4 * a * b;
    mass += pair;
    moment[k] += pair * (a * a + b * b) / 3;
    moment[(k + 1) % 3] += pair * (b * b / 3 + s[k] * s[k]);
    moment[(k + 2) % 3] += pair * (a * a / 3 + s[k] * s[k]);
  }
  expect_geom("type='box' size='.1 .2 .3' density='900' shellinertia='true'", mass, moment[0], moment[1],
              moment[2]);
}

XT_TEST(inertia, of_several_geoms_is_about_their_common_centre) {
  // masses 1 and 3, 0.8 apart along a slanted line: the centre is at 3/4 of it
  ctModel* m = one_body(
      "<worldbody><body><joint/><geom size='.1' mass='1'/><geom size='.1' mass='3' pos='.48 0 .64'/></body>"
      "</worldbody>");
  XT_NEAR(m->body_ipos[3], 0.36, TOL);
  XT_NEAR(m->body_ipos[5], 0.48, TOL);
  double own = 0.4 * 4 * 0.01, lever = 1 * 3 / 4.0 * 0.64;
  expect(m, 4, own + lever, own + lever, own);
  // the axis without lever lies along the line
  ctData* d = xt_data(m);
  XT_INT(ct_forward(m, d), CT_OK);
  int axis = 0;
  for (int k = 1; k < 3; k++) axis = m->body_inertia[3 + k] < m->body_inertia[3 + axis] ? k : axis;
  const ctReal* mat = d->ximat + 9;
  XT_NEAR(fabs((double)mat[axis] * 0.6 + (double)mat[6 + axis] * 0.8), 1, XT_TOL(1e-12, 1e-5));
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(inertia, of_a_mesh_is_that_of_the_solid) {
  // a box of half sizes .1 .2 .3 away from the origin; vertices are floats of order one
  ctModel* m = one_body(
      "<asset><mesh name='box' vertex='.9 .8 .7 1.1 .8 .7 .9 1.2 .7 1.1 1.2 .7 .9 .8 1.3 1.1 .8 1.3 .9 1.2 "
      "1.3 "
      "1.1 1.2 1.3'/></asset><worldbody><body><joint/><geom type='mesh' mesh='box' "
      "mass='3'/></body></worldbody>");
  expect_within(1e-6, m, 3, 0.04 + 0.09, 0.01 + 0.09, 0.01 + 0.04);
  ctData* d = xt_data(m);
  XT_INT(ct_forward(m, d), CT_OK);
  for (int k = 0; k < 3; k++) XT_NEAR(d->xipos[3 + k], 1, XT_TOL(1e-7, 1e-6));
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(inertia, given_in_full_is_turned_to_its_axes) {
  // 2 and 1 turned by 45 degrees about z: both diagonals 1.5, the product of inertia 0.5
  ctModel* m = one_body(
      "<worldbody><body><joint/><inertial pos='0 0 0' mass='1' fullinertia='1.5 1.5 1.2 0.5 0 0'/></body>"
      "</worldbody>");
  expect(m, 1, 2, 1.2, 1);
  ctData* d = xt_data(m);
  XT_INT(ct_forward(m, d), CT_OK);
  // R diag R' is what was given
  const double full[9] = {1.5, 0.5, 0, 0.5, 1.5, 0, 0, 0, 1.2};
  const ctReal* mat = d->ximat + 9;
  for (int i = 0; i < 9; i++) {
    double sum = 0;
    for (int k = 0; k < 3; k++)
      sum += (double)mat[i / 3 * 3 + k] * (double)m->body_inertia[3 + k] * (double)mat[i % 3 * 3 + k];
    XT_NEAR(sum, full[i], XT_TOL(1e-13, 1e-5));
  }
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(inertia, bounds_and_totals_of_the_compiler) {
  ctModel* m = one_body(
      "<compiler boundmass='2' boundinertia='0.5'/><worldbody><body><joint/><geom size='.1' mass='1'/></body>"
      "</worldbody>");
  expect(m, 2, 0.5, 0.5, 0.5);
  ct_model_free(m);
  m = one_body(
      "<compiler settotalmass='6'/><worldbody><body><joint/><geom size='.1' mass='1'/></body><body>"
      "<joint/><geom size='.2' mass='3'/></body></worldbody>");
  expect(m, 1.5, 0.006, 0.006, 0.006);
  XT_NEAR(ct_model_total_mass(m), 6, 6 * TOL);
  ct_model_free(m);
}

XT_TEST(bounds, of_shapes_hold_them_tightly) {
  ctModel* m = one_body(
      "<worldbody><geom type='sphere' size='.3'/><geom type='capsule' size='.1 .25'/><geom type='box' "
      "size='.1 "
      ".2 .3'/><geom type='cylinder' size='.3 .4'/><geom type='ellipsoid' size='.1 .2 .3'/></worldbody>");
  const double radius[5] = {0.3, 0.35, sqrt(0.14), 0.5, 0.3};
  const double half[5][3] = {
      {0.3, 0.3, 0.3}, {0.1, 0.1, 0.35}, {0.1, 0.2, 0.3}, {0.3, 0.3, 0.4}, {0.1, 0.2, 0.3}};
  for (int g = 0; g < 5; g++) {
    XT_NEAR(m->geom_rbound[g], radius[g], TOL);
    for (int k = 0; k < 3; k++) XT_NEAR(m->geom_aabb[6 * g + k], 0, TOL);
    for (int k = 0; k < 3; k++) XT_NEAR(m->geom_aabb[6 * g + 3 + k], half[g][k], TOL);
  }
  ct_model_free(m);
}

XT_MAIN()
