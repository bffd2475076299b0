// Recordings as pictures: panels under each other, one for each group and unit, over a common time axis.
#pragma once

#include "recording.h"

#define PLOT_MAX_PANELS 12
#define PLOT_MAX_LINES  12

typedef struct {
  const cli_Recording* table;
  const int* chosen;  // channels
  int count;
  const char* title;
} cli_Plot;

/// Whether this build can draw. When not, a line on stderr says what to do.
bool cli_can_plot(const char* command);

/// Whether a picture may be written to `path`, which `option` named: it must end with .png, and what is there
/// already must be a picture too, or empty. @return CLI_OK, or CLI_MISUSE with a line on stderr
int cli_check_picture(const char* command, const char* option, const char* path);

/// Channels that a list of patterns chooses: names, beginnings of names up to a dot, or with * for any text;
/// separated by commas. NULL chooses all but the time. `chosen` has room for all channels.
/// @return how many; -1 when a pattern fits nothing, with a line on stderr
int cli_plot_choose(const cli_Recording* table, const char* list, int* chosen, const char* command);

/// Draw to a PNG file. `left_out` receives the number of channels there was no room for.
/// @return CLI_OK, or CLI_FAILED with a line on stderr
int cli_plot_draw(const cli_Plot* plot, const char* path, int* left_out);
