// How soft a constraint is: reference and impedance from the numbers of the user. Step code.
#pragma once

#include "corten/types.h"
#include "math/vec3.h"

#define CTI_MIN_IMPEDANCE CT_R(0.0001)
#define CTI_MAX_IMPEDANCE CT_R(0.9999)

// Mixed signs of a reference mean nothing.
CT_INLINE bool cti_reference_is_mixed(const ctReal* solref) {
  return (solref[0] > 0) != (solref[1] > 0);
}

// Stiffness and damping of a reference, for the largest impedance `dmax`; time constants are at least
// `least`.
CT_INLINE void cti_reference_gains(const ctReal* solref, ctReal dmax, ctReal least, ctReal* K, ctReal* B) {
  const ctReal standard[2] = {CT_R(0.02), 1};
  if (cti_reference_is_mixed(solref)) solref = standard;
  if (solref[0] > 0) {
    ctReal time = cti_max(solref[0], least), ratio = solref[1];
    *K = 1 / cti_max(CTI_MINVAL, dmax * dmax * time * time * ratio * ratio);
    *B = 2 / cti_max(CTI_MINVAL, dmax * time);
  } else {
    *K = -solref[0] / cti_max(CTI_MINVAL, dmax * dmax);
    *B = -solref[1] / cti_max(CTI_MINVAL, dmax);
  }
}

// Solimp within its bounds.
CT_INLINE void cti_clamp_solimp(ctReal out[CT_NIMP], const ctReal* solimp) {
  out[0] = cti_clip(solimp[0], CTI_MIN_IMPEDANCE, CTI_MAX_IMPEDANCE);
  out[1] = cti_clip(solimp[1], CTI_MIN_IMPEDANCE, CTI_MAX_IMPEDANCE);
  out[2] = cti_max(0, solimp[2]);
  out[3] = cti_clip(solimp[3], CTI_MIN_IMPEDANCE, CTI_MAX_IMPEDANCE);
  out[4] = cti_max(1, solimp[4]);
}

// Impedance at a violation, and its slope: an S-curve between two values over a width, with a midpoint and a
// power.
CT_INLINE ctReal cti_impedance_at(const ctReal s[CT_NIMP], ctReal violation, ctReal* slope) {
  *slope = 0;
  if (s[0] == s[1] || s[2] <= CTI_MINVAL) return (s[0] + s[1]) / 2;
  ctReal sign = violation < 0 ? CT_R(-1) : CT_R(1), x = sign * violation / s[2], mid = s[3], power = s[4], y,
         dy;
  if (x >= 1) return s[1];
  if (x <= 0) return s[0];
  if (power == 1) {
    y = x;
    dy = 1;
  } else if (power == 2) {
    // the default
    bool low = x <= mid;
    ctReal part = low ? x : 1 - x, ratio = part / (low ? mid : 1 - mid);
    y = low ? ratio * part : 1 - ratio * part;
    dy = 2 * ratio;
  } else if (x <= mid) {
    ctReal a = 1 / cti_pow(mid, power - 1);
    y = a * cti_pow(x, power);
    dy = power * a * cti_pow(x, power - 1);
  } else {
    ctReal b = 1 / cti_pow(1 - mid, power - 1);
    y = 1 - b * cti_pow(1 - x, power);
    dy = power * b * cti_pow(1 - x, power - 1);
  }
  *slope = dy * sign * (s[1] - s[0]) / s[2];
  return s[0] + y * (s[1] - s[0]);
}

// Value of the polynomial that couples two joints or tendons, and its slope.
CT_INLINE ctReal cti_coupling(const ctReal* c, ctReal x, ctReal* slope) {
  *slope = c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4]));
  return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
}
