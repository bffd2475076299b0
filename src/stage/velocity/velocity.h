// Velocity stage: velocities of bodies and rates of the motion axes, about the tree's centre of mass.
//   reads   d->cdof, qvel
//   writes  d->cvel, cdof_dot
//   before  com
#pragma once

#include "base/fn.h"
#include "data/data.h"
#include "math/elementary.h"

CT_FN void cti_com_velocity(const ctModel* m, ctData* d);

// ---- recursive Newton-Euler ----
//   reads   d->cinert, cdof, cdof_dot, cvel, qvel; m->opt.gravity
//   writes  `out`
//   before  com velocity

// Generalised force that explains the current velocity (Coriolis, centrifugal) and gravity, and the
// acceleration `qacc` when it is not NULL (armature excluded). `out` has nv reals. CT_OK or CT_STEP_OVERFLOW
// (arena full: zeros).
CT_FN ctStatus cti_bias_force(const ctModel* m, ctData* d, const ctReal* qacc, ctReal* out);

// Its way outward: what the world (with gravity as an upward acceleration) and `bodies` accelerate with, and
// the force that each of them needs for that; both have 6 reals for every body.
CT_FN void cti_body_forces(const ctModel* m, const ctData* d, ctiSpans bodies, const ctReal* qacc,
                           ctReal* cacc, ctReal* cfrc);

// ---- what the inertia of tendons needs because their gradient turns with the motion ----
//   reads   d->ten_J, site_xpos, cvel, cdof_dot, qvel
//   adds to d->qfrc_bias
//   before  tendons, com velocity, bias force

// Second time derivative of a spatial tendon's length while no dof accelerates; its path must pass sites and
// pulleys only.
CT_FN ctReal cti_tendon_drift(const ctModel* m, const ctData* d, int tendon);

CT_FN void cti_tendon_bias(const ctModel* m, ctData* d);

// ---- forces that come with the model: springs and dampers of joints and tendons, gravity compensation,
// fluid ----
//   reads   d->qpos, qvel, plastic, ten_length, ten_velocity, ten_J, xipos, cvel; m->jnt_stiffness*,
//   dof_damping*, ... writes  d->qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid, qfrc_passive before com
//   velocity, tendon velocity

// With springs and dampers both disabled there are no passive forces at all.
CT_FN ctStatus cti_passive(const ctModel* m, ctData* d);

// Adhesion of active contacts pulls their bodies together: into d->qfrc_adhesion, and added to
// d->qfrc_passive. Needs the rows.
CT_FN void cti_adhesion_force(const ctModel* m, ctData* d);

// Force of a tendon's spring and damper along it, as far as they are enabled.
CT_FN ctReal cti_tendon_spring_force(const ctModel* m, const ctData* d, int t);
CT_FN ctReal cti_tendon_damper_force(const ctModel* m, const ctData* d, int t);

// Slope of the spring of a dof, or of a tendon, where it is now, never negative.
CT_FN ctReal cti_dof_stiffness(const ctModel* m, const ctData* d, int dof);
CT_FN ctReal cti_tendon_stiffness(const ctModel* m, const ctData* d, int t);

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
CT_INLINE ctReal cti_damper_derivative(ctReal coef, const ctReal* poly, ctReal v) {
  ctReal speed = cti_abs(v);
  return coef + speed * (2 * poly[0] + 3 * speed * poly[1]);
}
