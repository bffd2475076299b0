// Names to ids, and limits that depend on a range.
#include "compile/build.h"
#include "spec/spec.h"

ctStatus cti_resolve_limited(bool* out, const ctiBuild* b, int tristate, const double range[2],
                             const ctiElement* e, const char* what) {
  bool has_range = range[0] < range[1];
  if (tristate == CTI_AUTO && !cti_compiler_of(b->spec, e)->autolimits && (range[0] != 0 || range[1] != 0)) {
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

ctStatus cti_find_object(int* out, const ctiBuild* b, ctObjType type, const char* name, const ctiElement* e) {
  *out = cti_names_find(&b->names[type == CT_OBJ_XBODY ? CT_OBJ_BODY : type], name);
  if (*out >= 0) return CT_OK;
  return cti_spec_error(b->err, CT_ERR_INVALID, e, "there is no %s called \"%s\"", cti_object_word(type),
                        name);
}

static ctStatus check_range(const ctiBuild* b, const ctiBuildJoint* j) {
  const ctiJoint* s = j->spec;
  if (!j->limited) return CT_OK;
  if (s->type == CT_JOINT_BALL && s->range[0] != 0) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "the range of a ball joint starts at 0, not %g",
                          s->range[0]);
  }
  return CT_OK;
}

// A ball needs no range to be limited.
static ctStatus resolve_joint_limited(const ctiBuild* b, ctiBuildJoint* j) {
  const ctiJoint* s = j->spec;
  if (s->type == CT_JOINT_BALL && s->limited == CTI_TRUE) {
    j->limited = true;
    return CT_OK;
  }
  return cti_resolve_limited(&j->limited, b, s->limited, s->range, &s->head, "");
}

// The body a camera or light looks at. Without one it looks where it is turned to.
static ctStatus find_target(int* out, const ctiBuild* b, int mode, const char* target, const ctiElement* e) {
  *out = -1;
  if (target) return cti_find_object(out, b, CT_OBJ_BODY, target, e);
  if (mode == CT_CAMLIGHT_TARGETBODY || mode == CT_CAMLIGHT_TARGETBODYCOM)
    cti_remark(b->spec, CT_LOG_WARNING, e, "this mode has no effect without a target body");
  return CT_OK;
}

static ctStatus check_material(const ctiBuild* b, const char* name, const ctiElement* e) {
  int id;
  return name ? cti_find_object(&id, b, CT_OBJ_MATERIAL, name, e) : CT_OK;
}

ctStatus cti_pass_references(ctiBuild* b) {
  for (int i = 0; i < b->sizes.ngeom; i++)
    CT_TRY(check_material(b, b->geom[i].spec->material, &b->geom[i].spec->head));
  for (int i = 0; i < b->sizes.nsite; i++)
    CT_TRY(check_material(b, b->site[i].spec->material, &b->site[i].spec->head));
  for (int i = 0; i < b->sizes.njnt; i++) {
    ctiBuildJoint* j = &b->joint[i];
    // a free joint has nothing to limit, whatever its default class says
    if (j->spec->type != CT_JOINT_FREE) CT_TRY(resolve_joint_limited(b, j));
    CT_TRY(check_range(b, j));
    CT_TRY(cti_resolve_limited(&j->actfrclimited, b, j->spec->actfrclimited, j->spec->actfrcrange,
                               &j->spec->head, "actuatorfrc"));
    // the total force of a joint is a number only where the joint is
    if (j->spec->type == CT_JOINT_BALL || j->spec->type == CT_JOINT_FREE) j->actfrclimited = false;
  }
  for (int i = 0; i < b->sizes.ncam; i++) {
    const ctiCamera* s = b->camera[i].spec;
    CT_TRY(find_target(&b->camera[i].target, b, s->mode, s->target, &s->head));
  }
  for (int i = 0; i < b->sizes.nlight; i++) {
    const ctiLight* s = b->light[i].spec;
    CT_TRY(find_target(&b->light[i].target, b, s->mode, s->target, &s->head));
    if (s->texture) CT_TRY(cti_find_object(&b->light[i].texture, b, CT_OBJ_TEXTURE, s->texture, &s->head));
  }
  return CT_OK;
}
