// Streams and terminal: what may be written where, and how numbers read.
#pragma once

#include <corten/corten.h>
#include <stdbool.h>
#include <stdio.h>

/// Make sure that descriptors 0 to 2 are taken, so that no file opened later lands on one of them. Writing to
/// a stream that was closed fails from then on.
void cli_claim_streams(void);

/// Write out what is left on stdout. @return CLI_OK, or CLI_FAILED when something could not be written (said
/// on stderr, unless it is a reader that has seen enough and closed its pipe)
int cli_close_stdout(void);

/// Print an error as one line on stderr. @return CLI_FAILED
int cli_fail(const ctError* err);

/// Prints remarks on stderr.
ctLog cli_log(void);

/// A model file: one on disk, or standard input for "-", which is read whole and then is a file in memory.
typedef struct {
  const char* path;
  ctVfs* vfs;
} cli_Input;

/// @return CT_OK, CT_ERR_IO, CT_ERR_LIMIT or CT_ERR_MEMORY; close it in either case
ctStatus cli_input_open(cli_Input* in, const char* path, ctError* err);
void cli_input_close(cli_Input* in);

/// Load a model and print remarks on stderr; without a path the built-in one, from standard input for "-".
/// @return CLI_OK, or CLI_FAILED with the error printed
int cli_load(ctModel** out, const char* path);
/// The library of plugins that models may use, a row for the commands that load. It stays open to the end of
/// the program.
extern const char* cli_plugins;
#define OPT_PLUGINS \
  OPT_TEXT("plugins", "FILE", &cli_plugins, "shared library with plugins that the model uses")
/// How URDF files are read: rows for the commands that load, which write here.
extern ctUrdfOptions cli_urdf;
#define OPT_URDF                                                                                             \
  OPT_TEXT("packages", "DIRS", &cli_urdf.package_path,                                                       \
           "URDF: folders with the packages that meshes are in, separated as in PATH"),                      \
      OPT_FLAG("as-mujoco", &cli_urdf.mujoco, "URDF: as MuJoCo reads it, without visuals and static links"), \
      OPT_FLAG("floating-base", &cli_urdf.floating_base, "URDF: the root gets a free joint"),                \
      OPT_FLAG("actuators", &cli_urdf.actuators, "URDF: transmissions become motors"),                       \
      OPT_FLAG("strict-inertia", &cli_urdf.strict_inertia,                                                   \
               "URDF: refuse inertias that no body has, do not adjust them"),                                \
      OPT_FLAG("balance-inertia", &cli_urdf.balance_inertia,                                                 \
               "URDF: moments of inertia that no body has become their mean"),                               \
      OPT_REAL("bound-mass", "KG", &cli_urdf.bound_mass, "URDF: least mass of a link", .min = 0,             \
               .max = 1e10),                                                                                 \
      OPT_REAL("bound-inertia", "I", &cli_urdf.bound_inertia, "URDF: least moment of inertia of a link",     \
               .min = 0, .max = 1e10),                                                                       \
      OPT_REAL("total-mass", "KG", &cli_urdf.total_mass,                                                     \
               "URDF: scale all masses to this sum, 0: leave them", .min = 0, .max = 1e10)
/// Plugins and how URDF is read, as the options of the command say.
ctStatus cli_load_options(ctLoadOptions* options, ctError* err);
int cli_load_input(ctModel** out, const cli_Input* in);

/// How to write to a stream.
typedef struct {
  FILE* file;
  bool tty;
  bool utf8;         // the locale says that characters are UTF-8
  const char* bold;  // escape sequences, empty without colours
  const char* dim;
  const char* bar;    // colour of bars
  const char* alert;  // colour of trouble
  const char* plain;  // back to normal
} cli_Style;

cli_Style cli_style(FILE* file);

/// Short text of a number, to be used before the next few calls only: the texts share a ring of buffers.
const char* cli_count(long long n);                         // 1,234,567
const char* cli_number(double x);                           // three digits or more: 0.0123, 12.3, 12,345
const char* cli_seconds(double s, const cli_Style* style);  // 12.3 ms
const char* cli_bytes(double n);                            // 12.3 kB
const char* cli_plural(long long n, const char* one, const char* many);  // "1 body", "17 bodies"

/// Print a bar that fills `share` (0 to 1) of `width` columns, padded to that width.
void cli_bar(const cli_Style* style, double share, int width);

/// Columns a UTF-8 text takes, one a character.
int cli_columns(const char* text);
