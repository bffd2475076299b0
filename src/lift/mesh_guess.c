// A model keeps its meshes centred and turned to their principal axes, in single precision; how their mass
// was spread, and so where the centre was, it does not keep. What the compiler makes of each possibility is
// tried and compared with what the model has.
#include <math.h>
#include <string.h>

#include "asset/vec.h"
#include "lift/mesh.h"

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
static ctStatus take_parts(ctiRawParts* raw, const ctModel* m, int id, ctiRegion* scratch, ctError* err) {
  const ctReal* scale = m->mesh_scale + 3 * id;
  size_t faces = 3 * (size_t)m->mesh_facenum[id], at = 3 * (size_t)m->mesh_faceadr[id];
  *raw = (ctiRawParts){.nvert = m->mesh_vertnum[id],
                       .nnormal = m->mesh_normalnum[id],
                       .ntexcoord = m->mesh_texcoordadr[id] < 0 ? 0 : m->mesh_texcoordnum[id],
                       .nface = m->mesh_facenum[id]};
  raw->at = CTI_NEW_ARRAY(scratch, double, 3 * (size_t)raw->nvert);
  raw->slack = CTI_NEW_ARRAY(scratch, double, 3 * (size_t)raw->nvert);
  raw->vert = CTI_NEW_ARRAY(scratch, float, 3 * (size_t)raw->nvert);
  raw->normal = CTI_NEW_ARRAY(scratch, float, 3 * (size_t)raw->nnormal);
  raw->texcoord = m->mesh_texcoord + (raw->ntexcoord > 0 ? 2 * m->mesh_texcoordadr[id] : 0);
  raw->face = copy(scratch, m->mesh_face + at, faces, sizeof(int));
  raw->facenormal = copy(scratch, m->mesh_facenormal + at, faces, sizeof(int));
  raw->facetexcoord = copy(scratch, m->mesh_facetexcoord + at, faces, sizeof(int));
  if (!raw->at || !raw->slack || !raw->vert || !raw->normal || !raw->face || !raw->facenormal ||
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
static ctStatus build(ctiMesh* out, const ctiMeshGuess* g, const ctModel* m, int id, bool hull,
                      ctiRegion* region, ctError* err) {
  ctiMeshSource s;
  cti_mesh_source_default(&s);
  s.name = ct_model_id2name(m, CT_OBJ_MESH, id);
  s.vertex = g->raw.vert;
  s.nvertex = 3 * g->raw.nvert;
  s.face = g->raw.face;
  s.nface = g->bare ? 0 : 3 * g->raw.nface;
  cti_lift_reals(s.scale, m->mesh_scale + 3 * id, 3);
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
static ctStatus judge(ctiMeshGuess* g, const ctModel* m, int id, bool hull, int* hull_size, ctError* err) {
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
static ctStatus find_inertia(ctiMeshGuess* g, const ctModel* m, int id, const ctiLiftFrame* frame,
                             bool unasked, ctiRegion* scratch, ctError* err) {
  static const int order[] = {CTI_INERTIA_LEGACY, CTI_INERTIA_EXACT, CTI_INERTIA_CONVEX, CTI_INERTIA_SHELL};
  bool has_hull = m->mesh_graphadr[id] >= 0, found = false;
  ctiMeshGuess best = *g;
  best.error = HUGE_VAL;
  g->file = *frame;
  cti_raw_place(&g->raw, m, id, frame);
  CT_TRY(cti_raw_settle(&g->raw, true, scratch, err));
  for (int k = 0; k < 8 && !found; k++) {
    int unused;
    g->inertia = order[k % 4];
    g->bare = k < 4;
    bool convex = g->inertia == CTI_INERTIA_CONVEX, possible = unasked ? g->bare || convex : !g->bare;
    if (!possible || (convex && !has_hull)) continue;
    CT_TRY(judge(g, m, id, false, &unused, err));
    found = g->error <= CTI_LIFT_MESH_TOLERANCE && (!g->bare || g->hull);
    if (found || g->error < best.error) best = *g;
  }
  *g = best;
  return CT_OK;
}

// The hull of simple or rounded vertices, of all or of as many as it has.
static ctStatus find_hull(ctiMeshGuess* g, const ctModel* m, int id, ctiRegion* scratch, ctError* err) {
  const int wanted = m->mesh_graph[m->mesh_graphadr[id]];
  int found = 0;
  ctiMeshGuess first = *g;
  for (int way = 0; way < 4; way++) {
    bool simple = way < 2, limit = way % 2;
    if (limit && (found <= wanted || wanted <= 3)) continue;
    g->maxhullvert = limit ? wanted : -1;
    CT_TRY(cti_raw_settle(&g->raw, simple, scratch, err));
    CT_TRY(judge(g, m, id, true, &found, err));
    if (way == 0) first = *g;
    if (g->hull && g->error <= CTI_LIFT_MESH_TOLERANCE) return CT_OK;
  }
  *g = first;
  return cti_raw_settle(&g->raw, true, scratch, err);
}

ctStatus cti_lift_guess_mesh(ctiMeshGuess* out, const ctModel* m, int id, bool needs_hull, ctiRegion* scratch,
                             ctError* err) {
  const ctiLiftFrame own = {.quat = {1, 0, 0, 0}};
  ctiLiftFrame file;
  bool has_hull = m->mesh_graphadr[id] >= 0, unasked = has_hull && !needs_hull;
  cti_lift_reals(file.pos, m->mesh_pos + 3 * id, 3);
  cti_lift_reals(file.quat, m->mesh_quat + 4 * id, 4);
  *out = (ctiMeshGuess){.maxhullvert = -1};
  CT_TRY(take_parts(&out->raw, m, id, scratch, err));
  CT_TRY(find_inertia(out, m, id, &file, unasked, scratch, err));
  // where axes of equal moments come out turned, the mesh is said as it lies
  if (out->error > CTI_LIFT_MESH_TOLERANCE) {
    ctiMeshGuess other = *out;
    CT_TRY(find_inertia(&other, m, id, &own, unasked, scratch, err));
    other.as_it_lies = true;
    if (other.error < out->error) *out = other;
  }
  if (!isfinite(out->error)) {
    const char* name = ct_model_id2name(m, CT_OBJ_MESH, id);
    return cti_error(err, CT_ERR_UNSUPPORTED, "<mesh> %d \"%s\" cannot be said in MJCF: it has no volume", id,
                     name ? name : "");
  }
  cti_raw_place(&out->raw, m, id, &out->file);
  CT_TRY(cti_raw_settle(&out->raw, true, scratch, err));
  if (has_hull) CT_TRY(find_hull(out, m, id, scratch, err));
  out->hull = out->hull || !has_hull;
  // shapes stay where they are even if their axes do not
  if (out->error > CTI_LIFT_MESH_TOLERANCE) out->made = out->file;
  return CT_OK;
}
