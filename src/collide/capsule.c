// Sphere and a primitive.
#include "collide/pairs.h"

static CT_FN int two_spheres(ctiPoint* out, const ctReal center1[3], ctReal radius1, const ctReal center2[3],
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
  return two_spheres(out, a->pos, a->size[0], b->pos, b->size[0], margin, a->mat, b->mat);
}

CT_FN int cti_sphere_capsule(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  (void)d;
  ctReal axis[3], rel[3], center[3];
  cti_column3(axis, b->mat, 2);
  cti_sub3(rel, a->pos, b->pos);
  cti_along3(center, b->pos, axis, cti_clamp(cti_dot3(axis, rel), -b->size[1], b->size[1]));
  return two_spheres(out, a->pos, a->size[0], center, b->size[0], margin, a->mat, b->mat);
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
    return two_spheres(out, a->pos, a->size[0], point, radius, margin, a->mat, b->mat);
  }
  ctReal side = x > 0 ? CT_R(1) : CT_R(-1);
  if (above) {
    cti_scale3(axis, axis, side);
    cti_along3(point, b->pos, axis, half);
    cti_sub3(rel, a->pos, point);
    return sphere_face(out, a, axis, cti_dot3(rel, axis), margin);
  }
  cti_along3(point, b->pos, axis, side * half);
  cti_add_scaled3(point, radial, radius / (r > CTI_MINVAL ? r : CTI_MINVAL));
  return two_spheres(out, a->pos, a->size[0], point, 0, margin, a->mat, b->mat);
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
    ctReal inside = cti_abs(b->size[i] - cti_abs(local[i]));  // rounding puts the surface on either side
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
  if (!(local[face] > 0)) cti_scale3(rel, rel, -1);  // in the middle: the lower one
  return sphere_face(out, a, rel, -depth, margin);
}

// ---- two capsules ----
// The nearest points of their axes, or both ends of the overlap when the axes are parallel.

// A segment: centre and half vector.
typedef struct CapsuleAxis {
  ctReal center[3], half[3];
} CapsuleAxis;

static CT_FN CapsuleAxis capsule_axis(const ctiShape* s) {
  CapsuleAxis r;
  cti_copy3(r.center, s->pos);
  cti_column3(r.half, s->mat, 2);
  cti_scale3(r.half, r.half, s->size[1]);
  return r;
}

// Parameter in [-1, 1] of the point of a segment that is nearest to `point`.
static CT_FN ctReal capsule_nearest(const CapsuleAxis* s, const ctReal point[3]) {
  ctReal rel[3];
  cti_sub3(rel, point, s->center);
  ctReal length2 = cti_dot3(s->half, s->half);
  return length2 > 0 ? cti_clamp(cti_dot3(rel, s->half) / length2, -1, 1) : 0;
}

static CT_FN int capsule_point(ctiPoint* out, const ctiShape* a, const CapsuleAxis* s, ctReal x,
                               const ctiShape* b, const CapsuleAxis* t, ctReal y, ctReal margin) {
  ctReal p[3], q[3];
  cti_along3(p, s->center, s->half, x);
  cti_along3(q, t->center, t->half, y);
  return two_spheres(out, p, a->size[0], q, b->size[0], margin, a->mat, b->mat);
}

// Axes closer to parallel than this (squared sine of the angle) touch along a line.
#define CAPSULE_PARALLEL CT_R(1e-8)

CT_FN int cti_capsule_capsule(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  (void)d;
  CapsuleAxis s = capsule_axis(a), t = capsule_axis(b);
  ctReal rel[3], point[3], cross[3];
  cti_sub3(rel, s.center, t.center);
  ctReal ss = cti_dot3(s.half, s.half), st = cti_dot3(s.half, t.half), tt = cti_dot3(t.half, t.half);
  ctReal u = -cti_dot3(s.half, rel), v = cti_dot3(t.half, rel);
  cti_cross3(cross, s.half, t.half);
  ctReal det = cti_dot3(cross, cross);  // ss tt - st^2 without cancellation

  if (det >= CAPSULE_PARALLEL * ss * tt && det > 0) {
    ctReal x = cti_clamp((tt * u + st * v) / det, -1, 1);
    cti_along3(point, s.center, s.half, x);
    ctReal y = capsule_nearest(&t, point);
    cti_along3(point, t.center, t.half, y);
    x = capsule_nearest(&s, point);
    return capsule_point(out, a, &s, x, b, &t, y, margin);
  }

  // parallel: the two ends of the overlap, along the first axis; without an overlap both are the same point
  ctReal middle = ss > 0 ? u / ss : 0, width = ss > 0 ? cti_abs(st) / ss : 0;
  int n = 0;
  for (int k = 0; k < 2; k++) {
    // an end of the second axis seen from the first, or an end of the first seen from the second
    ctReal end = k ? middle + width : middle - width;
    ctReal x = cti_clamp(end, -1, 1), y = (k != 0) == (st > 0) ? CT_R(1) : CT_R(-1);
    if (x != end) {
      cti_along3(point, s.center, s.half, x);
      y = capsule_nearest(&t, point);
    }
    n += capsule_point(out + n, a, &s, x, b, &t, y, margin);
  }
  return n;
}

// ---- capsule and box ----
// One sphere at the point of the capsule's axis that is nearest to the surface of the box, and a second one
// farther along where the axis keeps lying over a face.

// Squared sine of the angle below which an axis and an edge are parallel.
#define CAPSULE_BOX_PARALLEL CT_R(1e-12)

// Of edges that are as near as this, squared, the first counts.
#define CAPSULE_BOX_TIE CT_R(1e-15)

// Relative slack, far above rounding.
#define CAPSULE_BOX_CLEAR CT_R(1e-5)

// The axis of the capsule in the frame of the box: center + t * half, t in [-1, 1].
typedef struct CapsuleBoxAxis {
  ctReal center[3], half[3];
  const ctReal* size;  // of the box
} CapsuleBoxAxis;

// The nearest feature: which of the box, and where on the axis.
typedef struct CapsuleBoxNear {
  ctReal dist2;
  ctReal t;
  ctReal at[3];   // point of the box
  int beyond[3];  // -1, 0, 1 for each axis: the feature lies on that side of the box, or 0
} CapsuleBoxNear;

// An end of the axis: inside the box or above a face.
static CT_FN void capsule_box_end(CapsuleBoxNear* best, const CapsuleBoxAxis* s, ctReal t) {
  ctReal dist2 = 0;
  int beyond[3] = {0, 0, 0}, outside = 0;
  ctReal at[3];
  for (int i = 0; i < 3; i++) {
    ctReal x = s->center[i] + t * s->half[i];
    at[i] = cti_clamp(x, -s->size[i], s->size[i]);
    ctReal over = cti_abs(x) - s->size[i];
    if (over <= 0) continue;
    beyond[i] = x > 0 ? 1 : -1;
    dist2 += over * over;
    outside++;
  }
  if (outside > 1 || (best->t <= 1 && dist2 >= best->dist2)) return;
  best->dist2 = dist2;
  best->t = t;
  cti_copy3(best->at, at);
  for (int i = 0; i < 3; i++) best->beyond[i] = beyond[i];
}

// The edge along axis `i` at the sides `sj`, `sk` of the other two.
static CT_FN void capsule_box_edge(CapsuleBoxNear* best, const CapsuleBoxAxis* s, int i, int sj, int sk) {
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  ctReal rel[3], q[3];
  q[j] = (ctReal)sj * s->size[j];
  q[k] = (ctReal)sk * s->size[k];
  rel[j] = q[j] - s->center[j];
  rel[k] = q[k] - s->center[k];
  // nearest points of both lines; an end of the edge, then an end of the axis, where that is outside
  ctReal across = s->half[j] * s->half[j] + s->half[k] * s->half[k];
  ctReal length2 = cti_dot3(s->half, s->half), t = 0;
  if (across > CAPSULE_BOX_PARALLEL * length2) {
    t = (s->half[j] * rel[j] + s->half[k] * rel[k]) / across;
  } else if (length2 > 0) {
    // parallel: all points are as near; take the end of the edge that is beside the axis, the lower one
    // first, or the end of the axis that is nearer to an end of the edge
    ctReal upper = (s->size[i] - s->center[i]) / s->half[i];
    t = (-s->size[i] - s->center[i]) / s->half[i];
    if (cti_abs(t) > 1 && (cti_abs(upper) <= 1 || cti_abs(upper) < cti_abs(t))) t = upper;
    t = cti_clamp(t, -1, 1);
  }
  ctReal u = s->center[i] + t * s->half[i];
  q[i] = cti_clamp(u, -s->size[i], s->size[i]);
  int end = q[i] != u ? (u > 0 ? 1 : -1) : 0;
  rel[i] = q[i] - s->center[i];
  if (end && length2 > 0) t = cti_dot3(s->half, rel) / length2;
  if (cti_abs(t) > 1) {
    t = cti_clamp(t, -1, 1);
    u = s->center[i] + t * s->half[i];
    ctReal v = cti_clamp(u, -s->size[i], s->size[i]);
    rel[i] = v - s->center[i];
    if (!end || v != u) {
      q[i] = v;
      end = v != u ? (u > 0 ? 1 : -1) : 0;
    }
  }
  cti_add_scaled3(rel, s->half, -t);
  ctReal dist2 = cti_dot3(rel, rel);
  if (best->t <= 1 && dist2 >= best->dist2 - CAPSULE_BOX_TIE) return;
  best->dist2 = dist2;
  best->t = t;
  cti_copy3(best->at, q);
  best->beyond[i] = end;
  best->beyond[j] = sj;
  best->beyond[k] = sk;
}

// How far one can go from the first point in the direction `dir` (1 or -1) until the point of the box below
// it leaves the face normal to axis `face`, and at a side of which axis that is: -1 for the end of the axis.
static CT_FN ctReal capsule_box_leave(const CapsuleBoxAxis* s, const CapsuleBoxNear* first, ctReal dir,
                                      int face, int* wall_of) {
  ctReal step = 1 - dir * first->t;  // to the end of the axis
  *wall_of = -1;
  for (int i = 0; i < 3; i++) {
    ctReal slope = dir * s->half[i];
    if (i == face || slope == 0 || slope * (ctReal)first->beyond[i] > 0) continue;
    ctReal wall = slope > 0 ? s->size[i] : -s->size[i];
    ctReal room = (wall - first->at[i]) / slope;
    if (room >= step) continue;
    step = room;
    *wall_of = i;
  }
  return first->t + dir * step;
}

// The direction along the axis (1 or -1) that leads over the box from an edge or a corner; 0 when both lead
// away. At a corner one coordinate of the axis may point another way than the two others: it decides when the
// axis runs along it rather than across.
static CT_FN int capsule_box_inward(const CapsuleBoxAxis* s, const CapsuleBoxNear* first) {
  int turn[3], sum = 0, count = 0, main = -1;
  for (int i = 0; i < 3; i++) {
    turn[i] = first->beyond[i] ? ((s->half[i] > 0) == (first->beyond[i] > 0) ? -1 : 1) : 0;
    sum += turn[i];
    count += turn[i] != 0;
    if (turn[i] && (main < 0 || cti_abs(s->half[i]) > cti_abs(s->half[main]))) main = i;
  }
  if (count == 2 && s->half[main] == 0) {
    // along an edge: to the other end of the axis, but not from the end that is before both sides, as
    // measured
    bool before = first->t < 0 ? sum == 2 : sum == -2;
    return before ? 0 : (first->t > 0 ? -1 : 1);
  }
  if (sum == count || sum == -count) return 0;
  bool along = 2 * s->half[main] * s->half[main] > cti_dot3(s->half, s->half);
  return count == 2 || along ? turn[main] : (sum > 0 ? 1 : -1);
}

// Where the second sphere goes; false when there is none.
static CT_FN bool capsule_box_second(ctReal* out, const CapsuleBoxAxis* s, const CapsuleBoxNear* first,
                                     int* wall) {
  int sides = 0, edge = -1, main = -1;
  for (int i = 0; i < 3; i++) {
    sides += first->beyond[i] != 0;
    if (!first->beyond[i]) edge = i;
    if (first->beyond[i] && (main < 0 || cti_abs(s->half[i]) > cti_abs(s->half[main]))) main = i;
  }
  if (sides == 0) return false;
  if (sides == 1) {
    // above a face: back along the axis
    *out = capsule_box_leave(s, first, first->t > 0 ? CT_R(-1) : CT_R(1), main, wall);
    return true;
  }
  int inward = capsule_box_inward(s, first);
  if (inward == 0) return false;
  // from an edge over the face that the axis is most parallel to
  *out = capsule_box_leave(s, first, (ctReal)inward, sides == 2 ? 3 - edge - main : -1, wall);
  return true;
}

// The sphere at `t`. It comes by way of the frame of the box: where it touches exactly, that rounding
// decides.
static CT_FN int capsule_box_sphere(ctiPoint* out, const ctiCapsuleBox* s, const ctiShape* a,
                                    const ctiShape* b, ctReal t, ctReal margin, ctData* d) {
  ctReal local[3], center[3];
  ctiShape ball = *a;
  cti_along3(local, s->center, s->half, t);
  cti_mul_mat_vec3(center, b->mat, local);
  cti_add_to3(center, b->pos);
  ball.pos = center;
  return cti_sphere_box(out, &ball, b, margin, d);
}

static CT_FN void capsule_box_axis(CapsuleBoxAxis* s, const ctiShape* a, const ctiShape* b) {
  ctReal rel[3], axis[3];
  cti_sub3(rel, a->pos, b->pos);
  cti_column3(axis, a->mat, 2);
  cti_mul_mat_t_vec3(s->center, b->mat, rel);
  cti_mul_mat_t_vec3(s->half, b->mat, axis);
  cti_scale3(s->half, s->half, a->size[1]);
  s->size = b->size;
}

static CT_FN void capsule_box_spheres(ctiCapsuleBox* out, const CapsuleBoxAxis* s) {
  CapsuleBoxNear near = {0, 2, {0, 0, 0}, {0, 0, 0}};  // t > 1: nothing yet
  capsule_box_end(&near, s, -1);
  capsule_box_end(&near, s, 1);
  for (int i = 0; i < 3; i++) {
    for (int side = 0; side < 4; side++) capsule_box_edge(&near, s, i, side & 1 ? 1 : -1, side & 2 ? 1 : -1);
  }
  cti_copy3(out->center, s->center);
  cti_copy3(out->half, s->half);
  cti_copy3(out->at, near.at);
  for (int i = 0; i < 3; i++) out->beyond[i] = near.beyond[i];
  out->t[0] = near.t;
  out->wall = -1;
  out->n = capsule_box_second(out->t + 1, s, &near, &out->wall) ? 2 : 1;
}

CT_FN void cti_capsule_box_spheres(ctiCapsuleBox* out, const ctiShape* a, const ctiShape* b) {
  CapsuleBoxAxis s;
  capsule_box_axis(&s, a, b);
  capsule_box_spheres(out, &s);
}

// Farther from the box along its axes than `reach`, with room for rounding.
static CT_FN bool capsule_box_apart(const CapsuleBoxAxis* s, const ctiShape* a, const ctiShape* b,
                                    ctReal reach) {
  ctReal dist2 = 0;
  for (int i = 0; i < 3; i++) {
    const ctReal over = cti_abs(s->center[i]) - cti_abs(s->half[i]) - s->size[i];
    if (over > 0) dist2 += over * over;
    reach += CAPSULE_BOX_CLEAR * (cti_abs(a->pos[i]) + cti_abs(b->pos[i]));
  }
  return reach > 0 && dist2 > reach * reach;
}

CT_FN int cti_capsule_box(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  CapsuleBoxAxis s;
  ctiCapsuleBox spheres;
  int n = 0;
  capsule_box_axis(&s, a, b);
  if (capsule_box_apart(&s, a, b, a->size[0] + margin)) return 0;
  capsule_box_spheres(&spheres, &s);
  for (int i = 0; i < spheres.n; i++)
    n += capsule_box_sphere(out + n, &spheres, a, b, spheres.t[i], margin, d);
  return n;
}
