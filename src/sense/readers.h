// The readers of sensors, one a kind: each writes the numbers of sensor `i` to `out`. Step code.
//   before  the stage of the sensor
#pragma once

#include "base/fn.h"
#include "corten/data.h"

typedef void (*ctiSensorReader)(const ctModel* m, ctData* d, int i, ctReal* out);

// clang-format off
#define CTI_READER_LIST(X)                                                                                   \
  X(touch) X(accelerometer) X(velocimeter) X(gyro) X(force) X(torque) X(magnetometer) X(rangefinder)         \
  X(camprojection) X(joint_pos) X(joint_vel) X(tendon_pos) X(tendon_vel) X(actuator_pos) X(actuator_vel)     \
  X(actuator_force) X(joint_actuation) X(tendon_actuation) X(ball_quat) X(ball_vel) X(joint_limit)           \
  X(tendon_limit) X(frame_pos) X(frame_quat) X(frame_axis) X(frame_linvel) X(frame_angvel) X(frame_linacc)   \
  X(frame_angacc) X(subtree_com) X(subtree_linvel) X(subtree_angmom) X(inside_site) X(distance) X(normal)    \
  X(fromto) X(contact) X(potential) X(kinetic) X(clock) X(tactile) X(user)
// clang-format on

#define X(name) CT_FN void cti_sense_##name(const ctModel* m, ctData* d, int i, ctReal* out);
CTI_READER_LIST(X)
#undef X
