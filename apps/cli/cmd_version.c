// corten version: which program is this.
#include <corten/corten.h>
#include <stdio.h>

#include "command.h"
#include "options.h"

int cmd_version(int argc, char** argv) {
  bool build = false;
  const cli_Opt opts[] = {OPT_FLAG("build", &build, "also how it was built: precision, compiler, machine"),
                          OPT_END};
  int code = cli_parse(opts, argc, argv);
  if (code != CLI_OK) return code;
  if (build) {
    printf("%s\n", ct_build_info());
  } else {
    printf("corten %s\n", ct_version());
  }
  return CLI_OK;
}
