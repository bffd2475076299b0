// Indices of a model that comes from a file: all of them lead to something that is there. The hash of a file
// guards against accidents; this guards against files made to do harm.
#include "model/binary.h"

#include <stdint.h>
#include <string.h>

#include "base/kinds.h"
#include "corten/model.h"
#include "model/names.h"

// The check of one model.
typedef struct Check {
  const ctModel* m;
  const char* field;  // the first that is wrong
} Check;

// clang-format off
// Fields of whole numbers whose meaning depends on a kind, each checked by a function below.
#define CHECKED_BY_KIND(X) \
  X(jnt_plasticadr) X(tendon_plasticadr) X(geom_dataid) X(bvh_child) X(bvh_nodeid) X(oct_child) X(mesh_face) X(mesh_facenormal) \
  X(mesh_facetexcoord) X(mesh_graph) X(mesh_extrema) X(mesh_polyvert) X(mesh_polymap) X(hfield_nrow) \
  X(hfield_ncol) X(hfield_adr) \
  X(tex_height) X(tex_width) X(tex_nchannel) X(eq_obj1id) X(eq_obj2id) X(wrap_objid) X(actuator_trnid) X(actuator_history) \
  X(actuator_historyadr) X(sensor_objid) X(sensor_refid) X(sensor_history) X(sensor_historyadr) X(tuple_objid) X(names_map) \
  X(sensor_intprm) X(actuator_ctrlspec) X(skin_texcoordadr) X(skin_face) X(skin_bonevertid) \
  X(flex_cellnum) X(flex_elemdataadr) X(flex_stiffnessadr) X(flex_elemedgeadr) X(flex_bendingadr) \
  X(flex_plasticadr) X(flex_shellnum) \
  X(flex_shelldataadr) X(flex_texcoordadr) X(flex_vertcell) X(flex_edge) X(flex_edgeflap) X(flex_elem) X(flex_elemtexcoord) \
  X(flex_elemedge) X(flex_shell)

// Those that lead nowhere: masks, groups, depths, counts for drawing.
#define ANY_NUMBER(X) \
  X(body_contype) X(body_conaffinity) X(bvh_depth) X(oct_depth) X(jnt_group) X(tree_sleep_policy) \
  X(geom_contype) X(geom_conaffinity) \
  X(geom_group) X(skin_group) X(geom_priority) X(site_group) X(cam_resolution) X(cam_output) X(tex_colorspace) X(pair_signature) \
  X(exclude_signature) X(flex_contype) X(flex_conaffinity) X(flex_priority) X(flex_group) X(flex_activelayers) X(flex_elemlayer) \
  X(flex_edgeequality) X(tendon_group) X(actuator_group)

// clang-format on

// Every number of an array lies in [low, high).
static void check_within(Check* c, const char* name, const int* values, int64_t n, int64_t low,
                         int64_t high) {
  for (int64_t i = 0; i < n && !c->field; i++) {
    if (values[i] < low || values[i] >= high) c->field = name;
  }
}

// Every span of numbers lies in [0, high); an empty one may begin anywhere.
static void check_spans(Check* c, const char* name, const int* begin, const int* count, int64_t n,
                        int64_t high) {
  for (int64_t i = 0; i < n && !c->field; i++) {
    bool empty = count[i] == 0;
    if (count[i] < 0 || (!empty && (begin[i] < 0 || (int64_t)begin[i] + count[i] > high))) c->field = name;
  }
}

// ---- bodies, joints, dofs, sparse rows: all of them follow from the tree

#define REQUIRE(condition, name) \
  if (!c->field && !(condition)) c->field = name

// The joints of a body and their dofs come one after another, in the order of the bodies.
static void check_joints(Check* c) {
  const ctModel* m = c->m;
  int joint = 0, nq = 0, nv = 0;
  for (int b = 0; b < m->nbody && !c->field; b++) {
    int first = nv;
    REQUIRE(m->body_jntnum[b] == 0 || m->body_jntadr[b] == joint, "body_jntadr");
    for (int k = 0; k < m->body_jntnum[b] && !c->field; k++, joint++) {
      REQUIRE(joint < m->njnt && m->jnt_bodyid[joint] == b, "jnt_bodyid");
      if (c->field) return;
      int type = m->jnt_type[joint];
      REQUIRE(m->jnt_qposadr[joint] == nq && nq + cti_joint_nq(type) <= m->nq, "jnt_qposadr");
      REQUIRE(m->jnt_dofadr[joint] == nv && nv + cti_joint_nv(type) <= m->nv, "jnt_dofadr");
      for (int d = nv; d < nv + cti_joint_nv(type) && !c->field; d++)
        REQUIRE(m->dof_jntid[d] == joint && m->dof_bodyid[d] == b, "dof_jntid");
      nq += cti_joint_nq(type);
      nv += cti_joint_nv(type);
    }
    REQUIRE(m->body_dofnum[b] == nv - first && (nv == first || m->body_dofadr[b] == first), "body_dofnum");
  }
  REQUIRE(joint == m->njnt, "njnt");
  REQUIRE(nq == m->nq, "nq");
  REQUIRE(nv == m->nv, "nv");
}

// The last dof of a body or of the nearest body towards the world that has one, -1 for none.
static int last_dof(const ctModel* m, int body) {
  while (body > 0 && m->body_dofnum[body] == 0) body = m->body_parentid[body];
  return body > 0 ? m->body_dofadr[body] + m->body_dofnum[body] - 1 : -1;
}

static void check_plastic(Check* c) {
  const ctModel* m = c->m;
  for (int i = 0; i < m->njnt; i++) {
    int adr = m->jnt_plasticadr[i], size = cti_joint_nq(m->jnt_type[i]);
    REQUIRE(adr >= -1 && (adr < 0 || (int64_t)adr + size <= m->nplastic), "jnt_plasticadr");
  }
  for (int i = 0; i < m->ntendon; i++) {
    int adr = m->tendon_plasticadr[i];
    REQUIRE(adr >= -1 && (adr < 0 || (int64_t)adr + 2 <= m->nplastic), "tendon_plasticadr");
  }
}

// Bodies, joints and dofs number each other as the compiler does.
static void check_tree(Check* c) {
  const ctModel* m = c->m;
  REQUIRE(m->body_dofnum[0] == 0 && m->body_jntnum[0] == 0, "body_jntnum");
  for (int i = 1; i < m->nbody; i++) {
    REQUIRE(m->body_parentid[i] < i, "body_parentid");
    REQUIRE(m->body_rootid[i] <= i, "body_rootid");
    REQUIRE(m->body_weldid[i] <= i, "body_weldid");
  }
  REQUIRE(m->body_parentid[0] == 0 && m->body_rootid[0] == 0 && m->body_weldid[0] == 0, "body_parentid");
  if (!c->field) check_joints(c);
  if (!c->field) check_plastic(c);
  for (int d = 0; d < m->nv && !c->field; d++) {
    int body = m->dof_bodyid[d], first = m->body_dofadr[body];
    REQUIRE(m->dof_parentid[d] == (d > first ? d - 1 : last_dof(m, m->body_parentid[body])), "dof_parentid");
    REQUIRE(m->dof_treeid[d] == m->body_treeid[body], "dof_treeid");
  }
  for (int b = 0; b < m->nbody && !c->field; b++) {
    for (int g = m->body_geomadr[b]; g < m->body_geomadr[b] + m->body_geomnum[b] && !c->field; g++)
      REQUIRE(m->geom_bodyid[g] == b, "geom_bodyid");
  }
}

// ---- patterns

// The row holds the ancestors of a dof in ascending order, then the dof.
static bool holds_ancestors(const ctModel* m, const int* row, int n, int dof) {
  for (int d = dof; d >= 0; d = m->dof_parentid[d]) {
    if (n == 0 || row[--n] != d) return false;
  }
  return n == 0;
}

// Ascending dofs below `dof`.
static bool holds_descendants(const ctModel* m, const int* row, int n, int dof) {
  for (int k = 0; k < n; k++) {
    int d = row[k];
    if (k > 0 && row[k - 1] >= d) return false;
    while (d > dof) d = m->dof_parentid[d];
    if (d != dof || row[k] == dof) return false;
  }
  return true;
}

static void check_row_order(Check* c, const char* name, const int* adr, const int* nnz, const int* col,
                            int rows) {
  for (int i = 0; i < rows && !c->field; i++) {
    for (int k = 1; k < nnz[i]; k++) REQUIRE(col[adr[i] + k - 1] < col[adr[i] + k], name);
  }
}

// Rows of the sparse matrices.
static void check_patterns(Check* c) {
  const ctModel* m = c->m;
  int64_t nM = 0, nC = 0;
  for (int i = 0; i < m->nv && !c->field; i++) {
    // as many ancestors as the parent, which is known to be right, and the parent
    int parent = m->dof_parentid[i], full = parent < 0 ? 1 : m->D_diag[parent] + 2;
    int nnz = m->M_rownnz[i], diag = m->D_diag[i];
    REQUIRE(m->dof_Madr[i] == nM && nM + full <= m->nM, "dof_Madr");
    REQUIRE(m->M_rowadr[i] == nC, "M_rowadr");
    REQUIRE(nnz == full || nnz == 1, "M_rownnz");
    if (c->field) return;
    const int *row = m->M_colind + m->M_rowadr[i], *all = m->D_colind + m->D_rowadr[i];
    REQUIRE(nnz == 1 ? row[0] == i : holds_ancestors(m, row, nnz, i), "M_colind");
    REQUIRE(diag == full - 1 && diag < m->D_rownnz[i], "D_diag");
    if (c->field) return;
    REQUIRE(holds_ancestors(m, all, full, i), "D_colind");
    REQUIRE(holds_descendants(m, all + full, m->D_rownnz[i] - full, i), "D_colind");
    nM += full;
    nC += nnz;
  }
  REQUIRE(nM == m->nM, "nM");
  REQUIRE(nC == m->nC, "nC");
  if (c->field) return;
  check_row_order(c, "B_colind", m->B_rowadr, m->B_rownnz, m->B_colind, m->nbody);
  check_row_order(c, "ten_J_colind", m->ten_J_rowadr, m->ten_J_rownnz, m->ten_J_colind, m->ntendon);
}

// ---- text

// Names, paths and texts end.
static void check_text(Check* c) {
  const ctModel* m = c->m;
  REQUIRE(m->nnames > 0 && m->names[m->nnames - 1] == 0, "names");
  REQUIRE(m->npaths == 0 || m->paths[m->npaths - 1] == 0, "paths");
  REQUIRE(m->npluginattr == 0 || m->plugin_attr[m->npluginattr - 1] == 0, "plugin_attr");
  for (int i = 0; i < m->ntext; i++)
    REQUIRE(m->text_size[i] > 0 && m->text_data[m->text_adr[i] + m->text_size[i] - 1] == 0, "text_size");
  const int* map = m->names_map;
  int64_t slots = 0;
  for (int i = 0; i < cti_named_kind_count; i++)
    slots += CTI_NAMES_MAP_LOAD * (int64_t)cti_named_count(m, &cti_named_kinds[i]);
  REQUIRE(slots == m->nnames_map, "nnames_map");
  for (int i = 0; i < cti_named_kind_count && !c->field; i++) {
    int count = cti_named_count(m, &cti_named_kinds[i]);
    check_within(c, "names_map", map, CTI_NAMES_MAP_LOAD * (int64_t)count, -1, count);
    map += CTI_NAMES_MAP_LOAD * count;
  }
}

// ---- trees of boxes

// Children come behind their node, in the numbers of the tree; leaves lead to [0, things).
static void check_boxes(Check* c, int adr, int num, int low, int high) {
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

static void check_cells(Check* c, int adr, int num) {
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
static void check_hull(Check* c, int mesh) {
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
  check_within(c, "mesh_graph", begin, nv, 0, edges);
  check_within(c, "mesh_graph", id, nv, 0, vertices);
  check_within(c, "mesh_graph", to, edges, -1, nv);
  check_within(c, "mesh_graph", face, 3 * nf, 0, vertices);
  REQUIRE(to[edges - 1] == -1, "mesh_graph");
  check_within(c, "mesh_extrema", extrema, 27, 0, nv);
}

static void check_mesh(Check* c, int i) {
  const ctModel* m = c->m;
  int64_t face = 3 * (int64_t)m->mesh_faceadr[i], corners = 3 * (int64_t)m->mesh_facenum[i];
  int vert = m->mesh_vertadr[i];
  check_within(c, "mesh_face", m->mesh_face + face, corners, 0, m->mesh_vertnum[i]);
  check_within(c, "mesh_facenormal", m->mesh_facenormal + face, corners, 0, m->mesh_normalnum[i]);
  if (m->mesh_texcoordnum[i] > 0)
    check_within(c, "mesh_facetexcoord", m->mesh_facetexcoord + face, corners, 0, m->mesh_texcoordnum[i]);
  for (int k = m->mesh_polyadr[i]; k < m->mesh_polyadr[i] + m->mesh_polynum[i] && !c->field; k++) {
    REQUIRE(m->mesh_polyvertnum[k] <= m->npolygonmax, "npolygonmax");
    check_within(c, "mesh_polyvert", m->mesh_polyvert + m->mesh_polyvertadr[k], m->mesh_polyvertnum[k], 0,
                 m->mesh_vertnum[i]);
  }
  for (int k = vert; k < vert + m->mesh_vertnum[i] && !c->field; k++)
    check_within(c, "mesh_polymap", m->mesh_polymap + m->mesh_polymapadr[k], m->mesh_polymapnum[k], 0,
                 m->mesh_polynum[i]);
  if (!c->field) check_hull(c, i);
  if (!c->field) check_boxes(c, m->mesh_bvhadr[i], m->mesh_bvhnum[i], 0, m->mesh_facenum[i]);
  if (!c->field && m->mesh_octadr[i] >= 0) check_cells(c, m->mesh_octadr[i], m->mesh_octnum[i]);
}

// Faces and bones of a skin have vertices of that skin.
static void check_skin(Check* c, int skin) {
  const ctModel* m = c->m;
  int count = m->skin_vertnum[skin], tex = m->skin_texcoordadr[skin], bone = m->skin_boneadr[skin];
  REQUIRE(tex == -1 || (tex >= 0 && (int64_t)tex + count <= m->nskintexvert), "skin_texcoordadr");
  check_within(c, "skin_face", m->skin_face + 3 * (int64_t)m->skin_faceadr[skin],
               3 * (int64_t)m->skin_facenum[skin], 0, count);
  for (int i = bone; i < bone + m->skin_bonenum[skin]; i++)
    check_within(c, "skin_bonevertid", m->skin_bonevertid + m->skin_bonevertadr[i], m->skin_bonevertnum[i], 0,
                 count);
}

// Meshes, hulls, trees of boxes, height fields, pictures.
static void check_shapes(Check* c) {
  const ctModel* m = c->m;
  for (int i = 0; i < m->ngeom; i++) {
    int type = m->geom_type[i], id = m->geom_dataid[i];
    bool mesh = type == CT_GEOM_MESH || type == CT_GEOM_SDF, field = type == CT_GEOM_HFIELD;
    REQUIRE(id >= (mesh || field ? 0 : -1) && id < (field ? m->nhfield : m->nmesh), "geom_dataid");
    REQUIRE(type != CT_GEOM_SDF || c->field || m->geom_plugin[i] >= 0 || m->mesh_octnum[id] > 0,
            "mesh_octnum");
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

// ---- deformables

// A run of `count` numbers from `adr` on lies in [0, high).
static bool holds_run(int64_t adr, int64_t count, int64_t high) {
  return adr >= 0 && count <= high - adr;
}

// An id kept as a real number lies in [low, high).
static bool is_kept_id(ctReal x, int low, int64_t high) {
  return x >= (ctReal)low && x <= (ctReal)(high - 1);
}

// A cage: nodes along its axes, cells of a volume or squares of a shell, nodes of each, 3 numbers a node.
static void check_cage(Check* c, int f) {
  const ctModel* m = c->m;
  const int* cells = m->flex_cellnum + 3 * (int64_t)f;
  int order = m->flex_interp[f] < 0 ? -m->flex_interp[f] : m->flex_interp[f];
  for (int k = 0; k < 3; k++) REQUIRE(cells[k] >= 1 && cells[k] <= m->nflexnode, "flex_cellnum");
  if (c->field) return;
  int64_t a = cells[0], b = cells[1], d = cells[2], nodes = order * a + 1;
  for (int k = 1; k < 3; k++) {
    int64_t more = order * (int64_t)cells[k] + 1;
    REQUIRE(nodes <= m->nflexnode / more, "flex_cellnum");
    nodes *= more;
  }
  REQUIRE(m->flex_nodenum[f] == nodes, "flex_nodenum");
  bool shell = m->flex_interp[f] < 0;
  int64_t pieces = shell ? 2 * (b * d + a * d + a * b) : a * b * d;
  int64_t corner = order + 1, width = 3 * corner * corner * (shell ? 1 : corner);
  int stiff = m->flex_stiffnessadr[f], bend = m->flex_bendingadr[f], plastic = m->flex_plasticadr[f];
  REQUIRE(stiff == -1 || holds_run(stiff, pieces * width * width, m->nflexstiffness), "flex_stiffnessadr");
  REQUIRE(bend == -1 || (shell && holds_run(bend, 1, m->nflexbending)), "flex_bendingadr");
  REQUIRE(plastic == -1 || holds_run(plastic, pieces * (shell ? 3 : 6), m->nplastic), "flex_plasticadr");
  if (bend >= 0 && !c->field) {
    const ctReal* record = m->flex_bending + bend;
    REQUIRE(is_kept_id(record[0], 0, INT32_MAX), "flex_bending");
    REQUIRE(c->field || holds_run(bend, 1 + 10 * (int64_t)record[0], m->nflexbending), "flex_bending");
    for (int64_t i = 0; !c->field && i < (int64_t)record[0]; i++) {
      for (int k = 0; k < 2; k++) REQUIRE(is_kept_id(record[1 + 10 * i + k], 0, pieces), "flex_bending");
    }
  }
  check_within(c, "flex_vertcell", m->flex_vertcell + m->flex_vertadr[f], m->flex_vertnum[f], 0, a * b * d);
}

// A rod: records of the bends at its vertices, each with a hinge that twists the edge behind it.
static void check_rod(Check* c, int f) {
  const ctModel* m = c->m;
  int adr = m->flex_bendingadr[f], n = m->flex_vertnum[f], edges = m->flex_edgenum[f];
  REQUIRE(
      m->flex_plasticadr[f] == -1 || holds_run(m->flex_plasticadr[f], 7 * (int64_t)edges - 1, m->nplastic),
      "flex_plasticadr");
  if (adr < 0 || c->field) return;
  REQUIRE(holds_run(adr, 1, m->nflexbending), "flex_bendingadr");
  if (c->field) return;
  const ctReal* record = m->flex_bending + adr;
  REQUIRE(is_kept_id(record[0], 0, INT32_MAX), "flex_bending");
  REQUIRE(c->field || holds_run(adr, 1 + 10 * (int64_t)record[0], m->nflexbending), "flex_bending");
  for (int64_t i = 0; !c->field && i < (int64_t)record[0]; i++) {
    const ctReal* r = record + 1 + 10 * i;
    for (int k = 0; k < 3; k++) REQUIRE(is_kept_id(r[k], 0, n), "flex_bending");
    REQUIRE(is_kept_id(r[3], -1, n), "flex_bending");
    bool hinge = r[3] == -1 && r[7] >= 0;
    REQUIRE(!hinge || is_kept_id(r[7], 0, m->njnt), "flex_bending");
    REQUIRE(!hinge || c->field || m->jnt_type[(int)r[7]] == CT_JOINT_HINGE, "flex_bending");
  }
}

// Vertices that move by themselves: stiffness by elements, bending by edges.
static void check_plain(Check* c, int f) {
  const ctModel* m = c->m;
  static const int stride[4] = {0, 0, 21, 24}, element_edges[4] = {0, 1, 3, 6};
  int dim = m->flex_dim[f], stiff = m->flex_stiffnessadr[f], bend = m->flex_bendingadr[f];
  int64_t elements = m->flex_elemnum[f], edges = m->flex_edgenum[f];
  check_within(c, "flex_vertbodyid", m->flex_vertbodyid + m->flex_vertadr[f], m->flex_vertnum[f], 0,
               m->nbody);
  check_within(c, "flex_vertcell", m->flex_vertcell + m->flex_vertadr[f], m->flex_vertnum[f], -1, 0);
  if (dim == 1) {
    REQUIRE(stiff == -1, "flex_stiffnessadr");
    if (!c->field) check_rod(c, f);
    return;
  }
  REQUIRE(stiff == -1 || holds_run(stiff, stride[dim] * elements, m->nflexstiffness), "flex_stiffnessadr");
  REQUIRE(bend == -1 || (dim == 2 && holds_run(bend, 17 * edges, m->nflexbending)), "flex_bendingadr");
  int mode = m->flex_plasticmode[f], plastic = m->flex_plasticadr[f];
  int64_t yields = (mode & 2 ? element_edges[dim] * elements : 0) + (mode & 1 ? edges : 0);
  REQUIRE(plastic == -1 || holds_run(plastic, yields, m->nplastic), "flex_plasticadr");
  REQUIRE(!(mode & 2) || plastic == -1 || stiff >= 0, "flex_plasticmode");
  REQUIRE(!(mode & 1) || plastic == -1 || bend >= 0, "flex_plasticmode");
}

static void check_flex(Check* c, int f) {
  const ctModel* m = c->m;
  static const int element_edges[4] = {0, 1, 3, 6};
  int dim = m->flex_dim[f], vertices = m->flex_vertnum[f], edges = m->flex_edgenum[f];
  int64_t elements = m->flex_elemnum[f], shell = m->flex_shelldataadr[f], tex = m->flex_texcoordadr[f];
  int64_t corners = elements * (dim + 1), sides = elements * element_edges[dim], pieces = m->flex_shellnum[f];
  REQUIRE(vertices > 0, "flex_vertnum");
  REQUIRE(holds_run(m->flex_elemdataadr[f], corners, m->nflexelemdata), "flex_elemdataadr");
  REQUIRE(holds_run(m->flex_elemedgeadr[f], sides, m->nflexelemedge), "flex_elemedgeadr");
  REQUIRE(pieces >= 0 && (pieces == 0 || holds_run(shell, pieces * dim, m->nflexshelldata)), "flex_shellnum");
  REQUIRE(tex >= -1 && tex < m->nflextexcoord, "flex_texcoordadr");
  if (c->field) return;
  check_within(c, "flex_elem", m->flex_elem + m->flex_elemdataadr[f], corners, 0, vertices);
  check_within(c, "flex_elemedge", m->flex_elemedge + m->flex_elemedgeadr[f], sides, 0, edges);
  if (tex >= 0)
    check_within(c, "flex_elemtexcoord", m->flex_elemtexcoord + m->flex_elemdataadr[f], corners, 0,
                 m->nflextexcoord - tex);
  if (pieces > 0) check_within(c, "flex_shell", m->flex_shell + shell, pieces * dim, 0, vertices);
  check_within(c, "flex_edge", m->flex_edge + 2 * (int64_t)m->flex_edgeadr[f], 2 * (int64_t)edges, 0,
               vertices);
  check_within(c, "flex_edgeflap", m->flex_edgeflap + 2 * (int64_t)m->flex_edgeadr[f], 2 * (int64_t)edges, -1,
               vertices);
  if (m->flex_interp[f])
    check_cage(c, f);
  else
    check_plain(c, f);
  if (!c->field) check_boxes(c, m->flex_bvhadr[f], m->flex_bvhnum[f], 0, (int)elements);
  REQUIRE(m->flex_bvhnum[f] == 0 || m->flex_bvhadr[f] >= m->nbvhstatic, "flex_bvhadr");
}

static void check_flexes(Check* c) {
  const ctModel* m = c->m;
  REQUIRE((int64_t)m->nbvhstatic + m->nbvhdynamic == m->nbvh, "nbvh");
  for (int f = 0; f < m->nflex && !c->field; f++) check_flex(c, f);
  if (!c->field)
    check_row_order(c, "flexedge_J_colind", m->flexedge_J_rowadr, m->flexedge_J_rownnz, m->flexedge_J_colind,
                    m->nflexedge);
}

// ---- what objects refer to

// Whether an id is one of an object of a kind; kind 0 has no objects.
static bool is_object(const ctModel* m, int kind, int id) {
  return kind > 0 && id >= 0 &&
         id < ct_model_count(m, (ctObjType)(kind == CT_OBJ_XBODY ? CT_OBJ_BODY : kind));
}

static bool is_scalar(const ctModel* m, int joint) {
  return is_object(m, CT_OBJ_JOINT, joint) && cti_joint_is_scalar(m->jnt_type[joint]);
}

// The id of a side site, kept as a real number; -1 for none.
static bool is_side(const ctModel* m, ctReal side) {
  return side == -1 || (side >= 0 && side <= (ctReal)(m->nsite - 1));
}

// A geom stands between two sites of its path, and its side site is one.
static void check_paths(Check* c) {
  static const int kinds[CT_WRAP_COUNT] = {[CT_WRAP_JOINT] = CT_OBJ_JOINT,
                                           [CT_WRAP_SITE] = CT_OBJ_SITE,
                                           [CT_WRAP_SPHERE] = CT_OBJ_GEOM,
                                           [CT_WRAP_CYLINDER] = CT_OBJ_GEOM};
  const ctModel* m = c->m;
  for (int i = 0; i < m->nwrap; i++) {
    int kind = kinds[m->wrap_type[i]];
    REQUIRE(kind == 0 || is_object(m, kind, m->wrap_objid[i]), "wrap_objid");
    if (c->field) return;
    if (kind == CT_OBJ_GEOM) REQUIRE(is_side(m, m->wrap_prm[i]), "wrap_prm");
    if (kind == CT_OBJ_JOINT) REQUIRE(is_scalar(m, m->wrap_objid[i]), "wrap_objid");
  }
  for (int t = 0; t < m->ntendon && !c->field; t++) {
    const int* type = m->wrap_type + m->tendon_adr[t];
    int n = m->tendon_num[t];
    for (int k = 0; k < n; k++) {
      bool joint = type[k] == CT_WRAP_JOINT, geom = kinds[type[k]] == CT_OBJ_GEOM;
      REQUIRE(joint == (m->tendon_type[t] == CT_TENDON_FIXED), "wrap_type");
      REQUIRE(!geom || (k > 0 && k + 1 < n && type[k - 1] == CT_WRAP_SITE && type[k + 1] == CT_WRAP_SITE),
              "wrap_type");
    }
  }
}

// A strain equality names a cell of a volume (three numbers) or a square of a shell.
static void check_strain(Check* c, int i) {
  const ctModel* m = c->m;
  int f = m->eq_obj1id[i];
  const int* cells = m->flex_cellnum + 3 * (int64_t)f;
  const ctReal* at = m->eq_data + CT_NEQDATA * (int64_t)i;
  if (m->flex_interp[f] < 0) {
    int64_t a = cells[0], b = cells[1], d = cells[2], faces = 2 * (b * d + a * d + a * b);
    REQUIRE(is_kept_id(at[0], 0, faces), "eq_data");
    return;
  }
  for (int k = 0; k < 3; k++) REQUIRE(is_kept_id(at[k], 0, cells[k]), "eq_data");
}

static void check_equalities(Check* c) {
  const ctModel* m = c->m;
  for (int i = 0; i < m->neq && !c->field; i++) {
    int type = m->eq_type[i], kind = m->eq_objtype[i], one = m->eq_obj1id[i], two = m->eq_obj2id[i];
    switch (type) {
      case CT_EQ_CONNECT:
      case CT_EQ_WELD:
        REQUIRE(kind == CT_OBJ_BODY || kind == CT_OBJ_SITE, "eq_objtype");
        REQUIRE(is_object(m, kind, one), "eq_obj1id");
        REQUIRE(is_object(m, kind, two), "eq_obj2id");
        break;
      case CT_EQ_JOINT:
        REQUIRE(is_scalar(m, one), "eq_obj1id");
        REQUIRE(two == -1 || is_scalar(m, two), "eq_obj2id");
        break;
      case CT_EQ_TENDON:
        REQUIRE(is_object(m, CT_OBJ_TENDON, one), "eq_obj1id");
        REQUIRE(two == -1 || is_object(m, CT_OBJ_TENDON, two), "eq_obj2id");
        break;
      case CT_EQ_FLEX: REQUIRE(is_object(m, CT_OBJ_FLEX, one), "eq_obj1id"); break;
      case CT_EQ_FLEXSTRAIN:
        REQUIRE(is_object(m, CT_OBJ_FLEX, one) && m->flex_interp[one] != 0, "eq_obj1id");
        if (!c->field) check_strain(c, i);
        break;
      default: c->field = "eq_type";
    }
  }
}

// How many dofs two chains towards the world share, and have together.
static void count_dofs(const ctModel* m, int body1, int body2, int* shared, int* all) {
  int d[2], body[2] = {body1, body2};
  for (int k = 0; k < 2; k++) {
    while (body[k] > 0 && m->body_dofnum[body[k]] == 0) body[k] = m->body_parentid[body[k]];
    d[k] = body[k] > 0 ? m->body_dofadr[body[k]] + m->body_dofnum[body[k]] - 1 : -1;
  }
  for (*shared = *all = 0; d[0] >= 0 || d[1] >= 0; ++*all) {
    int most = d[0] > d[1] ? d[0] : d[1];
    *shared += d[0] == d[1];
    for (int k = 0; k < 2; k++) {
      if (d[k] == most) d[k] = m->dof_parentid[most];
    }
  }
}

// Elements in the moment rows of an actuator, -1 when it acts on what is not there.
static int64_t moment_elements(const ctModel* m, int i) {
  const int* id = m->actuator_trnid + 2 * i;
  bool site = is_object(m, CT_OBJ_SITE, id[0]), both = site && is_object(m, CT_OBJ_SITE, id[1]);
  int shared, all;
  switch (m->actuator_trntype[i]) {
    case CT_TRN_JOINT:
    case CT_TRN_JOINTINPARENT:
      return is_object(m, CT_OBJ_JOINT, id[0]) ? cti_joint_nv(m->jnt_type[id[0]]) : -1;
    case CT_TRN_TENDON: return is_object(m, CT_OBJ_TENDON, id[0]) ? m->ten_J_rownnz[id[0]] : -1;
    case CT_TRN_SITE:
      if (!site || (id[1] != -1 && !both)) return -1;
      count_dofs(m, m->site_bodyid[id[0]], both ? m->site_bodyid[id[1]] : 0, &shared, &all);
      return all - shared;
    case CT_TRN_SLIDERCRANK:
      if (!both) return -1;
      count_dofs(m, m->site_bodyid[id[0]], m->site_bodyid[id[1]], &shared, &all);
      return all;
    case CT_TRN_BODY: return is_object(m, CT_OBJ_BODY, id[0]) ? m->nv : -1;
    case CT_TRN_SO3:
      if (id[1] >= 0) return both ? 3 * (int64_t)m->nv : -1;
      return is_object(m, CT_OBJ_JOINT, id[0]) && m->jnt_type[id[0]] == CT_JOINT_BALL ? 3 : -1;
    default: return -1;
  }
}

static void check_actuators(Check* c) {
  const ctModel* m = c->m;
  int64_t room = 0;
  for (int i = 0; i < m->nactuator && !c->field; i++) {
    int64_t elements = moment_elements(m, i);
    REQUIRE(elements >= 0, "actuator_trnid");
    REQUIRE(m->actuator_outnum[i] == (m->actuator_trntype[i] == CT_TRN_SO3 ? 3 : 1), "actuator_outnum");
    room += elements;
  }
  REQUIRE(room <= m->nJmom, "nJmom");
}

// User slot, cursor, times, samples.
static void check_history(Check* c, const char* name, const int* history, int64_t adr, int64_t width) {
  const ctModel* m = c->m;
  if (history[0] <= 0) return;
  REQUIRE(history[1] >= 0 && history[1] <= 2, name);
  REQUIRE(adr >= 0 && adr + 2 + history[0] * (1 + width) <= m->nhistory, name);
}

static void check_histories(Check* c) {
  const ctModel* m = c->m;
  for (int i = 0; i < m->nactuator; i++)
    check_history(c, "actuator_historyadr", m->actuator_history + 2 * i, m->actuator_historyadr[i],
                  m->actuator_ctrlnum[i]);
  for (int i = 0; i < m->nsensor; i++)
    check_history(c, "sensor_historyadr", m->sensor_history + 2 * i, m->sensor_historyadr[i],
                  m->sensor_dim[i]);
}

static void check_sensors(Check* c) {
  const ctModel* m = c->m;
  for (int i = 0; i < m->nsensor; i++) {
    int type = m->sensor_objtype[i], ref = m->sensor_reftype[i];
    REQUIRE(m->sensor_objid[i] == -1 || is_object(m, type, m->sensor_objid[i]), "sensor_objid");
    REQUIRE(m->sensor_refid[i] == -1 || is_object(m, ref, m->sensor_refid[i]), "sensor_refid");
  }
}

// What tendons, equalities, sensors, actuators and tuples refer to.
static void check_objects(Check* c) {
  const ctModel* m = c->m;
  check_paths(c);
  if (!c->field) check_equalities(c);
  if (!c->field) check_actuators(c);
  if (!c->field) check_sensors(c);
  if (!c->field) check_histories(c);
  for (int i = 0; i < m->ntupledata; i++)
    REQUIRE(is_object(m, m->tuple_objtype[i], m->tuple_objid[i]), "tuple_objid");
}

// ---- tables: what is an id of what, and may be absent (-1) or several (-2); what begins a span of what

// clang-format off
#define IDS(ID) \
  ID(body_parentid, m->nbody, 0, m->nbody) ID(body_rootid, m->nbody, 0, m->nbody) ID(body_weldid, m->nbody, 0, m->nbody) \
  ID(body_mocapid, m->nbody, -1, m->nmocap) ID(body_treeid, m->nbody, -1, m->ntree) \
  ID(jnt_type, m->njnt, 0, CT_JOINT_COUNT) ID(jnt_bodyid, m->njnt, 0, m->nbody) ID(jnt_actuatorid, m->njnt, -2, m->nactuator) \
  ID(jnt_dofadr, m->njnt, 0, m->nv) ID(jnt_qposadr, m->njnt, 0, m->nq) \
  ID(dof_bodyid, m->nv, 0, m->nbody) ID(dof_jntid, m->nv, 0, m->njnt) ID(dof_parentid, m->nv, -1, m->nv) \
  ID(dof_treeid, m->nv, 0, m->ntree) \
  ID(dof_Madr, m->nv, 0, m->nM) ID(dof_simplenum, m->nv, 0, m->nv + 1) \
  ID(geom_type, m->ngeom, 0, CT_GEOM_COUNT) ID(geom_bodyid, m->ngeom, 0, m->nbody) ID(geom_matid, m->ngeom, -1, m->nmat) \
  ID(geom_condim, m->ngeom, 1, 7) \
  ID(cam_mode, m->ncam, 0, CT_CAMLIGHT_COUNT) ID(cam_projection, m->ncam, 0, CT_PROJ_COUNT) \
  ID(light_mode, m->nlight, 0, CT_CAMLIGHT_COUNT) ID(light_type, m->nlight, 0, CT_LIGHT_COUNT) \
  ID(site_type, m->nsite, 0, CT_GEOM_COUNT) ID(site_bodyid, m->nsite, 0, m->nbody) \
  ID(site_dataid, m->nsite, -1, m->nmesh) ID(site_matid, m->nsite, -1, m->nmat) \
  ID(cam_bodyid, m->ncam, 0, m->nbody) ID(cam_targetbodyid, m->ncam, -1, m->nbody) \
  ID(light_bodyid, m->nlight, 0, m->nbody) ID(light_targetbodyid, m->nlight, -1, m->nbody) \
  ID(light_texid, m->nlight, -1, m->ntex) \
    ID(mesh_graphadr, m->nmesh, -1, m->nmeshgraph) \
  ID(mesh_pathadr, m->nmesh, -1, m->npaths) ID(hfield_pathadr, m->nhfield, -1, m->npaths) \
  ID(tex_pathadr, m->ntex, -1, m->npaths) ID(tex_contenttypeadr, m->ntex, -1, m->npaths) \
  ID(mat_texid, CT_TEXROLE_COUNT * m->nmat, -1, m->ntex) \
  ID(skin_matid, m->nskin, -1, m->nmat) ID(skin_pathadr, m->nskin, -1, m->npaths) ID(skin_bonebodyid, m->nskinbone, 0, m->nbody) \
  ID(pair_geom1, m->npair, 0, m->ngeom) ID(pair_geom2, m->npair, 0, m->ngeom) ID(pair_dim, m->npair, 1, 7) \
  ID(eq_type, m->neq, 0, CT_EQ_COUNT) ID(eq_objtype, m->neq, 0, CT_OBJ_COUNT) ID(tendon_type, m->ntendon, 0, CT_TENDON_COUNT) \
  ID(tendon_matid, m->ntendon, -1, m->nmat) ID(tendon_actuatorid, m->ntendon, -2, m->nactuator) \
  ID(tendon_treenum, m->ntendon, 0, m->ntree + 1) ID(tendon_treeid, 2 * m->ntendon, -1, m->ntree) \
  ID(ten_J_colind, m->nJten, 0, m->nv) \
  ID(wrap_type, m->nwrap, 0, CT_WRAP_COUNT) \
  ID(actuator_trntype, m->nactuator, 0, CT_TRN_COUNT) ID(actuator_dyntype, m->nactuator, 0, CT_DYN_COUNT) \
  ID(actuator_gaintype, m->nactuator, 0, CT_GAIN_COUNT) \
  ID(actuator_biastype, m->nactuator, 0, CT_BIAS_COUNT) \
  ID(sensor_datatype, m->nsensor, 0, CT_DATATYPE_COUNT) ID(sensor_objtype, m->nsensor, 0, CT_OBJ_COUNT) \
  ID(sensor_reftype, m->nsensor, 0, CT_OBJ_COUNT) \
  ID(flex_condim, m->nflex, 1, 7) ID(flex_selfcollide, m->nflex, 0, 5) ID(flex_passive, m->nflex, 0, 2) \
  ID(flex_dim, m->nflex, 1, 4) \
  ID(flex_interp, m->nflex, -2, 3) ID(flex_plasticmode, m->nflex, 0, 4) ID(flex_matid, m->nflexelem, -1, m->nmat) \
  ID(flex_nodebodyid, m->nflexnode, 0, m->nbody) ID(flex_vertbodyid, m->nflexvert, -1, m->nbody) \
  ID(flexedge_J_colind, m->nJfe, 0, m->nv) \
  ID(efm0_dofid, m->nefm0dof, 0, m->nv) ID(efm0_L_colind, m->nefm0L, 0, m->nefm0dof) ID(efmC_perm, m->nefmCvert, -1, m->nv) \
  ID(name_flexadr, m->nflex, 0, m->nnames) \
  ID(plugin, m->nplugin, 0, INT32_MAX) ID(plugin_attradr, m->nplugin, 0, (int64_t)m->npluginattr + 1) \
  ID(name_pluginadr, m->nplugin, 0, m->nnames) \
  ID(body_plugin, m->nbody, -1, m->nplugin) ID(geom_plugin, m->ngeom, -1, m->nplugin) \
  ID(actuator_plugin, m->nactuator, -1, m->nplugin) \
  ID(sensor_plugin, m->nsensor, -1, m->nplugin) \
  ID(tuple_objtype, m->ntupledata, 0, CT_OBJ_COUNT) ID(tex_type, m->ntex, 0, CT_TEXTURE_COUNT) \
  ID(sensor_type, m->nsensor, 0, CT_SENS_COUNT) ID(sensor_needstage, m->nsensor, 0, CT_STAGE_COUNT) \
  ID(B_colind, m->nB, 0, m->nv) ID(M_colind, m->nC, 0, m->nv) ID(mapM2M, m->nC, 0, m->nM) \
  ID(D_colind, m->nD, 0, m->nv) ID(mapM2D, m->nD, -1, m->nC) ID(mapD2M, m->nC, 0, m->nD) \
  ID(D_diag, m->nv, 0, m->nv) \
  ID(name_bodyadr, m->nbody, 0, m->nnames) ID(name_jntadr, m->njnt, 0, m->nnames) \
  ID(name_geomadr, m->ngeom, 0, m->nnames) ID(name_siteadr, m->nsite, 0, m->nnames) \
  ID(name_camadr, m->ncam, 0, m->nnames) ID(name_lightadr, m->nlight, 0, m->nnames) \
  ID(name_meshadr, m->nmesh, 0, m->nnames) ID(name_hfieldadr, m->nhfield, 0, m->nnames) \
  ID(name_texadr, m->ntex, 0, m->nnames) ID(name_matadr, m->nmat, 0, m->nnames) \
  ID(name_pairadr, m->npair, 0, m->nnames) ID(name_excludeadr, m->nexclude, 0, m->nnames) \
  ID(name_eqadr, m->neq, 0, m->nnames) ID(name_tendonadr, m->ntendon, 0, m->nnames) \
  ID(name_actuatoradr, m->nactuator, 0, m->nnames) \
  ID(name_sensoradr, m->nsensor, 0, m->nnames) ID(name_numericadr, m->nnumeric, 0, m->nnames) \
  ID(name_textadr, m->ntext, 0, m->nnames) \
  ID(name_tupleadr, m->ntuple, 0, m->nnames) ID(name_skinadr, m->nskin, 0, m->nnames) ID(name_keyadr, m->nkey, 0, m->nnames)

#define SPANS(SPAN) \
  SPAN(body_jntadr, body_jntnum, nbody, njnt) SPAN(body_dofadr, body_dofnum, nbody, nv) \
  SPAN(body_geomadr, body_geomnum, nbody, ngeom) \
  SPAN(body_bvhadr, body_bvhnum, nbody, nbvhstatic) SPAN(tree_bodyadr, tree_bodynum, ntree, nbody) \
  SPAN(tree_dofadr, tree_dofnum, ntree, nv) \
  SPAN(mesh_vertadr, mesh_vertnum, nmesh, nmeshvert) SPAN(mesh_faceadr, mesh_facenum, nmesh, nmeshface) \
  SPAN(mesh_bvhadr, mesh_bvhnum, nmesh, nbvhstatic) \
  SPAN(mesh_octadr, mesh_octnum, nmesh, noct) SPAN(mesh_normaladr, mesh_normalnum, nmesh, nmeshnormal) \
  SPAN(mesh_texcoordadr, mesh_texcoordnum, nmesh, nmeshtexcoord) SPAN(mesh_polyadr, mesh_polynum, nmesh, nmeshpoly) \
  SPAN(mesh_polyvertadr, mesh_polyvertnum, nmeshpoly, nmeshpolyvert) \
  SPAN(mesh_polymapadr, mesh_polymapnum, nmeshvert, nmeshpolymap) \
  SPAN(skin_vertadr, skin_vertnum, nskin, nskinvert) SPAN(skin_faceadr, skin_facenum, nskin, nskinface) \
  SPAN(skin_boneadr, skin_bonenum, nskin, nskinbone) \
  SPAN(skin_bonevertadr, skin_bonevertnum, nskinbone, nskinbonevert) \
  SPAN(flex_nodeadr, flex_nodenum, nflex, nflexnode) SPAN(flex_vertadr, flex_vertnum, nflex, nflexvert) \
  SPAN(flex_edgeadr, flex_edgenum, nflex, nflexedge) \
  SPAN(flex_elemadr, flex_elemnum, nflex, nflexelem) SPAN(flex_bvhadr, flex_bvhnum, nflex, nbvh) \
  SPAN(flexedge_J_rowadr, flexedge_J_rownnz, nflexedge, nJfe) SPAN(efm0_L_rowadr, efm0_L_rownnz, nefm0dof, nefm0L) \
  SPAN(tendon_adr, tendon_num, ntendon, nwrap) SPAN(ten_J_rowadr, ten_J_rownnz, ntendon, nJten) \
  SPAN(actuator_ctrladr, actuator_ctrlnum, nactuator, nu) \
  SPAN(actuator_actadr, actuator_actnum, nactuator, na) \
  SPAN(actuator_outadr, actuator_outnum, nactuator, nout) \
  SPAN(sensor_adr, sensor_dim, nsensor, nsensordata) SPAN(plugin_stateadr, plugin_statenum, nplugin, npluginstate) \
  SPAN(numeric_adr, numeric_size, nnumeric, nnumericdata) SPAN(text_adr, text_size, ntext, ntextdata) \
  SPAN(tuple_adr, tuple_size, ntuple, ntupledata) \
  SPAN(B_rowadr, B_rownnz, nbody, nB) SPAN(M_rowadr, M_rownnz, nv, nC) SPAN(D_rowadr, D_rownnz, nv, nD)
// clang-format on

// ---- the whole

// Every field of whole numbers has its row in the tables here or in the lists above. A test holds them
// against the fields of the model.

bool cti_model_check_knows(const char* name) {
  static const char* const known[] = {
#define ID(name, n, low, high)      #name,
#define SPAN(begin, count, n, high) #begin, #count,
      IDS(ID) SPANS(SPAN)
#undef ID
#undef SPAN
#define X(name) #name,
          CHECKED_BY_KIND(X) ANY_NUMBER(X)
#undef X
  };
  for (int i = 0; i < CT_COUNT_OF(known); i++) {
    if (strcmp(known[i], name) == 0) return true;
  }
  return false;
}

const char* cti_model_check(const ctModel* m) {
  Check c = {.m = m};
  check_within(&c, "opt.integrator", &m->opt.integrator, 1, 0, CT_INT_COUNT);
  check_within(&c, "opt.cone", &m->opt.cone, 1, 0, CT_CONE_COUNT);
  check_within(&c, "opt.jacobian", &m->opt.jacobian, 1, 0, CT_JAC_COUNT);
  check_within(&c, "opt.solver", &m->opt.solver, 1, 0, CT_SOL_COUNT);
  // loops that end only there, and room that is taken for each
  check_within(&c, "opt.iterations", &m->opt.iterations, 1, INT32_MIN, CTI_MOST_ITERATIONS);
  check_within(&c, "opt.ls_iterations", &m->opt.ls_iterations, 1, INT32_MIN, CTI_MOST_ITERATIONS);
  check_within(&c, "opt.noslip_iterations", &m->opt.noslip_iterations, 1, INT32_MIN, CTI_MOST_ITERATIONS);
  check_within(&c, "opt.ccd_iterations", &m->opt.ccd_iterations, 1, INT32_MIN, CTI_MOST_ITERATIONS);
  check_within(&c, "opt.sdf_iterations", &m->opt.sdf_iterations, 1, INT32_MIN, CTI_MOST_ITERATIONS);
  check_within(&c, "opt.sdf_initpoints", &m->opt.sdf_initpoints, 1, INT32_MIN, CTI_MOST_ITERATIONS);
#define ID(name, n, low, high)      check_within(&c, #name, m->name, n, low, high);
#define SPAN(begin, count, n, high) check_spans(&c, #begin, m->begin, m->count, m->n, m->high);
  SPANS(SPAN)
  IDS(ID)
  // each relies on those before it
  static void (*const checks[])(Check*) = {check_text,   check_tree,   check_patterns,
                                           check_shapes, check_flexes, check_objects};
  for (int i = 0; i < CT_COUNT_OF(checks) && !c.field; i++) checks[i](&c);
  return c.field;
}
