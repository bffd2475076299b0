#include "asset/mesh.h"

#include <string.h>

#include "asset/hull.h"
#include "asset/inertia.h"
#include "asset/load.h"
#include "asset/normals.h"
#include "asset/octree.h"
#include "asset/polygon.h"
#include "asset/vec.h"
#include "math/eig3.h"

// Eigenvalues may miss the triangle inequality by this fraction.
#define EIG_SLACK 1e-6
// Beyond this squares and cubes of coordinates leave the range of a float.
#define MAX_COORDINATE 1e12

// A mesh on its way: the record to fill, and what is only needed until then.
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
  return cti_normals_make(m->normal, b->vert, m->nvert, m->face, m->nface, b->source->smoothnormal, b->region,
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
    cti_normal_unit(m->normal + 3 * i);
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

// The hull when somebody asks for it; its faces when there are no others.
static ctStatus make_hull(Build* b) {
  ctiMesh* m = b->m;
  if (m->nface > 0 && !b->source->needs_hull && b->inertia != CTI_INERTIA_CONVEX) return CT_OK;
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
  ctiMassProperties mass;
  bool convex = b->inertia == CTI_INERTIA_CONVEX;
  ctiSurface shape = {b->vert, m->face, m->nface}, hull = {b->vert, b->hull.face_globalid, b->hull.nface};
  const ctiSurface* surface = convex ? &hull : &shape;
  if (b->inertia == CTI_INERTIA_EXACT)
    CT_TRY(cti_surface_check_orientation(surface, m->nvert, b->region, b->err));
  CT_TRY(cti_surface_mass(&mass, surface, &shape, b->inertia, b->err));
  double e[3];
  principal_axes(e, m->quat, mass.inertia);
  if (!(e[2] > 0))
    return cti_error(b->err, CT_ERR_INVALID, "the principal moments of inertia must be positive");
  if (e[1] + e[2] < e[0] * (1 - EIG_SLACK)) {
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
  if (status == CT_OK) return CT_OK;
  *out = (ctiMesh){0};
  if (!err || status == CT_ERR_MEMORY) return status;
  ctError inner = *err;
  return cti_error(err, status, "mesh \"%s\": %s", source->name ? source->name : "", inner.message);
}
