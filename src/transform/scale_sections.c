// Scaling what stands in sections.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "asset/mesh.h"
#include "base/kinds.h"
#include "spec/spec.h"
#include "transform/keyframes.h"
#include "transform/scale.h"

// ---- assets

// A mesh or height field that is used at several sizes has an instance for each: the first use keeps the
// name, the others are called name@1, name@2 and so on, at the end of the list.

// A size of an asset. `record` is the asset as authored, then the instance.
typedef struct Instance {
  const char *asset, *name;
  ctiStretch stretch;
  const void* record;
} Instance;
typedef CTI_ARRAY(Instance) Instances;

static bool same(const ctiStretch* a, const ctiStretch* b) {
  if (a->uniform || b->uniform) return a->uniform && b->uniform && a->factor == b->factor;
  return memcmp(a->map, b->map, sizeof(a->map)) == 0;
}

// Point `*reference` to the instance of a size, which is new when nobody has used it yet.
static ctStatus use(ctiScaleWork* w, Instances* list, ctObjType type, const char** reference,
                    const ctiStretch* s) {
  const ctiElement* asset = cti_scale_find(w, type, *reference);
  if (!asset) return CT_OK;  // refused later
  int uses = 0;
  for (int i = 0; i < list->count; i++) {
    const Instance* known = &list->data[i];
    if (strcmp(known->asset, *reference) != 0) continue;
    if (same(&known->stretch, s)) {
      *reference = known->name;
      return CT_OK;
    }
    uses++;
  }
  Instance added = {.asset = asset->name, .name = asset->name, .stretch = *s, .record = asset};
  if (uses > 0) {
    size_t room = strlen(asset->name) + 16;
    char* name = CTI_NEW_ARRAY(w->region, char, room);
    if (!name) return cti_error_memory(w->err);
    snprintf(name, room, "%s@%d", asset->name, uses);
    const ctiElement* taken = cti_scale_find(w, type, name);
    if (taken)
      return cti_spec_error(w->err, CT_ERR_INVALID, taken,
                            "this name is needed: \"%s\" is used at several scales", asset->name);
    added.name = cti_intern(&w->spec->strings, name);
  }
  if (!added.name || cti_array_push(list, cti_region_allocator(w->region), added) != CT_OK)
    return cti_error_memory(w->err);
  *reference = added.name;
  return CT_OK;
}

// All geoms come before all sites.
static ctStatus collect(ctiScaleWork* w, Instances* meshes, Instances* hfields) {
  ctiStretch own;
  for (int i = 0; i < w->nbody; i++) {
    for (int k = 0; k < w->body[i]->geoms.count; k++) {
      ctiGeom* g = w->body[i]->geoms.data[k];
      if (!g->mesh && !g->hfield) continue;
      CT_TRY(cti_stretch_turned(&own, w, &cti_place_of(w, &g->head)->stretch, &g->orient, &g->head));
      const char* trouble = g->hfield ? cti_stretch_needs_axes(&own) : NULL;
      if (trouble) return cti_spec_error(w->err, CT_ERR_INVALID, &g->head, "%s", trouble);
      if (g->mesh) CT_TRY(use(w, meshes, CT_OBJ_MESH, &g->mesh, &own));
      if (g->hfield) CT_TRY(use(w, hfields, CT_OBJ_HFIELD, &g->hfield, &own));
    }
  }
  for (int i = 0; i < w->nbody; i++) {
    for (int k = 0; k < w->body[i]->sites.count; k++) {
      ctiSite* t = w->body[i]->sites.data[k];
      if (!t->mesh) continue;
      CT_TRY(cti_stretch_turned(&own, w, &cti_place_of(w, &t->head)->stretch, &t->orient, &t->head));
      CT_TRY(use(w, meshes, CT_OBJ_MESH, &t->mesh, &own));
    }
  }
  return CT_OK;
}

static ctStatus stretch_mesh(ctiScaleWork* w, ctiMeshAsset* m, const ctiStretch* s) {
  bool along = true;
  for (int i = 0; i < 9 && !s->uniform; i++) along = along && (i % 4 == 0 || s->map[i] == 0);
  for (int i = 0; i < 3 && along; i++) m->scale[i] *= s->uniform ? s->factor : s->map[4 * i];
  if (along) return CT_OK;
  double* map = CTI_NEW_ARRAY(w->spec->region, double, 9);
  if (!map) return cti_error_memory(w->err);
  memcpy(map, s->map, sizeof(s->map));
  m->map = map;
  return CT_OK;
}

static ctStatus stretch_hfield(ctiScaleWork* w, ctiHField* h, const ctiStretch* s) {
  (void)w;
  static const double axes[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 1}};
  for (int i = 0; i < 4; i++) h->size[i] *= cti_stretch_along(s, axes[i]);
  return CT_OK;
}

// Copies of the authored records come first, then each has its size.
#define MAKE(instances, record_, list, stretch_)                                    \
  for (int i = 0; i < (instances).count; i++) {                                     \
    Instance* made = &(instances).data[i];                                          \
    if (made->name == made->asset) continue;                                        \
    record_* copy = CTI_NEW(w->spec->region, record_);                              \
    if (!copy || cti_array_push(&w->spec->list, w->spec->in_region, copy) != CT_OK) \
      return cti_error_memory(w->err);                                              \
    *copy = *(const record_*)made->record;                                          \
    copy->head.name = made->name;                                                   \
    made->record = copy;                                                            \
  }                                                                                 \
  for (int i = 0; i < (instances).count; i++)                                       \
    CT_TRY(stretch_(w, (record_*)(uintptr_t)(instances).data[i].record, &(instances).data[i].stretch));

static ctStatus scale_assets(ctiScaleWork* w) {
  Instances meshes = {0}, hfields = {0};
  CT_TRY(collect(w, &meshes, &hfields));
  MAKE(meshes, ctiMeshAsset, meshes, stretch_mesh)
  MAKE(hfields, ctiHField, hfields, stretch_hfield)
  return CT_OK;
}

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

static const ctiScale* scale_named(const ctiScaleWork* w, ctObjType type, const char* name) {
  const ctiElement* e = cti_scale_find(w, type, name);
  return e && e->parent ? cti_place_of(w, e)->scale : &w->none;
}

static const ctiScale* station_scale(const ctiScaleWork* w, const ctiWrap* s) {
  switch (s->type) {
    case CT_WRAP_JOINT: return scale_named(w, CT_OBJ_JOINT, s->object);
    case CT_WRAP_SITE: return scale_named(w, CT_OBJ_SITE, s->object);
    default: return scale_named(w, CT_OBJ_GEOM, s->object);
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

static ctStatus scale_tendons(ctiScaleWork* w) {
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
    for (int k = 0; k < CT_COUNT_OF(positions); k++) *positions[k] *= u.position;
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

// Of what lies between two places.
static ctiScale scale_between(const ctiScale* a, const ctiScale* b) {
  if (a == b) return *a;
  return (ctiScale){.length = sqrt(a->length * b->length),
                    .mass = sqrt(a->mass * b->mass),
                    .force_length = sqrt(a->force_length * b->force_length),
                    .force_mass = sqrt(a->force_mass * b->force_mass)};
}

static void scale_pair(const ctiScaleWork* w, ctiContactPair* p) {
  ctiScale s = scale_between(scale_named(w, CT_OBJ_GEOM, p->geom1), scale_named(w, CT_OBJ_GEOM, p->geom2));
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

static const ctiPlace* place_in_body(const ctiScaleWork* w, const char* name) {
  const ctiBody* body = (const ctiBody*)(const void*)cti_scale_find(w, CT_OBJ_BODY, name);
  return &w->inside[body ? body->order : 0];
}

static void scale_equality(const ctiScaleWork* w, ctiEquality* e) {
  if (e->type == CT_EQ_JOINT || e->type == CT_EQ_TENDON) {
    double first = coordinate(w, e, 0).position, second = coordinate(w, e, 1).position;
    e->solimp[2] *= first;
    for (int k = 0; k < 5; k++) e->polycoef[k] *= first / pow(second, k);
    return;
  }
  const ctiPlace *body1 = place_in_body(w, e->body1), *body2 = place_in_body(w, e->body2);
  ctiScale s =
      e->site1 ? scale_between(scale_named(w, CT_OBJ_SITE, e->site1), scale_named(w, CT_OBJ_SITE, e->site2))
               : scale_between(body1->scale, body2->scale);
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

static ctStatus scale_relations(ctiScaleWork* w) {
  for (int i = 0; i < w->spec->pairs.count; i++) scale_pair(w, w->spec->pairs.data[i]);
  for (int i = 0; i < w->spec->equalities.count; i++) scale_equality(w, w->spec->equalities.data[i]);
  return CT_OK;
}

// ---- sensors

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
  for (int i = 0; i < CT_COUNT_OF(named) && n < 2; i++) {
    if (named[i].name) found[n++] = scale_named(w, named[i].type, named[i].name);
  }
  if (n == 0) return w->none;
  return n == 2 ? scale_between(found[0], found[1]) : *found[0];
}

static double measure_factor(const ctiScaleWork* w, const ctiSensor* s) {
  ctiUnits u;
  ctiScale at;
  switch (cti_sensor_kinds[s->type].quantity) {
    case CTI_QUANTITY_COORDINATE: return sensor_coordinate(w, s).position;
    case CTI_QUANTITY_GENERAL_FORCE: u = sensor_coordinate(w, s); return cti_units_force(&u, 0);
    case CTI_QUANTITY_LENGTH: return sensor_scale(w, s).length;
    case CTI_QUANTITY_FORCE: at = sensor_scale(w, s); return cti_force_factor(&at, 1, 1);
    case CTI_QUANTITY_TORQUE: at = sensor_scale(w, s); return cti_force_factor(&at, 2, 1);
    default: return 1;
  }
}

static ctStatus scale_sensors(ctiScaleWork* w) {
  for (int i = 0; i < w->spec->sensors.count; i++) {
    ctiSensor* s = w->spec->sensors.data[i];
    if (s->type == CT_SENS_TACTILE && scale_named(w, CT_OBJ_GEOM, s->geom) != &w->none)
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

// ---- actuators, keyframes

// Ranges and gains are in the units of what an actuator acts on.

// The last way to name a target counts.
static ctiUnits target_units(ctiScaleWork* w, const ctiActuator* a) {
  ctiUnits u = {.scale = &w->none, .position = 1};
  const char* joint = a->jointinparent ? a->jointinparent : a->joint;
  const ctiElement* e = cti_scale_find(w, CT_OBJ_JOINT, joint);
  if (e) u = cti_joint_units(w, (const ctiJoint*)(const void*)e);
  for (int i = 0; a->tendon && i < w->spec->tendons.count; i++) {
    if (cti_text_equal(w->spec->tendons.data[i]->head.name, a->tendon)) u = w->tendon[i];
  }
  const ctiScale* s = NULL;
  if (a->cranksite) {
    ctiScale* between = CTI_NEW(w->region, ctiScale);
    if (!between) return (ctiUnits){0};
    *between =
        scale_between(scale_named(w, CT_OBJ_SITE, a->cranksite), scale_named(w, CT_OBJ_SITE, a->slidersite));
    s = between;
  }
  // a frame that only turns has angles
  bool moves = a->gear[0] != 0 || a->gear[1] != 0 || a->gear[2] != 0;
  bool free_joint = e && ((const ctiJoint*)(const void*)e)->type == CT_JOINT_FREE;
  if (a->site ? !moves : free_joint && !moves)
    return (ctiUnits){.scale = a->site ? scale_named(w, CT_OBJ_SITE, a->site) : u.scale, .position = 1};
  if (a->site) s = scale_named(w, CT_OBJ_SITE, a->site);
  if (a->body) s = scale_named(w, CT_OBJ_BODY, a->body);
  return s ? (ctiUnits){.scale = s, .length = true, .position = s->length} : u;
}

// The units of what a control says.
static double input_factor(const ctiUnits* u, int input) {
  switch (input) {
    case CTI_INPUT_POS:
    case CTI_INPUT_VEL: return u->position;
    case CTI_INPUT_FF: return cti_units_force(u, 0);
    case CTI_INPUT_PRESSURE: return cti_force_factor(u->scale, -1, 1);
    default: return 1;
  }
}

// Force over the units of the input, in the part that follows forces.
static double gain_factor(const ctiUnits* u, int input, int power) {
  double factor = cti_units_force(u, power + (input == CTI_INPUT_POS || input == CTI_INPUT_VEL));
  return input == CTI_INPUT_PRESSURE ? factor / cti_force_factor(u->scale, -1, 1) : factor;
}

static void scale_gain(ctiDrive* d, const ctiUnits* u) {
  switch (d->gaintype) {
    case CT_GAIN_AFFINE:
      times(d->gainprm + 1, 2, gain_factor(u, d->ctrlspec, 1));
      d->gainprm[0] *= gain_factor(u, d->ctrlspec, 0);
      break;
    case CT_GAIN_FIXED: d->gainprm[0] *= gain_factor(u, d->ctrlspec, 0); break;
    case CT_GAIN_PID: d->gainprm[0] *= cti_units_force(u, 1); break;
    case CT_GAIN_SO3: d->gainprm[0] *= cti_force_factor(u->scale, 2, 1); break;
    // a negative force is worked out by the compiler
    case CT_GAIN_MUSCLE:
      if (d->gainprm[2] > 0) d->gainprm[2] *= cti_units_force(u, 0);
      break;
    default: break;
  }
}

static void scale_bias(ctiDrive* d, const ctiUnits* u) {
  switch (d->biastype) {
    case CT_BIAS_AFFINE:
      d->biasprm[0] *= cti_units_force(u, 0);
      d->biasprm[1] *= cti_units_force(u, 1);
      // a positive number is a damping ratio
      if (d->biasprm[2] < 0) d->biasprm[2] *= cti_units_force(u, 1);
      break;
    case CT_BIAS_SO3:
      d->biasprm[1] *= cti_force_factor(u->scale, 2, 1);
      if (d->biasprm[2] < 0) d->biasprm[2] *= cti_force_factor(u->scale, 2, 1);
      break;
    case CT_BIAS_MUSCLE:
      if (d->biasprm[2] > 0) d->biasprm[2] *= cti_units_force(u, 0);
      break;
    case CT_BIAS_DCMOTOR:  // poles of the cogging, speed of Stribeck
      d->biasprm[1] /= u->position;
      d->biasprm[5] *= u->position;
      break;
    default: break;
  }
}

// Limits of slew and integral.
static void scale_dynamics(ctiDrive* d, const ctiUnits* u) {
  if (d->dyntype == CT_DYN_PID) times(d->dynprm, 2, u->position);
  if (d->dyntype == CT_DYN_DCMOTOR) times(d->dynprm + 7, 2, u->position);
}

// Whether the meaning of its numbers is known.
static bool follows_forces(const ctiDrive* d) {
  return d->dyntype != CT_DYN_USER && d->dyntype != CT_DYN_DCMOTOR && d->gaintype != CT_GAIN_USER &&
         d->gaintype != CT_GAIN_DCMOTOR && d->biastype != CT_BIAS_USER && d->biastype != CT_BIAS_DCMOTOR;
}

static void scale_ranges(ctiActuator* a, const ctiUnits* u) {
  const ctiDrive* d = &a->drive;
  bool several = d->gaintype == CT_GAIN_PID || d->gaintype == CT_GAIN_DCMOTOR,
       so3 = d->gaintype == CT_GAIN_SO3;
  int input = several ? CTI_INPUT_POS : d->ctrlspec;
  bool positions = d->gaintype != CT_GAIN_DCMOTOR || (d->ctrlspec & CTI_INPUT_POS);
  if (positions && !so3) {
    times(a->ctrlrange, 2, input_factor(u, input));
    times(a->actrange, 2, input_factor(u, input));
  }
  times(a->velrange, 2, u->position);
  times(a->ffrange, 2, cti_units_force(u, 0));
  times(a->forcerange, 2, cti_units_force(u, 0));
  times(a->lengthrange, 2, u->position);
}

static ctStatus scale_actuator(ctiScaleWork* w, ctiActuator* a, const ctiUnits* u) {
  if ((u->scale->force_length != 1 || u->scale->force_mass != 1) && !follows_forces(&a->drive))
    return cti_spec_error(w->err, CT_ERR_INVALID, &a->head,
                          "this kind of actuator cannot be scaled with its forces: what it acts on needs a "
                          "frame with scaling=\"geometry\"");
  scale_ranges(a, u);
  scale_gain(&a->drive, u);
  scale_bias(&a->drive, u);
  scale_dynamics(&a->drive, u);
  for (int k = 0; k <= CT_NPOLY; k++) a->damping[k] *= cti_units_force(u, k + 1);
  a->armature *= cti_units_force(u, 1);
  a->cranklength *= u->position;
  // rotations of a frame count in the units of its translations
  const ctiElement* joint = cti_scale_find(w, CT_OBJ_JOINT, a->jointinparent ? a->jointinparent : a->joint);
  bool frame = a->site || (joint && ((const ctiJoint*)(const void*)joint)->type == CT_JOINT_FREE);
  if (frame && a->drive.gaintype != CT_GAIN_SO3) times(a->gear + 3, 3, u->position);
  return CT_OK;
}

static ctStatus scale_actuators(ctiScaleWork* w) {
  w->actuator = CTI_NEW_ARRAY(w->region, ctiUnits, w->spec->actuators.count);
  if (!w->actuator) return cti_error_memory(w->err);
  for (int i = 0; i < w->spec->actuators.count; i++) {
    w->actuator[i] = target_units(w, w->spec->actuators.data[i]);
    if (!w->actuator[i].scale) return cti_error_memory(w->err);
    CT_TRY(scale_actuator(w, w->spec->actuators.data[i], &w->actuator[i]));
  }
  return CT_OK;
}

// ---- keyframes

// A free or mocap body moves with the frames it stands in, as everything about their origins.
static void scale_world_position(const ctiScaleWork* w, const ctiElement* body, double* v, bool velocity) {
  const ctiPlace* p = cti_place_of(w, body);
  double local[3];
  for (int i = 0; i < 3; i++) {
    local[i] = 0;
    for (int k = 0; k < 3; k++) local[i] += p->turn[3 * k + i] * (v[k] - (velocity ? 0 : p->before[k]));
  }
  cti_stretch_vector(&p->stretch, local);
  for (int i = 0; i < 3; i++) {
    v[i] = velocity ? 0 : p->after[i];
    for (int k = 0; k < 3; k++) v[i] += p->turn[3 * i + k] * local[k];
  }
}

static void scale_joint_part(const ctiScaleWork* w, const ctiKeyPart* part, double* v) {
  const ctiJoint* j = (const ctiJoint*)(const void*)part->target;
  int n = part->values.count;
  if (j->type == CT_JOINT_SLIDE) times(v, n, cti_joint_units(w, j).position);
  if (j->type == CT_JOINT_FREE && n >= 3)
    scale_world_position(w, j->head.parent, v, part->vector == CTI_KEY_qvel);
}

static void scale_controls(const ctiActuator* a, const ctiUnits* u, double* v, int n) {
  bool several = a->drive.gaintype == CT_GAIN_PID || a->drive.gaintype == CT_GAIN_DCMOTOR;
  if (a->drive.gaintype == CT_GAIN_SO3) return;
  if (!several) times(v, n, input_factor(u, a->drive.ctrlspec));
  for (int bit = CTI_INPUT_POS, k = 0; several && bit <= CTI_INPUT_VOLTAGE && k < n; bit <<= 1) {
    if (a->drive.ctrlspec & bit) v[k++] *= input_factor(u, bit);
  }
}

static void scale_part(const ctiScaleWork* w, const ctiKeyPart* part, double* v) {
  const ctiElement* e = part->target;
  int n = part->values.count;
  if (part->vector == CTI_KEY_mpos && n == 3) scale_world_position(w, e, v, false);
  for (int i = 0; i < w->spec->actuators.count; i++) {
    const ctiActuator* a = w->spec->actuators.data[i];
    if (&a->head != e) continue;
    bool pid = a->drive.dyntype == CT_DYN_PID, motor = a->drive.dyntype == CT_DYN_DCMOTOR;
    if (part->vector == CTI_KEY_ctrl) scale_controls(a, &w->actuator[i], v, n);
    if (part->vector == CTI_KEY_act && a->drive.gaintype != CT_GAIN_SO3 && !motor)
      times(v, n, input_factor(&w->actuator[i], pid ? CTI_INPUT_POS : a->drive.ctrlspec));
  }
  bool joint =
      part->vector == CTI_KEY_qpos || part->vector == CTI_KEY_qvel || part->vector == CTI_KEY_plastic;
  for (int i = 0; part->vector == CTI_KEY_plastic && i < w->spec->tendons.count; i++) {
    if (&w->spec->tendons.data[i]->head != e) continue;
    times(v, n, w->tendon[i].position);
    joint = false;
  }
  if (joint) scale_joint_part(w, part, v);
}

static ctStatus scale_keys(ctiScaleWork* w) {
  for (int i = 0; i < w->spec->keys.count; i++) {
    ctiKey* key = w->spec->keys.data[i];
    if (cti_key_keep(w->spec, key, w->region) != CT_OK) return cti_error_memory(w->err);
    for (int k = 0; k < key->parts.count; k++)
      scale_part(w, &key->parts.data[k], (double*)(uintptr_t)key->parts.data[k].values.data);
  }
  return CT_OK;
}

// ---- all of them, each behind those whose units it needs

// Stiffness and mass of a deformable would have to follow in their own ways.
static ctStatus check_flexes(ctiScaleWork* w) {
  for (int i = 0; i < w->spec->flexes.count; i++) {
    const ctiFlex* f = w->spec->flexes.data[i];
    const ctiNames* names = f->node.count ? &f->node : &f->body;
    for (int k = 0; k < names->count; k++) {
      if (scale_named(w, CT_OBJ_BODY, names->data[k]) == &w->none) continue;
      return cti_spec_error(w->err, CT_ERR_UNSUPPORTED, &f->head,
                            "a deformable cannot stand in a scaled frame, as its body \"%s\" does",
                            names->data[k]);
    }
  }
  return CT_OK;
}

ctStatus cti_scale_sections(ctiScaleWork* w) {
  CT_TRY(check_flexes(w));
  CT_TRY(scale_assets(w));
  CT_TRY(scale_tendons(w));
  CT_TRY(scale_actuators(w));
  CT_TRY(scale_relations(w));
  CT_TRY(scale_sensors(w));
  return scale_keys(w);
}
