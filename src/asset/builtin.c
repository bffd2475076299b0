// The table of generated shapes, and those that are round.
#include "asset/builtin.h"

#include <math.h>
#include <string.h>

// Shared by the files that generate meshes.
// A mesh that is being written down: arrays are allocated once, for counts known beforehand.
typedef struct Shape {
  ctiRawMesh* mesh;
  const double* params;
  int nparam;
  bool flat;
  float* vert;       // vertices as they are written; mesh->vert is made from them at the end
  int nvert, nface;  // written so far
  ctiRegion* region;
  ctError* err;
} Shape;

static const double PI = 3.14159265358979323846;

// Room for vertices and faces (and three normals a vertex). CT_ERR_LIMIT or CT_ERR_MEMORY.
static ctStatus shape_alloc(Shape* s, double nvert, double nface, bool frames) {
  // far below the limit of meshes: generated shapes are small
  const double most = 1 << 22;
  if (nvert > most || nface > most) {
    return cti_error(s->err, CT_ERR_LIMIT,
                     "params ask for %.0f vertices and %.0f faces, at most %.0f are allowed", nvert, nface,
                     most);
  }
  ctiRawMesh* m = s->mesh;
  m->nvert = (int)nvert;
  m->nface = (int)nface;
  m->nnormal = frames ? 3 * m->nvert : 0;
  s->vert = CTI_NEW_ARRAY(s->region, float, 3 * (size_t)m->nvert);
  if (m->nface) m->face = CTI_NEW_ARRAY(s->region, int, 3 * (size_t)m->nface);
  if (frames) m->normal = CTI_NEW_ARRAY(s->region, float, 3 * (size_t)m->nnormal);
  bool ok = s->vert && (!m->nface || m->face) && (!frames || m->normal);
  return ok ? CT_OK : cti_error_memory(s->err);
}

// Append a vertex, rounded to float as all sources are; returns its number.
static int shape_vertex(Shape* s, double x, double y, double z) {
  float* v = s->vert + 3 * s->nvert;
  v[0] = (float)x;
  v[1] = (float)y;
  v[2] = (float)z;
  return s->nvert++;
}

static void raw_face(Shape* s, int a, int b, int c) {
  int* f = s->mesh->face + 3 * s->nface++;
  f[0] = a;
  f[1] = b;
  f[2] = c;
}

// Parameter `i` cut to a whole number; counts too large for any mesh are refused later.
static int shape_count(const Shape* s, int i) {
  double x = s->params[i];
  return x > 1e9 ? 1000000000 : x < -1e9 ? -1000000000 : (int)x;
}

static ctStatus shape_invalid(const Shape* s, const char* what) {
  return cti_error(s->err, CT_ERR_INVALID, "params: %s", what);
}

static int add_unit_vertex(Shape* s, double x, double y, double z) {
  double norm = sqrt(x * x + y * y + z * z);
  return shape_vertex(s, x / norm, y / norm, z / norm);
}

// The vertex halfway between two others, made once. `made` lists for every vertex with smaller number the
// partners so far; an icosahedron and its subdivisions have at most 6.
typedef struct Midpoints {
  int (*partner)[6], (*middle)[6];
} Midpoints;

static int midpoint(Shape* s, Midpoints* made, int a, int b) {
  int low = a < b ? a : b, high = a < b ? b : a, k = 0;
  for (; k < 6 && made->middle[low][k]; k++) {
    if (made->partner[low][k] == high) return made->middle[low][k];
  }
  // in floats, so that rounding and hulls are MuJoCo's
  const float *p = s->vert + 3 * a, *q = s->vert + 3 * b;
  float x = p[0] + q[0], y = p[1] + q[1], z = p[2] + q[2], norm = sqrtf(x * x + y * y + z * z);
  int v = shape_vertex(s, (double)(x / norm), (double)(y / norm), (double)(z / norm));
  made->partner[low][k] = high;
  return made->middle[low][k] = v;
}

// Each face becomes four.
static ctStatus subdivide(Shape* s) {
  int nface = s->nface;
  size_t bytes = 3 * sizeof(int) * (size_t)nface;
  int* old = CTI_NEW_ARRAY(s->region, int, 3 * (size_t)nface);
  Midpoints made;
  made.partner =
      (int(*)[6])cti_region_array(s->region, (size_t)s->nvert, sizeof(*made.partner), alignof(int));
  made.middle = (int(*)[6])cti_region_array(s->region, (size_t)s->nvert, sizeof(*made.middle), alignof(int));
  if (!old || !made.partner || !made.middle) return cti_error_memory(s->err);
  memcpy(old, s->mesh->face, bytes);
  s->nface = 0;
  for (int i = 0; i < nface; i++) {
    int a = old[3 * i], b = old[3 * i + 1], c = old[3 * i + 2];
    int ab = midpoint(s, &made, a, b), bc = midpoint(s, &made, b, c), ca = midpoint(s, &made, c, a);
    raw_face(s, a, ab, ca);
    raw_face(s, b, bc, ab);
    raw_face(s, c, ca, bc);
    raw_face(s, ab, bc, ca);
  }
  return CT_OK;
}

static ctStatus make_sphere(Shape* s) {
  static const int faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                   {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                   {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                   {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  int times = shape_count(s, 0);
  if (times < 0 || times > 4) return shape_invalid(s, "subdivision of a sphere must be from 0 to 4");
  double parts = pow(4, times), golden = (1 + sqrt(5)) / 2;
  CT_TRY(shape_alloc(s, 2 + 10 * parts, 20 * parts, false));
  // corners of three golden rectangles, one in each coordinate plane
  for (int axis = 0; axis < 3; axis++) {
    for (int i = 0; i < 4; i++) {
      double p[3] = {0};
      p[axis] = i % 2 ? 1 : -1;
      p[(axis + 1) % 3] = i < 2 ? golden : -golden;
      add_unit_vertex(s, p[0], p[1], p[2]);
    }
  }
  for (int i = 0; i < 20; i++) raw_face(s, faces[i][0], faces[i][1], faces[i][2]);
  for (int i = 0; i < times; i++) CT_TRY(subdivide(s));
  return CT_OK;
}

// Rings of an octahedron blown up to the sphere: ring i has 4 i vertices, and i faces more a quarter than
// ring i - 1.
static ctStatus make_hemisphere(Shape* s) {
  int res = shape_count(s, 0), n = res + 1;
  if (res < 0 || res > 10) return shape_invalid(s, "resolution of a hemisphere must be from 0 to 10");
  CT_TRY(shape_alloc(s, 2 + 2 * n * (n + 1), 4 * n * (n + 1), false));
  static const int axis[5][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
  add_unit_vertex(s, 0, 0, n);
  for (int i = 1; i <= n; i++) {
    for (int k = 0; k < 4 * i; k++) {
      const int *from = axis[k / i], *to = axis[k / i + 1];
      const int part = k % i;
      add_unit_vertex(s, from[0] * (i - part) + to[0] * part, from[1] * (i - part) + to[1] * part, n - i);
    }
  }
  int inner = 0;
  for (int i = 0; i < n; i++) {
    int ninner = i ? 4 * i : 1, outer = inner + ninner, nouter = 4 * (i + 1);
    for (int quarter = 0; quarter < 4; quarter++) {
      for (int k = 0; k <= i; k++) {
        int a = inner + (quarter * i + k) % ninner, next = inner + (quarter * i + k + 1) % ninner;
        int p = outer + quarter * (i + 1) + k, q = outer + (quarter * (i + 1) + k + 1) % nouter;
        raw_face(s, a, p, q);
        if (k < i) raw_face(s, a, q, next);
      }
    }
    inner = outer;
  }
  int centre = shape_vertex(s, 0, 0, 0);
  for (int k = 0; k < 4 * n; k++) raw_face(s, inner + k, centre, inner + (k + 1) % (4 * n));
  return CT_OK;
}

static ctStatus make_cone(Shape* s) {
  int n = shape_count(s, 0);
  double radius = s->params[1];
  if (n < 3) return shape_invalid(s, "nvert of a cone must be at least 3");
  if (!(radius >= 0 && radius <= 1)) return shape_invalid(s, "radius of a cone must be from 0 to 1");
  CT_TRY(shape_alloc(s, radius > 0 ? 2.0 * n : n + 1.0, 0, false));
  for (int i = 0; i < n; i++) shape_vertex(s, cos(2 * PI * i / n), sin(2 * PI * i / n), -1);
  if (radius == 0) shape_vertex(s, 0, 0, 1);
  for (int i = n; i < s->mesh->nvert && radius > 0; i++) {
    shape_vertex(s, radius * cos(2 * PI * i / n), radius * sin(2 * PI * i / n), 1);
  }
  return CT_OK;
}

// A power that keeps the sign.
static double signed_power(double x, double exponent) {
  return copysign(pow(fabs(x), exponent), x < 0 ? -1 : 1);
}

// Two triangles between rows that start at `low` and `high`, at columns j and j + 1.
static void add_quad(Shape* s, int low, int high, int j, int next) {
  raw_face(s, low + j, low + next, high + j);
  raw_face(s, low + next, high + next, high + j);
}

static ctStatus make_supersphere(Shape* s) {
  int n = shape_count(s, 0);
  double east = s->params[1], north = s->params[2];
  if (n < 3) return shape_invalid(s, "resolution of a supersphere must be at least 3");
  if (!(east >= 0) || !(north >= 0)) return shape_invalid(s, "e and n of a supersphere must not be negative");
  CT_TRY(shape_alloc(s, 2 + (n - 1.0) * n, 2 * (n - 1.0) * n, false));
  shape_vertex(s, 0, 0, -1);
  for (int i = 1; i < n; i++) {
    double phi = -PI / 2 + PI * i / n;
    double width = signed_power(cos(phi), north), z = signed_power(sin(phi), north);
    for (int j = 0; j < n; j++) {
      double theta = -PI + 2 * PI * j / n;
      shape_vertex(s, width * signed_power(cos(theta), east), width * signed_power(sin(theta), east), z);
    }
  }
  int top = shape_vertex(s, 0, 0, 1), last = 1 + (n - 2) * n;
  for (int j = 0; j < n; j++) raw_face(s, 0, 1 + (j + 1) % n, 1 + j);
  for (int i = 1; i < n - 1; i++) {
    for (int j = 0; j < n; j++) add_quad(s, 1 + (i - 1) * n, 1 + i * n, j, (j + 1) % n);
  }
  for (int j = 0; j < n; j++) raw_face(s, last + j, last + (j + 1) % n, top);
  return CT_OK;
}

static ctStatus make_supertorus(Shape* s) {
  int n = shape_count(s, 0);
  double radius = s->params[1], minor = s->params[2], major = s->params[3];
  if (n < 3) return shape_invalid(s, "resolution of a supertorus must be at least 3");
  if (!(radius > 0 && radius <= 1))
    return shape_invalid(s, "radius of a supertorus must be above 0 and at most 1");
  if (!(minor > 0) || !(major > 0)) return shape_invalid(s, "s and t of a supertorus must be positive");
  CT_TRY(shape_alloc(s, (double)n * n, 2.0 * n * n, false));
  for (int i = 0; i < n; i++) {
    double u = 2 * PI * i / n, x = signed_power(cos(u), major), y = signed_power(sin(u), major);
    for (int j = 0; j < n; j++) {
      double v = 2 * PI * j / n, width = 1 + radius * signed_power(cos(v), minor);
      shape_vertex(s, width * x, width * y, radius * signed_power(sin(v), minor));
    }
  }
  for (int i = 0; i < n; i++) {
    int row = i * n, next = (i + 1) % n * n;
    for (int j = 0; j < n; j++) {
      int k = (j + 1) % n;
      raw_face(s, row + j, next + j, row + k);
      raw_face(s, next + j, next + k, row + k);
    }
  }
  return CT_OK;
}

// The three normals of a vertex of a tactile shape: its frame.
static void add_frame(Shape* s, int vertex, const double frame[9]) {
  for (int k = 0; k < 9; k++) s->mesh->normal[9 * vertex + k] = (float)frame[k];
}

// Middles of n cells that divide (-field, field), finer in the middle the larger `gamma` is. The last bits of
// the vertices decide ties of the hull: edges are summed up as in MuJoCo. NULL when memory runs out.
static double* cell_middles(const Shape* s, int n, double field, double gamma) {
  double* middle = CTI_NEW_ARRAY(s->region, double, n);
  double x = -1, before = 0;
  for (int k = 0; middle && k <= n; k++) {
    double edge = field * ((1 - gamma) * x + gamma * pow(x, 5));
    if (k > 0) middle[k - 1] = (before + edge) / 2;
    before = edge;
    x += 2.0 / n;
  }
  return middle;
}

static ctStatus make_wedge(Shape* s) {
  int nphi = shape_count(s, 0), ntheta = shape_count(s, 1);
  double field_phi = s->params[2], field_theta = s->params[3], gamma = s->params[4];
  if (nphi < 1 || ntheta < 1) return shape_invalid(s, "resolutions of a wedge must be positive");
  if (!(field_phi > 0 && field_phi <= 180))
    return shape_invalid(s, "fov_phi must be above 0 and at most 180");
  if (!(field_theta > 0 && field_theta <= 90))
    return shape_invalid(s, "fov_theta must be above 0 and at most 90");
  if (!(gamma >= 0 && gamma <= 1)) return shape_invalid(s, "gamma of a wedge must be from 0 to 1");
  CT_TRY(shape_alloc(s, (double)nphi * ntheta, 0, true));
  const double *phi = cell_middles(s, nphi, field_phi * PI / 180, gamma),
               *theta = cell_middles(s, ntheta, field_theta * PI / 180, gamma);
  if (!phi || !theta) return cti_error_memory(s->err);
  for (int i = 0; i < nphi; i++) {
    double sp = sin(phi[i]), cp = cos(phi[i]);
    for (int j = 0; j < ntheta; j++) {
      double st = sin(theta[j]), ct = cos(theta[j]);
      const double frame[9] = {ct * sp, st, -ct * cp, cp, 0, sp, -st * sp, ct, st * cp};
      add_frame(s, shape_vertex(s, frame[0], frame[1], frame[2]), frame);
    }
  }
  return CT_OK;
}

static ctStatus make_plate(Shape* s) {
  static const double frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  int nx = shape_count(s, 0), ny = shape_count(s, 1);
  if (nx < 1 || ny < 1) return shape_invalid(s, "resolutions of a plate must be positive");
  CT_TRY(shape_alloc(s, (double)nx * ny, 2 * (nx - 1.0) * (ny - 1.0), true));
  s->flat = true;
  for (int i = 0; i < nx; i++) {
    for (int j = 0; j < ny; j++) {
      add_frame(s, shape_vertex(s, -1 + 2 * (i + 0.5) / nx, -1 + 2 * (j + 0.5) / ny, -1), frame);
    }
  }
  for (int i = 0; i + 1 < nx; i++) {
    for (int j = 0; j + 1 < ny; j++) {
      int a = i * ny + j, b = a + ny;
      raw_face(s, a, b, a + 1);
      raw_face(s, b + 1, a + 1, b);
    }
  }
  return CT_OK;
}

// ---- shapes on grids

// The parameters are count[3], spacing[3] and sometimes the dimension.

// Counts, spacings and half extents.
typedef struct Grid {
  int count[3];
  double spacing[3], half[3];
  int dim;
} Grid;

static void read_grid(Grid* g, const Shape* s) {
  g->dim = s->nparam > 6 ? shape_count(s, 6) : 3;
  for (int k = 0; k < 3; k++) {
    g->count[k] = shape_count(s, k);
    g->spacing[k] = s->params[3 + k];
    g->half[k] = 0.5 * g->spacing[k] * (g->count[k] - 1);
  }
}

static double coordinate(const Grid* g, int axis, int i) {
  return g->spacing[axis] * i - g->half[axis];
}

// A sheet of nx by ny vertices, x slowest. `round` turns squares about the centre into circles and cuts the
// cells so that all diagonals point outwards.
static ctStatus make_sheet(Shape* s, const Grid* g, bool round) {
  int nx = g->count[0], ny = g->count[1];
  CT_TRY(shape_alloc(s, (double)nx * ny, 2 * (nx - 1.0) * (ny - 1.0), false));
  s->flat = true;
  for (int i = 0; i < nx; i++) {
    for (int j = 0; j < ny; j++) {
      double x = coordinate(g, 0, i), y = coordinate(g, 1, j), norm = sqrt(x * x + y * y);
      if (round && norm > 0) {
        double reach = fmax(fabs(x), fabs(y));
        x *= g->half[0] * reach / norm;
        y *= g->half[1] * reach / norm;
      }
      shape_vertex(s, x, y, 0);
    }
  }
  for (int i = 0; i + 1 < nx; i++) {
    for (int j = 0; j + 1 < ny; j++) {
      int a = i * ny + j, b = a + ny, c = b + 1, d = a + 1;
      bool rising = !round || (i < nx / 2) == (j < ny / 2);
      raw_face(s, a, b, rising ? c : d);
      raw_face(s, rising ? a : b, c, d);
    }
  }
  return CT_OK;
}

static ctStatus check_sheet(const Shape* s, const Grid* g) {
  if (g->count[0] < 2 || g->count[1] < 2) return shape_invalid(s, "the first two counts must be at least 2");
  if (g->count[2] != 1) return shape_invalid(s, "the third count must be 1");
  return CT_OK;
}

static ctStatus shape_square(Shape* s) {
  Grid g;
  read_grid(&g, s);
  CT_TRY(check_sheet(s, &g));
  return make_sheet(s, &g, false);
}

static ctStatus shape_disc(Shape* s) {
  Grid g;
  read_grid(&g, s);
  CT_TRY(check_sheet(s, &g));
  return make_sheet(s, &g, true);
}

static ctStatus shape_grid(Shape* s) {
  Grid g;
  read_grid(&g, s);
  if (g.dim != 2 && g.dim != 3) return shape_invalid(s, "the dimension of a grid must be 2 or 3");
  if (g.dim == 2) {
    CT_TRY(check_sheet(s, &g));
    return make_sheet(s, &g, false);
  }
  for (int k = 0; k < 3; k++) {
    if (g.count[k] < 2) return shape_invalid(s, "counts of a grid of dimension 3 must be at least 2");
  }
  CT_TRY(shape_alloc(s, (double)g.count[0] * g.count[1] * g.count[2], 0, false));
  for (int i = 0; i < g.count[0]; i++) {
    for (int j = 0; j < g.count[1]; j++) {
      for (int k = 0; k < g.count[2]; k++) {
        shape_vertex(s, coordinate(&g, 0, i), coordinate(&g, 1, j), coordinate(&g, 2, k));
      }
    }
  }
  return CT_OK;
}

// How many axes take part in rounding a box: none, x and y, all.
typedef enum Rounding { BOX = 0, CYLINDER = 2, ELLIPSOID = 3 } Rounding;

// Surface point (i, j, k) of a box, rounded.
static void add_point(Shape* s, const Grid* g, Rounding rounding, int i, int j, int k) {
  const int at[3] = {i, j, k};
  double u[3], square = 0, reach = 0;
  for (int a = 0; a < 3; a++) {
    u[a] = 2.0 * at[a] / (g->count[a] - 1) - 1;
    if (a >= (int)rounding) continue;
    square += u[a] * u[a];
    reach = fmax(reach, fabs(u[a]));
  }
  double norm = sqrt(square);
  for (int a = 0; a < (int)rounding && norm > 0; a++) u[a] *= reach / norm;
  shape_vertex(s, g->half[0] * u[0], g->half[1] * u[1], g->half[2] * u[2]);
}

// Number of surface vertex (i, j, k) of an open box, in the order make_surface() writes them.
static int surface_number(const Grid* g, int i, int j, int k) {
  int nx = g->count[0], ny = g->count[1], up = g->count[2] - 1;
  if (k == 0) return i * ny + j;
  int base = nx * ny + k - 1;
  if (j == 0) return base + i * up;
  if (j == ny - 1) return base + (nx + i) * up;
  return base + (2 * nx + (i == 0 ? 0 : ny - 2) + j - 1) * up;
}

// Bottom, top unless open, then the walls of low y, high y, low x, high x.
static void make_surface(Shape* s, const Grid* g, Rounding rounding, bool open) {
  int nx = g->count[0], ny = g->count[1], nz = g->count[2], end = open ? nz : nz - 1;
  for (int k = 0; k < (open ? 1 : nz); k += nz - 1) {
    for (int i = 0; i < nx; i++) {
      for (int j = 0; j < ny; j++) add_point(s, g, rounding, i, j, k);
    }
  }
  for (int j = 0; j < ny; j += ny - 1) {
    for (int i = 0; i < nx; i++) {
      for (int k = 1; k < end; k++) add_point(s, g, rounding, i, j, k);
    }
  }
  for (int i = 0; i < nx; i += nx - 1) {
    for (int j = 1; j < ny - 1; j++) {
      for (int k = 1; k < end; k++) add_point(s, g, rounding, i, j, k);
    }
  }
}

static void add_cell(Shape* s, int a, int b, int c, int d) {
  raw_face(s, a, b, c);
  raw_face(s, a, c, d);
}

static void make_faces(Shape* s, const Grid* g) {
  int nx = g->count[0], ny = g->count[1], nz = g->count[2];
#define AT(i, j, k) surface_number(g, i, j, k)
  for (int i = 0; i + 1 < nx; i++) {
    for (int j = 0; j + 1 < ny; j++) {
      raw_face(s, AT(i, j, 0), AT(i + 1, j + 1, 0), AT(i + 1, j, 0));
      raw_face(s, AT(i, j, 0), AT(i, j + 1, 0), AT(i + 1, j + 1, 0));
    }
  }
  for (int j = 0; j < ny; j += ny - 1) {
    for (int i = 0; i + 1 < nx; i++) {
      int p = j == 0 ? i : i + 1, q = j == 0 ? i + 1 : i;
      for (int k = 0; k + 1 < nz; k++)
        add_cell(s, AT(p, j, k), AT(q, j, k), AT(q, j, k + 1), AT(p, j, k + 1));
    }
  }
  for (int i = 0; i < nx; i += nx - 1) {
    for (int j = 0; j + 1 < ny; j++) {
      int p = i == 0 ? j + 1 : j, q = i == 0 ? j : j + 1;
      for (int k = 0; k + 1 < nz; k++)
        add_cell(s, AT(i, p, k), AT(i, q, k), AT(i, q, k + 1), AT(i, p, k + 1));
    }
  }
#undef AT
}

// Solid ones are a cloud of surface points with one in the centre; those of dimension 2 are shells without a
// lid.
static ctStatus make_block(Shape* s, Rounding rounding) {
  Grid g;
  read_grid(&g, s);
  if (g.dim != 2 && g.dim != 3) return shape_invalid(s, "the dimension must be 2 or 3");
  for (int k = 0; k < 3; k++) {
    if (g.count[k] < 2) return shape_invalid(s, "counts must be at least 2");
  }
  double nx = g.count[0], ny = g.count[1], nz = g.count[2], around = 2 * (nx + ny - 2);
  bool open = g.dim == 2;
  if (open) {
    CT_TRY(
        shape_alloc(s, nx * ny + around * (nz - 1), 2 * (nx - 1) * (ny - 1) + 2 * around * (nz - 1), false));
    s->flat = true;
  } else {
    CT_TRY(shape_alloc(s, 1 + 2 * nx * ny + around * (nz - 2), 0, false));
    shape_vertex(s, 0, 0, 0);
  }
  make_surface(s, &g, rounding, open);
  if (open) make_faces(s, &g);
  return CT_OK;
}

static ctStatus shape_box(Shape* s) {
  return make_block(s, BOX);
}

static ctStatus shape_cylinder(Shape* s) {
  return make_block(s, CYLINDER);
}

static ctStatus shape_ellipsoid(Shape* s) {
  return make_block(s, ELLIPSOID);
}

// ---- the table

typedef ctStatus Maker(Shape* s);

#define CTI_AS_ROW(id, keyword, fewest, most) [CTI_BUILTIN_##id] = {keyword, fewest, most},
static const struct Row {
  const char* keyword;
  int fewest, most;
} rows[CTI_BUILTIN_COUNT] = {CTI_MESH_BUILTINS(CTI_AS_ROW)};

static Maker* const makers[CTI_BUILTIN_COUNT] = {
    [CTI_BUILTIN_SPHERE] = make_sphere,
    [CTI_BUILTIN_HEMISPHERE] = make_hemisphere,
    [CTI_BUILTIN_CONE] = make_cone,
    [CTI_BUILTIN_SUPERSPHERE] = make_supersphere,
    [CTI_BUILTIN_SUPERTORUS] = make_supertorus,
    [CTI_BUILTIN_WEDGE] = make_wedge,
    [CTI_BUILTIN_PLATE] = make_plate,
    [CTI_BUILTIN_GRID] = shape_grid,
    [CTI_BUILTIN_BOX] = shape_box,
    [CTI_BUILTIN_CYLINDER] = shape_cylinder,
    [CTI_BUILTIN_ELLIPSOID] = shape_ellipsoid,
    [CTI_BUILTIN_SQUARE] = shape_square,
    [CTI_BUILTIN_DISC] = shape_disc,
};

ctStatus cti_builtin_make(ctiRawMesh* out, bool* flat, ctiMeshBuiltin shape, const double* params, int nparam,
                          ctiRegion* region, ctError* err) {
  *out = (ctiRawMesh){0};
  if (flat) *flat = false;
  if (shape <= CTI_BUILTIN_NONE || shape >= CTI_BUILTIN_COUNT)
    return cti_error(err, CT_ERR_ARGUMENT, "unknown builtin mesh");
  const struct Row* row = &rows[shape];
  if (nparam < row->fewest || nparam > row->most) {
    return cti_error(err, CT_ERR_INVALID, "builtin %s takes %d%s params, not %d", row->keyword, row->fewest,
                     row->most > row->fewest ? " or more" : "", nparam);
  }
  for (int i = 0; i < nparam; i++) {
    if (!isfinite(params[i])) return cti_error(err, CT_ERR_INVALID, "params: number %d is not finite", i + 1);
  }
  Shape s = {.mesh = out, .params = params, .nparam = nparam, .region = region, .err = err};
  CT_TRY(makers[shape](&s));
  if (flat) *flat = s.flat;
  out->vert = cti_widen(s.vert, 3 * (size_t)out->nvert, region);
  return out->vert ? CT_OK : cti_error_memory(err);
}
