// Command-line options from a table: parsing, usage line and help text all come from it.
#pragma once

#include <stdbool.h>

typedef enum {
  CLI_END,     // last row
  CLI_ARG,     // one positional argument, out: const char**
  CLI_ARGS,    // one or more positional arguments, out: cli_List*
  CLI_FLAG,    // --name, out: bool*
  CLI_INT,     // --name N, out: long long*
  CLI_REAL,    // --name X, out: double*
  CLI_STRING,  // --name TEXT, out: const char**
  CLI_NOTE     // a paragraph of the help text
} cli_Kind;

typedef struct {
  char** items;  // part of argv
  int count;
} cli_List;

/// A row of the table. The value found at `out` before parsing is the default; the help text shows it unless
/// there is a `given`, which then tells whether the option was there.
typedef struct {
  cli_Kind kind;
  const char* name;
  void* out;
  const char* help;
  const char* value;  // what the value is called in the help text, such as "S"
  bool* given;        // may be NULL
  double min, max;    // allowed numbers, when max > min
  bool optional;      // of a CLI_ARG
} cli_Opt;

/// Rows of the table. What follows the help text names further members: .given = &seen, .min = 1, .max = 9
#define OPT_ARG(value_, out_, ...) \
  { .kind = CLI_ARG, .value = value_, .out = out_, .help = __VA_ARGS__ }
#define OPT_ARGS(value_, out_, ...) \
  { .kind = CLI_ARGS, .value = value_, .out = out_, .help = __VA_ARGS__ }
#define OPT_FLAG(name_, out_, ...) \
  { .kind = CLI_FLAG, .name = name_, .out = out_, .help = __VA_ARGS__ }
#define OPT_INT(name_, value_, out_, ...)  CLI_VALUED_ROW(CLI_INT, name_, value_, out_, __VA_ARGS__)
#define OPT_REAL(name_, value_, out_, ...) CLI_VALUED_ROW(CLI_REAL, name_, value_, out_, __VA_ARGS__)
#define OPT_TEXT(name_, value_, out_, ...) CLI_VALUED_ROW(CLI_STRING, name_, value_, out_, __VA_ARGS__)
#define OPT_NOTE(text) \
  { .kind = CLI_NOTE, .help = text }
#define OPT_END \
  { .kind = CLI_END }
#define CLI_VALUED_ROW(kind_, name_, value_, out_, ...) \
  { .kind = kind_, .name = name_, .value = value_, .out = out_, .help = __VA_ARGS__ }

/// Hand the table of every command that parses its arguments to a function instead, from now on; NULL: parse.
typedef void cli_Visit(void* context, const char* command, const cli_Opt* opts);
void cli_visit_options(cli_Visit* visit, void* context);

/// The same for every command of the program, in its order; parsing goes on afterwards.
void cli_each_command(cli_Visit* visit);

/// Whether a row is an option, and whether that takes a value.
bool cli_is_option(const cli_Opt* o);
bool cli_takes_value(const cli_Opt* o);

/// Read the arguments of the command `argv[0]`.
/// @return CLI_OK; CLI_SHOWN when help was asked for and printed; CLI_MISUSE with one line on stderr
int cli_parse(const cli_Opt* opts, int argc, char** argv);

/// Say what is wrong with the arguments of a command, on stderr. @return CLI_MISUSE
int cli_misuse(const char* command, const char* format, ...);
