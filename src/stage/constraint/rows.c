#include "stage/constraint/constraint.h"

#include "data/arena.h"
#include "data/awake.h"
#include "math/quat.h"
#include "math/spatial.h"
#include "stage/constraint/flex_contact.h"
#include "stage/constraint/row_writer.h"
#include "stage/position/point_motion.h"

// ---- the writer ----

CT_FN bool cti_rows_are_empty(const ctiRowWriter* rows, const ctReal* value, int n, int count) {
  if (rows->sparse) return n == 0;
  for (int r = 0; r < count; r++) {
    for (int k = 0; k < n; k++) {
      if (value[r * rows->m->nv + k] != 0) return false;
    }
  }
  return true;
}

CT_FN void cti_append_row(ctiRowWriter* rows, const ctiRow* row, const int* dof, const ctReal* value, int n) {
  ctData* d = rows->d;
  int i = rows->nefc++, adr = (int)rows->nJ, nv = rows->m->nv;
  rows->nJ += rows->sparse ? n : nv;
  if (rows->counting) return;
  d->efc_type[i] = row->type;
  d->efc_id[i] = row->id;
  d->efc_pos[i] = row->pos;
  d->efc_margin[i] = row->margin;
  d->efc_frictionloss[i] = row->frictionloss;
  if (rows->sparse) {
    d->efc_J_rownnz[i] = n;
    d->efc_J_rowadr[i] = adr;
    CT_LANES(k, n) {
      d->efc_J_colind[adr + k] = dof[k];
      d->efc_J[adr + k] = value[k];
    }
  } else {
    ctReal* CT_RESTRICT J = d->efc_J + adr;
    cti_team_zero(J, nv);
    CT_LANES(k, n) J[dof[k]] = value[k];
  }
  CT_TEAM_SYNC();
}

CT_FN bool cti_add_row(ctiRowWriter* rows, const ctiRow* row, const int* dof, const ctReal* value, int n) {
  if (cti_rows_are_empty(rows, value, n, 1)) return false;
  cti_append_row(rows, row, dof, value, n);
  return true;
}

CT_FN ctiPaths cti_find_paths(const ctModel* m, int body1, int body2) {
  const int a = cti_last_dof(m, body1), b = cti_last_dof(m, body2), low = a < b ? a : b, high = a < b ? b : a;
  ctiPaths p;
  p.crossed = b < a;
  p.nlow = low >= 0 ? m->D_diag[low] + 1 : 0;
  p.nhigh = high >= 0 ? m->D_diag[high] + 1 : 0;
  p.low = m->D_colind + (low >= 0 ? m->D_rowadr[low] : 0);
  p.high = m->D_colind + (high >= 0 ? m->D_rowadr[high] : 0);
  p.same = 0;
  for (int first = 0; first < p.nlow && p.same == first; first += CT_TEAM) {
    const int k = first + CT_LANE;
    p.same += cti_team_count(k < p.nlow && k < p.nhigh && p.low[k] == p.high[k]);
  }
  return p;
}

CT_FN int cti_list_dofs(const ctiPaths* p, bool apart, int* dof) {
  const int skip = apart ? p->same : 0, n = p->nlow + p->nhigh - p->same - skip;
  CT_LANES(k, n) {
    const int at = skip + k;
    dof[k] = at < p->nlow ? p->low[at] : p->high[at - p->nlow + p->same];
  }
  CT_TEAM_SYNC();
  return n;
}

CT_FN void cti_mul_J_with_units(ctReal* r, const ctReal* J, const ctiUnitRows* units, const ctReal* v, int nr,
                                int nc) {
  const int first = units->first, behind = first + units->n;
  if (first > 0) cti_mul_mat_vec(r, J, v, first, nc);
  for (int k = 0; k < units->n; k++) r[first + k] = 0 + v[units->col[k]];  // a sum has no minus zero
  if (behind < nr) cti_mul_mat_vec(r + behind, J + behind * nc, v, nr - behind, nc);
}

CT_FN void cti_mul_JT_with_units(ctReal* r, const ctReal* J, const ctiUnitRows* units, const ctReal* f,
                                 int nr, int nc) {
  const int first = units->first, behind = first + units->n;
  cti_mul_mat_t_vec(r, J, f, first, nc);
  for (int k = 0; k < units->n; k++) r[units->col[k]] += f[first + k];
  if (behind < nr) cti_add_mat_t_vec(r, J + behind * nc, f + behind, nr - behind, nc);
}

CT_FN void cti_mul_J(const ctModel* m, const ctData* d, ctReal* r, const ctReal* v) {
  if (cti_is_sparse(m)) {
    cti_csr_mul_vec(r, d->efc_J, d->efc_J_rownnz, d->efc_J_rowadr, d->efc_J_rowsuper, d->efc_J_colind, v,
                    d->nefc);
  } else {
    const ctiUnitRows units = cti_unit_rows(d->efc_type, d->efc_id, d->ne, d->nf);
    cti_mul_dense_J(r, d->efc_J, &units, v, d->nefc, m->nv);
  }
}

CT_FN void cti_mul_JT(const ctModel* m, const ctData* d, ctReal* r, const ctReal* f) {
  if (cti_is_sparse(m)) {
    cti_csr_mul_t_vec(r, d->efc_J, d->efc_J_rownnz, d->efc_J_rowadr, d->efc_J_rowsuper, d->efc_J_colind, f,
                      d->nefc, m->nv);
  } else {
    const ctiUnitRows units = cti_unit_rows(d->efc_type, d->efc_id, d->ne, d->nf);
    cti_mul_dense_JT(r, d->efc_J, &units, f, d->nefc, m->nv);
  }
}

// ---- friction loss of dofs and tendons, limits of joints and tendons ----
//   reads   d->qpos, ten_length, ten_J; m->dof_frictionloss, jnt_range, tendon_range ...
//   writes  rows
//   before  tendons

// Rows are between what is awake. A tendon with a tree that sleeps wakes it before it pulls, but not where
// another of its trees has just been woken by a contact: then in the next step.
static CT_FN bool tendon_rests(const ctModel* m, const ctData* d, int t) {
  if (!cti_some_asleep(m, d)) return false;
  for (int k = m->ten_J_rowadr[t]; k < m->ten_J_rowadr[t] + m->ten_J_rownnz[t]; k++) {
    if (!d->tree_awake[m->dof_treeid[m->ten_J_colind[k]]]) return true;
  }
  return false;
}

static CT_FN ctStatus friction_rows(ctiRowWriter* rows) {
  const ctModel* m = rows->m;
  if (m->opt.disableflags & CT_DSBL_FRICTIONLOSS) return CT_OK;
  const ctReal one = 1;
  const ctiAwake* awake = cti_awake(rows->d);
  bool rub = CT_TEAM == 1;
  if (CT_TEAM > 1) {
    CTI_EACH_LANES(i, awake->dof) rub = rub || !(m->dof_frictionloss[i] <= 0);
    rub = cti_team_any(rub);
  }
  ctiSpans dofs = awake->dof;
  if (!rub) dofs.n = 0;
  CTI_EACH(i, dofs) {
    if (m->dof_frictionloss[i] <= 0) continue;
    ctiRow row = {CT_CNSTR_FRICTION_DOF, i, 0, 0, m->dof_frictionloss[i]};
    cti_add_row(rows, &row, &i, &one, 1);
  }
  CTI_EACH(i, awake->tendon) {
    if (tendon_rests(m, rows->d, i)) continue;
    if (m->tendon_frictionloss[i] <= 0) continue;
    int adr = m->ten_J_rowadr[i];
    ctiRow row = {CT_CNSTR_FRICTION_TENDON, i, 0, 0, m->tendon_frictionloss[i]};
    cti_add_row(rows, &row, m->ten_J_colind + adr, rows->d->ten_J + adr, m->ten_J_rownnz[i]);
  }
  return CT_OK;
}

// A ball is limited by the angle of its rotation, whatever the axis.
static CT_FN void ball_limit(ctiRowWriter* rows, int j) {
  const ctModel* m = rows->m;
  const ctData* d = rows->d;
  ctReal quat[4], axis[3];
  cti_copy4(quat, d->qpos + m->jnt_qposadr[j]);
  cti_normalize4(quat);
  cti_quat_to_vel(axis, quat, 1);
  ctReal angle = cti_normalize3(axis), range = cti_max(m->jnt_range[2 * j], m->jnt_range[2 * j + 1]);
  if (range - angle >= m->jnt_margin[j]) return;
  int dof[3] = {m->jnt_dofadr[j], m->jnt_dofadr[j] + 1, m->jnt_dofadr[j] + 2};
  cti_scale3(axis, axis, -1);
  ctiRow row = {CT_CNSTR_LIMIT_JOINT, j, range - angle, m->jnt_margin[j], 0};
  cti_add_row(rows, &row, dof, axis, 3);
}

static CT_FN void scalar_limit(ctiRowWriter* rows, int j) {
  const ctModel* m = rows->m;
  ctReal q = rows->d->qpos[m->jnt_qposadr[j]];
  for (int side = -1; side <= 1; side += 2) {
    ctReal dist = (ctReal)side * (m->jnt_range[2 * j + (side + 1) / 2] - q), value = (ctReal)-side;
    if (dist >= m->jnt_margin[j]) continue;
    ctiRow row = {CT_CNSTR_LIMIT_JOINT, j, dist, m->jnt_margin[j], 0};
    cti_add_row(rows, &row, m->jnt_dofadr + j, &value, 1);
  }
}

// Does a joint have limits, and is it near one of them? A ball may be.
CT_INLINE bool may_be_limited(const ctiRowWriter* rows, int j) {
  const ctModel* m = rows->m;
  if (!m->jnt_limited[j]) return false;
  if (CT_TEAM == 1 || m->jnt_type[j] == CT_JOINT_BALL) return true;
  ctReal q = rows->d->qpos[m->jnt_qposadr[j]], margin = m->jnt_margin[j];
  // not a number: looked at again
  return !(q - m->jnt_range[2 * j] >= margin && m->jnt_range[2 * j + 1] - q >= margin);
}

// The limits of scalar joints by a team: each lane has a joint that is near one of its limits, or none.
static CT_FN void team_limits(ctiRowWriter* rows, int j, bool near) {
  const ctModel* m = rows->m;
  ctData* d = rows->d;
  const int nv = m->nv, adr = (int)rows->nJ, width = rows->sparse ? 1 : nv;
  bool on[2] = {false, false};
  ctReal dist[2] = {0, 0};
  for (int side = 0; near && side < 2; side++) {
    const ctReal sign = side ? CT_R(1) : CT_R(-1);
    dist[side] = sign * (m->jnt_range[2 * j + side] - d->qpos[m->jnt_qposadr[j]]);
    on[side] = !(dist[side] >= m->jnt_margin[j]);
  }
  const int count = cti_team_count(on[0]) + cti_team_count(on[1]);
  int place = cti_team_rank(on[0]) + cti_team_rank(on[1]);
  const int first = rows->nefc;
  rows->nefc += count;
  rows->nJ += (int64_t)count * width;
  if (rows->counting) return;
  if (!rows->sparse) cti_team_zero(d->efc_J + adr, count * nv);
  for (int side = 0; side < 2; side++) {
    if (!on[side]) continue;
    const int i = first + place, dof = m->jnt_dofadr[j], at = adr + place * width;
    d->efc_type[i] = CT_CNSTR_LIMIT_JOINT;
    d->efc_id[i] = j;
    d->efc_pos[i] = dist[side];
    d->efc_margin[i] = m->jnt_margin[j];
    d->efc_frictionloss[i] = 0;
    d->efc_J[rows->sparse ? at : at + dof] = side ? CT_R(-1) : CT_R(1);
    if (rows->sparse) {
      d->efc_J_rownnz[i] = 1;
      d->efc_J_rowadr[i] = at;
      d->efc_J_colind[at] = dof;
    }
    place++;
  }
  CT_TEAM_SYNC();
}

static CT_FN void tendon_limit(ctiRowWriter* rows, int t, ctReal* value) {
  const ctModel* m = rows->m;
  const ctData* d = rows->d;
  for (int side = -1; side <= 1; side += 2) {
    ctReal dist = (ctReal)side * (m->tendon_range[2 * t + (side + 1) / 2] - d->ten_length[t]);
    if (dist >= m->tendon_margin[t]) continue;
    int adr = m->ten_J_rowadr[t], n = m->ten_J_rownnz[t];
    for (int k = 0; k < n; k++) value[k] = (ctReal)-side * d->ten_J[adr + k];
    ctiRow row = {CT_CNSTR_LIMIT_TENDON, t, dist, m->tendon_margin[t], 0};
    cti_add_row(rows, &row, m->ten_J_colind + adr, value, n);
  }
}

static CT_FN ctStatus limit_rows(ctiRowWriter* rows) {
  const ctModel* m = rows->m;
  ctData* d = rows->d;
  if (m->opt.disableflags & CT_DSBL_LIMIT) return CT_OK;
  const ctiAwake* awake = cti_awake(d);
  CTI_EACH_SPAN(s, awake->jnt) {
    for (int first = s->begin; first < s->end; first += CT_TEAM) {
      const int own = first + CT_LANE;
      const bool near = own < s->end && may_be_limited(rows, own);
      unsigned some = cti_team_ballot(near);
      if (CT_TEAM > 1 && !cti_team_any(near && m->jnt_type[own] == CT_JOINT_BALL)) {
        if (some) team_limits(rows, own, near);
        continue;
      }
      for (int j = first; some; j++, some >>= 1) {
        if (!(some & 1)) continue;
        if (m->jnt_type[j] == CT_JOINT_BALL) {
          ball_limit(rows, j);
        } else {
          scalar_limit(rows, j);
        }
      }
    }
  }
  if (m->ntendon == 0) return CT_OK;
  size_t mark = cti_scratch_mark(d);
  ctReal* value = CTI_SCRATCH(d, ctReal, m->nv, "limit.value");
  if (value) {
    CTI_EACH(t, awake->tendon) {
      if (m->tendon_limited[t] && !tendon_rests(m, d, t)) tendon_limit(rows, t, value);
    }
  }
  cti_scratch_release(d, mark);
  return value ? CT_OK : CT_STEP_OVERFLOW;
}

// ---- rows of contacts ----
//   reads   d->contact, cdof
//   writes  rows; contact.efc_address, contact.exclude
//   before  collision, com

typedef struct ContactScratch {
  int body[2], n;  // of the last contact, and how many dofs it has
  ctiPaths paths;
  int* dof;
  ctReal* motion;      // 6 rows of nv: along the axes of the contact frame, translation then rotation
  ctiHolders holders;  // of a contact with a deformable
} ContactScratch;

// The dofs of a contact. Several contacts of the same bodies come one after another.
static CT_FN void contact_dofs(const ctiRowWriter* rows, const ctContact* con, ContactScratch* s) {
  const ctModel* m = rows->m;
  if (cti_is_flex_contact(con)) {
    // lists that grow belong to one lane
    int n = 0;
    if (CT_LANE == 0) {
      cti_contact_holders(&s->holders, m, rows->d, con);
      n = cti_holders_dofs(&s->holders, m, s->dof);
    }
    CT_TEAM_SYNC();
    s->n = cti_team_max(n);
    s->body[0] = s->body[1] = -1;
    return;
  }
  int body1 = m->geom_bodyid[con->geom[0]], body2 = m->geom_bodyid[con->geom[1]];
  if (body1 == s->body[0] && body2 == s->body[1]) return;
  s->body[0] = body1;
  s->body[1] = body2;
  s->paths = cti_find_paths(m, body1, body2);
  s->n = s->paths.nlow + s->paths.nhigh - 2 * s->paths.same;
  if (!rows->counting) cti_list_dofs(&s->paths, true, s->dof);
}

// Relative motion of the second geom's body against the first's at the contact, in the contact frame.
static CT_FN void contact_motion(const ctModel* m, const ctData* d, const ctContact* con,
                                 const ContactScratch* s) {
  if (cti_is_flex_contact(con)) {
    if (CT_LANE == 0) cti_holders_motion(s->motion, m->nv, &s->holders, m, d, con, s->dof, s->n);
    CT_TEAM_SYNC();
    return;
  }
  const int nv = m->nv, low = s->paths.nlow - s->paths.same, rows = cti_min(con->dim, 3);
  const ctReal* com[2] = {d->subtree_com + 3 * m->body_rootid[s->body[0]],
                          d->subtree_com + 3 * m->body_rootid[s->body[1]]};
  CT_LANES(k, s->n) {
    // the paths are apart: a dof moves one of the two
    const bool second = (k < low) == s->paths.crossed;
    ctReal motion[6];
    cti_motion_shift(motion, d->cdof + 6 * s->dof[k], con->pos, com[second]);
    ctReal sign = second ? CT_R(1) : CT_R(-1);
    for (int r = 0; r < rows; r++) s->motion[r * nv + k] = sign * cti_dot3(con->frame + 3 * r, motion + 3);
    for (int r = 3; r < con->dim; r++)
      s->motion[r * nv + k] = sign * cti_dot3(con->frame + 3 * (r - 3), motion);
  }
  CT_TEAM_SYNC();
}

static CT_FN int contact_row_count(const ctModel* m, const ctContact* con) {
  if (con->dim == 1) return 1;
  return m->opt.cone == CT_CONE_PYRAMIDAL ? 2 * (con->dim - 1) : con->dim;
}

static CT_FN void add_contact(ctiRowWriter* rows, int i, const ctContact* con, const ContactScratch* s) {
  const ctModel* m = rows->m;
  ctData* d = rows->d;
  const bool sparse = rows->sparse, pyramid = con->dim > 1 && m->opt.cone == CT_CONE_PYRAMIDAL;
  const int nv = m->nv, n = s->n, width = sparse ? n : nv, count = contact_row_count(m, con);
  const int first = rows->nefc, adr = (int)rows->nJ;
  const int type = pyramid ? CT_CNSTR_CONTACT_PYRAMIDAL
                           : (con->dim > 1 ? CT_CNSTR_CONTACT_ELLIPTIC : CT_CNSTR_CONTACT_FRICTIONLESS);
  rows->nefc += count;
  rows->nJ += (int64_t)count * width;
  CT_LANES(r, count) {
    const bool apart = pyramid || r == 0;
    d->efc_type[first + r] = type;
    d->efc_id[first + r] = i;
    d->efc_pos[first + r] = apart ? con->dist : CT_R(0);
    d->efc_margin[first + r] = apart ? con->includemargin : CT_R(0);
    d->efc_frictionloss[first + r] = 0;
    if (!sparse) continue;
    d->efc_J_rownnz[first + r] = n;
    d->efc_J_rowadr[first + r] = adr + r * width;
  }
  if (!sparse) cti_team_zero(d->efc_J + adr, count * width);
  const int* dof = s->dof;
  const ctReal* normal = s->motion;
  for (int r = 0; r < count; r++) {
    // edges of the pyramid: the normal with each tangent, to both sides
    const ctReal* along = normal + (pyramid ? 1 + r / 2 : r) * nv;
    const ctReal mu = !pyramid ? CT_R(0) : r % 2 ? -con->friction[r / 2] : con->friction[r / 2];
    ctReal* J = d->efc_J + adr + r * width;
    int* col = sparse ? d->efc_J_colind + adr + r * width : (int*)0;
    CT_LANES(k, n) {
      const ctReal value = pyramid ? normal[k] + mu * along[k] : along[k];
      if (sparse) col[k] = dof[k];
      J[sparse ? k : dof[k]] = value;
    }
  }
  CT_TEAM_SYNC();
}

static CT_FN ctStatus contact_rows(ctiRowWriter* rows) {
  const ctModel* m = rows->m;
  ctData* d = rows->d;
  if (d->ncon == 0 || (m->opt.disableflags & CT_DSBL_CONTACT)) return CT_OK;
  size_t mark = cti_scratch_mark(d);
  ContactScratch s;
  s.body[0] = s.body[1] = -1;
  s.n = 0;
  s.dof = CTI_SCRATCH(d, int, m->nv, "contact.dof");
  s.motion = CTI_SCRATCH(d, ctReal, 6 * (int64_t)m->nv, "contact.motion");
  const bool ready = m->nflex == 0 || cti_holders_scratch(&s.holders, d);
  if (!s.dof || !s.motion || !ready) {
    cti_scratch_release(d, mark);
    return CT_STEP_OVERFLOW;
  }
  for (int i = 0; i < d->ncon; i++) {
    ctContact* con = d->contact + i;
    con->efc_address = -1;
    if (con->exclude != CT_EXCLUDE_NONE) continue;
    contact_dofs(rows, con, &s);
    if (s.n == 0) {
      con->exclude = CT_EXCLUDE_NO_DOFS;
      continue;
    }
    con->efc_address = rows->nefc;
    if (rows->counting) {
      const int count = contact_row_count(m, con);
      rows->nefc += count;
      rows->nJ += (int64_t)count * (rows->sparse ? s.n : m->nv);
    } else {
      contact_motion(m, d, con, &s);
      add_contact(rows, i, con, &s);
    }
  }
  cti_scratch_release(d, mark);
  return CT_OK;
}

// ---- all rows of a step ----
//   reads   everything of the position stage, d->contact
//   writes  the efc_ arrays in the arena, d->ne, nf, nl, nefc, nJ
//   before  kinematics, com, tendons, mass matrix, collision

// All kinds in their order; `ends` receives the number of rows after equality, friction and limits.
static CT_FN ctStatus all_rows(ctiRowWriter* rows, int ends[3]) {
  ctStatus status = cti_equality_rows(rows);
  ends[0] = rows->nefc;
  if (status == CT_OK) status = friction_rows(rows);
  ends[1] = rows->nefc;
  if (status == CT_OK) status = limit_rows(rows);
  ends[2] = rows->nefc;
  if (status == CT_OK) status = contact_rows(rows);
  return status;
}

static CT_FN bool allocate_rows(const ctModel* m, ctData* d, const ctiRowWriter* rows) {
  if (rows->nJ > INT32_MAX) {
    cti_data(d)->arena_full = "efc_J";
    return false;
  }
  d->nefc = rows->nefc;
  d->nJ = (int)rows->nJ;
  if (m->nflex) {
    cti_data(d)->row_weight = CTI_ARENA(d, ctReal, rows->nefc, "row_weight");
    if (!cti_data(d)->row_weight) return false;
  }
  if (CTI_LEAN && m->opt.cone == CT_CONE_ELLIPTIC && d->ncon > 0) {
    cti_data(d)->cone_hessian = CTI_ARENA(d, ctReal, 36 * (int64_t)d->ncon, "cone_hessian");
    if (!cti_data(d)->cone_hessian) return false;
  }
  const bool lean = cti_rows_are_lean(d);
  const int groups = CTI_GROUP_ROWS | (lean ? 0 : CTI_GROUP_TERMS) | (rows->sparse ? CTI_GROUP_SPARSE : 0);
  if (!cti_take_arrays(m, d, groups)) return false;
  if (lean) {
    d->efc_pos = d->efc_vel = d->efc_force;
    d->efc_margin = d->efc_b;
  }
  return true;
}

// By a team: whether rows have the columns of the one behind them, and how many in a row do.
static CT_KERNEL_NOINLINE void team_find_supernodes(ctData* d) {
  const int n = d->nefc, *nnz = d->efc_J_rownnz, *adr = d->efc_J_rowadr, *col = d->efc_J_colind;
  int after = 0;  // of the first row that is known
  for (int first = (n - 1) / CT_TEAM * CT_TEAM; first >= 0; first -= CT_TEAM) {
    const int i = first + CT_LANE;
    bool same = i + 1 < n && nnz[i] == nnz[i + 1];
    for (int k = 0; same && k < nnz[i]; k++) same = col[adr[i] + k] == col[adr[i + 1] + k];
    const unsigned ends = ~cti_team_ballot(same) >> CT_LANE;
    // rows from here to the next that is unlike the one behind it; those that are known go on from there
    int more = 0;
    while (more < CT_TEAM - CT_LANE && !(ends >> more & 1)) more++;
    const int super = more < CT_TEAM - CT_LANE ? more : more + after;
    if (i < n) d->efc_J_rowsuper[i] = super;
    after = cti_team_max(CT_LANE == 0 ? super : 0);
  }
  CT_TEAM_SYNC();
}

// How many rows after each have the same columns: they can be worked on together.
static CT_FN void find_supernodes(ctData* d) {
  if (CT_TEAM > 1) {
    team_find_supernodes(d);
    return;
  }
  for (int i = d->nefc - 1; i >= 0; i--) {
    d->efc_J_rowsuper[i] = 0;
    if (i == d->nefc - 1 || d->efc_J_rownnz[i] != d->efc_J_rownnz[i + 1]) continue;
    const int *a = d->efc_J_colind + d->efc_J_rowadr[i], *b = d->efc_J_colind + d->efc_J_rowadr[i + 1];
    bool same = true;
    for (int k = 0; k < d->efc_J_rownnz[i] && same; k++) same = a[k] == b[k];
    if (same) d->efc_J_rowsuper[i] = d->efc_J_rowsuper[i + 1] + 1;
  }
}

static CT_FN ctStatus give_up(ctData* d, int rows) {
  cti_warn(d, CT_WARN_CNSTRFULL, rows);
  d->nefc = d->nJ = d->ne = d->nf = d->nl = 0;
  for (int i = 0; i < d->ncon; i++) d->contact[i].efc_address = -1;
  return CT_STEP_OVERFLOW;
}

// First row of each tendon; -1: none.
static CT_FN bool find_tendon_rows(const ctModel* m, ctData* d) {
  if (m->ntendon == 0) return true;
  if (!d->tendon_efcadr) d->tendon_efcadr = CTI_ARENA(d, int, m->ntendon, "tendon_efcadr");
  if (!d->tendon_efcadr) return false;
  for (int t = 0; t < m->ntendon; t++) d->tendon_efcadr[t] = -1;
  for (int i = d->nefc - 1; i >= 0; i--) {
    int type = d->efc_type[i], id = d->efc_id[i];
    if (type == CT_CNSTR_FRICTION_TENDON || type == CT_CNSTR_LIMIT_TENDON) d->tendon_efcadr[id] = i;
    if (type != CT_CNSTR_EQUALITY || m->eq_type[id] != CT_EQ_TENDON) continue;
    d->tendon_efcadr[m->eq_obj1id[id]] = i;
    if (m->eq_obj2id[id] >= 0) d->tendon_efcadr[m->eq_obj2id[id]] = i;
  }
  return true;
}

static CT_FN ctStatus make_constraints(const ctModel* m, ctData* d, bool forward) {
  d->nefc = d->nJ = d->ne = d->nf = d->nl = 0;
  if (!find_tendon_rows(m, d)) return give_up(d, 0);
  if ((m->opt.disableflags & CT_DSBL_CONSTRAINT) || m->nv == 0) return CT_OK;
  ctiRowWriter rows;
  rows.m = m;
  rows.d = d;
  rows.sparse = cti_is_sparse(m);
  rows.counting = true;
  rows.nefc = 0;
  rows.nJ = 0;
  int ends[3];
  if (all_rows(&rows, ends) != CT_OK) return give_up(d, 0);
  if (rows.nefc == 0) return CT_OK;
  if (!allocate_rows(m, d, &rows)) return give_up(d, rows.nefc);
  rows.counting = false;
  rows.nefc = 0;
  rows.nJ = 0;
  if (all_rows(&rows, ends) != CT_OK) return give_up(d, rows.nefc);
  d->nefc = rows.nefc;
  d->nJ = (int)rows.nJ;
  d->ne = ends[0];
  d->nf = ends[1] - ends[0];
  d->nl = ends[2] - ends[1];
  if (rows.sparse) find_supernodes(d);
  cti_impedance(m, d, (const ctReal*)0);
  // the discrete integrator projects when it has its metric
  bool later = m->opt.integrator == CT_INT_DISCRETE;
  if (!later && cti_project(m, d, forward) != CT_OK) return give_up(d, rows.nefc);
  find_tendon_rows(m, d);
  return CT_OK;
}

CT_FN ctStatus cti_discrete_rows(const ctModel* m, ctData* d, bool forward) {
  if (d->nefc == 0) return CT_OK;
  cti_impedance(m, d, (const ctReal*)0);
  ctStatus status = cti_project(m, d, forward);
  if (status == CT_OK) {
    cti_reference(m, d);
  } else {
    give_up(d, d->nefc);
  }
  cti_data(d)->parena_rows = cti_data(d)->parena;
  return status;
}

CT_KERNEL_INLINE ctStatus cti_make_constraints(const ctModel* m, ctData* d, bool forward) {
  ctStatus status = make_constraints(m, d, forward);
  if (m->nflex && cti_passive_contacts(m, d) != CT_OK) status = CT_STEP_OVERFLOW;
  cti_data(d)->parena_rows = cti_data(d)->parena_metric = cti_data(d)->parena;
  return status;
}
