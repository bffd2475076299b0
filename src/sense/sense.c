#include "sense/sense.h"

#include "math/quat.h"
#include "query/energy.h"
#include "query/object.h"
#include "query/post_constraint.h"

// ---- position

// The object's frame, seen from the reference when there is one.
static CT_FN void sense_frame(const ctModel* m, const ctData* d, int i, ctReal* out) {
  int type = m->sensor_type[i], otype = m->sensor_objtype[i], obj = m->sensor_objid[i],
      rtype = m->sensor_reftype[i], ref = m->sensor_refid[i];
  const ctReal *pos, *mat, *rpos, *rmat;
  cti_object_frame(m, d, otype, obj, &pos, &mat);
  if (type == CT_SENS_FRAMEQUAT) {
    ctReal q[4], r[4];
    cti_object_quat(q, m, d, otype, obj);
    if (ref >= 0) {
      cti_object_quat(r, m, d, rtype, ref);
      cti_quat_conj(r, r);
      cti_quat_mul(q, r, q);
    }
    cti_copy4(out, q);
    return;
  }
  int axis = type - CT_SENS_FRAMEXAXIS;
  for (int k = 0; k < 3; k++) out[k] = type == CT_SENS_FRAMEPOS ? pos[k] : mat[3 * k + axis];
  if (ref < 0) return;
  cti_object_frame(m, d, rtype, ref, &rpos, &rmat);
  if (type == CT_SENS_FRAMEPOS) cti_sub3(out, out, rpos);
  cti_mul_mat_t_vec3(out, rmat, out);
}

// Pixel of a site in the image of a camera.
static CT_FN void sense_projection(const ctModel* m, const ctData* d, int i, ctReal* out) {
  int site = m->sensor_objid[i], cam = m->sensor_refid[i];
  ctReal rel[3];
  cti_sub3(rel, d->site_xpos + 3 * site, d->cam_xpos + 3 * cam);
  cti_mul_mat_t_vec3(rel, d->cam_xmat + 9 * cam, rel);
  ctReal width = (ctReal)m->cam_resolution[2 * cam], height = (ctReal)m->cam_resolution[2 * cam + 1], fx, fy,
         cx, cy;
  const float *sensor = m->cam_sensorsize + 2 * cam, *lens = m->cam_intrinsic + 4 * cam;
  cx = width / 2;
  cy = height / 2;
  if (sensor[0] > 0 && sensor[1] > 0) {
    fx = (ctReal)lens[0] / (ctReal)sensor[0] * width;
    fy = (ctReal)lens[1] / (ctReal)sensor[1] * height;
    cx += (ctReal)lens[2] / (ctReal)sensor[0] * width;
    cy += (ctReal)lens[3] / (ctReal)sensor[1] * height;
  } else {
    fx = fy = height / (2 * cti_tan(m->cam_fovy[cam] * CT_R(CTI_PI / 360)));
  }
  // the camera looks along its negative z axis; a point in its plane has no place in the picture
  ctReal depth = -rel[2];
  if (cti_abs(depth) < CTI_MINVAL) depth = depth < 0 ? -CTI_MINVAL : CTI_MINVAL;
  out[0] = cx + fx * rel[0] / depth;
  out[1] = cy - fy * rel[1] / depth;
}

// The first row that limits the joint or tendon: its position, velocity or force; 0 when there is none.
static CT_FN ctReal sense_limit(const ctData* d, int constraint, int id, int what) {
  for (int i = d->ne + d->nf; i < d->ne + d->nf + d->nl; i++) {
    if (d->efc_type[i] != constraint || d->efc_id[i] != id) continue;
    return what == CT_STAGE_POS ? d->efc_pos[i] - d->efc_margin[i]
                                : (what == CT_STAGE_VEL ? d->efc_vel[i] : d->efc_force[i]);
  }
  return 0;
}

static CT_FN void sense_position(const ctModel* m, ctData* d, int i, ctReal* out) {
  int id = m->sensor_objid[i];
  switch (m->sensor_type[i]) {
    case CT_SENS_MAGNETOMETER: cti_mul_mat_t_vec3(out, d->site_xmat + 9 * id, m->opt.magnetic); break;
    case CT_SENS_CAMPROJECTION: sense_projection(m, d, i, out); break;
    case CT_SENS_JOINTPOS: out[0] = d->qpos[m->jnt_qposadr[id]]; break;
    case CT_SENS_TENDONPOS: out[0] = d->ten_length[id]; break;
    case CT_SENS_ACTUATORPOS:
      for (int k = 0; k < m->sensor_dim[i]; k++) out[k] = d->actuator_length[m->actuator_outadr[id] + k];
      break;
    case CT_SENS_BALLQUAT:
      cti_copy4(out, d->qpos + m->jnt_qposadr[id]);
      cti_normalize4(out);
      break;
    case CT_SENS_JOINTLIMITPOS: out[0] = sense_limit(d, CT_CNSTR_LIMIT_JOINT, id, CT_STAGE_POS); break;
    case CT_SENS_TENDONLIMITPOS: out[0] = sense_limit(d, CT_CNSTR_LIMIT_TENDON, id, CT_STAGE_POS); break;
    case CT_SENS_SUBTREECOM: cti_copy3(out, d->subtree_com + 3 * id); break;
    case CT_SENS_E_POTENTIAL:
      cti_energy_position(m, d);
      out[0] = d->energy[0];
      break;
    case CT_SENS_E_KINETIC:
      cti_energy_velocity(m, d);
      out[0] = d->energy[1];
      break;
    case CT_SENS_CLOCK: out[0] = d->time; break;
    default: sense_frame(m, d, i, out);
  }
}

// ---- velocity

static CT_FN void sense_frame_velocity(const ctModel* m, const ctData* d, int i, ctReal* out) {
  bool linear = m->sensor_type[i] == CT_SENS_FRAMELINVEL;
  int otype = m->sensor_objtype[i], obj = m->sensor_objid[i], rtype = m->sensor_reftype[i],
      ref = m->sensor_refid[i];
  ctReal vel[6], rvel[6], rel[3], turn[3];
  cti_object_velocity(vel, m, d, otype, obj, false);
  if (ref >= 0) {
    const ctReal *pos, *mat, *rpos, *rmat;
    cti_object_frame(m, d, otype, obj, &pos, &mat);
    cti_object_frame(m, d, rtype, ref, &rpos, &rmat);
    cti_object_velocity(rvel, m, d, rtype, ref, false);
    // as seen by somebody who moves and turns with the reference
    cti_sub3(rel, pos, rpos);
    cti_cross3(turn, rvel, rel);
    cti_add_scaled3(vel + 3, rvel + 3, -1);
    cti_add_scaled3(vel + 3, turn, -1);
    cti_add_scaled3(vel, rvel, -1);
    cti_mul_mat_t_vec3(vel, rmat, vel);
    cti_mul_mat_t_vec3(vel + 3, rmat, vel + 3);
  }
  cti_copy3(out, linear ? vel + 3 : vel);
}

static CT_FN void sense_velocity(const ctModel* m, ctData* d, int i, ctReal* out) {
  int id = m->sensor_objid[i];
  ctReal vel[6];
  switch (m->sensor_type[i]) {
    case CT_SENS_VELOCIMETER:
    case CT_SENS_GYRO:
      cti_object_velocity(vel, m, d, CT_OBJ_SITE, id, true);
      cti_copy3(out, m->sensor_type[i] == CT_SENS_GYRO ? vel : vel + 3);
      break;
    case CT_SENS_JOINTVEL: out[0] = d->qvel[m->jnt_dofadr[id]]; break;
    case CT_SENS_TENDONVEL: out[0] = d->ten_velocity[id]; break;
    case CT_SENS_ACTUATORVEL:
      for (int k = 0; k < m->sensor_dim[i]; k++) out[k] = d->actuator_velocity[m->actuator_outadr[id] + k];
      break;
    case CT_SENS_BALLANGVEL: cti_copy3(out, d->qvel + m->jnt_dofadr[id]); break;
    case CT_SENS_JOINTLIMITVEL: out[0] = sense_limit(d, CT_CNSTR_LIMIT_JOINT, id, CT_STAGE_VEL); break;
    case CT_SENS_TENDONLIMITVEL: out[0] = sense_limit(d, CT_CNSTR_LIMIT_TENDON, id, CT_STAGE_VEL); break;
    case CT_SENS_SUBTREELINVEL:
      cti_subtree_velocity(m, d);
      cti_copy3(out, d->subtree_linvel + 3 * id);
      break;
    case CT_SENS_SUBTREEANGMOM:
      cti_subtree_velocity(m, d);
      cti_copy3(out, d->subtree_angmom + 3 * id);
      break;
    default: sense_frame_velocity(m, d, i, out);
  }
}

// ---- acceleration

// What the site's body is held with by its parent, at the site and along its axes.
static CT_FN void sense_wrench(const ctModel* m, const ctData* d, int site, bool torque, ctReal* out) {
  int body = m->site_bodyid[site];
  const ctReal* f = d->cfrc_int + 6 * body;
  ctReal arm[3], moment[3];
  cti_sub3(arm, d->site_xpos + 3 * site, d->subtree_com + 3 * m->body_rootid[body]);
  cti_cross3(moment, arm, f + 3);
  cti_sub3(moment, f, moment);
  cti_mul_mat_t_vec3(out, d->site_xmat + 9 * site, torque ? moment : f + 3);
}

// Force of all actuators on a tendon.
static CT_FN ctReal sense_tendon_force(const ctModel* m, const ctData* d, int tendon) {
  ctReal sum = 0;
  for (int k = 0; k < m->nactuator; k++) {
    bool acts = m->actuator_trntype[k] == CT_TRN_TENDON && m->actuator_trnid[2 * k] == tendon;
    if (acts) sum += d->actuator_force[m->actuator_outadr[k]];
  }
  return sum;
}

static CT_FN void sense_acceleration(const ctModel* m, ctData* d, int i, ctReal* out) {
  int id = m->sensor_objid[i], type = m->sensor_type[i];
  ctReal acc[6];
  switch (type) {
    case CT_SENS_ACCELEROMETER:
      cti_post_constraint(m, d);
      cti_object_acceleration(acc, m, d, CT_OBJ_SITE, id, true);
      cti_copy3(out, acc + 3);
      break;
    case CT_SENS_FORCE:
    case CT_SENS_TORQUE:
      cti_post_constraint(m, d);
      sense_wrench(m, d, id, type == CT_SENS_TORQUE, out);
      break;
    case CT_SENS_ACTUATORFRC:
      for (int k = 0; k < m->sensor_dim[i]; k++) out[k] = d->actuator_force[m->actuator_outadr[id] + k];
      break;
    case CT_SENS_JOINTACTFRC: out[0] = d->qfrc_actuator[m->jnt_dofadr[id]]; break;
    case CT_SENS_TENDONACTFRC: out[0] = sense_tendon_force(m, d, id); break;
    case CT_SENS_JOINTLIMITFRC: out[0] = sense_limit(d, CT_CNSTR_LIMIT_JOINT, id, CT_STAGE_ACC); break;
    case CT_SENS_TENDONLIMITFRC: out[0] = sense_limit(d, CT_CNSTR_LIMIT_TENDON, id, CT_STAGE_ACC); break;
    default:
      cti_post_constraint(m, d);
      cti_object_acceleration(acc, m, d, m->sensor_objtype[i], id, false);
      cti_copy3(out, type == CT_SENS_FRAMELINACC ? acc + 3 : acc);
  }
}

// ---- all of a stage

// Numbers beyond the cutoff are cut; axes and quaternions are not numbers in that sense.
static CT_FN void cut_off(const ctModel* m, int i, ctReal* out) {
  ctReal cutoff = m->sensor_cutoff[i];
  if (cutoff <= 0) return;
  for (int k = 0; k < m->sensor_dim[i]; k++) {
    if (m->sensor_datatype[i] == CT_DATATYPE_REAL) out[k] = cti_clip(out[k], -cutoff, cutoff);
    if (m->sensor_datatype[i] == CT_DATATYPE_POSITIVE) out[k] = cti_min(out[k], cutoff);
  }
}

CT_FN bool cti_sensor_supported(int type) {
  switch (type) {
    case CT_SENS_TOUCH:
    case CT_SENS_RANGEFINDER:
    case CT_SENS_INSIDESITE:
    case CT_SENS_GEOMDIST:
    case CT_SENS_GEOMNORMAL:
    case CT_SENS_GEOMFROMTO:
    case CT_SENS_CONTACT:
    case CT_SENS_TACTILE:
    case CT_SENS_PLUGIN: return false;
    default: return true;
  }
}

CT_FN void cti_sense(const ctModel* m, ctData* d, int stage) {
  if (m->nsensor == 0 || (m->opt.disableflags & CT_DSBL_SENSOR)) return;
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_needstage[i] != stage || m->sensor_type[i] == CT_SENS_USER) continue;
    ctReal* out = d->sensordata + m->sensor_adr[i];
    if (stage == CT_STAGE_POS) {
      sense_position(m, d, i, out);
    } else if (stage == CT_STAGE_VEL) {
      sense_velocity(m, d, i, out);
    } else {
      sense_acceleration(m, d, i, out);
    }
    cut_off(m, i, out);
  }
}
