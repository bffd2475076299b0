// 6-D motions and forces (rotation first, then translation) about a common point, and the 10 numbers of
// a rigid body's inertia there: xx yy zz xy xz yz of the rotational part, mass * offset, mass. Step code.
#pragma once

#include "math/quat.h"

// Motion derivative: r = vel x m, both motions.
CT_INLINE void cti_cross_motion(ctReal r[6], const ctReal vel[6], const ctReal m[6]) {
  ctReal t[3];
  cti_cross3(r, vel, m);
  cti_cross3(r + 3, vel, m + 3);
  cti_cross3(t, vel + 3, m);
  cti_add_to3(r + 3, t);
}

// Force derivative: r = vel x* f, a motion on a force.
CT_INLINE void cti_cross_force(ctReal r[6], const ctReal vel[6], const ctReal f[6]) {
  ctReal t[3];
  cti_cross3(r, vel, f);
  cti_cross3(t, vel + 3, f + 3);
  cti_add_to3(r, t);
  cti_cross3(r + 3, vel, f + 3);
}

CT_INLINE void cti_zero6(ctReal r[6]) {
  cti_zero3(r);
  cti_zero3(r + 3);
}

CT_INLINE void cti_copy6(ctReal r[6], const ctReal a[6]) {
  cti_copy3(r, a);
  cti_copy3(r + 3, a + 3);
}

CT_INLINE void cti_add_to6(ctReal r[6], const ctReal a[6]) {
  cti_add_to3(r, a);
  cti_add_to3(r + 3, a + 3);
}

CT_INLINE void cti_add_scaled6(ctReal r[6], const ctReal a[6], ctReal s) {
  cti_add_scaled3(r, a, s);
  cti_add_scaled3(r + 3, a + 3, s);
}

CT_INLINE ctReal cti_dot6(const ctReal a[6], const ctReal b[6]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

// Inertia of a body about a point: principal moments `diag` along the columns of `mat`, the centre of
// mass at `offset` from the point.
CT_INLINE void cti_inertia_about(ctReal r[10], const ctReal diag[3], const ctReal mat[9],
                                 const ctReal offset[3], ctReal mass) {
  // rotate the moments: mat diag mat'
  ctReal t[9];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) t[3 * i + j] = mat[3 * i + j] * diag[j];
  }
  r[0] = cti_dot3(t, mat);
  r[1] = cti_dot3(t + 3, mat + 3);
  r[2] = cti_dot3(t + 6, mat + 6);
  r[3] = cti_dot3(t, mat + 3);
  r[4] = cti_dot3(t, mat + 6);
  r[5] = cti_dot3(t + 3, mat + 6);

  // shift to the point
  r[0] += mass * (offset[1] * offset[1] + offset[2] * offset[2]);
  r[1] += mass * (offset[0] * offset[0] + offset[2] * offset[2]);
  r[2] += mass * (offset[0] * offset[0] + offset[1] * offset[1]);
  r[3] -= mass * offset[0] * offset[1];
  r[4] -= mass * offset[0] * offset[2];
  r[5] -= mass * offset[1] * offset[2];

  cti_scale3(r + 6, offset, mass);
  r[9] = mass;
}

// Momentum or force of a motion: r = I v.
CT_INLINE void cti_inertia_mul(ctReal r[6], const ctReal I[10], const ctReal v[6]) {
  r[0] = I[0] * v[0] + I[3] * v[1] + I[4] * v[2] - I[8] * v[4] + I[7] * v[5];
  r[1] = I[3] * v[0] + I[1] * v[1] + I[5] * v[2] + I[8] * v[3] - I[6] * v[5];
  r[2] = I[4] * v[0] + I[5] * v[1] + I[2] * v[2] - I[7] * v[3] + I[6] * v[4];
  r[3] = I[8] * v[1] - I[7] * v[2] + I[9] * v[3];
  r[4] = I[6] * v[2] - I[8] * v[0] + I[9] * v[4];
  r[5] = I[7] * v[0] - I[6] * v[1] + I[9] * v[5];
}

// Motion of a turn about `axis`; `offset` is the reference point minus the joint's anchor.
CT_INLINE void cti_motion_of_hinge(ctReal r[6], const ctReal axis[3], const ctReal offset[3]) {
  cti_copy3(r, axis);
  cti_cross3(r + 3, axis, offset);
}

CT_INLINE void cti_motion_of_slide(ctReal r[6], const ctReal axis[3]) {
  cti_zero3(r);
  cti_copy3(r + 3, axis);
}

// Velocity of a point given the motion about `from`: r = (w, v + w x (to - from)).
CT_INLINE void cti_motion_shift(ctReal r[6], const ctReal motion[6], const ctReal to[3],
                                const ctReal from[3]) {
  ctReal d[3], t[3];
  cti_sub3(d, to, from);
  cti_cross3(t, motion, d);
  cti_copy3(r, motion);
  cti_add3(r + 3, motion + 3, t);
}
