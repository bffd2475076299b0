// corten run: simulate a model and report.
#include <corten/corten.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "draw.h"
#include "options.h"
#include "output.h"
#include "picture.h"
#include "plot.h"
#include "replay.h"
#include "run_files.h"
#include "run_report.h"
#include "simulate.h"
#include "worlds.h"

#define MAX_STEPS 1e15
#define MAX_SEED  9007199254740992.0  // what a JSON number keeps exactly

typedef struct {
  const char* path;
  double time;
  long long steps;
  bool time_given, steps_given;
  double noise;
  long long seed, worlds;
  double began;
  const char *keyframe, *state;                                           // where it starts
  const char *record, *ctrl, *plot, *channels, *save_state, *png, *html;  // files
  bool sensor_noise, quiet, json;
} Request;

static int read_request(Request* q, int argc, char** argv) {
  const cli_Opt opts[] = {
      OPT_ARG("MODEL", &q->path, "model file, - for standard input; without one, the built-in humanoid",
              .optional = true),
      OPT_REAL("time", "S", &q->time, "simulated seconds (default 10)", .given = &q->time_given, .min = 1e-9,
               .max = 1e12),
      OPT_INT("steps", "N", &q->steps, "number of steps, instead of --time", .given = &q->steps_given,
              .min = 1, .max = MAX_STEPS),
      OPT_REAL("ctrl-noise", "X", &q->noise, "random controls, 1: as wide as their range", .min = 0,
               .max = 1e6),
      OPT_INT("seed", "N", &q->seed, "of the random controls", .min = 0, .max = MAX_SEED),
      OPT_TEXT("keyframe", "K", &q->keyframe, "start from this keyframe, a name or a number"),
      OPT_TEXT("state", "FILE", &q->state, "start from a saved state (.cts)"),
      OPT_TEXT("ctrl", "FILE", &q->ctrl, "play controls back from a recording, .npz or .csv"),
      OPT_FLAG("sensor-noise", &q->sensor_noise, "add noise to sensors with a noise attribute, from --seed"),
      OPT_INT("worlds", "N", &q->worlds, "run this many at once, each with its own noise", .min = 1,
              .max = INT_MAX),
      OPT_TEXT("record", "FILE", &q->record,
               "write time, qpos, qvel, ctrl, sensors of every step: .npz or .csv"),
      OPT_TEXT("plot", "PNG", &q->plot, "draw them"),
      OPT_TEXT("channels", "LIST", &q->channels, "what to draw: qpos,sensor.imu,ctrl.*knee* (default: all)"),
      OPT_TEXT("png", "FILE", &q->png, "draw the state at the end; corten render has more"),
      OPT_TEXT("html", "FILE", &q->html, "write a replay that opens in any browser"),
      OPT_TEXT("save-state", "FILE", &q->save_state, "save the state at the end (.cts)"),
      OPT_FLAG("quiet", &q->quiet, "no progress bar, one line instead of the report"),
      OPT_FLAG("json", &q->json, "machine-readable report"),
      OPT_PLUGINS,
      OPT_URDF,
      OPT_NOTE(
          "Ctrl-C stops the run and reports what was simulated until then, as SIGTERM and SIGHUP do; the "
          "exit code\n"
          "is then 130, 143 or 129. A recording that nothing could end is in FILE.part, up to its last "
          "second.\n"
          "A simulation that diverges is reported too; the exit code is then 1.\n"
          "A row of a recording is the state before a step, the controls of that step, and what the sensors\n"
          "measured in it. Played back with --ctrl it gives the same run."),
      OPT_END};
  int code = cli_parse(opts, argc, argv);
  if (code == CLI_OK && q->time_given && q->steps_given) {
    code = cli_misuse(argv[0], "--time and --steps exclude each other");
  }
  if (code == CLI_OK && q->keyframe && q->state)
    code = cli_misuse(argv[0], "--keyframe and --state exclude each other");
  if (code == CLI_OK && q->record && !cli_recording_knows(q->record))
    code = cli_misuse(argv[0], "--record: '%s' ends neither with .npz nor with .csv", q->record);
  bool single =
      q->state || q->ctrl || q->sensor_noise || q->record || q->plot || q->save_state || q->png || q->html;
  if (code == CLI_OK && q->worlds > 1 && single)
    code = cli_misuse(argv[0],
                      "--worlds goes with --time, --steps, --keyframe, --ctrl-noise and --seed; files and "
                      "sensor noise are for one world");
  if (code == CLI_OK && q->channels && !q->plot) code = cli_misuse(argv[0], "--channels needs --plot");
  if (code == CLI_OK && q->plot && !cli_can_plot(argv[0])) code = CLI_FAILED;
  if (code == CLI_OK && q->png && !cli_can_draw(argv[0])) code = CLI_FAILED;
  if (code == CLI_OK && q->png && !cli_ends_with(q->png, ".png"))
    code = cli_misuse(argv[0], "--png: '%s' does not end with .png", q->png);
  if (code == CLI_OK && q->plot) code = cli_check_picture(argv[0], "--plot", q->plot);
  return code;
}

// Steps that cover a time. The time step may be rounded (0.1 is no binary number): 10 s in steps of 0.1 s are
// 100 steps, not 101.
static double steps_for(double time, double timestep) {
  double steps = time / timestep, whole = round(steps);
  return fmax(1, fabs(steps - whole) < 1e-6 + 1e-7 * steps ? whole : ceil(steps));
}

static int make_plan(cli_Plan* plan, const ctModel* m, const Request* q) {
  *plan = (cli_Plan){.key = -1, .noise = q->noise, .seed = (unsigned long long)q->seed};
  plan->progress = plan->profile = !q->quiet;
  plan->sensor_noise = q->sensor_noise;
  plan->state = q->state;
  double steps = q->steps_given ? (double)q->steps : steps_for(q->time, (double)m->opt.timestep);
  if (!(steps <= MAX_STEPS))
    return cli_misuse("run", "--time: %g s would need more than 1e15 steps", q->time);
  plan->steps = (long long)steps;
  if (q->keyframe) plan->key = cli_find_keyframe(m, q->keyframe);
  if (plan->key == -2) {
    return cli_misuse("run", "there is no keyframe '%s', the model has %d", q->keyframe, m->nkey);
  }
  return CLI_OK;
}

// Say on stderr why the run ended before its time.
static int explain_end(const cli_Result* r) {
  if (r->status == CT_ERR_MEMORY || r->status == CT_ERR_ARGUMENT) {
    fprintf(stderr, "corten run: step %lld failed: %s\n", r->steps + 1, ct_status_text(r->status));
    return CLI_FAILED;
  }
  if (r->status != CT_STEP_DIVERGED) return CLI_OK;
  fprintf(stderr, "corten run: simulation diverged after %s s", cli_number(r->time));
  for (int i = CT_WARN_BADQPOS; i <= CT_WARN_BADQACC; i++) {
    if (r->warning[i].number > 0) {
      fprintf(stderr, ": %s, at index %d", cli_warning_text(i), r->warning[i].lastinfo);
      break;
    }
  }
  fprintf(stderr, "\n");
  return CLI_FAILED;
}

// What the run leaves besides its report.
static int write_files(const ctModel* m, ctData* d, const Request* q, const cli_Recording* table,
                       cli_Sink* sink) {
  ctError err = {0};
  const char* title = m->names && m->names[0] ? m->names : "unnamed model";
  int code = CLI_OK;
  if (q->save_state && ct_data_save(m, d, q->save_state, &err) != CT_OK) code = cli_fail(&err);
  if (q->record && cli_sink_close(sink, table) != CLI_OK) code = CLI_FAILED;
  if (q->plot && table->rows > 0) {
    int drawn = cli_plot_table(table, "run", q->channels, title, q->plot);
    if (drawn != CLI_OK) code = drawn;
  }
  if (q->html && cli_replay_save(m, d, table, title, q->html) != CLI_OK) code = CLI_FAILED;
  if (q->png && cli_draw_png(m, d, q->png) != CLI_OK) code = CLI_FAILED;
  return code;
}

// Whether the other files can be written.
static int check_paths(const Request* q) {
  const char* const paths[] = {q->save_state, q->plot, q->png, q->html};
  for (int i = 0; i < 4; i++) {
    char temporary[4096];
    ctError err = {0};
    if (!paths[i]) continue;
    if (ct_file_begin(paths[i], temporary, sizeof(temporary), &err) != CT_OK) return cli_fail(&err);
    ct_file_end(paths[i], temporary, false, NULL);
  }
  return CLI_OK;
}

static int simulate_and_report(const ctModel* m, const Request* q) {
  ctData* d = NULL;
  ctError err = {0};
  cli_Plan plan;
  cli_Result result;
  cli_Recording table = {0};
  cli_Sink sink = {0};
  cli_Playback playback = {0};
  int code = make_plan(&plan, m, q);
  if (code != CLI_OK) return code;
  if (q->ctrl && cli_playback_open(&playback, m, q->ctrl) != CLI_OK) return CLI_FAILED;
  plan.playback = q->ctrl ? &playback : NULL;
  plan.record = q->record || q->plot || q->html ? &table : NULL;
  if (ct_data_create(&d, m, &err) != CT_OK) {
    cli_playback_close(&playback);
    return cli_fail(&err);
  }
  if (q->state && ct_data_load(m, d, q->state, &err) != CT_OK) {
    code = cli_fail(&err);
    goto done;
  }
  if (plan.record && !cli_recording_begin(&table, m)) {
    fprintf(stderr, "corten run: %s\n", ct_status_text(CT_ERR_MEMORY));
    code = CLI_FAILED;
    goto done;
  }
  // paths that cannot be written are known before a long run, not after it
  if (q->record && (code = cli_sink_open(&sink, &table, q->record, q->plot || q->html)) != CLI_OK) goto done;
  if ((code = check_paths(q)) != CLI_OK) goto done;
  plan.sink = q->record ? &sink : NULL;
  ctStatus status = cli_simulate(m, d, &plan, &result);
  if (status != CT_OK) {
    fprintf(stderr, "corten run: %s\n", ct_status_text(status));
    code = CLI_FAILED;
    goto done;
  }
  if (q->json) {
    cli_report_json(stdout, m, d, &plan, &result);
  } else if (q->quiet) {
    cli_report_line(stdout, m, &result);
  } else {
    cli_report(stdout, m, d, &result);
  }
  fflush(stdout);  // the report comes before the line that explains its end
  code = explain_end(&result);
  int files = write_files(m, d, q, &table, &sink);
  if (code == CLI_OK) code = files;
  if (code == CLI_OK && result.interrupted) code = CLI_STOPPED;
done:
  cli_sink_drop(&sink);
  cli_recording_free(&table);
  cli_playback_close(&playback);
  ct_data_free(d);
  return code;
}

// Many worlds at once; the controls change with every step, as in a single run.
static int run_worlds(const ctModel* m, const Request* q) {
  cli_Plan plan;
  int code = make_plan(&plan, m, q);
  if (code != CLI_OK) return code;
  cli_WorldsPlan worlds = {.worlds = (int)q->worlds,
                           .steps = plan.steps,
                           .per_call = 1,
                           .key = plan.key,
                           .noise = plan.noise,
                           .seed = plan.seed,
                           .began = q->began,
                           .progress = plan.progress && !q->json};
  return cli_worlds(m, &worlds, "run", q->quiet, q->json);
}

int cmd_run(int argc, char** argv) {
  Request request = {.time = 10, .worlds = 1, .began = ct_clock()};
  int code = read_request(&request, argc, argv);
  if (code != CLI_OK) return code;
  ctModel* m = NULL;
  if (cli_load(&m, request.path) != CLI_OK) return CLI_FAILED;
  code = request.worlds > 1 ? run_worlds(m, &request) : simulate_and_report(m, &request);
  ct_model_free(m);
  return code;
}
