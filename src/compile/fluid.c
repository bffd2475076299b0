// Coefficients of the ellipsoids that stand for geoms in a fluid: those of the geom, then its added mass and
// inertia by potential flow.
#include "stage/velocity/fluid.h"
#include "compile/build.h"
#include "math/elementary.h"

// Gauss-Kronrod rule of 15 points on [0, 1], symmetric about the last one. Eight digits, as the reference
// values were computed with; the rule itself is good to six.
static const struct {
  double at, weight;
} rule[] = {
    {0.00427231, 0.01146766}, {0.02544604, 0.03154605}, {0.06756779, 0.05239501}, {0.12923441, 0.07032663},
    {0.20695638, 0.08450236}, {0.29707742, 0.09517529}, {0.39610752, 0.10221647}, {0.50000000, 0.10474107},
};
#define NRULE ((int)(sizeof(rule) / sizeof(rule[0])))

// r_i r_j r_k / sqrt((r_i^2 + s)^3 (r_j^2 + s) (r_k^2 + s)) ds at s = scale x^3 / (1 - x)^2.
static double integrand(const double r[3], int i, double scale, double x) {
  int j = (i + 1) % 3, k = (i + 2) % 3;
  double rest = 1 - x;
  double s = scale * x * x * x / (rest * rest), ds = scale * x * x * (3 - x) / (rest * rest * rest);
  double si = r[i] * r[i] + s, sj = r[j] * r[j] + s, sk = r[k] * r[k] + s;
  return r[0] * r[1] * r[2] / sqrt(si * si * si * sj * sk) * ds;
}

// The integral over all s; a scale like that of the integrand's bend keeps thin ellipsoids accurate.
static double kappa(const double r[3], int i) {
  double scale = cti_pow_f64(r[i] * r[i] * r[0] * r[1] * r[2], 0.4), sum = 0;
  for (int p = 0; p < NRULE; p++) {
    sum += rule[p].weight * integrand(r, i, scale, rule[p].at);
    if (p < NRULE - 1) sum += rule[p].weight * integrand(r, i, scale, 1 - rule[p].at);
  }
  return sum;
}

static void added_inertia(ctReal mass[3], ctReal inertia[3], const double r[3]) {
  double volume = 4 * CTI_PI / 3 * r[0] * r[1] * r[2], kap[3];
  if (!(volume > 0)) return;  // a plane without end
  for (int i = 0; i < 3; i++) kap[i] = kappa(r, i);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double difference = r[j] * r[j] - r[k] * r[k], total = r[j] * r[j] + r[k] * r[k];
    double divisor = 2 * difference + total * (kap[j] - kap[k]);
    mass[i] = (ctReal)(volume * kap[i] / (2 - kap[i]));
    // no fluid turns with a shape that is round about the axis
    if (divisor != 0)
      inertia[i] = (ctReal)(volume / 5 * difference * difference * (kap[k] - kap[j]) / divisor);
  }
}

ctStatus cti_pass_fluid(ctiBuild* b) {
  ctModel* m = b->m;
  for (int g = 0; g < m->ngeom; g++) {
    const ctiGeom* s = b->geom[g].spec;
    if (!s->fluidshape) continue;
    ctReal *out = m->geom_fluid + CT_NFLUID * g, size[3];
    out[CTI_FLUID_SCALE] = 1;
    cti_to_real(out + CTI_FLUID_BLUNT, s->fluidcoef, 5);
    cti_fluid_semiaxes(size, m, g);
    added_inertia(out + CTI_FLUID_MASS, out + CTI_FLUID_INERTIA,
                  (const double[3]){size[0], size[1], size[2]});
  }
  return CT_OK;
}
