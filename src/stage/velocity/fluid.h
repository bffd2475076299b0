// Velocity stage: forces of the surrounding fluid, by boxes of equal inertia or by ellipsoids in place of
// geoms.
//   reads   d->cvel, xipos, ximat, geom_xpos, geom_xmat; m->opt.density, viscosity, wind, geom_fluid
//   writes  d->qfrc_fluid
//   before  com velocity
#pragma once

#include "base/fn.h"
#include "corten/data.h"

// Adds the fluid's forces to d->qfrc_fluid; false when there is no fluid.
CT_FN bool cti_fluid(const ctModel* m, ctData* d);

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
