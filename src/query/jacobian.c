#include "query/jacobian.h"

#include "math/spatial.h"
#include "stage/position/point_motion.h"

// The motion axis of a dof at a point: rotation then translation.
static CT_FN void jac_column(ctReal out[6], const ctModel* m, const ctData* d, const ctReal point[3],
                             int body, int dof) {
  cti_motion_shift(out, d->cdof + 6 * dof, point, d->subtree_com + 3 * m->body_rootid[body]);
}

// Rotations of ball and free joints turn about axes that turn with the body itself; all others about axes
// that the joints before them carry, which cdof_dot is the rate of.
static CT_FN void dof_rate(ctReal out[6], const ctModel* m, const ctData* d, int dof) {
  int type = m->jnt_type[m->dof_jntid[dof]], first = m->jnt_dofadr[m->dof_jntid[dof]];
  bool own = type == CT_JOINT_BALL || (type == CT_JOINT_FREE && dof >= first + 3);
  if (own) {
    cti_cross_motion(out, d->cvel + 6 * m->dof_bodyid[dof], d->cdof + 6 * dof);
  } else {
    cti_copy6(out, d->cdof_dot + 6 * dof);
  }
}

// Its time derivative while the point moves with `vel`.
static CT_FN void jac_column_rate(ctReal out[6], const ctModel* m, const ctData* d, const ctReal point[3],
                                  const ctReal vel[3], int body, int dof) {
  ctReal rate[6], turn[3];
  dof_rate(rate, m, d, dof);
  cti_motion_shift(out, rate, point, d->subtree_com + 3 * m->body_rootid[body]);
  cti_cross3(turn, d->cdof + 6 * dof, vel);
  cti_add_to3(out + 3, turn);
}

static CT_FN void jac_point_velocity(ctReal vel[3], const ctModel* m, const ctData* d, const ctReal point[3],
                                     int body) {
  ctReal motion[6];
  cti_motion_shift(motion, d->cvel + 6 * body, point, d->subtree_com + 3 * m->body_rootid[body]);
  cti_copy3(vel, motion + 3);
}

static CT_FN void fill_jac(const ctModel* m, const ctData* d, const ctReal point[3], int body, bool rate,
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

CT_FN void cti_jac(const ctModel* m, const ctData* d, const ctReal point[3], int body, ctReal* jacp,
                   ctReal* jacr) {
  fill_jac(m, d, point, body, false, jacp, jacr);
}

CT_FN void cti_jac_dot(const ctModel* m, const ctData* d, const ctReal point[3], int body, ctReal* jacp,
                       ctReal* jacr) {
  fill_jac(m, d, point, body, true, jacp, jacr);
}

CT_FN void cti_add_jac(const ctModel* m, const ctData* d, const ctReal point[3], int body, ctReal weight,
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
static CT_FN bool in_subtree(const ctModel* m, int body, int root) {
  while (body > root) body = m->body_parentid[body];
  return body == root;
}

CT_FN void cti_jac_subtree(const ctModel* m, const ctData* d, int body, bool rate, ctReal* out) {
  for (int k = 0; k < 3 * m->nv; k++) out[k] = 0;
  ctReal mass = cti_max(m->body_subtreemass[body], CTI_MINVAL);
  for (int i = body; i < m->nbody && in_subtree(m, i, body); i++) {
    cti_add_jac(m, d, d->xipos + 3 * i, i, m->body_mass[i] / mass, rate, out);
  }
}

CT_FN void cti_angular_momentum(const ctModel* m, const ctData* d, int body, ctReal* out) {
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
