// A progress bar on stderr, when that is a terminal.
#pragma once

#include <stdbool.h>

typedef struct {
  bool on, drawn;
  double end;   // simulated seconds to come
  double last;  // clock at the last drawing
} cli_Progress;

cli_Progress cli_progress_start(bool wanted, double end);

/// Draw the bar again, unless it was drawn a moment ago.
void cli_progress_show(cli_Progress* p, double time, double steps_per_second);

/// Erase the bar.
void cli_progress_end(cli_Progress* p);
