#include "data/arena.h"
#include "data/warning.h"
#include "derive/velocity_slope.h"
#include "math/sparse.h"
#include "step/implicit_solve.h"
#include "step/integrate.h"
#include "step/pipeline.h"

// ---- implicit: all derivatives, not symmetric ----

// d->qLU = M - h qDeriv, in the pattern of D
static CT_FN void full_metric(const ctModel* m, ctData* d) {
  for (int k = 0; k < m->nD; k++) {
    int from = m->mapM2D[k];
    d->qLU[k] = (from >= 0 ? d->M[from] : CT_R(0)) - m->opt.timestep * d->qDeriv[k];
  }
}

static CT_FN ctStatus solve_implicit(const ctModel* m, ctData* d, ctReal* qacc) {
  size_t mark = cti_scratch_mark(d);
  ctReal* scratch = CTI_SCRATCH(d, ctReal, m->nv, "implicit.row");
  ctStatus status = scratch ? cti_velocity_slope(m, d, true) : CT_STEP_OVERFLOW;
  cti_copy(qacc, d->qacc, m->nv);
  if (status == CT_OK) {
    full_metric(m, d);
    cti_add(qacc, d->qfrc_smooth, d->qfrc_constraint, m->nv);
    int bad = cti_csr_lu_factor(d->qLU, m->D_rownnz, m->D_rowadr, m->D_colind, m->D_diag, m->nv, scratch);
    cti_csr_lu_solve(qacc, d->qLU, m->D_rownnz, m->D_rowadr, m->D_colind, m->D_diag, m->nv);
    if (bad >= 0) {
      cti_warn(d, CT_WARN_INERTIA, bad);
      status = CT_STEP_SINGULAR;
    }
  }
  cti_scratch_release(d, mark);
  return status;
}

CT_FN ctStatus cti_implicit(const ctModel* m, ctData* d) {
  return cti_solve_and_advance(m, d, solve_implicit);
}

// ---- implicitfast: symmetric, without the bias force ----

// d->qH = M - h (qDeriv + qDeriv') / 2, in the pattern of M; only M for lone free bodies, which are solved
// apart
static CT_FN void symmetric_metric(const ctModel* m, ctData* d) {
  cti_copy(d->qH, d->M, m->nC);
  for (int i = 0; i < m->nv; i++) {
    if (cti_is_lone_free_body(m, m->dof_treeid[i])) continue;
    for (int k = m->D_rowadr[i]; k < m->D_rowadr[i] + m->D_rownnz[i]; k++) {
      int to = m->mapM2D[k];
      if (to < 0) continue;
      // an element off the diagonal is met twice, once on each side
      ctReal share = m->D_colind[k] == i ? CT_R(1) : CT_R(0.5);
      d->qH[to] -= m->opt.timestep * share * d->qDeriv[k];
    }
  }
}

// The block of M of a lone free body, both triangles.
static CT_FN void free_body_mass(ctReal block[36], const ctModel* m, const ctData* d, int dof) {
  for (int k = 0; k < 36; k++) block[k] = 0;
  for (int i = 0; i < 6; i++) {
    int adr = m->M_rowadr[dof + i];
    for (int k = adr; k < adr + m->M_rownnz[dof + i]; k++) {
      int j = m->M_colind[k] - dof;
      block[6 * i + j] = block[6 * j + i] = d->M[k];
    }
  }
}

// Fast spinning bodies gain energy when gyroscopic forces are integrated explicitly: where they stand alone
// their block is small, and solved again with the full derivative.
static CT_FN void solve_free_bodies(const ctModel* m, const ctData* d, ctReal* qacc) {
  for (int t = 0; t < m->ntree; t++) {
    if (!cti_is_lone_free_body(m, t)) continue;
    int dof = m->tree_dofadr[t], pivot[6];
    ctReal slope[36], block[36], x[6];
    cti_free_body_slope(slope, m, d, t);
    free_body_mass(block, m, d, dof);
    for (int k = 0; k < 36; k++) block[k] -= m->opt.timestep * slope[k];
    cti_add(x, d->qfrc_smooth + dof, d->qfrc_constraint + dof, 6);
    if (cti_lu_factor(block, pivot, 6) != 0) continue;
    cti_lu_solve(x, block, pivot, 6);
    cti_copy(qacc + dof, x, 6);
  }
}

static CT_FN ctStatus solve_implicit_fast(const ctModel* m, ctData* d, ctReal* qacc) {
  ctStatus status = cti_velocity_slope(m, d, false);
  symmetric_metric(m, d);
  cti_add(qacc, d->qfrc_smooth, d->qfrc_constraint, m->nv);
  status = cti_worse(status, cti_solve_metric(m, d, qacc));
  solve_free_bodies(m, d, qacc);
  return status;
}

CT_FN ctStatus cti_implicit_fast(const ctModel* m, ctData* d) {
  return cti_solve_and_advance(m, d, solve_implicit_fast);
}
