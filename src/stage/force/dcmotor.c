#include "stage/force/dcmotor.h"

#include "stage/force/actuator.h"

// Parameters by name.
#define RESISTANCE(a)        ((a)->gain[0])
#define MOTOR_CONSTANT(a)    ((a)->gain[1])
#define TEMPERATURE_COEF(a)  ((a)->gain[2])
#define REFERENCE_TEMP(a)    ((a)->gain[3])
#define PROPORTIONAL(a)      ((a)->gain[4])
#define INTEGRAL(a)          ((a)->gain[5])
#define DERIVATIVE(a)        ((a)->gain[6])
#define MAX_VOLTAGE(a)       ((a)->gain[7])
#define ELECTRIC_TIME(a)     ((a)->dyn[0])
#define MAX_CURRENT_RATE(a)  ((a)->dyn[1])
#define HEAT_RESISTANCE(a)   ((a)->dyn[2])
#define HEAT_CAPACITY(a)     ((a)->dyn[3])
#define AMBIENT_TEMP(a)      ((a)->dyn[4])
#define BRISTLE_STIFFNESS(a) ((a)->dyn[5])
#define BRISTLE_DAMPING(a)   ((a)->dyn[6])
#define MAX_SLEW(a)          ((a)->dyn[7])
#define MAX_INTEGRAL(a)      ((a)->dyn[8])
#define COGGING(a)           ((a)->bias[0])
#define POLES(a)             ((a)->bias[1])
#define PHASE(a)             ((a)->bias[2])
#define COULOMB(a)           ((a)->bias[3])
#define STATIC(a)            ((a)->bias[4])
#define STRIBECK(a)          ((a)->bias[5])

CT_FN ctiMotorStates cti_motor_states(const ctiActuatorView* a) {
  ctiMotorStates s;
  int first = a->m->actuator_actadr[a->id], next = first;
  s.slew = MAX_SLEW(a) > 0 ? next++ : -1;
  s.integral = INTEGRAL(a) > 0 ? next++ : -1;
  s.heat = HEAT_RESISTANCE(a) > 0 ? next++ : -1;
  s.bristle = BRISTLE_STIFFNESS(a) > 0 ? next++ : -1;
  s.current = ELECTRIC_TIME(a) > 0 ? next++ : -1;
  // parameters were overwritten, and ask for other states than it was compiled with
  if (next - first != a->m->actuator_actnum[a->id]) s.slew = s.integral = s.heat = s.bristle = s.current = -1;
  return s;
}

// Resistance of the warm winding; the activation is the temperature above ambient.
static CT_FN ctReal warm_resistance(const ctiActuatorView* a, const ctiMotorStates* s) {
  if (s->heat < 0) return RESISTANCE(a);
  ctReal above = a->d->act[s->heat] + AMBIENT_TEMP(a) - REFERENCE_TEMP(a);
  return cti_max(CTI_MINVAL, RESISTANCE(a) * (1 + TEMPERATURE_COEF(a) * above));
}

// The first of the controller's inputs, held to its rate; the others as they are.
typedef struct Setpoints {
  ctReal pos, vel, ff;
} Setpoints;

static CT_FN Setpoints motor_setpoints(const ctiActuatorView* a, const ctiMotorStates* s) {
  Setpoints u;
  u.pos = cti_input(a, CTI_INPUT_POS);
  u.vel = cti_input(a, CTI_INPUT_VEL);
  u.ff = cti_input(a, CTI_INPUT_FF);
  if (s->slew < 0) return u;
  int spec = a->m->actuator_ctrlspec[a->id];
  ctReal* first = spec & CTI_INPUT_POS ? &u.pos : spec & CTI_INPUT_VEL ? &u.vel : &u.ff;
  *first = cti_slewed(a, *first, a->d->act[s->slew], MAX_SLEW(a), first == &u.pos);
  return u;
}

// The controller asks for a torque and drives the voltage that gives it with a cold winding, back-EMF
// included. Its derivative by velocity goes to `slope`.
static CT_FN ctReal controller_voltage(const ctiActuatorView* a, const ctiMotorStates* s, ctReal* slope) {
  int spec = a->m->actuator_ctrlspec[a->id];
  *slope = 0;
  if (!(spec & (CTI_INPUT_POS | CTI_INPUT_VEL | CTI_INPUT_FF))) return 0;
  Setpoints u = motor_setpoints(a, s);
  ctReal torque =
      PROPORTIONAL(a) * cti_on_circle(a, u.pos - a->length) + DERIVATIVE(a) * (u.vel - a->velocity) + u.ff;
  if (s->integral >= 0) torque += INTEGRAL(a) * a->d->act[s->integral];
  ctReal constant = MOTOR_CONSTANT(a), per_torque = RESISTANCE(a) / cti_max(CTI_MINVAL, constant);
  ctReal voltage = per_torque * torque + constant * a->velocity, most = MAX_VOLTAGE(a);
  if (most > 0 && cti_abs(voltage) >= most) return cti_clip(voltage, -most, most);
  *slope = constant - per_torque * DERIVATIVE(a);
  return voltage;
}

// Current that the voltage would settle at.
static CT_FN ctReal settled_current(const ctiActuatorView* a, const ctiMotorStates* s, ctReal resistance) {
  ctReal slope, voltage = controller_voltage(a, s, &slope) + cti_input(a, CTI_INPUT_VOLTAGE);
  return (voltage - MOTOR_CONSTANT(a) * a->velocity) / resistance;
}

// How fast the bristles follow the velocity: deflection settles at the rate |v| stiffness / friction(v).
static CT_FN ctReal bristle_rate(const ctiActuatorView* a) {
  ctReal x = a->velocity / cti_max(CTI_MINVAL, STRIBECK(a));
  ctReal friction = COULOMB(a) + (STATIC(a) - COULOMB(a)) * cti_exp(-x * x);
  return BRISTLE_STIFFNESS(a) * cti_abs(a->velocity) / cti_max(CTI_MINVAL, friction);
}

CT_FN void cti_motor_dynamics(const ctiActuatorView* a, ctReal* act_dot) {
  const ctReal* act = a->d->act;
  ctiMotorStates s = cti_motor_states(a);
  ctReal resistance = warm_resistance(a, &s), current = settled_current(a, &s, resistance);
  Setpoints u = motor_setpoints(a, &s);
  if (s.slew >= 0) {
    int spec = a->m->actuator_ctrlspec[a->id];
    ctReal first = spec & CTI_INPUT_POS ? u.pos : spec & CTI_INPUT_VEL ? u.vel : u.ff;
    act_dot[s.slew] = (first - act[s.slew]) / a->m->opt.timestep;
  }
  if (s.integral >= 0) {
    ctReal error = cti_on_circle(a, u.pos - a->length);
    act_dot[s.integral] = cti_unwound(error, act[s.integral], MAX_INTEGRAL(a));
  }
  if (s.current >= 0) {
    ctReal rate = (current - act[s.current]) / ELECTRIC_TIME(a), most = MAX_CURRENT_RATE(a);
    act_dot[s.current] = most > 0 ? cti_clip(rate, -most, most) : rate;
    current = act[s.current];
  }
  if (s.heat >= 0) {
    ctReal power = current * current * resistance - act[s.heat] / HEAT_RESISTANCE(a);
    act_dot[s.heat] = power / cti_max(CTI_MINVAL, HEAT_CAPACITY(a));
  }
  if (s.bristle >= 0) act_dot[s.bristle] = a->velocity - bristle_rate(a) * act[s.bristle];
}

CT_FN ctReal cti_motor_next(const ctiActuatorView* a, ctReal rate, int act) {
  ctiMotorStates s = cti_motor_states(a);
  ctReal h = a->m->opt.timestep, now = a->d->act[act], most = MAX_INTEGRAL(a);
  if (act == s.current) return now + cti_exact_step(h, 1 / ELECTRIC_TIME(a)) * rate;
  if (act == s.bristle) {
    // exact for the velocity as it is
    ctReal settling = bristle_rate(a);
    return now + cti_exact_step(h, settling) * (a->velocity - settling * now);
  }
  ctReal next = now + h * rate;
  return act == s.integral && most > 0 ? cti_clip(next, -most, most) : next;
}

CT_FN ctReal cti_motor_torque(const ctiActuatorView* a, const ctReal* act_dot) {
  ctiMotorStates s = cti_motor_states(a);
  ctReal current;
  if (s.current < 0) {
    current = settled_current(a, &s, warm_resistance(a, &s));
  } else {
    bool early = a->m->actuator_actearly[a->id];
    current = early ? cti_motor_next(a, act_dot[s.current], s.current) : a->d->act[s.current];
  }
  return MOTOR_CONSTANT(a) * current;
}

CT_FN ctReal cti_motor_mechanical(const ctiActuatorView* a, const ctReal* act_dot) {
  ctiMotorStates s = cti_motor_states(a);
  ctReal torque = 0;
  if (COGGING(a) != 0) torque += COGGING(a) * cti_sin(POLES(a) * a->length + PHASE(a));
  if (s.bristle >= 0) {
    torque -= BRISTLE_STIFFNESS(a) * a->d->act[s.bristle] + BRISTLE_DAMPING(a) * act_dot[s.bristle];
  }
  return torque;
}

CT_FN ctReal cti_motor_torque_derivative(const ctiActuatorView* a) {
  ctiMotorStates s = cti_motor_states(a);
  ctReal resistance = warm_resistance(a, &s), by_voltage;
  controller_voltage(a, &s, &by_voltage);
  ctReal slope = MOTOR_CONSTANT(a) * (by_voltage - MOTOR_CONSTANT(a)) / resistance;
  if (s.current < 0) return slope;
  // a current that changes at its own pace follows the velocity only within the step, if at all
  ctReal rate = (settled_current(a, &s, resistance) - a->d->act[s.current]) / ELECTRIC_TIME(a);
  bool held = MAX_CURRENT_RATE(a) > 0 && cti_abs(rate) >= MAX_CURRENT_RATE(a);
  if (held || !a->m->actuator_actearly[a->id]) return 0;
  return slope * cti_exact_step(a->m->opt.timestep, 1 / ELECTRIC_TIME(a)) / ELECTRIC_TIME(a);
}

CT_FN ctReal cti_motor_mechanical_derivative(const ctiActuatorView* a) {
  return BRISTLE_STIFFNESS(a) > 0 ? -BRISTLE_DAMPING(a) : CT_R(0);
}

// Through the controller, unless its voltage is at the limit. A current with a pace of its own does not
// follow.
CT_FN ctReal cti_motor_torque_by_length(const ctiActuatorView* a) {
  ctiMotorStates s = cti_motor_states(a);
  if (!(a->m->actuator_ctrlspec[a->id] & (CTI_INPUT_POS | CTI_INPUT_VEL | CTI_INPUT_FF))) return 0;
  ctReal slope, voltage = controller_voltage(a, &s, &slope), most = MAX_VOLTAGE(a);
  if (most > 0 && cti_abs(voltage) >= most) return 0;
  ctReal torque = -PROPORTIONAL(a) * RESISTANCE(a) / warm_resistance(a, &s);
  if (s.current < 0) return torque;
  ctReal rate = (settled_current(a, &s, warm_resistance(a, &s)) - a->d->act[s.current]) / ELECTRIC_TIME(a);
  bool held = MAX_CURRENT_RATE(a) > 0 && cti_abs(rate) >= MAX_CURRENT_RATE(a);
  if (held || !a->m->actuator_actearly[a->id]) return 0;
  return torque * cti_exact_step(a->m->opt.timestep, 1 / ELECTRIC_TIME(a)) / ELECTRIC_TIME(a);
}

CT_FN ctReal cti_motor_mechanical_by_length(const ctiActuatorView* a) {
  return COGGING(a) == 0 ? CT_R(0) : COGGING(a) * POLES(a) * cti_cos(POLES(a) * a->length + PHASE(a));
}
