// A step: the stages of its list (CTI_STAGES in step.h), the order in which they run, and the checks around
// them.
#include "step/step.h"
#include "collide/collide.h"
#include "collide/surface.h"
#include "data/arena.h"
#include "data/awake.h"
#include "data/scenery.h"
#include "math/dense.h"
#include "math/elementary.h"
#include "model/plugin.h"
#include "query/forces.h"
#include "sense/sense.h"
#include "stage/constraint/constraint.h"
#include "stage/force/force.h"
#include "stage/metric/metric.h"
#include "stage/position/flex.h"
#include "stage/position/position.h"
#include "stage/sleep/sleep.h"
#include "stage/solve/solve.h"
#include "stage/velocity/velocity.h"
#include "step/ipc.h"

// ---- the stages ----

static CT_FN bool needs_energy(const ctModel* m, ctData* d) {
  return (m->opt.enableflags & CT_ENBL_ENERGY) || (cti_data(d)->needs & CTI_NEED_ENERGY);
}

// The lists of what is awake follow the sleep flag.
static CT_FN ctStatus begin_awake(const ctModel* m, ctData* d) {
  ctiAwake* awake = &cti_data(d)->awake;
  if (awake->on != cti_sleep_enabled(m)) {
    cti_awake_rebuild(m, d);
    awake->cold = true;
  }
  if (!awake->on) return CT_OK;
  if (awake->edited) cti_awake_check(m, d);
  return cti_warm_up(m, d);
}

// Contacts, twice when they wake somebody. Who then turns out to be close to others that sleep wakes them in
// the next step; those that are already pressed together have to wake now, for rows are between what is
// awake.
static CT_KERNEL_INLINE ctStatus find_contacts(const ctModel* m, ctData* d) {
  size_t begin = cti_data(d)->parena;
  ctStatus status = CT_OK;
  bool pressed = false, woken = true;
  for (; woken; pressed = true) {
    cti_data(d)->parena = begin;
    status = cti_worse(status, cti_collision(m, d));
    woken = cti_wake_contacts(m, d, pressed);
  }
  return status;
}

// Positions: where everything is, how heavy, what touches, and the rows of that.

static CT_KERNEL_INLINE ctStatus places(const ctModel* m, ctData* d) {
  // an integrator that evaluates the dynamics several times holds scratch across them
  size_t held = cti_scratch_mark(d);
  cti_data_clear_arena(d);
  cti_scratch_release(d, held);
  d->flg_energypos = d->flg_energyvel = d->flg_subtreevel = d->flg_rnepost = false;
  ctStatus status = begin_awake(m, d);
  cti_scenery_begin(m, d);
  cti_body_frames(m, d);
  cti_wake_edited(m, d);
  cti_awake_mark(d);
  cti_attached_frames(m, d);
  cti_scenery_end(m, d);
  cti_com(m, d);
  cti_cameras(m, d);
  if (m->nflex) status = cti_worse(status, cti_flexes(m, d));
  status = cti_worse(status, cti_tendons(m, d));
  cti_wake_tendons(m, d);
  return status;
}

static CT_KERNEL_INLINE ctStatus inertia(const ctModel* m, ctData* d) {
  cti_mass_matrix(m, d);
  cti_tendon_inertia(m, d);
  return cti_factor_mass(m, d);
}

static CT_KERNEL_INLINE ctStatus contacts(const ctModel* m, ctData* d) {
  ctStatus status = find_contacts(m, d);
  cti_wake_equalities(m, d);
  return status;
}

static CT_KERNEL_INLINE ctStatus rows(const ctModel* m, ctData* d, unsigned how) {
  ctStatus status = cti_make_constraints(m, d, !(how & CTI_RUN_INVERSE));
  CT_BARRIER();
  status = cti_worse(status, cti_transmission(m, d));
  if (needs_energy(m, d)) {
    cti_energy_position(m, d);
  } else {
    d->energy[0] = d->energy[1] = 0;
  }
  return status;
}

// Functions of the user, where the host can call them.
static CT_FN void user_passive(const ctModel* m, ctData* d) {
  const int off = CT_DSBL_SPRING | CT_DSBL_DAMPER;
  if (CT_ON_HOST && m->user.passive && (m->opt.disableflags & off) != off)
    m->user.passive(m->user.context, m, d);
}
// A body that sleeps is left alone.
static CT_FN void plugin_passive(const ctModel* m, ctData* d) {
  const int off = CT_DSBL_SPRING | CT_DSBL_DAMPER;
  if (!CT_ON_HOST || m->nplugin == 0 || (m->opt.disableflags & off) == off) return;
  CTI_EACH(i, cti_awake(d)->body) {
    const ctPlugin* p = m->body_plugin[i] >= 0 ? cti_plugin_of(m, m->body_plugin[i]) : (const ctPlugin*)0;
    if (p) p->passive(p, m, d, m->body_plugin[i], i);
  }
}
static CT_FN void user_control(const ctModel* m, ctData* d) {
  if (CT_ON_HOST && m->user.control && !(m->opt.disableflags & CT_DSBL_ACTUATION))
    m->user.control(m->user.context, m, d);
}

CT_KERNEL_INLINE_KEPT ctStatus cti_forward_velocity(const ctModel* m, ctData* d) {
  d->flg_energyvel = d->flg_subtreevel = d->flg_rnepost = false;
  cti_flex_velocity(m, d);
  cti_tendon_velocity(m, d);
  cti_actuator_velocity(m, d);
  cti_com_velocity(m, d);
  ctStatus status = cti_passive(m, d);
  user_passive(m, d);
  plugin_passive(m, d);
  cti_adhesion_force(m, d);
  cti_reference(m, d);
  status = cti_worse(status, cti_bias_force(m, d, (const ctReal*)0, d->qfrc_bias));
  cti_tendon_bias(m, d);
  if (needs_energy(m, d)) status = cti_worse(status, cti_energy_velocity(m, d));
  if (cti_data(d)->needs & CTI_NEED_SUBTREE_VELOCITY) cti_subtree_velocity(m, d);
  return status;
}

CT_KERNEL_INLINE_KEPT ctStatus cti_forward_actuation(const ctModel* m, ctData* d) {
  return cti_actuation(m, d);
}

CT_KERNEL_INLINE_KEPT ctStatus cti_forward_acceleration(const ctModel* m, ctData* d) {
  d->flg_rnepost = false;
  if (!cti_is_discrete(m)) {
    cti_smooth_acceleration(m, d);
    return CT_OK;
  }
  ctStatus status = cti_metric_make(m, d);
  if (cti_metric(d)->on) status = cti_worse(status, cti_discrete_rows(m, d, true));
  cti_smooth_acceleration(m, d);
  return cti_worse(status, cti_metric_acceleration(m, d));
}

static CT_KERNEL_INLINE ctStatus forces(const ctModel* m, ctData* d) {
  ctStatus status = cti_forward_actuation(m, d);
  return cti_worse(status, cti_forward_acceleration(m, d));
}

// Surfaces that are kept apart need the whole step: otherwise there is no constraint at all.
static CT_COLD ctStatus solve_surfaces(const ctModel* m, ctData* d, bool step) {
  if (step) return cti_ipc_solve(m, d);
  cti_copy(d->qacc, d->qacc_smooth, m->nv);
  cti_zero(d->qfrc_constraint, m->nv);
  cti_zero(d->efc_force, d->nefc);
  return CT_OK;
}

CT_INLINE ctStatus after_solve(const ctModel* m, ctData* d, ctStatus status) {
  return cti_is_discrete(m) ? cti_worse(status, cti_metric_free_bodies(m, d)) : status;
}

CT_INLINE ctStatus solve(const ctModel* m, ctData* d, unsigned how) {
  if (m->nflex && cti_keeps_surfaces_apart(m)) return solve_surfaces(m, d, (how & CTI_RUN_STEP) != 0);
  return after_solve(m, d, cti_solve(m, d));
}

// ---- running the list ----

// What follows a stage: sensors, then the user with what is known by now.
static CT_KERNEL_INLINE void end_stage(const ctModel* m, ctData* d, ctStage sensors, unsigned over,
                                       unsigned how) {
  const bool sense = (how & CTI_RUN_SENSORS) != 0, control = (how & CTI_RUN_CONTROL) != 0;
  if (sense && sensors != CT_STAGE_NONE) cti_sense(m, d, sensors);
  if (over) cti_data_end_life(m, d, over);
  if (control && sensors == CT_STAGE_VEL) user_control(m, d);
  if (sense && control && sensors == CT_STAGE_ACC && (cti_data(d)->needs & CTI_NEED_BODY_FORCES))
    cti_post_constraint(m, d);
}

CT_KERNEL_NOINLINE ctStatus cti_stages(const ctModel* m, ctData* d, ctiStage first, ctiStage last,
                                       unsigned how) {
  const double begun = cti_timer_start(d);
  ctStatus status = CT_OK;
#define X(stage, call, timer, sensors, over)                                             \
  if (first <= CTI_STAGE_##stage && CTI_STAGE_##stage <= last) {                         \
    const double start = cti_timer_start(d);                                             \
    status = cti_worse(status, call);                                                    \
    cti_timer_stop(d, CT_TIMER_##timer, start);                                          \
    if (CT_STAGE_##sensors == CT_STAGE_POS) cti_timer_stop(d, CT_TIMER_POSITION, begun); \
    end_stage(m, d, CT_STAGE_##sensors, over, how);                                      \
    CT_BARRIER();                                                                        \
  }
  CTI_DYNAMICS(X)
#undef X
  return status;
}

CT_FN ctStatus cti_forward_position(const ctModel* m, ctData* d) {
  return cti_stages(m, d, CTI_STAGE_PLACES, CTI_STAGE_ROWS, 0);
}

CT_FN ctStatus cti_inverse_position(const ctModel* m, ctData* d) {
  return cti_stages(m, d, CTI_STAGE_PLACES, CTI_STAGE_ROWS, CTI_RUN_INVERSE);
}

CT_FN ctStatus cti_forward_constraint(const ctModel* m, ctData* d) {
  return cti_stages(m, d, CTI_STAGE_SOLVE, CTI_STAGE_SOLVE, 0);
}

static CT_FN ctStatus forward(const ctModel* m, ctData* d, unsigned how) {
  const double start = cti_timer_start(d);
  ctStatus status = cti_stages(m, d, CTI_STAGE_PLACES, CTI_STAGE_SOLVE, how | CTI_RUN_CONTROL);
  cti_timer_stop(d, CT_TIMER_FORWARD, start);
  return status;
}

CT_FN ctStatus cti_forward(const ctModel* m, ctData* d) {
  return forward(m, d, CTI_RUN_SENSORS);
}

CT_FN ctStatus cti_forward_dynamics(const ctModel* m, ctData* d) {
  return forward(m, d, 0);
}

// ---- the checks of a step ----

// Reset, but keep the warnings: they say why.
static CT_FN void reset_after(const ctModel* m, ctData* d) {
  ctWarningStat seen[CT_WARN_COUNT];
  ctTimerStat spent[CT_TIMER_COUNT];
  for (int i = 0; i < CT_WARN_COUNT; i++) seen[i] = d->warning[i];
  for (int i = 0; i < CT_TIMER_COUNT; i++) spent[i] = d->timer[i];
  cti_reset(m, d);
  for (int i = 0; i < CT_WARN_COUNT; i++) d->warning[i] = seen[i];
  for (int i = 0; i < CT_TIMER_COUNT; i++) d->timer[i] = spent[i];
}

// Count a bad number, reset the data unless autoreset is disabled, and return CT_STEP_DIVERGED.
static CT_FN ctStatus diverge(const ctModel* m, ctData* d, ctWarningType warning, int where) {
  cti_warn(d, warning, where);
  if (!(m->opt.disableflags & CT_DSBL_AUTORESET)) reset_after(m, d);
  return CT_STEP_DIVERGED;
}

// The first bad number from `begin` to `end`, -1 when all are good.
static CT_FN int find_bad(const ctReal* v, int begin, int end) {
  if (CT_TEAM > 1) {
    bool own = false;
    for (int i = begin + CT_LANE; i < end; i += CT_TEAM) own = own || cti_is_bad(v[i]);
    if (!cti_team_any(own)) return -1;
  }
  int bad = 0;
  for (int i = begin; i < end; i++) bad += cti_is_bad(v[i]);
  if (bad == 0) return -1;
  while (!cti_is_bad(v[begin])) begin++;
  return begin;
}

CT_FN ctStatus cti_check(const ctModel* m, ctData* d, const ctReal* v, int n, ctWarningType warning) {
  int bad = find_bad(v, 0, n);
  return bad < 0 ? CT_OK : diverge(m, d, warning, bad);
}

// Of the dofs that are awake.
static CT_FN ctStatus check_dofs(const ctModel* m, ctData* d, const ctReal* v, ctWarningType warning) {
  CTI_EACH_SPAN(s, cti_awake(d)->dof) {
    int bad = find_bad(v, s->begin, s->end);
    if (bad >= 0) return diverge(m, d, warning, bad);
  }
  return CT_OK;
}

// Where a tree sleeps nobody but the user writes.
static CT_FN ctStatus check_positions(const ctModel* m, ctData* d) {
  if (cti_awake(d)->edited) return cti_check(m, d, d->qpos, m->nq, CT_WARN_BADQPOS);
  CTI_EACH_SPAN(s, cti_awake(d)->jnt) {
    int end = s->end < m->njnt ? m->jnt_qposadr[s->end] : m->nq;
    int bad = find_bad(d->qpos, m->jnt_qposadr[s->begin], end);
    if (bad >= 0) return diverge(m, d, CT_WARN_BADQPOS, bad);
  }
  return CT_OK;
}

CT_FN ctStatus cti_check_state(const ctModel* m, ctData* d) {
  ctStatus status = check_positions(m, d);
  status = cti_worse(status, check_dofs(m, d, d->qvel, CT_WARN_BADQVEL));
  return cti_worse(status, cti_check(m, d, d->act, m->na, CT_WARN_BADACT));
}

// Time that is no number, or far too much of it, leads nowhere: nothing advances.
CT_FN ctStatus cti_check_timestep(const ctModel* m, ctData* d) {
  if (!cti_is_bad(m->opt.timestep)) return CT_OK;
  cti_warn(d, CT_WARN_BADQPOS, -1);
  return CT_STEP_DIVERGED;
}

// A bad acceleration that caused a reset is computed again for the new state.
CT_FN ctStatus cti_check_acceleration(const ctModel* m, ctData* d) {
  ctStatus status = check_dofs(m, d, d->qacc, CT_WARN_BADQACC);
  if (status != CT_OK && !(m->opt.disableflags & CT_DSBL_AUTORESET)) cti_forward(m, d);
  if (m->opt.enableflags & CT_ENBL_FWDINV) status = cti_worse(status, cti_compare_forward_inverse(m, d));
  return status;
}

// ---- the step ----

// Nothing changes when the arena is too small for a part of it.
CT_KERNEL_INLINE ctStatus cti_advance(const ctModel* m, ctData* d, int integrator) {
  double start = cti_timer_start(d);
  size_t mark = cti_scratch_mark(d);
  const ctReal* measured = cti_sense_now(m, d);
  const ctReal time = d->time;
  ctStatus status = measured ? CT_OK : CT_STEP_OVERFLOW;
  cti_data_end_life(m, d, CTI_LIVE_VELOCITY);
  if (!cti_arena_short(d)) status = cti_worse(status, cti_integrate(m, d, integrator));
  if (measured && !cti_arena_short(d)) cti_sense_record(m, d, measured, time);
  cti_scratch_release(d, mark);
  cti_timer_stop(d, CT_TIMER_ADVANCE, start);
  return status;
}

// The rest of a step whose stages have run.
static CT_FN void end_of_step(const ctModel* m, ctData* d) {
  if (cti_arena_short(d)) return;
  // from here on nobody writes until the caller has the data back
  cti_data(d)->awake.edited = false;
  // an integrator that evaluated the dynamics again has left them behind
  if ((cti_data(d)->needs & CTI_NEED_BODY_FORCES) && !d->flg_rnepost) cti_post_constraint(m, d);
}

static CT_KERNEL_INLINE ctStatus finish_step(const ctModel* m, ctData* d) {
  ctStatus status = CT_OK;
  if (!cti_arena_short(d)) status = cti_check_acceleration(m, d);
  if (!cti_arena_short(d)) status = cti_worse(status, cti_advance(m, d, m->opt.integrator));
  end_of_step(m, d);
  return status;
}

#ifndef CTK_TEAMS  // they take a step stage by stage
CT_KERNEL_NOINLINE ctStatus cti_step(const ctModel* m, ctData* d) {
  if (cti_check_timestep(m, d) != CT_OK) return CT_STEP_DIVERGED;
  double start = cti_timer_start(d);
  ctStatus status = cti_check_state(m, d);
  status = cti_worse(status, forward(m, d, CTI_RUN_SENSORS | CTI_RUN_STEP));
  status = cti_worse(status, finish_step(m, d));
  cti_timer_stop(d, CT_TIMER_STEP, start);
  return status;
}
#endif

// ---- a step that is taken again ----

CT_FN void cti_attempt_begin(ctiAttempt* before, const ctData* d) {
  before->inertia = d->warning[CT_WARN_INERTIA];
  before->contacts = d->warning[CT_WARN_CONTACTFULL];
  before->rows = d->warning[CT_WARN_CNSTRFULL];
}

CT_FN bool cti_attempt_end(const ctiAttempt* before, const ctModel* m, ctData* d, ctStatus* status) {
  if (!cti_arena_short(d)) return true;
  cti_awake_undo(m, d);
  d->warning[CT_WARN_INERTIA] = before->inertia;
  d->warning[CT_WARN_CONTACTFULL] = before->contacts;
  d->warning[CT_WARN_CNSTRFULL] = before->rows;
  if (*status == CT_STEP_OVERFLOW) *status = CT_OK;
  return false;
}

// ---- the step, stage by stage ----

// cti_advance() by Runge and Kutta, after evaluation i of the dynamics.
static CT_KERNEL_NOINLINE ctStatus integrate_evaluation(const ctModel* m, ctData* d, int i, ctiMidStep* mid) {
  ctStatus status = CT_OK;
  if (i == 0) {
    mid->mark = cti_scratch_mark(d);
    mid->measured = cti_sense_now(m, d);
    mid->time = d->time;
    mid->rk4.going = false;
    if (!mid->measured) status = CT_STEP_OVERFLOW;
    if (!cti_arena_short(d) && !cti_rest_fits(m, d))
      status = cti_worse(status, CT_STEP_OVERFLOW);
    else if (!cti_arena_short(d))
      status = cti_worse(status, cti_rk4_next(&mid->rk4, m, d, 0));
  } else if (mid->rk4.going) {
    status = cti_rk4_next(&mid->rk4, m, d, i);
  } else {
    return CT_OK;
  }
  if (mid->rk4.going) return status;
  if (mid->measured && !cti_arena_short(d)) cti_sense_record(m, d, mid->measured, mid->time);
  cti_scratch_release(d, mid->mark);
  end_of_step(m, d);
  return status;
}

static CT_KERNEL_INLINE ctStatus finish(const ctModel* m, ctData* d, unsigned how, int i, ctiMidStep* mid) {
  if (!(how & CTI_RUN_STEP)) return CT_OK;
  if (cti_step_evaluations(m, true) == 1) return finish_step(m, d);
  ctStatus status = CT_OK;
  if (i == 0) {
    mid->rk4.going = false;
    if (!cti_arena_short(d)) status = cti_check_acceleration(m, d);
    if (cti_arena_short(d)) return status;
  }
  return cti_worse(status, integrate_evaluation(m, d, i, mid));
}

CT_INLINE bool is_evaluated(int evaluation, const ctiMidStep* mid) {
  return evaluation == 0 || mid->rk4.going;
}

// A row of the list with what follows it; behind the solver, which may be other kernels, that is left to the
// next one.
CT_KERNEL_INLINE ctStatus cti_step_stage(const ctModel* m, ctData* d, ctiStage stage, int evaluation,
                                         bool step, ctiMidStep* mid) {
  if (!is_evaluated(evaluation, mid)) return CT_OK;
  const unsigned how = CTI_RUN_CONTROL | (evaluation == 0 ? CTI_RUN_SENSORS : 0) | (step ? CTI_RUN_STEP : 0);
  ctStatus status = CT_OK;
  if (stage == CTI_STAGE_SOLVE + 1) end_stage(m, d, CT_STAGE_ACC, 0, how);
  switch (stage) {
#define X(row, call, timer, sensors, over)                                        \
  case CTI_STAGE_##row:                                                           \
    status = call;                                                                \
    if (stage != CTI_STAGE_SOLVE) end_stage(m, d, CT_STAGE_##sensors, over, how); \
    break;
    CTI_STAGES(X)
#undef X
    default: break;
  }
  return status;
}

// Surfaces that are kept apart are solved for again and again in a step.
CT_FN bool cti_step_islands_apart(const ctModel* m) {
  return m->ntree > 1 && !(m->opt.disableflags & CT_DSBL_ISLAND) &&
         !(m->nflex && cti_keeps_surfaces_apart(m));
}

CT_FN ctStatus cti_step_solve_begin(const ctModel* m, ctData* d, int evaluation, int workers,
                                    ctiMidStep* mid) {
  return is_evaluated(evaluation, mid) ? cti_solve_begin(&mid->solve, m, d, workers) : CT_OK;
}

CT_FN void cti_step_solve_worker(ctData* d, int evaluation, int worker, const ctiMidStep* mid) {
  if (is_evaluated(evaluation, mid) && worker < mid->solve.workers) cti_solve_worker(&mid->solve, d, worker);
}

CT_FN ctStatus cti_step_solve_end(const ctModel* m, ctData* d, int evaluation, const ctiMidStep* mid) {
  if (!is_evaluated(evaluation, mid)) return CT_OK;
  return after_solve(m, d, mid->solve.workers > 0 ? cti_solve_end(&mid->solve, m, d) : CT_OK);
}
