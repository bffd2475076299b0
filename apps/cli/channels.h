// What the numbers of a model are called, and their units.
#pragma once

#include "recording.h"

/// Channels of a model in the order of cli_fill_row: time, qpos, qvel, ctrl, sensors, and with the sleep flag
/// the number of trees that are awake.
bool cli_name_channels(cli_Recording* r, const ctModel* m);

/// The first part of a row: time, qpos, qvel, ctrl as they are before a step.
void cli_fill_state(double* row, const ctModel* m, const ctData* d);

/// The rest: the sensors that the step read at that state, and how many trees are awake after it.
void cli_fill_sensors(double* row, const ctModel* m, const ctData* d);
