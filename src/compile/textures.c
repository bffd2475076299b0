// Textures, drawn by a formula or read from files, and materials. They are for drawing only and enter no
// number of the physics.
#include "compile/textures.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/files.h"
#include "math/mersenne.h"

// A colour from 0 to 1 as a byte.
static unsigned char color_byte(double x) {
  return (unsigned char)(255 * (x < 0 ? 0 : (x > 1 ? 1 : x)));
}

// ---- colours

// A formula draws gradients, checkers and flat colours, with marks on them.

// A mixture of the two colours, `w` of the first.
static void put(unsigned char* pixel, const ctiTexture* s, double w) {
  for (int k = 0; k < s->nchannel; k++)
    pixel[k] = k < 3 ? color_byte(w * s->rgb1[k] + (1 - w) * s->rgb2[k]) : 255;
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
      for (int k = 0; k < s->nchannel && k < 3; k++) at[k] = color_byte(s->markrgb[k]);
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

// ---- from files

// One picture, a grid with the sides of a cube in its cells, or a picture a side.

// Sides of a cube in the order they are stored.
#define NSIDE 6
static const char side_letters[NSIDE + 1] = "RLUDFB";

static ctStatus refuse_file(const ctiBuild* b, const ctiTexture* s, const char* what) {
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
    return refuse_file(b, s, "nchannel of a picture is 1, 3 or 4");
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
  for (size_t i = 0; i < 3 * pixels; i++) out->data[i] = color_byte(s->rgb1[i % 3]);
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
    return refuse_file(b, s, "gridsize is two positive numbers with a product of at most 12");
  if (!s->gridlayout) return CT_OK;
  if (strlen(s->gridlayout) != (size_t)(rows * columns))
    return refuse_file(b, s, "gridlayout needs one letter for each cell of gridsize");
  if (strspn(s->gridlayout, ".RLUDFB") != (size_t)(rows * columns))
    return refuse_file(b, s,
                       "gridlayout is made of the letters R, L, U, D, F, B and of dots for unused cells");
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
  if (out->channels != 3) return refuse_file(b, s, "cube and skybox textures have nchannel=\"3\"");
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
  if (s->type == CT_TEXTURE_2D) return refuse_file(b, s, "a 2d texture needs file or builtin");
  if (s->nchannel != 3) return refuse_file(b, s, "cube and skybox textures have nchannel=\"3\"");
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
  return blank ? refuse_file(b, s, "a texture needs file, builtin, or files for the sides of a cube") : CT_OK;
}

// Why the pixels have to be in the model; NULL when they can be left in the file.
static const char* must_embed(const ctiBuild* b, const ctiTexture* s, const char* path) {
  if (!s->file) return "it is made of several files";
  if (s->hflip || s->vflip) return "it is flipped";
  if (is_grid(s)) return "it is cut from a grid";
  return cti_file_in_memory(b->spec->vfs, path) ? "its file is in memory" : NULL;
}

// The picture of a texture made from one file or from a file a side; `path` is that of the single file, NULL
// for others. A texture left by reference has no pixels.
static ctStatus read_texture(ctiBuild* b, const ctiTexture* s, const char** path, ctiImage* out) {
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

// ---- all of them

static ctStatus make(ctiBuild* b, const ctiTexture* s, const char** path, ctiImage* out) {
  if (s->nchannel < 1 || s->nchannel > 4)
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "nchannel is 1 to 4");
  if (s->builtin == CTI_PICTURE_NONE) return read_texture(b, s, path, out);
  if (s->nchannel != 3)
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "a builtin texture has nchannel=\"3\"");
  if (s->embed == CTI_FALSE) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          "a builtin texture is always part of the model; remove embed=\"false\"");
  }
  return cti_texture_draw(b, s, out);
}

ctStatus cti_pass_textures(ctiBuild* b) {
  int n = b->spec->textures.count;
  b->texture = CTI_NEW_ARRAY(b->region, ctiImage, n);
  b->texture_path = CTI_NEW_ARRAY(b->region, const char*, n);
  if (!b->texture || !b->texture_path) return cti_error_memory(b->err);
  for (int i = 0; i < n; i++) {
    b->at = &b->spec->textures.data[i]->head;
    CT_TRY(make(b, b->spec->textures.data[i], &b->texture_path[i], &b->texture[i]));
    // in bytes of the model, which may be more than an int counts
    const ctiImage* t = &b->texture[i];
    b->sizes.ntexdata =
        cti_size_add(b->sizes.ntexdata, cti_size_mul((int64_t)t->width * t->height, t->channels));
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
    // where the model does not say, the file does; linear otherwise
    bool unsaid = s->colorspace == CT_COLORSPACE_AUTO && s->builtin == CTI_PICTURE_NONE && image->data;
    m->tex_colorspace[i] = unsaid ? (image->srgb ? CT_COLORSPACE_SRGB : CT_COLORSPACE_LINEAR) : s->colorspace;
    m->tex_height[i] = image->height;
    m->tex_width[i] = image->width;
    m->tex_nchannel[i] = image->channels;
    m->tex_adr[i] = image->data ? adr : -1;
    if (image->data) memcpy(m->tex_data + adr, image->data, bytes);
    adr += (ctSize)bytes;
  }
  return CT_OK;
}

// ---- materials

static ctStatus fill_material(const ctiBuild* b, ctModel* m, int i) {
  const ctiMaterial* s = b->spec->materials.data[i];
  for (int role = 0; role < CT_TEXROLE_COUNT; role++) {
    int* id = &m->mat_texid[CT_TEXROLE_COUNT * i + role];
    *id = -1;
    if (s->texture[role]) CT_TRY(cti_find_object(id, b, CT_OBJ_TEXTURE, s->texture[role], &s->head));
  }
  m->mat_texuniform[i] = s->texuniform;
  memcpy(m->mat_texrepeat + 2 * i, s->texrepeat, sizeof(s->texrepeat));
  m->mat_emission[i] = s->emission;
  m->mat_specular[i] = s->specular;
  m->mat_shininess[i] = s->shininess;
  m->mat_reflectance[i] = s->reflectance;
  m->mat_metallic[i] = s->metallic;
  m->mat_roughness[i] = s->roughness;
  memcpy(m->mat_rgba + 4 * i, s->rgba, sizeof(s->rgba));
  return CT_OK;
}

ctStatus cti_pass_fill_materials(ctiBuild* b) {
  for (int i = 0; i < b->m->nmat; i++) CT_TRY(fill_material(b, b->m, i));
  return CT_OK;
}
