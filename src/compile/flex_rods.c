// Rods: lines that resist bending and twist. One record an interior vertex, or for two curved neighbours.
#include <math.h>
#include <string.h>

#include "asset/chain.h"
#include "compile/flex.h"
#include "spec/attrs.h"

#define RECORD   10
#define STRAIGHT 1e-4  // bends below, in radians, are none

// What the section of a rod resists with.
typedef struct Section {
  double first, second, torsion;  // second moments of area, the smaller one first; torsional constant
  double minor;                   // half size, negative when it is the first one; 0 for a circle
} Section;

typedef struct Rod {
  ctiBuild* b;
  ctiBuildFlex* flex;
  ctiChain chain;
  Section section;
  int* joint;  // of the twist of each edge of a chain, -1 for none; NULL: no twist
  int* order;  // vertices of the chain
  bool* paired;
  int count;
} Rod;

// ---- section

static Section section_of(const ctiFlex* s, double radius) {
  double r4 = radius * radius * radius * radius;
  if (s->section == CTI_SECTION_CIRCLE)
    return (Section){CTI_PI * r4 / 4, CTI_PI * r4 / 4, CTI_PI * r4 / 2, 0};
  double a = s->sectionsize[0], c = s->sectionsize[1];
  double p = 2 * fmax(a, c), q = 2 * fmin(a, c), ratio = q / p;
  double torsion = p * q * q * q * (1.0 / 3 - 0.21 * ratio * (1 - ratio * ratio * ratio * ratio / 12));
  return (Section){p * q * q * q / 12, q * p * p * p / 12, torsion, a < c ? -a : c};
}

static ctStatus check_section(ctiBuild* b, ctiBuildFlex* flex) {
  const ctiFlex* s = flex->spec;
  if (s->section != CTI_SECTION_BOX) return CT_OK;
  if (!(s->sectionsize[0] > 0 && s->sectionsize[1] > 0))
    return CTI_FLEX_FAIL(b, flex, "section=\"box\" needs two positive half sizes in sectionsize");
  double minor = fmin(s->sectionsize[0], s->sectionsize[1]);
  bool given = false;
  for (int i = 0; i < cti_attrs_flex.count; i++) {
    if (cti_text_equal(cti_attrs_flex.rows[i].name, "radius")) given = s->head.given >> i & 1;
  }
  if ((given || s->radius != 0.005) && fabs(s->radius - minor) > 1e-9 * minor)
    return CTI_FLEX_FAIL(
        b, flex, "the radius of a box section is its minor half size, %g: remove radius, or set it to that",
        minor);
  flex->radius = minor;
  return CT_OK;
}

// ---- geometry

static void tangent(double out[3], const ctiBuildFlex* flex, int from, int to, double* length) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    out[k] = flex->vertpos[3 * to + k] - flex->vertpos[3 * from + k];
    square += out[k] * out[k];
  }
  *length = sqrt(square);
  for (int k = 0; k < 3; k++) out[k] /= *length > 0 ? *length : 1;
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The curvature at a vertex between two others.
typedef struct Bend {
  double binormal[3], size, length[2];
} Bend;

static Bend bend_at(const ctiBuildFlex* flex, int v0, int v1, int v2) {
  Bend out;
  double t0[3], t1[3];
  tangent(t0, flex, v0, v1, &out.length[0]);
  tangent(t1, flex, v1, v2, &out.length[1]);
  double scale = 1 + dot(t0, t1),
         n[3] = {t0[1] * t1[2] - t0[2] * t1[1], t0[2] * t1[0] - t0[0] * t1[2], t0[0] * t1[1] - t0[1] * t1[0]};
  for (int k = 0; k < 3; k++)
    out.binormal[k] = 2 * n[k] / (scale > (double)CTI_MINVAL ? scale : (double)CTI_MINVAL);
  out.size = sqrt(dot(out.binormal, out.binormal));
  // twice the tangent of half the angle
  if (2 * atan(out.size / 2) < STRAIGHT) out.size = 0;
  return out;
}

// ---- records

static double shear_of(const ctiFlex* s) {
  return s->shear > 0 ? s->shear : s->young / (2 * (1 + s->poisson));
}

static double* next_record(Rod* r) {
  return r->flex->bending + 1 + RECORD * r->count++;
}

static void add_single(Rod* r, int v0, int v1, int v2, int joint) {
  const ctiFlex* s = r->flex->spec;
  const Bend bend = bend_at(r->flex, v0, v1, v2);
  double length = bend.length[0] + bend.length[1], k1 = s->young * r->section.first / length,
         k2 = s->young * r->section.second / length;
  const double record[RECORD] = {v0,
                                 v1,
                                 v2,
                                 -1,
                                 k1,
                                 k2 - k1,
                                 bend.size,
                                 joint,
                                 shear_of(s) * r->section.torsion / length,
                                 r->section.minor};
  memcpy(next_record(r), record, sizeof(record));
}

// Two curved neighbours: their curvatures, and the angle between their planes.
static void add_pair(Rod* r, int v0, int v1, int v2, int v3, const int pairs[2]) {
  const ctiFlex* s = r->flex->spec;
  const Bend a = bend_at(r->flex, v0, v1, v2), c = bend_at(r->flex, v1, v2, v3);
  double t[3], length, n[3];
  tangent(t, r->flex, v1, v2, &length);
  n[0] = a.binormal[1] * c.binormal[2] - a.binormal[2] * c.binormal[1];
  n[1] = a.binormal[2] * c.binormal[0] - a.binormal[0] * c.binormal[2];
  n[2] = a.binormal[0] * c.binormal[1] - a.binormal[1] * c.binormal[0];
  double scale = a.size * c.size, k = shear_of(s) * r->section.torsion / (2 * length);
  double ka = s->young * r->section.first / (a.length[0] + a.length[1]) / pairs[0],
         kc = s->young * r->section.first / (c.length[0] + c.length[1]) / pairs[1];
  const double record[RECORD] = {
      v0, v1, v2, v3, ka, kc, a.size, c.size, k * dot(a.binormal, c.binormal) / scale, k * dot(n, t) / scale};
  memcpy(next_record(r), record, sizeof(record));
}

// ---- chains with twist

// The hinge of a rod by its name; -1 when there is none.
static int find_hinge(const Rod* r, int edge) {
  const char* name = r->flex->spec->head.name;
  bool last = edge == r->chain.nline - 1;
  if (!name) return -1;
  const char* full = last ? cti_region_printf(r->b->region, "%s_twist", name)
                          : cti_region_printf(r->b->region, "%s_twist_%d", name, edge);
  int id = full ? cti_names_find(&r->b->names[CT_OBJ_JOINT], full) : -1;
  return id >= 0 && r->b->joint[id].spec->type == CT_JOINT_HINGE ? id : -1;
}

// Both ends on one body: it holds the frame of the edge.
static bool is_clamped(const Rod* r, int edge) {
  int n = r->chain.nline;
  bool end = edge == 0 || (edge == n - 1 && n >= 3);
  return end && r->flex->vertbody[r->order[edge]] == r->flex->vertbody[r->order[edge + 1]];
}

// The joints of a chain's edges, as far as each has one where it needs one.
static ctStatus find_twist(Rod* r) {
  int n = r->chain.nline;
  r->order = CTI_NEW_ARRAY(r->b->region, int, n + 1);
  int* joint = CTI_NEW_ARRAY(r->b->region, int, n);
  if (!r->order || !joint) return cti_error_memory(r->b->err);
  if (n < 2 || !cti_chain_order(r->order, &r->chain)) return CT_OK;
  for (int i = 0; i < n; i++) {
    joint[i] = is_clamped(r, i) ? -1 : find_hinge(r, i);
    if (joint[i] < 0 && !is_clamped(r, i)) return CT_OK;
  }
  if (!is_clamped(r, 0) && joint[1] >= 0 && joint[1] != joint[0] + 1) {
    const ctiFlex* s = r->flex->spec;
    return cti_spec_error(r->b->err, CT_ERR_INVALID, &s->head,
                          "joint \"%s_twist_0\" must stand right before the joint of the second edge",
                          s->head.name);
  }
  r->joint = joint;
  return CT_OK;
}

// ---- the whole

static bool is_curved(const Rod* r, int v) {
  if (r->chain.count[v] != 2) return false;
  int v0 = cti_chain_across(&r->chain, r->chain.beside[2 * v], v),
      v2 = cti_chain_across(&r->chain, r->chain.beside[2 * v + 1], v);
  return bend_at(r->flex, v0, v, v2).size > 0;
}

// The neighbour of a vertex that is not across an edge.
static int beyond(const Rod* r, int v, int edge) {
  const int* beside = r->chain.beside + 2 * v;
  return cti_chain_across(&r->chain, beside[0] == edge ? beside[1] : beside[0], v);
}

static void add_loose(Rod* r, bool* curved, int* pairs) {
  const ctiBuildFlex* flex = r->flex;
  for (int v = 0; v < flex->nvert; v++) curved[v] = is_curved(r, v);
  for (int e = 0; e < flex->nedge; e++) {
    int v1 = flex->edge[2 * e], v2 = flex->edge[2 * e + 1];
    if (!curved[v1] || !curved[v2]) continue;
    pairs[v1]++;
    pairs[v2]++;
  }
  for (int e = 0; e < flex->nedge; e++) {
    int v1 = flex->edge[2 * e], v2 = flex->edge[2 * e + 1];
    if (curved[v1] && curved[v2])
      add_pair(r, beyond(r, v1, e), v1, v2, beyond(r, v2, e), (const int[2]){pairs[v1], pairs[v2]});
  }
  for (int v = 0; v < flex->nvert; v++) {
    if (r->chain.count[v] != 2 || pairs[v] > 0) continue;
    const int* beside = r->chain.beside + 2 * v;
    add_single(r, cti_chain_across(&r->chain, beside[0], v), v, cti_chain_across(&r->chain, beside[1], v),
               -1);
  }
}

static ctStatus add_records(Rod* r) {
  ctiBuildFlex* flex = r->flex;
  flex->nbending = 1 + RECORD * (flex->nedge + flex->nvert);
  flex->bending = CTI_NEW_ARRAY(r->b->region, double, flex->nbending);
  if (!flex->bending) return cti_error_memory(r->b->err);
  if (r->joint) {
    for (int i = 1; i < r->chain.nline; i++)
      add_single(r, r->order[i - 1], r->order[i], r->order[i + 1], r->joint[i]);
    // frames of all edges, and the twist between neighbours
    flex->nplastic = 6 * r->chain.nline + r->chain.nline - 1;
  } else {
    bool* curved = CTI_NEW_ARRAY(r->b->region, bool, flex->nvert);
    int* pairs = CTI_NEW_ARRAY(r->b->region, int, flex->nvert);
    if (!curved || !pairs) return cti_error_memory(r->b->err);
    add_loose(r, curved, pairs);
  }
  flex->bending[0] = r->count;
  flex->nbending = r->count > 0 ? 1 + RECORD * r->count : 0;
  return CT_OK;
}

ctStatus cti_flex_rod(ctiBuild* b, ctiBuildFlex* flex) {
  const ctiFlex* s = flex->spec;
  flex->yield[0] = s->yield[0];
  if (!(s->young > 0) || flex->rigid) return CT_OK;
  CT_TRY(check_section(b, flex));
  Rod r = {.b = b, .flex = flex, .section = section_of(s, flex->radius)};
  // by elements: they say where the chain starts
  CT_TRY(cti_chain_make(&r.chain, flex->elem, flex->nelem, flex->nvert, b->region, b->err));
  CT_TRY(find_twist(&r));
  if (s->section == CTI_SECTION_BOX && !r.joint)
    return CTI_FLEX_FAIL(
        b, flex,
        "section=\"box\" needs one open chain of at least two edges with a twist joint each: use flexcomp");
  return add_records(&r);
}
