#include "stage/solve/solve.h"

#include "data/arena.h"
#include "data/awake.h"
#include "math/dense.h"
#include "math/vec3.h"
#include "stage/constraint/constraint.h"
#include "stage/position/position.h"
#include "stage/solve/dual.h"
#include "stage/solve/hessian.h"
#include "stage/solve/islands.h"
#include "stage/solve/primal.h"
#include "stage/solve/row_cost.h"

// ---- one problem: start, solver, noslip pass ----

static CT_FN void copy_dofs(ctReal* to, const ctReal* from, ctiSpans dofs) {
  CTI_EACH_SPAN(s, dofs) cti_team_copy(to + s->begin, from + s->begin, s->end - s->begin);
}

// The better of the last step's acceleration and the smooth one, into whole->qacc. What choosing it has
// worked out is kept in scratch, except in fast memory.
static CT_FN ctStatus choose_start(const ctModel* m, ctData* d, ctiProblem* whole) {
  ctiSpan all = {0, m->nv};
  ctiSpans dofs = {&all, 1};
  if (!CT_PLAIN && !cti_whole_arrays(d)) dofs = cti_awake(d)->dof;
  copy_dofs(whole->qacc, whole->qacc_smooth, dofs);
  if (!CT_PLAIN) whole->jar0 = d->efc_b;
  if (m->opt.disableflags & CT_DSBL_WARMSTART) return CT_OK;
  size_t mark = cti_scratch_mark(d);
  unsigned fast = cti_shared_mark();
  ctReal* jar = CTI_SHARED(d, ctReal, d->nefc, "solve.jar");
  ctReal* Ma = CTI_SHARED(d, ctReal, m->nv, "solve.Ma");
  ctReal* warmstart = CT_PLAIN ? CTI_SHARED(d, ctReal, m->nv, "solve.warmstart") : d->qacc_warmstart;
  if (!jar || !Ma || !warmstart) {
    cti_scratch_release(d, mark);
    return CT_STEP_OVERFLOW;
  }
  if (CT_PLAIN) cti_team_copy(warmstart, d->qacc_warmstart, m->nv);
  // at the smooth acceleration there is no Gauss cost
  ctReal smooth = cti_row_costs(whole, d->efc_b, false), gauss = 0;
  cti_problem_residual(whole, jar, warmstart);
  if (CT_PLAIN || whole->general) {
    cti_problem_mul_M(whole, Ma, warmstart);
  } else {
    CTI_EACH_SPAN(s, dofs)
    cti_csr_mul_sym_vec(Ma, whole->M, whole->M_rownnz, whole->M_rowadr, whole->M_colind, warmstart, s->begin,
                        s->end);
  }
  CTI_EACH_SPAN(s, dofs) {
    for (int first = s->begin; first < s->end; first += CT_TEAM) {
      int i = first + CT_LANE;
      ctReal term = 0;
      if (i < s->end) term = (Ma[i] - whole->qfrc_smooth[i]) * (warmstart[i] - whole->qacc_smooth[i]);
      gauss = cti_team_add(gauss, term, s->end - first);
    }
  }
  ctReal warm = gauss / 2 + cti_row_costs(whole, jar, false);
  if (warm <= smooth) copy_dofs(whole->qacc, warmstart, dofs);
  if (!CT_PLAIN && warm <= smooth) {
    whole->Ma0 = Ma;
    whole->jar0 = jar;
    return CT_OK;
  }
  cti_scratch_release(d, mark);
  cti_shared_release(fast);
  return CT_OK;
}

// The same for forces: those that the last step's acceleration asks for, unless none at all are better.
static CT_KERNEL_NOINLINE ctStatus choose_forces(const ctModel* m, ctData* d) {
  cti_zero(d->efc_force, d->nefc);
  if (m->opt.disableflags & CT_DSBL_WARMSTART) return CT_OK;
  size_t mark = cti_scratch_mark(d);
  ctReal* jar = CTI_SCRATCH(d, ctReal, d->nefc, "solve.jar");
  if (!jar) return CT_STEP_OVERFLOW;
  ctiProblem whole;
  ctiDual dual;
  cti_problem_whole(&whole, m, d);
  cti_dual_whole(&dual, &whole);
  cti_problem_residual(&whole, jar, d->qacc_warmstart);
  cti_row_costs(&whole, jar, false);
  if (!(cti_dual_cost(&dual, d->efc_force) <= 0)) cti_zero(d->efc_force, d->nefc);
  cti_scratch_release(d, mark);
  return CT_OK;
}

// Are forces solved for, not accelerations? The projection belongs to the options of the position stage.
static CT_FN bool solves_forces(const ctModel* m, const ctData* d) {
  return !CT_PLAIN && m->opt.solver == CT_SOL_PGS && d->efc_AR;
}

static CT_FN bool removes_slip(const ctModel* m, const ctData* d) {
  return !CT_PLAIN && m->opt.noslip_iterations > 0 && d->efc_AR;
}

// A problem with its dual, where the options need one.
static CT_FN ctStatus solve_problem(const ctModel* m, ctiProblem* p, ctiDual* dual) {
  ctStatus status = solves_forces(m, p->d) ? cti_pgs(dual) : cti_solve_primal(p);
  if (status != CT_STEP_OVERFLOW && removes_slip(m, p->d)) cti_noslip(dual);
  return status;
}

// One island by the solver of the options.
static CT_FN ctStatus solve_island(const ctModel* m, ctiProblem* p, int island) {
  ctiDual dual;
  bool needed = solves_forces(m, p->d) || removes_slip(m, p->d);
  if (needed && !cti_dual_island(&dual, p, island)) return CT_STEP_OVERFLOW;
  return solve_problem(m, p, &dual);
}

// ---- all islands, one after another or by several workers, with the same bits ----

// What came of an island.
struct ctiIslandResult {
  ctStatus status;
  int niter, nnz;
  ctWarningStat warning[CT_WARN_COUNT];
};

// Warnings of the island alone are left in `d`.
static CT_FN void solve_one(const ctiSolve* s, ctData* d, int k) {
  ctiIslandResult* result = &s->results[k];
  for (int i = 0; i < CT_WARN_COUNT; i++) d->warning[i].number = d->warning[i].lastinfo = 0;
  size_t mark = cti_scratch_mark(d);
  // in scratch: a team then has one, not one for every lane
  ctiProblem* p = CTI_SCRATCH(d, ctiProblem, 1, "problem");
  result->status = CT_STEP_OVERFLOW;
  result->niter = result->nnz = 0;
  if (p) {
    p->niter = p->nnz = 0;
    if (d->island_nefc[k] == 0) {
      // nothing holds it
      int first = d->island_idofadr[k];
      cti_team_copy(d->iacc + first, d->iacc_smooth + first, d->island_nv[k]);
      result->status = CT_OK;
    } else if (cti_problem_island(p, s->m, d, &s->columns, k)) {
      p->Ma0 = s->Ma0;
      // dense rows add up in the order of their columns: those of the model
      p->jar0 = p->sparse || p->nv == s->m->nv ? s->jar0 : (const ctReal*)0;
      result->status = solve_island(s->m, p, k);
    }
    result->niter = p->niter;
    result->nnz = p->nnz;
  }
  for (int i = 0; i < CT_WARN_COUNT; i++) result->warning[i] = d->warning[i];
  cti_scratch_release(d, mark);
  CT_TEAM_SYNC();  // the next island uses its memory
}

static CT_FN void solve_some(void* context, int begin, int end, int worker) {
  const ctiSolve* s = (const ctiSolve*)context;
  for (int k = begin; k < end; k++) solve_one(s, &s->data[worker].open, k);
}

// A worker gets an equal part of what is left of the arena.
static CT_FN void split_scratch(const ctiSolve* s, const ctiData* d, int worker) {
  size_t bytes = (d->open.narena - d->parena - d->pstack) / (size_t)s->workers / 64 * 64;
  ctiData* part = s->data + worker;
  *part = *d;
  part->arena = d->arena + d->parena + bytes * (size_t)worker;
  part->open.narena = bytes;
  part->parena = part->pstack = part->arena_wanted = part->open.maxuse_arena = 0;
}

// What the workers would have needed, for the whole arena.
static CT_FN void join_scratch(ctiData* d, const ctiData* parts, int count) {
  size_t held = d->parena + d->pstack;
  for (int i = 0; i < count; i++) {
    size_t used = held + (size_t)count * parts[i].open.maxuse_arena;
    if (used > d->open.maxuse_arena) d->open.maxuse_arena = used;
    if (parts[i].arena_wanted == 0) continue;
    // parts are cut to whole lines
    size_t wanted = held + (size_t)count * (parts[i].arena_wanted + 64);
    if (wanted > d->arena_wanted) d->arena_wanted = wanted;
    d->arena_full = parts[i].arena_full;
  }
}

static CT_FN ctStatus report_islands(ctData* d, const ctiIslandResult* results) {
  ctStatus status = CT_OK;
  for (int k = 0; k < d->nisland; k++) {
    // an island without room stops the solve
    if (status != CT_STEP_OVERFLOW) {
      bool full = results[k].status == CT_STEP_OVERFLOW;
      if (full || status == CT_OK) status = results[k].status;
    }
    if (k < CT_NISLAND) {
      d->solver_niter[k] = results[k].niter;
      d->solver_nnz[k] = results[k].nnz;
    }
    for (int i = 0; i < CT_WARN_COUNT; i++) {
      if (results[k].warning[i].number == 0) continue;
      d->warning[i].number += results[k].warning[i].number;
      d->warning[i].lastinfo = results[k].warning[i].lastinfo;
    }
  }
  return status;
}

// Teams wait for the largest island in any case: more of them than all islands together are as large as that
// one would only take memory.
static CT_FN int useful_workers(const ctData* d, int workers) {
  int largest = 1;
  CT_LANES(k, d->nisland) {
    int size = d->island_nv[k] + d->island_nefc[k];
    if (size > largest) largest = size;
  }
  largest = cti_team_max(largest);
  int enough = (d->nidof + d->nefc + largest - 1) / largest;
  return enough < workers ? enough : workers;
}

// The workers' data are copies with a part of the scratch each; a single worker needs none.
static CT_FN ctStatus begin_islands(ctiSolve* s, const ctModel* m, ctData* d, const ctiProblem* whole,
                                    int workers) {
  if (CT_TEAM > 1 && workers > 1) workers = useful_workers(d, workers);
  ctStatus status = cti_gather_islands(m, d);
  if (status == CT_OK && !cti_island_columns(&s->columns, m, d)) status = CT_STEP_OVERFLOW;
  s->m = m;
  s->Ma0 = whole->Ma0;
  s->jar0 = whole->jar0;
  s->results = CTI_SCRATCH(d, ctiIslandResult, d->nisland, "islands.results");
  s->data = workers > 1 ? CTI_SCRATCH(d, ctiData, workers, "islands.data") : cti_data(d);
  if (status != CT_OK || !s->results || !s->data) return CT_STEP_OVERFLOW;
  for (int i = 0; i < CT_WARN_COUNT; i++) s->seen[i] = d->warning[i];
  s->workers = workers;
  return CT_OK;
}

// ---- plain problems, in fast memory ----

CT_FN int64_t cti_plain_bytes(const ctModel* m, const ctData* d) {
  const bool elliptic = m->opt.cone == CT_CONE_ELLIPTIC;
  const int64_t nv = m->nv, n = d->nefc, real = sizeof(ctReal), room = nv * (nv + 1) / 2;
  const int items = 24;  // each begins at a multiple of 16
  if (n == 0) return 0;
  // cti_problem_near(): J, M, vectors of dofs and rows
  const int64_t near = real * (n * nv + m->nC + 4 * nv + (d->nf > 0 ? 5 : 3) * n) +
                       4 * (3 * nv + (elliptic ? 3 : 1) * n) + m->nC;
  // ctiPrimal
  const int64_t primal =
      real * (4 * nv + 2 * n) + 4 * n + (elliptic ? d->ncon : 0) * (int64_t)sizeof(ctiConeLine);
  // ctiHessian: H and its factor with the row of each element, the pattern, a vector or those of a cone, rows
  const int64_t hessian = (2 * real + 2) * room + 4 * 3 * nv + real * (elliptic ? 6 : 1) * nv + 4 * 2 * n;
  return near + primal + hessian + 16 * items;
}

#if CT_PLAIN

// Island after island, or all of it where there is but one. One place solves, so that its code is there once.
// CT_STEP_OVERFLOW: too large.
static CT_FN ctStatus solve_plain(const ctModel* m, ctData* d) {
  const unsigned fast = cti_shared_mark();
  const size_t mark = cti_scratch_mark(d);
  ctiProblem own, near, *p = &own;
  cti_problem_whole(p, m, d);
  if (!cti_problem_near(&near, p)) return CT_STEP_OVERFLOW;
  cti_problem_residual(&near, d->efc_b, near.qacc_smooth);
  if (m->ntree == 1) {  // nobody looks for the maps of an island that is everything
    d->nisland = 1;
    d->nidof = m->nv;
  } else if (cti_find_islands(m, d) != CT_OK) {
    return CT_STEP_OVERFLOW;
  }
  if (choose_start(m, d, &near) != CT_OK) return CT_STEP_OVERFLOW;
  const bool together = d->nisland == 1 && d->nidof == m->nv;
  ctiIslandColumns columns;
  if (together) {
    cti_problem_scale(&near);
  } else {
    cti_problem_home(&near, p);
    if (cti_gather_islands(m, d) != CT_OK || !cti_island_columns(&columns, m, d)) return CT_STEP_OVERFLOW;
  }
  ctStatus status = CT_OK;
  CT_UNROLL(1)
  for (int k = 0; k < d->nisland; k++) {
    const size_t addresses = cti_scratch_mark(d);
    if (!together) {
      cti_shared_release(fast);
      if (!cti_problem_island(p, m, d, &columns, k) || !cti_problem_near(&near, p)) return CT_STEP_OVERFLOW;
    }
    ctStatus solved = cti_solve_primal(&near);
    if (solved == CT_STEP_OVERFLOW) return solved;
    if (status == CT_OK) status = solved;
    cti_problem_home(&near, p);
    cti_scratch_release(d, addresses);
    if (k >= CT_NISLAND) continue;
    d->solver_niter[k] = near.niter;
    d->solver_nnz[k] = near.nnz;
  }
  if (!together) cti_scatter_islands(m, d);
  cti_scratch_release(d, mark);
  return status;
}

#endif

// ---- the stage ----

static CT_KERNEL_NOINLINE ctStatus solve_whole(const ctModel* m, ctData* d, ctiProblem* whole) {
  ctiDual dual;
  cti_problem_scale(whole);
  if (cti_some_asleep(m, d)) whole->Ma0 = (const ctReal*)0;  // it is of those that are awake
  cti_dual_whole(&dual, whole);
  ctStatus status = solve_problem(m, whole, &dual);
  d->solver_niter[0] = whole->niter;
  d->solver_nnz[0] = whole->nnz;
  return status;
}

// The smooth acceleration stands, without forces.
static CT_FN void leave_smooth(const ctModel* m, ctData* d) {
  CT_TEAM_SYNC();
  cti_team_copy(d->qacc, d->qacc_smooth, m->nv);
  cti_team_zero(d->qfrc_constraint, m->nv);
  cti_team_zero(d->efc_force, d->nefc);
  cti_team_zero(d->efc_b, d->nefc);
  CT_LANES(i, d->nefc) d->efc_state[i] = CTI_ROW_SATISFIED;
  CT_TEAM_SYNC();
}

// No room to solve, or nobody who can.
static CT_FN void give_up_solve(const ctModel* m, ctData* d) {
  leave_smooth(m, d);
  cti_warn(d, CT_WARN_CNSTRFULL, d->nefc);
}

// No force of a row stands against what is not finite: the step is to find it.
static CT_FN bool is_finite(const ctData* d) {
  bool finite = true;
  CTI_EACH_LANES(i, cti_awake(d)->dof) {
    const ctReal x = d->qacc_smooth[i];
    finite = finite && x - x == 0;
  }
  return !cti_team_any(!finite);
}

// The dual knows M and its diagonal alone. Models are refused that need more, but options can be written.
static CT_FN bool dual_is_blind(const ctModel* m, const ctData* d) {
  bool dual = m->opt.solver == CT_SOL_PGS || m->opt.noslip_iterations > 0;
  return dual && cti_has_metric(d) && (d->nefmK > 0 || d->nefmcon > 0);
}

static CT_FN ctStatus finish_solve(const ctModel* m, ctData* d, ctStatus status) {
  if (status == CT_STEP_OVERFLOW) {
    give_up_solve(m, d);
  } else if (solves_forces(m, d) || removes_slip(m, d)) {
    cti_dual_finish(m, d);
  }
  return status;
}

CT_FN ctStatus cti_solve_begin(ctiSolve* s, const ctModel* m, ctData* d, int workers) {
  s->workers = 0;
  for (int k = 0; k < CT_NISLAND; k++) d->solver_niter[k] = d->solver_nnz[k] = 0;
  bool unknown = m->opt.solver < 0 || m->opt.solver >= CT_SOL_COUNT;
  if (d->nefc > 0 && (unknown || dual_is_blind(m, d))) {
    give_up_solve(m, d);
    return CT_ERR_UNSUPPORTED;
  }
  if (d->nefc == 0) {
    if (cti_whole_arrays(d)) cti_rest_dofs(m, d);
    cti_awake_copy(d->qacc, d->qacc_smooth, d);
    cti_awake_zero(d->qfrc_constraint, d);
    return CT_OK;
  }
  if (!is_finite(d)) {
    leave_smooth(m, d);
    return CT_OK;
  }
  cti_data(d)->parena =
      cti_data(d)->parena_rows;  // what an earlier solve of these rows has made is not needed
#if CT_PLAIN
  (void)workers;
  return solve_plain(m, d);
#else
  s->mark = cti_scratch_mark(d);
  // in scratch: a team then has one, not one for every lane
  ctiProblem* whole = CTI_SCRATCH(d, ctiProblem, 1, "problem.whole");
  ctStatus status = whole ? CT_OK : CT_STEP_OVERFLOW;
  if (whole) {
    cti_problem_whole(whole, m, d);
    cti_problem_residual(whole, d->efc_b, d->qacc_smooth);
  }
  if (status == CT_OK && !(m->opt.disableflags & CT_DSBL_ISLAND)) status = cti_find_islands(m, d);
  if (status == CT_OK) status = solves_forces(m, d) ? choose_forces(m, d) : choose_start(m, d, whole);
  if (status == CT_OK)
    status = d->nisland > 0 ? begin_islands(s, m, d, whole, workers) : solve_whole(m, d, whole);
  if (s->workers > 0) return status;
  cti_scratch_release(d, s->mark);
  return finish_solve(m, d, status);
#endif
}

// Islands follow each other in the order of their dofs and rows: a worker has those that begin in its part.
CT_FN void cti_solve_worker(const ctiSolve* s, ctData* d, int worker) {
  const int64_t all = d->nidof + d->nefc, begin = all * worker / s->workers,
                end = all * (worker + 1) / s->workers;
  if (s->workers > 1) split_scratch(s, cti_data(d), worker);
  for (int k = 0; k < d->nisland; k++) {
    const int64_t at = d->island_idofadr[k] + d->island_iefcadr[k];
    if (at >= begin && at < end) solve_one(s, &s->data[worker].open, k);
  }
}

CT_FN ctStatus cti_solve_end(const ctiSolve* s, const ctModel* m, ctData* d) {
  if (s->workers > 1) join_scratch(cti_data(d), s->data, s->workers);
  for (int i = 0; i < CT_WARN_COUNT; i++) d->warning[i] = s->seen[i];
  ctStatus status = report_islands(d, s->results);
  if (status != CT_STEP_OVERFLOW) cti_scatter_islands(m, d);
  cti_scratch_release(d, s->mark);
  return finish_solve(m, d, status);
}

CT_FN ctStatus cti_solve(const ctModel* m, ctData* d) {
  const ctiThreads* threads = CT_ON_HOST ? cti_data(d)->threads : (const ctiThreads*)0;
  ctiSolve s;
  ctStatus status = cti_solve_begin(&s, m, d, threads ? threads->count : 1);
  if (CT_PLAIN || s.workers == 0) return status;
  if (threads) {
    for (int i = 0; i < s.workers; i++) split_scratch(&s, cti_data(d), i);
    threads->run(threads->pool, d->nisland, solve_some, &s);
  } else {
    solve_some(&s, 0, d->nisland, 0);
  }
  return cti_solve_end(&s, m, d);
}

// ---- the smooth acceleration in the metric of the discrete integrator ----

CT_KERNEL_NOINLINE ctStatus cti_solve_metric(const ctModel* m, ctData* d, ctReal* x) {
  if (!cti_data_const(d)->metric.on) {
    cti_awake_solve(m, d, d->qLD, d->qLDiagInv, x);
    return CT_OK;
  }
  size_t mark = cti_scratch_mark(d);
  ctiProblem* whole = CTI_SCRATCH(d, ctiProblem, 1, "metric.problem");
  if (!whole) return CT_STEP_OVERFLOW;
  cti_problem_whole(whole, m, d);
  if (!whole->general) {
    cti_awake_solve(m, d, whole->LD, whole->Dinv, x);
    cti_scratch_release(d, mark);
    return CT_OK;
  }
  whole->nefc = whole->ne = whole->nf = 0;
  ctiHessian* h = CTI_SCRATCH(d, ctiHessian, 1, "metric.hessian");
  ctStatus status = CT_STEP_OVERFLOW;
  if (h && cti_hessian_allocate(h, whole)) {
    status = cti_hessian_make(h) == m->nv ? CT_OK : CT_STEP_SINGULAR;
    cti_hessian_solve(h, x, x);
  }
  cti_scratch_release(d, mark);
  return status;
}

CT_KERNEL_NOINLINE ctStatus cti_metric_acceleration(const ctModel* m, ctData* d) {
  const ctiMetric* metric = &cti_data_const(d)->metric;
  if (!metric->on) return CT_OK;
  CTI_EACH_LANES(i, cti_awake(d)->dof) {
    metric->force[i] = d->qfrc_smooth[i] + d->efm_c[i] + d->efm_ca[i];
    d->qacc_smooth[i] = metric->force[i];
  }
  CT_TEAM_SYNC();
  return cti_solve_metric(m, d, d->qacc_smooth);
}

// ---- how well a step was solved ----
//   reads   d->qacc, qfrc_smooth, qfrc_constraint, efc_*
//   before  the solver

// The problem with forces and states of its own, so that looking does not change what was solved.
typedef struct Mirror {
  ctiProblem p;
  ctReal *jar, *Ma, *joint;
} Mirror;

// Forces of the rows at d->qacc, into p.force, and what they do to the joints.
static CT_FN bool mirror_forces(Mirror* s, const ctModel* m, ctData* d) {
  s->jar = CTI_SCRATCH(d, ctReal, d->nefc, "kkt.jar");
  s->Ma = CTI_SCRATCH(d, ctReal, m->nv, "kkt.Ma");
  s->joint = CTI_SCRATCH(d, ctReal, m->nv, "kkt.joint");
  ctReal* force = CTI_SCRATCH(d, ctReal, d->nefc, "kkt.force");
  int* state = CTI_SCRATCH(d, int, d->nefc, "kkt.state");
  if (!s->jar || !s->Ma || !s->joint || !force || !state) return false;
  cti_problem_whole(&s->p, m, d);
  s->p.force = force;
  s->p.state = state;
  cti_problem_residual(&s->p, s->jar, d->qacc);
  cti_row_costs(&s->p, s->jar, false);
  cti_problem_mul_JT(&s->p, s->joint, force);
  cti_problem_mul_M(&s->p, s->Ma, d->qacc);
  return true;
}

// Largest magnitude. Something that is not a number is larger than everything.
static CT_FN ctReal largest(ctReal so_far, ctReal x) {
  return cti_abs(x) <= so_far ? so_far : cti_abs(x);
}

CT_INLINE ctReal relative(ctReal rest, ctReal size) {
  return rest == 0 ? 0 : rest / cti_max(CTI_MINVAL, size);
}

CT_KERNEL_NOINLINE ctStatus cti_kkt_residual(const ctModel* m, ctData* d, ctReal* balance, ctReal* force) {
  size_t mark = cti_scratch_mark(d);
  Mirror s;
  if (!mirror_forces(&s, m, d)) {
    cti_scratch_release(d, mark);
    return CT_STEP_OVERFLOW;
  }
  ctReal rest = 0, size = 0;
  for (int i = 0; i < d->nefc; i++) {
    rest = largest(rest, d->efc_force[i] - s.p.force[i]);
    size = largest(size, d->efc_force[i]);
    size = largest(size, s.p.force[i]);
  }
  *force = relative(rest, size);
  cti_problem_mul_JT(&s.p, s.joint, d->efc_force);
  rest = size = 0;
  for (int i = 0; i < m->nv; i++) {
    rest = largest(rest, s.Ma[i] - s.p.qfrc_smooth[i] - s.joint[i]);
    size = largest(size, s.Ma[i]);
    size = largest(size, s.p.qfrc_smooth[i]);
    size = largest(size, s.joint[i]);
  }
  *balance = relative(rest, size);
  cti_scratch_release(d, mark);
  return CT_OK;
}
