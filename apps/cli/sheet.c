#define _XOPEN_SOURCE 700  // nftw
#include "sheet.h"

#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "output.h"
#include "picture.h"
#include "stop.h"
#ifdef CLI_HAS_CAIRO
#include <cairo/cairo.h>
#endif

enum { MOST_MODELS = 2000, CAPTION = 18, WIDTH = 240, HEIGHT = 180 };

// ---- the models of a folder

// nftw() has no context.
static char** found;
static int nfound;

// MJCF and URDF by their root element; parts that other files include are not models of their own.
static bool is_model(const char* path) {
  char text[4096];
  FILE* file = fopen(path, "rb");
  if (!file) return false;
  size_t n = fread(text, 1, sizeof(text) - 1, file);
  fclose(file);
  text[n] = 0;
  return strstr(text, "<mujoco") || strstr(text, "<robot");
}

static int look_at_file(const char* path, const struct stat* seen, int kind, struct FTW* where) {
  (void)seen, (void)where;
  bool named = cli_ends_with(path, ".xml") || cli_ends_with(path, ".urdf") || cli_ends_with(path, ".ctb");
  if (kind != FTW_F || !named || nfound == MOST_MODELS) return 0;
  if (!cli_ends_with(path, ".ctb") && !is_model(path)) return 0;
  char* copy = malloc(strlen(path) + 1);
  if (!copy) return 1;
  strcpy(copy, path);
  found[nfound++] = copy;
  return 0;
}

static int by_name(const void* a, const void* b) {
  return strcmp(*(char* const*)a, *(char* const*)b);
}

// ---- the sheet

typedef struct {
  unsigned char* rgb;
  int width, height;     // of all
  int columns, cell[2];  // of one, its caption included
} Sheet;

static unsigned char* pixel(const Sheet* s, int x, int y) {
  return s->rgb + 3 * ((size_t)y * (size_t)s->width + (size_t)x);
}

static void place(const Sheet* s, int i, const cli_Drawing* w) {
  int x = i % s->columns * s->cell[0], y = i / s->columns * s->cell[1];
  for (int row = 0; row < w->height; row++)
    memcpy(pixel(s, x, y + row), w->rgb + 3 * (size_t)row * (size_t)w->width, 3 * (size_t)w->width);
}

// Text below a picture; without cairo there is none.
static void write_text(const Sheet* s, int i, int line, const char* text) {
#ifdef CLI_HAS_CAIRO
  int x = i % s->columns * s->cell[0],
      y = i / s->columns * s->cell[1] + s->cell[1] - CAPTION - line * CAPTION;
  cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_A8, s->cell[0], CAPTION);
  cairo_t* c = cairo_create(surface);
  cairo_select_font_face(c, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(c, 12);
  cairo_text_extents_t extents;
  cairo_text_extents(c, text, &extents);
  // the end of a long name says more than its beginning
  cairo_move_to(c, line == 0 ? fmin(4, s->cell[0] - 4 - extents.x_advance) : 4, 13);
  cairo_show_text(c, text);
  cairo_destroy(c);
  cairo_surface_flush(surface);
  const unsigned char* grey = cairo_image_surface_get_data(surface);
  int stride = cairo_image_surface_get_stride(surface);
  for (int row = 0; row < CAPTION && grey; row++) {
    for (int column = 0; column < s->cell[0]; column++) {
      unsigned char* at = pixel(s, x + column, y + row);
      for (int k = 0; k < 3; k++) at[k] = (unsigned char)(at[k] * (255 - grey[row * stride + column]) / 255);
    }
  }
  cairo_surface_destroy(surface);
#else
  (void)s, (void)i, (void)line, (void)text;
#endif
}

// One model on its place; returns whether it could be drawn.
static bool draw_one(const Sheet* s, int i, const char* path, const cli_Look* look, int skip) {
  ctModel* m = NULL;
  ctData* d = NULL;
  cli_Drawing w = {0};
  ctError err = {0};
  cli_Look own = *look;
  own.width = s->cell[0];
  own.height = s->cell[1] - CAPTION;
  own.width_given = own.height_given = true;
  ctLoadOptions options = {0};
  bool good = cli_load_options(&options, &err) == CT_OK && ct_model_load(&m, path, &options, &err) == CT_OK &&
              ct_data_create(&d, m, &err) == CT_OK;
  if (good && m->nkey > 0 && !look->camera) ct_data_reset_keyframe(m, d, 0);  // as its maker wants it seen
  if (good) (void)ct_forward(m, d);
  bool drawn = good && cli_drawing_open(&w, m, &own) == CLI_OK && cli_drawing_color(&w, d) == CLI_OK;
  if (drawn) place(s, i, &w);
  write_text(s, i, 0, path + skip);
  if (!good) write_text(s, i, 2, err.message);
  cli_drawing_close(&w);
  ct_data_free(d);
  ct_model_free(m);
  return drawn;
}

static int draw_all(const char* folder, const char* path, const cli_Look* look) {
  Sheet s = {.columns = (int)ceil(sqrt((double)nfound)),
             .cell = {look->width_given ? (int)look->width : WIDTH,
                      (look->height_given ? (int)look->height : HEIGHT) + CAPTION}};
  s.width = s.columns * s.cell[0];
  s.height = (nfound + s.columns - 1) / s.columns * s.cell[1];
  size_t bytes = 3 * (size_t)s.width * (size_t)s.height;
  s.rgb = malloc(bytes);
  if (!s.rgb) return cli_fail(&(ctError){.status = CT_ERR_MEMORY, .message = "out of memory"});
  memset(s.rgb, 255, bytes);
  int drawn = 0, skip = (int)strlen(folder) + !cli_ends_with(folder, "/");
  cli_stop_listen();
  for (int i = 0; i < nfound && !cli_stop_asked(); i++) drawn += draw_one(&s, i, found[i], look, skip);
  const cli_Picture picture = {
      .width = s.width, .height = s.height, .channels = 3, .bits = 8, .pixels = s.rgb};
  int code = cli_stop_asked() ? CLI_STOPPED : cli_picture_save(&picture, path);
  if (code == CLI_OK) printf("%s: %d models, %d drawn\n", path, nfound, drawn);
  free(s.rgb);
  return code;
}

int cli_sheet_save(const char* folder, const char* path, const cli_Look* look) {
  found = calloc(MOST_MODELS, sizeof(char*));
  nfound = 0;
  if (!found) return cli_fail(&(ctError){.status = CT_ERR_MEMORY, .message = "out of memory"});
  int code = CLI_FAILED;
  if (nftw(folder, look_at_file, 16, FTW_PHYS) != 0 || nfound == 0) {
    fprintf(stderr, "corten render: %s: there are no models\n", folder);
  } else {
    qsort(found, (size_t)nfound, sizeof(char*), by_name);
    code = draw_all(folder, path, look);
  }
  for (int i = 0; i < nfound; i++) free(found[i]);
  free(found);
  return code;
}
