// Static geoms whose frames are known, and the tree of their boxes.
#include "data/scenery.h"

#include "data/awake.h"
#include "math/simd.h"
#include "math/vec3.h"

// ---- what the frames come from: a number that stands for it ----

#define HASH_KEY 0x9e3779b97f4a7c15u

// Eight numbers at a time, each multiplied with one that depends on its place.
CTI_SIMD_FN uint64_t hash_blocks(const void* bytes, size_t nblock, uint64_t seed) {
  const uint64_t* at = (const uint64_t*)bytes;
  uint64_t sum[8], key[8];
  for (unsigned k = 0; k < 8; k++) {
    sum[k] = seed;
    key[k] = seed + HASH_KEY * (2 * (uint64_t)k + 1);
  }
  for (size_t i = 0; i < nblock; i++, at += 8) {
    for (int k = 0; k < 8; k++) {
      const uint64_t x = at[k] ^ key[k];
      sum[k] += (x & 0xffffffffu) * (x >> 32) + (x << 17 | x >> 47);
      key[k] += HASH_KEY;
    }
  }
  for (int k = 1; k < 8; k++) sum[0] = (sum[0] ^ sum[k]) * HASH_KEY + (sum[0] >> 29);
  return sum[0];
}
static CT_FN uint64_t hash(const void* bytes, size_t nblock, uint64_t seed);
CTI_SIMD_DISPATCH(uint64_t, return, hash, hash_blocks, (const void* bytes, size_t nblock, uint64_t seed),
                  (bytes, nblock, seed))

static CT_FN uint64_t hash_array(uint64_t h, const void* bytes, size_t n) {
  const ctByte* at = (const ctByte*)bytes;
  const size_t nblock = n / 64;
  h = hash(at, nblock, h + n);
  for (size_t i = 64 * nblock; i < n; i++) h = (h ^ at[i]) * HASH_KEY + (h >> 29);
  return h;
}

// Of the numbers of the model that say where its geoms are, and how far they reach. Who gives them other
// boxes gives them another radius, or calls ct_model_update().
static CT_FN uint64_t numbers_of(const ctModel* m) {
  uint64_t h = hash_array(m->signature, &m, sizeof(m));
  h = hash_array(h, &m->updates, sizeof(m->updates));
#define X(field, count) h = hash_array(h, m->field, sizeof(*m->field) * (size_t)(count));
  X(body_pos, 3 * m->nbody)
  X(body_quat, 4 * m->nbody)
  X(body_ipos, 3 * m->nbody)
  X(body_iquat, 4 * m->nbody)
  X(body_sameframe, m->nbody)
  X(body_margin, m->nbody)
  X(geom_pos, 3 * m->ngeom)
  X(geom_quat, 4 * m->ngeom)
  X(geom_sameframe, m->ngeom)
  X(geom_rbound, m->ngeom)
#undef X
  return h ? h : 1;
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
  if (!s->trusted) s->numbers = numbers_of(m);
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
  return s->ngeom > 0 && s->frames && s->tree == s->frames && s->frames == numbers_of(m);
}

CT_FN bool cti_scenery_make(const ctModel* m, ctData* d) {
  const ctiScenery* s = cti_scenery(d);
  if (s->ngeom == 0 || !s->frames || s->frames != numbers_of(m)) return false;
  if (s->tree != s->frames) make_tree(m, d);
  return true;
}
