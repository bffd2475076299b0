// Poses, twists, wrenches and masses of the kit.
#include "corten/kit.h"

#include "base/fn.h"
#include "xt.h"

static ctKitPose random_pose(xtRng* rng) {
  ctKitPose p;
  xt_random_vec(p.pos, 3, rng);
  xt_random_quat(p.quat, rng);
  return p;
}

static void near_pose(const ctKitPose* a, const ctKitPose* b, double tol) {
  double dot = 0;
  for (int k = 0; k < 4; k++) dot += (double)a->quat[k] * (double)b->quat[k];
  XT_CLOSE(a->pos, b->pos, 3, tol, "position");
  for (int k = 0; k < 4; k++) XT_NEAR(a->quat[k], dot < 0 ? -b->quat[k] : b->quat[k], tol);
}

static ctKitMass random_mass(xtRng* rng) {
  ctKitMass m;
  ctReal size[3];
  for (int k = 0; k < 3; k++) size[k] = (ctReal)xt_uniform(rng, 0.2, 1);
  XT_INT(ct_kit_mass_box(size, 2, &m), CT_OK);
  ctKitPose p = random_pose(rng);
  XT_INT(ct_kit_mass_move(&p, &m, &m), CT_OK);
  return m;
}

XT_TEST(pose, times_its_inverse_is_nothing) {
  xtRng rng = xt_rng(1);
  const ctKitPose none = {{0, 0, 0}, {1, 0, 0, 0}};
  for (int i = 0; i < 100; i++) {
    ctKitPose p = random_pose(&rng), inverse, product;
    ct_kit_pose_inverse(&p, &inverse);
    ct_kit_pose_mul(&p, &inverse, &product);
    near_pose(&product, &none, XT_TOL(1e-14, 1e-6));
  }
}

XT_TEST(pose, log_undoes_exp) {
  xtRng rng = xt_rng(2);
  for (int i = 0; i < 300; i++) {
    ctKitPose p = random_pose(&rng), moved;
    ctKitTwist t, back;
    // from no angle through the change of series to large ones
    double scale = pow(10, xt_uniform(&rng, -6, 0.2));
    for (int k = 0; k < 3; k++) t.angular[k] = (ctReal)(scale * xt_uniform(&rng, -1, 1));
    xt_random_vec(t.linear, 3, &rng);
    ct_kit_pose_exp(&p, &t, 1, &moved);
    ct_kit_pose_log(&p, &moved, &back);
    XT_CLOSE(back.angular, t.angular, 3, XT_TOL(1e-13, 2e-5), "angular");
    XT_CLOSE(back.linear, t.linear, 3, XT_TOL(1e-11, 1e-4), "linear");
  }
}

XT_TEST(pose, exp_is_many_small_steps) {
  xtRng rng = xt_rng(3);
  ctKitPose p = random_pose(&rng), at_once, slowly = p;
  ctKitTwist t;
  xt_random_vec(t.angular, 3, &rng);
  xt_random_vec(t.linear, 3, &rng);
  ct_kit_pose_exp(&p, &t, 2, &at_once);
  for (int i = 0; i < 64; i++) ct_kit_pose_exp(&slowly, &t, (ctReal)2 / 64, &slowly);
  near_pose(&slowly, &at_once, XT_TOL(1e-13, 1e-5));
}

XT_TEST(wrench, power_is_the_same_in_every_frame) {
  xtRng rng = xt_rng(4);
  for (int i = 0; i < 100; i++) {
    ctKitPose p = random_pose(&rng);
    ctKitTwist t, outer, back;
    ctKitWrench w, outside, home;
    xt_random_vec((ctReal*)&t, 6, &rng);
    xt_random_vec((ctReal*)&w, 6, &rng);
    ct_kit_twist_out(&p, &t, &outer);
    ct_kit_wrench_out(&p, &w, &outside);
    XT_NEAR(ct_kit_power(&outer, &outside), ct_kit_power(&t, &w), XT_TOL(1e-13, 1e-5));
    ct_kit_twist_in(&p, &outer, &back);
    ct_kit_wrench_in(&p, &outside, &home);
    XT_CLOSE((ctReal*)&back, (ctReal*)&t, 6, XT_TOL(1e-13, 1e-5), "twist");
    XT_CLOSE((ctReal*)&home, (ctReal*)&w, 6, XT_TOL(1e-13, 1e-5), "wrench");
  }
}

XT_TEST(mass, of_two_halves_is_that_of_the_whole) {
  const ctReal whole[3] = {1, CT_R(0.5), CT_R(0.25)}, half[3] = {CT_R(0.5), CT_R(0.5), CT_R(0.25)};
  ctKitMass all, left, right, sum;
  XT_INT(ct_kit_mass_box(whole, 3, &all), CT_OK);
  XT_INT(ct_kit_mass_box(half, 3, &left), CT_OK);
  right = left;
  left.com[0] = CT_R(-0.5);
  right.com[0] = CT_R(0.5);
  XT_INT(ct_kit_mass_add(&left, &right, &sum), CT_OK);
  XT_CLOSE((ctReal*)&sum, (ctReal*)&all, 10, XT_TOL(1e-14, 1e-6), "mass");
}

XT_TEST(mass, principal_frame_gives_the_inertia_back) {
  xtRng rng = xt_rng(5);
  for (int i = 0; i < 50; i++) {
    ctKitMass m = random_mass(&rng), straight, back;
    ctKitPose frame;
    ctReal moments[3];
    XT_INT(ct_kit_mass_principal(&m, &frame, moments), CT_OK);
    XT_TRUE(moments[0] >= moments[1] && moments[1] >= moments[2]);
    straight = (ctKitMass){m.mass, {0, 0, 0}, {moments[0], moments[1], moments[2], 0, 0, 0}};
    XT_INT(ct_kit_mass_move(&frame, &straight, &back), CT_OK);
    XT_CLOSE((ctReal*)&back, (ctReal*)&m, 10, XT_TOL(1e-12, 1e-5), "mass");
  }
}

XT_TEST(mass, momentum_is_the_gradient_of_energy_for_any_frame) {
  xtRng rng = xt_rng(6);
  ctKitMass m = random_mass(&rng), moved;
  ctKitPose p = random_pose(&rng);
  ctKitTwist t, outer;
  ctKitWrench inside, outside;
  xt_random_vec((ctReal*)&t, 6, &rng);
  XT_INT(ct_kit_mass_momentum(&m, &t, &inside), CT_OK);
  XT_INT(ct_kit_mass_move(&p, &m, &moved), CT_OK);
  ct_kit_twist_out(&p, &t, &outer);
  XT_INT(ct_kit_mass_momentum(&moved, &outer, &outside), CT_OK);
  // twice the kinetic energy
  XT_NEAR(ct_kit_power(&outer, &outside), ct_kit_power(&t, &inside), XT_TOL(1e-13, 1e-4));
}

XT_TEST(rigid, free_body_keeps_its_momentum) {
  xtRng rng = xt_rng(7);
  ctKitMass m = random_mass(&rng), world;
  ctKitRigid body = {random_pose(&rng), {{1, 2, CT_R(-0.5)}, {CT_R(0.3), 0, 0}}};
  const ctKitWrench none = {{0, 0, 0}, {0, 0, 0}};
  ctKitWrench first = none, last = none;
  for (int i = 0; i <= 2000; i++) {
    ctKitPose turned = {{0, 0, 0}, {1, 0, 0, 0}};
    memcpy(turned.quat, body.pose.quat, sizeof(turned.quat));
    ct_kit_mass_move(&turned, &m, &world);
    ct_kit_mass_momentum(&world, &body.twist, &last);
    // about the origin of the world
    ctKitPose at = {{0, 0, 0}, {1, 0, 0, 0}};
    memcpy(at.pos, body.pose.pos, sizeof(at.pos));
    ct_kit_wrench_out(&at, &last, &last);
    if (i == 0) first = last;
    XT_INT(ct_kit_rigid_step(&body, &m, &none, CT_R(1e-4)), CT_OK);
  }
  // a step of first order over 0.2 s
  XT_CLOSE(last.force, first.force, 3, 5e-3, "momentum");
  XT_CLOSE(last.torque, first.torque, 3, 5e-3, "angular momentum");
}

XT_TEST(mass, that_no_body_has_is_refused) {
  ctKitMass good = {1, {0, 0, 0}, {1, 1, 1, 0, 0, 0}}, bad = good;
  XT_INT(ct_kit_mass_check(&good), CT_OK);
  bad.mass = -1;
  XT_INT(ct_kit_mass_check(&bad), CT_ERR_INVALID);
  XT_INT(ct_kit_mass_add(&good, &bad, &good), CT_ERR_INVALID);
  bad = good;
  bad.inertia[0] = 3;  // more than the other two together
  XT_INT(ct_kit_mass_check(&bad), CT_ERR_INVALID);
  bad = good;
  bad.com[1] = (ctReal)NAN;
  XT_INT(ct_kit_mass_check(&bad), CT_ERR_INVALID);
  XT_INT(ct_kit_mass_check(NULL), CT_ERR_ARGUMENT);
  const ctReal flat[3] = {1, 0, 1};
  XT_INT(ct_kit_mass_box(flat, 1, &bad), CT_ERR_INVALID);
}

XT_MAIN()
