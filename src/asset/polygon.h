// Hull polygons: hull triangles that face the same way, within about half a degree, merged into one outline.
#pragma once

#include "asset/hull.h"
#include "asset/mesh.h"

// Merge the faces of a hull over `vert`, which are those of the source: directions are compared before the
// mesh is scaled, centred and turned. Fills npoly, polyvert* and polymap* of `out`; out->nvert must be set.
ctStatus cti_polygons_merge(ctiMesh* out, const ctiHull* hull, const double* vert, ctiRegion* region,
                            ctError* err);

// Fill polynormal with unit normals over `vert`: each component is the area of the outline seen along an
// axis.
ctStatus cti_polygons_normals(ctiMesh* out, const double* vert, ctiRegion* region, ctError* err);

// Reverse the outlines, for a scale that mirrors; each keeps its first corner.
void cti_polygons_mirror(ctiMesh* m);
