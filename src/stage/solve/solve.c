#include "stage/solve/solve.h"

#include "data/arena.h"
#include "data/data.h"
#include "math/dense.h"
#include "math/vec3.h"
#include "stage/constraint/rows.h"
#include "stage/solve/dual.h"
#include "stage/solve/islands.h"
#include "stage/solve/primal.h"
#include "stage/solve/row_cost.h"

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

// The same for forces: those that the last step's acceleration asks for, unless none at all are better.
static CT_FN ctStatus choose_forces(const ctModel* m, ctData* d) {
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
  return m->opt.solver == CT_SOL_PGS && d->efc_AR;
}

static CT_FN ctStatus solve_primal(ctiProblem* p) {
  if (p->opt->solver == CT_SOL_CG) return cti_cg(p);
  // no room for a factor: conjugate gradients need less
  ctStatus status = cti_newton(p);
  if (status != CT_STEP_OVERFLOW) return status;
  cti_warn(p->d, CT_WARN_CNSTRFULL, p->nefc);
  return cti_cg(p);
}

static CT_FN bool removes_slip(const ctModel* m, const ctData* d) {
  return m->opt.noslip_iterations > 0 && d->efc_AR;
}

// A problem with its dual, which is there when somebody needs it.
static CT_FN ctStatus solve_problem(const ctModel* m, ctiProblem* p, ctiDual* dual) {
  ctStatus status = solves_forces(m, p->d) ? cti_pgs(dual) : solve_primal(p);
  if (status != CT_STEP_OVERFLOW && removes_slip(m, p->d)) cti_noslip(dual);
  return status;
}

CT_FN ctStatus cti_solve_island(const ctModel* m, ctiProblem* p, int island) {
  ctiDual dual;
  bool needed = solves_forces(m, p->d) || removes_slip(m, p->d);
  if (needed && !cti_dual_island(&dual, p, island)) return CT_STEP_OVERFLOW;
  return solve_problem(m, p, &dual);
}

static CT_FN ctStatus solve_whole(const ctModel* m, ctData* d) {
  ctiProblem whole;
  ctiDual dual;
  cti_problem_whole(&whole, m, d);
  cti_dual_whole(&dual, &whole);
  ctStatus status = solve_problem(m, &whole, &dual);
  d->solver_niter[0] = whole.niter;
  d->solver_nnz[0] = whole.nnz;
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
  for (int k = 0; k < CT_NISLAND; k++) d->solver_niter[k] = d->solver_nnz[k] = 0;
  if (d->nefc == 0) {
    cti_copy(d->qacc, d->qacc_smooth, m->nv);
    cti_zero(d->qfrc_constraint, m->nv);
    return CT_OK;
  }
  cti_mul_J(m, d, d->efc_b, d->qacc_smooth);
  cti_sub_from(d->efc_b, d->efc_aref, d->nefc);
  ctStatus status = CT_OK;
  if (!(m->opt.disableflags & CT_DSBL_ISLAND)) status = cti_find_islands(m, d);
  if (status == CT_OK) status = solves_forces(m, d) ? choose_forces(m, d) : choose_start(m, d);
  if (status == CT_OK) status = d->nisland > 0 ? cti_solve_islands(m, d) : solve_whole(m, d);
  if (status == CT_STEP_OVERFLOW) {
    give_up_solve(m, d);
  } else if (solves_forces(m, d) || removes_slip(m, d)) {
    cti_dual_finish(m, d);
  }
  return status;
}

// ---- Solve stage: how well a step was solved. ----
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

CT_FN ctStatus cti_kkt_residual(const ctModel* m, ctData* d, ctReal* balance, ctReal* force) {
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
    rest = largest(rest, s.Ma[i] - d->qfrc_smooth[i] - s.joint[i]);
    size = largest(size, s.Ma[i]);
    size = largest(size, d->qfrc_smooth[i]);
    size = largest(size, s.joint[i]);
  }
  *balance = relative(rest, size);
  cti_scratch_release(d, mark);
  return CT_OK;
}
