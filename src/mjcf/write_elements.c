// Spec -> text: the elements.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/files.h"
#include "math/quat.h"
#include "mjcf/read.h"
#include "mjcf/write.h"
#include "spec/defaults.h"
#include "spec/orient.h"

// ---- plugins

// Key and value, one after another.
static void write_config(ctiWriter* w, const char* config) {
  for (const char* at = config; at && *at;) {
    const char *value = strchr(at, CTI_CONFIG_VALUE), *end = value ? strchr(value, CTI_CONFIG_END) : NULL;
    if (!end) return;
    const ctiConfigWords words = {cti_region_printf(w->region, "%.*s", (int)(value - at), at),
                                  cti_region_printf(w->region, "%.*s", (int)(end - value - 1), value + 1)};
    const ctiConfigWords none = {0};
    if (!words.key || !words.value) w->out.failed = true;
    if (w->out.failed) return;
    cti_write_begin(w, "config");
    cti_write_attrs(w, &cti_attrs_config, &words, &none, NULL);
    cti_write_end(w, "config");
    at = end + 1;
  }
}

static void write_plugin(ctiWriter* w, const ctiPluginUse* use) {
  const ctiPluginUse none = {0};
  if (!use->plugin && !use->instance) return;
  cti_write_begin(w, "plugin");
  cti_write_attrs(w, &cti_attrs_plugin, use, &none, NULL);
  write_config(w, use->config);
  cti_write_end(w, "plugin");
}

// An instance stands in the element of its plugin, which may have been said more than once.
static void write_extensions(ctiWriter* w) {
  const ctSpec* s = w->spec;
  cti_write_begin(w, "extension");
  for (int i = 0; i < s->extensions.count; i++) {
    const char* plugin = s->extensions.data[i]->plugin;
    int first = 0;
    while (!cti_text_equal(s->extensions.data[first]->plugin, plugin)) first++;
    if (first < i) continue;
    cti_write_begin(w, "plugin");
    cti_write_text_attr(w, "plugin", plugin);
    for (int k = 0; k < s->instances.count; k++) {
      const ctiInstance* instance = s->instances.data[k];
      if (!cti_text_equal(instance->use.plugin, plugin)) continue;
      cti_write_begin(w, "instance");
      cti_write_text_attr(w, "name", instance->head.name);
      write_config(w, instance->use.config);
      cti_write_end(w, "instance");
    }
    cti_write_end(w, "plugin");
  }
  cti_write_end_or_drop(w, "extension");
}

static void write_plugin_actuator(ctiWriter* w, const ctiActuator* a, const ctiActuator* base) {
  cti_write_begin(w, "plugin");
  cti_write_attrs(w, a->head.attrs, a, base, "main");
  write_config(w, a->use.config);
  cti_write_end(w, "plugin");
}

// ---- actuators

// As the shortcut they were written as where that reads back the same, as <general> otherwise.

static const ctiAttrTable* const general = &cti_attrs_actuator[CTI_SHORTCUT_GENERAL];

static bool is(const ctiAttr* row, const char* name) {
  return strcmp(row->name, name) == 0;
}

// ---- as a general actuator

// The inputs in words; charts of orientations share their numbers with others.
static const char* input_words(const ctiWriter* w, const ctiDrive* d) {
  if (d->gaintype == CT_GAIN_SO3) return d->ctrlspec == CTI_CHART_QUAT ? "quat" : "expmap";
  for (int i = 0; i < general->count; i++) {
    if (!is(&general->rows[i], "input")) continue;
    ctiActuator a = {.input = d->ctrlspec};
    ctiOut out = {.region = w->region};
    cti_attr_format(&out, &general->rows[i], &a);
    return out.data;
  }
  return NULL;
}

static void write_general(ctiWriter* w, const ctiActuator* a, const ctiActuator* base, const char* around) {
  // a range that is written takes back one that is inherited, and the other way round
  bool inherits = a->inheritrange != 0, takes_back = !inherits && base->inheritrange != 0;
  bool other_inputs = a->drive.ctrlspec != base->drive.ctrlspec;
  for (int i = 0; i < general->count; i++) {
    const ctiAttr* row = &general->rows[i];
    bool needed = cti_write_needs(general, i, a, base);
    if (is(row, "ctrlrange") || is(row, "actrange"))
      needed = !inherits && (needed || (takes_back && is(row, "ctrlrange")));
    if (is(row, "inheritrange")) needed = inherits && needed;
    if (is(row, "gaintype")) needed = needed || (other_inputs && a->drive.ctrlspec == 0);
    if (is(row, "input")) {
      bool chosen_anew = a->drive.gaintype != base->drive.gaintype;
      if (a->drive.ctrlspec != 0 && (other_inputs || chosen_anew)) {
        const char* words = input_words(w, &a->drive);
        if (words) cti_write_text_attr(w, "input", words);
      }
      continue;
    }
    if (row->type == CTI_ATTR_CLASS && around) {
      const char* own = a->head.class_ ? a->head.class_ : "main";
      if (strcmp(own, around) != 0) cti_write_text_attr(w, "class", own);
    }
    if (needed) cti_write_row_from(w, row, a, base);
  }
}

void cti_write_actuator_default(ctiWriter* w, const ctiActuator* a, const ctiActuator* base) {
  cti_write_begin(w, "general");
  write_general(w, a, base, NULL);
  cti_write_end_or_drop(w, "general");
}

// ---- as a shortcut

// The rows that are written on the element itself.
static uint64_t rows_said(const ctiActuator* a, const ctiAttrTable* table, const ctiActuator* base) {
  uint64_t said = 0;
  for (int i = 0; i < table->count; i++) {
    bool given =
        is(&table->rows[i], "input") ? (a->head.given >> i & 1) != 0 : cti_write_needs(table, i, a, base);
    if (given) said |= (uint64_t)1 << i;
  }
  return said;
}

static bool names_row(const ctiAttrTable* table, uint64_t said, const char* name) {
  for (int i = 0; i < table->count; i++) {
    if ((said >> i & 1) && is(&table->rows[i], name)) return true;
  }
  return false;
}

// Read the rows back into a fresh actuator of the class, and compare.
static bool reads_back(const ctiActuator* a, uint64_t said, const ctiActuator* base) {
  const ctiAttrTable* table = a->head.attrs;
  if (names_row(table, said, "inheritrange") &&
      (names_row(table, said, "ctrlrange") || names_row(table, said, "actrange")))
    return false;
  ctiActuator back = *base;
  back.head = a->head;
  back.head.given = said;
  back.shortcut = a->shortcut;
  back.words = a->words;
  back.words_given = a->words_given;
  back.start = base->drive;
  back.start.made_by = CTI_SHORTCUT_GENERAL;
  for (int i = 0; i < table->count; i++) {
    if (said >> i & 1) cti_attr_copy(&table->rows[i], &back, a);
  }
  if (cti_actuator_update_drive(&back) != NULL || back.drive.ctrlspec != a->drive.ctrlspec) return false;
  for (int i = 0; i < general->count; i++) {
    const ctiAttr* row = &general->rows[i];
    if (row->type != CTI_ATTR_CLASS && !is(row, "input") && !cti_attr_same(row, &back, a)) return false;
  }
  return true;
}

static void write_actuator(ctiWriter* w, const ctiActuator* a) {
  const ctiActuator* base = &cti_write_class_of(w, &a->head)->actuator;
  if (a->head.attrs == &cti_attrs_plugin_actuator) {
    write_plugin_actuator(w, a, base);
    return;
  }
  const ctiAttrTable* table = a->head.attrs;
  uint64_t said = rows_said(a, table, base);
  if (a->shortcut != CTI_SHORTCUT_GENERAL && reads_back(a, said, base)) {
    cti_write_begin(w, a->head.tag);
    for (int i = 0; i < table->count; i++) {
      const ctiAttr* row = &table->rows[i];
      if (row->type == CTI_ATTR_CLASS && a->head.class_ && strcmp(a->head.class_, "main") != 0)
        cti_write_text_attr(w, "class", a->head.class_);
      if (said >> i & 1) cti_write_row_from(w, row, a, base);
    }
    for (int i = 0; i < a->head.more->count; i++) {
      if (a->words_given >> i & 1) cti_write_row(w, &a->head.more->rows[i], &a->words);
    }
    cti_write_end(w, a->head.tag);
    return;
  }
  // what the shortcut means without saying it
  ctiActuator said_so = *a;
  if (a->shortcut == CTI_SHORTCUT_DAMPER || a->shortcut == CTI_SHORTCUT_ADHESION)
    said_so.ctrllimited = CTI_TRUE;
  if (a->shortcut == CTI_SHORTCUT_DCMOTOR) said_so.actearly = true;
  if (a->shortcut == CTI_SHORTCUT_INTVELOCITY) said_so.actlimited = CTI_AUTO;
  cti_write_begin(w, "general");
  write_general(w, &said_so, base, "main");
  cti_write_end(w, "general");
}

// ---- the tree

// The lists of a body keep their order, so a frame whose parts are not neighbours in every list is opened
// more than once; only the first time has its name.

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

static void convert_joint(const ctiWriter* w, ctiJoint* j) {
  const ctiCompiler* c = cti_compiler_of(w->spec, &j->head);
  if (c->degree && !w->target.degree) {
    const double unit = CTI_PI / 180;
    bool hinge = j->type == CT_JOINT_HINGE;
    if (hinge) {
      j->ref *= unit;
      j->springref *= unit;
    }
    if (hinge || j->type == CT_JOINT_BALL) {
      j->springyield *= unit;
      for (int i = 0; i < 2 && j->limited != CTI_FALSE; i++) j->range[i] *= unit;
    }
  }
  if (j->type == CT_JOINT_FREE && j->align == CTI_AUTO && c->alignfree != w->target.alignfree)
    j->align = c->alignfree ? CTI_TRUE : CTI_FALSE;
}

// A joint as <freejoint> takes no defaults; only that form can say whether its frame is aligned.
static void write_joint(ctiWriter* w, const ctiElement* e, const char* around) {
  ctiJoint j = *(const ctiJoint*)(const void*)e;
  convert_joint(w, &j);
  bool free_form = e->attrs == &cti_attrs_freejoint;
  if (!free_form && j.align != CTI_AUTO && !w->err->status) {
    cti_spec_error(w->err, CT_ERR_UNSUPPORTED, e,
                   "cannot be written: alignfree differs between the parts of the model, and only a "
                   "<freejoint> can say it; make it one");
  }
  cti_write_attrs(w, e->attrs, &j, free_form ? &w->spec->plain.joint : &cti_write_class_of(w, e)->joint,
                  around);
}

// Records in the words of the chosen settings: angles, orientations, limits, files.
static void convert_orient(const ctiWriter* w, const ctiElement* e, ctiOrient* o) {
  const ctiCompiler* c = cti_compiler_of(w->spec, e);
  bool other_order = strcmp(c->eulerseq, w->target.eulerseq) != 0;
  if (o->form == CTI_ORIENT_EULER && other_order) {
    ctReal quat[4];
    cti_orient_to_quat(quat, o, c);
    o->form = CTI_ORIENT_QUAT;
    for (int i = 0; i < 4; i++) o->quat[i] = (double)quat[i];
  }
  if (!c->degree || w->target.degree) return;
  o->axisangle[3] *= CTI_PI / 180;
  for (int i = 0; i < 3; i++) o->euler[i] *= CTI_PI / 180;
}

static void write_geom(ctiWriter* w, const ctiElement* e, const char* around) {
  ctiGeom g = *(const ctiGeom*)(const void*)e;
  convert_orient(w, e, &g.orient);
  cti_write_attrs(w, e->attrs, &g, &cti_write_class_of(w, e)->geom, around);
  write_plugin(w, &g.use);
}

static void write_site(ctiWriter* w, const ctiElement* e, const char* around) {
  ctiSite s = *(const ctiSite*)(const void*)e;
  convert_orient(w, e, &s.orient);
  cti_write_attrs(w, e->attrs, &s, &cti_write_class_of(w, e)->site, around);
}

static void write_camera(ctiWriter* w, const ctiElement* e, const char* around) {
  ctiCamera c = *(const ctiCamera*)(const void*)e;
  convert_orient(w, e, &c.orient);
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
  convert_orient(w, &body->inertial.head, &i.orient);
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
  convert_orient(w, &body->head, &b.orient);
  cti_write_attrs(w, &cti_attrs_body, &b, &plain, NULL);
  write_childclass(w, body->childclass, &l->class_);
  l->id = id;
  write_plugin(w, &body->use);
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
  convert_orient(w, &frame->head, &f.orient);
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

static ctStatus write_tree(ctiWriter* w) {
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

// ---- sections

// An element of a list: attributes that differ from `base`, and what is inside.
typedef void Inside(ctiWriter* w, const ctiElement* e);

static void write_element(ctiWriter* w, const ctiElement* e, const void* record, const void* base,
                          Inside* inside) {
  cti_write_begin(w, e->tag);
  cti_write_attrs(w, e->attrs, record, base, "main");
  if (inside) inside(w, e);
  cti_write_end(w, e->tag);
}

// ---- custom

static void write_items(ctiWriter* w, const ctiElement* e) {
  const ctiTuple* t = (const ctiTuple*)(const void*)e;
  const ctiTupleItem none = {0};
  for (int i = 0; i < t->items.count; i++)
    write_element(w, &t->items.data[i]->head, t->items.data[i], &none, NULL);
}

static void write_custom(ctiWriter* w) {
  const ctSpec* s = w->spec;
  const ctiText no_text = {0};
  const ctiTuple no_tuple = {0};
  cti_write_begin(w, "custom");
  for (int i = 0; i < s->numerics.count; i++) {
    const ctiNumeric* n = s->numerics.data[i];
    const ctiNumeric plain = {.size = n->data.count};
    write_element(w, &n->head, n, &plain, NULL);
  }
  for (int i = 0; i < s->texts.count; i++)
    write_element(w, &s->texts.data[i]->head, s->texts.data[i], &no_text, NULL);
  for (int i = 0; i < s->tuples.count; i++)
    write_element(w, &s->tuples.data[i]->head, s->tuples.data[i], &no_tuple, write_items);
  cti_write_end_or_drop(w, "custom");
}

// ---- assets

void cti_write_layers(ctiWriter* w, const ctiMaterial* m, const ctiMaterial* base) {
  for (int i = 0; i < CT_TEXROLE_COUNT; i++) {
    if (i == CT_TEXROLE_RGB || cti_text_equal(m->texture[i], base->texture[i])) continue;
    const ctiMaterialLayer layer = {m->texture[i], i}, none = {NULL, -1};
    cti_write_begin(w, "layer");
    cti_write_attrs(w, &cti_attrs_layer, &layer, &none, NULL);
    cti_write_end(w, "layer");
  }
}

// A material has a texture or layers: with layers, its texture is one of them.
static void write_material(ctiWriter* w, const ctiMaterial* m) {
  const ctiMaterial* base = &cti_write_class_of(w, &m->head)->material;
  ctiMaterial plain = *m;
  bool layers = false;
  for (int i = 0; i < CT_TEXROLE_COUNT; i++)
    layers = layers || (i != CT_TEXROLE_RGB && !cti_text_equal(m->texture[i], base->texture[i]));
  if (layers) plain.texture[CT_TEXROLE_RGB] = base->texture[CT_TEXROLE_RGB];
  cti_write_begin(w, "material");
  cti_write_attrs(w, &cti_attrs_material, &plain, base, "main");
  if (layers && !cti_text_equal(m->texture[CT_TEXROLE_RGB], base->texture[CT_TEXROLE_RGB])) {
    const ctiMaterialLayer layer = {m->texture[CT_TEXROLE_RGB], CT_TEXROLE_RGB}, none = {NULL, -1};
    cti_write_begin(w, "layer");
    cti_write_attrs(w, &cti_attrs_layer, &layer, &none, NULL);
    cti_write_end(w, "layer");
  }
  if (layers) cti_write_layers(w, m, base);
  cti_write_end(w, "material");
}

static const char* convert_file(ctiWriter* w, const ctiElement* e, const char* dir, const char* file) {
  const ctiCompiler* c = cti_compiler_of(w->spec, e);
  if (!file) return file;
  const char* at = cti_asset_path(w->region, c, e, dir, file);
  const char* folder = cti_asset_folder(w->region, c, dir);
  const char* plain =
      folder ? cti_path_join(w->region, folder, c->strippath ? cti_path_base(file) : file) : NULL;
  if (!at || !plain) return NULL;
  if (!w->moves_files && strcmp(at, plain) == 0) return file;
  at = cti_path_normalise(w->region, at);
  if (w->moves_files && (!at || cti_file_in_memory(c->vfs, at))) return at;
  // one that was found beside an included file is named as seen from the folder of its kind
  return cti_path_relative(w->region, w->moves_files ? w->folder : folder, at);
}

static void write_texture(ctiWriter* w, const ctiTexture* s) {
  ctiTexture t = *s;
  const char** files[] = {&t.file,     &t.fileright, &t.fileleft, &t.fileup,
                          &t.filedown, &t.filefront, &t.fileback};
  const char* dir = cti_compiler_of(w->spec, &s->head)->texturedir;
  for (int i = 0; i < CT_COUNT_OF(files); i++) *files[i] = convert_file(w, &s->head, dir, *files[i]);
  write_element(w, &s->head, &t, &cti_write_class_of(w, &s->head)->texture, NULL);
}

static void write_mesh_plugin(ctiWriter* w, const ctiElement* e) {
  write_plugin(w, &((const ctiMeshAsset*)(const void*)e)->use);
}

static void write_assets(ctiWriter* w) {
  const ctSpec* s = w->spec;
  const ctiHField no_hfield = {0};
  cti_write_begin(w, "asset");
  for (int i = 0; i < s->textures.count; i++) write_texture(w, s->textures.data[i]);
  for (int i = 0; i < s->materials.count; i++) write_material(w, s->materials.data[i]);
  for (int i = 0; i < s->meshes.count; i++) {
    ctiMeshAsset m = *s->meshes.data[i];
    m.file = convert_file(w, &m.head, cti_compiler_of(s, &m.head)->meshdir, m.file);
    write_element(w, &m.head, &m, &cti_write_class_of(w, &m.head)->mesh, write_mesh_plugin);
  }
  for (int i = 0; i < s->hfields.count; i++) {
    ctiHField h = *s->hfields.data[i];
    h.file = convert_file(w, &h.head, cti_compiler_of(s, &h.head)->meshdir, h.file);
    write_element(w, &h.head, &h, &no_hfield, NULL);
  }
  cti_write_end_or_drop(w, "asset");
}

static void write_bones(ctiWriter* w, const ctiElement* e) {
  const ctiSkin* s = (const ctiSkin*)(const void*)e;
  const ctiBone none = {.bindpos = {NAN}, .bindquat = {NAN}};
  for (int i = 0; i < s->bones.count; i++)
    write_element(w, &s->bones.data[i]->head, s->bones.data[i], &none, NULL);
}

// Names that are told apart by blanks cannot have any.
static ctStatus check_names(ctiWriter* w, const ctiFlex* f, const ctiNames* names) {
  for (int i = 0; i < names->count; i++) {
    if (strpbrk(names->data[i], " \t\n\r"))
      return cti_spec_error(
          w->err, CT_ERR_UNSUPPORTED, &f->head,
          "the body \"%s\" has a blank in its name, and a list of names cannot say that: rename it",
          names->data[i]);
  }
  return CT_OK;
}

static ctStatus write_flex(ctiWriter* w, const ctiFlex* f) {
  static const struct {
    const char* tag;
    const ctiAttrTable* attrs;
  } parts[] = {{"contact", &cti_attrs_flex_contact},
               {"edge", &cti_attrs_flex_edge},
               {"elasticity", &cti_attrs_flex_elasticity}};
  ctiFlex base = {0};
  cti_default_flex(&base);
  CT_TRY(check_names(w, f, &f->body));
  CT_TRY(check_names(w, f, &f->node));
  cti_write_begin(w, "flex");
  cti_write_attrs(w, &cti_attrs_flex_own, f, &base, NULL);
  for (int i = 0; i < CT_COUNT_OF(parts); i++) {
    cti_write_begin(w, parts[i].tag);
    cti_write_attrs(w, parts[i].attrs, f, &base, NULL);
    cti_write_end_or_drop(w, parts[i].tag);
  }
  cti_write_end(w, "flex");
  return CT_OK;
}

static ctStatus write_deformables(ctiWriter* w) {
  ctiSkin base = {0};
  cti_default_skin(&base);
  cti_write_begin(w, "deformable");
  for (int i = 0; i < w->spec->flexes.count; i++) CT_TRY(write_flex(w, w->spec->flexes.data[i]));
  for (int i = 0; i < w->spec->skins.count; i++) {
    ctiSkin s = *w->spec->skins.data[i];
    if (s.bone_names && !cti_text_equal(s.bone_names, CTI_NAME_IN_FILE))
      return cti_spec_error(w->err, CT_ERR_UNSUPPORTED, &s.head,
                            "the skin was attached, and its file has the bodies' former names: it cannot be "
                            "written; give it bones in place of the file");
    s.file = convert_file(w, &s.head, cti_compiler_of(w->spec, &s.head)->meshdir, s.file);
    write_element(w, &s.head, &s, &base, write_bones);
  }
  cti_write_end_or_drop(w, "deformable");
  return CT_OK;
}

// ---- contacts, equalities, tendons, actuators, sensors

static void write_contacts(ctiWriter* w) {
  const ctSpec* s = w->spec;
  const ctiExclude none = {0};
  cti_write_begin(w, "contact");
  for (int i = 0; i < s->pairs.count; i++) {
    const ctiContactPair* p = s->pairs.data[i];
    write_element(w, &p->head, p, &cti_write_class_of(w, &p->head)->pair, NULL);
  }
  for (int i = 0; i < s->excludes.count; i++)
    write_element(w, &s->excludes.data[i]->head, s->excludes.data[i], &none, NULL);
  cti_write_end_or_drop(w, "contact");
}

static void write_equalities(ctiWriter* w) {
  const ctSpec* s = w->spec;
  cti_write_begin(w, "equality");
  for (int i = 0; i < s->equalities.count; i++) {
    const ctiEquality* e = s->equalities.data[i];
    ctiEquality base = cti_write_class_of(w, &e->head)->equality;
    // bodies that are connected must say where, even at the origin
    if (e->type == CT_EQ_CONNECT && e->body1) base.anchor[0] = NAN;
    if (e->type == CT_EQ_FLEXSTRAIN) base.cell[0] = NAN;
    write_element(w, &e->head, e, &base, NULL);
  }
  cti_write_end_or_drop(w, "equality");
}

static void write_path(ctiWriter* w, const ctiElement* e) {
  const ctiTendon* t = (const ctiTendon*)(const void*)e;
  const ctiWrap none = {0};
  for (int i = 0; i < t->path.count; i++)
    write_element(w, &t->path.data[i]->head, t->path.data[i], &none, NULL);
}

static void write_tendons(ctiWriter* w) {
  const ctSpec* s = w->spec;
  cti_write_begin(w, "tendon");
  for (int i = 0; i < s->tendons.count; i++) {
    const ctiTendon* t = s->tendons.data[i];
    write_element(w, &t->head, t, &cti_write_class_of(w, &t->head)->tendon, write_path);
  }
  cti_write_end_or_drop(w, "tendon");
}

static void write_actuators(ctiWriter* w) {
  cti_write_begin(w, "actuator");
  for (int i = 0; i < w->spec->actuators.count; i++) write_actuator(w, w->spec->actuators.data[i]);
  cti_write_end_or_drop(w, "actuator");
}

static void write_sensor_config(ctiWriter* w, const ctiElement* e) {
  write_config(w, ((const ctiSensor*)(const void*)e)->use.config);
}

static void write_sensors(ctiWriter* w) {
  cti_write_begin(w, "sensor");
  for (int i = 0; i < w->spec->sensors.count; i++) {
    const ctiSensor* s = w->spec->sensors.data[i];
    const ctiSensorKind* kind = &cti_sensor_kinds[s->type];
    const ctiSensor plain = {.num = 1, .data = 1, .needstage = kind->stage, .datatype = kind->datatype};
    write_element(w, &s->head, s, &plain, write_sensor_config);
  }
  cti_write_end_or_drop(w, "sensor");
}

// ---- keyframes

// A vector of a keyframe in numbers of the compiled model.
static ctiReals compiled(const ctiWriter* w, const ctReal* from, int n, int key) {
  double* data = CTI_NEW_ARRAY(w->region, double, n);
  for (int i = 0; data && i < n; i++) data[i] = (double)from[key * n + i];
  return (ctiReals){data, data ? n : 0};
}

static void write_keys(ctiWriter* w) {
  const ctiKey none = {0};
  const ctModel* m = w->model;
  cti_write_begin(w, "keyframe");
  for (int i = 0; i < w->spec->keys.count; i++) {
    ctiKey k = *w->spec->keys.data[i];
    // parts of an attached model's keyframe stand between others
    if (m && k.parts.count > 0) {
      k.qpos = compiled(w, m->key_qpos, m->nq, i);
      k.qvel = compiled(w, m->key_qvel, m->nv, i);
      k.act = compiled(w, m->key_act, m->na, i);
      k.ctrl = compiled(w, m->key_ctrl, m->nu, i);
      k.mpos = compiled(w, m->key_mpos, 3 * m->nmocap, i);
      k.mquat = compiled(w, m->key_mquat, 4 * m->nmocap, i);
      k.plastic = compiled(w, m->key_plastic, m->nplastic, i);
    }
    cti_write_begin(w, "key");
    cti_write_attrs(w, &cti_attrs_key, &k, &none, NULL);
    cti_write_end(w, "key");
  }
  cti_write_end_or_drop(w, "keyframe");
}

ctStatus cti_write_sections(ctiWriter* w) {
  write_extensions(w);
  write_custom(w);
  cti_write_classes(w);
  write_assets(w);
  CT_TRY(write_deformables(w));
  CT_TRY(write_tree(w));
  write_contacts(w);
  write_equalities(w);
  write_tendons(w);
  write_actuators(w);
  write_sensors(w);
  write_keys(w);
  return CT_OK;
}
