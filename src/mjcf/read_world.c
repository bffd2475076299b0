// The body tree.
#include "mjcf/reader.h"

void cti_mjcf_place(ctiReader* r, const ctiXml* e, ctiElement* head) {
  head->tag = cti_intern(&r->spec->strings, e->name);
  if (!head->tag) head->tag = "element";
  const char* file = cti_intern(&r->spec->strings, e->file);
  head->where = (ctiWhere){file, e->line, e->column};
}

ctStatus cti_mjcf_read_element(ctiReader* r, const ctiXml* e, const ctiAttrTable* table, ctiElement* head) {
  cti_mjcf_place(r, e, head);
  return cti_mjcf_read_attrs(r, e, table, head, &head->given);
}

static ctStatus read_inertial(ctiReader* r, const ctiXml* e, ctiBody* body, const char* class_) {
  (void)class_;
  ctiInertial* inertial = &body->inertial;
  inertial->head.parent = &body->head;
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_inertial, &inertial->head));
  CT_TRY(cti_mjcf_read_orient(r, e, &inertial->orient));
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
  return cti_mjcf_read_element(r, e, &cti_attrs_joint, &joint->head);
}

// A free joint takes nothing from the defaults.
static ctStatus read_freejoint(ctiReader* r, const ctiXml* e, ctiBody* body, const char* class_) {
  (void)class_;
  ctiJoint* joint = cti_spec_add_joint(r->spec, body, cti_spec_plain_class(r->spec));
  if (!joint) return cti_error_memory(r->err);
  joint->type = CT_JOINT_FREE;
  joint->isfree = true;
  return cti_mjcf_read_element(r, e, &cti_attrs_freejoint, &joint->head);
}

static ctStatus read_geom(ctiReader* r, const ctiXml* e, ctiBody* body, const char* class_) {
  ctiClass* from;
  CT_TRY(cti_mjcf_class_of(r, e, class_, &from));
  ctiGeom* geom = cti_spec_add_geom(r->spec, body, from);
  if (!geom) return cti_error_memory(r->err);
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_geom, &geom->head));
  return cti_mjcf_read_orient(r, e, &geom->orient);
}

static ctStatus read_site(ctiReader* r, const ctiXml* e, ctiBody* body, const char* class_) {
  ctiClass* from;
  CT_TRY(cti_mjcf_class_of(r, e, class_, &from));
  ctiSite* site = cti_spec_add_site(r->spec, body, from);
  if (!site) return cti_error_memory(r->err);
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_site, &site->head));
  return cti_mjcf_read_orient(r, e, &site->orient);
}

static ctStatus read_body(ctiReader* r, const ctiXml* e, ctiBody* parent, const char* class_, ctiBody** out) {
  ctiBody* body = cti_spec_add_body(r->spec, parent);
  if (!body) return cti_error_memory(r->err);
  body->childclass = class_;
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_body, &body->head));
  CT_TRY(cti_mjcf_read_orient(r, e, &body->orient));
  if (body->childclass && !cti_spec_find_class(r->spec, body->childclass)) {
    return cti_xml_error(r->err, CT_ERR_INVALID, e, cti_xml_find(e, "childclass"),
                         "default class \"%s\" is not defined", body->childclass);
  }
  *out = body;
  return CT_OK;
}

// What stands inside a body.
static const struct {
  const char* tag;
  ctStatus (*read)(ctiReader* r, const ctiXml* e, ctiBody* body, const char* class_);
} parts[] = {{"inertial", read_inertial},
             {"joint", read_joint},
             {"freejoint", read_freejoint},
             {"geom", read_geom},
             {"site", read_site}};

static ctStatus read_part(ctiReader* r, const ctiXml* e, ctiBody* body) {
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
    if (cti_text_equal(parts[i].tag, e->name)) return parts[i].read(r, e, body, body->childclass);
  }
  return CT_OK;
}

// Walk the section in document order; `body` is always the body of e's parent. Nothing recurses: a chain may
// be as deep as the document.
ctStatus cti_mjcf_read_world(ctiReader* r, const ctiXml* section) {
  ctiBody* body = r->spec->world;
  cti_mjcf_place(r, section, &body->head);
  const ctiXml* e = section->first;
  while (e) {
    if (cti_text_equal(e->name, "body")) {
      ctiBody* child = NULL;
      CT_TRY(read_body(r, e, body, body->childclass, &child));
      if (e->first) {
        e = e->first;
        body = child;
        continue;
      }
    } else {
      CT_TRY(read_part(r, e, body));
    }
    while (!e->next && e->parent != section) {
      e = e->parent;
      body = body->parent;
    }
    e = e->next;
  }
  return CT_OK;
}
