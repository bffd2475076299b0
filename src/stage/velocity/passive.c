#include "base/kinds.h"
#include "data/awake.h"
#include "data/contact.h"
#include "math/quat.h"
#include "math/sparse.h"
#include "math/spatial.h"
#include "stage/position/point_motion.h"
#include "stage/position/reflected.h"
#include "stage/velocity/flex_force.h"
#include "stage/velocity/fluid.h"
#include "stage/velocity/velocity.h"

// Velocity of the shape's frame in its own axes, less the wind.
static CT_FN void relative_velocity(ctiFluidShape* shape, const ctModel* m, const ctData* d, int body) {
  ctReal motion[6];
  cti_motion_shift(motion, d->cvel + 6 * body, shape->pos, d->subtree_com + 3 * m->body_rootid[body]);
  cti_sub3(motion + 3, motion + 3, m->opt.wind);
  cti_mul_mat_t_vec3(shape->local, shape->mat, motion);
  cti_mul_mat_t_vec3(shape->local + 3, shape->mat, motion + 3);
}

// Edges of the box with the body's mass and inertia.
static CT_FN void inertia_box(ctReal size[3], ctReal mass, const ctReal inertia[3]) {
  for (int k = 0; k < 3; k++) {
    ctReal extent = inertia[(k + 1) % 3] + inertia[(k + 2) % 3] - inertia[k];
    size[k] = cti_sqrt(cti_max(extent, CTI_MINVAL) / mass * 6);
  }
}

CT_FN void cti_fluid_semiaxes(ctReal size[3], const ctModel* m, int geom) {
  const ctReal* s = m->geom_size + 3 * geom;
  cti_copy3(size, s);
  switch (m->geom_type[geom]) {
    case CT_GEOM_SPHERE: size[1] = size[2] = s[0]; break;
    case CT_GEOM_CAPSULE:
      size[1] = s[0];
      size[2] = s[1] + s[0];
      break;
    case CT_GEOM_CYLINDER:
      size[1] = s[0];
      size[2] = s[1];
      break;
    default: break;
  }
}

static CT_FN bool has_ellipsoids(const ctModel* m, int body) {
  for (int g = m->body_geomadr[body]; g < m->body_geomadr[body] + m->body_geomnum[body]; g++) {
    if (m->geom_fluid[CT_NFLUID * g] > 0) return true;
  }
  return false;
}

CT_FN bool cti_fluid_shape(ctiFluidShape* shape, const ctModel* m, const ctData* d, int body, int* cursor) {
  if (m->body_mass[body] < CTI_MINVAL) return false;
  if (!has_ellipsoids(m, body)) {
    if ((*cursor)++ > 0) return false;
    shape->pos = d->xipos + 3 * body;
    shape->mat = d->ximat + 9 * body;
    shape->coef = (const ctReal*)0;
    inertia_box(shape->size, m->body_mass[body], m->body_inertia + 3 * body);
    relative_velocity(shape, m, d, body);
    return true;
  }
  // the next geom with an ellipsoid
  int end = m->body_geomadr[body] + m->body_geomnum[body];
  int g = m->body_geomadr[body] + *cursor;
  while (g < end && !(m->geom_fluid[CT_NFLUID * g] > 0)) g++;
  *cursor = g + 1 - m->body_geomadr[body];
  if (g >= end) return false;
  shape->pos = d->geom_xpos + 3 * g;
  shape->mat = d->geom_xmat + 9 * g;
  shape->coef = m->geom_fluid + CT_NFLUID * g;
  cti_fluid_semiaxes(shape->size, m, g);
  relative_velocity(shape, m, d, body);
  return true;
}

static CT_FN void box_force(ctReal out[6], const ctModel* m, const ctiFluidShape* shape) {
  const ctReal *b = shape->size, *w = shape->local, *v = shape->local + 3;
  ctiBoxDrag drag = cti_box_drag(m, b);
  for (int k = 0; k < 3; k++) {
    out[k] = -(drag.turn_linear + drag.turn_square[k] * cti_abs(w[k])) * w[k];
    out[3 + k] = -(drag.move_linear + drag.move_square[k] * cti_abs(v[k])) * v[k];
  }
}

static CT_FN void ellipsoid_force(ctReal out[6], const ctModel* m, const ctiFluidShape* shape) {
  const ctReal *coef = shape->coef, *w = shape->local, *v = shape->local + 3;
  ctiEllipsoid e = cti_ellipsoid(m, shape);
  ctReal t[3], momentum[3], spin[3];
  ctReal density = m->opt.density;

  // added mass: the momentum of the fluid that moves along
  for (int k = 0; k < 3; k++) {
    momentum[k] = density * coef[CTI_FLUID_MASS + k] * v[k];
    spin[k] = density * coef[CTI_FLUID_INERTIA + k] * w[k];
  }
  cti_cross3(out + 3, momentum, w);
  cti_cross3(out, momentum, v);
  cti_cross3(t, spin, w);
  cti_add_to3(out, t);

  // Magnus lift
  cti_cross3(t, w, v);
  cti_add_scaled3(out + 3, t, e.magnus);

  // Kutta lift, across the velocity
  cti_add_scaled3(out + 3, v, e.kutta * e.p);
  cti_add_scaled3(out + 3, e.u, -e.kutta * e.v2);

  // drag against the motion, with the part of it that is linear
  cti_add_scaled3(out + 3, v, -(e.drag * e.speed + e.move_linear));
  cti_add_scaled3(out, w, -(e.turn_drag + e.turn_linear));
  for (int k = 0; k < 6; k++) out[k] *= coef[CTI_FLUID_SCALE];
}

CT_FN void cti_fluid_force(ctReal out[6], const ctModel* m, const ctiFluidShape* shape) {
  if (shape->coef) {
    ellipsoid_force(out, m, shape);
  } else {
    box_force(out, m, shape);
  }
}

// Adds the fluid's forces to d->qfrc_fluid; false when there is no fluid.
static CT_FN bool fluid_forces(const ctModel* m, ctData* d) {
  if (!cti_has_fluid(m)) return false;
  CTI_EACH(i, cti_awake(d)->body) {
    ctiFluidShape shape;
    for (int cursor = 0; cti_fluid_shape(&shape, m, d, i, &cursor);) {
      ctReal local[6], force[3], torque[3];
      cti_fluid_force(local, m, &shape);
      cti_mul_mat_vec3(torque, shape.mat, local);
      cti_mul_mat_vec3(force, shape.mat, local + 3);
      cti_add_force_at(m, d, d->qfrc_fluid, force, torque, shape.pos, i);
    }
  }
  return true;
}

// ---- forces that come with the model ----
// Springs and dampers of joints and tendons, gravity compensation, fluid.
//   reads   d->qpos, qvel, plastic, ten_length, ten_velocity, ten_J, xipos, cvel; m->jnt_stiffness*,
//   dof_damping*, ... writes  d->qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid, qfrc_adhesion,
//   qfrc_passive before  com velocity, tendon velocity

CT_FN void cti_tendon_velocity(const ctModel* m, ctData* d) {
  CTI_EACH_SPAN(s, cti_awake(d)->tendon) {
    cti_csr_mul_vec(d->ten_velocity + s->begin, d->ten_J, m->ten_J_rownnz + s->begin,
                    m->ten_J_rowadr + s->begin, (const int*)0, m->ten_J_colind, d->qvel, s->end - s->begin);
  }
}

// ---- springs ----

// Spring of a joint whose displacement is a vector: along it, with the stiffness at its length.
static CT_FN void vector_spring(ctReal out[3], const ctModel* m, int j, const ctReal x[3]) {
  ctReal k = cti_spring_factor(m->jnt_stiffness[j], m->jnt_stiffnesspoly + CT_NPOLY * j, cti_norm3(x));
  cti_scale3(out, x, -k);
}

static CT_FN void joint_spring(const ctModel* m, ctData* d, int j) {
  const ctReal* poly = m->jnt_stiffnesspoly + CT_NPOLY * j;
  if (!cti_has_force(m->jnt_stiffness[j], poly)) return;
  const ctReal* q = d->qpos + m->jnt_qposadr[j];
  const ctReal* rest = cti_joint_rest(m, d, j);
  ctReal* force = d->qfrc_spring + m->jnt_dofadr[j];
  ctReal x[3], quat[4];
  switch (m->jnt_type[j]) {
    case CT_JOINT_FREE:
      cti_sub3(x, q, rest);
      vector_spring(force, m, j, x);
      q += 3;
      rest += 3;
      force += 3;
      // its rotation is that of a ball
      // fall through
    case CT_JOINT_BALL:
      cti_copy4(quat, q);
      cti_normalize4(quat);
      cti_quat_sub(x, quat, rest);
      vector_spring(force, m, j, x);
      break;
    default: {
      ctReal shift = q[0] - rest[0];
      force[0] = -shift * cti_spring_factor(m->jnt_stiffness[j], poly, shift);
    }
  }
}

CT_INLINE ctReal spring_derivative(const ctModel* m, int j, ctReal x) {
  const ctReal* poly = m->jnt_stiffnesspoly + CT_NPOLY * j;
  // a spring that pushes away would make the metric indefinite
  return cti_max(0, m->jnt_stiffness[j] + x * (2 * poly[0] + 3 * x * poly[1]));
}

// Displacement of one dof's spring: along it, or the length of the joint's vector.
static CT_FN ctReal spring_displacement(const ctModel* m, const ctData* d, int j, bool rotation) {
  const ctReal *q = d->qpos + m->jnt_qposadr[j], *rest = cti_joint_rest(m, d, j);
  ctReal x[3], quat[4];
  if (cti_joint_is_scalar(m->jnt_type[j])) return q[0] - rest[0];
  if (!rotation) {
    cti_sub3(x, q, rest);
    return cti_norm3(x);
  }
  int at = m->jnt_type[j] == CT_JOINT_FREE ? 3 : 0;
  cti_copy4(quat, q + at);
  cti_normalize4(quat);
  cti_quat_sub(x, quat, rest + at);
  return cti_norm3(x);
}

CT_FN ctReal cti_dof_stiffness(const ctModel* m, const ctData* d, int dof) {
  int j = m->dof_jntid[dof];
  if (!cti_has_force(m->jnt_stiffness[j], m->jnt_stiffnesspoly + CT_NPOLY * j)) return 0;
  bool rotation = m->jnt_type[j] != CT_JOINT_FREE || dof >= m->jnt_dofadr[j] + 3;
  return spring_derivative(m, j, spring_displacement(m, d, j, rotation));
}

CT_FN ctReal cti_tendon_stiffness(const ctModel* m, const ctData* d, int t) {
  const ctReal* poly = m->tendon_stiffnesspoly + CT_NPOLY * t;
  ctReal x = cti_beyond_band(d->ten_length[t], cti_tendon_rest(m, d, t));
  return x == 0 ? CT_R(0) : cti_max(0, m->tendon_stiffness[t] + x * (2 * poly[0] + 3 * x * poly[1]));
}

// qfrc += force along a tendon
static CT_FN void add_tendon_force(const ctModel* m, const ctData* d, ctReal* qfrc, int t, ctReal force) {
  if (force == 0) return;
  const ctReal* J = d->ten_J + m->ten_J_rowadr[t];
  const int* col = m->ten_J_colind + m->ten_J_rowadr[t];
  CT_LANES(k, m->ten_J_rownnz[t]) qfrc[col[k]] += force * J[k];
  CT_TEAM_SYNC();
}

CT_FN ctReal cti_tendon_spring_force(const ctModel* m, const ctData* d, int t) {
  const ctReal* poly = m->tendon_stiffnesspoly + CT_NPOLY * t;
  if ((m->opt.disableflags & CT_DSBL_SPRING) || !cti_has_force(m->tendon_stiffness[t], poly)) return 0;
  ctReal x = cti_beyond_band(d->ten_length[t], cti_tendon_rest(m, d, t));
  return -x * cti_spring_factor(m->tendon_stiffness[t], poly, x);
}

static CT_FN void springs(const ctModel* m, ctData* d) {
  CTI_EACH_LANES(j, cti_awake(d)->jnt) joint_spring(m, d, j);
  CT_TEAM_SYNC();
  CTI_EACH(t, cti_awake(d)->tendon)
  add_tendon_force(m, d, d->qfrc_spring, t, cti_tendon_spring_force(m, d, t));
}

// ---- dampers ----

CT_FN ctReal cti_tendon_damper_force(const ctModel* m, const ctData* d, int t) {
  if (m->opt.disableflags & CT_DSBL_DAMPER) return 0;
  ctiDamping b = cti_tendon_damping(m, t);
  ctReal v = d->ten_velocity[t];
  return cti_damps(&b) ? -v * cti_damper_factor(b.linear, b.poly, v) : CT_R(0);
}

static CT_FN void dampers(const ctModel* m, ctData* d) {
  CTI_EACH_LANES(i, cti_awake(d)->dof) {
    ctiDamping b = cti_dof_damping(m, i);
    d->qfrc_damper[i] = -d->qvel[i] * cti_damper_factor(b.linear, b.poly, d->qvel[i]);
  }
  CT_TEAM_SYNC();
  CTI_EACH(t, cti_awake(d)->tendon)
  add_tendon_force(m, d, d->qfrc_damper, t, cti_tendon_damper_force(m, d, t));
}

// ---- gravity compensation ----

// A part of each body's weight, upwards at its centre of mass.
static CT_FN bool gravity_compensation(const ctModel* m, ctData* d) {
  const ctReal no_torque[3] = {0, 0, 0};
  bool any = false;
  if (m->ngravcomp == 0 || (m->opt.disableflags & CT_DSBL_GRAVITY)) return false;
  if (CT_TEAM > 1) {
    bool own = false;
    CTI_EACH_LANES(i, cti_awake(d)->mover) own = own || m->body_gravcomp[i] != 0;
    if (!cti_team_any(own)) return false;
  }
  CTI_EACH(i, cti_awake(d)->mover) {
    if (m->body_gravcomp[i] == 0) continue;
    ctReal force[3];
    cti_scale3(force, m->opt.gravity, -m->body_mass[i] * m->body_gravcomp[i]);
    cti_add_force_at(m, d, d->qfrc_gravcomp, force, no_torque, d->xipos + 3 * i, i);
    any = true;
  }
  return any;
}

// Joints whose compensation counts as actuation get it in the force stage.
static CT_FN void add_passive_compensation(const ctModel* m, ctData* d) {
  CTI_EACH_LANES(i, cti_awake(d)->dof) {
    if (!m->jnt_actgravcomp[m->dof_jntid[i]]) d->qfrc_passive[i] += d->qfrc_gravcomp[i];
  }
  CT_TEAM_SYNC();
}

CT_KERNEL_INLINE ctStatus cti_passive(const ctModel* m, ctData* d) {
  const int none = CT_DSBL_SPRING | CT_DSBL_DAMPER, disabled = m->opt.disableflags & none;
  cti_awake_zero(d->qfrc_spring, d);
  cti_awake_zero(d->qfrc_damper, d);
  cti_awake_zero(d->qfrc_gravcomp, d);
  cti_awake_zero(d->qfrc_fluid, d);
  cti_awake_zero(d->qfrc_adhesion, d);
  if (disabled == none) {
    cti_awake_zero(d->qfrc_passive, d);
    return CT_OK;
  }
  if (!(disabled & CT_DSBL_SPRING)) springs(m, d);
  if (!(disabled & CT_DSBL_DAMPER)) dampers(m, d);
  ctStatus status = m->nflex ? cti_flex_forces(m, d) : CT_OK;
  cti_awake_add(d->qfrc_passive, d->qfrc_spring, d->qfrc_damper, d);
  if (gravity_compensation(m, d)) add_passive_compensation(m, d);
  if (fluid_forces(m, d)) cti_awake_add_to(d->qfrc_passive, d->qfrc_fluid, d);
  return status;
}

// ---- adhesion ----

CT_FN void cti_adhesion_force(const ctModel* m, ctData* d) {
  cti_awake_zero(d->qfrc_adhesion, d);
  bool off = (m->opt.disableflags & CT_DSBL_SPRING) && (m->opt.disableflags & CT_DSBL_DAMPER);
  if (!m->flg_adhesion || off) return;
  const ctReal none[3] = {0, 0, 0};
  for (int i = 0; i < d->ncon; i++) {
    const ctContact* con = d->contact + i;
    if (con->efc_address < 0 || con->adhesion == 0) continue;
    ctReal pull[3], push[3];
    cti_scale3(pull, con->frame, con->adhesion);
    cti_scale3(push, con->frame, -con->adhesion);
    cti_add_force_at(m, d, d->qfrc_adhesion, pull, none, con->pos, cti_contact_body(m, con, 0));
    cti_add_force_at(m, d, d->qfrc_adhesion, push, none, con->pos, cti_contact_body(m, con, 1));
  }
  cti_awake_add_to(d->qfrc_passive, d->qfrc_adhesion, d);
}
