// Textures from files: one picture, a grid with the sides of a cube in its cells, or a picture a side.
#include <string.h>
#include <strings.h>

#include "compile/textures.h"

// Sides of a cube in the order they are stored.
#define NSIDE 6
static const char side_letters[NSIDE + 1] = "RLUDFB";

static ctStatus fail(const ctiBuild* b, const ctiTexture* s, const char* what) {
  return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "%s", what);
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

enum { FORMAT_UNKNOWN, FORMAT_PNG, FORMAT_KTX };

// The content type decides, or else the ending of the name.
static int format_of(const ctiTexture* s, const char* file) {
  if (s->content_type && *s->content_type) {
    if (strcmp(s->content_type, "image/png") == 0) return FORMAT_PNG;
    return strcmp(s->content_type, "image/ktx") == 0 ? FORMAT_KTX : FORMAT_UNKNOWN;
  }
  const char* ending = cti_path_extension(file);
  if (strcasecmp(ending, "png") == 0) return FORMAT_PNG;
  return strcasecmp(ending, "ktx") == 0 ? FORMAT_KTX : FORMAT_UNKNOWN;
}

// A KTX file is kept as it is, as one row of bytes: its reader is the one who draws.
static ctStatus keep_bytes(ctiBuild* b, const ctiFile* file, ctiImage* out) {
  *out = (ctiImage){.width = (int)file->size, .height = 1, .channels = 1};
  out->data = cti_region_alloc(b->region, file->size, 1);
  if (!out->data) return cti_error_memory(b->err);
  memcpy(out->data, file->data, file->size);
  return CT_OK;
}

static ctStatus read_picture(ctiBuild* b, const ctiTexture* s, const char* name, const char** path,
                             ctiImage* out) {
  int format = format_of(s, name);
  if (format == FORMAT_UNKNOWN) {
    return cti_spec_error(
        b->err, CT_ERR_INVALID, &s->head,
        "\"%s\": pictures are PNG or KTX files; give content_type=\"image/png\" if the name "
        "does not end so",
        name);
  }
  if (format == FORMAT_PNG && s->nchannel != 1 && s->nchannel != 3 && s->nchannel != 4)
    return fail(b, s, "nchannel of a picture is 1, 3 or 4");
  ctiFile bytes;
  CT_TRY(cti_read_asset(b, &s->head, cti_compiler_of(b->spec, &s->head)->texturedir, name, &bytes, path));
  ctError inner = {0};
  ctStatus status = format == FORMAT_KTX ? keep_bytes(b, &bytes, out)
                                         : cti_image_from_png(out, bytes.data, bytes.size, s->nchannel, *path,
                                                              b->region, &inner);
  cti_file_release(&bytes, &b->spec->allocator);
  if (status != CT_OK) return cti_spec_error(b->err, status, &s->head, "%s: %s", *path, inner.message);
  if (format == FORMAT_PNG && (s->hflip || s->vflip)) flip(out, s->hflip, s->vflip);
  return CT_OK;
}

// A cube of six sides in the first colour.
static ctStatus blank_cube(ctiBuild* b, const ctiTexture* s, int side, ctiImage* out) {
  size_t pixels = (size_t)side * (size_t)side * NSIDE;
  *out = (ctiImage){.width = side, .height = NSIDE * side, .channels = 3};
  out->data = cti_region_alloc(b->region, 3 * pixels, 1);
  if (!out->data) return cti_error_memory(b->err);
  for (size_t i = 0; i < 3 * pixels; i++) out->data[i] = cti_color_byte(s->rgb1[i % 3]);
  return CT_OK;
}

// Copy the square at (row, column) of a picture to a side of a cube.
static void copy_side(ctiImage* cube, int side, const ctiImage* from, int row, int column) {
  size_t width = (size_t)cube->width, line = 3 * width;
  for (size_t r = 0; r < width; r++) {
    const unsigned char* source = from->data + 3 * (((size_t)row + r) * (size_t)from->width + (size_t)column);
    memcpy(cube->data + ((size_t)side * width + r) * line, source, line);
  }
}

static bool is_grid(const ctiTexture* s) {
  return s->type != CT_TEXTURE_2D && (s->gridsize[0] != 1 || s->gridsize[1] != 1);
}

static ctStatus check_grid(const ctiBuild* b, const ctiTexture* s) {
  int rows = s->gridsize[0], columns = s->gridsize[1];
  if (rows < 1 || columns < 1 || rows > 12 || columns > 12 || rows * columns > 12)
    return fail(b, s, "gridsize is two positive numbers with a product of at most 12");
  if (!s->gridlayout) return CT_OK;
  if (strlen(s->gridlayout) != (size_t)(rows * columns))
    return fail(b, s, "gridlayout needs one letter for each cell of gridsize");
  if (strspn(s->gridlayout, ".RLUDFB") != (size_t)(rows * columns))
    return fail(b, s, "gridlayout is made of the letters R, L, U, D, F, B and of dots for unused cells");
  return CT_OK;
}

static ctStatus cut_grid(ctiBuild* b, const ctiTexture* s, const ctiImage* picture, ctiImage* out) {
  int side = picture->width / s->gridsize[1];
  CT_TRY(blank_cube(b, s, side, out));
  out->srgb = picture->srgb;
  for (int i = 0; s->gridlayout && s->gridlayout[i]; i++) {
    const char* letter = strchr(side_letters, s->gridlayout[i]);
    if (letter)
      copy_side(out, (int)(letter - side_letters), picture, i / s->gridsize[1] * side,
                i % s->gridsize[1] * side);
  }
  return CT_OK;
}

static ctStatus read_single(ctiBuild* b, const ctiTexture* s, const char** path, ctiImage* out) {
  bool cube = s->type != CT_TEXTURE_2D;
  if (is_grid(s)) CT_TRY(check_grid(b, s));
  CT_TRY(read_picture(b, s, s->file, path, out));
  if (!cube) return CT_OK;
  if (out->channels != 3) return fail(b, s, "cube and skybox textures have nchannel=\"3\"");
  int rows = s->gridsize[0], columns = s->gridsize[1];
  if (out->height % rows || out->width % columns || out->height / rows != out->width / columns) {
    return cti_spec_error(
        b->err, CT_ERR_INVALID, &s->head,
        "%s has %d x %d pixels: the sides of a cube are squares, %d x %d of them by gridsize", *path,
        out->width, out->height, columns, rows);
  }
  ctiImage picture = *out;
  return is_grid(s) ? cut_grid(b, s, &picture, out) : CT_OK;
}

static ctStatus read_sides(ctiBuild* b, const ctiTexture* s, ctiImage* out) {
  const char* const files[NSIDE] = {s->fileright, s->fileleft,  s->fileup,
                                    s->filedown,  s->filefront, s->fileback};
  if (s->type == CT_TEXTURE_2D) return fail(b, s, "a 2d texture needs file or builtin");
  if (s->nchannel != 3) return fail(b, s, "cube and skybox textures have nchannel=\"3\"");
  bool blank = true;
  for (int i = 0; i < NSIDE; i++) {
    if (!files[i]) continue;
    const char* path;
    ctiImage side;
    CT_TRY(read_picture(b, s, files[i], &path, &side));
    if (side.channels != 3 || side.width != side.height) {
      return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                            "%s: the side of a cube is a square PNG picture", path);
    }
    if (blank) {
      CT_TRY(blank_cube(b, s, side.width, out));
      out->srgb = side.srgb;  // the first speaks for all
    }
    blank = false;
    if (side.width != out->width) {
      return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                            "%s has %d pixels a side, the sides before it %d", path, side.width, out->width);
    }
    copy_side(out, i, &side, 0, 0);
  }
  return blank ? fail(b, s, "a texture needs file, builtin, or files for the sides of a cube") : CT_OK;
}

// Why the pixels have to be in the model; NULL when they can be left in the file.
static const char* must_embed(const ctiBuild* b, const ctiTexture* s, const char* path) {
  if (!s->file) return "it is made of several files";
  if (s->hflip || s->vflip) return "it is flipped";
  if (is_grid(s)) return "it is cut from a grid";
  return cti_file_in_memory(b->spec->vfs, path) ? "its file is in memory" : NULL;
}

ctStatus cti_texture_read(ctiBuild* b, const ctiTexture* s, const char** path, ctiImage* out) {
  bool wanted = s->embed == CTI_FALSE || (s->embed == CTI_AUTO && b->spec->compiler.passthrough);
  if (wanted) {
    const ctiCompiler* c = cti_compiler_of(b->spec, &s->head);
    const char* joined = s->file ? cti_asset_path(b->region, c, &s->head, c->texturedir, s->file) : NULL;
    const char* full = joined ? cti_path_normalise(b->region, joined) : NULL;
    if (s->file && !full) return cti_error_memory(b->err);
    const char* reason = must_embed(b, s, full);
    if (!reason) {
      *path = full;
      *out = (ctiImage){.channels = s->nchannel};
      return CT_OK;
    }
    if (s->embed == CTI_FALSE) {
      return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                            "the texture cannot be left in its file, for %s; remove embed=\"false\"", reason);
    }
  }
  return s->file ? read_single(b, s, path, out) : read_sides(b, s, out);
}
