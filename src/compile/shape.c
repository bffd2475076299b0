#include "compile/shape.h"

#include "corten/types.h"
#include "math/quat.h"

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

ctReal cti_shape_volume(int type, const ctReal s[3], bool shell) {
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

void cti_shape_inertia(ctReal out[3], int type, const ctReal s[3], ctReal mass, bool shell) {
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
