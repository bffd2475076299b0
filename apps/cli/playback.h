// Controls from a recording.
#pragma once

#include "recording.h"

typedef struct {
  cli_Recording table;
  int time;   // channel of the time, -1 when there is none: then a row belongs to a step
  int first;  // channel of the first control
  size_t at;  // row at hand
} cli_Playback;

/// Read controls for a model: channels called ctrl.*, or as many columns as it has controls, with or without
/// a time before them. @return CLI_OK, or CLI_FAILED with a line on stderr
int cli_playback_open(cli_Playback* p, const ctModel* m, const char* path);
void cli_playback_close(cli_Playback* p);
void cli_playback_rewind(cli_Playback* p);

/// Set the controls for the next step, the `step`-th: those of the last row that is not later than now;
/// before the first row the first, behind the last the last.
void cli_playback_apply(cli_Playback* p, const ctModel* m, ctData* d, long long step);
