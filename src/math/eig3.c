#include "math/eig3.h"

// Generous: Jacobi needs about ten rotations.
#define EIG3_MAX_ROTATIONS 500
// Sine and cosine of an eighth of a turn, with the 15 digits that give MuJoCo's bits.
#define EIG3_SIN_EIGHTH CT_R(0.707106781186548)

// D = R' A R for the rotation R of q.
static CT_FN void eig3_in_frame(ctReal d[9], ctReal rot[9], const ctReal q[4], const ctReal a[9]) {
  ctReal t[9];
  cti_quat_to_mat_settled(rot, q);
  cti_mul_mat_t_mat3(t, rot, a);
  cti_mul_mat3(d, t, rot);
}

// Turn the frame by the angle with the given cosine and sine of its half, about its own axis k.
static CT_FN void eig3_turn(ctReal q[4], int k, ctReal cos_half, ctReal sin_half) {
  ctReal turn[4] = {cos_half, 0, 0, 0};
  turn[k + 1] = sin_half;
  cti_quat_mul(q, q, turn);
  cti_settle4(q);
}

// The axis across the plane of the largest off-diagonal element. Ties go to the later axis pair.
static CT_FN int eig3_largest(const ctReal d[9]) {
  ctReal xy = cti_abs(d[1]), xz = cti_abs(d[2]), yz = cti_abs(d[5]);
  if (xy > xz && xy > yz) return 2;
  return xz > yz ? 1 : 0;
}

CT_FN int cti_eig3(ctReal eigval[3], ctReal eigvec[9], ctReal quat[4], const ctReal mat[9], ctReal tol,
                   ctReal sorttol) {
  ctReal q[4], rot[9], d[9], ev[3], scale = 0;
  for (int i = 0; i < 9; i++) scale = cti_max(scale, cti_abs(mat[i]));
  cti_quat_unit(q);

  int count = 0;
  for (; count < EIG3_MAX_ROTATIONS; count++) {
    eig3_in_frame(d, rot, q, mat);

    // plane (i,j) of the largest off-diagonal element, axis k across; i < j
    int k = eig3_largest(d), i = k == 0 ? 1 : 0, j = k == 2 ? 1 : 2;
    ctReal off = d[3 * i + j];
    if (!(cti_abs(off) > tol * scale)) break;

    // smaller of the two angles that make it zero, by the tangent of its half: accurate also when it is tiny
    ctReal tau = (d[4 * j] - d[4 * i]) / (2 * off);
    ctReal t = (tau >= 0 ? CT_R(1) : CT_R(-1)) / (cti_abs(tau) + cti_sqrt(1 + tau * tau));
    ctReal tan_half = t / (1 + cti_sqrt(1 + t * t));
    ctReal cos_half = 1 / cti_sqrt(1 + tan_half * tan_half), sin_half = tan_half * cos_half;
    // raising axis i towards axis j is a positive turn about x and z, a negative one about y
    eig3_turn(q, k, cos_half, k == 1 ? sin_half : -sin_half);
  }

  // decreasing order: exchange neighbours by quarter turns
  for (int i = 0; i < 3; i++) ev[i] = d[4 * i];
  for (int pass = 0; pass < 3; pass++) {
    int i = pass % 2;
    if (!(ev[i] + sorttol * scale < ev[i + 1])) continue;
    ctReal t = ev[i];
    ev[i] = ev[i + 1];
    ev[i + 1] = t;
    eig3_turn(q, i == 0 ? 2 : 0, EIG3_SIN_EIGHTH, EIG3_SIN_EIGHTH);
  }

  if (eigval) cti_copy3(eigval, ev);
  if (eigvec) cti_quat_to_mat(eigvec, q);
  if (quat) cti_copy4(quat, q);
  return count;
}
