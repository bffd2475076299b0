// A model on its way to pictures: camera, what is shown, renderer.
#pragma once

#include <corten/corten.h>
#include <corten/render.h>
#include <stdbool.h>

#include "options.h"

/// How a picture is to look, as the command line says it.
typedef struct {
  const char *camera, *show, *hide, *lookat, *backend, *background;
  double azimuth, elevation, distance;
  bool azimuth_given, elevation_given, distance_given;
  long long width, height, samples;
  bool width_given, height_given;
} cli_Look;

/// The rows of a table of options for it.
#define OPT_LOOK(q)                                                                                          \
  OPT_INT("width", "N", &(q)->width, "pixels (default: the camera's, else 640)", .given = &(q)->width_given, \
          .min = 1, .max = 16384),                                                                           \
      OPT_INT("height", "N", &(q)->height, "pixels (default: the camera's, else 480)",                       \
              .given = &(q)->height_given, .min = 1, .max = 16384),                                          \
      OPT_TEXT("camera", "C", &(q)->camera, "a name or a number, free, or track:BODY"),                      \
      OPT_REAL("azimuth", "DEG", &(q)->azimuth, "of the free or tracking camera; 0 looks along x",           \
               .given = &(q)->azimuth_given),                                                                \
      OPT_REAL("elevation", "DEG", &(q)->elevation, "likewise; negative looks down",                         \
               .given = &(q)->elevation_given),                                                              \
      OPT_REAL("distance", "M", &(q)->distance, "likewise, from what it looks at",                           \
               .given = &(q)->distance_given, .min = 1e-6, .max = 1e9),                                      \
      OPT_TEXT("lookat", "X,Y,Z", &(q)->lookat, "what the free camera looks at"),                            \
      OPT_TEXT("show", "LIST", &(q)->show, "contactforce,joint,frame:body,label:geom,geomgroup:3, ..."),     \
      OPT_TEXT("hide", "LIST", &(q)->hide, "shadow,skybox,tendon,static,geomgroup:0, ..."),                  \
      OPT_INT("samples", "N", &(q)->samples, "samples per pixel, 0: what the model says", .min = 0,          \
              .max = 64),                                                                                    \
      OPT_TEXT("background", "R,G,B", &(q)->background,                                                      \
               "colour where there is no sky, 0 to 1 (default 0.72,0.78,0.85)"),                             \
      OPT_TEXT("backend", "B", &(q)->backend, "auto, egl or osmesa")

typedef struct {
  const ctModel* m;
  ctRenderer* renderer;
  ctScene* scene;
  ctSceneOption show;
  ctCamera camera;
  int width, height;
  unsigned char* rgb;  // of the last picture
} cli_Drawing;

/// @return CLI_OK, CLI_MISUSE or CLI_FAILED with a line on stderr; close it in any case
int cli_drawing_open(cli_Drawing* w, const ctModel* m, const cli_Look* look);
void cli_drawing_close(cli_Drawing* w);

/// List what there is to see of `d`, which has positions; then draw it into `rgb`.
/// @return CLI_OK, or CLI_FAILED with a line on stderr
int cli_drawing_see(cli_Drawing* w, const ctData* d);
int cli_drawing_color(cli_Drawing* w, const ctData* d);
