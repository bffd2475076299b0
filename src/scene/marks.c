// Marks that explain a simulation: joints, contacts and their forces, frames, cameras, readings.
// Sizes are those of <visual>, in units of the mean size of a body.
#include <math.h>
#include <stdio.h>

#include "math/elementary.h"
#include "math/quat.h"
#include "scene/scene.h"

#define RAY_HAS_DISTANCE 1  // the bit of a rangefinder's fields for the distance, which comes first

// Lengths and widths of marks.
static ctReal scaled(const ctiSceneBuild* b, float scale) {
  return (ctReal)scale * b->m->stat.meansize;
}

// An arrow from a point, of a length that is its own.
static ctStatus add_arrow(const ctiSceneBuild* b, ctObjType type, int id, int body, const ctReal from[3],
                          const ctReal vec[3], ctReal width, const float rgba[4]) {
  ctItem* item = cti_scene_add(b, CT_SHAPE_ARROW, type, id, body);
  if (!item) return CT_ERR_MEMORY;
  ctReal length = cti_scene_point(item, from, vec);
  cti_scene_size(item, width, width, length);
  cti_scene_colour(item, rgba);
  return CT_OK;
}

// A capsule between two points.
static ctStatus add_link(const ctiSceneBuild* b, ctObjType type, int id, const ctReal from[3],
                         const ctReal to[3], ctReal width, const float rgba[4]) {
  ctItem* item = cti_scene_link(b, type, id, from, to, width);
  if (!item) return CT_ERR_MEMORY;
  cti_scene_colour(item, rgba);
  return CT_OK;
}

static ctStatus add_ball(const ctiSceneBuild* b, ctObjType type, int id, int body, const ctReal pos[3],
                         ctReal radius, const float rgba[4]) {
  ctItem* item = cti_scene_add(b, CT_SHAPE_SPHERE, type, id, body);
  if (!item) return CT_ERR_MEMORY;
  cti_scene_place(item, pos, NULL);
  cti_scene_size(item, radius, radius, radius);
  cti_scene_colour(item, rgba);
  return CT_OK;
}

// ---- joints and actuators

// A hinge is an arrow along its axis, a slide a thinner one, a ball a ball, a free joint a box.
static ctStatus add_joint(const ctiSceneBuild* b, int j, ctReal length, ctReal width, const float rgba[4]) {
  const ctModel* m = b->m;
  int type = m->jnt_type[j], body = m->jnt_bodyid[j];
  ctReal vec[3];
  if (type == CT_JOINT_HINGE || type == CT_JOINT_SLIDE) {
    cti_scale3(vec, b->d->xaxis + 3 * j, length);
    return add_arrow(b, CT_OBJ_JOINT, j, body, b->d->xanchor + 3 * j, vec,
                     type == CT_JOINT_HINGE ? width : width / 2, rgba);
  }
  ctItem* item =
      cti_scene_add(b, type == CT_JOINT_BALL ? CT_SHAPE_SPHERE : CT_SHAPE_BOX, CT_OBJ_JOINT, j, body);
  if (!item) return CT_ERR_MEMORY;
  cti_scene_place(item, b->d->xanchor + 3 * j, b->d->xmat + 9 * body);
  cti_scene_size(item, 2 * width, 2 * width, 2 * width);
  cti_scene_colour(item, rgba);
  return CT_OK;
}

static ctStatus add_joints(const ctiSceneBuild* b) {
  const ctModel* m = b->m;
  for (int j = 0; j < m->njnt; j++) {
    if (!cti_scene_group(b->opt->jointgroup, m->jnt_group[j])) continue;
    CT_TRY(add_joint(b, j, scaled(b, m->vis.scale.jointlength), scaled(b, m->vis.scale.jointwidth),
                     m->vis.rgba.joint));
  }
  return CT_OK;
}

// From the colour of the lowest control over that of the middle to that of the highest.
static void control_colour(const ctiSceneBuild* b, int i, float rgba[4]) {
  const ctModel* m = b->m;
  int c = m->actuator_ctrladr[i];
  const float* middle = m->vis.rgba.actuator;
  for (int k = 0; k < 4; k++) rgba[k] = middle[k];
  if (m->actuator_ctrlnum[i] < 1) return;
  ctReal low = m->actuator_ctrlrange[2 * c], high = m->actuator_ctrlrange[2 * c + 1], x = b->d->ctrl[c];
  if (!m->actuator_ctrllimited[c] || high <= low || !isfinite((double)(high - low))) low = -1, high = 1;
  x = (2 * x - low - high) / (high - low);
  if (!(x > -1)) x = -1;
  if (x > 1) x = 1;
  const float* end = x < 0 ? m->vis.rgba.actuatornegative : m->vis.rgba.actuatorpositive;
  for (int k = 0; k < 4; k++) rgba[k] += (float)cti_abs(x) * (end[k] - middle[k]);
}

static ctStatus add_actuators(const ctiSceneBuild* b) {
  const ctModel* m = b->m;
  ctReal length = scaled(b, m->vis.scale.actuatorlength), width = scaled(b, m->vis.scale.actuatorwidth);
  for (int i = 0; i < m->nactuator; i++) {
    int id = m->actuator_trnid[2 * i], trn = m->actuator_trntype[i];
    if (!cti_scene_group(b->opt->actuatorgroup, m->actuator_group[i]) || id < 0) continue;
    float rgba[4];
    control_colour(b, i, rgba);
    int first = b->s->items.count;
    if (trn == CT_TRN_JOINT || trn == CT_TRN_JOINTINPARENT) CT_TRY(add_joint(b, id, length, width, rgba));
    if (trn == CT_TRN_SITE)
      CT_TRY(add_ball(b, CT_OBJ_SITE, id, m->site_bodyid[id], b->d->site_xpos + 3 * id, 2 * width, rgba));
    if (trn == CT_TRN_BODY) CT_TRY(add_ball(b, CT_OBJ_BODY, id, id, b->d->xipos + 3 * id, 2 * width, rgba));
    if (trn == CT_TRN_SLIDERCRANK) {
      int crank = m->actuator_trnid[2 * i], slider = m->actuator_trnid[2 * i + 1];
      CT_TRY(add_link(b, CT_OBJ_ACTUATOR, i, b->d->site_xpos + 3 * crank, b->d->site_xpos + 3 * slider,
                      scaled(b, m->vis.scale.slidercrank), m->vis.rgba.slidercrank));
    }
    for (int k = first; k < b->s->items.count; k++) {
      b->s->items.data[k].type = CT_OBJ_ACTUATOR;
      b->s->items.data[k].id = i;
    }
  }
  return CT_OK;
}

// ---- bodies

// The box, or ellipsoid, of even density that has the inertia of the body.
static ctStatus add_inertia(const ctiSceneBuild* b, int body) {
  const ctModel* m = b->m;
  const ctReal* I = m->body_inertia + 3 * body;
  bool ellipsoid = m->vis.global.ellipsoidinertia != 0;
  ctReal mass = m->body_mass[body], half[3];
  if (!(mass > 0)) return CT_OK;
  for (int k = 0; k < 3; k++) {
    ctReal s = I[(k + 1) % 3] + I[(k + 2) % 3] - I[k];
    half[k] = cti_sqrt((s > 0 ? s : 0) * (ellipsoid ? CT_R(2.5) : CT_R(1.5)) / mass);
  }
  ctItem* item = cti_scene_add(b, ellipsoid ? CT_SHAPE_ELLIPSOID : CT_SHAPE_BOX, CT_OBJ_BODY, body, body);
  if (!item) return CT_ERR_MEMORY;
  cti_scene_place(item, b->d->xipos + 3 * body, b->d->ximat + 9 * body);
  cti_scene_size(item, half[0], half[1], half[2]);
  cti_scene_colour(item, m->vis.rgba.inertia);
  return CT_OK;
}

// A skeleton: the origin of a body is connected with the anchors of its joints, and these with the parent.
static ctStatus add_connection(const ctiSceneBuild* b, int body) {
  const ctModel* m = b->m;
  const float* rgba = m->vis.rgba.connect;
  ctReal width = scaled(b, m->vis.scale.connect);
  const ctReal* at = b->d->xipos + 3 * body;
  for (int j = m->body_jntnum[body] - 1; j >= 0; j--) {
    const ctReal* next = b->d->xanchor + 3 * (m->body_jntadr[body] + j);
    CT_TRY(add_link(b, CT_OBJ_BODY, body, at, next, width, rgba));
    at = next;
  }
  int parent = m->body_parentid[body];
  return parent > 0 ? add_link(b, CT_OBJ_BODY, body, at, b->d->xipos + 3 * parent, width, rgba) : CT_OK;
}

static ctStatus add_body_marks(const ctiSceneBuild* b) {
  const ctModel* m = b->m;
  const ctByte* show = b->opt->show;
  for (int i = 1; i < m->nbody; i++) {
    if (show[CT_SHOW_INERTIA] && m->body_weldid[i] > 0) CT_TRY(add_inertia(b, i));
    if (show[CT_SHOW_AUTOCONNECT] && m->body_weldid[i] > 0) CT_TRY(add_connection(b, i));
    if (show[CT_SHOW_COM] && m->body_rootid[i] == i)
      CT_TRY(add_ball(b, CT_OBJ_BODY, i, i, b->d->subtree_com + 3 * i, scaled(b, m->vis.scale.com),
                      m->vis.rgba.com));
    if (show[CT_SHOW_PERTURB]) {
      ctReal force[3];
      cti_scale3(force, b->d->xfrc_applied + 6 * i, (ctReal)m->vis.map.force / m->stat.meanmass);
      if (cti_norm3(force) > 0)
        CT_TRY(add_arrow(b, CT_OBJ_BODY, i, i, b->d->xipos + 3 * i, force, scaled(b, m->vis.scale.forcewidth),
                         m->vis.rgba.force));
    }
  }
  int body = b->opt->selected;
  if (show[CT_SHOW_SELECT] && body > 0 && body < m->nbody) {
    ctReal point[3];
    cti_mul_mat_vec3(point, b->d->xmat + 9 * body, b->opt->selected_point);
    cti_add_to3(point, b->d->xpos + 3 * body);
    CT_TRY(add_ball(b, CT_OBJ_BODY, body, body, point, scaled(b, m->vis.scale.selectpoint),
                    m->vis.rgba.selectpoint));
    if (b->opt->label == CT_LABEL_OF_SELECTION)
      cti_scene_label(b, b->s->items.data + b->s->items.count - 1, CT_OBJ_BODY, body);
  }
  return CT_OK;
}

// ---- contacts

static int contact_body(const ctiSceneBuild* b, const ctContact* c, int side) {
  return c->geom[side] >= 0 ? b->m->geom_bodyid[c->geom[side]] : 0;
}

static ctStatus add_contact_point(const ctiSceneBuild* b, int i) {
  const ctContact* c = b->d->contact + i;
  ctReal width = scaled(b, b->m->vis.scale.contactwidth), height = scaled(b, b->m->vis.scale.contactheight);
  ctItem* item = cti_scene_add(b, CT_SHAPE_CYLINDER, CT_OBJ_UNKNOWN, i, 0);
  if (!item) return CT_ERR_MEMORY;
  cti_scene_point(item, c->pos, c->frame);
  cti_scene_size(item, width, width, height);
  cti_scene_colour(item,
                   c->exclude == CT_EXCLUDE_NONE ? b->m->vis.rgba.contactpoint : b->m->vis.rgba.contactgap);
  if (b->opt->label == CT_LABEL_OF_CONTACT) snprintf(item->label, sizeof(item->label), "%d", i);
  return CT_OK;
}

// The force on the second body, or on the first when the second never moves: whole, or normal and friction.
static ctStatus add_contact_force(const ctiSceneBuild* b, int i) {
  const ctModel* m = b->m;
  const ctContact* c = b->d->contact + i;
  ctReal local[6], force[3], normal[3];
  if (ct_contact_force(m, b->d, i, local) != CT_OK) return CT_OK;
  int body = contact_body(b, c, 1);
  ctReal scale = (ctReal)m->vis.map.force / m->stat.meanmass;
  if (m->body_weldid[body] == 0) {
    body = contact_body(b, c, 0);
    scale = -scale;
  }
  cti_mul_mat_t_vec3(force, c->frame, local);
  ctReal size = cti_norm3(force);
  if (!(size > 0)) return CT_OK;
  cti_scale3(force, force, scale);
  cti_scale3(normal, c->frame, local[0] * scale);
  ctReal width = scaled(b, m->vis.scale.forcewidth);
  if (b->opt->show[CT_SHOW_CONTACTSPLIT]) {
    cti_sub3(force, force, normal);
    CT_TRY(add_arrow(b, CT_OBJ_UNKNOWN, i, body, c->pos, normal, width, m->vis.rgba.contactforce));
    if (cti_norm3(force) > CT_R(1e-6) * cti_norm3(normal))
      CT_TRY(add_arrow(b, CT_OBJ_UNKNOWN, i, body, c->pos, force, width, m->vis.rgba.contactfriction));
  } else {
    CT_TRY(add_arrow(b, CT_OBJ_UNKNOWN, i, body, c->pos, force, width, m->vis.rgba.contactforce));
  }
  if (b->opt->label == CT_LABEL_OF_CONTACTFORCE) {
    ctItem* item = b->s->items.data + b->s->items.count - 1;
    snprintf(item->label, sizeof(item->label), "%.3g N", (double)cti_norm3(local));
  }
  return CT_OK;
}

static ctStatus add_contacts(const ctiSceneBuild* b) {
  for (int i = 0; i < b->d->ncon; i++) {
    if (b->opt->show[CT_SHOW_CONTACTPOINT]) CT_TRY(add_contact_point(b, i));
    if (b->opt->show[CT_SHOW_CONTACTFORCE]) CT_TRY(add_contact_force(b, i));
  }
  return CT_OK;
}

// ---- equalities, rangefinders

bool cti_scene_equality(const ctiSceneBuild* b, int i, ctReal at[2][3]) {
  const ctModel* m = b->m;
  const ctData* d = b->d;
  bool weld = m->eq_type[i] == CT_EQ_WELD;
  if (!d->eq_active[i] || (!weld && m->eq_type[i] != CT_EQ_CONNECT)) return false;
  const int id[2] = {m->eq_obj1id[i], m->eq_obj2id[i]};
  const ctReal* data = m->eq_data + CT_NEQDATA * i;
  for (int side = 0; side < 2; side++) {
    if (m->eq_objtype[i] == CT_OBJ_SITE) {
      cti_copy3(at[side], d->site_xpos + 3 * id[side]);
    } else {
      const ctReal* anchor = data + 3 * (weld ? 1 - side : side);
      cti_mul_mat_vec3(at[side], d->xmat + 9 * id[side], anchor);
      cti_add_to3(at[side], d->xpos + 3 * id[side]);
    }
  }
  return true;
}

// Balls at both points, and a link between them.
static ctStatus add_equality(const ctiSceneBuild* b, int i) {
  const ctModel* m = b->m;
  ctReal at[2][3];
  if (!cti_scene_equality(b, i, at)) return CT_OK;
  ctReal width = scaled(b, m->vis.scale.constraint);
  CT_TRY(add_ball(b, CT_OBJ_EQUALITY, i, 0, at[0], width, m->vis.rgba.constraint));
  CT_TRY(add_ball(b, CT_OBJ_EQUALITY, i, 0, at[1], width, m->vis.rgba.constraint));
  return add_link(b, CT_OBJ_EQUALITY, i, at[0], at[1], width / 2, m->vis.rgba.constraint);
}

// The rays of sites that hit something; those of cameras would hide the picture.
static ctStatus add_rays(const ctiSceneBuild* b) {
  const ctModel* m = b->m;
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] != CT_SENS_RANGEFINDER || m->sensor_objtype[i] != CT_OBJ_SITE ||
        !(m->sensor_intprm[CT_NSENS * i] & RAY_HAS_DISTANCE))
      continue;
    ctReal dist = b->d->sensordata[m->sensor_adr[i]], vec[3];
    int site = m->sensor_objid[i];
    if (!(dist >= 0)) continue;
    for (int k = 0; k < 3; k++) vec[k] = dist * b->d->site_xmat[9 * site + 3 * k + 2];
    ctItem* item = cti_scene_add(b, CT_SHAPE_LINE, CT_OBJ_SENSOR, i, m->site_bodyid[site]);
    if (!item) return CT_ERR_MEMORY;
    cti_scene_point(item, b->d->site_xpos + 3 * site, vec);
    cti_scene_size(item, 0, 0, dist);
    cti_scene_colour(item, m->vis.rgba.rangefinder);
  }
  return CT_OK;
}

// ---- cameras, lights, frames

// A box for the body of the camera, and an arrow along its look.
static ctStatus add_camera(const ctiSceneBuild* b, int i) {
  const ctModel* m = b->m;
  ctReal s = scaled(b, m->vis.scale.camera), look[3];
  ctItem* item = cti_scene_add(b, CT_SHAPE_BOX, CT_OBJ_CAMERA, i, m->cam_bodyid[i]);
  if (!item) return CT_ERR_MEMORY;
  cti_scene_place(item, b->d->cam_xpos + 3 * i, b->d->cam_xmat + 9 * i);
  cti_scene_size(item, s, CT_R(0.8) * s, CT_R(0.4) * s);
  cti_scene_colour(item, m->vis.rgba.camera);
  for (int k = 0; k < 3; k++) look[k] = -2 * s * b->d->cam_xmat[9 * i + 3 * k + 2];
  return add_arrow(b, CT_OBJ_CAMERA, i, m->cam_bodyid[i], b->d->cam_xpos + 3 * i, look, CT_R(0.3) * s,
                   m->vis.rgba.camera);
}

static ctStatus add_light(const ctiSceneBuild* b, int i) {
  const ctModel* m = b->m;
  ctReal s = scaled(b, m->vis.scale.light);
  ctItem* item = cti_scene_add(b, CT_SHAPE_CYLINDER, CT_OBJ_LIGHT, i, m->light_bodyid[i]);
  if (!item) return CT_ERR_MEMORY;
  cti_scene_point(item, b->d->light_xpos + 3 * i, b->d->light_xdir + 3 * i);
  cti_scene_size(item, CT_R(0.8) * s, CT_R(0.8) * s, s);
  cti_scene_colour(item, m->vis.rgba.light);
  item->emission = m->light_active[i] ? 0.8f : 0;
  return CT_OK;
}

static ctStatus add_frame(const ctiSceneBuild* b, ctObjType type, int id, int body, const ctReal* pos,
                          const ctReal* mat) {
  const ctModel* m = b->m;
  const ctReal unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const float colours[3][4] = {{0.9f, 0.1f, 0.1f, 1}, {0.1f, 0.8f, 0.1f, 1}, {0.1f, 0.2f, 0.95f, 1}};
  ctReal length = scaled(b, m->vis.scale.framelength), width = scaled(b, m->vis.scale.framewidth);
  if (!mat) mat = unit;
  for (int axis = 0; axis < 3; axis++) {
    ctReal vec[3] = {length * mat[axis], length * mat[3 + axis], length * mat[6 + axis]}, middle[3];
    cti_copy3(middle, pos);
    cti_add_scaled3(middle, vec, CT_R(0.5));
    ctItem* item = cti_scene_add(b, CT_SHAPE_CYLINDER, type, id, body);
    if (!item) return CT_ERR_MEMORY;
    cti_scene_point(item, middle, vec);
    cti_scene_size(item, width, width, length / 2);
    cti_scene_colour(item, colours[axis]);
  }
  return CT_OK;
}

static ctStatus add_frames(const ctiSceneBuild* b) {
  const ctModel* m = b->m;
  const ctData* d = b->d;
  const ctReal zero[3] = {0, 0, 0};
  switch (b->opt->frame) {
    case CT_FRAME_OF_WORLD: return add_frame(b, CT_OBJ_BODY, 0, 0, zero, NULL);
    case CT_FRAME_OF_BODY:
      for (int i = 1; i < m->nbody; i++)
        CT_TRY(add_frame(b, CT_OBJ_XBODY, i, i, d->xpos + 3 * i, d->xmat + 9 * i));
      return CT_OK;
    case CT_FRAME_OF_GEOM:
      for (int i = 0; i < m->ngeom; i++) {
        if (!cti_scene_group(b->opt->geomgroup, m->geom_group[i])) continue;
        CT_TRY(add_frame(b, CT_OBJ_GEOM, i, m->geom_bodyid[i], d->geom_xpos + 3 * i, d->geom_xmat + 9 * i));
      }
      return CT_OK;
    case CT_FRAME_OF_SITE:
      for (int i = 0; i < m->nsite; i++) {
        if (!cti_scene_group(b->opt->sitegroup, m->site_group[i])) continue;
        CT_TRY(add_frame(b, CT_OBJ_SITE, i, m->site_bodyid[i], d->site_xpos + 3 * i, d->site_xmat + 9 * i));
      }
      return CT_OK;
    case CT_FRAME_OF_CAMERA:
      for (int i = 0; i < m->ncam; i++)
        CT_TRY(add_frame(b, CT_OBJ_CAMERA, i, m->cam_bodyid[i], d->cam_xpos + 3 * i, d->cam_xmat + 9 * i));
      return CT_OK;
    case CT_FRAME_OF_LIGHT:
      for (int i = 0; i < m->nlight; i++) {
        ctReal quat[4], mat[9];
        cti_quat_z_to_vec(quat, d->light_xdir + 3 * i);
        cti_quat_to_mat(mat, quat);
        CT_TRY(add_frame(b, CT_OBJ_LIGHT, i, m->light_bodyid[i], d->light_xpos + 3 * i, mat));
      }
      return CT_OK;
    case CT_FRAME_OF_CONTACT:
      for (int i = 0; i < d->ncon; i++) {
        ctReal mat[9];  // axes of the contact are rows, those of a frame columns
        for (int k = 0; k < 9; k++) mat[k] = d->contact[i].frame[3 * (k % 3) + k / 3];
        CT_TRY(add_frame(b, CT_OBJ_UNKNOWN, i, 0, d->contact[i].pos, mat));
      }
      return CT_OK;
    default: return CT_OK;
  }
}

ctStatus cti_scene_add_marks(const ctiSceneBuild* b) {
  const ctModel* m = b->m;
  const ctByte* show = b->opt->show;
  if (show[CT_SHOW_JOINT]) CT_TRY(add_joints(b));
  if (show[CT_SHOW_ACTUATOR]) CT_TRY(add_actuators(b));
  CT_TRY(add_body_marks(b));
  CT_TRY(add_contacts(b));
  for (int i = 0; show[CT_SHOW_EQUALITY] && i < m->neq; i++) CT_TRY(add_equality(b, i));
  if (show[CT_SHOW_RANGEFINDER]) CT_TRY(add_rays(b));
  for (int i = 0; show[CT_SHOW_CAMERA] && i < m->ncam; i++) CT_TRY(add_camera(b, i));
  for (int i = 0; show[CT_SHOW_LIGHT] && i < m->nlight; i++) CT_TRY(add_light(b, i));
  CT_TRY(add_frames(b));
  return cti_scene_add_labels(b);
}
