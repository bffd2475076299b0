// What the language can say and the engine cannot do yet. A model that needs it is refused with the remedy;
// this list only ever gets shorter.
#include "compile/build.h"

static ctStatus refuse(const ctiBuild* b, const ctiElement* e, const char* what) {
  return cti_spec_error(b->err, CT_ERR_UNSUPPORTED, e, "%s", what);
}

static ctStatus check_body(const ctiBuild* b, const ctiBody* s) {
  if (s->gravcomp != 0) return refuse(b, &s->head, "gravcomp is not supported yet");
  return CT_OK;
}

static ctStatus check_joint(const ctiBuild* b, const ctiJoint* s) {
  if (s->align == CTI_TRUE) return refuse(b, &s->head, "align=\"true\" is not supported yet");
  if (s->springyield != 0) return refuse(b, &s->head, "springyield is not supported yet");
  if (s->actgravcomp) return refuse(b, &s->head, "actuatorgravcomp is not supported yet");
  return CT_OK;
}

static ctStatus check_geom(const ctiBuild* b, const ctiGeom* s) {
  if (s->type == CT_GEOM_HFIELD || s->type == CT_GEOM_MESH || s->type == CT_GEOM_SDF || s->mesh ||
      s->hfield) {
    return refuse(b, &s->head, "meshes, height fields and signed distance fields are not supported yet");
  }
  if (s->fluidshape != 0) return refuse(b, &s->head, "fluidshape is not supported yet");
  return CT_OK;
}

static ctStatus check_actuator(const ctiBuild* b, const ctiActuator* s) {
  if (s->nsample != 0 || s->delay != 0) return refuse(b, &s->head, "delays are not supported yet");
  return CT_OK;
}

// Assets whose files the compiler cannot read yet.
static ctStatus check_assets(const ctiBuild* b) {
  const ctSpec* s = b->spec;
  if (s->meshes.count) return refuse(b, &s->meshes.data[0]->head, "meshes are not supported yet");
  if (s->hfields.count) return refuse(b, &s->hfields.data[0]->head, "height fields are not supported yet");
  return CT_OK;
}

static ctStatus check_sensors(const ctiBuild* b) {
  const ctSpec* s = b->spec;
  if (s->sensors.count == 0 || (s->option.disableflags & CT_DSBL_SENSOR)) return CT_OK;
  return refuse(
      b, &s->sensors.data[0]->head,
      "sensors are not supported yet; set sensor=\"disable\" in <option><flag> to simulate without");
}

static ctStatus check_settings(const ctiBuild* b) {
  const ctSpec* s = b->spec;
  const ctiElement top = {.tag = "option", .where = {s->file, 0, 0}};
  const ctiElement compiler = {.tag = "compiler", .where = {s->file, 0, 0}};
  const ctOption* o = &s->option;
  if (o->integrator == CT_INT_DISCRETE) return refuse(b, &top, "the discrete integrator is not supported yet");
  if (o->solver != CT_SOL_NEWTON) return refuse(b, &top, "only the Newton solver is supported yet");
  if (o->noslip_iterations > 0) return refuse(b, &top, "noslip_iterations is not supported yet");
  if (o->enableflags & ~(CT_ENBL_ENERGY | CT_ENBL_OVERRIDE))
    return refuse(b, &top, "of the enable flags only energy is supported yet");
  if (s->compiler.fusestatic) return refuse(b, &compiler, "fusestatic is not supported yet");
  if (s->compiler.discardvisual) return refuse(b, &compiler, "discardvisual is not supported yet");
  if (s->compiler.alignfree) return refuse(b, &compiler, "alignfree is not supported yet");
  return CT_OK;
}

ctStatus cti_pass_support(ctiBuild* b) {
  CT_TRY(check_settings(b));
  for (int i = 0; i < b->sizes.nbody; i++) CT_TRY(check_body(b, b->body[i].spec));
  for (int i = 0; i < b->sizes.njnt; i++) CT_TRY(check_joint(b, b->joint[i].spec));
  for (int i = 0; i < b->sizes.ngeom; i++) CT_TRY(check_geom(b, b->geom[i].spec));
  for (int i = 0; i < b->sizes.nsite; i++) {
    const ctiSite* s = b->site[i].spec;
    if (s->mesh || s->type == CT_GEOM_MESH) return refuse(b, &s->head, "meshes are not supported yet");
  }
  for (int i = 0; i < b->sizes.nactuator; i++) CT_TRY(check_actuator(b, b->spec->actuators.data[i]));
  CT_TRY(check_assets(b));
  CT_TRY(check_sensors(b));
  return CT_OK;
}
