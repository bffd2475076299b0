// Solve stage: the Hessian of the primal problem, H = M + J' (curvature of the rows) J, and its factor.
//
// The part of M and of the quadratic rows is kept and changed by the rows that change state; the blocks of
// cones change in every iteration and go into the copy that is factored. Few changes and no cones are applied
// to the factor itself, as rank-one updates. Step code.
#pragma once

#include "math/skyline.h"
#include "stage/solve/iterative.h"
#include "stage/solve/problem.h"

typedef struct ctiHessian {
  const ctiProblem* p;
  int* place;     // of each dof in H; NULL: as they are
  int* order_of;  // room for it
  bool ordered;   // it was looked for
  ctiSkyline sky;
  uint16_t* row_of;  // of each element, for teams and dense rows
  ctReal *H, *U;     // without the cones; factor with them
  ctReal* work;      // 6 nv
  ctReal* value;     // 6 nv: rows in the order of H
  int *col, *order;  // nv: their columns, and where each was
  int* state;        // rows as they are in H
  int* rows;         // those at hand
  bool cones;        // are there any in U?
  int updates;
  bool iterative;  // there is no factor: it would be too large
  ctiIterative pcg;
} ctiHessian;

// The row of H that a dof has.
CT_INLINE int cti_hessian_place(const ctiHessian* h, int dof) {
  return h->place ? h->place[dof] : dof;
}

// False when the scratch is full.
CT_FN bool cti_hessian_allocate(ctiHessian* h, const ctiProblem* p);

// Build and factor at the states of the problem. Returns the rank.
CT_FN int cti_hessian_make(ctiHessian* h);

// The same after some rows changed state; or `anew`, which is cti_hessian_make().
CT_FN int cti_hessian_update(ctiHessian* h, bool anew);

// x = H^-1 b; x may be b
CT_KERNEL_NOINLINE void cti_hessian_solve(ctiHessian* h, ctReal* x, const ctReal* b);

// ---- what rows add: hessian_rows.c ----

// h->H += D row row' for the first n of h->rows; those that are not active any more leave it.
CT_FN void cti_hessian_add_rows(ctiHessian* h, int n);

// H += rows' block rows for the `dim` rows of a contact from row i on. They have the same columns.
CT_FN void cti_hessian_add_cone(ctiHessian* h, ctReal* H, int i, const ctReal* block, int dim);
