// Velocity stage: forces that come with the model: springs and dampers of joints and tendons, gravity
// compensation, fluid.
//   reads   d->qpos, qvel, plastic, ten_length, ten_velocity, ten_J, xipos, cvel; m->jnt_stiffness*,
//   dof_damping*, ... writes  d->qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid, qfrc_adhesion,
//   qfrc_passive before  com velocity, tendon velocity
#pragma once

#include "base/fn.h"
#include "corten/data.h"
#include "math/elementary.h"

// With springs and dampers both disabled there are no passive forces at all.
CT_FN void cti_passive(const ctModel* m, ctData* d);

// Force of a tendon's spring and damper along it, as far as they are enabled.
CT_FN ctReal cti_tendon_spring_force(const ctModel* m, const ctData* d, int t);
CT_FN ctReal cti_tendon_damper_force(const ctModel* m, const ctData* d, int t);

// Tendon velocities.
CT_FN void cti_tendon_velocity(const ctModel* m, ctData* d);

// Where a spring of a joint (like its part of qpos) or tendon (lower and upper end of its dead band) rests:
// constant, or state when it can yield.
CT_INLINE const ctReal* cti_joint_rest(const ctModel* m, const ctData* d, int j) {
  int adr = m->jnt_plasticadr[j];
  return adr >= 0 ? d->plastic + adr : m->qpos_spring + m->jnt_qposadr[j];
}
CT_INLINE const ctReal* cti_tendon_rest(const ctModel* m, const ctData* d, int t) {
  int adr = m->tendon_plasticadr[t];
  return adr >= 0 ? d->plastic + adr : m->tendon_lengthspring + 2 * t;
}

// How far a length lies outside the dead band, with sign.
CT_INLINE ctReal cti_beyond_band(ctReal length, const ctReal band[2]) {
  return length > band[1] ? length - band[1] : (length < band[0] ? length - band[0] : CT_R(0));
}

// Has a polynomial any coefficient?
CT_INLINE bool cti_has_force(ctReal coef, const ctReal* poly) {
  return coef != 0 || poly[0] != 0 || poly[1] != 0;
}

// Stiffness at a displacement: the force is -x times it. coef: linear; poly: the two higher coefficients.
CT_INLINE ctReal cti_spring_factor(ctReal coef, const ctReal* poly, ctReal x) {
  return coef + x * (poly[0] + x * poly[1]);
}

// Work stored at a displacement: the integral of the force.
CT_INLINE ctReal cti_spring_work(ctReal coef, const ctReal* poly, ctReal x) {
  return x * x * (coef / 2 + x * (poly[0] / 3 + x * poly[1] / 4));
}

// Damping at a speed: the force is -v times it. Odd in v, so that it never drives.
CT_INLINE ctReal cti_damper_factor(ctReal coef, const ctReal* poly, ctReal v) {
  ctReal speed = cti_abs(v);
  return coef + speed * (poly[0] + speed * poly[1]);
}

// Derivative of the damping force's magnitude by the speed.
CT_INLINE ctReal cti_damper_slope(ctReal coef, const ctReal* poly, ctReal v) {
  ctReal speed = cti_abs(v);
  return coef + speed * (2 * poly[0] + 3 * speed * poly[1]);
}
