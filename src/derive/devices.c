// Actuators: how their forces and activations answer to length, velocity, controls and activations. All of
// them are nudged at once: they do not see each other.
#include "derive/devices.h"

#include "base/kinds.h"
#include "corten/derive.h"
#include "derive/derive.h"
#include "math/dense.h"
#include "stage/force/actuator.h"
#include "stage/force/force.h"
#include "stage/position/point_motion.h"
#include "step/step.h"

// ---- answers ----

void cti_devices_count(ctiDevices* dev, const ctModel* m) {
  int acts = 0;
  dev->controls = 0;
  for (int i = 0; i < m->nactuator; i++) {
    if (m->actuator_ctrlnum[i] > dev->controls) dev->controls = m->actuator_ctrlnum[i];
    if (m->actuator_actnum[i] > acts) acts = m->actuator_actnum[i];
  }
  dev->rounds = 2 + dev->controls + acts;
}

int cti_control_round(const ctModel* m, int actuator, int control) {
  return 2 + control - m->actuator_ctrladr[actuator];
}

int cti_act_round(const ctiDevices* dev, const ctModel* m, int actuator, int act) {
  return 2 + dev->controls + act - m->actuator_actadr[actuator];
}

// Activations after the step.
void cti_next_activations(const ctModel* m, ctData* d, ctReal* out) {
  if (m->na == 0) return;
  cti_copy(out, d->act, m->na);
  if (m->opt.disableflags & CT_DSBL_ACTUATION) return;
  cti_advance_activations(m, d, d->act_dot);
  for (int i = 0; i < m->na; i++) {
    ctReal before = out[i];
    out[i] = d->act[i];
    d->act[i] = before;
  }
}

// The number that a round nudges in an actuator; NULL when it has none.
static ctReal* nudged_number(const ctModel* m, ctData* d, int controls, int actuator, int round,
                             int* control) {
  *control = -1;
  if (round == 0) return d->actuator_length + m->actuator_outadr[actuator];
  if (round == 1) return d->actuator_velocity + m->actuator_outadr[actuator];
  if (round < 2 + controls) {
    const int k = round - 2;
    if (k >= m->actuator_ctrlnum[actuator]) return NULL;
    *control = m->actuator_ctrladr[actuator] + k;
    return d->ctrl + *control;
  }
  const int k = round - 2 - controls;
  return k < m->actuator_actnum[actuator] ? d->act + m->actuator_actadr[actuator] + k : NULL;
}

// One evaluation of a round to one side: the widths of the nudges are added up by actuator.
static ctStatus evaluate(const ctiDevices* to, const ctModel* m, ctData* d, int round, ctReal step) {
  ctReal* saved = to->saved;
  const ctReal sign = step > 0 ? CT_R(1) : CT_R(-1);
  ctReal *force = to->force + (int64_t)round * m->nout, *act = to->act + (int64_t)round * m->na;
  for (int i = 0; i < m->nactuator; i++) {
    int control;
    ctReal* x = nudged_number(m, d, to->controls, i, round, &control);
    if (!x) continue;
    saved[i] = *x;
    bool on = true;
    if (control >= 0) {
      ctiSides sides = cti_control_sides(m, control, d->ctrl[control], to->eps, true);
      on = step > 0 ? sides.plus : sides.minus;
    }
    if (!on) continue;
    *x += step;
    to->width[i] += to->eps;
  }
  ctStatus status = cti_actuation(m, d);
  cti_next_activations(m, d, to->next);
  for (int i = 0; i < m->nout; i++) force[i] += sign * d->actuator_force[i];
  for (int i = 0; i < m->na; i++) act[i] += sign * to->next[i];
  for (int i = 0; i < m->nactuator; i++) {
    int control;
    ctReal* x = nudged_number(m, d, to->controls, i, round, &control);
    if (x) *x = saved[i];
  }
  return status;
}

// All rounds.
static ctStatus nudge_all(const ctiDevices* to, const ctModel* m, ctData* d) {
  ctStatus status = CT_OK;
  for (int round = 0; round < to->rounds; round++) {
    ctReal *force = to->force + (int64_t)round * m->nout, *act = to->act + (int64_t)round * m->na;
    cti_zero(force, m->nout);
    cti_zero(act, m->na);
    cti_zero(to->width, m->nactuator);
    status = cti_worse(status, evaluate(to, m, d, round, to->eps));
    status = cti_worse(status, evaluate(to, m, d, round, -to->eps));
    for (int i = 0; i < m->nactuator; i++) {
      const ctReal by = to->width[i] > 0 ? 1 / to->width[i] : 0;
      for (int k = m->actuator_outadr[i]; k < m->actuator_outadr[i] + m->actuator_outnum[i]; k++)
        force[k] *= by;
      for (int k = 0; k < m->actuator_actnum[i]; k++) act[m->actuator_actadr[i] + k] *= by;
    }
  }
  // the forces as they are
  return cti_worse(status, cti_actuation(m, d));
}

// Motors, dampers and servos without dynamics are linear.
static bool is_linear(const ctModel* m, int i) {
  const int bias = m->actuator_biastype[i], kind = m->actuator_trntype[i];
  // an angle in space may have setpoints on a circle
  const bool scalar = kind == CT_TRN_TENDON || ((kind == CT_TRN_JOINT || kind == CT_TRN_JOINTINPARENT) &&
                                                cti_joint_is_scalar(m->jnt_type[m->actuator_trnid[2 * i]]));
  return scalar && m->actuator_gaintype[i] == CT_GAIN_FIXED && m->actuator_dyntype[i] == CT_DYN_NONE &&
         (bias == CT_BIAS_NONE || bias == CT_BIAS_AFFINE) && m->actuator_actnum[i] == 0 &&
         m->actuator_ctrlnum[i] == 1 && m->actuator_outnum[i] == 1 && m->actuator_plugin[i] < 0;
}

static void linear_answers(const ctiDevices* to, const ctModel* m, const ctData* d, int i) {
  const int out = m->actuator_outadr[i], control = m->actuator_ctrladr[i];
  const ctReal *bias = m->actuator_biasprm + CT_NBIAS * i, *range = m->actuator_forcerange + 2 * i;
  const ctReal force = d->actuator_force[out];
  const bool affine = m->actuator_biastype[i] == CT_BIAS_AFFINE,
             off = cti_actuator_disabled(m, i) ||
                   (m->actuator_forcelimited[i] && (force <= range[0] || force >= range[1]));
  const ctiSides sides = cti_control_sides(m, control, d->ctrl[control], to->eps, true);
  const bool delayed = m->nhistory && m->actuator_history[2 * i] > 0 && m->actuator_delay[i] > 0;
  const bool follows = (sides.plus || sides.minus) && !delayed;
  for (int round = 0; round < to->rounds; round++) to->force[(int64_t)round * m->nout + out] = 0;
  if (off) return;
  to->force[out] = affine ? bias[1] : 0;
  to->force[m->nout + out] = affine ? bias[2] : 0;
  to->force[(int64_t)2 * m->nout + out] = follows ? m->actuator_gainprm[CT_NGAIN * i] : 0;
}

ctStatus cti_devices_probe(const ctiDevices* to, const ctModel* m, ctData* d) {
  bool others = false;
  for (int i = 0; i < m->nactuator; i++) others = others || !is_linear(m, i);
  ctStatus status = others ? nudge_all(to, m, d) : CT_OK;
  for (int i = 0; i < m->nactuator; i++) {
    if (is_linear(m, i)) linear_answers(to, m, d, i);
  }
  return status;
}
// ---- what transmissions make of them ----

void cti_device_tensions(ctiSlopes* s) {
  const ctModel* m = s->m;
  if (m->opt.disableflags & CT_DSBL_ACTUATION) return;
  for (int i = 0; i < m->nactuator; i++) {
    const int out = m->actuator_outadr[i], id = m->actuator_trnid[2 * i];
    if (m->actuator_trntype[i] == CT_TRN_TENDON)
      s->tension[id] += m->actuator_gear[6 * out] * s->d->actuator_force[out];
  }
}

// Force and torque of a unit of an actuator at a site, about the site; they turn with it.
static void site_wrench(ctReal out[6], const ctiSlopes* s, int actuator) {
  const ctModel* m = s->m;
  const ctReal* gear = m->actuator_gear + 6 * m->actuator_outadr[actuator];
  const ctReal* mat = s->d->site_xmat + 9 * m->actuator_trnid[2 * actuator];
  cti_mul_mat_vec3(out, mat, gear + 3);
  cti_mul_mat_vec3(out + 3, mat, gear);
}

void cti_device_lengths(const ctiSlopes* s, int i, ctReal* length, ctReal* velocity) {
  const ctModel* m = s->m;
  const ctData* d = s->d;
  const int out = m->actuator_outadr[i], id = m->actuator_trnid[2 * i], adr = d->moment_rowadr[out];
  const int kind = m->actuator_trntype[i];
  cti_zero(length, m->nv);
  cti_zero(velocity, m->nv);
  if (kind == CT_TRN_SITE) {
    const int body = m->site_bodyid[id];
    ctReal unit[6], t[6];
    site_wrench(unit, s, i);
    for (int k = cti_last_dof(m, body); k >= 0; k = m->dof_parentid[k]) {
      cti_motion_shift(t, s->turn_v + 6 * k, d->site_xpos + 3 * id,
                       d->subtree_com + 3 * m->body_rootid[body]);
      velocity[k] = cti_dot6(unit, t);
    }
  } else if (kind == CT_TRN_TENDON) {
    for (int k = 0; k < d->moment_rownnz[out]; k++) {
      length[d->moment_colind[adr + k]] = d->actuator_moment[adr + k];
      velocity[d->moment_colind[adr + k]] = m->actuator_gear[6 * out] * s->ten_v[m->ten_J_rowadr[id] + k];
    }
  } else if (cti_joint_is_scalar(m->jnt_type[id])) {
    length[m->jnt_dofadr[id]] = m->actuator_gear[6 * out];
  } else if (m->jnt_type[id] == CT_JOINT_BALL) {
    const ctReal unit[4] = {1, 0, 0, 0};
    ctReal quat[4], by_turn[9];
    cti_copy4(quat, d->qpos + m->jnt_qposadr[id]);
    cti_normalize4(quat);
    ct_derive_quat_difference(unit, quat, NULL, by_turn);
    for (int k = 0; k < 9; k++)
      length[m->jnt_dofadr[id] + k % 3] += m->actuator_gear[6 * out + k / 3] * by_turn[k];
  }
}

static void add_actuator(ctiSlopes* s, const ctiDevices* dev, int i, ctReal* length, ctReal* velocity) {
  const ctModel* m = s->m;
  const ctData* d = s->d;
  const int out = m->actuator_outadr[i], adr = d->moment_rowadr[out], n = d->moment_rownnz[out];
  const ctReal by_length = dev->force[out], by_velocity = dev->force[m->nout + out];
  const bool site = m->actuator_trntype[i] == CT_TRN_SITE;
  if (site && d->actuator_force[out] != 0) {
    const int id = m->actuator_trnid[2 * i];
    ctReal wrench[6];
    site_wrench(wrench, s, i);
    for (int k = 0; k < 6; k++) wrench[k] *= d->actuator_force[out];
    cti_slopes_wrench(s, m->site_bodyid[id], d->site_xpos + 3 * id, wrench);
  }
  bool moves = by_length != 0 || by_velocity != 0;
  for (int k = 0; k < m->actuator_actnum[i]; k++) {
    const int act = m->actuator_actadr[i] + k;
    moves = moves || dev->act[act] != 0 || dev->act[m->na + act] != 0;
  }
  if (!moves) return;
  cti_device_lengths(s, i, length, velocity);
  for (int j = 0; j < m->nv; j++) {
    if (length[j] == 0 && velocity[j] == 0) continue;
    const ctReal by = by_length * length[j] + by_velocity * velocity[j];
    ctReal* gq = cti_column_q(s, j);
    for (int k = 0; k < n; k++) {
      const int row = d->moment_colind[adr + k];
      if (!dev->clipped[row]) gq[row] -= d->actuator_moment[adr + k] * by;
    }
    for (int k = 0; k < m->actuator_actnum[i]; k++) {
      const int act = m->actuator_actadr[i] + k;
      gq[dev->act_at + act] += dev->act[act] * length[j] + dev->act[m->na + act] * velocity[j];
    }
  }
  for (int j = 0; j < n; j++) {
    const ctReal moment = d->actuator_moment[adr + j];
    ctReal* gv = cti_column_v(s, d->moment_colind[adr + j]);
    for (int k = 0; k < n; k++) {
      const int row = d->moment_colind[adr + k];
      if (!dev->clipped[row]) gv[row] -= d->actuator_moment[adr + k] * by_velocity * moment;
    }
    for (int k = 0; k < m->actuator_actnum[i]; k++) {
      const int act = m->actuator_actadr[i] + k;
      gv[dev->act_at + act] += dev->act[m->na + act] * moment;
    }
  }
}

void cti_slopes_devices(ctiSlopes* s, const ctiDevices* dev) {
  const ctModel* m = s->m;
  if (m->opt.disableflags & CT_DSBL_ACTUATION) {
    return;
  }
  for (int i = 0; i < m->nactuator; i++) add_actuator(s, dev, i, s->row, s->row + m->nv);
}

// Column of a control or an activation: the force of its actuator, and the next activations.
static void input_column(const ctiSlopes* s, const ctiDevices* dev, int i, int round, ctReal* column) {
  const ctModel* m = s->m;
  const ctData* d = s->d;
  const int out = m->actuator_outadr[i], adr = d->moment_rowadr[out];
  const ctReal force = dev->force[(int64_t)round * m->nout + out];
  for (int k = 0; k < d->moment_rownnz[out]; k++) {
    const int row = d->moment_colind[adr + k];
    if (!dev->clipped[row]) column[row] -= d->actuator_moment[adr + k] * force;
  }
  for (int k = m->actuator_actadr[i]; k < m->actuator_actadr[i] + m->actuator_actnum[i]; k++)
    column[dev->act_at + k] += dev->act[(int64_t)round * m->na + k];
}

void cti_device_columns(const ctiSlopes* s, const ctiDevices* dev, ctReal* acts, ctReal* controls) {
  const ctModel* m = s->m;
  const bool off = (m->opt.disableflags & CT_DSBL_ACTUATION) != 0;
  // switched off they stay as they are
  for (int k = 0; off && k < m->na; k++) acts[s->stride * k + dev->act_at + k] = 1;
  for (int i = 0; !off && i < m->nactuator; i++) {
    for (int k = 0; k < m->actuator_ctrlnum[i]; k++) {
      const int control = m->actuator_ctrladr[i] + k;
      input_column(s, dev, i, cti_control_round(m, i, control), controls + s->stride * control);
    }
    for (int k = 0; k < m->actuator_actnum[i]; k++) {
      const int act = m->actuator_actadr[i] + k;
      input_column(s, dev, i, cti_act_round(dev, m, i, act), acts + s->stride * act);
    }
  }
}
