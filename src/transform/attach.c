// Copying and removing parts of specs: attach, replicate, copy and remove share one walk over what refers to
// what.
#include "transform/attach.h"

#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "spec/orient.h"
#include "spec/spec.h"
#include "spec/walk.h"
#include "transform/keyframes.h"

// ---- what is copied

// A copy in the making: what attach, replicate, copy and remove share.
typedef struct Copying {
  const ctiAttachment* g;
  bool foreign;  // from another spec
  bool whole;    // a copy of a spec: everything comes along as it is
  bool moves;    // the originals go when all copies are made
  ctiRegion* scratch;
  ctiNameMap names[CT_OBJ_COUNT];  // old names of what is copied, and of what stays behind and is missed
  ctiNameMap there[CT_OBJ_COUNT];  // names of the target, read when the first is asked for
  bool asked;
  ctiCopies copies;
  const ctiCompiler *compiler_from, *compiler_to;  // the last settings copied
  const ctiElement* at;                            // what is being copied
  // of each list: elements that come along, and how many were looked at; each is asked once for all replicas
#define X(record, list, kind)      \
  CTI_ARRAY(record*) taken_##list; \
  int seen_##list;
  CTI_REFERRING_LISTS(X)
#undef X
  ctError* err;
} Copying;

#define TRY_MEMORY(w, expr) \
  if ((expr) != CT_OK) return no_memory(w)

// Memory, or the budget of the target, ran out at the element that is being copied.
static ctStatus no_memory(Copying* w) {
  const ctSpec* to = w->g->to;
  return cti_spec_no_memory(w->err, &to->budget, w->at ? w->at : &to->world->head);
}

// Whether a frame is `only` or inside it; everything is inside NULL.
static bool within_frame(const ctiFrame* frame, const ctiFrame* only) {
  while (only && frame && frame != only) frame = frame->head.frame;
  return frame == only || !only;
}

enum { STAYS, COMES };

static ctStatus note_in(Copying* w, ctiNameMap* names, int kind, const ctiElement* e, int value) {
  if (!e->name) return CT_OK;
  ctStatus status = cti_names_add(&names[kind], e->name, value);
  return status == CT_ERR_MEMORY ? no_memory(w) : CT_OK;
}

static ctStatus note_name(Copying* w, int kind, const ctiElement* e) {
  return note_in(w, w->names, kind, e, COMES);
}

static ctStatus note_body(Copying* w, ctiNameMap* names, const ctiBody* body, const ctiFrame* only) {
#define NOTE(list, kind)                                                         \
  for (int i = 0; i < body->list.count; i++) {                                   \
    const ctiElement* e = &body->list.data[i]->head;                             \
    if (within_frame(e->frame, only)) CT_TRY(note_in(w, names, kind, e, COMES)); \
  }
  NOTE(joints, CT_OBJ_JOINT)
  NOTE(geoms, CT_OBJ_GEOM)
  NOTE(sites, CT_OBJ_SITE)
  NOTE(cameras, CT_OBJ_CAMERA)
  NOTE(lights, CT_OBJ_LIGHT)
#undef NOTE
  return CT_OK;
}

static ctStatus note_bodies(Copying* w, ctiNameMap* names, ctiBody* top) {
  int n;
  ctiBody** bodies = cti_spec_bodies(top, w->scratch, &n);
  if (!bodies) return no_memory(w);
  for (int i = 0; i < n; i++) {
    CT_TRY(note_in(w, names, CT_OBJ_BODY, &bodies[i]->head, COMES));
    CT_TRY(note_body(w, names, bodies[i], NULL));
  }
  return CT_OK;
}

static ctStatus note_tree(Copying* w) {
  ctiBody* top = w->g->what;
  if (!w->g->contents) CT_TRY(note_name(w, CT_OBJ_BODY, &top->head));
  CT_TRY(note_body(w, w->names, top, w->g->only));
  for (int k = 0; k < top->bodies.count; k++) {
    if (within_frame(top->bodies.data[k]->head.frame, w->g->only))
      CT_TRY(note_bodies(w, w->names, top->bodies.data[k]));
  }
  return CT_OK;
}

// Whether the target has something of this name, before anything is copied.
static ctStatus is_there(Copying* w, int kind, const char* name, bool* out) {
  if (!w->asked) {
    const ctSpec* to = w->g->to;
    w->asked = true;
    CT_TRY(note_bodies(w, w->there, to->world));
#define X(record, list, of) \
  for (int i = 0; i < to->list.count; i++) CT_TRY(note_in(w, w->there, of, &to->list.data[i]->head, COMES));
    CTI_REFERRING_LISTS(X)
#undef X
  }
  *out = cti_names_find(&w->there[kind], name) >= 0;
  return CT_OK;
}

// A name with its prefix and suffix, in scratch memory. NULL when memory runs out.
static const char* new_name(Copying* w, const char* name) {
  return cti_region_printf(w->scratch, "%s%s%s", w->g->prefix, name, w->g->suffix);
}

// How the references of an element stand to what is copied.
typedef struct Tally {
  Copying* w;
  int copied, inside;  // to what is copied; also to what the target has under the new name
  int outside, lost;   // to what is neither; of these, what the target has not under the old name either
  int missed, world;   // to what stayed behind and said so; to the world
  int kind;            // the first that is outside
  const char* name;
} Tally;

static ctStatus count_reference(void* context, const ctiAttr* row, int kind, void* at) {
  Tally* t = (Tally*)context;
  Copying* w = t->w;
  const char* name = row->type == CTI_ATTR_NAME ? *(const char**)at : NULL;
  if (!name || kind <= 0 || cti_is_asset(kind)) return CT_OK;
  const int noted = cti_names_find(&w->names[kind], name);
  bool by_new = false, by_old = true;
  if (kind == CT_OBJ_BODY && strcmp(name, "world") == 0) {
    t->world++;
    return CT_OK;
  }
  if (noted != COMES && w->foreign) {
    const char* other = new_name(w, name);
    if (!other) return no_memory(w);
    CT_TRY(is_there(w, kind, other, &by_new));
    CT_TRY(is_there(w, kind, name, &by_old));
  }
  t->copied += noted == COMES;
  t->missed += noted == STAYS;
  t->inside += noted == COMES || by_new;
  if (noted == COMES || by_new) return CT_OK;
  if (t->outside++ == 0) {
    t->kind = kind;
    t->name = name;
  }
  t->lost += !by_old;
  return CT_OK;
}

// A station of a tendon counts once: its geom goes with its side site.
static ctStatus tally_path(Tally* sum, const ctiTendon* tendon) {
  for (int i = 0; i < tendon->path.count; i++) {
    ctiElement* station = &tendon->path.data[i]->head;
    Tally t = {.w = sum->w};
    CT_TRY(cti_visit_record(station->attrs, station, count_reference, &t));
    if (t.outside > 0 && !sum->name) {
      sum->kind = t.kind;
      sum->name = t.name;
    }
    sum->outside += t.outside > 0;
    sum->lost += t.lost > 0 || (sum->w->foreign && t.outside > 0 && t.inside > 0);
    sum->inside += t.outside == 0 && t.inside > 0;
    sum->copied += t.copied > 0;
    sum->missed += t.missed;
  }
  return CT_OK;
}

static ctStatus tally(Tally* t, int kind, ctiElement* e) {
  if (kind == CT_OBJ_TENDON) return tally_path(t, (const ctiTendon*)(const void*)e);
  return cti_visit_element(e, count_reference, t);
}

static bool comes_along(const Tally* t, int kind) {
  bool spans =
      kind == CT_OBJ_TENDON || kind == CT_OBJ_PAIR || kind == CT_OBJ_EXCLUDE || kind == CT_OBJ_SENSOR;
  if (spans && t->inside > 0 && t->lost == 0) return true;
  return t->outside == 0 && (t->inside > 0 || t->world == 0);
}

static bool same_place(const ctiElement* a, const ctiElement* b) {
  return a->where.line > 0 && a->where.line == b->where.line && a->where.column == b->where.column &&
         cti_text_equal(a->where.file, b->where.file);
}

// Whether what refers only to what is there already came with an earlier part of its model.
static bool came_before(const ctSpec* to, int kind, const ctiElement* e) {
#define X(record, list, of)                                  \
  for (int i = 0; kind == of && i < to->list.count; i++) {   \
    if (same_place(&to->list.data[i]->head, e)) return true; \
  }
  CTI_REFERRING_LISTS(X)
#undef X
  return false;
}

// Something that refers to what is copied has no copy.
static void left_behind(const Copying* w, const Tally* t, const ctiElement* e) {
  const char *prefix = w->g->prefix, *suffix = w->g->suffix, *kind = cti_object_word((ctObjType)t->kind);
  if (w->moves) {
    cti_remark(w->g->to, CT_LOG_WARNING, e,
               "left out: it refers to what is replicated and to what is not, and cannot be replicated");
  } else if (!t->name) {
    cti_remark(w->g->to, CT_LOG_WARNING, e,
               "stays behind: all it refers to is in the model that it would be attached to; add it there");
  } else {
    cti_remark(
        w->g->to, CT_LOG_WARNING, e,
        "stays behind: it refers to the %s \"%s\", which is not attached, and there is no \"%s%s%s\" in the "
        "model that it would be attached to",
        kind, t->name, prefix, t->name, suffix);
  }
}

// Whether an element of a section, of a kind, comes along.
static ctStatus takes(Copying* w, int kind, ctiElement* e, bool* out) {
  Tally t = {.w = w};
  *out = w->whole;
  if (w->whole) return CT_OK;
  CT_TRY(tally(&t, kind, e));
  *out = comes_along(&t, kind);
  bool taken = false, again = *out && t.copied == 0 && t.inside > 0;
  if (again) {
    const char* name = e->name ? new_name(w, e->name) : NULL;
    if (e->name && !name) return no_memory(w);
    if (name) CT_TRY(is_there(w, kind, name, &taken));
    *out = !taken && e->where.line > 0 && !came_before(w->g->to, kind, e);
  }
  if (*out || t.copied + t.missed + again == 0 || w->moves) return CT_OK;
  if (again && came_before(w->g->to, kind, e)) return CT_OK;
  left_behind(w, &t, e);
  return note_in(w, w->names, kind, e, STAYS);
}

// Of what was not looked at yet, find what refers to what is copied, and remember its old names.
static ctStatus find_referring(Copying* w) {
  const ctSpec* from = w->g->from;
  const ctAllocator* a = cti_region_allocator(w->scratch);
#define X(record, list, kind)                                            \
  for (int n = from->list.count; w->seen_##list < n; w->seen_##list++) { \
    record* e = from->list.data[w->seen_##list];                         \
    bool taken = false;                                                  \
    CT_TRY(takes(w, kind, &e->head, &taken));                            \
    if (!taken) continue;                                                \
    CT_TRY(note_name(w, kind, &e->head));                                \
    TRY_MEMORY(w, cti_array_push(&w->taken_##list, a, e));               \
  }
  CTI_REFERRING_LISTS(X)
#undef X
  return CT_OK;
}

// Take what refers to the originals out of the lists; with `remark`, remark on what has no copy.
static ctStatus remove_referring(Copying* w, bool remark) {
  ctSpec* spec = w->g->to;
#define X(record, list, kind)                                             \
  {                                                                       \
    CTI_ARRAY(record*) kept = {0};                                        \
    for (int i = 0; i < spec->list.count; i++) {                          \
      record* e = spec->list.data[i];                                     \
      Tally names = {.w = w}, t = {.w = w};                               \
      CT_TRY(cti_visit_element(&e->head, count_reference, &names));       \
      CT_TRY(tally(&t, kind, &e->head));                                  \
      if (names.inside == 0) {                                            \
        TRY_MEMORY(w, cti_array_push(&kept, spec->in_region, e));         \
        continue;                                                         \
      }                                                                   \
      if (remark && !comes_along(&t, kind)) left_behind(w, &t, &e->head); \
      CT_TRY(note_name(w, kind, &e->head));                               \
    }                                                                     \
    spec->list.data = kept.data;                                          \
    spec->list.count = kept.count;                                        \
    spec->list.capacity = kept.capacity;                                  \
  }
  CTI_REFERRING_LISTS(X)
#undef X
  return CT_OK;
}

// ---- copies of records

// A text of the source in the target; a name with its prefix and suffix. NULL when memory runs out.
static const char* keep_text(Copying* w, const char* text) {
  return text ? cti_intern(&w->g->to->strings, text) : NULL;
}

static const char* renamed(Copying* w, const char* name) {
  const char* longer = new_name(w, name);
  return longer ? keep_text(w, longer) : NULL;
}

// Whether a name that is said becomes a new one: what it refers to is copied, too, or is not the target's.
static ctStatus is_renamed(Copying* w, int kind, const char* name, bool* out) {
  *out = kind == CTI_REFERS_SELF;
  if (*out || (kind == CT_OBJ_BODY && strcmp(name, "world") == 0)) return CT_OK;
  const bool in_tree = kind > 0 && !cti_is_asset(kind);
  *out = in_tree ? cti_names_find(&w->names[kind], name) == COMES : w->foreign;
  if (*out || !in_tree || !w->foreign) return CT_OK;
  // of another model: what the target has under the new name goes before what it has under the old
  const char* other = new_name(w, name);
  bool by_old = false;
  if (!other) return no_memory(w);
  CT_TRY(is_there(w, kind, other, out));
  if (!*out) CT_TRY(is_there(w, kind, name, &by_old));
  *out = *out || !by_old;
  return CT_OK;
}

// Bring one member of a record that was copied bit by bit into the target: text, names, lists.
static ctStatus adopt_member(void* context, const ctiAttr* row, int kind, void* at) {
  Copying* w = (Copying*)context;
  if (row->type == CTI_ATTR_LIST && w->foreign) {
    ctiReals* list = (ctiReals*)at;
    double* data = CTI_NEW_ARRAY(w->g->to->region, double, list->count);
    if (!data) return no_memory(w);
    if (list->count > 0) memcpy(data, list->data, (size_t)list->count * sizeof(double));
    list->data = data;
  }
  if (row->type == CTI_ATTR_NAMES) {
    // a list of its own, whose names are visited next
    ctiNames* names = (ctiNames*)at;
    const char** data = CTI_NEW_ARRAY(w->g->to->region, const char*, names->count);
    if (!data) return no_memory(w);
    if (names->count > 0) memcpy(data, names->data, (size_t)names->count * sizeof(*data));
    names->data = data;
  }
  if (row->type != CTI_ATTR_TEXT && row->type != CTI_ATTR_NAME) return CT_OK;
  const char** text = (const char**)at;
  if (!*text) return CT_OK;
  bool named = false;
  if (row->type == CTI_ATTR_NAME && kind != 0) CT_TRY(is_renamed(w, kind, *text, &named));
  *text = named ? renamed(w, *text) : keep_text(w, *text);
  return *text ? CT_OK : no_memory(w);
}

// The settings an element of another spec keeps being compiled with, copied once.
static ctStatus adopt_compiler(Copying* w, const ctiCompiler* from, const ctiCompiler** out) {
  if (from != w->compiler_from) {
    ctiCompiler* c = CTI_NEW(w->g->to->region, ctiCompiler);
    if (!c) return no_memory(w);
    *c = *from;
    CT_TRY(cti_visit_record(&cti_attrs_compiler, c, adopt_member, w));
    c->file = keep_text(w, c->file);
    if (!c->file) return no_memory(w);
    w->compiler_from = from;
    w->compiler_to = c;
  }
  *out = w->compiler_to;
  return CT_OK;
}

// Bring one member of a record that was copied bit by bit into the target.
static ctStatus adopt_head(Copying* w, ctiElement* e, const ctiElement* parent, const ctiFrame* frame) {
  e->parent = parent;
  e->frame = frame;
  if (!w->foreign) return CT_OK;
  if (e->compiler || !w->whole) CT_TRY(adopt_compiler(w, cti_compiler_of(w->g->from, e), &e->compiler));
  const ctiElement old = *e;
  e->tag = keep_text(w, old.tag);
  e->where.file = keep_text(w, old.where.file);
  e->class_ = old.class_ ? renamed(w, old.class_) : NULL;
  bool complete = e->tag && (e->where.file || !old.where.file) && (e->class_ || !old.class_);
  return complete ? CT_OK : no_memory(w);
}

// Names in a file cannot be changed: the skin remembers what they have become.
static ctStatus adopt_bone_names(Copying* w, ctiSkin* skin) {
  if (!skin->file || !w->foreign) return CT_OK;
  skin->bone_names = renamed(w, skin->bone_names ? skin->bone_names : CTI_NAME_IN_FILE);
  return skin->bone_names ? CT_OK : no_memory(w);
}

// Stations, items and bones belong to their element.
static ctStatus adopt_parts(Copying* w, ctiElement* e) {
#define COPY_PARTS(owner, list, record)                                       \
  {                                                                           \
    owner* whole = (owner*)(void*)e;                                          \
    owner old = *whole;                                                       \
    memset(&whole->list, 0, sizeof(whole->list));                             \
    for (int i = 0; i < old.list.count; i++) {                                \
      record* part = CTI_NEW(w->g->to->region, record);                       \
      if (!part) return no_memory(w);                                         \
      *part = *old.list.data[i];                                              \
      CT_TRY(adopt_head(w, &part->head, e, NULL));                            \
      TRY_MEMORY(w, cti_array_push(&whole->list, w->g->to->in_region, part)); \
    }                                                                         \
  }
  if (e->attrs == &cti_attrs_spatial || e->attrs == &cti_attrs_fixed) COPY_PARTS(ctiTendon, path, ctiWrap)
  if (e->attrs == &cti_attrs_tuple) COPY_PARTS(ctiTuple, items, ctiTupleItem)
  if (e->attrs == &cti_attrs_skin) {
    COPY_PARTS(ctiSkin, bones, ctiBone)
    CT_TRY(adopt_bone_names(w, (ctiSkin*)(void*)e));
  }
#undef COPY_PARTS
  return CT_OK;
}

// A copy of the record behind `e`, of `size` bytes, with everything it holds; `out` is the address of a
// pointer to it.
static ctStatus copy_record(Copying* w, const ctiElement* e, size_t size, const ctiElement* parent,
                            const ctiFrame* frame, void* out) {
  ctSpec* to = w->g->to;
  w->at = e;
  if (!w->whole && ++to->copies > to->max_elements)
    return cti_spec_error(w->err, CT_ERR_LIMIT, e,
                          "attaching and replicating makes more than %d elements; max_elements of the load "
                          "options allows more",
                          to->max_elements);
  ctiElement* copy = (ctiElement*)cti_region_alloc(w->g->to->region, size, alignof(max_align_t));
  if (!copy) return no_memory(w);
  memcpy(copy, e, size);
  CT_TRY(adopt_head(w, copy, parent, frame));
  CT_TRY(adopt_parts(w, copy));
  CT_TRY(cti_visit_element(copy, adopt_member, w));
  TRY_MEMORY(w, cti_array_push(&w->copies, cti_region_allocator(w->scratch), ((ctiCopied){e, copy})));
  memcpy(out, &copy, sizeof(copy));
  return CT_OK;
}

// ---- the whole

// ---- the tree

typedef struct Open {
  ctiBody *from, *to;
} Open;
typedef CTI_ARRAY(Open) OpenList;

static ctStatus copy_frames(Copying* w, const ctiBody* from, ctiBody* to, const ctiElement* owner,
                            const ctiFrame* base, const ctiFrame* only, const ctiFrame** map) {
  for (int i = 0; i < from->frames.count; i++) {
    const ctiFrame* f = from->frames.data[i];
    if (!within_frame(f, only)) continue;
    ctiFrame* copy = NULL;
    const ctiFrame* outer = f == only || !f->head.frame ? base : map[f->head.frame->index];
    CT_TRY(copy_record(w, &f->head, sizeof(*f), owner, outer, &copy));
    copy->index = to->frames.count;
    map[i] = copy;
    TRY_MEMORY(w, cti_array_push(&to->frames, w->g->to->in_region, copy));
  }
  return CT_OK;
}

// Copy a body without its contents.
static ctStatus copy_body(Copying* w, ctiBody* from, ctiBody* parent, const ctiFrame* frame, ctiBody** out) {
  CT_TRY(copy_record(w, &from->head, sizeof(*from), &parent->head, frame, out));
  ctiBody* body = *out;
  body->parent = parent;
  body->depth = parent->depth + 1;
  body->head.tag = "body";
  body->inertial.head.parent = &body->head;
  if (body->has_inertial) CT_TRY(adopt_head(w, &body->inertial.head, &body->head, NULL));
  memset(&body->bodies, 0, sizeof(body->bodies));
  memset(&body->frames, 0, sizeof(body->frames));
#define X(record, list, template_) memset(&body->list, 0, sizeof(body->list));
  CTI_BODY_LISTS(X)
#undef X
  return CT_OK;
}

// What stands in `from` (of that, in the frame `only`), into the lists of `to`. The copies belong to `owner`,
// and stand in the frame `base` where they stood in none. Child bodies are left open for their own contents.
static ctStatus copy_contents(Copying* w, ctiBody* from, ctiBody* to, ctiBody* owner, const ctiFrame* base,
                              const ctiFrame* only, OpenList* open) {
  const ctiFrame** map = CTI_NEW_ARRAY(w->scratch, const ctiFrame*, from->frames.count);
  if (!map) return no_memory(w);
  CT_TRY(copy_frames(w, from, to, &owner->head, base, only, map));
  const ctiFrame* around = from->inertial.head.frame;
  if (to->has_inertial && around) to->inertial.head.frame = map[around->index];
#define X(record, list, template_)                                                                          \
  for (int i = 0; i < from->list.count; i++) {                                                              \
    const ctiElement* e = &from->list.data[i]->head;                                                        \
    record* copy = NULL;                                                                                    \
    if (!within_frame(e->frame, only)) continue;                                                            \
    CT_TRY(copy_record(w, e, sizeof(record), &owner->head, e->frame ? map[e->frame->index] : base, &copy)); \
    TRY_MEMORY(w, cti_array_push(&to->list, w->g->to->in_region, copy));                                    \
  }
  CTI_BODY_LISTS(X)
#undef X
  for (int i = 0; i < from->bodies.count; i++) {
    ctiBody *child = from->bodies.data[i], *copy = NULL;
    if (!within_frame(child->head.frame, only)) continue;
    CT_TRY(copy_body(w, child, owner, child->head.frame ? map[child->head.frame->index] : base, &copy));
    TRY_MEMORY(w, cti_array_push(&to->bodies, w->g->to->in_region, copy));
    TRY_MEMORY(w, cti_array_push(open, cti_region_allocator(w->scratch), ((Open){child, copy})));
  }
  return CT_OK;
}

// The copy is made apart and joined to the tree when it is complete: it may stand inside what it is a copy
// of.
static ctStatus copy_tree(Copying* w) {
  const ctiAttachment* g = w->g;
  ctiBody apart = {0};
  OpenList open = {0};
  if (g->contents) {
    CT_TRY(copy_contents(w, g->what, &apart, g->body, g->frame, g->only, &open));
  } else {
    ctiBody* copy = NULL;
    CT_TRY(copy_body(w, g->what, g->body, g->frame, &copy));
    TRY_MEMORY(w, cti_array_push(&apart.bodies, g->to->in_region, copy));
    TRY_MEMORY(w, cti_array_push(&open, cti_region_allocator(w->scratch), ((Open){g->what, copy})));
  }
  while (open.count > 0) {
    Open at = open.data[--open.count];
    CT_TRY(copy_contents(w, at.from, at.to, at.to, NULL, NULL, &open));
  }
  for (int i = 0; i < apart.frames.count; i++) apart.frames.data[i]->index += g->body->frames.count;
#define JOIN(list) \
  TRY_MEMORY(w, cti_array_append(&g->body->list, g->to->in_region, apart.list.data, apart.list.count))
  JOIN(frames);
  JOIN(bodies);
#define X(record, list, template_) JOIN(list);
  CTI_BODY_LISTS(X)
#undef X
#undef JOIN
  return CT_OK;
}

// ---- the flat lists

static ctStatus copy_referring(Copying* w) {
  ctSpec* to = w->g->to;
  CT_TRY(find_referring(w));
#define X(record, list, kind)                                                                  \
  for (int i = 0; i < w->taken_##list.count; i++) {                                            \
    record* copy = NULL;                                                                       \
    CT_TRY(copy_record(w, &w->taken_##list.data[i]->head, sizeof(record), NULL, NULL, &copy)); \
    TRY_MEMORY(w, cti_array_push(&to->list, to->in_region, copy));                             \
  }
  CTI_REFERRING_LISTS(X)
#undef X
  return CT_OK;
}

static ctStatus copy_all(Copying* w) {
  ctSpec *from = w->g->from, *to = w->g->to;
#define COPY(record, list)                                                                \
  for (int i = 0; i < from->list.count; i++) {                                            \
    record* copy = NULL;                                                                  \
    CT_TRY(copy_record(w, &from->list.data[i]->head, sizeof(record), NULL, NULL, &copy)); \
    TRY_MEMORY(w, cti_array_push(&to->list, to->in_region, copy));                        \
  }
  COPY(ctiTexture, textures)
  COPY(ctiMaterial, materials)
  COPY(ctiMeshAsset, meshes)
  COPY(ctiHField, hfields)
  COPY(ctiExtension, extensions)
  COPY(ctiInstance, instances)
  COPY(ctiNumeric, numerics)
  COPY(ctiText, texts)
#undef COPY
  return CT_OK;
}

static ctStatus copy_class(Copying* w, const ctiClass* from) {
  ctSpec* to = w->g->to;
  const char* name = renamed(w, from->name);
  const char* parent = from->parent ? renamed(w, from->parent->name) : "main";
  if (!name || !parent) return no_memory(w);
  ctiClass* copy = cti_spec_find_class(to, name);
  if (copy && !w->whole) return CT_OK;
  if (!copy) copy = cti_spec_add_class(to, name, cti_spec_find_class(to, parent));
  if (!copy) return no_memory(w);
  ctiClass own = *copy;
  *copy = *from;
  copy->name = own.name;
  copy->parent = own.parent;
  copy->where.file = keep_text(w, from->where.file);
  if (!w->whole) copy->where = (ctiWhere){0};
  for (int i = 0; i < cti_template_count; i++)
    CT_TRY(cti_visit_record(cti_templates[i].attrs, (char*)copy + cti_templates[i].record, adopt_member, w));
  CT_TRY(cti_visit_layers(&copy->material, adopt_member, w));
  return cti_visit_record(&cti_attrs_actuator[CTI_SHORTCUT_GENERAL], &copy->actuator, adopt_member, w);
}

// A keyframe of a copied spec stays as it is; its parts find their elements again.
static ctStatus copy_key_whole(Copying* w, const ctiKey* source) {
  ctSpec* to = w->g->to;
  ctiKey* copy = NULL;
  CT_TRY(copy_record(w, &source->head, sizeof(*source), NULL, NULL, &copy));
  memset(&copy->parts, 0, sizeof(copy->parts));
  TRY_MEMORY(w, cti_key_copy_parts(to, copy, source));
  TRY_MEMORY(w, cti_array_push(&to->keys, to->in_region, copy));
  return CT_OK;
}

// A keyframe without a name is called as the attachment, while that is free.
static ctStatus name_key(Copying* w, ctiKey* copy, const ctiKey* source) {
  const char* name = renamed(w, source->head.name ? source->head.name : "");
  if (!name) return no_memory(w);
  const ctSpec* to = w->g->to;
  bool unused = name[0] != 0;
  for (int i = 0; i < to->keys.count && !source->head.name; i++)
    unused = unused && !cti_text_equal(to->keys.data[i]->head.name, name);
  copy->head.name = source->head.name || unused ? name : NULL;
  return CT_OK;
}

static ctStatus copy_keys(Copying* w) {
  ctSpec *from = w->g->from, *to = w->g->to;
  for (int i = 0, n = from->keys.count; i < n; i++) {
    ctiKey* source = from->keys.data[i];
    if (w->whole) {
      CT_TRY(copy_key_whole(w, source));
      continue;
    }
    ctiKey* copy = cti_spec_add_to_keys(to);
    if (!copy) return no_memory(w);
    copy->head = source->head;
    copy->time = source->time;
    CT_TRY(adopt_head(w, &copy->head, NULL, NULL));
    CT_TRY(name_key(w, copy, source));
    TRY_MEMORY(w, cti_key_take_apart(to, copy, from, source, w->scratch));
  }
  return CT_OK;
}

// ---- the whole

static ctStatus begin_copy(Copying* w) {
  const ctiAttachment* g = w->g;
  w->foreign = g->from != g->to;
  w->scratch = cti_region_create(&g->to->allocator);
  if (!w->scratch) return cti_error_memory(w->err);
  for (int i = 0; i < CT_OBJ_COUNT; i++) {
    cti_names_init(&w->names[i], cti_region_allocator(w->scratch));
    cti_names_init(&w->there[i], cti_region_allocator(w->scratch));
  }
  CT_TRY(note_tree(w));
  return find_referring(w);
}

// Find out what is copied; copy it. The caller frees w->scratch, also when begin fails.
static ctStatus run_copy(Copying* w) {
  if (w->foreign) {
    for (int i = 0; i < w->g->from->classes.count; i++) CT_TRY(copy_class(w, w->g->from->classes.data[i]));
    CT_TRY(copy_all(w));
  }
  CT_TRY(copy_tree(w));
  CT_TRY(copy_referring(w));
  const bool keys = w->foreign || w->g->own_keys;
  if (keys) CT_TRY(copy_keys(w));
  cti_keys_bind(w->g->to, &w->copies, !keys, w->foreign);
  return CT_OK;
}

ctStatus cti_spec_attach(const ctiAttachment* attachment, ctError* err) {
  Copying w = {.g = attachment, .err = err};
  ctStatus status = begin_copy(&w);
  if (status == CT_OK) status = run_copy(&w);
  cti_region_free(w.scratch);
  return status;
}

// ---- public calls

// Settings, with their texts.
static ctStatus copy_settings(Copying* w) {
  const ctSpec* from = w->g->from;
  ctSpec* to = w->g->to;
  to->compiler = from->compiler;
  to->lengthrange = from->lengthrange;
  to->option = from->option;
  to->given_option = from->given_option;
  to->given_flag = from->given_flag;
  memcpy(to->given_visual, from->given_visual, sizeof(to->given_visual));
  to->size = from->size;
  to->statistic = from->statistic;
  to->visual = from->visual;
  to->log = from->log;
  to->vfs = from->vfs;
  to->world->head.where.line = from->world->head.where.line;
  to->world->head.where.column = from->world->head.where.column;
  to->world->head.where.file = keep_text(w, from->world->head.where.file);
  CT_TRY(cti_visit_record(&cti_attrs_compiler, &to->compiler, adopt_member, w));
  CT_TRY(cti_visit_record(&cti_attrs_size, &to->size, adopt_member, w));
  to->size.head.where.file = keep_text(w, from->size.head.where.file);
  to->file = keep_text(w, from->file);
  to->modelname = keep_text(w, from->modelname);
  to->compiler.file = to->file;
  return to->file && to->modelname ? CT_OK : no_memory(w);
}

ctStatus ct_spec_copy(ctSpec** out, const ctSpec* spec, ctError* err) {
  if (!out || !spec) return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_copy: out and spec must not be NULL");
  *out = NULL;
  ctSpec* copy;
  const ctLoadOptions opt = {.allocator = &spec->allocator,
                             .max_memory = spec->budget.limit,
                             .max_elements = spec->max_elements,
                             .plugins = spec->plugins,
                             .nplugin = spec->nplugin,
                             .decoders = spec->decoders,
                             .ndecoder = spec->ndecoder,
                             .max_arena = spec->max_arena};
  CT_TRY(ct_spec_create(&copy, &opt, err));
  ctSpec* from = (ctSpec*)(uintptr_t)spec;
  const ctiAttachment attachment = {.to = copy,
                                    .body = copy->world,
                                    .from = from,
                                    .what = from->world,
                                    .contents = true,
                                    .prefix = "",
                                    .suffix = ""};
  Copying w = {.g = &attachment, .whole = true, .err = err};
  ctStatus status = begin_copy(&w);
  if (status == CT_OK) status = copy_settings(&w);
  if (status == CT_OK) status = run_copy(&w);
  cti_region_free(w.scratch);
  cti_keys_forget_sources(copy);
  copy->budget =
      (ctiBudget){.limit = spec->budget.limit, .used = copy->budget.used, .fixed = spec->budget.fixed};
  copy->copies = spec->copies;
  if (status != CT_OK) {
    ct_spec_free(copy);
    return status;
  }
  *out = copy;
  return CT_OK;
}

// What is attached may stand before what keyframes of the spec have numbers for.
static ctStatus keep_keys(ctSpec* spec, ctError* err) {
  ctiRegion* scratch = spec->keys.count > 0 ? cti_region_create(&spec->allocator) : NULL;
  ctStatus status = spec->keys.count > 0 && !scratch ? CT_ERR_MEMORY : CT_OK;
  for (int i = 0; i < spec->keys.count && status == CT_OK; i++)
    status = cti_key_keep(spec, spec->keys.data[i], scratch);
  cti_region_free(scratch);
  return status == CT_OK ? CT_OK : cti_error_memory(err);
}

ctStatus ct_spec_attach(ctElement** out, ctSpec* spec, ctElement* parent, ctSpec* from, ctElement* part,
                        const char* prefix, const char* suffix, ctError* err) {
  if (out) *out = NULL;
  ctiElement *at = (ctiElement*)parent, *what = (ctiElement*)part;
  if (!spec || !at || !from)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_attach: spec, parent and from must not be NULL");
  bool in_frame = at->attrs == &cti_attrs_frame, of_frame = what && what->attrs == &cti_attrs_frame;
  if ((!in_frame && !cti_element_is_body(at)) || (what && !of_frame && !cti_element_is_body(what)))
    return cti_error(err, CT_ERR_ARGUMENT,
                     "ct_spec_attach: bodies and frames can be attached to bodies and frames");
  if (!what && from == spec)
    return cti_error(err, CT_ERR_ARGUMENT,
                     "ct_spec_attach: a spec cannot be attached to itself; choose a part");
  ctiAttachment g = {.to = spec,
                     .body = (ctiBody*)(uintptr_t)(in_frame ? (const void*)at->parent : (const void*)at),
                     .frame = in_frame ? (const ctiFrame*)(void*)at : NULL,
                     .from = from,
                     .what = from->world,
                     .contents = !what || of_frame,
                     .only = of_frame ? (const ctiFrame*)(void*)what : NULL,
                     .own_keys = true,
                     .prefix = prefix ? prefix : "",
                     .suffix = suffix ? suffix : ""};
  if (what) g.what = (ctiBody*)(uintptr_t)(of_frame ? (const void*)what->parent : (const void*)what);
  char complaint[300];
  if (cti_spec_merge(spec, from, complaint, sizeof(complaint)) != CT_OK)
    return cti_error(err, CT_ERR_INVALID, "%s", complaint);
  int nframe = g.body->frames.count;
  if (from != spec) cti_budget_take_over(&spec->budget, &from->budget);
  CT_TRY(keep_keys(spec, err));
  CT_TRY(cti_spec_attach(&g, err));
  cti_keys_forget_sources(spec);
  if (out && of_frame) *out = (ctElement*)g.body->frames.data[nframe];
  if (out && what && !of_frame) *out = (ctElement*)g.body->bodies.data[g.body->bodies.count - 1];
  return CT_OK;
}

// ---- replicating

// A frame for copy `i`: its place follows from the one before, its orientation is i steps of the angles.
static ctiFrame* add_step(ctSpec* spec, const ctiReplication* how, int i, double pos[3]) {
  ctiFrame* frame = cti_spec_add_frame(spec, how->body, how->frame);
  if (!frame) return NULL;
  frame->head.attrs = &cti_attrs_frame;
  frame->head.where = how->at->where;
  frame->childclass = how->childclass;
  frame->orient.form = CTI_ORIENT_EULER;
  for (int k = 0; k < 3; k++) {
    frame->pos[k] = pos[k];
    frame->orient.euler[k] = i * how->euler[k];
  }
  ctReal quat[4], step[3];
  for (int k = 0; k < 3; k++) step[k] = (ctReal)how->offset[k];
  cti_orient_to_quat(quat, &frame->orient, &spec->compiler);
  cti_quat_rotate(step, quat, step);
  for (int k = 0; k < 3; k++) pos[k] += (double)step[k];
  return frame;
}

ctStatus cti_spec_replicate(ctSpec* spec, const ctiReplication* how, ctError* err) {
  char suffix[256];
  double pos[3] = {0, 0, 0};
  int digits = snprintf(NULL, 0, "%d", how->count);
  ctiAttachment attachment = {.to = spec,
                              .from = spec,
                              .body = how->body,
                              .what = how->holder,
                              .contents = true,
                              .prefix = "",
                              .suffix = suffix};
  Copying w = {.g = &attachment, .moves = true, .err = err};
  ctStatus status = begin_copy(&w);
  for (int i = 0; i < how->count && status == CT_OK; i++) {
    snprintf(suffix, sizeof(suffix), "%.200s%0*d", how->sep, digits, i);
    w.copies.count = 0;
    attachment.frame = add_step(spec, how, i, pos);
    w.at = how->at;
    status = attachment.frame ? run_copy(&w) : no_memory(&w);
  }
  if (status == CT_OK) status = remove_referring(&w, true);
  cti_region_free(w.scratch);
  return status;
}

// ---- removing

// With everything that refers to what is removed.

// Take an element out of the list it stands in.
#define UNLINK(list)                                                                \
  for (int i = 0; i < (list).count; i++) {                                          \
    if (&(list).data[i]->head != e) continue;                                       \
    for (int k = i + 1; k < (list).count; k++) (list).data[k - 1] = (list).data[k]; \
    (list).count--;                                                                 \
    break;                                                                          \
  }

static void unlink_flat(ctSpec* spec, const ctiElement* e) {
#define X(record, list, template_) UNLINK(spec->list)
  CTI_SPEC_LISTS(X)
#undef X
#define X(record, list) UNLINK(spec->list)
  CTI_SPEC_PLAIN_LISTS(X)
#undef X
}

static void unlink_part(const ctiElement* e) {
  ctiElement* owner = (ctiElement*)(uintptr_t)e->parent;
  if (owner->attrs == &cti_attrs_tuple) UNLINK(((ctiTuple*)(void*)owner)->items)
  if (owner->attrs == &cti_attrs_skin) UNLINK(((ctiSkin*)(void*)owner)->bones)
  if (owner->attrs == &cti_attrs_spatial || owner->attrs == &cti_attrs_fixed)
    UNLINK(((ctiTendon*)(void*)owner)->path)
  if (!cti_element_is_body(owner)) return;
  ctiBody* body = (ctiBody*)(void*)owner;
  if (e == &body->inertial.head) body->has_inertial = false;
  UNLINK(body->bodies)
#define X(record, list, template_) UNLINK(body->list)
  CTI_BODY_LISTS(X)
#undef X
}

// A frame goes with everything inside it.
static void unlink_frame(const ctiFrame* frame) {
  ctiBody* body = (ctiBody*)(uintptr_t)frame->head.parent;
#define KEEP_OUTSIDE(list)                                               \
  {                                                                      \
    int kept = 0;                                                        \
    for (int i = 0; i < body->list.count; i++) {                         \
      if (within_frame(body->list.data[i]->head.frame, frame)) continue; \
      body->list.data[kept++] = body->list.data[i];                      \
    }                                                                    \
    body->list.count = kept;                                             \
  }
  KEEP_OUTSIDE(bodies)
#define X(record, list, template_) KEEP_OUTSIDE(list)
  CTI_BODY_LISTS(X)
#undef X
#undef KEEP_OUTSIDE
  if (body->has_inertial && body->inertial.head.frame && within_frame(body->inertial.head.frame, frame))
    body->has_inertial = false;
  int kept = 0;
  for (int i = 0; i < body->frames.count; i++) {
    ctiFrame* f = body->frames.data[i];
    if (within_frame(f, frame)) continue;
    f->index = kept;
    body->frames.data[kept++] = f;
  }
  body->frames.count = kept;
}

static void unlink_element(ctSpec* spec, const ctiElement* e) {
  if (e->attrs == &cti_attrs_frame) {
    unlink_frame((const ctiFrame*)(const void*)e);
  } else if (e->parent) {
    unlink_part(e);
  } else {
    unlink_flat(spec, e);
  }
}

static ctStatus check_removal(const ctSpec* spec, const ctiElement* e, const char* call, ctError* err) {
  if (!spec || !e) return cti_error(err, CT_ERR_ARGUMENT, "%s: spec and element must not be NULL", call);
  if (e == &spec->world->head) return cti_error(err, CT_ERR_ARGUMENT, "%s: the world stays", call);
  return CT_OK;
}

ctStatus ct_spec_remove_alone(ctSpec* spec, ctElement* element, ctError* err) {
  CT_TRY(check_removal(spec, (ctiElement*)element, "ct_spec_remove_alone", err));
  unlink_element(spec, (ctiElement*)element);
  return CT_OK;
}

ctStatus ct_spec_remove(ctSpec* spec, ctElement* element, ctError* err) {
  ctiElement* e = (ctiElement*)element;
  CT_TRY(check_removal(spec, e, "ct_spec_remove", err));
  bool frame = e->attrs == &cti_attrs_frame, body = !frame && cti_element_is_body(e);
  ctiAttachment g = {.to = spec, .from = spec, .prefix = "", .suffix = ""};
  if (body) g.what = (ctiBody*)(void*)e;
  if (frame) {
    g.what = (ctiBody*)(uintptr_t)e->parent;
    g.only = (const ctiFrame*)(void*)e;
    g.contents = true;
  }
  Copying w = {.g = &g, .err = err, .scratch = cti_region_create(&spec->allocator)};
  if (!w.scratch) return cti_error_memory(err);
  for (int i = 0; i < CT_OBJ_COUNT; i++) cti_names_init(&w.names[i], cti_region_allocator(w.scratch));
  ctObjType type = ct_element_type(element);
  ctStatus status = CT_OK;
  if (g.what) {
    status = note_tree(&w);
  } else if (type != CT_OBJ_UNKNOWN && !cti_is_asset((int)type)) {
    status = note_name(&w, (int)type, e);
  }
  if (status == CT_OK) status = remove_referring(&w, false);
  cti_region_free(w.scratch);
  if (status == CT_OK) unlink_element(spec, e);
  return status;
}
