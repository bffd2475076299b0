// Constraint stage: friction loss of dofs and tendons, limits of joints and tendons.
//   reads   d->qpos, ten_length, ten_J; m->dof_frictionloss, jnt_range, tendon_range ...
//   writes  rows
//   before  tendons
#pragma once

#include "stage/constraint/rows.h"

CT_FN ctStatus cti_friction_rows(ctiRows* rows);
CT_FN ctStatus cti_limit_rows(ctiRows* rows);
