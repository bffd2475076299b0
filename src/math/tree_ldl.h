// M = L' D L of the mass matrices of kinematic trees, without fill. Step code.
//
// Lower triangle in rows (see sparse.h): row i holds the columns of the ancestors of dof i, ascending, then
// its diagonal. A row is the row of the parent dof with the diagonal added; rows of dofs that are
// decoupled from all others, whose columns no other row has, may be shortened to the diagonal. The factors
// have the same pattern: L, whose unit diagonal is implied, off the diagonal, D on it; `diaginv` holds 1/D.
#pragma once

#include "math/sparse.h"

//
// Trees do not touch each other, so the dofs from `begin` to `end`, which are those of whole trees, can be
// factored and solved alone.

// Factor in place. A pivot below CTI_MINVAL is replaced by it. Returns the first dof met (from the last dof
// backwards) with such a pivot, or -1.
CT_FN int cti_ldl_factor(ctReal* ld, ctReal* diaginv, const int* rownnz, const int* rowadr, const int* colind,
                         int begin, int end);
// x = M^-1 x
CT_PLAIN_NOINLINE void cti_ldl_solve(ctReal* x, const ctReal* ld, const ctReal* diaginv, const int* rownnz,
                                     const int* rowadr, const int* colind, int begin, int end);
// x = D^-1/2 L^-T x for `nvec` vectors, so that |x|^2 becomes the x' M^-1 x of before. sqrt_diaginv:
// sqrt(1/D).
CT_FN void cti_ldl_half(ctReal* x, const ctReal* ld, const ctReal* sqrt_diaginv, const int* rownnz,
                        const int* rowadr, const int* colind, int n, int nvec);
