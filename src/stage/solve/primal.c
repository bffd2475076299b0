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

// Costs that differ by less, relative to the whole, are the same; a narrower bracket holds one point.
#define CTI_ROUNDING (sizeof(ctReal) == 4 ? CT_R(1e-7) : CT_R(1e-16))
#define CTI_BRACKET  (1000 * CTI_ROUNDING)

// Newton in one dimension from the start of the line, kept in a bracket.
static CT_FN ctReal bottom_of_line(ctiPrimal* s, const GaussLine* gauss, ctReal enough) {
  ctiLinePoint low = primal_line_at(s, gauss, 0);
  s->lineslope = low.slope;
  if (!(low.slope < 0) || !(low.curvature > 0)) return 0;
  ctReal alpha = -low.slope / low.curvature, high = -1;
  ctiLinePoint best = low;
  const ctReal noise = CTI_ROUNDING * cti_abs(s->cost);
  // the start of the line counts, too; one more is always looked at
  bool down = false, bracket = false;
  int most = s->p->opt->ls_iterations > 2 ? s->p->opt->ls_iterations - 1 : 1;
  for (int i = 0; i < most; i++) {
    ctiLinePoint at = primal_line_at(s, gauss, alpha);
    s->evaluations++;
    s->lineslope = at.slope;
    bool flat = cti_abs(at.slope) < enough;
    // a walk that is cut short ends where it is; in a bracket the lowest counts: still going down is lower,
    // beyond the bottom the cost tells, and where that is rounding, the slope
    bool lower = at.slope <= 0 || at.cost <= noise;
    if (!bracket || (lower && cti_abs(at.slope) < cti_abs(best.slope))) best = at;
    if (flat) break;
    // the walk has turned: MuJoCo now looks from both ends, and from the old one once more at this point
    bool turned = i > 0 && (at.slope < 0) != down;
    if (turned && !bracket) i++;
    bracket = bracket || turned;
    down = at.slope < 0;
    if (down) {
      low = at;
    } else {
      high = alpha;
    }
    ctReal next = at.curvature > 0 ? alpha - at.slope / at.curvature : -1;
    // outside of what is known: halve, or go on doubling while there is no upper end
    if (!(next > low.alpha) || (high >= 0 && next >= high))
      next = high >= 0 ? (low.alpha + high) / 2 : 2 * alpha;
    if (next == alpha || (high >= 0 && high - low.alpha < CTI_BRACKET * high)) break;
    alpha = next;
  }
  s->improvement = -best.cost;
  return best.alpha;
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
