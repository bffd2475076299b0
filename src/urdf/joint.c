// URDF joints: axes, limits, what couples them and what drives them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "math/quat.h"
#include "spec/attrs.h"
#include "spec/defaults.h"
#include "spec/orient.h"
#include "urdf/read.h"

// ---- joints

static ctStatus add_joint(ctiUrdf* u, const ctiUrdfJoint* j, int type, const char* ending, ctiJoint** out) {
  ctiJoint* made = cti_spec_add_joint(u->spec, u->links.data[j->child].body, cti_spec_plain_class(u->spec));
  if (!made) return cti_error_memory(u->err);
  made->type = type;
  *out = made;
  CT_TRY(cti_urdf_place(u, j->xml, &made->head, "joint", &cti_attrs_joint));
  if (!j->name) return CT_OK;
  const char* name = cti_region_printf(u->spec->region, "%s%s", j->name, ending);
  if (!name) return cti_error_memory(u->err);
  CT_TRY(cti_urdf_keep(u, &made->head.name, name));
  ctStatus status = cti_names_add(&u->joint_names, made->head.name, 1);
  if (status == CT_ERR_MEMORY) return cti_error_memory(u->err);
  if (status != CT_OK)
    return cti_xml_error(
        u->err, CT_ERR_INVALID, j->xml, cti_xml_find(j->xml, "name"),
        "the name \"%s\", which a part of this joint gets, is used by another joint: rename one", name);
  return CT_OK;
}

static ctStatus read_axis(ctiUrdf* u, const ctiXml* e, double axis[3]) {
  const ctiXml* a;
  axis[0] = 1;
  axis[1] = axis[2] = 0;
  CT_TRY(cti_urdf_child(u, &a, e, "axis", false));
  if (!a) return CT_OK;
  CT_TRY(cti_urdf_reals(u, axis, a, "xyz", 3));
  if (axis[0] == 0 && axis[1] == 0 && axis[2] == 0)
    return cti_xml_error(u->err, CT_ERR_INVALID, a, cti_xml_find(a, "xyz"),
                         "the axis of joint \"%s\" has no direction: give it a length",
                         cti_xml_find(e, "name")->value);
  return CT_OK;
}

// A number of <limit>; an infinite one is none.
static ctStatus read_bound(ctiUrdf* u, const ctiXml* e, const char* name, double* out, bool* given) {
  const ctiXmlAttr* a = cti_xml_find(e, name);
  *out = 0;
  *given = false;
  if (!a) return CT_OK;
  const char* cursor = a->value;
  ctiToken token;
  if (cti_token_next(&token, &cursor) && cti_parse_real(token.begin, token.end, out) == CTI_NUMBER_INF) {
    *out = 0;
    return CT_OK;
  }
  *given = true;
  return cti_urdf_reals(u, out, e, name, 1);
}

// What <limit> says, on the joint or the first of several.
static ctStatus read_limit(ctiUrdf* u, ctiUrdfJoint* j, ctiJoint* made) {
  const ctiXml* e;
  CT_TRY(cti_urdf_child(u, &e, j->xml, "limit", false));
  bool bounded = j->type == CTI_URDF_REVOLUTE || j->type == CTI_URDF_PRISMATIC;
  const bool lossless = !u->opt.mujoco;
  made->limited = CTI_FALSE;
  made->actfrclimited = CTI_FALSE;
  if (!e) {
    if (lossless && bounded)
      cti_urdf_remark(u->spec, j->xml, NULL, "joint \"%s\" has no <limit> and moves without bounds", j->name);
    return CT_OK;
  }
  double range[2], effort, velocity;
  bool has[2], has_effort, has_velocity;
  CT_TRY(read_bound(u, e, "lower", &range[0], &has[0]));
  CT_TRY(read_bound(u, e, "upper", &range[1], &has[1]));
  CT_TRY(read_bound(u, e, "effort", &effort, &has_effort));
  CT_TRY(read_bound(u, e, "velocity", &velocity, &has_velocity));
  if (lossless && has_velocity && velocity > 0)
    cti_urdf_note(u->spec, e, "the velocity of joint \"%s\" is not limited to %g: limit its control", j->name,
                  velocity);
  // of what is not bounded the range stays out; a missing bound is 0 in URDF
  bool both = has[0] && has[1], any = has[0] || has[1];
  if (j->type == CTI_URDF_CONTINUOUS || (lossless && !bounded && j->type != CTI_URDF_SPHERICAL)) {
    if (lossless && range[0] != range[1])
      cti_urdf_remark(u->spec, e, NULL, "lower and upper of a %s joint have no effect",
                      cti_xml_find(j->xml, "type")->value);
  } else if (any || !lossless) {
    made->range[0] = range[0];
    made->range[1] = range[1];
    bool rises = range[0] < range[1];
    if (lossless && range[0] > range[1])
      return cti_xml_error(u->err, CT_ERR_INVALID, e, NULL,
                           "the limits of joint \"%s\" are reversed, lower is %g and upper %g: exchange them",
                           j->name, range[0], range[1]);
    // what MuJoCo leaves to autolimits, and what it does not limit
    if (rises && (both || lossless) && j->type != CTI_URDF_FLOATING)
      made->limited = lossless ? CTI_TRUE : CTI_AUTO;
    if (range[0] == range[1] && both)
      cti_urdf_remark(u->spec, e, NULL, "lower and upper of joint \"%s\" are equal: it moves without bounds",
                      j->name ? j->name : "");
  } else if (bounded) {
    cti_urdf_remark(u->spec, e, NULL, "joint \"%s\" has neither lower nor upper and moves without bounds",
                    j->name);
  }
  if (effort == 0) return CT_OK;
  if (lossless && effort < 0)
    return cti_xml_error(u->err, CT_ERR_INVALID, e, cti_xml_find(e, "effort"),
                         "the effort of joint \"%s\" is %g: it must not be negative", j->name, effort);
  j->effort = fabs(effort);
  bool hinged =
      j->type == CTI_URDF_REVOLUTE || j->type == CTI_URDF_CONTINUOUS || j->type == CTI_URDF_PRISMATIC;
  if (lossless && !hinged) {
    cti_urdf_remark(u->spec, e, NULL, "the effort of a %s joint has no effect: limit its actuators",
                    cti_xml_find(j->xml, "type")->value);
    return CT_OK;
  }
  made->actfrcrange[0] = -j->effort;
  made->actfrcrange[1] = j->effort;
  if (hinged || j->type == CTI_URDF_PLANAR) made->actfrclimited = lossless ? CTI_TRUE : CTI_AUTO;
  return CT_OK;
}

static ctStatus read_dynamics(ctiUrdf* u, const ctiXml* joint, ctiJoint** made, int n) {
  const ctiXml* e;
  CT_TRY(cti_urdf_child(u, &e, joint, "dynamics", false));
  static const char* const names[2] = {"damping", "friction"};
  for (int k = 0; e && k < 2; k++) {
    if (!cti_xml_find(e, names[k])) continue;
    double value;
    CT_TRY(cti_urdf_reals(u, &value, e, names[k], 1));
    if (value < 0 && !u->opt.mujoco)
      return cti_xml_error(u->err, CT_ERR_INVALID, e, cti_xml_find(e, names[k]),
                           "%s is %g: it must not be negative", names[k], value);
    for (int i = 0; i < n; i++) {
      if (k == 0) made[i]->damping[0] = value;
      if (k == 1) made[i]->frictionloss = value;
    }
  }
  return CT_OK;
}

static void set_axis(ctiJoint* joint, const double axis[3]) {
  memcpy(joint->axis, axis, sizeof(joint->axis));
}

// Two slides across the axis and a hinge about it: x and y turned as z is turned to the axis.
static ctStatus add_planar(ctiUrdf* u, ctiUrdfJoint* j, const double axis[3], ctiJoint** made) {
  static const char* const endings[3] = {"_TX", "_TY", "_RZ"};
  ctReal quat[4], z[3];
  cti_to_real(z, axis, 3);
  cti_orient_along(quat, z);
  for (int i = 0; i < 3; i++) {
    CT_TRY(add_joint(u, j, i < 2 ? CT_JOINT_SLIDE : CT_JOINT_HINGE, endings[i], &made[i]));
    ctReal unit[3] = {0, 0, 0};
    unit[i] = 1;
    cti_quat_rotate(unit, quat, unit);
    for (int k = 0; k < 3; k++) made[i]->axis[k] = (double)unit[k];
    if (i > 0) made[i]->limited = made[i]->actfrclimited = CTI_FALSE;
  }
  set_axis(made[2], axis);
  return CT_OK;
}

// What floats on something that moves: three slides and a ball.
static ctStatus add_six(ctiUrdf* u, ctiUrdfJoint* j, ctiJoint** made) {
  static const char* const endings[4] = {"_TX", "_TY", "_TZ", "_R"};
  for (int i = 0; i < 4; i++) {
    double axis[3] = {0, 0, 0};
    axis[i % 3] = 1;
    CT_TRY(add_joint(u, j, i < 3 ? CT_JOINT_SLIDE : CT_JOINT_BALL, endings[i], &made[i]));
    if (i < 3) set_axis(made[i], axis);
  }
  return CT_OK;
}

ctStatus cti_urdf_read_joint(ctiUrdf* u, ctiUrdfJoint* j) {
  ctiBody* body = u->links.data[j->child].body;
  CT_TRY(cti_urdf_origin(u, j->xml, body->pos, &body->orient));
  if (j->type == CTI_URDF_FIXED) return CT_OK;
  double axis[3];
  CT_TRY(read_axis(u, j->xml, axis));
  ctiJoint* made[4] = {NULL};
  int n = 1;
  switch (j->type) {
    case CTI_URDF_PLANAR:
      n = 3;
      CT_TRY(add_planar(u, j, axis, made));
      break;
    case CTI_URDF_FLOATING:
      if (body->parent != u->spec->world && !u->opt.mujoco) {
        n = 4;
        CT_TRY(add_six(u, j, made));
      } else {
        CT_TRY(add_joint(u, j, CT_JOINT_FREE, "", &made[0]));
      }
      break;
    case CTI_URDF_SPHERICAL: CT_TRY(add_joint(u, j, CT_JOINT_BALL, "", &made[0])); break;
    default:
      CT_TRY(add_joint(u, j, j->type == CTI_URDF_PRISMATIC ? CT_JOINT_SLIDE : CT_JOINT_HINGE, "", &made[0]));
      set_axis(made[0], axis);
      j->made = made[0];
  }
  CT_TRY(read_limit(u, j, made[0]));
  return read_dynamics(u, j->xml, made, n);
}

// ---- mimic

// A joint by name that moves along or about an axis. NULL with CT_OK: there is none, and a remark says so.
static ctStatus find_joint(ctiUrdf* u, const ctiXml* e, const char* attr, const ctiUrdfJoint** out) {
  const ctiXmlAttr* name;
  *out = NULL;
  CT_TRY(cti_urdf_attr(u, &name, e, attr));
  int id = cti_names_find(&u->joint_ids, name->value);
  if (id >= 0 && u->joints.data[id].made) {
    *out = &u->joints.data[id];
    return CT_OK;
  }
  char hint[200] = "";
  const char* why = id >= 0 ? "is not revolute, continuous or prismatic" : "is not there";
  if (id < 0) {
    ctiWords words = CTI_URDF_NAMES(u->joints);
    bool named = true;
    for (int i = 0; i < words.count; i++) named = named && cti_words_at(words, i);
    if (named) cti_suggest_nearest_text(hint, sizeof(hint), name->value, words);
  }
  if (!u->opt.mujoco)
    return cti_xml_error(u->err, CT_ERR_INVALID, e, name, "joint \"%s\" %s%s", name->value, why, hint);
  cti_urdf_remark(u->spec, e, name, "<%s> has no effect: joint \"%s\" %s%s", e->name, name->value, why, hint);
  return CT_OK;
}

ctStatus cti_urdf_read_mimics(ctiUrdf* u) {
  for (int i = 0; i < u->joints.count; i++) {
    const ctiUrdfJoint *j = &u->joints.data[i], *driver;
    const ctiXml* e;
    CT_TRY(cti_urdf_child(u, &e, j->xml, "mimic", false));
    if (!e) continue;
    if (!j->made) {
      if (!u->opt.mujoco && j->type != CTI_URDF_FIXED)
        return cti_xml_error(
            u->err, CT_ERR_INVALID, e, NULL,
            "joint \"%s\" is not revolute, continuous or prismatic: it cannot follow another", j->name);
      cti_urdf_remark(u->spec, e, NULL, "<mimic> has no effect on this kind of joint");
      continue;
    }
    CT_TRY(find_joint(u, e, "joint", &driver));
    if (!driver) continue;
    if (driver == j)
      return cti_xml_error(u->err, CT_ERR_INVALID, e, NULL, "joint \"%s\" mimics itself", j->name);
    ctiEquality* eq = cti_spec_add_equality(u->spec, cti_spec_plain_class(u->spec));
    if (!eq) return cti_error_memory(u->err);
    CT_TRY(cti_urdf_place(u, e, &eq->head, "joint", &cti_attrs_eq_joint));
    eq->type = CT_EQ_JOINT;
    eq->joint1 = j->made->head.name;
    eq->joint2 = driver->made->head.name;
    eq->polycoef[0] = 0;
    eq->polycoef[1] = 1;
    if (cti_xml_find(e, "offset")) CT_TRY(cti_urdf_reals(u, &eq->polycoef[0], e, "offset", 1));
    if (cti_xml_find(e, "multiplier")) CT_TRY(cti_urdf_reals(u, &eq->polycoef[1], e, "multiplier", 1));
  }
  return CT_OK;
}

// ---- transmissions

// The number between the tags of the first element of that name among the children of `e`; false for none.
static ctStatus read_inside(ctiUrdf* u, const ctiXml* e, const char* name, double* out) {
  const ctiXml* c = cti_xml_child(e, name);
  if (!c || !c->text) return CT_OK;
  if (cti_parse_real(c->text, c->text + c->text_size, out) == CTI_NUMBER_OK) return CT_OK;
  return cti_xml_error(u->err, CT_ERR_INVALID, c, NULL, "<%s> is a number, not \"%.*s\"", name,
                       (int)(c->text_size < 40 ? c->text_size : 40), c->text);
}

static void say(ctiElement* e, const char* name) {
  for (int i = 0; i < e->attrs->count; i++) {
    if (cti_text_equal(e->attrs->rows[i].name, name)) e->given |= (uint64_t)1 << i;
  }
}

// A motor with the reduction as its gear; its force is held by the effort of the joint.
static ctStatus add_motor(ctiUrdf* u, const ctiXml* e, const ctiXml* actuator, const ctiUrdfJoint* j,
                          ctiNameMap* names) {
  double gear = 1;
  CT_TRY(read_inside(u, e, "mechanicalReduction", &gear));
  if (actuator) CT_TRY(read_inside(u, actuator, "mechanicalReduction", &gear));
  if (gear == 0) return cti_xml_error(u->err, CT_ERR_INVALID, e, NULL, "a reduction of 0 drives nothing");
  const ctiClass* from = u->spec->classes.data[0];
  ctiActuator* a = cti_spec_add_actuator(u->spec, from);
  if (!a) return cti_error_memory(u->err);
  a->shortcut = CTI_SHORTCUT_MOTOR;
  a->drive = from->drive[CTI_SHORTCUT_MOTOR];
  a->start = a->drive;
  a->drive.made_by = CTI_SHORTCUT_MOTOR;
  cti_default_words(&a->words);
  CT_TRY(cti_urdf_place(u, e, &a->head, "motor", &cti_attrs_actuator[CTI_SHORTCUT_MOTOR]));
  a->head.more = &cti_attrs_shortcut[CTI_SHORTCUT_MOTOR];
  a->joint = j->made->head.name;
  say(&a->head, "joint");
  a->gear[0] = gear;
  if (gear != 1) say(&a->head, "gear");
  if (j->effort > 0) {
    a->ctrlrange[1] = j->effort / fabs(gear);
    a->ctrlrange[0] = -a->ctrlrange[1];
    a->ctrllimited = CTI_TRUE;
    say(&a->head, "ctrlrange");
    say(&a->head, "ctrllimited");
  }
  const ctiXmlAttr* name = actuator ? cti_xml_find(actuator, "name") : NULL;
  CT_TRY(cti_urdf_keep(u, &a->head.name, name && name->value[0] ? name->value : j->name));
  ctStatus status = cti_names_add(names, a->head.name, 1);
  if (status == CT_ERR_MEMORY) return cti_error_memory(u->err);
  if (status == CT_OK) return CT_OK;
  cti_urdf_remark(u->spec, e, NULL, "the name \"%s\" is used twice: this motor has none", a->head.name);
  a->head.name = NULL;
  return CT_OK;
}

ctStatus cti_urdf_read_transmissions(ctiUrdf* u) {
  ctiNameMap names;
  cti_names_init(&names, u->spec->in_region);
  for (const ctiXml* e = cti_xml_child(u->root, "transmission"); e; e = cti_xml_next(e, "transmission")) {
    if (!u->opt.actuators) {
      cti_urdf_note(u->spec, e, "<transmission>: no actuator is made of it; load with actuators for motors");
      continue;
    }
    const ctiXml* actuator = cti_xml_child(e, "actuator");
    for (const ctiXml* c = cti_xml_child(e, "joint"); c; c = cti_xml_next(c, "joint")) {
      const ctiUrdfJoint* j;
      CT_TRY(find_joint(u, c, "name", &j));
      if (!j) continue;
      const ctiXml* kind = cti_xml_child(c, "hardwareInterface");
      if (kind && kind->text && !strstr(kind->text, "Effort"))
        cti_urdf_remark(
            u->spec, kind, NULL,
            "joint \"%s\" gets a motor: URDF does not say how stiffly another controller holds it", j->name);
      CT_TRY(add_motor(u, e, actuator, j, &names));
      if (actuator && cti_xml_next(actuator, "actuator")) actuator = cti_xml_next(actuator, "actuator");
    }
  }
  return CT_OK;
}
