// Capsule and box: one sphere at the point of the capsule's axis that is nearest to the surface of the box,
// and a second one farther along where the axis keeps lying over a face.
#include "collide/colliders.h"

// Squared sine of the angle below which an axis and an edge are parallel.
#define CAPSULE_BOX_PARALLEL CT_R(1e-12)

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
  if (best->t <= 1 && dist2 >= best->dist2) return;
  best->dist2 = dist2;
  best->t = t;
  cti_copy3(best->at, q);
  best->beyond[i] = end;
  best->beyond[j] = sj;
  best->beyond[k] = sk;
}

// How far one can go from the first point in the direction `dir` (1 or -1) until the point of the box below
// it leaves the face normal to axis `face`.
static CT_FN ctReal capsule_box_leave(const CapsuleBoxAxis* s, const CapsuleBoxNear* first, ctReal dir,
                                      int face) {
  ctReal step = 1 - dir * first->t;  // to the end of the axis
  for (int i = 0; i < 3; i++) {
    ctReal slope = dir * s->half[i];
    if (i == face || slope == 0 || slope * (ctReal)first->beyond[i] > 0) continue;
    ctReal wall = slope > 0 ? s->size[i] : -s->size[i];
    ctReal room = (wall - first->at[i]) / slope;
    if (room < step) step = room;
  }
  return first->t + dir * step;
}

// The direction along the axis (1 or -1) that leads over the box from an edge or a corner; 0 when both lead
// away. At a corner one coordinate of the axis may want another way than the two others: it decides when the
// axis runs along it rather than across.
static CT_FN int capsule_box_inward(const CapsuleBoxAxis* s, const CapsuleBoxNear* first) {
  int way[3], sum = 0, count = 0, main = -1;
  for (int i = 0; i < 3; i++) {
    way[i] = first->beyond[i] ? ((s->half[i] > 0) == (first->beyond[i] > 0) ? -1 : 1) : 0;
    sum += way[i];
    count += way[i] != 0;
    if (way[i] && (main < 0 || cti_abs(s->half[i]) > cti_abs(s->half[main]))) main = i;
  }
  if (count == 2 && s->half[main] == 0) {
    // along an edge: to the other end of the axis, but not from the end that is before both sides, as
    // measured
    bool before = first->t < 0 ? sum == 2 : sum == -2;
    return before ? 0 : (first->t > 0 ? -1 : 1);
  }
  if (sum == count || sum == -count) return 0;
  bool along = 2 * s->half[main] * s->half[main] > cti_dot3(s->half, s->half);
  return count == 2 || along ? way[main] : (sum > 0 ? 1 : -1);
}

// Where the second sphere goes; false when there is none.
static CT_FN bool capsule_box_second(ctReal* out, const CapsuleBoxAxis* s, const CapsuleBoxNear* first) {
  int sides = 0, edge = -1, main = -1;
  for (int i = 0; i < 3; i++) {
    sides += first->beyond[i] != 0;
    if (!first->beyond[i]) edge = i;
    if (first->beyond[i] && (main < 0 || cti_abs(s->half[i]) > cti_abs(s->half[main]))) main = i;
  }
  if (sides == 0) return false;
  if (sides == 1) {
    // above a face: back along the axis
    *out = capsule_box_leave(s, first, first->t > 0 ? CT_R(-1) : CT_R(1), main);
    return true;
  }
  int inward = capsule_box_inward(s, first);
  if (inward == 0) return false;
  // from an edge over the face that the axis is most parallel to
  *out = capsule_box_leave(s, first, (ctReal)inward, sides == 2 ? 3 - edge - main : -1);
  return true;
}

static CT_FN int capsule_box_sphere(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal t,
                                    ctReal margin, ctData* d) {
  ctReal center[3], axis[3];
  ctiShape ball = *a;
  cti_column3(axis, a->mat, 2);
  cti_along3(center, a->pos, axis, t * a->size[1]);
  ball.pos = center;
  return cti_sphere_box(out, &ball, b, margin, d);
}

CT_FN int cti_capsule_box(ctiPoint* out, const ctiShape* a, const ctiShape* b, ctReal margin, ctData* d) {
  CapsuleBoxAxis s;
  ctReal rel[3], axis[3];
  cti_sub3(rel, a->pos, b->pos);
  cti_column3(axis, a->mat, 2);
  cti_mul_mat_t_vec3(s.center, b->mat, rel);
  cti_mul_mat_t_vec3(s.half, b->mat, axis);
  cti_scale3(s.half, s.half, a->size[1]);
  s.size = b->size;

  CapsuleBoxNear near = {0, 2, {0, 0, 0}, {0, 0, 0}};  // t > 1: nothing yet
  capsule_box_end(&near, &s, -1);
  capsule_box_end(&near, &s, 1);
  for (int i = 0; i < 3; i++) {
    for (int side = 0; side < 4; side++) capsule_box_edge(&near, &s, i, side & 1 ? 1 : -1, side & 2 ? 1 : -1);
  }
  int n = capsule_box_sphere(out, a, b, near.t, margin, d);
  ctReal second;
  if (capsule_box_second(&second, &s, &near)) n += capsule_box_sphere(out + n, a, b, second, margin, d);
  return n;
}
