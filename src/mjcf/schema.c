#include "mjcf/schema.h"

#include <stdio.h>
#include <string.h>

#include "mjcf/read.h"

// ---- what stands where

#define LEAF(name, table) \
  { .tag = (name), .attrs = &(table) }
#define NODE(name, table, inside) \
  { .tag = (name), .attrs = &(table), .children = (inside), .nchild = CT_COUNT_OF(inside) }

// clang-format off
static const ctiSchema compiler_children[] = {LEAF("lengthrange", cti_attrs_lengthrange)};
static const ctiSchema option_children[] = {LEAF("flag", cti_attrs_flag)};
static const ctiSchema visual_children[] = {
    LEAF("global", cti_attrs_visual[CTI_VISUAL_GLOBAL]),
    LEAF("quality", cti_attrs_visual[CTI_VISUAL_QUALITY]),
    LEAF("headlight", cti_attrs_visual[CTI_VISUAL_HEADLIGHT]),
    LEAF("map", cti_attrs_visual[CTI_VISUAL_MAP]), LEAF("scale", cti_attrs_visual[CTI_VISUAL_SCALE]),
    LEAF("rgba", cti_attrs_visual[CTI_VISUAL_RGBA]),
};

static const ctiSchema config_children[] = {LEAF("config", cti_attrs_config)};
static const ctiSchema plugin_child[] = {NODE("plugin", cti_attrs_plugin, config_children)};
static const ctiSchema instance_children[] = {NODE("instance", cti_attrs_instance, config_children)};
static const ctiSchema extension_children[] = {NODE("plugin", cti_attrs_extension, instance_children)};

#define ACTUATOR(id, name) \
  {.tag = #name, .attrs = &cti_attrs_actuator[CTI_SHORTCUT_##id], .more = &cti_attrs_shortcut[CTI_SHORTCUT_##id]},
static const ctiSchema material_children[] = {LEAF("layer", cti_attrs_layer)};
static const ctiSchema default_children[] = {
    LEAF("joint", cti_attrs_joint), LEAF("geom", cti_attrs_geom), LEAF("site", cti_attrs_site),
    LEAF("camera", cti_attrs_camera), LEAF("light", cti_attrs_light), LEAF("pair", cti_attrs_pair),
    LEAF("equality", cti_attrs_equality), LEAF("tendon", cti_attrs_tendon), LEAF("mesh", cti_attrs_mesh),
    LEAF("texture", cti_attrs_texture), NODE("material", cti_attrs_material, material_children),
    CTI_SHORTCUTS(ACTUATOR)
};

static const ctiSchema flex_children[] = {LEAF("contact", cti_attrs_flex_contact),
    LEAF("edge", cti_attrs_flex_edge), LEAF("elasticity", cti_attrs_flex_elasticity)};
static const ctiSchema flexcomp_children[] = {
    LEAF("contact", cti_attrs_flex_contact), LEAF("edge", cti_attrs_flexcomp_edge), LEAF("elasticity", cti_attrs_flex_elasticity),
    LEAF("pin", cti_attrs_pin), NODE("plugin", cti_attrs_plugin, config_children),
};

// what may stand in a body, a frame in it, or the world
#define IN_ANY_BODY                                                                                                    \
    NODE("geom", cti_attrs_geom, plugin_child), LEAF("site", cti_attrs_site), LEAF("camera", cti_attrs_camera),        \
    LEAF("light", cti_attrs_light), LEAF("attach", cti_attrs_attach), NODE("plugin", cti_attrs_plugin, config_children), \
    NODE("flexcomp", cti_attrs_flexcomp, flexcomp_children)
#define IN_MOVING_BODY LEAF("inertial", cti_attrs_inertial), LEAF("joint", cti_attrs_joint), \
    LEAF("freejoint", cti_attrs_freejoint)
static const ctiSchema body_children[] = {IN_ANY_BODY, IN_MOVING_BODY};
const ctiSchema cti_schema_body = {.tag = "body", .attrs = &cti_attrs_body, .children = body_children,
    .nchild = CT_COUNT_OF(body_children), .tree = true};
const ctiSchema cti_schema_frame = {.tag = "frame", .attrs = &cti_attrs_frame, .children = body_children,
    .nchild = CT_COUNT_OF(body_children), .tree = true};
const ctiSchema cti_schema_replicate = {.tag = "replicate", .attrs = &cti_attrs_replicate,
    .children = body_children, .nchild = CT_COUNT_OF(body_children), .tree = true};
static const ctiSchema worldbody_children[] = {IN_ANY_BODY};

static const ctiSchema skin_children[] = {LEAF("bone", cti_attrs_bone)};
static const ctiSchema deformable_children[] = {NODE("flex", cti_attrs_flex_own, flex_children),
    NODE("skin", cti_attrs_skin, skin_children)};
static const ctiSchema asset_children[] = {
    NODE("mesh", cti_attrs_mesh, plugin_child), LEAF("hfield", cti_attrs_hfield), LEAF("texture", cti_attrs_texture),
    NODE("material", cti_attrs_material, material_children), NODE("skin", cti_attrs_skin, skin_children),
    LEAF("model", cti_attrs_submodel),
};
static const ctiSchema contact_children[] = {LEAF("pair", cti_attrs_pair), LEAF("exclude", cti_attrs_exclude)};
static const ctiSchema equality_children[] = {
    LEAF("connect", cti_attrs_connect), LEAF("weld", cti_attrs_weld), LEAF("joint", cti_attrs_eq_joint),
    LEAF("tendon", cti_attrs_eq_tendon), LEAF("flex", cti_attrs_eq_flex), LEAF("flexstrain", cti_attrs_eq_flexstrain),
};
static const ctiSchema spatial_children[] = {LEAF("site", cti_attrs_wrap_site),
    LEAF("geom", cti_attrs_wrap_geom), LEAF("pulley", cti_attrs_wrap_pulley)};
static const ctiSchema fixed_children[] = {LEAF("joint", cti_attrs_wrap_joint)};
static const ctiSchema tendon_children[] = {NODE("spatial", cti_attrs_spatial, spatial_children),
    NODE("fixed", cti_attrs_fixed, fixed_children)};
static const ctiSchema actuator_children[] = {
    CTI_SHORTCUTS(ACTUATOR)
    {.tag = "plugin", .attrs = &cti_attrs_plugin_actuator, .children = config_children, .nchild = CT_COUNT_OF(config_children)},
};
static const ctiSchema tuple_children[] = {LEAF("element", cti_attrs_tuple_item)};
static const ctiSchema custom_children[] = {LEAF("numeric", cti_attrs_numeric),
    LEAF("text", cti_attrs_text), NODE("tuple", cti_attrs_tuple, tuple_children)};
static const ctiSchema keyframe_children[] = {LEAF("key", cti_attrs_key)};

static const ctiSchema sensor_children[] = {
#define X(id, text, on, ...) \
  {.tag = text, .attrs = &cti_attrs_sensor[CTI_ATTACH_##on], .children = config_children, \
   .nchild = (int)CTI_ATTACH_##on == (int)CTI_ATTACH_PLUGIN ? CT_COUNT_OF(config_children) : 0},
#include "corten/fields/sensors.def"
#undef X
};

static const ctiSchema root_children[] = {
    NODE("compiler", cti_attrs_compiler, compiler_children), NODE("option", cti_attrs_option, option_children),
    LEAF("size", cti_attrs_size), LEAF("statistic", cti_attrs_statistic), NODE("visual", cti_attrs_none, visual_children),
    {.tag = "default", .attrs = &cti_attrs_default, .children = default_children,
    .nchild = CT_COUNT_OF(default_children), .recursive = true},
    {.tag = "worldbody", .attrs = &cti_attrs_none, .children = worldbody_children,
    .nchild = CT_COUNT_OF(worldbody_children), .tree = true},
    NODE("asset", cti_attrs_none, asset_children), NODE("contact", cti_attrs_none, contact_children),
    NODE("equality", cti_attrs_none, equality_children), NODE("tendon", cti_attrs_none, tendon_children),
    NODE("actuator", cti_attrs_none, actuator_children), NODE("custom", cti_attrs_none, custom_children),
    NODE("keyframe", cti_attrs_none, keyframe_children),
    NODE("extension", cti_attrs_none, extension_children),
    NODE("deformable", cti_attrs_none, deformable_children),
    NODE("sensor", cti_attrs_none, sensor_children),
};

const ctiSchema cti_schema_root = NODE("mujoco", cti_attrs_model, root_children);
const ctiSchema cti_schema_document = {.tag = "mujoco", .attrs = &cti_attrs_model,
    .children = root_children, .nchild = CT_COUNT_OF(root_children), .tree = true};
// clang-format on

const ctiSchema* cti_schema_child(const ctiSchema* s, const char* tag) {
  for (int i = 0; i < s->nchild; i++) {
    if (strcmp(s->children[i].tag, tag) == 0) return &s->children[i];
  }
  if (s->tree && strcmp(tag, "body") == 0) return &cti_schema_body;
  if (s->tree && strcmp(tag, "frame") == 0) return &cti_schema_frame;
  if (s->tree && strcmp(tag, "replicate") == 0) return &cti_schema_replicate;
  return s->recursive && strcmp(s->tag, tag) == 0 ? s : NULL;
}

// ---- a document against the schema

typedef CTI_ARRAY(const ctiSchema*) Path;

// What was part of the language once, with what to write in its place.
static const struct {
  const char *parent, *name, *remedy;  // a parent of NULL: any
} removed[] = {
    {NULL, "composite",
     "use <flexcomp dim=\"1\"> with <elasticity> for cables, <flexcomp> for cloth and solids"},
    {"equality", "flexvert", "use <flex>, or elasticity with the integrator \"discrete\""},
    {"contact", "internal", "remove it: contacts inside a deformable no longer exist"},
};

static const char* find_remedy(const ctiXml* parent, const char* name) {
  for (int i = 0; i < CT_COUNT_OF(removed); i++) {
    bool here = !removed[i].parent || cti_text_equal(removed[i].parent, parent->name);
    if (here && cti_text_equal(removed[i].name, name)) return removed[i].remedy;
  }
  return NULL;
}

// The words for it come from the table, and are those that cti_schema_child() knows besides.
static ctStatus unknown_child(const ctiXml* e, const ctiSchema* s, ctError* err) {
  enum { MOST = 128 };
  const char* remedy = find_remedy(e->parent, e->name);
  if (remedy)
    return cti_xml_error(err, CT_ERR_UNSUPPORTED, e, NULL, "<%s> is no longer part of MuJoCo: %s", e->name,
                         remedy);
  const char* words[MOST];
  int n = 0;
  if (s->tree) words[n++] = cti_schema_body.tag;
  if (s->tree) words[n++] = cti_schema_frame.tag;
  if (s->tree) words[n++] = cti_schema_replicate.tag;
  if (s->recursive) words[n++] = s->tag;
  for (int i = 0; i < s->nchild && n < MOST; i++) words[n++] = s->children[i].tag;
  ctiWords known = n > 0 ? CTI_WORDS(words, n) : (ctiWords){0};
  return cti_read_unknown_element(e, known, err);
}

static const ctiAttr* find_attr(const ctiAttrTable* t, const char* name) {
  for (int k = 0; t && k < t->count; k++) {
    if (cti_text_equal(t->rows[k].name, name)) return &t->rows[k];
  }
  return NULL;
}

static ctiWords words_of(const ctiAttrTable* t) {
  return t && t->count > 0 ? CTI_WORDS_IN(t->rows, t->count, name) : (ctiWords){0};
}

// The nearest known word, looked for in both tables of the element.
static ctStatus unknown_attr(const ctiXml* e, const ctiXmlAttr* a, const ctiSchema* s, ctError* err) {
  ctiWords known = words_of(s->attrs), more = words_of(s->more);
  const char* remedy = find_remedy(e, a->name);
  if (remedy)
    return cti_xml_error(err, CT_ERR_UNSUPPORTED, e, a, "\"%s\" is no longer part of MuJoCo: %s", a->name,
                         remedy);
  if (known.count == 0 || (more.count > 0 && cti_suggest_in(a->name, more))) known = more;
  return cti_read_unknown_attr(e, a, known, err);
}

// What belongs to one element, and what it is attached to.
static bool not_in_default(const ctiAttr* row) {
  const int kind = row->type == CTI_ATTR_NAME ? row->refers : 0;
  bool attached = kind == CT_OBJ_JOINT || kind == CT_OBJ_SITE || kind == CT_OBJ_BODY ||
                  kind == CT_OBJ_TENDON || kind == CT_OBJ_GEOM;
  return attached || (row->rules & CTI_ATTR_NOT_DEFAULT);
}

// The root may name other languages.
static bool is_foreign(const ctiXml* e, const char* name) {
  return !e->parent && (cti_text_equal(name, "xmlns") || strchr(name, ':'));
}

// Numbers that are not there count as not given.
static bool is_blank_number(const ctiXmlAttr* a, const ctiAttr* row) {
  bool number = row->type == CTI_ATTR_REAL || row->type == CTI_ATTR_CTREAL || row->type == CTI_ATTR_FLOAT ||
                row->type == CTI_ATTR_INT;
  return number && cti_token_count(a->value) == 0;
}

// MuJoCo does not look for mistakes inside frames and replicas: what it would not know elsewhere has no
// effect there. It is left out here with the words of the error.
static void leave_out(const ctSpec* spec, const ctError* mistake) {
  char what[1024], line[1200];
  if (!spec->log.write) return;
  ct_error_format(mistake, what, sizeof(what));
  snprintf(line, sizeof(line), "%s; inside of a frame or of replicas it is left out", what);
  spec->log.write(spec->log.context, CT_LOG_WARNING, line);
}

// Attributes that the element can have stay, blank numbers go.
static ctStatus check_attrs(const ctSpec* spec, ctiXml* e, const ctiSchema* s, bool loose, bool in_default,
                            ctError* err) {
  int kept = 0;
  for (int i = 0; i < e->nattr; i++) {
    const ctiXmlAttr a = e->attrs[i];
    if (!is_foreign(e, a.name)) {
      const ctiAttr* row = find_attr(s->attrs, a.name);
      if (!row) row = find_attr(s->more, a.name);
      if (!row && loose) {
        ctError mistake = {0};
        unknown_attr(e, &e->attrs[i], s, &mistake);
        leave_out(spec, &mistake);
        continue;
      }
      if (!row) return unknown_attr(e, &e->attrs[i], s, err);
      if (in_default && not_in_default(row)) {
        return cti_xml_error(err, CT_ERR_INVALID, e, &e->attrs[i], "\"%s\" cannot be set in a default class",
                             row->name);
      }
      if (is_blank_number(&a, row)) continue;
    }
    e->attrs[kept++] = a;
  }
  e->nattr = kept;
  return CT_OK;
}

// Elements that may appear once in their parent: some kinds, and each kind in a default class.
static ctStatus check_single(const ctiXml* e, bool in_default, ctError* err) {
  static const char* const single[] = {"inertial", "freejoint", "flag", "lengthrange"};
  for (int i = 0; i < CT_COUNT_OF(single); i++) {
    bool counts = in_default ? i == 0 : cti_text_equal(e->name, single[i]);
    if (!counts) continue;
    const ctiXml* first = cti_xml_child(e->parent, e->name);
    if (first != e) {
      return cti_xml_error(err, CT_ERR_INVALID, e, NULL,
                           "<%s> may stand in <%s> only once; the first is at line %d", e->name,
                           e->parent->name, first->line);
    }
  }
  return CT_OK;
}

// What stands in the leaf of a tree without a place there.
static void leave_children_out(const ctSpec* spec, ctiXml* e, const ctiSchema* s) {
  for (ctiXml** link = &e->first; *link;) {
    if (cti_schema_child(s, (*link)->name)) {
      link = &(*link)->next;
      continue;
    }
    ctError mistake = {0};
    unknown_child(*link, s, &mistake);
    leave_out(spec, &mistake);
    *link = (*link)->next;
  }
}

static ctStatus check_element(const ctSpec* spec, ctiXml* e, const ctiSchema* parent, bool loose,
                              const ctiSchema** out, ctError* err) {
  const ctiSchema* s = cti_schema_child(parent, e->name);
  if (!s) return unknown_child(e, parent, err);
  *out = s;
  bool in_default = cti_text_equal(e->parent->name, "default") && !cti_text_equal(e->name, "default");
  loose = loose || s == &cti_schema_frame || s == &cti_schema_replicate;
  CT_TRY(check_attrs(spec, e, s, loose, in_default, err));
  if (loose && !s->tree) leave_children_out(spec, e, s);
  return check_single(e, in_default, err);
}

ctStatus cti_mjcf_validate(const ctSpec* spec, ctiXml* root, ctError* err) {
  CT_TRY(check_attrs(spec, root, &cti_schema_document, false, false, err));
  return cti_mjcf_validate_in(spec, root, &cti_schema_document, err);
}

ctStatus cti_mjcf_validate_in(const ctSpec* spec, ctiXml* root, const ctiSchema* schema, ctError* err) {
  // path[d] is the schema of the ancestor at depth d of the element at hand
  const ctAllocator* a = &spec->allocator;
  Path path = {0};
  ctStatus status = cti_array_push(&path, a, schema);
  if (status != CT_OK) status = cti_error_memory(err);
  int depth = 0, frame = 0;  // depth of the outermost frame around it, 0 for none
  ctiXml* e = root;
  while (status == CT_OK) {
    // next element in document order, and its depth
    if (e == root && !e->first) break;
    if (e->first) {
      e = e->first;
      depth++;
    } else {
      while (e != root && !e->next) {
        e = e->parent;
        depth--;
      }
      if (e == root) break;
      e = e->next;
    }
    path.count = depth;
    if (depth <= frame) frame = 0;
    const ctiSchema* s = NULL;
    status = check_element(spec, e, path.data[depth - 1], frame > 0, &s, err);
    if (frame == 0 && (s == &cti_schema_frame || s == &cti_schema_replicate)) frame = depth;
    if (status == CT_OK && cti_array_push(&path, a, s) != CT_OK) status = cti_error_memory(err);
  }
  cti_array_free(&path, a);
  return status;
}
