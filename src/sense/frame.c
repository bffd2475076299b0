// Sensors of frames: where an object is, how it moves, how it accelerates.
#include "math/quat.h"
#include "query/object.h"
#include "query/post_constraint.h"
#include "sense/readers.h"

// The object's frame, and the reference's when there is one.
typedef struct SensedFrame {
  const ctReal *pos, *mat, *refpos, *refmat;
  bool relative;
} SensedFrame;

static CT_FN SensedFrame sensed_frame(const ctModel* m, const ctData* d, int i) {
  SensedFrame f;
  cti_object_frame(m, d, m->sensor_objtype[i], m->sensor_objid[i], &f.pos, &f.mat);
  f.refpos = f.refmat = (const ctReal*)0;
  f.relative = m->sensor_refid[i] >= 0;
  if (f.relative) cti_object_frame(m, d, m->sensor_reftype[i], m->sensor_refid[i], &f.refpos, &f.refmat);
  return f;
}

CT_FN void cti_sense_frame_pos(const ctModel* m, ctData* d, int i, ctReal* out) {
  SensedFrame f = sensed_frame(m, d, i);
  cti_copy3(out, f.pos);
  if (!f.relative) return;
  cti_sub3(out, out, f.refpos);
  cti_mul_mat_t_vec3(out, f.refmat, out);
}

CT_FN void cti_sense_frame_quat(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal q[4], r[4];
  cti_object_quat(q, m, d, m->sensor_objtype[i], m->sensor_objid[i]);
  if (m->sensor_refid[i] >= 0) {
    cti_object_quat(r, m, d, m->sensor_reftype[i], m->sensor_refid[i]);
    cti_quat_conj(r, r);
    cti_quat_mul(q, r, q);
  }
  cti_copy4(out, q);
}

CT_FN void cti_sense_frame_axis(const ctModel* m, ctData* d, int i, ctReal* out) {
  SensedFrame f = sensed_frame(m, d, i);
  int axis = m->sensor_type[i] - CT_SENS_FRAMEXAXIS;
  for (int k = 0; k < 3; k++) out[k] = f.mat[3 * k + axis];
  if (f.relative) cti_mul_mat_t_vec3(out, f.refmat, out);
}

// Rotation and translation, as seen by somebody who moves and turns with the reference.
static CT_FN void sensed_velocity(const ctModel* m, const ctData* d, int i, ctReal vel[6]) {
  cti_object_velocity(vel, m, d, m->sensor_objtype[i], m->sensor_objid[i], false);
  SensedFrame f = sensed_frame(m, d, i);
  if (!f.relative) return;
  ctReal ref[6], rel[3], turn[3];
  cti_object_velocity(ref, m, d, m->sensor_reftype[i], m->sensor_refid[i], false);
  cti_sub3(rel, f.pos, f.refpos);
  cti_cross3(turn, ref, rel);
  cti_add_scaled3(vel + 3, ref + 3, -1);
  cti_add_scaled3(vel + 3, turn, -1);
  cti_add_scaled3(vel, ref, -1);
  cti_mul_mat_t_vec3(vel, f.refmat, vel);
  cti_mul_mat_t_vec3(vel + 3, f.refmat, vel + 3);
}

CT_FN void cti_sense_frame_linvel(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal vel[6];
  sensed_velocity(m, d, i, vel);
  cti_copy3(out, vel + 3);
}

CT_FN void cti_sense_frame_angvel(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal vel[6];
  sensed_velocity(m, d, i, vel);
  cti_copy3(out, vel);
}

static CT_FN void sensed_acceleration(const ctModel* m, ctData* d, int i, bool local, ctReal acc[6]) {
  cti_post_constraint(m, d);
  cti_object_acceleration(acc, m, d, m->sensor_objtype[i], m->sensor_objid[i], local);
}

CT_FN void cti_sense_frame_linacc(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal acc[6];
  sensed_acceleration(m, d, i, false, acc);
  cti_copy3(out, acc + 3);
}

CT_FN void cti_sense_frame_angacc(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal acc[6];
  sensed_acceleration(m, d, i, false, acc);
  cti_copy3(out, acc);
}

// ---- what a box of instruments at a site feels, along its axes

CT_FN void cti_sense_accelerometer(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal acc[6];
  sensed_acceleration(m, d, i, true, acc);
  cti_copy3(out, acc + 3);
}

CT_FN void cti_sense_velocimeter(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal vel[6];
  cti_object_velocity(vel, m, d, CT_OBJ_SITE, m->sensor_objid[i], true);
  cti_copy3(out, vel + 3);
}

CT_FN void cti_sense_gyro(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal vel[6];
  cti_object_velocity(vel, m, d, CT_OBJ_SITE, m->sensor_objid[i], true);
  cti_copy3(out, vel);
}

CT_FN void cti_sense_magnetometer(const ctModel* m, ctData* d, int i, ctReal* out) {
  cti_mul_mat_t_vec3(out, d->site_xmat + 9 * m->sensor_objid[i], m->opt.magnetic);
}
