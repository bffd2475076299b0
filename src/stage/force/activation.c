#include "stage/force/activation.h"

#include "math/dense.h"
#include "stage/force/dcmotor.h"
#include "stage/force/muscle.h"
#include "stage/force/pid.h"
#include "stage/force/servo.h"

// Activations that a plugin or the user adds come first and are not ours: the last is.
CT_INLINE int own_activation(const ctiActuatorView* a) {
  return a->m->actuator_actadr[a->id] + a->m->actuator_actnum[a->id] - 1;
}

static CT_FN ctReal filter_rate(const ctiActuatorView* a, ctReal act) {
  ctReal way = a->ctrl[0] - act;
  if (cti_holds_angle(a)) way = cti_on_circle(a, way);
  return way / cti_max(CTI_MINVAL, a->dyn[0]);
}

static CT_FN void user_rate(const ctiActuatorView* a, ctReal* act_dot) {
  const ctCallbacks* user = &a->m->user;
  if (CT_ON_HOST && user->dyn)
    user->dyn(user->context, a->m, a->d, a->id, act_dot + a->m->actuator_actadr[a->id]);
}

CT_FN void cti_activation_rate(const ctiActuatorView* a, ctReal* act_dot) {
  int last = own_activation(a);
  ctReal act = a->d->act[last];
  switch (a->m->actuator_dyntype[a->id]) {
    case CT_DYN_INTEGRATOR:
      if (a->m->actuator_gaintype[a->id] == CT_GAIN_SO3) {
        cti_copy3(act_dot + last - 2, a->ctrl);
      } else {
        act_dot[last] = a->ctrl[0];
      }
      break;
    case CT_DYN_FILTER:
    case CT_DYN_FILTEREXACT: act_dot[last] = filter_rate(a, act); break;
    case CT_DYN_MUSCLE: act_dot[last] = cti_muscle_dynamics(a->dyn, a->ctrl[0], act); break;
    case CT_DYN_DCMOTOR: cti_motor_dynamics(a, act_dot); break;
    case CT_DYN_PID: cti_pid_dynamics(a, act_dot); break;
    default: user_rate(a, act_dot); break;
  }
}

CT_FN ctReal cti_next_activation(const ctiActuatorView* a, const ctReal* act_dot, int act) {
  ctReal h = a->m->opt.timestep;
  int kind = a->m->actuator_dyntype[a->id];
  if (kind == CT_DYN_FILTEREXACT) h = cti_exact_step(h, 1 / cti_max(CTI_MINVAL, a->dyn[0]));
  // an actuator that is switched off has no rates
  ctReal rate = cti_actuator_disabled(a->m, a->id) ? CT_R(0) : act_dot[act];
  ctReal next = kind == CT_DYN_DCMOTOR ? cti_motor_next(a, rate, act) : a->d->act[act] + h * rate;
  if (a->m->actuator_actlimited[a->id]) {
    next = cti_clip(next, a->m->actuator_actrange[2 * a->id], a->m->actuator_actrange[2 * a->id + 1]);
  }
  if (cti_holds_angle(a)) next = a->length + cti_on_circle(a, next - a->length);
  return next;
}

CT_FN void cti_next_orientation(const ctiActuatorView* a, const ctReal* act_dot, ctReal out[3]) {
  int first = own_activation(a) - 2;
  for (int k = 0; k < 3; k++) out[k] = cti_next_activation(a, act_dot, first + k);
  // the same rotation by less than half a turn
  ctReal angle = cti_norm3(out), turn = CT_R(2 * CTI_PI);
  if (angle > CT_R(CTI_PI)) cti_scale3(out, out, (angle - turn * cti_round(angle / turn)) / angle);
}

CT_FN void cti_advance_activations(const ctModel* m, ctData* d, const ctReal* act_dot) {
  for (int i = 0; m->na && i < m->nactuator; i++) {
    int first = m->actuator_actadr[i], count = m->actuator_actnum[i];
    if (first < 0 || count == 0) continue;
    ctiActuatorView a = cti_actuator(m, d, i, d->ctrl);
    if (m->actuator_dyntype[i] == CT_DYN_INTEGRATOR && m->actuator_gaintype[i] == CT_GAIN_SO3) {
      ctReal next[3];
      cti_next_orientation(&a, act_dot, next);
      cti_copy3(d->act + first + count - 3, next);
      continue;
    }
    // an activation's step may depend on the others' old values: none does on those before it
    for (int k = first; k < first + count; k++) d->act[k] = cti_next_activation(&a, act_dot, k);
  }
}

CT_FN bool cti_advance_reads_length(const ctModel* m, const ctData* d) {
  for (int i = 0; m->na && i < m->nactuator; i++) {
    ctiActuatorView a = cti_actuator(m, d, i, d->ctrl);
    if (m->actuator_actnum[i] > 0 && cti_holds_angle(&a)) return true;
  }
  return false;
}

CT_FN bool cti_advance_reads_velocity(const ctModel* m, const ctData* d) {
  for (int i = 0; m->na && i < m->nactuator; i++) {
    ctiActuatorView a = cti_actuator(m, d, i, d->ctrl);
    if (m->actuator_dyntype[i] == CT_DYN_DCMOTOR && cti_motor_states(&a).bristle >= 0) return true;
  }
  return false;
}
