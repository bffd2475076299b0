// Small quadratic programs inside an ellipsoid, for friction forces. Step code.
#pragma once

#include "base/fn.h"

#define CTI_QCQP_MAX 5

// x minimises x' A x / 2 + b' x subject to |(x_i / d_i)| <= r. A is n x n, symmetric, positive definite,
// n <= CTI_QCQP_MAX. Returns true when the constraint holds x back. When A is singular, x is zero.
CT_FN bool cti_qcqp(ctReal* x, const ctReal* A, const ctReal* b, const ctReal* d, ctReal r, int n);
