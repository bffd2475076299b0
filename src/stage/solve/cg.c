#include "stage/solve/cg.h"

#include "data/arena.h"
#include "math/dense.h"
#include "math/vec3.h"
#include "stage/solve/primal.h"

// How steep a direction may be taken over from the last one.
#define DIRECTION_ETA CT_R(0.01)

typedef struct CgVectors {
  ctReal *z, *grad_old, *z_old;  // M^-1 grad; both before the last move
} CgVectors;

// How much of the old direction the new one keeps.
static CT_FN ctReal hager_zhang(const ctiPrimal* s, const CgVectors* v) {
  int n = s->p->nv;
  ctReal dy = 0, yz = 0, yPy = 0;
  for (int i = 0; i < n; i++) {
    ctReal y = s->grad[i] - v->grad_old[i];
    dy += s->search[i] * y;
    yz += y * v->z[i];
    yPy += y * (v->z[i] - v->z_old[i]);
  }
  if (cti_abs(dy) < CTI_MINVAL) return 0;
  ctReal beta = (yz - 2 * yPy * cti_dot(s->search, s->grad, n) / dy) / dy;
  // cut off: keeps the direction going down without losing what the formula gains
  ctReal steep = cti_norm(s->search, n) * cti_min(DIRECTION_ETA, cti_norm(v->grad_old, n));
  ctReal least = -1 / cti_max(CTI_MINVAL, steep);
  return cti_max(beta, least);
}

static CT_FN void cg_iterate(ctiPrimal* s, CgVectors* v) {
  ctiProblem* p = s->p;
  cti_primal_start(s, false);
  if (cti_primal_is_solved(s, v->z, false)) return;
  cti_scale(s->search, v->z, -1, p->nv);
  while (p->niter < p->opt->iterations) {
    ctReal alpha = cti_primal_line_search(s);
    if (alpha == 0) break;
    cti_copy(v->grad_old, s->grad, p->nv);
    cti_copy(v->z_old, v->z, p->nv);
    cti_primal_move(s, alpha);
    cti_primal_evaluate(s, false);
    if (cti_primal_finish_iteration(s)) break;
    cti_copy(v->z, s->grad, p->nv);
    cti_problem_solve_M(p, v->z);
    ctReal beta = hager_zhang(s, v);
    for (int i = 0; i < p->nv; i++) s->search[i] = beta * s->search[i] - v->z[i];
  }
}

CT_FN ctStatus cti_cg(ctiProblem* p) {
  size_t mark = cti_scratch_mark(p->d);
  ctiPrimal s;
  CgVectors v;
  bool ok = cti_primal_allocate(&s, p);
  p->nnz = cti_problem_J_elements(p);
  v.z = CTI_SCRATCH(p->d, ctReal, p->nv, "cg.z");
  v.grad_old = CTI_SCRATCH(p->d, ctReal, p->nv, "cg.grad_old");
  v.z_old = CTI_SCRATCH(p->d, ctReal, p->nv, "cg.z_old");
  ok = ok && v.z && v.grad_old && v.z_old;
  if (ok) cg_iterate(&s, &v);
  cti_scratch_release(p->d, mark);
  return ok ? CT_OK : CT_STEP_OVERFLOW;
}
