// The parts of the check of a model that comes from a file (check.c).
#pragma once

#include <stdint.h>

#include "corten/model.h"

typedef struct ctiCheck {
  const ctModel* m;
  const char* field;  // the first that is wrong
} ctiCheck;

// Every number of an array lies in [low, high).
void cti_check_within(ctiCheck* c, const char* name, const int* values, int64_t n, int64_t low, int64_t high);

// Every span of numbers lies in [0, high); an empty one may begin anywhere.
void cti_check_spans(ctiCheck* c, const char* name, const int* begin, const int* count, int64_t n,
                     int64_t high);

void cti_check_text(ctiCheck* c);      // names, paths and texts end
void cti_check_tree(ctiCheck* c);      // bodies, joints and dofs number each other as the compiler does
void cti_check_patterns(ctiCheck* c);  // rows of the sparse matrices
void cti_check_shapes(ctiCheck* c);    // meshes, hulls, trees of boxes, height fields, pictures
void cti_check_objects(ctiCheck* c);   // what tendons, equalities, sensors, actuators and tuples refer to

// clang-format off
// Fields of whole numbers whose meaning depends on a kind, checked in check_*.c.
#define CTI_CHECKED_BY_KIND(X) \
  X(jnt_plasticadr) X(tendon_plasticadr) X(geom_dataid) X(bvh_child) X(bvh_nodeid) X(oct_child) X(mesh_face) X(mesh_facenormal) \
  X(mesh_facetexcoord) X(mesh_graph) X(mesh_extrema) X(mesh_polyvert) X(mesh_polymap) X(hfield_nrow) X(hfield_ncol) X(hfield_adr) \
  X(tex_height) X(tex_width) X(tex_nchannel) X(eq_obj1id) X(eq_obj2id) X(wrap_objid) X(actuator_trnid) X(actuator_history) \
  X(actuator_historyadr) X(sensor_objid) X(sensor_refid) X(sensor_history) X(sensor_historyadr) X(tuple_objid) X(names_map) \
  X(sensor_intprm) X(actuator_ctrlspec) X(skin_texcoordadr) X(skin_face) X(skin_bonevertid)

// Those that lead nowhere: masks, groups, depths, counts for drawing.
#define CTI_ANY_NUMBER(X) \
  X(body_contype) X(body_conaffinity) X(bvh_depth) X(oct_depth) X(jnt_group) X(tree_sleep_policy) X(geom_contype) X(geom_conaffinity) \
  X(geom_group) X(skin_group) X(geom_priority) X(site_group) X(cam_resolution) X(cam_output) X(tex_colorspace) X(pair_signature) \
  X(exclude_signature) X(tendon_group) X(actuator_group) X(body_plugin) X(geom_plugin) X(actuator_plugin) X(sensor_plugin)

// Those of kinds that are absent, with the sizes that say so.
#define CTI_ABSENT_SIZES(X) \
  X(nflex) X(nflexnode) X(nflexvert) X(nflexedge) X(nflexelem) X(nflexelemdata) X(nflexstiffness) X(nflexbending) X(nefm0dof) X(nefm0L) \
  X(nefmCvert) X(nflexelemedge) X(nflexshelldata) X(nflextexcoord) X(nJfe) \
  X(nplugin) X(npluginattr) X(npluginstate) X(nbvhdynamic)
#define CTI_ABSENT(X) \
  X(flex_contype) X(flex_conaffinity) X(flex_condim) X(flex_priority) X(flex_selfcollide) X(flex_activelayers) X(flex_passive) X(flex_dim) \
  X(flex_matid) X(flex_group) X(flex_interp) X(flex_cellnum) X(flex_nodeadr) X(flex_nodenum) X(flex_vertadr) X(flex_vertnum) \
  X(flex_edgeadr) X(flex_edgenum) X(flex_elemadr) X(flex_elemnum) X(flex_elemdataadr) X(flex_stiffnessadr) X(flex_elemedgeadr) \
  X(flex_bendingadr) X(flex_plasticadr) X(flex_plasticmode) X(flex_shellnum) X(flex_shelldataadr) X(flex_texcoordadr) \
  X(flex_nodebodyid) X(flex_vertbodyid) X(flex_vertcell) X(flex_edge) X(flex_edgeflap) X(flex_elem) X(flex_elemtexcoord) \
  X(flex_elemedge) X(flex_elemlayer) X(flex_shell) X(efm0_dofid) X(efm0_L_rownnz) X(efm0_L_rowadr) X(efm0_L_colind) X(efmC_perm) \
  X(flex_edgeequality) X(flex_bvhadr) X(flex_bvhnum) X(flexedge_J_rownnz) X(flexedge_J_rowadr) X(flexedge_J_colind) \
  X(plugin) X(plugin_stateadr) X(plugin_statenum) X(plugin_attradr) X(name_flexadr) X(name_pluginadr)
// clang-format on
