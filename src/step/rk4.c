#include "data/arena.h"
#include "math/dense.h"
#include "math/quat.h"
#include "stage/force/activation.h"
#include "step/integrate.h"
#include "step/pipeline.h"

// Where each stage after the first is evaluated, as a part of the step; and the weight of each stage.
CT_CONST ctReal rk4_place[3] = {CT_R(0.5), CT_R(0.5), CT_R(1)};
CT_CONST ctReal rk4_weight[4] = {CT_R(1.0 / 6), CT_R(1.0 / 3), CT_R(1.0 / 3), CT_R(1.0 / 6)};

// State at the start of the step, rates of the stage at hand, and their weighted sums.
typedef struct Rk4 {
  ctReal time, *qpos, *qvel, *act;
  ctReal* rate;  // of the coordinates, nv
  ctReal *rate_sum, *qacc_sum, *act_sum;
  ctReal *actuator_length, *actuator_velocity, *ten_length, *ten_J;
} Rk4;

// Keep a copy of what the end of the step reads as it was at its start. NULL when it is not read.
static CT_FN ctReal* keep(ctData* d, const ctReal* array, int n, bool read) {
  ctReal* copy = read ? CTI_SCRATCH(d, ctReal, n, "rk4.keep") : (ctReal*)0;
  if (copy) cti_copy(copy, array, n);
  return copy;
}

CT_INLINE void put_back(ctReal* array, const ctReal* copy, int n) {
  if (copy) cti_copy(array, copy, n);
}

static CT_FN bool rk4_begin(Rk4* k, const ctModel* m, ctData* d) {
  k->time = d->time;
  k->qpos = CTI_SCRATCH(d, ctReal, m->nq, "rk4.qpos");
  k->qvel = CTI_SCRATCH(d, ctReal, m->nv, "rk4.qvel");
  k->act = CTI_SCRATCH(d, ctReal, m->na, "rk4.act");
  k->rate = CTI_SCRATCH(d, ctReal, m->nv, "rk4.rate");
  k->rate_sum = CTI_SCRATCH(d, ctReal, m->nv, "rk4.rate_sum");
  k->qacc_sum = CTI_SCRATCH(d, ctReal, m->nv, "rk4.qacc_sum");
  k->act_sum = CTI_SCRATCH(d, ctReal, m->na, "rk4.act_sum");
  if (!k->qpos || !k->qvel || !k->act || !k->rate || !k->rate_sum || !k->qacc_sum || !k->act_sum)
    return false;
  cti_copy(k->qpos, d->qpos, m->nq);
  cti_copy(k->qvel, d->qvel, m->nv);
  cti_copy(k->act, d->act, m->na);
  cti_zero(k->rate_sum, m->nv);
  cti_zero(k->qacc_sum, m->nv);
  cti_zero(k->act_sum, m->na);
  bool yields = cti_plastic_reads_tendons(m);
  k->actuator_length = keep(d, d->actuator_length, m->nout, cti_advance_reads_length(m, d));
  k->actuator_velocity = keep(d, d->actuator_velocity, m->nout, cti_advance_reads_velocity(m, d));
  k->ten_length = keep(d, d->ten_length, m->ntendon, yields);
  k->ten_J = keep(d, d->ten_J, m->nJten, yields);
  return true;
}

static CT_FN void restore_state(const Rk4* k, const ctModel* m, ctData* d) {
  d->time = k->time;
  cti_copy(d->qpos, k->qpos, m->nq);
  cti_copy(d->qvel, k->qvel, m->nv);
  cti_copy(d->act, k->act, m->na);
  put_back(d->actuator_length, k->actuator_length, m->nout);
  put_back(d->actuator_velocity, k->actuator_velocity, m->nout);
  put_back(d->ten_length, k->ten_length, m->ntendon);
  put_back(d->ten_J, k->ten_J, m->nJten);
}

static CT_FN void add_stage(Rk4* k, const ctModel* m, const ctData* d, ctReal weight) {
  cti_add_scaled(k->rate_sum, k->rate, weight, m->nv);
  cti_add_scaled(k->qacc_sum, d->qacc, weight, m->nv);
  cti_add_scaled(k->act_sum, d->act_dot, weight, m->na);
}

// A rotation vector r counts from the start of the step. Its rate while the body turns with the local
// velocity w is w + r x w / 2 + c r x (r x w), c = (1 - (x/2) cot(x/2)) / x^2 with x the angle.
static CT_FN void rotation_rate(ctReal w[3], const ctReal turn[3]) {
  ctReal r[3], first[3], second[3];
  cti_copy3(r, turn);
  ctReal x = cti_norm3(r), full = CT_R(2 * CTI_PI);
  if (x > CT_R(CTI_PI)) {
    ctReal less = x - full * cti_round(x / full);
    cti_scale3(r, r, less / x);
    x = cti_abs(less);
  }
  ctReal c = CT_R(1.0 / 12) + x * x / 720;
  if (x > CT_R(1e-2)) {
    ctReal sine, cosine, half = CT_R(0.5) * x;
    cti_sincos(half, &sine, &cosine);
    c = (1 - half * cosine / sine) / (x * x);
  }
  cti_cross3(first, r, w);
  cti_cross3(second, r, first);
  cti_add_scaled3(w, first, CT_R(0.5));
  cti_add_scaled3(w, second, c);
}

// Rates of the coordinates at a stage, which was reached by the rates in `k` over the time dt.
static CT_FN void stage_rates(Rk4* k, const ctModel* m, const ctData* d, ctReal dt) {
  for (int j = 0; j < m->njnt; j++) {
    int dof = m->jnt_dofadr[j], type = m->jnt_type[j];
    if (type == CT_JOINT_FREE) cti_copy3(k->rate + dof, d->qvel + dof);
    if (type == CT_JOINT_FREE || type == CT_JOINT_BALL) {
      if (type == CT_JOINT_FREE) dof += 3;
      ctReal turn[3];
      cti_scale3(turn, k->rate + dof, dt);
      cti_copy3(k->rate + dof, d->qvel + dof);
      rotation_rate(k->rate + dof, turn);
    } else {
      k->rate[dof] = d->qvel[dof];
    }
  }
}

CT_FN ctStatus cti_rk4(const ctModel* m, ctData* d) {
  size_t mark = cti_scratch_mark(d);
  Rk4 k;
  if (!rk4_begin(&k, m, d)) {
    if (!cti_arena_short(d)) cti_advance(m, d, d->qacc, d->act_dot, (const ctReal*)0);
    cti_scratch_release(d, mark);
    return CT_STEP_OVERFLOW;
  }
  ctStatus status = CT_OK;
  ctReal h = m->opt.timestep;
  cti_copy(k.rate, d->qvel, m->nv);
  add_stage(&k, m, d, rk4_weight[0]);
  for (int i = 0; i < 3; i++) {
    ctReal dt = h * rk4_place[i];
    d->time = k.time + dt;
    cti_copy(d->qpos, k.qpos, m->nq);
    cti_integrate_pos(m, d->qpos, k.rate, dt);
    for (int v = 0; v < m->nv; v++) d->qvel[v] = k.qvel[v] + dt * d->qacc[v];
    for (int a = 0; a < m->na; a++) d->act[a] = k.act[a] + dt * d->act_dot[a];
    status = cti_worse(status, cti_forward_dynamics(m, d));
    stage_rates(&k, m, d, dt);
    add_stage(&k, m, d, rk4_weight[i + 1]);
  }
  restore_state(&k, m, d);
  if (!cti_arena_short(d)) {
    cti_advance(m, d, k.qacc_sum, k.act_sum, k.rate_sum);
    // the acceleration of the step as a whole; the warm start keeps that of the last stage
    cti_copy(d->qacc, k.qacc_sum, m->nv);
  }
  cti_scratch_release(d, mark);
  return status;
}
