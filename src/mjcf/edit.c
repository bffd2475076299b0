// Editing a spec through the public calls: attributes by name, elements added as text.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/files.h"
#include "mjcf/read.h"
#include "spec/format.h"
#include "spec/walk.h"
#include "transform/keyframes.h"

// ---- where an attribute is kept

// An attribute in its record.
typedef struct Slot {
  const ctiAttr* row;
  void* record;
  uint64_t* given;  // NULL where nobody asks
  int bit;
} Slot;

static bool find_in(Slot* slot, const ctiAttrTable* table, void* record, uint64_t* given, const char* name) {
  for (int i = 0; table && i < table->count; i++) {
    if (strcmp(table->rows[i].name, name) != 0 || table->rows[i].type == CTI_ATTR_CLASS) continue;
    *slot = (Slot){&table->rows[i], record, given, i};
    return true;
  }
  return false;
}

static bool find_slot(Slot* slot, ctiElement* e, const char* name) {
  if (find_in(slot, e->attrs, e, &e->given, name)) return true;
  if (!e->more) return false;
  ctiActuator* a = (ctiActuator*)(void*)e;
  return find_in(slot, e->more, &a->words, &a->words_given, name);
}

static void mark(const Slot* slot, bool given) {
  const uint64_t bit = (uint64_t)1 << slot->bit;
  if (slot->given) *slot->given = given ? *slot->given | bit : *slot->given & ~bit;
}

// The words an unknown attribute is compared with.
static ctStatus unknown(const ctiXml* e, const ctiXmlAttr* a, const ctiAttrTable* table, ctError* err) {
  ctiWords words = table && table->count > 0 ? CTI_WORDS_IN(table->rows, table->count, name) : (ctiWords){0};
  return cti_read_unknown_attr(e, a, words, err);
}

// ---- what follows from an attribute

// Of two attributes that exclude each other, setting one takes the other back.
static void drop_rivals(ctiElement* e, const char* name) {
  static const char* const rivals[][2] = {{"kv", "dampratio"},
                                          {"area", "diameter"},
                                          {"ctrlrange", "inheritrange"},
                                          {"actrange", "inheritrange"},
                                          {"fullinertia", "diaginertia"}};
  for (int i = 0; i < CT_COUNT_OF(rivals); i++) {
    for (int k = 0; k < 2; k++) {
      Slot other;
      if (strcmp(name, rivals[i][k]) != 0 || !find_slot(&other, e, rivals[i][1 - k])) continue;
      mark(&other, false);
      // words that are not said, and a full inertia that is not given, are NaN
      bool says_nan = other.given != &e->given || strcmp(other.row->name, "fullinertia") == 0;
      if (says_nan) *(double*)(void*)((char*)other.record + other.row->offset) = NAN;
    }
  }
}

static ctStatus name_after_file(ctSpec* spec, ctiElement* e, const char* file, ctError* err) {
  if (e->name || !file) return CT_OK;
  const char *base = cti_path_base(file), *dot = strrchr(base, '.');
  e->name = cti_intern_sized(&spec->strings, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
  return e->name ? CT_OK : cti_error_memory(err);
}

static ctStatus settle(ctSpec* spec, ctiElement* e, const Slot* slot, ctError* err) {
  const char* name = slot->row->name;
  void* record = e;
  ctiOrientForm form;
  ctiOrient* orient = cti_attr_orient(slot->row, slot->record, &form);
  if (orient) orient->form = form;
  drop_rivals(e, name);
  if (e->attrs == &cti_attrs_light && strcmp(name, "directional") == 0) {
    ctiLight* light = record;
    light->type = light->directional ? CT_LIGHT_DIRECTIONAL : CT_LIGHT_SPOT;
  }
  if (e->attrs == &cti_attrs_numeric) {
    ctiNumeric* numeric = record;
    if (numeric->size < numeric->data.count) numeric->size = numeric->data.count;
  }
  if (e->attrs == &cti_attrs_mesh) return name_after_file(spec, e, ((ctiMeshAsset*)record)->file, err);
  if (e->attrs == &cti_attrs_hfield) return name_after_file(spec, e, ((ctiHField*)record)->file, err);
  if (e->attrs == &cti_attrs_texture) return name_after_file(spec, e, ((ctiTexture*)record)->file, err);
  if (!e->more) return CT_OK;
  const char* complaint = cti_actuator_update_drive(record);
  return complaint ? cti_spec_error(err, CT_ERR_INVALID, e, "%s", complaint) : CT_OK;
}

// ---- attributes of elements

static ctStatus bad_element(ctError* err, const char* call) {
  return cti_error(err, CT_ERR_ARGUMENT, "%s: no argument may be NULL", call);
}

// An XML element with one attribute, for readers and messages.
static ctiXml one_attribute(const char* tag, ctiXmlAttr* a) {
  return (ctiXml){.name = tag, .file = "<spec>", .attrs = a, .nattr = 1};
}

ctStatus ct_element_set(ctSpec* spec, ctElement* element, const char* name, const char* text, ctError* err) {
  ctiElement* e = (ctiElement*)element;
  if (!spec || !e || !name || !text) return bad_element(err, "ct_element_set");
  ctiXmlAttr a = {.name = name, .value = text};
  ctiXml xml = one_attribute(e->tag, &a);
  Slot slot;
  if (strcmp(name, "class") == 0)
    return cti_spec_error(err, CT_ERR_INVALID, e, "the class is chosen when the element is made");
  if (!find_slot(&slot, e, name)) return unknown(&xml, &a, e->attrs, err);
  if (slot.row->type == CTI_ATTR_NAME && text[0] == 0) {
    if (slot.row->rules & CTI_ATTR_REQUIRED)
      return cti_spec_error(err, CT_ERR_INVALID, e, "\"%s\" cannot be taken away", name);
    *(const char**)(void*)((char*)slot.record + slot.row->offset) = NULL;
    mark(&slot, false);
    return CT_OK;
  }
  ctiReader r = {.spec = spec, .err = err};
  CT_TRY(cti_mjcf_read_attr(&r, &xml, &a, slot.row, slot.record));
  mark(&slot, true);
  return settle(spec, e, &slot, err);
}

// Frames of a body are listed from outside in, so a frame can only go into one before it.
ctStatus ct_element_set_frame(ctElement* element, ctElement* frame, ctError* err) {
  ctiElement* e = (ctiElement*)element;
  const ctiElement* f = (const ctiElement*)frame;
  if (!e) return bad_element(err, "ct_element_set_frame");
  if (f && f->attrs != &cti_attrs_frame)
    return cti_spec_error(err, CT_ERR_INVALID, f, "this is no frame, so nothing can be put into it");
  if (!e->parent || !cti_element_is_body(e->parent))
    return cti_spec_error(err, CT_ERR_INVALID, e, "only what stands in a body can be put into a frame");
  if (f && f->parent != e->parent)
    return cti_spec_error(err, CT_ERR_INVALID, e, "the frame is in another body");
  if (f && e->attrs == &cti_attrs_frame &&
      ((const ctiFrame*)(const void*)f)->index >= ((const ctiFrame*)(const void*)e)->index)
    return cti_spec_error(err, CT_ERR_INVALID, e, "a frame can only be put into one that was made before it");
  e->frame = (const ctiFrame*)(const void*)f;
  return CT_OK;
}

ctStatus ct_element_set_reals(ctSpec* spec, ctElement* element, const char* name, const double* values,
                              int count, ctError* err) {
  if (!spec || !element || !name || (!values && count > 0) || count < 0)
    return bad_element(err, "ct_element_set_reals");
  size_t size = 32 * (size_t)count + 1;
  ctiOut out = {.data = cti_alloc(&spec->allocator, size, 1), .size = size};
  if (!out.data) return cti_error_memory(err);
  out.data[0] = 0;
  for (int i = 0; i < count; i++) {
    if (i > 0) cti_out_text(&out, " ");
    cti_out_real(&out, values[i]);
  }
  ctStatus status = ct_element_set(spec, element, name, out.data, err);
  cti_release(&spec->allocator, out.data);
  return status;
}

// Write a slot's text to a caller's buffer.
static ctStatus give(const Slot* slot, char* buffer, size_t size, size_t* length) {
  ctiOut out = {.data = buffer, .size = buffer ? size : 0};
  if (out.size > 0) buffer[0] = 0;
  cti_attr_format(&out, slot->row, slot->record);
  if (length) *length = out.length;
  return CT_OK;
}

// Whether the element takes a default class.
static bool has_class(const ctiAttrTable* table) {
  for (int i = 0; i < table->count; i++) {
    if (table->rows[i].type == CTI_ATTR_CLASS) return true;
  }
  return false;
}

ctStatus ct_element_get(const ctElement* element, const char* name, char* buffer, size_t size, size_t* length,
                        ctError* err) {
  ctiElement* e = (ctiElement*)(uintptr_t)element;
  if (!e || !name) return bad_element(err, "ct_element_get");
  ctiXmlAttr a = {.name = name, .value = ""};
  ctiXml xml = one_attribute(e->tag, &a);
  Slot slot;
  if (strcmp(name, "class") == 0 && e->attrs && has_class(e->attrs)) {
    ctiOut out = {.data = buffer, .size = buffer ? size : 0};
    cti_out_text(&out, e->class_ ? e->class_ : "main");
    if (length) *length = out.length;
    return CT_OK;
  }
  if (!find_slot(&slot, e, name)) return unknown(&xml, &a, e->attrs, err);
  return give(&slot, buffer, size, length);
}

ctStatus ct_element_get_reals(const ctElement* element, const char* name, double* out, int max, int* count,
                              ctError* err) {
  ctiElement* e = (ctiElement*)(uintptr_t)element;
  if (!e || !name || !count || (!out && max > 0)) return bad_element(err, "ct_element_get_reals");
  ctiXmlAttr a = {.name = name, .value = ""};
  ctiXml xml = one_attribute(e->tag, &a);
  Slot slot;
  if (!find_slot(&slot, e, name)) return unknown(&xml, &a, e->attrs, err);
  int n = cti_attr_reals(slot.row, slot.record, out, max);
  if (n < 0) return cti_spec_error(err, CT_ERR_INVALID, e, "\"%s\" is not made of numbers", name);
  *count = n;
  return CT_OK;
}

static int row_count(const ctiAttrTable* table) {
  return table ? table->count : 0;
}

int ct_element_attr_count(const ctElement* element) {
  const ctiElement* e = (const ctiElement*)element;
  return e ? row_count(e->attrs) + row_count(e->more) : 0;
}

ctStatus ct_element_attr(const ctElement* element, int i, ctAttr* out) {
  static const ctAttrKind kinds[] = {
      [CTI_ATTR_REAL] = CT_ATTR_REAL,       [CTI_ATTR_CTREAL] = CT_ATTR_REAL,
      [CTI_ATTR_FLOAT] = CT_ATTR_REAL,      [CTI_ATTR_LIST] = CT_ATTR_REAL,
      [CTI_ATTR_INT] = CT_ATTR_INT,         [CTI_ATTR_GROUPS] = CT_ATTR_INT,
      [CTI_ATTR_BOOL] = CT_ATTR_BOOL,       [CTI_ATTR_FLAG] = CT_ATTR_BOOL,
      [CTI_ATTR_KEYWORD] = CT_ATTR_KEYWORD, [CTI_ATTR_FLAGS] = CT_ATTR_KEYWORD,
      [CTI_ATTR_DEGREE] = CT_ATTR_KEYWORD,  [CTI_ATTR_ENABLE] = CT_ATTR_KEYWORD,
      [CTI_ATTR_DISABLE] = CT_ATTR_KEYWORD, [CTI_ATTR_EULERSEQ] = CT_ATTR_TEXT,
      [CTI_ATTR_TEXT] = CT_ATTR_TEXT,       [CTI_ATTR_NAME] = CT_ATTR_TEXT,
      [CTI_ATTR_NAMES] = CT_ATTR_TEXT,      [CTI_ATTR_CLASS] = CT_ATTR_TEXT};
  const ctiElement* e = (const ctiElement*)element;
  if (!out || i < 0 || i >= ct_element_attr_count(element)) return CT_ERR_ARGUMENT;
  const int first = row_count(e->attrs);
  const ctiAttr* row = i < first ? &e->attrs->rows[i] : &e->more->rows[i - first];
  *out = (ctAttr){.name = row->name, .kind = kinds[row->type]};
  if (out->kind == CT_ATTR_INT || out->kind == CT_ATTR_REAL) {
    out->min = row->min;
    out->max = row->max;
  }
  return CT_OK;
}

// ---- settings

typedef struct Section {
  const char* path;
  const ctiAttrTable* attrs;
  size_t record, given;  // in the spec; a given of 0 means nobody asks
} Section;

#define SETTING(path, table, member) \
  { path, &cti_attrs_##table, offsetof(ctSpec, member), 0 }
#define SETTING_HEADED(path, table, member) \
  { path, &cti_attrs_##table, offsetof(ctSpec, member), offsetof(ctSpec, member.head.given) }
#define SETTING_VISUAL(path, i) \
  { path, &cti_attrs_visual[i], offsetof(ctSpec, visual), offsetof(ctSpec, given_visual[i]) }
static const Section sections[] = {
    {"mujoco", &cti_attrs_model, 0, 0},
    SETTING_HEADED("compiler", compiler, compiler),
    SETTING("compiler/lengthrange", lengthrange, lengthrange),
    {"option", &cti_attrs_option, offsetof(ctSpec, option), offsetof(ctSpec, given_option)},
    {"option/flag", &cti_attrs_flag, offsetof(ctSpec, option), offsetof(ctSpec, given_flag)},
    SETTING_HEADED("size", size, size),
    SETTING_HEADED("statistic", statistic, statistic),
    SETTING_VISUAL("visual/global", CTI_VISUAL_GLOBAL),
    SETTING_VISUAL("visual/quality", CTI_VISUAL_QUALITY),
    SETTING_VISUAL("visual/headlight", CTI_VISUAL_HEADLIGHT),
    SETTING_VISUAL("visual/map", CTI_VISUAL_MAP),
    SETTING_VISUAL("visual/scale", CTI_VISUAL_SCALE),
    SETTING_VISUAL("visual/rgba", CTI_VISUAL_RGBA),
};

static ctStatus find_setting(Slot* slot, ctSpec* spec, const char* path, const char* name, ctError* err) {
  const int n = CT_COUNT_OF(sections);
  for (int i = 0; i < n; i++) {
    const Section* s = &sections[i];
    if (strcmp(s->path, path) != 0) continue;
    uint64_t* given = s->given ? (uint64_t*)(void*)((char*)spec + s->given) : NULL;
    ctiXmlAttr a = {.name = name, .value = ""};
    ctiXml xml = one_attribute(path, &a);
    if (find_in(slot, s->attrs, (char*)spec + s->record, given, name)) return CT_OK;
    return unknown(&xml, &a, s->attrs, err);
  }
  char hint[200];
  cti_suggest_nearest_text(hint, sizeof(hint), path, CTI_WORDS_IN(sections, n, path));
  return cti_error(err, CT_ERR_INVALID, "there are no settings called \"%.60s\"%s", path, hint);
}

ctStatus ct_spec_set(ctSpec* spec, const char* section, const char* name, const char* text, ctError* err) {
  if (!spec || !section || !name || !text) return bad_element(err, "ct_spec_set");
  Slot slot;
  CT_TRY(find_setting(&slot, spec, section, name, err));
  ctiXmlAttr a = {.name = name, .value = text};
  ctiXml xml = one_attribute(section, &a);
  ctiReader r = {.spec = spec, .err = err};
  const ctOption option = spec->option;
  CT_TRY(cti_mjcf_read_attr(&r, &xml, &a, slot.row, slot.record));
  if (!(spec->option.timestep > 0)) {
    spec->option = option;
    return cti_xml_error(err, CT_ERR_INVALID, &xml, &a, "timestep must be positive");
  }
  mark(&slot, true);
  return CT_OK;
}

ctStatus ct_spec_get(const ctSpec* spec, const char* section, const char* name, char* buffer, size_t size,
                     size_t* length, ctError* err) {
  if (!spec || !section || !name) return bad_element(err, "ct_spec_get");
  Slot slot;
  CT_TRY(find_setting(&slot, (ctSpec*)(uintptr_t)spec, section, name, err));
  return give(&slot, buffer, size, length);
}

bool ct_spec_is_set(const ctSpec* spec, const char* section, const char* name) {
  Slot slot;
  if (!spec || !section || !name) return false;
  if (find_setting(&slot, (ctSpec*)(uintptr_t)spec, section, name, NULL) != CT_OK || !slot.given)
    return false;
  return *slot.given >> slot.bit & 1;
}

// ---- default classes

ctStatus ct_spec_add_class(ctSpec* spec, const char* name, const char* parent, ctError* err) {
  if (!spec || !name || !name[0])
    return cti_error(err, CT_ERR_ARGUMENT, "ct_spec_add_class: spec and name must be given");
  ctiClass* above = cti_spec_find_class(spec, parent ? parent : "main");
  if (!above) return cti_error(err, CT_ERR_INVALID, "default class \"%.100s\" is not defined", parent);
  if (cti_spec_find_class(spec, name))
    return cti_error(err, CT_ERR_INVALID, "default class \"%.100s\" is defined twice", name);
  return cti_spec_add_class(spec, name, above) ? CT_OK : cti_error_memory(err);
}

static ctStatus find_class(ctiClass** out, const ctSpec* spec, const char* name, ctError* err) {
  *out = cti_spec_find_class(spec, name ? name : "main");
  return *out ? CT_OK : cti_error(err, CT_ERR_INVALID, "default class \"%.100s\" is not defined", name);
}

ctStatus ct_spec_set_default(ctSpec* spec, const char* class_name, const char* tag, const char* name,
                             const char* text, ctError* err) {
  if (!spec || !tag || !name || !text) return bad_element(err, "ct_spec_set_default");
  ctiClass* class_;
  CT_TRY(find_class(&class_, spec, class_name, err));
  ctiXmlAttr a = {.name = name, .value = text};
  ctiXml xml = one_attribute(tag, &a);
  ctiXml holder = {.name = "default", .file = "<spec>", .first = &xml};
  xml.parent = &holder;
  CT_TRY(cti_mjcf_validate_in(spec, &holder, cti_schema_child(&cti_schema_root, "default"), err));
  if (strcmp(tag, "default") == 0)
    return cti_error(err, CT_ERR_INVALID, "classes are added with ct_spec_add_class()");
  ctiReader r = {.spec = spec, .err = err};
  return cti_mjcf_read_template(&r, &xml, class_);
}

ctStatus ct_spec_get_default(const ctSpec* spec, const char* class_name, const char* tag, const char* name,
                             char* buffer, size_t size, size_t* length, ctError* err) {
  if (!spec || !tag || !name) return bad_element(err, "ct_spec_get_default");
  ctiClass* class_;
  CT_TRY(find_class(&class_, spec, class_name, err));
  ctiXmlAttr a = {.name = name, .value = ""};
  ctiXml xml = one_attribute(tag, &a);
  Slot slot;
  int kind = cti_find_shortcut(tag);
  if (kind >= 0) {
    ctiActuator actuator = class_->actuator;
    actuator.drive = class_->drive[kind];
    if (find_in(&slot, &cti_attrs_shortcut[kind], &class_->words[kind], NULL, name) ||
        find_in(&slot, &cti_attrs_actuator[kind], &actuator, NULL, name))
      return give(&slot, buffer, size, length);
    return unknown(&xml, &a, &cti_attrs_actuator[kind], err);
  }
  for (int i = 0; i < cti_template_count; i++) {
    if (strcmp(cti_templates[i].tag, tag) != 0) continue;
    if (!find_in(&slot, cti_templates[i].attrs, (char*)class_ + cti_templates[i].record, NULL, name))
      return unknown(&xml, &a, cti_templates[i].attrs, err);
    return give(&slot, buffer, size, length);
  }
  return cti_error(err, CT_ERR_INVALID, "default classes have nothing to read for <%.60s>", tag);
}

// ---- elements added

// They go through the same readers as those of a file.

// What an edit may change, to go back to when it fails. Lists only ever grow or are replaced: the old ones
// are intact.
typedef struct Before {
  ctSpec spec;
  ctiBody body, world;
  ctiTendon tendon;
  ctiFlex flex;
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
  ctiFlex* flex;
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
  if (parent->attrs == &cti_attrs_flex) t.flex = record;
  if (parent->attrs == &cti_attrs_material) t.material = record;
  return t;
}

static void save(Before* b, const Target* t) {
  b->spec = *t->spec;
  b->world = *t->spec->world;  // rods put bodies there
  if (t->body) b->body = *t->body;
  if (t->tendon) b->tendon = *t->tendon;
  if (t->tuple) b->tuple = *t->tuple;
  if (t->skin) b->skin = *t->skin;
  if (t->flex) b->flex = *t->flex;
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
  *t->spec->world = b->world;
  if (t->body) *t->body = b->body;
  if (t->tendon) *t->tendon = b->tendon;
  if (t->tuple) *t->tuple = b->tuple;
  if (t->skin) *t->skin = b->skin;
  if (t->flex) *t->flex = b->flex;
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
  if (t->flex) return cti_schema_child(cti_schema_child(&cti_schema_root, "deformable"), "flex");
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
  return t->parent ? cti_mjcf_read_parts(r, holder, t->parent) : cti_mjcf_read_sections(r, holder);
}

// Read what stands in `holder` into the target, or change nothing.
static ctStatus read_in(ctElement** out, const Target* t, ctiXml* holder, ctError* err) {
  const ctiSchema* schema = schema_of(t, holder);
  if (!schema)
    return cti_spec_error(err, CT_ERR_INVALID, t->parent, "nothing can be added to <%s>", t->parent->tag);
  CT_TRY(cti_mjcf_validate_in(t->spec, holder, schema, err));
  const ctiOrigin origin = {.budget = &t->spec->budget};
  const ctLoadOptions opt = {.allocator = &t->spec->allocator, .vfs = t->spec->vfs};
  ctiReader r = {.spec = t->spec, .err = err, .opt = &opt, .origin = &origin};
  Before before;
  save(&before, t);
  ctStatus status = read_children(&r, t, holder);
  cti_mjcf_free_models(&r);
  cti_keys_forget_sources(t->spec);
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
