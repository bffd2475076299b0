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

static int write_model(const ctModel* m, const char* path) {
  ctError err = {0};
  return ct_model_save(m, path, &err) == CT_OK ? CLI_OK : cli_fail(&err);
}

// Binary models say so in their first bytes; their names may be anything.
static bool is_binary(const char* path) {
  static const char mark[] = "CORTENB";
  char head[sizeof(mark) - 1];
  FILE* file = fopen(path, "rb");
  bool same =
      file && fread(head, 1, sizeof(head), file) == sizeof(head) && memcmp(head, mark, sizeof(head)) == 0;
  if (file) fclose(file);
  return same;
}

static int binary_to_text(const char* in, const char* out) {
  ctModel* m = NULL;
  ctError err = {0};
  const ctLog log = cli_log();
  int code = cli_load(&m, in);
  if (code == CLI_OK && ct_model_save_mjcf(m, out, &log, &err) != CT_OK) code = cli_fail(&err);
  ct_model_free(m);
  return code;
}

// A model is compiled even when only its text is wanted: what is written has been found good.
static int write_text(const char* in, const char* out) {
  ctSpec* spec = NULL;
  ctModel* m = NULL;
  ctError err = {0};
  ctStatus status = ct_spec_load(&spec, in, NULL, &err);
  if (status == CT_OK) status = ct_model_compile(&m, spec, &err);
  if (status == CT_OK) status = ct_spec_save(spec, out, &err);
  ct_model_free(m);
  ct_spec_free(spec);
  return status == CT_OK ? CLI_OK : cli_fail(&err);
}

int cmd_compile(int argc, char** argv) {
  const char *in = NULL, *out = NULL;
  const cli_Opt opts[] = {
      OPT_ARG("IN", &in, "a model: MJCF or binary"),
      OPT_ARG("OUT", &out, "what to write: .xml for MJCF, .ctb for binary"),
      OPT_NOTE("MJCF is written as one file: includes, attachments and replicas are resolved, and paths\n"
               "are relative to OUT. A binary model is written with every number explicit; its images and\n"
               "some of its meshes go into files beside OUT, whose names begin with that of OUT."),
      OPT_END};
  int code = cli_parse(opts, argc, argv);
  if (code != CLI_OK) return code;
  if (ends_with(out, ".xml") || ends_with(out, ".mjcf"))
    return is_binary(in) ? binary_to_text(in, out) : write_text(in, out);
  if (!ends_with(out, ".ctb"))
    return cli_misuse("compile", "'%s' ends neither in .xml nor in .ctb: which form is it?", out);
  ctModel* m = NULL;
  code = cli_load(&m, in);
  if (code == CLI_OK) code = write_model(m, out);
  ct_model_free(m);
  return code;
}
