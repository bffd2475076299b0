// Shapes for collision tests: a pose and a size that a ctiShape points into, and a data that lends scratch.
#pragma once

#include "collide/collide.h"
#include "data/data.h"
#include "math/quat.h"
#include "xt_model.h"

typedef struct xtShape {
  ctReal pos[3], quat[4], mat[9], size[3];
  int type;
} xtShape;

static ctModel xt_shape_model;  // only its options are looked at

static inline void xt_shape_init(xtShape* s, int type, ctReal x, ctReal y, ctReal z) {
  *s = (xtShape){.quat = {1, 0, 0, 0}, .size = {x, y, z}, .type = type};
  cti_quat_to_mat(s->mat, s->quat);
  xt_shape_model.opt.ccd_tolerance = (ctReal)1e-6;
  xt_shape_model.opt.ccd_iterations = 35;
}

static inline void xt_shape_random_pose(xtShape* s, xtRng* rng, double spread) {
  xt_random_quat(s->quat, rng);
  cti_quat_to_mat(s->mat, s->quat);
  for (int i = 0; i < 3; i++) s->pos[i] = (ctReal)xt_uniform(rng, -spread, spread);
}

static inline ctiShape xt_shape(const xtShape* s) {
  return (ctiShape){s->type, s->pos, s->mat, s->size, &xt_shape_model, -1, -1, NULL};
}

// A random primitive (no plane) of moderate size.
static inline void xt_shape_random(xtShape* s, int type, xtRng* rng) {
  xt_shape_init(s, type, (ctReal)xt_uniform(rng, 0.05, 0.2), (ctReal)xt_uniform(rng, 0.05, 0.2),
                (ctReal)xt_uniform(rng, 0.05, 0.2));
}

// A data with nothing but an arena.
typedef struct xtScratch {
  ctiData d;
  ctByte* block;
} xtScratch;

static inline void xt_scratch_open(xtScratch* s, size_t bytes) {
  memset(s, 0, sizeof(*s));
  s->block = (ctByte*)malloc(bytes + 64);
  s->d.arena = s->block + (64 - (uintptr_t)s->block % 64) % 64;
  s->d.open.narena = bytes;
}
static inline void xt_scratch_close(xtScratch* s) {
  free(s->block);
}

static inline int xt_collide(ctiPoint* out, const xtShape* a, const xtShape* b, ctReal margin, xtScratch* s) {
  ctiShape p = xt_shape(a), q = xt_shape(b);
  return cti_collider(a->type, b->type)(out, &p, &q, margin, &s->d.open);
}
