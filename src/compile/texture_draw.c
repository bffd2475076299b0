// Textures drawn by a formula: gradients, checkers and flat colours, with marks on them.
#include <math.h>
#include <string.h>

#include "compile/textures.h"
#include "math/mersenne.h"

unsigned char cti_color_byte(double x) {
  return (unsigned char)(255 * (x < 0 ? 0 : (x > 1 ? 1 : x)));
}

// ---- colours

// A mixture of the two colours, `w` of the first.
static void put(unsigned char* pixel, const ctiTexture* s, double w) {
  for (int k = 0; k < s->nchannel; k++)
    pixel[k] = k < 3 ? cti_color_byte(w * s->rgb1[k] + (1 - w) * s->rgb2[k]) : 255;
}

// Place of a pixel on a face, from -1 to 1.
static double place(int i, int n) {
  return n > 1 ? 2.0 * i / (n - 1) - 1 : 0;
}

// Weight of the first colour at a height from -1 to 1.
static double weight(double pos) {
  pos = pos < -1 ? -1 : (pos > 1 ? 1 : pos);
  return 0.5 + 0.5 * pos * sqrt(2 / (1 + pos * pos));
}

// Flat pictures: by the distance from the middle.
static void gradient_flat(const ctiTexture* s, unsigned char* at, int width, int height) {
  for (int r = 0; r < height; r++) {
    for (int c = 0; c < width; c++, at += s->nchannel) {
      double x = place(c, width), y = place(r, height);
      put(at, s, weight(1 - 2 * sqrt(x * x + y * y)));
    }
  }
}

// Height of the direction in which a pixel of a cube looks.
static double height_of(double up, double away) {
  return atan2(up, away) / (CTI_PI / 2);
}

static void gradient_side(const ctiTexture* s, unsigned char* at, int n, const double* away) {
  for (int r = 0; r < n; r++) {
    for (int c = 0; c < n; c++, at += s->nchannel) put(at, s, weight(height_of(-place(r, n), away[c])));
  }
}

// Top and bottom are each other's negative, and the same across their diagonal.
static void gradient_caps(const ctiTexture* s, unsigned char* up, unsigned char* down, int n) {
  for (int r = 0; r < n; r++) {
    for (int c = 0; c <= r; c++) {
      double x = place(c, n), y = place(r, n), pos = height_of(1, sqrt(x * x + y * y));
      size_t here = (size_t)(r * n + c) * (size_t)s->nchannel,
             there = (size_t)(c * n + r) * (size_t)s->nchannel;
      put(up + here, s, weight(pos));
      put(down + here, s, weight(-pos));
      memcpy(up + there, up + here, (size_t)s->nchannel);
      memcpy(down + there, down + here, (size_t)s->nchannel);
    }
  }
}

// Faces are right, left, up, down, front, back; the four sides look the same.
static ctStatus gradient_cube(ctiBuild* b, const ctiTexture* s, unsigned char* data, int n) {
  const size_t face = (size_t)n * (size_t)n * (size_t)s->nchannel;
  double* away = CTI_NEW_ARRAY(b->region, double, n);
  if (!away) return cti_error_memory(b->err);
  for (int c = 0; c < n; c++) away[c] = sqrt(1 + place(c, n) * place(c, n));
  gradient_side(s, data, n, away);
  static const int same[] = {1, 4, 5};
  for (int i = 0; i < 3; i++) memcpy(data + (size_t)same[i] * face, data, face);
  gradient_caps(s, data + 2 * face, data + 3 * face, n);
  return CT_OK;
}

// Checkers and flat colours: every pixel is one of the two. The last two of the six faces show the checker
// the other way round, and the bottom is flat in the second colour.
static void two_colours(const ctiTexture* s, unsigned char* at, int width, int height, bool cube, int face) {
  unsigned char colour[2][4];
  put(colour[0], s, 0);
  put(colour[1], s, 1);
  for (int r = 0; r < height; r++) {
    for (int c = 0; c < width; c++, at += s->nchannel) {
      bool first = ((2 * r < height) == (2 * c < width)) != (cube && face >= 4);
      if (s->builtin != CTI_PICTURE_CHECKER) first = !(cube && face == 3);
      memcpy(at, colour[first], (size_t)s->nchannel);
    }
  }
}

// ---- marks

bool cti_mark_covers(int mark, int row, int col, int width, int height) {
  if (mark == CTI_MARK_EDGE) return row == 0 || col == 0 || row == height - 1 || col == width - 1;
  return mark == CTI_MARK_CROSS && (row == height / 2 || col == width / 2);
}

// Random marks take their numbers in the order of the pixels, over all faces.
static bool is_marked(const ctiTexture* s, int row, int col, int width, int height, ctiMersenne* random) {
  if (s->mark != CTI_MARK_RANDOM) return cti_mark_covers(s->mark, row, col, width, height);
  return cti_mersenne_uniform(random) < s->random;
}

static void draw_marks(const ctiTexture* s, unsigned char* at, int width, int height, ctiMersenne* random) {
  for (int r = 0; r < height; r++) {
    for (int c = 0; c < width; c++, at += s->nchannel) {
      if (!is_marked(s, r, c, width, height, random)) continue;
      for (int k = 0; k < s->nchannel && k < 3; k++) at[k] = cti_color_byte(s->markrgb[k]);
    }
  }
}

ctStatus cti_texture_draw(ctiBuild* b, const ctiTexture* s, ctiImage* out) {
  bool cube = s->type != CT_TEXTURE_2D, gradient = s->builtin == CTI_PICTURE_GRADIENT;
  int side = s->width, height = cube ? s->width : s->height, faces = cube ? 6 : 1;
  if (side <= 0 || height <= 0)
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "a builtin texture needs width and height");
  const int most = 1 << 15;
  if (side > most || height > most)
    return cti_spec_error(b->err, CT_ERR_LIMIT, &s->head, "width and height are at most %d", most);
  const size_t face = (size_t)side * (size_t)height * (size_t)s->nchannel;
  *out = (ctiImage){.width = side, .height = height * faces, .channels = s->nchannel};
  out->data = cti_region_alloc(b->region, face * (size_t)faces, 1);
  if (!out->data) return cti_error_memory(b->err);
  if (gradient && cube) CT_TRY(gradient_cube(b, s, out->data, side));
  if (gradient && !cube) gradient_flat(s, out->data, side, height);
  ctiMersenne random;
  cti_mersenne_start(&random, CTI_MARK_SEED);
  for (int f = 0; f < faces; f++) {
    unsigned char* at = out->data + (size_t)f * face;
    if (!gradient) two_colours(s, at, side, height, cube, f);
    if (s->mark != CTI_MARK_NONE) draw_marks(s, at, side, height, &random);
  }
  return CT_OK;
}
