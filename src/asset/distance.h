// Signed distance from a point to a mesh.
#pragma once

#include "asset/bvh.h"

// Faces over `vert`, their tree of boxes, and their unit normals (zero for faces without area).
typedef struct ctiDistanceField {
  const double* vert;
  const int* face;
  const ctiBvh* bvh;
  double* normal;
} ctiDistanceField;

// Prepare queries. The arrays are borrowed; normals are made in `region`. CT_ERR_MEMORY.
ctStatus cti_distance_init(ctiDistanceField* field, const double* vert, const int* face, int nface,
                           const ctiBvh* bvh, ctiRegion* region, ctError* err);

// Distance to the nearest face, negative inside. Which side a point is on is told by the faces it is nearest
// to: their normals, weighted by the angle they take up around the nearest point.
double cti_distance(const ctiDistanceField* field, const double point[3]);
