#include "spec/orient.h"

#include <math.h>

#include "math/quat.h"

static ctReal to_radian(const ctiCompiler* c, double angle) {
  return (ctReal)(c->degree ? angle / 180 * CTI_PI : angle);
}

// The functions of the C library: principal axes of what is nearly round blow up their last bit, and the
// oracle's are these.
static void turn_about(ctReal quat[4], const ctReal axis[3], ctReal angle) {
  double half = (double)angle / 2;
  ctReal sine = (ctReal)sin(half);
  quat[0] = (ctReal)cos(half);
  for (int i = 0; i < 3; i++) quat[i + 1] = axis[i] * sine;
}

void cti_orient_along(ctReal quat[4], const ctReal vec[3]) {
  ctReal v[3] = {vec[0], vec[1], vec[2]};
  cti_quat_unit(quat);
  if (cti_settle3(v) < CTI_MINVAL) return;
  ctReal axis[3] = {-v[1], v[0], 0}, sine = cti_settle3(axis);
  if (sine < CTI_MINVAL) {
    cti_quat_z_to_vec(quat, vec);
  } else {
    turn_about(quat, axis, (ctReal)atan2((double)sine, (double)v[2]));
  }
}

static bool from_axisangle(ctReal quat[4], const ctiOrient* o, const ctiCompiler* c) {
  ctReal axis[3];
  cti_to_real(axis, o->axisangle, 3);
  if (!cti_has_length(cti_settle3(axis))) return false;
  turn_about(quat, axis, to_radian(c, o->axisangle[3]));
  return true;
}

// x as given, y made orthogonal to it.
static bool from_xyaxes(ctReal quat[4], const ctiOrient* o) {
  ctReal x[3], y[3], z[3];
  cti_to_real(x, o->xyaxes, 3);
  cti_to_real(y, o->xyaxes + 3, 3);
  if (!cti_has_length(cti_settle3(x))) return false;
  cti_add_scaled3(y, x, -cti_dot3(x, y));
  if (!cti_has_length(cti_settle3(y))) return false;
  cti_cross3(z, x, y);
  ctReal mat[9] = {x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]};
  cti_mat_to_quat(quat, mat);
  return true;
}

static bool from_zaxis(ctReal quat[4], const ctiOrient* o) {
  ctReal z[3];
  cti_to_real(z, o->zaxis, 3);
  if (!cti_has_length(cti_norm3(z))) return false;
  cti_orient_along(quat, z);
  return true;
}

// Lower case turns about the moving axes, upper case about the fixed ones.
static void from_euler(ctReal quat[4], const ctiOrient* o, const ctiCompiler* c) {
  cti_quat_unit(quat);
  for (int i = 0; i < 3; i++) {
    char name = c->eulerseq[i];
    bool moving = name >= 'x';
    ctReal axis[3] = {0, 0, 0}, turn[4];
    axis[moving ? name - 'x' : name - 'X'] = 1;
    turn_about(turn, axis, to_radian(c, o->euler[i]));
    if (moving) {
      cti_quat_mul_settled(quat, quat, turn);
    } else {
      cti_quat_mul_settled(quat, turn, quat);
    }
  }
}

const char* cti_orient_to_quat(ctReal quat[4], const ctiOrient* o, const ctiCompiler* c) {
  bool ok = true;
  switch (o->form) {
    case CTI_ORIENT_QUAT:
      cti_to_real(quat, o->quat, 4);
      ok = cti_has_length(cti_settle4(quat));
      break;
    case CTI_ORIENT_AXISANGLE: ok = from_axisangle(quat, o, c); break;
    case CTI_ORIENT_XYAXES: ok = from_xyaxes(quat, o); break;
    case CTI_ORIENT_ZAXIS: ok = from_zaxis(quat, o); break;
    case CTI_ORIENT_EULER: from_euler(quat, o, c); break;
  }
  static const char* const trouble[] = {
      [CTI_ORIENT_QUAT] = "quat has zero length, or more than a number can hold",
      [CTI_ORIENT_AXISANGLE] = "the axis of axisangle has zero length, or more than a number can hold",
      [CTI_ORIENT_XYAXES] = "xyaxes needs two axes that are neither zero, parallel nor too long for a number",
      [CTI_ORIENT_ZAXIS] = "zaxis has zero length, or more than a number can hold",
      [CTI_ORIENT_EULER] = "euler is invalid"};
  return ok ? NULL : trouble[o->form];
}

// ---- sizes of shapes

const ctiShapeSize cti_shape_sizes[CT_GEOM_COUNT] = {
    [CT_GEOM_PLANE] = {3, -1},  [CT_GEOM_HFIELD] = {0, -1},   [CT_GEOM_SPHERE] = {1, -1},
    [CT_GEOM_CAPSULE] = {2, 1}, [CT_GEOM_ELLIPSOID] = {3, 2}, [CT_GEOM_CYLINDER] = {2, 1},
    [CT_GEOM_BOX] = {3, 2},     [CT_GEOM_MESH] = {0, -1},     [CT_GEOM_SDF] = {0, -1},
};

ctStatus cti_check_segment(ctError* err, int type, const double pos[3], const ctiElement* e) {
  if (cti_shape_sizes[type].length < 0)
    return cti_spec_error(err, CT_ERR_INVALID, e, "fromto needs a capsule, cylinder, ellipsoid or box");
  if (pos[0] != 0 || pos[1] != 0 || pos[2] != 0)
    return cti_spec_error(err, CT_ERR_INVALID, e, "fromto and pos exclude each other: keep one");
  return CT_OK;
}
