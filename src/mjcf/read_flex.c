// Reading MJCF: deformables, as they are and as <flexcomp>.
#include "mjcf/read.h"
#include "spec/defaults.h"
#include "transform/flexcomp.h"

// ---- what <flex> and <flexcomp> share

static const struct {
  const char* tag;
  const ctiAttrTable* attrs;
} parts[] = {{"contact", &cti_attrs_flex_contact},
             {"edge", &cti_attrs_flex_edge},
             {"elasticity", &cti_attrs_flex_elasticity}};

// The bit of an attribute of a part, among those of the deformable: the same member.
static uint64_t given_bit(const ctiAttr* row) {
  for (int i = 0; i < cti_attrs_flex.count; i++) {
    if (cti_attrs_flex.rows[i].offset == row->offset && cti_attrs_flex.rows[i].type == row->type)
      return (uint64_t)1 << i;
  }
  return 0;
}

ctStatus cti_mjcf_read_flex_part(ctiReader* r, const ctiXml* e, ctiFlex* flex) {
  for (int i = 0; i < CT_COUNT_OF(parts); i++) {
    if (!cti_text_equal(parts[i].tag, e->name)) continue;
    uint64_t given = 0;
    CT_TRY(cti_mjcf_read_attrs(r, e, parts[i].attrs, flex, &given));
    for (int k = 0; k < parts[i].attrs->count; k++) {
      if (given >> k & 1) flex->head.given |= given_bit(&parts[i].attrs->rows[k]);
    }
  }
  return CT_OK;
}

static ctStatus add_flex(ctiReader* r, const ctiXml* e, ctiFlex** out) {
  *out = cti_spec_add_to_flexes(r->spec);
  if (!*out) return cti_error_memory(r->err);
  cti_default_flex(*out);
  cti_mjcf_place(r, e, &(*out)->head);
  (*out)->head.attrs = &cti_attrs_flex;
  return CT_OK;
}

ctStatus cti_mjcf_read_flex(ctiReader* r, const ctiXml* e) {
  ctiFlex* flex;
  CT_TRY(add_flex(r, e, &flex));
  CT_TRY(cti_mjcf_read_attrs(r, e, &cti_attrs_flex_own, flex, &flex->head.given));
  for (const ctiXml* child = e->first; child; child = child->next)
    CT_TRY(cti_mjcf_read_flex_part(r, child, flex));
  return CT_OK;
}

// ---- flexcomp

static ctStatus read_flexcomp_edge(ctiReader* r, const ctiXml* e, ctiFlexcompWords* words, ctiFlex* flex) {
  const ctiXmlAttr* a = cti_xml_find(e, "equality");
  if (a && cti_text_equal(a->value, "vert"))
    return cti_xml_error(
        r->err, CT_ERR_UNSUPPORTED, e, a,
        "equality=\"vert\" is no longer part of MuJoCo: use \"true\", \"strain\" in a cage, or "
        "elasticity");
  for (int i = 0; i < e->nattr; i++) {
    bool own = cti_text_equal(e->attrs[i].name, "stiffness") || cti_text_equal(e->attrs[i].name, "damping");
    const ctiAttrTable* table = own ? &cti_attrs_flex_edge : &cti_attrs_flexcomp_edge;
    for (int k = 0; k < table->count; k++) {
      if (cti_text_equal(table->rows[k].name, e->attrs[i].name))
        CT_TRY(cti_mjcf_read_attr(r, e, &e->attrs[i], &table->rows[k], own ? (void*)flex : (void*)words));
    }
  }
  return CT_OK;
}

static ctStatus read_pin(ctiReader* r, const ctiXml* e, ctiFlexcompWords* words) {
  ctiPin pin = {0};
  CT_TRY(cti_mjcf_read_attrs(r, e, &cti_attrs_pin, &pin, NULL));
  return cti_array_push(&words->pins, r->spec->in_region, pin) == CT_OK ? CT_OK : cti_error_memory(r->err);
}

// Whether the body, or one around it, has joints; those that follow in the file count.
static bool has_joints(const ctiXml* e, const ctiBody* body) {
  for (; body; body = body->parent) {
    if (body->joints.count > 0) return true;
  }
  for (; e; e = e->parent) {
    if (cti_xml_child(e, "joint") || cti_xml_child(e, "freejoint")) return true;
  }
  return false;
}

static ctStatus check_frames(ctiReader* r, const ctiXml* e) {
  for (const ctiFrame* f = r->frame; f; f = f->head.frame) {
    bool plain =
        f->scale[0] == 1 && !(f->scale[1] < 1 || f->scale[1] > 1) && !(f->scale[2] < 1 || f->scale[2] > 1);
    if (!plain)
      return cti_xml_error(
          r->err, CT_ERR_UNSUPPORTED, e, NULL,
          "a flexcomp cannot stand in a scaled frame: give it its final spacing, radius and mass");
  }
  return CT_OK;
}

ctStatus cti_mjcf_read_flexcomp(ctiReader* r, const ctiXml* e, ctiBody* body, const char* class_) {
  ctiFlex* flex;
  ctiFlexcompWords words;
  // the class of the body holds, whatever a frame says, as in MuJoCo
  (void)class_;
  ctiFlexcompPlace place = {
      .body = body, .frame = r->frame, .childclass = body->childclass, .moves = has_joints(e->parent, body)};
  cti_default_flexcomp(&words);
  CT_TRY(add_flex(r, e, &flex));
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_flexcomp, &words.head));
  CT_TRY(cti_mjcf_read_plugin(r, e, &words.use));
  CT_TRY(cti_mjcf_read_orient(r, e, &words.orient));
  words.head.parent = &body->head;
  words.has_origin = cti_xml_find(e, "origin") != NULL;
  words.has_dim = cti_xml_find(e, "dim") != NULL;
  words.has_flatskin = cti_xml_find(e, "flatskin") != NULL;
  if (words.mesh && !cti_xml_find(e, "type")) words.type = CTI_FLEXCOMP_MESH;
  CT_TRY(check_frames(r, e));
  flex->head.tag = "flex";
  flex->head.name = words.head.name;
  for (const ctiXml* child = e->first; child; child = child->next) {
    if (cti_text_equal(child->name, "edge")) {
      CT_TRY(read_flexcomp_edge(r, child, &words, flex));
    } else if (cti_text_equal(child->name, "pin")) {
      CT_TRY(read_pin(r, child, &words));
    } else if (!cti_text_equal(child->name, "plugin")) {
      CT_TRY(cti_mjcf_read_flex_part(r, child, flex));
    }
  }
  ctiClass* from = body->childclass ? cti_spec_find_class(r->spec, body->childclass) : NULL;
  place.class_ = from ? from : r->spec->classes.data[0];
  return cti_spec_expand_flexcomp(r->spec, flex, &words, &place, r->err);
}
