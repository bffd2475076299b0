// Analytic cases of the colliders with formulas.
#include "shapes.h"

static xtScratch scratch;

static int touch(ctiPoint* out, const xtShape* a, const xtShape* b, ctReal margin) {
  if (!scratch.block) xt_scratch_open(&scratch, 1 << 20);
  return xt_collide(out, a, b, margin, &scratch);
}

XT_TEST(plane, sphere_is_measured_from_its_lowest_point) {
  xtShape plane, ball;
  ctiPoint p[CTI_MAX_POINTS];
  xt_shape_init(&plane, CT_GEOM_PLANE, 1, 1, 1);
  xt_shape_init(&ball, CT_GEOM_SPHERE, (ctReal)0.5, 0, 0);
  ball.pos[2] = (ctReal)0.4;
  XT_INT(touch(p, &plane, &ball, 0), 1);
  XT_NEAR(p[0].dist, -0.1, 1e-6);
  XT_NEAR(p[0].pos[2], -0.05, 1e-6);
  XT_NEAR(p[0].normal[2], 1, 0);
}

XT_TEST(plane, standing_shapes_give_four_points) {
  xtShape plane, shape;
  ctiPoint p[CTI_MAX_POINTS];
  xt_shape_init(&plane, CT_GEOM_PLANE, 1, 1, 1);
  xt_shape_init(&shape, CT_GEOM_BOX, (ctReal)0.1, (ctReal)0.2, (ctReal)0.3);
  shape.pos[2] = (ctReal)0.29;
  XT_INT(touch(p, &plane, &shape, 0), 4);
  for (int i = 0; i < 4; i++) XT_NEAR(p[i].dist, -0.01, 1e-6);
  // a cylinder on its disc: the triangle of three
  xt_shape_init(&shape, CT_GEOM_CYLINDER, (ctReal)0.1, (ctReal)0.2, 0);
  shape.pos[2] = (ctReal)0.19;
  XT_INT(touch(p, &plane, &shape, 0), 3);
}

XT_TEST(spheres, identical_centres_have_a_unit_normal) {
  xtShape a, b;
  ctiPoint p[CTI_MAX_POINTS];
  xt_shape_init(&a, CT_GEOM_SPHERE, (ctReal)0.1, 0, 0);
  xt_shape_init(&b, CT_GEOM_SPHERE, (ctReal)0.2, 0, 0);
  XT_INT(touch(p, &a, &b, 0), 1);
  XT_NEAR(cti_norm3(p[0].normal), 1, 1e-6);
  XT_NEAR(p[0].dist, -0.3, 1e-6);
}

XT_TEST(capsules, parallel_ones_touch_at_both_ends_of_the_overlap) {
  xtShape a, b;
  ctiPoint p[CTI_MAX_POINTS];
  xt_shape_init(&a, CT_GEOM_CAPSULE, (ctReal)0.1, 1, 0);
  xt_shape_init(&b, CT_GEOM_CAPSULE, (ctReal)0.1, 1, 0);
  b.pos[0] = (ctReal)0.15;
  b.pos[2] = 1;
  XT_INT(touch(p, &a, &b, 0), 2);
  XT_NEAR(p[0].pos[2], 0, 1e-6);
  XT_NEAR(p[1].pos[2], 1, 1e-6);
  for (int i = 0; i < 2; i++) XT_NEAR(p[i].dist, -0.05, 1e-6);
}

XT_TEST(boxes, stacked_ones_touch_at_four_corners) {
  xtShape a, b;
  ctiPoint p[CTI_MAX_POINTS];
  xt_shape_init(&a, CT_GEOM_BOX, 1, 1, 1);
  xt_shape_init(&b, CT_GEOM_BOX, (ctReal)0.5, (ctReal)0.5, (ctReal)0.5);
  b.pos[2] = (ctReal)1.49;
  XT_INT(touch(p, &a, &b, 0), 4);
  for (int i = 0; i < 4; i++) {
    XT_NEAR(p[i].dist, -0.01, 1e-6);
    XT_NEAR(p[i].normal[2], 1, 1e-6);
    XT_NEAR(cti_abs(p[i].pos[0]), 0.5, 1e-6);
  }
}

XT_TEST(boxes, turned_by_45_degrees_touch_at_eight) {
  xtShape a, b;
  ctiPoint p[CTI_MAX_POINTS];
  ctReal axis[3] = {0, 0, 1};
  xt_shape_init(&a, CT_GEOM_BOX, 1, 1, 1);
  xt_shape_init(&b, CT_GEOM_BOX, 1, 1, 1);
  cti_quat_axis_angle(b.quat, axis, (ctReal)(CTI_PI / 4));
  cti_quat_to_mat(b.mat, b.quat);
  b.pos[2] = (ctReal)1.99;
  XT_INT(touch(p, &a, &b, 0), 8);
}

XT_TEST(boxes, apart_do_not_touch) {
  xtShape a, b;
  ctiPoint p[CTI_MAX_POINTS];
  xt_shape_init(&a, CT_GEOM_BOX, 1, 1, 1);
  xt_shape_init(&b, CT_GEOM_BOX, 1, 1, 1);
  b.pos[0] = (ctReal)2.1;
  XT_INT(touch(p, &a, &b, 0), 0);
  XT_INT(touch(p, &a, &b, (ctReal)0.2), 4);
}

XT_TEST(capsule_box, lying_capsule_touches_twice) {
  xtShape a, b;
  ctiPoint p[CTI_MAX_POINTS];
  ctReal axis[3] = {0, 1, 0};
  xt_shape_init(&a, CT_GEOM_CAPSULE, (ctReal)0.1, (ctReal)0.5, 0);
  xt_shape_init(&b, CT_GEOM_BOX, 1, 1, 1);
  cti_quat_axis_angle(a.quat, axis, (ctReal)(CTI_PI / 2 + 1e-3));
  cti_quat_to_mat(a.mat, a.quat);
  a.pos[2] = (ctReal)1.09;
  XT_INT(touch(p, &a, &b, 0), 2);
  for (int i = 0; i < 2; i++) XT_NEAR(p[i].normal[2], -1, 1e-6);
}

// Every pair, a hundred thousand poses: unit normals, finite numbers, nothing beyond the margin.
XT_TEST(every_pair, gives_unit_normals_and_finite_points) {
  xtRng rng = xt_rng(1);
  for (int t1 = CT_GEOM_SPHERE; t1 <= CT_GEOM_BOX; t1++) {
    for (int t2 = t1; t2 <= CT_GEOM_BOX; t2++) {
      for (int k = 0; k < 2000; k++) {
        xtShape a, b;
        ctiPoint p[CTI_MAX_POINTS];
        xt_shape_random(&a, t1, &rng);
        xt_shape_random(&b, t2, &rng);
        xt_shape_random_pose(&a, &rng, 0.2);
        xt_shape_random_pose(&b, &rng, 0.2);
        ctReal margin = k % 3 ? 0 : (ctReal)0.02;
        int n = touch(p, &a, &b, margin);
        for (int i = 0; i < n; i++) {
          XT_NEAR(cti_norm3(p[i].normal), 1, XT_TOL(1e-9, 1e-4));
          XT_TRUE(isfinite((double)p[i].dist) && p[i].dist <= margin + (ctReal)1e-6);
          for (int c = 0; c < 3; c++) XT_TRUE(isfinite((double)p[i].pos[c]));
        }
      }
    }
  }
}

XT_MAIN()
