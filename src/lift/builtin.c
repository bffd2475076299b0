// Textures that a formula draws are found again: what the formula makes of guessed words is compared with the
// pixels of the model, one by one.
#include <math.h>
#include <string.h>

#include "compile/textures.h"
#include "lift/textures.h"
#include "math/mersenne.h"

// How far a pixel is from the mixture of two colours before it is none, first and last.
static const double far_off[] = {0.2, 0.03, 0.012};
#define NPASS ((int)(sizeof(far_off) / sizeof(far_off[0])))

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
// marks anyway nobody can tell.
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

ctStatus cti_lift_builtin(ctiTexture* t, bool* found, const ctiImage* image, const ctAllocator* allocator,
                          ctError* err) {
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
