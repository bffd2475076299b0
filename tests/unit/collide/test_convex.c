// GJK and EPA: analytic cases, invariants, degenerate shapes.
#include "collide/convex.h"
#include "shapes.h"

static xtScratch scratch;

static bool search(ctiCcd* r, const xtShape* a, const xtShape* b, ctReal cutoff) {
  if (!scratch.block) xt_scratch_open(&scratch, 1 << 20);
  ctiShape p = xt_shape(a), q = xt_shape(b);
  ctiConvex x, y;
  cti_convex_init(&x, &p, a->pos);
  cti_convex_init(&y, &q, a->pos);
  return cti_ccd_distance(r, &x, &y, cutoff, (ctReal)1e-6, 100, &scratch.d.open);
}

XT_TEST(distance, of_boxes_is_that_of_their_corners) {
  xtShape a, b;
  ctiCcd r;
  xt_shape_init(&a, CT_GEOM_BOX, 1, 1, 1);
  xt_shape_init(&b, CT_GEOM_BOX, 1, 1, 1);
  b.pos[0] = b.pos[1] = b.pos[2] = 3;
  XT_TRUE(search(&r, &a, &b, 10));
  XT_NEAR(r.dist, sqrt(3), XT_TOL(1e-12, 1e-5));
  XT_NEAR(r.normal[0], 1 / sqrt(3), XT_TOL(1e-12, 1e-5));
  XT_TRUE(!search(&r, &a, &b, (ctReal)1.7));
}

XT_TEST(depth, of_boxes_is_along_the_thinnest_overlap) {
  xtShape a, b;
  ctiCcd r;
  xt_shape_init(&a, CT_GEOM_BOX, 1, 1, 1);
  xt_shape_init(&b, CT_GEOM_BOX, 1, 1, 1);
  b.pos[0] = (ctReal)1.75;
  b.pos[1] = (ctReal)0.3;
  XT_TRUE(search(&r, &a, &b, 0));
  XT_NEAR(r.dist, -0.25, XT_TOL(1e-12, 1e-5));
  XT_NEAR(r.normal[0], 1, XT_TOL(1e-12, 1e-5));
}

// Swapping the shapes turns the normal round and keeps the distance; moving both keeps the distance.
XT_TEST(distance, is_symmetric_and_moves_with_the_shapes) {
  xtRng rng = xt_rng(5);
  const double tol = XT_TOL(2e-6, 5e-4);  // two searches, each within ccd_tolerance
  for (int k = 0; k < 20000; k++) {
    xtShape a, b;
    ctiCcd r, s;
    int types[4] = {CT_GEOM_SPHERE, CT_GEOM_CAPSULE, CT_GEOM_CYLINDER, CT_GEOM_BOX};
    xt_shape_random(&a, types[k % 4], &rng);
    xt_shape_random(&b, types[k / 4 % 4], &rng);
    xt_shape_random_pose(&a, &rng, 0.3);
    xt_shape_random_pose(&b, &rng, 0.3);
    bool hit = search(&r, &a, &b, 10), back = search(&s, &b, &a, 10);
    XT_TRUE(hit && back);
    XT_NEAR(r.dist, s.dist, tol);
    xtShape moved[2] = {a, b};
    ctReal turn[4], shift[3];
    xt_random_quat(turn, &rng);
    xt_random_vec(shift, 3, &rng);
    for (int i = 0; i < 2; i++) {
      cti_quat_rotate(moved[i].pos, turn, moved[i].pos);
      cti_add_to3(moved[i].pos, shift);
      cti_quat_mul(moved[i].quat, turn, moved[i].quat);
      cti_quat_to_mat(moved[i].mat, moved[i].quat);
    }
    XT_TRUE(search(&s, &moved[0], &moved[1], 10));
    XT_NEAR(r.dist, s.dist, tol);
  }
}

// No direction separates overlapping shapes by less than the depth: a brute-force sweep of support functions.
XT_TEST(depth, is_the_least_of_all_directions) {
  xtRng rng = xt_rng(9);
  for (int k = 0; k < 500; k++) {
    xtShape a, b;
    ctiCcd r;
    xt_shape_random(&a, CT_GEOM_BOX, &rng);
    xt_shape_random(&b, k % 2 ? CT_GEOM_BOX : CT_GEOM_CYLINDER, &rng);
    xt_shape_random_pose(&a, &rng, 0.05);
    xt_shape_random_pose(&b, &rng, 0.05);
    XT_TRUE(search(&r, &a, &b, 0));
    ctiShape p = xt_shape(&a), q = xt_shape(&b);
    ctiConvex x, y;
    cti_convex_init(&x, &p, a.pos);
    cti_convex_init(&y, &q, a.pos);
    for (int i = 0; i < 200; i++) {
      ctReal dir[3];
      ctiCorner c;
      xt_random_vec(dir, 3, &rng);
      cti_normalize3(dir);
      cti_support_pair(&c, &x, &y, dir);
      XT_TRUE(cti_dot3(c.w, dir) >= -r.dist - (ctReal)XT_TOL(1e-9, 1e-4));
    }
  }
}

// Shapes that stand in one plane meet directions that are exactly level in another: the corner that is found
// decides on which side of that plane the contact lies.
XT_TEST(support, of_corners_equally_far_is_the_one_on_the_positive_side) {
  const int types[] = {CT_GEOM_CAPSULE, CT_GEOM_CYLINDER, CT_GEOM_BOX};
  for (int t = 0; t < 3; t++) {
    xtShape shape;
    xt_shape_init(&shape, types[t], 1, 2, 3);
    ctiShape p = xt_shape(&shape);
    ctiConvex c;
    cti_convex_init(&c, &p, shape.pos);
    for (int sign = -1; sign <= 1; sign += 2) {
      const ctReal dir[3] = {1, 0, (ctReal)(sign * 0.0)};
      ctReal out[3];
      cti_support(out, &c, dir);
      XT_TRUE(out[2] == (types[t] == CT_GEOM_BOX ? 3 : 2));
      if (types[t] == CT_GEOM_BOX) XT_TRUE(out[1] == 2);
    }
  }
}

// Points, needles, plates: nothing but finite numbers and unit normals.
XT_TEST(degenerate_shapes, give_finite_numbers) {
  xtRng rng = xt_rng(11);
  const ctReal sizes[5] = {0, (ctReal)1e-9, (ctReal)1e-3, 1, (ctReal)1e4};
  for (int k = 0; k < 20000; k++) {
    xtShape a, b;
    ctiPoint p[CTI_MAX_POINTS];
    int t1 = CT_GEOM_SPHERE + (int)(xt_bits(&rng) % 5), t2 = CT_GEOM_SPHERE + (int)(xt_bits(&rng) % 5);
    xt_shape_init(&a, t1 < t2 ? t1 : t2, sizes[xt_bits(&rng) % 5], sizes[xt_bits(&rng) % 5],
                  sizes[xt_bits(&rng) % 5]);
    xt_shape_init(&b, t1 < t2 ? t2 : t1, sizes[xt_bits(&rng) % 5], sizes[xt_bits(&rng) % 5],
                  sizes[xt_bits(&rng) % 5]);
    if (k % 2) xt_shape_random_pose(&b, &rng, k % 4 == 1 ? 0 : 0.5);
    if (!scratch.block) xt_scratch_open(&scratch, 1 << 20);
    int n = xt_collide(p, &a, &b, 0, &scratch);
    for (int i = 0; i < n; i++) {
      XT_TRUE(isfinite((double)p[i].dist) && isfinite((double)(p[i].pos[0] + p[i].pos[1] + p[i].pos[2])));
      XT_NEAR(cti_norm3(p[i].normal), 1, XT_TOL(1e-6, 1e-3));
    }
  }
}

// Scratch that is too small ends the search, not the program; nothing is left behind.
XT_TEST(full_arena, gives_the_touching_distance) {
  xtShape a, b;
  ctiPoint p[CTI_MAX_POINTS];
  xtScratch small;
  xt_scratch_open(&small, 256);
  xt_shape_init(&a, CT_GEOM_CYLINDER, 1, 1, 1);
  xt_shape_init(&b, CT_GEOM_BOX, 1, 1, 1);
  b.pos[0] = (ctReal)0.5;
  int n = xt_collide(p, &a, &b, 0, &small);
  XT_TRUE(n <= 1);
  XT_INT(small.d.pstack, 0);
  XT_TRUE(small.d.arena_wanted > 256);
  xt_scratch_close(&small);
}

XT_MAIN()
