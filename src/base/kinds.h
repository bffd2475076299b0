// Sizes and bits that go with the kinds of corten/types.h, for both halves of the library.
#pragma once

#include <assert.h>

#include "base/fn.h"
#include "corten/types.h"

// ---- joints

// How many numbers a joint has in qpos and in qvel: columns of CT_JOINT_LIST.
CT_INLINE int cti_joint_nq(int type) {
  switch (type) {
#define X(id, text, nq, nv) \
  case CT_JOINT_##id: return nq;
    CT_JOINT_LIST(X)
#undef X
    default: return 0;
  }
}

CT_INLINE int cti_joint_nv(int type) {
  switch (type) {
#define X(id, text, nq, nv) \
  case CT_JOINT_##id: return nv;
    CT_JOINT_LIST(X)
#undef X
    default: return 0;
  }
}

// One position and one velocity: a slide or a hinge.
CT_INLINE bool cti_joint_is_scalar(int type) {
  return cti_joint_nq(type) == 1;
}

// ---- actuators

// What the controls of an actuator mean: bits of actuator_ctrlspec, in the order they come in.
#define CTI_INPUT_POS      1
#define CTI_INPUT_VEL      2
#define CTI_INPUT_FF       4
#define CTI_INPUT_VOLTAGE  8
#define CTI_INPUT_NONE     16
#define CTI_INPUT_PRESSURE 32

// The same of orientation servos: the chart their target is given in.
#define CTI_CHART_EXPMAP 1
#define CTI_CHART_QUAT   2

// ---- sensors

// clang-format off
// What a ray of a rangefinder gives, and how many numbers that is: bits of its first parameter, in the order they
// come in.
#define CTI_RAY_FIELDS(X) \
  X(DIST, "dist", 1) X(DIR, "dir", 3) X(ORIGIN, "origin", 3) X(POINT, "point", 3) X(NORMAL, "normal", 3) X(DEPTH, "depth", 1)

// The same of a contact sensor.
#define CTI_CONTACT_FIELDS(X) \
  X(FOUND, "found", 1) X(FORCE, "force", 3) X(TORQUE, "torque", 3) X(DIST, "dist", 1) X(POS, "pos", 3) \
  X(NORMAL, "normal", 3) X(TANGENT, "tangent", 3) X(LINVEL, "linvel", 3) X(ANGVEL, "angvel", 3)

// How a contact sensor chooses among contacts.
#define CTI_REDUCTIONS(X) X(NONE, "none") X(MINDIST, "mindist") X(MAXFORCE, "maxforce") X(NETFORCE, "netforce")
// clang-format on

enum {
#define X(id, text, n) CTI_RAY_AT_##id,
  CTI_RAY_FIELDS(X) CTI_RAY_FIELD_COUNT
#undef X
};
enum {
#define X(id, text, n) CTI_RAY_##id = 1 << CTI_RAY_AT_##id,
  CTI_RAY_FIELDS(X)
#undef X
};
enum {
#define X(id, text, n) CTI_CONTACT_AT_##id,
  CTI_CONTACT_FIELDS(X) CTI_CONTACT_FIELD_COUNT
#undef X
};
enum {
#define X(id, text, n) CTI_CONTACT_##id = 1 << CTI_CONTACT_AT_##id,
  CTI_CONTACT_FIELDS(X)
#undef X
};
enum {
#define X(id, text) CTI_REDUCE_##id,
  CTI_REDUCTIONS(X) CTI_REDUCE_COUNT
#undef X
};

// Parameters of a contact sensor in sensor_intprm. That of a rangefinder is its fields.
enum { CTI_CONTACT_PRM_FIELDS, CTI_CONTACT_PRM_REDUCE, CTI_CONTACT_PRM_NUM };

// Numbers that a ray or a contact gives a sensor, by its fields.
CT_INLINE int cti_ray_numbers(int fields) {
  int sum = 0;
#define X(id, text, n) \
  if (fields & CTI_RAY_##id) sum += n;
  CTI_RAY_FIELDS(X)
#undef X
  return sum;
}

CT_INLINE int cti_contact_numbers(int fields) {
  int sum = 0;
#define X(id, text, n) \
  if (fields & CTI_CONTACT_##id) sum += n;
  CTI_CONTACT_FIELDS(X)
#undef X
  return sum;
}
