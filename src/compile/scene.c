// What is drawn: cameras, lights, materials.
#include <string.h>

#include "compile/build.h"

// Focal length and principal point as lengths on the sensor.
static void fill_lens(ctModel* m, const ctiCamera* s, int i) {
  float* lens = m->cam_intrinsic + 4 * i;
  lens[0] = lens[1] = m->vis.map.znear;
  m->cam_fovy[i] = (ctReal)s->fovy;
  if (s->sensorsize[0] <= 0 || s->sensorsize[1] <= 0) return;
  for (int k = 0; k < 2; k++) {
    float pixel = s->sensorsize[k] / (float)s->resolution[k];
    lens[k] = s->focalpixel[k] != 0 ? s->focalpixel[k] * pixel : s->focal[k];
    lens[2 + k] = s->principalpixel[k] != 0 ? s->principalpixel[k] * pixel : s->principal[k];
    m->cam_sensorsize[2 * i + k] = s->sensorsize[k];
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
  for (int k = 0; k < m->nuser_cam; k++)
    m->cam_user[i * m->nuser_cam + k] = k < s->user.count ? (ctReal)s->user.data[k] : 0;
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

static ctStatus fill_material(const ctiBuild* b, ctModel* m, int i) {
  const ctiMaterial* s = b->spec->materials.data[i];
  for (int role = 0; role < CT_TEXROLE_COUNT; role++) {
    int* id = &m->mat_texid[CT_TEXROLE_COUNT * i + role];
    *id = -1;
    if (s->texture[role]) CT_TRY(cti_find_object(id, b, CT_OBJ_TEXTURE, s->texture[role], &s->head));
  }
  m->mat_texuniform[i] = s->texuniform;
  memcpy(m->mat_texrepeat + 2 * i, s->texrepeat, sizeof(s->texrepeat));
  m->mat_emission[i] = s->emission;
  m->mat_specular[i] = s->specular;
  m->mat_shininess[i] = s->shininess;
  m->mat_reflectance[i] = s->reflectance;
  m->mat_metallic[i] = s->metallic;
  m->mat_roughness[i] = s->roughness;
  memcpy(m->mat_rgba + 4 * i, s->rgba, sizeof(s->rgba));
  return CT_OK;
}

ctStatus cti_pass_fill_scene(ctiBuild* b) {
  ctModel* m = b->m;
  for (int i = 0; i < m->ncam; i++) fill_camera(b, m, i);
  for (int i = 0; i < m->nlight; i++) fill_light(b, m, i);
  for (int i = 0; i < m->nmat; i++) CT_TRY(fill_material(b, m, i));
  return CT_OK;
}
