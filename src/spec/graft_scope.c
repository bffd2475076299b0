// Which elements a copy takes along.
#include <string.h>

#include "spec/graft.h"

bool cti_within_frame(const ctiFrame* frame, const ctiFrame* only) {
  while (only && frame && frame != only) frame = frame->head.frame;
  return frame == only || !only;
}

ctStatus cti_graft_note(ctiGraftWork* w, int kind, const ctiElement* e) {
  if (!e->name) return CT_OK;
  ctStatus status = cti_names_add(&w->names[kind], e->name, 1);
  return status == CT_ERR_MEMORY ? cti_error_memory(w->err) : CT_OK;
}

static ctStatus note_body(ctiGraftWork* w, const ctiBody* body, const ctiFrame* only) {
#define NOTE(list, kind)                                                      \
  for (int i = 0; i < body->list.count; i++) {                                \
    const ctiElement* e = &body->list.data[i]->head;                          \
    if (cti_within_frame(e->frame, only)) CT_TRY(cti_graft_note(w, kind, e)); \
  }
  NOTE(joints, CT_OBJ_JOINT)
  NOTE(geoms, CT_OBJ_GEOM)
  NOTE(sites, CT_OBJ_SITE)
  NOTE(cameras, CT_OBJ_CAMERA)
  NOTE(lights, CT_OBJ_LIGHT)
#undef NOTE
  return CT_OK;
}

ctStatus cti_graft_note_tree(ctiGraftWork* w) {
  ctiBody* top = w->g->what;
  int n;
  if (!w->g->contents) CT_TRY(cti_graft_note(w, CT_OBJ_BODY, &top->head));
  CT_TRY(note_body(w, top, w->g->only));
  for (int k = 0; k < top->bodies.count; k++) {
    if (!cti_within_frame(top->bodies.data[k]->head.frame, w->g->only)) continue;
    ctiBody** bodies = cti_spec_bodies(top->bodies.data[k], w->scratch, &n);
    if (!bodies) return cti_error_memory(w->err);
    for (int i = 0; i < n; i++) {
      CT_TRY(cti_graft_note(w, CT_OBJ_BODY, &bodies[i]->head));
      CT_TRY(note_body(w, bodies[i], NULL));
    }
  }
  return CT_OK;
}

// How the references of an element stand to what is copied.
typedef struct Tally {
  const ctiGraftWork* w;
  int inside, outside, world;
} Tally;

static ctStatus count_reference(void* context, const ctiAttr* row, int kind, void* at) {
  Tally* t = (Tally*)context;
  const char* name = row->type == CTI_ATTR_NAME ? *(const char**)at : NULL;
  if (!name || kind <= 0 || cti_is_asset(kind)) return CT_OK;
  if (kind == CT_OBJ_BODY && strcmp(name, "world") == 0) {
    t->world++;
  } else if (cti_names_find(&t->w->names[kind], name) >= 0) {
    t->inside++;
  } else {
    t->outside++;
  }
  return CT_OK;
}

static Tally tally(const ctiGraftWork* w, ctiElement* e) {
  Tally t = {.w = w};
  cti_visit_element(e, count_reference, &t);
  return t;
}

bool cti_graft_takes(const ctiGraftWork* w, ctiElement* e) {
  if (w->whole) return true;
  Tally t = tally(w, e);
  return t.outside == 0 && (t.inside > 0 || t.world == 0);
}

ctStatus cti_graft_note_referring(ctiGraftWork* w) {
#define X(record, list, kind)                                      \
  for (int i = 0; i < w->g->from->list.count; i++) {               \
    ctiElement* e = &w->g->from->list.data[i]->head;               \
    if (cti_graft_takes(w, e)) CT_TRY(cti_graft_note(w, kind, e)); \
  }
  CTI_REFERRING_LISTS(X)
#undef X
  return CT_OK;
}

// Take what refers to the originals out of the lists: only what is `whole` cti_within_frame them, or
// everything. What is removed takes along what refers to it. The old lists stay as they are, for a caller who
// wants to go back.
ctStatus cti_graft_remove_referring(ctiGraftWork* w, bool whole) {
  ctSpec* spec = w->g->to;
#define X(record, list, kind)                                         \
  {                                                                   \
    CTI_ARRAY(record*) kept = {0};                                    \
    for (int i = 0; i < spec->list.count; i++) {                      \
      record* e = spec->list.data[i];                                 \
      Tally t = tally(w, &e->head);                                   \
      if (t.inside > 0 && (t.outside == 0 || !whole)) {               \
        CT_TRY(cti_graft_note(w, kind, &e->head));                    \
      } else {                                                        \
        CTI_TRY_MEMORY(w, cti_array_push(&kept, spec->in_region, e)); \
      }                                                               \
    }                                                                 \
    spec->list.data = kept.data;                                      \
    spec->list.count = kept.count;                                    \
    spec->list.capacity = kept.capacity;                              \
  }
  CTI_REFERRING_LISTS(X)
#undef X
  return CT_OK;
}
