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

/// Compute inverse dynamics: the force qfrc_inverse that explains qpos, qvel and qacc. With the flag
/// invdiscrete, qacc is the change of velocity over a step, divided by the time step.
/// @return as ct_step(), or CT_ERR_UNSUPPORTED for invdiscrete with RK4, whose step has no inverse
CT_API ctStatus ct_inverse(const ctModel* m, ctData* d);

/// Run the first half of a step, which does not depend on the inputs: controllers read positions and
/// velocities after it and set the controls for ct_step2().
CT_API ctStatus ct_step1(const ctModel* m, ctData* d);

/// Run the second half of a step: actuation, accelerations, constraints, integration. RK4 integrates as Euler
/// here.
CT_API ctStatus ct_step2(const ctModel* m, ctData* d);

// ---- sleeping ---------------------------------------------------------------------------------------------
//
// With the sleep flag, trees that have been slow for ten steps and that nothing pushes fall asleep, all trees
// that touch or tie each other together, as a cycle. They cost nothing until something wakes them: a force,
// position or velocity that is written to the data, something awake that touches them, or what ties them to
// it. d->tree_asleep holds the state, d->ntree_awake, nbody_awake and nv_awake count. docs/sleeping.md has
// the rules.

/// Whether a tree is CT_AWAKE or CT_ASLEEP.
/// @return CT_OK or CT_ERR_ARGUMENT (NULL, no such tree)
CT_API ctStatus ct_tree_state(const ctModel* m, const ctData* d, int tree, ctSleepState* out);

/// Whether a body is CT_AWAKE, CT_ASLEEP or CT_STATIC: not part of a tree. Mocap bodies are awake.
/// @return CT_OK or CT_ERR_ARGUMENT (NULL, no such body)
CT_API ctStatus ct_body_state(const ctModel* m, const ctData* d, int body, ctSleepState* out);

/// List the trees that wake together with a tree: itself first, then the others of its cycle. Returns how
/// many there are: 1 for a tree that is alone or awake, -1 when `m` or `d` is NULL or there is no such tree.
/// Writes at most `size` of them.
/// @param trees  may be NULL when `size` is 0
CT_API int ct_tree_cycle(const ctModel* m, const ctData* d, int tree, int* trees, int size);

/// Wake a tree and all that sleep with it; -1: every tree.
/// @return CT_OK or CT_ERR_ARGUMENT (NULL, no such tree)
CT_API ctStatus ct_tree_wake(const ctModel* m, ctData* d, int tree);

/// Put trees to sleep where they are, as one cycle: their velocities become zero, and what is computed for
/// them is computed once more. They wake as any others do, at once when something awake touches them.
/// @param trees  `n` different trees, all awake
/// @return CT_OK, CT_ERR_ARGUMENT (NULL, no such tree, one twice, one that sleeps), CT_ERR_INVALID (the sleep
/// flag is
///         off, a policy says never, a force is applied: `err` says which tree) or CT_ERR_MEMORY; then
///         nothing sleeps
CT_API ctStatus ct_tree_sleep(const ctModel* m, ctData* d, const int* trees, int n, ctError* err);

// ---- the stages of ct_forward, each needing those before it ----------------------------------------------

/// Compute all that depends on positions: frames, masses, contacts, constraint rows.
CT_API ctStatus ct_forward_position(const ctModel* m, ctData* d);

/// Compute all that depends on velocities: bias and passive forces, reference accelerations of constraints.
CT_API ctStatus ct_forward_velocity(const ctModel* m, ctData* d);

/// Compute forces of actuators and rates of their activations.
CT_API ctStatus ct_forward_actuation(const ctModel* m, ctData* d);

/// Compute accelerations without constraints.
CT_API ctStatus ct_forward_acceleration(const ctModel* m, ctData* d);

/// Compute constraint forces and accelerations.
CT_API ctStatus ct_forward_constraint(const ctModel* m, ctData* d);

#ifdef __cplusplus
}
#endif
