#include "spec/attach.h"

#include <string.h>

#include "spec/graft.h"
#include "spec/merge.h"
#include "spec/walk.h"

// More elements than this are an accident: replicas of replicas of what refers to nothing double each time.
#define MOST_ELEMENTS 1000000

// ---- the tree

typedef struct Open {
  ctiBody *from, *to;
} Open;
typedef CTI_ARRAY(Open) OpenList;

static ctStatus copy_frames(ctiGraftWork* w, const ctiBody* from, ctiBody* to, const ctiElement* owner,
                            const ctiFrame* base, const ctiFrame* only, const ctiFrame** map) {
  for (int i = 0; i < from->frames.count; i++) {
    const ctiFrame* f = from->frames.data[i];
    if (!cti_within_frame(f, only)) continue;
    ctiFrame* copy;
    const ctiFrame* outer = f == only || !f->head.frame ? base : map[f->head.frame->index];
    CT_TRY(cti_graft_copy(w, &f->head, sizeof(*f), owner, outer, &copy));
    copy->index = to->frames.count;
    map[i] = copy;
    CTI_TRY_MEMORY(w, cti_array_push(&to->frames, w->g->to->in_region, copy));
  }
  return CT_OK;
}

// Copy a body without its contents.
static ctStatus copy_body(ctiGraftWork* w, ctiBody* from, ctiBody* parent, const ctiFrame* frame,
                          ctiBody** out) {
  CT_TRY(cti_graft_copy(w, &from->head, sizeof(*from), &parent->head, frame, out));
  ctiBody* body = *out;
  body->parent = parent;
  body->depth = parent->depth + 1;
  body->head.tag = "body";
  body->inertial.head.parent = &body->head;
  if (body->has_inertial) CT_TRY(cti_graft_adopt_head(w, &body->inertial.head, &body->head, NULL));
  memset(&body->bodies, 0, sizeof(body->bodies));
  memset(&body->frames, 0, sizeof(body->frames));
#define X(record, list, template_) memset(&body->list, 0, sizeof(body->list));
  CTI_BODY_LISTS(X)
#undef X
  return CT_OK;
}

// What stands in `from` (of that, in the frame `only`), into the lists of `to`. The copies belong to `owner`,
// and stand in the frame `base` where they stood in none. Child bodies are left open for their own contents.
static ctStatus copy_contents(ctiGraftWork* w, ctiBody* from, ctiBody* to, ctiBody* owner,
                              const ctiFrame* base, const ctiFrame* only, OpenList* open) {
  const ctiFrame** map = CTI_NEW_ARRAY(w->scratch, const ctiFrame*, from->frames.count);
  if (!map) return cti_error_memory(w->err);
  CT_TRY(copy_frames(w, from, to, &owner->head, base, only, map));
  const ctiFrame* around = from->inertial.head.frame;
  if (to->has_inertial && around) to->inertial.head.frame = map[around->index];
#define X(record, list, template_)                                                                          \
  for (int i = 0; i < from->list.count; i++) {                                                              \
    const ctiElement* e = &from->list.data[i]->head;                                                        \
    record* copy;                                                                                           \
    if (!cti_within_frame(e->frame, only)) continue;                                                        \
    CT_TRY(                                                                                                 \
        cti_graft_copy(w, e, sizeof(record), &owner->head, e->frame ? map[e->frame->index] : base, &copy)); \
    CTI_TRY_MEMORY(w, cti_array_push(&to->list, w->g->to->in_region, copy));                                \
  }
  CTI_BODY_LISTS(X)
#undef X
  for (int i = 0; i < from->bodies.count; i++) {
    ctiBody *child = from->bodies.data[i], *copy;
    if (!cti_within_frame(child->head.frame, only)) continue;
    CT_TRY(copy_body(w, child, owner, child->head.frame ? map[child->head.frame->index] : base, &copy));
    CTI_TRY_MEMORY(w, cti_array_push(&to->bodies, w->g->to->in_region, copy));
    CTI_TRY_MEMORY(w, cti_array_push(open, cti_region_allocator(w->scratch), ((Open){child, copy})));
  }
  return CT_OK;
}

// The copy is made apart and joined to the tree when it is complete: it may stand inside what it is a copy
// of.
static ctStatus copy_tree(ctiGraftWork* w) {
  const ctiGraft* g = w->g;
  ctiBody apart = {0};
  OpenList open = {0};
  if (g->contents) {
    CT_TRY(copy_contents(w, g->what, &apart, g->body, g->frame, g->only, &open));
  } else {
    ctiBody* copy;
    CT_TRY(copy_body(w, g->what, g->body, g->frame, &copy));
    CTI_TRY_MEMORY(w, cti_array_push(&apart.bodies, g->to->in_region, copy));
    CTI_TRY_MEMORY(w, cti_array_push(&open, cti_region_allocator(w->scratch), ((Open){g->what, copy})));
  }
  while (open.count > 0) {
    Open at = open.data[--open.count];
    CT_TRY(copy_contents(w, at.from, at.to, at.to, NULL, NULL, &open));
  }
  for (int i = 0; i < apart.frames.count; i++) apart.frames.data[i]->index += g->body->frames.count;
#define JOIN(list) \
  CTI_TRY_MEMORY(w, cti_array_append(&g->body->list, g->to->in_region, apart.list.data, apart.list.count))
  JOIN(frames);
  JOIN(bodies);
#define X(record, list, template_) JOIN(list);
  CTI_BODY_LISTS(X)
#undef X
#undef JOIN
  return CT_OK;
}

// ---- the flat lists

static ctStatus copy_referring(ctiGraftWork* w) {
  ctSpec *from = w->g->from, *to = w->g->to;
#define X(record, list, kind)                                                            \
  for (int i = 0, n = from->list.count; i < n; i++) {                                    \
    record *source = from->list.data[i], *copy;                                          \
    if (!cti_graft_takes(w, kind, &source->head)) continue;                              \
    CT_TRY(cti_graft_copy(w, &source->head, sizeof(record), NULL, NULL, &copy));         \
    CTI_TRY_MEMORY(w, cti_array_push(&to->list, to->in_region, copy));                   \
    if (to->list.count > MOST_ELEMENTS)                                                  \
      return cti_spec_error(w->err, CT_ERR_LIMIT, &source->head,                         \
                            "attached or replicated more than %d times", MOST_ELEMENTS); \
  }
  CTI_REFERRING_LISTS(X)
#undef X
  return CT_OK;
}

static ctStatus copy_all(ctiGraftWork* w) {
  ctSpec *from = w->g->from, *to = w->g->to;
#define COPY(record, list)                                                                   \
  for (int i = 0; i < from->list.count; i++) {                                               \
    record* copy;                                                                            \
    CT_TRY(cti_graft_copy(w, &from->list.data[i]->head, sizeof(record), NULL, NULL, &copy)); \
    CTI_TRY_MEMORY(w, cti_array_push(&to->list, to->in_region, copy));                       \
  }
  COPY(ctiTexture, textures)
  COPY(ctiMaterial, materials)
  COPY(ctiMeshAsset, meshes)
  COPY(ctiHField, hfields)
  COPY(ctiNumeric, numerics)
  COPY(ctiText, texts)
#undef COPY
  return CT_OK;
}

static ctStatus copy_class(ctiGraftWork* w, const ctiClass* from) {
  ctSpec* to = w->g->to;
  const char* name = cti_graft_rename(w, from->name);
  const char* parent = from->parent ? cti_graft_rename(w, from->parent->name) : "main";
  if (!name || !parent) return cti_error_memory(w->err);
  ctiClass* copy = cti_spec_find_class(to, name);
  if (copy && !w->whole) return CT_OK;
  if (!copy) copy = cti_spec_add_class(to, name, cti_spec_find_class(to, parent));
  if (!copy) return cti_error_memory(w->err);
  ctiClass own = *copy;
  *copy = *from;
  copy->name = own.name;
  copy->parent = own.parent;
  copy->where.file = cti_graft_keep(w, from->where.file);
  if (!w->whole) copy->where = (ctiWhere){0};
  for (int i = 0; i < cti_template_count; i++)
    CT_TRY(
        cti_visit_record(cti_templates[i].attrs, (char*)copy + cti_templates[i].record, cti_graft_adopt, w));
  CT_TRY(cti_visit_layers(&copy->material, cti_graft_adopt, w));
  return cti_visit_record(&cti_attrs_actuator[CTI_SHORTCUT_GENERAL], &copy->actuator, cti_graft_adopt, w);
}

// A keyframe of a copied spec stays as it is; its parts find their elements again.
static ctStatus copy_key_whole(ctiGraftWork* w, const ctiKey* source) {
  ctSpec* to = w->g->to;
  ctiKey* copy;
  CT_TRY(cti_graft_copy(w, &source->head, sizeof(*source), NULL, NULL, &copy));
  memset(&copy->parts, 0, sizeof(copy->parts));
  CTI_TRY_MEMORY(w, cti_key_copy_parts(to, copy, source));
  CTI_TRY_MEMORY(w, cti_array_push(&to->keys, to->in_region, copy));
  return CT_OK;
}

// A keyframe without a name is called as the attachment, while that is free.
static ctStatus name_key(ctiGraftWork* w, ctiKey* copy, const ctiKey* source) {
  const char* name = cti_graft_rename(w, source->head.name ? source->head.name : "");
  if (!name) return cti_error_memory(w->err);
  const ctSpec* to = w->g->to;
  bool unused = name[0] != 0;
  for (int i = 0; i < to->keys.count && !source->head.name; i++)
    unused = unused && !cti_text_equal(to->keys.data[i]->head.name, name);
  copy->head.name = source->head.name || unused ? name : NULL;
  return CT_OK;
}

static ctStatus copy_keys(ctiGraftWork* w) {
  ctSpec *from = w->g->from, *to = w->g->to;
  for (int i = 0; i < from->keys.count; i++) {
    ctiKey* source = from->keys.data[i];
    if (w->whole) {
      CT_TRY(copy_key_whole(w, source));
      continue;
    }
    ctiKey* copy = cti_spec_add_to_keys(to);
    if (!copy) return cti_error_memory(w->err);
    copy->head = source->head;
    copy->time = source->time;
    CT_TRY(cti_graft_adopt_head(w, &copy->head, NULL, NULL));
    CT_TRY(name_key(w, copy, source));
    CTI_TRY_MEMORY(w, cti_key_take_apart(to, copy, from, source, w->scratch));
  }
  return CT_OK;
}

// ---- the whole

ctStatus cti_graft_begin(ctiGraftWork* w, const ctiGraft* g, ctError* err) {
  *w = (ctiGraftWork){.g = g, .foreign = g->from != g->to, .err = err};
  w->scratch = cti_region_create(&g->to->allocator);
  if (!w->scratch) return cti_error_memory(err);
  for (int i = 0; i < CT_OBJ_COUNT; i++) cti_names_init(&w->names[i], cti_region_allocator(w->scratch));
  CT_TRY(cti_graft_note_tree(w));
  return cti_graft_note_referring(w);
}

ctStatus cti_graft_run(ctiGraftWork* w) {
  if (w->foreign) {
    for (int i = 0; i < w->g->from->classes.count; i++) CT_TRY(copy_class(w, w->g->from->classes.data[i]));
    CT_TRY(copy_all(w));
  }
  CT_TRY(copy_tree(w));
  CT_TRY(copy_referring(w));
  if (w->foreign) CT_TRY(copy_keys(w));
  cti_keys_bind(w->g->to, &w->copies, !w->foreign);
  return CT_OK;
}

ctStatus cti_spec_attach(const ctiGraft* graft, ctError* err) {
  ctiGraftWork w;
  ctStatus status = cti_graft_begin(&w, graft, err);
  if (status == CT_OK) status = cti_graft_run(&w);
  cti_region_free(w.scratch);
  return status;
}

// ---- public calls

// Settings, with their texts.
static ctStatus copy_settings(ctiGraftWork* w) {
  const ctSpec* from = w->g->from;
  ctSpec* to = w->g->to;
  to->compiler = from->compiler;
  to->lengthrange = from->lengthrange;
  to->option = from->option;
  to->given_option = from->given_option;
  memcpy(to->given_visual, from->given_visual, sizeof(to->given_visual));
  to->size = from->size;
  to->statistic = from->statistic;
  to->visual = from->visual;
  to->log = from->log;
  to->vfs = from->vfs;
  to->world->head.where.line = from->world->head.where.line;
  to->world->head.where.column = from->world->head.where.column;
  to->world->head.where.file = cti_graft_keep(w, from->world->head.where.file);
  CT_TRY(cti_visit_record(&cti_attrs_compiler, &to->compiler, cti_graft_adopt, w));
  CT_TRY(cti_visit_record(&cti_attrs_size, &to->size, cti_graft_adopt, w));
  to->file = cti_graft_keep(w, from->file);
  to->modelname = cti_graft_keep(w, from->modelname);
  to->compiler.file = to->file;
  return to->file && to->modelname ? CT_OK : cti_error_memory(w->err);
}

ctStatus ct_spec_copy(ctSpec** out, const ctSpec* spec, ctError* err) {
  if (!out || !spec) return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_copy: out and spec must not be NULL");
  *out = NULL;
  ctSpec* copy;
  const ctLoadOptions opt = {.allocator = &spec->allocator};
  CT_TRY(ct_spec_create(&copy, &opt, err));
  ctSpec* from = (ctSpec*)(uintptr_t)spec;
  const ctiGraft graft = {.to = copy,
                          .body = copy->world,
                          .from = from,
                          .what = from->world,
                          .contents = true,
                          .prefix = "",
                          .suffix = ""};
  ctiGraftWork w;
  ctStatus status = cti_graft_begin(&w, &graft, err);
  w.whole = true;
  if (status == CT_OK) status = copy_settings(&w);
  if (status == CT_OK) status = cti_graft_run(&w);
  cti_region_free(w.scratch);
  cti_keys_settle(copy);
  if (status != CT_OK) {
    ct_spec_free(copy);
    return status;
  }
  *out = copy;
  return CT_OK;
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
  ctiGraft g = {.to = spec,
                .body = (ctiBody*)(uintptr_t)(in_frame ? (const void*)at->parent : (const void*)at),
                .frame = in_frame ? (const ctiFrame*)(void*)at : NULL,
                .from = from,
                .what = from->world,
                .contents = !what || of_frame,
                .only = of_frame ? (const ctiFrame*)(void*)what : NULL,
                .prefix = prefix ? prefix : "",
                .suffix = suffix ? suffix : ""};
  if (what) g.what = (ctiBody*)(uintptr_t)(of_frame ? (const void*)what->parent : (const void*)what);
  char complaint[300];
  if (cti_spec_merge(spec, from, complaint, sizeof(complaint)) != CT_OK)
    return cti_error(err, CT_ERR_INVALID, "%s", complaint);
  int nframe = g.body->frames.count;
  CT_TRY(cti_spec_attach(&g, err));
  cti_keys_settle(spec);
  if (out && of_frame) *out = (ctElement*)g.body->frames.data[nframe];
  if (out && what && !of_frame) *out = (ctElement*)g.body->bodies.data[g.body->bodies.count - 1];
  return CT_OK;
}
