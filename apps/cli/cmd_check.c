// corten check: does every model load?
#include <corten/corten.h>
#include <stdio.h>
#include <string.h>

#include "check_derivatives.h"
#include "command.h"
#include "json.h"
#include "options.h"
#include "output.h"
#include "plot.h"

typedef struct {
  const char* path;
  ctModel* m;
  ctError err;
  int remarks;
  double seconds;
} Result;

// Remarks stand before the line of their model.
static void count_remark(void* context, ctLogLevel level, const char* text) {
  Result* r = context;
  if (level != CT_LOG_WARNING) return;
  r->remarks++;
  fprintf(stderr, "warning: %s\n", text);
}

static void count_only(void* context, ctLogLevel level, const char* text) {
  (void)text;
  ((Result*)context)->remarks += level == CT_LOG_WARNING;
}

static void load(Result* r, const char* path, bool quiet) {
  *r = (Result){.path = path};
  ctLog log = {.write = quiet ? count_only : count_remark, .context = r};
  ctLoadOptions options = {.log = &log};
  cli_Input in = {0};
  r->path = strcmp(path, "-") == 0 ? "<stdin>" : path;
  if (cli_load_options(&options, &r->err) == CT_OK && cli_input_open(&in, path, &r->err) == CT_OK) {
    options.vfs = in.vfs;
    double start = ct_clock();
    ct_model_load(&r->m, in.path, &options, &r->err);
    r->seconds = ct_clock() - start;
  }
  cli_input_close(&in);
}

static void print_line(const Result* r) {
  if (!r->m) {
    fflush(stdout);  // keep the order of the lines when both streams go to one place
    cli_fail(&r->err);
    return;
  }
  cli_Style style = cli_style(stdout);
  printf("ok  %s  (%s, %s", r->path, cli_plural(r->m->nbody - 1, "body", "bodies"),
         cli_plural(r->m->nv, "dof", "dofs"));
  if (r->remarks > 0) printf(", %s", cli_plural(r->remarks, "remark", "remarks"));
  printf(", %s)\n", cli_seconds(r->seconds, &style));
}

static void json_line(cli_Json* j, const Result* r) {
  json_open(j, NULL, '{');
  json_text(j, "path", r->path);
  json_bool(j, "ok", r->m != NULL);
  json_int(j, "remarks", r->remarks);
  json_real(j, "seconds", r->seconds);
  if (r->m) {
    json_int(j, "nbody", r->m->nbody);
    json_int(j, "nv", r->m->nv);
  } else {
    json_text(j, "status", ct_status_text(r->err.status));
    json_text(j, "file", r->err.file);
    json_int(j, "line", r->err.line);
    json_int(j, "column", r->err.column);
    json_text(j, "element", r->err.element);
    json_text(j, "message", r->err.message);
  }
  json_close(j, '}');
}

int cmd_check(int argc, char** argv) {
  cli_List paths = {0};
  bool json = false, derivatives = false;
  const char* picture = NULL;
  const cli_Opt opts[] = {
      OPT_ARGS("MODEL", &paths, "model files; - is standard input"),
      OPT_FLAG("json", &json, "machine-readable: an array with an object for each file"),
      OPT_FLAG("derivatives", &derivatives, "compare the derivatives of a step with each other"),
      OPT_TEXT("png", "FILE", &picture, "with --derivatives: a picture of their errors by step size"),
      OPT_PLUGINS,
      OPT_URDF,
      OPT_END};
  int code = cli_parse(opts, argc, argv);
  if (code != CLI_OK) return code;
  if (picture && (!derivatives || json || paths.count != 1))
    return cli_misuse(argv[0], "--png draws the derivatives of one model: give it with --derivatives");
  if (picture && !cli_can_plot(argv[0])) return CLI_FAILED;
  if (picture && (code = cli_check_picture(argv[0], "--png", picture)) != CLI_OK) return code;

  cli_Json j = {.file = stdout};
  int loaded = 0, remarks = 0;
  double seconds = 0;
  if (json) json_open(&j, NULL, '[');
  for (int i = 0; i < paths.count; i++) {
    Result r;
    load(&r, paths.items[i], json);
    if (!r.m) code = CLI_FAILED;
    loaded += r.m != NULL;
    remarks += r.remarks;
    seconds += r.seconds;
    if (json) {
      json_line(&j, &r);
    } else {
      print_line(&r);
    }
    if (r.m && derivatives && !json && cli_check_derivatives(stdout, r.m, picture, paths.items[i]) != CLI_OK)
      code = CLI_FAILED;
    ct_model_free(r.m);
  }
  if (json) {
    json_close(&j, ']');
    json_end(&j);
  } else if (paths.count > 1) {
    cli_Style style = cli_style(stdout);
    printf("%s: %d ok, %d failed, %s, %s\n", cli_plural(paths.count, "model", "models"), loaded,
           paths.count - loaded, cli_plural(remarks, "remark", "remarks"), cli_seconds(seconds, &style));
  }
  return code;
}
