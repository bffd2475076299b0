// Meshes with their hulls and trees, height fields, pictures, text.
#include "model/check_parts.h"
#include "model/names.h"

#define REQUIRE(condition, name) \
  if (!c->field && !(condition)) c->field = name

// ---- text

void cti_check_text(ctiCheck* c) {
  const ctModel* m = c->m;
  REQUIRE(m->nnames > 0 && m->names[m->nnames - 1] == 0, "names");
  REQUIRE(m->npaths == 0 || m->paths[m->npaths - 1] == 0, "paths");
  for (int i = 0; i < m->ntext; i++)
    REQUIRE(m->text_size[i] > 0 && m->text_data[m->text_adr[i] + m->text_size[i] - 1] == 0, "text_size");
  const int* map = m->names_map;
  int64_t slots = 0;
  for (int i = 0; i < cti_named_kind_count; i++)
    slots += CTI_NAMES_MAP_LOAD * (int64_t)cti_named_count(m, &cti_named_kinds[i]);
  REQUIRE(slots == m->nnames_map, "nnames_map");
  for (int i = 0; i < cti_named_kind_count && !c->field; i++) {
    int count = cti_named_count(m, &cti_named_kinds[i]);
    cti_check_within(c, "names_map", map, CTI_NAMES_MAP_LOAD * (int64_t)count, -1, count);
    map += CTI_NAMES_MAP_LOAD * count;
  }
}

// ---- trees of boxes

// Children come behind their node, in the numbers of the tree; leaves lead to [0, things).
static void check_boxes(ctiCheck* c, int adr, int num, int low, int high) {
  const ctModel* m = c->m;
  for (int i = 0; i < num && !c->field; i++) {
    int leaf = m->bvh_nodeid[adr + i];
    REQUIRE(leaf == -1 || (leaf >= low && leaf < high), "bvh_nodeid");
    for (int k = 0; k < 2; k++) {
      int child = m->bvh_child[2 * (adr + i) + k];
      REQUIRE(child == -1 || (child > i && child < num), "bvh_child");
    }
  }
}

static void check_cells(ctiCheck* c, int adr, int num) {
  const ctModel* m = c->m;
  for (int i = 0; i < num && !c->field; i++) {
    const int* child = m->oct_child + 8 * (int64_t)(adr + i);
    for (int k = 0; k < 8; k++)
      REQUIRE(child[0] < 0 ? child[k] == -1 : child[k] > i && child[k] < num, "oct_child");
  }
}

// ---- hulls

// Counts of vertices and faces; where the neighbours of each vertex begin; vertices of the mesh; lists of
// neighbours, each ended by -1; faces.
static void check_hull(ctiCheck* c, int mesh) {
  const ctModel* m = c->m;
  int adr = m->mesh_graphadr[mesh], vertices = m->mesh_vertnum[mesh];
  const int* extrema = m->mesh_extrema + 27 * (int64_t)mesh;
  if (adr < 0) return;
  REQUIRE((int64_t)adr + 2 <= m->nmeshgraph, "mesh_graph");
  if (c->field) return;
  const int* g = m->mesh_graph + adr;
  int64_t nv = g[0], nf = g[1], edges = nv + 3 * nf;
  REQUIRE(nv > 0 && nf >= 0 && adr + 2 + 3 * nv + 6 * nf <= m->nmeshgraph, "mesh_graph");
  if (c->field) return;
  const int *begin = g + 2, *id = begin + nv, *to = id + nv, *face = to + edges;
  cti_check_within(c, "mesh_graph", begin, nv, 0, edges);
  cti_check_within(c, "mesh_graph", id, nv, 0, vertices);
  cti_check_within(c, "mesh_graph", to, edges, -1, nv);
  cti_check_within(c, "mesh_graph", face, 3 * nf, 0, vertices);
  REQUIRE(to[edges - 1] == -1, "mesh_graph");
  cti_check_within(c, "mesh_extrema", extrema, 27, 0, nv);
}

static void check_mesh(ctiCheck* c, int i) {
  const ctModel* m = c->m;
  int64_t face = 3 * (int64_t)m->mesh_faceadr[i], corners = 3 * (int64_t)m->mesh_facenum[i];
  int vert = m->mesh_vertadr[i];
  cti_check_within(c, "mesh_face", m->mesh_face + face, corners, 0, m->mesh_vertnum[i]);
  cti_check_within(c, "mesh_facenormal", m->mesh_facenormal + face, corners, 0, m->mesh_normalnum[i]);
  if (m->mesh_texcoordnum[i] > 0)
    cti_check_within(c, "mesh_facetexcoord", m->mesh_facetexcoord + face, corners, 0, m->mesh_texcoordnum[i]);
  for (int k = m->mesh_polyadr[i]; k < m->mesh_polyadr[i] + m->mesh_polynum[i] && !c->field; k++) {
    REQUIRE(m->mesh_polyvertnum[k] <= m->npolygonmax, "npolygonmax");
    cti_check_within(c, "mesh_polyvert", m->mesh_polyvert + m->mesh_polyvertadr[k], m->mesh_polyvertnum[k], 0,
                     m->mesh_vertnum[i]);
  }
  for (int k = vert; k < vert + m->mesh_vertnum[i] && !c->field; k++)
    cti_check_within(c, "mesh_polymap", m->mesh_polymap + m->mesh_polymapadr[k], m->mesh_polymapnum[k], 0,
                     m->mesh_polynum[i]);
  if (!c->field) check_hull(c, i);
  if (!c->field) check_boxes(c, m->mesh_bvhadr[i], m->mesh_bvhnum[i], 0, m->mesh_facenum[i]);
  if (!c->field && m->mesh_octadr[i] >= 0) check_cells(c, m->mesh_octadr[i], m->mesh_octnum[i]);
}

// Faces and bones of a skin have vertices of that skin.
static void check_skin(ctiCheck* c, int skin) {
  const ctModel* m = c->m;
  int count = m->skin_vertnum[skin], tex = m->skin_texcoordadr[skin], bone = m->skin_boneadr[skin];
  REQUIRE(tex == -1 || (tex >= 0 && (int64_t)tex + count <= m->nskintexvert), "skin_texcoordadr");
  cti_check_within(c, "skin_face", m->skin_face + 3 * (int64_t)m->skin_faceadr[skin],
                   3 * (int64_t)m->skin_facenum[skin], 0, count);
  for (int i = bone; i < bone + m->skin_bonenum[skin]; i++)
    cti_check_within(c, "skin_bonevertid", m->skin_bonevertid + m->skin_bonevertadr[i],
                     m->skin_bonevertnum[i], 0, count);
}

void cti_check_shapes(ctiCheck* c) {
  const ctModel* m = c->m;
  for (int i = 0; i < m->ngeom; i++) {
    int type = m->geom_type[i], id = m->geom_dataid[i];
    bool mesh = type == CT_GEOM_MESH || type == CT_GEOM_SDF, field = type == CT_GEOM_HFIELD;
    REQUIRE(id >= (mesh || field ? 0 : -1) && id < (field ? m->nhfield : m->nmesh), "geom_dataid");
    REQUIRE(type != CT_GEOM_SDF || c->field || m->mesh_octnum[id] > 0, "mesh_octnum");
  }
  for (int i = 0; i < m->nsite; i++)
    REQUIRE(m->site_type[i] != CT_GEOM_MESH || m->site_dataid[i] >= 0, "site_dataid");
  for (int i = 0; i < m->nmesh && !c->field; i++) {
    REQUIRE(m->mesh_octadr[i] < 0 || m->mesh_octnum[i] > 0, "mesh_octadr");
    REQUIRE(m->mesh_vertnum[i] > 0, "mesh_vertnum");
    if (!c->field) check_mesh(c, i);
  }
  for (int i = 0; i < m->nbody && !c->field; i++)
    check_boxes(c, m->body_bvhadr[i], m->body_bvhnum[i], m->body_geomadr[i],
                m->body_geomadr[i] + m->body_geomnum[i]);
  for (int i = 0; i < m->nhfield; i++) {
    int64_t rows = m->hfield_nrow[i], cols = m->hfield_ncol[i], adr = m->hfield_adr[i];
    REQUIRE(rows >= 2 && cols >= 2 && adr >= 0 && rows * cols <= m->nhfielddata - adr, "hfield_adr");
  }
  for (int i = 0; i < m->nskin && !c->field; i++) check_skin(c, i);
  for (int i = 0; i < m->ntex; i++) {
    int64_t wide = m->tex_width[i], high = m->tex_height[i], deep = m->tex_nchannel[i];
    if (m->tex_adr[i] == -1 && wide == 0 && high == 0) continue;  // left in its file
    bool sane = wide >= 0 && high >= 0 && deep >= 0 && deep <= 4 && m->tex_adr[i] >= 0;
    REQUIRE(sane && (wide == 0 || high <= INT64_MAX / 4 / wide), "tex_width");
    REQUIRE(sane && wide * high * deep <= m->ntexdata - m->tex_adr[i], "tex_adr");
  }
}
