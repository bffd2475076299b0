// What the language can say and the engine cannot do yet. A model that needs it is refused with the remedy;
// this list only ever gets shorter.
#include "compile/build.h"

static ctStatus refuse(const ctiBuild* b, const ctiElement* e, const char* what) {
  return cti_spec_error(b->err, CT_ERR_UNSUPPORTED, e, "%s", what);
}

static bool disabled(const ctiBuild* b, int flags) {
  return (b->spec->option.disableflags & (flags | CT_DSBL_CONSTRAINT)) != 0;
}

static ctStatus check_body(const ctiBuild* b, const ctiBody* s) {
  if (s->gravcomp != 0) return refuse(b, &s->head, "gravcomp is not supported yet");
  return CT_OK;
}

static ctStatus check_joint(const ctiBuild* b, const ctiJoint* s) {
  if (s->align == CTI_TRUE) return refuse(b, &s->head, "align=\"true\" is not supported yet");
  if (s->springyield != 0) return refuse(b, &s->head, "springyield is not supported yet");
  if (s->actgravcomp) return refuse(b, &s->head, "actuatorgravcomp is not supported yet");
  bool may_limit = s->limited == CTI_TRUE || (s->limited == CTI_AUTO && s->range[0] < s->range[1]);
  if (may_limit && !disabled(b, CT_DSBL_LIMIT)) {
    return refuse(
        b, &s->head,
        "joint limits are not supported yet; set limit=\"disable\" in <option><flag> to simulate without");
  }
  if (s->frictionloss > 0 && !disabled(b, CT_DSBL_FRICTIONLOSS)) {
    return refuse(b, &s->head,
                  "frictionloss is not supported yet; set frictionloss=\"disable\" in <option><flag> to "
                  "simulate without");
  }
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

// Two geoms on different bodies, one of which moves, with matching bits.
static ctStatus check_contacts(const ctiBuild* b) {
  if (disabled(b, CT_DSBL_CONTACT)) return CT_OK;
  for (int i = 0; i < b->sizes.ngeom; i++) {
    const ctiBuildGeom* g = &b->geom[i];
    for (int k = 0; k < i; k++) {
      const ctiBuildGeom* h = &b->geom[k];
      bool match = (g->spec->contype & h->spec->conaffinity) || (h->spec->contype & g->spec->conaffinity);
      bool movable = g->body != h->body && (b->body[g->body].moves || b->body[h->body].moves);
      if (match && movable) {
        return refuse(
            b, &g->spec->head,
            "contacts are not supported yet; set contact=\"disable\" in <option><flag> to simulate without");
      }
    }
  }
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
  if (s->textures.count) return refuse(b, &s->textures.data[0]->head, "textures are not supported yet");
  return CT_OK;
}

static ctStatus check_sensors(const ctiBuild* b) {
  const ctSpec* s = b->spec;
  if (s->sensors.count == 0 || (s->option.disableflags & CT_DSBL_SENSOR)) return CT_OK;
  return refuse(
      b, &s->sensors.data[0]->head,
      "sensors are not supported yet; set sensor=\"disable\" in <option><flag> to simulate without");
}

static ctStatus check_constraints(const ctiBuild* b) {
  const ctSpec* s = b->spec;
  for (int i = 0; i < s->tendons.count; i++) {
    const ctiTendon* t = s->tendons.data[i];
    bool limited = t->limited == CTI_TRUE || (t->limited == CTI_AUTO && t->range[0] < t->range[1]);
    if (limited && !disabled(b, CT_DSBL_LIMIT))
      return refuse(
          b, &t->head,
          "tendon limits are not supported yet; set limit=\"disable\" in <option><flag> to simulate without");
    if (t->frictionloss > 0 && !disabled(b, CT_DSBL_FRICTIONLOSS)) {
      return refuse(b, &t->head,
                    "frictionloss is not supported yet; set frictionloss=\"disable\" in <option><flag> to "
                    "simulate without");
    }
  }
  if (s->equalities.count && !disabled(b, CT_DSBL_EQUALITY)) {
    return refuse(b, &s->equalities.data[0]->head,
                  "equality constraints are not supported yet; set equality=\"disable\" in <option><flag> to "
                  "simulate without");
  }
  if (s->pairs.count && !disabled(b, CT_DSBL_CONTACT)) {
    return refuse(
        b, &s->pairs.data[0]->head,
        "contacts are not supported yet; set contact=\"disable\" in <option><flag> to simulate without");
  }
  return CT_OK;
}

static ctStatus check_settings(const ctiBuild* b) {
  const ctSpec* s = b->spec;
  const ctiElement top = {.tag = "option", .where = {s->file, 0, 0}};
  const ctiElement compiler = {.tag = "compiler", .where = {s->file, 0, 0}};
  const ctOption* o = &s->option;
  if (o->integrator != CT_INT_EULER) return refuse(b, &top, "only the Euler integrator is supported yet");
  if (o->density != 0 || o->viscosity != 0)
    return refuse(b, &top, "density and viscosity are not supported yet");
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
  CT_TRY(check_constraints(b));
  return check_contacts(b);
}
