#include "derive/sensors.h"

#include "base/kinds.h"
#include "math/dense.h"
#include "query/motion.h"
#include "stage/position/point_motion.h"

// ---- which ones ----

static bool is_rigid(const ctModel* m, int type, int id) {
  return type != CT_OBJ_CAMERA || m->cam_mode[id] == CT_CAMLIGHT_FIXED;
}

// Does every actuator act on a joint of one dof?
static bool plain_actuators(const ctModel* m) {
  for (int i = 0; i < m->nactuator; i++) {
    const int kind = m->actuator_trntype[i];
    if (kind != CT_TRN_JOINT && kind != CT_TRN_JOINTINPARENT) return false;
    if (!cti_joint_is_scalar(m->jnt_type[m->actuator_trnid[2 * i]])) return false;
  }
  return true;
}

static bool is_closed(const ctModel* m, int i) {
  if (m->sensor_cutoff[i] > 0 || m->sensor_history[2 * i] > 0 || m->sensor_interval[2 * i] > 0) return false;
  switch (m->sensor_type[i]) {
    case CT_SENS_ACCELEROMETER:
    case CT_SENS_VELOCIMETER:
    case CT_SENS_GYRO:
    case CT_SENS_MAGNETOMETER:
    case CT_SENS_JOINTPOS:
    case CT_SENS_JOINTVEL:
    case CT_SENS_TENDONPOS:
    case CT_SENS_TENDONVEL:
    case CT_SENS_ACTUATORPOS:
    case CT_SENS_ACTUATORVEL:
    case CT_SENS_ACTUATORFRC:
    case CT_SENS_TENDONACTFRC:
    case CT_SENS_BALLQUAT:
    case CT_SENS_BALLANGVEL:
    case CT_SENS_SUBTREECOM:
    case CT_SENS_CLOCK: return true;
    case CT_SENS_JOINTACTFRC: return plain_actuators(m) && !m->jnt_actgravcomp[m->sensor_objid[i]];
    case CT_SENS_FRAMEPOS:
    case CT_SENS_FRAMEQUAT:
    case CT_SENS_FRAMEXAXIS:
    case CT_SENS_FRAMEYAXIS:
    case CT_SENS_FRAMEZAXIS:
    case CT_SENS_FRAMELINVEL:
    case CT_SENS_FRAMEANGVEL:
    case CT_SENS_FRAMELINACC:
    case CT_SENS_FRAMEANGACC:
      return is_rigid(m, m->sensor_objtype[i], m->sensor_objid[i]) &&
             (m->sensor_refid[i] < 0 || is_rigid(m, m->sensor_reftype[i], m->sensor_refid[i]));
    default: return false;
  }
}

bool cti_sensors_closed(const ctModel* m, const ctData* d) {
  if (d->noise || (m->opt.disableflags & CT_DSBL_SENSOR)) return false;
  for (int i = 0; i < m->nsensor; i++) {
    if (!is_closed(m, i)) return false;
  }
  return true;
}

// ---- where numbers go ----

typedef struct Reader {
  const ctiSensorSlopes* to;
  ctiSlopes* s;
  const ctiDevices* dev;
  int sensor;
} Reader;

// Number k of the sensor by a column.
static ctReal* at_column(const Reader* r, int column, int k) {
  return r->to->columns + r->to->stride * column + r->to->at + r->s->m->sensor_adr[r->sensor] + k;
}
static ctReal* by_q(const Reader* r, int dof, int k) {
  return at_column(r, dof, k);
}
static ctReal* by_v(const Reader* r, int dof, int k) {
  return at_column(r, r->s->m->nv + dof, k);
}
static ctReal* by_a(const Reader* r, int dof, int k) {
  const ctModel* m = r->s->m;
  return r->to->by_acc + (int64_t)dof * m->nsensordata + m->sensor_adr[r->sensor] + k;
}

// ---- frames ----

// An object, and what a dof changes there; zeros where the dof does not move it.
typedef struct Frame {
  ctiPlace place;
  const ctReal* mat;
  int next;  // next dof on its path
  ctiPlaceSlopes by;
} Frame;

static void frame_of(Frame* f, const Reader* r, int type, int id) {
  const ctReal* pos;
  *f = (Frame){.next = -1};
  f->place.body = cti_object_frame(r->s->m, r->s->d, type, id, &pos, &f->mat);
  cti_object_quat(f->place.quat, r->s->m, r->s->d, type, id);
  cti_copy3(f->place.at, pos);
  cti_place_motion(&f->place, r->s);
  f->next = cti_last_dof(r->s->m, f->place.body);
}

static void frame_by(Frame* f, const Reader* r, int dof) {
  f->by = (ctiPlaceSlopes){{0}, {0}, {0}, {0}, {0}, {0}};
  if (f->next != dof) return;
  cti_place_slopes(&f->by, r->s, &f->place, dof);
  f->next = r->s->m->dof_parentid[dof];
}

// out = mat' (dx - turn x x)
static void seen_from(ctReal out[3], const ctReal* mat, const ctReal dx[3], const ctReal turn[3],
                      const ctReal x[3]) {
  ctReal t[3];
  cti_cross3(t, turn, x);
  cti_sub3(t, dx, t);
  cti_mul_mat_t_vec3(out, mat, t);
}

static void write3(ctReal* to, const ctReal x[3]) {
  for (int k = 0; k < 3; k++) to[k] = x[k];
}

// Instruments at a site, along its axes.
static void read_instrument(const Reader* r) {
  const ctModel* m = r->s->m;
  const int type = m->sensor_type[r->sensor];
  Frame f;
  frame_of(&f, r, CT_OBJ_SITE, m->sensor_objid[r->sensor]);
  const ctReal zero[3] = {0, 0, 0};
  // what is felt, in world axes
  ctReal x[3] = {0, 0, 0}, t[3], out[3];
  if (type == CT_SENS_GYRO) cti_copy3(x, f.place.vel);
  if (type == CT_SENS_VELOCIMETER) cti_copy3(x, f.place.vel + 3);
  if (type == CT_SENS_MAGNETOMETER) cti_copy3(x, m->opt.magnetic);
  if (type == CT_SENS_ACCELEROMETER) {
    cti_cross3(t, f.place.vel, f.place.vel + 3);
    cti_add3(x, f.place.acc + 3, t);
    if (!(m->opt.disableflags & CT_DSBL_GRAVITY)) cti_sub3(x, x, m->opt.gravity);
  }
  for (int j = f.next; j >= 0; j = m->dof_parentid[j]) {
    frame_by(&f, r, j);
    const ctReal *dq = zero, *dv = zero, *da = zero;
    if (type == CT_SENS_GYRO) {
      dq = f.by.spin;
      dv = f.by.turn;
    } else if (type == CT_SENS_VELOCIMETER) {
      dq = f.by.vel;
      dv = f.by.move;
    } else if (type == CT_SENS_ACCELEROMETER) {
      dq = f.by.acc + 3;
      dv = f.by.acc_v + 3;
      da = f.by.move;
    }
    seen_from(out, f.mat, dq, f.by.turn, x);
    write3(by_q(r, j, 0), out);
    cti_mul_mat_t_vec3(out, f.mat, dv);
    write3(by_v(r, j, 0), out);
    cti_mul_mat_t_vec3(out, f.mat, da);
    write3(by_a(r, j, 0), out);
  }
}

// Object and reference; without one, the world.
typedef struct FramePair {
  Frame object, ref;
  bool relative;
  ctReal rel[3];  // from the reference to the object
} FramePair;

// Changes of position, spin and velocity as sensed in world axes, before the turn of the reference.
typedef struct Sensed {
  ctReal x[3];          // what is sensed
  ctReal dq[3], dv[3];  // and its change
} Sensed;

static void sensed_vector(Sensed* to, const FramePair* p, int type) {
  const ctiPlaceSlopes *a = &p->object.by, *b = &p->ref.by;
  const ctReal *va = p->object.place.vel, *vb = p->ref.place.vel;
  ctReal t[3], move[3];
  cti_zero3(to->dv);
  cti_sub3(move, a->move, b->move);
  switch (type) {
    case CT_SENS_FRAMEPOS:
      cti_copy3(to->x, p->rel);
      cti_copy3(to->dq, move);
      break;
    case CT_SENS_FRAMEANGVEL:
      cti_sub3(to->x, va, vb);
      cti_sub3(to->dq, a->spin, b->spin);
      cti_sub3(to->dv, a->turn, b->turn);
      break;
    case CT_SENS_FRAMELINVEL:
      cti_sub3(to->x, va + 3, vb + 3);
      cti_sub3(to->dq, a->vel, b->vel);
      cti_copy3(to->dv, move);
      if (!p->relative) break;
      cti_cross3(t, vb, p->rel);
      cti_sub3(to->x, to->x, t);
      cti_cross3(t, b->spin, p->rel);
      cti_sub3(to->dq, to->dq, t);
      cti_cross3(t, vb, move);
      cti_sub3(to->dq, to->dq, t);
      cti_cross3(t, b->turn, p->rel);
      cti_sub3(to->dv, to->dv, t);
      break;
    default: {
      const int axis = type - CT_SENS_FRAMEXAXIS;
      for (int k = 0; k < 3; k++) to->x[k] = p->object.mat[3 * k + axis];
      cti_cross3(to->dq, a->turn, to->x);
    }
  }
}

// dq = conj(r) (turn of the object - that of the reference) q / 2
static void read_quat(const Reader* r, const FramePair* p, int dof) {
  ctReal turn[4] = {0, 0, 0, 0}, out[4], conj[4];
  cti_sub3(turn + 1, p->object.by.turn, p->ref.by.turn);
  cti_quat_mul(out, turn, p->object.place.quat);
  if (p->relative) {
    cti_quat_conj(conj, p->ref.place.quat);
    cti_quat_mul(out, conj, out);
  }
  for (int k = 0; k < 4; k++) *by_q(r, dof, k) = out[k] / 2;
}

static void read_frame(const Reader* r) {
  const ctModel* m = r->s->m;
  const int i = r->sensor, type = m->sensor_type[i];
  FramePair p = {.relative = m->sensor_refid[i] >= 0};
  frame_of(&p.object, r, m->sensor_objtype[i], m->sensor_objid[i]);
  p.ref.next = -1;
  if (p.relative) frame_of(&p.ref, r, m->sensor_reftype[i], m->sensor_refid[i]);
  cti_sub3(p.rel, p.object.place.at, p.ref.place.at);
  for (int j = m->nv - 1; j >= 0; j--) {
    if (p.object.next != j && p.ref.next != j) continue;
    frame_by(&p.object, r, j);
    frame_by(&p.ref, r, j);
    const ctiPlaceSlopes* a = &p.object.by;
    if (type == CT_SENS_FRAMEQUAT) {
      read_quat(r, &p, j);
    } else if (type == CT_SENS_FRAMELINACC || type == CT_SENS_FRAMEANGACC) {
      const int half = type == CT_SENS_FRAMELINACC ? 3 : 0;
      write3(by_q(r, j, 0), a->acc + half);
      write3(by_v(r, j, 0), a->acc_v + half);
      write3(by_a(r, j, 0), half ? a->move : a->turn);
    } else {
      Sensed x;
      sensed_vector(&x, &p, type);
      if (p.relative) {
        seen_from(x.dq, p.ref.mat, x.dq, p.ref.by.turn, x.x);
        cti_mul_mat_t_vec3(x.dv, p.ref.mat, x.dv);
      }
      write3(by_q(r, j, 0), x.dq);
      write3(by_v(r, j, 0), x.dv);
    }
  }
}

// Centre of mass of a subtree: by dofs below it as a whole, by dofs in it as far as they carry it.
static void read_subtree_com(const Reader* r) {
  const ctModel* m = r->s->m;
  const ctData* d = r->s->d;
  const int body = m->sensor_objid[r->sensor];
  if (m->body_subtreemass[body] < CTI_MINVAL) return;
  for (int j = 0; j < m->nv; j++) {
    const int own = m->dof_bodyid[j];
    // from the outer of the two inwards
    int outer = body > own ? body : own, inner = body > own ? own : body;
    while (outer > inner) outer = m->body_parentid[outer];
    if (outer != inner) continue;
    const int part = body > own ? body : own;
    const ctReal weight = m->body_subtreemass[part] / m->body_subtreemass[body];
    ctReal motion[6];
    cti_motion_shift(motion, d->cdof + 6 * j, d->subtree_com + 3 * part,
                     d->subtree_com + 3 * m->body_rootid[own]);
    for (int k = 0; k < 3; k++) *by_q(r, j, k) = weight * motion[3 + k];
  }
}

// ---- joints, tendons, actuators ----

static void read_joint(const Reader* r) {
  const ctModel* m = r->s->m;
  const int j = m->sensor_objid[r->sensor], dof = m->jnt_dofadr[j];
  ctReal quat[4], unit[4] = {0, 0, 0, 0}, out[4];
  switch (m->sensor_type[r->sensor]) {
    case CT_SENS_JOINTPOS: *by_q(r, dof, 0) = 1; return;
    case CT_SENS_JOINTVEL: *by_v(r, dof, 0) = 1; return;
    case CT_SENS_BALLANGVEL:
      for (int k = 0; k < 3; k++) *by_v(r, dof + k, k) = 1;
      return;
    default: break;
  }
  cti_copy4(quat, r->s->d->qpos + m->jnt_qposadr[j]);
  cti_normalize4(quat);
  for (int k = 0; k < 3; k++) {
    for (int l = 0; l < 3; l++) unit[1 + l] = l == k ? CT_R(0.5) : 0;
    cti_quat_mul(out, quat, unit);
    for (int l = 0; l < 4; l++) *by_q(r, dof + k, l) = out[l];
  }
}

static void read_tendon(const Reader* r) {
  const ctModel* m = r->s->m;
  const int t = m->sensor_objid[r->sensor], adr = m->ten_J_rowadr[t];
  const bool pos = m->sensor_type[r->sensor] == CT_SENS_TENDONPOS;
  for (int k = adr; k < adr + m->ten_J_rownnz[t]; k++) {
    const int dof = m->ten_J_colind[k];
    *by_q(r, dof, 0) = pos ? r->s->d->ten_J[k] : r->s->ten_v[k];
    if (!pos) *by_v(r, dof, 0) = r->s->d->ten_J[k];
  }
}

// Add `scale` times the force of an actuator.
static void add_force(const Reader* r, int i, ctReal scale) {
  const ctModel* m = r->s->m;
  const ctData* d = r->s->d;
  const ctiDevices* dev = r->dev;
  const int out = m->actuator_outadr[i], nx = 2 * m->nv + m->na;
  ctReal *length = r->s->row, *velocity = length + m->nv;
  cti_device_lengths(r->s, i, length, velocity);
  for (int j = 0; j < m->nv; j++)
    *by_q(r, j, 0) += scale * (dev->force[out] * length[j] + dev->force[m->nout + out] * velocity[j]);
  for (int k = d->moment_rowadr[out]; k < d->moment_rowadr[out] + d->moment_rownnz[out]; k++)
    *by_v(r, d->moment_colind[k], 0) += scale * dev->force[m->nout + out] * d->actuator_moment[k];
  for (int k = m->actuator_actadr[i]; k < m->actuator_actadr[i] + m->actuator_actnum[i]; k++)
    *at_column(r, 2 * m->nv + k, 0) +=
        scale * dev->force[(int64_t)cti_act_round(dev, m, i, k) * m->nout + out];
  for (int k = m->actuator_ctrladr[i]; k < m->actuator_ctrladr[i] + m->actuator_ctrlnum[i]; k++)
    *at_column(r, nx + k, 0) += scale * dev->force[(int64_t)cti_control_round(m, i, k) * m->nout + out];
}

static void read_actuator(const Reader* r) {
  const ctModel* m = r->s->m;
  const ctData* d = r->s->d;
  const int id = m->sensor_objid[r->sensor], type = m->sensor_type[r->sensor];
  if (type == CT_SENS_ACTUATORPOS || type == CT_SENS_ACTUATORVEL) {
    const int out = m->actuator_outadr[id];
    ctReal *length = r->s->row, *velocity = length + m->nv;
    const bool pos = type == CT_SENS_ACTUATORPOS;
    cti_device_lengths(r->s, id, length, velocity);
    for (int j = 0; j < m->nv; j++) *by_q(r, j, 0) = pos ? length[j] : velocity[j];
    if (pos) return;
    for (int k = d->moment_rowadr[out]; k < d->moment_rowadr[out] + d->moment_rownnz[out]; k++)
      *by_v(r, d->moment_colind[k], 0) = d->actuator_moment[k];
    return;
  }
  if (m->opt.disableflags & CT_DSBL_ACTUATION) return;
  for (int i = 0; i < m->nactuator; i++) {
    const int kind = m->actuator_trntype[i], target = m->actuator_trnid[2 * i];
    if (type == CT_SENS_ACTUATORFRC && i == id) add_force(r, i, 1);
    if (type == CT_SENS_TENDONACTFRC && kind == CT_TRN_TENDON && target == id) add_force(r, i, 1);
    if (type == CT_SENS_JOINTACTFRC && target == id && !r->dev->clipped[m->jnt_dofadr[id]])
      add_force(r, i, m->actuator_gear[6 * m->actuator_outadr[i]]);
  }
}

void cti_sensor_slopes(const ctiSensorSlopes* to, ctiSlopes* s, const ctiDevices* dev) {
  for (int i = 0; i < s->m->nsensor; i++) {
    const Reader r = {to, s, dev, i};
    switch (s->m->sensor_type[i]) {
      case CT_SENS_ACCELEROMETER:
      case CT_SENS_VELOCIMETER:
      case CT_SENS_GYRO:
      case CT_SENS_MAGNETOMETER: read_instrument(&r); break;
      case CT_SENS_JOINTPOS:
      case CT_SENS_JOINTVEL:
      case CT_SENS_BALLQUAT:
      case CT_SENS_BALLANGVEL: read_joint(&r); break;
      case CT_SENS_TENDONPOS:
      case CT_SENS_TENDONVEL: read_tendon(&r); break;
      case CT_SENS_ACTUATORPOS:
      case CT_SENS_ACTUATORVEL:
      case CT_SENS_ACTUATORFRC:
      case CT_SENS_JOINTACTFRC:
      case CT_SENS_TENDONACTFRC: read_actuator(&r); break;
      case CT_SENS_SUBTREECOM: read_subtree_com(&r); break;
      case CT_SENS_CLOCK: break;
      default: read_frame(&r);
    }
  }
}
