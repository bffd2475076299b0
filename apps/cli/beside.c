#define _DEFAULT_SOURCE  // readlink
#include "beside.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

int cli_become(const char* command, const char* ending, const char** args, const char* needs) {
  char program[PATH_MAX];
  size_t longest = sizeof(program) - strlen(ending) - 1;
  ssize_t n = readlink("/proc/self/exe", program, longest);
  if (n <= 0 || (size_t)n >= longest) {
    fprintf(stderr, "corten %s: this program does not know where it is\n", command);
    return CLI_FAILED;
  }
  memcpy(program + n, ending, strlen(ending) + 1);
  args[0] = program;
  execv(program, (char* const*)(uintptr_t)args);
  fprintf(stderr, "corten %s: it needs the program %s, %s\n", command, program, needs);
  return CLI_FAILED;
}
