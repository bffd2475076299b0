// Sizes and bits that go with the kinds of corten/types.h, for both halves of the library.
#pragma once

#include <assert.h>

#include "base/fn.h"
#include "corten/types.h"

// ---- joints

// How many numbers a joint has in qpos and in qvel.
#define CTI_JOINT_SIZES(X) X(FREE, 7, 6) X(BALL, 4, 3) X(SLIDE, 1, 1) X(HINGE, 1, 1)

#define X(id, nq, nv) +1
static_assert(0 CTI_JOINT_SIZES(X) == CT_JOINT_COUNT, "every kind of joint has its sizes");
#undef X

CT_INLINE int cti_joint_nq(int type) {
  switch (type) {
#define X(id, nq, nv) \
  case CT_JOINT_##id: return nq;
    CTI_JOINT_SIZES(X)
#undef X
    default: return 0;
  }
}

CT_INLINE int cti_joint_nv(int type) {
  switch (type) {
#define X(id, nq, nv) \
  case CT_JOINT_##id: return nv;
    CTI_JOINT_SIZES(X)
#undef X
    default: return 0;
  }
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
