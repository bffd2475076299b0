// Bodies and what stands in them.
#include <string.h>

#include "base/kinds.h"
#include "decompile/decompile.h"
#include "math/quat.h"
#include "stage/velocity/fluid.h"

// ---- bodies

// Whether the compiler would take the body for a simple one, as far as its place in the tree shows.
static bool could_be_simple(const ctModel* m, int id) {
  int parent = m->body_parentid[id];
  bool leaf = id + 1 == m->nbody || m->body_parentid[id + 1] != id;
  bool fixed = parent == 0 || (m->body_parentid[parent] == 0 && m->body_jntnum[parent] == 0);
  return leaf && fixed && m->body_sameframe[id] == CT_SAMEFRAME_BODY;
}

static int sleep_policy(const ctModel* m, int id) {
  int tree = m->body_treeid[id];
  if (tree < 0 || m->tree_bodyadr[tree] != id) return CT_SLEEP_AUTO;
  int policy = m->tree_sleep_policy[tree];
  bool own = policy == CT_SLEEP_NEVER || policy == CT_SLEEP_ALLOWED || policy == CT_SLEEP_INIT;
  return own ? policy : CT_SLEEP_AUTO;
}

static void set_quat(ctiOrient* to, const ctReal quat[4]) {
  to->form = CTI_ORIENT_QUAT;
  cti_decompile_reals(to->quat, quat, 4);
}

static ctStatus decompile_body(ctiDecompiler* l, int i) {
  const ctModel* m = l->m;
  ctiBody* parent = l->body[m->body_parentid[i]];
  // the compiler walks depth first
  const ctiBody* last = l->body[i - 1];
  while (last && last != parent) last = last->parent;
  if (!last) return cti_error(l->err, CT_ERR_UNSUPPORTED, "the bodies of the model do not stand depth first");
  ctiBody* b = cti_spec_add_body(l->s, parent);
  if (!b) return cti_error_memory(l->err);
  l->body[i] = b;
  cti_decompile_place(l, &b->head, CT_OBJ_BODY, i, "body", &cti_attrs_body);
  cti_decompile_reals(b->pos, m->body_pos + 3 * i, 3);
  set_quat(&b->orient, m->body_quat + 4 * i);
  b->mocap = m->body_mocapid[i] >= 0;
  b->gravcomp = (double)m->body_gravcomp[i];
  CT_TRY(cti_decompile_use(l, &b->use, m->body_plugin[i]));
  b->sleep = sleep_policy(m, i);
  if (m->body_simple[i] == 0 && could_be_simple(m, i)) b->simple = CTI_FALSE;
  b->has_inertial = true;
  b->inertial.head = (ctiElement){.tag = "inertial", .parent = &b->head, .attrs = &cti_attrs_inertial};
  b->inertial.mass = (double)m->body_mass[i];
  cti_decompile_reals(b->inertial.pos, m->body_ipos + 3 * i, 3);
  set_quat(&b->inertial.orient, m->body_iquat + 4 * i);
  cti_decompile_reals(b->inertial.diaginertia, m->body_inertia + 3 * i, 3);
  return cti_decompile_user(l, &b->user, m->body_user, i, m->nuser_body);
}

// ---- joints

static ctStatus decompile_joint(ctiDecompiler* l, int i) {
  const ctModel* m = l->m;
  int dof = m->jnt_dofadr[i], type = m->jnt_type[i];
  ctiJoint* j = cti_spec_add_joint(l->s, l->body[m->jnt_bodyid[i]], &l->s->plain);
  if (!j) return cti_error_memory(l->err);
  cti_decompile_place(l, &j->head, CT_OBJ_JOINT, i, "joint", &cti_attrs_joint);
  j->type = type;
  j->group = m->jnt_group[i];
  j->limited = cti_decompile_limited(m->jnt_limited[i], m->jnt_range + 2 * i);
  j->actfrclimited = cti_decompile_limited(m->jnt_actfrclimited[i], m->jnt_actfrcrange + 2 * i);
  j->actgravcomp = m->jnt_actgravcomp[i];
  j->margin = (double)m->jnt_margin[i];
  j->springyield = (double)m->jnt_springyield[i];
  j->stiffness[0] = (double)m->jnt_stiffness[i];
  cti_decompile_reals(j->stiffness + 1, m->jnt_stiffnesspoly + CT_NPOLY * i, CT_NPOLY);
  cti_decompile_reals(j->pos, m->jnt_pos + 3 * i, 3);
  cti_decompile_reals(j->axis, m->jnt_axis + 3 * i, 3);
  cti_decompile_reals(j->range, m->jnt_range + 2 * i, 2);
  cti_decompile_reals(j->actfrcrange, m->jnt_actfrcrange + 2 * i, 2);
  cti_decompile_reals(j->solref_limit, m->jnt_solref + CT_NREF * i, CT_NREF);
  cti_decompile_reals(j->solimp_limit, m->jnt_solimp + CT_NIMP * i, CT_NIMP);
  // one word for all of its dofs
  cti_decompile_reals(j->solref_friction, m->dof_solref + CT_NREF * dof, CT_NREF);
  cti_decompile_reals(j->solimp_friction, m->dof_solimp + CT_NIMP * dof, CT_NIMP);
  j->frictionloss = (double)m->dof_frictionloss[dof];
  j->armature = (double)m->dof_armature[dof];
  j->damping[0] = (double)m->dof_damping[dof];
  cti_decompile_reals(j->damping + 1, m->dof_dampingpoly + CT_NPOLY * dof, CT_NPOLY);
  if (cti_joint_is_scalar(type)) {
    j->ref = (double)m->qpos0[m->jnt_qposadr[i]];
    j->springref = (double)m->qpos_spring[m->jnt_qposadr[i]];
  }
  return cti_decompile_user(l, &j->user, m->jnt_user, i, m->nuser_jnt);
}

// ---- geoms and sites

// The pose before the mesh's own frame is added to it.
static void leave_mesh_frame(ctiGeom* g, const ctiMeshFrame* frame) {
  ctReal pos[3], quat[4], shift[3], back[4];
  for (int k = 0; k < 4; k++) {
    quat[k] = (ctReal)g->orient.quat[k];
    back[k] = (ctReal)(k == 0 ? frame->quat[k] : -frame->quat[k]);
  }
  for (int k = 0; k < 3; k++) {
    pos[k] = (ctReal)g->pos[k];
    shift[k] = (ctReal)frame->pos[k];
  }
  cti_quat_mul(quat, quat, back);
  cti_normalize4(quat);
  cti_quat_rotate(shift, quat, shift);
  cti_sub3(pos, pos, shift);
  cti_decompile_reals(g->pos, pos, 3);
  set_quat(&g->orient, quat);
}

// The velocity of a surface goes back to the frame of the mesh's file.
static void place_surfacevel(double out[6], const ctModel* m, int geom, int mesh) {
  ctReal velocity[6], turned[3];
  for (int k = 0; k < 6; k++) velocity[k] = m->geom_surfacevel[6 * geom + k];
  if (mesh >= 0) {
    const ctReal* quat = m->mesh_quat + 4 * mesh;
    cti_quat_rotate(velocity, quat, m->geom_surfacevel + 6 * geom);
    cti_quat_rotate(velocity + 3, quat, m->geom_surfacevel + 6 * geom + 3);
    cti_cross3(turned, velocity + 3, m->mesh_pos + 3 * mesh);
    cti_add_scaled3(velocity, turned, -1);
  }
  cti_decompile_reals(out, velocity, 6);
}

static ctStatus decompile_geom(ctiDecompiler* l, int i) {
  const ctModel* m = l->m;
  const ctReal* fluid = m->geom_fluid + CT_NFLUID * i;
  int type = m->geom_type[i], data = m->geom_dataid[i];
  bool mesh = type == CT_GEOM_MESH || type == CT_GEOM_SDF;
  ctiGeom* g = cti_spec_add_geom(l->s, l->body[m->geom_bodyid[i]], &l->s->plain);
  if (!g) return cti_error_memory(l->err);
  cti_decompile_place(l, &g->head, CT_OBJ_GEOM, i, "geom", &cti_attrs_geom);
  g->type = type;
  g->contype = m->geom_contype[i];
  g->conaffinity = m->geom_conaffinity[i];
  g->condim = m->geom_condim[i];
  g->group = m->geom_group[i];
  g->priority = m->geom_priority[i];
  g->castshadow = m->geom_castshadow[i];
  g->solmix = (double)m->geom_solmix[i];
  g->margin = (double)m->geom_margin[i];
  g->gap = (double)m->geom_gap[i];
  g->adhesion = (double)m->geom_adhesion[i];
  cti_decompile_reals(g->solref, m->geom_solref + CT_NREF * i, CT_NREF);
  cti_decompile_reals(g->solimp, m->geom_solimp + CT_NIMP * i, CT_NIMP);
  cti_decompile_reals(g->friction, m->geom_friction + 3 * i, 3);
  place_surfacevel(g->surfacevel, m, i, mesh ? m->geom_dataid[i] : -1);
  cti_decompile_reals(g->pos, m->geom_pos + 3 * i, 3);
  set_quat(&g->orient, m->geom_quat + 4 * i);
  memcpy(g->rgba, m->geom_rgba + 4 * i, sizeof(g->rgba));
  g->fluidshape = fluid[CTI_FLUID_SCALE] > 0;
  if (g->fluidshape) cti_decompile_reals(g->fluidcoef, fluid + CTI_FLUID_BLUNT, 5);
  // sizes of what has data follow from them
  if (!mesh && type != CT_GEOM_HFIELD) cti_decompile_reals(g->size, m->geom_size + 3 * i, 3);
  if (mesh) CT_TRY(cti_decompile_refer(l, &g->mesh, CT_OBJ_MESH, data));
  if (mesh && !g->mesh) return cti_decompile_cannot(l, CT_OBJ_GEOM, i, "it has no mesh");
  if (mesh) leave_mesh_frame(g, &l->mesh[data]);
  if (type == CT_GEOM_HFIELD) CT_TRY(cti_decompile_refer(l, &g->hfield, CT_OBJ_HFIELD, data));
  CT_TRY(cti_decompile_refer(l, &g->material, CT_OBJ_MATERIAL, m->geom_matid[i]));
  CT_TRY(cti_decompile_use(l, &g->use, m->geom_plugin[i]));
  return cti_decompile_user(l, &g->user, m->geom_user, i, m->nuser_geom);
}

static ctStatus decompile_site(ctiDecompiler* l, int i) {
  const ctModel* m = l->m;
  ctiSite* s = cti_spec_add_site(l->s, l->body[m->site_bodyid[i]], &l->s->plain);
  if (!s) return cti_error_memory(l->err);
  cti_decompile_place(l, &s->head, CT_OBJ_SITE, i, "site", &cti_attrs_site);
  s->type = m->site_type[i];
  s->group = m->site_group[i];
  cti_decompile_reals(s->pos, m->site_pos + 3 * i, 3);
  set_quat(&s->orient, m->site_quat + 4 * i);
  memcpy(s->rgba, m->site_rgba + 4 * i, sizeof(s->rgba));
  if (s->type != CT_GEOM_MESH) cti_decompile_reals(s->size, m->site_size + 3 * i, 3);
  CT_TRY(cti_decompile_refer(l, &s->mesh, CT_OBJ_MESH, m->site_dataid[i]));
  CT_TRY(cti_decompile_refer(l, &s->material, CT_OBJ_MATERIAL, m->site_matid[i]));
  return cti_decompile_user(l, &s->user, m->site_user, i, m->nuser_site);
}

// ---- cameras and lights

static ctStatus decompile_camera(ctiDecompiler* l, int i) {
  const ctModel* m = l->m;
  const float* lens = m->cam_intrinsic + 4 * i;
  ctiCamera* c = cti_spec_add_camera(l->s, l->body[m->cam_bodyid[i]], &l->s->plain);
  if (!c) return cti_error_memory(l->err);
  cti_decompile_place(l, &c->head, CT_OBJ_CAMERA, i, "camera", &cti_attrs_camera);
  c->mode = m->cam_mode[i];
  c->projection = m->cam_projection[i];
  c->output = m->cam_output[i];
  c->fovy = (double)m->cam_fovy[i];
  c->ipd = (double)m->cam_ipd[i];
  cti_decompile_reals(c->pos, m->cam_pos + 3 * i, 3);
  set_quat(&c->orient, m->cam_quat + 4 * i);
  bool optics = m->cam_sensorsize[2 * i] > 0 && m->cam_sensorsize[2 * i + 1] > 0;
  for (int k = 0; k < 2; k++) {
    c->resolution[k] = m->cam_resolution[2 * i + k];
    c->sensorsize[k] = m->cam_sensorsize[2 * i + k];
    if (optics) c->focal[k] = lens[k];
    if (optics) c->principal[k] = lens[2 + k];
  }
  CT_TRY(cti_decompile_refer(l, &c->target, CT_OBJ_BODY, m->cam_targetbodyid[i]));
  return cti_decompile_user(l, &c->user, m->cam_user, i, m->nuser_cam);
}

static ctStatus decompile_light(ctiDecompiler* l, int i) {
  const ctModel* m = l->m;
  ctiLight* s = cti_spec_add_light(l->s, l->body[m->light_bodyid[i]], &l->s->plain);
  if (!s) return cti_error_memory(l->err);
  cti_decompile_place(l, &s->head, CT_OBJ_LIGHT, i, "light", &cti_attrs_light);
  s->mode = m->light_mode[i];
  s->type = m->light_type[i];
  s->castshadow = m->light_castshadow[i];
  s->active = m->light_active[i];
  s->bulbradius = m->light_bulbradius[i];
  s->intensity = m->light_intensity[i];
  s->range = m->light_range[i];
  s->cutoff = m->light_cutoff[i];
  s->softness = m->light_softness[i];
  s->exponent = m->light_exponent[i];
  cti_decompile_reals(s->pos, m->light_pos + 3 * i, 3);
  cti_decompile_reals(s->dir, m->light_dir + 3 * i, 3);
  memcpy(s->attenuation, m->light_attenuation + 3 * i, sizeof(s->attenuation));
  memcpy(s->ambient, m->light_ambient + 3 * i, sizeof(s->ambient));
  memcpy(s->diffuse, m->light_diffuse + 3 * i, sizeof(s->diffuse));
  memcpy(s->specular, m->light_specular + 3 * i, sizeof(s->specular));
  CT_TRY(cti_decompile_refer(l, &s->target, CT_OBJ_BODY, m->light_targetbodyid[i]));
  return cti_decompile_refer(l, &s->texture, CT_OBJ_TEXTURE, m->light_texid[i]);
}

// ---- the tree

// The objects of a kind come body by body when they are read.
static ctStatus decompile_all(ctiDecompiler* l, ctStatus (*decompile)(ctiDecompiler* l, int i),
                              const int* body, int n, const char* what) {
  for (int i = 0; i < n; i++) {
    if (i > 0 && body[i] < body[i - 1])
      return cti_error(l->err, CT_ERR_UNSUPPORTED, "the %s of the model are not in the order of their bodies",
                       what);
    CT_TRY(decompile(l, i));
  }
  return CT_OK;
}

ctStatus cti_decompile_tree(ctiDecompiler* l) {
  const ctModel* m = l->m;
  l->body = CTI_NEW_ARRAY(l->s->region, ctiBody*, m->nbody);
  if (!l->body) return cti_error_memory(l->err);
  l->body[0] = l->s->world;
  for (int i = 1; i < m->nbody; i++) CT_TRY(decompile_body(l, i));
  CT_TRY(decompile_all(l, decompile_joint, m->jnt_bodyid, m->njnt, "joints"));
  CT_TRY(decompile_all(l, decompile_geom, m->geom_bodyid, m->ngeom, "geoms"));
  CT_TRY(decompile_all(l, decompile_site, m->site_bodyid, m->nsite, "sites"));
  CT_TRY(decompile_all(l, decompile_camera, m->cam_bodyid, m->ncam, "cameras"));
  return decompile_all(l, decompile_light, m->light_bodyid, m->nlight, "lights");
}
