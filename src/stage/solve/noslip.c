#include "stage/solve/noslip.h"

#include "math/dense.h"
#include "math/vec3.h"
#include "stage/solve/qcqp.h"

// What is left of the diagonal may be nothing, for a contact that does not move what it touches.
#define MIN_DIAGONAL CT_R(1e-10)

// A block without the softness on its diagonal, and the residual that belongs to it.
static CT_FN void hard_block(const ctiDual* dual, ctReal* block, ctReal* res, int i, int n) {
  const ctiProblem* p = dual->p;
  cti_dual_residual(dual, res, i, n);
  cti_dual_block(dual, block, i, n);
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
  return cti_dual_accept(&diag, p->force + i, &old, &res, 1);
}

// Two opposite edges of a pyramid: their sum is the normal part and stays, their difference is the friction.
static CT_FN ctReal noslip_edges(ctiDual* dual, int i) {
  ctReal A[4], res[2], old[2], *f = dual->p->force + i;
  hard_block(dual, A, res, i, 2);
  cti_copy(old, f, 2);
  ctReal middle = (f[0] + f[1]) / 2, stiffness = A[0] + A[3] - A[1] - A[2], y = 0;
  if (stiffness >= CTI_MINVAL) {
    ctReal b0 = res[0] - A[0] * old[0] - A[1] * old[1], b1 = res[1] - A[2] * old[0] - A[3] * old[1];
    y = cti_clip(-(middle * (A[0] - A[3]) + b0 - b1) / stiffness, -middle, middle);
  }
  f[0] = middle + y;
  f[1] = middle - y;
  return cti_dual_accept(A, f, old, res, 2);
}

static CT_FN ctReal noslip_cone(ctiDual* dual, int i) {
  const ctContact* con = dual->p->contact + dual->p->id[i];
  int n = con->dim - 1;
  ctReal A[25], res[5], old[5], b[5], normal = dual->p->force[i], *f = dual->p->force + i + 1;
  hard_block(dual, A, res, i + 1, n);
  cti_copy(old, f, n);
  for (int r = 0; r < n; r++) b[r] = res[r] - cti_dot(A + r * n, old, n);
  if (normal < CTI_MINVAL) {
    cti_zero(f, n);
  } else if (cti_qcqp(f, A, b, con->friction, normal, n)) {
    cti_dual_on_cone(f, con, normal);
  }
  return cti_dual_accept(A, f, old, res, n);
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

CT_FN void cti_noslip(ctiDual* dual) {
  ctiProblem* p = dual->p;
  for (int k = 0; k < p->opt->noslip_iterations; k++) {
    ctReal improvement = -noslip_sweep(dual);
    // the first sweep also drops the cost of softness
    for (int i = 0; i < p->nefc && k == 0; i++) improvement += p->force[i] * p->force[i] * p->R[i] / 2;
    p->niter++;
    if (improvement * p->scale < p->opt->noslip_tolerance) break;
  }
  cti_dual_states(p);
}
