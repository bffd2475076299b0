// Position stage: mass matrix and its factor.
//   reads   d->cinert, cdof; m->dof_armature, dof_M0, M_*
//   writes  d->crb, M, qLD, qLDiagInv
//   before  com
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Composite inertias and M.
CT_FN void cti_mass_matrix(const ctModel* m, ctData* d);

// Diagonal element of M for a dof, from the composite inertias: also for simple dofs, whose element is
// constant.
CT_FN ctReal cti_mass_diagonal(const ctModel* m, const ctData* d, int dof);

// M = L'DL. A singular pivot is clamped and counted; CT_OK or CT_STEP_SINGULAR.
CT_FN ctStatus cti_factor_mass(const ctModel* m, ctData* d);

// x = M^-1 x
CT_FN void cti_solve_mass(const ctModel* m, const ctData* d, ctReal* x);

// r = M v
CT_FN void cti_mul_mass(const ctModel* m, const ctData* d, ctReal* r, const ctReal* v);
