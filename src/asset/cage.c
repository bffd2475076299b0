#include "asset/cage.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

// ---- nodes

int cti_cage_node(const ctiCage* c, int cell, int local) {
  int n = c->order + 1;
  int ck = cell % c->cells[2], cj = cell / c->cells[2] % c->cells[1], ci = cell / (c->cells[1] * c->cells[2]);
  int i = c->order * ci + local / (n * n), j = c->order * cj + local / n % n, k = c->order * ck + local % n;
  return (i * cti_cage_axis_nodes(c, 1) + j) * cti_cage_axis_nodes(c, 2) + k;
}

bool cti_cage_node_outside(const ctiCage* c, int node) {
  int ny = cti_cage_axis_nodes(c, 1), nz = cti_cage_axis_nodes(c, 2);
  const int i[3] = {node / (ny * nz), node / nz % ny, node % nz};
  for (int a = 0; a < 3; a++) {
    if (i[a] == 0 || i[a] == cti_cage_axis_nodes(c, a) - 1) return true;
  }
  return false;
}

// ---- polynomials

ctiPoly cti_poly_basis(int order, int i) {
  static const ctiPoly table[CTI_CAGE_MAX_ORDER][3] = {{{{0.5, -0.5}}, {{0.5, 0.5}}},
                                                       {{{0, -0.5, 0.5}}, {{1, 0, -1}}, {{0, 0.5, 0.5}}}};
  return table[order - 1][i];
}

ctiPoly cti_poly_derivative(const ctiPoly* p) {
  ctiPoly d = {{0}};
  for (int k = 1; k <= CTI_CAGE_MAX_DEGREE; k++) d.c[k - 1] = 2 * k * p->c[k];
  return d;
}

ctiPoly cti_poly_product(const ctiPoly* p, const ctiPoly* q) {
  ctiPoly r = {{0}};
  for (int i = 0; i <= CTI_CAGE_MAX_DEGREE; i++) {
    for (int k = 0; i + k <= CTI_CAGE_MAX_DEGREE; k++) r.c[i + k] += p->c[i] * q->c[k];
  }
  return r;
}

// The mean of x^k.
static double power_mean(int k) {
  return k % 2 ? 0 : 1.0 / (k + 1);
}

double cti_poly_mean(const ctiPoly* p) {
  double sum = 0;
  for (int k = 0; k <= CTI_CAGE_MAX_DEGREE; k++) sum += p->c[k] * power_mean(k);
  return sum;
}

// ---- quadrature

// Gauss-Jacobi on [0, 1] with weights (1 - x)^2, 1 - x and 1: as many points as are exact for what is
// integrated over a tetrahedron, by order.
#define MAX_GAUSS 6
static const struct {
  int count;
  double at[3][MAX_GAUSS], weight[3][MAX_GAUSS];
} gauss_rules[CTI_CAGE_MAX_ORDER] = {{3,
                                      {{0.07299402407314959, 0.34700376603835187, 0.7050022098884985},
                                       {0.08858795951270387, 0.4094668644407347, 0.7876594617608472},
                                       {0.11270166537925835, 0.5, 0.8872983346207417}},
                                      {{0.1571363610648866, 0.146246269259866, 0.0299507030085807},
                                       {0.2009319137389595, 0.22924110635958633, 0.06982697990145421},
                                       {0.2777777777777779, 0.4444444444444444, 0.2777777777777779}}},
                                     {6,
                                      {{0.02590455509366718, 0.13156394165798518, 0.30243691802289135,
                                        0.5090364131647521, 0.7156811273117138, 0.8868056161775619},
                                       {0.02931642715978483, 0.14807859966848436, 0.3369846902811543,
                                        0.5586715187715501, 0.7692338620300545, 0.926945671319741},
                                       {0.03376524289842414, 0.16939530676686776, 0.3806904069584016,
                                        0.6193095930415984, 0.8306046932331324, 0.9662347571015759}},
                                      {{0.06253870272658091, 0.10737649973678078, 0.09457718674854124,
                                        0.05128957112961625, 0.015720297184945033, 0.0018310758068692961},
                                       {0.07231033072550874, 0.13554249723151873, 0.140792553788199,
                                        0.09866115089065541, 0.04395516555050897, 0.008738301813609541},
                                       {0.08566224618958516, 0.18038078652406922, 0.23395696728634552,
                                        0.2339569672863458, 0.18038078652406894, 0.08566224618958529}}}};

typedef struct Tet {
  double at[4][3];
} Tet;

static double signed_volume(const Tet* t) {
  double a[3], b[3], c[3];
  for (int k = 0; k < 3; k++) {
    a[k] = t->at[1][k] - t->at[0][k];
    b[k] = t->at[2][k] - t->at[0][k];
    c[k] = t->at[3][k] - t->at[0][k];
  }
  return (c[0] * (a[1] * b[2] - a[2] * b[1]) + c[1] * (a[2] * b[0] - a[0] * b[2]) +
          c[2] * (a[0] * b[1] - a[1] * b[0])) /
         6;
}

// Adds weight * x^a y^b z^c for all powers; p runs from 0 to 1.
static void add_powers(double* moment, int degree, const double p[3], double weight) {
  double power[3][CTI_CAGE_MAX_DEGREE + 1];
  for (int k = 0; k < 3; k++) {
    power[k][0] = k == 0 ? weight : 1;
    for (int a = 1; a <= degree; a++) power[k][a] = power[k][a - 1] * (2 * p[k] - 1);
  }
  for (int a = 0; a <= degree; a++) {
    for (int b = 0; b <= degree; b++) {
      double xy = power[0][a] * power[1][b];
      for (int c = 0; c <= degree; c++) *moment++ += xy * power[2][c];
    }
  }
}

// A tetrahedron in the coordinates of the cell, by collapsed coordinates.
static void add_tet(double* moment, int degree, const Tet* t, double sign) {
  double volume = fabs(signed_volume(t));
  if (!(volume > 0)) return;
  const double(*at)[MAX_GAUSS] = gauss_rules[degree / 2 - 1].at,
        (*weight)[MAX_GAUSS] = gauss_rules[degree / 2 - 1].weight;
  const int n = gauss_rules[degree / 2 - 1].count;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < n; k++) {
        double u = at[0][i], v = (1 - u) * at[1][j], w = (1 - u - v) * at[2][k], p[3];
        for (int d = 0; d < 3; d++)
          p[d] = (1 - u - v - w) * t->at[0][d] + u * t->at[1][d] + v * t->at[2][d] + w * t->at[3][d];
        add_powers(moment, degree, p, sign * 6 * volume * weight[0][i] * weight[1][j] * weight[2][k]);
      }
    }
  }
}

// ---- clipping

// Each plane cuts a tetrahedron into at most three that lie before it; six planes bound a cell.
#define MAX_PIECES 729

static void cut_edge(double out[3], const double a[3], double da, const double b[3], double db) {
  double s = da / (da - db);
  for (int k = 0; k < 3; k++) out[k] = a[k] + s * (b[k] - a[k]);
}

static void put(Tet* out, const double* a, const double* b, const double* c, const double* d) {
  memcpy(out->at[0], a, 3 * sizeof(double));
  memcpy(out->at[1], b, 3 * sizeof(double));
  memcpy(out->at[2], c, 3 * sizeof(double));
  memcpy(out->at[3], d, 3 * sizeof(double));
}

// The part of a tetrahedron where side * (x - bound) >= 0, as up to three.
static int clip(Tet out[3], const Tet* t, int axis, double bound, double side) {
  double d[4];
  int in[4], outside[4], nin = 0, nout = 0;
  for (int i = 0; i < 4; i++) {
    d[i] = side * (t->at[i][axis] - bound);
    if (d[i] >= 0) {
      in[nin++] = i;
    } else {
      outside[nout++] = i;
    }
  }
  if (nin == 4) {
    out[0] = *t;
    return 1;
  }
  if (nin == 0) return 0;
  double cut[4][3];
#define CUT(k, a, b) cut_edge(cut[k], t->at[a], d[a], t->at[b], d[b])
  if (nin == 1) {
    for (int k = 0; k < 3; k++) CUT(k, in[0], outside[k]);
    put(&out[0], t->at[in[0]], cut[0], cut[1], cut[2]);
    return 1;
  }
  if (nin == 3) {
    // a prism between the three corners and their cuts
    for (int k = 0; k < 3; k++) CUT(k, in[k], outside[0]);
    put(&out[0], t->at[in[0]], t->at[in[1]], t->at[in[2]], cut[2]);
    put(&out[1], t->at[in[0]], t->at[in[1]], cut[1], cut[2]);
    put(&out[2], t->at[in[0]], cut[0], cut[1], cut[2]);
    return 3;
  }
  // a wedge: triangles at the two corners inside
  CUT(0, in[0], outside[0]);
  CUT(1, in[0], outside[1]);
  CUT(2, in[1], outside[0]);
  CUT(3, in[1], outside[1]);
#undef CUT
  put(&out[0], t->at[in[0]], cut[0], cut[1], cut[3]);
  put(&out[1], t->at[in[0]], cut[0], cut[2], cut[3]);
  put(&out[2], t->at[in[0]], t->at[in[1]], cut[2], cut[3]);
  return 3;
}

// What of a tetrahedron lies in the unit cell, at least `inset` away from its sides.
static int clip_to_cell(Tet pieces[MAX_PIECES], Tet spare[MAX_PIECES], const Tet* t, double inset) {
  int n = 1;
  pieces[0] = *t;
  for (int plane = 0; plane < 6 && n > 0; plane++) {
    int made = 0;
    for (int i = 0; i < n; i++) {
      Tet part[3];
      int k = clip(part, &pieces[i], plane / 2, plane % 2 ? 1 - inset : inset, plane % 2 ? -1 : 1);
      for (int j = 0; j < k && made < MAX_PIECES; j++) spare[made++] = part[j];
    }
    n = made;
    memcpy(pieces, spare, (size_t)n * sizeof(Tet));
  }
  return n;
}

// Material that does not reach this far into a cell does not count there.
#define INSET (0.02 - 1.5e-9)

typedef struct Filling {
  const ctiCage* c;
  ctiCageMaterial* m;
  Tet *pieces, *spare;
  double *volume, *core;  // in each cell, and of that away from its sides
  bool measures;          // volumes alone; moments follow for cells that are neither full nor empty
} Filling;

static size_t moments_of(const ctiCageMaterial* m) {
  size_t n = (size_t)m->degree + 1;
  return n * n * n;
}

static bool is_full(double volume) {
  return fabs(fabs(volume) - 1) < 1e-12;
}

// Adds what of a tetrahedron, in the coordinates of a cell, lies in the cell.
static void fill_cell(Filling* f, size_t cell, const Tet* local, double sign) {
  if (!f->measures && (is_full(f->volume[cell]) || f->core[cell] == 0)) return;
  int n = clip_to_cell(f->pieces, f->spare, local, 0);
  for (int p = 0; p < n; p++) {
    if (f->measures) {
      f->volume[cell] += sign * fabs(signed_volume(&f->pieces[p]));
    } else {
      add_tet(f->m->moment + cell * moments_of(f->m), f->m->degree, &f->pieces[p], sign);
    }
  }
  if (!f->measures) return;
  n = clip_to_cell(f->pieces, f->spare, local, INSET);
  for (int p = 0; p < n; p++) f->core[cell] += sign * fabs(signed_volume(&f->pieces[p]));
}

// Adds a tetrahedron to every cell it meets.
static void fill_tet(Filling* f, const Tet* t, double sign) {
  const ctiCage* c = f->c;
  int first[3], last[3];
  for (int a = 0; a < 3; a++) {
    double low = t->at[0][a], high = low;
    for (int i = 1; i < 4; i++) {
      low = fmin(low, t->at[i][a]);
      high = fmax(high, t->at[i][a]);
    }
    first[a] = (int)fmin(fmax(floor(low), 0), c->cells[a] - 1);
    last[a] = (int)fmin(fmax(ceil(high) - 1, 0), c->cells[a] - 1);
  }
  for (int i = first[0]; i <= last[0]; i++) {
    for (int j = first[1]; j <= last[1]; j++) {
      for (int k = first[2]; k <= last[2]; k++) {
        const int origin[3] = {i, j, k};
        Tet local;
        for (int v = 0; v < 4; v++) {
          for (int a = 0; a < 3; a++) local.at[v][a] = t->at[v][a] - origin[a];
        }
        fill_cell(f, ((size_t)i * (size_t)c->cells[1] + (size_t)j) * (size_t)c->cells[2] + (size_t)k, &local,
                  sign);
      }
    }
  }
}

// ---- surfaces

typedef struct Side {
  int a, b;  // from, to
} Side;

static int by_ends(const Side* x, const Side* y) {
  int xl = x->a < x->b ? x->a : x->b, xh = x->a < x->b ? x->b : x->a;
  int yl = y->a < y->b ? y->a : y->b, yh = y->a < y->b ? y->b : y->a;
  return xl != yl ? (xl < yl ? -1 : 1) : xh != yh ? (xh < yh ? -1 : 1) : 0;
}

static void sift(Side* s, size_t n, size_t i) {
  for (;;) {
    size_t child = 2 * i + 1;
    if (child >= n) return;
    if (child + 1 < n && by_ends(&s[child], &s[child + 1]) < 0) child++;
    if (by_ends(&s[i], &s[child]) >= 0) return;
    Side swap = s[i];
    s[i] = s[child];
    s[child] = swap;
    i = child;
  }
}

// Every side of a triangle is the side of as many others the other way round.
static bool is_closed(const int* element, int n, ctiRegion* region, bool* memory) {
  size_t count = 3 * (size_t)n;
  Side* s = CTI_NEW_ARRAY(region, Side, count);
  *memory = s != NULL;
  if (!s) return false;
  for (size_t i = 0; i < count; i++) {
    const int* e = element + 3 * (i / 3);
    s[i] = (Side){e[i % 3], e[(i + 1) % 3]};
  }
  for (size_t i = count / 2; i > 0; i--) sift(s, count, i - 1);
  for (size_t i = count; i > 1; i--) {
    Side swap = s[0];
    s[0] = s[i - 1];
    s[i - 1] = swap;
    sift(s, i - 1, 0);
  }
  for (size_t i = 0; i < count;) {
    int balance = 0;
    size_t k = i;
    for (; k < count && by_ends(&s[k], &s[i]) == 0; k++) balance += s[k].a < s[k].b ? 1 : -1;
    if (balance != 0) return false;
    i = k;
  }
  return true;
}

// The solid angle of all triangles seen from a point, in full turns.
static double winding(const double* point, const int* element, int n, const double at[3]) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double v[3][3], len[3];
    for (int k = 0; k < 3; k++) {
      for (int a = 0; a < 3; a++) v[k][a] = point[3 * element[3 * i + k] + a] - at[a];
      len[k] = sqrt(v[k][0] * v[k][0] + v[k][1] * v[k][1] + v[k][2] * v[k][2]);
    }
    double det = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) -
                 v[0][1] * (v[1][0] * v[2][2] - v[1][2] * v[2][0]) +
                 v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
    double dots = len[0] * len[1] * len[2];
    for (int k = 0; k < 3; k++) {
      const double *p = v[k], *q = v[(k + 1) % 3];
      dots += (p[0] * q[0] + p[1] * q[1] + p[2] * q[2]) * len[(k + 2) % 3];
    }
    sum += 2 * atan2(det, dots);
  }
  return sum / 12.566370614359172;
}

// What an open surface encloses: what sees most of it around. Each half of a cell has as many Gauss points
// along an axis as the stiffness needs.
static void sample_cell(Filling* f, int cell, const double* point, const int* element, int n) {
  static const double at2[2] = {0.21132486540518713, 0.78867513459481287}, weight2[2] = {0.5, 0.5};
  static const double at3[3] = {0.11270166537925830, 0.5, 0.88729833462074170},
                      weight3[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  const ctiCage* c = f->c;
  int each = c->order + 1, side = 2 * each;
  const double *gauss = c->order == 1 ? at2 : at3, *weight = c->order == 1 ? weight2 : weight3;
  double* moment = f->m->moment + (size_t)cell * moments_of(f->m);
  const int origin[3] = {cell / (c->cells[1] * c->cells[2]), cell / c->cells[2] % c->cells[1],
                         cell % c->cells[2]};
  for (int s = 0; s < side * side * side; s++) {
    const int i[3] = {s / (side * side), s / side % side, s % side};
    double at[3], local[3], share = 1;
    for (int a = 0; a < 3; a++) {
      local[a] = (i[a] / each + gauss[i[a] % each]) / 2;
      at[a] = origin[a] + local[a];
      share *= weight[i[a] % each] / 2;
    }
    if (fabs(winding(point, element, n, at)) >= 0.5) add_powers(moment, f->m->degree, local, share);
  }
}

// A cell that is full.
static void fill_whole(ctiCageMaterial* m, size_t cell) {
  double* moment = m->moment + cell * moments_of(m);
  int d = m->degree;
  for (int a = 0; a <= d; a++) {
    for (int b = 0; b <= d; b++) {
      for (int c = 0; c <= d; c++) *moment++ = power_mean(a) * power_mean(b) * power_mean(c);
    }
  }
}

// All elements; a closed surface is the sum of its triangles' pyramids over any one point. Returns the
// volume.
static double fill_elements(Filling* f, int dim, const double* point, const int* element, int nelement) {
  double total = 0;
  for (int i = 0; i < nelement; i++) {
    const int* e = element + (size_t)(dim + 1) * (size_t)i;
    Tet t;
    for (int v = 0; v <= dim; v++) memcpy(t.at[v], point + 3 * (size_t)e[v], sizeof(t.at[v]));
    if (dim == 2) memcpy(t.at[3], point + 3 * (size_t)element[0], sizeof(t.at[3]));
    double volume = signed_volume(&t);
    if (volume == 0) continue;
    total += volume;
    fill_tet(f, &t, dim == 3 || volume > 0 ? 1 : -1);
  }
  return total;
}

// ---- the whole

// How much of the rest of a cell counts, and what is too little to count as material.
#define VOID_SHARE 1e-6
#define NOTHING    1e-14

static void weigh_void(ctiCageMaterial* m, size_t cell) {
  double* moment = m->moment + cell * moments_of(m);
  int d = m->degree;
  for (int a = 0; a <= d; a++) {
    for (int b = 0; b <= d; b++) {
      for (int c = 0; c <= d; c++, moment++) {
        double full = power_mean(a) * power_mean(b) * power_mean(c);
        *moment += VOID_SHARE * (full - *moment);
      }
    }
  }
}

ctStatus cti_cage_material(ctiCageMaterial* out, const ctiCage* c, int dim, const double* point,
                           const int* element, int nelement, ctiRegion* region, ctError* err) {
  size_t cells = (size_t)cti_cage_cell_count(c);
  *out = (ctiCageMaterial){.degree = 2 * c->order};
  out->empty = CTI_NEW_ARRAY(region, bool, cells);
  out->moment = CTI_NEW_ARRAY(region, double, (size_t)cells*(size_t)moments_of(out));
  Filling f = {.c = c, .m = out};
  f.pieces = CTI_NEW_ARRAY(region, Tet, MAX_PIECES);
  f.spare = CTI_NEW_ARRAY(region, Tet, MAX_PIECES);
  f.core = CTI_NEW_ARRAY(region, double, cells);
  f.volume = CTI_NEW_ARRAY(region, double, cells);
  if (!out->empty || !out->moment || !f.pieces || !f.spare || !f.core || !f.volume)
    return cti_error_memory(err);
  bool memory = true, closed = dim == 3 || is_closed(element, nelement, region, &memory);
  if (!memory) return cti_error_memory(err);
  if (closed) {
    f.measures = true;
    double total = fill_elements(&f, dim, point, element, nelement);
    for (size_t i = 0; i < cells; i++) {
      if (fabs(f.core[i]) < NOTHING) f.core[i] = 0;
    }
    f.measures = false;
    fill_elements(&f, dim, point, element, nelement);
    for (size_t i = 0; i < cells; i++) {
      double* moment = out->moment + i * moments_of(out);
      if (is_full(f.volume[i])) fill_whole(out, i);
      for (size_t k = 0; k < moments_of(out) && !is_full(f.volume[i]) && dim == 2 && total < 0; k++)
        moment[k] = -moment[k];
    }
  }
  bool nothing = !closed;
  for (size_t i = 0; i < cells && !closed; i++) {
    sample_cell(&f, (int)i, point, element, nelement);
    nothing = nothing && out->moment[i * moments_of(out)] == 0;
  }
  // a surface that encloses nothing stands for all of its cage
  for (size_t i = 0; i < cells && nothing; i++) fill_whole(out, i);
  for (size_t i = 0; i < cells; i++) {
    double* moment = out->moment + i * moments_of(out);
    out->empty[i] = closed ? f.core[i] == 0 : moment[0] < NOTHING;
    if (out->empty[i]) {
      memset(moment, 0, moments_of(out) * sizeof(double));
    } else {
      weigh_void(out, i);
    }
  }
  return CT_OK;
}

double cti_cage_integral(const ctiCageMaterial* m, int cell, const ctiPoly* x, const ctiPoly* y,
                         const ctiPoly* z) {
  const double* moment = m->moment + (size_t)cell * moments_of(m);
  double sum = 0;
  for (int a = 0; a <= m->degree; a++) {
    double inner = 0;
    for (int b = 0; b <= m->degree; b++) {
      double last = 0;
      for (int c = 0; c <= m->degree; c++) last += z->c[c] * *moment++;
      inner += y->c[b] * last;
    }
    sum += x->c[a] * inner;
  }
  return sum;
}

// ---- masses

// In a cell that is not empty, a node has at least this part of what it would have if the cell were full.
#define LEAST_SHARE 0.02

// The cell on one side of a node along an axis and the node's number in it; false when there is none.
static bool cell_beside(const ctiCage* c, int axis, int at, int up, int* cell, int* local) {
  *cell = at / c->order - (up ? 0 : 1);
  *local = at - c->order * *cell;
  bool between = at % c->order != 0;
  return *cell >= 0 && *cell < c->cells[axis] && (up || !between);
}

// How nodes share the material at a point: by functions that are never negative and add up to one. For order
// 1 these are the basis functions, for order 2 splines.
static ctiPoly share_of(int order, int i) {
  static const ctiPoly spline[3] = {{{0.125, -0.25, 0.125}}, {{0.75, 0, -0.25}}, {{0.125, 0.25, 0.125}}};
  return order == 1 ? cti_poly_basis(1, i) : spline[i];
}

void cti_cage_masses(double* out, const ctiCage* c, const ctiCageMaterial* m) {
  static const double full[2][3] = {{0.5, 0.5, 0}, {1.0 / 6, 2.0 / 3, 1.0 / 6}};
  int nodes = (int)cti_cage_node_count(c), ny = cti_cage_axis_nodes(c, 1), nz = cti_cage_axis_nodes(c, 2);
  const double* share = full[c->order - 1];
  ctiPoly weight[3];
  for (int i = 0; i <= c->order; i++) weight[i] = share_of(c->order, i);
  for (int node = 0; node < nodes; node++) {
    const int at[3] = {node / (ny * nz), node / nz % ny, node % nz};
    double sum = 0;
    for (int s = 0; s < 8; s++) {
      int cell[3] = {0}, i[3] = {0};
      bool there = true;
      for (int a = 0; a < 3; a++)
        there = cell_beside(c, a, at[a], s >> (2 - a) & 1, &cell[a], &i[a]) && there;
      if (!there) continue;
      int id = (cell[0] * c->cells[1] + cell[1]) * c->cells[2] + cell[2];
      if (m->empty[id]) continue;
      double part = cti_cage_integral(m, id, &weight[i[0]], &weight[i[1]], &weight[i[2]]);
      sum += fmax(part, LEAST_SHARE * share[i[0]] * share[i[1]] * share[i[2]]);
    }
    out[node] = sum;
  }
}

void cti_cage_shell_masses(double* out, const ctiCage* c) {
  int nodes = (int)cti_cage_node_count(c);
  int ny = cti_cage_axis_nodes(c, 1), nz = cti_cage_axis_nodes(c, 2);
  for (int node = 0; node < nodes; node++) {
    const int at[3] = {node / (ny * nz), node / nz % ny, node % nz};
    double share = 1;
    for (int a = 0; a < 3 && c->order == 2; a++) {
      bool end = at[a] == 0 || at[a] == cti_cage_axis_nodes(c, a) - 1;
      share *= at[a] % 2 ? 2.0 / 3 : end ? 1.0 / 6 : 1.0 / 3;
    }
    out[node] = share;
  }
}
