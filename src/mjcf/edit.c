// Adding elements by code: they go the same way as those of a file.
#include <stdio.h>
#include <string.h>

#include "mjcf/reader.h"
#include "spec/walk.h"
#include "transform/keyframes.h"

// What an edit may change, to go back to when it fails. Lists only ever grow or are replaced: the old ones
// are intact.
typedef struct Before {
  ctSpec spec;
  ctiBody body;
  ctiTendon tendon;
  ctiTuple tuple;
  ctiSkin skin;
  ctiMaterial material;
} Before;

// Where an element is added: a parent, taken apart.
typedef struct Target {
  ctSpec* spec;
  ctiElement* parent;
  ctiBody* body;          // of a parent in the body tree
  const ctiFrame* frame;  // NULL when the parent is the body itself
  ctiTendon* tendon;
  ctiTuple* tuple;
  ctiSkin* skin;
  ctiMaterial* material;
} Target;

static Target target_of(ctSpec* spec, ctiElement* parent) {
  Target t = {.spec = spec, .parent = parent};
  if (!parent) return t;
  void* record = parent;
  if (cti_element_is_body(parent)) t.body = record;
  if (parent->attrs == &cti_attrs_frame) {
    t.frame = record;
    t.body = (ctiBody*)(uintptr_t)parent->parent;
  }
  if (parent->attrs == &cti_attrs_spatial || parent->attrs == &cti_attrs_fixed) t.tendon = record;
  if (parent->attrs == &cti_attrs_tuple) t.tuple = record;
  if (parent->attrs == &cti_attrs_skin) t.skin = record;
  if (parent->attrs == &cti_attrs_material) t.material = record;
  return t;
}

static void save(Before* b, const Target* t) {
  b->spec = *t->spec;
  if (t->body) b->body = *t->body;
  if (t->tendon) b->tendon = *t->tendon;
  if (t->tuple) b->tuple = *t->tuple;
  if (t->skin) b->skin = *t->skin;
  if (t->material) b->material = *t->material;
}

static void go_back(const Before* b, const Target* t) {
  // texts may stay: nothing refers to them
  const ctiStrings strings = t->spec->strings;
  const ctiNameMap classes = t->spec->class_ids;
  const bool same = t->spec->classes.count == b->spec.classes.count;
  *t->spec = b->spec;
  t->spec->strings = strings;
  t->spec->class_ids = classes;
  // without memory for an index the old one serves: it knows more classes than there are
  if (!same && cti_spec_index_classes(t->spec) != CT_OK) t->spec->class_ids = classes;
  if (t->body) *t->body = b->body;
  if (t->tendon) *t->tendon = b->tendon;
  if (t->tuple) *t->tuple = b->tuple;
  if (t->skin) *t->skin = b->skin;
  if (t->material) *t->material = b->material;
}

// The default class that holds in a body, or in a frame of it.
static const char* class_at(const ctiBody* body, const ctiFrame* frame) {
  for (; frame; frame = frame->head.frame) {
    if (frame->childclass) return frame->childclass;
  }
  return body->childclass;
}

// The place in the language that the children of a target have; NULL when it has none.
static const ctiSchema* schema_of(const Target* t, ctiXml* holder) {
  const ctiSchema* tendons = cti_schema_child(&cti_schema_root, "tendon");
  holder->name = t->parent ? t->parent->tag : "mujoco";
  if (t->frame) return &cti_schema_frame;
  if (t->body) return t->body->parent ? &cti_schema_body : cti_schema_child(&cti_schema_root, "worldbody");
  if (t->tendon) return cti_schema_child(tendons, t->parent->tag);
  if (t->tuple) return cti_schema_child(cti_schema_child(&cti_schema_root, "custom"), "tuple");
  if (t->skin) return cti_schema_child(cti_schema_child(&cti_schema_root, "deformable"), "skin");
  if (t->material) return cti_schema_child(cti_schema_child(&cti_schema_root, "asset"), "material");
  return t->parent ? NULL : &cti_schema_root;
}

static ctStatus read_children(ctiReader* r, const Target* t, const ctiXml* holder) {
  if (t->body) {
    // a body may have one of these; the file's own rule looks at one text only
    if (cti_xml_child(holder, "inertial") && t->body->has_inertial)
      return cti_xml_error(r->err, CT_ERR_INVALID, holder->first, NULL, "the body has an <inertial> already");
    return cti_mjcf_read_tree(r, holder, t->body, t->frame, class_at(t->body, t->frame));
  }
  if (t->material) return cti_mjcf_read_layers(r, holder, t->material);
  for (const ctiXml* e = holder->first; e && t->parent; e = e->next) {
    if (t->tendon) CT_TRY(cti_mjcf_read_wrap(r, e, t->tendon));
    if (t->tuple) CT_TRY(cti_mjcf_read_tuple_item(r, e, t->tuple));
    if (t->skin) CT_TRY(cti_mjcf_read_bone(r, e, t->skin));
  }
  return t->parent ? CT_OK : cti_mjcf_read_sections(r, holder);
}

// Read what stands in `holder` into the target, or change nothing.
static ctStatus read_in(ctElement** out, const Target* t, ctiXml* holder, ctError* err) {
  const ctiSchema* schema = schema_of(t, holder);
  if (!schema)
    return cti_spec_error(err, CT_ERR_INVALID, t->parent, "nothing can be added to <%s>", t->parent->tag);
  CT_TRY(cti_mjcf_validate_in(holder, schema, &t->spec->allocator, err));
  const ctiOrigin origin = {NULL, NULL};
  const ctLoadOptions opt = {.allocator = &t->spec->allocator, .vfs = t->spec->vfs};
  ctiReader r = {.spec = t->spec, .err = err, .opt = &opt, .origin = &origin};
  Before before;
  save(&before, t);
  ctStatus status = read_children(&r, t, holder);
  for (int i = 0; i < r.models.count; i++) ct_spec_free(r.models.data[i].spec);
  cti_keys_settle(t->spec);
  if (status != CT_OK) {
    go_back(&before, t);
  } else if (out) {
    *out = (ctElement*)r.first;
  }
  return status;
}

ctStatus ct_spec_add_xml(ctElement** out, ctSpec* spec, ctElement* parent, const char* text, size_t len,
                         ctError* err) {
  if (out) *out = NULL;
  if (!spec || !text)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_add_xml: spec and text must not be NULL");
  ctiXmlDoc* doc;
  CT_TRY(cti_xml_parse(&doc, text, len, NULL, NULL, &spec->allocator, err));
  ctiXml holder = {.file = "<string>", .first = doc->root};
  doc->root->parent = &holder;
  const Target t = target_of(spec, (ctiElement*)parent);
  ctStatus status = read_in(out, &t, &holder, err);
  cti_xml_free(doc);
  return status;
}

// Names and values in turn, as attributes. NULL when memory runs out.
static ctiXmlAttr* make_attrs(const char* const* attrs, int* count, const ctSpec* spec) {
  int n = 0;
  while (attrs && attrs[2 * n] && attrs[2 * n + 1]) n++;
  ctiXmlAttr* made = cti_alloc_array(&spec->allocator, (size_t)n + 1, sizeof(ctiXmlAttr));
  for (int i = 0; made && i < n; i++) made[i] = (ctiXmlAttr){.name = attrs[2 * i], .value = attrs[2 * i + 1]};
  *count = n;
  return made;
}

ctStatus ct_spec_add(ctElement** out, ctSpec* spec, ctElement* parent, const char* tag,
                     const char* const* attrs, ctError* err) {
  if (out) *out = NULL;
  if (!spec || !tag) return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_add: spec and tag must not be NULL");
  const char* slash = strchr(tag, '/');
  if (!parent && !slash) {
    return cti_error(err, CT_ERR_ARGUMENT,
                     "ct_spec_add: \"%s\" needs a parent, or a section: \"actuator/motor\", \"asset/mesh\"",
                     tag);
  }
  char section[64];
  snprintf(section, sizeof(section), "%.*s", slash ? (int)(slash - tag) : 0, tag);
  ctiXml e = {.name = slash ? slash + 1 : tag, .file = "<spec>"};
  ctiXml middle = {.name = section, .file = "<spec>", .first = &e};
  ctiXml holder = {.file = "<spec>", .first = parent ? &e : &middle};
  e.parent = parent ? &holder : &middle;
  middle.parent = &holder;
  if (!(e.attrs = make_attrs(attrs, &e.nattr, spec))) return cti_error_memory(err);
  const Target t = target_of(spec, (ctiElement*)parent);
  ctStatus status = read_in(out, &t, &holder, err);
  cti_release(&spec->allocator, e.attrs);
  return status;
}
