// The public questions about motion: Jacobians, velocities, momentum. Host code.
#include "corten/query.h"
#include "math/vec3.h"
#include "query/inside.h"
#include "query/jacobian.h"
#include "query/object.h"
#include "query/post_constraint.h"

static bool has_body(const ctModel* m, const ctData* d, int body) {
  return m && d && body >= 0 && body < m->nbody;
}

// Objects with a frame.
static bool has_object(const ctModel* m, const ctData* d, ctObjType type, int id) {
  if (!m || !d || id < 0) return false;
  switch (type) {
    case CT_OBJ_BODY:
    case CT_OBJ_XBODY: return id < m->nbody;
    case CT_OBJ_GEOM: return id < m->ngeom;
    case CT_OBJ_SITE: return id < m->nsite;
    case CT_OBJ_CAMERA: return id < m->ncam;
    default: return false;
  }
}

ctStatus ct_post_constraint(const ctModel* m, ctData* d) {
  if (!m || !d) return CT_ERR_ARGUMENT;
  cti_post_constraint(m, d);
  return CT_OK;
}

ctStatus ct_subtree_velocity(const ctModel* m, ctData* d) {
  if (!m || !d) return CT_ERR_ARGUMENT;
  cti_subtree_velocity(m, d);
  return CT_OK;
}

// ---- Jacobians

ctStatus ct_jac_point(const ctModel* m, const ctData* d, const ctReal* point, int body, ctReal* jacp,
                      ctReal* jacr) {
  if (!has_body(m, d, body) || !point) return CT_ERR_ARGUMENT;
  cti_jac(m, d, point, body, jacp, jacr);
  return CT_OK;
}

ctStatus ct_jac_point_dot(const ctModel* m, const ctData* d, const ctReal* point, int body, ctReal* jacp,
                          ctReal* jacr) {
  if (!has_body(m, d, body) || !point) return CT_ERR_ARGUMENT;
  cti_jac_dot(m, d, point, body, jacp, jacr);
  return CT_OK;
}

// Cameras may follow other bodies: they are not fixed to one, and have no Jacobian.
ctStatus ct_jac_object(const ctModel* m, const ctData* d, ctObjType type, int id, ctReal* jacp,
                       ctReal* jacr) {
  if (!has_object(m, d, type, id) || type == CT_OBJ_CAMERA) return CT_ERR_ARGUMENT;
  const ctReal *pos, *mat;
  int body = cti_object_frame(m, d, type, id, &pos, &mat);
  cti_jac(m, d, pos, body, jacp, jacr);
  return CT_OK;
}

ctStatus ct_jac_object_dot(const ctModel* m, const ctData* d, ctObjType type, int id, ctReal* jacp,
                           ctReal* jacr) {
  if (!has_object(m, d, type, id) || type == CT_OBJ_CAMERA) return CT_ERR_ARGUMENT;
  const ctReal *pos, *mat;
  int body = cti_object_frame(m, d, type, id, &pos, &mat);
  cti_jac_dot(m, d, pos, body, jacp, jacr);
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
  cti_jac(m, d, point, body, jacp, jacaxis);
  if (jacaxis) turn_axis(m, jacaxis, jacaxis, axis, false);
  return CT_OK;
}

ctStatus ct_jac_axis_dot(const ctModel* m, const ctData* d, const ctReal* point, const ctReal* axis, int body,
                         ctReal* jacp, ctReal* jacaxis) {
  if (!has_body(m, d, body) || !point || !axis) return CT_ERR_ARGUMENT;
  cti_jac_dot(m, d, point, body, jacp, jacaxis);
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
  cti_jac_subtree(m, d, body, false, jacp);
  return CT_OK;
}

ctStatus ct_jac_subtree_dot(const ctModel* m, const ctData* d, int body, ctReal* jacp) {
  if (!has_body(m, d, body) || !jacp) return CT_ERR_ARGUMENT;
  cti_jac_subtree(m, d, body, true, jacp);
  return CT_OK;
}

ctStatus ct_angular_momentum(const ctModel* m, const ctData* d, int body, ctReal* out) {
  if (!has_body(m, d, body) || !out) return CT_ERR_ARGUMENT;
  cti_angular_momentum(m, d, body, out);
  return CT_OK;
}

// ---- motion of objects

ctStatus ct_object_velocity(const ctModel* m, const ctData* d, ctObjType type, int id, ctBool local,
                            ctReal out[6]) {
  if (!has_object(m, d, type, id) || !out) return CT_ERR_ARGUMENT;
  cti_object_velocity(out, m, d, type, id, local);
  return CT_OK;
}

ctStatus ct_object_acceleration(const ctModel* m, ctData* d, ctObjType type, int id, ctBool local,
                                ctReal out[6]) {
  if (!has_object(m, d, type, id) || !out) return CT_ERR_ARGUMENT;
  cti_post_constraint(m, d);
  cti_object_acceleration(out, m, d, type, id, local);
  return CT_OK;
}

int ct_inside_site(const ctModel* m, const ctData* d, int site, const ctReal* point) {
  if (!has_object(m, d, CT_OBJ_SITE, site) || !point) return -1;
  return cti_inside_site(m, d, site, point);
}
