// A locale whose decimal point is a comma, made on the spot: machines rarely have one installed.
#pragma once

#include <locale.h>
#include <unistd.h>

#include "xt.h"

static inline void xt_write_text(const char* path, const char* text) {
  FILE* file = fopen(path, "w");
  XT_TRUE(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

// The characters that localedef needs to know.
static inline void xt_write_ascii(const char* path) {
  FILE* file = fopen(path, "w");
  XT_TRUE(file);
  fprintf(file, "<code_set_name> ANSI_X3.4-1968\n<escape_char> /\n<mb_cur_max> 1\nCHARMAP\n");
  for (int i = 0; i < 128; i++) fprintf(file, "<U%04X> /x%02x C%d\n", (unsigned)i, (unsigned)i, i);
  fprintf(file, "END CHARMAP\n");
  XT_TRUE(fclose(file) == 0);
}

// Make it and choose it. False where the machine has no localedef.
static inline bool xt_comma_locale(void) {
  char folder[] = "/tmp/xt-locale-XXXXXX", path[128], line[512];
  if (!mkdtemp(folder)) return false;
  snprintf(path, sizeof(path), "%s/ascii", folder);
  xt_write_ascii(path);
  snprintf(path, sizeof(path), "%s/comma", folder);
  xt_write_text(
      path,
      "escape_char /\nLC_NUMERIC\ndecimal_point \",\"\nthousands_sep \"\"\ngrouping -1\nEND LC_NUMERIC\n");
  // other categories are missing, which it warns of
  snprintf(line, sizeof(line), "cd %s && localedef -c -f ./ascii -i ./comma ./xx_XX >/dev/null 2>&1", folder);
  if (system(line) == -1) return false;
  setenv("LOCPATH", folder, 1);
  bool chosen = setlocale(LC_NUMERIC, "xx_XX") != NULL;
  snprintf(line, sizeof(line), "rm -r %s", folder);
  if (system(line) != 0) return false;
  snprintf(line, sizeof(line), "%.1f", 1.5);
  return chosen && strcmp(line, "1,5") == 0;
}
