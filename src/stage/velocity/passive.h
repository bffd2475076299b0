// Velocity stage: forces that come with the model: springs and dampers of joints.
//   reads   d->qpos, qvel; m->jnt_stiffness*, dof_damping*, qpos_spring
//   writes  d->qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid, qfrc_adhesion, qfrc_passive
//   before  com velocity
#pragma once

#include "base/fn.h"
#include "corten/data.h"

CT_FN void cti_passive(const ctModel* m, ctData* d);

// Stiffness at a displacement: the force is -x times it. coef: linear; poly: the two higher coefficients.
CT_INLINE ctReal cti_spring_factor(ctReal coef, const ctReal* poly, ctReal x) {
  return coef + x * (poly[0] + x * poly[1]);
}

// Damping at a speed: the force is -v times it. Odd in v, so that it never drives.
CT_INLINE ctReal cti_damper_factor(ctReal coef, const ctReal* poly, ctReal v) {
  ctReal speed = v < 0 ? -v : v;
  return coef + speed * (poly[0] + speed * poly[1]);
}

// Derivative of the damping force's magnitude by the speed.
CT_INLINE ctReal cti_damper_slope(ctReal coef, const ctReal* poly, ctReal v) {
  ctReal speed = v < 0 ? -v : v;
  return coef + speed * (2 * poly[0] + 3 * speed * poly[1]);
}
