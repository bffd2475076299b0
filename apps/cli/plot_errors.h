// A picture of errors by step size, both on scales of powers of ten.
#pragma once

#include <stdbool.h>

#define ERRORS_MOST 16

typedef struct {
  const char* title;
  int count;
  double size[ERRORS_MOST];                           // of the differences, falling
  double centred[ERRORS_MOST], forward[ERRORS_MOST];  // errors
} cli_Errors;

/// Draw to a PNG file. @return CLI_OK, or CLI_FAILED with a line on stderr
int cli_errors_draw(const cli_Errors* errors, const char* path);
