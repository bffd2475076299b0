#include "stage/solve/pgs.h"

#include "data/arena.h"
#include "math/dense.h"
#include "math/vec3.h"
#include "stage/solve/cost.h"
#include "stage/solve/qcqp.h"

// A block of n rows needs n x n reals, n at most 6.
#define BLOCK_ROOM 6

typedef struct PgsScratch {
  int *order, nblock;   // first rows of blocks, as they are visited
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
  ctReal res = s->res[i], diag = s->block[BLOCK_ROOM * i], *f = dual->p->force + i, old = *f;
  ctReal next = clip_row(dual->p, i, old - res / diag), step = next - old;
  ctReal change = step * (diag * step / 2 + res);
  if (next == old || !(change <= CTI_DUAL_SLACK)) return 0;
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
  if (cti_qcqp(f + 1, A, b, con->friction, f[0], nf)) cti_dual_on_cone(f + 1, con, f[0]);
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
  ctReal old[6], *f = dual->p->force + i;
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
  ctReal change = cti_dual_accept(block, f, old, res, n);
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
    ctReal *f = p->force + i, square = 0;
    f[0] = cti_max(0, f[0]);
    for (int k = 1; k < con->dim; k++) square += f[k] * f[k] / (con->friction[k - 1] * con->friction[k - 1]);
    if (square > f[0] * f[0]) cti_dual_on_cone(f + 1, con, f[0]);
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
    cti_dual_states(p);
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
    cti_dual_residuals(dual, s->res);
    for (int k = 0; k < s->nblock; k++) {
      int i = s->order[k];
      improvement -= p->type[i] == CT_CNSTR_CONTACT_ELLIPTIC ? pgs_cone(dual, s, i) : pgs_scalar(dual, s, i);
    }
    if (pgs_report(dual, s, improvement)) break;
    if (p->niter < p->opt->iterations) pgs_extrapolate(p, s, &age);
  }
  cti_dual_states(p);
}

static CT_FN void find_blocks(const ctiDual* dual, PgsScratch* s) {
  s->nblock = 0;
  for (int i = 0; i < dual->p->nefc;) {
    int n = cti_dual_block_size(dual, i);
    s->order[s->nblock++] = i;
    cti_dual_block(dual, s->block + BLOCK_ROOM * i, i, n);
    i += n;
  }
}

CT_FN ctStatus cti_pgs(ctiDual* dual) {
  ctiProblem* p = dual->p;
  size_t mark = cti_scratch_mark(p->d);
  p->nnz = dual->elements;
  PgsScratch s;
  s.order = CTI_SCRATCH(p->d, int, p->nefc, "pgs.order");
  s.before = CTI_SCRATCH(p->d, int, p->nefc, "pgs.before");
  s.start = CTI_SCRATCH(p->d, ctReal, p->nefc, "pgs.start");
  s.end = CTI_SCRATCH(p->d, ctReal, p->nefc, "pgs.end");
  s.res = CTI_SCRATCH(p->d, ctReal, p->nefc, "pgs.res");
  s.block = CTI_SCRATCH(p->d, ctReal, BLOCK_ROOM * p->nefc, "pgs.block");
  bool ok = s.order && s.before && s.start && s.end && s.res && s.block && cti_dual_find_runs(dual);
  if (ok) {
    find_blocks(dual, &s);
    cti_copy(s.start, p->force, p->nefc);
    cti_copy(s.end, p->force, p->nefc);
    cti_dual_states(p);
    for (int i = 0; i < p->nefc; i++) s.before[i] = p->state[i];
    s.seed = 0;
    pgs_random(&s.seed);
    pgs_iterate(dual, &s);
  }
  cti_scratch_release(p->d, mark);
  return ok ? CT_OK : CT_STEP_OVERFLOW;
}
