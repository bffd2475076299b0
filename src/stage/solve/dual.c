#include "stage/solve/dual.h"

#include "data/arena.h"
#include "math/dense.h"
#include "math/simd.h"
#include "math/sparse.h"
#include "math/vec3.h"
#include "stage/constraint/constraint.h"
#include "stage/position/position.h"
#include "stage/solve/row_cost.h"
#include "stage/solve/solve.h"

#define QCQP_ITERATIONS 20
#define QCQP_TOLERANCE  CT_R(1e-10)
#define QCQP_SINGULAR   CT_R(1e-10)

// Small symmetric systems: three dimensions by the inverse, more by Cholesky, whose diagonal holds inverses;
// in place. False when the determinant, or a pivot, is too small to be trusted.

static CT_FN bool invert3(ctReal* A) {
  ctReal c00 = A[4] * A[8] - A[5] * A[5], c01 = A[2] * A[5] - A[1] * A[8], c02 = A[1] * A[5] - A[2] * A[4];
  ctReal c11 = A[0] * A[8] - A[2] * A[2], c12 = A[1] * A[2] - A[0] * A[5], c22 = A[0] * A[4] - A[1] * A[1];
  ctReal determinant = A[0] * c00 + A[1] * c01 + A[2] * c02;
  if (!(determinant >= QCQP_SINGULAR)) return false;
  ctReal scale = 1 / determinant;
  A[0] = c00 * scale;
  A[4] = c11 * scale;
  A[8] = c22 * scale;
  A[1] = A[3] = c01 * scale;
  A[2] = A[6] = c02 * scale;
  A[5] = A[7] = c12 * scale;
  return true;
}

static CT_FN bool small_factor(ctReal* A, int n) {
  if (n == 3) return invert3(A);
  for (int j = 0; j < n; j++) {
    ctReal pivot = A[j * n + j];
    for (int k = 0; k < j; k++) pivot -= A[j * n + k] * A[j * n + k];
    if (!(pivot >= QCQP_SINGULAR)) return false;
    ctReal inverse = A[j * n + j] = 1 / cti_sqrt(pivot);
    for (int i = j + 1; i < n; i++) {
      ctReal sum = A[i * n + j];
      for (int k = 0; k < j; k++) sum -= A[i * n + k] * A[j * n + k];
      A[i * n + j] = sum * inverse;
    }
  }
  return true;
}

static CT_FN void small_solve(ctReal* x, const ctReal* A, const ctReal* b, int n) {
  if (n == 3) {
    cti_mul_mat_vec3(x, A, b);
    return;
  }
  for (int i = 0; i < n; i++) {
    ctReal sum = b[i];
    for (int k = 0; k < i; k++) sum -= A[i * n + k] * x[k];
    x[i] = sum * A[i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i] -= A[k * n + i] * x[k];
    x[i] *= A[i * n + i];
  }
}

// The same as below in two dimensions, where most contacts are: all in registers.
static CT_FN bool qcqp_plane(ctReal x[2], const ctReal A[4], const ctReal b[2], const ctReal d[2], ctReal r) {
  ctReal a = A[0] * d[0] * d[0], c = A[3] * d[1] * d[1], o = A[1] * d[0] * d[1];
  ctReal b0 = -b[0] * d[0], b1 = -b[1] * d[1], y0 = 0, y1 = 0, lambda = 0;
  for (int iteration = 0; iteration < QCQP_ITERATIONS; iteration++) {
    ctReal al = a + lambda, cl = c + lambda, determinant = al * cl - o * o;
    if (!(determinant >= QCQP_SINGULAR)) {
      x[0] = x[1] = 0;
      return false;
    }
    ctReal inverse = 1 / determinant;
    y0 = (cl * b0 - o * b1) * inverse;
    y1 = (al * b1 - o * b0) * inverse;
    ctReal excess = y0 * y0 + y1 * y1 - r * r;
    if (!(excess >= QCQP_TOLERANCE)) break;
    ctReal slope = 2 * ((cl * y0 - o * y1) * y0 + (al * y1 - o * y0) * y1) * inverse;
    ctReal step = excess / cti_max(CTI_MINVAL, slope);
    if (!(step >= QCQP_TOLERANCE)) break;
    lambda += step;
  }
  x[0] = y0 * d[0];
  x[1] = y1 * d[1];
  return lambda != 0;
}

CT_FN bool cti_qcqp(ctReal* x, const ctReal* A, const ctReal* b, const ctReal* d, ctReal r, int n) {
  ctReal scaled[CTI_QCQP_MAX * CTI_QCQP_MAX], minus_b[CTI_QCQP_MAX], L[CTI_QCQP_MAX * CTI_QCQP_MAX];
  ctReal y[CTI_QCQP_MAX], z[CTI_QCQP_MAX], lambda = 0;
  if (n == 2) return qcqp_plane(x, A, b, d, r);
  // in units of the axes the ellipsoid is a ball
  for (int i = 0; i < n; i++) {
    minus_b[i] = -b[i] * d[i];
    y[i] = 0;
    for (int k = 0; k < n; k++) scaled[i * n + k] = A[i * n + k] * d[i] * d[k];
  }
  // the multiplier, from 0 up, until (A + lambda) y = -b lies in the ball: Newton on |y|^2 - r^2
  for (int iteration = 0; iteration < QCQP_ITERATIONS; iteration++) {
    for (int i = 0; i < n * n; i++) L[i] = scaled[i];
    for (int i = 0; i < n; i++) L[i * n + i] += lambda;
    if (!small_factor(L, n)) {
      cti_zero(x, n);
      return false;
    }
    small_solve(y, L, minus_b, n);
    ctReal excess = cti_dot(y, y, n) - r * r;
    if (!(excess >= QCQP_TOLERANCE)) break;
    small_solve(z, L, y, n);
    ctReal step = excess / cti_max(CTI_MINVAL, 2 * cti_dot(y, z, n));
    if (!(step >= QCQP_TOLERANCE)) break;
    lambda += step;
  }
  for (int i = 0; i < n; i++) x[i] = y[i] * d[i];
  return lambda != 0;
}

// ---- the dual problem ----
// Over forces: minimise f' AR f / 2 + b' f within the limits of each row. Parts shared by the PGS solver and
// the noslip pass.

// With at least one in so many of its elements, AR of an island is stored with its zeros: vectors make up for
// them.
#define FILL 4

CT_FN void cti_dual_whole(ctiDual* dual, ctiProblem* p) {
  const ctData* d = p->d;
  dual->p = p;
  dual->sparse = p->sparse;
  dual->AR = d->efc_AR;
  dual->b = d->efc_b;
  dual->rownnz = d->efc_AR_rownnz;
  dual->rowadr = d->efc_AR_rowadr;
  dual->colind = d->efc_AR_colind;
  dual->elements = d->nA;
  dual->run_adr = dual->run_num = dual->run_first = dual->run_count = (const int*)0;
}

static CT_FN int island_elements(const ctData* d, const int* row, int n) {
  int count = 0;
  for (int i = 0; i < n; i++) count += d->efc_AR_rownnz[row[i]];
  return count;
}

// Rows with columns in the numbers of the island.
static CT_FN bool island_sparse_AR(ctiDual* dual, ctData* d, const int* row, int n, int base) {
  int* rownnz = CTI_SCRATCH(d, int, n, "island.AR_rownnz");
  int* rowadr = CTI_SCRATCH(d, int, n, "island.AR_rowadr");
  int* colind = CTI_SCRATCH(d, int, dual->elements, "island.AR_colind");
  ctReal* value = CTI_SCRATCH(d, ctReal, dual->elements, "island.AR");
  if (!rownnz || !rowadr || !colind || !value) return false;
  for (int i = 0, at = 0; i < n; i++) {
    rownnz[i] = d->efc_AR_rownnz[row[i]];
    rowadr[i] = at;
    for (int k = 0; k < rownnz[i]; k++, at++) {
      int from = d->efc_AR_rowadr[row[i]] + k;
      colind[at] = d->map_efc2iefc[d->efc_AR_colind[from]] - base;
      value[at] = d->efc_AR[from];
    }
  }
  dual->rownnz = rownnz;
  dual->rowadr = rowadr;
  dual->colind = colind;
  dual->AR = value;
  return true;
}

// The same, zeros included: the rows of a tree all have to do with each other.
static CT_FN bool island_filled_AR(ctiDual* dual, ctData* d, const int* row, int n, int base) {
  ctReal* AR = CTI_SCRATCH(d, ctReal, (int64_t)n * n, "island.AR");
  if (!AR) return false;
  cti_zero(AR, n * n);
  for (int i = 0; i < n; i++) {
    for (int k = 0, at = d->efc_AR_rowadr[row[i]]; k < d->efc_AR_rownnz[row[i]]; k++, at++)
      AR[i * n + d->map_efc2iefc[d->efc_AR_colind[at]] - base] = d->efc_AR[at];
  }
  dual->AR = AR;
  dual->sparse = false;
  return true;
}

CT_KERNEL_NOINLINE bool cti_dual_island(ctiDual* dual, ctiProblem* p, int island) {
  ctData* d = p->d;
  int base = d->island_iefcadr[island], n = p->nefc;
  const int* row = d->map_iefc2efc + base;
  cti_dual_whole(dual, p);
  ctReal* b = CTI_SCRATCH(d, ctReal, n, "island.b");
  if (!b) return false;
  for (int i = 0; i < n; i++) b[i] = d->efc_b[row[i]];
  dual->b = b;
  dual->elements = dual->sparse ? island_elements(d, row, n) : n * n;
  if (dual->sparse) {
    if (FILL * (int64_t)dual->elements >= (int64_t)n * n) return island_filled_AR(dual, d, row, n, base);
    return island_sparse_AR(dual, d, row, n, base);
  }
  if (n == d->nefc) return true;
  ctReal* AR = CTI_SCRATCH(d, ctReal, (int64_t)n * n, "island.AR");
  if (!AR) return false;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) AR[i * n + k] = d->efc_AR[row[i] * d->nefc + row[k]];
  }
  dual->AR = AR;
  return true;
}

CT_INLINE ctReal dual_row_dot(const ctiDual* dual, int i, const ctReal* f) {
  int n = dual->p->nefc;
  return dual->sparse
             ? cti_dot_sparse(dual->AR + dual->rowadr[i], dual->colind + dual->rowadr[i], f, dual->rownnz[i])
             : cti_dot(dual->AR + i * n, f, n);
}

// The runs of a row, noted where there is room for them; returns their number.
static CT_FN int find_runs(const ctiDual* dual, int i, int* first, int* count) {
  const int* col = dual->colind + dual->rowadr[i];
  int n = 0;
  for (int k = 0, begin = 0; k < dual->rownnz[i]; k++) {
    if (k + 1 < dual->rownnz[i] && col[k + 1] == col[k] + 1) continue;
    if (first) {
      first[n] = col[begin];
      count[n] = k + 1 - begin;
    }
    begin = k + 1;
    n++;
  }
  return n;
}

// Look for the runs, which cti_dual_move() needs; in scratch. False when that is full.
static CT_FN bool dual_find_runs(ctiDual* dual) {
  const ctiProblem* p = dual->p;
  if (!dual->sparse) return true;
  int total = 0, *adr = CTI_SCRATCH(p->d, int, p->nefc, "dual.run_adr"),
      *num = CTI_SCRATCH(p->d, int, p->nefc, "dual.run_num");
  if (!adr || !num) return false;
  for (int i = 0; i < p->nefc; i++) {
    bool follows = cti_row_follows(p->J_rowsuper, i);
    adr[i] = follows ? adr[i - 1] : total;
    num[i] = follows ? num[i - 1] : find_runs(dual, i, (int*)0, (int*)0);
    if (!follows) total += num[i];
  }
  int *first = CTI_SCRATCH(p->d, int, total, "dual.run_first"),
      *count = CTI_SCRATCH(p->d, int, total, "dual.run_count");
  if (!first || !count) return false;
  for (int i = 0; i < p->nefc; i += p->J_rowsuper[i] + 1) find_runs(dual, i, first + adr[i], count + adr[i]);
  dual->run_adr = adr;
  dual->run_num = num;
  dual->run_first = first;
  dual->run_count = count;
  return true;
}

CT_FN ctReal cti_dual_cost(const ctiDual* dual, const ctReal* force) {
  ctReal cost = 0;
  for (int i = 0; i < dual->p->nefc; i++) cost += force[i] * (dual_row_dot(dual, i, force) / 2 + dual->b[i]);
  return cost;
}

// Rows of the block that starts at row i: the dimension of an elliptic contact, else 1.
static CT_FN int dual_block_size(const ctiDual* dual, int i) {
  const ctiProblem* p = dual->p;
  return p->type[i] == CT_CNSTR_CONTACT_ELLIPTIC ? p->contact[p->id[i]].dim : 1;
}

// res = (AR f + b) of n rows from row i on
static CT_FN void dual_residual(const ctiDual* dual, ctReal* res, int i, int n) {
  for (int k = 0; k < n; k++) res[k] = dual->b[i + k] + dual_row_dot(dual, i + k, dual->p->force);
}

// res = AR f + b of all rows, and what changes there when the n forces from row i on change from `old`
static CT_FN void dual_residuals(const ctiDual* dual, ctReal* res) {
  const ctiProblem* p = dual->p;
  CT_TEAM_SYNC();
  if (dual->sparse) {
    // rows with the same dofs have the same neighbours
    cti_csr_mul_vec(res, dual->AR, dual->rownnz, dual->rowadr, p->J_rowsuper, dual->colind, p->force,
                    p->nefc);
  } else {
    cti_mul_mat_vec(res, dual->AR, p->force, p->nefc, p->nefc);
  }
  cti_team_add_to(res, dual->b, p->nefc);
}

// AR is symmetric: its rows are its columns.
CTI_SIMD_FN void dual_move_simd(const ctiDual* dual, ctReal* res, int i, int n, const ctReal* old) {
  int nefc = dual->p->nefc;
  for (int k = 0; k < n; k++) {
    ctReal change = dual->p->force[i + k] - old[k];
    if (change == 0) continue;
    if (dual->sparse) {
      const ctReal* value = dual->AR + dual->rowadr[i + k];
      const int *first = dual->run_first + dual->run_adr[i + k],
                *count = dual->run_count + dual->run_adr[i + k];
      for (int r = 0; r < dual->run_num[i + k]; value += count[r++])
        cti_row_add(res + first[r], value, change, count[r]);
    } else {
      cti_row_add(res, dual->AR + (i + k) * nefc, change, nefc);
    }
  }
}
CTI_SIMD_DISPATCH(void, , cti_dual_move, dual_move_simd,
                  (const ctiDual* dual, ctReal* res, int i, int n, const ctReal* old), (dual, res, i, n, old))

// Where column c of a sparse row is, or would be.
static CT_FN int dual_find(const ctiDual* dual, int i, int c) {
  int low = dual->rowadr[i], high = low + dual->rownnz[i];
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (dual->colind[middle] < c) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// The n x n block of AR from row i on
static CT_FN void dual_block(const ctiDual* dual, ctReal* block, int i, int n) {
  for (int r = 0; r < n; r++) {
    if (!dual->sparse) {
      cti_copy(block + r * n, dual->AR + (i + r) * dual->p->nefc + i, n);
      continue;
    }
    cti_zero(block + r * n, n);
    int end = dual->rowadr[i + r] + dual->rownnz[i + r];
    for (int k = dual_find(dual, i + r, i); k < end && dual->colind[k] < i + n; k++)
      block[r * n + dual->colind[k] - i] = dual->AR[k];
  }
}

// Change of the cost when the n forces from row i on change from `old` to what they are, `res` at `old`. A
// change that would raise the cost is taken back: then 0.
static CT_FN ctReal dual_accept(const ctReal* block, ctReal* force, const ctReal* old, const ctReal* res,
                                int n) {
  ctReal change = 0;
  for (int r = 0; r < n; r++) {
    ctReal along = 0;
    for (int c = 0; c < n; c++) along += block[r * n + c] * (force[c] - old[c]);
    change += (force[r] - old[r]) * (along / 2 + res[r]);
  }
  if (change <= CTI_DUAL_TOLERANCE) return change;
  cti_copy(force, old, n);
  return 0;
}

// Put friction back on its ellipsoid, for a normal force.
static CT_FN void dual_on_cone(ctReal* friction_force, const ctContact* con, ctReal normal) {
  ctReal square = 0;
  for (int k = 0; k < con->dim - 1; k++) {
    ctReal part = friction_force[k] / con->friction[k];
    square += part * part;
  }
  ctReal factor = cti_sqrt(normal * normal / cti_max(CTI_MINVAL, square));
  cti_scale(friction_force, friction_force, factor, con->dim - 1);
}

static CT_FN int cone_state(const ctContact* con, const ctReal* f) {
  if (f[0] <= 0) return CTI_ROW_SATISFIED;
  ctReal square = 0;
  for (int k = 1; k < con->dim; k++) square += f[k] * f[k] / (con->friction[k - 1] * con->friction[k - 1]);
  // forces on the surface of the cone have slipped there
  return square < f[0] * f[0] * (1 - CT_R(2e-12)) ? CTI_ROW_QUADRATIC : CTI_ROW_CONE;
}

// States of the rows from their forces.
static CT_FN void dual_states(ctiProblem* p) {
  for (int i = 0; i < p->nefc; i++) {
    ctReal f = p->force[i];
    if (p->type[i] == CT_CNSTR_CONTACT_ELLIPTIC) {
      const ctContact* con = p->contact + p->id[i];
      int state = cone_state(con, p->force + i);
      for (int k = 0; k < con->dim; k++) p->state[i + k] = state;
      i += con->dim - 1;
    } else if (i < p->ne) {
      p->state[i] = CTI_ROW_QUADRATIC;
    } else if (i < p->ne + p->nf) {
      ctReal limit = p->frictionloss[i];
      p->state[i] = f <= -limit ? CTI_ROW_LINEARPOS : f >= limit ? CTI_ROW_LINEARNEG : CTI_ROW_QUADRATIC;
    } else {
      p->state[i] = f <= 0 ? CTI_ROW_SATISFIED : CTI_ROW_QUADRATIC;
    }
  }
}

CT_KERNEL_NOINLINE void cti_dual_finish(const ctModel* m, ctData* d) {
  cti_mul_JT(m, d, d->qfrc_constraint, d->efc_force);
  cti_team_copy(d->qacc, d->qfrc_constraint, m->nv);
  if (cti_data_const(d)->metric.on) {
    cti_solve_metric(m, d, d->qacc);
  } else {
    cti_solve_mass(m, d, d->qacc);
  }
  cti_team_add_to(d->qacc, d->qacc_smooth, m->nv);
}

// ---- projected Gauss-Seidel ----
// Blocks (an elliptic contact is one) are visited in a shuffled order that is the same in every run.
// Momentum speeds up and restarts when it points back.
//   reads   the problem and its dual; p->force is the start
//   writes  p->force, state, niter, stat
//   before  projection, warm start

// A block of n rows needs n x n reals, n at most 6.
#define BLOCK_ROOM 6

typedef struct PgsScratch {
  int* order;
  int nblock;           // first rows of blocks, as they are visited
  int* before;          // states of the rows at the last report
  ctReal *start, *end;  // forces where the last sweep began, and where the one before it ended
  ctReal* res;          // AR f + b, kept up to date within a sweep
  ctReal* block;        // diagonal block of AR of each block, from BLOCK_ROOM times its first row on
  uint64_t seed;
} PgsScratch;

// ---- order ----

// PCG32: the state advances linearly, its high bits choose how the rest is folded and turned.
static CT_FN uint32_t pgs_random(uint64_t* seed) {
  uint64_t old = *seed;
  *seed = old * 6364136223846793005u + 1;
  uint32_t folded = (uint32_t)(((old >> 18) ^ old) >> 27), turn = (uint32_t)(old >> 59);
  return (folded >> turn) | (folded << ((32 - turn) & 31));
}

static CT_FN void pgs_shuffle(PgsScratch* s) {
  for (int i = s->nblock - 1; i > 0; i--) {
    int k = (int)(pgs_random(&s->seed) % (uint32_t)(i + 1)), swap = s->order[i];
    s->order[i] = s->order[k];
    s->order[k] = swap;
  }
}

// ---- one block ----

CT_INLINE ctReal clip_row(const ctiProblem* p, int i, ctReal f) {
  if (i < p->ne) return f;
  if (i < p->ne + p->nf) return cti_clip(f, -p->frictionloss[i], p->frictionloss[i]);
  return cti_max(0, f);
}

static CT_FN ctReal pgs_scalar(ctiDual* dual, const PgsScratch* s, int i) {
  ctReal res = s->res[i], diag = s->block[BLOCK_ROOM * i];
  ctReal* f = dual->p->force + i;
  ctReal old = *f;
  ctReal next = clip_row(dual->p, i, old - res / diag), step = next - old;
  ctReal change = step * (diag * step / 2 + res);
  if (next == old || !(change <= CTI_DUAL_TOLERANCE)) return 0;
  *f = next;
  cti_dual_move(dual, s->res, i, 1, &old);
  return change;
}

// Grow or shrink the whole force, without turning it; the normal part stays positive.
static CT_FN void ray_update(ctReal* f, const ctReal* block, const ctReal* res, int n) {
  ctReal curvature = 0, slope = 0;
  for (int r = 0; r < n; r++) {
    for (int c = 0; c < n; c++) curvature += f[r] * block[r * n + c] * f[c];
    slope += f[r] * res[r];
  }
  if (curvature < CTI_MINVAL) return;
  ctReal x = -slope / curvature;
  if (x < -1) x = -1;
  for (int r = 0; r < n; r++) f[r] += x * f[r];
}

// Best friction for the normal force at hand.
static CT_FN void friction_update(ctReal* f, const ctReal* old, const ctReal* block, const ctReal* res,
                                  const ctContact* con) {
  int n = con->dim, nf = n - 1;
  ctReal A[CTI_QCQP_MAX * CTI_QCQP_MAX], b[CTI_QCQP_MAX];
  if (f[0] < CTI_MINVAL) {
    cti_zero(f + 1, nf);
    return;
  }
  for (int r = 0; r < nf; r++) {
    b[r] = res[r + 1] + block[(r + 1) * n] * (f[0] - old[0]);
    for (int c = 0; c < nf; c++) {
      A[r * nf + c] = block[(r + 1) * n + c + 1];
      b[r] -= A[r * nf + c] * old[c + 1];
    }
  }
  if (cti_qcqp(f + 1, A, b, con->friction, f[0], nf)) dual_on_cone(f + 1, con, f[0]);
}

CT_INLINE bool is_zero(const ctReal* x, int n) {
  for (int k = 0; k < n; k++) {
    if (x[k] != 0) return false;
  }
  return true;
}

static CT_FN ctReal pgs_cone(ctiDual* dual, const PgsScratch* s, int i) {
  const ctContact* con = dual->p->contact + dual->p->id[i];
  const ctReal *res = s->res + i, *block = s->block + BLOCK_ROOM * i;
  ctReal old[6];
  ctReal* f = dual->p->force + i;
  int n = con->dim;
  cti_copy(old, f, n);
  if (f[0] < CTI_MINVAL) {
    f[0] = cti_max(0, f[0] - res[0] / block[0]);
    cti_zero(f + 1, n - 1);
    if (f[0] == 0 && is_zero(old, n)) return 0;
  } else {
    ray_update(f, block, res, n);
  }
  friction_update(f, old, block, res, con);
  ctReal change = dual_accept(block, f, old, res, n);
  cti_dual_move(dual, s->res, i, n, old);
  return change;
}

// ---- momentum ----

// Forces within the limits of their rows.
static CT_FN void clip_forces(ctiProblem* p) {
  for (int i = p->ne; i < p->nefc; i++) {
    if (p->type[i] != CT_CNSTR_CONTACT_ELLIPTIC) {
      p->force[i] = clip_row(p, i, p->force[i]);
      continue;
    }
    const ctContact* con = p->contact + p->id[i];
    ctReal* f = p->force + i;
    ctReal square = 0;
    f[0] = cti_max(0, f[0]);
    for (int k = 1; k < con->dim; k++) square += f[k] * f[k] / (con->friction[k - 1] * con->friction[k - 1]);
    if (square > f[0] * f[0]) dual_on_cone(f + 1, con, f[0]);
    i += con->dim - 1;
  }
}

// Go on in the direction from the last sweep's end to this one's, or not when the sweep turned against the
// momentum it began with. `age`: sweeps since the momentum began.
static CT_FN void pgs_extrapolate(ctiProblem* p, PgsScratch* s, int* age) {
  int n = p->nefc;
  ctReal turn = 0;
  for (int i = 0; i < n; i++) turn += (p->force[i] - s->start[i]) * (s->start[i] - s->end[i]);
  *age = turn < 0 ? 0 : *age + 1;
  ctReal beta = *age > 1 ? (ctReal)(*age - 1) / (ctReal)(*age + 2) : 0;
  for (int i = 0; i < n; i++) {
    ctReal moved = p->force[i] - s->end[i];
    s->end[i] = p->force[i];
    p->force[i] += beta * moved;
  }
  if (beta > 0) clip_forces(p);
  cti_copy(s->start, p->force, n);
}

// ---- sweeps ----

static CT_FN bool pgs_report(const ctiDual* dual, PgsScratch* s, ctReal improvement) {
  ctiProblem* p = dual->p;
  improvement *= p->scale;
  if (p->stat && p->niter < CT_NSOLVER) {
    ctSolverStat* stat = p->stat + p->niter;
    stat->improvement = improvement;
    stat->gradient = stat->lineslope = 0;
    stat->neval = stat->nupdate = 0;
    dual_states(p);
    cti_problem_report_states(p, s->before, stat);
  }
  p->niter++;
  return improvement < p->opt->tolerance;
}

static CT_FN void pgs_iterate(ctiDual* dual, PgsScratch* s) {
  ctiProblem* p = dual->p;
  int age = 0;
  while (p->niter < p->opt->iterations) {
    pgs_shuffle(s);
    ctReal improvement = 0;
    dual_residuals(dual, s->res);
    for (int k = 0; k < s->nblock; k++) {
      int i = s->order[k];
      improvement -= p->type[i] == CT_CNSTR_CONTACT_ELLIPTIC ? pgs_cone(dual, s, i) : pgs_scalar(dual, s, i);
    }
    if (pgs_report(dual, s, improvement)) break;
    if (p->niter < p->opt->iterations) pgs_extrapolate(p, s, &age);
  }
  dual_states(p);
}

static CT_FN void find_blocks(const ctiDual* dual, PgsScratch* s) {
  s->nblock = 0;
  for (int i = 0; i < dual->p->nefc;) {
    int n = dual_block_size(dual, i);
    s->order[s->nblock++] = i;
    dual_block(dual, s->block + BLOCK_ROOM * i, i, n);
    i += n;
  }
}

CT_KERNEL_NOINLINE ctStatus cti_pgs(ctiDual* dual) {
  ctiProblem* p = dual->p;
  size_t mark = cti_scratch_mark(p->d);
  p->nnz = dual->elements;
  PgsScratch s;
  s.order = CTI_SCRATCH(p->d, int, p->nefc, "pgs.order");
  s.before = CTI_SCRATCH(p->d, int, p->nefc, "pgs.before");
  s.start = CTI_SCRATCH(p->d, ctReal, p->nefc, "pgs.start");
  s.end = CTI_SCRATCH(p->d, ctReal, p->nefc, "pgs.end");
  s.res = CTI_SCRATCH(p->d, ctReal, p->nefc, "pgs.res");
  s.block = CTI_SCRATCH(p->d, ctReal, BLOCK_ROOM * (int64_t)p->nefc, "pgs.block");
  bool ok = s.order && s.before && s.start && s.end && s.res && s.block && dual_find_runs(dual);
  if (ok) {
    find_blocks(dual, &s);
    cti_copy(s.start, p->force, p->nefc);
    cti_copy(s.end, p->force, p->nefc);
    dual_states(p);
    for (int i = 0; i < p->nefc; i++) s.before[i] = p->state[i];
    s.seed = 0;
    pgs_random(&s.seed);
    pgs_iterate(dual, &s);
  }
  cti_scratch_release(p->d, mark);
  return ok ? CT_OK : CT_STEP_OVERFLOW;
}

// ---- the noslip pass: friction without slip, after the main solver ----
// Friction forces alone are solved again without their softness, normal forces as they are; contacts in
// sequence.
//   reads   the problem and its dual; p->force
//   writes  p->force, state; adds to p->niter
//   before  the solver

// What is left of the diagonal may be nothing, for a contact that does not move what it touches.
#define MIN_DIAGONAL CT_R(1e-10)

// A block without the softness on its diagonal, and the residual that belongs to it.
static CT_FN void hard_block(const ctiDual* dual, ctReal* block, ctReal* res, int i, int n) {
  const ctiProblem* p = dual->p;
  dual_residual(dual, res, i, n);
  dual_block(dual, block, i, n);
  for (int k = 0; k < n; k++) {
    block[k * n + k] = cti_max(MIN_DIAGONAL, block[k * n + k] - p->R[i + k]);
    res[k] -= p->R[i + k] * p->force[i + k];
  }
}

static CT_FN ctReal noslip_friction(ctiDual* dual, int i) {
  ctiProblem* p = dual->p;
  ctReal diag, res, old = p->force[i], limit = p->frictionloss[i];
  hard_block(dual, &diag, &res, i, 1);
  p->force[i] = cti_clip(old - res / diag, -limit, limit);
  return dual_accept(&diag, p->force + i, &old, &res, 1);
}

// Two opposite edges of a pyramid: their sum is the normal part and stays, their difference is the friction.
static CT_FN ctReal noslip_edges(ctiDual* dual, int i) {
  ctReal A[4], res[2], old[2];
  ctReal* f = dual->p->force + i;
  hard_block(dual, A, res, i, 2);
  cti_copy(old, f, 2);
  ctReal middle = (f[0] + f[1]) / 2, stiffness = A[0] + A[3] - A[1] - A[2], y = 0;
  if (stiffness >= CTI_MINVAL) {
    ctReal b0 = res[0] - A[0] * old[0] - A[1] * old[1], b1 = res[1] - A[2] * old[0] - A[3] * old[1];
    y = cti_clip(-(middle * (A[0] - A[3]) + b0 - b1) / stiffness, -middle, middle);
  }
  f[0] = middle + y;
  f[1] = middle - y;
  return dual_accept(A, f, old, res, 2);
}

static CT_FN ctReal noslip_cone(ctiDual* dual, int i) {
  const ctContact* con = dual->p->contact + dual->p->id[i];
  int n = con->dim - 1;
  ctReal A[25], res[5], old[5], b[5], normal = dual->p->force[i];
  ctReal* f = dual->p->force + i + 1;
  hard_block(dual, A, res, i + 1, n);
  cti_copy(old, f, n);
  for (int r = 0; r < n; r++) b[r] = res[r] - cti_dot(A + r * n, old, n);
  if (normal < CTI_MINVAL) {
    cti_zero(f, n);
  } else if (cti_qcqp(f, A, b, con->friction, normal, n)) {
    dual_on_cone(f, con, normal);
  }
  return dual_accept(A, f, old, res, n);
}

static CT_FN ctReal noslip_sweep(ctiDual* dual) {
  ctiProblem* p = dual->p;
  ctReal change = 0;
  for (int i = p->ne; i < p->ne + p->nf; i++) change += noslip_friction(dual, i);
  for (int i = p->ne + p->nf; i < p->nefc; i++) {
    int dim = p->type[i] >= CT_CNSTR_CONTACT_FRICTIONLESS ? p->contact[p->id[i]].dim : 1;
    if (p->type[i] == CT_CNSTR_CONTACT_PYRAMIDAL) {
      for (int k = 0; k < dim - 1; k++) change += noslip_edges(dual, i + 2 * k);
      i += 2 * (dim - 1) - 1;
    } else if (p->type[i] == CT_CNSTR_CONTACT_ELLIPTIC) {
      change += noslip_cone(dual, i);
      i += dim - 1;
    }
  }
  return change;
}

CT_KERNEL_NOINLINE void cti_noslip(ctiDual* dual) {
  ctiProblem* p = dual->p;
  for (int k = 0; k < p->opt->noslip_iterations; k++) {
    ctReal improvement = -noslip_sweep(dual);
    // the first sweep also drops the cost of softness
    for (int i = 0; i < p->nefc && k == 0; i++) improvement += p->force[i] * p->force[i] * p->R[i] / 2;
    p->niter++;
    if (improvement * p->scale < p->opt->noslip_tolerance) break;
  }
  dual_states(p);
}
