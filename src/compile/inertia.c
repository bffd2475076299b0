// Masses and inertias: given with <inertial>, or inferred from the geoms.
#include "compile/build.h"

#include <math.h>

#include "corten/types.h"
#include "math/eig3.h"
#include "math/quat.h"

// ---- volume, surface and moments of the primitive shapes

// A thin shell of an ellipsoid is taken as the difference of two solid ones; the outer is larger by this
// (metres).
#define SHELL_THICKNESS 1e-6

static const ctReal pi = CT_R(CTI_PI);

static ctReal ellipsoid_volume(const ctReal s[3]) {
  return 4 * pi * s[0] * s[1] * s[2] / 3;
}

// Knud Thomsen's approximation of the surface, within 1.1 %.
static ctReal ellipsoid_surface(const ctReal s[3]) {
  const ctReal p = CT_R(1.6075);
  ctReal ab = cti_pow(s[0] * s[1], p), bc = cti_pow(s[1] * s[2], p), ca = cti_pow(s[2] * s[0], p);
  return 4 * pi * cti_pow((ab + bc + ca) / 3, 1 / p);
}

// Volume, or surface when `shell`; 0 for shapes without one.
static ctReal shape_volume(int type, const ctReal s[3], bool shell) {
  ctReal r = s[0], height = 2 * s[1];
  switch (type) {
    case CT_GEOM_SPHERE: return shell ? 4 * pi * r * r : 4 * pi * r * r * r / 3;
    case CT_GEOM_CAPSULE:
      return shell ? 4 * pi * r * r + 2 * pi * r * height : pi * (r * r * height + 4 * r * r * r / 3);
    case CT_GEOM_CYLINDER: return shell ? 2 * pi * r * r + 2 * pi * r * height : pi * r * r * height;
    case CT_GEOM_ELLIPSOID: return shell ? ellipsoid_surface(s) : ellipsoid_volume(s);
    // a height field weighs as a box of its mean height
    case CT_GEOM_HFIELD:
    case CT_GEOM_BOX: return shell ? 8 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]) : 8 * s[0] * s[1] * s[2];
    default: return 0;
  }
}

static void set3(ctReal out[3], ctReal x, ctReal y, ctReal z) {
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

// A cylinder and two half balls, sharing the mass by volume.
static void capsule(ctReal out[3], const ctReal s[3], ctReal mass) {
  ctReal r = s[0], h = 2 * s[1];
  ctReal ball = mass * 4 * r / (4 * r + 3 * h), cylinder = mass - ball;
  ctReal across = cylinder * (3 * r * r + h * h) / 12, along = cylinder * r * r / 2;
  // half balls: their own moments, moved out from the centre
  ctReal spin = 2 * ball * r * r / 5;
  set3(out, across + spin + ball * h * (3 * r + 2 * h) / 8, across + spin + ball * h * (3 * r + 2 * h) / 8,
       along + spin);
}

// A tube and two half spheres, sharing the mass by surface.
static void capsule_shell(ctReal out[3], const ctReal s[3], ctReal mass) {
  ctReal r = s[0], h = 2 * s[1];
  ctReal ball = mass * 2 * r / (2 * r + h), tube = mass - ball;
  ctReal across = tube * (6 * r * r + h * h) / 12, along = tube * r * r;
  ctReal spin = 2 * ball * r * r / 3;
  // a half sphere's centre of mass is half a radius out
  ctReal shift = ball * (h * h / 4 + h * r / 2);
  set3(out, across + spin + shift, across + spin + shift, along + spin);
}

static void cylinder_shell(ctReal out[3], const ctReal s[3], ctReal mass) {
  ctReal r = s[0], h = 2 * s[1];
  ctReal discs = mass * r / (r + h), tube = mass - discs;
  ctReal across = tube * (6 * r * r + h * h) / 12 + discs * (r * r + h * h) / 4;
  set3(out, across, across, tube * r * r + discs * r * r / 2);
}

// Six plates, sharing the mass by area.
static void box_shell(ctReal out[3], const ctReal s[3], ctReal mass) {
  ctReal square[3] = {0, 0, 0};  // second moments of the surface along each axis
  ctReal area = s[0] * s[1] + s[1] * s[2] + s[2] * s[0];
  for (int i = 0; i < 3; i++) {
    ctReal part = s[(i + 1) % 3] * s[(i + 2) % 3] / area * mass;  // the pair of plates across axis i
    square[i] += part * s[i] * s[i];
    square[(i + 1) % 3] += part * s[(i + 1) % 3] * s[(i + 1) % 3] / 3;
    square[(i + 2) % 3] += part * s[(i + 2) % 3] * s[(i + 2) % 3] / 3;
  }
  set3(out, square[1] + square[2], square[0] + square[2], square[0] + square[1]);
}

static void ellipsoid(ctReal out[3], const ctReal s[3], ctReal mass) {
  set3(out, mass * (s[1] * s[1] + s[2] * s[2]) / 5, mass * (s[0] * s[0] + s[2] * s[2]) / 5,
       mass * (s[0] * s[0] + s[1] * s[1]) / 5);
}

static void ellipsoid_shell(ctReal out[3], const ctReal s[3], ctReal mass) {
  ctReal outer[3], add[3], sub[3];
  for (int i = 0; i < 3; i++) outer[i] = s[i] + CT_R(SHELL_THICKNESS);
  ctReal v1 = ellipsoid_volume(outer), v0 = ellipsoid_volume(s), density = mass / (v1 - v0);
  ellipsoid(add, outer, density * v1);
  ellipsoid(sub, s, density * v0);
  cti_sub3(out, add, sub);
}

// Principal moments along the shape's axes of a body with this mass, uniform over its volume or its surface.
static void shape_inertia(ctReal out[3], int type, const ctReal s[3], ctReal mass, bool shell) {
  ctReal r = s[0], h = 2 * s[1];
  switch (type) {
    case CT_GEOM_SPHERE: {
      ctReal spin = (shell ? 2 * mass / 3 : 2 * mass / 5) * r * r;
      set3(out, spin, spin, spin);
      break;
    }
    case CT_GEOM_CAPSULE: shell ? capsule_shell(out, s, mass) : capsule(out, s, mass); break;
    case CT_GEOM_CYLINDER:
      if (shell) {
        cylinder_shell(out, s, mass);
      } else {
        set3(out, mass * (3 * r * r + h * h) / 12, mass * (3 * r * r + h * h) / 12, mass * r * r / 2);
      }
      break;
    case CT_GEOM_ELLIPSOID: shell ? ellipsoid_shell(out, s, mass) : ellipsoid(out, s, mass); break;
    case CT_GEOM_HFIELD:
    case CT_GEOM_BOX:
      if (shell) {
        box_shell(out, s, mass);
      } else {
        set3(out, mass * (s[1] * s[1] + s[2] * s[2]) / 3, mass * (s[0] * s[0] + s[2] * s[2]) / 3,
             mass * (s[0] * s[0] + s[1] * s[1]) / 3);
      }
      break;
    default: cti_zero3(out);
  }
}

void cti_inertia_add(ctReal sum[9], const ctReal quat[4], const ctReal diag[3], ctReal mass,
                     const ctReal d[3]) {
  ctReal r[9], scaled[9], turned[9];
  cti_quat_to_mat_settled(r, quat);
  for (int i = 0; i < 9; i++) scaled[i] = diag[i % 3] * r[i];
  cti_mul_mat_mat_t3(turned, r, scaled);
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    sum[4 * i] = sum[4 * i] + turned[4 * i] + mass * (d[j] * d[j] + d[k] * d[k]);
  }
  for (int i = 0; i < 3; i++) {
    for (int j = i + 1; j < 3; j++) {
      sum[3 * i + j] = sum[3 * i + j] + turned[3 * i + j] - mass * d[i] * d[j];
      sum[3 * j + i] = sum[3 * i + j];
    }
  }
}

// ---- of bodies

// Geoms lighter than this do not count.
#define MIN_GEOM_MASS CT_R(1e-14)

static ctStatus weigh_geom(ctiBuild* b, ctiBuildGeom* g) {
  const ctiGeom* s = g->spec;
  if (s->shellinertia && (s->type == CT_GEOM_MESH || s->type == CT_GEOM_SDF))
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          "a mesh says itself how it weighs: set inertia=\"shell\" of <mesh>");
  const ctiMesh* mesh = g->mesh >= 0 ? &b->mesh[g->mesh] : NULL;
  ctReal volume = mesh ? (ctReal)mesh->volume : shape_volume(s->type, g->size, s->shellinertia);
  g->mass = isnan(s->mass) ? (ctReal)s->density * volume : (ctReal)s->mass;
  if (volume <= 0) g->mass = 0;
  if (mesh) {
    // a solid box that turns like the mesh
    ctReal box[3];
    cti_to_real(box, mesh->boxsz, 3);
    shape_inertia(g->inertia, CT_GEOM_BOX, box, g->mass, false);
  } else {
    shape_inertia(g->inertia, s->type, g->size, g->mass, s->shellinertia);
  }
  return CT_OK;
}

static bool has_inertia_group(const ctiBuild* b, const ctiBuildGeom* g) {
  const int* range = cti_compiler_of(b->spec, &b->body[g->body].spec->head)->inertiagrouprange;
  return g->spec->group >= range[0] && g->spec->group <= range[1];
}

bool cti_geom_counts(const ctiBuild* b, const ctiBuildGeom* g) {
  return g->mass > MIN_GEOM_MASS && has_inertia_group(b, g);
}

// Nothing is known: the inertial frame repeats the pose the body was given, the frames around it left out.
static ctStatus repeat_pose(const ctiBuild* b, ctiBuildBody* body) {
  cti_to_real(body->ipos, body->spec->pos, 3);
  return cti_resolve_orient(body->iquat, b, &body->spec->orient, &body->spec->head);
}

static ctStatus take_given(ctiBuild* b, ctiBuildBody* body) {
  const ctiInertial* s = &body->spec->inertial;
  for (int i = 0; i < 3; i++) {
    body->ipos[i] = (ctReal)s->pos[i];
    body->inertia[i] = (ctReal)s->diaginertia[i];
  }
  body->mass = (ctReal)s->mass;
  if (isnan(s->fullinertia[0])) {
    CT_TRY(cti_resolve_orient(body->iquat, b, &s->orient, &s->head));
    return cti_leave_frames(body->ipos, body->iquat, b, s->head.frame);
  }
  const double* f = s->fullinertia;  // xx yy zz xy xz yz
  const double full[9] = {f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2]};
  ctReal mat[9];
  for (int i = 0; i < 9; i++) mat[i] = (ctReal)full[i];
  cti_eig3(body->inertia, NULL, body->iquat, mat, CTI_EIG_TOL, CTI_EIG_SORT);
  if (body->inertia[2] <= 0 && cti_compiler_of(b->spec, &body->spec->head)->boundinertia <= 0) {
    return cti_spec_error(b->err, CT_ERR_INVALID, &s->head,
                          "fullinertia is not positive definite (order is xx yy zz xy xz yz)");
  }
  return cti_leave_frames(body->ipos, body->iquat, b, s->head.frame);
}

// Where no geom counts, what is given does.
static ctStatus infer(ctiBuild* b, ctiBuildBody* body) {
  const ctiBuildGeom* only = NULL;
  int count = 0;
  cti_zero3(body->ipos);
  for (int i = body->geomadr; i < body->geomadr + body->geomnum; i++) {
    const ctiBuildGeom* g = &b->geom[i];
    if (has_inertia_group(b, g) && (g->spec->mass < 0 || g->spec->density < 0)) {
      return cti_spec_error(b->err, CT_ERR_INVALID, &g->spec->head, "mass and density must not be negative");
    }
    if (!cti_geom_counts(b, g)) continue;
    count++;
    only = g;
    body->mass += g->mass;
    cti_add_scaled3(body->ipos, g->pos, g->mass);
  }
  if (count == 0) {
    body->inferred = !body->spec->has_inertial;
    return body->inferred ? repeat_pose(b, body) : take_given(b, body);
  }
  if (count == 1) {
    cti_copy3(body->ipos, only->pos);
    cti_copy4(body->iquat, only->quat);
    cti_copy3(body->inertia, only->inertia);
    return CT_OK;
  }
  for (int k = 0; k < 3; k++) body->ipos[k] /= body->mass;

  // sum about the common centre of mass, then principal axes
  ctReal sum[9] = {0};
  for (int i = body->geomadr; i < body->geomadr + body->geomnum; i++) {
    const ctiBuildGeom* g = &b->geom[i];
    if (!cti_geom_counts(b, g)) continue;
    ctReal d[3];
    cti_sub3(d, g->pos, body->ipos);
    cti_inertia_add(sum, g->quat, g->inertia, g->mass, d);
  }
  cti_eig3(body->inertia, NULL, body->iquat, sum, CTI_EIG_TOL, CTI_EIG_SORT);
  return CT_OK;
}

static ctStatus bound_and_check(ctiBuild* b, ctiBuildBody* body) {
  const ctiElement* e = &body->spec->head;
  const ctiCompiler* c = cti_compiler_of(b->spec, e);
  const ctReal mass = body->mass;
  ctReal* I = body->inertia;
  const ctReal before[3] = {I[0], I[1], I[2]};
  body->mass = cti_max(body->mass, (ctReal)c->boundmass);
  for (int i = 0; i < 3; i++) I[i] = cti_max(I[i], (ctReal)c->boundinertia);
  body->adjusted = body->mass != mass || I[0] != before[0] || I[1] != before[1] || I[2] != before[2];
  if (body->mass < 0 || I[0] < 0 || I[1] < 0 || I[2] < 0) {
    return cti_spec_error(b->err, CT_ERR_INVALID, e, "mass and inertia must not be negative");
  }
  // the sum of two moments is at least the third, for any real body
  const ctReal tolerance = CT_R(1e-6);
  bool possible = I[0] + I[1] >= I[2] * (1 - tolerance) && I[0] + I[2] >= I[1] * (1 - tolerance) &&
                  I[1] + I[2] >= I[0] * (1 - tolerance);
  if (possible) return CT_OK;
  if (!c->balanceinertia) {
    return cti_spec_error(
        b->err, CT_ERR_INVALID, e,
        "no body has the moments of inertia %g %g %g: each must be at most the sum of the other two; "
        "correct them or set balanceinertia=\"true\" in <compiler>",
        (double)I[0], (double)I[1], (double)I[2]);
  }
  I[0] = I[1] = I[2] = (I[0] + I[1] + I[2]) / 3;
  body->adjusted = true;
  return CT_OK;
}

static bool has_substance(const ctiBuildBody* body) {
  return body->mass >= CTI_MINVAL && body->inertia[0] >= CTI_MINVAL && body->inertia[1] >= CTI_MINVAL &&
         body->inertia[2] >= CTI_MINVAL;
}

// A moving body needs mass, its own or that of something welded to it.
static ctStatus check_moving(ctiBuild* b) {
  int n = b->sizes.nbody;
  bool* carries = CTI_NEW_ARRAY(b->region, bool, n);
  if (!carries) return cti_error_memory(b->err);
  for (int i = n - 1; i > 0; i--) {
    const ctiBuildBody* body = &b->body[i];
    if (has_substance(body)) carries[i] = true;
    if (carries[i] && body->jntnum == 0) carries[body->parent] = true;
  }
  for (int i = 1; i < n; i++) {
    const ctiBuildBody* body = &b->body[i];
    if (body->jntnum == 0 || carries[i]) continue;
    return cti_spec_error(
        b->err, CT_ERR_INVALID, &body->spec->head,
        "a body that moves needs mass and inertia: give it a geom or an <inertial>, or set boundmass "
        "and boundinertia in <compiler>");
  }
  return CT_OK;
}

static void set_total_mass(ctiBuild* b) {
  ctReal total = 0, wanted = (ctReal)b->spec->compiler.settotalmass;
  for (int i = 1; i < b->sizes.nbody; i++) total += b->body[i].mass;
  if (wanted <= 0 || total <= 0) return;
  ctReal scale = cti_max(CTI_MINVAL, wanted / total);
  for (int i = 1; i < b->sizes.nbody; i++) {
    b->body[i].mass *= scale;
    cti_scale3(b->body[i].inertia, b->body[i].inertia, scale);
  }
}

ctStatus cti_pass_inertia(ctiBuild* b) {
  for (int i = 0; i < b->sizes.ngeom; i++) CT_TRY(weigh_geom(b, &b->geom[i]));
  cti_quat_unit(b->body[0].iquat);
  for (int i = 1; i < b->sizes.nbody; i++) {
    ctiBuildBody* body = &b->body[i];
    const ctiCompiler* c = cti_compiler_of(b->spec, &body->spec->head);
    bool from_geoms =
        c->inertiafromgeom == CTI_TRUE || (c->inertiafromgeom == CTI_AUTO && !body->spec->has_inertial);
    body->inferred = from_geoms;
    if (from_geoms) {
      CT_TRY(infer(b, body));
    } else if (body->spec->has_inertial) {
      CT_TRY(take_given(b, body));
    } else {
      CT_TRY(repeat_pose(b, body));
    }
    CT_TRY(bound_and_check(b, body));
  }
  CT_TRY(check_moving(b));
  set_total_mass(b);
  return CT_OK;
}
