// Scenery: static geoms, where there are many of them. As long as the numbers of the model stay what they
// are, their frames are computed once, and a tree of their boxes is made once: a step has to do with what
// moves alone. Step code; worlds of a GPU have no room for it and compute everything.
//
// A step begins with cti_scenery_begin(), which compares the model with a copy of its numbers in the data: a
// program that edits the model between steps need not announce it. With the sleep flag sleeping takes care of
// what is static.
#pragma once

#include "data/awake.h"

// So few static geoms are not worth it.
#define CTI_SCENERY_FEW 64

// Does a body never move, also not by mocap?
CT_INLINE bool cti_is_scenery(const ctModel* m, int body) {
  return m->body_treeid[body] < 0 && m->body_mocapid[m->body_weldid[body]] < 0;
}

// Look at the model: what is static is left out by this step (`on`) when the data has its frames already.
CT_FN void cti_scenery_begin(const ctModel* m, ctData* d);

// All frames of geoms are there: note what they come from. Their tree is made when they have stayed for a
// second time.
CT_FN void cti_scenery_end(const ctModel* m, ctData* d);

// Between steps: whether the frames in the data are those of the model and there is a tree;
// cti_scenery_make() makes one where there is none.
CT_FN bool cti_scenery_known(const ctModel* m, const ctData* d);
CT_FN bool cti_scenery_make(const ctModel* m, ctData* d);

// How many static geoms there are, and what else moves: with the lists of what is awake.
CT_FN void cti_scenery_count(const ctModel* m, ctData* d);

CT_INLINE const ctiScenery* cti_scenery(const ctData* d) {
  return &cti_data_const(d)->scenery;
}

// Frames are about to be computed, which need not be those of the model that was looked at.
CT_INLINE void cti_scenery_forget(ctData* d) {
  if (CT_TEAM == 1 && !cti_scenery(d)->on) cti_data(d)->scenery.frames = 0;
}

// Bodies and geoms whose frames a step computes.
CT_INLINE ctiSpans cti_moving_bodies(const ctData* d) {
  const ctiScenery* s = cti_scenery(d);
  const ctiSpans spans = {s->body_span, s->nbody_span};
  return CT_TEAM == 1 && s->on ? spans : cti_awake(d)->mover;
}
CT_INLINE ctiSpans cti_moving_geoms(const ctData* d) {
  const ctiScenery* s = cti_scenery(d);
  const ctiSpans spans = {s->geom_span, s->ngeom_span};
  return CT_TEAM == 1 && s->on ? spans : cti_awake(d)->geom;
}

// Does this step have a tree?
CT_INLINE bool cti_scenery_on(const ctData* d) {
  const ctiScenery* s = cti_scenery(d);
  return CT_TEAM == 1 && s->on && s->tree == s->frames;
}
