// Shared by the files that generate meshes.
#pragma once

#include "asset/builtin.h"

// A mesh that is being written down: arrays are allocated once, for counts known beforehand.
typedef struct ctiShape {
  ctiRawMesh* mesh;
  const double* params;
  int nparam;
  bool flat;
  float* vert;       // vertices as they are written; mesh->vert is made from them at the end
  int nvert, nface;  // written so far
  ctiRegion* region;
  ctError* err;
} ctiShape;

// Room for vertices and faces (and three normals a vertex). CT_ERR_LIMIT or CT_ERR_MEMORY.
ctStatus cti_shape_alloc(ctiShape* s, double nvert, double nface, bool frames);

// Append a vertex, rounded to float as all sources are; returns its number.
int cti_shape_vertex(ctiShape* s, double x, double y, double z);
void cti_raw_face(ctiShape* s, int a, int b, int c);

// Parameter `i` cut to a whole number; counts too large for any mesh are refused later.
int cti_shape_count(const ctiShape* s, int i);

ctStatus cti_shape_invalid(const ctiShape* s, const char* what);

// The shapes on grids.
ctStatus cti_shape_grid(ctiShape* s);
ctStatus cti_shape_square(ctiShape* s);
ctStatus cti_shape_disc(ctiShape* s);
ctStatus cti_shape_box(ctiShape* s);
ctStatus cti_shape_cylinder(ctiShape* s);
ctStatus cti_shape_ellipsoid(ctiShape* s);
