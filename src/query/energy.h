// Potential and kinetic energy. Step code.
//   reads   d->xipos, qpos, qvel, plastic, ten_length, M
//   writes  d->energy, flg_energypos, flg_energyvel
//   before  kinematics, tendons; mass matrix
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Gravity and springs.
CT_FN void cti_energy_position(const ctModel* m, ctData* d);

// v'Mv / 2. CT_OK or CT_STEP_OVERFLOW (arena full: energy 0).
CT_FN ctStatus cti_energy_velocity(const ctModel* m, ctData* d);
