// What the implicit integrators share: a metric in d->qH with the pattern of M, and the step with the
// acceleration solved from it. Step code.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// d->qH += x at the diagonal of a dof
CT_INLINE void cti_add_to_diagonal(const ctModel* m, ctData* d, int dof, ctReal x) {
  d->qH[m->M_rowadr[dof] + m->M_rownnz[dof] - 1] += x;
}

// x = qH^-1 x, factoring qH in place. A singular pivot is counted: CT_OK or CT_STEP_SINGULAR.
CT_FN ctStatus cti_solve_metric(const ctModel* m, ctData* d, ctReal* x);

// Advance with the acceleration that `solve` writes; with d->qacc, and CT_STEP_OVERFLOW, when the arena is
// full.
CT_FN ctStatus cti_solve_and_advance(const ctModel* m, ctData* d,
                                     ctStatus (*solve)(const ctModel* m, ctData* d, ctReal* qacc));
