#include "stage/solve/primal.h"

#include "data/arena.h"
#include "data/data.h"
#include "math/dense.h"
#include "math/vec3.h"
#include "stage/solve/hessian.h"
#include "stage/solve/row_cost.h"

// Elliptic contacts of the problem; a team has room for all contacts, to find each by its number.
static CT_FN int count_cones(const ctiProblem* prob) {
  int count = 0;
  if (CT_TEAM > 1) return prob->opt->cone == CT_CONE_ELLIPTIC ? prob->d->ncon : 0;
  for (int i = prob->ne + prob->nf; i < prob->nefc; i++) {
    if (prob->type[i] != CT_CNSTR_CONTACT_ELLIPTIC) continue;
    i += prob->contact[prob->id[i]].dim - 1;
    count++;
  }
  return count;
}

// False when the scratch is full.
static CT_FN bool primal_allocate(ctiPrimal* s, ctiProblem* p) {
  s->p = p;
  s->Ma = CTI_SHARED(p->d, ctReal, p->nv, "primal.Ma");
  s->grad = CTI_SHARED(p->d, ctReal, p->nv, "primal.grad");
  s->search = CTI_SHARED(p->d, ctReal, p->nv, "primal.search");
  s->Mv = CTI_SHARED(p->d, ctReal, p->nv, "primal.Mv");
  s->jar = CTI_SHARED(p->d, ctReal, p->nefc, "primal.jar");
  s->jv = CTI_SHARED(p->d, ctReal, p->nefc, "primal.jv");
  s->cones = CTI_SHARED(p->d, ctiConeLine, count_cones(p), "primal.cones");
  s->before = CTI_SHARED(p->d, int, p->stat ? p->nefc : 0, "primal.before");
  s->cost = s->improvement = s->lineslope = s->gained = 0;
  s->evaluations = 0;
  return s->before && s->cones && s->Ma && s->grad && s->search && s->Mv && s->jar && s->jv;
}

// Cost, forces and gradient at p->qacc; with `curved` also the Hessians of cones.
static CT_FN void primal_evaluate(ctiPrimal* s, bool curved) {
  ctiProblem* p = s->p;
  s->cost = cti_row_costs(p, s->jar, curved);
  cti_problem_mul_JT(p, p->qfrc_constraint, p->force);
  CT_COPY(ctiProblem, at, p);
  const ctReal* Ma = s->Ma;
  ctReal* CT_RESTRICT grad = s->grad;
  ctReal gauss = 0;
  for (int first = 0; first < at.nv; first += CT_TEAM) {
    int i = first + CT_LANE;
    ctReal term = 0;
    if (i < at.nv) {
      ctReal force = Ma[i] - at.qfrc_smooth[i];
      term = force * (at.qacc[i] - at.qacc_smooth[i]);
      grad[i] = force - at.qfrc_constraint[i];
    }
    gauss = cti_team_add(gauss, term, at.nv - first);
  }
  CT_TEAM_SYNC();
  s->cost += gauss / 2;
}

// Residuals at p->qacc, then primal_evaluate.
static CT_FN void primal_start(ctiPrimal* s, bool curved) {
  cti_problem_start(s->p, s->Ma, s->jar);
  primal_evaluate(s, curved);
  CT_LANES(i, s->p->stat ? s->p->nefc : 0) s->before[i] = s->p->state[i];
  CT_TEAM_SYNC();
}

// The cost of a point against that of the smooth acceleration is bounded by g' M^-1 g / 2: is that too little
// to begin? `z` (nv) receives M^-1 g.
static CT_FN bool primal_is_solved(const ctiPrimal* s, ctReal* z, bool also_gradient) {
  const ctiProblem* p = s->p;
  ctReal tolerance = p->opt->tolerance;
  if (also_gradient && !(p->scale * cti_team_norm(s->grad, p->nv) < tolerance)) return false;
  cti_team_copy(z, s->grad, p->nv);
  cti_problem_solve_M(p, z);
  return p->scale * cti_team_dot(s->grad, z, p->nv) / 2 < tolerance;
}

// ---- iterations ----

// qacc += alpha search, with everything linear in it.
static CT_FN void primal_move(ctiPrimal* s, ctReal alpha) {
  cti_team_add_scaled(s->p->qacc, s->search, alpha, s->p->nv);
  cti_team_add_scaled(s->Ma, s->Mv, alpha, s->p->nv);
  cti_team_add_scaled(s->jar, s->jv, alpha, s->p->nefc);
}

// What rounding of the acceleration changes, as a part of the cost: the square of a few bits. In double
// precision tolerances are reached long before.
#define ROUNDING (sizeof(ctReal) == 4 ? CT_R(1e-12) : CT_R(0))

// Note an iteration and say whether it was the last: little gained, or little gradient left.
static CT_FN bool primal_finish_iteration(ctiPrimal* s) {
  ctiProblem* p = s->p;
  ctReal improvement = p->scale * s->improvement, gradient = p->scale * cti_team_norm(s->grad, p->nv);
  if (p->stat && p->niter < CT_NSOLVER) {
    ctSolverStat* stat = p->stat + p->niter;
    stat->improvement = improvement;
    stat->gradient = gradient;
    stat->lineslope = p->scale * s->lineslope;
    cti_problem_report_states(p, s->before, stat);
    stat->nupdate = 0;
    stat->neval = s->evaluations;
  }
  p->niter++;
  s->gained += s->improvement;
  // the digits of the acceleration make as much of a cost: nothing follows but more of the same
  if (ROUNDING > 0 && s->improvement < ROUNDING * (s->gained + cti_abs(s->cost))) return true;
  ctReal tolerance = p->opt->tolerance;
  return (improvement > 0 && improvement < tolerance) || gradient < tolerance;
}

// ---- Newton's method on the primal problem ----
//   reads   the problem; p->qacc is the start
//   writes  p->qacc, qfrc_constraint, force, state, niter, stat
//   before  smooth acceleration, reference, warm start

// A lost pivot was replaced and the direction still goes down: counted, once a solve.
static CT_FN void note_rank(const ctiProblem* p, int rank, ctStatus* status) {
  if (rank == p->nv || *status != CT_OK) return;
  *status = CT_STEP_SINGULAR;
  cti_warn(p->d, CT_WARN_INERTIA, rank);
}

static CT_FN ctStatus newton_iterate(ctiPrimal* s, ctiHessian* h) {
  ctiProblem* p = s->p;
  ctStatus status = CT_OK;
  for (bool anew = true;; anew = false) {
    note_rank(p, cti_hessian_update(h, anew), &status);
    if (!anew && p->stat && p->niter <= CT_NSOLVER) p->stat[p->niter - 1].nupdate = h->updates;
    if (!(p->niter < p->opt->iterations)) break;
    cti_hessian_solve(h, s->search, s->grad);
    cti_team_scale(s->search, s->search, -1, p->nv);
    // what the quadratic model promises; when that is nothing, neither the line nor another factor can help
    ctReal promise = -p->scale * cti_team_dot(s->grad, s->search, p->nv) / 2;
    if (p->niter > 0 && promise < p->opt->tolerance) break;
    ctReal alpha = cti_primal_line_search(s);
    if (alpha == 0) break;
    primal_move(s, alpha);
    primal_evaluate(s, true);
    if (primal_finish_iteration(s)) break;
  }
  return status;
}

static CT_FN int mass_elements(const ctiProblem* p) {
  int count = 0;
  for (int i = 0; i < p->nv; i++) count += p->M_rownnz[i];
  return count;
}

// H is only laid out when there is something to do; before that there is the factor of M.
static CT_FN ctStatus newton(ctiProblem* p) {
  CTI_STRUCT(p->d, ctiPrimal, s, "newton");
  CTI_STRUCT(p->d, ctiHessian, h, "newton.hessian");
  if (!s || !h || !primal_allocate(s, p)) return CT_STEP_OVERFLOW;
  primal_start(s, true);
  p->nnz = p->sparse ? mass_elements(p) : p->nv * p->nv;
  if (primal_is_solved(s, s->search, true)) return CT_OK;
  if (!cti_hessian_allocate(h, p)) return CT_STEP_OVERFLOW;
  if (p->sparse) p->nnz = h->iterative ? mass_elements(p) + cti_problem_J_elements(p) : (int)h->sky.size;
  return newton_iterate(s, h);
}

static CT_FN ctStatus solve_by_newton(ctiProblem* p) {
  size_t mark = cti_scratch_mark(p->d);
  ctStatus status = newton(p);
  cti_scratch_release(p->d, mark);
  return status;
}

// ---- conjugate gradients on the primal problem ----
// Preconditioned by the mass matrix, with the direction of Hager and Zhang.
//   reads   the problem; p->qacc is the start
//   writes  p->qacc, qfrc_constraint, force, state, niter, stat
//   before  smooth acceleration, reference, warm start

// How steep a direction may be taken over from the last one.
#define DIRECTION_ETA CT_R(0.01)

typedef struct CgVectors {
  ctReal *z, *grad_old, *z_old;  // M^-1 grad; both before the last move
} CgVectors;

// How much of the old direction the new one keeps.
static CT_FN ctReal hager_zhang(const ctiPrimal* s, const CgVectors* v) {
  int n = s->p->nv;
  ctReal sum[3] = {0, 0, 0};
  for (int first = 0; first < n; first += CT_TEAM) {
    int i = first + CT_LANE, left = n - first;
    ctReal a = 0, b = 0, c = 0;
    if (i < n) {
      ctReal y = s->grad[i] - v->grad_old[i];
      a = s->search[i] * y;
      b = y * v->z[i];
      c = y * (v->z[i] - v->z_old[i]);
    }
    ctReal own[3] = {a, b, c};
    cti_team_add3(sum, own, left);
  }
  ctReal dy = sum[0], yz = sum[1], yPy = sum[2];
  if (dy < CTI_MINVAL) return 0;  // a step back along the line says nothing about the way ahead
  ctReal beta = (yz - 2 * yPy * cti_team_dot(s->search, s->grad, n) / dy) / dy;
  // cut off: keeps the direction going down without losing what the formula gains
  ctReal steep = cti_team_norm(s->search, n) * cti_min(DIRECTION_ETA, cti_team_norm(v->grad_old, n));
  ctReal least = -1 / cti_max(CTI_MINVAL, steep);
  return cti_max(beta, least);
}

static CT_FN void cg_iterate(ctiPrimal* s, CgVectors* v) {
  ctiProblem* p = s->p;
  primal_start(s, false);
  if (primal_is_solved(s, v->z, false)) return;
  cti_team_scale(s->search, v->z, -1, p->nv);
  while (p->niter < p->opt->iterations) {
    ctReal alpha = cti_primal_line_search(s);
    if (alpha == 0) break;
    // both are written anew
    ctReal *grad = s->grad, *z = v->z;
    s->grad = v->grad_old;
    v->z = v->z_old;
    v->grad_old = grad;
    v->z_old = z;
    primal_move(s, alpha);
    primal_evaluate(s, false);
    if (primal_finish_iteration(s)) break;
    cti_team_copy(v->z, s->grad, p->nv);
    cti_problem_solve_M(p, v->z);
    ctReal beta = hager_zhang(s, v);
    CT_TEAM_SYNC();
    CT_LANES(i, p->nv) s->search[i] = beta * s->search[i] - v->z[i];
    CT_TEAM_SYNC();
  }
}

static CT_KERNEL_NOINLINE ctStatus solve_by_cg(ctiProblem* p) {
  size_t mark = cti_scratch_mark(p->d);
  ctiPrimal s;
  CgVectors v;
  bool ok = primal_allocate(&s, p);
  p->nnz = cti_problem_J_elements(p);
  v.z = CTI_SCRATCH(p->d, ctReal, p->nv, "cg.z");
  v.grad_old = CTI_SCRATCH(p->d, ctReal, p->nv, "cg.grad_old");
  v.z_old = CTI_SCRATCH(p->d, ctReal, p->nv, "cg.z_old");
  ok = ok && v.z && v.grad_old && v.z_old;
  if (ok) cg_iterate(&s, &v);
  cti_scratch_release(p->d, mark);
  return ok ? CT_OK : CT_STEP_OVERFLOW;
}

CT_KERNEL_NOINLINE ctStatus cti_solve_primal(ctiProblem* p) {
  if (CT_PLAIN) return solve_by_newton(p);  // a step without room is taken again with more
  if (p->opt->solver == CT_SOL_CG) return solve_by_cg(p);
  // no room for a factor: conjugate gradients need less
  ctStatus status = solve_by_newton(p);
  if (status != CT_STEP_OVERFLOW) return status;
  cti_warn(p->d, CT_WARN_CNSTRFULL, p->nefc);
  CT_TEAM_SYNC();  // its memory is used again
  return solve_by_cg(p);
}
