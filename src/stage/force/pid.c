#include "stage/force/pid.h"

#include "stage/force/servo.h"

#define PID_MAX_INTEGRAL(a) ((a)->dyn[0])
#define PID_MAX_SLEW(a)     ((a)->dyn[1])

typedef struct PidStates {
  int slew, integral;  // activations, -1: none
} PidStates;

static CT_FN PidStates pid_states(const ctiActuatorView* a) {
  PidStates s;
  int first = a->m->actuator_actadr[a->id], count = a->m->actuator_actnum[a->id];
  bool dynamic = a->m->actuator_dyntype[a->id] == CT_DYN_PID && count > 0;
  s.slew = dynamic && PID_MAX_SLEW(a) > 0 ? first : -1;
  s.integral = dynamic && (count == 2 || s.slew < 0) ? first + count - 1 : -1;
  return s;
}

static CT_FN ctReal pid_setpoint(const ctiActuatorView* a, const PidStates* s) {
  ctReal u = cti_input(a, CTI_INPUT_POS);
  return s->slew < 0 ? u : cti_slewed(a, u, a->d->act[s->slew], PID_MAX_SLEW(a), true);
}

CT_FN void cti_pid_dynamics(const ctiActuatorView* a, ctReal* act_dot) {
  PidStates s = pid_states(a);
  ctReal setpoint = pid_setpoint(a, &s);
  if (s.slew >= 0) act_dot[s.slew] = (setpoint - a->d->act[s.slew]) / a->m->opt.timestep;
  if (s.integral >= 0) {
    ctReal error = cti_on_circle(a, setpoint - a->length);
    act_dot[s.integral] = cti_unwound(error, a->d->act[s.integral], PID_MAX_INTEGRAL(a));
  }
}

CT_FN ctReal cti_pid_force(const ctiActuatorView* a, const ctReal* act_dot) {
  PidStates s = pid_states(a);
  ctReal force = a->bias[0] - a->bias[1] * cti_on_circle(a, pid_setpoint(a, &s) - a->length) -
                 a->bias[2] * (cti_input(a, CTI_INPUT_VEL) - a->velocity) + cti_input(a, CTI_INPUT_FF);
  if (s.integral >= 0) {
    ctReal integral = a->d->act[s.integral];
    if (a->m->actuator_actearly[a->id]) integral += a->m->opt.timestep * act_dot[s.integral];
    force += a->gain[0] * integral;
  }
  return force;
}
