#include "math/quat.h"

#include "xt.h"

#define TOL  CT_R(XT_TOL(4e-15, 2e-6))  // a handful of roundings of numbers of size 1
#define PATH CT_R(XT_TOL(1e-12, 2e-4))  // a few hundred of them

XT_TEST(quat, identity_rotates_exactly) {
  ctReal q[4] = {1, 0, 0, 0}, v[3] = {1, -2, CT_R(0.3)}, r[3];
  cti_quat_rotate(r, q, v);
  XT_SAME(r, v, 3);
}

XT_TEST(quat, rotation_agrees_with_its_matrix) {
  xtRng rng = xt_rng(1);
  for (int i = 0; i < 500; i++) {
    ctReal q[4], m[9], v[3], by_quat[3], by_mat[3];
    xt_random_quat(q, &rng);
    xt_random_vec(v, 3, &rng);
    cti_quat_to_mat(m, q);
    cti_quat_rotate(by_quat, q, v);
    cti_mul_mat_vec3(by_mat, m, v);
    XT_CLOSE(by_quat, by_mat, 3, TOL, "rotated");
    XT_NEAR(cti_norm3(by_quat), cti_norm3(v), TOL);
  }
}

XT_TEST(quat, product_composes_rotations) {
  xtRng rng = xt_rng(2);
  for (int i = 0; i < 500; i++) {
    ctReal a[4], b[4], ab[4], v[3], together[3], apart[3];
    xt_random_quat(a, &rng);
    xt_random_quat(b, &rng);
    xt_random_vec(v, 3, &rng);
    cti_quat_mul(ab, a, b);
    cti_quat_rotate(together, ab, v);
    cti_quat_rotate(apart, b, v);
    cti_quat_rotate(apart, a, apart);
    XT_CLOSE(together, apart, 3, TOL, "rotated");
    cti_quat_mul(a, a, b);  // result in place of an operand
    XT_SAME(a, ab, 4);
  }
}

XT_TEST(quat, conjugate_is_the_inverse) {
  xtRng rng = xt_rng(3);
  ctReal q[4], c[4], r[4], unit[4] = {1, 0, 0, 0};
  xt_random_quat(q, &rng);
  cti_quat_conj(c, q);
  cti_quat_mul(r, q, c);
  XT_CLOSE(r, unit, 4, TOL, "q q*");
}

// q and -q are the same rotation
static void expect_same_rotation(const ctReal a[4], const ctReal b[4], ctReal tol) {
  ctReal sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
  for (int i = 0; i < 4; i++) XT_NEAR(a[i], sign * b[i], tol);
}

XT_TEST(quat, matrix_round_trip_in_every_branch) {
  xtRng rng = xt_rng(4);
  for (int i = 0; i < 1000; i++) {
    ctReal q[4], m[9], back[4];
    xt_random_quat(q, &rng);
    if (i % 2) q[0] *= CT_R(0.01);  // near half turns, where the trace is negative
    cti_normalize4(q);
    cti_quat_to_mat(m, q);
    cti_mat_to_quat(back, m);
    expect_same_rotation(back, q, CT_R(XT_TOL(1e-14, 4e-6)));
  }
  for (int axis = 0; axis < 3; axis++) {  // half turns about the axes, exact
    ctReal q[4] = {0, 0, 0, 0}, m[9], back[4];
    q[axis + 1] = 1;
    cti_quat_to_mat(m, q);
    cti_mat_to_quat(back, m);
    XT_SAME(back, q, 4);
  }
}

XT_TEST(quat, axis_angle_turns_right_handed) {
  ctReal z[3] = {0, 0, 1}, x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, q[4], r[3];
  cti_quat_axis_angle(q, z, CT_R(CTI_PI / 2));
  cti_quat_rotate(r, q, x);
  XT_CLOSE(r, y, 3, TOL, "x turned by 90 degrees");
}

XT_TEST(quat, normalize_keeps_unit_quaternions_and_replaces_zero) {
  ctReal unit[4] = {1, 0, 0, 0}, zero[4] = {0, 0, 0, 0}, q[4] = {CT_R(0.6), 0, CT_R(0.8), 0}, old[4];
  XT_NEAR(cti_normalize4(zero), 0, 0);
  XT_SAME(zero, unit, 4);
  cti_normalize4(q);
  cti_copy4(old, q);
  cti_normalize4(q);
  XT_SAME(q, old, 4);
}

XT_TEST(quat, velocity_takes_the_shorter_way) {
  ctReal axis[3] = {0, 0, 1}, q[4], v[3], expect[3] = {0, 0, CT_R(-CTI_PI / 2) / CT_R(0.5)};
  cti_quat_axis_angle(q, axis, CT_R(1.5 * CTI_PI));
  cti_quat_to_vel(v, q, CT_R(0.5));
  XT_CLOSE(v, expect, 3, TOL, "velocity");
  ctReal zero[3] = {0, 0, 0}, unit[4] = {1, 0, 0, 0}, minus[4] = {-1, 0, 0, 0};
  cti_quat_to_vel(v, unit, 1);
  XT_SAME(v, zero, 3);
  cti_quat_to_vel(v, minus, 1);
  XT_CLOSE(v, zero, 3, TOL, "velocity of -1");
}

XT_TEST(quat, difference_is_undone_by_integration) {
  xtRng rng = xt_rng(5);
  for (int i = 0; i < 500; i++) {
    ctReal a[4], b[4], r[3];
    xt_random_quat(a, &rng);
    xt_random_quat(b, &rng);
    cti_quat_sub(r, a, b);
    XT_TRUE(cti_norm3(r) <= CT_R(CTI_PI) * CT_R(1 + XT_TOL(1e-15, 1e-6)));
    cti_quat_integrate(b, r, 1);
    expect_same_rotation(b, a, TOL);
  }
}

XT_TEST(quat, small_steps_of_constant_velocity_add_up) {
  ctReal vel[3] = {CT_R(0.3), CT_R(-1.1), CT_R(0.7)}, axis[3], q[4], expect[4];
  cti_quat_unit(q);
  for (int i = 0; i < 200; i++) cti_quat_integrate(q, vel, CT_R(0.01));
  cti_copy3(axis, vel);
  ctReal speed = cti_normalize3(axis);
  cti_quat_axis_angle(expect, axis, 2 * speed);
  XT_CLOSE(q, expect, 4, PATH, "after 200 steps");
}

XT_TEST(quat, integration_without_velocity_only_normalises) {
  ctReal q[4] = {2, 0, 0, 0}, zero[3] = {0, 0, 0}, unit[4] = {1, 0, 0, 0};
  cti_quat_integrate(q, zero, 1);
  XT_SAME(q, unit, 4);
}

XT_TEST(quat, z_axis_is_taken_to_any_vector) {
  xtRng rng = xt_rng(6);
  ctReal z[3] = {0, 0, 1};
  for (int i = 0; i < 500; i++) {
    ctReal v[3], q[4], r[3];
    xt_random_vec(v, 3, &rng);
    cti_quat_z_to_vec(q, v);
    cti_normalize3(v);
    cti_quat_rotate(r, q, z);
    XT_CLOSE(r, v, 3, TOL, "z turned");
    XT_NEAR(q[3], 0, TOL);  // minimal: no spin about z
  }
}

XT_TEST(quat, z_to_vec_has_defined_special_cases) {
  ctReal unit[4] = {1, 0, 0, 0}, half[4] = {0, 1, 0, 0}, q[4];
  ctReal up[3] = {0, 0, 2}, down[3] = {0, 0, -3}, zero[3] = {0, 0, 0};
  cti_quat_z_to_vec(q, up);
  XT_SAME(q, unit, 4);
  cti_quat_z_to_vec(q, zero);
  XT_SAME(q, unit, 4);
  cti_quat_z_to_vec(q, down);
  XT_SAME(q, half, 4);
}

XT_MAIN()
