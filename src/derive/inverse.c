// Derivatives of inverse dynamics in closed form.
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "data/arena.h"
#include "data/data.h"
#include "derive/analytic.h"
#include "derive/chord.h"
#include "derive/derive.h"
#include "derive/sensors.h"
#include "math/dense.h"
#include "stage/solve/row_cost.h"
#include "step/step.h"

// Everything at the base point, and the states, forces and cones of the rows at its acceleration.
static ctStatus evaluate(ctDerive* w, const ctData* at) {
  const ctModel* m = w->m;
  ctData* d = w->workers[0].d;
  for (;;) {
    cti_state_load(m, d, w->state, 1, CT_STATE_INTEGRATION);
    cti_copy(d->qacc, at->qacc, m->nv);
    ctStatus status = cti_inverse_position(m, d);
    status = cti_worse(status, cti_forward_velocity(m, d));
    status = cti_worse(status, cti_forward_actuation(m, d));
    size_t mark = cti_scratch_mark(d);
    ctReal* jar = CTI_SCRATCH(d, ctReal, d->nefc, "inverse.jar");
    if (!cti_arena_short(d) && jar) {
      ctiProblem p;
      cti_problem_whole(&p, m, d);
      cti_problem_residual(&p, jar, d->qacc);
      cti_row_costs(&p, jar, true);
    }
    cti_scratch_release(d, mark);
    if (!cti_arena_short(d)) return status;
    CT_TRY(cti_data_grow(d));
  }
}

static const char* obstacle(const ctModel* m, bool actuation) {
  const char* why = cti_analytic_obstacle(m);
  if (why) return why;
  if (m->opt.integrator == CT_INT_DISCRETE) return "the integrator";
  for (int j = 0; !actuation && m->ngravcomp > 0 && j < m->njnt; j++) {
    if (m->jnt_actgravcomp[j]) return "gravity compensation by actuators";
  }
  return NULL;
}

ctStatus ct_derive_inverse(ctDerive* w, const ctData* d, bool actuation, ctReal* DfDq, ctReal* DfDv,
                           ctReal* DfDa, ctReal* DsDq, ctReal* DsDv, ctReal* DsDa, ctDeriveReport* report,
                           ctError* err) {
  static const char call[] = "ct_derive_inverse";
  ctDeriveReport own;
  if (!report) report = &own;
  CT_TRY(cti_derive_check(call, w, d, 1, err));
  const ctModel* m = w->m;
  const int64_t nv = m->nv, ns = m->nsensordata, stride = 3 * nv + m->na + ns,
                columns = 2 * nv + m->na + m->nu;
  const bool sense = DsDq || DsDv || DsDa;
  *report = (ctDeriveReport){.method = CT_DERIVE_ANALYTIC};
  for (int i = 0; i < nv; i++) {
    if (!isfinite(d->qacc[i]))
      return cti_error(err, CT_ERR_INVALID, "%s: a number of qacc is not finite", call);
  }
  report->reason = obstacle(m, actuation);
  if (!report->reason && sense && !cti_sensors_closed(m, d)) report->reason = "a sensor";
  ctiDeriver* k = &w->workers[0];
  ctStatus status = CT_OK;
  if (!report->reason) {
    cti_state_store(m, d, w->state, 1, CT_STATE_INTEGRATION);
    CT_TRY(cti_derive_follow(w, k, d));
    status = evaluate(w, d);
    report->reason = actuation || sense ? cti_analytic_state_obstacle(m, k->d) : NULL;
  }
  if (report->reason)
    return cti_error(err, CT_ERR_UNSUPPORTED, "%s: there is no closed form because of %s", call,
                     report->reason);
  ctReal* block = cti_derive_memory(w, CTI_DERIVE_COLUMNS,
                                    (size_t)(stride * columns + 6 * nv + nv * ns) * sizeof(ctReal));
  if (!block) return cti_error_memory(err);
  const ctiAnalytic task = {.w = w,
                            .d = k->d,
                            .a = k->d->qacc,
                            .z = k->d->qacc,
                            .eps = CTI_DERIVE_EPS,
                            .inverse = true,
                            .actuation = actuation,
                            .by_acc = sense ? block + stride * columns + 6 * nv : NULL,
                            .columns = block,
                            .stride = stride,
                            .report = report};
  status = cti_worse(status, cti_analytic_columns(&task));
  if (status == CT_ERR_MEMORY) return cti_error_memory(err);
  for (int64_t j = 0; j < nv; j++) {
    if (DfDq) cti_copy(DfDq + nv * j, block + stride * j, m->nv);
    if (DfDv) cti_copy(DfDv + nv * j, block + stride * (nv + j), m->nv);
    if (DsDq) cti_copy(DsDq + ns * j, block + stride * j + stride - ns, m->nsensordata);
    if (DsDv) cti_copy(DsDv + ns * j, block + stride * (nv + j) + stride - ns, m->nsensordata);
    if (DsDa) cti_copy(DsDa + ns * j, task.by_acc + ns * j, m->nsensordata);
  }
  if (DfDa) cti_dense_hessian(m, k->d, DfDa, block + stride * columns);
  return status == CT_OK
             ? CT_OK
             : cti_error(err, status, "%s: an evaluation met trouble: %s", call, ct_status_text(status));
}
