// Sensors: what they are attached to, and how many numbers they give.
#include <limits.h>

#include "base/kinds.h"
#include "compile/build.h"

// An object by the first of several names that is given.
typedef struct Choice {
  const char* name;
  ctObjType type;
} Choice;

static ctStatus choose(const ctiBuild* b, const ctiSensor* s, const Choice* choices, int n, int* type,
                       int* id) {
  for (int i = 0; i < n; i++) {
    if (!choices[i].name) continue;
    if (*id >= 0)
      return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "attached to several things at once: keep one");
    *type = choices[i].type;
    CT_TRY(cti_find_object(id, b, choices[i].type, choices[i].name, &s->head));
  }
  return CT_OK;
}

static ctStatus attach(const ctiBuild* b, const ctiSensor* s, int obj[2], int ref[2]) {
#define CHOOSE(target, ...)                                                            \
  do {                                                                                 \
    const Choice choices_[] = {__VA_ARGS__};                                           \
    CT_TRY(choose(b, s, choices_, CT_COUNT_OF(choices_), &(target)[0], &(target)[1])); \
  } while (0)
  CHOOSE(obj, {s->joint, CT_OBJ_JOINT}, {s->tendon, CT_OBJ_TENDON}, {s->actuator, CT_OBJ_ACTUATOR},
         {s->body, CT_OBJ_BODY}, {s->objname, (ctObjType)s->objtype}, {s->geom1, CT_OBJ_GEOM},
         {s->body1, CT_OBJ_BODY}, {s->subtree1, CT_OBJ_XBODY}, {s->mesh, CT_OBJ_MESH});
  CHOOSE(ref, {s->refname, (ctObjType)s->reftype}, {s->geom2, CT_OBJ_GEOM}, {s->body2, CT_OBJ_BODY},
         {s->subtree2, CT_OBJ_XBODY}, {s->geom, CT_OBJ_GEOM});
  switch (cti_sensor_kinds[s->type].attach) {
    case CTI_ATTACH_INSIDE: CHOOSE(ref, {s->site, CT_OBJ_SITE}); break;
    case CTI_ATTACH_SITE_CAMERA:
      CHOOSE(obj, {s->site, CT_OBJ_SITE});
      CHOOSE(ref, {s->camera, CT_OBJ_CAMERA});
      break;
    default: CHOOSE(obj, {s->site, CT_OBJ_SITE}, {s->camera, CT_OBJ_CAMERA});
  }
#undef CHOOSE
  return CT_OK;
}

static ctStatus check_joint(const ctiBuild* b, const ctiSensor* s, int joint) {
  int type = b->joint[joint].spec->type;
  bool ball = s->type == CT_SENS_BALLQUAT || s->type == CT_SENS_BALLANGVEL;
  bool limit = s->type == CT_SENS_JOINTLIMITPOS || s->type == CT_SENS_JOINTLIMITVEL ||
               s->type == CT_SENS_JOINTLIMITFRC;
  if (ball && type != CT_JOINT_BALL)
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "the joint must be a ball");
  if (limit && !b->joint[joint].limited)
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "the joint has no limits");
  if (!ball && !limit && !cti_joint_is_scalar(type)) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "the joint must be a slide or hinge");
  }
  return CT_OK;
}

static ctStatus check_tendon(const ctiBuild* b, const ctiSensor* s, int tendon) {
  bool limit = s->type == CT_SENS_TENDONLIMITPOS || s->type == CT_SENS_TENDONLIMITVEL ||
               s->type == CT_SENS_TENDONLIMITFRC;
  if (limit && !b->tendon[tendon].limited)
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "the tendon has no limits");
  return CT_OK;
}

// How often and how late a sensor gives what it measures.
static ctStatus check_history(const ctiBuild* b, const ctiSensor* s) {
  const char* wrong = NULL;
  if (s->delay > 0 && s->nsample <= 0)
    wrong = "a delay needs a history: set nsample to delay / timestep or more";
  if (s->interval[0] < 0) wrong = "the period of interval must not be negative";
  if (s->interval[1] > 0) wrong = "the phase of interval must not be positive";
  if (s->interval[1] < 0 && s->interval[1] <= -s->interval[0])
    wrong = "the phase of interval must be above minus its period";
  if (s->nsample > 0 && !(b->spec->option.timestep > 0)) wrong = "a history needs a positive timestep";
  return wrong ? cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "%s", wrong) : CT_OK;
}

static bool is_compact(int type) {
  return type == CT_GEOM_SPHERE || type == CT_GEOM_CAPSULE || type == CT_GEOM_ELLIPSOID ||
         type == CT_GEOM_CYLINDER || type == CT_GEOM_BOX || type == CT_GEOM_MESH;
}

// Enclosure is measured between solids: every geom of the object has to be one.
static ctStatus check_enclosed(const ctiBuild* b, const ctiBuildSensor* o) {
  int type = o->obj[0], id = o->obj[1], solids = type == CT_OBJ_SITE;
  if (type == CT_OBJ_CAMERA)
    return cti_spec_error(b->err, CT_ERR_INVALID, &o->spec->head, "a camera has no shape to be enclosed");
  for (int g = 0; g < b->sizes.ngeom; g++) {
    int body = b->geom[g].body;
    if (type == CT_OBJ_XBODY) {
      while (body > id) body = b->body[body].parent;
    }
    if (type == CT_OBJ_SITE || (type == CT_OBJ_GEOM ? g != id : body != id)) continue;
    solids++;
    if (!is_compact(b->geom[g].spec->type))
      return cti_spec_error(b->err, CT_ERR_INVALID, &o->spec->head,
                            "planes and height fields have no bounds to be enclosed");
  }
  if (solids > 0) return CT_OK;
  return cti_spec_error(b->err, CT_ERR_INVALID, &o->spec->head, "the object has no geoms to be enclosed");
}

// Numbers that a reader writes, which the sizes of the model have room for.
static ctStatus set_dim(const ctiBuild* b, ctiBuildSensor* out, int64_t dim) {
  if (dim > INT_MAX)
    return cti_spec_error(b->err, CT_ERR_LIMIT, &out->spec->head, "gives %lld numbers: at most %d",
                          (long long)dim, INT_MAX);
  out->dim = (int)dim;
  return CT_OK;
}

// Attributes that name what is measured may be there, but empty.
static ctStatus check_attached(const ctiBuild* b, const ctiBuildSensor* o) {
  ctiAttach to = cti_sensor_kinds[o->spec->type].attach;
  bool none = to == CTI_ATTACH_NONE || to == CTI_ATTACH_CONTACT || to == CTI_ATTACH_USER ||
              to == CTI_ATTACH_TWO || to == CTI_ATTACH_PLUGIN;
  bool two = to == CTI_ATTACH_SITE_CAMERA || to == CTI_ATTACH_INSIDE || to == CTI_ATTACH_TACTILE;
  if (none || (o->obj[1] >= 0 && (!two || o->ref[1] >= 0))) return CT_OK;
  return cti_spec_error(b->err, CT_ERR_INVALID, &o->spec->head, "needs the name of what it measures");
}

static ctStatus resolve_rangefinder(const ctiBuild* b, ctiBuildSensor* out) {
  const ctiSensor* s = out->spec;
  int64_t rays = 1;
  if (s->camera) {
    const int* resolution = b->camera[out->obj[1]].spec->resolution;
    rays = (int64_t)resolution[0] * resolution[1];
    if (resolution[0] <= 0 || resolution[1] <= 0)
      return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "the camera has no positive resolution");
  }
  out->intprm[0] = s->data;
  return set_dim(b, out, cti_size_mul(rays, cti_ray_numbers(s->data)));
}

static ctStatus resolve_contact(const ctiBuild* b, ctiBuildSensor* out) {
  const ctiSensor* s = out->spec;
  const int force = CTI_CONTACT_FORCE | CTI_CONTACT_TORQUE,
            velocity = CTI_CONTACT_LINVEL | CTI_CONTACT_ANGVEL;
  if (s->num < 1) return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "num must be positive");
  if (s->reduce == CTI_REDUCE_NETFORCE && (s->data & velocity))
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "a net force has no velocity");
  out->intprm[CTI_CONTACT_PRM_FIELDS] = s->data;
  out->intprm[CTI_CONTACT_PRM_REDUCE] = s->reduce;
  out->intprm[CTI_CONTACT_PRM_NUM] = s->num;
  bool needs_force = (s->data & force) || s->reduce >= CTI_REDUCE_MAXFORCE;
  out->stage = needs_force ? CT_STAGE_ACC : ((s->data & velocity) ? CT_STAGE_VEL : CT_STAGE_POS);
  return set_dim(b, out, (int64_t)s->num * cti_contact_numbers(s->data));
}

static ctStatus resolve_plugin(const ctiBuild* b, ctiBuildSensor* out) {
  const ctiSensor* s = out->spec;
  const ctiBuildPlugin* p = &b->plugin[b->sensor_plugin[out - b->sensor]];
  if ((s->objtype != CT_OBJ_UNKNOWN) != (s->objname != NULL) ||
      (s->reftype != CT_OBJ_UNKNOWN) != (s->refname != NULL))
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          "objtype and objname come together, as do reftype and refname");
  if (p->kind == CTI_PLUGIN_TOUCH_GRID && (out->obj[0] != CT_OBJ_SITE || out->obj[1] < 0))
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          "a touch grid is attached to a site: set objtype and objname");
  out->stage = cti_plugin_stage(p->kind, p->plugin);
  return set_dim(b, out, cti_plugin_sensor_size(p->kind, p->plugin, p->prm));
}

static ctStatus resolve_user(const ctiBuild* b, ctiBuildSensor* out) {
  const ctiSensor* s = out->spec;
  if (s->dim < 0) return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "dim must not be negative");
  if ((s->datatype == CT_DATATYPE_AXIS && s->dim != 3) ||
      (s->datatype == CT_DATATYPE_QUATERNION && s->dim != 4))
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "a direction has dim=\"3\", a quaternion \"4\"");
  if (s->objtype != CT_OBJ_UNKNOWN && !s->objname)
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "objtype needs objname beside it");
  out->dim = s->dim;
  return CT_OK;
}

// What depends on the type of the sensor: how many numbers it gives, in which stage, and its parameters.
static ctStatus resolve_type(const ctiBuild* b, ctiBuildSensor* out) {
  switch (out->spec->type) {
    case CT_SENS_RANGEFINDER: return resolve_rangefinder(b, out);
    case CT_SENS_CONTACT: return resolve_contact(b, out);
    case CT_SENS_INSIDESITE:
      out->intprm[0] = out->spec->enclosed;
      if (!out->spec->enclosed) return CT_OK;
      out->datatype = CT_DATATYPE_REAL;
      return check_enclosed(b, out);
    case CT_SENS_PLUGIN: return resolve_plugin(b, out);
    case CT_SENS_TACTILE: return set_dim(b, out, 3 * (int64_t)b->mesh[out->obj[1]].nvert);
    case CT_SENS_ACTUATORPOS:
    case CT_SENS_ACTUATORVEL:
    case CT_SENS_ACTUATORFRC: out->dim = b->actuator[out->obj[1]].outnum; return CT_OK;
    case CT_SENS_USER: return resolve_user(b, out);
    default: return CT_OK;
  }
}

static ctStatus resolve(const ctiBuild* b, ctiBuildSensor* out) {
  const ctiSensor* s = out->spec;
  const ctiSensorKind* kind = &cti_sensor_kinds[s->type];
  out->obj[1] = out->ref[1] = -1;
  CT_TRY(attach(b, s, out->obj, out->ref));
  CT_TRY(check_attached(b, out));
  if (s->joint) CT_TRY(check_joint(b, s, out->obj[1]));
  if (s->tendon) CT_TRY(check_tendon(b, s, out->obj[1]));
  if (kind->attach == CTI_ATTACH_TWO && (out->obj[1] < 0 || out->ref[1] < 0)) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "needs geom1 or body1, and geom2 or body2");
  }
  if (kind->attach == CTI_ATTACH_TWO && out->obj[0] == out->ref[0] && out->obj[1] == out->ref[1])
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "needs two different geoms or bodies");
  out->dim = kind->dim;
  out->datatype = s->datatype;
  out->stage = s->needstage;
  CT_TRY(resolve_type(b, out));
  CT_TRY(check_history(b, s));
  bool direction = (out->datatype == CT_DATATYPE_AXIS || out->datatype == CT_DATATYPE_QUATERNION) &&
                   s->type != CT_SENS_GEOMNORMAL;
  if (direction && s->cutoff > 0)
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "a direction or quaternion has no cutoff");
  if (s->cutoff < 0) return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "cutoff must not be negative");
  return CT_OK;
}

ctStatus cti_pass_sensors(ctiBuild* b) {
  int n = b->spec->sensors.count;
  b->sensor = CTI_NEW_ARRAY(b->region, ctiBuildSensor, n);
  if (!b->sensor) return cti_error_memory(b->err);
  for (int i = 0; i < n; i++) {
    ctiBuildSensor* s = &b->sensor[i];
    s->spec = b->spec->sensors.data[i];
    CT_TRY(resolve(b, s));
    s->adr = b->sizes.nsensordata;
    CT_TRY(CTI_GROW(b, nsensordata, s->dim, &s->spec->head));
    // user slot, cursor, times, samples
    s->historyadr = s->spec->nsample > 0 ? b->sizes.nhistory : -1;
    if (s->spec->nsample > 0)
      CT_TRY(CTI_GROW(b, nhistory, 2 + (1 + (int64_t)s->dim) * s->spec->nsample, &s->spec->head));
  }
  return CT_OK;
}

ctStatus cti_pass_fill_sensors(ctiBuild* b) {
  ctModel* m = b->m;
  for (int i = 0; i < m->nsensor; i++) {
    const ctiBuildSensor* o = &b->sensor[i];
    const ctiSensor* s = o->spec;
    m->sensor_type[i] = s->type;
    m->sensor_datatype[i] = o->datatype;
    m->sensor_needstage[i] = o->stage;
    m->sensor_objtype[i] = o->obj[0];
    m->sensor_objid[i] = o->obj[1];
    m->sensor_reftype[i] = o->ref[0];
    m->sensor_refid[i] = o->ref[1];
    for (int k = 0; k < CT_NSENS; k++) m->sensor_intprm[CT_NSENS * i + k] = o->intprm[k];
    m->sensor_dim[i] = o->dim;
    m->sensor_adr[i] = o->adr;
    m->sensor_cutoff[i] = (ctReal)s->cutoff;
    m->sensor_noise[i] = (ctReal)s->noise;
    m->sensor_history[2 * i] = s->nsample;
    m->sensor_history[2 * i + 1] = s->interp;
    m->sensor_historyadr[i] = o->historyadr;
    m->sensor_delay[i] = (ctReal)s->delay;
    cti_to_real(m->sensor_interval + 2 * i, s->interval, 2);
    for (int k = 0; k < m->nuser_sensor; k++)
      m->sensor_user[i * m->nuser_sensor + k] = k < s->user.count ? (ctReal)s->user.data[k] : 0;
  }
  return CT_OK;
}
