#include "stage/solve/newton.h"

#include "data/arena.h"
#include "data/warning.h"
#include "math/dense.h"
#include "stage/solve/hessian.h"
#include "stage/solve/primal.h"

// A lost pivot was replaced and the direction still goes down: counted, once a solve.
static CT_FN void note_rank(const ctiProblem* p, int rank, ctStatus* status) {
  if (rank == p->nv || *status != CT_OK) return;
  *status = CT_STEP_SINGULAR;
  cti_warn(p->d, CT_WARN_INERTIA, rank);
}

static CT_FN ctStatus newton_iterate(ctiPrimal* s, ctiHessian* h) {
  ctiProblem* p = s->p;
  ctStatus status = CT_OK;
  note_rank(p, cti_hessian_make(h), &status);
  while (p->niter < p->opt->iterations) {
    cti_hessian_solve(h, s->search, s->grad);
    cti_scale(s->search, s->search, -1, p->nv);
    // what the quadratic model promises; when that is nothing, neither the line nor another factor can help
    ctReal promise = -p->scale * cti_dot(s->grad, s->search, p->nv) / 2;
    if (p->niter > 0 && promise < p->opt->tolerance) break;
    ctReal alpha = cti_primal_line_search(s);
    if (alpha == 0) break;
    cti_primal_move(s, alpha);
    cti_primal_evaluate(s, true);
    if (cti_primal_finish_iteration(s)) break;
    note_rank(p, cti_hessian_update(h), &status);
    if (p->stat && p->niter <= CT_NSOLVER) p->stat[p->niter - 1].nupdate = h->updates;
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
  ctiPrimal s;
  ctiHessian h;
  if (!cti_primal_allocate(&s, p)) return CT_STEP_OVERFLOW;
  cti_primal_start(&s, true);
  p->nnz = p->sparse ? mass_elements(p) : p->nv * p->nv;
  if (cti_primal_is_solved(&s, s.search, true)) return CT_OK;
  if (!cti_hessian_allocate(&h, p)) return CT_STEP_OVERFLOW;
  if (p->sparse) p->nnz = h.sky.size;
  return newton_iterate(&s, &h);
}

CT_FN ctStatus cti_newton(ctiProblem* p) {
  size_t mark = cti_scratch_mark(p->d);
  ctStatus status = newton(p);
  cti_scratch_release(p->d, mark);
  return status;
}
