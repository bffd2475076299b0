#include "stage/solve/dual.h"

#include "data/arena.h"
#include "math/dense.h"
#include "math/simd.h"
#include "math/sparse.h"
#include "math/vec3.h"
#include "stage/constraint/rows.h"
#include "stage/position/inertia.h"
#include "stage/solve/cost.h"

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
  ctReal* AR = CTI_SCRATCH(d, ctReal, n * n, "island.AR");
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

CT_FN bool cti_dual_island(ctiDual* dual, ctiProblem* p, int island) {
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
  ctReal* AR = CTI_SCRATCH(d, ctReal, n * n, "island.AR");
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

CT_FN bool cti_dual_find_runs(ctiDual* dual) {
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

CT_FN int cti_dual_block_size(const ctiDual* dual, int i) {
  const ctiProblem* p = dual->p;
  return p->type[i] == CT_CNSTR_CONTACT_ELLIPTIC ? p->contact[p->id[i]].dim : 1;
}

CT_FN void cti_dual_residual(const ctiDual* dual, ctReal* res, int i, int n) {
  for (int k = 0; k < n; k++) res[k] = dual->b[i + k] + dual_row_dot(dual, i + k, dual->p->force);
}

CT_FN void cti_dual_residuals(const ctiDual* dual, ctReal* res) {
  const ctiProblem* p = dual->p;
  if (dual->sparse) {
    // rows with the same dofs have the same neighbours
    cti_csr_mul_vec(res, dual->AR, dual->rownnz, dual->rowadr, p->J_rowsuper, dual->colind, p->force,
                    p->nefc);
  } else {
    cti_mul_mat_vec(res, dual->AR, p->force, p->nefc, p->nefc);
  }
  cti_add_to(res, dual->b, p->nefc);
}

// AR is symmetric: its rows are its columns.
CTI_KERNEL void dual_move_kernel(const ctiDual* dual, ctReal* res, int i, int n, const ctReal* old) {
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
CTI_DISPATCH(void, , cti_dual_move, dual_move_kernel,
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

CT_FN void cti_dual_block(const ctiDual* dual, ctReal* block, int i, int n) {
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

CT_FN ctReal cti_dual_accept(const ctReal* block, ctReal* force, const ctReal* old, const ctReal* res,
                             int n) {
  ctReal change = 0;
  for (int r = 0; r < n; r++) {
    ctReal along = 0;
    for (int c = 0; c < n; c++) along += block[r * n + c] * (force[c] - old[c]);
    change += (force[r] - old[r]) * (along / 2 + res[r]);
  }
  if (change <= CTI_DUAL_SLACK) return change;
  cti_copy(force, old, n);
  return 0;
}

CT_FN void cti_dual_on_cone(ctReal* friction_force, const ctContact* con, ctReal normal) {
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

CT_FN void cti_dual_states(ctiProblem* p) {
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

CT_FN void cti_dual_finish(const ctModel* m, ctData* d) {
  cti_mul_JT(m, d, d->qfrc_constraint, d->efc_force);
  cti_copy(d->qacc, d->qfrc_constraint, m->nv);
  cti_solve_mass(m, d, d->qacc);
  cti_add_to(d->qacc, d->qacc_smooth, m->nv);
}
