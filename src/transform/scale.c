#include "transform/scale.h"

#include <math.h>
#include <string.h>

#include "asset/mesh.h"
#include "asset/vec.h"
#include "math/quat.h"
#include "spec/orient.h"

// ---- whether anything is scaled

static bool frame_scales(const ctiFrame* f) {
  return f->scale[0] != 1 || (!isnan(f->scale[1]) && (f->scale[1] != 1 || f->scale[2] != 1)) ||
         f->massscale != 0;
}

ctStatus cti_spec_is_scaled(bool* scaled, const ctSpec* spec, ctError* err) {
  *scaled = false;
  ctiRegion* region = cti_region_create(&spec->allocator);
  int n = 0;
  ctiBody** bodies = region ? cti_spec_bodies(spec->world, region, &n) : NULL;
  for (int i = 0; bodies && i < n; i++) {
    for (int k = 0; k < bodies[i]->frames.count; k++)
      *scaled = *scaled || frame_scales(bodies[i]->frames.data[k]);
  }
  cti_region_free(region);
  return bodies ? CT_OK : cti_error_memory(err);
}

ctStatus cti_refuse_scaled(const ctSpec* spec, ctError* err) {
  bool scaled;
  CT_TRY(cti_spec_is_scaled(&scaled, spec, err));
  if (!scaled) return CT_OK;
  return cti_error(err, CT_ERR_UNSUPPORTED,
                   "a frame of this spec has a scale: set fusestatic or discardvisual of <compiler>, which "
                   "simplify what is compiled");
}

// ---- what stands in bodies

static void times(double* values, int n, double factor) {
  for (int i = 0; i < n; i++) values[i] *= factor;
}

static void times_float(float* values, int n, double factor) {
  for (int i = 0; i < n; i++) values[i] = (float)((double)values[i] * factor);
}

static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// ---- inertia

// Second moments map as A P A'; the inertia is their trace on the diagonal minus them.
static void stretch_inertia(double inertia[9], const double map[9], double mass) {
  double trace = (inertia[0] + inertia[4] + inertia[8]) / 2, moved[9];
  for (int i = 0; i < 9; i++) inertia[i] = (i % 4 == 0 ? trace : 0) - inertia[i];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      double sum = 0;
      for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++) sum += map[3 * i + k] * inertia[3 * k + l] * map[3 * j + l];
      }
      moved[3 * i + j] = mass * sum;
    }
  }
  trace = moved[0] + moved[4] + moved[8];
  for (int i = 0; i < 9; i++) inertia[i] = (i % 4 == 0 ? trace : 0) - moved[i];
}

static ctStatus scale_inertial(ctiScaleWork* w, ctiBody* body) {
  ctiInertial* s = &body->inertial;
  const ctiPlace* p = cti_place_of(w, &s->head);
  double mass = p->scale->mass;
  cti_stretch_vector(&p->stretch, s->pos);
  s->mass *= mass;
  if (p->stretch.uniform) {
    double factor = mass * p->stretch.factor * p->stretch.factor;
    times(s->diaginertia, 3, factor);
    if (!isnan(s->fullinertia[0])) times(s->fullinertia, 6, factor);
    return CT_OK;
  }
  // as a full matrix in the coordinates of the body
  static const int upper[6] = {0, 4, 8, 1, 2, 5}, lower[6] = {0, 4, 8, 3, 6, 7};
  double inertia[9] = {0};
  if (isnan(s->fullinertia[0])) {
    const ctiStretch diagonal = {
        .map = {[0] = s->diaginertia[0], [4] = s->diaginertia[1], [8] = s->diaginertia[2]}};
    double turn[9];
    CT_TRY(cti_scale_turn(turn, w, &s->orient, &s->head));
    // from the axes of the inertia back to those of the body
    const double back[9] = {turn[0], turn[3], turn[6], turn[1], turn[4], turn[7], turn[2], turn[5], turn[8]};
    ctiStretch turned;
    cti_turn_stretch(&turned, &diagonal, back);
    memcpy(inertia, turned.map, sizeof(inertia));
  } else {
    for (int i = 0; i < 6; i++) inertia[upper[i]] = inertia[lower[i]] = s->fullinertia[i];
  }
  stretch_inertia(inertia, p->stretch.map, mass);
  for (int i = 0; i < 6; i++) s->fullinertia[i] = inertia[upper[i]];
  s->orient = (ctiOrient){.quat = {1, 0, 0, 0}};
  return CT_OK;
}

// ---- joints

ctiUnits cti_joint_units(const ctiScaleWork* w, const ctiJoint* j) {
  const ctiPlace* p = cti_place_of(w, &j->head);
  ctiUnits u = {.scale = p->scale, .position = 1};
  u.length = j->type == CT_JOINT_SLIDE || j->type == CT_JOINT_FREE;
  if (j->type == CT_JOINT_FREE) u.position = p->scale->length;
  if (j->type == CT_JOINT_SLIDE) {
    double axis[3];
    cti_dcopy3(axis, j->axis);
    cti_dnormalize3(axis, 0);
    u.position = cti_stretch_along(&p->stretch, axis);
  }
  return u;
}

static ctStatus scale_joint(ctiScaleWork* w, ctiJoint* j) {
  const ctiPlace* p = cti_place_of(w, &j->head);
  cti_stretch_vector(&p->stretch, j->pos);
  if (j->type == CT_JOINT_FREE) return CT_OK;
  double axis[3];
  cti_dcopy3(axis, j->axis);
  cti_dnormalize3(axis, 0);
  if (j->type != CT_JOINT_BALL && !cti_stretch_keeps(&p->stretch, axis))
    return cti_spec_error(w->err, CT_ERR_INVALID, &j->head,
                          "a frame that stretches needs the axis of this joint along one of its own axes");
  ctiUnits u = cti_joint_units(w, j);
  double* positions[] = {&j->margin, &j->ref,      &j->springref,       &j->springyield,
                         j->range,   j->range + 1, j->solimp_limit + 2, j->solimp_friction + 2};
  if (u.length) {
    for (int i = 0; i < CT_COUNT_OF(positions); i++) *positions[i] *= u.position;
  }
  for (int k = 0; k <= CT_NPOLY; k++) {
    j->stiffness[k] *= cti_units_force(&u, k + 1);
    j->damping[k] *= cti_units_force(&u, k + 1);
  }
  j->armature *= cti_units_force(&u, 1);
  j->frictionloss *= cti_units_force(&u, 0);
  times(j->actfrcrange, 2, cti_units_force(&u, 0));
  return CT_OK;
}

// ---- shapes

static void point_along(ctiOrient* orient, const double axis[3]) {
  ctReal vec[3], quat[4];
  cti_to_real(vec, axis, 3);
  cti_quat_z_to_vec(quat, vec);
  *orient = (ctiOrient){.form = CTI_ORIENT_QUAT};
  for (int i = 0; i < 4; i++) orient->quat[i] = (double)quat[i];
}

// The pose that the two ends of a segment mean.
static void leave_ends(int type, double pos[3], ctiOrient* orient, double size[3], const double ends[6]) {
  double axis[3];
  cti_dsub3(axis, ends, ends + 3);
  for (int i = 0; i < 3; i++) pos[i] = (ends[i] + ends[3 + i]) / 2;
  point_along(orient, axis);
  bool square = type == CT_GEOM_BOX || type == CT_GEOM_ELLIPSOID;
  if (square) size[1] = size[0];
  size[square ? 2 : 1] = sqrt(cti_ddot3(axis, axis)) / 2;
}

// The segment points where its ends went; from then on it is a pose.
static void turn_ends(const ctiStretch* s, double ends[6], ctiOrient* orient) {
  double axis[3];
  cti_dsub3(axis, ends, ends + 3);
  cti_stretch_vector(s, axis);
  point_along(orient, axis);
  for (int i = 0; i < 6; i++) ends[i] = NAN;
}

// Factors of the three sizes of a shape, its own axes given; `strict` shapes must stay what they are.
static const char* size_factors(double out[3], int type, const ctiPlace* p, const ctiStretch* own,
                                bool strict, bool ends) {
  double along[3];
  for (int i = 0; i < 3; i++) out[i] = along[i] = cti_stretch_along(own, axes[i]);
  bool round = type == CT_GEOM_CAPSULE || type == CT_GEOM_CYLINDER;
  double least = fmin(along[0], fmin(along[1], along[2])), most = fmax(along[0], fmax(along[1], along[2]));
  if (type == CT_GEOM_SPHERE) {
    out[0] = p->scale->length;
    out[1] = out[2] = 1;
    return strict && !cti_nearly_equal(least, most)
               ? "a sphere can only be scaled by the same factor in all directions; use an ellipsoid"
               : NULL;
  }
  const char* trouble = strict ? cti_stretch_needs_axes(own) : NULL;
  if (trouble) return trouble;
  if (strict && (round || ends) && !cti_nearly_equal(along[0], along[1]))
    return "this shape can only be scaled by the same factor in all directions across its axis";
  // what is square across a segment stays so
  if (round || ends) out[0] = out[1] = own->uniform ? own->factor : sqrt(along[0] * along[1]);
  if (round) {
    out[1] = along[2];
    out[2] = 1;
  }
  if (type == CT_GEOM_PLANE) out[2] = p->scale->length;
  return NULL;
}

// Whether the density of a geom counts by area.
static bool is_shell(const ctiScaleWork* w, const ctiGeom* g) {
  bool shaped = g->type == CT_GEOM_MESH || g->type == CT_GEOM_SDF;
  const ctiMeshAsset* mesh =
      shaped ? (const ctiMeshAsset*)(const void*)cti_scale_find(w, CT_OBJ_MESH, g->mesh) : NULL;
  return g->shellinertia || (mesh && mesh->inertia == CTI_INERTIA_SHELL);
}

static ctStatus scale_geom(ctiScaleWork* w, ctiGeom* g) {
  const ctiPlace* p = cti_place_of(w, &g->head);
  const ctiScale* s = p->scale;
  bool ends = !isnan(g->fromto[0]);
  if (ends) CT_TRY(cti_check_segment(w->err, g->type, g->pos, &g->head));
  if (ends) leave_ends(g->type, g->pos, &g->orient, g->size, g->fromto);
  ctiStretch own;
  CT_TRY(cti_stretch_turned(&own, w, &p->stretch, &g->orient, &g->head));
  cti_stretch_vector(&p->stretch, g->pos);
  if (ends) turn_ends(&p->stretch, g->fromto, &g->orient);
  if (!g->mesh && !g->hfield) {
    double factor[3];
    const char* trouble = size_factors(factor, g->type, p, &own, true, ends);
    if (trouble) return cti_spec_error(w->err, CT_ERR_INVALID, &g->head, "%s", trouble);
    for (int i = 0; i < 3; i++) g->size[i] *= factor[i];
  }
  cti_stretch_vector(&own, g->surfacevel);
  g->mass *= s->mass;
  g->density *= s->mass / pow(s->length, is_shell(w, g) ? 2 : 3);
  g->margin *= s->length;
  g->gap *= s->length;
  g->solimp[2] *= s->length;
  times(g->friction + 1, 2, s->length);
  g->adhesion *= cti_force_factor(s, 1, 1);
  return CT_OK;
}

static ctStatus scale_site(ctiScaleWork* w, ctiSite* t) {
  const ctiPlace* p = cti_place_of(w, &t->head);
  bool ends = !isnan(t->fromto[0]);
  if (ends) CT_TRY(cti_check_segment(w->err, t->type, t->pos, &t->head));
  if (ends) leave_ends(t->type, t->pos, &t->orient, t->size, t->fromto);
  ctiStretch own;
  double factor[3];
  CT_TRY(cti_stretch_turned(&own, w, &p->stretch, &t->orient, &t->head));
  cti_stretch_vector(&p->stretch, t->pos);
  if (ends) turn_ends(&p->stretch, t->fromto, &t->orient);
  if (t->mesh) return CT_OK;
  (void)size_factors(factor, t->type, p, &own, false, ends);
  for (int i = 0; i < 3; i++) t->size[i] *= factor[i];
  return CT_OK;
}

// ---- the scene

static void scale_camera(const ctiScaleWork* w, ctiCamera* c) {
  const ctiPlace* p = cti_place_of(w, &c->head);
  cti_stretch_vector(&p->stretch, c->pos);
  c->ipd *= p->scale->length;
  times_float(c->focal, 2, p->scale->length);
  times_float(c->principal, 2, p->scale->length);
  times_float(c->sensorsize, 2, p->scale->length);
}

static void scale_light(const ctiScaleWork* w, ctiLight* l) {
  const ctiPlace* p = cti_place_of(w, &l->head);
  double length = p->scale->length;
  cti_stretch_vector(&p->stretch, l->pos);
  times_float(&l->bulbradius, 1, length);
  times_float(&l->range, 1, length);
  times_float(l->attenuation + 1, 1, 1 / length);
  times_float(l->attenuation + 2, 1, 1 / (length * length));
}

// What stands in bodies.
static ctStatus scale_parts(ctiScaleWork* w) {
  for (int i = 0; i < w->nbody; i++) {
    ctiBody* b = w->body[i];
    if (b->has_inertial) CT_TRY(scale_inertial(w, b));
    for (int k = 0; k < b->joints.count; k++) CT_TRY(scale_joint(w, b->joints.data[k]));
    for (int k = 0; k < b->geoms.count; k++) CT_TRY(scale_geom(w, b->geoms.data[k]));
    for (int k = 0; k < b->sites.count; k++) CT_TRY(scale_site(w, b->sites.data[k]));
    for (int k = 0; k < b->cameras.count; k++) scale_camera(w, b->cameras.data[k]);
    for (int k = 0; k < b->lights.count; k++) scale_light(w, b->lights.data[k]);
  }
  return CT_OK;
}

// ---- the whole

ctStatus cti_scale_spec(ctSpec* spec, ctError* err) {
  static ctStatus (*const steps[])(ctiScaleWork*) = {
      cti_place_all,
      cti_scale_sections,
      scale_parts,
  };
  ctiScaleWork w = {.spec = spec, .err = err, .region = cti_region_create(&spec->allocator)};
  if (!w.region) return cti_error_memory(err);
  w.none = (ctiScale){.length = 1, .mass = 1, .force_length = 1, .force_mass = 1};
  ctStatus status = CT_OK;
  for (int i = 0; i < CT_COUNT_OF(steps) && status == CT_OK; i++) status = steps[i](&w);
  cti_region_free(w.region);
  return status;
}
