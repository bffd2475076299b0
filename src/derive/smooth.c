// Closed forms over trees: recursive Newton-Euler, what else acts on bodies, and springs and dampers of
// dofs. All columns in one sweep inwards.
#include "base/kinds.h"
#include "corten/derive.h"
#include "derive/slopes.h"
#include "math/dense.h"
#include "stage/derivative/velocity.h"
#include "stage/position/point_motion.h"
#include "stage/position/reflected.h"
#include "stage/velocity/fluid.h"
#include "stage/velocity/velocity.h"

// ---- outwards: motions ----

// What is known below a dof, and then with it.
typedef struct Motion {
  ctReal vel[6], field[6], acc[6];
} Motion;

// The dofs from `dof` on that turn together.
static void group_motions(ctiSlopes* s, Motion* at, const ctReal* v, int dof, int n) {
  const ctReal* axes = s->d->cdof;
  ctReal vel[6];
  cti_copy6(vel, at->vel);
  for (int k = dof; k < dof + n; k++) cti_add_scaled6(vel, axes + 6 * k, v[k]);
  for (int k = dof; k < dof + n; k++) {
    const ctReal* axis = axes + 6 * k;
    ctReal t[6];
    s->group[k] = dof;
    cti_cross_motion(s->turn_v + 6 * k, at->vel, axis);
    cti_cross_motion(s->turn_a + 6 * k, at->field, axis);
    cti_cross_motion(s->lift + 6 * k, at->vel, s->turn_v + 6 * k);
    cti_cross_motion(t, at->acc, axis);
    cti_add_to6(s->lift + 6 * k, t);
    cti_cross_motion(s->rate + 6 * k, vel, axis);
    cti_add_to6(s->rate + 6 * k, s->turn_v + 6 * k);
  }
  cti_copy6(at->vel, vel);
  for (int k = dof; k < dof + n; k++) {
    cti_add_scaled6(at->acc, s->turn_v + 6 * k, v[k]);
    if (s->a) cti_add_scaled6(at->acc, axes + 6 * k, s->a[k]);
    if (s->a) cti_add_scaled6(at->field, axes + 6 * k, s->a[k]);
  }
}

// Force of a body that moves, by its velocity: that of I a + v x* I v, the acceleration falling by v x dv.
// With the momentum (L, P) = I v, the inertia (J, h, m) and v = (w, u) it depends on the change of the spin
// alone:
//     torque: ([w] J - J [w] - [L] - h u' - u h' + 2 (u . h)) dw,    force: -2 [P] dw
static void gyroscopic(ctReal matrix[18], const ctReal inertia[10], const ctReal v[6],
                       const ctReal momentum[6]) {
  const ctReal J[9] = {inertia[0], inertia[3], inertia[4], inertia[3], inertia[1],
                       inertia[5], inertia[4], inertia[5], inertia[2]};
  const ctReal *h = inertia + 6, *w = v, *u = v + 3, *L = momentum, *P = momentum + 3;
  const ctReal along = 2 * cti_dot3(u, h);
  // J [w] is minus the transpose of [w] J, whose row k this is
  ctReal wJ[9];
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    for (int c = 0; c < 3; c++) wJ[3 * k + c] = w[i] * J[3 * j + c] - w[j] * J[3 * i + c];
  }
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) matrix[3 * r + c] = wJ[3 * r + c] + wJ[3 * c + r] - h[r] * u[c] - u[r] * h[c];
  }
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    matrix[4 * k] += along;
    matrix[3 * i + j] += L[k];
    matrix[3 * j + i] -= L[k];
    matrix[9 + 4 * k] = 0;
    matrix[9 + 3 * i + j] = 2 * P[k];
    matrix[9 + 3 * j + i] = -2 * P[k];
  }
}

static void body_motion(ctiSlopes* s, int i, const ctReal* v, ctReal* vels) {
  const ctModel* m = s->m;
  const int parent = m->body_parentid[i];
  Motion at;
  cti_copy6(at.vel, vels + 6 * parent);
  cti_copy6(at.field, s->field + 6 * parent);
  cti_copy6(at.acc, s->acc + 6 * parent);
  for (int j = m->body_jntadr[i]; j < m->body_jntadr[i] + m->body_jntnum[i]; j++) {
    const int dof = m->jnt_dofadr[j];
    switch (m->jnt_type[j]) {
      case CT_JOINT_FREE:
        group_motions(s, &at, v, dof, 3);
        group_motions(s, &at, v, dof + 3, 3);
        break;
      case CT_JOINT_BALL: group_motions(s, &at, v, dof, 3); break;
      default: group_motions(s, &at, v, dof, 1);
    }
  }
  cti_copy6(vels + 6 * i, at.vel);
  cti_copy6(s->field + 6 * i, at.field);
  cti_copy6(s->acc + 6 * i, at.acc);
}

// Motions at velocity v, and the force that each body needs for its motion.
static void outwards(ctiSlopes* s, const ctReal* v, bool gravity) {
  const ctModel* m = s->m;
  ctReal* vels = s->scratch;
  const bool falls = gravity && !(m->opt.disableflags & CT_DSBL_GRAVITY);
  cti_zero6(vels);
  cti_zero6(s->field);
  cti_zero6(s->acc);
  cti_zero6(s->force);
  s->surrounded = false;
  for (int i = 1; i < m->nbody; i++) {
    const ctReal* inertia = s->d->cinert + 10 * i;
    ctReal acc[6], momentum[6], gyro[6];
    body_motion(s, i, v, vels);
    cti_copy6(acc, s->acc + 6 * i);
    if (falls) cti_add_scaled3(acc + 3, m->opt.gravity, -1);
    cti_inertia_mul(s->force + 6 * i, inertia, acc);
    cti_inertia_mul(momentum, inertia, vels + 6 * i);
    cti_cross_force(gyro, vels + 6 * i, momentum);
    cti_add_to6(s->force + 6 * i, gyro);
    gyroscopic(s->by_spin + 18 * i, inertia, vels + 6 * i, momentum);
  }
  if (!falls) return;
  // the world accelerates upwards, and is not carried along
  for (int k = 0; k < m->nv; k++) {
    ctReal t[3];
    cti_cross3(t, m->opt.gravity, s->d->cdof + 6 * k);
    cti_add_scaled3(s->lift + 6 * k + 3, t, -1);
  }
}

void cti_slopes_begin(ctiSlopes* s) {
  outwards(s, s->d->qvel, true);
}

// ---- forces on bodies ----

static void about_com(ctReal out[6], const ctiSlopes* s, int body, const ctReal point[3],
                      const ctReal wrench[6]) {
  ctReal arm[3], t[3];
  cti_sub3(arm, point, s->d->subtree_com + 3 * s->m->body_rootid[body]);
  cti_cross3(t, arm, wrench + 3);
  cti_add3(out, wrench, t);
  cti_copy3(out + 3, wrench + 3);
}

void cti_slopes_wrench(ctiSlopes* s, int body, const ctReal point[3], const ctReal wrench[6]) {
  ctReal w[6];
  about_com(w, s, body, point, wrench);
  cti_add_scaled6(s->force + 6 * body, w, -1);
}

// From here on there are forces of what is not carried along.
static void surround(ctiSlopes* s) {
  if (s->surrounded) return;
  s->surrounded = true;
  for (int64_t k = 0; k < (int64_t)36 * s->m->nbody; k++) s->by_drift[k] = s->by_place[k] = 0;
}

void cti_slopes_constant(ctiSlopes* s, int body, const ctReal point[3], const ctReal wrench[6]) {
  ctReal* matrix = s->by_place + 36 * body;
  surround(s);
  cti_slopes_wrench(s, body, point, wrench);
  // carried along it would turn: that is taken back
  for (int k = 0; k < 3; k++) {
    ctReal unit[3] = {0, 0, 0}, turned[6], w[6];
    unit[k] = 1;
    cti_cross3(turned, unit, wrench);
    cti_cross3(turned + 3, unit, wrench + 3);
    about_com(w, s, body, point, turned);
    for (int r = 0; r < 6; r++) matrix[6 * r + k] += w[r];
  }
}

static void add_fluid(ctiSlopes* s) {
  const ctModel* m = s->m;
  const int none = CT_DSBL_SPRING | CT_DSBL_DAMPER;
  if (!cti_has_fluid(m) || (m->opt.disableflags & none) == none) return;
  surround(s);
  for (int i = 1; i < m->nbody; i++) {
    ctReal matrix[36], wrench[6];
    if (!cti_fluid_slopes(m, s->d, i, matrix, wrench)) continue;
    cti_add_scaled6(s->force + 6 * i, wrench, -1);
    for (int k = 0; k < 36; k++) s->by_drift[36 * i + k] -= matrix[k];
    // the wind is not carried along
    for (int k = 0; k < 3; k++) {
      ctReal unit[3] = {0, 0, 0}, wind[3];
      unit[k] = 1;
      cti_cross3(wind, unit, m->opt.wind);
      for (int r = 0; r < 6; r++) s->by_place[36 * i + 6 * r + k] -= cti_dot3(matrix + 6 * r + 3, wind);
    }
  }
}

static void add_body_forces(ctiSlopes* s, bool applied) {
  const ctModel* m = s->m;
  const int none = CT_DSBL_SPRING | CT_DSBL_DAMPER;
  const bool compensated =
      (m->opt.disableflags & none) != none && !(m->opt.disableflags & CT_DSBL_GRAVITY) && m->ngravcomp > 0;
  for (int i = 1; i < m->nbody; i++) {
    const ctReal* f = s->d->xfrc_applied + 6 * i;
    ctReal wrench[6] = {f[3], f[4], f[5], f[0], f[1], f[2]};
    for (int k = 0; !applied && k < 6; k++) wrench[k] = 0;
    if (compensated && m->body_gravcomp[i] != 0)
      cti_add_scaled3(wrench + 3, m->opt.gravity, -m->body_mass[i] * m->body_gravcomp[i]);
    bool any = false;
    for (int k = 0; k < 6; k++) any = any || wrench[k] != 0;
    if (any) cti_slopes_constant(s, i, s->d->xipos + 3 * i, wrench);
  }
  add_fluid(s);
}

// ---- inwards: elements ----

// Of each dof, in the scratch.
typedef struct DofForces {
  const ctReal *right_q, *right_v;  // force by its position and velocity, on everything that it carries
  const ctReal* carried;            // change of the force that it carries along
  const ctReal *left, *left_place;  // its axis times the force by velocity and by place: where there is
                                    // nothing around, three numbers and none
  const ctReal* inert;              // inertia that it carries, times its axis
} DofForces;
#define DOF_FORCES 36

static DofForces dof_forces(const ctiSlopes* s, int dof) {
  const ctReal* at = s->scratch + (int64_t)DOF_FORCES * dof;
  return (DofForces){at, at + 6, at + 12, at + 18, at + 24, at + 30};
}

static void make_dof_forces(ctiSlopes* s, int dof) {
  const int body = s->m->dof_bodyid[dof];
  ctReal* at = s->scratch + (int64_t)DOF_FORCES * dof;
  const ctReal *axis = s->d->cdof + 6 * dof, *crb = s->d->crb + 10 * body, *spin = s->by_spin + 18 * body;
  const ctReal *turn = s->turn_v + 6 * dof, *lift = s->lift + 6 * dof, *rate = s->rate + 6 * dof;
  cti_inertia_mul(at, crb, lift);
  cti_inertia_mul(at + 6, crb, rate);
  cti_cross_force(at + 12, axis, s->force + 6 * body);
  cti_zero6(at + 18);
  for (int r = 0; r < 6; r++) {
    at[r] += cti_dot3(spin + 3 * r, turn);
    at[6 + r] += cti_dot3(spin + 3 * r, axis);
    cti_add_scaled3(at + 18, spin + 3 * r, axis[r]);
  }
  cti_inertia_mul(at + 30, crb, axis);
  if (!s->surrounded) return;
  const ctReal *drift = s->by_drift + 36 * body, *place = s->by_place + 36 * body;
  cti_zero6(at + 24);
  for (int r = 0; r < 6; r++) {
    at[r] += cti_dot6(drift + 6 * r, turn) + cti_dot6(place + 6 * r, axis);
    at[6 + r] += cti_dot6(drift + 6 * r, axis);
    cti_add_scaled6(at + 18, drift + 6 * r, axis[r]);
    cti_add_scaled6(at + 24, place + 6 * r, axis[r]);
  }
}

static void sum_subtrees(ctiSlopes* s) {
  const ctModel* m = s->m;
  for (int i = m->nbody - 1; i > 0; i--) {
    const int parent = m->body_parentid[i];
    if (parent == 0) continue;
    cti_add_to(s->by_spin + 18 * parent, s->by_spin + 18 * i, 18);
    cti_add_to6(s->force + 6 * parent, s->force + 6 * i);
    if (!s->surrounded) continue;
    cti_add_to(s->by_drift + 36 * parent, s->by_drift + 36 * i, 36);
    cti_add_to(s->by_place + 36 * parent, s->by_place + 36 * i, 36);
  }
}

// Rows and columns of dof j with those before it.
static void add_elements(const ctiSlopes* s, int j, const bool* row, ctReal* gq, ctReal* gv, ctReal scale) {
  const ctModel* m = s->m;
  const int64_t n = s->stride;
  const DofForces out = dof_forces(s, j);
  ctReal both[6];
  cti_copy6(both, out.right_q);
  cti_add_to6(both, out.carried);
  for (int i = j; i >= 0; i = m->dof_parentid[i]) {
    const ctReal* axis = s->d->cdof + 6 * i;
    const bool together = s->group[i] == s->group[j];
    if (!row || row[i]) {
      gq[n * j + i] += scale * cti_dot6(axis, together ? out.right_q : both);
      gv[n * j + i] += scale * cti_dot6(axis, out.right_v);
    }
    if (i == j || (row && !row[j])) continue;
    const ctReal* turn = s->turn_v + 6 * i;
    ctReal by_q = cti_dot6(out.inert, s->lift + 6 * i), by_v = cti_dot6(out.inert, s->rate + 6 * i);
    if (s->surrounded) {
      by_q += cti_dot6(out.left, turn) + cti_dot6(out.left_place, axis);
      by_v += cti_dot6(out.left, axis);
    } else {
      by_q += cti_dot3(out.left, turn);
      by_v += cti_dot3(out.left, axis);
    }
    gq[n * i + j] += scale * by_q;
    gv[n * i + j] += scale * by_v;
  }
}

// ---- springs and dampers of dofs ----

// A spring along the displacement x, as stiff as its length says; `slope`: of the force, 3 x 3, by x.
static void vector_spring(ctReal slope[9], const ctModel* m, int j, const ctReal x[3]) {
  const ctReal *poly = m->jnt_stiffnesspoly + CT_NPOLY * j, length = cti_norm3(x);
  const ctReal k = cti_spring_factor(m->jnt_stiffness[j], poly, length),
               rise = length > CTI_MINVAL ? (poly[0] + 2 * poly[1] * length) / length : 0;
  for (int i = 0; i < 9; i++) slope[i] = rise * x[i / 3] * x[i % 3] + (i % 4 == 0 ? k : 0);
}

static void add_spring(ctiSlopes* s, int j) {
  const ctModel* m = s->m;
  const ctReal* poly = m->jnt_stiffnesspoly + CT_NPOLY * j;
  if (!cti_has_force(m->jnt_stiffness[j], poly)) return;
  const ctReal *q = s->d->qpos + m->jnt_qposadr[j], *rest = cti_joint_rest(m, s->d, j);
  int dof = m->jnt_dofadr[j];
  if (cti_joint_is_scalar(m->jnt_type[j])) {
    ctReal x = q[0] - rest[0];
    cti_column_q(s, dof)[dof] += m->jnt_stiffness[j] + x * (2 * poly[0] + 3 * x * poly[1]);
    return;
  }
  ctReal x[3], slope[9], quat[4], by_to[9];
  if (m->jnt_type[j] == CT_JOINT_FREE) {
    cti_sub3(x, q, rest);
    vector_spring(slope, m, j, x);
    for (int i = 0; i < 9; i++) cti_column_q(s, dof + i % 3)[dof + i / 3] += slope[i];
    q += 3;
    rest += 3;
    dof += 3;
  }
  cti_copy4(quat, q);
  cti_normalize4(quat);
  cti_quat_sub(x, quat, rest);
  vector_spring(slope, m, j, x);
  ct_derive_quat_difference(rest, quat, NULL, by_to);
  for (int i = 0; i < 9; i++) {
    for (int k = 0; k < 3; k++)
      cti_column_q(s, dof + i % 3)[dof + i / 3] += slope[3 * (i / 3) + k] * by_to[3 * k + i % 3];
  }
}

static void add_dof_forces(ctiSlopes* s) {
  const ctModel* m = s->m;
  const int none = CT_DSBL_SPRING | CT_DSBL_DAMPER, disabled = m->opt.disableflags & none;
  for (int j = 0; !(disabled & CT_DSBL_SPRING) && j < m->njnt; j++) add_spring(s, j);
  for (int i = 0; !(disabled & CT_DSBL_DAMPER) && i < m->nv; i++) {
    ctiDamping b = cti_dof_damping(m, i);
    cti_column_v(s, i)[i] += cti_damper_derivative(b.linear, b.poly, s->d->qvel[i]);
  }
}

void cti_slopes_finish(ctiSlopes* s, bool applied) {
  add_body_forces(s, applied);
  sum_subtrees(s);
  for (int j = 0; j < s->m->nv; j++) make_dof_forces(s, j);
  for (int j = 0; j < s->m->nv; j++) add_elements(s, j, NULL, s->gq, s->gv, 1);
  add_dof_forces(s);
}

void cti_slopes_bias_along(ctiSlopes* s, const ctReal* along, ctReal step, const bool* row, ctReal* out_q,
                           ctReal* out_v, ctReal scale) {
  const int nv = s->m->nv;
  const ctReal* a = s->a;
  // the bodies' velocities come before it in the scratch, which are then used up
  ctReal* v = s->scratch + (int64_t)6 * s->m->nbody + (int64_t)DOF_FORCES * nv;
  for (int i = 0; i < nv; i++) v[i] = s->d->qvel[i] + step * along[i];
  s->a = NULL;
  outwards(s, v, false);
  sum_subtrees(s);
  for (int j = 0; j < nv; j++) make_dof_forces(s, j);
  for (int j = 0; j < nv; j++) add_elements(s, j, row, out_q, out_v, scale);
  s->a = a;
}

// ---- the mass matrix times a vector ----

void cti_slopes_mass(const ctiSlopes* s, const ctReal* w, ctReal* out) {
  const ctModel* m = s->m;
  const int64_t nv = m->nv;
  const ctReal* axes = s->d->cdof;
  ctReal *field = s->scratch + (int64_t)DOF_FORCES * nv, *force = field + (int64_t)6 * m->nbody;
  // motion below each dof, on its axis; the last use of turn_a
  cti_zero6(field);
  for (int i = 1; i < m->nbody; i++) {
    ctReal at[6];
    cti_copy6(at, field + 6 * m->body_parentid[i]);
    const int end = m->body_dofadr[i] + m->body_dofnum[i];
    for (int k = m->body_dofadr[i]; k < end;) {
      int last = k;
      while (last < end && s->group[last] == s->group[k]) last++;
      for (int g = k; g < last; g++) cti_cross_motion(s->turn_a + 6 * g, at, axes + 6 * g);
      for (; k < last; k++) cti_add_scaled6(at, axes + 6 * k, w[k]);
    }
    cti_copy6(field + 6 * i, at);
    cti_inertia_mul(force + 6 * i, s->d->cinert + 10 * i, at);
  }
  for (int i = m->nbody - 1; i > 0; i--) {
    if (m->body_parentid[i] > 0) cti_add_to6(force + 6 * m->body_parentid[i], force + 6 * i);
  }
  for (int j = 0; j < nv; j++) {
    const int body = m->dof_bodyid[j];
    ctReal right[6], both[6], inert[6];
    cti_inertia_mul(right, s->d->crb + 10 * body, s->turn_a + 6 * j);
    cti_inertia_mul(inert, s->d->crb + 10 * body, axes + 6 * j);
    cti_cross_force(both, axes + 6 * j, force + 6 * body);
    cti_add_to6(both, right);
    for (int i = j; i >= 0; i = m->dof_parentid[i]) {
      out[s->stride * j + i] += cti_dot6(axes + 6 * i, s->group[i] == s->group[j] ? right : both);
      if (i != j) out[s->stride * i + j] += cti_dot6(inert, s->turn_a + 6 * i);
    }
  }
}
