// Parts that controllers share. Step code.
#pragma once

#include "stage/force/actuator.h"

// A setpoint that may leave `held` only at a rate. On the circle the shorter way is taken.
CT_INLINE ctReal cti_slewed(const ctiActuatorView* a, ctReal setpoint, ctReal held, ctReal rate, bool angle) {
  ctReal most = rate * a->m->opt.timestep, way = setpoint - held;
  if (angle) way = cti_on_circle(a, way);
  return held + cti_clip(way, -most, most);
}

// Rate of an integral of the error that does not wind up beyond +-limit; 0: no limit.
CT_INLINE ctReal cti_unwound(ctReal error, ctReal integral, ctReal limit) {
  bool full = limit > 0 && ((integral >= limit && error > 0) || (integral <= -limit && error < 0));
  return full ? CT_R(0) : error;
}

// The step that is exact for x' = c - rate x: next = x + step * x'.
CT_INLINE ctReal cti_exact_step(ctReal h, ctReal rate) {
  ctReal x = rate * h;
  return x > CTI_MINVAL ? h * (1 - cti_exp(-x)) / x : h;
}
