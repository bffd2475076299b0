#include "playback.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command.h"

static int complain(const char* path, const char* format, int have, int want) {
  fprintf(stderr, "%s: ", path);
  fprintf(stderr, format, have, want);
  fputc('\n', stderr);
  return CLI_FAILED;
}

// Times rise and every control is a number.
static int check_rows(const cli_Playback* p, const ctModel* m, const char* path) {
  const cli_Recording* t = &p->table;
  for (size_t row = 0; row < t->rows; row++) {
    const double* now = t->data + row * (size_t)t->nchannel;
    if (p->time >= 0 && row > 0 && !(now[p->time] > now[p->time - t->nchannel]))
      return complain(path, "row %d: time does not rise (of %d rows)", (int)row + 1, (int)t->rows);
    for (int i = 0; i < m->nu; i++) {
      if (!isfinite(now[p->first + i]))
        return complain(path, "row %d: control %d is not a finite number", (int)row + 1, i);
    }
  }
  return CLI_OK;
}

int cli_playback_open(cli_Playback* p, const ctModel* m, const char* path) {
  *p = (cli_Playback){.time = -1};
  if (cli_recording_load(&p->table, path) != CLI_OK) return CLI_FAILED;
  const cli_Recording* t = &p->table;
  int count = cli_recording_group(t, "ctrl", &p->first);
  p->time = cli_recording_find(t, "time");
  int code = CLI_OK;
  if (count == 0) {
    // a plain table: time, where there is one, comes first
    p->first = p->time >= 0 || t->nchannel == m->nu + 1;
    if (p->first) p->time = 0;
    count = t->nchannel - p->first;
  }
  if (count != m->nu) code = complain(path, "it has %d controls, the model %d", count, m->nu);
  if (code == CLI_OK) code = check_rows(p, m, path);
  if (code != CLI_OK) cli_playback_close(p);
  return code;
}

void cli_playback_close(cli_Playback* p) {
  cli_recording_free(&p->table);
}

void cli_playback_rewind(cli_Playback* p) {
  p->at = 0;
}

void cli_playback_apply(cli_Playback* p, const ctModel* m, ctData* d, long long step) {
  const cli_Recording* t = &p->table;
  if (p->time >= 0) {
    // half a step of slack: times of another machine or timestep may be off by rounding
    double now = (double)d->time + 0.5 * (double)m->opt.timestep;
    while (p->at + 1 < t->rows && t->data[(p->at + 1) * (size_t)t->nchannel + (size_t)p->time] <= now)
      p->at++;
  } else {
    p->at = (size_t)step < t->rows ? (size_t)step : t->rows - 1;
  }
  const double* row = t->data + p->at * (size_t)t->nchannel + p->first;
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = (ctReal)row[i];
}
