/// @file
/// A header of MuJoCo by its name: see corten/mujoco.h.
#pragma once

#include "corten/mujoco.h"
