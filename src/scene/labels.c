// Labels of what has no item of its own: names, and readings of sensors.
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "scene/scene.h"

static bool at(ctReal out[3], const ctReal* from) {
  cti_copy3(out, from);
  return true;
}

// The middle of vertices that are in the scene.
static bool middle(ctReal out[3], const float* vert, int count) {
  out[0] = out[1] = out[2] = 0;
  for (int i = 0; i < 3 * count; i++) out[i % 3] += (ctReal)vert[i] / (ctReal)count;
  return count > 0;
}

// Where an object is; false when that is nowhere.
static bool place_of(const ctiSceneBuild* b, ctObjType type, int id, ctReal out[3]) {
  const ctModel* m = b->m;
  const ctData* d = b->d;
  if (id < 0) return false;
  switch (type) {
    case CT_OBJ_BODY: return at(out, d->xipos + 3 * id);
    case CT_OBJ_XBODY: return at(out, d->xpos + 3 * id);
    case CT_OBJ_JOINT: return at(out, d->xanchor + 3 * id);
    case CT_OBJ_GEOM: return at(out, d->geom_xpos + 3 * id);
    case CT_OBJ_SITE: return at(out, d->site_xpos + 3 * id);
    case CT_OBJ_CAMERA: return at(out, d->cam_xpos + 3 * id);
    case CT_OBJ_LIGHT: return at(out, d->light_xpos + 3 * id);
    case CT_OBJ_TENDON: return d->ten_wrapnum[id] > 0 && at(out, d->wrap_xpos + 3 * d->ten_wrapadr[id]);
    case CT_OBJ_FLEX:
      return middle(out, b->s->flex_vert + 3 * (size_t)m->flex_vertadr[id], m->flex_vertnum[id]);
    case CT_OBJ_SKIN:
      return b->opt->show[CT_SHOW_SKIN] &&
             middle(out, b->s->skin_vert + 3 * (size_t)m->skin_vertadr[id], m->skin_vertnum[id]);
    case CT_OBJ_EQUALITY: {
      ctReal ends[2][3];
      return cti_scene_equality(b, id, ends) && at(out, ends[0]);
    }
    case CT_OBJ_ACTUATOR: {
      static const ctObjType of[] = {
          [CT_TRN_JOINT] = CT_OBJ_JOINT,      [CT_TRN_JOINTINPARENT] = CT_OBJ_JOINT,
          [CT_TRN_TENDON] = CT_OBJ_TENDON,    [CT_TRN_SITE] = CT_OBJ_SITE,
          [CT_TRN_SLIDERCRANK] = CT_OBJ_SITE, [CT_TRN_BODY] = CT_OBJ_BODY};
      int trn = m->actuator_trntype[id];
      return trn >= 0 && trn < CT_COUNT_OF(of) && place_of(b, of[trn], m->actuator_trnid[2 * id], out);
    }
    case CT_OBJ_SENSOR: return place_of(b, (ctObjType)m->sensor_objtype[id], m->sensor_objid[id], out);
    default: return false;
  }
}

// The reading behind the name, as far as there is room.
static void add_reading(const ctiSceneBuild* b, ctItem* item, int sensor) {
  const ctReal* value = b->d->sensordata + b->m->sensor_adr[sensor];
  for (int i = 0; i < b->m->sensor_dim[sensor]; i++) {
    char text[24];
    size_t n = strlen(item->label), more = (size_t)snprintf(text, sizeof(text), " %.3g", (double)value[i]);
    if (n + more + sizeof(" ...") > sizeof(item->label)) {
      memcpy(item->label + (n < sizeof(item->label) - 5 ? n : sizeof(item->label) - 5), " ...", 5);
      return;
    }
    memcpy(item->label + n, text, more + 1);
  }
}

ctStatus cti_scene_add_labels(const ctiSceneBuild* b) {
  const ctModel* m = b->m;
  const struct {
    ctLabelOf label;
    ctObjType type;
    int first, count;
    const int* body;  // what it moves with
  } kinds[] = {{CT_LABEL_OF_BODY, CT_OBJ_BODY, 1, m->nbody, NULL},
               {CT_LABEL_OF_JOINT, CT_OBJ_JOINT, 0, m->njnt, m->jnt_bodyid},
               {CT_LABEL_OF_CAMERA, CT_OBJ_CAMERA, 0, m->ncam, m->cam_bodyid},
               {CT_LABEL_OF_LIGHT, CT_OBJ_LIGHT, 0, m->nlight, m->light_bodyid},
               {CT_LABEL_OF_ACTUATOR, CT_OBJ_ACTUATOR, 0, m->nactuator, NULL},
               {CT_LABEL_OF_EQUALITY, CT_OBJ_EQUALITY, 0, m->neq, NULL},
               {CT_LABEL_OF_FLEX, CT_OBJ_FLEX, 0, m->nflex, NULL},
               {CT_LABEL_OF_SKIN, CT_OBJ_SKIN, 0, m->nskin, NULL},
               {CT_LABEL_OF_SENSOR, CT_OBJ_SENSOR, 0, m->nsensor, NULL}};
  for (int k = 0; k < CT_COUNT_OF(kinds); k++) {
    if (kinds[k].label != b->opt->label) continue;
    for (int i = kinds[k].first; i < kinds[k].count; i++) {
      ctReal pos[3];
      if (!place_of(b, kinds[k].type, i, pos)) continue;
      int body = kinds[k].type == CT_OBJ_BODY ? i : kinds[k].body ? kinds[k].body[i] : 0;
      ctItem* item = cti_scene_add(b, CT_SHAPE_LABEL, kinds[k].type, i, body);
      if (!item) return CT_ERR_MEMORY;
      cti_scene_place(item, pos, NULL);
      cti_scene_label(b, item, kinds[k].type, i);
      if (kinds[k].type == CT_OBJ_SENSOR) add_reading(b, item, i);
    }
  }
  return CT_OK;
}
