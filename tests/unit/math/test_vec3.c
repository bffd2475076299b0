#include "math/vec3.h"

#include "xt.h"

#define TOL CT_R(XT_TOL(1e-14, 1e-5))  // a few roundings of numbers of size 1

XT_TEST(vec3, cross_of_axes_is_right_handed) {
  ctReal x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1}, r[3];
  cti_cross3(r, x, y);
  XT_SAME(r, z, 3);
  cti_cross3(r, y, z);
  XT_SAME(r, x, 3);
  cti_cross3(r, z, x);
  XT_SAME(r, y, 3);
}

XT_TEST(vec3, cross_is_normal_to_both_and_may_alias) {
  xtRng rng = xt_rng(1);
  for (int i = 0; i < 200; i++) {
    ctReal a[3], b[3], r[3], alias[3];
    xt_random_vec(a, 3, &rng);
    xt_random_vec(b, 3, &rng);
    cti_cross3(r, a, b);
    XT_NEAR(cti_dot3(r, a), 0, TOL);
    XT_NEAR(cti_dot3(r, b), 0, TOL);
    cti_copy3(alias, a);
    cti_cross3(alias, alias, b);
    XT_SAME(alias, r, 3);
  }
}

XT_TEST(vec3, sums_and_scales) {
  ctReal a[3] = {1, 2, 3}, b[3] = {-4, 5, 0.5}, r[3];
  ctReal sum[3] = {-3, 7, 3.5}, difference[3] = {5, -3, 2.5}, twice[3] = {2, 4, 6}, mixed[3] = {-7, 12, 4};
  cti_add3(r, a, b);
  XT_SAME(r, sum, 3);
  cti_sub3(r, a, b);
  XT_SAME(r, difference, 3);
  cti_scale3(r, a, 2);
  XT_SAME(r, twice, 3);
  cti_add3(r, a, b);
  cti_sub3(r, r, a);
  cti_add_to3(r, a);
  XT_SAME(r, sum, 3);
  cti_copy3(r, a);
  cti_add_scaled3(r, b, 2);
  XT_SAME(r, mixed, 3);
  XT_NEAR(cti_dot3(a, b), 7.5, 0);
}

XT_TEST(vec3, normalize_returns_the_old_length) {
  ctReal v[3] = {3, 0, -4};
  XT_NEAR(cti_normalize3(v), 5, 0);
  XT_NEAR(cti_norm3(v), 1, TOL);
  XT_NEAR(v[2], -0.8, TOL);
}

XT_TEST(vec3, normalize_of_nothing_gives_the_x_axis) {
  ctReal zero[3] = {0, 0, 0}, x[3] = {1, 0, 0};
  XT_NEAR(cti_normalize3(zero), 0, 0);
  XT_SAME(zero, x, 3);
  ctReal tiny[3] = {0, CT_R(1e-16), 0};
  cti_normalize3(tiny);
  XT_SAME(tiny, x, 3);
}

XT_TEST(vec3, transposed_product_undoes_a_rotation) {
  // a quarter turn about z, exact
  ctReal m[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, v[3] = {1, 2, 3}, turned[3] = {-2, 1, 3}, r[3];
  cti_mul_mat_vec3(r, m, v);
  XT_SAME(r, turned, 3);
  cti_mul_mat_t_vec3(r, m, r);
  XT_SAME(r, v, 3);
}

XT_TEST(vec3, matrix_products_agree_with_the_definition) {
  xtRng rng = xt_rng(2);
  ctReal a[9], b[9], ab[9], atb[9], abt[9], expect[9];
  xt_random_vec(a, 9, &rng);
  xt_random_vec(b, 9, &rng);
  cti_mul_mat3(ab, a, b);
  cti_mul_mat_t_mat3(atb, a, b);
  cti_mul_mat_mat_t3(abt, a, b);
  for (int kind = 0; kind < 3; kind++) {
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        expect[3 * i + j] = 0;
        for (int k = 0; k < 3; k++) {
          ctReal left = kind == 1 ? a[3 * k + i] : a[3 * i + k],
                 right = kind == 2 ? b[3 * j + k] : b[3 * k + j];
          expect[3 * i + j] += left * right;
        }
      }
    }
    XT_CLOSE(kind == 0 ? ab : kind == 1 ? atb : abt, expect, 9, TOL, "product");
  }
}

XT_MAIN()
