#include "data/data.h"
#include "math/spatial.h"
#include "query/motion.h"
#include "stage/constraint/flex_contact.h"
#include "stage/position/point_motion.h"

CT_FN int cti_object_frame(const ctModel* m, const ctData* d, int type, int id, const ctReal** pos,
                           const ctReal** mat) {
  switch (type) {
    case CT_OBJ_BODY:
      *pos = d->xipos + 3 * id;
      *mat = d->ximat + 9 * id;
      return id;
    case CT_OBJ_GEOM:
      *pos = d->geom_xpos + 3 * id;
      *mat = d->geom_xmat + 9 * id;
      return m->geom_bodyid[id];
    case CT_OBJ_SITE:
      *pos = d->site_xpos + 3 * id;
      *mat = d->site_xmat + 9 * id;
      return m->site_bodyid[id];
    case CT_OBJ_CAMERA:
      *pos = d->cam_xpos + 3 * id;
      *mat = d->cam_xmat + 9 * id;
      return m->cam_bodyid[id];
    default:
      *pos = d->xpos + 3 * id;
      *mat = d->xmat + 9 * id;
      return id;
  }
}

CT_FN void cti_object_quat(ctReal quat[4], const ctModel* m, const ctData* d, int type, int id) {
  switch (type) {
    case CT_OBJ_BODY: cti_copy4(quat, d->xiquat + 4 * id); break;
    case CT_OBJ_GEOM: cti_copy4(quat, d->geom_xquat + 4 * id); break;
    case CT_OBJ_SITE: cti_copy4(quat, d->site_xquat + 4 * id); break;
    case CT_OBJ_CAMERA: cti_quat_mul(quat, d->xquat + 4 * m->cam_bodyid[id], m->cam_quat + 4 * id); break;
    default: cti_copy4(quat, d->xquat + 4 * id);
  }
}

static CT_FN void to_local(ctReal v[6], const ctReal* mat) {
  cti_mul_mat_t_vec3(v, mat, v);
  cti_mul_mat_t_vec3(v + 3, mat, v + 3);
}

CT_FN void cti_object_velocity(ctReal out[6], const ctModel* m, const ctData* d, int type, int id,
                               bool local) {
  const ctReal *pos, *mat;
  int body = cti_object_frame(m, d, type, id, &pos, &mat);
  cti_motion_shift(out, d->cvel + 6 * body, pos, d->subtree_com + 3 * m->body_rootid[body]);
  if (local) to_local(out, mat);
}

// d->cacc of a body, without that of others: the same sum, along its path from the world.
static CT_FN void path_acceleration(ctReal out[6], const ctModel* m, const ctData* d, int body) {
  const int last = cti_last_dof(m, body), *dof = m->B_colind + m->B_rowadr[body];
  cti_zero6(out);
  if (!(m->opt.disableflags & CT_DSBL_GRAVITY)) cti_scale3(out + 3, m->opt.gravity, -1);
  for (int i = 0; i < m->B_rownnz[body] && dof[i] <= last; i++) {
    cti_add_scaled6(out, d->cdof_dot + 6 * dof[i], d->qvel[dof[i]]);
    cti_add_scaled6(out, d->cdof + 6 * dof[i], d->qacc[dof[i]]);
  }
}

CT_FN void cti_object_acceleration(ctReal out[6], const ctModel* m, const ctData* d, int type, int id,
                                   bool local) {
  const ctReal *pos, *mat;
  int body = cti_object_frame(m, d, type, id, &pos, &mat);
  const ctReal* com = d->subtree_com + 3 * m->body_rootid[body];
  ctReal vel[6], acc[6], turn[3];
  if (d->flg_rnepost) {
    cti_copy6(acc, d->cacc + 6 * body);
  } else {
    path_acceleration(acc, m, d, body);
  }
  cti_motion_shift(vel, d->cvel + 6 * body, pos, com);
  cti_motion_shift(out, acc, pos, com);
  // a point on a turning body accelerates although its axes do not
  cti_cross3(turn, vel, vel + 3);
  cti_add_to3(out + 3, turn);
  if (local) to_local(out, mat);
}

// ---- host code: the rest ----
#ifndef __cplusplus
#include "corten/query.h"
#include "math/vec3.h"
#include "query/distance.h"
#include "query/forces.h"

// ---- Jacobians: how points, axes and centres of mass move with the dofs, and how that changes ----
//   reads   d->cdof, subtree_com, xipos; for time derivatives d->cvel, cdof_dot too
//   before  com; for time derivatives com velocity
//
// Matrices have 3 rows of nv numbers. Outputs may be NULL.

// The motion axis of a dof at a point: rotation then translation.
static void jac_column(ctReal out[6], const ctModel* m, const ctData* d, const ctReal point[3], int body,
                       int dof) {
  cti_motion_shift(out, d->cdof + 6 * dof, point, d->subtree_com + 3 * m->body_rootid[body]);
}

// Rotations of ball and free joints turn about axes that turn with the body itself; all others about axes
// that the joints before them carry, which cdof_dot is the rate of.
static void dof_rate(ctReal out[6], const ctModel* m, const ctData* d, int dof) {
  int type = m->jnt_type[m->dof_jntid[dof]], first = m->jnt_dofadr[m->dof_jntid[dof]];
  bool own = type == CT_JOINT_BALL || (type == CT_JOINT_FREE && dof >= first + 3);
  if (own) {
    cti_cross_motion(out, d->cvel + 6 * m->dof_bodyid[dof], d->cdof + 6 * dof);
  } else {
    cti_copy6(out, d->cdof_dot + 6 * dof);
  }
}

// Its time derivative while the point moves with `vel`.
static void jac_column_rate(ctReal out[6], const ctModel* m, const ctData* d, const ctReal point[3],
                            const ctReal vel[3], int body, int dof) {
  ctReal rate[6], turn[3];
  dof_rate(rate, m, d, dof);
  cti_motion_shift(out, rate, point, d->subtree_com + 3 * m->body_rootid[body]);
  cti_cross3(turn, d->cdof + 6 * dof, vel);
  cti_add_to3(out + 3, turn);
}

static void jac_point_velocity(ctReal vel[3], const ctModel* m, const ctData* d, const ctReal point[3],
                               int body) {
  ctReal motion[6];
  cti_motion_shift(motion, d->cvel + 6 * body, point, d->subtree_com + 3 * m->body_rootid[body]);
  cti_copy3(vel, motion + 3);
}

static void fill_jac(const ctModel* m, const ctData* d, const ctReal point[3], int body, bool rate,
                     ctReal* jacp, ctReal* jacr) {
  int nv = m->nv;
  ctReal vel[3] = {0, 0, 0}, column[6];
  if (rate) jac_point_velocity(vel, m, d, point, body);
  for (int k = 0; k < 3 * nv; k++) {
    if (jacp) jacp[k] = 0;
    if (jacr) jacr[k] = 0;
  }
  for (int i = cti_last_dof(m, body); i >= 0; i = m->dof_parentid[i]) {
    if (rate) {
      jac_column_rate(column, m, d, point, vel, body, i);
    } else {
      jac_column(column, m, d, point, body, i);
    }
    for (int k = 0; k < 3; k++) {
      if (jacr) jacr[k * nv + i] = column[k];
      if (jacp) jacp[k * nv + i] = column[3 + k];
    }
  }
}

// Translation of a world point fixed to a body, and rotation of the body.
static void jac(const ctModel* m, const ctData* d, const ctReal point[3], int body, ctReal* jacp,
                ctReal* jacr) {
  fill_jac(m, d, point, body, false, jacp, jacr);
}

// Their time derivatives, the point moving with the body.
static void jac_dot(const ctModel* m, const ctData* d, const ctReal point[3], int body, ctReal* jacp,
                    ctReal* jacr) {
  fill_jac(m, d, point, body, true, jacp, jacr);
}

// out += weight * translation of a point of a body (or, with `rate`, its time derivative).
static void add_jac(const ctModel* m, const ctData* d, const ctReal point[3], int body, ctReal weight,
                    bool rate, ctReal* out) {
  ctReal vel[3] = {0, 0, 0}, column[6];
  if (rate) jac_point_velocity(vel, m, d, point, body);
  for (int i = cti_last_dof(m, body); i >= 0; i = m->dof_parentid[i]) {
    if (rate) {
      jac_column_rate(column, m, d, point, vel, body, i);
    } else {
      jac_column(column, m, d, point, body, i);
    }
    for (int k = 0; k < 3; k++) out[k * m->nv + i] += weight * column[3 + k];
  }
}

// Bodies of a subtree follow its root without a gap.
static bool in_subtree(const ctModel* m, int body, int root) {
  while (body > root) body = m->body_parentid[body];
  return body == root;
}

// Centre of mass of a subtree, or the time derivative.
static void jac_subtree(const ctModel* m, const ctData* d, int body, bool rate, ctReal* out) {
  for (int k = 0; k < 3 * m->nv; k++) out[k] = 0;
  ctReal mass = cti_max(m->body_subtreemass[body], CTI_MINVAL);
  for (int i = body; i < m->nbody && in_subtree(m, i, body); i++) {
    add_jac(m, d, d->xipos + 3 * i, i, m->body_mass[i] / mass, rate, out);
  }
}

// Angular momentum of a subtree about its centre of mass, as a matrix that multiplies qvel.
static void angular_momentum(const ctModel* m, const ctData* d, int body, ctReal* out) {
  int nv = m->nv;
  for (int k = 0; k < 3 * nv; k++) out[k] = 0;
  for (int b = body; b < m->nbody && in_subtree(m, b, body); b++) {
    const ctReal* mat = d->ximat + 9 * b;
    ctReal arm[3], column[6], spin[3], orbit[3];
    cti_sub3(arm, d->xipos + 3 * b, d->subtree_com + 3 * body);
    for (int i = cti_last_dof(m, b); i >= 0; i = m->dof_parentid[i]) {
      jac_column(column, m, d, d->xipos + 3 * b, b, i);
      cti_mul_mat_t_vec3(spin, mat, column);
      for (int k = 0; k < 3; k++) spin[k] *= m->body_inertia[3 * b + k];
      cti_mul_mat_vec3(spin, mat, spin);
      cti_cross3(orbit, arm, column + 3);
      for (int k = 0; k < 3; k++) out[k * nv + i] += spin[k] + m->body_mass[b] * orbit[k];
    }
  }
}

// ---- the public questions about motion: Jacobians, velocities, momentum ----

static bool has_body(const ctModel* m, const ctData* d, int body) {
  return cti_data_fits(m, d) && body >= 0 && body < m->nbody;
}

// Objects with a frame.
static bool has_object(const ctModel* m, const ctData* d, ctObjType type, int id) {
  if (!cti_data_fits(m, d) || id < 0) return false;
  switch (type) {
    case CT_OBJ_BODY:
    case CT_OBJ_XBODY: return id < m->nbody;
    case CT_OBJ_GEOM: return id < m->ngeom;
    case CT_OBJ_SITE: return id < m->nsite;
    case CT_OBJ_CAMERA: return id < m->ncam;
    default: return false;
  }
}

ctStatus ct_body_forces_compute(const ctModel* m, ctData* d) {
  if (!cti_data_fits(m, d)) return CT_ERR_ARGUMENT;
  cti_post_constraint(m, d);
  return CT_OK;
}

ctStatus ct_subtree_velocity_compute(const ctModel* m, ctData* d) {
  if (!cti_data_fits(m, d)) return CT_ERR_ARGUMENT;
  cti_subtree_velocity(m, d);
  return CT_OK;
}

// ---- Jacobians ----

ctStatus ct_jac_point(const ctModel* m, const ctData* d, const ctReal* point, int body, ctReal* jacp,
                      ctReal* jacr) {
  if (!has_body(m, d, body) || !point) return CT_ERR_ARGUMENT;
  jac(m, d, point, body, jacp, jacr);
  return CT_OK;
}

ctStatus ct_jac_point_dot(const ctModel* m, const ctData* d, const ctReal* point, int body, ctReal* jacp,
                          ctReal* jacr) {
  if (!has_body(m, d, body) || !point) return CT_ERR_ARGUMENT;
  jac_dot(m, d, point, body, jacp, jacr);
  return CT_OK;
}

// Cameras may follow other bodies: they are not fixed to one, and have no Jacobian.
ctStatus ct_jac_object(const ctModel* m, const ctData* d, ctObjType type, int id, ctReal* jacp,
                       ctReal* jacr) {
  if (!has_object(m, d, type, id) || type == CT_OBJ_CAMERA) return CT_ERR_ARGUMENT;
  const ctReal *pos, *mat;
  int body = cti_object_frame(m, d, type, id, &pos, &mat);
  jac(m, d, pos, body, jacp, jacr);
  return CT_OK;
}

ctStatus ct_jac_object_dot(const ctModel* m, const ctData* d, ctObjType type, int id, ctReal* jacp,
                           ctReal* jacr) {
  if (!has_object(m, d, type, id) || type == CT_OBJ_CAMERA) return CT_ERR_ARGUMENT;
  const ctReal *pos, *mat;
  int body = cti_object_frame(m, d, type, id, &pos, &mat);
  jac_dot(m, d, pos, body, jacp, jacr);
  return CT_OK;
}

// columns of out = columns of jacr x axis (+ those of `out` before)
static void turn_axis(const ctModel* m, ctReal* out, const ctReal* jacr, const ctReal axis[3], bool add) {
  int nv = m->nv;
  for (int i = 0; i < nv; i++) {
    ctReal w[3] = {jacr[i], jacr[nv + i], jacr[2 * nv + i]}, v[3];
    cti_cross3(v, w, axis);
    for (int k = 0; k < 3; k++) out[k * nv + i] = v[k] + (add ? out[k * nv + i] : 0);
  }
}

ctStatus ct_jac_axis(const ctModel* m, const ctData* d, const ctReal* point, const ctReal* axis, int body,
                     ctReal* jacp, ctReal* jacaxis) {
  if (!has_body(m, d, body) || !point || !axis) return CT_ERR_ARGUMENT;
  jac(m, d, point, body, jacp, jacaxis);
  if (jacaxis) turn_axis(m, jacaxis, jacaxis, axis, false);
  return CT_OK;
}

ctStatus ct_jac_axis_dot(const ctModel* m, const ctData* d, const ctReal* point, const ctReal* axis, int body,
                         ctReal* jacp, ctReal* jacaxis) {
  if (!has_body(m, d, body) || !point || !axis) return CT_ERR_ARGUMENT;
  jac_dot(m, d, point, body, jacp, jacaxis);
  if (!jacaxis) return CT_OK;
  turn_axis(m, jacaxis, jacaxis, axis, false);
  // the axis itself turns with the body: each column of the rotation Jacobian, one dof at a time
  ctReal rate[3], w[3], v[3];
  cti_cross3(rate, d->cvel + 6 * body, axis);
  int mover = m->body_weldid[body], n = m->body_dofnum[mover];
  for (int i = n ? m->body_dofadr[mover] + n - 1 : -1; i >= 0; i = m->dof_parentid[i]) {
    cti_copy3(w, d->cdof + 6 * i);
    cti_cross3(v, w, rate);
    for (int k = 0; k < 3; k++) jacaxis[k * m->nv + i] += v[k];
  }
  return CT_OK;
}

ctStatus ct_jac_subtree(const ctModel* m, const ctData* d, int body, ctReal* jacp) {
  if (!has_body(m, d, body) || !jacp) return CT_ERR_ARGUMENT;
  jac_subtree(m, d, body, false, jacp);
  return CT_OK;
}

ctStatus ct_jac_subtree_dot(const ctModel* m, const ctData* d, int body, ctReal* jacp) {
  if (!has_body(m, d, body) || !jacp) return CT_ERR_ARGUMENT;
  jac_subtree(m, d, body, true, jacp);
  return CT_OK;
}

ctStatus ct_jac_angular_momentum(const ctModel* m, const ctData* d, int body, ctReal* out) {
  if (!has_body(m, d, body) || !out) return CT_ERR_ARGUMENT;
  angular_momentum(m, d, body, out);
  return CT_OK;
}

// ---- motion of objects ----

ctStatus ct_object_velocity(const ctModel* m, const ctData* d, ctObjType type, int id, bool local,
                            ctReal out[6]) {
  if (!has_object(m, d, type, id) || !out) return CT_ERR_ARGUMENT;
  cti_object_velocity(out, m, d, type, id, local);
  return CT_OK;
}

ctStatus ct_object_acceleration(const ctModel* m, ctData* d, ctObjType type, int id, bool local,
                                ctReal out[6]) {
  if (!has_object(m, d, type, id) || !out) return CT_ERR_ARGUMENT;
  cti_post_constraint(m, d);
  cti_object_acceleration(out, m, d, type, id, local);
  return CT_OK;
}

bool ct_site_contains(const ctModel* m, const ctData* d, int site, const ctReal* point) {
  if (!has_object(m, d, CT_OBJ_SITE, site) || !point) return false;
  return cti_inside_site(m, d, site, point);
}

#endif
