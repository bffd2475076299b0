// Accelerations of bodies and the forces on them, computed after the constraint solve, on demand.
//   reads   d->qacc, cdof, cdof_dot, cvel, cinert, xfrc_applied, contact, efc_force
//   writes  d->cacc, cfrc_int, cfrc_ext, flg_rnepost; subtree_linvel, subtree_angmom, flg_subtreevel
//   before  the constraint solve; the second: velocities
#pragma once

#include "base/fn.h"
#include "corten/data.h"

CT_FN void cti_post_constraint(const ctModel* m, ctData* d);
CT_FN void cti_subtree_velocity(const ctModel* m, ctData* d);

// Force and torque of a contact in its own frame (normal first), zero when it has no rows.
CT_FN void cti_contact_wrench(const ctModel* m, const ctData* d, int contact, ctReal out[6]);

// ---- potential and kinetic energy ----
//   reads   d->xipos, qpos, qvel, plastic, ten_length, M
//   writes  d->energy, flg_energypos, flg_energyvel
//   before  kinematics, tendons; mass matrix

// Gravity and springs.
CT_FN void cti_energy_position(const ctModel* m, ctData* d);

// v'Mv / 2. CT_OK or CT_STEP_OVERFLOW (arena full: energy 0).
CT_FN ctStatus cti_energy_velocity(const ctModel* m, ctData* d);

// ---- host code ----

// Masses of subtrees from those of the bodies.
void cti_subtree_masses(ctModel* m);
