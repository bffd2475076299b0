#include "stage/solve/primal.h"

#include "data/arena.h"
#include "math/dense.h"
#include "math/vec3.h"
#include "stage/solve/cost.h"

CT_FN bool cti_primal_allocate(ctiPrimal* s, ctiProblem* p) {
  s->p = p;
  s->Ma = CTI_SCRATCH(p->d, ctReal, p->nv, "primal.Ma");
  s->grad = CTI_SCRATCH(p->d, ctReal, p->nv, "primal.grad");
  s->search = CTI_SCRATCH(p->d, ctReal, p->nv, "primal.search");
  s->Mv = CTI_SCRATCH(p->d, ctReal, p->nv, "primal.Mv");
  s->jar = CTI_SCRATCH(p->d, ctReal, p->nefc, "primal.jar");
  s->jv = CTI_SCRATCH(p->d, ctReal, p->nefc, "primal.jv");
  s->cones = CTI_SCRATCH(p->d, ctiConeLine, cti_count_cones(p), "primal.cones");
  s->before = CTI_SCRATCH(p->d, int, p->nefc, "primal.before");
  s->cost = s->improvement = s->lineslope = 0;
  s->evaluations = 0;
  return s->before && s->cones && s->Ma && s->grad && s->search && s->Mv && s->jar && s->jv;
}

CT_FN void cti_primal_evaluate(ctiPrimal* s, bool curved) {
  ctiProblem* p = s->p;
  s->cost = cti_row_costs(p, s->jar, curved);
  cti_problem_mul_JT(p, p->qfrc_constraint, p->force);
  const ctiProblem at = *p;
  const ctReal* Ma = s->Ma;
  ctReal *CT_RESTRICT grad = s->grad, gauss = 0;
  for (int i = 0; i < at.nv; i++) {
    ctReal force = Ma[i] - at.qfrc_smooth[i];
    gauss += force * (at.qacc[i] - at.qacc_smooth[i]);
    grad[i] = force - at.qfrc_constraint[i];
  }
  s->cost += gauss / 2;
}

CT_FN void cti_primal_start(ctiPrimal* s, bool curved) {
  cti_problem_mul_M(s->p, s->Ma, s->p->qacc);
  cti_problem_residual(s->p, s->jar, s->p->qacc);
  cti_primal_evaluate(s, curved);
  for (int i = 0; i < s->p->nefc; i++) s->before[i] = s->p->state[i];
}

CT_FN bool cti_primal_is_solved(const ctiPrimal* s, ctReal* z, bool also_gradient) {
  const ctiProblem* p = s->p;
  ctReal tolerance = p->opt->tolerance;
  if (also_gradient && !(p->scale * cti_norm(s->grad, p->nv) < tolerance)) return false;
  cti_copy(z, s->grad, p->nv);
  cti_problem_solve_M(p, z);
  return p->scale * cti_dot(s->grad, z, p->nv) / 2 < tolerance;
}

// ---- line search ----

// Gauss part along the line, relative to its start: linear and quadratic term.
typedef struct GaussLine {
  ctReal linear, quadratic;
} GaussLine;

static CT_FN ctiLinePoint primal_line_at(const ctiPrimal* s, const GaussLine* gauss, ctReal alpha) {
  ctiLinePoint at;
  at.alpha = alpha;
  at.cost = alpha * (gauss->linear + alpha * gauss->quadratic);
  at.slope = gauss->linear + 2 * alpha * gauss->quadratic;
  at.curvature = 2 * gauss->quadratic;
  cti_row_line(s->p, s->cones, s->jar, s->jv, &at);
  return at;
}

// A narrower bracket, as a part of its place, holds one point.
#define CTI_BRACKET (sizeof(ctReal) == 4 ? CT_R(1e-4) : CT_R(1e-13))

// A search along a line: as many points as the options allow, the start among them.
typedef struct LineSearch {
  ctiPrimal* s;
  const GaussLine* gauss;
  ctReal enough;  // slope that counts as none
  int left;       // points that may still be looked at
} LineSearch;

static CT_FN ctiLinePoint look_at(LineSearch* l, ctReal alpha) {
  l->left--;
  l->s->evaluations++;
  return primal_line_at(l->s, l->gauss, alpha);
}

// Where a Newton step from a point leads.
CT_INLINE ctReal newton_step(const ctiLinePoint* p) {
  return p->curvature > 0 ? p->alpha - p->slope / p->curvature : p->alpha;
}

CT_INLINE bool is_flat(const LineSearch* l, const ctiLinePoint* p) {
  return cti_abs(p->slope) < l->enough;
}

// One end of a bracket, and the point its Newton step leads to.
typedef struct LineEnd {
  ctiLinePoint at, next;
} LineEnd;

// Move an end to a point on its side that is less steep.
static CT_FN bool move_end(LineEnd* e, const ctiLinePoint* p) {
  bool better = (p->slope < 0) == (e->at.slope < 0) && cti_abs(p->slope) < cti_abs(e->at.slope);
  if (better) e->at = *p;
  return better;
}

static CT_FN ctiLinePoint lower_of(const ctiLinePoint* a, const ctiLinePoint* b) {
  return a->cost < b->cost ? *a : *b;
}

// The ends come closer by their Newton steps and by the middle.
static CT_FN ctiLinePoint close_bracket(LineSearch* l, LineEnd a, LineEnd b) {
  while (l->left > 0) {
    if (is_flat(l, &a.next)) return a.next;
    if (is_flat(l, &b.next)) return b.next;
    ctReal width = cti_abs(a.at.alpha - b.at.alpha);
    if (width < CTI_BRACKET * cti_abs(a.at.alpha)) break;
    ctiLinePoint middle = look_at(l, (a.at.alpha + b.at.alpha) / 2);
    if (is_flat(l, &middle)) return middle;
    const ctiLinePoint candidate[3] = {a.next, b.next, middle};
    bool moved_a = false, moved_b = false;
    for (int i = 0; i < 3; i++) {
      moved_a = move_end(&a, &candidate[i]) || moved_a;
      moved_b = move_end(&b, &candidate[i]) || moved_b;
    }
    if (!moved_a && !moved_b) break;
    if (moved_a) a.next = look_at(l, newton_step(&a.at));
    if (moved_b) b.next = look_at(l, newton_step(&b.at));
  }
  return lower_of(&a.at, &b.at);
}

// Newton in one dimension from the start of the line; once it has turned, between two ends.
static CT_FN ctReal bottom_of_line(ctiPrimal* s, const GaussLine* gauss, ctReal enough) {
  LineSearch l = {s, gauss, enough, s->p->opt->ls_iterations};
  ctiLinePoint start = look_at(&l, 0), before = start;
  s->lineslope = start.slope;
  if (!(start.slope < 0) || !(start.curvature > 0)) return 0;
  ctiLinePoint at = look_at(&l, newton_step(&start));
  bool down = at.slope < 0;
  while (l.left > 0 && !is_flat(&l, &at) && (at.slope < 0) == down) {
    ctReal next = newton_step(&at);
    if (next == at.alpha) break;
    before = at;
    at = look_at(&l, next);
  }
  if (l.left > 0 && !is_flat(&l, &at) && (at.slope < 0) != down) {
    LineEnd a, b;
    a.at = at;
    a.next = look_at(&l, newton_step(&at));
    b.at = before;
    b.next = at;
    at = close_bracket(&l, a, b);
  }
  s->lineslope = at.slope;
  s->improvement = -at.cost;
  return at.alpha;
}

CT_FN ctReal cti_primal_line_search(ctiPrimal* s) {
  const ctiProblem* p = s->p;
  cti_problem_mul_M(p, s->Mv, s->search);
  cti_problem_mul_J(p, s->jv, s->search);
  ctReal norm = cti_norm(s->search, p->nv);
  s->evaluations = 0;
  s->improvement = s->lineslope = 0;
  if (!(norm >= CTI_MINVAL)) return 0;
  cti_begin_line(p, s->jar, s->jv, s->cones);
  GaussLine gauss;
  gauss.linear = 0;
  for (int i = 0; i < p->nv; i++) gauss.linear += s->search[i] * (s->Ma[i] - p->qfrc_smooth[i]);
  gauss.quadratic = cti_dot(s->search, s->Mv, p->nv) / 2;
  return bottom_of_line(s, &gauss, p->opt->tolerance * p->opt->ls_tolerance * norm / p->scale);
}

// ---- iterations ----

CT_FN void cti_primal_move(ctiPrimal* s, ctReal alpha) {
  cti_add_scaled(s->p->qacc, s->search, alpha, s->p->nv);
  cti_add_scaled(s->Ma, s->Mv, alpha, s->p->nv);
  cti_add_scaled(s->jar, s->jv, alpha, s->p->nefc);
}

CT_FN bool cti_primal_finish_iteration(ctiPrimal* s) {
  ctiProblem* p = s->p;
  ctReal improvement = p->scale * s->improvement, gradient = p->scale * cti_norm(s->grad, p->nv);
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
  ctReal tolerance = p->opt->tolerance;
  return (improvement > 0 && improvement < tolerance) || gradient < tolerance;
}
