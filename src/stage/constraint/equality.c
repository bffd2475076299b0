#include "data/arena.h"
#include "data/awake.h"
#include "math/quat.h"
#include "math/spatial.h"
#include "stage/constraint/constraint.h"
#include "stage/constraint/flex_rows.h"
#include "stage/constraint/row_writer.h"
#include "stage/constraint/softness.h"
#include "stage/position/point_motion.h"

// One side of a connect or weld: the body, the point on it, and its orientation.
typedef struct EqSide {
  int body;
  ctReal point[3], quat[4];
} EqSide;

// `local`: the point in the body, for constraints between bodies.
static CT_FN void equality_side(EqSide* out, const ctModel* m, const ctData* d, int eq, int object,
                                const ctReal local[3]) {
  if (m->eq_objtype[eq] == CT_OBJ_SITE) {
    out->body = m->site_bodyid[object];
    cti_copy3(out->point, d->site_xpos + 3 * object);
    cti_copy4(out->quat, d->site_xquat + 4 * object);
  } else {
    out->body = object;
    cti_mul_mat_vec3(out->point, d->xmat + 9 * object, local);
    cti_add_to3(out->point, d->xpos + 3 * object);
    cti_copy4(out->quat, d->xquat + 4 * object);
  }
}

static CT_FN void equality_sides(EqSide* a, EqSide* b, const ctModel* m, const ctData* d, int eq) {
  const ctReal* data = m->eq_data + CT_NEQDATA * eq;
  bool weld = m->eq_type[eq] == CT_EQ_WELD;
  // a weld keeps its anchor in the second body first
  equality_side(a, m, d, eq, m->eq_obj1id[eq], weld ? data + 3 : data);
  equality_side(b, m, d, eq, m->eq_obj2id[eq], weld ? data : data + 3);
}

// Orientation that the second side should have: that of the first, times the relative one.
static CT_FN void weld_target(ctReal quat[4], const ctModel* m, const EqSide* a, int eq) {
  if (m->eq_objtype[eq] == CT_OBJ_SITE) {
    cti_copy4(quat, a->quat);
  } else {
    cti_quat_mul(quat, a->quat, m->eq_data + CT_NEQDATA * eq + 6);
  }
}

// Vector part of conj(b) (0, u) q.
static CT_FN void sandwich(ctReal out[3], const ctReal b[4], const ctReal u[3], const ctReal q[4]) {
  ctReal conj[4], pure[4] = {0, u[0], u[1], u[2]}, t[4];
  cti_quat_conj(conj, b);
  cti_quat_mul(t, conj, pure);
  cti_quat_mul(t, t, q);
  cti_copy3(out, t + 1);
}

CT_FN void cti_weld_torque(ctReal out[3], const ctModel* m, const ctData* d, int eq, const ctReal force[3]) {
  EqSide a, b;
  ctReal target[4], turn[3], scale = CT_R(0.5) * m->eq_data[CT_NEQDATA * eq + 10];
  equality_sides(&a, &b, m, d, eq);
  weld_target(target, m, &a, eq);
  // the rows are a linear map of the relative spin: its transpose takes their forces back
  for (int k = 0; k < 3; k++) {
    ctReal axis[3] = {0, 0, 0};
    axis[k] = 1;
    sandwich(turn, b.quat, axis, target);
    out[k] = scale * cti_dot3(force, turn);
  }
}

// ---- rows ----

// Does a dof move a body?
static CT_FN bool dof_moves(const ctModel* m, int dof, int body) {
  int k = cti_last_dof(m, body);
  while (k > dof) k = m->dof_parentid[k];
  return k == dof;
}

// Motion of a world point fixed to a body with one dof: rotation then translation. Zero when the dof does not
// move it.
static CT_FN void point_motion(ctReal motion[6], const ctModel* m, const ctData* d, int dof, int body,
                               const ctReal point[3]) {
  cti_motion_shift(motion, d->cdof + 6 * dof, point, d->subtree_com + 3 * m->body_rootid[body]);
}

typedef struct EqScratch {
  int* dof;
  ctReal* value;  // 6 rows of nv
} EqScratch;

static CT_FN void body_rows(ctiRowWriter* rows, int eq, EqScratch s) {
  const ctModel* m = rows->m;
  const ctData* d = rows->d;
  int nv = m->nv, count = m->eq_type[eq] == CT_EQ_WELD ? 6 : 3;
  EqSide a, b;
  equality_sides(&a, &b, m, d, eq);
  ctReal pos[6], target[4] = {1, 0, 0, 0}, scale = m->eq_data[CT_NEQDATA * eq + 10];
  cti_sub3(pos, a.point, b.point);
  if (count == 6) {
    ctReal conj[4], error[4];
    weld_target(target, m, &a, eq);
    cti_quat_conj(conj, b.quat);
    cti_quat_mul(error, conj, target);
    cti_scale3(pos + 3, error + 1, scale);
  }
  const ctiPaths paths = cti_find_paths(m, a.body, b.body);
  CT_TEAM_SYNC();  // the last equality has been written
  int n = cti_list_dofs(&paths, false, s.dof);
  for (int k = 0; k < n; k++) {
    ctReal diff[6] = {0, 0, 0, 0, 0, 0}, motion[6], turn[3];
    if (dof_moves(m, s.dof[k], a.body)) {
      point_motion(motion, m, d, s.dof[k], a.body, a.point);
      cti_add_to6(diff, motion);
    }
    if (dof_moves(m, s.dof[k], b.body)) {
      point_motion(motion, m, d, s.dof[k], b.body, b.point);
      cti_add_scaled6(diff, motion, -1);
    }
    for (int r = 0; r < 3; r++) s.value[r * nv + k] = diff[3 + r];
    if (count == 3) continue;
    sandwich(turn, b.quat, diff, target);
    for (int r = 0; r < 3; r++) s.value[(3 + r) * nv + k] = CT_R(0.5) * scale * turn[r];
  }
  if (cti_rows_are_empty(rows, s.value, n, count)) return;
  for (int r = 0; r < count; r++) {
    ctiRow row = {CT_CNSTR_EQUALITY, eq, pos[r], 0, 0};
    cti_append_row(rows, &row, s.dof, s.value + r * nv, n);
  }
}

static CT_FN void joint_row(ctiRowWriter* rows, int eq, EqScratch s) {
  const ctModel* m = rows->m;
  const ctData* d = rows->d;
  const ctReal* data = m->eq_data + CT_NEQDATA * eq;
  int j1 = m->eq_obj1id[eq], j2 = m->eq_obj2id[eq], q1 = m->jnt_qposadr[j1], n = 1;
  ctReal pos = d->qpos[q1] - m->qpos0[q1], slope;
  s.dof[0] = m->jnt_dofadr[j1];
  s.value[0] = 1;
  if (j2 >= 0) {
    int q2 = m->jnt_qposadr[j2], dof2 = m->jnt_dofadr[j2];
    pos -= cti_coupling(data, d->qpos[q2] - m->qpos0[q2], &slope);
    int at = dof2 < s.dof[0] ? 0 : 1;
    if (at == 0) {
      s.dof[1] = s.dof[0];
      s.value[1] = 1;
    }
    s.dof[at] = dof2;
    s.value[at] = -slope;
    n = 2;
  } else {
    pos -= data[0];
  }
  ctiRow row = {CT_CNSTR_EQUALITY, eq, pos, 0, 0};
  cti_add_row(rows, &row, s.dof, s.value, n);
}

static CT_FN void tendon_row(ctiRowWriter* rows, int eq, EqScratch s) {
  const ctModel* m = rows->m;
  const ctData* d = rows->d;
  const ctReal* data = m->eq_data + CT_NEQDATA * eq;
  int t1 = m->eq_obj1id[eq], t2 = m->eq_obj2id[eq], n = m->ten_J_rownnz[t1];
  ctReal pos = d->ten_length[t1] - m->tendon_length0[t1], slope;
  for (int k = 0; k < n; k++) {
    s.dof[k] = m->ten_J_colind[m->ten_J_rowadr[t1] + k];
    s.value[k] = d->ten_J[m->ten_J_rowadr[t1] + k];
  }
  if (t2 >= 0) {
    pos -= cti_coupling(data, d->ten_length[t2] - m->tendon_length0[t2], &slope);
    n = cti_combine_sparse(s.value, s.dof, n, 1, d->ten_J + m->ten_J_rowadr[t2],
                           m->ten_J_colind + m->ten_J_rowadr[t2], m->ten_J_rownnz[t2], -slope);
  } else {
    pos -= data[0];
  }
  ctiRow row = {CT_CNSTR_EQUALITY, eq, pos, 0, 0};
  cti_add_row(rows, &row, s.dof, s.value, n);
}

// Edges of a deformable keep their length, those that can change. Each row brings its weight.
static CT_FN void edge_rows(ctiRowWriter* rows, int eq) {
  const ctModel* m = rows->m;
  ctData* d = rows->d;
  const int f = m->eq_obj1id[eq];
  if (m->flex_rigid[f] || m->flex_interp[f]) return;
  for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
    if (m->flexedge_rigid[e]) continue;
    int adr = m->flexedge_J_rowadr[e];
    ctiRow row = {CT_CNSTR_EQUALITY, eq, d->flexedge_length[e] - m->flexedge_length0[e], 0, 0};
    bool added =
        cti_add_row(rows, &row, m->flexedge_J_colind + adr, d->flexedge_J + adr, m->flexedge_J_rownnz[e]);
    if (added && !rows->counting) cti_data(d)->row_weight[rows->nefc - 1] = m->flexedge_invweight0[e];
  }
}

// One element of a cage keeps its shape.
static CT_FN ctStatus strain_rows(ctiRowWriter* rows, int eq, EqScratch s) {
  const ctModel* m = rows->m;
  ctData* d = rows->d;
  ctiStrain strain;
  size_t mark = cti_scratch_mark(d);
  bool ok = cti_strain_begin(&strain, m, d, eq, s.dof);
  for (int k = 0; ok && k < strain.count; k++) {
    ctiRow row = {CT_CNSTR_EQUALITY, eq, 0, 0, 0};
    row.pos = cti_strain_row(&strain, m, d, k, s.dof, s.value, s.value + m->nv);
    bool added = cti_add_row(rows, &row, s.dof, s.value, strain.n);
    if (added && !rows->counting) cti_data(d)->row_weight[rows->nefc - 1] = strain.weight;
  }
  cti_scratch_release(d, mark);
  return ok ? CT_OK : CT_STEP_OVERFLOW;
}

// Neither side is awake: both sleep, or one does and the other never moves.
static CT_FN bool equality_rests(const ctModel* m, const ctData* d, int eq) {
  if (!cti_some_asleep(m, d)) return false;
  int state[2] = {CT_STATIC, CT_STATIC}, object[2] = {m->eq_obj1id[eq], m->eq_obj2id[eq]};
  for (int k = 0; k < 2; k++) {
    if (object[k] >= 0) state[k] = cti_equality_state(m, d, eq, object[k]);
  }
  return state[0] != CT_AWAKE && state[1] != CT_AWAKE;
}

CT_FN ctStatus cti_equality_rows(ctiRowWriter* rows) {
  const ctModel* m = rows->m;
  ctData* d = rows->d;
  if (m->neq == 0 || (m->opt.disableflags & CT_DSBL_EQUALITY)) return CT_OK;
  size_t mark = cti_scratch_mark(d);
  EqScratch s;
  s.dof = CTI_SCRATCH(d, int, 2 * (int64_t)m->nv, "equality.dof");
  s.value = CTI_SCRATCH(d, ctReal, 6 * (int64_t)m->nv, "equality.value");
  ctStatus status = s.dof && s.value ? CT_OK : CT_STEP_OVERFLOW;
  for (int i = 0; i < m->neq && status == CT_OK; i++) {
    if (!d->eq_active[i] || equality_rests(m, d, i)) continue;
    switch (m->eq_type[i]) {
      case CT_EQ_CONNECT:
      case CT_EQ_WELD: body_rows(rows, i, s); break;
      case CT_EQ_JOINT: joint_row(rows, i, s); break;
      case CT_EQ_TENDON: tendon_row(rows, i, s); break;
      case CT_EQ_FLEX: edge_rows(rows, i); break;
      case CT_EQ_FLEXSTRAIN: status = strain_rows(rows, i, s); break;
      default: break;
    }
  }
  cti_scratch_release(d, mark);
  return status;
}

// Spin, velocity and velocity-driven acceleration of a point of a body: rotation then translation.
static CT_FN void point_drift(const ctModel* m, const ctData* d, const EqSide* side, ctReal vel[6],
                              ctReal acc[6]) {
  const ctReal* com = d->subtree_com + 3 * m->body_rootid[side->body];
  ctReal rate[6] = {0, 0, 0, 0, 0, 0}, t[3];
  for (int k = cti_last_dof(m, side->body); k >= 0; k = m->dof_parentid[k]) {
    cti_add_scaled6(rate, d->cdof_dot + 6 * k, d->qvel[k]);
  }
  cti_motion_shift(vel, d->cvel + 6 * side->body, side->point, com);
  cti_motion_shift(acc, rate, side->point, com);
  cti_cross3(t, vel, vel + 3);
  cti_add_to3(acc + 3, t);
}

CT_FN int cti_equality_drift(const ctModel* m, const ctData* d, int eq, ctReal out[6]) {
  EqSide a, b;
  equality_sides(&a, &b, m, d, eq);
  ctReal vel1[6], acc1[6], vel2[6], acc2[6];
  point_drift(m, d, &a, vel1, acc1);
  point_drift(m, d, &b, vel2, acc2);
  cti_sub3(out, acc1 + 3, acc2 + 3);
  if (m->eq_type[eq] != CT_EQ_WELD) return 3;

  // derivative of conj(q2) u q with u = w1 - w2, q' = w1 q / 2, conj(q2)' = -conj(q2) w2 / 2, as quaternions:
  // conj(q2) (u' - w2 u / 2 + u w1 / 2) q
  ctReal u[3], target[4], scale = m->eq_data[CT_NEQDATA * eq + 10];
  cti_sub3(u, vel1, vel2);
  weld_target(target, m, &a, eq);
  ctReal pu[4] = {0, u[0], u[1], u[2]}, p1[4] = {0, vel1[0], vel1[1], vel1[2]},
         p2[4] = {0, vel2[0], vel2[1], vel2[2]};
  ctReal left[4], right[4], sum[4], conj[4];
  cti_quat_mul(left, p2, pu);
  cti_quat_mul(right, pu, p1);
  sum[0] = (right[0] - left[0]) / 2;
  for (int k = 0; k < 3; k++) sum[1 + k] = acc1[k] - acc2[k] + (right[1 + k] - left[1 + k]) / 2;
  cti_quat_conj(conj, b.quat);
  cti_quat_mul(sum, conj, sum);
  cti_quat_mul(sum, sum, target);
  cti_scale3(out + 3, sum + 1, CT_R(0.5) * scale);
  return 6;
}
