// Meshes on their way back.
#pragma once

#include "asset/mesh.h"
#include "lift/lift.h"

// How far vertices may be from those of the model, as a part of the mesh's size: a few roundings of a float.
#define CTI_LIFT_MESH_TOLERANCE (sizeof(ctReal) == sizeof(double) ? 1e-6 : 1e-5)

// A mesh as it would stand in a file: before the compiler scales it and moves it to its own frame.
typedef struct ctiRawParts {
  int nvert, nnormal, ntexcoord, nface;
  double *at, *slack;  // nvert x 3: where vertices are, and how far off that may be
  float *vert, *normal;
  const float* texcoord;
  int *face, *facenormal, *facetexcoord;
} ctiRawParts;

// How the compiler makes the mesh of the model from one in a file, as far as that can be found out.
typedef struct ctiMeshGuess {
  ctiRawParts raw;
  ctiLiftFrame file;  // of the model's vertices in those of the file
  ctiLiftFrame made;  // what geoms take off their pose
  int inertia, maxhullvert;
  bool bare;        // without faces: those of the hull are taken
  double error;     // of the vertices, as a part of their size
  bool hull;        // it comes out the same
  bool as_it_lies;  // in the file as in the model
} ctiMeshGuess;

ctStatus cti_lift_guess_mesh(ctiMeshGuess* out, const ctModel* m, int id, bool needs_hull, ctiRegion* scratch,
                             ctError* err);

// Find the vertices and normals as seen in a frame of the file; then choose numbers: the simplest ones that
// can have been there, or the nearest.
void cti_raw_place(const ctiRawParts* raw, const ctModel* m, int id, const ctiLiftFrame* frame);
ctStatus cti_raw_settle(const ctiRawParts* raw, bool simple, ctiRegion* scratch, ctError* err);

// Whether one list of faces says it all: normals and texture coordinates are numbered as vertices are.
bool cti_raw_is_plain(const ctiRawParts* raw);

// The text of an OBJ file, where each has its own numbers.
ctStatus cti_raw_to_obj(char** text, size_t* size, const ctiRawParts* raw, ctiRegion* region, ctError* err);
