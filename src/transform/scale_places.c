// Scaling: the factors of every place, by the frames around it.
#include "transform/scale.h"

#include <math.h>
#include <string.h>

#include "asset/vec.h"
#include "spec/orient.h"

// Directions that differ by less than two degrees, and lengths that differ as much, are taken as equal.
#define ALIGNED 0.0349

// ---- factors

double cti_force_factor(const ctiScale* s, int length, int mass) {
  return pow(s->force_length, length) * pow(s->force_mass, mass);
}

double cti_units_force(const ctiUnits* u, int power) {
  return cti_force_factor(u->scale, u->length ? 1 - power : 2, 1);
}

static void multiply(double r[9], const double a[9], const double b[9]) {
  double c[9];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      c[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
  }
  memcpy(r, c, sizeof(c));
}

void cti_stretch_vector(const ctiStretch* s, double v[3]) {
  if (!s->uniform) {
    cti_dmul3(v, s->map, v);
    return;
  }
  for (int i = 0; i < 3; i++) v[i] *= s->factor;
}

double cti_stretch_along(const ctiStretch* s, const double u[3]) {
  if (s->uniform) return s->factor;
  double v[3];
  cti_dmul3(v, s->map, u);
  return sqrt(cti_ddot3(v, v));
}

bool cti_stretch_keeps(const ctiStretch* s, const double u[3]) {
  if (s->uniform) return true;
  double v[3], side[3];
  cti_dmul3(v, s->map, u);
  cti_dcross3(side, u, v);
  return sqrt(cti_ddot3(side, side)) <= ALIGNED * sqrt(cti_ddot3(v, v));
}

const char* cti_stretch_needs_axes(const ctiStretch* s) {
  static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < 3; i++) {
    if (!cti_stretch_keeps(s, axes[i])) return "a frame that stretches needs this shape along its own axes";
  }
  return NULL;
}

bool cti_nearly_equal(double a, double b) {
  return fabs(a - b) <= ALIGNED * fmax(a, b);
}

void cti_turn_stretch(ctiStretch* out, const ctiStretch* s, const double turn[9]) {
  *out = *s;
  if (s->uniform) return;
  multiply(out->map, s->map, turn);
  const double back[9] = {turn[0], turn[3], turn[6], turn[1], turn[4], turn[7], turn[2], turn[5], turn[8]};
  multiply(out->map, back, out->map);
}

ctStatus cti_scale_turn(double turn[9], ctiScaleWork* w, const ctiOrient* orient, const ctiElement* e) {
  ctReal quat[4];
  const char* trouble = cti_orient_to_quat(quat, orient, cti_compiler_of(w->spec, e));
  if (trouble) return cti_spec_error(w->err, CT_ERR_INVALID, e, "%s", trouble);
  const double q[4] = {(double)quat[0], (double)quat[1], (double)quat[2], (double)quat[3]};
  cti_dquat_to_mat(turn, q);
  return CT_OK;
}

ctStatus cti_stretch_turned(ctiStretch* out, ctiScaleWork* w, const ctiStretch* s, const ctiOrient* orient,
                            const ctiElement* e) {
  double turn[9];
  CT_TRY(cti_scale_turn(turn, w, orient, e));
  cti_turn_stretch(out, s, turn);
  return CT_OK;
}

// ---- places

const ctiPlace* cti_place_of(const ctiScaleWork* w, const ctiElement* e) {
  int body = ((const ctiBody*)(const void*)e->parent)->order;
  return e->frame ? &w->frame[body][e->frame->index] : &w->inside[body];
}

const ctiElement* cti_scale_find(const ctiScaleWork* w, ctObjType type, const char* name) {
  if (type == CT_OBJ_XBODY) type = CT_OBJ_BODY;
  int id = name && type > 0 ? cti_names_find(&w->names[type], name) : -1;
  return id < 0 ? NULL : w->found[type].data[id];
}

static ctStatus note(ctiScaleWork* w, ctObjType type, const ctiElement* e) {
  if (!e->name) return CT_OK;
  // names that are used twice are refused later
  ctStatus status = cti_names_add(&w->names[type], e->name, w->found[type].count);
  if (status == CT_ERR_INVALID) return CT_OK;
  if (status == CT_OK) status = cti_array_push(&w->found[type], cti_region_allocator(w->region), e);
  return status == CT_OK ? CT_OK : cti_error_memory(w->err);
}

static ctStatus note_body(ctiScaleWork* w, const ctiBody* body) {
  CT_TRY(note(w, CT_OBJ_BODY, &body->head));
#define NOTE(list, type) \
  for (int i = 0; i < body->list.count; i++) CT_TRY(note(w, type, &body->list.data[i]->head));
  NOTE(joints, CT_OBJ_JOINT)
  NOTE(geoms, CT_OBJ_GEOM)
  NOTE(sites, CT_OBJ_SITE)
  NOTE(cameras, CT_OBJ_CAMERA)
#undef NOTE
  return CT_OK;
}

// ---- the tree

// What a frame says, with one number for three.
static ctStatus frame_factors(ctiScaleWork* w, const ctiFrame* f, double scale[3], double* mass) {
  memcpy(scale, f->scale, sizeof(f->scale));
  if (isnan(scale[1])) scale[1] = scale[2] = scale[0];
  if (isnan(scale[2]))
    return cti_spec_error(w->err, CT_ERR_INVALID, &f->head, "scale has one number or three, not two");
  for (int i = 0; i < 3; i++) {
    if (!(scale[i] > 0) || isinf(scale[i]))
      return cti_spec_error(w->err, CT_ERR_INVALID, &f->head, "scale must be positive and finite");
  }
  if (!(f->massscale >= 0) || isinf(f->massscale))
    return cti_spec_error(w->err, CT_ERR_INVALID, &f->head, "massscale must be finite and not negative");
  if (f->scaling == CTI_SCALING_SIMILAR && (scale[0] != scale[1] || scale[0] != scale[2]))
    return cti_spec_error(w->err, CT_ERR_INVALID, &f->head,
                          "three different numbers in scale need scaling=\"geometry\"");
  *mass = f->massscale > 0 ? f->massscale : scale[0] * scale[1] * scale[2];
  return CT_OK;
}

// The frame scales about its origin what stands in it.
static ctStatus scale_inside(ctiScaleWork* w, ctiPlace* p, const ctiFrame* f) {
  double scale[3], mass = 1;
  CT_TRY(frame_factors(w, f, scale, &mass));
  bool uniform = scale[0] == scale[1] && scale[0] == scale[2];
  if (uniform && scale[0] == 1 && mass == 1) return CT_OK;
  ctiScale* s = CTI_NEW(w->region, ctiScale);
  if (!s) return cti_error_memory(w->err);
  *s = *p->scale;
  s->outer = p->scale;
  s->depth++;
  s->mass *= mass;
  s->length *= uniform ? scale[0] : cbrt(scale[0] * scale[1] * scale[2]);
  if (f->scaling == CTI_SCALING_SIMILAR) {
    s->force_length *= scale[0];
    s->force_mass *= mass;
  }
  p->scale = s;
  ctiStretch* a = &p->stretch;
  if (a->uniform && uniform) {
    a->factor *= scale[0];
    return CT_OK;
  }
  for (int i = 0; i < 9; i++) a->map[i] = (a->uniform ? (i % 4 == 0) * a->factor : a->map[i]) * scale[i % 3];
  a->uniform = a->map[0] == a->map[4] && a->map[0] == a->map[8];
  for (int i = 0; i < 9; i++) a->uniform = a->uniform && (i % 4 == 0 || a->map[i] == 0);
  a->factor = a->map[0];
  return CT_OK;
}

static ctStatus place_frame(ctiScaleWork* w, ctiFrame* f) {
  const ctiPlace* outer = cti_place_of(w, &f->head);
  ctiPlace* p = &w->frame[((const ctiBody*)(const void*)f->head.parent)->order][f->index];
  double turn[9], step[3];
  CT_TRY(cti_scale_turn(turn, w, &f->orient, &f->head));
  *p = *outer;
  cti_dmul3(step, outer->turn, f->pos);
  for (int i = 0; i < 3; i++) p->before[i] += step[i];
  cti_stretch_vector(&outer->stretch, f->pos);
  cti_dmul3(step, outer->turn, f->pos);
  for (int i = 0; i < 3; i++) p->after[i] += step[i];
  multiply(p->turn, outer->turn, turn);
  cti_turn_stretch(&p->stretch, &outer->stretch, turn);
  CT_TRY(scale_inside(w, p, f));
  f->scale[0] = 1;
  f->scale[1] = f->scale[2] = NAN;
  f->massscale = 0;
  return CT_OK;
}

static ctStatus place_body(ctiScaleWork* w, ctiBody* body) {
  ctiPlace* inside = &w->inside[body->order];
  if (body->parent) {
    const ctiPlace* around = cti_place_of(w, &body->head);
    *inside = *around;
    cti_stretch_vector(&around->stretch, body->pos);
    CT_TRY(cti_stretch_turned(&inside->stretch, w, &around->stretch, &body->orient, &body->head));
  }
  w->frame[body->order] = CTI_NEW_ARRAY(w->region, ctiPlace, body->frames.count);
  if (!w->frame[body->order]) return cti_error_memory(w->err);
  for (int i = 0; i < body->frames.count; i++) CT_TRY(place_frame(w, body->frames.data[i]));
  return note_body(w, body);
}

ctStatus cti_place_all(ctiScaleWork* w) {
  for (int i = 0; i < CT_OBJ_COUNT; i++) cti_names_init(&w->names[i], cti_region_allocator(w->region));
  w->body = cti_spec_bodies(w->spec->world, w->region, &w->nbody);
  if (!w->body) return cti_error_memory(w->err);
  w->inside = CTI_NEW_ARRAY(w->region, ctiPlace, w->nbody);
  w->frame = CTI_NEW_ARRAY(w->region, ctiPlace*, w->nbody);
  if (!w->inside || !w->frame) return cti_error_memory(w->err);
  w->inside[0] = (ctiPlace){.scale = &w->none, .stretch = {.uniform = true, .factor = 1}};
  w->inside[0].turn[0] = w->inside[0].turn[4] = w->inside[0].turn[8] = 1;
  for (int i = 0; i < w->nbody; i++) w->body[i]->order = i;
  for (int i = 0; i < w->nbody; i++) CT_TRY(place_body(w, w->body[i]));
  for (int i = 0; i < w->spec->meshes.count; i++)
    CT_TRY(note(w, CT_OBJ_MESH, &w->spec->meshes.data[i]->head));
  for (int i = 0; i < w->spec->hfields.count; i++)
    CT_TRY(note(w, CT_OBJ_HFIELD, &w->spec->hfields.data[i]->head));
  for (int i = 0; i < w->spec->tendons.count; i++)
    CT_TRY(note(w, CT_OBJ_TENDON, &w->spec->tendons.data[i]->head));
  for (int i = 0; i < w->spec->actuators.count; i++)
    CT_TRY(note(w, CT_OBJ_ACTUATOR, &w->spec->actuators.data[i]->head));
  return CT_OK;
}
