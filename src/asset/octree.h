// Signed distance field of a mesh on an octree, for geoms of type sdf. Cells that a face passes through are
// divided down to a fixed depth; then neighbours across a side differ by one level at most. Every cell stores
// the distance at its eight corners, made continuous: a corner on the side or edge of a larger cell has the
// value that cell has there.
#pragma once

#include "asset/mesh.h"

// Fill the oct_* arrays from aabb, face and bvh. `vert` are the centred vertices, not rounded.
ctStatus cti_octree_build(ctiMesh* m, const double* vert, ctiRegion* region, ctError* err);
