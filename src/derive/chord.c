// The solution of a nudged problem from that of the base point, with the factor of its Hessian: chord
// iterations. A nudge of size eps changes the Hessian by as much, so each leaves an error that is eps times
// the last. The problem is convex: where the gradient is zero is the solution, whatever rows have switched.
#include "derive/chord.h"

#include "data/arena.h"
#include "math/dense.h"
#include "stage/constraint/constraint.h"
#include "stage/metric/metric.h"
#include "stage/solve/row_cost.h"

// ---- the Hessian ----

// Row i of J as a dense vector.
static void dense_row(ctReal* out, const ctModel* m, const ctData* d, int i) {
  if (!cti_is_sparse(m)) {
    cti_copy(out, d->efc_J + (int64_t)i * m->nv, m->nv);
    return;
  }
  cti_zero(out, m->nv);
  for (int k = d->efc_J_rowadr[i]; k < d->efc_J_rowadr[i] + d->efc_J_rownnz[i]; k++)
    out[d->efc_J_colind[k]] = d->efc_J[k];
}

static void add_outer(ctReal* out, const ctReal* a, const ctReal* b, ctReal scale, int n) {
  for (int i = 0; i < n; i++) {
    if (a[i] != 0) cti_add_scaled(out + (int64_t)n * i, b, scale * a[i], n);
  }
}

void cti_dense_hessian(const ctModel* m, const ctData* d, ctReal* out, ctReal* rows) {
  const int nv = m->nv;
  for (int64_t i = 0; i < (int64_t)nv * nv; i++) out[i] = 0;
  for (int i = 0; i < nv; i++) {
    for (int k = m->M_rowadr[i]; k < m->M_rowadr[i] + m->M_rownnz[i]; k++)
      out[(int64_t)i * nv + m->M_colind[k]] = out[(int64_t)m->M_colind[k] * nv + i] = d->M[k];
  }
  for (int i = 0; i < d->nefc; i++) {
    if (d->efc_state[i] == CTI_ROW_QUADRATIC) {
      dense_row(rows, m, d, i);
      add_outer(out, rows, rows, d->efc_D[i], nv);
    } else if (d->efc_state[i] == CTI_ROW_CONE) {
      const ctContact* con = d->contact + d->efc_id[i];
      for (int k = 0; k < con->dim; k++) dense_row(rows + (int64_t)nv * k, m, d, i + k);
      for (int k = 0; k < con->dim * con->dim; k++)
        add_outer(out, rows + (int64_t)nv * (k / con->dim), rows + (int64_t)nv * (k % con->dim), con->H[k],
                  nv);
      i += con->dim - 1;
    }
  }
}

// Beyond this size a dense factor is not worth its price.
#define MOST_DOFS 300

bool cti_chord_possible(const ctModel* m) {
  return m->opt.solver == CT_SOL_NEWTON && m->opt.noslip_iterations == 0 && !cti_is_discrete(m) &&
         m->nflex == 0 && m->nv > 0 && m->nv <= MOST_DOFS;
}

// The gradient of the cost at d->qacc; states and forces of the rows there. `curved`: cones as well.
static void gradient(ctiProblem* p, ctReal* grad, ctReal* jar, bool curved) {
  const ctData* d = p->d;
  cti_problem_residual(p, jar, d->qacc);
  cti_row_costs(p, jar, curved);
  cti_problem_mul_JT(p, d->qfrc_constraint, d->efc_force);
  cti_problem_mul_M(p, grad, d->qacc);
  for (int i = 0; i < p->nv; i++) grad[i] -= d->qfrc_smooth[i] + d->qfrc_constraint[i];
}

bool cti_chord_begin(ctiChord* chord, const ctModel* m, ctData* d) {
  if (d->nefc == 0) return false;
  size_t mark = cti_scratch_mark(d);
  ctReal* jar = CTI_SCRATCH(d, ctReal, d->nefc, "chord.jar");
  if (jar) {
    ctiProblem p;
    cti_problem_whole(&p, m, d);
    gradient(&p, chord->rows, jar, true);
    cti_dense_hessian(m, d, chord->factor, chord->rows);
    cti_copy(chord->start, d->qacc, m->nv);
  }
  cti_scratch_release(d, mark);
  return jar && cti_chol_factor(chord->factor, m->nv, CTI_MINVAL) == m->nv;
}

// Gradients of which nothing is left, and those that may be rounding errors, of the forces in them.
#define SETTLED         (sizeof(ctReal) == 8 ? CT_R(1e-15) : CT_R(1e-7))
#define ROUNDING        (sizeof(ctReal) == 8 ? CT_R(1e-12) : CT_R(1e-5))
#define MOST_ITERATIONS 5

static ctReal largest(const ctReal* x, int n) {
  ctReal most = 0;
  for (int i = 0; i < n; i++) most = cti_max(most, cti_abs(x[i]));
  return most;
}

bool cti_chord_solve(const ctiChord* chord, const ctModel* m, ctData* d, bool rows) {
  if (d->nefc == 0) return false;
  size_t mark = cti_scratch_mark(d);
  ctReal* jar = CTI_SCRATCH(d, ctReal, d->nefc, "chord.jar");
  ctReal* step = CTI_SCRATCH(d, ctReal, m->nv, "chord.step");
  bool settled = false;
  ctReal last = 0;
  cti_copy(d->qacc, chord->start, m->nv);
  ctiProblem p;
  cti_problem_whole(&p, m, d);
  for (int k = 0; jar && step && k < MOST_ITERATIONS; k++) {
    gradient(&p, step, jar, false);
    const ctReal left = largest(step, m->nv),
                 forces = cti_max(largest(d->qfrc_smooth, m->nv), largest(d->qfrc_constraint, m->nv));
    // two iterations leave nothing but rounding, unless something has switched
    settled = left <= (k < 2 ? SETTLED : ROUNDING) * forces;
    // this one will leave as little, if it does what the last one did
    if (!rows && k > 0) settled = settled || left * left <= SETTLED * forces * last;
    if (k > 0 && !(left < last / 2) && !settled) break;
    last = left;
    // also where it has settled: what is left may be more than rounding
    cti_chol_solve(step, chord->factor, step, m->nv);
    cti_sub_from(d->qacc, step, m->nv);
    if (settled) break;
  }
  if (settled) {
    // the gradient is zero
    cti_problem_mul_M(&p, d->qfrc_constraint, d->qacc);
    cti_sub_from(d->qfrc_constraint, d->qfrc_smooth, m->nv);
  }
  cti_scratch_release(d, mark);
  return settled;
}
