// Elements into the arrays of the model.
#include <string.h>

#include "compile/build.h"
#include "math/dense.h"
#include "model/fields.h"

static void fill_user(ctReal* out, int id, int n, const ctiReals* user) {
  for (int i = 0; i < n; i++) out[id * n + i] = i < user->count ? (ctReal)user->data[i] : 0;
}

// Columns of a user array: the size given in <size>, or the longest list met.
static ctStatus count_user(ctiBuild* b, int* out, int given, const ctiReals* user, const ctiElement* e) {
  if (given >= 0) *out = given;
  if (given >= 0 && user->count > given) {
    return cti_spec_error(b->err, CT_ERR_INVALID, e, "user has %d numbers, but <size> allows %d", user->count,
                          given);
  }
  if (user->count > *out) *out = user->count;
  return CT_OK;
}

static ctStatus count_users(ctiBuild* b) {
  ctModel* n = &b->sizes;
  const ctiSize* s = &b->spec->size;
  const ctiElement world = {.tag = "size"};
  const ctiReals none = {0};
  CT_TRY(count_user(b, &n->nuser_body, s->nuser_body, &none, &world));
  CT_TRY(count_user(b, &n->nuser_jnt, s->nuser_jnt, &none, &world));
  CT_TRY(count_user(b, &n->nuser_geom, s->nuser_geom, &none, &world));
  CT_TRY(count_user(b, &n->nuser_site, s->nuser_site, &none, &world));
  CT_TRY(count_user(b, &n->nuser_cam, s->nuser_cam, &none, &world));
  CT_TRY(count_user(b, &n->nuser_tendon, s->nuser_tendon, &none, &world));
  CT_TRY(count_user(b, &n->nuser_actuator, s->nuser_actuator, &none, &world));
  CT_TRY(count_user(b, &n->nuser_sensor, s->nuser_sensor, &none, &world));
#define COUNT(number, list, size)                                                             \
  for (int i = 0; i < n->number; i++) {                                                       \
    CT_TRY(count_user(b, &n->size, s->size, &b->list[i].spec->user, &b->list[i].spec->head)); \
  }
  COUNT(nbody, body, nuser_body)
  COUNT(njnt, joint, nuser_jnt)
  COUNT(ngeom, geom, nuser_geom)
  COUNT(nsite, site, nuser_site)
  COUNT(ncam, camera, nuser_cam)
  COUNT(ntendon, tendon, nuser_tendon)
  COUNT(nactuator, actuator, nuser_actuator)
  COUNT(nsensor, sensor, nuser_sensor)
#undef COUNT
  return CT_OK;
}

// Springs that yield remember where they rest: joints first, then tendons.
static void count_plastic(ctiBuild* b) {
  ctModel* n = &b->sizes;
  for (int i = 0; i < n->njnt; i++) {
    const ctiJoint* s = b->joint[i].spec;
    b->joint[i].plastic = s->springyield > 0 ? n->nplastic : -1;
    if (s->springyield > 0) n->nplastic += s->type == CT_JOINT_BALL ? 4 : 1;
  }
  for (int i = 0; i < n->ntendon; i++) {
    b->tendon[i].plastic = b->tendon[i].spec->springyield > 0 ? n->nplastic : -1;
    if (b->tendon[i].spec->springyield > 0) n->nplastic += 2;
  }
}

ctStatus cti_pass_allocate(ctiBuild* b) {
  ctModel* n = &b->sizes;
  CT_TRY(count_users(b));
  cti_count_sparsity(b);
  cti_count_names(b);
  cti_count_custom(b);
  // a tree of boxes for every body with geoms: one leaf a geom, joined in pairs
  for (int i = 0; i < n->nbody; i++) {
    int leaves = 0;
    for (int g = b->body[i].geomadr; g < b->body[i].geomadr + b->body[i].geomnum; g++) {
      leaves += cti_geom_collides(b->geom[g].spec->contype, b->geom[g].spec->conaffinity);
    }
    if (leaves > 0) n->nbvhstatic += 2 * leaves - 1;
  }
  n->nbvh = n->nbvhstatic;
  cti_count_paths(b);
  n->nuserdata = b->spec->size.nuserdata;
  for (int i = 0; i < n->nbody; i++) n->ngravcomp += b->body[i].spec->gravcomp != 0;
  count_plastic(b);
  n->njmax = b->spec->size.njmax;
  n->nconmax = b->spec->size.nconmax;
  return cti_model_alloc(&b->m, n, &b->spec->allocator, b->err);
}

static void fill_body(const ctiBuild* b, ctModel* m, int i) {
  const ctiBuildBody* s = &b->body[i];
  m->body_parentid[i] = s->parent;
  m->body_rootid[i] = s->root;
  m->body_weldid[i] = s->weld;
  m->body_treeid[i] = s->tree;
  m->body_mocapid[i] = s->mocap;
  m->body_jntnum[i] = s->jntnum;
  m->body_jntadr[i] = s->jntnum > 0 ? s->jntadr : -1;
  m->body_dofnum[i] = s->dofnum;
  m->body_dofadr[i] = s->dofnum > 0 ? s->dofadr : -1;
  m->body_geomnum[i] = s->geomnum;
  m->body_geomadr[i] = s->geomnum > 0 ? s->geomadr : -1;
  m->body_simple[i] = (ctByte)s->simple;
  m->body_sameframe[i] = (ctByte)s->sameframe;
  m->body_plugin[i] = -1;
  cti_copy3(m->body_pos + 3 * i, s->pos);
  cti_copy4(m->body_quat + 4 * i, s->quat);
  cti_copy3(m->body_ipos + 3 * i, s->ipos);
  cti_copy4(m->body_iquat + 4 * i, s->iquat);
  cti_copy3(m->body_inertia + 3 * i, s->inertia);
  m->body_mass[i] = s->mass;
  m->body_gravcomp[i] = (ctReal)s->spec->gravcomp;
  m->flg_gravcomp |= s->spec->gravcomp != 0;
  fill_user(m->body_user, i, m->nuser_body, &s->spec->user);
}

// Reference and spring positions of a joint.
static void fill_qpos0(const ctiBuild* b, ctModel* m, const ctiBuildJoint* j) {
  const ctiJoint* s = j->spec;
  ctReal* ref = m->qpos0 + j->qposadr;
  ctReal* spring = m->qpos_spring + j->qposadr;
  const ctiBuildBody* body = &b->body[j->body];
  double unit = s->type == CT_JOINT_HINGE && cti_compiler_of(b->spec, &s->head)->degree ? CTI_PI / 180 : 1;
  switch (s->type) {
    case CT_JOINT_FREE:
      cti_copy3(ref, body->pos);
      cti_copy4(ref + 3, body->quat);
      memcpy(spring, ref, 7 * sizeof(ctReal));
      break;
    case CT_JOINT_BALL:
      cti_quat_unit(ref);
      cti_quat_unit(spring);
      break;
    default: ref[0] = (ctReal)(s->ref * unit); spring[0] = (ctReal)(s->springref * unit);
  }
}

static void fill_joint(const ctiBuild* b, ctModel* m, int i) {
  const ctiBuildJoint* j = &b->joint[i];
  const ctiJoint* s = j->spec;
  bool angle =
      (s->type == CT_JOINT_HINGE || s->type == CT_JOINT_BALL) && cti_compiler_of(b->spec, &s->head)->degree;
  double unit = angle ? CTI_PI / 180 : 1;
  m->jnt_type[i] = s->type;
  m->jnt_qposadr[i] = j->qposadr;
  m->jnt_dofadr[i] = j->dofadr;
  m->jnt_bodyid[i] = j->body;
  m->jnt_actuatorid[i] = -1;
  m->jnt_plasticadr[i] = j->plastic;
  m->jnt_group[i] = s->group;
  m->jnt_limited[i] = j->limited;
  m->jnt_actfrclimited[i] = j->actfrclimited;
  m->jnt_actgravcomp[i] = s->actgravcomp;
  cti_to_real(m->jnt_solref + CT_NREF * i, s->solref_limit, CT_NREF);
  cti_to_real(m->jnt_solimp + CT_NIMP * i, s->solimp_limit, CT_NIMP);
  cti_copy3(m->jnt_pos + 3 * i, j->pos);
  cti_copy3(m->jnt_axis + 3 * i, j->axis);
  m->jnt_stiffness[i] = (ctReal)s->stiffness[0];
  cti_to_real(m->jnt_stiffnesspoly + CT_NPOLY * i, s->stiffness + 1, CT_NPOLY);
  m->jnt_springyield[i] = (ctReal)(s->springyield * unit);
  m->jnt_margin[i] = (ctReal)s->margin;
  for (int k = 0; k < 2; k++) {
    // the range of a joint without limits means nothing and keeps the unit of the file
    m->jnt_range[2 * i + k] = (ctReal)(s->range[k] * (j->limited ? unit : 1));
    m->jnt_actfrcrange[2 * i + k] = (ctReal)s->actfrcrange[k];
  }
  fill_user(m->jnt_user, i, m->nuser_jnt, &s->user);
  fill_qpos0(b, m, j);
}

static void fill_dof(const ctiBuild* b, ctModel* m, int i) {
  const ctiBuildDof* d = &b->dof[i];
  const ctiJoint* s = b->joint[d->joint].spec;
  m->dof_bodyid[i] = d->body;
  m->dof_jntid[i] = d->joint;
  m->dof_parentid[i] = d->parent;
  m->dof_treeid[i] = d->tree;
  m->dof_simplenum[i] = d->simple ? 1 : 0;
  cti_to_real(m->dof_solref + CT_NREF * i, s->solref_friction, CT_NREF);
  cti_to_real(m->dof_solimp + CT_NIMP * i, s->solimp_friction, CT_NIMP);
  m->dof_frictionloss[i] = (ctReal)s->frictionloss;
  m->dof_armature[i] = (ctReal)s->armature;
  m->dof_damping[i] = (ctReal)s->damping[0];
  cti_to_real(m->dof_dampingpoly + CT_NPOLY * i, s->damping + 1, CT_NPOLY);
}

static void fill_geom(const ctiBuild* b, ctModel* m, int i) {
  const ctiBuildGeom* g = &b->geom[i];
  const ctiGeom* s = g->spec;
  const ctiBuildBody* body = &b->body[g->body];
  m->geom_type[i] = s->type;
  m->geom_contype[i] = s->contype;
  m->geom_conaffinity[i] = s->conaffinity;
  m->geom_condim[i] = s->condim;
  m->geom_bodyid[i] = g->body;
  m->geom_matid[i] = m->geom_plugin[i] = -1;
  m->geom_dataid[i] = g->mesh >= 0 ? g->mesh : g->hfield;
  if (s->material) m->geom_matid[i] = cti_names_find(&b->names[CT_OBJ_MATERIAL], s->material);
  m->geom_group[i] = s->group;
  m->geom_priority[i] = s->priority;
  m->geom_castshadow[i] = s->castshadow;
  m->geom_sameframe[i] = (ctByte)cti_same_frame(g->pos, g->quat, body->ipos, body->iquat);
  m->geom_solmix[i] = (ctReal)s->solmix;
  cti_to_real(m->geom_solref + CT_NREF * i, s->solref, CT_NREF);
  cti_to_real(m->geom_solimp + CT_NIMP * i, s->solimp, CT_NIMP);
  cti_copy3(m->geom_size + 3 * i, g->size);
  cti_copy3(m->geom_pos + 3 * i, g->pos);
  cti_copy4(m->geom_quat + 4 * i, g->quat);
  cti_to_real(m->geom_friction + 3 * i, s->friction, 3);
  m->geom_margin[i] = (ctReal)s->margin;
  m->geom_gap[i] = (ctReal)s->gap;
  cti_to_real(m->geom_surfacevel + 6 * i, s->surfacevel, 6);
  m->geom_adhesion[i] = (ctReal)s->adhesion;
  for (int k = 0; k < 6; k++) m->flg_surfacevel |= s->surfacevel[k] != 0;
  m->flg_adhesion |= s->adhesion != 0;
  memcpy(m->geom_rgba + 4 * i, s->rgba, sizeof(s->rgba));
  fill_user(m->geom_user, i, m->nuser_geom, &s->user);
}

static void fill_site(const ctiBuild* b, ctModel* m, int i) {
  const ctiBuildSite* t = &b->site[i];
  const ctiSite* s = t->spec;
  const ctiBuildBody* body = &b->body[t->body];
  m->site_type[i] = s->type;
  m->site_bodyid[i] = t->body;
  m->site_dataid[i] = t->mesh;
  m->site_matid[i] = -1;
  if (s->material) m->site_matid[i] = cti_names_find(&b->names[CT_OBJ_MATERIAL], s->material);
  m->site_group[i] = s->group;
  m->site_sameframe[i] = (ctByte)cti_same_frame(t->pos, t->quat, body->ipos, body->iquat);
  cti_copy3(m->site_size + 3 * i, t->size);
  cti_copy3(m->site_pos + 3 * i, t->pos);
  cti_copy4(m->site_quat + 4 * i, t->quat);
  memcpy(m->site_rgba + 4 * i, s->rgba, sizeof(s->rgba));
  fill_user(m->site_user, i, m->nuser_site, &s->user);
}

static void fill_actuator(const ctiBuild* b, ctModel* m, int i) {
  const ctiBuildActuator* a = &b->actuator[i];
  const ctiActuator* s = a->spec;
  m->actuator_trntype[i] = a->trntype;
  m->actuator_trnid[2 * i] = a->trnid[0];
  m->actuator_trnid[2 * i + 1] = a->trnid[1];
  m->actuator_dyntype[i] = s->drive.dyntype;
  m->actuator_gaintype[i] = s->drive.gaintype;
  m->actuator_biastype[i] = s->drive.biastype;
  m->actuator_ctrlspec[i] = s->drive.ctrlspec;
  m->actuator_ctrladr[i] = a->ctrladr;
  m->actuator_ctrlnum[i] = a->ctrlnum;
  m->actuator_outadr[i] = a->outadr;
  m->actuator_outnum[i] = a->outnum;
  m->actuator_actadr[i] = a->actadr;
  m->actuator_actnum[i] = a->actnum;
  m->actuator_plugin[i] = -1;
  m->actuator_history[2 * i] = s->nsample;
  m->actuator_history[2 * i + 1] = s->interp;
  m->actuator_historyadr[i] = a->historyadr;
  m->actuator_delay[i] = (ctReal)s->delay;
  m->actuator_cranklength[i] = (ctReal)s->cranklength;
  cti_to_real(m->actuator_dynprm + CT_NDYN * i, s->drive.dynprm, CT_NDYN);
  cti_to_real(m->actuator_gainprm + CT_NGAIN * i, s->drive.gainprm, CT_NGAIN);
  cti_to_real(m->actuator_biasprm + CT_NBIAS * i, s->drive.biasprm, CT_NBIAS);
  m->actuator_actlimited[i] = a->actlimited;
  m->actuator_actearly[i] = s->actearly || s->shortcut == CTI_SHORTCUT_DCMOTOR;
  cti_copy(m->actuator_actrange + 2 * i, a->actrange, 2);
  for (int k = 0; k < a->ctrlnum; k++) {
    m->actuator_ctrllimited[a->ctrladr + k] = a->inputlimited[k];
    cti_copy(m->actuator_ctrlrange + 2 * (a->ctrladr + k), a->inputrange[k], 2);
  }
  m->actuator_damping[i] = (ctReal)s->damping[0];
  cti_to_real(m->actuator_dampingpoly + CT_NPOLY * i, s->damping + 1, CT_NPOLY);
  m->actuator_armature[i] = (ctReal)s->armature;
  m->actuator_group[i] = s->group;
  m->actuator_forcelimited[i] = a->forcelimited;
  cti_to_real(m->actuator_forcerange + 2 * i, s->forcerange, 2);
  for (int k = a->outadr; k < a->outadr + a->outnum; k++) {
    cti_to_real(m->actuator_gear + 6 * k, s->gear, 6);
    cti_to_real(m->actuator_lengthrange + 2 * k, s->lengthrange, 2);
  }
  fill_user(m->actuator_user, i, m->nuser_actuator, &s->user);
  // a joint knows the actuator that adds damping or armature to it
  bool passive = s->damping[0] != 0 || s->damping[1] != 0 || s->damping[2] != 0 || s->armature != 0;
  if (!passive) return;
  int* source = (a->trntype == CT_TRN_TENDON ? m->tendon_actuatorid : m->jnt_actuatorid) + a->trnid[0];
  *source = *source == -1 ? i : -2;  // -2: several
}

static void keep_awake(ctModel* m, int tree) {
  if (tree >= 0 && m->tree_sleep_policy[tree] == CT_SLEEP_AUTO_ALLOWED)
    m->tree_sleep_policy[tree] = CT_SLEEP_AUTO_NEVER;
}

static int actuated_tree(const ctiBuild* b, const ctModel* m, int i) {
  int id = m->actuator_trnid[2 * i];
  switch (m->actuator_trntype[i]) {
    case CT_TRN_SITE:
    case CT_TRN_SLIDERCRANK: return b->body[b->site[id].body].tree;
    case CT_TRN_BODY: return b->body[id].tree;
    case CT_TRN_SO3:
      if (m->actuator_trnid[2 * i + 1] >= 0) return b->body[b->site[id].body].tree;
      return b->body[b->joint[id].body].tree;
    default: return b->body[b->joint[id].body].tree;
  }
}

static void fill_trees(const ctiBuild* b, ctModel* m) {
  for (int i = m->nv - 1; i >= 0; i--) {
    // simple dofs count themselves and those that follow
    if (m->dof_simplenum[i] && i + 1 < m->nv) m->dof_simplenum[i] += m->dof_simplenum[i + 1];
    int t = m->dof_treeid[i];
    m->tree_dofadr[t] = i;
    m->tree_dofnum[t]++;
  }
  for (int i = m->nbody - 1; i > 0; i--) {
    int t = m->body_treeid[i];
    if (t < 0) continue;
    m->tree_bodyadr[t] = i;
    m->tree_bodynum[t]++;
  }
  for (int t = 0; t < m->ntree; t++) {
    int policy = b->body[m->tree_bodyadr[t]].spec->sleep;
    m->tree_sleep_policy[t] = policy == CT_SLEEP_AUTO ? CT_SLEEP_AUTO_ALLOWED : policy;
  }
  // what is driven, or held by a tendon with other trees, does not fall asleep by itself
  for (int i = 0; i < m->nactuator; i++) {
    int other = m->actuator_trnid[2 * i + 1];
    bool sites = m->actuator_trntype[i] == CT_TRN_SO3 || m->actuator_trntype[i] == CT_TRN_SITE ||
                 m->actuator_trntype[i] == CT_TRN_SLIDERCRANK;
    if (sites && other >= 0) keep_awake(m, b->body[b->site[other].body].tree);
    if (m->actuator_trntype[i] != CT_TRN_TENDON) {
      keep_awake(m, actuated_tree(b, m, i));
      continue;
    }
    const ctiBuildTendon* t = &b->tendon[m->actuator_trnid[2 * i]];
    for (int k = 0; k < t->ndof; k++) keep_awake(m, b->dof[t->dofs[k]].tree);
  }
  for (int i = 0; i < m->ntendon; i++) {
    const ctiTendon* t = b->tendon[i].spec;
    bool elastic = t->stiffness[0] != 0 || t->stiffness[1] != 0 || t->stiffness[2] != 0 ||
                   t->damping[0] != 0 || t->damping[1] != 0 || t->damping[2] != 0;
    if (!(b->tendon[i].ntree > 1 && elastic) && b->tendon[i].ntree < 3) continue;
    for (int k = 0; k < b->tendon[i].ndof; k++) keep_awake(m, b->dof[b->tendon[i].dofs[k]].tree);
  }
}

ctStatus cti_pass_fill(ctiBuild* b) {
  ctModel* m = b->m;
  m->opt = b->spec->option;
  m->vis = b->spec->visual;
  for (int i = 0; i < m->nbody; i++) fill_body(b, m, i);
  for (int i = 0; i < m->njnt; i++) fill_joint(b, m, i);
  for (int i = 0; i < m->nv; i++) fill_dof(b, m, i);
  for (int i = 0; i < m->ngeom; i++) fill_geom(b, m, i);
  for (int i = 0; i < m->nsite; i++) fill_site(b, m, i);
  for (int i = 0; i < m->ntendon; i++) m->tendon_actuatorid[i] = -1;
  for (int i = 0; i < m->nactuator; i++) fill_actuator(b, m, i);
  fill_trees(b, m);
  return CT_OK;
}
