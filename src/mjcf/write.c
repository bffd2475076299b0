// Spec -> text: settings, default classes, and the whole.
#include "mjcf/write.h"

#include <math.h>
#include <string.h>

#include "base/files.h"
#include "spec/defaults.h"

// ---- attached parts may have been written with other settings

// Settings of a part against those that are written so far. Where they differ, something is chosen that both
// can be said in: radians, explicit limits, inertia in numbers.
static void meet(ctiWriter* w, const ctiCompiler* c) {
  ctiCompiler *t = &w->target, *own = &w->spec->compiler;
  if (c->degree != own->degree) t->degree = false;
  if (c->autolimits != own->autolimits) t->autolimits = true;
  if (c->boundmass != own->boundmass) t->boundmass = 0;
  if (c->boundinertia != own->boundinertia) t->boundinertia = 0;
  if (c->balanceinertia != own->balanceinertia) t->balanceinertia = false;
  if (c->inertiafromgeom != own->inertiafromgeom) t->inertiafromgeom = CTI_AUTO;
  w->moves_files = w->moves_files || c->strippath != own->strippath || !cti_text_equal(c->file, own->file) ||
                   !cti_text_equal(c->meshdir, own->meshdir) ||
                   !cti_text_equal(c->texturedir, own->texturedir) ||
                   !cti_text_equal(c->assetdir, own->assetdir);
}

static void meet_element(ctiWriter* w, const ctiElement* e, const ctiCompiler** last) {
  if (!e->compiler || e->compiler == *last) return;
  *last = e->compiler;
  meet(w, e->compiler);
}

// Choose the settings to be written: those of the spec, or what every attached part can be said in.
static ctStatus write_choose_settings(ctiWriter* w) {
  const ctSpec* s = w->spec;
  w->target = s->compiler;
  const char *home = cti_path_dir(w->region, s->file ? s->file : ""), *here = NULL;
  const char* folder = w->folder ? w->folder : home;
  if (home && folder) here = cti_path_normalise(w->region, cti_path_dir(w->region, folder));
  const char* there = home ? cti_path_normalise(w->region, home) : NULL;
  if (!here || !there) return cti_error_memory(w->err);
  w->moves_files = strcmp(here, there) != 0;
  w->folder = folder;
  const ctiCompiler* last = NULL;
  int nbody;
  ctiBody** bodies = cti_spec_bodies(s->world, w->region, &nbody);
  if (!bodies) return cti_error_memory(w->err);
  for (int i = 0; i < nbody; i++) {
    meet_element(w, &bodies[i]->head, &last);
#define X(record, list, template_) \
  for (int k = 0; k < bodies[i]->list.count; k++) meet_element(w, &bodies[i]->list.data[k]->head, &last);
    CTI_BODY_LISTS(X)
#undef X
    for (int k = 0; k < bodies[i]->frames.count; k++)
      meet_element(w, &bodies[i]->frames.data[k]->head, &last);
  }
#define X(record, list, template_) \
  for (int i = 0; i < s->list.count; i++) meet_element(w, &s->list.data[i]->head, &last);
  CTI_SPEC_LISTS(X)
#undef X
  for (int i = 0; i < s->hfields.count; i++) meet_element(w, &s->hfields.data[i]->head, &last);
  if (w->moves_files) {
    w->target.meshdir = w->target.texturedir = w->target.assetdir = NULL;
    w->target.strippath = false;
  }
  return CT_OK;
}

// ---- elements in the chosen settings

bool cti_write_explicit_inertia(const ctiWriter* w, const ctiBody* body) {
  const ctiCompiler *c = cti_compiler_of(w->spec, &body->head), *t = &w->target;
  if (!body->parent) return false;
  bool geoms = c->inertiafromgeom == CTI_TRUE || (c->inertiafromgeom == CTI_AUTO && !body->has_inertial);
  bool other_groups = memcmp(c->inertiagrouprange, t->inertiagrouprange, sizeof(t->inertiagrouprange)) != 0;
  bool empty = c->inertiafromgeom == CTI_FALSE && t->inertiafromgeom != CTI_FALSE && !body->has_inertial;
  bool unlike_given = c->inertiafromgeom == CTI_TRUE && t->inertiafromgeom == CTI_AUTO && body->has_inertial;
  return unlike_given || c->boundmass != t->boundmass || c->boundinertia != t->boundinertia ||
         c->balanceinertia != t->balanceinertia || (geoms && other_groups) || empty;
}

// ---- the sections

static void write_section(ctiWriter* w, const char* tag, const ctiAttrTable* table, const void* record,
                          const void* base) {
  cti_write_begin(w, tag);
  cti_write_attrs(w, table, record, base, NULL);
  cti_write_end_or_drop(w, tag);
}

static void write_compiler(ctiWriter* w) {
  ctiCompiler plain;
  ctiLengthRange range;
  cti_default_compiler(&plain);
  cti_default_length_range(&range);
  cti_write_begin(w, "compiler");
  cti_write_attrs(w, &cti_attrs_compiler, &w->target, &plain, NULL);
  write_section(w, "lengthrange", &cti_attrs_lengthrange, &w->spec->lengthrange, &range);
  cti_write_end_or_drop(w, "compiler");
}

static void write_option(ctiWriter* w) {
  ctOption plain;
  cti_default_option(&plain);
  cti_write_begin(w, "option");
  cti_write_attrs(w, &cti_attrs_option, &w->spec->option, &plain, NULL);
  write_section(w, "flag", &cti_attrs_flag, &w->spec->option, &plain);
  cti_write_end_or_drop(w, "option");
}

static void write_visual(ctiWriter* w) {
  static const char* const groups[6] = {"global", "quality", "headlight", "map", "scale", "rgba"};
  ctVisual plain;
  cti_default_visual(&plain);
  cti_write_begin(w, "visual");
  for (int i = 0; i < CTI_VISUAL_COUNT; i++)
    write_section(w, groups[i], &cti_attrs_visual[i], &w->spec->visual, &plain);
  cti_write_end_or_drop(w, "visual");
}

static void write_settings(ctiWriter* w) {
  ctiSize size;
  ctiStatistic statistic;
  cti_default_size(&size);
  cti_default_statistic(&statistic);
  write_compiler(w);
  write_option(w);
  write_section(w, "size", &cti_attrs_size, &w->spec->size, &size);
  write_visual(w);
  write_section(w, "statistic", &cti_attrs_statistic, &w->spec->statistic, &statistic);
}

// ---- default classes

// Some values cannot be taken back by who inherits them: a name, a list, a mass. A class that says such a
// value, and has a child or an element that does not, leaves it to the others to say it themselves.

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

// What is written of the default classes: what they say, less what someone who inherits it does not say.
static ctStatus write_choose_classes(ctiWriter* w) {
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

// ---- the whole

static ctStatus find_need(bool* needed, ctiWriter* w) {
  CT_TRY(write_choose_settings(w));
  for (int i = 0; i < w->spec->keys.count; i++) *needed = *needed || w->spec->keys.data[i]->parts.count > 0;
  int n;
  ctiBody** bodies = cti_spec_bodies(w->spec->world, w->region, &n);
  if (!bodies) return cti_error_memory(w->err);
  for (int i = 0; i < n; i++) *needed = *needed || cti_write_explicit_inertia(w, bodies[i]);
  return CT_OK;
}

ctStatus cti_mjcf_needs_model(bool* needed, ctiRegion* region, const ctSpec* spec, ctError* err) {
  *needed = false;
  ctiWriter w = {.spec = (ctSpec*)(uintptr_t)spec, .err = err, .region = region};
  return find_need(needed, &w);
}

static ctStatus write_all(ctiWriter* w) {
  CT_TRY(write_choose_settings(w));
  CT_TRY(write_choose_classes(w));
  cti_write_begin(w, "mujoco");
  cti_write_text_attr(w, "model", w->spec->modelname);
  write_settings(w);
  CT_TRY(cti_write_sections(w));
  cti_write_end(w, "mujoco");
  cti_out_text(&w->out, "\n");
  return w->out.failed ? cti_error_memory(w->err) : w->err->status;
}

ctStatus cti_mjcf_write(ctiOut* out, ctiRegion* region, const ctSpec* spec, const char* folder,
                        const ctModel* model, ctError* err) {
  ctError own = {0};
  ctiWriter w = {.spec = (ctSpec*)(uintptr_t)spec,
                 .err = &own,
                 .region = region,
                 .out = {.region = region},
                 .model = model};
  if (folder) {
    w.folder = cti_region_printf(region, folder[0] ? "%s/" : "%s", folder);
    if (!w.folder) return cti_error_memory(err);
  }
  ctStatus status = write_all(&w);
  *out = w.out;
  if (status != CT_OK && err) *err = own;
  return status;
}
