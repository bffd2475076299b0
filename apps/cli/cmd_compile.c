// corten compile: from one form of a model to another.
#include <corten/corten.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "options.h"
#include "output.h"

static bool ends_with(const char* text, const char* end) {
  size_t n = strlen(text), m = strlen(end);
  return n > m && strcmp(text + n - m, end) == 0;
}

static int write_binary(const cli_Input* in, const char* out) {
  ctModel* m = NULL;
  ctError err = {0};
  int code = cli_load_input(&m, in);
  if (code == CLI_OK && ct_model_save(m, out, &err) != CT_OK) code = cli_fail(&err);
  ct_model_free(m);
  return code;
}

static const char mark[] = "CORTENB";

// Binary models say so in their first bytes; their names may be anything.
static bool is_binary(const cli_Input* in) {
  char head[sizeof(mark) - 1];
  const void* bytes = NULL;
  size_t size = 0;
  if (in->vfs) {
    ct_vfs_file(in->vfs, 0, NULL, &bytes, &size);
    return size >= sizeof(head) && memcmp(bytes, mark, sizeof(head)) == 0;
  }
  FILE* file = fopen(in->path, "rb");
  bool same =
      file && fread(head, 1, sizeof(head), file) == sizeof(head) && memcmp(head, mark, sizeof(head)) == 0;
  if (file) fclose(file);
  return same;
}

static int binary_to_text(const cli_Input* in, const char* out) {
  ctModel* m = NULL;
  ctError err = {0};
  const ctLog log = cli_log();
  int code = cli_load_input(&m, in);
  if (code == CLI_OK && ct_model_save_mjcf(m, out, &log, &err) != CT_OK) code = cli_fail(&err);
  ct_model_free(m);
  return code;
}

// A model is compiled even when only its text is wanted: what is written has been found good.
static int write_text(const cli_Input* in, const char* out) {
  const ctLog log = cli_log();
  ctLoadOptions options = {.vfs = in->vfs, .log = &log};
  ctSpec* spec = NULL;
  ctModel* m = NULL;
  ctError err = {0};
  ctStatus status = cli_load_options(&options, &err);
  if (status == CT_OK) status = ct_spec_load(&spec, in->path, &options, &err);
  // what was lost on the way in is said; what is odd about the model is for `corten check`
  if (status == CT_OK) status = ct_spec_set_log(spec, NULL);
  if (status == CT_OK) status = ct_model_compile(&m, spec, &err);
  if (status == CT_OK) status = ct_spec_save(spec, out, &err);
  ct_model_free(m);
  ct_spec_free(spec);
  return status == CT_OK ? CLI_OK : cli_fail(&err);
}

int cmd_compile(int argc, char** argv) {
  const char *path = NULL, *out = NULL;
  const cli_Opt opts[] = {
      OPT_ARG("IN", &path, "a model: MJCF, URDF or binary, - for standard input"),
      OPT_ARG("OUT", &out, "what to write: .xml for MJCF, .ctb for binary"),
      OPT_PLUGINS,
      OPT_URDF,
      OPT_NOTE("MJCF is written as one file: includes, attachments and replicas are resolved, and paths\n"
               "are relative to OUT. A binary model is written with every number explicit; its images and\n"
               "some of its meshes go into files beside OUT, whose names begin with that of OUT."),
      OPT_END};
  int code = cli_parse(opts, argc, argv);
  if (code != CLI_OK) return code;
  bool text = ends_with(out, ".xml") || ends_with(out, ".mjcf");
  if (!text && !ends_with(out, ".ctb"))
    return cli_misuse("compile", "'%s' ends neither in .xml nor in .ctb: which form is it?", out);
  cli_Input in;
  ctError err = {0};
  if (cli_input_open(&in, path, &err) != CT_OK) {
    code = cli_fail(&err);
  } else if (text) {
    code = is_binary(&in) ? binary_to_text(&in, out) : write_text(&in, out);
  } else {
    code = write_binary(&in, out);
  }
  cli_input_close(&in);
  return code;
}
