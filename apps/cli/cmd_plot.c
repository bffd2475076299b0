// corten plot: draw a recording.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "options.h"
#include "plot.h"
#include "run_files.h"

typedef struct {
  const char *path, *out, *channels, *title;
} Request;

// FILE.png beside FILE.npz.
static bool name_picture(char* out, size_t size, const char* path) {
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  size_t n = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
  return snprintf(out, size, "%.*s.png", (int)n, path) < (int)size;
}

int cmd_plot(int argc, char** argv) {
  Request q = {0};
  char beside[4096];
  const cli_Opt opts[] = {
      OPT_ARG("FILE", &q.path, "recording, .npz or .csv, as corten run --record writes it"),
      OPT_TEXT("out", "PNG", &q.out, "picture to write (default: FILE with .png)"),
      OPT_TEXT("channels", "LIST", &q.channels, "what to draw: qpos,sensor.imu,ctrl.*knee*; list shows all"),
      OPT_TEXT("title", "TEXT", &q.title, "headline (default: the name of the file)"),
      OPT_NOTE("Channels of a group and unit share a panel; all panels share the time axis."),
      OPT_END};
  int code = cli_parse(opts, argc, argv);
  if (code != CLI_OK) return code;
  bool only_list = q.channels && strcmp(q.channels, "list") == 0;
  if (!only_list && !cli_can_plot("plot")) return CLI_FAILED;
  cli_Recording table;
  if (cli_recording_load(&table, q.path) != CLI_OK) return CLI_FAILED;
  if (only_list) {
    for (int i = 0; i < table.nchannel; i++) {
      const cli_Channel* c = &table.channels[i];
      printf(*c->unit ? "%s [%s]\n" : "%s\n", c->name, c->unit);
    }
  } else if (!q.out && !name_picture(beside, sizeof(beside), q.path)) {
    code = cli_misuse("plot", "the name of the file is too long, use --out");
  } else {
    const char *slash = strrchr(q.path, '/'), *base = slash ? slash + 1 : q.path;
    const char* out = q.out ? q.out : beside;
    code = cli_check_picture("plot", "--out", out);
    if (code == CLI_OK) code = cli_plot_table(&table, "plot", q.channels, q.title ? q.title : base, out);
  }
  cli_recording_free(&table);
  return code;
}
