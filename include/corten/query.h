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

#ifdef __cplusplus
}
#endif
