// The flat sections: custom, asset, contact, equality, tendon, keyframe.
#include <string.h>

#include "base/files.h"
#include "mjcf/reader.h"
#include "spec/defaults.h"

// A new element of a list that takes its defaults from a class.
#define ADD_FROM_CLASS(out, kind, e)               \
  ctiClass* from_;                                 \
  CT_TRY(cti_mjcf_class_of(r, (e), NULL, &from_)); \
  out = cti_spec_add_##kind(r->spec, from_);       \
  if (!out) return cti_error_memory(r->err)

#define ADD_PLAIN(out, list)             \
  out = cti_spec_add_to_##list(r->spec); \
  if (!out) return cti_error_memory(r->err)

// ---- custom

static ctStatus read_numeric(ctiReader* r, const ctiXml* e) {
  ctiNumeric* numeric;
  ADD_PLAIN(numeric, numerics);
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_numeric, &numeric->head));
  if (!cti_xml_find(e, "size")) numeric->size = numeric->data.count;
  if (numeric->size <= 0 || numeric->data.count > numeric->size) {
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "numeric \"%s\": %d numbers do not fit the size %d",
                         numeric->head.name, numeric->data.count, numeric->size);
  }
  return CT_OK;
}

static ctStatus read_text(ctiReader* r, const ctiXml* e) {
  ctiText* text;
  ADD_PLAIN(text, texts);
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_text, &text->head));
  if (!text->data && e->text) text->data = cti_intern_sized(&r->spec->strings, e->text, e->text_size);
  if (text->data) return CT_OK;
  return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "text \"%s\" is empty: give it data",
                       text->head.name);
}

ctStatus cti_mjcf_read_tuple_item(ctiReader* r, const ctiXml* e, ctiTuple* tuple) {
  ctiTupleItem* item = CTI_NEW(r->spec->region, ctiTupleItem);
  if (!item || cti_array_push(&tuple->items, r->spec->in_region, item) != CT_OK)
    return cti_error_memory(r->err);
  item->head.parent = &tuple->head;
  return cti_mjcf_read_element(r, e, &cti_attrs_tuple_item, &item->head);
}

static ctStatus read_tuple(ctiReader* r, const ctiXml* e) {
  ctiTuple* tuple;
  ADD_PLAIN(tuple, tuples);
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_tuple, &tuple->head));
  for (const ctiXml* child = e->first; child; child = child->next)
    CT_TRY(cti_mjcf_read_tuple_item(r, child, tuple));
  return CT_OK;
}

// ---- assets

ctStatus cti_mjcf_read_layers(ctiReader* r, const ctiXml* e, ctiMaterial* material) {
  for (const ctiXml* child = cti_xml_child(e, "layer"); child; child = cti_xml_next(child, "layer")) {
    ctiMaterialLayer layer = {0};
    CT_TRY(cti_mjcf_read_attrs(r, child, &cti_attrs_layer, &layer, NULL));
    material->texture[layer.role] = layer.texture;
  }
  return CT_OK;
}

static ctStatus read_material(ctiReader* r, const ctiXml* e) {
  ctiMaterial* material;
  ADD_FROM_CLASS(material, material, e);
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_material, &material->head));
  if (cti_xml_find(e, "texture") && cti_xml_child(e, "layer")) {
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "a material has either a texture or layers");
  }
  return cti_mjcf_read_layers(r, e, material);
}

// An asset without a name is called like its file, without folder and extension.
static ctStatus name_after_file(ctiReader* r, ctiElement* head, const char* file) {
  if (head->name || !file) return CT_OK;
  const char *base = cti_path_base(file), *dot = strrchr(base, '.');
  head->name =
      cti_intern_sized(&r->spec->strings, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
  return head->name ? CT_OK : cti_error_memory(r->err);
}

static ctStatus read_texture(ctiReader* r, const ctiXml* e) {
  ctiTexture* texture;
  ADD_FROM_CLASS(texture, texture, e);
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_texture, &texture->head));
  return name_after_file(r, &texture->head, texture->file);
}

static ctStatus read_hfield(ctiReader* r, const ctiXml* e) {
  ctiHField* hfield;
  ADD_PLAIN(hfield, hfields);
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_hfield, &hfield->head));
  return name_after_file(r, &hfield->head, hfield->file);
}

static ctStatus read_mesh(ctiReader* r, const ctiXml* e) {
  ctiMeshAsset* mesh;
  ADD_FROM_CLASS(mesh, mesh, e);
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_mesh, &mesh->head));
  return name_after_file(r, &mesh->head, mesh->file);
}

ctStatus cti_mjcf_read_bone(ctiReader* r, const ctiXml* e, ctiSkin* skin) {
  ctiBone* bone = CTI_NEW(r->spec->region, ctiBone);
  if (!bone || cti_array_push(&skin->bones, r->spec->in_region, bone) != CT_OK)
    return cti_error_memory(r->err);
  bone->head.parent = &skin->head;
  return cti_mjcf_read_element(r, e, &cti_attrs_bone, &bone->head);
}

static ctStatus read_skin(ctiReader* r, const ctiXml* e) {
  ctiSkin* skin;
  ADD_PLAIN(skin, skins);
  cti_default_skin(skin);
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_skin, &skin->head));
  for (const ctiXml* child = e->first; child; child = child->next) CT_TRY(cti_mjcf_read_bone(r, child, skin));
  return name_after_file(r, &skin->head, skin->file);
}

// ---- contact, equality

static ctStatus read_pair(ctiReader* r, const ctiXml* e) {
  ctiPair* pair;
  ADD_FROM_CLASS(pair, pair, e);
  CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_pair, &pair->head));
  if (pair->geom1 && pair->geom2) return CT_OK;
  return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL,
                       "a pair needs the attributes \"geom1\" and \"geom2\"");
}

static ctStatus read_exclude(ctiReader* r, const ctiXml* e) {
  ctiExclude* exclude;
  ADD_PLAIN(exclude, excludes);
  return cti_mjcf_read_element(r, e, &cti_attrs_exclude, &exclude->head);
}

static ctStatus read_equality(ctiReader* r, const ctiXml* e, int type, const ctiAttrTable* attrs) {
  ctiEquality* eq;
  ADD_FROM_CLASS(eq, equality, e);
  eq->type = type;
  CT_TRY(cti_mjcf_read_element(r, e, attrs, &eq->head));
  if (type != CT_EQ_CONNECT && type != CT_EQ_WELD) return CT_OK;
  // two ways to say it: by sites, or by bodies
  bool sites = eq->site1 || eq->site2,
       bodies = eq->body1 || eq->body2 || cti_xml_find(e, "anchor") || cti_xml_find(e, "relpose");
  if (sites && bodies)
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL,
                         "give either site1 and site2, or body1 with its companions");
  if (sites && !(eq->site1 && eq->site2))
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "site1 and site2 come together");
  if (!sites && !eq->body1)
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "<%s> needs body1, or site1 and site2", e->name);
  if (!sites && type == CT_EQ_CONNECT && !cti_xml_find(e, "anchor")) {
    return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL,
                         "<connect> between bodies needs the attribute \"anchor\"");
  }
  return CT_OK;
}

static ctStatus read_connect(ctiReader* r, const ctiXml* e) {
  return read_equality(r, e, CT_EQ_CONNECT, &cti_attrs_connect);
}
static ctStatus read_weld(ctiReader* r, const ctiXml* e) {
  return read_equality(r, e, CT_EQ_WELD, &cti_attrs_weld);
}
static ctStatus read_eq_joint(ctiReader* r, const ctiXml* e) {
  return read_equality(r, e, CT_EQ_JOINT, &cti_attrs_eq_joint);
}
static ctStatus read_eq_tendon(ctiReader* r, const ctiXml* e) {
  return read_equality(r, e, CT_EQ_TENDON, &cti_attrs_eq_tendon);
}

// ---- tendons

static const struct {
  const char* tag;
  const ctiAttrTable* attrs;
  int type;
} wraps[] = {{"site", &cti_attrs_wrap_site, CT_WRAP_SITE},
             {"geom", &cti_attrs_wrap_geom, CT_WRAP_SPHERE},
             {"pulley", &cti_attrs_wrap_pulley, CT_WRAP_PULLEY},
             {"joint", &cti_attrs_wrap_joint, CT_WRAP_JOINT}};

ctStatus cti_mjcf_read_wrap(ctiReader* r, const ctiXml* e, ctiTendon* tendon) {
  ctiWrap* wrap = CTI_NEW(r->spec->region, ctiWrap);
  if (!wrap || cti_array_push(&tendon->path, r->spec->in_region, wrap) != CT_OK)
    return cti_error_memory(r->err);
  wrap->head.parent = &tendon->head;
  for (size_t i = 0; i < sizeof(wraps) / sizeof(wraps[0]); i++) {
    if (!cti_text_equal(wraps[i].tag, e->name)) continue;
    wrap->type = wraps[i].type;
    CT_TRY(cti_mjcf_read_element(r, e, wraps[i].attrs, &wrap->head));
  }
  if (wrap->type == CT_WRAP_PULLEY && !(wrap->value > 0)) {
    return cti_xml_error(r->err, CT_ERR_INVALID, e, cti_xml_find(e, "divisor"),
                         "the divisor of a pulley must be positive");
  }
  return CT_OK;
}

static ctStatus read_tendon(ctiReader* r, const ctiXml* e) {
  ctiTendon* tendon;
  ADD_FROM_CLASS(tendon, tendon, e);
  bool fixed = cti_text_equal(e->name, "fixed");
  tendon->type = fixed ? CT_TENDON_FIXED : CT_TENDON_SPATIAL;
  CT_TRY(cti_mjcf_read_element(r, e, fixed ? &cti_attrs_fixed : &cti_attrs_spatial, &tendon->head));
  // one spring length stands for both ends of the dead band
  const ctiXmlAttr* length = cti_xml_find(e, "springlength");
  if (length && cti_token_count(length->value) == 1) tendon->springlength[1] = tendon->springlength[0];
  for (const ctiXml* child = e->first; child; child = child->next)
    CT_TRY(cti_mjcf_read_wrap(r, child, tendon));
  return CT_OK;
}

static ctStatus read_key(ctiReader* r, const ctiXml* e) {
  ctiKey* key;
  ADD_PLAIN(key, keys);
  return cti_mjcf_read_element(r, e, &cti_attrs_key, &key->head);
}

// ---- sensors

ctStatus cti_mjcf_read_sensors(ctiReader* r, const ctiXml* section) {
  for (const ctiXml* e = section->first; e; e = e->next) {
    ctiSensor* sensor;
    ADD_PLAIN(sensor, sensors);
    while (!cti_text_equal(cti_sensor_kinds[sensor->type].tag, e->name)) sensor->type++;
    const ctiSensorKind* kind = &cti_sensor_kinds[sensor->type];
    sensor->num = sensor->data = 1;
    sensor->needstage = kind->stage;
    sensor->datatype = kind->datatype;
    CT_TRY(cti_mjcf_read_element(r, e, &cti_attrs_sensor[kind->attach], &sensor->head));
    if (kind->attach == CTI_ATTACH_FRAME && !sensor->reftype != !sensor->refname) {
      return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "reftype and refname come together");
    }
    if (kind->attach == CTI_ATTACH_RAYS && !sensor->site == !sensor->camera) {
      return cti_xml_error(r->err, CT_ERR_INVALID, e, NULL,
                           "a rangefinder is attached to a site or to a camera");
    }
  }
  return CT_OK;
}

// ---- which reader for which element

typedef struct Entry {
  const char* tag;
  ctStatus (*read)(ctiReader* r, const ctiXml* e);
} Entry;

static ctStatus read_section(ctiReader* r, const ctiXml* section, const Entry* entries, int n) {
  for (const ctiXml* e = section->first; e; e = e->next) {
    for (int i = 0; i < n; i++) {
      if (cti_text_equal(entries[i].tag, e->name)) CT_TRY(entries[i].read(r, e));
    }
  }
  return CT_OK;
}

#define SECTION(name, ...)                                                                 \
  ctStatus cti_mjcf_read_##name(ctiReader* r, const ctiXml* section) {                     \
    static const Entry entries[] = {__VA_ARGS__};                                          \
    return read_section(r, section, entries, (int)(sizeof(entries) / sizeof(entries[0]))); \
  }
SECTION(custom, {"numeric", read_numeric}, {"text", read_text}, {"tuple", read_tuple})
SECTION(assets, {"texture", read_texture}, {"material", read_material}, {"hfield", read_hfield},
        {"mesh", read_mesh}, {"skin", read_skin}, {"model", cti_mjcf_read_model})
SECTION(deformables, {"skin", read_skin})
SECTION(contact, {"pair", read_pair}, {"exclude", read_exclude})
SECTION(equality, {"connect", read_connect}, {"weld", read_weld}, {"joint", read_eq_joint},
        {"tendon", read_eq_tendon})
SECTION(tendons, {"spatial", read_tendon}, {"fixed", read_tendon})
SECTION(keyframes, {"key", read_key})
