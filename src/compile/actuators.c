// Actuators: what they act on, inherited ranges, activations, their arrays in the model, and ranges of
// lengths found by simulation.
#include <math.h>

#include "base/kinds.h"
#include "base/thread.h"
#include "compile/build.h"
#include "corten/sim.h"
#include "math/dense.h"
#include "math/elementary.h"
#include "math/sparse.h"
#include "spec/attrs.h"
#include "spec/spec.h"
#include "stage/position/position.h"
#include "step/derived.h"

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

// The numbers of a muscle: range, force, scale, lmin, lmax, vmax, fpmax, fvmax.
static const char* check_muscle(const double* prm) {
  if (!(prm[0] < prm[1])) return "a muscle needs range[0] below range[1]";
  if (!(prm[4] < 1 && prm[5] > 1)) return "a muscle needs lmin below 1 and lmax above it";
  bool positive = prm[3] > 0 && prm[6] > 0 && prm[7] > 0 && prm[8] > 0;
  return positive ? NULL : "scale, vmax, fpmax and fvmax of a muscle must be positive";
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
  if (!wrong && d->gaintype == CT_GAIN_MUSCLE) wrong = check_muscle(d->gainprm);
  if (!wrong && d->biastype == CT_BIAS_MUSCLE) wrong = check_muscle(d->biasprm);
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
  if (!range || !(range[0] < range[1]) || !isfinite(range[1] - range[0])) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "inheritrange: what it acts on has no range%s",
                          range && range[0] < range[1] ? " with two ends" : "");
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
  if (a->actlimited && s->drive.dyntype == CT_DYN_NONE)
    return cti_spec_error(
        b->err, CT_ERR_INVALID, &s->head,
        "actrange limits an activation, and dyntype=\"none\" has none: use ctrlrange, or choose a dyntype");
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
  CT_TRY(CTI_GROW(b, nu, a->ctrlnum, &s->head));
  return CTI_GROW(b, nout, a->outnum, &s->head);
}

static ctStatus resolve_activation(ctiBuild* b, ctiBuildActuator* a) {
  const ctiActuator* s = a->spec;
  const ctiDrive* d = &s->drive;
  int states = cti_drive_states(d), id = b->actuator_plugin[a - b->actuator];
  a->actnum = cti_activation_count(s);
  if (id >= 0) {
    const ctiBuildPlugin* p = &b->plugin[id];
    int wanted = states + cti_plugin_activation_size(p->kind, p->plugin, p->prm);
    if (a->actnum != wanted)
      return cti_spec_error(
          b->err, CT_ERR_INVALID, &s->head,
          "the plugin \"%s\" and the dynamics of the actuator have %d activation%s, not %d: set "
          "actdim=\"%d\"",
          p->plugin->name, wanted, wanted == 1 ? "" : "s", a->actnum, wanted);
    states = wanted;
  }
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
  return CTI_GROW(b, na, a->actnum, &s->head);
}

// With `apart`, what moves both sites moves neither against the other.
static void mark_dofs(const ctiBuild* b, bool* moved, int body, bool apart) {
  while (body > 0 && b->body[body].dofnum == 0) body = b->body[body].parent;
  if (body == 0) return;
  for (int d = b->body[body].dofadr + b->body[body].dofnum - 1; d >= 0; d = b->dof[d].parent)
    moved[d] = apart ? !moved[d] : true;
}

// Entries of the moment rows: dofs that can move the actuator. `moved`: nv flags of scratch.
static int64_t moment_entries(const ctiBuild* b, const ctiBuildActuator* a, bool* moved) {
  int count = 0;
  switch (a->trntype) {
    case CT_TRN_JOINT:
    case CT_TRN_JOINTINPARENT: return cti_joint_nv(b->joint[a->trnid[0]].spec->type);
    case CT_TRN_TENDON: return b->tendon[a->trnid[0]].ndof;
    // a ball joint has one entry a row, sites have room for all
    case CT_TRN_SO3: return a->trnid[1] < 0 ? 3 : 3 * (int64_t)b->sizes.nv;
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
    if (s->nsample > 0) CT_TRY(CTI_GROW(b, nhistory, 2 + (1 + (int64_t)a->ctrlnum) * s->nsample, &s->head));
    if (s->armature != 0 && a->trntype == CT_TRN_TENDON) cti_couple_tendon(b, a->trnid[0]);
    CT_TRY(CTI_GROW(b, nJmom, moment_entries(b, a, moved), &s->head));
  }
  return CT_OK;
}

// ---- arrays

static void fill_actuator(const ctiBuild* b, ctModel* m, int i) {
  const ctiBuildActuator* a = &b->actuator[i];
  const ctiActuator* s = a->spec;
  m->actuator_trntype[i] = a->trntype;
  m->actuator_trnid[2 * i] = a->trnid[0];
  m->actuator_trnid[2 * i + 1] = a->trnid[1];
  m->actuator_dyntype[i] = s->drive.dyntype;
  m->actuator_gaintype[i] = s->drive.gaintype;
  m->actuator_biastype[i] = s->drive.biastype;
  m->actuator_ctrlspec[i] = s->drive.ctrlspec;
  m->actuator_ctrladr[i] = a->ctrladr;
  m->actuator_ctrlnum[i] = a->ctrlnum;
  m->actuator_outadr[i] = a->outadr;
  m->actuator_outnum[i] = a->outnum;
  m->actuator_actadr[i] = a->actadr;
  m->actuator_actnum[i] = a->actnum;
  m->actuator_history[2 * i] = s->nsample;
  m->actuator_history[2 * i + 1] = s->interp;
  m->actuator_historyadr[i] = a->historyadr;
  m->actuator_delay[i] = (ctReal)s->delay;
  m->actuator_cranklength[i] = (ctReal)s->cranklength;
  cti_to_real(m->actuator_dynprm + CT_NDYN * i, s->drive.dynprm, CT_NDYN);
  cti_to_real(m->actuator_gainprm + CT_NGAIN * i, s->drive.gainprm, CT_NGAIN);
  cti_to_real(m->actuator_biasprm + CT_NBIAS * i, s->drive.biasprm, CT_NBIAS);
  m->actuator_actlimited[i] = a->actlimited;
  m->actuator_actearly[i] = s->actearly || s->shortcut == CTI_SHORTCUT_DCMOTOR;
  cti_copy(m->actuator_actrange + 2 * i, a->actrange, 2);
  for (int k = 0; k < a->ctrlnum; k++) {
    m->actuator_ctrllimited[a->ctrladr + k] = a->inputlimited[k];
    cti_copy(m->actuator_ctrlrange + 2 * (a->ctrladr + k), a->inputrange[k], 2);
  }
  m->actuator_damping[i] = (ctReal)s->damping[0];
  cti_to_real(m->actuator_dampingpoly + CT_NPOLY * i, s->damping + 1, CT_NPOLY);
  m->actuator_armature[i] = (ctReal)s->armature;
  m->actuator_group[i] = s->group;
  m->actuator_forcelimited[i] = a->forcelimited;
  cti_to_real(m->actuator_forcerange + 2 * i, s->forcerange, 2);
  for (int k = a->outadr; k < a->outadr + a->outnum; k++) {
    cti_to_real(m->actuator_gear + 6 * k, s->gear, 6);
    cti_to_real(m->actuator_lengthrange + 2 * k, s->lengthrange, 2);
  }
  cti_fill_user(m->actuator_user, i, m->nuser_actuator, &s->user);
}

ctStatus cti_pass_fill_actuators(ctiBuild* b) {
  ctModel* m = b->m;
  for (int i = 0; i < m->nactuator; i++) fill_actuator(b, m, i);
  cti_model_reflections(m);
  return CT_OK;
}

// ---- ranges of lengths

// Of actuators that need one: a damped simulation at the end of which the actuator is as short, and one at
// the end of which it is as long as the model's limits let it be.

enum { SHORTEN, LENGTHEN };

#define MAX_STEPS 10000000  // of one simulation

// One output of an actuator whose range is to be found.
typedef struct Job {
  int actuator, output;
  ctReal low[2], high[2];  // lengths seen at the end, by direction
  ctStatus status;
} Job;

typedef struct Work {
  const ctModel* m;
  const ctiLengthRange* how;
  Job* jobs;
  ctData** data;                 // by worker
  ctReal **row, **acceleration;  // by worker, nv reals
} Work;

static bool is_kind(const ctiDrive* drive, int gain, int bias) {
  return drive->gaintype == gain || drive->biastype == bias;
}

static bool is_wanted(const ctiLengthRange* how, const ctiActuator* s) {
  if (how->useexisting && s->lengthrange[0] < s->lengthrange[1]) return false;
  if (how->mode == CTI_LENGTH_ALL) return true;
  bool muscle = is_kind(&s->drive, CT_GAIN_MUSCLE, CT_BIAS_MUSCLE);
  bool user = is_kind(&s->drive, CT_GAIN_USER, CT_BIAS_USER);
  return (muscle && how->mode != CTI_LENGTH_NONE) || (user && how->mode == CTI_LENGTH_MUSCLEUSER);
}

// Limits of the joint or tendon at the other end, NULL when it has none.
static const ctReal* limits_of(const ctModel* m, int actuator) {
  int id = m->actuator_trnid[2 * actuator];
  switch (m->actuator_trntype[actuator]) {
    case CT_TRN_JOINT:
    case CT_TRN_JOINTINPARENT: return m->jnt_limited[id] ? m->jnt_range + 2 * id : NULL;
    case CT_TRN_TENDON: return m->tendon_limited[id] ? m->tendon_range + 2 * id : NULL;
    default: return NULL;
  }
}

// Push with the force that gives the wanted acceleration.
static void push(const Work* w, ctData* d, int worker, int output, ctReal sign) {
  const ctModel* m = w->m;
  ctReal *row = w->row[worker], *acceleration = w->acceleration[worker];
  int adr = d->moment_rowadr[output];
  cti_zero(row, m->nv);
  cti_add_scaled_sparse(row, d->actuator_moment + adr, d->moment_colind + adr, 1, d->moment_rownnz[output]);
  cti_copy(acceleration, row, m->nv);
  cti_solve_mass(m, d, acceleration);
  ctReal force = (ctReal)w->how->accel / cti_max(CTI_MINVAL, cti_norm(acceleration, m->nv));
  if (w->how->maxforce > 0)
    force = cti_min(force, (ctReal)w->how->maxforce / cti_max(CTI_MINVAL, cti_norm(row, m->nv)));
  cti_scale(d->qfrc_applied, row, sign * force, m->nv);
}

static ctStatus simulate(const Work* w, ctData* d, int worker, Job* job, int direction) {
  const ctModel* m = w->m;
  const ctiLengthRange* how = w->how;
  ctReal decay = cti_exp(-m->opt.timestep / cti_max(CT_R(0.01), (ctReal)how->timeconst));
  ctReal *low = &job->low[direction], *high = &job->high[direction];
  bool seen = false;
  *low = *high = 0;
  ct_data_reset(m, d);
  while (d->time < (ctReal)how->inttotal) {
    for (int k = 0; k < m->nv; k++) d->qvel[k] *= decay;
    CT_TRY(ct_step1(m, d));
    push(w, d, worker, job->output, direction == SHORTEN ? CT_R(-1) : CT_R(1));
    CT_TRY(ct_step2(m, d));
    if (d->time <= (ctReal)(how->inttotal - how->interval)) continue;
    ctReal length = d->actuator_length[job->output];
    *low = seen ? cti_min(*low, length) : length;
    *high = seen ? cti_max(*high, length) : length;
    seen = true;
  }
  return CT_OK;
}

static void run_jobs(void* context, int begin, int end, int worker) {
  const Work* w = context;
  for (int i = begin; i < end; i++) {
    Job* job = &w->jobs[i];
    for (int direction = SHORTEN; direction <= LENGTHEN; direction++) {
      job->status = simulate(w, w->data[worker], worker, job, direction);
      if (job->status != CT_OK) break;
    }
  }
}

static ctStatus judge(const ctiBuild* b, const Job* job) {
  const ctiLengthRange* how = &b->spec->lengthrange;
  const ctiElement* e = &b->actuator[job->actuator].spec->head;
  const char* const remedy =
      "limit the joint or tendon, give lengthrange=\"min max\" here, or change <compiler><lengthrange>";
  if (job->status != CT_OK)
    return cti_spec_error(b->err, CT_ERR_INVALID, e, "the simulation that finds its length range fails; %s",
                          remedy);
  double least = job->low[SHORTEN], most = job->high[LENGTHEN];
  if (!(least < most))
    return cti_spec_error(b->err, CT_ERR_INVALID, e,
                          "its length does not change (%g to %g), so it has no "
                          "length range; %s",
                          least, most, remedy);
  for (int i = SHORTEN; i <= LENGTHEN; i++) {
    double low = job->low[i], high = job->high[i];
    if (high - low <= how->tolrange * (most - least)) continue;
    return cti_spec_error(b->err, CT_ERR_INVALID, e,
                          "its length range is not found: pulled to its %s it still moves from %g to %g; %s",
                          i == SHORTEN ? "shortest" : "longest", low, high, remedy);
  }
  return CT_OK;
}

static ctStatus run(ctiBuild* b, Job* jobs, int count) {
  ctModel* m = b->m;
  int threads = b->spec->compiler.usethread ? (int)cti_min(cti_cpu_count(), count) : 1;
  Work w = {m,
            &b->spec->lengthrange,
            jobs,
            CTI_NEW_ARRAY(b->region, ctData*, threads),
            CTI_NEW_ARRAY(b->region, ctReal*, threads),
            CTI_NEW_ARRAY(b->region, ctReal*, threads)};
  if (!w.data || !w.row || !w.acceleration) return cti_error_memory(b->err);
  ctStatus status = CT_OK;
  for (int i = 0; i < threads && status == CT_OK; i++) {
    w.row[i] = CTI_NEW_ARRAY(b->region, ctReal, m->nv);
    w.acceleration[i] = CTI_NEW_ARRAY(b->region, ctReal, m->nv);
    if (!w.row[i] || !w.acceleration[i]) status = cti_error_memory(b->err);
    if (status == CT_OK) status = ct_data_create(&w.data[i], m, b->err);
  }
  ctiPool* pool = NULL;
  if (status == CT_OK && threads > 1) status = cti_pool_create(&pool, threads, &b->spec->allocator, b->err);
  if (status == CT_OK) cti_pool_run(pool, count, 1, run_jobs, &w);
  cti_pool_free(pool);
  for (int i = 0; i < threads; i++) ct_data_free(w.data[i]);
  return status;
}

// Only limits, equalities and the push act.
static ctOption quiet_option(const ctiBuild* b) {
  ctOption opt = b->m->opt;
  opt.enableflags &= ~CT_ENBL_SLEEP;
  opt.disableflags |= CT_DSBL_CONTACT | CT_DSBL_SPRING | CT_DSBL_DAMPER | CT_DSBL_GRAVITY |
                      CT_DSBL_FRICTIONLOSS | CT_DSBL_ACTUATION | CT_DSBL_SENSOR;
  if (b->spec->lengthrange.timestep > 0) opt.timestep = (ctReal)b->spec->lengthrange.timestep;
  return opt;
}

static ctStatus check_duration(const ctiBuild* b) {
  const ctiElement e = {.tag = "lengthrange", .where = {b->spec->file, 0, 0}};
  double steps = b->spec->lengthrange.inttotal / (double)quiet_option(b).timestep;
  if (steps <= MAX_STEPS) return CT_OK;
  return cti_spec_error(b->err, CT_ERR_LIMIT, &e,
                        "inttotal takes %.3g steps for each actuator, %d are allowed; raise timestep", steps,
                        MAX_STEPS);
}

ctStatus cti_pass_length_ranges(ctiBuild* b) {
  ctModel* m = b->m;
  const ctiLengthRange* how = &b->spec->lengthrange;
  Job* jobs = CTI_NEW_ARRAY(b->region, Job, m->nout);
  if (!jobs) return cti_error_memory(b->err);
  int count = 0;
  for (int i = 0; i < b->spec->actuators.count; i++) {
    if (!is_wanted(how, b->actuator[i].spec)) continue;
    const ctReal* limits = how->uselimit ? limits_of(m, i) : NULL;
    if (limits && !isfinite((double)(limits[1] - limits[0]))) limits = NULL;
    for (int k = m->actuator_outadr[i]; k < m->actuator_outadr[i] + m->actuator_outnum[i]; k++) {
      if (limits)
        cti_copy(m->actuator_lengthrange + 2 * k, limits, 2);
      else
        jobs[count++] = (Job){.actuator = i, .output = k};
    }
  }
  if (count == 0) return CT_OK;
  CT_TRY(check_duration(b));
  ctOption kept = m->opt;
  m->opt = quiet_option(b);
  ctStatus status = run(b, jobs, count);
  m->opt = kept;
  for (int i = 0; i < count && status == CT_OK; i++) {
    status = judge(b, &jobs[i]);
    m->actuator_lengthrange[2 * jobs[i].output] = jobs[i].low[SHORTEN];
    m->actuator_lengthrange[2 * jobs[i].output + 1] = jobs[i].high[LENGTHEN];
  }
  return status;
}
