// Actuators, all as <general>, and sensors.
#include "base/kinds.h"
#include "lift/lift.h"

// ---- actuators

static ctStatus lift_transmission(ctiLift* l, ctiActuator* a, int i) {
  const ctModel* m = l->m;
  int first = m->actuator_trnid[2 * i], second = m->actuator_trnid[2 * i + 1];
  switch (m->actuator_trntype[i]) {
    case CT_TRN_JOINT: return cti_lift_refer(l, &a->joint, CT_OBJ_JOINT, first);
    case CT_TRN_JOINTINPARENT: return cti_lift_refer(l, &a->jointinparent, CT_OBJ_JOINT, first);
    case CT_TRN_TENDON: return cti_lift_refer(l, &a->tendon, CT_OBJ_TENDON, first);
    case CT_TRN_BODY: return cti_lift_refer(l, &a->body, CT_OBJ_BODY, first);
    case CT_TRN_SLIDERCRANK:
      CT_TRY(cti_lift_refer(l, &a->cranksite, CT_OBJ_SITE, first));
      return cti_lift_refer(l, &a->slidersite, CT_OBJ_SITE, second);
    case CT_TRN_SO3:
      if (second < 0) return cti_lift_refer(l, &a->joint, CT_OBJ_JOINT, first);
      break;
    case CT_TRN_SITE: break;
    default: return cti_lift_cannot(l, CT_OBJ_ACTUATOR, i, "its transmission is not defined");
  }
  CT_TRY(cti_lift_refer(l, &a->site, CT_OBJ_SITE, first));
  return cti_lift_refer(l, &a->refsite, CT_OBJ_SITE, second);
}

// Setpoints of a pid have ranges of their own, all other inputs share one.
static void lift_inputs(const ctModel* m, ctiActuator* a, int i) {
  int at = m->actuator_ctrladr[i], end = at + m->actuator_ctrlnum[i];
  bool pid = m->actuator_gaintype[i] == CT_GAIN_PID;
  double* const ranges[] = {a->ctrlrange, a->velrange, a->ffrange};
  for (int k = 0; k < (pid ? 3 : 1) && at < end; k++) {
    if (pid && !(m->actuator_ctrlspec[i] & (CTI_INPUT_POS << k))) continue;
    cti_lift_reals(ranges[k], m->actuator_ctrlrange + 2 * at, 2);
    if (k == 0)
      a->ctrllimited = cti_lift_limited(m->actuator_ctrllimited[at], m->actuator_ctrlrange + 2 * at);
    at++;
  }
}

// Only a default class can say it of what is no slider-crank.
static ctStatus lift_cranklength(ctiLift* l, ctiActuator* a, int i) {
  a->cranklength = (double)l->m->actuator_cranklength[i];
  if (a->cranklength == 0 || a->cranksite) return CT_OK;
  ctiClass* c = cti_lift_class(l, &a->head, "actuator", i);
  if (!c) return cti_error_memory(l->err);
  c->actuator.cranklength = a->cranklength;
  return CT_OK;
}

static ctStatus lift_actuator(ctiLift* l, int i) {
  const ctModel* m = l->m;
  int out = m->actuator_outadr[i];
  ctiActuator* a = cti_spec_add_actuator(l->s, &l->s->plain);
  if (!a) return cti_error_memory(l->err);
  cti_lift_place(l, &a->head, CT_OBJ_ACTUATOR, i, "general", &cti_attrs_actuator[CTI_SHORTCUT_GENERAL]);
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
  cti_lift_reals(a->drive.dynprm, m->actuator_dynprm + CT_NDYN * i, CT_NDYN);
  cti_lift_reals(a->drive.gainprm, m->actuator_gainprm + CT_NGAIN * i, CT_NGAIN);
  cti_lift_reals(a->drive.biasprm, m->actuator_biasprm + CT_NBIAS * i, CT_NBIAS);
  // only the user knows how many activations his own dynamics have
  if (a->drive.dyntype == CT_DYN_USER) a->actdim = m->actuator_actnum[i];
  a->actearly = m->actuator_actearly[i];
  a->actlimited = cti_lift_limited(m->actuator_actlimited[i], m->actuator_actrange + 2 * i);
  cti_lift_reals(a->actrange, m->actuator_actrange + 2 * i, 2);
  a->forcelimited = cti_lift_limited(m->actuator_forcelimited[i], m->actuator_forcerange + 2 * i);
  cti_lift_reals(a->forcerange, m->actuator_forcerange + 2 * i, 2);
  lift_inputs(m, a, i);
  cti_lift_reals(a->gear, m->actuator_gear + 6 * out, 6);
  cti_lift_reals(a->lengthrange, m->actuator_lengthrange + 2 * out, 2);
  a->damping[0] = (double)m->actuator_damping[i];
  cti_lift_reals(a->damping + 1, m->actuator_dampingpoly + CT_NPOLY * i, CT_NPOLY);
  a->armature = (double)m->actuator_armature[i];
  CT_TRY(lift_transmission(l, a, i));
  CT_TRY(lift_cranklength(l, a, i));
  return cti_lift_user(l, &a->user, m->actuator_user, i, m->nuser_actuator);
}

ctStatus cti_lift_actuators(ctiLift* l) {
  for (int i = 0; i < l->m->nactuator; i++) CT_TRY(lift_actuator(l, i));
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

static ctStatus lift_attachment(ctiLift* l, ctiSensor* s, int i) {
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
  CT_TRY(cti_lift_refer(l, object, type, id));
  return cti_lift_refer(l, other, ref, seen);
}

static ctStatus lift_sensor(ctiLift* l, int i) {
  const ctModel* m = l->m;
  int type = m->sensor_type[i];
  const int* prm = m->sensor_intprm + CT_NSENS * i;
  const ctiSensorKind* kind = &cti_sensor_kinds[type];
  ctiSensor* s = cti_spec_add_to_sensors(l->s);
  if (!s) return cti_error_memory(l->err);
  cti_lift_place(l, &s->head, CT_OBJ_SENSOR, i, kind->tag, &cti_attrs_sensor[kind->attach]);
  s->type = type;
  s->datatype = kind->datatype;
  s->needstage = kind->stage;
  s->num = s->data = 1;
  s->nsample = m->sensor_history[2 * i];
  s->interp = m->sensor_history[2 * i + 1];
  s->delay = (double)m->sensor_delay[i];
  s->cutoff = (double)m->sensor_cutoff[i];
  s->noise = (double)m->sensor_noise[i];
  cti_lift_reals(s->interval, m->sensor_interval + 2 * i, 2);
  switch (type) {
    case CT_SENS_RANGEFINDER: s->data = prm[0]; break;
    case CT_SENS_INSIDESITE: s->enclosed = prm[0] != 0; break;
    case CT_SENS_CONTACT:
      s->data = prm[0];
      s->reduce = prm[1];
      s->num = prm[2];
      break;
    case CT_SENS_USER:
      s->dim = m->sensor_dim[i];
      s->datatype = m->sensor_datatype[i];
      s->needstage = m->sensor_needstage[i];
      break;
    default: break;
  }
  CT_TRY(lift_attachment(l, s, i));
  return cti_lift_user(l, &s->user, m->sensor_user, i, m->nuser_sensor);
}

ctStatus cti_lift_sensors(ctiLift* l) {
  for (int i = 0; i < l->m->nsensor; i++) CT_TRY(lift_sensor(l, i));
  return CT_OK;
}
