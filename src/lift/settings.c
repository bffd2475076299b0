// Settings: those of the model, and those that leave its numbers alone.
#include <math.h>

#include "lift/lift.h"

// Whether a statistic is the mean of numbers: the compiler finds it again, and nobody has to say it.
static bool is_mean(ctReal statistic, const ctReal* v, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (double)v[i];
  double mean = n > 0 ? sum / n : 1;
  return fabs(mean - (double)statistic) <= (sizeof(ctReal) == sizeof(double) ? 1e-12 : 1e-6) * fabs(mean);
}

static void lift_statistic(ctiStatistic* s, const ctModel* m) {
  const ctStatistic* from = &m->stat;
  if (!is_mean(from->meaninertia, m->dof_M0, m->nv)) s->meaninertia = (double)from->meaninertia;
  if (!is_mean(from->meanmass, m->body_mass + 1, m->nbody - 1)) s->meanmass = (double)from->meanmass;
  s->meansize = (double)from->meansize;
  s->extent = (double)from->extent;
  cti_lift_reals(s->center, from->center, 3);
}

// Whether the compiler would look for a length range that the model does without.
static bool misses_range(const ctModel* m) {
  for (int i = 0; i < m->nactuator; i++) {
    const ctReal* range = m->actuator_lengthrange + 2 * m->actuator_outadr[i];
    bool muscle = m->actuator_gaintype[i] == CT_GAIN_MUSCLE || m->actuator_biastype[i] == CT_BIAS_MUSCLE;
    if (muscle && !(range[0] < range[1])) return true;
  }
  return false;
}

ctStatus cti_lift_settings(ctiLift* l) {
  const ctModel* m = l->m;
  ctSpec* s = l->s;
  CT_TRY(cti_lift_text(l, &s->modelname, m->names));
  s->option = m->opt;
  s->visual = m->vis;
  // numbers stay as they are
  s->compiler.degree = false;
  s->compiler.inertiafromgeom = CTI_FALSE;
  if (misses_range(m)) s->lengthrange.mode = CTI_LENGTH_NONE;
  s->size.njmax = m->njmax;
  s->size.nconmax = m->nconmax;
  s->size.nuserdata = m->nuserdata;
#define COLUMNS(name) s->size.name = m->name > 0 ? m->name : -1
  COLUMNS(nuser_body);
  COLUMNS(nuser_jnt);
  COLUMNS(nuser_geom);
  COLUMNS(nuser_site);
  COLUMNS(nuser_cam);
  COLUMNS(nuser_tendon);
  COLUMNS(nuser_actuator);
  COLUMNS(nuser_sensor);
#undef COLUMNS
  lift_statistic(&s->statistic, m);
  return CT_OK;
}
