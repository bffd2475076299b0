// Strings around spheres and cylinders, against geometry.
#include "math/vec3.h"
#include "stage/position/wrap.h"
#include "xt.h"

static const ctReal origin[3] = {0, 0, 0};
static const ctReal upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static ctiWrapObject object_of(int kind, const ctReal* side) {
  ctiWrapObject object = {kind, CT_R(0.5), origin, upright, side};
  return object;
}

static double distance(const ctReal* a, const ctReal* b) {
  ctReal d[3];
  cti_sub3(d, a, b);
  return (double)cti_norm3(d);
}

static double path_length(const ctReal* from, const ctReal touch[6], ctReal arc, const ctReal* to) {
  return distance(from, touch) + (double)arc + distance(touch + 3, to);
}

XT_TEST(wrap, a_string_that_passes_clear_is_straight) {
  ctReal from[3] = {-1, CT_R(0.6), 0}, to[3] = {1, CT_R(0.6), 0}, touch[6], arc;
  ctiWrapObject sphere = object_of(CT_WRAP_SPHERE, NULL);
  XT_TRUE(!cti_wrap(touch, &arc, &sphere, from, to));
}

XT_TEST(wrap, an_end_inside_means_straight) {
  ctReal from[3] = {CT_R(0.1), 0, 0}, to[3] = {1, 0, 0}, touch[6], arc;
  ctiWrapObject sphere = object_of(CT_WRAP_SPHERE, NULL);
  XT_TRUE(!cti_wrap(touch, &arc, &sphere, from, to));
}

// The straight pieces leave the sphere along tangents, and no polyline around it is shorter.
XT_TEST(wrap, around_a_sphere_is_tangent_and_shortest) {
  xtRng rng = xt_rng(1);
  int wrapped = 0;
  for (int i = 0; i < 500; i++) {
    ctReal from[3], to[3], touch[6], arc;
    xt_random_vec(from, 3, &rng);
    xt_random_vec(to, 3, &rng);
    ctiWrapObject sphere = object_of(CT_WRAP_SPHERE, NULL);
    if (!cti_wrap(touch, &arc, &sphere, from, to)) continue;
    wrapped++;
    ctReal d0[3], d1[3];
    cti_sub3(d0, from, touch);
    cti_sub3(d1, to, touch + 3);
    XT_NEAR(cti_norm3(touch), 0.5, XT_TOL(1e-14, 1e-6));
    XT_NEAR(cti_dot3(d0, touch), 0, XT_TOL(1e-13, 1e-5));
    XT_NEAR(cti_dot3(d1, touch + 3), 0, XT_TOL(1e-13, 1e-5));
    // not shorter than the straight line, not longer than by way of where the two tangents meet
    ctReal corner[3];
    cti_add3(corner, touch, touch + 3);
    ctReal scale = CT_R(0.5) / cti_dot3(corner, touch);
    cti_scale3(corner, corner, CT_R(0.5) * scale);
    XT_TRUE(path_length(from, touch, arc, to) >= distance(from, to));
    XT_TRUE(path_length(from, touch, arc, to) <= distance(from, corner) + distance(corner, to) + 1e-6);
  }
  XT_TRUE(wrapped > 50);
}

// From (-1, 0) to (1, 0) around a circle of radius 1/2 with the side below: the lower half, exactly.
XT_TEST(wrap, the_side_site_chooses_the_side) {
  ctReal from[3] = {-1, 0, 0}, to[3] = {1, 0, 0}, touch[6], arc;
  for (int s = -1; s <= 1; s += 2) {
    ctReal side[3] = {0, CT_R(0.7) * (ctReal)s, 0};
    ctiWrapObject cylinder = object_of(CT_WRAP_CYLINDER, side);
    XT_TRUE(cti_wrap(touch, &arc, &cylinder, from, to));
    XT_TRUE((double)touch[1] * s > 0 && (double)touch[4] * s > 0);
    double angle = acos(0.5);
    XT_NEAR(arc, 0.5 * (acos(-1) - 2 * angle), XT_TOL(1e-14, 1e-6));
  }
}

// A string whose straight way is clear still goes around when the side site is behind the object.
XT_TEST(wrap, long_ways_turn_more_than_half) {
  ctReal from[3] = {-1, CT_R(0.6), 0}, to[3] = {1, CT_R(0.6), 0}, touch[6], arc;
  ctReal side[3] = {0, CT_R(-0.7), 0};
  ctiWrapObject cylinder = object_of(CT_WRAP_CYLINDER, side);
  XT_TRUE(cti_wrap(touch, &arc, &cylinder, from, to));
  XT_TRUE((double)arc > 0.5);
  XT_TRUE((double)touch[1] < 0 && (double)touch[4] < 0);
}

// Unrolled, the path over a cylinder is a straight line: its length follows from the flat length and the
// height.
XT_TEST(wrap, over_a_cylinder_the_path_is_straight_when_unrolled) {
  ctReal from[3] = {-1, 0, 0}, to[3] = {1, CT_R(0.1), CT_R(0.8)}, flat[3] = {1, CT_R(0.1), 0};
  ctReal touch[6], arc, flat_touch[6], flat_arc;
  ctiWrapObject cylinder = object_of(CT_WRAP_CYLINDER, NULL);
  XT_TRUE(cti_wrap(flat_touch, &flat_arc, &cylinder, from, flat));
  XT_TRUE(cti_wrap(touch, &arc, &cylinder, from, to));
  double along = path_length(from, flat_touch, flat_arc, flat);
  XT_NEAR(path_length(from, touch, arc, to), sqrt(along * along + 0.64), XT_TOL(1e-14, 1e-6));
}

// With the side site inside, the string touches from outside at one point, at equal angles to the normal.
XT_TEST(wrap, through_an_object_it_touches_at_equal_angles) {
  ctReal side[3] = {CT_R(0.1), 0, 0}, touch[6], arc;
  ctReal from[3] = {-1, CT_R(0.9), 0}, to[3] = {CT_R(1.3), CT_R(0.7), 0};
  ctiWrapObject sphere = object_of(CT_WRAP_SPHERE, side);
  XT_TRUE(cti_wrap(touch, &arc, &sphere, from, to));
  XT_INT(arc, 0);
  XT_SAME(touch, touch + 3, 3);
  XT_NEAR(cti_norm3(touch), 0.5, XT_TOL(1e-14, 1e-6));
  ctReal d0[3], d1[3];
  cti_sub3(d0, from, touch);
  cti_sub3(d1, to, touch);
  cti_normalize3(d0);
  cti_normalize3(d1);
  XT_NEAR(cti_dot3(d0, touch), cti_dot3(d1, touch), 2e-6);
}

// A side site on the axis of a cylinder: the string goes by way of its x axis, whichever that is.
XT_TEST(wrap, a_side_site_on_the_axis_stands_for_the_first_axis) {
  ctReal from[3] = {CT_R(-0.2), 1, 0}, to[3] = {CT_R(-0.2), -1, 0}, touch[6], arc, same[6], same_arc = 0;
  const ctReal on_axis[3] = {0, 0, 2}, on_x[3] = {1, 0, 2};
  ctiWrapObject one = object_of(CT_WRAP_CYLINDER, on_axis), other = object_of(CT_WRAP_CYLINDER, on_x);
  XT_TRUE(cti_wrap(touch, &arc, &one, from, to) && cti_wrap(same, &same_arc, &other, from, to));
  XT_TRUE(touch[0] > 0);
  XT_SAME(touch, same, 6);
  XT_TRUE(arc == same_arc);
}

XT_MAIN()
