// The body tree.
#include "mjcf/reader.h"

void cti_mjcf_place(ctiReader* r, const ctiXml* e, ctiElement* head) {
  head->tag = cti_intern(&r->spec->strings, e->name);
  if (!head->tag) head->tag = "element";
  const char* file = cti_intern(&r->spec->strings, e->file);
  head->where = (ctiWhere){file, e->line, e->column};
  if (!r->first) r->first = head;
}

ctStatus cti_mjcf_read_element(ctiReader* r, const ctiXml* e, const ctiAttrTable* table, ctiElement* head) {
  cti_mjcf_place(r, e, head);
  head->attrs = table;
  return cti_mjcf_read_attrs(r, e, table, head, &head->given);
}

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
  for (size_t i = 0; i < sizeof(clash) / sizeof(clash[0]); i++) {
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

ctStatus cti_mjcf_check_class(ctiReader* r, const ctiXml* e, const char* class_) {
  if (!class_ || cti_spec_find_class(r->spec, class_)) return CT_OK;
  return cti_xml_error(r->err, CT_ERR_INVALID, e, cti_xml_find(e, "childclass"),
                       "default class \"%s\" is not defined", class_);
}

static ctStatus read_body(ctiReader* r, const ctiXml* e, ctiBody* parent, const char* class_, ctiBody** out) {
  ctiBody* body = cti_spec_add_body(r->spec, parent);
  if (!body) return cti_error_memory(r->err);
  body->childclass = class_;
  body->head.frame = r->frame;
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_body, &body->head));
  CT_TRY(cti_mjcf_read_orient(r, e, &body->orient));
  *out = body;
  return cti_mjcf_check_class(r, e, body->childclass);
}

// What stands inside a body.
static const struct {
  const char* tag;
  ctStatus (*read)(ctiReader* r, const ctiXml* e, ctiBody* body, const char* class_);
} parts[] = {
    {"inertial", read_inertial},   {"joint", read_joint},
    {"freejoint", read_freejoint}, {"geom", read_geom},
    {"site", read_site},           {"camera", read_camera},
    {"light", read_light},         {"attach", cti_mjcf_read_attach},
};

static ctStatus read_part(ctiReader* r, const ctiXml* e, ctiBody* body, const char* class_) {
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
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
  return cti_mjcf_check_class(r, e, frame->childclass);
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
      CT_TRY(cti_mjcf_open_replicate(r, e, at.body, &inside.class_, &inside.body));
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
      if (cti_text_equal(e->name, "replicate"))
        CT_TRY(cti_mjcf_close_replicate(r, e, filled, at.body, at.frame));
    }
    e = e->next;
  }
  return CT_OK;
}

ctStatus cti_mjcf_read_world(ctiReader* r, const ctiXml* section) {
  cti_mjcf_place(r, section, &r->spec->world->head);
  return cti_mjcf_read_tree(r, section, r->spec->world, NULL, NULL);
}
