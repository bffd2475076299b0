#include "stage/constraint/constraint.h"

#include "data/arena.h"
#include "math/simd.h"
#include "math/tree_ldl.h"
#include "math/vec3.h"

static CT_FN bool solves_dual(const ctModel* m) {
  return m->opt.solver == CT_SOL_PGS || m->opt.noslip_iterations > 0;
}

static CT_FN bool needs_dual(const ctModel* m, bool forward) {
  return (forward && solves_dual(m)) || (m->opt.enableflags & CT_ENBL_DIAGEXACT);
}

// The factor that rows are projected with: that of M, or of what the discrete integrator makes of it.
static CT_FN const ctReal* mass_factor(const ctData* d) {
  return cti_data_const(d)->metric.on ? cti_data_const(d)->metric.LD : d->qLD;
}

static CT_FN void half_solve(const ctModel* m, const ctData* d, const ctReal* root, ctReal* x, int nvec) {
  cti_ldl_half(x, mass_factor(d), root, m->M_rownnz, m->M_rowadr, m->M_colind, m->nv, nvec);
}

// ---- lists ----

// Numbers that come in ascending runs, made one ascending list. `stamp` holds for each number the last list
// it was in, so that nothing has to be cleared between lists.
typedef struct List {
  int *number, *spare;  // `spare`: room for as many
  int* stamp;
  int tag, count;
} List;

CT_INLINE bool list_is_new(List* l, int number) {
  if (l->stamp[number] == l->tag) return false;
  l->stamp[number] = l->tag;
  return true;
}

// Merge the run that was appended from `begin` on.
static CT_FN void list_merge(List* l, int begin) {
  int *a = l->number, *b = l->spare;
  int i = begin - 1, k = l->count - begin - 1;
  if (begin == 0 || begin == l->count || a[begin - 1] < a[begin]) return;
  for (int j = 0; j <= k; j++) b[j] = a[begin + j];
  for (int to = l->count - 1; k >= 0; to--) a[to] = i >= 0 && a[i] > b[k] ? a[i--] : b[k--];
}

// ---- Y ----

// Columns of a row of Y: those of J and all dofs they hang on.
static CT_FN void projected_columns(const ctModel* m, const ctData* d, int i, List* l) {
  l->tag = i + 1;
  l->count = 0;
  for (int k = d->efc_J_rowadr[i]; k < d->efc_J_rowadr[i] + d->efc_J_rownnz[i]; k++) {
    int dof = d->efc_J_colind[k], adr = m->M_rowadr[dof], end = adr + m->M_rownnz[dof], c = end;
    // what a dof that was seen hangs on was seen, too
    while (c > adr && list_is_new(l, m->M_colind[c - 1])) c--;
    int begin = l->count;
    for (; c < end; c++) l->number[l->count++] = m->M_colind[c];
    list_merge(l, begin);
  }
}

// Where each row of Y begins; the number of elements, which may be more than an int counts: then there is no
// room for them.
static CT_FN int64_t lay_out_Y(const ctModel* m, ctData* d, List* l) {
  int64_t total = 0;
  for (int i = 0; i < d->nefc; i++) {
    if (!cti_row_follows(d->efc_J_rowsuper, i)) projected_columns(m, d, i, l);
    d->efc_Y_rowadr[i] = (int)total;
    d->efc_Y_rownnz[i] = l->count;
    total += l->count;
  }
  return total;
}

// x = D^-1/2 L^-T x at the columns of row i alone: everywhere else there is zero before and after.
static CT_FN void project_row(const ctModel* m, ctData* d, int i, const ctReal* root, ctReal* x) {
  int n = d->efc_Y_rownnz[i];
  const int* col = d->efc_Y_colind + d->efc_Y_rowadr[i];
  ctReal* y = d->efc_Y + d->efc_Y_rowadr[i];
  const ctReal* LD = mass_factor(d);
  for (int k = 0; k < n; k++) x[col[k]] = 0;
  for (int k = d->efc_J_rowadr[i]; k < d->efc_J_rowadr[i] + d->efc_J_rownnz[i]; k++)
    x[d->efc_J_colind[k]] = d->efc_J[k];
  for (int k = n - 1; k >= 0; k--) {
    int dof = col[k], adr = m->M_rowadr[dof], above = m->M_rownnz[dof] - 1;
    if (above && x[dof] != 0) cti_add_scaled_sparse(x, LD + adr, m->M_colind + adr, -x[dof], above);
    y[k] = x[dof] * root[dof];
  }
}

static CT_FN bool sparse_Y(const ctModel* m, ctData* d, const ctReal* root) {
  List l;
  l.number = CTI_SCRATCH(d, int, m->nv, "project.columns");
  l.spare = CTI_SCRATCH(d, int, m->nv, "project.spare");
  l.stamp = CTI_SCRATCH(d, int, m->nv, "project.stamp");
  ctReal* x = CTI_SCRATCH(d, ctReal, m->nv, "project.x");
  d->efc_Y_rownnz = CTI_ARENA(d, int, d->nefc, "efc_Y_rownnz");
  d->efc_Y_rowadr = CTI_ARENA(d, int, d->nefc, "efc_Y_rowadr");
  if (!l.number || !l.spare || !l.stamp || !x || !d->efc_Y_rownnz || !d->efc_Y_rowadr) return false;
  for (int k = 0; k < m->nv; k++) l.stamp[k] = 0;
  int64_t total = lay_out_Y(m, d, &l);
  d->efc_Y_colind = CTI_ARENA(d, int, total, "efc_Y_colind");
  d->efc_Y = CTI_ARENA(d, ctReal, total, "efc_Y");
  if (!d->efc_Y_colind || !d->efc_Y) return false;
  d->nY = (int)total;
  for (int k = 0; k < m->nv; k++) l.stamp[k] = 0;
  for (int i = 0; i < d->nefc; i++) {
    if (!cti_row_follows(d->efc_J_rowsuper, i)) projected_columns(m, d, i, &l);
    for (int k = 0; k < l.count; k++) d->efc_Y_colind[d->efc_Y_rowadr[i] + k] = l.number[k];
    project_row(m, d, i, root, x);
  }
  return true;
}

static CT_FN bool dense_Y(const ctModel* m, ctData* d, const ctReal* root) {
  d->efc_Y = CTI_ARENA(d, ctReal, (int64_t)d->nefc * m->nv, "efc_Y");
  if (!d->efc_Y) return false;
  d->nY = d->nefc * m->nv;
  cti_team_copy(d->efc_Y, d->efc_J, d->nY);
  half_solve(m, d, root, d->efc_Y, d->nefc);
  return true;
}

// ---- AR ----

// Y by columns: rows that have each, ascending, and their numbers.
typedef struct Transpose {
  int *nnz, *adr, *row;
  ctReal* value;
} Transpose;

static CT_FN bool transpose_Y(const ctModel* m, ctData* d, Transpose* t) {
  t->nnz = CTI_SCRATCH(d, int, m->nv, "project.t_nnz");
  t->adr = CTI_SCRATCH(d, int, m->nv, "project.t_adr");
  t->row = CTI_SCRATCH(d, int, d->nY, "project.t_row");
  t->value = CTI_SCRATCH(d, ctReal, d->nY, "project.t_value");
  if (!t->nnz || !t->adr || !t->row || !t->value) return false;
  cti_csr_transpose(t->value, t->nnz, t->adr, t->row, d->efc_Y, d->efc_Y_rownnz, d->efc_Y_rowadr,
                    d->efc_Y_colind, d->nefc, m->nv);
  return true;
}

// Rows that share a dof with row i.
static CT_FN void neighbours(const ctData* d, int i, const Transpose* t, List* l) {
  l->tag = i + 1;
  l->count = 0;
  for (int k = d->efc_Y_rowadr[i]; k < d->efc_Y_rowadr[i] + d->efc_Y_rownnz[i]; k++) {
    int c = d->efc_Y_colind[k], begin = l->count;
    for (int r = t->adr[c]; r < t->adr[c] + t->nnz[c]; r++) {
      if (list_is_new(l, t->row[r])) l->number[l->count++] = t->row[r];
    }
    list_merge(l, begin);
  }
}

static CT_FN int64_t lay_out_AR(ctData* d, const Transpose* t, List* l) {
  int64_t total = 0;
  for (int i = 0; i < d->nefc; i++) {
    if (!cti_row_follows(d->efc_J_rowsuper, i)) neighbours(d, i, t, l);
    d->efc_AR_rowadr[i] = (int)total;
    d->efc_AR_rownnz[i] = l->count;
    total += l->count;
  }
  return total;
}

// Rows that are squared together: those with the same columns have the same neighbours.
#define GROUP 4

// sum[GROUP k + r]: row i + r of Y times row k, for all rows k up to `last` that share a dof.
CTI_SIMD_FN void square_rows_simd(const ctData* d, int i, int n, const Transpose* t, ctReal* sum) {
  int last = i + n - 1;
  for (int k = 0; k < d->efc_Y_rownnz[i]; k++) {
    ctReal y[GROUP];
    for (int r = 0; r < GROUP; r++) y[r] = r < n ? d->efc_Y[d->efc_Y_rowadr[r < n ? i + r : i] + k] : 0;
    int at = t->adr[d->efc_Y_colind[d->efc_Y_rowadr[i] + k]] - 1;
    do {
      at++;
      cti_vec4_add(sum + GROUP * t->row[at], y, t->value[at]);
    } while (t->row[at] < last);  // the last row is in the list of each of its columns
  }
}
static CT_FN void square_rows(const ctData* d, int i, int n, const Transpose* t, ctReal* sum);
CTI_SIMD_DISPATCH(void, , square_rows, square_rows_simd,
                  (const ctData* d, int i, int n, const Transpose* t, ctReal* sum), (d, i, n, t, sum))

// Row i of Y Y' + R up to its diagonal, and the mirror image of that, where rows before it are waiting for
// it: `filled` says how far each is done. sum: of row k at [GROUP k].
static CT_FN void fill_row(ctData* d, int i, const List* l, const ctReal* sum, int* filled) {
  ctReal* AR = d->efc_AR + d->efc_AR_rowadr[i];
  int* col = d->efc_AR_colind + d->efc_AR_rowadr[i];
  for (int k = 0; k < l->count; k++) col[k] = l->number[k];
  int k = 0;
  for (; k < l->count && col[k] < i; k++) {
    AR[k] = sum[GROUP * col[k]];
    d->efc_AR[d->efc_AR_rowadr[col[k]] + filled[col[k]]++] = AR[k];
  }
  if (k < l->count) AR[k++] = sum[GROUP * i] + d->efc_R[i];
  filled[i] = k;
}

static CT_FN bool sparse_AR(const ctModel* m, ctData* d) {
  int n = d->nefc;
  Transpose t;
  List l;
  l.number = CTI_SCRATCH(d, int, n, "project.neighbours");
  l.spare = CTI_SCRATCH(d, int, n, "project.spare");
  l.stamp = CTI_SCRATCH(d, int, n, "project.stamp");
  int* filled = CTI_SCRATCH(d, int, n, "project.filled");
  ctReal* sum = CTI_SCRATCH(d, ctReal, GROUP * (int64_t)n, "project.sum");
  d->efc_AR_rownnz = CTI_ARENA(d, int, n, "efc_AR_rownnz");
  d->efc_AR_rowadr = CTI_ARENA(d, int, n, "efc_AR_rowadr");
  if (!l.number || !l.spare || !l.stamp || !filled || !sum || !d->efc_AR_rownnz || !d->efc_AR_rowadr)
    return false;
  if (!transpose_Y(m, d, &t)) return false;
  for (int k = 0; k < n; k++) l.stamp[k] = 0;
  int64_t total = lay_out_AR(d, &t, &l);
  d->efc_AR_colind = CTI_ARENA(d, int, total, "efc_AR_colind");
  d->efc_AR = CTI_ARENA(d, ctReal, total, "efc_AR");
  if (!d->efc_AR_colind || !d->efc_AR) return false;
  d->nA = (int)total;
  for (int k = 0; k < n; k++) l.stamp[k] = 0;
  for (int i = 0; i < n;) {
    if (!cti_row_follows(d->efc_J_rowsuper, i)) neighbours(d, i, &t, &l);
    int group = cti_rows_together(d->efc_J_rowsuper, i);
    for (int k = 0; k < l.count && l.number[k] < i + group; k++) {
      for (int r = 0; r < GROUP; r++) sum[GROUP * l.number[k] + r] = 0;
    }
    square_rows(d, i, group, &t, sum);
    for (int r = 0; r < group; r++) fill_row(d, i + r, &l, sum + r, filled);
    i += group;
  }
  return true;
}

static CT_FN bool dense_AR(const ctModel* m, ctData* d) {
  int n = d->nefc;
  d->efc_AR = CTI_ARENA(d, ctReal, (int64_t)n * n, "efc_AR");
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

CT_FN ctStatus cti_project(const ctModel* m, ctData* d, bool forward) {
  if (!needs_dual(m, forward)) return CT_OK;
  size_t mark = cti_scratch_mark(d);
  bool sparse = cti_is_sparse(m), ok;
  ctReal* root = CTI_SCRATCH(d, ctReal, m->nv, "project.root");
  ok = root != (ctReal*)0;
  for (int i = 0; i < m->nv && ok; i++)
    root[i] = cti_sqrt(cti_data_const(d)->metric.on ? cti_data_const(d)->metric.Dinv[i] : d->qLDiagInv[i]);
  ok = ok && (sparse ? sparse_Y(m, d, root) : dense_Y(m, d, root));
  if (ok && (m->opt.enableflags & CT_ENBL_DIAGEXACT)) ok = exact_impedance(m, d, sparse);
  if (ok && solves_dual(m)) ok = sparse ? sparse_AR(m, d) : dense_AR(m, d);
  cti_scratch_release(d, mark);
  return ok ? CT_OK : CT_STEP_OVERFLOW;
}
