// Tendons: paths over points, spheres, cylinders and pulleys, by the engine's wrapping; springs.
#include "kit/kit.h"
#include "math/quat.h"
#include "stage/position/wrap.h"

static bool is_object(int kind) {
  return kind == CT_KIT_STATION_SPHERE || kind == CT_KIT_STATION_CYLINDER;
}

static bool is_point(const ctKitStation* path, int count, int i) {
  return i >= 0 && i < count && path[i].kind == CT_KIT_STATION_POINT;
}

ctStatus ct_kit_path_check(const ctKitStation* path, int count, int nbody) {
  if (!path || count < 0 || nbody < 0) return CT_ERR_ARGUMENT;
  int points = 0;  // in this branch
  for (int i = 0; i < count; i++) {
    const ctKitStation* s = &path[i];
    if (s->kind < 0 || s->kind >= CT_KIT_STATION_COUNT) return CT_ERR_INVALID;
    if (s->kind == CT_KIT_STATION_PULLEY) {
      // one may stand at the start
      if (!cti_kit_positive(s->divisor) || (i > 0 && points < 2)) return CT_ERR_INVALID;
      points = 0;
      continue;
    }
    if (s->body < 0 || s->body >= nbody || !cti_kit_all_finite(s->place.pos, 3)) return CT_ERR_INVALID;
    if (is_object(s->kind)) {
      bool ok = cti_kit_positive(s->radius) && is_point(path, count, i - 1) && is_point(path, count, i + 1) &&
                cti_kit_all_finite(s->place.quat, 4) && (!s->has_side || cti_kit_all_finite(s->side, 3));
      if (!ok) return CT_ERR_INVALID;
    } else {
      points++;
    }
  }
  return points >= 2 ? CT_OK : CT_ERR_INVALID;
}

// A path while it is followed.
typedef struct Path {
  const ctKitPose* body;
  ctReal *gradient, *point;
  ctReal length, divisor;
  int npoint;
} Path;

static void write_point(Path* path, const ctReal at[3]) {
  if (path->point) cti_copy3(path->point + 3 * path->npoint, at);
  path->npoint++;
}

// A unit force along `dir` at a point of a body, as a row by the body's twist.
static void add_force(Path* path, int body, const ctReal at[3], const ctReal dir[3], ctReal scale) {
  ctReal arm[3], torque[3];
  ctReal* row = path->gradient + 6 * body;
  cti_sub3(arm, at, path->body[body].pos);
  cti_cross3(torque, arm, dir);
  cti_add_scaled3(row, torque, scale);
  cti_add_scaled3(row + 3, dir, scale);
}

static void add_piece(Path* path, const ctReal from[3], int body0, const ctReal to[3], int body1) {
  ctReal dir[3];
  cti_sub3(dir, to, from);
  path->length += cti_normalize3(dir) / path->divisor;
  if (body0 == body1 || !path->gradient) return;
  add_force(path, body1, to, dir, 1 / path->divisor);
  add_force(path, body0, from, dir, -1 / path->divisor);
}

static void add_wrapped(Path* path, const ctKitStation* s, const ctReal from[3], const ctReal to[3]) {
  ctReal pos[3], quat[4], mat[9], side[3], touch[6], arc;
  const ctKitPose* frame = &path->body[s->body];
  ct_kit_pose_point(frame, s->place.pos, pos);
  cti_quat_mul(quat, frame->quat, s->place.quat);
  cti_normalize4(quat);
  cti_quat_to_mat(mat, quat);
  ctiWrapObject object;
  object.kind = s->kind == CT_KIT_STATION_SPHERE ? CT_WRAP_SPHERE : CT_WRAP_CYLINDER;
  object.radius = s->radius;
  object.pos = pos;
  object.mat = mat;
  object.side = (const ctReal*)0;
  if (s->has_side) {
    ct_kit_pose_point(frame, s->side, side);
    object.side = side;
  }
  int body0 = (s - 1)->body, body1 = (s + 1)->body;
  if (!cti_wrap(touch, &arc, &object, from, to)) {
    add_piece(path, from, body0, to, body1);
    return;
  }
  write_point(path, touch);
  write_point(path, touch + 3);
  add_piece(path, from, body0, touch, s->body);
  path->length += arc / path->divisor;
  add_piece(path, touch + 3, s->body, to, body1);
}

ctStatus ct_kit_path_length(const ctKitStation* path, int count, const ctKitPose* body, int nbody,
                            ctReal* length, ctReal* gradient, ctReal* point, int* npoint) {
  ctStatus status = ct_kit_path_check(path, count, nbody);
  if (status != CT_OK || !body || !length) return status != CT_OK ? status : CT_ERR_ARGUMENT;
  for (int i = 0; i < nbody; i++) {
    if (!cti_kit_all_finite(body[i].pos, 3) || !cti_kit_all_finite(body[i].quat, 4)) return CT_ERR_INVALID;
  }
  Path p = {body, gradient, point, 0, 1, 0};
  for (int k = 0; gradient && k < 6 * nbody; k++) gradient[k] = 0;
  for (int i = 0; i < count; i++) {
    if (path[i].kind == CT_KIT_STATION_PULLEY) p.divisor = path[i].divisor;
    if (path[i].kind != CT_KIT_STATION_POINT) continue;
    ctReal from[3], to[3];
    ct_kit_pose_point(&body[path[i].body], path[i].place.pos, from);
    write_point(&p, from);
    int next = i + 1 < count && is_object(path[i + 1].kind) ? i + 2 : i + 1;
    if (!is_point(path, count, next)) continue;  // the end of a branch
    ct_kit_pose_point(&body[path[next].body], path[next].place.pos, to);
    if (next == i + 1) add_piece(&p, from, path[i].body, to, path[next].body);
    if (next == i + 2) add_wrapped(&p, &path[i + 1], from, to);
  }
  *length = p.length;
  if (npoint) *npoint = p.npoint;
  return CT_OK;
}

ctReal ct_kit_path_velocity(const ctReal* gradient, const ctKitTwist* twist, int nbody) {
  ctReal sum = 0;
  for (int i = 0; i < nbody; i++) {
    sum += cti_dot3(gradient + 6 * i, twist[i].angular) + cti_dot3(gradient + 6 * i + 3, twist[i].linear);
  }
  return sum;
}

void ct_kit_path_jacobian(const ctReal* gradient, const ctReal* jacobian, int nbody, int nv, ctReal* out) {
  for (int k = 0; k < nv; k++) out[k] = 0;
  for (int i = 0; i < 6 * nbody; i++) {
    for (int k = 0; k < nv; k++) out[k] += gradient[i] * jacobian[(int64_t)i * nv + k];
  }
}

ctReal ct_kit_fixed_length(const ctReal* coef, const ctReal* q, int n) {
  ctReal length = 0;
  for (int i = 0; i < n; i++) length += coef[i] * q[i];
  return length;
}

int ct_kit_tendon_joints(const ctReal* jacobian, int nv) {
  int count = 0;
  for (int k = 0; k < nv; k++) count += jacobian[k] != 0;
  return count;
}

ctStatus ct_kit_tendon_force(const ctKitTendon* tendon, ctReal length, ctReal velocity, ctReal* out) {
  if (!tendon || !out) return CT_ERR_ARGUMENT;
  bool ok = cti_kit_all_finite(tendon->rest, 2) && tendon->rest[0] <= tendon->rest[1] &&
            cti_kit_not_negative(tendon->stiffness) && cti_kit_not_negative(tendon->damping) &&
            cti_kit_finite(length) && cti_kit_finite(velocity);
  if (!ok) return CT_ERR_INVALID;
  ctReal stretch = length - cti_clip(length, tendon->rest[0], tendon->rest[1]);
  ctReal force = -tendon->stiffness * stretch - tendon->damping * velocity;
  // a string neither pushes nor holds back when it is slack
  if (tendon->slack != 0) force = stretch > 0 ? cti_min(0, force) : CT_R(0);
  *out = force;
  return CT_OK;
}
