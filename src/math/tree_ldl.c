#include "math/tree_ldl.h"

#include "math/vec3.h"

CT_FN int cti_ldl_factor(ctReal* ld, ctReal* diaginv, const int* rownnz, const int* rowadr, const int* colind,
                         int n) {
  int bad = -1;
  for (int k = n - 1; k >= 0; k--) {
    ctReal* row = ld + rowadr[k];
    const int* col = colind + rowadr[k];
    int above = rownnz[k] - 1;  // ancestors

    // pivot: descendants have already been taken out
    if (!(row[above] >= CTI_MINVAL)) {
      row[above] = CTI_MINVAL;
      if (bad < 0) bad = k;
    }
    ctReal inv = 1 / row[above];
    diaginv[k] = inv;

    // Take this dof out of the rows of its ancestors. The row of an ancestor is the beginning of this one;
    // one shortened to its diagonal is the last piece of that.
    for (int p = 0; p < above; p++) {
      int i = col[p], nnz = rownnz[i];
      cti_add_scaled(ld + rowadr[i], row + p + 1 - nnz, -(row[p] * inv), nnz);
    }
    cti_scale(row, row, inv, above);
  }
  return bad;
}

// x = L^-T x: from the last dof up, take each out of its ancestors
static CT_FN void ldl_solve_upper(ctReal* x, const ctReal* ld, const int* rownnz, const int* rowadr,
                                  const int* colind, int n) {
  for (int k = n - 1; k >= 0; k--) {
    int above = rownnz[k] - 1;
    if (above && x[k] != 0) cti_add_scaled_sparse(x, ld + rowadr[k], colind + rowadr[k], -x[k], above);
  }
}

// x = L^-1 x: from the first dof down
static CT_FN void ldl_solve_lower(ctReal* x, const ctReal* ld, const int* rownnz, const int* rowadr,
                                  const int* colind, int n) {
  for (int k = 0; k < n; k++) {
    int above = rownnz[k] - 1;
    if (above) x[k] -= cti_dot_sparse(ld + rowadr[k], colind + rowadr[k], x, above);
  }
}

CT_FN void cti_ldl_solve(ctReal* x, const ctReal* ld, const ctReal* diaginv, const int* rownnz,
                         const int* rowadr, const int* colind, int n, int nvec) {
  for (int v = 0; v < nvec; v++, x += n) {
    ldl_solve_upper(x, ld, rownnz, rowadr, colind, n);
    for (int k = 0; k < n; k++) x[k] *= diaginv[k];
    ldl_solve_lower(x, ld, rownnz, rowadr, colind, n);
  }
}

CT_FN void cti_ldl_half(ctReal* x, const ctReal* ld, const ctReal* sqrt_diaginv, const int* rownnz,
                        const int* rowadr, const int* colind, int n, int nvec) {
  for (int v = 0; v < nvec; v++, x += n) {
    ldl_solve_upper(x, ld, rownnz, rowadr, colind, n);
    for (int k = 0; k < n; k++) x[k] *= sqrt_diaginv[k];
  }
}
