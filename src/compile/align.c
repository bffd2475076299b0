// Free bodies without children may take their inertial frame as body frame: their block of M is then
// diagonal. What stands in the body keeps its place in space.
#include "compile/build.h"

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
