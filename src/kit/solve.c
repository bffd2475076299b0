// Conjugate gradients with a block-Jacobi preconditioner.
#include "kit/kit.h"
#include "math/dense.h"
#include "math/vec3.h"

// Vectors of the iteration: residual, preconditioned residual, direction, image of it.
enum { VECTORS = 4 };

int64_t ct_kit_cg_work(int n, const int* block, int nblock) {
  if (n < 0 || nblock < 0 || (nblock > 0 && !block)) return -1;
  int64_t factors = 0, sum = 0;
  for (int i = 0; i < nblock; i++) {
    if (block[i] < 1) return -1;
    sum += block[i];
    factors += (int64_t)block[i] * block[i];
  }
  return sum == n ? factors + VECTORS * (int64_t)n : -1;
}

// Cholesky factors of the diagonal blocks; returns how many pivots had to be replaced.
static int factor_blocks(ctReal* factor, const ctReal* matrix, int n, const int* block, int nblock) {
  int repaired = 0;
  for (int i = 0, at = 0; i < nblock; i++) {
    const int size = block[i];
    ctReal largest = 0;
    for (int r = 0; r < size; r++) {
      const ctReal* row = matrix + (int64_t)(at + r) * n + at;
      for (int c = 0; c < size; c++) factor[r * size + c] = row[c];
      largest = cti_max(largest, row[r]);
    }
    repaired += size - cti_chol_factor(factor, size, cti_max(CTI_MINVAL, largest * CTI_MINVAL));
    factor += (int64_t)size * size;
    at += size;
  }
  return repaired;
}

static void precondition(ctReal* z, const ctReal* r, const ctReal* factor, const int* block, int nblock) {
  for (int i = 0; i < nblock; i++) {
    cti_chol_solve(z, factor, r, block[i]);
    factor += (int64_t)block[i] * block[i];
    z += block[i];
    r += block[i];
  }
}

// r = b - A x
static ctReal residual_of(ctReal* r, const ctReal* matrix, const ctReal* x, const ctReal* b, int n) {
  cti_mul_mat_vec(r, matrix, x, n, n);
  for (int i = 0; i < n; i++) r[i] = b[i] - r[i];
  return cti_norm(r, n);
}

ctStatus ct_kit_cg_solve(const ctReal* matrix, const ctReal* b, int n, const int* block, int nblock,
                         ctReal tolerance, int most, ctReal* x, ctReal* work, ctKitCgStats* stats) {
  int64_t need = ct_kit_cg_work(n, block, nblock);
  if (need < 0 || !stats || (n > 0 && (!matrix || !b || !x || !work))) return CT_ERR_ARGUMENT;
  memset(stats, 0, sizeof(*stats));
  if (!cti_kit_not_negative(tolerance) || !cti_kit_all_finite(b, n) || !cti_kit_all_finite(x, n))
    return CT_ERR_INVALID;
  for (int i = 0; i < n; i++) {
    if (!cti_kit_all_finite(matrix + (int64_t)i * n, n)) return CT_ERR_INVALID;
  }
  ctReal *r = work, *z = r + n, *p = z + n, *image = p + n, *factor = image + n;
  stats->repaired = factor_blocks(factor, matrix, n, block, nblock);
  stats->initial = stats->residual = residual_of(r, matrix, x, b, n);
  const ctReal enough = tolerance * cti_norm(b, n);
  precondition(z, r, factor, block, nblock);
  cti_copy(p, z, n);
  ctReal weight = cti_dot(r, z, n);
  ctStatus status = CT_OK;
  while (stats->iterations < most && cti_norm(r, n) > enough) {
    cti_mul_mat_vec(image, matrix, p, n, n);
    ctReal curvature = cti_dot(p, image, n);
    if (!(curvature > 0)) {
      status = CT_ERR_INVALID;
      break;
    }
    ctReal step = weight / curvature;
    bool first = stats->iterations == 0;
    stats->least_rate = first ? step : cti_min(stats->least_rate, step);
    stats->most_rate = first ? step : cti_max(stats->most_rate, step);
    cti_add_scaled(x, p, step, n);
    cti_add_scaled(r, image, -step, n);
    precondition(z, r, factor, block, nblock);
    ctReal next = cti_dot(r, z, n);
    for (int i = 0; i < n; i++) p[i] = z[i] + next / weight * p[i];
    weight = next;
    stats->iterations++;
  }
  // what the recurrence says drifts from the truth
  stats->residual = residual_of(r, matrix, x, b, n);
  stats->converged = status == CT_OK && stats->residual <= cti_max(2 * enough, 0);
  return status;
}
