#include "math/simplex.h"

#include "math/elementary.h"
#include "xt.h"

#define TOL XT_TOL(1e-12, 2e-5)

static void random_points(ctReal (*at)[3], const ctReal** corner, int n, xtRng* rng) {
  for (int i = 0; i < n; i++) {
    xt_random_vec(at[i], 3, rng);
    corner[i] = at[i];
  }
}

static double distance(const ctReal a[3], const ctReal b[3]) {
  ctReal rel[3];
  cti_sub3(rel, a, b);
  return (double)cti_norm3(rel);
}

// No point of a simplex is nearer than the one that was found: all of a fine sample are farther.
XT_TEST(simplex, nearest_point_is_the_nearest) {
  xtRng rng = xt_rng(1);
  for (int k = 0; k < 600; k++) {
    const int dim = 1 + k % 3;
    ctReal at[4][3], x[3], weight[4], p[3], sum = 0;
    const ctReal* corner[4];
    random_points(at, corner, dim + 1, &rng);
    xt_random_vec(x, 3, &rng);
    cti_simplex_nearest(weight, corner, dim, x);
    cti_weigh3(p, corner, weight, dim + 1);
    for (int i = 0; i <= dim; i++) {
      XT_TRUE(weight[i] >= -(ctReal)TOL);
      sum += weight[i];
    }
    XT_NEAR(sum, 1, TOL);
    for (int i = dim + 1; i < 4; i++) XT_NEAR(weight[i], 0, 0);
    const double found = distance(p, x);
    for (int s = 0; s < 200; s++) {
      ctReal w[4] = {0, 0, 0, 0}, q[3], total = 0;
      for (int i = 0; i <= dim; i++) total += w[i] = (ctReal)xt_uniform(&rng, 0, 1);
      for (int i = 0; i <= dim; i++) w[i] /= total;
      cti_weigh3(q, corner, w, dim + 1);
      XT_TRUE(distance(q, x) >= found - TOL);
    }
  }
}

XT_TEST(simplex, points_inside_a_tetrahedron_are_their_own_nearest) {
  xtRng rng = xt_rng(2);
  for (int k = 0; k < 200; k++) {
    ctReal at[4][3], w[4], weight[4], x[3], p[3], normal[3], height, total = 0;
    const ctReal* corner[4];
    random_points(at, corner, 4, &rng);
    for (int i = 0; i < 4; i++) total += w[i] = (ctReal)xt_uniform(&rng, 0.1, 1);
    for (int i = 0; i < 4; i++) w[i] /= total;
    cti_weigh3(x, corner, w, 4);
    if (cti_tet_flat(corner)) continue;
    XT_TRUE(cti_tet_nearest(weight, normal, &height, corner, x));
    XT_TRUE(height <= 0);
    cti_weigh3(p, corner, weight, 4);
    XT_NEAR(distance(p, x), 0, XT_TOL(1e-9, 1e-3));
    // out through the nearest face
    cti_add_scaled3(x, normal, -height + (ctReal)0.01);
    XT_TRUE(!cti_tet_nearest(weight, normal, &height, corner, x));
  }
}

XT_TEST(simplex, flat_ones_are_what_is_left_of_them) {
  ctReal a[3] = {0, 0, 0}, b[3] = {2, 0, 0}, c[3] = {1, 0, 0}, x[3] = {1.5, 1, 0}, weight[4], p[3], s, t;
  const ctReal *line[4] = {a, b, c, c}, *point[4] = {a, a, a, a};
  for (int dim = 1; dim <= 3; dim++) {
    cti_simplex_nearest(weight, line, dim, x);
    cti_weigh3(p, line, weight, dim + 1);
    XT_NEAR(p[0], 1.5, TOL);
    XT_NEAR(p[1], 0, TOL);
    cti_simplex_nearest(weight, point, dim, x);
    cti_weigh3(p, point, weight, dim + 1);
    XT_NEAR(cti_norm3(p), 0, TOL);
  }
  XT_TRUE(cti_tet_flat(line) && cti_tet_flat(point));
  cti_segments_nearest(&s, &t, a, b, c, c);
  XT_NEAR(s, 0.5, TOL);
}

XT_TEST(simplex, segments_that_cross_touch) {
  ctReal a[3] = {-1, 0, 0}, b[3] = {1, 0, 0}, c[3] = {0, -1, 1}, e[3] = {0, 3, 1}, s, t;
  cti_segments_nearest(&s, &t, a, b, c, e);
  XT_NEAR(s, 0.5, TOL);
  XT_NEAR(t, 0.25, TOL);
}

XT_MAIN()
