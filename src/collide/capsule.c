// Two capsules: the nearest points of their axes, or both ends of the overlap when the axes are parallel.
#include "collide/colliders.h"

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
  return cti_two_spheres(out, p, a->size[0], q, b->size[0], margin, a->mat, b->mat);
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
