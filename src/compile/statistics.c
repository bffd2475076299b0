// Averages and extent of a model at its reference configuration, and the length scale of each rotation.
#include <math.h>

#include "compile/build.h"
#include "data/awake.h"
#include "math/dense.h"
#include "stage/position/position.h"
#include "step/derived.h"

// Half size of an infinite plane, and how much of its size a finite one counts.
#define PLANE_SIZE  CT_R(0.01)
#define PLANE_SHARE CT_R(0.1)

typedef struct Extent {
  ctReal low[3], high[3];
} Extent;

static void include(Extent* e, const ctReal at[3], ctReal radius) {
  for (int i = 0; i < 3; i++) {
    e->low[i] = cti_min(e->low[i], at[i] - radius);
    e->high[i] = cti_max(e->high[i], at[i] + radius);
  }
}

static ctReal geom_radius(const ctModel* m, int g) {
  if (m->geom_rbound[g] > 0) return m->geom_rbound[g];
  const ctReal* size = m->geom_size + 3 * g;
  if (size[0] == 0 && size[1] == 0) return PLANE_SIZE;
  return PLANE_SHARE * cti_max(size[0], size[1]);
}

static void measure_extent(ctModel* m, const ctData* d) {
  const ctReal far = CT_R(1e10);
  Extent e = {{far, far, far}, {-far, -far, -far}};
  for (int i = 1; i < m->nbody; i++) {
    include(&e, d->xpos + 3 * i, 0);
    include(&e, d->xipos + 3 * i, 0);
  }
  for (int j = 0; j < m->njnt; j++) include(&e, d->xanchor + 3 * j, 0);
  for (int s = 0; s < m->nsite; s++) include(&e, d->site_xpos + 3 * s, 0);
  for (int g = 0; g < m->ngeom; g++) include(&e, d->geom_xpos + 3 * g, geom_radius(m, g));
  // what has no width has no extent to speak of: along x alone
  bool empty = e.low[0] >= e.high[0];
  ctReal extent = 0;
  for (int i = 0; i < 3; i++) {
    if (e.low[i] > e.high[i]) e.low[i] = e.high[i] = 0;
    m->stat.center[i] = (e.low[i] + e.high[i]) / 2;
    extent = cti_max(extent, e.high[i] - e.low[i]);
  }
  m->stat.extent = empty ? CT_R(2) : cti_max(extent, 2 * m->stat.meansize);
}

static ctReal mean(const ctReal* v, int n, ctReal empty) {
  return n > 0 ? cti_sum(v, n) / (ctReal)n : empty;
}

// What the user has given stands.
static void override(ctModel* m, const ctiStatistic* s) {
  if (!isnan(s->meaninertia)) m->stat.meaninertia = (ctReal)s->meaninertia;
  if (!isnan(s->meanmass)) m->stat.meanmass = (ctReal)s->meanmass;
  if (!isnan(s->meansize)) m->stat.meansize = (ctReal)s->meansize;
  if (!isnan(s->extent)) m->stat.extent = (ctReal)s->extent;
  for (int i = 0; i < 3 && !isnan(s->center[0]); i++) m->stat.center[i] = (ctReal)s->center[i];
}

ctStatus cti_pass_statistics(ctiBuild* b) {
  ctModel* m = b->m;
  ctReal* size = CTI_NEW_ARRAY(b->region, ctReal, m->nbody);
  if (!size) return cti_error_memory(b->err);
  ctData* d;
  CT_TRY(cti_data_create(&d, m, b->err));
  cti_awake_everything(m, d);
  cti_kinematics(m, d);
  cti_com(m, d);
  cti_body_sizes(size, m, d);
  m->stat.meanmass = mean(m->body_mass + 1, m->nbody - 1, 1);
  m->stat.meansize = mean(size + 1, m->nbody - 1, CT_R(0.2));
  measure_extent(m, d);
  override(m, &b->spec->statistic);
  ct_data_free(d);
  return CT_OK;
}
