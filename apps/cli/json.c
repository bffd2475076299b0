#include "json.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// ---- text ------------------------------------------------------------------------------------------------

// Length of the UTF-8 character at `u`, 0 when it is none. The terminator is never a continuation, so the
// look ahead stays inside the text.
static int utf8_length(const unsigned char* u) {
  if (u[0] < 0x80) return 1;
  int n = u[0] >= 0xc2 && u[0] < 0xe0 ? 2 : (u[0] & 0xf0) == 0xe0 ? 3 : u[0] >= 0xf0 && u[0] < 0xf5 ? 4 : 0;
  for (int i = 1; i < n; i++) {
    if ((u[i] & 0xc0) != 0x80) return 0;
  }
  bool overlong = (u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xf0 && u[1] < 0x90);
  bool outside = (u[0] == 0xed && u[1] > 0x9f) || (u[0] == 0xf4 && u[1] > 0x8f);
  return overlong || outside ? 0 : n;
}

static void write_text(FILE* file, const char* text) {
  const unsigned char* u = (const unsigned char*)text;
  fputc('"', file);
  while (*u) {
    int n = utf8_length(u);
    if (n == 0) {
      fputs("\\ufffd", file);  // a path need not be UTF-8, JSON must be
      n = 1;
    } else if (*u < 0x20 || *u == 0x7f) {
      fprintf(file, "\\u%04x", *u);
    } else {
      if (*u == '"' || *u == '\\') fputc('\\', file);
      fwrite(u, 1, (size_t)n, file);
    }
    u += n;
  }
  fputc('"', file);
}

// ---- structure -------------------------------------------------------------------------------------------

static void begin_member(cli_Json* j, const char* key) {
  if (j->filled) fputc(',', j->file);
  if (j->depth > 0) fprintf(j->file, "\n%*s", 2 * j->depth, "");
  j->filled = true;
  if (!key) return;
  write_text(j->file, key);
  fputs(": ", j->file);
}

void json_open(cli_Json* j, const char* key, char bracket) {
  begin_member(j, key);
  fputc(bracket, j->file);
  j->depth++;
  j->filled = false;
}

void json_close(cli_Json* j, char bracket) {
  j->depth--;
  if (j->filled) fprintf(j->file, "\n%*s", 2 * j->depth, "");
  fputc(bracket, j->file);
  j->filled = true;
}

void json_end(cli_Json* j) {
  fputc('\n', j->file);
}

// ---- values ----------------------------------------------------------------------------------------------

static void write_real(FILE* file, double x) {
  if (isfinite(x)) {
    fprintf(file, "%.17g", x);
  } else {
    fputs("null", file);
  }
}

void json_int(cli_Json* j, const char* key, long long n) {
  begin_member(j, key);
  fprintf(j->file, "%lld", n);
}

void json_real(cli_Json* j, const char* key, double x) {
  begin_member(j, key);
  write_real(j->file, x);
}

void json_bool(cli_Json* j, const char* key, bool b) {
  begin_member(j, key);
  fputs(b ? "true" : "false", j->file);
}

void json_text(cli_Json* j, const char* key, const char* text) {
  begin_member(j, key);
  if (text) {
    write_text(j->file, text);
  } else {
    fputs("null", j->file);
  }
}

void json_reals(cli_Json* j, const char* key, const ctReal* x, long long count) {
  begin_member(j, key);
  fputc('[', j->file);
  for (long long i = 0; i < count; i++) {
    if (i > 0) fputs(", ", j->file);
    write_real(j->file, (double)x[i]);
  }
  fputc(']', j->file);
}

static void write_element(FILE* file, const ctField* f, int64_t i) {
  switch (f->type) {
    case CT_FIELD_REAL: write_real(file, (double)((const ctReal*)f->data)[i]); break;
    case CT_FIELD_FLOAT: write_real(file, (double)((const float*)f->data)[i]); break;
    case CT_FIELD_INT: fprintf(file, "%d", ((const int*)f->data)[i]); break;
    case CT_FIELD_SIZE: fprintf(file, "%lld", (long long)((const ctSize*)f->data)[i]); break;
    case CT_FIELD_BYTE: fprintf(file, "%d", ((const ctByte*)f->data)[i]); break;
    case CT_FIELD_BOOL: fputs(((const ctBool*)f->data)[i] ? "true" : "false", file); break;
    default: fputs("null", file); break;
  }
}

void json_field(cli_Json* j, const char* key, const ctField* f) {
  begin_member(j, key);
  int64_t count = f->data ? f->rows * f->cols : 0;
  if (f->ndim > 0) fputc('[', j->file);
  for (int64_t i = 0; i < count; i++) {
    if (i > 0) fputs(", ", j->file);
    write_element(j->file, f, i);
  }
  if (f->ndim > 0) fputc(']', j->file);
}
