// Sensors that see: pixels of a point, and rays.
#include "collide/shape.h"
#include "math/quat.h"
#include "query/ray.h"
#include "sense/readers.h"

// Focal length of a camera in pixels.
static CT_FN void camera_focal(const ctModel* m, int cam, ctReal focal[2]) {
  ctReal width = (ctReal)m->cam_resolution[2 * cam], height = (ctReal)m->cam_resolution[2 * cam + 1];
  const float *sensor = m->cam_sensorsize + 2 * cam, *lens = m->cam_intrinsic + 4 * cam;
  if (sensor[0] > 0 && sensor[1] > 0) {
    focal[0] = (ctReal)lens[0] / (ctReal)sensor[0] * width;
    focal[1] = (ctReal)lens[1] / (ctReal)sensor[1] * height;
  } else {
    focal[0] = focal[1] = height / (2 * cti_tan(m->cam_fovy[cam] * CT_R(CTI_PI / 360)));
  }
}

// Principal point of the lens in pixels, zero where none is given.
static CT_FN void camera_principal(const ctModel* m, int cam, ctReal point[2]) {
  const float *sensor = m->cam_sensorsize + 2 * cam, *lens = m->cam_intrinsic + 4 * cam;
  bool given = sensor[0] > 0 && sensor[1] > 0;
  for (int k = 0; k < 2; k++) {
    point[k] = given ? (ctReal)lens[2 + k] / (ctReal)sensor[k] * (ctReal)m->cam_resolution[2 * cam + k] : 0;
  }
}

CT_FN void cti_sense_camprojection(const ctModel* m, ctData* d, int i, ctReal* out) {
  int site = m->sensor_objid[i], cam = m->sensor_refid[i];
  ctReal rel[3], focal[2], principal[2];
  cti_sub3(rel, d->site_xpos + 3 * site, d->cam_xpos + 3 * cam);
  cti_mul_mat_t_vec3(rel, d->cam_xmat + 9 * cam, rel);
  camera_focal(m, cam, focal);
  camera_principal(m, cam, principal);
  // the camera looks along its negative z axis; a point in its plane has no place in the picture
  ctReal depth = -rel[2];
  if (cti_abs(depth) < CTI_MINVAL) depth = depth < 0 ? -CTI_MINVAL : CTI_MINVAL;
  out[0] = (ctReal)m->cam_resolution[2 * cam] / 2 + principal[0] + focal[0] * rel[0] / depth;
  out[1] = (ctReal)m->cam_resolution[2 * cam + 1] / 2 + principal[1] - focal[1] * rel[1] / depth;
}

// ---- rays

// Fields of a rangefinder, bits of its first parameter.
enum { RAY_DIST = 1, RAY_DIR = 2, RAY_ORIGIN = 4, RAY_POINT = 8, RAY_NORMAL = 16, RAY_DEPTH = 32 };

typedef struct SensedRay {
  ctReal origin[3], dir[3];
  ctReal look[3];  // depth counts along it
} SensedRay;

// Through the middle of a pixel, of a lens or of parallel light.
static CT_FN void pixel_ray(SensedRay* ray, const ctModel* m, const ctData* d, int cam, int col, int row) {
  const ctReal* mat = d->cam_xmat + 9 * cam;
  ctReal width = (ctReal)m->cam_resolution[2 * cam], height = (ctReal)m->cam_resolution[2 * cam + 1];
  ctReal u = (ctReal)col + CT_R(0.5), v = (ctReal)row + CT_R(0.5), local[3] = {0, 0, -1};
  cti_copy3(ray->origin, d->cam_xpos + 3 * cam);
  for (int k = 0; k < 3; k++) ray->look[k] = -mat[3 * k + 2];
  if (m->cam_projection[cam] == CT_PROJ_ORTHOGRAPHIC) {
    ctReal extent = m->cam_fovy[cam],
           shift[3] = {extent * (u / width - CT_R(0.5)), extent * (CT_R(0.5) - v / height), 0};
    cti_mul_mat_vec3(shift, mat, shift);
    cti_add_to3(ray->origin, shift);
    cti_copy3(ray->dir, ray->look);
    return;
  }
  ctReal focal[2], center[2] = {width / 2, height / 2};
  camera_focal(m, cam, focal);
  if (m->cam_sensorsize[2 * cam] > 0 && m->cam_sensorsize[2 * cam + 1] > 0) camera_principal(m, cam, center);
  local[0] = (u - center[0]) / focal[0];
  local[1] = (center[1] - v) / focal[1];
  cti_mul_mat_vec3(ray->dir, mat, local);
  cti_normalize3(ray->dir);
}

// The fields of one ray, as many as are asked for; returns where the next ray's go.
static CT_FN ctReal* write_ray(ctReal* out, int fields, const SensedRay* ray, ctReal dist,
                               const ctReal normal[3]) {
  const ctReal none[3] = {0, 0, 0};
  bool hit = dist >= 0;
  ctReal point[3];
  cti_along3(point, ray->origin, ray->dir, dist);
  if (fields & RAY_DIST) *out++ = dist;
  const ctReal* vectors[4] = {hit ? ray->dir : none, ray->origin, hit ? point : none, hit ? normal : none};
  for (int k = 0; k < 4; k++) {
    if (!(fields & RAY_DIR << k)) continue;
    cti_copy3(out, vectors[k]);
    out += 3;
  }
  if (fields & RAY_DEPTH) *out++ = hit ? dist * cti_dot3(ray->dir, ray->look) : CT_R(-1);
  return out;
}

CT_FN void cti_sense_rangefinder(const ctModel* m, ctData* d, int i, ctReal* out) {
  int id = m->sensor_objid[i], fields = m->sensor_intprm[CT_NSENS * i];
  bool camera = m->sensor_objtype[i] == CT_OBJ_CAMERA;
  ctiRayFilter filter = {(const ctByte*)0, true, camera ? m->cam_bodyid[id] : m->site_bodyid[id]};
  int width = camera ? m->cam_resolution[2 * id] : 1, height = camera ? m->cam_resolution[2 * id + 1] : 1;
  for (int row = 0; row < height; row++) {
    for (int col = 0; col < width; col++) {
      SensedRay ray;
      ctReal normal[3];
      if (camera) {
        pixel_ray(&ray, m, d, id, col, row);
      } else {
        cti_copy3(ray.origin, d->site_xpos + 3 * id);
        for (int k = 0; k < 3; k++) ray.dir[k] = ray.look[k] = d->site_xmat[9 * id + 3 * k + 2];
      }
      ctReal dist = cti_ray(m, d, ray.origin, ray.dir, &filter, (int*)0, normal);
      out = write_ray(out, fields, &ray, dist, normal);
    }
  }
}
