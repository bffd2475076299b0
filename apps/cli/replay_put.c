#include "replay_put.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static void put_group(Base64* b) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  uint32_t x = (uint32_t)b->left[0] << 16 | (uint32_t)b->left[1] << 8 | b->left[2];
  for (int i = 0; i < 4; i++) fputc(i <= b->n ? letters[x >> (18 - 6 * i) & 63] : '=', b->file);
  memset(b->left, 0, sizeof(b->left));
  b->n = 0;
}

void put_bytes(Base64* b, const void* data, size_t size) {
  const unsigned char* p = data;
  for (size_t i = 0; i < size; i++) {
    b->left[b->n++] = p[i];
    if (b->n == 3) put_group(b);
  }
}

void put_end(Base64* b) {
  if (b->n > 0) put_group(b);
}

void put_array(FILE* file, const char* name, const void* data, size_t size) {
  Base64 b = {.file = file};
  fprintf(file, "%s:\"", name);
  put_bytes(&b, data, size);
  put_end(&b);
  fprintf(file, "\",");
}

void put_text(FILE* file, const char* text) {
  fputc('"', file);
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\' || c < 32 || c == '<' || c == 127) {
      fprintf(file, "\\u%04x", c);
    } else {
      fputc(c, file);
    }
  }
  fputc('"', file);
}

void put_numbers(FILE* file, const char* name, const float* x, int n) {
  fprintf(file, "%s:[", name);
  for (int i = 0; i < n; i++) fprintf(file, i ? ",%.7g" : "%.7g", isfinite(x[i]) ? (double)x[i] : 0.0);
  fprintf(file, "],");
}
