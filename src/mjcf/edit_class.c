// Default classes of elements through the public calls.
#include <string.h>

#include "mjcf/read.h"

ctStatus ct_element_set_class(ctSpec* spec, ctElement* element, const char* name, ctError* err) {
  ctiElement* e = (ctiElement*)element;
  if (!spec || !e || !name)
    return cti_error(err, CT_ERR_ARGUMENT, "ct_element_set_class: no argument may be NULL");
  const ctiClass* class_ = cti_spec_find_class(spec, name);
  if (!class_) return cti_spec_error(err, CT_ERR_INVALID, e, "default class \"%.100s\" is not defined", name);
  for (int i = 0; e->attrs && i < e->attrs->count; i++) {
    if (e->attrs->rows[i].type != CTI_ATTR_CLASS) continue;
    e->class_ = class_->name;
    return CT_OK;
  }
  return cti_spec_error(err, CT_ERR_INVALID, e, "<%s> has no default class", e->tag);
}

// ---- removing one

// Whether a class is, or stands in, the one that goes.
static bool goes(const ctSpec* spec, const char* name, const ctiClass* gone) {
  const ctiClass* class_ = name ? cti_spec_find_class(spec, name) : NULL;
  while (class_ && class_ != gone) class_ = class_->parent;
  return class_ != NULL;
}

static void forget_in_tree(const ctSpec* spec, ctiBody** bodies, int n, const ctiClass* gone) {
  const char* instead = gone->parent->name;
  for (int i = 0; i < n; i++) {
    ctiBody* body = bodies[i];
    if (goes(spec, body->childclass, gone)) body->childclass = instead;
    for (int k = 0; k < body->frames.count; k++) {
      if (goes(spec, body->frames.data[k]->childclass, gone)) body->frames.data[k]->childclass = instead;
    }
#define X(record, list, template_)                                                                    \
  for (int k = 0; k < body->list.count; k++) {                                                        \
    if (goes(spec, body->list.data[k]->head.class_, gone)) body->list.data[k]->head.class_ = instead; \
  }
    CTI_BODY_LISTS(X)
#undef X
  }
}

ctStatus ct_spec_remove_class(ctSpec* spec, const char* name, ctError* err) {
  if (!spec || !name) return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_remove_class: no argument may be NULL");
  const ctiClass* gone = cti_spec_find_class(spec, name);
  if (!gone) return cti_error(err, CT_ERR_INVALID, "default class \"%.100s\" is not defined", name);
  if (!gone->parent) return cti_error(err, CT_ERR_INVALID, "the default class \"main\" stays");
  ctiRegion* scratch = cti_region_create(&spec->allocator);
  int n = 0;
  ctiBody** bodies = scratch ? cti_spec_bodies(spec->world, scratch, &n) : NULL;
  if (!bodies) {
    cti_region_free(scratch);
    return cti_error_memory(err);
  }
  forget_in_tree(spec, bodies, n, gone);
  cti_region_free(scratch);
#define X(record, list, template_)                          \
  for (int i = 0; i < spec->list.count; i++) {              \
    if (goes(spec, spec->list.data[i]->head.class_, gone))  \
      spec->list.data[i]->head.class_ = gone->parent->name; \
  }
  CTI_SPEC_LISTS(X)
#undef X
  int kept = 0;
  for (int i = 0; i < spec->classes.count; i++) {
    if (!goes(spec, spec->classes.data[i]->name, gone)) spec->classes.data[kept++] = spec->classes.data[i];
  }
  spec->classes.count = kept;
  return cti_spec_index_classes(spec) == CT_OK ? CT_OK : cti_error_memory(err);
}
