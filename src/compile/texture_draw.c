// Textures drawn by a formula: gradients, checkers and flat colours, with marks on them.
#include <math.h>

#include "compile/textures.h"
#include "math/rng.h"

enum { MARK_NONE, MARK_EDGE, MARK_CROSS, MARK_RANDOM };

unsigned char cti_color_byte(double x) {
  return (unsigned char)(255 * (x < 0 ? 0 : (x > 1 ? 1 : x)));
}

static void put(unsigned char* pixel, const double rgb[3], int channels) {
  for (int k = 0; k < channels; k++) pixel[k] = k < 3 ? cti_color_byte(rgb[k]) : 255;
}

// Weight of the first colour at a place of a face, both coordinates from -1 to 1: by the distance from the
// middle, or by the height of the direction the pixel looks in.
static double gradient_weight(double x, double y, bool cube, int face) {
  double pos;
  if (!cube) {
    pos = 1 - 2 * sqrt(x * x + y * y);
  } else {
    // faces are right, left, up, down, front, back
    double up = face == 2 ? 1 : (face == 3 ? -1 : -y),
           far = face == 2 || face == 3 ? x * x + y * y : 1 + x * x;
    pos = atan2(up, sqrt(far)) / (CTI_PI / 2);
  }
  pos = pos < -1 ? -1 : (pos > 1 ? 1 : pos);
  return 0.5 + 0.5 * pos * sqrt(2 / (1 + pos * pos));
}

static void draw_pixel(const ctiTexture* s, unsigned char* pixel, int row, int col, int width, int height,
                       bool cube, int face) {
  double rgb[3];
  // the last of the six faces shows the checker the other way round, and the bottom is flat in the second
  // colour
  bool first = ((2 * row < height) == (2 * col < width)) != (cube && face >= 4);
  double w = s->builtin == CTI_PICTURE_CHECKER ? (first ? 1 : 0) : (cube && face == 3 ? 0 : 1);
  if (s->builtin == CTI_PICTURE_GRADIENT) {
    double x = width > 1 ? 2.0 * col / (width - 1) - 1 : 0, y = height > 1 ? 2.0 * row / (height - 1) - 1 : 0;
    w = gradient_weight(x, y, cube, face);
  }
  for (int k = 0; k < 3; k++) rgb[k] = w * s->rgb1[k] + (1 - w) * s->rgb2[k];
  bool edge = row == 0 || col == 0 || row == height - 1 || col == width - 1;
  bool cross = row == height / 2 || col == width / 2;
  bool marked = (s->mark == MARK_EDGE && edge) || (s->mark == MARK_CROSS && cross);
  if (s->mark == MARK_RANDOM) {
    ctiRngKey key = {.seed = 1, .stream = (uint32_t)face};
    ctReal chance[2];
    cti_rng_uniform2(chance, &key, (uint32_t)(row * width + col));
    marked = (double)chance[0] < s->random;
  }
  put(pixel, marked ? s->markrgb : rgb, s->nchannel);
}

ctStatus cti_texture_draw(ctiBuild* b, const ctiTexture* s, ctiImage* out) {
  bool cube = s->type != CT_TEXTURE_2D;
  int side = s->width, height = cube ? s->width : s->height, faces = cube ? 6 : 1;
  if (side <= 0 || height <= 0)
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "a builtin texture needs width and height");
  *out = (ctiImage){
      side, height * faces, s->nchannel,
      cti_region_alloc(b->region, (size_t)side * (size_t)height * (size_t)(faces * s->nchannel), 1)};
  if (!out->data) return cti_error_memory(b->err);
  for (int f = 0; f < faces; f++) {
    for (int r = 0; r < height; r++) {
      for (int c = 0; c < side; c++) {
        draw_pixel(s, out->data + ((size_t)(f * height + r) * (size_t)side + (size_t)c) * (size_t)s->nchannel,
                   r, c, side, height, cube, f);
      }
    }
  }
  return CT_OK;
}
