// What stands in sections.
#include <stdio.h>
#include <string.h>

#include "base/kinds.h"
#include "decompile/decompile.h"
#include "model/plugin.h"

// ---- actuators

static ctStatus decompile_transmission(ctiDecompiler* l, ctiActuator* a, int i) {
  const ctModel* m = l->m;
  int first = m->actuator_trnid[2 * i], second = m->actuator_trnid[2 * i + 1];
  switch (m->actuator_trntype[i]) {
    case CT_TRN_JOINT: return cti_decompile_refer(l, &a->joint, CT_OBJ_JOINT, first);
    case CT_TRN_JOINTINPARENT: return cti_decompile_refer(l, &a->jointinparent, CT_OBJ_JOINT, first);
    case CT_TRN_TENDON: return cti_decompile_refer(l, &a->tendon, CT_OBJ_TENDON, first);
    case CT_TRN_BODY: return cti_decompile_refer(l, &a->body, CT_OBJ_BODY, first);
    case CT_TRN_SLIDERCRANK:
      CT_TRY(cti_decompile_refer(l, &a->cranksite, CT_OBJ_SITE, first));
      return cti_decompile_refer(l, &a->slidersite, CT_OBJ_SITE, second);
    case CT_TRN_SO3:
      if (second < 0) return cti_decompile_refer(l, &a->joint, CT_OBJ_JOINT, first);
      break;
    case CT_TRN_SITE: break;
    default: return cti_decompile_cannot(l, CT_OBJ_ACTUATOR, i, "its transmission is not defined");
  }
  CT_TRY(cti_decompile_refer(l, &a->site, CT_OBJ_SITE, first));
  return cti_decompile_refer(l, &a->refsite, CT_OBJ_SITE, second);
}

// Setpoints of a pid have ranges of their own, all other inputs share one.
static void decompile_inputs(const ctModel* m, ctiActuator* a, int i) {
  int at = m->actuator_ctrladr[i], end = at + m->actuator_ctrlnum[i];
  bool pid = m->actuator_gaintype[i] == CT_GAIN_PID;
  double* const ranges[] = {a->ctrlrange, a->velrange, a->ffrange};
  for (int k = 0; k < (pid ? 3 : 1) && at < end; k++) {
    if (pid && !(m->actuator_ctrlspec[i] & (CTI_INPUT_POS << k))) continue;
    cti_decompile_reals(ranges[k], m->actuator_ctrlrange + 2 * at, 2);
    if (k == 0)
      a->ctrllimited = cti_decompile_limited(m->actuator_ctrllimited[at], m->actuator_ctrlrange + 2 * at);
    at++;
  }
}

// A default class for one element, for what only a class can say. NULL when memory runs out.
static ctiClass* add_class(ctiDecompiler* l, ctiElement* e, const char* what, int id) {
  char name[48];
  snprintf(name, sizeof(name), "%s%d", what, id);
  ctiClass* c = cti_spec_add_class(l->s, name, l->s->classes.data[0]);
  if (c) e->class_ = c->name;
  return c;
}

// Only a default class can say it of what is no slider-crank.
static ctStatus decompile_cranklength(ctiDecompiler* l, ctiActuator* a, int i) {
  a->cranklength = (double)l->m->actuator_cranklength[i];
  if (a->cranklength == 0 || a->cranksite) return CT_OK;
  ctiClass* c = add_class(l, &a->head, "actuator", i);
  if (!c) return cti_error_memory(l->err);
  c->actuator.cranklength = a->cranklength;
  return CT_OK;
}

static ctStatus decompile_actuator(ctiDecompiler* l, int i) {
  const ctModel* m = l->m;
  int out = m->actuator_outadr[i];
  ctiActuator* a = cti_spec_add_actuator(l->s, &l->s->plain);
  if (!a) return cti_error_memory(l->err);
  cti_decompile_place(l, &a->head, CT_OBJ_ACTUATOR, i, "general", &cti_attrs_actuator[CTI_SHORTCUT_GENERAL]);
  a->head.more = &cti_attrs_shortcut[CTI_SHORTCUT_GENERAL];
  a->shortcut = CTI_SHORTCUT_GENERAL;
  a->group = m->actuator_group[i];
  a->nsample = m->actuator_history[2 * i];
  a->interp = m->actuator_history[2 * i + 1];
  a->delay = (double)m->actuator_delay[i];
  a->drive.dyntype = m->actuator_dyntype[i];
  a->drive.gaintype = m->actuator_gaintype[i];
  a->drive.biastype = m->actuator_biastype[i];
  a->drive.ctrlspec = m->actuator_ctrlspec[i];
  cti_decompile_reals(a->drive.dynprm, m->actuator_dynprm + CT_NDYN * i, CT_NDYN);
  cti_decompile_reals(a->drive.gainprm, m->actuator_gainprm + CT_NGAIN * i, CT_NGAIN);
  cti_decompile_reals(a->drive.biasprm, m->actuator_biasprm + CT_NBIAS * i, CT_NBIAS);
  if (m->actuator_plugin[i] >= 0) {
    a->head.tag = "plugin";
    a->head.attrs = &cti_attrs_plugin_actuator;
    a->actdim = m->actuator_actnum[i];
    CT_TRY(cti_decompile_use(l, &a->use, m->actuator_plugin[i]));
  }
  // only the user knows how many activations his own dynamics have
  if (a->drive.dyntype == CT_DYN_USER) a->actdim = m->actuator_actnum[i];
  a->actearly = m->actuator_actearly[i];
  a->actlimited = cti_decompile_limited(m->actuator_actlimited[i], m->actuator_actrange + 2 * i);
  cti_decompile_reals(a->actrange, m->actuator_actrange + 2 * i, 2);
  a->forcelimited = cti_decompile_limited(m->actuator_forcelimited[i], m->actuator_forcerange + 2 * i);
  cti_decompile_reals(a->forcerange, m->actuator_forcerange + 2 * i, 2);
  decompile_inputs(m, a, i);
  cti_decompile_reals(a->gear, m->actuator_gear + 6 * out, 6);
  cti_decompile_reals(a->lengthrange, m->actuator_lengthrange + 2 * out, 2);
  a->damping[0] = (double)m->actuator_damping[i];
  cti_decompile_reals(a->damping + 1, m->actuator_dampingpoly + CT_NPOLY * i, CT_NPOLY);
  a->armature = (double)m->actuator_armature[i];
  CT_TRY(decompile_transmission(l, a, i));
  CT_TRY(decompile_cranklength(l, a, i));
  return cti_decompile_user(l, &a->user, m->actuator_user, i, m->nuser_actuator);
}

ctStatus cti_decompile_actuators(ctiDecompiler* l) {
  for (int i = 0; i < l->m->nactuator; i++) CT_TRY(decompile_actuator(l, i));
  return CT_OK;
}

// ---- plugins

// What is said of the attributes of an instance.
static ctStatus decompile_config(ctiDecompiler* l, ctiPluginUse* use, int instance) {
  const ctModel* m = l->m;
  const ctPlugin* p = cti_plugin_at(m->plugin[instance], m->plugins);
  const char* config = NULL;
  for (int i = 0; p->attributes && p->attributes[i]; i++) {
    const char* value = ct_plugin_attribute(m, instance, p->attributes[i]);
    if (!value[0]) continue;
    CT_TRY(cti_decompile_text(l, &value, value));
    config = cti_region_printf(l->s->region, "%s%s%c%s%c", config ? config : "", p->attributes[i],
                               CTI_CONFIG_VALUE, value, CTI_CONFIG_END);
    if (!config) return cti_error_memory(l->err);
  }
  use->config = config;
  return cti_decompile_text(l, &use->plugin, p->name);
}

static const char* instance_name(const ctModel* m, int instance) {
  return m->names + m->name_pluginadr[instance];
}

ctStatus cti_decompile_use(ctiDecompiler* l, ctiPluginUse* use, int instance) {
  if (instance < 0) return CT_OK;
  if (!instance_name(l->m, instance)[0]) return decompile_config(l, use, instance);
  return cti_decompile_refer(l, &use->instance, CT_OBJ_PLUGIN, instance);
}

ctStatus cti_decompile_plugins(ctiDecompiler* l) {
  const ctModel* m = l->m;
  l->s->plugins = m->plugins;
  l->s->nplugin = m->nplugins;
  for (int i = 0; i < m->nplugin; i++) {
    int first = 0;
    while (m->plugin[first] != m->plugin[i]) first++;
    if (first < i) continue;
    ctiExtension* x = cti_spec_add_to_extensions(l->s);
    if (!x) return cti_error_memory(l->err);
    x->head.tag = "plugin";
    x->head.attrs = &cti_attrs_extension;
    CT_TRY(cti_decompile_text(l, &x->plugin, cti_plugin_at(m->plugin[i], m->plugins)->name));
  }
  for (int i = 0; i < m->nplugin; i++) {
    if (!instance_name(m, i)[0]) continue;
    ctiInstance* s = cti_spec_add_to_instances(l->s);
    if (!s || !cti_decompile_ref(l, CT_OBJ_PLUGIN, i)) return cti_error_memory(l->err);
    cti_decompile_place(l, &s->head, CT_OBJ_PLUGIN, i, "instance", &cti_attrs_instance);
    CT_TRY(decompile_config(l, &s->use, i));
  }
  return CT_OK;
}

// ---- sensors

// The word for one of two things that a sensor is between, by its kind.
static const char** one_of(ctiSensor* s, int type, bool first) {
  switch (type) {
    case CT_OBJ_GEOM: return first ? &s->geom1 : &s->geom2;
    case CT_OBJ_BODY: return first ? &s->body1 : &s->body2;
    case CT_OBJ_XBODY: return first ? &s->subtree1 : &s->subtree2;
    default: return &s->site;
  }
}

static ctStatus decompile_attachment(ctiDecompiler* l, ctiSensor* s, int i) {
  const ctModel* m = l->m;
  int type = m->sensor_objtype[i], id = m->sensor_objid[i], ref = m->sensor_reftype[i],
      seen = m->sensor_refid[i];
  const char **object = &s->objname, **other = &s->refname;
  switch (cti_sensor_kinds[s->type].attach) {
    case CTI_ATTACH_NONE: return CT_OK;
    case CTI_ATTACH_SITE: object = &s->site; break;
    case CTI_ATTACH_SITE_CAMERA:
      object = &s->site;
      other = &s->camera;
      break;
    case CTI_ATTACH_RAYS: object = type == CT_OBJ_CAMERA ? &s->camera : &s->site; break;
    case CTI_ATTACH_JOINT: object = &s->joint; break;
    case CTI_ATTACH_TENDON: object = &s->tendon; break;
    case CTI_ATTACH_ACTUATOR: object = &s->actuator; break;
    case CTI_ATTACH_BODY: object = &s->body; break;
    case CTI_ATTACH_INSIDE:
      s->objtype = type;
      other = &s->site;
      break;
    case CTI_ATTACH_TWO:
    case CTI_ATTACH_CONTACT:
      object = one_of(s, type, true);
      other = one_of(s, ref, false);
      break;
    case CTI_ATTACH_TACTILE:
      object = &s->mesh;
      other = &s->geom;
      break;
    default:
      s->objtype = type;
      if (seen >= 0) s->reftype = ref;
  }
  CT_TRY(cti_decompile_refer(l, object, type, id));
  return cti_decompile_refer(l, other, ref, seen);
}

static ctStatus decompile_sensor(ctiDecompiler* l, int i) {
  const ctModel* m = l->m;
  int type = m->sensor_type[i];
  const int* prm = m->sensor_intprm + CT_NSENS * i;
  const ctiSensorKind* kind = &cti_sensor_kinds[type];
  ctiSensor* s = cti_spec_add_to_sensors(l->s);
  if (!s) return cti_error_memory(l->err);
  cti_decompile_place(l, &s->head, CT_OBJ_SENSOR, i, kind->tag, &cti_attrs_sensor[kind->attach]);
  s->type = type;
  s->datatype = kind->datatype;
  s->needstage = kind->stage;
  s->num = s->data = 1;
  s->nsample = m->sensor_history[2 * i];
  s->interp = m->sensor_history[2 * i + 1];
  s->delay = (double)m->sensor_delay[i];
  s->cutoff = (double)m->sensor_cutoff[i];
  s->noise = (double)m->sensor_noise[i];
  cti_decompile_reals(s->interval, m->sensor_interval + 2 * i, 2);
  switch (type) {
    case CT_SENS_RANGEFINDER: s->data = prm[0]; break;
    case CT_SENS_INSIDESITE: s->enclosed = prm[0] != 0; break;
    case CT_SENS_CONTACT:
      s->data = prm[CTI_CONTACT_PRM_FIELDS];
      s->reduce = prm[CTI_CONTACT_PRM_REDUCE];
      s->num = prm[CTI_CONTACT_PRM_NUM];
      break;
    case CT_SENS_USER:
      s->dim = m->sensor_dim[i];
      s->datatype = m->sensor_datatype[i];
      s->needstage = m->sensor_needstage[i];
      break;
    default: break;
  }
  CT_TRY(decompile_attachment(l, s, i));
  CT_TRY(cti_decompile_use(l, &s->use, m->sensor_plugin[i]));
  return cti_decompile_user(l, &s->user, m->sensor_user, i, m->nuser_sensor);
}

ctStatus cti_decompile_sensors(ctiDecompiler* l) {
  for (int i = 0; i < l->m->nsensor; i++) CT_TRY(decompile_sensor(l, i));
  return CT_OK;
}

// ---- contacts

static ctStatus decompile_pair(ctiDecompiler* l, int i) {
  const ctModel* m = l->m;
  ctiContactPair* p = cti_spec_add_pair(l->s, &l->s->plain);
  if (!p) return cti_error_memory(l->err);
  cti_decompile_place(l, &p->head, CT_OBJ_PAIR, i, "pair", &cti_attrs_pair);
  p->condim = m->pair_dim[i];
  p->margin = (double)m->pair_margin[i];
  p->gap = (double)m->pair_gap[i];
  p->adhesion = (double)m->pair_adhesion[i];
  cti_decompile_reals(p->solref, m->pair_solref + CT_NREF * i, CT_NREF);
  cti_decompile_reals(p->solreffriction, m->pair_solreffriction + CT_NREF * i, CT_NREF);
  cti_decompile_reals(p->solimp, m->pair_solimp + CT_NIMP * i, CT_NIMP);
  cti_decompile_reals(p->friction, m->pair_friction + 5 * i, 5);
  CT_TRY(cti_decompile_refer(l, &p->geom1, CT_OBJ_GEOM, m->pair_geom1[i]));
  return cti_decompile_refer(l, &p->geom2, CT_OBJ_GEOM, m->pair_geom2[i]);
}

// Both bodies in one number.
static ctStatus decompile_exclude(ctiDecompiler* l, int i) {
  int first = l->m->exclude_signature[i] >> 16, second = l->m->exclude_signature[i] & 0xffff;
  ctiExclude* x = cti_spec_add_to_excludes(l->s);
  if (!x) return cti_error_memory(l->err);
  cti_decompile_place(l, &x->head, CT_OBJ_EXCLUDE, i, "exclude", &cti_attrs_exclude);
  if (first < 0 || first >= l->m->nbody || second >= l->m->nbody)
    return cti_decompile_cannot(l, CT_OBJ_EXCLUDE, i, "it names a body that is not there");
  CT_TRY(cti_decompile_refer(l, &x->body1, CT_OBJ_BODY, first));
  return cti_decompile_refer(l, &x->body2, CT_OBJ_BODY, second);
}

ctStatus cti_decompile_contacts(ctiDecompiler* l) {
  for (int i = 0; i < l->m->npair; i++) CT_TRY(decompile_pair(l, i));
  for (int i = 0; i < l->m->nexclude; i++) CT_TRY(decompile_exclude(l, i));
  return CT_OK;
}

// ---- equalities

static ctStatus decompile_equality(ctiDecompiler* l, int i) {
  static const struct {
    const char* tag;
    const ctiAttrTable* attrs;
  } kinds[CT_EQ_COUNT] = {[CT_EQ_CONNECT] = {"connect", &cti_attrs_connect},
                          [CT_EQ_WELD] = {"weld", &cti_attrs_weld},
                          [CT_EQ_JOINT] = {"joint", &cti_attrs_eq_joint},
                          [CT_EQ_TENDON] = {"tendon", &cti_attrs_eq_tendon},
                          [CT_EQ_FLEX] = {"flex", &cti_attrs_eq_flex},
                          [CT_EQ_FLEXSTRAIN] = {"flexstrain", &cti_attrs_eq_flexstrain}};
  const ctModel* m = l->m;
  const ctReal* data = m->eq_data + CT_NEQDATA * i;
  int type = m->eq_type[i], first = m->eq_obj1id[i], second = m->eq_obj2id[i];
  ctiEquality* e = cti_spec_add_equality(l->s, &l->s->plain);
  if (!e) return cti_error_memory(l->err);
  if (type < 0 || type >= CT_EQ_COUNT || !kinds[type].tag)
    return cti_error(l->err, CT_ERR_UNSUPPORTED, "equality %d is of a kind that cannot be written", i);
  cti_decompile_place(l, &e->head, CT_OBJ_EQUALITY, i, kinds[type].tag, kinds[type].attrs);
  e->type = type;
  e->active = m->eq_active0[i];
  cti_decompile_reals(e->solref, m->eq_solref + CT_NREF * i, CT_NREF);
  cti_decompile_reals(e->solimp, m->eq_solimp + CT_NIMP * i, CT_NIMP);
  if (type == CT_EQ_JOINT || type == CT_EQ_TENDON) {
    bool joint = type == CT_EQ_JOINT;
    int kind = joint ? CT_OBJ_JOINT : CT_OBJ_TENDON;
    cti_decompile_reals(e->polycoef, data, 5);
    CT_TRY(cti_decompile_refer(l, joint ? &e->joint1 : &e->tendon1, kind, first));
    return cti_decompile_refer(l, joint ? &e->joint2 : &e->tendon2, kind, second);
  }
  if (type == CT_EQ_FLEXSTRAIN) cti_decompile_reals(e->cell, data, 3);
  if (type == CT_EQ_FLEX || type == CT_EQ_FLEXSTRAIN)
    return cti_decompile_refer(l, &e->flex, CT_OBJ_FLEX, first);
  if (type == CT_EQ_WELD) e->torquescale = (double)data[10];
  if (m->eq_objtype[i] == CT_OBJ_SITE) {
    CT_TRY(cti_decompile_refer(l, &e->site1, CT_OBJ_SITE, first));
    return cti_decompile_refer(l, &e->site2, CT_OBJ_SITE, second);
  }
  cti_decompile_reals(e->anchor, data, 3);
  // a pose that was taken from the reference configuration is found there again
  if (type == CT_EQ_WELD && data[11] == 0) cti_decompile_reals(e->relpose, data + 3, 7);
  CT_TRY(cti_decompile_refer(l, &e->body1, CT_OBJ_BODY, first));
  // the world is meant when nothing is said
  return second > 0 ? cti_decompile_refer(l, &e->body2, CT_OBJ_BODY, second) : CT_OK;
}

ctStatus cti_decompile_equalities(ctiDecompiler* l) {
  for (int i = 0; i < l->m->neq; i++) CT_TRY(decompile_equality(l, i));
  return CT_OK;
}

// ---- tendons

static ctStatus decompile_station(ctiDecompiler* l, ctiTendon* t, int at) {
  static const struct {
    const char* tag;
    const ctiAttrTable* attrs;
    int type, object;
  } kinds[CT_WRAP_COUNT] = {[CT_WRAP_JOINT] = {"joint", &cti_attrs_wrap_joint, CT_WRAP_JOINT, CT_OBJ_JOINT},
                            [CT_WRAP_PULLEY] = {"pulley", &cti_attrs_wrap_pulley, CT_WRAP_PULLEY, 0},
                            [CT_WRAP_SITE] = {"site", &cti_attrs_wrap_site, CT_WRAP_SITE, CT_OBJ_SITE},
                            [CT_WRAP_SPHERE] = {"geom", &cti_attrs_wrap_geom, CT_WRAP_SPHERE, CT_OBJ_GEOM},
                            [CT_WRAP_CYLINDER] = {"geom", &cti_attrs_wrap_geom, CT_WRAP_SPHERE, CT_OBJ_GEOM}};
  const ctModel* m = l->m;
  int type = m->wrap_type[at];
  double prm = (double)m->wrap_prm[at];
  if (type < 0 || type >= CT_WRAP_COUNT || !kinds[type].tag)
    return cti_error(l->err, CT_ERR_UNSUPPORTED, "station %d of a tendon is of a kind that cannot be written",
                     at);
  ctiWrap* w = CTI_NEW(l->s->region, ctiWrap);
  if (!w || cti_array_push(&t->path, l->s->in_region, w) != CT_OK) return cti_error_memory(l->err);
  w->head = (ctiElement){.tag = kinds[type].tag, .attrs = kinds[type].attrs, .parent = &t->head};
  w->type = kinds[type].type;
  if (kinds[type].object) CT_TRY(cti_decompile_refer(l, &w->object, kinds[type].object, m->wrap_objid[at]));
  if (kinds[type].object == CT_OBJ_GEOM) return cti_decompile_refer(l, &w->sidesite, CT_OBJ_SITE, (int)prm);
  w->value = prm;
  return CT_OK;
}

// Only a default class can say how a fixed tendon is drawn.
static ctStatus class_for_drawing(ctiDecompiler* l, ctiTendon* t, int i) {
  const ctiTendon* plain = &l->s->plain.tendon;
  bool same = t->width == plain->width && memcmp(t->rgba, plain->rgba, sizeof(t->rgba)) == 0 && !t->material;
  if (t->type != CT_TENDON_FIXED || same) return CT_OK;
  ctiClass* c = add_class(l, &t->head, "tendon", i);
  if (!c) return cti_error_memory(l->err);
  c->tendon.width = t->width;
  c->tendon.material = t->material;
  memcpy(c->tendon.rgba, t->rgba, sizeof(t->rgba));
  return CT_OK;
}

static ctStatus decompile_tendon(ctiDecompiler* l, int i) {
  const ctModel* m = l->m;
  bool fixed = m->tendon_type[i] == CT_TENDON_FIXED;
  ctiTendon* t = cti_spec_add_tendon(l->s, &l->s->plain);
  if (!t) return cti_error_memory(l->err);
  cti_decompile_place(l, &t->head, CT_OBJ_TENDON, i, fixed ? "fixed" : "spatial",
                      fixed ? &cti_attrs_fixed : &cti_attrs_spatial);
  t->type = m->tendon_type[i];
  t->group = m->tendon_group[i];
  t->limited = cti_decompile_limited(m->tendon_limited[i], m->tendon_range + 2 * i);
  t->actfrclimited = cti_decompile_limited(m->tendon_actfrclimited[i], m->tendon_actfrcrange + 2 * i);
  cti_decompile_reals(t->range, m->tendon_range + 2 * i, 2);
  cti_decompile_reals(t->actfrcrange, m->tendon_actfrcrange + 2 * i, 2);
  cti_decompile_reals(t->springlength, m->tendon_lengthspring + 2 * i, 2);
  cti_decompile_reals(t->solref_limit, m->tendon_solref_lim + CT_NREF * i, CT_NREF);
  cti_decompile_reals(t->solimp_limit, m->tendon_solimp_lim + CT_NIMP * i, CT_NIMP);
  cti_decompile_reals(t->solref_friction, m->tendon_solref_fri + CT_NREF * i, CT_NREF);
  cti_decompile_reals(t->solimp_friction, m->tendon_solimp_fri + CT_NIMP * i, CT_NIMP);
  t->frictionloss = (double)m->tendon_frictionloss[i];
  t->springyield = (double)m->tendon_springyield[i];
  t->width = (double)m->tendon_width[i];
  t->margin = (double)m->tendon_margin[i];
  t->armature = (double)m->tendon_armature[i];
  t->stiffness[0] = (double)m->tendon_stiffness[i];
  t->damping[0] = (double)m->tendon_damping[i];
  cti_decompile_reals(t->stiffness + 1, m->tendon_stiffnesspoly + CT_NPOLY * i, CT_NPOLY);
  cti_decompile_reals(t->damping + 1, m->tendon_dampingpoly + CT_NPOLY * i, CT_NPOLY);
  memcpy(t->rgba, m->tendon_rgba + 4 * i, sizeof(t->rgba));
  CT_TRY(cti_decompile_refer(l, &t->material, CT_OBJ_MATERIAL, m->tendon_matid[i]));
  for (int k = 0; k < m->tendon_num[i]; k++) CT_TRY(decompile_station(l, t, m->tendon_adr[i] + k));
  CT_TRY(class_for_drawing(l, t, i));
  return cti_decompile_user(l, &t->user, m->tendon_user, i, m->nuser_tendon);
}

ctStatus cti_decompile_tendons(ctiDecompiler* l) {
  for (int i = 0; i < l->m->ntendon; i++) CT_TRY(decompile_tendon(l, i));
  return CT_OK;
}

// ---- custom data

static ctStatus decompile_tuple(ctiDecompiler* l, int i) {
  const ctModel* m = l->m;
  ctiTuple* t = cti_spec_add_to_tuples(l->s);
  if (!t || !cti_decompile_ref(l, CT_OBJ_TUPLE, i)) return cti_error_memory(l->err);
  cti_decompile_place(l, &t->head, CT_OBJ_TUPLE, i, "tuple", &cti_attrs_tuple);
  for (int k = m->tuple_adr[i]; k < m->tuple_adr[i] + m->tuple_size[i]; k++) {
    ctiTupleItem* item = CTI_NEW(l->s->region, ctiTupleItem);
    if (!item || cti_array_push(&t->items, l->s->in_region, item) != CT_OK) return cti_error_memory(l->err);
    item->head = (ctiElement){.tag = "element", .attrs = &cti_attrs_tuple_item, .parent = &t->head};
    item->objtype = cti_object_word((ctObjType)m->tuple_objtype[k]);
    item->prm = (double)m->tuple_objprm[k];
    CT_TRY(cti_decompile_refer(l, &item->objname, m->tuple_objtype[k], m->tuple_objid[k]));
  }
  return CT_OK;
}

ctStatus cti_decompile_custom(ctiDecompiler* l) {
  const ctModel* m = l->m;
  for (int i = 0; i < m->nnumeric; i++) {
    ctiNumeric* n = cti_spec_add_to_numerics(l->s);
    if (!n || !cti_decompile_ref(l, CT_OBJ_NUMERIC, i)) return cti_error_memory(l->err);
    cti_decompile_place(l, &n->head, CT_OBJ_NUMERIC, i, "numeric", &cti_attrs_numeric);
    n->size = m->numeric_size[i];
    CT_TRY(cti_decompile_list(l, &n->data, m->numeric_data + m->numeric_adr[i], n->size));
  }
  for (int i = 0; i < m->ntext; i++) {
    ctiText* t = cti_spec_add_to_texts(l->s);
    if (!t || !cti_decompile_ref(l, CT_OBJ_TEXT, i)) return cti_error_memory(l->err);
    cti_decompile_place(l, &t->head, CT_OBJ_TEXT, i, "text", &cti_attrs_text);
    CT_TRY(cti_decompile_text(l, &t->data, m->text_data + m->text_adr[i]));
  }
  for (int i = 0; i < m->ntuple; i++) CT_TRY(decompile_tuple(l, i));
  return CT_OK;
}

// ---- keyframes

ctStatus cti_decompile_keyframes(ctiDecompiler* l) {
  const ctModel* m = l->m;
  for (int i = 0; i < m->nkey; i++) {
    ctiKey* k = cti_spec_add_to_keys(l->s);
    if (!k) return cti_error_memory(l->err);
    cti_decompile_place(l, &k->head, CT_OBJ_KEY, i, "key", &cti_attrs_key);
    k->time = (double)m->key_time[i];
    CT_TRY(cti_decompile_list(l, &k->qpos, m->key_qpos + i * m->nq, m->nq));
    CT_TRY(cti_decompile_list(l, &k->qvel, m->key_qvel + i * m->nv, m->nv));
    CT_TRY(cti_decompile_list(l, &k->act, m->key_act + i * m->na, m->na));
    CT_TRY(cti_decompile_list(l, &k->ctrl, m->key_ctrl + i * m->nu, m->nu));
    CT_TRY(cti_decompile_list(l, &k->mpos, m->key_mpos + 3 * i * m->nmocap, 3 * m->nmocap));
    CT_TRY(cti_decompile_list(l, &k->mquat, m->key_mquat + 4 * i * m->nmocap, 4 * m->nmocap));
    CT_TRY(cti_decompile_list(l, &k->plastic, m->key_plastic + i * m->nplastic, m->nplastic));
  }
  return CT_OK;
}
