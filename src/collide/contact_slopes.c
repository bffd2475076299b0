#include "collide/contact_slopes.h"

#include "collide/collide.h"
#include "collide/features.h"
#include "data/arena.h"
#include "math/quat.h"

// ---- closed forms ----

// What one column needs: changes of normal, place and distance.
typedef struct Change {
  ctReal normal[3], pos[3], dist;
} Change;

static void velocity_at(ctReal out[3], const ctReal motion[6], const ctReal at[3]) {
  cti_cross3(out, motion, at);
  cti_add_to3(out, motion + 3);
}

// Sliding of both points that keeps the line between them across the axes: changes along the first axis, and
// of the line.
static void slide(ctReal line[3], ctReal* along, const ctiMeeting* f, const ctReal motion[6],
                  const ctReal u[3]) {
  ctReal turned[3], gap[3];
  const ctReal *a = f->axis[0], *b = f->axis[1];
  cti_copy3(line, u);
  *along = 0;
  cti_sub3(gap, f->at[1], f->at[0]);
  cti_cross3(turned, motion, b);
  ctReal tilt = f->slides[1] ? cti_dot3(gap, turned) : CT_R(0), y = 0;
  if (f->slides[0] && f->slides[1]) {
    ctReal cosine = cti_dot3(a, b), ub = cti_dot3(u, b) + tilt;
    *along = (cti_dot3(u, a) - cosine * ub) / cti_max(1 - cosine * cosine, CTI_MINVAL);
    y = cosine * *along - ub;
  } else if (f->slides[0]) {
    *along = cti_dot3(u, a);
  } else if (f->slides[1]) {
    y = -cti_dot3(u, b) - tilt;
  }
  cti_add_scaled3(line, b, y);
  cti_add_scaled3(line, a, -*along);
}

// Two edges: the normal stays across both.
static void turn_across(ctReal out[3], const ctiMeeting* f, const ctReal motion[6], const ctReal n[3]) {
  ctReal turned[3], across[3];
  cti_cross3(across, f->axis[0], f->axis[1]);
  cti_cross3(turned, motion, f->axis[1]);
  cti_cross3(out, f->axis[0], turned);
  cti_add_scaled3(out, n, -cti_dot3(out, n));
  cti_scale3(out, out,
             (cti_dot3(across, n) > 0 ? CT_R(1) : CT_R(-1)) / cti_max(cti_norm3(across), CTI_MINVAL));
}

// A corner over a face of the other shape: it stays on three walls, which stand or move.
static Change change_of_corner(const ctiMeeting* f, const ctContact* c, const ctReal motion[6]) {
  const ctReal* n = c->frame;
  ctReal u[3], move[3] = {0, 0, 0};
  Change to;
  velocity_at(u, motion, f->at[0]);
  for (int i = 0; i < 3; i++) {
    if (f->of[i] == 1) cti_add_scaled3(move, f->dual[i], cti_dot3(f->wall[i], u));
  }
  if (f->face == 0) {
    cti_zero3(to.normal);
    to.dist = cti_dot3(n, move);
    cti_along3(to.pos, move, n, -to.dist / 2);
    return to;
  }
  cti_cross3(to.normal, motion, n);
  to.dist = cti_dot3(n, u) - cti_dot3(n, move);
  cti_along3(to.pos, move, n, to.dist / 2);
  cti_add_scaled3(to.pos, to.normal, c->dist / 2);
  return to;
}

// By motion k of the second shape.
static Change change_of(const ctiMeeting* f, const ctContact* c, int k) {
  const ctReal* n = c->frame;
  ctReal motion[6] = {0, 0, 0, 0, 0, 0}, u[3], line[3], along = 0;
  Change to;
  motion[k] = 1;
  if (f->kind == CTI_FEATURE_CORNER) return change_of_corner(f, c, motion);
  // against the point of the first shape, which may slide
  cti_add_scaled3(motion + 3, f->axis[0], -f->slip[k]);
  velocity_at(u, motion, f->at[1]);
  to.dist = cti_dot3(n, u);
  if (f->kind == CTI_FEATURE_PLANE) {
    cti_zero3(to.normal);
    cti_along3(to.pos, u, n, -to.dist / 2);
    return to;
  }
  if (f->kind == CTI_FEATURE_FACE) {
    cti_cross3(to.normal, motion, n);
  } else {
    ctReal gap[3];
    slide(line, &along, f, motion, u);
    cti_sub3(gap, f->at[1], f->at[0]);
    cti_add_scaled3(line, n, -cti_dot3(line, n));
    if (f->kind == CTI_FEATURE_EDGES) {
      turn_across(to.normal, f, motion, n);
    } else {
      cti_scale3(to.normal, line, 1 / cti_max(cti_dot3(gap, n), CTI_MINVAL));
    }
  }
  cti_scale3(to.pos, n, to.dist / 2);
  cti_add_scaled3(to.pos, to.normal, f->out);
  cti_add_scaled3(to.pos, f->axis[0], along + f->slip[k]);
  return to;
}

// ---- the frame ----

// Axis of the world that the first tangent leans on, and how it turns about the normal n by a change of n.
static void lean(ctReal by_normal[3], const ctContact* c) {
  const ctReal* n = c->frame;
  int axis = n[1] < CT_R(0.5) && n[1] > CT_R(-0.5) ? 1 : 2;
  ctReal across = cti_sqrt(cti_max(1 - n[axis] * n[axis], CTI_MINVAL));
  cti_scale3(by_normal, c->frame + 6, -n[axis] / across);
}

static void write_column(ctiContactSlopes* out, const ctContact* c, const Change* to, ctReal spin, int k) {
  ctReal turn[3];
  cti_cross3(turn, c->frame, to->normal);
  cti_add_scaled3(turn, c->frame, spin);
  for (int i = 0; i < 3; i++) {
    out->pos[6 * i + k] = to->pos[i];
    out->turn[6 * i + k] = turn[i];
  }
  out->dist[k] = to->dist;
}

static void closed_form(ctiContactSlopes* out, const ctContact* c, const ctiMeeting* f) {
  ctReal by_normal[3], across[3];
  lean(by_normal, c);
  cti_copy3(across, f->tangent);
  cti_add_scaled3(across, c->frame, -cti_dot3(across, c->frame));
  for (int k = 0; k < 6; k++) {
    Change to = change_of(f, c, k);
    ctReal spin = cti_dot3(by_normal, to.normal);
    if (f->leans) {
      ctReal axis[3] = {0, 0, 0}, turned[3];
      if (k < 3) axis[k] = 1;
      cti_cross3(turned, axis, f->tangent);
      spin = cti_dot3(turned, c->frame + 6) / cti_max(cti_norm3(across), CTI_MINVAL);
    }
    write_column(out, c, &to, spin, k);
  }
}

// ---- differences of the collider ----

typedef struct Nudged {
  ctiPoint* point;
  int n;
} Nudged;

// The second shape moved by `step` along motion k about `about`.
static Nudged nudged_pair(ctiPoint* point, const ctModel* m, ctData* d, const ctContact* c, int k,
                          ctReal step, ctReal reach) {
  ctiShape a = cti_geom_shape(m, d, c->geom[0]), b = cti_geom_shape(m, d, c->geom[1]);
  ctReal pos[3], mat[9];
  cti_copy3(pos, b.pos);
  for (int i = 0; i < 9; i++) mat[i] = b.mat[i];
  if (k < 3) {
    ctReal axis[3] = {0, 0, 0}, quat[4], turn[9], arm[3];
    axis[k] = 1;
    cti_quat_axis_angle(quat, axis, step);
    cti_quat_to_mat(turn, quat);
    cti_mul_mat3(mat, turn, b.mat);
    cti_sub3(arm, b.pos, c->pos);
    cti_mul_mat_vec3(pos, turn, arm);
    cti_add_to3(pos, c->pos);
  } else {
    pos[k - 3] += step;
  }
  b.pos = pos;
  b.mat = mat;
  Nudged r;
  r.point = point;
  r.n = cti_collider(a.type, b.type)(point, &a, &b, reach, d);
  return r;
}

static ctReal pair_reach(const ctModel* m, const ctContact* c) {
  for (int i = 0; i < m->npair; i++) {
    bool same = (m->pair_geom1[i] == c->geom[0] && m->pair_geom2[i] == c->geom[1]) ||
                (m->pair_geom1[i] == c->geom[1] && m->pair_geom2[i] == c->geom[0]);
    bool override = (m->opt.enableflags & CT_ENBL_OVERRIDE) != 0;
    if (same) return (override ? m->opt.o_margin : m->pair_margin[i]) + m->pair_gap[i];
  }
  return cti_geom_reach(m, c->geom[0], c->geom[1]);
}

// Is contact i still there after a nudge?
static bool same_point(const Nudged* to, const ctContact* c, int i, int n, ctReal eps) {
  ctReal rel[3];
  if (to->n != n) return false;
  cti_sub3(rel, to->point[i].pos, c->pos);
  return cti_norm3(rel) < 1000 * eps && cti_dot3(to->point[i].normal, c->frame) > CT_R(0.999);
}

// From `low` to `high`, `width` apart; either may be missing, then from or to the contact as it is.
static Change difference(const ctContact* c, const ctiPoint* low, const ctiPoint* high, ctReal eps) {
  Change to;
  ctReal width = low && high ? 2 * eps : eps;
  to.dist = ((high ? high->dist : c->dist) - (low ? low->dist : c->dist)) / width;
  for (int i = 0; i < 3; i++) {
    to.normal[i] = ((high ? high->normal[i] : c->frame[i]) - (low ? low->normal[i] : c->frame[i])) / width;
    to.pos[i] = ((high ? high->pos[i] : c->pos[i]) - (low ? low->pos[i] : c->pos[i])) / width;
  }
  return to;
}

// Rotations were taken about the first contact of the pair.
static void shift_columns(ctReal* row, const ctReal arm[3]) {
  for (int k = 0; k < 3; k++) {
    ctReal unit[3] = {0, 0, 0}, t[3];
    unit[k] = 1;
    cti_cross3(t, unit, arm);
    row[k] -= cti_dot3(row + 3, t);
  }
}

static bool by_differences(ctiContactSlopes* out, const ctModel* m, ctData* d, int first, int n, ctReal eps) {
  const ctContact* con = d->contact + first;
  size_t mark = cti_scratch_mark(d);
  ctiPoint* points = CTI_SCRATCH(d, ctiPoint, 2 * (int64_t)CTI_MAX_POINTS, "contact_slopes.points");
  ctReal reach = pair_reach(m, con);
  for (int k = 0; k < 6 && points; k++) {
    Nudged high = nudged_pair(points, m, d, con, k, eps, reach),
           low = nudged_pair(points + CTI_MAX_POINTS, m, d, con, k, -eps, reach);
    for (int i = 0; i < n; i++) {
      if (out[i].closed) continue;
      ctReal by_normal[3];
      bool up = same_point(&high, con + i, i, n, eps), down = same_point(&low, con + i, i, n, eps);
      Change to =
          difference(con + i, down ? low.point + i : (ctiPoint*)0, up ? high.point + i : (ctiPoint*)0, eps);
      out[i].switches = out[i].switches || !up || !down;
      lean(by_normal, con + i);
      write_column(out + i, con + i, &to, cti_dot3(by_normal, to.normal), k);
    }
  }
  for (int i = 1; i < n && points; i++) {
    if (out[i].closed) continue;
    ctReal arm[3];
    cti_sub3(arm, con[i].pos, con[0].pos);
    for (int r = 0; r < 3; r++) {
      shift_columns(out[i].pos + 6 * r, arm);
      shift_columns(out[i].turn + 6 * r, arm);
    }
    shift_columns(out[i].dist, arm);
  }
  cti_scratch_release(d, mark);
  return points != (ctiPoint*)0;
}

bool cti_contact_slopes(ctiContactSlopes* out, const ctModel* m, ctData* d, int first, int n, ctReal eps) {
  bool all = true;
  for (int i = 0; i < n; i++) {
    const ctContact* c = d->contact + first + i;
    ctiMeeting f = cti_meeting(m, d, c, n, eps);
    out[i].closed = f.kind != CTI_FEATURE_NONE;
    out[i].switches = f.switches;
    cti_zero3(out[i].spin);
    if (!f.leans) {
      ctReal by_normal[3];
      lean(by_normal, c);
      cti_cross3(out[i].spin, c->frame, by_normal);
      cti_sub3(out[i].spin, out[i].spin, c->frame);
    }
    if (out[i].closed) {
      closed_form(out + i, c, &f);
    } else {
      all = false;
    }
  }
  return all || by_differences(out, m, d, first, n, eps);
}
