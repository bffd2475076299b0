// Default classes: one template a kind of element, nested classes starting as copies of their parents.
#include "mjcf/reader.h"

ctStatus cti_mjcf_read_template(ctiReader* r, const ctiXml* e, ctiClass* class_) {
  for (int i = 0; i < cti_template_count; i++) {
    const ctiTemplate* t = &cti_templates[i];
    if (!cti_text_equal(t->tag, e->name)) continue;
    char* base = (char*)class_;
    CT_TRY(cti_mjcf_read_attrs(r, e, t->attrs, base + t->record, NULL));
    if (t->orient) CT_TRY(cti_mjcf_read_orient(r, e, (ctiOrient*)(void*)(base + t->orient)));
    if (cti_text_equal(e->name, "material")) return cti_mjcf_read_layers(r, e, &class_->material);
    return CT_OK;
  }
  return cti_mjcf_read_actuator_default(r, e, class_);
}

// The class of a <default> element: the one it names, made as a child of `parent`.
static ctStatus open_class(ctiReader* r, const ctiXml* e, ctiClass* parent, ctiClass** out) {
  const ctiXmlAttr* a = cti_xml_find(e, "class");
  const char* name = a && a->value[0] ? a->value : NULL;
  if (!parent) {
    if (name && !cti_text_equal(name, "main")) {
      return cti_xml_error(r->err, CT_ERR_INVALID, e, a,
                           "the top default class is called \"main\", not \"%s\"", name);
    }
    *out = r->spec->classes.data[0];
    return CT_OK;
  }
  if (!name)
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "a nested <default> needs the attribute \"class\"");
  if (cti_spec_find_class(r->spec, name)) {
    return cti_xml_error(r->err, CT_ERR_INVALID, e, a, "default class \"%s\" is defined twice", name);
  }
  *out = cti_spec_add_class(r->spec, name, parent);
  if (!*out) return cti_error_memory(r->err);
  (*out)->where = (ctiWhere){cti_intern(&r->spec->strings, e->file), e->line, e->column};
  return CT_OK;
}

// A class is complete before its nested classes start as copies of it, so each <default> is read when its
// parent's own elements have been: level by level, in document order.
ctStatus cti_mjcf_read_defaults(ctiReader* r, const ctiXml* section) {
  typedef struct {
    const ctiXml* element;
    ctiClass* parent;
  } Open;
  CTI_ARRAY(Open) stack = {0};
  const ctAllocator* a = r->spec->in_region;
  ctStatus status = cti_array_push(&stack, a, ((Open){section, NULL}));
  while (status == CT_OK && stack.count > 0) {
    Open at = stack.data[--stack.count];
    ctiClass* class_ = NULL;
    CT_TRY(open_class(r, at.element, at.parent, &class_));
    for (const ctiXml* e = at.element->first; e; e = e->next) {
      if (!cti_text_equal(e->name, "default")) CT_TRY(cti_mjcf_read_template(r, e, class_));
    }
    // pushed last to first, so that they are read first to last
    int first = stack.count;
    for (const ctiXml* e = at.element->first; e && status == CT_OK; e = e->next) {
      if (cti_text_equal(e->name, "default")) status = cti_array_push(&stack, a, ((Open){e, class_}));
    }
    for (int i = first, k = stack.count - 1; i < k; i++, k--) {
      Open swap = stack.data[i];
      stack.data[i] = stack.data[k];
      stack.data[k] = swap;
    }
  }
  return status == CT_OK ? CT_OK : cti_error_memory(r->err);
}

ctStatus cti_mjcf_class_of(ctiReader* r, const ctiXml* e, const char* fallback, ctiClass** out) {
  const ctiXmlAttr* a = cti_xml_find(e, "class");
  const char* name = a && a->value[0] ? a->value : fallback;
  *out = name ? cti_spec_find_class(r->spec, name) : r->spec->classes.data[0];
  if (*out) return CT_OK;
  return cti_xml_error(r->err, CT_ERR_INVALID, e, a, "default class \"%s\" is not defined", name);
}
