// Shapes that plugins describe by their distance: those that are built in, and those of the program.
#include "collide/sdf.h"

#include "math/quat.h"

// Difference by which a gradient is looked for.
#ifdef CT_SINGLE
#define SDF_DIFFERENCE CT_R(3e-4)
#else
#define SDF_DIFFERENCE CT_R(1e-8)
#endif
#define SDF_SLANT CT_R(0.70710678118654752440)

static CT_FN ctReal sdf_hypot(ctReal x, ctReal y) {
  return cti_sqrt(x * x + y * y);
}

static CT_FN ctReal sdf_minus(ctReal a, ctReal b) {
  return cti_max(a, -b);
}

static CT_FN ctReal sdf_smooth_union(ctReal a, ctReal b, ctReal k) {
  ctReal t = cti_clip(CT_R(0.5) + CT_R(0.5) * (b - a) / k, 0, 1);
  return b * (1 - t) + a * t - k * t * (1 - t);
}

static CT_FN ctReal sdf_smooth_intersection(ctReal a, ctReal b, ctReal k) {
  return sdf_minus(cti_max(a, b), sdf_smooth_union(sdf_minus(a, b), sdf_minus(b, a), k));
}

static CT_FN ctReal sdf_torus(const ctReal* prm, const ctReal x[3], ctReal* gradient) {
  ctReal rim = sdf_hypot(x[0], x[1]), across = rim - prm[0], length = sdf_hypot(across, x[2]);
  if (gradient) {
    ctReal out = cti_max(rim, CTI_MINVAL), scale = cti_max(length, CTI_MINVAL);
    gradient[0] = across / scale * (x[0] / out);
    gradient[1] = across / scale * (x[1] / out);
    gradient[2] = x[2] / scale;
  }
  return length - prm[1];
}

// A sphere without its cap, as a skin.
static CT_FN ctReal sdf_bowl(const ctReal* prm, const ctReal x[3]) {
  ctReal height = prm[0], radius = prm[1], rim = cti_sqrt(radius * radius - height * height);
  ctReal rho = sdf_hypot(x[0], x[1]);
  ctReal skin = height * rho < rim * x[2] ? sdf_hypot(rho - rim, x[2] - height)
                                          : cti_abs(sdf_hypot(rho, x[2]) - radius);
  return skin - prm[2];
}

// A screw thread of twelve turns to the metre, and a hexagon with chamfered edges. `q` is the distance from
// the cylinder the thread is cut into.
static CT_FN ctReal sdf_thread(const ctReal x[3], ctReal q) {
  ctReal turn = 12 * x[2] - cti_atan2(x[1], x[0]) / CT_R(2 * CTI_PI);
  return SDF_SLANT * (q - cti_abs(turn - cti_floor(turn) - CT_R(0.5)) / 12);
}

static CT_FN ctReal sdf_hexagon(const ctReal x[3], ctReal q) {
  ctReal sixth = CT_R(CTI_PI / 3);
  ctReal angle = -cti_floor(cti_atan2(x[1], x[0]) / sixth + CT_R(0.5)) * sixth;
  ctReal side = cti_cos(angle) * x[0] - cti_sin(angle) * x[1];
  ctReal block = cti_max(side - CT_R(0.5), cti_abs(x[2] + CT_R(0.25)) - CT_R(0.25));
  return cti_max(block, SDF_SLANT * (x[2] + q - CT_R(0.22)));
}

static CT_FN ctReal sdf_bolt(const ctReal* prm, const ctReal x[3]) {
  ctReal q = sdf_hypot(x[0], x[1]) - prm[0];
  ctReal stem = sdf_minus(sdf_thread(x, q), CT_R(0.5) - cti_abs(x[2] + CT_R(0.5)));
  stem = sdf_minus(stem, SDF_SLANT * (x[2] - q) + SDF_SLANT);
  return cti_min(stem, sdf_hexagon(x, q));
}

static CT_FN ctReal sdf_nut(const ctReal* prm, const ctReal x[3]) {
  ctReal q = sdf_hypot(x[0], x[1]) - prm[0];
  ctReal hole = sdf_minus(sdf_thread(x, q), SDF_SLANT * (x[2] - q) + CT_R(0.5) * SDF_SLANT);
  hole = cti_min(hole, -(SDF_SLANT * (x[2] - q)) - CT_R(0.05) * SDF_SLANT);
  return sdf_minus(sdf_hexagon(x, q), hole);
}

// x in [0, y).
static CT_FN ctReal sdf_remainder(ctReal x, ctReal y) {
  return x - y * cti_floor(x / y);
}

// How far a point is outside of the involute of the base circle that ends at the angle.
static CT_FN ctReal sdf_involute(ctReal rho, ctReal base, ctReal angle) {
  if (!(rho > base)) return CT_R(-1e6);
  return cti_sqrt(rho * rho - base * base) - base * (angle + cti_acos(base / rho));
}

static CT_FN ctReal sdf_gear(const ctReal* prm, const ctReal x[3]) {
  ctReal diameter = prm[1], teeth = prm[2], rho = sdf_hypot(x[0], x[1]);
  ctReal pressure = CT_R(3.096e-5) * teeth * teeth - CT_R(6.557e-3) * teeth + CT_R(0.551);
  ctReal outer = diameter / 2 + diameter / teeth, tooth = CT_R(2.2) * diameter / teeth;
  ctReal inner = prm[4] >= 0 ? prm[4] / 2 : outer - tooth - CT_R(0.14) * diameter;
  if (rho < inner) return inner - rho;
  if (rho > outer + CT_R(0.2)) return rho - outer;
  ctReal base = diameter * cti_cos(pressure) / 2, pitch = CT_R(2 * CTI_PI) / teeth;
  ctReal roll = cti_acos(cti_clip(2 * base / diameter, -1, 1));
  ctReal gap = pitch / 2 - 2 * (cti_tan(roll) - roll);
  ctReal angle = cti_atan2(x[1], x[0]) + prm[0];
  ctReal left = sdf_remainder(angle + gap / 2, pitch) - gap / 2;
  ctReal right = sdf_remainder(-angle - gap / 2, pitch) - gap / 2;
  ctReal flank = cti_max(sdf_involute(rho, base, left), sdf_involute(rho, base, right));
  flank = cti_max(flank, cti_max(left - (pitch - gap), right - (pitch - gap)));
  ctReal disc = sdf_smooth_intersection(rho - outer, flank, CT_R(0.0035) * diameter);
  disc = sdf_smooth_union(disc, rho - (outer - tooth), base - outer + tooth);
  disc = sdf_minus(disc, rho - inner);
  ctReal high = cti_abs(x[2]) - prm[3] / 2;
  return cti_min(cti_max(disc, high), 0) + sdf_hypot(cti_max(disc, 0), cti_max(high, 0));
}

CT_FN ctReal cti_sdf_shape(int kind, const ctPlugin* p, const ctReal* prm, const ctReal x[3]) {
  switch (kind) {
    case CTI_PLUGIN_BOLT: return sdf_bolt(prm, x);
    case CTI_PLUGIN_BOWL: return sdf_bowl(prm, x);
    case CTI_PLUGIN_GEAR: return sdf_gear(prm, x);
    case CTI_PLUGIN_NUT: return sdf_nut(prm, x);
    case CTI_PLUGIN_TORUS: return sdf_torus(prm, x, (ctReal*)0);
    default: return CT_ON_HOST && p ? p->distance(p, prm, x) : CT_R(1e10);
  }
}

CT_FN ctReal cti_sdf_plugin(const ctModel* m, int instance, const ctReal x[3], ctReal* gradient) {
  const ctPlugin* p = cti_plugin_of(m, instance);
  const ctReal* prm = m->plugin_prm + CT_NPLUGINPRM * instance;
  int kind = m->plugin[instance];
  ctReal value = cti_sdf_shape(kind, p, prm, x);
  if (!gradient) return value;
  if (kind == CTI_PLUGIN_TORUS) {
    sdf_torus(prm, x, gradient);
  } else if (CT_ON_HOST && p && p->gradient) {
    p->gradient(p, prm, x, gradient);
  } else {
    for (int i = 0; i < 3; i++) {
      ctReal y[3] = {x[0], x[1], x[2]};
      y[i] += SDF_DIFFERENCE;
      gradient[i] = (cti_sdf_shape(kind, p, prm, y) - value) / SDF_DIFFERENCE;
    }
  }
  return value;
}

#ifndef __cplusplus
void cti_sdf_bounds(int kind, const ctPlugin* p, const ctReal* prm, ctReal aabb[6]) {
  for (int i = 0; i < 6; i++) aabb[i] = 0;
  ctReal wide = 0, high = 0;
  switch (kind) {
    case CTI_PLUGIN_BOLT:
    case CTI_PLUGIN_NUT:
      wide = CT_R(0.6);
      high = 1;
      break;
    case CTI_PLUGIN_BOWL: wide = high = prm[1] + prm[2]; break;
    case CTI_PLUGIN_GEAR:
      wide = CT_R(1.25) * prm[1] / 2;
      high = CT_R(0.55) * prm[3];
      break;
    case CTI_PLUGIN_TORUS:
      wide = prm[0] + prm[1];
      high = prm[1];
      break;
    default: p->bounds(p, prm, aabb); return;
  }
  aabb[3] = aabb[4] = wide;
  aabb[5] = high;
}
#endif
