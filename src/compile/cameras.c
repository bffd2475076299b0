// Cameras and lights: places, targets, and their arrays in the model.
#include "compile/build.h"
#include "spec/orient.h"
#include "spec/spec.h"

static ctStatus place_camera(ctiBuild* b, ctiBuildCamera* c) {
  const ctiCamera* s = c->spec;
  const float* lens[] = {s->focal, s->focalpixel, s->principal, s->principalpixel};
  bool optics = false;
  for (int i = 0; i < 8; i++) optics = optics || lens[i / 2][i % 2] != 0;
  if (optics && !(s->sensorsize[0] > 0 && s->sensorsize[1] > 0))
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head, "focal and principal need a positive sensorsize");
  if (s->sensorsize[0] > 0 && s->sensorsize[1] > 0 && !(s->resolution[0] > 0 && s->resolution[1] > 0))
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          "sensorsize needs a positive resolution, not %d %d", s->resolution[0],
                          s->resolution[1]);
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
  if (!cti_has_length(cti_normalize3(l->dir)))
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          "dir has zero length, or more than a number can hold");
  return CT_OK;
}

ctStatus cti_pass_cameras(ctiBuild* b) {
  for (int i = 0; i < b->sizes.ncam; i++) CT_TRY(place_camera(b, &b->camera[i]));
  for (int i = 0; i < b->sizes.nlight; i++) CT_TRY(place_light(b, &b->light[i]));
  return CT_OK;
}

// The body a camera or light looks at. Without one it looks where it is turned to.
static ctStatus find_target(int* out, const ctiBuild* b, int mode, const char* target, const ctiElement* e) {
  *out = -1;
  if (target) return cti_find_object(out, b, CT_OBJ_BODY, target, e);
  if (mode == CT_CAMLIGHT_TARGETBODY || mode == CT_CAMLIGHT_TARGETBODYCOM)
    cti_remark(b->spec, CT_LOG_WARNING, e, "this mode has no effect without a target body");
  return CT_OK;
}

ctStatus cti_pass_camera_targets(ctiBuild* b) {
  for (int i = 0; i < b->sizes.ncam; i++) {
    const ctiCamera* s = b->camera[i].spec;
    CT_TRY(find_target(&b->camera[i].target, b, s->mode, s->target, &s->head));
  }
  for (int i = 0; i < b->sizes.nlight; i++) {
    const ctiLight* s = b->light[i].spec;
    CT_TRY(find_target(&b->light[i].target, b, s->mode, s->target, &s->head));
    if (s->texture) CT_TRY(cti_find_object(&b->light[i].texture, b, CT_OBJ_TEXTURE, s->texture, &s->head));
  }
  return CT_OK;
}

// Focal length and principal point as lengths on the sensor.
static void fill_lens(ctModel* m, const ctiCamera* s, int i) {
  float* lens = m->cam_intrinsic + 4 * i;
  lens[0] = lens[1] = m->vis.map.znear;
  m->cam_fovy[i] = (ctReal)s->fovy;
  for (int k = 0; k < 2; k++) m->cam_sensorsize[2 * i + k] = s->sensorsize[k];
  if (s->sensorsize[0] <= 0 || s->sensorsize[1] <= 0) return;
  for (int k = 0; k < 2; k++) {
    const float density = (float)s->resolution[k] / s->sensorsize[k];
    lens[k] = s->focalpixel[k] != 0 ? s->focalpixel[k] / density : s->focal[k];
    lens[2 + k] = s->principalpixel[k] != 0 ? s->principalpixel[k] / density : s->principal[k];
  }
  float half = cti_atan2_f32(s->sensorsize[1] / 2, lens[1]);
  m->cam_fovy[i] = 2 * (ctReal)half * CT_R(180 / CTI_PI);
}

static void fill_camera(const ctiBuild* b, ctModel* m, int i) {
  const ctiBuildCamera* c = &b->camera[i];
  const ctiCamera* s = c->spec;
  m->cam_mode[i] = s->mode;
  m->cam_bodyid[i] = c->body;
  m->cam_targetbodyid[i] = c->target;
  cti_copy3(m->cam_pos + 3 * i, c->pos);
  cti_copy4(m->cam_quat + 4 * i, c->quat);
  m->cam_projection[i] = s->projection;
  m->cam_ipd[i] = (ctReal)s->ipd;
  m->cam_resolution[2 * i] = s->resolution[0];
  m->cam_resolution[2 * i + 1] = s->resolution[1];
  m->cam_output[i] = s->output;
  fill_lens(m, s, i);
  cti_fill_user(m->cam_user, i, m->nuser_cam, &s->user);
}

static void fill_light(const ctiBuild* b, ctModel* m, int i) {
  const ctiBuildLight* l = &b->light[i];
  const ctiLight* s = l->spec;
  m->light_mode[i] = s->mode;
  m->light_bodyid[i] = l->body;
  m->light_targetbodyid[i] = l->target;
  m->light_type[i] = s->type;
  m->light_texid[i] = l->texture;
  m->light_castshadow[i] = s->castshadow;
  m->light_active[i] = s->active;
  m->light_bulbradius[i] = s->bulbradius;
  m->light_intensity[i] = s->intensity;
  m->light_range[i] = s->range;
  m->light_cutoff[i] = s->cutoff;
  m->light_softness[i] = s->softness;
  m->light_exponent[i] = s->exponent;
  cti_copy3(m->light_pos + 3 * i, l->pos);
  cti_copy3(m->light_dir + 3 * i, l->dir);
  for (int k = 0; k < 3; k++) {
    m->light_attenuation[3 * i + k] = s->attenuation[k];
    m->light_ambient[3 * i + k] = s->ambient[k];
    m->light_diffuse[3 * i + k] = s->diffuse[k];
    m->light_specular[3 * i + k] = s->specular[k];
  }
}

ctStatus cti_pass_fill_cameras(ctiBuild* b) {
  ctModel* m = b->m;
  for (int i = 0; i < m->ncam; i++) fill_camera(b, m, i);
  for (int i = 0; i < m->nlight; i++) fill_light(b, m, i);
  return CT_OK;
}
