// Convex hulls by qhull: the graph that support searches walk on, and the triangles.
#pragma once

#include "asset/mesh.h"
#include "base/alloc.h"

// Vertices of the hull are numbered in qhull's order; `vert_globalid` names them in the mesh. All arrays but
// the first are parts of `graph`, which is what a model stores:
//   nvert, nface, vert_edgeadr[nvert], vert_globalid[nvert], edge_localid[nvert + 3 nface], face_globalid[3
//   nface]
// The neighbours of hull vertex i start at edge_localid[vert_edgeadr[i]] and end with -1.
typedef struct ctiHull {
  int nvert, nface, ngraph;
  int *graph, *vert_edgeadr, *vert_globalid, *edge_localid, *face_globalid;
} ctiHull;

// Hull of n points (xyz). `maxvert` limits the number of its vertices, -1 for no limit.
// CT_ERR_INVALID when the points have no hull with a volume, CT_ERR_LIMIT or CT_ERR_MEMORY.
ctStatus cti_hull_make(ctiHull* out, const double* vert, int n, int maxvert, ctiRegion* region, ctError* err);

// Fewest vertices a hull may be limited to, exclusive.
#define CTI_HULL_MAXVERT_MIN 3

// The vertex farthest along each of the 27 directions of {-1, 0, 1}^3, x slowest, as hull numbers; the first
// wins.
void cti_hull_extrema(int extrema[27], const ctiHull* hull, const float* vert);

// ---- polygons

// Hull polygons: hull triangles that face the same way, within about half a degree, merged into one
// outline.

// Merge the faces of a hull over `vert`, which are those of the source: directions are compared before the
// mesh is scaled, centred and turned. Fills npoly, polyvert* and polymap* of `out`; out->nvert must be set.
ctStatus cti_polygons_merge(ctiMesh* out, const ctiHull* hull, const double* vert, ctiRegion* region,
                            ctError* err);

// Fill polynormal with unit normals over `vert`: each component is the area of the outline seen along an
// axis.
ctStatus cti_polygons_normals(ctiMesh* out, const double* vert, ctiRegion* region, ctError* err);

// Reverse the outlines, for a scale that mirrors; each keeps its first corner.
void cti_polygons_mirror(ctiMesh* m);
