// A run as one HTML file that replays it in a browser.
#pragma once

#include "recording.h"

/// Write the replay of a table with the positions of `m`. What is not in the table (mocap bodies) stays as in
/// `d`.
/// @return CLI_OK, or CLI_FAILED with a line on stderr
int cli_replay_save(const ctModel* m, const ctData* d, const cli_Recording* table, const char* title,
                    const char* path);
