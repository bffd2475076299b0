// Volume, centre of mass and inertia of a surface of triangles, and the area of a shell.
#pragma once

#include "asset/mesh.h"

// Faces of `face` (nface x 3) over `vert`.
typedef struct ctiSurface {
  const double* vert;
  const int* face;
  int nface;
} ctiSurface;

// Density 1: `volume` is the mass (the area of a shell).
typedef struct ctiMassProperties {
  double volume;
  double centre[3];
  double inertia[6];  // about `centre`: xx yy zz xy xz yz
} ctiMassProperties;

// Of what `surface` encloses; its pyramids stand on the centre of `shape`, which for a hull is the surface
// that it is around. CT_ERR_INVALID when there is no area, or no volume where one is needed, or a negative
// one.
ctStatus cti_surface_mass(ctiMassProperties* out, const ctiSurface* surface, const ctiSurface* shape,
                          ctiMeshInertia mode, ctError* err);

// Every edge must be met once in each direction: CT_ERR_INVALID otherwise. Memory is taken from `region`.
ctStatus cti_surface_check_orientation(const ctiSurface* surface, int nvert, ctiRegion* region, ctError* err);
