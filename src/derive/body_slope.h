// Derivatives by velocity of forces that act on bodies: fluid and bias force. Step code.
//
// The force f on a body (torque first, about the tree's centre of mass) depends on the motion of the body: df
// = S dv with a 6 x 6 matrix S. Its share in the dof forces is the sum over the bodies that both dofs move,
// so matrices are first summed over subtrees; then one product a dof gives all elements. The bias force also
// depends on the rates of the motion axes, which bring a vector a dof.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

typedef struct ctiBodySlopes {
  const ctModel* m;
  const ctData* d;
  ctReal* matrix;  // nbody x 36: S, then its sum over the subtree
  ctReal* rate;    // nv x 6: change of the bodies' accelerations with a dof's velocity
  ctReal* right;   // nv x 6: S times motion of the dof, and inertia times its rate
  ctReal* left;    // nv x 6: S' times motion
  ctReal* inert;   // nv x 6: inertia times motion
  bool bias;
} ctiBodySlopes;

// Does the fluid act?
CT_FN bool cti_feels_fluid(const ctModel* m);

// Zero matrices, in scratch: release by the caller's mark. CT_OK or CT_STEP_OVERFLOW.
CT_FN ctStatus cti_body_slopes_begin(ctiBodySlopes* s, const ctModel* m, ctData* d);

// Add the matrices of the fluid's force, and of the bias force (subtracted: it stands on the other side).
CT_FN void cti_add_fluid_slopes(ctiBodySlopes* s);
CT_FN void cti_add_bias_slopes(ctiBodySlopes* s);

// Sum over subtrees and prepare the dofs of the bodies; after this elements can be asked for.
CT_FN void cti_body_slopes_finish(ctiBodySlopes* s, bool bias);

// Derivative of the force on dof `row` by the velocity of dof `col`, one of which moves the other's body.
CT_FN ctReal cti_body_slope(const ctiBodySlopes* s, int row, int col);
