// Sensors of contacts: forces on a patch of skin, and the contacts of chosen objects as records of fixed
// size.
#include "math/spatial.h"
#include "math/vec3.h"
#include "query/inside.h"
#include "query/object.h"
#include "query/post_constraint.h"
#include "sense/readers.h"

// ---- touch

// A contact counts when it lies in the zone, or leaves the skin through it: soft contacts sink below.
CT_FN void cti_sense_touch(const ctModel* m, ctData* d, int i, ctReal* out) {
  int site = m->sensor_objid[i], body = m->site_bodyid[site];
  out[0] = 0;
  for (int c = 0; c < d->ncon; c++) {
    const ctContact* con = d->contact + c;
    bool first = con->geom[0] >= 0 && m->geom_bodyid[con->geom[0]] == body;
    bool second = con->geom[1] >= 0 && m->geom_bodyid[con->geom[1]] == body;
    if (con->efc_address < 0 || (!first && !second)) continue;
    ctReal wrench[6], dir[3];
    cti_contact_wrench(m, d, c, wrench);
    if (wrench[0] <= 0) continue;
    cti_scale3(dir, con->frame, second ? CT_R(-1) : CT_R(1));
    if (cti_site_meets_ray(m, d, site, con->pos, dir)) out[0] += wrench[0];
  }
}

// ---- contact

// Fields, bits of the first parameter, and ways to choose among the matching contacts, the second.
enum {
  CONTACT_FOUND = 1,
  CONTACT_FORCE = 2,
  CONTACT_TORQUE = 4,
  CONTACT_DIST = 8,
  CONTACT_POS = 16,
  CONTACT_NORMAL = 32,
  CONTACT_TANGENT = 64,
  CONTACT_LINVEL = 128,
  CONTACT_ANGVEL = 256
};
enum { REDUCE_NONE, REDUCE_MINDIST, REDUCE_MAXFORCE, REDUCE_NETFORCE };

// What one slot tells; fields that nobody asks for stay zero.
typedef struct ContactRecord {
  ctReal force[3], torque[3], dist, pos[3], normal[3], tangent[3], linvel[3], angvel[3];
} ContactRecord;

// Does a geom belong to an object (geom, body, or xbody for its subtree)?
static CT_FN bool geom_belongs(const ctModel* m, int geom, int type, int id) {
  if (geom < 0) return false;
  if (type == CT_OBJ_GEOM) return geom == id;
  int body = m->geom_bodyid[geom];
  if (type == CT_OBJ_BODY) return body == id;
  while (body > id) body = m->body_parentid[body];
  return body == id;
}

// 1 when the contact goes from the sensor's first object to its second, -1 when the other way round, 0 when
// it does not match. Without objects its own direction counts.
static CT_FN int contact_match(const ctModel* m, const ctData* d, int sensor, const ctContact* con) {
  int otype = m->sensor_objtype[sensor], obj = m->sensor_objid[sensor];
  int rtype = m->sensor_reftype[sensor], ref = m->sensor_refid[sensor];
  if (otype == CT_OBJ_SITE && obj >= 0) {
    if (!cti_inside_site(m, d, obj, con->pos)) return 0;
    obj = -1;
  }
  bool along = (obj < 0 || geom_belongs(m, con->geom[0], otype, obj)) &&
               (ref < 0 || geom_belongs(m, con->geom[1], rtype, ref));
  bool against = (obj < 0 || geom_belongs(m, con->geom[1], otype, obj)) &&
                 (ref < 0 || geom_belongs(m, con->geom[0], rtype, ref));
  return along ? 1 : (against ? -1 : 0);
}

// Velocity of the second body against the first at the contact, along its frame.
static CT_FN void contact_velocity(const ctModel* m, const ctData* d, const ctContact* con,
                                   ContactRecord* r) {
  ctReal vel[2][6];
  for (int side = 0; side < 2; side++) {
    int geom = con->geom[side], body = geom >= 0 ? m->geom_bodyid[geom] : 0;
    cti_motion_shift(vel[side], d->cvel + 6 * body, con->pos, d->subtree_com + 3 * m->body_rootid[body]);
  }
  ctReal rel[6];
  for (int k = 0; k < 6; k++) rel[k] = vel[1][k] - vel[0][k];
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
  if (fields & (CONTACT_FORCE | CONTACT_TORQUE)) cti_contact_wrench(m, d, c, wrench);
  cti_copy3(r->force, wrench);
  cti_copy3(r->torque, wrench + 3);
  r->dist = con->dist;
  cti_copy3(r->pos, con->pos);
  cti_copy3(r->normal, con->frame);
  cti_copy3(r->tangent, con->frame + 3);
  cti_zero3(r->linvel);
  cti_zero3(r->angvel);
  if (fields & (CONTACT_LINVEL | CONTACT_ANGVEL)) contact_velocity(m, d, con, r);
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
  if (reduce == REDUCE_MINDIST) return d->contact[c].dist;
  cti_contact_wrench(m, d, c, wrench);
  return -cti_dot3(wrench, wrench);
}

// The matching contact that follows `last` by key, then by index; -1 when there is none.
static CT_FN int next_contact(const ctModel* m, const ctData* d, int sensor, int reduce, int last) {
  if (reduce == REDUCE_NONE) {
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
  if (fields & CONTACT_FOUND) *out++ = (ctReal)found;
  const ctReal* vectors[9] = {(const ctReal*)0, r->force,   r->torque, (const ctReal*)0, r->pos,
                              r->normal,        r->tangent, r->linvel, r->angvel};
  for (int k = 1; k < 9; k++) {
    if (!(fields & 1 << k)) continue;
    if (1 << k == CONTACT_DIST) {
      *out++ = r->dist;
    } else {
      cti_copy3(out, vectors[k]);
      out += 3;
    }
  }
  return out;
}

CT_FN void cti_sense_contact(const ctModel* m, ctData* d, int i, ctReal* out) {
  const int *prm = m->sensor_intprm + CT_NSENS * i, fields = prm[0], reduce = prm[1], slots = prm[2];
  int found = 0;
  for (int k = 0; k < m->sensor_dim[i]; k++) out[k] = 0;
  for (int c = 0; c < d->ncon; c++) found += contact_match(m, d, i, d->contact + c) != 0;
  ContactRecord record;
  if (reduce == REDUCE_NETFORCE) {
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
