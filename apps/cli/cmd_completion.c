// corten completion: what lets a shell complete commands and options, from the tables of the commands.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "options.h"

// ---- bash: cases of words for each command

static void bash_command(void* context, const char* command, const cli_Opt* opts) {
  (void)context;
  printf("    %s) words=\"--help", command);
  for (const cli_Opt* o = opts; o->kind != CLI_END; o++) {
    if (cli_is_option(o)) printf(" --%s", o->name);
  }
  printf("\" ;;\n");
}

static void print_names(void) {
  for (int i = 0; i < cli_command_count; i++) printf("%s ", cli_commands[i].name);
  printf("help");
}

static void bash(void) {
  printf(
      "# bash completion of corten; made by: corten completion bash\n"
      "_corten() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} words=\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W \"");
  print_names();
  printf(
      " --help --version\" -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${COMP_WORDS[1]} in\n");
  cli_each_command(bash_command);
  printf("    help) words=\"--man ");
  print_names();
  printf(
      "\" ;;\n"
      "  esac\n"
      "  if [[ ${COMP_WORDS[1]} == completion && $current != -* ]]; then words=\"bash zsh fish\"; fi\n"
      "  if [[ $current == -* || ${COMP_WORDS[1]} == help || ${COMP_WORDS[1]} == completion ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "  else\n"
      "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
      "  fi\n"
      "}\n"
      "complete -o filenames -F _corten corten\n");
}

// ---- zsh and fish: options with their descriptions

// Text between single quotes, without what `special` names.
static void print_quoted(const char* text, const char* special) {
  for (; *text; text++) {
    if (*text == '\'') {
      printf("'\\''");
    } else {
      if (strchr(special, *text)) putchar('\\');
      putchar(*text);
    }
  }
}

static void zsh_command(void* context, const char* command, const cli_Opt* opts) {
  (void)context;
  printf("    %s)\n      _arguments \\\n", command);
  for (const cli_Opt* o = opts; o->kind != CLI_END; o++) {
    if (!cli_is_option(o)) continue;
    printf("        '--%s%s[", o->name, cli_takes_value(o) ? "=" : "");
    print_quoted(o->help, "[]:");
    printf(cli_takes_value(o) ? "]:%s:_files' \\\n" : "]' \\\n", o->value ? o->value : "");
  }
  printf("        '--help[print the options]' '*:file:%s'\n      ;;\n",
         strcmp(command, "completion") == 0 ? "(bash zsh fish)" : "_files");
}

static void zsh(void) {
  printf(
      "#compdef corten\n# zsh completion of corten; made by: corten completion zsh\n"
      "_corten() {\n"
      "  if ((CURRENT == 2)); then\n"
      "    local -a commands=(\n");
  for (int i = 0; i < cli_command_count; i++) {
    printf("      '%s:", cli_commands[i].name);
    print_quoted(cli_commands[i].about, ":");
    printf("'\n");
  }
  printf(
      "      'help:explain a command'\n"
      "    )\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  ((CURRENT--))\n"
      "  case $command in\n");
  cli_each_command(zsh_command);
  printf("    help) _arguments '--man[print the manual page]' '*:command:(");
  print_names();
  printf(
      ")' ;;\n"
      "  esac\n"
      "}\n"
      "_corten \"$@\"\n");
}

static void fish_command(void* context, const char* command, const cli_Opt* opts) {
  (void)context;
  for (const cli_Opt* o = opts; o->kind != CLI_END; o++) {
    if (!cli_is_option(o)) continue;
    printf("complete -c corten -n '__fish_seen_subcommand_from %s' -l %s%s -d '", command, o->name,
           cli_takes_value(o) ? " -r" : "");
    print_quoted(o->help, "\\");
    printf("'\n");
  }
}

static void fish(void) {
  printf("# fish completion of corten; made by: corten completion fish\n");
  for (int i = 0; i < cli_command_count; i++) {
    printf("complete -c corten -n __fish_use_subcommand -f -a %s -d '", cli_commands[i].name);
    print_quoted(cli_commands[i].about, "\\");
    printf("'\n");
  }
  printf(
      "complete -c corten -n __fish_use_subcommand -f -a help -d 'explain a command'\n"
      "complete -c corten -n '__fish_seen_subcommand_from help' -f -a '");
  print_names();
  printf(
      "'\n"
      "complete -c corten -n '__fish_seen_subcommand_from help' -l man -d 'print the manual page'\n"
      "complete -c corten -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n"
      "complete -c corten -l help -d 'print the options'\n");
  cli_each_command(fish_command);
}

static const struct {
  const char* name;
  void (*print)(void);
} shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

int cmd_completion(int argc, char** argv) {
  const char* shell = NULL;
  const cli_Opt opts[] = {
      OPT_ARG("SHELL", &shell, "bash, zsh or fish"),
      OPT_NOTE(
          "In bash, for this session: source <(corten completion bash). An installed corten has the files\n"
          "where the shells look for them."),
      OPT_END};
  int code = cli_parse(opts, argc, argv);
  if (code != CLI_OK) return code;
  for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
    if (strcmp(shells[i].name, shell) != 0) continue;
    shells[i].print();
    return CLI_OK;
  }
  return cli_misuse(argv[0], "'%s' is not one of bash, zsh and fish", shell);
}
