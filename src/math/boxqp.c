#include "math/boxqp.h"

#include "math/vec3.h"

#define BOXQP_ITERATIONS 100
#define BOXQP_HALVINGS   60
#define BOXQP_ARMIJO     CT_R(0.1)

// The problem, as the caller gave it.
typedef struct BoxQp {
  const ctReal *h, *g, *lower, *upper;
  int n;
} BoxQp;

static CT_FN ctReal boxqp_clip(const BoxQp* qp, int i, ctReal x) {
  if (qp->lower && x < qp->lower[i]) x = qp->lower[i];
  if (qp->upper && x > qp->upper[i]) x = qp->upper[i];
  return x;
}

// A variable is held when it is at a bound and the cost would fall beyond it, or when its bounds leave no
// room.
static CT_FN ctBool boxqp_held(const BoxQp* qp, int i, ctReal x, ctReal grad) {
  ctBool at_lower = qp->lower && x <= qp->lower[i];
  ctBool at_upper = qp->upper && x >= qp->upper[i];
  return (at_lower && grad > 0) || (at_upper && grad < 0) || (at_lower && at_upper);
}

// List the variables that are free. Returns their number.
static CT_FN int boxqp_find_free(int* index, const BoxQp* qp, const ctReal* x, const ctReal* grad) {
  int nfree = 0;
  for (int i = 0; i < qp->n; i++) {
    if (!boxqp_held(qp, i, x[i], grad[i])) index[nfree++] = i;
  }
  return nfree;
}

static CT_FN ctBool boxqp_same(const int* a, int na, const int* b, int nb) {
  if (na != nb) return 0;
  for (int i = 0; i < na; i++) {
    if (a[i] != b[i]) return 0;
  }
  return 1;
}

// Factor the free block of H. Returns whether it is positive definite.
static CT_FN ctBool boxqp_factor(ctReal* chol, const BoxQp* qp, const int* index, int nfree) {
  for (int i = 0; i < nfree; i++) {
    for (int k = 0; k <= i; k++) chol[i * nfree + k] = qp->h[index[i] * qp->n + index[k]];
  }
  return cti_chol_factor(chol, nfree, CTI_MINVAL) == nfree;
}

// Newton step in the free variables; the others stay. `temp`: n reals.
static CT_FN void boxqp_newton(ctReal* step, ctReal* temp, const ctReal* chol, const ctReal* grad,
                               const int* index, int nfree, int n) {
  for (int i = 0; i < nfree; i++) temp[i] = -grad[index[i]];
  cti_chol_solve(temp, chol, temp, nfree);
  cti_zero(step, n);
  for (int i = 0; i < nfree; i++) step[index[i]] = temp[i];
}

// delta = clip(x + scale * step) - x. Returns whether no bound interfered.
static CT_FN ctBool boxqp_project(ctReal* delta, const BoxQp* qp, const ctReal* x, const ctReal* step,
                                  ctReal scale) {
  ctBool inside = 1;
  for (int i = 0; i < qp->n; i++) {
    ctReal to = x[i] + scale * step[i], clipped = boxqp_clip(qp, i, to);
    if (to != clipped) inside = 0;
    delta[i] = clipped - x[i];
  }
  return inside;
}

// Whether a move lowers the cost by enough. The change is computed from the move itself, not as a
// difference of costs, so that it can be trusted however small it is.
static CT_FN ctBool boxqp_improves(const BoxQp* qp, const ctReal* grad, const ctReal* delta) {
  ctReal slope = cti_dot(grad, delta, qp->n), curve = 0;
  for (int i = 0; i < qp->n; i++) {
    if (delta[i] != 0) curve += delta[i] * cti_dot(qp->h + i * qp->n, delta, qp->n);
  }
  return slope < 0 && slope + CT_R(0.5) * curve <= BOXQP_ARMIJO * slope;
}

// Shorten the step until its projection improves. Returns the fraction to take, or 0 when none improves.
static CT_FN ctReal boxqp_search(ctReal* delta, const BoxQp* qp, const ctReal* x, const ctReal* grad,
                                 const ctReal* step) {
  ctReal scale = 1;
  for (int k = 0; k < BOXQP_HALVINGS; k++, scale *= CT_R(0.5)) {
    boxqp_project(delta, qp, x, step, scale);
    if (boxqp_improves(qp, grad, delta)) return scale;
  }
  return 0;
}

// Move x along the step, onto the very bounds where it meets them.
static CT_FN void boxqp_move(ctReal* x, const BoxQp* qp, const ctReal* step, ctReal scale) {
  for (int i = 0; i < qp->n; i++) x[i] = boxqp_clip(qp, i, x[i] + scale * step[i]);
}

CT_FN int cti_boxqp(ctReal* x, ctReal* scratch, int* index, const ctReal* h, const ctReal* g, int n,
                    const ctReal* lower, const ctReal* upper) {
  BoxQp qp = {h, g, lower, upper, n};
  ctReal *chol = scratch, *grad = chol + n * n, *step = grad + n, *delta = step + n;
  int* found = index + n;
  int nfree = -1;
  ctBool at_minimum = 0;  // x is the minimum over the free variables
  for (int i = 0; i < n; i++) x[i] = boxqp_clip(&qp, i, x[i]);

  for (int iteration = 0; iteration < BOXQP_ITERATIONS; iteration++) {
    for (int i = 0; i < n; i++) grad[i] = g[i] + cti_dot(h + i * n, x, n);

    // which variables are free; nothing more to gain when they are those just minimised over
    int nfound = boxqp_find_free(found, &qp, x, grad);
    ctBool changed = !boxqp_same(index, nfree, found, nfound);
    if (!changed && at_minimum) return nfree;
    if (changed) {
      nfree = nfound;
      for (int i = 0; i < nfree; i++) index[i] = found[i];
      if (!boxqp_factor(chol, &qp, index, nfree)) return CTI_BOXQP_FAILED;
    }
    if (nfree == 0) return 0;

    // the cost is quadratic: a whole step that stays inside ends at the minimum over the free variables
    boxqp_newton(step, delta, chol, grad, index, nfree, n);
    at_minimum = boxqp_project(delta, &qp, x, step, 1);
    ctReal scale = at_minimum ? CT_R(1) : boxqp_search(delta, &qp, x, grad, step);
    if (scale == 0) return nfree;  // as low as numbers can tell
    boxqp_move(x, &qp, step, scale);
  }
  return CTI_BOXQP_FAILED;
}
