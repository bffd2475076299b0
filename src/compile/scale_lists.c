// What refers to scaled elements: tendons, pairs, equalities, sensors.
#include <math.h>

#include "compile/scale.h"

static void times(double* values, int n, double factor) {
  for (int i = 0; i < n; i++) values[i] *= factor;
}

// ---- tendons

// The innermost scale around both.
static const ctiScale* common(const ctiScale* a, const ctiScale* b) {
  while (a != b) {
    if (a->depth >= b->depth) {
      a = a->outer;
    } else {
      b = b->outer;
    }
  }
  return a;
}

static const ctiJoint* find_joint(const ctiScaleWork* w, const char* name) {
  return (const ctiJoint*)(const void*)cti_scale_find(w, CT_OBJ_JOINT, name);
}

static const ctiScale* station_scale(const ctiScaleWork* w, const ctiWrap* s) {
  switch (s->type) {
    case CT_WRAP_JOINT: return cti_scale_named(w, CT_OBJ_JOINT, s->object);
    case CT_WRAP_SITE: return cti_scale_named(w, CT_OBJ_SITE, s->object);
    default: return cti_scale_named(w, CT_OBJ_GEOM, s->object);
  }
}

static ctiUnits tendon_units(const ctiScaleWork* w, const ctiTendon* t) {
  ctiUnits u = {.length = t->type == CT_TENDON_SPATIAL, .position = 1};
  for (int i = 0; i < t->path.count; i++) {
    const ctiWrap* s = t->path.data[i];
    if (s->type == CT_WRAP_PULLEY) continue;
    const ctiScale* around = station_scale(w, s);
    u.scale = u.scale ? common(u.scale, around) : around;
    const ctiJoint* joint = s->type == CT_WRAP_JOINT ? find_joint(w, s->object) : NULL;
    u.length = u.length || (joint && joint->type == CT_JOINT_SLIDE);
  }
  if (!u.scale) u.scale = &w->none;
  if (u.length) u.position = u.scale->length;
  return u;
}

ctStatus cti_scale_tendons(ctiScaleWork* w) {
  w->tendon = CTI_NEW_ARRAY(w->region, ctiUnits, w->spec->tendons.count);
  if (!w->tendon) return cti_error_memory(w->err);
  for (int i = 0; i < w->spec->tendons.count; i++) {
    ctiTendon* t = w->spec->tendons.data[i];
    ctiUnits u = w->tendon[i] = tendon_units(w, t);
    for (int k = 0; k < t->path.count; k++) {
      ctiWrap* s = t->path.data[k];
      const ctiJoint* joint = s->type == CT_WRAP_JOINT ? find_joint(w, s->object) : NULL;
      if (joint) s->value *= u.position / cti_joint_units(w, joint).position;
    }
    double* positions[] = {&t->margin,   &t->springyield,     t->range,
                           t->range + 1, t->solimp_limit + 2, t->solimp_friction + 2};
    for (size_t k = 0; k < sizeof(positions) / sizeof(positions[0]); k++) *positions[k] *= u.position;
    // a length of -1 is worked out by the compiler
    if (t->springlength[0] != -1 || t->springlength[1] != -1) times(t->springlength, 2, u.position);
    t->width *= u.scale->length;
    for (int k = 0; k <= CT_NPOLY; k++) {
      t->stiffness[k] *= cti_units_force(&u, k + 1);
      t->damping[k] *= cti_units_force(&u, k + 1);
    }
    t->armature *= cti_units_force(&u, 1);
    t->frictionloss *= cti_units_force(&u, 0);
    times(t->actfrcrange, 2, cti_units_force(&u, 0));
  }
  return CT_OK;
}

// ---- pairs and equalities

static void scale_pair(const ctiScaleWork* w, ctiPair* p) {
  ctiScale s =
      cti_scale_between(cti_scale_named(w, CT_OBJ_GEOM, p->geom1), cti_scale_named(w, CT_OBJ_GEOM, p->geom2));
  times(p->friction + 2, 3, s.length);
  p->margin *= s.length;
  p->gap *= s.length;
  p->solimp[2] *= s.length;
  p->adhesion *= cti_force_factor(&s, 1, 1);
}

static ctiUnits coordinate(const ctiScaleWork* w, const ctiEquality* e, int second) {
  const ctiUnits none = {.scale = &w->none, .position = 1};
  if (e->type == CT_EQ_JOINT) {
    const ctiJoint* j = find_joint(w, second ? e->joint2 : e->joint1);
    return j ? cti_joint_units(w, j) : none;
  }
  const ctiElement* t = cti_scale_find(w, CT_OBJ_TENDON, second ? e->tendon2 : e->tendon1);
  for (int i = 0; t && i < w->spec->tendons.count; i++) {
    if (&w->spec->tendons.data[i]->head == t) return w->tendon[i];
  }
  return none;
}

static void scale_equality(const ctiScaleWork* w, ctiEquality* e) {
  if (e->type == CT_EQ_JOINT || e->type == CT_EQ_TENDON) {
    double first = coordinate(w, e, 0).position, second = coordinate(w, e, 1).position;
    e->solimp[2] *= first;
    for (int k = 0; k < 5; k++) e->polycoef[k] *= first / pow(second, k);
    return;
  }
  const ctiPlace *body1 = cti_place_in_body(w, e->body1), *body2 = cti_place_in_body(w, e->body2);
  ctiScale s = e->site1 ? cti_scale_between(cti_scale_named(w, CT_OBJ_SITE, e->site1),
                                            cti_scale_named(w, CT_OBJ_SITE, e->site2))
                        : cti_scale_between(body1->scale, body2->scale);
  // the anchor of a connect belongs to its first body, and so does its width
  if (e->type == CT_EQ_CONNECT) {
    if (!e->site1) s = *body1->scale;
    cti_stretch_vector(&body1->stretch, e->anchor);
  } else {
    cti_stretch_vector(&body2->stretch, e->anchor);
    cti_stretch_vector(&body1->stretch, e->relpose);
    e->torquescale *= s.length;
  }
  e->solimp[2] *= s.length;
}

ctStatus cti_scale_relations(ctiScaleWork* w) {
  for (int i = 0; i < w->spec->pairs.count; i++) scale_pair(w, w->spec->pairs.data[i]);
  for (int i = 0; i < w->spec->equalities.count; i++) scale_equality(w, w->spec->equalities.data[i]);
  return CT_OK;
}

// ---- sensors

// What a sensor measures; a row that is not there has no dimension, or none that is known.
typedef enum Measure { PLAIN, LENGTH, FORCE, TORQUE, COORDINATE, GENERAL_FORCE } Measure;
static const Measure measures[CT_SENS_COUNT] = {
    [CT_SENS_TOUCH] = FORCE,
    [CT_SENS_ACCELEROMETER] = LENGTH,
    [CT_SENS_VELOCIMETER] = LENGTH,
    [CT_SENS_FORCE] = FORCE,
    [CT_SENS_TORQUE] = TORQUE,
    [CT_SENS_RANGEFINDER] = LENGTH,
    [CT_SENS_JOINTPOS] = COORDINATE,
    [CT_SENS_JOINTVEL] = COORDINATE,
    [CT_SENS_TENDONPOS] = COORDINATE,
    [CT_SENS_TENDONVEL] = COORDINATE,
    [CT_SENS_ACTUATORPOS] = COORDINATE,
    [CT_SENS_ACTUATORVEL] = COORDINATE,
    [CT_SENS_ACTUATORFRC] = GENERAL_FORCE,
    [CT_SENS_JOINTACTFRC] = GENERAL_FORCE,
    [CT_SENS_TENDONACTFRC] = GENERAL_FORCE,
    [CT_SENS_JOINTLIMITPOS] = COORDINATE,
    [CT_SENS_JOINTLIMITVEL] = COORDINATE,
    [CT_SENS_JOINTLIMITFRC] = GENERAL_FORCE,
    [CT_SENS_TENDONLIMITPOS] = COORDINATE,
    [CT_SENS_TENDONLIMITVEL] = COORDINATE,
    [CT_SENS_TENDONLIMITFRC] = GENERAL_FORCE,
    [CT_SENS_FRAMEPOS] = LENGTH,
    [CT_SENS_FRAMELINVEL] = LENGTH,
    [CT_SENS_FRAMELINACC] = LENGTH,
    [CT_SENS_SUBTREECOM] = LENGTH,
    [CT_SENS_SUBTREELINVEL] = LENGTH,
    [CT_SENS_SUBTREEANGMOM] = TORQUE,
    [CT_SENS_INSIDESITE] = LENGTH,
    [CT_SENS_GEOMDIST] = LENGTH,
    [CT_SENS_GEOMNORMAL] = LENGTH,
    [CT_SENS_GEOMFROMTO] = LENGTH,
};

static ctiUnits sensor_coordinate(const ctiScaleWork* w, const ctiSensor* s) {
  const ctiJoint* joint = find_joint(w, s->joint);
  if (joint) return cti_joint_units(w, joint);
  for (int i = 0; s->tendon && i < w->spec->tendons.count; i++) {
    if (cti_text_equal(w->spec->tendons.data[i]->head.name, s->tendon)) return w->tendon[i];
  }
  for (int i = 0; s->actuator && i < w->spec->actuators.count; i++) {
    if (cti_text_equal(w->spec->actuators.data[i]->head.name, s->actuator)) return w->actuator[i];
  }
  return (ctiUnits){.scale = &w->none, .position = 1};
}

// The scale of what a sensor is attached to; of the space between the two things it compares.
static ctiScale sensor_scale(const ctiScaleWork* w, const ctiSensor* s) {
  const struct {
    ctObjType type;
    const char* name;
  } named[] = {{CT_OBJ_SITE, s->site},  {CT_OBJ_CAMERA, s->camera},
               {CT_OBJ_BODY, s->body},  {CT_OBJ_GEOM, s->geom1},
               {CT_OBJ_BODY, s->body1}, {CT_OBJ_GEOM, s->geom2},
               {CT_OBJ_BODY, s->body2}, {(ctObjType)s->objtype, s->objname}};
  const ctiScale* found[2] = {NULL, NULL};
  int n = 0;
  for (size_t i = 0; i < sizeof(named) / sizeof(named[0]) && n < 2; i++) {
    if (named[i].name) found[n++] = cti_scale_named(w, named[i].type, named[i].name);
  }
  if (n == 0) return w->none;
  return n == 2 ? cti_scale_between(found[0], found[1]) : *found[0];
}

static double measure_factor(const ctiScaleWork* w, const ctiSensor* s) {
  ctiUnits u;
  ctiScale at;
  switch (measures[s->type]) {
    case COORDINATE: return sensor_coordinate(w, s).position;
    case GENERAL_FORCE: u = sensor_coordinate(w, s); return cti_units_force(&u, 0);
    case LENGTH: return sensor_scale(w, s).length;
    case FORCE: at = sensor_scale(w, s); return cti_force_factor(&at, 1, 1);
    case TORQUE: at = sensor_scale(w, s); return cti_force_factor(&at, 2, 1);
    default: return 1;
  }
}

ctStatus cti_scale_sensors(ctiScaleWork* w) {
  for (int i = 0; i < w->spec->sensors.count; i++) {
    ctiSensor* s = w->spec->sensors.data[i];
    if (s->type == CT_SENS_TACTILE && cti_scale_named(w, CT_OBJ_GEOM, s->geom) != &w->none)
      return cti_spec_error(w->err, CT_ERR_INVALID, &s->head, "a tactile skin cannot be scaled by a frame");
    // whether something is inside has no dimension
    bool yes_or_no = s->type == CT_SENS_INSIDESITE && !s->enclosed;
    double factor = yes_or_no ? 1 : measure_factor(w, s);
    s->cutoff *= factor;
    // the noise of a direction has no dimension, unlike the distance it is cut off at
    if (s->type != CT_SENS_GEOMNORMAL) s->noise *= factor;
  }
  return CT_OK;
}
