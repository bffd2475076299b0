#include "asset/mesh.h"

#include <string.h>

#include "asset/hull.h"
#include "asset/mesh_files.h"
#include "asset/octree.h"
#include "asset/vec.h"
#include "base/alloc.h"
#include "math/eig3.h"

// ---- mass

// A solid is the sum of pyramids from one point to all faces, with the sign of their volumes. Its second
// moments are sums over the faces of products of corner coordinates.

// Volume, centre of mass and inertia of a surface of triangles, and the area of a shell.
// Faces of `face` (nface x 3) over `vert`.
typedef struct Surface {
  const double* vert;
  const int* face;
  int nface;
} Surface;

// Density 1: `volume` is the mass (the area of a shell).
typedef struct MassProperties {
  double volume;
  double centre[3];
  double inertia[6];  // about `centre`: xx yy zz xy xz yz
} MassProperties;

// Volumes and areas below this count as none.
#define MIN_VALUE 1e-14
// Triangles below this, which is twice their area, have none.
#define MIN_TWICE_AREA 1e-15

// Corners of a face relative to `from`, its centre, and normal times area.
typedef struct Triangle {
  double corner[3][3], centre[3], normal[3], area;
} Triangle;

static void triangle_get(Triangle* t, const Surface* s, int face, const double from[3]) {
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
static double surface_centre(double centre[3], const Surface* s) {
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

// Mass and its centre, of pyramids with their apex at the centre of the surface. A shell is treated the same
// way: what its faces lose towards that point cancels.
static double mass_centre(double centre[3], const Surface* s, const double apex[3], ctiMeshInertia mode) {
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
static double add_inertia(double inertia[6], const Surface* s, const double centre[3], ctiMeshInertia mode) {
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

// Of what `surface` encloses; its pyramids stand on the centre of `shape`, which for a hull is the surface
// that it is around. CT_ERR_INVALID when there is no area, or no volume where one is needed, or a negative
// one.
static ctStatus surface_mass(MassProperties* out, const Surface* surface, const Surface* shape,
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

// Every edge must be met once in each direction: CT_ERR_INVALID otherwise. Memory is taken from `region`.
static ctStatus surface_check_orientation(const Surface* surface, int nvert, ctiRegion* region,
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

// ---- normals

// Normals at the vertices of a mesh, for drawing. They are floats, made with the roundings of MuJoCo, so
// that pictures and saved models agree to the bit.

// Vectors whose square is below this have no direction.
#define MIN_SQUARE 1e-14
// The same for smooth sums, whose length is asked: what rounding leaves of faces that cancel is a direction.
#define MIN_NORM 1e-15
// Cosine of the angle between a face and the average at which an edge counts as sharp.
#define SHARP_COSINE 0.8

static float square_of(const float n[3]) {
  return n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
}

static void set_upright(float n[3]) {
  n[0] = n[1] = 0;
  n[2] = 1;
}

// Scale to unit length; a vector that is as good as zero becomes (0, 0, 1).
static void normal_unit(float normal[3]) {
  float square = square_of(normal);
  if (!((double)square >= MIN_SQUARE)) {
    set_upright(normal);
    return;
  }
  float scale = 1 / sqrtf(square);
  for (int k = 0; k < 3; k++) normal[k] *= scale;
}

// The same by division, which rounds differently.
static void sum_to_unit(float sum[3], bool smooth) {
  float square = square_of(sum), norm = sqrtf(square);
  if (!(smooth ? (double)norm >= MIN_NORM : (double)square >= MIN_SQUARE)) {
    set_upright(sum);
    return;
  }
  for (int k = 0; k < 3; k++) sum[k] /= norm;
}

// Twice the area times the unit normal, or zero.
static void face_cross(double out[3], const double* vert, const int face[3]) {
  double a[3], b[3];
  cti_dsub3(a, vert + 3 * face[1], vert + 3 * face[0]);
  cti_dsub3(b, vert + 3 * face[2], vert + 3 * face[0]);
  cti_dcross3(out, a, b);
  if (!(cti_ddot3(out, out) >= MIN_SQUARE)) out[0] = out[1] = out[2] = 0;
}

// Rounding that no compiler may lose: GCC 12 leaves out pairs of conversions to float and back when it
// vectorises.
static float to_float(double x) {
  volatile float rounded = (float)x;
  return rounded;
}

static void add_to(float sum[3], const double a[3]) {
  for (int k = 0; k < 3; k++) sum[k] = to_float((double)sum[k] + a[k]);
}

// Is a face at a large angle to the average? Never when there is none: opposite faces cancel.
static bool is_sharp(const double cross[3], const float mean[3]) {
  double m[3] = {(double)mean[0], (double)mean[1], (double)mean[2]};
  double square = cti_ddot3(m, m);
  return square >= MIN_SQUARE && cti_ddot3(cross, m) < SHARP_COSINE * sqrt(square * cti_ddot3(cross, cross));
}

// Take faces at a large angle to the average out of the sums. They are summed apart, in the same order: where
// all of them go exactly nothing is left.
static ctStatus leave_out_sharp(float* sum, int nvert, const double* cross, const int* face, int nface,
                                ctiRegion* region, ctError* err) {
  size_t size = 3 * (size_t)nvert;
  float* sharp = CTI_NEW_ARRAY(region, float, size);
  if (!sharp) return cti_error_memory(err);
  for (int i = 0; i < 3 * nface; i++) {
    const double* c = cross + i / 3 * 3;
    if (is_sharp(c, sum + 3 * face[i])) add_to(sharp + 3 * face[i], c);
  }
  for (size_t i = 0; i < size; i++) sum[i] -= sharp[i];
  return CT_OK;
}

// Write a unit normal for each of nvert vertices: the average over its faces, weighted by area. Unless
// `smooth`, faces at a large angle to that average are left out, so that sharp edges stay sharp. A vertex
// without faces gets (0, 0, 1).
static ctStatus normals_make(float* normal, const double* vert, int nvert, const int* face, int nface,
                             bool smooth, ctiRegion* region, ctError* err) {
  size_t size = 3 * (size_t)nvert;
  double* cross = CTI_NEW_ARRAY(region, double, 3 * (size_t)nface);
  if (!cross) return cti_error_memory(err);
  memset(normal, 0, size * sizeof(*normal));
  for (int i = 0; i < nface; i++) {
    face_cross(cross + 3 * i, vert, face + 3 * i);
    for (int k = 0; k < 3; k++) add_to(normal + 3 * face[3 * i + k], cross + 3 * i);
  }
  if (!smooth) CT_TRY(leave_out_sharp(normal, nvert, cross, face, nface, region, err));
  for (int i = 0; i < nvert; i++) sum_to_unit(normal + 3 * i, smooth);
  return CT_OK;
}

// ---- the whole

// Eigenvalues may miss the triangle inequality by this fraction.
#define EIG_TOLERANCE 1e-6
// Beyond this squares and cubes of coordinates leave the range of a float.
#define MAX_COORDINATE 1e12

// A mesh in the making: the record to fill, and what is only needed until then.
typedef struct Build {
  ctiMesh* m;
  const ctiMeshSource* source;
  double* vert;  // nvert x 3: doubles until the mesh is centred
  ctiHull hull;
  ctiMeshInertia inertia;
  ctiRegion* region;
  ctError* err;
} Build;

void cti_mesh_source_default(ctiMeshSource* source) {
  *source = (ctiMeshSource){
      .scale = {1, 1, 1}, .refquat = {1, 0, 0, 0}, .inertia = CTI_INERTIA_LEGACY, .maxhullvert = -1};
}

static ctStatus take_raw(Build* b, const ctiRawMesh* raw) {
  ctiMesh* m = b->m;
  b->vert = raw->vert;
  m->vert = CTI_NEW_ARRAY(b->region, float, 3 * (size_t)raw->nvert);
  m->nvert = raw->nvert;
  m->nnormal = raw->nnormal;
  m->ntexcoord = raw->ntexcoord;
  m->nface = raw->nface;
  m->normal = raw->normal;
  m->texcoord = raw->texcoord;
  m->face = raw->face;
  m->facenormal = raw->facenormal;
  m->facetexcoord = raw->facetexcoord;
  return m->vert ? CT_OK : cti_error_memory(b->err);
}

// Normals where none were given, once there are faces.
static ctStatus make_normals(Build* b) {
  ctiMesh* m = b->m;
  if (m->nnormal > 0 || m->nface == 0) return CT_OK;
  m->nnormal = m->nvert;
  m->normal = CTI_NEW_ARRAY(b->region, float, 3 * (size_t)m->nvert);
  if (!m->normal) return cti_error_memory(b->err);
  return normals_make(m->normal, b->vert, m->nvert, m->face, m->nface, b->source->smoothnormal, b->region,
                      b->err);
}

static void flip_faces(int* face, int nface) {
  for (int i = 0; face && i < nface; i++) {
    int swap = face[3 * i + 1];
    face[3 * i + 1] = face[3 * i + 2];
    face[3 * i + 2] = swap;
  }
}

// Take off refpos and refquat, then scale. A scale that mirrors turns faces inside out, and is made up for.
// Normals are covectors: they scale the other way round.
static ctStatus place_source(Build* b) {
  const ctiMeshSource* s = b->source;
  ctiMesh* m = b->m;
  double rot[9], cofactors[9], quat[4], norm = 0;
  for (int k = 0; s->map && k < 3; k++)
    cti_dcross3(cofactors + 3 * k, s->map + 3 * ((k + 1) % 3), s->map + 3 * ((k + 2) % 3));
  for (int k = 0; k < 4; k++) norm += s->refquat[k] * s->refquat[k];
  if (!(norm >= 1e-30)) return cti_error(b->err, CT_ERR_INVALID, "refquat is zero");
  for (int k = 0; k < 4; k++) quat[k] = s->refquat[k] / sqrt(norm);
  cti_dquat_to_mat(rot, quat);
  for (int i = 0; i < m->nvert; i++) {
    double* v = b->vert + 3 * i;
    cti_dsub3(v, v, s->refpos);
    cti_dmul_t3(v, rot, v);
    for (int k = 0; k < 3; k++) v[k] *= s->scale[k];
    if (s->map) cti_dmul3(v, s->map, v);
    for (int k = 0; k < 3; k++) {
      if (!(fabs(v[k]) <= MAX_COORDINATE)) {
        return cti_error(b->err, CT_ERR_INVALID, "vertex %d is not finite, or too large, after scaling", i);
      }
    }
  }
  for (int i = 0; i < m->nnormal; i++) {
    double n[3];
    cti_drow(n, m->normal, i);
    cti_dmul_t3(n, rot, n);
    for (int k = 0; k < 3; k++) n[k] = s->scale[k] != 0 ? n[k] / s->scale[k] : n[k];
    if (s->map) cti_dmul3(n, cofactors, n);
    for (int k = 0; k < 3; k++) m->normal[3 * i + k] = (float)n[k];
    normal_unit(m->normal + 3 * i);
  }
  memcpy(m->scale, s->scale, sizeof(m->scale));
  if (s->scale[0] * s->scale[1] * s->scale[2] < 0) {
    flip_faces(m->face, m->nface);
    flip_faces(m->facenormal, m->nface);
    flip_faces(m->facetexcoord, m->nface);
    flip_faces(b->hull.face_globalid, b->hull.nface);
    cti_polygons_mirror(m);
  }
  return CT_OK;
}

static int* scaled_copy(const int* from, size_t count, int factor, ctiRegion* region) {
  int* to = CTI_NEW_ARRAY(region, int, count);
  for (size_t i = 0; to && i < count; i++) to[i] = factor * from[i];
  return to;
}

// A few words can generate a shape whose hull takes minutes. Points on a circle take more time each the more
// there are: n of them count as n^2 / 700.
static ctStatus pay_for_hull(Build* b) {
  double n = b->m->nvert, *left = b->source->hull_left;
  if (!left || b->source->builtin == CTI_BUILTIN_NONE) return CT_OK;
  if (b->source->builtin == CTI_BUILTIN_CONE || b->source->builtin == CTI_BUILTIN_CYLINDER ||
      b->source->builtin == CTI_BUILTIN_DISC)
    n = fmax(n, n * n / 700);
  if (n > *left)
    return cti_error(b->err, CT_ERR_LIMIT,
                     "the hull of a generated shape of %d vertices is too much work; a larger max_memory of "
                     "the load options allows more",
                     b->m->nvert);
  *left -= n;
  return CT_OK;
}

// The hull when somebody asks for it; its faces when there are no others.
static ctStatus make_hull(Build* b) {
  ctiMesh* m = b->m;
  if (m->nface > 0 && !b->source->needs_hull && b->inertia != CTI_INERTIA_CONVEX) return CT_OK;
  CT_TRY(pay_for_hull(b));
  CT_TRY(cti_hull_make(&b->hull, b->vert, m->nvert, b->source->maxhullvert, b->region, b->err));
  m->ngraph = b->hull.ngraph;
  m->graph = b->hull.graph;
  CT_TRY(cti_polygons_merge(m, &b->hull, b->vert, b->region, b->err));
  if (m->nface > 0) return CT_OK;
  m->nface = b->hull.nface;
  m->face = scaled_copy(b->hull.face_globalid, 3 * (size_t)m->nface, 1, b->region);
  return m->face ? CT_OK : cti_error_memory(b->err);
}

// Every face gets its indices. Fewer normals than vertices cannot be named by vertex: all faces use the
// first.
static ctStatus complete_faces(Build* b) {
  ctiMesh* m = b->m;
  size_t count = 3 * (size_t)m->nface;
  CT_TRY(make_normals(b));
  if (!m->facenormal) m->facenormal = scaled_copy(m->face, count, m->nnormal / m->nvert, b->region);
  if (!m->facetexcoord) m->facetexcoord = scaled_copy(m->face, count, m->ntexcoord ? 1 : 0, b->region);
  return m->facenormal && m->facetexcoord ? CT_OK : cti_error_memory(b->err);
}

// Principal moments, largest first, and axes.
static void principal_axes(double moment[3], double quat[4], const double inertia[6]) {
  const int at[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
  ctReal mat[9], eig[3], q[4];
  // scaled to unit size: in single precision small inertias would vanish
  double size = 0;
  for (int i = 0; i < 6; i++) size = fmax(size, fabs(inertia[i]));
  double scale = sizeof(ctReal) < sizeof(double) && size > 0 ? size : 1;
  for (int i = 0; i < 9; i++) mat[i] = (ctReal)(inertia[at[i]] / scale);
  cti_eig3(eig, NULL, q, mat, CTI_EIG_MESH_TOL, CTI_EIG_MESH_SORT);
  for (int i = 0; i < 3; i++) moment[i] = (double)eig[i] * scale;
  for (int i = 0; i < 4; i++) quat[i] = (double)q[i];
}

// Frame and box of equal inertia.
static ctStatus weigh(Build* b) {
  ctiMesh* m = b->m;
  MassProperties mass = {0};
  bool convex = b->inertia == CTI_INERTIA_CONVEX;
  Surface shape = {b->vert, m->face, m->nface}, hull = {b->vert, b->hull.face_globalid, b->hull.nface};
  const Surface* surface = convex ? &hull : &shape;
  if (b->inertia == CTI_INERTIA_EXACT)
    CT_TRY(surface_check_orientation(surface, m->nvert, b->region, b->err));
  CT_TRY(surface_mass(&mass, surface, &shape, b->inertia, b->err));
  double e[3];
  principal_axes(e, m->quat, mass.inertia);
  if (!(e[2] > 0))
    return cti_error(b->err, CT_ERR_INVALID, "the principal moments of inertia must be positive");
  if (e[1] + e[2] < e[0] * (1 - EIG_TOLERANCE)) {
    return cti_error(b->err, CT_ERR_INVALID,
                     "the principal moments of inertia must satisfy A + B >= C: check the faces");
  }
  cti_dcopy3(m->pos, mass.centre);
  m->volume = mass.volume;
  m->shell = b->inertia == CTI_INERTIA_SHELL;
  for (int k = 0; k < 3; k++) {
    m->boxsz[k] = sqrt(fmax(0, 6 * (e[(k + 1) % 3] + e[(k + 2) % 3] - e[k])) / mass.volume) / 2;
  }
  return CT_OK;
}

// The distances of a field are asked for in its own frame: that is where its surface stays.
static void keep_frame(ctiMesh* m) {
  memset(m->pos, 0, sizeof(m->pos));
  memcpy(m->quat, (const double[4]){1, 0, 0, 0}, sizeof(m->quat));
}

// Move the origin to the centre of mass and turn the axes to the principal ones.
static void centre(Build* b) {
  ctiMesh* m = b->m;
  double rot[9];
  cti_dquat_to_mat(rot, m->quat);
  for (int k = 0; k < 3; k++) {
    m->aabb[k] = HUGE_VAL;
    m->aabb[3 + k] = -HUGE_VAL;
  }
  for (int i = 0; i < m->nvert; i++) {
    double* v = b->vert + 3 * i;
    cti_dsub3(v, v, m->pos);
    cti_dmul_t3(v, rot, v);
    for (int k = 0; k < 3; k++) {
      m->vert[3 * i + k] = (float)v[k];
      m->aabb[k] = fmin(m->aabb[k], v[k]);
      m->aabb[3 + k] = fmax(m->aabb[3 + k], v[k]);
    }
  }
  for (int i = 0; i < m->nnormal; i++) {
    double n[3];
    cti_drow(n, m->normal, i);
    cti_dmul_t3(n, rot, n);
    for (int k = 0; k < 3; k++) m->normal[3 * i + k] = (float)n[k];
  }
}

// Centre of the circle through the corners of a triangle; not a number where they lie in a line.
static void circumcentre(double out[3], const double a[3], const double b[3], const double c[3]) {
  double u[3], v[3], normal[3], w[3];
  cti_dsub3(u, a, c);
  cti_dsub3(v, b, c);
  cti_dcross3(normal, u, v);
  double uu = cti_ddot3(u, u), vv = cti_ddot3(v, v), twice = 2 * cti_ddot3(normal, normal);
  for (int k = 0; k < 3; k++) w[k] = uu * v[k] - vv * u[k];
  cti_dcross3(out, w, normal);
  for (int k = 0; k < 3; k++) out[k] = out[k] / twice + c[k];
}

// The tree of faces, each with its box; they are split by their circumcentres.
static ctStatus make_tree(Build* b) {
  ctiMesh* m = b->m;
  double* boxes = CTI_NEW_ARRAY(b->region, double, 6 * (size_t)m->nface);
  double* centres = CTI_NEW_ARRAY(b->region, double, 3 * (size_t)m->nface);
  if (!boxes || !centres) return cti_error_memory(b->err);
  for (int i = 0; i < m->nface; i++) {
    const int* f = m->face + 3 * i;
    const double *p = b->vert + 3 * f[0], *q = b->vert + 3 * f[1], *r = b->vert + 3 * f[2];
    circumcentre(centres + 3 * i, p, q, r);
    for (int k = 0; k < 3; k++) {
      double low = fmin(p[k], fmin(q[k], r[k])), high = fmax(p[k], fmax(q[k], r[k]));
      boxes[6 * i + k] = (low + high) / 2;
      boxes[6 * i + 3 + k] = (high - low) / 2;
    }
  }
  return cti_bvh_build(&m->bvh, boxes, centres, m->nface, 0, b->region, b->err);
}

static ctStatus build(Build* b) {
  ctiRawMesh raw;
  bool flat;
  if (b->source->maxhullvert != -1 && b->source->maxhullvert <= CTI_HULL_MAXVERT_MIN) {
    return cti_error(b->err, CT_ERR_INVALID, "maxhullvert is %d: must be -1 or larger than %d",
                     b->source->maxhullvert, CTI_HULL_MAXVERT_MIN);
  }
  CT_TRY(cti_mesh_load(&raw, &flat, b->source, b->region, b->err));
  b->inertia = flat && b->source->inertia == CTI_INERTIA_LEGACY ? CTI_INERTIA_SHELL : b->source->inertia;
  CT_TRY(take_raw(b, &raw));
  CT_TRY(make_hull(b));
  CT_TRY(complete_faces(b));
  CT_TRY(place_source(b));
  CT_TRY(weigh(b));
  if (b->source->surface) keep_frame(b->m);
  centre(b);
  if (b->hull.nvert > 0) CT_TRY(cti_polygons_normals(b->m, b->vert, b->region, b->err));
  if (b->hull.nvert > 0) cti_hull_extrema(b->m->extrema, &b->hull, b->m->vert);
  CT_TRY(make_tree(b));
  if (b->source->needs_sdf) CT_TRY(cti_octree_build(b->m, b->vert, b->region, b->err));
  return CT_OK;
}

ctStatus cti_mesh_build(ctiMesh* out, const ctiMeshSource* source, ctiRegion* region, ctError* err) {
  *out = (ctiMesh){0};
  Build b = {.m = out, .source = source, .region = region, .err = err};
  ctStatus status = build(&b);
  if (status != CT_OK) *out = (ctiMesh){0};
  return status;
}
