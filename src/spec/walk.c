// Finding elements: by kind, by name, by where they stand; and moving them in their sections.
#include "spec/walk.h"

#include <string.h>

#include "base/fn.h"
#include "spec/attrs.h"

bool cti_element_is_body(const ctiElement* e) {
  return e->attrs == &cti_attrs_body || cti_text_equal(e->tag, "worldbody");
}

ctObjType ct_element_type(const ctElement* element) {
  static const struct {
    const ctiAttrTable* attrs;
    ctObjType type;
  } kinds[] = {
      {&cti_attrs_body, CT_OBJ_BODY},         {&cti_attrs_frame, CT_OBJ_FRAME},
      {&cti_attrs_joint, CT_OBJ_JOINT},       {&cti_attrs_freejoint, CT_OBJ_JOINT},
      {&cti_attrs_geom, CT_OBJ_GEOM},         {&cti_attrs_site, CT_OBJ_SITE},
      {&cti_attrs_camera, CT_OBJ_CAMERA},     {&cti_attrs_light, CT_OBJ_LIGHT},
      {&cti_attrs_mesh, CT_OBJ_MESH},         {&cti_attrs_hfield, CT_OBJ_HFIELD},
      {&cti_attrs_texture, CT_OBJ_TEXTURE},   {&cti_attrs_material, CT_OBJ_MATERIAL},
      {&cti_attrs_pair, CT_OBJ_PAIR},         {&cti_attrs_exclude, CT_OBJ_EXCLUDE},
      {&cti_attrs_connect, CT_OBJ_EQUALITY},  {&cti_attrs_weld, CT_OBJ_EQUALITY},
      {&cti_attrs_eq_joint, CT_OBJ_EQUALITY}, {&cti_attrs_eq_tendon, CT_OBJ_EQUALITY},
      {&cti_attrs_spatial, CT_OBJ_TENDON},    {&cti_attrs_fixed, CT_OBJ_TENDON},
      {&cti_attrs_numeric, CT_OBJ_NUMERIC},   {&cti_attrs_text, CT_OBJ_TEXT},
      {&cti_attrs_tuple, CT_OBJ_TUPLE},       {&cti_attrs_key, CT_OBJ_KEY},
      {&cti_attrs_skin, CT_OBJ_SKIN},         {&cti_attrs_flex, CT_OBJ_FLEX},
      {&cti_attrs_eq_flex, CT_OBJ_EQUALITY},  {&cti_attrs_eq_flexstrain, CT_OBJ_EQUALITY},
      {&cti_attrs_instance, CT_OBJ_PLUGIN},
  };
  const ctiElement* e = (const ctiElement*)element;
  if (!e) return CT_OBJ_UNKNOWN;
  if (cti_element_is_body(e)) return CT_OBJ_BODY;
  for (int i = 0; i < CT_COUNT_OF(kinds); i++) {
    if (e->attrs == kinds[i].attrs) return kinds[i].type;
  }
  if (e->attrs >= cti_attrs_sensor && e->attrs < cti_attrs_sensor + CTI_ATTACH_COUNT) return CT_OBJ_SENSOR;
  return e->more ? CT_OBJ_ACTUATOR : CT_OBJ_UNKNOWN;
}

// What a visitor of elements is called with; it returns false to stop.
typedef bool (*Visit)(void* context, ctiElement* e);

#define VISIT_LIST(list)                                       \
  for (int i_ = 0; i_ < (list).count; i_++) {                  \
    if (!visit(context, &(list).data[i_]->head)) return CT_OK; \
  }

static ctStatus visit_bodies(const ctSpec* spec, ctObjType type, Visit visit, void* context) {
  ctiRegion* scratch = cti_region_create(&spec->allocator);
  int n = 0;
  ctiBody** bodies = scratch ? cti_spec_bodies(spec->world, scratch, &n) : NULL;
  bool go_on = true;
#define VISIT_IN(kind, list)                                  \
  if (type == (kind)) {                                       \
    for (int k = 0; k < bodies[i]->list.count && go_on; k++)  \
      go_on = visit(context, &bodies[i]->list.data[k]->head); \
  }
  for (int i = 0; bodies && i < n && go_on; i++) {
    if (type == CT_OBJ_BODY) go_on = visit(context, &bodies[i]->head);
    VISIT_IN(CT_OBJ_FRAME, frames)
    VISIT_IN(CT_OBJ_JOINT, joints)
    VISIT_IN(CT_OBJ_GEOM, geoms)
    VISIT_IN(CT_OBJ_SITE, sites)
    VISIT_IN(CT_OBJ_CAMERA, cameras)
    VISIT_IN(CT_OBJ_LIGHT, lights)
  }
#undef VISIT_IN
  cti_region_free(scratch);
  return bodies ? CT_OK : CT_ERR_MEMORY;
}

static ctStatus visit_kind(const ctSpec* spec, ctObjType type, Visit visit, void* context) {
  switch (type) {
    case CT_OBJ_MESH: VISIT_LIST(spec->meshes) return CT_OK;
    case CT_OBJ_HFIELD: VISIT_LIST(spec->hfields) return CT_OK;
    case CT_OBJ_TEXTURE: VISIT_LIST(spec->textures) return CT_OK;
    case CT_OBJ_MATERIAL: VISIT_LIST(spec->materials) return CT_OK;
    case CT_OBJ_PAIR: VISIT_LIST(spec->pairs) return CT_OK;
    case CT_OBJ_EXCLUDE: VISIT_LIST(spec->excludes) return CT_OK;
    case CT_OBJ_EQUALITY: VISIT_LIST(spec->equalities) return CT_OK;
    case CT_OBJ_TENDON: VISIT_LIST(spec->tendons) return CT_OK;
    case CT_OBJ_ACTUATOR: VISIT_LIST(spec->actuators) return CT_OK;
    case CT_OBJ_SENSOR: VISIT_LIST(spec->sensors) return CT_OK;
    case CT_OBJ_NUMERIC: VISIT_LIST(spec->numerics) return CT_OK;
    case CT_OBJ_TEXT: VISIT_LIST(spec->texts) return CT_OK;
    case CT_OBJ_TUPLE: VISIT_LIST(spec->tuples) return CT_OK;
    case CT_OBJ_FLEX: VISIT_LIST(spec->flexes) return CT_OK;
    case CT_OBJ_SKIN: VISIT_LIST(spec->skins) return CT_OK;
    case CT_OBJ_KEY: VISIT_LIST(spec->keys) return CT_OK;
    case CT_OBJ_PLUGIN: VISIT_LIST(spec->instances) return CT_OK;
    default: return visit_bodies(spec, type == CT_OBJ_XBODY ? CT_OBJ_BODY : type, visit, context);
  }
}

// Elements found so far, written as far as there is room.
typedef struct Found {
  ctElement** out;
  int max, count;
} Found;

static bool collect(void* context, ctiElement* e) {
  Found* f = (Found*)context;
  if (f->out && f->count < f->max) f->out[f->count] = (ctElement*)e;
  f->count++;
  return true;
}

int ct_spec_list(const ctSpec* spec, ctObjType type, ctElement** out, int max) {
  Found f = {out, max, 0};
  if (!spec) return 0;
  return visit_kind(spec, type, collect, &f) == CT_OK ? f.count : -1;
}

typedef struct Wanted {
  const char* name;
  ctiElement* found;
} Wanted;

static bool compare(void* context, ctiElement* e) {
  Wanted* w = (Wanted*)context;
  if (e->name && strcmp(e->name, w->name) == 0) w->found = e;
  return !w->found;
}

ctElement* ct_spec_find(const ctSpec* spec, ctObjType type, const char* name) {
  Wanted w = {name, NULL};
  if (spec && name) visit_kind(spec, type, compare, &w);
  return (ctElement*)w.found;
}

ctElement* ct_spec_world(ctSpec* spec) {
  return spec ? (ctElement*)&spec->world->head : NULL;
}

int ct_element_children(const ctElement* element, ctElement** out, int max) {
  ctiElement* e = (ctiElement*)(uintptr_t)element;
  Found f = {out, max, 0};
  if (!e) return 0;
  if (e->attrs == &cti_attrs_spatial || e->attrs == &cti_attrs_fixed) {
    ctiTendon* t = (ctiTendon*)(void*)e;
    for (int i = 0; i < t->path.count; i++) collect(&f, &t->path.data[i]->head);
  } else if (e->attrs == &cti_attrs_tuple) {
    ctiTuple* t = (ctiTuple*)(void*)e;
    for (int i = 0; i < t->items.count; i++) collect(&f, &t->items.data[i]->head);
  } else if (e->attrs == &cti_attrs_skin) {
    ctiSkin* s = (ctiSkin*)(void*)e;
    for (int i = 0; i < s->bones.count; i++) collect(&f, &s->bones.data[i]->head);
  }
  const ctiFrame* frame = e->attrs == &cti_attrs_frame ? (const ctiFrame*)(void*)e : NULL;
  if (!frame && !cti_element_is_body(e)) return f.count;
  ctiBody* body = (ctiBody*)(uintptr_t)(frame ? (const void*)e->parent : (const void*)e);
#define CHILDREN(list)                                                                   \
  for (int i = 0; i < body->list.count; i++) {                                           \
    if (body->list.data[i]->head.frame == frame) collect(&f, &body->list.data[i]->head); \
  }
  CHILDREN(frames)
  if (!frame && body->has_inertial) collect(&f, &body->inertial.head);
#define X(record, list, template_) CHILDREN(list)
  CTI_BODY_LISTS(X)
#undef X
  CHILDREN(bodies)
#undef CHILDREN
  return f.count;
}

ctElement* ct_element_parent(const ctElement* element) {
  const ctiElement* e = (const ctiElement*)element;
  if (!e) return NULL;
  const void* parent = e->frame ? (const void*)e->frame : (const void*)e->parent;
  return (ctElement*)(uintptr_t)parent;
}

const char* ct_element_tag(const ctElement* element) {
  return element ? ((const ctiElement*)element)->tag : "";
}

const char* ct_element_name(const ctElement* element) {
  return element ? ((const ctiElement*)element)->name : NULL;
}

// ---- places in sections

// Put an element of the list to another place in it.
#define MOVE(list)                            \
  for (int i = 0; i < (list).count; i++) {    \
    if (&(list).data[i]->head != e) continue; \
    if (place >= (list).count) return false;  \
    for (; i > place; i--) SWAP(list, i - 1)  \
    for (; i < place; i++) SWAP(list, i)      \
    return true;                              \
  }
#define SWAP(list, k)                      \
  {                                        \
    void* moved = (list).data[k];          \
    (list).data[k] = (list).data[(k) + 1]; \
    (list).data[(k) + 1] = moved;          \
  }

static bool move_flat(ctSpec* spec, const ctiElement* e, int place) {
#define X(record, list, template_) MOVE(spec->list)
  CTI_SPEC_LISTS(X)
#undef X
#define X(record, list) MOVE(spec->list)
  CTI_SPEC_PLAIN_LISTS(X)
#undef X
  return false;
}

ctStatus ct_spec_move(ctSpec* spec, ctElement* element, int place, ctError* err) {
  if (!spec || !element || place < 0)
    return cti_error(err, CT_ERR_ARGUMENT,
                     "ct_spec_move: spec and element must be given, place not negative");
  if (move_flat(spec, (const ctiElement*)element, place)) return CT_OK;
  return cti_spec_error(err, CT_ERR_INVALID, (const ctiElement*)element, "it has no place %d in a section",
                        place);
}

// ---- the names an element says

// The kind a row refers to, looked up beside it where the element says it itself.
static int kind_of(const ctiAttrTable* table, const ctiAttr* row, const char* record) {
  if (row->refers != CTI_REFERS_OBJTYPE && row->refers != CTI_REFERS_REFTYPE) return row->refers;
  const char* wanted = row->refers == CTI_REFERS_OBJTYPE ? "objtype" : "reftype";
  for (int i = 0; i < table->count; i++) {
    const ctiAttr* other = &table->rows[i];
    if (strcmp(other->name, wanted) != 0) continue;
    const void* at = record + other->offset;
    int kind =
        other->type == CTI_ATTR_KEYWORD ? *(const int*)at : (int)cti_object_type(*(const char* const*)at);
    return kind == CT_OBJ_XBODY ? CT_OBJ_BODY : kind;
  }
  return CT_OBJ_UNKNOWN;
}

// The names of a list one by one, each as an attribute of its own.
static ctStatus visit_names(const ctiAttr* row, ctiNames* names, ctiAttrVisitor visit, void* context) {
  ctiAttr each = *row;
  each.type = CTI_ATTR_NAME;
  for (int i = 0; i < names->count; i++) CT_TRY(visit(context, &each, row->refers, &names->data[i]));
  return CT_OK;
}

ctStatus cti_visit_record(const ctiAttrTable* table, void* record, ctiAttrVisitor visit, void* context) {
  for (int i = 0; i < table->count; i++) {
    const ctiAttr* row = &table->rows[i];
    if (row->type == CTI_ATTR_CLASS) continue;
    if (row->type == CTI_ATTR_NAMES) {
      ctiNames* names = (ctiNames*)(void*)((char*)record + row->offset);
      CT_TRY(visit(context, row, row->refers, names));
      CT_TRY(visit_names(row, names, visit, context));
      continue;
    }
    CT_TRY(visit(context, row, kind_of(table, row, record), (char*)record + row->offset));
  }
  return CT_OK;
}

ctStatus cti_visit_layers(ctiMaterial* material, ctiAttrVisitor visit, void* context) {
  static const ctiAttr row = {.name = "texture", .type = CTI_ATTR_NAME, .refers = CT_OBJ_TEXTURE};
  for (int i = 0; i < CT_TEXROLE_COUNT; i++) {
    if (i != CT_TEXROLE_RGB) CT_TRY(visit(context, &row, row.refers, &material->texture[i]));
  }
  return CT_OK;
}

ctiPluginUse* cti_plugin_use(ctiElement* e) {
  switch ((int)ct_element_type((const ctElement*)e)) {
    case CT_OBJ_BODY: return &((ctiBody*)(void*)e)->use;
    case CT_OBJ_GEOM: return &((ctiGeom*)(void*)e)->use;
    case CT_OBJ_MESH: return &((ctiMeshAsset*)(void*)e)->use;
    case CT_OBJ_ACTUATOR: return &((ctiActuator*)(void*)e)->use;
    case CT_OBJ_SENSOR: return &((ctiSensor*)(void*)e)->use;
    case CT_OBJ_PLUGIN: return &((ctiInstance*)(void*)e)->use;
    default: return NULL;
  }
}

// Actuators and sensors have a plugin among their attributes, others in an element inside.
static ctStatus visit_plugin(ctiElement* e, ctiPluginUse* use, ctiAttrVisitor visit, void* context) {
  ctObjType type = ct_element_type((const ctElement*)e);
  if (type != CT_OBJ_ACTUATOR && type != CT_OBJ_SENSOR)
    CT_TRY(cti_visit_record(&cti_attrs_plugin, use, visit, context));
  return cti_visit_record(&cti_attrs_plugin_config, use, visit, context);
}

ctStatus cti_visit_element(ctiElement* e, ctiAttrVisitor visit, void* context) {
  if (!e->attrs) return CT_OK;
  CT_TRY(cti_visit_record(e->attrs, e, visit, context));
  ctiPluginUse* use = cti_plugin_use(e);
  if (use && (use->plugin || use->instance)) CT_TRY(visit_plugin(e, use, visit, context));
  if (e->attrs == &cti_attrs_material) return cti_visit_layers((ctiMaterial*)(void*)e, visit, context);
  if (e->attrs == &cti_attrs_spatial || e->attrs == &cti_attrs_fixed) {
    ctiTendon* tendon = (ctiTendon*)(void*)e;
    for (int i = 0; i < tendon->path.count; i++)
      CT_TRY(cti_visit_element(&tendon->path.data[i]->head, visit, context));
  } else if (e->attrs == &cti_attrs_tuple) {
    ctiTuple* tuple = (ctiTuple*)(void*)e;
    for (int i = 0; i < tuple->items.count; i++)
      CT_TRY(cti_visit_element(&tuple->items.data[i]->head, visit, context));
  } else if (e->attrs == &cti_attrs_skin) {
    ctiSkin* skin = (ctiSkin*)(void*)e;
    for (int i = 0; i < skin->bones.count; i++)
      CT_TRY(cti_visit_element(&skin->bones.data[i]->head, visit, context));
  }
  return CT_OK;
}
