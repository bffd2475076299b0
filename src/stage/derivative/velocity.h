// Derivative of the smooth forces by velocity: what implicit integration needs.
//   reads   everything up to the force stage
//   writes  d->qDeriv, in the pattern of D (a row holds ancestors, itself, descendants)
//   before  actuation
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// A tree that is one free body, with what is welded to it.
CT_INLINE bool cti_is_lone_free_body(const ctModel* m, int tree) {
  return m->tree_dofnum[tree] == 6 && m->jnt_type[m->dof_jntid[m->tree_dofadr[tree]]] == CT_JOINT_FREE;
}

// d->qDeriv = derivative of passive and actuator forces. `with_bias`: less that of the bias force; otherwise
// symmetric, except for lone free bodies. CT_OK or CT_STEP_OVERFLOW (arena full: parts missing).
CT_FN ctStatus cti_velocity_derivative(const ctModel* m, ctData* d, bool with_bias);

// Derivatives of an actuator's force by the length and the velocity of each of its outputs. Zero while the
// actuator, or what it acts on, is at a limit of force. `ctrl`: the controls that act.
CT_FN void cti_actuator_slopes(const ctModel* m, const ctData* d, const ctReal* ctrl, int actuator,
                               ctReal* by_length, ctReal* by_velocity);

// Minus the derivative of the fluid's drag by velocity, made symmetric, times the time step: into `out`, in
// the pattern of M, where there is a fluid. CT_OK or CT_STEP_OVERFLOW.
CT_FN ctStatus cti_drag_metric(const ctModel* m, ctData* d, ctReal* out);

// The 6 x 6 block of a lone free body: that of d->qDeriv, less the derivative of the bias force.
// Without qDeriv: added to `block`.
CT_FN void cti_add_free_body_bias(ctReal block[36], const ctModel* m, const ctData* d, int tree);
CT_FN void cti_free_body_derivative(ctReal block[36], const ctModel* m, const ctData* d, int tree);

// Force of the fluid on a body and its derivative by the body's motion (6 x 6), both about the centre of mass
// of the tree. False when the fluid does not act on it.
CT_FN bool cti_fluid_slopes(const ctModel* m, const ctData* d, int body, ctReal matrix[36], ctReal wrench[6]);
