// The body tree. The lists of a body keep their order, so a frame whose parts are not neighbours in every
// list is opened more than once; only the first time has its name.
#include <math.h>
#include <string.h>

#include "mjcf/write.h"
#include "spec/defaults.h"

// How far the lists of a body are written: joints, geoms, sites, cameras, lights; then bodies.
enum { BODY_LIST = 5, LIST_COUNT };

typedef struct Progress {
  int at[LIST_COUNT];
  bool* opened;  // which frames have been
} Progress;

// An open element: a body, or a frame in it.
typedef struct Level {
  ctiBody* body;
  int id;                 // of the body
  const ctiFrame* frame;  // NULL: the body itself
  Progress* progress;
  const char* class_;  // that holds here
} Level;

static ctiElement* next_in(const Level* l, int list) {
  ctiBody* b = l->body;
  int i = 0, at = l->progress->at[list];
#define X(record, list_, template_) \
  if (list == i++) return at < b->list_.count ? &b->list_.data[at]->head : NULL;
  CTI_BODY_LISTS(X)
#undef X
  return at < b->bodies.count ? &b->bodies.data[at]->head : NULL;
}

// The frame directly inside the level that `e` stands in; NULL when it stands in none, or elsewhere.
static const ctiFrame* frame_inside(const Level* l, const ctiElement* e) {
  for (const ctiFrame* f = e->frame; f; f = f->head.frame) {
    if (f->head.frame == l->frame) return f == l->frame ? NULL : f;
  }
  return NULL;
}

static void write_childclass(ctiWriter* w, const char* childclass, const char** around) {
  if (!childclass || strcmp(childclass, *around) == 0) return;
  cti_write_text_attr(w, "childclass", childclass);
  *around = childclass;
}

// ---- parts

// A joint as <freejoint> takes no defaults; only that form can say whether its frame is aligned.
static void write_joint(ctiWriter* w, const ctiElement* e, const char* around) {
  ctiJoint j = *(const ctiJoint*)(const void*)e;
  cti_write_settle_joint(w, &j);
  bool free_form = e->attrs == &cti_attrs_freejoint;
  if (!free_form && j.align != CTI_AUTO && !w->err->status) {
    cti_spec_error(w->err, CT_ERR_UNSUPPORTED, e,
                   "cannot be written: alignfree differs between the parts of the model, and only a "
                   "<freejoint> can say it; make it one");
  }
  cti_write_attrs(w, e->attrs, &j, free_form ? &w->spec->plain.joint : &cti_write_class_of(w, e)->joint,
                  around);
}

static void write_geom(ctiWriter* w, const ctiElement* e, const char* around) {
  ctiGeom g = *(const ctiGeom*)(const void*)e;
  cti_write_settle_orient(w, e, &g.orient);
  cti_write_attrs(w, e->attrs, &g, &cti_write_class_of(w, e)->geom, around);
}

static void write_site(ctiWriter* w, const ctiElement* e, const char* around) {
  ctiSite s = *(const ctiSite*)(const void*)e;
  cti_write_settle_orient(w, e, &s.orient);
  cti_write_attrs(w, e->attrs, &s, &cti_write_class_of(w, e)->site, around);
}

static void write_camera(ctiWriter* w, const ctiElement* e, const char* around) {
  ctiCamera c = *(const ctiCamera*)(const void*)e;
  cti_write_settle_orient(w, e, &c.orient);
  cti_write_attrs(w, e->attrs, &c, &cti_write_class_of(w, e)->camera, around);
}

static void write_light(ctiWriter* w, const ctiElement* e, const char* around) {
  cti_write_attrs(w, e->attrs, e, &cti_write_class_of(w, e)->light, around);
}

static void (*const writers[BODY_LIST])(ctiWriter* w, const ctiElement* e, const char* around) = {
    write_joint, write_geom, write_site, write_camera, write_light};

// ---- bodies and frames

// Mass and inertia as they were compiled.
static void use_compiled(const ctiWriter* w, ctiInertial* i, int id) {
  const ctModel* m = w->model;
  i->mass = (double)m->body_mass[id];
  i->fullinertia[0] = NAN;
  i->orient.form = CTI_ORIENT_QUAT;
  for (int k = 0; k < 4; k++) i->orient.quat[k] = (double)m->body_iquat[4 * id + k];
  for (int k = 0; k < 3; k++) {
    i->pos[k] = (double)m->body_ipos[3 * id + k];
    i->diaginertia[k] = (double)m->body_inertia[3 * id + k];
  }
}

// In the frame it stands in; what was compiled is in the body.
static void write_inertial(ctiWriter* w, const ctiBody* body, const ctiFrame* frame, int id) {
  bool compiled = w->model && cti_write_explicit_inertia(w, body);
  if (frame != (compiled ? NULL : body->inertial.head.frame)) return;
  if (!compiled && !body->has_inertial) return;
  ctiBody plain;
  cti_default_body(&plain);
  ctiInertial i = body->inertial;
  cti_write_settle_orient(w, &body->inertial.head, &i.orient);
  if (compiled) use_compiled(w, &i, id);
  // a full inertia says everything
  if (!isnan(i.fullinertia[0])) {
    memcpy(i.diaginertia, plain.inertial.diaginertia, sizeof(i.diaginertia));
    i.orient = plain.inertial.orient;
  }
  cti_write_begin(w, "inertial");
  cti_write_attrs(w, &cti_attrs_inertial, &i, &plain.inertial, NULL);
  cti_write_end(w, "inertial");
}

static bool open_body(ctiWriter* w, Level* l, ctiBody* body, int id) {
  *l = (Level){.body = body, .class_ = l->class_, .progress = CTI_NEW(w->region, Progress)};
  if (l->progress) l->progress->opened = CTI_NEW_ARRAY(w->region, bool, body->frames.count);
  if (!l->progress || !l->progress->opened) return false;
  cti_write_begin(w, body->parent ? "body" : "worldbody");
  if (!body->parent) return true;
  ctiBody plain, b = *body;
  cti_default_body(&plain);
  cti_write_settle_orient(w, &body->head, &b.orient);
  cti_write_attrs(w, &cti_attrs_body, &b, &plain, NULL);
  write_childclass(w, body->childclass, &l->class_);
  l->id = id;
  write_inertial(w, body, NULL, id);
  return true;
}

static void open_frame(ctiWriter* w, Level* l, const ctiFrame* frame) {
  ctiFrame plain, f = *frame;
  cti_default_frame(&plain);
  const bool again = l->progress->opened[frame->index];
  if (again) f.head.name = NULL;
  l->progress->opened[frame->index] = true;
  l->frame = frame;
  cti_write_settle_orient(w, &frame->head, &f.orient);
  cti_write_begin(w, "frame");
  cti_write_attrs(w, &cti_attrs_frame, &f, &plain, NULL);
  write_childclass(w, frame->childclass, &l->class_);
  if (!again) write_inertial(w, l->body, frame, l->id);
}

// What stands directly in the level, as far as the order allows.
static void write_parts(ctiWriter* w, const Level* l) {
  for (int i = 0; i < BODY_LIST; i++) {
    for (const ctiElement* e; (e = next_in(l, i)) && e->frame == l->frame; l->progress->at[i]++) {
      cti_write_begin(w, e->tag);
      writers[i](w, e, l->class_);
      cti_write_end(w, e->tag);
    }
  }
}

// The first frame inside the level that some list goes on with; of frames without parts, once that is done.
static const ctiFrame* next_frame(const Level* l, int lists) {
  const ctiFrame* found = NULL;
  for (int i = 0; i < lists; i++) {
    const ctiElement* e = next_in(l, i);
    const ctiFrame* f = e ? frame_inside(l, e) : NULL;
    if (f && (!found || f->index < found->index)) found = f;
  }
  return found;
}

// Whether a body that is still to be written stands in the frame.
static bool holds_bodies(const Level* l, const ctiFrame* frame) {
  for (int i = l->progress->at[BODY_LIST]; frame && i < l->body->bodies.count; i++) {
    if (frame_inside(l, &l->body->bodies.data[i]->head) == frame) return true;
  }
  return false;
}

static const ctiFrame* empty_frame(const Level* l) {
  for (int i = 0; i < l->body->frames.count; i++) {
    const ctiFrame* f = l->body->frames.data[i];
    if (f->head.frame == l->frame && !l->progress->opened[i]) return f;
  }
  return NULL;
}

ctStatus cti_write_tree(ctiWriter* w) {
  CTI_ARRAY(Level) stack = {0};
  const ctAllocator* a = cti_region_allocator(w->region);
  Level at = {.class_ = "main"};
  int id = 0;
  if (!open_body(w, &at, w->spec->world, id++)) return cti_error_memory(w->err);
  for (;;) {
    Level inside = at;
    write_parts(w, &at);
    ctiElement* body = next_in(&at, BODY_LIST);
    const ctiFrame* frame = next_frame(&at, BODY_LIST);
    bool here = body && body->frame == at.frame;
    // a frame waits for the bodies before its own, so that it is opened once: scaled parts belong together
    if (here && holds_bodies(&at, frame)) frame = NULL;
    if (!frame && !here) frame = next_frame(&at, LIST_COUNT);
    if (!frame && !here) frame = empty_frame(&at);
    if (frame) {
      open_frame(w, &inside, frame);
    } else if (here) {
      at.progress->at[BODY_LIST]++;
      if (!open_body(w, &inside, (ctiBody*)(void*)body, id++)) return cti_error_memory(w->err);
    } else {
      cti_write_end(w, at.frame ? "frame" : at.body->parent ? "body" : "worldbody");
      if (stack.count == 0) return CT_OK;
      at = stack.data[--stack.count];
      continue;
    }
    if (cti_array_push(&stack, a, at) != CT_OK) return cti_error_memory(w->err);
    at = inside;
  }
}
