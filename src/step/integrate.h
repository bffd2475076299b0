// Integrators: from qacc to the next state. Each advances d by one step and returns CT_OK, CT_STEP_SINGULAR
// or CT_STEP_OVERFLOW.
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Semi-implicit Euler; damping of joints is integrated implicitly unless the eulerdamp flag is disabled.
CT_FN ctStatus cti_euler(const ctModel* m, ctData* d);

// Runge-Kutta of fourth order, on the manifold of rotations.
CT_FN ctStatus cti_rk4(const ctModel* m, ctData* d);

// Implicit in velocity: (M - h F) qacc = f, F the derivative of the smooth forces f by velocity.
CT_FN ctStatus cti_implicit(const ctModel* m, ctData* d);

// The same with the symmetric part of F and without the bias force, except for lone free bodies.
CT_FN ctStatus cti_implicit_fast(const ctModel* m, ctData* d);

// Implicit in velocity and position for the springs and dampers of joints:
//   (M + h D + h^2 K) v+ = M v + h (f - K (q - q_rest))
// D and K are diagonal, f all other forces. Stable for any stiffness and damping.
CT_FN ctStatus cti_implicit_spring_damper(const ctModel* m, ctData* d);

// Slope of the spring of a dof where it is now, never negative.
CT_FN ctReal cti_dof_stiffness(const ctModel* m, const ctData* d, int dof);

// q (+) dt * vel, on the manifold of the joints. `qpos` is changed in place.
CT_FN void cti_integrate_pos(const ctModel* m, ctReal* qpos, const ctReal* vel, ctReal dt);

// ---- What the implicit integrators share: a metric in d->qH with the pattern of M, and the step with the
// ---- acceleration solved from it. Step code.

// d->qH += x at the diagonal of a dof
CT_INLINE void cti_add_to_diagonal(const ctModel* m, ctData* d, int dof, ctReal x) {
  d->qH[m->M_rowadr[dof] + m->M_rownnz[dof] - 1] += x;
}
