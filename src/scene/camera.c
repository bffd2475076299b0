// Cameras, and what they see.
#include <stdlib.h>
#include <string.h>

#include "base/strings.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "scene/scene.h"

#define DEGREE CT_R(0.017453292519943295)

static void free_camera(const ctModel* m, ctCamera* camera) {
  memset(camera, 0, sizeof(*camera));
  camera->kind = CT_CAMERA_FREE;
  cti_copy3(camera->lookat, m->stat.center);
  camera->distance = CT_R(1.5) * m->stat.extent;
  camera->azimuth = (ctReal)m->vis.global.azimuth;
  camera->elevation = (ctReal)m->vis.global.elevation;
}

ctStatus ct_camera_default(const ctModel* m, ctCamera* camera) {
  if (!m || !camera) return CT_ERR_ARGUMENT;
  free_camera(m, camera);
  if (m->vis.global.cameraid >= 0 && m->vis.global.cameraid < m->ncam) {
    camera->kind = CT_CAMERA_FIXED;
    camera->id = m->vis.global.cameraid;
  }
  return CT_OK;
}

// The names of objects of a kind, as many as fit.
static void list_names(char* out, size_t size, const ctModel* m, ctObjType type, int count) {
  out[0] = 0;
  for (int i = 0; i < count; i++) {
    const char* name = ct_model_id2name(m, type, i);
    size_t n = strlen(out);
    if (!name || !*name) continue;
    if (n + strlen(name) + 8 > size) {
      memcpy(out + n, ", ...", 6);
      return;
    }
    if (n) memcpy(out + n, ", ", 3), n += 2;
    memcpy(out + n, name, strlen(name) + 1);
  }
}

ctStatus ct_camera_find(const ctModel* m, const char* name, ctCamera* camera, ctError* err) {
  if (!m || !name || !camera)
    return cti_error(err, CT_ERR_ARGUMENT, "model, name and camera must not be NULL");
  char names[256];
  free_camera(m, camera);
  int id = ct_model_name2id(m, CT_OBJ_CAMERA, name);  // a camera may be called "free"
  if (id < 0 && strcmp(name, "free") == 0) return CT_OK;
  if (id < 0 && cti_text_starts(name, "track:")) {
    camera->kind = CT_CAMERA_TRACKING;
    camera->id = ct_model_name2id(m, CT_OBJ_BODY, name + 6);
    if (camera->id >= 0) return CT_OK;
    list_names(names, sizeof(names), m, CT_OBJ_BODY, m->nbody);
    return cti_error(err, CT_ERR_ARGUMENT, "there is no body \"%s\" to track; bodies are %s", name + 6,
                     names);
  }
  if (id < 0 && *name >= '0' && *name <= '9') {
    char* end;
    long number = strtol(name, &end, 10);
    if (!*end && number < m->ncam) id = (int)number;
  }
  if (id >= 0) {
    camera->kind = CT_CAMERA_FIXED;
    camera->id = id;
    return CT_OK;
  }
  list_names(names, sizeof(names), m, CT_OBJ_CAMERA, m->ncam);
  return cti_error(err, CT_ERR_ARGUMENT, "there is no camera \"%s\"; there are free, track:BODY%s%s", name,
                   *names ? ", " : "", names);
}

// A camera held by azimuth and elevation.
static void held_view(const ctCamera* c, const ctReal lookat[3], ctView* v) {
  ctReal sa, ca, se, ce;
  cti_sincos(c->azimuth * DEGREE, &sa, &ca);
  cti_sincos(c->elevation * DEGREE, &se, &ce);
  const ctReal forward[3] = {ce * ca, ce * sa, se}, up[3] = {-se * ca, -se * sa, ce};
  for (int k = 0; k < 3; k++) {
    v->forward[k] = (float)forward[k];
    v->up[k] = (float)up[k];
    v->pos[k] = (float)(lookat[k] - c->distance * forward[k]);
  }
}

// The sides of the view at znear: from the field of view, or from the sensor behind the lens.
static void view_sides(const ctModel* m, int cam, ctReal fovy, ctView* v) {
  v->left = v->right = 0;
  if (v->orthographic) {
    v->top = (float)fovy / 2;
    v->bottom = -v->top;
    return;
  }
  const float* sensor = cam >= 0 ? m->cam_sensorsize + 2 * cam : NULL;
  if (sensor && sensor[0] > 0 && sensor[1] > 0) {
    const float* in = m->cam_intrinsic + 4 * cam;
    // a positive principal point moves the picture to the left and up
    v->right = v->znear / in[0] * (sensor[0] / 2 + in[2]);
    v->left = -v->znear / in[0] * (sensor[0] / 2 - in[2]);
    v->top = v->znear / in[1] * (sensor[1] / 2 - in[3]);
    v->bottom = -v->znear / in[1] * (sensor[1] / 2 + in[3]);
    return;
  }
  v->top = v->znear * (float)cti_tan(fovy * DEGREE / 2);
  v->bottom = -v->top;
}

ctStatus ct_camera_view(const ctModel* m, const ctData* d, const ctCamera* camera, ctView* view) {
  if (!m || !d || !camera || !view) return CT_ERR_ARGUMENT;
  memset(view, 0, sizeof(*view));
  view->znear = (float)m->stat.extent * m->vis.map.znear;
  view->zfar = (float)m->stat.extent * m->vis.map.zfar;
  view->orthographic = m->vis.global.orthographic != 0;
  ctReal fovy = (ctReal)m->vis.global.fovy;
  int cam = -1;
  switch (camera->kind) {
    case CT_CAMERA_FREE: held_view(camera, camera->lookat, view); break;
    case CT_CAMERA_TRACKING:
      if (camera->id < 0 || camera->id >= m->nbody) return CT_ERR_ARGUMENT;
      held_view(camera, d->subtree_com + 3 * camera->id, view);
      break;
    case CT_CAMERA_FIXED:
      cam = camera->id;
      if (cam < 0 || cam >= m->ncam) return CT_ERR_ARGUMENT;
      for (int k = 0; k < 3; k++) {
        view->pos[k] = (float)d->cam_xpos[3 * cam + k];
        view->up[k] = (float)d->cam_xmat[9 * cam + 3 * k + 1];
        view->forward[k] = -(float)d->cam_xmat[9 * cam + 3 * k + 2];
      }
      view->orthographic = m->cam_projection[cam] == CT_PROJ_ORTHOGRAPHIC;
      fovy = m->cam_fovy[cam];
      break;
    default: return CT_ERR_ARGUMENT;
  }
  view_sides(m, cam, fovy, view);
  return CT_OK;
}
