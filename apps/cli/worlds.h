// Many worlds of a model, run and measured as a batch.
#pragma once

#include <corten/corten.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct {
  ctBatchOptions options;
  int worlds;
  long long steps;  // of every world
  int per_call;     // steps that one call takes; controls change between calls
  int key;          // keyframe to start from, -1 for the default state
  double noise;     // strength of the control noise, different in every world; 0 for none
  unsigned long long seed;
  bool hash;      // of the states in the end
  int profile;    // steps that are measured by stage in the end, 0 for none
  double began;   // clock when the program began with the model
  bool progress;  // show a bar on stderr
} cli_WorldsPlan;

typedef struct {
  double sum, count;
  int most;
} cli_Tally;

typedef struct {
  ctBatchInfo info;
  bool interrupted;
  long long steps;                       // completed, of every world
  double first;                          // seconds from the beginning until a first step was done
  double wall;                           // seconds that all others took, with their controls
  double time;                           // simulated seconds, of every world
  cli_Tally contacts, rows, iterations;  // of the last step of every call
  cli_Tally awake;                       // trees; with the sleep flag
  int with_warnings;                     // worlds with warnings or a bad status
  ctStatus status;                       // of the world with the lowest number among them
  ctWarningStat warning[CT_WARN_COUNT];  // of all worlds together
  uint64_t hash;                         // of all states, when it was asked for
  ctBatchProfile profile;                // likewise
} cli_WorldsResult;

/// Name of a backend and back: "auto", "cpu", "cuda"; -1 for another name.
const char* cli_backend_name(ctBackend backend);
int cli_backend_find(const char* name);

/// Run the plan. Ctrl-C ends it early. @return CT_OK, or why there is no result, with the reason in `err`
ctStatus cli_run_worlds(const ctModel* m, const cli_WorldsPlan* plan, cli_WorldsResult* result, ctError* err);

/// The result for a person, in one line, or for a program.
void cli_worlds_report(FILE* out, const ctModel* m, const cli_WorldsPlan* plan, const cli_WorldsResult* r);
void cli_worlds_line(FILE* out, const ctModel* m, const cli_WorldsResult* r);
void cli_worlds_json(FILE* out, const ctModel* m, const cli_WorldsPlan* plan, const cli_WorldsResult* r);

/// Run, report as text or JSON, and print on stderr what failed. @return CLI_OK, CLI_FAILED or CLI_STOPPED
int cli_worlds(const ctModel* m, const cli_WorldsPlan* plan, const char* command, bool quiet, bool json);
