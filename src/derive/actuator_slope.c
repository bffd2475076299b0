#include "derive/actuator_slope.h"

#include "math/dense.h"
#include "stage/force/activation.h"
#include "stage/force/dcmotor.h"
#include "stage/force/muscle.h"

// At or beyond a limit; a force that was scaled to the limit may miss it by rounding.
#define LIMIT_ROUNDING CT_R(1e-10)
CT_INLINE bool at_limit(ctReal x, const ctReal range[2]) {
  return x <= range[0] + LIMIT_ROUNDING * cti_abs(range[0]) ||
         x >= range[1] - LIMIT_ROUNDING * cti_abs(range[1]);
}

// Is the actuator's own force at its limit? Friction of a motor is beyond it.
static CT_FN bool own_limit(const ctiActuatorView* a) {
  const ctModel* m = a->m;
  const ctReal *force = a->d->actuator_force + a->out, *range = m->actuator_forcerange + 2 * a->id;
  if (!m->actuator_forcelimited[a->id]) return false;
  if (m->actuator_outnum[a->id] > 1) {
    return cti_norm(force, m->actuator_outnum[a->id]) >= range[1] * (1 - LIMIT_ROUNDING);
  }
  bool motor = m->actuator_gaintype[a->id] == CT_GAIN_DCMOTOR;
  return at_limit(motor ? cti_motor_torque(a, a->d->act_dot) : force[0], range);
}

// Is the total at the joint or tendon it acts on at its limit?
static CT_FN bool target_limit(const ctModel* m, const ctData* d, int i) {
  int id = m->actuator_trnid[2 * i];
  switch (m->actuator_trntype[i]) {
    case CT_TRN_JOINT:
    case CT_TRN_JOINTINPARENT:
      if (!m->jnt_actfrclimited[id] || m->jnt_type[id] < CT_JOINT_SLIDE) return false;
      return at_limit(d->qfrc_actuator[m->jnt_dofadr[id]], m->jnt_actfrcrange + 2 * id);
    case CT_TRN_TENDON: {
      if (!m->tendon_actfrclimited[id]) return false;
      ctReal total = 0;
      for (int k = 0; k < m->nactuator; k++) {
        if (m->actuator_trntype[k] == CT_TRN_TENDON && m->actuator_trnid[2 * k] == id) {
          total += d->actuator_force[m->actuator_outadr[k]];
        }
      }
      return at_limit(total, m->tendon_actfrcrange + 2 * id);
    }
    default: return false;
  }
}

// What the gain multiplies.
static CT_FN ctReal multiplied_input(const ctiActuatorView* a) {
  const ctModel* m = a->m;
  int count = m->actuator_actnum[a->id], last = m->actuator_actadr[a->id] + count - 1;
  if (count == 0) return m->actuator_ctrlnum[a->id] > 0 ? a->ctrl[0] : CT_R(0);
  return m->actuator_actearly[a->id] ? cti_next_activation(a, a->d->act_dot, last) : a->d->act[last];
}

static CT_FN ctReal gain_slope(const ctiActuatorView* a) {
  switch (a->m->actuator_gaintype[a->id]) {
    case CT_GAIN_AFFINE: return a->gain[2] * multiplied_input(a);
    case CT_GAIN_MUSCLE:
      return multiplied_input(a) * cti_muscle_gain_slope(a->gain, a->m->actuator_lengthrange + 2 * a->out,
                                                         a->m->actuator_acc0[a->out], a->length, a->velocity);
    case CT_GAIN_DCMOTOR: return cti_motor_torque_slope(a);
    default: return 0;
  }
}

static CT_FN ctReal bias_slope(const ctiActuatorView* a) {
  int kind = a->m->actuator_biastype[a->id];
  return kind == CT_BIAS_AFFINE || kind == CT_BIAS_SO3 ? a->bias[2] : CT_R(0);
}

CT_FN ctReal cti_actuator_slope(const ctModel* m, const ctData* d, const ctReal* ctrl, int actuator) {
  if (cti_actuator_disabled(m, actuator) || target_limit(m, d, actuator)) return 0;
  ctiActuatorView a = cti_actuator(m, d, actuator, ctrl);
  ctReal slope = own_limit(&a) ? CT_R(0) : gain_slope(&a) + bias_slope(&a);
  if (m->actuator_biastype[actuator] == CT_BIAS_DCMOTOR) slope += cti_motor_mechanical_slope(&a);
  return slope;
}
