#define _XOPEN_SOURCE 700  // realpath
#include "recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channels.h"
#include "command.h"
#include "output.h"

// ---- the table

void cli_recording_free(cli_Recording* r) {
  for (int i = 0; i < r->nchannel; i++) {
    free(r->channels[i].name);
    free(r->channels[i].unit);
  }
  free(r->channels);
  free(r->data);
  *r = (cli_Recording){0};
}

bool cli_recording_add_channel(cli_Recording* r, const char* name, size_t size, const char* unit) {
  cli_Channel* more = realloc(r->channels, sizeof(cli_Channel) * ((size_t)r->nchannel + 1));
  if (!more) return false;
  r->channels = more;
  cli_Channel c = {malloc(size + 1), malloc(strlen(unit) + 1)};
  if (!c.name || !c.unit) {
    free(c.name);
    free(c.unit);
    return false;
  }
  memcpy(c.name, name, size);
  c.name[size] = 0;
  memcpy(c.unit, unit, strlen(unit) + 1);
  r->channels[r->nchannel++] = c;
  return true;
}

double* cli_recording_row(cli_Recording* r) {
  if (r->rows == r->capacity) {
    size_t capacity = r->capacity ? 2 * r->capacity : 256;
    double* more = realloc(r->data, sizeof(double) * capacity * (size_t)r->nchannel);
    if (!more) return NULL;
    r->data = more;
    r->capacity = capacity;
  }
  return r->data + (size_t)r->nchannel * r->rows++;
}

bool cli_recording_begin(cli_Recording* r, const ctModel* m) {
  *r = (cli_Recording){0};
  if (cli_name_channels(r, m)) return true;
  cli_recording_free(r);
  return false;
}

int cli_recording_find(const cli_Recording* r, const char* name) {
  for (int i = 0; i < r->nchannel; i++) {
    if (strcmp(r->channels[i].name, name) == 0) return i;
  }
  return -1;
}

int cli_recording_group(const cli_Recording* r, const char* group, int* first) {
  size_t n = strlen(group);
  int count = 0;
  for (int i = 0; i < r->nchannel; i++) {
    const char* name = r->channels[i].name;
    if (strncmp(name, group, n) != 0 || (name[n] != '.' && name[n] != 0)) continue;
    if (count++ == 0) *first = i;
  }
  return count;
}

// ---- files

static const char* ending(const char* path) {
  const char* dot = strrchr(path, '.');
  return dot ? dot : "";
}

bool cli_recording_knows(const char* path) {
  return strcmp(ending(path), ".csv") == 0 || strcmp(ending(path), ".npz") == 0;
}

static int complain(const char* path, const char* what) {
  fprintf(stderr, "%s: %s\n", path, what);
  return CLI_FAILED;
}

static bool is_csv(const char* path) {
  return strcmp(ending(path), ".csv") == 0;
}

// A new file beside `path`, or behind the link that it is. One that is there belongs to a run that did not
// end.
static FILE* open_part(cli_Sink* s) {
  char* target = realpath(s->path, NULL);
  FILE* file = NULL;
  for (int i = 1; i < 1000 && !file; i++) {
    char number[16] = "";
    if (i > 1) snprintf(number, sizeof(number), "-%d", i);
    snprintf(s->part, sizeof(s->part), "%s.part%s", target ? target : s->path, number);
    file = fopen(s->part, "w+bx");
    if (!file && errno != EEXIST) break;
    if (!file) fprintf(stderr, "%s: the rows of a run that did not end; kept\n", s->part);
  }
  free(target);
  return file;
}

// Devices and pipes have nothing beside them.
static FILE* open_rows(cli_Sink* s, const char* temporary) {
  if (strcmp(s->path, temporary) != 0) return open_part(s);
  return s->csv ? fopen(s->path, "wb") : tmpfile();
}

// What was written can be read, by others as well.
static bool flush(cli_Sink* s, const cli_Recording* r) {
  s->flushed = ct_clock();
  bool ok = fflush(s->file) == 0;
  if (s->csv || !ok) return ok;
  rewind(s->file);
  cli_npy_head(s->file, r);
  return fflush(s->file) == 0 && fseek(s->file, 0, SEEK_END) == 0;
}

int cli_sink_open(cli_Sink* s, const cli_Recording* r, const char* path, bool keeps) {
  ctError err = {0};
  char temporary[4096];
  *s = (cli_Sink){.path = path, .csv = is_csv(path), .keeps = keeps};
  if (ct_file_begin(path, temporary, sizeof(temporary), &err) != CT_OK) return cli_fail(&err);
  ct_file_end(path, temporary, false, NULL);
  s->file = open_rows(s, temporary);
  if (!s->file) return complain(path, strerror(errno));
  if (s->csv) cli_csv_head(s->file, r);
  flush(s, r);
  return CLI_OK;
}

void cli_sink_row(cli_Sink* s, cli_Recording* r) {
  if (!s->file) return;
  const double* row = r->data + (size_t)r->nchannel * (r->rows - 1);
  if (s->csv) {
    cli_csv_row(s->file, r, row);
  } else {
    fwrite(row, sizeof(double), (size_t)r->nchannel, s->file);
  }
  if (ferror(s->file)) s->failed = errno ? errno : EIO;
  r->total++;
  if (!s->keeps) r->rows--;
  if (ct_clock() - s->flushed >= 1 && !flush(s, r) && !s->failed) s->failed = errno;
}

// The arrays of an .npz, from the rows.
static int write_arrays(cli_Sink* s, const cli_Recording* r) {
  ctError err = {0};
  char temporary[4096];
  if (ct_file_begin(s->path, temporary, sizeof(temporary), &err) != CT_OK) return cli_fail(&err);
  FILE* file = fopen(temporary, "wb");
  const char* wrong = file ? cli_npz_write(r, s->file, file) : strerror(errno);
  if (file && ferror(file) && !wrong) wrong = strerror(errno);
  if (file && fclose(file) != 0 && !wrong) wrong = strerror(errno);
  ctStatus status = ct_file_end(s->path, temporary, !wrong, &err);
  if (wrong) return complain(s->path, wrong);
  return status == CT_OK ? CLI_OK : cli_fail(&err);
}

// Rows that found no room: the part has as many as are whole.
static void count_rows(const cli_Sink* s, const cli_Recording* r) {
  FILE* file = fopen(s->part, "r+b");
  if (!file) return;
  cli_Recording whole = *r;
  cli_npy_head(file, &whole);
  const long head = ftell(file), row = (long)sizeof(double) * r->nchannel;
  fseek(file, 0, SEEK_END);
  whole.total = (size_t)((ftell(file) - head) / row);
  rewind(file);
  cli_npy_head(file, &whole);
  fclose(file);
}

int cli_sink_close(cli_Sink* s, const cli_Recording* r) {
  if (!s->file) return CLI_OK;
  if (!s->failed && !flush(s, r)) s->failed = errno;
  int code = s->failed ? complain(s->path, strerror(s->failed)) : CLI_OK;
  if (code == CLI_OK && !s->csv) code = write_arrays(s, r);
  if (fclose(s->file) != 0 && code == CLI_OK) code = complain(s->path, strerror(errno));
  s->file = NULL;
  if (!s->part[0]) return code;
  ctError err = {0};
  if (code == CLI_OK && s->csv && ct_file_end(s->path, s->part, true, &err) != CT_OK) code = cli_fail(&err);
  if (code == CLI_OK && !s->csv) remove(s->part);
  if (s->failed && !s->csv) count_rows(s, r);
  if (code != CLI_OK) fprintf(stderr, "%s: the rows until then\n", s->part);
  return code;
}

void cli_sink_drop(cli_Sink* s) {
  if (!s->file) return;
  fclose(s->file);
  s->file = NULL;
  if (s->part[0]) remove(s->part);
}

// The bytes of a file, NULL when it cannot be read.
static char* read_file(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  char* bytes = NULL;
  size_t capacity = 0, used = 0, got;
  if (!file) return NULL;
  do {
    if (used == capacity) {
      capacity = capacity ? 2 * capacity : 65536;
      char* more = realloc(bytes, capacity);
      if (!more) break;
      bytes = more;
    }
    got = fread(bytes + used, 1, capacity - used, file);
    used += got;
  } while (got > 0);
  bool ok = bytes && feof(file) && !ferror(file);
  fclose(file);
  if (!ok) {
    free(bytes);
    return NULL;
  }
  *size = used;
  return bytes;
}

int cli_recording_load(cli_Recording* r, const char* path) {
  *r = (cli_Recording){0};
  size_t size = 0;
  char* bytes = read_file(path, &size);
  if (!bytes) return complain(path, "cannot read this file");
  const unsigned char* binary = (const unsigned char*)bytes;
  const char* wrong = size >= 2 && memcmp(bytes, "PK", 2) == 0          ? cli_npz_read(r, binary, size)
                      : size >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0 ? cli_npy_read(r, binary, size)
                                                                        : cli_csv_read(r, bytes, size);
  free(bytes);
  if (!wrong && r->rows == 0) wrong = "there are no rows of numbers in this file";
  if (!wrong) return CLI_OK;
  cli_recording_free(r);
  return complain(path, wrong);
}
