// Joints, limits, motors and couplings of the kit.
#include "corten/corten.h"

#include "base/fn.h"
#include "xt.h"

enum { MOST_Q = 7, MOST_V = 6 };

static ctKitJoint joint_of(int kind) {
  ctKitJoint j = {kind, {CT_R(0.6), 0, CT_R(0.8)}, {0, 1, 0}};
  return j;
}

static void random_position(const ctKitJoint* j, ctReal q[MOST_Q], xtRng* rng) {
  int nq = ct_kit_joint_nq(j->kind);
  xt_random_vec(q, nq, rng);
  if (j->kind == CT_KIT_JOINT_SPHERICAL) xt_random_quat(q, rng);
  if (j->kind == CT_KIT_JOINT_FREE) xt_random_quat(q + 3, rng);
}

XT_TEST(joint, difference_undoes_integration) {
  xtRng rng = xt_rng(1);
  for (int kind = 0; kind < CT_KIT_JOINT_COUNT; kind++) {
    ctKitJoint j = joint_of(kind);
    for (int i = 0; i < 50; i++) {
      ctReal q[MOST_Q], v[MOST_V], to[MOST_Q], back[MOST_V];
      random_position(&j, q, &rng);
      xt_random_vec(v, MOST_V, &rng);
      XT_INT(ct_kit_joint_integrate(&j, q, v, 1, to), CT_OK);
      XT_INT(ct_kit_joint_difference(&j, q, to, back), CT_OK);
      XT_CLOSE(back, v, ct_kit_joint_nv(kind), XT_TOL(1e-13, 2e-6), "velocity");
    }
  }
}

// A constant twist is a screw: for joints that move on one, integration is the exponential map.
XT_TEST(joint, integration_is_the_exponential_map_where_the_subspace_is_constant) {
  const int kinds[] = {CT_KIT_JOINT_REVOLUTE, CT_KIT_JOINT_PRISMATIC, CT_KIT_JOINT_CYLINDRICAL,
                       CT_KIT_JOINT_SPHERICAL};
  xtRng rng = xt_rng(2);
  for (int n = 0; n < 4; n++) {
    ctKitJoint j = joint_of(kinds[n]);
    for (int i = 0; i < 50; i++) {
      ctReal q[MOST_Q], v[MOST_V], to[MOST_Q];
      ctKitPose from, end, screw;
      ctKitTwist t;
      random_position(&j, q, &rng);
      xt_random_vec(v, MOST_V, &rng);
      ct_kit_joint_pose(&j, q, &from);
      ct_kit_joint_twist(&j, q, v, &t);
      ct_kit_pose_exp(&from, &t, CT_R(0.7), &screw);
      ct_kit_joint_integrate(&j, q, v, CT_R(0.7), to);
      ct_kit_joint_pose(&j, to, &end);
      ct_kit_pose_log(&screw, &end, &t);
      for (int k = 0; k < 3; k++) {
        XT_NEAR(t.angular[k], 0, XT_TOL(1e-13, 1e-5));
        XT_NEAR(t.linear[k], 0, XT_TOL(1e-13, 1e-5));
      }
    }
  }
}

XT_TEST(joint, subspace_is_the_derivative_of_the_pose) {
  xtRng rng = xt_rng(3);
  const double e = XT_TOL(1e-6, 1e-2);
  for (int kind = 0; kind < CT_KIT_JOINT_COUNT; kind++) {
    ctKitJoint j = joint_of(kind);
    for (int i = 0; i < 20; i++) {
      ctReal q[MOST_Q], v[MOST_V], ahead[MOST_Q], behind[MOST_Q];
      ctKitPose p0, p1, here;
      ctKitTwist t, ta, tb;
      random_position(&j, q, &rng);
      xt_random_vec(v, MOST_V, &rng);
      ct_kit_joint_integrate(&j, q, v, (ctReal)e, ahead);
      ct_kit_joint_integrate(&j, q, v, (ctReal)-e, behind);
      XT_INT(ct_kit_joint_pose(&j, q, &here), CT_OK);
      ct_kit_joint_pose(&j, ahead, &p1);
      ct_kit_joint_pose(&j, behind, &p0);
      ct_kit_pose_log(&here, &p1, &ta);
      ct_kit_pose_log(&here, &p0, &tb);
      XT_INT(ct_kit_joint_twist(&j, q, v, &t), CT_OK);
      for (int k = 0; k < 3; k++) {
        XT_NEAR(t.angular[k], (ta.angular[k] - tb.angular[k]) / (ctReal)(2 * e), XT_TOL(1e-8, 1e-3));
        XT_NEAR(t.linear[k], (ta.linear[k] - tb.linear[k]) / (ctReal)(2 * e), XT_TOL(1e-8, 1e-3));
      }
    }
  }
}

XT_TEST(joint, rate_is_the_derivative_of_the_subspace) {
  xtRng rng = xt_rng(4);
  const double e = XT_TOL(1e-6, 1e-2);
  for (int kind = 1; kind < CT_KIT_JOINT_COUNT; kind++) {
    ctKitJoint j = joint_of(kind);
    const int nv = ct_kit_joint_nv(kind);
    for (int i = 0; i < 20; i++) {
      ctReal q[MOST_Q], v[MOST_V], moved[MOST_Q], S0[36], S1[36], rate[36];
      random_position(&j, q, &rng);
      xt_random_vec(v, MOST_V, &rng);
      ct_kit_joint_integrate(&j, q, v, (ctReal)e, moved);
      ct_kit_joint_subspace(&j, moved, S1);
      ct_kit_joint_integrate(&j, q, v, (ctReal)-e, moved);
      ct_kit_joint_subspace(&j, moved, S0);
      XT_INT(ct_kit_joint_subspace_rate(&j, q, v, rate), CT_OK);
      for (int k = 0; k < 6 * nv; k++)
        XT_NEAR(rate[k], (S1[k] - S0[k]) / (ctReal)(2 * e), XT_TOL(1e-8, 1e-3));
    }
  }
}

// Every kind expands to joints that put the body where the kit puts it.
XT_TEST(joint, moves_as_its_joints_in_the_engine) {
  xtRng rng = xt_rng(5);
  for (int kind = 0; kind < CT_KIT_JOINT_COUNT; kind++) {
    ctKitJoint j = joint_of(kind);
    ctSpec* spec = NULL;
    ctModel* m = NULL;
    ctData* d = NULL;
    ctElement* body = NULL;
    const char* geom[] = {"size", "0.1", NULL};
    XT_INT(ct_spec_create(&spec, NULL, NULL), CT_OK);
    XT_INT(ct_spec_add(&body, spec, ct_spec_world(spec), "body", NULL, NULL), CT_OK);
    XT_INT(ct_spec_add(NULL, spec, body, "geom", geom, NULL), CT_OK);
    XT_INT(ct_kit_joint_to_spec(&j, spec, body, "j", NULL), CT_OK);
    XT_INT(ct_model_compile(&m, spec, NULL), CT_OK);
    XT_INT(ct_data_create(&d, m, NULL), CT_OK);
    XT_INT(m->nq, ct_kit_joint_nq(kind));
    XT_INT(m->nv, ct_kit_joint_nv(kind));
    for (int i = 0; i < 10; i++) {
      ctKitPose pose;
      random_position(&j, d->qpos, &rng);
      XT_INT(ct_kit_joint_pose(&j, d->qpos, &pose), CT_OK);
      ct_forward(m, d);
      XT_CLOSE(d->xpos + 3, pose.pos, 3, XT_TOL(1e-14, 1e-6), "position");
      XT_CLOSE(d->xquat + 4, pose.quat, 4, XT_TOL(1e-14, 1e-6), "rotation");
    }
    ct_data_free(d);
    ct_model_free(m);
    ct_spec_free(spec);
  }
}

// A slide against its stop, on its own, by the engine and by the kit.
XT_TEST(limit, pushes_as_hard_as_in_the_engine) {
  const char* text =
      "<mujoco><option gravity='0 0 -9.81' tolerance='0' iterations='100'/><worldbody><body>"
      "<joint name='z' type='slide' axis='0 0 1' limited='true' range='-0.1 0.2'/>"
      "<geom size='0.1' mass='2'/></body></worldbody></mujoco>";
  ctModel* m = NULL;
  ctData* d = NULL;
  XT_INT(ct_model_load_string(&m, text, strlen(text), NULL, NULL), CT_OK);
  XT_INT(ct_data_create(&d, m, NULL), CT_OK);
  ctKitLimit limit;
  ct_kit_limit_default(&limit);
  limit.lower = CT_R(-0.1);
  limit.upper = CT_R(0.2);
  const double at[][2] = {{-0.1005, -0.2}, {-0.12, 0.1}, {0.2003, 0.5}, {0.1, 1}};
  for (int i = 0; i < 4; i++) {
    ctReal force;
    d->qpos[0] = (ctReal)at[i][0];
    d->qvel[0] = (ctReal)at[i][1];
    ct_forward(m, d);
    XT_INT(
        ct_kit_limit_force(&limit, d->qpos[0], d->qvel[0], CT_R(-9.81), CT_R(0.5), m->opt.timestep, &force),
        CT_OK);
    XT_NEAR(force, d->qfrc_constraint[0], XT_TOL(1e-8, 2e-2));
  }
  ct_data_free(d);
  ct_model_free(m);
}

XT_TEST(limit, reversed_or_without_numbers_is_refused) {
  ctKitLimit limit;
  ctReal force;
  ct_kit_limit_default(&limit);
  XT_INT(ct_kit_limit_check(&limit), CT_OK);
  limit.lower = 1;
  limit.upper = -1;
  XT_INT(ct_kit_limit_force(&limit, 0, 0, 0, 1, 0, &force), CT_ERR_INVALID);
  limit.upper = (ctReal)NAN;
  XT_INT(ct_kit_limit_check(&limit), CT_ERR_INVALID);
}

XT_TEST(motor, reaches_its_target_within_its_limits) {
  ctKitMotor motor = {CT_KIT_MOTOR_SERVO, CT_R(1.5), 200, 20, 50, CT_R(0.8)};
  double x = 0, v = 0, fastest = 0, hardest = 0;
  for (int i = 0; i < 20000; i++) {
    ctReal f;
    XT_INT(ct_kit_motor_force(&motor, (ctReal)x, (ctReal)v, &f, NULL), CT_OK);
    v += 1e-3 * (double)f;
    x += 1e-3 * v;
    fastest = fmax(fastest, fabs(v));
    hardest = fmax(hardest, fabs((double)f));
  }
  XT_NEAR(x, 1.5, XT_TOL(1e-9, 1e-4));
  XT_TRUE(fastest <= 0.8 + 1e-6);
  XT_TRUE(hardest <= 50);
}

XT_TEST(motor, derivatives_are_those_of_the_force) {
  const double e = XT_TOL(1e-6, 1e-2);
  for (int mode = 0; mode < CT_KIT_MOTOR_COUNT; mode++) {
    ctKitMotor motor = {mode, CT_R(0.5), 30, 4, 100, CT_R(2)};
    for (double x = -1; x < 1; x += 0.17) {
      ctReal f, by[2], more, less;
      ct_kit_motor_force(&motor, (ctReal)x, CT_R(0.3), &f, by);
      ct_kit_motor_force(&motor, (ctReal)(x + e), CT_R(0.3), &more, NULL);
      ct_kit_motor_force(&motor, (ctReal)(x - e), CT_R(0.3), &less, NULL);
      XT_NEAR(by[0], (more - less) / (ctReal)(2 * e), XT_TOL(1e-6, 0.05));
      ct_kit_motor_force(&motor, (ctReal)x, (ctReal)(0.3 + e), &more, NULL);
      ct_kit_motor_force(&motor, (ctReal)x, (ctReal)(0.3 - e), &less, NULL);
      XT_NEAR(by[1], (more - less) / (ctReal)(2 * e), XT_TOL(1e-6, 0.05));
    }
  }
}

XT_TEST(motor, that_makes_no_sense_is_refused) {
  ctReal f;
  ctKitMotor motor = {CT_KIT_MOTOR_SERVO, 0, 1, 0, 1, 1};  // a servo divides by its damping
  XT_INT(ct_kit_motor_force(&motor, 0, 0, &f, NULL), CT_ERR_INVALID);
  motor = (ctKitMotor){99, 0, 1, 1, 1, 1};
  XT_INT(ct_kit_motor_check(&motor), CT_ERR_INVALID);
  motor = (ctKitMotor){CT_KIT_MOTOR_POSITION, 0, -1, 1, 1, 1};
  XT_INT(ct_kit_motor_check(&motor), CT_ERR_INVALID);
}

XT_TEST(joint, that_makes_no_sense_is_refused) {
  ctKitJoint j = {CT_KIT_JOINT_REVOLUTE, {0, 0, 2}, {0, 0, 0}};
  ctReal q = 0;
  ctKitPose pose;
  XT_INT(ct_kit_joint_check(&j), CT_ERR_INVALID);
  j = (ctKitJoint){CT_KIT_JOINT_PLANAR, {0, 0, 1}, {0, 0, 1}};
  XT_INT(ct_kit_joint_check(&j), CT_ERR_INVALID);
  j = (ctKitJoint){-1, {0, 0, 1}, {0, 1, 0}};
  XT_INT(ct_kit_joint_check(&j), CT_ERR_INVALID);
  j = (ctKitJoint){CT_KIT_JOINT_REVOLUTE, {0, 0, 1}, {0, 0, 0}};
  XT_INT(ct_kit_joint_pose(&j, NULL, &pose), CT_ERR_ARGUMENT);
  q = (ctReal)INFINITY;
  XT_INT(ct_kit_joint_pose(&j, &q, &pose), CT_ERR_INVALID);
}

XT_TEST(state, moves_with_its_velocity_after_it_was_accelerated) {
  xtRng rng = xt_rng(17);
  for (int kind = 0; kind < CT_KIT_JOINT_COUNT; kind++) {
    ctKitJoint j = joint_of(kind);
    const int nv = ct_kit_joint_nv(kind), nq = ct_kit_joint_nq(kind);
    ctKitJointState s;
    ctReal acceleration[CT_KIT_NV], q[CT_KIT_NQ], v[CT_KIT_NV];
    XT_INT(ct_kit_joint_state_zero(&j, &s), CT_OK);
    xt_random_vec(s.velocity, nv, &rng);
    xt_random_vec(acceleration, nv, &rng);
    for (int k = 0; k < nv; k++) v[k] = s.velocity[k] + CT_R(0.01) * acceleration[k];
    XT_INT(ct_kit_joint_integrate(&j, s.position, v, CT_R(0.01), q), CT_OK);
    XT_INT(ct_kit_joint_state_step(&j, &s, acceleration, CT_R(0.01)), CT_OK);
    XT_SAME(s.velocity, v, nv);
    XT_SAME(s.position, q, nq);
  }
}

// A unit of mass on every number of the joint, driven to a random place.
XT_TEST(drive, brings_every_kind_of_joint_to_its_target) {
  xtRng rng = xt_rng(18);
  for (int kind = 0; kind < CT_KIT_JOINT_COUNT; kind++) {
    for (int mode = CT_KIT_MOTOR_POSITION; mode <= CT_KIT_MOTOR_SERVO; mode++) {
      ctKitJoint j = joint_of(kind);
      const int nv = ct_kit_joint_nv(kind);
      const ctKitMotor motor = {CT_KIT_MOTOR_OFF, 0, 40, 20, 50, 2};
      ctKitJointState s;
      ctKitJointCommand c;
      ctReal there[CT_KIT_NV], force[CT_KIT_NV], left[CT_KIT_NV];
      XT_INT(ct_kit_joint_state_zero(&j, &s), CT_OK);
      xt_random_vec(there, nv, &rng);
      XT_INT(ct_kit_joint_command_hold(&j, &s, mode, &c), CT_OK);
      XT_INT(ct_kit_joint_drive(&j, &motor, &s, &c, force, NULL), CT_OK);
      for (int k = 0; k < nv; k++) XT_NEAR(force[k], 0, 0);  // it is there
      XT_INT(ct_kit_joint_integrate(&j, s.position, there, 1, c.position), CT_OK);
      for (int i = 0; i < 4000; i++) {
        XT_INT(ct_kit_joint_drive(&j, &motor, &s, &c, force, NULL), CT_OK);
        for (int k = 0; k < nv; k++) XT_TRUE(force[k] >= -50 && force[k] <= 50);
        XT_INT(ct_kit_joint_state_step(&j, &s, force, CT_R(2e-3)), CT_OK);
      }
      XT_INT(ct_kit_joint_difference(&j, s.position, c.position, left), CT_OK);
      for (int k = 0; k < nv; k++) XT_NEAR(left[k], 0, XT_TOL(1e-5, 1e-4));
    }
  }
}

XT_TEST(drive, of_a_single_number_is_its_motor_with_what_is_added) {
  const ctKitJoint j = {CT_KIT_JOINT_PRISMATIC, {1, 0, 0}, {0, 1, 0}};
  ctKitMotor motor = {CT_KIT_MOTOR_OFF, 0, 30, 5, 100, 1};
  ctKitJointState s = {{CT_R(0.2)}, {CT_R(0.4)}};
  ctKitJointCommand c = {CT_KIT_MOTOR_OFF, {CT_R(0.5)}, {CT_R(0.1)}, {7}};
  ctReal force, by[2];
  const double expected[CT_KIT_MOTOR_COUNT] = {0, 7, 5 * (0.1 - 0.4) + 7, 30 * 0.3 - 5 * 0.3 + 7,
                                               5 * (1 - 0.3) + 7};
  const double slopes[CT_KIT_MOTOR_COUNT][2] = {{0, 0}, {0, 0}, {0, -5}, {-30, -5}, {0, -5}};
  for (c.mode = 0; c.mode < CT_KIT_MOTOR_COUNT; c.mode++) {
    XT_INT(ct_kit_joint_drive(&j, &motor, &s, &c, &force, by), CT_OK);
    XT_NEAR(force, expected[c.mode], XT_TOL(1e-12, 1e-4));
    XT_NEAR(by[0], slopes[c.mode][0], 0);
    XT_NEAR(by[1], slopes[c.mode][1], 0);
  }
  c.mode = CT_KIT_MOTOR_FORCE;
  motor.max_force = 3;
  XT_INT(ct_kit_joint_drive(&j, &motor, &s, &c, &force, NULL), CT_OK);
  XT_NEAR(force, 3, 0);
  c.mode = CT_KIT_MOTOR_COUNT;
  XT_INT(ct_kit_joint_drive(&j, &motor, &s, &c, &force, NULL), CT_ERR_INVALID);
  c.mode = CT_KIT_MOTOR_POSITION;
  c.position[0] = (ctReal)NAN;
  XT_INT(ct_kit_joint_drive(&j, &motor, &s, &c, &force, NULL), CT_ERR_INVALID);
  XT_INT(ct_kit_joint_drive(&j, &motor, NULL, &c, &force, NULL), CT_ERR_ARGUMENT);
  XT_INT(ct_kit_joint_state_step(&j, &s, &force, -1), CT_ERR_INVALID);
}

XT_TEST(coupling, gradient_of_connect_is_its_difference) {
  xtRng rng = xt_rng(6);
  const double e = XT_TOL(1e-6, 1e-2);
  ctKitPose p[2];
  ctReal anchor[2][3], r0[3], r1[3], g[36];
  for (int b = 0; b < 2; b++) {
    xt_random_vec(p[b].pos, 3, &rng);
    xt_random_quat(p[b].quat, &rng);
    xt_random_vec(anchor[b], 3, &rng);
  }
  ct_kit_connect(&p[0], anchor[0], &p[1], anchor[1], r0, g);
  for (int k = 0; k < 12; k++) {
    for (int side = 0; side < 2; side++) {
      // a world twist of one body: its origin moves, and it turns about that
      ctKitPose moved[2] = {p[0], p[1]};
      ctKitPose* m = &moved[k / 6];
      double step = side ? -e : e;
      ctKitPose turn = {{0, 0, 0}, {1, 0, 0, 0}}, about;
      ctKitTwist t = {{0, 0, 0}, {0, 0, 0}};
      (k % 6 < 3 ? t.angular : t.linear)[k % 3] = 1;
      ct_kit_pose_exp(&turn, &t, (ctReal)step, &turn);
      about = *m;
      about.pos[0] = about.pos[1] = about.pos[2] = 0;
      ct_kit_pose_mul(&turn, &about, &about);
      for (int x = 0; x < 3; x++) about.pos[x] += m->pos[x];
      *m = about;
      ct_kit_connect(&moved[0], anchor[0], &moved[1], anchor[1], side ? r0 : r1, NULL);
    }
    for (int x = 0; x < 3; x++) XT_NEAR(g[12 * x + k], (r1[x] - r0[x]) / (ctReal)(2 * e), XT_TOL(1e-8, 1e-3));
  }
}

XT_TEST(coupling, gears_differentials_and_networks_are_linear_or_polynomial) {
  const ctReal poly[5] = {CT_R(0.1), 2, CT_R(-0.5), CT_R(0.25), CT_R(0.125)};
  ctReal g[3], residual[2], grad[6];
  XT_NEAR(ct_kit_gear(poly, CT_R(1.975), 1, g), 0, XT_TOL(1e-15, 1e-6));
  XT_NEAR(g[1], -(2 - 1 + 0.75 + 0.5), XT_TOL(1e-15, 1e-6));
  XT_NEAR(ct_kit_differential(3, 6, 1, 3, g), 0, 0);
  XT_NEAR(g[0] + g[1] + g[2], -2, 0);
  // two tendons over one pulley: what one gives the other takes
  const ctReal weight[4] = {1, 1, 1, -1}, length[2] = {CT_R(0.4), CT_R(0.6)}, rest[2] = {1, 0};
  const ctReal jac[6] = {1, 0, 2, -1, 0, 3};
  XT_INT(ct_kit_network(2, 2, 3, weight, length, rest, jac, residual, grad), CT_OK);
  XT_NEAR(residual[0], 0, XT_TOL(1e-15, 1e-7));
  XT_NEAR(residual[1], -0.2, XT_TOL(1e-15, 1e-7));
  const ctReal expected[6] = {0, 0, 5, 2, 0, -1};
  XT_CLOSE(grad, expected, 6, 0, "gradient");
}

XT_MAIN()
