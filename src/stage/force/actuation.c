#include "stage/force/actuation.h"

#include "data/arena.h"
#include "data/warning.h"
#include "math/sparse.h"
#include "stage/force/activation.h"
#include "stage/force/dcmotor.h"
#include "stage/force/history.h"
#include "stage/force/muscle.h"
#include "stage/force/pid.h"

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
  for (int i = 0; i < m->nu; i++) {
    if (cti_is_bad(d->ctrl[i])) return i;
  }
  return -1;
}

CT_FN int cti_acting_controls(const ctModel* m, const ctData* d, ctReal* ctrl) {
  int bad = bad_control(m, d);
  if (bad >= 0) {
    cti_zero(ctrl, m->nu);
    return bad;
  }
  cti_copy(ctrl, d->ctrl, m->nu);
  for (int i = 0; m->nhistory && i < m->nactuator; i++) {
    if (m->actuator_history[2 * i] > 0 && m->actuator_delay[i] > 0) {
      cti_history_read(m, d, i, ctrl + m->actuator_ctrladr[i]);
    }
  }
  if (m->opt.disableflags & CT_DSBL_CLAMPCTRL) return -1;
  for (int k = 0; k < m->nu; k++) {
    if (!m->actuator_ctrllimited[k]) continue;
    ctrl[k] = cti_clip(ctrl[k], m->actuator_ctrlrange[2 * k], m->actuator_ctrlrange[2 * k + 1]);
  }
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
      cti_next_orientation(a, a->d->act_dot, turn);
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

// Torque along the shortest way to the target, less damping; all in the frame of the child.
static CT_FN void orientation_force(ctReal out[3], const ctiActuatorView* a) {
  ctReal target[4], present[4], way[3];
  target_orientation(target, a);
  cti_quat_unit(present);
  cti_quat_integrate(present, a->d->actuator_length + a->out, 1);
  cti_quat_sub(way, target, present);
  for (int k = 0; k < 3; k++) {
    out[k] = a->gain[0] * way[k] + a->bias[2] * a->d->actuator_velocity[a->out + k];
  }
}

static CT_FN void one_force(const ctiActuatorView* a, ctReal* force) {
  switch (a->m->actuator_gaintype[a->id]) {
    case CT_GAIN_SO3: orientation_force(force + a->out, a); break;
    case CT_GAIN_PID: force[a->out] = cti_pid_force(a, a->d->act_dot); break;
    case CT_GAIN_DCMOTOR: force[a->out] = cti_motor_torque(a, a->d->act_dot); break;
    default: force[a->out] = actuator_gain(a) * actuator_input(a) + actuator_bias(a);
  }
}

// ---- limits ----

// Total of all actuators on a tendon, kept in its range by scaling them alike.
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
  for (int j = 0; j < m->njnt; j++) {
    int type = m->jnt_type[j];
    if (!m->jnt_actfrclimited[j] || (type != CT_JOINT_HINGE && type != CT_JOINT_SLIDE)) continue;
    ctReal* force = d->qfrc_actuator + m->jnt_dofadr[j];
    *force = cti_clip(*force, m->jnt_actfrcrange[2 * j], m->jnt_actfrcrange[2 * j + 1]);
  }
}

// ---- the stage ----

static CT_FN void actuator_forces(const ctModel* m, ctData* d, const ctReal* ctrl) {
  for (int i = 0; i < m->nactuator; i++) {
    // an actuator that is switched off gives no force; its rates are still told
    ctiActuatorView a = cti_actuator(m, d, i, ctrl);
    if (m->actuator_actnum[i] > 0) cti_activation_rate(&a, d->act_dot);
    if (!cti_actuator_disabled(m, i)) one_force(&a, d->actuator_force);
  }
  limit_tendon_forces(m, d);
  for (int i = 0; i < m->nactuator; i++) {
    if (cti_actuator_disabled(m, i)) continue;
    ctReal* force = d->actuator_force + m->actuator_outadr[i];
    limit_actuator_force(m, force, i);
    if (m->actuator_biastype[i] == CT_BIAS_DCMOTOR) {
      ctiActuatorView a = cti_actuator(m, d, i, ctrl);
      force[0] += cti_motor_mechanical(&a, d->act_dot);
    }
  }
}

// Gravity compensation of joints where it counts as actuation.
static CT_FN void add_compensation(const ctModel* m, ctData* d) {
  for (int i = 0; i < m->nv; i++) {
    if (m->jnt_actgravcomp[m->dof_jntid[i]]) d->qfrc_actuator[i] += d->qfrc_gravcomp[i];
  }
}

CT_FN ctStatus cti_actuation(const ctModel* m, ctData* d) {
  cti_zero(d->actuator_force, m->nout);
  cti_zero(d->qfrc_actuator, m->nv);
  cti_zero(d->act_dot, m->na);
  if (m->nactuator == 0 || (m->opt.disableflags & CT_DSBL_ACTUATION)) return CT_OK;
  size_t mark = cti_scratch_mark(d);
  ctReal* ctrl = CTI_SCRATCH(d, ctReal, m->nu, "actuation.ctrl");
  if (!ctrl) return CT_STEP_OVERFLOW;
  int bad = cti_acting_controls(m, d, ctrl);
  if (bad >= 0) cti_warn(d, CT_WARN_BADCTRL, bad);
  actuator_forces(m, d, ctrl);
  cti_scratch_release(d, mark);
  cti_csr_mul_t_vec(d->qfrc_actuator, d->actuator_moment, d->moment_rownnz, d->moment_rowadr, (const int*)0,
                    d->moment_colind, d->actuator_force, m->nout, m->nv);
  add_compensation(m, d);
  limit_joint_forces(m, d);
  return bad >= 0 ? CT_STEP_DIVERGED : CT_OK;
}
