#include "step/step.h"

#include "base/kinds.h"
#include "data/arena.h"
#include "data/awake.h"
#include "data/history.h"
#include "math/dense.h"
#include "math/quat.h"
#include "math/sparse.h"
#include "math/tree_ldl.h"
#include "model/plugin.h"
#include "stage/derivative/velocity.h"
#include "stage/force/force.h"
#include "stage/position/position.h"
#include "stage/position/reflected.h"
#include "stage/velocity/velocity.h"

// The rest position follows until the displacement is the yield.
static CT_FN void joint_yield(const ctModel* m, ctData* d, int j) {
  ctReal* rest = d->plastic + m->jnt_plasticadr[j];
  const ctReal* q = d->qpos + m->jnt_qposadr[j];
  ctReal yield = m->jnt_springyield[j];
  if (m->jnt_type[j] == CT_JOINT_BALL) {
    ctReal quat[4], error[3];
    cti_copy4(quat, q);
    cti_normalize4(quat);
    cti_quat_sub(error, quat, rest);
    ctReal angle = cti_norm3(error);
    if (angle > yield) cti_quat_integrate(rest, error, (angle - yield) / angle);
    return;
  }
  ctReal x = q[0] - rest[0];
  if (x > yield) rest[0] = q[0] - yield;
  if (x < -yield) rest[0] = q[0] + yield;
}

// Length after the step: exact for a sum of joint positions, to first order along a path.
static CT_FN ctReal next_length(const ctModel* m, const ctData* d, int t, const ctReal* vel) {
  if (m->tendon_type[t] == CT_TENDON_SPATIAL) {
    int adr = m->ten_J_rowadr[t];
    return d->ten_length[t] +
           m->opt.timestep * cti_dot_sparse(d->ten_J + adr, m->ten_J_colind + adr, vel, m->ten_J_rownnz[t]);
  }
  ctReal length = 0;
  for (int w = m->tendon_adr[t]; w < m->tendon_adr[t] + m->tendon_num[t]; w++) {
    length += m->wrap_prm[w] * d->qpos[m->jnt_qposadr[m->wrap_objid[w]]];
  }
  return length;
}

static CT_FN void tendon_yield(const ctModel* m, ctData* d, int t, const ctReal* vel) {
  ctReal* band = d->plastic + m->tendon_plasticadr[t];
  ctReal yield = m->tendon_springyield[t], x = cti_beyond_band(next_length(m, d, t, vel), band);
  if (x > yield) {
    // a string that is slack down to zero stays so
    if (!(band[0] == 0 && band[1] > 0)) band[0] += x - yield;
    band[1] += x - yield;
  } else if (x < -yield) {
    band[0] += x + yield;
    band[1] += x + yield;
  }
}

static CT_FN void plastic_yield(const ctModel* m, ctData* d, const ctReal* vel) {
  if (m->opt.disableflags & CT_DSBL_SPRING) return;
  CTI_EACH(j, cti_awake(d)->jnt) {
    if (m->jnt_plasticadr[j] >= 0) joint_yield(m, d, j);
  }
  CTI_EACH(t, cti_awake(d)->tendon) {
    if (m->tendon_plasticadr[t] >= 0) tendon_yield(m, d, t, vel);
  }
  cti_flex_yield(m, d, vel);
}

// Does yielding depend on the tendons' lengths and gradients?
static CT_FN bool plastic_reads_tendons(const ctModel* m) {
  for (int t = 0; m->nplastic && t < m->ntendon; t++) {
    if (m->tendon_plasticadr[t] >= 0) return true;
  }
  return false;
}

// ---- integrators ----
// From qacc to the next state. Each advances d by one step and returns CT_OK, CT_STEP_SINGULAR or
// CT_STEP_OVERFLOW.

static CT_FN void integrate_joint(const ctModel* m, int j, ctReal* qpos, const ctReal* vel, ctReal dt) {
  ctReal* q = qpos + m->jnt_qposadr[j];
  const ctReal* v = vel + m->jnt_dofadr[j];
  switch (m->jnt_type[j]) {
    case CT_JOINT_FREE:
      cti_add_scaled3(q, v, dt);
      q += 3;
      v += 3;
      // its rotation is that of a ball
      // fall through
    case CT_JOINT_BALL: cti_quat_integrate(q, v, dt); break;
    default: q[0] += dt * v[0];
  }
}

CT_FN void cti_integrate_pos(const ctModel* m, ctReal* qpos, const ctReal* vel, ctReal dt) {
  CT_LANES(j, m->njnt) integrate_joint(m, j, qpos, vel, dt);
  CT_TEAM_SYNC();
}

// The end of every step: history, activations by `act_dot`, who falls asleep, velocity by `qacc`, position by
// `vel` (NULL: the new velocity), time, yielded springs, warm start.
static CT_FN ctStatus advance(const ctModel* m, ctData* d, const ctReal* qacc, const ctReal* act_dot,
                              const ctReal* vel) {
  ctiAwake* awake = &cti_data(d)->awake;
  const ctReal dt = m->opt.timestep;
  bool whole = cti_whole_arrays(d);
  awake->changed = false;
  cti_history_push(m, d);
  if (!(m->opt.disableflags & CT_DSBL_ACTUATION)) cti_advance_activations(m, d, act_dot);
  size_t mark = cti_scratch_mark(d);
  ctStatus status = cti_rest(m, d, &qacc);
  CT_TEAM_SYNC();  // sensors and those that fall asleep have read the velocity
  CTI_EACH_SPAN(s, awake->dof)
  cti_team_add_scaled(d->qvel + s->begin, qacc + s->begin, dt, s->end - s->begin);
  if (!vel) vel = d->qvel;
  CTI_EACH_LANES(j, awake->jnt) integrate_joint(m, j, d->qpos, vel, dt);
  CT_TEAM_SYNC();
  d->time += dt;
  if (m->nplastic) plastic_yield(m, d, vel);
  for (int i = 0; CT_ON_HOST && i < m->nplugin; i++) {
    const ctPlugin* p = cti_plugin_of(m, i);
    if (p && p->advance) p->advance(p, m, d, i);
  }
  // what the next solve starts from is the solver's own acceleration
  if (whole || awake->changed) {
    cti_team_copy(d->qacc_warmstart, d->qacc, m->nv);
  } else {
    cti_awake_copy(d->qacc_warmstart, d->qacc, d);
  }
  cti_scratch_release(d, mark);
  return status;
}

// ---- what the implicit integrators share ----
// A metric in d->qH with the pattern of M, and the step with the acceleration solved from it.

// x = qH^-1 x, factoring qH in place. A singular pivot is counted: CT_OK or CT_STEP_SINGULAR.
static CT_FN ctStatus solve_metric(const ctModel* m, ctData* d, ctReal* x) {
  int bad = cti_awake_factor(m, d, d->qH, d->qHDiagInv);
  cti_awake_solve(m, d, d->qH, d->qHDiagInv, x);
  if (bad < 0) return CT_OK;
  cti_warn(d, CT_WARN_INERTIA, bad);
  return CT_STEP_SINGULAR;
}

// Advance with the acceleration that `solve` writes; with d->qacc, and CT_STEP_OVERFLOW, when the arena is
// full.
static CT_FN ctStatus solve_and_advance(const ctModel* m, ctData* d,
                                        ctStatus (*solve)(const ctModel* m, ctData* d, ctReal* qacc)) {
  size_t mark = cti_scratch_mark(d);
  ctReal* qacc = CTI_SCRATCH(d, ctReal, m->nv, "integrate.qacc");
  ctStatus status = CT_STEP_OVERFLOW;
  if (qacc) status = solve(m, d, qacc);
  if (!cti_arena_short(d))
    status = cti_worse(status, advance(m, d, qacc ? qacc : d->qacc, d->act_dot, (const ctReal*)0));
  cti_scratch_release(d, mark);
  return status;
}

// Does any dof that is awake have damping that shall be integrated implicitly?
static CT_FN bool euler_damps(const ctModel* m, const ctData* d) {
  if (m->opt.disableflags & (CT_DSBL_EULERDAMP | CT_DSBL_DAMPER)) return false;
  bool damps = false;
  CTI_EACH_LANES(i, cti_awake(d)->dof) {
    ctiDamping b = cti_dof_damping(m, i);
    damps = damps || cti_damps(&b);
    if (CT_TEAM == 1 && damps) return true;
  }
  return cti_team_any(damps);
}

// qacc = (M + h D)^-1 (qfrc_smooth + qfrc_constraint), D the derivative of the damping at the current
// velocity.
static CT_FN ctStatus solve_damped(const ctModel* m, ctData* d, ctReal* qacc) {
  cti_awake_copy_rows(m, d, d->qH, d->M);
  CTI_EACH_LANES(i, cti_awake(d)->dof) {
    ctiDamping b = cti_dof_damping(m, i);
    cti_add_to_diagonal(m, d, i, m->opt.timestep * cti_damper_derivative(b.linear, b.poly, d->qvel[i]));
  }
  CT_TEAM_SYNC();
  cti_awake_add(qacc, d->qfrc_smooth, d->qfrc_constraint, d);
  return solve_metric(m, d, qacc);
}

// Semi-implicit Euler; damping of joints is integrated implicitly unless the eulerdamp flag is disabled.
static CT_FN ctStatus step_euler(const ctModel* m, ctData* d) {
  if (!euler_damps(m, d)) return advance(m, d, d->qacc, d->act_dot, (const ctReal*)0);
  return solve_and_advance(m, d, solve_damped);
}

// qacc = (M + h D + h^2 K)^-1 (f - h K v): what the forces are at the end of the step, to first order.
static CT_FN ctStatus solve_spring_damper(const ctModel* m, ctData* d, ctReal* qacc) {
  ctReal h = m->opt.timestep;
  cti_awake_copy_rows(m, d, d->qH, d->M);
  cti_awake_add(qacc, d->qfrc_smooth, d->qfrc_constraint, d);
  CTI_EACH_LANES(i, cti_awake(d)->dof) {
    if (!(m->opt.disableflags & CT_DSBL_SPRING)) {
      ctReal stiffness = cti_dof_stiffness(m, d, i);
      cti_add_to_diagonal(m, d, i, h * h * stiffness);
      qacc[i] -= h * stiffness * d->qvel[i];
    }
    if (!(m->opt.disableflags & CT_DSBL_DAMPER)) {
      ctiDamping b = cti_dof_damping(m, i);
      cti_add_to_diagonal(m, d, i, h * cti_max(0, cti_damper_derivative(b.linear, b.poly, d->qvel[i])));
    }
  }
  CT_TEAM_SYNC();
  return solve_metric(m, d, qacc);
}

// Implicit in velocity and position for the springs and dampers of joints:
//   (M + h D + h^2 K) v+ = M v + h (f - K (q - q_rest))
// D and K are diagonal, f all other forces. Stable for any stiffness and damping.
static CT_COLD ctStatus step_implicit_spring_damper(const ctModel* m, ctData* d) {
  return solve_and_advance(m, d, solve_spring_damper);
}

// ---- implicit: all derivatives, not symmetric ----

// d->qLU = M - h qDeriv, in the pattern of D
static CT_FN void full_metric(const ctModel* m, ctData* d) {
  CTI_EACH_SPAN(s, cti_awake(d)->dof) {
    const int last = s->end - 1, begin = m->D_rowadr[s->begin], end = m->D_rowadr[last] + m->D_rownnz[last];
    CT_LANES(i, end - begin) {
      const int k = begin + i, from = m->mapM2D[k];
      d->qLU[k] = (from >= 0 ? d->M[from] : CT_R(0)) - m->opt.timestep * d->qDeriv[k];
    }
  }
  CT_TEAM_SYNC();
}

static CT_FN ctStatus solve_implicit(const ctModel* m, ctData* d, ctReal* qacc) {
  size_t mark = cti_scratch_mark(d);
  ctReal* scratch = CTI_SCRATCH(d, ctReal, m->nv, "implicit.row");
  ctStatus status = scratch ? cti_velocity_derivative(m, d, true) : CT_STEP_OVERFLOW;
  cti_awake_copy(qacc, d->qacc, d);
  if (status == CT_OK) {
    int bad = -1;
    full_metric(m, d);
    cti_awake_add(qacc, d->qfrc_smooth, d->qfrc_constraint, d);
    CTI_EACH_SPAN(s, cti_awake(d)->dof) {
      int here = cti_csr_lu_factor(d->qLU, m->D_rownnz, m->D_rowadr, m->D_colind, m->D_diag, s->begin, s->end,
                                   scratch);
      cti_csr_lu_solve(qacc, d->qLU, m->D_rownnz, m->D_rowadr, m->D_colind, m->D_diag, s->begin, s->end);
      if (here > bad) bad = here;
    }
    if (bad >= 0) {
      cti_warn(d, CT_WARN_INERTIA, bad);
      status = CT_STEP_SINGULAR;
    }
  }
  cti_scratch_release(d, mark);
  return status;
}

// Implicit in velocity: (M - h F) qacc = f, F the derivative of the smooth forces f by velocity.
static CT_COLD ctStatus step_implicit(const ctModel* m, ctData* d) {
  return solve_and_advance(m, d, solve_implicit);
}

// ---- implicitfast: symmetric, without the bias force ----

// d->qH = M - h (qDeriv + qDeriv') / 2, in the pattern of M; only M for lone free bodies, which are solved
// apart
static CT_FN void symmetric_metric(const ctModel* m, ctData* d) {
  const ctReal h = m->opt.timestep, *deriv = d->qDeriv;
  const int *rowadr = m->D_rowadr, *colind = m->M_colind;
  CTI_EACH_LANES(i, cti_awake(d)->dof) {
    const int adr = m->M_rowadr[i], above = m->M_rownnz[i] - 1, left = rowadr[i];
    const ctReal* mass = d->M + adr;
    ctReal* row = d->qH + adr;
    if (cti_is_lone_free_body(m, m->dof_treeid[i])) {
      cti_copy(row, mass, above + 1);
      continue;
    }
    CT_UNROLL(1)
    for (int p = 0; p < above; p++) {
      // the row of an ancestor goes on, behind its own ancestors, with all dofs from itself to this one
      const int k = colind[adr + p], right = rowadr[k] + p + i - k;
      row[p] = (mass[p] - h * CT_R(0.5) * deriv[right]) - h * CT_R(0.5) * deriv[left + p];
    }
    row[above] = mass[above] - h * deriv[left + m->D_diag[i]];
  }
  CT_TEAM_SYNC();
}

// The block of M of a lone free body, both triangles.
static CT_FN void free_body_mass(ctReal block[36], const ctModel* m, const ctData* d, int dof) {
  for (int k = 0; k < 36; k++) block[k] = 0;
  for (int i = 0; i < 6; i++) {
    int adr = m->M_rowadr[dof + i];
    for (int k = adr; k < adr + m->M_rownnz[dof + i]; k++) {
      int j = m->M_colind[k] - dof;
      block[6 * i + j] = block[6 * j + i] = d->M[k];
    }
  }
}

// Fast spinning bodies gain energy when gyroscopic forces are integrated explicitly: where they stand alone
// their block is small, and solved again with the full derivative.
static CT_FN void solve_free_bodies(const ctModel* m, const ctData* d, ctReal* qacc) {
  CTI_EACH(t, cti_awake(d)->tree) {
    if (!cti_is_lone_free_body(m, t)) continue;
    int dof = m->tree_dofadr[t], pivot[6];
    ctReal slope[36], block[36], x[6];
    cti_free_body_derivative(slope, m, d, t);
    free_body_mass(block, m, d, dof);
    for (int k = 0; k < 36; k++) block[k] -= m->opt.timestep * slope[k];
    cti_add(x, d->qfrc_smooth + dof, d->qfrc_constraint + dof, 6);
    if (cti_lu_factor(block, pivot, 6) != 0) continue;
    cti_lu_solve(x, block, pivot, 6);
    cti_copy(qacc + dof, x, 6);
  }
}

static CT_FN ctStatus solve_implicit_fast(const ctModel* m, ctData* d, ctReal* qacc) {
  ctStatus status = cti_velocity_derivative(m, d, false);
  symmetric_metric(m, d);
  cti_awake_add(qacc, d->qfrc_smooth, d->qfrc_constraint, d);
  status = cti_worse(status, solve_metric(m, d, qacc));
  solve_free_bodies(m, d, qacc);
  return status;
}

// The same with the symmetric part of F and without the bias force, except for lone free bodies.
static CT_FN ctStatus step_implicit_fast(const ctModel* m, ctData* d) {
  return solve_and_advance(m, d, solve_implicit_fast);
}

// Where each stage after the first is evaluated, as a part of the step; and the weight of each stage.
CT_CONST ctReal rk4_place[3] = {CT_R(0.5), CT_R(0.5), CT_R(1)};
CT_CONST ctReal rk4_weight[4] = {CT_R(1.0 / 6), CT_R(1.0 / 3), CT_R(1.0 / 3), CT_R(1.0 / 6)};

// Keep a copy of what the end of the step reads as it was at its start. NULL when it is not read.
static CT_FN ctReal* keep(ctData* d, const ctReal* array, int n, bool read) {
  ctReal* copy = read ? CTI_SCRATCH(d, ctReal, n, "rk4.keep") : (ctReal*)0;
  if (copy) cti_copy(copy, array, n);
  return copy;
}

CT_INLINE void put_back(ctReal* array, const ctReal* copy, int n) {
  if (copy) cti_copy(array, copy, n);
}

static CT_FN bool rk4_begin(ctiRk4* k, const ctModel* m, ctData* d) {
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
  cti_team_copy(k->qpos, d->qpos, m->nq);
  cti_team_copy(k->qvel, d->qvel, m->nv);
  cti_team_copy(k->act, d->act, m->na);
  cti_team_zero(k->rate_sum, m->nv);
  cti_team_zero(k->qacc_sum, m->nv);
  cti_team_zero(k->act_sum, m->na);
  bool yields = plastic_reads_tendons(m);
  k->actuator_length = keep(d, d->actuator_length, m->nout, cti_advance_reads_length(m, d));
  k->actuator_velocity = keep(d, d->actuator_velocity, m->nout, cti_advance_reads_velocity(m, d));
  k->ten_length = keep(d, d->ten_length, m->ntendon, yields);
  k->ten_J = keep(d, d->ten_J, m->nJten, yields);
  k->xpos = keep(d, d->xpos, 3 * m->nbody, m->nplastic && m->nflexnode);
  k->flexvert_xpos = keep(d, d->flexvert_xpos, 3 * m->nflexvert, m->nplastic && m->nflex);
  return true;
}

static CT_FN void restore_state(const ctiRk4* k, const ctModel* m, ctData* d) {
  d->time = k->time;
  cti_team_copy(d->qpos, k->qpos, m->nq);
  cti_team_copy(d->qvel, k->qvel, m->nv);
  cti_team_copy(d->act, k->act, m->na);
  put_back(d->actuator_length, k->actuator_length, m->nout);
  put_back(d->actuator_velocity, k->actuator_velocity, m->nout);
  put_back(d->ten_length, k->ten_length, m->ntendon);
  put_back(d->ten_J, k->ten_J, m->nJten);
  put_back(d->xpos, k->xpos, 3 * m->nbody);
  put_back(d->flexvert_xpos, k->flexvert_xpos, 3 * m->nflexvert);
}

static CT_FN void add_stage(ctiRk4* k, const ctModel* m, const ctData* d, ctReal weight) {
  cti_team_add_scaled(k->rate_sum, k->rate, weight, m->nv);
  cti_team_add_scaled(k->qacc_sum, d->qacc, weight, m->nv);
  cti_team_add_scaled(k->act_sum, d->act_dot, weight, m->na);
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
static CT_FN void stage_rates(ctiRk4* k, const ctModel* m, const ctData* d, ctReal dt) {
  CT_LANES(j, m->njnt) {
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
  CT_TEAM_SYNC();
}

// The state at which the dynamics is evaluated next, a part of the step away from its start.
static CT_FN void rk4_move(const ctiRk4* k, const ctModel* m, ctData* d, ctReal dt) {
  d->time = k->time + dt;
  cti_team_copy(d->qpos, k->qpos, m->nq);
  cti_integrate_pos(m, d->qpos, k->rate, dt);
  CT_LANES(v, m->nv) d->qvel[v] = k->qvel[v] + dt * d->qacc[v];
  CT_LANES(a, m->na) d->act[a] = k->act[a] + dt * d->act_dot[a];
  CT_TEAM_SYNC();
  cti_data(d)->awake.edited = true;  // trees that sleep were moved too, and wake
}

static CT_FN ctStatus rk4_end(ctiRk4* k, const ctModel* m, ctData* d) {
  ctStatus status = CT_OK;
  restore_state(k, m, d);
  if (!cti_arena_short(d)) {
    status = advance(m, d, k->qacc_sum, k->act_sum, k->rate_sum);
    // the acceleration of the step as a whole; the warm start keeps that of the last stage
    cti_team_copy(d->qacc, k->qacc_sum, m->nv);
  }
  cti_scratch_release(d, k->mark);
  k->going = false;
  return status;
}

CT_KERNEL_NOINLINE ctStatus cti_rk4_next(ctiRk4* k, const ctModel* m, ctData* d, int i) {
  ctReal h = m->opt.timestep;
  CT_TEAM_SYNC();  // sensors have read the state
  if (i == 0) {
    k->mark = cti_scratch_mark(d);
    k->going = rk4_begin(k, m, d);
    if (!k->going) {
      if (!cti_arena_short(d)) advance(m, d, d->qacc, d->act_dot, (const ctReal*)0);
      cti_scratch_release(d, k->mark);
      return CT_STEP_OVERFLOW;
    }
    cti_team_copy(k->rate, d->qvel, m->nv);
  } else {
    stage_rates(k, m, d, h * rk4_place[i - 1]);
  }
  add_stage(k, m, d, rk4_weight[i]);
  if (i == CTI_RK4_EVALUATIONS - 1) return rk4_end(k, m, d);
  rk4_move(k, m, d, h * rk4_place[i]);
  return CT_OK;
}

// Runge-Kutta of fourth order, on the manifold of rotations.
static CT_COLD ctStatus step_rk4(const ctModel* m, ctData* d) {
  ctiRk4 k;
  ctStatus status = cti_rk4_next(&k, m, d, 0);
  for (int i = 1; k.going; i++) {
    status = cti_worse(status, cti_forward_dynamics(m, d));
    status = cti_worse(status, cti_rk4_next(&k, m, d, i));
  }
  return status;
}

// ---- the list of integrators ----

CT_KERNEL_INLINE ctStatus cti_integrate(const ctModel* m, ctData* d, int integrator) {
  if (!cti_rest_fits(m, d) || (m->nflex && !cti_flex_yield_fits(m, d))) return CT_STEP_OVERFLOW;
  switch (integrator) {
    case CT_INT_EULER: return step_euler(m, d);
    case CT_INT_RK4: return step_rk4(m, d);
    case CT_INT_IMPLICIT: return step_implicit(m, d);
    case CT_INT_IMPLICITFAST: return step_implicit_fast(m, d);
    case CT_INT_SPRINGDAMPER: return step_implicit_spring_damper(m, d);
    // the solver has done it all
    case CT_INT_DISCRETE: return advance(m, d, d->qacc, d->act_dot, (const ctReal*)0);
    default: return CT_ERR_UNSUPPORTED;
  }
}

// ---- host code: another step with the same metric, the public calls ----
#ifndef __cplusplus
#include "corten/query.h"

static ctStatus solve_again(const ctModel* m, ctData* d, ctReal* qacc) {
  cti_awake_add(qacc, d->qfrc_smooth, d->qfrc_constraint, d);
  cti_awake_solve(m, d, d->qH, d->qHDiagInv, qacc);
  return CT_OK;
}

ctStatus cti_integrate_again(const ctModel* m, ctData* d) {
  if (!cti_rest_fits(m, d)) return CT_STEP_OVERFLOW;
  if (m->opt.integrator == CT_INT_EULER && !euler_damps(m, d)) return step_euler(m, d);
  return solve_and_advance(m, d, solve_again);
}

// ---- the public calls on positions: from one to another and back ----

ctStatus ct_pos_differentiate(const ctModel* m, const ctReal* from, const ctReal* to, ctReal dt,
                              ctReal* qvel) {
  if (!m || !from || !to || !qvel || dt == 0) return CT_ERR_ARGUMENT;
  for (int j = 0; j < m->njnt; j++) {
    int q = m->jnt_qposadr[j], v = m->jnt_dofadr[j], type = m->jnt_type[j];
    bool turns = type == CT_JOINT_FREE || type == CT_JOINT_BALL;
    int shifts = type == CT_JOINT_FREE ? 3 : (turns ? 0 : 1);
    for (int k = 0; k < shifts; k++) qvel[v + k] = (to[q + k] - from[q + k]) / dt;
    if (!turns) continue;
    cti_quat_sub(qvel + v + shifts, to + q + shifts, from + q + shifts);
    cti_scale3(qvel + v + shifts, qvel + v + shifts, 1 / dt);
  }
  return CT_OK;
}

ctStatus ct_pos_integrate(const ctModel* m, const ctReal* qvel, ctReal dt, ctReal* qpos) {
  if (!m || !qpos || !qvel) return CT_ERR_ARGUMENT;
  cti_integrate_pos(m, qpos, qvel, dt);
  return CT_OK;
}

ctStatus ct_pos_normalize(const ctModel* m, ctReal* qpos) {
  if (!m || !qpos) return CT_ERR_ARGUMENT;
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_type[j] == CT_JOINT_BALL) cti_normalize4(qpos + m->jnt_qposadr[j]);
    if (m->jnt_type[j] == CT_JOINT_FREE) cti_normalize4(qpos + m->jnt_qposadr[j] + 3);
  }
  return CT_OK;
}

#endif
