/// @file
/// Running a simulation: the step, its parts by name, and inverse dynamics.
#pragma once

#include "corten/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Advance by one time step.
///
/// A step that met trouble is still completed: the trouble is counted in `d->warning`, and the status says
/// what it was. A bad number in qpos, qvel or qacc resets the data, unless the autoreset flag is disabled.
///
/// With a time step that is not a finite number, nothing advances: CT_STEP_DIVERGED, counted as
/// CT_WARN_BADQPOS.
///
/// @return CT_OK, CT_ERR_ARGUMENT (NULL, or the data of a model with other sizes), CT_ERR_MEMORY (the arena
///         could not grow), CT_STEP_DIVERGED, CT_STEP_OVERFLOW or CT_STEP_SINGULAR
/// @note Threads may step different data of one model at the same time.
///
/// Heap: a step calls it for one reason only, to grow an arena that turned out too small; the step is then
/// taken again from its start, so that its result does not depend on the size. CT_ERR_MEMORY leaves the state
/// as it was. With `d->arena_fixed` a step never calls the heap: what does not fit is dropped and counted,
/// and the status is CT_STEP_OVERFLOW; so it is at the limit of ct_data_set_arena_limit().
CT_API ctStatus ct_step(const ctModel* m, ctData* d);

/// Advance by `n` steps with constant inputs. A step that met trouble is completed and the next one follows;
/// the first trouble's status is returned. Only CT_ERR_MEMORY stops the run.
CT_API ctStatus ct_step_n(const ctModel* m, ctData* d, int n);

/// Compute everything of the current state, as a step does, without advancing.
CT_API ctStatus ct_forward(const ctModel* m, ctData* d);

/// Inverse dynamics: from qpos, qvel and qacc to the force qfrc_inverse that explains them. With the flag
/// invdiscrete, qacc is the change of velocity over a step, divided by the time step.
/// @return as ct_step(), or CT_ERR_UNSUPPORTED for invdiscrete with RK4, whose step has no inverse
CT_API ctStatus ct_inverse(const ctModel* m, ctData* d);

/// The first half of a step, for controllers that read velocities before they act: everything that does not
/// depend on the inputs.
CT_API ctStatus ct_step1(const ctModel* m, ctData* d);

/// The second half of a step: actuation, accelerations, constraints, integration. RK4 integrates as Euler
/// here.
CT_API ctStatus ct_step2(const ctModel* m, ctData* d);

// ---- the stages of ct_forward, each needing those before it ----------------------------------------------

/// What depends on positions: frames, masses, contacts, constraint rows.
CT_API ctStatus ct_forward_position(const ctModel* m, ctData* d);

/// What depends on velocities: bias and passive forces, reference accelerations of constraints.
CT_API ctStatus ct_forward_velocity(const ctModel* m, ctData* d);

/// Forces of actuators, rates of their activations.
CT_API ctStatus ct_forward_actuation(const ctModel* m, ctData* d);

/// Accelerations without constraints.
CT_API ctStatus ct_forward_acceleration(const ctModel* m, ctData* d);

/// Constraint forces and accelerations.
CT_API ctStatus ct_forward_constraint(const ctModel* m, ctData* d);

#ifdef __cplusplus
}
#endif
