#include "data/arena.h"
#include "data/awake.h"
#include "data/history.h"
#include "math/dense.h"
#include "math/sparse.h"
#include "math/spatial.h"
#include "stage/force/actuator.h"
#include "stage/force/dcmotor.h"
#include "stage/force/force.h"
#include "stage/force/muscle.h"
#include "stage/position/point_motion.h"
#include "stage/position/position.h"

// Length of a full turn for transmissions whose length is an angle in space; 0 for others.
static CT_FN ctReal full_turn(const ctModel* m, int id) {
  const ctReal* gear = m->actuator_gear + 6 * m->actuator_outadr[id];
  const int* target = m->actuator_trnid + 2 * id;
  switch (m->actuator_trntype[id]) {
    case CT_TRN_JOINT:
    case CT_TRN_JOINTINPARENT:
      return m->jnt_type[target[0]] == CT_JOINT_BALL ? CT_R(2 * CTI_PI) * cti_norm3(gear) : CT_R(0);
    case CT_TRN_SITE:
      if (target[1] < 0 || gear[0] != 0 || gear[1] != 0 || gear[2] != 0) return 0;
      return CT_R(2 * CTI_PI) * cti_norm3(gear + 3);
    default: return 0;
  }
}

CT_FN ctiActuatorView cti_actuator(const ctModel* m, const ctData* d, int id, const ctReal* ctrl) {
  ctiActuatorView a;
  a.m = m;
  a.d = d;
  a.id = id;
  a.out = m->actuator_outadr[id];
  a.ctrl = ctrl + m->actuator_ctrladr[id];
  a.gain = m->actuator_gainprm + CT_NGAIN * id;
  a.bias = m->actuator_biasprm + CT_NBIAS * id;
  a.dyn = m->actuator_dynprm + CT_NDYN * id;
  a.length = d->actuator_length[a.out];
  a.velocity = d->actuator_velocity[a.out];
  a.period = full_turn(m, id);
  return a;
}

// ---- controllers with position, velocity and feed-forward inputs ----
//
// Parameters: bias (constant, -kp, -kv), gain (ki), dynamics (largest integral, largest rate of the
// setpoint). Activations: the setpoint when its rate is limited, then the integral when there is one.

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

static CT_FN void pid_dynamics(const ctiActuatorView* a, ctReal* act_dot) {
  PidStates s = pid_states(a);
  ctReal setpoint = pid_setpoint(a, &s);
  if (s.slew >= 0) act_dot[s.slew] = (setpoint - a->d->act[s.slew]) / a->m->opt.timestep;
  if (s.integral >= 0) {
    ctReal error = cti_on_circle(a, setpoint - a->length);
    act_dot[s.integral] = cti_unwound(error, a->d->act[s.integral], PID_MAX_INTEGRAL(a));
  }
}

static CT_FN ctReal pid_force(const ctiActuatorView* a, const ctReal* act_dot) {
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

// ---- activation dynamics ----
//   reads   d->act, actuator_length, actuator_velocity
//   writes  d->act_dot; d->act when advanced
//   before  actuator velocity

// Activations that a plugin or the user adds come first and are not ours: the last is.
CT_INLINE int own_activation(const ctiActuatorView* a) {
  return a->m->actuator_actadr[a->id] + a->m->actuator_actnum[a->id] - 1;
}

static CT_FN ctReal filter_rate(const ctiActuatorView* a, ctReal act) {
  ctReal rest = a->ctrl[0] - act;
  if (cti_holds_angle(a)) rest = cti_on_circle(a, rest);
  return rest / cti_max(CTI_MINVAL, a->dyn[0]);
}

static CT_FN void user_rate(const ctiActuatorView* a, ctReal* act_dot) {
  const ctCallbacks* user = &a->m->user;
  if (CT_ON_HOST && user->dyn)
    user->dyn(user->context, a->m, a->d, a->id, act_dot + a->m->actuator_actadr[a->id]);
}

// Rates of an actuator's activations, into the array of all.
static CT_FN void activation_rate(const ctiActuatorView* a, ctReal* act_dot) {
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
    case CT_DYN_PID: pid_dynamics(a, act_dot); break;
    case CT_DYN_USER: user_rate(a, act_dot); break;
    default: break;
  }
  if (a->m->nplugin && a->m->actuator_plugin[a->id] >= 0) cti_plugin_rates(a, act_dot);
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

// The three activations of an orientation servo after a step.
static CT_FN void next_orientation(const ctiActuatorView* a, const ctReal* act_dot, ctReal out[3]) {
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
      next_orientation(&a, act_dot, next);
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

// ---- controls -> activation rates and actuator forces -> joint forces ----
//   reads   d->ctrl, history, act, actuator_length, actuator_velocity, moment_*, actuator_moment,
//   qfrc_gravcomp writes  d->act_dot, actuator_force, qfrc_actuator before  transmission, actuator velocity,
//   passive

CT_FN void cti_actuator_velocity(const ctModel* m, ctData* d) {
  if (m->opt.disableflags & CT_DSBL_ACTUATION) {
    cti_zero(d->actuator_velocity, m->nout);
  } else {
    cti_csr_mul_vec(d->actuator_velocity, d->actuator_moment, d->moment_rownnz, d->moment_rowadr,
                    (const int*)0, d->moment_colind, d->qvel, m->nout);
  }
}

// ---- controls ----

// First control that is not a number, -1 when all are.
static CT_FN int bad_control(const ctModel* m, const ctData* d) {
  if (CT_TEAM > 1) {
    bool bad = false;
    CT_LANES(i, m->nu) bad = bad || cti_is_bad(d->ctrl[i]);
    if (!cti_team_any(bad)) return -1;
  }
  for (int i = 0; i < m->nu; i++) {
    if (cti_is_bad(d->ctrl[i])) return i;
  }
  return -1;
}

CT_FN int cti_acting_controls(const ctModel* m, const ctData* d, ctReal* ctrl) {
  int bad = bad_control(m, d);
  if (bad >= 0) {
    cti_team_zero(ctrl, m->nu);
    return bad;
  }
  cti_team_copy(ctrl, d->ctrl, m->nu);
  for (int i = 0; m->nhistory && i < m->nactuator; i++) {
    if (m->actuator_history[2 * i] > 0 && m->actuator_delay[i] > 0) {
      cti_history_read(m, d, i, ctrl + m->actuator_ctrladr[i]);
    }
  }
  CT_TEAM_SYNC();
  if (m->opt.disableflags & CT_DSBL_CLAMPCTRL) return -1;
  CT_LANES(k, m->nu) {
    if (!m->actuator_ctrllimited[k]) continue;
    ctrl[k] = cti_clip(ctrl[k], m->actuator_ctrlrange[2 * k], m->actuator_ctrlrange[2 * k + 1]);
  }
  CT_TEAM_SYNC();
  return -1;
}

// ---- force of one actuator ----

// A number of the user's, `otherwise` when there is no function for it.
static CT_FN ctReal user_number(const ctiActuatorView* a,
                                ctReal (*function)(void*, const ctModel*, const ctData*, int),
                                ctReal otherwise) {
  return CT_ON_HOST && function ? function(a->m->user.context, a->m, a->d, a->id) : otherwise;
}

static CT_FN ctReal actuator_gain(const ctiActuatorView* a) {
  const ctReal* g = a->gain;
  switch (a->m->actuator_gaintype[a->id]) {
    case CT_GAIN_FIXED: return g[0];
    case CT_GAIN_AFFINE: return g[0] + g[1] * a->length + g[2] * a->velocity;
    case CT_GAIN_MUSCLE:
      return cti_muscle_gain(g, a->m->actuator_lengthrange + 2 * a->out, a->m->actuator_acc0[a->out],
                             a->length, a->velocity);
    default: return user_number(a, a->m->user.gain, 1);
  }
}

static CT_FN ctReal actuator_bias(const ctiActuatorView* a) {
  const ctReal* b = a->bias;
  switch (a->m->actuator_biastype[a->id]) {
    case CT_BIAS_AFFINE: return b[0] + b[1] * a->length + b[2] * a->velocity;
    case CT_BIAS_MUSCLE:
      return cti_muscle_bias(b, a->m->actuator_lengthrange + 2 * a->out, a->m->actuator_acc0[a->out],
                             a->length);
    case CT_BIAS_USER: return user_number(a, a->m->user.bias, 0);
    default: return 0;
  }
}

// What the gain multiplies: the activation, present or next, or else the control.
static CT_FN ctReal actuator_input(const ctiActuatorView* a) {
  const ctModel* m = a->m;
  int count = m->actuator_actnum[a->id], last = m->actuator_actadr[a->id] + count - 1;
  ctReal input = 0;
  if (count > 0) {
    input = m->actuator_actearly[a->id] ? cti_next_activation(a, a->d->act_dot, last) : a->d->act[last];
  } else if (m->actuator_ctrlnum[a->id] > 0) {
    input = a->ctrl[0];
  }
  // of all setpoints that mean the same angle, the one nearest to the present angle
  if (a->period > 0 && cti_is_position_servo(a)) input = a->length + cti_on_circle(a, input - a->length);
  return input;
}

// Orientation the servo shall reach, relative to the parent.
static CT_FN void target_orientation(ctReal quat[4], const ctiActuatorView* a) {
  const ctModel* m = a->m;
  ctReal turn[3];
  if (m->actuator_actnum[a->id] >= 3) {
    if (m->actuator_actearly[a->id]) {
      next_orientation(a, a->d->act_dot, turn);
    } else {
      cti_copy3(turn, a->d->act + m->actuator_actadr[a->id] + m->actuator_actnum[a->id] - 3);
    }
  } else if (m->actuator_ctrlspec[a->id] == CTI_CHART_QUAT) {
    cti_copy4(quat, a->ctrl);
    cti_normalize4(quat);
    return;
  } else {
    cti_copy3(turn, a->ctrl);
  }
  cti_quat_unit(quat);
  cti_quat_integrate(quat, turn, 1);
}

// Torque along the shortest arc to the target, less damping; all in the frame of the child.
static CT_FN void orientation_force(ctReal out[3], const ctiActuatorView* a) {
  ctReal target[4], present[4], error[3];
  target_orientation(target, a);
  cti_quat_unit(present);
  cti_quat_integrate(present, a->d->actuator_length + a->out, 1);
  cti_quat_sub(error, target, present);
  for (int k = 0; k < 3; k++) {
    out[k] = a->gain[0] * error[k] + a->bias[2] * a->d->actuator_velocity[a->out + k];
  }
}

static CT_FN void one_force(const ctiActuatorView* a, ctReal* force) {
  switch (a->m->actuator_gaintype[a->id]) {
    case CT_GAIN_SO3: orientation_force(force + a->out, a); break;
    case CT_GAIN_PID: force[a->out] = pid_force(a, a->d->act_dot); break;
    case CT_GAIN_DCMOTOR: force[a->out] = cti_motor_torque(a, a->d->act_dot); break;
    default: force[a->out] = actuator_gain(a) * actuator_input(a) + actuator_bias(a);
  }
}

// ---- limits ----

// Total of all actuators on a tendon, kept in its range by one common factor.
static CT_FN void limit_tendon_forces(const ctModel* m, ctData* d) {
  for (int t = 0; t < m->ntendon; t++) {
    if (!m->tendon_actfrclimited[t]) continue;
    ctReal total = 0;
    for (int i = 0; i < m->nactuator; i++) {
      if (m->actuator_trntype[i] == CT_TRN_TENDON && m->actuator_trnid[2 * i] == t) {
        total += d->actuator_force[m->actuator_outadr[i]];
      }
    }
    ctReal most = cti_clip(total, m->tendon_actfrcrange[2 * t], m->tendon_actfrcrange[2 * t + 1]);
    if (most == total) continue;
    for (int i = 0; i < m->nactuator; i++) {
      if (m->actuator_trntype[i] == CT_TRN_TENDON && m->actuator_trnid[2 * i] == t) {
        d->actuator_force[m->actuator_outadr[i]] *= most / total;
      }
    }
  }
}

// An actuator's own range; of several outputs, the length of the vector.
static CT_FN void limit_actuator_force(const ctModel* m, ctReal* force, int i) {
  const ctReal* range = m->actuator_forcerange + 2 * i;
  if (!m->actuator_forcelimited[i]) return;
  if (m->actuator_outnum[i] == 1) {
    force[0] = cti_clip(force[0], range[0], range[1]);
    return;
  }
  ctReal size = cti_norm(force, m->actuator_outnum[i]);
  if (size > range[1]) cti_scale(force, force, range[1] / size, m->actuator_outnum[i]);
}

// Total force of all actuators at a joint, kept in its range.
static CT_FN void limit_joint_forces(const ctModel* m, ctData* d) {
  CTI_EACH_LANES(j, cti_awake(d)->jnt) {
    int type = m->jnt_type[j];
    if (!m->jnt_actfrclimited[j] || !cti_joint_is_scalar(type)) continue;
    ctReal* force = d->qfrc_actuator + m->jnt_dofadr[j];
    *force = cti_clip(*force, m->jnt_actfrcrange[2 * j], m->jnt_actfrcrange[2 * j + 1]);
  }
  CT_TEAM_SYNC();
}

// ---- the stage ----

static CT_FN void actuator_forces(const ctModel* m, ctData* d, const ctReal* ctrl) {
  const bool plugins = m->nplugin > 0;
  CTI_EACH_LANES(i, cti_awake(d)->actuator) {
    // an actuator that is switched off gives no force; its rates are still reported
    ctiActuatorView a = cti_actuator(m, d, i, ctrl);
    if (m->actuator_actnum[i] > 0) {
      cti_zero(d->act_dot + m->actuator_actadr[i], m->actuator_actnum[i]);
      activation_rate(&a, d->act_dot);
    }
    if (cti_actuator_disabled(m, i)) continue;
    if (plugins && m->actuator_plugin[i] >= 0) {
      d->actuator_force[a.out] = cti_plugin_force(&a);
    } else {
      one_force(&a, d->actuator_force);
    }
  }
  CT_TEAM_SYNC();
  limit_tendon_forces(m, d);
  CTI_EACH_LANES(i, cti_awake(d)->actuator) {
    if (cti_actuator_disabled(m, i)) continue;
    ctReal* force = d->actuator_force + m->actuator_outadr[i];
    limit_actuator_force(m, force, i);
    if (m->actuator_biastype[i] == CT_BIAS_DCMOTOR) {
      ctiActuatorView a = cti_actuator(m, d, i, ctrl);
      force[0] += cti_motor_mechanical(&a, d->act_dot);
    }
  }
  CT_TEAM_SYNC();
}

// Gravity compensation of joints where it counts as actuation.
static CT_FN void add_compensation(const ctModel* m, ctData* d) {
  CTI_EACH_LANES(i, cti_awake(d)->dof) {
    if (m->jnt_actgravcomp[m->dof_jntid[i]]) d->qfrc_actuator[i] += d->qfrc_gravcomp[i];
  }
  CT_TEAM_SYNC();
}

CT_KERNEL_INLINE ctStatus cti_actuation(const ctModel* m, ctData* d) {
  cti_team_zero(d->actuator_force, m->nout);
  if (cti_whole_arrays(d)) {
    cti_team_zero(d->qfrc_actuator, m->nv);
  } else {
    cti_awake_zero(d->qfrc_actuator, d);
  }
  if (m->nactuator == 0 || (m->opt.disableflags & CT_DSBL_ACTUATION)) {
    cti_zero(d->act_dot, m->na);
    return CT_OK;
  }
  size_t mark = cti_scratch_mark(d);
  ctReal* ctrl = CTI_SCRATCH(d, ctReal, m->nu, "actuation.ctrl");
  if (!ctrl) return CT_STEP_OVERFLOW;
  int bad = cti_acting_controls(m, d, ctrl);
  if (bad >= 0) cti_warn(d, CT_WARN_BADCTRL, bad);
  actuator_forces(m, d, ctrl);
  cti_scratch_release(d, mark);
  for (int i = 0; i < m->nout; i++) {
    int adr = d->moment_rowadr[i];
    if (d->actuator_force[i] == 0) continue;
    cti_team_add_scaled_sparse(d->qfrc_actuator, d->actuator_moment + adr, d->moment_colind + adr,
                               d->actuator_force[i], d->moment_rownnz[i]);
  }
  add_compensation(m, d);
  limit_joint_forces(m, d);
  return bad >= 0 ? CT_STEP_DIVERGED : CT_OK;
}

// ---- all smooth forces together, and the acceleration they alone would cause ----
//   reads   d->qfrc_passive, qfrc_bias, qfrc_applied, qfrc_actuator, xfrc_applied, qLD
//   writes  d->qfrc_smooth, qacc_smooth
//   before  passive, bias, actuation, factor

static CT_FN void add_applied_wrenches(const ctModel* m, ctData* d) {
  if (CT_TEAM > 1) {
    bool some = false;
    CTI_EACH_LANES(i, cti_awake(d)->body) {
      for (int k = 0; k < 6; k++) some = some || d->xfrc_applied[6 * i + k] != 0;
    }
    if (!cti_team_any(some)) return;
  }
  CTI_EACH(i, cti_awake(d)->body) {
    const ctReal* f = d->xfrc_applied + 6 * i;
    bool none = f[0] == 0 && f[1] == 0 && f[2] == 0 && f[3] == 0 && f[4] == 0 && f[5] == 0;
    if (!none) cti_add_force_at(m, d, d->qfrc_smooth, f, f + 3, d->xipos + 3 * i, i);
  }
}

CT_FN void cti_smooth_force(const ctModel* m, ctData* d) {
  CTI_EACH_LANES(i, cti_awake(d)->dof) {
    d->qfrc_smooth[i] = d->qfrc_passive[i] - d->qfrc_bias[i] + d->qfrc_applied[i] + d->qfrc_actuator[i];
  }
  CT_TEAM_SYNC();
  add_applied_wrenches(m, d);
}

CT_KERNEL_INLINE void cti_smooth_acceleration(const ctModel* m, ctData* d) {
  cti_smooth_force(m, d);
  cti_awake_copy(d->qacc_smooth, d->qfrc_smooth, d);
  cti_awake_solve(m, d, d->qLD, d->qLDiagInv, d->qacc_smooth);
}
