// Accelerations of bodies and the forces on them, those of tendons along their paths among them.
#include "query/forces.h"
#include "data/awake.h"
#include "data/contact.h"

#include "math/sparse.h"
#include "math/spatial.h"
#include "math/vec3.h"
#include "stage/constraint/constraint.h"
#include "stage/position/point_motion.h"
#include "stage/position/reflected.h"
#include "stage/velocity/velocity.h"

static CT_FN ctReal actuator_tension(const ctModel* m, const ctData* d, int t) {
  ctReal sum = 0;
  for (int i = 0; i < m->nactuator; i++) {
    int out = m->actuator_outadr[i];
    if (cti_acts_on(m, i, true, t)) sum += m->actuator_gear[6 * out] * d->actuator_force[out];
  }
  return sum;
}

// An equality couples two tendons, or one and a constant.
static CT_FN ctReal equality_tension(const ctModel* m, const ctData* d, int row, int t) {
  int eq = d->efc_id[row], second = m->eq_obj2id[eq];
  if (m->eq_type[eq] != CT_EQ_TENDON) return 0;
  if (m->eq_obj1id[eq] == t) return d->efc_force[row];
  if (second != t) return 0;
  const ctReal* c = m->eq_data + CT_NEQDATA * eq;
  ctReal x = d->ten_length[t] - m->tendon_length0[t];
  return -d->efc_force[row] * (c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4])));
}

// Of both limits the lower comes first, where it has a row.
static CT_FN ctReal limit_tension(const ctModel* m, const ctData* d, int row, int t) {
  bool second =
      row > d->ne + d->nf && d->efc_type[row - 1] == CT_CNSTR_LIMIT_TENDON && d->efc_id[row - 1] == t;
  bool lower = !second && d->ten_length[t] - m->tendon_range[2 * t] < m->tendon_margin[t];
  return lower ? d->efc_force[row] : -d->efc_force[row];
}

static CT_FN ctReal constraint_tension(const ctModel* m, const ctData* d, int t) {
  ctReal sum = 0;
  for (int i = 0; i < d->ne + d->nf + d->nl; i++) {
    int type = d->efc_type[i];
    if (type == CT_CNSTR_EQUALITY) sum += equality_tension(m, d, i, t);
    if (type == CT_CNSTR_FRICTION_TENDON && d->efc_id[i] == t) sum += d->efc_force[i];
    if (type == CT_CNSTR_LIMIT_TENDON && d->efc_id[i] == t) sum += limit_tension(m, d, i, t);
  }
  return sum;
}

// Inertia along the tendon resists the acceleration of its length.
static CT_FN ctReal inertia_tension(const ctModel* m, const ctData* d, int t) {
  ctReal armature = cti_tendon_armature(m, t);
  if (armature == 0) return 0;
  int adr = m->ten_J_rowadr[t];
  ctReal acc = cti_dot_sparse(d->ten_J + adr, m->ten_J_colind + adr, d->qacc, m->ten_J_rownnz[t]);
  return -armature * (acc + cti_tendon_drift(m, d, t));
}

// All that acts along a tendon; positive makes it longer.
static CT_FN ctReal tendon_tension(const ctModel* m, const ctData* d, int t) {
  const int no_passive = CT_DSBL_SPRING | CT_DSBL_DAMPER;
  ctReal sum = inertia_tension(m, d, t) + constraint_tension(m, d, t);
  if ((m->opt.disableflags & no_passive) != no_passive)
    sum += cti_tendon_spring_force(m, d, t) + cti_tendon_damper_force(m, d, t);
  if (!(m->opt.disableflags & CT_DSBL_ACTUATION)) sum += actuator_tension(m, d, t);
  return sum;
}

// r += s a: each of the three numbers belongs to a lane, so that no lane waits between sums.
static CT_FN void add_apart3(ctReal r[3], const ctReal a[3], ctReal s) {
  for (int k = 0; k < 3; k++) {
    if (CT_TEAM == 1 || CT_LANE == k) r[k] += s * a[k];
  }
}

// The moment of a force and a torque at a point, about the centre of mass of the body's tree.
static CT_FN void moment_of(ctReal moment[3], const ctModel* m, const ctData* d, int body,
                            const ctReal force[3], const ctReal torque[3], const ctReal point[3]) {
  ctReal arm[3];
  cti_sub3(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
  cti_cross3(moment, arm, force);
  cti_add_to3(moment, torque);
}

// cfrc_ext of a body += a world force and torque at a point, times `sign`. The world takes what it gets.
static CT_FN void add_external(const ctModel* m, ctData* d, int body, const ctReal force[3],
                               const ctReal torque[3], const ctReal point[3], ctReal sign) {
  if (body == 0) return;
  ctReal moment[3];
  moment_of(moment, m, d, body, force, torque, point);
  add_apart3(d->cfrc_ext + 6 * body, moment, sign);
  add_apart3(d->cfrc_ext + 6 * body + 3, force, sign);
}

// A straight piece pushes its ends apart.
static CT_FN void push_apart(const ctModel* m, ctData* d, const ctReal* from, int body0, const ctReal* to,
                             int body1, ctReal force) {
  const ctReal no_torque[3] = {0, 0, 0};
  ctReal dir[3];
  if (body0 == body1) return;
  cti_sub3(dir, to, from);
  cti_normalize3(dir);
  add_external(m, d, body0, dir, no_torque, from, -force);
  add_external(m, d, body1, dir, no_torque, to, force);
}

// The points of the path, as the position stage has left them: sites, pairs of points on a geom, pulleys.
static CT_FN void push_along_path(const ctModel* m, ctData* d, int t, ctReal tension) {
  int w = m->tendon_adr[t], last_body = -1;
  const ctReal* last = (const ctReal*)0;
  ctReal divisor = 1;
  for (int k = d->ten_wrapadr[t]; k < d->ten_wrapadr[t] + d->ten_wrapnum[t]; k++) {
    const ctReal* point = d->wrap_xpos + 3 * k;
    int geom = d->wrap_obj[k], body;
    if (geom >= 0) {
      body = m->geom_bodyid[geom];
    } else {
      // geoms of the model that the path does not touch have no points
      while (m->wrap_type[w] != CT_WRAP_SITE && m->wrap_type[w] != CT_WRAP_PULLEY) w++;
      if (m->wrap_type[w] == CT_WRAP_PULLEY) {
        divisor = m->wrap_prm[w++];
        last = (const ctReal*)0;
        continue;
      }
      body = m->site_bodyid[m->wrap_objid[w++]];
    }
    if (last) push_apart(m, d, last, last_body, point, body, tension / divisor);
    last = point;
    last_body = body;
  }
}

// cfrc_ext += what spatial tendons pull and push at the points of their paths.
static CT_FN void tendon_external(const ctModel* m, ctData* d) {
  for (int t = 0; t < m->ntendon; t++) {
    if (m->tendon_type[t] != CT_TENDON_SPATIAL) continue;
    ctReal tension = tendon_tension(m, d, t);
    if (tension != 0) push_along_path(m, d, t, tension);
  }
}

// ---- accelerations of bodies and the forces on them ----
// Computed after the constraint solve, on demand.
//   reads   d->qacc, cdof, cdof_dot, cvel, cinert, xfrc_applied, contact, efc_force
//   writes  d->cacc, cfrc_int, cfrc_ext, flg_rnepost; subtree_linvel, subtree_angmom, flg_subtreevel
//   before  the constraint solve; the second: velocities

CT_FN void cti_contact_wrench(const ctModel* m, const ctData* d, int contact, ctReal out[6]) {
  const ctContact* con = d->contact + contact;
  for (int k = 0; k < 6; k++) out[k] = 0;
  if (con->efc_address < 0) return;
  const ctReal* f = d->efc_force + con->efc_address;
  if (con->dim == 1 || m->opt.cone == CT_CONE_ELLIPTIC) {
    for (int k = 0; k < con->dim; k++) out[k] = f[k];
  } else {
    // edges of a pyramid: the normal is their sum, friction their difference
    for (int k = 0; k < con->dim - 1; k++) {
      out[0] += f[2 * k] + f[2 * k + 1];
      out[1 + k] = (f[2 * k] - f[2 * k + 1]) * con->friction[k];
    }
  }
  // the rows hold up against adhesion, which is a force of its own
  out[0] -= con->adhesion;
}

static CT_FN void contact_forces(const ctModel* m, ctData* d) {
  for (int i = 0; i < d->ncon; i++) {
    const ctContact* con = d->contact + i;
    // those of deformables are in qfrc_constraint alone, as in MuJoCo
    if (con->efc_address < 0 || cti_is_flex_contact(con)) continue;
    ctReal local[6], force[3], torque[3];
    cti_contact_wrench(m, d, i, local);
    cti_mul_mat_t_vec3(force, con->frame, local);
    cti_mul_mat_t_vec3(torque, con->frame, local + 3);
    add_external(m, d, m->geom_bodyid[con->geom[0]], force, torque, con->pos, -1);
    add_external(m, d, m->geom_bodyid[con->geom[1]], force, torque, con->pos, 1);
  }
}

// The point of one side of a connect or weld, and its body.
static CT_FN int equality_point(const ctModel* m, const ctData* d, int eq, int object, const ctReal* local,
                                ctReal point[3]) {
  if (m->eq_objtype[eq] == CT_OBJ_SITE) {
    cti_copy3(point, d->site_xpos + 3 * object);
    return m->site_bodyid[object];
  }
  cti_mul_mat_vec3(point, d->xmat + 9 * object, local);
  cti_add_to3(point, d->xpos + 3 * object);
  return object;
}

static CT_FN void equality_forces(const ctModel* m, ctData* d) {
  for (int i = 0; i < d->ne;) {
    int eq = d->efc_id[i], type = m->eq_type[eq];
    if (type != CT_EQ_CONNECT && type != CT_EQ_WELD) {
      i++;
      continue;
    }
    const ctReal *data = m->eq_data + CT_NEQDATA * eq, *f = d->efc_force + i;
    bool weld = type == CT_EQ_WELD;
    ctReal p1[3], p2[3], torque[3] = {0, 0, 0};
    int body1 = equality_point(m, d, eq, m->eq_obj1id[eq], weld ? data + 3 : data, p1);
    int body2 = equality_point(m, d, eq, m->eq_obj2id[eq], weld ? data : data + 3, p2);
    if (weld) cti_weld_torque(torque, m, d, eq, f + 3);
    add_external(m, d, body1, f, torque, p1, 1);
    add_external(m, d, body2, f, torque, p2, -1);
    i += weld ? 6 : 3;
  }
}

// What the user applies, which nothing was added to before.
static CT_FN void applied_forces(const ctModel* m, ctData* d) {
  CT_LANES(i, m->nbody) {
    ctReal *sum = d->cfrc_ext + 6 * i, moment[3];
    const ctReal* f = d->xfrc_applied + 6 * i;
    cti_zero6(sum);
    if (i == 0) continue;
    moment_of(moment, m, d, i, f, f + 3, d->xipos + 3 * i);
    cti_add_to3(sum, moment);
    cti_add_to3(sum + 3, f);
  }
  CT_TEAM_SYNC();
}

static CT_FN void external_forces(const ctModel* m, ctData* d) {
  applied_forces(m, d);
  contact_forces(m, d);
  equality_forces(m, d);
  tendon_external(m, d);
  CT_TEAM_SYNC();
}

// All bodies but the world.
static CT_FN ctiSpan all_bodies(const ctModel* m) {
  ctiSpan all = {1, m->nbody};
  return all;
}

CT_FN void cti_post_constraint(const ctModel* m, ctData* d) {
  if (d->flg_rnepost) return;
  ctiSpan all = all_bodies(m);
  const ctiSpans bodies = {&all, 1};
  external_forces(m, d);
  cti_body_forces(m, d, bodies, d->qacc, d->cacc, d->cfrc_int);
  // the bodies around each give what nothing from outside does
  CT_LANES(i, 6 * (m->nbody - 1)) d->cfrc_int[6 + i] -= d->cfrc_ext[6 + i];
  CT_TEAM_SYNC();
  cti_add_inward(d->cfrc_int, 6, true, m->body_parentid, bodies);
  d->flg_rnepost = true;
}

CT_FN void cti_subtree_velocity(const ctModel* m, ctData* d) {
  if (d->flg_subtreevel) return;
  ctiSpan all = all_bodies(m);
  const ctiSpans bodies = {&all, 1};
  // momentum of each body: linear, and angular about its own centre of mass
  CT_LANES(i, m->nbody) {
    ctReal vel[6], spin[3];
    const ctReal* mat = d->ximat + 9 * i;
    cti_motion_shift(vel, d->cvel + 6 * i, d->xipos + 3 * i, d->subtree_com + 3 * m->body_rootid[i]);
    cti_scale3(d->subtree_linvel + 3 * i, vel + 3, m->body_mass[i]);
    cti_mul_mat_t_vec3(spin, mat, vel);
    for (int k = 0; k < 3; k++) spin[k] *= m->body_inertia[3 * i + k];
    cti_mul_mat_vec3(d->subtree_angmom + 3 * i, mat, spin);
  }
  CT_TEAM_SYNC();
  cti_add_inward(d->subtree_linvel, 3, true, m->body_parentid, bodies);
  CT_LANES(i, m->nbody) {
    cti_scale3(d->subtree_linvel + 3 * i, d->subtree_linvel + 3 * i,
               1 / cti_max(CTI_MINVAL, m->body_subtreemass[i]));
  }
  CT_TEAM_SYNC();
  // about the centre of mass of the subtree: own motion against it, then that of each child's subtree
  for (int i = m->nbody - 1; i >= 0; i--) {
    ctReal dx[3], dv[3], vel[6], part[3];
    cti_motion_shift(vel, d->cvel + 6 * i, d->xipos + 3 * i, d->subtree_com + 3 * m->body_rootid[i]);
    cti_sub3(dx, d->xipos + 3 * i, d->subtree_com + 3 * i);
    cti_sub3(dv, vel + 3, d->subtree_linvel + 3 * i);
    cti_cross3(part, dx, dv);
    add_apart3(d->subtree_angmom + 3 * i, part, m->body_mass[i]);
    if (i == 0) continue;
    int parent = m->body_parentid[i];
    cti_sub3(dx, d->subtree_com + 3 * i, d->subtree_com + 3 * parent);
    cti_sub3(dv, d->subtree_linvel + 3 * i, d->subtree_linvel + 3 * parent);
    cti_cross3(part, dx, dv);
    add_apart3(d->subtree_angmom + 3 * parent, d->subtree_angmom + 3 * i, 1);
    add_apart3(d->subtree_angmom + 3 * parent, part, m->body_subtreemass[i]);
  }
  CT_TEAM_SYNC();
  d->flg_subtreevel = true;
}

// ---- host code: the public calls ----
#ifndef __cplusplus
#include "corten/query.h"
#include "stage/solve/solve.h"

// ---- the public questions about constraint forces ----

ctStatus ct_contact_force(const ctModel* m, const ctData* d, int contact, ctReal out[6]) {
  if (!cti_data_fits(m, d) || !out || contact < 0 || contact >= d->ncon) return CT_ERR_ARGUMENT;
  cti_contact_wrench(m, d, contact, out);
  return CT_OK;
}

ctStatus ct_kkt_residual(const ctModel* m, ctData* d, ctReal* balance, ctReal* force) {
  if (!cti_data_fits(m, d) || !balance || !force) return CT_ERR_ARGUMENT;
  return cti_kkt_residual(m, d, balance, force);
}

// ---- the public questions ----

ctStatus ct_energy_compute(const ctModel* m, ctData* d) {
  if (!cti_data_fits(m, d)) return CT_ERR_ARGUMENT;
  cti_energy_position(m, d);
  return cti_energy_velocity(m, d);
}

ctStatus ct_force_apply(const ctModel* m, ctData* d, const ctReal* force, const ctReal* torque,
                        const ctReal* point, int body, ctReal* qfrc) {
  if (!cti_data_fits(m, d) || !point || !qfrc || body < 0 || body >= m->nbody) return CT_ERR_ARGUMENT;
  const ctReal zero[3] = {0, 0, 0};
  cti_add_force_at(m, d, qfrc, force ? force : zero, torque ? torque : zero, point, body);
  return CT_OK;
}

#endif
