// Bodies, joints and dofs: where they are, limits, kinematic trees, and their arrays in the model.
#include <string.h>

#include "compile/build.h"
#include "spec/orient.h"
#include "stage/sleep/policy.h"
#include "step/derived.h"

// ---- places

static ctStatus place_joint(ctiBuild* b, ctiBuildJoint* j) {
  const ctiJoint* s = j->spec;
  cti_to_real(j->pos, s->pos, 3);
  cti_to_real(j->axis, s->axis, 3);
  ctReal turn[4] = {1, 0, 0, 0};
  CT_TRY(cti_leave_frames(j->pos, turn, b, s->head.frame));
  if (s->head.frame) cti_quat_rotate(j->axis, turn, j->axis);
  if (s->type == CT_JOINT_FREE) cti_zero3(j->pos);
  if (s->type == CT_JOINT_FREE || s->type == CT_JOINT_BALL) {
    j->axis[0] = j->axis[1] = 0;
    j->axis[2] = 1;
  } else if (!cti_has_length(cti_normalize3(j->axis))) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          "axis has zero length, or more than a number can hold");
  }
  const double* spring = s->springdamper;
  if ((spring[0] != 0 || spring[1] != 0) && !(spring[0] > 0 && spring[1] > 0)) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          "springdamper is a time constant and a damping ratio, both positive");
  }
  return CT_OK;
}

ctStatus cti_pass_bodies(ctiBuild* b) {
  for (int i = 0; i < b->sizes.nbody; i++) {
    ctiBuildBody* body = &b->body[i];
    cti_to_real(body->pos, body->spec->pos, 3);
    CT_TRY(cti_resolve_orient(body->quat, b, &body->spec->orient, &body->spec->head));
    CT_TRY(cti_leave_frames(body->pos, body->quat, b, body->spec->head.frame));
  }
  for (int i = 0; i < b->sizes.njnt; i++) CT_TRY(place_joint(b, &b->joint[i]));
  return CT_OK;
}

// ---- free bodies that take their inertial frame as body frame

// Free bodies without children may do so: their block of M is then diagonal. What stands in the body keeps
// its place in space.

static bool is_wanted(const ctiBuild* b, int id, const bool* has_child) {
  const ctiBuildBody* body = &b->body[id];
  if (body->jntnum != 1 || has_child[id]) return false;
  const ctiJoint* joint = b->joint[body->jntadr].spec;
  bool asked =
      joint->align == CTI_AUTO ? cti_compiler_of(b->spec, &joint->head)->alignfree : joint->align == CTI_TRUE;
  return joint->type == CT_JOINT_FREE && asked;
}

// A pose in the body, seen from the inertial frame.
static void move(ctReal pos[3], ctReal quat[4], const ctiBuildBody* body) {
  ctReal back[4];
  cti_quat_conj(back, body->iquat);
  cti_sub3(pos, pos, body->ipos);
  cti_quat_rotate(pos, back, pos);
  if (quat) cti_quat_mul(quat, back, quat);
}

static void align(ctiBuild* b, int id) {
  ctiBuildBody* body = &b->body[id];
#define MOVE_ALL(list, size)                                                \
  for (int i = 0; i < b->sizes.size; i++) {                                 \
    if (b->list[i].body == id) move(b->list[i].pos, b->list[i].quat, body); \
  }
  MOVE_ALL(geom, ngeom)
  MOVE_ALL(site, nsite)
  MOVE_ALL(camera, ncam)
#undef MOVE_ALL
  for (int i = 0; i < b->sizes.nlight; i++) {
    if (b->light[i].body != id) continue;
    ctReal back[4];
    cti_quat_conj(back, body->iquat);
    move(b->light[i].pos, NULL, body);
    cti_quat_rotate(b->light[i].dir, back, b->light[i].dir);
  }
  ctReal shift[3];
  cti_quat_rotate(shift, body->quat, body->ipos);
  cti_add_to3(body->pos, shift);
  cti_quat_mul(body->quat, body->quat, body->iquat);
  cti_zero3(body->ipos);
  cti_quat_unit(body->iquat);
}

ctStatus cti_pass_align(ctiBuild* b) {
  bool* has_child = CTI_NEW_ARRAY(b->region, bool, b->sizes.nbody);
  if (!has_child) return cti_error_memory(b->err);
  for (int i = 1; i < b->sizes.nbody; i++) has_child[b->body[i].parent] = true;
  for (int i = 1; i < b->sizes.nbody; i++) {
    if (is_wanted(b, i, has_child)) align(b, i);
  }
  return CT_OK;
}

// ---- kinematic trees

// Which bodies move together, which dofs lie on the path to the world, which bodies are simple.

static bool axis_aligned(const ctReal axis[3]) {
  int zeros = 0;
  for (int i = 0; i < 3; i++) zeros += cti_abs(axis[i]) < CTI_MINVAL;
  return zeros == 2;
}

// A body whose block of M is diagonal and constant: alone on a fixed base, inertial frame in the body frame,
// joints at its origin along its axes, any rotation last.
static int simplicity(const ctiBuild* b, int id) {
  const ctiBuildBody* body = &b->body[id];
  if (id == 0) return 1;
  if (body->sameframe != CT_SAMEFRAME_BODY || body->spec->bodies.count > 0) return 0;
  if (body->spec->simple == CTI_FALSE) return 0;
  const ctiBuildBody* parent = &b->body[body->parent];
  bool fixed_base = body->parent == 0 || (parent->parent == 0 && parent->jntnum == 0);
  if (!fixed_base) return 0;
  bool rotates = false;
  for (int i = body->jntadr; i < body->jntadr + body->jntnum; i++) {
    const ctiBuildJoint* j = &b->joint[i];
    bool slide = j->spec->type == CT_JOINT_SLIDE, hinge = j->spec->type == CT_JOINT_HINGE;
    if (rotates) return 0;
    if (cti_norm3(j->pos) > CTI_MINVAL) return 0;
    if ((slide || hinge) && !axis_aligned(j->axis)) return 0;
    rotates = rotates || !slide;
  }
  return body->jntnum > 0 && !rotates ? 2 : 1;
}

static void place_dofs(ctiBuild* b, int id) {
  ctiBuildBody* body = &b->body[id];
  // the last dof of the nearest ancestor that has any
  int last = -1;
  for (int p = body->parent; p > 0 && last < 0; p = b->body[p].parent) {
    if (b->body[p].dofnum > 0) last = b->body[p].dofadr + b->body[p].dofnum - 1;
  }
  int joint = body->jntadr;
  for (int i = body->dofadr; i < body->dofadr + body->dofnum; i++) {
    while (joint + 1 < body->jntadr + body->jntnum && b->joint[joint + 1].dofadr <= i) joint++;
    b->dof[i] = (ctiBuildDof){.body = id,
                              .joint = joint,
                              .tree = body->tree,
                              .parent = last,
                              .ancestors = last < 0 ? 0 : b->dof[last].ancestors + 1,
                              .simple = body->simple != 0};
    last = i;
  }
}

ctStatus cti_pass_tree(ctiBuild* b) {
  b->dof = CTI_NEW_ARRAY(b->region, ctiBuildDof, b->sizes.nv);
  if (!b->dof) return cti_error_memory(b->err);
  for (int id = 0; id < b->sizes.nbody; id++) {
    ctiBuildBody* body = &b->body[id];
    const ctiBuildBody* parent = &b->body[body->parent];
    body->weld = body->jntnum > 0 || body->spec->mocap || id == 0 ? id : parent->weld;
    body->root = id == 0 || body->parent == 0 ? id : parent->root;
    body->tree = id == 0 ? -1 : parent->tree;
    if (body->jntnum > 0 && body->tree < 0) body->tree = b->sizes.ntree++;
    body->sameframe = cti_same_frame(body->ipos, body->iquat, NULL, NULL);
    body->simple = simplicity(b, id);
    place_dofs(b, id);
  }
  for (int id = b->sizes.nbody - 1; id >= 0; id--) {
    b->body[id].subtree++;
    if (id > 0) b->body[b->body[id].parent].subtree += b->body[id].subtree;
  }
  return CT_OK;
}

// ---- limits

static ctStatus check_range(const ctiBuild* b, const ctiBuildJoint* j) {
  const ctiJoint* s = j->spec;
  if (!j->limited) return CT_OK;
  if (s->type == CT_JOINT_BALL && s->range[0] != 0) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "the range of a ball joint starts at 0, not %g",
                          s->range[0]);
  }
  return CT_OK;
}

// A ball needs no range to be limited.
static ctStatus resolve_joint_limited(const ctiBuild* b, ctiBuildJoint* j) {
  const ctiJoint* s = j->spec;
  if (s->type == CT_JOINT_BALL && s->limited == CTI_TRUE) {
    j->limited = true;
    return CT_OK;
  }
  return cti_resolve_limited(&j->limited, b, s->limited, s->range, &s->head, "");
}

ctStatus cti_pass_joint_limits(ctiBuild* b) {
  for (int i = 0; i < b->sizes.njnt; i++) {
    ctiBuildJoint* j = &b->joint[i];
    // a free joint has nothing to limit, whatever its default class says
    if (j->spec->type != CT_JOINT_FREE) CT_TRY(resolve_joint_limited(b, j));
    CT_TRY(check_range(b, j));
    CT_TRY(cti_resolve_limited(&j->actfrclimited, b, j->spec->actfrclimited, j->spec->actfrcrange,
                               &j->spec->head, "actuatorfrc"));
    // the total force of a joint is a number only where the joint is
    if (j->spec->type == CT_JOINT_BALL || j->spec->type == CT_JOINT_FREE) j->actfrclimited = false;
  }
  return CT_OK;
}

// ---- arrays

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
  cti_copy3(m->body_pos + 3 * i, s->pos);
  cti_copy4(m->body_quat + 4 * i, s->quat);
  cti_copy3(m->body_ipos + 3 * i, s->ipos);
  cti_copy4(m->body_iquat + 4 * i, s->iquat);
  cti_copy3(m->body_inertia + 3 * i, s->inertia);
  m->body_mass[i] = s->mass;
  m->body_gravcomp[i] = (ctReal)s->spec->gravcomp;
  cti_fill_user(m->body_user, i, m->nuser_body, &s->spec->user);
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
  cti_fill_user(m->jnt_user, i, m->nuser_jnt, &s->user);
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

ctStatus cti_pass_fill_bodies(ctiBuild* b) {
  ctModel* m = b->m;
  for (int i = 0; i < m->nbody; i++) fill_body(b, m, i);
  for (int i = 0; i < m->njnt; i++) fill_joint(b, m, i);
  for (int i = 0; i < m->nv; i++) fill_dof(b, m, i);
  return CT_OK;
}

// ---- arrays of trees

// Only the first body of a tree speaks for the tree.
static ctStatus check_sleep_attribute(const ctiBuild* b, const ctModel* m, int i) {
  const ctiBody* body = b->body[i].spec;
  int tree = m->body_treeid[i];
  if (body->sleep == CT_SLEEP_AUTO || (tree >= 0 && m->tree_bodyadr[tree] == i)) return CT_OK;
  if (tree < 0)
    return cti_spec_error(
        b->err, CT_ERR_INVALID, &body->head,
        "sleep is for the root bodies of moving trees, and this body has no joints to move it: "
        "remove the attribute");
  const char* root = b->body[m->tree_bodyadr[tree]].spec->head.name;
  return cti_spec_error(b->err, CT_ERR_INVALID, &body->head,
                        "sleep is for the root bodies of moving trees: move the attribute to %s%s%s",
                        root ? "body \"" : "the first moving body above this one", root ? root : "",
                        root ? "\"" : "");
}

ctStatus cti_pass_fill_trees(ctiBuild* b) {
  ctModel* m = b->m;
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
  for (int i = 0; i < m->nbody; i++) CT_TRY(check_sleep_attribute(b, m, i));
  for (int t = 0; t < m->ntree; t++) m->tree_sleep_policy[t] = b->body[m->tree_bodyadr[t]].spec->sleep;
  return CT_OK;
}

// ---- who may sleep

ctStatus cti_pass_sleep(ctiBuild* b) {
  ctModel* m = b->m;
  ctiSleepConflict conflict;
  if (cti_sleep_policies(m, &conflict) != CT_OK) {
    const ctiElement* e = &b->body[m->tree_bodyadr[conflict.tree]].spec->head;
    const ctiElement* tendon = &b->tendon[conflict.tendon].spec->head;
    return cti_spec_error(
        b->err, CT_ERR_INVALID, e,
        "this tree cannot sleep: %s%s%s, line %d, ties it to %s. Remove sleep, or %s",
        tendon->name ? "tendon \"" : "a tendon", tendon->name ? tendon->name : "", tendon->name ? "\"" : "",
        tendon->where.line,
        conflict.many ? "more than one other tree" : "another tree with stiffness or damping",
        conflict.many ? "let the tendon pass fewer bodies" : "make the tendon a limit alone");
  }
  int equality = cti_tendon_equality(m);
  if ((m->opt.enableflags & CT_ENBL_SLEEP) && equality >= 0)
    return cti_spec_error(
        b->err, CT_ERR_INVALID, &b->spec->equalities.data[equality]->head,
        "an equality between tendons does not go with the sleep flag: set active=\"false\", or "
        "sleep=\"disable\" in <option><flag>");
  return CT_OK;
}
