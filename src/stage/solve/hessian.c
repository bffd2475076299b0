#include "stage/solve/hessian.h"

#include "data/arena.h"
#include "math/dense.h"
#include "math/vec3.h"
#include "stage/solve/cost.h"

// Rank-one updates are worth it up to this part of the size: each walks over the whole factor.
#define UPDATES_PER_DOF CT_R(0.1)

// H is made anew when what is left of a diagonal is smaller than this part of what was taken from it.
#define WORN (sizeof(ctReal) == 4 ? CT_R(1e-4) : CT_R(1e-9))

// ---- pattern ----

CT_INLINE void reach(int* last, int from, int to) {
  if (last[from] < to) last[from] = to;
}

CT_INLINE bool any_in_column(const ctReal* J, int rows, int nv, int k) {
  for (int r = 0; r < rows; r++) {
    if (J[r * nv + k] != 0) return true;
  }
  return false;
}

// A dense block of rows that are multiplied with each other: its columns are those of any of its rows.
static CT_FN void reach_dense(int* last, const ctReal* J, int rows, int nv) {
  int end = nv - 1;
  while (end >= 0 && !any_in_column(J, rows, nv, end)) end--;
  for (int k = 0; k <= end; k++) {
    if (last[k] < end && any_in_column(J, rows, nv, k)) last[k] = end;
  }
}

// How far right each row of H goes, over M and all rows of J, active or not.
static CT_FN void hessian_pattern(ctiHessian* h) {
  const ctiProblem* p = h->p;
  int* last = h->sky.last;
  for (int i = 0; i < p->nv; i++) {
    last[i] = i;
    for (int k = p->M_rowadr[i]; k < p->M_rowadr[i] + p->M_rownnz[i]; k++) reach(last, p->M_colind[k], i);
  }
  for (int i = 0; i < p->nefc;) {
    // the rows of an elliptic contact make one block; in sparse form they have the same columns
    int rows = p->type[i] == CT_CNSTR_CONTACT_ELLIPTIC ? p->contact[p->id[i]].dim : 1;
    if (p->sparse) {
      int n = p->J_rownnz[i];
      const int* col = p->J_colind + p->J_rowadr[i];
      for (int k = 0; k < n; k++) reach(last, col[k], col[n - 1]);
    } else {
      reach_dense(last, p->J + i * p->nv, rows, p->nv);
    }
    i += rows;
  }
  cti_skyline_layout(&h->sky);
}

CT_FN bool cti_hessian_allocate(ctiHessian* h, const ctiProblem* p) {
  h->p = p;
  h->sky.n = p->nv;
  h->sky.last = CTI_SCRATCH(p->d, int, p->nv, "hessian.last");
  h->sky.first = CTI_SCRATCH(p->d, int, p->nv, "hessian.first");
  h->sky.adr = CTI_SCRATCH(p->d, int, p->nv, "hessian.adr");
  h->work = CTI_SCRATCH(p->d, ctReal, 6 * p->nv, "hessian.work");
  h->state = CTI_SCRATCH(p->d, int, p->nefc, "hessian.state");
  if (!h->sky.last || !h->sky.first || !h->sky.adr || !h->work || !h->state) return false;
  hessian_pattern(h);
  h->H = CTI_SCRATCH(p->d, ctReal, h->sky.size, "hessian.H");
  h->U = CTI_SCRATCH(p->d, ctReal, h->sky.size, "hessian.U");
  h->cones = false;
  h->updates = 0;
  return h->H && h->U;
}

// ---- products ----

// Rows with the same columns are added together, as many as this: H is then walked over once for all of them.
#define BATCH 4

typedef struct RowBatch {
  int count;
  ctReal D[BATCH];
  const ctReal* value[BATCH];
  const int* col;  // columns that all rows share; NULL for dense rows
  int n;           // their number
} RowBatch;

static CT_FN void add_sparse(const ctiSkyline* sky, ctReal* H, const RowBatch* b) {
  const ctReal *v0 = b->value[0], *v1 = b->value[1], *v2 = b->value[2], *v3 = b->value[3];
  for (int r = 0; r < b->n; r++) {
    ctReal a0 = b->D[0] * v0[r], a1 = b->D[1] * v1[r], a2 = b->D[2] * v2[r], a3 = b->D[3] * v3[r];
    ctReal* at = H + (sky->adr[b->col[r]] - b->col[r]);
    for (int c = r; c < b->n; c++) at[b->col[c]] += (a0 * v0[c] + a1 * v1[c]) + (a2 * v2[c] + a3 * v3[c]);
  }
}

static CT_FN void flush_batch(const ctiHessian* h, ctReal* H, RowBatch* b) {
  if (b->count == 0) return;
  for (int k = b->count; k < BATCH; k++) {
    b->D[k] = 0;
    b->value[k] = b->value[0];
  }
  if (b->col) {
    add_sparse(&h->sky, H, b);
  } else {
    cti_skyline_add4(&h->sky, H, b->D, b->value);
  }
  b->count = 0;
}

CT_INLINE bool same_columns(const int* a, const int* b, int n) {
  for (int k = 0; k < n; k++) {
    if (a[k] != b[k]) return false;
  }
  return true;
}

// H += D row row', at the latest when the batch is flushed
static CT_FN void add_row_square(const ctiHessian* h, ctReal* H, RowBatch* b, int i, ctReal D) {
  const ctiProblem* p = h->p;
  const int* col = p->sparse ? p->J_colind + p->J_rowadr[i] : (const int*)0;
  int n = p->sparse ? p->J_rownnz[i] : p->nv;
  bool fits = b->count < BATCH && (!col || (b->count > 0 && b->n == n && same_columns(b->col, col, n)));
  if (!fits) flush_batch(h, H, b);
  b->col = col;
  b->n = n;
  b->D[b->count] = D;
  b->value[b->count++] = p->J + (p->sparse ? p->J_rowadr[i] : i * p->nv);
}

// H += rows' block rows for the `dim` rows of a contact from row i on. They have the same columns.
static CT_FN void add_cone_block(const ctiHessian* h, ctReal* H, int i, const ctReal* block, int dim) {
  const ctiProblem* p = h->p;
  int n = p->sparse ? p->J_rownnz[i] : p->nv;
  const int* col = p->sparse ? p->J_colind + p->J_rowadr[i] : (const int*)0;
  const ctReal* row[6];
  for (int r = 0; r < dim; r++) row[r] = p->J + (p->sparse ? p->J_rowadr[i + r] : (i + r) * p->nv);
  // block times rows
  ctReal* T = h->work;
  for (int r = 0; r < dim; r++) {
    cti_scale(T + r * n, row[0], block[r * dim], n);
    for (int c = 1; c < dim; c++) cti_add_scaled(T + r * n, row[c], block[r * dim + c], n);
  }
  for (int a = 0; a < n; a++) {
    int ca = col ? col[a] : a;
    ctReal* at = H + h->sky.adr[ca] - ca;
    int end = col ? n - 1 : h->sky.last[a];
    for (int r = 0; r < dim; r++) {
      ctReal value = row[r][a];
      if (value == 0) continue;
      if (col) {
        for (int b = a; b <= end; b++) at[col[b]] += value * T[r * n + b];
      } else {
        cti_add_scaled(at + a, T + r * n + a, value, end - a + 1);
      }
    }
  }
}

static CT_FN int factor_with_cones(ctiHessian* h) {
  const ctiProblem* p = h->p;
  cti_copy(h->U, h->H, h->sky.size);
  h->cones = false;
  for (int i = 0; i < p->nefc; i++) {
    if (p->state[i] != CTI_ROW_CONE) continue;
    const ctContact* con = p->contact + p->id[i];
    add_cone_block(h, h->U, i, con->H, con->dim);
    h->cones = true;
    i += con->dim - 1;
  }
  return cti_skyline_factor(&h->sky, h->U, CTI_MINVAL);
}

CT_FN int cti_hessian_make(ctiHessian* h) {
  const ctiProblem* p = h->p;
  cti_zero(h->H, h->sky.size);
  for (int i = 0; i < p->nv; i++) {
    for (int k = p->M_rowadr[i]; k < p->M_rowadr[i] + p->M_rownnz[i]; k++)
      h->H[cti_skyline_at(&h->sky, p->M_colind[k], i)] = p->M[k];
  }
  RowBatch batch;
  batch.count = 0;
  for (int i = 0; i < p->nefc; i++) {
    h->state[i] = p->state[i];
    if (p->state[i] == CTI_ROW_QUADRATIC) add_row_square(h, h->H, &batch, i, p->D[i]);
  }
  flush_batch(h, h->H, &batch);
  return factor_with_cones(h);
}

// ---- changes ----

// One row joins or leaves the factor.
static CT_FN int update_factor(ctiHessian* h, int i, bool add) {
  const ctiProblem* p = h->p;
  ctReal *v = h->work, root = cti_sqrt(p->D[i]);
  int top = p->nv - 1;
  if (p->sparse) {
    int n = p->J_rownnz[i];
    const int* col = p->J_colind + p->J_rowadr[i];
    cti_zero(v, p->nv);
    for (int k = 0; k < n; k++) v[col[k]] = root * p->J[p->J_rowadr[i] + k];
    top = n > 0 ? col[n - 1] : -1;
  } else {
    cti_scale(v, p->J + i * p->nv, root, p->nv);
  }
  h->updates++;
  return cti_skyline_update(&h->sky, h->U, v, top, add);
}

// Has a row that was taken out of H left so little in its columns that it is mostly rounding?
static CT_FN bool leaves_rounding(const ctiHessian* h, int i) {
  const ctiProblem* p = h->p;
  const int* col = p->sparse ? p->J_colind + p->J_rowadr[i] : (const int*)0;
  const ctReal* row = p->J + (p->sparse ? p->J_rowadr[i] : i * p->nv);
  int n = p->sparse ? p->J_rownnz[i] : p->nv;
  for (int k = 0; k < n; k++) {
    ctReal left = h->H[h->sky.adr[col ? col[k] : k]];
    if (row[k] != 0 && !(left > WORN * p->D[i] * row[k] * row[k])) return true;
  }
  return false;
}

CT_FN int cti_hessian_update(ctiHessian* h) {
  const ctiProblem* p = h->p;
  bool cones = false;
  int changes = 0;
  h->updates = 0;
  for (int i = 0; i < p->nefc; i++) {
    cones = cones || p->state[i] == CTI_ROW_CONE;
    changes += p->state[i] != h->state[i];
  }
  bool refactor = cones || h->cones || (ctReal)changes > UPDATES_PER_DOF * (ctReal)p->nv;
  RowBatch batch;
  batch.count = 0;
  for (int i = 0; i < p->nefc; i++) {
    bool was = h->state[i] == CTI_ROW_QUADRATIC, is = p->state[i] == CTI_ROW_QUADRATIC;
    if (was == is) continue;
    add_row_square(h, h->H, &batch, i, is ? p->D[i] : -p->D[i]);
    // additions and subtractions in turn may lose a pivot: then the factor is made anew
    if (!refactor) refactor = update_factor(h, i, is) < p->nv;
  }
  flush_batch(h, h->H, &batch);
  bool worn = false;
  for (int i = 0; i < p->nefc; i++) {
    bool left = h->state[i] == CTI_ROW_QUADRATIC && p->state[i] != CTI_ROW_QUADRATIC;
    worn = worn || (left && leaves_rounding(h, i));
    h->state[i] = p->state[i];
  }
  if (worn) return cti_hessian_make(h);
  return refactor ? factor_with_cones(h) : p->nv;
}

CT_FN void cti_hessian_solve(const ctiHessian* h, ctReal* x, const ctReal* b) {
  cti_skyline_solve(&h->sky, h->U, x, b);
}
