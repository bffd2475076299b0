// Hull polygons: hull triangles that face the same way, within about half a degree, merged into one outline.
#pragma once

#include "asset/hull.h"
#include "asset/mesh.h"

// Merge the faces of a hull. `vert` is the frame in which directions are compared: that of the source, before the mesh
// is centred and turned. Fills npoly, polyvert*, polymap* of `out`; out->nvert must be set.
ctStatus cti_polygons_merge(ctiMesh* out, const ctiHull* hull, const float* vert, ctiRegion* region, ctError* err);

// Fill polynormal from the outlines, over out->vert.
ctStatus cti_polygons_normals(ctiMesh* out, ctiRegion* region, ctError* err);
