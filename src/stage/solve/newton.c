#include "stage/solve/newton.h"

#include "data/arena.h"
#include "data/warning.h"
#include "math/dense.h"
#include "math/vec3.h"
#include "stage/constraint/rows.h"
#include "stage/position/inertia.h"
#include "stage/solve/cost.h"

// Vectors of one solve, all in scratch.
typedef struct Newton {
  ctReal *Ma, *grad, *search, *Mv;  // nv
  ctReal *jar, *jv;                 // nefc
  ctReal* H;                        // nv x nv, lower triangle
  ctReal cost, gauss[3];            // total; Gauss part along the search line: constant, linear, quadratic
  ctReal scale;
} Newton;

static CT_FN bool newton_allocate(Newton* s, const ctModel* m, ctData* d) {
  s->Ma = CTI_SCRATCH(d, ctReal, m->nv, "newton.Ma");
  s->grad = CTI_SCRATCH(d, ctReal, m->nv, "newton.grad");
  s->search = CTI_SCRATCH(d, ctReal, m->nv, "newton.search");
  s->Mv = CTI_SCRATCH(d, ctReal, m->nv, "newton.Mv");
  s->jar = CTI_SCRATCH(d, ctReal, d->nefc, "newton.jar");
  s->jv = CTI_SCRATCH(d, ctReal, d->nefc, "newton.jv");
  s->H = CTI_SCRATCH(d, ctReal, m->nv * m->nv, "newton.H");
  return s->Ma && s->grad && s->search && s->Mv && s->jar && s->jv && s->H;
}

static CT_FN ctReal trace_of_mass(const ctModel* m, const ctData* d) {
  ctReal sum = 0;
  for (int i = 0; i < m->nv; i++) sum += d->M[m->M_rowadr[i] + m->M_rownnz[i] - 1];
  return sum;
}

// Cost, forces and gradient at d->qacc.
static CT_FN void newton_evaluate(Newton* s, const ctModel* m, ctData* d, bool curved) {
  s->cost = cti_row_costs(m, d, s->jar, curved);
  cti_mul_JT(m, d, d->qfrc_constraint, d->efc_force);
  ctReal gauss = 0;
  for (int i = 0; i < m->nv; i++) {
    ctReal force = s->Ma[i] - d->qfrc_smooth[i];
    gauss += force * (d->qacc[i] - d->qacc_smooth[i]);
    s->grad[i] = force - d->qfrc_constraint[i];
  }
  s->cost += gauss / 2;
}

static CT_FN void newton_start_at(Newton* s, const ctModel* m, ctData* d, const ctReal* qacc) {
  cti_copy(d->qacc, qacc, m->nv);
  cti_mul_mass(m, d, s->Ma, d->qacc);
  cti_mul_J(m, d, s->jar, d->qacc);
  cti_sub_from(s->jar, d->efc_aref, d->nefc);
  newton_evaluate(s, m, d, false);
}

// The better of the last step's acceleration and the smooth one.
static CT_FN void newton_start(Newton* s, const ctModel* m, ctData* d) {
  newton_start_at(s, m, d, d->qacc_smooth);
  if (m->opt.disableflags & CT_DSBL_WARMSTART) return;
  ctReal smooth = s->cost;
  newton_start_at(s, m, d, d->qacc_warmstart);
  if (s->cost > smooth) newton_start_at(s, m, d, d->qacc_smooth);
}

// H += D row row' over the columns of a row.
static CT_FN void add_row_product(ctReal* H, const ctModel* m, const ctData* d, int i, int k, ctReal D) {
  int nv = m->nv;
  if (cti_is_sparse(m)) {
    const int *ca = d->efc_J_colind + d->efc_J_rowadr[i], *cb = d->efc_J_colind + d->efc_J_rowadr[k];
    const ctReal *a = d->efc_J + d->efc_J_rowadr[i], *b = d->efc_J + d->efc_J_rowadr[k];
    for (int r = 0; r < d->efc_J_rownnz[i]; r++) {
      for (int c = 0; c < d->efc_J_rownnz[k]; c++) {
        if (cb[c] <= ca[r]) H[ca[r] * nv + cb[c]] += D * a[r] * b[c];
      }
    }
  } else {
    const ctReal *a = d->efc_J + i * nv, *b = d->efc_J + k * nv;
    for (int r = 0; r < nv; r++) {
      if (a[r] != 0) cti_add_scaled(H + r * nv, b, D * a[r], r + 1);
    }
  }
}

// H = M + J' (curvature of the rows) J.
static CT_FN void newton_hessian(Newton* s, const ctModel* m, const ctData* d) {
  int nv = m->nv;
  cti_zero(s->H, nv * nv);
  for (int i = 0; i < nv; i++) {
    for (int k = m->M_rowadr[i]; k < m->M_rowadr[i] + m->M_rownnz[i]; k++)
      s->H[i * nv + m->M_colind[k]] = d->M[k];
  }
  for (int i = 0; i < d->nefc; i++) {
    if (d->efc_state[i] == CTI_ROW_QUADRATIC) {
      add_row_product(s->H, m, d, i, i, d->efc_D[i]);
    } else if (d->efc_state[i] == CTI_ROW_CONE) {
      const ctContact* con = d->contact + d->efc_id[i];
      for (int r = 0; r < con->dim; r++) {
        for (int c = 0; c < con->dim; c++)
          add_row_product(s->H, m, d, i + r, i + c, con->H[r * con->dim + c]);
      }
      i += con->dim - 1;
    }
  }
}

static CT_FN ctiLinePoint line_at(const Newton* s, const ctModel* m, const ctData* d, ctReal alpha) {
  ctiLinePoint p;
  p.alpha = alpha;
  p.cost = s->gauss[0] + alpha * (s->gauss[1] + alpha * s->gauss[2]);
  p.slope = s->gauss[1] + 2 * alpha * s->gauss[2];
  p.curvature = 2 * s->gauss[2];
  cti_row_line(m, d, s->jar, s->jv, &p);
  return p;
}

// Step length at the bottom of the line, where the slope vanishes: Newton in one dimension, kept in a
// bracket.
static CT_FN ctReal line_search(Newton* s, const ctModel* m, ctData* d, int* evaluations,
                                ctReal* improvement) {
  cti_mul_mass(m, d, s->Mv, s->search);
  cti_mul_J(m, d, s->jv, s->search);
  ctReal norm = cti_norm(s->search, m->nv);
  *evaluations = 0;
  *improvement = 0;
  if (norm < CTI_MINVAL) return 0;
  ctReal enough = m->opt.tolerance * m->opt.ls_tolerance * norm / s->scale;
  ctReal linear = 0, quadratic = cti_dot(s->search, s->Mv, m->nv) / 2;
  for (int i = 0; i < m->nv; i++) linear += s->search[i] * (s->Ma[i] - d->qfrc_smooth[i]);
  s->gauss[0] = 0;
  s->gauss[1] = linear;
  s->gauss[2] = quadratic;

  ctiLinePoint low = line_at(s, m, d, 0), best = low;
  if (low.slope >= 0 || low.curvature <= 0) return 0;
  ctReal alpha = -low.slope / low.curvature, high = -1;
  ctReal best_alpha = 0, best_cost = low.cost;
  for (int i = 0; i < m->opt.ls_iterations; i++) {
    best = line_at(s, m, d, alpha);
    ++*evaluations;
    if (best.cost < best_cost) {
      best_cost = best.cost;
      best_alpha = alpha;
    }
    if (cti_abs(best.slope) < enough) {
      if (best.cost <= best_cost) best_alpha = alpha;
      break;
    }
    if (best.slope < 0) {
      low = best;
    } else {
      high = alpha;
    }
    ctReal next = best.curvature > 0 ? alpha - best.slope / best.curvature : -1;
    // outside of what is known: halve, or go on doubling while there is no upper end
    if (next <= low.alpha || (high >= 0 && next >= high))
      next = high >= 0 ? (low.alpha + high) / 2 : 2 * alpha;
    if (next == alpha) break;
    alpha = next;
  }
  *improvement = -best_cost;
  return best_alpha;
}

static CT_FN void record(const ctModel* m, ctData* d, const Newton* s, int iteration, ctReal improvement,
                         int evaluations) {
  if (!d->solver || iteration >= CT_NSOLVER) return;
  ctSolverStat* stat = d->solver + iteration;
  stat->improvement = improvement;
  stat->gradient = s->scale * cti_norm(s->grad, m->nv);
  stat->lineslope = 0;
  stat->nactive = 0;
  for (int i = 0; i < d->nefc; i++) stat->nactive += d->efc_state[i] != CTI_ROW_SATISFIED;
  stat->nchange = stat->nupdate = 0;
  stat->neval = evaluations;
}

static CT_FN ctStatus newton_iterate(Newton* s, const ctModel* m, ctData* d) {
  ctStatus status = CT_OK;
  int iteration = 0;
  for (; iteration < m->opt.iterations; iteration++) {
    newton_evaluate(s, m, d, true);
    newton_hessian(s, m, d);
    if (cti_chol_factor(s->H, m->nv, CTI_MINVAL) < m->nv && status == CT_OK) {
      status = CT_STEP_SINGULAR;
      cti_warn(d, CT_WARN_INERTIA, 0);
    }
    cti_chol_solve(s->search, s->H, s->grad, m->nv);
    cti_scale(s->search, s->search, -1, m->nv);
    // what the quadratic model promises; when that is nothing, neither the line nor another factor can help
    if (-s->scale * cti_dot(s->grad, s->search, m->nv) / 2 < m->opt.tolerance) break;
    int evaluations;
    ctReal gained, alpha = line_search(s, m, d, &evaluations, &gained);
    if (alpha == 0) break;
    cti_add_scaled(d->qacc, s->search, alpha, m->nv);
    cti_add_scaled(s->Ma, s->Mv, alpha, m->nv);
    cti_add_scaled(s->jar, s->jv, alpha, d->nefc);
    newton_evaluate(s, m, d, false);
    ctReal improvement = s->scale * gained, gradient = s->scale * cti_norm(s->grad, m->nv);
    record(m, d, s, iteration, improvement, evaluations);
    if ((improvement > 0 && improvement < m->opt.tolerance) || gradient < m->opt.tolerance) {
      iteration++;
      break;
    }
  }
  d->solver_niter[0] = iteration;
  return status;
}

CT_FN ctStatus cti_newton(const ctModel* m, ctData* d) {
  size_t mark = cti_scratch_mark(d);
  Newton s;
  if (!newton_allocate(&s, m, d)) {
    cti_scratch_release(d, mark);
    cti_copy(d->qacc, d->qacc_smooth, m->nv);
    cti_zero(d->qfrc_constraint, m->nv);
    cti_warn(d, CT_WARN_CNSTRFULL, d->nefc);
    return CT_STEP_OVERFLOW;
  }
  s.scale = 1 / cti_max(CTI_MINVAL, trace_of_mass(m, d));
  cti_mul_J(m, d, d->efc_b, d->qacc_smooth);
  cti_sub_from(d->efc_b, d->efc_aref, d->nefc);
  newton_start(&s, m, d);
  ctStatus status = newton_iterate(&s, m, d);
  cti_scratch_release(d, mark);
  return status;
}
