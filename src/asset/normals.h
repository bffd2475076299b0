// Normals at the vertices of a mesh, for drawing. They are floats, made with the roundings of MuJoCo, so
// that pictures and saved models agree to the bit.
#pragma once

#include "base/region.h"

// Write a unit normal for each of nvert vertices: the average over its faces, weighted by area. Unless
// `smooth`, faces at a large angle to that average are left out, so that sharp edges stay sharp. A vertex
// without faces gets (0, 0, 1).
ctStatus cti_normals_make(float* normal, const double* vert, int nvert, const int* face, int nface,
                          bool smooth, ctiRegion* region, ctError* err);

// Scale to unit length; a vector that is as good as zero becomes (0, 0, 1).
void cti_normal_unit(float normal[3]);
