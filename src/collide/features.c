#include "collide/features.h"

#include "collide/pairs.h"

// Of the size of a box: closer to a side is on it.
#define ON_SIDE (sizeof(ctReal) == 8 ? CT_R(1e-9) : CT_R(1e-4))

// ---- planes, spheres, capsules ----

static void meet_plane(ctiMeeting* f, const ctModel* m, const ctData* d, const ctContact* c) {
  int type = m->geom_type[c->geom[1]];
  ctReal radius = type == CT_GEOM_SPHERE || type == CT_GEOM_CAPSULE ? m->geom_size[3 * c->geom[1]] : CT_R(0);
  if (type != CT_GEOM_SPHERE && type != CT_GEOM_CAPSULE && type != CT_GEOM_BOX && type != CT_GEOM_MESH)
    return;
  f->kind = CTI_FEATURE_PLANE;
  cti_scale3(f->at[1], c->frame, radius + c->dist / 2);
  f->leans = type == CT_GEOM_CAPSULE;
  cti_column3(f->tangent, d->geom_xmat + 9 * c->geom[1], 2);
}

// Both points lie along the normal through the contact.
static void meet_points(ctiMeeting* f, const ctContact* c, ctReal radius1, ctReal radius2) {
  f->kind = CTI_FEATURE_POINTS;
  f->out = radius1 + c->dist / 2;
  cti_scale3(f->at[0], c->frame, -f->out);
  cti_scale3(f->at[1], c->frame, radius2 + c->dist / 2);
}

// A point at `at` from the contact, in the frame of a geom.
static void local_point(ctReal out[3], const ctData* d, const ctContact* c, int geom, const ctReal at[3]) {
  ctReal rel[3];
  cti_add3(rel, c->pos, at);
  cti_sub3(rel, rel, d->geom_xpos + 3 * geom);
  cti_mul_mat_t_vec3(out, d->geom_xmat + 9 * geom, rel);
}

// Does the point of a capsule's axis lie between the ends, and not at one?
static bool slides_on(ctReal axis[3], const ctModel* m, const ctData* d, const ctContact* c, int side,
                      const ctReal at[3]) {
  int geom = c->geom[side];
  ctReal local[3], half = m->geom_size[3 * geom + 1];
  cti_column3(axis, d->geom_xmat + 9 * geom, 2);
  local_point(local, d, c, geom, at);
  return cti_abs(local[2]) < half * (1 - CT_R(1e-9));
}

// A sphere whose centre is at at[0], and a box.
static void meet_box(ctiMeeting* f, const ctModel* m, const ctData* d, const ctContact* c, ctReal radius) {
  const ctReal *mat = d->geom_xmat + 9 * c->geom[1], *size = m->geom_size + 3 * c->geom[1];
  ctReal local[3];
  meet_points(f, c, radius, 0);
  local_point(local, d, c, c->geom[1], f->at[0]);
  int beyond = 0, along = 0;
  for (int k = 0; k < 3; k++) {
    if (cti_abs(local[k]) > size[k]) {
      beyond++;
    } else {
      along = k;
    }
  }
  if (beyond <= 1) f->kind = CTI_FEATURE_FACE;
  f->slides[1] = beyond == 2;
  cti_column3(f->axis[1], mat, along);
}

// ---- capsule and box ----

// Changes of the capsule's axis in the frame of the box, and of where its spheres are, by one motion of the
// box.
typedef struct AxisChange {
  ctReal center[3], half[3];
  ctReal t[2];
} AxisChange;

// The first sphere stays at an end of the axis, beside an edge, or beside a corner. False: neither.
static bool first_change(AxisChange* to, const ctiCapsuleBox* s, int edge) {
  const ctReal t = s->t[0];
  ctReal by[3], length2 = 0, across = 0, slope = 0;
  to->t[0] = 0;
  if (t >= 1 || t <= -1) return true;
  for (int k = 0; k < 3; k++) length2 += s->half[k] * s->half[k];
  // across * t = half . (at - center), over the coordinates that are beyond
  for (int k = 0; k < 3; k++) {
    if (k == edge) continue;
    by[k] = s->at[k] - s->center[k] - 2 * t * s->half[k];
    across += s->half[k] * s->half[k];
    slope += to->half[k] * by[k] - s->half[k] * to->center[k];
  }
  if (across <= CT_R(1e-8) * length2) return false;
  to->t[0] = slope / across;
  return true;
}

// The second sphere stops at the end of the axis, or at a side of the box, seen from the point of the box
// under the first one.
static void second_change(AxisChange* to, const ctiCapsuleBox* s) {
  const int i = s->wall;
  to->t[1] = 0;
  if (i < 0) return;
  const ctReal under = s->beyond[i] ? 0 : to->center[i] + to->t[0] * s->half[i] + s->t[0] * to->half[i];
  to->t[1] = to->t[0] - under / s->half[i] - (s->t[1] - s->t[0]) * to->half[i] / s->half[i];
}

static void meet_capsule_box(ctiMeeting* f, const ctModel* m, const ctData* d, const ctContact* c) {
  ctiShape a = cti_geom_shape(m, d, c->geom[0]), b = cti_geom_shape(m, d, c->geom[1]);
  ctiCapsuleBox s;
  ctReal local[3], half[3], arm[3];
  cti_capsule_box_spheres(&s, &a, &b);
  meet_box(f, m, d, c, a.size[0]);
  cti_column3(f->axis[0], a.mat, 2);
  cti_scale3(half, f->axis[0], a.size[1]);
  cti_sub3(arm, a.pos, c->pos);
  // which of the spheres it is
  local_point(local, d, c, c->geom[0], f->at[0]);
  const ctReal t = a.size[1] > 0 ? local[2] / a.size[1] : 0;
  const int which = s.n == 2 && cti_abs(t - s.t[1]) < cti_abs(t - s.t[0]);
  int edge = -1;
  for (int k = 0; k < 3; k++) {
    if (!s.beyond[k]) edge = k;
  }
  if (s.n == 2 && cti_abs(s.t[0] - s.t[1]) < ON_SIDE) f->switches = true;
  for (int k = 0; k < 6; k++) {
    ctReal motion[6] = {0, 0, 0, 0, 0, 0}, u[3];
    AxisChange to;
    motion[k] = 1;
    // what stands in the world moves backwards in the frame of the box
    cti_cross3(u, motion, arm);
    cti_add_to3(u, motion + 3);
    cti_mul_mat_t_vec3(to.center, b.mat, u);
    cti_cross3(u, motion, half);
    cti_mul_mat_t_vec3(to.half, b.mat, u);
    cti_scale3(to.center, to.center, -1);
    cti_scale3(to.half, to.half, -1);
    if (!first_change(&to, &s, edge)) {
      f->kind = CTI_FEATURE_NONE;
      return;
    }
    second_change(&to, &s);
    f->slip[k] = to.t[which] * a.size[1];
  }
}

// ---- two boxes ----

static void meet_edges(ctiMeeting* f, const ctData* d, const ctContact* c, const ctiShape* box[2],
                       const int edge[2]) {
  f->out = c->dist / 2;
  for (int k = 0; k < 2; k++) {
    ctReal local[3];
    cti_scale3(f->at[k], c->frame, k ? f->out : -f->out);
    cti_column3(f->axis[k], box[k]->mat, edge[k]);
    local_point(local, d, c, c->geom[k], f->at[k]);
    for (int i = 0; i < 3; i++) {
      const ctReal size = box[k]->size[i], far = cti_abs(local[i]) - size;
      // at the end of an edge, or on a continuation of it: a degenerate case
      if (i == edge[k] ? far > -ON_SIDE * size : cti_abs(far) > ON_SIDE * size + cti_abs(c->dist) * ON_SIDE)
        return;
    }
    f->slides[k] = true;
  }
  f->kind = CTI_FEATURE_EDGES;
}

// Walls of a corner while they are found.
typedef struct Walls {
  ctiMeeting* f;
  int n;
} Walls;

// Take a side of a box as a wall where the corner lies on it, unless it has three, or one like it.
static void try_wall(Walls* w, const ctiShape* box, int of, int axis, const ctReal local[3]) {
  ctiMeeting* f = w->f;
  ctReal normal[3];
  if (cti_abs(cti_abs(local[axis]) - box->size[axis]) > ON_SIDE * box->size[axis]) return;
  cti_column3(normal, box->mat, axis);
  if (w->n == 3) {
    f->switches = true;
    return;
  }
  for (int k = 0; k < w->n; k++) {
    ctReal across[3];
    cti_cross3(across, f->wall[k], normal);
    if (cti_dot3(across, across) > CT_R(1e-6)) continue;
    f->switches = true;
    return;
  }
  cti_copy3(f->wall[w->n], normal);
  f->of[w->n++] = of;
}

// The corner is where a face meets two sides, its own or those of the face below.
static void meet_corner(ctiMeeting* f, const ctData* d, const ctContact* c, const ctiShape* box[2], int below,
                        int axis, ctReal eps) {
  const int above = 1 - below;
  ctReal cosine[3], local[2][3], normal[3];
  int face = 0;
  cti_scale3(f->at[0], c->frame, below == 0 ? c->dist / 2 : -c->dist / 2);
  for (int k = 0; k < 2; k++) local_point(local[k], d, c, c->geom[k], f->at[0]);
  for (int i = 0; i < 3; i++) {
    cti_column3(normal, box[above]->mat, i);
    cosine[i] = cti_abs(cti_dot3(normal, c->frame));
    if (cosine[i] > cosine[face]) face = i;
  }
  // faces that lie on each other may change their roles
  f->switches = 1 - cosine[face] * cosine[face] < eps * eps;
  f->face = below;
  Walls w = {f, 0};
  cti_column3(f->wall[0], box[above]->mat, face);
  f->of[w.n++] = above;
  for (int k = 1; k < 3; k++) try_wall(&w, box[above], above, (face + k) % 3, local[above]);
  for (int k = 1; k < 3; k++) try_wall(&w, box[below], below, (axis + k) % 3, local[below]);
  if (w.n < 3) return;
  cti_cross3(f->dual[0], f->wall[1], f->wall[2]);
  cti_cross3(f->dual[1], f->wall[2], f->wall[0]);
  cti_cross3(f->dual[2], f->wall[0], f->wall[1]);
  const ctReal det = cti_dot3(f->wall[0], f->dual[0]);
  if (cti_abs(det) < CT_R(1e-3)) return;
  for (int k = 0; k < 3; k++) cti_scale3(f->dual[k], f->dual[k], 1 / det);
  f->kind = CTI_FEATURE_CORNER;
}

static void meet_boxes(ctiMeeting* f, const ctModel* m, const ctData* d, const ctContact* c, ctReal eps) {
  const ctiShape a = cti_geom_shape(m, d, c->geom[0]), b = cti_geom_shape(m, d, c->geom[1]);
  const ctiShape* box[2] = {&a, &b};
  ctiBoxAxis axis;
  if (!cti_box_axis(&axis, &a, &b, CT_R(1e10))) return;
  if (axis.kind < 6) {
    meet_corner(f, d, c, box, axis.kind / 3, axis.kind % 3, eps);
  } else {
    const int edge[2] = {(axis.kind - 6) / 3, (axis.kind - 6) % 3};
    meet_edges(f, d, c, box, edge);
  }
}

// ---- all of them ----

ctiMeeting cti_meeting(const ctModel* m, const ctData* d, const ctContact* c, int n, ctReal eps) {
  ctiMeeting f = {.kind = CTI_FEATURE_NONE};
  const int first = m->geom_type[c->geom[0]], second = m->geom_type[c->geom[1]];
  const ctReal r1 = m->geom_size[3 * c->geom[0]], r2 = m->geom_size[3 * c->geom[1]];
  if (first == CT_GEOM_PLANE) {
    meet_plane(&f, m, d, c);
  } else if (first == CT_GEOM_SPHERE && second == CT_GEOM_SPHERE) {
    meet_points(&f, c, r1, r2);
  } else if (first == CT_GEOM_SPHERE && second == CT_GEOM_BOX) {
    meet_box(&f, m, d, c, r1);
  } else if (second == CT_GEOM_CAPSULE && (first == CT_GEOM_SPHERE || (first == second && n == 1))) {
    meet_points(&f, c, r1, r2);
    f.slides[1] = slides_on(f.axis[1], m, d, c, 1, f.at[1]);
    if (first == CT_GEOM_CAPSULE) f.slides[0] = slides_on(f.axis[0], m, d, c, 0, f.at[0]);
  } else if (first == CT_GEOM_CAPSULE && second == CT_GEOM_BOX) {
    meet_capsule_box(&f, m, d, c);
  } else if (first == CT_GEOM_BOX && second == CT_GEOM_BOX) {
    meet_boxes(&f, m, d, c, eps);
  }
  return f;
}
