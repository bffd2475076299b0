// Indices of a model that comes from a file: all of them lead to something that is there. The hash of a file
// guards against accidents; this guards against files made to do harm.
#include "model/check.h"

#include <string.h>

#include "model/check_parts.h"

void cti_check_within(ctiCheck* c, const char* name, const int* values, int64_t n, int64_t low,
                      int64_t high) {
  for (int64_t i = 0; i < n && !c->field; i++) {
    if (values[i] < low || values[i] >= high) c->field = name;
  }
}

void cti_check_spans(ctiCheck* c, const char* name, const int* begin, const int* count, int64_t n,
                     int64_t high) {
  for (int64_t i = 0; i < n && !c->field; i++) {
    bool empty = count[i] == 0;
    if (count[i] < 0 || (!empty && (begin[i] < 0 || (int64_t)begin[i] + count[i] > high))) c->field = name;
  }
}

// ---- tables: what is an id of what, and may be absent (-1) or several (-2); what begins a span of what

// clang-format off
#define IDS(ID) \
  ID(body_parentid, m->nbody, 0, m->nbody) ID(body_rootid, m->nbody, 0, m->nbody) ID(body_weldid, m->nbody, 0, m->nbody) \
  ID(body_mocapid, m->nbody, -1, m->nmocap) ID(body_treeid, m->nbody, -1, m->ntree) \
  ID(jnt_type, m->njnt, 0, CT_JOINT_COUNT) ID(jnt_bodyid, m->njnt, 0, m->nbody) ID(jnt_actuatorid, m->njnt, -2, m->nactuator) \
  ID(jnt_dofadr, m->njnt, 0, m->nv) ID(jnt_qposadr, m->njnt, 0, m->nq) \
  ID(dof_bodyid, m->nv, 0, m->nbody) ID(dof_jntid, m->nv, 0, m->njnt) ID(dof_parentid, m->nv, -1, m->nv) ID(dof_treeid, m->nv, 0, m->ntree) \
  ID(dof_Madr, m->nv, 0, m->nM) ID(dof_simplenum, m->nv, 0, m->nv + 1) \
  ID(geom_type, m->ngeom, 0, CT_GEOM_COUNT) ID(geom_bodyid, m->ngeom, 0, m->nbody) ID(geom_matid, m->ngeom, -1, m->nmat) \
  ID(geom_condim, m->ngeom, 1, 7) \
  ID(cam_mode, m->ncam, 0, CT_CAMLIGHT_COUNT) ID(cam_projection, m->ncam, 0, CT_PROJ_COUNT) ID(light_mode, m->nlight, 0, CT_CAMLIGHT_COUNT) ID(light_type, m->nlight, 0, CT_LIGHT_COUNT) \
  ID(site_type, m->nsite, 0, CT_GEOM_COUNT) ID(site_bodyid, m->nsite, 0, m->nbody) ID(site_dataid, m->nsite, -1, m->nmesh) ID(site_matid, m->nsite, -1, m->nmat) \
  ID(cam_bodyid, m->ncam, 0, m->nbody) ID(cam_targetbodyid, m->ncam, -1, m->nbody) \
  ID(light_bodyid, m->nlight, 0, m->nbody) ID(light_targetbodyid, m->nlight, -1, m->nbody) ID(light_texid, m->nlight, -1, m->ntex) \
    ID(mesh_graphadr, m->nmesh, -1, m->nmeshgraph) \
  ID(mesh_pathadr, m->nmesh, -1, m->npaths) ID(hfield_pathadr, m->nhfield, -1, m->npaths) ID(tex_pathadr, m->ntex, -1, m->npaths) ID(tex_contenttypeadr, m->ntex, -1, m->npaths) \
  ID(mat_texid, CT_TEXROLE_COUNT * m->nmat, -1, m->ntex) \
  ID(skin_matid, m->nskin, -1, m->nmat) ID(skin_pathadr, m->nskin, -1, m->npaths) ID(skin_bonebodyid, m->nskinbone, 0, m->nbody) \
  ID(pair_geom1, m->npair, 0, m->ngeom) ID(pair_geom2, m->npair, 0, m->ngeom) ID(pair_dim, m->npair, 1, 7) \
  ID(eq_type, m->neq, 0, CT_EQ_COUNT) ID(eq_objtype, m->neq, 0, CT_OBJ_COUNT) ID(tendon_type, m->ntendon, 0, CT_TENDON_COUNT) \
  ID(tendon_matid, m->ntendon, -1, m->nmat) ID(tendon_actuatorid, m->ntendon, -2, m->nactuator) \
  ID(tendon_treenum, m->ntendon, 0, m->ntree + 1) ID(tendon_treeid, 2 * m->ntendon, -1, m->ntree) ID(ten_J_colind, m->nJten, 0, m->nv) \
  ID(wrap_type, m->nwrap, 0, CT_WRAP_COUNT) \
  ID(actuator_trntype, m->nactuator, 0, CT_TRN_COUNT) ID(actuator_dyntype, m->nactuator, 0, CT_DYN_COUNT) ID(actuator_gaintype, m->nactuator, 0, CT_GAIN_COUNT) ID(actuator_biastype, m->nactuator, 0, CT_BIAS_COUNT) \
  ID(sensor_datatype, m->nsensor, 0, CT_DATATYPE_COUNT) ID(sensor_objtype, m->nsensor, 0, CT_OBJ_COUNT) ID(sensor_reftype, m->nsensor, 0, CT_OBJ_COUNT) \
  ID(tuple_objtype, m->ntupledata, 0, CT_OBJ_COUNT) ID(tex_type, m->ntex, 0, CT_TEXTURE_COUNT) \
  ID(sensor_type, m->nsensor, 0, CT_SENS_COUNT) ID(sensor_needstage, m->nsensor, 0, CT_STAGE_COUNT) \
  ID(B_colind, m->nB, 0, m->nv) ID(M_colind, m->nC, 0, m->nv) ID(mapM2M, m->nC, 0, m->nM) ID(D_colind, m->nD, 0, m->nv) ID(mapM2D, m->nD, -1, m->nC) ID(mapD2M, m->nC, 0, m->nD) \
  ID(D_diag, m->nv, 0, m->nv) \
  ID(name_bodyadr, m->nbody, 0, m->nnames) ID(name_jntadr, m->njnt, 0, m->nnames) ID(name_geomadr, m->ngeom, 0, m->nnames) ID(name_siteadr, m->nsite, 0, m->nnames) \
  ID(name_camadr, m->ncam, 0, m->nnames) ID(name_lightadr, m->nlight, 0, m->nnames) ID(name_meshadr, m->nmesh, 0, m->nnames) ID(name_hfieldadr, m->nhfield, 0, m->nnames) \
  ID(name_texadr, m->ntex, 0, m->nnames) ID(name_matadr, m->nmat, 0, m->nnames) ID(name_pairadr, m->npair, 0, m->nnames) ID(name_excludeadr, m->nexclude, 0, m->nnames) \
  ID(name_eqadr, m->neq, 0, m->nnames) ID(name_tendonadr, m->ntendon, 0, m->nnames) ID(name_actuatoradr, m->nactuator, 0, m->nnames) \
  ID(name_sensoradr, m->nsensor, 0, m->nnames) ID(name_numericadr, m->nnumeric, 0, m->nnames) ID(name_textadr, m->ntext, 0, m->nnames) \
  ID(name_tupleadr, m->ntuple, 0, m->nnames) ID(name_skinadr, m->nskin, 0, m->nnames) ID(name_keyadr, m->nkey, 0, m->nnames)

#define SPANS(SPAN) \
  SPAN(body_jntadr, body_jntnum, nbody, njnt) SPAN(body_dofadr, body_dofnum, nbody, nv) SPAN(body_geomadr, body_geomnum, nbody, ngeom) \
  SPAN(body_bvhadr, body_bvhnum, nbody, nbvhstatic) SPAN(tree_bodyadr, tree_bodynum, ntree, nbody) SPAN(tree_dofadr, tree_dofnum, ntree, nv) \
  SPAN(mesh_vertadr, mesh_vertnum, nmesh, nmeshvert) SPAN(mesh_faceadr, mesh_facenum, nmesh, nmeshface) SPAN(mesh_bvhadr, mesh_bvhnum, nmesh, nbvhstatic) \
  SPAN(mesh_octadr, mesh_octnum, nmesh, noct) SPAN(mesh_normaladr, mesh_normalnum, nmesh, nmeshnormal) \
  SPAN(mesh_texcoordadr, mesh_texcoordnum, nmesh, nmeshtexcoord) SPAN(mesh_polyadr, mesh_polynum, nmesh, nmeshpoly) \
  SPAN(mesh_polyvertadr, mesh_polyvertnum, nmeshpoly, nmeshpolyvert) SPAN(mesh_polymapadr, mesh_polymapnum, nmeshvert, nmeshpolymap) \
  SPAN(skin_vertadr, skin_vertnum, nskin, nskinvert) SPAN(skin_faceadr, skin_facenum, nskin, nskinface) SPAN(skin_boneadr, skin_bonenum, nskin, nskinbone) \
  SPAN(skin_bonevertadr, skin_bonevertnum, nskinbone, nskinbonevert) \
  SPAN(tendon_adr, tendon_num, ntendon, nwrap) SPAN(ten_J_rowadr, ten_J_rownnz, ntendon, nJten) \
  SPAN(actuator_ctrladr, actuator_ctrlnum, nactuator, nu) SPAN(actuator_actadr, actuator_actnum, nactuator, na) SPAN(actuator_outadr, actuator_outnum, nactuator, nout) \
  SPAN(sensor_adr, sensor_dim, nsensor, nsensordata) \
  SPAN(numeric_adr, numeric_size, nnumeric, nnumericdata) SPAN(text_adr, text_size, ntext, ntextdata) SPAN(tuple_adr, tuple_size, ntuple, ntupledata) \
  SPAN(B_rowadr, B_rownnz, nbody, nB) SPAN(M_rowadr, M_rownnz, nv, nC) SPAN(D_rowadr, D_rownnz, nv, nD)
// clang-format on

// ---- numbers of no consequence for memory: every other field of whole numbers has its row above or in one
// of the files check_*.c. A test holds the lists against the fields of the model.

bool cti_model_check_knows(const char* name) {
  static const char* const known[] = {
#define ID(name, n, low, high)      #name,
#define SPAN(begin, count, n, high) #begin, #count,
      IDS(ID) SPANS(SPAN)
#undef ID
#undef SPAN
#define X(name) #name,
          CTI_CHECKED_BY_KIND(X) CTI_ANY_NUMBER(X) CTI_ABSENT(X)
#undef X
  };
  for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
    if (strcmp(known[i], name) == 0) return true;
  }
  return false;
}

// Kinds of objects that no model of this engine has yet.
static void check_absent(ctiCheck* c) {
  const ctModel* m = c->m;
#define X(size) \
  if (!c->field && m->size != 0) c->field = #size;
  CTI_ABSENT_SIZES(X)
#undef X
}

const char* cti_model_check(const ctModel* m) {
  ctiCheck c = {.m = m};
  check_absent(&c);
  cti_check_within(&c, "opt.integrator", &m->opt.integrator, 1, 0, CT_INT_COUNT);
  cti_check_within(&c, "opt.cone", &m->opt.cone, 1, 0, CT_CONE_COUNT);
  cti_check_within(&c, "opt.jacobian", &m->opt.jacobian, 1, 0, CT_JAC_COUNT);
  cti_check_within(&c, "opt.solver", &m->opt.solver, 1, 0, CT_SOL_COUNT);
#define ID(name, n, low, high)      cti_check_within(&c, #name, m->name, n, low, high);
#define SPAN(begin, count, n, high) cti_check_spans(&c, #begin, m->begin, m->count, m->n, m->high);
  SPANS(SPAN)
  IDS(ID)
  // each relies on those before it
  static void (*const checks[])(ctiCheck*) = {cti_check_text, cti_check_tree, cti_check_patterns,
                                              cti_check_shapes, cti_check_objects};
  for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]) && !c.field; i++) checks[i](&c);
  return c.field;
}
