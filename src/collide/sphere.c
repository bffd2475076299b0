// Sphere and a primitive.
#include "collide/colliders.h"

CT_FN int cti_two_spheres(ctiPoint* out, const ctReal center1[3], ctReal radius1, const ctReal center2[3],
                          ctReal radius2, ctReal margin, const ctReal mat1[9], const ctReal mat2[9]) {
  ctReal normal[3], axis1[3], axis2[3];
  cti_sub3(normal, center2, center1);
  ctReal reach = margin + radius1 + radius2;
  if (cti_dot3(normal, normal) > reach * reach) return 0;
  ctReal length = cti_normalize3(normal);
  if (length < CTI_MINVAL) {
    // the same centre: any normal is as good, one across both axes moves with the shapes
    cti_column3(axis1, mat1, 2);
    cti_column3(axis2, mat2, 2);
    cti_cross3(normal, axis1, axis2);
    cti_normalize3(normal);
  }
  ctReal dist = length - radius1 - radius2;
  out->dist = dist;
  cti_along3(out->pos, center1, normal, radius1 + CT_R(0.5) * dist);
  cti_copy3(out->normal, normal);
  cti_zero3(out->tangent);
  return 1;
}

CT_FN int cti_sphere_sphere(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  (void)d;
  return cti_two_spheres(out, a->pos, a->size[0], b->pos, b->size[0], margin, a->mat, b->mat);
}

CT_FN int cti_sphere_capsule(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  (void)d;
  ctReal axis[3], rel[3], center[3];
  cti_column3(axis, b->mat, 2);
  cti_sub3(rel, a->pos, b->pos);
  cti_along3(center, b->pos, axis, cti_clamp(cti_dot3(axis, rel), -b->size[1], b->size[1]));
  return cti_two_spheres(out, a->pos, a->size[0], center, b->size[0], margin, a->mat, b->mat);
}

// Report a sphere that leaves through a flat face with the given outward normal (of the second shape).
static CT_FN int sphere_face(ctiPoint* out, const ctiShape* sphere, const ctReal outward[3], ctReal height,
                             ctReal margin) {
  ctReal dist = height - sphere->size[0];
  if (dist > margin) return 0;
  out->dist = dist;
  cti_scale3(out->normal, outward, -1);
  cti_along3(out->pos, sphere->pos, out->normal, sphere->size[0] + CT_R(0.5) * dist);
  cti_zero3(out->tangent);
  return 1;
}

// Three regions: beside the mantle, above a disc, off the rim. A centre inside takes the nearer surface.
CT_FN int cti_sphere_cylinder(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  (void)d;
  ctReal axis[3], rel[3], radial[3], point[3];
  ctReal radius = b->size[0], half = b->size[1];
  cti_column3(axis, b->mat, 2);
  cti_sub3(rel, a->pos, b->pos);
  ctReal x = cti_dot3(rel, axis);
  cti_along3(radial, rel, axis, -x);
  ctReal r = cti_norm3(radial);
  bool beside = cti_abs(x) < half, above = r < radius;
  if (beside && above) {
    if (half - cti_abs(x) < radius - r) {
      beside = false;
    } else {
      above = false;
    }
  }
  if (beside) {
    cti_along3(point, b->pos, axis, x);
    return cti_two_spheres(out, a->pos, a->size[0], point, radius, margin, a->mat, b->mat);
  }
  ctReal side = x > 0 ? CT_R(1) : CT_R(-1);
  if (above) {
    cti_scale3(axis, axis, side);
    return sphere_face(out, a, axis, cti_abs(x) - half, margin);
  }
  cti_along3(point, b->pos, axis, side * half);
  cti_add_scaled3(point, radial, radius / (r > CTI_MINVAL ? r : CTI_MINVAL));
  return cti_two_spheres(out, a->pos, a->size[0], point, 0, margin, a->mat, b->mat);
}

// Outside, the nearest point of the box; inside, the nearest face.
CT_FN int cti_sphere_box(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  (void)d;
  ctReal rel[3], local[3], nearest[3], point[3];
  cti_sub3(rel, a->pos, b->pos);
  cti_mul_mat_t_vec3(local, b->mat, rel);
  ctReal outside = 0, depth = 0;
  int face = -1;
  for (int i = 0; i < 3; i++) {
    nearest[i] = cti_clamp(local[i], -b->size[i], b->size[i]);
    outside += (local[i] - nearest[i]) * (local[i] - nearest[i]);
    ctReal inside = b->size[i] - cti_abs(local[i]);
    if (face < 0 || inside < depth) {
      depth = inside;
      face = i;
    }
  }
  if (outside > CTI_MINVAL * CTI_MINVAL) {
    // the direction from local coordinates: exact where the centre is barely outside
    ctReal far = cti_sqrt(outside);
    if (far - a->size[0] > margin) return 0;
    cti_sub3(point, nearest, local);
    cti_scale3(point, point, 1 / far);
    cti_mul_mat_vec3(out->normal, b->mat, point);
    out->dist = far - a->size[0];
    cti_along3(out->pos, a->pos, out->normal, a->size[0] + CT_R(0.5) * out->dist);
    cti_zero3(out->tangent);
    return 1;
  }
  cti_column3(rel, b->mat, face);
  if (local[face] < 0) cti_scale3(rel, rel, -1);
  return sphere_face(out, a, rel, -depth, margin);
}
