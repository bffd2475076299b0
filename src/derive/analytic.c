#include "derive/analytic.h"

#include <string.h>

#include "base/alloc.h"
#include "base/kinds.h"
#include "data/arena.h"
#include "derive/devices.h"
#include "derive/sensors.h"
#include "derive/slopes.h"
#include "math/dense.h"
#include "stage/derivative/velocity.h"
#include "stage/position/position.h"
#include "stage/position/reflected.h"
#include "stage/solve/row_cost.h"
#include "stage/velocity/fluid.h"
#include "stage/velocity/velocity.h"
#include "step/step.h"

// ---- what has a closed form ----

static const char* joint_obstacle(const ctModel* m) {
  for (int i = 1; i < m->nbody; i++) {
    for (int j = m->body_jntadr[i]; j < m->body_jntadr[i] + m->body_jntnum[i] - 1; j++) {
      // its axes are those of the body behind all joints
      if (m->jnt_type[j] == CT_JOINT_BALL) return "a ball joint that other joints of its body follow";
    }
  }
  return NULL;
}

// Is the force of a joint at its limit?
static bool is_clipped(const ctModel* m, const ctData* d, int dof) {
  const int j = m->dof_jntid[dof];
  if (!m->jnt_actfrclimited[j] || !cti_joint_is_scalar(m->jnt_type[j])) return false;
  const ctReal *range = m->jnt_actfrcrange + 2 * j, force = d->qfrc_actuator[dof];
  return force <= range[0] || force >= range[1];
}

static bool any_clipped(const ctModel* m, const ctData* d) {
  for (int i = 0; i < m->nv; i++) {
    if (is_clipped(m, d, i)) return true;
  }
  return false;
}

static const char* transmission_obstacle(const ctModel* m, int i) {
  const int id = m->actuator_trnid[2 * i];
  switch (m->actuator_trntype[i]) {
    case CT_TRN_JOINT: return NULL;
    case CT_TRN_JOINTINPARENT:
      return cti_joint_is_scalar(m->jnt_type[id]) ? NULL
                                                  : "an actuator of a ball or free joint in its parent";
    case CT_TRN_TENDON:
      return m->tendon_actfrclimited[id] ? "a tendon whose actuator force is limited" : NULL;
    case CT_TRN_SITE: return m->actuator_trnid[2 * i + 1] >= 0 ? "an actuator with a reference site" : NULL;
    case CT_TRN_SLIDERCRANK: return "a slider-crank";
    case CT_TRN_BODY: return "an adhesion actuator";
    default: return "an orientation servo";
  }
}

static const char* actuator_obstacle(const ctModel* m) {
  if (m->opt.disableflags & CT_DSBL_ACTUATION) return NULL;
  for (int i = 0; i < m->nactuator; i++) {
    const char* why = transmission_obstacle(m, i);
    if (why) return why;
    if (m->actuator_outnum[i] != 1) return "an actuator with several outputs";
    if (m->actuator_plugin[i] >= 0) return "a plugin";
    if (m->actuator_gaintype[i] == CT_GAIN_USER || m->actuator_biastype[i] == CT_BIAS_USER ||
        m->actuator_dyntype[i] == CT_DYN_USER)
      return "an actuator of the user";
  }
  return NULL;
}

const char* cti_analytic_state_obstacle(const ctModel* m, const ctData* d) {
  static const char why[] = "a joint at the limit of its actuator force";
  if ((m->opt.disableflags & CT_DSBL_ACTUATION) || !any_clipped(m, d)) return NULL;
  for (int i = 0; i < m->nactuator; i++) {
    if (m->actuator_trntype[i] == CT_TRN_TENDON || m->actuator_trntype[i] == CT_TRN_SITE) return why;
  }
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_actgravcomp[j] && m->ngravcomp > 0) return why;
  }
  return NULL;
}

// Does an actuator's part of R change with the state?
static bool actuator_varies(const ctModel* m, int i) {
  const int gain = m->actuator_gaintype[i], bias = m->actuator_biastype[i], kind = m->actuator_trntype[i];
  if (gain == CT_GAIN_AFFINE && m->actuator_gainprm[CT_NGAIN * i + 2] != 0) return true;
  if (gain == CT_GAIN_MUSCLE || gain == CT_GAIN_DCMOTOR || gain == CT_GAIN_USER || bias == CT_BIAS_DCMOTOR)
    return true;
  const bool damped = (bias == CT_BIAS_AFFINE) && m->actuator_biasprm[CT_NBIAS * i + 2] != 0;
  const bool fixed = kind == CT_TRN_JOINT || kind == CT_TRN_JOINTINPARENT ||
                     (kind == CT_TRN_TENDON && m->tendon_type[m->actuator_trnid[2 * i]] == CT_TENDON_FIXED);
  return damped && !fixed;
}

static const char* integrator_obstacle(const ctModel* m) {
  if (m->opt.integrator == CT_INT_EULER) return NULL;
  if (cti_has_fluid(m)) return "a fluid with an implicit integrator";
  for (int t = 0; t < m->ntendon; t++) {
    const ctiDamping b = cti_tendon_damping(m, t);
    if (b.poly[0] != 0 || b.poly[1] != 0 || (cti_damps(&b) && m->tendon_type[t] == CT_TENDON_SPATIAL))
      return "a damped tendon with an implicit integrator";
  }
  for (int i = 0; i < m->nactuator; i++) {
    if (actuator_varies(m, i)) return "an actuator whose damping changes, with an implicit integrator";
  }
  return NULL;
}

const char* cti_analytic_obstacle(const ctModel* m) {
  if (m->nflex > 0) return "deformables";
  if (m->flg_adhesion) return "adhesive geoms";
  if (m->flg_surfacevel) return "surface velocities";
  if (m->nplugin > 0) return "a plugin";
  if (m->user.passive || m->user.control) return "a function of the user";
  if (m->opt.enableflags & CT_ENBL_DIAGEXACT) return "the flag diagexact";
  if (m->opt.enableflags & CT_ENBL_SPECULATIVE) return "speculative contacts";
  if (m->opt.enableflags & CT_ENBL_INVDISCRETE) return "the flag invdiscrete";
  for (int t = 0; t < m->ntendon; t++) {
    if (m->tendon_type[t] == CT_TENDON_SPATIAL && cti_tendon_armature(m, t) != 0)
      return "a spatial tendon with armature";
  }
  const char* why = joint_obstacle(m);
  if (!why) why = integrator_obstacle(m);
  return why ? why : actuator_obstacle(m);
}

// ---- memory ----

static size_t lay_out(ctiSlopes* s, ctiDevices* dev, ctReal* at) {
  const ctModel* m = s->m;
  const size_t nv = (size_t)m->nv, nbody = (size_t)m->nbody, rounds = (size_t)dev->rounds;
  size_t total = 0;
#define TAKE(member, count)        \
  do {                             \
    if (at) (member) = at + total; \
    total += (size_t)(count);      \
  } while (0)
  TAKE(s->field, 6 * nbody);
  TAKE(s->acc, 6 * nbody);
  TAKE(s->turn_v, 6 * nv);
  TAKE(s->turn_a, 6 * nv);
  TAKE(s->lift, 6 * nv);
  TAKE(s->rate, 6 * nv);
  TAKE(s->by_spin, 18 * nbody);
  TAKE(s->by_drift, 36 * nbody);
  TAKE(s->by_place, 36 * nbody);
  TAKE(s->force, 6 * nbody);
  TAKE(s->scratch, 48 * nv + 18 * nbody);
  TAKE(s->row, 2 * nv);
  TAKE(s->ten_v, m->nJten);
  TAKE(s->ten_a, m->nJten);
  TAKE(s->tension, m->ntendon);
  TAKE(dev->force, rounds * (size_t)m->nout);
  TAKE(dev->act, rounds * (size_t)m->na);
  TAKE(dev->saved, m->nactuator);
  TAKE(dev->width, m->nactuator);
  TAKE(dev->next, m->na);
#undef TAKE
  return total;
}

// ---- what is implicit in the integrator ----

// Columns of R z: of damping that grows with speed, and of the bias force where it is in R. That is quadratic
// in the velocity, so the difference of its derivatives along z is exact.
static void implicit_columns(const ctiAnalytic* task, ctiSlopes* s, bool* row) {
  const ctModel* m = s->m;
  const ctReal h = m->opt.timestep;
  ctReal* out_q = task->columns + 2 * m->nv;
  ctReal* out_v = out_q + task->stride * m->nv;
  const bool damps = !(m->opt.disableflags & CT_DSBL_DAMPER);
  for (int i = 0; damps && i < m->nv; i++) {
    const ctiDamping b = cti_dof_damping(m, i);
    const ctReal v = s->d->qvel[i], sign = v < 0 ? CT_R(-1) : CT_R(1);
    out_v[task->stride * i + i] += h * sign * (2 * b.poly[0] + 6 * cti_abs(v) * b.poly[1]) * task->z[i];
  }
  const bool all = m->opt.integrator == CT_INT_IMPLICIT;
  bool any = all;
  for (int i = 0; i < m->nv; i++) {
    row[i] = m->opt.integrator == CT_INT_IMPLICITFAST && cti_is_lone_free_body(m, m->dof_treeid[i]);
    any = any || row[i];
  }
  if (!any) return;
  ctReal largest = 1;
  for (int i = 0; i < m->nv; i++) largest = cti_max(largest, cti_abs(task->z[i]));
  const ctReal step = 1 / largest;
  cti_slopes_bias_along(s, task->z, step, all ? NULL : row, out_q, out_v, h / (2 * step));
  cti_slopes_bias_along(s, task->z, -step, all ? NULL : row, out_q, out_v, -h / (2 * step));
}

// ---- all columns ----

// Forces that count as none beside the largest.
#define EDGE CT_R(1e-6)

// How much force keeps row i from the other side of the edge it is nearest to; of an elliptic cone, at its
// first row, to sticking, sliding or letting go.
static ctReal force_to_edge(const ctData* d, const ctReal* jar, int i) {
  if (d->efc_type[i] != CT_CNSTR_CONTACT_ELLIPTIC) {
    const bool rubs = d->efc_type[i] == CT_CNSTR_FRICTION_DOF || d->efc_type[i] == CT_CNSTR_FRICTION_TENDON;
    return cti_abs((rubs ? d->efc_frictionloss[i] : 0) - cti_abs(d->efc_D[i] * jar[i]));
  }
  ctiConePoint p;
  const ctContact* con = d->contact + d->efc_id[i];
  cti_cone_at(&p, con, jar + i);
  return cti_cone_stiffness(d->efc_D[i], p.mu) * p.mu *
         cti_min(cti_abs(p.N - p.mu * p.T), cti_abs(p.mu * p.N + p.T));
}

// Rows that act, and those close to where they begin or cease to.
static ctStatus count_rows(const ctiAnalytic* task) {
  ctData* d = task->d;
  ctReal largest = 0;
  ctDeriveReport* r = task->report;
  r->active_rows = r->edges = 0;
  for (int i = 0; i < d->nefc; i++) largest = cti_max(largest, cti_abs(d->efc_force[i]));
  if (largest == 0) return CT_OK;
  size_t mark = cti_scratch_mark(d);
  ctReal* jar = CTI_SCRATCH(d, ctReal, d->nefc, "derive.jar");
  if (!jar) return CT_STEP_OVERFLOW;
  ctiProblem p;
  cti_problem_whole(&p, task->w->m, d);
  cti_problem_residual(&p, jar, task->a);
  for (int i = 0; i < d->nefc; i++) {
    if (d->efc_state[i] != CTI_ROW_SATISFIED) r->active_rows++;
    const bool first =
        d->efc_type[i] != CT_CNSTR_CONTACT_ELLIPTIC || d->contact[d->efc_id[i]].efc_address == i;
    if (i >= d->ne && first && force_to_edge(d, jar, i) < EDGE * largest) r->edges++;
  }
  cti_scratch_release(d, mark);
  return CT_OK;
}

static ctStatus fill(const ctiAnalytic* task, ctiSlopes* s, ctiDevices* dev, bool* clipped) {
  const ctModel* m = s->m;
  const int nx = 2 * m->nv + m->na;
  const bool devices = !task->inverse || task->actuation;
  ctStatus status = devices || task->by_acc ? cti_devices_probe(dev, m, s->d) : CT_OK;
  for (int i = 0; i < m->nv; i++) clipped[i] = devices && is_clipped(m, s->d, i);
  cti_slopes_begin(s);
  cti_zero(s->tension, m->ntendon);
  cti_slopes_row_tensions(s);
  if (devices) cti_device_tensions(s);
  cti_slopes_tendons(s);
  status = cti_worse(status, cti_slopes_contacts(s));
  cti_slopes_rows(s);
  if (devices) cti_slopes_devices(s, dev);
  cti_slopes_finish(s, !task->inverse);
  if (devices)
    cti_device_columns(s, dev, task->columns + task->stride * 2 * m->nv, task->columns + task->stride * nx);
  if (task->by_acc) {
    const ctiSensorSlopes to = {task->columns, task->stride, 3 * m->nv + m->na, task->by_acc};
    cti_sensor_slopes(&to, s, dev);
  }
  if (task->implicit && task->gap) cti_slopes_mass(s, task->gap, task->columns + m->nv);
  if (task->implicit) implicit_columns(task, s, s->second);
  status = cti_worse(status, count_rows(task));
  task->report->contacts = s->contacts;
  task->report->contacts_by_differences = s->contact_differences;
  task->report->wraps_by_differences = s->wrap_differences;
  task->report->switching = s->contact_switches;
  return status;
}

ctStatus cti_analytic_columns(const ctiAnalytic* task) {
  const ctModel* m = task->w->m;
  const int columns = 2 * m->nv + m->na + m->nu;
  ctiSlopes s = {.m = m,
                 .d = task->d,
                 .a = task->a,
                 .eps = task->eps,
                 .gq = task->columns,
                 .gv = task->columns + task->stride * m->nv,
                 .stride = task->stride};
  ctiDevices dev = {.eps = task->eps, .act_at = 3 * m->nv};
  cti_devices_count(&dev, m);
  const size_t nv = (size_t)m->nv;
  ctReal* block = cti_derive_memory(task->w, CTI_DERIVE_REALS, lay_out(&s, &dev, NULL) * sizeof(ctReal));
  int* ints = cti_derive_memory(task->w, CTI_DERIVE_INTS, 2 * nv * sizeof(int));
  bool* bools = cti_derive_memory(task->w, CTI_DERIVE_BOOLS, 3 * nv * sizeof(bool));
  ctStatus status = CT_ERR_MEMORY;
  if (block && ints && bools) {
    lay_out(&s, &dev, block);
    s.group = ints;
    s.dof = ints + m->nv;
    s.second = bools;
    dev.clipped = bools + 2 * m->nv;
    // sensors follow, and may be somebody else's
    const int own = 3 * m->nv + m->na + (task->by_acc ? m->nsensordata : 0);
    const bool whole = own == task->stride;
    if (whole) memset(task->columns, 0, (size_t)task->stride * (size_t)columns * sizeof(ctReal));
    for (int j = 0; j < columns && !whole; j++) cti_zero(task->columns + task->stride * j, own);
    for (int64_t j = 0; task->by_acc && j < (int64_t)m->nv * m->nsensordata; j++) task->by_acc[j] = 0;
    status = fill(task, &s, &dev, bools + 2 * m->nv);
  }
  return status;
}
