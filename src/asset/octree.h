// Signed distance field of a mesh on an octree, for geoms of type sdf. Cells that a face passes through are
// divided down to a fixed depth; then neighbours across a side differ by one level at most. Every cell stores
// the distance at its eight corners, made continuous: a corner on the side or edge of a larger cell has the
// value that cell has there.
#pragma once

#include "asset/bvh.h"
#include "asset/mesh.h"

// Fill the oct_* arrays from aabb, face and bvh. `vert` are the centred vertices, not rounded.
ctStatus cti_octree_build(ctiMesh* m, const double* vert, ctiRegion* region, ctError* err);

// ---- signed distance

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

// Distance to the nearest face, negative inside. Which side a point is on follows from the faces it is
// nearest to: their normals, weighted by the angle they take up around the nearest point.
double cti_distance(const ctiDistanceField* field, const double point[3]);
