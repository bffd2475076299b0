// Length ranges of actuators that need one: a damped simulation at the end of which the actuator is as short,
// and one at the end of which it is as long as the model's limits let it be.
#include "base/thread.h"
#include "compile/build.h"
#include "corten/sim.h"
#include "math/elementary.h"
#include "math/sparse.h"
#include "stage/position/position.h"

enum { SHORTEN, LENGTHEN };

#define MAX_STEPS 10000000  // of one simulation

// One output of an actuator whose range is to be found.
typedef struct Job {
  int actuator, output;
  ctReal low[2], high[2];  // lengths seen at the end, by direction
  ctStatus status;
} Job;

typedef struct Work {
  const ctModel* m;
  const ctiLengthRange* how;
  Job* jobs;
  ctData** data;                 // by worker
  ctReal **row, **acceleration;  // by worker, nv reals
} Work;

static bool is_kind(const ctiDrive* drive, int gain, int bias) {
  return drive->gaintype == gain || drive->biastype == bias;
}

static bool is_wanted(const ctiLengthRange* how, const ctiActuator* s) {
  if (how->useexisting && s->lengthrange[0] < s->lengthrange[1]) return false;
  if (how->mode == CTI_LENGTH_ALL) return true;
  bool muscle = is_kind(&s->drive, CT_GAIN_MUSCLE, CT_BIAS_MUSCLE);
  bool user = is_kind(&s->drive, CT_GAIN_USER, CT_BIAS_USER);
  return (muscle && how->mode != CTI_LENGTH_NONE) || (user && how->mode == CTI_LENGTH_MUSCLEUSER);
}

// Limits of the joint or tendon at the other end, NULL when it has none.
static const ctReal* limits_of(const ctModel* m, int actuator) {
  int id = m->actuator_trnid[2 * actuator];
  switch (m->actuator_trntype[actuator]) {
    case CT_TRN_JOINT:
    case CT_TRN_JOINTINPARENT: return m->jnt_limited[id] ? m->jnt_range + 2 * id : NULL;
    case CT_TRN_TENDON: return m->tendon_limited[id] ? m->tendon_range + 2 * id : NULL;
    default: return NULL;
  }
}

// Push with the force that gives the wanted acceleration.
static void push(const Work* w, ctData* d, int worker, int output, ctReal sign) {
  const ctModel* m = w->m;
  ctReal *row = w->row[worker], *acceleration = w->acceleration[worker];
  int adr = d->moment_rowadr[output];
  cti_zero(row, m->nv);
  cti_add_scaled_sparse(row, d->actuator_moment + adr, d->moment_colind + adr, 1, d->moment_rownnz[output]);
  cti_copy(acceleration, row, m->nv);
  cti_solve_mass(m, d, acceleration);
  ctReal force = (ctReal)w->how->accel / cti_max(CTI_MINVAL, cti_norm(acceleration, m->nv));
  if (w->how->maxforce > 0)
    force = cti_min(force, (ctReal)w->how->maxforce / cti_max(CTI_MINVAL, cti_norm(row, m->nv)));
  cti_scale(d->qfrc_applied, row, sign * force, m->nv);
}

static ctStatus simulate(const Work* w, ctData* d, int worker, Job* job, int direction) {
  const ctModel* m = w->m;
  const ctiLengthRange* how = w->how;
  ctReal decay = cti_exp(-m->opt.timestep / cti_max(CT_R(0.01), (ctReal)how->timeconst));
  ctReal *low = &job->low[direction], *high = &job->high[direction];
  bool seen = false;
  *low = *high = 0;
  ct_data_reset(m, d);
  while (d->time < (ctReal)how->inttotal) {
    for (int k = 0; k < m->nv; k++) d->qvel[k] *= decay;
    CT_TRY(ct_step1(m, d));
    push(w, d, worker, job->output, direction == SHORTEN ? CT_R(-1) : CT_R(1));
    CT_TRY(ct_step2(m, d));
    if (d->time <= (ctReal)(how->inttotal - how->interval)) continue;
    ctReal length = d->actuator_length[job->output];
    *low = seen ? cti_min(*low, length) : length;
    *high = seen ? cti_max(*high, length) : length;
    seen = true;
  }
  return CT_OK;
}

static void run_jobs(void* context, int begin, int end, int worker) {
  const Work* w = context;
  for (int i = begin; i < end; i++) {
    Job* job = &w->jobs[i];
    for (int direction = SHORTEN; direction <= LENGTHEN; direction++) {
      job->status = simulate(w, w->data[worker], worker, job, direction);
      if (job->status != CT_OK) break;
    }
  }
}

static ctStatus judge(const ctiBuild* b, const Job* job) {
  const ctiLengthRange* how = &b->spec->lengthrange;
  const ctiElement* e = &b->actuator[job->actuator].spec->head;
  const char* const remedy =
      "limit the joint or tendon, give lengthrange=\"min max\" here, or change <compiler><lengthrange>";
  if (job->status != CT_OK)
    return cti_spec_error(b->err, CT_ERR_INVALID, e, "the simulation that finds its length range fails; %s",
                          remedy);
  double least = job->low[SHORTEN], most = job->high[LENGTHEN];
  if (!(least < most))
    return cti_spec_error(b->err, CT_ERR_INVALID, e,
                          "its length does not change (%g to %g), so it has no "
                          "length range; %s",
                          least, most, remedy);
  for (int i = SHORTEN; i <= LENGTHEN; i++) {
    double low = job->low[i], high = job->high[i];
    if (high - low <= how->tolrange * (most - least)) continue;
    return cti_spec_error(b->err, CT_ERR_INVALID, e,
                          "its length range is not found: pulled to its %s it still moves from %g to %g; %s",
                          i == SHORTEN ? "shortest" : "longest", low, high, remedy);
  }
  return CT_OK;
}

static ctStatus run(ctiBuild* b, Job* jobs, int count) {
  ctModel* m = b->m;
  int threads = b->spec->compiler.usethread ? (int)cti_min(cti_cpu_count(), count) : 1;
  Work w = {m,
            &b->spec->lengthrange,
            jobs,
            CTI_NEW_ARRAY(b->region, ctData*, threads),
            CTI_NEW_ARRAY(b->region, ctReal*, threads),
            CTI_NEW_ARRAY(b->region, ctReal*, threads)};
  if (!w.data || !w.row || !w.acceleration) return cti_error_memory(b->err);
  ctStatus status = CT_OK;
  for (int i = 0; i < threads && status == CT_OK; i++) {
    w.row[i] = CTI_NEW_ARRAY(b->region, ctReal, m->nv);
    w.acceleration[i] = CTI_NEW_ARRAY(b->region, ctReal, m->nv);
    if (!w.row[i] || !w.acceleration[i]) status = cti_error_memory(b->err);
    if (status == CT_OK) status = ct_data_create(&w.data[i], m, b->err);
  }
  ctiPool* pool = NULL;
  if (status == CT_OK && threads > 1) status = cti_pool_create(&pool, threads, &b->spec->allocator, b->err);
  if (status == CT_OK) cti_pool_run(pool, count, 1, run_jobs, &w);
  cti_pool_free(pool);
  for (int i = 0; i < threads; i++) ct_data_free(w.data[i]);
  return status;
}

// Only limits, equalities and the push act.
static ctOption quiet_option(const ctiBuild* b) {
  ctOption opt = b->m->opt;
  opt.disableflags |= CT_DSBL_CONTACT | CT_DSBL_SPRING | CT_DSBL_DAMPER | CT_DSBL_GRAVITY |
                      CT_DSBL_FRICTIONLOSS | CT_DSBL_ACTUATION | CT_DSBL_SENSOR;
  if (b->spec->lengthrange.timestep > 0) opt.timestep = (ctReal)b->spec->lengthrange.timestep;
  return opt;
}

static ctStatus check_duration(const ctiBuild* b) {
  const ctiElement e = {.tag = "lengthrange", .where = {b->spec->file, 0, 0}};
  double steps = b->spec->lengthrange.inttotal / (double)quiet_option(b).timestep;
  if (steps <= MAX_STEPS) return CT_OK;
  return cti_spec_error(b->err, CT_ERR_LIMIT, &e,
                        "inttotal takes %.3g steps for each actuator, %d are allowed; raise timestep", steps,
                        MAX_STEPS);
}

ctStatus cti_pass_length_ranges(ctiBuild* b) {
  ctModel* m = b->m;
  const ctiLengthRange* how = &b->spec->lengthrange;
  Job* jobs = CTI_NEW_ARRAY(b->region, Job, m->nout);
  if (!jobs) return cti_error_memory(b->err);
  int count = 0;
  for (int i = 0; i < b->spec->actuators.count; i++) {
    if (!is_wanted(how, b->actuator[i].spec)) continue;
    const ctReal* limits = how->uselimit ? limits_of(m, i) : NULL;
    for (int k = m->actuator_outadr[i]; k < m->actuator_outadr[i] + m->actuator_outnum[i]; k++) {
      if (limits)
        cti_copy(m->actuator_lengthrange + 2 * k, limits, 2);
      else
        jobs[count++] = (Job){.actuator = i, .output = k};
    }
  }
  if (count == 0) return CT_OK;
  CT_TRY(check_duration(b));
  ctOption kept = m->opt;
  m->opt = quiet_option(b);
  ctStatus status = run(b, jobs, count);
  m->opt = kept;
  for (int i = 0; i < count && status == CT_OK; i++) {
    status = judge(b, &jobs[i]);
    m->actuator_lengthrange[2 * jobs[i].output] = jobs[i].low[SHORTEN];
    m->actuator_lengthrange[2 * jobs[i].output + 1] = jobs[i].high[LENGTHEN];
  }
  return status;
}
