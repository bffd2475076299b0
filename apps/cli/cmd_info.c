// corten info: what a model consists of.
#include <corten/corten.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "info.h"
#include "options.h"
#include "output.h"

// ---- sizes -----------------------------------------------------------------------------------------------

#define SIZE_COLUMNS 3

static void print_size(const cli_Style* s, const char* name, long long n, int* column) {
  if (n == 0) return;
  fprintf(s->file, "%s%s%-14s%s %11s", *column == 0 ? "    " : "   ", s->dim, name, s->plain,
          n < 0 ? "auto" : cli_count(n));
  *column = (*column + 1) % SIZE_COLUMNS;
  if (*column == 0) fprintf(s->file, "\n");
}

static void print_sizes(const cli_Style* s, const ctModel* m) {
  int column = 0;
  fprintf(s->file, "\n  %ssizes%s\n", s->bold, s->plain);
#define X(type, name, ...) print_size(s, #name, (long long)m->name, &column);
#include <corten/fields/model_sizes.def>
#undef X
  if (column != 0) fprintf(s->file, "\n");
}

// ---- options ---------------------------------------------------------------------------------------------

ctStatus info_defaults(ctOption* out) {
  static const char empty[] = "<mujoco/>";
  ctModel* m = NULL;
  ctStatus status = ct_model_load_string(&m, empty, sizeof(empty) - 1, NULL, NULL);
  if (status == CT_OK) *out = m->opt;
  ct_model_free(m);
  return status;
}

const char* info_option_keyword(const char* name, int value) {
#define X(id, text) text,
  static const char* const integrator[] = {CT_INTEGRATOR_LIST(X)};
  static const char* const cone[] = {CT_CONE_LIST(X)};
  static const char* const jacobian[] = {CT_JACOBIAN_LIST(X)};
  static const char* const solver[] = {CT_SOLVER_LIST(X)};
#undef X
  static const struct {
    const char* name;
    const char* const* words;
    int count;
  } options[] = {{"integrator", integrator, CT_INT_COUNT},
                 {"cone", cone, CT_CONE_COUNT},
                 {"jacobian", jacobian, CT_JAC_COUNT},
                 {"solver", solver, CT_SOL_COUNT}};
  for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
    if (strcmp(options[i].name, name) != 0) continue;
    return value >= 0 && value < options[i].count ? options[i].words[value] : NULL;
  }
  return NULL;
}

static void print_flags(const cli_Style* s, const char* name, int flags) {
  if (strcmp(name, "disableflags") == 0) {
#define X(id, text, bit) \
  if (flags & (1 << bit)) fprintf(s->file, " %s", text);
    CT_DISABLE_LIST(X)
  } else {
    CT_ENABLE_LIST(X)
#undef X
  }
}

static void print_option(const cli_Style* s, const char* name, const void* at, size_t size, int count) {
  fprintf(s->file, "    %s%-18s%s", s->dim, name, s->plain);
  const char* base = at;
  bool flags = strcmp(name, "disableflags") == 0 || strcmp(name, "enableflags") == 0;
  const char* keyword = size == sizeof(int) ? info_option_keyword(name, *(const int*)at) : NULL;
  if (flags) {
    print_flags(s, name, *(const int*)at);
  } else if (keyword) {
    fprintf(s->file, " %s", keyword);
  } else {
    for (int i = 0; i < count; i++, base += size) {
      double x =
          size == sizeof(ctReal) ? (double)*(const ctReal*)(const void*)base : *(const int*)(const void*)base;
      fprintf(s->file, " %.7g", x);  // what a float is sure of
    }
  }
  fprintf(s->file, "\n");
}

static void print_options(const cli_Style* s, const ctModel* m) {
  ctOption usual;
  if (info_defaults(&usual) != CT_OK) return;
  bool any = false;
#define X(type, name, count, ...)                                                                     \
  if (memcmp(&m->opt.name, &usual.name, sizeof(usual.name)) != 0) {                                   \
    if (!any) fprintf(s->file, "\n  %soptions that differ from the defaults%s\n", s->bold, s->plain); \
    print_option(s, #name, &m->opt.name, sizeof(type), count);                                        \
    any = true;                                                                                       \
  }
#include <corten/fields/option.def>
#undef X
}

// ---- the command -----------------------------------------------------------------------------------------

static void print_title(const cli_Style* s, const ctModel* m) {
  fprintf(s->file, "\n  %s%s%s  %s%s, %s, %s kg%s\n", s->bold, m->names[0] ? m->names : "unnamed model",
          s->plain, s->dim, cli_plural(m->nbody - 1, "body", "bodies"), cli_plural(m->nv, "dof", "dofs"),
          cli_number((double)ct_model_total_mass(m)), s->plain);
}

// What the user asked for.
typedef struct {
  const char* path;
  const char* only;
  bool json, memory, fields, all;
} Request;

static void show_fields(const Request* r, const ctModel* m, const ctData* d) {
  cli_Style s = cli_style(stdout);
  if (r->json) {
    info_fields_json(stdout, m, d, r->only);
    return;
  }
  if (m) print_title(&s, m);
  info_fields(&s, m, d, r->only);
  printf("\n");
}

static void show_model(const Request* r, const ctModel* m, const ctData* d) {
  if (r->json) {
    info_json(stdout, m, d);
    return;
  }
  cli_Style s = cli_style(stdout);
  print_title(&s, m);
  print_sizes(&s, m);
  print_options(&s, m);
  info_tree(&s, m, r->all);
  if (r->memory) info_memory(&s, m, d, r->all);
  printf("\n");
}

int cmd_info(int argc, char** argv) {
  Request r = {0};
  const cli_Opt opts[] = {
      OPT_ARG("MODEL", &r.path, "model file, - for standard input; without one, the built-in humanoid",
              .optional = true),
      OPT_FLAG("memory", &r.memory, "bytes of every array, largest first"),
      OPT_FLAG("fields", &r.fields, "instead: every field of model and data, with type, shape and meaning"),
      OPT_TEXT("only", "TEXT", &r.only, "only fields with TEXT in their name or description"),
      OPT_FLAG("all", &r.all, "print lists in full"),
      OPT_FLAG("json", &r.json, "machine-readable: sizes, options, bodies, names, memory; or fields"),
      OPT_PLUGINS,
      OPT_URDF,
      OPT_END};
  int code = cli_parse(opts, argc, argv);
  if (code != CLI_OK) return code;
  if (r.only && !r.fields) return cli_misuse(argv[0], "--only chooses among --fields");
  if (r.fields && r.memory)
    return cli_misuse(argv[0], "--memory and --fields are lists of their own: choose one");
  if (r.only && !info_has_field(r.only))
    return cli_misuse(argv[0], "no field has \"%s\" in its name or description", r.only);
  if (r.fields && !r.path) {
    show_fields(&r, NULL, NULL);
    return CLI_OK;
  }

  ctModel* m = NULL;
  ctData* d = NULL;
  ctError err = {0};
  if (cli_load(&m, r.path) != CLI_OK) return CLI_FAILED;
  if (ct_data_create(&d, m, &err) != CT_OK) {
    code = cli_fail(&err);
  } else if (r.fields) {
    show_fields(&r, m, d);
  } else {
    show_model(&r, m, d);
  }
  ct_data_free(d);
  ct_model_free(m);
  return code;
}
