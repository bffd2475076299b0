// Actuators: what they act on, inherited ranges, activations.
#include "compile/build.h"

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
  if (a->trntype == CT_TRN_SITE && s->refsite)
    CT_TRY(cti_find_object(&a->trnid[1], b, CT_OBJ_SITE, s->refsite, e));
  if (a->trntype == CT_TRN_SLIDERCRANK) {
    if (!s->slidersite)
      return cti_spec_error(b->err, CT_ERR_INVALID, e, "a slider-crank needs slidersite beside cranksite");
    CT_TRY(cti_find_object(&a->trnid[1], b, CT_OBJ_SITE, s->slidersite, e));
    if (!(s->cranklength > 0))
      return cti_spec_error(b->err, CT_ERR_INVALID, e, "a slider-crank needs a positive cranklength");
  }
  return CT_OK;
}

// Range of the joint or tendon acted on, shrunk or stretched about its middle.
static ctStatus inherit_range(const ctiBuild* b, ctiBuildActuator* a, ctReal out[2]) {
  const ctiActuator* s = a->spec;
  const double* range = NULL;
  double unit = 1;
  if (a->trntype == CT_TRN_JOINT || a->trntype == CT_TRN_JOINTINPARENT) {
    const ctiJoint* j = b->joint[a->trnid[0]].spec;
    range = j->range;
    if (b->spec->compiler.degree && (j->type == CT_JOINT_HINGE || j->type == CT_JOINT_BALL))
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
  if (s->inheritrange > 0 && servo)
    CT_TRY(inherit_range(b, a, s->drive.dyntype == CT_DYN_INTEGRATOR ? a->actrange : a->ctrlrange));
  bool driven = s->shortcut == CTI_SHORTCUT_DAMPER || s->shortcut == CTI_SHORTCUT_ADHESION;
  const double ctrl[2] = {(double)a->ctrlrange[0], (double)a->ctrlrange[1]};
  const double act[2] = {(double)a->actrange[0], (double)a->actrange[1]};
  CT_TRY(cti_resolve_limited(&a->ctrllimited, b, driven ? CTI_TRUE : s->ctrllimited, ctrl, &s->head, "ctrl"));
  CT_TRY(cti_resolve_limited(&a->forcelimited, b, s->forcelimited, s->forcerange, &s->head, "force"));
  CT_TRY(cti_resolve_limited(&a->actlimited, b, s->actlimited, act, &s->head, "act"));
  if (driven && a->ctrlrange[0] < 0)
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "ctrlrange must not be negative here");
  return CT_OK;
}

static ctStatus resolve_activation(ctiBuild* b, ctiBuildActuator* a) {
  const ctiActuator* s = a->spec;
  bool none = s->drive.dyntype == CT_DYN_NONE;
  a->actnum = s->actdim >= 0 ? s->actdim : (none ? 0 : 1);
  if (a->actnum > 1 && s->drive.dyntype != CT_DYN_USER) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "actdim above 1 needs dyntype=\"user\"");
  }
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

// Entries of the moment row: dofs that can move the actuator. `moved`: nv flags of scratch.
static int moment_entries(const ctiBuild* b, const ctiBuildActuator* a, bool* moved) {
  static const int joint_dofs[CT_JOINT_COUNT] = {
      [CT_JOINT_FREE] = 6, [CT_JOINT_BALL] = 3, [CT_JOINT_SLIDE] = 1, [CT_JOINT_HINGE] = 1};
  int count = 0;
  switch (a->trntype) {
    case CT_TRN_JOINT:
    case CT_TRN_JOINTINPARENT: return joint_dofs[b->joint[a->trnid[0]].spec->type];
    case CT_TRN_TENDON: return b->tendon[a->trnid[0]].ndof;
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
    CT_TRY(resolve_ranges(b, a));
    CT_TRY(resolve_activation(b, a));
    const ctiActuator* s = a->spec;
    bool passive = s->armature != 0 || s->damping[0] != 0 || s->damping[1] != 0 || s->damping[2] != 0;
    bool scalar =
        a->trntype == CT_TRN_JOINT || a->trntype == CT_TRN_JOINTINPARENT || a->trntype == CT_TRN_TENDON;
    if (passive && !scalar)
      return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                            "damping and armature need a joint or tendon to act on");
    // user slot, cursor, times, samples
    a->historyadr = s->nsample > 0 ? b->sizes.nhistory : -1;
    if (s->nsample > 0) b->sizes.nhistory += 2 + 2 * s->nsample;
    if (s->armature != 0 && a->trntype == CT_TRN_TENDON) cti_couple_tendon(b, a->trnid[0]);
    b->sizes.nJmom += moment_entries(b, a, moved);
  }
  b->sizes.nu = b->sizes.nout = n;
  return CT_OK;
}
