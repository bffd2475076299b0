// The flat sections, and the text as a whole.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/files.h"
#include "mjcf/write.h"
#include "spec/defaults.h"

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

static void write_texture(ctiWriter* w, const ctiTexture* s) {
  ctiTexture t = *s;
  const char** files[] = {&t.file,     &t.fileright, &t.fileleft, &t.fileup,
                          &t.filedown, &t.filefront, &t.fileback};
  const char* dir = cti_compiler_of(w->spec, &s->head)->texturedir;
  for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
    *files[i] = cti_write_settle_file(w, &s->head, dir, *files[i]);
  write_element(w, &s->head, &t, &cti_write_class_of(w, &s->head)->texture, NULL);
}

static void write_assets(ctiWriter* w) {
  const ctSpec* s = w->spec;
  const ctiHField no_hfield = {0};
  cti_write_begin(w, "asset");
  for (int i = 0; i < s->textures.count; i++) write_texture(w, s->textures.data[i]);
  for (int i = 0; i < s->materials.count; i++) write_material(w, s->materials.data[i]);
  for (int i = 0; i < s->meshes.count; i++) {
    ctiMeshAsset m = *s->meshes.data[i];
    m.file = cti_write_settle_file(w, &m.head, cti_compiler_of(s, &m.head)->meshdir, m.file);
    write_element(w, &m.head, &m, &cti_write_class_of(w, &m.head)->mesh, NULL);
  }
  for (int i = 0; i < s->hfields.count; i++) {
    ctiHField h = *s->hfields.data[i];
    h.file = cti_write_settle_file(w, &h.head, cti_compiler_of(s, &h.head)->meshdir, h.file);
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

static ctStatus write_deformables(ctiWriter* w) {
  ctiSkin base = {0};
  cti_default_skin(&base);
  cti_write_begin(w, "deformable");
  for (int i = 0; i < w->spec->skins.count; i++) {
    ctiSkin s = *w->spec->skins.data[i];
    if (s.bone_names && !cti_text_equal(s.bone_names, CTI_NAME_IN_FILE))
      return cti_spec_error(w->err, CT_ERR_UNSUPPORTED, &s.head,
                            "the skin was attached, and its file has the bodies' former names: it cannot be "
                            "written; give it bones in place of the file");
    s.file = cti_write_settle_file(w, &s.head, cti_compiler_of(w->spec, &s.head)->meshdir, s.file);
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
    const ctiPair* p = s->pairs.data[i];
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
  for (int i = 0; i < w->spec->actuators.count; i++) cti_write_actuator(w, w->spec->actuators.data[i]);
  cti_write_end_or_drop(w, "actuator");
}

static void write_sensors(ctiWriter* w) {
  cti_write_begin(w, "sensor");
  for (int i = 0; i < w->spec->sensors.count; i++) {
    const ctiSensor* s = w->spec->sensors.data[i];
    const ctiSensorKind* kind = &cti_sensor_kinds[s->type];
    const ctiSensor plain = {.num = 1, .data = 1, .needstage = kind->stage, .datatype = kind->datatype};
    write_element(w, &s->head, s, &plain, NULL);
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
  write_custom(w);
  cti_write_classes(w);
  write_assets(w);
  CT_TRY(write_deformables(w));
  CT_TRY(cti_write_tree(w));
  write_contacts(w);
  write_equalities(w);
  write_tendons(w);
  write_actuators(w);
  write_sensors(w);
  write_keys(w);
  return CT_OK;
}
