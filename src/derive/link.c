// Closed forms of forces between two bodies: contacts, and the pieces of tendons.
#include "collide/contact_slopes.h"
#include "derive/slopes.h"
#include "math/dense.h"
#include "stage/position/point_motion.h"
#include "stage/position/reflected.h"
#include "stage/position/wrap.h"
#include "stage/solve/row_cost.h"
#include "stage/velocity/velocity.h"

// ---- one pair ----

int cti_slopes_pair(const ctModel* m, int body1, int body2, int* dof, bool* second) {
  int a = cti_last_dof(m, body1), b = cti_last_dof(m, body2), n = 0;
  while (a != b) {
    second[n] = b > a;
    dof[n++] = b > a ? b : a;
    if (b > a) {
      b = m->dof_parentid[b];
    } else {
      a = m->dof_parentid[a];
    }
  }
  return n;
}

// Motion `about` the centre of mass of a body's tree, at a point.
static void motion_at(ctReal out[6], const ctiSlopes* s, const ctReal motion[6], int body,
                      const ctReal point[3]) {
  cti_motion_shift(out, motion, point, s->d->subtree_com + 3 * s->m->body_rootid[body]);
}

static void mul6(ctReal out[6], const ctReal matrix[36], const ctReal v[6]) {
  for (int r = 0; r < 6; r++) out[r] = cti_dot6(matrix + 6 * r, v);
}

// What a dof changes in a pair: its motion of the second body against the first, and the change of the wrench
// by its position and velocity; of the first less what the motion carries along, too.
typedef struct Share {
  ctReal motion[6], by_q[2][6], by_v[6];
} Share;

static void share_of(Share* to, const ctiSlopes* s, const ctiLink* link, int dof, bool second) {
  const int body = link->body[second];
  const ctReal sign = second ? CT_R(1) : CT_R(-1);
  ctReal t[6], u[6];
  motion_at(to->motion, s, s->d->cdof + 6 * dof, body, link->point);
  for (int k = 0; k < 6; k++) to->motion[k] *= sign;
  mul6(to->by_q[0], link->by_place, to->motion);
  if (link->rows) {
    motion_at(t, s, s->turn_a + 6 * dof, body, link->point);
    mul6(u, link->by_acc, t);
    cti_add_scaled6(to->by_q[0], u, sign);
    motion_at(t, s, s->turn_v + 6 * dof, body, link->point);
    mul6(u, link->by_vel, t);
    cti_add_scaled6(to->by_q[0], u, sign);
    mul6(to->by_v, link->by_vel, to->motion);
  }
  cti_cross_force(t, to->motion, link->wrench);
  for (int k = 0; k < 6; k++) to->by_q[1][k] = to->by_q[0][k] - t[k];
}

// The axis of dof i moves with dof j when j comes before it on its side, or with it; a dof of the first side
// carries the wrench along.
static bool is_carried(const ctiSlopes* s, int i, int j) {
  const bool before = s->group[s->dof[i]] < s->group[s->dof[j]];
  if (s->second[i]) return !s->second[j] || !before;
  return !s->second[j] && before;
}

void cti_slopes_link(ctiSlopes* s, const ctiLink* link) {
  Share* share = (Share*)s->scratch;
  const int n = cti_slopes_pair(s->m, link->body[0], link->body[1], s->dof, s->second);
  for (int k = 0; k < n; k++) share_of(share + k, s, link, s->dof[k], s->second[k]);
  for (int j = 0; j < n; j++) {
    ctReal *gq = cti_column_q(s, s->dof[j]), *gv = cti_column_v(s, s->dof[j]);
    for (int i = 0; i < n; i++) {
      gq[s->dof[i]] -= cti_dot6(share[i].motion, share[j].by_q[is_carried(s, i, j)]);
      if (link->rows) gv[s->dof[i]] -= cti_dot6(share[i].motion, share[j].by_v);
    }
  }
}

// ---- contacts ----

// The rows of a contact in the axes of its frame: curvature, curvature times damping, slope by the distance,
// forces.
typedef struct ContactRows {
  int dim;
  ctReal curve[36], damped[36], by_dist[6], force[6];
} ContactRows;

// Row i, which is `weight` of the normal direction and `tilt` of direction k (0: none).
static void add_row(ContactRows* rows, const ctData* d, int i, int k, ctReal tilt) {
  const ctReal *kbip = d->efc_KBIP + 4 * i, impedance = kbip[2];
  const ctReal D = d->efc_state[i] == CTI_ROW_QUADRATIC ? d->efc_D[i] : 0, f = d->efc_force[i];
  const ctReal stiff = kbip[0] * (impedance + kbip[3] * (d->efc_pos[i] - d->efc_margin[i]));
  const ctReal harder = kbip[3] / (impedance * (1 - impedance));
  const ctReal e[2] = {1, tilt};
  const int at[2] = {0, k}, n = k > 0 ? 2 : 1;
  for (int r = 0; r < n; r++) {
    for (int c = 0; c < n; c++) {
      rows->curve[6 * at[r] + at[c]] += D * e[r] * e[c];
      rows->damped[6 * at[r] + at[c]] += D * kbip[1] * e[r] * e[c];
    }
    rows->by_dist[at[r]] += e[r] * (f * harder - D * stiff);
    rows->force[at[r]] += e[r] * f;
  }
}

// An elliptic cone: one block.
static void add_cone(ContactRows* rows, const ctData* d, const ctContact* con, int i) {
  const ctReal* kbip = d->efc_KBIP + 4 * i;
  const ctReal stiff = kbip[0] * (kbip[2] + kbip[3] * (d->efc_pos[i] - d->efc_margin[i]));
  const ctReal harder = kbip[3] / (kbip[2] * (1 - kbip[2]));
  for (int r = 0; r < con->dim; r++) {
    for (int c = 0; c < con->dim; c++) {
      ctReal curve = r == c ? d->efc_D[i + r] : 0;
      if (d->efc_state[i] == CTI_ROW_CONE) curve = con->H[r * con->dim + c];
      rows->curve[6 * r + c] = curve;
      rows->damped[6 * r + c] = curve * d->efc_KBIP[4 * (i + c) + 1];
    }
    rows->force[r] = d->efc_force[i + r];
    rows->by_dist[r] = d->efc_force[i + r] * harder - rows->curve[6 * r] * stiff;
  }
}

// False when the contact does not push, so that nothing changes with it.
static bool contact_rows(ContactRows* rows, const ctModel* m, const ctData* d, const ctContact* con) {
  const int i = con->efc_address;
  if (i < 0) return false;
  *rows = (ContactRows){.dim = con->dim};
  if (con->dim == 1) {
    if (d->efc_state[i] == CTI_ROW_SATISFIED) return false;
    add_row(rows, d, i, 0, 0);
    return true;
  }
  if (m->opt.cone == CT_CONE_ELLIPTIC) {
    if (d->efc_state[i] == CTI_ROW_SATISFIED) return false;
    add_cone(rows, d, con, i);
    return true;
  }
  bool any = false;
  for (int k = 0; k < 2 * (con->dim - 1); k++) {
    if (d->efc_state[i + k] == CTI_ROW_SATISFIED) continue;
    any = true;
    add_row(rows, d, i + k, 1 + k / 2, k % 2 ? -con->friction[k / 2] : con->friction[k / 2]);
  }
  return any;
}

// out += F' v: a vector along the axes of the frame, in the world.
static void add_in_world(ctReal out[3], const ctReal frame[9], const ctReal v[3]) {
  for (int k = 0; k < 3; k++) cti_add_scaled3(out, frame + 3 * k, v[k]);
}

// Rows are forces along the axes of the frame, then torques about them: numbers of the rows as a wrench.
static void wrench_in_world(ctReal out[6], const ctContact* con, const ctReal rows[6]) {
  cti_zero6(out);
  add_in_world(out + 3, con->frame, rows);
  if (con->dim > 3) add_in_world(out, con->frame, rows + 3);
}

// out = -E' C E, E the rows as wrenches.
static void in_world(ctReal out[36], const ctContact* con, const ctReal c[36]) {
  const ctReal* frame = con->frame;
  const int blocks = con->dim > 3 ? 2 : 1;
  for (int k = 0; k < 36; k++) out[k] = 0;
  for (int b = 0; b < blocks * blocks; b++) {
    const int row = b / blocks, column = b % blocks;
    ctReal t[9];
    for (int r = 0; r < 3; r++) {
      cti_zero3(t + 3 * r);
      add_in_world(t + 3 * r, frame, c + 6 * (3 * row + r) + 3 * column);
    }
    ctReal* to = out + (row == 0 ? 18 : 0) + (column == 0 ? 3 : 0);
    for (int k = 0; k < 3; k++) {
      for (int r = 0; r < 3; r++) cti_add_scaled3(to + 6 * k, t + 3 * r, -frame[3 * r + k]);
    }
  }
}

// A contact while its matrices are made; motions are of both bodies, at the contact.
typedef struct Touch {
  const ctContact* con;
  ctReal vel[6], acc[6];        // of the second body
  ctReal slip[6], slip_acc[6];  // against the first
} Touch;

// Change of the relative motion as the rows see it, when the second body moves by `motion`, the contact by
// `pos` and its frame turns by `turn`.
static void seen_change(ctReal out[6], const ctReal motion[6], const ctReal second[6], const ctReal slip[6],
                        const ctReal pos[3], const ctReal turn[3]) {
  ctReal t[3];
  cti_cross_motion(out, motion, second);
  cti_cross3(t, slip, pos);
  cti_add_to3(out + 3, t);
  cti_cross3(t, turn, slip);
  cti_sub3(out, out, t);
  cti_cross3(t, turn, slip + 3);
  cti_sub3(out + 3, out + 3, t);
}

// Wrench of forces and torques that turn with the frame, and whose point moves.
static void turned_wrench(ctReal out[6], const ctReal wrench[6], const ctReal pos[3], const ctReal turn[3]) {
  ctReal t[3];
  cti_cross3(out, turn, wrench);
  cti_cross3(t, pos, wrench + 3);
  cti_add_to3(out, t);
  cti_cross3(out + 3, turn, wrench + 3);
}

// Tangents that lean on an axis of the world turn about the normal when the first body moves, or both do.
static void add_spin(ctiSlopes* s, const ctiLink* link, const Touch* touch, const ctReal spin[3]) {
  const ctModel* m = s->m;
  const ctReal none[6] = {0, 0, 0, 0, 0, 0}, *normal = touch->con->frame;
  ctReal seen[6], change[6], total[6];
  turned_wrench(total, link->wrench, none, normal);
  seen_change(seen, none, none, touch->slip_acc, none, normal);
  mul6(change, link->by_acc, seen);
  cti_add_to6(total, change);
  seen_change(seen, none, none, touch->slip, none, normal);
  mul6(change, link->by_vel, seen);
  cti_add_to6(total, change);
  const int n = cti_slopes_pair(m, link->body[0], link->body[1], s->dof, s->second);
  for (int j = cti_last_dof(m, link->body[0]); j >= 0; j = m->dof_parentid[j]) {
    const ctReal by = cti_dot3(spin, s->d->cdof + 6 * j);
    ctReal* gq = cti_column_q(s, j);
    for (int i = 0; i < n && by != 0; i++) {
      ctReal motion[6];
      motion_at(motion, s, s->d->cdof + 6 * s->dof[i], link->body[s->second[i]], link->point);
      gq[s->dof[i]] -= (s->second[i] ? by : -by) * cti_dot6(motion, total);
    }
  }
}

// Rows that do not mind how the tangents lie.
static bool is_round(const ctModel* m, const ctContact* con) {
  if (con->dim == 1) return true;
  return m->opt.cone == CT_CONE_ELLIPTIC && con->friction[0] == con->friction[1] &&
         (con->dim < 6 || con->friction[3] == con->friction[4]);
}

static void add_contact(ctiSlopes* s, const ctContact* con, const ContactRows* rows,
                        const ctiContactSlopes* by) {
  const ctModel* m = s->m;
  ctiLink link = {.rows = true};
  Touch touch = {.con = con};
  ctReal first[6], near[6];
  for (int k = 0; k < 2; k++) link.body[k] = m->geom_bodyid[con->geom[k]];
  cti_copy3(link.point, con->pos);
  motion_at(touch.vel, s, s->d->cvel + 6 * link.body[1], link.body[1], con->pos);
  motion_at(touch.acc, s, s->field + 6 * link.body[1], link.body[1], con->pos);
  motion_at(first, s, s->d->cvel + 6 * link.body[0], link.body[0], con->pos);
  for (int k = 0; k < 6; k++) touch.slip[k] = touch.vel[k] - first[k];
  motion_at(first, s, s->field + 6 * link.body[0], link.body[0], con->pos);
  for (int k = 0; k < 6; k++) touch.slip_acc[k] = touch.acc[k] - first[k];
  in_world(link.by_acc, con, rows->curve);
  in_world(link.by_vel, con, rows->damped);
  wrench_in_world(link.wrench, con, rows->force);
  wrench_in_world(near, con, rows->by_dist);
  for (int k = 0; k < 6; k++) {
    ctReal motion[6] = {0, 0, 0, 0, 0, 0}, seen[6], change[6], total[6];
    const ctReal pos[3] = {by->pos[k], by->pos[6 + k], by->pos[12 + k]},
                 turn[3] = {by->turn[k], by->turn[6 + k], by->turn[12 + k]};
    motion[k] = 1;
    turned_wrench(total, link.wrench, pos, turn);
    cti_add_scaled6(total, near, by->dist[k]);
    seen_change(seen, motion, touch.acc, touch.slip_acc, pos, turn);
    mul6(change, link.by_acc, seen);
    cti_add_to6(total, change);
    seen_change(seen, motion, touch.vel, touch.slip, pos, turn);
    mul6(change, link.by_vel, seen);
    cti_add_to6(total, change);
    for (int r = 0; r < 6; r++) link.by_place[6 * r + k] = total[r];
  }
  cti_slopes_link(s, &link);
  if (!is_round(m, con) && cti_last_dof(m, link.body[0]) >= 0) add_spin(s, &link, &touch, by->spin);
}

ctStatus cti_slopes_contacts(ctiSlopes* s) {
  const ctData* d = s->d;
  ctiContactSlopes by[CTI_MAX_POINTS];
  for (int i = 0, n; i < d->ncon; i += n) {
    bool known = false;
    for (n = 1; i + n < d->ncon && n < CTI_MAX_POINTS; n++) {
      const ctContact *a = d->contact + i, *b = d->contact + i + n;
      if (a->geom[0] != b->geom[0] || a->geom[1] != b->geom[1]) break;
    }
    for (int k = i; k < i + n; k++) {
      ContactRows rows;
      if (!contact_rows(&rows, s->m, d, d->contact + k)) continue;
      if (!known && !cti_contact_slopes(by, s->m, s->d, i, n, s->eps)) return CT_STEP_OVERFLOW;
      known = true;
      s->contacts++;
      if (!by[k - i].closed) s->contact_differences++;
      if (by[k - i].switches) s->contact_switches++;
      add_contact(s, d->contact + k, &rows, &by[k - i]);
    }
  }
  return CT_OK;
}

// ---- pieces of tendons ----

// A point of the second body that is pulled along `dir` (unit) with `force` against the first body. `turn`:
// change of `dir` by the relative motion of the point, 3 x 3. The dof's changes of velocity and J a along
// `dir` are added to `vel` and `acc`, nv each.
static void add_pull(ctiSlopes* s, int body1, int body2, const ctReal point[3], const ctReal dir[3],
                     const ctReal turn[9], ctReal force, ctReal* vel, ctReal* acc) {
  ctiLink link = {.body = {body1, body2}};
  ctReal first[6], second[2][6], slip[2][6];
  const ctReal* fields[2] = {s->d->cvel, s->field};
  const ctReal* turns[2] = {s->turn_v, s->turn_a};
  ctReal* outs[2] = {vel, acc};
  cti_copy3(link.point, point);
  cti_scale3(link.wrench + 3, dir, force);
  for (int k = 0; k < 3; k++) {
    ctReal unit[3] = {0, 0, 0}, moment[3];
    unit[k] = 1;
    cti_cross3(moment, unit, link.wrench + 3);
    for (int r = 0; r < 3; r++) {
      link.by_place[6 * r + 3 + k] = moment[r];
      link.by_place[6 * (3 + r) + 3 + k] = force * turn[3 * r + k];
    }
  }
  cti_slopes_link(s, &link);
  for (int f = 0; f < 2; f++) {
    motion_at(first, s, fields[f] + 6 * body1, body1, point);
    motion_at(second[f], s, fields[f] + 6 * body2, body2, point);
    for (int k = 0; k < 6; k++) slip[f][k] = second[f][k] - first[k];
  }
  const Share* share = (const Share*)s->scratch;
  const int n = cti_slopes_pair(s->m, body1, body2, s->dof, s->second);
  for (int i = 0; i < n; i++) {
    const ctReal *z = share[i].motion, sign = s->second[i] ? CT_R(1) : CT_R(-1);
    ctReal along[3], bend[3], t[6], shifted[6];
    cti_mul_mat_vec3(bend, turn, z + 3);
    for (int f = 0; f < 2; f++) {
      cti_cross_motion(t, z, second[f]);
      cti_cross3(along, slip[f], z + 3);
      motion_at(shifted, s, turns[f] + 6 * s->dof[i], link.body[s->second[i]], point);
      outs[f][s->dof[i]] += cti_dot3(dir, t + 3) + cti_dot3(dir, along) + sign * cti_dot3(dir, shifted + 3) +
                            cti_dot3(bend, slip[f] + 3);
    }
  }
}

typedef struct Path {
  ctReal *vel, *acc;  // nv: changes of the tendon's velocity and J a
  ctReal force, divisor;
} Path;

static void add_straight(ctiSlopes* s, const Path* path, const ctReal from[3], int body0, const ctReal to[3],
                         int body1) {
  ctReal dir[3], turn[9];
  cti_sub3(dir, to, from);
  const ctReal length = cti_normalize3(dir), weight = 1 / path->divisor;
  if (body0 == body1 || length < CTI_MINVAL) return;
  // the direction is unit: what the divisor leaves of it is in the matrices
  for (int k = 0; k < 9; k++)
    turn[k] = weight * ((k % 4 == 0 ? CT_R(1) : CT_R(0)) - dir[k / 3] * dir[k % 3]) / length;
  cti_scale3(dir, dir, weight);
  add_pull(s, body0, body1, to, dir, turn, path->force, path->vel, path->acc);
}

// Directions in which the ends of a wrapped piece are pulled; false when it does not touch.
static bool end_directions(ctReal out[6], const ctiWrapObject* object, const ctReal from[3],
                           const ctReal to[3]) {
  ctReal touch[6], arc;
  if (!cti_wrap(touch, &arc, object, from, to)) return false;
  cti_sub3(out, from, touch);
  cti_normalize3(out);
  cti_sub3(out + 3, to, touch + 3);
  cti_normalize3(out + 3);
  return true;
}

// Change of both directions by both ends, 6 x 6, by differences: false when a nudge changes the path.
static bool wrap_slopes(ctReal out[36], const ctiWrapObject* object, const ctReal ends[6], ctReal eps) {
  for (int k = 0; k < 6; k++) {
    ctReal at[6], high[6], low[6];
    for (int i = 0; i < 6; i++) at[i] = ends[i];
    at[k] = ends[k] + eps;
    if (!end_directions(high, object, at, at + 3)) return false;
    at[k] = ends[k] - eps;
    if (!end_directions(low, object, at, at + 3)) return false;
    for (int i = 0; i < 6; i++) out[6 * i + k] = (high[i] - low[i]) / (2 * eps);
  }
  return true;
}

// Velocity of the point at one end of a wrapped piece against the body of the geom, by dof: 3 x nv.
static void end_motions(ctiSlopes* s, int geom_body, int body, const ctReal point[3], ctReal* out) {
  const int nv = s->m->nv, n = cti_slopes_pair(s->m, geom_body, body, s->dof, s->second);
  cti_zero(out, 3 * nv);
  for (int i = 0; i < n; i++) {
    ctReal motion[6];
    motion_at(motion, s, s->d->cdof + 6 * s->dof[i], s->second[i] ? body : geom_body, point);
    for (int r = 0; r < 3; r++) out[r * nv + s->dof[i]] = s->second[i] ? motion[3 + r] : -motion[3 + r];
  }
}

// What one end changes at the other: the plane of the path and the height on a cylinder.
static void add_coupling(ctiSlopes* s, const Path* path, const ctReal slope[36], int geom_body,
                         const int body[2], const ctReal ends[6]) {
  const int nv = s->m->nv;
  ctReal* z[2] = {s->scratch, s->scratch + (int64_t)3 * nv};
  for (int e = 0; e < 2; e++) end_motions(s, geom_body, body[e], ends + 3 * e, z[e]);
  for (int e = 0; e < 2; e++) {
    ctReal slip[2][3] = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < nv; i++) {
      for (int r = 0; r < 3; r++) {
        slip[0][r] += z[e][r * nv + i] * s->d->qvel[i];
        slip[1][r] += z[e][r * nv + i] * s->a[i];
      }
    }
    for (int j = 0; j < nv; j++) {
      ctReal bend[3] = {0, 0, 0};
      for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
          bend[r] += slope[6 * (3 * e + r) + 3 * (1 - e) + c] * z[1 - e][c * nv + j] / path->divisor;
      }
      if (bend[0] == 0 && bend[1] == 0 && bend[2] == 0) continue;
      path->vel[j] += cti_dot3(bend, slip[0]);
      path->acc[j] += cti_dot3(bend, slip[1]);
      ctReal* gq = cti_column_q(s, j);
      for (int i = 0; i < nv; i++) {
        for (int r = 0; r < 3; r++) gq[i] -= path->force * z[e][r * nv + i] * bend[r];
      }
    }
  }
}

static void add_wrapped(ctiSlopes* s, const Path* path, int site0, int wrap, int site1) {
  const ctModel* m = s->m;
  const ctData* d = s->d;
  const int geom = m->wrap_objid[wrap], body = m->geom_bodyid[geom],
            bodies[2] = {m->site_bodyid[site0], m->site_bodyid[site1]};
  const ctReal side = m->wrap_prm[wrap];
  ctReal ends[6], dir[6], slope[36], turn[9];
  ctiWrapObject object = {.kind = m->wrap_type[wrap],
                          .radius = m->geom_size[3 * geom],
                          .pos = d->geom_xpos + 3 * geom,
                          .mat = d->geom_xmat + 9 * geom};
  if (side >= 0 && side <= (ctReal)(m->nsite - 1)) object.side = d->site_xpos + 3 * (int)cti_round(side);
  cti_copy3(ends, d->site_xpos + 3 * site0);
  cti_copy3(ends + 3, d->site_xpos + 3 * site1);
  if (!end_directions(dir, &object, ends, ends + 3)) {
    add_straight(s, path, ends, bodies[0], ends + 3, bodies[1]);
    return;
  }
  s->wrap_differences++;
  if (!wrap_slopes(slope, &object, ends, s->eps)) {
    s->contact_switches++;
    for (int k = 0; k < 36; k++) slope[k] = 0;
  }
  for (int e = 0; e < 2; e++) {
    for (int k = 0; k < 9; k++) turn[k] = slope[6 * (3 * e + k / 3) + 3 * e + k % 3] / path->divisor;
    cti_scale3(dir + 3 * e, dir + 3 * e, 1 / path->divisor);
    if (body != bodies[e])
      add_pull(s, body, bodies[e], ends + 3 * e, dir + 3 * e, turn, path->force, path->vel, path->acc);
  }
  add_coupling(s, path, slope, body, bodies, ends);
}

static void follow_path(ctiSlopes* s, Path* path, int begin, int end) {
  const ctModel* m = s->m;
  for (int w = begin; w < end;) {
    if (m->wrap_type[w] == CT_WRAP_PULLEY) {
      path->divisor = m->wrap_prm[w];
      w++;
      continue;
    }
    const int site = m->wrap_objid[w];
    if (w + 1 >= end || m->wrap_type[w + 1] == CT_WRAP_PULLEY) {
      w++;
    } else if (m->wrap_type[w + 1] == CT_WRAP_SITE) {
      const int next = m->wrap_objid[w + 1];
      add_straight(s, path, s->d->site_xpos + 3 * site, m->site_bodyid[site], s->d->site_xpos + 3 * next,
                   m->site_bodyid[next]);
      w++;
    } else {
      add_wrapped(s, path, site, w + 1, m->wrap_objid[w + 2]);
      w += 2;
    }
  }
}

// Springs and dampers of a tendon: its force by length and velocity.
static void add_tendon_slopes(ctiSlopes* s, int t) {
  const ctModel* m = s->m;
  const ctData* d = s->d;
  const int adr = m->ten_J_rowadr[t], n = m->ten_J_rownnz[t];
  const ctReal* poly = m->tendon_stiffnesspoly + CT_NPOLY * t;
  const ctReal *rest = cti_tendon_rest(m, d, t), x = cti_beyond_band(d->ten_length[t], rest);
  // within the band there is no force; a band of no width is passed at once
  const bool spring = !(m->opt.disableflags & CT_DSBL_SPRING) &&
                      cti_has_force(m->tendon_stiffness[t], poly) && (x != 0 || rest[0] == rest[1]);
  const ctiDamping b = cti_tendon_damping(m, t);
  const bool damper = !(m->opt.disableflags & CT_DSBL_DAMPER) && cti_damps(&b);
  if (!spring && !damper) return;
  const ctReal stiff = spring ? m->tendon_stiffness[t] + x * (2 * poly[0] + 3 * x * poly[1]) : 0,
               damp = damper ? cti_damper_derivative(b.linear, b.poly, d->ten_velocity[t]) : 0;
  for (int j = 0; j < n; j++) {
    const int col = m->ten_J_colind[adr + j];
    const ctReal by_q = stiff * d->ten_J[adr + j] + damp * s->ten_v[adr + j], by_v = damp * d->ten_J[adr + j];
    ctReal *gq = cti_column_q(s, col), *gv = cti_column_v(s, col);
    for (int i = 0; i < n; i++) {
      gq[m->ten_J_colind[adr + i]] += d->ten_J[adr + i] * by_q;
      gv[m->ten_J_colind[adr + i]] += d->ten_J[adr + i] * by_v;
    }
  }
}

void cti_slopes_tendons(ctiSlopes* s) {
  const ctModel* m = s->m;
  Path path = {.vel = s->row, .acc = s->row + m->nv};
  for (int t = 0; t < m->ntendon; t++) {
    const int adr = m->ten_J_rowadr[t], n = m->ten_J_rownnz[t];
    const int* col = m->ten_J_colind + adr;
    cti_zero(s->ten_v + adr, n);
    cti_zero(s->ten_a + adr, n);
    if (m->tendon_type[t] == CT_TENDON_SPATIAL) {
      cti_zero(s->row, 2 * m->nv);
      path.force = s->tension[t] + cti_tendon_spring_force(m, s->d, t) + cti_tendon_damper_force(m, s->d, t);
      path.divisor = 1;
      follow_path(s, &path, m->tendon_adr[t], m->tendon_adr[t] + m->tendon_num[t]);
      for (int k = 0; k < n; k++) {
        s->ten_v[adr + k] = path.vel[col[k]];
        s->ten_a[adr + k] = path.acc[col[k]];
      }
    }
    add_tendon_slopes(s, t);
  }
}
