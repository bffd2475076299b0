// A solid is the sum of pyramids from one point to all faces, with the sign of their volumes. Its second
// moments are sums over the faces of products of corner coordinates.
#include "asset/inertia.h"

#include "asset/vec.h"

// Volumes and areas below this count as none.
#define MIN_VALUE 1e-14
// Triangles below this, which is twice their area, have none.
#define MIN_TWICE_AREA 1e-15

// Corners of a face relative to `from`, its centre, and normal times area.
typedef struct Triangle {
  double corner[3][3], centre[3], normal[3], area;
} Triangle;

static void triangle_get(Triangle* t, const ctiSurface* s, int face, const double from[3]) {
  double a[3], b[3];
  for (int k = 0; k < 3; k++) {
    cti_dsub3(t->corner[k], s->vert + 3 * s->face[3 * face + k], from);
  }
  for (int k = 0; k < 3; k++) t->centre[k] = (t->corner[0][k] + t->corner[1][k] + t->corner[2][k]) / 3;
  cti_dsub3(a, t->corner[1], t->corner[0]);
  cti_dsub3(b, t->corner[2], t->corner[0]);
  cti_dcross3(t->normal, a, b);
  double twice = cti_dnormalize3(t->normal, MIN_TWICE_AREA);
  t->area = twice < MIN_TWICE_AREA ? 0 : twice / 2;
}

// Mass of the part that belongs to a face: its area, or the volume of the pyramid from `apex` to it.
static double part_mass(const Triangle* t, const double apex[3], ctiMeshInertia mode) {
  double up[3];
  if (mode == CTI_INERTIA_SHELL) return t->area;
  cti_dsub3(up, t->centre, apex);
  double volume = cti_ddot3(up, t->normal) * t->area / 3;
  return mode == CTI_INERTIA_LEGACY ? fabs(volume) : volume;
}

static const double origin[3] = {0};

// Area and centre of the surface.
static double surface_centre(double centre[3], const ctiSurface* s) {
  double area = 0;
  centre[0] = centre[1] = centre[2] = 0;
  for (int i = 0; i < s->nface; i++) {
    Triangle t;
    triangle_get(&t, s, i, origin);
    area += t.area;
    for (int k = 0; k < 3; k++) centre[k] += t.area * t.centre[k];
  }
  if (area >= MIN_VALUE) {
    for (int k = 0; k < 3; k++) centre[k] /= area;
  }
  return area;
}

// Mass and its centre, of pyramids with their apex at the centre of the surface. A shell is treated alike:
// what its faces lose towards that point cancels.
static double mass_centre(double centre[3], const ctiSurface* s, const double apex[3], ctiMeshInertia mode) {
  double mass = 0, sum[3] = {0};
  for (int i = 0; i < s->nface; i++) {
    Triangle t;
    triangle_get(&t, s, i, origin);
    double part = part_mass(&t, apex, mode);
    mass += part;
    for (int k = 0; k < 3; k++) sum[k] += part * (t.centre[k] * 3 / 4 + apex[k] / 4);
  }
  for (int k = 0; k < 3; k++) centre[k] = sum[k] / mass;
  return mass;
}

// Second moments about `centre`: integral of x_i x_j over each part, exact for linear shapes.
static double add_inertia(double inertia[6], const ctiSurface* s, const double centre[3],
                          ctiMeshInertia mode) {
  static const int row[6] = {0, 1, 2, 0, 0, 1}, col[6] = {0, 1, 2, 1, 2, 2};
  double moment[6] = {0}, mass = 0;
  const double scale = mode == CTI_INERTIA_SHELL ? 12 : 20;
  for (int i = 0; i < s->nface; i++) {
    Triangle t;
    triangle_get(&t, s, i, centre);
    double part = part_mass(&t, origin, mode);
    mass += part;
    const double *d = t.corner[0], *e = t.corner[1], *f = t.corner[2];
    for (int k = 0; k < 6; k++) {
      int a = row[k], b = col[k];
      moment[k] += part / scale *
                   (2 * (d[a] * d[b] + e[a] * e[b] + f[a] * f[b]) + d[a] * e[b] + d[b] * e[a] + d[a] * f[b] +
                    d[b] * f[a] + e[a] * f[b] + e[b] * f[a]);
    }
  }
  inertia[0] = moment[1] + moment[2];
  inertia[1] = moment[0] + moment[2];
  inertia[2] = moment[0] + moment[1];
  for (int k = 3; k < 6; k++) inertia[k] = -moment[k];
  return mass;
}

ctStatus cti_surface_mass(ctiMassProperties* out, const ctiSurface* surface, const ctiSurface* shape,
                          ctiMeshInertia mode, ctError* err) {
  double apex[3];
  double area = surface_centre(apex, shape);
  if (!(area >= MIN_VALUE)) return cti_error(err, CT_ERR_INVALID, "the area of the surface is too small");
  double volume = mass_centre(out->centre, surface, apex, mode);
  if (mode != CTI_INERTIA_SHELL && volume < 0) {
    return cti_error(err, CT_ERR_INVALID,
                     "the volume is negative: faces must be counter-clockwise seen from outside");
  }
  if (mode != CTI_INERTIA_SHELL && !(volume >= MIN_VALUE))
    return cti_error(err, CT_ERR_INVALID, "the volume is too small; inertia=\"shell\" needs none");
  out->volume = add_inertia(out->inertia, surface, out->centre, mode);
  return CT_OK;
}

// Directed edges by the vertex they leave: to[start[v]] .. to[start[v] + count[v]].
ctStatus cti_surface_check_orientation(const ctiSurface* surface, int nvert, ctiRegion* region,
                                       ctError* err) {
  int* start = CTI_NEW_ARRAY(region, int, (size_t)nvert + 1);
  int* count = CTI_NEW_ARRAY(region, int, nvert);
  int* to = CTI_NEW_ARRAY(region, int, 3 * (size_t)surface->nface);
  if (!start || !count || !to) return cti_error_memory(err);
  for (int i = 0; i < 3 * surface->nface; i++) start[surface->face[i] + 1]++;
  for (int v = 0; v < nvert; v++) start[v + 1] += start[v];
  for (int i = 0; i < 3 * surface->nface; i++) {
    int from = surface->face[i], next = surface->face[i % 3 == 2 ? i - 2 : i + 1];
    for (int e = start[from]; e < start[from] + count[from]; e++) {
      if (to[e] != next) continue;
      return cti_error(err, CT_ERR_INVALID,
                       "two faces run through the edge from vertex %d to %d in the same direction: "
                       "orientation is inconsistent",
                       from, next);
    }
    to[start[from] + count[from]++] = next;
  }
  return CT_OK;
}
