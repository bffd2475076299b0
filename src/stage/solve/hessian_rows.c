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
      at[(b->col[c] - b->col[r]) * CTI_SKYLINE_GROUP] +=
          (a0 * v0[c] + a1 * v1[c]) + (a2 * v2[c] + a3 * v3[c]);
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
  const int *adr = h->sky.adr, nv = p->nv, room = (int)h->sky.room;
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
    CT_LANES(e, room) {
      const int r = row_of[e];
      if (CTI_SKYLINE_GROUP > 1 && r == CTI_NO_ROW) continue;
      const int c = r + (e - adr[r]) / CTI_SKYLINE_GROUP;
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

#if defined(CTK_TEAMS)
// The same for sparse rows, by a team or a crew: rows of H belong to warps, and each looks for its own among
// the batches, which follow each other in the same order for all.

typedef struct SquaresShare {
  const ctiHessian* h;
  int batches;
} SquaresShare;

// One batch, at `start`.
static CT_FN void add_batch(const ctiHessian* h, const int* start) {
  const ctiProblem* p = h->p;
  const int *rows = h->rows + start[0], *rowadr = p->J_rowadr, *col = p->J_colind + rowadr[rows[0]];
  const int count = start[1] - start[0], n = p->J_rownnz[rows[0]];
  ctReal D[BATCH];
  const ctReal* value[BATCH];
  for (int q = 0; q < BATCH; q++) {
    const int i = rows[q < count ? q : 0];
    D[q] = q >= count ? 0 : p->state[i] == CTI_ROW_QUADRATIC ? p->D[i] : -p->D[i];
    value[q] = p->J + rowadr[i];
  }
  for (int from = 0; from < n; from += CT_TEAM) {
    const int k = from + CT_LANE, place = k < n ? cti_hessian_place(h, col[k]) : -1;
    const bool own = place >= 0 && cti_crew_owns(place);
    for (unsigned left = cti_team_ballot(own); left; left &= left - 1) {
      const int r = from + __ffs((int)left) - 1, row = cti_team_from(place, r - from);
      const ctReal a[BATCH] = {D[0] * value[0][r], D[1] * value[1][r], D[2] * value[2][r],
                               D[3] * value[3][r]};
      ctReal* H = h->H + h->sky.adr[row];
      CT_LANES(c, n) {
        const int at = cti_hessian_place(h, col[c]) - row;
        if (at >= 0)
          H[at * CTI_SKYLINE_GROUP] +=
              (a[0] * value[0][c] + a[1] * value[1][c]) + (a[2] * value[2][c] + a[3] * value[3][c]);
      }
    }
  }
  CT_TEAM_SYNC();
}

static CT_FN int squares_share(const void* args) {
  CT_COPY(SquaresShare, share, (const SquaresShare*)args);
  const ctiHessian* h = share.h;
  const ctiProblem* p = h->p;
  const int *rows = h->rows, *starts = h->starts, *colind = p->J_colind, *rowadr = p->J_rowadr,
            *rownnz = p->J_rownnz;
  for (int chunk = 0; chunk < share.batches; chunk += CT_TEAM) {
    const int mine = chunk + CT_LANE, i = rows[starts[mine < share.batches ? mine : 0]];
    const bool some = mine < share.batches && cti_crew_owns_some(colind + rowadr[i], rownnz[i], h->place);
    for (unsigned batches = cti_team_ballot(some); batches; batches &= batches - 1)
      add_batch(h, starts + chunk + __ffs((int)batches) - 1);
  }
  return 0;
}

CT_INLINE bool have_same_columns(const ctiProblem* p, int a, int b) {
  if (p->J_rowsuper[a] >= b - a) return true;
  return p->J_rownnz[a] == p->J_rownnz[b] &&
         same_columns(p->J_colind + p->J_rowadr[a], p->J_colind + p->J_rowadr[b], p->J_rownnz[a]);
}

// Where batches begin in h->rows: as fill_batch() would have them.
static CT_FN int list_batches(ctiHessian* h, int n) {
  int count = 0, run = 0;  // the row that the last one has its columns from
  for (int first = 0; first < n; first += CT_TEAM) {
    const int k = first + CT_LANE;
    const bool begins = k < n && (k == 0 || !have_same_columns(h->p, h->rows[k - 1], h->rows[k]));
    const unsigned runs = cti_team_ballot(begins), below = runs & ((2u << CT_LANE) - 1);
    const int from = below ? first + 31 - __clz((int)below) : run;
    const bool starts = k < n && (k - from) % BATCH == 0;
    const int place = count + cti_team_rank(starts);
    if (starts) h->starts[place] = k;
    count += cti_team_count(starts);
    if (runs) run = first + 31 - __clz((int)runs);
  }
  h->starts[count] = n;
  CT_TEAM_SYNC();
  return count;
}

static CT_FN void team_add_sparse(ctiHessian* h, int n) {
  const SquaresShare share = {h, list_batches(h, n)};
  CTI_CREW_RUN(squares_share, &share);
  CT_TEAM_SYNC();
}
#endif

// H += rows' T for dense rows, by a team: an element of H for each lane.
static CT_FN void team_add_product(const ctiHessian* h, ctReal* H, const ctReal* rows, const ctReal* T,
                                   int dim) {
  const int *adr = h->sky.adr, nv = h->p->nv, room = (int)h->sky.room;
  const uint16_t* row_of = h->row_of;
  CT_LANES(e, room) {
    const int r = row_of[e];
    if (CTI_SKYLINE_GROUP > 1 && r == CTI_NO_ROW) continue;
    const int c = r + (e - adr[r]) / CTI_SKYLINE_GROUP;
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
#if defined(CTK_TEAMS)
  if (h->p->sparse) {
    team_add_sparse(h, n);
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
      for (int b = a; b < n; b++) at[(col[b] - col[a]) * CTI_SKYLINE_GROUP] += value * T[r * n + b];
    }
  }
  CT_TEAM_SYNC();
}
