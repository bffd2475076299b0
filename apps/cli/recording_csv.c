// Comma-separated values: a head with names and units, "name [unit]", then a row of numbers a line.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"

// ---- writing

static void write_field(FILE* file, const cli_Channel* c) {
  bool quote = strpbrk(c->name, ",\"\n\r") != NULL;
  if (quote) fputc('"', file);
  for (const char* p = c->name; *p; p++) {
    if (*p == '"') fputc('"', file);
    fputc(*p, file);
  }
  if (*c->unit) fprintf(file, " [%s]", c->unit);
  if (quote) fputc('"', file);
}

void cli_csv_head(FILE* file, const cli_Recording* r) {
  for (int i = 0; i < r->nchannel; i++) {
    if (i) fputc(',', file);
    write_field(file, &r->channels[i]);
  }
  fputc('\n', file);
}

void cli_csv_row(FILE* file, const cli_Recording* r, const double* row) {
  for (int i = 0; i < r->nchannel; i++) fprintf(file, i ? ",%.17g" : "%.17g", row[i]);
  fputc('\n', file);
}

// ---- reading

typedef struct {
  const char *at, *end;
} Text;

static bool at_line_end(const Text* t) {
  return t->at == t->end || *t->at == '\n' || *t->at == '\r';
}

static void skip_line_end(Text* t) {
  while (t->at < t->end && (*t->at == '\r' || *t->at == '\n' || *t->at == ' ')) t->at++;
}

// One field of the head into `out`, quotes taken off. False when it does not fit.
static bool take_field(Text* t, char* out, size_t size) {
  size_t n = 0;
  bool quoted = t->at < t->end && *t->at == '"';
  if (quoted) t->at++;
  while (t->at < t->end && (quoted || (*t->at != ',' && !at_line_end(t)))) {
    char c = *t->at++;
    if (quoted && c == '"') {
      if (t->at == t->end || *t->at != '"') break;
      t->at++;
    }
    if (n + 1 >= size) return false;
    out[n++] = c;
  }
  out[n] = 0;
  return true;
}

static bool is_number(const char* text) {
  char* end;
  strtod(text, &end);
  return end != text && *end == 0;
}

// "name [unit]" in two.
static bool add_field(cli_Recording* r, char* field) {
  char* open = strrchr(field, '[');
  size_t n = strlen(field);
  const char* unit = "";
  if (open && open > field && open[-1] == ' ' && field[n - 1] == ']') {
    field[n - 1] = 0;
    unit = open + 1;
    n = (size_t)(open - field) - 1;
  }
  return cli_recording_add_channel(r, field, n, unit);
}

// Without a head the columns have numbers for names, and the first line is a row.
static const char* name_by_number(cli_Recording* r, Text* t, Text start) {
  int count = r->nchannel;
  char name[16];
  cli_recording_free(r);
  *t = start;
  for (int i = 0; i < count; i++) {
    snprintf(name, sizeof(name), "%d", i);
    if (!cli_recording_add_channel(r, name, strlen(name), "")) return "out of memory";
  }
  return NULL;
}

static const char* read_head(cli_Recording* r, Text* t) {
  char field[512];
  Text start = *t;
  bool numbers = true;
  for (;;) {
    if (!take_field(t, field, sizeof(field))) return "a name in the first line is too long";
    numbers = numbers && is_number(field);
    if (!add_field(r, field)) return "out of memory";
    if (at_line_end(t)) break;
    if (*t->at != ',') return "the first line is not a list of names";
    t->at++;
  }
  return numbers ? name_by_number(r, t, start) : NULL;
}

const char* cli_csv_read(cli_Recording* r, const char* text, size_t size) {
  static char wrong[128];
  if (memchr(text, 0, size)) return "this is neither .csv nor .npz";
  Text t = {text, text + size};
  const char* problem = size ? read_head(r, &t) : "this file is empty";
  if (problem) return problem;
  for (int line = 2;; line++) {
    skip_line_end(&t);
    if (t.at == t.end) return NULL;
    double* row = cli_recording_row(r);
    if (!row) return "out of memory";
    for (int i = 0; i < r->nchannel; i++) {
      char number[64];
      char* end;
      bool fits = take_field(&t, number, sizeof(number));
      row[i] = strtod(number, &end);
      bool last = i == r->nchannel - 1;
      bool separated = last ? at_line_end(&t) : t.at < t.end && *t.at == ',';
      if (!fits || end == number || *end || !separated) {
        snprintf(wrong, sizeof(wrong), "row %d: expected %d numbers", line, r->nchannel);
        return wrong;
      }
      if (!last) t.at++;
    }
  }
}
