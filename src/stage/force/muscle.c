#include "stage/force/muscle.h"

#include "math/vec3.h"

// A muscle's parameters by name, its peak force resolved, and its state in its own units.
typedef struct Muscle {
  ctReal force, lmin, lmax, vmax, fpmax, fvmax;
  ctReal length;   // in optimal lengths
  ctReal optimal;  // optimal length
} Muscle;

static CT_FN Muscle muscle_of(const ctReal* prm, const ctReal lengthrange[2], ctReal acc0, ctReal length) {
  Muscle u;
  u.force = prm[2] < 0 ? prm[3] / cti_max(CTI_MINVAL, acc0) : prm[2];
  u.lmin = prm[4];
  u.lmax = prm[5];
  u.vmax = prm[6];
  u.fpmax = prm[7];
  u.fvmax = prm[8];
  u.optimal = (lengthrange[1] - lengthrange[0]) / cti_max(CTI_MINVAL, prm[1] - prm[0]);
  u.length = prm[0] + (length - lengthrange[0]) / cti_max(CTI_MINVAL, u.optimal);
  return u;
}

CT_INLINE ctReal ratio(ctReal a, ctReal b) {
  return a / cti_max(CTI_MINVAL, b);
}

// Active force by length: a smooth hill of four parabolas from lmin over 1 at the optimal length to lmax.
static CT_FN ctReal force_by_length(const Muscle* u) {
  ctReal x = u->length, rise = CT_R(0.5) * (u->lmin + 1), fall = CT_R(0.5) * (1 + u->lmax);
  if (x < u->lmin || x > u->lmax) return 0;
  if (x < rise) {
    x = ratio(x - u->lmin, rise - u->lmin);
    return CT_R(0.5) * x * x;
  }
  if (x < fall) {
    x = x < 1 ? ratio(1 - x, 1 - rise) : ratio(x - 1, fall - 1);
    return 1 - CT_R(0.5) * x * x;
  }
  x = ratio(u->lmax - x, u->lmax - fall);
  return CT_R(0.5) * x * x;
}

// Active force by velocity in units of vmax, and its slope: none when shortening at full speed, 1 at rest, up
// to fvmax when lengthening.
static CT_FN ctReal force_by_velocity(const Muscle* u, ctReal v, ctReal* slope) {
  ctReal excess = u->fvmax - 1;
  *slope = 0;
  if (v <= -1) return 0;
  if (v <= 0) {
    *slope = 2 * (v + 1);
    return (v + 1) * (v + 1);
  }
  if (v <= excess) {
    *slope = 2 * ratio(excess - v, excess);
    return u->fvmax - ratio((excess - v) * (excess - v), excess);
  }
  return u->fvmax;
}

CT_FN ctReal cti_muscle_gain(const ctReal prm[CT_NGAIN], const ctReal lengthrange[2], ctReal acc0,
                             ctReal length, ctReal velocity) {
  Muscle u = muscle_of(prm, lengthrange, acc0, length);
  ctReal slope;
  return -u.force * force_by_length(&u) * force_by_velocity(&u, ratio(velocity, u.optimal * u.vmax), &slope);
}

CT_FN ctReal cti_muscle_gain_derivative(const ctReal prm[CT_NGAIN], const ctReal lengthrange[2], ctReal acc0,
                                        ctReal length, ctReal velocity) {
  Muscle u = muscle_of(prm, lengthrange, acc0, length);
  ctReal slope;
  force_by_velocity(&u, ratio(velocity, u.optimal * u.vmax), &slope);
  return -u.force * force_by_length(&u) * ratio(slope, u.optimal * u.vmax);
}

// Slope of force_by_length.
static CT_FN ctReal length_slope(const Muscle* u) {
  ctReal x = u->length, rise = CT_R(0.5) * (u->lmin + 1), fall = CT_R(0.5) * (1 + u->lmax);
  if (x < u->lmin || x > u->lmax) return 0;
  if (x < rise) return ratio(ratio(x - u->lmin, rise - u->lmin), rise - u->lmin);
  if (x < 1) return ratio(ratio(1 - x, 1 - rise), 1 - rise);
  if (x < fall) return -ratio(ratio(x - 1, fall - 1), fall - 1);
  return -ratio(ratio(u->lmax - x, u->lmax - fall), u->lmax - fall);
}

CT_FN ctReal cti_muscle_gain_by_length(const ctReal prm[CT_NGAIN], const ctReal lengthrange[2], ctReal acc0,
                                       ctReal length, ctReal velocity) {
  Muscle u = muscle_of(prm, lengthrange, acc0, length);
  ctReal slope, by_velocity = force_by_velocity(&u, ratio(velocity, u.optimal * u.vmax), &slope);
  return -u.force * ratio(length_slope(&u), u.optimal) * by_velocity;
}

CT_FN ctReal cti_muscle_bias_by_length(const ctReal prm[CT_NBIAS], const ctReal lengthrange[2], ctReal acc0,
                                       ctReal length) {
  Muscle u = muscle_of(prm, lengthrange, acc0, length);
  ctReal half = CT_R(0.5) * (u.lmax - 1), x = ratio(u.length - 1, half);
  if (u.length <= 1) return 0;
  return -u.force * u.fpmax * ratio(ratio(x <= 1 ? x : CT_R(1), half), u.optimal);
}

CT_FN ctReal cti_muscle_bias(const ctReal prm[CT_NBIAS], const ctReal lengthrange[2], ctReal acc0,
                             ctReal length) {
  Muscle u = muscle_of(prm, lengthrange, acc0, length);
  // a parabola halfway to lmax, a line from there
  ctReal half = CT_R(0.5) * (u.lmax - 1), x = ratio(u.length - 1, half);
  if (u.length <= 1) return 0;
  return -u.force * u.fpmax * (x <= 1 ? CT_R(0.5) * x * x : x - CT_R(0.5));
}

// A smooth step from 0 at 0 to 1 at 1.
CT_INLINE ctReal smooth_step(ctReal x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  return x * x * x * (10 + x * (6 * x - 15));
}

CT_FN ctReal cti_muscle_dynamics(const ctReal prm[CT_NDYN], ctReal control, ctReal act) {
  ctReal excess = cti_clip(control, 0, 1) - act;
  // activation becomes slower, deactivation faster as the muscle is more active
  ctReal factor = CT_R(0.5) + CT_R(1.5) * cti_clip(act, 0, 1);
  ctReal rise = prm[0] * factor, fall = prm[1] / factor, width = prm[2], time;
  if (width < CTI_MINVAL) {
    time = excess > 0 ? rise : fall;
  } else {
    time = fall + (rise - fall) * smooth_step(excess / width + CT_R(0.5));
  }
  return excess / cti_max(CTI_MINVAL, time);
}
