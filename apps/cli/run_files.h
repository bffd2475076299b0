// Files of a run: recording, picture, states.
#pragma once

#include "recording.h"

/// Draw chosen channels of a table and say what was drawn. @return CLI_OK, CLI_FAILED or CLI_MISUSE
int cli_plot_table(const cli_Recording* table, const char* command, const char* channels, const char* title,
                   const char* out);
