// Points and elements of a flexcomp, type by type.
#include "transform/flex_points.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "asset/gmsh.h"
#include "asset/mesh_files.h"
#include "base/files.h"
#include "base/fn.h"
#include "math/quat.h"
#include "spec/mesh_source.h"
#include "spec/spec.h"

typedef struct Making {
  ctiFlexPoints* out;
  ctSpec* spec;
  const ctiFlexcompWords* f;
  ctError* err;
  bool textured;  // texture coordinates are made along with the points
  int* id;        // of the grid points of a surface, by position
} Making;

static ctStatus no_memory(Making* w) {
  return cti_spec_no_memory(w->err, &w->spec->budget, &w->f->head);
}

static ctStatus add_point(Making* w, const double p[3], double u, double v) {
  const ctAllocator* a = w->spec->in_region;
  for (int i = 0; i < 3; i++) {
    if (cti_array_push(&w->out->point, a, p[i]) != CT_OK) return no_memory(w);
  }
  if (!w->textured) return CT_OK;
  if (cti_array_push(&w->out->texcoord, a, u) != CT_OK) return no_memory(w);
  return cti_array_push(&w->out->texcoord, a, v) == CT_OK ? CT_OK : no_memory(w);
}

static ctStatus add_element(Making* w, const int* id, int n) {
  for (int i = 0; i < n; i++) {
    if (cti_array_push(&w->out->element, w->spec->in_region, id[i]) != CT_OK) return no_memory(w);
  }
  return CT_OK;
}
#define ELEMENT(w, ...) add_element(w, (const int[]){__VA_ARGS__}, CT_COUNT_OF(((const int[]){__VA_ARGS__})))

// How far along its axis grid point i of n is.
static double part(int i, int n) {
  return n > 1 ? (double)i / (n - 1) : 0;
}

// ---- lines

static ctStatus make_line(Making* w) {
  const ctiFlexcompWords* f = w->f;
  int n = f->count[0];
  for (int i = 0; i < n; i++)
    CT_TRY(add_point(w, (const double[3]){f->spacing[0] * (i - 0.5 * (n - 1)), 0, 0}, part(i, n), 0));
  for (int i = 0; i + 1 < n; i++) CT_TRY(ELEMENT(w, i, i + 1));
  return CT_OK;
}

static ctStatus make_circle(Making* w) {
  const ctiFlexcompWords* f = w->f;
  int n = f->count[0] - 1;
  if (f->dim != 1)
    return cti_spec_error(w->err, CT_ERR_INVALID, &f->head, "a circle is a line: set dim to 1, not %d",
                          f->dim);
  if (n < 3)
    return cti_spec_error(w->err, CT_ERR_INVALID, &f->head,
                          "a circle needs a count of at least 4, since its first and last points are one");
  double radius = f->spacing[0] / 2 / sin(CTI_PI / n);
  for (int i = 0; i < n; i++) {
    double angle = 2 * CTI_PI * i / n;
    CT_TRY(add_point(w, (const double[3]){radius * cos(angle), radius * sin(angle), 0}, part(i, n), 0));
  }
  for (int i = 0; i < n; i++) CT_TRY(ELEMENT(w, i, (i + 1) % n));
  return CT_OK;
}

// ---- surfaces

// On a disc, points keep their direction and move to the ellipse they belong to.
static void move_to_disc(double p[3], const ctiFlexcompWords* f) {
  double square = fmax(fabs(p[0]), fabs(p[1])), norm = hypot(p[0], p[1]);
  for (int k = 0; k < 2 && norm > 0; k++) p[k] *= 0.5 * f->spacing[k] * (f->count[k] - 1) * square / norm;
}

static ctStatus make_square(Making* w) {
  const ctiFlexcompWords* f = w->f;
  const int nx = f->count[0], ny = f->count[1];
  bool disc = f->type == CTI_FLEXCOMP_DISC;
  if (f->count[2] != 1)
    return cti_spec_error(w->err, CT_ERR_INVALID, &f->head,
                          "a surface has one layer of points: the third number of count must be 1, not %d",
                          f->count[2]);
  w->out->dim = 2;
  for (int ix = 0; ix < nx; ix++) {
    for (int iy = 0; iy < ny; iy++) {
      double p[3] = {f->spacing[0] * (ix - 0.5 * (nx - 1)), f->spacing[1] * (iy - 0.5 * (ny - 1)), 0};
      double at[3] = {p[0], p[1], 0};
      if (disc) move_to_disc(p, f);
      CT_TRY(add_point(w, p, part(ix, nx), part(iy, ny)));
      if (ix + 1 == nx || iy + 1 == ny) continue;
      int a = ix * ny + iy, b = a + ny, c = b + 1, d = a + 1;
      // the diagonals of a disc point to its centre
      const double tiny = 1e-14;
      bool other = disc && ((at[0] < -tiny && at[1] > -tiny) || (at[0] > -tiny && at[1] < -tiny));
      CT_TRY(other ? ELEMENT(w, a, b, d) : ELEMENT(w, a, b, c));
      CT_TRY(other ? ELEMENT(w, b, c, d) : ELEMENT(w, a, c, d));
    }
  }
  return CT_OK;
}

// ---- solid grids

static ctStatus make_block(Making* w) {
  static const int corners[6][4] = {{0, 3, 1, 7}, {0, 1, 4, 7}, {1, 3, 2, 7},
                                    {1, 2, 6, 7}, {1, 5, 4, 7}, {1, 6, 5, 7}};
  const ctiFlexcompWords* f = w->f;
  const int nx = f->count[0], ny = f->count[1], nz = f->count[2], dx = ny * nz, dy = nz;
  for (int ix = 0; ix < nx; ix++) {
    for (int iy = 0; iy < ny; iy++) {
      for (int iz = 0; iz < nz; iz++) {
        const int i[3] = {ix, iy, iz};
        double p[3];
        for (int k = 0; k < 3; k++) p[k] = f->spacing[k] * (i[k] - 0.5 * (f->count[k] - 1));
        CT_TRY(add_point(w, p, part(ix, nx), part(iy, ny)));
        if (ix + 1 == nx || iy + 1 == ny || iz + 1 == nz) continue;
        const int a = ix * dx + iy * dy + iz;
        const int at[8] = {a, a + dx, a + dx + dy, a + dy, a + 1, a + dx + 1, a + dx + dy + 1, a + dy + 1};
        for (int t = 0; t < 6; t++)
          CT_TRY(ELEMENT(w, at[corners[t][0]], at[corners[t][1]], at[corners[t][2]], at[corners[t][3]]));
      }
    }
  }
  return CT_OK;
}

static ctStatus make_grid(Making* w) {
  return w->f->dim == 1 ? make_line(w) : w->f->dim == 2 ? make_square(w) : make_block(w);
}

// ---- boxes, cylinders and ellipsoids: grid points of a surface, and the centre of a solid

static int* slot(Making* w, int ix, int iy, int iz) {
  const int* n = w->f->count;
  return &w->id[((size_t)ix * (size_t)n[1] + (size_t)iy) * (size_t)n[2] + (size_t)iz];
}

// Where a grid point of the surface goes.
static void project(double p[3], const ctiFlexcompWords* f, const int i[3]) {
  double half[3], norm;
  for (int k = 0; k < 3; k++) {
    half[k] = 0.5 * f->spacing[k] * (f->count[k] - 1);
    p[k] = f->count[k] > 1 ? 2.0 * i[k] / (f->count[k] - 1) - 1 : 0;
  }
  if (f->type == CTI_FLEXCOMP_CYLINDER) {
    double square = fmax(fabs(p[0]), fabs(p[1]));
    norm = sqrt(p[0] * p[0] + p[1] * p[1]);
    for (int k = 0; k < 2 && norm > 0; k++) p[k] *= square / norm;
  }
  if (f->type == CTI_FLEXCOMP_ELLIPSOID) {
    norm = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    for (int k = 0; k < 3 && norm > 0; k++) p[k] /= norm;
  }
  for (int k = 0; k < 3; k++) p[k] *= half[k];
}

// A grid point of the face across `axis`, unless another face has made it.
static ctStatus add_face_point(Making* w, const int i[3], int axis) {
  const ctiFlexcompWords* f = w->f;
  int *id = slot(w, i[0], i[1], i[2]), slow = axis == 0 ? 1 : 0, fast = axis == 2 ? 1 : 2;
  double p[3];
  if (*id >= 0) return CT_OK;
  *id = cti_flex_point_count(w->out);
  project(p, f, i);
  return add_point(w, p, part(i[slow], f->count[slow]), part(i[fast], f->count[fast]));
}

static ctStatus add_face_points(Making* w, int axis, int side) {
  const int* n = w->f->count;
  int slow = axis == 0 ? 1 : 0, fast = axis == 2 ? 1 : 2, i[3];
  i[axis] = side ? n[axis] - 1 : 0;
  for (i[slow] = 0; i[slow] < n[slow]; i[slow]++) {
    for (i[fast] = 0; i[fast] < n[fast]; i[fast]++) CT_TRY(add_face_point(w, i, axis));
  }
  return CT_OK;
}

// The two elements of a face's quad. Those of a solid have the centre; a surface is wound outward.
static ctStatus add_quad(Making* w, const int i[3], int axis, int side) {
  int slow = axis == 0 ? 1 : 0, fast = axis == 2 ? 1 : 2, at[4];
  for (int k = 0; k < 4; k++) {
    int c[3] = {i[0], i[1], i[2]};
    c[slow] += k >> 1;
    c[fast] += k & 1;
    at[k] = *slot(w, c[0], c[1], c[2]);
  }
  const int p00 = at[0], p01 = at[1], p10 = at[2], p11 = at[3];
  if (w->f->dim == 3) {
    CT_TRY(ELEMENT(w, 0, p00, p10, p11));
    return ELEMENT(w, 0, p00, p01, p11);
  }
  if (axis == 2) {
    CT_TRY(ELEMENT(w, p00, p11, p10));
    return ELEMENT(w, p00, p01, p11);
  }
  // seen from outside, sides run along +x, +y, -x, -y
  bool back = axis == 1 ? side == 1 : side == 0;
  const int a = back ? p10 : p00, b = back ? p00 : p10, above_a = back ? p11 : p01,
            above_b = back ? p01 : p11;
  CT_TRY(ELEMENT(w, a, b, above_b));
  return ELEMENT(w, a, above_b, above_a);
}

static ctStatus add_face_elements(Making* w, int axis, int side) {
  const int* n = w->f->count;
  int slow = axis == 0 ? 1 : 0, fast = axis == 2 ? 1 : 2, i[3];
  i[axis] = side ? n[axis] - 1 : 0;
  for (i[slow] = 0; i[slow] + 1 < n[slow]; i[slow]++) {
    for (i[fast] = 0; i[fast] + 1 < n[fast]; i[fast]++) CT_TRY(add_quad(w, i, axis, side));
  }
  return CT_OK;
}

static ctStatus make_box(Making* w) {
  // faces z, y, x, the lower one first
  static const int faces[6][2] = {{2, 0}, {2, 1}, {1, 0}, {1, 1}, {0, 0}, {0, 1}};
  const ctiFlexcompWords* f = w->f;
  if (f->dim == 1)
    return cti_spec_error(w->err, CT_ERR_INVALID, &f->head, "dim must be 2 for a surface or 3 for a solid");
  size_t n = (size_t)f->count[0] * (size_t)f->count[1] * (size_t)f->count[2];
  w->id = CTI_NEW_ARRAY(w->spec->region, int, n);
  if (!w->id) return no_memory(w);
  for (size_t i = 0; i < n; i++) w->id[i] = -1;
  if (f->dim == 3) CT_TRY(add_point(w, (const double[3]){0, 0, 0}, 0, 0));
  // a surface is open at the top
  for (int k = 0; k < 6; k++) {
    if (f->dim == 2 && k == 1) continue;
    CT_TRY(add_face_points(w, faces[k][0], faces[k][1]));
  }
  for (int k = 0; k < 6; k++) {
    if (f->dim == 2 && k == 1) continue;
    CT_TRY(add_face_elements(w, faces[k][0], faces[k][1]));
  }
  return CT_OK;
}

// ---- given by the file

// A whole number from 0 to n-1, or -1.
static int index_below(double x, int n) {
  return x >= 0 && x < n && x == floor(x) ? (int)x : -1;
}

static ctStatus take_direct(Making* w) {
  const ctiFlexcompWords* f = w->f;
  int corners = f->dim + 1, n = f->point.count / 3;
  if (f->point.count == 0 || f->element.count == 0)
    return cti_spec_error(w->err, CT_ERR_INVALID, &f->head, "type direct needs point and element");
  if (f->point.count % 3)
    return cti_spec_error(w->err, CT_ERR_INVALID, &f->head,
                          "point needs three numbers for each point, and has %d", f->point.count);
  if (f->element.count % corners)
    return cti_spec_error(w->err, CT_ERR_INVALID, &f->head,
                          "element needs %d points for each element of dim %d, and has %d numbers", corners,
                          f->dim, f->element.count);
  for (int i = 0; i < n; i++) CT_TRY(add_point(w, f->point.data + 3 * i, 0, 0));
  for (int i = 0; i < f->element.count; i++) {
    int id = index_below(f->element.data[i], n);
    if (id < 0)
      return cti_spec_error(w->err, CT_ERR_INVALID, &f->head, "element %d has point %g: points are 0 to %d",
                            i / corners, f->element.data[i], n - 1);
    CT_TRY(add_element(w, &id, 1));
  }
  return CT_OK;
}

// ---- from a mesh

// Points that are repeated exactly become one, that of the first. Sorted by coordinates, then by number.
typedef struct Place {
  double at[3];
  int id;
} Place;

static int by_place(const Place* a, const Place* b) {
  for (int k = 0; k < 3; k++) {
    if (a->at[k] != b->at[k]) return a->at[k] < b->at[k] ? -1 : 1;
  }
  return a->id < b->id ? -1 : a->id > b->id;
}

static void sift(Place* heap, size_t n, size_t i) {
  for (;;) {
    size_t child = 2 * i + 1;
    if (child >= n) return;
    if (child + 1 < n && by_place(&heap[child], &heap[child + 1]) < 0) child++;
    if (by_place(&heap[i], &heap[child]) >= 0) return;
    Place swap = heap[i];
    heap[i] = heap[child];
    heap[child] = swap;
    i = child;
  }
}

static void sort_places(Place* p, size_t n) {
  for (size_t i = n / 2; i > 0; i--) sift(p, n, i - 1);
  for (size_t i = n; i > 1; i--) {
    Place swap = p[0];
    p[0] = p[i - 1];
    p[i - 1] = swap;
    sift(p, i - 1, 0);
  }
}

// The new number of every vertex of the mesh, in the order of first appearance.
static int* merge_repeated(Making* w, const double* vert, int n, int* count) {
  Place* places = CTI_NEW_ARRAY(w->spec->region, Place, n);
  int* first = CTI_NEW_ARRAY(w->spec->region, int, n);
  if (!places || !first) return NULL;
  for (int i = 0; i < n; i++) {
    places[i].id = i;
    // a negative zero is zero
    for (int k = 0; k < 3; k++) places[i].at[k] = vert[3 * i + k] + 0.0;
  }
  sort_places(places, (size_t)n);
  for (int i = 0, start = 0; i < n; i++) {
    if (memcmp(places[i].at, places[start].at, sizeof(places[i].at)) != 0) start = i;
    first[places[i].id] = places[start].id;
  }
  *count = 0;
  for (int i = 0; i < n; i++) first[i] = first[i] == i ? (*count)++ : first[first[i]];
  return first;
}

// Tetrahedra between the origin and the faces that are seen from it from behind.
static bool faces_out(const double* o, const double* a, const double* b, const double* c) {
  double u[3], v[3], t[3];
  for (int k = 0; k < 3; k++) {
    u[k] = a[k] - o[k];
    v[k] = b[k] - o[k];
    t[k] = c[k] - o[k];
  }
  double volume = t[0] * (u[1] * v[2] - u[2] * v[1]) + t[1] * (u[2] * v[0] - u[0] * v[2]) +
                  t[2] * (u[0] * v[1] - u[1] * v[0]);
  return volume >= (double)CTI_MINVAL;
}

// Texture coordinates of a file have numbers of their own.
static ctStatus take_texture(Making* w, const ctiRawMesh* raw) {
  const ctAllocator* a = w->spec->in_region;
  int corners = w->f->dim + 1;
  if (!raw->facetexcoord || raw->ntexcoord == 0 || w->f->dim == 3 || w->f->texcoord.count > 0 ||
      raw->nline > 0)
    return CT_OK;
  for (int i = 0; i < 2 * raw->ntexcoord; i++) {
    if (cti_array_push(&w->out->texcoord, a, (double)raw->texcoord[i]) != CT_OK) return no_memory(w);
  }
  for (int i = 0; i < raw->nface * corners; i++) {
    int row = raw->facetexcoord[3 * (i / corners) + i % corners];
    if (cti_array_push(&w->out->elemtexcoord, a, row) != CT_OK) return no_memory(w);
  }
  return CT_OK;
}

static ctStatus take_mesh(Making* w, const ctiRawMesh* raw) {
  const ctiFlexcompWords* f = w->f;
  int n;
  int* id = merge_repeated(w, raw->vert, raw->nvert, &n);
  if (!id) return no_memory(w);
  if (f->dim == 3 && !f->has_origin)
    return cti_spec_error(
        w->err, CT_ERR_INVALID, &f->head,
        "a solid from a surface mesh needs the attribute \"origin\": the point all its faces see");
  int shift = f->dim == 3;
  if (shift) CT_TRY(add_point(w, f->origin, 0, 0));
  for (int i = 0, made = 0; i < raw->nvert; i++) {
    if (id[i] != made) continue;
    CT_TRY(add_point(w, raw->vert + 3 * i, 0, 0));
    made++;
  }
  for (int i = 0; i < raw->nline && f->dim == 1; i++)
    CT_TRY(ELEMENT(w, id[raw->line[2 * i]], id[raw->line[2 * i + 1]]));
  CT_TRY(take_texture(w, raw));
  const double* p = w->out->point.data;
  for (int i = 0; i < raw->nface; i++) {
    int c[3];
    for (int k = 0; k < 3; k++) c[k] = id[raw->face[3 * i + k]] + shift;
    if (f->dim == 1) CT_TRY(ELEMENT(w, c[0], c[1]));
    if (f->dim == 2) CT_TRY(add_element(w, c, 3));
    if (f->dim == 3 && faces_out(p, p + 3 * c[0], p + 3 * c[1], p + 3 * c[2]))
      CT_TRY(ELEMENT(w, 0, c[0], c[1], c[2]));
  }
  return CT_OK;
}

// The bytes of a file beside the model, which the caller releases.
static ctStatus read_file(Making* w, const ctiElement* e, const char* name, ctiFile* file) {
  const ctiCompiler* c = cti_compiler_of(w->spec, e);
  const char* path = cti_asset_path(w->spec->region, c, e, c->meshdir, name);
  if (path) path = cti_path_normalise(w->spec->region, path);
  if (!path) return no_memory(w);
  ctError inner = {0};
  const ctVfs* vfs = c->vfs ? c->vfs : w->spec->vfs;
  ctStatus status = cti_file_read(file, vfs, path, 0, &w->spec->allocator, &inner);
  if (status != CT_OK)
    return cti_spec_error(w->err, status, &w->f->head, "cannot read \"%s\": %s", path, inner.message);
  cti_budget_earn(&w->spec->budget, file->size);
  return CT_OK;
}

static bool is_legacy(const char* file) {
  return strcasecmp(cti_path_extension(file), "msh") == 0;
}

static ctiMeshAsset* find_mesh(Making* w) {
  for (int i = 0; i < w->spec->meshes.count; i++) {
    if (cti_text_equal(w->spec->meshes.data[i]->head.name, w->f->mesh)) return w->spec->meshes.data[i];
  }
  return NULL;
}

// Points of an asset in its frame, which the builder of meshes centres and turns.
static void leave_frame(double* vert, int n, const ctiMesh* mesh) {
  ctReal quat[4];
  cti_to_real(quat, mesh->quat, 4);
  for (int i = 0; i < n; i++) {
    ctReal p[3];
    cti_to_real(p, vert + 3 * i, 3);
    cti_quat_rotate(p, quat, p);
    for (int k = 0; k < 3; k++) vert[3 * i + k] = (double)p[k] + mesh->pos[k];
  }
}

// As a geom of the asset has it.
static ctStatus take_asset(Making* w, const ctiMeshAsset* s) {
  ctiFile file = {0};
  ctiMeshSource source;
  ctiMesh mesh = {0};
  ctError inner = {0};
  CT_TRY(cti_mesh_describe(&source, s, w->spec->region, w->err));
  if (s->file) {
    CT_TRY(read_file(w, &s->head, s->file, &file));
    source.data = file.data;
    source.size = file.size;
    source.file = s->file;
  }
  source.needs_hull = true;
  ctStatus status = cti_mesh_build(&mesh, &source, w->spec->region, &inner);
  if (s->file) cti_file_release(&file, &w->spec->allocator);
  if (status != CT_OK) return cti_spec_error(w->err, status, &s->head, "%s", inner.message);
  ctiRawMesh raw = {.nvert = mesh.nvert, .nface = mesh.nface, .face = mesh.face, .ntexcoord = mesh.ntexcoord};
  raw.texcoord = mesh.texcoord;
  raw.facetexcoord = mesh.ntexcoord ? mesh.facetexcoord : NULL;
  raw.vert = cti_widen(mesh.vert, 3 * (size_t)mesh.nvert, w->spec->region);
  if (!raw.vert) return no_memory(w);
  leave_frame(raw.vert, raw.nvert, &mesh);
  return take_mesh(w, &raw);
}

static ctStatus take_file(Making* w, const char* name) {
  ctiFile file = {0};
  ctiMeshSource source;
  ctiRawMesh raw = {0};
  bool flat;
  cti_mesh_source_default(&source);
  CT_TRY(read_file(w, &w->f->head, name, &file));
  source.data = file.data;
  source.size = file.size;
  source.file = name;
  ctError inner = {0};
  ctStatus status = cti_mesh_load(&raw, &flat, &source, w->spec->region, &inner);
  cti_file_release(&file, &w->spec->allocator);
  if (status != CT_OK) return cti_spec_error(w->err, status, &w->f->head, "%s", inner.message);
  return take_mesh(w, &raw);
}

static ctStatus need_file(Making* w) {
  return cti_spec_error(w->err, CT_ERR_INVALID, &w->f->head, "needs the attribute \"file\" or \"mesh\"");
}

static ctStatus take_lattice(Making* w, const ctiMeshAsset* s, bool* taken);

static ctStatus take_mesh_type(Making* w) {
  const ctiFlexcompWords* f = w->f;
  const ctiMeshAsset* s = f->mesh ? find_mesh(w) : NULL;
  if (f->mesh && !s)
    return cti_spec_error(w->err, CT_ERR_INVALID, &f->head, "there is no mesh called \"%s\"", f->mesh);
  const char* name = s ? s->file : f->file;
  if (!name && !s) return need_file(w);
  bool taken = false;
  if (s) CT_TRY(take_lattice(w, s, &taken));
  if (s) return taken ? CT_OK : take_asset(w, s);
  if (is_legacy(name))
    return cti_spec_error(
        w->err, CT_ERR_INVALID, &f->head,
        "\"%s\": a flexcomp of type mesh takes OBJ and STL files; for a GMSH file set type to "
        "\"gmsh\"",
        name);
  return take_file(w, name);
}

// The points of a volume asset: its reference pose taken off, then scaled.
static void scale_points(const ctiMeshAsset* s, double* vert, int n) {
  ctReal quat[4], inverse[4];
  cti_to_real(quat, s->refquat, 4);
  cti_normalize4(quat);
  cti_quat_conj(inverse, quat);
  for (int i = 0; i < n; i++) {
    ctReal p[3];
    for (int k = 0; k < 3; k++) p[k] = (ctReal)(vert[3 * i + k] - s->refpos[k]);
    cti_quat_rotate(p, inverse, p);
    for (int k = 0; k < 3; k++) vert[3 * i + k] = (double)p[k] * s->scale[k];
  }
}

// Surfaces are kept in single precision, as those of other files are.
static void keep_single(double* x, int n) {
  for (int i = 0; i < n; i++) x[i] = (double)(float)x[i];
}

static ctStatus take_gmsh(Making* w) {
  const ctiFlexcompWords* f = w->f;
  const ctiMeshAsset* s = f->mesh ? find_mesh(w) : NULL;
  if (f->mesh && !s)
    return cti_spec_error(w->err, CT_ERR_INVALID, &f->head, "there is no mesh called \"%s\"", f->mesh);
  const char* name = s ? s->file : f->file;
  if (!name) return need_file(w);
  ctiFile file = {0};
  CT_TRY(read_file(w, s ? &s->head : &f->head, name, &file));
  ctiGmsh mesh = {0};
  ctError inner = {0};
  ctStatus status = cti_gmsh_decode(&mesh, file.data, file.size, w->spec->region, &inner);
  cti_file_release(&file, &w->spec->allocator);
  if (status != CT_OK)
    return cti_spec_error(w->err, status, &f->head, "cannot read \"%s\": %s", name, inner.message);
  if (s) scale_points(s, mesh.point, mesh.npoint);
  w->out->dim = mesh.dim;
  keep_single(mesh.point, mesh.dim < 3 ? 3 * mesh.npoint : 0);
  for (int i = 0; i < mesh.npoint; i++) CT_TRY(add_point(w, mesh.point + 3 * i, 0, 0));
  return add_element(w, mesh.element, mesh.nelement * (mesh.dim + 1));
}

// ---- the whole

static ctStatus (*const makers[CTI_FLEXCOMP_COUNT])(Making* w) = {
    [CTI_FLEXCOMP_GRID] = make_grid,     [CTI_FLEXCOMP_BOX] = make_box,
    [CTI_FLEXCOMP_CYLINDER] = make_box,  [CTI_FLEXCOMP_ELLIPSOID] = make_box,
    [CTI_FLEXCOMP_SQUARE] = make_square, [CTI_FLEXCOMP_DISC] = make_square,
    [CTI_FLEXCOMP_CIRCLE] = make_circle, [CTI_FLEXCOMP_MESH] = take_mesh_type,
    [CTI_FLEXCOMP_GMSH] = take_gmsh,     [CTI_FLEXCOMP_DIRECT] = take_direct,
};

// A builtin mesh that is a lattice has points and cells inside: those of the flexcomp of that type.
static ctStatus take_lattice(Making* w, const ctiMeshAsset* s, bool* taken) {
#define X(id, text) text,
  static const char* const types[] = {CTI_FLEXCOMP_TYPES(X)};
#undef X
  int type = 0;
  while (type <= CTI_FLEXCOMP_DISC && !cti_text_equal(s->builtin, types[type])) type++;
  if (!s->builtin || type > CTI_FLEXCOMP_DISC || s->params.count < 6) return CT_OK;
  const double* params = s->params.data;
  const bool flat = type == CTI_FLEXCOMP_SQUARE || type == CTI_FLEXCOMP_DISC;
  ctiFlexcompWords words = *w->f;
  words.type = type;
  words.dim = flat ? 2 : s->params.count > 6 ? (int)params[6] : 3;
  // closed surfaces are meshes as others are; so is a solid around an origin
  const bool closed = type != CTI_FLEXCOMP_GRID && !flat;
  if (words.dim == 2 && (closed || (w->f->has_dim && w->f->dim == 3))) return CT_OK;
  if (w->f->has_dim && w->f->dim != words.dim)
    return cti_spec_error(w->err, CT_ERR_INVALID, &w->f->head, "dim is %d, and the mesh \"%s\" has %d",
                          w->f->dim, w->f->mesh, words.dim);
  for (int i = 0; i < 3; i++) {
    if (!(params[i] >= 1 && params[i] <= CTI_FLEX_MAX_POINTS))
      return cti_spec_error(w->err, CT_ERR_INVALID, &s->head, "params: counts must be between 1 and %d",
                            CTI_FLEX_MAX_POINTS);
    words.count[i] = (int)params[i];
    words.spacing[i] = params[3 + i];
  }
  if (cti_size_mul(cti_size_mul(words.count[0], words.count[1]), words.count[2]) > CTI_FLEX_MAX_POINTS)
    return cti_spec_error(w->err, CT_ERR_LIMIT, &s->head, "has more than %d points", CTI_FLEX_MAX_POINTS);
  w->out->dim = words.dim;
  Making inner = *w;
  inner.f = &words;
  CT_TRY(makers[type](&inner));
  scale_points(s, w->out->point.data, w->out->point.count / 3);
  keep_single(w->out->point.data, words.dim < 3 ? w->out->point.count : 0);
  *taken = true;
  return CT_OK;
}

ctStatus cti_flex_points(ctiFlexPoints* out, ctSpec* spec, const ctiFlexcompWords* f, ctError* err) {
  *out = (ctiFlexPoints){.dim = f->dim};
  Making w = {.out = out, .spec = spec, .f = f, .err = err};
  out->given = f->type == CTI_FLEXCOMP_DIRECT || f->type == CTI_FLEXCOMP_MESH || f->type == CTI_FLEXCOMP_GMSH;
  w.textured = !out->given && f->material.count > 0 && f->texcoord.count == 0 && f->dim > 1;
  if (f->type != CTI_FLEXCOMP_DIRECT && (f->point.count || f->element.count))
    return cti_spec_error(err, CT_ERR_INVALID, &f->head,
                          "point and element go with type direct only: remove them");
  int64_t points = cti_size_mul(cti_size_mul(f->count[0], f->count[1]), f->count[2]);
  if (!out->given && points > CTI_FLEX_MAX_POINTS)
    return cti_spec_error(err, CT_ERR_LIMIT, &f->head, "has %lld points: at most %d", (long long)points,
                          CTI_FLEX_MAX_POINTS);
  CT_TRY(makers[f->type](&w));
  if (out->element.count == 0)
    return cti_spec_error(
        err, CT_ERR_INVALID, &f->head,
        "no elements come of this: a grid needs at least two points along each of its axes");
  if (f->texcoord.count > 0) {
    if (f->texcoord.count != 2 * cti_flex_point_count(out))
      return cti_spec_error(err, CT_ERR_INVALID, &f->head,
                            "there are %d points and %d numbers in texcoord: two for each point are needed",
                            cti_flex_point_count(out), f->texcoord.count);
    for (int i = 0; i < f->texcoord.count; i++) {
      if (cti_array_push(&out->texcoord, spec->in_region, f->texcoord.data[i]) != CT_OK) return no_memory(&w);
    }
  }
  return CT_OK;
}
