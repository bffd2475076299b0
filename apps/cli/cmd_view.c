// corten view: a window with the simulation. The program for that stands beside this one, for it needs GLFW.
#define _GNU_SOURCE  // memfd_create
#include <corten/corten.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "beside.h"
#include "builtin.h"
#include "command.h"
#include "options.h"
#include "output.h"
#include "picture.h"
#include "simulate.h"

typedef struct {
  const char *path, *keyframe, *listen;
  long long width, height;
  bool paused, bare;
} Request;

// Text in memory that another program opens as a file; its name in `path`.
static bool hand_on(const char* text, size_t size, char* path, size_t room) {
  int file = memfd_create("model", 0);
  if (file < 0) return false;
  for (size_t at = 0; at < size;) {
    ssize_t n = write(file, text + at, size - at);
    if (n <= 0) return false;
    at += (size_t)n;
  }
  snprintf(path, room, "/proc/self/fd/%d", file);
  return true;
}

// The model is loaded here first: errors are then those of every command, and no window opens for nothing.
// What was read as the options of URDF say is handed on as it is.
static int check(Request* q, char* compiled, size_t room) {
  ctModel* m = NULL;
  int code = cli_load(&m, q->path);
  if (code == CLI_OK && q->keyframe && cli_find_keyframe(m, q->keyframe) < 0)
    code = cli_misuse("view", "there is no keyframe '%s', the model has %d", q->keyframe, m->nkey);
  if (code == CLI_OK && q->path && cli_ends_with(q->path, ".urdf")) {
    size_t size = ct_model_save_bytes(m, NULL, 0);
    char* bytes = malloc(size);
    if (bytes) ct_model_save_bytes(m, bytes, size);
    if (bytes && hand_on(bytes, size, compiled, room)) q->path = compiled;
    free(bytes);
  }
  ct_model_free(m);
  return code;
}

int cmd_view(int argc, char** argv) {
  Request q = {.width = 1280, .height = 800};
  const cli_Opt opts[] = {
      OPT_ARG("MODEL", &q.path, "model file; without one, the built-in humanoid", .optional = true),
      OPT_TEXT("keyframe", "K", &q.keyframe, "begin at this keyframe, a name or a number"),
      OPT_FLAG("paused", &q.paused, "begin with the simulation paused"),
      OPT_FLAG("bare", &q.bare, "begin without panels"),
      OPT_TEXT("listen", "SOCKET", &q.listen, "show states that another program sends there"),
      OPT_INT("width", "N", &q.width, "of the window, pixels", .min = 64, .max = 16384),
      OPT_INT("height", "N", &q.height, "likewise", .min = 64, .max = 16384),
      OPT_PLUGINS,
      OPT_URDF,
      OPT_NOTE(
          "F1 in the window explains mouse and keys. Without a display, corten render draws pictures and\n"
          "videos, and corten run --html a replay for a browser."),
      OPT_END};
  int code = cli_parse(opts, argc, argv);
  if (code != CLI_OK) return code;
  if (q.path && strcmp(q.path, "-") == 0) return cli_misuse("view", "a window needs a MODEL file, not '-'");
  char size[2][16], file[64];
  code = check(&q, file, sizeof(file));
  if (code != CLI_OK) return code;
  snprintf(size[0], sizeof(size[0]), "%lld", q.width);
  snprintf(size[1], sizeof(size[1]), "%lld", q.height);
  const char* args[20] = {NULL, "--width", size[0], "--height", size[1]};
  int n = 5;
  if (q.paused) args[n++] = "--paused";
  if (q.bare) args[n++] = "--bare";
  if (q.keyframe) args[n++] = "--keyframe", args[n++] = q.keyframe;
  if (q.listen) args[n++] = "--listen", args[n++] = q.listen;
  if (cli_plugins) args[n++] = "--plugins", args[n++] = cli_plugins;
  if (!q.path && hand_on(cli_builtin_model, cli_builtin_model_size, file, sizeof(file))) q.path = file;
  args[n++] = q.path;
  return cli_become("view", "-view", args,
                    "which is built where GLFW and Dear ImGui are found (Debian packages libglfw3-dev, "
                    "libimgui-dev)");
}
