#define _POSIX_C_SOURCE 200809L  // fileno, isatty, nl_langinfo
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "command.h"

// ---- streams ---------------------------------------------------------------------------------------------

void cli_claim_streams(void) {
  for (int fd = 0; fd <= 2; fd++) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    // stdout gets the wrong direction on purpose: writing to it must fail, not vanish
    int got = open("/dev/null", fd == 2 ? O_WRONLY : O_RDONLY);
    if (got != fd && got >= 0) close(got);
  }
}

int cli_close_stdout(void) {
  errno = 0;
  bool failed = fflush(stdout) != 0;
  int reason = errno;
  if (!failed && !ferror(stdout)) return CLI_OK;
  if (reason != EPIPE) {
    fprintf(stderr, "corten: cannot write to standard output: %s\n", strerror(reason ? reason : EIO));
  }
  return CLI_FAILED;
}

// ---- errors and loading ----------------------------------------------------------------------------------

int cli_fail(const ctError* err) {
  char line[2048];
  ct_error_format(err, line, sizeof(line));
  fprintf(stderr, "%s\n", line);
  return CLI_FAILED;
}

static void print_remark(void* context, ctLogLevel level, const char* text) {
  (void)context;
  fprintf(stderr, "%s%s\n", level == CT_LOG_WARNING ? "warning: " : "", text);
}

ctLog cli_log(void) {
  return (ctLog){.write = print_remark};
}

#define STDIN_NAME "<stdin>"
#define STDIN_MAX  ((size_t)1 << 30)  // as for files

static ctStatus stdin_failed(ctError* err, ctStatus status, const char* why) {
  *err = (ctError){.status = status, .file = STDIN_NAME};
  snprintf(err->message, sizeof(err->message), "%s", why);
  return status;
}

// Everything on standard input; the caller frees `*text`.
static ctStatus read_stdin(char** text, size_t* size, ctError* err) {
  size_t room = 1 << 16, used = 0, got = 0;
  *text = malloc(room);
  errno = 0;
  while (*text && used <= STDIN_MAX && (got = fread(*text + used, 1, room - used, stdin)) > 0) {
    used += got;
    if (used < room) continue;
    char* more = realloc(*text, room *= 2);
    if (!more) free(*text);
    *text = more;
  }
  *size = used;
  if (!*text) return stdin_failed(err, CT_ERR_MEMORY, "out of memory");
  if (ferror(stdin)) return stdin_failed(err, CT_ERR_IO, strerror(errno ? errno : EIO));
  return used > STDIN_MAX ? stdin_failed(err, CT_ERR_LIMIT, "more than 1 GiB") : CT_OK;
}

ctStatus cli_input_open(cli_Input* in, const char* path, ctError* err) {
  *in = (cli_Input){.path = path};
  if (strcmp(path, "-") != 0) return CT_OK;
  size_t size = 0;
  char* text = NULL;
  in->path = STDIN_NAME;
  ctStatus status = read_stdin(&text, &size, err);
  if (status == CT_OK) status = ct_vfs_create(&in->vfs, NULL, err);
  if (status == CT_OK) status = ct_vfs_add(in->vfs, STDIN_NAME, text, size, err);
  free(text);
  return status;
}

void cli_input_close(cli_Input* in) {
  ct_vfs_free(in->vfs);
  in->vfs = NULL;
}

const char* cli_plugins;
ctUrdfOptions cli_urdf;

ctStatus cli_load_options(ctLoadOptions* options, ctError* err) {
  static ctPluginLibrary* library;
  options->urdf = &cli_urdf;
  if (!cli_plugins) return CT_OK;
  ctStatus status = library ? CT_OK : ct_plugin_library_open(&library, cli_plugins, err);
  options->plugins = ct_plugin_library_list(library, &options->nplugin);
  return status;
}

int cli_load_input(ctModel** out, const cli_Input* in) {
  ctError err = {0};
  const ctLog log = cli_log();
  ctLoadOptions options = {.log = &log, .vfs = in->vfs};
  if (cli_load_options(&options, &err) != CT_OK) return cli_fail(&err);
  return ct_model_load(out, in->path, &options, &err) == CT_OK ? CLI_OK : cli_fail(&err);
}

int cli_load(ctModel** out, const char* path) {
  ctError err = {0};
  const ctLog log = cli_log();
  ctLoadOptions options = {.log = &log};
  if (!path) {
    ctStatus status = ct_model_load_string(out, cli_builtin_model, cli_builtin_model_size, &options, &err);
    return status == CT_OK ? CLI_OK : cli_fail(&err);
  }
  cli_Input in;
  int code = cli_input_open(&in, path, &err) == CT_OK ? cli_load_input(out, &in) : cli_fail(&err);
  cli_input_close(&in);
  return code;
}

// ---- terminal --------------------------------------------------------------------------------------------

cli_Style cli_style(FILE* file) {
  const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
  bool tty = isatty(fileno(file)) != 0;
  bool colour = tty && term && strcmp(term, "dumb") != 0 && !(no_color && *no_color);
  return (cli_Style){
      .file = file,
      .tty = tty,
      .utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
      .bold = colour ? "\033[1m" : "",
      .dim = colour ? "\033[2m" : "",
      .bar = colour ? "\033[36m" : "",
      .alert = colour ? "\033[31m" : "",
      .plain = colour ? "\033[0m" : "",
  };
}

void cli_bar(const cli_Style* style, double share, int width) {
  static const char* const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  double filled = share > 0 ? (share < 1 ? share : 1) * width : 0;  // NaN: empty
  int full = (int)filled, part = (int)((filled - full) * 8), used = full;
  fputs(style->bar, style->file);
  for (int i = 0; i < full; i++) fputs(style->utf8 ? "█" : "#", style->file);
  if (style->utf8 && part > 0) {
    fputs(eighths[part], style->file);
    used++;
  } else if (!style->utf8 && part >= 4) {
    fputc('#', style->file);
    used++;
  }
  fputs(style->plain, style->file);
  fprintf(style->file, "%*s", width - used, "");
}

int cli_columns(const char* text) {
  int columns = 0;
  for (; *text; text++) columns += ((unsigned char)*text & 0xc0) != 0x80;
  return columns;
}

// ---- numbers ---------------------------------------------------------------------------------------------

#define RING_SIZE 16
#define TEXT_SIZE 64

static char* next_text(void) {
  static char ring[RING_SIZE][TEXT_SIZE];
  static int turn;
  turn = (turn + 1) % RING_SIZE;
  return ring[turn];
}

// Decimal digits in groups of three. `out` has TEXT_SIZE bytes.
static char* group_digits(char* out, long long n) {
  char digits[TEXT_SIZE / 2];
  char* start = out;
  int len = snprintf(digits, sizeof(digits), "%lld", n);
  for (int i = 0; i < len; i++) {
    *out++ = digits[i];
    int left = len - 1 - i;
    if (left > 0 && left % 3 == 0 && digits[i] != '-') *out++ = ',';
  }
  *out = 0;
  return start;
}

const char* cli_count(long long n) {
  return group_digits(next_text(), n);
}

const char* cli_number(double x) {
  double size = fabs(x);
  if (size >= 999.5 && size < 1e15) return cli_count(llround(x));
  char* text = next_text();
  snprintf(text, TEXT_SIZE, "%.3g", x);
  return text;
}

// A number with three digits and the prefix of its unit that suits its size.
static const char* scaled(double x, const char* const* units, const double* sizes, int count) {
  int i = 0;
  while (i + 1 < count && fabs(x) < sizes[i] * 0.9995) i++;
  char* text = next_text();
  double shown = x / sizes[i], size = fabs(shown);
  int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  snprintf(text, TEXT_SIZE, "%.*f %s", x == floor(x) && sizes[i] == 1 ? 0 : decimals, shown, units[i]);
  return text;
}

const char* cli_seconds(double s, const cli_Style* style) {
  const char* const units[] = {"s", "ms", style->utf8 ? "µs" : "us", "ns"};
  static const double sizes[] = {1, 1e-3, 1e-6, 1e-9};
  return s == 0 ? "0 s" : scaled(s, units, sizes, 4);
}

const char* cli_bytes(double n) {
  static const char* const units[] = {"TB", "GB", "MB", "kB", "B"};
  static const double sizes[] = {1e12, 1e9, 1e6, 1e3, 1};
  return scaled(n, units, sizes, 5);
}

const char* cli_plural(long long n, const char* one, const char* many) {
  char digits[TEXT_SIZE];
  char* text = next_text();
  snprintf(text, TEXT_SIZE, "%.32s %.16s", group_digits(digits, n), n == 1 ? one : many);
  return text;
}
