// Derivative of the smooth forces by velocity: what implicit integration needs.
//   reads   everything up to the force stage
//   writes  d->qDeriv, in the pattern of D (a row holds ancestors, itself, descendants)
//   before  actuation
#pragma once

#include "base/fn.h"
#include "corten/data.h"
#include "stage/velocity/fluid.h"

// A tree that is one free body, with what is welded to it.
CT_INLINE bool cti_is_lone_free_body(const ctModel* m, int tree) {
  return m->tree_dofnum[tree] == 6 && m->jnt_type[m->dof_jntid[m->tree_dofadr[tree]]] == CT_JOINT_FREE;
}

// d->qDeriv = derivative of passive and actuator forces. `with_bias`: less that of the bias force; otherwise
// symmetric, except for lone free bodies. CT_OK or CT_STEP_OVERFLOW (arena full: parts missing).
CT_FN ctStatus cti_velocity_slope(const ctModel* m, ctData* d, bool with_bias);

// The 6 x 6 block of a lone free body: that of d->qDeriv, less the derivative of the bias force.
CT_FN void cti_free_body_slope(ctReal block[36], const ctModel* m, const ctData* d, int tree);

// ---- Derivatives by velocity of forces that act on bodies: fluid and bias force. Step code. ----
//
// The force f on a body (torque first, about the tree's centre of mass) depends on the motion of the body: df
// = S dv with a 6 x 6 matrix S. Its share in the dof forces is the sum over the bodies that both dofs move,
// so matrices are first summed over subtrees; then one product a dof gives all elements. The bias force also
// depends on the rates of the motion axes, which bring a vector a dof.

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

// ---- Derivative of an actuator's force by its velocity. Step code. ----

// ---- Derivative of the fluid's force on one shape. Step code. ----
