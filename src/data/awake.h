// What a step computes: everything, or, while the sleep flag is on, what is awake. Step code.
//
// Trees are contiguous in every list of the model, so what is awake is a short list of spans: one span over
// all while nothing sleeps. Stages loop over spans and never ask whether somebody sleeps.
#pragma once

#include "data/data.h"
#include "math/dense.h"

// Loop over the ids of a list of spans, in ascending and in descending order.
#define CTI_EACH(i, spans)                                 \
  for (int i##_span = 0; i##_span < (spans).n; i##_span++) \
    for (int i = (spans).at[i##_span].begin, i##_end = (spans).at[i##_span].end; i < i##_end; i++)
#define CTI_EACH_DOWN(i, spans)                                 \
  for (int i##_span = (spans).n - 1; i##_span >= 0; i##_span--) \
    for (int i = (spans).at[i##_span].end - 1, i##_begin = (spans).at[i##_span].begin; i >= i##_begin; i--)

// The same loop split between the lanes of a team.
#define CTI_EACH_LANES(i, spans)                                                                        \
  for (int i##_span = 0; i##_span < (spans).n; i##_span++)                                              \
    for (int i = (spans).at[i##_span].begin + CT_LANE, i##_end = (spans).at[i##_span].end; i < i##_end; \
         i += CT_TEAM)

// The same for the bodies of trees: each once its parent is done.
#if defined(__CUDACC__)
typedef struct ctiWave {
  int first, end, i;  // ids at hand, that of this lane
  unsigned done;      // lanes whose id is done
  bool ready, ran;    // this lane's is at hand, was
} ctiWave;
CT_INLINE ctiWave cti_wave(ctiSpan span) {
  ctiWave w = {span.begin, span.end, 0, 0, false, false};
  return w;
}
CT_INLINE bool cti_wave_next(ctiWave* w, const int* parent) {
  CT_TEAM_SYNC();
  w->done |= CT_TEAM == 1 ? (unsigned)w->ran : cti_team_ballot(w->ran);
  int n = w->end - w->first;
  if (n <= 0) return false;
  unsigned all = 0xffffffffu >> (32 - (n < CT_TEAM ? n : CT_TEAM));
  if (w->done == all) {
    w->first += CT_TEAM;
    w->done = 0;
    if (w->first >= w->end) return false;
  }
  w->i = w->first + CT_LANE;
  bool open = w->i < w->end && !(w->done >> CT_LANE & 1);
  int up = open ? parent[w->i] - w->first : 0;
  // the world is its own parent
  w->ready = w->ran = open && (up < 0 || up >= CT_LANE || (w->done >> up & 1));
  return true;
}
#define CTI_EACH_OUTWARD(i, spans, parent)                                                       \
  for (int i##_span = 0; i##_span < (spans).n; i##_span++)                                       \
    for (ctiWave i##_wave = cti_wave((spans).at[i##_span]); cti_wave_next(&i##_wave, (parent));) \
      for (int i = i##_wave.i; i##_wave.ready; i##_wave.ready = false)
#else
#define CTI_EACH_OUTWARD(i, spans, parent) CTI_EACH(i, spans)
#endif

// Loop over the ids up to `count` that are in no span: over those that sleep.
#define CTI_EACH_ASLEEP(i, spans, count)                                          \
  for (int i##_gap = 0; i##_gap <= (spans).n; i##_gap++)                          \
    for (int i = i##_gap > 0 ? (spans).at[i##_gap - 1].end : 0,                   \
             i##_end = i##_gap < (spans).n ? (spans).at[i##_gap].begin : (count); \
         i < i##_end; i++)

// Loop over the spans themselves.
#define CTI_EACH_SPAN(s, spans) \
  for (const ctiSpan *s = (spans).at, *s##_last = s + (spans).n; s < s##_last; s++)

CT_INLINE const ctiAwake* cti_awake(const ctData* d) {
  return &cti_data_const(d)->awake;
}

CT_INLINE bool cti_sleep_enabled(const ctModel* m) {
  return (m->opt.enableflags & CT_ENBL_SLEEP) != 0;
}

// Is anything asleep?
CT_INLINE bool cti_some_asleep(const ctModel* m, const ctData* d) {
  return d->ntree_awake < m->ntree;
}

// Entries of trees that sleep stay what they are from step to step, so a step need not write them again,
// unless somebody may have changed them, somebody reads them, or the set of those asleep has just changed.
CT_INLINE bool cti_whole_arrays(const ctData* d) {
  const ctiAwake* awake = cti_awake(d);
  return awake->edited || awake->shown || awake->changed;
}

// Does the step call functions of the user, which read the data?
CT_INLINE bool cti_calls_user(const ctModel* m) {
  const ctCallbacks* user = &m->user;
  return user->control || user->passive || user->sensor || user->dyn || user->gain || user->bias ||
         user->contact_filter;
}

// Before step `i` of `n` that follow each other: the caller may have written to the data before the first of
// them, and reads it after the last, or in functions of the user's.
CT_INLINE void cti_step_of(const ctModel* m, ctData* d, int i, int n) {
  ctiAwake* awake = &cti_data(d)->awake;
  // two of the functions get the data to write to
  if (i == 0 || m->user.control || m->user.passive) awake->edited = true;
  awake->shown = i == n - 1 || cti_calls_user(m);
}

// ---- vectors over the dofs that are awake, by a team ----

CT_INLINE void cti_awake_zero(ctReal* x, const ctData* d) {
  CTI_EACH_SPAN(s, cti_awake(d)->dof) cti_team_zero(x + s->begin, s->end - s->begin);
}
CT_INLINE void cti_awake_copy(ctReal* to, const ctReal* from, const ctData* d) {
  CTI_EACH_SPAN(s, cti_awake(d)->dof) cti_team_copy(to + s->begin, from + s->begin, s->end - s->begin);
}
// to = a + b
CT_INLINE void cti_awake_add(ctReal* to, const ctReal* a, const ctReal* b, const ctData* d) {
  CTI_EACH_SPAN(s, cti_awake(d)->dof)
  cti_team_sum(to + s->begin, a + s->begin, b + s->begin, s->end - s->begin);
}
CT_INLINE void cti_awake_add_to(ctReal* to, const ctReal* x, const ctData* d) {
  CTI_EACH_SPAN(s, cti_awake(d)->dof) cti_team_add_to(to + s->begin, x + s->begin, s->end - s->begin);
}

// What each body carries is added to what its parent does, `n` numbers each, from the outermost inward; the
// world takes part with `world`. A lane has one of the numbers, of all bodies.
CT_INLINE void cti_add_inward(ctReal* x, int n, bool world, const int* parent, ctiSpans bodies) {
  if (CT_TEAM > 1) {
    CT_LANES(k, n) {
      CTI_EACH_DOWN(i, bodies) {
        const int to = parent[i];
        if (world || to > 0) x[n * to + k] += x[n * i + k];
      }
    }
    CT_TEAM_SYNC();
    return;
  }
  CTI_EACH_DOWN(i, bodies) {
    if (world || parent[i] > 0) cti_add_to(x + n * parent[i], x + n * i, n);
  }
}
CT_INLINE void cti_awake_add_inward(ctReal* x, int n, bool world, const ctModel* m, const ctData* d) {
  cti_add_inward(x, n, world, m->body_parentid, cti_awake(d)->body);
}

// ---- the state of things, by that of their trees: CT_STATIC, CT_ASLEEP or CT_AWAKE ----

CT_FN int cti_tree_state(const ctData* d, int tree);
CT_FN int cti_tendon_state(const ctModel* m, const ctData* d, int tendon);
// The bodies of the vertices of a deformable, or of the nodes of its cage.
CT_FN const int* cti_flex_bodies(const ctModel* m, int flex, int* n);
// Awake where one of its vertices or nodes is.
CT_FN int cti_flex_state(const ctModel* m, const ctData* d, int flex);
// Of one of the two objects of an equality.
CT_FN int cti_equality_state(const ctModel* m, const ctData* d, int eq, int object);

// The tree of an object of an equality; -1: none, also for tendons.
CT_FN int cti_equality_tree(const ctModel* m, int eq, int object);

// ---- the lists ----

// Make all lists anew from d->tree_asleep and the sleep flag. Without the flag every tree is awake.
CT_FN void cti_awake_rebuild(const ctModel* m, ctData* d);

// Hold d->tree_asleep, which a caller may have written, against the lists: trees that are in no cycle are
// awake, and the lists are made again where they say something else.
CT_FN void cti_awake_check(const ctModel* m, ctData* d);

// Spans over everything, static bodies too, whatever sleeps: for what is computed once. cti_awake_rebuild()
// brings the lists back.
CT_FN void cti_awake_everything(const ctModel* m, ctData* d);

// The tree and, when it sleeps, all trees of its cycle are awake, with the counter at `count`; one that is
// awake takes the smaller counter. Returns the number of trees that slept. The lists are not rebuilt.
CT_FN int cti_wake_tree(const ctModel* m, ctData* d, int tree, int count);

// From here on a step can be undone: whoever it wakes sleeps again after cti_awake_undo().
CT_INLINE void cti_awake_mark(ctData* d) {
  cti_data(d)->awake.has_before = false;
}
// Of a step that ran out of arena, so that taking it again gives the same.
CT_FN void cti_awake_undo(const ctModel* m, ctData* d);
