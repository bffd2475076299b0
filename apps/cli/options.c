#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "suggest.h"

#define MAX_OPTIONS 64

int cli_misuse(const char* command, const char* format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "corten %s: ", command);
  vfprintf(stderr, format, args);
  fprintf(stderr, " (corten %s --help explains)\n", command);
  va_end(args);
  return CLI_MISUSE;
}

bool cli_is_option(const cli_Opt* o) {
  return o->kind >= CLI_FLAG && o->kind <= CLI_STRING;
}

bool cli_takes_value(const cli_Opt* o) {
  return cli_is_option(o) && o->kind != CLI_FLAG;
}

// ---- help ------------------------------------------------------------------------------------------------

static void print_usage(const cli_Opt* opts, const char* command) {
  printf("usage: corten %s [OPTIONS]", command);
  for (const cli_Opt* o = opts; o->kind != CLI_END; o++) {
    if (o->kind == CLI_ARG) printf(o->optional ? " [%s]" : " %s", o->value);
    if (o->kind == CLI_ARGS) printf(" %s...", o->value);
  }
  printf("\n");
}

static void print_default(const cli_Opt* o) {
  if (o->given) return;
  if (o->kind == CLI_INT) printf(" (default %lld)", *(long long*)o->out);
  if (o->kind == CLI_REAL) printf(" (default %g)", *(double*)o->out);
  if (o->kind == CLI_STRING && *(const char**)o->out) printf(" (default %s)", *(const char**)o->out);
}

static void print_row(const cli_Opt* o) {
  char left[64];
  const char* dashes = cli_is_option(o) ? "--" : "";
  const char* name = cli_is_option(o) ? o->name : o->value;
  const char* value = cli_takes_value(o) ? o->value : "";
  snprintf(left, sizeof(left), "%s%s%s%s", dashes, name, *value ? " " : "", value);
  printf("  %-18s %s", left, o->help);
  print_default(o);
  printf("\n");
}

static int show_help(const cli_Opt* opts, const char* command) {
  printf("corten %s: %s\n\n", command, cli_about(command));
  print_usage(opts, command);
  printf("\n");
  for (const cli_Opt* o = opts; o->kind != CLI_END; o++) {
    if (o->kind == CLI_ARG || o->kind == CLI_ARGS) print_row(o);
  }
  for (const cli_Opt* o = opts; o->kind != CLI_END; o++) {
    if (cli_is_option(o)) print_row(o);
  }
  printf("  %-18s %s\n", "--help", "print this text");
  for (const cli_Opt* o = opts; o->kind != CLI_END; o++) {
    if (o->kind == CLI_NOTE) printf("\n%s\n", o->help);
  }
  return CLI_SHOWN;
}

// ---- values ----------------------------------------------------------------------------------------------

static int out_of_range(const cli_Opt* o, const char* command, const char* text) {
  return cli_misuse(command, "--%s: %s is out of range, allowed are %.15g to %.15g", o->name, text, o->min,
                    o->max);
}

static int read_int(const cli_Opt* o, const char* command, const char* text) {
  char* end;
  errno = 0;
  long long n = strtoll(text, &end, 10);
  if (end == text || *end || isspace((unsigned char)*text)) {
    return cli_misuse(command, "--%s needs a whole number, not '%s'", o->name, text);
  }
  bool outside = o->max > o->min && ((double)n < o->min || (double)n > o->max);
  if (errno == ERANGE || outside) return out_of_range(o, command, text);
  *(long long*)o->out = n;
  return CLI_OK;
}

static int read_real(const cli_Opt* o, const char* command, const char* text) {
  char* end;
  double x = strtod(text, &end);
  if (end == text || *end || isspace((unsigned char)*text) || isnan(x)) {
    return cli_misuse(command, "--%s needs a number, not '%s'", o->name, text);
  }
  if (isinf(x) || (o->max > o->min && (x < o->min || x > o->max))) return out_of_range(o, command, text);
  *(double*)o->out = x;
  return CLI_OK;
}

static int read_value(const cli_Opt* o, const char* command, const char* text) {
  switch (o->kind) {
    case CLI_INT: return read_int(o, command, text);
    case CLI_REAL: return read_real(o, command, text);
    default: *(const char**)o->out = text; return CLI_OK;
  }
}

// ---- options and arguments -------------------------------------------------------------------------------

static const cli_Opt* find_option(const cli_Opt* opts, const char* name, size_t len) {
  for (const cli_Opt* o = opts; o->kind != CLI_END; o++) {
    if (cli_is_option(o) && strlen(o->name) == len && strncmp(o->name, name, len) == 0) return o;
  }
  return NULL;
}

static int unknown_option(const cli_Opt* opts, const char* command, const char* arg) {
  const char* names[MAX_OPTIONS + 1];
  int count = 0;
  for (const cli_Opt* o = opts; o->kind != CLI_END && count < MAX_OPTIONS; o++) {
    if (cli_is_option(o)) names[count++] = o->name;
  }
  names[count++] = "help";
  char word[64];
  snprintf(word, sizeof(word), "%s", arg + strspn(arg, "-"));
  word[strcspn(word, "=")] = 0;
  const char* near = cli_suggest(word, names, count);
  if (near) return cli_misuse(command, "unknown option '%s', did you mean '--%s'?", arg, near);
  return cli_misuse(command, "unknown option '%s'", arg);
}

// The option at argv[*i], with its value from "--name=value" or the next argument.
static int read_option(const cli_Opt* opts, int argc, char** argv, int* i) {
  const char *command = argv[0], *arg = argv[*i];
  const char* name = arg + 2;
  size_t len = strcspn(name, "=");
  const cli_Opt* o = strncmp(arg, "--", 2) == 0 ? find_option(opts, name, len) : NULL;
  if (!o) return unknown_option(opts, command, arg);
  const char* value = name[len] ? name + len + 1 : NULL;
  if (o->given) *o->given = true;
  if (o->kind == CLI_FLAG) {
    if (value) return cli_misuse(command, "--%s takes no value", o->name);
    *(bool*)o->out = true;
    return CLI_OK;
  }
  if (!value && *i + 1 < argc) value = argv[++*i];
  if (!value) return cli_misuse(command, "--%s needs a value", o->name);
  return read_value(o, command, value);
}

static bool asks_for_help(int argc, char** argv) {
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
  }
  return false;
}

// Hand the positional arguments to the rows that want them, in order.
static int place_arguments(const cli_Opt* opts, const char* command, char** items, int count) {
  for (const cli_Opt* o = opts; o->kind != CLI_END; o++) {
    if (o->kind != CLI_ARG && o->kind != CLI_ARGS) continue;
    if (count == 0 && !o->optional) return cli_misuse(command, "%s is missing", o->value);
    if (count == 0) continue;
    int taken = o->kind == CLI_ARG ? 1 : count;
    if (o->kind == CLI_ARG) *(const char**)o->out = items[0];
    if (o->kind == CLI_ARGS) *(cli_List*)o->out = (cli_List){items, count};
    items += taken;
    count -= taken;
  }
  if (count > 0) return cli_misuse(command, "unexpected argument '%s'", items[0]);
  return CLI_OK;
}

static cli_Visit* visitor;
static void* visitor_context;

void cli_visit_options(cli_Visit* visit, void* context) {
  visitor = visit;
  visitor_context = context;
}

int cli_parse(const cli_Opt* opts, int argc, char** argv) {
  if (visitor) {
    visitor(visitor_context, argv[0], opts);
    return CLI_SHOWN;
  }
  if (asks_for_help(argc, argv)) return show_help(opts, argv[0]);
  // positional arguments are moved to the front of argv as they are met
  int count = 0;
  bool only_arguments = false;
  for (int i = 1; i < argc; i++) {
    if (!only_arguments && strcmp(argv[i], "--") == 0) {
      only_arguments = true;
    } else if (!only_arguments && argv[i][0] == '-' && argv[i][1]) {
      int code = read_option(opts, argc, argv, &i);
      if (code != CLI_OK) return code;
    } else {
      argv[1 + count++] = argv[i];
    }
  }
  return place_arguments(opts, argv[0], argv + 1, count);
}
