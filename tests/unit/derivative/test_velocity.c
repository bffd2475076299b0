// The derivative of the smooth forces by velocity that implicit integration uses (qDeriv), beside finite
// differences: one kind of force at a time, so that none can hide behind another.
#include "xt_model.h"

#define MOST 16

// Everything is added to these two arms, each a chain of its own.
#define ARMS(option, attributes)                                                                  \
  "<mujoco>" option "<worldbody><body><joint name='a' axis='0 1 0' " attributes                   \
  "/><geom type='capsule' "                                                                       \
  "fromto='0 0 0 .5 0 0' size='.04'/><body pos='.5 0 0'><joint name='b' axis='1 1 0' " attributes \
  "/>"                                                                                            \
  "<geom type='box' size='.2 .03 .1' pos='.2 0 0'/><site name='s' pos='.4 0 .1'/></body></body></worldbody>"
#define NO_BIAS "<option gravity='0 0 0'/>"

// qDeriv equals the differences of qfrc_smooth, and where it has no room they are zero. Returns the largest
// element.
static double expect_derivative(ctModel* m, int integrator, double scale, const char* what) {
  ctData *d = xt_data(m), *at = xt_data(m);
  double F[MOST][MOST] = {{0}}, largest = 0;
  const double e = 1e-5;
  XT_TRUE(m->nv <= MOST);
  m->opt.integrator = integrator;
  for (int i = 0; i < m->nv; i++) d->qvel[i] = (ctReal)(scale * sin(2.0 + 3 * i));
  XT_INT(ct_pos_integrate(m, d->qvel, (ctReal)0.3, d->qpos), CT_OK);
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = (ctReal)(0.4 + 0.1 * i);
  for (int i = 0; i < m->na; i++) d->act[i] = (ctReal)(0.3 + 0.1 * i);
  for (int j = 0; j < m->nv; j++) {
    // central differences of fourth order
    const double part[4] = {1, -1, 2, -2}, weight[4] = {8, -8, -1, 1};
    for (int s = 0; s < 4; s++) {
      XT_INT(ct_data_copy(m, d, at), CT_OK);
      at->qvel[j] += part[s] * e;
      XT_INT(ct_forward(m, at), CT_OK);
      for (int r = 0; r < m->nv; r++) F[r][j] += weight[s] * at->qfrc_smooth[r] / (12 * e);
    }
  }
  XT_INT(ct_step(m, d), CT_OK);
  for (int r = 0; r < m->nv; r++) {
    bool has[MOST] = {0};
    for (int k = m->D_rowadr[r]; k < m->D_rowadr[r] + m->D_rownnz[r]; k++) {
      int c = m->D_colind[k];
      has[c] = true;
      if (!(fabs(d->qDeriv[k] - F[r][c]) <= 1e-8 * fmax(1, fabs(F[r][c]))))
        fail_msg("%s: (%d, %d) is %.12g, expected %.12g", what, r, c, d->qDeriv[k], F[r][c]);
      largest = fmax(largest, fabs(F[r][c]));
    }
    for (int c = 0; c < m->nv; c++) {
      if (!has[c] && fabs(F[r][c]) > 1e-8) fail_msg("%s: (%d, %d) has no room for %g", what, r, c, F[r][c]);
    }
  }
  ct_data_free(at);
  ct_data_free(d);
  return largest;
}

static void expect_of(const char* text, const char* what) {
  ctModel* m = xt_load_string(text);
  double largest = expect_derivative(m, CT_INT_IMPLICIT, 1, what);
  XT_TRUE(largest > 1e-3);  // the force is there
  ct_model_free(m);
}

XT_TEST(slope, of_damping_in_joints) {
  expect_of(ARMS(NO_BIAS, "damping='0.7'") "</mujoco>", "linear");
  expect_of(ARMS(NO_BIAS, "damping='0.7 0.3 0.1'") "</mujoco>", "polynomial");
}

XT_TEST(slope, of_damping_in_tendons) {
  expect_of(ARMS(NO_BIAS, "") "<tendon><fixed damping='0.6'><joint joint='a' coef='2'/><joint joint='b' coef='-1'/>"
                              "</fixed></tendon></mujoco>",
            "fixed");
  expect_of(ARMS(NO_BIAS, "") "<tendon><spatial damping='0.6'><site site='s'/><site site='w'/></spatial></tendon>"
                              "<worldbody><site name='w' pos='.2 .3 -.4'/></worldbody></mujoco>",
            "spatial");
}

XT_TEST(slope, of_actuators) {
  expect_of(ARMS(NO_BIAS, "") "<actuator><velocity joint='a' kv='2' gear='3'/></actuator></mujoco>",
            "velocity");
  expect_of(ARMS(NO_BIAS, "") "<actuator><general joint='b' gear='2' biastype='affine' biasprm='1 -2 -0.5' "
                              "gaintype='affine' gainprm='1 0.3 0.4'/></actuator></mujoco>",
            "affine gain");
  expect_of(ARMS(NO_BIAS, "") "<actuator><general joint='b' dyntype='filter' dynprm='0.1' biastype='affine' "
                              "biasprm='1 -2 -0.5' gaintype='affine' gainprm='1 0.3 0.4'/></actuator></mujoco>",
            "with activation");
  expect_of(
      ARMS(NO_BIAS, "") "<actuator><muscle joint='a' lengthrange='-2 2' force='30'/></actuator></mujoco>",
      "muscle");
  expect_of(ARMS(NO_BIAS, "") "<actuator><damper joint='a' kv='3' ctrlrange='0 1'/></actuator></mujoco>",
            "damper");
}

// An actuator at its limit of force does not feel the velocity.
XT_TEST(slope, of_actuators_at_their_limits_is_zero) {
  ctModel* m = xt_load_string(ARMS(
      NO_BIAS, "") "<actuator><velocity joint='a' kv='50' forcerange='-0.1 0.1'/>"
                   "</actuator></mujoco>");
  m->opt.gravity[2] = 0;
  // without bias force all that could be left is the actuator's
  ctData* d = xt_data(m);
  m->opt.integrator = CT_INT_IMPLICITFAST;
  d->qvel[0] = 1;
  XT_INT(ct_step(m, d), CT_OK);
  XT_NEAR(d->qDeriv[m->D_rowadr[0] + m->D_diag[0]], 0, 1e-15);
  d->ctrl[0] = d->qvel[0];
  m->actuator_forcerange[1] = 1000;
  m->actuator_forcerange[0] = -1000;
  XT_INT(ct_step(m, d), CT_OK);
  XT_NEAR(d->qDeriv[m->D_rowadr[0] + m->D_diag[0]], -50, 1e-12);
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(slope, of_the_bias_force) {
  expect_of(ARMS("", "") "</mujoco>", "arms");
  expect_of(
      "<mujoco><worldbody><body><freejoint/><geom type='box' size='.1 .2 .4' pos='.1 .1 0'/><body pos='0 0 "
      ".4'>"
      "<joint type='ball'/><geom type='capsule' fromto='0 0 0 .3 .1 0' size='.05'/></body></body></worldbody>"
      "</mujoco>",
      "free body with a ball joint");
}

XT_TEST(slope, of_the_fluid) {
  expect_of(ARMS("<option gravity='0 0 0' density='1.2' viscosity='0.02' wind='1 2 0.5'/>", "") "</mujoco>",
            "equivalent boxes");
  expect_of(ARMS("<default><geom fluidshape='ellipsoid'/></default><option gravity='0 0 0' density='20' "
                 "viscosity='0.1' wind='1 2 0.5'/>",
                 "") "</mujoco>",
            "ellipsoids");
}

// The fast kind leaves out the bias force and takes the symmetric part, and nothing else.
XT_TEST(slope, of_the_fast_kind_is_symmetric_and_without_bias) {
  ctModel* m = xt_load_string(ARMS(
      NO_BIAS, "damping='0.7'") "<tendon><fixed damping='0.6'><joint joint='a' "
                                "coef='2'/><joint joint='b' coef='-1'/></fixed></tendon>"
                                "</mujoco>");
  ctData* d = xt_data(m);
  m->opt.integrator = CT_INT_IMPLICITFAST;
  d->qvel[0] = 3;
  d->qvel[1] = -2;
  XT_INT(ct_step(m, d), CT_OK);
  const double expected[4] = {-0.7 - 0.6 * 4, 0.6 * 2, 0.6 * 2, -0.7 - 0.6};
  XT_INT(m->nD, 4);
  XT_CLOSE(d->qDeriv, expected, 4, 1e-14, "qDeriv");
  ct_data_free(d);
  ct_model_free(m);
}

// One implicit step solves (M - h F) (v+ - v) = h f with that F.
XT_TEST(slope, is_what_an_implicit_step_solves_with) {
  ctModel* m =
      xt_load_string(ARMS("<option timestep='0.02' density='1.2' viscosity='0.02'/>",
                          "damping='0.7'") "<actuator><velocity joint='a' kv='2'/></actuator></mujoco>");
  ctData *d = xt_data(m), *at = xt_data(m);
  m->opt.integrator = CT_INT_IMPLICIT;
  d->qvel[0] = 2;
  d->qvel[1] = -1;
  XT_INT(ct_data_copy(m, d, at), CT_OK);
  XT_INT(ct_forward(m, at), CT_OK);
  XT_INT(ct_step(m, d), CT_OK);
  ctReal M[4];
  XT_INT(ct_mass_full(m, at, M), CT_OK);
  for (int r = 0; r < 2; r++) {
    double left = 0;
    for (int c = 0; c < 2; c++)
      left += (M[2 * r + c] - 0.02 * d->qDeriv[m->D_rowadr[r] + c]) * (d->qvel[c] - at->qvel[c]);
    XT_NEAR(left, 0.02 * at->qfrc_smooth[r], 1e-14);
  }
  ct_data_free(at);
  ct_data_free(d);
  ct_model_free(m);
}

XT_MAIN()
