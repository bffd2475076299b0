#include "simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "channels.h"
#include "noise.h"
#include "progress.h"
#include "stop.h"

// ---- the loop --------------------------------------------------------------------------------------------

#define BLOCK_SECONDS 0.005  // the clock is read, and the user heard, about this often

static bool ends_run(ctStatus status) {
  return status == CT_STEP_DIVERGED || status == CT_ERR_ARGUMENT || status == CT_ERR_MEMORY;
}

// A signal asked the run to stop, or its recording cannot be written.
static bool must_stop(const cli_Plan* plan) {
  return cli_stop_asked() || (plan->sink && plan->sink->failed);
}

static void start_state(const ctModel* m, ctData* d, const cli_Plan* plan, cli_Noise* noise) {
  if (plan->key >= 0) {
    ct_data_reset_keyframe(m, d, plan->key);
  } else {
    ct_data_reset(m, d);
    if (plan->state) ct_data_load(m, d, plan->state, NULL);
  }
  cli_noise_start(noise, m, d->ctrl, plan->seed, (double)m->opt.timestep);
  if (plan->playback) cli_playback_rewind(plan->playback);
  ct_data_set_noise(d, plan->sensor_noise, (uint32_t)plan->seed, 0);
}

static void count_step(cli_Result* r, const ctData* d) {
  if (r->steps == 0 || d->ntree_awake < r->awake_min) r->awake_min = d->ntree_awake;
  r->awake_sum += d->ntree_awake;
  r->awake_end = d->ntree_awake;
  r->steps++;
  r->ncon_sum += d->ncon;
  r->nefc_sum += d->nefc;
  if (d->ncon > r->ncon_max) r->ncon_max = d->ncon;
  if (d->nefc > r->nefc_max) r->nefc_max = d->nefc;
}

static void take_steps(const ctModel* m, ctData* d, const cli_Plan* plan, cli_Noise* noise, cli_Result* r,
                       long long count) {
  for (long long i = 0; i < count && !must_stop(plan); i++) {
    if (plan->playback) cli_playback_apply(plan->playback, m, d, r->steps);
    if (plan->noise > 0) cli_noise_draw(noise, m, plan->noise, d->ctrl);
    double* row = plan->record ? cli_recording_row(plan->record) : NULL;
    if (plan->record && !row) r->status = CT_ERR_MEMORY;
    if (plan->record && !row) return;
    if (row) cli_fill_state(row, m, d);
    double before = (double)d->time;
    r->status = ct_step(m, d);
    bool ended = ends_run(r->status);
    r->time = (ended ? before : (double)d->time) - r->start;  // a diverged step may have reset the time
    if (ended && row) plan->record->rows--;
    if (ended) return;
    if (row) cli_fill_sensors(row, m, d);
    if (row && plan->sink) cli_sink_row(plan->sink, plan->record);
    count_step(r, d);
  }
}

// Steps in blocks that grow until they take long enough to be timed, no further than `steps` or `seconds`.
static void run_pass(const ctModel* m, ctData* d, const cli_Plan* plan, cli_Noise* noise, cli_Result* r,
                     long long steps, double seconds) {
  cli_Progress bar = cli_progress_start(plan->progress, (double)steps * (double)m->opt.timestep);
  long long block = 1;
  while (r->steps < steps && r->wall < seconds && !ends_run(r->status) && !must_stop(plan)) {
    long long left = steps - r->steps;
    double start = ct_clock();
    take_steps(m, d, plan, noise, r, block < left ? block : left);
    double spent = ct_clock() - start;
    r->wall += spent;
    if (spent < BLOCK_SECONDS / 2) block *= 2;
    if (spent > BLOCK_SECONDS * 2 && block > 1) block /= 2;
    cli_progress_show(&bar, r->time, (double)r->steps / r->wall);
  }
  cli_progress_end(&bar);
}

static void measure_energy(const ctModel* m, ctData* d, double out[2]) {
  out[0] = out[1] = NAN;
  if (ends_run(ct_forward(m, d)) || ct_energy_compute(m, d) != CT_OK) return;
  out[0] = (double)d->energy[0];
  out[1] = (double)d->energy[1];
}

static void measure_end(const ctModel* m, ctData* d, const cli_Plan* plan, cli_Result* r) {
  memcpy(r->warning, d->warning, sizeof(r->warning));
  r->interrupted = must_stop(plan);
  r->energy_end[0] = r->energy_end[1] = NAN;
  if (!ends_run(r->status)) measure_energy(m, d, r->energy_end);
}

#define PROFILE_SHARE   0.2  // of the time of the run
#define PROFILE_SECONDS 0.2  // but at least this

// On a data of its own, because the state that the run ended in is to be reported. Where memory does not
// suffice for that, the report has no stages.
static void profile(const ctModel* m, const cli_Plan* plan, cli_Noise* noise, cli_Result* r) {
  ctData* again = NULL;
  if (ct_data_create(&again, m, NULL) != CT_OK) return;
  cli_Plan quiet = *plan;
  quiet.progress = false;
  quiet.record = NULL;
  quiet.sink = NULL;
  cli_Result repeated = {0};
  start_state(m, again, plan, noise);
  repeated.start = (double)again->time;
  again->now = ct_clock;
  run_pass(m, again, &quiet, noise, &repeated, r->steps, fmax(PROFILE_SECONDS, PROFILE_SHARE * r->wall));
  memcpy(r->timer, again->timer, sizeof(r->timer));
  ct_data_free(again);
}

ctStatus cli_simulate(const ctModel* m, ctData* d, const cli_Plan* plan, cli_Result* r) {
  *r = (cli_Result){0};
  cli_Noise noise;
  if (!cli_noise_open(&noise, m)) return CT_ERR_MEMORY;

  start_state(m, d, plan, &noise);
  measure_energy(m, d, r->energy_start);
  start_state(m, d, plan, &noise);  // the run begins with nothing computed
  r->start = (double)d->time;
  cli_stop_listen();
  run_pass(m, d, plan, &noise, r, plan->steps, INFINITY);
  measure_end(m, d, plan, r);
  if (plan->profile && r->steps > 0 && !r->interrupted) profile(m, plan, &noise, r);
  cli_noise_close(&noise);
  return CT_OK;
}

int cli_find_keyframe(const ctModel* m, const char* text) {
  int key = ct_model_name2id(m, CT_OBJ_KEY, text);
  if (key >= 0) return key;
  char* end;
  long number = strtol(text, &end, 10);
  return *text && !*end && number >= 0 && number < m->nkey ? (int)number : -2;
}
