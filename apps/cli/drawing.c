#include "drawing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "output.h"

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

static int choose_camera(ctCamera* c, const ctModel* m, const cli_Look* q) {
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
static void choose_size(const ctModel* m, const ctCamera* c, const cli_Look* q, int size[2]) {
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

static int choose_renderer(ctRenderOption* option, const cli_Look* q) {
  const char* const backends[] = {"auto", "egl", "osmesa"};
  *option = (ctRenderOption){.samples = (int)q->samples, .background = {0.72f, 0.78f, 0.85f}};
  double colour[3];
  if (q->background && read_three("background", q->background, colour) != CLI_OK) return CLI_MISUSE;
  for (int k = 0; q->background && k < 3; k++) option->background[k] = (float)colour[k];
  int backend = 0;
  while (q->backend && backend < 3 && strcmp(backends[backend], q->backend) != 0) backend++;
  if (backend == 3) return cli_misuse("render", "--backend: '%s' is none of auto, egl, osmesa", q->backend);
  option->backend = (ctRenderBackend)backend;
  return CLI_OK;
}

int cli_drawing_open(cli_Drawing* w, const ctModel* m, const cli_Look* look) {
  *w = (cli_Drawing){.m = m};
  ctRenderOption option;
  ctError err = {0};
  int size[2];
  ct_scene_option_default(&w->show);
  int code = choose_renderer(&option, look);
  if (code == CLI_OK) code = set_options(&w->show, look->show, true);
  if (code == CLI_OK) code = set_options(&w->show, look->hide, false);
  if (code == CLI_OK) code = choose_camera(&w->camera, m, look);
  if (code != CLI_OK) return code;
  choose_size(m, &w->camera, look, size);
  w->width = size[0];
  w->height = size[1];
  w->rgb = malloc(3 * (size_t)size[0] * (size_t)size[1]);
  if (!w->rgb || ct_scene_create(&w->scene, m) != CT_OK)
    return cli_fail(&(ctError){.status = CT_ERR_MEMORY, .message = "out of memory"});
  return ct_renderer_create(&w->renderer, m, size[0], size[1], &option, &err) == CT_OK ? CLI_OK
                                                                                       : cli_fail(&err);
}

void cli_drawing_close(cli_Drawing* w) {
  ct_renderer_free(w->renderer);
  ct_scene_free(w->scene);
  free(w->rgb);
  *w = (cli_Drawing){0};
}

int cli_drawing_see(cli_Drawing* w, const ctData* d) {
  ctStatus status = ct_scene_update(w->scene, w->m, d, &w->show, &w->camera);
  if (status == CT_OK) return CLI_OK;
  fprintf(stderr, "corten render: %s\n", ct_status_text(status));
  return CLI_FAILED;
}

int cli_drawing_color(cli_Drawing* w, const ctData* d) {
  ctError err = {0};
  int code = cli_drawing_see(w, d);
  if (code != CLI_OK) return code;
  return ct_render_color(w->renderer, w->m, w->scene, w->rgb, &err) == CT_OK ? CLI_OK : cli_fail(&err);
}
