#include "stage/velocity/fluid.h"

#include "math/spatial.h"
#include "stage/force/acceleration.h"
#include "stage/velocity/fluid_parts.h"

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

CT_FN bool cti_fluid(const ctModel* m, ctData* d) {
  if (!cti_has_fluid(m)) return false;
  for (int i = 1; i < m->nbody; i++) {
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
