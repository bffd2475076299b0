// What rows add to the Hessian: their squares, and the blocks of cones.
#include "math/sparse.h"
#include "math/vec3.h"
#include "stage/solve/hessian.h"
#include "stage/solve/row_cost.h"

// ---- rows in order ----

// Columns of a row as they come in H, ascending, into h->col, and where each was into h->order.
static CT_FN void order_columns(ctiHessian* h, const int* col, int n) {
  for (int k = 0; k < n; k++) {
    int at = k, place = h->place[col[k]];
    for (; at > 0 && h->col[at - 1] > place; at--) {
      h->col[at] = h->col[at - 1];
      h->order[at] = h->order[at - 1];
    }
    h->col[at] = place;
    h->order[at] = k;
  }
}

// A row in that order, as the r-th of h->value.
static CT_FN const ctReal* order_row(ctiHessian* h, const ctReal* row, int n, int r) {
  ctReal* to = h->value + r * n;
  for (int k = 0; k < n; k++) to[k] = row[h->order[k]];
  return to;
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
  CT_LANES(r, b->n) {
    ctReal a0 = b->D[0] * v0[r], a1 = b->D[1] * v1[r], a2 = b->D[2] * v2[r], a3 = b->D[3] * v3[r];
    ctReal* at = H + sky->adr[b->col[r]];
    for (int c = r; c < b->n; c++)
      at[b->col[c] - b->col[r]] += (a0 * v0[c] + a1 * v1[c]) + (a2 * v2[c] + a3 * v3[c]);
  }
  CT_TEAM_SYNC();
}

CT_INLINE bool same_columns(const int* a, const int* b, int n) {
  for (int k = 0; k < n; k++) {
    if (a[k] != b[k]) return false;
  }
  return true;
}

// The first of `n` rows and those after it that can be added with it. Rows that are not active leave H.
static CT_FN void fill_batch(ctiHessian* h, RowBatch* b, const int* rows, int n) {
  const ctiProblem* p = h->p;
  b->col = p->sparse ? p->J_colind + p->J_rowadr[rows[0]] : (const int*)0;
  b->n = p->sparse ? p->J_rownnz[rows[0]] : p->nv;
  for (b->count = 0; b->count < n && b->count < BATCH; b->count++) {
    int i = rows[b->count];
    if (b->col && (p->J_rownnz[i] != b->n || !same_columns(b->col, p->J_colind + p->J_rowadr[i], b->n)))
      break;
    b->D[b->count] = p->state[i] == CTI_ROW_QUADRATIC ? p->D[i] : -p->D[i];
    b->value[b->count] = p->J + (p->sparse ? p->J_rowadr[i] : i * p->nv);
  }
  if (h->place) {
    order_columns(h, b->col, b->n);
    for (int k = 0; k < b->count; k++) b->value[k] = order_row(h, b->value[k], b->n, k);
    b->col = h->col;
  }
  for (int k = b->count; k < BATCH; k++) {
    b->D[k] = 0;
    b->value[k] = b->value[0];
  }
}

#if defined(__CUDACC__)
// The same by a team for dense rows, `n` of h->rows: an element of H for each lane. Where rows begin in J,
// and their weights, are handed from lane to lane, those of so many rows at a time.
static CT_FN void team_add_squares(ctiHessian* h, int n) {
  const ctiProblem* p = h->p;
  const int *adr = h->sky.adr, nv = p->nv, size = (int)h->sky.size;
  const uint16_t* row_of = h->row_of;
  ctReal* H = h->H;
  ctiFourInts* begin = (ctiFourInts*)cti_team_box();
  ctiFour* weight = cti_team_box() + CT_TEAM / BATCH;
  for (int first = 0; first < n; first += CT_TEAM) {
    const int left = n - first, i = h->rows[first + (CT_LANE < left ? CT_LANE : 0)];
    const ctReal D = p->state[i] == CTI_ROW_QUADRATIC ? p->D[i] : -p->D[i];
    ((int*)begin)[CT_LANE] = i * nv;
    ((ctReal*)weight)[CT_LANE] = CT_LANE < left ? D : 0;
    CT_TEAM_SYNC();
    const int batches = ((left < CT_TEAM ? left : CT_TEAM) + BATCH - 1) / BATCH;
    CT_LANES(e, size) {
      const int r = row_of[e], c = r + e - adr[r];
      const ctReal *Jr = p->J + r, *Jc = p->J + c;
      ctReal sum = H[e];
      for (int k = 0; k < batches; k++) {
        const ctiFourInts at = begin[k];
        const ctiFour d = weight[k];
        const ctReal a0 = d.x[0] * Jr[at.x[0]], a1 = d.x[1] * Jr[at.x[1]], a2 = d.x[2] * Jr[at.x[2]],
                     a3 = d.x[3] * Jr[at.x[3]];
        const ctReal more = (a0 * Jc[at.x[0]] + a1 * Jc[at.x[1]]) + (a2 * Jc[at.x[2]] + a3 * Jc[at.x[3]]);
        if (a0 != 0 || a1 != 0 || a2 != 0 || a3 != 0) sum += more;
      }
      H[e] = sum;
    }
    CT_TEAM_SYNC();
  }
}
#endif

// H += rows' T for dense rows, by a team: an element of H for each lane.
static CT_FN void team_add_product(const ctiHessian* h, ctReal* H, const ctReal* rows, const ctReal* T,
                                   int dim) {
  const int *adr = h->sky.adr, nv = h->p->nv, size = (int)h->sky.size;
  const uint16_t* row_of = h->row_of;
  CT_LANES(e, size) {
    const int r = row_of[e], c = r + e - adr[r];
    ctReal sum = H[e];
    for (int k = 0; k < dim; k++) {
      const ctReal value = rows[k * nv + r];
      if (value != 0) sum += value * T[k * nv + c];
    }
    H[e] = sum;
  }
  CT_TEAM_SYNC();
}

CT_FN void cti_hessian_add_rows(ctiHessian* h, int n) {
#if defined(__CUDACC__)
  if (CT_TEAM > 1 && !h->p->sparse) {
    team_add_squares(h, n);
    return;
  }
#endif
  RowBatch batch;
  for (int k = 0; k < n; k += batch.count) {
    fill_batch(h, &batch, h->rows + k, n - k);
    if (batch.col) {
      add_sparse(&h->sky, h->H, &batch);
    } else {
      cti_skyline_add4(&h->sky, h->H, batch.D, batch.value);
    }
  }
}

CT_FN void cti_hessian_add_cone(ctiHessian* h, ctReal* H, int i, const ctReal* block, int dim) {
  const ctiProblem* p = h->p;
  if (CT_TEAM == 1 && !p->sparse) {
    cti_skyline_add_block(&h->sky, H, p->J + i * p->nv, block, dim, h->work);
    return;
  }
  int n = p->sparse ? p->J_rownnz[i] : p->nv;
  const int* col = p->sparse ? p->J_colind + p->J_rowadr[i] : (const int*)0;
  const ctReal* row[6];
  for (int r = 0; r < dim; r++) row[r] = p->J + (p->sparse ? p->J_rowadr[i + r] : (i + r) * p->nv);
  if (h->place) {
    order_columns(h, col, n);
    for (int r = 0; r < dim; r++) row[r] = order_row(h, row[r], n, r);
    col = h->col;
  }
  // block times rows
  ctReal* T = h->work;
  if (CT_TEAM > 1) {
    CT_LANES(k, n) {
      for (int r = 0; r < dim; r++) {
        ctReal sum = row[0][k] * block[r * dim];
        for (int c = 1; c < dim; c++) sum += block[r * dim + c] * row[c][k];
        T[r * n + k] = sum;
      }
    }
    CT_TEAM_SYNC();
  } else {
    for (int r = 0; r < dim; r++) {
      cti_scale(T + r * n, row[0], block[r * dim], n);
      for (int c = 1; c < dim; c++) cti_add_scaled(T + r * n, row[c], block[r * dim + c], n);
    }
  }
  if (CT_TEAM > 1 && !col) {
    team_add_product(h, H, row[0], T, dim);  // rows follow each other
    return;
  }
  CT_LANES(a, n) {
    ctReal* at = H + h->sky.adr[col[a]];
    for (int r = 0; r < dim; r++) {
      ctReal value = row[r][a];
      if (value == 0) continue;
      for (int b = a; b < n; b++) at[col[b] - col[a]] += value * T[r * n + b];
    }
  }
  CT_TEAM_SYNC();
}
