// corten check: does every model load?
#include <corten/corten.h>
#include <stdio.h>

#include "command.h"
#include "json.h"
#include "options.h"
#include "output.h"

static void print_line(const char* path, const ctModel* m, const ctError* err) {
  if (m) {
    printf("ok  %s  (%s, %s)\n", path, cli_plural(m->nbody - 1, "body", "bodies"),
           cli_plural(m->nv, "dof", "dofs"));
  } else {
    fflush(stdout);  // keep the order of the lines when both streams go to one place
    cli_fail(err);
  }
}

static void json_line(cli_Json* j, const char* path, const ctModel* m, const ctError* err) {
  json_open(j, NULL, '{');
  json_text(j, "path", path);
  json_bool(j, "ok", m != NULL);
  if (m) {
    json_int(j, "nbody", m->nbody);
    json_int(j, "nv", m->nv);
  } else {
    json_text(j, "status", ct_status_text(err->status));
    json_text(j, "file", err->file);
    json_int(j, "line", err->line);
    json_int(j, "column", err->column);
    json_text(j, "element", err->element);
    json_text(j, "message", err->message);
  }
  json_close(j, '}');
}

int cmd_check(int argc, char** argv) {
  cli_List paths = {0};
  bool json = false;
  const cli_Opt opts[] = {OPT_ARGS("MODEL", &paths, "model files"),
                          OPT_FLAG("json", &json, "machine-readable: an array with one object a file"),
                          OPT_END};
  int code = cli_parse(opts, argc, argv);
  if (code != CLI_OK) return code;

  cli_Json j = {.file = stdout};
  if (json) json_open(&j, NULL, '[');
  for (int i = 0; i < paths.count; i++) {
    ctModel* m = NULL;
    ctError err = {0};
    if (ct_model_load(&m, paths.items[i], NULL, &err) != CT_OK) code = CLI_FAILED;
    if (json) {
      json_line(&j, paths.items[i], m, &err);
    } else {
      print_line(paths.items[i], m, &err);
    }
    ct_model_free(m);
  }
  if (json) {
    json_close(&j, ']');
    json_end(&j);
  }
  return code;
}
