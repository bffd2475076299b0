// Static geoms whose frames are known, and the tree of their boxes.
#include "data/scenery.h"

#include <string.h>

#include "data/awake.h"
#include "math/simd.h"
#include "math/vec3.h"

// ---- what the frames come from: a copy of those numbers of the model ----

// They say where geoms are, and how far they reach. Who gives geoms other boxes gives them another radius, or
// calls ct_model_update(). X(field, count)
// clang-format off
#define NUMBERS(X)                                                                                       \
  X(body_pos, 3 * (size_t)m->nbody) X(body_quat, 4 * (size_t)m->nbody) X(body_ipos, 3 * (size_t)m->nbody) \
  X(body_iquat, 4 * (size_t)m->nbody) X(body_margin, m->nbody)                                            \
  X(geom_pos, 3 * (size_t)m->ngeom) X(geom_quat, 4 * (size_t)m->ngeom) X(geom_rbound, m->ngeom)
#define FRAMES(X) X(body_sameframe, m->nbody) X(geom_sameframe, m->ngeom)
// clang-format on

// Bits, so that a zero with another sign is another number. Without branches: nearly always all are equal.
#ifdef CTI_SIMD
typedef uint64_t Block __attribute__((vector_size(32), aligned(1), may_alias));
#endif
CTI_SIMD_FN bool bits_differ_simd(const void* a, const void* b, size_t bytes) {
  const ctByte *x = (const ctByte*)a, *y = (const ctByte*)b;
  unsigned rest = 0;
  size_t i = 0;
#ifdef CTI_SIMD
  Block differ[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
  for (; i + 64 <= bytes; i += 64) {
    differ[0] |= *(const Block*)(x + i) ^ *(const Block*)(y + i);
    differ[1] |= *(const Block*)(x + i + 32) ^ *(const Block*)(y + i + 32);
  }
  const Block all = differ[0] | differ[1];
  if (all[0] | all[1] | all[2] | all[3]) return true;
#endif
  for (; i < bytes; i++) rest |= (unsigned)(x[i] ^ y[i]);
  return rest != 0;
}
static CT_FN bool bits_differ(const void* a, const void* b, size_t bytes);
CTI_SIMD_DISPATCH(bool, return, bits_differ, bits_differ_simd, (const void* a, const void* b, size_t bytes),
                  (a, b, bytes))

// Are they those that were noted last?
static CT_FN bool same_numbers(const ctModel* m, const ctiScenery* s) {
  if (s->model != m || s->signature != m->signature || s->updates != m->updates) return false;
  const ctReal* number = s->number;
  const ctByte* frame = s->frame;
#define X(field, count)                                                              \
  if (bits_differ(number, m->field, sizeof(ctReal) * (size_t)(count))) return false; \
  number += count;
  NUMBERS(X)
#undef X
#define X(field, count)                                            \
  if (bits_differ(frame, m->field, (size_t)(count))) return false; \
  frame += count;
  FRAMES(X)
#undef X
  return true;
}

static CT_FN void note_numbers(const ctModel* m, ctiScenery* s) {
  ctReal* number = s->number;
  ctByte* frame = s->frame;
  s->model = m;
  s->signature = m->signature;
  s->updates = m->updates;
#define X(field, count)                                       \
  memcpy(number, m->field, sizeof(ctReal) * (size_t)(count)); \
  number += count;
  NUMBERS(X)
#undef X
#define X(field, count)                     \
  memcpy(frame, m->field, (size_t)(count)); \
  frame += count;
  FRAMES(X)
#undef X
  s->numbers++;
}

// ---- what moves ----

static CT_FN void add_span(ctiSpan* span, int* n, int begin, int end) {
  if (*n > 0 && span[*n - 1].end == begin) {
    span[*n - 1].end = end;
    return;
  }
  span[*n].begin = begin;
  span[(*n)++].end = end;
}

CT_FN void cti_scenery_count(const ctModel* m, ctData* d) {
  if (!(cti_data(d)->lifetimes & CTI_LIVE_SCENERY)) return;
  ctiScenery* s = &cti_data(d)->scenery;
  s->ngeom = s->nbody_span = s->ngeom_span = 0;
  for (int i = 0; i < m->nbody; i++) {
    if (cti_is_scenery(m, i)) s->ngeom += m->body_geomnum[i];
  }
  if (s->ngeom < CTI_SCENERY_FEW) s->ngeom = 0;
  for (int i = 0; i < m->nbody && s->ngeom; i++) {
    if (cti_is_scenery(m, i)) continue;
    const int first = m->body_geomadr[i], n = m->body_geomnum[i];
    add_span(s->body_span, &s->nbody_span, i, i + 1);
    if (n > 0) add_span(s->geom_span, &s->ngeom_span, first, first + n);
  }
}

// ---- the tree ----

static CT_FN void make_tree(const ctModel* m, ctData* d) {
  ctiScenery* s = &cti_data(d)->scenery;
  s->box_tree.n = s->box_tree.nfar = 0;
  s->box_tree.room = m->ngeom;
  s->margin = 0;
  for (int i = 0; i < m->nbody; i++) {
    if (!cti_is_scenery(m, i)) continue;
    s->margin = cti_max(s->margin, m->body_margin[i]);
    for (int g = m->body_geomadr[i]; g < m->body_geomadr[i] + m->body_geomnum[i]; g++)
      cti_box_tree_add(&s->box_tree, m, d, g);
  }
  cti_box_tree_make(&s->box_tree);
  s->tree = s->frames;
}

// ---- a step ----

CT_FN void cti_scenery_begin(const ctModel* m, ctData* d) {
  ctiScenery* s = &cti_data(d)->scenery;
  s->on = false;
  if (CT_TEAM > 1 || s->ngeom == 0 || cti_sleep_enabled(m)) return;
  if (!s->trusted && !same_numbers(m, s)) note_numbers(m, s);
  s->on = s->numbers == s->frames;
}

CT_FN void cti_scenery_end(const ctModel* m, ctData* d) {
  ctiScenery* s = &cti_data(d)->scenery;
  if (CT_TEAM > 1 || s->ngeom == 0 || cti_sleep_enabled(m)) return;
  if (s->frames != s->numbers) cti_scenery_count(m, d);  // it may be another model
  s->frames = s->numbers;
  if (s->on && s->tree != s->frames) make_tree(m, d);
}

CT_FN bool cti_scenery_known(const ctModel* m, const ctData* d) {
  const ctiScenery* s = cti_scenery(d);
  return s->ngeom > 0 && s->frames && s->tree == s->frames && s->frames == s->numbers && same_numbers(m, s);
}

CT_FN bool cti_scenery_make(const ctModel* m, ctData* d) {
  const ctiScenery* s = cti_scenery(d);
  if (s->ngeom == 0 || !s->frames || s->frames != s->numbers || !same_numbers(m, s)) return false;
  if (s->tree != s->frames) make_tree(m, d);
  return true;
}
