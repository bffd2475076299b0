// corten render: pictures and videos of a model, and a sheet of many models.
#include <corten/corten.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "draw.h"
#include "drawing.h"
#include "options.h"
#include "output.h"
#include "picture.h"
#include "progress.h"
#include "recording.h"
#include "replay.h"
#include "simulate.h"
#include "stop.h"
#ifdef CLI_HAS_RENDER
#include "film.h"
#include "sheet.h"
#endif

typedef struct {
  const char *path, *png, *depth, *segmentation, *video, *sheet, *html;
  const char *keyframe, *state, *recording;
  double time, duration, rate, speed;
  bool duration_given;
  cli_Look look;
} Request;

static int read_request(Request* q, int argc, char** argv) {
  const cli_Opt opts[] = {
      OPT_ARG("MODEL", &q->path,
              "model file, - for standard input; without one, the built-in humanoid; a folder for --sheet",
              .optional = true),
      OPT_TEXT("png", "FILE", &q->png, "picture to write"),
      OPT_TEXT("depth", "FILE", &q->depth, "distances: .npy in metres, .png in millimetres"),
      OPT_TEXT("segmentation", "FILE", &q->segmentation,
               "objects: .npy with their ids and kinds, .png in colours"),
      OPT_TEXT("video", "FILE", &q->video, "video to write, by ffmpeg: .mp4, .webm, .gif ..."),
      OPT_TEXT("sheet", "FILE", &q->sheet, "one .png with a picture of every model of a folder"),
      OPT_TEXT("html", "FILE", &q->html, "a recording as a replay that opens in any browser"),
      OPT_TEXT("keyframe", "K", &q->keyframe, "show this keyframe, a name or a number"),
      OPT_TEXT("state", "FILE", &q->state, "show a saved state (.cts)"),
      OPT_TEXT("recording", "FILE", &q->recording, "show what corten run --record has written, .npz or .csv"),
      OPT_REAL("time", "S", &q->time, "simulate, or play, so many seconds first", .min = 0, .max = 1e6),
      OPT_REAL("duration", "S", &q->duration, "simulated seconds of a video (default: 5, or the recording)",
               .given = &q->duration_given, .min = 1e-3, .max = 1e6),
      OPT_REAL("fps", "N", &q->rate, "pictures of a video for each of its seconds", .min = 1, .max = 1000),
      OPT_REAL("speed", "X", &q->speed, "simulated seconds for each second of a video", .min = 1e-6,
               .max = 1e6),
      OPT_LOOK(&q->look),
      OPT_PLUGINS,
      OPT_URDF,
      OPT_NOTE("Needs no screen: pictures are drawn through EGL, on a GPU or in software, or by OSMesa.\n"
               "Without ffmpeg a video is a folder of pictures."),
      OPT_END};
  int code = cli_parse(opts, argc, argv);
  if (code != CLI_OK) return code;
  bool single = q->png || q->depth || q->segmentation;
  if (!single && !q->video && !q->sheet && !q->html)
    return cli_misuse(
        argv[0], "nothing to write: give --png, --depth, --segmentation, --video, --sheet or --html a file");
  if ((single && q->video) || (q->sheet && (single || q->video)))
    return cli_misuse(argv[0], "--video and --sheet go alone");
  if ((q->keyframe != NULL) + (q->state != NULL) + (q->recording != NULL) > 1)
    return cli_misuse(argv[0], "--keyframe, --state and --recording exclude each other");
  if (q->html && (!q->recording || single || q->video || q->sheet))
    return cli_misuse(argv[0], "--html goes with --recording, and alone");
  if (q->sheet && !q->path) return cli_misuse(argv[0], "--sheet needs a folder of models");
  const char* const pictures[2][2] = {{"png", q->png}, {"sheet", q->sheet}};
  for (int i = 0; i < 2; i++) {
    if (pictures[i][1] && !cli_ends_with(pictures[i][1], ".png"))
      return cli_misuse(argv[0], "--%s: '%s' does not end with .png", pictures[i][0], pictures[i][1]);
  }
  const char* const arrays[2][2] = {{"depth", q->depth}, {"segmentation", q->segmentation}};
  for (int i = 0; i < 2; i++) {
    const char* path = arrays[i][1];
    if (path && !cli_ends_with(path, ".png") && !cli_ends_with(path, ".npy"))
      return cli_misuse(argv[0], "--%s: '%s' ends neither with .png nor with .npy", arrays[i][0], path);
  }
  return CLI_OK;
}

// Positions of a recording, and its times.
static int load_recording(cli_Recording* table, const ctModel* m, const char* path, int* qpos, int* clock) {
  int code = cli_recording_load(table, path);
  if (code != CLI_OK) return code;
  int count = cli_recording_group(table, "qpos", qpos);
  *clock = cli_recording_find(table, "time");
  if (count == m->nq && *clock >= 0 && table->rows > 0) return CLI_OK;
  fprintf(stderr, "corten render: %s: no recording of this model: %d positions, which has %d\n", path, count,
          m->nq);
  return CLI_FAILED;
}

// Needs no drawing here: the browser does that.
static int save_replay(const ctModel* m, const Request* q) {
  cli_Recording table = {0};
  ctData* d = NULL;
  ctError err = {0};
  int qpos, clock, code = load_recording(&table, m, q->recording, &qpos, &clock);
  if (code == CLI_OK && ct_data_create(&d, m, &err) != CT_OK) code = cli_fail(&err);
  if (code == CLI_OK) code = cli_replay_save(m, d, &table, q->path ? q->path : "humanoid", q->html);
  ct_data_free(d);
  cli_recording_free(&table);
  return code;
}

#ifdef CLI_HAS_RENDER

// ---- states

// A simulation, or a recording that is played.
typedef struct {
  const ctModel* m;
  ctData *d, *shown;  // steps are taken in the first; the second has what belongs to its state
  cli_Recording table;
  int qpos, clock;  // channels of positions and of time
  size_t row;
  double begin;  // time of the first state
} Motion;

static int open_motion(Motion* o, const ctModel* m, const Request* q) {
  *o = (Motion){.m = m};
  ctError err = {0};
  if (ct_data_create(&o->d, m, &err) != CT_OK || ct_data_create(&o->shown, m, &err) != CT_OK)
    return cli_fail(&err);
  if (q->keyframe) {
    int key = cli_find_keyframe(m, q->keyframe);
    if (key < 0)
      return cli_misuse("render", "there is no keyframe '%s', the model has %d", q->keyframe, m->nkey);
    ct_data_reset_keyframe(m, o->d, key);
  }
  if (q->state && ct_data_load(m, o->d, q->state, &err) != CT_OK) return cli_fail(&err);
  if (q->recording) {
    int code = load_recording(&o->table, m, q->recording, &o->qpos, &o->clock);
    if (code != CLI_OK) return code;
    o->begin = o->table.data[o->clock];
  } else {
    o->begin = (double)o->d->time;
  }
  return CLI_OK;
}

static void close_motion(Motion* o) {
  cli_recording_free(&o->table);
  ct_data_free(o->shown);
  ct_data_free(o->d);
}

static double row_time(const Motion* o, size_t row) {
  return o->table.data[row * (size_t)o->table.nchannel + (size_t)o->clock];
}

// The state after so many seconds in `shown`, with everything that belongs to it.
static int reach(Motion* o, double seconds) {
  ctStatus status = CT_OK;
  if (o->table.rows > 0) {
    while (o->row + 1 < o->table.rows && row_time(o, o->row + 1) <= o->begin + seconds + 1e-9) o->row++;
    const double* row = o->table.data + o->row * (size_t)o->table.nchannel;
    for (int i = 0; i < o->m->nq; i++) o->shown->qpos[i] = (ctReal)row[o->qpos + i];
    o->shown->time = (ctReal)row[o->clock];
  } else {
    double left = round((o->begin + seconds - (double)o->d->time) / (double)o->m->opt.timestep);
    while (left >= 1 && status == CT_OK) {
      int n = (int)fmin(left, 1e6);
      status = ct_step_n(o->m, o->d, n);
      left -= n;
    }
    if (status == CT_OK) status = ct_data_copy(o->m, o->d, o->shown);
  }
  if (status == CT_OK) status = ct_forward(o->m, o->shown);
  if (status == CT_OK || status == CT_STEP_SINGULAR) return CLI_OK;
  fprintf(stderr, "corten render: %s\n", ct_status_text(status));
  return CLI_FAILED;
}

// ---- what is written

// Millimetres, 0 where there is nothing or more than 16 bits hold.
static int save_depth(const float* depth, const int size[2], float far, const char* path) {
  cli_Picture picture = {
      .width = size[0], .height = size[1], .channels = 1, .bits = 16, .pixels = depth, .type = "<f4"};
  if (cli_ends_with(path, ".npy")) return cli_picture_save(&picture, path);
  size_t n = (size_t)size[0] * (size_t)size[1];
  unsigned short* grey = calloc(n, sizeof(*grey));
  if (!grey) return cli_fail(&(ctError){.status = CT_ERR_MEMORY, .message = "out of memory"});
  for (size_t i = 0; i < n; i++) {
    double mm = round(1000 * (double)depth[i]);
    grey[i] = depth[i] < far && mm <= 65535 ? (unsigned short)mm : 0;
  }
  picture.pixels = grey;
  int code = cli_picture_save(&picture, path);
  free(grey);
  return code;
}

// Colours of objects: hues of neighbours are far apart, and every other one is darker.
static void object_colour(int id, int kind, unsigned char rgb[3]) {
  double turn = 6 * fmod(0.618034 * id + 0.37 * kind, 1), value = id % 2 ? 160 : 240;
  const double shift[3] = {0, 4, 2};
  for (int k = 0; k < 3; k++) {
    double x = fmod(turn + shift[k], 6), level = fmin(fmax(x < 3 ? x - 1 : 5 - x, 0), 1);
    rgb[k] = (unsigned char)(value * (0.3 + 0.7 * level));
  }
}

// A colour for each object, black for nothing.
static int save_segmentation(const int* ids, const int size[2], const char* path) {
  cli_Picture picture = {
      .width = size[0], .height = size[1], .channels = 2, .bits = 8, .pixels = ids, .type = "<i4"};
  if (cli_ends_with(path, ".npy")) return cli_picture_save(&picture, path);
  size_t n = (size_t)size[0] * (size_t)size[1];
  unsigned char* rgb = calloc(n, 3);
  if (!rgb) return cli_fail(&(ctError){.status = CT_ERR_MEMORY, .message = "out of memory"});
  for (size_t i = 0; i < n; i++) {
    if (ids[2 * i] >= 0) object_colour(ids[2 * i], ids[2 * i + 1], rgb + 3 * i);
  }
  picture.channels = 3;
  picture.pixels = rgb;
  int code = cli_picture_save(&picture, path);
  free(rgb);
  return code;
}

static int save_color(const cli_Drawing* w, const char* path) {
  const cli_Picture picture = {
      .width = w->width, .height = w->height, .channels = 3, .bits = 8, .pixels = w->rgb};
  return cli_picture_save(&picture, path);
}

static int save_measured(cli_Drawing* w, const Request* q) {
  const int size[2] = {w->width, w->height};
  size_t n = (size_t)size[0] * (size_t)size[1];
  float* depth = malloc(n * sizeof(float));
  int* ids = malloc(2 * n * sizeof(int));
  ctError err = {.status = CT_ERR_MEMORY, .message = "out of memory"};
  int code = CLI_OK;
  if (!depth || !ids || ct_render_measure(w->renderer, w->m, w->scene, depth, ids, &err) != CT_OK)
    code = cli_fail(&err);
  if (code == CLI_OK && q->depth) code = save_depth(depth, size, w->scene->view.zfar, q->depth);
  if (code == CLI_OK && q->segmentation) code = save_segmentation(ids, size, q->segmentation);
  free(depth);
  free(ids);
  return code;
}

static int save_video(cli_Drawing* w, Motion* o, const Request* q) {
  double duration = q->duration_given ? q->duration : 5;
  if (o->table.rows > 0 && !q->duration_given)
    duration = fmax(row_time(o, o->table.rows - 1) - o->begin - q->time, 0);
  long long count = (long long)fmax(1, round(duration / q->speed * q->rate));
  cli_Film film;
  int code = cli_film_open(&film, q->video, w->width, w->height, q->rate);
  cli_Progress bar = cli_progress_start(true, duration);
  double began = ct_clock();
  cli_stop_listen();
  for (long long i = 0; i < count && code == CLI_OK && !cli_stop_asked(); i++) {
    double at = (double)i / q->rate * q->speed;
    code = reach(o, q->time + at);
    if (code == CLI_OK) code = cli_drawing_color(w, o->shown);
    if (code == CLI_OK) code = cli_film_add(&film, w->rgb);
    cli_progress_show(&bar, at, (double)(i + 1) / (ct_clock() - began));
  }
  cli_progress_end(&bar);
  int closed = cli_film_close(&film, q->video);
  return code != CLI_OK ? code : cli_stop_asked() ? CLI_STOPPED : closed;
}

static int render(const ctModel* m, const Request* q) {
  cli_Drawing w = {0};
  Motion o = {0};
  int code = cli_drawing_open(&w, m, &q->look);
  if (code == CLI_OK) code = open_motion(&o, m, q);
  if (code == CLI_OK && q->video) {
    code = save_video(&w, &o, q);
  } else if (code == CLI_OK) {
    code = reach(&o, q->time);
    if (code == CLI_OK) code = cli_drawing_color(&w, o.shown);
    if (code == CLI_OK && q->png) code = save_color(&w, q->png);
    if (code == CLI_OK && (q->depth || q->segmentation)) code = save_measured(&w, q);
  }
  close_motion(&o);
  cli_drawing_close(&w);
  return code;
}

int cli_draw_png(const ctModel* m, ctData* d, const char* path) {
  const cli_Look usual = {0};
  cli_Drawing w;
  int code = cli_drawing_open(&w, m, &usual);
  if (code == CLI_OK && ct_forward(m, d) != CT_OK) {
    fprintf(stderr, "corten: the state cannot be drawn\n");
    code = CLI_FAILED;
  }
  if (code == CLI_OK) code = cli_drawing_color(&w, d);
  if (code == CLI_OK) code = save_color(&w, path);
  cli_drawing_close(&w);
  return code;
}

bool cli_can_draw(const char* command) {
  (void)command;
  return true;
}

#else

int cli_draw_png(const ctModel* m, ctData* d, const char* path) {
  (void)m, (void)d, (void)path;
  return CLI_FAILED;
}

bool cli_can_draw(const char* command) {
  fprintf(stderr, "corten %s: built without OpenGL (Debian packages libgl-dev, libegl-dev)\n", command);
  return false;
}

#endif

int cmd_render(int argc, char** argv) {
  Request q = {.rate = 30, .speed = 1};
  int code = read_request(&q, argc, argv);
  if (code != CLI_OK) return code;
  if (q.html) {
    ctModel* m = NULL;
    code = cli_load(&m, q.path);
    if (code == CLI_OK) code = save_replay(m, &q);
    ct_model_free(m);
    return code;
  }
  if (!cli_can_draw("render")) return CLI_FAILED;
#ifdef CLI_HAS_RENDER
  if (q.sheet) return cli_sheet_save(q.path, q.sheet, &q.look);
  ctModel* m = NULL;
  code = cli_load(&m, q.path);
  if (code == CLI_OK) code = render(m, &q);
  ct_model_free(m);
#endif
  return code;
}
