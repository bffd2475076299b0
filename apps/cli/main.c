// Entry of the program: the table of commands, and what holds for all of them.
#define _POSIX_C_SOURCE 200809L  // sigaction
#include <corten/corten.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "options.h"
#include "output.h"
#include "stop.h"
#include "suggest.h"

const cli_Command cli_commands[] = {
    {"run", cmd_run, "simulate a model and report speed, energy and warnings"},
    {"bench", cmd_bench, "measure the speed of many worlds at once"},
    {"info", cmd_info, "show what a model consists of"},
    {"view", cmd_view, "open a window with the simulation"},
    {"render", cmd_render, "draw a model as a picture"},
    {"plot", cmd_plot, "draw a recording as a picture"},
    {"check", cmd_check, "load models and report those that fail"},
    {"compile", cmd_compile, "turn a model into MJCF or binary form"},
    {"version", cmd_version, "print the version"},
    {"completion", cmd_completion, "print what lets a shell complete commands and options"},
};
#define COMMAND_COUNT ((int)(sizeof(cli_commands) / sizeof(cli_commands[0])))
const int cli_command_count = COMMAND_COUNT;

static const cli_Command* find_command(const char* name) {
  for (int i = 0; i < COMMAND_COUNT; i++) {
    if (strcmp(cli_commands[i].name, name) == 0) return &cli_commands[i];
  }
  return NULL;
}

const char* cli_about(const char* command) {
  const cli_Command* c = find_command(command);
  return c ? c->about : "";
}

static void print_help(FILE* out) {
  fprintf(out, "corten %s, a physics engine for robots and articulated bodies\n\n", ct_version());
  fprintf(out, "usage: corten COMMAND [OPTIONS] [MODEL]\n\ncommands:\n");
  for (int i = 0; i < COMMAND_COUNT; i++)
    fprintf(out, "  %-10s %s\n", cli_commands[i].name, cli_commands[i].about);
  fprintf(out, "  %-10s %s\n", "help", "explain a command: corten help run; --man prints the manual page");
  fprintf(
      out,
      "\nexit codes: 0 done, 1 failed, 2 misuse, 130 stopped by Ctrl-C (143 by SIGTERM, 129 by SIGHUP)\n");
}

void cli_each_command(cli_Visit* visit) {
  cli_visit_options(visit, NULL);
  for (int i = 0; i < COMMAND_COUNT; i++) {
    char name[32];
    snprintf(name, sizeof(name), "%s", cli_commands[i].name);
    char* argv[] = {name, NULL};
    cli_commands[i].run(1, argv);
  }
  cli_visit_options(NULL, NULL);
}

static int unknown_command(const char* name) {
  const char* names[COMMAND_COUNT + 1];
  for (int i = 0; i < COMMAND_COUNT; i++) names[i] = cli_commands[i].name;
  names[COMMAND_COUNT] = "help";
  const char* near = cli_suggest(name, names, COMMAND_COUNT + 1);
  fprintf(stderr, "corten: unknown command '%s'", name);
  if (near) fprintf(stderr, ", did you mean '%s'?", near);
  fprintf(stderr, " (corten --help lists the commands)\n");
  return CLI_MISUSE;
}

// corten help [COMMAND] is the same as corten [COMMAND] --help
static int help(int argc, char** argv) {
  if (argc < 2) {
    print_help(stdout);
    return CLI_SHOWN;
  }
  if (strcmp(argv[1], "--man") == 0) return cli_print_manual();
  const cli_Command* c = find_command(argv[1]);
  char flag[] = "--help";
  char* ask[] = {argv[1], flag, NULL};
  return c ? c->run(2, ask) : unknown_command(argv[1]);
}

static int dispatch(int argc, char** argv) {
  if (argc < 1) {
    print_help(stderr);
    return CLI_MISUSE;
  }
  const char* name = argv[0];
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return help(1, argv);
  if (strcmp(name, "help") == 0) return help(argc, argv);
  if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
    char plain[] = "version";
    argv[0] = plain;
    return cmd_version(argc, argv);
  }
  const cli_Command* c = find_command(name);
  return c ? c->run(argc, argv) : unknown_command(name);
}

int main(int argc, char** argv) {
  setlocale(LC_CTYPE, "");  // whether the terminal reads UTF-8; numbers stay as in the C locale
  sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);  // a failed write tells instead
  cli_claim_streams();
  int code = argc > 0 ? dispatch(argc - 1, argv + 1) : CLI_MISUSE;
  if (code == CLI_SHOWN) code = CLI_OK;
  if (code == CLI_STOPPED) code = 128 + cli_stop_asked();
  int written = cli_close_stdout();
  return code == CLI_OK ? written : code;
}
