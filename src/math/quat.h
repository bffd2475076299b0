// Unit quaternions (w x y z) and frames: position + quaternion. Step code.
#pragma once

#include "math/vec3.h"

#define CTI_PI 3.14159265358979323846

// How far the square of a length may be from 1 for the root to be linear in it, to rounding.
#ifdef CT_SINGLE
#define CTI_NEAR_UNIT 1e-4f
#else
#define CTI_NEAR_UNIT 1e-9
#endif

CT_INLINE void cti_quat_unit(ctReal q[4]) {
  q[0] = 1;
  q[1] = q[2] = q[3] = 0;
}

CT_INLINE void cti_copy4(ctReal r[4], const ctReal q[4]) {
  r[0] = q[0];
  r[1] = q[1];
  r[2] = q[2];
  r[3] = q[3];
}

CT_INLINE ctReal cti_square4(const ctReal q[4]) {
  return (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
}

CT_INLINE ctReal cti_norm4(const ctReal q[4]) {
  return cti_sqrt(cti_square4(q));
}

CT_INLINE void cti_scale4(ctReal r[4], const ctReal q[4], ctReal s) {
  r[0] = q[0] * s;
  r[1] = q[1] * s;
  r[2] = q[2] * s;
  r[3] = q[3] * s;
}

// Scale to unit length and return the old length; a quaternion shorter than CTI_MINVAL becomes the identity.
// One that is unit within CTI_MINVAL is left alone, so that normalising twice changes nothing.
CT_INLINE ctReal cti_normalize4(ctReal q[4]) {
  ctReal norm = cti_norm4(q);
  if (norm < CTI_MINVAL) {
    cti_quat_unit(q);
  } else if (cti_abs(norm - 1) > CTI_MINVAL) {
    cti_scale4(q, q, 1 / norm);
  }
  return norm;
}

// The same as models are compiled with: by division, and a length that is off by rounding is left as it is.
#ifdef CT_SINGLE
#define CTI_UNIT_TOLERANCE CTI_MINVAL
#else
#define CTI_UNIT_TOLERANCE 1e-14
#endif
CT_INLINE ctReal cti_settle4(ctReal q[4]) {
  ctReal norm = cti_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (norm < CTI_MINVAL) {
    cti_quat_unit(q);
  } else if (cti_abs(norm - 1) > CTI_UNIT_TOLERANCE) {
    for (int i = 0; i < 4; i++) q[i] /= norm;
  }
  return norm;
}

CT_INLINE ctReal cti_settle3(ctReal a[3]) {
  ctReal norm = cti_norm3(a);
  if (norm < CTI_MINVAL) return cti_normalize3(a);
  if (cti_abs(norm - 1) > CTI_UNIT_TOLERANCE) {
    for (int i = 0; i < 3; i++) a[i] /= norm;
  }
  return norm;
}

// The same for a product of unit quaternions, off by rounding only: one step of Newton's method instead of
// root and quotient, which are slow and which every body after this one waits for.
CT_INLINE void cti_renormalize4(ctReal q[4]) {
  ctReal excess = cti_square4(q) - 1;
  if (cti_abs(excess) <= 2 * CTI_MINVAL) return;
  if (cti_abs(excess) < CTI_NEAR_UNIT) {
    cti_scale4(q, q, 1 - CT_R(0.5) * excess);
  } else {
    cti_normalize4(q);
  }
}

CT_INLINE void cti_quat_conj(ctReal r[4], const ctReal q[4]) {
  r[0] = q[0];
  r[1] = -q[1];
  r[2] = -q[2];
  r[3] = -q[3];
}

// r = a b; r may be a or b
CT_INLINE void cti_quat_mul(ctReal r[4], const ctReal a[4], const ctReal b[4]) {
  ctReal w = (a[0] * b[0] - a[1] * b[1]) - (a[2] * b[2] + a[3] * b[3]);
  ctReal x = (a[0] * b[1] + a[1] * b[0]) + (a[2] * b[3] - a[3] * b[2]);
  ctReal y = (a[0] * b[2] - a[1] * b[3]) + (a[2] * b[0] + a[3] * b[1]);
  ctReal z = (a[0] * b[3] + a[1] * b[2]) + (a[3] * b[0] - a[2] * b[1]);
  r[0] = w;
  r[1] = x;
  r[2] = y;
  r[3] = z;
}

// Rotate v by q. The identity leaves the bits alone.
CT_INLINE void cti_quat_rotate(ctReal r[3], const ctReal q[4], const ctReal v[3]) {
  // t = w v + u x v; v + 2 (u x t)
  const ctReal w = q[0];
  const ctReal* u = q + 1;
  ctReal x = w * v[0] + u[1] * v[2] - u[2] * v[1];
  ctReal y = w * v[1] + u[2] * v[0] - u[0] * v[2];
  ctReal z = w * v[2] + u[0] * v[1] - u[1] * v[0];
  ctReal v0 = v[0], v1 = v[1], v2 = v[2];
  r[0] = v0 + 2 * (u[1] * z - u[2] * y);
  r[1] = v1 + 2 * (u[2] * x - u[0] * z);
  r[2] = v2 + 2 * (u[0] * y - u[1] * x);
}

// Rotation by `angle` about the unit `axis`.
CT_INLINE void cti_quat_axis_angle(ctReal q[4], const ctReal axis[3], ctReal angle) {
  ctReal s, c;
  cti_sincos(angle * CT_R(0.5), &s, &c);
  q[0] = c;
  q[1] = axis[0] * s;
  q[2] = axis[1] * s;
  q[3] = axis[2] * s;
}

// Rotation matrix of a unit quaternion.
CT_INLINE void cti_quat_to_mat(ctReal m[9], const ctReal q[4]) {
  ctReal ww = q[0] * q[0], xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3];
  ctReal wx = q[0] * q[1], wy = q[0] * q[2], wz = q[0] * q[3];
  ctReal xy = q[1] * q[2], xz = q[1] * q[3], yz = q[2] * q[3];
  m[0] = (ww - yy) + (xx - zz);
  m[1] = 2 * (xy - wz);
  m[2] = 2 * (xz + wy);
  m[3] = 2 * (xy + wz);
  m[4] = (ww + yy) - (xx + zz);
  m[5] = 2 * (yz - wx);
  m[6] = 2 * (xz - wy);
  m[7] = 2 * (yz + wx);
  m[8] = (ww - yy) - (xx - zz);
}

// The same as models are compiled with, summed from left to right: principal axes of what is nearly round,
// and with them much else, are what rounding leaves.
CT_INLINE void cti_quat_to_mat_settled(ctReal m[9], const ctReal q[4]) {
  ctReal ww = q[0] * q[0], xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3];
  cti_quat_to_mat(m, q);
  m[0] = ww + xx - yy - zz;
  m[4] = ww - xx + yy - zz;
  m[8] = ww - xx - yy + zz;
}

CT_INLINE void cti_quat_mul_settled(ctReal r[4], const ctReal a[4], const ctReal b[4]) {
  ctReal w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  ctReal x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  ctReal y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  ctReal z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
  r[0] = w;
  r[1] = x;
  r[2] = y;
  r[3] = z;
  cti_settle4(r);
}

CT_INLINE void cti_quat_rotate_settled(ctReal r[3], const ctReal q[4], const ctReal v[3]) {
  ctReal m[9];
  cti_quat_to_mat_settled(m, q);
  cti_mul_mat_vec3(r, m, v);
}

// Unit quaternion of a rotation matrix; the largest component decides the branch.
CT_INLINE void cti_mat_to_quat(ctReal q[4], const ctReal m[9]) {
  if (m[0] + m[4] + m[8] > 0) {
    q[0] = CT_R(0.5) * cti_sqrt(1 + m[0] + m[4] + m[8]);
    q[1] = CT_R(0.25) * (m[7] - m[5]) / q[0];
    q[2] = CT_R(0.25) * (m[2] - m[6]) / q[0];
    q[3] = CT_R(0.25) * (m[3] - m[1]) / q[0];
  } else if (m[0] > m[4] && m[0] > m[8]) {
    q[1] = CT_R(0.5) * cti_sqrt(1 + m[0] - m[4] - m[8]);
    q[0] = CT_R(0.25) * (m[7] - m[5]) / q[1];
    q[2] = CT_R(0.25) * (m[1] + m[3]) / q[1];
    q[3] = CT_R(0.25) * (m[2] + m[6]) / q[1];
  } else if (m[4] > m[8]) {
    q[2] = CT_R(0.5) * cti_sqrt(1 - m[0] + m[4] - m[8]);
    q[0] = CT_R(0.25) * (m[2] - m[6]) / q[2];
    q[1] = CT_R(0.25) * (m[1] + m[3]) / q[2];
    q[3] = CT_R(0.25) * (m[5] + m[7]) / q[2];
  } else {
    q[3] = CT_R(0.5) * cti_sqrt(1 - m[0] - m[4] + m[8]);
    q[0] = CT_R(0.25) * (m[3] - m[1]) / q[3];
    q[1] = CT_R(0.25) * (m[2] + m[6]) / q[3];
    q[2] = CT_R(0.25) * (m[5] + m[7]) / q[3];
  }
  cti_normalize4(q);
}

// Angular velocity that turns the identity into q in time dt, along the shorter arc.
CT_INLINE void cti_quat_to_vel(ctReal r[3], const ctReal q[4], ctReal dt) {
  ctReal axis[3];
  cti_copy3(axis, q + 1);
  ctReal sine = cti_normalize3(axis);
  ctReal angle = 2 * cti_atan2(sine, q[0]);
  if (angle > CT_R(CTI_PI)) angle -= CT_R(2 * CTI_PI);
  cti_scale3(r, axis, angle / dt);
}

// Rotation vector from b to a, in the frame of b: a = b exp(r).
CT_INLINE void cti_quat_sub(ctReal r[3], const ctReal a[4], const ctReal b[4]) {
  ctReal conj[4], diff[4];
  cti_quat_conj(conj, b);
  cti_quat_mul(diff, conj, a);
  cti_quat_to_vel(r, diff, 1);
}

// Advance q by the local angular velocity `vel` over `dt`. The old value is normalised first, the
// result is not: kinematics works on normalised copies.
CT_INLINE void cti_quat_integrate(ctReal q[4], const ctReal vel[3], ctReal dt) {
  ctReal axis[3], turn[4];
  cti_copy3(axis, vel);
  ctReal angle = dt * cti_normalize3(axis);
  cti_quat_axis_angle(turn, axis, angle);
  cti_normalize4(q);
  cti_quat_mul(q, q, turn);
}

// Minimal rotation that takes the z axis to the direction of `vec`.
CT_INLINE void cti_quat_z_to_vec(ctReal q[4], const ctReal vec[3]) {
  ctReal z[3] = {0, 0, 1}, v[3], axis[3];
  cti_quat_unit(q);
  cti_copy3(v, vec);
  if (cti_normalize3(v) < CTI_MINVAL) return;
  cti_cross3(axis, z, v);
  ctReal sine = cti_normalize3(axis);
  // z and v parallel: either nothing to do, or half a turn about x, which normalize3 has left in axis
  if (cti_abs(sine) < CTI_MINVAL) {
    if (v[2] < 0) {
      q[0] = 0;
      q[1] = 1;
    }
    return;
  }
  cti_quat_axis_angle(q, axis, cti_atan2(sine, v[2]));
}
