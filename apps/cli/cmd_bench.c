// corten bench: how fast many worlds of a model run.
#include <corten/corten.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "beside.h"
#include "command.h"
#include "options.h"
#include "output.h"
#include "worlds.h"

typedef struct {
  const char *path, *backend, *precision;
  long long worlds, threads, device, steps, per_call, seed;
  double noise;
  bool json, hash, mpi, stages;
} Request;

#define PROFILED 20  // steps whose stages are measured

// -1 for an unknown name.
static int precision_find(const char* name) {
  if (!name) return CT_PRECISION_AUTO;
  if (strcmp(name, "single") == 0) return CT_PRECISION_SINGLE;
  return strcmp(name, "double") == 0 ? CT_PRECISION_DOUBLE : -1;
}

static int read_request(Request* q, int argc, char** argv) {
  const cli_Opt opts[] = {
      OPT_ARG("MODEL", &q->path, "model file, - for standard input; without one, the built-in humanoid",
              .optional = true),
      OPT_INT("worlds", "N", &q->worlds, "how many", .min = 1, .max = INT_MAX),
      OPT_TEXT("backend", "NAME", &q->backend, "cpu, cuda, or auto: the GPU where there is one"),
      OPT_INT("threads", "N", &q->threads, "of the CPU, 0 for all", .min = 0, .max = 4096),
      OPT_INT("device", "N", &q->device, "number of the GPU", .min = 0, .max = 1024),
      OPT_TEXT("precision", "NAME", &q->precision,
               "single or double (default: the library's own; single with --backend cuda)"),
      OPT_INT("steps", "N", &q->steps, "of every world", .min = 1, .max = INT_MAX),
      OPT_INT("per-call", "N", &q->per_call, "steps per call; controls change between calls", .min = 1,
              .max = INT_MAX),
      OPT_REAL("ctrl-noise", "X", &q->noise, "random controls of every world, 1: as wide as their range",
               .min = 0, .max = 1e6),
      OPT_INT("seed", "N", &q->seed, "of the random controls", .min = 0, .max = 9007199254740992.0),
      OPT_FLAG("json", &q->json, "machine-readable report"),
      OPT_FLAG("hash", &q->hash, "one number for the states of all worlds in the end, bit for bit"),
      OPT_FLAG("stages", &q->stages, "where the time of a step goes, measured in 20 more"),
      OPT_FLAG("mpi", &q->mpi, "on the ranks of MPI: mpirun -n 4 corten bench --mpi MODEL"),
      OPT_PLUGINS,
      OPT_URDF,
      OPT_NOTE(
          "The time of the first step counts from the start of the program and includes loading the model.\n"
          "Contacts, constraints and iterations are those of the last step of a call; iterations are those\n"
          "of the island that needed most."),
      OPT_END};
  int code = cli_parse(opts, argc, argv);
  if (code == CLI_OK && precision_find(q->precision) < 0)
    code = cli_misuse(argv[0], "--precision: '%s' is neither single nor double", q->precision);
  if (code == CLI_OK && cli_backend_find(q->backend) < 0)
    code = cli_misuse(argv[0], "--backend: '%s' is not one of auto, cpu and cuda", q->backend);
  return code;
}

// The program for that stands beside this one: `corten` itself needs no MPI.
static int run_ranks(const Request* q) {
  if (!q->path || strcmp(q->path, "-") == 0) return cli_misuse("bench", "--mpi needs a MODEL file");
  const ctUrdfOptions usual = {0};
  if (q->json || q->stages || q->precision || cli_plugins || memcmp(&cli_urdf, &usual, sizeof(usual)) != 0)
    return cli_misuse("bench",
                      "--mpi goes without --json, --stages, --precision, --plugins and how URDF is read");
  const struct {
    const char* name;
    double value;
  } options[] = {{"--worlds", (double)q->worlds},     {"--threads", (double)q->threads},
                 {"--device", (double)q->device},     {"--steps", (double)q->steps},
                 {"--per-call", (double)q->per_call}, {"--seed", (double)q->seed},
                 {"--ctrl-noise", q->noise}};
  enum { OPTIONS = sizeof(options) / sizeof(options[0]) };
  char numbers[OPTIONS][32];
  const char* args[2 * OPTIONS + 8] = {NULL};
  int count = 1;
  for (int i = 0; i < OPTIONS; i++) {
    snprintf(numbers[i], sizeof(numbers[i]), "%.17g", options[i].value);
    args[count++] = options[i].name;
    args[count++] = numbers[i];
  }
  args[count++] = "--backend";
  args[count++] = q->backend;
  if (q->hash) args[count++] = "--hash";
  args[count++] = q->path;
  return cli_become("bench", "-mpi", args, "which is built with CORTEN_MPI=ON where MPI is found");
}

int cmd_bench(int argc, char** argv) {
  double began = ct_clock();
  Request q = {.backend = "auto", .worlds = 1024, .steps = 200, .per_call = 1, .noise = 0.1};
  int code = read_request(&q, argc, argv);
  if (code != CLI_OK) return code;
  if (q.mpi) return run_ranks(&q);
  ctModel* m = NULL;
  if (cli_load(&m, q.path) != CLI_OK) return CLI_FAILED;
  cli_WorldsPlan plan = {.worlds = (int)q.worlds,
                         .steps = q.steps,
                         .per_call = (int)q.per_call,
                         .key = -1,
                         .noise = q.noise,
                         .hash = q.hash,
                         .profile = q.stages ? PROFILED : 0,
                         .seed = (unsigned long long)q.seed,
                         .began = began,
                         .progress = !q.json};
  plan.options.backend = (ctBackend)cli_backend_find(q.backend);
  plan.options.threads = (int)q.threads;
  plan.options.device = (int)q.device;
  plan.options.precision = (ctPrecision)precision_find(q.precision);
  code = cli_worlds(m, &plan, argv[0], false, q.json);
  ct_model_free(m);
  return code;
}
