// Reading MJCF: bodies and what stands in them, and the elements that copy parts of models.
#include "base/files.h"
#include "mjcf/read.h"
#include "transform/attach.h"

// ---- models that parts are taken from

// An error unless the class exists; NULL is none.
static ctStatus check_class(ctiReader* r, const ctiXml* e, const char* class_) {
  if (!class_ || cti_spec_find_class(r->spec, class_)) return CT_OK;
  return cti_xml_error(r->err, CT_ERR_INVALID, e, cti_xml_find(e, "childclass"),
                       "default class \"%s\" is not defined", class_);
}

static ctStatus check_cycle(ctiReader* r, const ctiXml* e, const char* path) {
  char* normal = cti_path_normalise(r->spec->region, path);
  if (!normal) return cti_error_memory(r->err);
  int depth = 0;
  for (const ctiOrigin* o = r->origin; o; o = o->outer) {
    depth++;
    if (!cti_text_equal(o->file, normal)) continue;
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "model \"%s\" is part of itself", path);
  }
  const int most = 100;
  if (depth > most)
    return cti_xml_error(r->err, CT_ERR_LIMIT, e, NULL, "models are nested more than %d deep", most);
  return CT_OK;
}

// From the folder of the file that has the element, else from the model's.
static const char* model_path(const ctiReader* r, const ctiXml* e, const char* name) {
  const char* dir = cti_path_dir(r->spec->region, e->file);
  const char* path = dir ? cti_path_join(r->spec->region, dir, name) : NULL;
  if (!path || cti_file_exists(r->opt ? r->opt->vfs : NULL, path)) return path;
  dir = cti_path_dir(r->spec->region, r->spec->file);
  return dir ? cti_path_join(r->spec->region, dir, name) : NULL;
}

ctStatus cti_mjcf_read_model(ctiReader* r, const ctiXml* e) {
  ctiModelWords words = {0};
  CT_TRY(cti_mjcf_read_attrs(r, e, &cti_attrs_submodel, &words, NULL));
  if (words.content_type && words.content_type[0] && !cti_text_equal(words.content_type, "text/xml")) {
    return cti_xml_error(r->err, CT_ERR_UNSUPPORTED, e, cti_xml_find(e, "content_type"),
                         "a model to attach is \"text/xml\", not \"%s\"", words.content_type);
  }
  const char* path = model_path(r, e, words.file);
  if (!path) return cti_error_memory(r->err);
  CT_TRY(check_cycle(r, e, path));
  const ctAllocator* allocator = r->opt ? r->opt->allocator : NULL;
  const ctVfs* vfs = r->opt ? r->opt->vfs : NULL;
  ctiFile file;
  ctError inner = {0};
  ctStatus status = cti_file_read(&file, vfs, path, r->opt ? r->opt->max_file_size : 0, allocator, &inner);
  if (status != CT_OK)
    return cti_xml_error(r->err, status, e, NULL, "cannot read the model \"%s\": %s", path, inner.message);
  ctiSubmodel model = {.name = words.name};
  status = cti_mjcf_parse(&model.spec, file.data, file.size, path, r->opt, r->origin, r->err);
  cti_file_release(&file, allocator);
  if (status != CT_OK) return status;
  cti_budget_take_over(&r->spec->budget, &model.spec->budget);
  model.charged = model.spec->budget.used;  // until it is freed
  r->spec->budget.used += model.charged;
  if (!model.name) model.name = model.spec->modelname;
  if (cti_array_push(&r->models, r->spec->in_region, model) == CT_OK) return CT_OK;
  r->spec->budget.used -= model.charged;
  ct_spec_free(model.spec);
  return cti_error_memory(r->err);
}

// ---- attach

static ctSpec* find_model(const ctiReader* r, const char* name) {
  for (int i = 0; i < r->models.count; i++) {
    if (cti_text_equal(r->models.data[i].name, name)) return r->models.data[i].spec;
  }
  return NULL;
}

// The body or the frame that is asked for; false when it is not there, or memory runs out.
static bool find_part(ctiReader* r, const ctiAttachWords* words, ctiAttachment* g) {
  int n;
  ctiBody** bodies = cti_spec_bodies(g->from->world, r->spec->region, &n);
  for (int i = 0; bodies && i < n; i++) {
    if (words->body && cti_text_equal(bodies[i]->head.name, words->body)) {
      g->what = bodies[i];
      return true;
    }
    for (int k = 0; words->frame && k < bodies[i]->frames.count; k++) {
      if (!cti_text_equal(bodies[i]->frames.data[k]->head.name, words->frame)) continue;
      g->what = bodies[i];
      g->only = bodies[i]->frames.data[k];
      g->contents = true;
      return true;
    }
  }
  return false;
}

static ctStatus read_attach(ctiReader* r, const ctiXml* e, ctiBody* body, const char* class_) {
  (void)class_;
  ctiAttachWords words = {0};
  CT_TRY(cti_mjcf_read_attrs(r, e, &cti_attrs_attach, &words, NULL));
  if (words.body && words.frame)
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "body and frame exclude each other: keep one");
  ctSpec* from = words.model ? find_model(r, words.model) : r->spec;
  if (!from) {
    return cti_xml_error(r->err, CT_ERR_INVALID, e, cti_xml_find(e, "model"),
                         "there is no model called \"%s\" in <asset>", words.model);
  }
  char complaint[300];
  if (cti_spec_merge(r->spec, from, complaint, sizeof(complaint)) != CT_OK)
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "%s", complaint);
  ctiAttachment g = {
      .to = r->spec, .body = body, .frame = r->frame, .from = from, .prefix = words.prefix, .suffix = ""};
  if (words.body || words.frame) {
    if (!find_part(r, &words, &g)) {
      return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "there is no %s called \"%s\" %s%s",
                           words.body ? "body" : "frame", words.body ? words.body : words.frame,
                           words.model ? "in model " : "above this element", words.model ? words.model : "");
    }
  } else if (!words.model) {
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL,
                         "attaching a part of the same model needs the attribute \"body\" or \"frame\"");
  } else {
    g.what = from->world;
    g.contents = true;
  }
  // two copies of it would be told apart inside of <replicate>, what refers to them would not
  const char* again = !g.contents && g.what->head.name
                          ? cti_region_printf(r->spec->region, "%s%s", g.prefix, g.what->head.name)
                          : NULL;
  if (again && ct_spec_find(r->spec, CT_OBJ_BODY, again))
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL,
                         "the model has a body called \"%s\" already: give what is attached another prefix",
                         again);
  return cti_spec_attach(&g, r->err);
}

// ---- replicate

static ctStatus open_replicate(ctiReader* r, const ctiXml* e, ctiBody* body, const char** class_,
                               ctiBody** holder) {
  ctiReplicateWords words = {0};
  CT_TRY(cti_mjcf_read_attrs(r, e, &cti_attrs_replicate, &words, NULL));
  if (words.count < 0)
    return cti_xml_error(r->err, CT_ERR_INVALID, e, cti_xml_find(e, "count"), "count must not be negative");
  if (words.childclass) *class_ = words.childclass;
  *holder = CTI_NEW(r->spec->region, ctiBody);
  if (!*holder) return cti_error_memory(r->err);
  (*holder)->depth = body->depth;
  (*holder)->parent = body;
  (*holder)->head.parent = &body->head;
  cti_mjcf_place(r, e, &(*holder)->head);
  return check_class(r, e, words.childclass);
}

static ctStatus close_replicate(ctiReader* r, const ctiXml* e, ctiBody* holder, ctiBody* body,
                                const ctiFrame* frame) {
  ctiReplicateWords words = {.sep = ""};
  CT_TRY(cti_mjcf_read_attrs(r, e, &cti_attrs_replicate, &words, NULL));
  bool plugin = holder->use.plugin || holder->use.instance;
  if (holder->joints.count > 0 || holder->has_inertial || plugin) {
    const ctiElement* misplaced = holder->joints.count > 0 ? &holder->joints.data[0]->head
                                  : plugin                 ? &holder->head
                                                           : &holder->inertial.head;
    return cti_spec_error(r->err, CT_ERR_INVALID, misplaced,
                          "cannot stand in <replicate> directly: put it into a <body> there");
  }
  ctiReplication how = {.body = body,
                        .frame = frame,
                        .holder = holder,
                        .childclass = words.childclass,
                        .at = &holder->head,
                        .count = words.count,
                        .sep = words.sep};
  for (int i = 0; i < 3; i++) {
    how.offset[i] = words.offset[i];
    how.euler[i] = words.euler[i];
  }
  return cti_spec_replicate(r->spec, &how, r->err);
}

// ---- the tree

static ctStatus read_inertial(ctiReader* r, const ctiXml* e, ctiBody* body, const char* class_) {
  (void)class_;
  ctiInertial* inertial = &body->inertial;
  inertial->head.parent = &body->head;
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_inertial, &inertial->head));
  CT_TRY(cti_mjcf_read_orient(r, e, &inertial->orient));
  inertial->head.frame = r->frame;
  body->has_inertial = true;
  const ctiXmlAttr* full = cti_xml_find(e, "fullinertia");
  if (!full) return CT_OK;
  static const char* const clash[] = {"diaginertia", "quat", "axisangle", "xyaxes", "zaxis", "euler"};
  for (int i = 0; i < CT_COUNT_OF(clash); i++) {
    if (!cti_xml_find(e, clash[i])) continue;
    return cti_xml_error(r->err, CT_ERR_INVALID, e, full, "\"fullinertia\" says everything: remove \"%s\"",
                         clash[i]);
  }
  return CT_OK;
}

static ctStatus read_joint(ctiReader* r, const ctiXml* e, ctiBody* body, const char* class_) {
  ctiClass* from;
  CT_TRY(cti_mjcf_class_of(r, e, class_, &from));
  ctiJoint* joint = cti_spec_add_joint(r->spec, body, from);
  if (!joint) return cti_error_memory(r->err);
  joint->head.frame = r->frame;
  return cti_mjcf_read_element(r, e, &cti_attrs_joint, &joint->head);
}

// A free joint takes nothing from the defaults.
static ctStatus read_freejoint(ctiReader* r, const ctiXml* e, ctiBody* body, const char* class_) {
  (void)class_;
  ctiJoint* joint = cti_spec_add_joint(r->spec, body, cti_spec_plain_class(r->spec));
  if (!joint) return cti_error_memory(r->err);
  joint->head.frame = r->frame;
  joint->type = CT_JOINT_FREE;
  joint->isfree = true;
  return cti_mjcf_read_element(r, e, &cti_attrs_freejoint, &joint->head);
}

static ctStatus read_geom(ctiReader* r, const ctiXml* e, ctiBody* body, const char* class_) {
  ctiClass* from;
  CT_TRY(cti_mjcf_class_of(r, e, class_, &from));
  ctiGeom* geom = cti_spec_add_geom(r->spec, body, from);
  if (!geom) return cti_error_memory(r->err);
  geom->head.frame = r->frame;
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_geom, &geom->head));
  CT_TRY(cti_mjcf_read_plugin(r, e, &geom->use));
  return cti_mjcf_read_orient(r, e, &geom->orient);
}

static ctStatus read_site(ctiReader* r, const ctiXml* e, ctiBody* body, const char* class_) {
  ctiClass* from;
  CT_TRY(cti_mjcf_class_of(r, e, class_, &from));
  ctiSite* site = cti_spec_add_site(r->spec, body, from);
  if (!site) return cti_error_memory(r->err);
  site->head.frame = r->frame;
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_site, &site->head));
  return cti_mjcf_read_orient(r, e, &site->orient);
}

static ctStatus read_camera(ctiReader* r, const ctiXml* e, ctiBody* body, const char* class_) {
  ctiClass* from;
  CT_TRY(cti_mjcf_class_of(r, e, class_, &from));
  ctiCamera* camera = cti_spec_add_camera(r->spec, body, from);
  if (!camera) return cti_error_memory(r->err);
  camera->head.frame = r->frame;
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_camera, &camera->head));
  if (cti_xml_find(e, "fovy") && cti_xml_find(e, "sensorsize")) {
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "fovy and sensorsize exclude each other: keep one");
  }
  return cti_mjcf_read_orient(r, e, &camera->orient);
}

static ctStatus read_light(ctiReader* r, const ctiXml* e, ctiBody* body, const char* class_) {
  ctiClass* from;
  CT_TRY(cti_mjcf_class_of(r, e, class_, &from));
  ctiLight* light = cti_spec_add_light(r->spec, body, from);
  if (!light) return cti_error_memory(r->err);
  light->head.frame = r->frame;
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_light, &light->head));
  if (cti_xml_find(e, "directional") && cti_xml_find(e, "type")) {
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "directional is the old form of type: keep one");
  }
  if (cti_xml_find(e, "directional")) light->type = light->directional ? CT_LIGHT_DIRECTIONAL : CT_LIGHT_SPOT;
  return CT_OK;
}

static ctStatus read_body(ctiReader* r, const ctiXml* e, ctiBody* parent, const char* class_, ctiBody** out) {
  ctiBody* body = cti_spec_add_body(r->spec, parent);
  if (!body) return cti_error_memory(r->err);
  body->childclass = class_;
  body->head.frame = r->frame;
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_body, &body->head));
  CT_TRY(cti_mjcf_read_orient(r, e, &body->orient));
  *out = body;
  return check_class(r, e, body->childclass);
}

// The element is read in its place, between the others of the body.
static ctStatus read_body_plugin(ctiReader* r, const ctiXml* e, ctiBody* body, const char* class_) {
  (void)class_;
  if (body->use.plugin || body->use.instance)
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "a body has one <plugin>");
  return cti_mjcf_read_use(r, e, &body->use);
}

// What stands inside a body.
static const struct {
  const char* tag;
  ctStatus (*read)(ctiReader* r, const ctiXml* e, ctiBody* body, const char* class_);
} parts[] = {
    {"inertial", read_inertial},   {"joint", read_joint},
    {"freejoint", read_freejoint}, {"geom", read_geom},
    {"site", read_site},           {"camera", read_camera},
    {"light", read_light},         {"attach", read_attach},
    {"plugin", read_body_plugin},  {"flexcomp", cti_mjcf_read_flexcomp},
};

static ctStatus read_part(ctiReader* r, const ctiXml* e, ctiBody* body, const char* class_) {
  for (int i = 0; i < CT_COUNT_OF(parts); i++) {
    if (cti_text_equal(parts[i].tag, e->name)) return parts[i].read(r, e, body, class_);
  }
  return CT_OK;
}

// A frame and the class that holds inside it.
static ctStatus read_frame(ctiReader* r, const ctiXml* e, ctiBody* body, const char** class_) {
  ctiFrame* frame = cti_spec_add_frame(r->spec, body, r->frame);
  if (!frame) return cti_error_memory(r->err);
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_frame, &frame->head));
  CT_TRY(cti_mjcf_read_orient(r, e, &frame->orient));
  if (frame->childclass) *class_ = frame->childclass;
  r->frame = frame;
  return check_class(r, e, frame->childclass);
}

// Where the walk is: the body whose children are read, the frame and the class that hold there.
typedef struct Place {
  ctiBody* body;
  const ctiFrame* frame;
  const char* class_;
} Place;

// Walk the section in document order with a stack of places, one an open element. Nothing recurses: a chain
// may be as deep as the document.
ctStatus cti_mjcf_read_tree(ctiReader* r, const ctiXml* section, ctiBody* body, const ctiFrame* frame,
                            const char* class_) {
  CTI_ARRAY(Place) stack = {0};
  const ctAllocator* a = r->spec->in_region;
  Place at = {body, frame, class_};
  const ctiXml* e = section->first;
  while (e) {
    Place inside = at;
    r->frame = at.frame;
    bool opens = true;
    if (cti_text_equal(e->name, "body")) {
      CT_TRY(read_body(r, e, at.body, at.class_, &inside.body));
      inside.frame = NULL;
      inside.class_ = inside.body->childclass;
    } else if (cti_text_equal(e->name, "frame")) {
      CT_TRY(read_frame(r, e, at.body, &inside.class_));
      inside.frame = r->frame;
    } else if (cti_text_equal(e->name, "replicate")) {
      CT_TRY(open_replicate(r, e, at.body, &inside.class_, &inside.body));
      inside.frame = NULL;
    } else {
      CT_TRY(read_part(r, e, at.body, at.class_));
      opens = false;
    }
    if (opens && e->first) {
      if (cti_array_push(&stack, a, at) != CT_OK) return cti_error_memory(r->err);
      at = inside;
      e = e->first;
      continue;
    }
    while (!e->next && e->parent != section) {
      e = e->parent;
      ctiBody* filled = at.body;
      at = stack.data[--stack.count];
      if (cti_text_equal(e->name, "replicate")) CT_TRY(close_replicate(r, e, filled, at.body, at.frame));
    }
    e = e->next;
  }
  return CT_OK;
}

ctStatus cti_mjcf_read_world(ctiReader* r, const ctiXml* section) {
  cti_mjcf_place(r, section, &r->spec->world->head);
  return cti_mjcf_read_tree(r, section, r->spec->world, NULL, NULL);
}
