/// @file
/// MuJoCo's C interface over this library, for programs written for it: `mjModel` and `mjData` are `ctModel`
/// and `ctData`, whose members have MuJoCo's names, and the functions are thin inline wrappers. Sources with
/// `#include <mujoco/mujoco.h>` compile unchanged with the flags of `pkg-config corten-mujoco`. Programs are
/// recompiled, not relinked: there is no promise of binary layout.
///
/// What MuJoCo answers with an error ends in mju_error(): the function in `mju_user_error`, else a line on
/// stderr and exit(1), as there. Drawing, and plugins and resources that a program registers, are absent;
/// docs/mujoco-h.md has the functions one by one.
#pragma once

#include "corten/mujoco_actuators.h"
#include "corten/mujoco_core.h"
#include "corten/mujoco_defaults.h"
#include "corten/mujoco_derive.h"
#include "corten/mujoco_edit.h"
#include "corten/mujoco_matrices.h"
#include "corten/mujoco_more.h"
#include "corten/mujoco_spec.h"
