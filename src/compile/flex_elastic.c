// Elasticity of surfaces and solids between vertices on bodies: constants of each element for stretching, of
// each edge for bending.
#include <math.h>
#include <string.h>

#include "compile/flex.h"

#define RECORD_2D   21  // numbers an element, of which 6 are used
#define RECORD_3D   24  // 21 are used
#define RECORD_BEND 17

// ---- small vectors, in double whatever the engine's precision

static void minus(double out[3], const double a[3], const double b[3]) {
  for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}
static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static void cross(double out[3], const double a[3], const double b[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}
static double norm(const double a[3]) {
  return sqrt(dot(a, a));
}

// ---- stretching

// Gradients of the linear functions that are 1 at one corner and 0 at the others; area or volume.
static double gradients(double g[4][3], const double* const x[4], int dim) {
  double a[3], b[3], c[3], n[3];
  memset(g, 0, sizeof(double) * 12);
  minus(a, x[1], x[0]);
  minus(b, x[2], x[0]);
  cross(n, a, b);
  if (dim == 2) {
    double area2 = norm(n);
    // across each side, in the plane
    for (int i = 0; i < 3 && area2 > 0; i++) {
      double side[3];
      minus(side, x[(i + 2) % 3], x[(i + 1) % 3]);
      cross(g[i], n, side);
      for (int k = 0; k < 3; k++) g[i][k] /= area2 * area2;
    }
    return area2 / 2;
  }
  minus(c, x[3], x[0]);
  double volume6 = dot(n, c);
  if (volume6 == 0) return 0;
  cross(g[1], b, c);
  cross(g[2], c, a);
  cross(g[3], a, b);
  for (int i = 1; i < 4; i++) {
    for (int k = 0; k < 3; k++) g[i][k] /= volume6;
  }
  for (int k = 0; k < 3; k++) g[0][k] = -(g[1][k] + g[2][k] + g[3][k]);
  return fabs(volume6) / 6;
}

// The strain of an element is the sum of its edges' changes of squared length, each times a matrix.
static void edge_matrix(double out[9], const double gi[3], const double gj[3]) {
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) out[3 * r + c] = -(gi[r] * gj[c] + gj[r] * gi[c]) / 4;
  }
}

static void stretch_element(double* out, const ctiFlex* s, double g[4][3], double measure) {
  int dim = s->dim, n = cti_flex_edge_count(dim), at = 0;
  double nu = s->poisson, mu = s->young / (2 * (1 + nu));
  double la = dim == 3 ? s->young * nu / ((1 + nu) * (1 - 2 * nu)) : s->young * nu / (1 - nu * nu);
  double volume = dim == 3 ? measure : measure * s->thickness, matrix[CTI_FLEX_MAX_EDGES][9];
  for (int e = 0; e < n; e++)
    edge_matrix(matrix[e], g[cti_flex_edges[dim][e][0]], g[cti_flex_edges[dim][e][1]]);
  for (int e = 0; e < n; e++) {
    for (int f = e; f < n; f++) {
      double both = 0, te = matrix[e][0] + matrix[e][4] + matrix[e][8],
             tf = matrix[f][0] + matrix[f][4] + matrix[f][8];
      for (int k = 0; k < 9; k++) both += matrix[e][k] * matrix[f][k];
      out[at++] = 4 * volume * (mu * both + la / 2 * te * tf);
    }
  }
}

// Flat elements have no gradients.
static ctStatus check_flat(ctiBuild* b, const ctiBuildFlex* flex, int e, double measure,
                           const double* const x[4]) {
  double longest = 0;
  for (int i = 1; i <= flex->spec->dim; i++) {
    double side[3];
    minus(side, x[i], x[0]);
    longest = fmax(longest, norm(side));
  }
  double full = flex->spec->dim == 2 ? longest * longest : longest * longest * longest;
  if (measure > 1e-12 * full) return CT_OK;
  const int* v = flex->elem + (flex->spec->dim + 1) * e;
  return CTI_FLEX_FAIL(b, flex, "element %d (vertices %d, %d, %d%s) is flat: an elastic element needs %s", e,
                       v[0], v[1], v[2], flex->spec->dim == 3 ? ", ..." : "",
                       flex->spec->dim == 3 ? "a volume" : "an area");
}

static ctStatus stretch(ctiBuild* b, ctiBuildFlex* flex) {
  const ctiFlex* s = flex->spec;
  int dim = s->dim, record = dim == 2 ? RECORD_2D : RECORD_3D;
  if (cti_size_mul(record, flex->nelem) > INT32_MAX)
    return cti_spec_error(b->err, CT_ERR_LIMIT, &s->head, "has too many elements for its stiffness");
  flex->nstiffness = record * flex->nelem;
  flex->stiffness = CTI_NEW_ARRAY(b->region, double, flex->nstiffness);
  if (!flex->stiffness) return cti_error_memory(b->err);
  if (dim == 2 && !cti_flex_stretches(s)) return CT_OK;
  for (int e = 0; e < flex->nelem; e++) {
    const double* x[4] = {0};
    double g[4][3];
    for (int i = 0; i <= dim; i++) x[i] = flex->vertpos + 3 * flex->elem[(dim + 1) * e + i];
    double measure = gradients(g, x, dim);
    CT_TRY(check_flat(b, flex, e, measure, x));
    stretch_element(flex->stiffness + (size_t)record * (size_t)e, s, g, measure);
  }
  return CT_OK;
}

// ---- bending

static double cotangent(const double* at, const double* to, const double* other) {
  double a[3], c[3], n[3];
  minus(a, to, at);
  minus(c, other, at);
  cross(n, a, c);
  return dot(a, c) / norm(n);
}

static void bend_edge(double* out, const ctiFlex* s, const double* const x[4]) {
  double e[3], a[3], d[3], n1[3], n2[3], turn[3];
  minus(e, x[1], x[0]);
  minus(a, x[2], x[0]);
  minus(d, x[3], x[0]);
  cross(n1, e, a);
  cross(n2, d, e);
  double area = (norm(n1) + norm(n2)) / 2, length = norm(e), nu = s->poisson;
  double a1 = cotangent(x[0], x[1], x[2]), a2 = cotangent(x[0], x[3], x[1]), a3 = cotangent(x[1], x[2], x[0]),
         a4 = cotangent(x[1], x[0], x[3]);
  const double c[4] = {a3 + a4, a1 + a2, -(a1 + a3), -(a2 + a4)};
  double stiffness = s->young * s->thickness * s->thickness * s->thickness / (12 * (1 - nu * nu)) / area;
  double scale1 = norm(n1), scale2 = norm(n2);
  for (int k = 0; k < 3; k++) {
    n1[k] /= scale1;
    n2[k] /= scale2;
    e[k] /= length;
  }
  cross(turn, n1, n2);
  double cosine = dot(n1, n2), sine = dot(turn, e);
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 4; k++) out[4 * i + k] = stiffness * cosine * c[i] * c[k];
  }
  out[16] = stiffness * sine / length * (a1 + a3) * (a2 + a4);
}

static ctStatus bend(ctiBuild* b, ctiBuildFlex* flex) {
  const ctiFlex* s = flex->spec;
  if (cti_size_mul(RECORD_BEND, flex->nedge) > INT32_MAX)
    return cti_spec_error(b->err, CT_ERR_LIMIT, &s->head, "has too many edges for its bending stiffness");
  flex->nbending = RECORD_BEND * flex->nedge;
  flex->bending = CTI_NEW_ARRAY(b->region, double, flex->nbending);
  if (!flex->bending) return cti_error_memory(b->err);
  for (int e = 0; e < flex->nelem; e++) {
    const double* x[4] = {0};
    double g[4][3];
    for (int i = 0; i < 3; i++) x[i] = flex->vertpos + 3 * flex->elem[3 * e + i];
    CT_TRY(check_flat(b, flex, e, gradients(g, x, 2), x));
  }
  for (int i = 0; i < flex->nedge; i++) {
    const int* flap = flex->edgeflap + 2 * i;
    if (flap[0] < 0 || flap[1] < 0) continue;
    const double* x[4] = {flex->vertpos + 3 * flex->edge[2 * i], flex->vertpos + 3 * flex->edge[2 * i + 1],
                          flex->vertpos + 3 * flap[0], flex->vertpos + 3 * flap[1]};
    bend_edge(flex->bending + (size_t)RECORD_BEND * (size_t)i, s, x);
  }
  return CT_OK;
}

// ---- the whole

// What yields, and the numbers it needs: of each element's edges, then of each edge.
static void find_plastic(ctiBuildFlex* flex) {
  const ctiFlex* s = flex->spec;
  bool surface = s->dim == 2;
  flex->yield[0] = s->yield[0];
  flex->yield[1] = surface ? (isnan(s->yield[1]) ? s->yield[0] : s->yield[1]) : 0;
  if (flex->rigid || !(s->young > 0)) return;
  if (flex->yield[0] > 0 && (!surface || cti_flex_stretches(s))) flex->plasticmode |= 2;
  if (flex->yield[1] > 0 && surface && cti_flex_bends(s)) flex->plasticmode |= 1;
  if (flex->plasticmode & 2) flex->nplastic += cti_flex_edge_count(s->dim) * flex->nelem;
  if (flex->plasticmode & 1) flex->nplastic += flex->nedge;
}

ctStatus cti_flex_elasticity(ctiBuild* b, ctiBuildFlex* flex) {
  const ctiFlex* s = flex->spec;
  find_plastic(flex);
  if (!(s->young > 0)) return CT_OK;
  CT_TRY(stretch(b, flex));
  // yielding in bending needs the thickness: behind what the first element has
  if (s->dim == 2 && cti_flex_bends(s) && flex->yield[1] > 0) flex->stiffness[6] = s->thickness;
  return s->dim == 2 && cti_flex_bends(s) ? bend(b, flex) : CT_OK;
}
