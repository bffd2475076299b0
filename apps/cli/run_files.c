#include "run_files.h"

#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "options.h"
#include "plot.h"

int cli_plot_table(const cli_Recording* table, const char* command, const char* channels, const char* title,
                   const char* out) {
  int* chosen = calloc((size_t)table->nchannel + 1, sizeof(int));
  int code = CLI_FAILED, left_out = 0;
  if (!chosen) {
    fprintf(stderr, "corten %s: out of memory\n", command);
    return code;
  }
  int count = cli_plot_choose(table, channels, chosen, command);
  if (count < 0) {
    code = CLI_MISUSE;
  } else if (count == 0) {
    code = cli_misuse(command, "there is nothing to draw");
  } else {
    cli_Plot plot = {table, chosen, count, title};
    code = cli_plot_draw(&plot, out, &left_out);
  }
  if (code == CLI_OK && left_out > 0) {
    fprintf(stderr, "corten %s: no room for %d of %d channels; choose with --channels\n", command, left_out,
            count);
  }
  free(chosen);
  return code;
}
