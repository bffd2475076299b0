// Symmetric positive definite matrices in skyline storage, factored from the last row to the first. Step
// code.
//
// Row i holds columns i .. last[i] of the upper triangle, contiguous, from adr[i]. The factor U of H = U U'
// lies in the same place without fill: row i never grows beyond last[i]; its diagonal holds the inverses, for
// they are multiplied with. For kinematic trees, whose dofs are numbered from the root out, this order
// eliminates leaves first, so that limbs do not mix.
#pragma once

#include "base/fn.h"

typedef struct ctiSkyline {
  int n;
  int64_t size;  // reals of a matrix; the addresses hold while an int counts them
  int* last;     // last column of each row
  int* first;    // first row that reaches each column
  int* adr;      // address of the diagonal of each row
} ctiSkyline;

// adr, first and size from `last`.
CT_FN void cti_skyline_layout(ctiSkyline* s);

// The element of row i, column j >= i, j <= last[i].
CT_INLINE int cti_skyline_at(const ctiSkyline* s, int i, int j) {
  return s->adr[i] + j - i;
}

// H += sum over k of D[k] v[k] v[k]', as far as the pattern goes.
CT_FN void cti_skyline_add4(const ctiSkyline* s, ctReal* h, const ctReal D[4], const ctReal* const v[4]);

// H += rows' block rows for `dim` dense rows, at most so many, that follow each other; T: room for them. One
// lane does it all.
#define CTI_BLOCK_MOST 6
CT_FN void cti_skyline_add_block(const ctiSkyline* s, ctReal* h, const ctReal* rows, const ctReal* block,
                                 int dim, ctReal* T);

// U from H, in place. A pivot (square of a diagonal of U) below `mindiag` is replaced by it. Returns the
// rank: n less the pivots replaced.
CT_FN int cti_skyline_factor(const ctiSkyline* s, ctReal* h, ctReal mindiag);

// x = H^-1 b; x and b may be the same.
CT_FN void cti_skyline_solve(const ctiSkyline* s, const ctReal* u, ctReal* x, const ctReal* b);

// U U' + v v' when `add`, else U U' - v v', in place; v is used up, and is zero above column `top`. The
// pattern must cover v v'. Returns the rank as cti_skyline_factor does.
CT_FN int cti_skyline_update(const ctiSkyline* s, ctReal* CT_RESTRICT u, ctReal* CT_RESTRICT v, int top,
                             bool add);
