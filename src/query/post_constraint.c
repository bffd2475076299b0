#include "query/post_constraint.h"

#include "math/spatial.h"
#include "stage/constraint/equality.h"

CT_FN void cti_contact_wrench(const ctModel* m, const ctData* d, int contact, ctReal out[6]) {
  const ctContact* con = d->contact + contact;
  for (int k = 0; k < 6; k++) out[k] = 0;
  if (con->efc_address < 0) return;
  const ctReal* f = d->efc_force + con->efc_address;
  if (con->dim == 1 || m->opt.cone == CT_CONE_ELLIPTIC) {
    for (int k = 0; k < con->dim; k++) out[k] = f[k];
    return;
  }
  // edges of a pyramid: the normal is their sum, friction their difference
  for (int k = 0; k < con->dim - 1; k++) {
    out[0] += f[2 * k] + f[2 * k + 1];
    out[1 + k] = (f[2 * k] - f[2 * k + 1]) * con->friction[k];
  }
}

CT_FN void cti_add_external(const ctModel* m, ctData* d, int body, const ctReal force[3],
                            const ctReal torque[3], const ctReal point[3], ctReal sign) {
  if (body == 0) return;
  ctReal arm[3], moment[3];
  cti_sub3(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
  cti_cross3(moment, arm, force);
  cti_add_to3(moment, torque);
  cti_add_scaled3(d->cfrc_ext + 6 * body, moment, sign);
  cti_add_scaled3(d->cfrc_ext + 6 * body + 3, force, sign);
}

static CT_FN void contact_forces(const ctModel* m, ctData* d) {
  for (int i = 0; i < d->ncon; i++) {
    const ctContact* con = d->contact + i;
    if (con->efc_address < 0) continue;
    ctReal local[6], force[3], torque[3];
    cti_contact_wrench(m, d, i, local);
    cti_mul_mat_t_vec3(force, con->frame, local);
    cti_mul_mat_t_vec3(torque, con->frame, local + 3);
    cti_add_external(m, d, m->geom_bodyid[con->geom[0]], force, torque, con->pos, -1);
    cti_add_external(m, d, m->geom_bodyid[con->geom[1]], force, torque, con->pos, 1);
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
    cti_add_external(m, d, body1, f, torque, p1, 1);
    cti_add_external(m, d, body2, f, torque, p2, -1);
    i += weld ? 6 : 3;
  }
}

static CT_FN void external_forces(const ctModel* m, ctData* d) {
  for (int i = 0; i < 6 * m->nbody; i++) d->cfrc_ext[i] = 0;
  for (int i = 1; i < m->nbody; i++) {
    const ctReal* f = d->xfrc_applied + 6 * i;
    cti_add_external(m, d, i, f, f + 3, d->xipos + 3 * i, 1);
  }
  contact_forces(m, d);
  equality_forces(m, d);
  cti_tendon_external(m, d);
}

CT_FN void cti_post_constraint(const ctModel* m, ctData* d) {
  if (d->flg_rnepost) return;
  external_forces(m, d);
  cti_zero6(d->cacc);
  cti_zero6(d->cfrc_int);
  if (!(m->opt.disableflags & CT_DSBL_GRAVITY)) cti_scale3(d->cacc + 3, m->opt.gravity, -1);
  for (int i = 1; i < m->nbody; i++) {
    ctReal *a = d->cacc + 6 * i, *f = d->cfrc_int + 6 * i, momentum[6], gyroscopic[6];
    const ctReal* v = d->cvel + 6 * i;
    cti_copy6(a, d->cacc + 6 * m->body_parentid[i]);
    for (int k = m->body_dofadr[i]; k < m->body_dofadr[i] + m->body_dofnum[i]; k++) {
      cti_add_scaled6(a, d->cdof_dot + 6 * k, d->qvel[k]);
      cti_add_scaled6(a, d->cdof + 6 * k, d->qacc[k]);
    }
    cti_inertia_mul(f, d->cinert + 10 * i, a);
    cti_inertia_mul(momentum, d->cinert + 10 * i, v);
    cti_cross_force(gyroscopic, v, momentum);
    cti_add_to6(f, gyroscopic);
    cti_add_scaled6(f, d->cfrc_ext + 6 * i, -1);
  }
  for (int i = m->nbody - 1; i > 0; i--)
    cti_add_to6(d->cfrc_int + 6 * m->body_parentid[i], d->cfrc_int + 6 * i);
  d->flg_rnepost = true;
}

CT_FN void cti_subtree_velocity(const ctModel* m, ctData* d) {
  if (d->flg_subtreevel) return;
  // momentum of each body: linear, and angular about its own centre of mass
  for (int i = 0; i < m->nbody; i++) {
    ctReal vel[6], spin[3];
    const ctReal* mat = d->ximat + 9 * i;
    cti_motion_shift(vel, d->cvel + 6 * i, d->xipos + 3 * i, d->subtree_com + 3 * m->body_rootid[i]);
    cti_scale3(d->subtree_linvel + 3 * i, vel + 3, m->body_mass[i]);
    cti_mul_mat_t_vec3(spin, mat, vel);
    for (int k = 0; k < 3; k++) spin[k] *= m->body_inertia[3 * i + k];
    cti_mul_mat_vec3(d->subtree_angmom + 3 * i, mat, spin);
  }
  for (int i = m->nbody - 1; i > 0; i--) {
    int parent = m->body_parentid[i];
    cti_add_to3(d->subtree_linvel + 3 * parent, d->subtree_linvel + 3 * i);
  }
  for (int i = 0; i < m->nbody; i++) {
    cti_scale3(d->subtree_linvel + 3 * i, d->subtree_linvel + 3 * i,
               1 / cti_max(CTI_MINVAL, m->body_subtreemass[i]));
  }
  // about the centre of mass of the subtree: own motion against it, then that of each child's subtree
  for (int i = m->nbody - 1; i >= 0; i--) {
    ctReal dx[3], dv[3], vel[6], part[3];
    cti_motion_shift(vel, d->cvel + 6 * i, d->xipos + 3 * i, d->subtree_com + 3 * m->body_rootid[i]);
    cti_sub3(dx, d->xipos + 3 * i, d->subtree_com + 3 * i);
    cti_sub3(dv, vel + 3, d->subtree_linvel + 3 * i);
    cti_cross3(part, dx, dv);
    cti_add_scaled3(d->subtree_angmom + 3 * i, part, m->body_mass[i]);
    if (i == 0) continue;
    int parent = m->body_parentid[i];
    cti_sub3(dx, d->subtree_com + 3 * i, d->subtree_com + 3 * parent);
    cti_sub3(dv, d->subtree_linvel + 3 * i, d->subtree_linvel + 3 * parent);
    cti_cross3(part, dx, dv);
    cti_add_to3(d->subtree_angmom + 3 * parent, d->subtree_angmom + 3 * i);
    cti_add_scaled3(d->subtree_angmom + 3 * parent, part, m->body_subtreemass[i]);
  }
  d->flg_subtreevel = true;
}
