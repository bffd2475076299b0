// Actuators: ranges and gains in the units of what they act on; keyframes.
#include "base/kinds.h"
#include "compile/scale.h"
#include "spec/spec.h"
#include "transform/keyframes.h"

static void times(double* values, int n, double factor) {
  for (int i = 0; i < n; i++) values[i] *= factor;
}

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
    *between = cti_scale_between(cti_scale_named(w, CT_OBJ_SITE, a->cranksite),
                                 cti_scale_named(w, CT_OBJ_SITE, a->slidersite));
    s = between;
  }
  // a frame that only turns has angles
  bool moves = a->gear[0] != 0 || a->gear[1] != 0 || a->gear[2] != 0;
  bool free_joint = e && ((const ctiJoint*)(const void*)e)->type == CT_JOINT_FREE;
  if (a->site ? !moves : free_joint && !moves)
    return (ctiUnits){.scale = a->site ? cti_scale_named(w, CT_OBJ_SITE, a->site) : u.scale, .position = 1};
  if (a->site) s = cti_scale_named(w, CT_OBJ_SITE, a->site);
  if (a->body) s = cti_scale_named(w, CT_OBJ_BODY, a->body);
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

ctStatus cti_scale_actuators(ctiScaleWork* w) {
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

// The vectors stay, for their lengths to be checked; pieces of elements overrule them.
ctStatus cti_scale_keys(ctiScaleWork* w) {
  for (int i = 0; i < w->spec->keys.count; i++) {
    ctiKey *key = w->spec->keys.data[i], whole = *key;
    key->parts.data = NULL;
    key->parts.count = key->parts.capacity = 0;
    if (cti_key_take_apart(w->spec, key, w->spec, &whole, w->region) != CT_OK)
      return cti_error_memory(w->err);
    for (int k = 0; k < key->parts.count; k++) {
      ctiKeyPart* part = &key->parts.data[k];
      part->target = part->source;
      scale_part(w, part, (double*)(uintptr_t)part->values.data);
    }
  }
  return CT_OK;
}
