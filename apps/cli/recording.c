#include "recording.h"

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

// A file without a name, in the folder of `path`: what is written there is gone when the process is. Where
// `path` is a device or a pipe, in the folder for temporary files.
static FILE* open_nameless(const char* path) {
  char name[4096];
  if (ct_file_begin(path, name, sizeof(name), NULL) != CT_OK) return NULL;
  if (strcmp(name, path) == 0) return tmpfile();
  FILE* file = fopen(name, "w+b");
  ct_file_end(path, name, false, NULL);
  return file;
}

static void close_both(cli_Sink* s) {
  if (s->raw) fclose(s->raw);
  if (s->file) fclose(s->file);
  s->raw = s->file = NULL;
}

int cli_sink_open(cli_Sink* s, const cli_Recording* r, const char* path, bool keeps) {
  ctError err = {0};
  bool csv = strcmp(ending(path), ".csv") == 0;
  *s = (cli_Sink){.path = path, .keeps = keeps};
  if (ct_file_begin(path, s->temporary, sizeof(s->temporary), &err) != CT_OK) return cli_fail(&err);
  s->file = fopen(s->temporary, "wb");
  if (!csv) s->raw = open_nameless(path);
  if (!s->file || (!csv && !s->raw)) {
    close_both(s);
    ct_file_end(path, s->temporary, false, NULL);
    return complain(path, "cannot write this file");
  }
  if (csv) cli_csv_head(s->file, r);
  return CLI_OK;
}

void cli_sink_row(cli_Sink* s, cli_Recording* r) {
  if (!s->file) return;
  const double* row = r->data + (size_t)r->nchannel * (r->rows - 1);
  if (s->raw) {
    fwrite(row, sizeof(double), (size_t)r->nchannel, s->raw);
  } else {
    cli_csv_row(s->file, r, row);
  }
  r->total++;
  if (!s->keeps) r->rows--;
}

int cli_sink_close(cli_Sink* s, const cli_Recording* r) {
  if (!s->file) return CLI_OK;
  const char* wrong = NULL;
  bool ok = !s->raw || (fflush(s->raw) == 0 && !ferror(s->raw));
  if (s->raw && ok) wrong = cli_npz_write(r, s->raw, s->file);
  ok = ok && !ferror(s->file) && !wrong;
  ok = fclose(s->file) == 0 && ok;
  s->file = NULL;
  close_both(s);
  ctError err = {0};
  ctStatus status = ct_file_end(s->path, s->temporary, ok, &err);
  if (!ok) return complain(s->path, wrong ? wrong : "cannot write all of this file");
  return status == CT_OK ? CLI_OK : cli_fail(&err);
}

void cli_sink_drop(cli_Sink* s) {
  if (!s->file) return;
  close_both(s);
  ct_file_end(s->path, s->temporary, false, NULL);
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
  bool zip = size >= 2 && bytes[0] == 'P' && bytes[1] == 'K';
  const char* wrong = zip ? cli_npz_read(r, (const unsigned char*)bytes, size) : cli_csv_read(r, bytes, size);
  free(bytes);
  if (!wrong && r->rows == 0) wrong = "there are no rows of numbers in this file";
  if (!wrong) return CLI_OK;
  cli_recording_free(r);
  return complain(path, wrong);
}
