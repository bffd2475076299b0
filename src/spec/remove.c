// Removal, with everything that refers to what is removed.
#include "spec/graft.h"
#include "spec/walk.h"

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
#define KEEP_OUTSIDE(list)                                                   \
  {                                                                          \
    int kept = 0;                                                            \
    for (int i = 0; i < body->list.count; i++) {                             \
      if (cti_within_frame(body->list.data[i]->head.frame, frame)) continue; \
      body->list.data[kept++] = body->list.data[i];                          \
    }                                                                        \
    body->list.count = kept;                                                 \
  }
  KEEP_OUTSIDE(bodies)
#define X(record, list, template_) KEEP_OUTSIDE(list)
  CTI_BODY_LISTS(X)
#undef X
#undef KEEP_OUTSIDE
  if (body->has_inertial && body->inertial.head.frame && cti_within_frame(body->inertial.head.frame, frame))
    body->has_inertial = false;
  int kept = 0;
  for (int i = 0; i < body->frames.count; i++) {
    ctiFrame* f = body->frames.data[i];
    if (cti_within_frame(f, frame)) continue;
    f->index = kept;
    body->frames.data[kept++] = f;
  }
  body->frames.count = kept;
}

ctStatus ct_spec_remove(ctSpec* spec, ctElement* element, ctError* err) {
  ctiElement* e = (ctiElement*)element;
  if (!spec || !e)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_remove: spec and element must not be NULL");
  if (e == &spec->world->head) return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_remove: the world stays");
  bool frame = e->attrs == &cti_attrs_frame, body = !frame && cti_element_is_body(e);
  ctiGraft g = {.to = spec, .from = spec, .prefix = "", .suffix = ""};
  if (body) g.what = (ctiBody*)(void*)e;
  if (frame) {
    g.what = (ctiBody*)(uintptr_t)e->parent;
    g.only = (const ctiFrame*)(void*)e;
    g.contents = true;
  }
  ctiGraftWork w = {.g = &g, .err = err, .scratch = cti_region_create(&spec->allocator)};
  if (!w.scratch) return cti_error_memory(err);
  for (int i = 0; i < CT_OBJ_COUNT; i++) cti_names_init(&w.names[i], cti_region_allocator(w.scratch));
  ctObjType type = ct_element_type(element);
  ctStatus status = CT_OK;
  if (g.what) {
    status = cti_graft_note_tree(&w);
  } else if (type != CT_OBJ_UNKNOWN && !cti_is_asset((int)type)) {
    status = cti_graft_note(&w, (int)type, e);
  }
  if (status == CT_OK) status = cti_graft_remove_referring(&w, false);
  cti_region_free(w.scratch);
  if (status != CT_OK) return status;
  if (frame) {
    unlink_frame((const ctiFrame*)(void*)e);
  } else if (e->parent) {
    unlink_part(e);
  } else {
    unlink_flat(spec, e);
  }
  return CT_OK;
}
