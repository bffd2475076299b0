// Poses, twists, wrenches, masses, rigid bodies.
#include "kit/kit.h"
#include "math/eig3.h"
#include "math/spatial.h"

// Below this angle sums of sines and cosines are taken from their series.
#define SMALL_ANGLE CT_R(0.1)

// ---- poses ----

void ct_kit_pose_mul(const ctKitPose* a, const ctKitPose* b, ctKitPose* out) {
  ctKitPose r;
  cti_quat_rotate(r.pos, a->quat, b->pos);
  cti_add_to3(r.pos, a->pos);
  cti_quat_mul(r.quat, a->quat, b->quat);
  cti_normalize4(r.quat);
  *out = r;
}

void ct_kit_pose_inverse(const ctKitPose* a, ctKitPose* out) {
  ctKitPose r;
  cti_quat_conj(r.quat, a->quat);
  cti_quat_rotate(r.pos, r.quat, a->pos);
  cti_scale3(r.pos, r.pos, -1);
  *out = r;
}

void ct_kit_pose_point(const ctKitPose* a, const ctReal point[3], ctReal out[3]) {
  ctReal r[3];
  cti_quat_rotate(r, a->quat, point);
  cti_add3(out, r, a->pos);
}

// r = a + b w x a + c w x (w x a)
static void screw(ctReal r[3], const ctReal a[3], const ctReal w[3], ctReal b, ctReal c) {
  ctReal first[3], second[3], sum[3];
  cti_cross3(first, w, a);
  cti_cross3(second, w, first);
  cti_copy3(sum, a);
  cti_add_scaled3(sum, first, b);
  cti_add_scaled3(sum, second, c);
  cti_copy3(r, sum);
}

void ct_kit_pose_exp(const ctKitPose* a, const ctKitTwist* twist, ctReal time, ctKitPose* out) {
  ctReal w[3], v[3], way[3], axis[3], b, c;
  cti_scale3(w, twist->angular, time);
  cti_scale3(v, twist->linear, time);
  ctReal angle2 = cti_dot3(w, w), angle = cti_sqrt(angle2);
  ctKitPose r;
  // the rotation, and the mean of it over the way: 1 + (1 - cos)/angle^2 w x + (angle - sin)/angle^3 w x w x
  if (angle < SMALL_ANGLE) {
    b = CT_R(0.5) - angle2 * (CT_R(1.0 / 24) - angle2 * (CT_R(1.0 / 720) - angle2 * CT_R(1.0 / 40320)));
    c = CT_R(1.0 / 6) -
        angle2 * (CT_R(1.0 / 120) - angle2 * (CT_R(1.0 / 5040) - angle2 * CT_R(1.0 / 362880)));
  } else {
    ctReal sine, cosine;
    cti_sincos(angle, &sine, &cosine);
    b = (1 - cosine) / angle2;
    c = (angle - sine) / (angle2 * angle);
  }
  screw(way, v, w, b, c);
  cti_quat_rotate(r.pos, a->quat, way);
  cti_add_to3(r.pos, a->pos);
  cti_copy3(axis, w);
  cti_normalize3(axis);
  cti_quat_axis_angle(r.quat, axis, angle);
  cti_quat_mul(r.quat, a->quat, r.quat);
  cti_normalize4(r.quat);
  *out = r;
}

void ct_kit_pose_log(const ctKitPose* a, const ctKitPose* b, ctKitTwist* out) {
  ctReal way[3], conj[4], local[3], w[3], c;
  cti_quat_sub(w, b->quat, a->quat);
  cti_sub3(way, b->pos, a->pos);
  cti_quat_conj(conj, a->quat);
  cti_quat_rotate(local, conj, way);
  ctReal angle2 = cti_dot3(w, w), angle = cti_sqrt(angle2);
  // inverse of the mean rotation: 1 - 1/2 w x + (1/angle^2 - (1 + cos)/(2 angle sin)) w x w x
  if (angle < SMALL_ANGLE) {
    c = CT_R(1.0 / 12) +
        angle2 * (CT_R(1.0 / 720) + angle2 * (CT_R(1.0 / 30240) + angle2 * CT_R(1.0 / 1209600)));
  } else {
    ctReal sine, cosine;
    cti_sincos(CT_R(0.5) * angle, &sine, &cosine);
    c = (1 - CT_R(0.5) * angle * cosine / sine) / angle2;
  }
  cti_copy3(out->angular, w);
  screw(out->linear, local, w, CT_R(-0.5), c);
}

// ---- twists and wrenches ----

void ct_kit_twist_out(const ctKitPose* a, const ctKitTwist* twist, ctKitTwist* out) {
  ctReal w[3], v[3], t[3];
  cti_quat_rotate(w, a->quat, twist->angular);
  cti_quat_rotate(v, a->quat, twist->linear);
  cti_cross3(t, a->pos, w);
  cti_copy3(out->angular, w);
  cti_add3(out->linear, v, t);
}

void ct_kit_twist_in(const ctKitPose* a, const ctKitTwist* twist, ctKitTwist* out) {
  ctReal conj[4], v[3], t[3], w[3];
  cti_quat_conj(conj, a->quat);
  cti_cross3(t, twist->angular, a->pos);
  cti_add3(v, twist->linear, t);
  cti_quat_rotate(w, conj, twist->angular);
  cti_copy3(out->angular, w);
  cti_quat_rotate(out->linear, conj, v);
}

void ct_kit_wrench_out(const ctKitPose* a, const ctKitWrench* wrench, ctKitWrench* out) {
  ctReal force[3], torque[3], t[3];
  cti_quat_rotate(force, a->quat, wrench->force);
  cti_quat_rotate(torque, a->quat, wrench->torque);
  cti_cross3(t, a->pos, force);
  cti_copy3(out->force, force);
  cti_add3(out->torque, torque, t);
}

void ct_kit_wrench_in(const ctKitPose* a, const ctKitWrench* wrench, ctKitWrench* out) {
  ctReal conj[4], torque[3], t[3], force[3];
  cti_quat_conj(conj, a->quat);
  cti_cross3(t, a->pos, wrench->force);
  cti_sub3(torque, wrench->torque, t);
  cti_quat_rotate(force, conj, wrench->force);
  cti_copy3(out->force, force);
  cti_quat_rotate(out->torque, conj, torque);
}

ctReal ct_kit_power(const ctKitTwist* twist, const ctKitWrench* wrench) {
  return cti_dot3(twist->angular, wrench->torque) + cti_dot3(twist->linear, wrench->force);
}

// ---- masses ----

static void matrix_of(ctReal out[9], const ctReal i[6]) {
  out[0] = i[0];
  out[4] = i[1];
  out[8] = i[2];
  out[1] = out[3] = i[3];
  out[2] = out[6] = i[4];
  out[5] = out[7] = i[5];
}

static void moments_of(ctReal moments[3], ctReal quat[4], const ctKitMass* mass) {
  ctReal mat[9];
  matrix_of(mat, mass->inertia);
  cti_eig3(moments, (ctReal*)0, quat, mat, CTI_EIG_TOL, CTI_EIG_SORT);
}

ctStatus ct_kit_mass_check(const ctKitMass* mass) {
  if (!mass) return CT_ERR_ARGUMENT;
  if (!cti_kit_not_negative(mass->mass) || !cti_kit_all_finite(mass->com, 3) ||
      !cti_kit_all_finite(mass->inertia, 6)) {
    return CT_ERR_INVALID;
  }
  ctReal moments[3], quat[4];
  moments_of(moments, quat, mass);
  // rounding may take a flat body over the edge
  ctReal slack = 64 * (sizeof(ctReal) == 4 ? CT_R(FLT_EPSILON) : CT_R(DBL_EPSILON)) * cti_abs(moments[0]);
  bool ok = moments[2] >= -slack && moments[1] + moments[2] >= moments[0] - slack;
  return ok ? CT_OK : CT_ERR_INVALID;
}

// Add m (|d|^2 1 - d d') to an inertia.
static void add_offset(ctReal i[6], ctReal mass, const ctReal d[3]) {
  i[0] += mass * (d[1] * d[1] + d[2] * d[2]);
  i[1] += mass * (d[0] * d[0] + d[2] * d[2]);
  i[2] += mass * (d[0] * d[0] + d[1] * d[1]);
  i[3] -= mass * d[0] * d[1];
  i[4] -= mass * d[0] * d[2];
  i[5] -= mass * d[1] * d[2];
}

ctStatus ct_kit_mass_add(const ctKitMass* a, const ctKitMass* b, ctKitMass* out) {
  ctStatus status = ct_kit_mass_check(a);
  if (status == CT_OK) status = ct_kit_mass_check(b);
  if (status != CT_OK || !out) return status != CT_OK ? status : CT_ERR_ARGUMENT;
  ctKitMass r;
  r.mass = a->mass + b->mass;
  // bodies without mass have no centre: that of the first stands
  ctReal share = r.mass > 0 ? b->mass / r.mass : CT_R(0);
  ctReal apart[3], to_a[3], to_b[3];
  cti_sub3(apart, b->com, a->com);
  cti_copy3(r.com, a->com);
  cti_add_scaled3(r.com, apart, share);
  cti_sub3(to_a, a->com, r.com);
  cti_sub3(to_b, b->com, r.com);
  for (int k = 0; k < 6; k++) r.inertia[k] = a->inertia[k] + b->inertia[k];
  add_offset(r.inertia, a->mass, to_a);
  add_offset(r.inertia, b->mass, to_b);
  *out = r;
  return CT_OK;
}

ctStatus ct_kit_mass_move(const ctKitPose* a, const ctKitMass* mass, ctKitMass* out) {
  ctStatus status = ct_kit_mass_check(mass);
  if (status != CT_OK || !a || !out) return status != CT_OK ? status : CT_ERR_ARGUMENT;
  ctReal mat[9], rot[9], half[9], turned[9];
  ctKitMass r;
  matrix_of(mat, mass->inertia);
  cti_quat_to_mat(rot, a->quat);
  cti_mul_mat3(half, rot, mat);
  cti_mul_mat_mat_t3(turned, half, rot);
  r.mass = mass->mass;
  ct_kit_pose_point(a, mass->com, r.com);
  r.inertia[0] = turned[0];
  r.inertia[1] = turned[4];
  r.inertia[2] = turned[8];
  r.inertia[3] = turned[1];
  r.inertia[4] = turned[2];
  r.inertia[5] = turned[5];
  *out = r;
  return CT_OK;
}

ctStatus ct_kit_mass_principal(const ctKitMass* mass, ctKitPose* frame, ctReal moments[3]) {
  ctStatus status = ct_kit_mass_check(mass);
  if (status != CT_OK || !frame || !moments) return status != CT_OK ? status : CT_ERR_ARGUMENT;
  cti_copy3(frame->pos, mass->com);
  moments_of(moments, frame->quat, mass);
  return CT_OK;
}

ctStatus ct_kit_mass_momentum(const ctKitMass* mass, const ctKitTwist* twist, ctKitWrench* out) {
  ctStatus status = ct_kit_mass_check(mass);
  if (status != CT_OK || !twist || !out) return status != CT_OK ? status : CT_ERR_ARGUMENT;
  // the engine's ten numbers about the origin
  ctReal inertia[10], motion[6], momentum[6];
  for (int k = 0; k < 6; k++) inertia[k] = mass->inertia[k];
  add_offset(inertia, mass->mass, mass->com);
  cti_scale3(inertia + 6, mass->com, mass->mass);
  inertia[9] = mass->mass;
  cti_copy3(motion, twist->angular);
  cti_copy3(motion + 3, twist->linear);
  cti_inertia_mul(momentum, inertia, motion);
  cti_copy3(out->torque, momentum);
  cti_copy3(out->force, momentum + 3);
  return CT_OK;
}

ctStatus ct_kit_mass_box(const ctReal size[3], ctReal density, ctKitMass* out) {
  if (!size || !out) return CT_ERR_ARGUMENT;
  bool ok = cti_kit_positive(density);
  for (int k = 0; k < 3; k++) ok = ok && cti_kit_positive(size[k]);
  if (!ok) return CT_ERR_INVALID;
  cti_zero3(out->com);
  cti_zero3(out->inertia + 3);
  out->mass = 8 * density * size[0] * size[1] * size[2];
  for (int k = 0; k < 3; k++) {
    ctReal p = size[(k + 1) % 3], q = size[(k + 2) % 3];
    out->inertia[k] = out->mass * (p * p + q * q) / 3;
  }
  return CT_OK;
}

// ---- rigid bodies ----

// About the centre of mass: force = m a, torque = I alpha + w x I w; then from there to the origin.
ctStatus ct_kit_rigid_acceleration(const ctKitRigid* body, const ctKitMass* mass, const ctKitWrench* wrench,
                                   ctKitTwist* out) {
  ctStatus status = ct_kit_mass_check(mass);
  if (status != CT_OK || !body || !wrench || !out) return status != CT_OK ? status : CT_ERR_ARGUMENT;
  ctReal moments[3], local[4], quat[4], conj[4], arm[3], torque[3], w[3], alpha[3], t[3], acc[3];
  moments_of(moments, local, mass);
  if (!(mass->mass > 0) || !(moments[2] > 0)) return CT_ERR_INVALID;
  cti_quat_mul(quat, body->pose.quat, local);
  cti_quat_conj(conj, quat);
  cti_quat_rotate(arm, body->pose.quat, mass->com);
  cti_cross3(t, arm, wrench->force);
  cti_sub3(torque, wrench->torque, t);
  cti_quat_rotate(torque, conj, torque);
  cti_quat_rotate(w, conj, body->twist.angular);
  for (int k = 0; k < 3; k++) {
    int p = (k + 1) % 3, q = (k + 2) % 3;
    alpha[k] = (torque[k] - (moments[q] - moments[p]) * w[p] * w[q]) / moments[k];
  }
  cti_quat_rotate(alpha, quat, alpha);
  // acceleration of the centre, less what turning adds on the way from the origin
  cti_scale3(acc, wrench->force, 1 / mass->mass);
  cti_cross3(t, alpha, arm);
  cti_sub3(acc, acc, t);
  cti_cross3(t, body->twist.angular, arm);
  cti_cross3(t, body->twist.angular, t);
  cti_sub3(out->linear, acc, t);
  cti_copy3(out->angular, alpha);
  return CT_OK;
}

ctStatus ct_kit_rigid_step(ctKitRigid* body, const ctKitMass* mass, const ctKitWrench* wrench,
                           ctReal timestep) {
  ctKitTwist rate;
  ctStatus status = ct_kit_rigid_acceleration(body, mass, wrench, &rate);
  if (status != CT_OK) return status;
  if (!cti_kit_not_negative(timestep)) return CT_ERR_INVALID;
  ctReal conj[4], local[3];
  cti_add_scaled3(body->twist.angular, rate.angular, timestep);
  cti_add_scaled3(body->twist.linear, rate.linear, timestep);
  cti_add_scaled3(body->pose.pos, body->twist.linear, timestep);
  cti_quat_conj(conj, body->pose.quat);
  cti_quat_rotate(local, conj, body->twist.angular);
  cti_quat_integrate(body->pose.quat, local, timestep);
  cti_normalize4(body->pose.quat);
  return CT_OK;
}
