// Questions about a state that ct_forward has been run for.
#pragma once

#include "corten/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Potential and kinetic energy into `d->energy`, whatever the energy flag says. Needs positions and
/// velocities. `d` is written. @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_energy(const ctModel* m, ctData* d);

/// Mass of the whole model. Thread-safe. 0 when `m` is NULL.
CT_API ctReal ct_model_mass(const ctModel* m);

/// Dense mass matrix, row by row, into `out` (nv * nv reals). @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_full_mass(const ctModel* m, const ctData* d, ctReal* out);

/// Add to `qfrc` (nv reals) the effect of a world force and torque at a world point fixed to a body.
/// `force` or `torque` may be NULL. @return CT_OK or CT_ERR_ARGUMENT
CT_API ctStatus ct_apply_force(const ctModel* m, ctData* d, const ctReal* force, const ctReal* torque,
                               const ctReal* point, int body, ctReal* qfrc);

/// Force and torque of a contact in its own frame, into `out`: along the normal and the two tangents, then
/// about them. It acts on the second geom's body, its opposite on the first's. Zero for a contact without
/// constraint rows. @return CT_OK or CT_ERR_ARGUMENT (NULL, or no such contact)
CT_API ctStatus ct_contact_force(const ctModel* m, const ctData* d, int contact, ctReal out[6]);

/// How well the constraints were solved. `balance`: what M qacc - qfrc_smooth - qfrc_constraint leaves,
/// relative to the largest force in it. `force`: how far `efc_force` is from the forces that the constraints
/// exert at `qacc`, relative to the largest force. Both are zero at the exact solution and only there; the
/// noslip pass leaves it on purpose. Nothing but scratch of `d` is written.
/// @return CT_OK, CT_ERR_ARGUMENT (NULL) or CT_STEP_OVERFLOW (full arena)
CT_API ctStatus ct_kkt_residual(const ctModel* m, ctData* d, ctReal* balance, ctReal* force);

#ifdef __cplusplus
}
#endif
