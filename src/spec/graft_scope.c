// Which elements a copy takes along.
#include <string.h>

#include "spec/graft.h"
#include "spec/remark.h"

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

// A station of a tendon counts once: its geom goes with its side site.
static Tally tally_path(const ctiGraftWork* w, const ctiTendon* tendon) {
  Tally sum = {.w = w};
  for (int i = 0; i < tendon->path.count; i++) {
    ctiElement* station = &tendon->path.data[i]->head;
    Tally t = {.w = w};
    cti_visit_record(station->attrs, station, count_reference, &t);
    sum.outside += t.outside > 0;
    sum.inside += t.outside == 0 && t.inside > 0;
  }
  return sum;
}

static Tally tally(const ctiGraftWork* w, int kind, ctiElement* e) {
  if (kind == CT_OBJ_TENDON) return tally_path(w, (const ctiTendon*)(const void*)e);
  Tally t = {.w = w};
  cti_visit_element(e, count_reference, &t);
  return t;
}

// From one spec to another only what is complete can come along. Within a spec some kinds go on referring to
// what is not copied.
bool cti_graft_takes(const ctiGraftWork* w, int kind, ctiElement* e) {
  if (w->whole) return true;
  Tally t = tally(w, kind, e);
  bool spans =
      kind == CT_OBJ_TENDON || kind == CT_OBJ_PAIR || kind == CT_OBJ_EXCLUDE || kind == CT_OBJ_SENSOR;
  if (!w->foreign && spans && t.inside > 0) return true;
  return t.outside == 0 && (t.inside > 0 || t.world == 0);
}

ctStatus cti_graft_note_referring(ctiGraftWork* w) {
#define X(record, list, kind)                                            \
  for (int i = 0; i < w->g->from->list.count; i++) {                     \
    ctiElement* e = &w->g->from->list.data[i]->head;                     \
    if (cti_graft_takes(w, kind, e)) CT_TRY(cti_graft_note(w, kind, e)); \
  }
  CTI_REFERRING_LISTS(X)
#undef X
  return CT_OK;
}

static void left_behind(const ctiGraftWork* w, const ctiElement* e) {
  cti_remark(w->g->to, CT_LOG_WARNING, e,
             "left out: it refers to what is replicated and to what is not, and cannot be replicated");
}

// Whether a name the element says is one of those that go.
static bool refers(const ctiGraftWork* w, ctiElement* e) {
  Tally t = {.w = w};
  cti_visit_element(e, count_reference, &t);
  return t.inside > 0;
}

// What is removed takes along what refers to it. The old lists stay as they are, for a caller who wants to go
// back.
ctStatus cti_graft_remove_referring(ctiGraftWork* w, bool tell) {
  ctSpec* spec = w->g->to;
#define X(record, list, kind)                                                      \
  {                                                                                \
    CTI_ARRAY(record*) kept = {0};                                                 \
    for (int i = 0; i < spec->list.count; i++) {                                   \
      record* e = spec->list.data[i];                                              \
      if (refers(w, &e->head)) {                                                   \
        if (tell && !cti_graft_takes(w, kind, &e->head)) left_behind(w, &e->head); \
        CT_TRY(cti_graft_note(w, kind, &e->head));                                 \
      } else {                                                                     \
        CTI_TRY_MEMORY(w, cti_array_push(&kept, spec->in_region, e));              \
      }                                                                            \
    }                                                                              \
    spec->list.data = kept.data;                                                   \
    spec->list.count = kept.count;                                                 \
    spec->list.capacity = kept.capacity;                                           \
  }
  CTI_REFERRING_LISTS(X)
#undef X
  return CT_OK;
}
