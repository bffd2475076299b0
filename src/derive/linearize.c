// The derivative of a step without steps. At the converged solution a of
//     g(x, a) = M a + bias - passive - actuators - applied - J' f(J a - r) = 0
// the implicit function theorem gives H da = -dg at fixed a, H = M + J' Sigma J: one factor, which Newton's
// method has anyway, for all columns. dg is a difference of inverse dynamics, which needs no solver. The
// integrator turns da into the next velocity: with X = M + R, R what is implicit in it,
//     v+ = v + h z,  X z = M a,  X dz = M da + dM (a - z) - dR z
// and positions follow on the manifold of rotations.
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "data/arena.h"
#include "data/data.h"
#include "derive/analytic.h"
#include "derive/derive.h"
#include "derive/devices.h"
#include "derive/implicit.h"
#include "derive/panel.h"
#include "derive/sensors.h"
#include "math/dense.h"
#include "math/sparse.h"
#include "sense/sense.h"
#include "stage/constraint/constraint.h"
#include "stage/derivative/velocity.h"
#include "stage/force/force.h"
#include "stage/position/point_motion.h"
#include "stage/position/position.h"
#include "stage/solve/hessian.h"
#include "stage/solve/row_cost.h"
#include "stage/velocity/velocity.h"
#include "step/step.h"

typedef enum From { FROM_POSITION, FROM_VELOCITY, FROM_FORCE } From;

// What one evaluation at fixed a says, one after another: g, M (a - z), R z (nv each), next activations,
// sensors.
typedef struct Reading {
  ctReal *g, *Mw, *Rz, *act, *sensors;
} Reading;

typedef struct Linear {
  ctDerive* w;
  const ctModel* m;
  const ctData* at;
  ctReal eps;
  bool centered, sense;
  bool analytic, must;  // closed forms; nothing else will do
  bool nudges;          // something is left to differences of inverse dynamics
  bool fresh;           // the first worker has everything of the base point
  bool free;            // no row acts, and nobody asks for da: see solve_free()
  ctDeriveReport* report;
  bool implicit, varies;  // is there an R, and does it change with the state?
  int nreading, ncolumn;
  ctReal *a, *z, *gap;  // acceleration, that of the integrator, and a - z
  ctReal* base;         // the reading at the base point
  ctReal* readings;     // of each worker: two
  ctReal* slopes;       // of each column: the difference of readings
  ctReal* by_acc;       // of each dof: sensors by acceleration
  ctiImplicitMetric X;  // of the integrator
  ctReal* next_vel;     // velocity after the step
  ctReal *da, *dz;      // panels: a row for each dof, `width` columns from `begin` on
  int begin, width;
} Linear;

static Reading split(const Linear* l, ctReal* numbers) {
  const int nv = l->m->nv;
  return (Reading){numbers, numbers + nv, numbers + 2 * nv, numbers + 3 * nv, numbers + 3 * nv + l->m->na};
}

// ---- one evaluation at fixed acceleration ----

static void applied_force(const ctModel* m, const ctData* d, ctReal* out) {
  cti_copy(out, d->qfrc_applied, m->nv);
  for (int i = 1; i < m->nbody; i++) {
    const ctReal* f = d->xfrc_applied + 6 * i;
    bool none = f[0] == 0 && f[1] == 0 && f[2] == 0 && f[3] == 0 && f[4] == 0 && f[5] == 0;
    if (!none) cti_add_force_at(m, d, out, f, f + 3, d->xipos + 3 * i, i);
  }
}

static ctStatus read_once(const Linear* l, ctData* d, From from, ctReal* numbers) {
  const ctModel* m = l->m;
  Reading r = split(l, numbers);
  ctStatus status = CT_OK;
  if (from <= FROM_POSITION) {
    status = cti_worse(status, cti_inverse_position(m, d));
    if (l->sense) cti_sense(m, d, CT_STAGE_POS);
  }
  if (from <= FROM_VELOCITY) {
    status = cti_worse(status, cti_forward_velocity(m, d));
    if (l->sense) cti_sense(m, d, CT_STAGE_VEL);
  }
  status = cti_worse(status, cti_forward_actuation(m, d));
  if (cti_arena_short(d)) return status;
  d->flg_rnepost = false;
  // controls change neither the rows nor the inertial forces: those of the base point stand
  if (from <= FROM_VELOCITY) status = cti_worse(status, cti_inverse_force(m, d));
  if (l->sense) cti_sense(m, d, CT_STAGE_ACC);
  applied_force(m, d, r.g);
  for (int i = 0; i < m->nv; i++) r.g[i] = d->qfrc_inverse[i] - d->qfrc_actuator[i] - r.g[i];
  cti_next_activations(m, d, r.act);
  if (l->sense) cti_copy(r.sensors, d->sensordata, m->nsensordata);
  if (!l->implicit) return status;
  cti_mul_mass(m, d, r.Mw, l->gap);
  cti_zero(r.Rz, m->nv);
  if (!l->varies) return status;
  return cti_worse(status, cti_implicit_product(m, d, l->z, r.Rz));
}

static ctStatus read_point(const Linear* l, ctData* d, From from, ctReal* numbers) {
  for (;;) {
    ctStatus status = read_once(l, d, from, numbers);
    if (!cti_arena_short(d)) return status;
    CT_TRY(cti_data_grow(d));
    from = FROM_POSITION;
  }
}

static void to_base(const Linear* l, ctData* d) {
  cti_state_load(l->m, d, l->w->state, 1, CT_STATE_INTEGRATION);
  cti_copy(d->qacc, l->a, l->m->nv);
}

// ---- columns: positions, velocities, activations, controls ----

static void note(ctiDeriver* k, ctStatus status) {
  if (k->status == CT_OK) k->status = status;
}

static void nudged(const Linear* l, ctiDeriver* k, int column, ctReal step, ctReal* numbers) {
  const ctModel* m = l->m;
  const int nv = m->nv, nx = 2 * nv + m->na;
  to_base(l, k->d);
  From from = FROM_FORCE;
  if (column < nv) {
    cti_derive_move(m, k, column, step);
    from = FROM_POSITION;
  } else if (column < 2 * nv) {
    k->d->qvel[column - nv] += step;
    from = FROM_VELOCITY;
  } else if (column < nx) {
    k->d->act[column - 2 * nv] += step;
  } else {
    k->d->ctrl[column - nx] += step;
  }
  note(k, read_point(l, k->d, from, numbers));
}

static void prepare(const Linear* l, ctiDeriver* k) {
  if (k->ready) return;
  k->ready = true;
  note(k, cti_derive_follow(l->w, k, l->at));
  to_base(l, k->d);
  note(k, read_point(l, k->d, FROM_POSITION, l->readings + (int64_t)2 * l->nreading * (k - l->w->workers)));
}

static void slope_of(const Linear* l, ctiDeriver* k, int column) {
  ctiSides sides = {true, l->centered};
  const int nx = 2 * l->m->nv + l->m->na, n = l->nreading;
  if (column >= nx)
    sides = cti_control_sides(l->m, column - nx, l->at->ctrl[column - nx], l->eps, l->centered);
  ctReal* high = l->readings + (int64_t)2 * n * (k - l->w->workers);
  ctReal* low = high + n;
  ctReal* out = l->slopes + (int64_t)n * column;
  if (sides.plus) nudged(l, k, column, l->eps, high);
  if (sides.minus) nudged(l, k, column, -l->eps, low);
  const ctReal *to = sides.plus ? high : l->base, *from = sides.minus ? low : l->base;
  const ctReal width = l->eps * (ctReal)((int)sides.plus + (int)sides.minus);
  for (int i = 0; i < n; i++) out[i] = sides.plus || sides.minus ? (to[i] - from[i]) / width : 0;
}

typedef struct Part {
  const Linear* l;
  int first;
} Part;

static void slopes(void* context, int begin, int end, int worker) {
  const Part* part = context;
  ctiDeriver* k = &part->l->w->workers[worker];
  prepare(part->l, k);
  for (int j = begin; j < end; j++) slope_of(part->l, k, part->first + j);
}

// Sensors that read accelerations, by those.
static void sensors_by_acceleration(void* context, int begin, int end, int worker) {
  const Linear* l = ((const Part*)context)->l;
  const ctModel* m = l->m;
  ctiDeriver* k = &l->w->workers[worker];
  prepare(l, k);
  ctReal* numbers = l->readings + (int64_t)2 * l->nreading * worker;
  const ctReal* s0 = split(l, l->base).sensors;
  for (int j = begin; j < end; j++) {
    to_base(l, k->d);
    // of the base point, where the last nudge has left another
    if (j == begin) note(k, read_point(l, k->d, FROM_POSITION, numbers));
    k->d->qacc[j] += l->eps;
    note(k, read_point(l, k->d, FROM_VELOCITY, numbers));
    for (int i = 0; i < m->nsensordata; i++)
      l->by_acc[(int64_t)j * m->nsensordata + i] = (split(l, numbers).sensors[i] - s0[i]) / l->eps;
  }
}

// ---- from slopes to columns of A and B ----

// The factor of H at the base point, in the scratch of the first worker.
static ctStatus factor_hessian(const Linear* l, ctData* d, ctiProblem* p, ctiHessian* h) {
  ctReal* jar = CTI_SCRATCH(d, ctReal, d->nefc, "linearize.jar");
  cti_problem_whole(p, l->m, d);
  cti_problem_scale(p);
  if (!jar) return CT_STEP_OVERFLOW;
  cti_problem_residual(p, jar, l->a);
  cti_row_costs(p, jar, true);
  if (!cti_hessian_allocate(h, p)) return CT_STEP_OVERFLOW;
  return cti_hessian_make(h) == l->m->nv ? CT_OK : CT_STEP_SINGULAR;
}

static bool any_row_acts(const ctData* d) {
  for (int i = 0; i < d->nefc; i++) {
    if (d->efc_state[i] != CTI_ROW_SATISFIED) return true;
  }
  return false;
}

// Without rows g is linear in the acceleration, H = M and M a = (M + R) z: with dg taken at z instead of a,
// X dz = -dg - dR z.
static void solve_free(Linear* l, int first, int n) {
  const ctModel* m = l->m;
  const ctData* d = l->w->workers[0].d;
  const ctReal* columns = l->slopes + (int64_t)l->nreading * first;
  ctReal* to = l->implicit ? l->dz : l->da;
  l->begin = first;
  l->width = n;
  cti_panel_transpose(to, columns, l->nreading, m->nv, n, -1);
  if (l->varies) cti_panel_add_transpose(to, columns + 2 * m->nv, l->nreading, m->nv, n, -1);
  if (l->implicit) {
    cti_implicit_solve(&l->X, to, n);
  } else {
    cti_panel_tree(to, n, m, d->qLD, d->qLDiagInv);
  }
}

// da = -H^-1 dg, and dz = X^-1 (M da + dM (a - z) - dR z), of `n` columns from `first` on.
static void solve_accelerations(Linear* l, ctiHessian* h, int first, int n) {
  const ctModel* m = l->m;
  const int nv = m->nv;
  const ctReal* columns = l->slopes + (int64_t)l->nreading * first;
  l->begin = first;
  l->width = n;
  if (h->iterative) {
    // there is no factor
    for (int c = 0; c < n; c++) {
      ctReal* column = l->slopes + (int64_t)l->nreading * (first + c);
      cti_hessian_solve(h, column, column);
    }
    cti_panel_transpose(l->da, columns, l->nreading, nv, n, -1);
  } else {
    cti_panel_transpose(l->da, columns, l->nreading, nv, n, -1);
    if (h->place) {
      cti_panel_ordered(l->da, n, &h->sky, h->U, h->place, l->dz);
    } else {
      cti_panel_skyline(l->da, n, &h->sky, h->U);
    }
  }
  if (!l->implicit) return;
  cti_panel_mass(l->dz, l->da, n, m, l->w->workers[0].d->M);
  cti_panel_add_transpose(l->dz, columns + nv, l->nreading, nv, n, 1);
  if (l->varies) cti_panel_add_transpose(l->dz, columns + 2 * nv, l->nreading, nv, n, -1);
  cti_implicit_solve(&l->X, l->dz, n);
}

// Rotations: three rows of positions follow three rows of velocities on their manifold.
static void turn_rows(const Linear* l, ctReal* next, int n, bool states) {
  const ctModel* m = l->m;
  const int64_t width = n;
  const ctReal h = m->opt.timestep;
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_type[j] != CT_JOINT_BALL && m->jnt_type[j] != CT_JOINT_FREE) continue;
    const int dof = m->jnt_dofadr[j] + (m->jnt_type[j] == CT_JOINT_FREE ? 3 : 0);
    ctReal by_quat[9], by_turn[9];
    ct_derive_quat_integration(l->next_vel + dof, h, by_quat, by_turn, NULL);
    for (int i = 0; i < 3; i++) {
      ctReal* row = next + width * (dof + i);
      cti_zero(row, n);
      for (int k = 0; k < 3; k++) {
        cti_add_scaled(row, next + width * (m->nv + dof + k), h * by_turn[3 * i + k], n);
        if (states) row[dof + k] += by_quat[3 * i + k];
      }
    }
  }
}

// Rows of the next state: positions on the manifold, velocities, activations. `states`: the columns are
// states, else controls.
static void write_next(const Linear* l, ctReal* next, int first, int n, bool states) {
  const ctModel* m = l->m;
  const int nv = m->nv;
  const int64_t width = n;
  const ctReal h = m->opt.timestep, *rate = (l->implicit ? l->dz : l->da) + (first - l->begin);
  for (int i = 0; i < nv; i++) {
    ctReal *pos = next + width * i, *vel = next + width * (nv + i);
    cti_scale(vel, rate + (int64_t)l->width * i, h, n);
    if (states) vel[nv + i] += 1;
    cti_scale(pos, vel, h, n);
    if (states) pos[i] += 1;
  }
  turn_rows(l, next, n, states);
  for (int i = 0; i < m->na; i++) {
    for (int c = 0; c < n; c++)
      next[width * (2 * nv + i) + c] = l->slopes[(int64_t)l->nreading * (first + c) + 3 * nv + i];
  }
}

// Sensors see the state, and the acceleration that it brings.
static void write_sensors(const Linear* l, ctReal* sensors, int first, int n) {
  const ctModel* m = l->m;
  const int ns = m->nsensordata;
  for (int i = 0; i < ns; i++) {
    ctReal* row = sensors + (int64_t)n * i;
    for (int c = 0; c < n; c++)
      row[c] = l->slopes[(int64_t)l->nreading * (first + c) + 3 * m->nv + m->na + i];
    for (int k = 0; k < m->nv; k++) {
      const ctReal by = l->by_acc[(int64_t)k * ns + i];
      if (by != 0) cti_add_scaled(row, l->da + (int64_t)l->width * k + (first - l->begin), by, n);
    }
  }
}

// ---- the call ----

// Everything of the base point: forward dynamics for a, then the metric and what it makes of a.
static ctStatus begin(Linear* l) {
  const ctModel* m = l->m;
  ctDerive* w = l->w;
  ctiDeriver* k = &w->workers[0];
  for (int i = 0; i < w->threads; i++) {
    w->workers[i].ready = false;
    w->workers[i].status = CT_OK;
  }
  cti_state_store(m, l->at, w->state, 1, CT_STATE_INTEGRATION);
  CT_TRY(cti_derive_follow(w, k, l->at));
  cti_state_load(m, k->d, w->state, 1, CT_STATE_INTEGRATION);
  ctStatus status;
  do {
    CT_TRY(cti_data_grow(k->d));
    status = cti_forward_dynamics(m, k->d);
  } while (cti_arena_short(k->d));
  cti_copy(l->a, k->d->qacc, m->nv);
  cti_copy(l->z, l->a, m->nv);
  l->implicit = cti_implicit_any(m);
  l->varies = l->implicit && cti_implicit_varies(m);
  if (l->implicit) {
    status = cti_worse(status, cti_implicit_factor(&l->X, k->d));
    cti_add(l->z, k->d->qfrc_smooth, k->d->qfrc_constraint, m->nv);
    cti_implicit_solve(&l->X, l->z, 1);
  }
  cti_sub(l->gap, l->a, l->z, m->nv);
  k->ready = true;
  const char* why = l->analytic ? cti_analytic_state_obstacle(m, k->d) : NULL;
  if (why) {
    l->analytic = false;
    l->report->method = CT_DERIVE_IMPLICIT;
    l->report->reason = why;
    if (l->must) return CT_ERR_UNSUPPORTED;
  }
  l->nudges = !l->analytic || (l->sense && !cti_sensors_closed(m, l->at));
  l->report->sensors_by_differences = l->sense && l->nudges;
  if (!l->nudges) {
    l->fresh = true;
    l->free = !l->sense && !any_row_acts(k->d);
    return status;
  }
  to_base(l, k->d);
  return cti_worse(status, read_point(l, k->d, FROM_POSITION, l->base));
}

static ctStatus closed_forms(const Linear* l) {
  const ctiAnalytic task = {.w = l->w,
                            .d = l->w->workers[0].d,
                            .a = l->free ? l->z : l->a,
                            .z = l->z,
                            .gap = l->free ? NULL : l->gap,
                            .eps = l->eps,
                            .implicit = l->implicit,
                            .by_acc = l->sense && !l->nudges ? l->by_acc : NULL,
                            .columns = l->slopes,
                            .stride = l->nreading,
                            .report = l->report};
  return cti_analytic_columns(&task);
}

static ctStatus solve_columns(Linear* l, ctReal* A, ctReal* B, ctReal* C, ctReal* D) {
  const ctModel* m = l->m;
  ctData* d = l->w->workers[0].d;
  const int nx = 2 * m->nv + m->na;
  ctStatus status;
  ctiProblem p;
  ctiHessian h;
  size_t mark;
  for (;; l->fresh = l->free = false) {
    status = CT_OK;
    if (!l->fresh) {
      to_base(l, d);
      status = cti_inverse_position(m, d);
      status = cti_worse(status, cti_forward_velocity(m, d));
      if (l->analytic) status = cti_worse(status, cti_forward_actuation(m, d));
    }
    mark = cti_scratch_mark(d);
    if (!l->free && !cti_arena_short(d)) status = cti_worse(status, factor_hessian(l, d, &p, &h));
    if (l->analytic && !cti_arena_short(d)) status = cti_worse(status, closed_forms(l));
    if (!cti_arena_short(d)) break;
    cti_scratch_release(d, mark);
    CT_TRY(cti_data_grow(d));
  }
  if (status == CT_ERR_MEMORY) return status;
  // the velocity that the step ends with: rotations turn by it
  for (int i = 0; i < m->nv; i++) l->next_vel[i] = l->at->qvel[i] + m->opt.timestep * l->z[i];
  const bool states = A || C, controls = (B || D) && m->nu > 0;
  const int first = states ? 0 : nx, n = (states ? nx : 0) + (controls ? m->nu : 0);
  if (l->free) {
    solve_free(l, first, n);
  } else {
    solve_accelerations(l, &h, first, n);
  }
  if (A) write_next(l, A, 0, nx, true);
  if (C) write_sensors(l, C, 0, nx);
  if (B && controls) write_next(l, B, nx, m->nu, false);
  if (D && controls) write_sensors(l, D, nx, m->nu);
  cti_scratch_release(d, mark);
  return status;
}

// Numbers of all arrays, handed out one after another when `at` is there.
static void lay_out(Linear* l, ctReal* at, size_t* total) {
  const size_t nv = (size_t)l->m->nv, n = (size_t)l->nreading;
  *total = 0;
#define TAKE(member, count)         \
  do {                              \
    if (at) (member) = at + *total; \
    *total += (size_t)(count);      \
  } while (0)
  TAKE(l->a, nv);
  TAKE(l->z, nv);
  TAKE(l->gap, nv);
  TAKE(l->base, n);
  TAKE(l->readings, 2 * n * (size_t)l->w->threads);
  TAKE(l->slopes, n * (size_t)l->ncolumn);
  TAKE(l->by_acc, l->sense ? nv * (size_t)l->m->nsensordata : 0);
  TAKE(l->X.at, l->X.tree ? (size_t)l->m->nC : nv * nv);
  TAKE(l->X.diaginv, nv);
  TAKE(l->next_vel, nv);
  TAKE(l->da, nv * (size_t)l->ncolumn);
  TAKE(l->dz, nv * (size_t)l->ncolumn);
#undef TAKE
}

static ctStatus linearize(Linear* l, ctReal* A, ctReal* B, ctReal* C, ctReal* D) {
  const ctModel* m = l->m;
  ctDerive* w = l->w;
  CT_TRY(begin(l));
  const int nv = m->nv;
  Part force = {l, A || C ? 2 * nv : 2 * nv + m->na}, velocity = {l, nv}, position = {l, 0};
  if (l->nudges) cti_derive_columns(w, l->ncolumn - force.first, slopes, &force);
  if (l->nudges && (A || C)) cti_derive_columns(w, nv, slopes, &velocity);
  if (l->nudges && (A || C)) cti_derive_columns(w, nv, slopes, &position);
  if (l->nudges && l->sense) cti_derive_columns(w, nv, sensors_by_acceleration, &position);
  ctStatus status = CT_OK;
  for (int i = 0; i < w->threads; i++) status = cti_worse(status, w->workers[i].status);
  return status == CT_OK ? solve_columns(l, A, B, C, D) : status;
}

// What stands in the way of implicit differentiation; NULL when nothing does.
static const char* obstacle(const ctModel* m) {
  if (m->opt.integrator != CT_INT_EULER && m->opt.integrator != CT_INT_IMPLICIT &&
      m->opt.integrator != CT_INT_IMPLICITFAST)
    return "the integrator";
  if (m->opt.noslip_iterations > 0) return "noslip iterations";
  if (m->nplastic > 0) return "yielding springs";
  return NULL;
}

// The method to take; `why`: what stands in the way of one before it.
static ctDeriveMethod choose(const ctModel* m, ctDeriveMethod method, const char** why) {
  *why = NULL;
  if (method == CT_DERIVE_FD) return method;
  *why = obstacle(m);
  if (*why) return CT_DERIVE_FD;
  if (method == CT_DERIVE_IMPLICIT) return method;
  *why = cti_analytic_obstacle(m);
  return *why ? CT_DERIVE_IMPLICIT : CT_DERIVE_ANALYTIC;
}

ctStatus ct_derive_linearize(ctDerive* w, const ctData* d, ctDeriveMethod method, const ctDifferences* how,
                             ctReal* A, ctReal* B, ctReal* C, ctReal* D, ctDeriveReport* report,
                             ctError* err) {
  static const char call[] = "ct_derive_linearize";
  const ctDifferences standard = {.centered = true};
  ctDeriveReport own;
  if (!how) how = &standard;
  if (!report) report = &own;
  ctReal eps = how->eps == 0 ? CTI_DERIVE_EPS : how->eps;
  CT_TRY(cti_derive_check(call, w, d, eps, err));
  if ((int)method < CT_DERIVE_AUTO || (int)method > CT_DERIVE_FD)
    return cti_error(err, CT_ERR_ARGUMENT, "%s: there is no method %d", call, (int)method);
  const ctModel* m = w->m;
  *report = (ctDeriveReport){.sensors_by_differences = C || D};
  report->method = choose(m, method, &report->reason);
  if (method != CT_DERIVE_AUTO && report->method != method)
    return cti_error(err, CT_ERR_UNSUPPORTED,
                     "%s: the method that was asked for is not possible because of %s", call, report->reason);
  if (report->method == CT_DERIVE_FD) return ct_derive_transition_fd(w, d, how, A, B, C, D, err);
  Linear l = {.w = w,
              .m = m,
              .at = d,
              .eps = eps,
              .centered = how->centered,
              .sense = C || D,
              .analytic = report->method == CT_DERIVE_ANALYTIC,
              .must = method == CT_DERIVE_ANALYTIC,
              .report = report};
  l.X.m = m;
  l.X.tree = cti_implicit_keeps_pattern(m);
  l.nreading = 3 * m->nv + m->na + (l.sense ? m->nsensordata : 0);
  l.ncolumn = 2 * m->nv + m->na + m->nu;
  size_t total;
  lay_out(&l, NULL, &total);
  ctReal* block = cti_derive_memory(w, CTI_DERIVE_COLUMNS, total * sizeof(ctReal));
  l.X.pivot = cti_derive_memory(w, CTI_DERIVE_PIVOTS, (size_t)m->nv * sizeof(int));
  ctStatus status = CT_ERR_MEMORY;
  if (block && l.X.pivot) {
    lay_out(&l, block, &total);
    status = linearize(&l, A, B, C, D);
  }
  if (status == CT_ERR_MEMORY) return cti_error_memory(err);
  if (status == CT_ERR_UNSUPPORTED && report->reason)
    return cti_error(err, status, "%s: the method that was asked for is not possible because of %s", call,
                     report->reason);
  return status == CT_OK
             ? CT_OK
             : cti_error(err, status, "%s: an evaluation met trouble: %s", call, ct_status_text(status));
}
