// Deformables: smooth surfaces, or vertices and edges as balls and capsules.
#include <string.h>

#include "math/vec3.h"
#include "scene/scene.h"

// Triangles of the surface, three vertices each: all of a sheet, the shell of a solid. Returns how many.
static int surface(const ctModel* m, int flex, const int** face) {
  *face = NULL;
  if (m->flex_dim[flex] == 2) {
    *face = m->flex_elem + m->flex_elemdataadr[flex];
    return m->flex_elemnum[flex];
  }
  if (m->flex_dim[flex] < 3 || m->flex_shelldataadr[flex] < 0) return 0;
  *face = m->flex_shell + m->flex_shelldataadr[flex];
  return m->flex_shellnum[flex];
}

// Sums of the normals of the triangles at each vertex, by their areas.
static void find_normals(const ctModel* m, int flex, const float* vert, float* normal) {
  const int* face;
  const int n = surface(m, flex, &face), nvert = m->flex_vertnum[flex];
  memset(normal, 0, 3 * sizeof(float) * (size_t)nvert);
  for (int f = 0; f < n; f++, face += 3) {
    ctReal side[2][3], x[3];
    for (int s = 0; s < 2; s++) {
      for (int k = 0; k < 3; k++) side[s][k] = (ctReal)(vert[3 * face[s + 1] + k] - vert[3 * face[0] + k]);
    }
    cti_cross3(x, side[0], side[1]);
    for (int c = 0; c < 3; c++) {
      for (int k = 0; k < 3; k++) normal[3 * face[c] + k] += (float)x[k];
    }
  }
  for (int v = 0; v < nvert; v++) {
    ctReal x[3];
    for (int k = 0; k < 3; k++) x[k] = (ctReal)normal[3 * v + k];
    cti_normalize3(x);
    for (int k = 0; k < 3; k++) normal[3 * v + k] = (float)x[k];
  }
}

// A material of the first element, or the colour.
static void paint(const ctiSceneBuild* b, ctItem* item, int flex) {
  const ctModel* m = b->m;
  const int material = m->flex_elemnum[flex] > 0 ? m->flex_matid[m->flex_elemadr[flex]] : -1;
  cti_scene_material(b, item, material, m->flex_rgba + 4 * flex);
  item->castshadow = true;
}

static ctStatus add_vertices(const ctiSceneBuild* b, int flex) {
  const ctModel* m = b->m;
  for (int v = m->flex_vertadr[flex]; v < m->flex_vertadr[flex] + m->flex_vertnum[flex]; v++) {
    ctItem* item = cti_scene_add(b, CT_SHAPE_SPHERE, CT_OBJ_FLEX, flex, 0);
    if (!item) return CT_ERR_MEMORY;
    cti_scene_place(item, b->d->flexvert_xpos + 3 * (size_t)v, NULL);
    cti_scene_size(item, m->flex_radius[flex], m->flex_radius[flex], m->flex_radius[flex]);
    paint(b, item, flex);
  }
  return CT_OK;
}

static ctStatus add_edges(const ctiSceneBuild* b, int flex, ctReal radius) {
  const ctModel* m = b->m;
  const ctReal* vert = b->d->flexvert_xpos + 3 * (size_t)m->flex_vertadr[flex];
  for (int e = m->flex_edgeadr[flex]; e < m->flex_edgeadr[flex] + m->flex_edgenum[flex]; e++) {
    const ctReal *from = vert + 3 * (size_t)m->flex_edge[2 * e],
                 *to = vert + 3 * (size_t)m->flex_edge[2 * e + 1];
    ctItem* item = cti_scene_link(b, CT_OBJ_FLEX, flex, from, to, radius);
    if (!item) return CT_ERR_MEMORY;
    paint(b, item, flex);
  }
  return CT_OK;
}

static ctStatus add_surface(const ctiSceneBuild* b, int flex) {
  ctItem* item = cti_scene_add(b, CT_SHAPE_FLEX, CT_OBJ_FLEX, flex, 0);
  if (!item) return CT_ERR_MEMORY;
  item->data = flex;
  cti_scene_size(item, 1, 1, 1);
  paint(b, item, flex);
  return CT_OK;
}

ctStatus cti_scene_add_flexes(const ctiSceneBuild* b) {
  const ctModel* m = b->m;
  const ctByte* show = b->opt->show;
  for (int i = 0; i < 3 * m->nflexvert; i++) b->s->flex_vert[i] = (float)b->d->flexvert_xpos[i];
  for (int flex = 0; flex < m->nflex; flex++) {
    const size_t first = 3 * (size_t)m->flex_vertadr[flex];
    find_normals(m, flex, b->s->flex_vert + first, b->s->flex_normal + first);
    if (!cti_scene_group(b->opt->flexgroup, m->flex_group[flex])) continue;
    const bool lines = m->flex_dim[flex] < 2, skin = show[CT_SHOW_FLEXSKIN] && !lines;
    if (skin || (show[CT_SHOW_FLEXFACE] && !lines)) CT_TRY(add_surface(b, flex));
    if (skin) continue;
    // edges of sheets and solids are drawn thin, so that they can be told apart
    if (show[CT_SHOW_FLEXEDGE])
      CT_TRY(add_edges(b, flex, lines ? m->flex_radius[flex] : m->flex_radius[flex] / 2));
    if (show[CT_SHOW_FLEXVERT]) CT_TRY(add_vertices(b, flex));
  }
  return CT_OK;
}
