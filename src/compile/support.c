// What the language can say and the engine cannot do yet. A model that needs it is refused with the remedy;
// this list only ever gets shorter.
#include "compile/build.h"
#include "sense/sense.h"

static ctStatus refuse(const ctiBuild* b, const ctiElement* e, const char* what) {
  return cti_spec_error(b->err, CT_ERR_UNSUPPORTED, e, "%s", what);
}

static ctStatus check_joint(const ctiBuild* b, const ctiJoint* s) {
  if (s->align == CTI_TRUE) return refuse(b, &s->head, "align=\"true\" is not supported yet");
  return CT_OK;
}

static ctStatus check_geom(const ctiBuild* b, const ctiGeom* s) {
  if (s->type == CT_GEOM_SDF) return refuse(b, &s->head, "signed distance fields are not supported yet");
  if (s->fluidshape != 0) return refuse(b, &s->head, "fluidshape is not supported yet");
  return CT_OK;
}

// Length ranges are taken from the model; finding them by simulation is to come.
static ctStatus check_length_range(const ctiBuild* b, const ctiActuator* s) {
  const ctiLengthRange* how = &b->spec->lengthrange;
  bool muscle = s->drive.gaintype == CT_GAIN_MUSCLE || s->drive.biastype == CT_BIAS_MUSCLE;
  bool user = s->drive.gaintype == CT_GAIN_USER || s->drive.biastype == CT_BIAS_USER;
  bool wanted = how->mode == CTI_LENGTH_ALL || (muscle && how->mode != CTI_LENGTH_NONE) ||
                (user && how->mode == CTI_LENGTH_MUSCLEUSER);
  if (!wanted || (how->useexisting && s->lengthrange[0] < s->lengthrange[1])) return CT_OK;
  return refuse(b, &s->head,
                "length ranges are not computed yet; set lengthrange=\"min max\" on the actuator");
}

static ctStatus check_sensors(const ctiBuild* b) {
  const ctSpec* s = b->spec;
  if (s->option.disableflags & CT_DSBL_SENSOR) return CT_OK;
  for (int i = 0; i < s->sensors.count; i++) {
    const ctiSensor* sensor = s->sensors.data[i];
    if (!cti_sensor_supported(sensor->type)) {
      return refuse(b, &sensor->head,
                    "this kind of sensor is not supported yet; set sensor=\"disable\" in <option><flag> to "
                    "simulate without");
    }
  }
  return CT_OK;
}

static ctStatus check_settings(const ctiBuild* b) {
  const ctSpec* s = b->spec;
  const ctiElement top = {.tag = "option", .where = {s->file, 0, 0}};
  const ctiElement compiler = {.tag = "compiler", .where = {s->file, 0, 0}};
  const ctOption* o = &s->option;
  const int supported = CT_ENBL_ENERGY | CT_ENBL_OVERRIDE | CT_ENBL_FWDINV | CT_ENBL_DIAGEXACT;
  if (o->integrator == CT_INT_DISCRETE)
    return refuse(b, &top, "the discrete integrator is not supported yet");
  if (o->disableflags & CT_DSBL_NATIVECCD)
    return refuse(b, &top,
                  "there is one convex collider here; remove nativeccd=\"disable\" from <option><flag>");
  if (o->enableflags & ~supported)
    return refuse(b, &top, "the flags invdiscrete, sleep, ipc and speculative are not supported yet");
  if (s->compiler.fusestatic) return refuse(b, &compiler, "fusestatic is not supported yet");
  if (s->compiler.discardvisual) return refuse(b, &compiler, "discardvisual is not supported yet");
  if (s->compiler.alignfree) return refuse(b, &compiler, "alignfree is not supported yet");
  return CT_OK;
}

ctStatus cti_pass_support(ctiBuild* b) {
  CT_TRY(check_settings(b));
  for (int i = 0; i < b->sizes.njnt; i++) CT_TRY(check_joint(b, b->joint[i].spec));
  for (int i = 0; i < b->sizes.ngeom; i++) CT_TRY(check_geom(b, b->geom[i].spec));
  for (int i = 0; i < b->sizes.nsite; i++) {
    const ctiSite* s = b->site[i].spec;
    if (s->mesh || s->type == CT_GEOM_MESH) return refuse(b, &s->head, "mesh sites are not supported yet");
  }
  for (int i = 0; i < b->spec->actuators.count; i++)
    CT_TRY(check_length_range(b, b->spec->actuators.data[i]));
  CT_TRY(check_sensors(b));
  return CT_OK;
}
