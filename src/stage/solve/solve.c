#include "stage/solve/solve.h"

#include "data/arena.h"
#include "data/warning.h"
#include "math/dense.h"
#include "stage/constraint/island.h"
#include "stage/constraint/rows.h"
#include "stage/solve/cg.h"
#include "stage/solve/cost.h"
#include "stage/solve/newton.h"

// The better of the last step's acceleration and the smooth one, into d->qacc.
static CT_FN ctStatus choose_start(const ctModel* m, ctData* d) {
  cti_copy(d->qacc, d->qacc_smooth, m->nv);
  if (m->opt.disableflags & CT_DSBL_WARMSTART) return CT_OK;
  size_t mark = cti_scratch_mark(d);
  ctReal* jar = CTI_SCRATCH(d, ctReal, d->nefc, "solve.jar");
  ctReal* Ma = CTI_SCRATCH(d, ctReal, m->nv, "solve.Ma");
  if (!jar || !Ma) {
    cti_scratch_release(d, mark);
    return CT_STEP_OVERFLOW;
  }
  ctiProblem whole;
  cti_problem_whole(&whole, m, d);
  // at the smooth acceleration there is no Gauss cost
  ctReal smooth = cti_row_costs(&whole, d->efc_b, false), gauss = 0;
  cti_problem_residual(&whole, jar, d->qacc_warmstart);
  cti_problem_mul_M(&whole, Ma, d->qacc_warmstart);
  for (int i = 0; i < m->nv; i++)
    gauss += (Ma[i] - d->qfrc_smooth[i]) * (d->qacc_warmstart[i] - d->qacc_smooth[i]);
  ctReal warm = gauss / 2 + cti_row_costs(&whole, jar, false);
  if (warm <= smooth) cti_copy(d->qacc, d->qacc_warmstart, m->nv);
  cti_scratch_release(d, mark);
  return CT_OK;
}

static CT_FN ctStatus solve_problem(ctiProblem* p) {
  if (p->opt->solver == CT_SOL_CG) return cti_cg(p);
  // no room for a factor: conjugate gradients need less
  ctStatus status = cti_newton(p);
  if (status != CT_STEP_OVERFLOW) return status;
  cti_warn(p->d, CT_WARN_CNSTRFULL, p->nefc);
  return cti_cg(p);
}

static CT_FN ctStatus first_trouble(ctStatus a, ctStatus b) {
  return a != CT_OK ? a : b;
}

static CT_FN ctStatus solve_islands(const ctModel* m, ctData* d) {
  size_t mark = cti_scratch_mark(d);
  ctiIslandColumns columns;
  ctStatus status = cti_gather_islands(m, d);
  if (status == CT_OK && !cti_island_columns(&columns, m, d)) status = CT_STEP_OVERFLOW;
  for (int k = 0; k < d->nisland && status != CT_STEP_OVERFLOW; k++) {
    size_t inner = cti_scratch_mark(d);
    ctiProblem p;
    if (cti_problem_island(&p, m, d, &columns, k)) {
      status = first_trouble(status, solve_problem(&p));
      if (k < CT_NISLAND) d->solver_niter[k] = p.niter;
    } else {
      status = CT_STEP_OVERFLOW;
    }
    cti_scratch_release(d, inner);
  }
  if (status != CT_STEP_OVERFLOW) cti_scatter_islands(m, d);
  cti_scratch_release(d, mark);
  return status;
}

static CT_FN ctStatus solve_whole(const ctModel* m, ctData* d) {
  ctiProblem whole;
  cti_problem_whole(&whole, m, d);
  ctStatus status = solve_problem(&whole);
  d->solver_niter[0] = whole.niter;
  return status;
}

// No room to solve: the smooth acceleration stands, without forces.
static CT_FN void give_up_solve(const ctModel* m, ctData* d) {
  cti_copy(d->qacc, d->qacc_smooth, m->nv);
  cti_zero(d->qfrc_constraint, m->nv);
  cti_zero(d->efc_force, d->nefc);
  cti_warn(d, CT_WARN_CNSTRFULL, d->nefc);
}

CT_FN ctStatus cti_solve(const ctModel* m, ctData* d) {
  for (int k = 0; k < CT_NISLAND; k++) d->solver_niter[k] = 0;
  if (d->nefc == 0) {
    cti_copy(d->qacc, d->qacc_smooth, m->nv);
    cti_zero(d->qfrc_constraint, m->nv);
    return CT_OK;
  }
  cti_mul_J(m, d, d->efc_b, d->qacc_smooth);
  cti_sub_from(d->efc_b, d->efc_aref, d->nefc);
  ctStatus status = CT_OK;
  if (!(m->opt.disableflags & CT_DSBL_ISLAND)) status = cti_find_islands(m, d);
  if (status == CT_OK) status = choose_start(m, d);
  if (status == CT_OK) status = d->nisland > 0 ? solve_islands(m, d) : solve_whole(m, d);
  if (status == CT_STEP_OVERFLOW) give_up_solve(m, d);
  return status;
}
