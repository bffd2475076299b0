// Assets but for meshes.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "asset/image.h"
#include "compile/textures.h"
#include "decompile/decompile.h"
#include "math/mersenne.h"
#include "spec/spec.h"

// ---- builtin textures

// Textures that a formula draws are found again: what the formula makes of guessed words is compared with
// the pixels of the model, one by one.

// How far a pixel is from the mixture of two colours before it is none, first and last.
static const double far_off[] = {0.2, 0.03, 0.012};
#define NPASS CT_COUNT_OF(far_off)

// Of a picture with many pixels some are looked at first; marks cover few of them.
#define MANY 100000
#define SOME 5000

typedef struct Guess {
  ctiTexture* t;
  const ctiImage* image;
  size_t npixel, stride;        // every so many pixels are looked at
  const unsigned char* weight;  // of the first colour in each pixel, 0 to 255; one of three channels
  bool* marked;                 // pixels that are no mixture
  ctiRegion* region;
  const ctAllocator* allocator;
  ctError* err;
} Guess;

static ctStatus draw(const Guess* g, ctiImage* out, ctiRegion* region) {
  ctiBuild b = {.spec = NULL, .err = g->err, .region = region};
  return cti_texture_draw(&b, g->t, out);
}

// Whether the words give every pixel.
static ctStatus is_right(const Guess* g, bool* right) {
  ctiRegion* region = cti_region_create(g->allocator);
  ctiImage drawn;
  *right = false;
  ctStatus status = region ? draw(g, &drawn, region) : cti_error_memory(g->err);
  if (status == CT_OK) *right = memcmp(drawn.data, g->image->data, 3 * g->npixel) == 0;
  cti_region_free(region);
  return status;
}

static double weight_of(const Guess* g, size_t i) {
  int w = g->weight[3 * i];
  return w == 0 || w == 255 ? w / 255.0 : (w + 0.5) / 255;
}

static double channel_of(const Guess* g, size_t i, int k) {
  return (g->image->data[3 * i + (size_t)k] + 0.5) / 255;
}

// The two colours whose mixtures are nearest to the pixels that are not marked. False without any such pixel.
static bool fit_colours(Guess* g, double first[3], double second[3]) {
  double n = 0, w1 = 0, w2 = 0;
  for (size_t i = 0; i < g->npixel; i += g->stride) {
    double w = g->marked[i] ? 0 : weight_of(g, i);
    n += !g->marked[i];
    w1 += w;
    w2 += w * w;
  }
  if (n == 0) return false;
  double spread = w2 * n - w1 * w1;
  for (int k = 0; k < 3; k++) {
    double x1 = 0, xw = 0;
    for (size_t i = 0; i < g->npixel; i += g->stride) {
      if (g->marked[i]) continue;
      x1 += channel_of(g, i, k);
      xw += channel_of(g, i, k) * weight_of(g, i);
    }
    double slope = spread > 1e-9 * n * n ? (xw * n - x1 * w1) / spread : 0;
    second[k] = (x1 - slope * w1) / n;
    first[k] = second[k] + slope;
  }
  return true;
}

// Pixels that are far from the mixture; with `mark`, they are marked and all others not.
static size_t count_far(Guess* g, const double first[3], const double second[3], double limit, bool mark) {
  size_t count = 0;
  for (size_t i = 0; i < g->npixel; i += g->stride) {
    double w = weight_of(g, i), gap = 0;
    for (int k = 0; k < 3; k++)
      gap = fmax(gap, fabs(channel_of(g, i, k) - w * first[k] - (1 - w) * second[k]));
    if (mark) g->marked[i] = gap > limit;
    count += gap > limit && (mark || !g->marked[i]);
  }
  return count;
}

// The shortest decimal that is above `low` and at most `high`.
static double shortest_between(double low, double high) {
  for (double unit = 10; unit < 1e16; unit *= 10) {
    double x = floor(high * unit) / unit;
    if (x > low) return x;
  }
  return high;
}

static size_t first_mark(const Guess* g) {
  size_t i = 0;
  while (i < g->npixel && !g->marked[i]) i++;
  return i;
}

// Random marks are where the numbers of a sequence are below a bound. Where the picture has the colour of the
// marks anyway cannot be known.
static double random_bound(const Guess* g) {
  const unsigned char* pixels = g->image->data;
  const size_t mark = first_mark(g);
  ctiMersenne sequence;
  cti_mersenne_start(&sequence, CTI_MARK_SEED);
  double low = 0, high = 1;
  for (size_t i = 0; i < g->npixel && mark < g->npixel; i++) {
    double x = cti_mersenne_uniform(&sequence);
    bool open = memcmp(pixels + 3 * i, pixels + 3 * mark, 3) == 0;
    if (g->marked[i]) low = fmax(low, x);
    if (!g->marked[i] && !open) high = fmin(high, x);
  }
  return low < high ? shortest_between(low, high) : -1;
}

static void set_colour(double out[3], const double from[3], double unit) {
  for (int k = 0; k < 3; k++) out[k] = fmin(1, fmax(0, round(from[k] * unit) / unit));
}

// The colour of the marks: the shortest decimals that give its bytes.
static void find_mark_colour(Guess* g) {
  const size_t at = first_mark(g);
  for (int k = 0; k < 3 && at < g->npixel; k++) {
    double byte = g->image->data[3 * at + (size_t)k];
    g->t->markrgb[k] = byte == 255 ? 1 : shortest_between((byte - 0.001) / 255, (byte + 0.999) / 255);
  }
}

// The colours without what is no mixture of them, which is marked. False when that is most of it.
static bool fit_robust(Guess* g, double first[3], double second[3]) {
  memset(g->marked, 0, g->npixel * sizeof(*g->marked));
  for (int pass = 0; pass < NPASS; pass++) {
    if (!fit_colours(g, first, second)) return false;
    if (count_far(g, first, second, far_off[pass], true) > g->npixel / g->stride / 2) return false;
  }
  return fit_colours(g, first, second);
}

// Where the marks of the texture are: known, or what is no mixture. False when the rest is none either.
static bool find_marks(Guess* g, double first[3], double second[3]) {
  const int width = g->t->width, height = g->t->height;
  if (g->t->mark == CTI_MARK_RANDOM) {
    g->t->random = fit_robust(g, first, second) ? random_bound(g) : -1;
    return g->t->random >= 0;
  }
  for (size_t i = 0; i < g->npixel; i++) {
    int row = (int)(i / (size_t)width) % height, col = (int)(i % (size_t)width);
    g->marked[i] = cti_mark_covers(g->t->mark, row, col, width, height);
  }
  return fit_colours(g, first, second) && count_far(g, first, second, far_off[NPASS - 1], false) == 0;
}

// Whether the picture is worth a closer look: a few of its pixels are mixtures.
static bool is_likely(Guess* g) {
  double first[3], second[3];
  if (g->npixel < MANY) return true;
  g->stride = (g->npixel / SOME) | 1;  // no multiple of the width
  bool likely = fit_robust(g, first, second);
  g->stride = 1;
  return likely;
}

// With every kind of mark; with as few decimals as do.
static ctStatus try_marks(Guess* g, bool* right) {
  ctiTexture* t = g->t;
  for (int mark = CTI_MARK_NONE; mark < CTI_MARK_COUNT; mark++) {
    double first[3], second[3];
    t->mark = mark;
    if (!find_marks(g, first, second)) continue;
    find_mark_colour(g);
    for (double unit = 10; unit < 1e5; unit *= 10) {
      set_colour(t->rgb1, first, unit);
      set_colour(t->rgb2, second, unit);
      CT_TRY(is_right(g, right));
      if (*right) return CT_OK;
    }
  }
  return CT_OK;
}

static ctStatus try_formula(Guess* g, int formula, bool* right) {
  ctiTexture* t = g->t;
  ctiImage white;
  t->builtin = formula;
  t->mark = CTI_MARK_NONE;
  for (int k = 0; k < 3; k++) {
    t->rgb1[k] = 1;
    t->rgb2[k] = 0;
  }
  CT_TRY(draw(g, &white, g->region));
  g->weight = white.data;
  return is_likely(g) ? try_marks(g, right) : CT_OK;
}

// The words of a builtin texture that gives these pixels, if there are any: `found`.
static ctStatus decompile_builtin(ctiTexture* t, bool* found, const ctiImage* image,
                                  const ctAllocator* allocator, ctError* err) {
  bool cube = t->type != CT_TEXTURE_2D;
  *found = false;
  if (image->channels != 3 || (cube && image->height != 6 * image->width)) return CT_OK;
  const ctiTexture before = *t;
  size_t npixel = (size_t)image->width * (size_t)image->height;
  ctiRegion* scratch = cti_region_create(allocator);
  if (!scratch) return cti_error_memory(err);
  Guess g = {.t = t,
             .image = image,
             .npixel = npixel,
             .stride = 1,
             .marked = CTI_NEW_ARRAY(scratch, bool, npixel),
             .region = scratch,
             .allocator = allocator,
             .err = err};
  ctStatus status = g.marked ? CT_OK : cti_error_memory(err);
  t->width = image->width;
  t->height = cube ? image->width : image->height;
  static const int formulas[] = {CTI_PICTURE_FLAT, CTI_PICTURE_CHECKER, CTI_PICTURE_GRADIENT};
  for (int i = 0; i < 3 && !*found && status == CT_OK; i++) status = try_formula(&g, formulas[i], found);
  if (!*found) *t = before;
  cti_region_free(scratch);
  return status;
}

// ---- textures

// Text has no pixels: what no formula draws goes into PNG files.

// A picture of the model as a file; `what` begins its name.
static ctStatus save_picture(ctiDecompiler* l, const char** file, int i, const char* what,
                             const ctiImage* image) {
  ctiRegion* scratch = cti_region_create(&l->s->allocator);
  void* bytes = NULL;
  size_t size = 0;
  ctStatus status =
      scratch ? cti_image_to_png(&bytes, &size, image, scratch, l->err) : cti_error_memory(l->err);
  if (status == CT_OK) status = cti_decompile_file(l, file, CT_OBJ_TEXTURE, i, what, "png", bytes, size);
  cti_region_free(scratch);
  return status;
}

// The six sides of a cube, one below the other, each in a file: a single one would name the texture.
static ctStatus save_sides(ctiDecompiler* l, ctiTexture* t, int i, const ctiImage* image) {
  const struct {
    const char* word;
    const char** file;
  } sides[6] = {{"right", &t->fileright}, {"left", &t->fileleft},   {"up", &t->fileup},
                {"down", &t->filedown},   {"front", &t->filefront}, {"back", &t->fileback}};
  for (int k = 0; k < 6; k++) {
    ctiImage side = *image;
    side.height = image->width;
    side.data += (size_t)k * (size_t)side.width * (size_t)side.height * (size_t)side.channels;
    char what[32];
    snprintf(what, sizeof(what), "%s_texture", sides[k].word);
    CT_TRY(save_picture(l, sides[k].file, i, what, &side));
  }
  return CT_OK;
}

static ctStatus path_at(ctiDecompiler* l, const char** out, int adr) {
  return adr >= 0 ? cti_decompile_text(l, out, l->m->paths + adr) : CT_OK;
}

// What only the program that draws can read is kept as it was.
static bool is_ktx(const ctModel* m, int i, const ctByte* data, size_t size) {
  static const unsigned char mark[4] = {0xab, 'K', 'T', 'X'};
  return m->tex_height[i] == 1 && m->tex_nchannel[i] == 1 && size > sizeof(mark) &&
         memcmp(data, mark, sizeof(mark)) == 0;
}

static ctStatus decompile_texture(ctiDecompiler* l, int i) {
  const ctModel* m = l->m;
  ctiTexture* t = cti_spec_add_texture(l->s, &l->s->plain);
  if (!t) return cti_error_memory(l->err);
  cti_decompile_place(l, &t->head, CT_OBJ_TEXTURE, i, "texture", &cti_attrs_texture);
  t->type = m->tex_type[i];
  t->colorspace = m->tex_colorspace[i];
  t->nchannel = m->tex_nchannel[i];
  CT_TRY(path_at(l, &t->content_type, m->tex_contenttypeadr[i]));
  // only the sky needs no name
  if (t->type != CT_TEXTURE_SKYBOX && !cti_decompile_ref(l, CT_OBJ_TEXTURE, i))
    return cti_error_memory(l->err);
  // left in its file
  if (m->tex_adr[i] < 0) {
    t->embed = CTI_FALSE;
    CT_TRY(path_at(l, &t->file, m->tex_pathadr[i]));
    return t->file ? CT_OK : cti_decompile_cannot(l, CT_OBJ_TEXTURE, i, "it has neither pixels nor a file");
  }
  ctByte* data = m->tex_data + m->tex_adr[i];
  size_t size = (size_t)m->tex_width[i] * (size_t)m->tex_height[i] * (size_t)t->nchannel;
  if (m->tex_width[i] <= 0 || m->tex_height[i] <= 0)
    return cti_decompile_cannot(l, CT_OBJ_TEXTURE, i, "it has no pixels");
  if (is_ktx(m, i, data, size))
    return cti_decompile_file(l, &t->file, CT_OBJ_TEXTURE, i, "texture", "ktx", data, size);
  if (t->nchannel == 2)
    return cti_decompile_cannot(l, CT_OBJ_TEXTURE, i, "pictures have 1, 3 or 4 channels, not 2");
  t->content_type = NULL;
  const ctiImage image = {
      .width = m->tex_width[i], .height = m->tex_height[i], .channels = t->nchannel, .data = data};
  // what came from no file may have been drawn
  bool found = false;
  if (m->tex_pathadr[i] < 0) CT_TRY(decompile_builtin(t, &found, &image, &l->s->allocator, l->err));
  if (found) return CT_OK;
  bool cube = t->type != CT_TEXTURE_2D && image.height == 6 * image.width;
  return cube ? save_sides(l, t, i, &image) : save_picture(l, &t->file, i, "texture", &image);
}

ctStatus cti_decompile_textures(ctiDecompiler* l) {
  for (int i = 0; i < l->m->ntex; i++) CT_TRY(decompile_texture(l, i));
  return CT_OK;
}

// ---- height fields

static ctStatus decompile_hfield(ctiDecompiler* l, int i) {
  const ctModel* m = l->m;
  const float* data = m->hfield_data + m->hfield_adr[i];
  int rows = m->hfield_nrow[i], columns = m->hfield_ncol[i], n = rows * columns;
  ctiHField* h = cti_spec_add_to_hfields(l->s);
  double* up = h ? CTI_NEW_ARRAY(l->s->region, double, n) : NULL;
  if (!up || !cti_decompile_ref(l, CT_OBJ_HFIELD, i)) return cti_error_memory(l->err);
  cti_decompile_place(l, &h->head, CT_OBJ_HFIELD, i, "hfield", &cti_attrs_hfield);
  h->nrow = rows;
  h->ncol = columns;
  cti_decompile_reals(h->size, m->hfield_size + 4 * i, 4);
  // lists start at the top
  float low = n > 0 ? data[0] : 0, high = low;
  for (int k = 0; k < n; k++) {
    low = data[k] < low ? data[k] : low;
    high = data[k] > high ? data[k] : high;
    up[(rows - 1 - k / columns) * columns + k % columns] = cti_decompile_short(data[k]);
  }
  bool flat = low == 0 && high == 0;
  h->elevation = (ctiReals){up, flat ? 0 : n};
  if (!flat && (low != 0 || high != 1)) {
    const ctiElement e = {.tag = "hfield", .name = l->name[CT_OBJ_HFIELD][i]};
    cti_remark(l->s, CT_LOG_WARNING, &e,
               "its elevations reach from %g to %g: reading stretches them to 0 and 1 again", (double)low,
               (double)high);
  }
  return CT_OK;
}

ctStatus cti_decompile_hfields(ctiDecompiler* l) {
  for (int i = 0; i < l->m->nhfield; i++) CT_TRY(decompile_hfield(l, i));
  return CT_OK;
}

// ---- materials

ctStatus cti_decompile_materials(ctiDecompiler* l) {
  const ctModel* m = l->m;
  for (int i = 0; i < m->nmat; i++) {
    ctiMaterial* s = cti_spec_add_material(l->s, &l->s->plain);
    if (!s || !cti_decompile_ref(l, CT_OBJ_MATERIAL, i)) return cti_error_memory(l->err);
    cti_decompile_place(l, &s->head, CT_OBJ_MATERIAL, i, "material", &cti_attrs_material);
    s->texuniform = m->mat_texuniform[i];
    s->emission = m->mat_emission[i];
    s->specular = m->mat_specular[i];
    s->shininess = m->mat_shininess[i];
    s->reflectance = m->mat_reflectance[i];
    s->metallic = m->mat_metallic[i];
    s->roughness = m->mat_roughness[i];
    memcpy(s->texrepeat, m->mat_texrepeat + 2 * i, sizeof(s->texrepeat));
    memcpy(s->rgba, m->mat_rgba + 4 * i, sizeof(s->rgba));
    for (int role = 0; role < CT_TEXROLE_COUNT; role++)
      CT_TRY(cti_decompile_refer(l, &s->texture[role], CT_OBJ_TEXTURE,
                                 m->mat_texid[CT_TEXROLE_COUNT * i + role]));
  }
  return CT_OK;
}

// ---- skins

static ctStatus decompile_bone(ctiDecompiler* l, ctiSkin* s, int i) {
  const ctModel* m = l->m;
  int adr = m->skin_bonevertadr[i], n = m->skin_bonevertnum[i];
  ctiBone* b = CTI_NEW(l->s->region, ctiBone);
  if (!b || cti_array_push(&s->bones, l->s->in_region, b) != CT_OK) return cti_error_memory(l->err);
  b->head = (ctiElement){.tag = "bone", .attrs = &cti_attrs_bone, .parent = &s->head};
  for (int k = 0; k < 3; k++) b->bindpos[k] = cti_decompile_short(m->skin_bonebindpos[3 * i + k]);
  for (int k = 0; k < 4; k++) b->bindquat[k] = cti_decompile_short(m->skin_bonebindquat[4 * i + k]);
  CT_TRY(cti_decompile_ints(l, &b->vertid, m->skin_bonevertid + adr, n));
  CT_TRY(cti_decompile_floats(l, &b->vertweight, m->skin_bonevertweight + adr, n));
  return cti_decompile_refer(l, &b->body, CT_OBJ_BODY, m->skin_bonebodyid[i]);
}

static ctStatus decompile_skin(ctiDecompiler* l, int i) {
  const ctModel* m = l->m;
  int n = m->skin_vertnum[i], tex = m->skin_texcoordadr[i];
  ctiSkin* s = cti_spec_add_to_skins(l->s);
  if (!s) return cti_error_memory(l->err);
  cti_decompile_place(l, &s->head, CT_OBJ_SKIN, i, "skin", &cti_attrs_skin);
  s->group = m->skin_group[i];
  s->inflate = m->skin_inflate[i];
  memcpy(s->rgba, m->skin_rgba + 4 * i, sizeof(s->rgba));
  CT_TRY(cti_decompile_refer(l, &s->material, CT_OBJ_MATERIAL, m->skin_matid[i]));
  CT_TRY(cti_decompile_floats(l, &s->vertex, m->skin_vert + 3 * m->skin_vertadr[i], 3 * n));
  if (tex >= 0) CT_TRY(cti_decompile_floats(l, &s->texcoord, m->skin_texcoord + 2 * tex, 2 * n));
  CT_TRY(cti_decompile_ints(l, &s->face, m->skin_face + 3 * m->skin_faceadr[i], 3 * m->skin_facenum[i]));
  for (int k = 0; k < m->skin_bonenum[i]; k++) CT_TRY(decompile_bone(l, s, m->skin_boneadr[i] + k));
  return CT_OK;
}

ctStatus cti_decompile_skins(ctiDecompiler* l) {
  for (int i = 0; i < l->m->nskin; i++) CT_TRY(decompile_skin(l, i));
  return CT_OK;
}
