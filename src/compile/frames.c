// Orientations in every notation, from-to segments, sizes of shapes.
#include <math.h>

#include "compile/build.h"
#include "spec/orient.h"

void cti_to_real(ctReal* out, const double* in, int n) {
  for (int i = 0; i < n; i++) out[i] = (ctReal)in[i];
}

ctStatus cti_resolve_orient(ctReal quat[4], const ctiBuild* b, const ctiOrient* o, const ctiElement* e) {
  const char* trouble = cti_orient_to_quat(quat, o, cti_compiler_of(b->spec, e));
  return trouble ? cti_spec_error(b->err, CT_ERR_INVALID, e, "%s", trouble) : CT_OK;
}

ctStatus cti_leave_frames(ctReal pos[3], ctReal quat[4], const ctiBuild* b, const ctiFrame* frame) {
  for (; frame; frame = frame->head.frame) {
    ctReal at[3], turn[4];
    cti_to_real(at, frame->pos, 3);
    CT_TRY(cti_resolve_orient(turn, b, &frame->orient, &frame->head));
    cti_quat_rotate_settled(pos, turn, pos);
    cti_add_to3(pos, at);
    cti_quat_mul_settled(quat, turn, quat);
  }
  return CT_OK;
}

// How many numbers of a size each shape needs, and which of them is half its length along a segment (-1:
// none).
static const struct {
  int plain, length;
} shape_sizes[CT_GEOM_COUNT] = {
    [CT_GEOM_PLANE] = {3, -1},  [CT_GEOM_HFIELD] = {0, -1},   [CT_GEOM_SPHERE] = {1, -1},
    [CT_GEOM_CAPSULE] = {2, 1}, [CT_GEOM_ELLIPSOID] = {3, 2}, [CT_GEOM_CYLINDER] = {2, 1},
    [CT_GEOM_BOX] = {3, 2},     [CT_GEOM_MESH] = {0, -1},     [CT_GEOM_SDF] = {0, -1},
};

ctStatus cti_check_segment(ctError* err, int type, const double pos[3], const ctiElement* e) {
  if (shape_sizes[type].length < 0)
    return cti_spec_error(err, CT_ERR_INVALID, e, "fromto needs a capsule, cylinder, ellipsoid or box");
  if (pos[0] != 0 || pos[1] != 0 || pos[2] != 0)
    return cti_spec_error(err, CT_ERR_INVALID, e, "fromto and pos exclude each other: keep one");
  return CT_OK;
}

// Frame and length of a shape given by the two ends of its axis.
static ctStatus place_segment(ctReal pos[3], ctReal quat[4], ctReal size[3], const ctiBuild* b, int type,
                              const double ends[6], const ctiElement* e) {
  const double given[3] = {(double)pos[0], (double)pos[1], (double)pos[2]};
  CT_TRY(cti_check_segment(b->err, type, given, e));
  ctReal from[3], to[3], axis[3];
  cti_to_real(from, ends, 3);
  cti_to_real(to, ends + 3, 3);
  cti_sub3(axis, from, to);
  ctReal half = cti_norm3(axis) / 2;
  if (half < CTI_MINVAL)
    return cti_spec_error(b->err, CT_ERR_INVALID, e, "the two points of fromto coincide");
  for (int i = 0; i < 3; i++) pos[i] = (from[i] + to[i]) / 2;
  cti_orient_along(quat, axis);
  // boxes and ellipsoids are square across the segment
  if (shape_sizes[type].length == 2) {
    size[1] = size[0];
    size[2] = half;
  } else {
    size[1] = half;
  }
  return CT_OK;
}

static ctStatus check_size(const ctiBuild* b, int type, const ctReal size[3], const ctiElement* e) {
  if (type == CT_GEOM_PLANE) {
    if (size[0] < 0 || size[1] < 0 || !(size[2] > 0)) {
      return cti_spec_error(
          b->err, CT_ERR_INVALID, e,
          "the size of a plane is two half sizes (0 for infinite) and a positive grid spacing");
    }
    return CT_OK;
  }
  for (int i = 0; i < shape_sizes[type].plain; i++) {
    if (!(size[i] > 0)) {
      return cti_spec_error(b->err, CT_ERR_INVALID, e, "size needs %d positive number%s, number %d is %g",
                            shape_sizes[type].plain, shape_sizes[type].plain > 1 ? "s" : "", i + 1,
                            (double)size[i]);
    }
  }
  return CT_OK;
}

ctStatus cti_check_condim(const ctiBuild* b, int condim, const ctiElement* e) {
  if (condim == 1 || condim == 3 || condim == 4 || condim == 6) return CT_OK;
  return cti_spec_error(b->err, CT_ERR_INVALID, e, "condim is 1, 3, 4 or 6, not %d", condim);
}

static ctStatus place_geom(ctiBuild* b, ctiBuildGeom* g) {
  const ctiGeom* s = g->spec;
  CT_TRY(cti_check_condim(b, s->condim, &s->head));
  cti_to_real(g->pos, s->pos, 3);
  cti_to_real(g->size, s->size, 3);
  if (isnan(s->fromto[0])) {
    CT_TRY(cti_resolve_orient(g->quat, b, &s->orient, &s->head));
  } else {
    CT_TRY(place_segment(g->pos, g->quat, g->size, b, s->type, s->fromto, &s->head));
  }
  CT_TRY(cti_leave_frames(g->pos, g->quat, b, s->head.frame));
  // the size of a mesh, or of what is fitted to one, follows from it
  if (!s->mesh && !s->hfield) CT_TRY(check_size(b, s->type, g->size, &s->head));
  if (s->type == CT_GEOM_PLANE && b->body[g->body].moves) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          "a plane can only be part of a body that does not move");
  }
  return CT_OK;
}

static ctStatus place_site(ctiBuild* b, ctiBuildSite* t) {
  const ctiSite* s = t->spec;
  cti_to_real(t->pos, s->pos, 3);
  cti_to_real(t->size, s->size, 3);
  if (isnan(s->fromto[0])) {
    CT_TRY(cti_resolve_orient(t->quat, b, &s->orient, &s->head));
  } else {
    CT_TRY(place_segment(t->pos, t->quat, t->size, b, s->type, s->fromto, &s->head));
  }
  CT_TRY(cti_leave_frames(t->pos, t->quat, b, s->head.frame));
  if (s->type == CT_GEOM_PLANE || s->type == CT_GEOM_HFIELD || s->type == CT_GEOM_SDF) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          "a site is a sphere, capsule, ellipsoid, cylinder, box or mesh");
  }
  return check_size(b, s->type, t->size, &s->head);
}

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
  } else if (cti_normalize3(j->axis) < CTI_MINVAL) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "axis has zero length");
  }
  const double* spring = s->springdamper;
  if ((spring[0] != 0 || spring[1] != 0) && !(spring[0] > 0 && spring[1] > 0)) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          "springdamper is a time constant and a damping ratio, both positive");
  }
  return CT_OK;
}

static ctStatus place_camera(ctiBuild* b, ctiBuildCamera* c) {
  const ctiCamera* s = c->spec;
  const float* lens[] = {s->focal, s->focalpixel, s->principal, s->principalpixel};
  bool optics = false;
  for (int i = 0; i < 8; i++) optics = optics || lens[i / 2][i % 2] != 0;
  if (optics && !(s->sensorsize[0] > 0 && s->sensorsize[1] > 0))
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "focal and principal need a positive sensorsize");
  if (!(s->fovy < 180))
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "fovy must be below 180, it is %g", s->fovy);
  cti_to_real(c->pos, s->pos, 3);
  CT_TRY(cti_resolve_orient(c->quat, b, &s->orient, &s->head));
  return cti_leave_frames(c->pos, c->quat, b, s->head.frame);
}

static ctStatus place_light(ctiBuild* b, ctiBuildLight* l) {
  const ctiLight* s = l->spec;
  ctReal turn[4] = {1, 0, 0, 0};
  cti_to_real(l->pos, s->pos, 3);
  cti_to_real(l->dir, s->dir, 3);
  CT_TRY(cti_leave_frames(l->pos, turn, b, s->head.frame));
  if (s->head.frame) cti_quat_rotate(l->dir, turn, l->dir);
  if (cti_normalize3(l->dir) < CTI_MINVAL)
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "dir has zero length");
  return CT_OK;
}

ctStatus cti_pass_frames(ctiBuild* b) {
  for (int i = 0; i < b->sizes.nbody; i++) {
    ctiBuildBody* body = &b->body[i];
    cti_to_real(body->pos, body->spec->pos, 3);
    CT_TRY(cti_resolve_orient(body->quat, b, &body->spec->orient, &body->spec->head));
    CT_TRY(cti_leave_frames(body->pos, body->quat, b, body->spec->head.frame));
  }
  for (int i = 0; i < b->sizes.njnt; i++) CT_TRY(place_joint(b, &b->joint[i]));
  for (int i = 0; i < b->sizes.ngeom; i++) CT_TRY(place_geom(b, &b->geom[i]));
  for (int i = 0; i < b->sizes.nsite; i++) CT_TRY(place_site(b, &b->site[i]));
  for (int i = 0; i < b->sizes.ncam; i++) CT_TRY(place_camera(b, &b->camera[i]));
  for (int i = 0; i < b->sizes.nlight; i++) CT_TRY(place_light(b, &b->light[i]));
  return CT_OK;
}
