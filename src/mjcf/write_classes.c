// Default classes. Some values cannot be taken back by who inherits them: a name, a list, a mass. A class
// that says such a value, and has a child or an element that does not, leaves it to the others to say it
// themselves.
#include <string.h>

#include "mjcf/write.h"

static int index_of(const ctiWriter* w, const char* name) {
  int i = name ? cti_names_find(&w->spec->class_ids, name) : 0;
  return i < 0 || i >= w->spec->classes.count ? 0 : i;
}

const ctiClass* cti_write_class_of(const ctiWriter* w, const ctiElement* e) {
  return w->classes[index_of(w, e->class_)];
}

static bool says(const ctiAttr* row, const void* record) {
  ctiOut none = {0};
  return cti_attr_format_some(&none, row, record, 1);
}

// Take row `row` of the record at `offset` out of a class and those above it.
static void silence(ctiWriter* w, int class_, const ctiAttr* row, size_t offset) {
  const char* plain = (const char*)cti_spec_plain_class(w->spec) + offset;
  for (const ctiClass* c = w->spec->classes.data[class_]; c; c = c->parent)
    cti_attr_copy(row, (char*)w->classes[index_of(w, c->name)] + offset, plain);
}

// `record` starts from what the class says at `offset`: nothing may be said there that it does not say.
static void allow(ctiWriter* w, int class_, const ctiAttrTable* table, size_t offset, const void* record) {
  ctiOrientForm form;
  for (int i = 0; i < table->count; i++) {
    const ctiAttr* row = &table->rows[i];
    if (row->rules & CTI_ATTR_NOT_DEFAULT) continue;
    if (cti_attr_orient(row, (void*)(uintptr_t)record, &form)) continue;
    if (!says(row, record) && says(row, (const char*)w->classes[class_] + offset))
      silence(w, class_, row, offset);
  }
}

static void allow_layers(ctiWriter* w, int class_, const ctiMaterial* m) {
  for (int i = 0; i < CT_TEXROLE_COUNT; i++) {
    if (m->texture[i] || !w->classes[class_]->material.texture[i]) continue;
    for (const ctiClass* c = w->spec->classes.data[class_]; c; c = c->parent)
      w->classes[index_of(w, c->name)]->material.texture[i] = NULL;
  }
}

static void allow_class(ctiWriter* w, const ctiClass* c) {
  int above = index_of(w, c->parent->name);
  for (int i = 0; i < cti_template_count; i++) {
    const ctiTemplate* t = &cti_templates[i];
    allow(w, above, t->attrs, t->record, (const char*)c + t->record);
  }
  allow(w, above, &cti_attrs_actuator[CTI_SHORTCUT_GENERAL], offsetof(ctiClass, actuator), &c->actuator);
  allow_layers(w, above, &c->material);
}

static ctStatus allow_elements(ctiWriter* w) {
  const ctSpec* s = w->spec;
  int nbody;
  ctiBody** bodies = cti_spec_bodies(s->world, w->region, &nbody);
  if (!bodies) return cti_error_memory(w->err);
#define ALLOW(list, template_)                                                                  \
  for (int i = 0; i < (list).count; i++) {                                                      \
    const ctiElement* e = &(list).data[i]->head;                                                \
    const ctiAttrTable* table = e->more ? &cti_attrs_actuator[CTI_SHORTCUT_GENERAL] : e->attrs; \
    if (table != &cti_attrs_freejoint)                                                          \
      allow(w, index_of(w, e->class_), table, offsetof(ctiClass, template_), e);                \
  }
  for (int b = 0; b < nbody; b++) {
#define X(record, list, template_) ALLOW(bodies[b]->list, template_)
    CTI_BODY_LISTS(X)
#undef X
  }
#define X(record, list, template_) ALLOW(s->list, template_)
  CTI_SPEC_LISTS(X)
#undef X
#undef ALLOW
  for (int i = 0; i < s->materials.count; i++)
    allow_layers(w, index_of(w, s->materials.data[i]->head.class_), s->materials.data[i]);
  return CT_OK;
}

ctStatus cti_write_choose_classes(ctiWriter* w) {
  const ctSpec* s = w->spec;
  w->classes = CTI_NEW_ARRAY(w->region, ctiClass*, s->classes.count);
  if (!w->classes) return cti_error_memory(w->err);
  for (int i = 0; i < s->classes.count; i++) {
    if (!(w->classes[i] = CTI_NEW(w->region, ctiClass))) return cti_error_memory(w->err);
    *w->classes[i] = *s->classes.data[i];
  }
  CT_TRY(allow_elements(w));
  // children before parents: what a class says no more, those below it say themselves
  for (int i = s->classes.count - 1; i > 0; i--) allow_class(w, w->classes[i]);
  return CT_OK;
}

// ---- text

static void write_templates(ctiWriter* w, const ctiClass* c, const ctiClass* base) {
  for (int i = 0; i < cti_template_count; i++) {
    const ctiTemplate* t = &cti_templates[i];
    cti_write_begin(w, t->tag);
    const char *ours = (const char*)c + t->record, *theirs = (const char*)base + t->record;
    cti_write_attrs(w, t->attrs, ours, theirs, NULL);
    if (t->attrs == &cti_attrs_material) cti_write_layers(w, &c->material, &base->material);
    cti_write_end_or_drop(w, t->tag);
  }
  cti_write_actuator_default(w, &c->actuator, &base->actuator);
}

// Classes stand behind their parents in the list. Each is opened inside its parent, and closed when all that
// stand in it are written.
void cti_write_classes(ctiWriter* w) {
  const ctSpec* s = w->spec;
  int n = s->classes.count, at = 0;
  bool* done = CTI_NEW_ARRAY(w->region, bool, n);
  if (!done) {
    w->out.failed = true;
    return;
  }
  cti_write_begin(w, "default");
  write_templates(w, w->classes[0], cti_spec_plain_class(s));
  for (;;) {
    int next = 1;
    while (next < n && (done[next] || index_of(w, s->classes.data[next]->parent->name) != at)) next++;
    if (next < n) {
      done[next] = true;
      cti_write_begin(w, "default");
      cti_write_text_attr(w, "class", s->classes.data[next]->name);
      write_templates(w, w->classes[next], w->classes[at]);
      at = next;
    } else if (at > 0) {
      cti_write_end(w, "default");
      at = index_of(w, s->classes.data[at]->parent->name);
    } else {
      break;
    }
  }
  cti_write_end_or_drop(w, "default");
}
