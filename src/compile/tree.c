// Kinematic trees: which bodies move together, which dofs lie on the way to the world, which bodies are
// simple.
#include "compile/build.h"

// Frames closer than this are the same.
#define SAME_FRAME CT_R(1e-6)

static bool same_pos(const ctReal a[3], const ctReal b[3]) {
  return cti_abs(a[0] - b[0]) < SAME_FRAME && cti_abs(a[1] - b[1]) < SAME_FRAME &&
         cti_abs(a[2] - b[2]) < SAME_FRAME;
}

// q and -q are the same rotation
static bool same_quat(const ctReal a[4], const ctReal b[4]) {
  ctReal sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? CT_R(-1) : CT_R(1);
  for (int i = 0; i < 4; i++) {
    if (cti_abs(a[i] - sign * b[i]) >= SAME_FRAME) return false;
  }
  return true;
}

int cti_same_frame(const ctReal pos[3], const ctReal quat[4], const ctReal ipos[3], const ctReal iquat[4]) {
  const ctReal zero[3] = {0, 0, 0}, unit[4] = {1, 0, 0, 0};
  if (same_quat(quat, unit)) return same_pos(pos, zero) ? CT_SAMEFRAME_BODY : CT_SAMEFRAME_BODYROT;
  if (ipos && same_quat(quat, iquat))
    return same_pos(pos, ipos) ? CT_SAMEFRAME_INERTIA : CT_SAMEFRAME_INERTIAROT;
  return CT_SAMEFRAME_NONE;
}

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
