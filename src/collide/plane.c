// Plane and a primitive. The plane is infinite, its normal is its z axis.
#include "collide/colliders.h"

// Report the surface point `point` of the second shape, which is `dist` above the plane.
static CT_FN void plane_point(ctiPoint* out, const ctReal normal[3], const ctReal point[3], ctReal dist) {
  out->dist = dist;
  cti_along3(out->pos, point, normal, CT_R(-0.5) * dist);
  cti_copy3(out->normal, normal);
  cti_zero3(out->tangent);
}

static CT_FN ctReal plane_height(const ctiShape* plane, const ctReal normal[3], const ctReal point[3]) {
  ctReal rel[3];
  cti_sub3(rel, point, plane->pos);
  return cti_dot3(rel, normal);
}

static CT_FN int plane_ball(ctiPoint* out, const ctiShape* plane, const ctReal center[3], ctReal radius,
                            ctReal margin) {
  ctReal normal[3], point[3];
  cti_column3(normal, plane->mat, 2);
  ctReal height = plane_height(plane, normal, center);
  if (height > margin + radius) return 0;
  cti_along3(point, center, normal, -radius);
  plane_point(out, normal, point, height - radius);
  return 1;
}

CT_FN int cti_plane_sphere(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  (void)d;
  return plane_ball(out, a, b->pos, b->size[0], margin);
}

// Both ends as balls; the axis is the natural first tangent.
CT_FN int cti_plane_capsule(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  (void)d;
  ctReal axis[3], end[3];
  int n = 0;
  cti_column3(axis, b->mat, 2);
  for (int side = 0; side < 2; side++) {
    cti_along3(end, b->pos, axis, side ? -b->size[1] : b->size[1]);
    n += plane_ball(out + n, a, end, b->size[0], margin);
  }
  for (int i = 0; i < n; i++) cti_copy3(out[i].tangent, axis);
  return n;
}

// The lowest point: where the surface normal is against the plane's.
CT_FN int cti_plane_ellipsoid(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  (void)d;
  ctReal normal[3], local[3], point[3];
  cti_column3(normal, a->mat, 2);
  cti_mul_mat_t_vec3(local, b->mat, normal);
  for (int i = 0; i < 3; i++) local[i] *= -b->size[i];
  cti_normalize3(local);
  for (int i = 0; i < 3; i++) local[i] *= b->size[i];
  cti_mul_mat_vec3(point, b->mat, local);
  cti_add_to3(point, b->pos);
  ctReal dist = plane_height(a, normal, point);
  if (dist > margin) return 0;
  plane_point(out, normal, point, dist);
  return 1;
}

// The lowest rim point, the other end of its side line, and two more points of the lower rim that make an
// equilateral triangle with the first.
CT_FN int cti_plane_cylinder(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  (void)d;
  ctReal normal[3], axis[3], rim[3], side[3], point[3];
  ctReal radius = b->size[0];
  cti_column3(normal, a->mat, 2);
  cti_column3(axis, b->mat, 2);
  ctReal slope = cti_dot3(normal, axis);
  if (slope > 0) {
    cti_scale3(axis, axis, -1);
    slope = -slope;
  }
  // direction in the disc that goes down fastest; lying flat, any will do: the cylinder's own x
  cti_scale3(rim, axis, slope);
  cti_sub3(rim, rim, normal);
  ctReal length = cti_norm3(rim);
  if (length < CT_R(1e-12)) {
    cti_column3(rim, b->mat, 0);
    cti_scale3(rim, rim, radius);
  } else {
    cti_scale3(rim, rim, radius / length);
  }
  ctReal height = plane_height(a, normal, b->pos);
  cti_scale3(axis, axis, b->size[1]);
  slope *= b->size[1];
  ctReal drop = cti_dot3(rim, normal);

  ctReal dist = height + slope + drop;
  if (dist > margin) return 0;
  int n = 0;
  cti_add3(point, b->pos, axis);
  cti_add_to3(point, rim);
  plane_point(out + n++, normal, point, dist);

  dist = height - slope + drop;
  if (dist <= margin) {
    cti_sub3(point, b->pos, axis);
    cti_add_to3(point, rim);
    plane_point(out + n++, normal, point, dist);
  }

  dist = height + slope - CT_R(0.5) * drop;
  if (dist <= margin) {
    cti_cross3(side, rim, axis);
    cti_normalize3(side);
    ctReal half = radius * cti_sqrt(CT_R(3)) / 2;
    for (int k = 0; k < 2; k++) {
      cti_add3(point, b->pos, axis);
      cti_add_scaled3(point, rim, CT_R(-0.5));
      cti_add_scaled3(point, side, k ? -half : half);
      plane_point(out + n++, normal, point, dist);
    }
  }
  return n;
}

// Corners on the lower half, in the order of their numbers, at most four.
CT_FN int cti_plane_box(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  (void)d;
  ctReal normal[3], local[3], corner[3];
  cti_column3(normal, a->mat, 2);
  ctReal height = plane_height(a, normal, b->pos);
  int n = 0;
  for (int i = 0; i < 8 && n < 4; i++) {
    for (int k = 0; k < 3; k++) local[k] = i & (1 << k) ? b->size[k] : -b->size[k];
    cti_mul_mat_vec3(corner, b->mat, local);
    ctReal rise = cti_dot3(normal, corner);
    if (rise > 0 || height + rise > margin) continue;
    cti_add_to3(corner, b->pos);
    plane_point(out + n++, normal, corner, height + rise);
  }
  return n;
}
