#include "worlds.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "noise.h"
#include "output.h"
#include "progress.h"
#include "stop.h"

static const char* const backend_names[] = {
    [CT_BACKEND_AUTO] = "auto", [CT_BACKEND_CPU] = "cpu", [CT_BACKEND_CUDA] = "cuda"};

const char* cli_backend_name(ctBackend backend) {
  return backend_names[backend];
}

int cli_backend_find(const char* name) {
  for (int i = 0; i < 3; i++) {
    if (strcmp(backend_names[i], name) == 0) return i;
  }
  return -1;
}

// What a run holds.
typedef struct {
  const ctModel* m;
  const cli_WorldsPlan* plan;
  ctBatch* batch;
  cli_Noise* noise;  // one for each world
  int noises;
  ctReal* ctrl;     // nworld x nu
  ctReal* numbers;  // nworld x width of the widest tally
} Run;

// ---- inputs -----------------------------------------------------------------------------------------------

static ctStatus open_noise(Run* r) {
  const ctModel* m = r->m;
  size_t worlds = (size_t)r->plan->worlds, nu = (size_t)m->nu;
  r->ctrl = calloc(worlds * nu + 1, sizeof(ctReal));
  r->noise = calloc(worlds, sizeof(cli_Noise));
  if (!r->ctrl || !r->noise) return CT_ERR_MEMORY;
  for (; r->noises < r->plan->worlds; r->noises++) {
    if (!cli_noise_open(&r->noise[r->noises], m)) return CT_ERR_MEMORY;
  }
  return CT_OK;
}

static ctStatus start(Run* r, ctError* err) {
  const cli_WorldsPlan* plan = r->plan;
  ctStatus status = ct_batch_reset(r->batch, NULL, 0, plan->key, err);
  if (status != CT_OK || plan->noise == 0 || r->m->nu == 0) return status;
  status = ct_batch_get(r->batch, "ctrl", NULL, 0, r->ctrl, err);
  double interval = (double)r->m->opt.timestep * plan->per_call;
  for (int w = 0; w < plan->worlds; w++) {
    uint64_t seed = CLI_WORLD_SEED(plan->seed, w);
    cli_noise_start(&r->noise[w], r->m, r->ctrl + (size_t)w * (size_t)r->m->nu, seed, interval);
  }
  return status;
}

// ---- steps ------------------------------------------------------------------------------------------------

// Trouble in single worlds does not end a run of many.
static bool ends_run(ctStatus status) {
  return status != CT_OK && status < CT_STEP_DIVERGED;
}

// One call: new controls, and the steps with them. Drawing them is the caller's business, not measured.
static ctStatus call(Run* r, int steps, double* seconds, ctError* err) {
  const cli_WorldsPlan* plan = r->plan;
  bool noisy = plan->noise > 0 && r->m->nu > 0;
  for (int w = 0; noisy && w < plan->worlds; w++)
    cli_noise_draw(&r->noise[w], r->m, plan->noise, r->ctrl + (size_t)w * (size_t)r->m->nu);
  double began = ct_clock();
  ctStatus status = noisy ? ct_batch_set(r->batch, "ctrl", NULL, 0, r->ctrl, err) : CT_OK;
  if (!ends_run(status)) status = ct_batch_step(r->batch, steps, err);
  if (!ends_run(status)) {
    ctStatus synced = ct_batch_sync(r->batch, err);
    if (synced != CT_OK) status = synced;
  }
  *seconds += ct_clock() - began;
  return status;
}

// ---- what happened ----------------------------------------------------------------------------------------

static ctStatus tally(Run* r, const char* name, cli_Tally* t, ctError* err) {
  int width = ct_batch_width(r->batch, name);
  ctStatus status = ct_batch_get(r->batch, name, NULL, 0, r->numbers, err);
  if (status != CT_OK) return status;
  for (int w = 0; w < r->plan->worlds; w++) {
    const ctReal* row = r->numbers + (size_t)w * (size_t)width;
    int most = 0;  // of the islands of a world
    for (int i = 0; i < width; i++) most = (int)row[i] > most ? (int)row[i] : most;
    t->sum += most;
    t->count++;
    if (most > t->most) t->most = most;
  }
  return CT_OK;
}

static void count_warnings(Run* r, cli_WorldsResult* result) {
  const int* status = ct_batch_status(r->batch);
  for (int w = 0; status && w < r->plan->worlds; w++) {
    const ctWarningStat* seen = ct_batch_warnings(r->batch, w);
    bool warned = status[w] != CT_OK;
    for (int i = 0; i < CT_WARN_COUNT; i++) {
      if (seen[i].number == 0) continue;
      result->warning[i].number += seen[i].number;
      result->warning[i].lastinfo = seen[i].lastinfo;
      warned = true;
    }
    if (warned) result->with_warnings++;
    if (status[w] != CT_OK && result->status == CT_OK) result->status = (ctStatus)status[w];
  }
}

static const char* const tallied[] = {"ncon", "nefc", "solver_niter", "ntree_awake"};

// The last only where trees may sleep.
static int tally_count(const ctModel* m) {
  return m->opt.enableflags & CT_ENBL_SLEEP ? 4 : 3;
}

static ctStatus measure(Run* r, cli_WorldsResult* result, ctError* err) {
  cli_Tally* tallies[] = {&result->contacts, &result->rows, &result->iterations, &result->awake};
  cli_Progress bar =
      cli_progress_start(r->plan->progress, (double)r->plan->steps * (double)r->m->opt.timestep);
  ctStatus status = CT_OK;
  while (result->steps < r->plan->steps && !ends_run(status) && !cli_stop_asked()) {
    long long left = r->plan->steps - result->steps;
    int steps = left < r->plan->per_call ? (int)left : r->plan->per_call;
    status = call(r, steps, &result->wall, err);
    if (ends_run(status)) break;
    result->steps += steps;
    result->time = (double)result->steps * (double)r->m->opt.timestep;
    for (int i = 0; i < tally_count(r->m) && !ends_run(status); i++)
      status = tally(r, tallied[i], tallies[i], err);
    cli_progress_show(&bar, result->time, (double)result->steps * r->plan->worlds / result->wall);
  }
  cli_progress_end(&bar);
  return ends_run(status) ? status : CT_OK;
}

static ctStatus prepare(Run* r, ctError* err) {
  ctStatus status = ct_batch_create(&r->batch, r->m, r->plan->worlds, &r->plan->options, err);
  int widest = 1;
  for (int i = 0; i < tally_count(r->m) && status == CT_OK; i++) {
    status = ct_batch_output(r->batch, tallied[i], err);
    int width = ct_batch_width(r->batch, tallied[i]);
    if (width > widest) widest = width;
  }
  if (status != CT_OK) return status;
  r->numbers = calloc((size_t)r->plan->worlds * (size_t)widest, sizeof(ctReal));
  status = r->numbers ? open_noise(r) : CT_ERR_MEMORY;
  if (status != CT_OK && err) *err = (ctError){.status = status};
  return status;
}

ctStatus cli_run_worlds(const ctModel* m, const cli_WorldsPlan* plan, cli_WorldsResult* result,
                        ctError* err) {
  *result = (cli_WorldsResult){0};
  Run r = {.m = m, .plan = plan};
  double unused = 0;
  ctStatus status = prepare(&r, err);
  // the first step is not measured with the others: it warms caches up, and a GPU
  if (status == CT_OK) status = start(&r, err);
  if (status == CT_OK) status = call(&r, 1, &unused, err);
  result->first = ct_clock() - plan->began;
  if (!ends_run(status)) status = start(&r, err);
  cli_stop_listen();
  if (status == CT_OK) status = measure(&r, result, err);
  if (status == CT_OK) count_warnings(&r, result);
  if (status == CT_OK && plan->hash) status = ct_batch_hash(r.batch, &result->hash, err);
  if (status == CT_OK && plan->profile > 0) {
    status = ct_batch_profile(r.batch, plan->profile, &result->profile, err);
    if (!ends_run(status)) status = CT_OK;
  }
  result->interrupted = cli_stop_asked();
  if (r.batch) ct_batch_info(r.batch, &result->info);
  ct_batch_free(r.batch);
  for (int i = 0; i < r.noises; i++) cli_noise_close(&r.noise[i]);
  free(r.noise);
  free(r.ctrl);
  free(r.numbers);
  return status;
}

int cli_worlds(const ctModel* m, const cli_WorldsPlan* plan, const char* command, bool quiet, bool json) {
  cli_WorldsResult result;
  ctError err = {0};
  ctStatus status = cli_run_worlds(m, plan, &result, &err);
  if (status != CT_OK) {
    fprintf(stderr, "corten %s: %s\n", command, err.message[0] ? err.message : ct_status_text(status));
    return CLI_FAILED;
  }
  if (json) {
    cli_worlds_json(stdout, m, plan, &result);
  } else if (quiet) {
    cli_worlds_line(stdout, m, &result);
  } else {
    cli_worlds_report(stdout, m, plan, &result);
  }
  if (plan->hash && !json) printf("\n  hash %016llx\n", (unsigned long long)result.hash);
  return result.interrupted ? CLI_STOPPED : CLI_OK;
}
