// Textures: drawn by a formula, or read from files. They are for drawing only and enter no number of the
// physics.
#include <math.h>
#include <string.h>

#include "asset/image.h"
#include "base/files.h"
#include "compile/build.h"
#include "math/rng.h"

enum { BUILTIN_NONE, BUILTIN_GRADIENT, BUILTIN_CHECKER, BUILTIN_FLAT };
enum { MARK_NONE, MARK_EDGE, MARK_CROSS, MARK_RANDOM };

static unsigned char to_byte(double x) {
  return (unsigned char)(255 * (x < 0 ? 0 : (x > 1 ? 1 : x)));
}

static void put(unsigned char* pixel, const double rgb[3], int channels) {
  for (int k = 0; k < channels; k++) pixel[k] = k < 3 ? to_byte(rgb[k]) : 255;
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
  double w = s->builtin == BUILTIN_CHECKER ? (first ? 1 : 0) : (cube && face == 3 ? 0 : 1);
  if (s->builtin == BUILTIN_GRADIENT) {
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

static ctStatus draw(ctiBuild* b, const ctiTexture* s, ctiImage* out) {
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

const char* cti_asset_path(const ctiBuild* b, const ctiCompiler* c, const char* dir, const char* file) {
  if (c->strippath) file = cti_path_base(file);
  const char* folder = dir ? dir : c->assetdir;
  const char* path = folder ? cti_path_join(b->region, folder, file) : file;
  const char* model_dir = cti_path_dir(b->region, c->file);
  return path && model_dir ? cti_path_join(b->region, model_dir, path) : NULL;
}

static ctStatus read_png(ctiBuild* b, const ctiTexture* s, const char** path, ctiImage* out) {
  ctiFile bytes;
  CT_TRY(cti_read_asset(b, &s->head, cti_compiler_of(b->spec, &s->head)->texturedir, s->file, &bytes, path));
  ctError inner = {0};
  ctStatus status = cti_image_from_png(out, bytes.data, bytes.size, s->nchannel, *path, b->region, &inner);
  cti_file_release(&bytes, &b->spec->allocator);
  return status == CT_OK ? CT_OK : cti_spec_error(b->err, status, &s->head, "%s: %s", *path, inner.message);
}

static void flip(ctiImage* image, bool horizontal, bool vertical) {
  size_t n = (size_t)image->channels;
  for (int r = 0; r < image->height; r++) {
    for (int c = 0; c < image->width; c++) {
      int r2 = vertical ? image->height - 1 - r : r, c2 = horizontal ? image->width - 1 - c : c;
      size_t a = ((size_t)r * (size_t)image->width + (size_t)c) * n,
             z = ((size_t)r2 * (size_t)image->width + (size_t)c2) * n;
      if (a >= z) continue;
      for (size_t k = 0; k < n; k++) {
        unsigned char swap = image->data[a + k];
        image->data[a + k] = image->data[z + k];
        image->data[z + k] = swap;
      }
    }
  }
}

static ctStatus make(ctiBuild* b, const ctiTexture* s, const char** path, ctiImage* out) {
  if (s->nchannel < 1 || s->nchannel > 4)
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "nchannel is 1 to 4");
  if (s->builtin != BUILTIN_NONE) return draw(b, s, out);
  if (!s->file)
    return cti_spec_error(b->err, CT_ERR_UNSUPPORTED, &s->head,
                          "textures from separate cube files are not supported yet; give one file");
  CT_TRY(read_png(b, s, path, out));
  if (s->gridsize[0] != 1 || s->gridsize[1] != 1) {
    return cti_spec_error(b->err, CT_ERR_UNSUPPORTED, &s->head,
                          "textures with a grid of faces are not supported yet");
  }
  if (s->hflip || s->vflip) flip(out, s->hflip, s->vflip);
  return CT_OK;
}

ctStatus cti_pass_textures(ctiBuild* b) {
  int n = b->spec->textures.count;
  b->texture = CTI_NEW_ARRAY(b->region, ctiImage, n);
  b->texture_path = CTI_NEW_ARRAY(b->region, const char*, n);
  if (!b->texture || !b->texture_path) return cti_error_memory(b->err);
  for (int i = 0; i < n; i++) {
    CT_TRY(make(b, b->spec->textures.data[i], &b->texture_path[i], &b->texture[i]));
    b->sizes.ntexdata += (ctSize)b->texture[i].width * b->texture[i].height * b->texture[i].channels;
  }
  return CT_OK;
}

ctStatus cti_pass_fill_textures(ctiBuild* b) {
  ctModel* m = b->m;
  ctSize adr = 0;
  for (int i = 0; i < m->ntex; i++) {
    const ctiTexture* s = b->spec->textures.data[i];
    const ctiImage* image = &b->texture[i];
    size_t bytes = (size_t)image->width * (size_t)image->height * (size_t)image->channels;
    m->tex_type[i] = s->type;
    // a file that does not say is taken as linear
    bool unsaid = s->colorspace == CT_COLORSPACE_AUTO && s->file;
    m->tex_colorspace[i] = unsaid ? CT_COLORSPACE_LINEAR : s->colorspace;
    m->tex_height[i] = image->height;
    m->tex_width[i] = image->width;
    m->tex_nchannel[i] = image->channels;
    m->tex_adr[i] = adr;
    m->tex_pathadr[i] = m->tex_contenttypeadr[i] = -1;
    memcpy(m->tex_data + adr, image->data, bytes);
    adr += (ctSize)bytes;
  }
  return CT_OK;
}
