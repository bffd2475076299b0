// corten-mpi: corten bench --mpi, on the ranks that mpirun has started.
//
//   mpirun -n 4 corten bench --mpi MODEL --worlds 100000 --hash
//
// The options are those of corten bench; corten itself has read and checked them.
#define _POSIX_C_SOURCE 200809L
#include <corten/corten.h>
#include <corten/mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "noise.h"

typedef struct Request {
  const char *path, *backend;
  int worlds, threads, device, steps, per_call;
  unsigned long long seed;
  double noise;
  bool hash;
} Request;

static int rank, ranks;

static void fail(const ctError* err) {
  if (rank == 0) {
    char text[1024];
    ct_error_format(err, text, sizeof(text));
    fprintf(stderr, "%s\n", text);
  }
  MPI_Finalize();
  exit(1);
}

#define TRY(call)                                             \
  do {                                                        \
    ctStatus try_ = (call);                                   \
    if (try_ != CT_OK && try_ < CT_STEP_DIVERGED) fail(&err); \
  } while (0)

static Request read_request(int argc, char** argv) {
  Request q = {.backend = "auto", .worlds = 1024, .steps = 200, .per_call = 1, .noise = 0.1};
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(name, "--hash") == 0)
      q.hash = true;
    else if (strncmp(name, "--", 2) != 0)
      q.path = name;
    else {
      if (strcmp(name, "--backend") == 0) q.backend = value;
      if (strcmp(name, "--worlds") == 0) q.worlds = atoi(value);
      if (strcmp(name, "--threads") == 0) q.threads = atoi(value);
      if (strcmp(name, "--device") == 0) q.device = atoi(value);
      if (strcmp(name, "--steps") == 0) q.steps = atoi(value);
      if (strcmp(name, "--per-call") == 0) q.per_call = atoi(value);
      if (strcmp(name, "--seed") == 0) q.seed = strtoull(value, NULL, 10);
      if (strcmp(name, "--ctrl-noise") == 0) q.noise = atof(value);
      i++;
    }
  }
  return q;
}

// Controls of the rank's own worlds, each with the noise of its number in the whole batch.
typedef struct Controls {
  cli_Noise* noise;
  ctReal* ctrl;
  int first, count;
} Controls;

static bool start_controls(Controls* c, const Request* q, const ctModel* m, const ctMpiInfo* info,
                           ctBatch* local) {
  *c = (Controls){.first = info->first, .count = info->count};
  if (!(q->noise > 0) || m->nu == 0) return true;
  c->noise = calloc((size_t)c->count, sizeof(cli_Noise));
  c->ctrl = calloc((size_t)c->count * (size_t)m->nu, sizeof(ctReal));
  if (!c->noise || !c->ctrl || ct_batch_get(local, "ctrl", NULL, 0, c->ctrl, NULL) != CT_OK) return false;
  for (int w = 0; w < c->count; w++) {
    if (!cli_noise_open(&c->noise[w], m)) return false;
    uint64_t seed = CLI_WORLD_SEED(q->seed, c->first + w);
    cli_noise_start(&c->noise[w], m, c->ctrl + (size_t)w * (size_t)m->nu, seed,
                    (double)m->opt.timestep * q->per_call);
  }
  return true;
}

static void progress(const Request* q, int done, double seconds) {
  if (rank != 0 || !isatty(STDERR_FILENO)) return;
  int width = 40, filled = (int)((double)width * done / q->steps);
  fprintf(stderr, "\r  [%.*s%*s] %d of %d steps, %.0f steps/s ", filled,
          "########################################", width - filled, "", done, q->steps,
          seconds > 0 ? (double)done * q->worlds / seconds : 0);
  if (done >= q->steps) fprintf(stderr, "\r%79s\r", "");
  fflush(stderr);
}

static void report(ctMpiBatch* b, const Request* q, double seconds) {
  ctMpiInfo own;
  ct_mpi_batch_info(b, &own);
  ctMpiInfo* all = rank == 0 ? malloc((size_t)ranks * sizeof(ctMpiInfo)) : NULL;
  MPI_Gather(&own, (int)sizeof(own), MPI_BYTE, all, (int)sizeof(own), MPI_BYTE, 0, MPI_COMM_WORLD);
  if (!all) return;
  double most = 0;
  for (int r = 0; r < ranks; r++) most = all[r].step_seconds > most ? all[r].step_seconds : most;
  printf("\n  %d worlds of %d steps on %d ranks: %.0f steps/s\n\n", q->worlds, q->steps, ranks,
         (double)q->worlds * q->steps / seconds);
  printf("  rank   worlds  threads      steps/s   balance   waiting   bytes sent\n");
  for (int r = 0; r < ranks; r++)
    printf("  %4d %8d %8d %12.0f %8.0f %% %7.1f %% %12lld\n", r, all[r].count, all[r].local.threads,
           (double)all[r].count * q->steps / all[r].step_seconds, 100 * all[r].step_seconds / most,
           100 * all[r].wait_seconds / seconds, (long long)all[r].bytes_sent);
  free(all);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Request q = read_request(argc, argv);
  ctError err = {0};
  ctModel* m = NULL;
  // a rank that cannot load says so before the others wait for it
  int loaded = rank != 0 || (q.path && ct_model_load(&m, q.path, NULL, &err) == CT_OK);
  MPI_Bcast(&loaded, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (!loaded) fail(&err);
  ctMpiOptions opt = {.batch = {.threads = q.threads, .device = q.device}};
  opt.batch.backend = strcmp(q.backend, "cpu") == 0    ? CT_BACKEND_CPU
                      : strcmp(q.backend, "cuda") == 0 ? CT_BACKEND_CUDA
                                                       : CT_BACKEND_AUTO;
  ctMpiBatch* b = NULL;
  TRY(ct_mpi_batch_create(&b, MPI_COMM_WORLD, m, q.worlds, &opt, &err));
  const ctModel* own = ct_mpi_batch_model(b);
  ctMpiInfo info;
  ct_mpi_batch_info(b, &info);
  Controls c;
  if (!start_controls(&c, &q, own, &info, ct_mpi_batch_local(b))) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  double start = ct_clock();
  for (int done = 0; done < q.steps;) {
    int steps = q.steps - done < q.per_call ? q.steps - done : q.per_call;
    for (int w = 0; c.noise && w < c.count; w++)
      cli_noise_draw(&c.noise[w], own, q.noise, c.ctrl + (size_t)w * (size_t)own->nu);
    if (c.noise) TRY(ct_batch_set(ct_mpi_batch_local(b), "ctrl", NULL, 0, c.ctrl, &err));
    TRY(ct_mpi_batch_step(b, steps, &err));
    done += steps;
    progress(&q, done, ct_clock() - start);
  }
  double seconds = ct_clock() - start;
  report(b, &q, seconds);
  if (q.hash) {
    uint64_t hash;
    TRY(ct_mpi_batch_hash(b, &hash, &err));
    if (rank == 0) printf("\n  hash %016llx\n", (unsigned long long)hash);
  }
  for (int w = 0; c.noise && w < c.count; w++) cli_noise_close(&c.noise[w]);
  free(c.noise);
  free(c.ctrl);
  ct_mpi_batch_free(b);
  ct_model_free(m);
  MPI_Finalize();
  return 0;
}
