// A table of numbers over time: what a run leaves, what plots draw, and where controls come from.
#pragma once

#include <corten/corten.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct {
  char* name;  // group.object.component, such as qpos.root.x
  char* unit;  // "" when there is none
} cli_Channel;

typedef struct {
  cli_Channel* channels;
  int nchannel;
  double* data;  // rows of nchannel numbers
  size_t rows, capacity;
  size_t total;  // rows that a sink took, those included that are gone
} cli_Recording;

/// The channels of a model: time, qpos, qvel, ctrl, sensors. False when memory runs out.
bool cli_recording_begin(cli_Recording* r, const ctModel* m);
void cli_recording_free(cli_Recording* r);

/// Add a channel, for readers. `name` is `size` bytes. False when memory runs out.
bool cli_recording_add_channel(cli_Recording* r, const char* name, size_t size, const char* unit);

/// Room for one more row, which is then counted. NULL when memory runs out.
double* cli_recording_row(cli_Recording* r);

/// First channel of a group ("ctrl") and how many it has; 0 when there are none.
int cli_recording_group(const cli_Recording* r, const char* group, int* first);

/// The channel of a name, -1 when there is none.
int cli_recording_find(const cli_Recording* r, const char* name);

/// A recording on its way to a file, whose ending says how: .csv or .npz. Rows are written as they come, into
/// a file beside it with `.part` behind its name, which is complete up to the last second whatever ends the
/// program: the lines of a .csv, or the array of records of an .npy. At the end it becomes the file, or its
/// columns are sorted into the arrays of an .npz.
typedef struct {
  const char* path;
  char part[4096];
  FILE* file;  // the rows; NULL: not open
  bool csv;
  bool keeps;      // rows that were written stay in the table, for a plot
  int failed;      // errno of a row that could not be written
  double flushed;  // ct_clock() when the rows were last made complete
} cli_Sink;

/// @return CLI_OK, or CLI_FAILED with a line on stderr
int cli_sink_open(cli_Sink* s, const cli_Recording* r, const char* path, bool keeps);

/// Write the last row of the table.
void cli_sink_row(cli_Sink* s, cli_Recording* r);

/// Write what is left and put the file into its place. @return as cli_sink_open()
int cli_sink_close(cli_Sink* s, const cli_Recording* r);

/// Forget it, when it is still open.
void cli_sink_drop(cli_Sink* s);

/// Read what cli_sink_close() wrote, or other tables of numbers in these forms.
/// @return CLI_OK, or CLI_FAILED with a line on stderr
int cli_recording_load(cli_Recording* r, const char* path);

/// Whether a path ends with .csv or .npz.
bool cli_recording_knows(const char* path);

// The two forms. Readers and writers return NULL, or what went wrong.
void cli_csv_head(FILE* file, const cli_Recording* r);
void cli_csv_row(FILE* file, const cli_Recording* r, const double* row);
const char* cli_csv_read(cli_Recording* r, const char* text, size_t size);
void cli_npy_head(FILE* file, const cli_Recording* r);
const char* cli_npz_write(const cli_Recording* r, FILE* rows, FILE* file);
const char* cli_npy_read(cli_Recording* r, const unsigned char* bytes, size_t size);
const char* cli_npz_read(cli_Recording* r, const unsigned char* bytes, size_t size);
