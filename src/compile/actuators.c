// Actuators: what they act on, inherited ranges, activations.
#include "base/kinds.h"
#include "compile/build.h"
#include "math/dense.h"
#include "spec/attrs.h"
#include "spec/spec.h"

// Whether an attribute stands on the element itself, not in its class.
static bool is_said(const ctiElement* e, const char* name) {
  for (int i = 0; e->attrs && i < e->attrs->count; i++) {
    if ((e->given >> i & 1) && cti_text_equal(e->attrs->rows[i].name, name)) return true;
  }
  return false;
}

// The ways to name what an actuator acts on; when several are given the last of the list counts.
static ctStatus find_transmission(ctiBuild* b, ctiBuildActuator* a) {
  const ctiActuator* s = a->spec;
  const ctiElement* e = &s->head;
  a->trntype = CT_TRN_UNDEFINED;
  a->trnid[0] = a->trnid[1] = -1;
#define TARGET(name, trn, object)                                 \
  if (s->name) {                                                  \
    a->trntype = trn;                                             \
    CT_TRY(cti_find_object(&a->trnid[0], b, object, s->name, e)); \
  }
  TARGET(joint, CT_TRN_JOINT, CT_OBJ_JOINT)
  TARGET(jointinparent, CT_TRN_JOINTINPARENT, CT_OBJ_JOINT)
  TARGET(tendon, CT_TRN_TENDON, CT_OBJ_TENDON)
  TARGET(cranksite, CT_TRN_SLIDERCRANK, CT_OBJ_SITE)
  TARGET(site, CT_TRN_SITE, CT_OBJ_SITE)
  TARGET(body, CT_TRN_BODY, CT_OBJ_BODY)
#undef TARGET
  if (a->trntype == CT_TRN_UNDEFINED) {
    return cti_spec_error(b->err, CT_ERR_INVALID, e,
                          "nothing to act on: set joint, tendon, site or another transmission");
  }
  if (a->trntype != CT_TRN_SLIDERCRANK &&
      (s->slidersite || (s->cranklength != 0 && is_said(e, "cranklength"))))
    return cti_spec_error(b->err, CT_ERR_INVALID, e,
                          "slidersite and cranklength belong to a slider-crank: set cranksite");
  if (a->trntype != CT_TRN_SITE && s->refsite)
    return cti_spec_error(b->err, CT_ERR_INVALID, e, "refsite needs site beside it");
  if (a->trntype == CT_TRN_SITE && s->refsite)
    CT_TRY(cti_find_object(&a->trnid[1], b, CT_OBJ_SITE, s->refsite, e));
  if (a->trntype == CT_TRN_SLIDERCRANK) {
    if (!s->slidersite)
      return cti_spec_error(b->err, CT_ERR_INVALID, e, "a slider-crank needs slidersite beside cranksite");
    CT_TRY(cti_find_object(&a->trnid[1], b, CT_OBJ_SITE, s->slidersite, e));
    if (!(s->cranklength > 0))
      return cti_spec_error(b->err, CT_ERR_INVALID, e, "a slider-crank needs a positive cranklength");
  }
  if (s->drive.gaintype == CT_GAIN_SO3) {
    bool joint = a->trntype == CT_TRN_JOINT, site = a->trntype == CT_TRN_SITE;
    if (joint && b->joint[a->trnid[0]].spec->type != CT_JOINT_BALL)
      return cti_spec_error(b->err, CT_ERR_INVALID, e, "an orientation servo needs a ball joint");
    if (!joint && !(site && a->trnid[1] >= 0))
      return cti_spec_error(b->err, CT_ERR_INVALID, e,
                            "an orientation servo needs a ball joint, or site and refsite");
    a->trntype = CT_TRN_SO3;
  }
  return CT_OK;
}

// What the kinds of gain require of the rest.
static ctStatus check_drive(ctiBuild* b, const ctiActuator* s) {
  const ctiDrive* d = &s->drive;
  const char* wrong = NULL;
  int inputs = d->ctrlspec;
  bool so3 = d->gaintype == CT_GAIN_SO3, pid = d->gaintype == CT_GAIN_PID,
       motor = d->gaintype == CT_GAIN_DCMOTOR;
  if (so3 != (d->biastype == CT_BIAS_SO3)) wrong = "gaintype and biastype must both be \"so3\", or neither";
  if (so3 && d->gainprm[0] != -d->biasprm[1]) wrong = "so3 needs biasprm[1] equal to -gainprm[0]";
  if (so3 && inputs == CTI_CHART_QUAT && d->dyntype != CT_DYN_NONE)
    wrong = "input=\"quat\" needs dyntype=\"none\"";
  if (so3 && s->forcerange[0] != 0)
    wrong = "forcerange bounds the norm of the torque: its lower bound must be 0";
  bool plain = d->gaintype == CT_GAIN_FIXED || d->gaintype == CT_GAIN_AFFINE;
  if (plain && inputs != 0 && inputs != CTI_INPUT_POS && inputs != CTI_INPUT_VEL &&
      inputs != CTI_INPUT_PRESSURE)
    wrong = "a fixed or affine gain takes one input: pos, vel or pressure";
  if (motor && (inputs & CTI_INPUT_PRESSURE))
    wrong = "the inputs of a motor are none, or some of pos, vel, ff and voltage";
  if (pid && d->biastype != CT_BIAS_AFFINE) wrong = "gaintype \"pid\" needs biastype=\"affine\"";
  if (pid && (inputs & ~(CTI_INPUT_POS | CTI_INPUT_VEL | CTI_INPUT_FF)))
    wrong = "the inputs of a pid are some of pos, vel and ff";
  if (pid && d->gainprm[0] != 0 && d->dyntype != CT_DYN_PID)
    wrong = "an integral gain (gainprm[0]) needs dyntype=\"pid\"";
  if (pid && d->dyntype == CT_DYN_PID && !(inputs & CTI_INPUT_POS))
    wrong = "ki and slewmax need the input pos";
  bool gains = d->gainprm[4] != 0 || d->gainprm[5] != 0 || d->gainprm[6] != 0;
  if (motor && gains && !(inputs & (CTI_INPUT_POS | CTI_INPUT_VEL | CTI_INPUT_FF)))
    wrong = "the gains of the controller need an input: pos, vel or ff";
  if (motor && d->dynprm[7] > 0 && !(inputs & (CTI_INPUT_POS | CTI_INPUT_VEL | CTI_INPUT_FF)))
    wrong = "the slew of the controller needs an input: pos, vel or ff";
  if (motor && d->gainprm[5] != 0 && !(inputs & CTI_INPUT_POS))
    wrong = "the integral gain needs the input pos";
  if (inputs != 0 && (d->gaintype == CT_GAIN_MUSCLE || d->gaintype == CT_GAIN_USER))
    wrong = "a muscle or user gain has no input to choose";
  if (d->dyntype == CT_DYN_PID && !pid) wrong = "dyntype=\"pid\" needs gaintype=\"pid\"";
  if (pid && d->dyntype != CT_DYN_PID && d->dyntype != CT_DYN_NONE)
    wrong = "gaintype \"pid\" needs dyntype=\"pid\" or \"none\"";
  if (so3 && d->dyntype != CT_DYN_NONE && d->dyntype != CT_DYN_INTEGRATOR)
    wrong = "gaintype \"so3\" needs dyntype=\"none\" or \"integrator\"";
  if (d->dyntype == CT_DYN_DCMOTOR && !s->actearly && s->shortcut != CTI_SHORTCUT_DCMOTOR)
    wrong = "dyntype=\"dcmotor\" needs actearly=\"true\"";
  return wrong ? cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "%s", wrong) : CT_OK;
}

// Range of the joint or tendon acted on, shrunk or stretched about its middle.
static ctStatus inherit_range(const ctiBuild* b, ctiBuildActuator* a, ctReal out[2]) {
  const ctiActuator* s = a->spec;
  const double* range = NULL;
  double unit = 1;
  if (a->trntype == CT_TRN_JOINT || a->trntype == CT_TRN_JOINTINPARENT) {
    const ctiJoint* j = b->joint[a->trnid[0]].spec;
    bool angle = j->type == CT_JOINT_HINGE || j->type == CT_JOINT_BALL;
    range = j->range;
    if (angle && b->joint[a->trnid[0]].limited && cti_compiler_of(b->spec, &j->head)->degree)
      unit = CTI_PI / 180;
  } else if (a->trntype == CT_TRN_TENDON) {
    range = b->spec->tendons.data[a->trnid[0]]->range;
  }
  if (!range || !(range[0] < range[1])) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "inheritrange: what it acts on has no range");
  }
  double middle = (range[0] + range[1]) / 2 * unit, half = (range[1] - range[0]) / 2 * unit * s->inheritrange;
  out[0] = (ctReal)(middle - half);
  out[1] = (ctReal)(middle + half);
  return CT_OK;
}

static ctStatus resolve_ranges(ctiBuild* b, ctiBuildActuator* a) {
  const ctiActuator* s = a->spec;
  cti_to_real(a->ctrlrange, s->ctrlrange, 2);
  cti_to_real(a->actrange, s->actrange, 2);
  // only servos inherit: an integrator's setpoint is its activation
  bool servo = s->drive.gaintype == CT_GAIN_FIXED && s->drive.biastype == CT_BIAS_AFFINE &&
               s->drive.gainprm[0] == -s->drive.biasprm[1];
  servo = servo || s->drive.gaintype == CT_GAIN_PID;
  if (s->inheritrange > 0 && servo)
    CT_TRY(inherit_range(b, a, s->drive.dyntype == CT_DYN_INTEGRATOR ? a->actrange : a->ctrlrange));
  bool driven = s->shortcut == CTI_SHORTCUT_DAMPER || s->shortcut == CTI_SHORTCUT_ADHESION;
  const double ctrl[2] = {(double)a->ctrlrange[0], (double)a->ctrlrange[1]};
  const double act[2] = {(double)a->actrange[0], (double)a->actrange[1]};
  CT_TRY(cti_resolve_limited(&a->ctrllimited, b, driven ? CTI_TRUE : s->ctrllimited, ctrl, &s->head, "ctrl"));
  CT_TRY(cti_resolve_limited(&a->forcelimited, b, s->forcelimited, s->forcerange, &s->head, "force"));
  // the range of an integrated setpoint is its limit, whatever is said
  a->actlimited = act[0] < act[1];
  if (s->shortcut != CTI_SHORTCUT_INTVELOCITY)
    CT_TRY(cti_resolve_limited(&a->actlimited, b, s->actlimited, act, &s->head, "act"));
  if (driven && a->ctrlrange[0] < 0)
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "ctrlrange must not be negative here");
  return CT_OK;
}

// Controls and outputs: one of each, but for servos of orientations and devices with several inputs.
static ctStatus resolve_inputs(ctiBuild* b, ctiBuildActuator* a) {
  const ctiActuator* s = a->spec;
  int inputs = s->drive.ctrlspec, gain = s->drive.gaintype, n = 0;
  bool so3 = gain == CT_GAIN_SO3, several = gain == CT_GAIN_PID || gain == CT_GAIN_DCMOTOR;
  const double* ranges[] = {NULL, s->velrange, s->ffrange, NULL};
  a->outnum = so3 ? 3 : 1;
  a->ctrlnum = cti_drive_controls(&s->drive);
  for (int k = 0; k < CTI_MAX_INPUTS; k++) {
    if (several && !(inputs & (1 << k))) continue;
    cti_copy(a->inputrange[n], a->ctrlrange, 2);
    a->inputlimited[n] = a->ctrllimited;
    // setpoints of a pid have ranges of their own
    if (gain == CT_GAIN_PID && ranges[k]) {
      cti_to_real(a->inputrange[n], ranges[k], 2);
      a->inputlimited[n] = ranges[k][0] < ranges[k][1];
    }
    n++;
  }
  a->ctrladr = b->sizes.nu;
  a->outadr = b->sizes.nout;
  b->sizes.nu += a->ctrlnum;
  b->sizes.nout += a->outnum;
  return CT_OK;
}

static ctStatus resolve_activation(ctiBuild* b, ctiBuildActuator* a) {
  const ctiActuator* s = a->spec;
  const ctiDrive* d = &s->drive;
  int states = cti_drive_states(d);
  a->actnum = cti_activation_count(s);
  // only the user knows how many his own dynamics need
  bool open = d->dyntype == CT_DYN_USER && a->actnum > 0;
  if (a->actnum != states && !open)
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          "actdim is %d, and these dynamics have %d activation%s; any number needs "
                          "dyntype=\"user\"",
                          a->actnum, states, states == 1 ? "" : "s");
  if (d->dyntype == CT_DYN_PID && states == 0)
    return cti_spec_error(
        b->err, CT_ERR_INVALID, &s->head,
        "dyntype=\"pid\" needs a state: an integral gain (gainprm[0]) or a slew (dynprm[1])");
  if (d->gaintype == CT_GAIN_DCMOTOR && a->actnum != cti_drive_motor_states(d))
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          "this motor has %d states and its dynamics %d activations: set "
                          "dyntype=\"dcmotor\", or dynprm[0] to 0 for a motor without inductance",
                          cti_drive_motor_states(d), a->actnum);
  a->actadr = a->actnum > 0 ? b->sizes.na : -1;
  b->sizes.na += a->actnum;
  return CT_OK;
}

// With `apart`, what moves both sites moves neither against the other.
static void mark_dofs(const ctiBuild* b, bool* moved, int body, bool apart) {
  while (body > 0 && b->body[body].dofnum == 0) body = b->body[body].parent;
  if (body == 0) return;
  for (int d = b->body[body].dofadr + b->body[body].dofnum - 1; d >= 0; d = b->dof[d].parent)
    moved[d] = apart ? !moved[d] : true;
}

// Entries of the moment rows: dofs that can move the actuator. `moved`: nv flags of scratch.
static int moment_entries(const ctiBuild* b, const ctiBuildActuator* a, bool* moved) {
  int count = 0;
  switch (a->trntype) {
    case CT_TRN_JOINT:
    case CT_TRN_JOINTINPARENT: return cti_joint_nv(b->joint[a->trnid[0]].spec->type);
    case CT_TRN_TENDON: return b->tendon[a->trnid[0]].ndof;
    // a ball joint has one entry a row, sites have room for all
    case CT_TRN_SO3: return a->trnid[1] < 0 ? 3 : 3 * b->sizes.nv;
    case CT_TRN_SITE:
    case CT_TRN_SLIDERCRANK:
      for (int d = 0; d < b->sizes.nv; d++) moved[d] = false;
      for (int k = 0; k < 2; k++) {
        if (a->trnid[k] >= 0) mark_dofs(b, moved, b->site[a->trnid[k]].body, a->trntype == CT_TRN_SITE);
      }
      for (int d = 0; d < b->sizes.nv; d++) count += moved[d];
      return count;
    default: return b->sizes.nv;
  }
}

ctStatus cti_pass_actuators(ctiBuild* b) {
  int n = b->spec->actuators.count;
  b->actuator = CTI_NEW_ARRAY(b->region, ctiBuildActuator, n);
  bool* moved = CTI_NEW_ARRAY(b->region, bool, b->sizes.nv);
  if (!b->actuator || !moved) return cti_error_memory(b->err);
  for (int i = 0; i < n; i++) {
    ctiBuildActuator* a = &b->actuator[i];
    a->spec = b->spec->actuators.data[i];
    CT_TRY(find_transmission(b, a));
    CT_TRY(check_drive(b, a->spec));
    CT_TRY(resolve_ranges(b, a));
    CT_TRY(resolve_inputs(b, a));
    CT_TRY(resolve_activation(b, a));
    const ctiActuator* s = a->spec;
    if (s->delay > 0 && s->nsample <= 0)
      return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                            "a delay needs a history: set nsample to delay / timestep or more");
    bool passive = s->armature != 0 || s->damping[0] != 0 || s->damping[1] != 0 || s->damping[2] != 0;
    bool scalar =
        a->trntype == CT_TRN_JOINT || a->trntype == CT_TRN_JOINTINPARENT || a->trntype == CT_TRN_TENDON;
    if (passive && !scalar)
      return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                            "damping and armature need a joint or tendon to act on");
    // user slot, cursor, times, samples
    a->historyadr = s->nsample > 0 ? b->sizes.nhistory : -1;
    if (s->nsample > 0) b->sizes.nhistory += 2 + (1 + a->ctrlnum) * s->nsample;
    if (s->armature != 0 && a->trntype == CT_TRN_TENDON) cti_couple_tendon(b, a->trnid[0]);
    b->sizes.nJmom += moment_entries(b, a, moved);
  }
  return CT_OK;
}
