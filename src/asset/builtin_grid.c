// Generated shapes on regular grids: params are count[3], spacing[3] and sometimes the dimension.
#include <math.h>

#include "asset/builtin_parts.h"

// Counts, spacings and half extents.
typedef struct Grid {
  int count[3];
  double spacing[3], half[3];
  int dim;
} Grid;

static void read_grid(Grid* g, const ctiShape* s) {
  g->dim = s->nparam > 6 ? cti_shape_count(s, 6) : 3;
  for (int k = 0; k < 3; k++) {
    g->count[k] = cti_shape_count(s, k);
    g->spacing[k] = s->params[3 + k];
    g->half[k] = 0.5 * g->spacing[k] * (g->count[k] - 1);
  }
}

static double coordinate(const Grid* g, int axis, int i) {
  return g->spacing[axis] * i - g->half[axis];
}

// A sheet of nx by ny vertices, x slowest. `round` turns squares about the centre into circles and cuts the
// cells so that all diagonals point outwards.
static ctStatus make_sheet(ctiShape* s, const Grid* g, bool round) {
  int nx = g->count[0], ny = g->count[1];
  CT_TRY(cti_shape_alloc(s, (double)nx * ny, 2 * (nx - 1.0) * (ny - 1.0), false));
  s->flat = true;
  for (int i = 0; i < nx; i++) {
    for (int j = 0; j < ny; j++) {
      double x = coordinate(g, 0, i), y = coordinate(g, 1, j), norm = sqrt(x * x + y * y);
      if (round && norm > 0) {
        double reach = fmax(fabs(x), fabs(y));
        x *= g->half[0] * reach / norm;
        y *= g->half[1] * reach / norm;
      }
      cti_shape_vertex(s, x, y, 0);
    }
  }
  for (int i = 0; i + 1 < nx; i++) {
    for (int j = 0; j + 1 < ny; j++) {
      int a = i * ny + j, b = a + ny, c = b + 1, d = a + 1;
      bool rising = !round || (i < nx / 2) == (j < ny / 2);
      cti_raw_face(s, a, b, rising ? c : d);
      cti_raw_face(s, rising ? a : b, c, d);
    }
  }
  return CT_OK;
}

static ctStatus check_sheet(const ctiShape* s, const Grid* g) {
  if (g->count[0] < 2 || g->count[1] < 2)
    return cti_shape_invalid(s, "the first two counts must be at least 2");
  if (g->count[2] != 1) return cti_shape_invalid(s, "the third count must be 1");
  return CT_OK;
}

ctStatus cti_shape_square(ctiShape* s) {
  Grid g;
  read_grid(&g, s);
  CT_TRY(check_sheet(s, &g));
  return make_sheet(s, &g, false);
}

ctStatus cti_shape_disc(ctiShape* s) {
  Grid g;
  read_grid(&g, s);
  CT_TRY(check_sheet(s, &g));
  return make_sheet(s, &g, true);
}

ctStatus cti_shape_grid(ctiShape* s) {
  Grid g;
  read_grid(&g, s);
  if (g.dim != 2 && g.dim != 3) return cti_shape_invalid(s, "the dimension of a grid must be 2 or 3");
  if (g.dim == 2) {
    CT_TRY(check_sheet(s, &g));
    return make_sheet(s, &g, false);
  }
  for (int k = 0; k < 3; k++) {
    if (g.count[k] < 2) return cti_shape_invalid(s, "counts of a grid of dimension 3 must be at least 2");
  }
  CT_TRY(cti_shape_alloc(s, (double)g.count[0] * g.count[1] * g.count[2], 0, false));
  for (int i = 0; i < g.count[0]; i++) {
    for (int j = 0; j < g.count[1]; j++) {
      for (int k = 0; k < g.count[2]; k++) {
        cti_shape_vertex(s, coordinate(&g, 0, i), coordinate(&g, 1, j), coordinate(&g, 2, k));
      }
    }
  }
  return CT_OK;
}

// How many axes take part in rounding a box: none, x and y, all.
typedef enum Rounding { BOX = 0, CYLINDER = 2, ELLIPSOID = 3 } Rounding;

// Surface point (i, j, k) of a box, rounded.
static void add_point(ctiShape* s, const Grid* g, Rounding rounding, int i, int j, int k) {
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
  cti_shape_vertex(s, g->half[0] * u[0], g->half[1] * u[1], g->half[2] * u[2]);
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
static void make_surface(ctiShape* s, const Grid* g, Rounding rounding, bool open) {
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

static void add_quad(ctiShape* s, int a, int b, int c, int d) {
  cti_raw_face(s, a, b, c);
  cti_raw_face(s, a, c, d);
}

static void make_faces(ctiShape* s, const Grid* g) {
  int nx = g->count[0], ny = g->count[1], nz = g->count[2];
#define AT(i, j, k) surface_number(g, i, j, k)
  for (int i = 0; i + 1 < nx; i++) {
    for (int j = 0; j + 1 < ny; j++) {
      cti_raw_face(s, AT(i, j, 0), AT(i + 1, j + 1, 0), AT(i + 1, j, 0));
      cti_raw_face(s, AT(i, j, 0), AT(i, j + 1, 0), AT(i + 1, j + 1, 0));
    }
  }
  for (int j = 0; j < ny; j += ny - 1) {
    for (int i = 0; i + 1 < nx; i++) {
      int p = j == 0 ? i : i + 1, q = j == 0 ? i + 1 : i;
      for (int k = 0; k + 1 < nz; k++)
        add_quad(s, AT(p, j, k), AT(q, j, k), AT(q, j, k + 1), AT(p, j, k + 1));
    }
  }
  for (int i = 0; i < nx; i += nx - 1) {
    for (int j = 0; j + 1 < ny; j++) {
      int p = i == 0 ? j + 1 : j, q = i == 0 ? j : j + 1;
      for (int k = 0; k + 1 < nz; k++)
        add_quad(s, AT(i, p, k), AT(i, q, k), AT(i, q, k + 1), AT(i, p, k + 1));
    }
  }
#undef AT
}

// Solid ones are a cloud of surface points with one in the centre; those of dimension 2 are shells without a
// lid.
static ctStatus make_block(ctiShape* s, Rounding rounding) {
  Grid g;
  read_grid(&g, s);
  if (g.dim != 2 && g.dim != 3) return cti_shape_invalid(s, "the dimension must be 2 or 3");
  for (int k = 0; k < 3; k++) {
    if (g.count[k] < 2) return cti_shape_invalid(s, "counts must be at least 2");
  }
  double nx = g.count[0], ny = g.count[1], nz = g.count[2], around = 2 * (nx + ny - 2);
  bool open = g.dim == 2;
  if (open) {
    CT_TRY(cti_shape_alloc(s, nx * ny + around * (nz - 1), 2 * (nx - 1) * (ny - 1) + 2 * around * (nz - 1),
                           false));
    s->flat = true;
  } else {
    CT_TRY(cti_shape_alloc(s, 1 + 2 * nx * ny + around * (nz - 2), 0, false));
    cti_shape_vertex(s, 0, 0, 0);
  }
  make_surface(s, &g, rounding, open);
  if (open) make_faces(s, &g);
  return CT_OK;
}

ctStatus cti_shape_box(ctiShape* s) {
  return make_block(s, BOX);
}

ctStatus cti_shape_cylinder(ctiShape* s) {
  return make_block(s, CYLINDER);
}

ctStatus cti_shape_ellipsoid(ctiShape* s) {
  return make_block(s, ELLIPSOID);
}
