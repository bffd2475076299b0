// Tactile sensors: the vertices of a mesh are fingertips that feel how deep they sit in what touches their
// body, and how fast it slides past them.
#include "math/quat.h"
#include "math/spatial.h"
#include "sense/readers.h"

// Depth of a point in a box. Each face pulls by how near it is, as a part of the half size; the depth is the
// way out along the sum of the pulls.
static CT_FN ctReal depth_in_box(const ctReal p[3], const ctReal size[3]) {
  ctReal pull = 0, way = 0;
  for (int k = 0; k < 3; k++) {
    ctReal room = size[k] - cti_abs(p[k]), part = room / size[k];
    if (!(room > 0)) return 0;
    pull += 1 / (part * part);
    if (k == 0 || room * part < way) way = room * part;
  }
  return way * cti_sqrt(pull);
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
