// One actuator at work, and what its inputs mean: shared by activation, force and their derivatives. Step
// code.
#pragma once

#include "base/kinds.h"
#include "corten/data.h"
#include "math/quat.h"

// An actuator with the controls it sees: delayed and clamped.
typedef struct ctiActuatorView {
  const ctModel* m;
  const ctData* d;
  int id;
  int out;                          // first output
  const ctReal* ctrl;               // first of its controls
  const ctReal *gain, *bias, *dyn;  // parameters
  ctReal length, velocity;          // of the first output
  ctReal period;  // of its length when that is an angle in space: setpoints one period apart are the same;
                  // else 0
} ctiActuatorView;

// `ctrl`: the controls of all actuators.
CT_FN ctiActuatorView cti_actuator(const ctModel* m, const ctData* d, int id, const ctReal* ctrl);

// Is the actuator's group switched off?
CT_INLINE bool cti_actuator_disabled(const ctModel* m, int id) {
  int group = m->actuator_group[id];
  return group >= 0 && group <= 30 && (m->opt.disableactuator & (1 << group)) != 0;
}

// The control of a kind, 0 when the actuator does not take it.
CT_INLINE ctReal cti_input(const ctiActuatorView* a, int kind) {
  int spec = a->m->actuator_ctrlspec[a->id], place = 0;
  if (!(spec & kind)) return 0;
  for (int bit = 1; bit < kind; bit <<= 1) place += (spec & bit) != 0;
  return a->ctrl[place];
}

// The representative of x nearest to zero, on a circle of a->period.
CT_INLINE ctReal cti_on_circle(const ctiActuatorView* a, ctReal x) {
  return a->period > 0 ? x - a->period * cti_round(x / a->period) : x;
}

// Does the bias pull towards the input: is it a servo whose input is a length?
CT_INLINE bool cti_is_position_servo(const ctiActuatorView* a) {
  return a->m->actuator_gaintype[a->id] == CT_GAIN_FIXED &&
         a->m->actuator_biastype[a->id] == CT_BIAS_AFFINE && a->gain[0] != 0 && a->gain[0] == -a->bias[1];
}

// Does an activation hold a setpoint on the circle?
CT_INLINE bool cti_holds_angle(const ctiActuatorView* a) {
  int kind = a->m->actuator_dyntype[a->id];
  bool setpoint = kind == CT_DYN_INTEGRATOR || kind == CT_DYN_FILTER || kind == CT_DYN_FILTEREXACT;
  return setpoint && a->period > 0 && cti_is_position_servo(a);
}

// ---- parts that controllers share ----

// A setpoint that may leave `held` only at a rate. On the circle it takes the shorter arc.
CT_INLINE ctReal cti_slewed(const ctiActuatorView* a, ctReal setpoint, ctReal held, ctReal rate, bool angle) {
  ctReal most = rate * a->m->opt.timestep, change = setpoint - held;
  if (angle) change = cti_on_circle(a, change);
  return held + cti_clip(change, -most, most);
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

// ---- controllers with position, velocity and feed-forward inputs ----
//
// Parameters: bias (constant, -kp, -kv), gain (ki), dynamics (largest integral, largest rate of the
// setpoint). Activations: the setpoint when its rate is limited, then the integral when there is one.

// ---- actuators that a plugin drives ----

// Rates of the activations that are the plugin's, into the array of all.
CT_FN void cti_plugin_rates(const ctiActuatorView* a, ctReal* act_dot);
// Force, before the limits of the actuator; after its rates.
CT_FN ctReal cti_plugin_force(const ctiActuatorView* a);
