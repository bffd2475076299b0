// One run of a simulation: start state, control noise, the loop with its measurements.
#pragma once

#include <corten/corten.h>
#include <stdbool.h>

#include "playback.h"
#include "recording.h"

typedef struct {
  long long steps;    // how many to take
  int key;            // keyframe to start from, -1 for the default state
  const char* state;  // file with the state to start from, which could be read before; NULL for none
  double noise;       // strength of the control noise, 0 for none
  unsigned long long seed;
  bool progress;           // show a bar on stderr
  bool profile;            // measure the stages too
  cli_Recording* record;   // where every step leaves a row; NULL for no recording
  cli_Sink* sink;          // where rows of the recording go; may be NULL
  cli_Playback* playback;  // where controls come from; NULL for those of the start state
  bool sensor_noise;       // sensors with a noise attribute are noisy, from the seed
} cli_Plan;

typedef struct {
  ctStatus status;   // CT_OK, or what ended the run early
  bool interrupted;  // by the user
  long long steps;   // completed
  double start;      // time of the start state
  double time;       // simulated seconds since then
  double wall;       // real seconds the steps took
  double ncon_sum, nefc_sum;
  int ncon_max, nefc_max;
  double awake_sum;                       // trees that are awake, after each step
  int awake_min, awake_end;               // the fewest, and those of the last step
  double energy_start[2], energy_end[2];  // potential, kinetic; NaN when the state is not worth asking
  ctWarningStat warning[CT_WARN_COUNT];
  ctTimerStat timer[CT_TIMER_COUNT];  // from a profiled repetition; zero when there was none
} cli_Result;

/// Run the plan on `d`, then repeat the beginning of it with the clocks of the engine on. Reading those costs
/// about 6 % of a step of the humanoid, which is why the speed is not measured in the same pass. Ctrl-C ends
/// the run early.
/// @return CT_OK; CT_ERR_MEMORY when the run could not begin
ctStatus cli_simulate(const ctModel* m, ctData* d, const cli_Plan* plan, cli_Result* result);

/// Number of a keyframe given by name or number, -2 when there is none.
int cli_find_keyframe(const ctModel* m, const char* text);
