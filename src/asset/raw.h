// A mesh as it was written: the arrays of a file, of the model text, or of a generated shape, before any
// processing.
#pragma once

#include "base/alloc.h"

// Largest number of vertices, normals, texture coordinates and faces: three indices a face must fit an int.
#define CTI_MESH_MAX_COUNT (1 << 28)

// Faces are triangles, counter-clockwise seen from outside. A count of 0 means that the array was not given.
// Normals and texture coordinates have indices of their own; where `facenormal` or `facetexcoord` is NULL
// they are those of `face`.
typedef struct ctiRawMesh {
  int nvert, nnormal, ntexcoord, nface;
  double* vert;       // nvert x 3; numbers that fit a float
  float* normal;      // nnormal x 3
  float* texcoord;    // ntexcoord x 2
  int* face;          // nface x 3
  int* facenormal;    // nface x 3
  int* facetexcoord;  // nface x 3
  // segments of an OBJ file, for deformables
  int nline;
  int* line;  // nline x 2
} ctiRawMesh;

// Doubles from `n` floats, in the region; NULL when memory runs out.
static inline double* cti_widen(const float* from, size_t n, ctiRegion* region) {
  double* to = CTI_NEW_ARRAY(region, double, n);
  for (size_t i = 0; to && i < n; i++) to[i] = (double)from[i];
  return to;
}
