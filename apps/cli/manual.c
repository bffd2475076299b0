// The manual page, from the tables of the commands: corten help --man
#include <corten/corten.h>
#include <stdio.h>

#include "command.h"
#include "options.h"

// Text of a line: hyphens stay hyphens, and nothing at its beginning is a request.
static void print_text(const char* text) {
  for (const char* at = text; *at; at++) {
    bool first = at == text || at[-1] == '\n';
    if (first && (*at == '.' || *at == '\'')) printf("\\&");
    if (*at == '-') {
      printf("\\-");
    } else if (*at == '\\') {
      printf("\\e");
    } else {
      putchar(*at);
    }
  }
  putchar('\n');
}

static void print_rows(const cli_Opt* opts, bool options) {
  for (const cli_Opt* o = opts; o->kind != CLI_END; o++) {
    if (o->kind == CLI_NOTE || cli_is_option(o) != options) continue;
    printf(".TP\n");
    if (!options) {
      printf("\\fI%s\\fR\n", o->value);
    } else {
      printf("\\fB\\-\\-");
      for (const char* at = o->name; *at; at++) printf(*at == '-' ? "\\-" : "%c", *at);
      printf("\\fR");
      if (cli_takes_value(o)) printf(" \\fI%s\\fR", o->value);
      printf("\n");
    }
    print_text(o->help);
  }
}

static void print_command(void* context, const char* command, const cli_Opt* opts) {
  (void)context;
  printf(".SS \"corten %s\"\n", command);
  print_text(cli_about(command));
  print_rows(opts, false);
  print_rows(opts, true);
  for (const cli_Opt* o = opts; o->kind != CLI_END; o++) {
    if (o->kind != CLI_NOTE) continue;
    printf(".PP\n");
    print_text(o->help);
  }
}

int cli_print_manual(void) {
  printf(
      ".\\\" Made by: corten help --man\n"
      ".TH CORTEN 1 \"\" \"corten %s\" \"User Commands\"\n"
      ".SH NAME\ncorten \\- physics engine for robots and articulated bodies\n"
      ".SH SYNOPSIS\n.B corten\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIMODEL\\fR]\n"
      ".SH DESCRIPTION\n"
      "Simulates, checks, explains and converts models in MJCF (XML) or in binary form.\n"
      "Every command explains itself with \\fB\\-\\-help\\fR.\n"
      "The version is printed by \\fB\\-V\\fR and \\fB\\-\\-version\\fR.\n"
      ".SH COMMANDS\n",
      ct_version());
  cli_each_command(print_command);
  printf(
      ".SH EXIT STATUS\n"
      ".TP\n0\ndone\n.TP\n1\nfailed; a line on standard error says why\n"
      ".TP\n2\nmisuse of commands or options\n.TP\n130\nstopped by Ctrl\\-C, after the report\n"
      ".SH ENVIRONMENT\n.TP\nNO_COLOR\nno colours when it is set and not empty\n");
  return CLI_OK;
}
