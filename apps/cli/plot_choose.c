// Which channels a list of patterns means, and where a picture may go.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "command.h"

#include "options.h"
#include "plot.h"

// Does a name fit a pattern of `n` characters in which * stands for any text?
static bool fits(const char* name, const char* pattern, size_t n) {
  if (n == 0) return *name == 0;
  if (*pattern != '*') return *name == *pattern && fits(name + 1, pattern + 1, n - 1);
  for (;; name++) {
    if (fits(name, pattern + 1, n - 1)) return true;
    if (*name == 0) return false;
  }
}

static bool chooses(const char* pattern, size_t n, const char* name) {
  if (memchr(pattern, '*', n)) return fits(name, pattern, n);
  return strncmp(name, pattern, n) == 0 && (name[n] == 0 || name[n] == '.');
}

int cli_plot_choose(const cli_Recording* table, const char* list, int* chosen, const char* command) {
  int count = 0;
  for (int i = 0; i < table->nchannel && !list; i++) {
    if (strcmp(table->channels[i].name, "time") != 0) chosen[count++] = i;
  }
  while (list && *list) {
    size_t n = strcspn(list, ",");
    int before = count;
    for (int i = 0; i < table->nchannel; i++) {
      bool taken = false;
      for (int k = 0; k < count; k++) taken = taken || chosen[k] == i;
      if (!chooses(list, n, table->channels[i].name)) continue;
      if (taken) {
        before = -1;  // it fits, but is there already
      } else {
        chosen[count++] = i;
      }
    }
    if (count == before) {
      cli_misuse(command, "no channel is called '%.*s': corten plot FILE --channels list shows them all",
                 (int)n, list);
      return -1;
    }
    list += n + (list[n] == ',');
  }
  return count;
}

int cli_check_picture(const char* command, const char* option, const char* path) {
  static const unsigned char mark[] = {0x89, 'P', 'N', 'G'};
  size_t n = strlen(path);
  if (n < 5 || strcasecmp(path + n - 4, ".png") != 0)
    return cli_misuse(command, "%s: pictures are PNG, '%s' must end with .png", option, path);
  FILE* file = fopen(path, "rb");
  if (!file) return CLI_OK;  // not there: writing tells the rest
  unsigned char head[sizeof(mark)];
  size_t got = fread(head, 1, sizeof(head), file);
  fclose(file);
  if (got == 0 || (got == sizeof(head) && memcmp(head, mark, sizeof(mark)) == 0)) return CLI_OK;
  return cli_misuse(command, "%s: '%s' is there and no picture; name another file, or remove it", option,
                    path);
}
