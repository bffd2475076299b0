// Sensors of contacts: forces on a patch of skin, and the contacts of chosen objects as records of fixed
// size.
#include "sense/contact.h"
#include "collide/shape.h"
#include "data/contact.h"
#include "math/quat.h"
#include "math/spatial.h"
#include "math/vec3.h"
#include "query/distance.h"
#include "query/forces.h"
#include "query/motion.h"
#include "query/ray.h"
#include "stage/constraint/flex_contact.h"

#include "base/kinds.h"

// ---- touch ----

// A contact counts when it lies in the zone, or leaves the skin through it: soft contacts sink below.
CT_FN void cti_sense_touch(const ctModel* m, ctData* d, int i, ctReal* out) {
  int site = m->sensor_objid[i], body = m->site_bodyid[site];
  out[0] = 0;
  for (int c = 0; c < d->ncon; c++) {
    const ctContact* con = d->contact + c;
    bool first = cti_contact_body(m, con, 0) == body, second = cti_contact_body(m, con, 1) == body;
    if (con->efc_address < 0 || (!first && !second)) continue;
    ctReal wrench[6], dir[3];
    cti_contact_wrench(m, d, c, wrench);
    if (wrench[0] <= 0) continue;
    cti_scale3(dir, con->frame, second ? CT_R(-1) : CT_R(1));
    if (cti_site_meets_ray(m, d, site, con->pos, dir)) out[0] += wrench[0];
  }
}

// ---- contact ----

// The values of one slot; fields that are not asked for stay zero.
typedef struct ContactRecord {
  ctReal force[3], torque[3], dist, pos[3], normal[3], tangent[3], linvel[3], angvel[3];
} ContactRecord;

// Does a side of a contact belong to an object (geom, body, or xbody for its subtree)?
static CT_FN bool side_belongs(const ctModel* m, const ctContact* con, int side, int type, int id) {
  if (type == CT_OBJ_GEOM) return con->geom[side] == id;
  int body = cti_contact_body(m, con, side);
  if (type == CT_OBJ_BODY) return body == id;
  while (body > id) body = m->body_parentid[body];
  return body == id;
}

// 1 when the contact goes from the sensor's first object to its second, -1 when it is reversed, 0 when
// it does not match. Without objects its own direction counts.
static CT_FN int contact_match(const ctModel* m, const ctData* d, int sensor, const ctContact* con) {
  int otype = m->sensor_objtype[sensor], obj = m->sensor_objid[sensor];
  int rtype = m->sensor_reftype[sensor], ref = m->sensor_refid[sensor];
  if (otype == CT_OBJ_SITE && obj >= 0) {
    if (!cti_inside_site(m, d, obj, con->pos)) return 0;
    obj = -1;
  }
  bool along =
      (obj < 0 || side_belongs(m, con, 0, otype, obj)) && (ref < 0 || side_belongs(m, con, 1, rtype, ref));
  bool against =
      (obj < 0 || side_belongs(m, con, 1, otype, obj)) && (ref < 0 || side_belongs(m, con, 0, rtype, ref));
  return along ? 1 : (against ? -1 : 0);
}

// Velocity of the second body against the first at the contact, along its frame.
static CT_FN void contact_velocity(const ctModel* m, const ctData* d, const ctContact* con,
                                   ContactRecord* r) {
  ctReal rel[6];
  cti_contact_velocity(rel, m, d, con);
  cti_mul_mat_vec3(r->linvel, con->frame, rel + 3);
  cti_mul_mat_vec3(r->angvel, con->frame, rel);
}

// Seen from the other side: the frame turns half round its third axis, and every vector is its opposite.
static CT_FN void turn_record(ContactRecord* r) {
  r->force[2] = -r->force[2];
  r->torque[2] = -r->torque[2];
  r->linvel[2] = -r->linvel[2];
  r->angvel[2] = -r->angvel[2];
  cti_scale3(r->normal, r->normal, -1);
  cti_scale3(r->tangent, r->tangent, -1);
}

static CT_FN void describe_contact(const ctModel* m, const ctData* d, int fields, int c, int direction,
                                   ContactRecord* r) {
  const ctContact* con = d->contact + c;
  ctReal wrench[6] = {0, 0, 0, 0, 0, 0};
  if (fields & (CTI_CONTACT_FORCE | CTI_CONTACT_TORQUE)) cti_contact_wrench(m, d, c, wrench);
  cti_copy3(r->force, wrench);
  cti_copy3(r->torque, wrench + 3);
  r->dist = con->dist;
  cti_copy3(r->pos, con->pos);
  cti_copy3(r->normal, con->frame);
  cti_copy3(r->tangent, con->frame + 3);
  cti_zero3(r->linvel);
  cti_zero3(r->angvel);
  if (fields & (CTI_CONTACT_LINVEL | CTI_CONTACT_ANGVEL)) contact_velocity(m, d, con, r);
  if (direction < 0) turn_record(r);
}

// All matching contacts as one, in world axes, at the centre of their forces.
static CT_FN void describe_net(const ctModel* m, const ctData* d, int sensor, ContactRecord* r) {
  ctReal weight = 0, wrench[6], torque[3], arm[3], moment[3];
  ContactRecord zero = {{0, 0, 0}, {0, 0, 0}, 0, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {0, 0, 0}};
  *r = zero;
  // twice over the contacts: the centre first, moments about it then
  for (int pass = 0; pass < 2; pass++) {
    for (int c = 0; c < d->ncon; c++) {
      const ctContact* con = d->contact + c;
      int direction = contact_match(m, d, sensor, con);
      if (direction == 0) continue;
      cti_contact_wrench(m, d, c, wrench);
      if (pass == 0) {
        ctReal norm = cti_norm3(wrench);
        weight += norm;
        cti_add_scaled3(r->pos, con->pos, norm);
        continue;
      }
      ctReal force[3], sign = (ctReal)direction;
      cti_mul_mat_t_vec3(force, con->frame, wrench);
      cti_mul_mat_t_vec3(torque, con->frame, wrench + 3);
      cti_sub3(arm, con->pos, r->pos);
      cti_cross3(moment, arm, force);
      cti_add_scaled3(r->force, force, sign);
      cti_add_scaled3(r->torque, torque, sign);
      cti_add_scaled3(r->torque, moment, sign);
    }
    if (pass == 0) cti_scale3(r->pos, r->pos, 1 / cti_max(weight, CTI_MINVAL));
  }
}

// The key contacts are chosen by, smallest first.
static CT_FN ctReal contact_key(const ctModel* m, const ctData* d, int reduce, int c) {
  ctReal wrench[6];
  if (reduce == CTI_REDUCE_MINDIST) return d->contact[c].dist;
  cti_contact_wrench(m, d, c, wrench);
  return -cti_dot3(wrench, wrench);
}

// The matching contact that follows `last` by key, then by index; -1 when there is none.
static CT_FN int next_contact(const ctModel* m, const ctData* d, int sensor, int reduce, int last) {
  if (reduce == CTI_REDUCE_NONE) {
    int c = last + 1;
    while (c < d->ncon && contact_match(m, d, sensor, d->contact + c) == 0) c++;
    return c < d->ncon ? c : -1;
  }
  int best = -1;
  ctReal best_key = 0, last_key = last >= 0 ? contact_key(m, d, reduce, last) : CT_R(0);
  for (int c = 0; c < d->ncon; c++) {
    if (contact_match(m, d, sensor, d->contact + c) == 0) continue;
    ctReal key = contact_key(m, d, reduce, c);
    bool later = last < 0 || key > last_key || (key == last_key && c > last);
    if (!later || (best >= 0 && key >= best_key)) continue;
    best = c;
    best_key = key;
  }
  return best;
}

static CT_FN ctReal* write_record(ctReal* out, int fields, int found, const ContactRecord* r) {
  if (fields & CTI_CONTACT_FOUND) *out++ = (ctReal)found;
  const ctReal* vectors[9] = {(const ctReal*)0, r->force,   r->torque, (const ctReal*)0, r->pos,
                              r->normal,        r->tangent, r->linvel, r->angvel};
  for (int k = 1; k < 9; k++) {
    if (!(fields & 1 << k)) continue;
    if (1 << k == CTI_CONTACT_DIST) {
      *out++ = r->dist;
    } else {
      cti_copy3(out, vectors[k]);
      out += 3;
    }
  }
  return out;
}

CT_FN void cti_sense_contact(const ctModel* m, ctData* d, int i, ctReal* out) {
  const int* prm = m->sensor_intprm + CT_NSENS * i;
  const int fields = prm[CTI_CONTACT_PRM_FIELDS], reduce = prm[CTI_CONTACT_PRM_REDUCE],
            slots = prm[CTI_CONTACT_PRM_NUM];
  int found = 0;
  for (int k = 0; k < m->sensor_dim[i]; k++) out[k] = 0;
  for (int c = 0; c < d->ncon; c++) found += contact_match(m, d, i, d->contact + c) != 0;
  ContactRecord record;
  if (reduce == CTI_REDUCE_NETFORCE) {
    if (found == 0) return;
    describe_net(m, d, i, &record);
    write_record(out, fields, found, &record);
    return;
  }
  int last = -1;
  for (int slot = 0; slot < slots && slot < found; slot++) {
    last = next_contact(m, d, i, reduce, last);
    if (last < 0) return;
    describe_contact(m, d, fields, last, contact_match(m, d, i, d->contact + last), &record);
    out = write_record(out, fields, found, &record);
  }
}

// ---- tactile sensors ----
// The vertices of a mesh are fingertips that feel how deep they sit in what touches their ---- body, and how
// fast it slides past them.

// Depth of a point in a box. Each face pulls by how near it is, as a part of the half size; the depth is the
// path out along the sum of the pulls.
static CT_FN ctReal depth_in_box(const ctReal p[3], const ctReal size[3]) {
  ctReal pull = 0, path = 0;
  for (int k = 0; k < 3; k++) {
    ctReal room = size[k] - cti_abs(p[k]), part = room / size[k];
    if (!(room > 0)) return 0;
    pull += 1 / (part * part);
    if (k == 0 || room * part < path) path = room * part;
  }
  return path * cti_sqrt(pull);
}

static CT_FN ctReal depth_in_ellipsoid(const ctReal p[3], const ctReal size[3]) {
  ctReal level = 0, slope = 0;
  for (int k = 0; k < 3; k++) {
    ctReal x = p[k] / size[k];
    level += x * x;
    slope += x * x / (size[k] * size[k]);
  }
  level = cti_sqrt(level);
  if (slope < CTI_MINVAL * CTI_MINVAL) return cti_min(size[0], cti_min(size[1], size[2]));
  return level * (1 - level) / cti_sqrt(slope);
}

// How deep a point in the frame of a geom is below its surface; 0 or less outside, and for shapes that have
// no depth.
static CT_FN ctReal depth_in(int type, const ctReal p[3], const ctReal size[3]) {
  ctReal around = cti_sqrt(p[0] * p[0] + p[1] * p[1]), beyond;
  switch (type) {
    case CT_GEOM_PLANE: return -p[2];
    case CT_GEOM_SPHERE: return size[0] - cti_norm3(p);
    case CT_GEOM_CAPSULE:
      beyond = p[2] - cti_clip(p[2], -size[1], size[1]);
      return size[0] - cti_sqrt(around * around + beyond * beyond);
    case CT_GEOM_ELLIPSOID: return depth_in_ellipsoid(p, size);
    case CT_GEOM_CYLINDER: return cti_min(size[0] - around, size[1] - cti_abs(p[2]));
    case CT_GEOM_BOX: return depth_in_box(p, size);
    default: return 0;
  }
}

// What all fingertips of a sensor share.
typedef struct TactileSkin {
  int mesh, geom, body, count;
  bool has_tangents;  // three normals a vertex: the normal and two tangents
} TactileSkin;

// Velocity of a point of one body as seen from another.
static CT_FN void velocity_between(const ctModel* m, const ctData* d, int body, int seen_from,
                                   const ctReal point[3], ctReal vel[3]) {
  ctReal a[6], b[6];
  cti_motion_shift(a, d->cvel + 6 * body, point, d->subtree_com + 3 * m->body_rootid[body]);
  cti_motion_shift(b, d->cvel + 6 * seen_from, point, d->subtree_com + 3 * m->body_rootid[seen_from]);
  cti_sub3(vel, a + 3, b + 3);
}

// One geom presses on the skin: the deepest geom counts at each vertex, sliding adds up.
static CT_FN void press(const ctModel* m, const ctData* d, const TactileSkin* skin, int geom, ctReal* out) {
  const ctReal *skinmat = d->geom_xmat + 9 * skin->geom, *mat = d->geom_xmat + 9 * geom;
  const float *vert = m->mesh_vert + 3 * m->mesh_vertadr[skin->mesh],
              *axes = m->mesh_normal + 3 * m->mesh_normaladr[skin->mesh];
  int n = skin->count;
  for (int v = 0; v < n; v++) {
    ctReal at[3] = {(ctReal)vert[3 * v], (ctReal)vert[3 * v + 1], (ctReal)vert[3 * v + 2]}, p[3], vel[3];
    cti_mul_mat_vec3(at, skinmat, at);
    cti_add_to3(at, d->geom_xpos + 3 * skin->geom);
    cti_sub3(p, at, d->geom_xpos + 3 * geom);
    cti_mul_mat_t_vec3(p, mat, p);
    ctReal depth = depth_in(m->geom_type[geom], p, m->geom_size + 3 * geom);
    if (!(depth > 0)) continue;
    out[v] = cti_max(out[v], depth);
    if (!skin->has_tangents) continue;
    velocity_between(m, d, m->geom_bodyid[geom], skin->body, at, vel);
    cti_mul_mat_t_vec3(vel, skinmat, vel);
    for (int k = 1; k < 3; k++) {
      const float* axis = axes + 9 * v + 3 * k;
      out[k * n + v] +=
          cti_abs((ctReal)axis[0] * vel[0] + (ctReal)axis[1] * vel[1] + (ctReal)axis[2] * vel[2]);
    }
  }
}

// The geom that touches the skin's body in a contact, -1 when none does.
static CT_FN int toucher(const ctModel* m, const ctContact* con, int weld) {
  if (con->geom[0] < 0 || con->geom[1] < 0) return -1;
  bool first = m->body_weldid[m->geom_bodyid[con->geom[0]]] == weld;
  bool second = m->body_weldid[m->geom_bodyid[con->geom[1]]] == weld;
  return first == second ? -1 : con->geom[first ? 1 : 0];
}

CT_FN void cti_sense_tactile(const ctModel* m, ctData* d, int i, ctReal* out) {
  TactileSkin skin;
  skin.mesh = m->sensor_objid[i];
  skin.geom = m->sensor_refid[i];
  skin.body = m->geom_bodyid[skin.geom];
  skin.count = m->mesh_vertnum[skin.mesh];
  skin.has_tangents = m->mesh_normalnum[skin.mesh] == 3 * skin.count;
  int weld = m->body_weldid[skin.body];
  for (int k = 0; k < m->sensor_dim[i]; k++) out[k] = 0;
  for (int c = 0; c < d->ncon; c++) {
    int geom = toucher(m, d->contact + c, weld);
    // each geom presses once, however many contacts it has
    for (int earlier = 0; earlier < c && geom >= 0; earlier++) {
      if (toucher(m, d->contact + earlier, weld) == geom) geom = -1;
    }
    if (geom >= 0) press(m, d, &skin, geom, out);
  }
}

// ---- sensors that see: pixels of a point, and rays ----

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

// ---- rays ----

// Fields of a rangefinder, bits of its first parameter.

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
  if (fields & CTI_RAY_DIST) *out++ = dist;
  const ctReal* vectors[4] = {hit ? ray->dir : none, ray->origin, hit ? point : none, hit ? normal : none};
  for (int k = 0; k < 4; k++) {
    if (!(fields & CTI_RAY_DIR << k)) continue;
    cti_copy3(out, vectors[k]);
    out += 3;
  }
  if (fields & CTI_RAY_DEPTH) *out++ = hit ? dist * cti_dot3(ray->dir, ray->look) : CT_R(-1);
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
