// Meshes: the file that a compiled mesh came from.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset/mesh.h"
#include "asset/vec.h"
#include "decompile/decompile.h"
#include "spec/format.h"
#include "spec/spec.h"

// ---- vertices

// The vertices of a model as they stood in the file: the model keeps them turned and rounded to single
// precision, so each coordinate is known up to an interval. Authors write few digits, and put vertices into
// planes: of the numbers in the interval the one with the fewest digits is taken, the same for all vertices
// that can share it. That often is the very number of the file.

// How far vertices may be from those of the model, as a part of the mesh's size: a few roundings of a float.
#define MESH_TOLERANCE (sizeof(ctReal) == sizeof(double) ? 1e-6 : 1e-5)

// A mesh as it would stand in a file: before the compiler scales it and moves it to its own frame.
typedef struct RawParts {
  int nvert, nnormal, ntexcoord, nface;
  double *at, *tolerance;  // nvert x 3: where vertices are, and how far off that may be
  float *vert, *normal;
  const float* texcoord;
  int *face, *facenormal, *facetexcoord;
} RawParts;

// How the compiler makes the mesh of the model from one in a file, as far as that can be found out.
typedef struct MeshGuess {
  RawParts raw;
  ctiMeshFrame file;  // of the model's vertices in those of the file
  ctiMeshFrame made;  // what geoms take off their pose
  int inertia, maxhullvert;
  bool bare;        // without faces: those of the hull are taken
  double error;     // of the vertices, as a part of their size
  bool hull;        // it comes out the same
  bool as_it_lies;  // in the file as in the model
} MeshGuess;

// A rounded number is off by at most this part of it.
static const double rounding = (double)FLT_EPSILON / 2;

// One coordinate of a vertex.
typedef struct Interval {
  double low, high;
  int vertex;
} Interval;

static int by_low(const void* a, const void* b) {
  const Interval *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  return x->vertex - y->vertex;
}

// A number of few decimals is no accident in an interval that is this much shorter than the last decimal.
#define LUCK 16

// The number of the fewest decimals between two; the middle where it could be by accident.
static double simplest(double low, double high) {
  double middle = (low + high) / 2;
  for (double unit = 1; (high - low) * unit * LUCK < 1; unit *= 10) {
    double x = round(middle * unit) / unit;
    if (x >= low && x <= high) return x == 0 ? 0 : x;
    if (unit > 1e15) break;
  }
  return middle;
}

// Coordinate `axis` of all vertices; `list` has room for one interval each.
static void settle_axis(const RawParts* raw, Interval* list, int axis) {
  for (int i = 0; i < raw->nvert; i++) {
    double x = raw->at[3 * i + axis], off = raw->tolerance[3 * i + axis];
    list[i] = (Interval){x - off, x + off, i};
  }
  qsort(list, (size_t)raw->nvert, sizeof(*list), by_low);
  for (int first = 0, end; first < raw->nvert; first = end) {
    // as many as have something in common
    double low = list[first].low, high = list[first].high;
    for (end = first + 1; end < raw->nvert && list[end].low <= high; end++) {
      low = list[end].low;
      high = fmin(high, list[end].high);
    }
    double x = simplest(low, high);
    for (int i = first; i < end; i++) raw->vert[3 * list[i].vertex + axis] = (float)x;
  }
}

static ctStatus raw_choose_numbers(const RawParts* raw, bool simple, ctiRegion* scratch, ctError* err) {
  for (int i = 0; !simple && i < 3 * raw->nvert; i++) raw->vert[i] = (float)raw->at[i];
  if (!simple) return CT_OK;
  Interval* list = CTI_NEW_ARRAY(scratch, Interval, raw->nvert);
  if (!list) return cti_error_memory(err);
  for (int axis = 0; axis < 3; axis++) settle_axis(raw, list, axis);
  return CT_OK;
}

// Find the vertices and normals as seen in a frame of the file; then choose numbers: the simplest ones that
// can have been there, or the nearest.
static void raw_place(const RawParts* raw, const ctModel* m, int id, const ctiMeshFrame* frame) {
  const ctReal* scale = m->mesh_scale + 3 * id;
  double rot[9];
  cti_dquat_to_mat(rot, frame->quat);
  for (int i = 0; i < raw->nvert; i++) {
    const float* from = m->mesh_vert + 3 * (m->mesh_vertadr[id] + i);
    double v[3];
    cti_drow(v, from, 0);
    cti_dmul3(v, rot, v);
    for (int k = 0; k < 3; k++) {
      double off = 0;
      for (int j = 0; j < 3; j++) off += fabs(rot[3 * k + j] * (double)from[j]) * rounding;
      // in single precision the frame is rounded as well
      if (sizeof(ctReal) < sizeof(double)) off += 2 * off + fabs(frame->pos[k]) * rounding;
      raw->at[3 * i + k] = (v[k] + frame->pos[k]) / (double)scale[k];
      raw->tolerance[3 * i + k] = off / fabs((double)scale[k]);
    }
  }
  for (int i = 0; i < raw->nnormal; i++) {
    double n[3];
    cti_drow(n, m->mesh_normal, m->mesh_normaladr[id] + i);
    cti_dmul3(n, rot, n);
    for (int k = 0; k < 3; k++) n[k] *= (double)scale[k];
    cti_dnormalize3(n, 1e-30);
    for (int k = 0; k < 3; k++)
      raw->normal[3 * i + k] = (float)simplest(n[k] - 2 * rounding, n[k] + 2 * rounding);
  }
}

// ---- how the mesh was made

// A model keeps its meshes centred and turned to their principal axes, in single precision; how their
// mass was spread, and so where the centre was, it does not keep. What the compiler makes of each possibility
// is tried and compared with what the model has.

static void swap_corners(int* face, int nface) {
  for (int i = 0; i < nface; i++) {
    int swap = face[3 * i + 1];
    face[3 * i + 1] = face[3 * i + 2];
    face[3 * i + 2] = swap;
  }
}

static void* copy(ctiRegion* region, const void* from, size_t count, size_t size) {
  void* to = cti_region_array(region, count, size, size);
  if (to && count > 0) memcpy(to, from, count * size);
  return to;
}

// The arrays of the model, to be placed.
static ctStatus take_parts(RawParts* raw, const ctModel* m, int id, ctiRegion* scratch, ctError* err) {
  const ctReal* scale = m->mesh_scale + 3 * id;
  size_t faces = 3 * (size_t)m->mesh_facenum[id], at = 3 * (size_t)m->mesh_faceadr[id];
  *raw = (RawParts){.nvert = m->mesh_vertnum[id],
                    .nnormal = m->mesh_normalnum[id],
                    .ntexcoord = m->mesh_texcoordadr[id] < 0 ? 0 : m->mesh_texcoordnum[id],
                    .nface = m->mesh_facenum[id]};
  raw->at = CTI_NEW_ARRAY(scratch, double, 3 * (size_t)raw->nvert);
  raw->tolerance = CTI_NEW_ARRAY(scratch, double, 3 * (size_t)raw->nvert);
  raw->vert = CTI_NEW_ARRAY(scratch, float, 3 * (size_t)raw->nvert);
  raw->normal = CTI_NEW_ARRAY(scratch, float, 3 * (size_t)raw->nnormal);
  raw->texcoord = m->mesh_texcoord + (raw->ntexcoord > 0 ? 2 * m->mesh_texcoordadr[id] : 0);
  raw->face = copy(scratch, m->mesh_face + at, faces, sizeof(int));
  raw->facenormal = copy(scratch, m->mesh_facenormal + at, faces, sizeof(int));
  raw->facetexcoord = copy(scratch, m->mesh_facetexcoord + at, faces, sizeof(int));
  if (!raw->at || !raw->tolerance || !raw->vert || !raw->normal || !raw->face || !raw->facenormal ||
      !raw->facetexcoord)
    return cti_error_memory(err);
  // a scale that mirrors turns the faces
  if (scale[0] * scale[1] * scale[2] < 0) {
    swap_corners(raw->face, raw->nface);
    swap_corners(raw->facenormal, raw->nface);
    swap_corners(raw->facetexcoord, raw->nface);
  }
  return CT_OK;
}

// What the compiler makes of it.
static ctStatus build(ctiMesh* out, const MeshGuess* g, const ctModel* m, int id, bool hull,
                      ctiRegion* region, ctError* err) {
  ctiMeshSource s;
  cti_mesh_source_default(&s);
  s.name = ct_model_id2name(m, CT_OBJ_MESH, id);
  s.vertex = g->raw.vert;
  s.nvertex = 3 * g->raw.nvert;
  s.face = g->raw.face;
  s.nface = g->bare ? 0 : 3 * g->raw.nface;
  cti_decompile_reals(s.scale, m->mesh_scale + 3 * id, 3);
  s.inertia = (ctiMeshInertia)g->inertia;
  s.maxhullvert = g->maxhullvert;
  s.needs_hull = hull;
  return cti_mesh_build(out, &s, region, err);
}

// The largest distance between vertices of both, as a part of the largest coordinate.
static double distance(const ctiMesh* made, const ctModel* m, int id) {
  const float* vert = m->mesh_vert + 3 * m->mesh_vertadr[id];
  double size = 0, gap = 0;
  for (int i = 0; i < 3 * made->nvert; i++) {
    size = fmax(size, fabs((double)vert[i]));
    gap = fmax(gap, fabs((double)vert[i] - (double)made->vert[i]));
  }
  return size > 0 ? gap / size : gap;
}

static bool same_hull(const ctiMesh* made, const ctModel* m, int id) {
  if (m->mesh_graphadr[id] < 0) return made->ngraph == 0;
  const int* graph = m->mesh_graph + m->mesh_graphadr[id];
  int n = 2 + 3 * graph[0] + 6 * graph[1];
  return made->ngraph == n && memcmp(made->graph, graph, sizeof(int) * (size_t)n) == 0 &&
         made->npoly == m->mesh_polynum[id];
}

static bool same_faces(const ctiMesh* made, const ctModel* m, int id) {
  return made->nface == m->mesh_facenum[id] && memcmp(made->face, m->mesh_face + 3 * m->mesh_faceadr[id],
                                                      sizeof(int) * 3 * (size_t)made->nface) == 0;
}

// Build in a region of its own and judge; what cannot be built is infinitely wrong.
static ctStatus judge(MeshGuess* g, const ctModel* m, int id, bool hull, int* hull_size, ctError* err) {
  ctiMesh made;
  ctError own = {0};
  ctiRegion* region = cti_region_create(&m->allocator);
  ctStatus status = region ? build(&made, g, m, id, hull, region, &own) : CT_ERR_MEMORY;
  g->error = HUGE_VAL;
  g->hull = false;
  if (status == CT_OK) {
    g->error = distance(&made, m, id);
    g->hull = same_hull(&made, m, id) && same_faces(&made, m, id);
    *hull_size = made.ngraph > 0 ? made.graph[0] : 0;
    cti_dcopy3(g->made.pos, made.pos);
    memcpy(g->made.quat, made.quat, sizeof(made.quat));
  }
  cti_region_free(region);
  return status == CT_ERR_MEMORY ? cti_error_memory(err) : CT_OK;
}

// The way of spreading mass that gives the frame of the model, with the file seen in `frame`. With `unasked`
// there is a hull that nobody needs: a mesh without faces has one, or one whose mass is that of its hull.
static ctStatus find_inertia(MeshGuess* g, const ctModel* m, int id, const ctiMeshFrame* frame, bool unasked,
                             ctiRegion* scratch, ctError* err) {
  static const int order[] = {CTI_INERTIA_LEGACY, CTI_INERTIA_EXACT, CTI_INERTIA_CONVEX, CTI_INERTIA_SHELL};
  bool has_hull = m->mesh_graphadr[id] >= 0, found = false;
  MeshGuess best = *g;
  best.error = HUGE_VAL;
  g->file = *frame;
  raw_place(&g->raw, m, id, frame);
  CT_TRY(raw_choose_numbers(&g->raw, true, scratch, err));
  for (int k = 0; k < 8 && !found; k++) {
    int unused;
    g->inertia = order[k % 4];
    g->bare = k < 4;
    bool convex = g->inertia == CTI_INERTIA_CONVEX, possible = unasked ? g->bare || convex : !g->bare;
    if (!possible || (convex && !has_hull)) continue;
    CT_TRY(judge(g, m, id, false, &unused, err));
    found = g->error <= MESH_TOLERANCE && (!g->bare || g->hull);
    if (found || g->error < best.error) best = *g;
  }
  *g = best;
  return CT_OK;
}

// The hull of simple or rounded vertices, of all or of as many as it has.
static ctStatus find_hull(MeshGuess* g, const ctModel* m, int id, ctiRegion* scratch, ctError* err) {
  const int wanted = m->mesh_graph[m->mesh_graphadr[id]];
  int found = 0;
  MeshGuess first = *g;
  for (int way = 0; way < 4; way++) {
    bool simple = way < 2, limit = way % 2;
    if (limit && (found <= wanted || wanted <= 3)) continue;
    g->maxhullvert = limit ? wanted : -1;
    CT_TRY(raw_choose_numbers(&g->raw, simple, scratch, err));
    CT_TRY(judge(g, m, id, true, &found, err));
    if (way == 0) first = *g;
    if (g->hull && g->error <= MESH_TOLERANCE) return CT_OK;
  }
  *g = first;
  return raw_choose_numbers(&g->raw, true, scratch, err);
}

static ctStatus guess_mesh(MeshGuess* out, const ctModel* m, int id, bool needs_hull, ctiRegion* scratch,
                           ctError* err) {
  const ctiMeshFrame own = {.quat = {1, 0, 0, 0}};
  ctiMeshFrame file;
  bool has_hull = m->mesh_graphadr[id] >= 0, unasked = has_hull && !needs_hull;
  cti_decompile_reals(file.pos, m->mesh_pos + 3 * id, 3);
  cti_decompile_reals(file.quat, m->mesh_quat + 4 * id, 4);
  *out = (MeshGuess){.maxhullvert = -1};
  CT_TRY(take_parts(&out->raw, m, id, scratch, err));
  CT_TRY(find_inertia(out, m, id, &file, unasked, scratch, err));
  // where axes of equal moments come out turned, the mesh is said as it lies
  if (out->error > MESH_TOLERANCE) {
    MeshGuess other = *out;
    CT_TRY(find_inertia(&other, m, id, &own, unasked, scratch, err));
    other.as_it_lies = true;
    if (other.error < out->error) *out = other;
  }
  if (!isfinite(out->error)) {
    const char* name = ct_model_id2name(m, CT_OBJ_MESH, id);
    return cti_error(err, CT_ERR_UNSUPPORTED, "<mesh> %d \"%s\" cannot be said in MJCF: it has no volume", id,
                     name ? name : "");
  }
  raw_place(&out->raw, m, id, &out->file);
  CT_TRY(raw_choose_numbers(&out->raw, true, scratch, err));
  if (has_hull) CT_TRY(find_hull(out, m, id, scratch, err));
  out->hull = out->hull || !has_hull;
  // shapes stay where they are even if their axes do not
  if (out->error > MESH_TOLERANCE) out->made = out->file;
  return CT_OK;
}

// ---- meshes: in the text where it can say them, as OBJ files otherwise

// Whether one list of faces says it all: normals and texture coordinates are numbered as vertices are.
static bool raw_is_plain(const RawParts* raw) {
  int factor = raw->nnormal / raw->nvert;
  for (int i = 0; i < 3 * raw->nface; i++) {
    if (raw->facenormal[i] != factor * raw->face[i]) return false;
    if (raw->ntexcoord > 0 && raw->facetexcoord[i] != raw->face[i]) return false;
  }
  return raw->ntexcoord == 0 || raw->ntexcoord == raw->nvert;
}

static void put_rows(ctiOut* out, const char* word, const float* rows, int n, int width) {
  for (int i = 0; i < n; i++) {
    cti_out_text(out, word);
    for (int k = 0; k < width; k++) {
      float x = rows[width * i + k];
      cti_out_text(out, " ");
      // pictures start at the top, texture coordinates of the format at the bottom
      cti_out_float(out, width == 2 && k == 1 ? 1 - x : x);
    }
    cti_out_text(out, "\n");
  }
}

// The text of an OBJ file, where each has its own numbers.
static ctStatus raw_to_obj(char** text, size_t* size, const RawParts* raw, ctiRegion* region, ctError* err) {
  ctiOut out = {.region = region};
  put_rows(&out, "v", raw->vert, raw->nvert, 3);
  put_rows(&out, "vt", raw->texcoord, raw->ntexcoord, 2);
  put_rows(&out, "vn", raw->normal, raw->nnormal, 3);
  for (int i = 0; i < raw->nface; i++) {
    cti_out_text(&out, "f");
    for (int k = 3 * i; k < 3 * i + 3; k++) {
      char corner[48];
      if (raw->ntexcoord > 0) {
        snprintf(corner, sizeof(corner), " %d/%d/%d", raw->face[k] + 1, raw->facetexcoord[k] + 1,
                 raw->facenormal[k] + 1);
      } else {
        snprintf(corner, sizeof(corner), " %d//%d", raw->face[k] + 1, raw->facenormal[k] + 1);
      }
      cti_out_text(&out, corner);
    }
    cti_out_text(&out, "\n");
  }
  *text = out.data;
  *size = out.length;
  return out.failed ? cti_error_memory(err) : CT_OK;
}

static ctStatus say_inline(ctiDecompiler* l, ctiMeshAsset* s, const RawParts* raw, bool bare) {
  CT_TRY(cti_decompile_floats(l, &s->vertex, raw->vert, 3 * raw->nvert));
  CT_TRY(cti_decompile_floats(l, &s->normal, raw->normal, 3 * raw->nnormal));
  CT_TRY(cti_decompile_floats(l, &s->texcoord, raw->texcoord, 2 * raw->ntexcoord));
  return bare ? CT_OK : cti_decompile_ints(l, &s->face, raw->face, 3 * raw->nface);
}

static ctStatus say_file(ctiDecompiler* l, ctiMeshAsset* s, int i, const RawParts* raw, ctiRegion* scratch) {
  char* text;
  size_t size;
  CT_TRY(raw_to_obj(&text, &size, raw, scratch, l->err));
  return cti_decompile_file(l, &s->file, CT_OBJ_MESH, i, "mesh", "obj", text, size);
}

// The instance whose surface a mesh is: that of its geoms; -1 for none.
static int shape_plugin(const ctModel* m, int mesh) {
  for (int i = 0; i < m->ngeom; i++) {
    if (m->geom_type[i] == CT_GEOM_SDF && m->geom_dataid[i] == mesh && m->geom_plugin[i] >= 0)
      return m->geom_plugin[i];
  }
  return -1;
}

static ctStatus decompile_mesh(ctiDecompiler* l, int i, bool needs_hull, ctiRegion* scratch) {
  const ctModel* m = l->m;
  ctiMeshAsset* s = cti_spec_add_mesh(l->s, &l->s->plain);
  if (!s || !cti_decompile_ref(l, CT_OBJ_MESH, i)) return cti_error_memory(l->err);
  cti_decompile_place(l, &s->head, CT_OBJ_MESH, i, "mesh", &cti_attrs_mesh);
  int plugin = shape_plugin(m, i);
  if (plugin >= 0) {
    l->mesh[i] = (ctiMeshFrame){.quat = {1, 0, 0, 0}};
    return cti_decompile_use(l, &s->use, plugin);
  }
  MeshGuess guess;
  CT_TRY(guess_mesh(&guess, m, i, needs_hull, scratch, l->err));
  l->mesh[i] = guess.made;
  s->inertia = guess.inertia;
  s->maxhullvert = guess.maxhullvert;
  cti_decompile_reals(s->scale, m->mesh_scale + 3 * i, 3);
  const ctiElement e = {.tag = "mesh", .name = l->name[CT_OBJ_MESH][i]};
  const char* axes = NULL;
  if (guess.as_it_lies) axes = "it is said as it lies";
  if (guess.error > MESH_TOLERANCE) axes = "mesh and geoms are turned against each other";
  if (axes)
    cti_remark(l->s, CT_LOG_INFO, &e,
               "its principal axes are not found again: %s, with shapes where they were", axes);
  if (!guess.hull && l->hulls++ == 0) l->hull = i;
  return raw_is_plain(&guess.raw) ? say_inline(l, s, &guess.raw, guess.bare)
                                  : say_file(l, s, i, &guess.raw, scratch);
}

// A geom or site that needs the hull of its mesh.
static void note_hull(const ctModel* m, bool* needed, int type, int mesh) {
  bool shaped = type == CT_GEOM_MESH || type == CT_GEOM_SDF;
  if (shaped && mesh >= 0 && mesh < m->nmesh) needed[mesh] = true;
}

// Which meshes need a hull when they are read again. NULL when memory runs out.
static bool* find_hulls(ctiDecompiler* l) {
  const ctModel* m = l->m;
  bool* needed = CTI_NEW_ARRAY(l->s->region, bool, m->nmesh);
  if (!needed) return NULL;
  for (int i = 0; i < m->ngeom; i++) {
    if (m->geom_contype[i] || m->geom_conaffinity[i])
      note_hull(m, needed, m->geom_type[i], m->geom_dataid[i]);
  }
  for (int i = 0; i < 2 * m->npair; i++) {
    int g = i % 2 ? m->pair_geom2[i / 2] : m->pair_geom1[i / 2];
    if (g >= 0 && g < m->ngeom) note_hull(m, needed, m->geom_type[g], m->geom_dataid[g]);
  }
  for (int i = 0; i < m->nsite; i++) note_hull(m, needed, m->site_type[i], m->site_dataid[i]);
  return needed;
}

ctStatus cti_decompile_meshes(ctiDecompiler* l) {
  const bool* hull = find_hulls(l);
  if (!hull) return cti_error_memory(l->err);
  ctStatus status = CT_OK;
  for (int i = 0; i < l->m->nmesh && status == CT_OK; i++) {
    ctiRegion* scratch = cti_region_create(&l->s->allocator);
    status = scratch ? decompile_mesh(l, i, hull[i], scratch) : cti_error_memory(l->err);
    cti_region_free(scratch);
  }
  return status;
}
