// Quadratic programs with simple bounds: minimise x'Hx/2 + x'g subject to lower <= x <= upper, H positive
// definite, by projected Newton. Step code.
#pragma once

#include "math/dense.h"

#define CTI_BOXQP_FAILED (-1)

// Reals of scratch memory that a problem of size n needs.
CT_INLINE int cti_boxqp_scratch(int n) {
  return n * (n + 3);
}

// `x`: start on entry (clipped into the box first), the minimum on return. `h`: both triangles. `lower` and
// `upper` may be NULL for no bound. `scratch`: cti_boxqp_scratch(n) reals; on return it starts with the
// Cholesky factor of the free block of H, nfree x nfree. `index`: 2 n ints; on return it starts with the free
// variables, those not held by a bound, in ascending order. Returns nfree, or CTI_BOXQP_FAILED when a free
// block of H is not positive definite or the iterations ran out; x is then the best point found.
CT_FN int cti_boxqp(ctReal* x, ctReal* scratch, int* index, const ctReal* h, const ctReal* g, int n,
                    const ctReal* lower, const ctReal* upper);
