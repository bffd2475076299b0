// Indices of a model that comes from a file: all of them lead to something that is there. The hash of a file
// guards against accidents; this guards against files made to do harm.
#include "model/check.h"

#include <stdint.h>

typedef struct Check {
  const ctModel* m;
  const char* field;  // the first that is wrong
} Check;

// Every number of an array lies in [low, high).
static void within(Check* c, const char* name, const int* values, int64_t n, int64_t low, int64_t high) {
  for (int64_t i = 0; i < n && !c->field; i++) {
    if (values[i] < low || values[i] >= high) c->field = name;
  }
}

// Every span of numbers lies in [0, high); an empty one may begin anywhere.
static void spans(Check* c, const char* name, const int* begin, const int* count, int64_t n, int64_t high) {
  for (int64_t i = 0; i < n && !c->field; i++) {
    bool empty = count[i] == 0;
    if (count[i] < 0 || (!empty && (begin[i] < 0 || (int64_t)begin[i] + count[i] > high))) c->field = name;
  }
}

// ---- tables: what is an id of what, and may be absent (-1)

// clang-format off
#define IDS(ID) \
  ID(body_parentid, m->nbody, 0, m->nbody) ID(body_rootid, m->nbody, 0, m->nbody) ID(body_weldid, m->nbody, 0, m->nbody) \
  ID(body_mocapid, m->nbody, -1, m->nmocap) ID(body_treeid, m->nbody, -1, m->ntree) \
  ID(jnt_type, m->njnt, 0, CT_JOINT_COUNT) ID(jnt_bodyid, m->njnt, 0, m->nbody) ID(jnt_actuatorid, m->njnt, -1, m->nactuator) \
  ID(jnt_dofadr, m->njnt, 0, m->nv) ID(jnt_qposadr, m->njnt, 0, m->nq) \
  ID(dof_bodyid, m->nv, 0, m->nbody) ID(dof_jntid, m->nv, 0, m->njnt) ID(dof_parentid, m->nv, -1, m->nv) ID(dof_treeid, m->nv, 0, m->ntree) \
  ID(dof_Madr, m->nv, 0, m->nM) ID(dof_simplenum, m->nv, 0, m->nv + 1) \
  ID(geom_type, m->ngeom, 0, CT_GEOM_COUNT) ID(geom_bodyid, m->ngeom, 0, m->nbody) ID(geom_matid, m->ngeom, -1, m->nmat) \
  ID(geom_condim, m->ngeom, 1, 7) \
  ID(site_type, m->nsite, 0, CT_GEOM_COUNT) ID(site_bodyid, m->nsite, 0, m->nbody) ID(site_dataid, m->nsite, -1, m->nmesh) ID(site_matid, m->nsite, -1, m->nmat) \
  ID(cam_bodyid, m->ncam, 0, m->nbody) ID(cam_targetbodyid, m->ncam, -1, m->nbody) \
  ID(light_bodyid, m->nlight, 0, m->nbody) ID(light_targetbodyid, m->nlight, -1, m->nbody) ID(light_texid, m->nlight, -1, m->ntex) \
  ID(bvh_child, 2 * m->nbvh, -1, m->nbvh) ID(oct_child, 8 * m->noct, -1, m->noct) \
  ID(mesh_graphadr, m->nmesh, -1, m->nmeshgraph) ID(mesh_facetexcoord, 3 * m->nmeshface, 0, INT32_MAX) \
  ID(mesh_pathadr, m->nmesh, -1, m->npaths) ID(hfield_pathadr, m->nhfield, -1, m->npaths) ID(tex_pathadr, m->ntex, -1, m->npaths) ID(tex_contenttypeadr, m->ntex, -1, m->npaths) \
  ID(mat_texid, CT_TEXROLE_COUNT * m->nmat, -1, m->ntex) \
  ID(pair_geom1, m->npair, 0, m->ngeom) ID(pair_geom2, m->npair, 0, m->ngeom) ID(pair_dim, m->npair, 1, 7) \
  ID(eq_type, m->neq, 0, CT_EQ_COUNT) \
  ID(tendon_matid, m->ntendon, -1, m->nmat) ID(tendon_actuatorid, m->ntendon, -1, m->nactuator) \
  ID(tendon_treeid, 2 * m->ntendon, -1, m->ntree) ID(ten_J_colind, m->nJten, 0, m->nv) \
  ID(wrap_type, m->nwrap, 0, CT_WRAP_COUNT) \
  ID(actuator_dyntype, m->nactuator, 0, CT_DYN_COUNT) ID(actuator_gaintype, m->nactuator, 0, CT_GAIN_COUNT) ID(actuator_biastype, m->nactuator, 0, CT_BIAS_COUNT) \
  ID(sensor_type, m->nsensor, 0, CT_SENS_COUNT) ID(sensor_needstage, m->nsensor, 0, CT_STAGE_COUNT) \
  ID(B_colind, m->nB, 0, m->nv) ID(M_colind, m->nC, 0, m->nv) ID(mapM2M, m->nC, 0, m->nM) ID(D_colind, m->nD, 0, m->nv) ID(mapM2D, m->nD, -1, m->nC) ID(mapD2M, m->nC, 0, m->nD) \
  ID(D_diag, m->nv, 0, m->nv) \
  ID(name_bodyadr, m->nbody, 0, m->nnames) ID(name_jntadr, m->njnt, 0, m->nnames) ID(name_geomadr, m->ngeom, 0, m->nnames) ID(name_siteadr, m->nsite, 0, m->nnames) \
  ID(name_camadr, m->ncam, 0, m->nnames) ID(name_lightadr, m->nlight, 0, m->nnames) ID(name_meshadr, m->nmesh, 0, m->nnames) ID(name_hfieldadr, m->nhfield, 0, m->nnames) \
  ID(name_texadr, m->ntex, 0, m->nnames) ID(name_matadr, m->nmat, 0, m->nnames) ID(name_pairadr, m->npair, 0, m->nnames) ID(name_excludeadr, m->nexclude, 0, m->nnames) \
  ID(name_eqadr, m->neq, 0, m->nnames) ID(name_tendonadr, m->ntendon, 0, m->nnames) ID(name_actuatoradr, m->nactuator, 0, m->nnames) \
  ID(name_sensoradr, m->nsensor, 0, m->nnames) ID(name_numericadr, m->nnumeric, 0, m->nnames) ID(name_textadr, m->ntext, 0, m->nnames) \
  ID(name_tupleadr, m->ntuple, 0, m->nnames) ID(name_keyadr, m->nkey, 0, m->nnames)

#define SPANS(SPAN) \
  SPAN(body_jntadr, body_jntnum, nbody, njnt) SPAN(body_dofadr, body_dofnum, nbody, nv) SPAN(body_geomadr, body_geomnum, nbody, ngeom) \
  SPAN(body_bvhadr, body_bvhnum, nbody, nbvh) SPAN(tree_bodyadr, tree_bodynum, ntree, nbody) SPAN(tree_dofadr, tree_dofnum, ntree, nv) \
  SPAN(mesh_vertadr, mesh_vertnum, nmesh, nmeshvert) SPAN(mesh_faceadr, mesh_facenum, nmesh, nmeshface) SPAN(mesh_bvhadr, mesh_bvhnum, nmesh, nbvh) \
  SPAN(mesh_octadr, mesh_octnum, nmesh, noct) SPAN(mesh_normaladr, mesh_normalnum, nmesh, nmeshnormal) \
  SPAN(mesh_texcoordadr, mesh_texcoordnum, nmesh, nmeshtexcoord) SPAN(mesh_polyadr, mesh_polynum, nmesh, nmeshpoly) \
  SPAN(tendon_adr, tendon_num, ntendon, nwrap) SPAN(ten_J_rowadr, ten_J_rownnz, ntendon, nJten) \
  SPAN(actuator_ctrladr, actuator_ctrlnum, nactuator, nu) SPAN(actuator_actadr, actuator_actnum, nactuator, na) \
  SPAN(sensor_adr, sensor_dim, nsensor, nsensordata) \
  SPAN(numeric_adr, numeric_size, nnumeric, nnumericdata) SPAN(text_adr, text_size, ntext, ntextdata) SPAN(tuple_adr, tuple_size, ntuple, ntupledata) \
  SPAN(B_rowadr, B_rownnz, nbody, nB) SPAN(M_rowadr, M_rownnz, nv, nC) SPAN(D_rowadr, D_rownnz, nv, nD)
// clang-format on

// ---- what depends on a kind

static void check_joints(Check* c) {
  static const int nq[CT_JOINT_COUNT] = {
      [CT_JOINT_FREE] = 7, [CT_JOINT_BALL] = 4, [CT_JOINT_SLIDE] = 1, [CT_JOINT_HINGE] = 1};
  static const int nv[CT_JOINT_COUNT] = {
      [CT_JOINT_FREE] = 6, [CT_JOINT_BALL] = 3, [CT_JOINT_SLIDE] = 1, [CT_JOINT_HINGE] = 1};
  const ctModel* m = c->m;
  for (int i = 0; i < m->njnt && !c->field; i++) {
    int type = m->jnt_type[i], plastic = m->jnt_plasticadr[i], size = type == CT_JOINT_BALL ? 4 : 1;
    if (m->jnt_qposadr[i] + nq[type] > m->nq) c->field = "jnt_qposadr";
    if (m->jnt_dofadr[i] + nv[type] > m->nv) c->field = "jnt_dofadr";
    if (plastic < -1 || (plastic >= 0 && plastic + size > m->nplastic)) c->field = "jnt_plasticadr";
  }
  for (int i = 0; i < m->ntendon && !c->field; i++) {
    int plastic = m->tendon_plasticadr[i];
    if (plastic < -1 || (plastic >= 0 && plastic + 2 > m->nplastic)) c->field = "tendon_plasticadr";
  }
}

static void check_tree(Check* c) {
  const ctModel* m = c->m;
  for (int i = 0; i < m->nbody && !c->field; i++) {
    if (i > 0 && m->body_parentid[i] >= i) c->field = "body_parentid";
  }
  for (int i = 0; i < m->nv && !c->field; i++) {
    if (m->dof_parentid[i] >= i) c->field = "dof_parentid";
  }
}

static void check_shapes(Check* c) {
  const ctModel* m = c->m;
  for (int i = 0; i < m->ngeom && !c->field; i++) {
    int type = m->geom_type[i], id = m->geom_dataid[i];
    bool mesh = type == CT_GEOM_MESH || type == CT_GEOM_SDF, field = type == CT_GEOM_HFIELD;
    int low = mesh || field ? 0 : -1, high = field ? m->nhfield : m->nmesh;
    if (id < low || id >= high) c->field = "geom_dataid";
  }
  for (int i = 0; i < m->nmesh && !c->field; i++) {
    const int* face = m->mesh_face + 3 * (int64_t)m->mesh_faceadr[i];
    within(c, "mesh_face", face, 3 * (int64_t)m->mesh_facenum[i], 0, m->mesh_vertnum[i]);
  }
  for (int i = 0; i < m->nhfield && !c->field; i++) {
    int64_t rows = m->hfield_nrow[i], cols = m->hfield_ncol[i], adr = m->hfield_adr[i];
    if (rows < 0 || cols < 0 || adr < 0 || adr + rows * cols > m->nhfielddata) c->field = "hfield_adr";
  }
}

static void check_references(Check* c) {
  const ctModel* m = c->m;
  static const int wraps[CT_WRAP_COUNT] = {[CT_WRAP_JOINT] = CT_OBJ_JOINT,
                                           [CT_WRAP_SITE] = CT_OBJ_SITE,
                                           [CT_WRAP_SPHERE] = CT_OBJ_GEOM,
                                           [CT_WRAP_CYLINDER] = CT_OBJ_GEOM};
  for (int i = 0; i < m->nwrap && !c->field; i++) {
    int kind = wraps[m->wrap_type[i]];
    if (kind && (m->wrap_objid[i] < 0 || m->wrap_objid[i] >= ct_model_count(m, (ctObjType)kind)))
      c->field = "wrap_objid";
  }
  for (int i = 0; i < m->nsensor && !c->field; i++) {
    int type = m->sensor_objtype[i], ref = m->sensor_reftype[i];
    if (type == CT_OBJ_XBODY) type = CT_OBJ_BODY;
    if (ref == CT_OBJ_XBODY) ref = CT_OBJ_BODY;
    if (m->sensor_objid[i] < -1 || m->sensor_objid[i] >= (type > 0 ? ct_model_count(m, (ctObjType)type) : 1))
      c->field = "sensor_objid";
    if (m->sensor_refid[i] < -1 || m->sensor_refid[i] >= (ref > 0 ? ct_model_count(m, (ctObjType)ref) : 1))
      c->field = "sensor_refid";
  }
}

const char* cti_model_check(const ctModel* m) {
  Check c = {.m = m};
#define ID(name, n, low, high)      within(&c, #name, m->name, n, low, high);
#define SPAN(begin, count, n, high) spans(&c, #begin, m->begin, m->count, m->n, m->high);
  SPANS(SPAN)
  IDS(ID)
  check_tree(&c);
  check_joints(&c);
  check_shapes(&c);
  check_references(&c);
  return c.field;
}
