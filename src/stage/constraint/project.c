#include "stage/constraint/project.h"

#include "data/arena.h"
#include "math/tree_ldl.h"
#include "math/vec3.h"
#include "stage/constraint/impedance.h"
#include "stage/constraint/rows.h"

static CT_FN bool solves_dual(const ctModel* m) {
  return m->opt.solver == CT_SOL_PGS || m->opt.noslip_iterations > 0;
}

CT_FN bool cti_needs_dual(const ctModel* m, bool forward) {
  return (forward && solves_dual(m)) || (m->opt.enableflags & CT_ENBL_DIAGEXACT);
}

static CT_FN void half_solve(const ctModel* m, const ctData* d, const ctReal* root, ctReal* x, int nvec) {
  cti_ldl_half(x, d->qLD, root, m->M_rownnz, m->M_rowadr, m->M_colind, m->nv, nvec);
}

// ---- Y ----

// Columns of a row of Y: those of J and all dofs they hang on. Ascending, into `col`; `mark` is nv flags.
static CT_FN int projected_columns(const ctModel* m, const ctData* d, int i, int* col, int* mark) {
  int n = 0;
  for (int k = 0; k < m->nv; k++) mark[k] = 0;
  for (int k = d->efc_J_rowadr[i]; k < d->efc_J_rowadr[i] + d->efc_J_rownnz[i]; k++) {
    int dof = d->efc_J_colind[k];
    for (int c = m->M_rowadr[dof]; c < m->M_rowadr[dof] + m->M_rownnz[dof]; c++) mark[m->M_colind[c]] = 1;
  }
  for (int k = 0; k < m->nv; k++) {
    if (mark[k]) col[n++] = k;
  }
  return n;
}

static CT_FN bool sparse_Y(const ctModel* m, ctData* d, const ctReal* root) {
  int* col = CTI_SCRATCH(d, int, m->nv, "project.col");
  int* mark = CTI_SCRATCH(d, int, m->nv, "project.mark");
  ctReal* x = CTI_SCRATCH(d, ctReal, m->nv, "project.x");
  d->efc_Y_rownnz = CTI_ARENA(d, int, d->nefc, "efc_Y_rownnz");
  d->efc_Y_rowadr = CTI_ARENA(d, int, d->nefc, "efc_Y_rowadr");
  if (!col || !mark || !x || !d->efc_Y_rownnz || !d->efc_Y_rowadr) return false;
  int total = 0;
  for (int i = 0; i < d->nefc; i++) {
    d->efc_Y_rowadr[i] = total;
    total += d->efc_Y_rownnz[i] = projected_columns(m, d, i, col, mark);
  }
  d->efc_Y_colind = CTI_ARENA(d, int, total, "efc_Y_colind");
  d->efc_Y = CTI_ARENA(d, ctReal, total, "efc_Y");
  if (!d->efc_Y_colind || !d->efc_Y) return false;
  d->nY = total;
  for (int i = 0; i < d->nefc; i++) {
    int adr = d->efc_Y_rowadr[i], n = projected_columns(m, d, i, d->efc_Y_colind + adr, mark);
    cti_zero(x, m->nv);
    for (int k = d->efc_J_rowadr[i]; k < d->efc_J_rowadr[i] + d->efc_J_rownnz[i]; k++)
      x[d->efc_J_colind[k]] = d->efc_J[k];
    half_solve(m, d, root, x, 1);
    for (int k = 0; k < n; k++) d->efc_Y[adr + k] = x[d->efc_Y_colind[adr + k]];
  }
  return true;
}

static CT_FN bool dense_Y(const ctModel* m, ctData* d, const ctReal* root) {
  d->efc_Y = CTI_ARENA(d, ctReal, d->nefc * m->nv, "efc_Y");
  if (!d->efc_Y) return false;
  d->nY = d->nefc * m->nv;
  cti_copy(d->efc_Y, d->efc_J, d->nY);
  half_solve(m, d, root, d->efc_Y, d->nefc);
  return true;
}

// ---- AR ----

// One row of Y Y' over the rows that share a dof with it; `mark` says which.
static CT_FN int square_row(const ctData* d, int i, const int* t_nnz, const int* t_adr, const int* t_col,
                            const ctReal* t_value, ctReal* sum, int* mark) {
  int n = 0;
  for (int k = 0; k < d->nefc; k++) mark[k] = 0;
  for (int k = 0; k < d->nefc; k++) sum[k] = 0;
  for (int k = d->efc_Y_rowadr[i]; k < d->efc_Y_rowadr[i] + d->efc_Y_rownnz[i]; k++) {
    int c = d->efc_Y_colind[k];
    for (int r = t_adr[c]; r < t_adr[c] + t_nnz[c]; r++) {
      n += !mark[t_col[r]];
      mark[t_col[r]] = 1;
      sum[t_col[r]] += d->efc_Y[k] * t_value[r];
    }
  }
  return n;
}

static CT_FN bool sparse_AR(const ctModel* m, ctData* d) {
  int *t_nnz = CTI_SCRATCH(d, int, m->nv, "project.t_nnz"),
      *t_adr = CTI_SCRATCH(d, int, m->nv, "project.t_adr"),
      *t_col = CTI_SCRATCH(d, int, d->nY, "project.t_col"),
      *mark = CTI_SCRATCH(d, int, d->nefc, "project.rows");
  ctReal *t_value = CTI_SCRATCH(d, ctReal, d->nY, "project.t_value"),
         *sum = CTI_SCRATCH(d, ctReal, d->nefc, "project.sum");
  d->efc_AR_rownnz = CTI_ARENA(d, int, d->nefc, "efc_AR_rownnz");
  d->efc_AR_rowadr = CTI_ARENA(d, int, d->nefc, "efc_AR_rowadr");
  if (!t_nnz || !t_adr || !t_col || !mark || !t_value || !sum || !d->efc_AR_rownnz || !d->efc_AR_rowadr)
    return false;
  cti_csr_transpose(t_value, t_nnz, t_adr, t_col, d->efc_Y, d->efc_Y_rownnz, d->efc_Y_rowadr, d->efc_Y_colind,
                    d->nefc, m->nv);
  int total = 0;
  for (int i = 0; i < d->nefc; i++) {
    d->efc_AR_rowadr[i] = total;
    total += d->efc_AR_rownnz[i] = square_row(d, i, t_nnz, t_adr, t_col, t_value, sum, mark);
  }
  d->efc_AR_colind = CTI_ARENA(d, int, total, "efc_AR_colind");
  d->efc_AR = CTI_ARENA(d, ctReal, total, "efc_AR");
  if (!d->efc_AR_colind || !d->efc_AR) return false;
  d->nA = total;
  for (int i = 0; i < d->nefc; i++) {
    int at = d->efc_AR_rowadr[i];
    square_row(d, i, t_nnz, t_adr, t_col, t_value, sum, mark);
    for (int k = 0; k < d->nefc; k++) {
      if (!mark[k]) continue;
      d->efc_AR_colind[at] = k;
      d->efc_AR[at++] = k == i ? sum[k] + d->efc_R[k] : sum[k];
    }
  }
  return true;
}

static CT_FN bool dense_AR(const ctModel* m, ctData* d) {
  int n = d->nefc;
  d->efc_AR = CTI_ARENA(d, ctReal, n * n, "efc_AR");
  if (!d->efc_AR) return false;
  d->nA = n * n;
  cti_mul_mat_mat_t(d->efc_AR, d->efc_Y, d->efc_Y, n, m->nv, n);
  for (int i = 0; i < n; i++) d->efc_AR[i * n + i] += d->efc_R[i];
  return true;
}

// Impedance with the true diagonal of Y Y' instead of its estimate.
static CT_FN bool exact_impedance(const ctModel* m, ctData* d, bool sparse) {
  ctReal* exact = CTI_SCRATCH(d, ctReal, d->nefc, "project.exact");
  if (!exact) return false;
  for (int i = 0; i < d->nefc; i++) {
    const ctReal* row = d->efc_Y + (sparse ? d->efc_Y_rowadr[i] : i * m->nv);
    exact[i] = cti_dot(row, row, sparse ? d->efc_Y_rownnz[i] : m->nv);
  }
  cti_impedance(m, d, exact);
  return true;
}

CT_FN ctStatus cti_project(const ctModel* m, ctData* d) {
  size_t mark = cti_scratch_mark(d);
  bool sparse = cti_is_sparse(m), ok;
  ctReal* root = CTI_SCRATCH(d, ctReal, m->nv, "project.root");
  ok = root != (ctReal*)0;
  for (int i = 0; i < m->nv && ok; i++) root[i] = cti_sqrt(d->qLDiagInv[i]);
  ok = ok && (sparse ? sparse_Y(m, d, root) : dense_Y(m, d, root));
  if (ok && (m->opt.enableflags & CT_ENBL_DIAGEXACT)) ok = exact_impedance(m, d, sparse);
  if (ok && solves_dual(m)) ok = sparse ? sparse_AR(m, d) : dense_AR(m, d);
  cti_scratch_release(d, mark);
  return ok ? CT_OK : CT_STEP_OVERFLOW;
}
