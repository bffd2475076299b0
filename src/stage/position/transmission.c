#include "data/arena.h"
#include "data/awake.h"
#include "math/quat.h"
#include "stage/position/point_motion.h"
#include "stage/position/position.h"

// One transmission while it is computed: rows are written one after another.
typedef struct Transmission {
  const ctModel* m;
  ctData* d;
  int actuator;
  int out;      // output whose row is next
  int adr;      // where that row begins
  ctReal* row;  // dense row, zero from dof `first` to `last`
  int first, last;
} Transmission;

// Begin a dense row that the dofs of two bodies may reach; -1: no body.
static CT_FN void begin_dense_row(Transmission* t, int body0, int body1) {
  const int body[2] = {body0, body1};
  t->first = t->m->nv;
  t->last = -1;
  for (int i = 0; i < 2; i++) {
    int dof = body[i] < 0 ? -1 : cti_last_dof(t->m, body[i]);
    if (dof > t->last) t->last = dof;
    for (; dof >= 0; dof = t->m->dof_parentid[dof]) {
      if (dof < t->first) t->first = dof;
    }
  }
  for (int k = t->first; k <= t->last; k++) t->row[k] = 0;
}

CT_INLINE const ctReal* gear_of(const Transmission* t) {
  return t->m->actuator_gear + 6 * t->out;
}

// The next row has `nnz` elements, written by the caller at `adr`.
static CT_FN void finish_row(Transmission* t, ctReal length, int nnz) {
  t->d->actuator_length[t->out] = length;
  t->d->moment_rowadr[t->out] = t->adr;
  t->d->moment_rownnz[t->out] = nnz;
  t->adr += nnz;
  t->out++;
}

// The next row is what is not zero in the dense row.
static CT_FN void finish_dense_row(Transmission* t, ctReal length) {
  int nnz = 0;
  for (int k = t->first; k <= t->last; k++) {
    if (t->row[k] == 0) continue;
    t->d->actuator_moment[t->adr + nnz] = t->row[k];
    t->d->moment_colind[t->adr + nnz] = k;
    nnz++;
  }
  finish_row(t, length, nnz);
}

// ---- joints ----

// Rotational gear of a ball or free joint in the joint's own frame; given in the parent's for jointinparent.
static CT_FN void rotational_gear(ctReal out[3], const Transmission* t, const ctReal gear[3],
                                  const ctReal quat[4]) {
  if (t->m->actuator_trntype[t->actuator] == CT_TRN_JOINTINPARENT) {
    ctReal inverse[4];
    cti_quat_conj(inverse, quat);
    cti_quat_rotate(out, inverse, gear);
  } else {
    cti_copy3(out, gear);
  }
}

static CT_FN void joint_transmission(Transmission* t) {
  const ctModel* m = t->m;
  int j = m->actuator_trnid[2 * t->actuator], dof = m->jnt_dofadr[j];
  const ctReal* gear = gear_of(t);
  const ctReal* q = t->d->qpos + m->jnt_qposadr[j];
  ctReal* moment = t->d->actuator_moment + t->adr;
  ctReal quat[4], angle[3], length = 0;
  int nnz = 0;
  switch (m->jnt_type[j]) {
    case CT_JOINT_FREE:
      cti_copy4(quat, q + 3);
      cti_normalize4(quat);
      cti_copy3(moment, gear);
      rotational_gear(moment + 3, t, gear + 3, quat);
      nnz = 6;
      break;
    case CT_JOINT_BALL:
      cti_copy4(quat, q);
      cti_normalize4(quat);
      cti_quat_to_vel(angle, quat, 1);
      rotational_gear(moment, t, gear, quat);
      length = cti_dot3(angle, moment);
      nnz = 3;
      break;
    default:
      moment[0] = gear[0];
      length = q[0] * gear[0];
      nnz = 1;
  }
  for (int k = 0; k < nnz; k++) t->d->moment_colind[t->adr + k] = dof + k;
  finish_row(t, length, nnz);
}

// ---- slider and crank ----

// A rod of fixed length joins the crank site to a point that slides along the z axis of the slider site: the
// length is that point's place on the axis. A rod too short to reach is as if it were stretched to the
// nearest point.
static CT_FN void slidercrank_transmission(Transmission* t) {
  const ctModel* m = t->m;
  const ctData* d = t->d;
  int crank = m->actuator_trnid[2 * t->actuator], slider = m->actuator_trnid[2 * t->actuator + 1];
  const ctReal* mat = d->site_xmat + 9 * slider;
  ctReal axis[3] = {mat[2], mat[5], mat[8]}, arm[3], rod = m->actuator_cranklength[t->actuator];
  cti_sub3(arm, d->site_xpos + 3 * crank, d->site_xpos + 3 * slider);
  ctReal along = cti_dot3(arm, axis);
  ctReal reach2 = along * along + rod * rod - cti_dot3(arm, arm);

  // gradient of the length by the arm and by the axis
  ctReal by_arm[3], by_axis[3], length = along;
  cti_copy3(by_arm, axis);
  cti_copy3(by_axis, arm);
  if (reach2 > 0) {
    ctReal reach = cti_sqrt(reach2);
    length -= reach;
    cti_scale3(by_arm, axis, 1 - along / reach);
    cti_add_scaled3(by_arm, arm, 1 / reach);
    cti_scale3(by_axis, arm, 1 - along / reach);
  }
  int body0 = m->site_bodyid[slider], body1 = m->site_bodyid[crank];
  ctReal gear = gear_of(t)[0], wrench0[6], wrench1[6], turn[3];
  cti_wrench_at(wrench0, m, d, by_arm, d->site_xpos + 3 * slider, body0);
  cti_wrench_at(wrench1, m, d, by_arm, d->site_xpos + 3 * crank, body1);
  cti_cross3(turn, axis, by_axis);
  cti_sub3(wrench0, wrench0, turn);
  begin_dense_row(t, body0, body1);
  cti_add_relative_gradient(t->row, m, d, wrench0, body0, wrench1, body1, gear);
  finish_dense_row(t, length * gear);
}

// ---- tendons ----

static CT_FN void tendon_transmission(Transmission* t) {
  const ctModel* m = t->m;
  int tendon = m->actuator_trnid[2 * t->actuator], adr = m->ten_J_rowadr[tendon],
      nnz = m->ten_J_rownnz[tendon];
  ctReal gear = gear_of(t)[0];
  for (int k = 0; k < nnz; k++) {
    t->d->actuator_moment[t->adr + k] = gear * t->d->ten_J[adr + k];
    t->d->moment_colind[t->adr + k] = m->ten_J_colind[adr + k];
  }
  finish_row(t, gear * t->d->ten_length[tendon], nnz);
}

// ---- sites ----

// A force and torque fixed to the axes of a site (or of the reference site), on the site and, turned around,
// on the reference.
static CT_FN void site_wrenches(ctReal wrench0[6], ctReal wrench1[6], const Transmission* t,
                                const ctReal force[3], const ctReal torque[3], int ref, int site) {
  const ctModel* m = t->m;
  const ctData* d = t->d;
  cti_wrench_at(wrench1, m, d, force, d->site_xpos + 3 * site, m->site_bodyid[site]);
  cti_add_to3(wrench1, torque);
  if (ref < 0) return;
  cti_wrench_at(wrench0, m, d, force, d->site_xpos + 3 * ref, m->site_bodyid[ref]);
  cti_add_to3(wrench0, torque);
}

static CT_FN void site_transmission(Transmission* t) {
  const ctModel* m = t->m;
  const ctData* d = t->d;
  int site = m->actuator_trnid[2 * t->actuator], ref = m->actuator_trnid[2 * t->actuator + 1];
  const ctReal* gear = gear_of(t);
  const ctReal* frame = d->site_xmat + 9 * (ref >= 0 ? ref : site);
  ctReal force[3], torque[3], wrench0[6], wrench1[6], length = 0;
  cti_mul_mat_vec3(force, frame, gear);
  cti_mul_mat_vec3(torque, frame, gear + 3);
  site_wrenches(wrench0, wrench1, t, force, torque, ref, site);
  begin_dense_row(t, m->site_bodyid[site], ref < 0 ? -1 : m->site_bodyid[ref]);
  if (ref < 0) {
    cti_add_gradient(t->row, m, d, wrench1, m->site_bodyid[site], 1);
  } else {
    ctReal offset[3], angle[3];
    cti_sub3(offset, d->site_xpos + 3 * site, d->site_xpos + 3 * ref);
    cti_quat_sub(angle, d->site_xquat + 4 * site, d->site_xquat + 4 * ref);
    length = cti_dot3(offset, force) + cti_dot3(angle, gear + 3);
    cti_add_relative_gradient(t->row, m, d, wrench0, m->site_bodyid[ref], wrench1, m->site_bodyid[site], 1);
  }
  finish_dense_row(t, length);
}

// ---- orientation: three outputs, the rotation vector in the frame of the child ----

static CT_FN void joint_orientation(Transmission* t, int j) {
  const ctReal* q = t->d->qpos + t->m->jnt_qposadr[j];
  ctReal quat[4], angle[3];
  cti_copy4(quat, q);
  cti_normalize4(quat);
  cti_quat_to_vel(angle, quat, 1);
  for (int k = 0; k < 3; k++) {
    t->d->actuator_moment[t->adr] = 1;
    t->d->moment_colind[t->adr] = t->m->jnt_dofadr[j] + k;
    finish_row(t, angle[k], 1);
  }
}

static CT_FN void so3_transmission(Transmission* t) {
  const ctModel* m = t->m;
  const ctData* d = t->d;
  int site = m->actuator_trnid[2 * t->actuator], ref = m->actuator_trnid[2 * t->actuator + 1];
  if (ref < 0) {
    joint_orientation(t, site);
    return;
  }
  ctReal angle[3];
  const ctReal* mat = d->site_xmat + 9 * site;
  cti_quat_sub(angle, d->site_xquat + 4 * site, d->site_xquat + 4 * ref);
  for (int k = 0; k < 3; k++) {
    ctReal torque[6] = {mat[k], mat[3 + k], mat[6 + k], 0, 0, 0};
    begin_dense_row(t, m->site_bodyid[ref], m->site_bodyid[site]);
    cti_add_relative_gradient(t->row, m, d, torque, m->site_bodyid[ref], torque, m->site_bodyid[site], 1);
    finish_dense_row(t, angle[k]);
  }
}

// ---- bodies: adhesion ----

CT_INLINE int contact_body(const ctModel* m, const ctContact* c, int side) {
  return c->geom[side] >= 0 ? m->geom_bodyid[c->geom[side]] : -1;
}

// Mean of the normals of all contacts of the body, active or in the gap, each pulling its two bodies
// together.
static CT_FN void body_transmission(Transmission* t) {
  const ctModel* m = t->m;
  const ctData* d = t->d;
  int body = m->actuator_trnid[2 * t->actuator], count = 0;
  t->first = 0;
  t->last = m->nv - 1;
  cti_zero(t->row, m->nv);
  for (int i = 0; i < d->ncon; i++) {
    const ctContact* c = d->contact + i;
    int body0 = contact_body(m, c, 0), body1 = contact_body(m, c, 1);
    bool touches = c->exclude == CT_EXCLUDE_NONE || c->exclude == CT_EXCLUDE_GAP;
    if (!touches || body0 < 0 || body1 < 0 || (body0 != body && body1 != body)) continue;
    ctReal wrench0[6], wrench1[6];
    cti_wrench_at(wrench0, m, d, c->frame, c->pos, body0);
    cti_wrench_at(wrench1, m, d, c->frame, c->pos, body1);
    cti_add_relative_gradient(t->row, m, d, wrench0, body0, wrench1, body1, -1);
    count++;
  }
  for (int k = 0; count > 1 && k < m->nv; k++) t->row[k] /= (ctReal)count;
  finish_dense_row(t, 0);
}

static CT_FN void one_transmission(Transmission* t) {
  t->out = t->m->actuator_outadr[t->actuator];
  switch (t->m->actuator_trntype[t->actuator]) {
    case CT_TRN_JOINT:
    case CT_TRN_JOINTINPARENT: joint_transmission(t); break;
    case CT_TRN_SLIDERCRANK: slidercrank_transmission(t); break;
    case CT_TRN_TENDON: tendon_transmission(t); break;
    case CT_TRN_SITE: site_transmission(t); break;
    case CT_TRN_SO3: so3_transmission(t); break;
    case CT_TRN_BODY: body_transmission(t); break;
    default: finish_row(t, 0, 0);
  }
}

// A team takes actuators together whose rows have as many elements as the model says: those at tendons, and
// at joints of one dof. How many elements; -1: others.
static CT_FN int elements_known(const ctModel* m, int actuator) {
  const int kind = m->actuator_trntype[actuator], object = m->actuator_trnid[2 * actuator];
  if (kind == CT_TRN_TENDON) return m->ten_J_rownnz[object];
  if (kind != CT_TRN_JOINT && kind != CT_TRN_JOINTINPARENT) return -1;
  return m->jnt_type[object] == CT_JOINT_HINGE || m->jnt_type[object] == CT_JOINT_SLIDE ? 1 : -1;
}

// Those from the next actuator on; false when one of them is another.
static CT_FN bool transmissions_together(Transmission* t, int end) {
  if (CT_TEAM == 1) return false;
  const int n = end - t->actuator < CT_TEAM ? end - t->actuator : CT_TEAM;
  const int nnz = CT_LANE < n ? elements_known(t->m, t->actuator + CT_LANE) : 0;
  if (cti_team_any(nnz < 0)) return false;
  int total;
  const int before = cti_team_before(nnz, &total);
  if (CT_LANE < n) {
    Transmission own = *t;
    own.actuator += CT_LANE;
    own.adr += before;
    one_transmission(&own);
  }
  CT_TEAM_SYNC();
  t->actuator += n;
  t->adr += total;
  return true;
}

// An actuator that sleeps keeps its length and moves nothing.
static CT_FN void rest_transmission(Transmission* t) {
  t->out = t->m->actuator_outadr[t->actuator];
  for (int k = 0; k < t->m->actuator_outnum[t->actuator]; k++)
    finish_row(t, t->d->actuator_length[t->out], 0);
}

CT_FN ctStatus cti_transmission(const ctModel* m, ctData* d) {
  if (m->nactuator == 0) return CT_OK;
  size_t mark = cti_scratch_mark(d);
  Transmission t;
  t.m = m;
  t.d = d;
  t.actuator = t.adr = 0;
  t.row = CTI_SCRATCH(d, ctReal, m->nv, "transmission.row");
  if (!t.row) {
    for (int i = 0; i < m->nout; i++) d->moment_rownnz[i] = d->moment_rowadr[i] = 0;
    return CT_STEP_OVERFLOW;
  }
  CTI_EACH_SPAN(s, cti_awake(d)->actuator) {
    for (; t.actuator < s->begin; t.actuator++) rest_transmission(&t);
    while (t.actuator < s->end) {
      if (transmissions_together(&t, s->end)) continue;
      one_transmission(&t);
      t.actuator++;
    }
  }
  for (; t.actuator < m->nactuator; t.actuator++) rest_transmission(&t);
  cti_scratch_release(d, mark);
  return CT_OK;
}
