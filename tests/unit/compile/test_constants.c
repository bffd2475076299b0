// What the compiler derives from a model at its reference configuration, beside analytic cases.
#include "xt_model.h"

#define TOL XT_TOL(1e-13, 2e-6)

XT_TEST(weights, of_a_free_ball_are_inverse_mass_and_inertia) {
  ctModel* m = xt_load_string(
      "<mujoco><worldbody><body><freejoint/><geom size='.2' mass='5'/></body></worldbody></mujoco>");
  double inertia = 0.4 * 5 * 0.04;
  XT_NEAR(m->body_invweight0[2], 1 / 5.0, TOL);
  XT_NEAR(m->body_invweight0[3], 1 / inertia, TOL / inertia);
  for (int k = 0; k < 6; k++) {
    double value = k < 3 ? 5 : inertia;
    XT_NEAR(m->dof_M0[k], value, TOL * value);
    XT_NEAR(m->dof_invweight0[k], 1 / value, TOL / value);
  }
  XT_INT(m->body_invweight0[0], 0);
  ct_model_free(m);
}

XT_TEST(weights, of_a_pendulum_are_those_of_its_lever) {
  // a ball of mass 2 at distance 0.5, and armature
  ctModel* m = xt_load_string(
      "<mujoco><worldbody><body><joint axis='0 1 0' armature='0.1'/><geom size='.1' mass='2' pos='0.5 0 0'/>"
      "</body></worldbody></mujoco>");
  double M = 0.4 * 2 * 0.01 + 2 * 0.25 + 0.1;
  XT_NEAR(m->dof_M0[0], M, TOL);
  XT_NEAR(m->dof_invweight0[0], 1 / M, TOL);
  // a third of the trace of J M^-1 J': one direction of three moves
  XT_NEAR(m->body_invweight0[2], 0.25 / M / 3, TOL);
  XT_NEAR(m->body_invweight0[3], 1 / M / 3, TOL);
  ct_model_free(m);
}

#define TWO_SLIDERS(inside, rest)                                                                      \
  "<mujoco>" inside                                                                                    \
  "<worldbody><body><joint name='a' type='slide'/><geom size='.1' mass='2'/></body><body pos='1 0 0'>" \
  "<joint name='b' type='slide'/><geom size='.1' mass='5'/></body></worldbody>" rest "</mujoco>"

XT_TEST(strengths, of_tendons_and_actuators) {
  ctModel* m = xt_load_string(TWO_SLIDERS(
      "",
      "<tendon><fixed name='t'><joint joint='a' coef='3'/><joint joint='b' coef='-1'/></fixed></tendon>"
      "<actuator><motor joint='a' gear='4'/><motor tendon='t' gear='2'/></actuator>"));
  XT_NEAR(m->tendon_invweight0[0], 9 / 2.0 + 1 / 5.0, TOL * 5);
  XT_NEAR(m->tendon_length0[0], 0, TOL);
  // |M^-1 moment|
  XT_NEAR(m->actuator_acc0[0], 4 / 2.0, TOL);
  XT_NEAR(m->actuator_acc0[1], sqrt(3.0 * 3 + 0.4 * 0.4), 5 * TOL);
  ct_model_free(m);
}

XT_TEST(statistics, of_masses_and_sizes) {
  ctModel* m = xt_load_string(TWO_SLIDERS("", ""));
  XT_NEAR(m->stat.meanmass, 3.5, TOL);
  XT_NEAR(m->stat.meaninertia, 3.5, TOL);
  XT_NEAR(m->body_subtreemass[0], 7, 7 * TOL);
  ct_model_free(m);
}

XT_TEST(update, follows_masses_that_were_changed) {
  ctModel* m = xt_load_string(TWO_SLIDERS("", "<actuator><motor joint='b'/></actuator>"));
  m->body_mass[2] = 20;
  XT_INT(ct_model_update(m, NULL), CT_OK);
  XT_NEAR(m->dof_invweight0[1], 0.05, TOL);
  XT_NEAR(m->dof_invweight0[0], 0.5, TOL);
  XT_NEAR(m->actuator_acc0[0], 0.05, TOL);
  XT_NEAR(m->body_subtreemass[0], 22, 22 * TOL);
  ct_model_free(m);
}

XT_TEST(springs, of_time_constant_and_damping_ratio) {
  // 0.5 s and 0.7: stiffness M / (t z)^2, damping 2 M / t
  ctModel* m = xt_load_string(
      "<mujoco><worldbody><body><joint type='slide' springdamper='0.5 0.7'/><geom size='.1' mass='3'/></body>"
      "</worldbody></mujoco>");
  XT_NEAR(m->jnt_stiffness[0], 3 / (0.35 * 0.35), 30 * TOL);
  XT_NEAR(m->dof_damping[0], 2 * 3 / 0.5, 30 * TOL);
  // its motion decays as asked: the amplitude of x'' + 2/t x' + x/(t z)^2 falls by exp(-1) in t
  ctData* d = xt_data(m);
  m->opt.timestep = (ctReal)1e-4;
  m->opt.gravity[2] = 0;
  d->qpos[0] = 1;
  double w = sqrt(1 / (0.35 * 0.35) - 4), t = 0.5;
  for (int i = 0; i < 5000; i++) XT_INT(ct_step(m, d), CT_OK);
  double x = exp(-2 * t) * (cos(w * t) + 2 / w * sin(w * t));
  XT_NEAR(d->qpos[0], x, XT_TOL(2e-4, 5e-4));
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(servos, of_a_damping_ratio_are_critical_at_one) {
  ctModel* m =
      xt_load_string(TWO_SLIDERS("", "<actuator><position joint='b' kp='20' dampratio='1'/></actuator>"));
  // kv = 2 sqrt(kp M)
  XT_NEAR(m->actuator_biasprm[1], -20, 20 * TOL);
  XT_NEAR(m->actuator_biasprm[2], -2 * sqrt(20 * 5.0), 40 * TOL);
  ct_model_free(m);
}

XT_TEST(length_range, of_limited_joints_and_tendons_is_that_of_their_limits) {
  ctModel* m = xt_load_string(
      "<mujoco><compiler angle='radian'><lengthrange uselimit='true'/></compiler><worldbody><body><joint "
      "name='j' "
      "type='slide' limited='true' range='-.3 .5'/><geom size='.1'/></body></worldbody>"
      "<tendon><fixed name='t' limited='true' range='-.2 .9'><joint joint='j' coef='2'/></fixed></tendon>"
      "<actuator><muscle joint='j'/><muscle tendon='t'/></actuator></mujoco>");
  const double expected[4] = {-0.3, 0.5, -0.2, 0.9};
  XT_CLOSE(m->actuator_lengthrange, expected, 4, TOL, "length range");
  ct_model_free(m);
}

XT_TEST(length_range, without_limits_is_found_by_pulling) {
  // two sites, one of them on an arm of 0.3 about a hinge 1 away: from 0.7 to 1.3
  ctModel* m = xt_load_string(
      "<mujoco><worldbody><site name='s'/><body pos='1 0 0'><joint name='j' axis='0 0 1' damping='0.1'/>"
      "<geom size='.05' pos='.3 0 0' mass='1'/><site name='e' pos='0 .3 0'/></body></worldbody><tendon>"
      "<spatial name='t'><site site='s'/><site site='e'/></spatial></tendon><actuator><muscle tendon='t'/>"
      "</actuator></mujoco>");
  XT_NEAR(m->actuator_lengthrange[0], 0.7, 1e-3);
  XT_NEAR(m->actuator_lengthrange[1], 1.3, 1e-3);
  ct_model_free(m);
}

XT_TEST(keyframes, hold_what_they_are_given_and_the_default_elsewhere) {
  ctModel* m = xt_load_string(
      "<mujoco><worldbody><body name='m' mocap='true' pos='1 2 3'/><body pos='0 0 .4'><freejoint/><geom "
      "size='.1'/>"
      "</body><body><joint name='j' ref='20'/><geom size='.1'/></body></worldbody><actuator><motor "
      "joint='j'/>"
      "</actuator><keyframe><key name='empty'/><key name='full' time='2' qpos='1 2 3 0 2 0 0 .5' qvel='1 2 3 "
      "4 5 6 "
      "7' ctrl='9' mpos='4 5 6' mquat='0 0 3 4'/></keyframe></mujoco>");
  XT_INT(m->nkey, 2);
  XT_SAME(m->key_qpos, m->qpos0, m->nq);
  for (int i = 0; i < m->nv; i++) XT_INT(m->key_qvel[i], 0);
  XT_NEAR(m->key_mpos[2], 3, 0);
  XT_NEAR(m->key_time[0], 0, 0);
  // the second: quaternions are of unit length
  const double qpos[8] = {1, 2, 3, 0, 1, 0, 0, 0.5}, mquat[4] = {0, 0, 0.6, 0.8};
  XT_CLOSE(m->key_qpos + 8, qpos, 8, TOL, "qpos");
  XT_CLOSE(m->key_mquat + 4, mquat, 4, TOL, "mquat");
  ctData* d = xt_data(m);
  XT_INT(ct_data_reset_keyframe(m, d, ct_model_name2id(m, CT_OBJ_KEY, "full")), CT_OK);
  XT_CLOSE(d->qpos, qpos, 8, TOL, "qpos of the data");
  for (int i = 0; i < 7; i++) XT_NEAR(d->qvel[i], i + 1, 0);
  XT_NEAR(d->time, 2, 0);
  XT_NEAR(d->ctrl[0], 9, 0);
  XT_NEAR(d->mocap_pos[1], 5, 0);
  XT_INT(ct_data_reset_keyframe(m, d, 2), CT_ERR_ARGUMENT);
  ct_data_free(d);
  ct_model_free(m);
}

XT_MAIN()
