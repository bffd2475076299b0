// Names to ids, and limits that depend on a range.
#include "compile/build.h"

ctStatus cti_resolve_limited(bool* out, const ctiBuild* b, int tristate, const double range[2],
                             const ctiElement* e, const char* what) {
  bool has_range = range[0] < range[1];
  if (tristate == CTI_AUTO && !b->spec->compiler.autolimits && (range[0] != 0 || range[1] != 0)) {
    return cti_spec_error(b->err, CT_ERR_INVALID, e,
                          "%srange is given but %slimited is not, and autolimits is \"false\": set %slimited",
                          what, what, what);
  }
  *out = tristate == CTI_TRUE || (tristate == CTI_AUTO && has_range);
  if (*out && !has_range) {
    return cti_spec_error(b->err, CT_ERR_INVALID, e,
                          "%slimited needs a %srange whose first number is below the second", what, what);
  }
  return CT_OK;
}

static ctStatus find(int* out, const ctiBuild* b, ctObjType type, const char* name, const ctiElement* e,
                     const char* noun) {
  *out = cti_names_find(&b->names[type], name);
  if (*out >= 0) return CT_OK;
  return cti_spec_error(b->err, CT_ERR_INVALID, e, "there is no %s called \"%s\"", noun, name);
}

static ctStatus resolve_actuator(ctiBuild* b, ctiBuildActuator* a) {
  const ctiActuator* s = a->spec;
  a->trnid[0] = a->trnid[1] = -1;
  if (s->joint && s->jointinparent) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          "joint and jointinparent exclude each other: keep one");
  }
  if (!s->joint && !s->jointinparent) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          "nothing to act on: set joint or another transmission");
  }
  a->trntype = s->joint ? CT_TRN_JOINT : CT_TRN_JOINTINPARENT;
  CT_TRY(find(&a->trnid[0], b, CT_OBJ_JOINT, s->joint ? s->joint : s->jointinparent, &s->head, "joint"));
  CT_TRY(cti_resolve_limited(&a->ctrllimited, b, s->ctrllimited, s->ctrlrange, &s->head, "ctrl"));
  CT_TRY(cti_resolve_limited(&a->forcelimited, b, s->forcelimited, s->forcerange, &s->head, "force"));
  CT_TRY(cti_resolve_limited(&a->actlimited, b, s->actlimited, s->actrange, &s->head, "act"));
  static const int entries[CT_JOINT_COUNT] = {
      [CT_JOINT_FREE] = 6, [CT_JOINT_BALL] = 3, [CT_JOINT_SLIDE] = 1, [CT_JOINT_HINGE] = 1};
  b->sizes.nJmom += entries[b->joint[a->trnid[0]].spec->type];
  return CT_OK;
}

static ctStatus check_range(const ctiBuild* b, const ctiBuildJoint* j) {
  const ctiJoint* s = j->spec;
  if (!j->limited) return CT_OK;
  if (s->type == CT_JOINT_BALL && s->range[0] != 0) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "the range of a ball joint starts at 0, not %g",
                          s->range[0]);
  }
  if (s->type == CT_JOINT_FREE)
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "a free joint cannot be limited");
  return CT_OK;
}

ctStatus cti_pass_references(ctiBuild* b) {
  for (int i = 0; i < b->sizes.njnt; i++) {
    ctiBuildJoint* j = &b->joint[i];
    CT_TRY(cti_resolve_limited(&j->limited, b, j->spec->limited, j->spec->range, &j->spec->head, ""));
    CT_TRY(check_range(b, j));
    CT_TRY(cti_resolve_limited(&j->actfrclimited, b, j->spec->actfrclimited, j->spec->actfrcrange,
                               &j->spec->head, "actuatorfrc"));
    // the total force of a joint is a number only where the joint is
    if (j->spec->type == CT_JOINT_BALL || j->spec->type == CT_JOINT_FREE) j->actfrclimited = false;
  }
  for (int i = 0; i < b->sizes.nactuator; i++) CT_TRY(resolve_actuator(b, &b->actuator[i]));
  return CT_OK;
}
