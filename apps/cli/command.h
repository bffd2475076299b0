// The commands of the program, and what every command returns.
#pragma once

/// What a command returns, and the exit code of the program: done, failed, misused, stopped by a signal.
enum {
  CLI_OK = 0,
  CLI_FAILED = 1,
  CLI_MISUSE = 2,
  CLI_SHOWN = 3,   // help was printed: stop, exit code 0
  CLI_STOPPED = 4  // the exit code is 128 and the number of the signal, 130 for Ctrl-C
};

// `argv[0]` is the name of the command; the rest are its arguments.
int cmd_run(int argc, char** argv);
int cmd_bench(int argc, char** argv);
int cmd_info(int argc, char** argv);
int cmd_render(int argc, char** argv);
int cmd_view(int argc, char** argv);
int cmd_plot(int argc, char** argv);
int cmd_check(int argc, char** argv);
int cmd_compile(int argc, char** argv);
int cmd_version(int argc, char** argv);
int cmd_completion(int argc, char** argv);

/// Print the manual page of the program. @return CLI_OK
int cli_print_manual(void);

/// The table of commands.
typedef struct {
  const char* name;
  int (*run)(int argc, char** argv);
  const char* about;
} cli_Command;
extern const cli_Command cli_commands[];
extern const int cli_command_count;

// One-line description of a command, from the table in main.c; "" for an unknown one.
const char* cli_about(const char* command);
