// The line search of Newton and CG: safeguarded Newton steps in one dimension.
#include "math/dense.h"
#include "math/vec3.h"
#include "stage/solve/primal.h"

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
