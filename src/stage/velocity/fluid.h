// Velocity stage: forces of the surrounding fluid, by boxes of equal inertia or by ellipsoids in place of
// geoms.
//   reads   d->cvel, xipos, ximat, geom_xpos, geom_xmat; m->opt.density, viscosity, wind, geom_fluid
//   writes  d->qfrc_fluid
//   before  com velocity
#pragma once

#include "base/fn.h"
#include "corten/data.h"
#include "math/quat.h"

// Is there a fluid?
CT_INLINE bool cti_has_fluid(const ctModel* m) {
  return m->opt.density > 0 || m->opt.viscosity > 0;
}

// Semi-axes of the ellipsoid in place of a geom.
CT_FN void cti_fluid_semiaxes(ctReal size[3], const ctModel* m, int geom);

// A shape in the fluid: its frame and size, and how the fluid acts on it.
typedef struct ctiFluidShape {
  const ctReal *pos, *mat;
  const ctReal* coef;  // ellipsoid: row of geom_fluid; NULL for the box of a body's inertia
  ctReal size[3];      // semi-axes, or edges of the box
  ctReal local[6];     // velocity in the shape's frame relative to the fluid, rotation first
} ctiFluidShape;

// The next shape of a body: the ellipsoids of its geoms one after another, or else one box. `cursor` starts
// at 0. False when there is none left.
CT_FN bool cti_fluid_shape(ctiFluidShape* shape, const ctModel* m, const ctData* d, int body, int* cursor);

// Force on a shape (torque first) in its own frame.
CT_FN void cti_fluid_force(ctReal out[6], const ctModel* m, const ctiFluidShape* shape);

// ---- the terms of the fluid models, shared by forces and their derivatives ----

// Places in a row of geom_fluid.
#define CTI_FLUID_SCALE   0
#define CTI_FLUID_BLUNT   1
#define CTI_FLUID_SLENDER 2
#define CTI_FLUID_ANGULAR 3
#define CTI_FLUID_KUTTA   4
#define CTI_FLUID_MAGNUS  5
#define CTI_FLUID_MASS    6
#define CTI_FLUID_INERTIA 9

// Resistance of a box: per axis -(linear + square |x|) x.
typedef struct ctiBoxDrag {
  ctReal turn_linear, move_linear;
  ctReal turn_square[3], move_square[3];
} ctiBoxDrag;

CT_INLINE ctiBoxDrag cti_box_drag(const ctModel* m, const ctReal edge[3]) {
  ctiBoxDrag drag;
  // viscosity acts as on a sphere of the mean size
  ctReal diameter = (edge[0] + edge[1] + edge[2]) / 3;
  drag.move_linear = 3 * CT_R(CTI_PI) * diameter * m->opt.viscosity;
  drag.turn_linear = CT_R(CTI_PI) * diameter * diameter * diameter * m->opt.viscosity;
  for (int k = 0; k < 3; k++) {
    ctReal a = edge[(k + 1) % 3], b = edge[(k + 2) % 3];
    drag.move_square[k] = CT_R(0.5) * m->opt.density * a * b;
    drag.turn_square[k] = m->opt.density * edge[k] * (a * a * a * a + b * b * b * b) / 64;
  }
  return drag;
}

// The terms of an ellipsoid moving with velocity v and spin w. With a_i the squared product of the two other
// semi-axes, u = a v (element by element) is along the normal of the section that casts the shadow.
typedef struct ctiEllipsoid {
  ctReal a[3], u[3];
  ctReal speed, v2;     // |v|, v.v
  ctReal p, q;          // u.v, u.u
  ctReal area;          // of the shadow along v
  ctReal drag;          // drag is -drag |v| v
  ctReal drag_by_area;  // derivative of `drag` by `area`
  ctReal kutta;         // Kutta lift is kutta (p v - v2 u)
  ctReal magnus;        // Magnus lift is magnus (w x v)
  ctReal swept[3];      // resistance to turning about each axis
  ctReal turn_drag;     // angular drag is -turn_drag w
  ctReal move_linear, turn_linear;
} ctiEllipsoid;

CT_INLINE ctiEllipsoid cti_ellipsoid(const ctModel* m, const ctiFluidShape* shape) {
  const ctReal *r = shape->size, *coef = shape->coef, *w = shape->local, *v = shape->local + 3;
  const ctReal pi = CT_R(CTI_PI), density = m->opt.density;
  ctiEllipsoid e;
  ctReal largest_inertia = 0, inertia[3];
  for (int k = 0; k < 3; k++) {
    ctReal x = r[(k + 1) % 3], y = r[(k + 2) % 3], longer = cti_max(x, y);
    e.a[k] = x * y * x * y;
    e.u[k] = e.a[k] * v[k];
    inertia[k] = 8 * pi / 15 * r[k] * longer * longer * longer * longer;
    largest_inertia = cti_max(largest_inertia, inertia[k]);
  }
  e.v2 = cti_dot3(v, v);
  e.speed = cti_sqrt(e.v2);
  e.p = cti_dot3(e.u, v);
  e.q = cti_dot3(e.u, e.u);
  ctReal largest = cti_max(r[0], cti_max(r[1], r[2])), least = cti_min(r[0], cti_min(r[1], r[2]));
  ctReal middle = r[0] + r[1] + r[2] - largest - least;
  ctReal full_area = pi * largest * middle;
  bool moves = e.p > CTI_MINVAL * CTI_MINVAL && e.q > CTI_MINVAL * CTI_MINVAL && e.speed > CTI_MINVAL;
  e.area = moves ? pi * cti_sqrt(e.q / e.p) : full_area;
  e.drag_by_area = density * (coef[CTI_FLUID_BLUNT] - coef[CTI_FLUID_SLENDER]);
  e.drag = e.drag_by_area * e.area + density * coef[CTI_FLUID_SLENDER] * full_area;
  e.kutta = moves ? coef[CTI_FLUID_KUTTA] * density * pi * cti_sqrt(e.p / e.q) / e.speed : CT_R(0);
  e.magnus = coef[CTI_FLUID_MAGNUS] * density * 4 * pi / 3 * r[0] * r[1] * r[2];
  ctReal turn[3];
  for (int k = 0; k < 3; k++) {
    e.swept[k] = density * (coef[CTI_FLUID_ANGULAR] * inertia[k] +
                            coef[CTI_FLUID_SLENDER] * (largest_inertia - inertia[k]));
    turn[k] = e.swept[k] * w[k];
  }
  e.turn_drag = cti_norm3(turn);
  ctReal radius = (r[0] + r[1] + r[2]) / 3;
  e.move_linear = 6 * pi * radius * m->opt.viscosity;
  e.turn_linear = 8 * pi * radius * radius * radius * m->opt.viscosity;
  return e;
}
