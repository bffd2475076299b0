// Actuators that a plugin drives: mujoco.pid, and those of the program.
#include "model/plugin.h"
#include "stage/force/actuator.h"
#include "stage/force/force.h"

// ---- mujoco.pid ----

// Where its states are among the activations: the integral of the error, the setpoint before; -1 for none.
typedef struct ServoPlugin {
  const ctReal* prm;
  int integral, before;
} ServoPlugin;

static CT_FN ServoPlugin servo_of(const ctiActuatorView* a, int instance) {
  ServoPlugin p;
  p.prm = a->m->plugin_prm + CT_NPLUGINPRM * instance;
  int next = a->m->actuator_actadr[a->id];
  p.integral = p.prm[CTI_PID_KI] != 0 ? next++ : -1;
  p.before = p.prm[CTI_PID_SLEW] >= 0 ? next : -1;
  return p;
}

CT_INLINE bool servo_has_dynamics(const ctiActuatorView* a) {
  return a->m->actuator_dyntype[a->id] != CT_DYN_NONE;
}

// The control or the activation of the actuator's own dynamics, that after the step when `early`; as near to
// the one before as it may be.
static CT_FN ctReal servo_setpoint(const ctiActuatorView* a, const ServoPlugin* p, bool early) {
  const ctModel* m = a->m;
  int last = m->actuator_actadr[a->id] + m->actuator_actnum[a->id] - 1;
  ctReal u = m->actuator_ctrlnum[a->id] > 0 ? a->ctrl[0] : CT_R(0);
  if (servo_has_dynamics(a)) u = early ? cti_next_activation(a, a->d->act_dot, last) : a->d->act[last];
  if (p->before >= 0 && a->d->time > 0) {
    ctReal from = a->d->act[p->before], most = p->prm[CTI_PID_SLEW] * m->opt.timestep;
    u = cti_clip(u, from - most, from + most);
  }
  return u;
}

static CT_FN ctReal servo_integral(const ctiActuatorView* a, const ServoPlugin* p, ctReal error) {
  ctReal sum = a->d->act[p->integral] + error * a->m->opt.timestep, most = p->prm[CTI_PID_IMAX];
  return most >= 0 ? cti_clip(sum, -most, most) : sum;
}

static CT_FN void servo_rates(const ctiActuatorView* a, int instance, ctReal* act_dot) {
  ServoPlugin p = servo_of(a, instance);
  ctReal u = servo_setpoint(a, &p, false), h = a->m->opt.timestep;
  if (p.integral >= 0)
    act_dot[p.integral] = (servo_integral(a, &p, u - a->length) - a->d->act[p.integral]) / h;
  if (p.before >= 0) act_dot[p.before] = (u - a->d->act[p.before]) / h;
}

static CT_FN ctReal servo_force(const ctiActuatorView* a, int instance) {
  ServoPlugin p = servo_of(a, instance);
  ctReal error = servo_setpoint(a, &p, a->m->actuator_actearly[a->id]) - a->length, rate = 0;
  ctReal force = p.prm[CTI_PID_KP] * error;
  if (p.integral >= 0) force += p.prm[CTI_PID_KI] * servo_integral(a, &p, error);
  if (servo_has_dynamics(a))
    rate = a->d->act_dot[a->m->actuator_actadr[a->id] + a->m->actuator_actnum[a->id] - 1];
  return force + p.prm[CTI_PID_KD] * (rate - a->velocity);
}

// ---- all ----

CT_FN void cti_plugin_rates(const ctiActuatorView* a, ctReal* act_dot) {
  int instance = a->m->actuator_plugin[a->id];
  const ctPlugin* p = cti_plugin_of(a->m, instance);
  if (!p) {
    servo_rates(a, instance, act_dot);
  } else if (CT_ON_HOST && p->activation_rate) {
    p->activation_rate(p, a->m, a->d, instance, a->id, act_dot + a->m->actuator_actadr[a->id]);
  }
}

CT_FN ctReal cti_plugin_force(const ctiActuatorView* a) {
  int instance = a->m->actuator_plugin[a->id];
  const ctPlugin* p = cti_plugin_of(a->m, instance);
  if (!p) return servo_force(a, instance);
  return CT_ON_HOST ? p->force(p, a->m, a->d, instance, a->id) : CT_R(0);
}
