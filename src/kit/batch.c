// Batched vectors and contacts: math/points.h for callers of the kit, and the normal forces of many contacts.
#include "kit/kit.h"
#include "math/wide.h"
#include "stage/constraint/softness.h"

// ---- vectors ----

int ct_kit_max_dot(const float* point, int n, const ctReal direction[3], ctReal* most) {
  if (n <= 0 || !point || !direction) return -1;
  int best = cti_max_dot(point, n, direction);
  if (most) *most = cti_height(point + 3 * (int64_t)best, direction);
  return best;
}

void ct_kit_dot4(const ctKitVec3x4* a, const ctKitVec3x4* b, int count, ctReal* out) {
  if (count > 0) cti_dot_groups(out, (const ctReal*)a, (const ctReal*)b, count, 4);
}

void ct_kit_dot8(const ctKitVec3x8* a, const ctKitVec3x8* b, int count, ctReal* out) {
  if (count > 0) cti_dot_groups(out, (const ctReal*)a, (const ctReal*)b, count, 8);
}

void ct_kit_integrate8(const ctKitVec3x8* force, const ctReal* inverse_mass, int count,
                       const ctReal gravity[3], ctReal timestep, ctKitVec3x8* velocity,
                       ctKitVec3x8* position) {
  if (count <= 0) return;
  cti_integrate_groups((ctReal*)position, (ctReal*)velocity, (const ctReal*)force, inverse_mass, count,
                       gravity, timestep);
}

void ct_kit_box_overlap(const ctReal* boxes, int n, const ctReal least[3], const ctReal most[3],
                        ctByte* out) {
  if (n > 0) cti_box_overlaps(out, boxes, n, least, most);
}

// ---- normal forces ----

// What all contacts share.
typedef struct Law {
  ctReal solimp[5];  // within its bounds
  ctReal stiffness, damping, margin;
} Law;

typedef struct Contacts {
  const ctReal *distance, *velocity, *free, *mass;
} Contacts;

// One row on its own, as in ct_kit_limit_force().
static ctReal force_of(const Law* law, const Contacts* c, int i) {
  if (c->distance[i] >= law->margin) return 0;
  ctReal slope, violation = c->distance[i] - law->margin,
                impedance = cti_impedance_at(law->solimp, violation, &slope);
  ctReal reference = -law->damping * c->velocity[i] - law->stiffness * impedance * violation;
  return cti_max(0, (reference - c->free[i]) * impedance * c->mass[i]);
}

#ifdef CTI_MANY
#define AVX2 __attribute__((target("avx2"))) static

// How impedance rises with the violation: not at all, in a line, by squares with the usual midpoint of one
// half, or with another. Other powers are left to the plain loop.
typedef enum Curve { CONSTANT, LINE, SQUARES, SQUARES_MID, OTHER } Curve;

static Curve curve_of(const ctReal s[5]) {
  if (s[0] == s[1] || s[2] <= CTI_MINVAL) return CONSTANT;
  if (s[4] == 1) return LINE;
  if (s[4] == 2) return s[3] == CT_R(0.5) ? SQUARES : SQUARES_MID;
  return OTHER;
}

// force_of() in the same order, with choices in place of branches; as many as fill registers. `curve` is a
// constant where this is called. Returns how many.
AVX2 inline __attribute__((always_inline)) int wide_forces(ctReal* CT_RESTRICT out, const Law* law,
                                                           const Contacts* contacts, int n, Curve curve) {
  const Contacts c = *contacts;
  const ctReal* s = law->solimp;
  const ctiWide one = CTI_W(set1)(1), two = CTI_W(set1)(2), zero = CTI_W(setzero)(), minus = zero - one;
  const ctiWide first = CTI_W(set1)(s[0]), last = CTI_W(set1)(s[1]), width = CTI_W(set1)(s[2]),
                mid = CTI_W(set1)(s[3]), span = last - first, mean = CTI_W(set1)((s[0] + s[1]) / 2);
  const ctiWide margin = CTI_W(set1)(law->margin), stiffness = CTI_W(set1)(law->stiffness),
                damping = CTI_W(set1)(-law->damping);
  int i = 0;
  for (; i <= n - CTI_WIDE; i += CTI_WIDE) {
    ctiWide distance = CTI_W(loadu)(c.distance + i), violation = distance - margin, impedance = mean;
    if (curve != CONSTANT) {
      ctiWide x = minus * violation / width, y = x;
      if (curve == SQUARES || curve == SQUARES_MID) {
        const ctiWide low = CTI_W_COMPARE(x, mid, _CMP_LE_OQ);
        if (curve == SQUARES) {
          // the smaller part is the one meant, and division by one half is a product
          const ctiWide part = CTI_W(min)(x, one - x);
          y = part * two * part;
        } else {
          const ctiWide part = CTI_W(blendv)(one - x, x, low);
          y = part / CTI_W(blendv)(one - mid, mid, low) * part;
        }
        y = CTI_W(blendv)(one - y, y, low);
      }
      impedance = CTI_W(blendv)(first + y * span, last, CTI_W_COMPARE(x, one, _CMP_GE_OQ));
    }
    ctiWide reference = damping * CTI_W(loadu)(c.velocity + i) - stiffness * impedance * violation;
    ctiWide force = (reference - CTI_W(loadu)(c.free + i)) * impedance * CTI_W(loadu)(c.mass + i);
    ctiWide apart = CTI_W_COMPARE(distance, margin, _CMP_GE_OQ);
    CTI_W(storeu)(out + i, CTI_W(andnot)(apart, CTI_W(max)(zero, force)));
  }
  return i;
}

AVX2 int forces_avx2(ctReal* CT_RESTRICT out, const Law* law, const Contacts* c, int n) {
  switch (curve_of(law->solimp)) {
    case CONSTANT: return wide_forces(out, law, c, n, CONSTANT);
    case LINE: return wide_forces(out, law, c, n, LINE);
    case SQUARES: return wide_forces(out, law, c, n, SQUARES);
    case SQUARES_MID: return wide_forces(out, law, c, n, SQUARES_MID);
    default: return 0;
  }
}
#endif

ctStatus ct_kit_normal_force(const ctReal* distance, const ctReal* velocity, const ctReal* free,
                             const ctReal* mass, int n, const ctReal solref[2], const ctReal solimp[5],
                             ctReal margin, ctReal timestep, ctReal* out) {
  if (!solref || !solimp || (n > 0 && (!distance || !velocity || !free || !mass || !out)))
    return CT_ERR_ARGUMENT;
  if (!cti_kit_all_finite(solref, 2) || !cti_kit_all_finite(solimp, 5) || !cti_kit_not_negative(margin) ||
      !cti_kit_not_negative(timestep)) {
    return CT_ERR_INVALID;
  }
  Law law;
  Contacts c;
  cti_clamp_solimp(law.solimp, solimp);
  cti_reference_gains(solref, law.solimp[1], 2 * timestep, &law.stiffness, &law.damping);
  law.margin = margin;
  c.distance = distance;
  c.velocity = velocity;
  c.free = free;
  c.mass = mass;
  int i = 0;
#ifdef CTI_MANY
  if (__builtin_cpu_supports("avx2")) i = forces_avx2(out, &law, &c, n);
#endif
  for (; i < n; i++) out[i] = force_of(&law, &c, i);
  return CT_OK;
}
