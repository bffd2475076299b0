// corten render: a picture of a model.
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
#include "simulate.h"
#ifdef CLI_HAS_RENDER
#include <corten/render.h>
#endif

typedef struct {
  const char *path, *png, *depth, *segmentation;
  const char *keyframe, *state, *camera, *show, *hide, *lookat, *backend, *background;
  double time, azimuth, elevation, distance;
  bool azimuth_given, elevation_given, distance_given;
  long long width, height, samples;
  bool width_given, height_given;
} Request;

static int read_request(Request* q, int argc, char** argv) {
  const cli_Opt opts[] = {
      OPT_ARG("MODEL", &q->path, "model file, - for standard input; without one, the built-in humanoid",
              .optional = true),
      OPT_TEXT("png", "FILE", &q->png, "picture to write"),
      OPT_TEXT("depth", "FILE", &q->depth, "distances: .npy in metres, .png in millimetres"),
      OPT_TEXT("segmentation", "FILE", &q->segmentation,
               "objects: .npy with their ids and kinds, .png in colours"),
      OPT_INT("width", "N", &q->width, "pixels (default: the camera's, else 640)", .given = &q->width_given,
              .min = 1, .max = 16384),
      OPT_INT("height", "N", &q->height, "pixels (default: the camera's, else 480)",
              .given = &q->height_given, .min = 1, .max = 16384),
      OPT_TEXT("keyframe", "K", &q->keyframe, "show this keyframe, a name or a number"),
      OPT_TEXT("state", "FILE", &q->state, "show a saved state (.cts)"),
      OPT_REAL("time", "S", &q->time, "simulate so many seconds first", .min = 0, .max = 1e6),
      OPT_TEXT("camera", "C", &q->camera, "a name or a number, free, or track:BODY"),
      OPT_REAL("azimuth", "DEG", &q->azimuth, "of the free or tracking camera; 0 looks along x",
               .given = &q->azimuth_given),
      OPT_REAL("elevation", "DEG", &q->elevation, "likewise; negative looks down",
               .given = &q->elevation_given),
      OPT_REAL("distance", "M", &q->distance, "likewise, from what it looks at", .given = &q->distance_given,
               .min = 1e-6, .max = 1e9),
      OPT_TEXT("lookat", "X,Y,Z", &q->lookat, "what the free camera looks at"),
      OPT_TEXT("show", "LIST", &q->show, "contactforce,joint,frame:body,label:geom,geomgroup:3, ..."),
      OPT_TEXT("hide", "LIST", &q->hide, "shadow,skybox,tendon,static,geomgroup:0, ..."),
      OPT_INT("samples", "N", &q->samples, "samples per pixel, 0: what the model says", .min = 0, .max = 64),
      OPT_TEXT("background", "R,G,B", &q->background,
               "colour where there is no sky, 0 to 1 (default 0.72,0.78,0.85)"),
      OPT_TEXT("backend", "B", &q->backend, "auto, egl or osmesa"),
      OPT_PLUGINS,
      OPT_URDF,
      OPT_NOTE("Needs no screen: pictures are drawn through EGL, on a GPU or in software, or by OSMesa."),
      OPT_END};
  int code = cli_parse(opts, argc, argv);
  if (code != CLI_OK) return code;
  if (!q->png && !q->depth && !q->segmentation)
    return cli_misuse(argv[0], "nothing to write: give --png, --depth or --segmentation a file");
  if (q->keyframe && q->state) return cli_misuse(argv[0], "--keyframe and --state exclude each other");
  if (q->png && !cli_ends_with(q->png, ".png"))
    return cli_misuse(argv[0], "--png: '%s' does not end with .png", q->png);
  const char* const arrays[2][2] = {{"depth", q->depth}, {"segmentation", q->segmentation}};
  for (int i = 0; i < 2; i++) {
    const char* path = arrays[i][1];
    if (path && !cli_ends_with(path, ".png") && !cli_ends_with(path, ".npy"))
      return cli_misuse(argv[0], "--%s: '%s' ends neither with .png nor with .npy", arrays[i][0], path);
  }
  return CLI_OK;
}

#ifdef CLI_HAS_RENDER

static int read_three(const char* option, const char* text, double out[3]) {
  char end;
  if (sscanf(text, "%lf,%lf,%lf%c", &out[0], &out[1], &out[2], &end) == 3 && isfinite(out[0]) &&
      isfinite(out[1]) && isfinite(out[2]))
    return CLI_OK;
  return cli_misuse("render", "--%s: '%s' is not three numbers with commas", option, text);
}

static int set_options(ctSceneOption* o, const char* list, bool on) {
  char name[64];
  ctError err;
  while (list && *list) {
    size_t n = strcspn(list, ",");
    snprintf(name, sizeof(name), "%.*s", (int)(n < sizeof(name) ? n : sizeof(name) - 1), list);
    if (ct_scene_option_set(o, name, on, &err) != CT_OK) return cli_misuse("render", "%s", err.message);
    list += n + (list[n] == ',');
  }
  return CLI_OK;
}

static int choose_camera(ctCamera* c, const ctModel* m, const Request* q) {
  ctError err;
  if (!q->camera) {
    ct_camera_default(m, c);
    bool held = q->azimuth_given || q->elevation_given || q->distance_given || q->lookat;
    if (held) ct_camera_find(m, "free", c, NULL);
  } else if (ct_camera_find(m, q->camera, c, &err) != CT_OK) {
    return cli_misuse("render", "%s", err.message);
  }
  if (q->azimuth_given) c->azimuth = (ctReal)q->azimuth;
  if (q->elevation_given) c->elevation = (ctReal)q->elevation;
  if (q->distance_given) c->distance = (ctReal)q->distance;
  if (q->lookat) {
    double at[3];
    int code = read_three("lookat", q->lookat, at);
    if (code != CLI_OK) return code;
    for (int k = 0; k < 3; k++) c->lookat[k] = (ctReal)at[k];
  }
  return CLI_OK;
}

// The camera's own size where it has one, with the other side by its aspect ratio when one is given.
static void choose_size(const ctModel* m, const ctCamera* c, const Request* q, int size[2]) {
  double width = 640, height = 480;
  if (c->kind == CT_CAMERA_FIXED && m->cam_resolution[2 * c->id] > 1 &&
      m->cam_resolution[2 * c->id + 1] > 1) {
    width = m->cam_resolution[2 * c->id];
    height = m->cam_resolution[2 * c->id + 1];
  }
  double ratio = width / height;
  if (q->width_given) width = (double)q->width, height = round(width / ratio);
  if (q->height_given) {
    height = (double)q->height;
    if (!q->width_given) width = round(height * ratio);
  }
  size[0] = (int)fmax(1, fmin(width, CT_RENDER_MAX_SIZE));
  size[1] = (int)fmax(1, fmin(height, CT_RENDER_MAX_SIZE));
}

static int reach_state(const ctModel* m, ctData* d, const Request* q) {
  ctError err = {0};
  if (q->keyframe) {
    int key = cli_find_keyframe(m, q->keyframe);
    if (key < 0)
      return cli_misuse("render", "there is no keyframe '%s', the model has %d", q->keyframe, m->nkey);
    ct_data_reset_keyframe(m, d, key);
  }
  if (q->state && ct_data_load(m, d, q->state, &err) != CT_OK) return cli_fail(&err);
  double steps = round(q->time / (double)m->opt.timestep);
  ctStatus status = CT_OK;
  while (steps >= 1 && status == CT_OK) {
    int n = (int)fmin(steps, 1e6);
    status = ct_step_n(m, d, n);
    steps -= n;
  }
  if (status == CT_OK) status = ct_forward(m, d);
  if (status == CT_OK || status == CT_STEP_SINGULAR) return CLI_OK;
  fprintf(stderr, "corten render: %s\n", ct_status_text(status));
  return CLI_FAILED;
}

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

// A colour for each object, black for nothing.
static int save_segmentation(const int* ids, const int size[2], const char* path) {
  cli_Picture picture = {
      .width = size[0], .height = size[1], .channels = 2, .bits = 8, .pixels = ids, .type = "<i4"};
  if (cli_ends_with(path, ".npy")) return cli_picture_save(&picture, path);
  size_t n = (size_t)size[0] * (size_t)size[1];
  unsigned char* rgb = calloc(n, 3);
  if (!rgb) return cli_fail(&(ctError){.status = CT_ERR_MEMORY, .message = "out of memory"});
  for (size_t i = 0; i < n; i++) {
    if (ids[2 * i] < 0) continue;
    unsigned x = (unsigned)ids[2 * i] * 31u + (unsigned)ids[2 * i + 1] + 1;
    for (int k = 0; k < 3; k++) {
      x = x * 1664525u + 1013904223u;
      rgb[3 * i + (size_t)k] = (unsigned char)(48 + (x >> 24) % 208);
    }
  }
  picture.channels = 3;
  picture.pixels = rgb;
  int code = cli_picture_save(&picture, path);
  free(rgb);
  return code;
}

static int draw(ctRenderer* r, const ctModel* m, const ctScene* s, const int size[2], const Request* q) {
  size_t n = (size_t)size[0] * (size_t)size[1];
  ctByte* rgb = malloc(3 * n);
  float* depth = malloc(n * sizeof(float));
  int* ids = malloc(2 * n * sizeof(int));
  ctError err = {0};
  int code = CLI_OK;
  if (!rgb || !depth || !ids) {
    code = cli_fail(&(ctError){.status = CT_ERR_MEMORY, .message = "out of memory"});
  } else {
    if (q->png) {
      const cli_Picture picture = {
          .width = size[0], .height = size[1], .channels = 3, .bits = 8, .pixels = rgb};
      if (ct_render_color(r, m, s, rgb, &err) != CT_OK) {
        code = cli_fail(&err);
      } else {
        code = cli_picture_save(&picture, q->png);
      }
    }
    if (code == CLI_OK && (q->depth || q->segmentation) &&
        ct_render_measure(r, m, s, depth, ids, &err) != CT_OK)
      code = cli_fail(&err);
    if (code == CLI_OK && q->depth) code = save_depth(depth, size, s->view.zfar, q->depth);
    if (code == CLI_OK && q->segmentation) code = save_segmentation(ids, size, q->segmentation);
  }
  free(rgb);
  free(depth);
  free(ids);
  return code;
}

static int render(const ctModel* m, const Request* q) {
  const char* const backends[] = {"auto", "egl", "osmesa"};
  ctRenderOption option = {.samples = (int)q->samples, .background = {0.72f, 0.78f, 0.85f}};
  double colour[3];
  if (q->background && read_three("background", q->background, colour) != CLI_OK) return CLI_MISUSE;
  for (int k = 0; q->background && k < 3; k++) option.background[k] = (float)colour[k];
  int backend = 0;
  while (q->backend && backend < 3 && strcmp(backends[backend], q->backend) != 0) backend++;
  if (backend == 3) return cli_misuse("render", "--backend: '%s' is none of auto, egl, osmesa", q->backend);
  option.backend = (ctRenderBackend)backend;

  ctSceneOption show;
  ctCamera camera;
  int size[2];
  ct_scene_option_default(&show);
  int code = set_options(&show, q->show, true);
  if (code == CLI_OK) code = set_options(&show, q->hide, false);
  if (code == CLI_OK) code = choose_camera(&camera, m, q);
  if (code != CLI_OK) return code;
  choose_size(m, &camera, q, size);

  ctData* d = NULL;
  ctScene* s = NULL;
  ctRenderer* r = NULL;
  ctError err = {0};
  if (ct_renderer_create(&r, m, size[0], size[1], &option, &err) != CT_OK ||
      ct_data_create(&d, m, &err) != CT_OK) {
    code = cli_fail(&err);
  } else {
    code = reach_state(m, d, q);
  }
  if (code == CLI_OK) {
    ctStatus status = ct_scene_create(&s, m);
    if (status == CT_OK) status = ct_scene_update(s, m, d, &show, &camera);
    if (status != CT_OK) {
      fprintf(stderr, "corten render: %s\n", ct_status_text(status));
      code = CLI_FAILED;
    }
  }
  if (code == CLI_OK) code = draw(r, m, s, size, q);
  ct_renderer_free(r);
  ct_scene_free(s);
  ct_data_free(d);
  return code;
}

int cli_draw_png(const ctModel* m, ctData* d, const char* path) {
  const ctRenderOption option = {.background = {0.72f, 0.78f, 0.85f}};
  const Request q = {.png = path};
  ctCamera camera;
  int size[2], code = CLI_FAILED;
  ctScene* s = NULL;
  ctRenderer* r = NULL;
  ctError err = {0};
  ct_camera_default(m, &camera);
  choose_size(m, &camera, &q, size);
  if (ct_renderer_create(&r, m, size[0], size[1], &option, &err) != CT_OK) {
    code = cli_fail(&err);
  } else if (ct_forward(m, d) != CT_OK || ct_scene_create(&s, m) != CT_OK ||
             ct_scene_update(s, m, d, NULL, &camera) != CT_OK) {
    fprintf(stderr, "corten: the state cannot be drawn\n");
  } else {
    code = draw(r, m, s, size, &q);
  }
  ct_renderer_free(r);
  ct_scene_free(s);
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
  Request q = {0};
  int code = read_request(&q, argc, argv);
  if (code != CLI_OK) return code;
  if (!cli_can_draw("render")) return CLI_FAILED;
#ifdef CLI_HAS_RENDER
  ctModel* m = NULL;
  code = cli_load(&m, q.path);
  if (code == CLI_OK) code = render(m, &q);
  ct_model_free(m);
#endif
  return code;
}
