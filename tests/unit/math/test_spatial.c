#include "math/spatial.h"

#include "xt.h"

#define TOL CT_R(XT_TOL(1e-14, 1e-5))  // sums of up to six products of numbers of size 1

static ctReal dot6(const ctReal a[6], const ctReal b[6]) {
  return cti_dot3(a, b) + cti_dot3(a + 3, b + 3);
}

XT_TEST(spatial, motion_cross_vanishes_on_itself) {
  xtRng rng = xt_rng(1);
  ctReal v[6], r[6], zero[6] = {0, 0, 0, 0, 0, 0};
  xt_random_vec(v, 6, &rng);
  cti_cross_motion(r, v, v);
  XT_CLOSE(r, zero, 6, TOL, "v x v");
}

XT_TEST(spatial, motion_cross_satisfies_the_jacobi_identity) {
  xtRng rng = xt_rng(2);
  ctReal a[6], b[6], c[6], t[6], sum[6], part[6], zero[6] = {0, 0, 0, 0, 0, 0};
  xt_random_vec(a, 6, &rng);
  xt_random_vec(b, 6, &rng);
  xt_random_vec(c, 6, &rng);
  cti_cross_motion(t, b, c);
  cti_cross_motion(sum, a, t);
  cti_cross_motion(t, c, a);
  cti_cross_motion(part, b, t);
  cti_add_to6(sum, part);
  cti_cross_motion(t, a, b);
  cti_cross_motion(part, c, t);
  cti_add_to6(sum, part);
  XT_CLOSE(sum, zero, 6, TOL, "cyclic sum");
}

XT_TEST(spatial, force_cross_is_dual_to_motion_cross) {
  // power of f on m does not change when both are carried along: (v x m) . f + m . (v x* f) = 0
  xtRng rng = xt_rng(3);
  for (int i = 0; i < 200; i++) {
    ctReal v[6], m[6], f[6], vm[6], vf[6];
    xt_random_vec(v, 6, &rng);
    xt_random_vec(m, 6, &rng);
    xt_random_vec(f, 6, &rng);
    cti_cross_motion(vm, v, m);
    cti_cross_force(vf, v, f);
    XT_NEAR(cti_dot6(vm, f) + cti_dot6(m, vf), 0, TOL);
    XT_NEAR(cti_dot6(vm, f), dot6(vm, f), TOL);
  }
}

// A rigid body as three pairs of points on its principal axes, which have the moments given.
typedef struct Cloud {
  ctReal pos[6][3], mass[6];
} Cloud;

static Cloud cloud_of(const ctReal diag[3], const ctReal mat[9], const ctReal centre[3], ctReal mass) {
  Cloud cloud;
  ctReal half = (diag[0] + diag[1] + diag[2]) / 2;
  for (int axis = 0; axis < 3; axis++) {
    // second moment along the axis, carried by a third of the mass
    ctReal reach = cti_sqrt((half - diag[axis]) / (mass / 3));
    for (int side = 0; side < 2; side++) {
      int p = 2 * axis + side;
      ctReal s = side ? -reach : reach;
      for (int k = 0; k < 3; k++) cloud.pos[p][k] = centre[k] + s * mat[3 * k + axis];
      cloud.mass[p] = mass / 6;
    }
  }
  return cloud;
}

XT_TEST(spatial, inertia_times_motion_is_the_momentum_of_the_points) {
  xtRng rng = xt_rng(4);
  for (int i = 0; i < 100; i++) {
    ctReal q[4], mat[9], offset[3], v[6], inertia[10], momentum[6], expect[6] = {0, 0, 0, 0, 0, 0};
    ctReal diag[3] = {CT_R(0.5), CT_R(0.4), CT_R(0.3)}, mass = CT_R(1.7);
    xt_random_quat(q, &rng);
    cti_quat_to_mat(mat, q);
    xt_random_vec(offset, 3, &rng);
    xt_random_vec(v, 6, &rng);
    Cloud cloud = cloud_of(diag, mat, offset, mass);
    for (int p = 0; p < 6; p++) {
      ctReal vel[3], moment[3];
      cti_cross3(vel, v, cloud.pos[p]);
      cti_add_to3(vel, v + 3);
      cti_scale3(vel, vel, cloud.mass[p]);
      cti_cross3(moment, cloud.pos[p], vel);
      cti_add_to3(expect, moment);
      cti_add_to3(expect + 3, vel);
    }
    cti_inertia_about(inertia, diag, mat, offset, mass);
    cti_inertia_mul(momentum, inertia, v);
    XT_CLOSE(momentum, expect, 6, TOL, "momentum");
  }
}

XT_TEST(spatial, inertias_about_one_point_add) {
  ctReal mat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, diag[3] = {0, 0, 0}, a[10], b[10];
  ctReal left[3] = {-1, 0, 0}, right[3] = {1, 0, 0}, expect[10] = {0, 2, 2, 0, 0, 0, 0, 0, 0, 2};
  cti_inertia_about(a, diag, mat, left, 1);
  cti_inertia_about(b, diag, mat, right, 1);
  for (int i = 0; i < 10; i++) a[i] += b[i];
  XT_CLOSE(a, expect, 10, 0, "dumbbell");
}

XT_TEST(spatial, hinge_motion_leaves_its_anchor_at_rest) {
  xtRng rng = xt_rng(5);
  ctReal axis[3], anchor[3], ref[3], offset[3], motion[6], at[6], zero[3] = {0, 0, 0};
  xt_random_vec(axis, 3, &rng);
  xt_random_vec(anchor, 3, &rng);
  xt_random_vec(ref, 3, &rng);
  cti_sub3(offset, ref, anchor);
  cti_motion_of_hinge(motion, axis, offset);
  cti_motion_shift(at, motion, anchor, ref);
  XT_SAME(at, axis, 3);
  XT_CLOSE(at + 3, zero, 3, TOL, "velocity of the anchor");
}

XT_TEST(spatial, slide_motion_is_the_same_at_every_point) {
  ctReal axis[3] = {0, 1, 0}, motion[6], at[6], here[3] = {1, 2, 3}, there[3] = {-4, 5, 6};
  cti_motion_of_slide(motion, axis);
  cti_motion_shift(at, motion, there, here);
  XT_SAME(at, motion, 6);
}

XT_TEST(spatial, shifting_there_and_back_is_nothing) {
  xtRng rng = xt_rng(6);
  ctReal v[6], a[3], b[3], there[6], back[6];
  xt_random_vec(v, 6, &rng);
  xt_random_vec(a, 3, &rng);
  xt_random_vec(b, 3, &rng);
  cti_motion_shift(there, v, b, a);
  cti_motion_shift(back, there, a, b);
  XT_CLOSE(back, v, 6, TOL, "motion");
  // a turn about z by 1 moves the point (1,0,0) along y
  ctReal spin[6] = {0, 0, 1, 0, 0, 0}, origin[3] = {0, 0, 0}, x[3] = {1, 0, 0},
         expect[6] = {0, 0, 1, 0, 1, 0};
  cti_motion_shift(there, spin, x, origin);
  XT_CLOSE(there, expect, 6, 0, "velocity of the point");
}

XT_MAIN()
