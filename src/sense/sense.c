// Sensors of frames: where an object is, how it moves, how it accelerates.
#include "sense/sense.h"

#include "data/arena.h"
#include "data/awake.h"
#include "data/history.h"
#include "math/dense.h"
#include "math/quat.h"
#include "math/rng.h"
#include "math/vec3.h"
#include "model/plugin.h"
#include "query/distance.h"
#include "query/forces.h"
#include "query/motion.h"
#include "sense/contact.h"

// Will somebody read what all bodies accelerate with after the step, as is usual where a sensor does?
static CT_FN bool shows_forces(const ctData* d) {
  return (cti_data_const(d)->needs & CTI_NEED_SHOWN) && cti_awake(d)->shown;
}

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

static CT_FN void sense_frame_pos(const ctModel* m, ctData* d, int i, ctReal* out) {
  SensedFrame f = sensed_frame(m, d, i);
  cti_copy3(out, f.pos);
  if (!f.relative) return;
  cti_sub3(out, out, f.refpos);
  cti_mul_mat_t_vec3(out, f.refmat, out);
}

static CT_FN void sense_frame_quat(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal q[4], r[4];
  cti_object_quat(q, m, d, m->sensor_objtype[i], m->sensor_objid[i]);
  if (m->sensor_refid[i] >= 0) {
    cti_object_quat(r, m, d, m->sensor_reftype[i], m->sensor_refid[i]);
    cti_quat_conj(r, r);
    cti_quat_mul(q, r, q);
  }
  cti_copy4(out, q);
}

static CT_FN void sense_frame_axis(const ctModel* m, ctData* d, int i, ctReal* out) {
  SensedFrame f = sensed_frame(m, d, i);
  int axis = m->sensor_type[i] - CT_SENS_FRAMEXAXIS;
  for (int k = 0; k < 3; k++) out[k] = f.mat[3 * k + axis];
  if (f.relative) cti_mul_mat_t_vec3(out, f.refmat, out);
}

// Rotation and translation, as seen from a frame that moves and turns with the reference.
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

static CT_FN void sense_frame_linvel(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal vel[6];
  sensed_velocity(m, d, i, vel);
  cti_copy3(out, vel + 3);
}

static CT_FN void sense_frame_angvel(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal vel[6];
  sensed_velocity(m, d, i, vel);
  cti_copy3(out, vel);
}

static CT_FN void sensed_acceleration(const ctModel* m, ctData* d, int i, bool local, ctReal acc[6]) {
  if (shows_forces(d)) cti_post_constraint(m, d);
  cti_object_acceleration(acc, m, d, m->sensor_objtype[i], m->sensor_objid[i], local);
}

static CT_FN void sense_frame_linacc(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal acc[6];
  sensed_acceleration(m, d, i, false, acc);
  cti_copy3(out, acc + 3);
}

static CT_FN void sense_frame_angacc(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal acc[6];
  sensed_acceleration(m, d, i, false, acc);
  cti_copy3(out, acc);
}

// ---- what a box of instruments at a site feels, along its axes ----

static CT_FN void sense_accelerometer(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal acc[6];
  sensed_acceleration(m, d, i, true, acc);
  cti_copy3(out, acc + 3);
}

static CT_FN void sense_velocimeter(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal vel[6];
  cti_object_velocity(vel, m, d, CT_OBJ_SITE, m->sensor_objid[i], true);
  cti_copy3(out, vel + 3);
}

static CT_FN void sense_gyro(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal vel[6];
  cti_object_velocity(vel, m, d, CT_OBJ_SITE, m->sensor_objid[i], true);
  cti_copy3(out, vel);
}

static CT_FN void sense_magnetometer(const ctModel* m, ctData* d, int i, ctReal* out) {
  cti_mul_mat_t_vec3(out, d->site_xmat + 9 * m->sensor_objid[i], m->opt.magnetic);
}

// ---- sensors of joints, tendons and actuators, and of the system as a whole ----

static CT_FN void sense_joint_pos(const ctModel* m, ctData* d, int i, ctReal* out) {
  out[0] = d->qpos[m->jnt_qposadr[m->sensor_objid[i]]];
}

static CT_FN void sense_joint_vel(const ctModel* m, ctData* d, int i, ctReal* out) {
  out[0] = d->qvel[m->jnt_dofadr[m->sensor_objid[i]]];
}

static CT_FN void sense_joint_actuation(const ctModel* m, ctData* d, int i, ctReal* out) {
  out[0] = d->qfrc_actuator[m->jnt_dofadr[m->sensor_objid[i]]];
}

static CT_FN void sense_ball_quat(const ctModel* m, ctData* d, int i, ctReal* out) {
  cti_copy4(out, d->qpos + m->jnt_qposadr[m->sensor_objid[i]]);
  cti_normalize4(out);
}

static CT_FN void sense_ball_vel(const ctModel* m, ctData* d, int i, ctReal* out) {
  cti_copy3(out, d->qvel + m->jnt_dofadr[m->sensor_objid[i]]);
}

static CT_FN void sense_tendon_pos(const ctModel* m, ctData* d, int i, ctReal* out) {
  out[0] = d->ten_length[m->sensor_objid[i]];
}

static CT_FN void sense_tendon_vel(const ctModel* m, ctData* d, int i, ctReal* out) {
  out[0] = d->ten_velocity[m->sensor_objid[i]];
}

// Force of all actuators on a tendon.
static CT_FN void sense_tendon_actuation(const ctModel* m, ctData* d, int i, ctReal* out) {
  out[0] = 0;
  for (int k = 0; k < m->nactuator; k++) {
    bool acts = m->actuator_trntype[k] == CT_TRN_TENDON && m->actuator_trnid[2 * k] == m->sensor_objid[i];
    if (acts) out[0] += d->actuator_force[m->actuator_outadr[k]];
  }
}

static CT_FN void sense_actuator_pos(const ctModel* m, ctData* d, int i, ctReal* out) {
  cti_copy(out, d->actuator_length + m->actuator_outadr[m->sensor_objid[i]], m->sensor_dim[i]);
}

static CT_FN void sense_actuator_vel(const ctModel* m, ctData* d, int i, ctReal* out) {
  cti_copy(out, d->actuator_velocity + m->actuator_outadr[m->sensor_objid[i]], m->sensor_dim[i]);
}

static CT_FN void sense_actuator_force(const ctModel* m, ctData* d, int i, ctReal* out) {
  cti_copy(out, d->actuator_force + m->actuator_outadr[m->sensor_objid[i]], m->sensor_dim[i]);
}

// The first row that limits the joint or tendon: its position, velocity or force; 0 when there is none.
static CT_FN ctReal sensed_limit(const ctModel* m, const ctData* d, int sensor, int constraint) {
  for (int i = d->ne + d->nf; i < d->ne + d->nf + d->nl; i++) {
    if (d->efc_type[i] != constraint || d->efc_id[i] != m->sensor_objid[sensor]) continue;
    switch (m->sensor_needstage[sensor]) {
      case CT_STAGE_POS: return d->efc_pos[i] - d->efc_margin[i];
      case CT_STAGE_VEL: return d->efc_vel[i];
      default: return d->efc_force[i];
    }
  }
  return 0;
}

static CT_FN void sense_joint_limit(const ctModel* m, ctData* d, int i, ctReal* out) {
  out[0] = sensed_limit(m, d, i, CT_CNSTR_LIMIT_JOINT);
}

static CT_FN void sense_tendon_limit(const ctModel* m, ctData* d, int i, ctReal* out) {
  out[0] = sensed_limit(m, d, i, CT_CNSTR_LIMIT_TENDON);
}

// ---- subtrees and the whole ----

static CT_FN void sense_subtree_com(const ctModel* m, ctData* d, int i, ctReal* out) {
  cti_copy3(out, d->subtree_com + 3 * m->sensor_objid[i]);
}

static CT_FN void sense_subtree_linvel(const ctModel* m, ctData* d, int i, ctReal* out) {
  cti_subtree_velocity(m, d);
  cti_copy3(out, d->subtree_linvel + 3 * m->sensor_objid[i]);
}

static CT_FN void sense_subtree_angmom(const ctModel* m, ctData* d, int i, ctReal* out) {
  cti_subtree_velocity(m, d);
  cti_copy3(out, d->subtree_angmom + 3 * m->sensor_objid[i]);
}

static CT_FN void sense_potential(const ctModel* m, ctData* d, int i, ctReal* out) {
  (void)i;
  cti_energy_position(m, d);
  out[0] = d->energy[0];
}

static CT_FN void sense_kinetic(const ctModel* m, ctData* d, int i, ctReal* out) {
  (void)i;
  cti_energy_velocity(m, d);
  out[0] = d->energy[1];
}

static CT_FN void sense_clock(const ctModel* m, ctData* d, int i, ctReal* out) {
  (void)m;
  (void)i;
  out[0] = d->time;
}

// The user's own: without a reader the numbers stay what the user made them.
static CT_FN void sense_user(const ctModel* m, ctData* d, int i, ctReal* out) {
  // the user function may read, also after the step, what is not computed otherwise
  if (m->sensor_needstage[i] == CT_STAGE_VEL) cti_subtree_velocity(m, d);
  if (m->sensor_needstage[i] == CT_STAGE_ACC) cti_post_constraint(m, d);
  if (CT_ON_HOST && m->user.sensor) m->user.sensor(m->user.context, m, d, i, out);
}

static CT_FN void sense_plugin(const ctModel* m, ctData* d, int i, ctReal* out) {
  int instance = m->sensor_plugin[i];
  const ctPlugin* p = cti_plugin_of(m, instance);
  if (!p) {
    cti_sense_touch_grid(m, d, i, out);
    return;
  }
  if (m->sensor_needstage[i] == CT_STAGE_VEL) cti_subtree_velocity(m, d);
  if (m->sensor_needstage[i] == CT_STAGE_ACC) cti_post_constraint(m, d);
  if (CT_ON_HOST) p->sensor(p, m, d, instance, i, out);
}

// ---- sensors of the force and torque that hold a body to its parent ----

// The interaction of a site's body with its parent, at the site: force and moment.
static CT_FN void sensed_wrench(const ctModel* m, ctData* d, int site, ctReal force[3], ctReal moment[3]) {
  cti_post_constraint(m, d);
  int body = m->site_bodyid[site];
  const ctReal* f = d->cfrc_int + 6 * body;
  ctReal arm[3];
  cti_sub3(arm, d->site_xpos + 3 * site, d->subtree_com + 3 * m->body_rootid[body]);
  cti_cross3(moment, arm, f + 3);
  cti_sub3(moment, f, moment);
  cti_copy3(force, f + 3);
}

static CT_FN void sense_force(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal force[3], moment[3];
  int site = m->sensor_objid[i];
  sensed_wrench(m, d, site, force, moment);
  cti_mul_mat_t_vec3(out, d->site_xmat + 9 * site, force);
}

static CT_FN void sense_torque(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal force[3], moment[3];
  int site = m->sensor_objid[i];
  sensed_wrench(m, d, site, force, moment);
  cti_mul_mat_t_vec3(out, d->site_xmat + 9 * site, moment);
}

// ---- sensors of shapes in space: is an object in a zone, how far are two apart ----

static CT_FN void sense_inside_site(const ctModel* m, ctData* d, int i, ctReal* out) {
  int site = m->sensor_refid[i], type = m->sensor_objtype[i], id = m->sensor_objid[i];
  if (m->sensor_intprm[CT_NSENS * i]) {
    out[0] = cti_protrusion(m, d, site, type, id);
    return;
  }
  const ctReal *pos, *mat;
  cti_object_frame(m, d, type, id, &pos, &mat);
  // a body without mass stands for what hangs on it, as one that holds a deformable
  if (type == CT_OBJ_BODY && id > 0 && m->body_mass[id] < CTI_MINVAL) pos = d->subtree_com + 3 * id;
  out[0] = cti_inside_site(m, d, site, pos) ? CT_R(1) : CT_R(0);
}

// The geoms of a geom (itself) or body: first id and number.
static CT_FN void geoms_of(const ctModel* m, int type, int id, int* first, int* count) {
  bool geom = type == CT_OBJ_GEOM;
  *first = geom ? id : m->body_geomadr[id];
  *count = geom ? 1 : m->body_geomnum[id];
}

// Smallest distance up to the cutoff, and its end points (zero when there are none).
static CT_FN ctReal sensed_distance(const ctModel* m, ctData* d, int i, ctReal fromto[6]) {
  int first1, count1, first2, count2;
  ctReal best = m->sensor_cutoff[i];
  geoms_of(m, m->sensor_objtype[i], m->sensor_objid[i], &first1, &count1);
  geoms_of(m, m->sensor_reftype[i], m->sensor_refid[i], &first2, &count2);
  for (int k = 0; k < 6; k++) fromto[k] = 0;
  for (int a = first1; a < first1 + count1; a++) {
    for (int b = first2; b < first2 + count2; b++) {
      ctReal points[6], dist = cti_geom_distance(m, d, a, b, m->sensor_cutoff[i], points);
      if (dist >= best) continue;
      best = dist;
      for (int k = 0; k < 6; k++) fromto[k] = points[k];
    }
  }
  return best;
}

static CT_FN void sense_distance(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal fromto[6];
  out[0] = sensed_distance(m, d, i, fromto);
}

static CT_FN void sense_normal(const ctModel* m, ctData* d, int i, ctReal* out) {
  ctReal fromto[6];
  sensed_distance(m, d, i, fromto);
  cti_sub3(out, fromto + 3, fromto);
  if (cti_dot3(out, out) > 0) cti_normalize3(out);
}

static CT_FN void sense_fromto(const ctModel* m, ctData* d, int i, ctReal* out) {
  sensed_distance(m, d, i, out);
}

// ---- noise of sensors: off unless d->noise is set ----

// The numbers of a measurement: who asks decides, never when or in which order. Sensors are streams.
static CT_FN ctiRngKey noise_key(const ctModel* m, const ctData* d, int sensor) {
  ctReal step = m->opt.timestep > 0 ? cti_floor(d->time / m->opt.timestep + CT_R(0.5)) : CT_R(0);
  ctiRngKey key;
  key.seed = d->noise_seed;
  key.world = d->noise_world;
  key.step = (uint64_t)(int64_t)cti_clip(step, CT_R(-9e18), CT_R(9e18));
  key.stream = (uint32_t)sensor;
  return key;
}

// Turn a unit vector or quaternion by a random rotation.
static CT_FN void turn_by_noise(const ctiRngKey* key, ctReal sigma, bool quaternion, ctReal* out) {
  ctReal turn[3], r[2];
  for (int k = 0; k < 3; k++) {
    if (k % 2 == 0) cti_rng_normal2(r, key, (uint32_t)k / 2);
    turn[k] = sigma * r[k % 2];
  }
  if (quaternion) {
    cti_quat_integrate(out, turn, 1);
    return;
  }
  ctReal q[4], mat[9];
  cti_quat_unit(q);
  cti_quat_integrate(q, turn, 1);
  cti_quat_to_mat(mat, q);
  cti_mul_mat_vec3(out, mat, out);
}

// Add noise to what sensor `i` has measured.
static CT_FN void sense_noise(const ctModel* m, const ctData* d, int i, ctReal* out) {
  ctReal sigma = m->sensor_noise[i], r[2] = {0, 0};
  if (!d->noise || !(sigma > 0)) return;
  ctiRngKey key = noise_key(m, d, i);
  int kind = m->sensor_datatype[i];
  if (kind == CT_DATATYPE_AXIS || kind == CT_DATATYPE_QUATERNION) {
    turn_by_noise(&key, sigma, kind == CT_DATATYPE_QUATERNION, out);
    return;
  }
  for (int k = 0; k < m->sensor_dim[i]; k++) {
    if (k % 2 == 0) cti_rng_normal2(r, &key, (uint32_t)k / 2);
    out[k] += sigma * r[k % 2];
    if (kind == CT_DATATYPE_POSITIVE) out[k] = cti_max(out[k], 0);
  }
}

// ---- sensors: each reads its object at the end of the stage it belongs to ----
//   reads   what the stage has computed
//   writes  d->sensordata
//   before  position, velocity or acceleration stage

typedef void (*SensorReader)(const ctModel* m, ctData* d, int i, ctReal* out);

// Readers of contact.c, and kinds that cannot be read yet.
#define sense_touch         cti_sense_touch
#define sense_contact       cti_sense_contact
#define sense_tactile       cti_sense_tactile
#define sense_camprojection cti_sense_camprojection
#define sense_rangefinder   cti_sense_rangefinder
#define sense_NONE          ((SensorReader)0)

CT_CONST SensorReader sensor_readers[CT_SENS_COUNT] = {
#define X(id, text, on, numbers, type, when, scales, reader, ...) sense_##reader,
#include "corten/fields/sensors.def"
#undef X
};

CT_FN bool cti_sensor_supported(int type) {
  return type >= 0 && type < CT_COUNT_OF(sensor_readers) && sensor_readers[type];
}

// Numbers beyond the cutoff are cut; axes and quaternions are not numbers in that sense, points and what a
// contact tells neither.
static CT_FN void cut_off(const ctModel* m, int i, ctReal* out) {
  ctReal cutoff = m->sensor_cutoff[i];
  int type = m->sensor_type[i], kind = m->sensor_datatype[i];
  if (cutoff <= 0 || type == CT_SENS_CONTACT || type == CT_SENS_GEOMFROMTO) return;
  for (int k = 0; k < m->sensor_dim[i]; k++) {
    if (kind == CT_DATATYPE_REAL) out[k] = cti_clip(out[k], -cutoff, cutoff);
    if (kind == CT_DATATYPE_POSITIVE) out[k] = cti_min(out[k], cutoff);
  }
}

// By one lane.
static CT_FN void measure_alone(const ctModel* m, ctData* d, int i, ctReal* out) {
  sensor_readers[m->sensor_type[i]](m, d, i, out);
  sense_noise(m, d, i, out);
  cut_off(m, i, out);
}

// By the team: all lanes read it, and one changes what was read.
static CT_FN void measure(const ctModel* m, ctData* d, int i, ctReal* out) {
  sensor_readers[m->sensor_type[i]](m, d, i, out);
  if (!d->noise && m->sensor_cutoff[i] <= 0) return;
  CT_TEAM_SYNC();
  if (CT_LANE == 0) {
    sense_noise(m, d, i, out);
    cut_off(m, i, out);
  }
  CT_TEAM_SYNC();
}

// A sensor with a period measures when the period since its last turn is over.
static CT_FN bool is_due(const ctModel* m, const ctData* d, ctReal time, int i) {
  ctReal period = m->sensor_interval[2 * i];
  return period <= 0 || time >= d->history[m->sensor_historyadr[i]] + period;
}

// What the past says, where it is asked; false when the sensor shall measure.
static CT_FN bool recall(const ctModel* m, ctData* d, int i, ctReal* out) {
  if (m->sensor_history[2 * i] <= 0) return false;
  ctReal delay = m->sensor_delay[i];
  if (delay <= 0 && is_due(m, d, d->time, i)) return false;
  ctiRing ring = cti_sensor_ring(m, d, i);
  cti_ring_read(out, &ring, d->time - cti_max(delay, 0), m->sensor_history[2 * i + 1]);
  return true;
}

// Kinds that take scratch, or compute for the whole data what the step has not: they are read by the team,
// one after the other. All others belong to one lane each.
static CT_FN bool is_for_team(int type) {
  switch (type) {
    case CT_SENS_RANGEFINDER:
    case CT_SENS_GEOMDIST:
    case CT_SENS_GEOMNORMAL:
    case CT_SENS_GEOMFROMTO:
    case CT_SENS_E_POTENTIAL:
    case CT_SENS_E_KINETIC:
    case CT_SENS_PLUGIN:
    case CT_SENS_USER: return true;
    default: return false;
  }
}

// A few accelerations are sums along the paths of their bodies. From so many dofs for each body of the model
// on, all bodies at once are quicker.
#define MANY_DOFS 6

// What sensors of a stage read that is computed on demand, before lanes read them side by side.
static CT_FN void prepare(const ctModel* m, ctData* d, int stage) {
  bool forces = false, momenta = false;
  int path = 0, dofs = 0;
  CTI_EACH_LANES(i, cti_awake(d)->sensor) {
    if (m->sensor_needstage[i] != stage) continue;
    const ctReal *pos, *mat;
    switch (m->sensor_type[i]) {
      case CT_SENS_ACCELEROMETER:
      case CT_SENS_FRAMELINACC:
      case CT_SENS_FRAMEANGACC:
        path += m->B_rownnz[cti_object_frame(m, d, m->sensor_objtype[i], m->sensor_objid[i], &pos, &mat)];
        break;
      case CT_SENS_FORCE:
      case CT_SENS_TORQUE: forces = true; break;
      case CT_SENS_SUBTREELINVEL:
      case CT_SENS_SUBTREEANGMOM: momenta = true; break;
      default: break;
    }
  }
  if (stage == CT_STAGE_ACC) cti_team_before(path, &dofs);
  if (cti_team_any(momenta)) cti_subtree_velocity(m, d);
  if (cti_team_any(forces) || dofs > MANY_DOFS * m->nbody) cti_post_constraint(m, d);
}

CT_FN void cti_sense(const ctModel* m, ctData* d, int stage) {
  if (m->nsensor == 0 || (m->opt.disableflags & CT_DSBL_SENSOR)) return;
  if (CT_TEAM > 1 || (stage != CT_STAGE_POS && !shows_forces(d))) prepare(m, d, stage);
  bool more = false;
  CTI_EACH_LANES(i, cti_awake(d)->sensor) {
    const int type = m->sensor_type[i];
    if (m->sensor_needstage[i] != stage || !cti_sensor_supported(type)) continue;
    ctReal* out = d->sensordata + m->sensor_adr[i];
    if (CT_TEAM > 1 && is_for_team(type)) {
      more = true;
    } else if (!recall(m, d, i, out)) {
      measure_alone(m, d, i, out);
    }
  }
  CT_TEAM_SYNC();
  if (CT_TEAM == 1 || !cti_team_any(more)) return;
  CTI_EACH(i, cti_awake(d)->sensor) {
    if (m->sensor_needstage[i] != stage || !is_for_team(m->sensor_type[i])) continue;
    ctReal* out = d->sensordata + m->sensor_adr[i];
    if (!recall(m, d, i, out)) measure(m, d, i, out);
  }
}

// Does a sensor store what it measures at `time`?
static CT_FN bool records(const ctModel* m, const ctData* d, int i, ctReal time) {
  if (m->sensor_history[2 * i] <= 0 || !cti_sensor_supported(m->sensor_type[i])) return false;
  return is_due(m, d, time, i);
}

CT_FN const ctReal* cti_sense_now(const ctModel* m, ctData* d) {
  if (m->nhistory == 0 || m->nsensor == 0) return d->sensordata;
  ctReal* now = CTI_SCRATCH(d, ctReal, m->nsensordata, "sense.now");
  if (!now) return now;
  cti_copy(now, d->sensordata, m->nsensordata);
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_delay[i] > 0 && records(m, d, i, d->time)) measure(m, d, i, now + m->sensor_adr[i]);
  }
  return now;
}

CT_FN void cti_sense_record(const ctModel* m, ctData* d, const ctReal* now, ctReal time) {
  if (m->nhistory == 0) return;
  for (int i = 0; i < m->nsensor; i++) {
    if (!records(m, d, i, time)) continue;
    ctiRing ring = cti_sensor_ring(m, d, i);
    if (m->sensor_interval[2 * i] > 0) *ring.owner += m->sensor_interval[2 * i];
    cti_copy(cti_ring_add(&ring, time), now + m->sensor_adr[i], ring.dim);
  }
}
