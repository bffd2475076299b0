// Closed forms of the rows of constraints other than contacts: equalities, friction loss, limits.
#include "base/kinds.h"
#include "corten/derive.h"
#include "derive/slopes.h"
#include "math/dense.h"
#include "math/quat.h"
#include "stage/constraint/constraint.h"
#include "stage/constraint/softness.h"
#include "stage/position/point_motion.h"
#include "stage/solve/row_cost.h"

// ---- one row ----

// How the force of a row changes: by its residual, by the damping of its velocity in that, and by its
// position.
typedef struct RowSlopes {
  ctReal curve, damped, by_pos, force;
} RowSlopes;

// Equalities of several rows are as violated as all of them together: they see to their position themselves.
static RowSlopes row_slopes(const ctData* d, int i, bool alone) {
  const ctReal *kbip = d->efc_KBIP + 4 * i, impedance = kbip[2];
  const ctReal D = d->efc_state[i] == CTI_ROW_QUADRATIC ? d->efc_D[i] : 0;
  RowSlopes r = {D, D * kbip[1], 0, d->efc_force[i]};
  if (!alone) return r;
  r.by_pos = D * kbip[0] * (impedance + kbip[3] * (d->efc_pos[i] - d->efc_margin[i])) -
             r.force * kbip[3] / (impedance * (1 - impedance));
  return r;
}

// A row with `value` at its dofs, whose position changes by them too; `vel` and `acc`: changes of J v and J
// a.
static void add_sparse_row(ctiSlopes* s, int i, const int* dof, const ctReal* value, const ctReal* vel,
                           const ctReal* acc, int n) {
  const RowSlopes r = row_slopes(s->d, i, true);
  if (r.curve == 0 && r.force == 0) return;
  for (int j = 0; j < n; j++) {
    ctReal by_q = r.by_pos * value[j], by_v = r.damped * value[j];
    if (vel) by_q += r.damped * vel[j] + r.curve * acc[j];
    ctReal *gq = cti_column_q(s, dof[j]), *gv = cti_column_v(s, dof[j]);
    for (int k = 0; k < n; k++) {
      gq[dof[k]] += value[k] * by_q;
      gv[dof[k]] += value[k] * by_v;
    }
  }
}

// ---- friction loss and limits of joints ----

// The angle of a ball: its axis turns.
static void ball_limit(ctiSlopes* s, int i, int j) {
  const ctModel* m = s->m;
  const int dof = m->jnt_dofadr[j];
  const RowSlopes r = row_slopes(s->d, i, true);
  const ctReal unit[4] = {1, 0, 0, 0};
  ctReal quat[4], axis[3], by_turn[9], bend[9];
  if (r.curve == 0) return;
  cti_copy4(quat, s->d->qpos + m->jnt_qposadr[j]);
  cti_normalize4(quat);
  cti_quat_to_vel(axis, quat, 1);
  ct_derive_quat_difference(unit, quat, NULL, by_turn);
  const ctReal angle = cti_normalize3(axis);
  // J = -axis, and its change
  for (int k = 0; k < 9; k++) {
    bend[k] = 0;
    for (int l = 0; l < 3; l++)
      bend[k] -= ((k / 3 == l ? CT_R(1) : CT_R(0)) - axis[k / 3] * axis[l]) * by_turn[3 * l + k % 3] /
                 cti_max(angle, CTI_MINVAL);
  }
  for (int c = 0; c < 3; c++) {
    ctReal by_q = -r.by_pos * axis[c];
    for (int k = 0; k < 3; k++)
      by_q += bend[3 * k + c] * (r.curve * s->a[dof + k] + r.damped * s->d->qvel[dof + k]);
    for (int k = 0; k < 3; k++) {
      cti_column_q(s, dof + c)[dof + k] += -axis[k] * by_q - bend[3 * k + c] * r.force;
      cti_column_v(s, dof + c)[dof + k] += r.damped * axis[k] * axis[c];
    }
  }
}

// Which side of its range a limit of a joint or tendon is: 1 at the lower end.
static ctReal limit_side(const ctReal range[2], ctReal x, ctReal dist) {
  return cti_abs(x - range[0] - dist) <= cti_abs(range[1] - x - dist) ? CT_R(1) : CT_R(-1);
}

static void joint_limit(ctiSlopes* s, int i, int j) {
  const ctModel* m = s->m;
  const ctReal side = limit_side(m->jnt_range + 2 * j, s->d->qpos[m->jnt_qposadr[j]], s->d->efc_pos[i]);
  if (m->jnt_type[j] == CT_JOINT_BALL) {
    ball_limit(s, i, j);
  } else {
    add_sparse_row(s, i, m->jnt_dofadr + j, &side, NULL, NULL, 1);
  }
}

// ---- tendons ----

static ctReal tendon_sign(const ctiSlopes* s, int i, int t) {
  if (s->d->efc_type[i] == CT_CNSTR_FRICTION_TENDON) return 1;
  return limit_side(s->m->tendon_range + 2 * t, s->d->ten_length[t], s->d->efc_pos[i]);
}

static void tendon_row(ctiSlopes* s, int i, int t) {
  const int adr = s->m->ten_J_rowadr[t], n = s->m->ten_J_rownnz[t];
  const ctReal sign = tendon_sign(s, i, t);
  ctReal *value = s->scratch, *vel = value + n, *acc = vel + n;
  for (int k = 0; k < n; k++) {
    value[k] = sign * s->d->ten_J[adr + k];
    vel[k] = sign * s->ten_v[adr + k];
    acc[k] = sign * s->ten_a[adr + k];
  }
  add_sparse_row(s, i, s->m->ten_J_colind + adr, value, vel, acc, n);
}

// Slope of the polynomial that couples two tendons or joints, and its own slope.
static ctReal coupling(const ctModel* m, int eq, ctReal x, ctReal* bend) {
  const ctReal* c = m->eq_data + CT_NEQDATA * eq;
  ctReal slope;
  cti_coupling(c, x, &slope);
  *bend = 2 * c[2] + x * (6 * c[3] + 12 * x * c[4]);
  return slope;
}

static void tendon_equality(ctiSlopes* s, int i, int eq) {
  const ctModel* m = s->m;
  const ctData* d = s->d;
  const int t1 = m->eq_obj1id[eq], t2 = m->eq_obj2id[eq], nv = m->nv;
  ctReal *value = s->scratch, *vel = value + nv, *acc = vel + nv, *other = acc + nv;
  cti_zero(value, 4 * nv);
  for (int k = m->ten_J_rowadr[t1]; k < m->ten_J_rowadr[t1] + m->ten_J_rownnz[t1]; k++) {
    value[m->ten_J_colind[k]] = d->ten_J[k];
    vel[m->ten_J_colind[k]] = s->ten_v[k];
    acc[m->ten_J_colind[k]] = s->ten_a[k];
  }
  ctReal bend = 0;
  if (t2 >= 0) {
    const ctReal slope = coupling(m, eq, d->ten_length[t2] - m->tendon_length0[t2], &bend);
    ctReal v = 0, a = 0;
    for (int k = m->ten_J_rowadr[t2]; k < m->ten_J_rowadr[t2] + m->ten_J_rownnz[t2]; k++) {
      const int c = m->ten_J_colind[k];
      other[c] = d->ten_J[k];
      v += d->ten_J[k] * d->qvel[c];
      a += d->ten_J[k] * s->a[c];
      value[c] -= slope * d->ten_J[k];
      vel[c] -= slope * s->ten_v[k];
      acc[c] -= slope * s->ten_a[k];
    }
    for (int c = 0; c < nv; c++) {
      vel[c] -= bend * other[c] * v;
      acc[c] -= bend * other[c] * a;
    }
  }
  for (int k = 0; k < nv; k++) s->dof[k] = k;
  add_sparse_row(s, i, s->dof, value, vel, acc, nv);
  // the row itself turns with the second length; its tendons' own turns are in their tensions
  for (int c = 0; bend != 0 && c < nv; c++) {
    for (int k = 0; k < nv; k++) cti_column_q(s, c)[k] += bend * other[k] * other[c] * d->efc_force[i];
  }
}

static void joint_equality(ctiSlopes* s, int i, int eq) {
  const ctModel* m = s->m;
  const int j1 = m->eq_obj1id[eq], j2 = m->eq_obj2id[eq];
  int dof[2] = {m->jnt_dofadr[j1], -1};
  ctReal value[2] = {1, 0}, vel[2] = {0, 0}, acc[2] = {0, 0}, bend;
  if (j2 < 0) {
    add_sparse_row(s, i, dof, value, vel, acc, 1);
    return;
  }
  const int q2 = m->jnt_qposadr[j2];
  dof[1] = m->jnt_dofadr[j2];
  value[1] = -coupling(m, eq, s->d->qpos[q2] - m->qpos0[q2], &bend);
  vel[1] = -bend * s->d->qvel[dof[1]];
  acc[1] = -bend * s->a[dof[1]];
  add_sparse_row(s, i, dof, value, vel, acc, 2);
  cti_column_q(s, dof[1])[dof[1]] += bend * s->d->efc_force[i];
}

void cti_slopes_row_tensions(ctiSlopes* s) {
  const ctModel* m = s->m;
  const ctData* d = s->d;
  for (int i = 0; i < d->ne + d->nf + d->nl; i++) {
    const int id = d->efc_id[i];
    const ctReal f = d->efc_force[i];
    if (d->efc_type[i] == CT_CNSTR_FRICTION_TENDON || d->efc_type[i] == CT_CNSTR_LIMIT_TENDON) {
      s->tension[id] += tendon_sign(s, i, id) * f;
    } else if (d->efc_type[i] == CT_CNSTR_EQUALITY && m->eq_type[id] == CT_EQ_TENDON) {
      const int t2 = m->eq_obj2id[id];
      ctReal bend;
      s->tension[m->eq_obj1id[id]] += f;
      if (t2 >= 0) s->tension[t2] -= f * coupling(m, id, d->ten_length[t2] - m->tendon_length0[t2], &bend);
    }
  }
}

// ---- connect and weld ----

void cti_place_motion(ctiPlace* p, const ctiSlopes* s) {
  const ctReal* com = s->d->subtree_com + 3 * s->m->body_rootid[p->body];
  cti_motion_shift(p->vel, s->d->cvel + 6 * p->body, p->at, com);
  cti_motion_shift(p->acc, s->acc + 6 * p->body, p->at, com);
}

static void point_of(ctiPlace* p, const ctiSlopes* s, int eq, int object, const ctReal local[3]) {
  const ctModel* m = s->m;
  const ctData* d = s->d;
  if (m->eq_objtype[eq] == CT_OBJ_SITE) {
    p->body = m->site_bodyid[object];
    cti_copy3(p->at, d->site_xpos + 3 * object);
    cti_copy4(p->quat, d->site_xquat + 4 * object);
  } else {
    p->body = object;
    cti_mul_mat_vec3(p->at, d->xmat + 9 * object, local);
    cti_add_to3(p->at, d->xpos + 3 * object);
    cti_copy4(p->quat, d->xquat + 4 * object);
  }
  cti_place_motion(p, s);
}

void cti_place_slopes(ctiPlaceSlopes* to, const ctiSlopes* s, const ctiPlace* p, int dof) {
  const ctModel* m = s->m;
  const ctReal* com = s->d->subtree_com + 3 * m->body_rootid[p->body];
  ctReal axis[6], turn[6], t[6], u[3];
  cti_motion_shift(axis, s->d->cdof + 6 * dof, p->at, com);
  cti_motion_shift(turn, s->turn_v + 6 * dof, p->at, com);
  cti_copy3(to->turn, axis);
  cti_copy3(to->move, axis + 3);
  // velocity: S x v + turn, at a point that moves
  cti_cross_motion(t, axis, p->vel);
  cti_add_to6(t, turn);
  cti_cross3(u, p->vel, to->move);
  cti_copy3(to->spin, t);
  cti_add3(to->vel, t + 3, u);
  // acceleration: S x a + lift + turn x v, without the gravity that is in `lift`; then that of the point
  ctReal lift[6];
  cti_copy6(lift, s->lift + 6 * dof);
  if (!(m->opt.disableflags & CT_DSBL_GRAVITY)) {
    cti_cross3(u, m->opt.gravity, s->d->cdof + 6 * dof);
    cti_add_to3(lift + 3, u);
  }
  cti_motion_shift(to->acc, lift, p->at, com);
  cti_cross_motion(t, axis, p->acc);
  cti_add_to6(to->acc, t);
  cti_cross_motion(t, turn, p->vel);
  cti_add_to6(to->acc, t);
  cti_cross3(u, p->acc, to->move);
  cti_add_to3(to->acc + 3, u);
  cti_cross3(u, to->spin, p->vel + 3);
  cti_add_to3(to->acc + 3, u);
  cti_cross3(u, p->vel, to->vel);
  cti_add_to3(to->acc + 3, u);
  // by velocity: rate - v x S, and of the point
  cti_motion_shift(to->acc_v, s->rate + 6 * dof, p->at, com);
  cti_cross_motion(t, p->vel, axis);
  cti_add_scaled6(to->acc_v, t, -1);
  cti_cross3(u, axis, p->vel + 3);
  cti_add_to3(to->acc_v + 3, u);
  cti_cross3(u, p->vel, axis + 3);
  cti_add_to3(to->acc_v + 3, u);
}

// out = scale vec(conj(b) x t), x = (w, v)
static void sandwich(ctReal out[3], const ctReal b[4], const ctReal x[4], const ctReal t[4], ctReal scale) {
  ctReal conj[4], r[4];
  cti_quat_conj(conj, b);
  cti_quat_mul(r, conj, x);
  cti_quat_mul(r, r, t);
  cti_scale3(out, r + 1, scale);
}

// x += scale a b for pure a and b
static void add_product(ctReal x[4], const ctReal a[3], const ctReal b[3], ctReal scale) {
  ctReal t[3];
  cti_cross3(t, a, b);
  x[0] -= scale * cti_dot3(a, b);
  cti_add_scaled3(x + 1, t, scale);
}

// A weld's rotation rows: x -> vec(conj(q2) x q1') of the acceleration, the velocity and the rotation.
typedef struct Weld {
  ctReal b[4], target[4], scale;
  ctReal acc[4], vel[4];  // x of the rows' acceleration and velocity
} Weld;

// (w', v') + (x Ta - Tb x) / 2: change of x when both sides turn as well
static void turned(ctReal out[4], const ctReal x[4], const ctReal a[3], const ctReal b[3]) {
  ctReal qa[4] = {0, a[0], a[1], a[2]}, qb[4] = {0, b[0], b[1], b[2]}, left[4], right[4];
  cti_quat_mul(right, x, qa);
  cti_quat_mul(left, qb, x);
  for (int k = 0; k < 4; k++) out[k] += (right[k] - left[k]) / 2;
}

static void weld_of(Weld* w, const ctModel* m, const ctiPlace p[2], int eq) {
  ctReal u[3];
  w->scale = m->eq_data[CT_NEQDATA * eq + 10];
  cti_copy4(w->b, p[1].quat);
  if (m->eq_objtype[eq] == CT_OBJ_SITE) {
    cti_copy4(w->target, p[0].quat);
  } else {
    cti_quat_mul(w->target, p[0].quat, m->eq_data + CT_NEQDATA * eq + 6);
  }
  cti_sub3(u, p[0].vel, p[1].vel);
  w->vel[0] = w->acc[0] = 0;
  cti_copy3(w->vel + 1, u);
  cti_sub3(w->acc + 1, p[0].acc, p[1].acc);
  add_product(w->acc, u, p[0].vel, CT_R(0.5));
  add_product(w->acc, p[1].vel, u, CT_R(-0.5));
}

// Changes of one dof in the rows: Jacobian, position, velocity, acceleration; of the last by velocity.
typedef struct BodyRows {
  ctReal J[6], vel[6], acc[6], acc_v[6], torque[3];
} BodyRows;

static void weld_rows(BodyRows* to, const Weld* w, const ctiPlace p[2], const ctiPlaceSlopes by[2],
                      const ctReal torque[3]) {
  const ctReal half = CT_R(0.5) * w->scale;
  ctReal u[3], du[3], x[4] = {0, 0, 0, 0};
  cti_sub3(x + 1, by[0].turn, by[1].turn);
  sandwich(to->J + 3, w->b, x, w->target, half);
  cti_sub3(u, p[0].vel, p[1].vel);
  cti_sub3(du, by[0].spin, by[1].spin);
  // velocity
  x[0] = 0;
  cti_copy3(x + 1, du);
  turned(x, w->vel, by[0].turn, by[1].turn);
  sandwich(to->vel + 3, w->b, x, w->target, half);
  // acceleration u' + (u w1 - w2 u) / 2
  x[0] = 0;
  cti_sub3(x + 1, by[0].acc, by[1].acc);
  add_product(x, du, p[0].vel, CT_R(0.5));
  add_product(x, u, by[0].spin, CT_R(0.5));
  add_product(x, by[1].spin, u, CT_R(-0.5));
  add_product(x, p[1].vel, du, CT_R(-0.5));
  turned(x, w->acc, by[0].turn, by[1].turn);
  sandwich(to->acc + 3, w->b, x, w->target, half);
  x[0] = 0;
  cti_sub3(x + 1, by[0].acc_v, by[1].acc_v);
  cti_sub3(du, by[0].turn, by[1].turn);
  add_product(x, du, p[0].vel, CT_R(0.5));
  add_product(x, u, by[0].turn, CT_R(0.5));
  add_product(x, by[1].turn, u, CT_R(-0.5));
  add_product(x, p[1].vel, du, CT_R(-0.5));
  sandwich(to->acc_v + 3, w->b, x, w->target, half);
  // what the turns make of the torque: rows of constant force
  for (int k = 0; k < 3; k++) {
    ctReal unit[4] = {0, 0, 0, 0}, change[4] = {0, 0, 0, 0}, row[3];
    unit[1 + k] = 1;
    turned(change, unit, by[0].turn, by[1].turn);
    sandwich(row, w->b, change, w->target, half);
    to->torque[k] = cti_dot3(torque, row);
  }
}

// Dofs that move one of two bodies, or both.
static int union_dofs(const ctModel* m, const ctiPlace p[2], int* dof, bool* moves) {
  int last[2] = {cti_last_dof(m, p[0].body), cti_last_dof(m, p[1].body)}, n = 0;
  while (last[0] >= 0 || last[1] >= 0) {
    const int k = last[0] > last[1] ? last[0] : last[1];
    dof[n] = k;
    for (int e = 0; e < 2; e++) {
      moves[2 * n + e] = last[e] == k;
      if (last[e] == k) last[e] = m->dof_parentid[k];
    }
    n++;
  }
  return n;
}

static void add_body_rows(ctiSlopes* s, int i, int eq, int count) {
  const ctModel* m = s->m;
  const ctData* d = s->d;
  const ctReal *data = m->eq_data + CT_NEQDATA * eq, *f = d->efc_force + i, *pos = d->efc_pos + i;
  const bool weld = m->eq_type[eq] == CT_EQ_WELD;
  const ctReal violation = cti_norm(pos, count);
  ctiPlace p[2];
  Weld w;
  point_of(&p[0], s, eq, m->eq_obj1id[eq], weld ? data + 3 : data);
  point_of(&p[1], s, eq, m->eq_obj2id[eq], weld ? data : data + 3);
  if (weld) weld_of(&w, m, p, eq);
  BodyRows* rows = (BodyRows*)s->scratch;
  bool* moves = s->second;
  const int n = union_dofs(m, p, s->dof, moves);
  ctReal torque[3] = {0, 0, 0};
  for (int j = 0; j < n; j++) {
    ctiPlaceSlopes by[2];
    for (int e = 0; e < 2; e++) {
      by[e] = (ctiPlaceSlopes){{0}, {0}, {0}, {0}, {0}, {0}};
      if (moves[2 * j + e]) cti_place_slopes(&by[e], s, &p[e], s->dof[j]);
    }
    BodyRows* to = rows + j;
    *to = (BodyRows){{0}, {0}, {0}, {0}, {0}};
    cti_sub3(to->J, by[0].move, by[1].move);
    cti_sub3(to->vel, by[0].vel, by[1].vel);
    cti_sub3(to->acc, by[0].acc + 3, by[1].acc + 3);
    cti_sub3(to->acc_v, by[0].acc_v + 3, by[1].acc_v + 3);
    if (weld) weld_rows(to, &w, p, by, f + 3);
  }
  for (int j = 0; j < n; j++) {
    ctReal *gq = cti_column_q(s, s->dof[j]), *gv = cti_column_v(s, s->dof[j]), by_q[6], by_v[6], grow = 0;
    for (int r = 0; r < count; r++) grow += violation > CTI_MINVAL ? pos[r] * rows[j].J[r] / violation : 0;
    for (int r = 0; r < count; r++) {
      const ctReal *k = d->efc_KBIP + 4 * (i + r), D = d->efc_D[i + r];
      by_q[r] =
          D * (rows[j].acc[r] + k[1] * rows[j].vel[r] + k[0] * (k[2] * rows[j].J[r] + k[3] * grow * pos[r])) -
          f[r] * k[3] / (k[2] * (1 - k[2])) * grow;
      by_v[r] = D * (rows[j].acc_v[r] + k[1] * rows[j].J[r]);
    }
    for (int l = 0; l < n; l++) {
      for (int r = 0; r < count; r++) {
        gq[s->dof[l]] += rows[l].J[r] * by_q[r];
        gv[s->dof[l]] += rows[l].J[r] * by_v[r];
      }
      // a torque that turns, on the dofs that move the first side against the second
      const ctReal* axis = d->cdof + 6 * s->dof[l];
      if (weld && moves[2 * l] != moves[2 * l + 1])
        gq[s->dof[l]] -= (moves[2 * l] ? CT_R(1) : CT_R(-1)) * cti_dot3(axis, rows[j].torque);
    }
  }
  if (weld) cti_weld_torque(torque, m, d, eq, f + 3);
  for (int e = 0; e < 2; e++) {
    const ctReal sign = e ? CT_R(-1) : CT_R(1);
    const ctReal wrench[6] = {sign * torque[0], sign * torque[1], sign * torque[2],
                              sign * f[0],      sign * f[1],      sign * f[2]};
    cti_slopes_constant(s, p[e].body, p[e].at, wrench);
  }
}

// ---- all of them ----

static int equality_rows(const ctiSlopes* s, int i) {
  int n = 1;
  while (i + n < s->d->ne && s->d->efc_id[i + n] == s->d->efc_id[i]) n++;
  return n;
}

void cti_slopes_rows(ctiSlopes* s) {
  const ctModel* m = s->m;
  const ctData* d = s->d;
  const ctReal one = 1;
  for (int i = 0, n; i < d->ne + d->nf + d->nl; i += n) {
    int id = d->efc_id[i];
    n = 1;
    switch (d->efc_type[i]) {
      case CT_CNSTR_FRICTION_DOF: add_sparse_row(s, i, &id, &one, NULL, NULL, 1); break;
      case CT_CNSTR_LIMIT_JOINT: joint_limit(s, i, id); break;
      case CT_CNSTR_FRICTION_TENDON:
      case CT_CNSTR_LIMIT_TENDON: tendon_row(s, i, id); break;
      default:
        switch (m->eq_type[id]) {
          case CT_EQ_JOINT: joint_equality(s, i, id); break;
          case CT_EQ_TENDON: tendon_equality(s, i, id); break;
          default: n = equality_rows(s, i); add_body_rows(s, i, id, n);
        }
    }
  }
}
